//! Bringing the parts of another document into this one.

use super::{Edit, EditError, clips::take_id, settings::convert_range};
use crate::model::{
    ChannelPath, Clip, ClipId, Correction, Curve, Document, JointId, Object, ObjectId, Parent, Pin, PinSpace, Rig,
    Skeleton, Target, UnkeyedFrame,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// Objects and clips that are added as they are, their ids new to the document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportEdit {
    /// The objects, in order of id, from [`Document::next_id`] on.
    pub objects: Vec<(ObjectId, Arc<Object>)>,
    /// The clips, in order of id, above the objects'.
    pub clips: Vec<(ClipId, Arc<Clip>)>,
    /// Objects, there before, that are to play one of the clips.
    pub play: Vec<(ObjectId, ClipId)>,
}

impl From<ImportEdit> for Edit {
    fn from(edit: ImportEdit) -> Self {
        Self::Import(edit)
    }
}

impl ImportEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        for (id, object) in &self.objects {
            take_id(document, id.0)?;
            Arc::make_mut(&mut document.objects).insert(*id, object.clone());
        }
        for (id, clip) in &self.clips {
            take_id(document, id.0)?;
            Arc::make_mut(&mut document.clips).insert(*id, clip.clone());
        }
        for (object, clip) in &self.play {
            document.clip(*clip).ok_or(EditError::NoClip(*clip))?;
            document.object_mut(*object).ok_or(EditError::NoObject(*object))?.clip = Some(*clip);
        }
        Ok(())
    }
}

/// How far the rest offsets of two skeletons may lie apart to be one, relative to the skeleton's extent.
const SAME_OFFSET: f64 = 1e-4;

/// What bringing a document's parts into another comes to. Where the imported document holds one rig and `rig` (or, with
/// none given, the only rig here) has the same joints, its clips become new clips of that rig and the first is played;
/// otherwise its objects come as new ones with their own clips. Nothing already there changes but which clip that rig
/// plays; the frame rate stays, the curves keep theirs.
#[must_use]
pub fn import_edit(document: &Document, imported: &Document, rig: Option<ObjectId>) -> ImportEdit {
    let mut rigs = document.rigs().map(|(id, ..)| id);
    let rig = rig.or_else(|| rigs.next().filter(|_| rigs.next().is_none()));
    match rig.and_then(|rig| onto_rig(document, imported, rig)) {
        Some(edit) => edit,
        None => as_new(document, imported),
    }
}

/// New ids for what is imported.
struct Ids<'a> {
    objects: BTreeMap<ObjectId, ObjectId>,
    clips: BTreeMap<ClipId, ClipId>,
    /// The joints of the one imported rig, where it becomes one that is there.
    joints: Option<&'a BTreeMap<JointId, JointId>>,
}

fn onto_rig(document: &Document, imported: &Document, rig: ObjectId) -> Option<ImportEdit> {
    let here = document.object(rig)?.as_rig()?;
    let (source, _, theirs) = imported.rigs().next()?;
    if imported.objects.len() != 1 || imported.clips.is_empty() {
        return None;
    }
    let joints = same_joints(here, theirs)?;
    let mut next = document.next_id;
    let clips = number(imported.clips.keys(), &mut next, ClipId);
    let ids = Ids { objects: BTreeMap::from([(source, rig)]), clips, joints: Some(&joints) };
    let first = imported.clip_of(source).or_else(|| imported.clips.keys().next().copied())?;
    let play = vec![(rig, *ids.clips.get(&first)?)];
    Some(ImportEdit { objects: Vec::new(), clips: move_clips(document, imported, &ids), play })
}

fn as_new(document: &Document, imported: &Document) -> ImportEdit {
    let mut next = document.next_id;
    let objects = number(imported.objects.keys(), &mut next, ObjectId);
    let clips = number(imported.clips.keys(), &mut next, ClipId);
    let ids = Ids { objects, clips, joints: None };
    let objects = imported.objects.iter().filter_map(|(id, object)| {
        let mut object = Object::clone(object);
        // What the whole imported document played is now said of each of its top objects.
        let clip = if object.parent.is_none() { object.clip.or(imported.settings.clip) } else { object.clip };
        object.clip = clip.and_then(|clip| ids.clips.get(&clip).copied());
        object.parent = object.parent.and_then(|parent| {
            let new = *ids.objects.get(&parent.object())?;
            Some(match parent {
                Parent::Object(_) => Parent::Object(new),
                Parent::Joint(_, joint) => Parent::Joint(new, joint),
            })
        });
        Some((*ids.objects.get(id)?, Arc::new(object)))
    });
    ImportEdit { objects: objects.collect(), clips: move_clips(document, imported, &ids), play: Vec::new() }
}

