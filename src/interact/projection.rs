//! From the world to the screen and back, for one camera on one panel.

use super::{
    camera::{OrbitCamera, aspect},
    input::ScreenPos,
};
use crate::math::{Affine, Mat4, Ray, Vec3};
use serde::{Deserialize, Serialize};

/// How depth becomes size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Projection {
    /// What is far is small.
    #[default]
    Perspective,
    /// Size does not depend on depth.
    Orthographic,
}

impl Projection {
    /// The other one.
    #[must_use]
    pub const fn toggled(self) -> Self {
        match self {
            Self::Perspective => Self::Orthographic,
            Self::Orthographic => Self::Perspective,
        }
    }
}

/// The least depth at which a point of the world still has a place on the screen, as a part of the eye's distance.
const NEAREST_PART: f64 = 1e-6;

/// What a camera object sees with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// From the bottom to the top of the picture, radians.
    pub fov_y: f64,
    /// How far ahead what it looks at lies, metres.
    pub distance: f64,
}

/// A camera on a panel: everything needed to project, and to cast rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    camera: OrbitCamera,
    /// Points.
    size: [f64; 2],
    view_from_world: Affine,
    world_from_view: Affine,
    /// Half the panel's height over its distance: at depth 1 in perspective, absolute metres in orthographic.
    half_height: f64,
    near: f64,
    far: f64,
}

impl View {
    /// A camera, whose numbers are in range, on a panel of a size in points, for a scene within `scene_radius` metres of
    /// the pivot. A panel without area counts as one point wide and high.
    pub(super) fn new(camera: &OrbitCamera, size: [f64; 2], scene_radius: f64) -> Self {
        let rotation = *camera.world_from_view().to_rotation_matrix().matrix();
        let world_from_view = Affine { linear: rotation, translation: camera.eye() };
        let linear = rotation.transpose();
        let view_from_world = Affine { linear, translation: -(linear * world_from_view.translation) };
        let tan = (camera.fov_y / 2.0).tan();
        let half_height = match camera.projection {
            Projection::Perspective => tan,
            Projection::Orthographic => tan * camera.distance,
        };
        // The ground reaches beyond the scene, so the far plane does as well. Far over near stays under 1e5, which
        // leaves a 24-bit depth buffer better than a hundredth of the depth anywhere; unless the eye is so near the
        // pivot that the pivot itself would be cut off.
        let radius = if scene_radius.is_finite() { scene_radius.max(0.0) } else { 0.0 };
        let far = 4.0 * (camera.distance + radius) + 40.0 * camera.distance;
        let near = match camera.projection {
            Projection::Perspective => (camera.distance * 0.02).max(far * 1e-5).min(camera.distance * 0.5),
            Projection::Orthographic => -far,
        };
        let size = [size[0].max(1.0), size[1].max(1.0)];
        Self { camera: *camera, size, view_from_world, world_from_view, half_height, near, far }
    }

    /// The view of a camera object: it looks along its -Z, +Y up, however it is turned. Its orbit camera is the nearest there is,
    /// upright, about a point `distance` ahead.
    #[must_use]
    pub fn through(world: &Affine, lens: Lens, size: [f64; 2], scene_radius: f64) -> Self {
        let turned = world.rotation();
        let ahead = turned * -Vec3::z();
        let camera = OrbitCamera {
            pivot: world.translation + ahead * lens.distance,
            yaw: (-ahead.x).atan2(-ahead.z),
            pitch: -ahead.y.clamp(-1.0, 1.0).asin(),
            distance: lens.distance,
            fov_y: lens.fov_y,
            projection: Projection::Perspective,
        }
        .sane();
        let linear = *turned.to_rotation_matrix().matrix();
        let world_from_view = Affine { linear, translation: world.translation };
        let back = linear.transpose();
        let view_from_world = Affine { linear: back, translation: -(back * world.translation) };
        Self { view_from_world, world_from_view, ..Self::new(&camera, size, scene_radius) }
    }

    /// The camera.
    #[must_use]
    pub const fn camera(&self) -> &OrbitCamera {
        &self.camera
    }

    /// The panel's size, points.
    #[must_use]
    pub const fn size(&self) -> [f64; 2] {
        self.size
    }

    /// From the world to the view: eye at the origin, looking along -Z, Y up.
    #[must_use]
    pub const fn view_from_world(&self) -> &Affine {
        &self.view_from_world
    }

