//! A camera that turns about a pivot.
//!
//! Every movement is worked out from the camera at the press and the total movement of the pointer, so that many small
//! moves end where one big one does.

use super::{
    input::ScreenPos,
    projection::{Projection, View},
};
use crate::math::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Nearest and farthest eye from the pivot, metres: within these nothing under- or overflows.
const DISTANCE: std::ops::RangeInclusive<f64> = 1e-4..=1e6;
/// Farthest pivot from the origin, metres.
const PIVOT_LIMIT: f64 = 1e6;
/// Radians a point of pointer movement turns the view: 0.5 degrees.
const ORBIT_RATE: f64 = PI / 360.0;
/// Natural logarithm of the zoom factor for a point of pointer movement or of scrolling.
const DOLLY_RATE: f64 = 0.005;
/// Room left around what is framed, as a factor of its size.
const FRAME_MARGIN: f64 = 1.15;
/// The least half extent that framing fills the view with, metres: a single joint is not looked at from inside.
const FRAME_LEAST: f64 = 0.05;

/// Where the picture is taken from. Part of the view state: saved, never undone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OrbitCamera {
    /// The point it turns about, world, metres.
    pub pivot: Vec3,
    /// About +Y, radians: 0 looks along -Z (the front of a character that faces +Z), a quarter turn looks along -X.
    pub yaw: f64,
    /// Above the horizon, radians, -pi/2 to pi/2: positive looks down.
    pub pitch: f64,
    /// From the pivot to the eye, metres; in orthographic projection it is what sets the scale.
    pub distance: f64,
    /// Full vertical angle of view, radians.
    pub fov_y: f64,
    /// Perspective or orthographic.
    pub projection: Projection,
}

impl Default for OrbitCamera {
    /// A standing person seen from the front, a little from the right and from above.
    fn default() -> Self {
        Self {
            pivot: Vec3::new(0.0, 0.9, 0.0),
            yaw: 0.6,
            pitch: 0.2,
            distance: 4.2,
            fov_y: 0.65,
            projection: Projection::Perspective,
        }
    }
}

/// The six views along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewDirection {
    /// From +Z: a character that faces +Z is seen from its front.
    Front,
    /// From -Z.
    Back,
    /// From +X.
    Right,
    /// From -X.
    Left,
    /// From +Y.
    Top,
    /// From -Y.
    Bottom,
}

impl ViewDirection {
    /// All six.
    pub const ALL: [Self; 6] = [Self::Front, Self::Back, Self::Right, Self::Left, Self::Top, Self::Bottom];

    /// The view from the other side.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
            Self::Right => Self::Left,
            Self::Left => Self::Right,
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
        }
    }

    /// Yaw and pitch, radians.
    const fn angles(self) -> (f64, f64) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (PI, 0.0),
            Self::Right => (FRAC_PI_2, 0.0),
            Self::Left => (-FRAC_PI_2, 0.0),
            Self::Top => (0.0, FRAC_PI_2),
            Self::Bottom => (0.0, -FRAC_PI_2),
        }
    }
}

impl OrbitCamera {
    /// The rotation from view space (X right, Y up, looking along -Z) to the world.
    #[must_use]
    pub fn world_from_view(&self) -> Quat {
        Quat::from_axis_angle(&Vec3::y_axis(), self.yaw) * Quat::from_axis_angle(&Vec3::x_axis(), -self.pitch)
    }

