//! Which figures the 3D view shows: what takes them out of it brings the view after them; and going with one that travels.

use crate::{
    app::window::App, eval::EvaluatedFrame, interact::blend_space::moves_no_handle, math::Vec3, model::ObjectId,
};
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

    /// Takes the view along over the ground with the character in question, where that is wanted; when it begins the character
    /// comes to stand in the middle. While a handle of the view is dragged the view stands.
    pub(in crate::app) fn go_with_character(&mut self, frame: &EvaluatedFrame) {
        if !self.state.view.viewport.follow {
            self.went_with = None;
            return;
        }
        let document = self.state.session.document();
        let is_rig = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_rig().is_some());
        let active = self.state.session.selection().active.map(|target| target.object()).filter(is_rig);
        let Some(object) = active.or_else(|| document.rigs().next().map(|(id, ..)| id)) else { return };
        let Some(root) = frame.joint_world(object, 0).map(|world| world.translation) else { return };
        let place = Vec3::new(root.x, 0.0, root.z);
        let (camera, held) = (self.state.view.camera, self.state.session.gesture_label());
        let by = match self.went_with.replace((object, place)) {
            None => Vec3::new(place.x - camera.pivot.x, 0.0, place.z - camera.pivot.z),
            Some((before, from)) if before == object && held.is_none_or(moves_no_handle) => place - from,
            Some(_) => return,
        };
        if by.iter().all(|v| v.is_finite()) && by != Vec3::zeros() {
            self.state.view.camera = camera.carried(by);
            self.state.view.carried += by;
        }
    }
}
