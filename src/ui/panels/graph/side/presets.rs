//! Eases as pictures, given to the selected keys by a click; and the user's own: kept, named, deleted, exchanged by file.

use super::{Editing, picture};
use crate::{
    command::{Command, EaseWish},
    eval::curve::ease_of::{NoEase, ease_of},
    interact::tools::graph_curve::Points,
    math::easing::{CssBezier, EaseMode},
    model::{EasePreset, EaseShape, Interpolation},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::graph::{run::interpolation_name, steps::apply},
        widgets::{IconButton, section},
    },
};
use egui::Ui;
use std::sync::Arc;

/// What is chosen about presets: forgotten with the panel.
#[derive(Clone, Debug, Default)]
pub(in crate::ui::panels::graph) struct PresetState {
    /// Which end of the pictured eases is slow.
    mode: EaseMode,
    /// The name of the next ease that is kept.
    name: String,
    /// Whether the user's own are listed by name, to be renamed and deleted.
    listed: bool,
}

/// Shows the pictures and the user's own.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, state: &mut PresetState) {
    section(ui, &t("presets.title"));
    ui.horizontal(|ui| {
        for mode in EaseMode::ALL {
            let name = mode_name(mode);
            let label = ui.selectable_label(state.mode == mode, t(name).into_owned());
            if label.on_hover_text(t(&format!("{name}_hint")).into_owned()).clicked() {
                state.mode = mode;
            }
        }
    });
    pictures(ui, ctx, editing, built_in(state.mode));
    section(ui, &t("presets.own"));
    if ctx.view.eases.is_empty() {
        ui.weak(t("presets.none").into_owned());
    } else if state.listed {
        own(ui, ctx, editing);
    } else {
        pictures(ui, ctx, editing, ctx.view.eases.iter().cloned());
    }
    keep(ui, ctx, editing, state);
    ui.horizontal_wrapped(|ui| {
        if ui.button(t("presets.import").into_owned()).on_hover_text(t("presets.import_hint").into_owned()).clicked() {
            ctx.commands.send(Command::Eases(EaseWish::Import));
        }
        let export = egui::Button::new(t("presets.export").into_owned());
        let export = ui.add_enabled(!ctx.view.eases.is_empty(), export);
        if export.on_hover_text(t("presets.export_hint").into_owned()).clicked() {
            ctx.commands.send(Command::Eases(EaseWish::Export));
        }
        if !ctx.view.eases.is_empty() {
            let list = ui.selectable_label(state.listed, t("presets.list").into_owned());
            if list.on_hover_text(t("presets.list_hint").into_owned()).clicked() {
                state.listed = !state.listed;
            }
        }
    });
}

/// Pictures side by side: a click gives the ease to the selected keys.
fn pictures(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, presets: impl Iterator<Item = EasePreset>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(3.0, 3.0);
        for preset in presets {
            if picture::show(ui, ctx.colours, &preset, &preset.name).clicked() {
                give(ctx, editing, &preset);
            }
        }
    });
}

const fn mode_name(mode: EaseMode) -> &'static str {
    match mode {
        EaseMode::In => "graph.ease_in",
        EaseMode::Out => "graph.ease_out",
        EaseMode::InOut => "graph.ease_in_out",
    }
}

/// The eases everybody has: straight, the families in a mode, those slow at both ends, and CSS's.
fn built_in(mode: EaseMode) -> impl Iterator<Item = EasePreset> {
    let plain = |interpolation, ease, name| EasePreset { name, interpolation, ease };
    let named = move |kind: Interpolation| {
        let name = interpolation_name(kind);
        let name = if kind.has_mode() { format!("{name}, {}", t(mode_name(mode)).to_lowercase()) } else { name };
        plain(kind, EaseShape { mode, ..EaseShape::PLAIN }, name)
    };
    let straight = std::iter::once(Interpolation::Linear).map(named);
    let slow = [Interpolation::Smoothstep, Interpolation::Smooth].into_iter().map(named);
    // CSS's linear is the straight line.
    let css = CssBezier::PRESETS.into_iter().skip(1).map(move |(name, css)| {
        plain(Interpolation::Css, EaseShape { css, ..EaseShape::PLAIN }, format!("CSS {name}"))
    });
    // A power of any height has no picture of its own: two to five have.
    let moded = Interpolation::ALL.into_iter().filter(|kind| kind.has_mode() && *kind != Interpolation::Power);
    straight.chain(slow).chain(moded.map(named)).chain(css)
}

