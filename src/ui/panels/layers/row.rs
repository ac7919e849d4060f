//! One layer.

use super::{LayersPanel, playable, words};
use crate::{
    edit::{
        BlendEdit,
        blend::{change_additive, change_layer, clips_of, move_layer, replay, work_on},
        numbers::{key_number, number_edit},
    },
    eval::{
        blend::layers::written_layer,
        sample::{Stage, number},
    },
    model::{
        Additive, AdditiveReference, AdditiveSpace, ChannelPath, JointMaskId, Layer, LayerId, LayerMode, ObjectId,
        Plays, Property, RotationBlend,
    },
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::{
            clips::refuse,
            inspector::{labelled, send},
        },
        widgets::{Chooser, DragField, IconButton},
    },
};
use egui::{ComboBox, Frame, Label, Margin, RichText, Sense, Ui};
use std::sync::Arc;

/// Width of a box to choose from, points.
const CHOICE_PT: f32 = 132.0;

impl LayersPanel {
    /// Shows a layer, its place among so many from below.
    pub(super) fn row(
        &mut self,
        ui: &mut Ui,
        ctx: &PanelContext<'_>,
        object: ObjectId,
        (at, layer, count): (usize, &Arc<Layer>, usize),
        solo: bool,
    ) {
        let open = self.open == Some((object, layer.id));
        let fill_colour = if open { ctx.colours.field.gamma_multiply(0.45) } else { egui::Color32::TRANSPARENT };
        let frame = Frame::new().fill(fill_colour).corner_radius(4).inner_margin(Margin::symmetric(4, 2));
        let shown = frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                grip(ui, ctx, (object, layer));
                let toggle = fill(if open { "layers.close" } else { "layers.open" }, &[("name", &layer.name)]);
                let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
                if IconButton::new(icon, &toggle).side(18.0).colour(ctx.colours.weak).show(ui).clicked() {
                    self.open = (!open).then_some((object, layer.id));
                }
                switches(ui, ctx, object, layer, solo);
                written(ui, ctx, object, layer);
                let (_, renamed) = {
                    let label = fill("layers.name", &[("name", &layer.name)]);
                    let layers = ctx.document.object(object).map(|object| &object.layers);
                    let is_taken = |name: &str| layers.is_some_and(|all| all.iter().any(|other| other.name == name));
                    name_field(ui, ctx, (&label, &layer.name, 116.0), is_taken)
                };
                if let Some(name) = renamed {
                    change(ctx, object, layer, "history.layer_rename", |layer| layer.name = name);
                }
                weight(ui, ctx, object, layer);
                let steps = [
                    (Icon::ChevronUp, "layers.up", Some(at + 1).filter(|to| *to < count)),
                    (Icon::ChevronDown, "layers.down", at.checked_sub(1)),
                ];
                for (icon, key, to) in steps {
                    ui.add_enabled_ui(to.is_some(), |ui| {
                        let name = fill(key, &[("name", &layer.name)]);
                        if IconButton::new(icon, &name).side(18.0).colour(ctx.colours.weak).show(ui).clicked()
                            && let Some(to) = to
                        {
                            let edit = BlendEdit::MoveLayer { object, layer: layer.id, to };
                            ctx.commands.apply("history.layer_move", edit.into());
                        }
                    });
                }
                let delete = fill("layers.delete", &[("name", &layer.name)]);
                if IconButton::new(Icon::Delete, &delete).side(18.0).colour(ctx.colours.weak).show(ui).clicked() {
                    let edit = BlendEdit::DeleteLayer { object, layer: layer.id };
                    ctx.commands.apply("history.layer_delete", edit.into());
                }
            });
            if open {
                details(ui, ctx, object, layer);
            }
            let report = ctx.frame.layers.iter().find(|report| (report.object, report.layer) == (object, layer.id));
            for (warns, line) in words::lines(ctx.document, object, layer, report) {
                let colour = if warns { ctx.colours.warn } else { ctx.colours.weak };
                ui.add(Label::new(RichText::new(line).color(colour)).wrap());
            }
        });
        drop_here(ui, ctx, &shown.response, (object, at));
    }
}

