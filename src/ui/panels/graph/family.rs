//! The family of a shape number: the curves it would give from its least to its greatest, pale in the graph while it is
//! dragged.

use super::{
    paint::{Scene, to_pos},
    side::shape_numbers,
    tree::lane_colour,
};
use crate::{
    eval::curve::{Cursor, unmodified_with},
    interact::tools::graph_curve::Points,
    model::{Key, KeyedCurve, Scheme},
    ui::{panel::PanelContext, widgets::drag_field::number_text},
};
use egui::{Align2, FontId, Painter, Pos2, Rect, Shape, Stroke};

/// The members that are drawn.
const MEMBERS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// More selected keys of a curve than this get no family.
const MOST_KEYS: usize = 200;
/// Width between the points of a line, points.
const STEP_PT: f64 = 3.0;

/// Paints the family of the number at a place (tension, continuity, bias) for the selected keys.
pub(super) fn paint(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>, place: usize) {
    for curve in scene.curves.iter().filter(|curve| curve.editable && curve.lane == 0) {
        let Points::Keyed(keyed) = &curve.points else { continue };
        let (Some(first), Some(last)) = (curve.selected.first(), curve.selected.last()) else { continue };
        if keyed.scheme != Scheme::PerKey || curve.selected.len() > MOST_KEYS {
            continue;
        }
        let used = |index: usize| {
            keyed.keys.get(index).is_some_and(|key| shape_numbers(key.interpolation).iter().any(|(_, at)| *at == place))
        };
        if !(first.saturating_sub(1)..=*last).any(used) {
            continue;
        }
        let end = keyed.keys.len().saturating_sub(1);
        let span = keyed.keys.time(first.saturating_sub(1)).zip(keyed.keys.time((last + 1).min(end)));
        let Some((from, to)) = span else { continue };
        let range = scene.view.range.secs;
        let (from, to) = (from.max(range.low()), to.min(range.high()));
        let steps = ((scene.view.x(to) - scene.view.x(from)) / STEP_PT).ceil().clamp(0.0, 2_000.0);
        if steps < 1.0 {
            continue;
        }
        let colour = lane_colour(ctx, curve.path.component, curve.lane);
        let mut labels: Vec<Rect> = Vec::new();
        for member in MEMBERS {
            let other = with_number(keyed, &curve.selected, place, member);
            let mut cursor = Cursor::default();
            let point = |step: u32| {
                let secs = (to - from).mul_add(f64::from(step) / steps, from);
                let value = unmodified_with(&other, secs, &mut cursor)?;
                Some(to_pos([scene.view.x(secs), scene.view.y(curve.map.shown(value))]))
            };
            let line: Vec<Pos2> = (0..=steps as u32).filter_map(point).collect();
            painter.add(Shape::line(line.clone(), Stroke::new(1.25, colour.gamma_multiply(0.8))));
            let text = number_text(ctx.view.tcb_scale.shown(member), 1);
            let galley = painter.layout_no_wrap(text, FontId::proportional(10.5), ctx.colours.text);
            // Somewhere along the line where no other label is: lines of a steep family lie close at any one time.
            let place = |part: &usize| {
                let at = line.get(line.len() * part / 12)?;
                Some(Align2::CENTER_BOTTOM.anchor_size(*at, galley.size()))
            };
            let free = |rect: &Rect| labels.iter().all(|other| !other.expand(1.0).intersects(*rect));
            if let Some(rect) = [3, 4, 2, 8, 9, 10, 5, 7, 6, 1, 11].iter().filter_map(place).find(free) {
                labels.push(rect);
                painter.galley(rect.min, galley, ctx.colours.text);
            }
        }
    }
}

/// The curve with another number at some keys.
fn with_number(curve: &KeyedCurve, selected: &[usize], place: usize, number: f64) -> KeyedCurve {
    let mut other = KeyedCurve { modifiers: Vec::new(), ..curve.clone() };
    for index in selected {
        let Some(key) = other.keys.get(*index) else { continue };
        let mut shape = [key.tension, key.continuity, key.bias];
        if let Some(slot) = shape.get_mut(place) {
            *slot = number;
        }
        let [tension, continuity, bias] = shape;
        other.keys.replace_same_time(*index, Key { tension, continuity, bias, ..key });
    }
    other
}
