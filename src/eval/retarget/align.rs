//! Bringing the target's reference pose to the source's, so that both stand the same way before anything is transferred.
//!
//! Arms, legs and fingers are turned until their bones point where the source's do: A to T, any to any. A bent limb also
//! says which way its joint bends. Hips, trunk, collar bones and feet of two figures that stand alike differ by how they are
//! drawn, not by their pose: they are turned only where they differ by more than that. One that goes on four legs does not
//! rise on two for one that does, nor the other way about: where one trunk stands and the other lies both stay as they are.

use super::{Figure, JointMap, figure::globals};
use crate::{
    eval::{
        drag::{anatomy, pose::Pose},
        ik::bend::{across, unit},
        limbs::{BodyFrame, Limb, Role},
    },
    math::{
        Mat3, Quat, Transform, Vec3,
        rotation::{from_axis_angle, from_matrix, rotation_angle, shortest_arc},
    },
};

/// Differences of direction that are only how a trunk is drawn, radians. Figures in a first frame differ by their pose.
const DRAWN: f64 = 0.45;
/// Between a trunk that stands and one that lies there is more than this, radians.
const STANDS_OR_LIES: f64 = 0.9;
/// The share of a limb's length by which its middle must stand out for its bend to say anything, and to say all.
const BEND: (f64, f64) = (0.03, 0.08);

/// The target in the source's reference pose.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// Rotations of the target's joints in its upright space.
    pub rotations: Vec<Quat>,
    /// Positions there, metres.
    pub positions: Vec<Vec3>,
    /// The same pose, each joint in its parent's space.
    pub locals: Vec<Transform>,
    /// How far the joint that turned most was turned to get there, radians.
    pub most: f64,
}

impl Aligned {
    /// The target as it stands: both figures are taken to stand alike.
    #[must_use]
    pub fn none(target: &Figure) -> Self {
        Self {
            rotations: target.rotations.clone(),
            positions: target.positions.clone(),
            locals: target.reference.clone(),
            most: 0.0,
        }
    }
}

/// What a joint of the target is turned by.
enum Aim {
    /// Towards a direction of the source: from the joint to another, and how far off it may be.
    Along { own: Vec3, wanted: Vec3, drawn: f64, bend: Option<(Vec3, Vec3, f64)> },
    /// To this rotation.
    Whole(Quat),
    /// A foot: flat as it stands, toes to this side.
    Foot { own: Vec3, wanted: Vec3 },
}

/// Brings the target's reference pose to the source's.
#[must_use]
pub fn align(source: &Figure, target: &Figure, map: &JointMap) -> Aligned {
    let parents = target.skeleton().parents();
    let mut locals = target.reference.clone();
    for (local, rest) in locals.iter_mut().zip(&target.rest) {
        local.translation = rest.translation;
    }
    let other_kind = matches!((rise(source), rise(target)), (Some(a), Some(b)) if (a - b).abs() > STANDS_OR_LIES);
    let aims = Aims { source, target, map, other_kind };
    let mut rotations: Vec<Quat> = Vec::with_capacity(locals.len());
    let mut most = 0.0_f64;
    for joint in 0..locals.len() {
        let above = parents[joint].and_then(|parent| rotations.get(parent)).unwrap_or(&target.upright);
        let carried = above * locals[joint].rotation;
        // From the target's reference pose to where the joint has been carried.
        let turned = carried * target.rotations[joint].inverse();
        let rotation = match aims.of(joint) {
            Some(Aim::Whole(rotation)) => rotation,
            Some(Aim::Along { own, wanted, drawn, bend }) => along(&turned, own, wanted, drawn, bend) * carried,
            Some(Aim::Foot { own, wanted }) => foot(own, wanted, aims.drawn()) * target.rotations[joint],
            None => carried,
        };
        if map.of(joint).is_some() {
            most = most.max(rotation_angle(&(rotation * target.rotations[joint].inverse())));
        }
        locals[joint].rotation = above.inverse() * rotation;
        rotations.push(rotation);
    }
    let (rotations, positions) = globals(target.skeleton().tree(), &locals, &target.upright);
    Aligned { rotations, positions, locals, most }
}

