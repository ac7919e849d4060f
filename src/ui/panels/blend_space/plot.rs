//! The plane of a space: one picture, or two where schemes are compared.

use super::{BlendSpacePanel, Subject, direct, paint, scheme_key};
use crate::{
    command::Command,
    interact::{
        blend_space::{SpacePlot, Under},
        plot_view::PlotRect,
    },
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{drag_field::number_text, set_name},
    },
};
use egui::{Pos2, Rect, Sense, Ui, UiBuilder, Vec2, vec2};

/// Room for the numbers of the axes, left of and below the plane, points.
pub(super) const NUMBERS: Vec2 = vec2(34.0, 30.0);

impl BlendSpacePanel {
    /// Shows the space in a room of this size.
    pub(super) fn plots(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>, subject: &Subject<'_>, size: Vec2) {
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let down = egui::Layout::top_down(egui::Align::Min);
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).layout(down).id_salt("blend space plots"));
        if subject.space.scheme.axes() == 0 {
            direct::show(&mut inside, ctx, subject);
            return;
        }
        let both = self.against.is_some() && subject.space.scheme.axes() == 2;
        if !both {
            self.plot(&mut inside, ctx, subject, rect, false);
            return;
        }
        let head = 18.0;
        let below = Rect::from_min_max(rect.min + vec2(0.0, head), rect.max);
        let beside = below.split_left_right_at_fraction(0.5);
        let over = below.split_top_bottom_at_fraction(0.5);
        // Whichever shows more.
        let side = |rect: &Rect| (rect.width() - NUMBERS.x).min(rect.height() - NUMBERS.y);
        let (left, right) = if side(&beside.0) >= side(&over.0) { beside } else { over };
        if let Some(apart) = self.apart {
            let number = |value: f64| number_text(100.0 * value, 1);
            let at = apart.at.map(|value| number_text(value, 2));
            let values: [(&str, &dyn std::fmt::Display); 4] =
                [("mean", &number(apart.mean)), ("most", &number(apart.most)), ("x", &at[0]), ("y", &at[1])];
            let place = Rect::from_min_size(rect.min, vec2(rect.width(), head));
            inside
                .put(place, egui::Label::new(fill("blend_space.apart", &values)).truncate())
                .on_hover_text(t("blend_space.apart_hint"));
        }
        self.plot(&mut inside, ctx, subject, left.shrink(2.0), false);
        self.plot(&mut inside, ctx, subject, right.shrink(2.0), true);
    }

    /// One plane, of the space's own scheme or of the one it is compared with.
    fn plot(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, rect: Rect, other: bool) {
        let plane = Rect::from_min_max(rect.min + vec2(NUMBERS.x, 2.0), rect.max - vec2(4.0, NUMBERS.y));
        if plane.width() < 24.0 || plane.height() < 24.0 {
            return;
        }
        let name = if other { "blend_space.plane_other" } else { "blend_space.plane" };
        let response = ui.interact(plane, ui.scope_id().with(name), Sense::drag());
        set_name(ui, &response, &t(name));
        let within = PlotRect::new(
            f64::from(plane.left()),
            f64::from(plane.top()),
            f64::from(plane.width()),
            f64::from(plane.height()),
        );
        let plot = SpacePlot::new(subject.space, ctx.view.blend.range, within);
        let dragged = self.drag.as_ref().is_some_and(super::operate::Drag::changes);
        let wanted = (plot.view.range, ctx.view.blend.heat, ctx.view.blend.sample, ctx.view.blend.lines);
        let (known, heat) = match other {
            false => (&self.known, &mut self.heat),
            true => (&self.against, &mut self.heat_against),
        };
        let Some(known) = known else { return };
        heat.learn(ui, known, wanted, (dragged, ctx.colours.field));
        let edges = known.edges();
        let place = |pos: Option<Pos2>| pos.map(|pos| [f64::from(pos.x), f64::from(pos.y)]);
        let pointer = place(response.hover_pos());
        // A quick drag is far from what it took before it is seen.
        let press = response.drag_started().then(|| ui.input(|input| input.pointer.press_origin())).flatten();
        let under =
            place(press).or(pointer).and_then(|at| plot.under(at, subject.point, ctx.view.blend.sample, &edges.0));
        let pointed = pointer.map(|at| subject.space.within(plot.at(at, subject.point)));
        let picture = paint::Picture { ctx, subject, plot: &plot, plane, known, heat: &*heat, under, other };
        let against = self.against.as_ref().filter(|_| !other && subject.space.scheme.axes() == 1);
        picture.paint(ui, (against, &self.trail), &edges, self.apart.filter(|_| self.against.is_some()), pointed);
        if pointer.is_some() || !other {
            self.pointed = pointed;
        }
        self.operate(ui, ctx, subject, &response, &plot, under);
        self.dropped(ui, ctx, subject, &response, &plot);
        if other {
            let title = t(&scheme_key(known_scheme(self.against.as_ref(), subject))).into_owned();
            paint::title(ui, ctx, plane, &title);
        } else if self.against.is_some() && subject.space.scheme.axes() == 2 {
            paint::title(ui, ctx, plane, &t(&scheme_key(subject.space.scheme)));
        }
        if response.hovered() {
            let key = match under {
                Some(Under::Sample(_)) => "blend_space.hint_sample",
                Some(Under::Edge(_)) => "blend_space.hint_edge",
                Some(Under::Point) | None => "blend_space.hint_point",
            };
            ctx.commands.send(Command::Hint(t(key)));
        }
    }
}

fn known_scheme(
    against: Option<&crate::interact::blend_space::Known>,
    subject: &Subject<'_>,
) -> crate::model::BlendScheme {
    against.map_or(subject.space.scheme, |known| known.key.scheme)
}
