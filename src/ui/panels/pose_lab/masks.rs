//! One clip laid over another on an arm alone: through a hard mask and through a feathered one.

use crate::{
    eval::{
        blend::{
            pose::{RotationBlend, lay_over},
            pose_lab::steepest,
        },
        clips::Motion,
        size::skeleton_size,
    },
    math::Transform,
    model::{Clip, ClipId, JointId, ObjectId, Rig, joint_mask::feathered},
    style::RIVALS,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        subject,
        theme::colour,
        widgets::{
            Chooser,
            drag_field::number_text,
            set_name,
            stick::{Eye, figure, places},
        },
    },
};
use egui::{Label, RichText, Sense, Ui, Vec2};
use std::sync::Arc;

/// The weights of the joints above the masked one, nearest first.
const STEPS: [f64; 3] = [0.9, 0.5, 0.2];

/// Two clips made ready.
struct Ready {
    of: (ObjectId, Arc<Rig>, [Arc<Clip>; 2]),
    motions: [Motion; 2],
}

/// What is chosen.
pub(super) struct Masks {
    below: Option<ClipId>,
    over: Option<ClipId>,
    joint: Option<JointId>,
    seen: [f64; 2],
    ready: Option<Ready>,
}

impl Default for Masks {
    fn default() -> Self {
        Self { below: None, over: None, joint: None, seen: [0.5, 0.1], ready: None }
    }
}

impl std::fmt::Debug for Masks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Masks").field("below", &self.below).field("over", &self.over).finish_non_exhaustive()
    }
}

impl Masks {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let rig = subject::object(ctx.document, ctx.selection)
            .and_then(|id| Some((id, ctx.document.object(id)?.as_rig()?.clone())));
        let Some((object, rig)) = rig else {
            ui.add(Label::new(RichText::new(t("clips.no_character")).weak()).wrap());
            return;
        };
        let clips: Vec<(ClipId, Arc<Clip>)> = ctx
            .document
            .listed_clips()
            .into_iter()
            .filter_map(|id| Some((id, ctx.document.clip(id).filter(|clip| clip.moves(object))?.clone())))
            .collect();
        let named =
            |word: &str| clips.iter().find(|(_, clip)| clip.name.to_lowercase().contains(word)).map(|(id, _)| *id);
        let known = |id: Option<ClipId>| id.filter(|id| clips.iter().any(|(other, _)| other == id));
        let below = known(self.below).or_else(|| named("run")).or_else(|| clips.first().map(|(id, _)| *id));
        let over = known(self.over).or_else(|| named("wave")).or_else(|| clips.last().map(|(id, _)| *id));
        let (Some(below), Some(over)) = (below, over) else {
            ui.add(Label::new(RichText::new(t("transition_lab.no_clips")).weak()).wrap());
            return;
        };
        let joint = self.choose(ui, &clips, [below, over], &rig);
        let Some(root) = joint else { return };
        let find = |id: ClipId| clips.iter().find(|(other, _)| *other == id).map(|(_, clip)| clip.clone());
        let (Some(first), Some(second)) = (find(below), find(over)) else { return };
        let same = self.ready.as_ref().is_some_and(|ready| {
            let (of, own, [a, b]) = &ready.of;
            *of == object && Arc::ptr_eq(own, &rig) && Arc::ptr_eq(a, &first) && Arc::ptr_eq(b, &second)
        });
        if !same {
            let motion = |id| Motion::new(ctx.document, object, id);
            let Some((a, b)) = motion(below).zip(motion(over)) else { return };
            self.ready = Some(Ready { of: (object, rig.clone(), [first, second]), motions: [a, b] });
        }
        let Some(ready) = &self.ready else { return };
        let poses = ready.motions.each_ref().map(|motion| {
            let rate = ctx.document.settings.rate;
            let since = ctx.view.secs - rate.secs(ctx.document.settings.play_range.first);
            let (start, period) = (rate.secs(motion.clip().range.first), motion.secs());
            motion.pose(start + if period > 0.0 { since.rem_euclid(period) } else { 0.0 })
        });
        pictures(ui, ctx, &rig, root, &poses, &mut self.seen);
    }

    /// Which clips, and the joint at the top of the mask.
    fn choose(
        &mut self,
        ui: &mut Ui,
        clips: &[(ClipId, Arc<Clip>)],
        [below, over]: [ClipId; 2],
        rig: &Rig,
    ) -> Option<usize> {
        let joints = rig.skeleton.joints();
        let of_name =
            |word: &str| joints.iter().find(|joint| joint.name.to_lowercase().replace(['_', ' '], "").contains(word));
        let known = self.joint.filter(|joint| rig.skeleton.joint(*joint).is_some());
        let usual = || of_name("upperarm.r").or_else(|| of_name("upperarm")).or_else(|| of_name("arm"));
        let now = known.or_else(|| usual().or_else(|| joints.first()).map(|joint| joint.id))?;
        ui.horizontal_wrapped(|ui| {
            for (key, own, chosen) in
                [("pose_lab.below", &mut self.below, below), ("pose_lab.over", &mut self.over, over)]
            {
                let name = t(key);
                ui.weak(&*name);
                let shown = clips.iter().find(|(id, _)| *id == chosen).map_or("", |(_, clip)| clip.name.as_str());
                let rows = || clips.iter().map(|(id, clip)| (*id, clip.name.clone())).collect();
                let chooser = Chooser::new(key, &name, shown.to_owned()).width(84.0);
                if let (_, Some(other)) = chooser.show(ui, Some(&chosen), rows) {
                    *own = Some(other);
                }
            }
            let name = t("pose_lab.from_joint");
            ui.weak(&*name);
            let shown = rig.skeleton.joint(now).map_or("", |joint| joint.name.as_str());
            let rows =
                || joints.iter().filter(|joint| !joint.is_end()).map(|joint| (joint.id, joint.name.clone())).collect();
            let chooser = Chooser::new("mask joint", &name, shown.to_owned()).width(96.0);
            if let (_, Some(joint)) = chooser.show(ui, Some(&now), rows) {
                self.joint = Some(joint);
            }
        });
        rig.skeleton.index_of(now)
    }
}

