//! How an IK chain reaches: target and pole with their spaces, the solver, matching.

use super::{apply, command, labelled, send, spaces::choose};
use crate::{
    command::CommandId,
    edit::{
        EditError,
        chains::{ChainOf, ChainPart, change, goal_edit, hold_in, key_goal, set_pole},
    },
    eval::{constraint::ChainReport, ik::SolveStatus, sample},
    math::Vec3,
    model::{
        ChainStart, IkChain, PinSpace,
        chain::{ITERATIONS, MOST_ITERATIONS, TOLERANCE},
    },
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        panels::inspector::chain::choose_solver,
        theme::GRID_PT,
        widgets::{DragField, IconButton, drag_field::number_text},
    },
};
use egui::Ui;

const AXES: [&str; 3] = ["X", "Y", "Z"];

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, of: ChainOf, chosen: bool) {
    let Ok((constraint, _, chain)) = of.find(ctx.document) else { return };
    let is_it = |report: &&ChainReport| (report.object, report.constraint) == (of.object, of.constraint);
    let report = ctx.frame.chains.iter().find(is_it);
    status(ui, ctx, constraint.muted, report);
    place(ui, ctx, of, ChainPart::Target);
    held_in(ui, ctx, of, &chain);
    pole(ui, ctx, of, &chain);
    if chosen {
        solver(ui, ctx, of, &chain);
    }
    ui.horizontal_wrapped(|ui| {
        for id in [CommandId::KeyChain, CommandId::MatchIkToFk, CommandId::MatchFkToIk] {
            command(ui, ctx, id);
        }
        if chosen {
            command(ui, ctx, CommandId::MatchIkRange);
            command(ui, ctx, CommandId::MatchFkRange);
        }
    });
}

/// A target as near to its chain's base counts as on it, metres.
const AT_ROOT: f64 = 5e-4;

/// Whether it arrives, and if not, why.
fn status(ui: &mut Ui, ctx: &PanelContext<'_>, muted: bool, report: Option<&ChainReport>) {
    let Some(report) = report else {
        if !muted {
            ui.colored_label(ctx.colours.warn, t("chains.lost"));
        }
        return;
    };
    // Where the base is, no direction leads from it: which way it folds is up to the pose it starts from.
    let base = ctx.frame.joint_world(report.object, report.base).map(|world| world.translation);
    if report.weight > 0.0 && base.is_some_and(|base| (base - report.target).norm() < AT_ROOT) {
        ui.add(egui::Label::new(egui::RichText::new(t("chains.at_root")).color(ctx.colours.warn)).wrap());
    }
    // What no number shows is no fault: solvers that near their target step by step seldom meet the tolerance of exact ones.
    let far = report.gap >= 5e-5;
    let Some(status) = report.status.filter(|status| *status != SolveStatus::Reached && far) else { return };
    let mm = number_text(report.gap * 1e3, 1);
    ui.colored_label(ctx.colours.warn, fill(&format!("chains.{}", status.id()), &[("mm", &mm)]));
}

/// The place of target or pole in its space.
fn place(ui: &mut Ui, ctx: &PanelContext<'_>, of: ChainOf, part: ChainPart) {
    let target = part.of(of);
    let shown = |document: &crate::model::Document| -> Option<Vec3> {
        let clip = document.clip_of(of.object).and_then(|clip| document.clip(clip));
        let stage = sample::Stage::Shown;
        Some(sample::clip_local(document, clip.map(|clip| &**clip), target, ctx.view.secs, stage)?.translation)
    };
    let Some(now) = shown(ctx.document) else { return };
    let unit = ctx.document.settings.length_unit;
    let title = t(if part == ChainPart::Target { "chains.target" } else { "chains.pole" });
    labelled(ui, &title, |ui| {
        ui.spacing_mut().item_spacing.x = GRID_PT;
        let width = ((ui.available_width() - 3.0 * GRID_PT - 22.0) / 3.0).clamp(40.0, 96.0);
        for (axis, letter) in AXES.into_iter().enumerate() {
            let name = format!("{title} {letter}");
            let field = DragField::new(&name, now[axis] / unit.metres()).decimals(3).unit(unit.symbol()).width(width);
            let (response, edits) = field.speed(0.002 / unit.metres()).show(ui);
            let edge = response.rect.with_max_x(response.rect.left() + 3.0);
            ui.painter().rect_filled(edge, 1.0, ctx.colours.axes[axis]);
            response.on_hover_text(&name);
            send(ctx, "history.chain_move", edits, |value| {
                let base = ctx.session.base();
                let mut place = shown(base).ok_or(EditError::NoConstraint(of.object, of.constraint))?;
                place[axis] = value * unit.metres();
                goal_edit(base, target, ctx.view.secs, &place, ctx.view.auto_key)
            });
        }
        let key = fill("inspector.key_number", &[("name", &title)]);
        if IconButton::new(Icon::Key, &key).show(ui).clicked() {
            apply(ctx, "history.chain_key", key_goal(ctx.document, target, ctx.view.secs));
        }
    });
}

