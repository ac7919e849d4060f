//! Locks of joints, colours of groups, reasons why a number cannot be changed by hand.

use inbetween::{
    edit::{
        AutoKey, CurveEdit, CurveRef, EditError, KeyEdit, RigEdit, Session,
        hold::{HoldKind, hold},
        pose::{pose_edit, transform_edit},
        set_key::set_key,
    },
    eval::{Evaluator, sample::rig_pose},
    math::{Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, Component, Document, FrameRange, Joint, JointId, Key, Locks, Object, ObjectId, ObjectKind,
        PinSpace, Property, Rig, Skeleton, Target,
    },
};
use std::sync::Arc;

fn stage() -> (Session, ObjectId) {
    let mut document = Document::default();
    let joint = |id: u32| {
        let parent = id.checked_sub(1).map(JointId);
        Joint::new(JointId(id), &format!("joint {id}"), parent, Vec3::new(0.0, 0.3, 0.05))
    };
    let skeleton = Arc::new(Skeleton::new((0..4).map(joint).collect()).unwrap());
    let arm = document.add_object(Object::rig("Arm", Rig { skeleton, ..Rig::default() }));
    let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 48)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (Session::new(document), arm)
}

fn lock(session: &mut Session, arm: ObjectId, joint: u32, locks: Locks) {
    session
        .apply("history.locks", &RigEdit::SetLocks { object: arm, locks: vec![(JointId(joint), locks)] }.into())
        .unwrap();
    assert_eq!(session.document().problems(), []);
}

#[test]
fn what_is_locked_stays_and_the_rest_moves() {
    for auto_key in AutoKey::ALL {
        let (mut session, arm) = stage();
        lock(
            &mut session,
            arm,
            0,
            Locks { translation: [false, true, false], rotation: [true, false, true], ..Locks::default() },
        );
        let before = rig_pose(session.document(), arm, 0.5).unwrap()[0];
        let wanted = Transform {
            translation: before.translation + Vec3::new(1.0, 2.0, 3.0),
            rotation: from_axis_angle(&Vec3::y(), 0.4),
            ..before
        };
        let edit = pose_edit(session.document(), arm, 0.5, &[(JointId(0), wanted)], auto_key).unwrap();
        session.apply("x", &edit).unwrap();
        let after = rig_pose(session.document(), arm, 0.5).unwrap()[0];
        assert!((after.translation - before.translation - Vec3::new(1.0, 0.0, 3.0)).norm() < 1e-12, "{auto_key:?}");
        assert!(after.rotation.angle_to(&wanted.rotation) < 1e-7);
        let up = ChannelPath::joint(arm, JointId(0), Property::Translation, Component::Y);
        let clip = session.document().settings.clip.unwrap();
        assert!(!session.document().clip(clip).unwrap().channels.contains_key(&up), "{auto_key:?}");
        // Only what is locked: the reason, and nothing done.
        let lifted = Transform { translation: after.translation + Vec3::y(), ..after };
        let refused = pose_edit(session.document(), arm, 0.5, &[(JointId(0), lifted)], auto_key).unwrap_err();
        assert!(matches!(&refused, EditError::Locked(name) if name == "Arm/joint 0/translation.y"), "{refused}");
        // A key of everything passes it over; keys by hand are refused.
        let targets = [Target::Joint(arm, JointId(0))].into_iter().collect();
        let keyed = set_key(session.document(), &Evaluator::new(), &targets, 0.5, None).unwrap();
        session.apply("x", &keyed).unwrap();
        assert!(!session.document().clip(clip).unwrap().channels.contains_key(&up));
        let curve = CurveRef { clip, path: up };
        let insert = KeyEdit::Insert { curve, keys: vec![Key::new(0.0, 1.0)] };
        assert!(matches!(session.apply("x", &insert.into()), Err(EditError::Locked(_))));
    }
}

