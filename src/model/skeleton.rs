//! Skeletons: a forest of joints, parents first.

use super::{
    channel::{Component, Property},
    curve::is_default,
    id::JointId,
};
use crate::math::{EulerOrder, Transform, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a joint's rotation is held in channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RotationMode {
    /// Three angles, radians, composed in an order.
    Euler(EulerOrder),
    /// One quaternion.
    Quaternion,
}

impl Default for RotationMode {
    fn default() -> Self {
        Self::Euler(EulerOrder::default())
    }
}

/// What a joint is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum JointKind {
    /// A joint that moves.
    #[default]
    Joint,
    /// The tip of a bone (a BVH End Site): no channels, no children.
    End,
}

/// A channel as a file lists it: a position or a rotation about one axis. A joint's list is kept as it was read and
/// written back in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileChannel(pub Property, pub Component);

/// One joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Its identity, never used twice in a rig.
    pub id: JointId,
    /// Its name as in the file; need not be unique.
    pub name: String,
    /// Its parent; none for a root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<JointId>,
    /// A joint or a bone's tip.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: JointKind,
    /// The rest pose in the parent's space. Posing never changes it.
    #[serde(default, skip_serializing_if = "is_default", with = "rest")]
    pub rest: Transform,
    /// How its rotation is held.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: RotationMode,
    /// Whether the scale of its parent joint does not act on it: `local = T * S_parent^-1 * R * S`. Its place is still one in
    /// its parent's scaled space: a longer bone carries it along, and does not stretch it. Without meaning for a root and for
    /// the tip of a bone, which has no size.
    #[serde(default, skip_serializing_if = "is_default")]
    pub own_scale: bool,
    /// The channels of the motion file it came from, in file order; empty where it came from none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_channels: Vec<FileChannel>,
}

impl Joint {
    /// A joint at an offset from its parent, without rest rotation.
    #[must_use]
    pub fn new(id: JointId, name: &str, parent: Option<JointId>, offset: Vec3) -> Self {
        Self {
            id,
            name: name.to_owned(),
            parent,
            kind: JointKind::Joint,
            rest: Transform::from_translation(offset),
            rotation: RotationMode::default(),
            own_scale: false,
            file_channels: Vec::new(),
        }
    }

    /// Whether the joint is the tip of a bone.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.kind == JointKind::End
    }
}

/// A forest of joints, each after its parent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Joint>", into = "Vec<Joint>")]
pub struct Skeleton {
    joints: Vec<Joint>,
    parents: Vec<Option<usize>>,
    /// Empty where no joint leaves its parent's scale out.
    own_scale: Vec<bool>,
    index: BTreeMap<JointId, usize>,
}

/// How joints hang on each other: what forward kinematics needs of a skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JointTree<'a> {
    /// The index of each joint's parent, which comes before it; a later one counts as none.
    pub parents: &'a [Option<usize>],
    /// Which joints leave out their parent's scale ([`Joint::own_scale`]); those past the end do not.
    pub own_scale: &'a [bool],
}

impl<'a> JointTree<'a> {
    /// Joints that all take their parents' scale.
    #[must_use]
    pub const fn plain(parents: &'a [Option<usize>]) -> Self {
        Self { parents, own_scale: &[] }
    }

    /// The index of a joint's parent; none of a root, of a joint that is not there, and where the parent comes later.
    #[must_use]
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.parents.get(joint).copied().flatten().filter(|parent| *parent < joint)
    }

    /// The joint whose scale a joint leaves out; none where it takes its parent's scale, or has no parent.
    #[must_use]
    pub fn left_out(&self, joint: usize) -> Option<usize> {
        if self.own_scale.get(joint) == Some(&true) { self.parent(joint) } else { None }
    }
}

/// Why a list of joints is no skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    /// Two joints of one id.
    #[error("joint id {0} is used twice")]
    DuplicateId(JointId),
    /// A parent that is not listed before its child.
    #[error("joint '{name}' ({id}) must come after its parent {parent}")]
    ParentNotBefore {
        /// The child.
        id: JointId,
        /// Its name.
        name: String,
        /// The parent that is missing or later.
        parent: JointId,
    },
    /// A child of a bone's tip.
    #[error("joint '{name}' ({id}) is the child of a bone's tip")]
    ChildOfEnd {
        /// The child.
        id: JointId,
        /// Its name.
        name: String,
    },
}

