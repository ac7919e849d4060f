use super::*;
use crate::{
    edit::{EditError, Session},
    eval::{Evaluator, sample::rig_pose},
    math::{EulerOrder, Quat, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Component, Curve, FrameRange, FrameRate, Joint, Object, Rig, RotationMode, Samples, ScalarCurve,
        Skeleton,
    },
};

const OBJECT: ObjectId = ObjectId(1);

fn turn(x: f64, y: f64, z: f64, angle: f64) -> Quat {
    from_axis_angle(&Vec3::new(x, y, z), angle)
}

/// Three joints and a tip: Euler, Euler of another order, quaternion.
fn rig() -> Rig {
    let joint = |id, parent: Option<u32>, rotation| Joint {
        rotation,
        ..Joint::new(JointId(id), &format!("j{id}"), parent.map(JointId), Vec3::new(0.1, 0.4, 0.0))
    };
    let mut joints = vec![
        joint(0, None, RotationMode::Euler(EulerOrder::Zxy)),
        joint(1, Some(0), RotationMode::Euler(EulerOrder::Xyz)),
        joint(2, Some(1), RotationMode::Quaternion),
        joint(3, Some(2), RotationMode::default()),
    ];
    joints[3].kind = crate::model::JointKind::End;
    Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() }
}

fn empty() -> Document {
    let mut document = Document::default();
    document.add_object(Object::rig("rig", rig()));
    document
}

/// The first two joints captured at 60 a second for 300 frames, with turns past half a turn.
fn captured() -> Document {
    let mut document = empty();
    let rate = FrameRate::new(60, 1).unwrap();
    Arc::make_mut(&mut document.settings).rate = rate;
    let mut clip = Clip::new("walk", FrameRange::new(0, 299));
    let mut add = |joint, property, component, speed: f64| {
        let values = (0..300).map(|i| (0.02 * speed * f64::from(i)).sin() * speed).collect();
        let curve = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values)));
        clip.channels.insert(ChannelPath::joint(OBJECT, JointId(joint), property, component), Arc::new(curve));
    };
    for (index, component) in Component::AXES.into_iter().enumerate() {
        add(0, Property::Translation, component, 0.3 + index as f64);
        add(0, Property::Rotation, component, 1.0 + 1.5 * index as f64);
        add(1, Property::Rotation, component, 2.0 - 0.7 * index as f64);
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    document
}

fn pose(document: &Document, secs: f64) -> Vec<Transform> {
    rig_pose(document, OBJECT, secs).unwrap()
}

fn apart(a: &Transform, b: &Transform) -> f64 {
    let rotation = (a.rotation.coords - b.rotation.coords).norm().min((a.rotation.coords + b.rotation.coords).norm());
    rotation + (a.translation - b.translation).norm() + (a.scale - b.scale).norm()
}

/// Poses joints and checks that what is shown then is what was asked for, before and after keying.
fn posed(document: &Document, secs: f64, changes: &[(JointId, Transform)], auto_key: AutoKey) -> Document {
    let mut after = document.clone();
    pose_edit(document, OBJECT, secs, changes, auto_key).unwrap().apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    let (before, shown) = (pose(document, secs), pose(&after, secs));
    for (index, local) in shown.iter().enumerate() {
        let wanted = changes.iter().find(|(id, _)| id.0 as usize == index).map_or(before[index], |(_, t)| *t);
        assert!(apart(local, &wanted) < 1e-9, "{index}: {local:?} {wanted:?}");
    }
    let cached = Evaluator::new().frame(&after, secs);
    let cached = &cached.rig(OBJECT).unwrap().local;
    assert!(cached.iter().zip(&shown).all(|(a, b)| apart(a, b) < 1e-14));
    after
}

fn moved(document: &Document, secs: f64) -> Vec<(JointId, Transform)> {
    let now = pose(document, secs);
    let turned = |index: usize, by: Quat| Transform { rotation: now[index].rotation * by, ..now[index] };
    let mut root = turned(0, turn(1.0, 0.2, -0.4, 0.9));
    root.translation += Vec3::new(0.1, -0.2, 0.05);
    vec![
        (JointId(0), root),
        (JointId(1), turned(1, turn(0.3, 1.0, 0.1, -1.3))),
        (JointId(2), turned(2, turn(0.0, 1.0, 1.0, 2.2))),
    ]
}

#[test]
fn the_first_pose_makes_a_clip_and_keys_what_moved() {
    let document = empty();
    let after = posed(&document, 0.5, &moved(&document, 0.5), AutoKey::On);
    let clip = &after.clips[&after.settings.clip.unwrap()];
    // Two Euler joints and the root's translation by three channels each, the quaternion joint by one.
    assert_eq!(clip.channels.len(), 10);
    assert!(clip.channels.values().all(|curve| curve.len() == 1) && clip.corrections.is_empty());
    assert!(after.objects[&OBJECT] == document.objects[&OBJECT]);
}

