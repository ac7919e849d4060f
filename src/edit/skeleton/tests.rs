use super::*;
use crate::{
    eval::Evaluator,
    math::{Affine, Quat, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, Component, Curve, FrameRange, Geometry, Joint, JointKind, Mesh, MeshPart, Object,
        ObjectKind, Parent, Property, Rig, RotationMode, Samples, ScalarCurve, Skeleton, Skin, SkinJoint, Target,
    },
};
use std::sync::Arc;

const RIG: ObjectId = ObjectId(1);

/// Hips, a left thigh and shin with a tip, all turned at rest; shin and thigh move.
fn document() -> Document {
    let turned = |mut joint: Joint, angle: f64| {
        joint.rest.rotation = from_axis_angle(&Vec3::new(0.3, 1.0, -0.2).normalize(), angle);
        joint
    };
    let tip =
        Joint { kind: JointKind::End, ..Joint::new(JointId(3), "", Some(JointId(2)), Vec3::new(0.0, -0.4, 0.02)) };
    let joints = vec![
        Joint::new(JointId(0), "hips", None, Vec3::new(0.0, 1.0, 0.0)),
        turned(Joint::new(JointId(1), "thigh.l", Some(JointId(0)), Vec3::new(0.1, -0.05, 0.0)), 0.4),
        turned(Joint::new(JointId(2), "shin.l", Some(JointId(1)), Vec3::new(0.02, -0.4, 0.01)), -0.7),
        tip,
    ];
    let mut document = Document::default();
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    document.add_object(Object::rig("rig", rig));
    let mut clip = Clip::new("clip", FrameRange::new(0, 24));
    for (joint, property) in
        [(0, Property::Translation), (1, Property::Rotation), (2, Property::Rotation), (2, Property::Translation)]
    {
        for (axis, phase) in Component::AXES.into_iter().zip([0.1, 0.9, 1.7]) {
            let values = (0..25).map(|i| 0.3 * (f64::from(i) * 0.2 + phase).sin()).collect();
            let samples = Samples::new(0.0, document.settings.rate, values);
            let path = ChannelPath::joint(RIG, JointId(joint), property, axis);
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        }
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    document
}

fn apply(document: &mut Document, edit: SkeletonEdit) {
    Edit::from(edit).apply(document).unwrap();
    assert_eq!(document.problems(), []);
}

fn places(document: &Document, secs: f64) -> Vec<(JointId, Affine)> {
    let skeleton = tree::skeleton_of(document, RIG).unwrap();
    let frame = Evaluator::new().frame(&Arc::new(document.clone()), secs);
    skeleton.joints().iter().map(|joint| joint.id).zip(frame.rig(RIG).unwrap().model.clone()).collect()
}

fn rests(document: &Document) -> Vec<(JointId, Affine)> {
    tree::rest_model(&tree::skeleton_of(document, RIG).unwrap()).into_iter().collect()
}

fn same(before: &[(JointId, Affine)], after: &[(JointId, Affine)], tolerance: f64) {
    for (joint, at) in before {
        let (_, now) = after.iter().find(|(other, _)| other == joint).unwrap();
        let apart = (at.translation - now.translation).norm() + (at.linear - now.linear).norm();
        assert!(apart < tolerance, "joint {joint}: {apart}");
    }
}

#[test]
fn a_split_moves_nothing_at_rest_or_in_the_clip() {
    let before = document();
    let mut after = before.clone();
    apply(&mut after, SkeletonEdit::Split { object: RIG, joint: JointId(2), at: 0.3, name: "knee".into() });
    same(&rests(&before), &rests(&after), 1e-12);
    for secs in [0.0, 0.31, 0.9] {
        same(&places(&before, secs), &places(&after, secs), 1e-12);
    }
    let none = SkeletonEdit::Split { object: RIG, joint: JointId(0), at: 0.5, name: "x".into() };
    assert_eq!(Edit::from(none).apply(&mut after), Err(EditError::NoBone(RIG, JointId(0))));
}

#[test]
fn hung_elsewhere_the_rest_pose_stands_and_curves_keep_their_offset_from_it() {
    let mut before = document();
    apply(&mut before, SkeletonEdit::AddRoot { object: RIG, name: "prop".into(), place: Vec3::new(0.3, 0.2, 0.1) });
    for parent in [None, Some(JointId(0)), Some(JointId(4))] {
        let mut after = before.clone();
        let joints = BTreeSet::from([JointId(2)]);
        apply(&mut after, SkeletonEdit::Reparent { object: RIG, joints, parent, animation: Animation::Follows });
        same(&rests(&before), &rests(&after), 1e-12);
        let offset = |document: &Document, secs: f64| {
            let frame = Evaluator::new().frame(&Arc::new(document.clone()), secs);
            let skeleton = tree::skeleton_of(document, RIG).unwrap();
            let index = skeleton.index_of(JointId(2)).unwrap();
            let (rest, local) = (skeleton.joints()[index].rest, frame.rig(RIG).unwrap().local[index]);
            (rest.rotation.inverse() * local.rotation, local.translation - rest.translation)
        };
        for secs in [0.0, 0.5, 1.0] {
            let (a, b) = (offset(&before, secs), offset(&after, secs));
            assert!(a.0.angle_to(&b.0) < 1e-7 && (a.1 - b.1).norm() < 1e-12);
        }
    }
}

#[test]
fn a_joint_cannot_hang_on_its_own_child() {
    let mut document = document();
    for parent in [JointId(1), JointId(2), JointId(3)] {
        let joints = BTreeSet::from([JointId(1)]);
        let edit = SkeletonEdit::Reparent { object: RIG, joints, parent: Some(parent), animation: Animation::Stays };
        let refused = Edit::from(edit).apply(&mut document);
        assert_eq!(refused, Err(EditError::OwnChild(RIG, JointId(1), parent)));
    }
}

#[test]
fn mirrored_twice_the_rest_pose_is_what_it_was() {
    let mut document = document();
    let side = |ids: [u32; 3]| SkeletonEdit::Mirror {
        object: RIG,
        joints: ids.map(JointId).into(),
        make: true,
        by: Counterparts::Found,
        animation: Animation::Follows,
    };
    apply(&mut document, side([1, 2, 3]));
    let skeleton = tree::skeleton_of(&document, RIG).unwrap();
    let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["hips", "thigh.l", "shin.l", "", "thigh.r", "shin.r", ""]);
    let made = rests(&document);
    for (left, right) in [(1, 4), (2, 5), (3, 6)] {
        let [left, right] = [left, right].map(|id: usize| made[id].1);
        assert!((left.translation.x + right.translation.x).abs() < 1e-12);
        assert!((left.translation.yz() - right.translation.yz()).norm() < 1e-12);
    }
    apply(&mut document, side([4, 5, 6]));
    assert_eq!(tree::skeleton_of(&document, RIG).unwrap().len(), 7);
    same(&made, &rests(&document), 1e-12);
}

