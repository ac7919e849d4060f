//! Limits of a joint's rotation: how far its bone swings and how far it twists, cut hard or approached softly.

use crate::math::rotation::{from_axis_angle, rotation_vector, swing_twist, twist_angle};
use crate::math::{Quat, Vec3};
use crate::model::{Limit, SwingShape};
use std::f64::consts::{PI, TAU};

/// Ranges of the swing of a bone and of the twist about it, seen from a middle rotation: see [`Limit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// The local rotation in which swing and twist are none.
    pub middle: Quat,
    /// From the limits' axes to the joint's space: Y is the bone, X and Z are what it swings about.
    pub axes: Quat,
    /// Least and greatest swing about X, radians.
    pub x: [f64; 2],
    /// Least and greatest twist about Y, radians.
    pub twist: [f64; 2],
    /// Least and greatest swing about Z, radians.
    pub z: [f64; 2],
    /// Whether the swings lie in a cone, not a rectangle.
    pub shape: SwingShape,
    /// How long before a limit a soft approach begins, radians.
    pub softness: f64,
}

/// Where the ways round to both sides of a limit differ by less than this, radians, a rotation goes over from one side to the
/// other.
const OPPOSITE: f64 = 0.7;

/// A swing of less than this, radians, is nobody's longer way round.
const SMALL: f64 = 0.5;

/// A rotation seen from the middle of limits, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Swing about X.
    pub x: f64,
    /// Twist about the bone.
    pub twist: f64,
    /// Swing about Z.
    pub z: f64,
}

impl JointLimit {
    /// The limits of a joint whose local rotation at rest is `rest`.
    #[must_use]
    pub fn of(limit: &Limit, rest: &Quat) -> Self {
        let pair = |(least, greatest): (f64, f64)| [least, greatest];
        Self {
            middle: rest * limit.centre,
            axes: limit.axes,
            x: pair(limit.x),
            twist: pair(limit.twist),
            z: pair(limit.z),
            shape: limit.shape,
            softness: limit.softness,
        }
    }

    /// A round cone about a middle rotation: `axis` is the bone's direction in the joint's space, `swing` half the cone's
    /// opening, `twist` the greatest turn to either side, radians.
    #[must_use]
    pub fn cone(middle: Quat, axis: &Vec3, swing: f64, twist: f64) -> Self {
        let axes = crate::math::rotation::shortest_arc(&Vec3::y(), axis);
        let [x, z] = [[-swing, swing]; 2];
        Self { middle, axes, x, twist: [-twist, twist], z, shape: SwingShape::Cone, softness: 0.0 }
    }

    /// Swing and twist of a local rotation. Where a swing could be told from two sides (beyond half a turn), it is told
    /// from the side of the limits.
    #[must_use]
    pub fn measure(&self, local: &Quat) -> Measure {
        let [near, far] = self.sides(local);
        if self.beyond(&far) < self.beyond(&near) { Measure { twist: near.twist, ..far } } else { near }
    }

    /// Swing and twist of a local rotation the shorter and the longer way round; of a twist, the way nearer to the middle of
    /// its range and the other.
    fn sides(&self, local: &Quat) -> [Measure; 2] {
        let seen = self.axes.inverse() * (self.middle.inverse() * local) * self.axes;
        let swing = rotation_vector(&swing_twist(&seen, &Vec3::y()).0);
        let twist = about_middle(twist_angle(&seen, &Vec3::y()), self.twist);
        let near = Measure { x: swing.x, twist, z: swing.z };
        // The longer way to a small swing is told as the swing itself: no limit is nearer to it from there.
        let angle = swing.x.hypot(swing.z);
        let round = if angle < SMALL { 1.0 } else { 1.0 - TAU / angle };
        let middle = 0.5 * (self.twist[0] + self.twist[1]);
        let other = if twist > middle { twist - TAU } else { twist + TAU };
        [near, Measure { x: swing.x * round, twist: other, z: swing.z * round }]
    }

    /// The local rotation of a measure.
    #[must_use]
    pub fn rotation(&self, measure: &Measure) -> Quat {
        let swing = Quat::from_scaled_axis(Vec3::new(measure.x, 0.0, measure.z));
        let mut local =
            self.middle * self.axes * swing * from_axis_angle(&Vec3::y(), measure.twist) * self.axes.inverse();
        local.renormalize_fast();
        local
    }

    /// Whether a local rotation lies within the limits, to rounding.
    #[must_use]
    pub fn contains(&self, local: &Quat) -> bool {
        let measure = self.measure(local);
        let least = |value: f64, [low, high]: [f64; 2]| (low - value).max(value - high);
        self.beyond(&measure).max(least(measure.twist, self.twist)) <= 1e-9
    }

