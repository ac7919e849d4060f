//! Followers: objects on a path, at a distance along it.

mod path;
mod travel;

pub use path::{PathFrame, places, segments};
pub use travel::{Travel, driven_by, has_say};

use crate::{
    eval::{
        constraint::{Stand, held, numbers, object_to, solved_space},
        pipeline::ObjectFrame,
    },
    math::{
        Affine, Mat3, Quat, Transform, Vec3,
        path::{frame, upright},
        rotation::{from_axis_angle, slerp},
    },
    model::{ConstraintId, Document, Follow, FollowOrientation, Forward, ObjectId},
};
use std::collections::BTreeMap;

/// A follower at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowReport {
    /// The object that follows.
    pub object: ObjectId,
    /// Its constraint.
    pub constraint: ConstraintId,
    /// The path object.
    pub path: ObjectId,
    /// The distance as its channels say it, metres.
    pub wanted: f64,
    /// The distance on the path, metres.
    pub distance: f64,
    /// The place on the path.
    pub at: Vec3,
}

/// Puts an object where its constraints say: its place in the world after them, and what is said of each. Constraints that are
/// off, or whose path is not solved yet or has no segments, leave it.
#[must_use]
pub fn constrained(
    document: &Document,
    id: ObjectId,
    secs: f64,
    (world, local): (Affine, &Transform),
    solved: &BTreeMap<ObjectId, ObjectFrame>,
) -> (Affine, Vec<FollowReport>) {
    let (mut world, mut reports) = (world, Vec::new());
    let constraints = document.object(id).map(|object| object.constraints.as_slice()).unwrap_or_default();
    for constraint in constraints.iter().filter(|constraint| !constraint.muted && constraint.joint.is_none()) {
        let (weight, source) = numbers(document, id, constraint, secs);
        if weight <= 0.0 {
            continue;
        }
        let Some(follow) = constraint.as_follow() else {
            let own = Stand::of(&world);
            let find = |space| solved_space(document, solved, space);
            if let Some(to) = held(&constraint.kind, &own, source, &find) {
                world = object_to(&world, &own, &own.toward(&to, weight));
            }
            continue;
        };
        let Some(path) = solved.get(&follow.path).and_then(|frame| frame.path.as_ref()) else { continue };
        let Some(travel) = Travel::new(document, id, constraint.id, path.curve.length()) else { continue };
        let wanted = travel.shown(document, id, constraint.id, secs);
        let distance = path.on_path(wanted);
        let Some(parameter) = path.curve.parameter_at(distance) else { continue };
        let Some(at) = path.curve.point(parameter) else { continue };
        let turned = orientation(follow, path, parameter, distance);
        world = placed(&world, local, at, turned, weight);
        reports.push(FollowReport { object: id, constraint: constraint.id, path: follow.path, wanted, distance, at });
    }
    (world, reports)
}

/// How a follower is turned at a parameter of its path, which is at this distance; none where it keeps its own rotation.
#[must_use]
pub fn orientation(follow: &Follow, path: &PathFrame, parameter: f64, distance: f64) -> Option<Quat> {
    let upward = match follow.orientation {
        FollowOrientation::Fixed => return None,
        FollowOrientation::Tangent => {
            let (_, along) = path.curve.way(parameter)?;
            let length = path.curve.length();
            let part = if length > 0.0 { distance / length } else { 0.0 };
            from_axis_angle(&along, part * follow.twist) * frame(&along, &upright(&along, &follow.up))
        }
        FollowOrientation::Minimal => {
            path.frames().rotation(&path.curve, parameter, distance, &follow.up, follow.twist)
        }
    };
    Some(match follow.forward {
        Forward::Front => upward,
        // Half a turn about up: -Z along the path.
        Forward::Back => upward * from_axis_angle(&Vec3::y(), std::f64::consts::PI),
    })
}

/// An object brought to a place, and turned where a rotation is given: its own rotation and scale come after it.
fn placed(world: &Affine, local: &Transform, at: Vec3, turned: Option<Quat>, weight: f64) -> Affine {
    let translation = if weight == 1.0 { at } else { world.translation.lerp(&at, weight) };
    let Some(turned) = turned else { return Affine { linear: world.linear, translation } };
    let wanted: Mat3 = turned.to_rotation_matrix().matrix() * local.to_affine().linear;
    if weight == 1.0 {
        return Affine { linear: wanted, translation };
    }
    let before = world.rotation();
    let goal = Affine { linear: wanted, translation }.rotation();
    let step = slerp(&before, &goal, weight) * before.inverse();
    Affine { linear: step.to_rotation_matrix().matrix() * world.linear, translation }
}