fn number<'a, I: Copy + Ord + 'a>(
    old: impl Iterator<Item = &'a I>,
    next: &mut u32,
    make: impl Fn(u32) -> I,
) -> BTreeMap<I, I> {
    old.map(|id| {
        let new = make(*next);
        *next = next.saturating_add(1);
        (*id, new)
    })
    .collect()
}

fn move_clips(document: &Document, imported: &Document, ids: &Ids<'_>) -> Vec<(ClipId, Arc<Clip>)> {
    let (from, to) = (imported.settings.rate, document.settings.rate);
    let clips = imported.clips.iter().filter_map(|(id, clip)| {
        let mut moved = Clip {
            name: clip.name.clone(),
            range: convert_range(clip.range, from, to),
            loop_mode: clip.loop_mode,
            frame_time_text: clip.frame_time_text.clone().filter(|_| from == to),
            channels: move_curves(&clip.channels, ids),
            unkeyed: clip
                .unkeyed
                .iter()
                .map(|frame| UnkeyedFrame {
                    time: frame.time,
                    values: frame.values.iter().filter_map(|(path, v)| Some((move_path(*path, ids)?, *v))).collect(),
                })
                .filter(|frame| !frame.values.is_empty())
                .collect(),
            corrections: clip
                .corrections
                .iter()
                .map(|c| Arc::new(Correction { deltas: move_curves(&c.deltas, ids), ..Correction::clone(c) }))
                .collect(),
            pins: clip.pins.iter().filter_map(|pin| move_pin(pin, ids)).collect(),
        };
        let pins = &moved.pins;
        moved.channels.retain(|path, _| match path.target {
            Target::Pin(_, pin) => pins.iter().any(|other| other.id == pin),
            _ => true,
        });
        Some((*ids.clips.get(id)?, Arc::new(moved)))
    });
    clips.collect()
}

/// A pin here; none where what it is at rest in is not moved along.
fn move_pin(pin: &Pin, ids: &Ids<'_>) -> Option<Arc<Pin>> {
    let joint = |joint: JointId| match ids.joints {
        Some(joints) => joints.get(&joint).copied(),
        None => Some(joint),
    };
    let object = |object: &ObjectId| ids.objects.get(object).copied();
    let space = match pin.space {
        PinSpace::World => PinSpace::World,
        PinSpace::Object(of) => PinSpace::Object(object(&of)?),
        PinSpace::Joint(of, at) => PinSpace::Joint(object(&of)?, joint(at)?),
    };
    Some(Arc::new(Pin { object: object(&pin.object)?, joint: joint(pin.joint)?, space, ..pin.clone() }))
}

fn move_curves(curves: &BTreeMap<ChannelPath, Arc<Curve>>, ids: &Ids<'_>) -> BTreeMap<ChannelPath, Arc<Curve>> {
    curves.iter().filter_map(|(path, curve)| Some((move_path(*path, ids)?, curve.clone()))).collect()
}

fn move_path(path: ChannelPath, ids: &Ids<'_>) -> Option<ChannelPath> {
    let object = *ids.objects.get(&path.target.object())?;
    let target = match (path.target, ids.joints) {
        // The rig that is there stands where it stands: a motion moves its joints.
        (Target::Object(_), Some(_)) => return None,
        (Target::Object(_), None) => Target::Object(object),
        (Target::Joint(_, joint), Some(joints)) => Target::Joint(object, *joints.get(&joint)?),
        (Target::Joint(_, joint), None) => Target::Joint(object, joint),
        (Target::Pin(_, pin), _) => Target::Pin(object, pin),
    };
    Some(ChannelPath { target, ..path })
}

/// The joints here by the joints there, where both skeletons are one: names, parents, rest poses and the way rotations
/// are held agree, in any order of siblings.
fn same_joints(here: &Rig, theirs: &Rig) -> Option<BTreeMap<JointId, JointId>> {
    let (a, b) = (&*here.skeleton, &*theirs.skeleton);
    if a.len() != b.len() {
        return None;
    }
    let allowed = SAME_OFFSET * extent(a);
    // By the index of each joint here, which is taken; in order of joints, so that parents are known first.
    let mut taken = vec![false; a.len()];
    let mut map = BTreeMap::new();
    for joint in b.joints() {
        let parent = match joint.parent {
            None => None,
            Some(parent) => Some(*map.get(&parent)?),
        };
        let fits = |index: usize| {
            let other = &a.joints()[index];
            !taken[index]
                && other.name == joint.name
                && other.parent == parent
                && other.kind == joint.kind
                && other.rotation == joint.rotation
                && (other.rest.translation - joint.rest.translation).norm() <= allowed
                && (other.rest.rotation.angle_to(&joint.rest.rotation)) <= SAME_OFFSET
        };
        let index = (0..a.len()).find(|index| fits(*index))?;
        taken[index] = true;
        map.insert(joint.id, a.joints()[index].id);
    }
    Some(map)
}