#[test]
fn captured_motion_takes_a_correction_and_keyed_joints_take_keys() {
    let document = captured();
    let secs = 2.0;
    let after = posed(&document, secs, &moved(&document, secs), AutoKey::On);
    let clip = &after.clips[&after.settings.clip.unwrap()];
    assert_eq!(clip.corrections.len(), 1);
    let correction = &clip.corrections[0];
    let reach = super::correct::reach(document.settings.rate);
    assert!(reach >= 1.0 / 3.0 && (correction.range.0 - (secs - reach)).abs() < 1e-12);
    assert!((correction.range.1 - (secs + reach)).abs() < 1e-12);
    assert_eq!(correction.deltas.len(), 2 + 3);
    assert_eq!(clip.channels.len(), document.clips[&after.settings.clip.unwrap()].channels.len() + 1);
    // Outside the range, ends included, the motion is the same to the bit.
    for frame in 0..300 {
        let t = document.settings.rate.secs(frame);
        if t <= correction.range.0 || t >= correction.range.1 {
            for index in 0..2 {
                let (a, b) = (pose(&document, t)[index], pose(&after, t)[index]);
                assert_eq!((a.translation, a.rotation.coords, a.scale), (b.translation, b.rotation.coords, b.scale));
            }
        }
    }
}

#[test]
fn slow_rates_reach_just_far_enough_for_velocities_not_to_jump() {
    let frames = [(24, 13), (30, 14), (60, 20), (120, 40)];
    for (fps, frames) in frames {
        let rate = crate::model::FrameRate::new(fps, 1).unwrap();
        let reach = super::correct::reach(rate);
        assert!((rate.frame_f64(reach) - f64::from(frames)).abs() < 1e-9, "{fps}");
        let jerk = 10.0 / 3.0_f64.sqrt() * 0.1 / (reach * reach) / rate.fps();
        assert!(jerk <= 0.1, "{fps}: {jerk}");
    }
}

#[test]
fn a_correction_is_neutral_at_both_ends_in_value_slope_and_curvature() {
    let document = captured();
    let after = posed(&document, 2.0, &moved(&document, 2.0), AutoKey::On);
    let (start, end) = after.clips[&after.settings.clip.unwrap()].corrections[0].range;
    for (edge, sign) in [(start, 1.0), (end, -1.0)] {
        for h in [1e-2, 5e-3, 2.5e-3] {
            let t = edge + sign * h;
            for index in 0..2 {
                // Third order: an eighth for half the distance.
                let change = apart(&pose(&document, t)[index], &pose(&after, t)[index]);
                assert!(change < 400.0 * h * h * h * 3.0 && change > 0.0, "{index} {h}: {change}");
            }
        }
    }
}

#[test]
fn poses_near_each_other_share_a_correction_and_stay_as_set() {
    let mut document = captured();
    for secs in [2.0, 2.1, 2.0, 1.95] {
        document = posed(&document, secs, &moved(&document, secs), AutoKey::On);
    }
    let corrections = |document: &Document| document.clips[&document.settings.clip.unwrap()].corrections.len();
    assert_eq!(corrections(&document), 1);
    let set = pose(&document, 2.0);
    document = posed(&document, 3.5, &moved(&document, 3.5), AutoKey::On);
    assert_eq!(corrections(&document), 2);
    assert_eq!(set, pose(&document, 2.0));
}

#[test]
fn overlapping_corrections_at_any_scale_still_give_the_pose() {
    let mut document = captured();
    let clip = document.settings.clip.unwrap();
    document = posed(&document, 2.0, &moved(&document, 2.0), AutoKey::On);
    document = posed(&document, 2.25, &moved(&document, 2.25), AutoKey::On);
    document = posed(&document, 1.8, &moved(&document, 1.8), AutoKey::On);
    assert_eq!(document.clips[&clip].corrections.len(), 3);
    for (correction, scale) in [(0, 0.7), (1, 1.6)] {
        let correction = document.clips[&clip].corrections[correction].id;
        let edit = crate::edit::CorrectionEdit::SetScale { clip, correction, scale };
        Edit::from(edit).apply(&mut document).unwrap();
    }
    for selected in document.clips[&clip].corrections.clone() {
        let small: Vec<_> = pose(&document, 2.05)
            .iter()
            .enumerate()
            .take(2)
            .map(|(i, t)| (JointId(i as u32), Transform { rotation: t.rotation * turn(1.0, 1.0, 0.0, 0.3), ..*t }))
            .collect();
        let mut after = document.clone();
        let edit = pose_edit_into(&document, OBJECT, 2.05, &small, AutoKey::On, Some(selected.id)).unwrap();
        edit.apply(&mut after).unwrap();
        assert_eq!(after.clips[&clip].corrections.len(), 3);
        for (joint, wanted) in &small {
            assert!(apart(&pose(&after, 2.05)[joint.0 as usize], wanted) < 1e-9);
        }
    }
}

