//! The bar of a lattice in hand: what goes with the points that are moved.

use super::bar;
use crate::{
    command::CommandId,
    interact::{
        point_prefs::PointPrefs,
        view_state::{ToolId, ViewChange},
    },
    text::{fill, t},
    ui::{
        panel::PanelContext,
        shell::hint_of,
        widgets::{DragField, FieldEdit},
    },
};
use egui::{Rect, Ui};

/// Shows the bar below another one while a lattice or points of it are selected, and gives its place.
pub(super) fn show(ui: &mut Ui, panel: Rect, above: Rect, ctx: &PanelContext<'_>) -> Option<Rect> {
    let carries = |id| ctx.document.object(id).is_some_and(|object| !object.carrying_points().is_empty());
    let brush = matches!(ctx.view.tool, ToolId::Pull | ToolId::Mask);
    if !brush && !ctx.selection.objects().into_iter().any(carries) {
        return None;
    }
    Some(bar::show(ui, (panel, bar::below(above)), ctx, None, |ui| contents(ui, ctx)))
}

fn contents(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let points = ctx.view.points;
    let set = |points: PointPrefs| ctx.commands.view(ViewChange::Points(points));
    let mut soft = points.soft;
    if ui.checkbox(&mut soft, t("lattice.soft")).on_hover_text(hint_of(CommandId::ToggleSoft)).changed() {
        set(PointPrefs { soft, ..points });
    }
    if points.soft || matches!(ctx.view.tool, ToolId::Pull | ToolId::Mask) {
        let unit = ctx.document.settings.length_unit;
        let name = t("lattice.radius");
        let (low, high) = PointPrefs::RADIUS;
        let field = DragField::new(&name, points.radius / unit.metres()).unit(unit.symbol()).decimals(3).speed(0.01);
        let (response, edits) = field.range(low / unit.metres(), high / unit.metres()).width(78.0).show(ui);
        response.on_hover_text(t("lattice.radius_hint").into_owned());
        for edit in edits {
            if let FieldEdit::Change(radius) = edit {
                set(PointPrefs { radius: radius * unit.metres(), ..points });
            }
        }
    }
    ui.separator();
    ui.weak(t("lattice.mirror"));
    for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
        let name = fill("lattice.mirror_axis", &[("axis", &letter)]);
        let response = ui.selectable_label(points.mirror[axis], letter);
        crate::ui::widgets::set_name(ui, &response, &name);
        if response.on_hover_text(&name).clicked() {
            let mut mirror = points.mirror;
            mirror[axis] = !mirror[axis];
            set(PointPrefs { mirror, ..points });
        }
    }
    ui.separator();
    let mut influence = ctx.view.viewport.influence;
    let id = CommandId::ToggleInfluence;
    if ui.checkbox(&mut influence, t("lattice.influence")).on_hover_text(hint_of(id)).changed() {
        ctx.commands.run(id);
    }
    if matches!(ctx.view.tool, ToolId::Pull | ToolId::Mask) {
        return;
    }
    for id in [CommandId::ResetLattice, CommandId::FitLattice] {
        if ui.button(t(id.spec().title)).on_hover_text(hint_of(id)).clicked() {
            ctx.commands.run(id);
        }
    }
}
