//! Which way knees and elbows bend, from the body as it stands.

use super::pose::Pose;
use crate::eval::ik::bend::{across, unit};
use crate::eval::limbs::{BodyFrame, Limb, Limbs, Role, Side};
use crate::math::{Quat, Vec3};
use crate::{eval::ik::shortest_arc, math::rotation::perpendicular};

/// A direction of comfort and the bend there. Bend planes are carried to other directions from it by the shortest arc,
/// so that the one place where that is not determined, straight opposite, is out of the way of every natural pose.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval) struct Comfort {
    /// Direction from the limb's root to its end, unit.
    pub(in crate::eval) direction: Vec3,
    /// Direction to which the limb bulges there, unit and across; none where anatomy says nothing.
    pub(in crate::eval) bulge: Option<Vec3>,
}

impl Comfort {
    /// The turn that carries bend planes from this direction to another.
    pub(in crate::eval) fn carry(&self, to: &Vec3) -> Quat {
        let side = self.bulge.unwrap_or_else(|| perpendicular(&self.direction));
        shortest_arc(&self.direction, to, &self.direction.cross(&side))
    }
}

/// The comfort of a limb of this body, which stands as posed; `chord` is the limb's own direction.
pub(in crate::eval) fn comfort(pose: &Pose<'_>, limbs: &Limbs, limb: &Limb, chord: &Vec3) -> Comfort {
    let frame = body_frame(pose, limbs, limb.role);
    let outward = match limb.side {
        Side::Left => frame.left,
        Side::Right => -frame.left,
        Side::Middle => Vec3::zeros(),
    };
    let fore =
        limbs.four_legged && limb.role == Role::Leg && limbs.chest.is_some_and(|chest| hangs_from(pose, limb, chest));
    let (neutral, bulge, direction) = match limb.role {
        Role::Leg if fore => (-frame.up, -frame.forward, -frame.up),
        Role::Leg => (-frame.up, frame.forward, frame.forward * 0.5 - frame.up),
        Role::Arm if limb.side != Side::Middle => (outward, -frame.forward, outward + frame.forward - frame.up * 0.5),
        _ => return Comfort { direction: *chord, bulge: None },
    };
    let Some(direction) = unit(&direction, 0.0) else { return Comfort { direction: *chord, bulge: None } };
    let carried = shortest_arc(&neutral, &direction, &bulge) * bulge;
    Comfort { direction, bulge: unit(&across(&carried, &direction), 1e-6) }
}

/// A limb bent by less than this share of its length at rest (about 10 degrees) has the bend of its role where the two
/// disagree: a rest pose is seldom drawn so well that a degree against the joint means anything.
const FAINT: f64 = 0.045;
/// Cosine of the angle from which on they disagree.
const DISAGREE: f64 = 0.2;

/// The way the limb bulges at rest, turned with the joint it hangs by into the pose: what the user has said, else the way
/// it is bent at rest; none where it is straight, or hardly bent and that against its role.
pub(in crate::eval) fn bulge_at_rest(
    rest: &Pose<'_>,
    pose: &Pose<'_>,
    limbs: &Limbs,
    limb: &Limb,
    middle: usize,
) -> Option<Vec3> {
    let turn = pose.rotation(limb.root()) * rest.rotation(limb.root()).inverse();
    let (root, end) = (rest.position(limb.root()), rest.position(limb.end()));
    if let Some(said) = limbs.bends.get(&limb.end()) {
        return Some(turn * rest.above_all() * said);
    }
    let to_middle = rest.position(middle) - root;
    let chord = unit(&(end - root), 1e-9)?;
    let size = to_middle.norm() + (end - rest.position(middle)).norm();
    let side = across(&to_middle, &chord);
    let bulge = unit(&side, 5e-3 * size)?;
    let comfort = comfort(rest, limbs, limb, &chord);
    let role = comfort.bulge.and_then(|bulge| unit(&across(&(comfort.carry(&chord) * bulge), &chord), 1e-6));
    let faint = side.norm() < FAINT * size && role.is_some_and(|role| role.dot(&bulge) < DISAGREE);
    (!faint).then(|| turn * bulge)
}

/// The joints whose places say how a body stands: what [`comfort`] reads besides the limb itself.
pub(in crate::eval) fn landmarks(limbs: &Limbs) -> Vec<usize> {
    let roots = [Role::Arm, Role::Leg].into_iter().flat_map(|role| limbs.of_role(role).map(Limb::root));
    roots.chain([limbs.hips, limbs.chest, limbs.head].into_iter().flatten()).collect()
}

fn hangs_from(pose: &Pose<'_>, limb: &Limb, joint: usize) -> bool {
    pose.path_between(joint, limb.root()).is_some()
}

/// The frame of the hips for legs, of the chest for arms, in this pose.
pub(in crate::eval) fn body_frame(pose: &Pose<'_>, limbs: &Limbs, role: Role) -> BodyFrame {
    let across_of = |role: Role| {
        let (left, right) = (limbs.limb(role, Side::Left)?, limbs.limb(role, Side::Right)?);
        Some((pose.position(left.root()), pose.position(right.root())))
    };
    let legs = across_of(Role::Leg);
    let low = legs.map(|(l, r)| (l + r) * 0.5).or_else(|| limbs.hips.map(|j| pose.position(j)));
    let high = limbs.chest.or(limbs.head).map(|j| pose.position(j));
    let own = across_of(role).or(legs).or_else(|| across_of(Role::Arm));
    let found = match (low, high, own) {
        (Some(low), Some(high), Some((left, right))) if !limbs.four_legged => {
            let (up, left) = (high - low, left - right);
            BodyFrame::new(&up, &left.cross(&up))
        }
        (Some(low), Some(high), Some((left, right))) => {
            // The trunk of a four-legged animal lies forward.
            let (forward, left) = (high - low, left - right);
            BodyFrame::new(&forward.cross(&left), &forward)
        }
        _ => None,
    };
    found.unwrap_or(limbs.frame)
}
