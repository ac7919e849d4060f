//! What lattices of several sizes hold and take, and what the one in hand takes on its meshes.

use super::{Seen, basis_key};
use crate::{
    eval::{
        deform::{bulk::Embedding, deformed_by, influence::Probe},
        mesh::{mesh_state, posed},
    },
    math::lattice::Basis,
    text::{fill, t},
    ui::panel::PanelContext,
};
use egui::{Grid, Ui};
use std::time::Instant;

/// Points an axis of the rows.
const COUNTS: [usize; 4] = [2, 4, 8, 16];
/// How often a mesh is moved to take the time.
const ROUNDS: u32 = 16;

pub(super) fn table(ui: &mut Ui, seen: &Seen<'_>) {
    Grid::new("lattice cost").striped(true).spacing([14.0, 2.0]).show(ui, |ui| {
        for key in ["basis", "points", "channels", "reach", "work"] {
            ui.weak(t(&format!("lattice_lab.{key}")));
        }
        ui.end_row();
        let shape = &seen.shape;
        row(ui, &t("lattice_lab.own"), shape.counts, shape.bases);
        for basis in Basis::ALL {
            for count in COUNTS {
                row(ui, &format!("{} {count}³", t(basis_key(basis))), [count; 3], [basis; 3]);
            }
        }
    });
}

fn row(ui: &mut Ui, name: &str, counts: [usize; 3], bases: [Basis; 3]) {
    let points: usize = counts.iter().product();
    let [x, y, z] = [0, 1, 2].map(|axis: usize| bases[axis].reach(counts[axis]));
    ui.label(name);
    // Summed along X, then Y, then Z, for each of three coordinates.
    for number in [points, 3 * points, x * y * z, 3 * (x * y * z + y * z + z)] {
        ui.label(number.to_string());
    }
    ui.end_row();
}

/// Moves the meshes under a lattice and says how long that took.
pub(super) fn measured(ctx: &PanelContext<'_>, seen: &Seen<'_>) -> String {
    let (mut all, mut within, mut find, mut moving) = (0, 0, 0.0, f64::INFINITY);
    for (id, object) in deformed_by(ctx.document, seen.id) {
        let (Some(mesh), Some(state)) = (object.as_mesh(), mesh_state(ctx.document, ctx.frame, id)) else { continue };
        let Some(world) = ctx.frame.objects.get(&seen.id).and_then(|placed| placed.world.try_inverse()) else {
            continue;
        };
        let bare = crate::eval::mesh::MeshState { steps: Vec::new(), ..state };
        let mut positions = posed(mesh, &bare).positions;
        let start = Instant::now();
        let embedding = Embedding::new(&positions, &world, &seen.shape, None);
        find += start.elapsed().as_secs_f64();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            embedding.apply(&seen.shape, |offset| *offset, &mut positions);
            moving = moving.min(start.elapsed().as_secs_f64());
        }
        all += mesh.len();
        within += Probe::new(ctx.document, ctx.frame, id, seen.id).map_or(0, |probe| probe.within());
    }
    if within == 0 {
        return t("lattice.deforms_nothing").into_owned();
    }
    let millis = |secs: f64| format!("{:.3}", secs * 1e3);
    let each = format!("{:.2}", moving * 1e9 / within as f64);
    fill(
        "lattice_lab.measured",
        &[("vertices", &within), ("all", &all), ("find", &millis(find)), ("move", &millis(moving)), ("each", &each)],
    )
}
