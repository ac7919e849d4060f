//! Cubics through points in space: a scheme says the velocities at the points, Hermite does the rest.
//!
//! All take any number of points, coincident ones too: fewer than two give no segment. A closed path of two points or more
//! goes on from the last to the first.

use super::Cubic3;
use crate::math::Vec3;

/// Velocities at a point per unit of the parameter: at the end of the segment that arrives, at the start of the one that leaves.
type Pair = (Vec3, Vec3);

/// The points before and after one; at the ends of an open path there is only one of them.
fn neighbours(points: &[Vec3], closed: bool, index: usize) -> (Option<Vec3>, Option<Vec3>) {
    let before = match index.checked_sub(1) {
        None if closed => points.last(),
        None => None,
        Some(before) => points.get(before),
    };
    let after = points.get(index + 1).or_else(|| if closed { points.first() } else { None });
    (before.copied(), after.copied())
}

/// The segments of points whose velocities are known.
fn hermite(points: &[Vec3], closed: bool, velocities: &[Pair]) -> Vec<Cubic3> {
    let count = points.len();
    let segments = if count < 2 { 0 } else { count - usize::from(!closed) };
    let segment = |i: usize| {
        let next = (i + 1) % count;
        Cubic3::from_hermite(points[i], points[next], velocities[i].1, velocities[next].0)
    };
    (0..segments).map(segment).collect()
}

/// Straight from point to point.
#[must_use]
pub fn straight(points: &[Vec3], closed: bool) -> Vec<Cubic3> {
    let velocity = |index: usize| {
        let (before, after) = neighbours(points, closed, index);
        let at = points[index];
        (before.map_or_else(Vec3::zeros, |before| at - before), after.map_or_else(Vec3::zeros, |after| after - at))
    };
    hermite(points, closed, &(0..points.len()).map(velocity).collect::<Vec<_>>())
}

/// Catmull-Rom with knots as far apart as the chords to the power `alpha`, 0..1: 0 uniform, 0.5 centripetal, 1 chordal. At the
/// ends of an open path the velocity is the chord. A point that coincides with its neighbour is an end for the way on the
/// other side, and the way between them a rest; but for alpha 0, where all knots are one apart.
///
/// Source: C. Yuksel, S. Schaefer and J. Keyser, *Parameterization and applications of Catmull-Rom curves*, 2011.
#[must_use]
pub fn catmull_rom(points: &[Vec3], closed: bool, alpha: f64) -> Vec<Cubic3> {
    let gap = |chord: &Vec3| chord.norm().powf(alpha);
    let velocity = |index: usize| {
        let at = points[index];
        let (before, after) = neighbours(points, closed, index);
        let (arriving, leaving) = (before.map(|before| at - before), after.map(|after| after - at));
        match (arriving, leaving) {
            (Some(arriving), Some(leaving)) => {
                let (left, right) = (gap(&arriving), gap(&leaving));
                if left > 0.0 && right > 0.0 {
                    let (before, after) = (arriving / left, leaving / right);
                    // Per unit of knots: the slope of the parabola through the three points.
                    let slope = (before * right + after * left) / (left + right);
                    (slope * left, slope * right)
                } else {
                    (arriving, leaving)
                }
            }
            (arriving, leaving) => (arriving.unwrap_or_default(), leaving.unwrap_or_default()),
        }
    };
    hermite(points, closed, &(0..points.len()).map(velocity).collect::<Vec<_>>())
}

/// Uniform Catmull-Rom with its velocities times `1 - tension`, -1..1.
#[must_use]
pub fn cardinal(points: &[Vec3], closed: bool, tension: f64) -> Vec<Cubic3> {
    tcb(points, closed, &vec![[tension, 0.0, 0.0]; points.len()])
}

/// Kochanek-Bartels with a tension, continuity and bias for each point, -1..1 each (a point without is at 0). At the ends of an
/// open path the chord takes the place of the one that is missing.
///
/// Source: D. Kochanek and R. Bartels, *Interpolating splines with local tension, continuity, and bias control*, 1984.
#[must_use]
pub fn tcb(points: &[Vec3], closed: bool, shapes: &[[f64; 3]]) -> Vec<Cubic3> {
    let velocity = |index: usize| {
        let at = points[index];
        let (before, after) = neighbours(points, closed, index);
        let (arriving, leaving) = (before.map(|before| at - before), after.map(|after| after - at));
        let (arriving, leaving) = match (arriving, leaving) {
            (Some(arriving), Some(leaving)) => (arriving, leaving),
            (Some(chord), None) | (None, Some(chord)) => (chord, chord),
            (None, None) => (Vec3::zeros(), Vec3::zeros()),
        };
        let [t, c, b] = shapes.get(index).copied().unwrap_or_default();
        let mix = |c: f64| {
            arriving * (0.5 * (1.0 - t) * (1.0 + b) * (1.0 + c)) + leaving * (0.5 * (1.0 - t) * (1.0 - b) * (1.0 - c))
        };
        (mix(-c), mix(c))
    };
    hermite(points, closed, &(0..points.len()).map(velocity).collect::<Vec<_>>())
}

