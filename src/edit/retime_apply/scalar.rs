//! A scalar curve read at other times, as a curve of its own.

use super::Clock;
use crate::{
    eval::curve::{Segment, Shape, convert, sampled, segment},
    math::cubic,
    model::{Extrapolation, Handle, Interpolation, Key, KeyedCurve, Phi, Samples, Scheme},
};
use std::sync::Arc;

/// How often a piece is halved at most.
const HALVINGS: u32 = 10;
/// At how many places within a piece it is compared.
const LOOKS: u32 = 12;

/// What the next key takes over from the segment before it.
#[derive(Clone, Copy, Debug)]
enum Into {
    Own,
    Slope(f64),
    Handle(Handle),
}

/// The keys made so far.
struct Made {
    keys: Vec<Key>,
    into: Into,
}

impl Made {
    fn push(&mut self, mut key: Key) {
        match std::mem::replace(&mut self.into, Into::Own) {
            Into::Own => {}
            Into::Slope(slope) => key.slope_in = slope,
            Into::Handle(handle) => key.handle_in = handle,
        }
        // Two keys at one time: the later says where the curve goes on from there.
        if self.keys.last().is_some_and(|last| last.time >= key.time) {
            self.keys.pop();
        }
        self.keys.push(key);
    }

    /// Keys from one time to another, but for the one at the end, along which a function runs within a bound. The first is
    /// made of `key`.
    fn fit(&mut self, key: Key, (from, to): (f64, f64), bound: f64, of: &dyn Fn(f64) -> [f64; 2], halvings: u32) {
        let finite = |[value, slope]: [f64; 2]| [value, if slope.is_finite() { slope } else { 0.0 }];
        let (a, b) = (finite(of(from)), finite(of(to)));
        let secs = to - from;
        let off = |look: u32| {
            let part = f64::from(look) / f64::from(LOOKS + 1);
            (hermite(a, b, secs, part) - of(secs.mul_add(part, from))[0]).abs()
        };
        if halvings == 0 || (1..=LOOKS).all(|look| off(look) <= bound) {
            let first = Key { time: from, value: a[0], interpolation: Interpolation::Hermite, slope_out: a[1], ..key };
            self.push(first);
            self.into = Into::Slope(b[1]);
            return;
        }
        let middle = 0.5 * (from + to);
        self.fit(key, (from, middle), bound, of, halvings - 1);
        self.fit(Key::new(middle, 0.0), (middle, to), bound, of, halvings - 1);
    }

    /// [`Self::fit`] piece by piece between the keys of a change of timing.
    fn fit_by(&mut self, key: Key, (from, to): (f64, f64), phi: &Phi, bound: f64, of: &dyn Fn(f64) -> [f64; 2]) {
        let inside = phi.keys().iter().map(|key| key.0).filter(|time| from < *time && *time < to);
        let ends: Vec<f64> = std::iter::once(from).chain(inside).chain([to]).collect();
        for (index, pair) in ends.windows(2).enumerate() {
            let first = if index == 0 { key } else { Key::new(pair[0], 0.0) };
            self.fit(first, (pair[0], pair[1]), bound, of, HALVINGS);
        }
    }
}

/// The cubic of two values and slopes at a part of the time between them.
fn hermite(a: [f64; 2], b: [f64; 2], secs: f64, part: f64) -> f64 {
    cubic::hermite(a[0], b[0], a[1] * secs, b[1] * secs, part)
}

