//! A path of few points through many places, as a hand draws them.

use crate::math::{
    Vec3,
    fit::{Samples, longest},
};

/// A point of a fitted path, with its Bezier handles from it, metres; none at an open end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedPoint {
    /// Where it is, metres.
    pub place: Vec3,
    /// A third of the velocity that arrives, turned round.
    pub handle_in: Option<Vec3>,
    /// A third of the velocity that leaves.
    pub handle_out: Option<Vec3>,
}

/// A line that turns by more than this within its unsteadiness has a corner there (cosine).
const CORNER_COS: f64 = 0.5;
/// How far to both sides the line's way at a place is looked for: in bounds, at most as a part of the line, and at least in
/// places.
const NEAR: (f64, f64, usize) = (5.0, 0.1, 5);

/// The fewest points a path needs to stay within a bound of the straight lines between places: cubics in the length drawn,
/// fitted by least squares ([`crate::math::fit`]), in the direction the line has at their ends, so that the path is smooth but
/// where the line has a corner. `bound` gives how far the path may be off near a place, metres, by its number. A closed path
/// goes on from the last place to the first, smoothly where that is no corner; the place it returns to is not repeated. Places
/// that coincide with the one before are passed over, and those that are not finite; fewer than two others give no path.
#[must_use]
pub fn fit_path(places: &[Vec3], closed: bool, bound: impl Fn(usize) -> f64) -> Vec<FittedPoint> {
    let line = Line::new(places, closed, bound);
    if line.at.len() < 2 {
        return Vec::new();
    }
    let samples =
        Samples { at: &line.at, values: &line.values, bound: |i: usize| line.bounds.get(i).copied().unwrap_or(0.0) };
    let ways: Vec<Ways> = (0..line.at.len()).map(|index| line.ways(index)).collect();
    let corners = corners(&line, &ways);
    let mut points = vec![FittedPoint { place: Vec3::from(line.values[0]), handle_in: None, handle_out: None }];
    let mut start = 0;
    while start + 1 < line.at.len() {
        // A corner is a point of the path.
        let corner = corners.iter().find(|corner| **corner > start).copied().unwrap_or(line.at.len() - 1);
        let is_corner = |index: usize| corners.contains(&index);
        let leaves = ways[start].leaving(is_corner(start));
        let piece = longest(corner - start, |count| {
            let arrives = ways[start + count].arriving(is_corner(start + count));
            samples.piece_along(start, count, [leaves.into(), arrives.into()])
        });
        let piece = piece.unwrap_or_else(|| samples.straight(start));
        let third = (line.at[start + piece.count] - line.at[start]) / 3.0;
        if let Some(point) = points.last_mut() {
            point.handle_out = Some(Vec3::from(piece.slopes[0]) * third);
        }
        start += piece.count;
        let handle_in = Some(Vec3::from(piece.slopes[1]) * -third);
        points.push(FittedPoint { place: Vec3::from(line.values[start]), handle_in, handle_out: None });
    }
    if closed && let Some(last) = points.pop() {
        points[0].handle_in = last.handle_in;
    }
    points
}

/// The places that differ, at the length of the line up to each; the first again at the end of a closed one.
struct Line {
    at: Vec<f64>,
    values: Vec<[f64; 3]>,
    bounds: Vec<f64>,
    closed: bool,
}

/// Which way a line goes at a place: unit.
#[derive(Clone, Copy)]
struct Ways {
    through: Vec3,
    before: Vec3,
    after: Vec3,
}

impl Ways {
    /// The cosine of how far it turns here.
    fn cos(&self) -> f64 {
        self.before.dot(&self.after)
    }

    const fn leaving(&self, corner: bool) -> Vec3 {
        if corner { self.after } else { self.through }
    }

    const fn arriving(&self, corner: bool) -> Vec3 {
        if corner { self.before } else { self.through }
    }
}

impl Line {
    fn new(places: &[Vec3], closed: bool, bound: impl Fn(usize) -> f64) -> Self {
        let mut line = Self { at: Vec::new(), values: Vec::new(), bounds: Vec::new(), closed };
        let back = closed.then(|| places.first().map(|first| (0, first))).flatten();
        for (index, place) in places.iter().enumerate().chain(back) {
            let before = line.values.last().map(|last| (place - Vec3::from(*last)).norm());
            let finite = place.iter().all(|number| number.is_finite());
            if finite && before.is_none_or(|way| way > 0.0 && way.is_finite()) {
                line.at.push(line.at.last().copied().unwrap_or(0.0) + before.unwrap_or(0.0));
                line.values.push([place.x, place.y, place.z]);
                line.bounds.push(bound(index));
            }
        }
        line
    }

