//! Lattices and deformers through the document and the view: at rest to the bit, moved by hand, saved, drawn warm as cold.

use crate::support::driver::Driver;
use inbetween::{
    edit::{
        AutoKey, DeformEdit, Edit, Selection, Session,
        deform::{FreezeTo, add_to_stack, fitted, freeze},
        numbers::key_number,
        pose::points_edit,
        set_key::{set_key, whole_pose},
    },
    eval::{
        Evaluator,
        deform::{lattice_places, offsets},
        mesh::{MeshState, Poser, mesh_state, posed, positions},
    },
    interact::{
        camera::ViewDirection,
        input::{Key, ScreenPos},
        point_prefs::PointPrefs,
        view_state::{ToolId, ViewChange},
        viewport_tools::Grab,
    },
    io::ron,
    math::{Affine, Mat3, Transform, Vec3, lattice::Basis, rotation::from_axis_angle},
    model::{
        ChannelPath, Component, Deformer, DeformerKind, Document, Lattice, Mask, Object, ObjectId, ObjectKind, Parent,
        PointId, Property, Skin, SkinJoint, StackEntry, Target, names,
    },
    samples::shapes::Shape,
};
use std::{collections::BTreeSet, sync::Arc};

/// A shape with a lattice around it.
fn scene(counts: [u8; 3], basis: Basis) -> (Document, ObjectId, ObjectId) {
    let mut document = Document::default();
    let shape = Shape::Sphere.mesh(8);
    let mesh = document.add_object(Object::new("Ball", ObjectKind::Mesh(Arc::new(shape))));
    let frame = Evaluator::new().frame(&document, 0.0);
    let lattice = Lattice { counts, bases: [basis; 3], ..Lattice::default() };
    let lattice = Object::new("Cage", ObjectKind::Lattice(Arc::new(lattice)));
    let lattice = fitted(&document, &frame, (&[mesh], None), lattice, Some(Parent::Object(mesh)));
    let (id, edit) = add_to_stack(&document, lattice, (&[mesh], None)).unwrap();
    edit.apply(&mut document).unwrap();
    (document, mesh, id)
}

fn state(document: &Document, mesh: ObjectId, secs: f64) -> MeshState {
    mesh_state(document, &Evaluator::new().frame(document, secs), mesh).unwrap()
}

fn places(document: &Document, mesh: ObjectId, secs: f64) -> Vec<Vec3> {
    positions(document.object(mesh).unwrap().as_mesh().unwrap(), &state(document, mesh, secs))
}

fn offset(document: &Document, lattice: ObjectId, place: [usize; 3], secs: f64) -> Vec3 {
    let model = document.object(lattice).unwrap().as_lattice().unwrap();
    offsets(document, lattice, model, secs)[model.index_of(place)]
}

fn on_screen(driver: &mut Driver, lattice: ObjectId, place: [usize; 3]) -> ScreenPos {
    let frame = driver.frame();
    let document = driver.session.document().clone();
    let index = document.object(lattice).unwrap().as_lattice().unwrap().index_of(place);
    let at = lattice_places(&document, &frame, lattice).unwrap()[index];
    driver.camera().project(&at).unwrap()
}

#[test]
fn a_stack_at_rest_leaves_the_mesh_to_the_bit() {
    for basis in Basis::ALL {
        let (mut document, mesh, lattice) = scene([4, 5, 3], basis);
        for kind in DeformerKind::ALL {
            let object = Object::new("it", ObjectKind::Deformer(Deformer::new(kind)));
            add_to_stack(&document, object, (&[mesh], None)).unwrap().1.apply(&mut document).unwrap();
        }
        document.object_mut(lattice).unwrap().transform.scale = Vec3::new(1.0, -1.0, 2.0);
        let found = document.object(mesh).unwrap().as_mesh().unwrap().clone();
        assert!(state(&document, mesh, 0.0).steps.is_empty());
        let bare = MeshState { steps: Vec::new(), ..state(&document, mesh, 0.0) };
        assert_eq!(posed(&found, &state(&document, mesh, 0.0)), posed(&found, &bare));
        assert_eq!(places(&document, mesh, 0.0), positions(&found, &bare));
    }
}

