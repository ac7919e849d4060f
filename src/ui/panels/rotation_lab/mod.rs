//! The rotation lab: ways between orientations on a ball with their speeds, gimbal rings and how near they are to lock, a
//! cube whose matrix is interpolated, both ways to an orientation, and one rotation in every form.

mod both;
mod cube;
mod forms;
mod gimbal;
mod globe;
mod state;
mod traces;

use crate::{
    command::{Command, CommandId},
    eval::rotation_lab::ReadOut,
    interact::{rotation_lab::keep, view_state::ViewChange},
    math::EulerOrder,
    model::{
        Target,
        names::{joint_name, object_name},
    },
    notice::Notice,
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::{Panel, PanelContext},
        widgets::{DragField, FieldEdit, IconButton, chip, lab_section},
    },
};
use egui::Ui;
use state::{Shown, State};

/// From these widths on the lab stands in two and in three columns, points.
const TWO_COLUMNS_PT: f32 = 640.0;
const THREE_COLUMNS_PT: f32 = 1050.0;

/// The lab.
#[derive(Debug, Default)]
pub struct RotationLabPanel {
    state: State,
}

impl Panel for RotationLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let shown = self.state.shown(ctx);
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            head(ui, ctx, &mut self.state, &shown);
            let width = ui.available_width();
            let parts: &[&[Part]] = if width >= THREE_COLUMNS_PT {
                &[&[Part::Traces], &[Part::Rings, Part::Both], &[Part::Forms, Part::Cube]]
            } else if width >= TWO_COLUMNS_PT {
                &[&[Part::Traces, Part::Cube, Part::Both], &[Part::Forms, Part::Rings]]
            } else {
                &[&[Part::Traces, Part::Forms, Part::Rings, Part::Cube, Part::Both]]
            };
            if let [only] = parts {
                self.column(ui, ctx, &shown, only);
                return;
            }
            ui.columns(parts.len(), |columns| {
                for (ui, parts) in columns.iter_mut().zip(parts) {
                    self.column(ui, ctx, &shown, parts);
                }
            });
        });
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        if command == CommandId::KeepRotation {
            let shown = self.state.shown(ctx);
            keep_active(ctx, &mut self.state, &shown);
        }
    }
}

/// A part of the lab.
#[derive(Clone, Copy, Debug)]
enum Part {
    Traces,
    Rings,
    Cube,
    Both,
    Forms,
}

impl RotationLabPanel {
    fn column(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, shown: &Shown, parts: &[Part]) {
        for part in parts {
            self.part(ui, ctx, shown, *part);
        }
    }

    fn part(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, shown: &Shown, part: Part) {
        let state = &mut self.state;
        let active = shown.active();
        let mut wanted: Option<ReadOut> = None;
        match part {
            Part::Traces => lab_section(ui, "rotation_lab.ways", |ui| {
                let racers = state.racers(shown);
                traces::show(ui, ctx, state, &racers);
            }),
            Part::Rings => lab_section(ui, "rotation_lab.gimbal", |ui| wanted = gimbal::show(ui, ctx, state, &active)),
            Part::Forms => lab_section(ui, "rotation_lab.forms", |ui| wanted = forms::show(ui, ctx, state, &active)),
            Part::Cube | Part::Both => {
                let key = if matches!(part, Part::Cube) { "rotation_lab.cube" } else { "rotation_lab.both" };
                lab_section(ui, key, |ui| {
                    let Some((index, along)) = shown.pair(ctx.view.secs) else {
                        ui.add(egui::Label::new(egui::RichText::new(t("rotation_lab.needs_two")).weak()).wrap());
                        return;
                    };
                    let [from, to] = [index, index + 1].map(|at| *shown.drafts[at].read.rotation());
                    if matches!(part, Part::Cube) {
                        return cube::show(ui, ctx, state, (&from, &to), along);
                    }
                    if let Some(read) = both::show(ui, ctx, state, (index, &from, &to), along) {
                        state.change_at(shown, index + 1, read);
                    }
                });
            }
        }
        if let Some(read) = wanted.filter(|read| *read != active.read) {
            state.change(shown, read);
        }
    }
}

