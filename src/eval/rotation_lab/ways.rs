//! Ways through orientations: by which rotations, how fast, along what line on the sphere.

use crate::{
    eval::curve::rotation::rotation,
    math::{
        EulerOrder, Quat, Vec3,
        rotation::{align, chord_angle, euler_rates, from_euler, nearest_euler, slerp_unaligned},
    },
    model::{KeyedRotation, RotationInterpolation, RotationKey},
};
use std::f64::consts::TAU;

/// How one gets from an orientation to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabScheme {
    /// The straight line between the quaternions, brought to length 1.
    Nlerp,
    /// The same arc at constant speed.
    Slerp,
    /// Spherical quadrangle.
    Squad,
    /// A cubic through the quaternions, brought to length 1.
    Cubic,
    /// Each angle of a triple runs straight: order as chosen.
    Euler(EulerOrder),
}

impl LabScheme {
    /// The interpolation of a rotation track that this is; none for angles.
    #[must_use]
    pub const fn interpolation(self) -> Option<RotationInterpolation> {
        match self {
            Self::Nlerp => Some(RotationInterpolation::Nlerp),
            Self::Slerp => Some(RotationInterpolation::Slerp),
            Self::Squad => Some(RotationInterpolation::Squad),
            Self::Cubic => Some(RotationInterpolation::Cubic),
            Self::Euler(_) => None,
        }
    }
}

/// An orientation at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabKey {
    /// Seconds.
    pub secs: f64,
    /// The orientation.
    pub rotation: Quat,
    /// The angles it was given by, radians in the order's sequence, turns and all; none where it was given otherwise.
    pub triple: Option<(EulerOrder, [f64; 3])>,
}

/// A scheme through orientations.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    keys: Vec<LabKey>,
    by: By,
}

#[derive(Clone, Debug, PartialEq)]
enum By {
    Track(KeyedRotation),
    Angles(EulerOrder, Vec<[f64; 3]>),
}

/// A step to either side of a time, as a part of the segment, by which a speed is measured.
const STEP: f64 = 1e-4;

impl Way {
    /// A scheme through orientations, in any sequence of times. Those whose time is not finite are passed over; of two at one
    /// time the later in the list counts. None where none is left.
    ///
    /// The triples of [`LabScheme::Euler`] are those the orientations were given by where the order is the same, else the
    /// nearest to the one before.
    #[must_use]
    pub fn new(scheme: LabScheme, keys: &[LabKey]) -> Option<Self> {
        let mut sorted: Vec<LabKey> = keys.iter().copied().filter(|key| key.secs.is_finite()).collect();
        // Stable, so that of equals the last stays last; then it is the one that is kept.
        sorted.sort_by(|a, b| a.secs.total_cmp(&b.secs));
        let mut keys: Vec<LabKey> = Vec::with_capacity(sorted.len());
        for key in sorted {
            if keys.last().is_some_and(|last| key.secs - last.secs <= crate::model::clip::SAME_TIME_SECS) {
                keys.pop();
            }
            keys.push(key);
        }
        keys.first()?;
        let by = match (scheme, scheme.interpolation()) {
            (LabScheme::Euler(order), _) => By::Angles(order, triples(order, &keys)),
            (_, interpolation) => {
                let interpolation = interpolation.unwrap_or_default();
                let key = |key: &LabKey| RotationKey::new(key.secs, key.rotation, interpolation);
                By::Track(KeyedRotation { keys: keys.iter().map(key).collect() })
            }
        };
        Some(Self { keys, by })
    }

    /// The orientations, in order of time.
    #[must_use]
    pub fn keys(&self) -> &[LabKey] {
        &self.keys
    }

