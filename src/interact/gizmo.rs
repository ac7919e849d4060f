//! Handles that move and turn along axes: arrows, planes and rings of constant size on the screen.
//!
//! What a drag means is worked out from the place pressed and the place now, so that nothing drifts.

use super::{
    input::{ScreenPos, distance, offset},
    modal::Constraint,
    picking::distance_to_segment,
    projection::View,
};
use crate::math::{Mat3, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Length of an arrow and radius of a ring, points.
pub const SIZE_PT: f64 = 80.0;
/// Where an arrow's shaft begins, as a part of its length: the middle is left to the plane of the screen.
pub const SHAFT_FROM: f64 = 0.18;
/// The near and the far corner of a plane's square, as parts of an arrow's length.
pub const PLANE_FROM: f64 = 0.28;
/// See [`PLANE_FROM`].
pub const PLANE_TO: f64 = 0.5;
/// Radius of the disc that moves in the plane of the screen, and of the ring that turns about the view's axis, as parts
/// of an arrow's length.
pub const CENTRE_RADIUS: f64 = 0.12;
/// See [`CENTRE_RADIUS`].
pub const VIEW_RING: f64 = 1.18;
/// Distance from a handle in which it is hit, points.
pub const HANDLE_HIT_PT: f64 = 8.0;
/// Corners of a drawn ring.
const RING_STEPS: u32 = 64;
/// An arrow that points at the eye closer than this (cosine) cannot be dragged and is not shown.
const ARROW_FACING_MOST: f64 = 0.985;
/// A plane seen more from its edge than this (cosine to its normal) is not shown.
const PLANE_FACING_LEAST: f64 = 0.17;
/// A ring seen more from its edge than this is turned by the pointer's way along it, not by its angle about the middle.
const RING_FACING_LEAST: f64 = 0.25;

/// Which gizmo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GizmoKind {
    /// Arrows and planes.
    Move,
    /// Rings.
    Rotate,
}

/// A part of a gizmo that can be grabbed. Axes are 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Moves along an axis.
    Arrow(usize),
    /// Moves in the plane square to an axis.
    Plane(usize),
    /// Moves in the plane of the screen.
    Centre,
    /// Turns about an axis.
    Ring(usize),
    /// Turns about the view's axis.
    ViewRing,
}

impl Handle {
    /// The handles of a gizmo, the one that wins where two are equally near first.
    #[must_use]
    pub const fn all(kind: GizmoKind) -> &'static [Self] {
        match kind {
            GizmoKind::Move => &[
                Self::Centre,
                Self::Arrow(0),
                Self::Arrow(1),
                Self::Arrow(2),
                Self::Plane(0),
                Self::Plane(1),
                Self::Plane(2),
            ],
            GizmoKind::Rotate => &[Self::Ring(0), Self::Ring(1), Self::Ring(2), Self::ViewRing],
        }
    }

    /// The axis it has the colour of.
    #[must_use]
    pub const fn axis(self) -> Option<usize> {
        match self {
            Self::Arrow(axis) | Self::Plane(axis) | Self::Ring(axis) => Some(axis),
            Self::Centre | Self::ViewRing => None,
        }
    }

    /// The text key of its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrow(0) => "gizmo.move_x",
            Self::Arrow(1) => "gizmo.move_y",
            Self::Arrow(_) => "gizmo.move_z",
            Self::Plane(0) => "gizmo.move_yz",
            Self::Plane(1) => "gizmo.move_zx",
            Self::Plane(_) => "gizmo.move_xy",
            Self::Centre => "gizmo.move_screen",
            Self::Ring(0) => "gizmo.rotate_x",
            Self::Ring(1) => "gizmo.rotate_y",
            Self::Ring(_) => "gizmo.rotate_z",
            Self::ViewRing => "gizmo.rotate_view",
        }
    }
}

/// A gizmo where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gizmo {
    /// Which one.
    pub kind: GizmoKind,
    /// Its middle, world.
    pub origin: Vec3,
    /// Its axes as columns, world, unit.
    pub axes: Mat3,
}

impl Gizmo {
    /// An axis, world, unit; the view's axis for no axis.
    #[must_use]
    pub fn axis(&self, axis: usize) -> Vec3 {
        self.axes.column(axis.min(2)).into()
    }

