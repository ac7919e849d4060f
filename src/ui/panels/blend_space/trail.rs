//! The way of the point through the space over the play range: in the plane, and as weights over time.

use super::{Subject, sample_colour};
use crate::{
    eval::blend::layers::{PointTrail, point_trail},
    interact::{blend_space::PointOf, view_state::ViewChange},
    model::Document,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{drag_field::number_text, quiet_plot, section, set_name},
    },
};
use egui::Ui;
use egui_plot::{HoverPosition, Line, PlotPoint, PlotPoints, VLine};
use std::sync::Arc;

/// The most frames a trail is followed.
const MOST: usize = 20_000;
/// The most points a curve is drawn of.
const DRAWN: usize = 1500;
/// The height of the curves, points.
const HEIGHT_PT: f32 = 130.0;

/// A trail, and what it is of.
#[derive(Default)]
pub(super) struct TrailCache {
    of: Option<(Arc<Document>, PointOf)>,
    trail: Option<PointTrail>,
}

impl TrailCache {
    /// Follows the point anew where the document has changed.
    pub(super) fn learn(&mut self, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
        let known =
            self.of.as_ref().is_some_and(|(document, of)| Arc::ptr_eq(document, ctx.document) && *of == subject.of);
        if known {
            return;
        }
        self.trail = match subject.of {
            PointOf::Layer(object, layer) => point_trail(ctx.document, object, layer, MOST),
            PointOf::Space => None,
        };
        self.of = Some((ctx.document.clone(), subject.of));
    }

    pub(super) const fn trail(&self) -> Option<&PointTrail> {
        self.trail.as_ref()
    }

    /// The point that plays at the frame shown.
    pub(super) fn played_now(&self, ctx: &PanelContext<'_>) -> Option<[f64; 2]> {
        let trail = self.trail.as_ref()?;
        let frame = ctx.document.settings.rate.nearest_frame(ctx.view.secs);
        let index = usize::try_from(frame.checked_sub(trail.first)?).ok()?;
        trail.played.get(index).copied()
    }

    /// The weights over time.
    pub(super) fn show(&self, ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
        section(ui, &t("blend_space.over_time"));
        let Some(trail) = &self.trail else {
            ui.add(egui::Label::new(egui::RichText::new(t("blend_space.not_played")).weak()).wrap());
            return;
        };
        let rate = ctx.document.settings.rate;
        let step = trail.weights.len().div_ceil(DRAWN).max(1);
        let hover = |at: &HoverPosition<'_>| match at {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                let (frame, weight) = (number_text(position.x, 0), number_text(100.0 * position.y, 1));
                Some(fill("blend_space.weight_at", &[("name", plot_name), ("frame", &frame), ("weight", &weight)]))
            }
            HoverPosition::Elsewhere { .. } => None,
        };
        let plot = quiet_plot(ui, "blend space weights over time", HEIGHT_PT)
            .include_y(0.0)
            .include_y(1.0)
            .y_axis_min_width(34.0)
            .x_axis_formatter(|mark, _| number_text(mark.value, 0))
            .y_axis_formatter(|mark, _| format!("{}%", number_text(100.0 * mark.value, 0)))
            .cursor_color(ctx.colours.weak)
            .label_formatter(hover);
        let shown = plot.show(ui, |plot| {
            for (index, sample) in subject.space.samples.iter().enumerate() {
                let points = trail.weights.iter().enumerate().step_by(step).map(|(at, weights)| {
                    let weight = weights.get(index).copied().unwrap_or(0.0);
                    [(trail.first + i64::try_from(at).unwrap_or(0)) as f64, weight]
                });
                let line = Line::new(ctx.document.played_name(sample.plays), PlotPoints::from_iter(points));
                plot.line(line.id(egui::Id::unique("weight").with(index)).color(sample_colour(index)).width(1.75));
            }
            let now = rate.frame_f64(ctx.view.secs);
            plot.vline(VLine::new("", now).color(ctx.colours.accent).width(1.0));
            plot.pointer_coordinate()
        });
        set_name(ui, &shown.response, &t("blend_space.over_time"));
        // A press shows the time it is at, as in a ruler.
        if shown.response.is_pointer_button_down_on()
            && let Some(PlotPoint { x, .. }) = shown.inner
        {
            let wanted = rate.secs(x.round().clamp(-1e9, 1e9) as i64);
            if wanted != ctx.view.secs {
                ctx.commands.view(ViewChange::Time(wanted));
            }
        }
    }
}
