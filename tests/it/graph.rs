//! The graph panel operated as a user operates it: through the window's events, looking at named keys.

use crate::support::desk::{Desk, button, moved};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    command::CommandId,
    edit::{CurveRef, Selection},
    interact::{plot_view::PlotRange, view_state::ViewChange},
    math::Vec3,
    model::{
        self, ChannelPath, Clip, Component, Curve, Document, FrameRange, FrameRate, Handle, Interpolation, Joint,
        JointId, KeyedCurve, Object, Property, Rig, Samples, ScalarCurve, Skeleton, Target,
    },
    ui::panels::graph::GraphPanel,
};
use std::sync::Arc;

type Window = Harness<'static, Desk<GraphPanel>>;

const HIPS: JointId = JointId(0);
const HEAD: JointId = JointId(1);

/// Two joints: the hips with keyed rotations, the head with a captured one.
fn document() -> Document {
    let mut document = Document::default();
    let hips = Joint::new(HIPS, "hips", None, Vec3::zeros());
    let head = Joint::new(HEAD, "head", Some(HIPS), Vec3::y());
    let skeleton = Arc::new(Skeleton::new(vec![hips, head]).unwrap());
    let object = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let mut clip = Clip::new("clip", FrameRange::new(0, 47));
    let mut insert = |joint, component, curve| {
        let path = ChannelPath::joint(object, joint, Property::Rotation, component);
        clip.channels.insert(path, Arc::new(Curve::Scalar(curve)));
    };
    let degrees = |frames: &[(i64, f64)]| {
        let keys = frames.iter();
        let keys = keys.map(|(frame, value)| model::Key::new(FrameRate::FPS_24.secs(*frame), value.to_radians()));
        ScalarCurve::Keyed(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() })
    };
    insert(HIPS, Component::X, degrees(&[(0, 0.0), (12, 40.0), (24, 10.0), (47, 0.0)]));
    insert(HIPS, Component::Y, degrees(&[(0, -20.0), (24, -35.0)]));
    let values: Arc<[f64]> = (0..48).map(|frame| (f64::from(frame) * 0.2).sin() * 0.5).collect();
    insert(HEAD, Component::Z, ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, values)));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    document
}

/// The window with a joint selected and its curves framed.
fn window(joint: JointId) -> Window {
    let document = document();
    let object = *document.objects.keys().next().unwrap();
    let mut desk = Desk::new(document, GraphPanel::default());
    desk.session.select(Selection::single(Target::Joint(object, joint)));
    let builder = Harness::builder().with_size(vec2(900.0, 420.0)).with_step_dt(0.02).with_max_steps(60);
    let mut window = builder.build_ui_state(|ui, desk: &mut Desk<GraphPanel>| desk.ui(ui), desk);
    window.run();
    window
}

fn path(window: &Window, joint: JointId, component: Component) -> CurveRef {
    let document = window.state().session.document();
    let (object, clip) = (*document.objects.keys().next().unwrap(), *document.clips.keys().next().unwrap());
    CurveRef { clip, path: ChannelPath::joint(object, joint, Property::Rotation, component) }
}

/// Frames and degrees of a curve's keys.
fn keys(window: &Window, at: CurveRef) -> Vec<(f64, f64)> {
    let curve = &window.state().session.document().clip(at.clip).unwrap().channels[&at.path];
    let keys = curve.scalar_keys().expect("keys").keys.iter();
    keys.map(|key| (FrameRate::FPS_24.frame_f64(key.time), (key.value.to_degrees() * 1e6).round() / 1e6)).collect()
}

fn key_at(window: &Window, at: CurveRef, index: usize) -> model::Key {
    window.state().session.document().clip(at.clip).unwrap().channels[&at.path]
        .scalar_keys()
        .unwrap()
        .keys
        .get(index)
        .unwrap()
}

/// Where a key's node is.
fn place(window: &Window, label: &str) -> Pos2 {
    window.get_by_label_contains(label).rect().center()
}

fn send(window: &mut Window, events: Vec<Event>) {
    for event in events {
        window.event(event);
        window.step();
    }
}

fn press(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    send(window, vec![moved(at), button(at, PointerButton::Primary, true, modifiers)]);
}

fn release(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    send(window, vec![button(at, PointerButton::Primary, false, modifiers)]);
    window.run();
}