    /// Metres that an arrow is long, so that it is [`SIZE_PT`] on the screen; none where the gizmo is behind the eye.
    #[must_use]
    pub fn length(&self, view: &View) -> Option<f64> {
        Some(SIZE_PT / view.points_per_metre(&self.origin)?)
    }

    /// Whether a handle can be dragged as the gizmo is seen now.
    #[must_use]
    pub fn is_shown(&self, handle: Handle, view: &View) -> bool {
        let facing = |axis: usize| self.axis(axis).dot(&view.toward_eye(&self.origin)).abs();
        match handle {
            Handle::Arrow(axis) => facing(axis) < ARROW_FACING_MOST,
            Handle::Plane(axis) => facing(axis) > PLANE_FACING_LEAST,
            Handle::Centre | Handle::Ring(_) | Handle::ViewRing => true,
        }
    }

    /// The line a handle is drawn along, world: an arrow's shaft, a square's edge, the near half of a ring (a whole one where
    /// it is seen from in front). Empty where the gizmo is behind the eye.
    #[must_use]
    pub fn outline(&self, handle: Handle, view: &View) -> Vec<Vec3> {
        let Some(length) = self.length(view) else { return Vec::new() };
        match handle {
            Handle::Arrow(axis) => {
                let along = self.axis(axis) * length;
                vec![self.origin + along * SHAFT_FROM, self.origin + along]
            }
            Handle::Plane(axis) => {
                let (u, v) = (self.axis((axis + 1) % 3) * length, self.axis((axis + 2) % 3) * length);
                let corner = |a: f64, b: f64| self.origin + u * a + v * b;
                let (near, far) = (PLANE_FROM, PLANE_TO);
                vec![corner(near, near), corner(far, near), corner(far, far), corner(near, far), corner(near, near)]
            }
            Handle::Centre => ring(self.origin, view.right(), view.up(), length * CENTRE_RADIUS, TAU),
            Handle::ViewRing => ring(self.origin, view.right(), view.up(), length * VIEW_RING, TAU),
            Handle::Ring(axis) => self.ring_outline(axis, view, length),
        }
    }

    fn ring_outline(&self, axis: usize, view: &View, length: f64) -> Vec<Vec3> {
        let normal = self.axis(axis);
        let eye = view.toward_eye(&self.origin);
        // The near half is centred on the direction towards the eye as seen in the ring's plane.
        let toward = eye - normal * normal.dot(&eye);
        match toward.try_normalize(0.25) {
            Some(near) => ring_half(self.origin, near, normal.cross(&near), length),
            None => {
                let u = self.axis((axis + 1) % 3);
                ring(self.origin, u, normal.cross(&u), length, TAU)
            }
        }
    }

    /// The handle under a place on the screen and how far it is from there, points.
    #[must_use]
    pub fn hit(&self, view: &View, pos: ScreenPos) -> Option<(Handle, f64)> {
        let mut best: Option<(Handle, f64)> = None;
        for &handle in Handle::all(self.kind).iter().filter(|handle| self.is_shown(**handle, view)) {
            let Some(away) = self.distance_to(handle, view, pos) else { continue };
            if away <= HANDLE_HIT_PT && best.is_none_or(|(_, least)| away < least) {
                best = Some((handle, away));
            }
        }
        best
    }

    /// From a place on the screen to a handle, points; 0 inside a square or disc.
    fn distance_to(&self, handle: Handle, view: &View, pos: ScreenPos) -> Option<f64> {
        let corners: Vec<ScreenPos> = self.outline(handle, view).iter().filter_map(|p| view.project(p)).collect();
        let edge = corners.windows(2).map(|pair| distance_to_segment(pos, pair[0], pair[1])).min_by(f64::total_cmp)?;
        let filled = matches!(handle, Handle::Plane(_) | Handle::Centre);
        Some(if filled && is_inside(&corners, pos) { 0.0 } else { edge })
    }

    /// How far a drag of an arrow, a square or the middle moves, world, metres.
    #[must_use]
    pub fn moved(&self, handle: Handle, view: &View, press: ScreenPos, now: ScreenPos) -> Vec3 {
        match handle {
            Handle::Arrow(axis) => {
                let axis = self.axis(axis);
                axis * along_axis(&self.origin, &axis, view, press, now)
            }
            Handle::Plane(axis) => in_plane(&self.origin, &self.axis(axis), view, press, now),
            Handle::Centre | Handle::Ring(_) | Handle::ViewRing => across_screen(&self.origin, view, press, now),
        }
    }

