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
    send(window, vec![Event::ModifiersChanged(modifiers), Event::PointerMoved(from), button(from, true)]);
    let steps = (1..=6_u8).map(|step| Event::PointerMoved(from + (to - from) * (f32::from(step) / 6.0)));
    send(window, steps.collect());
    send(window, vec![button(to, false), Event::ModifiersChanged(Modifiers::NONE)]);
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
    let rate = document.settings.rate;
    let on = |frame: i64| (frame, columns::keys_at(document, id, None, &[rate.secs(frame)]).len());
    (-100..=400).map(on).filter(|(_, keys)| *keys > 0).collect()
}

/// The first two whole poses of the sample.
fn whole_poses(document: &Document) -> [(i64, usize); 2] {
    let all = poses(document);
    let most = all.iter().map(|(_, keys)| *keys).max().unwrap();
    let mut whole = all.into_iter().filter(|(_, keys)| *keys == most);
    [whole.next().unwrap(), whole.next().unwrap()]
}

/// The points of a frame on the timeline.
fn frame_pt(window: &Window) -> f32 {
    let [(a, _), (b, _)] = whole_poses(document(window));
    (pose(window, b).x - pose(window, a).x) / (b - a) as f32
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

#[test]
fn retiming_a_pose_is_one_drag_and_one_step_that_moves_all_its_keys() {
    let mut window = start();
    let before = poses(document(&window));
    let total: usize = before.iter().map(|(_, keys)| keys).sum();
    let (from, keys) = whole_poses(document(&window))[1];
    assert!(keys > 20 && !before.iter().any(|(frame, _)| *frame == from + 1), "a whole pose: {before:?}");
    let frame_pt = frame_pt(&window);
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
    let (second, keys) = whole_poses(document(&window))[1];
    let frame_pt = frame_pt(&window);
    let undo = |window: &mut Window| {
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        window.run();
        assert_eq!(poses(document(window)), before);
    };
    let at = pose(&window, second);
    drag(&mut window, at, at + vec2(frame_pt, 0.0), Modifiers::ALT);
    let copied = poses(document(&window));
    assert!(copied.contains(&(second, keys)) && copied.contains(&(second + 1, keys)), "{copied:?}");
    undo(&mut window);
    // A box from before the first pose to the last: then the end of the selection is dragged out by ten frames.
    let (first, last) = (before[0], before[before.len() - 1]);
    let a = pose(&window, first.0) - vec2(frame_pt * 0.7 + 7.0, 0.0);
    let b = pose(&window, last.0) + vec2(3.0, 0.0);
    drag(&mut window, a, b, Modifiers::NONE);
    let total: usize = before.iter().map(|(_, keys)| keys).sum();
    assert_eq!(window.state().session().selection().keys.len(), total);
    let handle = pose(&window, last.0) + vec2(11.0, 0.0);
    drag(&mut window, handle, handle + vec2(frame_pt * 10.0, 0.0), Modifiers::NONE);
    let scaled = poses(document(&window));
    assert!(scaled.contains(&first) && scaled.contains(&(last.0 + 10, last.1)), "{scaled:?}");
    assert_eq!(steps(&window), 1);
    undo(&mut window);
    let at = pose(&window, second);
    drag(&mut window, at, at, Modifiers::NONE);
    assert_eq!(window.state().session().selection().keys.len(), keys);
    window.hover_at(at);
    window.run();
    window.key_press(Key::Delete);
    window.run();
    assert!(!poses(document(&window)).iter().any(|(frame, _)| *frame == second));
    undo(&mut window);
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