fn drag(window: &mut Window, from: Pos2, to: Pos2, modifiers: Modifiers) {
    press(window, from, modifiers);
    let steps = (1..=6_u8).map(|step| moved(from + (to - from) * (f32::from(step) / 6.0))).collect();
    send(window, steps);
    release(window, to, modifiers);
}

fn click(window: &mut Window, at: Pos2, modifiers: Modifiers) {
    press(window, at, modifiers);
    release(window, at, modifiers);
}

fn history(window: &Window) -> usize {
    window.state().session.history().index()
}

#[test]
fn a_key_is_dragged_by_frames_and_undone_as_one_step() {
    let mut window = window(HIPS);
    let x = path(&window, HIPS, Component::X);
    let from = place(&window, "X, frame 12");
    let frame_pt = place(&window, "X, frame 24").x - from.x;
    let to = from + vec2(frame_pt / 12.0 * 3.4, 0.0);
    drag(&mut window, from, to, Modifiers::SHIFT);
    assert_eq!(keys(&window, x), [(0.0, 0.0), (15.0, 40.0), (24.0, 10.0), (47.0, 0.0)]);
    assert_eq!(history(&window), 1);
    assert_eq!(window.state().session.selection().keys.len(), 1);
    // Past its neighbour: the keys stay in order, and none is lost.
    let from = place(&window, "X, frame 15");
    drag(&mut window, from, from + vec2(frame_pt, 0.0), Modifiers::SHIFT);
    assert_eq!(keys(&window, x), [(0.0, 0.0), (24.0, 10.0), (27.0, 40.0), (47.0, 0.0)]);
    // Onto another: the moved one stays, undo brings the other back.
    let from = place(&window, "X, frame 27");
    drag(&mut window, from, from - vec2(frame_pt / 4.0, 0.0), Modifiers::SHIFT);
    assert_eq!(keys(&window, x), [(0.0, 0.0), (24.0, 40.0), (47.0, 0.0)]);
    window.state_mut().session.undo();
    assert_eq!(keys(&window, x).len(), 4);
    window.state_mut().session.undo();
    window.state_mut().session.undo();
    assert_eq!(keys(&window, x), [(0.0, 0.0), (12.0, 40.0), (24.0, 10.0), (47.0, 0.0)]);
}

#[test]
fn escape_and_undo_in_mid_drag_bring_the_very_same_document_back() {
    let mut window = window(HIPS);
    let before = Arc::clone(window.state().session.document());
    let from = place(&window, "X, frame 12");
    press(&mut window, from, Modifiers::NONE);
    send(&mut window, vec![moved(from + vec2(60.0, -30.0))]);
    assert!(window.state().session.in_gesture());
    window.key_press(Key::Escape);
    window.run();
    release(&mut window, from + vec2(60.0, -30.0), Modifiers::NONE);
    assert!(Arc::ptr_eq(&before, window.state().session.document()));
    press(&mut window, from, Modifiers::NONE);
    send(&mut window, vec![moved(from + vec2(60.0, -30.0)), moved(from + vec2(61.0, -30.0))]);
    window.state_mut().session.undo();
    send(&mut window, vec![moved(from + vec2(80.0, -30.0)), moved(from + vec2(90.0, -30.0))]);
    release(&mut window, from + vec2(90.0, -30.0), Modifiers::NONE);
    assert!(Arc::ptr_eq(&before, window.state().session.document()));
    assert!(window.state().errors.is_empty(), "{:?}", window.state().errors);
}

#[test]
fn a_box_selects_and_delete_deletes_across_curves() {
    let mut window = window(HIPS);
    let (x, y) = (path(&window, HIPS, Component::X), path(&window, HIPS, Component::Y));
    let (a, b) = (place(&window, "X, frame 24"), place(&window, "Y, frame 24"));
    drag(&mut window, pos2(a.x - 12.0, a.y - 12.0), pos2(b.x + 12.0, b.y + 12.0), Modifiers::NONE);
    assert_eq!(window.state().session.selection().keys.len(), 2);
    window.state_mut().wanted.push(CommandId::DeleteKeys);
    window.run();
    assert_eq!((keys(&window, x).len(), keys(&window, y).len()), (3, 1));
    window.state_mut().session.undo();
    assert_eq!((keys(&window, x).len(), keys(&window, y).len()), (4, 2));
    assert_eq!(window.state().session.selection().keys.len(), 2, "the selection comes back");
}

