//! Pins: what is planted stays planted.

mod dragged;
mod exports;
mod trails;

use crate::support::driver::Driver;
use inbetween::{
    edit::{AutoKey, Edit, PinEdit, Session, pin_here, pose, set_key},
    eval::{
        Evaluator, RigFrame,
        drag::{Drag, DragInput, DragOptions},
        limbs, pins,
    },
    interact::input::Modifiers,
    io::ron,
    math::{Affine, Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, ClipId, Curve, Document, Interpolation, Key, KeyedCurve, Object, ObjectId, Pin, PinId,
        PinSpace, Property, ScalarCurve,
    },
    samples,
};
use std::sync::Arc;

/// The figure of the sample in its rest pose, in an empty clip of 48 frames; its object, its hips and its feet.
struct Figure {
    document: Document,
    object: ObjectId,
    hips: usize,
    feet: Vec<usize>,
}

fn figure() -> Figure {
    let sample = samples::start();
    let (_, of, rig) = sample.rigs().next().unwrap();
    let mut document = Document::default();
    let object = document.add_object(Object { transform: of.transform, ..Object::rig("Figure", (**rig).clone()) });
    let clip = document.add_clip(Clip::new("Clip", document.settings.play_range));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let limbs = limbs::of_skeleton(&rig.skeleton, &[]);
    let feet = limbs.of_role(limbs::Role::Leg).map(limbs::Limb::end).collect();
    Figure { document, object, hips: limbs.hips.unwrap(), feet }
}

impl Figure {
    fn joint(&self, index: usize) -> inbetween::model::JointId {
        self.document.object(self.object).unwrap().as_rig().unwrap().skeleton.joints()[index].id
    }

    fn name(&self, index: usize) -> String {
        self.document.object(self.object).unwrap().as_rig().unwrap().skeleton.joints()[index].name.clone()
    }

    fn clip(&self) -> &Arc<Clip> {
        self.document.clip(self.clip_id()).unwrap()
    }

    fn clip_id(&self) -> ClipId {
        self.document.clip_of(self.object).unwrap()
    }

    fn apply(&mut self, edit: impl Into<Edit>) {
        edit.into().apply(&mut self.document).unwrap();
        assert_eq!(self.document.problems(), []);
    }

    fn world(&self, index: usize, secs: f64) -> Affine {
        Evaluator::new().frame(&self.document, secs).joint_world(self.object, index).unwrap()
    }

    fn rig_frame(&self, secs: f64) -> Arc<RigFrame> {
        Evaluator::new().frame(&self.document, secs).rig(self.object).unwrap().clone()
    }

    /// Keys joints as they are wanted.
    fn key(&mut self, secs: f64, joint: usize, change: impl FnOnce(&mut Transform)) {
        let mut local = self.rig_frame(secs).local[joint];
        change(&mut local);
        let edit = pose::pose_edit(&self.document, self.object, secs, &[(self.joint(joint), local)], AutoKey::On);
        self.apply(edit.unwrap());
    }

    fn pin(&mut self, index: usize, secs: f64) {
        let joints = [(self.object, self.joint(index))];
        let edit = pin_here::pin_here(&self.document, &Evaluator::new(), &joints, secs).unwrap();
        self.apply(edit);
    }

    /// Two poses: the hips go down and forward and turn.
    fn two_poses(&mut self) {
        self.key(0.0, self.hips, |_| {});
        let hips = self.hips;
        self.key(0.0, hips, |local| local.translation.y += 1e-9);
        self.key(1.0, hips, |local| {
            local.translation += Vec3::new(0.1, -0.22, 0.15);
            local.rotation = from_axis_angle(&Vec3::y(), 0.4) * local.rotation;
        });
    }
}

/// Times on and between the frames.
fn sub_frames(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let count = ((to - from) * 24.0 * 16.0).round() as usize;
    (0..=count).map(move |i| from + (to - from) * i as f64 / count as f64)
}

fn turned(a: &Quat, b: &Quat) -> f64 {
    a.angle_to(b)
}

