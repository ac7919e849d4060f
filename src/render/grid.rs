//! The ground's grid: lines a power of ten apart, finer ones fading in as one comes near.

use super::marks::{End, Marks, Projector, Vec4};
use super::scene::Ground;
use crate::math::Vec3;
use crate::style::Rgba;

/// Lines on each side of the middle, per spacing.
const LINES: i32 = 24;
/// Each half of a line is drawn in this many pieces, so that it can fade along its length.
const PIECES: i32 = 6;
/// Spacings shown at once.
const LEVELS: i32 = 3;
/// Lines closer than this at the focus are not drawn, points.
const CLOSEST_PT: f64 = 10.0;

/// Adds the grid and the axes of a ground.
pub(super) fn push(ground: &Ground, view: &Projector, out: &mut Marks) {
    let focus = Vec3::new(ground.focus.x, ground.height, ground.focus.z);
    let points_per_metre = view.pixels_per_metre(view.clip(&ground.focus).w) / view.pixels_per_point;
    if !(points_per_metre.is_finite() && points_per_metre > 0.0 && focus.iter().all(|x| x.is_finite())) {
        return;
    }
    let finest = (CLOSEST_PT / points_per_metre).log10().ceil();
    if !(-6.0..=6.0).contains(&finest) {
        return;
    }
    for level in 0..LEVELS {
        let spacing = 10_f64.powf(finest + f64::from(level));
        let decades = (spacing * points_per_metre).log10();
        let weight = 0.18 * smooth(1.0, 1.7, decades) + 0.27 * smooth(1.7, 3.0, decades);
        for along_x in [true, false] {
            let lines = Lines::new(view, focus, spacing, along_x, ground.grid.faded(weight));
            let middle = (if along_x { focus.z } else { focus.x } / spacing).round();
            for i in -LINES..=LINES {
                let index = middle + f64::from(i);
                // Every tenth belongs to the next spacing, and the one through the origin is an axis.
                let coarser = index.rem_euclid(10.0) < 0.5;
                if index.abs() > 0.5 && (level + 1 == LEVELS || !coarser) {
                    lines.push(index * spacing, out);
                }
            }
        }
    }
    let spacing = 10_f64.powf(finest + f64::from(LEVELS - 1));
    for (along_x, axis) in [(true, ground.axes[0]), (false, ground.axes[2])] {
        Lines::new(view, focus, spacing, along_x, axis.faded(0.85)).push(0.0, out);
    }
}

/// Lines of one spacing and direction.
struct Lines<'a> {
    view: &'a Projector,
    focus: Vec3,
    along_x: bool,
    /// Half the length of a line, metres.
    reach: f64,
    color: Rgba,
    /// A metre along a line, clip space.
    along: [f64; 4],
    /// From a line to the next, clip space.
    step: [f64; 4],
}

impl<'a> Lines<'a> {
    fn new(view: &'a Projector, focus: Vec3, spacing: f64, along_x: bool, color: Rgba) -> Self {
        let (along, step) = if along_x { (Vec3::x(), Vec3::z()) } else { (Vec3::z(), Vec3::x()) };
        Self {
            view,
            focus,
            along_x,
            reach: spacing * f64::from(LINES),
            color,
            along: view.clip_direction(&along).into(),
            step: (view.clip_direction(&step) * spacing).into(),
        }
    }

    /// The line at `offset` metres along Z (for a line along X) or along X.
    fn push(&self, offset: f64, out: &mut Marks) {
        let mut middle = self.focus;
        let beside = if self.along_x { offset - self.focus.z } else { offset - self.focus.x };
        if self.along_x {
            middle.z = offset
        } else {
            middle.x = offset
        }
        if self.color.0[3] == 0 || beside.abs() >= self.reach {
            return;
        }
        let middle = self.view.clip(&middle);
        let place = |piece: i32| {
            // Shorter pieces near the middle, where the fading is seen.
            let t = f64::from(piece) / f64::from(PIECES);
            let along = self.reach * t * t.abs();
            let clip = std::array::from_fn(|i| middle[i] + self.along[i] * along);
            (clip, beside * beside + along * along)
        };
        let mut before = (place(-PIECES), None);
        for piece in 1 - PIECES..=PIECES {
            let here = place(piece);
            let mut faded = None;
            if is_seen(&before.0.0, &here.0) {
                let from = before.1.unwrap_or_else(|| self.faded(&before.0));
                let to = self.faded(&here);
                if from.color.0[3] > 1 || to.color.0[3] > 1 {
                    out.push_ends(self.view, from, to);
                }
                faded = Some(to);
            }
            before = (here, faded);
        }
    }