    /// The first and the last time, seconds.
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        let secs = |key: Option<&LabKey>| key.map_or(0.0, |key| key.secs);
        (secs(self.keys.first()), secs(self.keys.last()))
    }

    /// The segment a time is in; before the first and after the last it is none.
    fn segment(&self, secs: f64) -> Option<usize> {
        let after = self.keys.partition_point(|key| key.secs <= secs);
        (after > 0 && after < self.keys.len()).then(|| after - 1)
    }

    /// The rotation at a time, seconds; the first one before, the last one after.
    #[must_use]
    pub fn rotation(&self, secs: f64) -> Quat {
        match &self.by {
            By::Track(track) => rotation(track, secs).unwrap_or_else(Quat::identity),
            By::Angles(order, _) => from_euler(*order, self.angles(secs).unwrap_or_default()),
        }
    }

    /// The angles at a time, radians in the order's sequence; none where the way is one of quaternions.
    #[must_use]
    pub fn angles(&self, secs: f64) -> Option<[f64; 3]> {
        let By::Angles(_, triples) = &self.by else { return None };
        let Some(index) = self.segment(secs) else {
            let is_before = self.keys.first().is_some_and(|first| secs < first.secs);
            return if is_before { triples.first() } else { triples.last() }.copied();
        };
        let (from, to) = (self.keys[index].secs, self.keys[index + 1].secs);
        let part = (secs - from) / (to - from);
        Some(std::array::from_fn(|n| {
            let (a, b) = (triples[index][n], triples[index + 1][n]);
            (b - a).mul_add(part, a)
        }))
    }

    /// How fast it turns at a time, radians a second, never negative; 0 outside the span. At an orientation on the way it is
    /// the speed with which it is left.
    ///
    /// Of angles it is exact, by their rate map; of quaternions the angle between two rotations a ten-thousandth of the
    /// segment to either side, which is within 1e-7 of it, relatively.
    #[must_use]
    pub fn speed(&self, secs: f64) -> f64 {
        self.segment(secs).map_or(0.0, |index| self.speed_in(index, secs))
    }

    /// The speed at a time of a segment, both ends included.
    fn speed_in(&self, index: usize, secs: f64) -> f64 {
        let (from, to) = (self.keys[index].secs, self.keys[index + 1].secs);
        if let By::Angles(order, triples) = &self.by {
            let part = (secs - from) / (to - from);
            let angle = |n: usize| (triples[index + 1][n] - triples[index][n]).mul_add(part, triples[index][n]);
            let rates = Vec3::from_fn(|n, _| (triples[index + 1][n] - triples[index][n]) / (to - from));
            return (euler_rates(*order, std::array::from_fn(angle)) * rates).norm();
        }
        let step = STEP * (to - from);
        // The end itself belongs to the next segment.
        let at = |secs: f64| self.rotation(secs.clamp(from, to.next_down()));
        let apart = |a: f64, b: f64| chord_angle(&at(a), &at(b)) / (b - a);
        if secs - step < from {
            // One-sided, of second order: the slope at the end of a parabola.
            let (near, far) = (apart(from, from + step), apart(from + step, from + 2.0 * step));
            1.5f64.mul_add(near, -0.5 * far)
        } else if secs + step > to {
            let (near, far) = (apart(to - step, to.next_down()), apart(to - 2.0 * step, to - step));
            1.5f64.mul_add(near, -0.5 * far)
        } else {
            apart(secs - step, secs + step)
        }
        .max(0.0)
    }

    /// The line of a body axis's tip on the unit sphere, with the speeds, in so many steps a segment (at least one).
    #[must_use]
    pub fn trace(&self, body_axis: &Vec3, steps: u32) -> Trace {
        let steps = steps.max(1);
        let mut trace = Trace::default();
        for index in 0..self.keys.len().saturating_sub(1) {
            let (from, to) = (self.keys[index].secs, self.keys[index + 1].secs);
            let mut before: Option<Quat> = None;
            for step in 0..=steps {
                let part = f64::from(step) / f64::from(steps);
                let secs = if step == steps { to.next_down() } else { (to - from).mul_add(part, from) };
                let rotation = self.rotation(secs);
                trace.way += before.map_or(0.0, |before| chord_angle(&before, &rotation));
                before = Some(rotation);
                trace.secs.push(secs);
                trace.tips.push(rotation * body_axis);
                trace.speeds.push(self.speed_in(index, secs));
            }
        }
        if trace.secs.is_empty()
            && let Some(only) = self.keys.first()
        {
            trace.secs.push(only.secs);
            trace.tips.push(only.rotation * body_axis);
            trace.speeds.push(0.0);
        }
        let speeds = || trace.speeds.iter().copied();
        (trace.least, trace.most) = (speeds().fold(f64::INFINITY, f64::min), speeds().fold(0.0, f64::max));
        trace
    }
}

