//! Whose chain it is, what it starts from, where the target is put to the test, how hard is tried, and which step is shown.

use super::state::{MOST_BONES, Probe, Shown, State};
use crate::{
    eval::{
        ik::Reach,
        solver_lab::{Racer, limb::Start},
    },
    math::Vec3,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit},
    },
};
use egui::Ui;

/// Shows the head; the step shown.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, shown: &Shown) -> usize {
    ui.horizontal_wrapped(|ui| subject(ui, state, shown));
    ui.horizontal_wrapped(|ui| {
        probes(ui, state, shown);
        target(ui, state, shown);
    });
    ui.horizontal_wrapped(|ui| {
        let last = shown.last_step();
        let step = state.player.show(ui, &(0..=last));
        ui.add(egui::Label::new(fill("solver_lab.step", &[("now", &step), ("last", &last)])).truncate());
        ui.separator();
        if shown.limb.is_none() {
            arm(ui, ctx, state);
            ui.separator();
        }
        settings(ui, state);
        step
    })
    .inner
}

fn subject(ui: &mut Ui, state: &mut State, shown: &Shown) {
    let selected = ui.selectable_label(!state.own, t("solver_lab.of_selection").into_owned());
    if selected.on_hover_text(t("solver_lab.of_selection_hint")).clicked() {
        state.own = false;
    }
    if ui
        .selectable_label(state.own, t("solver_lab.own").into_owned())
        .on_hover_text(t("solver_lab.own_hint"))
        .clicked()
    {
        state.own = true;
    }
    match &shown.limb {
        Some(limb) => {
            let (first, last) = (limb.name(0), limb.name(limb.joints.len() - 1));
            ui.weak(fill("solver_lab.limb", &[("first", &first), ("last", &last)]));
        }
        None if !state.own => {
            ui.weak(t("solver_lab.nothing_selected").into_owned());
        }
        None => {}
    }
    ui.separator();
    ui.label(t("solver_lab.start").into_owned()).on_hover_text(t("solver_lab.start_hint"));
    for start in Start::ALL {
        let key = format!("solver_lab.start_{}", start.id());
        let button = ui.selectable_label(state.start == start, t(&key).into_owned());
        if button.on_hover_text(t(&format!("{key}_hint"))).clicked() {
            state.start = start;
        }
    }
    let mut wrong = Racer::all().enumerate().filter(|(_, racer)| racer.is_wrong()).map(|(number, _)| number).peekable();
    let mut on = wrong.peek().is_some_and(|number| state.shown.get(*number) == Some(&true));
    ui.separator();
    if ui.checkbox(&mut on, t("solver_lab.wrong").into_owned()).on_hover_text(t("solver_lab.wrong_hint")).changed() {
        for number in wrong {
            if let Some(shown) = state.shown.get_mut(number) {
                *shown = on;
            }
        }
    }
}

/// The bones of the own arm.
fn arm(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State) {
    let name = t("solver_lab.bones");
    let count = state.arm.lengths.len();
    ui.weak(&*name);
    let field = DragField::new(&name, count as f64).decimals(0).range(1.0, MOST_BONES as f64).speed(0.05).width(40.0);
    for edit in field.show(ui).1 {
        if let FieldEdit::Change(count) = edit {
            state.set_bones(count.round() as usize);
        }
    }
    let unit = ctx.document.settings.length_unit;
    for bone in 0..state.arm.lengths.len() {
        let name = fill("solver_lab.bone", &[("number", &(bone + 1))]);
        let value = state.arm.lengths[bone] / unit.metres();
        let field = DragField::new(&name, value).decimals(3).unit(unit.symbol()).width(64.0);
        let field = field.range(0.0, 100.0 / unit.metres()).speed(0.005 / unit.metres());
        let (response, edits) = field.show(ui);
        response.on_hover_text(&name);
        for edit in edits {
            if let FieldEdit::Change(length) = edit {
                state.arm.lengths[bone] = length * unit.metres();
            }
        }
    }
}

fn probes(ui: &mut Ui, state: &mut State, shown: &Shown) {
    ui.label(t("solver_lab.target").into_owned()).on_hover_text(t("solver_lab.target_hint"));
    let lengths: Vec<f64> = shown.problem.positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    for probe in Probe::ALL {
        // Equal bones fold to nothing: no target is too near.
        let enabled = probe != Probe::Folded || Reach::of(&lengths).min > 0.0;
        let button = ui.add_enabled(enabled, egui::Button::new(t(probe.key()).into_owned()));
        let button = button.on_hover_text(t(&format!("{}_hint", probe.key())));
        if button.on_disabled_hover_text(t("solver_lab.folds_to_nothing")).clicked() {
            state.probe(probe, &shown.problem);
        }
    }
    if ui.button(t("solver_lab.reset").into_owned()).on_hover_text(t("solver_lab.reset_hint")).clicked() {
        (state.target, state.pole, state.start) = (None, None, Start::Current);
        state.arm = super::state::Arm::default();
    }
    let mut on = state.pole.is_some();
    if ui.checkbox(&mut on, t("solver_lab.pole").into_owned()).on_hover_text(t("solver_lab.pole_hint")).changed() {
        let length = shown.problem.length();
        state.pole = on.then(|| shown.problem.root() + (Vec3::y() + Vec3::x() * 0.3) * (0.8 * length));
    }
}

fn settings(ui: &mut Ui, state: &mut State) {
    let field = |ui: &mut Ui, key: &str, value: f64, range: (f64, f64), speed: f64, decimals: usize| {
        let name = t(key);
        ui.weak(&*name).on_hover_text(t(&format!("{key}_hint")));
        let field = DragField::new(&name, value).decimals(decimals).range(range.0, range.1).speed(speed).width(56.0);
        let edits = field.show(ui).1.into_iter();
        edits.filter_map(|edit| if let FieldEdit::Change(value) = edit { Some(value) } else { None }).next_back()
    };
    let most = f64::from(state.settings.max_iterations);
    if let Some(most) = field(ui, "solver_lab.most", most, (0.0, 200.0), 0.2, 0) {
        state.settings.max_iterations = most.round() as u32;
    }
    let exponent = state.settings.tolerance.log10();
    if let Some(exponent) = field(ui, "solver_lab.tolerance", exponent, (-12.0, -1.0), 0.05, 1) {
        state.settings.tolerance = 10_f64.powf(exponent);
    }
    if let Some(damping) = field(ui, "solver_lab.damping", state.settings.damping, (0.001, 1.0), 0.002, 3) {
        state.settings.damping = damping;
    }
    if let Some(step) = field(ui, "solver_lab.longest", state.settings.max_step, (0.01, 2.0), 0.005, 2) {
        state.settings.max_step = step;
    }
}

/// The target as numbers.
fn target(ui: &mut Ui, state: &mut State, shown: &Shown) {
    for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
        if axis == 2 && shown.limb.is_none() {
            continue;
        }
        let name = fill("solver_lab.target_axis", &[("axis", &letter)]);
        let target = shown.problem.goal.target;
        let field = DragField::new(&name, target[axis]).decimals(3).unit("m").speed(0.005).width(68.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(&name);
        for edit in edits {
            if let FieldEdit::Change(value) = edit {
                let mut target = target;
                target[axis] = value;
                state.target = Some(target);
            }
        }
    }
}
