//! Channels by name, as people write them: `Biped/hand.l/rotation.x`.
//!
//! The second of several objects (or joints of one rig) with one name is `name#2`, the third `name#3`; a `/`, `#` or `\`
//! in a name is written with a `\` before it. A pin goes by its number in the clip: `Biped/pin 2/influence`; so do
//! points of paths and lattices, `Road/point 3/translation.x`, constraints, `Cart/constraint 0/distance`, the entries of
//! deformer stacks, `Body/deformer 0/influence`, layers, `Body/layer 0/weight`, and the samples of the space that a layer
//! plays, `Body/layer 0 sample 2/weight`.

use super::{
    channel::{ChannelPath, Component, Property, Target},
    document::Document,
    id::{BlendSpaceId, ClipId, ConstraintId, DeformerId, JointId, LayerId, MorphId, ObjectId, PinId, PointId},
    skeleton::Skeleton,
};
use std::collections::BTreeMap;

/// A name with `/`, `#` and `\` escaped.
#[must_use]
pub fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '/' | '#' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A name that nothing else of a list has: the one wanted, or with the first number from 2 on after it that is free.
#[must_use]
pub fn free(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2_u64..).map(|number| format!("{wanted} {number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_else(|| wanted.to_owned())
}

/// An object's name, told apart from others of the same name.
#[must_use]
pub fn object_name(document: &Document, id: ObjectId) -> Option<String> {
    let named = document.objects.iter().map(|(id, object)| (*id, object.name.as_str()));
    numbered(named, &id)
}

/// A clip's name, told apart from others of the same name.
#[must_use]
pub fn clip_name(document: &Document, id: ClipId) -> Option<String> {
    let named = document.clips.iter().map(|(id, clip)| (*id, clip.name.as_str()));
    numbered(named, &id)
}

/// A joint's name, told apart from others of the same name.
#[must_use]
pub fn joint_name(skeleton: &Skeleton, id: JointId) -> Option<String> {
    let named = skeleton.joints().iter().map(|joint| (joint.id, joint.name.as_str()));
    numbered(named, &id)
}

/// The names of some joints of an object, one after the other; none where there are none.
#[must_use]
pub fn joints_text(document: &Document, object: ObjectId, joints: &[JointId]) -> Option<String> {
    let skeleton = &document.object(object)?.as_rig()?.skeleton;
    let names: Vec<String> = joints.iter().filter_map(|joint| joint_name(skeleton, *joint)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The names of all joints, as [`joint_name`] gives each, by joint index.
#[must_use]
pub fn joint_names(skeleton: &Skeleton) -> Vec<String> {
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    let names = skeleton.joints().iter().map(|joint| {
        let before = met.entry(&joint.name).or_default();
        *before += 1;
        with_number(&joint.name, *before)
    });
    names.collect()
}

/// A channel's name.
#[must_use]
pub fn channel_name(document: &Document, path: ChannelPath) -> Option<String> {
    let object = object_name(document, path.target.object())?;
    let (property, suffix) = (path.property.name(), path.component.suffix());
    match path.target {
        Target::Object(_) => Some(format!("{object}/{property}{suffix}")),
        Target::Joint(id, joint) => {
            let joint = joint_name(&document.object(id)?.as_rig()?.skeleton, joint)?;
            Some(format!("{object}/{joint}/{property}{suffix}"))
        }
        Target::Pin(_, pin) => Some(format!("{object}/{PIN}{}/{property}{suffix}", pin.0)),
        Target::Point(_, point) => Some(format!("{object}/{POINT}{}/{property}{suffix}", point.0)),
        Target::Constraint(_, constraint) => Some(format!("{object}/{CONSTRAINT}{}/{property}{suffix}", constraint.0)),
        Target::Pole(_, constraint) => Some(format!("{object}/{POLE}{}/{property}{suffix}", constraint.0)),
        Target::Deformer(_, entry) => Some(format!("{object}/{DEFORMER}{}/{property}{suffix}", entry.0)),
        Target::Layer(_, layer) => Some(format!("{object}/{LAYER}{}/{property}{suffix}", layer.0)),
        Target::Sample(_, layer, place) => {
            Some(format!("{object}/{LAYER}{}{SAMPLE}{place}/{property}{suffix}", layer.0))
        }
        Target::Morph(id, morph) => {
            let mesh = document.object(id)?.as_mesh()?;
            let morph = numbered(mesh.morphs.iter().map(|morph| (morph.id, morph.name.as_str())), &morph)?;
            Some(format!("{object}/{morph}/{property}{suffix}"))
        }
    }
}

/// What stands before a pin's number.
const PIN: &str = "pin ";
/// What stands before a point's number.
const POINT: &str = "point ";
/// What stands before a constraint's number.
const CONSTRAINT: &str = "constraint ";
/// What stands before the number of an entry of a deformer stack.
const DEFORMER: &str = "deformer ";
/// What stands before a layer's number.
const LAYER: &str = "layer ";
/// What stands between a layer's number and that of a sample.
const SAMPLE: &str = " sample ";
/// What stands before the number of the chain a pole is of.
const POLE: &str = "pole ";

/// The object of a name.
#[must_use]
pub fn find_object(document: &Document, name: &str) -> Option<ObjectId> {
    find(document.objects.iter().map(|(id, object)| (*id, object.name.as_str())), name)
}

/// The clip of a name.
#[must_use]
pub fn find_clip(document: &Document, name: &str) -> Option<ClipId> {
    find(document.clips.iter().map(|(id, clip)| (*id, clip.name.as_str())), name)
}

/// The blend space of a name.
#[must_use]
pub fn find_space(document: &Document, name: &str) -> Option<BlendSpaceId> {
    find(document.blend_spaces.iter().map(|(id, space)| (*id, space.name.as_str())), name)
}

/// The joint of a name.
#[must_use]
pub fn find_joint(skeleton: &Skeleton, name: &str) -> Option<JointId> {
    find(skeleton.joints().iter().map(|joint| (joint.id, joint.name.as_str())), name)
}

/// The channel of a name.
#[must_use]
pub fn find_channel(document: &Document, name: &str) -> Option<ChannelPath> {
    let parts = split(name);
    let (object, joint, property) = match parts.as_slice() {
        [object, property] => (object, None, property),
        [object, joint, property] => (object, Some(joint), property),
        _ => return None,
    };
    let object = find_object(document, object)?;
    let target = match joint {
        None => Target::Object(object),
        Some(part) if layered(object, part).is_some() => layered(object, part)?,
        Some(part) if *property == Property::Weight.name() => {
            let mesh = document.object(object)?.as_mesh()?;
            let morph: MorphId = find(mesh.morphs.iter().map(|morph| (morph.id, morph.name.as_str())), part)?;
            Target::Morph(object, morph)
        }
        Some(part) if is_number(property) => numbered_target(object, part)?,
        Some(point)
            if {
                let found = document.object(object)?;
                found.as_path().is_some() || found.deforms()
            } =>
        {
            Target::Point(object, PointId(point.strip_prefix(POINT)?.parse().ok()?))
        }
        Some(joint) => {
            let found = find_joint(&document.object(object)?.as_rig()?.skeleton, joint);
            found.map_or_else(|| reaching(object, joint), |joint| Some(Target::Joint(object, joint)))?
        }
    };
    let (property, component) = match property.split_once('.') {
        None if is_number(property) => (*property, Component::Only),
        None => (*property, Component::Whole),
        Some((property, axis)) => {
            let component =
                Component::AXES.into_iter().find(|component| component.suffix().strip_prefix('.') == Some(axis));
            (property, component?)
        }
    };
    let property = Property::from_name(property)?;
    Some(ChannelPath { target, property, component }).filter(|path| path.is_sound())
}

/// Whether a property of this name is one number.
fn is_number(property: &str) -> bool {
    Property::NUMBERS.iter().any(|number| number.name() == property)
}

/// The layer, or the sample of its space, that a part of a name speaks of.
fn layered(object: ObjectId, part: &str) -> Option<Target> {
    let number = part.strip_prefix(LAYER)?;
    match number.split_once(SAMPLE) {
        Some((layer, place)) => Some(Target::Sample(object, LayerId(layer.parse().ok()?), place.parse().ok()?)),
        None => Some(Target::Layer(object, LayerId(number.parse().ok()?))),
    }
}

/// The pin, the constraint or the stack entry that a part of a name speaks of.
fn numbered_target(object: ObjectId, part: &str) -> Option<Target> {
    if let Some(number) = part.strip_prefix(DEFORMER) {
        return Some(Target::Deformer(object, DeformerId(number.parse().ok()?)));
    }
    match part.strip_prefix(CONSTRAINT) {
        Some(number) => Some(Target::Constraint(object, ConstraintId(number.parse().ok()?))),
        None => Some(Target::Pin(object, PinId(part.strip_prefix(PIN)?.parse().ok()?))),
    }
}

/// The escaped name of an entry, with `#n` where it is the n-th of that name.
fn numbered<'a, I: PartialEq>(named: impl Iterator<Item = (I, &'a str)> + Clone, id: &I) -> Option<String> {
    let (_, name) = named.clone().find(|(other, _)| other == id)?;
    let before = named.take_while(|(other, _)| other != id).filter(|(_, other)| *other == name).count();
    Some(with_number(name, before + 1))
}

fn with_number(name: &str, number: usize) -> String {
    let escaped = escaped(name);
    if number == 1 { escaped } else { format!("{escaped}#{number}") }
}

/// The target or the pole of a chain that a part of a name speaks of, where no joint has that name.
fn reaching(object: ObjectId, part: &str) -> Option<Target> {
    let constraint = |number: &str| Some(ConstraintId(number.parse().ok()?));
    match part.strip_prefix(POLE) {
        Some(number) => Some(Target::Pole(object, constraint(number)?)),
        None => Some(Target::Constraint(object, constraint(part.strip_prefix(CONSTRAINT)?)?)),
    }
}

/// The entry of a name, escaped and numbered as [`numbered`] writes it.
fn find<'a, I>(named: impl Iterator<Item = (I, &'a str)>, text: &str) -> Option<I> {
    let (name, number) = match unescaped_mark(text) {
        Some(at) => (&text[..at], text[at + 1..].parse::<usize>().ok()?),
        None => (text, 1),
    };
    let name = unescape(name);
    named.filter(|(_, other)| *other == name).map(|(id, _)| id).nth(number.checked_sub(1)?)
}

