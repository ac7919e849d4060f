//! What the graph works with: each curve it shows, as points that can be found, selected and dragged.

use crate::{
    eval::polyline::{Extent, LinePoint},
    interact::{
        input::ScreenPos,
        plot_view::{Bounds, PlotView, ValueMap},
    },
    model::{ChannelPath, Clock, Interpolation, Key, KeyedCurve, Samples},
};
use std::{ops::Range, sync::Arc};

/// The points of a curve that can be selected.
#[derive(Clone, Debug)]
pub enum Points {
    /// Keys.
    Keyed(KeyedCurve),
    /// Captured samples; the first edit makes keys of them.
    Sampled(Samples),
    /// One number of the keys of a rotation track: times (seconds) and values, in order of time. They move in time only.
    Track(Arc<[LinePoint]>),
}

/// A handle of a key that can be seen and dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandlePoint {
    /// The index of its key.
    pub key: usize,
    /// Which of the two.
    pub side: Side,
    /// From the key: seconds and the channel's own units.
    pub offset: (f64, f64),
}

/// The two sides of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Before the key.
    In,
    /// After it.
    Out,
}

/// A curve the graph shows.
#[derive(Clone, Debug)]
pub struct GraphCurve {
    /// The channel.
    pub path: ChannelPath,
    /// Which number of a rotation track: 0 to 3 for x, y, z, w; 0 elsewhere.
    pub lane: usize,
    /// Its points, at the curve's own times: those name them.
    pub points: Points,
    /// When they are shown: where a retime acts they stand elsewhere.
    pub clock: Clock,
    /// How its values are drawn: in displayed units, or all curves at one height.
    pub map: ValueMap,
    /// Its values in displayed units, whatever the height: what fields show and take.
    pub unit: ValueMap,
    /// The least and the greatest own value of its points.
    pub extent: Extent,
    /// The line drawn: seconds as shown and own values.
    pub line: Arc<Vec<LinePoint>>,
    /// The line with the corrections on top, where there are any; points that are no numbers break it.
    pub corrected: Option<Arc<Vec<LinePoint>>>,
    /// The lines of velocity and acceleration, own units a second and a second squared, where they are asked for and few
    /// enough keys are seen.
    pub motion: Option<Arc<[Vec<LinePoint>; 2]>>,
    /// The indices of its selected points, in order.
    pub selected: Arc<[usize]>,
    /// The handles to be seen: those of the selected keys.
    pub handles: Arc<[HandlePoint]>,
    /// Whether it can be edited: not locked.
    pub editable: bool,
    /// Whether its values can be changed, not only its keys' times: not so for the numbers of a rotation track.
    pub has_values: bool,
}

impl Points {
    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Keyed(curve) => curve.keys.len(),
            Self::Sampled(samples) => samples.values.len(),
            Self::Track(points) => points.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A point: seconds and own value.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<LinePoint> {
        match self {
            Self::Keyed(curve) => curve.keys.get(index).map(|key| [key.time, key.value]),
            Self::Sampled(samples) => samples.values.get(index).map(|value| [sample_secs(samples, index), *value]),
            Self::Track(points) => points.get(index).copied(),
        }
    }

    /// The key at an index, where the points are keys.
    #[must_use]
    pub fn key(&self, index: usize) -> Option<Key> {
        match self {
            Self::Keyed(curve) => curve.keys.get(index),
            Self::Sampled(_) | Self::Track(_) => None,
        }
    }

    /// The number of points before a time.
    #[must_use]
    pub fn count_before(&self, secs: f64) -> usize {
        match self {
            Self::Keyed(curve) => {
                let count = curve.keys.count_at_or_before(secs);
                let at = count.checked_sub(1).and_then(|last| curve.keys.get(last)).is_some_and(|key| key.time == secs);
                count - usize::from(at)
            }
            Self::Sampled(samples) => {
                // The division may err by one at a sample's own time.
                let guess = samples.rate.frame_f64(secs - samples.start).ceil().clamp(0.0, self.len() as f64) as usize;
                (guess.saturating_sub(1)..=(guess + 1).min(self.len()))
                    .find(|index| *index == self.len() || sample_secs(samples, *index) >= secs)
                    .unwrap_or(guess)
            }
            Self::Track(points) => points.partition_point(|point| point[0] < secs),
        }
    }

