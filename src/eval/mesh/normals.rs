//! Normals: of triangles, and of surfaces that were deformed.

/// A normal a vertex: the sum of those of the triangles around it, weighted by their areas.
#[must_use]
pub fn smooth_normals(positions: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0_f32; 3]; positions.len()];
    let at = |vertex: u32| positions.get(vertex as usize).copied().unwrap_or_default();
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
        let (u, v): ([f32; 3], [f32; 3]) = (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
        let n = cross(&u, &v);
        for vertex in triangle {
            if let Some(normal) = normals.get_mut(*vertex as usize) {
                normal.iter_mut().zip(n).for_each(|(normal, n)| *normal += n);
            }
        }
    }
    for normal in &mut normals {
        let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt();
        *normal = if length > 1e-30 { normal.map(|x| x / length) } else { [0.0, 1.0, 0.0] };
    }
    normals
}

fn cross(u: &[f32; 3], v: &[f32; 3]) -> [f32; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Below this the cosine is that of a turn about an axis that cannot be told: half a turn.
const OPPOSITE: f32 = -0.999;

/// Normals turned with a surface whose triangles turned: each by the least turn from the vertex's smooth normal before to that
/// after. What did not turn keeps its bits; hard edges stay hard.
pub(super) fn turned(normals: &[[f32; 3]], before: &[[f32; 3]], after: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let one = |((normal, a), b): ((&[f32; 3], &[f32; 3]), &[f32; 3])| {
        if a == b {
            return *normal;
        }
        let (axis, cos) = (cross(a, b), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        if cos < OPPOSITE {
            return normal.map(|value| -value);
        }
        // Rodrigues with the unscaled axis: n cos + axis x n + axis (axis . n) / (1 + cos).
        let along = (axis[0] * normal[0] + axis[1] * normal[1] + axis[2] * normal[2]) / (1.0 + cos);
        let across = cross(&axis, normal);
        std::array::from_fn(|k| normal[k] * cos + across[k] + axis[k] * along)
    };
    normals.iter().zip(before).zip(after).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_turn_as_their_surface_does() {
        let before = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let after = [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
        let normals = [[0.6, 0.0, 0.8], [0.3, 0.4, 0.1], [0.0, 1.0, 0.0]];
        let out = turned(&normals, &before, &after);
        let close = |a: &[f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        // A quarter turn about -X.
        assert!(close(&out[0], [0.6, 0.8, 0.0]), "{:?}", out[0]);
        assert_eq!(out[1], normals[1]);
        assert!(close(&out[2], [0.0, -1.0, 0.0]));
    }
}
