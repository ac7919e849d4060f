//! Retimes: the arc is kept, for every kind of curve and for the corrections on top; what is written lands where it is seen.

use inbetween::{
    edit::{AutoKey, CorrectionEdit, Edit, RetimeEdit, Session, pose, retime_apply::apply_retime},
    eval::{Evaluator, sample::rig_pose},
    io::{
        bvh::{ExportOptions, export},
        report::Report,
    },
    math::{Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, ClipId, Component, Correction, CorrectionId, Curve, Document, FrameRate, JointId, KeyedRotation,
        ObjectId, ObjectKind, Phi, Property, Retime, RetimeId, RetimeScope, Rig, RotationCurve, RotationInterpolation,
        RotationKey, RotationMode, Samples, ScalarCurve, Skeleton, Target,
    },
    progress::Progress,
};
use std::{collections::BTreeSet, sync::Arc};

/// How far a point may lie off the old arc, metres.
const ARC: f64 = 1e-9;

/// Which kind of curve moves the joints.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Keyed,
    Quaternion,
    Sampled,
}

/// The sample's walk with its joints moved by one kind of curve, a correction on top.
fn walk(kind: Kind) -> (Document, ObjectId, ClipId) {
    let mut document = inbetween::samples::start();
    let (object, ..) = document.rigs().next().unwrap();
    let clip = document.clip_of(object).unwrap();
    match kind {
        Kind::Keyed => {}
        Kind::Quaternion => as_quaternions(&mut document, object, clip),
        Kind::Sampled => as_samples(&mut document, clip),
    }
    let joint = joint(&document, object, "forearm.l");
    let path = ChannelPath::joint(object, joint, Property::Rotation, Component::Whole);
    let key = |time, turn| RotationKey::new(time, from_axis_angle(&Vec3::x(), turn), RotationInterpolation::Smooth);
    let keys = [key(0.2, 0.0), key(0.6, 0.4), key(0.9, 0.0)].into_iter().collect();
    let delta = Arc::new(Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })));
    let correction = Correction {
        id: CorrectionId(7),
        name: "bent".to_owned(),
        muted: false,
        scale: 1.0,
        range: (0.2, 0.9),
        deltas: [(path, delta)].into(),
        solved: std::collections::BTreeMap::new(),
    };
    Edit::from(CorrectionEdit::Add { clip, correction: Arc::new(correction) }).apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    (document, object, clip)
}

fn joint(document: &Document, object: ObjectId, name: &str) -> JointId {
    let skeleton = &document.objects[&object].as_rig().unwrap().skeleton;
    skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id
}

/// Every joint held as a quaternion, with a key each third frame.
fn as_quaternions(document: &mut Document, object: ObjectId, clip: ClipId) {
    let rate = document.settings.rate;
    let frames: Vec<(f64, Vec<Transform>)> =
        (0..17).map(|i| (rate.secs(3 * i), rig_pose(document, object, rate.secs(3 * i)).unwrap())).collect();
    let mut rig = Rig::clone(document.objects[&object].as_rig().unwrap());
    let joints: Vec<_> = rig.skeleton.joints().to_vec();
    let turned = joints.iter().cloned().map(|mut joint| {
        joint.rotation = RotationMode::Quaternion;
        joint
    });
    rig.skeleton = Arc::new(Skeleton::new(turned.collect()).unwrap());
    document.object_mut(object).unwrap().kind = ObjectKind::Rig(Arc::new(rig));
    let clip = document.clip_mut(clip).unwrap();
    clip.channels.retain(|path, _| path.property != Property::Rotation);
    for (index, joint) in joints.iter().enumerate().filter(|(_, joint)| !joint.is_end()) {
        let key = |(time, pose): &(f64, Vec<Transform>)| {
            RotationKey::new(*time, pose[index].rotation, RotationInterpolation::Slerp)
        };
        let curve = Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: frames.iter().map(key).collect() }));
        let path = ChannelPath::joint(object, joint.id, Property::Rotation, Component::Whole);
        clip.channels.insert(path, Arc::new(curve));
    }
}

