//! Seeded meshes with stacks, lattices, landmarks, masks and shapes, and edits of them.

use super::arbitrary::{self, Seeded};
use inbetween::{
    edit::{AutoKey, DeformEdit, Edit, MeshEdit, deform, numbers, pose, shapes},
    eval::Evaluator,
    math::{Affine, lattice::Basis, rbf::Kernel},
    model::{
        ChannelPath, Component, Deformer, DeformerId, DeformerKind, Document, JointId, Landmark, Lattice, Mask, MaskId,
        MorphGroup, MorphId, MorphRule, MorphTarget, Object, ObjectId, ObjectKind, Parent, PointId, Property, Skin,
        SkinJoint, StackEntry, Target, VertexMask,
    },
    samples::shapes::Shape,
};
use std::sync::Arc;

/// A document of rigs as [`arbitrary::document`] makes them, with a mesh on them that several things deform.
pub(crate) fn document(seed: u64) -> Document {
    let mut document = arbitrary::document(seed);
    let random = &mut Seeded::new(seed + 77_000);
    let mut mesh = Shape::ALL[random.below(6)].mesh(2);
    let count = mesh.len();
    if random.coin() {
        let rig = document.rigs().next().map(|(id, ..)| id).unwrap();
        let joint = |id| SkinJoint {
            joint: Parent::Joint(rig, JointId(id)),
            joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY),
        };
        mesh.skin = Some(Arc::new(Skin {
            joints: vec![joint(0), joint(1)],
            per_vertex: 2,
            influences: (0..2 * count).map(|slot| u16::from(slot % 2 == 1)).collect(),
            weights: (0..2 * count).map(|_| random.part() as f32).collect(),
            ..Skin::default()
        }));
        mesh.dual = if random.coin() { random.part() } else { 0.0 };
    }
    for id in 0..2 {
        let by = (0..count).map(|_| [random.around(0.1) as f32, random.around(0.1) as f32, 0.0]).collect();
        mesh.morphs.push(Arc::new(MorphTarget::new(MorphId(id), "shape", by)));
    }
    let mut mix = MorphTarget::new(MorphId(2), "mix", Vec::new().into());
    mix.rule = MorphRule::Mix(vec![(MorphId(0), 0.5), (MorphId(1), -0.3)]);
    mesh.morphs.push(Arc::new(mix));
    let weights = (0..count).map(|_| random.part() as f32).collect();
    mesh.masks.push(Arc::new(VertexMask { id: MaskId(0), name: "mask".to_owned(), weights }));
    let mesh = document.add_object(Object::new("mesh", ObjectKind::Mesh(Arc::new(mesh))));
    let lattice = Lattice {
        counts: [0, 1, 2].map(|_| 1 + random.below(4) as u8),
        bases: [0, 1, 2].map(|_| Basis::ALL[random.below(3)]),
        falloff: 0.3 * random.part(),
        ..Lattice::default()
    };
    let mut by = vec![Object::new("cage", ObjectKind::Lattice(Arc::new(lattice)))];
    for _ in 0..2 {
        let kind = DeformerKind::ALL[random.below(DeformerKind::ALL.len())];
        let mut deformer = Deformer::new(kind);
        if kind.has_landmarks() {
            for id in 0..random.below(5) as u32 {
                let landmark = Landmark { at: random.vector(0.6), offset: random.vector(0.1) };
                deformer.landmarks.insert(PointId(id), landmark);
            }
        }
        by.push(Object::new("deformer", ObjectKind::Deformer(deformer)));
    }
    for object in by {
        deform::add_to_stack(&document, object, (&[mesh], None)).unwrap().1.apply(&mut document).unwrap();
    }
    assert_eq!(document.problems(), []);
    document
}

fn ids(document: &Document, is: impl Fn(&Object) -> bool) -> Vec<ObjectId> {
    document.objects.iter().filter(|(_, object)| is(object)).map(|(id, _)| *id).collect()
}

/// An edit of a mesh, of what deforms it, or of its shapes; some are refused.
pub(crate) fn edit(random: &mut Seeded, document: &Document) -> Edit {
    let meshes = ids(document, |object| object.as_mesh().is_some());
    let by = ids(document, Object::deforms);
    let Some(object) = random.pick(&meshes) else { return Edit::none() };
    let secs = arbitrary::time(random, document);
    match random.below(8) {
        0 | 1 => stack_edit(random, document, object, &by),
        2 => shape_edit(random, document, object, secs),
        3 => {
            let mesh = document.object(object).unwrap().as_mesh().unwrap();
            let weights = (0..mesh.len()).map(|_| random.part() as f32).collect();
            let mask = MaskId(random.below(2) as u32);
            match random.below(3) {
                0 => DeformEdit::DeleteMask { object, mask }.into(),
                _ => {
                    let mask = Arc::new(VertexMask { id: mask, name: "brush".to_owned(), weights });
                    DeformEdit::SetMask { object, mask }.into()
                }
            }
        }
        _ => match random.pick(&by) {
            Some(by) => deformer_edit(random, document, by, secs),
            None => Edit::none(),
        },
    }
}