#[test]
fn a_pinned_foot_stays_while_the_hips_go_and_a_free_one_goes_through_the_floor() {
    let mut figure = figure();
    figure.two_poses();
    let feet = figure.feet.clone();
    let planted: Vec<Affine> = feet.iter().map(|foot| figure.world(*foot, 0.0)).collect();
    let lowest = sub_frames(0.0, 1.0).map(|secs| figure.world(feet[0], secs).translation.y).fold(f64::MAX, f64::min);
    assert!(lowest < planted[0].translation.y - 0.2, "without a pin it sinks by 22 cm: {lowest}");
    for foot in &feet {
        figure.pin(*foot, 0.0);
    }
    assert_eq!(figure.clip().pins.len(), 2);
    assert!(figure.clip().pins.iter().all(|pin| pin.range.0 == 0.0 && pin.range.1 >= 1.0), "to the next key pose");
    let mut drift = 0.0_f64;
    let mut roll = 0.0_f64;
    for secs in sub_frames(0.0, 1.0) {
        for (foot, planted) in feet.iter().zip(&planted) {
            let now = figure.world(*foot, secs);
            drift = drift.max((now.translation - planted.translation).norm());
            roll = roll.max(turned(&now.rotation(), &planted.rotation()));
        }
        let frame = Evaluator::new().frame(&figure.document, secs);
        assert!(frame.pins.len() == 2 && frame.pins.iter().all(|pin| pin.gap < 1e-9));
    }
    assert!(drift < 1e-9 && roll < 1e-9, "the foot drifts {drift} m and rolls {roll}");
}

#[test]
fn only_the_limb_and_the_joint_turn_and_no_bone_is_stretched() {
    let mut figure = figure();
    figure.two_poses();
    let free = figure.rig_frame(0.7);
    figure.pin(figure.feet[0], 0.0);
    let held = figure.rig_frame(0.7);
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let leg = limbs.containing(figure.feet[0]).unwrap();
    for (index, (free, held)) in free.local.iter().zip(&held.local).enumerate() {
        assert_eq!(free.translation, held.translation);
        if !leg.joints.contains(&index) {
            assert_eq!(free, held, "joint {index}");
        }
    }
}

#[test]
fn knees_bend_forward_and_without_a_pop_from_a_straight_leg() {
    let mut figure = figure();
    figure.two_poses();
    figure.pin(figure.feet[0], 0.0);
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let leg = limbs.containing(figure.feet[0]).unwrap().clone();
    let knee = leg.middle.unwrap();
    let mut before: Option<Vec3> = None;
    let mut fastest = 0.0_f64;
    for secs in sub_frames(0.0, 1.0) {
        let at = figure.world(knee, secs).translation;
        if let Some(before) = before {
            fastest = fastest.max((at - before).norm());
        }
        before = Some(at);
    }
    let (hip, foot) = (figure.world(leg.root(), 1.0).translation, figure.world(leg.end(), 1.0).translation);
    let forward = before.unwrap().z - 0.5 * (hip.z + foot.z);
    assert!(forward > 0.05, "the knee is {forward} m before the line");
    // 384 steps a second: 2 cm a step would be 7 m/s.
    assert!(fastest < 0.02, "a step of {fastest} m");
}

#[test]
fn coming_and_going_is_continuous() {
    let mut figure = figure();
    figure.two_poses();
    figure.pin(figure.feet[0], 0.0);
    let (clip, pin) = (figure.clip_id(), figure.clip().pins[0].id);
    figure.apply(PinEdit::SetRange { clip, pin, range: (0.3, 0.6) });
    figure.apply(PinEdit::SetEase { clip, pin, ease: (0.2, 0.25) });
    let foot = figure.feet[0];
    let track: Vec<Vec3> = sub_frames(0.0, 1.0).map(|secs| figure.world(foot, secs).translation).collect();
    let steps: Vec<f64> = track.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let jump = steps.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!(jump < 1.5e-3, "the speed jumps by {jump} m a step");
    let held = figure.clip().pins[0].place;
    for secs in sub_frames(0.3, 0.6) {
        assert!((figure.world(foot, secs).translation - held).norm() < 1e-9);
    }
    let free = {
        let mut free = figure.document.clone();
        PinEdit::Mute { clip, pin, muted: true }.run_on(&mut free);
        free
    };
    for secs in [0.0, 0.1, 0.86, 1.0] {
        let [a, b] = [&free, &figure.document].map(|document| Evaluator::new().frame(document, secs));
        assert_eq!(a.rig(figure.object), b.rig(figure.object), "outside nothing is touched");
    }
}

