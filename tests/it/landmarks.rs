//! Surfaces pulled by landmarks, warps, painted masks and flexors, through the view as by hand.

use crate::support::driver::Driver;
use inbetween::{
    edit::{
        DeformEdit, Edit, Selection,
        deform::{FreezeTo, add_to_stack, flexor, freeze},
        pose::pose_edit,
    },
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    interact::{
        camera::ViewDirection,
        input::{Key, ScreenPos},
        point_prefs::PointPrefs,
        view_state::{ToolId, ViewChange},
    },
    math::{Affine, Quat, Vec3, rbf::Kernel},
    model::{
        Deformer, DeformerKind, Document, Mask, Object, ObjectId, ObjectKind, Parent, Skin, SkinJoint, StackEntry,
        Target,
    },
    samples::shapes::Shape,
};
use std::sync::Arc;

fn ball() -> (Driver, ObjectId) {
    let mut document = Document::default();
    let mesh = document.add_object(Object::new("Ball", ObjectKind::Mesh(Arc::new(Shape::Sphere.mesh(8)))));
    let mut driver = Driver::new(document);
    driver.view.apply(ViewChange::Camera(driver.view.camera.along(ViewDirection::Front)));
    driver.frame_all();
    driver.view.apply(ViewChange::Points(PointPrefs { radius: 0.2, ..PointPrefs::default() }));
    driver.take(ToolId::Pull);
    (driver, mesh)
}

fn places(document: &Document, mesh: ObjectId, secs: f64) -> Vec<Vec3> {
    let state = mesh_state(document, &Evaluator::new().frame(document, secs), mesh).unwrap();
    positions(document.object(mesh).unwrap().as_mesh().unwrap(), &state)
}

fn middle(driver: &mut Driver) -> ScreenPos {
    driver.camera().project(&Vec3::zeros()).unwrap()
}

#[test]
fn a_pulled_surface_is_one_step_and_esc_gives_back_the_same() {
    let (mut driver, mesh) = ball();
    let before = driver.session.document().clone();
    let at = middle(&mut driver);
    driver.pull(at, [at[0] + 50.0, at[1]], 4);
    driver.key(Key::Escape);
    assert!(Arc::ptr_eq(&before, driver.session.document()));
    let rest = places(&before, mesh, 0.0);
    driver.drag(at, [at[0] + 50.0, at[1]], 5);
    assert_eq!(driver.steps(), 1);
    let document = driver.session.document().clone();
    assert_eq!(document.problems(), []);
    let now = places(&document, mesh, 0.0);
    let by: Vec<Vec3> = now.iter().zip(&rest).map(|(a, b)| a - b).collect();
    let most = by.iter().map(|by| by.norm()).fold(0.0, f64::max);
    assert!(most > 0.05, "{most}");
    // What is behind is farther than the reach and stays to the bit; the front goes to the side.
    for (by, rest) in by.iter().zip(&rest) {
        if rest.z < 0.0 {
            assert_eq!(*by, Vec3::zeros());
        }
        assert!(by.x >= 0.0 && by.y.abs() < 1e-3);
    }
    // The landmark is in hand: dragged again it moves on, and its channels are those of a point.
    let Some(target @ Target::Point(deformer, _)) = driver.session.selection().active else { panic!() };
    assert!(document.object(deformer).unwrap().as_deformer().unwrap().kind == DeformerKind::Drag);
    let spot = [at[0] + 50.0, at[1]];
    driver.drag(spot, [spot[0], spot[1] - 40.0], 4);
    assert_eq!((driver.steps(), driver.session.selection().active), (2, Some(target)));
    let up = places(driver.session.document(), mesh, 0.0);
    assert!(up.iter().zip(&now).any(|(a, b)| a.y - b.y > 0.4 * most));
    // Frozen to a shape every vertex stays.
    let frame = Evaluator::new().frame(driver.session.document(), 0.0);
    let edit = freeze(driver.session.document(), &frame, mesh, &FreezeTo::Morph("pulled".to_owned())).unwrap();
    driver.session.apply("x", &edit).unwrap();
    let frozen = places(driver.session.document(), mesh, 0.0);
    assert!(frozen.iter().zip(&up).all(|(a, b)| (a - b).norm() < 1e-6));
    while driver.session.undo() {}
    assert_eq!(places(driver.session.document(), mesh, 0.0), rest);
}

