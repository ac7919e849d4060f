//! Opening files as documents, and importing motion into a document there is.

use super::bvh::{self, BvhError, BvhFile, BvhMotion, ImportOptions};
use super::file::{self, FileError};
use super::foreign::foreign;
use super::gltf::{self, GltfError, GltfParts};
use super::obj::{self, ObjError};
use super::report::{Place, Report};
use super::{ron, text};
use crate::edit::ImportEdit;
use crate::eval::size::skeleton_size;
use crate::model::{
    ChannelPath, Clip, ClipId, Curve, Document, FileChannel, FrameRange, FrameRate, JointId, LengthUnit, Object,
    ObjectId, Target,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kinds of file that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A document of our own.
    Ron,
    /// BVH motion.
    Bvh,
    /// glTF as text, its data within it or beside it.
    Gltf,
    /// glTF as one binary file.
    Glb,
    /// Wavefront OBJ: polygons alone.
    Obj,
}

impl FileKind {
    /// All kinds with the extension each has.
    pub const EXTENSIONS: [(Self, &'static str); 5] =
        [(Self::Ron, "ron"), (Self::Bvh, "bvh"), (Self::Gltf, "gltf"), (Self::Glb, "glb"), (Self::Obj, "obj")];

    /// The kind that a file's name says, in any case.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::EXTENSIONS.into_iter().find(|(_, own)| own.eq_ignore_ascii_case(extension)).map(|(kind, _)| kind)
    }

    /// The kind that a file's bytes begin like.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"glTF") {
            return Some(Self::Glb);
        }
        let start = bytes.trim_ascii_start();
        if start.starts_with(b"{") {
            return Some(Self::Gltf);
        }
        let mut report = Report::new();
        let head = text::decode(bytes.get(..bytes.len().min(1024)).unwrap_or_default().to_vec(), &mut report);
        Self::of_text(&head)
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
    /// It is no glTF file.
    #[error("cannot read it as glTF: {error}: {}", path.display())]
    Gltf {
        /// What is wrong and where.
        error: GltfError,
        /// The file.
        path: PathBuf,
    },
    /// It is no OBJ file.
    #[error("cannot read it as OBJ: {}: {error}", path.display())]
    Obj {
        /// What is wrong and where.
        error: ObjError,
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
    /// Its bytes are of another kind than its name says.
    #[error("{what}: {}", path.display())]
    Foreign {
        /// What it is instead, and what to do.
        what: String,
        /// The file.
        path: PathBuf,
    },
    /// Neither its name nor its beginning says what it is.
    #[error("it is neither a document (.ron) nor BVH motion (.bvh) nor glTF (.gltf, .glb) nor OBJ (.obj); give it the right extension: {}", path.display())]
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
        Source::Gltf(parsed, kind) => {
            let parts = gltf::to_parts(&parsed, &stem(path), Document::default().next_id, &mut report);
            let parts = parts.map_err(|error| OpenError::Gltf { error, path: path.to_owned() })?;
            Ok(Opened { document: parts.into_document(), kind, report })
        }
        Source::Obj(parsed, materials) => {
            let mut document = Document::default();
            for object in meshes(&parsed, (&stem(path), &materials), options, &mut report) {
                document.add_object(object);
            }
            Ok(Opened { document, kind: FileKind::Obj, report })
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
        Source::Gltf(parsed, _) => {
            let parts = gltf::to_parts(&parsed, &stem(path), document.next_id, &mut report);
            let parts = parts.map_err(|error| OpenError::Gltf { error, path: path.to_owned() })?;
            Ok((plan_parts(document, parts, selected, &mut report), report))
        }
        Source::Obj(parsed, materials) => {
            let found = meshes(&parsed, (&stem(path), &materials), options, &mut report);
            let ids = (document.next_id..).map(ObjectId);
            let objects = ids.zip(found).map(|(id, object)| (id, Arc::new(object))).collect();
            Ok((ImportEdit { objects, ..ImportEdit::default() }, report))
        }
    }
}

/// Plans the import of a glTF file, as one undoable step. A file of one rig that is the selected one's (else the only one's)
/// brings only its clips for it, if it has any; any other brings all it holds, its objects with their own clip. The document
/// keeps its rate.
fn plan_parts(document: &Document, parts: GltfParts, selected: Option<ObjectId>, report: &mut Report) -> ImportEdit {
    let rate = document.settings.rate;
    let clips = parts
        .clips
        .into_iter()
        .zip(parts.ends)
        .map(|((id, clip), end)| (id, Arc::new(Clip { range: gltf::range_to(end, rate), ..(*clip).clone() })));
    let clips: Vec<(ClipId, Arc<Clip>)> = clips.collect();
    let mut rigs = document.rigs();
    let candidate = match selected.and_then(|id| Some((id, document.object(id)?.as_rig()?))) {
        Some(selected) => Some(selected),
        None => rigs.next().filter(|_| rigs.next().is_none()).map(|(id, _, rig)| (id, rig)),
    };
    let mut own = parts.objects.iter().filter_map(|(id, object)| Some((*id, object.as_rig()?)));
    let only = own.next().filter(|_| own.next().is_none());
    if let (Some((onto, rig)), Some((from, other))) = (candidate, only)
        && !clips.is_empty()
        && rig.skeleton.is_like(&other.skeleton, 1e-4 * skeleton_size(&rig.skeleton))
    {
        let ids: BTreeMap<JointId, JointId> =
            other.skeleton.joints().iter().zip(rig.skeleton.joints()).map(|(from, to)| (from.id, to.id)).collect();
        report.info("same-rig", Place::Whole, "its rig is the one that is there", "only its motion is taken");
        return onto_rig(document, (from, onto), &ids, clips);
    }
    let first = clips.first().map(|(id, _)| *id);
    let objects = parts.objects.into_iter().map(|(id, object)| match object.parent {
        // What hangs on another plays what that one plays.
        None => (id, Arc::new(Object { clip: first, ..(*object).clone() })),
        Some(_) => (id, object),
    });
    ImportEdit {
        objects: objects.collect(),
        clips,
        images: parts.images,
        node_order: parts.node_order,
        play: Vec::new(),
    }
}

/// The clips of one rig's joints on another rig, whose clip the first one becomes.
fn onto_rig(
    document: &Document,
    (from, onto): (ObjectId, ObjectId),
    ids: &BTreeMap<JointId, JointId>,
    clips: Vec<(ClipId, Arc<Clip>)>,
) -> ImportEdit {
    let mut next_id = document.next_id;
    let clips = clips.into_iter().map(|(_, clip)| {
        let channels = clip.channels.iter().filter_map(|(path, curve)| {
            let Target::Joint(object, joint) = path.target else { return None };
            let target = Target::Joint(onto, *ids.get(&joint).filter(|_| object == from)?);
            let path = ChannelPath { target, ..*path };
            // A rig that holds its rotations as angles takes them from the quaternions when they are keyed.
            document.holds_form(path).then(|| (path, curve.clone()))
        });
        let id = ClipId(next_id);
        next_id = next_id.saturating_add(1);
        (id, Arc::new(Clip { channels: channels.collect(), ..(*clip).clone() }))
    });
    let clips: Vec<_> = clips.collect();
    let play = clips.first().map(|(id, _)| (onto, *id)).into_iter().collect();
    ImportEdit { clips, play, ..ImportEdit::default() }
}

enum Source {
    Document(Box<Document>),
    Bvh(BvhFile),
    Gltf(Box<gltf::GltfFile>, FileKind),
    Obj(Box<obj::ObjFile>, Vec<obj::ObjMaterial>),
}

/// The meshes of an OBJ file: it has no unit, so its lengths are metres where nothing is said.
fn meshes(
    file: &obj::ObjFile,
    (name, materials): (&str, &[obj::ObjMaterial]),
    options: ImportOptions,
    report: &mut Report,
) -> Vec<Object> {
    let metres = options.unit.map_or(1.0, LengthUnit::metres);
    obj::to_objects(file, (name, materials), (metres, options.up.to_y_up()), report)
}

/// The materials of the libraries that an OBJ file names, where they lie beside it.
fn libraries(file: &obj::ObjFile, path: &Path, report: &mut Report) -> Vec<obj::ObjMaterial> {
    let mut found = Vec::new();
    for library in file.libraries.iter().take(16) {
        let place = || Place::Part(library.clone());
        let Some(name) = Path::new(library).file_name() else { continue };
        match file::read(&path.with_file_name(name)) {
            Ok(bytes) => found.extend(obj::materials(&text::decode(bytes, report), library, report)),
            Err(error) => report.warn("materials", place(), error.to_string(), "its materials are white"),
        }
    }
    found
}

fn read(path: &Path, report: &mut Report) -> Result<Source, OpenError> {
    let bytes = file::read(path)?;
    if let Some((named, what)) = FileKind::of_name(path).and_then(|named| Some((named, foreign(&bytes, named)?))) {
        let place = if named == FileKind::Glb { Place::Byte { byte: 0 } } else { text::place_of(b"", 0) };
        let what = format!("{place}: {what}");
        return Err(OpenError::Foreign { what, path: path.to_owned() });
    }
    let kind = FileKind::of_name(path).or_else(|| bytes.starts_with(b"glTF").then_some(FileKind::Glb));
    if let Some(kind @ (FileKind::Gltf | FileKind::Glb)) = kind {
        let parsed =
            gltf::parse(&bytes, Some(path)).map_err(|error| OpenError::Gltf { error, path: path.to_owned() })?;
        return Ok(Source::Gltf(Box::new(parsed), kind));
    }
    let text = text::decode(bytes, report);
    let path = || path.to_owned();
    match FileKind::of_name(&path()).or_else(|| FileKind::of_text(&text)) {
        Some(FileKind::Ron) => match ron::load_mending(&text, report) {
            Ok(document) => Ok(Source::Document(Box::new(document))),
            Err(error) => Err(OpenError::Ron { error: Box::new(error), path: path() }),
        },
        Some(FileKind::Bvh) => match bvh::parse(text.as_bytes(), report) {
            Ok(parsed) => Ok(Source::Bvh(parsed)),
            Err(error) => Err(OpenError::Bvh { error, path: path() }),
        },
        Some(FileKind::Obj) => {
            let parsed = obj::parse(&text, report).map_err(|error| OpenError::Obj { error, path: path() })?;
            let materials = libraries(&parsed, &path(), report);
            Ok(Source::Obj(Box::new(parsed), materials))
        }
        Some(FileKind::Gltf | FileKind::Glb) | None => Err(OpenError::UnknownKind { path: path() }),
    }
}

/// The name of a motion file without folder and extension: what its rig and clip are called.
#[must_use]
pub fn stem(path: &Path) -> String {
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
