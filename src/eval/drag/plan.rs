//! Which joints a drag moves, decided once, at the press.

use super::{DragInput, pose::Pose};
use crate::eval::limbs::{Limb, Limbs, Role};

/// What is being dragged, in words for hints and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragKind {
    /// The end of an arm or a leg.
    Limb,
    /// An elbow or a knee.
    Swing,
    /// The hips, or the root of something that is no body.
    Body,
    /// Spine, chest, neck or head.
    Trunk,
    /// Any other chain.
    Chain,
}

/// The joints that take part.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plan {
    /// The end of `limbs[limb]`, which has a middle joint.
    Limb { limb: usize },
    /// The middle of `limbs[limb]`.
    Swing { limb: usize },
    /// A joint that is moved with all that hangs from it.
    Body { joint: usize },
    /// Joints from the first that turns to the grabbed one, and how willingly each turns.
    Trunk { path: Vec<usize>, weights: Vec<f64> },
    /// Joints from the first that turns to the grabbed one, at least two.
    Chain { path: Vec<usize> },
}

/// How willingly vertebrae turn when the head is dragged, the neck being 1: they have the longer lever.
const SPINE_WITH_HEAD: f64 = 0.15;

impl Plan {
    pub(super) fn of(input: &DragInput<'_>, pose: &Pose<'_>) -> Self {
        let joint = input.joint;
        let limbs = input.limbs;
        if let Some(path) =
            input.options.chain_root.and_then(|root| pose.path_between(root, joint)).filter(|p| p.len() > 1)
        {
            return Self::Chain { path };
        }
        if limbs.hips == Some(joint) {
            return Self::Body { joint };
        }
        let Some((index, limb)) = limbs
            .containing(joint)
            .and_then(|limb| limbs.limbs.iter().position(|other| std::ptr::eq(other, limb)).map(|index| (index, limb)))
        else {
            return Self::turn_parent(joint, pose);
        };
        let place = limb.joints.iter().position(|j| *j == joint);
        match limb.role {
            Role::Arm | Role::Leg => Self::of_limb(input, pose, index, limb, place),
            Role::Spine => match place {
                Some(place) if place > 0 => Self::trunk(limb.joints[..=place].to_vec(), limbs),
                _ => Self::body(limbs, joint),
            },
            Role::Neck => {
                let spine = limbs.of_role(Role::Spine).next().map(Limb::root);
                let path = spine.and_then(|top| pose.path_between(top, joint));
                let path = path.or_else(|| pose.path_between(limb.root(), joint)).filter(|p| p.len() > 1);
                path.map_or_else(|| Self::turn_parent(joint, pose), |path| Self::trunk(path, limbs))
            }
            Role::Tail if place == Some(0) => Self::body(limbs, joint),
            Role::Tail | Role::Finger | Role::Toe | Role::Chain => match place {
                Some(place) if place > 0 => Self::Chain { path: limb.joints[..=place].to_vec() },
                _ => Self::turn_parent(joint, pose),
            },
        }
    }

    fn of_limb(input: &DragInput<'_>, pose: &Pose<'_>, index: usize, limb: &Limb, place: Option<usize>) -> Self {
        let joint = input.joint;
        match place {
            Some(place) if place + 1 == limb.joints.len() => {
                let own_solver = input.options.solver.is_some_and(|spec| spec.id != "two_bone");
                if limb.middle.is_some() && !own_solver {
                    Self::Limb { limb: index }
                } else if limb.joints.len() > 1 {
                    Self::Chain { path: limb.joints.clone() }
                } else {
                    Self::turn_parent(joint, pose)
                }
            }
            Some(place) if place > 0 => match limb.middle {
                Some(_) => Self::Swing { limb: index },
                None => Self::Chain { path: limb.joints[..=place].to_vec() },
            },
            // A hip joint or a shoulder, or what leads to it.
            _ if limb.role == Role::Leg => Self::body(input.limbs, joint),
            _ => match limb.lead.first().and_then(|first| pose.path_between(*first, joint)) {
                Some(path) if path.len() > 1 => Self::Chain { path },
                _ => {
                    let spine = input.limbs.of_role(Role::Spine).next().map(Limb::root);
                    match spine.and_then(|top| pose.path_between(top, joint)) {
                        Some(path) if path.len() > 1 => Self::trunk(path, input.limbs),
                        _ => Self::turn_parent(joint, pose),
                    }
                }
            },
        }
    }

    /// The hips and all, or, without hips, the joint itself.
    fn body(limbs: &Limbs, joint: usize) -> Self {
        Self::Body { joint: limbs.hips.unwrap_or(joint) }
    }

    /// The parent turns until the joint is in the target's direction; a root is moved.
    fn turn_parent(joint: usize, pose: &Pose<'_>) -> Self {
        match pose.parent(joint) {
            Some(parent) => Self::Chain { path: vec![parent, joint] },
            None => Self::Body { joint },
        }
    }

    fn trunk(path: Vec<usize>, limbs: &Limbs) -> Self {
        let neck = limbs.of_role(Role::Neck).next();
        let in_neck = |joint: &usize| neck.is_some_and(|n| n.joints.contains(joint));
        let ends_in_neck = path.last().is_some_and(in_neck);
        let weight = |joint: &usize| if ends_in_neck && !in_neck(joint) { SPINE_WITH_HEAD } else { 1.0 };
        let weights = path.iter().map(weight).collect();
        Self::Trunk { path, weights }
    }

    pub(super) fn kind(&self) -> DragKind {
        match self {
            Self::Limb { .. } => DragKind::Limb,
            Self::Swing { .. } => DragKind::Swing,
            Self::Body { .. } => DragKind::Body,
            Self::Trunk { .. } => DragKind::Trunk,
            Self::Chain { .. } => DragKind::Chain,
        }
    }

    /// The joints from the one that everything hangs from to the grabbed one.
    pub(super) fn path<'b>(&'b self, limbs: &'b Limbs) -> Option<&'b [usize]> {
        match self {
            Self::Limb { limb } => limbs.limbs.get(*limb).map(|l| &l.joints[..]),
            Self::Trunk { path, .. } | Self::Chain { path } => Some(path),
            Self::Swing { .. } | Self::Body { .. } => None,
        }
    }
}
