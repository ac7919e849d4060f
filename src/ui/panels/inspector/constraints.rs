//! The constraints of the selected object or joint: added, put in order, weighed, muted, switched, deleted.

use super::{NumberRow, folding, number_row};
use crate::{
    command::Command,
    edit::{
        ConstraintEdit, Edit, EditError,
        hold::{HoldKind, hold, switch_parent},
    },
    model::{ChannelPath, Constraint, ConstraintKind, Document, JointId, ObjectId, PinSpace, Property, Target, names},
    notice::Notice,
    text::{fill, t},
    ui::{icons::Icon, panel::PanelContext, widgets::IconButton},
};
use egui::Ui;
use std::sync::Arc;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let (object, joint) = match target {
        Target::Object(object) => (object, None),
        Target::Joint(object, joint) => (object, Some(joint)),
        _ => return,
    };
    let Some(found) = ctx.document.object(object) else { return };
    folding(ui, "constraint.title", |ui| {
        add(ui, ctx, (object, joint));
        let own = found.constraints.iter().enumerate();
        for (place, constraint) in own.filter(|(_, c)| c.joint == joint && c.as_follow().is_none()) {
            ui.push_id(constraint.id, |ui| row(ui, ctx, object, (place, constraint)));
        }
    });
}

/// What a new constraint looks at: the last selected besides the active one, else the world.
fn other(ctx: &PanelContext<'_>) -> PinSpace {
    let space = |target: &Target| match *target {
        Target::Object(object) => Some(PinSpace::Object(object)),
        Target::Joint(object, joint) => Some(PinSpace::Joint(object, joint)),
        _ => None,
    };
    let others = ctx.selection.targets.iter().filter(|target| Some(**target) != ctx.selection.active);
    others.filter_map(space).next_back().unwrap_or_default()
}

fn add(ui: &mut Ui, ctx: &PanelContext<'_>, of: (ObjectId, Option<JointId>)) {
    let source = other(ctx);
    let name = space_name(ctx.document, source);
    let menu = ui.menu_button(fill("constraint.add", &[("source", &name)]), |ui| {
        for kind in HoldKind::ALL {
            if ui.button(t(kind_title(kind)).into_owned()).clicked() {
                apply(ctx, "history.constraint_add", hold(ctx.document, ctx.frame, of, kind, source));
                ui.close();
            }
        }
    });
    menu.response.on_hover_text(t("constraint.add_hint").into_owned());
}

const fn kind_title(kind: HoldKind) -> &'static str {
    match kind {
        HoldKind::Point => "constraint.point",
        HoldKind::Orient => "constraint.orient",
        HoldKind::Parent => "constraint.parent",
        HoldKind::Aim => "constraint.aim",
        HoldKind::Copy => "constraint.copy",
        HoldKind::Limit => "constraint.limit",
    }
}

fn title(constraint: &Constraint) -> String {
    let kind = match &constraint.kind {
        ConstraintKind::Follow(_) => "follow.title",
        ConstraintKind::Point(_) => kind_title(HoldKind::Point),
        ConstraintKind::Orient(_) => kind_title(HoldKind::Orient),
        ConstraintKind::Parent(_) => kind_title(HoldKind::Parent),
        ConstraintKind::Aim(_) => kind_title(HoldKind::Aim),
        ConstraintKind::Copy(_) => kind_title(HoldKind::Copy),
        ConstraintKind::Limit(_) => kind_title(HoldKind::Limit),
    };
    if constraint.name.is_empty() { t(kind).into_owned() } else { constraint.name.clone() }
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, (place, constraint): (usize, &Arc<Constraint>)) {
    let spaces: Vec<String> = constraint.spaces().iter().map(|space| space_name(ctx.document, *space)).collect();
    let name = title(constraint);
    let id = constraint.id;
    ui.horizontal(|ui| {
        let text = fill("constraint.row", &[("kind", &name), ("source", &spaces.join(", "))]);
        let width = (ui.available_width() - 84.0).max(60.0);
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(&text).truncate()).on_hover_text(&text);
        });
        let button = |ui: &mut Ui, icon, key| {
            let label = fill(key, &[("name", &name)]);
            IconButton::new(icon, &label).colour(ctx.colours.weak).show(ui).clicked()
        };
        if place > 0 && ui.small_button("^").on_hover_text(fill("constraint.up", &[("name", &name)])).clicked() {
            let edit = ConstraintEdit::Move { object, constraint: id, to: place - 1 };
            ctx.commands.apply("history.constraint_move", edit.into());
        }
        let (icon, key) =
            if constraint.muted { (Icon::EyeOff, "constraint.unmute") } else { (Icon::Eye, "constraint.mute") };
        if button(ui, icon, key) {
            let set = Constraint { muted: !constraint.muted, ..(**constraint).clone() };
            let edit = ConstraintEdit::Set { object, constraint: Arc::new(set) };
            ctx.commands.apply("history.constraint_mute", edit.into());
        }
        if button(ui, Icon::Delete, "constraint.delete") {
            let edit = ConstraintEdit::Delete { object, constraint: id };
            ctx.commands.apply("history.constraint_delete", edit.into());
        }
    });
    let path = ChannelPath::constraint(object, id, Property::Influence);
    let influence = NumberRow {
        name: &t("pins.influence"),
        unit: "",
        range: (0.0, 1.0),
        speed: 0.005,
        history: "history.constraint_influence",
        resting: constraint.influence,
    };
    number_row(ui, ctx, path, &influence);
    if constraint.as_parent().is_some() {
        let source = other(ctx);
        let label = fill("constraint.switch", &[("source", &space_name(ctx.document, source))]);
        let button = ui.button(label).on_hover_text(t("constraint.switch_hint").into_owned());
        if button.clicked() {
            let settings = &ctx.document.settings;
            let start = settings.rate.secs(settings.play_range.first);
            let edit = switch_parent(ctx.document, ctx.frame, (object, id), source, start);
            apply(ctx, "history.constraint_switch", edit);
        }
    }
}

fn space_name(document: &Document, space: PinSpace) -> String {
    let object_name = |object| names::object_name(document, object).unwrap_or_default();
    match space {
        PinSpace::World => t("pins.in_world").into_owned(),
        PinSpace::Object(object) => object_name(object),
        PinSpace::Joint(object, joint) => {
            let rig = document.object(object).and_then(|object| object.as_rig());
            rig.and_then(|rig| names::joint_name(&rig.skeleton, joint)).unwrap_or_default()
        }
    }
}

/// Applies an edit, or says why not.
fn apply(ctx: &PanelContext<'_>, label: &'static str, edit: Result<Edit, EditError>) {
    match edit {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", &error)])))),
    }
}
