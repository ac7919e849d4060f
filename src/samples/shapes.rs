//! Meshes built by code: to try lattices and deformers on. Quads throughout, each as two triangles; where faces meet at an edge each
//! has vertices and normals of its own.

use crate::{
    math::Vec3,
    model::{Geometry, Mesh, MeshPart},
};
use std::{f64::consts::TAU, sync::Arc};

/// A shape that can be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A cube of one metre.
    Box,
    /// A sphere of one metre across: a cube's faces blown up, so that no vertex is a pole.
    Sphere,
    /// A cylinder, one metre high and half as wide.
    Cylinder,
    /// A cylinder with round ends.
    Capsule,
    /// A pipe.
    Tube,
    /// A square of one metre, flat on the ground.
    Plane,
    /// A person's head, a quarter of a metre high: brow, nose, eye sockets, lips and chin pressed out of a sphere.
    Head,
}

impl Shape {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 7] =
        [Self::Box, Self::Sphere, Self::Cylinder, Self::Capsule, Self::Tube, Self::Plane, Self::Head];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Box => "Box",
            Self::Sphere => "Sphere",
            Self::Cylinder => "Cylinder",
            Self::Capsule => "Capsule",
            Self::Tube => "Tube",
            Self::Plane => "Plane",
            Self::Head => "Head",
        }
    }

    /// The shape, its middle at the origin, with so many quads along a side (at least 1).
    #[must_use]
    pub fn mesh(self, pieces: u32) -> Mesh {
        let pieces = pieces.max(1);
        let mut builder = Builder::default();
        match self {
            Self::Box => builder.cube(pieces, |at| (at * 0.5, None)),
            Self::Sphere => builder.cube(pieces, |at| {
                let out = round(&at);
                (out * 0.5, Some(out))
            }),
            Self::Cylinder => {
                builder.around(pieces, (0.25, 0.25), |v| v - 0.5);
                builder.disc(pieces, 0.5);
                builder.disc(pieces, -0.5);
            }
            Self::Capsule => builder.capsule(pieces),
            Self::Tube => {
                builder.around(pieces, (0.25, 0.25), |v| v - 0.5);
                builder.around(pieces, (0.18, -0.18), |v| 0.5 - v);
                for side in [0.5, -0.5] {
                    builder.patch([4 * pieces, 1], |u, v| {
                        let radius = 0.18 + 0.07 * if side > 0.0 { 1.0 - v } else { v };
                        (ring(u, radius) + Vec3::y() * side, Some(Vec3::y() * side.signum()))
                    });
                }
            }
            // Three times as fine: a nose is a small part of a face.
            Self::Head => builder.cube(3 * pieces, |at| (head(&round(&at)), Some(head_normal(&round(&at))))),
            Self::Plane => {
                builder.patch([pieces; 2], |u, v| (Vec3::new(u - 0.5, 0.0, 0.5 - v), Some(Vec3::y())));
            }
        }
        builder.finish(self.name())
    }
}

/// A dent or a bump of a head: the direction of its middle, how wide it is each way, how high.
const FEATURES: [([f64; 3], [f64; 3], f64); 12] = [
    // Nose: bridge, tip, wings.
    ([0.0, 0.05, 1.0], [0.10, 0.22, 1.0], 0.008),
    ([0.0, -0.14, 1.0], [0.13, 0.13, 1.0], 0.020),
    ([0.12, -0.20, 1.0], [0.08, 0.07, 1.0], 0.006),
    ([-0.12, -0.20, 1.0], [0.08, 0.07, 1.0], 0.006),
    // Eye sockets, and brows above them.
    ([0.34, 0.10, 0.93], [0.19, 0.11, 1.0], -0.013),
    ([-0.34, 0.10, 0.93], [0.19, 0.11, 1.0], -0.013),
    ([0.28, 0.30, 0.92], [0.26, 0.10, 1.0], 0.005),
    ([-0.28, 0.30, 0.92], [0.26, 0.10, 1.0], 0.005),
    // Lips, the line between them, the hollow below, the chin.
    ([0.0, -0.46, 0.9], [0.24, 0.10, 1.0], 0.007),
    ([0.0, -0.465, 0.9], [0.20, 0.022, 1.0], -0.005),
    ([0.0, -0.62, 0.8], [0.20, 0.07, 1.0], -0.004),
    ([0.0, -0.80, 0.62], [0.24, 0.16, 1.0], 0.012),
];

