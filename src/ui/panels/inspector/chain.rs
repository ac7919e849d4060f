//! How a joint is dragged: the chain's root, its solver, the place it bends towards. Hints; without one it is found.

use super::{folding, labelled, send};
use crate::{
    edit::{Edit, RigEdit},
    math::Vec3,
    model::{ChainHint, JointId, ObjectId, Skeleton, SolverKind, Target},
    text::t,
    ui::{
        panel::PanelContext,
        widgets::{Chooser, DragField, set_name},
    },
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let Target::Joint(object, joint) = target else { return };
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    if rig.skeleton.joint(joint).is_none_or(crate::model::Joint::is_end) {
        return;
    }
    let hint = rig.hints.get(&joint).cloned().unwrap_or_default();
    folding(ui, "inspector.chain", |ui| {
        root(ui, ctx, object, joint, &rig.skeleton, &hint);
        labelled(ui, &t("inspector.chain_end"), |ui| {
            ui.label(rig.skeleton.joint(joint).map(|joint| joint.name.clone()).unwrap_or_default());
        });
        solver(ui, ctx, object, joint, &hint);
        pole(ui, ctx, object, joint, &hint);
    });
}

fn edit(object: ObjectId, joint: JointId, hint: ChainHint) -> Edit {
    let hint = (hint != ChainHint::default()).then_some(hint);
    RigEdit::SetHint { object, joint, hint }.into()
}

fn root(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, joint: JointId, skeleton: &Skeleton, hint: &ChainHint) {
    let found = t("inspector.chain_found");
    let name = |id: JointId| skeleton.joint(id).map(|joint| joint.name.clone()).unwrap_or_default();
    labelled(ui, &t("inspector.chain_root"), |ui| {
        let shown = hint.root.map_or_else(|| found.clone().into_owned(), name);
        let rows = || {
            let mut rows = vec![(None, found.clone().into_owned())];
            let mut at = skeleton.joint(joint).and_then(|joint| joint.parent);
            while let Some(id) = at {
                rows.push((Some(id), name(id)));
                at = skeleton.joint(id).and_then(|joint| joint.parent);
            }
            rows
        };
        let (title, width) = (t("inspector.chain_root"), ui.available_width());
        let chosen = Chooser::new("chain root", &title, shown).width(width).show(ui, Some(&hint.root), rows).1;
        if let Some(root) = chosen {
            ctx.commands.apply("history.chain", edit(object, joint, ChainHint { root, ..hint.clone() }));
        }
    });
}

fn solver(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, joint: JointId, hint: &ChainHint) {
    if let Some(solver) = choose_solver(ui, hint.solver) {
        ctx.commands.apply("history.chain", edit(object, joint, ChainHint { solver, ..hint.clone() }));
    }
}

/// The solvers to choose from, none being what fits the chain: another choice than the present one.
pub(super) fn choose_solver(ui: &mut Ui, present: Option<SolverKind>) -> Option<Option<SolverKind>> {
    let key = |solver: Option<SolverKind>| format!("solver.{}", solver.map_or("fitting", SolverKind::id));
    let mut chosen = present;
    labelled(ui, &t("inspector.chain_solver"), |ui| {
        let combo = ComboBox::from_id_salt("solver of chain").width(ui.available_width().min(200.0));
        let response = combo.selected_text(t(&key(present))).show_ui(ui, |ui| {
            for solver in std::iter::once(None).chain(SolverKind::ALL.map(Some)) {
                let row = ui.selectable_value(&mut chosen, solver, t(&key(solver)).into_owned());
                row.on_hover_text(t(&format!("{}_hint", key(solver))).into_owned());
            }
        });
        set_name(ui, &response.response, &t("inspector.chain_solver"));
    });
    (chosen != present).then_some(chosen)
}

fn pole(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, joint: JointId, hint: &ChainHint) {
    let title = t("inspector.chain_pole");
    labelled(ui, &title, |ui| {
        let mut on = hint.pole.is_some();
        let response = ui.checkbox(&mut on, t("inspector.chain_pole_on").into_owned());
        if response.on_hover_text(t("inspector.chain_pole_hint").into_owned()).changed() {
            let pole = on.then(|| ahead_of(ctx, object, joint));
            ctx.commands.apply("history.chain", edit(object, joint, ChainHint { pole, ..hint.clone() }));
        }
    });
    let Some(place) = hint.pole else { return };
    let unit = ctx.document.settings.length_unit;
    labelled(ui, "", |ui| {
        let width = ((ui.available_width() - 8.0) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
            let name = format!("{title} {letter}");
            let field = DragField::new(&name, place[axis] / unit.metres()).decimals(3).unit(unit.symbol()).width(width);
            let (_, edits) = field.speed(0.005 / unit.metres()).show(ui);
            send(ctx, "history.chain", edits, |value| {
                let mut place = place;
                place[axis] = value * unit.metres();
                Ok(edit(object, joint, ChainHint { pole: Some(place), ..hint.clone() }))
            });
        }
    });
}

/// A first place for a pole: half a metre before the middle of the chain, where a knee would point.
fn ahead_of(ctx: &PanelContext<'_>, object: ObjectId, joint: JointId) -> Vec3 {
    let middle = (|| {
        let skeleton = &ctx.document.object(object)?.as_rig()?.skeleton;
        let parent = skeleton.joint(joint)?.parent.unwrap_or(joint);
        let frame = ctx.frame.objects.get(&object)?.rig.as_ref()?;
        Some(frame.model.get(skeleton.index_of(parent)?)?.translation)
    })();
    middle.unwrap_or_default() + Vec3::z() * 0.5
}
