//! The command line.

use crate::model::{FrameRate, LengthUnit};
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A rig-and-curve editor for character animation.
#[derive(Debug, Parser)]
#[command(name = "inbetween", version, about, args_conflicts_with_subcommands = true)]
pub struct Args {
    /// A document (.ron), a motion file (.bvh) or a model (.gltf, .glb) to open in the window
    pub file: Option<PathBuf>,
    /// What to do without a window
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done without a window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert between BVH, glTF and RON
    Convert(Convert),
    /// Say what is in a file
    Info(Info),
    /// Check files; the exit status is 1 if one cannot be opened
    Check(Check),
    /// Measure how far apart two motions are, joint by joint
    Compare(Compare),
    /// Say what changed between two documents; the exit status is 0 if nothing did, 1 if something did, 2 on trouble
    Diff(Diff),
}

/// `inbetween convert`.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// The file to read: .bvh, .gltf, .glb or .ron
    pub input: PathBuf,
    /// The file to write: .bvh or .ron
    pub output: PathBuf,
    /// Unit of the input's lengths, instead of a guess from the figure's size: m, dm, cm, inch, mm or cmu (5.644 cm)
    #[arg(long, value_parser = unit)]
    pub unit: Option<LengthUnit>,
    /// The axis of the input that points up
    #[arg(long, value_enum, default_value = "y")]
    pub up: UpAxis,
    /// Unit of the lengths written, instead of the input's own
    #[arg(long, value_parser = unit)]
    pub out_unit: Option<LengthUnit>,
    /// Frames a second to write, instead of the input's own: 24, 23.976 or 24000/1001
    #[arg(long, value_parser = rate)]
    pub fps: Option<FrameRate>,
    /// The clip to write, by name, where there are several
    #[arg(long)]
    pub clip: Option<String>,
    /// The rig to write, by name, where there are several
    #[arg(long)]
    pub object: Option<String>,
    /// Report as JSON
    #[arg(long)]
    pub json: bool,
}

/// `inbetween info`.
#[derive(Debug, clap::Args)]
pub struct Info {
    /// The file: .bvh, .gltf, .glb or .ron
    pub file: PathBuf,
    /// Unit of the file's lengths, instead of a guess from the figure's size
    #[arg(long, value_parser = unit)]
    pub unit: Option<LengthUnit>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `inbetween check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The files: .bvh, .gltf, .glb or .ron
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Fail on files that had to be mended too
    #[arg(long)]
    pub strict: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `inbetween compare`.
#[derive(Debug, clap::Args)]
pub struct Compare {
    /// The first motion: .bvh or .ron
    pub a: PathBuf,
    /// The second motion
    pub b: PathBuf,
    /// The rig, by name, where there are several
    #[arg(long)]
    pub object: Option<String>,
    /// Unit of both files' lengths, instead of a guess from the figures' sizes
    #[arg(long, value_parser = unit)]
    pub unit: Option<LengthUnit>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `inbetween diff`.
#[derive(Debug, clap::Args)]
pub struct Diff {
    /// The document before: .ron or .bvh
    pub a: PathBuf,
    /// The document after
    pub b: PathBuf,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// An upward axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpAxis {
    /// Y points up
    Y,
    /// Z points up
    Z,
}

fn unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_symbol(text).ok_or_else(|| "use m, dm, cm, inch, mm or cmu".to_owned())
}

fn rate(text: &str) -> Result<FrameRate, String> {
    FrameRate::parse(text).ok_or_else(|| "use a number such as 24, 23.976 or 24000/1001".to_owned())
}