    /// The limits widened so that a rotation lies within them: a pose that was there is never pushed. No further than that
    /// needs: of a cone only the half axes of the quarter in which the rotation lies.
    #[must_use]
    pub fn including(&self, local: &Quat) -> Self {
        let seen = self.measure(local);
        let wide = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
        let mut limit = Self { twist: wide(self.twist, seen.twist), ..*self };
        match self.shape {
            SwingShape::Ranges => {
                limit.x = wide(self.x, seen.x);
                limit.z = wide(self.z, seen.z);
            }
            SwingShape::Cone => {
                let share = self.share(&seen).max(1.0);
                limit.x[usize::from(seen.x >= 0.0)] *= share;
                limit.z[usize::from(seen.z >= 0.0)] *= share;
            }
        }
        limit
    }

    /// The nearest local rotation within the limits (each measure cut at its own limit).
    #[must_use]
    pub fn clamp(&self, local: &Quat) -> Quat {
        if self.contains(local) {
            return *local;
        }
        let seen = self.measure(local);
        let cut = |value: f64, [low, high]: [f64; 2]| value.clamp(low, high.max(low));
        let twist = cut(seen.twist, self.twist);
        self.rotation(&match self.shape {
            SwingShape::Ranges => Measure { x: cut(seen.x, self.x), twist, z: cut(seen.z, self.z) },
            SwingShape::Cone => {
                let share = self.share(&seen).max(1.0);
                Measure { x: seen.x / share, twist, z: seen.z / share }
            }
        })
    }

    /// These limits as a drag feels them that began with the joint at `pressed`.
    #[must_use]
    pub fn at_press(&self, pressed: &Quat) -> SoftLimit {
        let seen = self.measure(pressed);
        let mut wide = self.including(pressed);
        // A half axis of nothing would have no share.
        if wide.shape == SwingShape::Cone {
            wide.x = [wide.x[0].min(-1e-9), wide.x[1].max(1e-9)];
            wide.z = [wide.z[0].min(-1e-9), wide.z[1].max(1e-9)];
        }
        SoftLimit { wide, pressed: seen, share: wide.share(&seen) }
    }

    /// How far the swing is out of its ranges, radians (of a cone: in its shares); not above 0 within.
    fn beyond(&self, seen: &Measure) -> f64 {
        let out = |value: f64, [low, high]: [f64; 2]| (low - value).max(value - high);
        match self.shape {
            SwingShape::Ranges => out(seen.x, self.x).max(out(seen.z, self.z)),
            SwingShape::Cone => self.share(seen) - 1.0,
        }
    }

    /// The swing as a share of the cone in its direction: 1 on the cone. A quarter of an ellipse in each quadrant.
    fn share(&self, seen: &Measure) -> f64 {
        let part = |value: f64, [low, high]: [f64; 2]| value / if value < 0.0 { -low } else { high }.max(1e-9);
        part(seen.x, self.x).hypot(part(seen.z, self.z))
    }
}

/// The angle, of those that differ by whole turns, that is nearest to the middle of a range.
fn about_middle(angle: f64, [low, high]: [f64; 2]) -> f64 {
    let middle = 0.5 * (low + high);
    middle + (angle - middle + PI).rem_euclid(TAU) - PI
}

/// Limits as a drag feels them: widened to the pose at the press, which stays as it was, and approached softly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftLimit {
    wide: JointLimit,
    pressed: Measure,
    /// The pressed swing's share of the cone.
    share: f64,
}

impl SoftLimit {
    /// The local rotation that the drag gives for one it would have without limits: see [`SoftLimit::ease`].
    #[must_use]
    pub fn map(&self, local: &Quat) -> Quat {
        let now = self.retracted(local, |seen| self.ease(seen));
        if now == self.wide.measure(local) { *local } else { self.wide.rotation(&now) }
    }

    /// The swing and twist of a local rotation, cut as [`SoftLimit::bounded`] does.
    #[must_use]
    pub fn free(&self, local: &Quat) -> Measure {
        self.retracted(local, |seen| self.bounded(seen))
    }