    /// How far from a place its way is looked for.
    fn reach(&self, index: usize) -> f64 {
        (NEAR.0 * self.bounds[index]).min(NEAR.1 * self.at.last().copied().unwrap_or(0.0))
    }

    /// The places near one on one side of it, the nearest first: how far they are along the line, and where from it.
    fn near(&self, index: usize, back: bool) -> Vec<(f64, Vec3)> {
        let last = self.at.len() - 1;
        let whole = self.at[last];
        let far = self.reach(index);
        let from = Vec3::from(self.values[index]);
        let mut found = Vec::new();
        let (mut at, mut round) = (index, 0.0);
        // A closed line is looked round once, through its first and last place, which are one.
        for count in 0..last {
            at = match (back, at) {
                (true, 0) if self.closed => {
                    round -= whole;
                    last - 1
                }
                (false, at) if at == last && self.closed => {
                    round += whole;
                    1
                }
                (true, 0) => break,
                (false, at) if at == last => break,
                (true, at) => at - 1,
                (false, at) => at + 1,
            };
            let way = self.at[at] + round - self.at[index];
            if way.abs() > far && count >= NEAR.2 {
                break;
            }
            found.push((way, Vec3::from(self.values[at]) - from));
        }
        found
    }

    /// Which way it goes at a place, on both sides and through it: by least squares through the places near.
    fn ways(&self, index: usize) -> Ways {
        let (back, on) = (self.near(index, true), self.near(index, false));
        let straight = |near: &[(f64, Vec3)]| {
            let sum: Vec3 = near.iter().map(|(way, offset)| offset * *way).sum();
            sum.try_normalize(0.0)
        };
        let (before, after) = (straight(&back), straight(&on));
        // Through a bend: a parabola's slope at the place itself.
        let all = || back.iter().chain(&on);
        let sum = |power: i32| all().map(|(way, _)| way.powi(power)).sum::<f64>();
        let (two, three, four) = (sum(2), sum(3), sum(4));
        let (first, second) = (
            all().map(|(way, offset)| offset * *way).sum::<Vec3>(),
            all().map(|(way, offset)| offset * (way * way)).sum::<Vec3>(),
        );
        let several = two * four > three * three * (1.0 + 1e-9);
        let bent = (first * four - second * three).try_normalize(0.0).filter(|_| several);
        let through = bent.or(before).or(after);
        let through = through.unwrap_or_else(Vec3::x);
        Ways { through, before: before.unwrap_or(through), after: after.unwrap_or(through) }
    }
}

