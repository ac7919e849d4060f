//! Documents made of motion files, and the positions they show.

use inbetween::eval::fk::model_from_locals;
use inbetween::eval::sample::rig_pose;
use inbetween::io::bvh::{self, BvhError, BvhFile, ExportOptions, ImportOptions};
use inbetween::io::{open, report::Report};
use inbetween::math::Affine;
use inbetween::model::{Document, ObjectId, Rig};
use inbetween::progress::Progress;
use std::sync::Arc;

/// A document of a BVH text, as opening its file makes it.
pub(crate) fn document_of(text: &str, options: ImportOptions) -> Result<(Document, Report), BvhError> {
    let mut report = Report::new();
    let parsed = bvh::parse(text.as_bytes(), &mut report)?;
    Ok((open::new_document(bvh::to_motion(parsed, options, &mut report), "test"), report))
}

/// The only rig of a document.
pub(crate) fn only_rig(document: &Document) -> (ObjectId, &Arc<Rig>) {
    let (id, _, rig) = document.rigs().next().expect("a rig");
    (id, rig)
}

/// Where the joints of the only rig are inside it at a frame, metres.
pub(crate) fn model_at(document: &Document, frame: i64) -> Vec<Affine> {
    let (id, rig) = only_rig(document);
    let pose = rig_pose(document, id, document.settings.rate.secs(frame)).expect("a pose");
    let mut model = Vec::new();
    model_from_locals(rig.skeleton.tree(), &pose, &Affine::IDENTITY, &mut model);
    model
}

/// The only rig as a neutral BVH file.
pub(crate) fn exported(document: &Document, options: ExportOptions) -> (BvhFile, Report) {
    let mut report = Report::new();
    let file = bvh::export(document, only_rig(document).0, options, &Progress::new(), &mut report).expect("an export");
    (file, report)
}
