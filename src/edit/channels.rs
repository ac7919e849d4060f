//! The channels there are of something, as they are offered to be chosen.

use crate::model::{
    BlendScheme, ChannelPath, Component, Constraint, ConstraintKind, Document, Layer, ObjectId, Plays, Property, Target,
};

/// The channels of one number of a target, in the order of its properties: none of pins, whose channels are a clip's.
#[must_use]
pub fn channels_of(document: &Document, target: Target) -> Vec<ChannelPath> {
    let path = |property, component| ChannelPath { target, property, component };
    let number = |property| path(property, Component::Only);
    let Some(object) = document.object(target.object()) else { return Vec::new() };
    let properties = target.transform_properties().iter();
    let mut found: Vec<ChannelPath> =
        properties.flat_map(|property| Component::AXES.map(|component| path(*property, component))).collect();
    match target {
        Target::Object(_) => {
            found.extend(object.as_camera().map(|_| number(Property::FieldOfView)));
            found.extend(object.as_light().into_iter().flat_map(|_| Property::LIGHT.map(number)));
            found.extend(object.as_mesh().filter(|mesh| mesh.skin.is_some()).map(|_| number(Property::Blend)));
            let parameters = object.as_deformer().into_iter().flat_map(|deformer| deformer.kind.parameters());
            found.extend(parameters.map(|parameter| number(parameter.property)));
        }
        Target::Constraint(_, id) => {
            let Some(constraint) = object.constraint(id) else { return Vec::new() };
            if constraint.as_chain().is_none() {
                found.clear();
            }
            found.extend(numbers_of(constraint).iter().map(|property| number(*property)));
        }
        Target::Morph(..) | Target::Sample(..) => found.push(number(Property::Weight)),
        Target::Deformer(..) => found.push(number(Property::Influence)),
        Target::Layer(_, id) => {
            let plays_space = object.layer(id).is_some_and(|layer| matches!(layer.plays, Plays::Space(_)));
            let shown = if plays_space { &Property::LAYER[..] } else { &Property::LAYER[..1] };
            found.extend(shown.iter().map(|property| number(*property)));
        }
        Target::Joint(..) | Target::Pin(..) | Target::Point(..) | Target::Pole(..) => {}
    }
    found
}

const fn numbers_of(constraint: &Constraint) -> &'static [Property] {
    match constraint.kind {
        ConstraintKind::Follow(_) => &[Property::Influence, Property::Distance],
        ConstraintKind::Parent(_) => &[Property::Influence, Property::Source],
        _ => &[Property::Influence],
    }
}

/// The samples of the space that a layer of an object plays, where each has a weight of its own.
#[must_use]
pub fn samples_of(document: &Document, object: ObjectId, layer: &Layer) -> Vec<Target> {
    let Plays::Space(space) = layer.plays else { return Vec::new() };
    let space = document.blend_spaces.get(&space).filter(|space| space.scheme == BlendScheme::Direct);
    let count = space.map_or(0, |space| u32::try_from(space.samples.len()).unwrap_or(u32::MAX));
    (0..count).map(|place| Target::Sample(object, layer.id, place)).collect()
}

/// The parts of an object that have channels: itself, its joints, constraints with their poles, morph targets,
/// entries of its deformer stack, points, and layers with the samples they weigh.
#[must_use]
pub fn parts_of(document: &Document, id: ObjectId) -> Vec<Target> {
    let Some(object) = document.object(id) else { return Vec::new() };
    let mut parts = vec![Target::Object(id)];
    let joints = object.as_rig().into_iter().flat_map(|rig| rig.skeleton.joints());
    parts.extend(joints.filter(|joint| !joint.is_end()).map(|joint| Target::Joint(id, joint.id)));
    for constraint in &object.constraints {
        parts.push(Target::Constraint(id, constraint.id));
        parts.extend(object.pole(constraint.id).map(|_| Target::Pole(id, constraint.id)));
    }
    parts.extend(object.as_mesh().into_iter().flat_map(|mesh| &mesh.morphs).map(|morph| Target::Morph(id, morph.id)));
    let stack = object.as_mesh().into_iter().flat_map(|mesh| &mesh.stack);
    parts.extend(stack.map(|entry| Target::Deformer(id, entry.id)));
    for layer in &object.layers {
        parts.push(Target::Layer(id, layer.id));
        parts.extend(samples_of(document, id, layer));
    }
    parts.extend(object.carrying_points().into_iter().map(|(point, _)| Target::Point(id, point)));
    parts.extend(object.as_path().into_iter().flat_map(|path| &path.points).map(|point| Target::Point(id, point.id)));
    parts
}

/// The parts of what a target is that are shown with it: constraints of a joint with the joint; of an object all that are no
/// joints nor of joints.
#[must_use]
pub fn parts_with(document: &Document, target: Target) -> Vec<Target> {
    let id = target.object();
    let joint_of = |constraint| document.object(id).and_then(|object| object.constraint(constraint)?.joint);
    let belongs = |part: &Target| match *part {
        Target::Joint(..) => false,
        Target::Constraint(_, constraint) | Target::Pole(_, constraint) => joint_of(constraint) == target.joint(),
        _ => target.joint().is_none(),
    };
    if !matches!(target, Target::Object(_) | Target::Joint(..)) {
        return vec![target];
    }
    let others = parts_of(document, id).into_iter().filter(|part| *part != target && belongs(part));
    std::iter::once(target).chain(others).collect()
}