#[test]
fn a_pose_at_the_ends_of_a_clip_is_reached_too() {
    let document = captured();
    for frame in [0, 1, 299] {
        let secs = document.settings.rate.secs(frame);
        posed(&document, secs, &moved(&document, secs), AutoKey::On);
    }
}

#[test]
fn with_auto_key_off_a_pose_waits_and_is_then_keyed_without_change() {
    for document in [empty(), captured()] {
        let secs = 1.0;
        let waiting = posed(&document, secs, &moved(&document, secs), AutoKey::Off);
        let clip = waiting.settings.clip.unwrap();
        assert_eq!(waiting.clips[&clip].unkeyed.len(), 1);
        // It is shown at its time only, and nothing else has changed.
        assert_eq!(pose(&waiting, secs + 1e-4), pose(&document, secs + 1e-4));
        let again = posed(&waiting, secs, &moved(&waiting, secs), AutoKey::Off);
        let mut keyed = again.clone();
        crate::edit::set_key::key_waiting(&again, clip, secs, None).unwrap().apply(&mut keyed).unwrap();
        assert_eq!(keyed.problems(), []);
        assert!(keyed.clips[&clip].unkeyed.is_empty());
        assert!(pose(&keyed, secs).iter().zip(&pose(&again, secs)).all(|(a, b)| apart(a, b) < 1e-9));
    }
}

#[test]
fn a_whole_pose_keys_every_joint_but_changes_only_what_moved() {
    let document = empty();
    let change = &moved(&document, 0.0)[..1];
    let after = posed(&document, 0.0, change, AutoKey::WholePose);
    assert_eq!(after.clips[&after.settings.clip.unwrap()].channels.len(), 3 + 3 + 3 + 1);
}

#[test]
fn euler_keys_stay_near_the_present_turns() {
    let mut document = empty();
    let path = ChannelPath::joint(OBJECT, JointId(1), Property::Rotation, Component::Y);
    for step in 0..200 {
        let secs = f64::from(step) * 0.1;
        let now = pose(&document, secs);
        let local = Transform { rotation: now[1].rotation * turn(0.0, 1.0, 0.0, 0.1), ..now[1] };
        document = posed(&document, secs, &[(JointId(1), local)], AutoKey::On);
    }
    let curve = &document.clips[&document.settings.clip.unwrap()].channels[&path];
    let last = curve.scalar_keys().unwrap().keys.last().unwrap().value;
    assert!((last - 20.0).abs() < 1e-9, "{last}");
}

#[test]
fn what_cannot_be_posed_is_refused_and_what_does_not_move_is_nothing() {
    let document = empty();
    let edit = |joint, t| pose_edit(&document, OBJECT, 0.0, &[(JointId(joint), t)], AutoKey::On);
    assert_eq!(edit(3, Transform::IDENTITY), Err(EditError::BoneTip(OBJECT, JointId(3))));
    assert_eq!(edit(9, Transform::IDENTITY), Err(EditError::NoJoint(OBJECT, JointId(9))));
    let bad = Transform { translation: Vec3::new(f64::NAN, 0.0, 0.0), ..pose(&document, 0.0)[1] };
    assert!(matches!(edit(1, bad), Err(EditError::BadNumber { .. })));
    assert!(edit(1, pose(&document, 0.0)[1]).unwrap().is_none());
}

#[test]
fn an_object_without_curves_changes_where_it_stands() {
    let document = captured();
    let wanted = Transform { rotation: turn(0.0, 1.0, 0.0, 0.5), translation: Vec3::x(), scale: Vec3::repeat(2.0) };
    let mut still = document.clone();
    transform_edit(&document, OBJECT, 1.0, &wanted, AutoKey::On).unwrap().apply(&mut still).unwrap();
    assert_eq!(still.objects[&OBJECT].transform, wanted);
    assert!(Arc::ptr_eq(&still.clips, &document.clips));
    let mut keyed = document.clone();
    transform_edit(&document, OBJECT, 1.0, &wanted, AutoKey::WholePose).unwrap().apply(&mut keyed).unwrap();
    assert_eq!(keyed.objects[&OBJECT].transform, Transform::IDENTITY);
    let shown = crate::eval::sample::object_local(&keyed, OBJECT, 1.0, crate::eval::sample::Stage::Shown).unwrap();
    assert!(apart(&shown, &wanted) < 1e-12);
}

#[test]
fn clearing_gives_the_rest_pose_back() {
    let document = captured();
    let joints = [JointId(0), JointId(1), JointId(3)];
    let edit = clear_to_rest(&document, OBJECT, &joints, &[Property::Rotation], 1.0, AutoKey::On).unwrap();
    let mut session = Session::new(document.clone());
    session.apply("history.clear", &edit).unwrap();
    let (before, after) = (pose(&document, 1.0), pose(session.document(), 1.0));
    for index in 0..2 {
        assert!(after[index].rotation.angle() < 1e-9);
        assert!((after[index].translation - before[index].translation).norm() < 1e-12);
    }
}
