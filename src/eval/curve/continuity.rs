//! Keys made to pass more smoothly: what order of continuity is wanted, which handles give it.
//!
//! C0 takes steps out, C1 brings both slopes to one, C2 both accelerations too: then the slopes of the keys are those of the
//! cubic spline through them, with the slopes of the keys around as they are (de Boor, *A Practical Guide to Splines*, IV).

use super::{
    Segment, Shape,
    convert::{end_slopes, segment_handles},
    segment,
};
use crate::{
    eval::polyline::derivative::smoothness,
    model::{Handle, Interpolation, Key, KeyedCurve, Scheme},
};
use serde::{Deserialize, Serialize};

/// An order of continuity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Continuity {
    /// The value does not jump.
    C0,
    /// Nor does the velocity.
    C1,
    /// Nor does the acceleration.
    C2,
}

impl Continuity {
    /// All orders, from the least.
    pub const ALL: [Self; 3] = [Self::C0, Self::C1, Self::C2];

    const fn order(self) -> i8 {
        match self {
            Self::C0 => 0,
            Self::C1 => 1,
            Self::C2 => 2,
        }
    }
}

/// What making keys continuous came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MadeContinuous {
    /// The keys that are other than they were.
    pub keys: Vec<Key>,
    /// How many of the keys asked for pass as wanted now and did not before.
    pub made: usize,
    /// How many of them passed so before.
    pub had: usize,
    /// How many of them do not: a hold starts or ends there.
    pub failed: usize,
    /// How many keys around pass less smoothly than they did.
    pub fell: usize,
    /// The greatest distance of the curve from what it was, own units.
    pub error: f64,
}

/// Makes the curve pass the keys at some indices (in order) with a continuity of at least the order wanted. Values and times
/// of keys stay. A first and a last key are passed over. None under a whole-curve scheme, where keys have no say.
#[must_use]
pub fn make_continuous(curve: &KeyedCurve, wanted: &[usize], order: Continuity) -> Option<MadeContinuous> {
    if curve.scheme != Scheme::PerKey {
        return None;
    }
    let passes =
        |curve: &KeyedCurve, index: usize| smoothness(curve, index).is_some_and(|s| s.order() >= order.order());
    let inner: Vec<usize> = wanted.iter().copied().filter(|index| smoothness(curve, *index).is_some()).collect();
    let rough: Vec<usize> = inner.iter().copied().filter(|index| !passes(curve, *index)).collect();
    let mut done = MadeContinuous { had: inner.len() - rough.len(), ..MadeContinuous::default() };
    if rough.is_empty() {
        return Some(done);
    }
    let mut work = Work { curve: curve.clone() };
    for &index in &rough {
        work.take_out_step(index);
    }
    if order >= Continuity::C1 {
        for &index in &rough {
            work.level_slopes(index);
        }
    }
    if order >= Continuity::C2 {
        // Those that pass so already take part: their neighbours' slopes change.
        let bends: Vec<usize> = inner.iter().copied().filter(|index| work.may_bend(*index)).collect();
        for run in bends.chunk_by(|a, b| a + 1 == *b) {
            work.level_bends(run);
        }
    }
    let after = work.curve;
    done.made = rough.iter().filter(|index| passes(&after, **index)).count();
    done.failed = rough.len() - done.made;
    let (first, last) = (rough[0].saturating_sub(2), rough[rough.len() - 1].saturating_add(3));
    let last = last.min(curve.keys.len());
    for index in first..last {
        let (Some(before), Some(now)) = (curve.keys.get(index), after.keys.get(index)) else { continue };
        if before != now {
            done.keys.push(now);
        }
        let order_of = |curve: &KeyedCurve| smoothness(curve, index).map(|how| how.order());
        let asked = inner.binary_search(&index).is_ok();
        done.fell += usize::from(!asked && order_of(&after) < order_of(curve));
        done.error = done.error.max(segment_off(curve, &after, index));
    }
    Some(done)
}

