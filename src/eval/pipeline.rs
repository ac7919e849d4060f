//! What is solved at a time, and in which order: object transforms and the joints of rigs, each after what it hangs on.

use crate::{
    eval::{
        blend::layers::LayerReport,
        constraint::ChainReport,
        fk::without_scale,
        follow::{FollowReport, PathFrame},
        pins::PinReport,
    },
    math::{Affine, Mat3, Transform},
    model::{Document, JointId, ObjectId, Parent, Skeleton},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Everything that is drawn at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatedFrame {
    /// The time, seconds.
    pub secs: f64,
    /// Changes whenever anything in the frame may have: two frames of one evaluator with one generation are one.
    pub generation: u64,
    /// The objects.
    pub objects: BTreeMap<ObjectId, ObjectFrame>,
    /// Objects that hang on themselves: placed as if they had no parent. Empty in a sound document.
    pub cycles: Vec<ObjectId>,
    /// The pins that act, by object and in the order of their clip.
    pub pins: Vec<PinReport>,
    /// The followers that are on a path, by object and in the order of its constraints.
    pub follows: Vec<FollowReport>,
    /// The IK chains that are on, as they were solved.
    pub chains: Vec<ChainReport>,
    /// The layers that act, by object, the lowest first.
    pub layers: Vec<LayerReport>,
}

/// An object at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectFrame {
    /// From the object's own space to the world.
    pub world: Affine,
    /// Its joints, where it is a rig.
    pub rig: Option<Arc<RigFrame>>,
    /// Its curve, where it is a path.
    pub path: Option<Arc<PathFrame>>,
}

/// A rig's joints at one time, by joint index, bones' tips included.
#[derive(Clone, Debug, PartialEq)]
pub struct RigFrame {
    /// Each joint in its parent's space.
    pub local: Vec<Transform>,
    /// From each joint's space to the rig object's space.
    pub model: Vec<Affine>,
}

impl EvaluatedFrame {
    /// From a joint's space to the world; none where there is no such joint.
    #[must_use]
    pub fn joint_world(&self, object: ObjectId, index: usize) -> Option<Affine> {
        let object = self.objects.get(&object)?;
        Some(object.world * *object.rig.as_ref()?.model.get(index)?)
    }

    /// What a joint's rotation and scale act in, in the world: the linear part of what it hangs on, or that without its parent's
    /// scale where the joint leaves it out.
    #[must_use]
    pub fn joint_above(&self, object: ObjectId, skeleton: &Skeleton, index: usize) -> Option<Mat3> {
        let placed = self.objects.get(&object)?;
        let (tree, rig) = (skeleton.tree(), placed.rig.as_ref()?);
        let Some(parent) = tree.parent(index) else { return Some(placed.world.linear) };
        let above = placed.world.linear * rig.model.get(parent)?.linear;
        let left_out = tree.left_out(index).and_then(|parent| rig.local.get(parent));
        Some(left_out.map_or(above, |parent| without_scale(&above, &parent.scale)))
    }

    /// A path's curve.
    #[must_use]
    pub fn path(&self, object: ObjectId) -> Option<&Arc<PathFrame>> {
        self.objects.get(&object)?.path.as_ref()
    }

    /// A rig's joints.
    #[must_use]
    pub fn rig(&self, object: ObjectId) -> Option<&Arc<RigFrame>> {
        self.objects.get(&object)?.rig.as_ref()
    }
}

/// The objects in the order they are solved, and those that hang on themselves.
#[derive(Debug, Default)]
pub struct SolveOrder {
    /// Every object after the one it hangs on, ties by id. Those of `cycles` come last.
    pub order: Vec<ObjectId>,
    /// The members of cycles, in order of id.
    pub cycles: Vec<ObjectId>,
}

impl SolveOrder {
    /// The order of a document's objects. An object whose parent does not exist counts as having none.
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let mut solve = Self::of_parents(document);
        let needs = needs(document);
        if !needs.is_empty() {
            solve.order = after_needs(document, &solve, &needs);
        }
        solve
    }

    fn of_parents(document: &Document) -> Self {
        let parent = |id: ObjectId| {
            let parent = document.object(id)?.parent.map(Parent::object)?;
            document.objects.contains_key(&parent).then_some(parent)
        };
        let mut done = BTreeSet::new();
        let mut order = Vec::with_capacity(document.objects.len());
        let mut cycles = Vec::new();
        let mut hanging_on_cycles = Vec::new();
        for &start in document.objects.keys() {
            // Up to the first solved ancestor; a path longer than the objects are many runs in a circle.
            let mut path = Vec::new();
            let mut at = Some(start);
            while let Some(id) = at.filter(|id| !done.contains(id)) {
                if let Some(first) = path.iter().position(|seen| *seen == id) {
                    cycles.extend(path.drain(first..).inspect(|id| {
                        done.insert(*id);
                    }));
                    break;
                }
                path.push(id);
                at = parent(id);
            }
            done.extend(path.iter().copied());
            let on_cycle = at.is_some_and(|id| cycles.contains(&id) || hanging_on_cycles.contains(&id));
            let list = if on_cycle { &mut hanging_on_cycles } else { &mut order };
            list.extend(path.iter().rev());
        }
        cycles.sort_unstable();
        order.extend(&cycles);
        order.extend(&hanging_on_cycles);
        Self { order, cycles }
    }
}