/// The turn that takes a direction, after a turn it has made already, to the wanted one, and a bend with it.
fn along(turned: &Quat, own: Vec3, wanted: Vec3, drawn: f64, bend: Option<(Vec3, Vec3, f64)>) -> Quat {
    let carried = turned * own;
    if carried.angle(&wanted) <= drawn {
        return Quat::identity();
    }
    let swing = shortest_arc(&carried, &wanted);
    let Some((own, other, weight)) = bend else { return swing };
    let (Some(own), Some(other)) =
        (unit(&across(&(swing * turned * own), &wanted), 1e-6), unit(&across(&other, &wanted), 1e-6))
    else {
        return swing;
    };
    let angle = wanted.dot(&own.cross(&other)).atan2(own.dot(&other));
    from_axis_angle(&wanted, angle * weight) * swing
}

/// The turn of a foot that stands: about the vertical, and all of it where the other foot does not stand as this one does.
fn foot(own: Vec3, wanted: Vec3, drawn: f64) -> Quat {
    let flat = |v: &Vec3| Vec3::new(v.x, 0.0, v.z);
    let pitch = |v: &Vec3| v.y.atan2(v.x.hypot(v.z));
    if (pitch(&own) - pitch(&wanted)).abs() > drawn {
        return shortest_arc(&own, &wanted);
    }
    match (unit(&flat(&own), 1e-6), unit(&flat(&wanted), 1e-6)) {
        (Some(own), Some(wanted)) => from_axis_angle(&Vec3::y(), own.cross(&wanted).y.atan2(own.dot(&wanted))),
        _ => Quat::identity(),
    }
}

/// How steeply a figure's trunk rises, radians; none where it has none.
fn rise(figure: &Figure) -> Option<f64> {
    let spine = figure.limbs.of_role(Role::Spine).next()?;
    let along = figure.positions.get(spine.end())? - figure.positions.get(figure.travels())?;
    let along = unit(&along, 1e-6 * figure.size.max(1e-9))?;
    Some(along.y.clamp(-1.0, 1.0).asin())
}

struct Aims<'a> {
    source: &'a Figure,
    target: &'a Figure,
    map: &'a JointMap,
    /// Whether the one's trunk stands and the other's lies.
    other_kind: bool,
}

