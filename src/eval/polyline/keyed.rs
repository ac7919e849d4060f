//! Keyed curves as lines.

use super::{Extent, KeyExtents, LinePoint, Window, sampled::push_column};
use crate::model::{Extrapolation, Interpolation, Key, KeyedCurve, Scheme, key_store::Chunk};

/// A column with more keys than this is drawn by its extent.
const KEYS_A_COLUMN: usize = 4;
/// With more keys than this a column on average, columns take whole leaves of the pyramid: no key is looked at.
const DENSE: usize = 64;

/// The line of a keyed curve over a window, extrapolation included. `extents` must be over the curve's keys, `value_at` is
/// the curve's evaluation: it is asked at column edges where the curve bends, never more than twice a column.
#[must_use]
pub fn keyed_line(
    curve: &KeyedCurve,
    extents: &KeyExtents,
    window: Window,
    value_at: impl FnMut(f64) -> f64,
) -> Vec<LinePoint> {
    let (Some(first), Some(last)) = (curve.keys.first(), curve.keys.last()) else { return Vec::new() };
    if !curve.modifiers.is_empty() {
        return window.sampled(value_at);
    }
    let mut drawing = Drawing { curve, extents, window, value_at, line: Vec::new() };
    if window.start < first.time {
        drawing.beyond(window.start, first.time.min(window.end), curve.pre, (first.time, last.time));
    }
    drawing.between(first.time.max(window.start), last.time.min(window.end));
    if window.end > last.time {
        drawing.beyond(last.time.max(window.start), window.end, curve.post, (first.time, last.time));
    }
    drawing.line
}

/// What drawing needs to know of a key.
#[derive(Clone, Copy)]
struct KeyPoint {
    time: f64,
    value: f64,
    interpolation: Interpolation,
}

impl KeyPoint {
    fn of(chunk: &Chunk<Key>, index: usize) -> Option<Self> {
        let (value, interpolation) = chunk.core(index)?;
        Some(Self { time: *chunk.times().get(index)?, value, interpolation })
    }
}

impl From<Key> for KeyPoint {
    fn from(key: Key) -> Self {
        Self { time: key.time, value: key.value, interpolation: key.interpolation }
    }
}

struct Drawing<'a, F> {
    curve: &'a KeyedCurve,
    extents: &'a KeyExtents,
    window: Window,
    value_at: F,
    line: Vec<LinePoint>,
}