    /// The world axis a ring turns about and the angle a drag of it turns, radians, -pi to pi by the right hand.
    #[must_use]
    pub fn turned(&self, handle: Handle, view: &View, press: ScreenPos, now: ScreenPos) -> (Vec3, f64) {
        let axis = match handle {
            Handle::Ring(axis) => self.axis(axis),
            _ => view.toward_eye(&self.origin),
        };
        (axis, about_axis(&self.origin, &axis, view, press, now))
    }
}

/// How far along an axis through `origin` the pointer went, metres.
#[must_use]
pub fn along_axis(origin: &Vec3, axis: &Vec3, view: &View, press: ScreenPos, now: ScreenPos) -> f64 {
    let eye = view.toward_eye(origin);
    // The plane through the axis that faces the eye most.
    let side = axis.cross(&eye);
    if side.norm() > (1.0 - ARROW_FACING_MOST * ARROW_FACING_MOST).sqrt() {
        let normal = axis.cross(&side);
        let at = |pos: ScreenPos| {
            let ray = view.ray(pos);
            Some((ray.at(ray.meet_plane(origin, &normal)?) - origin).dot(axis))
        };
        if let (Some(from), Some(to)) = (at(press), at(now)) {
            return limited(to - from, origin, view);
        }
    }
    // Seen from its end: up on the screen is away.
    let up = if axis.dot(&view.up()).abs() > 1e-3 { axis.dot(&view.up()).signum() } else { 1.0 };
    let scale = view.points_per_metre(origin).map_or(0.0, |scale| 1.0 / scale);
    up * (press[1] - now[1]) * scale
}

/// How far the pointer went in the plane through `origin` square to `normal`, world.
#[must_use]
pub fn in_plane(origin: &Vec3, normal: &Vec3, view: &View, press: ScreenPos, now: ScreenPos) -> Vec3 {
    let at = |pos: ScreenPos| {
        let ray = view.ray(pos);
        Some(ray.at(ray.meet_plane(origin, normal)?))
    };
    let facing = normal.dot(&view.toward_eye(origin)).abs();
    if facing > PLANE_FACING_LEAST / 2.0
        && let (Some(from), Some(to)) = (at(press), at(now))
    {
        let moved = to - from;
        let length = moved.norm();
        let most = limited(length, origin, view);
        return if length > most { moved * (most / length) } else { moved };
    }
    let moved = across_screen(origin, view, press, now);
    moved - normal * normal.dot(&moved)
}

/// How far the pointer went in the plane of the screen through `origin`, world.
#[must_use]
pub fn across_screen(origin: &Vec3, view: &View, press: ScreenPos, now: ScreenPos) -> Vec3 {
    view.point_at_depth_of(now, origin) - view.point_at_depth_of(press, origin)
}

/// The angle the pointer went about an axis through `origin`, radians, -pi to pi by the right hand about the axis.
///
/// Where the circle is seen from in front, the angle in the plane of the circle; where it is seen from its edge, the way
/// along it. A place pressed in the very middle turns by the angle on the screen from the place the pointer goes to: 0.
#[must_use]
pub fn about_axis(origin: &Vec3, axis: &Vec3, view: &View, press: ScreenPos, now: ScreenPos) -> f64 {
    let eye = view.toward_eye(origin);
    let facing = axis.dot(&eye);
    let Some(middle) = view.project(origin) else { return 0.0 };
    if facing.abs() < RING_FACING_LEAST {
        // The near point of the circle moves along axis x eye when it turns by the right hand.
        let tangent = axis.cross(&eye);
        let radius = SIZE_PT;
        let along = [tangent.dot(&view.right()), -tangent.dot(&view.up())];
        let moved = offset(press, now);
        return (moved[0] * along[0] + moved[1] * along[1]) / radius;
    }
    if distance(press, middle) < 1e-6 || distance(now, middle) < 1e-6 {
        return 0.0;
    }
    let at = |pos: ScreenPos| {
        let ray = view.ray(pos);
        Some(ray.at(ray.meet_plane(origin, axis)?) - origin)
    };
    if let (Some(from), Some(to)) = (at(press), at(now)) {
        return axis.dot(&from.cross(&to)).atan2(from.dot(&to));
    }
    // Beyond the horizon of the circle's plane: the angle on the screen, Y down there.
    let angle = |pos: ScreenPos| (middle[1] - pos[1]).atan2(pos[0] - middle[0]);
    let turned = angle(now) - angle(press);
    let turned = turned - TAU * (turned / TAU).round();
    turned * facing.signum()
}

