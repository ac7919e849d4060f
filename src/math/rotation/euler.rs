//! Euler triples in the six orders of three different axes, both ways.
//!
//! A triple holds the angles in channel order: `[first, middle, third]` of `R = R_first * R_middle * R_third`
//! (intrinsic, as in a BVH CHANNELS line).

use super::{euler_filter::wrap_angle, unit};
use crate::math::{Mat3, Quat, Vec3, trig::sin_cos_each};
use std::f64::consts::FRAC_PI_2;

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

    /// The order whose axes are these, outermost first, or none where they are not three different ones.
    #[must_use]
    pub fn from_axes(axes: [usize; 3]) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.axes() == axes)
    }

    /// +1 where the axes follow each other cyclically (XYZ, YZX, ZXY), -1 otherwise.
    #[must_use]
    pub const fn parity(self) -> f64 {
        match self {
            Self::Xyz | Self::Yzx | Self::Zxy => 1.0,
            Self::Xzy | Self::Yxz | Self::Zyx => -1.0,
        }
    }
}

/// The rotation of an Euler triple, `R_first * R_middle * R_third`, radians. The sign of the quaternion follows the
/// angles continuously.
#[must_use]
pub fn from_euler(order: EulerOrder, angles: [f64; 3]) -> Quat {
    let ([s0, s1, s2], [c0, c1, c2]) = sin_cos_each(angles.map(|angle| 0.5 * angle));
    // The product of the three elementary quaternions, with the cross terms' sign taken from the order's parity.
    let e = order.parity();
    let w = c0 * c1 * c2 - e * s0 * s1 * s2;
    let i = s0 * c1 * c2 + e * c0 * s1 * s2;
    let j = c0 * s1 * c2 - e * s0 * c1 * s2;
    let k = c0 * c1 * s2 + e * s0 * s1 * c2;
    match order {
        EulerOrder::Xyz => unit(i, j, k, w),
        EulerOrder::Xzy => unit(i, k, j, w),
        EulerOrder::Yxz => unit(j, i, k, w),
        EulerOrder::Yzx => unit(k, i, j, w),
        EulerOrder::Zxy => unit(j, k, i, w),
        EulerOrder::Zyx => unit(k, j, i, w),
    }
}

/// What the Euler angles of a rotation are: one triple, or at gimbal lock a whole line of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EulerSolution {
    /// The principal triple: first and third in (-pi, pi], middle in [-pi/2, pi/2].
    Regular([f64; 3]),
    /// Gimbal lock: the middle angle is pi/2 or -pi/2 and only a sum of the other two is determined.
    Locked {
        /// The middle angle, pi/2 or -pi/2.
        middle: f64,
        /// `first + third_sign * third`, in (-pi, pi].
        sum: f64,
        /// +1 or -1.
        third_sign: f64,
    },
}

/// How near gimbal lock (in the quaternion's parts, so about the same in radians) a triple is no longer told apart: the
/// rotation rebuilt from the canonical triple differs by no more than this, and above it the single angles keep seven
/// digits.
const LOCK: f64 = 1e-9;

/// The Euler angles of a rotation in one order.
///
/// The half sum and half difference of the outer angles are read off the quaternion directly, which stays accurate up to
/// gimbal lock. After E. Bernardes and S. Viollet, *Quaternion to Euler angles conversion*, PLoS ONE 17, 2022.
#[must_use]
pub fn euler_solution(order: EulerOrder, rotation: &Quat) -> EulerSolution {
    let v = rotation.imag();
    let [first, middle, third] = order.axes();
    let e = order.parity();
    let (w, i, j, k) = (rotation.w, v[first], e * v[middle], v[third]);
    let plus = (w + j).hypot(i + k);
    let minus = (w - j).hypot(i - k);
    let half_sum = (i + k).atan2(w + j);
    let half_difference = (i - k).atan2(w - j);
    // With odd parity the roles of "plus" and "minus" are those of the negated middle angle.
    if minus < LOCK {
        return EulerSolution::Locked { middle: e * FRAC_PI_2, sum: wrap_angle(2.0 * half_sum), third_sign: 1.0 };
    }
    if plus < LOCK {
        return EulerSolution::Locked {
            middle: -e * FRAC_PI_2,
            sum: wrap_angle(2.0 * half_difference),
            third_sign: -1.0,
        };
    }
    EulerSolution::Regular([
        wrap_angle(half_sum + half_difference),
        e * (2.0 * plus.atan2(minus) - FRAC_PI_2),
        wrap_angle(half_sum - half_difference),
    ])
}