/// Cubic Bezier with handles before and after each point, from it; a handle that is none is a third of the uniform Catmull-Rom
/// velocity.
#[must_use]
pub fn bezier(points: &[Vec3], closed: bool, handles: &[(Option<Vec3>, Option<Vec3>)]) -> Vec<Cubic3> {
    let smooth = catmull_rom(points, closed, 0.0);
    let count = points.len();
    let mut segments = smooth;
    for (i, segment) in segments.iter_mut().enumerate() {
        let next = (i + 1) % count;
        let out = handles.get(i).and_then(|handle| handle.1).map_or_else(|| segment.velocity(0.0), |h| h * 3.0);
        let arriving =
            handles.get(next).and_then(|handle| handle.0).map_or_else(|| segment.velocity(1.0), |h| h * -3.0);
        *segment = Cubic3::from_hermite(points[i], points[next], out, arriving);
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{
        cubic::catmull_rom_by_alpha,
        path::{clamped, monotone, natural, not_a_knot, polynomial, uniform_catmull_rom},
    };

    fn points() -> Vec<Vec3> {
        [[0.0, 0.0, 0.0], [1.0, 2.0, 0.5], [1.2, 2.1, 0.4], [4.0, 0.0, -1.0], [5.0, 3.0, 0.0]].map(Vec3::from).to_vec()
    }

    type Scheme = fn(&[Vec3], bool) -> Vec<Cubic3>;
    const ALL: [Scheme; 10] = [
        straight,
        |points, closed| catmull_rom(points, closed, 0.0),
        |points, closed| catmull_rom(points, closed, 0.5),
        |points, closed| catmull_rom(points, closed, 1.0),
        |points, closed| tcb(points, closed, &[[0.3, -0.5, 0.8]; 3]),
        |points, closed| bezier(points, closed, &[(None, Some(Vec3::x())), (Some(Vec3::y()), None)]),
        natural,
        not_a_knot,
        |points, closed| clamped(points, closed, [Some(Vec3::x()), None]),
        monotone,
    ];

    #[test]
    fn every_scheme_passes_through_all_points_open_and_closed() {
        for scheme in ALL {
            for closed in [false, true] {
                for count in 0..=5 {
                    let points = &points()[..count];
                    let segments = scheme(points, closed);
                    assert_eq!(segments.len(), if count < 2 { 0 } else { count - usize::from(!closed) });
                    for (i, segment) in segments.iter().enumerate() {
                        assert!((segment.point(0.0) - points[i]).norm() < 1e-13);
                        assert!((segment.point(1.0) - points[(i + 1) % count]).norm() < 1e-13);
                    }
                }
            }
        }
    }

    #[test]
    fn uniform_is_the_notes_catmull_rom_and_alpha_is_barry_and_goldmans() {
        let points = points();
        assert_eq!(catmull_rom(&points, false, 0.0).len(), 4);
        for (a, b) in catmull_rom(&points, false, 0.0).iter().zip(uniform_catmull_rom(&points)) {
            for u in [0.0, 0.3, 0.9] {
                assert!((a.point(u) - b.point(u)).norm() < 1e-14);
            }
        }
        for alpha in [0.0, 0.5, 1.0] {
            let inner = &catmull_rom(&points, false, alpha)[1];
            let four = [points[0], points[1], points[2], points[3]];
            for u in [0.1, 0.5, 0.8] {
                assert!((inner.point(u) - catmull_rom_by_alpha(&four, alpha, u)).norm() < 1e-12, "{alpha} {u}");
            }
        }
        // With every number at 0, Kochanek-Bartels and cardinal are Catmull-Rom.
        assert_eq!(cardinal(&points, true, 0.0), tcb(&points, true, &[]));
        for (a, b) in cardinal(&points, true, 0.0).iter().zip(catmull_rom(&points, true, 0.0)) {
            assert!((a.point(0.4) - b.point(0.4)).norm() < 1e-13);
        }
    }

    #[test]
    fn hostile_points_give_finite_or_faithful_segments() {
        let one = Vec3::new(1.0, 2.0, 3.0);
        let lists = [vec![one; 4], vec![one, one, Vec3::zeros(), Vec3::zeros()], vec![one, one * 1e150, -one * 1e150]];
        for scheme in ALL {
            for (points, closed) in lists.iter().flat_map(|points| [(points, false), (points, true)]) {
                for segment in scheme(points, closed) {
                    assert!(segment.c.iter().all(|c| c.iter().all(|number| number.is_finite())), "{points:?}");
                }
            }
            for points in &lists {
                if let Some((segments, _)) = polynomial(points, true) {
                    let mut numbers = segments.iter().flat_map(|segment| segment.c).flat_map(|c| [c.x, c.y, c.z]);
                    assert!(numbers.all(f64::is_finite), "{points:?}");
                }
            }
            // There and back.
            let two = scheme(&[Vec3::zeros(), Vec3::x()], true);
            assert_eq!(two.len(), 2);
        }
    }
}