trait RunOn {
    fn run_on(self, document: &mut Document);
}

impl<T: Into<Edit>> RunOn for T {
    fn run_on(self, document: &mut Document) {
        self.into().apply(document).unwrap();
    }
}

#[test]
fn influence_is_a_channel() {
    let mut figure = figure();
    figure.two_poses();
    let foot = figure.feet[0];
    let free = figure.world(foot, 1.0).translation;
    figure.pin(foot, 0.0);
    let held = figure.world(foot, 1.0).translation;
    let (clip, pin) = (figure.clip_id(), figure.clip().pins[0].id);
    let path = ChannelPath::influence(figure.object, pin);
    let keys = [Key { interpolation: Interpolation::Linear, ..Key::new(0.0, 1.0) }, Key::new(1.0, 0.0)];
    let curve = inbetween::edit::CurveRef { clip, path };
    figure.apply(inbetween::edit::KeyEdit::Insert { curve, keys: keys.to_vec() });
    assert!((figure.world(foot, 1.0).translation - free).norm() < 1e-12, "at influence 0 it is free");
    let half = figure.world(foot, 0.5).translation;
    assert!(half.y < held.y - 1e-3 && half.y > free.y);
    let stage = inbetween::eval::sample::Stage::Shown;
    let value = inbetween::eval::sample::channel_value(&figure.document, clip, path, 0.25, stage);
    assert_eq!(value, Some(inbetween::model::Value::Scalar(0.75)));
    // Deleting the pin takes its curve along.
    figure.apply(PinEdit::Delete { clip, pin });
    assert!(!figure.clip().channels.contains_key(&path));
    let stray = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve::default()));
    figure.document.clip_mut(clip).unwrap().channels.insert(path, Arc::new(stray));
    assert_eq!(figure.document.problems().len(), 1, "a channel of no pin");
}

#[test]
fn out_of_reach_it_takes_the_nearest_point_and_says_how_far() {
    let mut figure = figure();
    figure.pin(figure.feet[0], 0.0);
    let (clip, pin) = (figure.clip_id(), figure.clip().pins[0].clone());
    let place = pin.place + Vec3::new(0.0, -3.0, 0.0);
    figure.apply(PinEdit::SetPlace { clip, pin: pin.id, place, orientation: None });
    let frame = Evaluator::new().frame(&figure.document, 0.5);
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let hip = figure.world(limbs.containing(figure.feet[0]).unwrap().root(), 0.5).translation;
    let foot = figure.world(figure.feet[0], 0.5).translation;
    assert!((frame.pins[0].gap - (foot - place).norm()).abs() < 1e-9 && frame.pins[0].gap > 2.5);
    let towards = (place - hip).normalize();
    assert!(((foot - hip).normalize() - towards).norm() < 1e-6, "straight towards it");
}

#[test]
fn spaces_of_objects_and_joints_are_followed_in_order() {
    let mut figure = figure();
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let hand = limbs.of_role(limbs::Role::Arm).next().unwrap().end();
    // A second figure, later in the list, whose place the hand follows.
    let rig = figure.document.object(figure.object).unwrap().as_rig().unwrap().clone();
    let other = figure.document.add_object(Object::rig("Other", (*rig).clone()));
    let at = |secs: f64, document: &Document| Evaluator::new().frame(document, secs).objects[&other].world;
    for (secs, x) in [(0.0, 0.0), (1.0, 0.25)] {
        let wanted = Transform::from_translation(Vec3::new(x, 0.0, 0.0));
        pose::transform_edit(&figure.document, other, secs, &wanted, AutoKey::WholePose)
            .unwrap()
            .run_on(&mut figure.document);
    }
    figure.pin(hand, 0.0);
    let (clip, pin) = (figure.clip_id(), figure.clip().pins[0].clone());
    let place = at(0.0, &figure.document).try_inverse().unwrap().point(&pin.place);
    let space = PinSpace::Object(other);
    figure.apply(PinEdit::SetSpace { clip, pin: pin.id, space, place, orientation: None });
    for secs in [0.0, 0.4, 1.0] {
        let wanted = at(secs, &figure.document).point(&place);
        assert!(
            (figure.world(hand, secs).translation - wanted).norm()
                < 1e-6 + Evaluator::new().frame(&figure.document, secs).pins[0].gap
        );
    }
    // The other one may not be held in this one now.
    let foot = figure.joint(figure.feet[0]);
    let back =
        Pin { id: PinId(9), object: other, joint: foot, space: PinSpace::Joint(figure.object, foot), ..(*pin).clone() };
    let refused = Edit::from(PinEdit::Add { clip, pin: Arc::new(back) }).apply(&mut figure.document).unwrap_err();
    assert!(refused.to_string().contains("'Figure', 'Other'"), "{refused}");
    let own = PinEdit::SetSpace {
        clip,
        pin: pin.id,
        space: PinSpace::Joint(figure.object, pin.joint),
        place,
        orientation: None,
    };
    assert!(Edit::from(own).apply(&mut figure.document).is_err(), "held in itself");
}

