//! Joints that leave their parent's scale out: one meaning in the view, in edits, in trails, on the way to files.

use inbetween::{
    edit::{
        Edit, Session,
        skeleton::{Animation, SkeletonEdit},
    },
    eval::{
        Evaluator,
        sample::{Stage, clip_local},
        trail::{TrailSampler, TrailSpace},
    },
    interact::tools::subject::{Subject, TurnAxis},
    io::{
        gltf::{GltfExport, GltfWritten, export, parse, to_parts},
        report::Report,
        ron,
    },
    math::{Affine, Mat3, Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, Interpolation, Joint, JointId, Key,
        KeyedCurve, Object, ObjectId, ObjectKind, Parent, Property, Rig, ScalarCurve, Skeleton, Target,
        diff::differences,
    },
    progress::Progress,
};
use std::sync::Arc;

const RIG: ObjectId = ObjectId(1);
const CLIP: ClipId = ClipId(2);

/// An arm of three joints, the forearm and the hand with scales of their own, turned in every joint.
fn arm() -> Document {
    let joint = |id: u32, place: Vec3, turn: f64| {
        let rest = Transform {
            rotation: from_axis_angle(&Vec3::new(0.3, 1.0, -0.4), turn),
            ..Transform::from_translation(place)
        };
        let parent = id.checked_sub(1).map(JointId);
        Joint { rest, own_scale: id > 0, ..Joint::new(JointId(id), &format!("j{id}"), parent, place) }
    };
    let joints = vec![
        joint(0, Vec3::new(0.0, 1.0, 0.0), 0.4),
        joint(1, Vec3::new(0.3, 0.1, 0.0), -0.8),
        joint(2, Vec3::new(0.25, 0.0, 0.1), 1.3),
    ];
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    let mut document = Document::default();
    let object = Object { clip: Some(CLIP), ..Object::new("Arm", ObjectKind::Rig(Arc::new(rig))) };
    Arc::make_mut(&mut document.objects).insert(RIG, Arc::new(object));
    let clip = Clip::new("grow", FrameRange { first: 0, last: 24 });
    Arc::make_mut(&mut document.clips).insert(CLIP, Arc::new(clip));
    document.next_id = 3;
    assert_eq!(document.problems(), []);
    document
}

/// Keys a component of a joint's scale from one value to another over the second, straight.
fn scaled(document: &mut Document, joint: u32, axes: &[usize], from: f64, to: f64) {
    let key = |time, value| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) };
    for axis in axes {
        let curve = KeyedCurve { keys: [key(0.0, from), key(1.0, to)].into_iter().collect(), ..KeyedCurve::default() };
        let path = ChannelPath {
            target: Target::Joint(RIG, JointId(joint)),
            property: Property::Scale,
            component: Component::AXES[*axis],
        };
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve)));
        document.clip_mut(CLIP).unwrap().channels.insert(path, curve);
    }
}

fn world(document: &Document, joint: usize, secs: f64) -> Affine {
    Evaluator::new().frame(document, secs).joint_world(RIG, joint).unwrap()
}

/// The closed form, by matrices.
fn expected(document: &Document, joint: u32, secs: f64) -> Affine {
    let clip = document.clip(CLIP).cloned();
    let (mut at, mut above_scale) = (Affine::IDENTITY, Vec3::repeat(1.0));
    for index in 0..=joint {
        let target = Target::Joint(RIG, JointId(index));
        let local = clip_local(document, clip.as_deref(), target, secs, Stage::Shown).unwrap();
        let skeleton = &document.object(RIG).unwrap().as_rig().unwrap().skeleton;
        let out = if skeleton.joint(JointId(index)).unwrap().own_scale { above_scale } else { Vec3::repeat(1.0) };
        let rotation = *local.rotation.to_rotation_matrix().matrix();
        let linear = Mat3::from_diagonal(&out.map(|s| 1.0 / s)) * rotation * Mat3::from_diagonal(&local.scale);
        at = at * Affine { linear, translation: local.translation };
        above_scale = local.scale;
    }
    at
}

