//! The edit: one value for every change there is.

use super::{
    BlendEdit, ClipEdit, ConstraintEdit, CorrectionEdit, CurveEdit, DeformEdit, DriverEdit, EditError, HandleEdit,
    ImportEdit, KeyEdit, KeySelection, MeshEdit, ObjectEdit, PathEdit, PinEdit, PoseEdit, RetimeEdit, RigEdit,
    RotationFormEdit, SettingsEdit, SkeletonEdit, SnapshotEdit, TimeEdit, UnkeyedEdit,
};
use crate::model::{Clip, ClipId, Document, Interpolation};
use serde::{Deserialize, Serialize};

/// A change to a document, as plain data that carries the new values and not how they were found. It acts forward only:
/// undo keeps states, not inverses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Edit {
    /// Several changes, in order, all or none.
    Batch(Vec<Self>),
    /// Keys.
    Key(KeyEdit),
    /// The handles of keys.
    Handle(HandleEdit),
    /// Whole curves.
    Curve(CurveEdit),
    /// Clips.
    Clip(ClipEdit),
    /// Blend spaces, masks and layers.
    Blend(BlendEdit),
    /// Corrections of captured motion.
    Correction(CorrectionEdit),
    /// Joints held in place.
    Pin(PinEdit),
    /// Changes of timing.
    Retime(RetimeEdit),
    /// Time put in or taken out.
    Time(TimeEdit),
    /// Edits that wait to be keyed.
    Unkeyed(UnkeyedEdit),
    /// Objects.
    Object(ObjectEdit),
    /// Constraints of objects.
    Constraint(ConstraintEdit),
    /// What drives channels by others.
    Driver(DriverEdit),
    /// Paths.
    Path(PathEdit),
    /// Meshes and lights.
    Mesh(MeshEdit),
    /// Lattices, deformers and the stacks of meshes.
    Deform(DeformEdit),
    /// Rigs.
    Rig(RigEdit),
    /// The joints of rigs.
    Skeleton(SkeletonEdit),
    /// The form a rotation is held in.
    RotationForm(RotationFormEdit),
    /// The pose library.
    Pose(PoseEdit),
    /// Snapshots of curves.
    Snapshot(SnapshotEdit),
    /// What holds for the whole document.
    Settings(SettingsEdit),
    /// Parts that came from a file.
    Import(ImportEdit),
}

impl Edit {
    /// An edit that changes nothing.
    #[must_use]
    pub const fn none() -> Self {
        Self::Batch(Vec::new())
    }

    /// Whether the edit is [`Self::none`] or a batch of such.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Batch(edits) if edits.iter().all(Self::is_none))
    }

    /// The edit with new keys of a kind; keys that are there keep theirs.
    #[must_use]
    pub fn with_new_keys(&self, interpolation: Interpolation) -> Self {
        match self {
            Self::Batch(edits) => Self::Batch(edits.iter().map(|edit| edit.with_new_keys(interpolation)).collect()),
            Self::Key(edit) => Self::Key(edit.with_new_keys(interpolation)),
            other => other.clone(),
        }
    }

    /// Applies the change.
    ///
    /// # Errors
    /// Why it cannot be done; the document is then as it was.
    pub fn apply(&self, document: &mut Document) -> Result<(), EditError> {
        // Parts are shared: the copy is a few counters, and a failure half way drops it.
        let mut changed = document.clone();
        self.run(&mut changed)?;
        forget_muted(&mut changed);
        *document = changed;
        Ok(())
    }

    fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Batch(edits) => edits.iter().try_for_each(|edit| edit.run(document)),
            Self::Key(edit) => edit.run(document),
            Self::Handle(edit) => edit.run(document),
            Self::Curve(edit) => edit.run(document),
            Self::Clip(edit) => edit.run(document),
            Self::Blend(edit) => edit.run(document),
            Self::Correction(edit) => edit.run(document),
            Self::Pin(edit) => edit.run(document),
            Self::Retime(edit) => edit.run(document),
            Self::Time(edit) => edit.run(document),
            Self::Unkeyed(edit) => edit.run(document),
            Self::Object(edit) => edit.run(document),
            Self::Constraint(edit) => edit.run(document),
            Self::Driver(edit) => edit.run(document),
            Self::Path(edit) => edit.run(document),
            Self::Mesh(edit) => edit.run(document),
            Self::Deform(edit) => edit.run(document),
            Self::Rig(edit) => edit.run(document),
            Self::Skeleton(edit) => edit.run(document),
            Self::RotationForm(edit) => edit.run(document),
            Self::Pose(edit) => edit.run(document),
            Self::Snapshot(edit) => edit.run(document),
            Self::Settings(edit) => edit.run(document),
            Self::Import(edit) => edit.run(document),
        }
    }

    /// Where the keys of a selection are after the edit of a document; none where it moves no keys in time.
    pub(super) fn moved_keys(&self, document: &Document, keys: &KeySelection) -> Option<KeySelection> {
        match self {
            Self::Key(edit) => edit.moved_keys(document, keys),
            Self::Batch(edits) => edits.iter().fold(None, |moved: Option<KeySelection>, edit| {
                edit.moved_keys(document, moved.as_ref().unwrap_or(keys)).or(moved)
            }),
            _ => None,
        }
    }
}

/// Forgets that channels are muted whose curves are gone: one that comes later at the same place is another.
fn forget_muted(document: &mut Document) {
    let gone = |clip: &Clip| clip.muted.iter().any(|path| !clip.channels.contains_key(path));
    let clips: Vec<ClipId> = document.clips.iter().filter(|(_, clip)| gone(clip)).map(|(id, _)| *id).collect();
    for id in clips {
        if let Some(clip) = document.clip_mut(id) {
            clip.muted.retain(|path| clip.channels.contains_key(path));
        }
    }
}