/// All eases everybody has, each once.
pub(in crate::ui) fn all_built_in() -> Vec<EasePreset> {
    let mut all: Vec<EasePreset> = Vec::new();
    for preset in EaseMode::ALL.into_iter().flat_map(built_in) {
        if all.iter().all(|known| known.name != preset.name) {
            all.push(preset);
        }
    }
    all
}

/// Gives the selected keys an ease.
fn give(ctx: &PanelContext<'_>, editing: &Editing<'_>, preset: &EasePreset) {
    match editing.ease(preset.interpolation, preset.ease) {
        None => ctx.commands.send(Command::Tell(Notice::info(t("presets.no_keys")))),
        edit => apply(ctx, "history.ease", edit),
    }
}

/// The user's own eases: each with its picture, its name, and a button that deletes it.
fn own(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>) {
    let eases = &ctx.view.eases;
    let change = |change: &dyn Fn(&mut Vec<EasePreset>)| {
        let mut presets = Arc::unwrap_or_clone(Arc::clone(eases));
        change(&mut presets);
        ctx.commands.send(Command::Eases(EaseWish::Keep(presets)));
    };
    for (index, preset) in eases.iter().enumerate() {
        ui.push_id((index, &preset.name), |ui| {
            ui.horizontal(|ui| {
                let named = |key: &str| fill(key, &[("name", &preset.name)]);
                if picture::show(ui, ctx.colours, preset, &preset.name).clicked() {
                    give(ctx, editing, preset);
                }
                let width = (ui.available_width() - 32.0).max(40.0);
                let is_taken = |name: &str| eases.iter().any(|other| other.name == name);
                let (field, name) = name_field(ui, ctx, (&named("presets.rename"), &preset.name, width), is_taken);
                field.on_hover_text(preset.name.as_str());
                if let Some(name) = name {
                    change(&|presets| {
                        let renamed = EasePreset { name: String::new(), ..presets.remove(index) };
                        let name = EasePreset::free_name(&name, presets);
                        presets.insert(index, EasePreset { name, ..renamed });
                    });
                }
                if IconButton::new(Icon::Delete, &named("presets.delete")).show(ui).clicked() {
                    change(&|presets| drop(presets.remove(index)));
                    ctx.commands.send(Command::Tell(Notice::info(named("presets.deleted"))));
                }
            });
        });
    }
}

/// A name and a button that keeps the ease of the segment from the first selected key on.
fn keep(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, state: &mut PresetState) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 56.0).max(40.0);
        let edit = egui::TextEdit::singleline(&mut state.name).hint_text(t("presets.name").into_owned());
        let response = ui.add_sized(egui::vec2(width, ui.spacing().interact_size.y), edit);
        crate::ui::widgets::set_name(ui, &response, &t("presets.name"));
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let button = egui::Button::new(t("presets.keep").into_owned());
        let button = ui.add_enabled(!ctx.selection.keys.is_empty(), button);
        if !button.on_hover_text(t("presets.keep_hint").into_owned()).clicked() && !entered {
            return;
        }
        match present(editing) {
            Err(why) => ctx.commands.send(Command::Tell(Notice::warn(t(why)))),
            Ok((interpolation, ease)) if ctx.view.eases.len() < EasePreset::MOST => {
                let mut presets = ctx.view.eases.to_vec();
                let wanted =
                    if state.name.trim().is_empty() { t("presets.unnamed") } else { state.name.as_str().into() };
                let name = EasePreset::free_name(&wanted, &presets);
                presets.push(EasePreset { name, interpolation, ease });
                ctx.commands.send(Command::Eases(EaseWish::Keep(presets)));
                state.name.clear();
            }
            Ok(_) => ctx.commands.send(Command::Tell(Notice::warn(t("presets.too_many")))),
        }
    });
}

/// The ease of the segment from the first selected key on; else why there is none, as a text key.
fn present(editing: &Editing<'_>) -> Result<(Interpolation, EaseShape), &'static str> {
    let selected = editing.curves.iter().filter(|curve| curve.has_values && curve.lane == 0);
    let mut found = Err("presets.no_segment");
    for curve in selected {
        let (Points::Keyed(keyed), Some(first)) = (&curve.points, curve.selected.first()) else { continue };
        match ease_of(keyed, *first) {
            Ok(ease) => return Ok(ease),
            Err(NoEase::Level) => found = Err("presets.level"),
            Err(NoEase::NoSegment) => {}
        }
    }
    found
}
