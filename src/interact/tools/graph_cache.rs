//! From channels to the curves the graph works with. What is costly is kept from frame to frame: pyramids by chunk, lines
//! by curve and window.

use super::{
    graph_clock::{line_by_clock, motion_by_clock},
    graph_curve::{GraphCurve, HandlePoint, Points, Side},
};
use crate::{
    eval::{
        curve::{
            Cursor, extent as curve_extent, handles_used,
            rotation::{RotationCursor, rotation_with},
            value_with,
        },
        polyline::{
            Extent, KeyExtents, LinePoint, SampleExtents, Window,
            derivative::{keyed_motion, sampled_motion},
            keyed_line, sampled_line,
        },
    },
    interact::plot_view::{PlotRange, ValueMap},
    math::{
        Quat,
        rotation::{make_continuous, unwrap_angles},
    },
    model::{
        ChannelPath, Clock, Component, Curve, Interpolation, KeyedCurve, KeyedRotation, Property, RotationCurve,
        RotationKey, Samples, ScalarCurve, Scheme,
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// Handles are shown for at most this many selected keys of a curve: more would be a thicket.
const MOST_HANDLED_KEYS: usize = 200;

/// A channel to be shown.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// Its name.
    pub path: ChannelPath,
    /// Its curve.
    pub curve: &'a Arc<Curve>,
    /// When it is shown.
    pub clock: Clock,
    /// The times of its selected keys, in order.
    pub selected: &'a [f64],
    /// Whether it may be edited.
    pub editable: bool,
    /// How its values are shown.
    pub map: ValueMap,
}

/// What the graph has worked out, by channel and lane.
#[derive(Debug, Default)]
pub struct GraphCache {
    entries: BTreeMap<(ChannelPath, usize), Entry>,
}

impl GraphCache {
    /// The curves to draw for the channels, in their order, with lines for a window over so many pixel columns, and with
    /// those of velocity and acceleration on wish. What is not asked for is forgotten.
    pub fn curves<'a>(
        &mut self,
        shown: impl IntoIterator<Item = Shown<'a>>,
        range: &PlotRange,
        columns: u32,
        with_motion: bool,
    ) -> Vec<GraphCurve> {
        let window = Window { start: range.secs.low(), end: range.secs.high(), columns };
        let mut before = std::mem::take(&mut self.entries);
        let mut curves = Vec::new();
        for channel in shown {
            for lane in 0..lanes(channel.curve) {
                let key = (channel.path, lane);
                let mut entry = Entry::renewed(before.remove(&key), &channel, lane);
                entry.select(channel.selected);
                curves.push(entry.curve(&channel, lane, window, with_motion));
                self.entries.insert(key, entry);
            }
        }
        curves
    }
}

/// How many lines a curve is drawn as: a rotation track as four.
fn lanes(curve: &Curve) -> usize {
    match curve {
        Curve::Scalar(_) => 1,
        Curve::Rotation(_) => 4,
    }
}

#[derive(Debug)]
enum Extents {
    Keys(KeyExtents),
    Samples(SampleExtents),
    Track(Extent),
}

impl Extents {
    fn whole(&self) -> Extent {
        match self {
            Self::Keys(extents) => extents.whole(),
            Self::Samples(extents) => extents.range(0, usize::MAX),
            Self::Track(extent) => *extent,
        }
    }
}

/// The lines of a curve's velocity and acceleration.
type Motion = Arc<[Vec<LinePoint>; 2]>;

#[derive(Debug)]
struct Entry {
    source: Arc<Curve>,
    clock: Clock,
    points: Points,
    extents: Extents,
    /// Between the keys too.
    extent: Extent,
    /// A keyed rotation track without changes of sign from key to key.
    track: Option<KeyedRotation>,
    line: Option<(Window, Arc<Vec<LinePoint>>)>,
    motion: Option<(Window, Option<Motion>)>,
    times: Vec<f64>,
    selected: Arc<[usize]>,
    handles: Arc<[HandlePoint]>,
}

