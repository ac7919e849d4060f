//! What can be picked, gathered from a document at one time.

use super::{
    box_tree::spatial_order,
    picking::{BoneShape, Detail, JointShape, PartShape, PickScene, SpotPart, SpotShape},
    surfaces::SurfaceShape,
};
use crate::{
    eval::{
        EvaluatedFrame, ObjectFrame, RigFrame,
        deform::{Function, function, lattice_places},
        follow::PathFrame,
        limbs::{Limbs, Role, of_object as limbs_of},
        mesh::mesh_state,
    },
    math::{Affine, Vec3},
    model::{Document, Geometry, JointId, Object, ObjectId, ObjectKind, Parent, Property, Rig, Skeleton, Target},
};
use std::{collections::BTreeMap, sync::Arc};

impl PickScene {
    /// The joints and bones of the rigs that are shown, and the mannequin's parts (`dragged` of a part is filled in).
    #[must_use]
    pub fn gather(
        document: &Document,
        frame: &EvaluatedFrame,
        is_shown: impl Fn(ObjectId) -> bool,
        parts: Vec<PartShape>,
        grips: &mut Grips,
    ) -> Self {
        let mut scene = Self { parts, ..Self::default() };
        for (id, _, rig) in document.rigs().filter(|(id, object, _)| !object.hidden && is_shown(*id)) {
            if let Some((world, pose)) = frame.objects.get(&id).and_then(|at| Some((at.world, at.rig.as_ref()?))) {
                let grips = grips.of(document, id, rig);
                scene.limbs.insert(id, grips.limbs.clone());
                scene.add_rig(id, rig, &world, pose, grips);
                for part in scene.parts.iter_mut().filter(|part| part.object == id) {
                    part.dragged = grips.dragged(&rig.skeleton, part.joint);
                }
            }
        }
        let spots = document.objects.iter().filter(|(id, object)| !object.hidden && is_shown(**id));
        for (id, object) in spots {
            if let Some(placed) = frame.objects.get(id) {
                scene.add_spots(*id, object, placed);
            }
            if let Some(places) = lattice_places(document, frame, *id).filter(|places| !places.is_empty()) {
                scene.lattices.insert(*id);
                let spot = |((point, _), at)| SpotShape { target: Target::Point(*id, point), part: SpotPart::Body, at };
                scene.spots.extend(object.carrying_points().into_iter().zip(places).map(spot));
            }
        }
        let is_seen = |id: ObjectId| is_shown(id) && document.object(id).is_some_and(|object| !object.hidden);
        let deformers = document.objects.iter().filter(|(id, object)| !object.hidden && is_shown(**id));
        for (id, object) in deformers {
            if let (Some(deformer), Some(placed)) = (object.as_deformer(), frame.objects.get(id)) {
                let own = function(document, *id, deformer, frame.secs);
                let spot = |(part, at): (SpotPart, Vec3)| SpotShape {
                    target: Target::Object(*id),
                    part,
                    at: placed.world.point(&at),
                };
                scene.spots.extend(handles_of_deformer(&own).into_iter().map(spot));
            }
        }
        for report in frame.chains.iter().filter(|report| is_seen(report.object)) {
            let spot = |target, at| SpotShape { target, part: SpotPart::Body, at };
            let (object, id) = (report.object, report.constraint);
            scene.spots.push(spot(Target::Constraint(object, id), report.target));
            scene.spots.extend(report.pole.map(|(_, at)| spot(Target::Pole(object, id), at)));
        }
        scene
    }

    /// The surfaces of the meshes that are shown.
    pub fn add_surfaces(
        &mut self,
        document: &Document,
        frame: &EvaluatedFrame,
        is_shown: impl Fn(ObjectId) -> bool,
        grips: &mut Grips,
    ) {
        for (id, object) in document.objects.iter().filter(|(id, object)| !object.hidden && is_shown(**id)) {
            let Some(mesh) = object.as_mesh().filter(|mesh| !mesh.geometry.indices.is_empty()) else { continue };
            let Some(state) = mesh_state(document, frame, *id) else { continue };
            let skin = mesh.skin.iter().flat_map(|skin| &skin.joints).map(|joint| match joint.joint {
                Parent::Object(object) => (Target::Object(object), None),
                Parent::Joint(object, joint) => {
                    let rig = document.object(object).and_then(|object| object.as_rig());
                    let dragged = rig.map(|rig| grips.of(document, object, rig).dragged(&rig.skeleton, joint));
                    (Target::Joint(object, joint), dragged)
                }
            });
            let skin = skin.collect();
            let order = grips.order_of(*id, &mesh.geometry);
            self.surfaces.push(SurfaceShape::new(*id, mesh.clone(), state, skin, order));
        }
    }

