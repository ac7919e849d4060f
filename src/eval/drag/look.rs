//! A head that is dragged looks to where it is drawn.
//!
//! People hold their heads level while the trunk leans, and look before they move. So the face turns towards the side the
//! pointer goes to, as if it followed a point some way ahead that moves with the pointer; neck and spine take their part of
//! that turn, and what the lean of the trunk would tilt the face is mostly taken back. All of it is a smooth function of the
//! target, nothing at the press, and never more than a quarter turn.

use super::{Drag, Head, Orientation, plan::Plan, pose::Pose};
use crate::eval::limbs::Role;
use crate::math::{Quat, Vec3, rotation::shortest_arc};
use std::f64::consts::PI;

/// How far ahead the point is that the face follows, a share of the way from the hips to the head.
const AHEAD: f64 = 0.5;
/// The share of the turn that the spine takes, all its joints together.
const SPINE: f64 = 0.15;
/// The share that the neck takes below the head.
const NECK: f64 = 0.35;
/// How much of the tilt that comes from the trunk the head takes back.
const LEVEL: f64 = 0.75;
/// From this tilt on, radians, it takes back ever less.
const FAR: f64 = 2.0;

/// Whether the head is dragged and looks.
pub(super) fn looks(drag: &Drag<'_>) -> bool {
    let options = &drag.input.options;
    let is_head = drag.input.limbs.head == Some(drag.input.joint) && matches!(drag.plan, Plan::Trunk { .. });
    is_head && options.head == Head::Looks && options.orientation == Orientation::Auto
}

/// The turn of the face in the world for a target of the head; none where it does not look.
pub(super) fn turn(drag: &Drag<'_>, target: &Vec3) -> Option<Quat> {
    let Plan::Trunk { path, .. } = &drag.plan else { return None };
    if !looks(drag) {
        return None;
    }
    let gaze = gaze(drag);
    let by = target - drag.start();
    let aside = by - gaze * by.dot(&gaze);
    let ahead = AHEAD * drag.pressed.length(path);
    (ahead > 0.0).then(|| shortest_arc(&gaze, &(gaze * ahead + aside)))
}

/// Where the face looks at the press, world, unit.
fn gaze(drag: &Drag<'_>) -> Vec3 {
    let limbs = drag.input.limbs;
    if limbs.by_posed {
        return super::anatomy::body_frame(&drag.pressed, limbs, Role::Arm).forward;
    }
    let rest = Pose::new(drag.input.tree, drag.input.rest, &drag.input.root);
    let head = drag.input.joint;
    drag.pressed.rotation(head) * rest.rotation(head).inverse() * (rest.above_all() * limbs.frame.forward)
}

/// Turns neck and spine by their part of the face's turn, `path` being all of them with the head.
pub(super) fn turn_neck(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize], look: &Quat) {
    let limbs = drag.input.limbs;
    let Some((_, turning)) = path.split_last() else { return };
    let in_neck = |joint: &usize| limbs.of_role(Role::Neck).any(|neck| neck.joints.contains(joint));
    let necks = turning.iter().filter(|joint| in_neck(joint)).count();
    let spines = turning.len() - necks;
    let turn = look.scaled_axis();
    let mut done = 0.0;
    let mut rotations = Vec::with_capacity(turning.len());
    for joint in turning {
        let (share, among) = if in_neck(joint) { (NECK, necks) } else { (SPINE, spines) };
        done += share / count(among);
        rotations.push(Quat::from_scaled_axis(turn * done) * pose.rotation(*joint));
    }
    pose.set_rotations(turning, &rotations);
}

#[expect(clippy::cast_precision_loss, reason = "vertebrae")]
fn count(of: usize) -> f64 {
    of.max(1) as f64
}

/// The rotation of the head in the world once the trunk has come to the target.
pub(super) fn level(drag: &Drag<'_>, pose: &Pose<'_>, head: usize, look: &Quat) -> Quat {
    let carried = pose.rotation(head);
    let upright = look * drag.pressed.rotation(head);
    let back = (upright * carried.inverse()).scaled_axis();
    // Half a turn could be taken back either way: there nothing is.
    let beyond = ((back.norm() - FAR) / (PI - FAR)).clamp(0.0, 1.0);
    let share = LEVEL * (1.0 - beyond * beyond * (3.0 - 2.0 * beyond));
    Quat::from_scaled_axis(back * share) * carried
}
