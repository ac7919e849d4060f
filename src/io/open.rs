//! Opening files as documents, and importing motion into a document there is.

use super::bvh::{self, BvhError, BvhFile, BvhMotion, ImportOptions};
use super::file::{self, FileError};
use super::report::{Place, Report};
use super::{ron, text};
use crate::edit::ImportEdit;
use crate::model::{
    ChannelPath, Clip, ClipId, Curve, Document, FileChannel, FrameRange, FrameRate, JointId, Object, ObjectId,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kinds of file that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A document of our own.
    Ron,
    /// BVH motion.
    Bvh,
}

impl FileKind {
    /// All kinds with the extension each has.
    pub const EXTENSIONS: [(Self, &'static str); 2] = [(Self::Ron, "ron"), (Self::Bvh, "bvh")];

    /// The kind that a file's name says, in any case.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::EXTENSIONS.into_iter().find(|(_, own)| own.eq_ignore_ascii_case(extension)).map(|(kind, _)| kind)
    }

    /// The kind that a text begins like.
    fn of_text(text: &str) -> Option<Self> {
        let start = text.trim_ascii_start();
        let hierarchy = start.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("HIERARCHY"));
        if hierarchy { Some(Self::Bvh) } else { start.starts_with('(').then_some(Self::Ron) }
    }
}

/// Why a file could not be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It could not be read at all.
    #[error("cannot read the file: {0}")]
    File(#[from] FileError),
    /// It is no BVH file.
    #[error("cannot read it as BVH: {error}: {}", path.display())]
    Bvh {
        /// What is wrong and where.
        error: BvhError,
        /// The file.
        path: PathBuf,
    },
    /// It is no document.
    #[error("cannot read the document: {error}: {}", path.display())]
    Ron {
        /// What is wrong and where.
        error: Box<ron::LoadError>,
        /// The file.
        path: PathBuf,
    },
    /// Neither its name nor its beginning says what it is.
    #[error("it is neither a document (.ron) nor BVH motion (.bvh); give it the right extension: {}", path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// A document where motion was wanted.
    #[error("this is a document, and only motion files are imported; open it instead: {}", path.display())]
    NoMotion {
        /// The file.
        path: PathBuf,
    },
}

/// A file opened as a document.
#[derive(Debug)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// What the file was: a document is saved in place, motion makes an untitled one.
    pub kind: FileKind,
    /// What was mended or guessed.
    pub report: Report,
}

/// Opens a file: a document as it is, a motion file as a new document with the file's rate and range.
///
/// # Errors
/// [`OpenError`], the file named in it.
pub fn open(path: &Path, options: ImportOptions) -> Result<Opened, OpenError> {
    let mut report = Report::new();
    match read(path, &mut report)? {
        Source::Document(document) => Ok(Opened { document: *document, kind: FileKind::Ron, report }),
        Source::Bvh(parsed) => {
            let motion = bvh::to_motion(parsed, options, &mut report);
            Ok(Opened { document: new_document(motion, &stem(path)), kind: FileKind::Bvh, report })
        }
    }
}

/// Reads a motion file for import into a document. See [`plan_import`].
///
/// # Errors
/// [`OpenError`], the file named in it.
pub fn import(
    path: &Path,
    document: &Document,
    selected: Option<ObjectId>,
    options: ImportOptions,
) -> Result<(ImportEdit, Report), OpenError> {
    let mut report = Report::new();
    match read(path, &mut report)? {
        Source::Document(_) => Err(OpenError::NoMotion { path: path.to_owned() }),
        Source::Bvh(parsed) => {
            let edit = plan_import(document, parsed, &stem(path), selected, options, &mut report);
            Ok((edit, report))
        }
    }
}

enum Source {
    Document(Box<Document>),
    Bvh(BvhFile),
}

fn read(path: &Path, report: &mut Report) -> Result<Source, OpenError> {
    let text = text::decode(file::read(path)?, report);
    let path = || path.to_owned();
    match FileKind::of_name(&path()).or_else(|| FileKind::of_text(&text)) {
        Some(FileKind::Ron) => match ron::load(&text) {
            Ok(document) => Ok(Source::Document(Box::new(document))),
            Err(error) => Err(OpenError::Ron { error: Box::new(error), path: path() }),
        },
        Some(FileKind::Bvh) => match bvh::parse(text.as_bytes(), report) {
            Ok(parsed) => Ok(Source::Bvh(parsed)),
            Err(error) => Err(OpenError::Bvh { error, path: path() }),
        },
        None => Err(OpenError::UnknownKind { path: path() }),
    }
}