    /// Where the eye is, world.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.pivot + self.world_from_view() * Vec3::new(0.0, 0.0, self.distance)
    }

    /// The direction it looks in, world, unit.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        self.world_from_view() * -Vec3::z()
    }

    /// The camera with every number finite and in range; a damaged one becomes the default in that number.
    #[must_use]
    pub fn sane(&self) -> Self {
        let or = |value: f64, default: f64| if value.is_finite() { value } else { default };
        let default = Self::default();
        Self {
            pivot: self.pivot.zip_map(&default.pivot, or).map(limit_pivot),
            yaw: wrap(or(self.yaw, default.yaw)),
            pitch: or(self.pitch, default.pitch).clamp(-FRAC_PI_2, FRAC_PI_2),
            distance: or(self.distance, default.distance).clamp(*DISTANCE.start(), *DISTANCE.end()),
            fov_y: or(self.fov_y, default.fov_y).clamp(0.02, 2.6),
            projection: self.projection,
        }
    }

    /// Turned about the pivot by the pointer's total movement, points: the scene follows the pointer.
    #[must_use]
    pub fn orbited(&self, moved: [f64; 2]) -> Self {
        Self { yaw: self.yaw - moved[0] * ORBIT_RATE, pitch: self.pitch + moved[1] * ORBIT_RATE, ..*self }.sane()
    }

    /// Slid across the view by the pointer's total movement, points: what lies at the pivot's depth follows the pointer.
    #[must_use]
    pub fn panned(&self, moved: [f64; 2], size: [f64; 2]) -> Self {
        let metres = self.metres_per_point(size);
        let slide = self.world_from_view() * Vec3::new(-moved[0] * metres, moved[1] * metres, 0.0);
        Self { pivot: self.pivot + slide, ..*self }.sane()
    }

    /// Brought nearer (factor above 1) or farther about a place on the screen: what lies there at the pivot's depth
    /// stays there.
    #[must_use]
    pub fn dollied(&self, factor: f64, about: ScreenPos, size: [f64; 2]) -> Self {
        if !(factor > 0.0 && factor.is_finite()) {
            return *self;
        }
        let distance = (self.distance / factor).clamp(*DISTANCE.start(), *DISTANCE.end());
        // At the limit the pivot must not go on moving.
        let kept = distance / self.distance;
        let metres = self.metres_per_point(size);
        let from_centre =
            Vec3::new((about[0] - size[0] / 2.0) * metres, (size[1] / 2.0 - about[1]) * metres, 0.0) * (1.0 - kept);
        Self { pivot: self.pivot + self.world_from_view() * from_centre, distance, ..*self }.sane()
    }

    /// The zoom factor for a movement of the pointer towards the user or a scroll, points.
    #[must_use]
    pub fn dolly_factor(points: f64) -> f64 {
        (points * DOLLY_RATE).clamp(-20.0, 20.0).exp()
    }

    /// Moved through the world, without turning.
    #[must_use]
    pub fn carried(&self, by: Vec3) -> Self {
        Self { pivot: self.pivot + by, ..*self }.sane()
    }

    /// Looking along an axis.
    #[must_use]
    pub fn along(&self, direction: ViewDirection) -> Self {
        let (yaw, pitch) = direction.angles();
        Self { yaw, pitch, ..*self }
    }

    /// With the other projection; what lies at the pivot's depth keeps its size.
    #[must_use]
    pub fn with_toggled_projection(&self) -> Self {
        Self { projection: self.projection.toggled(), ..*self }
    }

    /// Moved, without turning, as near as every point stays in view with a margin. Without a finite point it stays.
    #[must_use]
    pub fn framing(&self, points: impl IntoIterator<Item = Vec3>, size: [f64; 2]) -> Self {
        self.framing_below(points, size, 0.0)
    }

    /// [`Self::framing`] below a strip at the top of the panel that something covers, points; at most a third of the panel
    /// is kept free.
    ///
    /// Exact, point by point, not by a box or a ball around them: an eye at `x`, `z` of view space has a point in view
    /// where `|p.x - x| <= h (z - p.z)`, so the least `z` and its `x` follow from the greatest `h p.z + p.x` and
    /// `h p.z - p.x`, and likewise for `y`, where what is covered makes `h` less upwards than downwards.
    #[must_use]
    pub fn framing_below(&self, points: impl IntoIterator<Item = Vec3>, size: [f64; 2], strip: f64) -> Self {
        let view_from_world = self.world_from_view().inverse();
        let finite = |p: &Vec3| p.iter().all(|value| value.is_finite());
        let points: Vec<Vec3> = points.into_iter().filter(finite).map(|p| view_from_world * p).collect();
        let Some(first) = points.first() else { return *self };
        let (low, high) = points.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)));
        let half_y = (self.fov_y / 2.0).tan();
        let covered = (strip / size[1].max(1.0)).clamp(0.0, 1.0 / 3.0);
        // To the right and the left, then upwards and downwards.
        let across = half_y * aspect(size) / FRAME_MARGIN;
        let down = half_y / FRAME_MARGIN;
        let slopes = [[across, across], [down - 2.0 * half_y * covered, down]];
        let middle_z = low.z.midpoint(high.z);
        // In perspective what is nearer to the eye looks larger; without it all depths are one.
        let depth = |p: &Vec3| if self.projection == Projection::Perspective { p.z - middle_z } else { 0.0 };
        let mut distance = (FRAME_LEAST / across.min(down)).max(depth(&high) + FRAME_LEAST);
        let reaches = [0, 1].map(|axis: usize| {
            let reach = |slope: f64, sign: f64| {
                points.iter().map(|p| slope * depth(p) + sign * p[axis]).fold(f64::MIN, f64::max)
            };
            let [more, less] = slopes[axis];
            let reaches = [reach(more, 1.0), reach(less, -1.0)];
            distance = distance.max((reaches[0] + reaches[1]) / (more + less));
            reaches
        });
        let middle = |axis: usize| {
            let [more, less] = slopes[axis];
            ((reaches[axis][0] - more * distance) + (less * distance - reaches[axis][1])) / 2.0
        };
        let pivot = Vec3::new(middle(0), middle(1), middle_z);
        Self { pivot: self.world_from_view() * pivot, distance, ..*self }.sane()
    }

    /// Metres across the view a point on the screen takes at the pivot's depth.
    #[must_use]
    pub fn metres_per_point(&self, size: [f64; 2]) -> f64 {
        2.0 * self.distance * (self.fov_y / 2.0).tan() / size[1].max(1.0)
    }

    /// The camera on a panel of a size in points, for a scene within `scene_radius` metres of the pivot.
    #[must_use]
    pub fn view(&self, size: [f64; 2], scene_radius: f64) -> View {
        View::new(&self.sane(), size, scene_radius)
    }
}

