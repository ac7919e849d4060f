//! IK chains of a rig: a joint that reaches for a target, and the joints that turn for it.
//!
//! A chain is a constraint of its last joint, so that it has its place among the constraints, an influence that blends
//! between forward (0) and inverse kinematics (1), and may be switched off without losing keys. Its target is the
//! translation of [`super::Target::Constraint`], its pole that of [`super::Target::Pole`].

use super::{
    curve::{finite, is_default},
    id::JointId,
    pin::PinSpace,
    rig::SolverKind,
    skeleton::Skeleton,
};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// How a chain reaches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IkChain {
    /// The joint that stays where it is: above the end, or elsewhere in the tree, the chain then goes through the joint that
    /// both hang on and the whole figure moves with it.
    pub base: JointId,
    /// Where the end is to be where the target has no curves, metres in its spaces.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::vector")]
    pub target: Vec3,
    /// For each axis of the world the space that the target's coordinate along it is held in: coordinate i is that of the
    /// target taken as a point of `spaces[i]`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spaces: [PinSpace; 3],
    /// Towards what it bends; none leaves the bend of the pose it starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Pole>,
    /// The solver; none is two bones in closed form, and for longer chains the one that always arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverKind>,
    /// The pose it starts from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: ChainStart,
    /// Most passes of an iterative solver, 1..=[`MOST_ITERATIONS`].
    #[serde(default = "iterations", skip_serializing_if = "is_usual_iterations")]
    pub iterations: u32,
    /// How far from the target the end may stay, as a part of the chain's length, above 0, up to 0.1.
    #[serde(default = "tolerance", skip_serializing_if = "is_usual_tolerance", deserialize_with = "finite::number")]
    pub tolerance: f64,
    /// Whether the end keeps the rotation in the world that it has without the chain; else it goes with its bone.
    #[serde(default, skip_serializing_if = "is_default")]
    pub keeps_rotation: bool,
    /// Whether the joints that it turns keep to their limits, as they do in a drag; at a part of its influence they turn from
    /// where they were to there. Else the limits are none of its business.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: bool,
}

/// A place towards which a chain bends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pole {
    /// Where it is where its channels have no curves, metres in its space.
    #[serde(deserialize_with = "finite::vector")]
    pub place: Vec3,
    /// The space it is held in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub space: PinSpace,
}

/// The pose that a chain's solver starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChainStart {
    /// What curves, corrections and what acts earlier give: keys of the joints shape the bend.
    #[default]
    Pose,
    /// The rest pose: the result depends on target and pole alone.
    Rest,
}

/// More passes than this are refused: a frame would take too long.
pub const MOST_ITERATIONS: u32 = 1000;
/// The passes of a chain that says nothing.
pub const ITERATIONS: u32 = 32;
/// The tolerance of a chain that says nothing: far below what the eye or an export sees.
pub const TOLERANCE: f64 = 1e-9;

impl IkChain {
    /// A chain from a joint to a target in the world.
    #[must_use]
    pub fn new(base: JointId, target: Vec3) -> Self {
        Self {
            base,
            target,
            spaces: [PinSpace::World; 3],
            pole: None,
            solver: None,
            start: ChainStart::Pose,
            iterations: ITERATIONS,
            tolerance: TOLERANCE,
            keeps_rotation: false,
            limits: false,
        }
    }

    /// What it looks at: the spaces of target and pole.
    #[must_use]
    pub fn looks_at(&self) -> Vec<PinSpace> {
        self.spaces.into_iter().chain(self.pole.map(|pole| pole.space)).collect()
    }

    /// What is wrong with its numbers, whatever rig it is of.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let places = self.target.iter().chain(self.pole.iter().flat_map(|pole| pole.place.iter()));
        if places.into_iter().any(|number| !number.is_finite()) {
            return Some("its target or its pole is no place");
        }
        if !(1..=MOST_ITERATIONS).contains(&self.iterations) {
            return Some("it may make 1 to 1000 passes");
        }
        (!(self.tolerance > 0.0 && self.tolerance <= 0.1)).then_some("its tolerance must be above 0, up to 0.1")
    }
}