#[test]
fn a_double_click_adds_a_key_on_the_curve_at_a_whole_frame() {
    let mut window = window(HIPS);
    let y = path(&window, HIPS, Component::Y);
    let (a, b) = (place(&window, "Y, frame 0"), place(&window, "Y, frame 24"));
    let value = {
        let document = window.state().session.document();
        let curve = document.clip(y.clip).unwrap().channels[&y.path].scalar_keys().unwrap().clone();
        inbetween::eval::curve::value(&curve, 0.5).unwrap()
    };
    let at = pos2(a.x + (b.x - a.x) * 0.5, a.y + (b.y - a.y) * ((value.to_degrees() + 20.0) / -15.0) as f32);
    click(&mut window, at, Modifiers::NONE);
    click(&mut window, at, Modifiers::NONE);
    let found = keys(&window, y);
    assert_eq!(found.len(), 3);
    assert!((found[1].0 - 12.0).abs() < 1e-9 && (found[1].1 - value.to_degrees()).abs() < 1e-3, "{found:?}");
    assert_eq!(history(&window), 1);
}

#[test]
fn a_derived_handle_becomes_aligned_by_a_drag() {
    let mut window = window(HIPS);
    let x = path(&window, HIPS, Component::X);
    let key = place(&window, "X, frame 12");
    click(&mut window, key, Modifiers::NONE);
    // An auto-clamped handle at an extreme is level and a third of the segment long.
    let frame_pt = (place(&window, "X, frame 24").x - key.x) / 12.0;
    let end = key + vec2(frame_pt * 4.0, 0.0);
    drag(&mut window, end, end + vec2(0.0, -40.0), Modifiers::NONE);
    let dragged = key_at(&window, x, 1);
    let (Handle::Aligned(a, b), Handle::Aligned(c, d)) = (dragged.handle_in, dragged.handle_out) else {
        panic!("{dragged:?}")
    };
    assert!(c > 0.0 && d > 0.0 && (a * d - b * c).abs() < 1e-9);
    assert_eq!(history(&window), 1);
    assert_eq!(keys(&window, x).len(), 4);
}

#[test]
fn editing_a_captured_curve_makes_keys_of_it_exactly_and_says_so() {
    let mut window = window(HEAD);
    let z = path(&window, HEAD, Component::Z);
    let before: Vec<f64> = (0..48).map(|frame| (f64::from(frame) * 0.2).sin() * 0.5).collect();
    let from = place(&window, "Z, frame 7,");
    drag(&mut window, from, from + vec2(0.0, 50.0), Modifiers::NONE);
    let document = Arc::clone(window.state().session.document());
    let curve = document.clip(z.clip).unwrap().channels[&z.path].scalar_keys().unwrap();
    assert_eq!(curve.keys.len(), 48);
    for (frame, key) in curve.keys.iter().enumerate() {
        assert_eq!(key.time, FrameRate::FPS_24.secs(i64::try_from(frame).unwrap()));
        assert_eq!(key.interpolation, Interpolation::Linear);
        assert_eq!(frame != 7, key.value == before[frame], "frame {frame}");
    }
    assert_eq!(window.state().notices.len(), 1);
    assert_eq!(history(&window), 1);
    window.state_mut().session.undo();
    window.run();
    let document = window.state().session.document();
    assert!(document.clip(z.clip).unwrap().channels[&z.path].is_sampled());
}

#[test]
fn numbers_of_many_keys_are_changed_each_by_its_own() {
    let mut window = window(HIPS);
    let (x, y) = (path(&window, HIPS, Component::X), path(&window, HIPS, Component::Y));
    window.state_mut().wanted.push(CommandId::SelectAll);
    window.run();
    let type_into = |window: &mut Window, name: &str, text: &str| {
        window.get_by_role_and_label(egui::accesskit::Role::TextInput, name).click();
        window.run();
        window.event(Event::Key {
            key: Key::A,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        });
        window.event(Event::Text(text.to_owned()));
        window.run();
        window.key_press(Key::Enter);
        window.run();
    };
    type_into(&mut window, "Value", "*=2");
    assert_eq!(keys(&window, x), [(0.0, 0.0), (12.0, 80.0), (24.0, 20.0), (47.0, 0.0)]);
    assert_eq!(keys(&window, y), [(0.0, -40.0), (24.0, -70.0)]);
    type_into(&mut window, "Frame", "+=5");
    assert_eq!(keys(&window, x).iter().map(|key| key.0).collect::<Vec<_>>(), [5.0, 17.0, 29.0, 52.0]);
    assert_eq!(key_at(&window, x, 1).time, FrameRate::FPS_24.secs(17), "on the frame to the bit");
    assert_eq!(history(&window), 2);
    type_into(&mut window, "Value", "nonsense");
    assert_eq!(history(&window), 2);
}

