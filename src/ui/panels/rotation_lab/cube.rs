//! A cube whose matrix is interpolated number by number, beside one that is turned.

use super::{globe::Globe, state::State};
use crate::{
    eval::rotation_lab::{Shape, lerp_matrix},
    math::{Mat3, Quat, Vec3, rotation::slerp},
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{
            chart::{Chart, Item},
            drag_field::number_text,
        },
    },
};
use egui::{Color32, Grid, Shape as Drawn, Stroke, Ui};

/// Half an edge of the cube: its corners lie within the ball.
const HALF: f64 = 0.55;
/// Points of the curve of volumes.
const POINTS: u32 = 48;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, state: &mut State, (from, to): (&Quat, &Quat), part: f64) {
    let [a, b] = [from, to].map(|q| *q.to_rotation_matrix().matrix());
    let lerped = lerp_matrix(&a, &b, part);
    let turned = *slerp(from, to, part).to_rotation_matrix().matrix();
    let side = ((ui.available_width() - 8.0) / 2.0).clamp(90.0, 190.0);
    ui.horizontal(|ui| {
        for (matrix, key) in [(&lerped, "rotation_lab.matrix_lerp"), (&turned, "rotation_lab.turned")] {
            let name = t(key);
            let (globe, response) = Globe::new(ui, &name, side, &state.camera, ctx.colours);
            if let Some(camera) = Globe::turned(&response, &state.camera) {
                state.camera = camera;
            }
            paint(&globe, matrix, ctx.colours.axes, ctx.colours.text);
            globe.caption(&name, ctx.colours.weak);
        }
    });
    figures(ui, [&lerped, &turned]);
    let volume = |part: f64| Shape::of(&lerp_matrix(&a, &b, part)).determinant;
    let line = (0..=POINTS).map(|i| f64::from(i) / f64::from(POINTS)).map(|part| [part, volume(part)]).collect();
    let name = t("rotation_lab.volume_plot");
    let ends = ["t = 0".to_owned(), "1".to_owned(), "0".to_owned(), "det 1".to_owned()];
    let chart = Chart { name: &name, x: (0.0, 1.0), y: (0.0, 1.05), ends, height: 76.0 };
    let items = [
        Item::Line(vec![[0.0, 1.0], [1.0, 1.0]], ctx.colours.weak, true),
        Item::Line(line, ctx.colours.warn, false),
        Item::Upright(part, ctx.colours.accent),
        Item::Dots(vec![[part, volume(part)]], ctx.colours.accent_text),
    ];
    chart.show(ui, ctx.colours, &items);
}

fn paint(globe: &Globe<'_>, matrix: &Mat3, axes: [Color32; 3], edge: Color32) {
    let corner = |signs: [f64; 3]| matrix * (Vec3::from(signs) * HALF);
    let mut faces: Vec<(f64, Vec<Vec3>, Color32)> = Vec::with_capacity(6);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let place = |u: f64, v: f64| {
                let mut signs = [0.0; 3];
                (signs[axis], signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (side, u, v);
                corner(signs)
            };
            let corners = vec![place(-1.0, -1.0), place(1.0, -1.0), place(1.0, 1.0), place(-1.0, 1.0)];
            let middle = corners.iter().sum::<Vec3>() / 4.0;
            let depth = middle.dot(&globe.view.toward_eye(&Vec3::zeros()));
            // The negative side is darker, so that a mirrored cube is told from a turned one.
            let shade = if side > 0.0 { 0.75 } else { 0.4 };
            faces.push((depth, corners, axes[axis].gamma_multiply(shade)));
        }
    }
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, corners, colour) in faces {
        let seen: Vec<egui::Pos2> = corners.iter().map(|corner| globe.at(corner)).collect();
        let edges = [0, 1, 2, 3].map(|at: usize| [seen[at], seen[(at + 1) % 4]]);
        globe.painter.add(Drawn::convex_polygon(seen, colour, Stroke::NONE));
        // One by one: where a face is pressed flat a joined outline would grow spikes.
        for ends in edges {
            globe.painter.line_segment(ends, Stroke::new(1.0, edge));
        }
    }
}

fn figures(ui: &mut Ui, [lerped, turned]: [&Mat3; 2]) {
    let shapes = [Shape::of(lerped), Shape::of(turned)];
    Grid::new("rotation lab cubes").num_columns(3).spacing([10.0, 1.0]).show(ui, |ui| {
        let mut row = |key: &str, texts: [String; 2]| {
            ui.label(egui::RichText::new(t(key)).weak()).on_hover_text(t(&format!("{key}_hint")).into_owned());
            texts.into_iter().for_each(|text| drop(ui.label(text)));
            ui.end_row();
        };
        row("rotation_lab.determinant", shapes.map(|shape| number_text(shape.determinant, 4)));
        row(
            "rotation_lab.shear",
            shapes.map(|shape| match shape.shear {
                Some(shear) => fill("rotation_lab.degrees", &[("degrees", &number_text(shear.to_degrees(), 2))]),
                None => t("rotation_lab.flat").into_owned(),
            }),
        );
        row("rotation_lab.edges", shapes.map(|shape| shape.edges.map(|edge| number_text(edge, 3)).join("  ")));
    });
}
