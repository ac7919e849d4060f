//! The constraints and IK chains of the selected object or joint: added, put in order, weighed, muted, changed, deleted.

mod chain;
mod details;
mod spaces;

use super::{folding, influence_row, labelled, send};
use crate::{
    command::{Command, CommandId},
    edit::{
        ConstraintEdit, Edit, EditError, Selection,
        follow::follow_path,
        hold::{HoldKind, hold},
    },
    model::{
        ChainPath, Constraint, ConstraintId, ConstraintKind, Document, JointId, Object, ObjectId, PinSpace, Target,
        names,
    },
    notice::Notice,
    text::{fill, t},
    ui::{icons::Icon, panel::PanelContext, shell::hint_of, widgets::IconButton},
};
use egui::Ui;
use spaces::space_name;
use std::sync::Arc;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let (object, joint, chosen) = match target {
        Target::Object(object) => (object, None, None),
        Target::Joint(object, joint) => (object, Some(joint), None),
        Target::Constraint(object, id) | Target::Pole(object, id) => {
            let joint = ctx.document.object(object).and_then(|found| found.constraint(id)?.joint);
            (object, joint, Some(id))
        }
        _ => return,
    };
    let Some(found) = ctx.document.object(object) else { return };
    folding(ui, "constraint.title", |ui| {
        add(ui, ctx, (object, joint));
        let own = found.constraints.iter().enumerate();
        for (place, constraint) in own.filter(|(_, it)| concerns(found, it, joint)) {
            ui.push_id(constraint.id, |ui| row(ui, ctx, object, (place, constraint), chosen));
        }
        baking(ui, ctx, found);
    });
}

/// Whether a constraint is shown with a joint (none: with the object itself): a chain with all joints that it turns.
fn concerns(object: &Object, constraint: &Constraint, joint: Option<JointId>) -> bool {
    let in_chain = || {
        let (chain, skeleton) = (constraint.as_chain()?, &object.as_rig()?.skeleton);
        let (path, index) = (ChainPath::new(skeleton, chain.base, constraint.joint?)?, skeleton.index_of(joint?)?);
        Some(path.turns(index) || path.base() == index)
    };
    constraint.joint == joint || in_chain().unwrap_or(false)
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
    ui.horizontal_wrapped(|ui| {
        let menu = ui.menu_button(fill("constraint.add", &[("source", &name)]), |ui| {
            for kind in HoldKind::ALL {
                if ui.button(t(kind_title(kind)).into_owned()).clicked() {
                    apply(ctx, "history.constraint_add", hold(ctx.document, ctx.frame, of, kind, source));
                    ui.close();
                }
            }
            path(ui, ctx, of, source);
        });
        menu.response.on_hover_text(t("constraint.add_hint").into_owned());
        if of.1.is_some() {
            command(ui, ctx, CommandId::MakeChain);
        }
    });
}

/// The path among the kinds: the one selected, else the first there is. Joints cannot follow one.
fn path(ui: &mut Ui, ctx: &PanelContext<'_>, (object, joint): (ObjectId, Option<JointId>), source: PinSpace) {
    let is_path = |id: &ObjectId| *id != object && ctx.document.object(*id).is_some_and(|it| it.as_path().is_some());
    let path = source.object().filter(is_path).or_else(|| ctx.document.objects.keys().copied().find(is_path));
    let why = match (joint, path) {
        (Some(_), _) => "constraint.path_of_joint",
        (None, None) => "constraint.no_path",
        _ => "constraint.path_hint",
    };
    let path = path.filter(|_| joint.is_none());
    let named = path.and_then(|path| names::object_name(ctx.document, path));
    let text =
        named.map_or_else(|| t("follow.title").into_owned(), |name| fill("constraint.path_to", &[("name", &name)]));
    let button = ui.add_enabled(path.is_some(), egui::Button::new(text));
    let button = button.on_hover_text(t(why)).on_disabled_hover_text(t(why));
    if button.clicked()
        && let Some(path) = path
    {
        apply(ctx, "history.follow_path", follow_path(ctx.document, &[object], path));
        ui.close();
    }
}

/// A button that runs a command.
fn command(ui: &mut Ui, ctx: &PanelContext<'_>, id: CommandId) {
    if ui.button(t(id.spec().title).into_owned()).on_hover_text(hint_of(id)).clicked() {
        ctx.commands.run(id);
    }
}

