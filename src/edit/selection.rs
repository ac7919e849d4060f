//! What is selected: not saved, but undone and redone beside the document.

use super::key_selection::KeySelection;
use crate::model::{ClipId, CorrectionId, Document, JointId, ObjectId, Target};
use std::collections::BTreeSet;

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Objects and joints.
    pub targets: BTreeSet<Target>,
    /// The one that was picked last: fields show it, gizmos stand on it. One of `targets`.
    pub active: Option<Target>,
    /// Keys.
    pub keys: KeySelection,
    /// The correction that drags on captured motion add to.
    pub correction: Option<(ClipId, CorrectionId)>,
    /// The corrections chosen to be merged.
    pub corrections: BTreeSet<(ClipId, CorrectionId)>,
}

impl Selection {
    /// One target and nothing else, active.
    #[must_use]
    pub fn single(target: Target) -> Self {
        let mut selection = Self::default();
        selection.insert(target);
        selection
    }

    /// Whether a target is selected.
    #[must_use]
    pub fn contains(&self, target: Target) -> bool {
        self.targets.contains(&target)
    }

    /// Adds a target and makes it the active one.
    pub fn insert(&mut self, target: Target) {
        self.targets.insert(target);
        self.active = Some(target);
    }

    /// Takes a target out. The last one that is left becomes active if it was the active one.
    pub fn remove(&mut self, target: Target) {
        self.targets.remove(&target);
        if self.active == Some(target) {
            self.active = self.targets.last().copied();
        }
    }

    /// Adds a target that is not selected, takes out one that is.
    pub fn toggle(&mut self, target: Target) {
        if self.contains(target) {
            self.remove(target);
        } else {
            self.insert(target);
        }
    }

    /// Takes all targets out; keys and the correction stay.
    pub fn clear_targets(&mut self) {
        self.targets.clear();
        self.active = None;
    }

    /// The selected joints of one rig object, in order of id.
    pub fn joints(&self, object: ObjectId) -> impl Iterator<Item = JointId> {
        self.targets.iter().filter(move |target| target.object() == object).filter_map(|target| target.joint())
    }

    /// The objects that are selected or have a selected joint, in order of id.
    #[must_use]
    pub fn objects(&self) -> BTreeSet<ObjectId> {
        self.targets.iter().map(|target| target.object()).collect()
    }

    /// Drops what the document does not have.
    pub fn retain_existing(&mut self, document: &Document) {
        self.targets.retain(|target| exists(document, *target));
        if self.active.is_some_and(|active| !self.targets.contains(&active)) {
            self.active = self.targets.last().copied();
        }
        self.keys.retain_existing(document);
        let exists = |(clip, correction): &(ClipId, CorrectionId)| {
            document.clip(*clip).is_some_and(|clip| clip.correction(*correction).is_some())
        };
        self.correction = self.correction.filter(exists);
        self.corrections.retain(exists);
    }
}

fn exists(document: &Document, target: Target) -> bool {
    let Some(object) = document.object(target.object()) else { return false };
    if let Target::Pin(id, pin) = target {
        let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
        return clip.and_then(|clip| clip.pin(pin)).is_some_and(|pin| pin.object == id);
    }
    match target {
        Target::Point(_, point) => return object.point_value(point).is_some(),
        Target::Constraint(_, constraint) => return object.constraint(constraint).is_some(),
        Target::Pole(_, constraint) => return object.pole(constraint).is_some(),
        Target::Deformer(_, entry) => return object.as_mesh().is_some_and(|mesh| mesh.entry(entry).is_some()),
        Target::Layer(_, layer) | Target::Sample(_, layer, _) => return object.layer(layer).is_some(),
        Target::Morph(_, morph) => return object.as_mesh().is_some_and(|mesh| mesh.morph(morph).is_some()),
        _ => {}
    }
    target.joint().is_none_or(|joint| object.as_rig().is_some_and(|rig| rig.skeleton.joint(joint).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_active_target_is_always_selected() {
        let [a, b] = [1, 2].map(|id| Target::Object(ObjectId(id)));
        let mut selection = Selection::single(a);
        selection.toggle(b);
        assert_eq!(selection.active, Some(b));
        selection.toggle(b);
        assert_eq!(selection.active, Some(a));
        selection.retain_existing(&Document::default());
        assert_eq!(selection, Selection::default());
    }
}
