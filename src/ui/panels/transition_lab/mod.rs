//! The transition lab: one clip left for another by crossfade and by inertialization, side by side, with what jumps at the
//! switch and what it costs.

mod measured;
mod plots;

use crate::{
    command::{Command, CommandId},
    eval::{blend::transition::Transition, clips::switching::SwitchPlan},
    interact::clip_work::ClipWork,
    math::{
        decay::DecayStart,
        easing::{Ease, EaseFamily, EaseMode},
    },
    model::{ClipId, EaseShape, Interpolation, JointId, ObjectId},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        panels::graph::interpolation_name,
        subject,
        widgets::{Chooser, DragField, FieldEdit, lab_section},
    },
};
use egui::{ComboBox, Label, RichText, ScrollArea, Ui};
use measured::{Measured, Of};

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;

/// The lab.
#[derive(Debug)]
pub struct TransitionLabPanel {
    from: Option<ClipId>,
    to: Option<ClipId>,
    /// When it is switched and where the other is entered, seconds after their first frames.
    at: f64,
    entry: f64,
    /// How long it takes, seconds.
    secs: f64,
    /// The ease of the crossfade; none for linear.
    ease: Option<Interpolation>,
    mode: EaseMode,
    frozen: bool,
    start: DecayStart,
    joint: Option<(ObjectId, JointId)>,
    /// The axis of the plots.
    axis: usize,
    seen: [f64; 2],
    measured: Option<Measured>,
}

impl Default for TransitionLabPanel {
    fn default() -> Self {
        Self {
            from: None,
            to: None,
            at: 0.6,
            entry: 0.0,
            secs: 0.4,
            ease: Some(Interpolation::Smoothstep),
            mode: EaseMode::InOut,
            frozen: false,
            start: DecayStart::Smooth,
            joint: None,
            axis: 1,
            seen: [-0.9, 0.15],
            measured: None,
        }
    }
}

impl Panel for TransitionLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let object = subject::object(ctx.document, ctx.selection)
            .filter(|id| ctx.document.object(*id).is_some_and(|object| object.as_rig().is_some()));
        let Some(object) = object else {
            ui.add(Label::new(RichText::new(t("clips.no_character")).weak()).wrap());
            return;
        };
        ScrollArea::vertical().id_salt("transition lab").auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(ui.available_width());
            let clips = moving(ctx, object);
            let chosen = |wanted: Option<ClipId>, other: usize| {
                let known = wanted.filter(|wanted| clips.iter().any(|(id, _)| id == wanted));
                known.or_else(|| clips.get(other.min(clips.len().saturating_sub(1))).map(|(id, _)| *id))
            };
            let (Some(from), Some(to)) = (chosen(self.from, 1), chosen(self.to, 2)) else {
                ui.add(Label::new(RichText::new(t("transition_lab.no_clips")).weak()).wrap());
                if ui.button(t("clips.import")).clicked() {
                    ctx.commands.run(CommandId::ImportClips);
                }
                return;
            };
            self.choice(ui, &clips, [from, to]);
            self.times(ui);
            self.ways(ui);
            self.joint(ui, ctx, object);
            let plan = SwitchPlan { object, from, to, at: self.at, entry: self.entry, how: self.fade() };
            let of = Of::new(ctx, plan, self.inertial(), self.joint.map(|(_, joint)| joint));
            if self.measured.as_ref().is_none_or(|known| !known.is_of(&of)) {
                self.measured = Measured::new(ctx.document, of);
            }
            self.show(ui, ctx, plan);
        });
    }
}

impl TransitionLabPanel {
    fn fade(&self) -> Transition {
        let linear = Ease { family: EaseFamily::Power(1.0), mode: EaseMode::In };
        let shape = EaseShape { mode: self.mode, ..EaseShape::default() };
        let ease = self.ease.and_then(|ease| shape.ease(ease)).unwrap_or(linear);
        Transition::Crossfade { secs: self.secs, ease, frozen: self.frozen }
    }

    const fn inertial(&self) -> Transition {
        Transition::Inertial { secs: self.secs, start: self.start }
    }

    fn choice(&mut self, ui: &mut Ui, clips: &[(ClipId, String)], [from, to]: [ClipId; 2]) {
        ui.horizontal_wrapped(|ui| {
            for (key, own, chosen) in
                [("transition_lab.from", &mut self.from, from), ("transition_lab.to", &mut self.to, to)]
            {
                let name = t(key);
                ui.label(&*name);
                let shown = clips.iter().find(|(id, _)| *id == chosen).map_or("", |(_, name)| name.as_str());
                let chooser = Chooser::new(key, &name, shown.to_owned()).width(104.0);
                if let (_, Some(other)) = chooser.show(ui, Some(&chosen), || clips.to_vec()) {
                    *own = Some(other);
                }
            }
        });
    }