/// Both masks side by side.
fn pictures(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    rig: &Rig,
    root: usize,
    [below, over]: &[Vec<Transform>; 2],
    seen: &mut [f64; 2],
) {
    let skeleton = &rig.skeleton;
    let size = skeleton_size(skeleton).max(1e-3);
    let gap = ui.spacing().item_spacing.x;
    let side = ((ui.available_width() - gap) / 2.0 - 1.0).clamp(80.0, 260.0);
    ui.horizontal(|ui| {
        for (index, (key, steps)) in
            [("pose_lab.hard", &STEPS[..0]), ("pose_lab.feathered", &STEPS[..])].into_iter().enumerate()
        {
            let weights = feathered(skeleton, root, steps);
            let mut pose = below.clone();
            lay_over(&mut pose, over, 1.0, Some(&weights), RotationBlend::Slerp);
            ui.vertical(|ui| {
                ui.set_width(side);
                let (rect, response) = ui.allocate_exact_size(Vec2::new(side, side), Sense::drag());
                set_name(ui, &response, &t(key));
                Eye::turn(seen, &response);
                let painter = ui.painter_at(rect);
                painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
                let shown = places(skeleton, &pose);
                let mut centre = shown.first().copied().unwrap_or_default();
                centre.y = 0.5 * size;
                let eye = Eye { seen: *seen, centre, height: 1.3 * size };
                figure(&painter, rect, &eye, skeleton, &shown, colour(RIVALS[index]));
                ui.add(Label::new(RichText::new(t(key)).color(colour(RIVALS[index]))).wrap());
                if let Some((joint, step)) = steepest(skeleton.parents(), &weights) {
                    let name = skeleton.joints().get(joint).map_or("", |joint| joint.name.as_str());
                    let text = fill("pose_lab.step", &[("step", &number_text(step, 2)), ("joint", &name)]);
                    let colour = if step > 0.75 { ctx.colours.warn } else { ctx.colours.weak };
                    ui.add(Label::new(RichText::new(text).color(colour)).wrap());
                }
            });
        }
    });
}