    /// The measure of a local rotation brought to the limits by a map. A rotation opposite to them is as far from one side as
    /// from another: near there it goes over from this side to that, so that no turn of a joint makes it jump.
    fn retracted(&self, local: &Quat, map: impl Fn(&Measure) -> Measure) -> Measure {
        let [near, far] = self.wide.sides(local);
        let (a, b) = (map(&near), map(&far));
        let mixed = |a: f64, b: f64, of_a: f64| if of_a >= 1.0 { a } else { of_a * a + (1.0 - of_a) * b };
        let of_a = |near: f64, far: f64| (0.5 + 0.5 * (far - near) / OPPOSITE).clamp(0.0, 1.0);
        let out = |seen: &Measure| (self.wide.twist[0] - seen.twist).max(seen.twist - self.wide.twist[1]).max(0.0);
        let swing = of_a(self.wide.beyond(&near).max(0.0), self.wide.beyond(&far).max(0.0));
        let twist = of_a(out(&near), out(&far));
        Measure { x: mixed(a.x, b.x, swing), twist: mixed(a.twist, b.twist, twist), z: mixed(a.z, b.z, swing) }
    }

    /// The swing and twist that the drag gives for those it would have without limits.
    ///
    /// Each measure `v` is mapped: as it is up to a zone before its limit, then by `h - s (1 - t/2)^2`, `t = (v - h + s) / s`
    /// the way into a zone of width `s` before the limit `h` (slope 1 where it begins, 0 at `t = 2`), then `h`. The map is
    /// C1 and never passes the limit; where the pose at the press lies in the zone, the zone begins there.
    #[must_use]
    pub fn ease(&self, seen: &Measure) -> Measure {
        let range =
            |value: f64, range: [f64; 2], [down, up]: [f64; 2]| -eased(-eased(value, range[1], up), -range[0], down);
        self.mapped(seen, range, |share, zone| eased(share, 1.0, zone))
    }

    /// A measure cut where [`SoftLimit::ease`] has come to the limit for good, so that nothing is wound up behind it.
    #[must_use]
    pub fn bounded(&self, seen: &Measure) -> Measure {
        let range = |value: f64, range: [f64; 2], [down, up]: [f64; 2]| {
            value.clamp(range[0] - down, (range[1] + up).max(range[0] - down))
        };
        self.mapped(seen, range, |share, zone| share.min(1.0 + zone))
    }

    /// A measure of which each number is mapped: those with a range of their own, given the zones before both ends, and the
    /// swing's share of a cone, given the zone before 1.
    fn mapped(
        &self,
        seen: &Measure,
        range: impl Fn(f64, [f64; 2], [f64; 2]) -> f64,
        share: impl Fn(f64, f64) -> f64,
    ) -> Measure {
        let limit = &self.wide;
        let of = |value: f64, ends: [f64; 2], pressed: f64| range(value, ends, self.zones(ends, pressed));
        let twist = of(seen.twist, limit.twist, self.pressed.twist);
        match limit.shape {
            SwingShape::Ranges => {
                Measure { x: of(seen.x, limit.x, self.pressed.x), twist, z: of(seen.z, limit.z, self.pressed.z) }
            }
            SwingShape::Cone => {
                let now = limit.share(seen);
                let part = if now > 0.0 { share(now, self.cone_zone(seen, now)) / now } else { 1.0 };
                Measure { x: seen.x * part, twist, z: seen.z * part }
            }
        }
    }

    /// The widths of the zones before the lower and the upper limit of a range.
    fn zones(&self, [low, high]: [f64; 2], pressed: f64) -> [f64; 2] {
        // At most half the way from the middle: what is straight stays straight.
        let soft = |limit: f64, room: f64| self.wide.softness.min(0.5 * limit.abs()).min(room).max(0.0);
        [soft(low, pressed - low), soft(high, high - pressed)]
    }

    /// The width of the zone before the cone as a share of it in the swing's direction.
    fn cone_zone(&self, seen: &Measure, share: f64) -> f64 {
        let radius = if share > 0.0 { seen.x.hypot(seen.z) / share } else { 1.0 };
        (self.wide.softness / radius.max(1e-9)).min(0.5).min((1.0 - self.share).max(0.0))
    }

    /// The widened limits.
    #[must_use]
    pub const fn limit(&self) -> &JointLimit {
        &self.wide
    }
}

