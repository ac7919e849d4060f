//! How smoothly curves pass their keys, in words and numbers; and the buttons that make them pass more smoothly.

use super::{
    panel::PanelContext,
    panels::graph::{unit_map, unit_name},
    shell::hint_of,
    widgets::{drag_field::number_text, set_name},
};
use crate::{
    command::{Command, CommandId},
    edit::{KeySelection, continuity::continuous},
    eval::{curve::continuity::Continuity, polyline::derivative::Smoothness},
    model::ChannelPath,
    notice::Notice,
    text::{fill, t},
};
use egui::Ui;

/// The commands that ask for an order.
const ORDERS: [(CommandId, Continuity); 3] =
    [(CommandId::MakeC0, Continuity::C0), (CommandId::MakeC1, Continuity::C1), (CommandId::MakeC2, Continuity::C2)];

/// The order a command asks for.
#[must_use]
pub fn order_of(command: CommandId) -> Option<Continuity> {
    ORDERS.iter().find(|(id, _)| *id == command).map(|(_, order)| *order)
}

/// The short name of how a curve passes a key: for badges.
#[must_use]
pub const fn short(how: Smoothness) -> &'static str {
    match how {
        Smoothness::Jump(_) => "\u{2260}",
        Smoothness::Kink(_) => "C0",
        Smoothness::Bend(_) => "C1",
        Smoothness::Smooth => "C2",
    }
}

/// How smoothly a curve passes a key, in words, with the jump in the channel's units.
#[must_use]
pub fn words(ctx: &PanelContext<'_>, path: ChannelPath, how: Smoothness) -> String {
    let unit = ctx.document.settings.length_unit;
    let scale = unit_map(path, unit).scale;
    let (key, jump) = match how {
        Smoothness::Jump(by) => ("graph.jump", by),
        Smoothness::Kink(by) => ("graph.kink", by),
        Smoothness::Bend(by) => ("graph.bend", by),
        Smoothness::Smooth => ("graph.smooth", 0.0),
    };
    fill(key, &[("by", &number_text(jump * scale, 3)), ("unit", &unit_name(path, unit))])
}

/// What can be made of keys, as rows of a menu.
pub fn orders(ui: &mut Ui, ctx: &PanelContext<'_>, keys: &KeySelection) {
    for (id, order) in ORDERS {
        if ui.button(t(id.spec().title).into_owned()).on_hover_text(hint_of(id)).clicked() {
            make(ctx, keys, order);
            ui.close();
        }
    }
}

/// Makes curves pass keys with at least an order of continuity, as one step, and tells what that came to.
pub fn make(ctx: &PanelContext<'_>, keys: &KeySelection, order: Continuity) {
    let (edit, report) = continuous(ctx.document, keys, order);
    let name = format!("{order:?}");
    let mut parts = Vec::new();
    let mut part = |key: &str, count: usize| {
        if count > 0 {
            parts.push(fill(key, &[("count", &count), ("order", &name)]));
        }
    };
    part("continuity.made", report.made);
    part("continuity.had", report.had);
    part("continuity.failed", report.failed);
    part("continuity.fell", report.fell);
    part("continuity.schemed", report.schemed);
    part("continuity.others", report.others);
    let unit = ctx.document.settings.length_unit;
    let shown = |(path, error): &(ChannelPath, f64)| (error * unit_map(*path, unit).scale.abs(), *path);
    if let Some((error, path)) = report.errors.iter().map(shown).max_by(|a, b| a.0.total_cmp(&b.0)) {
        parts.push(fill("continuity.differs", &[("by", &number_text(error, 3)), ("unit", &unit_name(path, unit))]));
    }
    let changed = !edit.is_none();
    if changed {
        ctx.commands.apply("history.continuity", edit);
    }
    let text = if parts.is_empty() { t("continuity.no_keys").into_owned() } else { sentence(&parts) };
    let done = changed && report.failed + report.schemed == 0 || report.made + report.failed + report.schemed == 0;
    let notice = if done { Notice::info(text) } else { Notice::warn(text) };
    ctx.commands.send(Command::Tell(notice));
}

/// Parts as one sentence, its first letter a capital.
fn sentence(parts: &[String]) -> String {
    let text = parts.join("; ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Buttons that make the selected keys pass more smoothly.
pub fn buttons(ui: &mut Ui, ctx: &PanelContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(t("continuity.make").into_owned());
        for (id, order) in ORDERS {
            let enabled = !ctx.selection.keys.is_empty();
            let response = ui.add_enabled(enabled, egui::Button::new(format!("{order:?}")));
            set_name(ui, &response, &t(id.spec().title));
            if response.on_hover_text(hint_of(id)).clicked() {
                ctx.commands.run(id);
            }
        }
    });
}
