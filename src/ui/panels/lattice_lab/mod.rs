//! The lattice lab: the bases of a lattice, the three kinds side by side, what each costs.

mod bases;
mod cost;
mod side;

use crate::{
    eval::deform::{LatticeShape, offsets},
    model::{Lattice, ObjectId, PointId, Target},
    text::t,
    ui::{
        panel::{Panel, PanelContext},
        widgets::lab_section,
    },
};
use egui::Ui;

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;

/// The lab.
#[derive(Debug, Default)]
pub struct LatticeLabPanel {
    /// What was measured last, and of which lattice.
    measured: Option<(ObjectId, String)>,
}

/// The lattice the lab is about.
struct Seen<'a> {
    id: ObjectId,
    lattice: &'a Lattice,
    /// The lattice as it is now.
    shape: LatticeShape,
    /// The selected point by its place along the axes; the first where none is.
    place: [usize; 3],
    /// Where in the box the vertex under the view's pointer is.
    probed: Option<[f64; 3]>,
}

impl<'a> Seen<'a> {
    /// The selected lattice, or that of a selected point; else the only one there is.
    fn new(ctx: &PanelContext<'a>) -> Option<Self> {
        let document = ctx.document;
        let is_lattice = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_lattice().is_some());
        let active = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
        let mut all = document.objects.keys().copied().filter(|id| is_lattice(id));
        let only = all.next().filter(|_| all.next().is_none());
        let id = active.map(Target::object).find(|id| is_lattice(id)).or(only)?;
        let lattice = document.object(id)?.as_lattice()?;
        let point = |target: Target| match target {
            Target::Point(of, point) if of == id => Some(point),
            _ => None,
        };
        let active = ctx.selection.active.and_then(point);
        let point: Option<PointId> = active.or_else(|| ctx.selection.targets.iter().copied().find_map(point));
        let place = point.and_then(|point| lattice.place_of(point)).unwrap_or_default();
        let shape = LatticeShape::new(lattice, offsets(document, id, lattice, ctx.view.secs));
        let probed = ctx.view.probed.filter(|(of, _)| *of == id).map(|(_, at)| at);
        Some(Self { id, lattice, shape, place, probed })
    }
}

impl Panel for LatticeLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let Some(seen) = Seen::new(ctx) else {
                ui.weak(t("lattice_lab.no_lattice"));
                return;
            };
            if ui.available_width() < TWO_COLUMNS_PT {
                lab_section(ui, "lattice_lab.bases", |ui| bases::show(ui, ctx, &seen));
                lab_section(ui, "lattice_lab.side", |ui| side::show(ui, ctx, &seen));
                self.cost(ui, ctx, &seen);
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    lab_section(left, "lattice_lab.bases", |ui| bases::show(ui, ctx, &seen));
                    lab_section(right, "lattice_lab.side", |ui| side::show(ui, ctx, &seen));
                    self.cost(right, ctx, &seen);
                }
            });
        });
    }
}

impl LatticeLabPanel {
    fn cost(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, seen: &Seen<'_>) {
        lab_section(ui, "lattice_lab.cost", |ui| {
            cost::table(ui, seen);
            if ui.button(t("lattice_lab.measure")).on_hover_text(t("lattice_lab.measure_hint")).clicked() {
                self.measured = Some((seen.id, cost::measured(ctx, seen)));
            }
            if let Some((_, text)) = self.measured.as_ref().filter(|(id, _)| *id == seen.id) {
                ui.label(text);
            }
        });
    }
}

/// The text key of a basis' name.
const fn basis_key(basis: crate::math::lattice::Basis) -> &'static str {
    match basis {
        crate::math::lattice::Basis::Bernstein => "lattice.bernstein",
        crate::math::lattice::Basis::BSpline => "lattice.bspline",
        crate::math::lattice::Basis::Linear => "lattice.linear",
    }
}
