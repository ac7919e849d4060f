//! The other side of the body: which joint mirrors which, and a pose as a mirror would show it.
//!
//! A pose is mirrored about the plane of symmetry of the rest pose. What a joint turns away from its rest pose, seen in the
//! skeleton's own space, is reflected and given to its partner: so it does not matter which way is up, nor how the rest
//! pose turns the axes of the bones. The result is a function of each joint alone, which is why a part of a pose can be
//! mirrored; done twice it gives the pose back. Where the rest pose is none that a body could take, it says nothing of the
//! other side; then bones and the way the body stands tell how the axes of both sides lie to each other.
//!
//! That is what a whole clip wants. A figure that has walked away or turned would jump to the other side of its rest pose's
//! plane: a single pose is brought back to where it stood by [`Standing`], which amounts to mirroring it about its own
//! present plane.

mod clip;
mod pairs;
mod standing;
mod turned;

pub use clip::mirrored_clip;
pub use pairs::mirrored_name;
pub use standing::{Shift, Standing, is_moved};
pub use turned::reflect_rotation as reflected;

use crate::{
    eval::{
        fk,
        limbs::{self, Limbs},
    },
    math::{Affine, Quat, Transform, Vec3},
    model::{Document, ObjectId, Skeleton},
};

/// The cosine of the angle within which a plane of symmetry counts as lying square to an axis.
const SQUARE: f64 = 0.995;

/// A skeleton to mirror. Slices have one entry a joint, parents before children.
#[derive(Clone, Copy, Debug)]
pub struct MirrorView<'a> {
    /// The parent of each joint, an earlier index; none for roots.
    pub parents: &'a [Option<usize>],
    /// Names as in the file.
    pub names: &'a [&'a str],
    /// Whether a joint is only the tip of a bone.
    pub tips: &'a [bool],
    /// The rest pose in the parents' spaces.
    pub rest: &'a [Transform],
    /// Positions in the pose that the limbs were found in, in the skeleton's space.
    pub positions: &'a [Vec3],
    /// What was found.
    pub limbs: &'a Limbs,
}

/// The mirror of one skeleton.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// Unit normal of the plane, towards the body's left, in the skeleton's space.
    normal: Vec3,
    partners: Vec<usize>,
    rest: Vec<Transform>,
    /// Rotations in the skeleton's space that mirror those of the partners, of each joint and of its parent: at rest, or,
    /// where the rest pose is no body's, made up.
    rotations: Vec<(Quat, Quat)>,
    /// As the body stands when it is looked at.
    stance: Vec<Transform>,
    /// The body's own up there, in the skeleton's space.
    up: Vec3,
    hips: Option<usize>,
}

impl Mirror {
    /// Finds pairs and plane. Pairs go by name (`.l` and `.r`, `Left` and `Right`, `lfemur` and `rfemur`, 左 and 右), then
    /// by the limbs found, then by place under joints that are paired. What has no partner is its own.
    #[must_use]
    pub fn new(view: &MirrorView<'_>) -> Self {
        let mut partners = vec![None; view.parents.len()];
        pairs::by_name(view, &mut partners);
        pairs::by_limb(view, &mut partners);
        let normal = plane(view, &partners);
        pairs::by_place(view, &normal, &mut partners);
        let partners = partners.into_iter().enumerate().map(|(joint, partner)| partner.unwrap_or(joint)).collect();
        let mut rotations: Vec<(Quat, Quat)> = Vec::with_capacity(view.rest.len());
        for (joint, rest) in view.rest.iter().enumerate() {
            let parent = view.parents[joint].filter(|parent| *parent < joint);
            let above = parent.map_or_else(Quat::identity, |parent| rotations[parent].0);
            rotations.push((above * rest.rotation, above));
        }
        let rest = view.rest.to_vec();
        let (stance, up, hips) = (rest.clone(), view.limbs.frame.up, view.limbs.hips);
        Self { normal, partners, rest, rotations, stance, up, hips }
    }

    /// The same with the axes of both sides told by bones and by how the body stands.
    fn by_stance(self, parents: &[Option<usize>], stance: &[Affine]) -> Self {
        let mut own = vec![Quat::identity(); self.rest.len()];
        for joint in 0..self.rest.len() {
            let partner = self.partner(joint);
            if partner < joint {
                continue;
            }
            let hangs =
                |child: &usize| parents[*child] == Some(joint) && parents[self.partner(*child)] == Some(partner);
            let bones: Vec<(Vec3, Vec3)> = (0..self.rest.len())
                .filter(hangs)
                .map(|child| (self.rest[child].translation, self.rest[self.partner(child)].translation))
                .collect();
            let turned = [joint, partner].map(|joint| stance[joint].rotation());
            let (normal, is_own) = (self.normal, partner == joint);
            let pair = turned::Pair { normal, stance: (turned[0], turned[1]), bones: &bones, own: is_own };
            (own[joint], own[partner]) = pair.references();
        }
        let above = |joint: usize| parents[joint].map_or_else(Quat::identity, |parent| own[parent]);
        let rotations = (0..own.len()).map(|joint| (own[joint], above(joint))).collect();
        Self { rotations, ..self }
    }

