//! What the bar says of blocking: how new keys run, whether poses are held, and the menu of all that.

use crate::{
    command::CommandId,
    interact::view_state::{NewKeys, ViewChange, ViewState},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        theme::GRID_PT,
        widgets::{DragField, FieldEdit, IconButton, chip},
    },
};
use egui::Ui;

fn new_keys_text(ctx: &PanelContext<'_>) -> String {
    fill("timeline.new_keys", &[("kind", &t(ctx.view.new_keys.title()))])
}

/// How wide the button of new keys is, points.
pub(super) fn new_keys_width(ui: &Ui, ctx: &PanelContext<'_>) -> f32 {
    super::room::width_of(ui, &new_keys_text(ctx), true)
}

/// The menus; that of new keys by itself where there is room, else within the other.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, with_new_keys: bool) {
    if with_new_keys {
        let button = ui.menu_button(new_keys_text(ctx), |ui| new_keys(ui, ctx));
        button.response.on_hover_text(t("timeline.new_keys_hint").into_owned());
    }
    ui.menu_button(t("timeline.blocking").into_owned(), |ui| {
        if !with_new_keys {
            let button = ui.menu_button(new_keys_text(ctx), |ui| new_keys(ui, ctx));
            button.response.on_hover_text(t("timeline.new_keys_hint").into_owned());
            ui.separator();
        }
        menu(ui, ctx);
    });
    if super::bars::any(ctx) {
        let (icon, key) = match ctx.view.bars {
            true => (Icon::ChevronDown, "bars.collapse"),
            false => (Icon::ChevronUp, "bars.expand"),
        };
        if IconButton::new(icon, &t(key)).show(ui).clicked() {
            ctx.commands.run(CommandId::ToggleBars);
        }
    }
    if ctx.view.stepped {
        ui.add_space(GRID_PT);
        let response = chip(ui, Some(Icon::Eye), &t("timeline.stepped"), ctx.colours.warn);
        if response.on_hover_text(t("timeline.stepped_hint").into_owned()).clicked() {
            ctx.commands.view(ViewChange::Stepped(false));
        }
    }
    if ctx.view.hold > 1 {
        ui.add_space(GRID_PT);
        let text = fill("timeline.hold", &[("frames", &ctx.view.hold)]);
        let response = chip(ui, Some(Icon::Eye), &text, ctx.colours.warn);
        if response.on_hover_text(t("timeline.hold_hint").into_owned()).clicked() {
            ctx.commands.view(ViewChange::Hold(1));
        }
    }
}

/// The kinds of new keys to choose from.
pub(in crate::ui::panels) fn new_keys(ui: &mut Ui, ctx: &PanelContext<'_>) {
    for kind in NewKeys::ALL {
        if ui.selectable_label(kind == ctx.view.new_keys, &*t(kind.title())).clicked() {
            ctx.commands.view(ViewChange::NewKeys(kind));
            ui.close();
        }
    }
}

fn menu(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let title = |id: CommandId| t(id.spec().title).into_owned();
    let hint = |id: CommandId| t(&format!("{}_hint", id.spec().title)).into_owned();
    let stepped = ui.selectable_label(ctx.view.stepped, title(CommandId::ToggleStepped));
    if stepped.on_hover_text(hint(CommandId::ToggleStepped)).clicked() {
        ctx.commands.run(CommandId::ToggleStepped);
        ui.close();
    }
    ui.horizontal(|ui| {
        for frames in ViewState::HOLD.0..=ViewState::HOLD.1 {
            let text = fill("timeline.hold", &[("frames", &frames)]);
            let response = ui.selectable_label(frames == ctx.view.hold, text);
            if response.on_hover_text(t("timeline.hold_hint").into_owned()).clicked() {
                ctx.commands.view(ViewChange::Hold(frames));
            }
        }
    });
    ui.separator();
    let flip = egui::Button::new(title(CommandId::FlipKeys)).shortcut_text(ctx.keymap.text(CommandId::FlipKeys));
    if ui.add(flip).on_hover_text(hint(CommandId::FlipKeys)).clicked() {
        ctx.commands.run(CommandId::FlipKeys);
    }
    ui.separator();
    ui.horizontal(|ui| {
        time_frames(ui, ctx);
        for id in [CommandId::InsertTime, CommandId::RemoveTime] {
            if ui.button(title(id)).on_hover_text(hint(id)).clicked() {
                ctx.commands.run(id);
            }
        }
    });
    ui.weak(t("timeline.insert_hint").into_owned());
}

/// The field of how many frames are put in or taken out at once.
pub(in crate::ui::panels) fn time_frames(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let name = t("timeline.time_frames");
    let (low, high) = ViewState::TIME_FRAMES;
    let field = DragField::new(&name, f64::from(ctx.view.time_frames)).decimals(0).speed(0.1).width(52.0);
    let (response, edits) = field.range(f64::from(low), f64::from(high)).show(ui);
    response.on_hover_text(&*name);
    for edit in edits {
        if let FieldEdit::Change(frames) = edit {
            ctx.commands.view(ViewChange::TimeFrames(frames.round().clamp(1.0, f64::from(high)) as u32));
        }
    }
}
