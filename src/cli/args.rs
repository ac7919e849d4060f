//! The command line.

use crate::{
    io::{bvh::Up, plot::Sheet},
    math::EulerOrder,
    model::{FrameRange, FrameRate, LengthUnit},
    style::Rgba,
};
use clap::{Parser, Subcommand, ValueEnum};
use std::path::{Path, PathBuf};

/// A rig-and-curve editor for character animation.
#[derive(Debug, Parser)]
#[command(name = "inbetween", version, about, args_conflicts_with_subcommands = true)]
pub struct Args {
    /// A document (.ron), a motion file (.bvh) or a model (.gltf, .glb, .obj) to open in the window
    pub file: Option<PathBuf>,
    /// What to do without a window
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done without a window.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Convert between BVH, glTF, OBJ and RON
    Convert(Convert),
    /// Play a blend space at a point and write what it plays as BVH or glTF
    Blend(Blend),
    /// Say what is in a file
    Info(Info),
    /// Draw pictures or an animation of what is in a file; no display is needed
    Render(Render),
    /// Bring the motion of one file to the character of another: other proportions, other names, another rest pose
    Retarget(Retarget),
    /// Say all that is wrong with files, and mend them into new ones; the exit status is 1 if one cannot be opened, or mended
    Check(Check),
    /// Measure how far apart two motions are, joint by joint
    Compare(Compare),
    /// Say what changed between two documents; the exit status is 0 if nothing did, 1 if something did, 2 on trouble
    Diff(Diff),
    /// Plot channels as SVG, PNG or CSV
    Plot(Plot),
}

/// `inbetween blend`.
#[derive(Debug, clap::Args)]
pub struct Blend {
    /// The document: .ron
    pub file: PathBuf,
    /// The blend space, by name
    #[arg(long)]
    pub space: String,
    /// The point along its axes, in their units, brought within their ranges: 1.5 or 1.5,-30
    #[arg(long, allow_hyphen_values = true, value_parser = point)]
    pub at: [f64; 2],
    /// The frames to write, both ends included: 0..47; those that play, where nothing is said
    #[arg(long, allow_hyphen_values = true, value_parser = frames)]
    pub frames: Option<FrameRange>,
    /// The file to write: .bvh, .glb or .gltf
    #[arg(short, long)]
    pub output: PathBuf,
    /// The rig that plays it, by name; the only one where nothing is said
    #[arg(long)]
    pub object: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `inbetween render`.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// The file: .ron, .bvh, .gltf, .glb or .obj
    pub file: PathBuf,
    /// The picture to write: .png, or with --frames also .gif; a run of `#` in a .png's name is where the frame's number goes
    #[arg(short, long)]
    pub output: PathBuf,
    /// The frame to draw; the first that plays, where nothing is said
    #[arg(long, allow_hyphen_values = true, conflicts_with = "frames")]
    pub frame: Option<i64>,
    /// The frames to draw, both ends included: 0..47
    #[arg(long, allow_hyphen_values = true, value_parser = frames)]
    pub frames: Option<FrameRange>,
    /// Draw every so many frames only
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub step: u32,
    /// Width and height, pixels
    #[arg(long, default_value = "1280x720", value_parser = size)]
    pub size: [u32; 2],
    /// Where it is seen from, degrees to the side of the front (the Z axis) and above the horizon; always all of it
    #[arg(long, allow_hyphen_values = true, default_value = "30,12", value_parser = orbit)]
    pub orbit: [f64; 2],
    /// A camera of the file to look through, by name, instead
    #[arg(long, conflicts_with = "orbit")]
    pub camera: Option<String>,
    /// What is behind everything, as RRGGBB
    #[arg(long, value_parser = color)]
    pub background: Option<Rgba>,
    /// Colours of the light theme
    #[arg(long)]
    pub light: bool,
    /// The ground grid
    #[arg(long, value_enum, default_value = "on")]
    pub grid: Switch,
    /// The body
    #[arg(long, value_enum, default_value = "on")]
    pub mannequin: Switch,
    /// Bones and joints
    #[arg(long, value_enum, default_value = "off")]
    pub bones: Switch,
    /// Meshes
    #[arg(long, value_enum, default_value = "on")]
    pub mesh: Switch,
    /// The axis of the file that points up, where it is a motion file
    #[arg(long, value_enum, default_value = "y")]
    pub up: UpAxis,
    /// The way of a joint over its clip, by name, such as hand.l or Biped/hand.l; may be given several times
    #[arg(long, value_name = "JOINT")]
    pub trail: Vec<String>,
    /// Reference images of the document
    #[arg(long, value_enum, default_value = "off")]
    pub reference: Switch,
    /// The figure some frames before and after, shining through
    #[arg(long, value_enum, default_value = "off")]
    pub ghosts: Switch,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Drawn
    On,
    /// Not drawn
    Off,
}