/// Whose rotations these are, which one is read out, and what can be done with it.
fn head(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown) {
    let rate = ctx.document.settings.rate;
    ui.horizontal_wrapped(|ui| {
        for (index, draft) in shown.drafts.iter().enumerate() {
            let name = traces::letter(index);
            let chosen = shown.chosen() == Some(index);
            let button = ui.selectable_label(chosen, &name).on_hover_text(t("rotation_lab.choose"));
            let label = fill("rotation_lab.orientation", &[("name", &name)]);
            crate::ui::widgets::set_name(ui, &button, &label);
            if button.clicked() {
                state.choose(index);
                ctx.commands.view(ViewChange::Time(draft.secs));
            }
        }
        let active = shown.active();
        let name = t("rotation_lab.frame");
        let frame = rate.frame_f64(active.secs);
        let field = DragField::new(&name, frame).decimals(2).speed(0.2).unit("fr").range(-1e6, 1e6).width(64.0);
        let (response, edits) = ui.add_enabled_ui(shown.chosen().is_some(), |ui| field.show(ui)).inner;
        response.on_hover_text(&*name);
        for edit in edits {
            if let FieldEdit::Change(frame) = edit {
                state.set_secs(shown, rate.secs(frame.round() as i64));
            }
        }
        let add = t("rotation_lab.add");
        if IconButton::new(Icon::Key, &add).hint(&t("rotation_lab.add_hint")).show(ui).clicked() {
            state.add(shown, ctx.view.secs);
        }
        let remove = t("rotation_lab.remove");
        let can = shown.chosen().is_some() && shown.drafts.len() > 1;
        if ui.add_enabled_ui(can, |ui| IconButton::new(Icon::Delete, &remove).show(ui)).inner.clicked() {
            state.remove(shown);
        }
        ui.separator();
        let keep = egui::Button::new(t("rotation_lab.keep").into_owned());
        let keep = ui.add_enabled(shown.target.is_some(), keep);
        let keep = keep.on_disabled_hover_text(t("rotation_lab.keep_none")).on_hover_text(t("rotation_lab.keep_hint"));
        if keep.clicked() {
            keep_active(ctx, state, shown);
        }
        if state.is_changed() {
            let key = if shown.target.is_some() { "rotation_lab.follow" } else { "rotation_lab.reset" };
            if ui.button(t(key).into_owned()).on_hover_text(t("rotation_lab.follow_hint")).clicked() {
                state.follow();
            }
            chip(ui, None, &t("rotation_lab.changed"), ctx.colours.unkeyed);
        }
        ui.weak(of_what(ctx, shown));
    });
}

fn of_what(ctx: &PanelContext<'_>, shown: &Shown) -> String {
    let Some(target) = shown.target else { return t("rotation_lab.own").into_owned() };
    let name = name_of(ctx, target);
    let key = if !shown.followed {
        "rotation_lab.kept_on"
    } else if shown.chosen().is_some() {
        "rotation_lab.of"
    } else {
        "rotation_lab.of_now"
    };
    fill(key, &[("name", &name), ("count", &shown.drafts.len())])
}

fn name_of(ctx: &PanelContext<'_>, target: Target) -> String {
    let joint = match target {
        Target::Joint(object, joint) => {
            let rig = ctx.document.object(object).and_then(|object| object.as_rig());
            rig.and_then(|rig| joint_name(&rig.skeleton, joint))
        }
        _ => None,
    };
    joint.or_else(|| object_name(ctx.document, target.object())).unwrap_or_default()
}

/// Keys what is read out on what is selected, as one step.
fn keep_active(ctx: &PanelContext<'_>, state: &mut State, shown: &Shown) {
    let Some(target) = shown.target else {
        ctx.commands.send(Command::Tell(Notice::warn(t("rotation_lab.keep_none"))));
        return;
    };
    let active = shown.active();
    let rotation = active.read.rotation();
    match keep(ctx.document, ctx.evaluator, ctx.selection, target, active.secs, rotation) {
        Ok(edit) => {
            ctx.commands.apply("history.rotation_lab", edit);
            ctx.commands.view(ViewChange::Time(active.secs));
            state.follow();
        }
        Err(error) => ctx.commands.send(Command::Tell(Notice::warn(fill("edit.refused", &[("error", &error)])))),
    }
}

/// An order's letters.
fn order_name(order: EulerOrder) -> String {
    order.axes().map(|axis| ["X", "Y", "Z"][axis]).concat()
}

/// A menu of the six orders.
fn order_menu(ui: &mut Ui, order: &mut EulerOrder) {
    let title = fill("rotation_lab.order", &[("order", &order_name(*order))]);
    ui.menu_button(title, |ui| {
        for other in EulerOrder::ALL {
            if ui.selectable_label(other == *order, order_name(other)).clicked() {
                *order = other;
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(t("rotation_lab.order_hint").into_owned());
}