/// Width over height; 1 where either is not positive.
pub(super) fn aspect(size: [f64; 2]) -> f64 {
    let ratio = size[0] / size[1];
    if ratio > 0.0 && ratio.is_finite() { ratio } else { 1.0 }
}

fn limit_pivot(value: f64) -> f64 {
    value.clamp(-PIVOT_LIMIT, PIVOT_LIMIT)
}

/// An angle moved into -pi..=pi by whole turns; unchanged where it lies there already.
fn wrap(angle: f64) -> f64 {
    if angle.abs() <= PI { angle } else { angle - TAU * (angle / TAU).round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [1280.0, 800.0];

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).norm() < 1e-9
    }

    #[test]
    fn axis_views_look_along_their_axes() {
        let camera = OrbitCamera::default();
        for (direction, from) in [
            (ViewDirection::Front, Vec3::z()),
            (ViewDirection::Back, -Vec3::z()),
            (ViewDirection::Right, Vec3::x()),
            (ViewDirection::Left, -Vec3::x()),
            (ViewDirection::Top, Vec3::y()),
            (ViewDirection::Bottom, -Vec3::y()),
        ] {
            assert!(close(camera.along(direction).forward(), -from), "{direction:?}");
            assert!(close(camera.along(direction.opposite()).forward(), from), "{direction:?}");
        }
        let up = camera.along(ViewDirection::Top).world_from_view() * Vec3::y();
        assert!(close(up, -Vec3::z()));
    }

    #[test]
    fn orbit_keeps_the_pivot_in_the_middle_and_stops_at_the_poles() {
        let camera = OrbitCamera::default().orbited([137.0, 1e9]);
        assert_eq!(camera.pitch, FRAC_PI_2);
        let middle = camera.view(SIZE, 2.0).project(&camera.pivot).unwrap();
        assert!((middle[0] - 640.0).abs() < 1e-6 && (middle[1] - 400.0).abs() < 1e-6);
    }

    #[test]
    fn a_panned_point_follows_the_pointer() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let camera = OrbitCamera { projection, ..OrbitCamera::default() };
            let point = camera.view(SIZE, 2.0).point_at_depth_of([300.0, 200.0], &camera.pivot);
            let moved = camera.panned([55.0, -31.0], SIZE).view(SIZE, 2.0).project(&point).unwrap();
            assert!((moved[0] - 355.0).abs() < 1e-6 && (moved[1] - 169.0).abs() < 1e-6, "{moved:?}");
        }
    }

    #[test]
    fn a_dolly_keeps_what_is_under_the_pointer() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let camera = OrbitCamera { projection, ..OrbitCamera::default() };
            let point = camera.view(SIZE, 2.0).point_at_depth_of([900.0, 650.0], &camera.pivot);
            let near = camera.dollied(3.0, [900.0, 650.0], SIZE);
            let after = near.view(SIZE, 2.0).project(&point).unwrap();
            assert!((after[0] - 900.0).abs() < 1e-6 && (after[1] - 650.0).abs() < 1e-6, "{after:?}");
        }
        let mut camera = OrbitCamera::default();
        for _ in 0..200 {
            camera = camera.dollied(10.0, [0.0, 0.0], SIZE);
        }
        assert_eq!(camera.distance, 1e-4);
        assert_eq!(camera.dollied(10.0, [0.0, 0.0], SIZE).pivot, camera.pivot);
        assert_eq!(camera.dollied(f64::NAN, [0.0, 0.0], SIZE), camera);
        assert_eq!(camera.dollied(0.0, [0.0, 0.0], SIZE), camera);
    }

    #[test]
    fn framing_keeps_what_is_covered_free() {
        let cloud = [Vec3::new(0.3, 0.0, 0.1), Vec3::new(-0.2, 1.8, 0.0), Vec3::new(0.0, 1.2, 0.5)];
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let camera = OrbitCamera { projection, ..OrbitCamera::default() };
            for size in [SIZE, [966.0, 428.0], [300.0, 500.0]] {
                let framed = camera.framing_below(cloud, size, 44.0);
                let view = framed.view(size, 10.0);
                for point in &cloud {
                    let at = view.project(point).unwrap();
                    assert!(at[1] > 44.0 + 8.0 && at[1] < size[1] - 8.0, "{projection:?} {size:?} {at:?}");
                    assert!(at[0] > 8.0 && at[0] < size[0] - 8.0, "{projection:?} {size:?} {at:?}");
                }
                assert_eq!(camera.framing(cloud, size), camera.framing_below(cloud, size, 0.0));
            }
        }
    }

    #[test]
    fn framing_brings_everything_into_view_without_turning() {
        let cloud: Vec<Vec3> = (0..60)
            .map(|i| {
                let t = f64::from(i);
                Vec3::new((t * 1.3).sin() * 3.0 + 40.0, (t * 0.7).cos() * 1.5, (t * 2.1).sin() * 5.0)
            })
            .collect();
        for size in [SIZE, [300.0, 900.0]] {
            for projection in [Projection::Perspective, Projection::Orthographic] {
                let start = OrbitCamera { projection, ..OrbitCamera::default() };
                let camera = start.framing(cloud.iter().copied(), size);
                assert_eq!((camera.yaw, camera.pitch), (start.yaw, start.pitch));
                let view = camera.view(size, 10.0);
                let mut fill: f64 = 0.0;
                for p in &cloud {
                    let at = view.project(p).unwrap();
                    assert!((0.0..=size[0]).contains(&at[0]) && (0.0..=size[1]).contains(&at[1]), "{at:?} {size:?}");
                    fill = fill.max((at[0] / size[0] * 2.0 - 1.0).abs()).max((at[1] / size[1] * 2.0 - 1.0).abs());
                }
                assert!(fill > 0.6, "fills the view: {fill}");
            }
        }
        let camera = OrbitCamera::default();
        assert_eq!(camera.framing([], SIZE), camera);
        assert_eq!(camera.framing([Vec3::new(f64::NAN, 0.0, 0.0)], SIZE), camera);
        let one = camera.framing([Vec3::new(3.0, 2.0, 1.0)], SIZE);
        assert!(close(one.pivot, Vec3::new(3.0, 2.0, 1.0)) && one.distance > 0.05);
    }

    #[test]
    fn damaged_cameras_are_mended() {
        let nan = f64::NAN;
        let camera = OrbitCamera {
            pivot: Vec3::new(nan, 1e300, f64::NEG_INFINITY),
            yaw: 1e12,
            pitch: nan,
            distance: 0.0,
            fov_y: f64::INFINITY,
            projection: Projection::Perspective,
        }
        .sane();
        assert!(camera.pivot.iter().all(|value| value.is_finite()) && camera.yaw.abs() <= PI);
        assert!(camera.pitch.is_finite() && camera.distance > 0.0 && camera.fov_y < PI);
    }
}
