//! Drivers: channels that stand on a curve of another's value, in chains, in circles, loaded, exported, deleted.

use crate::support::arbitrary::Seeded;
use inbetween::{
    edit::{
        AutoKey, ConstraintEdit, CurveRef, DriverEdit, EditError, KeyEdit, ObjectEdit, Session, SkeletonEdit,
        drivers::{driver_point, set_driven_key, shown_value},
        hold::{HoldKind, hold},
        numbers::number_edit,
        pose::{pose_edit, transform_edit},
    },
    eval::{Evaluator, at_rest::AtRest, mesh::mesh_state, sample::rig_pose, trail::TrailSpace},
    io::{bvh, gltf, ron},
    math::{Transform, Vec3, rotation::from_axis_angle},
    model::{
        Camera, ChannelPath, Clip, Component, ConstraintId, Document, Driver, FrameRange, Geometry, Interpolation,
        Joint, JointId, Key, Mesh, MeshPart, MorphId, MorphTarget, Object, ObjectId, ObjectKind, PinSpace, Property,
        Rig, RotationMode, Skeleton, Target, diff::differences,
    },
};
use std::sync::Arc;

const ELBOW: JointId = JointId(1);

struct Stage {
    session: Session,
    arm: ObjectId,
    face: ObjectId,
    camera: ObjectId,
}

impl Stage {
    fn document(&self) -> &Arc<Document> {
        self.session.document()
    }

    /// The flexion of the elbow, which the clip turns from 0 to 2 radians in two seconds.
    fn flexion(&self) -> ChannelPath {
        ChannelPath::joint(self.arm, ELBOW, Property::Rotation, Component::X)
    }

    fn bulge(&self) -> ChannelPath {
        let target = Target::Morph(self.face, MorphId(0));
        ChannelPath { target, property: Property::Weight, component: Component::Only }
    }

    fn drive(&mut self, driven: ChannelPath, source: ChannelPath, points: &[(f64, f64)]) {
        self.session
            .apply("x", &DriverEdit::Set { driver: Arc::new(straight(driven, source, points)) }.into())
            .unwrap();
        assert_eq!(self.document().problems(), []);
    }

    fn value(&self, path: ChannelPath, secs: f64) -> f64 {
        shown_value(self.document(), path, secs).unwrap()
    }
}

/// A driver with straight lines between its points.
fn straight(driven: ChannelPath, source: ChannelPath, points: &[(f64, f64)]) -> Driver {
    let mut driver = Driver::new(driven, source);
    let key = |(at, value): &(f64, f64)| Key { interpolation: Interpolation::Linear, ..Key::new(*at, *value) };
    let keys = points.iter().map(key).collect();
    let curve = inbetween::model::KeyedCurve { keys, ..Default::default() };
    driver.curve = Arc::new(inbetween::model::Curve::Scalar(inbetween::model::ScalarCurve::Keyed(curve)));
    driver
}

/// An arm whose elbow turns, a face with one morph target, a camera.
fn stage() -> Stage {
    let mut document = Document::default();
    let joint = |id: u32| {
        let parent = id.checked_sub(1).map(JointId);
        Joint::new(JointId(id), &format!("joint {id}"), parent, Vec3::new(0.0, 0.3, 0.05))
    };
    let skeleton = Arc::new(Skeleton::new((0..4).map(joint).collect()).unwrap());
    let arm = document.add_object(Object::rig("Arm", Rig { skeleton, ..Rig::default() }));
    let morph = MorphTarget::new(MorphId(0), "bulge", vec![[0.0, 0.1, 0.0]; 3].into());
    let geometry = Geometry {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into(),
        indices: vec![0, 1, 2].into(),
        ..Geometry::default()
    };
    let parts = vec![MeshPart { vertices: 3, indices: 3, material: None }];
    let mesh = Mesh { geometry: Arc::new(geometry), parts, morphs: vec![Arc::new(morph)], ..Mesh::default() };
    let face = document.add_object(Object::new("Face", ObjectKind::Mesh(Arc::new(mesh))));
    let camera = document.add_object(Object::new("Camera", ObjectKind::Camera(Camera::default())));
    let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 48)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let mut stage = Stage { session: Session::new(document), arm, face, camera };
    let key = |at: f64| Key { interpolation: Interpolation::Linear, ..Key::new(at, at) };
    let curve = CurveRef { clip, path: stage.flexion() };
    stage.session.apply("x", &KeyEdit::Insert { curve, keys: vec![key(0.0), key(2.0)] }.into()).unwrap();
    stage
}

