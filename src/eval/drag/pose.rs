//! A pose while it is being changed: local transforms with their world positions and rotations.

use crate::eval::fk;
use crate::math::{Affine, Quat, Transform, Vec3};
use crate::model::JointTree;

/// Joints with local and world transforms. World rotations are products of the local ones (scale and shear left out).
#[derive(Clone, Debug)]
pub(in crate::eval) struct Pose<'a> {
    tree: JointTree<'a>,
    /// The joints whose world transforms are kept up, in order, each after its parent; none for all.
    only: Option<&'a [usize]>,
    root: Affine,
    root_rotation: Quat,
    locals: Vec<Transform>,
    world: Vec<Affine>,
    rotations: Vec<Quat>,
    /// After each joint, the last that hangs from it, or itself.
    last_below: Vec<usize>,
}

impl<'a> Pose<'a> {
    pub(in crate::eval) fn new(tree: JointTree<'a>, locals: &[Transform], root: &Affine) -> Self {
        Self::of_some(tree, None, locals, root)
    }

    /// A pose of which only some joints are asked, in order, with all that they hang from.
    pub(in crate::eval) fn of_some(
        tree: JointTree<'a>,
        only: Option<&'a [usize]>,
        locals: &[Transform],
        root: &Affine,
    ) -> Self {
        // Where joints leave scale out, all are needed.
        let only = only.filter(|_| tree.own_scale.is_empty());
        let mut pose = Self {
            tree,
            only,
            root: *root,
            root_rotation: root.rotation(),
            locals: locals.to_vec(),
            world: vec![Affine::IDENTITY; locals.len()],
            rotations: vec![Quat::identity(); locals.len()],
            last_below: (0..locals.len()).collect(),
        };
        for joint in (0..locals.len()).rev() {
            if let Some(parent) = pose.parent(joint) {
                pose.last_below[parent] = pose.last_below[parent].max(pose.last_below[joint]);
            }
        }
        pose.refresh(0..locals.len());
        pose
    }

    pub(in crate::eval) fn position(&self, joint: usize) -> Vec3 {
        self.world[joint].translation
    }

    pub(in crate::eval) fn rotation(&self, joint: usize) -> Quat {
        self.rotations[joint]
    }

    /// The length of a path of joints, each the parent of the next, world units.
    pub(in crate::eval) fn length(&self, path: &[usize]) -> f64 {
        path.windows(2).map(|pair| (self.position(pair[1]) - self.position(pair[0])).norm()).sum()
    }

    /// World positions and rotations of all joints.
    pub(in crate::eval) fn all(&self) -> (Vec<Vec3>, Vec<Quat>) {
        (self.world.iter().map(|world| world.translation).collect(), self.rotations.clone())
    }

    /// From a joint's space to the world.
    pub(in crate::eval) fn world(&self, joint: usize) -> Affine {
        self.world[joint]
    }

    pub(in crate::eval) fn local_rotation(&self, joint: usize) -> Quat {
        self.locals[joint].rotation
    }

    /// Gives the joints of a path their rotations in their parents' space.
    pub(in crate::eval) fn set_local_rotations(&mut self, path: &[usize], rotations: &[Quat]) {
        for (joint, rotation) in path.iter().zip(rotations) {
            self.locals[*joint].rotation = *rotation;
        }
        if let Some(first) = path.first() {
            self.refresh_below(*first);
        }
    }

    /// Gives joints, parents first, their rotations in their parents' space.
    pub(in crate::eval) fn set_locals(&mut self, joints: &[usize], rotations: &[Quat]) {
        for (joint, rotation) in joints.iter().zip(rotations) {
            self.locals[*joint].rotation = *rotation;
        }
        if let Some(first) = joints.iter().min() {
            self.refresh(*first..self.locals.len());
        }
    }

    /// Gives joints, parents first, their rotations in the world; between two of them there may be others, which keep theirs
    /// in their parents' space.
    pub(in crate::eval) fn set_world_rotations(&mut self, joints: &[(usize, Quat)]) {
        for (joint, rotation) in joints {
            let above = match self.parent(*joint) {
                Some(parent) => joints.iter().find(|(other, _)| *other == parent).map(|(_, rotation)| *rotation),
                None => None,
            };
            let above = above.unwrap_or_else(|| self.rotation_above(*joint));
            self.locals[*joint].rotation = above.inverse() * rotation;
        }
        if let Some((first, _)) = joints.first() {
            self.refresh(*first..self.locals.len());
        }
    }

    pub(in crate::eval) fn into_locals(self) -> Vec<Transform> {
        self.locals
    }