/// How far two curves lie apart in the segment from a key on, own units.
fn segment_off(before: &KeyedCurve, after: &KeyedCurve, index: usize) -> f64 {
    const STEPS: u32 = 64;
    const NEARER: u32 = 32;
    let Some((start, end)) = before.keys.time(index).zip(before.keys.time(index + 1)) else { return 0.0 };
    let off = |part: f64| {
        let secs = (end - start).mul_add(part, start);
        Some((part, (unmodified(after, secs)? - unmodified(before, secs)?).abs()))
    };
    let worst = |parts: &mut dyn Iterator<Item = f64>| {
        parts.filter_map(off).fold((0.0, 0.0), |worst: (f64, f64), off| if off.1 > worst.1 { off } else { worst })
    };
    // A step is furthest off right before its end.
    let rough = worst(&mut (1..STEPS).map(|step| f64::from(step) / f64::from(STEPS)).chain([1.0 - 1e-6]));
    // Around the worst once more, closer: bounces come to a point.
    let closer = |step: u32| rough.0 + (f64::from(step) / f64::from(NEARER) - 1.0) / f64::from(STEPS);
    let fine = worst(&mut (0..=2 * NEARER).map(closer).filter(|part| (0.0..1.0).contains(part)));
    rough.1.max(fine.1)
}

fn unmodified(curve: &KeyedCurve, secs: f64) -> Option<f64> {
    super::unmodified_with(curve, secs, &mut super::Cursor::default())
}

/// A curve at work.
struct Work {
    curve: KeyedCurve,
}

impl Work {
    fn key(&self, index: usize) -> Option<Key> {
        self.curve.keys.get(index)
    }

    fn put(&mut self, index: usize, key: Key) {
        self.curve.keys.replace_same_time(index, key);
    }

    /// The segment from a key on, where it moves: not a hold.
    fn moving(&self, index: usize) -> Option<Segment> {
        let kind = self.key(index)?.interpolation;
        if matches!(kind, Interpolation::Step | Interpolation::Nearest) {
            return None;
        }
        segment(&self.curve, index)
    }

    /// Straightens the hold before a key that jumps.
    fn take_out_step(&mut self, index: usize) {
        let jumps = smoothness(&self.curve, index).is_some_and(|how| how.order() < 0);
        if let Some(before) = index.checked_sub(1).and_then(|before| Some((before, self.key(before)?)))
            && jumps
        {
            self.put(before.0, Key { interpolation: Interpolation::Linear, ..before.1 });
        }
    }

    /// Makes a Bezier segment of the one from a key on, with its shape where a Bezier can have it.
    fn as_bezier(&mut self, index: usize) {
        let Some(segment) = self.moving(index) else { return };
        let kind = self.key(index).map(|key| key.interpolation);
        let derived = matches!(segment.shape(), Shape::Bezier { .. }) && kind == Some(Interpolation::Bezier);
        if derived {
            return;
        }
        let [out, into] = segment_handles(&segment);
        if let Some(key) = self.key(index) {
            let key = Key { interpolation: Interpolation::Bezier, ..key };
            self.put(index, key);
        }
        self.set_handle(index, false, Handle::Free(out.0, out.1));
        self.set_handle(index + 1, true, Handle::Free(into.0, into.1));
    }

    /// Sets one handle of a key; the other acts on as it did.
    fn set_handle(&mut self, index: usize, before: bool, handle: Handle) {
        let Some(mut key) = self.key(index) else { return };
        if key.unweighted {
            // From now on lengths count: those of the other side become what they acted as.
            let used = super::handles_used(&self.curve, index).unwrap_or_default();
            let acts = |handle: &mut Handle, used: Option<(f64, f64)>| match (*handle, used) {
                (Handle::Aligned(..), Some((secs, rise))) => *handle = Handle::Aligned(secs, rise),
                (Handle::Free(..), Some((secs, rise))) => *handle = Handle::Free(secs, rise),
                _ => {}
            };
            acts(&mut key.handle_in, used.before);
            acts(&mut key.handle_out, used.after);
            key.unweighted = false;
        }
        if before {
            key.handle_in = handle;
        } else {
            key.handle_out = handle;
        }
        self.put(index, key);
    }

    /// Gives both sides of a key one slope: the mean of the two by the time of their segments, which for straight ones is
    /// Catmull-Rom's; 0 beside a hold.
    fn level_slopes(&mut self, index: usize) {
        if smoothness(&self.curve, index).is_some_and(|how| how.order() >= 1) {
            return;
        }
        let Some(before) = index.checked_sub(1) else { return };
        self.as_bezier(before);
        self.as_bezier(index);
        let (left, right) = (self.moving(before), self.moving(index));
        let length = |segment: &Segment| segment.end() - segment.start();
        let slope = match (&left, &right) {
            (Some(left), Some(right)) => {
                let (from, to) = (length(left), length(right));
                (end_slopes(left)[1] * from + end_slopes(right)[0] * to) / (from + to)
            }
            _ => 0.0,
        };
        let used = super::handles_used(&self.curve, index).unwrap_or_default();
        let along = |side: f64, used: Option<(f64, f64)>, segment: &Segment| {
            let third = length(segment) / 3.0;
            let secs = used.map_or(0.0, |(secs, _)| secs.abs());
            // A handle without length in time has no slope.
            let secs = side * if secs > third * 1e-3 { secs } else { third };
            Handle::Aligned(secs, slope * secs)
        };
        if let Some(left) = &left {
            self.set_handle(index, true, along(-1.0, used.before, left));
        }
        if let Some(right) = &right {
            self.set_handle(index, false, along(1.0, used.after, right));
        }
    }