const fn iterations() -> u32 {
    ITERATIONS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_usual_iterations(value: &u32) -> bool {
    *value == ITERATIONS
}

const fn tolerance() -> f64 {
    TOLERANCE
}

fn is_usual_tolerance(value: &f64) -> bool {
    value.to_bits() == TOLERANCE.to_bits()
}

/// The joints of a chain, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainPath {
    /// The places that the solver moves, base first, end last: each a joint. The joint at which a chain turns from going up to
    /// going down is none of them, its neighbours are joined by one bone.
    pub points: Vec<usize>,
    /// For each point the joint that turns with the bone to the next one; for the end what turns with its bone.
    pub bodies: Vec<usize>,
    /// The highest joint: the base, or the one that both hang on.
    pub top: usize,
    /// The joint without a parent that moves so that the base stays; none for a base above its end.
    pub carrier: Option<usize>,
}

impl ChainPath {
    /// The path from a joint to another of the same tree; none where they are one, or do not hang together.
    #[must_use]
    pub fn new(skeleton: &Skeleton, base: JointId, end: JointId) -> Option<Self> {
        let (base, end) = (skeleton.index_of(base)?, skeleton.index_of(end)?);
        let parents = skeleton.parents();
        let above = |joint: usize| -> Vec<usize> {
            let up = |at: &usize| parents.get(*at).copied().flatten().filter(|parent| parent < at);
            std::iter::successors(Some(joint), up).collect()
        };
        let (of_base, mut of_end) = (above(base), above(end));
        let top = *of_base.iter().find(|joint| of_end.contains(joint))?;
        let up: Vec<usize> = of_base.iter().copied().take_while(|joint| *joint != top).collect();
        of_end.truncate(of_end.iter().position(|joint| *joint == top)?);
        let down: Vec<usize> = of_end.into_iter().rev().collect();
        if base == end {
            return None;
        }
        if up.is_empty() {
            let points: Vec<usize> = std::iter::once(top).chain(down).collect();
            return Some(Self { bodies: points.clone(), points, top, carrier: None });
        }
        let carrier = of_base.last().copied();
        let turned = up.iter().skip(1).copied().chain([top]).chain(down.iter().copied());
        let mut bodies: Vec<usize> = turned.collect();
        let mut points = up;
        if down.is_empty() {
            points.push(top);
            bodies.push(top);
        } else {
            points.extend(down);
        }
        Some(Self { points, bodies, top, carrier })
    }

    /// Whether a joint turns with a bone of the chain; the end does not count.
    #[must_use]
    pub fn turns(&self, joint: usize) -> bool {
        let bones = self.bodies.len().saturating_sub(1);
        self.bodies.iter().take(bones).any(|body| *body == joint)
    }

    /// The joint that stays.
    #[must_use]
    pub fn base(&self) -> usize {
        self.points.first().copied().unwrap_or_default()
    }

    /// The joint that reaches.
    #[must_use]
    pub fn end(&self) -> usize {
        self.points.last().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Joint;

    #[test]
    fn paths_go_down_up_and_through() {
        // 0 hips; 1, 2, 3 a leg; 4 chest; 5, 6 an arm; 7 alone.
        let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5), None];
        let joint = |(id, parent): (usize, &Option<usize>)| {
            Joint::new(JointId(id as u32), "j", parent.map(|parent| JointId(parent as u32)), Vec3::y())
        };
        let skeleton = Skeleton::new(parents.iter().enumerate().map(joint).collect()).unwrap();
        let index = |id: u32| skeleton.index_of(JointId(id)).unwrap();
        let all = |ids: &[u32]| ids.iter().map(|id| index(*id)).collect::<Vec<_>>();
        let path = |base, end| ChainPath::new(&skeleton, JointId(base), JointId(end));
        let down = path(1, 3).unwrap();
        assert_eq!((&down.points, &down.bodies, down.carrier), (&all(&[1, 2, 3]), &all(&[1, 2, 3]), None));
        let through = path(3, 6).unwrap();
        assert_eq!((&through.points, &through.bodies), (&all(&[3, 2, 1, 4, 5, 6]), &all(&[2, 1, 0, 4, 5, 6])));
        assert_eq!((through.top, through.carrier), (index(0), Some(index(0))));
        let up = path(3, 0).unwrap();
        assert_eq!((&up.points, &up.bodies), (&all(&[3, 2, 1, 0]), &all(&[2, 1, 0, 0])));
        assert!(up.turns(index(0)) && !down.turns(index(3)) && through.turns(index(5)));
        assert_eq!((path(2, 2), path(7, 2), path(2, 99)), (None, None, None));
    }
}
