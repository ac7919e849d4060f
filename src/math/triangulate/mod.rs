//! Delaunay triangulations of points in the plane, and where a point falls in them.
//!
//! The points are sorted by x, then y, before anything is done: the triangles do not depend on the order in which they
//! come. Of four or more points on one circle, which have no one Delaunay triangulation, the diagonals are those that fan
//! out from the first of them in that order. Any diagonal of a convex quadrangle can be turned afterwards.
//!
//! Sources: C. Lawson, *Software for C1 surface interpolation*, 1977 (edge flips); J. Shewchuk, *Adaptive precision
//! floating-point arithmetic and fast robust geometric predicates*, 1997 (the tests' signs, from the crate `robust`).

mod build;
mod cells;
#[cfg(test)]
pub(crate) mod clouds;

use cells::Cells;

/// A point in the plane of two parameters, of any unit.
pub type Point = [f64; 2];

/// Triangles over points, or the line they lie on.
///
/// All indices are those of the points given. Points must be finite and no two the same; of those that are not, the ones
/// after the first are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangulation {
    points: Vec<Point>,
    triangles: Vec<[usize; 3]>,
    boundary: Vec<[usize; 2]>,
    chain: Vec<usize>,
    cells: Cells,
}

/// Where a point falls: up to three of the given points with weights that are not negative and have sum 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The point itself, or the nearest one of the triangulation to it.
    pub at: Point,
    /// Whether the point lies in the triangulation, its border included.
    pub inside: bool,
    /// The corners; only the first `count` count.
    pub corners: [usize; 3],
    /// Their weights.
    pub weights: [f64; 3],
    /// How many corners there are: 3 in a triangle, 2 on an edge, 1 on a point, 0 where there is no point at all.
    pub count: usize,
}

/// A point in a triangle.
#[inline]
fn inside(at: Point, corners: [usize; 3], weights: [f64; 3]) -> Placed {
    let clamped = weights.map(|weight| weight.max(0.0));
    let sum = clamped[0] + clamped[1] + clamped[2];
    Placed { at, inside: true, corners, weights: clamped.map(|weight| weight / sum), count: 3 }
}

impl Triangulation {
    /// The Delaunay triangulation of points. Points on one line, or within 1e-9 of their extent of one, have no triangles:
    /// they are joined to a chain along it.
    #[must_use]
    pub fn new(points: &[Point]) -> Self {
        Self::with_diagonals(points, &[])
    }

    /// The same with these diagonals, each turned in after the other: the one that crosses it is turned out, where the two
    /// triangles at that one form a convex quadrangle with its ends. A diagonal that is there already or fits nowhere is
    /// passed over.
    #[must_use]
    pub fn with_diagonals(points: &[Point], wanted: &[[usize; 2]]) -> Self {
        let built = build::build(points, wanted);
        let cells = Cells::new(points, &built.triangles);
        Self {
            points: points.to_vec(),
            triangles: built.triangles,
            boundary: built.boundary,
            chain: built.chain,
            cells,
        }
    }

    /// The triangles, each anticlockwise.
    #[must_use]
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// The edges of the convex hull, anticlockwise.
    #[must_use]
    pub fn boundary(&self) -> &[[usize; 2]] {
        &self.boundary
    }

    /// The points in order along their line, where they have no triangles.
    #[must_use]
    pub fn chain(&self) -> &[usize] {
        &self.chain
    }

    /// The other diagonal of the quadrangle that an edge halves; none where it is of the border or the quadrangle is not
    /// convex, so that it cannot be turned.
    #[must_use]
    pub fn other_diagonal(&self, edge: [usize; 2]) -> Option<[usize; 2]> {
        let opposite = |a: usize, b: usize| {
            let third = |t: &[usize; 3]| (0..3).find(|i| t[*i] == a && t[(i + 1) % 3] == b).map(|i| t[(i + 2) % 3]);
            self.triangles.iter().find_map(third)
        };
        let [a, b] = edge;
        let (c, d) = (opposite(a, b)?, opposite(b, a)?);
        build::is_convex(&self.points, [a, d, b, c]).then_some([c.min(d), c.max(d)])
    }

    /// Where a point falls; outside, the nearest point of the border counts. A coordinate that is not finite gives the place
    /// of the first point.
    #[must_use]
    pub fn place(&self, p: Point) -> Placed {
        let mut nowhere = usize::MAX;
        self.place_near(p, &mut nowhere)
    }

