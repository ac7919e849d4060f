//! Plots that are read and not steered: the pointer shows numbers and moves nothing.

use egui::Ui;
use egui_plot::Plot;

/// A plot of this height, points, as wide as there is room, that neither a drag nor the wheel moves; named apart from others
/// beside it by `id`.
#[must_use]
pub fn quiet_plot<'a>(ui: &Ui, id: &'static str, height: f32) -> Plot<'a> {
    Plot::new(id)
        .height(height)
        // The last number of the axis stands half beyond the plot.
        .width((ui.available_width() - 14.0).max(80.0))
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
}