impl Entry {
    /// What is known of a curve, taken over from the state before where that still holds.
    fn renewed(before: Option<Self>, channel: &Shown<'_>, lane: usize) -> Self {
        let (path, curve, clock) = (channel.path, channel.curve, &channel.clock);
        match before {
            Some(before) if Arc::ptr_eq(&before.source, curve) && before.clock == *clock => before,
            Some(before) if Arc::ptr_eq(&before.source, curve) => {
                Self { clock: clock.clone(), line: None, motion: None, ..before }
            }
            before => {
                let points = points(path, curve, lane);
                let known = before.as_ref().and_then(|before| match &before.extents {
                    Extents::Keys(extents) => Some(extents),
                    Extents::Samples(_) | Extents::Track(_) => None,
                });
                let extents = match &points {
                    Points::Keyed(curve) => Extents::Keys(KeyExtents::new(&curve.keys, known)),
                    Points::Sampled(samples) => Extents::Samples(SampleExtents::new(&samples.values)),
                    Points::Track(points) => {
                        Extents::Track(points.iter().fold(Extent::EMPTY, |extent, point| extent.with(point[1])))
                    }
                };
                let extent = match &points {
                    Points::Keyed(curve) => curve_extent(curve, extents.whole()),
                    Points::Sampled(_) | Points::Track(_) => extents.whole(),
                };
                Self {
                    source: Arc::clone(curve),
                    clock: clock.clone(),
                    points,
                    extents,
                    extent,
                    track: continuous_track(curve),
                    line: None,
                    motion: None,
                    times: Vec::new(),
                    selected: Arc::new([]),
                    handles: Arc::new([]),
                }
            }
        }
    }

    fn select(&mut self, times: &[f64]) {
        if self.times == times {
            return;
        }
        self.times = times.to_vec();
        self.selected = self.points.indices_at(times);
        self.handles = match &self.points {
            Points::Keyed(curve) if self.selected.len() <= MOST_HANDLED_KEYS => handle_points(curve, &self.selected),
            _ => Arc::new([]),
        };
    }

    fn curve(&mut self, channel: &Shown<'_>, lane: usize, window: Window, with_motion: bool) -> GraphCurve {
        let line = match &self.line {
            Some((known, line)) if *known == window => Arc::clone(line),
            _ => {
                let line = Arc::new(self.new_line(window, lane));
                self.line = Some((window, Arc::clone(&line)));
                line
            }
        };
        let motion = if with_motion { self.motion(window) } else { None };
        GraphCurve {
            path: channel.path,
            lane,
            points: self.points.clone(),
            clock: self.clock.clone(),
            map: channel.map,
            unit: channel.map,
            extent: self.extent,
            line,
            corrected: None,
            motion,
            selected: Arc::clone(&self.selected),
            handles: Arc::clone(&self.handles),
            editable: channel.editable,
            has_values: matches!(*self.source, Curve::Scalar(_)),
        }
    }

    fn motion(&mut self, window: Window) -> Option<Arc<[Vec<LinePoint>; 2]>> {
        if self.motion.as_ref().is_none_or(|(known, _)| *known != window) {
            let lines = match &self.points {
                Points::Keyed(curve) => motion_by_clock(&self.clock, window, |window| keyed_motion(curve, window)),
                Points::Sampled(samples) => {
                    motion_by_clock(&self.clock, window, |window| sampled_motion(samples, window))
                }
                Points::Track(_) => None,
            };
            self.motion = Some((window, lines.map(Arc::new)));
        }
        self.motion.as_ref().and_then(|(_, lines)| lines.clone())
    }

    fn new_line(&self, window: Window, lane: usize) -> Vec<LinePoint> {
        line_by_clock(&self.clock, window, |window| self.own_line(window, lane))
    }

    /// The line at the curve's own times.
    fn own_line(&self, window: Window, lane: usize) -> Vec<LinePoint> {
        match (&self.points, &self.extents, &self.track) {
            (Points::Keyed(curve), Extents::Keys(extents), _) => {
                let mut cursor = Cursor::default();
                keyed_line(curve, extents, window, |secs| value_with(curve, secs, &mut cursor).unwrap_or_default())
            }
            (Points::Sampled(samples), Extents::Samples(extents), _) => sampled_line(samples, extents, window),
            (_, _, Some(track)) => track_line(track, lane, window),
            _ => Vec::new(),
        }
    }
}

