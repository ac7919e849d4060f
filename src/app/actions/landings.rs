//! Squash and stretch from how a mesh falls and lands.

use super::rigging::{Done, Rigged};
use crate::{
    app::{jobs::JobKind, state::JobResult, window::App},
    edit::{
        Edit, EditError,
        deform::{add_to_stack, fitted, landing_keys},
    },
    eval::Evaluator,
    model::{Deformer, DeformerKind, Document, Object, ObjectId, ObjectKind, Parent},
    notice::Notice,
    progress::{Cancelled, Progress},
    text::t,
};

impl App {
    /// Keys the squash and stretch of the selected mesh, or that of the selected squash, by where it lands in the play range; one
    /// is made where it has none. Worked out beside the window.
    pub(in crate::app) fn squash_landings(&mut self, ctx: &egui::Context) {
        let base = self.state.session.base().clone();
        let chosen = self.state.session.selection().objects().into_iter().find_map(|id| subject(&base, id));
        let Some((mesh, squash)) = chosen else {
            return self.state.tell(Notice::info(t("deform.landings_mesh").into_owned()));
        };
        let secs = self.state.view.secs;
        self.start(JobKind::Rigging, ctx, move |progress| {
            let done = squashed(&base, (mesh, squash), secs, progress);
            JobResult::Rigged(Rigged { base, done })
        });
    }
}

fn is_squash(document: &Document, id: ObjectId) -> bool {
    let deformer = document.object(id).and_then(|object| object.as_deformer());
    deformer.is_some_and(|deformer| deformer.kind == DeformerKind::Squash)
}

/// The mesh that an object is or squashes, and what squashes it already.
fn subject(document: &Document, id: ObjectId) -> Option<(ObjectId, Option<ObjectId>)> {
    if is_squash(document, id) {
        let (mesh, _) = crate::eval::deform::deformed_by(document, id).next()?;
        return Some((mesh, Some(id)));
    }
    let mesh = document.object(id)?.as_mesh()?;
    Some((id, mesh.stack.iter().map(|entry| entry.by).find(|by| is_squash(document, *by))))
}

fn squashed(
    document: &Document,
    (mesh, squash): (ObjectId, Option<ObjectId>),
    secs: f64,
    progress: &Progress,
) -> Result<Done, EditError> {
    let mut with = document.clone();
    let (squash, added) = match squash {
        Some(squash) => (squash, None),
        None => {
            let name = t(DeformerKind::Squash.title());
            let object = Object::new(&name, ObjectKind::Deformer(Deformer::new(DeformerKind::Squash)));
            let frame = Evaluator::new().frame(document, secs);
            let meshes = [mesh];
            let object = fitted(document, &frame, (&meshes, None), object, Some(Parent::Object(mesh)));
            let (squash, edit) = add_to_stack(document, object, (&meshes, None))?;
            edit.apply(&mut with)?;
            (squash, Some(edit))
        }
    };
    let keys = landing_keys(&with, (squash, mesh), document.settings.play_range, progress);
    let keys = keys.map_err(|Cancelled| EditError::Stopped)??;
    let edit = Edit::Batch(added.into_iter().chain([keys]).collect());
    Ok(Done { label: "history.landings", edit, told: t("deform.landings_done").into_owned() })
}
