//! Export as BVH: which rig, which unit, then which file.

use super::files::failed;
use crate::{
    app::{jobs::JobKind, questions::Question, state::JobResult, window::App},
    io::{
        bvh::{ExportOptions, export_measured},
        file,
        gltf::{self, DeformersOut, GltfExport, GltfLayout},
        obj::{self, ObjExport},
        open::{FileKind, stem},
        report::Report,
    },
    math::EulerOrder,
    model::{Document, FrameRate, LengthUnit, ObjectId},
    progress::Progress,
};
use std::path::{Path, PathBuf};

/// What is to be written.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct ExportChoice {
    /// The rig.
    pub(in crate::app) object: ObjectId,
    /// The unit of lengths; none for the rig's own.
    pub(in crate::app) unit: Option<LengthUnit>,
    /// Frames a second, as typed.
    pub(in crate::app) rate: String,
    /// The play range only, not the whole clip.
    pub(in crate::app) play_range: bool,
    /// The order of all turns; none for each joint's own.
    pub(in crate::app) order: Option<EulerOrder>,
    /// Position channels for roots only.
    pub(in crate::app) root_translation_only: bool,
    /// Decimals, as typed; empty for as many as it takes.
    pub(in crate::app) digits: String,
    /// The length of End Sites, millimetres, as typed; empty for their own.
    pub(in crate::app) end_length: String,
}

impl ExportChoice {
    /// All of an object's motion as it is, in the unit it came in.
    pub(in crate::app) fn new(document: &Document, object: ObjectId) -> Self {
        Self {
            object,
            unit: None,
            rate: document.settings.rate.to_string(),
            play_range: false,
            order: None,
            root_translation_only: false,
            digits: String::new(),
            end_length: String::new(),
        }
    }

    /// The options, and how many decimals.
    pub(super) fn options(&self, document: &Document) -> (ExportOptions, Option<u8>) {
        let own = document.settings.rate;
        let options = ExportOptions {
            clip: None,
            range: self.play_range.then_some(document.settings.play_range),
            // The text of the document's own rate is short of digits: only another one counts.
            rate: FrameRate::parse(&self.rate).filter(|_| self.rate.trim() != own.to_string()),
            unit: self.unit,
            order: self.order,
            root_translation_only: self.root_translation_only,
            end_length: positive(&self.end_length).map(|millimetres| millimetres / 1e3),
        };
        (options, self.digits.trim().parse().ok().filter(|digits| *digits <= 17))
    }
}

/// A typed number above 0.
pub(in crate::app) fn positive(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0)
}

/// How closely glTF is to be written, as typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct GltfChoice {
    /// Millimetres.
    pub(in crate::app) millimetres: String,
    /// Degrees.
    pub(in crate::app) degrees: String,
    /// All influences of a vertex, not only the four largest.
    pub(in crate::app) all_influences: bool,
    /// Data and pictures in files beside it.
    pub(in crate::app) split: bool,
    /// What becomes of deformer stacks.
    pub(in crate::app) deformers: DeformersOut,
    /// How far a vertex of a baked stack may be off, millimetres.
    pub(in crate::app) shape_millimetres: String,
    /// What dual quaternions do differently is baked too.
    pub(in crate::app) bake_dual: bool,
}

impl Default for GltfChoice {
    fn default() -> Self {
        Self {
            millimetres: "0.1".to_owned(),
            degrees: "0.05".to_owned(),
            all_influences: false,
            split: false,
            deformers: DeformersOut::Bake,
            shape_millimetres: "0.5".to_owned(),
            bake_dual: false,
        }
    }
}

impl GltfChoice {
    /// The options, where the numbers are above 0.
    pub(in crate::app) fn options(&self) -> Option<GltfExport> {
        Some(GltfExport {
            tolerance: positive(&self.millimetres)? / 1e3,
            tolerance_angle: positive(&self.degrees)?.to_radians(),
            all_influences: self.all_influences,
            // The stem is that of the file, once it is chosen.
            layout: if self.split { GltfLayout::Split { stem: String::new() } } else { GltfLayout::Binary },
            deformers: self.deformers,
            shape_tolerance: positive(&self.shape_millimetres)? / 1e3,
            bake_dual: self.bake_dual,
        })
    }
}