fn frames(text: &str) -> Result<FrameRange, String> {
    let wanted = || "use FIRST..LAST, such as 0..47".to_owned();
    let (first, last) = text.split_once("..").ok_or_else(wanted)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_ignored| wanted());
    let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
    if last < first {
        return Err(format!("the last frame, {last}, is before the first, {first}"));
    }
    Ok(FrameRange::new(first, last))
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let wanted = || "use WIDTHxHEIGHT in pixels, each from 1 to 16384, such as 1280x720".to_owned();
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wanted)?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=16_384).contains(side)).ok_or_else(wanted);
    Ok([side(width)?, side(height)?])
}

/// One or two numbers with a comma between.
fn point(text: &str) -> Result<[f64; 2], String> {
    let wrong = || format!("'{text}' is not a point such as 1.5 or 1.5,-30");
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite()).ok_or_else(wrong);
    let (first, second) = text.split_once(',').unwrap_or((text, "0"));
    Ok([number(first)?, number(second)?])
}

fn orbit(text: &str) -> Result<[f64; 2], String> {
    let wanted = || "use SIDE,ABOVE in degrees, such as 30,12; ABOVE from -90 to 90".to_owned();
    let (yaw, pitch) = text.split_once(',').ok_or_else(wanted)?;
    let angle = |text: &str| text.trim().parse::<f64>().ok().filter(|angle| angle.is_finite()).ok_or_else(wanted);
    let (yaw, pitch) = (angle(yaw)?, angle(pitch)?);
    if pitch.abs() > 90.0 { Err(wanted()) } else { Ok([yaw, pitch]) }
}

fn color(text: &str) -> Result<Rgba, String> {
    let wanted = || "use six hexadecimal digits, such as 2c2f34".to_owned();
    let digits = text.trim_start_matches('#');
    let all_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| all_hex);
    number.map(Rgba::hex).ok_or_else(wanted)
}

impl Convert {
    /// The file to write.
    pub(super) fn output(&self) -> &Path {
        self.output.as_deref().or(self.to.as_deref()).unwrap_or_else(|| Path::new(""))
    }
}

/// `inbetween convert`.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// The file to read: .bvh, .gltf, .glb, .obj or .ron
    pub input: PathBuf,
    /// The file to write: .bvh, .gltf, .glb, .obj or .ron
    #[arg(required_unless_present = "to", value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// The file to write, as other commands take it
    #[arg(short = 'o', long = "output", value_name = "OUTPUT", conflicts_with = "output")]
    to: Option<PathBuf>,
    /// Unit of the input's lengths, instead of a guess from the figure's size: m, dm, cm, inch, mm, cmu (5.644 cm) or metres, as 0.038
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
    /// The frames to write to BVH, both ends included, instead of the clip's: 0..47
    #[arg(long, allow_hyphen_values = true, value_parser = frames)]
    pub frames: Option<FrameRange>,
    /// The order of the turns in BVH, first listed outermost, instead of each joint's own: XYZ, ZXY ...
    #[arg(long, value_parser = order)]
    pub order: Option<EulerOrder>,
    /// Position channels for BVH roots only
    #[arg(long)]
    pub root_translation_only: bool,
    /// Decimals of every number in BVH, 0 to 17, instead of as many as it takes
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: Option<u8>,
    /// The length of BVH End Sites, millimetres, instead of their own
    #[arg(long, value_parser = positive)]
    pub end_length: Option<f64>,
    /// How far a channel that glTF cannot say exactly may be off, millimetres
    #[arg(long, default_value_t = 0.1, value_parser = positive)]
    pub tolerance: f64,
    /// The same for rotations, degrees
    #[arg(long, default_value_t = 0.05, value_parser = positive)]
    pub tolerance_angle: f64,
    /// Write all influences of a vertex to glTF, not only the four largest
    #[arg(long)]
    pub all_influences: bool,
    /// What becomes of lattices and deformers in glTF
    #[arg(long, value_enum, default_value = "bake")]
    pub deformers: StackChoice,
    /// How far a vertex may be off where a deformer stack is baked to morph targets, millimetres
    #[arg(long, default_value_t = 0.5, value_parser = positive)]
    pub shape_tolerance: f64,
    /// Bake what dual quaternion skinning does differently into morph targets too
    #[arg(long)]
    pub bake_dual: bool,
    /// The frame whose shape is written to .obj, or with --deformers apply; the first that plays, where nothing is said
    #[arg(long, allow_hyphen_values = true)]
    pub frame: Option<i64>,
    /// Write .gltf with its data in a .bin and its pictures in files of their own beside it, not within it
    #[arg(long)]
    pub split: bool,
    /// Report as JSON
    #[arg(long)]
    pub json: bool,
}

