//! The document: everything that is saved and undone.

use super::{
    blend_space::BlendSpace,
    channel::{ChannelPath, Component, Property, Target},
    clip::Clip,
    curve::is_default,
    id::{BlendSpaceId, ClipId, ImageId, JointMaskId, ObjectId, PoseId, SnapshotId},
    joint_mask::JointMask,
    mesh::Image,
    object::{Object, Parent},
    pose::Pose,
    reference::Reference,
    skeleton::RotationMode,
    snapshot::Snapshot,
    time::{FrameRange, FrameRate},
    unit::LengthUnit,
};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// Everything that is saved and undone. Cloning shares every part; a changed document shares all the parts it did not
/// change, which is what undo and the evaluation caches rest on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What holds for the whole document.
    pub settings: Arc<Settings>,
    /// The things in the scene.
    pub objects: Arc<BTreeMap<ObjectId, Arc<Object>>>,
    /// The motions.
    pub clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
    /// The blend spaces.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blend_spaces: Arc<BTreeMap<BlendSpaceId, Arc<BlendSpace>>>,
    /// The masks of layers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub masks: Arc<BTreeMap<JointMaskId, Arc<JointMask>>>,
    /// The pose library.
    #[serde(default, skip_serializing_if = "is_default")]
    pub poses: Arc<BTreeMap<PoseId, Arc<Pose>>>,
    /// States of curves to compare with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub snapshots: Arc<BTreeMap<SnapshotId, Arc<Snapshot>>>,
    /// The images that materials are painted with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: Arc<BTreeMap<ImageId, Arc<Image>>>,
    /// The nodes of the file it came from, in that file's order: a way back keeps it. What is not in it comes after.
    #[serde(default, skip_serializing_if = "is_default")]
    pub node_order: Arc<Vec<Parent>>,
    /// The next id to give; ids are never reused.
    pub next_id: u32,
}

/// What holds for the whole document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Frames a second.
    pub rate: FrameRate,
    /// The frames that play.
    pub play_range: FrameRange,
    /// The unit lengths are shown in.
    #[serde(default, skip_serializing_if = "is_default")]
    pub length_unit: LengthUnit,
    /// The clip that plays where nothing else is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipId>,
    /// Pictures to animate by, those behind first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// The order in which clips are listed, each once; those left out come after, in order of id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clip_order: Vec<ClipId>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rate: FrameRate::FPS_24,
            play_range: FrameRange::new(0, 47),
            length_unit: LengthUnit::Metre,
            clip: None,
            references: Vec::new(),
            clip_order: Vec::new(),
        }
    }
}

impl Default for Document {
    fn default() -> Self {
        Self {
            settings: Arc::default(),
            objects: Arc::default(),
            clips: Arc::default(),
            blend_spaces: Arc::default(),
            masks: Arc::default(),
            poses: Arc::default(),
            snapshots: Arc::default(),
            images: Arc::default(),
            node_order: Arc::default(),
            next_id: 1,
        }
    }
}

impl Document {
    /// All clips in the order in which they are listed.
    #[must_use]
    pub fn listed_clips(&self) -> Vec<ClipId> {
        let mut listed: Vec<ClipId> = Vec::with_capacity(self.clips.len());
        for clip in self.settings.clip_order.iter().chain(self.clips.keys()) {
            if self.clips.contains_key(clip) && !listed.contains(clip) {
                listed.push(*clip);
            }
        }
        listed
    }