impl App {
    /// Asks how closely to export glTF.
    pub(in crate::app) fn ask_gltf(&mut self) {
        self.state.question = Some(Question::ExportGltf(GltfChoice::default()));
    }

    /// Writes everything as glTF: binary, or text where the name says so.
    pub(in crate::app) fn write_gltf(&mut self, path: PathBuf, ctx: &egui::Context) {
        let Some(options) = self.state.gltf_export.take() else { return };
        let document = self.state.session.base().clone();
        let layout = match (FileKind::of_name(&path), &options.layout) {
            (Some(FileKind::Gltf), GltfLayout::Split { .. }) => GltfLayout::Split { stem: stem(&path) },
            (Some(FileKind::Gltf), _) => GltfLayout::Embedded,
            _ => GltfLayout::Binary,
        };
        let options = GltfExport { layout, ..options };
        self.start(JobKind::Export, ctx, move |progress| {
            let result = gltf_written(&document, options, &path, progress);
            JobResult::Exported(vec![(path, result)])
        });
    }

    /// Writes the meshes as they are now as OBJ, in metres.
    pub(in crate::app) fn write_obj(&mut self, path: PathBuf, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        let options = ObjExport { secs: self.state.view.secs, unit: LengthUnit::Metre, stem: stem(&path) };
        self.start(JobKind::Export, ctx, move |progress| {
            let result = obj_written(&document, &options, &path, progress);
            JobResult::Exported(vec![(path, result)])
        });
    }

    /// Asks what to export.
    pub(in crate::app) fn ask_export(&mut self, _ctx: &egui::Context) {
        let Some(object) = self.rig_in_question() else { return };
        self.state.question = Some(Question::Export(ExportChoice::new(self.state.session.document(), object)));
    }

    /// Writes motion as it was chosen.
    pub(in crate::app) fn write_motion(&mut self, path: PathBuf, ctx: &egui::Context) {
        let Some(choice) = self.state.export.take() else { return };
        let document = self.state.session.base().clone();
        let options = choice.options(&document);
        self.start(JobKind::Export, ctx, move |progress| {
            let result = bvh_written(&document, choice.object, options, &path, progress);
            JobResult::Exported(vec![(path, result)])
        });
    }

    /// Says how an export went, file by file.
    pub(in crate::app) fn exported(&mut self, files: Vec<(PathBuf, Result<Report, String>)>) {
        for (path, result) in files {
            match result {
                Ok(report) => {
                    self.state.written += 1;
                    self.report(&report, "file.exported", &path);
                }
                Err(error) => self.state.tell(failed("file.not_exported", &path, &error)),
            }
        }
    }
}

/// Writes everything as glTF, with the files beside it.
pub(super) fn gltf_written(
    document: &Document,
    options: GltfExport,
    path: &Path,
    progress: &Progress,
) -> Result<Report, String> {
    let mut report = Report::new();
    let written = gltf::export(document, options, progress, &mut report).map_err(|error| error.to_string())?;
    all_written(path, &written.bytes, &written.beside)?;
    Ok(report)
}

/// Writes the meshes as OBJ, with the files beside it.
pub(super) fn obj_written(
    document: &Document,
    options: &ObjExport,
    path: &Path,
    progress: &Progress,
) -> Result<Report, String> {
    let mut report = Report::new();
    let written = obj::export(document, options, progress, &mut report).map_err(|error| error.to_string())?;
    all_written(path, &written.bytes, &written.beside)?;
    Ok(report)
}

fn all_written(path: &Path, bytes: &[u8], beside: &[(String, Vec<u8>)]) -> Result<(), String> {
    let files = beside.iter().map(|(name, bytes)| (path.with_file_name(name), bytes.as_slice()));
    let files: Vec<_> = files.chain([(path.to_owned(), bytes)]).collect();
    file::write_together(&files).map_err(|error| error.to_string())
}

/// Writes an object's motion as BVH.
pub(super) fn bvh_written(
    document: &Document,
    object: ObjectId,
    (options, digits): (ExportOptions, Option<u8>),
    path: &Path,
    progress: &Progress,
) -> Result<Report, String> {
    let mut report = Report::new();
    let motion = export_measured(document, object, options, digits, progress, &mut report);
    let motion = motion.map_err(|error| error.to_string())?;
    file::write(path, &motion.bytes).map_err(|error| error.to_string())?;
    Ok(report)
}