    /// Whether the acceleration at a key can be made one: motion on both sides.
    fn may_bend(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| self.moving(before).is_some()) && self.moving(index).is_some()
    }

    /// Gives neighbouring keys the slopes with which cubics pass them with one acceleration.
    fn level_bends(&mut self, run: &[usize]) {
        let (Some(&first), Some(&last)) = (run.first(), run.last()) else { return };
        let Some(start) = first.checked_sub(1) else { return };
        let Some(points) = (start..=last + 1).map(|index| self.key(index)).collect::<Option<Vec<Key>>>() else {
            return;
        };
        let (Some(coming), Some(going)) = (self.moving(start), self.moving(last)) else { return };
        let ends = [end_slopes(&coming)[0], end_slopes(&going)[1]];
        let slopes = spline_slopes(&points, ends);
        for (place, slope) in slopes.iter().enumerate() {
            let index = start + place;
            if let Some(length) = points.get(place + 1).map(|next| (next.time - points[place].time) / 3.0) {
                if let Some(key) = self.key(index) {
                    self.put(index, Key { interpolation: Interpolation::Bezier, ..key });
                }
                let inner = place > 0;
                self.set_handle(
                    index,
                    false,
                    kept(self.key(index).map(|k| k.handle_out), inner, length, slope * length),
                );
            }
            if let Some(length) = place.checked_sub(1).map(|before| (points[before].time - points[place].time) / 3.0) {
                let inner = place + 1 < slopes.len();
                self.set_handle(index, true, kept(self.key(index).map(|k| k.handle_in), inner, length, slope * length));
            }
        }
    }
}

/// A handle with this offset: aligned where it is a key's that was asked for, or was aligned before.
fn kept(before: Option<Handle>, asked: bool, secs: f64, rise: f64) -> Handle {
    if asked || matches!(before, Some(Handle::Aligned(..))) {
        Handle::Aligned(secs, rise)
    } else {
        Handle::Free(secs, rise)
    }
}