impl Skeleton {
    /// A skeleton of joints, parents first.
    ///
    /// # Errors
    /// Where an id is used twice, a parent does not come before its child, or a bone's tip has a child.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        let mut parents = Vec::with_capacity(joints.len());
        let mut index: BTreeMap<JointId, usize> = BTreeMap::new();
        for (place, joint) in joints.iter().enumerate() {
            let parent = match joint.parent {
                None => None,
                Some(parent) => match index.get(&parent) {
                    None => {
                        let (id, name) = (joint.id, joint.name.clone());
                        return Err(SkeletonError::ParentNotBefore { id, name, parent });
                    }
                    Some(&at) if joints[at].is_end() => {
                        return Err(SkeletonError::ChildOfEnd { id: joint.id, name: joint.name.clone() });
                    }
                    Some(&at) => Some(at),
                },
            };
            if index.insert(joint.id, place).is_some() {
                return Err(SkeletonError::DuplicateId(joint.id));
            }
            parents.push(parent);
        }
        let mut own_scale: Vec<bool> = joints.iter().map(|joint| joint.own_scale && joint.parent.is_some()).collect();
        if !own_scale.contains(&true) {
            own_scale.clear();
        }
        Ok(Self { joints, parents, own_scale, index })
    }

    /// All joints, parents first, ends included.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The index of each joint's parent.
    #[must_use]
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// How the joints hang on each other.
    #[must_use]
    pub fn tree(&self) -> JointTree<'_> {
        JointTree { parents: &self.parents, own_scale: &self.own_scale }
    }

    /// The number of joints, ends included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there is no joint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The index of a joint.
    #[must_use]
    pub fn index_of(&self, id: JointId) -> Option<usize> {
        self.index.get(&id).copied()
    }

    /// A joint by id.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.get(self.index_of(id)?)
    }

    /// The indices of a joint's children, in order.
    pub fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        self.parents.iter().enumerate().filter(move |(_, p)| **p == Some(parent)).map(|(index, _)| index)
    }

    /// The indices of a joint and of all that hangs on it.
    #[must_use]
    pub fn below(&self, joint: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([joint]);
        for (index, parent) in self.parents.iter().enumerate() {
            if parent.is_some_and(|parent| found.contains(&parent)) {
                found.insert(index);
            }
        }
        found
    }

    /// Whether another skeleton has the same names and parents in the same order, and its joints rest at the same offsets
    /// within a tolerance, metres.
    #[must_use]
    pub fn is_like(&self, other: &Self, tolerance: f64) -> bool {
        let same = |(a, b): (&Joint, &Joint)| {
            a.name == b.name && (a.rest.translation - b.rest.translation).norm() <= tolerance
        };
        self.parents == other.parents && self.joints.iter().zip(&other.joints).all(same)
    }

    /// An id no joint uses.
    #[must_use]
    pub fn fresh_id(&self) -> JointId {
        JointId(self.index.keys().next_back().map_or(0, |last| last.0.saturating_add(1)))
    }

    /// A copy with every joint passed through a function; ids and parents must stay.
    ///
    /// # Errors
    /// Those of [`Skeleton::new`].
    pub fn map_joints(&self, change: impl FnMut(&Joint) -> Joint) -> Result<Self, SkeletonError> {
        Self::new(self.joints.iter().map(change).collect())
    }
}

impl TryFrom<Vec<Joint>> for Skeleton {
    type Error = SkeletonError;

    fn try_from(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        Self::new(joints)
    }
}

impl From<Skeleton> for Vec<Joint> {
    fn from(skeleton: Skeleton) -> Self {
        skeleton.joints
    }
}

/// A rest transform as `(translation, rotation [x, y, z, w], scale)`, checked on load.
pub mod rest {
    use crate::math::{Transform, Vec3};
    use crate::model::curve::unit_quaternion;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    /// Writes the parts.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(rest: &Transform, serializer: S) -> Result<S::Ok, S::Error> {
        let t: [f64; 3] = rest.translation.into();
        let s: [f64; 3] = rest.scale.into();
        (t, unit_quaternion::to_array(&rest.rotation), s).serialize(serializer)
    }

    /// Reads and checks the parts.
    ///
    /// # Errors
    /// Those of the deserializer; numbers that are not finite, a rotation that is not of unit length.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Transform, D::Error> {
        let (t, q, s) = <([f64; 3], [f64; 4], [f64; 3])>::deserialize(deserializer)?;
        if !t.iter().chain(&s).all(|value| value.is_finite()) {
            return Err(D::Error::custom("a transform must be of finite numbers"));
        }
        let rotation = unit_quaternion::from_array(q).map_err(D::Error::custom)?;
        Ok(Transform { translation: Vec3::from(t), rotation, scale: Vec3::from(s) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_must_follow_their_parents() {
        let root = Joint::new(JointId(4), "hips", None, Vec3::zeros());
        let child = Joint::new(JointId(2), "spine", Some(JointId(4)), Vec3::y());
        let skeleton = Skeleton::new(vec![root.clone(), child.clone()]).unwrap();
        assert_eq!(skeleton.parents(), [None, Some(0)]);
        assert_eq!(skeleton.index_of(JointId(2)), Some(1));
        assert_eq!(skeleton.fresh_id(), JointId(5));
        assert!(matches!(
            Skeleton::new(vec![child, root.clone()]),
            Err(SkeletonError::ParentNotBefore { id: JointId(2), .. })
        ));
        assert_eq!(Skeleton::new(vec![root.clone(), root]), Err(SkeletonError::DuplicateId(JointId(4))));
    }
}