/// Case B21, its numbers those of `cases/B21_ffd_on_face.json`.
#[test]
fn points_on_faces_edges_and_corners_move() {
    let mut document = Document::default();
    let lattice = Lattice::default();
    let right: Vec<(PointId, Vec3)> = lattice
        .points()
        .filter(|(_, place)| place[0] == 1)
        .map(|(point, _)| (point, Vec3::new(0.5, 0.0, 0.0)))
        .collect();
    let mut object = Object::new("cage", ObjectKind::Lattice(Arc::new(lattice)));
    object.transform = Transform::from_translation(Vec3::repeat(0.5));
    let cage = document.add_object(object);
    Edit::from(DeformEdit::SetOffsets { object: cage, offsets: right }).apply(&mut document).unwrap();
    let mut mesh = Shape::Plane.mesh(1);
    let geometry = Arc::make_mut(&mut mesh.geometry);
    geometry.positions = Arc::from(vec![[1.0, 0.3, 0.7], [0.5, 0.3, 0.7], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]);
    mesh.stack = vec![StackEntry::new(inbetween::model::DeformerId(0), cage)];
    let mesh = document.add_object(Object::new("points", ObjectKind::Mesh(Arc::new(mesh))));
    let wanted = [[1.5, 0.3, 0.7], [0.75, 0.3, 0.7], [0.0, 0.0, 0.0], [1.5, 1.0, 1.0]];
    let drawn = posed(document.object(mesh).unwrap().as_mesh().unwrap(), &state(&document, mesh, 0.0));
    for ((truth, drawn), wanted) in places(&document, mesh, 0.0).iter().zip(&drawn.positions).zip(wanted) {
        assert!((truth - Vec3::from(wanted)).norm() < 1e-6);
        assert!((Vec3::from(drawn.map(f64::from)) - Vec3::from(wanted)).norm() < 1e-6);
    }
}

#[test]
fn what_is_drawn_warm_is_what_is_drawn_cold_and_near_the_truth() {
    let (mut document, mesh, lattice) = scene([4, 4, 4], Basis::BSpline);
    let bend = Object::new("bend", ObjectKind::Deformer(Deformer::new(DeformerKind::Bend)));
    let (bend, edit) = add_to_stack(&document, bend, (&[mesh], None)).unwrap();
    edit.apply(&mut document).unwrap();
    let mut poser = Poser::default();
    for step in 0..6_u8 {
        let by = f64::from(step);
        let point = Lattice::id_at([1, 2, 3]);
        let moved = DeformEdit::SetOffsets { object: lattice, offsets: vec![(point, Vec3::new(0.1, 0.05, -0.1) * by)] };
        Edit::from(moved).apply(&mut document).unwrap();
        if step % 2 == 1 {
            let angle = DeformEdit::SetNumber { object: bend, property: Property::Angle, value: 0.3 * by };
            Edit::from(angle).apply(&mut document).unwrap();
        }
        if step == 4 {
            let turn = from_axis_angle(&Vec3::y(), 0.4);
            document.object_mut(lattice).unwrap().transform.rotation = turn;
        }
        let found = document.object(mesh).unwrap().as_mesh().unwrap();
        let state = state(&document, mesh, 0.0);
        let (warm, normals) = poser.pose(found, &state);
        let cold = posed(found, &state);
        assert_eq!((&*warm, &*normals), (&cold.positions, &cold.normals), "step {step}");
        for (drawn, truth) in warm.iter().zip(places(&document, mesh, 0.0)) {
            assert!((Vec3::from(drawn.map(f64::from)) - truth).norm() < 1e-5);
        }
        for normal in normals.iter() {
            assert!((normal.iter().map(|x| x * x).sum::<f32>().sqrt() - 1.0).abs() < 1e-3);
        }
    }
}