#[test]
fn a_warp_takes_landmarks_by_clicks_and_goes_through_them_by_drags() {
    let (mut driver, mesh) = ball();
    let warp = Object::new("Warp", ObjectKind::Deformer(Deformer::new(DeformerKind::Warp)));
    let (warp, edit) = add_to_stack(driver.session.document(), warp, (&[mesh], None)).unwrap();
    driver.session.apply("x", &edit).unwrap();
    driver.session.select(Selection::single(Target::Object(warp)));
    let at = middle(&mut driver);
    let rest = places(driver.session.document(), mesh, 0.0);
    for by in [[0.0, 0.0], [60.0, 0.0], [-60.0, 0.0], [0.0, 60.0], [0.0, -60.0]] {
        driver.click([at[0] + by[0], at[1] + by[1]]);
    }
    let count =
        |driver: &Driver| driver.session.document().object(warp).unwrap().as_deformer().unwrap().landmarks.len();
    assert_eq!((count(&driver), driver.steps()), (5, 6));
    assert_eq!(places(driver.session.document(), mesh, 0.0), rest, "landmarks at rest move nothing, to the bit");
    driver.drag(at, [at[0] + 30.0, at[1]], 4);
    assert_eq!(count(&driver), 5, "the landmark there is dragged, none is put");
    assert_ne!(places(driver.session.document(), mesh, 0.0), rest);
    for kernel in Kernel::ALL {
        driver.session.apply("x", &DeformEdit::SetKernel { object: warp, kernel }.into()).unwrap();
        assert!(places(driver.session.document(), mesh, 0.0).iter().flatten().all(|x| x.is_finite()));
        assert_eq!(driver.session.document().problems(), []);
    }
    // Another one where it already warps changes nothing much: it begins where the surface is carried.
    let before = places(driver.session.document(), mesh, 0.0);
    driver.click([at[0] + 30.0, at[1] + 30.0]);
    let after = places(driver.session.document(), mesh, 0.0);
    let worst = after.iter().zip(&before).map(|(a, b)| (a - b).norm());
    assert!(count(&driver) == 6 && worst.fold(0.0, f64::max) < 1e-6);
}

#[test]
fn a_painted_mask_decides_where_a_deformer_acts() {
    let (mut driver, mesh) = ball();
    let mut bend = Deformer::new(DeformerKind::Twist);
    bend.numbers.insert(inbetween::model::Property::Angle, 1.0);
    let twist = Object::new("Twist", ObjectKind::Deformer(bend));
    let (_, edit) = add_to_stack(driver.session.document(), twist, (&[mesh], None)).unwrap();
    driver.session.apply("x", &edit).unwrap();
    driver.take(ToolId::Mask);
    let rest =
        places(&Document { objects: driver.session.document().objects.clone(), ..Document::default() }, mesh, 0.0);
    let at = middle(&mut driver);
    let before = driver.session.document().clone();
    driver.pull(at, [at[0] + 20.0, at[1]], 3);
    driver.key(Key::Escape);
    assert!(Arc::ptr_eq(&before, driver.session.document()));
    driver.drag(at, [at[0] + 20.0, at[1] + 40.0], 6);
    let document = driver.session.document().clone();
    assert_eq!((driver.steps(), document.problems()), (2, Vec::new()));
    let own = document.object(mesh).unwrap().as_mesh().unwrap();
    let Some(Mask::Painted(mask)) = own.stack[0].mask else { panic!("{:?}", own.stack) };
    let weights = &own.mask(mask).unwrap().weights;
    assert!(weights.iter().any(|w| *w > 0.6) && weights.iter().filter(|w| **w == 0.0).count() > weights.len() / 2);
    let (unmasked, now) = (rest, places(&document, mesh, 0.0));
    let bare: Vec<Vec3> = own.geometry.positions.iter().map(|at| Vec3::from(at.map(f64::from))).collect();
    for (vertex, weight) in weights.iter().enumerate() {
        let wanted = bare[vertex] + (unmasked[vertex] - bare[vertex]) * f64::from(*weight);
        assert!((now[vertex] - wanted).norm() < 1e-9, "{vertex}");
    }
    let edit = DeformEdit::DeleteMask { object: mesh, mask };
    driver.session.apply("x", &edit.into()).unwrap();
    assert_eq!(driver.session.document().problems(), []);
    assert_eq!(places(driver.session.document(), mesh, 0.0), unmasked);
}

