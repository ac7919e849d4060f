//! One layer of the lattice with each kind of basis, side by side.

use super::{Seen, basis_key};
use crate::{
    eval::deform::LatticeShape,
    math::{Vec3, lattice::Basis},
    text::t,
    ui::{panel::PanelContext, widgets::set_name},
};
use egui::{Pos2, Rect, Sense, Stroke, Ui, Vec2, pos2};

/// Lines of the grid each way, but for one.
const LINES: u32 = 10;
/// Pieces a line is drawn in.
const PIECES: u32 = 20;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, seen: &Seen<'_>) {
    let gap = ui.spacing().item_spacing.x;
    let side = ((ui.available_width() - 2.0 * gap) / 3.0).clamp(60.0, 220.0);
    ui.horizontal(|ui| {
        for basis in Basis::ALL {
            ui.vertical(|ui| {
                ui.set_max_width(side);
                picture(ui, ctx, seen, basis, side);
                ui.weak(t(basis_key(basis)));
            });
        }
    });
}

/// The layer at the selected point's depth, moved with a basis along X and Y.
fn picture(ui: &mut Ui, ctx: &PanelContext<'_>, seen: &Seen<'_>, basis: Basis, side: f32) {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    set_name(ui, &response, &t(basis_key(basis)));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let mut shape: LatticeShape = seen.shape.clone();
    (shape.bases[0], shape.bases[1]) = (basis, basis);
    let depth = shape.bases[2].rest(shape.counts[2], seen.place[2]).clamp(0.0, 1.0);
    let size = seen.lattice.size.xy().map(|edge| if edge > 0.0 { edge } else { 1.0 });
    let place = |s: f64, t: f64| {
        let offset = shape.offset_at(&Vec3::new(s, t, depth));
        [s - 0.5 + offset.x / size.x, t - 0.5 + offset.y / size.y]
    };
    let points = controls(&shape, seen, [size.x, size.y]);
    // Room for what is farthest out.
    let lines = (0..=LINES).flat_map(|i| (0..=LINES).map(move |j| (i, j)));
    let grid = lines.map(|(i, j)| place(f64::from(i) / f64::from(LINES), f64::from(j) / f64::from(LINES)));
    let far = grid.chain(points.iter().map(|(at, _)| *at)).flat_map(|at| at.map(f64::abs)).fold(0.55, f64::max);
    let scale = f64::from(side) / 2.0 / (far * 1.06);
    let at =
        |[x, y]: [f64; 2]| -> Pos2 { pos2(rect.center().x + (x * scale) as f32, rect.center().y - (y * scale) as f32) };
    let rest = Rect::from_two_pos(at([-0.5, -0.5]), at([0.5, 0.5]));
    painter.rect_stroke(rest, 0.0, Stroke::new(1.0, ctx.colours.weak.gamma_multiply(0.6)), egui::StrokeKind::Middle);
    let line = |along: &dyn Fn(f64) -> [f64; 2]| {
        let points: Vec<Pos2> = (0..=PIECES).map(|step| at(along(f64::from(step) / f64::from(PIECES)))).collect();
        painter.line(points, Stroke::new(1.0, ctx.colours.text));
    };
    for index in 0..=LINES {
        let fixed = f64::from(index) / f64::from(LINES);
        line(&|part| place(fixed, part));
        line(&|part| place(part, fixed));
    }
    for (place, own) in points {
        let (radius, colour) = if own { (4.5, ctx.colours.accent_text) } else { (2.5, ctx.colours.accent) };
        painter.circle_filled(at(place), radius, colour);
    }
}

/// The points of the selected point's layer, and which it is.
fn controls(shape: &LatticeShape, seen: &Seen<'_>, size: [f64; 2]) -> Vec<([f64; 2], bool)> {
    let layer = seen.lattice.points().filter(|(_, place)| place[2] == seen.place[2]);
    let place = |(_, place): (crate::model::PointId, [usize; 3])| {
        let offset = shape.offsets.get(seen.lattice.index_of(place)).copied().unwrap_or_default();
        let rest = [0, 1].map(|axis: usize| shape.bases[axis].rest(shape.counts[axis], place[axis]) - 0.5);
        ([rest[0] + offset.x / size[0], rest[1] + offset.y / size[1]], place == seen.place)
    };
    layer.map(place).collect()
}
