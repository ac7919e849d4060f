//! What channels show where corrections act, as thin lines beside the curves.

use super::graph_curve::GraphCurve;
use crate::{
    eval::{
        polyline::LinePoint,
        sample::{Stage, axis_slot, channel_value},
    },
    interact::plot_view::PlotRange,
    math::{
        EulerOrder,
        rotation::{nearest_euler, nearest_turn},
    },
    model::{ChannelPath, Clip, ClipId, Component, Document, Property, RotationMode, Value},
};
use std::{collections::BTreeMap, sync::Arc};

/// The corrected lines worked out last, for one state of a clip and one window.
#[derive(Debug, Default)]
pub struct CorrectedCache {
    clip: Option<Arc<Clip>>,
    window: Option<(PlotRange, u32)>,
    lines: BTreeMap<ChannelPath, Arc<Vec<LinePoint>>>,
}

impl CorrectedCache {
    /// Gives every curve that a correction changes the line of what it shows, for a window over so many pixel columns.
    pub fn add_to(
        &mut self,
        curves: &mut [GraphCurve],
        document: &Document,
        id: ClipId,
        range: &PlotRange,
        columns: u32,
    ) {
        let Some(clip) = document.clip(id) else { return };
        let window = PlotRange { values: PlotRange::default().values, ..*range };
        let same_clip = self.clip.as_ref().is_some_and(|known| Arc::ptr_eq(known, clip));
        if !same_clip || self.window != Some((window, columns)) {
            self.lines.clear();
            self.clip = Some(Arc::clone(clip));
            self.window = Some((window, columns));
        }
        for curve in curves.iter_mut().filter(|curve| curve.path.component != Component::Whole) {
            let spans = spans(clip, curve.path);
            if spans.is_empty() {
                continue;
            }
            let line = self.lines.entry(curve.path);
            let line = line.or_insert_with(|| Arc::new(line_of(curve, document, id, range, columns, &spans)));
            curve.corrected = Some(Arc::clone(line));
        }
    }
}

/// Where corrections change what a channel shows, seconds: in order, without overlaps.
fn spans(clip: &Clip, path: ChannelPath) -> Vec<(f64, f64)> {
    let delta = if path.property == Property::Rotation { path.with_component(Component::Whole) } else { path };
    let acting =
        clip.corrections.iter().filter(|correction| !correction.muted && correction.deltas.contains_key(&delta));
    let shown = |secs: f64| clip.shown_secs(path.target, secs);
    let mut spans: Vec<(f64, f64)> =
        acting.map(|correction| (shown(correction.range.0), shown(correction.range.1))).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    spans.dedup_by(|next, last| {
        let joined = next.0 <= last.1;
        if joined {
            last.1 = last.1.max(next.1);
        }
        joined
    });
    spans
}

/// The corrected values over the spans, a point a column; between spans the line is broken by a point that is no number.
fn line_of(
    curve: &GraphCurve,
    document: &Document,
    clip: ClipId,
    range: &PlotRange,
    columns: u32,
    spans: &[(f64, f64)],
) -> Vec<LinePoint> {
    let column = range.secs.length() / f64::from(columns.max(1));
    let mut line = Vec::new();
    for span in spans {
        let (from, to) = (span.0.max(range.secs.low()), span.1.min(range.secs.high()));
        if from >= to {
            continue;
        }
        let steps = ((to - from) / column).ceil().clamp(1.0, f64::from(columns)) as u32;
        let times = (0..=steps).map(|step| (to - from).mul_add(f64::from(step) / f64::from(steps), from));
        let mut angles = Angles::new(curve, document, clip, (span.0, from));
        for secs in times {
            let value = match &mut angles {
                Some(angles) => angles.at(secs),
                None => match channel_value(document, clip, curve.path, secs, Stage::Corrected) {
                    Some(Value::Scalar(value)) => Some(value),
                    _ => None,
                },
            };
            line.extend(value.map(|value| [secs, value]));
        }
        line.push([to, f64::NAN]);
    }
    line
}

/// Most steps from where a correction begins to where its line is seen.
const UNSEEN_STEPS: u32 = 400;

/// One angle of a corrected rotation along a span: a correction may turn a joint so far from its curves that of the two
/// triples of a rotation now the one, now the other is nearer to them. So each follows from the one before, the first from
/// the curves where nothing is corrected yet.
struct Angles<'a> {
    document: &'a Document,
    clip: ClipId,
    path: ChannelPath,
    order: EulerOrder,
    slot: usize,
    last: [f64; 3],
    /// From these angles to those of the curve's own line, which is drawn without jumps of a turn.
    shift: f64,
}

impl<'a> Angles<'a> {
    /// The angles of a span up to where they are seen; none of a channel that is no angle of a triple.
    fn new(curve: &GraphCurve, document: &'a Document, clip: ClipId, (start, seen): (f64, f64)) -> Option<Self> {
        let path = curve.path;
        let axis = path.component.axis().filter(|_| path.property == Property::Rotation)?;
        let RotationMode::Euler(order) = document.rotation_mode(path.target)? else { return None };
        let mut first = [0.0; 3];
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let channel = path.with_component(component);
            let Value::Scalar(angle) = channel_value(document, clip, channel, start, Stage::Corrected)? else {
                return None;
            };
            first[axis_slot(order, axis)] = angle;
        }
        let slot = axis_slot(order, axis);
        let shift = own_value(curve, start).map_or(0.0, |own| nearest_turn(first[slot], own) - first[slot]);
        let mut angles = Self { document, clip, path, order, slot, last: first, shift };
        let frames = ((seen - start) / document.settings.rate.frame_secs()).ceil();
        let steps = frames.clamp(0.0, f64::from(UNSEEN_STEPS)) as u32;
        for step in 1..steps {
            angles.at((seen - start).mul_add(f64::from(step) / f64::from(steps), start));
        }
        Some(angles)
    }

    fn at(&mut self, secs: f64) -> Option<f64> {
        let whole = self.path.with_component(Component::Whole);
        match channel_value(self.document, self.clip, whole, secs, Stage::Corrected)? {
            Value::Rotation(rotation) => {
                self.last = nearest_euler(self.order, &rotation, self.last);
                Some(self.last[self.slot] + self.shift)
            }
            _ => None,
        }
    }
}

/// The value of the curve's own line at a time.
fn own_value(curve: &GraphCurve, secs: f64) -> Option<f64> {
    let after = curve.line.partition_point(|point| point[0] < secs);
    curve.line.get(after).or_else(|| curve.line.last()).map(|point| point[1])
}
