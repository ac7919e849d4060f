//! Forward kinematics: local transforms to model transforms, parents first.
//!
//! `model = parent * T * R * S` as affine maps, never decomposed: a non-uniform scale above a rotation shears, and that
//! shear is kept. The tip of a bone is a joint like any other. Functions over slices; the joints' order is parents first
//! (`parents[i] < i`), which [`crate::model::Skeleton`] guarantees.

use crate::math::{Affine, Transform};

/// The model transform of every joint. `root` stands above the joints without a parent (the identity for model space,
/// the object's world transform for world space). `model` is resized to the joints; its storage is reused.
///
/// A parent that does not come before its child counts as none.
pub fn model_from_locals(parents: &[Option<usize>], locals: &[Transform], root: &Affine, model: &mut Vec<Affine>) {
    let count = parents.len().min(locals.len());
    // Only the length matters: every entry is written before it is read.
    model.resize(count, Affine::IDENTITY);
    update_from(0, parents, locals, root, model);
}

/// Recomputes the model transforms from joint `first` on: after a change of its local transform or of any later one.
/// Those before it must be up to date. Lists shorter than the others end the work early.
pub fn update_from(first: usize, parents: &[Option<usize>], locals: &[Transform], root: &Affine, model: &mut [Affine]) {
    let count = parents.len().min(locals.len()).min(model.len());
    let has_root = *root != Affine::IDENTITY;
    for joint in first..count {
        let local = locals[joint].to_affine();
        model[joint] = match parents[joint] {
            Some(parent) if parent < joint => model[parent] * local,
            _ if has_root => *root * local,
            _ => local,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation::from_axis_angle};

    fn chain(count: usize) -> (Vec<Option<usize>>, Vec<Transform>) {
        let parents = (0..count).map(|i| i.checked_sub(1)).collect();
        let locals = (0..count)
            .map(|i| Transform {
                translation: Vec3::new(0.1, 0.3, -0.05 * i as f64),
                rotation: from_axis_angle(&Vec3::new(1.0, 0.4, i as f64), 0.3 + i as f64),
                scale: Vec3::new(1.0, 1.1, 0.9),
            })
            .collect();
        (parents, locals)
    }

    #[test]
    fn the_tip_of_a_chain_is_the_product_of_all() {
        let (parents, locals) = chain(6);
        let root = Transform::from_translation(Vec3::new(5.0, 0.0, 1.0)).to_affine();
        let mut model = Vec::new();
        model_from_locals(&parents, &locals, &root, &mut model);
        let product = locals.iter().fold(root.to_mat4(), |m, local| m * local.to_affine().to_mat4());
        assert!((model[5].to_mat4() - product).norm() < 1e-13);
        assert!(model[5].shear() > 0.01 && model[0].shear() < 1e-15);
    }

    #[test]
    fn updating_from_a_joint_equals_computing_all() {
        let (parents, mut locals) = chain(8);
        let mut model = Vec::new();
        model_from_locals(&parents, &locals, &Affine::IDENTITY, &mut model);
        locals[3].rotation = from_axis_angle(&Vec3::y(), 2.0);
        update_from(3, &parents, &locals, &Affine::IDENTITY, &mut model);
        let mut again = Vec::new();
        model_from_locals(&parents, &locals, &Affine::IDENTITY, &mut again);
        assert_eq!(model, again);
    }

    #[test]
    fn bad_parents_and_short_lists_are_defined() {
        let (_, locals) = chain(3);
        let mut model = vec![Affine::IDENTITY; 9];
        model_from_locals(&[None, Some(7), Some(0)], &locals, &Affine::IDENTITY, &mut model);
        assert_eq!(model.len(), 3);
        assert_eq!(model[1], locals[1].to_affine());
        model_from_locals(&[], &locals, &Affine::IDENTITY, &mut model);
        assert!(model.is_empty());
    }
}
