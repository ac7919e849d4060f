//! What cells are found by, and how many are kept.

use crate::model::{
    BlendSpace, BlendSpaceId, Clip, ClipId, Document, JointMask, JointMaskId, Object, ObjectId, Settings,
};
use std::{collections::BTreeMap, sync::Arc};

/// What the frame of a document depends on.
#[derive(Clone, Debug)]
pub(super) struct DocumentKey {
    settings: Arc<Settings>,
    objects: Arc<BTreeMap<ObjectId, Arc<Object>>>,
    clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
    spaces: Arc<BTreeMap<BlendSpaceId, Arc<BlendSpace>>>,
    masks: Arc<BTreeMap<JointMaskId, Arc<JointMask>>>,
}

impl DocumentKey {
    pub(super) fn new(document: &Document) -> Self {
        let Document {
            settings,
            objects,
            clips,
            blend_spaces,
            masks,
            poses: _,
            snapshots: _,
            images: _,
            node_order: _,
            next_id: _,
        } = document;
        Self {
            settings: settings.clone(),
            objects: objects.clone(),
            clips: clips.clone(),
            spaces: blend_spaces.clone(),
            masks: masks.clone(),
        }
    }

    pub(super) fn is_of(&self, document: &Document) -> bool {
        Arc::ptr_eq(&self.objects, &document.objects)
            && Arc::ptr_eq(&self.clips, &document.clips)
            && Arc::ptr_eq(&self.settings, &document.settings)
            && Arc::ptr_eq(&self.spaces, &document.blend_spaces)
            && Arc::ptr_eq(&self.masks, &document.masks)
    }
}

/// The last so many values, the oldest replaced first.
#[derive(Debug)]
pub(super) struct Ring<T> {
    values: Vec<T>,
    next: usize,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { values: Vec::new(), next: 0 }
    }
}

impl<T> Ring<T> {
    pub(super) fn push(&mut self, value: T, capacity: usize) {
        match self.values.get_mut(self.next) {
            Some(slot) => *slot = value,
            None => self.values.push(value),
        }
        self.next = (self.next + 1) % capacity;
    }

    /// The newest values first: they are the ones asked for.
    pub(super) fn find(&self, is_it: impl FnMut(&&T) -> bool) -> Option<&T> {
        let (newer, older) = self.values.split_at(self.next.min(self.values.len()));
        newer.iter().rev().chain(older.iter().rev()).find(is_it)
    }
}
