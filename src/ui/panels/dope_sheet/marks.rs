//! What the dope sheet draws of keys: each mark stands for the keys that a few points hold, so that the cost grows with the
//! points, never with the keys.

use super::rows::RowId;
use crate::{
    edit::columns::COLUMN_SECS,
    model::{
        ChannelPath, Clip, Clock, Curve, KeyKind, Keys, RotationCurve, RotationInterpolation, RotationKey, ScalarCurve,
        keys::Timed,
    },
    ui::widgets::plot_canvas_marks::MarkShape,
};
use std::{collections::BTreeMap, sync::Arc};

/// Values nearer than this are held, in the channel's own unit.
const HELD: f64 = 1e-9;

/// The keys of a row between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    /// The first key's time, seconds.
    pub(super) first: f64,
    /// The last key's.
    pub(super) last: f64,
    /// What the keys are to the animator; plain where they differ.
    pub(super) kind: KeyKind,
    /// How the segment after the key runs; a diamond for several.
    pub(super) shape: MarkShape,
    /// The time of the next key, where the last one is held until there.
    pub(super) held_to: Option<f64>,
}

impl Mark {
    /// Whether all its keys stand at one time.
    pub(super) fn is_one(&self) -> bool {
        self.last - self.first <= COLUMN_SECS
    }
}

/// The marks of a curve's keys that a clock shows between two times, no two nearer than a gap, all in seconds.
pub(super) fn of_curve(curve: &Curve, clock: &Clock, seen: (f64, f64), gap: f64) -> Vec<Mark> {
    let (seen, times) = ((clock.source(seen.0), clock.source(seen.1)), Times { clock, gap });
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => of_keys(
            &curve.keys,
            seen,
            &times,
            |key| (key.kind, MarkShape::of(key)),
            |a, b| (a.value - b.value).abs() <= HELD,
        ),
        Curve::Rotation(RotationCurve::Keyed(curve)) => of_keys(
            &curve.keys,
            seen,
            &times,
            |key| (key.kind, shape(key)),
            |a, b| a.rotation.angle_to(&b.rotation) <= HELD,
        ),
        Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => Vec::new(),
    }
}

const fn shape(key: &RotationKey) -> MarkShape {
    match key.interpolation {
        RotationInterpolation::Step => MarkShape::Flag,
        RotationInterpolation::Nlerp | RotationInterpolation::Slerp => MarkShape::Square,
        RotationInterpolation::Smooth => MarkShape::Wedge,
        RotationInterpolation::Squad | RotationInterpolation::Cubic | RotationInterpolation::Hermite(_) => {
            MarkShape::Round
        }
    }
}

/// When keys are shown, and how near they may lie to each other, seconds.
struct Times<'a> {
    clock: &'a Clock,
    gap: f64,
}

impl Times<'_> {
    /// The curve's time of what is shown a gap later than a time of it.
    fn beside(&self, source: f64) -> f64 {
        self.clock.moved(source, |shown| shown + self.gap)
    }
}

fn of_keys<K: Timed>(
    keys: &Keys<K>,
    (start, end): (f64, f64),
    times: &Times<'_>,
    look: impl Fn(&K) -> (KeyKind, MarkShape),
    same: impl Fn(&K, &K) -> bool,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    // From the key before on: it may be held into view.
    let mut index = keys.count_at_or_before(start).saturating_sub(1);
    while let Some(key) = keys.get(index) {
        let first = key.time();
        if first > end {
            break;
        }
        let next = keys.count_at_or_before(times.beside(first)).max(index + 1);
        let several = if next - 1 > index { keys.get(next - 1) } else { None };
        let (kind, shape) = if several.is_some() { (KeyKind::Key, MarkShape::Diamond) } else { look(&key) };
        let last = several.unwrap_or(key);
        let held_to = keys.get(next).filter(|after| same(&last, after)).map(|after| times.clock.shown(after.time()));
        let (first, last) = (times.clock.shown(first), times.clock.shown(last.time()));
        marks.push(Mark { first, last, kind, shape, held_to });
        index = next;
    }
    marks
}

/// The marks of several rows as those of one.
pub(super) fn summary<'a>(rows: impl Iterator<Item = &'a [Mark]>, gap: f64) -> Vec<Mark> {
    let mut all: Vec<Mark> = rows.flatten().copied().collect();
    all.sort_by(|a, b| a.first.total_cmp(&b.first));
    let mut merged: Vec<Mark> = Vec::new();
    for mark in all {
        let mark = Mark { held_to: None, shape: MarkShape::Diamond, ..mark };
        match merged.last_mut() {
            Some(before) if mark.first - before.first <= gap.max(COLUMN_SECS) => {
                before.last = before.last.max(mark.last);
                if before.kind != mark.kind {
                    before.kind = KeyKind::Key;
                }
            }
            _ => merged.push(mark),
        }
    }
    merged
}

