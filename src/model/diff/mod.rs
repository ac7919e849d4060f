//! What differs between two documents, in the user's words.
//!
//! Things are matched by id where the name says the same, else by name, so that two versions of one file and two files
//! of one character both compare well. Keys are matched by their time; a key that is gone here and stands there unchanged
//! at another time has moved. What has no words of its own is compared field by field as it is saved: a field added to the
//! document later is never overlooked.

mod curves;
mod fields;
mod matching;

use super::{
    channel::{ChannelPath, Target},
    clip::Clip,
    document::Document,
    id::{ClipId, JointId, ObjectId},
    names,
    object::Object,
    skeleton::Skeleton,
};
use curves::{Scale, curve_differences};
use fields::field_differences;
use matching::{Pairs, pairs};
use serde::Serialize;
use std::collections::BTreeMap;

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where: `Walk: Biped/hand.l/rotation.x`, by the names of the first document where it has the thing.
    pub place: String,
    /// What: `key moved from frame 10 to 12`.
    pub what: String,
}

/// All that differs from `a` to `b`, in the order of the documents: settings, objects, clips,
/// blend spaces, masks, poses. Empty for equal ones.
#[must_use]
pub fn differences(a: &Document, b: &Document) -> Vec<Difference> {
    let mut walk = Walk { a, b, joints: BTreeMap::new(), objects: BTreeMap::new(), found: Vec::new() };
    walk.fields("document", &*a.settings, &*b.settings, &["clip"]);
    walk.objects();
    walk.clips();
    walk.playing();
    let spaces =
        |document: &Document| by_name(document.blend_spaces.values().map(|space| (&*space.name, space.clone())));
    let (before, after) = (spaces(a), spaces(b));
    walk.named("blend space", &before, &after);
    let masks = |document: &Document| by_name(document.masks.values().map(|mask| (&*mask.name, mask.clone())));
    let (before, after) = (masks(a), masks(b));
    walk.named("mask", &before, &after);
    let poses = |document: &Document| by_name(document.poses.values().map(|pose| (&*pose.name, pose.clone())));
    let (before, after) = (poses(a), poses(b));
    walk.named("pose", &before, &after);
    walk.found
}

/// Entries by name, the second of one name as `name#2`.
fn by_name<'a, T>(entries: impl Iterator<Item = (&'a str, T)>) -> Vec<(String, T)> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named = Vec::new();
    for (name, entry) in entries {
        let count = seen.entry(name).or_default();
        *count += 1;
        named.push((if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }, entry));
    }
    named
}

struct Walk<'a> {
    a: &'a Document,
    b: &'a Document,
    /// Ids of `b`'s objects by `a`'s.
    objects: BTreeMap<ObjectId, ObjectId>,
    /// Ids of `b`'s joints by `a`'s.
    joints: BTreeMap<(ObjectId, JointId), JointId>,
    found: Vec<Difference>,
}