    /// The points of a path with the handles they have, or the place of an object without a body.
    fn add_spots(&mut self, id: ObjectId, object: &Object, placed: &ObjectFrame) {
        match &object.kind {
            ObjectKind::Mesh(mesh) if mesh.skin.is_some() => {}
            ObjectKind::Camera(_)
            | ObjectKind::Empty
            | ObjectKind::Light(_)
            | ObjectKind::Mesh(_)
            | ObjectKind::Lattice(_)
            | ObjectKind::Deformer(_) => {
                let at = placed.world.translation;
                self.spots.push(SpotShape { target: Target::Object(id), part: SpotPart::Body, at });
            }
            ObjectKind::Path(path) => {
                let Some(frame) = &placed.path else { return };
                for (point, place) in path.points.iter().zip(&frame.places) {
                    let target = Target::Point(id, point.id);
                    self.spots.push(SpotShape { target, part: SpotPart::Body, at: placed.world.point(place) });
                }
                let count = path.points.len();
                let heeds = |index: usize| path.scheme.heeds_handles(index, count, path.closed);
                for (index, point) in path.points.iter().enumerate().filter(|(index, _)| heeds(*index)) {
                    let target = Target::Point(id, point.id);
                    let (before, after) = handles_of(frame, index);
                    let parts = [(SpotPart::HandleIn, before), (SpotPart::HandleOut, after)];
                    self.spots
                        .extend(parts.into_iter().filter_map(|(part, at)| Some(SpotShape { target, part, at: at? })));
                }
            }
            _ => {}
        }
    }

    fn add_rig(&mut self, object: ObjectId, rig: &Rig, world: &Affine, pose: &RigFrame, grips: &RigGrips) {
        let joints = rig.skeleton.joints();
        let scale = world.linear.column(0).norm();
        let details = joints.iter().zip(&grips.details).filter_map(|(joint, detail)| Some((joint, (*detail)?)));
        self.details.extend(
            details.map(|(joint, detail)| ((object, joint.id), Detail { reach: detail.reach * scale, ..detail })),
        );
        for (index, joint) in joints.iter().enumerate() {
            let (Some(model), parent) = (pose.model.get(index), rig.skeleton.parents()[index]) else { continue };
            let at = world.point(&model.translation);
            let selects = if joint.is_end() { joint.parent.unwrap_or(joint.id) } else { joint.id };
            self.joints.push(JointShape { object, joint: joint.id, selects, at });
            if let Some(parent) = parent {
                let (from, owner) = (world.point(&pose.model[parent].translation), joints[parent].id);
                let dragged = grips.dragged(&rig.skeleton, owner);
                self.bones.push(BoneShape { object, joint: owner, dragged, from, to: at });
            }
        }
    }
}

/// How far beyond the ends of a deformer their handles stand, in parts of its length.
const BEYOND: f64 = 0.12;

/// The handles of a deformer, in its space: those of its ends stand beyond them, so that none lies on another.
#[must_use]
pub fn handles_of_deformer(function: &Function) -> Vec<(SpotPart, Vec3)> {
    let (low, high) = function.ends();
    let beyond = (high - low) * BEYOND;
    if function.kind.has_landmarks() {
        // Its landmarks are what is grabbed.
        return Vec::new();
    }
    let mut handles = vec![(SpotPart::Amount, function.handle())];
    if function.kind.parameter(Property::Low).is_some() {
        handles.push((SpotPart::Low, Vec3::y() * (low - beyond)));
        handles.push((SpotPart::High, Vec3::y() * (high + beyond)));
    }
    handles
}

/// Where the tangent handles before and after a point of a path are, world: a third of the velocity away. None at an end.
#[must_use]
pub fn handles_of(path: &PathFrame, index: usize) -> (Option<Vec3>, Option<Vec3>) {
    let [before, after] = path.around(index);
    let arriving = before.map(|segment| segment.point(1.0) - segment.velocity(1.0) / 3.0);
    (arriving, after.map(|segment| segment.point(0.0) + segment.velocity(0.0) / 3.0))
}

/// Which joint is dragged when a bone is grabbed, for rigs seen before, and the order of the triangles of meshes.
#[derive(Clone, Debug, Default)]
pub struct Grips {
    rigs: BTreeMap<ObjectId, (Arc<Rig>, RigGrips)>,
    meshes: BTreeMap<ObjectId, (Arc<Geometry>, Arc<[u32]>)>,
}

