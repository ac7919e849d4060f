//! Bringing motion to a character: both figures side by side, which joint stands for which, and what came of it.

mod figures;
mod report;

use crate::{
    command::{Command, CommandId},
    eval::retarget::{How, JointMap, Options, Plan, ReferencePose, ScaleBy, Source},
    interact::{
        retarget::{RetargetDesk, RetargetWish},
        view_state::ViewChange,
    },
    model::{ClipId, Document, ObjectId, Rig, names},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        subject,
        widgets::{Chooser, section},
    },
};
use egui::{Button, ComboBox, RichText, ScrollArea, Ui};
use std::sync::Arc;

/// Width of a figure's name or a joint's, points.
const NAME_PT: f32 = 84.0;
/// Width of a menu of choices, points.
const CHOICE_PT: f32 = 110.0;
/// Height of the list of joints where there is more below it, points.
const LIST_PT: f32 = 260.0;

/// What a plan was made of.
#[derive(Clone)]
struct Made {
    source: Arc<Source>,
    rig: Arc<Rig>,
    object: ObjectId,
    options: Options,
    plan: Result<Arc<Plan>, String>,
}

/// The panel.
#[derive(Default)]
pub struct RetargetPanel {
    options: Options,
    /// The map as changed by hand; none as found.
    map: Option<JointMap>,
    made: Option<Made>,
}

impl std::fmt::Debug for RetargetPanel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RetargetPanel").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Panel for RetargetPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let target = subject::object(ctx.document, ctx.selection)
            .and_then(|id| Some((id, ctx.document.object(id)?.as_rig()?.clone())));
        let Some((object, rig)) = target else {
            ui.weak(t("retarget.no_target").into_owned());
            return;
        };
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            // What is longer than the panel is wide must wrap, not widen it.
            ui.set_max_width(ui.available_width());
            self.head(ui, ctx, object);
            let Some(source) = ctx.view.retarget.source.clone() else {
                ui.add(egui::Label::new(RichText::new(t("retarget.no_source")).weak()).wrap());
                return;
            };
            self.options(ui);
            let plan = match self.plan(ctx.document, &source, (object, &rig)) {
                Ok(plan) => plan,
                Err(error) => {
                    ui.colored_label(ctx.colours.warn, error);
                    return;
                }
            };
            self.button(ui, ctx, &source, object, &plan);
            figures::show(ui, ctx, &source, &plan);
            self.joints(ui, ctx, &plan);
            if let Some((of, result)) = &ctx.view.retarget.result
                && *of == object
            {
                report::show(ui, ctx, &rig.skeleton, result);
            }
        });
    }
}

impl RetargetPanel {
    /// Whose motion for whom.
    fn head(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        let name = names::object_name(ctx.document, object).unwrap_or_default();
        ui.horizontal_wrapped(|ui| {
            ui.label(fill("retarget.onto", &[("name", &name)]));
            let shown = ctx
                .view
                .retarget
                .source
                .as_ref()
                .map_or_else(|| t("retarget.choose").into_owned(), |source| source_name(source));
            let combo = ComboBox::from_id_salt("retarget_source").width(NAME_PT * 1.4).selected_text(shown);
            combo
                .show_ui(ui, |ui| {
                    for (from, clip, name) in motions(ctx.document, object) {
                        if ui.selectable_label(false, &name).clicked()
                            && let Ok(source) = Source::new(ctx.document, from, clip)
                        {
                            let desk = RetargetDesk { source: Some(Arc::new(source)), result: None };
                            ctx.commands.view(ViewChange::Retarget(desk));
                            self.map = None;
                        }
                    }
                    if ui.selectable_label(false, t("retarget.file")).clicked() {
                        ctx.commands.run(CommandId::ImportOnto);
                    }
                })
                .response
                .on_hover_text(t("retarget.source_hint"));
        });
    }

