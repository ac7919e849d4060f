//! Forward kinematics: local transforms to model transforms, parents first.
//!
//! `model = parent * T * R * S` as affine maps, never decomposed: a non-uniform scale above a rotation shears, and that
//! shear is kept. A joint that leaves its parent's scale out ([`crate::model::Joint::own_scale`]) is
//! `parent * T * S_parent^-1 * R * S`, as Maya's segment scale compensation has it. The tip of a bone is a joint like any
//! other. Functions over slices; the joints' order is parents first (`parents[i] < i`), which [`crate::model::Skeleton`]
//! guarantees.

use crate::{
    math::{Affine, Mat3, Transform, Vec3},
    model::JointTree,
};

/// The model transform of every joint. `root` stands above the joints without a parent (the identity for model space,
/// the object's world transform for world space). `model` is resized to the joints; its storage is reused.
///
/// A parent that does not come before its child counts as none.
pub fn model_from_locals(tree: JointTree<'_>, locals: &[Transform], root: &Affine, model: &mut Vec<Affine>) {
    let count = tree.parents.len().min(locals.len());
    // Only the length matters: every entry is written before it is read.
    model.resize(count, Affine::IDENTITY);
    update_from(0, tree, locals, root, model);
}

/// Recomputes the model transforms from joint `first` on: after a change of its local transform or of any later one.
/// Those before it must be up to date. Lists shorter than the others end the work early.
pub fn update_from(first: usize, tree: JointTree<'_>, locals: &[Transform], root: &Affine, model: &mut [Affine]) {
    let parents = tree.parents;
    let count = parents.len().min(locals.len()).min(model.len());
    if !tree.own_scale.is_empty() {
        return update_with_own_scales(first, tree, &locals[..count], root, model);
    }
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

/// The same where joints leave their parents' scales out. A parent's scale is not divided by, but never multiplied in: a
/// parent that is flattened to nothing leaves such a child whole.
fn update_with_own_scales(
    first: usize,
    tree: JointTree<'_>,
    locals: &[Transform],
    root: &Affine,
    model: &mut [Affine],
) {
    // Linear parts with each joint's own scale left out.
    let mut turned: Vec<Mat3> = Vec::with_capacity(locals.len());
    for (joint, local) in locals.iter().enumerate() {
        let parent = tree.parent(joint);
        let above = parent.map_or(*root, |parent| model[parent]);
        let linear = tree.left_out(joint).map_or(above.linear, |parent| turned[parent]);
        let own = linear * local.rotation.to_rotation_matrix().matrix();
        turned.push(own);
        if joint >= first {
            model[joint] = Affine {
                linear: own * Mat3::from_diagonal(&local.scale),
                translation: above.point(&local.translation),
            };
        }
    }
}

/// The model transform of one joint alone: by those above it.
#[must_use]
pub fn model_of(tree: JointTree<'_>, locals: &[Transform], root: &Affine, joint: usize) -> Affine {
    let mut path: Vec<usize> = std::iter::successors(Some(joint), |at| tree.parent(*at)).collect();
    path.reverse();
    let mut model = *root;
    let mut turned = root.linear;
    for at in path {
        let Some(local) = locals.get(at) else { break };
        let linear = if tree.left_out(at).is_some() { turned } else { model.linear };
        turned = linear * local.rotation.to_rotation_matrix().matrix();
        model =
            Affine { linear: turned * Mat3::from_diagonal(&local.scale), translation: model.point(&local.translation) };
    }
    model
}

/// What a joint's rotation and scale act in, where its parent's scale is left out: the parent's linear part without that
/// scale. An axis without size stays without.
#[must_use]
pub fn without_scale(parent: &Mat3, scale: &Vec3) -> Mat3 {
    parent * Mat3::from_diagonal(&scale.map(|factor| if factor == 0.0 { 1.0 } else { 1.0 / factor }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::from_axis_angle;

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
        model_from_locals(JointTree::plain(&parents), &locals, &root, &mut model);
        let product = locals.iter().fold(root.to_mat4(), |m, local| m * local.to_affine().to_mat4());
        assert!((model[5].to_mat4() - product).norm() < 1e-13);
        assert!(model[5].shear() > 0.01 && model[0].shear() < 1e-15);
    }

    #[test]
    fn updating_from_a_joint_equals_computing_all() {
        let (parents, mut locals) = chain(8);
        let mut model = Vec::new();
        model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut model);
        locals[3].rotation = from_axis_angle(&Vec3::y(), 2.0);
        update_from(3, JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut model);
        let mut again = Vec::new();
        model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut again);
        assert_eq!(model, again);
    }

    #[test]
    fn bad_parents_and_short_lists_are_defined() {
        let (_, locals) = chain(3);
        let mut model = vec![Affine::IDENTITY; 9];
        model_from_locals(JointTree::plain(&[None, Some(7), Some(0)]), &locals, &Affine::IDENTITY, &mut model);
        assert_eq!(model.len(), 3);
        assert_eq!(model[1], locals[1].to_affine());
        model_from_locals(JointTree::default(), &locals, &Affine::IDENTITY, &mut model);
        assert!(model.is_empty());
    }

    #[test]
    fn a_joint_that_leaves_its_parents_scale_out_is_the_closed_form() {
        let (parents, mut locals) = chain(6);
        for (index, local) in locals.iter_mut().enumerate() {
            local.scale = Vec3::new(1.0 + 0.3 * index as f64, 0.5, 2.0 - 0.1 * index as f64);
        }
        let own_scale = [false, true, true, false, true, false];
        let tree = JointTree { parents: &parents, own_scale: &own_scale };
        let root = Transform { scale: Vec3::new(2.0, 1.0, 3.0), ..Transform::from_translation(Vec3::x()) }.to_affine();
        let mut model = Vec::new();
        model_from_locals(tree, &locals, &root, &mut model);
        let mut product = root.to_mat4();
        for (index, local) in locals.iter().enumerate() {
            let t = Transform::from_translation(local.translation).to_affine().to_mat4();
            let scale = |s: Vec3| Transform { scale: s, ..Transform::IDENTITY }.to_affine().to_mat4();
            let r = Transform::from_rotation(local.rotation).to_affine().to_mat4();
            let left_out = if own_scale[index] { locals[index - 1].scale.map(|s| 1.0 / s) } else { Vec3::repeat(1.0) };
            product = product * t * scale(left_out) * r * scale(local.scale);
            assert!((model[index].to_mat4() - product).norm() < 1e-12 * product.norm(), "joint {index}");
            let alone = model_of(tree, &locals, &root, index);
            assert!((alone.to_mat4() - product).norm() < 1e-12 * product.norm(), "joint {index} alone");
        }
        let divided = without_scale(&model[0].linear, &locals[0].scale);
        let own = divided * locals[1].to_affine().linear;
        assert!((own - model[1].linear).norm() < 1e-12);
    }

    #[test]
    fn updating_from_a_joint_with_own_scales_equals_computing_all() {
        let (parents, mut locals) = chain(8);
        let tree = JointTree { parents: &parents, own_scale: &[false, true, false, true, true, true, false, true] };
        let mut model = Vec::new();
        model_from_locals(tree, &locals, &Affine::IDENTITY, &mut model);
        locals[3].scale = Vec3::new(3.0, 0.2, 1.0);
        update_from(3, tree, &locals, &Affine::IDENTITY, &mut model);
        let mut again = Vec::new();
        model_from_locals(tree, &locals, &Affine::IDENTITY, &mut again);
        assert_eq!(model, again);
    }

    #[test]
    fn a_parent_flattened_to_nothing_leaves_such_a_child_whole() {
        let parents = [None, Some(0), Some(1)];
        let mut locals = [Transform::from_translation(Vec3::y()); 3];
        locals[0].scale = Vec3::zeros();
        locals[1].rotation = from_axis_angle(&Vec3::z(), 0.5);
        let mut model = Vec::new();
        let tree = JointTree { parents: &parents, own_scale: &[false, true, false] };
        model_from_locals(tree, &locals, &Affine::IDENTITY, &mut model);
        assert_eq!(model[1].translation, Vec3::y(), "its place is in the flattened space");
        assert!((model[1].linear - locals[1].to_affine().linear).norm() < 1e-15);
        assert!((model[2].translation - Vec3::y() - model[1].linear.column(1)).norm() < 1e-15);
    }
}
