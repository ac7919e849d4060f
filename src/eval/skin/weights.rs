//! Weights of skins changed: what is done to all of a mesh, and the arithmetic of one vertex.

use crate::model::Skin;

/// The weights of a skin, to be changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Influences of each vertex.
    pub each: usize,
    /// How many joints there are.
    pub joints: usize,
    /// Joints, `each` a vertex.
    pub influences: Vec<u16>,
    /// Weights, `each` a vertex.
    pub weights: Vec<f32>,
}

impl Table {
    /// The weights of a skin, with room for at least `room` influences a vertex.
    #[must_use]
    pub fn new(skin: &Skin, room: usize) -> Self {
        let old = (skin.per_vertex as usize).max(1);
        let each = old.max(room);
        let (mut influences, mut weights) = (skin.influences.to_vec(), skin.weights.to_vec());
        if each > old {
            influences = spread(&influences, old, each, 0);
            weights = spread(&weights, old, each, 0.0);
        }
        Self { each, joints: skin.joints.len(), influences, weights }
    }

    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len() / self.each.max(1)
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The skin with these weights.
    #[must_use]
    pub fn on(&self, skin: &Skin) -> Skin {
        Skin {
            per_vertex: u32::try_from(self.each).unwrap_or(1),
            influences: self.influences.as_slice().into(),
            weights: self.weights.as_slice().into(),
            ..skin.clone()
        }
    }

    fn vertex(&self, vertex: usize) -> std::ops::Range<usize> {
        vertex * self.each..(vertex + 1) * self.each
    }

    /// How much a vertex follows a joint, of 1; where all its weights are zero the first joint has it all (SPEC E-SKN-2).
    #[must_use]
    pub fn share(&self, vertex: usize, joint: u16) -> f32 {
        let range = self.vertex(vertex);
        let (Some(joints), Some(weights)) = (self.influences.get(range.clone()), self.weights.get(range)) else {
            return 0.0;
        };
        let sum: f32 = weights.iter().sum();
        if !(sum > 0.0) {
            return f32::from(u8::from(joints.first() == Some(&joint)));
        }
        joints.iter().zip(weights).filter(|(own, _)| **own == joint).map(|(_, weight)| weight / sum).sum()
    }

    /// Divides the weights of a vertex by their sum; all zero become 1 of the first joint.
    pub fn normalise(&mut self, vertex: usize) {
        let range = self.vertex(vertex);
        let Some(weights) = self.weights.get_mut(range) else { return };
        let sum: f32 = weights.iter().sum();
        if sum > 0.0 {
            weights.iter_mut().for_each(|weight| *weight /= sum);
        } else if let Some(first) = weights.first_mut() {
            *first = 1.0;
        }
    }

    /// Has a vertex follow a joint so much, 0..1, the others sharing the rest as they did. Where there is no room the joint that
    /// counted least makes it. A vertex that follows one joint alone cannot follow it less: no other is there to take the rest.
    pub fn set(&mut self, vertex: usize, joint: u16, to: f32) {
        if usize::from(joint) >= self.joints || vertex >= self.len() || !to.is_finite() {
            return;
        }
        self.normalise(vertex);
        let range = self.vertex(vertex);
        let (joints, weights) = (&mut self.influences[range.clone()], &mut self.weights[range]);
        let to = to.clamp(0.0, 1.0);
        let own = (0..joints.len()).find(|at| joints[*at] == joint && weights[*at] > 0.0);
        if own.is_none() && to == 0.0 {
            return;
        }
        let slot = own.unwrap_or_else(|| {
            let least = (0..weights.len()).min_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0);
            (joints[least], weights[least]) = (joint, 0.0);
            least
        });
        // A joint may stand in several slots: it has one from now on.
        for at in (0..joints.len()).filter(|at| *at != slot) {
            if joints[at] == joint {
                weights[at] = 0.0;
            }
        }
        let rest: f32 = (0..weights.len()).filter(|at| *at != slot).map(|at| weights[at]).sum();
        if rest > 0.0 {
            let scale = (1.0 - to) / rest;
            (0..weights.len()).filter(|at| *at != slot).for_each(|at| weights[at] *= scale);
            weights[slot] = to;
        } else {
            weights[slot] = 1.0;
        }
    }

    /// Has a vertex follow joints so much; the heaviest where there is not room for all. None at all changes nothing.
    pub fn replace(&mut self, vertex: usize, wanted: &[(u16, f32)]) {
        let range = self.vertex(vertex);
        if vertex >= self.len() || wanted.iter().all(|(_, weight)| !(*weight > 0.0)) {
            return;
        }
        let mut wanted = wanted.to_vec();
        wanted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let filled = wanted.into_iter().chain(std::iter::repeat((0, 0.0)));
        for (at, (joint, weight)) in range.zip(filled) {
            (self.influences[at], self.weights[at]) = (joint, weight.max(0.0));
        }
        self.normalise(vertex);
    }

    /// What a vertex follows: joints and shares of 1.
    #[must_use]
    pub fn shares(&self, vertex: usize) -> Vec<(u16, f32)> {
        let range = self.vertex(vertex);
        let joints = self.influences.get(range.clone()).unwrap_or_default();
        let weights = self.weights.get(range).unwrap_or_default();
        let sum: f32 = weights.iter().sum();
        if !(sum > 0.0) {
            return joints.first().map(|joint| (*joint, 1.0)).into_iter().collect();
        }
        let own = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        own.map(|(joint, weight)| (*joint, weight / sum)).collect()
    }
}

