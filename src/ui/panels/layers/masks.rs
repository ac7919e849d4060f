//! Masks: made from what is selected, feathered up the hierarchy, their joints weighed in a list or painted in the view.

use crate::{
    edit::{
        BlendEdit,
        blend::{change_mask, forget_unknown, free_mask_name, weigh},
    },
    interact::{
        brush_prefs::BrushPrefs,
        view_state::{ToolId, ViewChange},
    },
    model::{JointMask, JointMaskId, ObjectId, Rig, joint_mask::feathered, names::joint_names},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::{
            clips::refuse,
            inspector::{labelled, send},
        },
        widgets::{Chooser, DragField, FieldEdit, IconButton, section},
    },
};
use egui::{Button, Label, RichText, ScrollArea, Ui};
use std::sync::Arc;

/// Height of the list of joints, points.
const LIST_PT: f32 = 240.0;

/// The masks as the panel shows them.
#[derive(Debug)]
pub(super) struct Masks {
    chosen: Option<JointMaskId>,
    /// The weights of the joints above a feathered one, nearest first.
    steps: [f64; 3],
}

impl Default for Masks {
    fn default() -> Self {
        Self { chosen: None, steps: [0.9, 0.5, 0.2] }
    }
}

impl Masks {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()).cloned() else { return };
        section(ui, &t("masks.title"));
        self.make(ui, ctx, object, &rig);
        let masks = &ctx.document.masks;
        if masks.is_empty() {
            ui.add(Label::new(RichText::new(t("masks.empty")).weak()).wrap());
            return;
        }
        // One that was just made is there from the next frame on.
        let chosen = self.chosen.filter(|id| masks.contains_key(id)).or_else(|| masks.keys().next().copied());
        let Some((id, mask)) = chosen.and_then(|id| Some((id, masks.get(&id)?.clone()))) else { return };
        ui.horizontal_wrapped(|ui| {
            let name = t("masks.choose");
            let rows = || masks.iter().map(|(id, mask)| (*id, mask.name.clone())).collect();
            let chooser = Chooser::new("masks", &name, mask.name.clone()).width(110.0);
            if let (_, Some(other)) = chooser.show(ui, Some(&id), rows) {
                self.chosen = Some(other);
            }
            let (_, renamed) = {
                let is_taken = |name: &str| masks.values().any(|other| other.name == name);
                name_field(ui, ctx, (&t("masks.name"), &mask.name, 110.0), is_taken)
            };
            if let Some(name) = renamed {
                change(ctx, id, "history.mask_rename", |mask| mask.name = name);
            }
            if IconButton::new(Icon::Delete, &t("masks.delete")).colour(ctx.colours.weak).show(ui).clicked() {
                ctx.commands.apply("history.mask_delete", BlendEdit::DeleteMask { id }.into());
            }
        });
        ui.push_id(id, |ui| {
            painting(ui, ctx, id);
            joints(ui, ctx, &rig, id, &mask);
        });
    }

    /// What makes a mask of what is selected.
    fn make(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, rig: &Rig) {
        let selected: Vec<usize> =
            ctx.selection.joints(object).filter_map(|joint| rig.skeleton.index_of(joint)).collect();
        let any = !selected.is_empty();
        ui.horizontal_wrapped(|ui| {
            let plain = ui.add_enabled(any, Button::new(t("masks.from_selection")));
            let plain = plain.on_hover_text(t("masks.from_selection_hint"));
            if plain.on_disabled_hover_text(t("masks.select_first")).clicked() {
                let mut mask = JointMask { name: t("masks.new").into_owned(), ..JointMask::default() };
                weigh(&mut mask, &rig.skeleton, selected.iter().copied(), 1.0);
                self.add(ctx, mask);
            }
            let feather = ui.add_enabled(any, Button::new(t("masks.feathered")));
            let feather = feather.on_hover_text(t("masks.feathered_hint"));
            if feather.on_disabled_hover_text(t("masks.select_first")).clicked()
                && let Some(mask) = feathered_mask(rig, &selected, &self.steps)
            {
                self.add(ctx, mask);
            }
            for (index, step) in self.steps.iter_mut().enumerate() {
                let name = fill("masks.step", &[("number", &(index + 1))]);
                let field = DragField::new(&name, *step).decimals(2).speed(0.005).range(0.0, 1.0).width(44.0);
                let (response, edits) = field.show(ui);
                response.on_hover_text(&name);
                for edit in edits {
                    if let FieldEdit::Change(weight) = edit
                        && weight.is_finite()
                    {
                        *step = weight;
                    }
                }
            }
        });
    }

    fn add(&mut self, ctx: &PanelContext<'_>, mut mask: JointMask) {
        mask.name = free_mask_name(ctx.document, &mask.name);
        let id = JointMaskId(ctx.document.next_id);
        ctx.commands.apply("history.mask_add", BlendEdit::AddMask { id, mask: Arc::new(mask) }.into());
        self.chosen = Some(id);
    }
}