    /// The mirror of a rig; none where the object is none. Where the rest pose is none that a body could take, the first
    /// frame of its clip says which way it faces.
    #[must_use]
    pub fn of_object(document: &Document, object: ObjectId) -> Option<Self> {
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let limbs = limbs::of_object(document, object, skeleton);
        let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        Some(Self::of_skeleton(skeleton, &limbs, &rest, &limbs.stance(skeleton)))
    }

    fn of_skeleton(skeleton: &Skeleton, limbs: &Limbs, rest: &[Transform], looked_at: &[Transform]) -> Self {
        let mut model = Vec::new();
        fk::model_from_locals(skeleton.tree(), looked_at, &Affine::IDENTITY, &mut model);
        let positions: Vec<Vec3> = model.iter().map(|model| model.translation).collect();
        let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
        let tips: Vec<bool> = skeleton.joints().iter().map(crate::model::Joint::is_end).collect();
        let (names, tips, positions) = (&names[..], &tips[..], &positions[..]);
        let mirror = Self::new(&MirrorView { parents: skeleton.parents(), names, tips, rest, positions, limbs });
        let mirror = if limbs.by_posed { mirror.by_stance(skeleton.parents(), &model) } else { mirror };
        Self { stance: looked_at.to_vec(), ..mirror }
    }

    /// The joint on the other side; the joint itself where it has none, or does not exist.
    #[must_use]
    pub fn partner(&self, joint: usize) -> usize {
        self.partners.get(joint).copied().unwrap_or(joint)
    }

    /// Unit normal of the plane of symmetry, towards the body's left, in the skeleton's space.
    #[must_use]
    pub const fn normal(&self) -> Vec3 {
        self.normal
    }

    /// What the partner of a joint is to be in its parent's space, for the joint's own local transform. A joint that does
    /// not exist gives the transform back.
    #[must_use]
    pub fn mirrored(&self, joint: usize, local: &Transform) -> Transform {
        let partner = self.partner(joint);
        let (Some(&(own, above)), Some(&(other, other_above))) =
            (self.rotations.get(joint), self.rotations.get(partner))
        else {
            return *local;
        };
        let (rest, other_rest) = (&self.rest[joint], &self.rest[partner]);
        let turned = self.reflect_rotation(&(above * local.rotation * own.inverse()));
        let moved = self.reflect(&(above * (local.translation - rest.translation)));
        let from = self.axes(&own, &other);
        Transform {
            translation: other_rest.translation + other_above.inverse() * moved,
            rotation: other_above.inverse() * turned * other,
            scale: Vec3::from(from.map(|axis| local.scale[axis])),
        }
    }

    /// A whole pose mirrored: each joint takes what its partner was. `locals` has one entry a joint.
    #[must_use]
    pub fn pose(&self, locals: &[Transform]) -> Vec<Transform> {
        let mirrored = (0..locals.len()).map(|joint| {
            let from = self.partner(joint);
            locals.get(from).map_or(locals[joint], |local| self.mirrored(from, local))
        });
        mirrored.collect()
    }

    fn reflect(&self, vector: &Vec3) -> Vec3 {
        turned::reflect(&self.normal, vector)
    }

    fn reflect_rotation(&self, rotation: &Quat) -> Quat {
        turned::reflect_rotation(&self.normal, rotation)
    }

    /// For each axis of a joint's partner, the axis of the joint that lies along its reflection; as they are where axes do
    /// not fall on axes, since scale along a slanted one is no scale of the partner's.
    fn axes(&self, own: &Quat, other: &Quat) -> [usize; 3] {
        let along = [0, 1, 2].map(|axis| own.inverse() * self.reflect(&(other * Vec3::ith(axis, 1.0))));
        let found = [0, 1, 2].map(|axis| along[axis].iamax());
        let is_square = (0..3).all(|axis| along[axis][found[axis]].abs() > SQUARE);
        if is_square { found } else { [0, 1, 2] }
    }
}

/// The normal of the plane of symmetry: across the pairs in the rest pose. A pose that is no rest pose is not symmetric:
/// then the axis nearest to the body's left.
fn plane(view: &MirrorView<'_>, partners: &[Option<usize>]) -> Vec3 {
    let left = view.limbs.frame.left;
    let axis = left.iamax();
    let nearest = Vec3::ith(axis, left[axis].signum());
    if view.limbs.by_posed {
        return nearest;
    }
    let across = partners.iter().enumerate().filter_map(|(joint, partner)| {
        let between = view.positions[joint] - view.positions[(*partner)?];
        Some(if between.dot(&left) < 0.0 { -between } else { between })
    });
    let normal = across.sum::<Vec3>().try_normalize(1e-12).unwrap_or(left);
    let axis = normal.iamax();
    if normal[axis].abs() > SQUARE { Vec3::ith(axis, normal[axis].signum()) } else { normal }
}

#[cfg(test)]
mod tests;
