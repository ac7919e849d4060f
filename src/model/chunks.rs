//! A list of shared chunks in shared groups: cloning it for an edit counts up some dozens of chunks, not all of them.

use std::{ops::Index, sync::Arc};

/// How many chunks stand in a group; only the last group holds fewer. With 512 keys a chunk a million keys are 31 groups.
const GROUP: usize = 64;

/// A list of shared chunks of type `C`.
#[derive(Debug)]
pub struct Chunks<C> {
    groups: Vec<Arc<Group<C>>>,
    len: usize,
}

type Group<C> = Vec<Arc<C>>;

impl<C> Clone for Chunks<C> {
    fn clone(&self) -> Self {
        Self { groups: self.groups.clone(), len: self.len }
    }
}

impl<C> Default for Chunks<C> {
    fn default() -> Self {
        Self { groups: Vec::new(), len: 0 }
    }
}

impl<C> Chunks<C> {
    /// The number of chunks.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no chunk.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chunk at an index.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Arc<C>> {
        self.groups.get(index / GROUP)?.get(index % GROUP)
    }

    /// The first chunk.
    #[must_use]
    pub fn first(&self) -> Option<&Arc<C>> {
        self.get(0)
    }

    /// The last chunk.
    #[must_use]
    pub fn last(&self) -> Option<&Arc<C>> {
        self.get(self.len.checked_sub(1)?)
    }

    /// All chunks in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<C>> + Clone {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// The chunk at an index, to be changed; its group is copied first if it is shared.
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Arc<C>> {
        Arc::make_mut(self.groups.get_mut(index / GROUP)?).get_mut(index % GROUP)
    }

    /// Puts a chunk before the one at an index. Groups from there on are cut anew: chunks come and go seldom.
    pub(super) fn insert(&mut self, index: usize, chunk: Arc<C>) {
        self.rebuild_from(index, |tail| tail.insert((index % GROUP).min(tail.len()), chunk));
    }

    /// Takes a chunk out.
    pub(super) fn remove(&mut self, index: usize) {
        if index < self.len {
            self.rebuild_from(index, |tail| drop(tail.remove(index % GROUP)));
        }
    }

    fn rebuild_from(&mut self, index: usize, change: impl FnOnce(&mut Group<C>)) {
        let first = (index / GROUP).min(self.groups.len());
        let mut tail: Group<C> = self.groups.drain(first..).flat_map(Arc::unwrap_or_clone).collect();
        change(&mut tail);
        let kept = first * GROUP;
        self.len = kept + tail.len();
        self.extend_groups(tail);
    }

    fn extend_groups(&mut self, chunks: Group<C>) {
        let mut rest = chunks.into_iter().peekable();
        while rest.peek().is_some() {
            self.groups.push(Arc::new(rest.by_ref().take(GROUP).collect()));
        }
    }
}

impl<C> FromIterator<Arc<C>> for Chunks<C> {
    fn from_iter<I: IntoIterator<Item = Arc<C>>>(chunks: I) -> Self {
        let chunks: Group<C> = chunks.into_iter().collect();
        let mut list = Self { groups: Vec::new(), len: chunks.len() };
        list.extend_groups(chunks);
        list
    }
}

impl<C> Index<usize> for Chunks<C> {
    type Output = Arc<C>;

    fn index(&self, index: usize) -> &Self::Output {
        &self.groups[index / GROUP][index % GROUP]
    }
}

impl<'a, C> IntoIterator for &'a Chunks<C> {
    type Item = &'a Arc<C>;
    type IntoIter = std::iter::FlatMap<
        std::slice::Iter<'a, Arc<Group<C>>>,
        std::slice::Iter<'a, Arc<C>>,
        fn(&'a Arc<Group<C>>) -> std::slice::Iter<'a, Arc<C>>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.groups.iter().flat_map(|group| group.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserting_and_removing_are_those_of_a_plain_list() {
        let mut plain: Vec<u32> = Vec::new();
        let mut chunks = Chunks::default();
        let mut state = 7_u32;
        for step in 0..2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (state >> 8) as usize % (plain.len() + 1);
            if step % 7 == 3 && at < plain.len() {
                plain.remove(at);
                chunks.remove(at);
            } else {
                plain.insert(at, step);
                chunks.insert(at, Arc::new(step));
            }
            assert_eq!(chunks.len(), plain.len());
        }
        assert!(chunks.iter().map(|chunk| **chunk).eq(plain.iter().copied()));
        assert!((0..plain.len()).all(|i| *chunks[i] == plain[i]) && chunks.get(plain.len()).is_none());
        assert!(chunks.groups.iter().rev().skip(1).all(|group| group.len() == GROUP));
        let copy: Chunks<u32> = chunks.iter().cloned().collect();
        assert!((&copy).into_iter().eq(&chunks) && copy.last() == chunks.last());
    }

    #[test]
    fn changing_a_chunk_copies_its_group_only() {
        let before: Chunks<u32> = (0..1_000).map(Arc::new).collect();
        let mut after = before.clone();
        if let Some(chunk) = after.get_mut(500) {
            *Arc::make_mut(chunk) = 9;
        }
        let copied = before.groups.iter().zip(&after.groups).filter(|(a, b)| !Arc::ptr_eq(a, b)).count();
        assert_eq!((copied, *before[500], *after[500]), (1, 500, 9));
    }
}
