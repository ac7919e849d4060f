//! Reference images: where each is seen, from when on, how plain.

use super::{folding, labelled, send};
use crate::{
    command::CommandId,
    edit::{Edit, SettingsEdit},
    model::{Reference, ReferencePlace},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        widgets::{DragField, IconButton},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    folding(ui, "references.title", |ui| {
        for (index, reference) in ctx.document.settings.references.iter().enumerate() {
            ui.push_id(index, |ui| one(ui, ctx, index, reference));
            ui.add_space(4.0);
        }
        let button = ui.button(t("command.add_reference").into_owned());
        if button.on_hover_text(t("command.add_reference_hint").into_owned()).clicked() {
            ctx.commands.run(CommandId::AddReference);
        }
    });
}

fn set(index: usize, to: Reference) -> Edit {
    SettingsEdit::SetReference { index, to }.into()
}

fn one(ui: &mut Ui, ctx: &PanelContext<'_>, index: usize, reference: &Reference) {
    let name = reference.path.rsplit('/').next().unwrap_or(&reference.path);
    ui.horizontal(|ui| {
        let (icon, key) =
            if reference.hidden { (Icon::EyeOff, "references.show") } else { (Icon::Eye, "references.hide") };
        if IconButton::new(icon, &fill(key, &[("name", &name)])).show(ui).clicked() {
            let to = Reference { hidden: !reference.hidden, ..reference.clone() };
            ctx.commands.apply("history.reference_shown", set(index, to));
        }
        let fault = ctx.backdrops.get(index).and_then(|backdrop| backdrop.fault.as_deref());
        if let Some(fault) = fault
            && IconButton::new(Icon::Warn, &t("references.look_again"))
                .hint(fault)
                .colour(ctx.colours.warn)
                .show(ui)
                .clicked()
        {
            ctx.commands.run(CommandId::LookAtReferences);
        }
        let width = (ui.available_width() - 28.0).max(40.0);
        ui.allocate_ui_with_layout(egui::vec2(width, 22.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(name).truncate()).on_hover_text(&reference.path);
        });
        let delete = fill("references.delete", &[("name", &name)]);
        if IconButton::new(Icon::Delete, &delete).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.delete_reference", SettingsEdit::RemoveReference(index).into());
        }
    });
    labelled(ui, &t("references.place"), |ui| place(ui, ctx, index, reference));
    numbers(ui, ctx, index, reference);
}

fn place(ui: &mut Ui, ctx: &PanelContext<'_>, index: usize, reference: &Reference) {
    let key = |place: ReferencePlace| match place {
        ReferencePlace::Behind => "references.behind",
        ReferencePlace::Front => "references.front",
        ReferencePlace::Scene => "references.scene",
    };
    egui::ComboBox::from_id_salt("place").selected_text(t(key(reference.place))).width(128.0).show_ui(ui, |ui| {
        for place in ReferencePlace::ALL {
            if ui.selectable_label(place == reference.place, t(key(place))).clicked() && place != reference.place {
                ctx.commands.apply("history.reference_place", set(index, Reference { place, ..reference.clone() }));
            }
        }
    });
}

/// A number of a reference, as the eye sees it.
struct Number {
    key: &'static str,
    unit: &'static str,
    decimals: usize,
    speed: f64,
    range: (f64, f64),
    get: fn(&Reference) -> f64,
    set: fn(&mut Reference, f64),
}

const FAR: (f64, f64) = (-1e4, 1e4);

const FRAMES: [Number; 2] = [
    Number {
        key: "references.start",
        unit: "",
        decimals: 0,
        speed: 0.2,
        range: (-1e6, 1e6),
        get: |reference| reference.start as f64,
        set: |reference, value| reference.start = value.round() as i64,
    },
    Number {
        key: "references.step",
        unit: "",
        decimals: 0,
        speed: 0.05,
        range: (1.0, 1000.0),
        get: |reference| f64::from(reference.step),
        set: |reference, value| reference.step = value.round().clamp(1.0, 1000.0) as u32,
    },
];

const PLACE: [Number; 4] = [
    Number {
        key: "references.x",
        unit: "",
        decimals: 3,
        speed: 0.005,
        range: FAR,
        get: |reference| reference.offset[0],
        set: |reference, value| reference.offset[0] = value,
    },
    Number {
        key: "references.y",
        unit: "",
        decimals: 3,
        speed: 0.005,
        range: FAR,
        get: |reference| reference.offset[1],
        set: |reference, value| reference.offset[1] = value,
    },
    Number {
        key: "references.scale",
        unit: "%",
        decimals: 1,
        speed: 0.5,
        range: (Reference::SCALE.0 * 100.0, Reference::SCALE.1 * 100.0),
        get: |reference| reference.scale * 100.0,
        set: |reference, value| reference.scale = value / 100.0,
    },
    Number {
        key: "references.opacity",
        unit: "%",
        decimals: 0,
        speed: 0.5,
        range: (0.0, 100.0),
        get: |reference| reference.opacity * 100.0,
        set: |reference, value| reference.opacity = value / 100.0,
    },
];

const DEPTH: Number = Number {
    key: "references.depth",
    unit: "m",
    decimals: 3,
    speed: 0.01,
    range: FAR,
    get: |reference| reference.depth,
    set: |reference, value| reference.depth = value,
};

fn numbers(ui: &mut Ui, ctx: &PanelContext<'_>, index: usize, reference: &Reference) {
    let depth = (reference.place == ReferencePlace::Scene).then_some(&DEPTH);
    let frames = FRAMES.iter().filter(|_| reference.sequence);
    for number in frames.chain(PLACE.iter()).chain(depth) {
        labelled(ui, &t(number.key), |ui| {
            let name = t(number.key);
            let field = DragField::new(&name, (number.get)(reference)).decimals(number.decimals).speed(number.speed);
            let field = field.range(number.range.0, number.range.1).unit(number.unit).width(128.0);
            let (_, edits) = field.show(ui);
            send(ctx, "history.reference", edits, |value| {
                let mut to = reference.clone();
                (number.set)(&mut to, value);
                Ok(set(index, to))
            });
        });
    }
}