#[test]
fn wheel_and_middle_button_move_the_window_and_home_frames_all() {
    let mut window = window(HIPS);
    let range = |window: &Window| window.state().view.graph.expect("framed");
    let framed = range(&window);
    let at = pos2(500.0, 250.0);
    let wheel = |modifiers| Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers,
    };
    send(&mut window, vec![moved(at), wheel(Modifiers::NONE)]);
    let near = range(&window);
    assert!(near.secs.length() < framed.secs.length() && near.values.length() < framed.values.length());
    send(&mut window, vec![wheel(Modifiers::COMMAND)]);
    assert_eq!(range(&window).values, near.values);
    let before = range(&window);
    send(&mut window, vec![button(at, PointerButton::Middle, true, Modifiers::NONE), moved(at + vec2(80.0, 0.0))]);
    send(&mut window, vec![button(at + vec2(80.0, 0.0), PointerButton::Middle, false, Modifiers::NONE)]);
    assert!(range(&window).secs.low() < before.secs.low());
    assert!((range(&window).secs.length() - before.secs.length()).abs() < 1e-9);
    window.state_mut().wanted.push(CommandId::FrameAll);
    window.run();
    assert_eq!(range(&window), framed);
}

#[test]
fn the_view_bears_zoom_to_the_extremes_and_no_curves() {
    let mut window = window(HIPS);
    for range in [
        PlotRange::new((1e9, 1e9 + 1e-6), (1e12, 1e12 + 1e-3)),
        PlotRange::new((-1e15, 1e15), (-1e15, 1e15)),
        PlotRange::new((f64::NAN, f64::NAN), (f64::INFINITY, 0.0)),
        PlotRange::new((0.5, 0.5), (0.0, 0.0)),
    ] {
        window.state_mut().view.apply(ViewChange::Graph(range));
        send(&mut window, vec![moved(pos2(500.0, 200.0)), moved(pos2(501.0, 200.0))]);
    }
    let mut desk = Desk::new(Document::default(), GraphPanel::default());
    desk.wanted = vec![CommandId::FrameAll, CommandId::SelectAll, CommandId::DeleteKeys, CommandId::GrabMove];
    let mut window = Harness::builder()
        .with_size(vec2(60.0, 30.0))
        .build_ui_state(|ui, desk: &mut Desk<GraphPanel>| desk.ui(ui), desk);
    window.run();
    window.set_size(vec2(1.0, 1.0));
    window.run();
}

#[test]
fn keys_are_reached_and_moved_by_the_keyboard() {
    let mut window = window(HIPS);
    let x = path(&window, HIPS, Component::X);
    let run = |window: &mut Window, commands: &[CommandId]| {
        for command in commands {
            window.state_mut().wanted.push(*command);
            window.run();
        }
    };
    // The first step selects the key after the playhead, which stands on frame 0.
    run(&mut window, &[CommandId::SelectNextKey, CommandId::SelectNextKey]);
    assert_eq!(window.state().session.selection().keys.times(x), [0.5]);
    run(&mut window, &[CommandId::NudgeKeysRight, CommandId::NudgeKeysRight, CommandId::InterpolationStep]);
    assert_eq!(keys(&window, x)[1], (14.0, 40.0));
    assert_eq!(key_at(&window, x, 1).interpolation, Interpolation::Step);
    run(&mut window, &[CommandId::NudgeKeysUp]);
    assert!(keys(&window, x)[1].1 > 40.0);
}

#[test]
fn an_idle_graph_comes_to_rest() {
    let mut window = window(HIPS);
    // `run` fails where repaints never stop.
    window.run();
    let before = window.state().session.history().len();
    window.run();
    assert_eq!(window.state().session.history().len(), before);
}

