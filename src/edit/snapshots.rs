//! Snapshots of curves: taken, renamed, deleted, changed over with the present.

use super::{
    CurveRef, Edit, EditError,
    clips::take_id,
    curves::{channel_of, clip_mut},
};
use crate::model::{ChannelPath, Curve, Document, Snapshot, SnapshotId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of the snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SnapshotEdit {
    /// Keeps a state.
    Take {
        /// Its id, from [`Document::next_id`].
        id: SnapshotId,
        /// The state.
        snapshot: Arc<Snapshot>,
    },
    /// Renames a snapshot.
    Rename {
        /// The snapshot.
        snapshot: SnapshotId,
        /// The name.
        name: String,
    },
    /// Deletes a snapshot; the clip stays.
    Delete {
        /// The snapshot.
        snapshot: SnapshotId,
    },
    /// Changes the curves of a snapshot over with those of its clip. A channel that the clip does not have now gets its curve
    /// back; one whose target is no more stays in the snapshot.
    Swap {
        /// The snapshot.
        snapshot: SnapshotId,
    },
}

impl From<SnapshotEdit> for Edit {
    fn from(edit: SnapshotEdit) -> Self {
        Self::Snapshot(edit)
    }
}

impl SnapshotEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Take { id, snapshot } => {
                if document.clip(snapshot.clip).is_none() {
                    return Err(EditError::NoClip(snapshot.clip));
                }
                take_id(document, id.0)?;
                Arc::make_mut(&mut document.snapshots).insert(*id, snapshot.clone());
            }
            Self::Rename { snapshot, name } => snapshot_mut(document, *snapshot)?.name.clone_from(name),
            Self::Delete { snapshot } => {
                let removed = Arc::make_mut(&mut document.snapshots).remove(snapshot);
                removed.ok_or(EditError::NoSnapshot(*snapshot))?;
            }
            Self::Swap { snapshot } => swap(document, *snapshot)?,
        }
        Ok(())
    }
}

fn snapshot_mut(document: &mut Document, id: SnapshotId) -> Result<&mut Snapshot, EditError> {
    let found = Arc::make_mut(&mut document.snapshots).get_mut(&id).ok_or(EditError::NoSnapshot(id))?;
    Ok(Arc::make_mut(found))
}

fn swap(document: &mut Document, id: SnapshotId) -> Result<(), EditError> {
    let kept = document.snapshots.get(&id).ok_or(EditError::NoSnapshot(id))?.clone();
    let at = |path: &ChannelPath| CurveRef { clip: kept.clip, path: *path };
    let there: Vec<(ChannelPath, Arc<Curve>)> = kept
        .channels
        .iter()
        .filter(|(path, _)| channel_of(document, at(path)).is_ok())
        .map(|(path, curve)| (*path, curve.clone()))
        .collect();
    for (path, curve) in there {
        let before = clip_mut(document, at(&path))?.channels.insert(path, curve);
        let channels = &mut snapshot_mut(document, id)?.channels;
        match before {
            Some(before) => drop(channels.insert(path, before)),
            None => drop(channels.remove(&path)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{ClipEdit, CurveEdit, Session},
        model::{Clip, Component, FrameRange, Key, KeyedCurve, Object, Property, Rig, ScalarCurve},
    };

    fn curve(value: f64) -> Arc<Curve> {
        let keys = [Key::new(0.0, value), Key::new(1.0, value + 1.0)];
        Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve {
            keys: keys.into_iter().collect(),
            ..Default::default()
        })))
    }

    #[test]
    fn a_snapshot_is_kept_changed_over_and_goes_with_its_clip() {
        let mut document = Document::default();
        let rig = document.add_object(Object::rig("rig", Rig::default()));
        let path = |component| ChannelPath::object(rig, Property::Translation, component);
        let [x, y] = [Component::X, Component::Y].map(path);
        let mut clip = Clip::new("walk", FrameRange::new(0, 24));
        clip.channels.extend([(x, curve(0.0)), (y, curve(5.0))]);
        let clip = document.add_clip(clip);
        let mut session = Session::new(document);
        let (id, channels) =
            (SnapshotId(session.document().next_id), session.document().clip(clip).unwrap().channels.clone());
        let snapshot = Arc::new(Snapshot { name: "first".to_owned(), clip, channels: channels.clone() });
        session.apply("take", &SnapshotEdit::Take { id, snapshot }.into()).unwrap();
        let at = |path| CurveRef { clip, path };
        session.apply("edit", &CurveEdit::Replace { curves: vec![(at(x), curve(2.0))] }.into()).unwrap();
        session.apply("delete", &CurveEdit::Delete { curves: vec![at(y)] }.into()).unwrap();
        session.apply("swap", &SnapshotEdit::Swap { snapshot: id }.into()).unwrap();
        let now = session.document().clone();
        assert_eq!(now.clip(clip).unwrap().channels, channels);
        assert_eq!(now.snapshots[&id].channels.keys().collect::<Vec<_>>(), [&x]);
        assert_eq!(now.snapshots[&id].channels[&x], curve(2.0));
        assert!(now.problems().is_empty(), "{:?}", now.problems());
        session.apply("swap", &SnapshotEdit::Swap { snapshot: id }.into()).unwrap();
        assert_eq!(session.document().clip(clip).unwrap().channels[&x], curve(2.0));
        session.undo();
        let rename = SnapshotEdit::Rename { snapshot: id, name: "kept".to_owned() };
        session.apply("rename", &rename.into()).unwrap();
        assert_eq!(session.document().snapshots[&id].name, "kept");
        session.apply("delete clip", &ClipEdit::Delete { clip }.into()).unwrap();
        assert!(session.document().snapshots.is_empty() && session.document().problems().is_empty());
        session.undo();
        session.apply("delete", &SnapshotEdit::Delete { snapshot: id }.into()).unwrap();
        assert!(session.document().snapshots.is_empty());
        let gone = session.apply("swap", &SnapshotEdit::Swap { snapshot: id }.into());
        assert_eq!(gone.unwrap_err(), EditError::NoSnapshot(id));
    }
}