fn apart(a: &Affine, b: &Affine) -> f64 {
    (a.linear - b.linear).norm() + (a.translation - b.translation).norm()
}

#[test]
fn a_frame_is_the_closed_form_and_trails_go_where_it_goes() {
    let mut document = arm();
    scaled(&mut document, 0, &[0, 1, 2], 1.0, 3.0);
    scaled(&mut document, 1, &[0, 2], 2.0, 0.5);
    scaled(&mut document, 2, &[1], 1.0, 4.0);
    let evaluator = Evaluator::new();
    for step in 0..=12_u32 {
        let secs = f64::from(step) / 12.0;
        for joint in 0..3_u32 {
            let found = world(&document, joint as usize, secs);
            assert!(apart(&found, &expected(&document, joint, secs)) < 1e-12, "joint {joint} at {secs}");
            for space in [TrailSpace::World, TrailSpace::Limb] {
                let sampler = TrailSampler::new(&evaluator, &document, RIG, JointId(joint), space).unwrap();
                let above = sampler.parent().map_or(Affine::IDENTITY, |parent| world(&document, parent, secs));
                let place = above.try_inverse().unwrap().point(&found.translation);
                assert!((sampler.point(secs) - place).norm() < 1e-12, "trail of {joint} at {secs}");
            }
        }
    }
}

#[test]
fn what_the_gizmo_turns_and_moves_is_seen_in_the_world() {
    let mut document = arm();
    scaled(&mut document, 0, &[1], 1.0, 3.0);
    scaled(&mut document, 1, &[0], 2.0, 0.5);
    // The axis of the world is the axis of the turn where what is above the joint shears nothing: under a scale left out.
    let secs = 0.5;
    let frame = Evaluator::new().frame(&document, secs);
    let subject = Subject::new(&document, &frame, Target::Joint(RIG, JointId(1))).unwrap();
    assert!(apart(&subject.world(), &world(&document, 1, secs)) < 1e-12);
    let turn = from_axis_angle(&Vec3::z(), 0.6);
    let turned = subject.turned(TurnAxis::World(Vec3::z()), 0.6);
    let linear = subject.above * turned.to_affine().linear;
    let wanted = *turn.to_rotation_matrix().matrix() * subject.world().linear;
    assert!((linear - wanted).norm() < 1e-12, "{linear} {wanted}");
    let moved = subject.moved(&Vec3::new(0.1, -0.2, 0.3));
    let now = subject.parent.point(&moved.translation);
    assert!((now - subject.world().translation - Vec3::new(0.1, -0.2, 0.3)).norm() < 1e-12);
}

#[test]
fn it_is_saved_where_it_is_on_and_told_of_as_a_difference() {
    let document = arm();
    let text = ron::save(&document).unwrap();
    assert_eq!(text.matches("own_scale: true").count(), 2);
    assert!(!text.contains("own_scale: false"));
    let again = ron::load(&text).unwrap();
    assert_eq!(again, document);
    let mut session = Session::new(document.clone());
    let joints = [JointId(2)].into();
    let edit = SkeletonEdit::SetOwnScale { object: RIG, joints, own_scale: false };
    session.apply("history.own_scale", &edit.into()).unwrap();
    assert_ne!(**session.document(), document);
    let told = differences(&document, session.document());
    assert!(told.iter().any(|line| format!("{line:?}").contains("own_scale")), "{told:?}");
    assert!(session.undo());
    assert_eq!(**session.document(), document);
}

