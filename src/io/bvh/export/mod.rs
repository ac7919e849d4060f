//! From a document to a neutral file: one rig in one clip over a range of frames.

mod columns;
mod hierarchy;
mod measure;
mod pins;

use super::{BvhFile, FrameTime, rate_of, text_of};
use crate::eval::blend::{bake, layers::plays_layers};
use crate::io::report::{Place, Report};
use crate::math::EulerOrder;
use crate::model::{Clip, ClipId, Document, FrameRange, FrameRate, LengthUnit, Object, ObjectId, Target};
use crate::progress::{Cancelled, Progress};
use columns::Sampler;
pub use measure::{BvhWritten, export_measured};
use pins::Baked;
use std::{borrow::Cow, sync::Arc};

/// What to write, where it is not what the document says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExportOptions {
    /// The clip; none for the one the rig plays.
    pub clip: Option<ClipId>,
    /// Frames at the document's rate; none for the clip's range.
    pub range: Option<FrameRange>,
    /// Frames a second in the file; none for the rate of the motion file the clip came from, else the document's.
    pub rate: Option<FrameRate>,
    /// The unit of lengths; none for the rig's.
    pub unit: Option<LengthUnit>,
    /// The order of all joints' turns; none for each joint's own.
    pub order: Option<EulerOrder>,
    /// Position channels for roots only: what other joints move is left out.
    pub root_translation_only: bool,
    /// The length of every End Site, metres, instead of its own.
    pub end_length: Option<f64>,
}

/// Why nothing could be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// The object is no rig.
    #[error("BVH holds a skeleton, and this object is none; choose a rig: {0}")]
    NoRig(String),
    /// The clip is not there.
    #[error("there is no such clip: {0}")]
    NoClip(ClipId),
    /// More values than can be meant.
    #[error("{frames} frames of {channels} channels are too many to write; choose a shorter range or a lower rate")]
    TooLong {
        /// Frames asked for.
        frames: u64,
        /// Channels of the skeleton.
        channels: usize,
    },
    /// Someone asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The most values that are written: some gigabytes of text.
const MOST_VALUES: u64 = 300_000_000;

/// The times of the rows.
#[derive(Clone, Copy, Debug)]
struct Grid {
    start_secs: f64,
    rate: FrameRate,
    frames: usize,
}

impl Grid {
    fn secs(&self, frame: usize) -> f64 {
        self.start_secs + self.rate.secs(i64::try_from(frame).unwrap_or(i64::MAX))
    }
}