#[test]
fn a_hand_on_the_own_head_waits_for_the_pin_that_moves_the_head() {
    let mut figure = figure();
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let (hand, head) = (limbs.of_role(limbs::Role::Arm).next().unwrap().end(), limbs.head.unwrap());
    figure.pin(hand, 0.0);
    figure.pin(head, 0.0);
    let (clip, ids) = (figure.clip_id(), [figure.clip().pins[0].id, figure.clip().pins[1].id]);
    let on_head = Vec3::new(0.1, 0.05, 0.12);
    let space = PinSpace::Joint(figure.object, figure.joint(head));
    figure.apply(PinEdit::SetSpace { clip, pin: ids[0], space, place: on_head, orientation: None });
    let place = figure.clip().pins[1].place + Vec3::new(0.0, -0.02, 0.06);
    figure.apply(PinEdit::SetPlace { clip, pin: ids[1], place, orientation: None });
    let frame = Evaluator::new().frame(&figure.document, 0.5);
    let wanted = figure.world(head, 0.5).point(&on_head);
    assert!(frame.pins[0].gap < 1e-9 && frame.pins.iter().all(|pin| !pin.waits_for_itself), "{:?}", frame.pins);
    assert!((figure.world(hand, 0.5).translation - wanted).norm() < 1e-6);
}

#[test]
fn a_posed_frame_keeps_its_pose_when_the_pin_goes() {
    let mut figure = figure();
    figure.key(0.0, figure.hips, |local| local.translation.y += 1e-9);
    for foot in figure.feet.clone() {
        figure.pin(foot, 0.0);
    }
    // A drag of the hips as the tool makes it: from the pinned pose, what it changed is written.
    let secs = 0.5;
    let frame = figure.rig_frame(secs);
    let object = figure.document.object(figure.object).unwrap().clone();
    let rig = object.as_rig().unwrap();
    let limbs = limbs::of_skeleton(&rig.skeleton, &[]);
    let rest: Vec<Transform> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let input = DragInput {
        tree: rig.skeleton.tree(),
        limbs: &limbs,
        rest: &rest,
        pressed: &frame.local,
        root: object.transform.to_affine(),
        joint: figure.hips,
        options: DragOptions::default(),
    };
    let drag = Drag::new(input).unwrap();
    let result = drag.to(&(drag.start() + Vec3::new(0.05, -0.25, 0.1)));
    let changes: Vec<_> = result.changed.iter().map(|(index, local)| (figure.joint(*index), *local)).collect();
    let edit = pose::pose_edit(&figure.document, figure.object, secs, &changes, AutoKey::On).unwrap();
    figure.apply(edit);
    let pinned = figure.rig_frame(secs);
    let clip = figure.clip_id();
    for pin in figure.clip().pins.clone() {
        figure.apply(PinEdit::Delete { clip, pin: pin.id });
    }
    let free = figure.rig_frame(secs);
    for (a, b) in pinned.model.iter().zip(&free.model) {
        assert!((a.translation - b.translation).norm() < 1e-9);
    }
}

#[test]
fn a_key_set_on_a_pinned_limb_is_of_the_pose_the_pin_makes() {
    let mut figure = figure();
    figure.two_poses();
    let foot = figure.feet[0];
    figure.pin(foot, 0.0);
    let secs = 0.5;
    let shown = figure.rig_frame(secs);
    let targets = set_key::whole_pose(&figure.document, figure.object);
    let edit = set_key::set_key(&figure.document, &Evaluator::new(), &targets, secs, None).unwrap();
    figure.apply(edit);
    let pinned = figure.rig_frame(secs);
    let clip = figure.clip_id();
    for pin in figure.clip().pins.clone() {
        figure.apply(PinEdit::Delete { clip, pin: pin.id });
    }
    let free = figure.rig_frame(secs);
    for ((a, b), c) in shown.model.iter().zip(&pinned.model).zip(&free.model) {
        assert!((a.translation - b.translation).norm() < 1e-9 && (a.translation - c.translation).norm() < 1e-9);
    }
}

