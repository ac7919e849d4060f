//! What the present is compared with: a state of the view, never of the document.

use crate::{
    edit::Selection,
    model::{ChannelPath, Clip, ClipId, Curve, Document, SnapshotId, Target},
};
use std::{collections::BTreeMap, sync::Arc};

/// What the present is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// A snapshot of the same clip.
    Snapshot(SnapshotId),
    /// Another clip.
    Clip(ClipId),
}

/// What is compared with, and how it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReferenceView {
    /// What; none compares with nothing.
    pub against: Option<Against>,
    /// Whether the character is seen as it would be.
    pub ghost: bool,
}

impl Against {
    /// The curves compared with; none where they are no more or belong to another clip.
    #[must_use]
    pub fn curves(self, document: &Document, present: ClipId) -> Option<&BTreeMap<ChannelPath, Arc<Curve>>> {
        match self {
            Self::Snapshot(id) => {
                document.snapshots.get(&id).filter(|snapshot| snapshot.clip == present).map(|found| &found.channels)
            }
            Self::Clip(id) => document.clip(id).filter(|_| id != present).map(|clip| &clip.channels),
        }
    }

    /// The document with its present clip as it is compared with, to be posed by. Of another clip all of it is taken,
    /// corrections, pins and retimes too.
    #[must_use]
    pub fn document(self, document: &Document, present: ClipId) -> Option<Document> {
        let curves = self.curves(document, present)?;
        let mut other = document.clone();
        match self {
            Self::Snapshot(_) => other.clip_mut(present)?.channels.extend(curves.iter().map(|(p, c)| (*p, c.clone()))),
            Self::Clip(id) => {
                let clip: Clip = (**document.clip(id)?).clone();
                *other.clip_mut(present)? = clip;
            }
        }
        Some(other)
    }
}

/// The channels of a clip that a snapshot takes: those of what is selected, else all.
#[must_use]
pub fn taken(clip: &Clip, selection: &Selection) -> BTreeMap<ChannelPath, Arc<Curve>> {
    let concerns = |path: &ChannelPath| {
        let (target, object) = (path.target, Target::Object(path.target.object()));
        selection.targets.is_empty() || selection.contains(target) || selection.contains(object)
    };
    clip.channels.iter().filter(|(path, _)| concerns(path)).map(|(path, curve)| (*path, curve.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, FrameRange, Key, KeyedCurve, ObjectId, Property, ScalarCurve, Snapshot};

    fn curve(value: f64) -> Arc<Curve> {
        let keys = [Key::new(0.0, value)].into_iter().collect();
        Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() })))
    }

    #[test]
    fn the_compared_document_has_the_curves_compared_with() {
        let mut document = Document::default();
        let path = |component| ChannelPath::object(ObjectId(1), Property::Translation, component);
        let [x, y] = [Component::X, Component::Y].map(path);
        let mut clip = Clip::new("walk", FrameRange::new(0, 10));
        clip.channels.extend([(x, curve(0.0)), (y, curve(1.0))]);
        let present = document.add_clip(clip);
        let mut clip = Clip::new("run", FrameRange::new(0, 10));
        clip.channels.insert(x, curve(7.0));
        let other = document.add_clip(clip);
        let id = SnapshotId(document.take_id());
        let snapshot = Snapshot { name: String::new(), clip: present, channels: BTreeMap::from([(x, curve(3.0))]) };
        Arc::make_mut(&mut document.snapshots).insert(id, Arc::new(snapshot));
        let of = |against: Against| against.document(&document, present).unwrap().clip(present).unwrap().clone();
        let snapshot = of(Against::Snapshot(id));
        assert_eq!((&snapshot.channels[&x], &snapshot.channels[&y]), (&curve(3.0), &curve(1.0)));
        let clip = of(Against::Clip(other));
        assert_eq!((clip.channels.get(&x), clip.channels.get(&y)), (Some(&curve(7.0)), None));
        assert!(Against::Clip(present).document(&document, present).is_none(), "with itself nothing is compared");
        assert!(Against::Snapshot(id).document(&document, other).is_none());
        assert!(Against::Clip(ClipId(99)).curves(&document, present).is_none());
    }

    #[test]
    fn a_snapshot_takes_what_is_selected() {
        let path = |object| ChannelPath::object(ObjectId(object), Property::Translation, Component::X);
        let mut clip = Clip::new("walk", FrameRange::new(0, 10));
        clip.channels.extend([(path(1), curve(0.0)), (path(2), curve(1.0))]);
        assert_eq!(taken(&clip, &Selection::default()).len(), 2);
        let one = taken(&clip, &Selection::single(Target::Object(ObjectId(2))));
        assert_eq!(one.keys().collect::<Vec<_>>(), [&path(2)]);
    }
}