/// Every scalar curve as samples at 30 a second.
fn as_samples(document: &mut Document, clip: ClipId) {
    let rate = FrameRate::new(30, 1).unwrap();
    let clip = document.clip_mut(clip).unwrap();
    for curve in clip.channels.values_mut() {
        let Curve::Scalar(scalar) = &**curve else { continue };
        let value = |i| inbetween::eval::sample::scalar_value(scalar, rate.secs(i)).unwrap();
        let values = (0..60).map(value).collect();
        *curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values))));
    }
}

fn phi(range: (f64, f64), middle: f64) -> Phi {
    Phi::new(vec![(range.0, range.0), (0.5 * (range.0 + range.1), middle), (range.1, range.1)]).unwrap()
}

fn retimed(document: &Document, object: ObjectId, clip: ClipId, scope: RetimeScope, phi: Phi) -> Document {
    let mut document = document.clone();
    let id = document.clips[&clip].fresh_retime_id();
    let retime = Retime { id, name: "spacing".to_owned(), muted: false, object, scope, phi };
    Edit::from(RetimeEdit::Add { clip, retime: Arc::new(retime) }).apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    document
}

/// A thousand times over the clip and beyond it.
fn times() -> impl Iterator<Item = f64> {
    (0..1000).map(|i| -0.2 + 2.6 * f64::from(i) / 999.0)
}

#[test]
fn all_of_a_rig_keeps_its_arcs_in_the_world() {
    for kind in [Kind::Keyed, Kind::Quaternion, Kind::Sampled] {
        let (document, object, clip) = walk(kind);
        let first = phi((0.25, 1.25), 0.95);
        let second = phi((0.5, 1.0), 0.65);
        let once = retimed(&document, object, clip, RetimeScope::Whole, first.clone());
        let twice = retimed(&once, object, clip, RetimeScope::Whole, second.clone());
        let [before, after, last] = [(), (), ()].map(|()| Evaluator::new());
        let hand = document.objects[&object].as_rig().unwrap().skeleton.index_of(joint(&document, object, "hand.l"));
        let mut most = 0.0_f64;
        for secs in times() {
            let at = |evaluator: &Evaluator, document: &Document, secs| {
                evaluator.frame(document, secs).joint_world(object, hand.unwrap()).unwrap().translation
            };
            let old = at(&before, &document, first.value(secs));
            most = most.max((at(&after, &once, secs) - old).norm());
            // The one added later is asked first.
            let old = at(&before, &document, first.value(second.value(secs)));
            most = most.max((at(&last, &twice, secs) - old).norm());
        }
        assert!(most <= ARC, "{kind:?}: {most}");
    }
}

#[test]
fn a_limb_keeps_its_arc_in_the_space_it_hangs_in() {
    for kind in [Kind::Keyed, Kind::Quaternion, Kind::Sampled] {
        let (document, object, clip) = walk(kind);
        let skeleton = document.objects[&object].as_rig().unwrap().skeleton.clone();
        let joints = ["upper_arm.l", "forearm.l", "hand.l"].map(|name| joint(&document, object, name));
        let phi = phi((0.25, 1.25), 0.95);
        let scope = RetimeScope::Joints(BTreeSet::from(joints));
        let after = retimed(&document, object, clip, scope, phi.clone());
        let upper = skeleton.index_of(joints[0]).unwrap();
        let (parent, hand) = (skeleton.parents()[upper].unwrap(), skeleton.index_of(joints[2]).unwrap());
        let (old, new) = (Evaluator::new(), Evaluator::new());
        for secs in times() {
            let local = |evaluator: &Evaluator, document: &Document, secs| {
                let frame = evaluator.frame(document, secs);
                let parent = frame.joint_world(object, parent).unwrap().try_inverse().unwrap();
                parent.point(&frame.joint_world(object, hand).unwrap().translation)
            };
            let (a, b) = (local(&old, &document, phi.value(secs)), local(&new, &after, secs));
            assert!((a - b).norm() <= ARC, "{kind:?} at {secs}");
            // The rest of the body goes on as it did.
            let body = |evaluator: &Evaluator, document: &Document| {
                evaluator.frame(document, secs).joint_world(object, parent).unwrap()
            };
            assert_eq!(body(&old, &document), body(&new, &after));
        }
    }
}