    fn options(&mut self, ui: &mut Ui) {
        let before = self.options;
        let options = &mut self.options;
        egui::Grid::new("retarget_options").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            let poses = [
                ("retarget.source_pose", &mut options.source_reference),
                ("retarget.target_pose", &mut options.target_reference),
            ];
            for (key, pose) in poses {
                ui.label(t(key));
                let combo = ComboBox::from_id_salt(key).width(CHOICE_PT).selected_text(t(pose_name(*pose)));
                combo.show_ui(ui, |ui| {
                    for choice in ReferencePose::ALL {
                        ui.selectable_value(pose, choice, t(pose_name(choice)));
                    }
                });
                ui.end_row();
            }
            ui.label(t("retarget.scale"));
            let combo = ComboBox::from_id_salt("retarget_scale").width(CHOICE_PT);
            combo.selected_text(t(scale_name(options.scale))).show_ui(ui, |ui| {
                for choice in ScaleBy::ALL {
                    ui.selectable_value(&mut options.scale, choice, t(scale_name(choice)));
                }
            });
            ui.end_row();
        });
        ui.horizontal_wrapped(|ui| {
            ui.checkbox(&mut options.align, t("retarget.align")).on_hover_text(t("retarget.align_hint"));
            ui.checkbox(&mut options.lock_feet, t("retarget.lock")).on_hover_text(t("retarget.lock_hint"));
        });
        if before != self.options {
            self.made = None;
        }
    }

    /// The plan for these two, worked out when something has changed.
    fn plan(
        &mut self,
        document: &Document,
        source: &Arc<Source>,
        (object, rig): (ObjectId, &Arc<Rig>),
    ) -> Result<Arc<Plan>, String> {
        if let Some(made) = &self.made
            && Arc::ptr_eq(&made.source, source)
            && Arc::ptr_eq(&made.rig, rig)
            && made.object == object
            && made.options == self.options
        {
            return made.plan.clone();
        }
        let same = |made: &Made| Arc::ptr_eq(&made.source, source) && Arc::ptr_eq(&made.rig, rig);
        if !self.made.as_ref().is_none_or(same) {
            // The map by hand was of other figures.
            self.map = None;
        }
        let plan = Plan::new(source, (document, object), self.map.as_ref(), &self.options);
        let plan = plan.map(Arc::new).map_err(|error| error.to_string());
        let (source, rig, options) = (Arc::clone(source), Arc::clone(rig), self.options);
        self.made = Some(Made { source, rig, object, options, plan: plan.clone() });
        plan
    }

    fn button(&self, ui: &mut Ui, ctx: &PanelContext<'_>, source: &Arc<Source>, target: ObjectId, plan: &Plan) {
        ui.horizontal_wrapped(|ui| {
            let any = !plan.map.is_empty();
            let button = ui.add_enabled(any, Button::new(t("retarget.run")));
            if button.on_hover_text(t("retarget.run_hint")).on_disabled_hover_text(t("retarget.nothing")).clicked() {
                let wish =
                    RetargetWish { source: Arc::clone(source), target, map: plan.map.clone(), options: self.options };
                ctx.commands.send(Command::Retarget(Box::new(wish)));
            }
            if any {
                ui.weak(fill(
                    "retarget.way",
                    &[
                        ("scale", &format!("{:.3}", plan.scale)),
                        ("turn", &format!("{:.0}", plan.aligned.most.to_degrees())),
                    ],
                ));
            } else {
                ui.colored_label(ctx.colours.warn, t("retarget.nothing"));
            }
        });
    }

    /// The target's joints and what stands for each.
    fn joints(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, plan: &Plan) {
        let (own, other) = (plan.target.skeleton().joints(), plan.source.skeleton().joints());
        let rows: Vec<usize> = (0..own.len()).filter(|joint| !own[*joint].is_end()).collect();
        let mapped = rows.iter().filter(|joint| plan.map.of(**joint).is_some()).count();
        section(ui, &fill("retarget.joints", &[("mapped", &mapped), ("all", &rows.len())]));
        if self.map.is_some() && ui.button(t("retarget.find_again")).clicked() {
            (self.map, self.made) = (None, None);
        }
        let mut change = None;
        ui.push_id("retarget_joints", |ui| {
            let height = ui.spacing().interact_size.y;
            ScrollArea::vertical().max_height(LIST_PT).auto_shrink([false, true]).show_rows(
                ui,
                height,
                rows.len(),
                |ui, seen| {
                    for joint in rows.get(seen).unwrap_or_default() {
                        let mapping = plan.map.of(*joint);
                        ui.horizontal(|ui| {
                            let name = RichText::new(&own[*joint].name);
                            let name = if mapping.is_some() { name } else { name.color(ctx.colours.warn) };
                            ui.add_sized([NAME_PT, height], egui::Label::new(name).truncate());
                            let of = |at: usize| other.get(at).map_or("", |joint| joint.name.as_str());
                            let shown =
                                mapping.map_or_else(|| t("retarget.rests").into_owned(), |m| of(m.source).to_owned());
                            let label = fill("retarget.joint_of", &[("name", &own[*joint].name)]);
                            let rows = || {
                                let ours = other.iter().enumerate().filter(|(_, joint)| !joint.is_end());
                                let ours = ours.map(|(at, joint)| (Some(at), joint.name.clone()));
                                std::iter::once((None, t("retarget.rests").into_owned())).chain(ours).collect()
                            };
                            let now = mapping.map(|mapping| mapping.source);
                            let chooser = Chooser::new(&label, &label, shown).width(NAME_PT);
                            if let (_, Some(source)) = chooser.show(ui, Some(&now), rows) {
                                change = Some((*joint, source));
                            }
                            match mapping {
                                Some(mapping) => {
                                    let how = t(how_name(mapping.how)).into_owned();
                                    let share = mapping.share.map(|share| {
                                        let part = format!("{:.0}", share.part * 100.0);
                                        fill("retarget.share", &[("part", &part), ("name", &of(share.with))])
                                    });
                                    let text = share.map_or_else(|| how.clone(), |share| format!("{how} · {share}"));
                                    // Nothing may be wider than the panel: what comes after would be as wide.
                                    ui.add(egui::Label::new(RichText::new(text).weak()).truncate());
                                }
                                None => {
                                    let text = RichText::new(t("retarget.unmapped")).color(ctx.colours.warn);
                                    ui.add(egui::Label::new(text).truncate());
                                }
                            }
                        });
                    }
                },
            );
        });
        if let Some((joint, source)) = change {
            let mut map = plan.map.clone();
            map.set(joint, source);
            (self.map, self.made) = (Some(map), None);
        }
    }
}

