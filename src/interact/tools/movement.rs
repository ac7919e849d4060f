//! A running movement: how far, along what, and how that is shown. What moves is the tools' matter.

use super::steering::{Begun, Steer, Steering};
use crate::{
    interact::{
        gizmo::{Gizmo, Handle, constrained},
        input::{Event, ScreenPos},
        modal::{Constraint, axis_letter},
        overlay::{Ink, Overlay},
        projection::View,
        view_state::TransformSpace,
    },
    math::{Mat3, Vec3},
    model::LengthUnit,
};

/// A step of snapping is at least this long on the screen, points.
const STEP_LEAST_PT: f64 = 8.0;
/// Half the length of the line drawn along a held axis, in eye distances.
const AXIS_LINE: f64 = 3.0;

/// A movement of something grabbed at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    steering: Steering,
    /// The point grabbed, world, when it began.
    origin: Vec3,
    /// Axes of the spaces, world, when it began: local, parent, world.
    axes: [Mat3; 3],
    /// The part of a gizmo that was grabbed.
    handle: Option<(Gizmo, Handle)>,
    /// Unit of typed and shown lengths.
    unit: LengthUnit,
}

impl Movement {
    /// A movement of a point that begins at a place. `axes` gives the axes of a space, world, as columns.
    #[must_use]
    pub fn new(
        begun: Begun,
        press: ScreenPos,
        origin: Vec3,
        axes: impl Fn(TransformSpace) -> Mat3,
        unit: LengthUnit,
    ) -> Self {
        let axes = TransformSpace::ALL.map(axes);
        Self { steering: Steering::new(begun, press), origin, axes, handle: None, unit }
    }

    /// The same movement, led by a part of a gizmo.
    #[must_use]
    pub const fn by_handle(mut self, gizmo: Gizmo, handle: Handle) -> Self {
        self.handle = Some((gizmo, handle));
        self
    }

    /// The point grabbed, world, when it began.
    #[must_use]
    pub const fn origin(&self) -> &Vec3 {
        &self.origin
    }

    /// Where the pointer was when it began, and where it counts as being now.
    #[must_use]
    pub const fn pointers(&self) -> [ScreenPos; 2] {
        [self.steering.press(), self.steering.now()]
    }

    /// The part of the gizmo that leads it.
    #[must_use]
    pub const fn handle(&self) -> Option<(Gizmo, Handle)> {
        self.handle
    }

    /// Whether a typed number decides, not the pointer.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.steering.typed().value().is_some()
    }

    /// Whether what it moves is to be parted from here on.
    #[must_use]
    pub const fn parts(&self) -> bool {
        self.steering.parts()
    }

    /// Handles an event.
    pub fn steer(&mut self, event: &Event) -> Steer {
        self.steering.handle(event)
    }

    /// How far it has moved, world, metres.
    #[must_use]
    pub fn displacement(&self, view: &View) -> Vec3 {
        if let Some(typed) = self.steering.typed().value() {
            return self.along_typed() * (typed * self.unit.metres());
        }
        let (press, now) = (self.steering.press(), self.steering.now());
        let free = self.steering.constraint() == Constraint::Free;
        let moved = match self.handle.filter(|_| free) {
            Some((gizmo, handle)) => gizmo.moved(handle, view, press, now),
            None => {
                constrained(self.steering.constraint(), &self.origin, &|space| self.axes_of(space), view, [press, now])
            }
        };
        if self.steering.snaps() { self.snapped(&moved, view) } else { moved }
    }

    fn axes_of(&self, space: TransformSpace) -> Mat3 {
        match space {
            TransformSpace::Local => self.axes[0],
            TransformSpace::Parent => self.axes[1],
            TransformSpace::World => self.axes[2],
        }
    }

    /// The direction a typed number goes in: the held axis, that of the arrow, else the world's X.
    fn along_typed(&self) -> Vec3 {
        match (self.steering.constraint(), self.handle) {
            (Constraint::Axis(axis, space), _) => self.axes_of(space).column(axis.min(2)).into(),
            (Constraint::Plane(axis, space), _) => self.axes_of(space).column((axis + 1) % 3).into(),
            (Constraint::Free, Some((gizmo, Handle::Arrow(axis)))) => gizmo.axis(axis),
            (Constraint::Free, _) => Vec3::x(),
        }
    }

    /// A displacement in whole steps along the directions it is free in.
    fn snapped(&self, moved: &Vec3, view: &View) -> Vec3 {
        let step = snap_step(view, &self.origin, self.unit) * if self.steering.is_precise() { 0.1 } else { 1.0 };
        let column = |axes: &Mat3, axis: usize| Vec3::from(axes.column(axis % 3));
        let directions = match (self.steering.constraint(), self.handle) {
            (Constraint::Axis(axis, space), _) => vec![column(&self.axes_of(space), axis)],
            (Constraint::Plane(axis, space), _) => {
                let axes = self.axes_of(space);
                vec![column(&axes, axis + 1), column(&axes, axis + 2)]
            }
            (Constraint::Free, Some((gizmo, Handle::Arrow(axis)))) => vec![gizmo.axis(axis)],
            (Constraint::Free, Some((gizmo, Handle::Plane(axis)))) => {
                vec![column(&gizmo.axes, axis + 1), column(&gizmo.axes, axis + 2)]
            }
            (Constraint::Free, _) => vec![view.right(), view.up()],
        };
        directions.iter().map(|direction| direction * ((moved.dot(direction) / step).round() * step)).sum()
    }

    /// The held axis and how far it has moved, beside the pointer.
    pub fn draw(&self, overlay: &mut Overlay, view: &View) {
        let moved = self.displacement(view);
        let constraint = self.steering.constraint();
        let reach = AXIS_LINE * view.camera().distance;
        let mut line = |direction: Vec3, ink: Ink| {
            if let Some([a, b]) =
                view.project_segment(&(self.origin - direction * reach), &(self.origin + direction * reach))
            {
                overlay.line(a, b, ink);
            }
        };
        match constraint {
            Constraint::Free => {}
            Constraint::Axis(axis, space) => line(self.axes_of(space).column(axis).into(), Ink::axis(axis)),
            Constraint::Plane(axis, space) => {
                for axis in [(axis + 1) % 3, (axis + 2) % 3] {
                    line(self.axes_of(space).column(axis).into(), Ink::axis(axis));
                }
            }
        }
        let [x, y] = self.steering.pointer();
        overlay.text([x + 16.0, y + 14.0], self.readout(&moved), constraint.space_key());
    }

    /// The axis it goes along if only one, with its letter.
    fn only_axis(&self) -> Option<(usize, Vec3)> {
        match (self.steering.constraint(), self.handle) {
            (Constraint::Axis(axis, space), _) => Some((axis, self.axes_of(space).column(axis.min(2)).into())),
            (Constraint::Free, Some((gizmo, Handle::Arrow(axis)))) => Some((axis, gizmo.axis(axis))),
            _ => None,
        }
    }

    fn readout(&self, moved: &Vec3) -> String {
        let unit = self.unit.metres();
        let symbol = self.unit.symbol();
        if !self.steering.typed().is_empty() {
            let letters = match (self.only_axis(), self.steering.constraint()) {
                (Some((axis, _)), _) => axis_letter(axis),
                (None, Constraint::Plane(axis, _)) => axis_letter((axis + 1) % 3),
                _ => 'X',
            };
            return format!("{letters} {} {symbol}", self.steering.typed().text());
        }
        if let Some((axis, along)) = self.only_axis() {
            return format!("{} {} {symbol}", axis_letter(axis), number(along.dot(moved) / unit));
        }
        let part = |axis: usize| format!("{} {}", axis_letter(axis), number(moved[axis] / unit));
        format!("{}  {}  {} {symbol}", part(0), part(1), part(2))
    }
}