/// A place on a head, in a direction from its middle.
fn head(out: &Vec3) -> Vec3 {
    // An egg, narrower below and at the temples, longer to the back above.
    let low = (-out.y).max(0.0);
    let wide = 0.078 * (1.0 - 0.22 * low * low);
    let deep = 0.098 - 0.014 * low + if out.z < 0.0 { 0.006 * (1.0 - low) - 0.030 * low } else { 0.0 };
    let base = Vec3::new(wide * out.x, 0.122 * out.y, deep * out.z);
    let raised: f64 = FEATURES
        .iter()
        .map(|(middle, size, height)| {
            let middle = Vec3::from(*middle).normalize();
            let off = out - middle;
            let part = (off.x / size[0]).powi(2) + (off.y / size[1]).powi(2) + (off.z / size[2]).powi(2);
            // A bump without an edge, nothing beyond three times its size.
            let rest = (1.0 - part / 9.0).max(0.0);
            height * rest.powi(4)
        })
        .sum();
    base + Vec3::new(0.3 * out.x, 0.3 * out.y, out.z).try_normalize(0.0).unwrap_or_else(Vec3::z) * raised
}

/// The normal of a head in a direction: across two small ways along it.
fn head_normal(out: &Vec3) -> Vec3 {
    let side = if out.y.abs() < 0.9 { Vec3::y() } else { Vec3::x() };
    let a = out.cross(&side).normalize();
    let b = out.cross(&a);
    let step = 1e-4;
    let along = |way: &Vec3| head(&(out + way * step).normalize()) - head(&(out - way * step).normalize());
    along(&a).cross(&along(&b)).try_normalize(0.0).unwrap_or(*out)
}

/// A place on a circle about Y, going round so that patches face outwards.
fn ring(u: f64, radius: f64) -> Vec3 {
    let (sin, cos) = (-TAU * u).sin_cos();
    Vec3::new(cos, 0.0, sin) * radius
}

/// The direction of a place on a cube's face, spread evenly: by the angle on the face, not its tangent.
fn round(at: &Vec3) -> Vec3 {
    at.map(|x| (x * TAU / 8.0).tan()).try_normalize(0.0).unwrap_or_else(Vec3::y)
}

#[derive(Default)]
struct Builder {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
}