#[test]
fn keys_are_copied_pasted_duplicated_and_mirrored() {
    let mut window = window(HIPS);
    let (x, y) = (path(&window, HIPS, Component::X), path(&window, HIPS, Component::Y));
    let run = |window: &mut Window, command: CommandId| {
        window.state_mut().wanted.push(command);
        window.run();
    };
    let at = place(&window, "Y, frame 24");
    click(&mut window, at, Modifiers::NONE);
    run(&mut window, CommandId::CopyKeys);
    // Those of one channel go to the active one: a click on a key of X makes X that.
    let at = place(&window, "X, frame 24");
    click(&mut window, at, Modifiers::NONE);
    window.state_mut().view.apply(ViewChange::Time(FrameRate::FPS_24.secs(30)));
    run(&mut window, CommandId::PasteKeys);
    assert_eq!(keys(&window, x)[3], (30.0, -35.0));
    assert_eq!(keys(&window, y).len(), 2);
    let from = place(&window, "X, frame 30");
    send(&mut window, vec![moved(from)]);
    run(&mut window, CommandId::DuplicateKeys);
    let frame_pt = (place(&window, "X, frame 24").x - place(&window, "X, frame 12").x) / 12.0;
    send(&mut window, vec![moved(from + vec2(frame_pt * 5.0, 0.0))]);
    click(&mut window, from + vec2(frame_pt * 5.0, 0.0), Modifiers::NONE);
    assert_eq!(keys(&window, x).iter().map(|key| key.0).collect::<Vec<_>>(), [0.0, 12.0, 24.0, 30.0, 35.0, 47.0]);
    window.state_mut().view.apply(ViewChange::Time(FrameRate::FPS_24.secs(40)));
    run(&mut window, CommandId::MirrorKeys);
    assert_eq!(keys(&window, x).iter().map(|key| key.0).collect::<Vec<_>>(), [0.0, 12.0, 24.0, 30.0, 45.0, 47.0]);
    assert!(window.state().errors.is_empty(), "{:?}", window.state().errors);
}

