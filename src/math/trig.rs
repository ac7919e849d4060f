//! Sine and cosine together, fast and the same on every platform.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// Beyond this the reduction below would lose digits, and the standard library takes over. No angle of an animation
/// comes near.
const FAR: f64 = 1e5;

/// Sine and cosine of an angle in radians, within 1.2e-16 of the true values up to 100,000 radians.
///
/// The standard library leaves these to the platform, whose answers differ in the last digit; these are the same
/// everywhere. Reduction to a quarter turn in three parts (W. J. Cody and W. Waite, *Software manual for the elementary
/// functions*, 1980), then the polynomials of fdlibm's kernels.
#[must_use]
#[inline]
pub fn sin_cos(angle: f64) -> (f64, f64) {
    let ([sin], [cos]) = sin_cos_each([angle]);
    (sin, cos)
}

/// [`sin_cos`] of several angles at once: `(sines, cosines)`. The same numbers, and faster together than one by one.
#[must_use]
#[inline]
pub fn sin_cos_each<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    if !angles.iter().all(|angle| angle.abs() < FAR) {
        return (angles.map(f64::sin), angles.map(f64::cos));
    }
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    // Without a branch, so that the compiler computes several side by side.
    for n in 0..N {
        (sines[n], cosines[n]) = reduced(angles[n]);
    }
    (sines, cosines)
}

#[inline(always)]
fn reduced(angle: f64) -> (f64, f64) {
    // Adding this moves the nearest whole number into the last bits, without a call to a rounding function.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    // A quarter turn in three parts; the first two have 33 bits, so that their multiples are exact.
    const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
    let shifted = angle * FRAC_2_PI + SHIFT;
    let turns = shifted - SHIFT;
    let x = ((angle - turns * QUARTER[0]) - turns * QUARTER[1]) - turns * QUARTER[2];
    let (s, c) = kernel(x);
    let quadrant = shifted.to_bits();
    // All ones in the odd quarters, where sine and cosine change places.
    let odd = 0u64.wrapping_sub(quadrant & 1);
    let (s, c) = (s.to_bits(), c.to_bits());
    let swap = (s ^ c) & odd;
    // The sine changes sign in the quarters 2 and 3, the cosine in 1 and 2.
    let sign = |quarter: u64| (quarter & 2) << 62;
    (f64::from_bits((s ^ swap) ^ sign(quadrant)), f64::from_bits((c ^ swap) ^ sign(quadrant.wrapping_add(1))))
}

/// Sine and cosine for at most an eighth of a turn.
#[inline(always)]
fn kernel(x: f64) -> (f64, f64) {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_2e-1,
        8.333_333_333_322_49e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_55e-10,
    ];
    const C: [f64; 6] = [
        4.166_666_666_666_66e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let zz = z * z;
    // In halves that do not wait for each other.
    let sin = x + x * z * ((S[0] + z * S[1]) + zz * ((S[2] + z * S[3]) + zz * (S[4] + z * S[5])));
    let tail = zz * ((C[0] + z * C[1]) + zz * ((C[2] + z * C[3]) + zz * (C[4] + z * C[5])));
    let half = 0.5 * z;
    let one = 1.0 - half;
    (sin, one + ((1.0 - one - half) + tail))
}

/// The angle of a direction, radians in -pi..=pi, within 5e-16 of the true one: as [`f64::atan2`] has it, but without a branch
/// and so several side by side where it is called in a loop, and the same on every platform. Of finite
/// numbers; of nothing in both it is that of the signs.
///
/// Reduction to an eighth of a turn, then to half of that, and a polynomial fitted by interpolation at Chebyshev's points.
#[must_use]
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    /// Of (atan(z) / z - 1) / z^2 in z^2, up to tan(pi / 8): leaves 5e-18.
    const ATAN: [f64; 11] = [
        -0.333_333_333_333_333_3,
        0.199_999_999_999_955_2,
        -0.142_857_142_846_665_42,
        0.111_111_110_152_562_92,
        -0.090_909_045_781_210_85,
        0.076_921_831_907_606_51,
        -0.066_645_114_464_602_2,
        0.058_581_489_047_951_24,
        -0.050_854_496_960_392_584,
        0.039_231_657_085_083_686,
        -0.019_176_885_636_589_053,
    ];
    const TAN_EIGHTH: f64 = 0.414_213_562_373_095_03;
    let (across, up) = (x.abs(), y.abs());
    let steep = up > across;
    let (low, high) = if steep { (across, up) } else { (up, across) };
    let far = low > high * TAN_EIGHTH;
    // Halves: the sum of the largest numbers is none.
    let (part, whole) = if far { (0.5 * low - 0.5 * high, 0.5 * low + 0.5 * high) } else { (low, high) };
    let z = part / if whole == 0.0 { 1.0 } else { whole };
    let u = z * z;
    let mut sum = 0.0;
    for coefficient in ATAN.iter().rev() {
        sum = sum * u + coefficient;
    }
    let angle = z + z * u * sum + if far { FRAC_PI_4 } else { 0.0 };
    let angle = if steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    angle.copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_standard_library_to_the_last_digit() {
        let mut worst: f64 = 0.0;
        for i in -200_000..200_000 {
            let f = f64::from(i);
            for angle in [f * 1e-5, f * 1.234_567e-3, f * 0.499_9, f * std::f64::consts::FRAC_PI_4] {
                let ((s, c), (ws, wc)) = (sin_cos(angle), angle.sin_cos());
                worst = worst.max((s - ws).abs()).max((c - wc).abs());
            }
        }
        // One last digit of theirs and ours each.
        assert!(worst <= 2.3e-16, "{worst:e}");
    }

    #[test]
    fn several_at_once_are_the_same_numbers() {
        let angles = [0.1, -4.0, 77.0, 1e4];
        let (sines, cosines) = sin_cos_each(angles);
        for n in 0..4 {
            assert_eq!((sines[n], cosines[n]), sin_cos(angles[n]));
        }
        assert!(sin_cos_each([0.0, f64::NAN]).1[1].is_nan());
    }

    #[test]
    fn tiny_and_bad_angles_are_defined() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
        assert_eq!(sin_cos(1e300), 1e300f64.sin_cos());
        assert_eq!(sin_cos(1e-300), (1e-300, 1.0));
    }

    #[test]
    fn angles_of_directions_are_those_of_the_standard_library() {
        let mut worst: f64 = 0.0;
        for i in -200_000..200_000 {
            let turn = f64::from(i) * 1.571e-5;
            for length in [1e-200, 0.3, 1.0, 7e9, 1.7e308] {
                let (y, x) = (length * turn.sin(), length * turn.cos());
                worst = worst.max((atan2(y, x) - y.atan2(x)).abs());
            }
        }
        // One last digit of theirs and ours each.
        assert!(worst <= 9e-16, "{worst:e}");
        for y in [0.0, -0.0, 1.0, -1.0] {
            for x in [0.0, -0.0, 1.0, -1.0] {
                assert_eq!(atan2(y, x).to_bits(), f64::atan2(y, x).to_bits(), "{y} {x}");
            }
        }
        assert!(atan2(f64::NAN, 1.0).is_nan() && atan2(1.0, f64::NAN).is_nan());
    }
}
