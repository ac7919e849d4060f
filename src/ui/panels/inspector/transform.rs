//! Translation, rotation and scale of what is selected, in its parent's space.

use super::{labelled, locks, send};
use crate::{
    edit::{Edit, EditError, pose, skeleton::Carry},
    eval::{
        Evaluator,
        sample::{self, Stage, place_angles, read_angles},
    },
    interact::tools::rest_write::rest_edit,
    math::{
        EulerOrder, Transform, Vec3,
        rotation::{from_euler, nearest_euler, to_euler},
    },
    model::{ChannelPath, Component, Document, Property, RotationMode, Target, Value},
    text::{fill, t},
    ui::{panel::PanelContext, rotation_form, theme::GRID_PT, widgets::DragField},
};
use egui::Ui;

/// What a target is at a time.
#[derive(Clone, Copy, Debug)]
struct Shown {
    local: Transform,
    order: EulerOrder,
    /// About X, Y, Z, radians.
    angles: [f64; 3],
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let is_tip = ctx.document.object(target.object()).and_then(|object| object.as_rig()).is_some_and(|rig| {
        target.joint().and_then(|joint| rig.skeleton.joint(joint)).is_some_and(crate::model::Joint::is_end)
    });
    let rest = Some(&ctx.view.rest).filter(|rest| rest.on && target.joint().is_some());
    if is_tip && rest.is_none() {
        ui.weak(t("inspector.tip").into_owned());
        return;
    }
    if rest.is_some() {
        ui.colored_label(ctx.colours.unkeyed, t("rest.title")).on_hover_text(t("rest.title_hint"));
    }
    let Some(shown) = now(ctx, ctx.document, target) else { return };
    let unit = ctx.document.settings.length_unit;
    let metres = unit.metres();
    let decimals = if metres >= 1.0 { 4 } else { 2 };
    let rests = at_rest(ctx, target);
    row(ui, ctx, target, Property::Translation, |axis, name| {
        let value = shown.local.translation[axis] / metres;
        let field = DragField::new(name, value).decimals(decimals).speed(0.002 / metres).unit(unit.symbol());
        field.rests_at(rests[axis] / metres)
    });
    row(ui, ctx, target, Property::Rotation, |axis, name| {
        DragField::new(name, shown.angles[axis].to_degrees()).decimals(2).speed(0.5).unit("°").rests_at(0.0)
    });
    if !is_tip {
        labelled(ui, &t("graph.rotation_form"), |ui| rotation_form::menu_button(ui, ctx, target));
    }
    row(ui, ctx, target, Property::Scale, |axis, name| {
        DragField::new(name, shown.local.scale[axis]).decimals(3).speed(0.005).rests_at(1.0)
    });
}

/// Where a joint lies under its parent before it is posed, metres; the origin for all else.
fn at_rest(ctx: &PanelContext<'_>, target: Target) -> Vec3 {
    let rig = ctx.document.object(target.object()).and_then(|object| object.as_rig());
    let joint = rig.zip(target.joint()).and_then(|(rig, joint)| rig.skeleton.joint(joint));
    joint.map_or_else(Vec3::zeros, |joint| joint.rest.translation)
}

/// Side of the button of a row's locks, points.
pub(super) const LOCK_PT: f32 = 16.0;

pub(super) const AXES: [&str; 3] = ["X", "Y", "Z"];