/// What becomes of deformer stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StackChoice {
    /// Morph targets with animated weights
    Bake,
    /// The shape of one frame
    Apply,
    /// Meshes without them
    Leave,
}

/// `inbetween retarget`.
#[derive(Debug, clap::Args)]
pub struct Retarget {
    /// The motion: .bvh, .gltf, .glb or .ron
    pub input: PathBuf,
    /// The character it is for: .ron, .bvh, .gltf or .glb
    #[arg(long, value_name = "RIG")]
    pub to: PathBuf,
    /// The file to write: .bvh, .gltf, .glb, or .ron for the character's document with the clip in it
    #[arg(short, long)]
    pub output: PathBuf,
    /// The clip to bring over, by name, where there are several
    #[arg(long)]
    pub clip: Option<String>,
    /// The rig that moves, by name, where there are several
    #[arg(long)]
    pub object: Option<String>,
    /// The rig that is to move, by name, where there are several
    #[arg(long)]
    pub onto: Option<String>,
    /// Unit of the motion's lengths, instead of a guess from the figure's size
    #[arg(long, value_parser = unit)]
    pub unit: Option<LengthUnit>,
    /// What the way of the body is scaled by
    #[arg(long, value_enum, default_value = "legs")]
    pub scale: ScaleChoice,
    /// The pose of the motion's figure that is compared
    #[arg(long, value_enum, default_value = "found")]
    pub source_pose: PoseChoice,
    /// The pose of the character that is compared
    #[arg(long, value_enum, default_value = "found")]
    pub target_pose: PoseChoice,
    /// Take both poses to be the same instead of bringing one to the other
    #[arg(long)]
    pub no_align: bool,
    /// Leave feet that stand where they slide to
    #[arg(long)]
    pub no_lock: bool,
    /// What stands for a joint of the character, as TARGET=SOURCE, or TARGET= for nothing; may be given several times
    #[arg(long, value_name = "TARGET=SOURCE")]
    pub map: Vec<String>,
    /// Left for right
    #[arg(long)]
    pub mirror: bool,
    /// Make it go round, with its way or on the spot
    #[arg(long, value_enum)]
    pub cycle: Option<CycleChoice>,
    /// Report as JSON
    #[arg(long)]
    pub json: bool,
}

/// What a way is scaled by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScaleChoice {
    /// The ratio of the legs, of heights without legs
    Legs,
    /// The ratio of heights
    Height,
    /// Metre for metre
    None,
}

/// Which pose of a figure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PoseChoice {
    /// The rest pose, or the first frame where a body could not stand so
    Found,
    /// The rest pose
    Rest,
    /// The first frame
    First,
}

/// What becomes of the way of a clip that goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CycleChoice {
    /// It is kept
    Travel,
    /// It is taken out
    InPlace,
}

