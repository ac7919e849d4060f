//! Adding a key in the graph.

use super::{
    graph_curve::{GraphCurve, Points},
    graph_edits::{Editing, GraphEdit},
    graph_hit::{GraphHit, hit_within},
    graph_tool::{GraphContext, GraphStep},
};
use crate::{
    edit::{CurveRef, Edit, Gesture, KeyEdit, KeySelection},
    eval::curve::{sampled, value},
    interact::{
        input::{Modifiers, ScreenPos},
        snap::TimeSnap,
    },
    model::Value,
};

/// A double click this near a curve puts the key onto it, points.
const ADD_RADIUS_PT: f64 = 8.0;

/// Adds a key where the pointer is: onto the curve it is near, else to the active channel (or the only one) at the
/// pointer's own value. The time snaps to frames; Ctrl inverts that. A key that is at that time gets the value.
#[must_use]
pub fn add_key(pos: ScreenPos, modifiers: Modifiers, ctx: &GraphContext<'_>) -> Vec<GraphStep> {
    let secs = TimeSnap::new(ctx.snap.frames, modifiers.ctrl, ctx.rate).time(ctx.view.secs_at(pos[0]));
    let target = match hit_within(ctx.curves, &ctx.view, pos, ADD_RADIUS_PT) {
        GraphHit::Key { .. } | GraphHit::Handle { .. } | GraphHit::Bar(_) => return Vec::new(),
        GraphHit::Curve(curve) => {
            ctx.curves.get(curve).map(|curve| (curve, own_value(curve, curve.clock.source(secs))))
        }
        GraphHit::Nothing => active(ctx).map(|curve| (curve, Some(curve.map.own(ctx.view.value_at(pos[1]))))),
    };
    let Some((curve, Some(own))) = target.filter(|(curve, _)| curve.editable && curve.has_values) else {
        return Vec::new();
    };
    let at = CurveRef { clip: ctx.clip, path: curve.path };
    let secs = curve.clock.source(secs);
    let edit = KeyEdit::Set { curve: at, values: vec![(secs, Value::Scalar(own))] };
    let GraphEdit { edit, converted } =
        Editing { curves: ctx.curves, clip: ctx.clip }.with_conversion(&[at], Edit::from(edit));
    let mut steps = vec![
        GraphStep::Active(curve.path),
        GraphStep::Gesture(Gesture::Begin { label: "history.add_key" }),
        GraphStep::Gesture(Gesture::Update(edit)),
        GraphStep::Gesture(Gesture::Commit),
        GraphStep::Keys(KeySelection::of(at, &[secs])),
    ];
    if converted > 0 {
        steps.push(GraphStep::Converted(converted));
    }
    steps
}

/// The channel that new keys go to: the active one, else the only one there is.
fn active<'a>(ctx: &GraphContext<'a>) -> Option<&'a GraphCurve> {
    let active = ctx.curves.iter().find(|curve| Some(curve.path) == ctx.active);
    match ctx.curves {
        [only] => active.or(Some(only)),
        _ => active,
    }
}

/// The curve's own value at a time.
fn own_value(curve: &GraphCurve, secs: f64) -> Option<f64> {
    match &curve.points {
        Points::Keyed(keyed) => value(keyed, secs),
        Points::Sampled(samples) => sampled::value(samples, secs),
        Points::Track(_) => None,
    }
}