/// What an object waits for besides its parent: the objects that carry the spaces of its pins, and those that its constraints
/// look at.
fn needs(document: &Document) -> BTreeMap<ObjectId, BTreeSet<ObjectId>> {
    let mut needs: BTreeMap<ObjectId, BTreeSet<ObjectId>> = BTreeMap::new();
    for (&id, object) in document.objects.iter() {
        let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
        let pins = clip.into_iter().flat_map(|clip| &clip.pins).filter(|pin| pin.object == id);
        let spaces = pins.filter_map(|pin| pin.space.object());
        let looked_at = object.constraints.iter().flat_map(|constraint| constraint.needs());
        for need in spaces.chain(looked_at).filter(|need| *need != id) {
            needs.entry(id).or_default().insert(need);
        }
    }
    needs
}

/// The order with each object after those that it needs too. An object that waits for itself is placed nonetheless; the pins
/// and constraints that close the circle find what they need not solved yet.
fn after_needs(
    document: &Document,
    solve: &SolveOrder,
    needs: &BTreeMap<ObjectId, BTreeSet<ObjectId>>,
) -> Vec<ObjectId> {
    let on_cycle = |id: &ObjectId| solve.cycles.binary_search(id).is_ok();
    let waits_for = |id: ObjectId| {
        let parent = document.object(id).and_then(|object| object.parent).map(Parent::object);
        parent.filter(|_| !on_cycle(&id)).into_iter().chain(needs.get(&id).into_iter().flatten().copied())
    };
    let mut order = Vec::with_capacity(solve.order.len());
    let (mut begun, mut done) = (BTreeSet::new(), BTreeSet::new());
    for &start in &solve.order {
        let mut path = vec![start];
        while let Some(&id) = path.last() {
            begun.insert(id);
            let next = waits_for(id).find(|other| document.objects.contains_key(other) && !begun.contains(other));
            if let Some(next) = next {
                path.push(next);
                continue;
            }
            path.pop();
            if done.insert(id) {
                order.push(id);
            }
        }
    }
    order
}

/// The world transform of an object from its local one and the frames already solved. A parent that is missing or not yet
/// solved counts as none; a parent joint that is missing as its object.
#[must_use]
pub fn object_world(
    document: &Document,
    object: ObjectId,
    local: &Transform,
    solved: &BTreeMap<ObjectId, ObjectFrame>,
) -> Affine {
    let local = local.to_affine();
    let Some(parent) = document.object(object).and_then(|object| object.parent) else { return local };
    let Some(frame) = solved.get(&parent.object()) else { return local };
    match parent {
        Parent::Object(_) => frame.world * local,
        Parent::Joint(rig, joint) => match joint_model(document, rig, joint, frame) {
            Some(model) => frame.world * model * local,
            None => frame.world * local,
        },
    }
}

/// From a joint's space to its rig object's, in the object's frame.
pub(super) fn joint_model(document: &Document, rig: ObjectId, joint: JointId, frame: &ObjectFrame) -> Option<Affine> {
    let index = document.object(rig)?.as_rig()?.skeleton.index_of(joint)?;
    frame.rig.as_ref()?.model.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::Evaluator,
        math::{Vec3, rotation::from_axis_angle},
        model::{Joint, Object, Rig, Skeleton},
    };

    /// Rigs of two joints, each object with this parent.
    fn document(parents: &[Option<Parent>]) -> Document {
        let mut document = Document::default();
        for (index, parent) in parents.iter().enumerate() {
            let joints = vec![
                Joint::new(JointId(0), "root", None, Vec3::new(0.0, 1.0, 0.0)),
                Joint::new(JointId(1), "tip", Some(JointId(0)), Vec3::new(0.0, 0.0, 2.0)),
            ];
            let mut object =
                Object::rig("rig", Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() });
            object.parent = *parent;
            object.transform = Transform {
                translation: Vec3::new(1.0 + index as f64, 0.0, 0.0),
                rotation: from_axis_angle(&Vec3::z(), 0.5),
                scale: Vec3::new(1.0, 2.0, 1.0),
            };
            document.add_object(object);
        }
        document
    }

    #[test]
    fn objects_are_placed_after_what_they_hang_on() {
        let joint = Parent::Joint(ObjectId(3), JointId(1));
        let document = document(&[Some(joint), Some(Parent::Object(ObjectId(1))), None]);
        assert_eq!(SolveOrder::new(&document).order, [3, 1, 2].map(ObjectId));
        let frame = Evaluator::new().frame(&document, 0.0);
        let local = |id: u32| document.objects[&ObjectId(id)].transform.to_affine();
        let tip = local(3) * Transform::from_translation(Vec3::new(0.0, 1.0, 2.0)).to_affine();
        let near = |a: &Affine, b: &Affine| (a.to_mat4() - b.to_mat4()).norm() < 1e-14;
        assert!(near(&frame.joint_world(ObjectId(3), 1).unwrap(), &tip));
        assert!(near(&frame.objects[&ObjectId(1)].world, &(tip * local(1))));
        // Scale above a rotation shears, and is never decomposed.
        assert!(near(&frame.objects[&ObjectId(2)].world, &(tip * local(1) * local(2))));
        assert_eq!(frame.joint_world(ObjectId(9), 0), None);
    }

    #[test]
    fn what_hangs_on_itself_is_reported_and_still_placed() {
        let object = |id| Some(Parent::Object(ObjectId(id)));
        let document = document(&[object(2), object(3), object(2), object(1), object(5), None, object(77)]);
        let frame = Evaluator::new().frame(&document, 0.0);
        assert_eq!(frame.cycles, [2, 3, 5].map(ObjectId));
        assert_eq!(frame.objects.len(), 7);
        for id in [2, 3, 5].map(ObjectId) {
            assert_eq!(frame.objects[&id].world, document.objects[&id].transform.to_affine());
        }
        let order = SolveOrder::new(&document).order;
        let place = |id: u32| order.iter().position(|other| *other == ObjectId(id)).unwrap();
        assert!(place(2) < place(1) && place(1) < place(4));
        assert!(document.problems().len() >= 3);
    }
}
