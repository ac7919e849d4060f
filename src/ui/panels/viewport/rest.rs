//! What says that the rest pose is shown and edited, and how: a bar under the view's own and a line around the view.

use crate::{
    command::CommandId,
    edit::skeleton::{Animation, Carry},
    interact::{
        rest_mode::{RestMode, Sides},
        view_state::ViewChange,
    },
    text::t,
    ui::{panel::PanelContext, shell::hint_of, widgets::set_name},
};
use egui::{Button, Rect, RichText, Stroke, Ui};

/// A line around the view while the rest pose is edited.
pub(super) fn mark(painter: &egui::Painter, rect: Rect, ctx: &PanelContext<'_>) {
    if ctx.view.rest.on {
        painter.rect_stroke(rect, 0.0, Stroke::new(2.0, ctx.colours.unkeyed), egui::StrokeKind::Inside);
    }
}

/// The switch in the view's bar.
pub(super) fn switch(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let id = CommandId::ToggleRest;
    let button = Button::selectable(ctx.view.rest.on, t("rest.switch"));
    let hint = format!("{} ({}). {}", t(id.spec().title), ctx.keymap.text(id), hint_of(id));
    if ui.add(button).on_hover_text(hint).clicked() {
        ctx.commands.run(id);
    }
}

/// Shows the bar under the view's own while the rest pose is edited, and gives its place.
pub(super) fn bar(ui: &mut Ui, panel: Rect, above: Rect, ctx: &PanelContext<'_>) -> Option<Rect> {
    if !ctx.view.rest.on {
        return None;
    }
    let outline = Some(ctx.colours.unkeyed);
    Some(super::bar::show(ui, (panel, super::bar::below(above)), ctx, outline, |ui| contents(ui, ctx)))
}

fn contents(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let rest = ctx.view.rest;
    let title = ui.label(RichText::new(t("rest.title")).color(ctx.colours.unkeyed).strong());
    title.on_hover_text(t("rest.title_hint"));
    let rows = [(Carry::Behind, "rest.children_behind"), (Carry::Along, "rest.children_along")];
    choice(ui, ctx, "rest.children", &rows, rest.children, |children| RestMode { children, ..rest });
    let rows = [(Animation::Follows, "rest.animation_follows"), (Animation::Stays, "rest.animation_stays")];
    choice(ui, ctx, "rest.animation", &rows, rest.animation, |animation| RestMode { animation, ..rest });
    let rows = [
        (None, "rest.symmetry_off"),
        (Some(Sides::Found), "rest.symmetry_found"),
        (Some(Sides::Named), "rest.symmetry_named"),
        (Some(Sides::Placed), "rest.symmetry_placed"),
    ];
    choice(ui, ctx, "rest.symmetry", &rows, rest.symmetry, |symmetry| RestMode { symmetry, ..rest });
    for id in [CommandId::GrabExtrude, CommandId::SplitBone, CommandId::DeleteJoints] {
        let (title, keys) = (t(id.spec().title), ctx.keymap.text(id));
        let hint = if keys.is_empty() { hint_of(id) } else { format!("{keys}. {}", hint_of(id)) };
        if ui.button(t(short(id))).on_hover_text(format!("{title}. {hint}")).clicked() {
            ctx.commands.run(id);
        }
    }
}

/// A button's own words in this bar, where room is scarce.
const fn short(id: CommandId) -> &'static str {
    match id {
        CommandId::GrabExtrude => "rest.extrude",
        CommandId::SplitBone => "rest.split",
        _ => "rest.delete",
    }
}

/// A menu of which one row holds.
fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    name: &str,
    rows: &[(T, &'static str)],
    now: T,
    with: impl Fn(T) -> RestMode,
) {
    let shown = rows.iter().find(|(value, _)| *value == now).map_or(name, |(_, key)| key);
    let menu = ui.menu_button(t(shown), |ui| {
        for (value, key) in rows {
            if ui.selectable_label(*value == now, t(key)).clicked() {
                ctx.commands.view(ViewChange::Rest(with(*value)));
                ui.close();
            }
        }
    });
    set_name(ui, &menu.response, &format!("{}: {}", t(name), t(shown)));
    menu.response.on_hover_text(t(&format!("{name}_hint")));
}
