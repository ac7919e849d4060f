//! The 3D view's panel operated as a user operates it: through the window's events, finding joints by their names.

use crate::support::desk::{Desk, button, moved};
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    command::CommandId,
    interact::{
        camera::ViewDirection,
        gizmo::{GizmoKind, Handle},
        projection::Projection,
        view_state::{ToolId, TransformSpace},
    },
    math::Vec3,
    model::Document,
    samples,
    ui::panels::viewport::ViewportPanel,
};
use std::sync::OnceLock;

type Window = Harness<'static, Desk<ViewportPanel>>;

fn window() -> Window {
    static START: OnceLock<Document> = OnceLock::new();
    let desk = Desk::new(START.get_or_init(samples::start).clone(), ViewportPanel::default());
    let builder = Harness::builder().with_size(vec2(1000.0, 700.0)).with_step_dt(0.02).with_max_steps(60);
    let mut window = builder.build_ui_state(|ui, desk: &mut Desk<ViewportPanel>| desk.ui(ui), desk);
    window.run();
    run(&mut window, CommandId::FrameSelected);
    window
}

fn run(window: &mut Window, command: CommandId) {
    window.state_mut().wanted.push(command);
    window.run();
}

fn joint(window: &Window, name: &str) -> Pos2 {
    window.get_by_role_and_label(Role::GraphicsObject, name).rect().center()
}

fn send(window: &mut Window, event: Event) {
    window.event(event);
    window.step();
}

fn press(window: &mut Window, at: Pos2, with: PointerButton) {
    send(window, moved(at));
    send(window, button(at, with, true, Modifiers::NONE));
}

fn release(window: &mut Window, at: Pos2, with: PointerButton) {
    send(window, button(at, with, false, Modifiers::NONE));
    window.run();
}

fn pull(window: &mut Window, from: Pos2, to: Pos2, with: PointerButton) {
    press(window, from, with);
    for step in 1..=6_u8 {
        send(window, moved(from + (to - from) * (f32::from(step) / 6.0)));
    }
}

fn steps(window: &Window) -> usize {
    window.state().session.history().index()
}

fn selected(window: &Window) -> usize {
    window.state().session.selection().targets.len()
}

#[test]
fn a_hand_found_by_name_is_dragged_and_is_where_it_was_put() {
    let mut window = window();
    let from = joint(&window, "hand.l");
    let to = from + vec2(25.0, -50.0);
    pull(&mut window, from, to, PointerButton::Primary);
    assert!(window.state().session.in_gesture());
    release(&mut window, to, PointerButton::Primary);
    assert_eq!((steps(&window), selected(&window)), (1, 1));
    let now = joint(&window, "hand.l");
    assert!((now - to).length() < 1.0, "{now:?} for {to:?}");
}

#[test]
fn escape_during_a_drag_restores_and_the_keyboard_is_the_tools() {
    let mut window = window();
    let from = joint(&window, "foot.r");
    pull(&mut window, from, from + vec2(30.0, -40.0), PointerButton::Primary);
    window.key_press(Key::Escape);
    window.run();
    assert!(!window.state().session.in_gesture());
    assert!((joint(&window, "foot.r") - from).length() < 0.1);
    release(&mut window, from, PointerButton::Primary);
    assert_eq!(steps(&window), 0);
}

#[test]
fn undo_from_elsewhere_ends_a_drag_and_the_view_goes_on() {
    let mut window = window();
    let from = joint(&window, "hand.r");
    pull(&mut window, from, from + vec2(0.0, -40.0), PointerButton::Primary);
    window.state_mut().session.undo();
    window.run();
    assert!((joint(&window, "hand.r") - from).length() < 0.1);
    send(&mut window, moved(from + vec2(0.0, -60.0)));
    release(&mut window, from + vec2(0.0, -60.0), PointerButton::Primary);
    assert_eq!(steps(&window), 0);
    let at = joint(&window, "hand.r");
    pull(&mut window, at, at + vec2(0.0, -40.0), PointerButton::Primary);
    release(&mut window, at + vec2(0.0, -40.0), PointerButton::Primary);
    assert_eq!(steps(&window), 1);
}

#[test]
fn a_key_moves_the_selection_by_a_typed_distance() {
    let mut window = window();
    let hips = joint(&window, "hips");
    press(&mut window, hips, PointerButton::Primary);
    release(&mut window, hips, PointerButton::Primary);
    assert_eq!(selected(&window), 1);
    run(&mut window, CommandId::GrabMove);
    for key in [Key::Y, Key::Num0, Key::Period, Key::Num1, Key::Enter] {
        window.key_press(key);
        window.run();
    }
    assert_eq!(steps(&window), 1);
    let metres = window.state().view.camera.metres_per_point([1000.0, 700.0]);
    let risen = f64::from(hips.y - joint(&window, "hips").y) * metres;
    assert!((risen - 0.1).abs() < 0.02, "{risen}");
}