/// `value` eased in before `limit` over a zone of width `soft`: see [`SoftLimit::map`].
pub(in crate::eval) fn eased(value: f64, limit: f64, soft: f64) -> f64 {
    let into = value - (limit - soft);
    if into <= 0.0 {
        value
    } else if into >= 2.0 * soft {
        limit
    } else {
        let left = 1.0 - 0.5 * into / soft;
        limit - soft * left * left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hinge() -> JointLimit {
        let middle = from_axis_angle(&Vec3::new(1.0, 2.0, 0.5), 0.7);
        let axes = from_axis_angle(&Vec3::new(0.2, 1.0, -0.4), 1.1);
        let (x, twist, z) = ([-0.1, 2.4], [-0.3, 0.3], [-0.1, 0.1]);
        JointLimit { middle, axes, x, twist, z, shape: SwingShape::Ranges, softness: 0.2 }
    }

    #[test]
    fn limits_cut_swing_and_twist_apart() {
        let rest = from_axis_angle(&Vec3::new(1.0, 2.0, 0.5), 0.7);
        let limit = JointLimit::cone(rest, &Vec3::y(), 0.5, 0.2);
        let within = rest * from_axis_angle(&Vec3::x(), 0.4) * from_axis_angle(&Vec3::y(), -0.1);
        assert_eq!(limit.clamp(&within), within);
        let beyond = rest * from_axis_angle(&Vec3::x(), 1.1) * from_axis_angle(&Vec3::y(), -0.9);
        let wanted = rest * from_axis_angle(&Vec3::x(), 0.5) * from_axis_angle(&Vec3::y(), -0.2);
        assert!(limit.clamp(&beyond).angle_to(&wanted) < 1e-9);
        assert!(limit.including(&beyond).clamp(&beyond).angle_to(&beyond) < 1e-9);
    }

    #[test]
    fn a_cone_widens_towards_what_it_is_to_include_only() {
        let limit = JointLimit::cone(Quat::identity(), &Vec3::y(), 0.5, 0.2);
        let at = |x: f64, z: f64| limit.rotation(&Measure { x, twist: 0.0, z });
        let wide = limit.including(&at(0.9, 0.1));
        assert!(wide.contains(&at(0.9, 0.1)) && wide.contains(&at(-0.5, 0.0)) && wide.contains(&at(0.0, -0.5)));
        assert!(!wide.contains(&at(-0.51, 0.0)) && !wide.contains(&at(0.0, -0.51)) && !wide.contains(&at(-0.4, -0.4)));
        assert_eq!(limit.including(&at(0.3, 0.3)), limit);
    }

    #[test]
    fn a_measure_is_the_rotation_and_the_other_way_round() {
        let limit = hinge();
        for i in 0..300 {
            let f = f64::from(i);
            let measure = Measure { x: 2.2 * (0.7 * f).sin().abs(), twist: 0.9 * (1.3 * f).sin(), z: 0.3 * f.cos() };
            let back = limit.measure(&limit.rotation(&measure));
            let off = (back.x - measure.x).abs() + (back.twist - measure.twist).abs() + (back.z - measure.z).abs();
            assert!(off < 1e-12, "{measure:?} {back:?}");
        }
        // Bent beyond half a turn it is still bent forward.
        let measure = Measure { x: PI + 0.2, twist: 0.0, z: 0.0 };
        assert!((limit.measure(&limit.rotation(&measure)).x - measure.x).abs() < 1e-9);
    }

    #[test]
    fn a_soft_limit_is_never_passed_keeps_the_press_and_has_no_kink() {
        for shape in [SwingShape::Ranges, SwingShape::Cone] {
            let limit = JointLimit { shape, ..hinge() };
            for pressed in [0.0, 0.5, 2.3, 2.39, 2.4, 2.7] {
                let at = |x: f64| limit.rotation(&Measure { x, twist: 0.0, z: 0.0 });
                let soft = limit.at_press(&at(pressed));
                assert!(soft.map(&at(pressed)).angle_to(&at(pressed)) < 1e-7, "{shape:?} {pressed}");
                let mut last = limit.measure(&soft.map(&at(pressed))).x;
                for step in 0..400 {
                    let now = limit.measure(&soft.map(&at(pressed + f64::from(step) * 2e-3))).x;
                    assert!(
                        now <= pressed.max(2.4) + 1e-9 && (-1e-9..2.1e-3).contains(&(now - last)),
                        "{pressed} {now}"
                    );
                    last = now;
                }
            }
        }
    }

    #[test]
    fn what_a_press_within_the_limits_gives_is_within_them() {
        for shape in [SwingShape::Ranges, SwingShape::Cone] {
            let limit = JointLimit { shape, ..hinge() };
            let soft = limit.at_press(&limit.middle);
            for i in 0..2000 {
                let f = f64::from(i);
                let any = Quat::from_scaled_axis(Vec3::new((1.7 * f).sin(), (0.9 * f).cos(), (2.3 * f).sin()) * 2.5);
                assert!(limit.contains(&soft.map(&any)) && limit.contains(&limit.clamp(&any)), "{shape:?} {i}");
            }
        }
    }
}