#[test]
fn what_is_typed_on_a_pinned_joint_is_seen() {
    let mut figure = figure();
    figure.two_poses();
    let foot = figure.feet[0];
    figure.pin(foot, 0.0);
    let (secs, evaluator) = (0.5, Evaluator::new());
    let joint = (figure.object, figure.joint(foot));
    let target = inbetween::model::Target::Joint(joint.0, joint.1);
    let shown = pose::pinned_local(&figure.document, &evaluator, target, secs).unwrap();
    assert_eq!(shown, figure.rig_frame(secs).local[foot]);
    // Its rotation is the pin's: the pin turns.
    let local = Transform { rotation: shown.rotation * from_axis_angle(&Vec3::x(), 0.3), ..shown };
    let typed = |property, local| pose::Typed { property, local, auto_key: AutoKey::On, correction: None };
    let rotated = typed(Property::Rotation, local);
    let edit = pose::typed_edit(&figure.document, &evaluator, joint, secs, &rotated).unwrap();
    figure.apply(edit);
    assert!(turned(&figure.rig_frame(secs).local[foot].rotation, &local.rotation) < 1e-9);
    // The knee: the limb is written as it is shown, and the foot is still held.
    let knee = figure.document.rigs().next().unwrap().2.skeleton.parents()[foot].unwrap();
    let place = figure.world(foot, secs).translation;
    let shown = figure.rig_frame(secs).local[knee];
    let joint = (figure.object, figure.joint(knee));
    let same = pose::typed_edit(&figure.document, &evaluator, joint, secs, &typed(Property::Rotation, shown)).unwrap();
    figure.apply(same);
    assert!(turned(&figure.rig_frame(secs).local[knee].rotation, &shown.rotation) < 1e-9);
    assert!((figure.world(foot, secs).translation - place).norm() < 1e-9);
}

#[test]
fn pins_hold_where_the_figure_lies_along_another_axis() {
    let mut figure = figure();
    figure.two_poses();
    let object = figure.object;
    let mut transform = figure.document.object(object).unwrap().transform;
    transform.rotation = from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2) * transform.rotation;
    transform.translation = Vec3::new(0.3, 0.5, -0.2);
    figure.apply(inbetween::edit::ObjectEdit::SetTransform { object, transform });
    let feet = figure.feet.clone();
    let planted: Vec<Affine> = feet.iter().map(|foot| figure.world(*foot, 0.0)).collect();
    for foot in &feet {
        figure.pin(*foot, 0.0);
    }
    for secs in sub_frames(0.0, 1.0) {
        for (foot, planted) in feet.iter().zip(&planted) {
            let now = figure.world(*foot, secs);
            assert!((now.translation - planted.translation).norm() < 1e-6);
            assert!(turned(&now.rotation(), &planted.rotation()) < 1e-6);
        }
    }
}

#[test]
fn a_split_pin_moves_from_place_to_place_without_a_jump() {
    let mut figure = figure();
    figure.key(0.0, figure.hips, |local| local.translation.y -= 0.2);
    let foot = figure.feet[0];
    figure.pin(foot, 0.0);
    let (clip, pin) = (figure.clip_id(), figure.clip().pins[0].clone());
    figure.apply(PinEdit::SetRange { clip, pin: pin.id, range: (0.0, 1.5) });
    let whole: Vec<_> = [0.2, 0.9, 1.0, 1.4].iter().map(|secs| figure.world(foot, *secs)).collect();
    figure.apply(PinEdit::Split { clip, pin: pin.id, secs: 1.0, gap: 0.2, second: PinId(7) });
    for (secs, before) in [0.2, 0.9, 1.0, 1.4].iter().zip(&whole) {
        assert!((figure.world(foot, *secs).translation - before.translation).norm() < 1e-9, "the split moves nothing");
    }
    let place = pin.place + Vec3::new(0.05, 0.1, 0.1);
    let orientation = inbetween::edit::orientation_numbers(pin.orientation);
    figure.apply(PinEdit::SetPlace { clip, pin: PinId(7), place, orientation });
    assert!((figure.world(foot, 0.8).translation - pin.place).norm() < 1e-9);
    assert!((figure.world(foot, 1.0).translation - place).norm() < 1e-9);
    let track: Vec<Vec3> = sub_frames(0.7, 1.1).map(|secs| figure.world(foot, secs).translation).collect();
    let step = track.windows(2).map(|pair| (pair[1] - pair[0]).norm()).fold(0.0, f64::max);
    assert!(step < 0.01, "a step of {step} m");
}

