//! Retimes: the same motion of some joints, at other times over a range.

use super::{
    channel::Target,
    clip::SAME_TIME_SECS,
    curve::is_default,
    id::{JointId, ObjectId, RetimeId},
};
use crate::math::spline::{HermiteSpline, monotone_slopes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A change of timing: the curves and corrections of some joints are read at `phi(t)`, so that what moved along an arc moves
/// along the same arc with other spacing. Retimes of one clip act one after another: the last listed is asked first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retime {
    /// Its identity in the clip.
    pub id: RetimeId,
    /// Its name.
    pub name: String,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// The rig object.
    pub object: ObjectId,
    /// What of it is retimed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scope: RetimeScope,
    /// When the curves are read.
    pub phi: Phi,
}

/// Which channels of a rig object a retime is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RetimeScope {
    /// All joints and the object itself: arcs in the world are kept.
    #[default]
    Whole,
    /// Some joints: arcs in the space of the joint they hang on are kept.
    Joints(BTreeSet<JointId>),
}

impl Retime {
    /// Whether a target's channels are read through it.
    #[must_use]
    pub fn covers(&self, target: Target) -> bool {
        let joint = match target {
            Target::Object(object) => (object, None),
            Target::Joint(object, joint) => (object, Some(joint)),
            // What holds and leads a rig goes on in its own time.
            _ => return false,
        };
        let within = match (&self.scope, joint.1) {
            (RetimeScope::Whole, _) => true,
            (RetimeScope::Joints(joints), Some(joint)) => joints.contains(&joint),
            (RetimeScope::Joints(_), None) => false,
        };
        joint.0 == self.object && within
    }

    /// Whether some target's channels are read through both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let shared = match (&self.scope, &other.scope) {
            (RetimeScope::Joints(a), RetimeScope::Joints(b)) => !a.is_disjoint(b),
            _ => true,
        };
        self.object == other.object && shared
    }
}

/// The time at which curves are read, as a function of the time shown: strictly rising with a continuous slope, and over its
/// range's ends the identity in value and slope. Monotone cubics (PCHIP) between keys `(time, time read)`, seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(f64, f64)>", into = "Vec<(f64, f64)>")]
pub struct Phi {
    keys: Vec<(f64, f64)>,
    spline: HermiteSpline,
}

/// Why keys are no change of timing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PhiError {
    /// Fewer than two keys.
    #[error("a retime needs a key at both ends of its range")]
    TooFew,
    /// A number that is not finite.
    #[error("a retime's times must be finite numbers")]
    NotFinite,
    /// Times that stand still or run back.
    #[error("a retime's times must rise at {0} s: motion is never played backwards by one")]
    NotRising(f64),
    /// An end of the range that is not the identity.
    #[error("a retime must leave the end of its range at {0} s as it is")]
    MovedEnd(f64),
    /// A first or last stretch too slow to begin or end at the speed of the motion around it.
    #[error("next to the end at {0} s a retime cannot run slower than a third of the speed")]
    TooSlowAtEnd(f64),
}

/// Next to an end, where the slope is 1, a monotone cubic rises by at least a third of that (Fritsch and Carlson 1980).
const END_CHORD: f64 = 1.0 / 3.0;
/// The least slope of a chord that [`Phi::with_key`] makes between other keys.
const LEAST_CHORD: f64 = 0.02;
/// What rounding may take from the chord at an end.
const CHORD_ROUNDING: f64 = 1e-9;