#[test]
fn an_elbow_drives_a_morph_weight_by_set_driven_keys() {
    let mut stage = stage();
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    for (secs, weight) in [(0.5, 0.1), (1.5, 0.9)] {
        // The weight as it is now is what the key holds: a first key holds it everywhere.
        let edit = set_driven_key(stage.document(), flexion, &[bulge], secs).unwrap();
        stage.session.apply("history.driven_key", &edit).unwrap();
        stage.session.apply("x", &driver_point(bulge, secs, weight)).unwrap();
    }
    assert_eq!(stage.document().problems(), []);
    assert_eq!(stage.document().driver_of(bulge).unwrap().curve.len(), 2);
    for (secs, weight) in [(0.0, 0.1), (0.5, 0.1), (1.0, 0.5), (1.5, 0.9), (2.0, 0.9)] {
        let frame = Evaluator::new().frame(stage.document(), secs);
        let state = mesh_state(stage.document(), &frame, stage.face).unwrap();
        assert!((state.weights[0] - weight).abs() < 1e-12, "{secs}: {:?}", state.weights);
    }
    // One key is one undo; the weight is its own again without the driver.
    stage.session.undo();
    stage.session.undo();
    assert_eq!(stage.document().driver_of(bulge).unwrap().curve.len(), 1);
    stage.session.apply("x", &DriverEdit::Delete { driven: vec![bulge] }.into()).unwrap();
    assert_eq!(stage.value(bulge, 1.5), 0.0);
}

#[test]
fn drivers_in_a_chain_give_the_composed_curve_whatever_their_order() {
    let mut stage = stage();
    let knee = ChannelPath::joint(stage.arm, JointId(2), Property::Rotation, Component::Y);
    let lift = ChannelPath::object(stage.camera, Property::Translation, Component::Y);
    let fov = ChannelPath::object(stage.camera, Property::FieldOfView, Component::Only);
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    // Last first: 0.5 + 0.25 * (1 - (3 * (2 * flexion))).
    stage.drive(fov, bulge, &[(-20.0, -4.5), (20.0, 5.5)]);
    stage.drive(bulge, lift, &[(-20.0, 21.0), (20.0, -19.0)]);
    stage.drive(lift, knee, &[(-9.0, -27.0), (9.0, 27.0)]);
    stage.drive(knee, flexion, &[(-4.0, -8.0), (4.0, 8.0)]);
    for step in 0..=20 {
        let secs = f64::from(step) / 10.0;
        let wanted = 0.5 + 0.25 * (1.0 - 3.0 * (2.0 * secs));
        assert!((stage.value(fov, secs) - wanted).abs() < 1e-12, "{secs}");
        let frame = Evaluator::new().frame(stage.document(), secs);
        assert!((frame.objects[&stage.camera].world.translation.y - 6.0 * secs).abs() < 1e-12);
        let turned = frame.rig(stage.arm).unwrap().local[2].rotation;
        assert!(turned.angle_to(&from_axis_angle(&Vec3::y(), 2.0 * secs)) < 1e-7, "{secs}");
    }
}