/// The principal Euler triple of a rotation, radians: first and third in (-pi, pi], middle in [-pi/2, pi/2]. At gimbal
/// lock the canonical triple, whose third angle is 0.
#[must_use]
pub fn to_euler(order: EulerOrder, rotation: &Quat) -> [f64; 3] {
    match euler_solution(order, rotation) {
        EulerSolution::Regular(angles) => angles,
        EulerSolution::Locked { middle, sum, .. } => [sum, middle, 0.0],
    }
}

/// The rate map of a triple: column n is the angular velocity, in the outer frame, of one unit of rate of angle n. Its
/// rank drops to two at gimbal lock.
#[must_use]
pub fn euler_rates(order: EulerOrder, angles: [f64; 3]) -> Mat3 {
    let axis = |n: usize| Vec3::ith(order.axes()[n], 1.0);
    let outer = super::from_axis_angle(&axis(0), angles[0]);
    let middle = outer * super::from_axis_angle(&axis(1), angles[1]);
    Mat3::from_columns(&[axis(0), outer * axis(1), middle * axis(2)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::from_axis_angle;

    fn by_product(order: EulerOrder, angles: [f64; 3]) -> Quat {
        let turn = |n: usize| from_axis_angle(&Vec3::ith(order.axes()[n], 1.0), angles[n]);
        turn(0) * turn(1) * turn(2)
    }

    fn distance(a: &Quat, b: &Quat) -> f64 {
        (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
    }

    #[test]
    fn the_closed_form_is_the_product_of_the_elementary_rotations() {
        for order in EulerOrder::ALL {
            for i in 0..300 {
                let f = f64::from(i);
                let angles = [5.0 * (1.7 * f).sin(), 4.0 * (0.9 * f).cos(), 6.0 * (0.4 * f).sin()];
                assert!((from_euler(order, angles).coords - by_product(order, angles).coords).norm() < 2e-15);
            }
        }
    }

    #[test]
    fn principal_triples_come_back_and_rebuild_the_rotation_up_to_gimbal_lock() {
        for order in EulerOrder::ALL {
            for side in [1.0, -1.0] {
                for exponent in 0..17 {
                    let middle = side * (FRAC_PI_2 - 1.2 * 10f64.powi(-exponent));
                    let angles = [2.9, middle, -1.3];
                    let q = from_euler(order, angles);
                    let back = to_euler(order, &q);
                    assert!(distance(&from_euler(order, back), &q) < 2.0 * LOCK, "{order:?} {middle} {back:?}");
                    assert!((back[1] - middle).abs() < 2.0 * LOCK);
                    if exponent < 7 {
                        let error = (0..3).map(|n| (back[n] - angles[n]).abs()).fold(0.0, f64::max);
                        assert!(error < 1e-15 * 10f64.powi(exponent + 1), "{order:?} {exponent} {error}");
                    }
                }
                let q = from_euler(order, [0.4, side * FRAC_PI_2, 0.9]);
                let back = to_euler(order, &q);
                assert_eq!((back[1], back[2]), (side * FRAC_PI_2, 0.0));
                assert!(distance(&from_euler(order, back), &q) < 1e-15);
            }
        }
    }

    #[test]
    fn the_rate_map_loses_rank_only_at_gimbal_lock() {
        for order in EulerOrder::ALL {
            let smallest = |middle: f64| euler_rates(order, [0.3, middle, 0.8]).singular_values()[2];
            assert!((smallest(0.0) - 1.0).abs() < 1e-12);
            assert!(smallest(FRAC_PI_2) < 1e-12 && smallest(-FRAC_PI_2) < 1e-12);
        }
    }

    #[test]
    fn orders_are_found_by_their_axes() {
        for order in EulerOrder::ALL {
            assert_eq!(EulerOrder::from_axes(order.axes()), Some(order));
        }
        assert_eq!(EulerOrder::from_axes([0, 1, 0]), None);
    }
}