/// The marks of a curve, and what they are of.
#[derive(Debug)]
struct Known {
    curve: Arc<Curve>,
    clock: Clock,
    marks: Vec<Mark>,
}

/// Marks worked out anew only where a curve or what is seen of it has changed.
#[derive(Debug, Default)]
pub(super) struct MarkCache {
    view: [u64; 3],
    clip: Option<Arc<Clip>>,
    listed: Vec<ChannelPath>,
    channels: BTreeMap<ChannelPath, Known>,
    rows: BTreeMap<RowId, Vec<Mark>>,
}

impl MarkCache {
    /// Says what is looked at: before any row is asked for.
    pub(super) fn look_at(&mut self, clip: &Arc<Clip>, listed: &[ChannelPath], seen: (f64, f64), gap: f64) {
        let view = [seen.0.to_bits(), seen.1.to_bits(), gap.to_bits()];
        let same = self.clip.as_ref().is_some_and(|known| Arc::ptr_eq(known, clip));
        if same && self.view == view && self.listed == listed {
            return;
        }
        if self.view != view {
            self.channels.clear();
        }
        (self.view, self.clip, self.listed) = (view, Some(clip.clone()), listed.to_vec());
        self.rows.clear();
        let mut before = std::mem::take(&mut self.channels);
        for path in listed {
            let Some(curve) = clip.channels.get(path) else { continue };
            let clock = clip.clock(path.target);
            let known = before.remove(path).filter(|known| Arc::ptr_eq(&known.curve, curve) && known.clock == clock);
            let marks = known.unwrap_or_else(|| {
                let marks = of_curve(curve, &clock, seen, gap);
                Known { curve: curve.clone(), clock, marks }
            });
            self.channels.insert(*path, marks);
        }
    }

    /// The marks of a row over some of the listed channels.
    pub(super) fn row(&mut self, id: RowId, channels: &[ChannelPath]) -> &[Mark] {
        if let RowId::Channel(path) = id {
            return self.channels.get(&path).map_or(&[], |known| &known.marks);
        }
        let gap = f64::from_bits(self.view[2]);
        let of = channels.iter().filter_map(|path| self.channels.get(path)).map(|known| &known.marks[..]);
        self.rows.entry(id).or_insert_with(|| summary(of, gap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Interpolation, Key, KeyedCurve};

    fn curve(keys: impl IntoIterator<Item = Key>) -> Curve {
        Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() }))
    }

    #[test]
    fn a_million_keys_are_as_many_marks_as_there_are_places() {
        let keys = (0..1_000_000).map(|i| Key::new(f64::from(i) * 0.001, f64::from(i % 7)));
        let marks = of_curve(&curve(keys), &Clock::default(), (0.0, 1_000.0), 2.0);
        assert!((450..=501).contains(&marks.len()), "{}", marks.len());
        // All keys lie in the marks, none in two.
        assert!(marks.windows(2).all(|pair| pair[0].last < pair[1].first));
        assert_eq!((marks[0].first, marks.last().unwrap().last), (0.0, 999.999));
        assert!(marks.iter().all(|mark| mark.last - mark.first <= 2.0));
    }

    #[test]
    fn equal_neighbours_are_held_and_single_keys_say_what_they_are() {
        let step = Key { interpolation: Interpolation::Step, kind: KeyKind::Extreme, ..Key::new(1.0, 5.0) };
        let marks =
            of_curve(&curve([Key::new(0.0, 5.0), step, Key::new(2.0, 4.0)]), &Clock::default(), (0.0, 9.0), 0.1);
        let held: Vec<_> = marks.iter().map(|mark| mark.held_to).collect();
        assert_eq!(held, [Some(1.0), None, None]);
        assert_eq!((marks[1].kind, marks[1].shape), (KeyKind::Extreme, MarkShape::Flag));
        assert!(marks[1].is_one());
        // One that begins before what is seen is held into it.
        assert_eq!(of_curve(&curve([Key::new(0.0, 5.0), step]), &Clock::default(), (0.5, 0.9), 0.1).len(), 1);
    }

    #[test]
    fn a_summary_has_each_time_once() {
        let key = |time: f64, kind| Key { kind, ..Key::new(time, 0.0) };
        let a =
            of_curve(&curve([key(0.0, KeyKind::Hold), key(1.0, KeyKind::Hold)]), &Clock::default(), (0.0, 9.0), 0.1);
        let b = of_curve(
            &curve([key(0.0, KeyKind::Hold), key(1.0, KeyKind::Key), key(3.0, KeyKind::Key)]),
            &Clock::default(),
            (0.0, 9.0),
            0.1,
        );
        let all = summary([&a[..], &b[..]].into_iter(), 0.1);
        let told: Vec<_> = all.iter().map(|mark| (mark.first, mark.kind)).collect();
        assert_eq!(told, [(0.0, KeyKind::Hold), (1.0, KeyKind::Key), (3.0, KeyKind::Key)]);
    }
}