    /// A fresh id for an object, a clip, a blend space, a mask, a pose or an image.
    pub fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.saturating_add(1);
        id
    }

    /// Adds an object and returns its id.
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.take_id());
        Arc::make_mut(&mut self.objects).insert(id, Arc::new(object));
        id
    }

    /// Adds a clip and returns its id.
    pub fn add_clip(&mut self, clip: Clip) -> ClipId {
        let id = ClipId(self.take_id());
        Arc::make_mut(&mut self.clips).insert(id, Arc::new(clip));
        id
    }

    /// Adds a blend space and returns its id.
    pub fn add_space(&mut self, space: BlendSpace) -> BlendSpaceId {
        let id = BlendSpaceId(self.take_id());
        Arc::make_mut(&mut self.blend_spaces).insert(id, Arc::new(space));
        id
    }

    /// Adds a mask and returns its id.
    pub fn add_mask(&mut self, mask: JointMask) -> JointMaskId {
        let id = JointMaskId(self.take_id());
        Arc::make_mut(&mut self.masks).insert(id, Arc::new(mask));
        id
    }

    /// An object by id.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Arc<Object>> {
        self.objects.get(&id)
    }

    /// A clip by id.
    #[must_use]
    pub fn clip(&self, id: ClipId) -> Option<&Arc<Clip>> {
        self.clips.get(&id)
    }

    /// The document without muted curves, which nothing that plays it sees: for what reads curves themselves. The document
    /// itself where nothing is muted.
    #[must_use]
    pub fn without_muted(&self) -> Cow<'_, Self> {
        let heard = |(id, clip): (&ClipId, &Arc<Clip>)| Some((*id, Arc::new(clip.without_muted()?)));
        let heard: Vec<_> = self.clips.iter().filter_map(heard).collect();
        if heard.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut document = self.clone();
        Arc::make_mut(&mut document.clips).extend(heard);
        Cow::Owned(document)
    }

    /// An object to change, copied first if it is shared.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        Arc::make_mut(&mut self.objects).get_mut(&id).map(Arc::make_mut)
    }

    /// A clip to change, copied first if it is shared.
    pub fn clip_mut(&mut self, id: ClipId) -> Option<&mut Clip> {
        Arc::make_mut(&mut self.clips).get_mut(&id).map(Arc::make_mut)
    }

    /// The clip an object plays: its own, else its parent's, else the document's.
    #[must_use]
    pub fn clip_of(&self, object: ObjectId) -> Option<ClipId> {
        let mut at = Some(object);
        // A parent chain longer than the number of objects is a cycle.
        for _ in 0..=self.objects.len() {
            let Some(object) = at.and_then(|id| self.object(id)) else { break };
            if let Some(clip) = object.clip {
                return Some(clip);
            }
            at = object.parent.map(Parent::object);
        }
        self.settings.clip
    }

    /// The clip that moves a target: that of its object, or, of a layer, the document's.
    #[must_use]
    pub fn clip_of_target(&self, target: Target) -> Option<ClipId> {
        match target {
            Target::Layer(..) | Target::Sample(..) => self.settings.clip,
            _ => self.clip_of(target.object()),
        }
    }

    /// How a target's rotation is held in channels; an object's as angles in the order of a joint that says nothing. None
    /// where there is no such target or it has no rotation.
    #[must_use]
    pub fn rotation_mode(&self, target: Target) -> Option<RotationMode> {
        let object = self.object(target.object())?;
        match target {
            Target::Object(_) => Some(object.rotation),
            Target::Joint(_, joint) => Some(object.as_rig()?.skeleton.joint(joint)?.rotation),
            _ => None,
        }
    }

    /// Whether a channel of a rotation is in the form in which its target holds it. True of every other channel, and where
    /// there is no such target.
    #[must_use]
    pub fn holds_form(&self, path: ChannelPath) -> bool {
        let whole = path.component == Component::Whole;
        match (path.property, self.rotation_mode(path.target)) {
            (Property::Rotation, Some(RotationMode::Quaternion)) => whole,
            (Property::Rotation, Some(RotationMode::Euler(_))) => !whole,
            _ => true,
        }
    }

    /// The rig objects, in order of id.
    pub fn rigs(&self) -> impl Iterator<Item = (ObjectId, &Arc<Object>, &Arc<super::rig::Rig>)> {
        self.objects.iter().filter_map(|(id, object)| Some((*id, object, object.as_rig()?)))
    }

    /// Whether a mesh that is not hidden follows joints of a rig: it is its body then, in the mannequin's place.
    #[must_use]
    pub fn has_body(&self, rig: ObjectId) -> bool {
        let follows = |object: &Object| {
            let skin = object.as_mesh().filter(|_| !object.hidden).and_then(|mesh| mesh.skin.as_ref());
            skin.is_some_and(|skin| skin.joints.iter().any(|joint| joint.joint.object() == rig))
        };
        self.objects.values().any(|object| follows(object))
    }
}
