//! The limb drawn twice, turned by dragging.

use super::Measured;
use crate::{
    math::Vec3,
    style::RIVALS,
    text::t,
    ui::{panel::PanelContext, theme::colour, widgets::set_name},
};
use egui::{Color32, Mesh, Sense, Ui, Vec2, epaint::Vertex, pos2};
use std::sync::Arc;

/// Radians of turn for a point of drag.
const TURN: f64 = 0.01;

/// Linear blend on the left, dual quaternions on the right, both seen from the same place.
pub(super) fn both(ui: &mut Ui, ctx: &PanelContext<'_>, measured: &Measured, seen: &mut [f64; 2]) {
    let gap = ui.spacing().item_spacing.x;
    let side = ((ui.available_width() - gap) / 2.0).clamp(80.0, 320.0);
    ui.horizontal(|ui| {
        for (index, (key, places)) in
            [("skin_lab.linear", &measured.posed.linear), ("skin_lab.dual", &measured.posed.dual)]
                .into_iter()
                .enumerate()
        {
            ui.vertical(|ui| {
                ui.set_max_width(side);
                let (rect, response) = ui.allocate_exact_size(Vec2::new(side, side * 0.8), Sense::drag());
                set_name(ui, &response, &t(key));
                let moved = response.drag_delta();
                seen[0] += f64::from(moved.x) * TURN;
                seen[1] = (seen[1] + f64::from(moved.y) * TURN).clamp(-1.5, 1.5);
                let painter = ui.painter_at(rect);
                painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
                let look = Look { seen: *seen, base: colour(RIVALS[index]), dark: ctx.colours.panel };
                painter.add(Arc::new(look.mesh(measured, places, rect)));
                ui.weak(t(key));
            });
        }
    });
}

struct Look {
    seen: [f64; 2],
    base: Color32,
    dark: Color32,
}

impl Look {
    /// Right, up and towards the eye.
    fn turned(&self, at: &Vec3) -> Vec3 {
        let ((ys, yc), (ps, pc)) = (self.seen[0].sin_cos(), self.seen[1].sin_cos());
        let (x, z) = (at.x * yc + at.z * ys, at.z * yc - at.x * ys);
        Vec3::new(x, at.y * pc - z * ps, at.y * ps + z * pc)
    }

    /// The triangles from the farthest to the nearest, brighter the more they face the eye.
    fn mesh(&self, measured: &Measured, places: &[Vec3], rect: egui::Rect) -> Mesh {
        let seen: Vec<Vec3> = places.iter().map(|at| self.turned(at)).collect();
        let both = measured.posed.linear.iter().chain(&measured.posed.dual).map(|at| self.turned(at));
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for at in both {
            (low, high) = (low.inf(&at), high.sup(&at));
        }
        let (middle, size) = ((low + high) / 2.0, high - low);
        let scale = (f64::from(rect.width()) / size.x.max(1e-9)).min(f64::from(rect.height()) / size.y.max(1e-9)) * 0.9;
        let at = |place: &Vec3| {
            let own = (place - middle) * scale;
            pos2(rect.center().x + own.x as f32, rect.center().y - own.y as f32)
        };
        let corner = |index: u32| seen.get(index as usize).copied().unwrap_or_default();
        let mut order: Vec<(f64, [Vec3; 3])> = measured
            .limb
            .triangles
            .iter()
            .map(|triangle| {
                let corners = triangle.map(corner);
                (corners.iter().map(|at| at.z).sum(), corners)
            })
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut mesh = Mesh::default();
        for (_, corners) in order {
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let facing = normal.try_normalize(1e-18).map_or(0.0, |normal| normal.z.abs());
            let colour = self.dark.lerp_to_gamma(self.base, (0.25 + 0.75 * facing) as f32);
            let first = u32::try_from(mesh.vertices.len()).unwrap_or(0);
            for place in &corners {
                mesh.vertices.push(Vertex { pos: at(place), uv: egui::epaint::WHITE_UV, color: colour });
            }
            mesh.indices.extend([first, first + 1, first + 2]);
        }
        mesh
    }
}