/// For each joint the one that is dragged when its bone is grabbed.
#[derive(Clone, Debug, Default)]
struct RigGrips {
    dragged: Vec<usize>,
    limbs: Arc<Limbs>,
    /// For the joints of small parts, in the skeleton's own lengths.
    details: Vec<Option<Detail>>,
}

/// A single small part, such as the toes, is picked by itself once it is this long on the screen, points; several side by
/// side, such as fingers, so many times that, up to [`CROWD_MOST`].
const DETAIL_LEAST_PT: f64 = 22.0;
/// See [`DETAIL_LEAST_PT`].
const CROWD_MOST: u8 = 3;

impl Grips {
    /// The triangles of a mesh, neighbours near each other.
    fn order_of(&mut self, object: ObjectId, geometry: &Arc<Geometry>) -> Arc<[u32]> {
        let fresh = || (geometry.clone(), spatial_order(&geometry.positions, &geometry.indices).into());
        let entry = self.meshes.entry(object).or_insert_with(fresh);
        if !Arc::ptr_eq(&entry.0, geometry) {
            *entry = fresh();
        }
        entry.1.clone()
    }

    fn of(&mut self, document: &Document, object: ObjectId, rig: &Arc<Rig>) -> &RigGrips {
        let fresh = || (rig.clone(), RigGrips::new(&rig.skeleton, Arc::new(limbs_of(document, object, &rig.skeleton))));
        let entry = self.rigs.entry(object).or_insert_with(fresh);
        if !Arc::ptr_eq(&entry.0.skeleton, &rig.skeleton) || entry.0.limbs != rig.limbs {
            *entry = fresh();
        }
        &entry.1
    }
}

impl RigGrips {
    /// The joint at the far end of each bone, so that the bone goes with the pointer; of an arm or a leg elbow or knee, then
    /// hand or foot. Hands, feet, heads, roots, and joints that branch are dragged themselves.
    fn new(skeleton: &Skeleton, limbs: Arc<Limbs>) -> Self {
        let joints = skeleton.joints();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
        for (index, _) in joints.iter().enumerate().filter(|(_, joint)| !joint.is_end()) {
            if let Some(parent) = skeleton.parents()[index] {
                children[parent].push(index);
            }
        }
        let far_end = |joint: usize| match (&*children[joint], skeleton.parents()[joint]) {
            ([only], Some(_)) => *only,
            _ => joint,
        };
        let mut dragged: Vec<usize> = (0..joints.len()).map(far_end).collect();
        for limb in limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg | Role::Neck)) {
            let bend = limb.middle_place();
            for (place, &joint) in limb.joints.iter().enumerate() {
                dragged[joint] = match limb.middle {
                    Some(middle) if bend.is_some_and(|bend| place < bend) => middle,
                    _ => limb.end(),
                };
            }
        }
        for joint in limbs.hips.into_iter().chain(limbs.chest) {
            dragged[joint] = joint;
        }
        Self { dragged, details: details(skeleton, &limbs), limbs }
    }

    fn dragged(&self, skeleton: &Skeleton, joint: JointId) -> JointId {
        let place = skeleton.index_of(joint).and_then(|index| self.dragged.get(index));
        place.and_then(|index| skeleton.joints().get(*index)).map_or(joint, |joint| joint.id)
    }
}

/// The joints of fingers, toes and other small limbs, with all that hangs on them.
fn details(skeleton: &Skeleton, limbs: &Limbs) -> Vec<Option<Detail>> {
    let (joints, parents) = (skeleton.joints(), skeleton.parents());
    let small = limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Finger | Role::Toe | Role::Chain));
    let branches: Vec<(usize, usize, f64)> = small
        .filter_map(|limb| {
            let reach = limb.joints.iter().map(|joint| joints[*joint].rest.translation.norm()).sum();
            Some((parents[limb.root()]?, limb.root(), reach))
        })
        .collect();
    let mut out: Vec<Option<Detail>> = vec![None; joints.len()];
    for &(branch, root, reach) in &branches {
        let beside = branches.iter().filter(|(other, ..)| *other == branch).count();
        let crowd = u8::try_from(beside).unwrap_or(u8::MAX).min(CROWD_MOST);
        let least_pt = DETAIL_LEAST_PT * f64::from(crowd);
        out[root] = Some(Detail { into: joints[branch].id, reach, least_pt });
    }
    // Parents come first: what hangs on a small part belongs to it, unless it is one itself.
    for index in 0..joints.len() {
        if let (None, Some(parent)) = (out[index], parents[index]) {
            out[index] = out[parent];
        }
    }
    out
}