    /// The points in a stretch of time, ends included.
    #[must_use]
    pub fn between(&self, from: f64, to: f64) -> Range<usize> {
        let (start, mut end) = (self.count_before(from), self.count_before(to));
        if self.get(end).is_some_and(|point| point[0] == to) {
            end += 1;
        }
        start..end.max(start)
    }

    /// The index of the point at exactly a time.
    #[must_use]
    pub fn index_at(&self, secs: f64) -> Option<usize> {
        let index = self.count_before(secs);
        (self.get(index)?[0] == secs).then_some(index)
    }

    /// The indices of the points at these times (in order); times without a point are passed over.
    #[must_use]
    pub fn indices_at(&self, times: &[f64]) -> Arc<[usize]> {
        let all = times.len() == self.len() && self.get(0).is_some_and(|point| times.first() == Some(&point[0]));
        if all && (0..self.len()).zip(times).all(|(index, time)| self.get(index).is_some_and(|at| at[0] == *time)) {
            return (0..self.len()).collect();
        }
        times.iter().filter_map(|secs| self.index_at(*secs)).collect()
    }
}

/// The time of a sample, seconds: the same numbers the keys get when samples become keys.
#[must_use]
pub fn sample_secs(samples: &Samples, index: usize) -> f64 {
    samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX))
}

