//! A running turn: by which angle, about what, and how that is shown. What turns is the tools' matter.

use super::{
    steering::{Begun, Steer, Steering},
    subject::TurnAxis,
};
use crate::{
    interact::{
        gizmo::{Handle, about_axis},
        input::{Event, ScreenPos},
        modal::Constraint,
        overlay::{Ink, Overlay},
        projection::View,
        view_state::TransformSpace,
    },
    math::{Mat3, Vec3},
};

/// The step turns snap to, degrees; a fifth of it in precise work.
const STEP_DEG: f64 = 5.0;

/// A turn about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    steering: Steering,
    /// The point turned about, world, when it began.
    origin: Vec3,
    /// Axes of the spaces of what is active, world, when it began: local, parent, world.
    axes: [Mat3; 3],
    /// What it turns about while no axis key holds one.
    free: TurnAxis,
}

impl Turning {
    /// A turn that begins with the pointer at a place; `axes` gives the axes of a space of what is active, world, as
    /// columns. Without an axis held it turns about the view's axis.
    #[must_use]
    pub fn new(
        begun: Begun,
        press: ScreenPos,
        origin: Vec3,
        axes: impl Fn(TransformSpace) -> Mat3,
        view: &View,
    ) -> Self {
        let free = TurnAxis::World(view.toward_eye(&origin));
        Self { steering: Steering::new(begun, press), origin, axes: TransformSpace::ALL.map(axes), free }
    }

    /// A turn about an axis through a point, world, whatever axis key is held.
    #[must_use]
    pub fn about(begun: Begun, press: ScreenPos, origin: Vec3, axis: Vec3) -> Self {
        let free = TurnAxis::World(axis);
        Self { steering: Steering::new(begun, press), origin, axes: [Mat3::identity(); 3], free }
    }

    /// The same turn, led by a ring of a gizmo that stands in a space.
    #[must_use]
    pub fn by_handle(mut self, handle: Handle, space: TransformSpace) -> Self {
        if let Handle::Ring(axis) = handle {
            self.free = turn_axis(axis, space);
        }
        self
    }

    /// Handles an event.
    pub fn steer(&mut self, event: &Event) -> Steer {
        self.steering.handle(event)
    }

    /// What it turns about.
    #[must_use]
    pub fn axis(&self) -> TurnAxis {
        match self.steering.constraint() {
            Constraint::Free => self.free,
            Constraint::Axis(axis, space) | Constraint::Plane(axis, space) => turn_axis(axis, space),
        }
    }

    /// The same axis, world, unit, for what is active.
    #[must_use]
    pub fn axis_in_world(&self) -> Vec3 {
        match self.axis() {
            TurnAxis::Own(axis) => self.axes[0].column(axis.min(2)).into(),
            TurnAxis::Parent(axis) => self.axes[1].column(axis.min(2)).into(),
            TurnAxis::World(axis) => axis,
        }
    }

    /// The angle, radians by the right hand.
    #[must_use]
    pub fn angle(&self, view: &View) -> f64 {
        if let Some(typed) = self.steering.typed().number().value() {
            // Typed turns without an axis go as a clock's hands do not: the eye's own right hand.
            return typed.to_radians();
        }
        let (press, now) = (self.steering.press(), self.steering.now());
        let angle = about_axis(&self.origin, &self.axis_in_world(), view, press, now);
        if !self.steering.snaps() {
            return angle;
        }
        let step = STEP_DEG.to_radians() * if self.steering.is_precise() { 0.2 } else { 1.0 };
        (angle / step).round() * step
    }

    /// The axis, the arms of the angle, and its size beside the pointer.
    pub fn draw(&self, overlay: &mut Overlay, view: &View) {
        let constraint = self.steering.constraint();
        if let Constraint::Axis(axis, _) | Constraint::Plane(axis, _) = constraint {
            let along = self.axis_in_world() * (3.0 * view.camera().distance);
            if let Some([a, b]) = view.project_segment(&(self.origin - along), &(self.origin + along)) {
                overlay.line(a, b, Ink::axis(axis));
            }
        }
        if let Some(middle) = view.project(&self.origin) {
            overlay.dashed(middle, self.steering.press(), Ink::Guide);
            overlay.dashed(middle, self.steering.pointer(), Ink::Selected);
        }
        let [x, y] = self.steering.pointer();
        overlay.text([x + 16.0, y + 14.0], self.readout(view), constraint.space_key());
    }

    /// The axis held and the angle, as typed or as turned.
    #[must_use]
    pub fn readout(&self, view: &View) -> String {
        let letters = self.steering.constraint().letters();
        let blank = if letters.is_empty() { "" } else { " " };
        let number = if self.steering.typed().is_empty() {
            format!("{:.1}", self.angle(view).to_degrees() + 0.0)
        } else {
            self.steering.typed().number().text()
        };
        format!("{letters}{blank}{number}°")
    }
}

const fn turn_axis(axis: usize, space: TransformSpace) -> TurnAxis {
    match space {
        TransformSpace::Local => TurnAxis::Own(axis),
        TransformSpace::Parent => TurnAxis::Parent(axis),
        TransformSpace::World => TurnAxis::World(match axis {
            0 => Vec3::new(1.0, 0.0, 0.0),
            1 => Vec3::new(0.0, 1.0, 0.0),
            _ => Vec3::new(0.0, 0.0, 1.0),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::{
        camera::OrbitCamera,
        input::{Key, Modifiers, PointerKind},
    };

    fn turning() -> (View, Turning) {
        let camera =
            OrbitCamera { pivot: Vec3::zeros(), yaw: 0.0, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        let view = camera.view([800.0, 600.0], 2.0);
        let turned = Mat3::from_columns(&[Vec3::y(), -Vec3::x(), Vec3::z()]);
        let axes = |space| if space == TransformSpace::World { Mat3::identity() } else { turned };
        (view, Turning::new(Begun::ByKey, [500.0, 300.0], Vec3::zeros(), axes, &view))
    }

    #[test]
    fn it_follows_the_pointer_about_the_view() {
        let (view, mut turning) = turning();
        turning.steer(&Event::pointer(PointerKind::Move, [400.0, 180.0], Modifiers::NONE));
        assert!((turning.angle(&view) - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
        assert!((turning.axis_in_world() - Vec3::z()).norm() < 1e-12);
        turning.steer(&Event::pointer(PointerKind::Move, [410.0, 180.0], Modifiers::CTRL));
        assert!((turning.angle(&view).to_degrees() - 85.0).abs() < 1e-9);
    }

    #[test]
    fn axis_keys_and_typed_degrees_decide() {
        let (view, mut turning) = turning();
        for key in [Key::X, Key::Digit(3), Key::Digit(0)] {
            turning.steer(&Event::key(key));
        }
        assert_eq!(turning.axis(), TurnAxis::World(Vec3::x()));
        assert!((turning.angle(&view).to_degrees() - 30.0).abs() < 1e-12);
        turning.steer(&Event::key(Key::X));
        assert_eq!(turning.axis(), TurnAxis::Own(0));
        assert_eq!(turning.axis_in_world(), Vec3::y());
    }
}
