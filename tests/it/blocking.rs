//! Blocking in the window: poses are columns of the timeline, held until the next, flipped, moved with their time.

use crate::support::fakes::Outside;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::App,
    edit::columns,
    model::{Document, Interpolation, ScalarCurve},
};

type Window = Harness<'static, App>;

fn start() -> Window {
    Outside::default().start(None, [1280.0, 800.0])
}

fn send(window: &mut Window, events: Vec<Event>) {
    for event in events {
        window.event(event);
        window.step();
    }
}

fn drag(window: &mut Window, from: Pos2, to: Pos2, modifiers: Modifiers) {
    let button = |pos, pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
    send(window, vec![Event::PointerMoved(from), button(from, true)]);
    let steps = (1..=6_u8).map(|step| Event::PointerMoved(from + (to - from) * (f32::from(step) / 6.0)));
    send(window, steps.collect());
    send(window, vec![button(to, false)]);
    window.run();
}

fn pose(window: &Window, frame: i64) -> Pos2 {
    window.get_by_label(&format!("Pose, frame {frame}")).rect().center()
}

fn document(window: &Window) -> &Document {
    window.state().session().document()
}

/// The number of keys on each frame that has some, of all channels of the sample.
fn poses(document: &Document) -> Vec<(i64, usize)> {
    let id = document.settings.clip.unwrap();
    let clip = &document.clips[&id];
    let rate = document.settings.rate;
    let on = |frame: i64| (frame, columns::keys_at(clip, id, None, &[rate.secs(frame)]).len());
    (-100..=200).map(on).filter(|(_, keys)| *keys > 0).collect()
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

#[test]
fn retiming_a_pose_is_one_drag_and_one_step_that_moves_all_its_keys() {
    let mut window = start();
    let before = poses(document(&window));
    let total: usize = before.iter().map(|(_, keys)| keys).sum();
    let (from, keys) = before[1];
    assert!(keys > 20, "a whole pose: {before:?}");
    let frame_pt = (pose(&window, before[2].0).x - pose(&window, from).x) / (before[2].0 - from) as f32;
    let at = pose(&window, from);
    drag(&mut window, at, at + vec2(frame_pt * 1.2, 0.0), Modifiers::NONE);
    assert_eq!(steps(&window), 1);
    let after = poses(document(&window));
    assert!(after.contains(&(from + 1, keys)) && !after.iter().any(|(frame, _)| *frame == from), "{after:?}");
    assert_eq!(after.iter().map(|(_, keys)| keys).sum::<usize>(), total);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert_eq!((steps(&window), poses(document(&window))), (0, before));
}

#[test]
fn poses_are_copied_boxed_scaled_and_deleted_as_one() {
    let mut window = start();
    let before = poses(document(&window));
    let (first, second) = (before[0].0, before[1].0);
    let frame_pt = (pose(&window, second).x - pose(&window, first).x) / (second - first) as f32;
    let at = pose(&window, second);
    drag(&mut window, at, at + vec2(frame_pt, 0.0), Modifiers::ALT);
    let copied = poses(document(&window));
    assert!(copied.contains(&before[1]) && copied.contains(&(second + 1, before[1].1)), "{copied:?}");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    // A box over the first two, then the end of the selection is dragged out by two frames.
    let a = pose(&window, first) - vec2(frame_pt * 0.7, 0.0);
    let b = pose(&window, second) + vec2(frame_pt * 0.4, 0.0);
    drag(&mut window, a, b, Modifiers::NONE);
    let selected = window.state().session().selection().keys.len();
    assert_eq!(selected, before[0].1 + before[1].1);
    let third = before[2].0;
    let handle = pose(&window, second) + vec2(11.0, 0.0);
    let on_a_pose = (pose(&window, third).x - handle.x).abs() < 7.0;
    if !on_a_pose {
        drag(&mut window, handle, handle + vec2(frame_pt, 0.0), Modifiers::NONE);
        let scaled = poses(document(&window));
        assert!(scaled.contains(&before[0]) && scaled.contains(&(second + 1, before[1].1)), "{scaled:?}");
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        window.run();
    }
    assert_eq!(poses(document(&window)), before);
    let at = pose(&window, second);
    drag(&mut window, at, at, Modifiers::NONE);
    window.hover_at(at);
    window.run();
    window.key_press(Key::Delete);
    window.run();
    assert!(!poses(document(&window)).iter().any(|(frame, _)| *frame == second));
}

#[test]
fn stepped_playing_touches_no_key_and_shows_it() {
    let mut window = start();
    let before = window.state().session().document().clone();
    window.get_by_label("Blocking").click();
    window.run();
    window.get_by_label("Play stepped").click();
    window.run();
    assert!(window.state().view().stepped);
    assert!(window.query_by_label("Stepped").is_some(), "a chip says so");
    assert!(std::sync::Arc::ptr_eq(&before, window.state().session().document()));
    window.get_by_label("Stepped").click();
    window.run();
    assert!(!window.state().view().stepped && window.query_by_label("Stepped").is_none());
}

#[test]
fn new_keys_are_of_the_kind_that_is_chosen() {
    let mut window = start();
    window.get_all_by_label_contains("New keys:").next().unwrap().click();
    window.run();
    window.get_by_label("step").click();
    window.run();
    let rate = document(&window).settings.rate;
    // Between two keys, off any frame that has some.
    let taken: Vec<i64> = poses(document(&window)).iter().map(|(frame, _)| *frame).collect();
    let free = (0..40).find(|frame| !taken.contains(frame)).unwrap();
    window.get_by_label("Frame").click();
    window.run();
    window.get_by_label("Frame").type_text(&free.to_string());
    window.run();
    window.key_press(Key::Enter);
    window.run();
    window.key_press_modifiers(Modifiers::SHIFT, Key::I);
    window.run();
    let clip = &document(&window).clips[&document(&window).settings.clip.unwrap()];
    let mut new = 0;
    for curve in clip.channels.values() {
        let inbetween::model::Curve::Scalar(ScalarCurve::Keyed(curve)) = &**curve else { continue };
        let Some(index) = curve.keys.index_near(rate.secs(free), 1e-7) else { continue };
        assert_eq!(curve.keys.get(index).unwrap().interpolation, Interpolation::Step);
        new += 1;
    }
    assert!(new > 20, "{new}");
}

#[test]
fn time_is_put_in_and_taken_out_as_one_step_and_the_last_two_keys_are_flipped() {
    let mut window = start();
    let before = poses(document(&window));
    let last = document(&window).settings.play_range.last;
    window.get_by_label("Blocking").click();
    window.run();
    window.get_by_label("Insert time").click();
    window.run();
    assert_eq!(steps(&window), 1);
    assert_eq!(document(&window).settings.play_range.last, last + 1);
    let moved: Vec<(i64, usize)> = before.iter().map(|(frame, keys)| (frame + 1, *keys)).collect();
    assert_eq!(poses(document(&window)), moved, "all that stands at the playhead or later");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert_eq!(poses(document(&window)), before);
    let rate = document(&window).settings.rate;
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    window.run();
    let mut shown = Vec::new();
    for _ in 0..3 {
        window.hover_at(Pos2::new(400.0, 400.0));
        window.key_press(Key::F);
        window.run();
        shown.push(window.state().view().frame(rate));
    }
    let (a, b) = (before[before.len() - 1].0, before[before.len() - 2].0);
    assert!(shown[0] != shown[1] && shown[0] == shown[2], "{shown:?}");
    assert!(shown.iter().all(|frame| [a, b].contains(frame)), "{shown:?} of {a} and {b}");
}