/// The movement of a pointer as a constraint lets it, world; `space` gives a space's axes, world, as columns.
#[must_use]
pub fn constrained(
    constraint: Constraint,
    origin: &Vec3,
    axes: &dyn Fn(super::view_state::TransformSpace) -> Mat3,
    view: &View,
    [press, now]: [ScreenPos; 2],
) -> Vec3 {
    match constraint {
        Constraint::Free => across_screen(origin, view, press, now),
        Constraint::Axis(axis, space) => {
            let axis: Vec3 = axes(space).column(axis.min(2)).into();
            axis * along_axis(origin, &axis, view, press, now)
        }
        Constraint::Plane(axis, space) => in_plane(origin, &axes(space).column(axis.min(2)).into(), view, press, now),
    }
}

/// A length kept below a thousand times the eye's distance: near the horizon a point of the screen is a mile.
fn limited(length: f64, origin: &Vec3, view: &View) -> f64 {
    let most = 1e3 * view.camera().distance.max(view.depth(origin).abs());
    length.clamp(-most, most)
}

/// Corners of an arc about `centre` from `u` towards `v` (both unit), `angle` long.
fn ring(centre: Vec3, u: Vec3, v: Vec3, radius: f64, angle: f64) -> Vec<Vec3> {
    let corner = |step: u32| {
        let at = angle * f64::from(step) / f64::from(RING_STEPS);
        centre + (u * at.cos() + v * at.sin()) * radius
    };
    (0..=RING_STEPS).map(corner).collect()
}

/// Corners of the half circle whose middle is in direction `near`.
fn ring_half(centre: Vec3, near: Vec3, side: Vec3, radius: f64) -> Vec<Vec3> {
    let corner = |step: u32| {
        let at = PI * f64::from(step) / f64::from(RING_STEPS / 2) - FRAC_PI_2;
        centre + (near * at.cos() + side * at.sin()) * radius
    };
    (0..=RING_STEPS / 2).map(corner).collect()
}