#[test]
fn what_a_mirror_makes_gets_limits_locks_and_drivers_of_the_other_side() {
    use crate::{
        eval::ik::JointLimit,
        model::{Driver, Key, KeyedCurve, Limit, LimitSetting, Locks},
    };
    let mut document = document();
    let (shin, made) = (JointId(2), JointId(5));
    let centre = from_axis_angle(&Vec3::new(0.4, 0.2, -0.7).normalize(), 0.3);
    let axes = from_axis_angle(&Vec3::new(-0.1, 0.5, 0.3).normalize(), 1.1);
    let free = Limit::free();
    let limit = Limit { centre, axes, x: (-0.3, 0.9), twist: (-0.1, 0.4), z: (-0.6, 0.2), softness: 0.0, ..free };
    if let Some(ObjectKind::Rig(rig)) = document.object_mut(RIG).map(|object| &mut object.kind) {
        let rig = Arc::make_mut(rig);
        rig.limits.insert(shin, LimitSetting::Own(limit));
        rig.locks.insert(shin, Locks { rotation: [false, true, false], ..Locks::default() });
    }
    let path = |joint: u32, component| ChannelPath::joint(RIG, JointId(joint), Property::Rotation, component);
    for (driven, source) in [((2, Component::Y), (1, Component::Z)), ((2, Component::X), (0, Component::X))] {
        let mut driver = Driver::new(path(driven.0, driven.1), path(source.0, source.1));
        let keys = [(-0.4, 0.1), (0.2, 0.5), (1.0, -0.3)].map(|(time, value)| Key::new(time, value));
        let keyed = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
        driver.curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed)));
        document.object_mut(RIG).unwrap().drivers.push(Arc::new(driver));
    }
    let joints = [1, 2, 3].map(JointId).into();
    let (by, animation) = (Counterparts::Found, Animation::Follows);
    apply(&mut document, SkeletonEdit::Mirror { object: RIG, joints, make: true, by, animation });
    let rig = document.object(RIG).unwrap().as_rig().unwrap();
    assert_eq!(rig.locks.get(&made), rig.locks.get(&shin));
    let Some(LimitSetting::Own(other)) = rig.limits.get(&made) else { panic!("no limits") };
    // A turn kept or cut by the one is kept or cut as its mirror image by the other.
    let reflected = |rotation: &Quat| crate::eval::mirror::reflected(&Vec3::x(), rotation);
    for i in 0..40 {
        let at = f64::from(i);
        let axis = Vec3::new((at * 1.3).sin(), (at * 0.7).cos(), (at * 2.1).sin()).normalize();
        let turn = from_axis_angle(&axis, 0.08 * at);
        let none = Quat::identity();
        let cut = |limit: &Limit, turn: &Quat| JointLimit::of(limit, &none).clamp(turn);
        let (here, there) = (cut(&limit, &turn), cut(other, &reflected(&turn)));
        assert!(reflected(&here).angle_to(&there) < 1e-9);
    }
    let value = |joint, axis, at: f64| {
        let driver = document.driver_of(path(joint, axis)).unwrap();
        crate::eval::curve::value(driver.keys().unwrap(), at).unwrap()
    };
    assert_eq!(document.driver_of(path(5, Component::Y)).unwrap().source, path(4, Component::Z));
    assert_eq!(document.driver_of(path(5, Component::X)).unwrap().source, path(0, Component::X));
    for at in [-0.7, -0.4, 0.0, 0.13, 0.6, 1.2] {
        assert!((value(2, Component::Y, at) + value(5, Component::Y, -at)).abs() < 1e-9);
        assert_eq!(value(2, Component::X, at), value(5, Component::X, at));
    }
}

