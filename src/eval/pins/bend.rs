//! The bend plane of a pinned arm or leg: that of the pose passed in, the body's own where that one is straight.

use crate::{
    eval::{
        drag::{anatomy, pose::Pose},
        ik::bend::{across, any_perpendicular, unit},
        limbs::{Limb, Limbs},
    },
    math::{Vec3, rotation::from_axis_angle},
};

/// Height of the middle over the line from root to end, as a share of the length, up to which the plane is all the body's.
const STRAIGHT: f64 = 0.01;
/// From this height on the plane is all the pose's own.
const BENT: f64 = 0.05;
/// The same two where the limb is bent just the wrong way: so little is a knee pressed through, not the way it bends.
const PRESSED_THROUGH: [f64; 2] = [0.06, 0.15];
/// How much higher, as a share of the length, the middle must come until a straight limb has swung to the body's plane.
const SWING_IN: f64 = 0.04;
/// Below this height the pose has no plane at all.
const NO_PLANE: f64 = 1e-3;

/// Where a limb bulges to.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval) struct Bulge {
    /// From the root, unit.
    pub(in crate::eval) direction: Vec3,
    /// By how much that has swung about the line from root to end, radians. The bones must turn back about themselves by as
    /// much: a leg that is straight but for a degree backwards has its knee in front nonetheless.
    pub(in crate::eval) swung: f64,
    /// How much of the height over that line that reaching takes it has, 0..1: less where a limb that is pressed through
    /// comes back to its own side. It goes straight through, a few millimetres longer, and not round sideways.
    pub(in crate::eval) share: f64,
}

impl Bulge {
    /// Where a limb in a pose ends whose end is to be at a place: there, but for one that comes through.
    pub(in crate::eval) fn target(&self, pose: &Pose<'_>, limb: &Limb, place: &Vec3) -> Vec3 {
        let Some(middle) = limb.middle.filter(|_| self.share < 1.0) else { return *place };
        let [root, knee, end] = [limb.root(), middle, limb.end()].map(|joint| pose.position(joint));
        let (upper, lower, wanted) = ((knee - root).norm(), (end - knee).norm(), (place - root).norm());
        let height = height_at(upper, lower, wanted) * self.share;
        let along = |bone: f64| ((bone - height) * (bone + height)).max(0.0).sqrt();
        let farther = along(upper) + along(lower);
        if farther > wanted && wanted > 0.0 { root + (place - root) * (farther / wanted) } else { *place }
    }
}

/// The direction from the limb's root to which the middle is to bulge with the end at `target`. It runs without a
/// jump as pose and target do, and is the pose's own where the target is where the end is already.
pub(in crate::eval) fn bulge(
    pose: &Pose<'_>,
    rest: &Pose<'_>,
    limbs: &Limbs,
    limb: &Limb,
    target: &Vec3,
) -> Option<Bulge> {
    let middle = limb.middle?;
    let [root, knee, end] = [limb.root(), middle, limb.end()].map(|joint| pose.position(joint));
    let (upper, lower) = ((knee - root).norm(), (end - knee).norm());
    let size = upper + lower;
    let chord = unit(&(end - root), 1e-9 * size).or_else(|| unit(&(knee - root), 0.0))?;
    let comfort = anatomy::comfort(pose, limbs, limb, &chord);
    let direction = unit(&(target - root), 1e-9 * size).unwrap_or(chord);
    let carry = comfort.carry(&direction) * comfort.carry(&chord).inverse();
    let side = across(&(knee - root), &chord);
    let height = side.norm();
    let wanted = anatomy::bulge_at_rest(rest, pose, limbs, limb, middle)
        .and_then(|bulge| unit(&across(&bulge, &chord), 1e-3))
        .or_else(|| {
            let bulge = comfort.carry(&chord) * comfort.bulge?;
            unit(&across(&bulge, &chord), 1e-6)
        });
    let own =
        unit(&side, 1e-9 * size).or(wanted).unwrap_or_else(|| any_perpendicular(&chord, &pose.rotation(limb.root())));
    let Some(wanted) = wanted else { return Some(Bulge { direction: carry * own, swung: 0.0, share: 1.0 }) };
    let angle = chord.dot(&own.cross(&wanted)).atan2(own.dot(&wanted));
    let against = smooth(-own.dot(&wanted));
    let from = STRAIGHT + against * (PRESSED_THROUGH[0] - STRAIGHT);
    let to = BENT + against * (PRESSED_THROUGH[1] - BENT);
    let straight = 1.0 - smooth((height / size - from) / (to - from));
    let higher = smooth((height_at(upper, lower, (target - root).norm()) - height) / (SWING_IN * size));
    // A limb without a plane takes the body's as soon as it moves at all.
    let none = (1.0 - smooth(height / (2.0 * NO_PLANE * size))) * smooth((target - end).norm() / (NO_PLANE * size));
    let weight = straight * higher.max(none);
    // Round about the line, or straight through it: the more so the more it is bent the wrong way.
    let through = against * smooth(height / (0.5 * NO_PLANE * size));
    let (swung, share) = between(angle, weight, through);
    Some(Bulge { direction: carry * from_axis_angle(&chord, swung) * own, swung, share })
}

/// The way from one direction to another at an angle from it, `weight` of it gone: the angle come to, and the length of what
/// points there. `through` 0 goes round with length 1, 1 goes straight.
fn between(angle: f64, weight: f64, through: f64) -> (f64, f64) {
    let (round_y, round_x) = (angle * weight).sin_cos();
    let (to_y, to_x) = angle.sin_cos();
    let x = round_x + through * (1.0 - weight + weight * to_x - round_x);
    let y = round_y + through * (weight * to_y - round_y);
    let length = x.hypot(y).min(1.0);
    // Straight back there are two ways round; the one that was begun.
    let swung = if through > 0.0 { y.atan2(x) } else { angle * weight };
    (if swung * angle < 0.0 { angle.signum() * swung.abs() } else { swung }, length)
}

/// Height of the middle over the line for a distance of the end.
fn height_at(upper: f64, lower: f64, distance: f64) -> f64 {
    let distance = distance.clamp((upper - lower).abs(), upper + lower);
    if distance <= 0.0 {
        return upper;
    }
    let along = 0.5 * (distance + (upper - lower) * (upper + lower) / distance);
    (upper * upper - along * along).max(0.0).sqrt()
}

/// 0 below 0, 1 above 1, C1 between.
fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn what_is_bent_the_wrong_way_comes_straight_through_and_what_is_not_goes_round() {
        for step in 0..=100 {
            let weight = f64::from(step) / 100.0;
            let (swung, share) = between(1.2, weight, 0.0);
            assert!((swung - 1.2 * weight).abs() < 1e-12 && (share - 1.0).abs() < 1e-12);
            for angle in [PI, -PI, 3.1, -3.1] {
                let (swung, share) = between(angle, weight, 1.0);
                // How far it stands out sideways.
                assert!((swung.sin() * share).abs() <= angle.sin().abs() + 1e-12, "{angle} {weight}");
                assert!(swung * angle >= 0.0 && (0.0..=1.0).contains(&share));
            }
        }
        for (angle, through) in [(PI, 1.0), (-PI, 0.5), (2.0, 0.3), (-0.4, 0.0)] {
            let (swung, share) = between(angle, 0.0, through);
            assert!(swung.abs() < 1e-12 && (share - 1.0).abs() < 1e-12);
            let (swung, share) = between(angle, 1.0, through);
            assert!((swung - angle).abs() < 1e-12 && (share - 1.0).abs() < 1e-12);
        }
    }
}