/// The spaces of the target: one for all axes, or one for each.
fn held_in(ui: &mut Ui, ctx: &PanelContext<'_>, of: ChainOf, chain: &IkChain) {
    let hold = |axes: [bool; 3], space: PinSpace| {
        let edit = hold_in(ctx.document, ctx.evaluator, of, (ChainPart::Target, axes), (space, ctx.view.secs));
        apply(ctx, "history.chain_space", edit);
    };
    let [x, y, z] = chain.spaces;
    let one = (x == y && y == z).then_some(x);
    labelled(ui, &t("chains.held_in"), |ui| {
        if let Some(space) = choose(ui, ctx, &t("chains.held_in"), one, ui.available_width().min(200.0)) {
            hold([true; 3], space);
        }
    });
    egui::CollapsingHeader::new(t("chains.by_axis").into_owned()).default_open(one.is_none()).show(ui, |ui| {
        for (axis, letter) in AXES.into_iter().enumerate() {
            labelled(ui, letter, |ui| {
                let label = fill("chains.axis_in", &[("axis", &letter)]);
                if let Some(space) = choose(ui, ctx, &label, Some(chain.spaces[axis]), ui.available_width().min(200.0))
                {
                    hold(std::array::from_fn(|other| other == axis), space);
                }
            });
        }
    });
}

fn pole(ui: &mut Ui, ctx: &PanelContext<'_>, of: ChainOf, chain: &IkChain) {
    let mut has = chain.pole.is_some();
    let response = ui.checkbox(&mut has, t("chains.has_pole").into_owned());
    if response.on_hover_text(t("chains.has_pole_hint").into_owned()).changed() {
        apply(ctx, "history.chain_pole", set_pole(ctx.document, ctx.frame, of, has));
    }
    let Some(pole) = chain.pole else { return };
    place(ui, ctx, of, ChainPart::Pole);
    labelled(ui, &t("chains.pole_in"), |ui| {
        if let Some(space) = choose(ui, ctx, &t("chains.pole_in"), Some(pole.space), ui.available_width().min(200.0)) {
            let part = (ChainPart::Pole, [true; 3]);
            let edit = hold_in(ctx.document, ctx.evaluator, of, part, (space, ctx.view.secs));
            apply(ctx, "history.chain_space", edit);
        }
    });
}

/// The solver with what it starts from and how hard it tries.
fn solver(ui: &mut Ui, ctx: &PanelContext<'_>, of: ChainOf, chain: &IkChain) {
    let set = |to: &dyn Fn(&mut IkChain)| apply(ctx, "history.chain_solver", change(ctx.document, of, to));
    if let Some(solver) = choose_solver(ui, chain.solver) {
        set(&|chain| chain.solver = solver);
    }
    labelled(ui, &t("chains.start"), |ui| {
        for (start, key) in [(ChainStart::Pose, "chains.start_pose"), (ChainStart::Rest, "chains.start_rest")] {
            let chosen = ui.selectable_label(chain.start == start, t(key).into_owned());
            if chosen.on_hover_text(t(&format!("{key}_hint")).into_owned()).clicked() && chain.start != start {
                set(&|chain| chain.start = start);
            }
        }
    });
    labelled(ui, &t("chains.passes"), |ui| {
        let name = t("chains.passes");
        let field = DragField::new(&name, f64::from(chain.iterations)).decimals(0).speed(0.2);
        let (_, edits) = field.range(1.0, f64::from(MOST_ITERATIONS)).rests_at(f64::from(ITERATIONS)).show(ui);
        send(ctx, "history.chain_solver", edits, |value| {
            change(ctx.session.base(), of, |chain| chain.iterations = value.round().clamp(1.0, 1000.0) as u32)
        });
    });
    labelled(ui, &t("chains.tolerance"), |ui| {
        let name = t("chains.tolerance");
        // Shown as a power of ten: 9 is a billionth of the chain's length.
        let field = DragField::new(&name, -chain.tolerance.log10()).decimals(1).speed(0.05);
        let field = field.range(1.0, 12.0).rests_at(-TOLERANCE.log10());
        let (response, edits) = field.show(ui);
        response.on_hover_text(t("chains.tolerance_hint").into_owned());
        send(ctx, "history.chain_solver", edits, |value| {
            change(ctx.session.base(), of, |chain| chain.tolerance = 10.0_f64.powf(-value.clamp(1.0, 12.0)))
        });
    });
    let mut limits = chain.limits;
    let response = ui.checkbox(&mut limits, t("chains.limits").into_owned());
    if response.on_hover_text(t("chains.limits_hint").into_owned()).changed() {
        set(&|chain| chain.limits = limits);
    }
    let mut keeps = chain.keeps_rotation;
    let response = ui.checkbox(&mut keeps, t("chains.keeps_rotation").into_owned());
    if response.on_hover_text(t("chains.keeps_rotation_hint").into_owned()).changed() {
        set(&|chain| chain.keeps_rotation = keeps);
    }
}
