//! The ground's grid: lines a power of ten apart, finer ones fading in as one comes near.

use super::marks::Projector;
use super::scene::{Ground, Stroke};
use crate::math::Vec3;
use crate::style::Rgba;

/// Lines on each side of the middle, per spacing.
const LINES: i32 = 24;
/// Each line is drawn in this many pieces, so that it can fade along its length.
const PIECES: i32 = 8;
/// Spacings shown at once.
const LEVELS: i32 = 3;
/// Lines closer than this at the focus are not drawn, pixels.
const CLOSEST_PX: f64 = 10.0;

/// The grid and axes of a ground, seen through `view`; `eye` is where from.
pub(super) fn strokes(ground: &Ground, view: &Projector, out: &mut Vec<Stroke>) {
    let focus = Vec3::new(ground.focus.x, ground.height, ground.focus.z);
    let at_focus = view.clip(&ground.focus);
    let pixels_per_metre = view.pixels_per_metre(at_focus.w);
    if !(pixels_per_metre.is_finite() && pixels_per_metre > 0.0 && focus.iter().all(|x| x.is_finite())) {
        return;
    }
    let finest = (CLOSEST_PX * view.pixels_per_point / pixels_per_metre).log10().ceil();
    if !(-6.0..=6.0).contains(&finest) {
        return;
    }
    for level in 0..LEVELS {
        let spacing = 10_f64.powf(finest + f64::from(level));
        let apart = spacing * pixels_per_metre / view.pixels_per_point;
        let last = level + 1 == LEVELS;
        let decades = apart.log10();
        let weight = 0.18 * smooth(1.0, 1.7, decades) + 0.27 * smooth(1.7, 3.0, decades);
        let lines = Lines { view, focus, spacing, weight, color: ground.grid };
        for across_z in [false, true] {
            let middle = (if across_z { focus.z } else { focus.x } / spacing).round();
            for i in -LINES..=LINES {
                let index = middle + f64::from(i);
                // Every tenth belongs to the next spacing, and the one through the origin is an axis.
                let coarser = index.rem_euclid(10.0) < 0.5;
                if index.abs() > 0.5 && (last || !coarser) {
                    lines.push(across_z, index * spacing, out);
                }
            }
        }
    }
    let spacing = 10_f64.powf(finest + 2.0);
    for (across_z, axis) in [(true, ground.axes[0]), (false, ground.axes[2])] {
        Lines { view, focus, spacing, weight: 0.85, color: axis }.push(across_z, 0.0, out);
    }
}

/// Lines of one spacing.
struct Lines<'a> {
    view: &'a Projector,
    focus: Vec3,
    spacing: f64,
    weight: f64,
    color: Rgba,
}

impl Lines<'_> {
    /// One line at `offset` metres along Z (a line along X) or along X.
    fn push(&self, across_z: bool, offset: f64, out: &mut Vec<Stroke>) {
        let reach = self.spacing * f64::from(LINES);
        let along = if across_z { Vec3::x() } else { Vec3::z() };
        let step = if across_z { Vec3::z() } else { Vec3::x() };
        let middle = if across_z {
            Vec3::new(self.focus.x, self.focus.y, offset)
        } else {
            Vec3::new(offset, self.focus.y, self.focus.z)
        };
        let mut before: Option<(Vec3, Rgba)> = None;
        for piece in -PIECES..=PIECES {
            // Shorter pieces near the middle, where the fading is seen.
            let t = f64::from(piece) / f64::from(PIECES);
            let p = middle + along * (reach * t * t.abs());
            let color = self.color.faded(self.weight * self.strength(&p, &along, &step, reach));
            if let Some((from, color_from)) = before
                && (color_from.0[3] > 1 || color.0[3] > 1)
            {
                out.push(Stroke { color_from, color_to: color, ..Stroke::plain(from, p, 1.0, color) });
            }
            before = Some((p, color));
        }
    }

    /// 0 to 1: fades with distance from the focus, and where lines would crowd on the screen.
    fn strength(&self, p: &Vec3, along: &Vec3, step: &Vec3, reach: f64) -> f64 {
        let distance = (p - self.focus).norm();
        let near = 1.0 - smooth(0.3 * reach, reach, distance);
        let here = self.view.clip(p);
        // Behind the eye: as strong as near, so that the visible part does not fade towards it.
        if here.w <= 1e-6 || near <= 0.0 {
            return near;
        }
        let small = self.spacing * 0.01;
        let pixel = |q: Vec3| self.view.pixel(&self.view.clip(&q));
        let (o, a, b) = (self.view.pixel(&here), pixel(p + along * small), pixel(p + step * small));
        let (ax, ay) = (a[0] - o[0], a[1] - o[1]);
        let (bx, by) = (b[0] - o[0], b[1] - o[1]);
        let length = ax.hypot(ay);
        let apart = if length > 1e-9 { (ax * by - ay * bx).abs() / length / 0.01 } else { bx.hypot(by) / 0.01 };
        near * smooth(3.0, 24.0, apart / self.view.pixels_per_point)
    }
}

/// 0 below `from`, 1 above `to`, smooth between.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