/// A layer on its way to another place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dragged(ObjectId, LayerId);

/// What a layer is drawn to another place by.
fn grip(ui: &mut Ui, ctx: &PanelContext<'_>, (object, layer): (ObjectId, &Layer)) {
    let (rect, response) = ui.allocate_exact_size(egui::Vec2::new(12.0, 18.0), Sense::drag());
    let name = fill("layers.grip", &[("name", &layer.name)]);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &*name));
    let dragged = response.dragged();
    let colour = if dragged || response.hovered() { ctx.colours.text } else { ctx.colours.weak };
    Icon::Grip.paint(ui.painter(), rect, 14.0, colour);
    if dragged {
        response.dnd_set_drag_payload(Dragged(object, layer.id));
    }
    response.on_hover_cursor(egui::CursorIcon::Grab).on_hover_text(name);
}

/// A layer that is dropped on another lies above it or below, as the line says.
fn drop_here(ui: &Ui, ctx: &PanelContext<'_>, row: &egui::Response, (object, at): (ObjectId, usize)) {
    let Some(dragged) = row.dnd_hover_payload::<Dragged>().filter(|dragged| dragged.0 == object) else { return };
    let Some(pointer) = ui.ctx().pointer_interact_pos() else { return };
    let above = pointer.y < row.rect.center().y;
    let Some(edit) = move_layer(ctx.document, object, dragged.1, at, above) else { return };
    let y = if above { row.rect.top() } else { row.rect.bottom() };
    ui.painter().hline(row.rect.x_range(), y, egui::Stroke::new(2.0, ctx.colours.accent));
    if row.dnd_release_payload::<Dragged>().is_some() {
        ctx.commands.apply("history.layer_move", edit);
    }
}

/// Whether drags and keys go to the layer's clip, and what makes them.
fn written(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, layer: &Layer) {
    let is_written = written_layer(ctx.document, object).is_some_and(|written| written.id == layer.id);
    let name = fill("layers.write", &[("name", &layer.name)]);
    let clip = match layer.plays {
        Plays::Clip(clip) => Some(clip),
        Plays::Space(_) => None,
    };
    ui.add_enabled_ui(clip.is_some(), |ui| {
        let colour = if is_written { ctx.colours.accent } else { ctx.colours.weak };
        let button = IconButton::new(Icon::Write, &name).side(18.0).selected(is_written).colour(colour);
        let hint = t("layers.write_hint");
        let response = button.hint(&hint).show(ui).on_disabled_hover_text(t("layers.write_space"));
        if response.clicked()
            && !is_written
            && let Some(clip) = clip
        {
            ctx.commands.apply("history.set_clip", work_on(object, clip));
        }
    });
}

/// Changes a layer as one step.
fn change(
    ctx: &PanelContext<'_>,
    object: ObjectId,
    layer: &Layer,
    label: &'static str,
    change: impl FnOnce(&mut Layer),
) {
    match change_layer(ctx.document, object, layer.id, change) {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => refuse(ctx, &error),
    }
}

fn switches(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, layer: &Layer, solo: bool) {
    let mute = fill(if layer.muted { "layers.unmute" } else { "layers.mute" }, &[("name", &layer.name)]);
    let icon = if layer.muted { Icon::EyeOff } else { Icon::Eye };
    // Muted, or left out because others play alone.
    let silent = layer.muted || (solo && !layer.solo);
    let colour = if silent { ctx.colours.weak.gamma_multiply(0.6) } else { ctx.colours.text };
    if IconButton::new(icon, &mute).side(18.0).colour(colour).show(ui).clicked() {
        change(ctx, object, layer, "history.layer_mute", |layer| layer.muted = !layer.muted);
    }
    let name = fill("layers.solo", &[("name", &layer.name)]);
    let button = ui.selectable_label(layer.solo, "S");
    crate::ui::widgets::set_name(ui, &button, &name);
    if button.on_hover_text(name).clicked() {
        change(ctx, object, layer, "history.layer_solo", |layer| layer.solo = !layer.solo);
    }
}

