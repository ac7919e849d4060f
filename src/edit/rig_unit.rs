//! The unit of a rig: everything of it that is a length grows with it.

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
        ChannelPath, Clip, Constraint, ConstraintKind, Document, LengthUnit, Object, ObjectId, Parent, PinSpace,
        Property, SkinJoint, Target, Value,
    },
};
use std::sync::Arc;

/// Says in which unit a rig counts. What it holds in the world, by pins, chains and parents, grows about its origin; what it
/// holds in its own spaces about theirs; what others hold stays.
pub(super) fn set_unit(document: &mut Document, object: ObjectId, unit: LengthUnit) -> Result<(), EditError> {
    let origin = object_mut(document, object)?.transform.translation;
    let rig = rig_mut(document, object)?;
    let factor = unit.metres() / rig.unit.metres();
    rig.unit = unit;
    if factor == 1.0 {
        return Ok(());
    }
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
    let hangs = |other: &Object| matches!(other.parent, Some(Parent::Joint(rig, _)) if rig == object);
    let hung: Vec<ObjectId> = document.objects.iter().filter(|(_, other)| hangs(other)).map(|(id, _)| *id).collect();
    for id in &hung {
        let transform = &mut object_mut(document, *id)?.transform;
        transform.translation *= factor;
        transform.scale *= factor;
    }
    let growth = Growth { object, origin, factor, hung };
    anew::drivers(document, |document, path| growth.of_channel(document, path));
    let before = document.clone();
    for clip in Arc::make_mut(&mut document.clips).values_mut() {
        if clip.pins.iter().any(|pin| pin.mentions(object)) {
            super::pins::scale(Arc::make_mut(clip), object, &origin, factor);
        }
        let mut all = clip.channels.keys().chain(clip.corrections.iter().flat_map(|c| c.deltas.keys()));
        let is_length = |path: &ChannelPath| growth.of_channel(&before, *path).is_some();
        if all.any(is_length) || clip.unkeyed.iter().any(|frame| frame.values.keys().any(is_length)) {
            scale_clip(Arc::make_mut(clip), |path| growth.of_channel(&before, *path));
        }
    }
    growth.constraints(document);
    Ok(())
}

/// What grows with a rig, and how.
struct Growth {
    object: ObjectId,
    /// Of the rig's object, in the world.
    origin: Vec3,
    factor: f64,
    /// Objects that hang on its joints.
    hung: Vec<ObjectId>,
}

impl Growth {
    /// How coordinates along an axis of a space grow, of what belongs to an object.
    fn in_space(&self, of: ObjectId, space: PinSpace, axis: usize) -> Option<Anew> {
        match space {
            PinSpace::World if of == self.object => {
                Some(Anew::scaled(self.factor, self.origin.iter().copied().nth(axis)?))
            }
            PinSpace::Object(named) | PinSpace::Joint(named, _) if named == self.object => {
                Some(Anew::scaled(self.factor, 0.0))
            }
            _ => None,
        }
    }

    /// How a channel's number grows; none for what is no length of the rig.
    fn of_channel(&self, document: &Document, path: ChannelPath) -> Option<Anew> {
        let axis = path.component.axis().filter(|_| path.property == Property::Translation)?;
        match path.target {
            Target::Joint(of, _) if of == self.object => Some(Anew::scaled(self.factor, 0.0)),
            Target::Object(of) if self.hung.contains(&of) => Some(Anew::scaled(self.factor, 0.0)),
            Target::Constraint(of, id) => {
                let chain = document.object(of)?.constraint(id)?.as_chain()?;
                self.in_space(of, *chain.spaces.get(axis)?, axis)
            }
            Target::Pole(of, id) => self.in_space(of, document.object(of)?.pole(id)?.space, axis),
            _ => None,
        }
    }

    /// Lets the places and offsets that constraints hold grow.
    fn constraints(&self, document: &mut Document) {
        let concerns = |id: ObjectId, constraint: &Constraint| {
            id == self.object || constraint.needs().any(|needed| needed == self.object)
        };
        let found = document.objects.iter().filter(|(id, object)| object.constraints.iter().any(|c| concerns(**id, c)));
        let found: Vec<ObjectId> = found.map(|(id, _)| *id).collect();
        for id in found {
            let Some(object) = document.object_mut(id) else { continue };
            for constraint in object.constraints.iter_mut().filter(|constraint| concerns(id, constraint)) {
                self.constraint(id, Arc::make_mut(constraint));
            }
        }
    }

    fn constraint(&self, of: ObjectId, constraint: &mut Constraint) {
        let grow = |place: &mut Vec3, spaces: [PinSpace; 3]| {
            for ((axis, number), space) in place.iter_mut().enumerate().zip(spaces) {
                *number = self.in_space(of, space, axis).map_or(*number, |anew| anew.of(*number));
            }
        };
        // A constraint of the object as a whole puts the rig somewhere in the scene, which does not grow.
        let of_joint = constraint.joint.is_some() && of == self.object;
        match &mut constraint.kind {
            ConstraintKind::Chain(chain) => {
                grow(&mut chain.target, chain.spaces);
                if let Some(pole) = &mut chain.pole {
                    grow(&mut pole.place, [pole.space; 3]);
                }
            }
            ConstraintKind::Point(hold) if of_joint => hold.offset *= self.factor,
            ConstraintKind::Parent(hold) => {
                for parent in hold.parents.iter_mut().filter(|parent| of_joint || parent.space != PinSpace::World) {
                    grow(&mut parent.offset.translation, [parent.space; 3]);
                }
            }
            ConstraintKind::Limit(limit) if of_joint => {
                for (axis, range) in limit.ranges.iter_mut().enumerate() {
                    if let Some(anew) = self.in_space(of, limit.space, axis) {
                        *range = range.map(|(least, most)| (anew.of(least), anew.of(most)));
                    }
                }
            }
            ConstraintKind::Follow(_)
            | ConstraintKind::Point(_)
            | ConstraintKind::Orient(_)
            | ConstraintKind::Aim(_)
            | ConstraintKind::Copy(_)
            | ConstraintKind::Limit(_) => {}
        }
    }
}

fn scale_clip(clip: &mut Clip, anew: impl Fn(&ChannelPath) -> Option<Anew>) {
    for (path, curve) in &mut clip.channels {
        if let Some(anew) = anew(path) {
            anew::values(Arc::make_mut(curve), anew);
        }
    }
    let corrected = |path: &ChannelPath| anew(path).is_some();
    for correction in clip.corrections.iter_mut().filter(|correction| correction.deltas.keys().any(corrected)) {
        for (path, curve) in &mut Arc::make_mut(correction).deltas {
            if let Some(anew) = anew(path) {
                anew::values(Arc::make_mut(curve), anew.difference());
            }
        }
    }
    for (path, value) in clip.unkeyed.iter_mut().flat_map(|frame| &mut frame.values) {
        if let (Some(anew), Value::Scalar(length)) = (anew(path), value) {
            *length = anew.of(*length);
        }
    }
}