impl Aims<'_> {
    /// Differences that are only how a figure is drawn.
    fn drawn(&self) -> f64 {
        if self.source.by_first_frame || self.target.by_first_frame { 0.0 } else { DRAWN }
    }

    /// What a joint of the target is turned by; none goes where its parent takes it.
    fn of(&self, joint: usize) -> Option<Aim> {
        let mapping = self.map.of(joint)?;
        if mapping.share.is_some() {
            return None;
        }
        let from = mapping.source;
        if joint == self.target.travels() && from == self.source.travels() && self.target.limbs.hips.is_some() {
            return self.hips();
        }
        let limbs = &self.target.limbs;
        let own =
            limbs.limbs.iter().find(|limb| matches!(limb.role, Role::Arm | Role::Leg) && limb.joints.contains(&joint));
        if let Some(limb) = own {
            return self.of_limb(joint, from, limb);
        }
        let trunk = limbs.limbs.iter().any(|limb| {
            limb.lead.contains(&joint) || matches!(limb.role, Role::Spine | Role::Neck) && limb.joints.contains(&joint)
        });
        if trunk && self.other_kind {
            return None;
        }
        let drawn = if trunk { self.drawn() } else { 0.0 };
        // Towards the one joint under it that has a counterpart under the other's.
        let (to, other) = self.only_child(joint, from)?;
        self.along(joint, to, from, other, drawn)
    }

    fn along(&self, joint: usize, to: usize, from: usize, other: usize, drawn: f64) -> Option<Aim> {
        let (own, wanted) = self.directions(joint, to, from, other)?;
        Some(Aim::Along { own, wanted, drawn, bend: None })
    }

    /// From a joint of the target to another, and the same in the source; none where one is no direction.
    fn directions(&self, joint: usize, to: usize, from: usize, other: usize) -> Option<(Vec3, Vec3)> {
        let between = |figure: &Figure, a: usize, b: usize| {
            unit(&(figure.positions[b] - figure.positions[a]), 1e-6 * figure.size.max(1e-9))
        };
        Some((between(self.target, joint, to)?, between(self.source, from, other)?))
    }

    /// The joint that stands for what a joint is followed by, where it is followed by one that is mapped.
    fn only_child(&self, joint: usize, from: usize) -> Option<(usize, usize)> {
        let mut found = None;
        for child in self.target.skeleton().children(joint) {
            if let Some(mapping) = self.map.of(child).filter(|mapping| self.source.is_under(mapping.source, from)) {
                if found.is_some() || mapping.source == from {
                    return None;
                }
                found = Some((child, mapping.source));
            }
        }
        found
    }

    /// The hips stand as the body's frame says: turned to the same side, leaning as much as more than drawing says.
    fn hips(&self) -> Option<Aim> {
        let frame = |figure: &Figure| {
            let upright = figure.upright_affine();
            let pose = Pose::new(figure.skeleton().tree(), &figure.reference, &upright);
            let mut frame = anatomy::body_frame(&pose, &figure.limbs, Role::Leg);
            if !(frame.up.norm() > 0.5 && frame.forward.norm() > 0.5) {
                frame = BodyFrame::default();
            }
            frame
        };
        let (from, to) = (frame(self.source), frame(self.target));
        let matrix = |frame: &BodyFrame| from_matrix(&Mat3::from_columns(&[frame.left, frame.up, frame.forward]));
        let whole = matrix(&from) * matrix(&to).inverse();
        let lean = from.up.angle(&(yaw(&whole) * to.up));
        let turn = if lean > self.drawn() && !self.other_kind { whole } else { yaw(&whole) };
        Some(Aim::Whole(turn * self.target.rotations[self.target.travels()]))
    }

    fn of_limb(&self, joint: usize, from: usize, limb: &Limb) -> Option<Aim> {
        let other = self
            .source
            .limbs
            .limbs
            .iter()
            .find(|other| matches!(other.role, Role::Arm | Role::Leg) && other.joints.contains(&from))?;
        if joint == limb.end() {
            let (to, from_to) = self.only_child(joint, from)?;
            let (own, wanted) = self.directions(joint, to, from, from_to)?;
            return (limb.role == Role::Leg && other.role == Role::Leg).then_some(Aim::Foot { own, wanted });
        }
        let (Some(middle), Some(bent)) = (limb.middle, other.middle) else {
            let (to, other) = self.only_child(joint, from)?;
            return self.along(joint, to, from, other, 0.0);
        };
        if joint == limb.root() && from == other.root() {
            let (own, wanted) = self.directions(joint, middle, from, bent)?;
            return Some(Aim::Along { own, wanted, drawn: 0.0, bend: self.bend(limb, middle, other, bent) });
        }
        if joint == middle && from == bent {
            return self.along(joint, limb.end(), from, other.end(), 0.0);
        }
        None
    }

    /// The sides to which the middles stand out, target's and source's, and how much the source's says.
    fn bend(&self, limb: &Limb, middle: usize, other: &Limb, bent: usize) -> Option<(Vec3, Vec3, f64)> {
        let places = &self.source.positions;
        let chord = unit(&(places[other.end()] - places[other.root()]), 1e-9)?;
        let to_middle = places[bent] - places[other.root()];
        let length = to_middle.norm() + (places[other.end()] - places[bent]).norm();
        let side = across(&to_middle, &chord);
        let weight = ((side.norm() / length - BEND.0) / (BEND.1 - BEND.0)).clamp(0.0, 1.0);
        if !(weight > 0.0) {
            return None;
        }
        let upright = self.target.upright_affine();
        let tree = self.target.skeleton().tree();
        let rest = Pose::new(tree, &self.target.rest, &upright);
        let pose = Pose::new(tree, &self.target.reference, &upright);
        let own_chord = unit(&(pose.position(limb.end()) - pose.position(limb.root())), 1e-9)?;
        let own = anatomy::bulge_at_rest(&rest, &pose, &self.target.limbs, limb, middle).or_else(|| {
            let comfort = anatomy::comfort(&pose, &self.target.limbs, limb, &own_chord);
            Some(comfort.carry(&own_chord) * comfort.bulge?)
        })?;
        Some((own, side, weight))
    }
}

/// The part of a turn about the vertical.
fn yaw(turn: &Quat) -> Quat {
    crate::math::rotation::swing_twist(turn, &Vec3::y()).1
}