/// The name of a motion file without folder and extension: what its rig and clip are called.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "motion".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// A new document of one motion: its rig, its clip (if it has frames), its rate and range.
#[must_use]
pub fn new_document(motion: BvhMotion, name: &str) -> Document {
    let mut document = Document::default();
    let settings = Arc::make_mut(&mut document.settings);
    settings.rate = motion.rate;
    settings.play_range = frames_at(motion.rate, &motion);
    let (mut object, clip) = (object(&motion, name), clip(&motion, name, motion.rate));
    object.clip = None;
    let onto = document.add_object(object);
    if motion.frames > 0 {
        let clip = Clip { channels: channels(onto, motion.curves), ..clip };
        let id = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(id);
    }
    document
}

/// Plans an import, as one undoable step: a new clip on the selected rig, else on the only one, if it has the same joint names, parents and
/// rest offsets (the file read in that rig's unit); otherwise a new rig with its own clip. The document keeps its rate.
#[must_use]
pub fn plan_import(
    document: &Document,
    file: BvhFile,
    name: &str,
    selected: Option<ObjectId>,
    options: ImportOptions,
    report: &mut Report,
) -> ImportEdit {
    let mut rigs = document.rigs();
    let candidate = match selected.and_then(|id| Some((id, document.object(id)?.as_rig()?))) {
        Some(selected) => Some(selected),
        None => rigs.next().filter(|_| rigs.next().is_none()).map(|(id, _, rig)| (id, rig)),
    };
    let mut next_id = document.next_id;
    let mut take_id = || {
        let id = next_id;
        next_id = next_id.saturating_add(1);
        id
    };
    let rate = document.settings.rate;
    let fitting = candidate.and_then(|(id, rig)| Some((id, rig, bvh::fit(&file, rig)?)));
    let (onto, new, curves, clip) = if let Some((id, rig, joints)) = fitting {
        let motion = bvh::to_motion(file, ImportOptions { unit: Some(rig.unit), ..options }, report);
        (id, None, bvh::curves_for(&motion, &joints, &rig.skeleton), clip(&motion, name, rate))
    } else {
        let motion = bvh::to_motion(file, options, report);
        let (object, clip) = (object(&motion, name), clip(&motion, name, rate));
        (ObjectId(take_id()), Some(object), motion.curves, clip)
    };
    let clip =
        (!curves.is_empty()).then(|| (ClipId(take_id()), Arc::new(Clip { channels: channels(onto, curves), ..clip })));
    if clip.is_none() {
        report.info("no-frames", Place::Whole, "the file has no motion", "no clip is made");
    }
    let made = clip.as_ref().map(|(id, _)| *id);
    let objects = new.map(|object| (onto, Arc::new(Object { clip: made, ..object }))).into_iter().collect::<Vec<_>>();
    let play = made.filter(|_| objects.is_empty()).map(|clip| (onto, clip)).into_iter().collect();
    ImportEdit { objects, clips: clip.into_iter().collect(), play, ..ImportEdit::default() }
}

fn object(motion: &BvhMotion, name: &str) -> Object {
    Object { transform: motion.transform, ..Object::rig(name, motion.rig.clone()) }
}

/// The clip without its curves, its frames counted at a document's rate.
fn clip(motion: &BvhMotion, name: &str, rate: FrameRate) -> Clip {
    Clip { frame_time_text: motion.frame_time_text.clone(), ..Clip::new(name, frames_at(rate, motion)) }
}

fn frames_at(rate: FrameRate, motion: &BvhMotion) -> FrameRange {
    let last = i64::try_from(motion.frames.saturating_sub(1)).unwrap_or(i64::MAX);
    FrameRange::new(0, if rate == motion.rate { last } else { rate.nearest_frame(motion.rate.secs(last)) })
}

fn channels(
    object: ObjectId,
    curves: Vec<(JointId, FileChannel, Arc<Curve>)>,
) -> std::collections::BTreeMap<ChannelPath, Arc<Curve>> {
    curves
        .into_iter()
        .map(|(joint, FileChannel(property, component), curve)| {
            (ChannelPath::joint(object, joint, property, component), curve)
        })
        .collect()
}