/// Whether a place is inside a closed outline, by the number of edges to its right.
fn is_inside(corners: &[ScreenPos], pos: ScreenPos) -> bool {
    let crosses = |pair: &&[ScreenPos]| {
        let (a, b) = (pair[0], pair[1]);
        (a[1] > pos[1]) != (b[1] > pos[1]) && pos[0] < a[0] + (pos[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    corners.windows(2).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::{camera::OrbitCamera, projection::Projection};

    const SIZE: [f64; 2] = [800.0, 600.0];

    fn views() -> Vec<View> {
        let mut out = Vec::new();
        for projection in [Projection::Perspective, Projection::Orthographic] {
            for distance in [0.2, 4.0, 900.0] {
                let pivot = Vec3::new(0.1, 0.9, 0.2);
                let camera = OrbitCamera { pivot, distance, projection, ..OrbitCamera::default() };
                out.push(camera.view(SIZE, 2.0));
            }
        }
        out
    }

    fn gizmo(kind: GizmoKind) -> Gizmo {
        let turn = crate::math::rotation::from_axis_angle(&Vec3::new(1.0, 2.0, -0.5), 0.7);
        Gizmo { kind, origin: Vec3::new(0.1, 0.9, 0.2), axes: *turn.to_rotation_matrix().matrix() }
    }

    #[test]
    fn arrows_keep_their_size_and_are_hit_at_their_tips() {
        for view in views() {
            let gizmo = Gizmo { axes: Mat3::identity(), ..gizmo(GizmoKind::Move) };
            let length = gizmo.length(&view).unwrap();
            let across = view.project(&(gizmo.origin + view.right() * length)).unwrap();
            let middle = view.project(&gizmo.origin).unwrap();
            assert!((distance(across, middle) - SIZE_PT).abs() < 1e-6);
            for axis in 0..3 {
                let tip = view.project(&(gizmo.origin + gizmo.axis(axis) * length)).unwrap();
                assert_eq!(gizmo.hit(&view, tip).unwrap().0, Handle::Arrow(axis));
            }
            assert_eq!(gizmo.hit(&view, middle).unwrap().0, Handle::Centre);
            assert!(gizmo.hit(&view, [middle[0] + 300.0, middle[1]]).is_none());
        }
    }

    #[test]
    fn a_dragged_point_stays_under_the_pointer() {
        for view in views() {
            let gizmo = gizmo(GizmoKind::Move);
            let length = gizmo.length(&view).unwrap();
            for axis in 0..3 {
                let (grabbed, going) = (gizmo.origin + gizmo.axis(axis) * length, gizmo.axis(axis) * length * 1.7);
                let (press, now) = (view.project(&grabbed).unwrap(), view.project(&(grabbed + going)).unwrap());
                let moved = gizmo.moved(Handle::Arrow(axis), &view, press, now);
                assert!((moved - going).norm() < 1e-6 * going.norm(), "axis {axis}: {moved} {going}");
                let sideways = (gizmo.axis((axis + 1) % 3) - gizmo.axis((axis + 2) % 3) * 0.4) * length;
                if gizmo.is_shown(Handle::Plane(axis), &view) {
                    let press = view.project(&gizmo.origin).unwrap();
                    let now = view.project(&(gizmo.origin + sideways)).unwrap();
                    let moved = gizmo.moved(Handle::Plane(axis), &view, press, now);
                    assert!((moved - sideways).norm() < 1e-6 * sideways.norm(), "plane {axis}");
                }
            }
        }
    }

    #[test]
    fn a_ring_follows_the_pointer_round() {
        for view in views() {
            let gizmo = gizmo(GizmoKind::Rotate);
            let length = gizmo.length(&view).unwrap();
            for axis in 0..3 {
                let normal = gizmo.axis(axis);
                if normal.dot(&view.toward_eye(&gizmo.origin)).abs() < RING_FACING_LEAST {
                    continue;
                }
                let arm = gizmo.axis((axis + 1) % 3) * length;
                for angle in [-2.5, -0.3, 0.0, 1e-4, 1.0, 3.0] {
                    let turned = crate::math::rotation::from_axis_angle(&normal, angle) * arm;
                    let press = view.project(&(gizmo.origin + arm)).unwrap();
                    let now = view.project(&(gizmo.origin + turned)).unwrap();
                    let (about, by) = gizmo.turned(Handle::Ring(axis), &view, press, now);
                    assert_eq!(about, normal);
                    assert!((by - angle).abs() < 1e-6, "axis {axis}: {by} for {angle}");
                }
            }
        }
    }

    #[test]
    fn an_edge_on_ring_turns_by_the_way_along_it() {
        let camera = OrbitCamera { yaw: 0.0, pitch: 0.0, pivot: Vec3::zeros(), ..OrbitCamera::default() };
        let view = camera.view(SIZE, 2.0);
        // About +Y, seen from +Z: the near side goes to the right.
        let by = about_axis(&Vec3::zeros(), &Vec3::y(), &view, [400.0, 300.0], [480.0, 300.0]);
        assert!((by - 1.0).abs() < 1e-9, "{by}");
        let by = about_axis(&Vec3::zeros(), &Vec3::x(), &view, [400.0, 300.0], [400.0, 380.0]);
        assert!((by - 1.0).abs() < 1e-9, "{by}");
    }

    #[test]
    fn axes_seen_from_their_ends_stay_finite() {
        let camera = OrbitCamera { yaw: 0.0, pitch: 0.0, pivot: Vec3::zeros(), ..OrbitCamera::default() };
        let view = camera.view(SIZE, 2.0);
        let gizmo = Gizmo { kind: GizmoKind::Move, origin: Vec3::zeros(), axes: Mat3::identity() };
        assert!(!gizmo.is_shown(Handle::Arrow(2), &view));
        for now in [[400.0, 100.0], [-1e6, 5e7], [400.0, 300.0]] {
            for handle in Handle::all(GizmoKind::Move) {
                let moved = gizmo.moved(*handle, &view, [400.0, 300.0], now);
                assert!(moved.iter().all(|value| value.is_finite()), "{handle:?} {now:?}");
            }
            for handle in Handle::all(GizmoKind::Rotate) {
                assert!(gizmo.turned(*handle, &view, [400.0, 300.0], now).1.is_finite());
            }
        }
    }
}