/// The places where a line turns sharply: of several near each other the sharpest. An end of an open line is none; both ends of
/// a closed one are one place.
fn corners(line: &Line, ways: &[Ways]) -> Vec<usize> {
    let last = line.at.len() - 1;
    let near = |a: usize, b: usize| (line.at[a] - line.at[b]).abs() <= line.reach(a) || a.abs_diff(b) <= NEAR.2;
    let inner = if line.closed { 0..=last } else { 1..=last.saturating_sub(1) };
    let mut sharp: Vec<usize> = inner.filter(|index| ways[*index].cos() < CORNER_COS).collect();
    sharp.sort_by(|a, b| ways[*a].cos().total_cmp(&ways[*b].cos()));
    let mut found: Vec<usize> = Vec::new();
    // The sharpest first; where a line closes it is its end that is the corner.
    if line.closed && sharp.iter().any(|index| near(0, *index) || near(last, *index)) {
        found.extend([0, last]);
    }
    for index in sharp {
        if found.iter().all(|corner| !near(*corner, index)) {
            found.push(index);
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::path::{Cubic3, bezier};

    fn curves(points: &[FittedPoint], closed: bool) -> Vec<Cubic3> {
        let places: Vec<Vec3> = points.iter().map(|point| point.place).collect();
        let handles: Vec<_> = points.iter().map(|point| (point.handle_in, point.handle_out)).collect();
        bezier(&places, closed, &handles)
    }

    /// How far the places are from a path, read finely.
    fn off(places: &[Vec3], path: &[Cubic3]) -> f64 {
        let dense: Vec<Vec3> =
            path.iter().flat_map(|segment| (0..=400).map(|i| segment.point(f64::from(i) / 400.0))).collect();
        let near = |place: &Vec3| dense.iter().map(|at| (at - place).norm()).fold(f64::INFINITY, f64::min);
        places.iter().map(near).fold(0.0, f64::max)
    }

    /// A line as a hand draws it: places a pixel of 5 mm wide apart, unsteady by as much.
    fn shaky(count: u32, way: impl Fn(f64) -> (f64, f64)) -> Vec<Vec3> {
        (0..=count)
            .map(|i| {
                let (x, z) = way(f64::from(i) / f64::from(count));
                Vec3::new((x / 0.005).round() * 0.005, 0.0, (z / 0.005).round() * 0.005)
            })
            .collect()
    }

    #[test]
    fn a_wave_is_a_few_smooth_points_within_the_bound() {
        let places = shaky(400, |u| (4.0 * u, (u * std::f64::consts::TAU).sin()));
        let mut before = usize::MAX;
        for bound in [0.006, 0.02, 0.1, 3.0] {
            let points = fit_path(&places, false, |_| bound);
            let path = curves(&points, false);
            assert!(off(&places, &path) <= bound + 1e-3, "{bound}");
            assert!(points.len() <= before);
            before = points.len();
            for pair in path.windows(2) {
                let (arrives, leaves) = (pair[0].velocity(1.0).normalize(), pair[1].velocity(0.0).normalize());
                assert!(arrives.dot(&leaves) > 1.0 - 1e-9, "a kink within {bound}");
            }
            if (0.02..0.1).contains(&bound) {
                assert!(points.len() < 7, "{}", points.len());
            }
        }
        assert_eq!(before, 2);
    }

    #[test]
    fn a_ring_closes_smoothly_and_a_square_keeps_its_corners() {
        let ring = shaky(300, |u| ((u * std::f64::consts::TAU).cos(), (u * std::f64::consts::TAU).sin()));
        let points = fit_path(&ring, true, |_| 0.02);
        assert!((3..8).contains(&points.len()), "{}", points.len());
        let path = curves(&points, true);
        assert_eq!(path.len(), points.len());
        assert!(off(&ring, &path) <= 0.021);
        let (arrives, leaves) = (path[path.len() - 1].velocity(1.0).normalize(), path[0].velocity(0.0).normalize());
        assert!(arrives.dot(&leaves) > 1.0 - 1e-9);

        let square = shaky(400, |u| {
            let (side, part) = ((u * 4.0).floor().min(3.0), u * 4.0 - (u * 4.0).floor().min(3.0));
            match side as u32 {
                0 => (part, 0.0),
                1 => (1.0, part),
                2 => (1.0 - part, 1.0),
                _ => (0.0, 1.0 - part),
            }
        });
        let points = fit_path(&square, true, |_| 0.01);
        assert_eq!(points.len(), 4);
        assert!(off(&square, &curves(&points, true)) <= 0.011);
        for corner in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
            let near = |p: &FittedPoint| (p.place - Vec3::new(corner[0], 0.0, corner[1])).norm();
            assert!(points.iter().map(near).fold(f64::INFINITY, f64::min) < 0.03, "{corner:?}");
        }
    }

    #[test]
    fn a_bound_is_kept_by_place() {
        let places = shaky(400, |u| (4.0 * u, (u * 3.0 * std::f64::consts::TAU).sin()));
        let points = fit_path(&places, false, |index| if index < 200 { 0.006 } else { 0.3 });
        let near = points.iter().filter(|point| point.place.x < 2.0).count();
        assert!(near > points.len() - near + 2, "{near} of {}", points.len());
    }

    #[test]
    fn few_equal_and_hostile_places_are_defined() {
        let one = Vec3::new(1.0, 2.0, 3.0);
        assert!(fit_path(&[], false, |_| 1.0).is_empty());
        assert!(fit_path(&[one; 5], true, |_| 1.0).is_empty());
        let two = fit_path(&[one, one, one * 2.0], false, |_| 0.0);
        assert_eq!(two.len(), 2);
        assert!((two[0].handle_out.unwrap() - one / 3.0).norm() < 1e-12);
        let not = fit_path(&[one, Vec3::repeat(f64::NAN), one * 2.0], false, |_| 0.1);
        assert!(not.iter().all(|point| point.place.iter().all(|number| number.is_finite())));
        let back = fit_path(&[one, one * 2.0], true, |_| 0.1);
        assert!((1..=2).contains(&back.len()));
    }
}