/// Where the last `#` stands that is not escaped.
fn unescaped_mark(text: &str) -> Option<usize> {
    let mut mark = None;
    let mut escape = false;
    for (at, c) in text.char_indices() {
        if c == '#' && !escape {
            mark = Some(at);
        }
        escape = c == '\\' && !escape;
    }
    mark
}

/// A text split at its unescaped `/`.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut escape) = (0, false);
    for (at, c) in text.char_indices() {
        if c == '/' && !escape {
            parts.push(&text[start..at]);
            start = at + 1;
        }
        escape = c == '\\' && !escape;
    }
    parts.push(&text[start..]);
    parts
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escape = false;
    for c in text.chars() {
        if c == '\\' && !escape {
            escape = true;
        } else {
            out.push(c);
            escape = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Vec3,
        model::{Joint, Object, Rig},
    };
    use std::sync::Arc;

    #[test]
    fn every_channel_is_found_by_the_name_it_is_given() {
        let names = ["hips", "a/b", "hand", "hand", "h#2", "back\\slash", "hand", "\u{624b}"];
        let joints =
            names.iter().zip(0..).map(|(name, id)| Joint::new(JointId(id), name, None, Vec3::zeros())).collect();
        let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
        let mut document = Document::default();
        let objects =
            [document.add_object(Object::rig("Biped", rig.clone())), document.add_object(Object::rig("Biped", rig))];
        let mut seen = std::collections::BTreeSet::new();
        for object in objects {
            for joint in 0..8 {
                for (property, component) in [
                    (Property::Rotation, Component::X),
                    (Property::Rotation, Component::Whole),
                    (Property::Scale, Component::Z),
                ] {
                    let path = ChannelPath::joint(object, JointId(joint), property, component);
                    let name = channel_name(&document, path).unwrap();
                    assert_eq!(find_channel(&document, &name), Some(path), "{name}");
                    assert!(seen.insert(name));
                }
            }
            let path = ChannelPath::object(object, Property::Translation, Component::Y);
            assert_eq!(find_channel(&document, &channel_name(&document, path).unwrap()), Some(path));
            let path = ChannelPath::constraint(object, ConstraintId(2), Property::Distance);
            assert_eq!(find_channel(&document, &channel_name(&document, path).unwrap()), Some(path));
            let path = ChannelPath::influence(object, PinId(7));
            assert_eq!(find_channel(&document, &channel_name(&document, path).unwrap()), Some(path));
        }
        let road = document.add_object(Object::path("Road", crate::model::Path::default()));
        let path = ChannelPath::point(road, PointId(3), Component::Z);
        assert_eq!(channel_name(&document, path).unwrap(), "Road/point 3/translation.z");
        assert_eq!(find_channel(&document, "Road/point 3/translation.z"), Some(path));
        let third = ChannelPath::joint(objects[1], JointId(6), Property::Rotation, Component::X);
        assert_eq!(channel_name(&document, third).unwrap(), "Biped#2/hand#3/rotation.x");
        for wrong in
            ["", "Biped", "Biped/nobody/rotation.x", "Biped/hips/rotation.w", "Biped#0/hips/rotation.x", "Biped#x/hips"]
        {
            assert_eq!(find_channel(&document, wrong), None, "{wrong}");
        }
    }
}
