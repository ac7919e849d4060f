//! Onion skins in the view's bar: a switch, and beside it what is shown and how.

use super::popover::{NAMES_PT, number, row};
use crate::{
    command::CommandId,
    interact::{
        onion::{GhostLook, OnionBy, OnionSkin},
        view_state::ViewChange,
    },
    text::t,
    ui::{icons::Icon, panel::PanelContext, shell::hint_of, widgets::IconButton},
};
use egui::{Popup, PopupCloseBehavior, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let onion = ctx.view.onion;
    let id = CommandId::ToggleOnion;
    let (name, shortcut, hint) = (t(id.spec().title), ctx.keymap.text(id), hint_of(id));
    let switch = IconButton::new(Icon::Onion, &name).shortcut(&shortcut).hint(&hint).selected(onion.on);
    if switch.show(ui).clicked() {
        ctx.commands.run(id);
    }
    let name = t("onion.settings");
    let more = IconButton::new(Icon::ChevronDown, &name).show(ui);
    let popup = Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(NAMES_PT + 130.0);
        let changed = settings(ui, onion);
        if changed != onion {
            // Who changes what is shown wants to see it.
            ctx.commands.view(ViewChange::Onion(OnionSkin { on: true, ..changed }));
        }
    });
}

fn settings(ui: &mut Ui, mut onion: OnionSkin) -> OnionSkin {
    row(ui, "onion.by", |ui| {
        for by in OnionBy::ALL {
            let key = match by {
                OnionBy::Frames => "onion.frames",
                OnionBy::KeyPoses => "onion.key_poses",
            };
            ui.selectable_value(&mut onion.by, by, t(key).into_owned());
        }
    });
    row(ui, "onion.before", |ui| small(ui, "onion.before", "", OnionSkin::COUNT, &mut onion.before));
    row(ui, "onion.after", |ui| small(ui, "onion.after", "", OnionSkin::COUNT, &mut onion.after));
    if onion.by == OnionBy::Frames {
        row(ui, "onion.step", |ui| small(ui, "onion.step", "onion.step_unit", OnionSkin::STEP, &mut onion.step));
    }
    row(ui, "onion.look", |ui| {
        for look in GhostLook::ALL {
            let key = match look {
                GhostLook::Mannequin => "onion.mannequin",
                GhostLook::Silhouette => "onion.silhouette",
            };
            ui.selectable_value(&mut onion.look, look, t(key).into_owned());
        }
    });
    row(ui, "onion.strength", |ui| {
        small(ui, "onion.strength", "onion.percent", OnionSkin::STRENGTH, &mut onion.strength);
    });
    ui.checkbox(&mut onion.every_rig, t("onion.every_rig").into_owned());
    onion
}

/// A small number: those of onion skins fit a byte.
fn small(ui: &mut Ui, name: &str, unit: &str, (low, high): (u8, u8), value: &mut u8) {
    let unit = if unit.is_empty() { "".into() } else { t(unit) };
    let mut wide = u16::from(*value);
    number(ui, (name, &unit), (low.into(), high.into()), 0.1, &mut wide);
    *value = u8::try_from(wide).unwrap_or(high);
}