/// The mask that grows up from joints: each of them and all below it 1, those above by steps; of two the greater counts.
/// None where nothing is selected. It is called as the first of them is.
fn feathered_mask(rig: &Rig, roots: &[usize], steps: &[f64]) -> Option<JointMask> {
    let first = rig.skeleton.joints().get(*roots.first()?)?;
    let mut weights = vec![0.0_f64; rig.skeleton.joints().len()];
    for root in roots {
        for (weight, own) in weights.iter_mut().zip(feathered(&rig.skeleton, *root, steps)) {
            *weight = weight.max(own);
        }
    }
    Some(JointMask::of_weights(&first.name, &rig.skeleton, &weights))
}

fn change(ctx: &PanelContext<'_>, id: JointMaskId, label: &'static str, edit: impl FnOnce(&mut JointMask)) {
    match change_mask(ctx.document, id, edit) {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => refuse(ctx, &error),
    }
}

/// The brush for joints in the view.
fn painting(ui: &mut Ui, ctx: &PanelContext<'_>, id: JointMaskId) {
    ui.horizontal_wrapped(|ui| {
        let brush = ctx.view.brush;
        let paints = ctx.view.tool == ToolId::PaintMask && brush.joint_mask == Some(id);
        if ui.selectable_label(paints, t("masks.paint")).on_hover_text(t("masks.paint_hint")).clicked() {
            ctx.commands.view(ViewChange::Brush(BrushPrefs { joint_mask: Some(id), ..brush }));
            ctx.commands.view(ViewChange::Tool(if paints { ToolId::default() } else { ToolId::PaintMask }));
        }
        let name = t("masks.value");
        ui.weak(&*name);
        let field = DragField::new(&name, brush.joint_weight).decimals(2).speed(0.005).range(0.0, 1.0).width(48.0);
        for edit in field.show(ui).1 {
            if let FieldEdit::Change(weight) = edit {
                ctx.commands.view(ViewChange::Brush(BrushPrefs { joint_weight: weight, ..brush }));
            }
        }
    });
}

/// The joints with their weights, and names that no joint here has.
fn joints(ui: &mut Ui, ctx: &PanelContext<'_>, rig: &Rig, id: JointMaskId, mask: &JointMask) {
    let gone = mask.unknown(&rig.skeleton);
    if !gone.is_empty() {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(ctx.colours.warn, fill("masks.gone", &[("names", &gone.join(", "))]));
            if ui.button(t("masks.forget")).clicked() {
                change(ctx, id, "history.mask_forget", |mask| forget_unknown(mask, &rig.skeleton));
            }
        });
    }
    let (names, weights) = (joint_names(&rig.skeleton), mask.weights(&rig.skeleton));
    let rows: Vec<usize> =
        (0..names.len()).filter(|at| rig.skeleton.joints().get(*at).is_some_and(|joint| !joint.is_end())).collect();
    let height = ui.spacing().interact_size.y;
    let list = ScrollArea::vertical().id_salt("mask joints").max_height(LIST_PT).auto_shrink([false, true]);
    list.show_rows(ui, height, rows.len() + 1, |ui, seen| {
        for row in seen {
            let joint = row.checked_sub(1).and_then(|row| rows.get(row)).copied();
            let (shown, value) = match joint {
                Some(at) => (names[at].clone(), weights[at]),
                None => (t("masks.others").into_owned(), mask.others),
            };
            labelled(ui, &shown, |ui| {
                let name = fill("masks.weight_of", &[("name", &shown)]);
                let field = DragField::new(&name, value).decimals(2).speed(0.005).range(0.0, 1.0).width(52.0);
                let (response, edits) = field.show(ui);
                response.on_hover_text(&name);
                send(ctx, "history.mask_weight", edits, |weight| {
                    change_mask(ctx.session.base(), id, |mask| match joint {
                        Some(at) => weigh(mask, &rig.skeleton, [at], weight),
                        None if weight.is_finite() => mask.others = weight.clamp(0.0, 1.0),
                        None => {}
                    })
                });
                // As long as it weighs.
                let (rect, _) = ui.allocate_exact_size(egui::vec2(60.0, 6.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, 2.0, ctx.colours.field);
                #[expect(clippy::cast_possible_truncation, reason = "a length on the screen")]
                let filled = rect.with_max_x(rect.left() + rect.width() * value as f32);
                ui.painter().rect_filled(filled, 2.0, ctx.colours.accent);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::SAMPLES;

    #[test]
    fn a_feathered_mask_takes_the_greater_weight_of_two_arms() {
        let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
        let rig = document.rigs().next().unwrap().2.clone();
        let index = |name: &str| rig.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
        let roots = [index("upper_arm.l"), index("clavicle.r")];
        let mask = feathered_mask(&rig, &roots, &[0.9, 0.5, 0.2]).unwrap();
        let weights = mask.weights(&rig.skeleton);
        let of = |name: &str| weights[index(name)];
        assert_eq!([of("hand.l"), of("hand.r"), of("clavicle.r")], [1.0; 3]);
        // Above the left arm: collar bone, chest, spine; above the right collar bone: chest, spine, hips.
        assert_eq!([of("clavicle.l"), of("chest"), of("spine"), of("hips")], [0.9, 0.9, 0.5, 0.2]);
        assert_eq!(of("head"), 0.0);
        assert_eq!(mask.name, "upper_arm.l");
        assert!(feathered_mask(&rig, &[], &[0.9]).is_none());
    }
}