/// Converts a rig in its clip: curves, corrections and pins, not the edits that wait to be keyed.
///
/// A sampled channel whose samples fall on the rows goes out as it is, without a copy, wherever no correction, no
/// retime and no pin acts on it.
/// Everything else is evaluated: Euler triples unwrapped from row to row, rounded to 9 decimals. A rig without
/// a clip gets no rows. The object's own transform is not part of the motion: joints are written as they are inside it.
///
/// # Errors
/// [`ExportError`].
pub fn export(
    document: &Document,
    object: ObjectId,
    options: ExportOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<BvhFile, ExportError> {
    let plain = without_layers(document, object, options, progress, report)?;
    Ok(with_joints(&plain, object, options, progress, report)?.0)
}

/// The file, and for each joint of it the index of the skeleton's.
fn with_joints(
    document: &Document,
    object: ObjectId,
    options: ExportOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<(BvhFile, Vec<Option<usize>>), ExportError> {
    let played = document.without_muted();
    let document = &*played;
    let no_rig = |name: &str| ExportError::NoRig(name.to_owned());
    let whole = document.object(object).ok_or_else(|| no_rig(&object.to_string()))?;
    let rig = whole.as_rig().ok_or_else(|| no_rig(&whole.name))?;
    let clip = match options.clip {
        Some(id) => Some(document.clip(id).ok_or(ExportError::NoClip(id))?),
        None => document.clip_of(object).and_then(|id| document.clip(id)),
    };
    let grid = grid_of(document, object, clip, options);
    report_left_out(whole, object, clip, report);
    report_rates(object, clip, grid.rate, report);
    few_enough(grid.frames as u64, rig.skeleton.len())?;
    let mut baked = Baked::new(document, object, clip);
    let sampler = Sampler::new(object, &rig.skeleton, clip, (grid, options), baked.as_mut(), progress)?;
    if let Some(baked) = &baked {
        report_pins(&whole.name, baked, report);
    }
    let unit = options.unit.unwrap_or(rig.unit);
    let file_joints = hierarchy::joints(&whole.name, &rig.skeleton, &sampler, unit, report);
    let mut columns = Vec::new();
    for (joint, index) in &file_joints {
        if let Some(index) = index {
            progress.check()?;
            columns.extend(joint.channels.iter().map(|channel| sampler.column(*index, *channel, unit)));
        }
    }
    let (joints, indices) = file_joints.into_iter().unzip();
    let file = BvhFile { joints, frame_time: frame_time(clip, grid.rate), frames: grid.frames, columns };
    Ok((file, indices))
}

/// Refuses more frames of a skeleton than can be meant.
///
/// # Errors
/// [`ExportError::TooLong`].
pub fn few_enough(frames: u64, joints: usize) -> Result<(), ExportError> {
    let channels = 3 * joints;
    let few = frames.saturating_mul(channels as u64) <= MOST_VALUES;
    if few { Ok(()) } else { Err(ExportError::TooLong { frames, channels }) }
}

/// The document in which the rig plays a clip and no layers: one of what they play, unless a clip is asked for.
fn without_layers<'a>(
    document: &'a Document,
    object: ObjectId,
    options: ExportOptions,
    progress: &Progress,
    report: &mut Report,
) -> Result<Cow<'a, Document>, ExportError> {
    if !plays_layers(document, object) {
        return Ok(Cow::Borrowed(document));
    }
    if options.clip.is_some() {
        let mut plain = document.clone();
        if let Some(object) = plain.object_mut(object) {
            object.layers.clear();
        }
        return Ok(Cow::Owned(plain));
    }
    let name = document.object(object).map_or_else(String::new, |object| object.name.clone());
    let range = options.range.unwrap_or(document.settings.play_range);
    few_enough(
        range.len(),
        document.object(object).and_then(|object| object.as_rig()).map_or(0, |rig| rig.skeleton.len()),
    )?;
    report.info("layers", Place::Part(name), "it plays layers", "written as what they play together");
    Ok(bake::without_layers(document, object, range, progress)?)
}

/// The rows: at the rate asked for, else that of the motion file the clip came from, else the document's. A range that ends
/// with the captured motion ends exactly there, whatever frame of the document that is nearest to.
fn grid_of(document: &Document, object: ObjectId, clip: Option<&Arc<Clip>>, options: ExportOptions) -> Grid {
    let own = document.settings.rate;
    let Some(clip) = clip else {
        return Grid { start_secs: 0.0, rate: options.rate.unwrap_or(own), frames: 0 };
    };
    let captured = captured(clip, object);
    let kept = captured.map(|(rate, _)| rate).filter(|rate| meant(clip) == Some(*rate));
    let rate = options.rate.or(kept).unwrap_or(own);
    let range = options.range.unwrap_or(clip.range);
    let end = captured.map(|(_, end)| end).filter(|end| own.nearest_frame(*end) == range.last);
    let (start, end) = (own.secs(range.first), end.unwrap_or_else(|| own.secs(range.last)));
    // In the file's own rate the rows fall on its samples.
    let start = if kept == Some(rate) { rate.snap(start) } else { start };
    let frames = rate.nearest_frame(end - start).max(0).unsigned_abs().saturating_add(1);
    Grid { start_secs: start, rate, frames: usize::try_from(frames).unwrap_or(usize::MAX) }
}

/// The rate and the last time of the captured motion of a rig in a clip, where all its samples share one grid from 0 on.
fn captured(clip: &Clip, object: ObjectId) -> Option<(FrameRate, f64)> {
    let mut grids = clip
        .channels
        .iter()
        .filter(|(path, _)| path.target.object() == object)
        .filter_map(|(_, curve)| columns::samples(curve))
        .map(|samples| (samples.start, samples.rate, samples.values.len()));
    let first @ (start, rate, length) = grids.next()?;
    let last = i64::try_from(length.saturating_sub(1)).ok()?;
    (start == 0.0 && grids.all(|grid| grid == first)).then(|| (rate, rate.secs(last)))
}

