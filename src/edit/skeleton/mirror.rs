//! The rest pose of one side given to the other.

use super::{
    Animation,
    tree::{Above, all_there, replace, rest_model, skeleton_of},
};
use crate::{
    edit::EditError,
    eval::mirror::{Mirror, mirrored_name},
    math::{Affine, Mat3, Vec3},
    model::{Document, Joint, JointId, ObjectId, Skeleton},
};
use std::collections::{BTreeMap, BTreeSet};

/// A joint nearer to the middle plane than this part of the skeleton's size has no other side.
const ON_PLANE: f64 = 1e-4;
/// Joints whose places mirror each other within this part of the skeleton's size are counterparts.
const SAME_PLACE: f64 = 1e-3;

/// A plane of symmetry in the rig's space.
struct Plane {
    normal: Vec3,
    through: Vec3,
}

impl Plane {
    fn side(&self, place: &Vec3) -> f64 {
        self.normal.dot(&(place - self.through))
    }

    fn place(&self, place: &Vec3) -> Vec3 {
        place - self.normal * (2.0 * self.side(place))
    }

    /// A place and its axes as a mirror shows them: conjugated, so that right-handed axes stay right-handed.
    fn joint(&self, world: &Affine) -> Affine {
        let flip = Mat3::identity() - self.normal * self.normal.transpose() * 2.0;
        Affine { linear: flip * world.linear * flip, translation: self.place(&world.translation) }
    }
}

pub(super) fn mirror(
    document: &mut Document,
    object: ObjectId,
    named: &BTreeSet<JointId>,
    make: bool,
    animation: Animation,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, named)?;
    let model = rest_model(&skeleton);
    let (plane, partners) = symmetry(document, object, &skeleton, &model);
    let size = model.values().map(|at| (at.translation - plane.through).norm()).fold(0.0, f64::max);
    let mut joints = skeleton.joints().to_vec();
    // Which joint is the model of which.
    let mut models: BTreeMap<JointId, JointId> = BTreeMap::new();
    let mut others: BTreeMap<JointId, JointId> = BTreeMap::new();
    let mut next = skeleton.fresh_id().0;
    for joint in skeleton.joints().iter().filter(|joint| named.contains(&joint.id)) {
        let Some(world) = model.get(&joint.id) else { continue };
        let at_place = || {
            let place = plane.place(&world.translation);
            let near = |at: &Affine| (at.translation - place).norm() <= SAME_PLACE * size;
            let mut apart = model.iter().filter(|(id, at)| **id != joint.id && near(at));
            apart
                .find(|(id, _)| skeleton.joint(**id).is_some_and(|other| other.is_end() == joint.is_end()))
                .map(|(id, _)| *id)
        };
        let middle = plane.side(&world.translation).abs() <= ON_PLANE * size;
        let other = partners.get(&joint.id).copied().or_else(|| if middle { None } else { at_place() });
        let other = match other {
            Some(other) if models.contains_key(&joint.id) || models.contains_key(&other) => continue,
            Some(other) => other,
            None if middle || !make => continue,
            None => {
                let other = JointId(next);
                next = next.saturating_add(1);
                let parent = joint.parent.map(|parent| {
                    let paired = others.get(&parent).or_else(|| partners.get(&parent));
                    paired.copied().unwrap_or(parent)
                });
                let name = if joint.name.is_empty() { String::new() } else { mirrored_name(&joint.name) };
                let (id, file_channels) = (other, Vec::new());
                joints.push(Joint { id, name, parent, file_channels, ..joint.clone() });
                other
            }
        };
        models.insert(other, joint.id);
        others.insert(joint.id, other);
    }
    let mut now: BTreeMap<JointId, (Affine, Vec3)> = BTreeMap::new();
    for joint in &mut joints {
        let parent = joint.parent.and_then(|parent| now.get(&parent));
        let above = Above::new(joint, parent.map(|(place, scale)| (place, scale)));
        if let Some(world) = models.get(&joint.id).and_then(|model_of| model.get(model_of)) {
            joint.rest = above.local(&plane.joint(world)).ok_or(EditError::NoRestSpace(object, joint.id))?;
        }
        now.insert(joint.id, (above.model(&joint.rest), joint.rest.scale));
    }
    replace(document, object, joints, animation)
}

/// The plane of symmetry, through the first root, and the joints that have a counterpart. Without any pair nothing says which
/// way the body faces: the plane is square to X.
fn symmetry(
    document: &Document,
    object: ObjectId,
    skeleton: &Skeleton,
    model: &BTreeMap<JointId, Affine>,
) -> (Plane, BTreeMap<JointId, JointId>) {
    let found = Mirror::of_object(document, object);
    let id = |index: usize| skeleton.joints().get(index).map(|joint| joint.id);
    let pairs = found.as_ref().map(|mirror| {
        let pairs = (0..skeleton.len()).map(|index| (index, mirror.partner(index))).filter(|(a, b)| a != b);
        pairs.filter_map(|(a, b)| Some((id(a)?, id(b)?))).collect::<BTreeMap<_, _>>()
    });
    let partners = pairs.unwrap_or_default();
    let normal = found.filter(|_| !partners.is_empty()).map_or_else(Vec3::x, |mirror| mirror.normal());
    let root = skeleton.joints().first().and_then(|root| model.get(&root.id));
    (Plane { normal, through: root.map_or_else(Vec3::zeros, |root| root.translation) }, partners)
}