fn triples(order: EulerOrder, keys: &[LabKey]) -> Vec<[f64; 3]> {
    let mut before = [0.0; 3];
    let triple = |key: &LabKey| {
        before = match key.triple {
            Some((own, triple)) if own == order => triple,
            _ => nearest_euler(order, &key.rotation, before),
        };
        before
    };
    keys.iter().map(triple).collect()
}

/// A way as a line on the sphere. Lists are equally long; where a segment ends and the next begins there are two points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Seconds.
    pub secs: Vec<f64>,
    /// Where the tip is, on the unit sphere.
    pub tips: Vec<Vec3>,
    /// Radians a second.
    pub speeds: Vec<f64>,
    /// The angle turned altogether, radians.
    pub way: f64,
    /// The least speed, radians a second.
    pub least: f64,
    /// The greatest speed, radians a second.
    pub most: f64,
}

/// Both ways from one orientation to another: to `q` and to `-q`, which is the same orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BothWays {
    from: Quat,
    /// The sign of the second for which the way is short.
    near: Quat,
    far: Quat,
    /// The short way's angle, radians, 0..=pi.
    pub short: f64,
    /// The long way's, a whole turn less that.
    pub long: f64,
    /// The product of the two as they are stored, -1..=1: negative where their signs say the long way.
    pub dot: f64,
}

impl BothWays {
    /// Both ways from an orientation to another. Half a turn apart both are equally long, and the stored signs say which is
    /// called short. Where the two are the same orientation the long way is a whole turn without an axis of its own: it has
    /// none and stays.
    #[must_use]
    pub fn new(from: &Quat, to: &Quat) -> Self {
        let near = align(to, from);
        let far = Quat::new_unchecked(-near.into_inner());
        let short = chord_angle(from, to);
        Self { from: *from, near, far, short, long: TAU - short, dot: from.coords.dot(&to.coords) }
    }