fn row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    target: Target,
    property: Property,
    field: impl for<'f> Fn(usize, &'f str) -> DragField<'f>,
) {
    let title = t(match property {
        Property::Translation => "inspector.translation",
        Property::Rotation => "inspector.rotation",
        Property::Scale => "inspector.scale",
        _ => "pins.influence",
    });
    let has_locks = matches!(target, Target::Joint(..)) && !ctx.view.rest.on;
    let locked = ctx.document.locks(target).filter(|_| has_locks).map(|locks| locks.of(property)).unwrap_or_default();
    labelled(ui, &title, |ui| {
        ui.spacing_mut().item_spacing.x = GRID_PT;
        let locks_width = if has_locks { LOCK_PT + GRID_PT } else { 0.0 };
        let width = ((ui.available_width() - 2.0 * GRID_PT - locks_width) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in AXES.iter().enumerate() {
            let name = fill("inspector.component", &[("property", &title), ("axis", letter)]);
            let shown = |ui: &mut Ui| field(axis, &name).width(width).show(ui);
            let (response, edits) = ui.add_enabled_ui(!locked[axis], shown).inner;
            let edge = response.rect.with_max_x(response.rect.left() + 3.0);
            ui.painter().rect_filled(edge, 1.0, ctx.colours.axes[axis]);
            response.on_hover_text(&name);
            send(ctx, "history.transform", edits, |value| edit(ctx, target, property, axis, value));
        }
        if has_locks {
            locks::button(ui, ctx, target, property, &title);
        }
    });
}

/// The edit that gives one number a value, on the document as it was when the gesture began.
fn edit(
    ctx: &PanelContext<'_>,
    target: Target,
    property: Property,
    axis: usize,
    value: f64,
) -> Result<Edit, EditError> {
    let (document, secs, auto_key) = (ctx.session.base(), ctx.view.secs, ctx.view.auto_key);
    let Some(mut shown) = now(ctx, document, target) else { return Ok(Edit::none()) };
    match property {
        Property::Translation => shown.local.translation[axis] = value * document.settings.length_unit.metres(),
        Property::Scale => shown.local.scale[axis] = value,
        Property::Rotation => {
            shown.angles[axis] = value.to_radians();
            shown.local.rotation = from_euler(shown.order, place_angles(shown.order, shown.angles));
        }
        _ => {}
    }
    match target {
        Target::Joint(object, joint) if ctx.view.rest.on => {
            let children = if property == Property::Translation { ctx.view.rest.children } else { Carry::Along };
            Ok(rest_edit(document, object, &[(joint, shown.local)], &ctx.view.rest, children))
        }
        Target::Object(object) => pose::transform_edit(document, object, secs, &shown.local, auto_key),
        Target::Joint(object, joint) => {
            let clip = document.clip_of(object);
            let correction = ctx.selection.correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id);
            let typed = pose::Typed { property, local: shown.local, auto_key, correction };
            pose::typed_edit(document, ctx.evaluator, (object, joint), secs, &typed)
        }
        Target::Pin(..)
        | Target::Point(..)
        | Target::Constraint(..)
        | Target::Morph(..)
        | Target::Pole(..)
        | Target::Deformer(..)
        | Target::Layer(..)
        | Target::Sample(..) => Ok(Edit::none()),
    }
}

/// What a target is now: a joint at rest where that is shown.
fn now(ctx: &PanelContext<'_>, document: &Document, target: Target) -> Option<Shown> {
    if !ctx.view.rest.on || target.joint().is_none() {
        return shown(document, ctx.evaluator, target, ctx.view.secs);
    }
    let (local, mode) = sample::rest_of(document, target)?;
    let order = if let RotationMode::Euler(order) = mode { order } else { EulerOrder::default() };
    Some(Shown { local, order, angles: read_angles(order, to_euler(order, &local.rotation)) })
}

/// What a target is at a time, with what pins and layers make of it: its Euler angles as its curves have them, turns and all.
fn shown(document: &Document, evaluator: &Evaluator, target: Target, secs: f64) -> Option<Shown> {
    let (_, mode) = sample::rest_of(document, target)?;
    let local = match target {
        Target::Object(object) => sample::object_local(document, object, secs, Stage::Shown)?,
        Target::Joint(object, joint) => sample::joint_local(document, object, joint, secs, Stage::Shown)?,
        Target::Pin(..)
        | Target::Point(..)
        | Target::Constraint(..)
        | Target::Morph(..)
        | Target::Pole(..)
        | Target::Deformer(..)
        | Target::Layer(..)
        | Target::Sample(..) => {
            return None;
        }
    };
    let local = pose::pinned_local(document, evaluator, target, secs).unwrap_or(local);
    let order = if let RotationMode::Euler(order) = mode { order } else { EulerOrder::default() };
    let decomposed = read_angles(order, to_euler(order, &local.rotation));
    let clip = document.clip_of(target.object());
    let angle = |axis: usize| {
        let path = ChannelPath { target, property: Property::Rotation, component: Component::AXES[axis] };
        match sample::channel_value(document, clip?, path, secs, Stage::Shown)? {
            Value::Scalar(angle) => Some(angle),
            Value::Rotation(_) => None,
        }
    };
    let own = match mode {
        RotationMode::Euler(_) => angle(0).zip(angle(1)).zip(angle(2)).map(|((x, y), z)| [x, y, z]),
        RotationMode::Quaternion => None,
    };
    // Pins, or layers, may make another pose of it than the clip's own.
    let own = own.map(|angles| {
        let placed = place_angles(order, angles);
        match from_euler(order, placed).angle_to(&local.rotation) > 1e-9 {
            true => read_angles(order, nearest_euler(order, &local.rotation, placed)),
            false => angles,
        }
    });
    Some(Shown { local, order, angles: own.unwrap_or(decomposed) })
}
