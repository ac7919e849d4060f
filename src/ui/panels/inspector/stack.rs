//! The deformer stack of a mesh: put in order, weighed, masked, switched off.

use super::{NumberRow, folding, labelled, number_row};
use crate::{
    command::{Act, CommandId},
    edit::{DeformEdit, Selection},
    eval::deform::influence_path,
    model::{DeformerKind, Mask, Mesh, ObjectId, Parent, StackEntry, Target},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, IconButton, set_name},
    },
};
use egui::{ComboBox, Sense, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh) {
    folding(ui, "deform.stack", |ui| {
        ui.horizontal_wrapped(|ui| {
            let menu = ui.menu_button(t("deform.add"), |ui| {
                for id in new_ones() {
                    if ui.button(t(id.spec().title)).on_hover_text(hint_of(id)).clicked() {
                        ctx.commands.run(id);
                        ui.close();
                    }
                }
            });
            menu.response.on_hover_text(t("deform.add_hint"));
            there(ui, ctx, object, mesh);
        });
        for (place, entry) in mesh.stack.iter().enumerate() {
            ui.push_id(entry.id, |ui| row(ui, ctx, object, mesh, (place, entry)));
        }
        if mesh.stack.is_empty() {
            ui.weak(t("deform.none"));
        }
    });
}

/// What can be made for a mesh: a lattice, and every kind of deformer that has a command.
fn new_ones() -> impl Iterator<Item = CommandId> {
    std::iter::once(CommandId::AddLattice)
        .chain(DeformerKind::ALL.into_iter().filter_map(|kind| Act::Deformer(kind).command()))
}

/// A menu of lattices and deformers that are there and do not act on the mesh yet.
fn there(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh) {
    let free = ctx
        .document
        .objects
        .iter()
        .filter(|(id, found)| found.deforms() && mesh.stack.iter().all(|entry| entry.by != **id));
    let free: Vec<_> = free.collect();
    if free.is_empty() {
        return;
    }
    ui.menu_button(t("deform.use"), |ui| {
        for (id, found) in free {
            if ui.button(&found.name).clicked() {
                let entry = StackEntry::new(mesh.fresh_deformer_id(), *id);
                ctx.commands.apply("history.stack_add", DeformEdit::AddEntry { object, entry }.into());
                ui.close();
            }
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, mesh: &Mesh, (place, entry): (usize, &StackEntry)) {
    let by = ctx.document.object(entry.by);
    let name = by.map_or_else(String::new, |by| by.name.clone());
    let is_lattice = by.is_some_and(|by| by.as_lattice().is_some());
    let set = |label: &'static str, entry: StackEntry| {
        ctx.commands.apply(label, DeformEdit::SetEntry { object, entry }.into());
    };
    ui.separator();
    let dragged = ui.horizontal(|ui| {
        let pick = fill("deform.pick", &[("name", &name)]);
        let icon = if is_lattice { Icon::Lattice } else { Icon::Deformer };
        if IconButton::new(icon, &pick).show(ui).clicked() {
            ctx.commands.select(Selection::single(Target::Object(entry.by)));
        }
        let width = (ui.available_width() - 92.0).max(40.0);
        let label = egui::Label::new(&name).truncate().sense(Sense::drag());
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let shown = ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(label).on_hover_text(t("deform.drag_hint")).on_hover_cursor(egui::CursorIcon::Grab)
        });
        buttons(ui, ctx, object, mesh, (place, entry, &name));
        shown.inner
    });
    reorder(ui, ctx, object, (place, entry), &dragged.inner, dragged.response.rect);
    let influence = NumberRow {
        name: &t("pins.influence"),
        unit: "",
        range: (0.0, 1.0),
        speed: 0.005,
        history: "history.stack_influence",
        resting: entry.influence,
    };
    number_row(ui, ctx, influence_path(object, entry), &influence);
    if mesh.skin.is_some() {
        let mut before = entry.before_skin;
        if ui.checkbox(&mut before, t("deform.before_skin")).on_hover_text(t("deform.before_skin_hint")).changed() {
            set("history.stack_before", StackEntry { before_skin: before, ..*entry });
        }
    }
    reach(ui, ctx, object, entry);
    masks(ui, ctx, (object, mesh), entry, &|mask| set("history.stack_mask", StackEntry { mask, ..*entry }));
}

fn buttons(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    object: ObjectId,
    mesh: &Mesh,
    (place, entry, name): (usize, &StackEntry, &str),
) {
    let small = |ui: &mut Ui, icon: Icon, key: &str, on: bool| {
        let label = fill(key, &[("name", &name)]);
        let button = |ui: &mut Ui| IconButton::new(icon, &label).colour(ctx.colours.weak).side(18.0).show(ui).clicked();
        ui.add_enabled_ui(on, button).inner
    };
    let moved = |to: usize| {
        let edit = DeformEdit::MoveEntry { object, entry: entry.id, to };
        ctx.commands.apply("history.stack_move", edit.into());
    };
    if small(ui, Icon::ChevronUp, "constraint.up", place > 0) {
        moved(place.saturating_sub(1));
    }
    if small(ui, Icon::ChevronDown, "constraint.down", place + 1 < mesh.stack.len()) {
        moved(place + 1);
    }
    let (icon, key) = if entry.muted { (Icon::EyeOff, "deform.unmute") } else { (Icon::Eye, "deform.mute") };
    if small(ui, icon, key, true) {
        let entry = StackEntry { muted: !entry.muted, ..*entry };
        ctx.commands.apply("history.stack_mute", DeformEdit::SetEntry { object, entry }.into());
    }
    if small(ui, Icon::Delete, "deform.delete", true) {
        let edit = DeformEdit::DeleteEntry { object, entry: entry.id };
        ctx.commands.apply("history.stack_delete", edit.into());
    }
}