#[test]
fn an_affine_move_of_all_points_is_that_of_the_mesh_under_any_placement() {
    let (mut document, mesh, lattice) = scene([3, 4, 2], Basis::Bernstein);
    let turn = from_axis_angle(&Vec3::new(1.0, 2.0, -0.5).normalize(), 0.9);
    document.object_mut(mesh).unwrap().transform =
        Transform { translation: Vec3::new(3.0, 1.0, -2.0), rotation: turn, scale: Vec3::new(1.5, 1.5, -1.5) };
    let rest = places(&document, mesh, 0.0);
    let linear = Mat3::new(1.1, 0.2, 0.0, -0.1, 0.9, 0.3, 0.0, 0.1, 1.2);
    let model = document.object(lattice).unwrap().as_lattice().unwrap().clone();
    let all = model.points().map(|(point, place)| {
        let at = model.rest(place);
        (point, linear * at + Vec3::new(0.3, 0.1, -0.2) - at)
    });
    let moved = DeformEdit::SetOffsets { object: lattice, offsets: all.collect() };
    Edit::from(moved).apply(&mut document).unwrap();
    let world = Evaluator::new().frame(&document, 0.0).objects[&lattice].world;
    let inverse = world.try_inverse().unwrap();
    for (before, after) in rest.iter().zip(places(&document, mesh, 0.0)) {
        let wanted = world.point(&(linear * inverse.point(before) + Vec3::new(0.3, 0.1, -0.2)));
        assert!((after - wanted).norm() < 1e-9);
    }
}

#[test]
fn lattices_and_stacks_come_back_from_a_file_and_their_channels_by_name() {
    let (mut document, mesh, lattice) = scene([4, 3, 2], Basis::Linear);
    let wave = Object::new("wave", ObjectKind::Deformer(Deformer::new(DeformerKind::Wave)));
    let (wave, edit) = add_to_stack(&document, wave, (&[mesh], Some(Mask::Part(0)))).unwrap();
    edit.apply(&mut document).unwrap();
    let mut session = Session::new(document);
    let point = Lattice::id_at([3, 1, 1]);
    let pose = vec![(point, Vec3::new(0.25, -0.5, 1.0))];
    session.apply("x", &DeformEdit::SetOffsets { object: lattice, offsets: pose.clone() }.into()).unwrap();
    session.apply("x", &DeformEdit::KeepPose { object: lattice, name: "up".into(), offsets: pose }.into()).unwrap();
    let number = DeformEdit::SetNumber { object: wave, property: Property::Amplitude, value: 0.1 };
    session.apply("x", &number.into()).unwrap();
    let targets: BTreeSet<Target> =
        whole_pose(session.document(), lattice).into_iter().chain([mesh, wave].map(Target::Object)).collect();
    let keys = set_key(session.document(), &Evaluator::new(), &targets, 0.5, None).unwrap();
    session.apply("x", &keys).unwrap();
    let document = session.document();
    assert_eq!(document.problems(), []);
    let text = ron::save(document).unwrap();
    let back = ron::load(&text).unwrap();
    assert_eq!(&back, &**document);
    let clip = document.clips.values().next().unwrap();
    assert_eq!(clip.channels.keys().filter(|path| matches!(path.target, Target::Point(..))).count(), 3 * 24);
    for path in clip.channels.keys() {
        let name = names::channel_name(document, *path).unwrap();
        assert_eq!(names::find_channel(document, &name), Some(*path), "{name}");
    }
    for wrong in [text.replace("counts: (4, 3, 2)", "counts: (4, 30, 2)"), text.replace("0.25", "NaN")] {
        assert!(wrong != text && ron::load(&wrong).is_err());
    }
    for _ in 0..4 {
        session.undo();
    }
    assert!(session.document().clips.is_empty());
}