#[test]
fn names_of_the_other_side() {
    use crate::eval::mirror::mirrored_name;
    let pairs =
        [("leg.l", "leg.r"), ("LeftLeg", "RightLeg"), ("lThigh", "rThigh"), ("hand_R", "hand_L"), ("左手", "右手")];
    for (name, other) in pairs {
        assert_eq!((mirrored_name(name), mirrored_name(other)), (other.to_owned(), name.to_owned()));
    }
    assert_eq!(mirrored_name("tail"), "tail mirrored");
}

#[test]
fn what_is_deleted_takes_along_what_names_it_and_its_children_stay_in_place() {
    let before = document();
    let mut after = before.clone();
    let joints = BTreeSet::from([JointId(1)]);
    apply(&mut after, SkeletonEdit::Delete { object: RIG, joints: joints.clone(), children: Children::Kept });
    let kept: Vec<_> = rests(&before).into_iter().filter(|(joint, _)| *joint != JointId(1)).collect();
    same(&kept, &rests(&after), 1e-12);
    assert!(after.clips.values().all(|clip| clip.channels.keys().all(|path| path.target.joint() != Some(JointId(1)))));
    let counted = lost(&before, RIG, &joints, Children::Kept);
    assert_eq!((counted.joints, counted.curves), (1, 3));
    // The root with everything, and the root alone: what hung on it are roots then.
    let root = BTreeSet::from([JointId(0)]);
    let mut all = before.clone();
    apply(&mut all, SkeletonEdit::Delete { object: RIG, joints: root.clone(), children: Children::Deleted });
    assert!(tree::skeleton_of(&all, RIG).unwrap().is_empty() && places(&all, 0.3).is_empty());
    let mut rootless = before.clone();
    apply(&mut rootless, SkeletonEdit::Delete { object: RIG, joints: root, children: Children::Kept });
    assert_eq!(tree::skeleton_of(&rootless, RIG).unwrap().joints()[0].parent, None);
}