#[test]
fn the_influence_mixes_and_a_muted_driver_lets_go() {
    let mut stage = stage();
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let mut driver = straight(bulge, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    stage.session.apply("x", &number_edit(stage.document(), bulge, 0.0, 0.4, AutoKey::On).unwrap()).unwrap();
    for (influence, muted, wanted) in [(1.0, false, 0.5), (0.25, false, 0.425), (0.0, false, 0.4), (1.0, true, 0.4)] {
        (driver.influence, driver.muted) = (influence, muted);
        stage.session.apply("x", &DriverEdit::Set { driver: Arc::new(driver.clone()) }.into()).unwrap();
        assert!((stage.value(bulge, 1.0) - wanted).abs() < 1e-12, "{influence} {muted}");
    }
    driver.influence = 1.5;
    let refused = stage.session.apply("x", &DriverEdit::Set { driver: Arc::new(driver) }.into());
    assert!(matches!(refused, Err(EditError::BadNumber { .. })));
}

#[test]
fn circles_are_refused_by_name_and_harmless_when_loaded() {
    let mut stage = stage();
    let channel =
        |stage: &Stage, joint| ChannelPath::joint(stage.arm, JointId(joint), Property::Rotation, Component::Z);
    let [a, b, c] = [0, 2, 3].map(|joint| channel(&stage, joint));
    let points = [(-3.0, -3.0), (3.0, 3.0)];
    stage.drive(b, a, &points);
    stage.drive(c, b, &points);
    let circle = DriverEdit::Set { driver: Arc::new(straight(a, c, &points)) };
    let refused = stage.session.apply("x", &circle.into()).unwrap_err();
    assert!(matches!(&refused, EditError::DriverCycle(names) if names.contains("Arm/joint 2/rotation.z")), "{refused}");
    let own = DriverEdit::Set { driver: Arc::new(straight(a, a, &points)) };
    assert!(matches!(stage.session.apply("x", &own.into()), Err(EditError::DriverCycle(_))));
    // Loaded all the same: reported by name, mended; those of the circle do not act, what reads them does.
    let mut document = (**stage.document()).clone();
    let fourth = ChannelPath::object(stage.camera, Property::Translation, Component::X);
    document.object_mut(stage.arm).unwrap().drivers.push(Arc::new(straight(a, c, &points)));
    document.object_mut(stage.camera).unwrap().drivers.push(Arc::new(straight(fourth, b, &[(0.0, 5.0)])));
    let problems: Vec<String> = document.problems().iter().map(ToString::to_string).collect();
    assert!(problems.len() == 1 && problems[0].contains("joint 3/rotation.z"), "{problems:?}");
    for path in [a, b, c] {
        assert!(document.driver_chain(path).is_empty());
        assert_eq!(shown_value(&document, path, 0.7), Some(0.0));
    }
    assert_eq!(shown_value(&document, fourth, 0.7), Some(5.0));
    let done = inbetween::model::mending::mend(&mut document);
    assert!(done.iter().all(|(_, what)| what.is_some()), "{done:?}");
    assert_eq!(document.problems(), []);
}

#[test]
fn what_cannot_drive_or_be_driven_is_refused_with_the_reason() {
    let mut stage = stage();
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let whole = ChannelPath { component: Component::Whole, ..flexion };
    let gone = ChannelPath::joint(stage.arm, JointId(77), Property::Rotation, Component::X);
    let nobody = ChannelPath::object(ObjectId(99), Property::Translation, Component::X);
    for (driven, source) in
        [(whole, bulge), (bulge, whole), (gone, bulge), (bulge, gone), (nobody, bulge), (bulge, nobody)]
    {
        let edit = DriverEdit::Set { driver: Arc::new(straight(driven, source, &[(0.0, 1.0)])) };
        assert!(stage.session.apply("x", &edit.into()).is_err(), "{driven} by {source}");
        assert!(set_driven_key(stage.document(), source, &[driven], 0.0).is_err());
    }
    let bad = straight(bulge, flexion, &[(0.0, f64::NAN)]);
    assert!(stage.session.apply("x", &DriverEdit::Set { driver: Arc::new(bad) }.into()).is_err());
    stage.drive(bulge, flexion, &[(0.0, 1.0)]);
    let other = ChannelPath::object(stage.camera, Property::Translation, Component::X);
    let refused = set_driven_key(stage.document(), other, &[bulge], 0.0).unwrap_err();
    assert!(matches!(&refused, EditError::DrivenAlready(..)), "{refused}");
}

/// A driven joint that is turned by hand says what drives it; among others that move it is passed over, and what is not
/// driven of it can be changed.
#[test]
fn what_is_driven_is_not_moved_by_hand() {
    let mut stage = stage();
    let flexion = stage.flexion();
    let bulge = stage.bulge();
    let twist = ChannelPath::joint(stage.arm, JointId(2), Property::Rotation, Component::Y);
    let lift = ChannelPath::object(stage.camera, Property::Translation, Component::Y);
    for driven in [twist, lift, bulge] {
        stage.drive(driven, flexion, &[(-4.0, -4.0), (4.0, 4.0)]);
    }
    let pose = rig_pose(stage.document(), stage.arm, 1.0).unwrap();
    let turned = |joint: usize, axis: Vec3| Transform {
        rotation: from_axis_angle(&axis, 0.3) * pose[joint].rotation,
        ..pose[joint]
    };
    let write = |changes: &[(JointId, Transform)]| pose_edit(stage.document(), stage.arm, 1.0, changes, AutoKey::On);
    let refused = write(&[(JointId(2), turned(2, Vec3::y()))]).unwrap_err();
    assert!(refused.to_string().contains("Arm/joint 1/rotation.x"), "{refused}");
    let edit = write(&[(JointId(2), turned(2, Vec3::y())), (JointId(0), turned(0, Vec3::x()))]).unwrap();
    let mut moved = (**stage.document()).clone();
    edit.apply(&mut moved).unwrap();
    let after = rig_pose(&moved, stage.arm, 1.0).unwrap();
    assert!(after[2] == pose[2] && after[0] != pose[0]);
    // What is driven of a joint that turns about another axis stays, and gets no key of its own.
    for auto_key in AutoKey::ALL {
        let tilt = Transform { rotation: from_axis_angle(&Vec3::new(0.3, 0.6, 0.8), 0.5), ..pose[2] };
        let tilted = pose_edit(stage.document(), stage.arm, 1.0, &[(JointId(2), tilt)], auto_key).unwrap();
        assert!(!tilted.is_none());
        let mut after = (**stage.document()).clone();
        tilted.apply(&mut after).unwrap();
        assert!(shown_value(&after, twist, 1.0) == Some(1.0), "{auto_key:?}");
        let clip = after.clip(after.settings.clip.unwrap()).unwrap();
        let waits = clip.unkeyed.iter().any(|frame| frame.values.contains_key(&twist));
        assert!(!clip.channels.contains_key(&twist) && !waits, "{auto_key:?}");
    }
    let camera = Transform::from_translation(Vec3::new(0.0, 7.0, 0.0));
    let refused = transform_edit(stage.document(), stage.camera, 1.0, &camera, AutoKey::On);
    assert!(matches!(refused, Err(EditError::Driven(..))));
    let refused = number_edit(stage.document(), bulge, 1.0, 0.2, AutoKey::On);
    assert!(matches!(refused, Err(EditError::Driven(..))));
}

#[test]
fn what_drives_goes_with_what_it_reads() {
    let mut stage = stage();
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let knee = ChannelPath::joint(stage.arm, JointId(3), Property::Rotation, Component::Y);
    stage.drive(bulge, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    stage.drive(knee, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    stage
        .session
        .apply("x", &SkeletonEdit::Rename { object: stage.arm, joint: ELBOW, name: "bend".into() }.into())
        .unwrap();
    assert_eq!(stage.value(bulge, 1.0), 0.5);
    let document = stage.document().clone();
    let remove = |id: u32| {
        let joints = std::iter::once(JointId(id)).collect();
        let edit =
            SkeletonEdit::Delete { object: stage.arm, joints, children: inbetween::edit::skeleton::Children::Kept };
        let mut changed = (*document).clone();
        inbetween::edit::Edit::from(edit).apply(&mut changed).unwrap();
        assert_eq!(changed.problems(), []);
        changed.objects.values().map(|object| object.drivers.len()).sum::<usize>()
    };
    assert_eq!((remove(1), remove(3), remove(2)), (0, 1, 2));
    stage.session.apply("x", &ObjectEdit::Delete { objects: vec![stage.arm] }.into()).unwrap();
    assert_eq!(stage.document().problems(), []);
    assert!(stage.document().driver_of(bulge).is_none());
    stage.session.undo();
    assert_eq!(stage.value(bulge, 1.0), 0.5);
}

#[test]
fn drivers_are_saved_compared_and_left_out_at_rest() {
    let mut stage = stage();
    let before = ron::save(stage.document()).unwrap();
    assert!(!before.contains("drivers"));
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let knee = ChannelPath::joint(stage.arm, JointId(3), Property::Rotation, Component::Y);
    stage.drive(bulge, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    stage.drive(knee, flexion, &[(0.0, 0.5)]);
    let text = ron::save(stage.document()).unwrap();
    let again = ron::load(&text).unwrap();
    assert_eq!(again, **stage.document());
    let mut other = again.clone();
    driver_point(bulge, 1.0, 0.25).apply(&mut other).unwrap();
    let said: Vec<String> = differences(&again, &other).iter().map(|d| format!("{}: {}", d.place, d.what)).collect();
    assert_eq!(said, ["driver of Face/bulge/weight: key at 57.2958\u{b0} added (0.25)"]);
    let old = ron::load(&before).unwrap();
    let said: Vec<String> = differences(&old, &again).iter().map(|d| format!("{}: {}", d.place, d.what)).collect();
    assert_eq!(
        said,
        [
            "driver of Arm/joint 3/rotation.y: added, driven by Arm/joint 1/rotation.x",
            "driver of Face/bulge/weight: added, driven by Arm/joint 1/rotation.x",
        ]
    );
    let still = AtRest::default().of(stage.document());
    let frame = Evaluator::new().frame(&still, 1.0);
    assert_eq!(frame.rig(stage.arm).unwrap().local[3].rotation.angle(), 0.0);
}

/// Constraint influences and joints held as quaternions are driven as any other channel; trails see driven joints.
#[test]
fn influences_quaternions_and_trails() {
    let mut stage = stage();
    let flexion = stage.flexion();
    let frame = Evaluator::new().frame(stage.document(), 0.0);
    let of = (stage.camera, None);
    let edit = hold(stage.document(), &frame, of, HoldKind::Point, PinSpace::Joint(stage.arm, JointId(3))).unwrap();
    stage.session.apply("x", &edit).unwrap();
    let first = frame.joint_world(stage.arm, 3).unwrap().translation;
    let influence = ChannelPath::constraint(stage.camera, ConstraintId(0), Property::Influence);
    stage.drive(influence, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    let frame = Evaluator::new().frame(stage.document(), 1.0);
    let hand = frame.joint_world(stage.arm, 3).unwrap().translation;
    // The constraint keeps the distance from when it was made.
    assert!((frame.objects[&stage.camera].world.translation - 0.5 * (hand - first)).norm() < 1e-12);
    let edit = ConstraintEdit::Delete { object: stage.camera, constraint: ConstraintId(0) };
    stage.session.apply("x", &edit.into()).unwrap();
    assert!(stage.document().driver_of(influence).is_none(), "it went with the constraint");

    let mut document = (**stage.document()).clone();
    let ObjectKind::Rig(rig) = &mut document.object_mut(stage.arm).unwrap().kind else { panic!("a rig") };
    let mut joints = rig.skeleton.joints().to_vec();
    joints[0].rotation = RotationMode::Quaternion;
    Arc::make_mut(rig).skeleton = Arc::new(Skeleton::new(joints).unwrap());
    let mut stage = Stage { session: Session::new(document), ..stage };
    let root = ChannelPath::joint(stage.arm, JointId(0), Property::Rotation, Component::Y);
    stage.drive(root, flexion, &[(-4.0, -4.0), (4.0, 4.0)]);
    let evaluator = Evaluator::new();
    let frame = evaluator.frame(stage.document(), 0.8);
    assert!(frame.rig(stage.arm).unwrap().local[0].rotation.angle_to(&from_axis_angle(&Vec3::y(), 0.8)) < 1e-7);
    let sampler = inbetween::eval::trail::TrailSampler::new(
        &evaluator,
        stage.document(),
        stage.arm,
        JointId(3),
        TrailSpace::World,
    );
    let seen = sampler.unwrap().point(0.8);
    assert!((seen - frame.joint_world(stage.arm, 3).unwrap().translation).norm() < 1e-12);
}

#[test]
fn exports_have_driven_motion_baked() {
    let mut stage = stage();
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let knee = ChannelPath::joint(stage.arm, JointId(3), Property::Rotation, Component::Y);
    let slide = ChannelPath::joint(stage.arm, JointId(2), Property::Translation, Component::X);
    stage.drive(bulge, flexion, &[(0.0, 0.0), (1.0, 0.8), (2.0, 0.3)]);
    stage.drive(knee, flexion, &[(0.0, 0.0), (2.0, 1.2)]);
    stage.drive(slide, flexion, &[(0.0, 0.0), (2.0, 0.5)]);
    let (bytes, errors) = crate::gltf::exported(stage.document(), true);
    for of in ["Face/bulge/weight", "joint 3/rotation", "joint 2/translation"] {
        let error =
            errors.iter().find(|error| error.channel.contains(of)).unwrap_or_else(|| panic!("{of}: {errors:?}"));
        assert!(error.error < 2e-4, "{}: {}", error.channel, error.error);
    }
    assert!(gltf::parse(&bytes, None).is_ok());
    let options = bvh::ExportOptions::default();
    let progress = inbetween::progress::Progress::new();
    let mut report = inbetween::io::report::Report::new();
    let written = bvh::export_measured(stage.document(), stage.arm, options, None, &progress, &mut report).unwrap();
    for error in &written.errors {
        assert!(error.error < 1e-5, "{}: {}", error.channel, error.error);
    }
    let text = String::from_utf8(written.bytes).unwrap();
    let last: Vec<f64> = text.lines().last().unwrap().split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert!(last.iter().any(|value| (value - 1.2_f64.to_degrees()).abs() < 1e-4), "{last:?}");
}

/// A long chain of drivers and a star of them evaluate, warm as cold.
#[test]
fn many_drivers_are_the_same_warm_and_cold() {
    let mut document = Document::default();
    let random = &mut Seeded::new(7);
    let objects: Vec<ObjectId> = (0..200).map(|_| document.add_object(Object::new("o", ObjectKind::Empty))).collect();
    let x = |object| ChannelPath::object(object, Property::Translation, Component::X);
    for pair in objects.windows(2) {
        let points = [(-9.0, random.around(2.0)), (0.0, random.around(2.0)), (9.0, random.around(2.0))];
        let driver = Arc::new(straight(x(pair[1]), x(pair[0]), &points));
        document.object_mut(pair[1]).unwrap().drivers.push(driver);
    }
    assert_eq!(document.problems(), []);
    let warm = Evaluator::new();
    for secs in [0.0, 0.5, 0.0, 0.5] {
        let (a, b) = (warm.frame(&document, secs), Evaluator::new().frame(&document, secs));
        assert_eq!(a.objects, b.objects);
        assert!(a.objects.values().all(|object| object.world.translation.x.is_finite()));
    }
}

/// A hinge at rest bent by hand, and a joint moved: drivers keep their offset from the rest pose, both what they drive and what
/// they read, or keep their values where curves do.
#[test]
fn drivers_follow_a_change_of_the_rest_pose_as_curves_do() {
    use inbetween::edit::skeleton::{Animation, Carry, JointRest};
    let mut stage = stage();
    let joint = |id: u32, property, component| ChannelPath::joint(stage.arm, JointId(id), property, component);
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    let (knee, slide) = (joint(2, Property::Rotation, Component::X), joint(3, Property::Translation, Component::Y));
    let lift = ChannelPath::object(stage.camera, Property::Translation, Component::X);
    stage.drive(knee, flexion, &[(0.0, 0.0), (2.0, 1.0)]);
    stage.drive(slide, flexion, &[(0.0, 0.3), (2.0, 0.5)]);
    stage.drive(bulge, knee, &[(0.0, 0.0), (1.0, 1.0)]);
    stage.drive(lift, slide, &[(0.3, 0.0), (0.5, 1.0)]);
    let rest = |id: u32, rest| JointRest { joint: JointId(id), rest };
    let rests = vec![
        rest(2, Transform { rotation: from_axis_angle(&Vec3::x(), 0.4), ..Transform::from_translation(Vec3::y()) }),
        rest(3, Transform::from_translation(Vec3::new(0.0, 0.9, 0.05))),
    ];
    for (animation, more, up) in [(Animation::Follows, 0.4, 0.6), (Animation::Stays, 0.0, 0.0)] {
        let mut after = (**stage.document()).clone();
        let edit = SkeletonEdit::SetRest { object: stage.arm, rests: rests.clone(), children: Carry::Along, animation };
        inbetween::edit::Edit::from(edit).apply(&mut after).unwrap();
        assert_eq!(after.problems(), []);
        for secs in [0.0, 0.4, 1.0, 1.7, 2.0] {
            let value = |document: &Document, path| shown_value(document, path, secs).unwrap();
            let changed = |path| value(&after, path) - value(stage.document(), path);
            assert!((changed(knee) - more).abs() < 1e-12 && (changed(slide) - up).abs() < 1e-12, "{secs}");
            assert!(changed(bulge).abs() < 1e-12 && changed(lift).abs() < 1e-12, "{secs}");
        }
    }
}

/// Every kind of channel that is one number can be driven: what it moves is where the curve says, and a thousand frames of them
/// are finite.
#[test]
fn what_follows_reaches_and_deforms_can_be_driven() {
    use inbetween::model::{Constraint, ConstraintKind, Follow, IkChain, Lattice, Path, PathPoint, PointId};
    let mut stage = stage();
    let mut document = (**stage.document()).clone();
    let point = |id: u32, x: f64| PathPoint::new(PointId(id), Vec3::new(x, 0.0, 0.0));
    let line = Path { points: vec![point(0, 0.0), point(1, 4.0)], ..Path::default() };
    let line = document.add_object(Object::new("Line", ObjectKind::Path(Arc::new(line))));
    let lattice = document.add_object(Object::new("Lattice", ObjectKind::Lattice(Arc::new(Lattice::default()))));
    stage.session = Session::new(document);
    let add = |stage: &mut Stage, object, id: u32, joint, kind| {
        let constraint =
            Constraint { id: ConstraintId(id), name: String::new(), joint, muted: false, influence: 1.0, kind };
        let edit = ConstraintEdit::Add { object, constraint: Arc::new(constraint) };
        stage.session.apply("x", &edit.into()).unwrap();
    };
    let (camera, arm, flexion) = (stage.camera, stage.arm, stage.flexion());
    add(&mut stage, camera, 0, None, ConstraintKind::Follow(Follow::new(line)));
    let chain = IkChain::new(JointId(0), Vec3::new(0.0, 0.5, 0.3));
    add(&mut stage, arm, 0, Some(JointId(3)), ConstraintKind::Chain(chain));
    let of = |target, property, component| ChannelPath { target, property, component };
    let distance = of(Target::Constraint(camera, ConstraintId(0)), Property::Distance, Component::Only);
    let reach = of(Target::Constraint(arm, ConstraintId(0)), Property::Translation, Component::Z);
    let blend = of(Target::Constraint(arm, ConstraintId(0)), Property::Influence, Component::Only);
    let corner = of(Target::Point(lattice, PointId(0)), Property::Translation, Component::Y);
    let fov = ChannelPath::object(camera, Property::FieldOfView, Component::Only);
    for (driven, points) in [
        (distance, [(0.0, 0.0), (2.0, 4.0)]),
        (reach, [(0.0, 0.1), (2.0, 0.5)]),
        (blend, [(0.0, 1.0), (2.0, 1.0)]),
        (corner, [(0.0, 0.0), (2.0, 2.0)]),
        (fov, [(0.0, 0.5), (2.0, 0.9)]),
    ] {
        stage.drive(driven, flexion, &points);
    }
    let evaluator = Evaluator::new();
    let end = |secs: f64| {
        let frame = evaluator.frame(stage.document(), secs);
        let arm = frame.rig(arm).unwrap().model.last().unwrap().translation;
        (frame.objects[&camera].world.translation, arm)
    };
    for secs in [0.0, 0.5, 1.25, 2.0] {
        let (camera, hand) = end(secs);
        assert!((camera - Vec3::x() * (2.0 * secs)).norm() < 1e-9, "{camera}");
        assert!((hand.z - (0.1 + 0.2 * secs)).abs() < 1e-6, "{hand} at {secs}");
        assert!((stage.value(corner, secs) - secs).abs() < 1e-12);
    }
    for frame in 0..1000 {
        let (camera, hand) = end(f64::from(frame) / 500.0);
        assert!(camera.iter().chain(hand.iter()).all(|number| number.is_finite()), "{frame}");
    }
    // With what they drive they go, and nothing that is gone is named.
    for gone in [line, lattice, arm] {
        stage.session.apply("x", &ObjectEdit::Delete { objects: vec![gone] }.into()).unwrap();
        assert_eq!(stage.document().problems(), []);
    }
    assert!(stage.document().driver_of(fov).is_none() && stage.document().driver_of(distance).is_none());
    for _ in 0..3 {
        stage.session.undo();
    }
    assert_eq!(stage.value(fov, 1.0), 0.7);
}

/// What of a rig is a length grows with its unit: what its chains reach for and bend to, its parents' offsets, its drivers.
#[test]
fn another_unit_lets_chains_parents_and_drivers_of_lengths_grow() {
    use inbetween::{
        edit::RigEdit,
        model::{Constraint, ConstraintKind, IkChain, LengthUnit, Pole},
    };
    let mut stage = stage();
    let arm = stage.arm;
    let mut document = (**stage.document()).clone();
    let joints: Vec<Joint> = document.object(arm).unwrap().as_rig().unwrap().skeleton.joints().to_vec();
    let other = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    document.add_object(Object::rig("Other", other));
    stage.session = Session::new(document);
    let pole = Some(Pole { place: Vec3::new(0.0, 0.3, 2.0), space: PinSpace::World });
    let chain = IkChain { pole, ..IkChain::new(JointId(1), Vec3::new(0.1, 0.6, 0.2)) };
    let constraint = Constraint {
        id: ConstraintId(0),
        name: String::new(),
        joint: Some(JointId(3)),
        muted: false,
        influence: 1.0,
        kind: ConstraintKind::Chain(chain),
    };
    stage.session.apply("x", &ConstraintEdit::Add { object: arm, constraint: Arc::new(constraint) }.into()).unwrap();
    let target = Target::Constraint(arm, ConstraintId(0));
    let reach = ChannelPath { target, property: Property::Translation, component: Component::X };
    let clip = stage.document().settings.clip.unwrap();
    let keys = vec![Key::new(0.0, 0.1), Key::new(1.0, 0.25)];
    stage.session.apply("x", &KeyEdit::Insert { curve: CurveRef { clip, path: reach }, keys }.into()).unwrap();
    let slide = ChannelPath::joint(arm, JointId(0), Property::Translation, Component::Z);
    let (flexion, bulge) = (stage.flexion(), stage.bulge());
    stage.drive(slide, flexion, &[(0.0, 0.0), (2.0, 0.2)]);
    stage.drive(bulge, slide, &[(0.0, 0.0), (0.2, 1.0)]);
    let frame = Evaluator::new().frame(stage.document(), 0.0);
    let parent = hold(stage.document(), &frame, (arm, Some(JointId(0))), HoldKind::Parent, PinSpace::World).unwrap();
    stage.session.apply("x", &parent).unwrap();
    let before = stage.document().clone();
    stage.session.apply("x", &RigEdit::SetUnit { object: arm, unit: LengthUnit::Centimetre }.into()).unwrap();
    assert_eq!(stage.document().problems(), []);
    for secs in [0.0, 0.35, 1.0, 1.8] {
        let model = |document: &Arc<Document>| Evaluator::new().frame(document, secs).rig(arm).unwrap().model.clone();
        for (a, b) in model(&before).iter().zip(&model(stage.document())) {
            let (moved, turned) = ((a.translation * 0.01 - b.translation).norm(), (a.linear - b.linear).norm());
            assert!(moved < 1e-9 && turned < 1e-6, "{secs}: {moved} {turned}");
        }
        assert!((shown_value(&before, bulge, secs).unwrap() - stage.value(bulge, secs)).abs() < 1e-9);
    }
    stage.session.undo();
    assert_eq!(**stage.document(), *before);
}
