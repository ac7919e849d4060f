//! Masks: how much each joint is touched, named and used again.

use super::{curve::is_default, names::joint_names, skeleton::Skeleton};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A weight for each joint, by the joint's name (`#2` and on where several have it), so that it serves every rig with such
/// joints. Names that a rig does not have do nothing there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointMask {
    /// Its name.
    pub name: String,
    /// The weights, 0..1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub joints: BTreeMap<String, f64>,
    /// The weight of joints that are not named, 0..1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub others: f64,
}

impl JointMask {
    /// The weights of a skeleton's joints, by index. A bone's tip has that of its joint.
    #[must_use]
    pub fn weights(&self, skeleton: &Skeleton) -> Vec<f64> {
        let mut weights: Vec<f64> = Vec::with_capacity(skeleton.joints().len());
        for (index, name) in joint_names(skeleton).iter().enumerate() {
            let tip = skeleton.joints().get(index).is_some_and(|joint| joint.is_end());
            let above = skeleton.tree().parent(index).filter(|_| tip).and_then(|parent| weights.get(parent)).copied();
            weights.push(above.unwrap_or_else(|| self.joints.get(name).copied().unwrap_or(self.others)));
        }
        weights
    }

    /// The names that a skeleton does not have: of joints that are gone, or another rig's.
    #[must_use]
    pub fn unknown<'a>(&'a self, skeleton: &Skeleton) -> Vec<&'a str> {
        let known = joint_names(skeleton);
        self.joints.keys().map(String::as_str).filter(|name| !known.iter().any(|known| known == name)).collect()
    }

    /// Whether all weights are within 0..1.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.joints.values().chain([&self.others]).all(|weight| (0.0..=1.0).contains(weight))
    }
}

impl JointMask {
    /// A mask of weights by joint index; joints of weight 0 are not named.
    #[must_use]
    pub fn of_weights(name: &str, skeleton: &Skeleton, weights: &[f64]) -> Self {
        let named = joint_names(skeleton).into_iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let joints = named.map(|(joint, weight)| (joint, weight.min(1.0))).collect();
        Self { name: name.to_owned(), joints, others: 0.0 }
    }
}

/// Weights that grow down the hierarchy to all of a part: the joint at its root and everything below it 1, the joints above
/// it those of `steps`, nearest first; the rest 0. `[0.9, 0.5, 0.2]` over an upper arm: collar bone 0.9, chest 0.5, spine
/// 0.2. By joint index.
#[must_use]
pub fn feathered(skeleton: &Skeleton, root: usize, steps: &[f64]) -> Vec<f64> {
    let tree = skeleton.tree();
    let mut weights = vec![0.0; skeleton.joints().len()];
    for joint in 0..weights.len() {
        let below = tree.parent(joint).is_some_and(|parent| weights[parent] == 1.0);
        if joint == root || below {
            weights[joint] = 1.0;
        }
    }
    let mut at = tree.parent(root);
    for step in steps {
        let Some(joint) = at else { break };
        weights[joint] = step.clamp(0.0, 1.0);
        at = tree.parent(joint);
    }
    weights
}