    /// From the view to OpenGL's clip space, depth -1 to 1.
    #[must_use]
    pub fn clip_from_view(&self) -> Mat4 {
        let (near, far) = (self.near, self.far);
        let y = 1.0 / self.half_height;
        let x = y / aspect(self.size);
        let mut clip = Mat4::zeros();
        clip[(0, 0)] = x;
        clip[(1, 1)] = y;
        match self.camera.projection {
            Projection::Perspective => {
                clip[(2, 2)] = (far + near) / (near - far);
                clip[(2, 3)] = 2.0 * far * near / (near - far);
                clip[(3, 2)] = -1.0;
            }
            Projection::Orthographic => {
                clip[(2, 2)] = 2.0 / (near - far);
                clip[(2, 3)] = (far + near) / (near - far);
                clip[(3, 3)] = 1.0;
            }
        }
        clip
    }

    /// The direction the camera looks in, world, unit.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        -self.world_from_view.linear.column(2)
    }

    /// The direction to the right of the screen, world, unit.
    #[must_use]
    pub fn right(&self) -> Vec3 {
        self.world_from_view.linear.column(0).into()
    }

    /// The direction to the top of the screen, world, unit.
    #[must_use]
    pub fn up(&self) -> Vec3 {
        self.world_from_view.linear.column(1).into()
    }

    /// From the eye's plane to the point, metres along the view; negative behind the eye.
    #[must_use]
    pub fn depth(&self, point_in_world: &Vec3) -> f64 {
        -self.view_from_world.point(point_in_world).z
    }

    /// Where a point of the world appears; also outside the panel. None where it is at or behind the eye in
    /// perspective, or not finite.
    #[must_use]
    pub fn project(&self, point_in_world: &Vec3) -> Option<ScreenPos> {
        let p = self.view_from_world.point(point_in_world);
        let scale = self.points_per_metre_at(-p.z)?;
        let at = [self.size[0] / 2.0 + p.x * scale, self.size[1] / 2.0 - p.y * scale];
        (at[0].is_finite() && at[1].is_finite()).then_some(at)
    }

    /// Where both ends of a segment appear, after cutting off what lies behind the eye. None where all of it does.
    #[must_use]
    pub fn project_segment(&self, a: &Vec3, b: &Vec3) -> Option<[ScreenPos; 2]> {
        if self.camera.projection == Projection::Orthographic {
            return Some([self.project(a)?, self.project(b)?]);
        }
        let least = self.near;
        let (depth_a, depth_b) = (self.depth(a), self.depth(b));
        if depth_a < least && depth_b < least {
            return None;
        }
        let cut = |inner: &Vec3, outer: &Vec3, depth_in: f64, depth_out: f64| {
            inner + (outer - inner) * ((depth_in - least) / (depth_in - depth_out))
        };
        let start = if depth_a < least { cut(b, a, depth_b, depth_a) } else { *a };
        let end = if depth_b < least { cut(a, b, depth_a, depth_b) } else { *b };
        Some([self.project(&start)?, self.project(&end)?])
    }

    /// The ray under a place on the screen. In orthographic projection it starts in front of all of the scene.
    #[must_use]
    pub fn ray(&self, pos: ScreenPos) -> Ray {
        let half = self.size[1] / 2.0;
        let x = (pos[0] - self.size[0] / 2.0) / half * self.half_height;
        let y = (half - pos[1]) / half * self.half_height;
        match self.camera.projection {
            Projection::Perspective => {
                let direction = self.world_from_view.vector(&Vec3::new(x, y, -1.0));
                let direction = direction.try_normalize(0.0).unwrap_or_else(|| self.forward());
                Ray { origin: self.world_from_view.translation, direction }
            }
            Projection::Orthographic => {
                Ray { origin: self.world_from_view.point(&Vec3::new(x, y, self.far)), direction: self.forward() }
            }
        }
    }

    /// The point of the world under a place on the screen, on the plane square to the view through `through`. Where that
    /// lies behind the eye, the pivot's depth is taken.
    #[must_use]
    pub fn point_at_depth_of(&self, pos: ScreenPos, through: &Vec3) -> Vec3 {
        let depth = self.depth(through);
        let visible = depth > self.least_depth() || self.camera.projection == Projection::Orthographic;
        let depth = if visible && depth.is_finite() { depth } else { self.camera.distance };
        let metres = self.points_per_metre_at(depth).map_or(0.0, |scale| 1.0 / scale);
        let x = (pos[0] - self.size[0] / 2.0) * metres;
        let y = (self.size[1] / 2.0 - pos[1]) * metres;
        self.world_from_view.point(&Vec3::new(x, y, -depth))
    }

    /// Points on the screen a metre across the view takes where `point_in_world` is. None at or behind the eye in
    /// perspective.
    #[must_use]
    pub fn points_per_metre(&self, point_in_world: &Vec3) -> Option<f64> {
        self.points_per_metre_at(self.depth(point_in_world))
    }

    /// The unit direction from a point towards the eye.
    #[must_use]
    pub fn toward_eye(&self, point_in_world: &Vec3) -> Vec3 {
        match self.camera.projection {
            Projection::Perspective => (self.world_from_view.translation - point_in_world)
                .try_normalize(0.0)
                .unwrap_or_else(|| -self.forward()),
            Projection::Orthographic => -self.forward(),
        }
    }

    /// Whether a place on the screen lies in the panel.
    #[must_use]
    pub fn contains(&self, pos: ScreenPos) -> bool {
        (0.0..=self.size[0]).contains(&pos[0]) && (0.0..=self.size[1]).contains(&pos[1])
    }

    fn least_depth(&self) -> f64 {
        self.camera.distance * NEAREST_PART
    }

    /// How many points a metre is at a depth along the view, metres; none behind the eye.
    #[must_use]
    pub fn points_per_metre_at(&self, depth: f64) -> Option<f64> {
        let half = self.size[1] / 2.0;
        match self.camera.projection {
            Projection::Perspective => {
                (depth > self.least_depth() && depth.is_finite()).then(|| half / (self.half_height * depth))
            }
            Projection::Orthographic => Some(half / self.half_height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [640.0, 480.0];

    fn cameras() -> Vec<OrbitCamera> {
        let mut out = Vec::new();
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for distance in [1e-4, 0.3, 4.0, 5e3, 1e6] {
                for (yaw, pitch) in [(0.0, 0.0), (2.0, 0.7), (-3.0, -1.5), (0.4, std::f64::consts::FRAC_PI_2)] {
                    let pivot = Vec3::new(0.2, 1.0, -0.4);
                    out.push(OrbitCamera { pivot, yaw, pitch, distance, projection, ..OrbitCamera::default() });
                }
            }
        }
        out
    }

    #[test]
    fn rays_pass_through_what_they_are_cast_at() {
        for camera in cameras() {
            let view = camera.view(SIZE, 2.0);
            let scale = camera.distance;
            let point = camera.pivot + Vec3::new(0.21, -0.13, 0.3) * scale;
            let at = view.project(&point).unwrap();
            let ray = view.ray(at);
            let missed = (point - ray.origin).cross(&ray.direction).norm();
            assert!(missed < 1e-8 * (scale + 1.0), "{camera:?}: {missed}");
            let back = view.point_at_depth_of(at, &point);
            assert!((back - point).norm() < 1e-8 * (scale + 1.0), "{camera:?}");
        }
    }

    #[test]
    fn clip_space_agrees_with_the_screen() {
        for camera in cameras() {
            let view = camera.view(SIZE, 2.0);
            let point = camera.pivot + Vec3::new(-0.1, 0.2, 0.05) * camera.distance;
            let clip = view.clip_from_view() * view.view_from_world().to_mat4() * point.push(1.0);
            let at = view.project(&point).unwrap();
            let x = (clip.x / clip.w + 1.0) / 2.0 * SIZE[0];
            let y = (1.0 - clip.y / clip.w) / 2.0 * SIZE[1];
            assert!((x - at[0]).abs() < 1e-5 && (y - at[1]).abs() < 1e-5, "{camera:?}");
            assert!((clip.z / clip.w).abs() < 1.0, "{camera:?}");
        }
    }

    #[test]
    fn what_is_behind_the_eye_has_no_place() {
        let camera =
            OrbitCamera { yaw: 0.0, pitch: 0.0, pivot: Vec3::zeros(), distance: 2.0, ..OrbitCamera::default() };
        let view = camera.view(SIZE, 1.0);
        assert_eq!(view.project(&Vec3::new(0.0, 0.0, 2.0)), None);
        assert_eq!(view.project(&Vec3::new(0.0, 0.0, 3.0)), None);
        assert_eq!(view.project(&Vec3::new(f64::NAN, 0.0, 0.0)), None);
        let [a, b] = view.project_segment(&Vec3::zeros(), &Vec3::new(1.0, 0.0, 9.0)).unwrap();
        assert_eq!(a, [320.0, 240.0]);
        assert!(b[0] > 320.0 && b[0].is_finite());
        assert!(view.project_segment(&Vec3::new(0.0, 0.0, 4.0), &Vec3::new(1.0, 0.0, 9.0)).is_none());
        let behind = view.point_at_depth_of([100.0, 100.0], &Vec3::new(0.0, 0.0, 7.0));
        assert!((view.depth(&behind) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_panel_without_area_does_no_harm() {
        let view = OrbitCamera::default().view([0.0, 0.0], f64::NAN);
        assert!(view.clip_from_view().iter().all(|value| value.is_finite()));
        assert!(view.ray([0.0, 0.0]).direction.iter().all(|value| value.is_finite()));
    }
}