#[test]
fn the_ends_of_the_bar_scale_the_selected_keys() {
    let mut window = window(HIPS);
    let y = path(&window, HIPS, Component::Y);
    let (a, b) = (place(&window, "Y, frame 0"), place(&window, "Y, frame 24"));
    click(&mut window, a, Modifiers::NONE);
    click(&mut window, b, Modifiers::SHIFT);
    // The bar lies along the plot's upper edge, under the ruler.
    let top = window.get_by_label("Curves").rect().top() + 24.0;
    let frame_pt = (b.x - a.x) / 24.0;
    drag(&mut window, pos2(b.x, top), pos2(b.x + 12.0 * frame_pt, top + 30.0), Modifiers::NONE);
    let found = keys(&window, y);
    assert!(found.len() == 2 && found[0] == (0.0, -20.0) && (found[1].0 - 36.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn the_tree_searches_hides_and_locks() {
    let mut window = window(HIPS);
    window.get_by_label("Show hips Rotation X").click();
    window.run();
    assert!(window.query_by_label_contains("Key of hips Rotation X").is_none());
    assert!(window.query_all_by_label_contains("Key of hips Rotation Y").next().is_some());
    window.get_by_label("Show hips Rotation X").click();
    window.run();
    window.get_by_label("Search channels").click();
    window.run();
    window.event(Event::Text("rot y".to_owned()));
    window.run();
    assert!(window.query_by_label("hips Rotation X").is_none() && window.query_by_label("hips Rotation Y").is_some());
    window.get_by_label("hips Rotation Y").hover();
    window.run();
    window.get_by_label("Lock hips Rotation Y").click();
    window.run();
    let before = Arc::clone(window.state().session.document());
    let from = place(&window, "Y, frame 24");
    drag(&mut window, from, from + vec2(40.0, 0.0), Modifiers::NONE);
    assert!(Arc::ptr_eq(&before, window.state().session.document()), "a locked curve stays");
}

#[test]
fn a_badge_is_clicked_to_make_the_curve_smoother_there() {
    let mut window = window(HIPS);
    let at = path(&window, HIPS, Component::X);
    let key = place(&window, "X, frame 12");
    click(&mut window, key, Modifiers::NONE);
    let (steps, before) = (history(&window), keys(&window, at));
    let badge = |window: &Window| {
        let mut badges = window.query_all_by_label_contains("C1 of hips Rotation X");
        badges.next().map(|badge| badge.rect().center())
    };
    let pos = badge(&window).expect("a badge");
    click(&mut window, pos, Modifiers::NONE);
    window.get_by_label("Make continuous (C2)").click();
    window.run();
    assert_eq!((history(&window), keys(&window, at)), (steps + 1, before), "one step, and no value changes");
    let selected = window.state().session.selection().keys.times(at).to_vec();
    assert_eq!(selected.len(), 1, "a badge is no press on the plot");
}

#[test]
fn velocity_and_acceleration_take_room_below_and_keys_stay_where_they_are() {
    let mut window = window(HIPS);
    let before = place(&window, "X, frame 12");
    for name in ["Velocity", "Acceleration"] {
        window.get_by_label(name).click();
        window.run();
    }
    let after = place(&window, "X, frame 12");
    assert!((after.x - before.x).abs() < 1.0 && after.y < before.y);
}

#[test]
fn a_curve_is_muted_in_the_list_and_by_command() {
    let mut window = window(HIPS);
    let (x, y) = (path(&window, HIPS, Component::X), path(&window, HIPS, Component::Y));
    let muted = |window: &Window| -> Vec<ChannelPath> {
        window.state().session.document().clip(x.clip).unwrap().muted.iter().copied().collect()
    };
    window.get_by_label("Mute hips Rotation X").click();
    window.run();
    assert_eq!((muted(&window), history(&window)), (vec![x.path], 1));
    // The command is for the curves with selected keys.
    let at = place(&window, "Y, frame 24");
    click(&mut window, at, Modifiers::NONE);
    window.state_mut().wanted.push(CommandId::MuteCurves);
    window.run();
    assert_eq!((muted(&window), history(&window)), (vec![x.path, y.path], 2));
    window.state_mut().wanted.push(CommandId::MuteCurves);
    window.run();
    assert_eq!(muted(&window), [x.path]);
    window.state_mut().session.undo();
    window.state_mut().session.undo();
    window.state_mut().session.undo();
    assert!(muted(&window).is_empty());
}

/// Continuity, an ease and the tension of all selected keys: each one step, told or applied to every key.
#[test]
fn curve_tools_act_on_all_selected_keys_at_once() {
    let mut window = window(HIPS);
    let x = path(&window, HIPS, Component::X);
    window.get_by_label("Curve tools").click();
    window.run();
    let (a, b) = (place(&window, "X, frame 12"), place(&window, "X, frame 24"));
    click(&mut window, a, Modifiers::NONE);
    click(&mut window, b, Modifiers::SHIFT);
    assert_eq!(window.state().session.selection().keys.len(), 2);
    window.get_by_label("Elastic, in-out").click();
    window.run_steps(4);
    // Under the pointer the picture moves for as long as it stays.
    send(&mut window, vec![moved(a - vec2(40.0, 0.0))]);
    window.run();
    let kinds = |window: &Window| [0, 1, 2, 3].map(|index| key_at(window, x, index).interpolation);
    let (bezier, elastic) = (Interpolation::Bezier, Interpolation::Elastic);
    assert_eq!((kinds(&window), history(&window)), ([bezier, elastic, elastic, bezier], 1));
    window.state_mut().wanted.push(CommandId::MakeC2);
    window.run();
    let document = Arc::clone(window.state().session.document());
    let curve = document.clip(x.clip).unwrap().channels[&x.path].scalar_keys().unwrap();
    let order = |index| inbetween::eval::polyline::derivative::smoothness(curve, index).unwrap().order();
    assert_eq!(([order(1), order(2)], history(&window)), ([2, 2], 2));
    window.state_mut().wanted.push(CommandId::InterpolationTcb);
    window.run();
    // It stands below the pictures of the eases, which keep their places whatever is selected.
    window.get_by_role_and_label(egui::accesskit::Role::Slider, "Tension").scroll_to_me();
    window.run_steps(30);
    let rect = window.get_by_role_and_label(egui::accesskit::Role::Slider, "Tension").rect();
    drag(&mut window, rect.center(), rect.right_center(), Modifiers::NONE);
    assert_eq!([0, 1, 2].map(|index| key_at(&window, x, index).tension), [0.0, 1.0, 1.0]);
    assert_eq!(history(&window), 4);
    assert!(window.state().errors.is_empty(), "{:?}", window.state().errors);
}
