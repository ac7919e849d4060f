//! Poses brought onto the sample's rig: whole, in part, on another body, mirrored.

use inbetween::{
    edit::{AutoKey, Edit, Ground, PoseEdit, PoseTarget, RigEdit},
    eval::{Evaluator, mirror::Mirror, sample::rig_pose},
    io::ron::{load, save},
    math::{Transform, Vec3},
    model::{Document, JointId, ObjectId, ObjectKind, Pose, PoseId},
    samples,
};
use std::{collections::BTreeSet, sync::Arc};

fn shown(document: &Document, object: ObjectId, secs: f64) -> Vec<Transform> {
    rig_pose(document, object, secs).unwrap()
}

fn apart(a: &Transform, b: &Transform) -> f64 {
    (a.translation - b.translation).norm() + a.rotation.angle_to(&b.rotation) + (a.scale - b.scale).norm()
}

fn all(document: &Document, object: ObjectId) -> Vec<JointId> {
    document.object(object).unwrap().as_rig().unwrap().skeleton.joints().iter().map(|joint| joint.id).collect()
}

fn taken(document: &Document, object: ObjectId, secs: f64) -> Pose {
    let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    Pose::taken("pose", skeleton, &shown(document, object, secs), all(document, object))
}

/// The sample, its rig, and an edit of its pose at a time.
fn edited(secs: f64, make: impl Fn(&PoseTarget<'_>) -> Edit) -> (Document, Document, ObjectId) {
    let document = samples::start();
    let object = document.rigs().next().unwrap().0;
    let (present, only) = (shown(&document, object, secs), BTreeSet::new());
    let (auto_key, correction, ground) = (AutoKey::On, None, Ground::Taken);
    let target =
        PoseTarget { document: &document, object, secs, present: &present, only: &only, auto_key, correction, ground };
    let mut after = document.clone();
    make(&target).apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    (document, after, object)
}

#[test]
fn a_pose_pasted_at_another_time_is_that_pose() {
    let sample = samples::start();
    let object = sample.rigs().next().unwrap().0;
    let copied = taken(&sample, object, 0.0);
    let (_, after, object) = edited(0.5, |target| target.blend(&copied, 1.0).unwrap());
    let (wanted, got) = (shown(&sample, object, 0.0), shown(&after, object, 0.5));
    assert!(wanted.iter().zip(&got).all(|(a, b)| apart(a, b) < 1e-9));
}

#[test]
fn a_pose_finds_its_joints_on_another_rig_and_keeps_its_proportions() {
    let mut document = samples::start();
    let first = document.rigs().next().unwrap().0;
    let copied = taken(&document, first, 0.25);
    let mut other = (**document.object(first).unwrap()).clone();
    let ObjectKind::Rig(rig) = &mut other.kind else { panic!() };
    let skeleton = rig.skeleton.map_joints(|joint| {
        let mut joint = joint.clone();
        joint.rest.translation *= if joint.parent.is_some() { 1.5 } else { 1.0 };
        joint
    });
    Arc::make_mut(rig).skeleton = Arc::new(skeleton.unwrap());
    let second = document.add_object(other);
    let (present, only) = (shown(&document, second, 0.0), BTreeSet::new());
    let (object, secs, auto_key, correction, ground) = (second, 0.0, AutoKey::On, None, Ground::Taken);
    let target =
        PoseTarget { document: &document, object, secs, present: &present, only: &only, auto_key, correction, ground };
    let mut after = document.clone();
    target.blend(&copied, 1.0).unwrap().apply(&mut after).unwrap();
    let (from, to) = (shown(&document, first, 0.25), shown(&after, second, 0.0));
    for (index, joint) in after.object(second).unwrap().as_rig().unwrap().skeleton.joints().iter().enumerate() {
        assert!(from[index].rotation.angle_to(&to[index].rotation) < 1e-9);
        if joint.parent.is_some() {
            assert!((to[index].translation - joint.rest.translation).norm() < 1e-9);
        }
    }
}

#[test]
fn mirroring_twice_gives_the_pose_back() {
    let (before, once, object) = edited(0.3, |target| target.mirror_in_place().unwrap());
    let (present, only) = (shown(&once, object, 0.3), BTreeSet::new());
    let (document, secs, auto_key, correction, ground) = (&once, 0.3, AutoKey::On, None, Ground::Stays);
    let target = PoseTarget { document, object, secs, present: &present, only: &only, auto_key, correction, ground };
    let mut twice = once.clone();
    target.mirror_in_place().unwrap().apply(&mut twice).unwrap();
    let (first, last) = (shown(&before, object, 0.3), shown(&twice, object, 0.3));
    assert!(first.iter().zip(&last).all(|(a, b)| apart(a, b) < 1e-9));
    assert!(first.iter().zip(&present).any(|(a, b)| apart(a, b) > 0.1));
}

#[test]
fn a_mirrored_paste_is_the_pose_mirrored_in_place() {
    let sample = samples::start();
    let copied = taken(&sample, sample.rigs().next().unwrap().0, 0.3);
    let (_, pasted, object) = edited(0.3, |target| target.mirrored(&copied).unwrap());
    let (_, mirrored, _) = edited(0.3, |target| target.mirror_in_place().unwrap());
    let (a, b) = (shown(&pasted, object, 0.3), shown(&mirrored, object, 0.3));
    assert!(a.iter().zip(&b).all(|(a, b)| apart(a, b) < 1e-9));
}

/// World places of the joints.
fn places(document: &Document, object: ObjectId, secs: f64) -> Vec<Vec3> {
    let frame = Evaluator::new().frame(document, secs);
    (0..frame.rig(object).unwrap().model.len()).map(|j| frame.joint_world(object, j).unwrap().translation).collect()
}

fn tips(document: &Document, object: ObjectId) -> Vec<bool> {
    let joints = document.object(object).unwrap().as_rig().unwrap().skeleton.joints();
    joints.iter().map(inbetween::model::Joint::is_end).collect()
}

/// The hips' place on the ground and the unit direction across the body, level, from right thigh to left.
fn stands(document: &Document, object: ObjectId, secs: f64) -> (Vec3, Vec3) {
    let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    let mirror = Mirror::of_object(document, object).unwrap();
    let standing = mirror.standing(document, object, |_, _| true).unwrap();
    let local = shown(document, object, secs)[standing.carrier()];
    assert_eq!(skeleton.joints()[standing.carrier()].parent, None);
    (standing.place(&local), standing.heading(&local) * mirror.normal())
}

#[test]
fn a_mirrored_figure_is_reflected_in_its_own_plane_wherever_it_has_walked() {
    for secs in [0.0, 0.7, 1.9, 3.1] {
        let (before, after, object) = edited(secs, |target| target.mirror_in_place().unwrap());
        let mirror = Mirror::of_object(&before, object).unwrap();
        let (at, across) = stands(&before, object, secs);
        let (same, faces) = stands(&after, object, secs);
        assert!((at - same).norm() < 1e-9 && (across - faces).norm() < 1e-9, "{secs}");
        let (old, new) = (places(&before, object, secs), places(&after, object, secs));
        // The tips of bones have no side of their own: they go with their joint.
        let tips = tips(&before, object);
        for (joint, new) in new.iter().enumerate().filter(|(joint, _)| !tips[*joint]) {
            let from = old[mirror.partner(joint)] - at;
            let wanted = at + from - across * (2.0 * across.dot(&from));
            assert!((new - wanted).norm() < 1e-9, "{secs} {joint}");
        }
    }
}

#[test]
fn a_pose_of_elsewhere_is_taken_where_the_figure_stands_with_its_height_and_lean() {
    let sample = samples::start();
    let object = sample.rigs().next().unwrap().0;
    let (from, to) = (0.4, 2.3);
    let copied = taken(&sample, object, from);
    let ((old_at, old_across), (at, across)) = (stands(&sample, object, from), stands(&sample, object, to));
    assert!((old_at - at).norm() > 0.5 && old_across.dot(&across) < 0.9);
    for mirrored in [false, true] {
        for ground in [Ground::Stays, Ground::Taken] {
            let (_, after, _) = edited(to, |target| {
                let target = PoseTarget { ground, ..*target };
                if mirrored { target.mirrored(&copied) } else { target.blend(&copied, 1.0) }.unwrap()
            });
            let (stands_at, faces) = stands(&after, object, to);
            let (wanted_at, wanted) = if ground == Ground::Stays { (at, across) } else { (old_at, old_across) };
            assert!((stands_at - wanted_at).norm() < 1e-9 && (faces - wanted).norm() < 1e-9, "{mirrored} {ground:?}");
            // Seen from where it stands it is the same body: heights, and distances from its upright axis.
            let mirror = Mirror::of_object(&sample, object).unwrap();
            let (old, new) = (places(&sample, object, from), places(&after, object, to));
            for joint in (0..new.len()).filter(|joint| !tips(&sample, object)[*joint]) {
                let from = old[if mirrored { mirror.partner(joint) } else { joint }] - old_at;
                let here = new[joint] - stands_at;
                let side = if mirrored { -1.0 } else { 1.0 };
                assert!((from.y - here.y).abs() < 1e-9, "{joint}");
                assert!((side * from.dot(&old_across) - here.dot(&faces)).abs() < 1e-9, "{joint}");
                assert!((from.norm() - here.norm()).abs() < 1e-9, "{joint}");
            }
        }
    }
}

#[test]
fn only_the_joints_that_are_named_take_part() {
    let sample = samples::start();
    let object = sample.rigs().next().unwrap().0;
    let copied = taken(&sample, object, 0.0);
    let joint = all(&sample, object)[4];
    let only = BTreeSet::from([joint]);
    let (before, after, _) = edited(0.5, |target| PoseTarget { only: &only, ..*target }.blend(&copied, 1.0).unwrap());
    let (a, b) = (shown(&before, object, 0.5), shown(&after, object, 0.5));
    for (index, id) in all(&sample, object).into_iter().enumerate() {
        assert!(id == joint || apart(&a[index], &b[index]) < 1e-12);
    }
}

#[test]
fn poses_and_sets_are_saved_and_a_document_without_them_says_nothing_of_them() {
    let mut document = samples::start();
    let plain = save(&document).unwrap();
    assert!(!plain.contains("poses:") && !plain.contains("sets:"));
    let object = document.rigs().next().unwrap().0;
    let pose = Arc::new(taken(&document, object, 0.3));
    let joints = BTreeSet::from_iter(all(&document, object).into_iter().take(2));
    let id = PoseId(document.next_id);
    Edit::from(PoseEdit::Add { id, pose }).apply(&mut document).unwrap();
    Edit::from(RigEdit::SetJoints { object, name: "left \"arm\"".to_owned(), joints }).apply(&mut document).unwrap();
    let text = save(&document).unwrap();
    assert_eq!(load(&text).unwrap(), document);
    assert!(text.contains("poses:") && text.contains("sets:"));
}
