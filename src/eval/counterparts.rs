//! A motion of one document as curves of another: channel by channel, joints matched by name, rotations in the form they
//! have there.

use super::{
    rotation_form::in_form,
    sample::{rotation_value, scalar_values},
};
use crate::model::{
    ChannelPath, Clip, Component, Curve, Document, ObjectId, Property, RotationCurve, RotationSamples, Samples,
    ScalarCurve, Target, names::joint_name,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The most frames that a rotation is brought to another form at.
const MOST_FRAMES: i64 = 1_000_000;

/// A clip of an object in a document.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// The document.
    pub document: &'a Document,
    /// The object, a rig or any other.
    pub object: ObjectId,
    /// The clip.
    pub clip: &'a Clip,
}

/// The curves of a motion for another object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counterparts {
    /// By the other object's channels. Curves whose form is the same there are the very same.
    pub channels: BTreeMap<ChannelPath, Arc<Curve>>,
    /// The joints that move and have no counterpart, by name.
    pub missing: Vec<String>,
    /// The greatest deviation of a rotation brought to another form, radians.
    pub error: f64,
}

/// The curves that a motion gives an object of another document: those of the object itself, and of the joints whose names are
/// found there, exactly or but for case, marks and what stands before a colon. What lies on top of the curves, retimes and
/// corrections, is not looked at.
#[must_use]
pub fn counterparts(from: Motion<'_>, document: &Document, object: ObjectId) -> Counterparts {
    let mut found = Counterparts::default();
    let targets: BTreeSet<Target> = from.clip.channels.keys().map(|path| path.target).collect();
    let names = Names::new(document, object);
    for target in targets.into_iter().filter(|target| target.object() == from.object) {
        let other = match target {
            Target::Object(_) => Some(Target::Object(object)),
            Target::Joint(_, joint) => {
                let skeleton = from.document.object(from.object).and_then(|object| object.as_rig());
                let Some(name) = skeleton.and_then(|rig| joint_name(&rig.skeleton, joint)) else { continue };
                let other = names.find(&name);
                if other.is_none() {
                    found.missing.push(name);
                }
                other
            }
            Target::Pin(..)
            | Target::Point(..)
            | Target::Constraint(..)
            | Target::Morph(..)
            | Target::Pole(..)
            | Target::Deformer(..)
            | Target::Layer(..)
            | Target::Sample(..) => None,
        };
        if let Some(other) = other {
            of_target(from, target, (document, other), &mut found);
        }
    }
    found
}

/// The curves of one target under the name of another.
fn of_target(from: Motion<'_>, target: Target, (document, other): (&Document, Target), found: &mut Counterparts) {
    let range = ChannelPath { target, property: Property::Translation, component: Component::X };
    let own = from.clip.channels.range(range..).take_while(|(path, _)| path.target == target);
    let own = own.filter(|(path, _)| path.property.is_of_transform());
    let mode = document.rotation_mode(other);
    let same_form = mode == from.document.rotation_mode(target);
    let mut put = |path: ChannelPath, curve: &Arc<Curve>| {
        found.channels.insert(ChannelPath { target: other, ..path }, Arc::clone(curve));
    };
    let mut turned = false;
    for (path, curve) in own {
        if path.property == Property::Rotation && !same_form {
            turned = true;
        } else {
            put(*path, curve);
        }
    }
    if let (true, Some(mode)) = (turned, mode)
        && let Some((curves, report)) = in_form(from.document, &at_frames(from, target), target, mode)
    {
        curves.iter().for_each(|(path, curve)| put(*path, curve));
        found.error = found.error.max(report.error);
    }
}

/// A target's rotation in a clip as samples at the frames of its document: between keys one form runs otherwise than another.
fn at_frames(from: Motion<'_>, target: Target) -> Clip {
    let turns = |(path, _): &(&ChannelPath, &Arc<Curve>)| path.target == target && path.property == Property::Rotation;
    let own: Vec<(&ChannelPath, &Arc<Curve>)> = from.clip.channels.iter().filter(turns).collect();
    let spans = own.iter().filter_map(|(_, curve)| curve.span());
    let span = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default();
    let rate = from.document.settings.rate;
    let first = rate.frame_f64(span.0).floor() as i64;
    let last = (rate.frame_f64(span.1).ceil() as i64).clamp(first, first.saturating_add(MOST_FRAMES));
    let (start, frames) = (rate.secs(first), first..=last);
    let sampled = |curve: &Curve| match curve {
        Curve::Scalar(scalar) if !curve.is_sampled() => {
            let times: Vec<f64> = frames.clone().map(|frame| rate.secs(frame)).collect();
            let values = scalar_values(scalar, &times).into_iter().map(Option::unwrap_or_default);
            Curve::Scalar(ScalarCurve::Sampled(Samples::new(start, rate, values.collect())))
        }
        Curve::Rotation(track) if !curve.is_sampled() => {
            let values = frames.clone().map(|frame| rotation_value(track, rate.secs(frame)).unwrap_or_default());
            Curve::Rotation(RotationCurve::Sampled(RotationSamples { start, rate, values: values.collect() }))
        }
        sampled => sampled.clone(),
    };
    let channels = own.into_iter().map(|(path, curve)| (*path, Arc::new(sampled(curve)))).collect();
    Clip { channels, ..Clip::new(&from.clip.name, from.clip.range) }
}

