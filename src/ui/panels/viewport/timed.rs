//! An action at other lengths: the character once for each, side by side, looped from one start.

use super::picture::Around;
use crate::render::scene::Ghost;
use crate::{
    eval::Evaluator,
    interact::{
        timing::{Action, TimingView},
        viewport_desk::Shown,
    },
    math::Vec3,
    model::{Document, ObjectId},
    scene::{Figures, Ghosts},
    style::RIVALS,
};
use std::sync::Arc;

/// How plain the figures are, 0..=1.
const STRENGTH: f64 = 0.8;
/// From a figure to the next, as a part of the present one's height.
const APART: f64 = 0.6;
/// How far above a figure its length stands, as a part of its height.
const ABOVE: f64 = 0.08;

/// An action at one length, with what remembers its poses.
#[derive(Debug)]
struct Version {
    frames: u32,
    document: Document,
    evaluator: Evaluator,
}

/// An action at other lengths, as documents to pose by: made anew when the document, the action or the lengths change.
#[derive(Debug, Default)]
pub(super) struct Timed {
    of: Option<(Arc<Document>, Action, Vec<u32>)>,
    versions: Vec<Version>,
    places: Vec<(usize, u32, Vec3)>,
}

impl Timed {
    fn renew(&mut self, document: &Arc<Document>, action: &Action, view: &TimingView) {
        let same = self.of.as_ref().is_some_and(|(known, of, lengths)| {
            Arc::ptr_eq(known, document) && of == action && *lengths == view.lengths
        });
        if same {
            return;
        }
        let version = |frames: &u32| {
            let document = action.document(document, *frames)?;
            Some(Version { frames: *frames, document, evaluator: Evaluator::beside() })
        };
        self.versions = view.lengths.iter().filter_map(version).collect();
        self.of = Some((Arc::clone(document), action.clone(), view.lengths.clone()));
    }

    /// The rigs that play the action's clip, once for each length.
    pub(super) fn ghosts(
        &mut self,
        shown: &Shown<'_>,
        around: &Around<'_>,
        (ghosts, figures): (&mut Ghosts, &mut Figures),
    ) -> Vec<Ghost> {
        self.places.clear();
        let Some((action, view)) = &around.timed else {
            *self = Self::default();
            return Vec::new();
        };
        self.renew(shown.document, action, view);
        let rigs = shown.document.rigs().map(|(id, ..)| id);
        let rigs: Vec<ObjectId> =
            rigs.filter(|id| shown.is_shown(*id) && shown.document.clip_of(*id) == Some(action.clip)).collect();
        let rate = shown.document.settings.rate;
        let mut found = Vec::new();
        for &object in &rigs {
            let Some((height, top)) = extent(shown, object) else { continue };
            let step = across(shown) * (APART * height);
            for (index, version) in self.versions.iter().enumerate() {
                let secs = view.looped(action.start, version.frames, rate, shown.frame.secs);
                let aside = step * (index as f64 + 1.0);
                let color = RIVALS[index % RIVALS.len()].faded(STRENGTH);
                let of = (&version.document, &version.evaluator);
                let Some(ghost) = ghosts.beside(of, (object, secs), aside, color, figures) else { continue };
                found.push(ghost);
                let root = version.evaluator.rig_frame(&version.document, object, secs).and_then(|frame| {
                    let world = version.evaluator.object_world(&version.document, object, secs)?;
                    Some((world * *frame.model.first()?).translation)
                });
                let Some(root) = root else { continue };
                let place = Vec3::new(root.x, top + ABOVE * height, root.z) + aside;
                self.places.push((index, version.frames, place));
            }
        }
        found
    }

    /// Which lengths are seen, by number and frames, and where in the world their names stand.
    pub(super) fn places(&self) -> &[(usize, u32, Vec3)] {
        &self.places
    }
}

/// How high the present figure is, and how high its highest joint stands, metres; none where it has no joint.
fn extent(shown: &Shown<'_>, object: ObjectId) -> Option<(f64, f64)> {
    let count = shown.frame.rig(object)?.model.len();
    let heights = (0..count).filter_map(|index| Some(shown.frame.joint_world(object, index)?.translation.y));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
    (high >= low).then(|| ((high - low).max(0.1), high))
}

/// The direction of the world in which figures stand side by side: of X and Z that which lies most across the view, to its
/// right. It changes only by quarter turns of the view, so that turning it a little describes no figure anew.
fn across(shown: &Shown<'_>) -> Vec3 {
    let right = shown.camera().right();
    if right.x.abs() >= right.z.abs() { Vec3::x() * right.x.signum() } else { Vec3::z() * right.z.signum() }
}