#[test]
fn constraints_go_with_the_joints_they_name_and_hanging_on_oneself_is_refused() {
    use crate::{
        edit::{ConstraintEdit, EditError},
        model::{Aim, Constraint, ConstraintId, ConstraintKind, PinSpace},
    };
    let mut before = document();
    apply(&mut before, SkeletonEdit::AddRoot { object: RIG, name: "post".to_owned(), place: Vec3::x() });
    for name in ["first", "second"] {
        let offset = Vec3::new(0.0, 0.5, 0.1);
        apply(&mut before, SkeletonEdit::Extrude { object: RIG, parent: JointId(4), name: name.to_owned(), offset });
    }
    let mut aim = |id: u32, joint: u32, at: u32| {
        let kind = ConstraintKind::Aim(Aim { target: PinSpace::Joint(RIG, JointId(at)), up: Vec3::y() });
        let (id, joint) = (ConstraintId(id), Some(JointId(joint)));
        let constraint = Constraint { id, name: String::new(), joint, muted: false, influence: 1.0, kind };
        Edit::from(ConstraintEdit::Add { object: RIG, constraint: Arc::new(constraint) }).apply(&mut before).unwrap();
    };
    aim(0, 1, 4);
    aim(1, 2, 5);
    aim(2, 6, 4);
    let mut after = before.clone();
    let joints = BTreeSet::from([JointId(4)]);
    assert_eq!(lost(&before, RIG, &joints, Children::Kept).constraints, 2);
    apply(&mut after, SkeletonEdit::Delete { object: RIG, joints, children: Children::Kept });
    let left: Vec<u32> = after.objects[&RIG].constraints.iter().map(|constraint| constraint.id.0).collect();
    assert_eq!(left, [1]);
    // Joint 2 looks at joint 5, which would hang on it.
    let (joints, parent) = (BTreeSet::from([JointId(5)]), Some(JointId(2)));
    let edit = SkeletonEdit::Reparent { object: RIG, joints, parent, animation: Animation::Follows };
    let refused = Edit::from(edit).apply(&mut before).unwrap_err();
    assert!(matches!(&refused, EditError::FollowCycle(names) if names.contains("look at")), "{refused}");
}

