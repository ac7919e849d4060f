//! A figure that counts as larger or smaller than before: another unit of its file, or another height.
//!
//! Everything that is a length of the figure is scaled with it: its joints at rest and at every time, what pins hold, what
//! chains reach for, what hangs from it, deforms it or is measured from it. What is held in the world is scaled about the
//! place where the figure's object stands; what is held in a space of the figure itself about that space's origin.

use super::{
    EditError,
    anew::{self, Anew},
    objects::object_mut,
    rigs::rig_mut,
    skeleton::following::change_skins,
};
use crate::{
    math::Vec3,
    model::{
        ChannelPath, Clip, Constraint, ConstraintKind, Curve, Document, IkChain, LengthUnit, Object, ObjectId, Parent,
        PinSpace, Pose, Property, Skeleton, SkinJoint, Target, Value, names,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Says in which unit a rig's file counts, and scales the figure and what is of it.
pub(super) fn set_unit(document: &mut Document, object: ObjectId, unit: LengthUnit) -> Result<(), EditError> {
    let before = document.clone();
    let rig = rig_mut(document, object)?;
    let factor = unit.metres() / rig.unit.metres();
    rig.unit = unit;
    if factor == 1.0 {
        return Ok(());
    }
    let growth = Growth::new(&before, object, factor);
    let scaled = rig.skeleton.map_joints(|joint| {
        let mut joint = joint.clone();
        joint.rest.translation *= factor;
        joint
    });
    // Ids and parents stay, so that the joints are a skeleton as before.
    rig.skeleton = Arc::new(scaled.map_err(|_same_ids_and_parents| EditError::NotARig(object))?);
    for pole in rig.hints.values_mut().filter_map(|hint| hint.pole.as_mut()) {
        *pole *= factor;
    }
    // What is skinned to the joints grows with them.
    change_skins(document, |of: &SkinJoint| match of.joint {
        Parent::Joint(rig, _) if rig == object => {
            let joint_from_mesh = of.joint_from_mesh.map(|row| row.map(|number| number * factor));
            Some(SkinJoint { joint_from_mesh, ..*of })
        }
        _ => None,
    });
    growth.objects(document)?;
    anew::drivers(document, |_, path| growth.change(&path));
    growth.poses(document);
    growth.clips(document);
    Ok(())
}

/// What scales with a figure, as the document was.
struct Growth<'a> {
    document: &'a Document,
    object: ObjectId,
    factor: f64,
    /// Where the figure's object stands.
    origin: Vec3,
    /// Objects that grow as a whole, with the point of their parent's space that stays.
    grown: BTreeMap<ObjectId, Vec3>,
}

impl<'a> Growth<'a> {
    fn new(document: &'a Document, object: ObjectId, factor: f64) -> Self {
        let origin = document.object(object).map_or_else(Vec3::zeros, |object| object.transform.translation);
        let mut growth = Self { document, object, factor, origin, grown: BTreeMap::new() };
        let deformers = growth.deformers();
        for (id, other) in document.objects.iter().filter(|(id, _)| **id != object) {
            let about = match other.parent {
                Some(Parent::Joint(rig, _)) if rig == object => Some(Vec3::zeros()),
                Some(Parent::Object(rig)) if rig == object && deformers.contains(id) => Some(Vec3::zeros()),
                None if deformers.contains(id) || growth.is_carried(other) => Some(origin),
                _ => None,
            };
            growth.grown.extend(about.map(|about| (*id, about)));
        }
        growth
    }

    /// Lattices and deformers that shape what is skinned to the figure, and nothing else, after its skin.
    fn deformers(&self) -> BTreeSet<ObjectId> {
        let (mut own, mut others) = (BTreeSet::new(), BTreeSet::new());
        for mesh in self.document.objects.values().filter_map(|object| object.as_mesh()) {
            let joints = mesh.skin.iter().flat_map(|skin| &skin.joints);
            let is_own = joints.clone().next().is_some() && joints.clone().all(|of| of.joint.object() == self.object);
            for entry in &mesh.stack {
                if is_own && !entry.before_skin {
                    own.insert(entry.by)
                } else {
                    others.insert(entry.by)
                };
            }
        }
        &own - &others
    }

    /// Whether something moves as if it hung on a joint of the figure.
    fn is_carried(&self, other: &Object) -> bool {
        let by_joint = |space: PinSpace| matches!(space, PinSpace::Joint(rig, _) if rig == self.object);
        let holds = |constraint: &Arc<Constraint>| {
            constraint.as_parent().is_some_and(|hold| hold.parents.iter().any(|by| by_joint(by.space)))
        };
        other.constraints.iter().any(holds)
    }

    /// Whether an object hangs, through whatever else, on one that grows.
    fn hangs_on_grown(&self, mut object: ObjectId) -> bool {
        // As many steps as there are objects: a ring ends too.
        for _ in 0..=self.document.objects.len() {
            if self.grown.contains_key(&object) {
                return true;
            }
            match self.document.object(object).and_then(|object| object.parent) {
                Some(parent) => object = parent.object(),
                None => return false,
            }
        }
        false
    }

    /// The point of a space about which what an object holds in it grows; none where it does not.
    fn about(&self, space: PinSpace, holder: ObjectId) -> Option<Vec3> {
        match space {
            PinSpace::World => (holder == self.object).then_some(self.origin),
            // An object's own space is not that of its joints' offsets, unless it is the rig's.
            PinSpace::Object(of) | PinSpace::Joint(of, _) => (of == self.object).then(Vec3::zeros),
        }
    }

    fn place(&self, place: &Vec3, about: &Vec3) -> Vec3 {
        about + (place - about) * self.factor
    }

    fn coordinate(&self, about: f64) -> Anew {
        Anew::scaled(self.factor, about)
    }

    fn objects(&self, document: &mut Document) -> Result<(), EditError> {
        for (id, about) in &self.grown {
            let transform = &mut object_mut(document, *id)?.transform;
            transform.translation = self.place(&transform.translation, about);
            transform.scale *= self.factor;
        }
        let ids: Vec<ObjectId> = document.objects.keys().copied().collect();
        for id in ids {
            let Some(object) = document.object(id) else { continue };
            let changed: Vec<_> = object.constraints.iter().map(|one| self.constraint(id, one)).collect();
            if changed.iter().any(Option::is_some) {
                for (constraint, changed) in object_mut(document, id)?.constraints.iter_mut().zip(changed) {
                    *constraint = changed.map_or_else(|| constraint.clone(), Arc::new);
                }
            }
        }
        Ok(())
    }

    /// A constraint of an object as it is afterwards; none where nothing of it grows.
    fn constraint(&self, id: ObjectId, constraint: &Constraint) -> Option<Constraint> {
        let of_joint = |space: PinSpace| matches!(space, PinSpace::Joint(rig, _) if rig == self.object);
        let mut changed = constraint.clone();
        match &mut changed.kind {
            ConstraintKind::Chain(chain) => self.chain(id, chain),
            ConstraintKind::Point(hold) if hold.sources.iter().any(|source| of_joint(source.space)) => {
                hold.offset *= self.factor;
            }
            ConstraintKind::Parent(hold) => {
                let own = constraint.joint.is_some() && id == self.object;
                for by in &mut hold.parents {
                    // What is held goes by `parent * offset`; it has grown about the origin, and so has the parent.
                    let (turned, more) = (by.offset.rotation * self.origin, self.factor - 1.0);
                    let shift = match by.space {
                        PinSpace::Joint(rig, _) if rig == self.object => turned * more,
                        PinSpace::Object(rig) if rig == self.object && own => turned * more,
                        PinSpace::World if own => (turned - self.origin) * more,
                        _ => continue,
                    };
                    by.offset.translation = by.offset.translation * self.factor + shift;
                }
            }
            ConstraintKind::Limit(limit) if constraint.joint.is_some() || id != self.object => {
                let about = self.about(limit.space, id)?;
                for (range, about) in limit.ranges.iter_mut().zip(about.iter()) {
                    let anew = self.coordinate(*about);
                    *range = range.map(|(least, most)| (anew.of(least), anew.of(most)));
                }
            }
            ConstraintKind::Follow(follow) if !follow.tied && self.hangs_on_grown(follow.path) => {
                for length in [&mut follow.distance, &mut follow.speed, &mut follow.acceleration] {
                    *length *= self.factor;
                }
            }
            _ => return None,
        }
        (changed != *constraint).then_some(changed)
    }

    fn chain(&self, id: ObjectId, chain: &mut IkChain) {
        for (axis, space) in chain.spaces.into_iter().enumerate() {
            if let Some(about) = self.about(space, id) {
                chain.target[axis] = self.coordinate(about[axis]).of(chain.target[axis]);
            }
        }
        if let Some(pole) = &mut chain.pole
            && let Some(about) = self.about(pole.space, id)
        {
            pole.place = self.place(&pole.place, &about);
        }
    }

    /// What becomes of a channel's values; none where they are no lengths of the figure.
    fn change(&self, path: &ChannelPath) -> Option<Anew> {
        let constraint = |id, constraint| self.document.object(id).and_then(|object| object.constraint(constraint));
        let axis = path.component.axis();
        match (path.target, path.property) {
            (Target::Joint(of, _), Property::Translation) if of == self.object => Some(self.coordinate(0.0)),
            (Target::Object(of), Property::Translation) => {
                let about = self.grown.get(&of)?;
                Some(self.coordinate(about[axis?]))
            }
            (Target::Object(of), Property::Scale) => self.grown.contains_key(&of).then(|| self.coordinate(0.0)),
            (Target::Constraint(of, id), Property::Translation) => {
                let space = *constraint(of, id)?.as_chain()?.spaces.get(axis?)?;
                Some(self.coordinate(self.about(space, of)?[axis?]))
            }
            (Target::Pole(of, id), Property::Translation) => {
                let pole = constraint(of, id)?.as_chain()?.pole?;
                Some(self.coordinate(self.about(pole.space, of)?[axis?]))
            }
            (Target::Constraint(of, id), Property::Distance | Property::Speed | Property::Acceleration) => {
                let follow = constraint(of, id)?.as_follow()?;
                (!follow.tied && self.hangs_on_grown(follow.path)).then(|| self.coordinate(0.0))
            }
            _ => None,
        }
    }

    /// Poses of the library that are of this figure and no other.
    fn poses(&self, document: &mut Document) {
        let fits = |skeleton: &Skeleton, pose: &Pose| {
            pose.joints.keys().all(|name| names::find_joint(skeleton, name).is_some())
        };
        let of = |pose: &Pose| {
            let mut rigs = self.document.rigs().filter(|(_, _, rig)| fits(&rig.skeleton, pose));
            rigs.next().is_some_and(|(id, ..)| id == self.object) && rigs.next().is_none()
        };
        let has_place = |pose: &Pose| pose.joints.values().any(|joint| joint.translation.is_some());
        if !self.document.poses.values().any(|pose| has_place(pose) && of(pose)) {
            return;
        }
        for pose in Arc::make_mut(&mut document.poses).values_mut().filter(|pose| has_place(pose) && of(pose)) {
            for joint in Arc::make_mut(pose).joints.values_mut() {
                joint.translation = joint.translation.map(|place| place * self.factor);
            }
        }
    }

    fn clips(&self, document: &mut Document) {
        for clip in Arc::make_mut(&mut document.clips).values_mut() {
            if clip.pins.iter().any(|pin| pin.mentions(self.object)) {
                let clip = Arc::make_mut(clip);
                for pin in clip.pins.iter_mut().filter(|pin| pin.mentions(self.object)) {
                    if let Some(about) = self.about(pin.space, pin.object) {
                        let pin = Arc::make_mut(pin);
                        pin.place = self.place(&pin.place, &about);
                    }
                }
            }
            let is_length = |path: &ChannelPath| self.change(path).is_some();
            let mut all = clip.channels.keys().chain(clip.corrections.iter().flat_map(|c| c.deltas.keys()));
            if all.any(is_length) || clip.unkeyed.iter().any(|frame| frame.values.keys().any(is_length)) {
                self.clip(Arc::make_mut(clip));
            }
        }
        let touched =
            |channels: &BTreeMap<ChannelPath, Arc<Curve>>| channels.keys().any(|path| self.change(path).is_some());
        if document.snapshots.values().any(|snapshot| touched(&snapshot.channels)) {
            for snapshot in Arc::make_mut(&mut document.snapshots).values_mut() {
                if touched(&snapshot.channels) {
                    self.curves(&mut Arc::make_mut(snapshot).channels, true);
                }
            }
        }
    }

    fn clip(&self, clip: &mut Clip) {
        self.curves(&mut clip.channels, true);
        for correction in &mut clip.corrections {
            if correction.deltas.keys().any(|path| self.change(path).is_some()) {
                // What is added to a place has no place itself.
                self.curves(&mut Arc::make_mut(correction).deltas, false);
            }
        }
        for (path, value) in clip.unkeyed.iter_mut().flat_map(|frame| &mut frame.values) {
            if let (Value::Scalar(length), Some(anew)) = (value, self.change(path)) {
                *length = anew.of(*length);
            }
        }
    }

    fn curves(&self, curves: &mut BTreeMap<ChannelPath, Arc<Curve>>, are_places: bool) {
        for (path, curve) in curves {
            if let Some(anew) = self.change(path) {
                anew::values(Arc::make_mut(curve), if are_places { anew } else { anew.difference() });
            }
        }
    }
}
