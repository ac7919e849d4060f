//! Rotations: Euler orders, shortest arcs, swing and twist, logarithms, interpolation.

use super::{Mat3, Quat};
use nalgebra::{Rotation3, UnitQuaternion};

/// One of the six orders of three different axes. Intrinsic, first listed outermost: `Zxy` is `R = Rz * Rx * Ry`, as in
/// a BVH CHANNELS line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum EulerOrder {
    /// `Rx * Ry * Rz`
    Xyz,
    /// `Rx * Rz * Ry`
    Xzy,
    /// `Ry * Rx * Rz`
    Yxz,
    /// `Ry * Rz * Rx`
    Yzx,
    /// `Rz * Rx * Ry`: the classic order of BVH files.
    #[default]
    Zxy,
    /// `Rz * Ry * Rx`
    Zyx,
}

impl EulerOrder {
    /// All six orders.
    pub const ALL: [Self; 6] = [Self::Xyz, Self::Xzy, Self::Yxz, Self::Yzx, Self::Zxy, Self::Zyx];

    /// The axes (0 = X, 1 = Y, 2 = Z) in multiplication order, outermost first.
    #[must_use]
    pub const fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }
}

/// The proper rotation nearest a matrix, in the Frobenius norm.
#[must_use]
pub fn nearest_rotation(linear: &Mat3) -> Quat {
    let svd = linear.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Quat::identity() };
    let mut flip = Mat3::identity();
    if (u * v_t).determinant() < 0.0 {
        flip[(2, 2)] = -1.0;
    }
    let rotation = u * flip * v_t;
    if rotation.iter().all(|v| v.is_finite()) {
        UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation))
    } else {
        Quat::identity()
    }
}
