//! Rigs: a skeleton and what the user has said about posing it.

use super::{
    curve::is_default,
    id::JointId,
    kinds::kinds,
    limb::{LimbSetting, LimbSpec},
    limit::LimitSetting,
    lock::Locks,
    skeleton::Skeleton,
    unit::LengthUnit,
};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A skeleton that can be posed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rig {
    /// The joints.
    pub skeleton: Arc<Skeleton>,
    /// The unit of the file it came from: lengths here are metres, an export writes them in this unit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unit: LengthUnit,
    /// What the user has set about dragging a joint, by the joint dragged. Without an entry the limb is found.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<JointId, ChainHint>,
    /// Sets of joints that are selected together, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sets: BTreeMap<String, BTreeSet<JointId>>,
    /// The colours of sets, by name, red, green and blue: their joints are drawn in them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set_colors: BTreeMap<String, [u8; 3]>,
    /// What of joints nothing done by hand changes, by joint.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub locks: BTreeMap<JointId, Locks>,
    /// Limits the user has set, by joint. A joint without an entry has those of its role.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<JointId, LimitSetting>,
    /// Corrections of the limbs that are found, by the joint at the found limb's end; an entry of a joint where no limb was
    /// found to end adds one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limbs: BTreeMap<JointId, LimbSetting>,
}

impl Rig {
    /// The colour a joint is drawn in: that of the first set in order of name that holds it and has one.
    #[must_use]
    pub fn color_of(&self, joint: JointId) -> Option<[u8; 3]> {
        let colored = self.set_colors.iter();
        colored.filter(|(name, _)| self.sets.get(*name).is_some_and(|set| set.contains(&joint))).map(|(_, c)| *c).next()
    }

    /// Whether a limb can be: its joints exist, the end is under the root, and the middle lies between them.
    #[must_use]
    pub fn fits(&self, limb: &LimbSpec) -> bool {
        let mut above =
            std::iter::successors(self.skeleton.joint(limb.end), |joint| self.skeleton.joint(joint.parent?));
        let mut middle = limb.middle.is_none();
        above.any(|joint| {
            middle |= Some(joint.id) == limb.middle && joint.id != limb.end && joint.id != limb.root;
            joint.id == limb.root
        }) && middle
    }

    /// Takes out what is said about posing joints that are not there: chains, sets, limits and limbs that name one, limbs
    /// that are no line of joints. Such words only help posing, and what they are about is gone: without them the rig is as
    /// good as before. Returns what was taken out, in words.
    pub fn forget_missing(&mut self) -> Vec<String> {
        let mut gone = Vec::new();
        let rig = self.clone();
        let there = |joint: &JointId| rig.skeleton.index_of(*joint).is_some();
        self.hints.retain(|joint, hint| {
            let kept = there(joint) && hint.root.as_ref().is_none_or(there);
            if !kept {
                gone.push(format!("the chain of joint {joint}"));
            }
            kept
        });
        self.sets.retain(|name, joints| {
            let before = joints.len();
            joints.retain(there);
            if joints.len() < before {
                gone.push(format!("{} joints of the set '{name}'", before - joints.len()));
            }
            !joints.is_empty() || before == 0
        });
        self.set_colors.retain(|name, _| self.sets.contains_key(name));
        self.locks.retain(|joint, _| {
            let kept = there(joint);
            if !kept {
                gone.push(format!("the locks of joint {joint}"));
            }
            kept
        });
        self.limits.retain(|joint, _| {
            let kept = there(joint);
            if !kept {
                gone.push(format!("the limits of joint {joint}"));
            }
            kept
        });
        self.limbs.retain(|joint, setting| {
            let kept = there(joint) && !matches!(setting, LimbSetting::Limb(limb) if !rig.fits(limb));
            if !kept {
                gone.push(format!("the limb corrected at joint {joint}"));
            }
            kept
        });
        gone
    }
}

/// How a joint is dragged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainHint {
    /// The chain's root; none for the one found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<JointId>,
    /// The solver; none for the one that fits the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<SolverKind>,
    /// A position in the rig object's space towards which the chain bends, metres; none for the present bend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<Vec3>,
}

kinds! {
    /// The inverse kinematics solvers a chain can be given.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum SolverKind {
        /// Closed form for two bones.
        TwoBone,
        /// Cyclic coordinate descent (Wang and Chen 1991).
        Ccd,
        /// Forward and backward reaching (Aristidou and Lasenby 2011).
        Fabrik,
        /// Damped least squares (Buss 2004).
        DampedLeastSquares,
        /// Gradient descent by the Jacobian's transpose (Buss 2004).
        JacobianTranspose,
        /// Undamped least squares (Buss 2004).
        PseudoInverse,
        /// Full least-squares steps, halved until they help.
        GaussNewton,
        /// The solver of whole bodies on one chain.
        FullBody,
    }
}

impl SolverKind {
    /// The solver's name in the table of solvers and in text keys.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::TwoBone => "two_bone",
            Self::Ccd => "ccd",
            Self::Fabrik => "fabrik",
            Self::DampedLeastSquares => "damped_least_squares",
            Self::JacobianTranspose => "jacobian_transpose",
            Self::PseudoInverse => "pseudo_inverse",
            Self::GaussNewton => "gauss_newton",
            Self::FullBody => "full_body",
        }
    }
}