/// A row dragged by its name comes to where it is let go: past the middle of another row.
fn reorder(
    ui: &Ui,
    ctx: &PanelContext<'_>,
    object: ObjectId,
    (place, entry): (usize, &StackEntry),
    dragged: &egui::Response,
    rect: egui::Rect,
) {
    let key = egui::Id::unique(("deformer stack rows", object));
    // Where the rows are, as far as they have been shown in this frame.
    let frame = ui.ctx().cumulative_frame_nr();
    let mut rows: (u64, Vec<f32>) = ui.data(|data| data.get_temp(key)).unwrap_or_default();
    if rows.0 != frame && place == 0 {
        let before = rows.1.clone();
        ui.data_mut(|data| data.insert_temp(key.with("before"), before));
        rows = (frame, Vec::new());
    }
    rows.1.truncate(place);
    rows.1.push(rect.center().y);
    ui.data_mut(|data| data.insert_temp(key, rows));
    if dragged.dragged()
        && let Some(at) = dragged.interact_pointer_pos()
    {
        let stroke = egui::Stroke::new(2.0, ctx.colours.accent);
        ui.painter().hline(rect.x_range(), at.y, stroke);
    }
    if dragged.drag_stopped()
        && !ui.input(|input| input.key_pressed(egui::Key::Escape))
        && let Some(at) = dragged.interact_pointer_pos()
    {
        let middles: Vec<f32> = ui.data(|data| data.get_temp(key.with("before"))).unwrap_or_default();
        let others = middles.iter().enumerate().filter(|(other, _)| *other != place);
        let to = others.filter(|(_, middle)| **middle < at.y).count();
        if to != place {
            let edit = DeformEdit::MoveEntry { object, entry: entry.id, to };
            ctx.commands.apply("history.stack_move", edit.into());
        }
    }
}

/// How far from its origin it acts.
fn reach(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, entry: &StackEntry) {
    let unit = ctx.document.settings.length_unit;
    let name = t("deform.reach");
    labelled(ui, &name, |ui| {
        let field = DragField::new(&name, entry.reach / unit.metres()).unit(unit.symbol()).range(0.0, f64::INFINITY);
        let (response, edits) = field.speed(0.01).decimals(3).show(ui);
        response.on_hover_text(t("deform.reach_hint"));
        super::send(ctx, "history.stack_reach", edits, |value| {
            let entry = StackEntry { reach: (value * unit.metres()).max(0.0), ..*entry };
            Ok(DeformEdit::SetEntry { object, entry }.into())
        });
    });
}

/// Which vertices it acts on.
fn masks(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    (object, mesh): (ObjectId, &Mesh),
    entry: &StackEntry,
    set: &dyn Fn(Option<Mask>),
) {
    let joint_name = |joint: Parent| {
        let object = ctx.document.object(joint.object());
        let own = match joint {
            Parent::Joint(_, id) => object.and_then(|o| Some(o.as_rig()?.skeleton.joint(id)?.name.clone())),
            Parent::Object(_) => object.map(|object| object.name.clone()),
        };
        own.unwrap_or_else(|| t("deform.gone").into_owned())
    };
    let title = |mask: Option<Mask>| match mask {
        None => t("deform.all_vertices").into_owned(),
        Some(Mask::Joint(joint)) => fill("deform.mask_joint", &[("joint", &joint_name(joint))]),
        Some(Mask::Painted(id)) => {
            mesh.mask(id).map_or_else(|| t("deform.gone").into_owned(), |mask| mask.name.clone())
        }
        Some(Mask::Part(part)) => fill("deform.mask_part", &[("part", &(part + 1))]),
    };
    let parts = if mesh.parts.len() > 1 { u32::try_from(mesh.parts.len()).unwrap_or(0) } else { 0 };
    let joints = mesh.skin.iter().flat_map(|skin| &skin.joints).map(|joint| Mask::Joint(joint.joint));
    let painted = mesh.masks.iter().map(|mask| Some(Mask::Painted(mask.id)));
    let all: Vec<Option<Mask>> = [None]
        .into_iter()
        .chain((0..parts).map(|part| Some(Mask::Part(part))))
        .chain(painted)
        .chain(joints.map(Some))
        .collect();
    labelled(ui, &t("deform.mask"), |ui| {
        let paint = fill("deform.paint", &[("name", &ctx.document.object(entry.by).map_or("", |by| &by.name))]);
        if IconButton::new(Icon::Brush, &paint).side(18.0).show(ui).clicked() {
            ctx.commands.select(Selection::single(Target::Deformer(object, entry.id)));
            ctx.commands.run(CommandId::ToolMask);
        }
        let combo = ComboBox::from_id_salt("mask").width(150.0).selected_text(title(entry.mask));
        let response = combo.show_ui(ui, |ui| {
            for mask in all {
                if ui.selectable_label(mask == entry.mask, title(mask)).clicked() && mask != entry.mask {
                    set(mask);
                }
            }
        });
        set_name(ui, &response.response, &t("deform.mask"));
    });
}
