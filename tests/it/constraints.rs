//! Constraints of objects and joints: switches without a pop, limits that hold, circles refused by name and harmless when
//! loaded, the same evaluation warm and cold.

use inbetween::{
    edit::{
        ConstraintEdit, EditError, Session,
        hold::{HoldKind, hold, switch_parent},
        numbers::key_number,
    },
    eval::Evaluator,
    math::{Affine, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, Component, Constraint, ConstraintId, Document, FrameRange, Joint, JointId, Object, ObjectId,
        ObjectKind, PinSpace, Property, Rig, Skeleton,
    },
};
use std::sync::Arc;

/// A box, two carriers that move along X and Y, and an arm of four joints.
fn stage() -> (Session, [ObjectId; 4]) {
    let mut document = Document::default();
    let mut at = |x: f64, name: &str| {
        let mut object = Object::new(name, ObjectKind::Empty);
        object.transform = Transform {
            translation: Vec3::new(x, 0.5, 0.0),
            rotation: from_axis_angle(&Vec3::new(1.0, x, 0.3), 0.4 + x),
            ..Transform::IDENTITY
        };
        document.add_object(object)
    };
    let (held, first, second) = (at(0.0, "Box"), at(1.0, "First"), at(2.0, "Second"));
    let joint = |id: u32| {
        let parent = id.checked_sub(1).map(JointId);
        Joint::new(JointId(id), &format!("joint {id}"), parent, Vec3::new(0.0, 0.3, 0.05))
    };
    let skeleton = Arc::new(Skeleton::new((0..4).map(joint).collect()).unwrap());
    let arm = document.add_object(Object::rig("Arm", Rig { skeleton, ..Rig::default() }));
    let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 48)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let mut session = Session::new(document);
    for (object, component) in [(first, Component::X), (second, Component::Y)] {
        let path = ChannelPath::object(object, Property::Translation, component);
        let curve = inbetween::edit::CurveRef { clip, path };
        let keys = vec![inbetween::model::Key::new(0.0, 0.0), inbetween::model::Key::new(2.0, 3.0)];
        session.apply("x", &inbetween::edit::KeyEdit::Insert { curve, keys }.into()).unwrap();
    }
    (session, [held, first, second, arm])
}

fn world(session: &Session, object: ObjectId, secs: f64) -> Affine {
    Evaluator::new().frame(session.document(), secs).objects[&object].world
}

fn add(session: &mut Session, of: (ObjectId, Option<JointId>), kind: HoldKind, source: PinSpace, secs: f64) {
    let frame = Evaluator::new().frame(session.document(), secs);
    let edit = hold(session.document(), &frame, of, kind, source).unwrap();
    session.apply("history.constraint_add", &edit).unwrap();
    assert_eq!(session.document().problems(), []);
}

#[test]
fn a_parent_is_switched_without_a_pop() {
    let (mut session, [held, first, second, _]) = stage();
    let before = world(&session, held, 0.25);
    add(&mut session, (held, None), HoldKind::Parent, PinSpace::Object(first), 0.25);
    assert!((world(&session, held, 0.25).to_mat4() - before.to_mat4()).norm() < 1e-12);
    let switches = [(0.5, PinSpace::Object(second)), (1.0, PinSpace::World), (1.5, PinSpace::Object(first))];
    for (secs, to) in switches {
        let before: Vec<Affine> = [0.1, 0.3, secs].map(|secs| world(&session, held, secs)).to_vec();
        let frame = Evaluator::new().frame(session.document(), secs);
        let edit = switch_parent(session.document(), &frame, (held, ConstraintId(0)), to, 0.0).unwrap();
        session.apply("history.constraint_switch", &edit).unwrap();
        assert_eq!(session.document().problems(), []);
        for (at, before) in [0.1, 0.3, secs].into_iter().zip(before) {
            assert!((world(&session, held, at).to_mat4() - before.to_mat4()).norm() < 1e-9, "{at} of {secs}");
        }
    }
    for (secs, _) in switches {
        let (before, after) = (world(&session, held, secs - 1e-11), world(&session, held, secs));
        assert!((after.to_mat4() - before.to_mat4()).norm() < 1e-9, "{secs}");
    }
    // In the world it stands, on the other it goes.
    let way = |from, to| (world(&session, held, to).translation - world(&session, held, from).translation).norm();
    assert!(way(1.1, 1.4) < 1e-12 && way(0.6, 0.9) > 0.1 && way(1.6, 1.9) > 0.1);
}

