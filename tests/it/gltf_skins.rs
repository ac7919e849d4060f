//! Skins that glTF has no plain words for: joints of two figures, loose objects as joints, a joint that took another's place.

use inbetween::{
    edit::{Edit, SkeletonEdit, skeleton::Children},
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    io::{
        gltf::{GltfExport, GltfLayout, export},
        report::Report,
    },
    math::{Quat, Transform, Vec3},
    model::{Document, Object, ObjectId, ObjectKind, Parent, Skin, SkinJoint},
    progress::Progress,
    samples::{self, shapes::Shape},
};
use std::sync::Arc;

/// A tube that follows two nodes, half and half in its middle, bound where they are at rest.
fn on(document: &mut Document, joints: [Parent; 2]) -> ObjectId {
    let still = inbetween::eval::at_rest::AtRest::default().of(&Arc::new(document.clone()));
    let frame = Evaluator::new().frame(&still, 0.0);
    let world = |node: Parent| match node {
        Parent::Object(object) => frame.objects[&object].world,
        Parent::Joint(object, joint) => {
            let index = still.object(object).unwrap().as_rig().unwrap().skeleton.index_of(joint).unwrap();
            frame.joint_world(object, index).unwrap()
        }
    };
    let mut mesh = Shape::Tube.mesh(3);
    let up = |at: &[f32; 3]| (at[1] + 0.5).clamp(0.0, 1.0);
    let weights: Vec<f32> = mesh.geometry.positions.iter().flat_map(|at| [1.0 - up(at), up(at)]).collect();
    let bound = |joint| SkinJoint { joint, joint_from_mesh: SkinJoint::rows(&world(joint).try_inverse().unwrap()) };
    mesh.skin = Some(Arc::new(Skin {
        name: "Between".to_owned(),
        joints: joints.map(bound).to_vec(),
        per_vertex: 2,
        influences: (0..weights.len()).map(|slot| u16::from(slot % 2 == 1)).collect(),
        weights: weights.into(),
    }));
    document.add_object(Object::new("Sleeve", ObjectKind::Mesh(Arc::new(mesh))))
}

fn joint(document: &Document, rig: ObjectId, name: &str) -> Parent {
    let skeleton = &document.object(rig).unwrap().as_rig().unwrap().skeleton;
    Parent::Joint(rig, skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id)
}

/// Each with what is special about it.
pub(crate) fn documents() -> Vec<(&'static str, Document)> {
    let mut out = Vec::new();
    // Two walkers, the second elsewhere: from a hand of one to a hand of the other.
    let mut two = samples::start();
    let (first, object, _) =
        two.rigs().next().map(|(id, object, rig)| (id, (**object).clone(), rig.skeleton.len())).unwrap();
    let second = two.add_object(Object {
        name: "Other".to_owned(),
        transform: Transform { translation: Vec3::new(1.0, 0.0, 0.3), ..Transform::IDENTITY },
        ..object
    });
    let joints = [joint(&two, first, "hand.l"), joint(&two, second, "hand.r")];
    on(&mut two, joints);
    out.push(("two figures", two));
    // Two empties at the root.
    let mut loose = Document::default();
    let nodes = ["lower", "upper"].map(|name| loose.add_object(Object::new(name, ObjectKind::Empty)));
    loose.object_mut(nodes[1]).unwrap().transform =
        Transform { rotation: Quat::from_euler_angles(0.6, 0.2, 0.0), ..Transform::IDENTITY };
    on(&mut loose, nodes.map(Parent::Object));
    loose.object_mut(nodes[1]).unwrap().transform.translation.y = 0.4;
    out.push(("loose", loose));
    // The forearm and the hand, then no hand: the forearm has both, with two inverse bind matrices.
    let mut cut = samples::start();
    let rig = cut.rigs().next().unwrap().0;
    let joints = [joint(&cut, rig, "forearm.l"), joint(&cut, rig, "hand.l")];
    on(&mut cut, joints);
    let Parent::Joint(_, hand) = joints[1] else { unreachable!() };
    Edit::from(SkeletonEdit::Delete { object: rig, joints: [hand].into(), children: Children::Kept })
        .apply(&mut cut)
        .unwrap();
    out.push(("cut", cut));
    for (name, document) in &out {
        assert_eq!(document.problems(), [], "{name}");
    }
    out
}

/// A file of a document whose joints turn by as good as what they do there: the sleeves are long levers.
pub(crate) fn written(document: &Document, binary: bool) -> Vec<u8> {
    let layout = if binary { GltfLayout::Binary } else { GltfLayout::Embedded };
    let options = GltfExport { tolerance: 5e-5, tolerance_angle: 5e-5, layout, ..GltfExport::default() };
    export(document, options, &Progress::new(), &mut Report::new()).expect("written").bytes
}

/// Every vertex of every mesh where it is in the other document, at some times.
pub(crate) fn assert_same(document: &Document, other: &Document, what: &str) {
    assert_eq!(other.problems(), [], "{what}");
    let all = |document: &Document, secs: f64| {
        let frame = Evaluator::new().frame(document, secs);
        let meshes = document.objects.iter().filter_map(|(id, object)| Some((*id, object.as_mesh()?)));
        let mut named: Vec<(String, Vec<Vec3>)> = meshes
            .map(|(id, mesh)| {
                let name = document.object(id).unwrap().name.clone();
                (name, positions(mesh, &mesh_state(document, &frame, id).unwrap()))
            })
            .collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        named
    };
    for secs in [0.0, 0.4, 1.1] {
        let (a, b) = (all(document, secs), all(other, secs));
        assert_eq!(a.len(), b.len(), "{what}");
        for ((name, own), (_, read)) in a.iter().zip(&b) {
            assert_eq!(own.len(), read.len(), "{what}: {name}");
            for (x, y) in own.iter().zip(read) {
                assert!((x - y).norm() < 1e-3, "{what} at {secs}: {name} {x} {y}");
            }
        }
    }
}