#[test]
fn channels_poses_and_frames_agree_and_ends_are_untouched() {
    for kind in [Kind::Keyed, Kind::Quaternion, Kind::Sampled] {
        let (document, object, clip) = walk(kind);
        let after = retimed(&document, object, clip, RetimeScope::Whole, phi((0.25, 1.25), 0.95));
        let evaluator = Evaluator::new();
        for secs in times() {
            let frame = evaluator.frame(&after, secs);
            let one_by_one = rig_pose(&after, object, secs).unwrap();
            for (a, b) in frame.rig(object).unwrap().local.iter().zip(&one_by_one) {
                assert!(a.rotation.angle_to(&b.rotation) < 1e-7 && (a.translation - b.translation).norm() < 1e-12);
            }
            if !(0.25 < secs && secs < 1.25) {
                assert_eq!(one_by_one, rig_pose(&document, object, secs).unwrap());
            }
        }
    }
}

#[test]
fn a_pose_set_on_retimed_motion_is_what_is_seen_there() {
    for kind in [Kind::Keyed, Kind::Quaternion, Kind::Sampled] {
        let (document, object, clip) = walk(kind);
        // The arm runs late in a body that is retimed too: its joints are read at other times.
        let whole = retimed(&document, object, clip, RetimeScope::Whole, phi((0.25, 1.25), 0.95));
        let arm = joint(&document, object, "upper_arm.l");
        let scope = RetimeScope::Joints(BTreeSet::from([arm]));
        let after = retimed(&whole, object, clip, scope, phi((0.5, 1.0), 0.65));
        let secs = after.settings.rate.secs(17);
        let before = rig_pose(&after, object, secs).unwrap();
        let skeleton = &after.objects[&object].as_rig().unwrap().skeleton;
        let turn: Quat = from_axis_angle(&Vec3::z(), 0.3);
        let head = joint(&document, object, "head");
        let changes = [arm, head].map(|joint| {
            let local = before[skeleton.index_of(joint).unwrap()];
            (joint, Transform { rotation: local.rotation * turn, ..local })
        });
        let mut session = Session::new(after.clone());
        let edit = pose::pose_edit(&after, object, secs, &changes, AutoKey::On).unwrap();
        session.apply("history.test", &edit).unwrap();
        assert_eq!(session.document().problems(), []);
        let shown = rig_pose(session.document(), object, secs).unwrap();
        for (joint, wanted) in changes {
            let off = shown[skeleton.index_of(joint).unwrap()].rotation.angle_to(&wanted.rotation);
            assert!(off < 1e-7, "{kind:?}: {off}");
        }
    }
}

#[test]
fn it_is_baked_into_what_is_exported() {
    for kind in [Kind::Keyed, Kind::Sampled] {
        let (document, object, clip) = walk(kind);
        let after = retimed(&document, object, clip, RetimeScope::Whole, phi((0.25, 1.25), 0.95));
        let written = |document: &Document| {
            export(document, object, ExportOptions::default(), &Progress::default(), &mut Report::default()).unwrap()
        };
        let (old, new) = (written(&document), written(&after));
        let columns = old.columns.iter().zip(&new.columns);
        let differ = columns.filter(|(a, b)| a.values != b.values).count();
        assert!(differ > 20, "{kind:?}: {differ}");
        for (a, b) in old.columns.iter().zip(&new.columns) {
            for frame in (0..old.frames).filter(|frame| !(7..=29).contains(frame)) {
                assert_eq!(a.values[frame], b.values[frame], "{kind:?} at frame {frame}");
            }
        }
    }
}