#[test]
fn limits_are_never_exceeded() {
    let (mut session, [held, first, ..]) = stage();
    add(&mut session, (held, None), HoldKind::Point, PinSpace::Object(first), 0.0);
    add(&mut session, (held, None), HoldKind::Limit, PinSpace::World, 0.0);
    let document = session.document();
    let mut limit = (**document.object(held).unwrap().constraint(ConstraintId(1)).unwrap()).clone();
    let inbetween::model::ConstraintKind::Limit(of) = &mut limit.kind else { panic!("a limit") };
    of.ranges = [Some((0.4, 1.1)), Some((0.6, 0.7)), None];
    let edit = ConstraintEdit::Set { object: held, constraint: Arc::new(limit.clone()) };
    session.apply("x", &edit.into()).unwrap();
    for step in 0..=200 {
        let place = world(&session, held, f64::from(step) * 0.01).translation;
        assert!((0.4..=1.1).contains(&place.x) && (0.6..=0.7).contains(&place.y), "{place}");
    }
    let inbetween::model::ConstraintKind::Limit(of) = &mut limit.kind else { panic!("a limit") };
    of.ranges[0] = Some((2.0, 1.0));
    let edit = ConstraintEdit::Set { object: held, constraint: Arc::new(limit) };
    assert!(matches!(session.apply("x", &edit.into()), Err(EditError::BadConstraint(_))));
}

#[test]
fn circles_are_refused_by_name_and_harmless_when_loaded() {
    let (mut session, [held, first, _, arm]) = stage();
    add(&mut session, (held, None), HoldKind::Parent, PinSpace::Object(first), 0.0);
    let frame = Evaluator::new().frame(session.document(), 0.0);
    let circles = [
        ((first, None), PinSpace::Object(held)),
        ((arm, Some(JointId(1))), PinSpace::Joint(arm, JointId(3))),
        ((arm, Some(JointId(1))), PinSpace::Joint(arm, JointId(1))),
        ((arm, None), PinSpace::Joint(arm, JointId(0))),
        ((first, None), PinSpace::Object(first)),
    ];
    for (of, source) in circles {
        let refused = hold(session.document(), &frame, of, HoldKind::Orient, source).unwrap_err();
        assert!(matches!(&refused, EditError::FollowCycle(names) if names.contains('\'')), "{refused}");
    }
    // Loaded all the same: reported, and what waits for itself is as if it were free.
    let mut document = (**session.document()).clone();
    let kind = inbetween::model::ConstraintKind::Aim(inbetween::model::Aim {
        target: PinSpace::Joint(arm, JointId(3)),
        up: Vec3::y(),
    });
    let joint = Some(JointId(1));
    let id = ConstraintId(0);
    let constraint = Constraint { id, name: String::new(), joint, muted: false, influence: 1.0, kind };
    document.object_mut(arm).unwrap().constraints.push(Arc::new(constraint));
    assert_eq!(document.problems().len(), 1);
    let rest = Evaluator::new().frame(session.document(), 0.7);
    assert_eq!(Evaluator::new().frame(&document, 0.7).rig(arm), rest.rig(arm));
}

#[test]
fn joints_are_held_and_muted_with_their_keys_kept() {
    let (mut session, [_, first, second, arm]) = stage();
    let rest = Evaluator::new().frame(session.document(), 1.0);
    // Listed child first: the parent's acts first nonetheless.
    add(&mut session, (arm, Some(JointId(3))), HoldKind::Copy, PinSpace::Object(second), 0.0);
    add(&mut session, (arm, Some(JointId(1))), HoldKind::Aim, PinSpace::Object(first), 0.0);
    let path = ChannelPath::constraint(arm, ConstraintId(1), Property::Influence);
    let keys = key_number(session.document(), path, &[(0.0, 0.0), (1.0, 1.0)]).unwrap();
    session.apply("x", &keys).unwrap();
    let warm = Evaluator::new();
    for step in [0, 3, 8, 24, 8, 3, 40] {
        let secs = f64::from(step) / 24.0;
        let (a, b) = (warm.frame(session.document(), secs), Evaluator::new().frame(session.document(), secs));
        assert_eq!(a.objects, b.objects);
        assert_eq!(warm.rig_frame(session.document(), arm, secs).as_ref(), b.rig(arm));
        let (hand, goal) = (b.joint_world(arm, 3).unwrap(), b.objects[&second].world);
        assert!((hand.to_mat4() - goal.to_mat4()).norm() < 1e-12);
    }
    let frame = warm.frame(session.document(), 1.0);
    let elbow = frame.joint_world(arm, 1).unwrap();
    let along = (frame.objects[&first].world.translation - elbow.translation).normalize();
    assert!((elbow.vector(&Vec3::z()) - along).norm() < 1e-12);
    for id in [0, 1].map(ConstraintId) {
        let constraint = (**session.document().object(arm).unwrap().constraint(id).unwrap()).clone();
        let constraint = Arc::new(Constraint { muted: true, ..constraint });
        session.apply("x", &ConstraintEdit::Set { object: arm, constraint }.into()).unwrap();
    }
    assert_eq!(warm.frame(session.document(), 1.0).rig(arm), rest.rig(arm));
    let clip = session.document().settings.clip.unwrap();
    assert!(session.document().clip(clip).unwrap().channels.contains_key(&path));
}