#[test]
fn what_another_panel_begins_is_not_touched() {
    let mut window = window();
    let at = joint(&window, "hips");
    press(&mut window, at, PointerButton::Primary);
    release(&mut window, at, PointerButton::Primary);
    run(&mut window, CommandId::GrabMove);
    send(&mut window, moved(at + vec2(30.0, 0.0)));
    assert_eq!(window.state().session.gesture_label(), Some("history.move"));
    // A field elsewhere begins a change of its own: ours is cancelled with it, and stays out of the way.
    let begin = inbetween::edit::Gesture::Begin { label: "history.transform" };
    window.state_mut().session.gesture(begin).unwrap();
    send(&mut window, moved(at + vec2(60.0, 0.0)));
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(window.state().session.gesture_label(), Some("history.transform"));
    assert_eq!(steps(&window), 0);
    assert!((joint(&window, "hips") - at).length() < 0.1);
}

#[test]
fn the_middle_button_turns_and_the_wheel_zooms() {
    let mut window = window();
    let before = window.state().view.camera;
    let at = egui::pos2(300.0, 400.0);
    pull(&mut window, at, at + vec2(60.0, 20.0), PointerButton::Middle);
    release(&mut window, at + vec2(60.0, 20.0), PointerButton::Middle);
    let turned = window.state().view.camera;
    assert!((turned.yaw - before.yaw).abs() > 0.1 && turned.distance == before.distance);
    let delta = vec2(0.0, 3.0);
    let (phase, source) = (egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
    let modifiers = Modifiers::NONE;
    send(&mut window, moved(at));
    send(&mut window, Event::MouseWheel { unit: MouseWheelUnit::Line, delta, phase, source, modifiers });
    window.run();
    assert!(window.state().view.camera.distance < turned.distance);
}

#[test]
fn the_axes_in_the_corner_look_along_themselves() {
    let mut window = window();
    for (name, direction) in [("Front view", ViewDirection::Front), ("Right view", ViewDirection::Right)] {
        window.get_by_label(name).click();
        window.run();
        let camera = window.state().view.camera;
        assert_eq!((camera.yaw, camera.pitch), (camera.along(direction).yaw, camera.along(direction).pitch));
    }
    // Again goes to the other side.
    window.get_by_label("Right view").click();
    window.run();
    assert!((window.state().view.camera.forward() - Vec3::x()).norm() < 1e-9);
    assert_eq!(steps(&window), 0);
}

#[test]
fn the_bar_switches_what_is_drawn_and_the_gizmos_axes() {
    let mut window = window();
    for name in ["Bones", "Mannequin", "Ground grid"] {
        window.get_by_label(name).click();
        window.run();
    }
    let drawn = window.state().view.viewport;
    assert!(!drawn.bones && !drawn.mannequin && !drawn.grid && drawn.names);
    window.get_by_label("Axes of the gizmos").click();
    window.run();
    window.get_by_label("World").click();
    window.run();
    assert_eq!(window.state().view.space, TransformSpace::World);
    assert_eq!((steps(&window), selected(&window)), (0, 0), "nothing of it reached the tools");
    run(&mut window, CommandId::TogglePerspective);
    assert_eq!(window.state().view.camera.projection, Projection::Orthographic);
}

#[test]
fn every_handle_has_its_name_in_the_table() {
    for kind in [GizmoKind::Move, GizmoKind::Rotate] {
        for handle in Handle::all(kind) {
            assert!(inbetween::text::has(handle.name()), "{}", handle.name());
        }
    }
}

#[test]
fn handles_have_names_and_can_be_dragged() {
    let mut window = window();
    let hips = joint(&window, "hips");
    press(&mut window, hips, PointerButton::Primary);
    release(&mut window, hips, PointerButton::Primary);
    window.state_mut().view.tool = ToolId::Move;
    window.run();
    let arrow = joint(&window, "Move along Y");
    pull(&mut window, arrow, arrow + vec2(0.0, 40.0), PointerButton::Primary);
    release(&mut window, arrow + vec2(0.0, 40.0), PointerButton::Primary);
    assert_eq!(steps(&window), 1);
    assert!(joint(&window, "hips").y > hips.y + 20.0);
    window.state_mut().view.tool = ToolId::Rotate;
    window.run();
    assert!(window.query_by_role_and_label(Role::GraphicsObject, "Turn about X").is_some());
}

#[test]
fn the_view_says_what_a_click_would_do() {
    let mut window = window();
    let at = joint(&window, "hand.l");
    send(&mut window, moved(at));
    window.run();
    assert!(window.state().hint.contains("the limb follows"), "{}", window.state().hint);
    send(&mut window, moved(egui::pos2(200.0, 600.0)));
    window.run();
    assert!(window.state().hint.contains("empty ground"), "{}", window.state().hint);
}

#[test]
fn selection_commands_work_on_what_is_shown() {
    let mut window = window();
    run(&mut window, CommandId::SelectAll);
    let every = selected(&window);
    assert!(every > 15, "{every}");
    run(&mut window, CommandId::SelectNone);
    assert_eq!(selected(&window), 0);
    run(&mut window, CommandId::SelectInvert);
    assert_eq!(selected(&window), every);
}
