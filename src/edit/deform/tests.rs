use super::*;
use crate::{
    edit::{AutoKey, ObjectEdit, Session, pose::points_edit},
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    math::Transform,
    model::{Clip, FrameRange, Geometry, Object},
};

/// A mesh of points in a cube of 2 around its object at (5, 0, 0), and a lattice around it.
fn scene() -> (Session, ObjectId, ObjectId) {
    let mut places = Vec::new();
    for i in 0..27_u8 {
        let at = [i % 3, i / 3 % 3, i / 9].map(|n| f32::from(n) - 1.0);
        places.push(at);
    }
    let geometry = Geometry { positions: Arc::from(places), ..Geometry::default() };
    let parts = vec![crate::model::MeshPart { vertices: 27, indices: 0, material: None }];
    let mesh = Mesh { geometry: Arc::new(geometry), parts, ..Mesh::default() };
    let mut document = Document::default();
    let mut object = Object::new("Box", ObjectKind::Mesh(Arc::new(mesh)));
    object.transform = Transform::from_translation(Vec3::new(5.0, 0.0, 0.0));
    let mesh = document.add_object(object);
    let frame = Evaluator::new().frame(&document, 0.0);
    let lattice = Lattice { counts: [3, 2, 4], ..Lattice::default() };
    let lattice = Object::new("Lattice", ObjectKind::Lattice(Arc::new(lattice)));
    let lattice = fitted(&document, &frame, (&[mesh], None), lattice, None);
    let (id, edit) = add_to_stack(&document, lattice, (&[mesh], None)).unwrap();
    let mut session = Session::new(document);
    session.apply("history.lattice_point", &edit).unwrap();
    (session, mesh, id)
}

fn places(document: &Document, mesh: ObjectId, secs: f64) -> Vec<Vec3> {
    let frame = Evaluator::new().frame(document, secs);
    let state = mesh_state(document, &frame, mesh).unwrap();
    positions(document.object(mesh).unwrap().as_mesh().unwrap(), &state)
}