#[test]
fn joints_hung_elsewhere_stay_where_they_are_at_rest() {
    let mut document = arm();
    let mut rig = (**document.object(RIG).unwrap().as_rig().unwrap()).clone();
    let scaled = rig.skeleton.map_joints(|joint| {
        let scale = Vec3::repeat(1.5 + f64::from(joint.id.0));
        Joint { rest: Transform { scale, ..joint.rest }, ..joint.clone() }
    });
    rig.skeleton = Arc::new(scaled.unwrap());
    document.object_mut(RIG).unwrap().kind = ObjectKind::Rig(Arc::new(rig));
    let before = world(&document, 2, 0.0);
    for parent in [Some(JointId(0)), None] {
        let mut session = Session::new(document.clone());
        let joints = [JointId(2)].into();
        let edit = SkeletonEdit::Reparent { object: RIG, joints, parent, animation: Animation::Follows };
        session.apply("history.reparent", &Edit::from(edit)).unwrap();
        let skeleton = session.document().object(RIG).unwrap().as_rig().unwrap().skeleton.clone();
        let after = world(session.document(), skeleton.index_of(JointId(2)).unwrap(), 0.0);
        assert!(apart(&before, &after) < 1e-12, "under {parent:?}");
    }
    let mut session = Session::new(document.clone());
    let edit = SkeletonEdit::Split { object: RIG, joint: JointId(2), at: 0.25, name: "between".to_owned() };
    session.apply("history.split_bone", &edit.into()).unwrap();
    let skeleton = session.document().object(RIG).unwrap().as_rig().unwrap().skeleton.clone();
    let after = world(session.document(), skeleton.index_of(JointId(2)).unwrap(), 0.0);
    assert!(apart(&before, &after) < 1e-12, "split");
}

fn written(document: &Document) -> (GltfWritten, Document, Report) {
    let mut report = Report::new();
    let written = export(document, GltfExport::default(), &Progress::new(), &mut report).unwrap();
    let file = parse(&written.bytes, None).unwrap();
    let parts = to_parts(&file, "arm", 1, &mut Report::new()).unwrap();
    let mut again = Document {
        objects: Arc::new(parts.objects.into_iter().collect()),
        clips: Arc::new(parts.clips.into_iter().collect()),
        next_id: parts.next_id,
        ..Document::default()
    };
    Arc::make_mut(&mut again.settings).clip = again.clips.keys().next().copied();
    (written, again, report)
}

/// How far the joints of a written file are from the document's at worst over the clip: places, then linear parts.
fn worst(document: &Document, again: &Document) -> (f64, f64) {
    let (object, ..) = again.rigs().next().unwrap();
    let (mut places, mut linear) = (0.0_f64, 0.0_f64);
    for step in 0..=97_u32 {
        let secs = f64::from(step) / 97.0;
        let frame = Evaluator::new().frame(again, secs);
        for joint in 0..3 {
            let (a, b) = (world(document, joint, secs), frame.joint_world(object, joint).unwrap());
            places = places.max((a.translation - b.translation).norm());
            linear = linear.max((a.linear - b.linear).norm());
        }
    }
    (places, linear)
}

fn error_of(written: &GltfWritten, joint: &str, property: Property) -> Option<f64> {
    let found = written.errors.iter().find(|e| e.property == property && e.channel.contains(joint));
    found.map(|found| found.error)
}

#[test]
fn an_even_scale_goes_into_gltf_exactly() {
    let mut document = arm();
    let mut rig = (**document.object(RIG).unwrap().as_rig().unwrap()).clone();
    let skeleton = rig.skeleton.map_joints(|joint| {
        let scale = Vec3::repeat(if joint.id == JointId(0) { 2.0 } else { 1.0 });
        Joint { rest: Transform { scale, ..joint.rest }, ..joint.clone() }
    });
    rig.skeleton = Arc::new(skeleton.unwrap());
    document.object_mut(RIG).unwrap().kind = ObjectKind::Rig(Arc::new(rig));
    scaled(&mut document, 1, &[0, 1, 2], 1.0, 3.0);
    let (_, again, report) = written(&document);
    let (places, linear) = worst(&document, &again);
    // The hand is under a scale that moves: its own is one over it, in straight pieces.
    assert!(places < 1e-6 && linear < 5e-3, "{places} {linear}");
    assert!(report.count("own-scale") > 0 && report.count("sheared") == 0);
    let curves = |name: &str| {
        let (object, _, rig) = again.rigs().next().unwrap();
        let joint = rig.skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id;
        let clip = again.clips.values().next().unwrap().clone();
        let path =
            ChannelPath { target: Target::Joint(object, joint), property: Property::Scale, component: Component::X };
        let Some(Curve::Scalar(ScalarCurve::Keyed(curve))) = clip.channels.get(&path).map(|curve| (**curve).clone())
        else {
            panic!("{name} has keys")
        };
        curve.keys.iter().map(|key| key.value).collect::<Vec<_>>()
    };
    assert_eq!(curves("j1"), [0.5, 1.5], "divided by 2, key by key");
    assert!(curves("j2").len() > 3);
}