#[test]
fn a_box_takes_points_and_they_move_turn_and_grow_together() {
    let (document, _, lattice) = scene([3, 3, 3], Basis::Bernstein);
    let mut driver = Driver::new(document);
    driver.view.apply(ViewChange::Camera(driver.view.camera.along(ViewDirection::Front)));
    driver.frame_all();
    driver.session.select(Selection::single(Target::Object(lattice)));
    let all: Vec<ScreenPos> = (0..9).map(|index| on_screen(&mut driver, lattice, [index % 3, 2, index / 3])).collect();
    let end = |axis: usize, by: f64| {
        let ends = all.iter().map(|at| at[axis] * by.signum()).fold(f64::NEG_INFINITY, f64::max);
        ends * by.signum() + by
    };
    driver.drag([end(0, -12.0), end(1, -12.0)], [end(0, 12.0), end(1, 12.0)], 4);
    let top: BTreeSet<Target> = driver.session.selection().targets.clone();
    assert_eq!(top.len(), 9, "{top:?}");
    assert!(top.iter().all(|target| matches!(target, Target::Point(..))));
    driver.hover([500.0, 300.0]);
    driver.grab(Grab::Move);
    driver.key(Key::Y);
    driver.type_number("0.5");
    driver.key(Key::Enter);
    let up = offset(driver.session.document(), lattice, [1, 2, 1], 0.0);
    assert!((up - Vec3::new(0.0, 0.5, 0.0)).norm() < 1e-9, "{up}");
    assert_eq!(offset(driver.session.document(), lattice, [1, 1, 1], 0.0), Vec3::zeros());
    driver.grab(Grab::Rotate);
    driver.key(Key::Y);
    driver.type_number("90");
    driver.key(Key::Enter);
    let rest = |place| driver.session.document().object(lattice).unwrap().as_lattice().unwrap().rest(place);
    let (corner, size) = (rest([0, 2, 0]), rest([2, 2, 2]).x);
    let at = corner + offset(driver.session.document(), lattice, [0, 2, 0], 0.0);
    // A quarter turn about Y takes (-x, -z) to (-x, x).
    assert!((at - Vec3::new(-size, corner.y + 0.5, size)).norm() < 1e-9, "{at}");
    driver.grab(Grab::Scale);
    driver.type_number("0.5");
    driver.key(Key::Enter);
    let at = corner + offset(driver.session.document(), lattice, [0, 2, 0], 0.0);
    assert!((at - Vec3::new(-size / 2.0, corner.y + 0.5, size / 2.0)).norm() < 1e-9, "{at}");
    let steps = driver.steps();
    driver.grab(Grab::Scale);
    driver.type_number("3");
    driver.key(Key::Escape);
    assert_eq!(driver.steps(), steps);
    for _ in 0..3 {
        driver.session.undo();
    }
    assert_eq!(offset(driver.session.document(), lattice, [1, 2, 1], 0.0), Vec3::zeros());
}

#[test]
fn points_are_dragged_softly_and_on_both_sides() {
    let (document, _, lattice) = scene([5, 2, 2], Basis::Linear);
    let mut driver = Driver::new(document);
    driver.view.apply(ViewChange::Camera(driver.view.camera.along(ViewDirection::Front)));
    driver.frame_all();
    driver.take(ToolId::DragLimb);
    driver.view.apply(ViewChange::Points(PointPrefs { soft: true, radius: 0.3, mirror: [true, false, false] }));
    driver.session.select(Selection::single(Target::Point(lattice, Lattice::id_at([4, 1, 1]))));
    let from = on_screen(&mut driver, lattice, [4, 1, 1]);
    driver.drag(from, [from[0] + 40.0, from[1] - 40.0], 5);
    let by = |place| offset(driver.session.document(), lattice, place, 0.0);
    let (own, image, near, far) = (by([4, 1, 1]), by([0, 1, 1]), by([3, 1, 1]), by([2, 1, 1]));
    assert!(own.x > 0.05 && own.y > 0.05, "{own}");
    assert!((image - Vec3::new(-own.x, own.y, own.z)).norm() < 1e-12);
    let share = PointPrefs { soft: true, radius: 0.3, mirror: [false; 3] }.share(1.01 / 4.0);
    assert!(share > 0.0 && (near - own * share).norm() < 1e-3 * own.norm(), "{near} {}", own * share);
    assert_eq!(far, Vec3::zeros());
    assert_eq!(driver.steps(), 1);
}