#[test]
fn a_skin_stays_as_it_is_at_rest() {
    let mut before = document();
    let bound = |joint: u32| SkinJoint {
        joint: Parent::Joint(RIG, JointId(joint)),
        joint_from_mesh: SkinJoint::rows(&rests(&before)[joint as usize].1.try_inverse().unwrap()),
    };
    let skin = Skin {
        joints: vec![bound(1), bound(2)],
        per_vertex: 1,
        influences: Arc::from([0, 1, 1]),
        weights: Arc::from([1.0; 3]),
        ..Skin::default()
    };
    let geometry = Geometry {
        positions: Arc::from([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        indices: Arc::from([0, 1, 2]),
        ..Geometry::default()
    };
    let parts = vec![MeshPart { vertices: 3, indices: 3, material: None }];
    let mesh = Mesh { geometry: Arc::new(geometry), parts, skin: Some(Arc::new(skin)), ..Mesh::default() };
    let mesh = before.add_object(Object::new("skin", ObjectKind::Mesh(Arc::new(mesh))));
    let on_mesh = |document: &Document| {
        let (model, skin) = (rests(document), document.objects[&mesh].as_mesh().unwrap().skin.clone().unwrap());
        let places = skin.joints.iter().map(|joint| {
            let at = match joint.joint {
                Parent::Joint(_, id) => model.iter().find(|(other, _)| *other == id).unwrap().1,
                Parent::Object(_) => Affine::IDENTITY,
            };
            at * joint.inverse_bind()
        });
        places.collect::<Vec<_>>()
    };
    let rest = Transform { translation: Vec3::new(0.3, 0.1, 0.2), ..Transform::from_rotation(Quat::identity()) };
    let rests = vec![JointRest { joint: JointId(1), rest }];
    let (children, animation) = (Carry::Along, Animation::Follows);
    let set = SkeletonEdit::SetRest { object: RIG, rests, children, animation };
    let delete =
        |joint| SkeletonEdit::Delete { object: RIG, joints: [JointId(joint)].into(), children: Children::Deleted };
    let mut after = before.clone();
    for edit in [set, delete(2), delete(1), delete(0)] {
        apply(&mut after, edit);
        for at in on_mesh(&after) {
            assert!((at.linear - crate::math::Mat3::identity()).norm() + at.translation.norm() < 1e-12);
        }
    }
}

#[test]
fn roll_and_length() {
    let before = document();
    let mut after = before.clone();
    apply(&mut after, rolled(&before, RIG, JointId(1), 0.6, Animation::Follows).unwrap());
    let (was, is) = (rests(&before), rests(&after));
    same(&was[2..], &is[2..], 1e-12);
    assert!((was[1].1.translation - is[1].1.translation).norm() < 1e-12);
    let turned = (was[1].1.rotation().inverse() * is[1].1.rotation()).angle();
    assert!((turned - 0.6).abs() < 1e-9);
    // The motion looks as before: the bone goes where it went, and what hangs on it is turned as it was.
    let bone = Vec3::new(0.02, -0.4, 0.01);
    for frame in [0, 6, 13, 24] {
        let secs = before.settings.rate.secs(frame);
        let (was, is) = (places(&before, secs), places(&after, secs));
        assert!((was[1].1.vector(&bone) - is[1].1.vector(&bone)).norm() < 1e-9, "{frame}");
        assert!((was[2].1.linear - is[2].1.linear).norm() < 1e-9, "{frame}");
        assert!((was[1].1.linear - is[1].1.linear).norm() > 0.1, "its axes roll");
    }
    let longer = lengthened(&after, RIG, JointId(2), 0.8, Animation::Stays).unwrap();
    apply(&mut after, longer);
    let skeleton = tree::skeleton_of(&after, RIG).unwrap();
    assert!((skeleton.joint(JointId(2)).unwrap().rest.translation.norm() - 0.8).abs() < 1e-12);
    assert_eq!(lengthened(&after, RIG, JointId(0), 1.0, Animation::Stays), None);
}

#[test]
fn what_is_senseless_is_refused_or_finite() {
    let mut document = document();
    // Joints on one place, a bone without length, a thousand children.
    for index in 0..1000 {
        let (name, offset) = (format!("{index}"), Vec3::zeros());
        apply_unchecked(&mut document, SkeletonEdit::Extrude { object: RIG, parent: JointId(3), name, offset });
    }
    assert_eq!(document.problems(), []);
    let tip = tree::skeleton_of(&document, RIG).unwrap().joint(JointId(3)).cloned().unwrap();
    assert_eq!((tip.kind, tip.name.as_str()), (JointKind::Joint, "shin.l tip"));
    assert_eq!(rolled(&document, RIG, JointId(3), 1.0, Animation::Follows), None);
    apply(&mut document, SkeletonEdit::Split { object: RIG, joint: JointId(4), at: 0.5, name: "on".into() });
    let flat = Transform { scale: Vec3::zeros(), ..Transform::IDENTITY };
    let rests = vec![JointRest { joint: JointId(1), rest: flat }];
    let (children, animation) = (Carry::Behind, Animation::Follows);
    let edit = SkeletonEdit::SetRest { object: RIG, rests, children, animation };
    assert_eq!(Edit::from(edit).apply(&mut document), Err(EditError::NoRestSpace(RIG, JointId(2))));
    let bad = SkeletonEdit::AddRoot { object: RIG, name: "x".into(), place: Vec3::new(f64::NAN, 0.0, 0.0) };
    assert!(matches!(Edit::from(bad).apply(&mut document), Err(EditError::BadNumber { .. })));
    let unnamed = SkeletonEdit::Rename { object: RIG, joint: JointId(1), name: "  ".into() };
    assert!(matches!(Edit::from(unnamed).apply(&mut document), Err(EditError::BadName(_))));
    let joints = BTreeSet::from([JointId(3)]);
    apply(&mut document, SkeletonEdit::Delete { object: RIG, joints, children: Children::Kept });
    assert!(places(&document, 0.4).iter().all(|(_, at)| at.translation.iter().all(|number| number.is_finite())));
}

fn apply_unchecked(document: &mut Document, edit: SkeletonEdit) {
    Edit::from(edit).apply(document).unwrap();
}

#[test]
fn animation_that_stays_keeps_its_values_and_that_follows_its_offset() {
    let before = document();
    let skeleton = tree::skeleton_of(&before, RIG).unwrap();
    let rest = skeleton.joint(JointId(2)).unwrap().rest;
    let turn = from_axis_angle(&Vec3::x(), 0.5);
    let new = Transform { translation: rest.translation * 1.5, rotation: turn * rest.rotation, ..rest };
    for animation in [Animation::Stays, Animation::Follows] {
        let mut after = before.clone();
        let rests = vec![JointRest { joint: JointId(2), rest: new }];
        apply(&mut after, SkeletonEdit::SetRest { object: RIG, rests, children: Carry::Along, animation });
        assert_eq!(
            tree::skeleton_of(&after, RIG).unwrap().joint(JointId(2)).unwrap().rotation,
            RotationMode::default()
        );
        for secs in [0.0, 0.25, 1.0] {
            let [a, b] = [&before, &after].map(|document| {
                let clip = document.clips.values().next().unwrap();
                let target = Target::Joint(RIG, JointId(2));
                crate::eval::sample::clip_local(document, Some(clip), target, secs, crate::eval::sample::Stage::Shown)
                    .unwrap()
            });
            let (shift, turn) = match animation {
                Animation::Stays => (Vec3::zeros(), Quat::identity()),
                Animation::Follows => (rest.translation * 0.5, turn),
            };
            assert!((b.translation - a.translation - shift).norm() < 1e-12);
            assert!((turn * a.rotation).angle_to(&b.rotation) < 1e-7);
        }
    }
}