    pub(in crate::eval) fn parent(&self, joint: usize) -> Option<usize> {
        self.tree.parent(joint)
    }

    /// The rotation from the skeleton's space to the world.
    pub(in crate::eval) fn above_all(&self) -> Quat {
        self.root_rotation
    }

    /// The rotation of what a joint hangs from, world.
    pub(in crate::eval) fn rotation_above(&self, joint: usize) -> Quat {
        self.parent(joint).map_or(self.root_rotation, |p| self.rotations[p])
    }

    /// From `top` down to `joint`, both included; none where `top` is not above it.
    pub(in crate::eval) fn path_between(&self, top: usize, joint: usize) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        let mut at = Some(joint);
        while let Some(joint) = at {
            path.push(joint);
            if joint == top {
                path.reverse();
                return Some(path);
            }
            at = self.parent(joint);
        }
        None
    }

    /// Gives a joint a rotation in the world; those under it go with it.
    pub(in crate::eval) fn set_rotation(&mut self, joint: usize, world: &Quat) {
        self.locals[joint].rotation = self.rotation_above(joint).inverse() * world;
        self.refresh_below(joint);
    }

    /// Gives the joints of a path, each the parent of the next, their rotations in the world.
    pub(in crate::eval) fn set_rotations(&mut self, path: &[usize], world: &[Quat]) {
        let Some(first) = path.first() else { return };
        let mut above = self.rotation_above(*first);
        for (joint, rotation) in path.iter().zip(world) {
            self.locals[*joint].rotation = above.inverse() * rotation;
            above = *rotation;
        }
        self.refresh_below(*first);
    }

    /// Gives the joints of `which` their rotations in the world out of `rotations`, those of all joints, which are what
    /// the others have already.
    pub(in crate::eval) fn set_all_rotations(&mut self, which: &[bool], rotations: &[Quat]) {
        let Some(first) = which.iter().position(|turned| *turned) else { return };
        for (joint, rotation) in rotations.iter().enumerate().take(self.locals.len()) {
            if which.get(joint) == Some(&true) {
                let above = self.parent(joint).and_then(|p| rotations.get(p)).unwrap_or(&self.root_rotation);
                self.locals[joint].rotation = above.inverse() * rotation;
            }
        }
        self.refresh(first..self.locals.len());
    }

    /// Moves a joint by an offset in the world.
    pub(in crate::eval) fn shift(&mut self, joint: usize, offset: &Vec3) {
        let above = self.parent(joint).map_or(self.root, |p| self.world[p]);
        let Some(inverse) = above.try_inverse() else { return };
        self.locals[joint].translation += inverse.vector(offset);
        self.refresh_below(joint);
    }

    /// Stretches a joint along its own axes; those under it go with it.
    pub(in crate::eval) fn stretch(&mut self, joint: usize, factors: &Vec3) {
        self.locals[joint].scale.component_mul_assign(factors);
        self.refresh_below(joint);
    }

    /// A joint and all that hang from it; others may be among them.
    pub(in crate::eval) fn below(&self, joint: usize) -> std::ops::Range<usize> {
        joint..self.last_below[joint] + 1
    }

    /// World transforms of a joint and all that hang from it.
    fn refresh_below(&mut self, joint: usize) {
        self.refresh(self.below(joint));
    }

    /// World transforms of a range of joints.
    fn refresh(&mut self, which: std::ops::Range<usize>) {
        if let Some(only) = self.only {
            for &joint in only.iter().filter(|joint| which.contains(joint)) {
                let above = self.parent(joint).map_or(self.root, |parent| self.world[parent]);
                self.world[joint] = above * self.locals[joint].to_affine();
                self.rotations[joint] = self.rotation_above(joint) * self.locals[joint].rotation;
            }
            return;
        }
        fk::update_from(which.start, self.tree, &self.locals[..which.end], &self.root, &mut self.world);
        for joint in which {
            self.rotations[joint] = self.rotation_above(joint) * self.locals[joint].rotation;
        }
    }

    /// The local transforms that differ from the given ones by more than rounding.
    pub(in crate::eval) fn changes_from(&self, pressed: &[Transform]) -> Vec<(usize, Transform)> {
        let moved = |now: &Transform, then: &Transform| {
            let turn = (now.rotation.coords - then.rotation.coords)
                .norm()
                .min((now.rotation.coords + then.rotation.coords).norm());
            turn > 1e-12 || (now.translation - then.translation).norm() > 1e-12 * (1.0 + then.translation.norm())
        };
        let both = self.locals.iter().zip(pressed).enumerate();
        both.filter(|(_, (now, then))| moved(now, then)).map(|(joint, (now, _))| (joint, *now)).collect()
    }
}
