//! How much of each morph target acts: its own weight, what mixtures add to it, and for correctives what the others make together.

use crate::{
    math::Vec3,
    model::{Mesh, MorphId, MorphRule},
};

/// A place with shapes added to it: of each its difference times its weight, which may be beyond 0..1 (E-DEF-5).
#[must_use]
pub fn blended(base: &Vec3, shapes: impl Iterator<Item = (Vec3, f64)>) -> Vec3 {
    shapes.fold(*base, |sum, (by, weight)| sum + by * weight)
}

/// How much of each morph target's shape acts, in their order, where their channels hold these weights: mixtures have no shape and
/// count as 0.
#[must_use]
pub fn acting_weights(mesh: &Mesh, own: &[f64]) -> Vec<f64> {
    let weight = |at: usize| own.get(at).copied().unwrap_or(0.0);
    if mesh.morphs.iter().all(|morph| morph.rule == MorphRule::Own) {
        return (0..mesh.morphs.len()).map(weight).collect();
    }
    let place = |id: MorphId| mesh.morphs.iter().position(|morph| morph.id == id);
    let mut out: Vec<f64> = (0..mesh.morphs.len()).map(weight).collect();
    for (at, morph) in mesh.morphs.iter().enumerate() {
        if let MorphRule::Mix(parts) = &morph.rule {
            out[at] = 0.0;
            for (to, share) in parts.iter().filter_map(|(id, share)| Some((place(*id)?, share))) {
                out[to] += weight(at) * share;
            }
        }
    }
    let mixed = out.clone();
    for (at, morph) in mesh.morphs.iter().enumerate() {
        if let MorphRule::Product(factors) = &morph.rule {
            let of = |id: &MorphId| place(*id).map_or(0.0, |at| mixed[at].clamp(0.0, 1.0));
            out[at] = mixed[at] * factors.iter().map(of).product::<f64>();
        }
    }
    out
}

/// How much of what shapes move they undo of each other, 0..1: `1 - sum |sum w d| / sum sum |w d|` over the vertices. 0 where nothing
/// moves.
#[must_use]
pub fn cancelled(mesh: &Mesh, acting: &[f64]) -> f64 {
    let shapes: Vec<_> = mesh.morphs.iter().zip(acting).filter(|(_, weight)| **weight != 0.0).collect();
    let (mut together, mut apart) = (0.0, 0.0);
    for vertex in 0..mesh.len() {
        let mut sum = Vec3::zeros();
        for (morph, weight) in &shapes {
            let Some(by) = morph.positions.get(vertex) else { continue };
            let by = Vec3::from(by.map(f64::from)) * **weight;
            apart += by.norm();
            sum += by;
        }
        together += sum.norm();
    }
    if apart > 0.0 { (1.0 - together / apart).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Geometry, MorphTarget};
    use std::sync::Arc;

    fn mesh() -> Mesh {
        let geometry = Geometry { positions: vec![[0.0; 3]; 2].into(), ..Geometry::default() };
        let shape = |id, by: [[f32; 3]; 2]| MorphTarget::new(MorphId(id), "it", by.to_vec().into());
        let mut both = shape(2, [[0.0, 0.0, 1.0]; 2]);
        both.rule = MorphRule::Product(vec![MorphId(0), MorphId(1)]);
        let mut mix = MorphTarget::new(MorphId(3), "mix", Vec::new().into());
        mix.rule = MorphRule::Mix(vec![(MorphId(0), 0.5), (MorphId(1), -0.2)]);
        let morphs = vec![shape(0, [[1.0, 0.0, 0.0]; 2]), shape(1, [[-1.0, 0.0, 0.0], [0.0; 3]]), both, mix];
        Mesh { geometry: Arc::new(geometry), morphs: morphs.into_iter().map(Arc::new).collect(), ..Mesh::default() }
    }

    #[test]
    fn mixtures_add_and_correctives_multiply() {
        let mesh = mesh();
        assert_eq!(acting_weights(&mesh, &[0.4, 0.0, 1.0, 0.0]), [0.4, 0.0, 0.0, 0.0]);
        let found = acting_weights(&mesh, &[0.4, 0.7, 2.0, 1.0]);
        let wanted = [0.9, 0.5, 2.0 * 0.9 * 0.5, 0.0];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        // Overdriven shapes are corrected as whole ones are, opposed ones not at all.
        assert_eq!(acting_weights(&mesh, &[3.0, 1.0, 1.0, 0.0])[2], 1.0);
        assert_eq!(acting_weights(&mesh, &[-3.0, 1.0, 1.0, 0.0])[2], 0.0);
    }

    #[test]
    fn what_shapes_undo_of_each_other_is_measured() {
        let mesh = mesh();
        assert_eq!(cancelled(&mesh, &[0.0; 4]), 0.0);
        assert_eq!(cancelled(&mesh, &[1.0, 0.0, 0.0, 0.0]), 0.0);
        // One of two vertices stays where it is: two of three metres are undone.
        assert!((cancelled(&mesh, &[1.0, 1.0, 0.0, 0.0]) - 2.0 / 3.0).abs() < 1e-12);
    }
}
