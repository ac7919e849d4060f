//! The evaluator: frames of a document, remembered by the identity of what they were made from.
//!
//! A cell holds the `Arc`s it was made from and is used again only for those very `Arc`s (so an address can never come to
//! mean something else) and the same time to the bit. Undo, previews and loading need no invalidation. A frame is the same
//! to the bit whatever was asked for before.

use super::{
    fk,
    pipeline::{EvaluatedFrame, ObjectFrame, RigFrame, SolveOrder, object_world},
    sample::{RigBinding, Stage, object_local},
};
use crate::{
    math::Affine,
    model::{Clip, ClipId, Document, Object, ObjectId, Settings, Skeleton},
};
use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

/// How many rig frames are kept for each object: onion skins and trails ask for the same times again and again.
const RIG_FRAMES: usize = 256;

/// How many whole frames are kept.
const FRAMES: usize = 8;

/// Evaluates documents, remembering what it can use again.
#[derive(Debug, Default)]
pub struct Evaluator {
    cells: RefCell<Cells>,
}

type Objects = BTreeMap<ObjectId, Arc<Object>>;

#[derive(Debug, Default)]
struct Cells {
    rigs: BTreeMap<ObjectId, RigCell>,
    order: Option<(Arc<Objects>, Arc<SolveOrder>)>,
    frames: Ring<(DocumentKey, u64, Arc<EvaluatedFrame>)>,
    generation: u64,
}

#[derive(Debug)]
struct RigCell {
    binding: Arc<RigBinding>,
    /// Frames of this binding, by the bits of their time.
    frames: Ring<(u64, Arc<RigFrame>)>,
}

/// What the frame of a document depends on.
#[derive(Clone, Debug)]
struct DocumentKey {
    settings: Arc<Settings>,
    objects: Arc<Objects>,
    clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
}

impl DocumentKey {
    fn new(document: &Document) -> Self {
        let Document { settings, objects, clips, next_id: _ } = document;
        Self { settings: settings.clone(), objects: objects.clone(), clips: clips.clone() }
    }

    fn is_of(&self, document: &Document) -> bool {
        Arc::ptr_eq(&self.objects, &document.objects)
            && Arc::ptr_eq(&self.clips, &document.clips)
            && Arc::ptr_eq(&self.settings, &document.settings)
    }
}

/// The last so many values, the oldest replaced first.
#[derive(Debug)]
struct Ring<T> {
    values: Vec<T>,
    next: usize,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { values: Vec::new(), next: 0 }
    }
}

impl<T> Ring<T> {
    fn push(&mut self, value: T, capacity: usize) {
        match self.values.get_mut(self.next) {
            Some(slot) => *slot = value,
            None => self.values.push(value),
        }
        self.next = (self.next + 1) % capacity;
    }

    /// The newest values first: they are the ones asked for.
    fn find(&self, is_it: impl FnMut(&&T) -> bool) -> Option<&T> {
        let (newer, older) = self.values.split_at(self.next.min(self.values.len()));
        newer.iter().rev().chain(older.iter().rev()).find(is_it)
    }
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The document at a time, seconds.
    #[must_use]
    pub fn frame(&self, document: &Document, secs: f64) -> Arc<EvaluatedFrame> {
        let cells = &mut *self.cells.borrow_mut();
        let known = cells.frames.find(|(key, time, _)| *time == secs.to_bits() && key.is_of(document));
        if let Some((_, _, frame)) = known {
            return frame.clone();
        }
        let solve = cells.solve_order(document);
        cells.rigs.retain(|id, _| document.objects.contains_key(id));
        let mut objects = BTreeMap::new();
        for &id in &solve.order {
            let Some(object) = document.object(id) else { continue };
            let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
            let local = match clip {
                Some(_) => object_local(document, id, secs, Stage::Shown).unwrap_or(object.transform),
                None => object.transform,
            };
            let world = if solve.cycles.binary_search(&id).is_ok() {
                local.to_affine()
            } else {
                object_world(document, id, &local, &objects)
            };
            let rig = object.as_rig().map(|rig| cells.rig_frame(id, &rig.skeleton, clip, secs));
            objects.insert(id, ObjectFrame { world, rig });
        }
        cells.generation += 1;
        let frame = EvaluatedFrame { secs, generation: cells.generation, objects, cycles: solve.cycles.clone() };
        let frame = Arc::new(frame);
        cells.frames.push((DocumentKey::new(document), secs.to_bits(), frame.clone()), FRAMES);
        frame
    }

    /// The joints of one rig object at a time, without the rest of the document; none where the object is no rig. For
    /// trails, onion skins and plots.
    #[must_use]
    pub fn rig_frame(&self, document: &Document, object: ObjectId, secs: f64) -> Option<Arc<RigFrame>> {
        let rig = document.object(object)?.as_rig()?;
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        Some(self.cells.borrow_mut().rig_frame(object, &rig.skeleton, clip, secs))
    }

    /// A rig object's clip bound to its skeleton; none where the object is no rig.
    #[must_use]
    pub fn binding(&self, document: &Document, object: ObjectId) -> Option<Arc<RigBinding>> {
        let rig = document.object(object)?.as_rig()?;
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        Some(self.cells.borrow_mut().rig_cell(object, &rig.skeleton, clip).binding.clone())
    }
}

impl Cells {
    fn solve_order(&mut self, document: &Document) -> Arc<SolveOrder> {
        match &self.order {
            Some((objects, order)) if Arc::ptr_eq(objects, &document.objects) => order.clone(),
            _ => {
                let order = Arc::new(SolveOrder::new(document));
                self.order = Some((document.objects.clone(), order.clone()));
                order
            }
        }
    }

    fn rig_cell(&mut self, object: ObjectId, skeleton: &Arc<Skeleton>, clip: Option<&Arc<Clip>>) -> &mut RigCell {
        let cell = self.rigs.entry(object).or_insert_with(|| RigCell {
            binding: Arc::new(RigBinding::new(object, skeleton, clip, None)),
            frames: Ring::default(),
        });
        if !cell.binding.is_of(skeleton, clip) {
            cell.binding = Arc::new(RigBinding::new(object, skeleton, clip, Some(&cell.binding)));
            cell.frames = Ring::default();
        }
        cell
    }

    fn rig_frame(
        &mut self,
        object: ObjectId,
        skeleton: &Arc<Skeleton>,
        clip: Option<&Arc<Clip>>,
        secs: f64,
    ) -> Arc<RigFrame> {
        let cell = self.rig_cell(object, skeleton, clip);
        if let Some((_, frame)) = cell.frames.find(|(time, _)| *time == secs.to_bits()) {
            return frame.clone();
        }
        let local = cell.binding.pose(secs);
        let mut model = Vec::new();
        fk::model_from_locals(skeleton.parents(), &local, &Affine::IDENTITY, &mut model);
        let frame = Arc::new(RigFrame { local, model });
        cell.frames.push((secs.to_bits(), frame.clone()), RIG_FRAMES);
        frame
    }
}