fn spread<T: Copy>(values: &[T], old: usize, each: usize, fill: T) -> Vec<T> {
    let row = |own: &[T]| own.iter().copied().chain(std::iter::repeat_n(fill, each - old)).collect::<Vec<T>>();
    values.chunks(old).flat_map(row).collect()
}

/// A skin of which each vertex follows so many joints at most, at least 1: the heaviest, divided by their sum.
#[must_use]
pub fn limited(skin: &Skin, most: usize) -> Skin {
    let most = most.max(1);
    let from = Table::new(skin, 1);
    let vertices = from.len();
    let mut to = Table {
        each: most.min(from.each),
        joints: from.joints,
        influences: vec![0; vertices * most.min(from.each)],
        weights: vec![0.0; vertices * most.min(from.each)],
    };
    (0..vertices).for_each(|vertex| to.replace(vertex, &from.shares(vertex)));
    to.on(skin)
}

/// A skin whose weights are divided by their sums: where they were all zero the first joint has 1 (SPEC E-SKN-2).
#[must_use]
pub fn normalised(skin: &Skin) -> Skin {
    let mut table = Table::new(skin, 1);
    (0..table.len()).for_each(|vertex| table.normalise(vertex));
    table.on(skin)
}

/// The vertices whose weights are all zero.
#[must_use]
pub fn without_weight(skin: &Skin) -> Vec<usize> {
    let each = (skin.per_vertex as usize).max(1);
    let none = |own: &[f32]| own.iter().all(|weight| !(*weight > 0.0));
    skin.weights.chunks(each).enumerate().filter(|(_, own)| none(own)).map(|(vertex, _)| vertex).collect()
}

/// How far the sums of the weights are from 1 at most.
#[must_use]
pub fn off_one(skin: &Skin) -> f32 {
    let each = (skin.per_vertex as usize).max(1);
    skin.weights.chunks(each).map(|own| (own.iter().sum::<f32>() - 1.0).abs()).fold(0.0, f32::max)
}

/// How much each vertex follows a joint, 0..1.
#[must_use]
pub fn of_joint(skin: &Skin, joint: u16) -> Vec<f32> {
    let table = Table::new(skin, 1);
    (0..table.len()).map(|vertex| table.share(vertex, joint)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Affine,
        model::{JointId, ObjectId, Parent, SkinJoint},
    };

    fn skin(each: u32, joints: u32, influences: &[u16], weights: &[f32]) -> Skin {
        let joint = |id| SkinJoint {
            joint: Parent::Joint(ObjectId(1), JointId(id)),
            joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY),
        };
        Skin {
            name: String::new(),
            joints: (0..joints).map(joint).collect(),
            per_vertex: each,
            influences: influences.into(),
            weights: weights.into(),
        }
    }

    #[test]
    fn setting_one_weight_keeps_the_sum_and_the_others_ratio() {
        let mut table = Table::new(&skin(3, 5, &[0, 1, 2], &[0.5, 0.3, 0.2]), 1);
        table.set(0, 0, 0.2);
        assert!((table.share(0, 0) - 0.2).abs() < 1e-6);
        assert!((table.share(0, 1) / table.share(0, 2) - 1.5).abs() < 1e-5);
        assert!((table.weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        // No room: the least makes it.
        table.set(0, 4, 0.5);
        assert_eq!(table.share(0, 0), 0.0);
        assert!((table.share(0, 4) - 0.5).abs() < 1e-6);
        // What does not exist, or is no number, changes nothing.
        let before = table.clone();
        table.set(0, 9, 0.5);
        table.set(7, 1, 0.5);
        table.set(0, 1, f32::NAN);
        assert_eq!(table, before);
    }

    #[test]
    fn weights_of_any_sum_and_none_at_all_are_defined() {
        // E-SKN-2: 0.49 and 0.49 are halves; a sum of 0 is the first joint.
        let skin = skin(2, 3, &[0, 1, 2, 1], &[0.49, 0.49, 0.0, 0.0]);
        assert_eq!(without_weight(&skin), [1]);
        let mended = normalised(&skin);
        assert_eq!(&mended.weights[..], &[0.5, 0.5, 1.0, 0.0]);
        assert!(off_one(&mended) < 1e-6 && off_one(&skin) == 1.0);
        assert_eq!(&of_joint(&skin, 2)[..], &[0.0, 1.0]);
        let mut alone = Table::new(&mended, 1);
        alone.set(1, 2, 0.3);
        assert_eq!(alone.share(1, 2), 1.0, "no other joint takes the rest");
    }

    #[test]
    fn the_heaviest_are_kept() {
        // B13: .2 .2 .1 .1 | .1 .1 .1 .1 of eight joints; the four largest, divided by their sum.
        let weights = [0.1, 0.1, 0.2, 0.1, 0.1, 0.2, 0.1, 0.1];
        let few = limited(&skin(8, 8, &[0, 1, 2, 3, 4, 5, 6, 7], &weights), 4);
        assert_eq!((few.per_vertex, &few.influences[..]), (4, &[2, 5, 0, 1][..]));
        let wanted = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0];
        assert!(few.weights.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6));
        assert_eq!(limited(&few, 0).per_vertex, 1);
    }
}