/// The curve whose value at every time is that of `curve` at `phi` of it, within a bound in its own units: exact where the
/// segments hold their value, run straight, or lie outside the range. None where what lies beyond its keys repeats them, and
/// where modifiers act: other keys would change more than the range.
pub(super) fn keyed(curve: &KeyedCurve, phi: &Phi, bound: f64) -> Option<KeyedCurve> {
    let repeats = |beyond: Extrapolation| !matches!(beyond, Extrapolation::Constant | Extrapolation::Linear);
    if !curve.modifiers.is_empty() || repeats(curve.pre) || repeats(curve.post) {
        return None;
    }
    let spline = (curve.scheme != Scheme::PerKey).then(|| convert::to_form(curve, convert::KeyForm::Bezier).curve);
    let curve = spline.as_ref().unwrap_or(curve);
    let keys: Vec<Key> = curve.keys.iter().collect();
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return Some(curve.clone()) };
    let (start, end) = phi.range();
    let segments: Vec<Segment> = (0..keys.len() - 1).filter_map(|index| segment(curve, index)).collect();
    let touched = |index: usize| segments.get(index).is_some_and(|s| s.start() < end && s.end() > start);
    let mut made = Made { keys: Vec::new(), into: Into::Own };
    let shown = |time: f64| phi.inverse(time);
    // A straight line beyond the keys bends where the timing changes.
    let line = |at: Key, slope: f64| {
        move |secs: f64, phi: &Phi| [at.value + slope * (phi.value(secs) - at.time), slope * phi.slope(secs)]
    };
    if curve.pre == Extrapolation::Linear && start < first.time && !segments.is_empty() {
        let of = line(first, segments[0].slope(first.time));
        made.fit_by(Key::new(start, 0.0), (start, shown(first.time)), phi, bound, &|secs| of(secs, phi));
    }
    for (index, segment) in segments.iter().enumerate() {
        let key = Key { time: shown(keys[index].time), ..keys[index] };
        if touched(index) {
            moved(&mut made, key, segment, keys[index + 1].value, phi, bound);
        } else if touched(index + 1) || index.checked_sub(1).is_some_and(touched) {
            frozen(&mut made, key, segment);
        } else {
            made.push(key);
        }
    }
    let tail = Key { time: shown(last.time), ..last };
    match segments.last().filter(|_| curve.post == Extrapolation::Linear && end > last.time) {
        Some(segment) => {
            let of = line(last, segment.slope(last.time));
            made.fit_by(tail, (tail.time, end), phi, bound, &|secs| of(secs, phi));
            let value = of(end, phi)[0];
            made.push(Key { time: end, value, ..last });
        }
        None => made.push(tail),
    }
    Some(KeyedCurve { keys: made.keys.into_iter().collect(), ..curve.clone() })
}

/// A segment whose timing changes.
fn moved(made: &mut Made, key: Key, segment: &Segment, next: f64, phi: &Phi, bound: f64) {
    match key.interpolation {
        Interpolation::Step => made.push(key),
        Interpolation::Nearest => {
            made.push(Key { interpolation: Interpolation::Step, ..key });
            let time = phi.inverse(0.5 * (segment.start() + segment.end()));
            made.push(Key { interpolation: Interpolation::Step, ..Key::new(time, next) });
        }
        _ => {
            let within = |secs: f64| phi.value(secs).clamp(segment.start(), segment.end());
            let of = |secs: f64| [segment.value(within(secs)), segment.slope(within(secs)) * phi.slope(secs)];
            let ends = (key.time, phi.inverse(segment.end()));
            made.fit_by(key, ends, phi, bound, &of);
        }
    }
}

/// A segment that stays beside one that changes: where it depends on its neighbours, it is held as it is.
fn frozen(made: &mut Made, key: Key, segment: &Segment) {
    let leans = matches!(
        key.interpolation,
        Interpolation::Bezier | Interpolation::CatmullRom | Interpolation::Cardinal | Interpolation::Tcb
    );
    if !leans {
        return made.push(key);
    }
    if let Shape::Bezier { time, value } = segment.shape() {
        let secs = segment.end() - segment.start();
        let lengths = time.handles();
        let [_, c1, c2, _] = value.c;
        let third = value.c[0] + 2.0 * c1 / 3.0 + c2 / 3.0;
        made.push(Key { handle_out: Handle::Free(lengths[0] * secs, c1 / 3.0), ..key });
        made.into = Into::Handle(Handle::Free(-lengths[1] * secs, third - value.value(1.0)));
    } else {
        let slope = |time: f64| Some(segment.slope(time)).filter(|slope| slope.is_finite()).unwrap_or(0.0);
        let slope_out = slope(segment.start());
        made.push(Key { interpolation: Interpolation::Hermite, slope_out, ..key });
        made.into = Into::Slope(slope(segment.end()));
    }
}

/// From where to where samples reach when they are read at other times, as samples to add before and after: enough that
/// what lay at an end is still shown where the range goes on beyond it.
pub(super) fn more_samples(start: f64, step: f64, count: usize, clock: &Clock) -> (usize, usize) {
    let (from, to) = clock.range();
    let last = start + step * count.saturating_sub(1) as f64;
    // A grid of a day is as much as anybody reads.
    let steps = |secs: f64| (secs / step).ceil().clamp(0.0, 1e6) as usize;
    if to <= start || from >= last {
        return (0, 0);
    }
    (steps(start - from), steps(to - last))
}

/// Samples on the same grid, each read at another time. None where modifiers act.
pub(super) fn sampled(samples: &Samples, clock: &Clock) -> Option<Samples> {
    if !samples.modifiers.is_empty() {
        return None;
    }
    let step = samples.rate.frame_secs();
    let (before, after) = more_samples(samples.start, step, samples.values.len(), clock);
    let start = samples.start - step * before as f64;
    let secs = |index: usize| start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
    let count = samples.values.len() + before + after;
    let values: Option<Arc<[f64]>> =
        (0..count).map(|index| sampled::unmodified(samples, clock.source(secs(index)))).collect();
    Some(Samples::new(start, samples.rate, values?))
}
