use super::*;
use crate::{
    eval::Evaluator,
    math::{
        EulerOrder, Quat, Transform, Vec3,
        rotation::{from_euler, slerp, to_euler},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, FrameRate, Joint, JointId, Key, KeyedCurve,
        Object, ObjectId, Property, Rig, RotationMode, Samples, ScalarCurve, Skeleton, UnkeyedFrame, Value,
    },
};
use std::sync::Arc;

const OBJECT: ObjectId = ObjectId(1);
const ORDER: EulerOrder = EulerOrder::Xyz;

fn path(joint: u32, component: Component) -> ChannelPath {
    ChannelPath::joint(OBJECT, JointId(joint), Property::Rotation, component)
}

fn rate() -> FrameRate {
    FrameRate::new(30, 1).unwrap()
}

fn sampled(values: impl Iterator<Item = f64>) -> Arc<Curve> {
    let samples = Samples::new(0.0, rate(), values.collect());
    Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples)))
}

/// Two joints with a rest rotation. The first turns on and on about its X, Y and Z as a file would write it (wrapped); of
/// the second only Z has samples.
fn document() -> (Document, ClipId) {
    let rest = from_euler(ORDER, [0.3, -0.2, 0.9]);
    let joint = |id, parent| Joint {
        rotation: RotationMode::Euler(ORDER),
        rest: Transform { rotation: rest, ..Transform::from_translation(Vec3::y()) },
        ..Joint::new(JointId(id), "joint", parent, Vec3::y())
    };
    let skeleton = Arc::new(Skeleton::new(vec![joint(0, None), joint(1, Some(JointId(0)))]).unwrap());
    let mut document = Document::default();
    document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let mut clip = Clip::new("clip", FrameRange::new(0, 199));
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        let angle = move |i: u32| crate::math::rotation::wrap_angle(f64::from(i) * (0.21 - 0.05 * axis as f64));
        clip.channels.insert(path(0, component), sampled((0..200).map(angle)));
    }
    clip.channels.insert(path(1, Component::Z), sampled((0..200).map(|i| f64::from(i) * 0.01)));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (document, clip)
}

fn local(document: &Document, joint: u32, secs: f64) -> Transform {
    joint_local(document, OBJECT, JointId(joint), secs, Stage::Shown).unwrap()
}

fn apart(a: &Quat, b: &Quat) -> f64 {
    (a.coords - b.coords).norm().min((a.coords + b.coords).norm())
}

#[test]
fn captured_angles_are_turned_by_the_short_arc_between_samples_and_exact_on_them() {
    let (document, clip) = document();
    let binding = Evaluator::new().binding(&document, OBJECT).unwrap();
    let track = binding.track(0).unwrap();
    assert!(track.values().windows(2).all(|pair| pair[0].coords.dot(&pair[1].coords) > 0.0));
    let angles = |frame: i64| {
        Component::AXES.map(|component| {
            match channel_value(&document, clip, path(0, component), rate().secs(frame), Stage::Shown) {
                Some(Value::Scalar(angle)) => angle,
                other => panic!("{other:?}"),
            }
        })
    };
    for frame in 0..199 {
        let (a, b) = (from_euler(ORDER, angles(frame)), from_euler(ORDER, angles(frame + 1)));
        assert_eq!(apart(&local(&document, 0, rate().secs(frame)).rotation, &a), 0.0);
        let between = local(&document, 0, rate().secs(frame) + 0.3 / 30.0).rotation;
        assert!(apart(&between, &slerp(&a, &b, 0.3)) < 1e-9);
    }
    // Held outside.
    let (first, last) = (local(&document, 0, 0.0).rotation, local(&document, 0, rate().secs(199)).rotation);
    assert_eq!((local(&document, 0, -3.0).rotation, local(&document, 0, 99.0).rotation), (first, last));
}

