//! A figure that gets another unit or height: whatever is a length of it grows alike, at every time.

use inbetween::{
    edit::{Edit, RigEdit},
    eval::Evaluator,
    math::{Affine, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, Component, Constraint, ConstraintId, ConstraintKind, Curve, Document, Driver, FrameRange,
        HeldBy, IkChain, Joint, JointId, Key, KeyedCurve, LengthUnit, Object, ObjectId, ObjectKind, ParentHold,
        PinSpace, PlaceLimit, PointHold, Pole, Pose, Property, Rig, ScalarCurve, Skeleton, Snapshot, Source, Target,
    },
};
use std::sync::Arc;

const ORIGIN: [f64; 3] = [1.0, 0.5, 2.0];

fn keyed(keys: &[(f64, f64)]) -> Arc<Curve> {
    let keys = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
    Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() })))
}

fn constraint(id: u32, joint: Option<u32>, kind: ConstraintKind) -> Arc<Constraint> {
    let joint = joint.map(JointId);
    Arc::new(Constraint { id: ConstraintId(id), name: String::new(), joint, muted: false, influence: 1.0, kind })
}

/// An arm that reaches for a keyed target, a box that hangs by a constraint on its hand, one that goes with it, one that is
/// kept near it, and one that a driver moves with the arm's root.
fn stage() -> (Document, ObjectId, [ObjectId; 3]) {
    let mut document = Document::default();
    let joint = |id: u32| {
        let parent = id.checked_sub(1).map(JointId);
        Joint::new(JointId(id), &format!("joint {id}"), parent, Vec3::new(0.0, 0.3, 0.05 * f64::from(id % 2)))
    };
    let skeleton = Arc::new(Skeleton::new((0..4).map(joint).collect()).unwrap());
    let mut arm = Object::rig("Arm", Rig { skeleton, ..Rig::default() });
    arm.transform.translation = Vec3::from(ORIGIN);
    let arm = document.add_object(arm);
    let by = |joint| PinSpace::Joint(arm, JointId(joint));
    let mut chain = IkChain::new(JointId(1), Vec3::new(1.3, 0.2, 2.4));
    chain.spaces[0] = by(0);
    chain.target.x = 0.2;
    chain.pole = Some(Pole { place: Vec3::new(0.5, 0.2, 1.0), space: by(0) });
    let mut limit = PlaceLimit { space: PinSpace::World, ranges: [None; 3] };
    limit.ranges[1] = Some((0.7, 0.9));
    let mut keep = PlaceLimit { space: by(3), ranges: [Some((-0.05, 0.05)); 3] };
    keep.ranges[2] = None;
    document.object_mut(arm).unwrap().constraints = vec![
        constraint(0, Some(3), ConstraintKind::Chain(chain)),
        constraint(1, Some(0), ConstraintKind::Limit(limit)),
    ];
    let mut at = |name: &str, constraints: Vec<Arc<Constraint>>| {
        let mut object = Object::new(name, ObjectKind::Empty);
        object.transform = Transform { translation: Vec3::new(1.2, 1.1, 2.1), ..Transform::IDENTITY };
        object.constraints = constraints;
        document.add_object(object)
    };
    let bound = Affine {
        linear: *from_axis_angle(&Vec3::x(), 0.3).to_rotation_matrix().matrix(),
        translation: Vec3::new(1.1, 1.0, 2.2),
    };
    let inverse = bound.try_inverse().unwrap();
    let offset = Transform { translation: inverse.translation, rotation: inverse.rotation(), ..Transform::IDENTITY };
    let held = ParentHold { parents: vec![HeldBy { space: by(3), offset }], source: 0.0 };
    let held = at("Held", vec![constraint(0, None, ConstraintKind::Parent(held))]);
    let sources = vec![Source::new(by(3))];
    let point = PointHold { sources, offset: Vec3::new(0.1, 0.2, -0.1) };
    let point = at("Point", vec![constraint(0, None, ConstraintKind::Point(point))]);
    let kept = at(
        "Kept",
        vec![
            constraint(
                0,
                None,
                ConstraintKind::Point(PointHold { sources: vec![Source::new(by(3))], offset: Vec3::y() }),
            ),
            constraint(1, None, ConstraintKind::Limit(keep)),
        ],
    );
    let mut clip = Clip::new("clip", FrameRange::new(0, 48));
    let of = |target, component| ChannelPath { target, property: Property::Translation, component };
    let (goal, pole) = (Target::Constraint(arm, ConstraintId(0)), Target::Pole(arm, ConstraintId(0)));
    clip.channels.insert(of(goal, Component::X), keyed(&[(0.0, 0.1), (2.0, -0.3)]));
    clip.channels.insert(of(goal, Component::Y), keyed(&[(0.0, 1.1), (1.0, 1.4), (2.0, 0.9)]));
    clip.channels.insert(of(pole, Component::Z), keyed(&[(0.0, 1.0), (2.0, -1.0)]));
    clip.channels.insert(of(Target::Joint(arm, JointId(0)), Component::X), keyed(&[(0.0, 0.0), (2.0, 0.4)]));
    clip.channels.insert(of(Target::Object(held), Component::Z), keyed(&[(0.0, 2.1), (2.0, 2.6)]));
    let curves = clip.channels.clone();
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let mut driver =
        Driver::new(of(Target::Joint(arm, JointId(0)), Component::Z), of(Target::Joint(arm, JointId(0)), Component::X));
    driver.curve = keyed(&[(0.0, 0.0), (0.2, 0.3), (0.4, 0.1)]);
    document.object_mut(arm).unwrap().drivers.push(Arc::new(driver));
    let skeleton = document.object(arm).unwrap().as_rig().unwrap().skeleton.clone();
    let mut locals: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    locals[0].translation.y += 0.2;
    let pose = Pose::taken("up", &skeleton, &locals, [JointId(0), JointId(1)]);
    Arc::make_mut(&mut document.poses).insert(inbetween::model::PoseId(0), Arc::new(pose));
    let snapshot = Snapshot { name: "before".to_owned(), clip, channels: curves };
    Arc::make_mut(&mut document.snapshots).insert(inbetween::model::SnapshotId(0), Arc::new(snapshot));
    assert_eq!(document.problems(), []);
    (document, arm, [held, point, kept])
}