impl GraphCurve {
    /// A point as it is shown: seconds and own value.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<LinePoint> {
        let [secs, own] = self.points.get(index)?;
        Some([self.clock.shown(secs), own])
    }

    /// The points shown in a stretch of time, ends included.
    #[must_use]
    pub fn between(&self, from: f64, to: f64) -> Range<usize> {
        self.points.between(self.clock.source(from), self.clock.source(to))
    }

    /// Where a point lies on the panel.
    #[must_use]
    pub fn place(&self, view: &PlotView, index: usize) -> Option<ScreenPos> {
        let [secs, own] = self.at(index)?;
        Some([view.x(secs), view.y(self.map.shown(own))])
    }

    /// Where the end of a handle lies on the panel.
    #[must_use]
    pub fn handle_place(&self, view: &PlotView, handle: &HandlePoint) -> Option<ScreenPos> {
        let [secs, own] = self.points.get(handle.key)?;
        Some([view.x(self.clock.shown(secs + handle.offset.0)), view.y(self.map.shown(own + handle.offset.1))])
    }

    /// Whether a point is selected.
    #[must_use]
    pub fn is_selected(&self, index: usize) -> bool {
        self.selected.binary_search(&index).is_ok()
    }

    /// When its first and its last point are shown, seconds.
    #[must_use]
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((self.at(0)?[0], self.at(self.points.len().checked_sub(1)?)?[0]))
    }

    /// Adds all points, or the selected ones.
    pub fn add_to(&self, bounds: &mut Bounds, selected_only: bool) {
        if selected_only {
            for [secs, own] in self.selected.iter().filter_map(|index| self.at(*index)) {
                bounds.add(secs, self.map.shown(own));
            }
        } else if let Some((first, last)) = self.span() {
            bounds.add(first, self.map.shown(self.extent.low));
            bounds.add(last, self.map.shown(self.extent.high));
        }
    }

    /// Whether the segment after a key is a Bezier one.
    #[must_use]
    pub fn is_bezier(&self, index: usize) -> bool {
        self.points.key(index).is_some_and(|key| key.interpolation == Interpolation::Bezier)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        edit::{CurveRef, Selection},
        interact::plot_view::{PlotRange, PlotRect},
        model::{ClipId, Component, FrameRate, JointId, ObjectId, Property},
    };

    /// A window of 0..10 s and -10..10 on 1000 x 400 points: 100 points a second, 20 a unit.
    pub(in crate::interact::tools) fn view() -> PlotView {
        PlotView::new(PlotRange::new((0.0, 10.0), (-10.0, 10.0)), PlotRect::new(0.0, 0.0, 1_000.0, 400.0))
    }

    pub(in crate::interact::tools) fn path(joint: u32) -> ChannelPath {
        ChannelPath::joint(ObjectId(1), JointId(joint), Property::Rotation, Component::X)
    }

    pub(in crate::interact::tools) const CLIP: ClipId = ClipId(9);

    /// What is selected in the curves.
    pub(in crate::interact::tools) fn selection(curves: &[GraphCurve]) -> Selection {
        let keys = curves.iter().flat_map(|curve| {
            let at = CurveRef { clip: CLIP, path: curve.path };
            curve.selected.iter().filter_map(move |index| Some((at, curve.points.get(*index)?[0])))
        });
        Selection { keys: keys.collect(), ..Selection::default() }
    }

    /// A keyed curve with a straight line through its keys.
    pub(in crate::interact::tools) fn curve(joint: u32, keys: &[(f64, f64)], selected: &[usize]) -> GraphCurve {
        let line = keys.iter().map(|(time, value)| [*time, *value]).collect();
        let extent = keys.iter().fold(Extent::EMPTY, |extent, (_, value)| extent.with(*value));
        let keys = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
        GraphCurve {
            path: path(joint),
            lane: 0,
            points: Points::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }),
            clock: Clock::default(),
            map: ValueMap::IDENTITY,
            unit: ValueMap::IDENTITY,
            extent,
            line: Arc::new(line),
            corrected: None,
            motion: None,
            selected: selected.into(),
            handles: Arc::new([]),
            editable: true,
            has_values: true,
        }
    }

    fn kinds() -> [Points; 3] {
        let rate = FrameRate::new(30_000, 1_001).unwrap();
        let samples = Samples::new(0.1, rate, (0..500).map(f64::from).collect());
        let times: Vec<f64> = (0..500).map(|index| sample_secs(&samples, index)).collect();
        let keys = times.iter().enumerate().map(|(index, time)| Key::new(*time, index as f64)).collect();
        let track = times.iter().enumerate().map(|(index, time)| [*time, index as f64]).collect();
        [Points::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }), Points::Sampled(samples), Points::Track(track)]
    }

    #[test]
    fn every_kind_of_points_answers_alike() {
        let kinds = kinds();
        let times: Vec<f64> = (0..500).map(|index| kinds[0].get(index).unwrap()[0]).collect();
        for points in &kinds {
            for (index, time) in times.iter().enumerate() {
                assert_eq!(points.get(index), Some([*time, index as f64]));
                assert_eq!(points.count_before(*time), index);
                assert_eq!(points.count_before(time + 1e-9), index + 1);
                assert_eq!(points.index_at(*time), Some(index));
                assert_eq!(points.index_at(time + 1e-9), None);
            }
            assert_eq!(points.between(times[7], times[9]), 7..10);
            assert_eq!(points.between(times[7] + 1e-9, times[9] - 1e-9), 8..9);
            assert_eq!(points.between(-5.0, -1.0), 0..0);
            assert_eq!(points.between(50.0, 90.0), 500..500);
            assert_eq!(points.indices_at(&times).len(), 500);
            assert_eq!(points.indices_at(&[times[3], 0.5, times[499]])[..], [3, 499]);
        }
    }

    #[test]
    fn bounds_hold_all_or_the_selection() {
        let curve = GraphCurve { map: ValueMap::scale(10.0), ..curve(1, &[(0.0, 1.0), (2.0, 5.0), (4.0, -1.0)], &[1]) };
        let (mut all, mut selected) = (Bounds::EMPTY, Bounds::EMPTY);
        curve.add_to(&mut all, false);
        curve.add_to(&mut selected, true);
        assert_eq!((all.secs, all.values), ((0.0, 4.0), (-10.0, 50.0)));
        assert_eq!((selected.secs, selected.values), ((2.0, 2.0), (50.0, 50.0)));
    }
}
