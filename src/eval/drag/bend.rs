//! The bend plane of a limb through a drag: continuous, equal to the pose's own at the press.

use super::anatomy::Comfort;
use crate::eval::ik::bend::{across, any_perpendicular, unit};
use crate::math::rotation::from_axis_angle;
use crate::math::{Quat, Vec3};

/// A limb bent by less than this share of its length (about 2 degrees) counts as straight: its plane is noise.
const STRAIGHT: f64 = 0.01;
/// How much farther, as a share of the length, it must bend until it has swung into the anatomical plane.
const SWING_IN: f64 = 0.04;
/// How far, as a share of the length, the target must move until a pole has its full pull.
const POLE_IN: f64 = 0.15;
/// Sine of the angle to the pole from which on it has its full pull.
const POLE_CLEAR: f64 = 0.5;

/// The two bones and the pose at the press.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    upper: f64,
    lower: f64,
    /// Height of the middle over the line from root to end.
    height: f64,
    comfort: Comfort,
    /// The bulge at the press, carried to the direction of comfort.
    own: Vec3,
    /// Angle from `own` to the anatomical bulge.
    away: f64,
    /// The same where the limb swings there as it bends, else 0.
    swing: f64,
    /// How far the bones turn back about themselves in a whole swing.
    untwist: f64,
    pole: Option<Vec3>,
    pressed_end: Vec3,
}

impl Bend {
    /// `at_rest` is the bulge wanted of a straight limb, in the pose; `turn` the rotation of its root joint.
    pub(super) fn new(
        [root, middle, end]: [Vec3; 3],
        comfort: Comfort,
        at_rest: Option<Vec3>,
        turn: &Quat,
        pole: Option<Vec3>,
    ) -> Self {
        let (upper, lower) = ((middle - root).norm(), (end - middle).norm());
        let size = upper + lower;
        let chord =
            unit(&(end - root), 1e-9 * size).or_else(|| unit(&(middle - root), 0.0)).unwrap_or(comfort.direction);
        let back = comfort.carry(&chord).inverse();
        let side = across(&(middle - root), &chord);
        let height = side.norm();
        let seen = unit(&side, 1e-9 * size).map(|b| back * b);
        let wanted = at_rest
            .and_then(|b| unit(&across(&b, &chord), 1e-3))
            .map(|b| back * b)
            .or(comfort.bulge)
            .map(|b| unit(&across(&b, &comfort.direction), 0.0).unwrap_or(b));
        let own = seen.or(wanted).unwrap_or_else(|| back * any_perpendicular(&chord, turn));
        let away = wanted.map_or(0.0, |wanted| signed_angle(&own, &wanted, &comfort.direction));
        let swing = if height < STRAIGHT * size { away } else { 0.0 };
        Self { upper, lower, height, comfort, own, away, swing, untwist: swing, pole, pressed_end: end }
    }

    /// Makes the middle a hinge: `own` is the angle about the bone from the way it opens to the way it is bent at the press.
    /// A limb that swings ends bent as the hinge opens; one that is bent `backwards` swings however far it is bent already.
    pub(super) fn hinge(&mut self, own: f64, backwards: bool) {
        if backwards {
            self.swing = self.away;
        }
        if self.swing != 0.0 {
            let more = own - self.swing;
            self.untwist = self.swing + more.sin().atan2(more.cos());
        }
    }

    pub(super) fn length(&self) -> f64 {
        self.upper + self.lower
    }

    /// The direction to bulge to for a target seen from the limb's root, unit.
    pub(super) fn at(&self, root: &Vec3, target: &Vec3) -> Vec3 {
        let size = self.length();
        let offset = target - root;
        let direction = unit(&offset, 1e-9 * size).unwrap_or(self.comfort.direction);
        let mut bulge = self.comfort.carry(&direction) * self.own;
        if self.swing != 0.0 {
            bulge = from_axis_angle(&direction, self.swing * self.swung(offset.norm())) * bulge;
        }
        if let Some(pole) = &self.pole {
            let moved = (target - self.pressed_end).norm();
            bulge = from_axis_angle(&direction, pole_pull(pole, root, &direction, &bulge, moved, size)) * bulge;
        }
        bulge
    }

    /// How far the bones turn back about themselves for a target, radians: the middle swings, the bones do not turn with it,
    /// so that a hinge that was bent a degree backwards does not face backwards.
    pub(super) fn untwisted(&self, root: &Vec3, target: &Vec3) -> f64 {
        self.untwist * self.swung((target - root).norm())
    }

    /// How much of the swing into the anatomical plane is done at a distance of the end, 0..1.
    fn swung(&self, distance: f64) -> f64 {
        smooth((self.height_at(distance) - self.height) / (SWING_IN * self.length()))
    }

    /// Height of the middle over the line for a distance of the end.
    fn height_at(&self, distance: f64) -> f64 {
        let distance = distance.clamp((self.upper - self.lower).abs(), self.length());
        if distance <= 0.0 {
            return self.upper;
        }
        let along = 0.5 * (distance + (self.upper - self.lower) * self.length() / distance);
        (self.upper * self.upper - along * along).max(0.0).sqrt()
    }
}

/// The angle, about the unit `direction` from the root to the end, by which a pole turns a limb's `bulge` towards itself.
///
/// It grows from nothing as the target moves away from the press, vanishes as the target passes the line to the pole, and
/// never flips: straight opposite to the pole is as good as there. `size` is the length of the limb, `moved` how far its
/// target is from the end's place at the press.
pub(super) fn pole_pull(pole: &Vec3, root: &Vec3, direction: &Vec3, bulge: &Vec3, moved: f64, size: f64) -> f64 {
    let Some(to_pole) = unit(&(pole - root), 1e-9 * size) else { return 0.0 };
    let side = across(&to_pole, direction);
    let strength = smooth(side.norm() / POLE_CLEAR) * smooth(moved / (POLE_IN * size));
    let angle = signed_angle(bulge, &side, direction);
    strength * angle.signum() * angle.abs().min(std::f64::consts::PI - angle.abs())
}

/// The angle from `a` to `b` about `axis`, radians.
pub(super) fn signed_angle(a: &Vec3, b: &Vec3, axis: &Vec3) -> f64 {
    axis.dot(&a.cross(b)).atan2(a.dot(b))
}

/// 0 below 0, 1 above 1, C1 between.
fn smooth(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