    /// A place on a line, clip space, and its squared distance from the focus, with the line's colour there.
    fn faded(&self, (clip, distance): &([f64; 4], f64)) -> End {
        let color = self.color.faded(self.strength(clip, distance.sqrt()));
        End { clip: Vec4::from(*clip), width: 1.0, color }
    }

    /// 0 to 1: fades with distance from the focus, and where lines would crowd on the screen.
    fn strength(&self, at: &[f64; 4], distance: f64) -> f64 {
        let near = 1.0 - smooth(0.3 * self.reach, self.reach, distance);
        // Behind the eye: as strong as near, so that the visible part does not fade towards it.
        if at[3] <= 1e-6 || near <= 0.0 {
            return near;
        }
        let [ax, ay] = self.view.pixels_along(at, &self.along);
        let [bx, by] = self.view.pixels_along(at, &self.step);
        let length = (ax * ax + ay * ay).sqrt();
        let apart = if length > 1e-9 { (ax * by - ay * bx).abs() / length } else { (bx * bx + by * by).sqrt() };
        near * smooth(3.0, 24.0, apart / self.view.pixels_per_point)
    }
}

/// Whether a segment may touch the picture: its ends are not both beyond one edge or behind the eye.
fn is_seen(a: &[f64; 4], b: &[f64; 4]) -> bool {
    let beyond = |p: &[f64; 4]| [p[2] < -p[3], p[0] > p[3], p[0] < -p[3], p[1] > p[3], p[1] < -p[3]];
    let (a, b) = (beyond(a), beyond(b));
    !(0..5).any(|edge| a[edge] && b[edge])
}

/// 0 below `from`, 1 above `to`, smooth between.
fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Affine;
    use crate::render::scene::Camera;

    /// Seen from a metre up per metre away, looking down at the focus.
    fn marks(distance: f64, focus: Vec3) -> Marks {
        let h = std::f64::consts::FRAC_1_SQRT_2;
        let linear = nalgebra::Matrix3::new(1.0, 0.0, 0.0, 0.0, h, -h, 0.0, h, h);
        let view_from_world = Affine { linear, translation: -(linear * focus) - Vec3::z() * distance };
        let clip_from_view = *nalgebra::Perspective3::new(1.5, 0.6, distance * 0.01, distance * 100.0).as_matrix();
        let view = Projector::new(&Camera { view_from_world, clip_from_view }, 1200, 800, 1.0);
        let ground = Ground {
            height: 0.0,
            grid: Rgba::hex(0xff_ffff),
            axes: [Rgba::hex(0xff_0000), Rgba::hex(0x00_ff00), Rgba::hex(0x00_00ff)],
            shadow_color: Rgba::hex(0),
            shadow_reach: 1.0,
            shadows: Vec::new(),
            focus,
        };
        let mut marks = Marks::default();
        push(&ground, &view, &mut marks);
        marks
    }

    #[test]
    fn the_grid_looks_alike_at_any_zoom() {
        let near = marks(4.0, Vec3::zeros());
        assert!(near.indices.len() / 6 > 100);
        for decades in [-3, -1, 2, 4] {
            let other = marks(4.0 * 10_f64.powi(decades), Vec3::zeros());
            assert_eq!(near.indices.len(), other.indices.len(), "{decades}");
            for (a, b) in near.colors.iter().zip(&other.colors) {
                assert!(a[3].abs_diff(b[3]) <= 1, "{decades}");
            }
        }
    }

    #[test]
    fn the_grid_stays_with_the_world_when_the_focus_moves() {
        let axes = |marks: &Marks| marks.colors.iter().filter(|color| color[1] == 0).count();
        assert!(axes(&marks(4.0, Vec3::zeros())) > 8);
        // Far from the origin no axis is near.
        let far = marks(4.0, Vec3::new(5000.3, 0.0, -7000.7));
        assert_eq!(axes(&far), 0);
        assert!(far.indices.len() / 6 > 100);
    }

    #[test]
    fn a_broken_focus_gives_no_grid() {
        assert!(marks(4.0, Vec3::new(f64::NAN, 0.0, 0.0)).indices.is_empty());
        assert!(marks(f64::NAN, Vec3::zeros()).indices.is_empty());
    }
}