    /// The same, to the bit, faster where the point lies in the triangle `near`, by its number, which becomes the one in which it
    /// was found: for points that follow each other.
    #[must_use]
    pub fn place_near(&self, p: Point, near: &mut usize) -> Placed {
        if let Some(corners) = self.triangles.get(*near) {
            let weights = barycentric(corners.map(|corner| self.points[corner]), p);
            // Well within: no other triangle can hold it, rounding or not.
            if weights[0].min(weights[1]).min(weights[2]) > 1e-6 {
                return inside(p, *corners, weights);
            }
        }
        let Some(first) = self.chain.first().copied().or_else(|| self.triangles.first().map(|t| t[0])) else {
            return Placed { at: p, inside: false, corners: [0; 3], weights: [0.0; 3], count: 0 };
        };
        if !(p[0].is_finite() && p[1].is_finite()) {
            return self.on_edge([first, first], self.points[first], false);
        }
        if self.triangles.is_empty() {
            return self.on_chain(first, p);
        }
        let mut best: Option<(f64, [usize; 3], [f64; 3])> = None;
        for &index in self.cells.at(p) {
            let triangle = self.triangles[index as usize];
            let weights = barycentric(triangle.map(|corner| self.points[corner]), p);
            let least = weights[0].min(weights[1]).min(weights[2]);
            if best.is_none_or(|(known, ..)| least > known) {
                best = Some((least, triangle, weights));
                if least >= 0.0 {
                    *near = index as usize;
                    break;
                }
            }
        }
        match best {
            // Rounding may leave a gap between two triangles: what no edge of the border has outside is inside.
            Some((least, corners, weights)) if least >= 0.0 || (least > -1e-9 && !self.is_beyond(p)) => {
                inside(p, corners, weights)
            }
            _ => self.on_boundary(p),
        }
    }

    /// Whether a point is outside of an edge of the border.
    fn is_beyond(&self, p: Point) -> bool {
        self.boundary.iter().any(|&[a, b]| build::turn(self.points[a], self.points[b], p) < 0.0)
    }

    fn on_boundary(&self, p: Point) -> Placed {
        self.on_edges(self.boundary.iter().copied(), p)
    }

    fn on_chain(&self, first: usize, p: Point) -> Placed {
        if self.chain.len() == 1 {
            return self.on_edge([first, first], p, p == self.points[first]);
        }
        self.on_edges(self.chain.windows(2).map(|pair| [pair[0], pair[1]]), p)
    }

    /// The place on the nearest of these edges; the first of two as near.
    fn on_edges(&self, edges: impl Iterator<Item = [usize; 2]>, p: Point) -> Placed {
        let distance = |placed: &Placed| {
            let [x, y] = [placed.at[0] - p[0], placed.at[1] - p[1]];
            x * x + y * y
        };
        let mut nearest: Option<(f64, Placed)> = None;
        for edge in edges {
            let placed = self.on_edge(edge, p, false);
            let far = distance(&placed);
            if nearest.is_none_or(|(known, _)| far < known) {
                nearest = Some((far, placed));
            }
        }
        let Some((far, placed)) = nearest else {
            return Placed { at: p, inside: false, corners: [0; 3], weights: [0.0; 3], count: 0 };
        };
        Placed { inside: far == 0.0, ..placed }
    }

    /// The point of an edge nearest to `p`.
    fn on_edge(&self, [a, b]: [usize; 2], p: Point, inside: bool) -> Placed {
        let (from, to) = (self.points[a], self.points[b]);
        let along = [to[0] - from[0], to[1] - from[1]];
        let length2 = along[0] * along[0] + along[1] * along[1];
        let part = ((p[0] - from[0]) * along[0] + (p[1] - from[1]) * along[1]) / length2;
        // Both ends the same: nothing to part.
        let t = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        let one =
            |corner: usize, at: Point| Placed { at, inside, corners: [corner; 3], weights: [1.0, 0.0, 0.0], count: 1 };
        if t == 0.0 {
            return one(a, from);
        }
        if t >= 1.0 {
            return one(b, to);
        }
        let at = [from[0] + t * along[0], from[1] + t * along[1]];
        Placed { at, inside, corners: [a, b, b], weights: [1.0 - t, t, 0.0], count: 2 }
    }
}

/// The barycentric coordinates of a point in a triangle that is not flat.
#[inline]
fn barycentric([a, b, c]: [Point; 3], p: Point) -> [f64; 3] {
    let to = |q: Point| [q[0] - p[0], q[1] - p[1]];
    let cross = |u: Point, v: Point| u[0] * v[1] - u[1] * v[0];
    let (a, b, c) = (to(a), to(b), to(c));
    let parts = [cross(b, c), cross(c, a), cross(a, b)];
    let whole = 1.0 / (parts[0] + parts[1] + parts[2]);
    parts.map(|part| part * whole)
}

#[cfg(test)]
mod tests;
