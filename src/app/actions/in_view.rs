//! Which figures the 3D view shows: what takes them out of it brings the view after them.

use crate::{app::window::App, model::ObjectId};
use std::collections::BTreeSet;

/// How far around its pivot a view reaches at least, metres.
const AROUND: f64 = 10.0;

impl App {
    /// The figures of which the 3D view shows a joint; none while it looks through a camera object, which stays where it is.
    pub(in crate::app) fn rigs_in_view(&self) -> BTreeSet<ObjectId> {
        let size = self.dock.view.size();
        if self.state.view.through.is_some() || !(size.x > 0.0 && size.y > 0.0) {
            return BTreeSet::new();
        }
        let size = [f64::from(size.x), f64::from(size.y)];
        let view = self.state.view.camera.view(size, AROUND);
        let frame = self.state.evaluator.frame(self.state.session.document(), self.state.view.secs);
        let is_seen = |at: &crate::math::Vec3| {
            view.project(at).is_some_and(|[x, y]| (0.0..=size[0]).contains(&x) && (0.0..=size[1]).contains(&y))
        };
        let rigs = frame.objects.iter().filter_map(|(id, placed)| Some((*id, placed.world, placed.rig.as_ref()?)));
        let seen =
            rigs.filter(|(_, world, rig)| rig.model.iter().any(|joint| is_seen(&world.point(&joint.translation))));
        seen.map(|(id, ..)| id).collect()
    }

    /// Brings the view to everything where one of these figures is no longer in it.
    pub(in crate::app) fn follow_rigs(&mut self, before: &BTreeSet<ObjectId>) {
        let now = self.rigs_in_view();
        let document = self.state.session.document();
        if before.iter().any(|id| document.object(*id).is_some() && !now.contains(id)) {
            self.state.frame_all = true;
        }
    }
}
