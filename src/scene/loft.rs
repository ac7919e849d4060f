//! Closed low-polygon bodies made of rings: limbs, blocks, eggs, wedges.

use crate::math::Vec3;
use crate::render::Mesh;

/// One cross-section: a superellipse about `centre` with half axes `u` and `v`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    /// Its middle.
    pub(super) centre: Vec3,
    /// Half axis; `u x v` points along the body.
    pub(super) u: Vec3,
    /// The other half axis.
    pub(super) v: Vec3,
    /// Exponent: 2 is an ellipse, more is boxier.
    pub(super) power: f64,
}

/// A body through `rings`, closed at both ends by a fan about the first and last centre. Fewer than two rings or three
/// sides give an empty mesh.
pub(super) fn loft(rings: &[Ring], sides: u32) -> Mesh {
    let mut points: Vec<Vec3> = Vec::new();
    let mut indices = Vec::new();
    let (Some(first), Some(last), Ok(count)) = (rings.first(), rings.last(), u32::try_from(rings.len())) else {
        return Mesh::default();
    };
    if count < 2 || sides < 3 {
        return Mesh::default();
    }
    for ring in rings {
        for k in 0..sides {
            // Half a step round, so that a box of eight sides has its faces across the axes.
            let angle = std::f64::consts::TAU * (f64::from(k) + 0.5) / f64::from(sides);
            let bend = |x: f64| x.signum() * x.abs().powf(2.0 / ring.power.max(0.5));
            points.push(ring.centre + ring.u * bend(angle.cos()) + ring.v * bend(angle.sin()));
        }
    }
    for ring in 0..count - 1 {
        for k in 0..sides {
            let next = (k + 1) % sides;
            let (a, b) = (ring * sides + k, ring * sides + next);
            indices.extend([a, b, b + sides, a, b + sides, a + sides]);
        }
    }
    let (bottom, top) = (count * sides, count * sides + 1);
    points.extend([first.centre, last.centre]);
    let upper = (count - 1) * sides;
    for k in 0..sides {
        let next = (k + 1) % sides;
        indices.extend([bottom, next, k, top, upper + k, upper + next]);
    }
    finish(&points, indices)
}

/// A mesh with the average normal of the triangles about each vertex, weighted by area.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn finish(points: &[Vec3], indices: Vec<u32>) -> Mesh {
    let mut normals = vec![Vec3::zeros(); points.len()];
    for triangle in indices.chunks_exact(3) {
        let corners = [triangle[0] as usize, triangle[1] as usize, triangle[2] as usize];
        let [a, b, c] = corners.map(|i| points[i]);
        let normal = (b - a).cross(&(c - a));
        for corner in corners {
            normals[corner] += normal;
        }
    }
    let single = |v: &Vec3| [v.x as f32, v.y as f32, v.z as f32];
    Mesh {
        positions: points.iter().map(single).collect(),
        normals: normals.iter().map(|n| single(&n.try_normalize(1e-300).unwrap_or_else(Vec3::y))).collect(),
        indices,
    }
}

/// How wide a body is at one place of its axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// Place along the axis, 0 at its start, 1 at its end.
    pub(super) t: f64,
    /// Half width along the first half axis.
    pub(super) wide: f64,
    /// Half width across it.
    pub(super) deep: f64,
}

/// A body with rounded ends about a straight axis.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// Start of the axis.
    pub(super) a: Vec3,
    /// End of the axis.
    pub(super) b: Vec3,
    /// Direction of the first half axis; its part along the axis is taken off.
    pub(super) u: Vec3,
    /// Widths, from the start on.
    pub(super) sections: Vec<Section>,
    /// How far the rounded ends reach beyond `a` and `b`.
    pub(super) round: [f64; 2],
    /// Exponent of the cross-section.
    pub(super) power: f64,
    /// Corners of the cross-section, and how finely the ends are rounded.
    pub(super) sides: u32,
}

impl Solid {
    /// A limb of radius `ra` at `a` and `rb` at `b`, with a swelling of muscle as a fraction of the radius.
    pub(super) fn limb(a: Vec3, b: Vec3, u: Vec3, [ra, rb]: [f64; 2], swell: f64, sides: u32) -> Self {
        let steps = if swell > 0.0 { 3 } else { 1 };
        let section = |i: u32| {
            let t = f64::from(i) / f64::from(steps);
            let radius = (ra + (rb - ra) * t) * (1.0 + swell * swelling(t));
            Section { t, wide: radius, deep: radius }
        };
        Self { a, b, u, sections: (0..=steps).map(section).collect(), round: [ra, rb], power: 2.0, sides }
    }

