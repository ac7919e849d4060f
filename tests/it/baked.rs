//! Deformer stacks in glTF: baked to morph targets within the error that was asked for, applied, or left out; read back and measured
//! against the document.

use inbetween::{
    edit::{
        AutoKey, DeformEdit, Edit,
        deform::{add_to_stack, fitted},
        numbers::key_number,
        pose::points_edit,
    },
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    io::{
        gltf::{DeformersOut, GltfExport, export, parse, to_parts},
        report::Report,
    },
    math::{Affine, Quat, Transform, Vec3, lattice::Basis},
    model::{
        ChannelPath, Clip, Component, Deformer, DeformerKind, Document, FrameRange, Lattice, Object, ObjectId,
        ObjectKind, Parent, Property, Skin, SkinJoint,
    },
    notice::Level,
    progress::Progress,
    samples::shapes::Shape,
};
use std::sync::Arc;

/// A skinned tube in a moving lattice that also twists, under a scaled object; with a clip.
pub(crate) fn moving() -> (Document, ObjectId) {
    let mut document = Document::default();
    let clip = document.add_clip(Clip::new("wave", FrameRange::new(0, 24)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let joints = ["lower", "upper"].map(|name| document.add_object(Object::new(name, ObjectKind::Empty)));
    document.object_mut(joints[1]).unwrap().transform =
        Transform { rotation: Quat::from_euler_angles(0.6, 0.2, 0.0), scale: Vec3::repeat(2.0), ..Transform::IDENTITY };
    document.object_mut(joints[1]).unwrap().parent = Some(Parent::Object(joints[0]));
    let mut mesh = Shape::Tube.mesh(3);
    let up = |at: &[f32; 3]| (at[1] + 0.5).clamp(0.0, 1.0);
    let weights: Vec<f32> = mesh.geometry.positions.iter().flat_map(|at| [1.0 - up(at), up(at)]).collect();
    let joint =
        |object| SkinJoint { joint: Parent::Object(object), joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY) };
    mesh.skin = Some(Arc::new(Skin {
        joints: joints.map(joint).to_vec(),
        per_vertex: 2,
        influences: weights.iter().enumerate().map(|(slot, _)| u16::from(slot % 2 == 1)).collect(),
        weights: weights.into(),
        ..Skin::default()
    }));
    let mesh = document.add_object(Object::new("Limb", ObjectKind::Mesh(Arc::new(mesh))));
    let frame = Evaluator::new().frame(&document, 0.0);
    let lattice = Lattice { counts: [3, 4, 2], bases: [Basis::Bernstein; 3], ..Lattice::default() };
    let lattice = Object::new("Cage", ObjectKind::Lattice(Arc::new(lattice)));
    let lattice = fitted(&document, &frame, (&[mesh], None), lattice, None);
    let (lattice, edit) = add_to_stack(&document, lattice, (&[mesh], None)).unwrap();
    edit.apply(&mut document).unwrap();
    let points = document.object(lattice).unwrap().as_lattice().unwrap().points();
    let points: Vec<_> = points.map(|(point, place)| (point, place.map(|n| n as f64))).collect();
    for secs in [0.0, 0.3, 0.55, 1.0] {
        let by = |place: &[f64; 3]| {
            Vec3::new((place[1] + 5.0 * secs).sin(), place[0] * secs, (3.0 * secs + place[2]).cos()) * 0.15
        };
        let all: Vec<_> = points.iter().map(|(point, place)| (*point, by(place))).collect();
        points_edit(&document, lattice, secs, &all, AutoKey::WholePose).unwrap().apply(&mut document).unwrap();
    }
    let twist = Object::new("Twist", ObjectKind::Deformer(Deformer::new(DeformerKind::Twist)));
    let (twist, edit) = add_to_stack(&document, twist, (&[mesh], None)).unwrap();
    edit.apply(&mut document).unwrap();
    let path = ChannelPath::object(twist, Property::Angle, Component::Only);
    key_number(&document, path, &[(0.0, 0.0), (0.5, 2.0), (1.0, -1.0)]).unwrap().apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    (document, mesh)
}

fn places(document: &Document, mesh: ObjectId, secs: f64) -> Vec<Vec3> {
    let state = mesh_state(document, &Evaluator::new().frame(document, secs), mesh).unwrap();
    positions(document.object(mesh).unwrap().as_mesh().unwrap(), &state)
}

fn again(document: &Document, options: GltfExport) -> (Document, ObjectId, Report) {
    let mut report = Report::new();
    let written = export(document, options, &Progress::new(), &mut report).unwrap();
    let file = parse(&written.bytes, None).unwrap();
    let read = to_parts(&file, "it", 1, &mut Report::new()).unwrap().into_document();
    assert_eq!(read.problems(), []);
    let mesh = read.objects.iter().find(|(_, object)| object.name == "Limb").map(|(id, _)| *id).unwrap();
    (read, mesh, report)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn a_moving_stack_is_baked_within_the_error_asked_for() {
    let (document, mesh) = moving();
    let mut sizes = Vec::new();
    for asked in [5e-3, 5e-4] {
        let (read, own, report) = again(&document, GltfExport { shape_tolerance: asked, ..GltfExport::default() });
        let targets = read.object(own).unwrap().as_mesh().unwrap().morphs.len();
        for n in 0..49 {
            let secs = f64::from(n) * 0.0207;
            let off = farthest(&places(&document, mesh, secs), &places(&read, own, secs));
            assert!(off <= asked + 2e-6, "{asked}: {off} at {secs} with {targets} targets");
        }
        let said = report.entries().iter().find(|entry| entry.done.contains("morph targets")).unwrap();
        assert!(said.level == Level::Info && said.place.to_string() == "Limb", "{said}");
        let left_out = |entry: &inbetween::io::report::Entry| entry.kind == "channel";
        assert!(!report.entries().iter().any(left_out), "what is baked is not told as lost");
        sizes.push(targets);
    }
    assert!(sizes.is_sorted() && sizes[0] >= 2 && sizes[1] < 40, "{sizes:?}");
    let bytes = || export(&document, GltfExport::default(), &Progress::new(), &mut Report::new()).unwrap().bytes;
    assert!(bytes() == bytes(), "the same file every time");
}

#[test]
fn dual_quaternions_are_baked_too_where_that_is_asked_for() {
    let (mut document, mesh) = moving();
    if let Some(ObjectKind::Mesh(own)) = document.object_mut(mesh).map(|object| &mut object.kind) {
        Arc::make_mut(own).dual = 1.0;
    }
    let options = GltfExport { bake_dual: true, ..GltfExport::default() };
    let (read, own, _) = again(&document, options);
    for secs in [0.0, 0.21, 0.5, 0.97] {
        let off = farthest(&places(&document, mesh, secs), &places(&read, own, secs));
        assert!(off <= 5e-4 + 2e-6, "{off} at {secs}");
    }
}

#[test]
fn a_still_stack_is_one_target_and_applied_is_one_shape() {
    let (mut document, mesh) = moving();
    let clip = *document.clips.keys().next().unwrap();
    document.clip_mut(clip).unwrap().channels.clear();
    let lattice = document.objects.iter().find(|(_, o)| o.as_lattice().is_some()).map(|(id, _)| *id).unwrap();
    let points = document.object(lattice).unwrap().as_lattice().unwrap().points();
    let offsets = points.map(|(point, place)| (point, Vec3::x() * 0.1 * place[1] as f64)).collect();
    Edit::from(DeformEdit::SetOffsets { object: lattice, offsets }).apply(&mut document).unwrap();
    let (read, own, _) = again(&document, GltfExport::default());
    let found = read.object(own).unwrap().as_mesh().unwrap();
    assert!(found.morphs.len() == 1 && read.clips.is_empty(), "{}", found.morphs.len());
    assert!(farthest(&places(&document, mesh, 0.0), &places(&read, own, 0.0)) < 5e-4);
    for (deformers, shapes) in [(DeformersOut::Apply { secs: 0.0 }, true), (DeformersOut::Leave, false)] {
        let (read, own, report) = again(&document, GltfExport { deformers, ..GltfExport::default() });
        assert!(read.object(own).unwrap().as_mesh().unwrap().morphs.is_empty());
        let off = farthest(&places(&document, mesh, 0.0), &places(&read, own, 0.0));
        assert_eq!(off < 1e-5, shapes, "{off}");
        assert!(report.entries().iter().any(|entry| entry.kind == "deformer" && entry.place.to_string() == "Limb"));
    }
}