/// `inbetween info`.
#[derive(Debug, clap::Args)]
pub struct Info {
    /// The file: .bvh, .gltf, .glb, .obj or .ron
    pub file: PathBuf,
    /// Unit of the file's lengths, instead of a guess from the figure's size
    #[arg(long, value_parser = unit)]
    pub unit: Option<LengthUnit>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// With --json: where all vertices of the meshes are, metres, at so many times of each clip
    #[arg(long, requires = "json", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub positions: Option<u32>,
}

/// `inbetween check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The files: .bvh, .gltf, .glb, .obj or .ron
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Fail on files that had to be mended too
    #[arg(long, conflicts_with = "repair")]
    pub strict: bool,
    /// Write a mended copy of the one file; the exit status is 0 if it was written and holds all that the file had, 3 if it
    /// was written without something of it, 1 if it was not written
    #[arg(long, requires = "output")]
    pub repair: bool,
    /// The mended copy: never the file itself
    #[arg(short, long, requires = "repair")]
    pub output: Option<PathBuf>,
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

/// `inbetween plot`.
#[derive(Debug, clap::Args)]
pub struct Plot {
    /// The file: .bvh or .ron
    pub file: PathBuf,
    /// A channel by name, such as Biped/hand.l/rotation.x, or the beginning of several, such as Biped/hand.l
    #[arg(long = "channel", short, required = true)]
    pub channels: Vec<String>,
    /// The file to write: .svg, .png or .csv
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    /// A table instead of a picture; on standard output where no file is named
    #[arg(long)]
    pub csv: bool,
    /// The clip, by name, where there are several
    #[arg(long)]
    pub clip: Option<String>,
    /// The frames, such as 0..48, instead of the clip's
    #[arg(long, value_parser = frames, allow_hyphen_values = true)]
    pub frames: Option<FrameRange>,
    /// Count seconds, not frames
    #[arg(long)]
    pub seconds: bool,
    /// Velocity and acceleration too
    #[arg(long)]
    pub derivatives: bool,
    /// For print: white, with dashes and markers
    #[arg(long)]
    pub print: bool,
    /// Width and height in millimetres
    #[arg(long, value_parser = size_mm)]
    pub size: Option<[f64; 2]>,
    /// Pixels an inch of a PNG
    #[arg(long, value_parser = dpi, default_value = "192")]
    pub dpi: f64,
}

/// An upward axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpAxis {
    /// Y points up
    Y,
    /// Z points up
    Z,
}

impl From<UpAxis> for Up {
    fn from(axis: UpAxis) -> Self {
        match axis {
            UpAxis::Y => Self::Y,
            UpAxis::Z => Self::Z,
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value: &f64| value.is_finite() && *value > 0.0)
        .ok_or_else(|| "use a number above 0".to_owned())
}

fn unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_name(text).ok_or_else(|| "use m, dm, cm, inch, mm, cmu, or how many metres it is".to_owned())
}

fn order(text: &str) -> Result<EulerOrder, String> {
    let found = EulerOrder::ALL.into_iter().find(|order| format!("{order:?}").eq_ignore_ascii_case(text));
    found.ok_or_else(|| "use XYZ, XZY, YXZ, YZX, ZXY or ZYX".to_owned())
}

fn rate(text: &str) -> Result<FrameRate, String> {
    FrameRate::parse(text).ok_or_else(|| "use a number such as 24, 23.976 or 24000/1001".to_owned())
}

/// `WIDTHxHEIGHT` in millimetres.
fn size_mm(text: &str) -> Result<[f64; 2], String> {
    let wrong = || {
        let sides = Sheet::SIDES;
        format!("use millimetres such as 160x100, each from {} to {}", sides.start(), sides.end())
    };
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
    let side = |text: &str| text.trim().parse::<f64>().ok().filter(|mm| Sheet::SIDES.contains(mm)).ok_or_else(wrong);
    Ok([side(width)?, side(height)?])
}

fn dpi(text: &str) -> Result<f64, String> {
    let allowed = Sheet::RESOLUTIONS;
    let wrong = || format!("use pixels an inch from {} to {}", allowed.start(), allowed.end());
    text.trim().parse::<f64>().ok().filter(|dpi| allowed.contains(dpi)).ok_or_else(wrong)
}
