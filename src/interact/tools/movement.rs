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
    /// What moves, world, when it began: typed coordinates and the grid are for it.
    anchor: Vec3,
    /// Whether steps are those of the grid, not of the way.
    to_grid: bool,
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
        let steering = Steering::new(begun, press);
        Self { steering, origin, anchor: origin, to_grid: false, axes, handle: None, unit }
    }

    /// The same movement of something that is not at the point grabbed itself; snapping to the grid or in steps of the way.
    #[must_use]
    pub const fn of(mut self, anchor: Vec3, to_grid: bool) -> Self {
        self.anchor = anchor;
        self.to_grid = to_grid;
        self
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
        self.steering.typed().values().iter().any(Option::is_some)
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
        if self.is_typed() {
            return self.typed();
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

    /// The directions it is free in, with their letters; on the screen those of the world.
    fn directions(&self) -> Vec<(usize, Vec3)> {
        let of = |axes: &Mat3, list: &[usize]| -> Vec<(usize, Vec3)> {
            list.iter().map(|axis| (axis % 3, Vec3::from(axes.column(axis % 3)))).collect()
        };
        match (self.steering.constraint(), self.handle) {
            (Constraint::Axis(axis, space), _) => of(&self.axes_of(space), &[axis]),
            (Constraint::Plane(axis, space), _) => of(&self.axes_of(space), &[axis + 1, axis + 2]),
            (Constraint::Free, Some((gizmo, Handle::Arrow(axis)))) => of(&gizmo.axes, &[axis]),
            (Constraint::Free, Some((gizmo, Handle::Plane(axis)))) => of(&gizmo.axes, &[axis + 1, axis + 2]),
            (Constraint::Free, _) => of(&Mat3::identity(), &[0, 1, 2]),
        }
    }

    /// The displacement that the typed numbers are.
    fn typed(&self) -> Vec3 {
        let entry = self.steering.typed();
        let part = |((_, direction), value): (&(usize, Vec3), Option<f64>)| {
            let wanted = value? * self.unit.metres();
            Some(direction * if entry.is_absolute() { wanted - self.anchor.dot(direction) } else { wanted })
        };
        self.directions().iter().zip(entry.values()).filter_map(part).sum()
    }

    /// A displacement in whole steps along the directions it is free in, or to whole steps of the coordinates.
    fn snapped(&self, moved: &Vec3, view: &View) -> Vec3 {
        let step = snap_step(view, &self.origin, self.unit) * if self.steering.is_precise() { 0.1 } else { 1.0 };
        let on_screen = self.steering.constraint() == Constraint::Free
            && !matches!(self.handle, Some((_, Handle::Arrow(_) | Handle::Plane(_))));
        let directions = match on_screen && !self.to_grid {
            true => vec![view.right(), view.up()],
            false => self.directions().into_iter().map(|(_, direction)| direction).collect(),
        };
        let part = |direction: &Vec3| {
            let from = if self.to_grid { self.anchor.dot(direction) } else { 0.0 };
            direction * (((from + moved.dot(direction)) / step).round() * step - from)
        };
        directions.iter().map(part).sum()
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

    /// How far it has moved, in the unit shown, or what has been typed.
    #[must_use]
    pub fn readout_in(&self, view: &View) -> String {
        self.readout(&self.displacement(view))
    }

    fn readout(&self, moved: &Vec3) -> String {
        let unit = self.unit.metres();
        let symbol = self.unit.symbol();
        let typed = self.steering.typed();
        if !typed.is_empty() {
            let directions = self.directions();
            let part = |(place, (axis, _)): (usize, &(usize, Vec3))| {
                let (text, in_hand) = (typed.text(place), place == typed.at() % directions.len());
                let equals = if typed.is_absolute() { "= " } else { "" };
                (in_hand || !text.is_empty()).then(|| format!("{} {equals}{text}", axis_letter(*axis)))
            };
            let parts: Vec<String> = directions.iter().enumerate().filter_map(part).collect();
            return format!("{} {symbol}", parts.join("  "));
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
    fn typed_coordinates_put_what_moves_there() {
        let view = front();
        let anchor = Vec3::new(0.3, 1.0, -0.2);
        let mut drag = movement().of(anchor, false);
        let keys = [Key::Equals, Key::Digit(5), Key::Tab, Key::Tab, Key::Digit(1), Key::Minus];
        for key in keys {
            drag.steer(&Event::key(key));
        }
        let there = anchor + drag.displacement(&view);
        assert!((there - Vec3::new(0.05, 1.0, -0.01)).norm() < 1e-12, "{there}");
        assert_eq!(drag.readout_in(&view), "X = 5  Z = -1 cm");
    }

    #[test]
    fn snapping_to_the_grid_lands_on_it() {
        let view = front();
        let mut drag = movement().of(Vec3::new(0.013, 0.021, 0.0), true);
        drag.steer(&Event::key(Key::X));
        to(&mut drag, [451.0, 273.0], Modifiers::CTRL);
        let at = (0.013 + drag.displacement(&view).x) / 0.05;
        assert!((at - at.round()).abs() < 1e-9, "{at}");
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
