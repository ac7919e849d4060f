//! BVH motion files: a forest of joints with offsets and channels, then one row of values a frame.
//!
//! [`parse`] reads the bytes of a file into a neutral [`BvhFile`], values as the file has them: degrees, file units,
//! each joint's own channels in their own order. [`write()`] is its opposite. `import` and `export` go between that and
//! the document.
//!
//! What the format means (Meredith & Maddock 2001, "Motion Capture File Formats Explained", and what Blender and bvhio
//! do where that is silent): rotations multiply in the listed channel order, first listed outermost; a position channel
//! replaces the OFFSET of its axis; an axis without one keeps its OFFSET.

mod decimal;
mod error;
mod export;
mod fit;
mod import;
mod lexer;
mod motion;
mod number;
mod parse;
mod rate;
mod write;

use std::sync::Arc;

pub use error::BvhError;
pub use export::{BvhWritten, ExportError, ExportOptions, export, export_measured, few_enough};
pub use fit::{curves_for, fit};
pub use import::{BvhMotion, ImportOptions, Up, to_motion};
pub use parse::parse;
pub use rate::{rate_of, text_of};
pub use write::{is_writable_name, write, write_with};

/// The largest magnitude taken for a value: squares and long sums of what is below stay finite in `f64`.
pub const LARGEST: f64 = 1e100;

/// A word of a row as a number; NaN for the spellings of what is none, and what is too large, both of which the reader
/// mends. None where it is no number at all.
#[must_use]
pub fn number_of(word: &str) -> Option<f64> {
    number::number(word.as_bytes()).map(|value| if value.abs() < LARGEST { value } else { f64::NAN })
}

/// What one column of the motion rows drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// The local translation along an axis (0 = X, 1 = Y, 2 = Z), file units, instead of OFFSET.
    Position(usize),
    /// A turn about an axis (0 = X, 1 = Y, 2 = Z), degrees.
    Rotation(usize),
}

impl Channel {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::Position(0),
        Self::Position(1),
        Self::Position(2),
        Self::Rotation(0),
        Self::Rotation(1),
        Self::Rotation(2),
    ];

    /// The name in a CHANNELS line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position(0) => "Xposition",
            Self::Position(1) => "Yposition",
            Self::Position(_) => "Zposition",
            Self::Rotation(0) => "Xrotation",
            Self::Rotation(1) => "Yrotation",
            Self::Rotation(_) => "Zrotation",
        }
    }

    /// The channel of a name, in any mix of upper and lower case.
    #[must_use]
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

/// A joint or an End Site.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhJoint {
    /// The name as in the file, without the white space around it. An End Site has none.
    pub name: String,
    /// Index of the parent, always smaller than the own one; none for a ROOT.
    pub parent: Option<usize>,
    /// OFFSET from the parent, file units; finite, below [`LARGEST`].
    pub offset: [f64; 3],
    /// The CHANNELS line; each channel at most once.
    pub channels: Vec<Channel>,
    /// Whether this is an End Site.
    pub is_end: bool,
}

/// The Frame Time line.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameTime {
    /// The number as written in the file, so that it can be written back unchanged.
    pub text: String,
    /// Its value, seconds; positive and finite.
    pub secs: f64,
}

/// A BVH file, neutral: nothing converted, nothing guessed.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhFile {
    /// Joints and End Sites in file order, which is depth first: parents before children.
    pub joints: Vec<BvhJoint>,
    /// Seconds between two frames.
    pub frame_time: FrameTime,
    /// Number of frames; the length of every column.
    pub frames: usize,
    /// One array of values for each channel, in file order.
    pub columns: Vec<Column>,
}

/// The values of one channel, one a frame.
///
/// They may be stored in another unit than the file's: radians for its degrees, metres for its centimetres. So a
/// document's arrays go out as they are, without a copy.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The stored values; finite, below [`LARGEST`].
    pub values: Arc<[f64]>,
    /// What one unit of the file is in stored units: 1 as parsed.
    pub unit: f64,
}

impl BvhFile {
    /// All channels with the index of their joint, in the order of the columns.
    pub fn channels(&self) -> impl Iterator<Item = (usize, Channel)> + '_ {
        self.joints
            .iter()
            .enumerate()
            .flat_map(|(index, joint)| joint.channels.iter().map(move |channel| (index, *channel)))
    }
}
