//! One edit from end to end: gestures, single edits, merging, selection, history, and the known faults of others.

use inbetween::{
    edit::{
        CurveEdit, CurveRef, Edit, EditError, Gesture, HandleEdit, HandleKind, HandleSide, KeyEdit, KeySelection,
        Limits, MergeKey, ObjectEdit, Outcome, Selection, Session, SettingsEdit,
    },
    math::Vec3,
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, FrameRate, Handle, Interpolation, Joint,
        JointId, Key, KeyedCurve, Object, ObjectId, Property, Rig, Samples, ScalarCurve, Skeleton, Target, Value,
    },
};
use std::sync::Arc;

const OBJECT: ObjectId = ObjectId(1);
const CLIP: ClipId = ClipId(2);
const MOVE: &str = "history.move_keys";

fn at(component: Component) -> CurveRef {
    CurveRef { clip: CLIP, path: ChannelPath::joint(OBJECT, JointId(0), Property::Rotation, component) }
}

/// One joint whose X rotation has these keys.
fn document(keys: &[(f64, f64)]) -> Document {
    let mut document = Document::default();
    let joints = vec![Joint::new(JointId(0), "arm", None, Vec3::zeros())];
    let skeleton = Arc::new(Skeleton::new(joints).unwrap());
    document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let mut clip = Clip::new("clip", FrameRange::new(0, 47));
    let keys = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
    let curve = KeyedCurve { keys, ..KeyedCurve::default() };
    clip.channels.insert(at(Component::X).path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    assert_eq!(document.add_clip(clip), CLIP);
    Arc::make_mut(&mut document.settings).clip = Some(CLIP);
    document
}

fn keys(document: &Document) -> Vec<(f64, f64)> {
    whole_keys(document).iter().map(|key| (key.time, key.value)).collect()
}

fn whole_keys(document: &Document) -> Vec<Key> {
    let curve = document.clips[&CLIP].channels.get(&at(Component::X).path);
    curve.and_then(|curve| curve.scalar_keys()).into_iter().flat_map(|curve| curve.keys.iter()).collect()
}

fn moved(times: &[f64], dt: f64, dv: f64) -> Edit {
    KeyEdit::Move { keys: KeySelection::of(at(Component::X), times), dt, dv }.into()
}

fn set(secs: f64, value: f64) -> Edit {
    KeyEdit::Set { curve: at(Component::X), values: vec![(secs, Value::Scalar(value))] }.into()
}

/// Case B16: a key inserted where one is replaces its value, and undo gives it back whole.
#[test]
fn b16_inserting_on_an_occupied_time_makes_no_ghost() {
    let mut session = Session::new(document(&[(0.0, 0.0), (1.0, 5.0)]));
    let kind = HandleEdit::SetKind { keys: KeySelection::of(at(Component::X), &[1.0]), kind: HandleKind::Free };
    session.apply("history.handles", &kind.into()).unwrap();
    let before = whole_keys(session.document());
    session.apply("history.insert_key", &set(1.0 + 1e-9, 7.0)).unwrap();
    assert_eq!(keys(session.document()), [(0.0, 0.0), (1.0, 7.0)]);
    assert_eq!(whole_keys(session.document())[1], Key { value: 7.0, ..before[1] });
    assert!(session.undo());
    assert_eq!(whole_keys(session.document()), before);
}

/// A hand that rests in mid-drag asks for what is shown already: that is known, also where new keys take a kind of their own.
#[test]
fn what_a_gesture_shows_is_known() {
    let mut session = Session::new(document(&[(0.0, 0.0), (1.0, 5.0)]));
    for kind in [None, Some(Interpolation::Step)] {
        session.set_new_keys(kind);
        assert!(!session.previews(&set(0.5, 1.0)));
        session.gesture(Gesture::Begin { label: MOVE }).unwrap();
        assert!(!session.previews(&Edit::none()));
        session.gesture(Gesture::Update(set(0.5, 1.0))).unwrap();
        assert!(session.previews(&set(0.5, 1.0)) && !session.previews(&set(0.5, 2.0)));
        session.gesture(Gesture::Cancel).unwrap();
        assert!(!session.previews(&set(0.5, 1.0)));
    }
}

/// Case B17: a group that is moved keeps its keys, their order and their spacing.
#[test]
fn b17_a_group_keeps_its_spacing() {
    let times = [0.10, 0.14, 0.23];
    let mut session = Session::new(document(&[(0.10, 1.0), (0.14, 2.0), (0.23, 3.0), (0.3, 4.0)]));
    session.select(Selection { keys: KeySelection::of(at(Component::X), &times), ..Selection::default() });
    // The grabbed key, the first, goes to a frame; the others by the same amount.
    let shift = FrameRate::FPS_24.snap(0.10 + 1.0 / 24.0) - 0.10;
    session.apply(MOVE, &moved(&times, shift, 0.0)).unwrap();
    let after = keys(session.document());
    assert_eq!(after.iter().map(|(_, value)| *value).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(after[0].0, FrameRate::FPS_24.secs(3));
    assert!((after[1].0 - after[0].0 - 0.04).abs() < 1e-12 && (after[2].0 - after[1].0 - 0.09).abs() < 1e-12);
    // The selection went with the keys, and comes back with them.
    assert_eq!(session.selection().keys.times(at(Component::X)), [after[0].0, after[1].0, after[2].0]);
    session.undo();
    assert_eq!(session.selection().keys.times(at(Component::X)), times);
    session.redo();
    assert_eq!(session.selection().keys.len(), 3);
}

/// Case B24: a drag of a hundred moves is one step; a cancelled one is none.
#[test]
fn b24_a_drag_is_one_step_and_a_cancelled_one_none() {
    let mut session = Session::new(document(&[(0.0, 0.0)]));
    let drag = |session: &mut Session, moves: u32| {
        session.gesture(Gesture::Begin { label: MOVE }).unwrap();
        for i in 1..=moves {
            session.gesture(Gesture::Update(moved(&[0.0], 0.0, f64::from(i) / 100.0))).unwrap();
        }
    };
    drag(&mut session, 100);
    assert_eq!(session.gesture(Gesture::Commit), Ok(Outcome::Committed));
    assert_eq!(session.history().len(), 2);
    assert_eq!(keys(session.document()), [(0.0, 1.0)]);
    assert!(session.undo());
    assert_eq!(keys(session.document()), [(0.0, 0.0)]);
    assert!(session.redo());
    let before = session.base().clone();
    drag(&mut session, 50);
    assert_eq!(keys(session.document()), [(0.0, 1.5)]);
    assert_eq!(session.gesture(Gesture::Cancel), Ok(Outcome::Cancelled));
    assert!(Arc::ptr_eq(session.document(), &before) && session.history().len() == 2);
    // Undo in the middle of a drag cancels the drag and nothing else.
    drag(&mut session, 50);
    assert!(session.can_undo() && session.undo());
    assert!(Arc::ptr_eq(session.document(), &before) && !session.in_gesture());
    assert_eq!(session.history().index(), 1);
}

/// Case B25: opening another document leaves nothing of the first to come back.
#[test]
fn b25_opening_another_document_leaves_no_way_back() {
    let mut session = Session::new(document(&[(0.0, 1.0)]));
    session.apply(MOVE, &moved(&[0.0], 0.5, 0.0)).unwrap();
    assert!(session.is_modified() && session.can_undo());
    let other = document(&[(3.0, 4.0)]);
    session = Session::new(other.clone());
    assert!(!session.can_undo() && !session.can_redo() && !session.is_modified());
    assert!(!session.undo() && !session.redo());
    assert_eq!(**session.document(), other);
}

#[test]
fn many_small_moves_are_one_big_move_to_the_bit() {
    let start = document(&[(0.1, 0.7), (0.33, -1.0)]);
    let [mut small, mut big] = [Session::new(start.clone()), Session::new(start)];
    small.gesture(Gesture::Begin { label: MOVE }).unwrap();
    let total = |i: f64| moved(&[0.1, 0.33], 0.317 * i / 100.0, -1.9 * i / 100.0);
    for i in 1..=100 {
        small.gesture(Gesture::Update(total(f64::from(i)))).unwrap();
    }
    small.gesture(Gesture::Commit).unwrap();
    big.apply(MOVE, &total(100.0)).unwrap();
    let bits = |session: &Session| {
        keys(session.document()).iter().map(|(t, v)| (t.to_bits(), v.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(bits(&small), bits(&big));
}

#[test]
fn what_changes_nothing_leaves_no_step_and_shares_every_part() {
    let mut session = Session::new(document(&[(0.0, 0.0), (1.0, 5.0)]));
    let base = session.base().clone();
    for edit in [Edit::none(), moved(&[0.0], 0.0, 0.0), set(1.0, 5.0), SettingsEdit::SetClip(Some(CLIP)).into()] {
        assert_eq!(session.apply(MOVE, &edit), Ok(Outcome::Unchanged));
    }
    // Out and back in one gesture.
    session.gesture(Gesture::Begin { label: MOVE }).unwrap();
    session.gesture(Gesture::Update(moved(&[0.0], 0.0, 3.0))).unwrap();
    session.gesture(Gesture::Update(moved(&[0.0], 0.0, 0.0))).unwrap();
    assert_eq!(session.gesture(Gesture::Commit), Ok(Outcome::Unchanged));
    assert!(Arc::ptr_eq(session.base(), &base) && session.history().len() == 1);
    // A change beside leaves what it did not touch the very same.
    session.apply("history.rename", &ObjectEdit::Rename { object: OBJECT, name: "robot".into() }.into()).unwrap();
    assert!(Arc::ptr_eq(&session.base().clips, &base.clips));
    let (before, after) = (&base.objects[&OBJECT], &session.base().objects[&OBJECT]);
    assert!(Arc::ptr_eq(before.as_rig().unwrap(), after.as_rig().unwrap()));
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let mut session = Session::new(document(&[(0.0, 0.0)]));
    let base = session.base().clone();
    let half = Edit::Batch(vec![set(2.0, 1.0), moved(&[9.0], 1.0, 0.0)]);
    let path = at(Component::X).path;
    assert_eq!(session.apply(MOVE, &half), Err(EditError::NoKey { path, secs: 9.0 }));
    assert!(Arc::ptr_eq(session.document(), &base) && !session.in_gesture());
    assert_eq!(session.gesture(Gesture::Update(set(2.0, 1.0))), Err(EditError::NoGesture));
    assert_eq!(session.gesture(Gesture::Commit), Ok(Outcome::Idle));
    // In a gesture the last good change stays shown, and can be committed.
    session.gesture(Gesture::Begin { label: MOVE }).unwrap();
    session.gesture(Gesture::Update(set(2.0, 1.0))).unwrap();
    assert!(session.gesture(Gesture::Update(half)).is_err());
    assert_eq!(session.gesture(Gesture::Commit), Ok(Outcome::Committed));
    assert_eq!(keys(session.document()), [(0.0, 0.0), (2.0, 1.0)]);
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(session.apply(MOVE, &set(1.0, bad)).is_err() && session.apply(MOVE, &set(bad, 1.0)).is_err());
        assert!(session.apply(MOVE, &moved(&[0.0], bad, 0.0)).is_err());
    }
    assert!(session.apply(MOVE, &moved(&[2.0], 0.0, f64::MAX)).is_ok());
    assert!(session.apply(MOVE, &moved(&[2.0], 0.0, f64::MAX)).is_err());
}

#[test]
fn nudges_of_one_kind_merge_until_something_else_happens() {
    let mut session = Session::new(document(&[(0.0, 0.0), (1.0, 0.0)]));
    let nudge = |session: &mut Session, by: f64| {
        session.apply_merging("history.nudge", MergeKey("nudge".into()), &moved(&[1.0], 0.0, by)).unwrap()
    };
    assert_eq!(nudge(&mut session, 0.25), Outcome::Committed);
    assert_eq!(nudge(&mut session, 0.25), Outcome::Committed);
    assert_eq!((session.history().len(), keys(session.document())[1].1), (2, 0.5));
    session.select(Selection::single(Target::Joint(OBJECT, JointId(0))));
    nudge(&mut session, 0.25);
    assert_eq!(session.history().len(), 3);
    session.apply(MOVE, &moved(&[0.0], 0.0, 1.0)).unwrap();
    nudge(&mut session, 0.25);
    assert_eq!(session.history().len(), 5);
    session.undo();
    session.redo();
    nudge(&mut session, 0.25);
    assert_eq!(session.history().len(), 6);
    // There and back is nothing.
    nudge(&mut session, -0.25);
    assert_eq!((session.history().len(), session.history().index()), (5, 4));
    session.mark_saved();
    nudge(&mut session, 0.25);
    session.undo();
    assert!(!session.is_modified());
}

#[test]
fn undo_brings_back_what_was_selected_and_exists() {
    let mut session = Session::new(document(&[(0.0, 0.0), (1.0, 1.0)]));
    let joint = Target::Joint(OBJECT, JointId(0));
    session.select(Selection::single(joint));
    session.apply(MOVE, &moved(&[1.0], 0.0, 1.0)).unwrap();
    session.select(Selection { keys: KeySelection::of(at(Component::X), &[0.0, 1.0]), ..Selection::default() });
    session
        .apply("history.delete", &KeyEdit::Delete { keys: KeySelection::of(at(Component::X), &[1.0]) }.into())
        .unwrap();
    assert_eq!(session.selection().keys.times(at(Component::X)), [0.0]);
    session.select(Selection::default());
    session.undo();
    assert_eq!(session.selection().keys.times(at(Component::X)), [0.0, 1.0]);
    session.undo();
    assert_eq!(session.selection(), &Selection::single(joint));
    session.apply("history.delete", &ObjectEdit::Delete { objects: vec![OBJECT] }.into()).unwrap();
    assert_eq!(session.selection(), &Selection::default());
    assert!(session.document().clips[&CLIP].channels.is_empty());
    assert!(!session.can_redo());
}

#[test]
fn the_history_is_bounded_in_steps_and_in_bytes() {
    let mut session = Session::with_limits(document(&[(0.0, 0.0)]), Limits { entries: 10, bytes: usize::MAX });
    for i in 1..=50 {
        session.apply(MOVE, &moved(&[0.0], 0.0, f64::from(i))).unwrap();
    }
    assert_eq!((session.history().len(), session.history().index()), (10, 9));
    while session.undo() {}
    assert_eq!(keys(session.document())[0].1, (1..=41).map(f64::from).sum::<f64>());
    assert!(session.is_modified());

    let many: Vec<(f64, f64)> = (0..20_000).map(|i| (f64::from(i), 0.0)).collect();
    let mut session = Session::with_limits(document(&many), Limits { entries: 1_000, bytes: 1 << 18 });
    for i in 0..100 {
        session.apply(MOVE, &moved(&[f64::from(i) * 100.0], 0.0, 1.0)).unwrap();
    }
    // One chunk of keys a step: some dozens fit, and not the whole curve a step.
    assert!(session.history().bytes() <= 1 << 18);
    assert!((15..60).contains(&session.history().len()), "{}", session.history().len());
    assert!(session.history().labels().skip(1).all(|label| label == MOVE));
}

#[test]
fn saving_marks_a_state_and_undo_finds_it_again() {
    let mut session = Session::new(document(&[(0.0, 0.0)]));
    session.apply(MOVE, &moved(&[0.0], 0.0, 1.0)).unwrap();
    let writing = session.base().clone();
    session.apply(MOVE, &moved(&[0.0], 0.0, 1.0)).unwrap();
    session.mark_saved_as(&writing);
    assert!(session.is_modified());
    session.undo();
    assert!(!session.is_modified());
    session.undo();
    assert!(session.is_modified());
}

#[test]
fn keys_may_pass_each_other_and_the_moved_one_wins() {
    let start = document(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
    let apply = |edit: Edit| {
        let mut after = start.clone();
        edit.apply(&mut after).unwrap();
        keys(&after)
    };
    assert_eq!(apply(moved(&[1.0], 1.5, 0.0)), [(0.0, 0.0), (2.0, 2.0), (2.5, 1.0), (3.0, 3.0)]);
    assert_eq!(apply(moved(&[1.0], 2.0, 0.5)), [(0.0, 0.0), (2.0, 2.0), (3.0, 1.5)]);
    assert_eq!(apply(moved(&[0.0, 1.0], 1.0, 0.0)), [(1.0, 0.0), (2.0, 1.0), (3.0, 3.0)]);
    let keys_of = |times: &[f64]| KeySelection::of(at(Component::X), times);
    let (chosen, value) = (keys_of(&[0.0, 1.0, 3.0]), (0.0, 2.0));
    let mirror = KeyEdit::Scale { keys: chosen, time: (1.0, -1.0), value, frames: false };
    assert_eq!(apply(mirror.into()), [(-1.0, 6.0), (1.0, 2.0), (2.0, 0.0)]);
    assert_eq!(apply(KeyEdit::SetTime { keys: keys_of(&[1.0]), secs: 5.0 }.into()).last(), Some(&(5.0, 1.0)));
    let two = KeyEdit::SetTime { keys: keys_of(&[1.0, 2.0]), secs: 5.0 };
    let path = at(Component::X).path;
    assert_eq!(Edit::from(two).apply(&mut start.clone()), Err(EditError::OneTime { path, count: 2 }));
    // The last key takes the curve with it.
    assert!(apply(KeyEdit::Delete { keys: keys_of(&[0.0, 1.0, 2.0, 3.0]) }.into()).is_empty());
    // Many keys at once do as few do.
    let long: Vec<(f64, f64)> = (0..5_000).map(|i| (f64::from(i), f64::from(i))).collect();
    let mut document = document(&long);
    let times: Vec<f64> = (0..5_000).filter(|i| i % 3 == 0).map(f64::from).collect();
    moved(&times, 1.0, -1.0).apply(&mut document).unwrap();
    let after = keys(&document);
    assert_eq!(after.len(), 5_000 - 1 - times.len() + 1);
    assert!(after.iter().all(|(time, value)| if *time as u32 % 3 == 1 { *value == time - 2.0 } else { value == time }));
}

#[test]
fn scaled_keys_go_onto_frames_and_none_is_lost() {
    let frame = |n: f64| n / 24.0;
    let start = document(&[0.0, 1.0, 2.0, 3.0, 8.0].map(|n| (frame(n), n)));
    let all: Vec<f64> = [0.0, 1.0, 2.0, 3.0, 8.0].map(frame).to_vec();
    let scaled = |factor: f64, frames: bool| {
        let mut after = start.clone();
        let keys = KeySelection::of(at(Component::X), &all);
        let edit = KeyEdit::Scale { keys, time: (0.0, factor), value: (0.0, 1.0), frames };
        Edit::from(edit).apply(&mut after).unwrap();
        keys_in_frames(&after)
    };
    assert_eq!(scaled(1.25, true), [0.0, 1.0, 3.0, 4.0, 10.0]);
    assert_eq!(scaled(1.25, false), [0.0, 1.25, 2.5, 3.75, 10.0]);
    // Scaled to 0.75 and 1.125 two would share frame 1: the latter is nearer and takes it; 0.375 would share frame 0. In order still.
    assert_eq!(scaled(0.375, true), [0.0, 0.375, 0.75, 1.0, 3.0]);
    // What is scaled by nothing stays, off the frames as it may be.
    let mut off = document(&[(0.0, 0.0), (frame(1.3), 1.0), (frame(4.0), 2.0)]);
    let before = keys(&off);
    let chosen = KeySelection::of(at(Component::X), &before.iter().map(|key| key.0).collect::<Vec<_>>());
    let none = KeyEdit::Scale { keys: chosen, time: (0.0, 1.0), value: (0.0, 1.0), frames: true };
    Edit::from(none).apply(&mut off).unwrap();
    assert_eq!(keys(&off), before);
}

/// The frames keys stand at, to a millionth.
fn keys_in_frames(document: &Document) -> Vec<f64> {
    keys(document).iter().map(|(time, _)| (time * 24e6).round() / 1e6).collect()
}

#[test]
fn new_keys_go_on_as_the_one_before() {
    let mut document = document(&[(0.0, 0.0), (2.0, 1.0)]);
    let keys = KeySelection::of(at(Component::X), &[0.0]);
    Edit::from(KeyEdit::SetInterpolation { keys, interpolation: Interpolation::Linear }).apply(&mut document).unwrap();
    set(1.0, 0.5).apply(&mut document).unwrap();
    assert_eq!(whole_keys(&document)[1], Key { interpolation: Interpolation::Linear, ..Key::new(1.0, 0.5) });
}

#[test]
fn a_dragged_handle_turns_its_aligned_partner() {
    let mut document = document(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]);
    let drag = |offset| HandleEdit::Move { curve: at(Component::X), secs: 1.0, side: HandleSide::Out, offset };
    Edit::from(drag((0.5, 1.0))).apply(&mut document).unwrap();
    let key = whole_keys(&document)[1];
    assert_eq!(key.handle_out, Handle::Aligned(0.5, 1.0));
    let Handle::Aligned(dt, dv) = key.handle_in else { panic!("{key:?}") };
    assert!(dt < 0.0 && (dv / dt - 2.0).abs() < 1e-12);
    // Straight up, and beyond: finite, never before the key.
    Edit::from(drag((-0.3, 5.0))).apply(&mut document).unwrap();
    let key = whole_keys(&document)[1];
    assert_eq!(key.handle_out, Handle::Aligned(0.0, 5.0));
    assert!(matches!(key.handle_in, Handle::Aligned(dt, dv) if dt == 0.0 && dv < 0.0 && dv > -50.0));
    assert_eq!(document.problems(), []);
    // A free handle leaves its partner alone; in line again by the kind.
    let keys = KeySelection::of(at(Component::X), &[1.0]);
    Edit::from(HandleEdit::SetKind { keys: keys.clone(), kind: HandleKind::Free }).apply(&mut document).unwrap();
    let before = whole_keys(&document)[1].handle_in;
    Edit::from(drag((0.4, 0.0))).apply(&mut document).unwrap();
    assert_eq!(whole_keys(&document)[1].handle_in, before);
    Edit::from(HandleEdit::SetKind { keys, kind: HandleKind::Aligned }).apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
}

/// Captured curves become keys exactly, and only then can be edited by keys.
#[test]
fn a_captured_curve_becomes_keys_without_error() {
    let mut document = document(&[(0.0, 0.0)]);
    let rate = FrameRate::new(30_000, 1_001).unwrap();
    // Past half a turn, written wrapped as files do.
    let values: Vec<f64> = (0..300).map(|i| inbetween::math::rotation::wrap_angle(0.05 * f64::from(i))).collect();
    let samples = Samples::new(0.25, rate, values.clone().into());
    let curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples)));
    document.clip_mut(CLIP).unwrap().channels.insert(at(Component::Y).path, curve);
    let move_first = KeyEdit::Move { keys: KeySelection::of(at(Component::Y), &[0.25]), dt: 0.0, dv: 1.0 };
    assert_eq!(Edit::from(move_first.clone()).apply(&mut document), Err(EditError::Sampled(at(Component::Y).path)));
    Edit::from(CurveEdit::ConvertToKeys { curves: vec![at(Component::Y)] }).apply(&mut document).unwrap();
    let curve = document.clips[&CLIP].channels[&at(Component::Y).path].clone();
    let keyed = curve.scalar_keys().unwrap();
    assert_eq!(keyed.keys.len(), values.len());
    for ((frame, number), key) in (0..).enumerate().zip(keyed.keys.iter()) {
        assert_eq!(key.time, 0.25 + rate.secs(number));
        let turns = (key.value - values[frame]) / std::f64::consts::TAU;
        assert!((turns - turns.round()).abs() < 1e-12 && (key.value - 0.05 * frame as f64).abs() < 1e-12);
        assert_eq!(inbetween::eval::curve::value(keyed, key.time), Some(key.value));
    }
    assert!(Edit::from(move_first).apply(&mut document).is_ok());
}