#[test]
fn bad_retimes_are_refused_and_leave_the_document() {
    let (document, object, clip) = walk(Kind::Keyed);
    let after = retimed(&document, object, clip, RetimeScope::Whole, phi((0.25, 1.25), 0.95));
    let retime = after.clips[&clip].retimes[0].clone();
    let mut other = (*retime).clone();
    other.id = RetimeId(9);
    let edits: Vec<Edit> = vec![
        RetimeEdit::Add { clip, retime: retime.clone() }.into(),
        RetimeEdit::Add { clip, retime: Arc::new(Retime { object: ObjectId(99), ..other.clone() }) }.into(),
        RetimeEdit::Add {
            clip,
            retime: Arc::new(Retime { scope: RetimeScope::Joints([JointId(999)].into()), ..other.clone() }),
        }
        .into(),
        RetimeEdit::Delete { clip, retime: RetimeId(5) }.into(),
        RetimeEdit::SetPhi { clip, retime: retime.id, keys: vec![(0.0, 0.0), (1.0, f64::NAN), (2.0, 2.0)] }.into(),
        RetimeEdit::SetPhi { clip, retime: retime.id, keys: vec![(0.0, 0.0), (1.0, -1.0), (2.0, 2.0)] }.into(),
        RetimeEdit::SetPhi { clip, retime: retime.id, keys: vec![(0.0, 0.1), (2.0, 2.0)] }.into(),
    ];
    for edit in edits {
        let mut changed = after.clone();
        assert!(edit.apply(&mut changed).is_err(), "{edit:?}");
        assert_eq!(changed, after);
    }
    // A muted one is as none; deleting gives the motion back.
    let mut muted = after.clone();
    Edit::from(RetimeEdit::Mute { clip, retime: retime.id, muted: true }).apply(&mut muted).unwrap();
    assert_eq!(rig_pose(&muted, object, 0.8), rig_pose(&document, object, 0.8));
    let target = Target::Joint(object, joint(&document, object, "head"));
    assert_eq!(muted.clips[&clip].source_secs(target, 0.8), 0.8);
    let clip_now = &after.clips[&clip];
    let source = clip_now.source_secs(target, 0.8);
    assert!(source != 0.8 && (clip_now.shown_secs(target, source) - 0.8).abs() < 1e-12);
}

/// Applying a retime leaves the motion and takes the retime away, in one step.
#[test]
fn a_retime_is_written_into_curves_that_move_alike() {
    for kind in [Kind::Keyed, Kind::Quaternion, Kind::Sampled] {
        let (mut document, object, clip) = walk(kind);
        let retime = |id, keys: &[(f64, f64)]| {
            let phi = Phi::new(keys.to_vec()).unwrap();
            let (name, scope) = (String::new(), RetimeScope::Whole);
            let retime = Retime { id: RetimeId(id), name, muted: false, object, scope, phi };
            Edit::from(RetimeEdit::Add { clip, retime: Arc::new(retime) })
        };
        retime(0, &[(1.0, 1.0), (1.4, 1.6), (2.5, 2.5)]).apply(&mut document).unwrap();
        retime(1, &[(2.0, 2.0), (2.6, 2.4), (3.0, 3.0)]).apply(&mut document).unwrap();
        let applied = apply_retime(&document, clip, RetimeId(1)).unwrap();
        assert_eq!(applied.retimes, 2);
        let mut session = Session::new(document.clone());
        session.apply("history.retime_apply", &applied.edit).unwrap();
        assert!(session.document().clip(clip).unwrap().retimes.is_empty());
        assert!(session.document().problems().is_empty());
        let (before, after) = (Evaluator::new(), Evaluator::new());
        let off = |secs: f64| {
            let (old, new) = (before.frame(&document, secs), after.frame(session.document(), secs));
            let pairs: Vec<_> = old
                .rig(object)
                .unwrap()
                .local
                .iter()
                .zip(&new.rig(object).unwrap().local)
                .map(|(a, b)| [(a.translation - b.translation).norm(), a.rotation.angle_to(&b.rotation)])
                .collect();
            pairs.into_iter().fold([0.0_f64; 2], |most, off| [most[0].max(off[0]), most[1].max(off[1])])
        };
        // As it says, everywhere; what is keyed within the bound, what is sampled on its samples but for the correction.
        for step in 0..400 {
            let [metres, radians] = off(0.9 + f64::from(step) * 0.0057);
            assert!(metres <= 1.2 * applied.metres + 2e-5 && radians <= 1.2 * applied.radians + 2e-4, "{kind:?}");
        }
        let samples = FrameRate::new(30, 1).unwrap();
        for sample in 30..90 {
            let [metres, radians] = off(samples.secs(sample));
            assert!(metres < 1e-3 && radians < 1e-3, "{kind:?} at {sample}: {metres} {radians}");
        }
        if !matches!(kind, Kind::Sampled) {
            assert!(applied.metres < 1e-3 && applied.radians < 1e-3, "{kind:?} {} {}", applied.metres, applied.radians);
        }
    }
}
