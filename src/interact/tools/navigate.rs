//! Moving the camera with the pointer, in the way of each profile.

use crate::interact::{
    camera::OrbitCamera,
    input::{Button, Event, Key, Modifiers, PointerEvent, PointerKind, ScreenPos, offset},
    view_state::Profile,
};

/// What a drag does to the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Turns it about the pivot.
    Orbit,
    /// Slides it across the view.
    Pan,
    /// Brings it nearer.
    Dolly,
}

/// Whether a drag moves the camera, and from where.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Dragging {
        motion: Motion,
        button: Button,
        press: ScreenPos,
        camera: OrbitCamera,
    },
}

/// Turns pointer events into camera movements. It is asked before any tool; what it takes, a tool does not see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Navigate {
    state: State,
}

/// What came of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Navigated {
    /// Whether the event is used up.
    pub taken: bool,
    /// The camera from now on.
    pub camera: Option<OrbitCamera>,
}

impl Navigated {
    const IGNORED: Self = Self { taken: false, camera: None };
    const TAKEN: Self = Self { taken: true, camera: None };

    const fn to(camera: OrbitCamera) -> Self {
        Self { taken: true, camera: Some(camera) }
    }
}

impl Navigate {
    /// The motion of the drag that is running.
    #[must_use]
    pub const fn motion(&self) -> Option<Motion> {
        match self.state {
            State::Idle => None,
            State::Dragging { motion, .. } => Some(motion),
        }
    }

