//! Where in the box of a lattice in hand the vertex under the pointer is, and how much the selected points move it.

use super::marks;
use crate::{
    eval::deform::influence::Probe,
    interact::{picking::PickScene, viewport_desk::Shown},
    model::{ObjectId, PointId, Target},
    text::fill,
    ui::panel::PanelContext,
};
use egui::{Painter, Pos2, Rect, Vec2};
use std::collections::BTreeSet;

/// Says it beside the pointer; gives the lattice and the parameters, where there are any.
pub(super) fn show(
    (painter, rect): (&Painter, Rect),
    pointer: Option<Pos2>,
    scene: &PickScene,
    shown: &Shown<'_>,
    ctx: &PanelContext<'_>,
    taken: &mut Vec<Rect>,
) -> Option<(ObjectId, [f64; 3])> {
    let lattice = *scene.in_hand(&ctx.selection.targets).first()?;
    if !shown.view.viewport.influence {
        return None;
    }
    let pos = pointer.filter(|pos| rect.contains(*pos))?;
    let at = [f64::from(pos.x - rect.left()), f64::from(pos.y - rect.top())];
    let (object, vertex) = scene.vertex(&shown.camera(), at)?;
    let probe = Probe::new(shown.document, shown.frame, object, lattice)?;
    let parameters = probe.parameters(vertex)?;
    let points: BTreeSet<PointId> = ctx
        .selection
        .targets
        .iter()
        .filter_map(|target| match *target {
            Target::Point(of, point) if of == lattice => Some(point),
            _ => None,
        })
        .collect();
    let number = |value: f64| format!("{value:.3}");
    let [s, t, u] = [parameters.x, parameters.y, parameters.z].map(number);
    let text = if points.is_empty() {
        fill("lattice.probe", &[("s", &s), ("t", &t), ("u", &u), ("vertex", &vertex)])
    } else {
        let share = number(probe.share(vertex, &points));
        fill("lattice.probe_share", &[("s", &s), ("t", &t), ("u", &u), ("vertex", &vertex), ("share", &share)])
    };
    marks::label(painter, rect, pos + Vec2::new(16.0, 20.0), &text, ctx.colours, taken);
    Some((lattice, [parameters.x, parameters.y, parameters.z]))
}