/// The slopes at points, the first and the last given, with which cubics between them have one acceleration at each inner
/// point: `m(k-1)/h(k-1) + 2 (1/h(k-1) + 1/h(k)) m(k) + m(k+1)/h(k) = 3 (s(k-1)/h(k-1) + s(k)/h(k))` with chords' slopes s and
/// times h. The matrix is dominated by its diagonal: elimination without pivots is safe.
fn spline_slopes(points: &[Key], ends: [f64; 2]) -> Vec<f64> {
    let count = points.len();
    let mut slopes = vec![0.0; count];
    if count < 2 {
        return slopes;
    }
    slopes[0] = ends[0];
    slopes[count - 1] = ends[1];
    let gap = |at: usize| points[at + 1].time - points[at].time;
    let chord = |at: usize| (points[at + 1].value - points[at].value) / gap(at);
    let mut upper = vec![0.0; count];
    for k in 1..count - 1 {
        let (left, right) = (1.0 / gap(k - 1), 1.0 / gap(k));
        let mut wanted = 3.0 * (chord(k - 1) * left + chord(k) * right);
        if k == count - 2 {
            wanted -= right * ends[1];
        }
        // Of the row before its upper part is left; of the first given slope nothing.
        let pivot = 2.0 * (left + right) - left * upper[k - 1];
        upper[k] = right / pivot;
        slopes[k] = (wanted - left * slopes[k - 1]) / pivot;
    }
    for k in (1..count.saturating_sub(2)).rev() {
        slopes[k] -= upper[k] * slopes[k + 1];
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{curve::value, polyline::derivative::Smoothness};

    fn curve(interpolation: Interpolation) -> KeyedCurve {
        let keys = [(0.0, 0.0), (1.0, 2.0), (2.5, 1.0), (4.0, 3.0), (4.5, -1.0), (6.0, 0.0)];
        let keys = keys.iter().map(|(time, value)| Key { interpolation, ..Key::new(*time, *value) });
        KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
    }

    fn applied(curve: &KeyedCurve, made: &MadeContinuous) -> KeyedCurve {
        let mut curve = curve.clone();
        for key in &made.keys {
            let index = curve.keys.index_at(key.time).unwrap();
            curve.keys.replace_same_time(index, *key);
        }
        curve
    }

    /// Every kind of segment, every wish: the keys asked for pass so, no time or value changes, and the deviation told is
    /// that of the curves.
    #[test]
    fn every_kind_becomes_as_continuous_as_wanted() {
        for interpolation in Interpolation::ALL {
            for order in Continuity::ALL {
                let before = curve(interpolation);
                let wanted = [0, 1, 2, 4, 5];
                let made = make_continuous(&before, &wanted, order).unwrap();
                let after = applied(&before, &made);
                let holds = matches!(interpolation, Interpolation::Step | Interpolation::Nearest);
                for index in [1, 2, 4] {
                    let how = smoothness(&after, index).unwrap();
                    // The last segment of a run of steps goes on holding: its acceleration is that of a hold.
                    let enough = if holds { order.order().min(1) } else { order.order() };
                    assert!(how.order() >= enough, "{interpolation:?} {order:?} {index}: {how:?}");
                }
                for (a, b) in before.keys.iter().zip(after.keys.iter()) {
                    assert_eq!((a.time, a.value), (b.time, b.value));
                }
                let worst = (0..6_000).map(|step| f64::from(step) * 1e-3).fold(0.0_f64, |worst, secs| {
                    worst.max((value(&after, secs).unwrap() - value(&before, secs).unwrap()).abs())
                });
                assert!(
                    (worst - made.error).abs() <= 0.02 * worst + 1e-9,
                    "{interpolation:?} {order:?}: {worst} {made:?}"
                );
            }
        }
    }

    #[test]
    fn what_passes_already_is_left_alone() {
        let before = curve(Interpolation::CatmullRom);
        let made = make_continuous(&before, &[1, 2, 3], Continuity::C1).unwrap();
        assert_eq!((made.had, made.made, made.keys.len()), (3, 0, 0));
        let scheme = KeyedCurve { scheme: Scheme::Natural, ..before };
        assert!(make_continuous(&scheme, &[1], Continuity::C2).is_none());
        assert_eq!(make_continuous(&KeyedCurve::default(), &[0, 7], Continuity::C2), Some(MadeContinuous::default()));
    }

    /// With all inner keys asked for and level ends the result is the clamped spline, which the scheme computes its own way.
    #[test]
    fn all_keys_make_the_clamped_spline() {
        let mut before = curve(Interpolation::Bezier);
        let made = make_continuous(&before, &[0, 1, 2, 3, 4, 5], Continuity::C2).unwrap();
        let after = applied(&before, &made);
        assert_eq!((made.made, made.failed, made.fell), (4, 0, 0));
        before.scheme = Scheme::Clamped(0.0, 0.0);
        for step in 0..=600 {
            let secs = f64::from(step) * 0.01;
            assert!((value(&after, secs).unwrap() - value(&before, secs).unwrap()).abs() < 1e-9, "{secs}");
        }
        assert!((1..5).all(|index| smoothness(&after, index) == Some(Smoothness::Smooth)));
    }

    #[test]
    fn keys_around_that_fall_are_counted() {
        let mut natural = curve(Interpolation::Bezier);
        let all = make_continuous(&natural, &[1, 2, 3, 4], Continuity::C2).unwrap();
        natural = applied(&natural, &all);
        // Another slope at one key: it and its neighbours are C1. The key before them is C2 still, until its neighbour turns.
        let key = natural.keys.get(3).unwrap();
        let steeper = |handle: Handle| match handle {
            Handle::Aligned(secs, rise) => Handle::Aligned(secs, rise + 2.0 * secs),
            other => other,
        };
        let (handle_in, handle_out) = (steeper(key.handle_in), steeper(key.handle_out));
        natural.keys.replace_same_time(3, Key { handle_in, handle_out, ..key });
        let orders = [1, 2, 3, 4].map(|index| smoothness(&natural, index).unwrap().order());
        assert_eq!(orders, [2, 1, 1, 1]);
        let made = make_continuous(&natural, &[2], Continuity::C2).unwrap();
        assert_eq!((made.made, made.fell), (1, 1), "{made:?}");
    }
}
