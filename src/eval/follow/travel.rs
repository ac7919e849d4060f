//! How far along its path a follower is, from whichever of its channels says so.

use crate::{
    eval::{
        curve::Integral,
        sample::{Stage, number, scalar_value},
    },
    model::{ChannelPath, ConstraintId, Curve, Document, Drive, Follow, ObjectId, Property, ScalarCurve, Target},
};
use std::sync::Arc;

/// A follower's way over time.
#[derive(Clone, Debug)]
pub struct Travel {
    follow: Follow,
    /// The curve of the channel that drives, where there is one.
    curve: Option<Arc<Curve>>,
    integral: Option<Integral>,
    /// The static numbers where no curve stands: distance, speed, acceleration.
    still: [f64; 3],
    length: f64,
}

/// The property that a drive reads.
#[must_use]
pub const fn driven_by(drive: Drive) -> Property {
    match drive {
        Drive::Distance => Property::Distance,
        Drive::Speed => Property::Speed,
        Drive::Acceleration => Property::Acceleration,
    }
}

/// Whether a channel has a say: a follower goes by its distance, its speed or its acceleration, and the curves of the two
/// that do not drive it wait, unseen, until they do.
#[must_use]
pub fn has_say(document: &Document, path: ChannelPath) -> bool {
    let Target::Constraint(object, id) = path.target else { return true };
    let constraint = document.object(object).and_then(|object| object.constraint(id));
    let Some(follow) = constraint.and_then(|constraint| constraint.as_follow()) else { return true };
    let is_way = matches!(path.property, Property::Distance | Property::Speed | Property::Acceleration);
    !is_way || path.property == driven_by(follow.drive)
}

/// How much a distance may fall, relative to all of it, and still count as held: rounding.
const FALL: f64 = 1e-9;

impl Travel {
    /// The way of a follower whose path is `length` metres long. None where there is no such follower.
    #[must_use]
    pub fn new(document: &Document, object: ObjectId, constraint: ConstraintId, length: f64) -> Option<Self> {
        let follow = *document.object(object)?.constraint(constraint)?.as_follow()?;
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        let path = ChannelPath::constraint(object, constraint, driven_by(follow.drive));
        let curve = clip.and_then(|clip| clip.acting(&path)).filter(|curve| !curve.is_empty()).cloned();
        let integral = match curve.as_deref() {
            Some(Curve::Scalar(curve)) => Integral::new(curve),
            _ => None,
        };
        Some(Self { follow, curve, integral, still: [follow.distance, follow.speed, follow.acceleration], length })
    }

    fn scalar(&self) -> Option<&ScalarCurve> {
        match self.curve.as_deref() {
            Some(Curve::Scalar(curve)) => Some(curve),
            _ => None,
        }
    }

    /// Metres in one unit of distance as the channels have it.
    #[must_use]
    pub fn unit(&self) -> f64 {
        if self.follow.tied { self.length } else { 1.0 }
    }

    /// The distance at a time in metres from the path's start; not brought onto the path. What waits at the time is not looked at.
    #[must_use]
    pub fn distance(&self, secs: f64) -> f64 {
        let [distance, speed, acceleration] = self.still;
        let gained = |from: f64, secs: f64| match (self.follow.drive, &self.integral) {
            (Drive::Speed, Some(integral)) => integral.at(secs)[0],
            (Drive::Acceleration, Some(integral)) => speed * (secs - from) + integral.at(secs)[1],
            // Without a curve time runs from 0 on.
            (Drive::Speed, None) => speed * secs,
            (Drive::Acceleration, None) => secs * (speed + acceleration * secs / 2.0),
            (Drive::Distance, _) => 0.0,
        };
        match self.follow.drive {
            Drive::Distance => {
                self.scalar().and_then(|curve| scalar_value(curve, secs)).unwrap_or(distance) * self.unit()
            }
            _ if self.follow.tied => {
                let (from, to) = self.integral.as_ref().map_or((0.0, 0.0), |i| (i.start(), i.end()));
                let whole = gained(from, to);
                let part = if whole == 0.0 { 0.0 } else { gained(from, secs) / whole };
                self.length * (distance + part)
            }
            _ => distance + gained(self.integral.as_ref().map_or(0.0, Integral::start), secs),
        }
    }

    /// The distance as shown: a distance that waits at this time comes first.
    #[must_use]
    pub fn shown(&self, document: &Document, object: ObjectId, constraint: ConstraintId, secs: f64) -> f64 {
        if self.follow.drive != Drive::Distance {
            return self.distance(secs);
        }
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        let path = ChannelPath::constraint(object, constraint, Property::Distance);
        let shown = number(document, clip.map(|clip| &**clip), path, secs, Stage::Shown);
        shown.unwrap_or(self.follow.distance) * self.unit()
    }

    /// The speed along the path at a time, metres a second, by central differences of a thousandth of a second but for the
    /// channels that are a speed themselves.
    #[must_use]
    pub fn speed(&self, secs: f64) -> f64 {
        match (self.follow.drive, self.follow.tied, self.scalar()) {
            (Drive::Speed, false, Some(curve)) => scalar_value(curve, secs).unwrap_or(self.still[1]),
            _ => (self.distance(secs + 5e-4) - self.distance(secs - 5e-4)) / 1e-3,
        }
    }

    /// The least speed within the keys, metres a second, looked at in many places; that at the time 0 where nothing is keyed.
    #[must_use]
    pub fn least_speed(&self) -> f64 {
        let Some(integral) = &self.integral else { return self.speed(0.0) };
        let speed = |secs: f64| match self.follow.drive {
            Drive::Acceleration if !self.follow.tied => self.still[1] + integral.at(secs)[0],
            _ => self.speed(secs),
        };
        integral.times(63).map(speed).fold(f64::INFINITY, f64::min)
    }

    /// The times of the keys (or samples) that drive, in order.
    #[must_use]
    pub fn key_times(&self) -> Vec<f64> {
        self.integral.as_ref().map_or_else(Vec::new, |integral| integral.times(0).collect())
    }

    /// From when to when the follower goes back, the first time it does: its distance falls by more than rounding. Looked at
    /// within the keys, at their times and many between.
    #[must_use]
    pub fn goes_back(&self) -> Option<(f64, f64)> {
        let integral = self.integral.as_ref()?;
        if self.follow.drive == Drive::Distance {
            let fall =
                |(secs, before, after): (f64, f64, f64)| (after < before - FALL * (1.0 + before.abs())).then_some(secs);
            if let Some(secs) = integral.steps().find_map(fall) {
                return Some((secs, secs));
            }
        }
        let sampled = self.curve.as_deref().is_some_and(Curve::is_sampled);
        let mut times: Vec<f64> = integral.times(if sampled { 0 } else { 31 }).collect();
        times.dedup();
        let places: Vec<f64> = times.iter().map(|secs| self.distance(*secs)).collect();
        let size = places.iter().fold(0.0, |size: f64, place| size.max(place.abs()));
        let falls = |pair: &[f64]| pair[1] < pair[0] - FALL * size;
        let first = places.windows(2).position(falls)?;
        let run = places.windows(2).skip(first).take_while(|pair| falls(pair)).count();
        Some((*times.get(first)?, *times.get(first + run)?))
    }
}