fn source_name(source: &Source) -> String {
    if source.name() == source.clip().name {
        source.name().to_owned()
    } else {
        format!("{}: {}", source.name(), source.clip().name)
    }
}

/// The clips that move other rigs.
fn motions(document: &Document, target: ObjectId) -> Vec<(ObjectId, ClipId, String)> {
    let others = document.rigs().filter(|(id, ..)| *id != target);
    let of = |(id, ..): (ObjectId, &Arc<crate::model::Object>, &Arc<Rig>)| {
        let own = names::object_name(document, id).unwrap_or_default();
        let clips = document.clips.iter().filter(move |(_, clip)| clip.moves(id));
        clips.map(move |(clip, found)| (id, *clip, format!("{own}: {}", found.name))).collect::<Vec<_>>()
    };
    others.flat_map(of).collect()
}

const fn pose_name(pose: ReferencePose) -> &'static str {
    match pose {
        ReferencePose::Found => "retarget.pose_found",
        ReferencePose::Rest => "retarget.pose_rest",
        ReferencePose::FirstFrame => "retarget.pose_first",
    }
}

const fn scale_name(scale: ScaleBy) -> &'static str {
    match scale {
        ScaleBy::Legs => "retarget.scale_legs",
        ScaleBy::Height => "retarget.scale_height",
        ScaleBy::Nothing => "retarget.scale_none",
    }
}

const fn how_name(how: How) -> &'static str {
    match how {
        How::Role => "retarget.how_role",
        How::Name => "retarget.how_name",
        How::Hierarchy => "retarget.how_hierarchy",
        How::Position => "retarget.how_position",
        How::Hand => "retarget.how_hand",
    }
}