#[test]
fn keys_of_locked_channels_are_kept() {
    let (mut session, arm) = stage();
    let clip = session.document().settings.clip.unwrap();
    let curve = CurveRef { clip, path: ChannelPath::joint(arm, JointId(1), Property::Rotation, Component::X) };
    let insert = KeyEdit::Insert { curve, keys: vec![Key::new(0.0, 0.2), Key::new(1.0, 0.6)] };
    session.apply("x", &insert.into()).unwrap();
    lock(&mut session, arm, 1, Locks { rotation: [true; 3], ..Locks::default() });
    let curves = vec![curve];
    assert!(matches!(session.apply("x", &CurveEdit::Delete { curves }.into()), Err(EditError::Locked(_))));
    let pose = rig_pose(session.document(), arm, 0.0).unwrap();
    let turned = Transform { rotation: from_axis_angle(&Vec3::z(), 1.0), ..pose[1] };
    // Among others that move it is passed over.
    let edit =
        pose_edit(session.document(), arm, 0.0, &[(JointId(1), turned), (JointId(2), turned)], AutoKey::On).unwrap();
    session.apply("x", &edit).unwrap();
    let after = rig_pose(session.document(), arm, 0.0).unwrap();
    assert!(
        after[1].rotation.angle_to(&pose[1].rotation) < 1e-12 && after[2].rotation.angle_to(&turned.rotation) < 1e-7
    );
    let text = inbetween::io::ron::save(session.document()).unwrap();
    assert_eq!(inbetween::io::ron::load(&text).unwrap(), **session.document());
    let tip = RigEdit::SetLocks { object: arm, locks: vec![(JointId(99), Locks::default())] };
    assert!(session.apply("x", &tip.into()).is_err());
}

#[test]
fn what_a_constraint_says_is_not_turned_by_hand() {
    let (mut session, arm) = stage();
    let mut document = (**session.document()).clone();
    let box_ = document.add_object(Object::new("Box", ObjectKind::Empty));
    session = Session::new(document);
    let frame = Evaluator::new().frame(session.document(), 0.0);
    let of = (arm, Some(JointId(2)));
    let edit = hold(session.document(), &frame, of, HoldKind::Orient, PinSpace::Object(box_)).unwrap();
    session.apply("x", &edit).unwrap();
    let edit = hold(session.document(), &frame, (box_, None), HoldKind::Point, PinSpace::World).unwrap();
    session.apply("x", &edit).unwrap();
    let pose = rig_pose(session.document(), arm, 0.0).unwrap();
    let turned = Transform { rotation: from_axis_angle(&Vec3::y(), 0.3), ..pose[2] };
    let refused = pose_edit(session.document(), arm, 0.0, &[(JointId(2), turned)], AutoKey::On).unwrap_err();
    assert!(matches!(&refused, EditError::Constrained(name, _) if name == "Arm/joint 2/rotation"), "{refused}");
    let moved = Transform::from_translation(Vec3::x());
    let refused = transform_edit(session.document(), box_, 0.0, &moved, AutoKey::On).unwrap_err();
    assert!(refused.to_string().contains("Box/translation"), "{refused}");
    let other = Transform { rotation: from_axis_angle(&Vec3::y(), 0.3), ..Transform::IDENTITY };
    assert!(transform_edit(session.document(), box_, 0.0, &other, AutoKey::On).is_ok());
}

#[test]
fn groups_have_colours() {
    let (mut session, arm) = stage();
    let set = |name: &str, joints: &[u32]| RigEdit::SetJoints {
        object: arm,
        name: name.to_owned(),
        joints: joints.iter().map(|joint| JointId(*joint)).collect(),
    };
    let color = |name: &str, color| RigEdit::SetColor { object: arm, name: name.to_owned(), color };
    session.apply("x", &set("lower", &[2, 3]).into()).unwrap();
    assert!(session.apply("x", &color("upper", Some([1, 2, 3])).into()).is_err());
    session.apply("x", &color("lower", Some([1, 2, 3])).into()).unwrap();
    let of =
        |session: &Session, joint| session.document().object(arm).unwrap().as_rig().unwrap().color_of(JointId(joint));
    assert_eq!((of(&session, 3), of(&session, 1)), (Some([1, 2, 3]), None));
    let rename = RigEdit::RenameSet { object: arm, name: "lower".into(), to: "hand".into() };
    session.apply("x", &rename.into()).unwrap();
    assert_eq!((of(&session, 3), session.document().problems()), (Some([1, 2, 3]), vec![]));
    session.apply("x", &set("hand", &[]).into()).unwrap();
    assert_eq!((of(&session, 3), session.document().problems()), (None, vec![]));
}