#[test]
fn reach_fades_a_deformer_and_lattices_too() {
    let mut document = Document::default();
    let mesh = document.add_object(Object::new("Ball", ObjectKind::Mesh(Arc::new(Shape::Sphere.mesh(6)))));
    let mut shear = Deformer::new(DeformerKind::Wave);
    shear.numbers.insert(inbetween::model::Property::Amplitude, 0.1);
    let shear = Object::new("Wave", ObjectKind::Deformer(shear));
    add_to_stack(&document, shear, (&[mesh], None)).unwrap().1.apply(&mut document).unwrap();
    let full = places(&document, mesh, 0.0);
    let entry = document.object(mesh).unwrap().as_mesh().unwrap().stack[0];
    for (reach, moves) in [(0.4, false), (1e3, true)] {
        let entry = StackEntry { reach, ..entry };
        Edit::from(DeformEdit::SetEntry { object: mesh, entry }).apply(&mut document).unwrap();
        let bare = document.object(mesh).unwrap().as_mesh().unwrap().geometry.positions.clone();
        for ((now, full), bare) in places(&document, mesh, 0.0).iter().zip(&full).zip(bare.iter()) {
            let bare = Vec3::from(bare.map(f64::from));
            // The ball's surface is half a metre from the middle.
            if moves {
                assert!((now - full).norm() < 1e-4);
            } else {
                assert_eq!(*now, bare);
            }
        }
    }
    let wrong = StackEntry { reach: f64::NAN, ..entry };
    assert!(Edit::from(DeformEdit::SetEntry { object: mesh, entry: wrong }).apply(&mut document).is_err());
    let unknown = StackEntry { mask: Some(Mask::Painted(inbetween::model::MaskId(7))), ..entry };
    assert!(Edit::from(DeformEdit::SetEntry { object: mesh, entry: unknown }).apply(&mut document).is_err());
}

#[test]
fn a_muscle_swells_as_its_joint_bends() {
    let mut document = inbetween::samples::walker();
    let rig = document.rigs().next().map(|(id, ..)| id).unwrap();
    let skeleton = document.object(rig).unwrap().as_rig().unwrap().skeleton.clone();
    let forearm = skeleton.joints().iter().find(|joint| joint.name.contains("forearm") && joint.name.ends_with(".l"));
    let forearm =
        forearm.or_else(|| skeleton.joints().iter().find(|joint| joint.parent.is_some_and(|p| p.0 > 2))).unwrap();
    let above = forearm.parent.unwrap();
    let frame = Evaluator::new().frame(&document, 0.0);
    assert!(flexor(&document, &frame, rig, forearm.id).is_err(), "nothing follows the bone yet");
    // A tube along the bone, bound to it as it is at rest.
    let index = skeleton.index_of(above).unwrap();
    let length = forearm.rest.translation.norm();
    let mut tube = Shape::Tube.mesh(3);
    let geometry = Arc::make_mut(&mut tube.geometry);
    let way = forearm.rest.translation / length;
    let turn = Quat::rotation_between(&Vec3::y(), &way).unwrap_or_default();
    let along = |at: &[f32; 3]| {
        let own = Vec3::new(f64::from(at[0]) * 0.2, (f64::from(at[1]) + 0.5) * length, f64::from(at[2]) * 0.2);
        let at = turn * own;
        [at.x as f32, at.y as f32, at.z as f32]
    };
    geometry.positions = geometry.positions.iter().map(along).collect();
    let joint = Parent::Joint(rig, above);
    tube.skin = Some(Arc::new(Skin {
        joints: vec![SkinJoint { joint, joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY) }],
        per_vertex: 1,
        influences: vec![0; tube.len()].into(),
        weights: vec![1.0; tube.len()].into(),
        ..Skin::default()
    }));
    let mesh = document.add_object(Object::new("Arm", ObjectKind::Mesh(Arc::new(tube))));
    let bend = |document: &Document, angle: f64| {
        let mut local =
            inbetween::eval::sample::rig_pose(document, rig, 0.0).unwrap()[skeleton.index_of(forearm.id).unwrap()];
        local.rotation = forearm.rest.rotation * Quat::from_axis_angle(&Vec3::x_axis(), angle);
        pose_edit(document, rig, 0.0, &[(forearm.id, local)], inbetween::edit::AutoKey::On).unwrap()
    };
    bend(&document, 0.0).apply(&mut document).unwrap();
    let frame = Evaluator::new().frame(&document, 0.0);
    assert!(flexor(&document, &frame, rig, forearm.id).is_err(), "it is not bent");
    bend(&document, 1.2).apply(&mut document).unwrap();
    let frame = Evaluator::new().frame(&document, 0.0);
    let (_, edit) = flexor(&document, &frame, rig, forearm.id).unwrap();
    edit.apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    let girth = |document: &Document| {
        let frame = Evaluator::new().frame(document, 0.0);
        let inverse = frame.joint_world(rig, index).unwrap().try_inverse().unwrap();
        let off = |at: &Vec3| {
            let own = turn.inverse() * inverse.point(at);
            (own.xz().norm(), own.y)
        };
        let middle = places(document, mesh, 0.0);
        middle.iter().map(off).filter(|(_, y)| (0.3..0.7).contains(&(y / length))).map(|(r, _)| r).fold(0.0, f64::max)
    };
    let swollen = girth(&document);
    bend(&document, 0.0).apply(&mut document).unwrap();
    let thin = girth(&document);
    assert!(swollen > 1.2 * thin, "{swollen} {thin}");
}
