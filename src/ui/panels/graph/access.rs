//! Keys as named nodes for screen readers and tests, where there are few enough to be told apart.

use super::{channels::full_name, readout::point_text};
use crate::{
    interact::{plot_view::PlotRange, tools::graph_curve::GraphCurve},
    text::fill,
    ui::{panel::PanelContext, widgets::plot_canvas::PlotCanvas},
};
use egui::{Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

/// More keys than this in view are not named one by one.
const MOST_NODES: usize = 300;

/// Names the keys in view.
pub(super) fn nodes(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    canvas: &PlotCanvas,
    range: PlotRange,
    curves: &[GraphCurve],
    parent: egui::Id,
) {
    let view = canvas.view(range);
    let in_view = |curve: &GraphCurve| curve.between(range.secs.low(), range.secs.high());
    let count: usize = curves.iter().map(|curve| in_view(curve).len()).sum();
    // Without a listener the nodes would be built for nobody.
    if count >= MOST_NODES || ui.ctx().accesskit_node_builder(parent, |_| ()).is_none() {
        return;
    }
    for curve in curves.iter().filter(|curve| curve.lane == 0) {
        let name = full_name(ctx.document, curve.path);
        for key in in_view(curve) {
            let Some([x, y]) = curve.place(&view, key).filter(|place| view.rect.contains(*place)) else { continue };
            let rect = Rect::from_center_size(pos2(x as f32, y as f32), Vec2::splat(12.0));
            let response = ui.interact(rect, parent.with((curve.path, key)), Sense::hover());
            let point = point_text(ctx, curve, key).unwrap_or_default();
            let label = fill("graph.key_node", &[("channel", &name), ("point", &point)]);
            let selected = curve.is_selected(key);
            response.widget_info(|| WidgetInfo::selected(Role::GraphicsSymbol, true, selected, &label));
        }
    }
}
