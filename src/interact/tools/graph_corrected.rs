//! What channels show where corrections act, as thin lines beside the curves.

use super::graph_curve::GraphCurve;
use crate::{
    eval::{
        polyline::LinePoint,
        sample::{Stage, channel_value},
    },
    interact::plot_view::PlotRange,
    math::rotation::nearest_turn,
    model::{ChannelPath, Clip, ClipId, Component, Document, Property, Value},
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
    for (from, to) in spans {
        let (from, to) = (from.max(range.secs.low()), to.min(range.secs.high()));
        if from >= to {
            continue;
        }
        let steps = ((to - from) / column).ceil().clamp(1.0, f64::from(columns)) as u32;
        for step in 0..=steps {
            let secs = (to - from).mul_add(f64::from(step) / f64::from(steps), from);
            if let Some(Value::Scalar(value)) = channel_value(document, clip, curve.path, secs, Stage::Corrected) {
                // Captured angles are drawn without their jumps of a turn, and so is this.
                let turned = curve.path.property == Property::Rotation;
                let own = own_value(curve, secs).filter(|_| turned);
                line.push([secs, own.map_or(value, |own| nearest_turn(value, own))]);
            }
        }
        line.push([to, f64::NAN]);
    }
    line
}

/// The value of the curve's own line at a time.
fn own_value(curve: &GraphCurve, secs: f64) -> Option<f64> {
    let after = curve.line.partition_point(|point| point[0] < secs);
    curve.line.get(after).or_else(|| curve.line.last()).map(|point| point[1])
}
