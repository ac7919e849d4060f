//! Poses in single precision, eight joints side by side.

use crate::math::{
    Quat, Transform, Vec3,
    lanes::{LANES, Lanes},
    rotation::try_unit,
};

/// Eight joints, each number of all of them side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Eight {
    /// X, Y, Z, metres.
    pub(super) translation: [Lanes<f32>; 3],
    /// X, Y, Z, W of unit quaternions.
    pub(super) rotation: [Lanes<f32>; 4],
    /// Along X, Y, Z.
    pub(super) scale: [Lanes<f32>; 3],
}

impl Eight {
    fn identity() -> Self {
        let (zero, one) = (Lanes::splat(0.0), Lanes::splat(1.0));
        Self { translation: [zero; 3], rotation: [zero, zero, zero, one], scale: [one; 3] }
    }
}

/// The local transforms of all joints of a skeleton, by joint index, each in its parent's space: metres, unit quaternions,
/// factors. Beyond the last joint the lanes are filled up with identities.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedPose {
    pub(super) groups: Vec<Eight>,
    count: usize,
}

impl PackedPose {
    /// Transforms packed.
    #[must_use]
    pub fn new(locals: &[Transform]) -> Self {
        let mut groups = vec![Eight::identity(); locals.len().div_ceil(LANES)];
        for (joint, local) in locals.iter().enumerate() {
            let (group, lane) = (&mut groups[joint / LANES], joint % LANES);
            for axis in 0..3 {
                group.translation[axis].0[lane] = single(local.translation[axis]);
                group.scale[axis].0[lane] = single(local.scale[axis]);
            }
            for part in 0..4 {
                group.rotation[part].0[lane] = single(local.rotation.coords[part]);
            }
        }
        Self { groups, count: locals.len() }
    }

    /// How many joints there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no joint.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The transforms, in double precision again: quaternions are brought to length 1.
    #[must_use]
    pub fn locals(&self) -> Vec<Transform> {
        let local = |joint: usize| {
            let (group, lane) = (&self.groups[joint / LANES], joint % LANES);
            let vector = |of: &[Lanes<f32>; 3]| {
                Vec3::new(f64::from(of[0].0[lane]), f64::from(of[1].0[lane]), f64::from(of[2].0[lane]))
            };
            let [x, y, z, w] = group.rotation.map(|part| f64::from(part.0[lane]));
            Transform {
                translation: vector(&group.translation),
                rotation: try_unit(x, y, z, w).unwrap_or_else(Quat::identity),
                scale: vector(&group.scale),
            }
        };
        (0..self.count).map(local).collect()
    }
}

/// A number in single precision.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what pictures take")]
pub(super) const fn single(value: f64) -> f32 {
    value as f32
}
