//! The rest pose of one side given to the other.

use super::{
    Animation, Counterparts,
    mirrored::{self, Sides},
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
    (by, make): (&Counterparts, bool),
    animation: Animation,
) -> Result<(), EditError> {
    let skeleton = skeleton_of(document, object)?;
    all_there(&skeleton, object, named)?;
    let model = rest_model(&skeleton);
    let Symmetry { plane, partners, size } = symmetry(document, object, &skeleton, &model, by);
    let mut joints = skeleton.joints().to_vec();
    // Which joint is the model of which.
    let mut models: BTreeMap<JointId, JointId> = BTreeMap::new();
    let mut others: BTreeMap<JointId, JointId> = BTreeMap::new();
    let mut made: BTreeMap<JointId, JointId> = BTreeMap::new();
    let mut next = skeleton.fresh_id().0;
    for joint in skeleton.joints().iter().filter(|joint| named.contains(&joint.id)) {
        let Some(world) = model.get(&joint.id) else { continue };
        let middle = plane.side(&world.translation).abs() <= ON_PLANE * size;
        let other = match partners.get(&joint.id).copied().filter(|other| *other != joint.id) {
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
                made.insert(joint.id, other);
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
    replace(document, object, joints, animation)?;
    let is_middle = |joint: JointId| {
        let at = model.get(&joint);
        !partners.contains_key(&joint) && at.is_some_and(|at| plane.side(&at.translation).abs() <= ON_PLANE * size)
    };
    let sides = Sides { normal: plane.normal, made: &made, partners: &partners, is_middle: &is_middle };
    mirrored::say(document, object, &sides)
}

/// Which joints of a rig belong together as the body's two sides; those without a counterpart are left out.
#[must_use]
pub fn counterparts(document: &Document, object: ObjectId, by: &Counterparts) -> BTreeMap<JointId, JointId> {
    let Ok(skeleton) = skeleton_of(document, object) else { return BTreeMap::new() };
    symmetry(document, object, &skeleton, &rest_model(&skeleton), by).partners
}

/// A plane of symmetry and the joints that have a counterpart.
struct Symmetry {
    plane: Plane,
    partners: BTreeMap<JointId, JointId>,
    /// The greatest distance of a joint from the plane's middle, metres.
    size: f64,
}

/// The plane goes through the first root. Without any pair nothing says which way the body faces: it is square to X.
fn symmetry(
    document: &Document,
    object: ObjectId,
    skeleton: &Skeleton,
    model: &BTreeMap<JointId, Affine>,
    by: &Counterparts,
) -> Symmetry {
    let found = Mirror::of_object(document, object);
    let id = |index: usize| skeleton.joints().get(index).map(|joint| joint.id);
    let pairs = found.as_ref().map(|mirror| {
        let pairs = (0..skeleton.len()).map(|index| (index, mirror.partner(index))).filter(|(a, b)| a != b);
        pairs.filter_map(|(a, b)| Some((id(a)?, id(b)?))).collect::<BTreeMap<_, _>>()
    });
    let paired = pairs.unwrap_or_default();
    let normal = found.filter(|_| !paired.is_empty()).map_or_else(Vec3::x, |mirror| mirror.normal());
    let root = skeleton.joints().first().and_then(|root| model.get(&root.id));
    let plane = Plane { normal, through: root.map_or_else(Vec3::zeros, |root| root.translation) };
    let size = model.values().map(|at| (at.translation - plane.through).norm()).fold(0.0, f64::max);
    let partners = match by {
        Counterparts::Found => {
            let mut partners = paired;
            for (joint, other) in placed(skeleton, model, &plane, size) {
                if !partners.contains_key(&joint) && !partners.contains_key(&other) {
                    partners.insert(joint, other);
                    partners.insert(other, joint);
                }
            }
            partners
        }
        Counterparts::Named => named(skeleton),
        Counterparts::Placed => placed(skeleton, model, &plane, size).into_iter().collect(),
        Counterparts::Given(partners) => partners.clone(),
    };
    Symmetry { plane, partners, size }
}

/// Pairs whose names say so; of several joints of one name the first.
fn named(skeleton: &Skeleton) -> BTreeMap<JointId, JointId> {
    let mut by_name: BTreeMap<&str, JointId> = BTreeMap::new();
    for joint in skeleton.joints() {
        by_name.entry(&joint.name).or_insert(joint.id);
    }
    let other = |joint: &Joint| {
        let name = mirrored_name(&joint.name);
        by_name.get(&*name).copied().filter(|other| *other != joint.id && name != joint.name)
    };
    skeleton.joints().iter().filter_map(|joint| Some((joint.id, other(joint)?))).collect()
}

/// Pairs whose places at rest mirror each other, the nearest of each.
fn placed(skeleton: &Skeleton, model: &BTreeMap<JointId, Affine>, plane: &Plane, size: f64) -> Vec<(JointId, JointId)> {
    let places: Vec<(&Joint, Vec3)> =
        skeleton.joints().iter().filter_map(|joint| Some((joint, model.get(&joint.id)?.translation))).collect();
    let apart = places.iter().filter(|(_, at)| plane.side(at).abs() > ON_PLANE * size);
    let pair = apart.filter_map(|(joint, at)| {
        let wanted = plane.place(at);
        let near = places.iter().filter(|(other, _)| other.id != joint.id && other.is_end() == joint.is_end());
        let near = near.map(|(other, at)| (other.id, (at - wanted).norm()));
        let (other, far) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (far <= SAME_PLACE * size).then_some((joint.id, other))
    });
    pair.collect()
}