/// The joints of a rig by name.
struct Names {
    exact: BTreeMap<String, Target>,
    /// By the plain form of the name; none for two joints of one form.
    plain: BTreeMap<String, Option<Target>>,
}

impl Names {
    fn new(document: &Document, object: ObjectId) -> Self {
        let mut names = Self { exact: BTreeMap::new(), plain: BTreeMap::new() };
        let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return names };
        for joint in rig.skeleton.joints() {
            let target = Target::Joint(object, joint.id);
            if let Some(name) = joint_name(&rig.skeleton, joint.id) {
                names.plain.entry(plain(&name)).and_modify(|known| *known = None).or_insert(Some(target));
                names.exact.insert(name, target);
            }
        }
        names
    }

    fn find(&self, name: &str) -> Option<Target> {
        self.exact.get(name).copied().or_else(|| self.plain.get(&plain(name)).copied().flatten())
    }
}

/// A name without case, marks and what stands before a colon.
fn plain(name: &str) -> String {
    let own = name.rsplit(':').next().unwrap_or(name);
    own.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::sample::{Stage, clip_local},
        math::{EulerOrder, Vec3},
        model::{FrameRange, FrameRate, Joint, JointId, Key, KeyedCurve, Object, Rig, RotationMode, Skeleton},
    };

    fn rig(names: &[&str], mode: RotationMode) -> (Document, ObjectId) {
        let mut document = Document::default();
        let joint = |(index, name): (u32, &&str)| {
            let parent = index.checked_sub(1).map(JointId);
            Joint { rotation: mode, ..Joint::new(JointId(index), name, parent, Vec3::y()) }
        };
        let joints = (0..).zip(names).map(joint).collect();
        let skeleton = Arc::new(Skeleton::new(joints).unwrap());
        let object = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
        (document, object)
    }

    fn moved(object: ObjectId) -> Clip {
        let mut clip = Clip::new("dance", FrameRange::new(0, 24));
        let mut put = |joint, property, component, curve| {
            let path = ChannelPath::joint(object, JointId(joint), property, component);
            clip.channels.insert(path, Arc::new(Curve::Scalar(curve)));
        };
        let keys = |scale: f64| {
            let keys = [(0.0, 0.0), (0.5, 0.8 * scale), (1.0, -0.3)].map(|(time, value)| Key::new(time, value));
            ScalarCurve::Keyed(KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() })
        };
        let values: Vec<f64> = (0..25).map(|i| (f64::from(i) * 0.3).sin()).collect();
        put(0, Property::Translation, Component::Y, keys(1.0));
        put(1, Property::Rotation, Component::X, keys(1.0));
        put(1, Property::Rotation, Component::Z, keys(-0.7));
        put(2, Property::Rotation, Component::Y, {
            ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, values.into()))
        });
        clip
    }

    #[test]
    fn joints_are_found_by_name_and_rotations_turn_as_they_did() {
        let order = EulerOrder::from_axes([2, 0, 1]).unwrap();
        let (from, object) = rig(&["Hips", "Spine_1", "Head"], RotationMode::Euler(order));
        let clip = moved(object);
        let motion = Motion { document: &from, object, clip: &clip };
        for mode in [
            RotationMode::Euler(order),
            RotationMode::Euler(EulerOrder::from_axes([0, 1, 2]).unwrap()),
            RotationMode::Quaternion,
        ] {
            let (onto, other) = rig(&["mixamorig:Hips", "tail", "Spine1", "head"], mode);
            let found = counterparts(motion, &onto, other);
            assert!(found.missing.is_empty() && found.error < 0.01, "{:?} {}", found.missing, found.error);
            let same = mode == RotationMode::Euler(order);
            let spine = ChannelPath::joint(other, JointId(2), Property::Rotation, Component::X);
            let old = ChannelPath::joint(object, JointId(1), Property::Rotation, Component::X);
            assert_eq!(same, found.channels.get(&spine).is_some_and(|curve| Arc::ptr_eq(curve, &clip.channels[&old])));
            let copy = Clip { channels: found.channels, ..Clip::new("copy", clip.range) };
            for (joint, other_joint) in [(0, 0), (1, 2), (2, 3)] {
                for frame in 0..=24 {
                    let secs = FrameRate::FPS_24.secs(frame);
                    let of = |document, clip, object, joint| {
                        let target = Target::Joint(object, JointId(joint));
                        clip_local(document, Some(clip), target, secs, Stage::Curves).unwrap()
                    };
                    let (a, b) = (of(&from, &clip, object, joint), of(&onto, &copy, other, other_joint));
                    assert!(a.rotation.angle_to(&b.rotation) < 0.01, "{mode:?} {joint} {frame}");
                    assert!(joint > 0 || (a.translation - b.translation).norm() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn what_has_no_counterpart_is_told() {
        let (from, object) = rig(&["hip", "spine", "head"], RotationMode::default());
        let (onto, other) = rig(&["hip", "SPINE", "spine.", "neck"], RotationMode::default());
        let clip = moved(object);
        let found = counterparts(Motion { document: &from, object, clip: &clip }, &onto, other);
        assert_eq!(found.missing, ["spine", "head"], "of two like names neither is taken");
        assert!(found.channels.keys().all(|path| path.target == Target::Joint(other, JointId(0))));
        let none = counterparts(Motion { document: &from, object, clip: &clip }, &onto, ObjectId(99));
        assert!(none.channels.is_empty());
    }
}
