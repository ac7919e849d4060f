//! The skeleton that is sampled and dragged: limbs of ten joints from one root.

use inbetween::{
    math::Vec3,
    model::{Joint, JointId, Skeleton},
};

/// So many joints.
pub(crate) fn skeleton(joints: u32) -> Skeleton {
    let joints = (0..joints).map(|i| {
        let parent = match i {
            0 => None,
            i if i % 10 == 0 => Some(JointId(0)),
            i => Some(JointId(i - 1)),
        };
        Joint::new(JointId(i), &format!("joint{i}"), parent, Vec3::new(0.05, 0.1, 0.01 * f64::from(i % 3)))
    });
    Skeleton::new(joints.collect()).unwrap()
}
