//! The inspector: the numbers of what is selected, and what is said about posing it.

mod bone;
mod camera;
mod chain;
mod clips;
mod constraints;
mod continuity;
mod corrections;
mod deformer;
mod detail;
mod document;
mod drivers;
mod follow;
mod lattice;
mod light;
mod limbs;
mod limits;
mod locks;
mod mesh;
mod path;
mod pins;
mod references;
mod retimes;
mod rig;
mod sets;
mod stack;
mod transform;
mod weights;

use crate::{
    edit::{
        Edit, EditError, Gesture,
        numbers::{key_number, number_edit},
    },
    eval::sample::{Stage, number},
    model::{ChannelPath, ConstraintId, Document, ObjectId, Property, Target},
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::{Panel, PanelContext},
        subject,
        widgets::{DragField, FieldEdit, IconButton},
    },
};
pub(in crate::ui::panels) use constraints::full_name as constraint_name;
use egui::Ui;

/// The inspector.
#[derive(Debug, Default)]
pub struct InspectorPanel;

impl Panel for InspectorPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if let Some(target) = ctx.selection.active {
                heading(ui, ctx, target);
                transform::show(ui, ctx, target);
                detail::show(ui, ctx, target);
                constraints::show(ui, ctx, target);
                drivers::show(ui, ctx, target);
                bone::show(ui, ctx, target);
                limits::show(ui, ctx, target);
                chain::show(ui, ctx, target);
                path::show(ui, ctx, target);
                camera::show(ui, ctx, target);
                light::show(ui, ctx, target);
                lattice::show(ui, ctx, target);
                deformer::show(ui, ctx, target);
                mesh::show(ui, ctx, target);
                follow::show(ui, ctx, target);
            } else {
                ui.weak(t("inspector.nothing").into_owned());
            }
            if let Some(object) = subject::object(ctx.document, ctx.selection) {
                rig::show(ui, ctx, object);
                limbs::show(ui, ctx, object);
                sets::show(ui, ctx, object);
                clips::show(ui, ctx, object);
            }
            continuity::show(ui, ctx);
            pins::show(ui, ctx);
            corrections::show(ui, ctx);
            retimes::show(ui, ctx);
            references::show(ui, ctx);
            document::show(ui, ctx);
        });
    }
}

fn heading(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    ui.horizontal(|ui| {
        ui.heading(name_of(ctx.document, target));
        let others = ctx.selection.targets.len().saturating_sub(1);
        if others > 0 {
            ui.weak(fill("inspector.others", &[("count", &others)]));
        }
    });
}

/// The name of a target.
fn name_of(document: &Document, target: Target) -> String {
    let Some(object) = document.object(target.object()) else { return String::new() };
    if let Target::Point(_, id) = target {
        return subject::point_name(object, id);
    }
    if let Target::Deformer(_, entry) = target {
        return subject::entry_name(document, object, entry);
    }
    if let Some(name) = subject::chain_part_name(document, target) {
        return name;
    }
    if let Target::Constraint(_, id) = target
        && let Some(constraint) = object.constraint(id)
    {
        return fill("constraint.row", &[("kind", &constraints::title(constraint)), ("source", &object.name)]);
    }
    let joint = target.joint().and_then(|joint| object.as_rig()?.skeleton.joint(joint));
    joint.map_or_else(|| object.name.clone(), |joint| joint.name.clone())
}

/// Sends what was done to a field as a gesture; `edit` makes the change from the value wanted, on the document as it was at
/// the beginning.
pub(in crate::ui::panels) fn send(
    ctx: &PanelContext<'_>,
    label: &'static str,
    edits: Vec<FieldEdit>,
    edit: impl Fn(f64) -> Result<Edit, EditError>,
) {
    for step in edits {
        let gesture = match step {
            FieldEdit::Begin => Gesture::Begin { label },
            FieldEdit::Commit => Gesture::Commit,
            FieldEdit::Cancel => Gesture::Cancel,
            FieldEdit::Change(value) => match edit(value) {
                Ok(edit) => Gesture::Update(edit),
                Err(error) => {
                    let notice = Notice::warn(fill("edit.refused", &[("error", &error)]));
                    ctx.commands.send(crate::command::Command::Tell(notice));
                    continue;
                }
            },
        };
        ctx.commands.gesture(gesture);
    }
}

/// A row of a channel that is one number: the field, and a button that keys it.
pub(in crate::ui::panels) fn number_row(ui: &mut Ui, ctx: &PanelContext<'_>, path: ChannelPath, row: &NumberRow<'_>) {
    let object = path.target.object();
    let clip = ctx.document.clip_of(object).and_then(|clip| ctx.document.clip(clip));
    let value = number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, Stage::Shown);
    let value = value.unwrap_or(row.resting);
    labelled(ui, row.name, |ui| {
        let field = DragField::new(row.name, value).unit(row.unit).range(row.range.0, row.range.1);
        let (response, edits) = field.speed(row.speed).decimals(3).show(ui);
        response.on_hover_text(row.name);
        send(ctx, row.history, edits, |value| {
            number_edit(ctx.session.base(), path, ctx.view.secs, value, ctx.view.auto_key)
        });
        let key = fill("inspector.key_number", &[("name", &row.name)]);
        if IconButton::new(Icon::Key, &key).show(ui).clicked()
            && let Ok(edit) = key_number(ctx.document, path, &[(ctx.view.secs, value)])
        {
            ctx.commands.apply("history.key_number", edit);
        }
    });
}

/// How a row of one number looks.
pub(in crate::ui::panels) struct NumberRow<'a> {
    pub(in crate::ui::panels) name: &'a str,
    pub(in crate::ui::panels) unit: &'a str,
    pub(in crate::ui::panels) range: (f64, f64),
    pub(in crate::ui::panels) speed: f64,
    pub(in crate::ui::panels) history: &'static str,
    /// The value where nothing says another.
    pub(in crate::ui::panels) resting: f64,
}

/// The row of how much a constraint acts: one way for all kinds.
fn influence_row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    (object, constraint): (ObjectId, ConstraintId),
    name: &str,
    resting: f64,
) {
    let history = "history.constraint_influence";
    let row = NumberRow { name, unit: "", range: (0.0, 1.0), speed: 0.005, history, resting };
    number_row(ui, ctx, ChannelPath::constraint(object, constraint, Property::Influence), &row);
}

/// A row of a name and a text that only tells.
fn told(ui: &mut Ui, name: &str, text: &str) {
    labelled(ui, name, |ui| ui.add(egui::Label::new(text).truncate()).on_hover_text(text));
}

/// A row of a name and what stands beside it.
pub(in crate::ui::panels) fn labelled<R>(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let size = egui::vec2(84.0, ui.spacing().interact_size.y);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(egui::Label::new(egui::RichText::new(name).color(ui.visuals().weak_text_color())).truncate());
        });
        // What has no name of its own has that of the row.
        ui.name_inputs(name, contents)
    })
    .inner
}

/// A section that folds, open at first.
fn folding(ui: &mut Ui, key: &str, contents: impl FnOnce(&mut Ui)) {
    ui.add_space(6.0);
    egui::CollapsingHeader::new(t(key).into_owned()).id_salt(key).default_open(true).show_unindented(ui, contents);
}