/// The rate that the frame time of the clip's file means.
fn meant(clip: &Clip) -> Option<FrameRate> {
    clip.frame_time_text.as_deref().and_then(rate_of)
}

/// The text a file came with while it still means this rate, else a new one.
fn frame_time(clip: Option<&Arc<Clip>>, rate: FrameRate) -> FrameTime {
    let kept = clip.filter(|clip| meant(clip) == Some(rate)).and_then(|clip| clip.frame_time_text.clone());
    FrameTime { text: kept.unwrap_or_else(|| text_of(rate)), secs: rate.frame_secs() }
}

fn report_left_out(object: &Object, id: ObjectId, clip: Option<&Arc<Clip>>, report: &mut Report) {
    let place = Place::Part(object.name.clone());
    let Some(clip) = clip else {
        return report.info("no-frames", place, "it plays no clip", "written without frames");
    };
    if clip.channels.keys().any(|path| path.target == Target::Object(id)) {
        report.warn("object-motion", place.clone(), "the object itself moves", "not written: BVH has only joints");
    }
    if let Some(stands) = how_it_stands(object) {
        report.warn("object-place", place.clone(), stands, "not written: joints are written as they are inside it");
    }
    let own = |frame: &&crate::model::UnkeyedFrame| frame.values.keys().any(|path| path.target.object() == id);
    let waiting = clip.unkeyed.iter().filter(own).count();
    if waiting > 0 {
        let found = format!("{waiting} frames have edits that are not keyed");
        report.warn("unkeyed", place, found, "not written: set a key first");
    }
}

/// How a figure stands away from where its joints alone would put it; none where it does not, or only by rounding.
fn how_it_stands(object: &Object) -> Option<String> {
    let (moved, angle) = (object.transform.translation.norm(), object.transform.rotation.angle().to_degrees());
    let scaled = object.transform.scale.iter().any(|factor| (factor - 1.0).abs() > 1e-9);
    let turned = (angle > 1e-6).then(|| format!("turned by {angle:.1} degrees"));
    let moved = (moved > 1e-9).then(|| format!("moved by {moved:.3} m"));
    let scaled = scaled.then(|| "scaled".to_owned());
    let carried = object.parent.is_some().then(|| "carried by another object".to_owned());
    let how: Vec<String> = [turned, moved, scaled, carried].into_iter().flatten().collect();
    (!how.is_empty()).then(|| format!("the figure stands {}", how.join(", ")))
}

fn report_pins(name: &str, baked: &Baked, report: &mut Report) {
    let found = match (baked.count, baked.constraints, baked.drivers) {
        (pins, 0, 0) => format!("{pins} pins hold joints"),
        (0, constraints, 0) => format!("{constraints} constraints and IK chains move joints"),
        (0, 0, drivers) => format!("{drivers} drivers move joints"),
        (pins, constraints, 0) => format!("{pins} pins and {constraints} constraints and IK chains move joints"),
        (pins, constraints, drivers) => {
            format!("{pins} pins, {constraints} constraints and IK chains and {drivers} drivers move joints")
        }
    };
    let mm = baked.between_rows * 1e3;
    let done = format!("written into the joints: exact at each frame, within {mm:.3} mm halfway between two");
    report.info("pins", Place::Part(name.to_owned()), found, done);
}

/// Says so where samples of another rate are read between their times.
fn report_rates(object: ObjectId, clip: Option<&Arc<Clip>>, rate: FrameRate, report: &mut Report) {
    let curves = clip.into_iter().flat_map(|clip| &clip.channels).filter(|(path, _)| path.target.object() == object);
    let other = curves.filter_map(|(_, curve)| columns::samples(curve)).find(|samples| samples.rate != rate);
    if let Some(samples) = other {
        let found = format!("captured at {} frames a second", samples.rate);
        report.info("rate", Place::Whole, found, format!("written at {rate}, read between the samples"));
    }
}