fn stack_edit(random: &mut Seeded, document: &Document, object: ObjectId, by: &[ObjectId]) -> Edit {
    let mesh = document.object(object).unwrap().as_mesh().unwrap();
    let known: Vec<DeformerId> = mesh.stack.iter().map(|entry| entry.id).collect();
    let Some(by) = random.pick(by) else { return Edit::none() };
    let masks = [
        None,
        Some(Mask::Part(random.below(3) as u32)),
        Some(Mask::Painted(MaskId(random.below(2) as u32))),
        Some(Mask::Joint(Parent::Object(by))),
    ];
    let mut own = StackEntry::new(mesh.fresh_deformer_id(), by);
    own.mask = masks[random.below(4)];
    own.influence = random.part();
    own.before_skin = random.coin();
    own.muted = random.below(4) == 0;
    own.reach = if random.coin() { 0.0 } else { random.part() };
    let Some(entry) = random.pick(&known) else { return DeformEdit::AddEntry { object, entry: own }.into() };
    match random.below(6) {
        0 if known.len() < 6 => DeformEdit::AddEntry { object, entry: own }.into(),
        1 => DeformEdit::MoveEntry { object, entry, to: random.below(4) }.into(),
        2 if known.len() > 1 => DeformEdit::DeleteEntry { object, entry }.into(),
        3 => {
            let target = Target::Deformer(object, entry);
            let path = ChannelPath { target, property: Property::Influence, component: Component::Only };
            let keys = [(0.0, random.part()), (1.0, random.part())];
            numbers::key_number(document, path, &keys).unwrap_or(Edit::none())
        }
        4 => DeformEdit::SetInfluence { object, entry, influence: random.around(2.0) }.into(),
        _ => DeformEdit::SetEntry { object, entry: StackEntry { id: entry, ..own } }.into(),
    }
}

fn shape_edit(random: &mut Seeded, document: &Document, object: ObjectId, secs: f64) -> Edit {
    let mesh = document.object(object).unwrap().as_mesh().unwrap();
    let morphs: Vec<MorphId> = mesh.morphs.iter().map(|morph| morph.id).collect();
    let Some(morph) = random.pick(&morphs) else { return Edit::none() };
    let frame = Evaluator::new().frame(document, secs);
    let few = mesh.morphs.len() < 8;
    match random.below(8) {
        0 => MeshEdit::SetWeight { object, morph, weight: random.around(2.0) }.into(),
        1 => MeshEdit::DeleteMorph { object, morph }.into(),
        2 if few => shapes::present_shape(document, &frame, object, "kept").unwrap_or(Edit::none()),
        3 if few => shapes::mixture(document, &frame, object, ("mix", MorphGroup::Viseme)).unwrap_or(Edit::none()),
        4 if few => shapes::corrective(document, &frame, object, "both").unwrap_or(Edit::none()),
        5 if few => shapes::mirrored_shape(document, object, morph).map_or(Edit::none(), |(edit, _)| edit),
        6 => {
            let to = if random.coin() { deform::FreezeTo::Mesh } else { deform::FreezeTo::Morph("ice".to_owned()) };
            deform::freeze(document, &frame, object, &to).unwrap_or(Edit::none())
        }
        _ => {
            let target = Target::Morph(object, morph);
            let path = ChannelPath { target, property: Property::Weight, component: Component::Only };
            numbers::number_edit(document, path, secs, random.around(1.5), AutoKey::ALL[random.below(3)])
                .unwrap_or(Edit::none())
        }
    }
}

fn deformer_edit(random: &mut Seeded, document: &Document, object: ObjectId, secs: f64) -> Edit {
    let found = document.object(object).unwrap();
    let points: Vec<PointId> = found.carrying_points().iter().map(|(id, _)| *id).collect();
    let auto_key = AutoKey::ALL[random.below(3)];
    if random.coin()
        && let Some(point) = random.pick(&points)
    {
        let places = [(point, random.vector(0.3))];
        return pose::points_edit(document, object, secs, &places, auto_key).unwrap_or(Edit::none());
    }
    let Some(deformer) = found.as_deformer() else {
        return match random.below(5) {
            0 => deform::reset(document, object, &[], secs, auto_key).unwrap_or(Edit::none()),
            1 => {
                let counts = [0, 1, 2].map(|_| random.below(5) as u8);
                deform::regrid(document, object, counts, [Basis::ALL[random.below(3)]; 3])
                    .map_or(Edit::none(), |grid| grid.edit)
            }
            2 => {
                let name = format!("kept {}", random.below(3));
                let offsets = points.iter().map(|point| (*point, random.vector(0.2))).collect();
                DeformEdit::KeepPose { object, name, offsets }.into()
            }
            3 => deform::take_pose(document, object, "kept 1", secs, auto_key).unwrap_or(Edit::none()),
            _ => {
                // Sometimes without thickness, sometimes inside out.
                let size = random.vector(2.0).map(|edge| if edge.abs() < 0.4 { 0.0 } else { edge });
                DeformEdit::SetBox { object, size, falloff: random.around(1.0) }.into()
            }
        };
    };
    match random.below(4) {
        0 => {
            let landmark = Landmark { at: random.vector(0.6), offset: random.vector(0.2) };
            let point = PointId(random.below(6) as u32);
            let landmarks = vec![(point, random.coin().then_some(landmark))];
            DeformEdit::SetLandmarks { object, landmarks }.into()
        }
        1 => DeformEdit::SetKernel { object, kernel: Kernel::ALL[random.below(4)] }.into(),
        2 => deform::bounce_keys(document, object, secs, deform::Bounce::default()).unwrap_or(Edit::none()),
        _ => {
            let parameters = deformer.kind.parameters();
            let property = parameters[random.below(parameters.len())].property;
            DeformEdit::SetNumber { object, property, value: random.around(3.0) }.into()
        }
    }
}
