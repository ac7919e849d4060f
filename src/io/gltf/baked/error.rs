//! How far baked meshes are from what they were baked from.

use super::{clip::Moving, part};
use crate::{
    eval::mesh::vertex_position,
    io::{
        gltf::export::{GltfExport, GltfExportError},
        report::Report,
    },
    model::{Document, Mesh, ObjectId},
    progress::{Progress, on_cores},
};

/// So many places of vertices are compared at most, over all times of a clip.
const COMPARED: usize = 20_000_000;

/// At most so many times of a clip are compared.
const MOST_TIMES: usize = 1_000;

/// Measures a mesh object in every clip, between the times that were baked, and tells what was done and how far it is off.
pub(super) fn tell(
    document: &Document,
    out: &Document,
    (id, count): (ObjectId, usize),
    moving: &[Moving],
    options: &GltfExport,
    (progress, report): (&Progress, &mut Report),
) -> Result<(), GltfExportError> {
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for one in moving {
        let Some(written) = one.clip.and_then(|clip| Moving::new(out, clip, id, options.bake_dual)) else { continue };
        let (from, to) = (one.document().object(id), written.document().object(id));
        let (Some(from), Some(to)) = (from.and_then(|o| o.as_mesh()), to.and_then(|o| o.as_mesh())) else { continue };
        let most = (COMPARED / from.len().max(1)).clamp(8, MOST_TIMES);
        let step = one.times.len().div_ceil(most).max(1);
        progress.start("Measuring", (one.times.len() / step) as u64);
        for pair in one.times.windows(2).step_by(step) {
            progress.check()?;
            progress.advance(1);
            // Off the middle, which was looked at.
            let secs = pair[0] + 0.63 * (pair[1] - pair[0]);
            worst = worst.max(apart((one, from), (&written, to), secs));
            compared += 1;
        }
    }
    let done = format!(
        "baked to {count} morph targets, written within {:.4} mm of every vertex ({compared} times compared; {:.4} mm asked)",
        worst * 1e3,
        options.shape_tolerance * 1e3,
    );
    let place = part(document, id);
    if worst > options.shape_tolerance {
        report.warn("deformer", place, "the deformer stack moves more than its morph targets can follow", done);
    } else {
        report.measured("deformer", place, "the deformer stack", done);
    }
    Ok(())
}

/// How far the worst vertex is off at a time, metres in the world.
fn apart((one, from): (&Moving, &Mesh), (written, to): (&Moving, &Mesh), secs: f64) -> f64 {
    let (Some(a), Some(b)) = (one.state(secs), written.state(secs)) else { return 0.0 };
    let parts = from.len().div_ceil(8_192).max(1);
    let share = from.len().div_ceil(parts);
    let ranges = (0..parts).map(|part| part * share..((part + 1) * share).min(from.len())).collect();
    let own = |vertex| Some((vertex_position(from, &a, vertex)? - vertex_position(to, &b, vertex)?).norm());
    let found = on_cores(ranges, parts, |range: std::ops::Range<usize>| range.filter_map(own).fold(0.0, f64::max));
    found.into_iter().fold(0.0, f64::max)
}