impl Phi {
    /// The change of timing through keys `(time, time read)`, seconds.
    ///
    /// # Errors
    /// Where the keys are none; see [`PhiError`].
    pub fn new(keys: Vec<(f64, f64)>) -> Result<Self, PhiError> {
        let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return Err(PhiError::TooFew) };
        if keys.len() < 2 {
            return Err(PhiError::TooFew);
        }
        if keys.iter().any(|(time, read)| !(time.is_finite() && read.is_finite())) {
            return Err(PhiError::NotFinite);
        }
        for pair in keys.windows(2) {
            if pair[0].0 >= pair[1].0 || pair[0].1 >= pair[1].1 {
                return Err(PhiError::NotRising(pair[1].0));
            }
        }
        if let Some(end) = [first, last].into_iter().find(|(time, read)| time != read) {
            return Err(PhiError::MovedEnd(end.0));
        }
        let chord = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
        let ends = [(first, chord(keys[0], keys[1])), (last, chord(keys[keys.len() - 2], keys[keys.len() - 1]))];
        if let Some((end, _)) = ends.into_iter().find(|(_, chord)| *chord < END_CHORD - CHORD_ROUNDING) {
            return Err(PhiError::TooSlowAtEnd(end.0));
        }
        let (times, read): (Vec<f64>, Vec<f64>) = keys.iter().copied().unzip();
        let mut slopes = monotone_slopes(&times, &read).ok_or(PhiError::NotFinite)?;
        for end in [0, keys.len() - 1] {
            slopes[end] = 1.0;
        }
        let spline = HermiteSpline::new(&times, &read, &slopes).ok_or(PhiError::NotFinite)?;
        Ok(Self { keys, spline })
    }

    /// The keys: `(time, time read)`, seconds, in order.
    #[must_use]
    pub fn keys(&self) -> &[(f64, f64)] {
        &self.keys
    }

    /// Where it changes anything: start and end, seconds.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let time = |key: Option<&(f64, f64)>| key.map_or(0.0, |key| key.0);
        (time(self.keys.first()), time(self.keys.last()))
    }

    fn holds(&self, secs: f64) -> bool {
        let (start, end) = self.range();
        start < secs && secs < end
    }

    /// The time read at a time shown. At and outside the ends of the range it is that time, to the bit.
    #[must_use]
    pub fn value(&self, secs: f64) -> f64 {
        if self.holds(secs) { self.spline.value(secs) } else { secs }
    }

    /// How fast the time read runs at a time shown: 1 is as before, never negative.
    #[must_use]
    pub fn slope(&self, secs: f64) -> f64 {
        if self.holds(secs) { self.spline.derivative(secs) } else { 1.0 }
    }

    /// The time shown at which a time is read: the inverse of [`Self::value`], to rounding.
    #[must_use]
    pub fn inverse(&self, read: f64) -> f64 {
        if !self.holds(read) {
            return read;
        }
        let after = self.keys.partition_point(|key| key.1 <= read).clamp(1, self.keys.len() - 1);
        let (mut low, mut high) = (self.keys[after - 1].0, self.keys[after].0);
        let mut secs = 0.5 * (low + high);
        // Newton, kept between bounds that close in: halving alone would need about 50 steps.
        for _ in 0..64 {
            let off = self.spline.value(secs) - read;
            if off == 0.0 {
                break;
            }
            if off > 0.0 {
                high = secs;
            } else {
                low = secs;
            }
            let next = secs - off / self.spline.derivative(secs);
            let next = if low < next && next < high { next } else { 0.5 * (low + high) };
            if next == secs {
                break;
            }
            secs = next;
        }
        secs
    }

    /// The same with the time read at a time set: a new key, or another value of the key that is there. `read` is moved
    /// to the nearest that leaves the whole rising. None where the time is not inside the range.
    #[must_use]
    pub fn with_key(&self, secs: f64, read: f64) -> Option<Self> {
        if !self.holds(secs) || !read.is_finite() {
            return None;
        }
        let mut keys = self.keys.clone();
        let last = keys.len() - 1;
        let same = (1..last).find(|index| (keys[*index].0 - secs).abs() <= SAME_TIME_SECS);
        let index = same.unwrap_or_else(|| {
            let index = keys.partition_point(|key| key.0 <= secs);
            keys.insert(index, (secs, read));
            index
        });
        let (before, here, after) = (*keys.get(index - 1)?, *keys.get(index)?, *keys.get(index + 1)?);
        let chord = |is_end: bool| if is_end { END_CHORD } else { LEAST_CHORD };
        let low = before.1 + chord(index == 1) * (here.0 - before.0);
        let high = after.1 - chord(index + 2 == keys.len()) * (after.0 - here.0);
        if low > high {
            return None;
        }
        keys[index].1 = read.clamp(low, high);
        Self::new(keys).ok()
    }

    /// The same with one end of its range elsewhere, the first or the last; the keys between stay. The end is moved to the
    /// nearest that leaves the whole rising, at least `apart` seconds from the key before it. None where that is no time.
    #[must_use]
    pub fn with_end(&self, is_first: bool, secs: f64, apart: f64) -> Option<Self> {
        if !secs.is_finite() {
            return None;
        }
        let mut keys = self.keys.clone();
        let last = keys.len().checked_sub(1)?;
        let ((end, inner), side) = if is_first { ((0, 1), -1.0) } else { ((last, last - 1), 1.0) };
        let (time, read) = *keys.get(inner)?;
        // An end that is itself the only other key is the identity: any time does.
        let ahead = side * (read - time);
        let room = apart.max(SAME_TIME_SECS).max(if ahead > 0.0 { ahead * (1.0 + 0.5) } else { 0.0 });
        let nearest = side * (side * secs).max(side * time + room);
        *keys.get_mut(end)? = (nearest, nearest);
        Self::new(keys).ok()
    }

    /// The same change of timing, so many seconds later. None where that is no time.
    #[must_use]
    pub fn shifted(&self, dt: f64) -> Option<Self> {
        Self::new(self.keys.iter().map(|(time, read)| (time + dt, read + dt)).collect()).ok()
    }
}

