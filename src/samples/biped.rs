//! The sample character: a biped of 1.75 m in a T-pose, facing +Z, left at +X.

use super::round6;
use crate::{
    math::Vec3,
    model::{Document, Joint, JointId, JointKind, Object, ObjectId, Rig, Skeleton},
};
use std::sync::Arc;

/// Height of the hips joint above the ground at rest, metres.
pub(super) const HIPS_HEIGHT: f64 = 0.985;
/// From the hips to the left thigh, metres; the right is mirrored.
pub(super) const THIGH_OFFSET: [f64; 3] = [0.09, -0.04, 0.0];
/// Length of the thigh, metres.
pub(super) const THIGH: f64 = 0.435;
/// Length of the shin, metres.
pub(super) const SHIN: f64 = 0.43;
/// Height of the ankle above the sole, metres.
pub(super) const ANKLE_HEIGHT: f64 = 0.08;
/// From the ankle to the ball of the foot, metres.
pub(super) const BALL_OFFSET: [f64; 3] = [0.0, -0.06, 0.13];
/// How far the heel reaches behind the ankle, metres.
pub(super) const HEEL: f64 = 0.05;

/// One joint of a table: name, parent's name, offset from it. A name that ends in `_end` is a bone's tip.
type Row = (&'static str, &'static str, [f64; 3]);

const MIDDLE: &[Row] = &[
    ("hips", "", [0.0, HIPS_HEIGHT, 0.0]),
    ("spine", "hips", [0.0, 0.1, 0.0]),
    ("chest", "spine", [0.0, 0.15, -0.005]),
    ("neck", "chest", [0.0, 0.255, -0.01]),
    ("head", "neck", [0.0, 0.09, 0.015]),
    ("head_end", "head", [0.0, 0.19, 0.01]),
];

/// The left side; the right is its mirror image.
const SIDE: &[Row] = &[
    ("clavicle", "chest", [0.025, 0.205, 0.01]),
    ("upper_arm", "clavicle", [0.155, 0.0, -0.02]),
    ("forearm", "upper_arm", [0.275, 0.0, 0.0]),
    ("hand", "forearm", [0.25, 0.0, 0.005]),
    ("hand_end", "hand", [0.17, 0.0, 0.0]),
    ("thigh", "hips", THIGH_OFFSET),
    ("shin", "thigh", [0.0, -THIGH, 0.0]),
    ("foot", "shin", [0.0, -SHIN, 0.0]),
    ("toe", "foot", BALL_OFFSET),
    ("toe_end", "toe", [0.0, -0.005, 0.075]),
];

/// The biped's skeleton: names end in `.l` and `.r` on the sides.
pub(super) fn skeleton() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: &str, offset: [f64; 3]| {
        let parent = joints.iter().find(|joint| joint.name == parent).map(|joint| joint.id);
        let id = JointId(u32::try_from(joints.len()).unwrap_or(u32::MAX));
        let mut joint = Joint::new(id, &name, parent, Vec3::from(offset).map(round6));
        if name.contains("_end") {
            joint.kind = JointKind::End;
        }
        joints.push(joint);
    };
    for (name, parent, offset) in MIDDLE {
        add((*name).to_owned(), parent, *offset);
    }
    for (suffix, side) in [(".l", 1.0), (".r", -1.0)] {
        for (name, parent, [x, y, z]) in SIDE {
            let own = SIDE.iter().any(|(other, ..)| other == parent);
            let parent = if own { format!("{parent}{suffix}") } else { (*parent).to_owned() };
            add(format!("{name}{suffix}"), &parent, [x * side, *y, *z]);
        }
    }
    // The table lists parents first.
    Skeleton::new(joints).unwrap_or_default()
}

/// Adds the biped to a document.
pub(super) fn add_to(document: &mut Document) -> (ObjectId, Arc<Skeleton>) {
    let skeleton = Arc::new(skeleton());
    let rig = Rig { skeleton: skeleton.clone(), ..Rig::default() };
    (document.add_object(Object::rig("Biped", rig)), skeleton)
}