impl<F: FnMut(f64) -> f64> Drawing<'_, F> {
    fn sample(&mut self, secs: f64) {
        self.line.push([secs, (self.value_at)(secs)]);
    }

    /// The points at column edges strictly between two times.
    fn columns(&mut self, from: f64, to: f64) {
        let width = self.window.column_secs();
        let mut edge = (from / width).floor() + 1.0;
        for _ in 0..=self.window.columns {
            let secs = edge * width;
            if secs >= to {
                break;
            }
            if secs > from {
                self.sample(secs);
            }
            edge += 1.0;
        }
    }

    /// Outside the keys, whose first and last times are `keys`.
    fn beyond(&mut self, from: f64, to: f64, how: Extrapolation, keys: (f64, f64)) {
        self.sample(from);
        let straight = matches!(how, Extrapolation::Constant | Extrapolation::Linear);
        let turn = keys.1 - keys.0;
        if !straight && turn > 0.0 {
            if turn > 2.0 * self.window.column_secs() {
                self.columns(from, to);
            } else {
                self.blur(from, to, how);
            }
        }
        self.sample(to);
    }

    /// Turns shorter than two columns: every column holds all values of a turn.
    fn blur(&mut self, from: f64, to: f64, how: Extrapolation) {
        let Extent { low, high } = self.extents.whole();
        let base = self.curve.keys.first().map_or(0.0, |key| key.value);
        let width = self.window.column_secs();
        for column in 1..=self.window.columns {
            let secs = f64::from(column).mul_add(width, from);
            if secs >= to {
                break;
            }
            // A cycle with offset climbs: the turn is moved to where it is now.
            let climb = if how == Extrapolation::CycleOffset { (self.value_at)(secs) - base } else { 0.0 };
            self.line.push([secs, low + climb]);
            self.line.push([secs, high + climb]);
        }
    }

    /// Between the first and the last key.
    fn between(&mut self, from: f64, to: f64) {
        if from > to {
            return;
        }
        let keys = &self.curve.keys;
        let start = keys.count_at_or_before(from).saturating_sub(1);
        // One key beyond the end, so that the last segment is drawn out of the window.
        let end = keys.count_at_or_before(to).saturating_add(1).min(keys.len());
        let columns = self.window.columns as usize;
        if end - start <= columns {
            self.each_segment(start, end);
        } else if end - start > DENSE * columns {
            self.each_leaf_column(from, to);
        } else {
            self.each_column(start, end);
        }
    }

    /// Key by key: fewer keys than columns.
    fn each_segment(&mut self, start: usize, end: usize) {
        let keys = &self.curve.keys;
        let first = keys.chunk_starts().partition_point(|first| *first <= start).saturating_sub(1);
        let mut before: Option<KeyPoint> = None;
        // Chunk by chunk, so that no key is searched for.
        for (chunk, first) in keys.chunks().iter().zip(keys.chunk_starts()).skip(first) {
            if *first >= end {
                break;
            }
            let within = start.saturating_sub(*first)..(end - first).min(chunk.len());
            for within in within {
                let Some(key) = KeyPoint::of(chunk, within) else { continue };
                if let Some(before) = before {
                    self.segment(before, key);
                }
                self.line.push([key.time, key.value]);
                before = Some(key);
            }
        }
    }

    /// What lies between two neighbouring keys, both excluded.
    fn segment(&mut self, a: KeyPoint, b: KeyPoint) {
        let near = b.time - a.time < 2.0 * self.window.column_secs();
        if self.curve.scheme != Scheme::PerKey {
            if !near {
                self.columns_between(a.time, b.time);
            }
            return;
        }
        match a.interpolation {
            Interpolation::Nearest => {
                let middle = f64::midpoint(a.time, b.time);
                self.line.extend([[middle, a.value], [middle, b.value]]);
            }
            Interpolation::Step => self.line.push([b.time, a.value]),
            Interpolation::Linear => {}
            // Its keys stand in neighbouring columns: they are the samples.
            _ if near => {}
            _ => self.columns_between(a.time, b.time),
        }
    }

    /// The points at column edges between two keys, as far as they are seen.
    fn columns_between(&mut self, from: f64, to: f64) {
        let edge = self.window.column_secs();
        self.columns(from.max(self.window.start - edge), to.min(self.window.end + edge));
    }

    /// Column by column where each holds many keys: from its least to its greatest value, within a leaf of either edge.
    fn each_leaf_column(&mut self, from: f64, to: f64) {
        let half = self.window.column_secs() / 2.0;
        let mut left = self.extents.leaves_before(from).saturating_sub(1);
        for edge in self.window.edges().skip(1) {
            let right = self.extents.leaves_before(edge.min(to)).max(left);
            let Extent { low, high } = self.extents.of_leaves(left, right);
            if low <= high {
                let middle = (edge - half).clamp(from, to);
                // In turn up and down, so that the line goes through each column once.
                let rising = self.line.last().is_none_or(|last| (last[1] - low).abs() <= (last[1] - high).abs());
                let (near, far) = if rising { (low, high) } else { (high, low) };
                self.line.push([middle, near]);
                self.line.push([middle, far]);
            }
            left = right;
        }
    }

    /// Column by column: more keys than columns.
    fn each_column(&mut self, start: usize, end: usize) {
        let keys = &self.curve.keys;
        let mut left = start;
        for edge in self.window.edges().skip(1) {
            let right = keys.count_at_or_before(edge).min(end);
            if right.saturating_sub(left) > KEYS_A_COLUMN {
                if let (Some(first), Some(last)) = (keys.get(left), keys.get(right - 1)) {
                    let extent = self.extents.range(left, right);
                    push_column(&mut self.line, [first.time, first.value], [last.time, last.value], extent);
                }
            } else {
                self.each_segment(left, right);
            }
            if let (true, Some(last), Some(next)) = (right > left, keys.get(right.saturating_sub(1)), keys.get(right)) {
                self.segment(KeyPoint::from(last), KeyPoint::from(next));
            }
            left = left.max(right);
        }
        if left < end {
            self.each_segment(left, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Keys;

    fn curve(keys: impl IntoIterator<Item = (f64, f64)>, interpolation: Interpolation) -> KeyedCurve {
        let keys: Keys<Key> =
            keys.into_iter().map(|(time, value)| Key { interpolation, ..Key::new(time, value) }).collect();
        KeyedCurve { keys, ..KeyedCurve::default() }
    }

    fn line(curve: &KeyedCurve, window: Window, value_at: impl Fn(f64) -> f64) -> Vec<LinePoint> {
        let line = keyed_line(curve, &KeyExtents::new(&curve.keys, None), window, value_at);
        assert!(line.windows(2).all(|pair| pair[0][0] <= pair[1][0]), "{line:?}");
        line
    }

    const WINDOW: Window = Window { start: -1.0, end: 3.0, columns: 100 };

    #[test]
    fn steps_and_lines_need_their_corners_only() {
        let step = curve([(0.0, 1.0), (1.0, 5.0), (2.0, 2.0)], Interpolation::Step);
        let value = |secs: f64| {
            if secs < 1.0 {
                1.0
            } else if secs < 2.0 {
                5.0
            } else {
                2.0
            }
        };
        let corners = [[0.0, 1.0], [1.0, 1.0], [1.0, 5.0], [2.0, 5.0], [2.0, 2.0]];
        let drawn = line(&step, WINDOW, value);
        assert_eq!(drawn[2..7], corners);
        assert_eq!((drawn[0], drawn[8]), ([-1.0, 1.0], [3.0, 2.0]));
        let straight =
            line(&curve([(0.0, 0.0), (2.0, 2.0)], Interpolation::Linear), WINDOW, |secs| secs.clamp(0.0, 2.0));
        assert!(straight.len() <= 6);
    }

    #[test]
    fn bends_are_sampled_at_every_column() {
        let bend = curve([(0.0, 0.0), (2.0, 4.0)], Interpolation::Bezier);
        let drawn = line(&bend, WINDOW, |secs| secs.clamp(0.0, 2.0).powi(2));
        assert!((45..=60).contains(&drawn.len()), "{}", drawn.len());
        // A window inside one segment is filled, edge to edge.
        let inside = line(&bend, Window { start: 0.5, end: 0.6, columns: 100 }, |secs| secs.powi(2));
        assert!(inside.len() >= 100 && inside.len() < 110);
        assert!(inside.iter().filter(|point| (0.5..=0.6).contains(&point[0])).count() >= 99);
    }

    #[test]
    fn many_keys_cost_columns_and_hide_nothing() {
        let spike = |i: i32| if i == 123_457 { 7.0 } else { f64::from(i % 10) * 0.1 };
        let dense = curve((0..200_000).map(|i| (f64::from(i) * 1e-3, spike(i))), Interpolation::Bezier);
        let window = Window { start: -10.0, end: 300.0, columns: 500 };
        let drawn = line(&dense, window, |_| 0.0);
        assert!(drawn.len() <= 5 * 500, "{}", drawn.len());
        assert!(drawn.iter().any(|point| point[1] == 7.0));
    }

    #[test]
    fn a_cluster_beside_a_lone_key_is_joined() {
        let times = (0..1_000).map(|i| (f64::from(i) * 1e-3, 1.0)).chain([(50.0, 2.0)]);
        let mixed = curve(times, Interpolation::Bezier);
        let drawn = line(&mixed, Window { start: 0.0, end: 60.0, columns: 200 }, |secs| 1.0 + secs / 50.0);
        let gap = drawn.iter().filter(|point| (2.0..49.0).contains(&point[0])).count();
        assert!(gap > 150, "{gap}");
    }

    #[test]
    fn turns_are_sampled_and_fast_ones_blurred() {
        let mut turning = curve([(0.0, 0.0), (1.0, 2.0)], Interpolation::Linear);
        turning.post = Extrapolation::Cycle;
        let value = |secs: f64| if secs < 0.0 { 0.0 } else { secs.rem_euclid(1.0) * 2.0 };
        assert!(line(&turning, WINDOW, value).len() > 50);
        let far = line(&turning, Window { start: 0.0, end: 10_000.0, columns: 100 }, value);
        assert!(far.len() < 300);
        assert!(far.iter().filter(|point| point[1] == 2.0).count() > 90);
    }

    #[test]
    fn no_key_and_one_key_are_drawn() {
        assert!(line(&curve([], Interpolation::Bezier), WINDOW, |_| 0.0).is_empty());
        let one = line(&curve([(1.0, 5.0)], Interpolation::Bezier), WINDOW, |_| 5.0);
        assert!(one.iter().all(|point| point[1] == 5.0));
        assert_eq!((one.first().unwrap()[0], one.last().unwrap()[0]), (-1.0, 3.0));
    }
}
