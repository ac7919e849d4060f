//! A document whose figures stand in their rest poses.

use crate::model::{Clip, ClipId, Document, Object, ObjectId, Target};
use std::{collections::BTreeMap, sync::Arc};

type Parts<K, V> = Arc<BTreeMap<K, Arc<V>>>;

/// Makes documents in which nothing moves a joint: no curve, waiting value, correction, pin, constraint or driver. Objects go on
/// moving. What it made last is remembered: it is the same part as long as what it was made from is.
#[derive(Clone, Debug, Default)]
pub struct AtRest {
    clips: Option<(Parts<ClipId, Clip>, Parts<ClipId, Clip>)>,
    objects: Option<(Parts<ObjectId, Object>, Parts<ObjectId, Object>)>,
    made: Option<(Arc<Document>, Arc<Document>)>,
}

impl AtRest {
    /// The document with every figure at rest.
    #[must_use]
    pub fn of(&mut self, document: &Arc<Document>) -> Arc<Document> {
        if let Some((_, made)) = self.made.as_ref().filter(|(from, _)| Arc::ptr_eq(from, document)) {
            return made.clone();
        }
        let clips = kept(&mut self.clips, &document.clips, |clips| each(clips, clip_at_rest));
        let objects = kept(&mut self.objects, &document.objects, |objects| each(objects, object_at_rest));
        let made = Arc::new(Document { clips, objects, ..(**document).clone() });
        self.made = Some((document.clone(), made.clone()));
        made
    }
}

/// What was made of the same part before, else what is made of it now.
fn kept<T>(known: &mut Option<(Arc<T>, Arc<T>)>, from: &Arc<T>, make: impl FnOnce(&T) -> T) -> Arc<T> {
    if let Some((_, made)) = known.as_ref().filter(|(known, _)| Arc::ptr_eq(known, from)) {
        return made.clone();
    }
    let made = Arc::new(make(from));
    *known = Some((from.clone(), made.clone()));
    made
}

fn each<K: Ord + Copy, V>(all: &BTreeMap<K, Arc<V>>, one: impl Fn(&Arc<V>) -> Arc<V>) -> BTreeMap<K, Arc<V>> {
    all.iter().map(|(id, part)| (*id, one(part))).collect()
}

const fn moves_joints(target: Target) -> bool {
    matches!(target, Target::Joint(..) | Target::Pin(..))
}

fn clip_at_rest(clip: &Arc<Clip>) -> Arc<Clip> {
    let mut still = Clip { corrections: Vec::new(), retimes: Vec::new(), pins: Vec::new(), ..(**clip).clone() };
    still.channels.retain(|path, _| !moves_joints(path.target));
    still.muted.retain(|path| !moves_joints(path.target));
    for frame in &mut still.unkeyed {
        frame.values.retain(|path, _| !moves_joints(path.target));
    }
    still.unkeyed.retain(|frame| !frame.values.is_empty());
    Arc::new(still)
}

fn object_at_rest(object: &Arc<Object>) -> Arc<Object> {
    let drives = |driver: &Arc<crate::model::Driver>| moves_joints(driver.driven.target);
    if object.constraints.iter().all(|constraint| constraint.joint.is_none()) && !object.drivers.iter().any(drives) {
        return object.clone();
    }
    let mut still = (**object).clone();
    still.drivers.retain(|driver| !drives(driver));
    still.constraints.retain(|constraint| constraint.joint.is_none());
    Arc::new(still)
}