/// The weight: a channel of the document's clip, keyed by the button or as auto-key says.
fn weight(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, layer: &Layer) {
    let path = ChannelPath::layer(object, layer.id, Property::Weight);
    let clip = ctx.document.clip_of_target(path.target).and_then(|clip| ctx.document.clip(clip));
    let value = number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown);
    let value = value.unwrap_or(layer.weight);
    let name = fill("layers.weight", &[("name", &layer.name)]);
    let most = if layer.mode == LayerMode::Additive { 4.0 } else { 1.0 };
    let field = DragField::new(&name, value).decimals(2).speed(0.005).range(0.0, most).width(54.0).rests_at(1.0);
    let (response, edits) = field.show(ui);
    response.on_hover_text(&name);
    send(ctx, "history.layer_weight", edits, |value| {
        number_edit(ctx.session.base(), path, ctx.view.secs, value, ctx.view.auto_key)
    });
    let keyed = clip.is_some_and(|clip| clip.channels.contains_key(&path));
    let key = fill("inspector.key_number", &[("name", &name)]);
    let icon = if keyed { Icon::KeySet } else { Icon::Key };
    if IconButton::new(icon, &key).side(18.0).show(ui).clicked() {
        match key_number(ctx.document, path, &[(ctx.view.secs, value)]) {
            Ok(edit) => ctx.commands.apply("history.key_number", edit),
            Err(error) => refuse(ctx, &error),
        }
    }
}