impl Walk<'_> {
    fn tell(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.found.push(Difference { place: place.into(), what: what.into() });
    }

    fn fields<T: Serialize>(&mut self, place: &str, a: &T, b: &T, skip: &[&str]) {
        for what in field_differences(a, b, skip) {
            self.tell(place, what);
        }
    }

    /// Lists of named parts without a form of their own.
    fn named<T: Serialize + PartialEq>(&mut self, kind: &str, a: &[(String, T)], b: &[(String, T)]) {
        for (name, part) in a {
            match b.iter().find(|(other, _)| other == name) {
                None => self.tell(format!("{kind} {name}"), "removed"),
                Some((_, other)) if part != other => self.fields(&format!("{kind} {name}"), part, other, &[]),
                Some(_) => {}
            }
        }
        for (name, _) in b.iter().filter(|(name, _)| !a.iter().any(|(other, _)| other == name)) {
            self.tell(format!("{kind} {name}"), "added");
        }
    }

    fn objects(&mut self) {
        let (a, b) = (self.a, self.b);
        let Pairs { both, only_a, only_b } = pairs(
            a.objects.iter().map(|(id, object)| (*id, object.name.as_str())),
            b.objects.iter().map(|(id, object)| (*id, object.name.as_str())),
        );
        self.objects = both.iter().copied().collect();
        for (id, other) in both {
            let (Some(object), Some(after)) = (a.object(id), b.object(other)) else { continue };
            if let (Some(rig), Some(new)) = (object.as_rig(), after.as_rig()) {
                self.map_joints(id, &rig.skeleton, &new.skeleton);
            }
            if object != after {
                self.object(id, object, after);
            }
        }
        for id in only_a {
            self.tell(names::object_name(a, id).unwrap_or_default(), "object removed");
        }
        for id in only_b {
            self.tell(names::object_name(b, id).unwrap_or_default(), "object added");
        }
    }

    fn map_joints(&mut self, id: ObjectId, a: &Skeleton, b: &Skeleton) {
        for (joint, other) in joint_pairs(a, b).both {
            self.joints.insert((id, joint), other);
        }
    }

    fn object(&mut self, id: ObjectId, a: &Object, b: &Object) {
        let place = names::object_name(self.a, id).unwrap_or_default();
        if a.name != b.name {
            self.tell(&place, format!("renamed to '{}'", b.name));
        }
        self.plays(&place, a.clip, b.clip);
        self.drivers(a, b);
        let (Some(rig), Some(new)) = (a.as_rig(), b.as_rig()) else {
            return self.fields(&place, a, b, &["name", "clip", "drivers"]);
        };
        self.fields(&place, a, b, &["name", "clip", "kind", "drivers"]);
        self.fields(&place, &**rig, &**new, &["skeleton"]);
        let Pairs { both, only_a, only_b } = joint_pairs(&rig.skeleton, &new.skeleton);
        let name =
            |skeleton: &Skeleton, joint| format!("{place}/{}", names::joint_name(skeleton, joint).unwrap_or_default());
        for (joint, other) in both {
            let (Some(before), Some(after)) = (rig.skeleton.joint(joint), new.skeleton.joint(other)) else { continue };
            let place = name(&rig.skeleton, joint);
            if before.name != after.name {
                self.tell(&place, format!("renamed to '{}'", after.name));
            }
            let parent = |skeleton: &Skeleton, parent: Option<JointId>| {
                parent.map_or_else(|| "none".to_owned(), |id| names::joint_name(skeleton, id).unwrap_or_default())
            };
            let kept = before.parent.and_then(|parent| self.joints.get(&(id, parent)).copied());
            if kept != after.parent {
                let (from, to) = (parent(&rig.skeleton, before.parent), parent(&new.skeleton, after.parent));
                self.tell(&place, format!("parent {from} to {to}"));
            }
            self.fields(&place, before, after, &["id", "name", "parent"]);
        }
        for joint in only_a {
            self.tell(name(&rig.skeleton, joint), "joint removed");
        }
        for joint in only_b {
            self.tell(name(&new.skeleton, joint), "joint added");
        }
    }

    /// What drives the channels of an object.
    fn drivers(&mut self, a: &Object, b: &Object) {
        let scale = Scale { a: self.a.settings.rate, b: self.b.settings.rate, unit: self.a.settings.length_unit };
        let mut seen = Vec::new();
        for driver in &a.drivers {
            let place = format!("driver of {}", channel(self.a, driver.driven));
            let other = self.path_in_b(driver.driven);
            seen.extend(other);
            let Some(after) = b.drivers.iter().find(|after| Some(after.driven) == other) else {
                self.tell(place, "removed");
                continue;
            };
            if self.path_in_b(driver.source) != Some(after.source) {
                let (from, to) = (channel(self.a, driver.source), channel(self.b, after.source));
                self.tell(&place, format!("driven by {from} to {to}"));
            }
            self.fields(&place, &**driver, &**after, &["driven", "source", "curve"]);
            for what in curves::driver_differences(driver, after, scale) {
                self.tell(&place, what);
            }
        }
        for added in b.drivers.iter().filter(|driver| !seen.contains(&driver.driven)) {
            let by = channel(self.b, added.source);
            self.tell(format!("driver of {}", channel(self.b, added.driven)), format!("added, driven by {by}"));
        }
    }

    fn clips(&mut self) {
        let (a, b) = (self.a, self.b);
        let Pairs { both, only_a, only_b } = pairs(
            a.clips.iter().map(|(id, clip)| (*id, clip.name.as_str())),
            b.clips.iter().map(|(id, clip)| (*id, clip.name.as_str())),
        );
        for (id, other) in both {
            let (Some(clip), Some(after)) = (a.clip(id), b.clip(other)) else { continue };
            if clip != after {
                self.clip(&names::clip_name(a, id).unwrap_or_default(), clip, after);
            }
        }
        for id in only_a {
            self.tell(names::clip_name(a, id).unwrap_or_default(), "clip removed");
        }
        for id in only_b {
            self.tell(names::clip_name(b, id).unwrap_or_default(), "clip added");
        }
    }

    fn clip(&mut self, place: &str, a: &Clip, b: &Clip) {
        self.fields(place, a, b, &["channels", "corrections", "pins"]);
        self.channels(place, &a.channels, &b.channels);
        let named = |correction: &std::sync::Arc<super::clip::Correction>| correction.name.clone();
        for correction in &a.corrections {
            let place = format!("{place}: correction {}", named(correction));
            match b.corrections.iter().find(|other| other.id == correction.id) {
                None => self.tell(place, "removed"),
                Some(other) if other != correction => {
                    self.fields(&place, &**correction, &**other, &["id", "deltas", "solved"]);
                    self.channels(&place, &correction.deltas, &other.deltas);
                    self.channels(&format!("{place}: solved"), &correction.solved, &other.solved);
                }
                Some(_) => {}
            }
        }
        for added in b.corrections.iter().filter(|new| !a.corrections.iter().any(|old| old.id == new.id)) {
            self.tell(format!("{place}: correction {}", named(added)), "added");
        }
        let pin = |clip: &Clip| {
            clip.pins.iter().map(|pin| (format!("{} {}", pin.id.0, pin.name).trim().to_owned(), pin.clone())).collect()
        };
        let (before, after): (Vec<_>, Vec<_>) = (pin(a), pin(b));
        self.named(&format!("{place}: pin"), &before, &after);
    }

    fn channels(&mut self, place: &str, a: &Channels, b: &Channels) {
        let mut seen = std::collections::BTreeSet::new();
        for (path, curve) in a {
            let name = channel(self.a, *path);
            let other = self.path_in_b(*path);
            let after = other.and_then(|path| b.get(&path));
            seen.extend(other);
            match after {
                None => self.tell(format!("{place}: {name}"), "curve removed"),
                Some(after) => {
                    let scale =
                        Scale { a: self.a.settings.rate, b: self.b.settings.rate, unit: self.a.settings.length_unit };
                    for what in curve_differences(curve, after, path.property, scale) {
                        self.tell(format!("{place}: {name}"), what);
                    }
                }
            }
        }
        for path in b.keys().filter(|path| !seen.contains(path)) {
            self.tell(format!("{place}: {}", channel(self.b, *path)), "curve added");
        }
    }

    /// A channel of `a` by the ids of `b`.
    fn path_in_b(&self, path: ChannelPath) -> Option<ChannelPath> {
        let target = match path.target {
            Target::Joint(object, joint) => {
                Target::Joint(*self.objects.get(&object)?, *self.joints.get(&(object, joint))?)
            }
            other => other.on(*self.objects.get(&other.object())?),
        };
        Some(ChannelPath { target, ..path })
    }

    fn playing(&mut self) {
        self.plays("document", self.a.settings.clip, self.b.settings.clip);
    }

    /// Clips go by their names: their numbers are nobody's words.
    fn plays(&mut self, place: &str, a: Option<ClipId>, b: Option<ClipId>) {
        let name = |document: &Document, clip: Option<ClipId>| {
            clip.map_or_else(|| "none".to_owned(), |clip| names::clip_name(document, clip).unwrap_or_default())
        };
        let (before, after) = (name(self.a, a), name(self.b, b));
        if before != after {
            self.tell(place, format!("clip that plays: {before} to {after}"));
        }
    }
}

type Channels = BTreeMap<ChannelPath, std::sync::Arc<super::curve::Curve>>;

fn channel(document: &Document, path: ChannelPath) -> String {
    names::channel_name(document, path).unwrap_or_else(|| path.to_string())
}

fn joint_pairs(a: &Skeleton, b: &Skeleton) -> Pairs<JointId> {
    pairs(
        a.joints().iter().map(|joint| (joint.id, joint.name.as_str())),
        b.joints().iter().map(|joint| (joint.id, joint.name.as_str())),
    )
}

#[cfg(test)]
mod tests;