/// The handles of the selected keys that shape a Bezier segment.
fn handle_points(curve: &KeyedCurve, selected: &[usize]) -> Arc<[HandlePoint]> {
    if curve.scheme != Scheme::PerKey {
        return Arc::new([]);
    }
    let bezier = |index: Option<usize>| {
        index.and_then(|index| curve.keys.get(index)).is_some_and(|key| key.interpolation == Interpolation::Bezier)
    };
    let of_key = |&key: &usize| {
        let used = handles_used(curve, key).unwrap_or_default();
        let before = used.before.filter(|_| bezier(key.checked_sub(1)));
        let after = used.after.filter(|_| bezier(Some(key)));
        let sides = [(Side::In, before), (Side::Out, after)];
        sides.into_iter().filter_map(move |(side, offset)| Some(HandlePoint { key, side, offset: offset? }))
    };
    selected.iter().flat_map(of_key).collect()
}

/// A curve's points: captured angles without their jumps of a turn, rotations number by number without changes of sign.
fn points(path: ChannelPath, curve: &Curve, lane: usize) -> Points {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => Points::Keyed(curve.clone()),
        Curve::Scalar(ScalarCurve::Sampled(samples)) if is_angle(path) => {
            let mut values = samples.values.to_vec();
            unwrap_angles(&mut values);
            Points::Sampled(Samples { values: values.into(), ..samples.clone() })
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => Points::Sampled(samples.clone()),
        Curve::Rotation(RotationCurve::Keyed(_)) => {
            let track = continuous_track(curve).unwrap_or_default();
            Points::Track(track.keys.iter().map(|key| [key.time, component(&key.rotation, lane)]).collect())
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            let mut rotations = samples.values.to_vec();
            make_continuous(&mut rotations);
            let values = rotations.iter().map(|rotation| component(rotation, lane)).collect();
            Points::Sampled(Samples::new(samples.start, samples.rate, values))
        }
    }
}

fn continuous_track(curve: &Curve) -> Option<KeyedRotation> {
    let Curve::Rotation(RotationCurve::Keyed(track)) = curve else { return None };
    let mut rotations: Vec<Quat> = track.keys.iter().map(|key| key.rotation).collect();
    make_continuous(&mut rotations);
    let keys = track.keys.iter().zip(rotations);
    Some(KeyedRotation { keys: keys.map(|(key, rotation)| RotationKey { rotation, ..key }).collect() })
}

fn is_angle(path: ChannelPath) -> bool {
    path.property == Property::Rotation && path.component != Component::Whole
}

fn component(rotation: &Quat, lane: usize) -> f64 {
    [rotation.i, rotation.j, rotation.k, rotation.w][lane.min(3)]
}