    /// Its mesh.
    pub(super) fn mesh(&self) -> Mesh {
        let along = self.b - self.a;
        let axis = along.try_normalize(1e-12).unwrap_or_else(Vec3::y);
        let u = across(&self.u, &axis);
        let v = axis.cross(&u);
        let ring = |centre: Vec3, section: &Section, scale: f64| Ring {
            centre,
            u: u * (section.wide * scale),
            v: v * (section.deep * scale),
            power: self.power,
        };
        // A quarter ellipse in one or two steps at either end.
        let cap: &[(f64, f64)] = if self.sides > 6 { &[(0.96, 0.28), (0.70, 0.72)] } else { &[(0.75, 0.55)] };
        let mut rings = Vec::new();
        if let Some(first) = self.sections.first() {
            rings.extend(cap.iter().map(|(out, scale)| ring(self.a - axis * (self.round[0] * out), first, *scale)));
        }
        rings.extend(self.sections.iter().map(|section| ring(self.a + along * section.t, section, 1.0)));
        if let Some(last) = self.sections.last() {
            let ends = cap.iter().rev();
            rings.extend(ends.map(|(out, scale)| ring(self.b + axis * (self.round[1] * out), last, *scale)));
        }
        loft(&rings, self.sides)
    }
}

/// 0 at the ends, 1 a third of the way: where muscle lies.
fn swelling(t: f64) -> f64 {
    let s = t.clamp(0.0, 1.0).powf(0.63);
    (std::f64::consts::PI * s).sin().max(0.0)
}

/// `direction` without its part along the unit vector `axis`, of unit length; some vector across where nothing is left.
pub(super) fn across(direction: &Vec3, axis: &Vec3) -> Vec3 {
    let other = if axis.x.abs() < 0.8 { Vec3::x() } else { Vec3::z() };
    let flat = |v: &Vec3| (v - axis * v.dot(axis)).try_normalize(1e-9);
    flat(direction).or_else(|| flat(&other)).unwrap_or_else(Vec3::y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limb() -> Mesh {
        let (a, b) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.1, 0.9, 0.4));
        Solid::limb(a, b, Vec3::x(), [0.08, 0.05], 0.1, 8).mesh()
    }

    fn point(mesh: &Mesh, index: u32) -> Vec3 {
        Vec3::from(mesh.positions[index as usize].map(f64::from))
    }

    #[test]
    fn a_body_is_closed_and_faces_outwards() {
        let mesh = limb();
        let mut edges = std::collections::BTreeMap::new();
        let mut volume = 0.0;
        for t in mesh.indices.chunks_exact(3) {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *edges.entry((a, b)).or_insert(0) += 1;
            }
            volume += point(&mesh, t[0]).dot(&point(&mesh, t[1]).cross(&point(&mesh, t[2]))) / 6.0;
        }
        assert!(edges.iter().all(|((a, b), n)| *n == 1 && edges.contains_key(&(*b, *a))));
        // Between boxes inside and outside it.
        assert!(volume > 0.7 * 2.0 * 0.05 * 0.05 && volume < 0.85 * 4.0 * 0.09 * 0.09, "{volume}");
    }

    #[test]
    fn normals_are_unit_and_point_away_from_the_axis() {
        let mesh = limb();
        for (p, n) in mesh.positions.iter().zip(&mesh.normals) {
            let normal = Vec3::from(n.map(f64::from));
            assert!((normal.norm() - 1.0).abs() < 1e-5);
            let from_middle = Vec3::from(p.map(f64::from)) - Vec3::new(0.1, 0.55, 0.35);
            assert!(normal.dot(&from_middle) > 0.0);
        }
    }

    #[test]
    fn a_degenerate_body_is_finite() {
        let mesh = Solid::limb(Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), [0.0; 2], 0.0, 6).mesh();
        assert!(mesh.positions.iter().chain(&mesh.normals).flatten().all(|x| x.is_finite()));
        assert_eq!(loft(&[], 6), Mesh::default());
    }
}
