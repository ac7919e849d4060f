//! The clean arc nearest to a trail, and how far the trail is from it.

use crate::math::{Mat3, Vec3};

/// The circle (or straight line) nearest to a trail in the sense of least squares.
#[derive(Clone, Debug, PartialEq)]
pub struct CleanArc {
    /// The arc, as a polyline beside the trail, metres.
    pub points: Vec<Vec3>,
    /// The circle's radius, metres; none for a straight line.
    pub radius: Option<f64>,
    /// The farthest that a point of the trail is from it, metres.
    pub greatest: f64,
    /// The root of the mean square of the distances, metres.
    pub rms: f64,
    /// Which point of the trail is farthest.
    pub worst: usize,
}

/// From this radius on, in extents of the trail, a circle is a line.
const LINE_RADIUS: f64 = 1e3;
/// Steps of the fit: it converges in a few, quadratically.
const STEPS: usize = 30;

/// The clean arc of at least three points that are not all one; none otherwise or where a point is not finite.
///
/// The plane is that of the greatest spread (principal axes); in it the circle is found algebraically (Kasa 1976) and then
/// made the one of least squared distances by Gauss-Newton.
#[must_use]
pub fn clean_arc(points: &[Vec3]) -> Option<CleanArc> {
    if points.len() < 3 || points.iter().any(|at| !at.iter().all(|x| x.is_finite())) {
        return None;
    }
    let count = points.len() as f64;
    let middle = points.iter().sum::<Vec3>() / count;
    let spread: Mat3 = points.iter().map(|at| (at - middle) * (at - middle).transpose()).sum::<Mat3>() / count;
    let axes = nalgebra::SymmetricEigen::new(spread);
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| axes.eigenvalues[*b].total_cmp(&axes.eigenvalues[*a]));
    let [along, across, normal] = order.map(|axis| Vec3::from(axes.eigenvectors.column(axis)));
    let extent = axes.eigenvalues[order[0]].max(0.0).sqrt();
    if extent < 1e-12 {
        return None;
    }
    let flat: Vec<[f64; 2]> = points.iter().map(|at| [(at - middle).dot(&along), (at - middle).dot(&across)]).collect();
    let circle = circle(&flat).filter(|(_, radius)| *radius < LINE_RADIUS * extent);
    let off = |at: &Vec3, flat: &[f64; 2]| {
        let height = (at - middle).dot(&normal);
        let in_plane = match circle {
            Some((centre, radius)) => (flat[0] - centre[0]).hypot(flat[1] - centre[1]) - radius,
            None => flat[1],
        };
        height.hypot(in_plane)
    };
    let offs: Vec<f64> = points.iter().zip(&flat).map(|(at, flat)| off(at, flat)).collect();
    let (worst, greatest) =
        offs.iter().copied().enumerate().fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most });
    let on_arc = |[x, y]: &[f64; 2]| match circle {
        Some((centre, radius)) => {
            let (dx, dy) = (x - centre[0], y - centre[1]);
            let scale = radius / dx.hypot(dy).max(1e-300);
            middle + along * (centre[0] + dx * scale) + across * (centre[1] + dy * scale)
        }
        None => middle + along * *x,
    };
    let rms = (offs.iter().map(|off| off * off).sum::<f64>() / count).sqrt();
    Some(CleanArc {
        points: flat.iter().map(on_arc).collect(),
        radius: circle.map(|(_, radius)| radius),
        greatest,
        rms,
        worst,
    })
}

/// The circle of least squared distances in the plane; none where the points lie on a line.
fn circle(points: &[[f64; 2]]) -> Option<([f64; 2], f64)> {
    // x^2 + y^2 = 2 a x + 2 b y + c, linear in a, b, c.
    let (mut normal, mut right) = (Mat3::zeros(), Vec3::zeros());
    for [x, y] in points {
        let row = Vec3::new(2.0 * x, 2.0 * y, 1.0);
        normal += row * row.transpose();
        right += row * x.mul_add(*x, y * y);
    }
    let found = normal.try_inverse()? * right;
    let (mut centre, mut radius) = ([found.x, found.y], found.x.mul_add(found.x, found.y * found.y) + found.z);
    radius = Some(radius).filter(|squared| *squared > 0.0 && squared.is_finite())?.sqrt();
    for _ in 0..STEPS {
        let (mut normal, mut right) = (Mat3::zeros(), Vec3::zeros());
        for [x, y] in points {
            let (dx, dy) = (x - centre[0], y - centre[1]);
            let away = dx.hypot(dy);
            if away < 1e-12 * radius {
                continue;
            }
            let row = Vec3::new(-dx / away, -dy / away, -1.0);
            normal += row * row.transpose();
            right -= row * (away - radius);
        }
        let Some(step) = normal.try_inverse().map(|inverse| inverse * right) else { break };
        centre = [centre[0] + step.x, centre[1] + step.y];
        radius += step.z;
        if step.norm() <= 1e-14 * radius.abs() {
            break;
        }
    }
    (radius > 0.0 && radius.is_finite() && centre.iter().all(|x| x.is_finite())).then_some((centre, radius))
}