#[test]
fn pins_are_saved_and_undone() {
    let mut figure = figure();
    figure.two_poses();
    let mut session = Session::new(figure.document.clone());
    let joints: Vec<_> = figure.feet.iter().map(|foot| (figure.object, figure.joint(*foot))).collect();
    let edit = pin_here::pin_here(session.document(), &Evaluator::new(), &joints, 0.0).unwrap();
    session.apply("history.pin_here", &edit).unwrap();
    let clip = figure.clip_id();
    let space = PinSpace::Joint(figure.object, figure.joint(figure.hips));
    let rename = PinEdit::Rename { clip, pin: PinId(0), name: "stand".to_owned() };
    session.apply("history.pin_rename", &rename.into()).unwrap();
    let set =
        PinEdit::SetSpace { clip, pin: PinId(1), space, place: Vec3::zeros(), orientation: Some([0.0, 0.6, 0.0, 0.8]) };
    session.apply("history.pin_space", &set.into()).unwrap();
    let text = ron::save(session.document()).unwrap();
    assert_eq!(&ron::load(&text).unwrap(), &**session.document());
    for bad in [(0.0, f64::NAN), (2.0, 1.0)] {
        assert!(session.apply("x", &PinEdit::SetRange { clip, pin: PinId(0), range: bad }.into()).is_err());
    }
    assert!(session.apply("x", &PinEdit::Mute { clip, pin: PinId(5), muted: true }.into()).is_err());
    while session.undo() {}
    assert_eq!(**session.document(), figure.document);
}

#[test]
fn contacts_of_the_walk_are_pinned_once() {
    let document = samples::start();
    let object = document.rigs().next().unwrap().0;
    let feet: Vec<_> = pin_here::feet(&document, object).into_iter().map(|joint| (object, joint)).collect();
    assert_eq!(feet.len(), 2);
    let edit = pin_here::pin_where_still(&document, &Evaluator::new(), &feet).unwrap();
    let mut pinned = document.clone();
    edit.run_on(&mut pinned);
    assert_eq!(pinned.problems(), []);
    let clip = pinned.clip(pinned.clip_of(object).unwrap()).unwrap();
    assert!(clip.pins.len() >= 2, "a walk stands on both feet: {:?}", clip.pins);
    let again = pin_here::pin_where_still(&pinned, &Evaluator::new(), &feet).unwrap();
    assert!(again.is_none(), "what is pinned is not pinned again");
    for pin in &clip.pins {
        let index = pinned.object(object).unwrap().as_rig().unwrap().skeleton.index_of(pin.joint).unwrap();
        for secs in sub_frames(pin.range.0, pin.range.1) {
            let frame = Evaluator::new().frame(&pinned, secs);
            let report = frame.pins.iter().find(|report| report.pin == pin.id).unwrap();
            let off = (frame.joint_world(object, index).unwrap().translation - pin.place).norm();
            assert!((off - report.gap).abs() < 1e-9 && off < 0.02, "{off}");
        }
    }
}

#[test]
fn weights_are_one_inside_and_smooth_outside() {
    let mut figure = figure();
    figure.pin(figure.feet[0], 0.0);
    let pin = Pin { range: (1.0, 2.0), ease: (0.5, 0.25), ..(*figure.clip().pins[0]).clone() };
    for (secs, weight) in
        [(0.4, 0.0), (0.5, 0.0), (0.75, 0.5), (1.0, 1.0), (1.5, 1.0), (2.0, 1.0), (2.125, 0.5), (2.3, 0.0)]
    {
        assert!((pins::ease_at(&pin, secs) - weight).abs() < 1e-12, "{secs}");
    }
}