#[expect(clippy::cast_possible_truncation, reason = "vertices are held in single precision")]
fn narrow(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

impl Builder {
    /// A patch of quads over 0..1 by 0..1: place and normal (none: that of the patch). It faces where the way along u and that along
    /// v make a right hand.
    fn patch(&mut self, [across, up]: [u32; 2], at: impl Fn(f64, f64) -> (Vec3, Option<Vec3>)) {
        let first = self.positions.len() as u32;
        let flat = {
            let (o, a, b) = (at(0.0, 0.0).0, at(1.0, 0.0).0, at(0.0, 1.0).0);
            (a - o).cross(&(b - o)).try_normalize(0.0).unwrap_or_else(Vec3::y)
        };
        for j in 0..=up {
            for i in 0..=across {
                let (u, v) = (f64::from(i) / f64::from(across), f64::from(j) / f64::from(up));
                let (place, normal) = at(u, v);
                self.positions.push(narrow(&place));
                self.normals.push(narrow(&normal.unwrap_or(flat)));
                #[expect(clippy::cast_possible_truncation, reason = "texture coordinates are in single precision")]
                self.uvs.push([u as f32, 1.0 - v as f32]);
            }
        }
        let row = across + 1;
        for j in 0..up {
            for i in 0..across {
                let corner = first + j * row + i;
                self.indices.extend([corner, corner + 1, corner + row + 1, corner, corner + row + 1, corner + row]);
            }
        }
    }

    /// The six faces of the cube from -1 to 1.
    fn cube(&mut self, pieces: u32, place: impl Fn(Vec3) -> (Vec3, Option<Vec3>)) {
        for axis in 0..3 {
            for side in [1.0, -1.0] {
                let (across, up) = if side > 0.0 { (axis + 1, axis + 2) } else { (axis + 2, axis + 1) };
                self.patch([pieces; 2], |u, v| {
                    let mut at = Vec3::zeros();
                    at[axis] = side;
                    at[across % 3] = 2.0 * u - 1.0;
                    at[up % 3] = 2.0 * v - 1.0;
                    place(at)
                });
            }
        }
    }

    /// A wall around Y of a radius; its normals point outwards where the second number is positive.
    fn around(&mut self, pieces: u32, (radius, outward): (f64, f64), height: impl Fn(f64) -> f64) {
        self.patch([4 * pieces, 2 * pieces], |u, v| {
            (ring(u, radius) + Vec3::y() * height(v), Some(ring(u, f64::signum(outward))))
        });
    }

    /// A disc of half a metre across at a height, its squares pressed into the round; it faces away from the middle.
    fn disc(&mut self, pieces: u32, height: f64) {
        self.patch([pieces; 2], |u, v| {
            let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
            // The elliptical map of the square to the disc.
            let (dx, dy) = (x * (1.0 - y * y / 2.0).sqrt(), y * (1.0 - x * x / 2.0).sqrt());
            let side = if height > 0.0 { -1.0 } else { 1.0 };
            (Vec3::new(0.25 * dx, height, 0.25 * dy * side), Some(Vec3::y() * height.signum()))
        });
    }

    /// Half spheres of a cube's faces, with a wall between.
    fn capsule(&mut self, pieces: u32) {
        let (radius, half) = (0.25, 0.25);
        self.cube(pieces, |at| {
            let out = round(&at);
            // The sides of the cube are drawn out along Y into the wall.
            let along = if at.y.abs() >= 1.0 { at.y.signum() } else { (2.0 * at.y).clamp(-1.0, 1.0) };
            (out * radius + Vec3::y() * half * along, Some(out))
        });
    }

    fn finish(self, name: &str) -> Mesh {
        let (vertices, indices) = (self.positions.len() as u32, self.indices.len() as u32);
        let geometry = Geometry {
            positions: self.positions.into(),
            normals: self.normals.into(),
            uvs: self.uvs.into(),
            colors: Arc::from(Vec::new()),
            indices: self.indices.into(),
        };
        Mesh {
            name: name.to_owned(),
            geometry: Arc::new(geometry),
            parts: vec![MeshPart { vertices, indices, material: None }],
            ..Mesh::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_sound_and_faces_outwards() {
        for shape in Shape::ALL {
            let mesh = shape.mesh(6);
            assert_eq!(mesh.faults(), Vec::<String>::new(), "{shape:?}");
            let at = |index: u32| Vec3::from(mesh.geometry.positions[index as usize].map(f64::from));
            let mut volume = 0.0;
            for triangle in mesh.geometry.indices.chunks_exact(3) {
                let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
                let across = (b - a).cross(&(c - a));
                let normal = Vec3::from(mesh.geometry.normals[triangle[0] as usize].map(f64::from));
                assert!((normal.norm() - 1.0).abs() < 1e-6);
                assert!(across.dot(&normal) > 0.0 || across.norm() < 1e-9, "{shape:?} {a:?} {b:?} {c:?}");
                volume += a.dot(&b.cross(&c)) / 6.0;
            }
            let wanted = match shape {
                Shape::Box => 1.0,
                Shape::Sphere => TAU / 12.0,
                Shape::Cylinder => TAU / 32.0,
                // A sphere and a wall, the wall shorter by what the round map takes.
                Shape::Capsule => TAU / 96.0 + TAU / 64.0,
                Shape::Tube => TAU / 2.0 * (0.25 * 0.25 - 0.18 * 0.18),
                Shape::Plane => 0.0,
                // About an egg of these half axes.
                Shape::Head => TAU * 2.0 / 3.0 * 0.076 * 0.122 * 0.098,
            };
            assert!((volume - wanted).abs() < 0.06 * wanted + 1e-9, "{shape:?}: {volume} for {wanted}");
        }
    }
}
