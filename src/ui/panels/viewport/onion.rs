//! Onion skins in the view's bar: a switch, and beside it what is shown and how.

use crate::{
    command::CommandId,
    interact::{
        onion::{GhostLook, OnionBy, OnionSkin},
        view_state::ViewChange,
    },
    text::t,
    ui::{
        icons::Icon,
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, FieldEdit, IconButton},
    },
};
use egui::{Popup, PopupCloseBehavior, Ui};

/// Width of the names in the popover, points.
const NAMES_PT: f32 = 92.0;

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
    row(ui, "onion.before", |ui| number(ui, "onion.before", "", OnionSkin::COUNT, &mut onion.before));
    row(ui, "onion.after", |ui| number(ui, "onion.after", "", OnionSkin::COUNT, &mut onion.after));
    if onion.by == OnionBy::Frames {
        row(ui, "onion.step", |ui| number(ui, "onion.step", "onion.step_unit", OnionSkin::STEP, &mut onion.step));
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
        number(ui, "onion.strength", "onion.percent", OnionSkin::STRENGTH, &mut onion.strength);
    });
    ui.checkbox(&mut onion.every_rig, t("onion.every_rig").into_owned());
    onion
}

fn row(ui: &mut Ui, key: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let start = ui.cursor().left();
        ui.label(t(key).into_owned());
        ui.add_space((start + NAMES_PT - ui.cursor().left()).max(4.0));
        contents(ui);
    });
}

fn number(ui: &mut Ui, name: &str, unit: &str, (low, high): (u8, u8), value: &mut u8) {
    let (name, unit) = (t(name), if unit.is_empty() { "".into() } else { t(unit) });
    let field = DragField::new(&name, f64::from(*value)).decimals(0).speed(0.1).unit(&unit);
    let (_, edits) = field.range(f64::from(low), f64::from(high)).width(84.0).show(ui);
    for edit in edits {
        if let FieldEdit::Change(wanted) = edit {
            // Within the range of the field.
            *value = wanted.round().clamp(f64::from(low), f64::from(high)) as u8;
        }
    }
}