#[test]
fn a_lattice_in_hand_is_picked_and_nothing_else() {
    let (document, mesh, lattice) = scene([2, 2, 2], Basis::Bernstein);
    let mut driver = Driver::new(document);
    let point = on_screen(&mut driver, lattice, [1, 1, 1]);
    driver.click(point);
    assert!(!driver.session.selection().targets.iter().any(|target| matches!(target, Target::Point(..))));
    driver.session.select(Selection::single(Target::Object(lattice)));
    driver.click(point);
    assert_eq!(driver.session.selection().active, Some(Target::Point(lattice, Lattice::id_at([1, 1, 1]))));
    // A press on the mesh begins no drag of the mesh.
    let before = driver.session.document().clone();
    let middle = driver.camera().project(&Vec3::zeros()).unwrap();
    let mut miss = || {
        driver.drag([middle[0] + 30.0, middle[1] + 30.0], [middle[0] + 60.0, middle[1] + 50.0], 3);
        assert!(Arc::ptr_eq(&before, driver.session.document()));
        driver.session.selection().clone()
    };
    // A box around no point leaves the lattice in hand; the next one lays it down.
    assert_eq!(miss(), Selection::single(Target::Object(lattice)));
    assert!(miss().targets.is_empty());
    driver.click([middle[0] + 40.0, middle[1] + 40.0]);
    assert_eq!(driver.session.selection().active, Some(Target::Object(mesh)));
}

#[test]
fn degenerate_lattices_and_meshes_are_finite() {
    let (mut document, mesh, lattice) = scene([3, 3, 3], Basis::BSpline);
    let moved = DeformEdit::SetOffsets { object: lattice, offsets: vec![(Lattice::id_at([1, 1, 1]), Vec3::x())] };
    Edit::from(moved).apply(&mut document).unwrap();
    let scales = [Vec3::zeros(), Vec3::new(1.0, 0.0, 1.0), Vec3::repeat(1e-200), Vec3::repeat(-1.0), Vec3::repeat(1e9)];
    for scale in scales {
        document.object_mut(lattice).unwrap().transform.scale = scale;
        let found = document.object(mesh).unwrap().as_mesh().unwrap().clone();
        let state = state(&document, mesh, 0.0);
        let drawn = posed(&found, &state);
        let finite = |v: &[f32; 3]| v.iter().all(|x| x.is_finite());
        assert!(drawn.positions.iter().chain(&drawn.normals).all(finite), "{scale}");
        assert!(positions(&found, &state).iter().all(|at| at.iter().all(|x| x.is_finite())), "{scale}");
    }
    document.object_mut(lattice).unwrap().transform.scale = Vec3::repeat(1.0);
    let flat = DeformEdit::SetBox { object: lattice, size: Vec3::new(1.0, 0.0, 1.0), falloff: 9.0 };
    Edit::from(flat).apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    assert!(state(&document, mesh, 0.0).steps.is_empty());
    // Points of a lattice that is nothing cannot be moved, and nothing breaks.
    let edit = points_edit(&document, lattice, 0.0, &[(Lattice::id_at([0, 0, 0]), Vec3::y())], AutoKey::On).unwrap();
    edit.apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
}

/// A tube on two joints, one above the other, that each vertex follows by its height.
fn limb() -> (Document, ObjectId, [ObjectId; 2]) {
    let mut document = Document::default();
    let joints = ["lower", "upper"].map(|name| document.add_object(Object::new(name, ObjectKind::Empty)));
    let mut mesh = Shape::Tube.mesh(4);
    let up = |at: &[f32; 3]| (at[1] + 0.5).clamp(0.0, 1.0);
    let weights: Vec<f32> = mesh.geometry.positions.iter().flat_map(|at| [1.0 - up(at), up(at)]).collect();
    let joint =
        |object| SkinJoint { joint: Parent::Object(object), joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY) };
    mesh.skin = Some(Arc::new(Skin {
        name: String::new(),
        joints: joints.map(joint).to_vec(),
        per_vertex: 2,
        influences: weights.iter().enumerate().map(|(slot, _)| u16::from(slot % 2 == 1)).collect(),
        weights: weights.into(),
    }));
    let mesh = document.add_object(Object::new("Limb", ObjectKind::Mesh(Arc::new(mesh))));
    (document, mesh, joints)
}

