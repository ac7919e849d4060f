//! Solid things as one list of triangles in the world.
//!
//! A character is some sixty small meshes. Placing their few thousand vertices here and drawing them at once costs a
//! fraction of sixty draw calls, on software OpenGL and on a graphics card alike.

use super::scene::{Ghost, Instance, Mesh};
use crate::math::Affine;
use crate::style::Rgba;

/// Triangles ready for upload.
#[derive(Debug, Default)]
pub(super) struct Solids {
    /// Positions, world, and the slice of the depth they are drawn in.
    pub(super) positions: Vec<[f32; 4]>,
    /// Normals, world; about unit length, or zero for what takes no light.
    pub(super) normals: Vec<[f32; 3]>,
    /// Colours, straight alpha.
    pub(super) colors: Vec<[u8; 4]>,
    /// Three indices a triangle.
    pub(super) indices: Vec<u32>,
}

impl Solids {
    /// Forgets all but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.colors.clear();
        self.indices.clear();
    }

    /// Adds a placed mesh. One that is not finite, or whose parts disagree, is left out.
    pub(super) fn push(&mut self, instance: &Instance) {
        self.push_placed(&instance.mesh, &instance.world_from_mesh, instance.color);
    }

    /// Adds a ghost in its own slice of the depth, of which 0 is the nearest.
    pub(super) fn push_ghost(&mut self, ghost: &Ghost, slice: f32) {
        let mesh = &*ghost.mesh;
        let count = mesh.positions.len();
        let (Ok(base), Ok(limit)) = (u32::try_from(self.positions.len()), u32::try_from(count)) else { return };
        if mesh.normals.len() != count {
            return;
        }
        self.positions.extend(mesh.positions.iter().map(|[x, y, z]| [*x, *y, *z, slice]));
        if ghost.flat {
            self.normals.resize(self.positions.len(), [0.0; 3]);
        } else {
            self.normals.extend_from_slice(&mesh.normals);
        }
        self.colors.resize(self.positions.len(), ghost.color.0);
        let sound = mesh.indices.chunks_exact(3).filter(|triangle| triangle.iter().all(|index| *index < limit));
        self.indices.extend(sound.flatten().map(|index| base + index));
    }

    /// Adds a placed mesh of one colour.
    pub(super) fn push_placed(&mut self, mesh: &Mesh, world_from_mesh: &Affine, color: Rgba) {
        let count = mesh.positions.len();
        let Ok(base) = u32::try_from(self.positions.len()) else { return };
        let Ok(limit) = u32::try_from(count) else { return };
        if mesh.normals.len() != count || !is_finite(world_from_mesh) {
            return;
        }
        let place = rows(world_from_mesh);
        let turn = normal_rows(world_from_mesh);
        self.positions.extend(mesh.positions.iter().map(|p| {
            let [x, y, z] = place.map(|row| dot3(row, *p) + row[3]);
            [x, y, z, 0.0]
        }));
        self.normals.extend(mesh.normals.iter().map(|n| turn.map(|row| dot3(row, *n))));
        self.colors.resize(self.positions.len(), color.0);
        // A mirrored placement would turn front faces into back faces.
        let mirrored = world_from_mesh.linear.determinant() < 0.0;
        for triangle in mesh.indices.chunks_exact(3) {
            if let &[a, b, c] = triangle
                && a < limit
                && b < limit
                && c < limit
            {
                let [b, c] = if mirrored { [c, b] } else { [b, c] };
                self.indices.extend([base + a, base + b, base + c]);
            }
        }
    }
}

fn dot3(row: [f32; 4], v: [f32; 3]) -> f32 {
    row[0] * v[0] + row[1] * v[1] + row[2] * v[2]
}

fn is_finite(place: &Affine) -> bool {
    place.linear.iter().chain(place.translation.iter()).all(|x| x.is_finite())
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn rows(place: &Affine) -> [[f32; 4]; 3] {
    let (m, t) = (&place.linear, &place.translation);
    [0, 1, 2].map(|row| [m[(row, 0)] as f32, m[(row, 1)] as f32, m[(row, 2)] as f32, t[row] as f32])
}

/// Rows of the map that carries normals: the cofactor matrix, which unlike the inverse transpose exists for every
/// placement, scaled to keep a uniformly scaled normal at unit length.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn normal_rows(place: &Affine) -> [[f32; 4]; 3] {
    let m = &place.linear;
    let (x, y, z) = (m.column(0), m.column(1), m.column(2));
    let cofactors = [y.cross(&z), z.cross(&x), x.cross(&y)];
    let det = cofactors[0].dot(&x);
    let size = det.abs().powf(2.0 / 3.0) * det.signum();
    let scale = if size.abs() > 1e-30 { 1.0 / size } else { 1.0 };
    [0, 1, 2].map(|row| {
        let [a, b, c] = [0, 1, 2].map(|column: usize| (cofactors[column][row] * scale) as f32);
        [a, b, c, 0.0]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::render::scene::Mesh;
    use crate::style::Rgba;
    use std::sync::Arc;

    fn triangle() -> Arc<Mesh> {
        Arc::new(Mesh {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            indices: vec![0, 1, 2, 0, 1, 9],
        })
    }

    fn placed(world_from_mesh: Affine) -> Solids {
        let mut solids = Solids::default();
        solids.push(&Instance { mesh: triangle(), world_from_mesh, color: Rgba::hex(0xff_0000) });
        solids
    }

    #[test]
    fn a_mesh_is_placed_and_a_bad_index_left_out() {
        let solids = placed(Affine { linear: Mat3::identity() * 2.0, translation: Vec3::new(1.0, 2.0, 3.0) });
        assert_eq!(solids.positions, [[1.0, 2.0, 3.0, 0.0], [3.0, 2.0, 3.0, 0.0], [1.0, 4.0, 3.0, 0.0]]);
        assert!((solids.normals[0][2] - 1.0).abs() < 1e-6);
        assert_eq!(solids.indices, [0, 1, 2]);
    }

    #[test]
    fn a_ghost_lies_in_its_slice_and_a_silhouette_takes_no_light() {
        let ghost = |flat| Ghost { mesh: triangle(), color: Rgba::hex(0).with_alpha(80), flat };
        let mut solids = Solids::default();
        solids.push_ghost(&ghost(false), 0.0);
        solids.push_ghost(&ghost(true), 1.0);
        assert_eq!(solids.positions.iter().map(|p| p[3]).collect::<Vec<_>>(), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!((solids.normals[0], solids.normals[3]), ([0.0, 0.0, 1.0], [0.0; 3]));
        assert_eq!(solids.indices, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_mirrored_mesh_keeps_its_front_and_its_normal_follows() {
        let solids = placed(Affine { linear: Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0)), ..Affine::IDENTITY });
        assert_eq!(solids.indices, [0, 2, 1]);
        assert!((solids.normals[0][2] + 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_squashed_or_broken_placement_is_harmless() {
        let flat = placed(Affine { linear: Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0)), ..Affine::IDENTITY });
        assert!(flat.normals.iter().flatten().all(|x| x.is_finite()));
        let broken = placed(Affine { translation: Vec3::new(f64::NAN, 0.0, 0.0), ..Affine::IDENTITY });
        assert!(broken.positions.is_empty());
    }
}