fn move_points(session: &mut Session, lattice: ObjectId, secs: f64, auto_key: AutoKey) {
    let found = session.document().object(lattice).unwrap().as_lattice().unwrap().clone();
    let wave = |n: usize| ((n * 7 + 3) % 11) as f64 / 11.0 - 0.5;
    let offset = |(point, [i, j, k]): (PointId, [usize; 3])| {
        (point, Vec3::new(wave(i + 2 * j), wave(j + 3 * k), wave(k + i)) * (1.0 + secs))
    };
    let offsets: Vec<_> = found.points().map(offset).collect();
    let edit = points_edit(session.document(), lattice, secs, &offsets, auto_key).unwrap();
    session.apply("history.lattice_point", &edit).unwrap();
    assert_eq!(session.document().problems(), []);
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn a_fitted_lattice_holds_the_mesh_and_deleting_it_leaves_the_mesh_at_rest() {
    let (mut session, mesh, lattice) = scene();
    let rest = places(session.document(), mesh, 0.0);
    let all: Vec<_> = session
        .document()
        .object(lattice)
        .unwrap()
        .as_lattice()
        .unwrap()
        .points()
        .map(|(p, _)| (p, Vec3::y()))
        .collect();
    session.apply("history.lattice_point", &DeformEdit::SetOffsets { object: lattice, offsets: all }.into()).unwrap();
    let moved = places(session.document(), mesh, 0.0);
    assert!(rest.iter().zip(&moved).all(|(a, b)| (b - a - Vec3::y()).norm() < 1e-12));
    session.apply("history.lattice_point", &ObjectEdit::Delete { objects: vec![lattice] }.into()).unwrap();
    assert_eq!(session.document().problems(), []);
    assert_eq!(places(session.document(), mesh, 0.0), rest);
    session.undo();
    assert_eq!(places(session.document(), mesh, 0.0), moved);
}

#[test]
fn points_are_keyed_and_reset_and_poses_kept() {
    let (mut session, mesh, lattice) = scene();
    session
        .apply(
            "history.lattice_point",
            &crate::edit::ClipEdit::Add {
                id: crate::model::ClipId(session.document().next_id),
                clip: Arc::new(Clip::new("clip", FrameRange::new(0, 24))),
            }
            .into(),
        )
        .unwrap();
    let clip = *session.document().clips.keys().next().unwrap();
    session.apply("history.lattice_point", &crate::edit::SettingsEdit::SetClip(Some(clip)).into()).unwrap();
    let rest = places(session.document(), mesh, 0.0);
    move_points(&mut session, lattice, 0.0, AutoKey::WholePose);
    move_points(&mut session, lattice, 1.0, AutoKey::WholePose);
    let (a, b) = (places(session.document(), mesh, 0.0), places(session.document(), mesh, 1.0));
    assert!(farthest(&a, &rest) > 0.1 && farthest(&b, &a) > 0.1);
    let offsets = crate::eval::deform::offsets(
        session.document(),
        lattice,
        session.document().object(lattice).unwrap().as_lattice().unwrap(),
        1.0,
    );
    let points = session.document().object(lattice).unwrap().as_lattice().unwrap().points();
    let offsets = points.map(|(point, _)| point).zip(offsets).collect();
    session.apply("x", &DeformEdit::KeepPose { object: lattice, name: "bulge".into(), offsets }.into()).unwrap();
    let edit = reset(session.document(), lattice, &[], 0.5, AutoKey::On).unwrap();
    session.apply("x", &edit).unwrap();
    assert!(farthest(&places(session.document(), mesh, 0.5), &rest) < 1e-12);
    let edit = take_pose(session.document(), lattice, "bulge", 0.5, AutoKey::On).unwrap();
    session.apply("x", &edit).unwrap();
    assert!(farthest(&places(session.document(), mesh, 0.5), &b) < 1e-12);
    assert_eq!(places(session.document(), mesh, 0.0), a);
    assert!(take_pose(session.document(), lattice, "none", 0.5, AutoKey::On).is_err());
}

#[test]
fn more_bernstein_points_change_nothing_and_fewer_say_how_much() {
    let (mut session, mesh, lattice) = scene();
    move_points(&mut session, lattice, 0.0, AutoKey::On);
    let before = places(session.document(), mesh, 0.0);
    let bases = [Basis::Bernstein; 3];
    let more = regrid(session.document(), lattice, [5, 16, 4], bases).unwrap();
    assert!(more.error < 1e-12, "{}", more.error);
    session.apply("x", &more.edit).unwrap();
    assert_eq!(session.document().problems(), []);
    assert!(farthest(&places(session.document(), mesh, 0.0), &before) < 1e-12);
    let fewer = regrid(session.document(), lattice, [2, 2, 2], bases).unwrap();
    session.apply("x", &fewer.edit).unwrap();
    let apart = farthest(&places(session.document(), mesh, 0.0), &before);
    assert!(fewer.error > 1e-3 && apart > 1e-3 && apart <= fewer.error + 1e-9, "{apart} {}", fewer.error);
    let spline = regrid(session.document(), lattice, [6, 6, 6], [Basis::BSpline, Basis::Linear, Basis::Bernstein]);
    session.apply("x", &spline.unwrap().edit).unwrap();
    assert_eq!(session.document().problems(), []);
    assert!(regrid(session.document(), lattice, [0, 2, 2], bases).is_err());
}

#[test]
fn keyed_points_keep_their_shapes_at_the_keys_of_another_resolution() {
    let (mut session, mesh, lattice) = scene();
    move_points(&mut session, lattice, 0.0, AutoKey::WholePose);
    move_points(&mut session, lattice, 1.0, AutoKey::WholePose);
    let (a, b) = (places(session.document(), mesh, 0.0), places(session.document(), mesh, 1.0));
    let change = regrid(session.document(), lattice, [4, 3, 5], [Basis::Bernstein; 3]).unwrap();
    assert!(change.error < 1e-12);
    session.apply("x", &change.edit).unwrap();
    assert_eq!(session.document().problems(), []);
    assert!(farthest(&places(session.document(), mesh, 0.0), &a) < 1e-12);
    assert!(farthest(&places(session.document(), mesh, 1.0), &b) < 1e-12);
}

#[test]
fn the_order_of_the_stack_counts_and_bad_edits_are_refused() {
    let (mut session, mesh, lattice) = scene();
    let deformer = Object::new("Bend", ObjectKind::Deformer(Deformer::new(crate::model::DeformerKind::Bend)));
    let (bend, edit) = add_to_stack(session.document(), deformer, (&[mesh], None)).unwrap();
    session.apply("x", &edit).unwrap();
    let number = |property, value| -> Edit { DeformEdit::SetNumber { object: bend, property, value }.into() };
    session.apply("x", &number(Property::Angle, 1.0)).unwrap();
    move_points(&mut session, lattice, 0.0, AutoKey::On);
    let before = places(session.document(), mesh, 0.0);
    let entry = session.document().object(mesh).unwrap().as_mesh().unwrap().stack[1].id;
    session.apply("x", &DeformEdit::MoveEntry { object: mesh, entry, to: 0 }.into()).unwrap();
    assert!(farthest(&places(session.document(), mesh, 0.0), &before) > 1e-3);
    let own = |id, by| StackEntry::new(id, by);
    let bad: [Edit; 6] = [
        number(Property::Factor, 1.0),
        number(Property::Angle, f64::NAN),
        DeformEdit::AddEntry { object: mesh, entry: own(entry, lattice) }.into(),
        DeformEdit::AddEntry { object: mesh, entry: own(DeformerId(77), mesh) }.into(),
        DeformEdit::AddEntry { object: lattice, entry: own(DeformerId(0), lattice) }.into(),
        DeformEdit::SetOffsets { object: lattice, offsets: vec![(Lattice::id_at([9, 0, 0]), Vec3::x())] }.into(),
    ];
    for edit in bad {
        assert!(session.apply("x", &edit).is_err(), "{edit:?}");
    }
}