#[test]
fn a_channel_without_a_curve_has_its_rest_value() {
    let (document, clip) = document();
    let rest = from_euler(ORDER, [0.3, -0.2, 0.9]);
    let principal = to_euler(ORDER, &rest);
    let wanted = from_euler(ORDER, [principal[0], principal[1], 0.5]);
    assert!(apart(&local(&document, 1, 50.0 / 30.0).rotation, &wanted) < 1e-15);
    let value = |component| channel_value(&document, clip, path(1, component), 0.0, Stage::Shown);
    assert_eq!(value(Component::X), Some(Value::Scalar(principal[0])));
    let scale = ChannelPath::joint(OBJECT, JointId(1), Property::Scale, Component::Y);
    assert_eq!(channel_value(&document, clip, scale, 0.0, Stage::Shown), Some(Value::Scalar(1.0)));
    assert_eq!(
        channel_value(
            &document,
            clip,
            ChannelPath::joint(OBJECT, JointId(7), Property::Scale, Component::Y),
            0.0,
            Stage::Shown
        ),
        None
    );
    // Without a clip the rest pose is shown, to the bit.
    let mut bare = document.clone();
    Arc::make_mut(&mut bare.settings).clip = None;
    assert_eq!(local(&bare, 1, 0.7).rotation.coords, rest.coords);
}

#[test]
fn a_waiting_angle_is_shown_at_its_time_and_nowhere_else() {
    let (mut document, clip) = document();
    let before = document.clone();
    let secs = 1.0;
    let turned = 8.0;
    let frame =
        UnkeyedFrame { time: secs, values: [(path(0, Component::Y), Value::Scalar(turned))].into_iter().collect() };
    document.clip_mut(clip).unwrap().unkeyed.push(frame);
    let value = |stage| channel_value(&document, clip, path(0, Component::Y), secs, stage);
    assert_eq!(value(Stage::Shown), Some(Value::Scalar(turned)));
    assert_ne!(value(Stage::Corrected), value(Stage::Shown));
    let others = [Component::X, Component::Z].map(|component| {
        let Some(Value::Scalar(angle)) = channel_value(&before, clip, path(0, component), secs, Stage::Shown) else {
            panic!()
        };
        angle
    });
    let wanted = from_euler(ORDER, [others[0], turned, others[1]]);
    assert!(apart(&local(&document, 0, secs).rotation, &wanted) < 1e-12);
    for other in [secs - 1e-3, secs + 1e-3] {
        assert_eq!(local(&document, 0, other), local(&before, 0, other));
    }
    let binding = Evaluator::new().binding(&document, OBJECT).unwrap();
    assert_eq!(binding.played_pose(secs)[0], local(&before, 0, secs));
    assert!(apart(&binding.pose(secs)[0].rotation, &wanted) < 1e-12);
}

#[test]
fn frames_are_remembered_and_tracks_outlive_edits_beside_them() {
    let (mut document, clip) = document();
    let evaluator = Evaluator::new();
    let frame = evaluator.frame(&document, 0.5);
    assert!(Arc::ptr_eq(&frame, &evaluator.frame(&document, 0.5)));
    assert!(!Arc::ptr_eq(&frame, &evaluator.frame(&document, 0.6)));
    assert!(Arc::ptr_eq(&frame, &evaluator.frame(&document.clone(), 0.5)));
    let track = evaluator.binding(&document, OBJECT).unwrap().track(0).unwrap().clone();
    let keys = [Key::new(0.0, 1.0), Key::new(1.0, 2.0)].into_iter().collect();
    let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() })));
    let moved = ChannelPath::joint(OBJECT, JointId(1), Property::Translation, Component::X);
    document.clip_mut(clip).unwrap().channels.insert(moved, curve);
    let after = evaluator.frame(&document, 0.5);
    assert_eq!(after.rig(OBJECT).unwrap().local[1].translation.x, 1.5);
    assert_ne!(after.generation, frame.generation);
    assert!(Arc::ptr_eq(&track, evaluator.binding(&document, OBJECT).unwrap().track(0).unwrap()));
}