impl TryFrom<Vec<(f64, f64)>> for Phi {
    type Error = PhiError;

    fn try_from(keys: Vec<(f64, f64)>) -> Result<Self, PhiError> {
        Self::new(keys)
    }
}

impl From<Phi> for Vec<(f64, f64)> {
    fn from(phi: Phi) -> Self {
        phi.keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phi() -> Phi {
        Phi::new(vec![(1.0, 1.0), (1.5, 1.2), (2.0, 1.9), (2.5, 2.4), (3.0, 3.0)]).unwrap()
    }

    #[test]
    fn it_rises_smoothly_from_one_identity_to_the_other() {
        let phi = phi();
        assert_eq!(phi.range(), (1.0, 3.0));
        for secs in [-1.0, 1.0, 3.0, 7.0] {
            assert_eq!((phi.value(secs), phi.slope(secs)), (secs, 1.0));
        }
        assert!((phi.slope(1.0 + 1e-9) - 1.0).abs() < 1e-7 && (phi.slope(3.0 - 1e-9) - 1.0).abs() < 1e-7);
        let mut before = phi.value(0.999);
        for step in 0..=2000 {
            let secs = 0.9995 + f64::from(step) * 0.001 + 0.000_25;
            let here = phi.value(secs);
            assert!(here > before, "{secs}");
            assert!(phi.slope(secs) > 0.0);
            assert!((phi.slope(secs + 1e-7) - phi.slope(secs - 1e-7)).abs() < 1e-5, "a kink at {secs}");
            assert!((phi.inverse(here) - secs).abs() < 1e-12, "{secs}");
            before = here;
        }
    }

    #[test]
    fn what_is_no_change_of_timing_is_refused() {
        assert_eq!(Phi::new(Vec::new()), Err(PhiError::TooFew));
        assert_eq!(Phi::new(vec![(0.0, 0.0)]), Err(PhiError::TooFew));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (1.0, f64::NAN), (2.0, 2.0)]), Err(PhiError::NotFinite));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (1.0, -0.1), (2.0, 2.0)]), Err(PhiError::NotRising(1.0)));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (0.0, 0.5), (2.0, 2.0)]), Err(PhiError::NotRising(0.0)));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (2.0, 2.1)]), Err(PhiError::MovedEnd(2.0)));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (1.0, 0.3), (2.0, 2.0)]), Err(PhiError::TooSlowAtEnd(0.0)));
        assert_eq!(Phi::new(vec![(0.0, 0.0), (1.0, 1.7), (2.0, 2.0)]), Err(PhiError::TooSlowAtEnd(2.0)));
    }

    #[test]
    fn keys_set_by_dragging_are_kept_within_what_is_possible() {
        let phi = Phi::new(vec![(0.0, 0.0), (2.0, 2.0)]).unwrap();
        let far = phi.with_key(1.0, 9.0).unwrap();
        assert!((far.value(1.0) - (2.0 - 1.0 / 3.0)).abs() < 1e-12);
        let back = far.with_key(1.0, -9.0).unwrap();
        assert_eq!(back.keys().len(), 3);
        assert!((back.value(1.0) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!((phi.with_key(0.0, 0.5), phi.with_key(2.0, 0.5), phi.with_key(f64::NAN, 0.5)), (None, None, None));
        // So are its ends, and the whole can go elsewhere.
        let skewed = Phi::new(vec![(0.0, 0.0), (1.0, 1.4), (2.0, 2.0)]).unwrap();
        assert_eq!(skewed.with_end(false, 9.0, 0.1).unwrap().range(), (0.0, 9.0));
        assert!((skewed.with_end(false, 0.2, 0.1).unwrap().range().1 - 1.6).abs() < 1e-12);
        assert!((skewed.with_end(true, 5.0, 0.1).unwrap().range().0 - 0.9).abs() < 1e-12);
        assert_eq!((skewed.with_end(true, f64::NAN, 0.1), skewed.shifted(f64::INFINITY)), (None, None));
        assert!((skewed.shifted(2.0).unwrap().value(3.0) - 3.4).abs() < 1e-12);
        // Any keys at all leave it a change of timing.
        let mut phi = phi;
        for step in 0_u32..200 {
            let (secs, read) = (2.0 * f64::from(step * 7 % 199) / 199.0, 2.0 * f64::from(step * 13 % 101) / 101.0);
            if let Some(next) = phi.with_key(secs, read) {
                phi = next;
            }
        }
        assert!(phi.keys().len() > 3);
        for step in 1..1000 {
            let secs = f64::from(step) * 0.002;
            assert!(phi.slope(secs) > 0.0 && (phi.inverse(phi.value(secs)) - secs).abs() < 1e-9, "{secs}");
        }
    }
}