/// A number with three decimals, never `-0.000`.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { "0.000".to_owned() } else { text }
}

/// The step movements snap to, metres: 1, 2 or 5 times a power of ten of the unit, at least a few points on the screen.
#[must_use]
pub fn snap_step(view: &View, at: &Vec3, unit: LengthUnit) -> f64 {
    let least = STEP_LEAST_PT / view.points_per_metre(at).unwrap_or(100.0) / unit.metres();
    let decade = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|nice| nice * decade).find(|step| *step >= least * (1.0 - 1e-9));
    step.unwrap_or(decade) * unit.metres()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::{
        camera::OrbitCamera,
        input::{Key, Modifiers, PointerKind},
    };

    const SIZE: [f64; 2] = [800.0, 600.0];

    fn front() -> View {
        let camera =
            OrbitCamera { pivot: Vec3::zeros(), yaw: 0.0, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        camera.view(SIZE, 2.0)
    }

    fn movement() -> Movement {
        // Local X is the world's Z.
        let turned = Mat3::from_columns(&[Vec3::z(), Vec3::y(), -Vec3::x()]);
        let axes = |space| if space == TransformSpace::World { Mat3::identity() } else { turned };
        Movement::new(Begun::ByKey, [400.0, 300.0], Vec3::zeros(), axes, LengthUnit::Centimetre)
    }

    fn to(movement: &mut Movement, pos: ScreenPos, modifiers: Modifiers) {
        movement.steer(&Event::pointer(PointerKind::Move, pos, modifiers));
    }

    #[test]
    fn the_point_goes_with_the_pointer_and_along_held_axes() {
        let (view, mut drag) = (front(), movement());
        to(&mut drag, [450.0, 270.0], Modifiers::NONE);
        let moved = drag.displacement(&view);
        let at = view.project(&moved).unwrap();
        assert!((at[0] - 450.0).abs() < 1e-9 && (at[1] - 270.0).abs() < 1e-9);
        drag.steer(&Event::key(Key::Y));
        let held = drag.displacement(&view);
        assert!(held.x == 0.0 && held.z == 0.0 && (held.y - moved.y).abs() < 1e-9);
        drag.steer(&Event::key(Key::X));
        drag.steer(&Event::key(Key::X));
        assert!(drag.displacement(&view).xy().norm() < 1e-12, "the local X is the world's Z");
    }

    #[test]
    fn typed_numbers_are_in_the_unit_shown() {
        let (view, mut drag) = (front(), movement());
        to(&mut drag, [450.0, 270.0], Modifiers::NONE);
        for key in [Key::Y, Key::Digit(1), Key::Digit(2), Key::Point, Key::Digit(5), Key::Minus] {
            drag.steer(&Event::key(key));
        }
        assert!((drag.displacement(&view) - Vec3::new(0.0, -0.125, 0.0)).norm() < 1e-12);
        let mut overlay = Overlay::default();
        drag.draw(&mut overlay, &view);
        assert!(format!("{overlay:?}").contains("Y -12.5 cm"));
    }

    #[test]
    fn snapping_goes_in_round_steps() {
        let (view, mut drag) = (front(), movement());
        let step = snap_step(&view, &Vec3::zeros(), LengthUnit::Centimetre);
        assert!((step - 0.05).abs() < 1e-12, "{step}");
        to(&mut drag, [451.0, 273.0], Modifiers::CTRL);
        let moved = drag.displacement(&view) / step;
        assert!((moved - moved.map(f64::round)).norm() < 1e-9 && moved.norm() > 1.0, "{moved}");
    }
}