    fn times(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let rows = [
                ("transition_lab.at", &mut self.at, (0.0, 60.0)),
                ("transition_lab.entry", &mut self.entry, (0.0, 60.0)),
                ("transition_lab.secs", &mut self.secs, (0.0, 5.0)),
            ];
            for (key, value, (low, high)) in rows {
                let name = t(key);
                ui.label(&*name);
                let field =
                    DragField::new(&name, *value).unit("s").decimals(2).speed(0.01).range(low, high).width(64.0);
                let (response, edits) = field.show(ui);
                response.on_hover_text(t(&format!("{key}_hint")));
                for edit in edits {
                    if let FieldEdit::Change(wanted) = edit
                        && wanted.is_finite()
                    {
                        *value = wanted;
                    }
                }
            }
        });
    }

    /// How each of the two goes about it.
    fn ways(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            ui.label(t("transition_lab.fade"));
            let name = |ease: Option<Interpolation>| {
                ease.map_or_else(|| t("transition_lab.linear").into_owned(), interpolation_name)
            };
            let combo = ComboBox::from_id_salt("ease").width(104.0).selected_text(name(self.ease));
            let shape = EaseShape::default();
            let eases = Interpolation::ALL.into_iter().filter(|ease| shape.ease(*ease).is_some()).map(Some);
            let answer = combo.show_ui(ui, |ui| {
                for ease in std::iter::once(None).chain(eases) {
                    ui.selectable_value(&mut self.ease, ease, name(ease));
                }
            });
            crate::ui::widgets::set_name(ui, &answer.response, &t("transition_lab.ease"));
            ui.checkbox(&mut self.frozen, t("transition_lab.frozen")).on_hover_text(t("transition_lab.frozen_hint"));
        });
        ui.horizontal_wrapped(|ui| {
            ui.label(t("transition_lab.inertial"));
            let rows = [
                (DecayStart::Smooth, "transition_lab.start_smooth"),
                (DecayStart::Bollo, "transition_lab.start_bollo"),
            ];
            for (start, key) in rows {
                let label = ui.selectable_label(self.start == start, t(key));
                if label.on_hover_text(t(&format!("{key}_hint"))).clicked() {
                    self.start = start;
                }
            }
        });
    }

    /// The joint of the plots, and the axis.
    fn joint(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
        let picked = ctx
            .selection
            .active
            .and_then(|target| target.joint())
            .filter(|_| ctx.selection.active.is_some_and(|target| target.object() == object));
        let known = self.joint.filter(|(of, joint)| *of == object && rig.skeleton.joint(*joint).is_some());
        let hand = || rig.skeleton.joints().iter().find(|joint| joint.name.to_lowercase().contains("hand"));
        let first = || hand().or_else(|| rig.skeleton.joints().first()).map(|joint| joint.id);
        let now = known.map(|(_, joint)| joint).or(picked).or_else(first);
        self.joint = now.map(|joint| (object, joint));
        ui.horizontal_wrapped(|ui| {
            let name = t("transition_lab.joint");
            ui.label(&*name);
            let shown = now.and_then(|joint| rig.skeleton.joint(joint)).map_or("", |joint| joint.name.as_str());
            let rows = || {
                let joints = rig.skeleton.joints().iter().filter(|joint| !joint.is_end());
                joints.map(|joint| (joint.id, joint.name.clone())).collect()
            };
            let chooser = Chooser::new("joint", &name, shown.to_owned()).width(104.0);
            if let (_, Some(joint)) = chooser.show(ui, now.as_ref(), rows) {
                self.joint = Some((object, joint));
            }
            for (axis, name) in ["X", "Y", "Z"].into_iter().enumerate() {
                let label = ui.selectable_label(self.axis == axis, name);
                if label.on_hover_text(fill("transition_lab.axis", &[("axis", &name)])).clicked() {
                    self.axis = axis;
                }
            }
        });
    }

    fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, plan: SwitchPlan) {
        let Some(measured) = &self.measured else {
            ui.colored_label(ctx.colours.warn, t("transition_lab.not_possible"));
            return;
        };
        let (axis, seen) = (self.axis, &mut self.seen);
        let inertial = Transition::Inertial { secs: self.secs, start: self.start };
        let bakes = [("transition_lab.fade", plan.how), ("transition_lab.inertial", inertial)];
        let mut pointed = None;
        let time = measured.time_of(ctx);
        if ui.available_width() < TWO_COLUMNS_PT {
            lab_section(ui, "transition_lab.figures", |ui| plots::figures(ui, ctx, measured, seen, time));
            lab_section(ui, "transition_lab.numbers", |ui| plots::numbers(ui, ctx, measured, time));
            lab_section(ui, "transition_lab.plots", |ui| pointed = plots::plots(ui, ctx, measured, axis, time));
        } else {
            ui.columns(2, |columns| {
                let [left, right] = columns else { return };
                lab_section(left, "transition_lab.figures", |ui| plots::figures(ui, ctx, measured, seen, time));
                lab_section(left, "transition_lab.numbers", |ui| plots::numbers(ui, ctx, measured, time));
                lab_section(right, "transition_lab.plots", |ui| {
                    pointed = plots::plots(ui, ctx, measured, axis, time);
                });
            });
        }
        if let Some(secs) = pointed {
            ctx.commands.send(Command::Hint(fill("transition_lab.pointed", &[("secs", &format!("{secs:.2}"))]).into()));
        }
        ui.horizontal_wrapped(|ui| {
            for (key, how) in bakes {
                let name = t(key);
                let bake = ui.button(fill("transition_lab.bake", &[("way", &name)]));
                if bake.on_hover_text(t("transition_lab.bake_hint")).clicked() {
                    let clip = |id| ctx.document.clip(id).map_or("", |clip| clip.name.as_str());
                    let parts: [(&str, &dyn std::fmt::Display); 3] =
                        [("from", &clip(plan.from)), ("to", &clip(plan.to)), ("way", &name)];
                    let called = fill("transition_lab.bake_name", &parts);
                    let work = ClipWork::Switch(SwitchPlan { how, ..plan }, called);
                    ctx.commands.send(Command::Clips(Box::new(work)));
                }
            }
        });
    }
}

/// The clips that move a rig, in order.
fn moving(ctx: &PanelContext<'_>, object: ObjectId) -> Vec<(ClipId, String)> {
    let listed = ctx.document.listed_clips().into_iter();
    let found = listed.filter_map(|id| Some((id, ctx.document.clip(id).filter(|clip| clip.moves(object))?)));
    found.map(|(id, clip)| (id, clip.name.clone())).collect()
}