fn details(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, layer: &Layer) {
    labelled(ui, &t("layers.plays"), |ui| {
        let name = fill("layers.plays_of", &[("name", &layer.name)]);
        let shown = ctx.document.played_name(layer.plays);
        let chooser = Chooser::new("plays", &name, shown).width(CHOICE_PT);
        if let (_, Some(plays)) = chooser.show(ui, Some(&layer.plays), || playable(ctx.document)) {
            let names = [layer.plays, plays].map(|plays| ctx.document.played_name(plays));
            match replay(ctx.document, object, layer.id, (plays, [&names[0], &names[1]])) {
                Ok(edit) => ctx.commands.apply("history.layer_plays", edit),
                Err(error) => refuse(ctx, &error),
            }
        }
    });
    labelled(ui, &t("layers.mode"), |ui| {
        let modes = [(LayerMode::Override, "layers.override"), (LayerMode::Additive, "layers.additive")];
        for (mode, key) in modes {
            let label = ui.selectable_label(layer.mode == mode, t(key));
            if label.on_hover_text(t(&format!("{key}_hint"))).clicked() && layer.mode != mode {
                change(ctx, object, layer, "history.layer_mode", |layer| layer.mode = mode);
            }
        }
    });
    if layer.mode == LayerMode::Override {
        labelled(ui, &t("layers.rotations"), |ui| {
            let ways = [(RotationBlend::Slerp, "layers.slerp"), (RotationBlend::Nlerp, "layers.nlerp")];
            for (how, key) in ways {
                let label = ui.selectable_label(layer.rotations == how, t(key));
                if label.on_hover_text(t(&format!("{key}_hint"))).clicked() && layer.rotations != how {
                    change(ctx, object, layer, "history.layer_rotations", |layer| layer.rotations = how);
                }
            }
        });
    }
    if layer.mode == LayerMode::Additive {
        additive(ui, ctx, layer.plays);
    }
    labelled(ui, &t("layers.mask"), |ui| {
        let name = fill("layers.mask_of", &[("name", &layer.name)]);
        let all = || t("layers.mask_all").into_owned();
        let shown =
            layer.mask.and_then(|mask| ctx.document.masks.get(&mask)).map_or_else(all, |mask| mask.name.clone());
        let rows = || {
            let masks = ctx.document.masks.iter().map(|(id, mask)| (Some(*id), mask.name.clone()));
            std::iter::once((None::<JointMaskId>, all())).chain(masks).collect()
        };
        if let (_, Some(mask)) = Chooser::new("mask", &name, shown).width(CHOICE_PT).show(ui, Some(&layer.mask), rows) {
            change(ctx, object, layer, "history.layer_mask", |layer| layer.mask = mask);
        }
    });
    labelled(ui, &t("layers.start"), |ui| {
        let rate = ctx.document.settings.rate;
        let name = fill("layers.start_of", &[("name", &layer.name)]);
        let field = DragField::new(&name, rate.frame_f64(layer.start))
            .decimals(1)
            .speed(0.2)
            .unit("fr")
            .width(64.0)
            .rests_at(0.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(t("layers.start_hint"));
        send(ctx, "history.layer_start", edits, |frames| {
            let start = (frames * rate.frame_secs()).clamp(-Layer::MOST_START, Layer::MOST_START);
            change_layer(ctx.session.base(), object, layer.id, |layer| layer.start = start)
        });
    });
}

/// What a clip is a difference from where it is added, and in whose axes: of the clip, wherever it is added; of a space, of all
/// its clips.
fn additive(ui: &mut Ui, ctx: &PanelContext<'_>, plays: Plays) {
    let Some(first) = clips_of(ctx.document, plays).first().and_then(|id| ctx.document.clip(*id)) else { return };
    let now = first.additive.unwrap_or_default();
    let set = |change: &dyn Fn(&mut Additive)| {
        ctx.commands.apply("history.clip_additive", change_additive(ctx.document, plays, change));
    };
    labelled(ui, &t("layers.reference"), |ui| {
        let frame = ctx.document.settings.rate.nearest_frame(ctx.view.secs);
        let shown = match now.reference {
            AdditiveReference::Rest => t("layers.reference_rest").into_owned(),
            AdditiveReference::Frame(frame) => fill("layers.reference_frame", &[("frame", &frame)]),
            AdditiveReference::Clip(other) => ctx.document.played_name(Plays::Clip(other)),
        };
        let rows = || {
            let fixed = [
                (AdditiveReference::Rest, t("layers.reference_rest").into_owned()),
                (AdditiveReference::Frame(frame), fill("layers.reference_frame", &[("frame", &frame)])),
            ];
            let clips = ctx.document.listed_clips().into_iter().filter(|other| Plays::Clip(*other) != plays);
            let clips =
                clips.map(|other| (AdditiveReference::Clip(other), ctx.document.played_name(Plays::Clip(other))));
            fixed.into_iter().chain(clips).collect()
        };
        let name = t("layers.reference_hint");
        let chooser = Chooser::new("reference", &name, shown).width(CHOICE_PT);
        if let (_, Some(reference)) = chooser.show(ui, Some(&now.reference), rows) {
            set(&|additive| additive.reference = reference);
        }
    });
    labelled(ui, &t("layers.space"), |ui| {
        let key = |space: AdditiveSpace| match space {
            AdditiveSpace::Parent => "layers.space_parent",
            AdditiveSpace::Bone => "layers.space_bone",
            AdditiveSpace::Mesh => "layers.space_mesh",
        };
        let combo = ComboBox::from_id_salt("space").width(CHOICE_PT).selected_text(t(key(now.space)));
        combo.show_ui(ui, |ui| {
            for space in AdditiveSpace::ALL {
                let row = ui.selectable_label(now.space == space, t(key(space)));
                // Of several clips the others may be added in other axes than the first.
                if row.on_hover_text(t(&format!("{}_hint", key(space)))).clicked() {
                    set(&|additive| additive.space = space);
                }
            }
        });
    });
}