/// The longest rest path from a root to a tip, metres.
fn extent(skeleton: &Skeleton) -> f64 {
    let mut lengths = Vec::with_capacity(skeleton.len());
    for (joint, parent) in skeleton.joints().iter().zip(skeleton.parents()) {
        // A root's own offset is a place, not a length of the body.
        let length = parent.map_or(0.0, |parent: usize| lengths[parent] + joint.rest.translation.norm());
        lengths.push(length);
    }
    lengths.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{Edit, Session},
        math::Vec3,
        model::{Component, FrameRange, FrameRate, Joint, Key, KeyedCurve, Property, ScalarCurve},
    };

    /// A rig of three joints with these ids, in this order, and a clip that moves the last of them.
    fn document(ids: [u32; 3], swapped: bool) -> Document {
        let [a, b, c] = ids.map(JointId);
        let mut joints = vec![
            Joint::new(a, "hips", None, Vec3::y()),
            Joint::new(b, "left", Some(a), Vec3::x()),
            Joint::new(c, "right", Some(a), -Vec3::x()),
        ];
        if swapped {
            joints.swap(1, 2);
        }
        let mut document = Document::default();
        let skeleton = Arc::new(Skeleton::new(joints).unwrap());
        let object = document.add_object(Object::rig("figure", Rig { skeleton, ..Rig::default() }));
        let mut clip = Clip::new("walk", FrameRange::new(0, 59));
        clip.frame_time_text = Some("0.0166667".to_owned());
        let curve = KeyedCurve { keys: [Key::new(0.5, 1.0)].into_iter().collect(), ..KeyedCurve::default() };
        let path = ChannelPath::joint(object, c, Property::Rotation, Component::X);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let clip = document.add_clip(clip);
        let settings = Arc::make_mut(&mut document.settings);
        (settings.clip, settings.rate) = (Some(clip), FrameRate::new(60, 1).unwrap());
        document
    }

    #[test]
    fn the_same_rig_takes_the_motion_as_a_new_clip() {
        let here = document([0, 1, 2], false);
        let imported = document([7, 9, 8], true);
        let mut session = Session::new(here.clone());
        session.apply("history.import", &import_edit(&here, &imported, None).into()).unwrap();
        let after = session.document();
        assert!(Arc::ptr_eq(&after.settings, &session.base().settings) && after.objects.len() == 1);
        let new = after.objects[&ObjectId(1)].clip.unwrap();
        assert!(after.clips.len() == 2 && !here.clips.contains_key(&new));
        // The joint by its name, whatever its id in the file.
        let path = ChannelPath::joint(ObjectId(1), JointId(2), Property::Rotation, Component::X);
        assert!(after.clips[&new].channels.contains_key(&path));
        assert_eq!(after.clips[&new].frame_time_text.as_deref(), Some("0.0166667"));
        session.undo();
        assert_eq!(**session.document(), here);
    }

    #[test]
    fn another_rig_comes_with_its_own_clip_and_changes_nothing() {
        let mut here = document([0, 1, 2], false);
        Arc::make_mut(&mut here.settings).rate = FrameRate::FPS_24;
        let mut imported = document([0, 1, 2], false);
        let object = imported.object_mut(ObjectId(1)).unwrap();
        let crate::model::ObjectKind::Rig(rig) = &mut object.kind;
        let longer = |joint: &Joint| Joint {
            rest: crate::math::Transform::from_translation(2.0 * joint.rest.translation),
            ..joint.clone()
        };
        let skeleton = rig.skeleton.map_joints(longer).unwrap();
        Arc::make_mut(rig).skeleton = Arc::new(skeleton);
        let edit = import_edit(&here, &imported, Some(ObjectId(1)));
        let mut after = here.clone();
        Edit::from(edit.clone()).apply(&mut after).unwrap();
        assert_eq!(after.problems(), []);
        assert!(Arc::ptr_eq(&after.settings, &here.settings));
        assert!(here.objects.iter().all(|(id, object)| Arc::ptr_eq(object, &after.objects[id])));
        let (object, new) = after.objects.last_key_value().unwrap();
        let clip = &after.clips[&new.clip.unwrap()];
        assert!(clip.channels.keys().all(|path| path.target.object() == *object));
        // The document's rate stays: the clip's frames are those of the same time, the curve keeps its keys.
        assert_eq!((clip.range, clip.frame_time_text.clone()), (FrameRange::new(0, 24), None));
        // Twice the same ids are refused.
        assert_eq!(Edit::from(edit).apply(&mut after), Err(EditError::IdInUse(3)));
    }
}
