//! Faces: shapes mirrored, kept, mixed and corrected; the sample face; glTF of what mixes and corrects.

use inbetween::{
    edit::{
        Edit, MeshEdit, Session,
        numbers::key_number,
        shapes::{corrective, mirrored_shape, mixture, present_shape, taken_shape},
    },
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    io::{
        gltf::{GltfExport, export, parse, to_parts},
        report::Report,
        ron,
    },
    math::Vec3,
    model::{
        ChannelPath, Clip, Component, Document, FrameRange, MorphGroup, MorphId, Object, ObjectId, ObjectKind,
        Property, Target,
    },
    progress::Progress,
    samples::face,
};
use std::sync::Arc;

fn scene() -> (Session, ObjectId) {
    let mut document = Document::default();
    let face = document.add_object(Object::new("Face", ObjectKind::Mesh(Arc::new(face::head()))));
    (Session::new(document), face)
}

fn weigh(session: &mut Session, object: ObjectId, name: &str, weight: f64) -> MorphId {
    let mesh = session.document().object(object).unwrap().as_mesh().unwrap().clone();
    let morph = mesh.morphs.iter().find(|morph| morph.name.starts_with(name)).unwrap().id;
    session.apply("x", &MeshEdit::SetWeight { object, morph, weight }.into()).unwrap();
    morph
}

fn shown(document: &Document, object: ObjectId) -> Vec<Vec3> {
    let frame = Evaluator::new().frame(document, 0.0);
    let mesh = document.object(object).unwrap().as_mesh().unwrap();
    positions(mesh, &mesh_state(document, &frame, object).unwrap())
}

#[test]
fn the_mirror_image_of_a_side_is_the_other_side() {
    let (mut session, face) = scene();
    let left = weigh(&mut session, face, "AU12L", 0.0);
    let (edit, alone) = mirrored_shape(session.document(), face, left).unwrap();
    assert_eq!(alone, 0);
    session.apply("x", &edit).unwrap();
    assert_eq!(session.document().problems(), []);
    let mesh = session.document().object(face).unwrap().as_mesh().unwrap();
    let (own, image) = (mesh.morphs.iter().find(|m| m.name.starts_with("AU12R")).unwrap(), mesh.morphs.last().unwrap());
    assert_eq!(image.name, own.name);
    for (a, b) in own.positions.iter().zip(&*image.positions) {
        assert!((0..3).all(|axis| (a[axis] - b[axis]).abs() < 2e-6), "{a:?} {b:?}");
    }
}

#[test]
fn the_present_shape_and_the_present_mixture_give_the_face_again() {
    let (mut session, face) = scene();
    let smile = weigh(&mut session, face, "AU12L", 0.7);
    let jaw = weigh(&mut session, face, "AU26", 0.5);
    let before = shown(session.document(), face);
    let frame = Evaluator::new().frame(session.document(), 0.0);
    let kept = present_shape(session.document(), &frame, face, "kept").unwrap();
    let mix = mixture(session.document(), &frame, face, ("mine", MorphGroup::Expression)).unwrap();
    for edit in [kept, mix] {
        let mut document = (**session.document()).clone();
        edit.apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
        for morph in [smile, jaw] {
            Edit::from(MeshEdit::SetWeight { object: face, morph, weight: 0.0 }).apply(&mut document).unwrap();
        }
        let morph = document.object(face).unwrap().as_mesh().unwrap().morphs.last().unwrap().id;
        Edit::from(MeshEdit::SetWeight { object: face, morph, weight: 1.0 }).apply(&mut document).unwrap();
        let worst = shown(&document, face).iter().zip(&before).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{worst}");
    }
}

#[test]
fn a_deleted_shape_leaves_what_was_made_of_it_sound() {
    let (mut session, face) = scene();
    let smile = weigh(&mut session, face, "AU12L", 0.0);
    let jaw = weigh(&mut session, face, "AU26", 0.0);
    for morph in [smile, jaw] {
        session.apply("x", &MeshEdit::DeleteMorph { object: face, morph }.into()).unwrap();
        assert_eq!(session.document().problems(), []);
    }
    let mesh = session.document().object(face).unwrap().as_mesh().unwrap();
    assert!(!mesh.morphs.iter().any(|morph| morph.name.contains("AU12L with")), "a corrective of nothing goes");
    assert!(taken_shape(session.document(), face, face).is_err());
    let frame = Evaluator::new().frame(session.document(), 0.0);
    assert!(corrective(session.document(), &frame, face, "it").is_err());
}

#[test]
fn mixtures_and_correctives_are_written_out_in_gltf_and_kept_in_ron() {
    let (session, face) = scene();
    let mut document = (**session.document()).clone();
    let clip = document.add_clip(Clip::new("talk", FrameRange::new(0, 24)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let path = |name: &str| {
        let mesh = document.object(face).unwrap().as_mesh().unwrap();
        let morph = mesh.morphs.iter().find(|morph| morph.name.starts_with(name)).unwrap().id;
        ChannelPath { target: Target::Morph(face, morph), property: Property::Weight, component: Component::Only }
    };
    let keys = [
        (path("Happy"), vec![(0.0, 0.0), (0.5, 1.0), (1.0, 0.2)]),
        (path("AA"), vec![(0.0, 0.0), (0.4, 1.0)]),
        (path("AU1L"), vec![(0.0, 0.3), (1.0, 1.4)]),
    ];
    for (path, keys) in keys {
        key_number(&document, path, &keys).unwrap().apply(&mut document).unwrap();
    }
    assert_eq!(document.problems(), []);
    assert_eq!(ron::load(&ron::save(&document).unwrap()).unwrap(), document);
    let written = export(&document, GltfExport::default(), &Progress::new(), &mut Report::new()).unwrap();
    let read = to_parts(&parse(&written.bytes, None).unwrap(), "it", 1, &mut Report::new()).unwrap().into_document();
    assert_eq!(read.problems(), []);
    let own = *read.objects.keys().next().unwrap();
    let at = |document: &Document, object, secs| {
        let frame = Evaluator::new().frame(document, secs);
        let mesh = document.object(object).unwrap().as_mesh().unwrap();
        positions(mesh, &mesh_state(document, &frame, object).unwrap())
    };
    for n in 0..20 {
        let secs = f64::from(n) * 0.0517;
        let (a, b) = (at(&document, face, secs), at(&read, own, secs));
        let worst = a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(worst < 1e-5, "{worst} at {secs}");
    }
}