/// The least distance of the outer vertices at about a height from the axis.
fn radius(places: &[Vec3], rest: &[Vec3]) -> f64 {
    let middle = |at: &Vec3| at.y.abs() < 0.07 && at.xz().norm() > 0.2;
    let near = places.iter().zip(rest).filter(|(_, rest)| middle(rest));
    near.map(|(at, _)| at.xz().norm()).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_twisted_limb_keeps_its_volume_by_dual_quaternions_and_the_blend_is_keyed() {
    let (mut document, mesh, [_, upper]) = limb();
    let rest = places(&document, mesh, 0.0);
    document.object_mut(upper).unwrap().transform.rotation = from_axis_angle(&Vec3::y(), 2.8);
    let path = ChannelPath::object(mesh, Property::Blend, Component::Only);
    let keys = key_number(&document, path, &[(0.0, 0.0), (1.0, 1.0)]).unwrap();
    keys.apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    let at = |secs: f64| places(&document, mesh, secs);
    assert!(radius(&at(0.0), &rest) < 0.1 && radius(&at(1.0), &rest) > 0.249, "{}", radius(&at(1.0), &rest));
    let between = at(0.5);
    assert!((0.1..0.249).contains(&radius(&between, &rest)));
    for secs in [0.0, 0.5, 1.0] {
        let found = document.object(mesh).unwrap().as_mesh().unwrap();
        let drawn = posed(found, &state(&document, mesh, secs));
        for (drawn, truth) in drawn.positions.iter().zip(at(secs)) {
            assert!((Vec3::from(drawn.map(f64::from)) - truth).norm() < 1e-5);
        }
    }
}

#[test]
fn frozen_stacks_leave_every_vertex_where_it_is_and_can_be_undone() {
    for to in [FreezeTo::Mesh, FreezeTo::Morph("it".to_owned())] {
        for (skinned, dual) in [(false, 0.0), (true, 0.0), (true, 0.6)] {
            let (mut document, mesh, [_, upper]) = limb();
            if skinned {
                document.object_mut(upper).unwrap().transform.rotation = from_axis_angle(&Vec3::x(), 0.9);
            }
            let Some(ObjectKind::Mesh(own)) = document.object_mut(mesh).map(|object| &mut object.kind) else {
                panic!()
            };
            let own = Arc::make_mut(own);
            own.dual = dual;
            if !skinned {
                own.skin = None;
            }
            let mut bend = Deformer::new(DeformerKind::Bend);
            bend.numbers.insert(Property::Angle, 0.7);
            let bend = Object::new("bend", ObjectKind::Deformer(bend));
            add_to_stack(&document, bend, (&[mesh], None)).unwrap().1.apply(&mut document).unwrap();
            let before = places(&document, mesh, 0.0);
            let mut session = Session::new(document);
            let frame = Evaluator::new().frame(session.document(), 0.0);
            let edit = freeze(session.document(), &frame, mesh, &to).unwrap();
            session.apply("x", &edit).unwrap();
            assert_eq!(session.document().problems(), []);
            let frozen = session.document().object(mesh).unwrap().as_mesh().unwrap().clone();
            assert!(frozen.stack.is_empty() && frozen.morphs.len() == usize::from(to != FreezeTo::Mesh));
            for (a, b) in places(session.document(), mesh, 0.0).iter().zip(&before) {
                assert!((a - b).norm() < 1e-5, "{to:?} {skinned} {dual}");
            }
            session.undo();
            assert_eq!(places(session.document(), mesh, 0.0), before);
        }
    }
    let (document, _, [lower, _]) = limb();
    let frame = Evaluator::new().frame(&document, 0.0);
    assert!(freeze(&document, &frame, lower, &FreezeTo::Mesh).is_err());
}
