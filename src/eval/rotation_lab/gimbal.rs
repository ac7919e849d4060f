//! Three rings in each other, and how near they are to lock.

use crate::math::{
    EulerOrder, Quat, Vec3,
    rotation::{euler_rates, from_axis_angle},
};

/// How each ring stands, outermost first: ring n turns about its own `order.axes()[n]`, carried by those around it. The last
/// one carries the body and stands as the whole rotation does. Angles in the order's sequence, radians.
#[must_use]
pub fn ring_frames(order: EulerOrder, angles: [f64; 3]) -> [Quat; 3] {
    let turn = |n: usize| from_axis_angle(&Vec3::ith(order.axes()[n], 1.0), angles[n]);
    let outer = turn(0);
    let middle = outer * turn(1);
    [outer, middle, middle * turn(2)]
}

/// How near three rings are to lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GimbalMeter {
    /// The angle between the axes of the outer and the inner ring, as lines: radians, 0 in lock, pi/2 farthest from it.
    pub from_lock: f64,
    /// The least singular value of the rate map, 0 in lock, 1 farthest from it: how much turning one gets for turning the
    /// rings, in the worst direction. Equal to `sqrt(1 - cos(from_lock))`.
    pub gain: f64,
    /// The direction about which the rings turn the body least, and in lock not at all: unit, in the space the outer ring
    /// stands in.
    pub lost: Vec3,
    /// The letter of that direction in the frame of the outer ring: 0 = X, 1 = Y, 2 = Z. It is the inner ring's.
    pub lost_axis: usize,
}

/// How near a triple (radians, in the order's sequence) is to gimbal lock, and what it would lose.
///
/// In lock the inner ring's axis lies on the outer one's, so that both do the same, and nothing turns about what is square
/// to these and to the middle one's: that is where the inner ring's axis was with the middle angle at 0.
#[must_use]
pub fn meter(order: EulerOrder, angles: [f64; 3]) -> GimbalMeter {
    let (sin, cos) = angles[1].sin_cos();
    let from_lock = cos.abs().atan2(sin.abs());
    // The outer and inner axes' lines meet at `from_lock`; the middle one is square to both. So the squares of the singular
    // values are 1 and 1 +- cos(from_lock); the lesser as a square of a half angle, exact near lock.
    let gain = std::f64::consts::SQRT_2 * (from_lock / 2.0).sin();
    let rates = euler_rates(order, angles);
    let (outer, middle, inner) = (rates.column(0), rates.column(1), rates.column(2));
    // Between the two lines, on the side where their rates cancel; in the plane square to the middle axis.
    let sign = if outer.dot(&inner) < 0.0 { -1.0 } else { 1.0 };
    let between: Vec3 = outer + inner * sign;
    let lost = middle.cross(&between).try_normalize(1e-12).unwrap_or_else(|| outer.into());
    GimbalMeter { from_lock, gain, lost, lost_axis: order.axes()[2] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{chord_angle, from_euler};
    use std::f64::consts::FRAC_PI_2;

    fn triples() -> impl Iterator<Item = [f64; 3]> {
        let middles = [-4.0, -FRAC_PI_2, -1.5, -0.6, 0.0, 0.3, 1.0, FRAC_PI_2 - 1e-6, FRAC_PI_2, 2.0, 3.0, 40.0];
        middles.into_iter().flat_map(|middle| [[0.7, middle, -1.1], [-3.0, middle, 2.0], [0.0, middle, 0.0]])
    }

    #[test]
    fn the_innermost_ring_stands_as_the_rotation_does() {
        for order in EulerOrder::ALL {
            for angles in triples() {
                let rings = ring_frames(order, angles);
                assert!(chord_angle(&rings[2], &from_euler(order, angles)) < 1e-12, "{order:?} {angles:?}");
                let axis = Vec3::ith(order.axes()[0], 1.0);
                assert!((rings[0] * axis - axis).norm() < 1e-12, "the outer ring's own axis stays");
            }
        }
    }

    /// Against the singular values of the rate map, worked out by themselves.
    #[test]
    fn the_meter_is_the_rate_maps_least_singular_value() {
        for order in EulerOrder::ALL {
            for angles in triples() {
                let (meter, rates) = (meter(order, angles), euler_rates(order, angles));
                let svd = rates.svd(true, true);
                let (least, at) = (svd.singular_values[2], svd.u.unwrap().column(2).into_owned());
                assert!((meter.gain - least).abs() < 1e-7, "{order:?} {angles:?}: {} {least}", meter.gain);
                assert!((meter.lost.norm() - 1.0).abs() < 1e-12);
                // What is lost is what the rings turn least: as a line, where it is one line alone.
                if least < 0.9 {
                    assert!(meter.lost.cross(&at).norm() < 1e-6, "{order:?} {angles:?}: {} {at}", meter.lost);
                    let turned = (rates.transpose() * meter.lost).norm();
                    assert!((turned - least).abs() < 1e-7);
                }
            }
        }
    }

    #[test]
    fn in_lock_the_lost_axis_is_the_inner_rings_letter() {
        for order in EulerOrder::ALL {
            for middle in [FRAC_PI_2, -FRAC_PI_2, 5.0 * FRAC_PI_2] {
                let angles = [0.8, middle, -0.3];
                let meter = meter(order, angles);
                assert!(meter.from_lock < 1e-12 && meter.gain < 1e-12, "{meter:?}");
                let letter = ring_frames(order, angles)[0] * Vec3::ith(meter.lost_axis, 1.0);
                assert!(meter.lost.cross(&letter).norm() < 1e-9, "{order:?}: {} {letter}", meter.lost);
            }
            let free = meter(order, [0.4, 0.0, 2.0]);
            assert!((free.from_lock - FRAC_PI_2).abs() < 1e-12 && (free.gain - 1.0).abs() < 1e-12);
        }
    }
}