#[test]
fn chains_constraints_drivers_poses_and_snapshots_grow_with_the_figure() {
    let (before, arm, others) = stage();
    let mut after = before.clone();
    let unit = LengthUnit::from_metres(2.5).unwrap();
    Edit::from(RigEdit::SetUnit { object: arm, unit }).apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    let (factor, origin) = (2.5, Vec3::from(ORIGIN));
    let grown = |place: &Vec3| origin + (place - origin) * factor;
    for secs in [0.0, 0.3, 1.0, 1.55, 2.0] {
        let [a, b] = [&before, &after].map(|document| Evaluator::new().frame(&Arc::new(document.clone()), secs));
        for joint in 0..4 {
            let [a, b] = [&a, &b].map(|frame| frame.joint_world(arm, joint).unwrap());
            let off = (grown(&a.translation) - b.translation).norm();
            assert!(off < 1e-6, "joint {joint} is {off} off at {secs}: {} {}", a.translation, b.translation);
            assert!((a.linear - b.linear).norm() < 1e-6, "joint {joint} is turned at {secs}");
        }
        for id in others {
            let [a, b] = [&a, &b].map(|frame| frame.objects[&id].world);
            let off = (grown(&a.translation) - b.translation).norm();
            assert!(off < 1e-6, "{} is {off} off at {secs}", before.object(id).unwrap().name);
        }
        let [a, b] = [&a, &b].map(|frame| frame.objects[&others[0]].world.linear.determinant());
        assert!((a * factor.powi(3) - b).abs() < 1e-9, "what hangs on the hand is larger");
    }
    // The chain reaches: the test is of something.
    let frame = Evaluator::new().frame(&Arc::new(before.clone()), 0.3);
    assert!(frame.chains[0].pole.is_some() && frame.chains[0].gap < 1e-6, "{:?}", frame.chains);
    let place = |document: &Document| document.poses.values().next().unwrap().joints["joint 0"].translation.unwrap();
    assert!((place(&before) * factor - place(&after)).norm() < 1e-12);
    assert_eq!(
        after.snapshots.values().next().unwrap().channels,
        after.clips.values().next().unwrap().channels,
        "what was kept to compare with is still the same"
    );
    // And back.
    let unit = before.object(arm).unwrap().as_rig().unwrap().unit;
    Edit::from(RigEdit::SetUnit { object: arm, unit }).apply(&mut after).unwrap();
    let [a, b] = [&before, &after].map(|document| Evaluator::new().frame(&Arc::new(document.clone()), 0.7));
    for joint in 0..4 {
        let [a, b] = [&a, &b].map(|frame| frame.joint_world(arm, joint).unwrap().translation);
        assert!((a - b).norm() < 1e-6);
    }
}