fn baking(ui: &mut Ui, ctx: &PanelContext<'_>, object: &Object) {
    if object.constraints.iter().any(|constraint| !constraint.muted) {
        command(ui, ctx, CommandId::BakeConstraints);
    }
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

/// What a constraint is called.
pub(in crate::ui::panels) fn title(constraint: &Constraint) -> String {
    let kind = match &constraint.kind {
        ConstraintKind::Follow(_) => "follow.title",
        ConstraintKind::Point(_) => kind_title(HoldKind::Point),
        ConstraintKind::Orient(_) => kind_title(HoldKind::Orient),
        ConstraintKind::Parent(_) => kind_title(HoldKind::Parent),
        ConstraintKind::Aim(_) => kind_title(HoldKind::Aim),
        ConstraintKind::Copy(_) => kind_title(HoldKind::Copy),
        ConstraintKind::Limit(_) => kind_title(HoldKind::Limit),
        ConstraintKind::Chain(_) => "chains.title",
    };
    if constraint.name.is_empty() { t(kind).into_owned() } else { constraint.name.clone() }
}

/// What a constraint is about: for a chain the joints between which it is, else what it looks at.
fn about(document: &Document, object: ObjectId, constraint: &Constraint) -> String {
    let joint = |joint| spaces::joint_name(document, object, joint);
    match (constraint.as_chain(), constraint.joint) {
        (Some(chain), Some(end)) => fill("chains.between", &[("base", &joint(chain.base)), ("end", &joint(end))]),
        _ => {
            let names: Vec<String> = constraint.spaces().iter().map(|space| space_name(document, *space)).collect();
            names.join(", ")
        }
    }
}

/// What a constraint is called beside other things: what it holds, its kind and what it looks at; with a number where
/// another of the object is called the same.
pub(in crate::ui::panels) fn full_name(document: &Document, id: ObjectId, constraint: &Constraint) -> String {
    let Some(object) = document.object(id) else { return id.to_string() };
    let called = |constraint: &Constraint| {
        let joint = constraint.joint.map(|joint| spaces::joint_name(document, id, joint));
        let of = joint.unwrap_or_else(|| names::object_name(document, id).unwrap_or_default());
        let source = about(document, id, constraint);
        fill("constraint.of", &[("of", &of), ("kind", &title(constraint)), ("source", &source)])
    };
    let name = called(constraint);
    let before = object.constraints.iter().take_while(|other| other.id != constraint.id);
    match before.filter(|other| called(other) == name).count() {
        0 => name,
        count => format!("{name} #{}", count + 1),
    }
}

fn row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    object: ObjectId,
    (place, constraint): (usize, &Arc<Constraint>),
    chosen: Option<ConstraintId>,
) {
    let (name, id) = (title(constraint), constraint.id);
    let chosen = chosen == Some(id);
    ui.separator();
    ui.horizontal(|ui| {
        let pick = fill("constraint.pick", &[("name", &name)]);
        let icon = if constraint.as_chain().is_some() { Icon::DragLimb } else { Icon::Joint };
        if IconButton::new(icon, &pick).selected(chosen).show(ui).clicked() {
            ctx.commands.select(Selection::single(Target::Constraint(object, id)));
        }
        let text = fill("constraint.row", &[("kind", &name), ("source", &about(ctx.document, object, constraint))]);
        let width = (ui.available_width() - 116.0).max(40.0);
        let size = egui::vec2(width, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(&text).truncate()).on_hover_text(&text);
        });
        order_buttons(ui, ctx, object, (place, id), &name);
        let button = |ui: &mut Ui, icon, key| {
            let label = fill(key, &[("name", &name)]);
            IconButton::new(icon, &label).colour(ctx.colours.weak).show(ui).clicked()
        };
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
    if constraint.as_follow().is_some() {
        // Its numbers stand with the path.
        return;
    }
    let is_chain = constraint.as_chain().is_some();
    let influence_name = if is_chain { t("chains.blend") } else { t("pins.influence") };
    influence_row(ui, ctx, (object, id), &influence_name, constraint.influence);
    if is_chain {
        chain::show(ui, ctx, crate::edit::chains::ChainOf { object, constraint: id }, chosen);
    } else {
        details::show(ui, ctx, object, constraint);
    }
}

fn order_buttons(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    object: ObjectId,
    (place, id): (usize, ConstraintId),
    name: &str,
) {
    let last = ctx.document.object(object).map_or(0, |object| object.constraints.len().saturating_sub(1));
    let button = |ui: &mut Ui, icon: Icon, key: &str, to: Option<usize>| {
        let label = fill(key, &[("name", &name)]);
        let clicked =
            |ui: &mut Ui| IconButton::new(icon, &label).colour(ctx.colours.weak).side(18.0).show(ui).clicked();
        if ui.add_enabled_ui(to.is_some(), clicked).inner
            && let Some(to) = to
        {
            let edit = ConstraintEdit::Move { object, constraint: id, to };
            ctx.commands.apply("history.constraint_move", edit.into());
        }
    };
    if last > 0 {
        button(ui, Icon::ChevronUp, "constraint.up", place.checked_sub(1));
        button(ui, Icon::ChevronDown, "constraint.down", Some(place + 1).filter(|to| *to <= last));
    }
}

/// Applies an edit, or says why not.
fn apply(ctx: &PanelContext<'_>, label: &'static str, edit: Result<Edit, EditError>) {
    match edit {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", &error)])))),
    }
}
