//! Soft reach: how a dragged target is eased in near full stretch.

use crate::math::Vec3;

/// Maps the distance of a *dragged* target so that an elbow or a knee never pops.
///
/// Near full stretch the middle joint moves like the square root of the distance left, infinitely fast at the end.
/// Inside the zone the distance left is therefore mapped by `W (2 t^2 - t^3)`, `t` its share of the zone's width `W`: flat
/// at full stretch, so that the middle joint moves at a bounded speed, and joining the identity with slope 1 where the
/// zone begins. Beyond the reach the limb is straight. The map is monotone and C1. It is for dragged targets only: typed
/// targets, pins and held limbs are solved exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftReach {
    /// Width of the zone as a share of the reach, 0 (off) to 1.
    pub zone: f64,
}

impl Default for SoftReach {
    fn default() -> Self {
        Self { zone: 0.08 }
    }
}

impl SoftReach {
    /// No softening: targets are taken as they are.
    pub const OFF: Self = Self { zone: 0.0 };

    /// The softened distance for a target at `distance` of a limb of length `reach`, same unit.
    #[must_use]
    pub fn distance(&self, distance: f64, reach: f64) -> f64 {
        let width = self.zone.clamp(0.0, 1.0) * reach;
        let left = reach - distance;
        if width <= 0.0 || left >= width {
            distance
        } else if left <= 0.0 {
            reach
        } else {
            let t = left / width;
            reach - width * t * t * (2.0 - t)
        }
    }

    /// [`SoftReach::distance`] for a limb that stood at distance `pressed` when the drag began: there it is the identity,
    /// so that a limb does not move when it is grabbed. The difference fades out over the width of the zone.
    #[must_use]
    pub fn distance_from(&self, distance: f64, reach: f64, pressed: f64) -> f64 {
        let width = self.zone.clamp(0.0, 1.0) * reach;
        let mapped = self.distance(distance, reach);
        let own = pressed.min(reach) - self.distance(pressed, reach);
        if width <= 0.0 || own == 0.0 {
            return mapped;
        }
        let t = ((distance - pressed).abs() / width).min(1.0);
        mapped + own * (1.0 - t * t * (3.0 - 2.0 * t))
    }

    /// The softened target of a limb that hangs from `root` and whose end was at `pressed` when the drag began.
    #[must_use]
    pub fn target(&self, root: &Vec3, target: &Vec3, pressed: &Vec3, reach: f64) -> Vec3 {
        let offset = target - root;
        let distance = offset.norm();
        if self.zone <= 0.0 || distance <= 0.0 {
            return *target;
        }
        root + offset * (self.distance_from(distance, reach, (pressed - root).norm()) / distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_reach_is_monotone_exact_inside_and_straight_outside() {
        let soft = SoftReach { zone: 0.1 };
        let mut last = 0.0;
        for i in 1..=3000 {
            let distance = f64::from(i) * 1e-3;
            let mapped = soft.distance(distance, 2.0);
            assert!(mapped >= last && mapped <= 2.0);
            assert!(mapped - last < 1.4e-3, "no jump");
            last = mapped;
        }
        assert_eq!(soft.distance(1.7, 2.0), 1.7);
        assert_eq!(soft.distance(2.5, 2.0), 2.0);
        assert_eq!(SoftReach::OFF.distance(2.5, 2.0), 2.5);
    }

    #[test]
    fn soft_reach_keeps_the_grabbed_place() {
        let soft = SoftReach::default();
        for pressed in [0.5, 0.93, 0.95, 0.99, 0.9999, 1.0] {
            assert!((soft.distance_from(pressed, 1.0, pressed) - pressed).abs() < 1e-15);
            assert_eq!(soft.distance_from(2.0, 1.0, pressed), 1.0);
            assert_eq!(soft.distance_from(0.3, 1.0, pressed), 0.3);
            assert!((0..4000).all(|i| soft.distance_from(f64::from(i) * 1e-3, 1.0, pressed) <= 1.0));
        }
    }
}
