//! Onion skins as meshes: each ghost is the mannequin in one pose, made once and kept while pose and body are the same.

use super::{Figures, Mannequin};
use crate::{
    eval::{Evaluator, RigFrame},
    interact::onion::{GhostLook, OnionSkin},
    math::{Affine, Vec3},
    model::{Document, ObjectId},
    render::{Ghost, Mesh},
    style::{Palette, Rgba},
};
use std::{collections::VecDeque, sync::Arc};

/// How many meshes are kept: those of a few rigs with the most ghosts, while they play by.
const KEPT: usize = 96;

/// What ghosts are made from.
#[derive(Clone, Copy, Debug)]
pub struct GhostsOf<'a> {
    /// The document.
    pub document: &'a Document,
    /// For poses at other times.
    pub evaluator: &'a Evaluator,
    /// The present, seconds.
    pub secs: f64,
    /// What is shown.
    pub onion: OnionSkin,
    /// The colours.
    pub palette: &'a Palette,
}

#[derive(Debug)]
struct Kept {
    mannequin: Arc<Mannequin>,
    world: Affine,
    frame: Arc<RigFrame>,
    mesh: Arc<Mesh>,
}

/// The meshes of ghosts, the least recently used first.
#[derive(Debug, Default)]
pub struct Ghosts {
    kept: VecDeque<Kept>,
}

impl Ghosts {
    /// The ghosts of some rigs, those nearest in time first.
    pub fn of(
        &mut self,
        of: &GhostsOf<'_>,
        rigs: impl IntoIterator<Item = ObjectId>,
        figures: &mut Figures,
    ) -> Vec<Ghost> {
        if !of.onion.on {
            return Vec::new();
        }
        let mut ghosts = Vec::new();
        for object in rigs {
            let mannequin = figures.get(of.document, object);
            let now = of.evaluator.rig_preview(of.document, object, of.secs);
            let now = now.zip(of.evaluator.object_world(of.document, object, of.secs));
            for time in of.onion.times(of.document, object, of.secs) {
                let frame = of.evaluator.rig_preview(of.document, object, time.secs);
                let Some((frame, world)) = frame.zip(of.evaluator.object_world(of.document, object, time.secs)) else {
                    continue;
                };
                // What stands still has no ghosts: they would only make its edges shimmer.
                if now.as_ref().is_some_and(|(present, at)| stands_as(present, &frame) && *at == world) {
                    continue;
                }
                let tint = if time.past { of.palette.past } else { of.palette.future };
                let color = tint.faded(f64::from(of.onion.sane().strength) / 100.0 * time.share);
                let mesh = self.mesh(&mannequin, &frame, world);
                ghosts.push((time, Ghost { mesh, color, flat: of.onion.look == GhostLook::Silhouette }));
            }
        }
        ghosts.sort_by(|(a, _), (b, _)| (a.secs - of.secs).abs().total_cmp(&(b.secs - of.secs).abs()));
        ghosts.into_iter().map(|(_, ghost)| ghost).collect()
    }

    /// One rig in the pose of a document at a time, in a colour, moved aside in the world; none where it is no rig.
    pub fn beside(
        &mut self,
        (document, evaluator): (&Document, &Evaluator),
        (object, secs): (ObjectId, f64),
        aside: Vec3,
        color: Rgba,
        figures: &mut Figures,
    ) -> Option<Ghost> {
        let mannequin = figures.get(document, object);
        let frame = evaluator.rig_preview(document, object, secs)?;
        let world = evaluator.object_world(document, object, secs)?;
        let world = Affine { translation: world.translation + aside, ..world };
        Some(Ghost { mesh: self.mesh(&mannequin, &frame, world), color, flat: false })
    }

    /// One rig in the pose of a document at a time, in a colour; none where it is no rig or stands as in `present`.
    pub fn one(
        &mut self,
        (document, evaluator): (&Document, &Evaluator),
        (object, secs): (ObjectId, f64),
        present: Option<&RigFrame>,
        color: Rgba,
        figures: &mut Figures,
    ) -> Option<Ghost> {
        let mannequin = figures.get(document, object);
        let frame = evaluator.rig_preview(document, object, secs)?;
        let world = evaluator.object_world(document, object, secs)?;
        if present.is_some_and(|present| stands_as(present, &frame)) {
            return None;
        }
        Some(Ghost { mesh: self.mesh(&mannequin, &frame, world), color, flat: false })
    }

    fn mesh(&mut self, mannequin: &Arc<Mannequin>, frame: &Arc<RigFrame>, world: Affine) -> Arc<Mesh> {
        // A pose that an edit elsewhere left as it was is another value with the same numbers.
        let is_it = |kept: &Kept| {
            Arc::ptr_eq(&kept.mannequin, mannequin)
                && kept.world == world
                && (Arc::ptr_eq(&kept.frame, frame) || kept.frame.model == frame.model)
        };
        if let Some(index) = self.kept.iter().rposition(is_it)
            && let Some(found) = self.kept.remove(index)
        {
            let mesh = found.mesh.clone();
            self.kept.push_back(Kept { frame: frame.clone(), ..found });
            return mesh;
        }
        let parts = mannequin.parts.iter();
        let placed = parts.filter_map(|part| Some((&part.mesh, world * *frame.model.get(part.joint)?)));
        let mesh = Arc::new(Mesh::merged(placed));
        if self.kept.len() >= KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Kept { mannequin: mannequin.clone(), world, frame: frame.clone(), mesh: mesh.clone() });
        mesh
    }
}

/// Whether two poses look the same: one may be of single precision.
fn stands_as(a: &RigFrame, b: &RigFrame) -> bool {
    const UNSEEN: f64 = 1e-5;
    let same = |(a, b): (&Affine, &Affine)| {
        (a.linear - b.linear).amax() <= UNSEEN
            && (a.translation - b.translation).amax() <= UNSEEN * a.translation.amax().max(1.0)
    };
    a.model.len() == b.model.len() && a.model.iter().zip(&b.model).all(same)
}