    /// Handles an event on a panel of a size in points.
    pub fn handle(&mut self, event: &Event, camera: &OrbitCamera, size: [f64; 2], profile: Profile) -> Navigated {
        match (event, self.state) {
            (Event::Pointer(pointer), State::Idle) => self.idle(pointer, camera, size, profile),
            (Event::Pointer(pointer), State::Dragging { motion, button, press, camera }) => match pointer.kind {
                PointerKind::Move => Navigated::to(dragged(&camera, motion, press, pointer.pos, size)),
                PointerKind::Release(released) if released == button => {
                    self.state = State::Idle;
                    Navigated::to(dragged(&camera, motion, press, pointer.pos, size))
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => Navigated::TAKEN,
            },
            (Event::Key(key), State::Dragging { .. }) if key.key == Key::Escape => self.cancel(),
            _ => Navigated::IGNORED,
        }
    }

    /// Ends a running drag and gives back the camera it started from.
    pub fn cancel(&mut self) -> Navigated {
        match std::mem::take(&mut self.state) {
            State::Idle => Navigated::IGNORED,
            State::Dragging { camera, .. } => Navigated::to(camera),
        }
    }

    fn idle(&mut self, event: &PointerEvent, camera: &OrbitCamera, size: [f64; 2], profile: Profile) -> Navigated {
        match event.kind {
            PointerKind::Press(button) => match motion_of(profile, button, event.modifiers) {
                Some(motion) => {
                    self.state = State::Dragging { motion, button, press: event.pos, camera: *camera };
                    Navigated::TAKEN
                }
                None => Navigated::IGNORED,
            },
            PointerKind::Scroll { delta, smooth } => {
                Navigated::to(scrolled(camera, delta, smooth, event, size, profile))
            }
            PointerKind::Pinch(factor) => Navigated::to(camera.dollied(factor, event.pos, size)),
            _ => Navigated::IGNORED,
        }
    }
}

/// What a drag with a button does. Plain left drags are the tools', with Shift and Ctrl too: they select by box.
const fn motion_of(profile: Profile, button: Button, modifiers: Modifiers) -> Option<Motion> {
    let Modifiers { ctrl, shift, alt } = modifiers;
    match (profile, button) {
        (Profile::BlenderLike, Button::Middle) if !alt => Some(if ctrl {
            Motion::Dolly
        } else if shift {
            Motion::Pan
        } else {
            Motion::Orbit
        }),
        (Profile::MayaLike, Button::Primary) if alt => Some(Motion::Orbit),
        (Profile::MayaLike, Button::Middle) if alt => Some(Motion::Pan),
        (Profile::MayaLike, Button::Secondary) if alt => Some(Motion::Dolly),
        (Profile::NoMiddle, Button::Primary) if alt => Some(if ctrl {
            Motion::Dolly
        } else if shift {
            Motion::Pan
        } else {
            Motion::Orbit
        }),
        _ => None,
    }
}

fn dragged(camera: &OrbitCamera, motion: Motion, press: ScreenPos, now: ScreenPos, size: [f64; 2]) -> OrbitCamera {
    let moved = offset(press, now);
    match motion {
        Motion::Orbit => camera.orbited(moved),
        Motion::Pan => camera.panned(moved, size),
        // Up and to the right bring it nearer.
        Motion::Dolly => camera.dollied(OrbitCamera::dolly_factor(moved[0] - moved[1]), press, size),
    }
}

fn scrolled(
    camera: &OrbitCamera,
    delta: [f64; 2],
    smooth: bool,
    event: &PointerEvent,
    size: [f64; 2],
    profile: Profile,
) -> OrbitCamera {
    let fingers = smooth && profile == Profile::NoMiddle;
    match event.modifiers {
        Modifiers { shift: true, .. } => camera.panned(delta, size),
        Modifiers { ctrl: false, .. } if fingers => camera.orbited(delta),
        _ => camera.dollied(OrbitCamera::dolly_factor(delta[1]), event.pos, size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f64; 2] = [800.0, 600.0];

    fn send(tool: &mut Navigate, profile: Profile, kind: PointerKind, pos: ScreenPos, m: Modifiers) -> Navigated {
        tool.handle(&Event::pointer(kind, pos, m), &OrbitCamera::default(), SIZE, profile)
    }

    fn drag(profile: Profile, button: Button, modifiers: Modifiers, steps: u32) -> Option<OrbitCamera> {
        let mut tool = Navigate::default();
        send(&mut tool, profile, PointerKind::Press(button), [100.0, 100.0], modifiers);
        for step in 1..=steps {
            let t = f64::from(step) / f64::from(steps);
            send(&mut tool, profile, PointerKind::Move, [100.0 + 70.0 * t, 100.0 + 30.0 * t], modifiers);
        }
        send(&mut tool, profile, PointerKind::Release(button), [170.0, 130.0], modifiers).camera
    }

    #[test]
    fn each_profile_has_its_three_motions() {
        let start = OrbitCamera::default();
        let (orbit, pan) = (Some(start.orbited([70.0, 30.0])), Some(start.panned([70.0, 30.0], SIZE)));
        let dolly = Some(start.dollied(OrbitCamera::dolly_factor(40.0), [100.0, 100.0], SIZE));
        let (ctrl_alt, shift_alt) =
            (Modifiers { alt: true, ..Modifiers::CTRL }, Modifiers { alt: true, ..Modifiers::SHIFT });
        for (profile, button, modifiers, expected) in [
            (Profile::BlenderLike, Button::Middle, Modifiers::NONE, orbit),
            (Profile::BlenderLike, Button::Middle, Modifiers::SHIFT, pan),
            (Profile::BlenderLike, Button::Middle, Modifiers::CTRL, dolly),
            (Profile::MayaLike, Button::Primary, Modifiers::ALT, orbit),
            (Profile::MayaLike, Button::Middle, Modifiers::ALT, pan),
            (Profile::MayaLike, Button::Secondary, Modifiers::ALT, dolly),
            (Profile::NoMiddle, Button::Primary, Modifiers::ALT, orbit),
            (Profile::NoMiddle, Button::Primary, shift_alt, pan),
            (Profile::NoMiddle, Button::Primary, ctrl_alt, dolly),
        ] {
            assert_eq!(drag(profile, button, modifiers, 1), expected, "{profile:?} {button:?}");
            assert_eq!(drag(profile, button, modifiers, 100), expected, "in 100 steps: {profile:?} {button:?}");
        }
    }

    #[test]
    fn left_drags_without_alt_are_left_to_the_tools() {
        for profile in Profile::ALL {
            for modifiers in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL] {
                assert_eq!(drag(profile, Button::Primary, modifiers, 3), None, "{profile:?} {modifiers:?}");
            }
        }
    }

    #[test]
    fn escape_and_right_click_bring_the_camera_back() {
        let start = OrbitCamera::default();
        let moved = start.orbited([1.0, 1.0]);
        for end in [
            Event::key(Key::Escape),
            Event::pointer(PointerKind::Press(Button::Secondary), [0.0, 0.0], Modifiers::NONE),
        ] {
            let mut tool = Navigate::default();
            let press = Event::pointer(PointerKind::Press(Button::Middle), [10.0, 10.0], Modifiers::NONE);
            tool.handle(&press, &start, SIZE, Profile::BlenderLike);
            tool.handle(
                &Event::pointer(PointerKind::Move, [90.0, 20.0], Modifiers::NONE),
                &moved,
                SIZE,
                Profile::BlenderLike,
            );
            assert_eq!(tool.handle(&end, &moved, SIZE, Profile::BlenderLike).camera, Some(start));
            assert_eq!(tool.motion(), None);
        }
        assert_eq!(Navigate::default().cancel(), Navigated::IGNORED);
    }

    #[test]
    fn wheel_and_pinch_zoom_about_the_pointer_and_two_fingers_turn() {
        let start = OrbitCamera::default();
        let at = [300.0, 100.0];
        let wheel = PointerKind::Scroll { delta: [0.0, 40.0], smooth: false };
        for profile in Profile::ALL {
            let mut tool = Navigate::default();
            let zoomed = send(&mut tool, profile, wheel, at, Modifiers::NONE).camera.unwrap();
            assert!(zoomed.distance < start.distance);
            let pinched = send(&mut tool, profile, PointerKind::Pinch(2.0), at, Modifiers::NONE).camera.unwrap();
            assert!((pinched.distance - start.distance / 2.0).abs() < 1e-12);
        }
        let slide = PointerKind::Scroll { delta: [5.0, -7.0], smooth: true };
        let mut tool = Navigate::default();
        let turned = send(&mut tool, Profile::NoMiddle, slide, at, Modifiers::NONE).camera.unwrap();
        assert_eq!(turned, start.orbited([5.0, -7.0]));
    }
}
