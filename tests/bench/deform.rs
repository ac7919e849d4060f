//! Lattices and skins by the clock: `cargo bench --bench deform`.
//!
//! 100,000 vertices within a lattice of 4 by 4 by 4 points, moved again and again as when a point is dragged; the whole frame of such
//! a drag before raster; and linear blend skinning with 4 influences. The machine's own limits stand beside: reading and writing
//! the same vertices, and the multiplications alone.

use inbetween::eval::deform::{Acting, LatticeShape, Step, bulk::Embedding};
use inbetween::eval::mesh::{MeshState, Poser};
use inbetween::eval::skin::{
    bind::{Binding, Bone, Method, bind},
    bulk,
    surface::Surface,
};
use inbetween::math::{Affine, Vec3, lattice::Basis};
use inbetween::model::{Lattice, Mesh};
use inbetween::progress::Progress;
use inbetween::samples::shapes::Shape;
use std::{hint::black_box, sync::Arc, time::Instant};

const ROUNDS: usize = 60;

/// The least time of a call, milliseconds.
fn least(mut work: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    least
}

fn moved(basis: Basis, seed: usize) -> LatticeShape {
    let lattice = Lattice { counts: [4; 3], bases: [basis; 3], size: Vec3::repeat(1.01), ..Lattice::default() };
    let wave = |n: usize| ((n * 7 + seed) % 11) as f64 / 55.0 - 0.1;
    let offsets = lattice.points().map(|(_, [i, j, k])| Vec3::new(wave(i + 2 * j), wave(j + 3 * k), wave(k + i)));
    LatticeShape::new(&lattice, offsets.collect())
}

fn step(lattice: LatticeShape) -> Step {
    Step {
        before_skin: false,
        place: Affine::IDENTITY,
        inverse: Affine::IDENTITY,
        influence: 1.0,
        mask: None,
        reach: 0.0,
        acting: Acting::Lattice(lattice),
    }
}

fn main() {
    // 6 faces of 128 quads a side: 99,846 vertices, 196,608 triangles.
    let mesh: Arc<Mesh> = Arc::new(Shape::Sphere.mesh(128));
    let count = mesh.len();
    println!(
        "a sphere of {count} vertices and {} triangles, the least of {ROUNDS} rounds",
        mesh.geometry.indices.len() / 3
    );
    let rest = mesh.geometry.positions.to_vec();
    let mut positions = rest.clone();
    let copy = least(|| positions.copy_from_slice(black_box(&rest)));
    println!("reading and writing the vertices: {copy:.3} ms");
    for basis in [Basis::BSpline, Basis::Bernstein] {
        let shape = moved(basis, 3);
        let find = least(|| {
            black_box(Embedding::new(black_box(&rest), &Affine::IDENTITY, &shape, None));
        });
        let embedding = Embedding::new(&rest, &Affine::IDENTITY, &shape, None);
        let apply = least(|| embedding.apply(black_box(&shape), |offset| *offset, &mut positions));
        println!(
            "{basis:?} 4x4x4: found in {find:.3} ms, moved in {apply:.3} ms (wanted 0.5), {:.2} ns a vertex",
            apply * 1e6 / count as f64
        );
    }
    let mut poser = Poser::default();
    let state = |seed: usize| MeshState {
        maps: vec![Affine::IDENTITY],
        steps: vec![step(moved(Basis::Bernstein, seed))],
        ..MeshState::default()
    };
    let mut seed = 0;
    let frame = least(|| {
        seed += 1;
        black_box(poser.pose(&mesh, &state(seed)));
    });
    println!("a frame of a dragged point, positions and normals: {frame:.3} ms (wanted 16.7)");
    skin(&rest);
}

fn skin(rest: &[[f32; 3]]) {
    // Nine neighbours share their four joints.
    let shared = (0..60).flat_map(|joint| (0..36).map(move |slot| (joint + slot % 4) % 60));
    let joints: Vec<u16> = shared.cycle().take(rest.len() * 4).collect();
    let weights: Vec<f32> = (0..rest.len()).flat_map(|_| [0.4, 0.3, 0.2, 0.1]).collect();
    let maps: Vec<bulk::Rows> = (0..60)
        .map(|joint| {
            let at = f64::from(joint) / 60.0;
            bulk::rows(&Affine { translation: Vec3::new(at, 1.0 - at, at * at), ..Affine::IDENTITY })
        })
        .collect();
    let bound = bulk::Bound { positions: rest, normals: &[], per_vertex: 4, influences: &joints, weights: &weights };
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let blend = least(|| bulk::linear_blend(black_box(&bound), &maps, &mut positions, &mut normals));
    // As many as one thread takes alone.
    let few = rest.len().min(16_000);
    let part =
        bulk::Bound { positions: &rest[..few], influences: &joints[..4 * few], weights: &weights[..4 * few], ..bound };
    let alone = least(|| bulk::linear_blend(black_box(&part), &maps, &mut positions, &mut normals));
    println!(
        "linear blend, 4 influences, positions: {blend:.3} ms (wanted 0.4 ms), one core {:.2} ns a vertex (wanted 4.5 ns)",
        alone * 1e6 / few as f64
    );
    binding();
}

/// A capsule of 100,000 vertices bound to 60 joints in three rows.
fn binding() {
    let mesh = Shape::Capsule.mesh(129);
    let bone = |joint: u16| {
        let along = f64::from(joint % 20) / 20.0 - 0.5;
        let side = [0.0, 0.1, -0.1][usize::from(joint / 20)];
        Bone { joint, from: [side, along, 0.0], to: [side, along + 0.05, 0.0] }
    };
    let bones: Vec<Bone> = (0..60).map(bone).collect();
    for method in [Method::Closest, Method::Envelope(2.0), Method::Heat(1.0)] {
        let start = std::time::Instant::now();
        let surface = Surface::new(&mesh.geometry.positions, &mesh.geometry.indices);
        let binding = Binding { method, most: 4 };
        black_box(bind(&surface, &bones, &binding, &Progress::new()).is_ok());
        let secs = start.elapsed().as_secs_f64();
        println!("binding {} vertices to 60 joints, {method:?}: {secs:.2} s (wanted 5 s)", mesh.len());
    }
}
