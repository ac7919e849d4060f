//! A path of joints of a figure as a chain of the lab, and back.

use super::planar;
use crate::eval::drag::pose::Pose;
use crate::eval::ik::bend;
use crate::math::{Affine, Quat, Transform, Vec3};
use crate::model::JointTree;

/// Which pose a solve starts from. Solvers keep nothing between two solves: what differs is what they are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The pose as it is now: small changes of the target make small changes of the pose, and so it may wander.
    #[default]
    Current,
    /// The rest pose: the same target always gives the same pose.
    Rest,
    /// Stretched out, where the methods' deadlocks are.
    Straight,
}

impl Start {
    /// All, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Current, Self::Rest, Self::Straight];

    /// Stable name; its text is `solver_lab.start_ID`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Rest => "rest",
            Self::Straight => "straight",
        }
    }
}

/// A figure, of which a path of joints is a chain.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// How the joints hang together.
    pub tree: JointTree<'a>,
    /// Local transforms now.
    pub locals: &'a [Transform],
    /// Local transforms at rest.
    pub rest: &'a [Transform],
    /// From the skeleton's space to the world.
    pub root: Affine,
}

impl Figure<'_> {
    /// World positions and rotations of a path (each the parent of the next, indices of joints) at a start. At rest the
    /// joints turn as in the rest pose; what is above the path, and the bones' lengths, stay as they are now.
    #[must_use]
    pub fn chain(&self, path: &[usize], start: Start) -> (Vec<Vec3>, Vec<Quat>) {
        let mut pose = Pose::new(self.tree, self.locals, &self.root);
        let bones = path.len().saturating_sub(1);
        if start == Start::Rest {
            let at_rest: Vec<Quat> = path.iter().filter_map(|joint| Some(self.rest.get(*joint)?.rotation)).collect();
            pose.set_local_rotations(&path[..bones.min(at_rest.len())], &at_rest);
        }
        let mut positions: Vec<Vec3> = path.iter().map(|joint| pose.position(*joint)).collect();
        let mut rotations: Vec<Quat> = path.iter().map(|joint| pose.rotation(*joint)).collect();
        if start == Start::Straight {
            straighten(&mut positions, &mut rotations);
        }
        (positions, rotations)
    }

    /// Local transforms of a path's joints, but the last, for these world rotations.
    #[must_use]
    pub fn locals(&self, path: &[usize], rotations: &[Quat]) -> Vec<(usize, Transform)> {
        let mut pose = Pose::new(self.tree, self.locals, &self.root);
        let bones = path.len().saturating_sub(1).min(rotations.len());
        pose.set_rotations(&path[..bones], &rotations[..bones]);
        path[..bones]
            .iter()
            .map(|joint| (*joint, Transform { rotation: pose.local_rotation(*joint), ..self.locals[*joint] }))
            .collect()
    }
}

/// Stretches a chain towards its end (its first bone where the end is at the root), joints turning the shortest way.
pub fn straighten(positions: &mut [Vec3], rotations: &mut [Quat]) {
    let before = positions.to_vec();
    let (Some(&root), Some(&end)) = (before.first(), before.last()) else { return };
    let length: f64 = before.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let along = bend::unit(&(end - root), 1e-9 * length)
        .or_else(|| before.iter().find_map(|p| bend::unit(&(p - root), 1e-9 * length)))
        .unwrap_or_else(Vec3::x);
    let mut at = root;
    for (p, pair) in positions.iter_mut().skip(1).zip(before.windows(2)) {
        at += along * (pair[1] - pair[0]).norm();
        *p = at;
    }
    crate::eval::ik::rotations_from_positions(&before, positions, rotations);
}

/// The plane arm of the lab at a start: as it is, along x, or along its end.
#[must_use]
pub fn plane_chain(lengths: &[f64], angles: &[f64], start: Start) -> (Vec<Vec3>, Vec<Quat>) {
    match start {
        Start::Current => planar::chain(lengths, angles),
        Start::Rest => planar::chain(lengths, &vec![0.0; lengths.len()]),
        Start::Straight => {
            let (mut positions, mut rotations) = planar::chain(lengths, angles);
            straighten(&mut positions, &mut rotations);
            (positions, rotations)
        }
    }
}
