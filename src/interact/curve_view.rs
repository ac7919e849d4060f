//! Which curves are seen and which cannot be edited: a state of the view that all panels of curves share.

use crate::model::ChannelPath;
use std::collections::BTreeSet;

/// What the user has set about channels, wherever they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurveView {
    /// Channels whose eye is closed: neither drawn, nor edited, nor raced.
    pub hidden: BTreeSet<ChannelPath>,
    /// Channels that are seen but cannot be edited.
    pub locked: BTreeSet<ChannelPath>,
}

impl CurveView {
    /// With these channels hidden, or seen again.
    #[must_use]
    pub fn with_hidden(&self, paths: impl IntoIterator<Item = ChannelPath>, hidden: bool) -> Self {
        let mut view = self.clone();
        set(&mut view.hidden, paths, hidden);
        view
    }

    /// With these channels locked, or free again.
    #[must_use]
    pub fn with_locked(&self, paths: impl IntoIterator<Item = ChannelPath>, locked: bool) -> Self {
        let mut view = self.clone();
        set(&mut view.locked, paths, locked);
        view
    }

    /// With some of the channels listed shown alone; all again where they are alone already.
    #[must_use]
    pub fn isolated(&self, listed: &[ChannelPath], alone: &[ChannelPath]) -> Self {
        let others = || listed.iter().copied().filter(|path| !alone.contains(path));
        let are_alone =
            others().all(|path| self.hidden.contains(&path)) && alone.iter().all(|path| !self.hidden.contains(path));
        let hidden = if are_alone { BTreeSet::new() } else { others().collect() };
        Self { hidden, locked: self.locked.clone() }
    }
}

fn set(set: &mut BTreeSet<ChannelPath>, paths: impl IntoIterator<Item = ChannelPath>, present: bool) {
    for path in paths {
        if present {
            set.insert(path);
        } else {
            set.remove(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, ObjectId, Property};

    #[test]
    fn curves_are_shown_alone_and_all_again() {
        let [x, y, z] = Component::AXES.map(|axis| ChannelPath::object(ObjectId(1), Property::Translation, axis));
        let view = CurveView::default().with_locked([z], true);
        let alone = view.isolated(&[x, y, z], &[y]);
        assert_eq!((alone.hidden.clone(), &alone.locked), ([x, z].into(), &view.locked));
        assert_eq!(alone.isolated(&[x, y, z], &[y]), view);
        assert_eq!(alone.with_hidden([x, z], false).with_locked([z], false), CurveView::default());
    }
}