#[test]
fn an_even_scale_that_moves_is_within_the_tolerance_asked_for() {
    let mut document = arm();
    scaled(&mut document, 0, &[0, 1, 2], 1.0, 4.0);
    let (written, again, _) = written(&document);
    let (_, linear) = worst(&document, &again);
    let error = error_of(&written, "j1", Property::Scale).unwrap();
    // In the parent's axes the error is its scale times the tolerance on each of three axes.
    assert!(error < 4.0 * 1.8e-4 && linear < 4.0 * 1.8e-4, "{error} {linear}");
    assert!(error_of(&written, "j1", Property::Rotation).is_none(), "its rotation does not move");
}

#[test]
fn an_uneven_scale_is_as_near_as_gltf_comes_and_its_shear_is_measured() {
    let mut document = arm();
    scaled(&mut document, 0, &[1], 1.0, 2.0);
    let (written, again, _) = written(&document);
    let error = error_of(&written, "j1", Property::Scale).unwrap();
    let worst_linear = (0..=50_u32).map(|step| {
        let secs = f64::from(step) / 50.0;
        let (object, ..) = again.rigs().next().unwrap();
        let b = Evaluator::new().frame(&again, secs).joint_world(object, 1).unwrap();
        (world(&document, 1, secs).linear - b.linear).norm()
    });
    let measured = worst_linear.fold(0.0, f64::max);
    assert!(error > 0.05 && (error - measured).abs() < 0.02 * measured, "{error} {measured}");
    // Nothing nearer: turning what is written a little either way is no better.
    let local = |secs| {
        let frame = Evaluator::new().frame(&document, secs);
        let above = frame.joint_world(RIG, 0).unwrap().linear.try_inverse().unwrap();
        above * frame.joint_world(RIG, 1).unwrap().linear
    };
    let wanted = local(1.0);
    let of = |rotation: &Quat| {
        let matrix = *rotation.to_rotation_matrix().matrix();
        (matrix * Mat3::from_diagonal(&(matrix.transpose() * wanted).diagonal()) - wanted).norm()
    };
    let (object, ..) = again.rigs().next().unwrap();
    let frame = Evaluator::new().frame(&again, 1.0);
    let found = frame.rig(object).unwrap().local[1];
    let off = (found.to_affine().linear - wanted).norm();
    assert!(off < 1.2 * of(&found.rotation) + 1e-4);
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        for angle in [-0.2, 0.2] {
            assert!(of(&(found.rotation * from_axis_angle(&axis, angle))) > 0.9 * of(&found.rotation));
        }
    }
}

#[test]
fn the_parent_of_an_object_may_be_such_a_joint() {
    let mut document = arm();
    scaled(&mut document, 0, &[0, 1, 2], 1.0, 3.0);
    let held = Object { parent: Some(Parent::Joint(RIG, JointId(1))), ..Object::new("Ball", ObjectKind::Empty) };
    Arc::make_mut(&mut document.objects).insert(ObjectId(9), Arc::new(held));
    let frame = Evaluator::new().frame(&document, 1.0);
    assert!(apart(&frame.objects[&ObjectId(9)].world, &world(&document, 1, 1.0)) < 1e-15);
}
