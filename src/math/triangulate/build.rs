//! Building a triangulation: a sweep over sorted points, then flips of edges.

use super::Point;
use std::collections::BTreeMap;

/// How near to a line points may be, of their extent, to count as on it.
const FLAT: f64 = 1e-9;

/// What was built, by indices of the points given.
pub(super) struct Built {
    pub(super) triangles: Vec<[usize; 3]>,
    pub(super) boundary: Vec<[usize; 2]>,
    pub(super) chain: Vec<usize>,
}

/// The sign and rough size of twice the area of a triangle: positive where it is anticlockwise. The sign is exact.
pub(super) fn turn(a: Point, b: Point, c: Point) -> f64 {
    let coord = |[x, y]: Point| robust::Coord { x, y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// Whether four points, in this order, are a strictly convex quadrangle, anticlockwise.
pub(super) fn is_convex(points: &[Point], corners: [usize; 4]) -> bool {
    (0..4).all(|i| turn(points[corners[i]], points[corners[(i + 1) % 4]], points[corners[(i + 2) % 4]]) > 0.0)
}

/// Triangles over sorted points, and which triangle lies left of each directed edge.
struct Sweep {
    points: Vec<Point>,
    triangles: Vec<[usize; 3]>,
    left_of: BTreeMap<[usize; 2], usize>,
}

/// The triangulation of points with the diagonals wanted.
pub(super) fn build(points: &[Point], wanted: &[[usize; 2]]) -> Built {
    let mut order: Vec<usize> = (0..points.len()).filter(|i| points[*i].iter().all(|v| v.is_finite())).collect();
    order.sort_by(|a, b| points[*a][0].total_cmp(&points[*b][0]).then(points[*a][1].total_cmp(&points[*b][1])));
    order.dedup_by(|next, known| points[*next] == points[*known]);
    let sorted = scaled(order.iter().map(|i| points[*i]).collect());
    let chain = |sorted: &[Point]| Built {
        triangles: Vec::new(),
        boundary: Vec::new(),
        chain: along_line(sorted).into_iter().map(|i| order[i]).collect(),
    };
    if width(&sorted) <= FLAT {
        return chain(&sorted);
    }
    let Some(mut sweep) = Sweep::over(sorted) else {
        return chain(&scaled(order.iter().map(|i| points[*i]).collect()));
    };
    sweep.make_delaunay();
    let place = |of: usize| order.iter().position(|known| *known == of);
    for [a, b] in wanted {
        if let (Some(a), Some(b)) = (place(*a), place(*b)) {
            sweep.turn_in([a, b]);
        }
    }
    sweep.peel();
    let mut triangles: Vec<[usize; 3]> = sweep.left_of.values().map(|index| sweep.triangles[*index]).collect();
    for triangle in &mut triangles {
        let first = (0..3).min_by_key(|i| triangle[*i]).unwrap_or(0);
        triangle.rotate_left(first);
    }
    triangles.sort_unstable();
    triangles.dedup();
    let boundary = sweep.boundary().into_iter().map(|[a, b]| [order[a], order[b]]).collect();
    Built { triangles: triangles.into_iter().map(|t| t.map(|i| order[i])).collect(), boundary, chain: Vec::new() }
}

/// The points scaled by a power of two, which changes no sign of a test, so that products neither overflow nor vanish.
fn scaled(mut points: Vec<Point>) -> Vec<Point> {
    let largest = points.iter().flatten().fold(0.0f64, |largest, v| largest.max(v.abs()));
    if largest > 0.0 {
        // In two steps: the factor of a tiny extent alone may be too large for a number.
        let exponent = largest.log2().floor().clamp(-1070.0, 1024.0);
        let (half, rest) = ((-exponent / 2.0).floor(), -exponent - (-exponent / 2.0).floor());
        for value in points.iter_mut().flatten() {
            *value = *value * half.exp2() * rest.exp2();
        }
    }
    points
}

/// How far sorted points reach from the line between the two that are farthest apart along the sort, as a part of their
/// distance; 0 of fewer than three.
fn width(points: &[Point]) -> f64 {
    let Some((a, b)) = farthest(points) else { return 0.0 };
    let along = [b[0] - a[0], b[1] - a[1]];
    let length2 = along[0] * along[0] + along[1] * along[1];
    let off = |p: &Point| (along[0] * (p[1] - a[1]) - along[1] * (p[0] - a[0])).abs() / length2;
    if length2 > 0.0 { points.iter().map(off).fold(0.0, f64::max) } else { 0.0 }
}

/// Two points far apart: the first, and that farthest from it. None of fewer than two.
fn farthest(points: &[Point]) -> Option<(Point, Point)> {
    let first = *points.first()?;
    let far = |p: &Point| (p[0] - first[0]).powi(2) + (p[1] - first[1]).powi(2);
    let last = *points.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
    (points.len() > 1).then_some((first, last))
}

/// The points in order along their line.
fn along_line(points: &[Point]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    if let Some((a, b)) = farthest(points) {
        let along = |i: usize| (points[i][0] - a[0]) * (b[0] - a[0]) + (points[i][1] - a[1]) * (b[1] - a[1]);
        order.sort_by(|i, j| along(*i).total_cmp(&along(*j)));
    }
    order
}

impl Sweep {
    /// Any triangulation of sorted points, one point after the other joined to what it sees; none if all are on one line.
    fn over(points: Vec<Point>) -> Option<Self> {
        let off = (2..points.len()).find(|i| turn(points[0], points[1], points[*i]) != 0.0)?;
        let mut sweep = Self { points, triangles: Vec::new(), left_of: BTreeMap::new() };
        let left = turn(sweep.points[0], sweep.points[1], sweep.points[off]) > 0.0;
        for i in 1..off {
            sweep.add(if left { [i - 1, i, off] } else { [i, i - 1, off] });
        }
        for next in off + 1..sweep.points.len() {
            let p = sweep.points[next];
            let mut seen = sweep.boundary();
            seen.retain(|[a, b]| turn(sweep.points[*a], sweep.points[*b], p) < 0.0);
            for [a, b] in seen {
                sweep.add([b, a, next]);
            }
        }
        Some(sweep)
    }

    fn add(&mut self, triangle: [usize; 3]) {
        let index = self.triangles.len();
        self.triangles.push(triangle);
        self.point_at(index);
    }

    fn point_at(&mut self, index: usize) {
        let [a, b, c] = self.triangles[index];
        for edge in [[a, b], [b, c], [c, a]] {
            self.left_of.insert(edge, index);
        }
    }

    /// The edges with a triangle on their left only.
    fn boundary(&self) -> Vec<[usize; 2]> {
        self.left_of.keys().copied().filter(|[a, b]| !self.left_of.contains_key(&[*b, *a])).collect()
    }

    /// The third corner of the triangle left of an edge.
    fn apex(&self, [a, b]: [usize; 2]) -> Option<usize> {
        self.triangles[*self.left_of.get(&[a, b])?].into_iter().find(|corner| *corner != a && *corner != b)
    }

    /// Flips edges until each is Delaunay, or, among points on a circle, begins at the first of them.
    fn make_delaunay(&mut self) {
        let mut open: Vec<[usize; 2]> = self.left_of.keys().copied().filter(|[a, b]| a < b).collect();
        // Each flip lowers the triangulation; the bound is only for what rounding beyond all range could do.
        let mut left = 64 + 4 * self.points.len() * self.points.len();
        while let Some(edge) = open.pop() {
            let (Some(c), Some(d)) = (self.apex(edge), self.apex([edge[1], edge[0]])) else { continue };
            if left > 0 && self.is_worse(edge, c, d) && self.flip(edge) {
                left -= 1;
                let [a, b] = edge;
                open.extend([[a, c], [c, b], [b, d], [d, a]].map(|[u, v]| [u.min(v), u.max(v)]));
            }
        }
    }

    /// Whether the diagonal `c`, `d` is better than `edge`.
    fn is_worse(&self, [a, b]: [usize; 2], c: usize, d: usize) -> bool {
        let coord = |i: usize| robust::Coord { x: self.points[i][0], y: self.points[i][1] };
        let inside = robust::incircle(coord(a), coord(b), coord(c), coord(d));
        inside > 0.0 || (inside == 0.0 && c.min(d) < a.min(b))
    }

    /// Turns the edge between two triangles to the other diagonal, where they form a convex quadrangle.
    fn flip(&mut self, [a, b]: [usize; 2]) -> bool {
        let (Some(c), Some(d)) = (self.apex([a, b]), self.apex([b, a])) else { return false };
        if !is_convex(&self.points, [a, d, b, c]) {
            return false;
        }
        let (Some(first), Some(second)) = (self.left_of.remove(&[a, b]), self.left_of.remove(&[b, a])) else {
            return false;
        };
        self.triangles[first] = [a, d, c];
        self.triangles[second] = [d, b, c];
        self.point_at(first);
        self.point_at(second);
        true
    }

    /// Turns a diagonal in.
    fn turn_in(&mut self, [a, b]: [usize; 2]) {
        if self.left_of.contains_key(&[a, b]) || self.left_of.contains_key(&[b, a]) {
            return;
        }
        let crosses = |(edge, _): &(&[usize; 2], &usize)| {
            self.apex(**edge) == Some(a) && self.apex([edge[1], edge[0]]) == Some(b)
        };
        if let Some(edge) = self.left_of.iter().find(crosses).map(|(edge, _)| *edge) {
            self.flip(edge);
        }
    }

    /// Takes flat triangles off the border: a point that rounding alone keeps from being on an edge is on it.
    fn peel(&mut self) {
        loop {
            let boundary = self.boundary();
            let on_border = |corner: usize| boundary.iter().any(|edge| edge[0] == corner);
            let flat = boundary
                .iter()
                .copied()
                .find(|edge| self.apex(*edge).is_some_and(|apex| !on_border(apex) && self.is_flat(*edge, apex)));
            let Some(edge) = flat else { return };
            let Some(index) = self.left_of.get(&edge).copied() else { return };
            let [a, b, c] = self.triangles[index];
            for edge in [[a, b], [b, c], [c, a]] {
                self.left_of.remove(&edge);
            }
        }
    }

    /// Whether a point lies on an edge but for rounding.
    fn is_flat(&self, [a, b]: [usize; 2], apex: usize) -> bool {
        let (a, b, p) = (self.points[a], self.points[b], self.points[apex]);
        let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
        let length2 = along[0] * along[0] + along[1] * along[1];
        let part = (along[0] * to[0] + along[1] * to[1]) / length2;
        let height = (along[0] * to[1] - along[1] * to[0]).abs() / length2;
        (0.0..=1.0).contains(&part) && height <= FLAT
    }
}