/// One number of a continuous rotation track over a window: at its keys and at the columns between.
fn track_line(track: &KeyedRotation, lane: usize, window: Window) -> Vec<LinePoint> {
    let mut cursor = RotationCursor::default();
    let columns = (0..=window.columns).map(|column| f64::from(column).mul_add(window.column_secs(), window.start));
    let point = |secs: f64| Some([secs, component(&rotation_with(track, secs, &mut cursor)?, lane)]);
    columns.filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        interact::tools::graph_curve::tests::path,
        math::{Vec3, rotation::from_axis_angle},
        model::{FrameRate, Handle, Key},
    };

    fn shown<'a>(joint: u32, curve: &'a Arc<Curve>, selected: &'a [f64]) -> Shown<'a> {
        let (map, clock) = (ValueMap::IDENTITY, Clock::default());
        Shown { path: path(joint), curve, clock, selected, editable: true, map }
    }

    fn keyed(keys: &[(f64, f64)]) -> KeyedCurve {
        let keys =
            keys.iter().map(|(time, value)| Key { handle_in: Handle::Auto, ..Key::new(*time, *value) }).collect();
        KeyedCurve { keys, ..KeyedCurve::default() }
    }

    fn range() -> PlotRange {
        PlotRange::new((0.0, 10.0), (-10.0, 10.0))
    }

    #[test]
    fn lines_are_kept_until_curve_or_window_change() {
        let mut cache = GraphCache::default();
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed(&[(0.0, 0.0), (4.0, 1.0)]))));
        let first = cache.curves([shown(1, &curve, &[])], &range(), 100, false);
        let higher = PlotRange { values: crate::interact::plot_view::Span::of_values(0.0, 1.0), ..range() };
        let second = cache.curves([shown(1, &curve, &[])], &higher, 100, false);
        assert!(Arc::ptr_eq(&first[0].line, &second[0].line));
        let wider = cache.curves([shown(1, &curve, &[])], &PlotRange::new((0.0, 20.0), (0.0, 1.0)), 100, false);
        assert!(!Arc::ptr_eq(&first[0].line, &wider[0].line));
        let edited = Arc::new((*curve).clone());
        let third = cache.curves([shown(1, &edited, &[])], &range(), 100, false);
        assert!(!Arc::ptr_eq(&first[0].line, &third[0].line));
        assert_eq!(third[0].extent, Extent { low: 0.0, high: 1.0 });
        cache.curves([], &range(), 100, false);
        assert!(cache.entries.is_empty());
    }

    #[test]
    fn selected_keys_show_the_handles_that_shape_something() {
        let mut curve = keyed(&[(0.0, 0.0), (4.0, 1.0), (8.0, 0.0)]);
        assert!(
            curve
                .keys
                .replace_same_time(1, Key { interpolation: Interpolation::Linear, ..Key::new(4.0, 1.0) })
                .is_some()
        );
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve)));
        let mut cache = GraphCache::default();
        let sides = |selected: &[f64], cache: &mut GraphCache| -> Vec<(usize, Side)> {
            let curves = cache.curves([shown(1, &curve, selected)], &range(), 100, false);
            curves[0].handles.iter().map(|handle| (handle.key, handle.side)).collect()
        };
        assert_eq!(sides(&[], &mut cache), []);
        assert_eq!(sides(&[0.0], &mut cache), [(0, Side::Out)]);
        assert_eq!(sides(&[4.0, 8.0], &mut cache), [(1, Side::In)]);
        assert_eq!(sides(&[3.0], &mut cache), []);
    }

    #[test]
    fn captured_angles_are_drawn_without_jumps_of_a_turn() {
        let values: Arc<[f64]> = [170.0_f64, -179.0, -170.0, 175.0].map(f64::to_radians).into();
        let samples = Samples::new(0.0, FrameRate::FPS_24, values);
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples)));
        let drawn = GraphCache::default().curves([shown(1, &curve, &[1.0 / 24.0])], &range(), 1_000, false);
        let degrees: Vec<f64> = drawn[0].line.iter().map(|point| point[1].to_degrees().round()).collect();
        assert_eq!(degrees[..4], [170.0, 181.0, 190.0, 175.0]);
        assert_eq!(drawn[0].selected[..], [1]);
    }

    #[test]
    fn rotation_tracks_are_four_continuous_lines() {
        let turn = |degrees: f64| from_axis_angle(&Vec3::z(), degrees.to_radians());
        let rotations = [turn(10.0), Quat::new_unchecked(-turn(30.0).into_inner()), turn(50.0)];
        let times = [0.0, 5.0, 10.0];
        let keys = times.iter().zip(rotations);
        let keys = keys.map(|(time, rotation)| RotationKey::new(*time, rotation, Default::default()));
        let curve = Arc::new(Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: keys.collect() })));
        let drawn = GraphCache::default().curves([shown(1, &curve, &[5.0])], &range(), 1_000, false);
        assert_eq!(drawn.iter().map(|curve| curve.lane).collect::<Vec<_>>(), [0, 1, 2, 3]);
        for curve in &drawn {
            assert!(!curve.has_values && curve.selected[..] == [1]);
            assert!(curve.line.windows(2).all(|pair| (pair[1][1] - pair[0][1]).abs() < 0.01));
            let [secs, value] = curve.points.get(1).unwrap();
            assert!(curve.line.iter().any(|point| (point[0] - secs).abs() < 0.02 && (point[1] - value).abs() < 0.01));
        }
        let samples = RotationCurve::Sampled(crate::model::RotationSamples {
            start: 0.0,
            rate: FrameRate::FPS_24,
            values: rotations.into(),
        });
        let drawn =
            GraphCache::default().curves([shown(1, &Arc::new(Curve::Rotation(samples)), &[])], &range(), 1_000, false);
        assert!(drawn.len() == 4 && drawn.iter().all(|curve| curve.line.len() >= 3));
        assert!(drawn[3].line.windows(2).all(|pair| (pair[1][1] - pair[0][1]).abs() < 0.2));
    }
}