    /// The rotation at a part of the short way, or of the long one.
    #[must_use]
    pub fn at(&self, long: bool, part: f64) -> Quat {
        slerp_unaligned(&self.from, if long { &self.far } else { &self.near }, part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{from_axis_angle, rotation_angle, squad, squad_control};
    use std::f64::consts::{FRAC_PI_2, PI};

    const QUATERNIONS: [LabScheme; 4] = [LabScheme::Nlerp, LabScheme::Slerp, LabScheme::Squad, LabScheme::Cubic];

    fn key(secs: f64, rotation: Quat) -> LabKey {
        LabKey { secs, rotation, triple: None }
    }

    fn all() -> impl Iterator<Item = LabScheme> {
        QUATERNIONS.into_iter().chain(EulerOrder::ALL.map(LabScheme::Euler))
    }

    fn some() -> Vec<LabKey> {
        let turn = |x: f64, y, z, angle| from_axis_angle(&Vec3::new(x, y, z), angle);
        vec![
            key(0.0, turn(1.0, 0.0, 0.3, 0.2)),
            key(0.5, turn(0.1, 1.0, 0.3, 1.4)),
            key(1.5, turn(0.5, -1.0, 0.3, 2.9)),
            key(2.0, turn(0.0, 0.0, 1.0, -1.0)),
        ]
    }

    #[test]
    fn every_way_goes_through_the_orientations_and_holds_outside() {
        let keys = some();
        for scheme in all() {
            let way = Way::new(scheme, &keys).unwrap();
            for key in &keys {
                assert!(chord_angle(&way.rotation(key.secs), &key.rotation) < 1e-12, "{scheme:?} at {}", key.secs);
            }
            assert!(chord_angle(&way.rotation(-1.0), &keys[0].rotation) < 1e-12);
            assert!(chord_angle(&way.rotation(9.0), &keys[3].rotation) < 1e-12);
            assert_eq!((way.speed(-1.0), way.speed(9.0), way.span()), (0.0, 0.0, (0.0, 2.0)));
        }
    }

    /// Nlerp's speed in closed form: the chord's point at `t` is seen from the centre at an angle whose tangent is known.
    #[test]
    fn slerp_is_even_and_nlerp_as_fast_as_its_chord_says() {
        let angle = 2.0;
        let (a, b) = (from_axis_angle(&Vec3::x(), 0.3), from_axis_angle(&Vec3::x(), 0.3 + angle));
        let keys = [key(1.0, a), key(3.0, b)];
        let slerp = Way::new(LabScheme::Slerp, &keys).unwrap();
        let nlerp = Way::new(LabScheme::Nlerp, &keys).unwrap();
        let half = angle / 2.0;
        for i in 0..200 {
            let part = f64::from(i) / 200.0;
            let secs = 1.0 + 2.0 * part;
            assert!((slerp.speed(secs) - angle / 2.0).abs() < 1e-9, "{} {secs}", slerp.speed(secs));
            let square = (1.0 - part).powi(2) + 2.0 * part * (1.0 - part) * half.cos() + part * part;
            let wanted = 2.0 * half.sin() / square / 2.0;
            assert!((nlerp.speed(secs) - wanted).abs() < 1e-6 * wanted, "{part}: {} {wanted}", nlerp.speed(secs));
        }
        let (even, uneven) = (slerp.trace(&Vec3::y(), 64), nlerp.trace(&Vec3::y(), 64));
        assert!((even.way - angle).abs() < 1e-9 && (uneven.way - angle).abs() < 1e-9);
        assert!(even.most - even.least < 1e-9 && uneven.most > 1.2 * uneven.least);
    }

    /// The rate map against differences of the rotations themselves.
    #[test]
    fn the_speed_of_angles_is_that_of_their_rotations() {
        for order in EulerOrder::ALL {
            let way = Way::new(LabScheme::Euler(order), &some()).unwrap();
            for secs in [0.1, 0.4, 0.9, 1.2, 1.7] {
                let step = 1e-5;
                let apart = chord_angle(&way.rotation(secs - step), &way.rotation(secs + step)) / (2.0 * step);
                assert!((way.speed(secs) - apart).abs() < 1e-6 * apart, "{order:?} {secs}");
            }
        }
    }

    #[test]
    fn squad_leaves_and_reaches_even_keys_equally_fast_and_slerp_does_not() {
        let even: Vec<LabKey> =
            some().iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(k, secs)| LabKey { secs, ..*k }).collect();
        let jump = |scheme| {
            let trace = Way::new(scheme, &even).unwrap().trace(&Vec3::x(), 32);
            (trace.speeds[32] - trace.speeds[33]).abs()
        };
        assert!(jump(LabScheme::Squad) < 1e-5, "{}", jump(LabScheme::Squad));
        assert!(jump(LabScheme::Slerp) > 0.1);
        // And it is squad, as the textbook has it.
        let q: Vec<Quat> = even.iter().map(|key| key.rotation).collect();
        let control = |i: usize| squad_control(q.get(i.wrapping_sub(1)), &q[i], q.get(i + 1));
        let way = Way::new(LabScheme::Squad, &even).unwrap();
        for i in 0..30 {
            let u = f64::from(i % 10) / 10.0;
            let segment = (i / 10) as usize;
            let wanted = squad(&q[segment], &control(segment), &q[segment + 1], &control(segment + 1), u);
            assert!(chord_angle(&way.rotation(segment as f64 + u), &wanted) < 1e-7);
        }
    }

    #[test]
    fn angles_that_were_typed_keep_their_turns() {
        let spin = [0.0, 4.0 * PI + 0.5, 0.0];
        let order = EulerOrder::Zxy;
        let typed = LabKey { secs: 1.0, rotation: from_euler(order, spin), triple: Some((order, spin)) };
        let keys = [key(0.0, Quat::identity()), typed];
        let way = Way::new(LabScheme::Euler(order), &keys).unwrap();
        assert!((way.trace(&Vec3::y(), 200).way - spin[1]).abs() < 1e-6);
        assert!((way.speed(0.3) - spin[1]).abs() < 1e-9);
        assert_eq!(way.angles(0.5), Some([0.0, spin[1] / 2.0, 0.0]));
        let other = Way::new(LabScheme::Euler(EulerOrder::Xyz), &keys).unwrap();
        assert!(other.trace(&Vec3::y(), 64).way < PI, "another order knows nothing of the turns");
        assert_eq!(Way::new(LabScheme::Slerp, &keys).unwrap().angles(0.5), None);
    }

    #[test]
    fn none_one_and_coincident_orientations_are_defined() {
        let q = from_axis_angle(&Vec3::z(), 1.0);
        for scheme in all() {
            assert!(Way::new(scheme, &[]).is_none());
            assert!(Way::new(scheme, &[key(f64::NAN, q)]).is_none());
            let one = Way::new(scheme, &[key(1.0, q)]).unwrap();
            assert!(chord_angle(&one.rotation(0.0), &q) < 1e-12);
            let trace = one.trace(&Vec3::x(), 0);
            assert_eq!((trace.tips.len(), trace.way, trace.most, one.speed(1.0)), (1, 0.0, 0.0, 0.0));
            let two = Way::new(scheme, &[key(1.0, Quat::identity()), key(1.0, q)]).unwrap();
            assert_eq!(two.keys().len(), 1);
            assert!(chord_angle(&two.rotation(1.0), &q) < 1e-12, "the later one counts");
            let same = Way::new(scheme, &[key(0.0, q), key(1.0, q)]).unwrap();
            let trace = same.trace(&Vec3::x(), 8);
            assert!(trace.speeds.iter().all(|speed| speed.is_finite() && *speed < 1e-9), "{scheme:?} {trace:?}");
            let far = Way::new(scheme, &[key(-1e9, q), key(1e9, q)]).unwrap();
            assert!(far.trace(&Vec3::x(), 8).speeds.iter().all(|speed| speed.is_finite()));
        }
    }

    #[test]
    fn both_ways_are_a_turn_together_and_end_at_the_same() {
        let a = from_axis_angle(&Vec3::new(1.0, 2.0, 0.5), 0.4);
        let b = from_axis_angle(&Vec3::new(-1.0, 0.3, 0.5), 1.9);
        let minus = Quat::new_unchecked(-b.into_inner());
        for to in [b, minus] {
            let ways = BothWays::new(&a, &to);
            assert!((ways.short + ways.long - TAU).abs() < 1e-12 && ways.short < PI);
            for long in [false, true] {
                assert!(chord_angle(&ways.at(long, 0.0), &a) < 1e-12 && chord_angle(&ways.at(long, 1.0), &b) < 1e-12);
                let whole = if long { ways.long } else { ways.short };
                // Even steps: a tenth of the way each.
                for i in 0..10 {
                    let (p, q) = (ways.at(long, f64::from(i) / 10.0), ways.at(long, f64::from(i + 1) / 10.0));
                    assert!((rotation_angle(&(p.inverse() * q)) - whole / 10.0).abs() < 1e-9);
                }
            }
        }
        assert!(BothWays::new(&a, &b).dot == -BothWays::new(&a, &minus).dot);
        let same = BothWays::new(&a, &a);
        assert!(same.short < 1e-12 && (same.long - TAU).abs() < 1e-12 && same.at(true, 0.5).coords.norm() > 0.99);
        let half = BothWays::new(&Quat::identity(), &from_axis_angle(&Vec3::x(), PI));
        assert!((half.short - PI).abs() < 1e-9 && (half.long - PI).abs() < 1e-9);
        assert!((rotation_angle(&half.at(false, 0.5)) - FRAC_PI_2).abs() < 1e-9);
    }
}
