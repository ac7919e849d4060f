//! Undo: a list of document states that share what they have in common, and an index into it.

use super::{Selection, share::bytes_beyond};
use crate::model::Document;
use std::{collections::VecDeque, sync::Arc};

/// How much the history may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States, the present one included; at least 1.
    pub entries: usize,
    /// Bytes that states hold beyond what they share with the state before.
    pub bytes: usize,
}

impl Default for Limits {
    /// 200 states, 512 MB.
    fn default() -> Self {
        Self { entries: 200, bytes: 512 << 20 }
    }
}

/// What makes two edits in a row one step: the same field nudged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeKey(pub String);

/// The states of a document, oldest first, and which of them is the present one.
#[derive(Debug)]
pub struct History {
    entries: VecDeque<Entry>,
    index: usize,
    limits: Limits,
}

/// One state.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) document: Arc<Document>,
    pub(super) label: &'static str,
    pub(super) selection: Selection,
    pub(super) merge_key: Option<MergeKey>,
    /// Bytes beyond the state before it.
    bytes: usize,
}

/// The label of the state a document was opened in.
pub(super) const OPENED: &str = "history.opened";

impl History {
    pub(super) fn new(document: Arc<Document>, limits: Limits) -> Self {
        let (label, selection) = (OPENED, Selection::default());
        let entry = Entry { document, label, selection, merge_key: None, bytes: 0 };
        Self { entries: VecDeque::from([entry]), index: 0, limits }
    }

    /// The text keys of the steps, oldest first; the first is the state the document was opened in, or the oldest kept.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.label)
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: there is always a present state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Which state is the present one.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The bytes that the states hold beyond what each shares with the one before it, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.iter().skip(1).map(|entry| entry.bytes).sum()
    }

    pub(super) fn present(&self) -> &Entry {
        &self.entries[self.index]
    }

    pub(super) fn present_mut(&mut self) -> &mut Entry {
        &mut self.entries[self.index]
    }

    /// The state before the present one.
    pub(super) fn before(&self) -> Option<&Entry> {
        self.entries.get(self.index.checked_sub(1)?)
    }

    /// Whether the present state is the newest and was made with this merge key.
    pub(super) fn merges(&self, key: &MergeKey) -> bool {
        self.index + 1 == self.entries.len() && self.present().merge_key.as_ref() == Some(key)
    }

    /// Adds a state after the present one; those that were undone are dropped, and the oldest beyond the limits.
    pub(super) fn push(
        &mut self,
        document: Arc<Document>,
        label: &'static str,
        selection: Selection,
        merge_key: Option<MergeKey>,
    ) {
        self.entries.truncate(self.index + 1);
        let bytes = bytes_beyond(&self.present().document, &document);
        self.entries.push_back(Entry { document, label, selection, merge_key, bytes });
        let mut total = self.bytes();
        while self.entries.len() > 1 && (self.entries.len() > self.limits.entries || total > self.limits.bytes) {
            self.entries.pop_front();
            // The new oldest state has none before it to be compared with.
            total -= self.entries[0].bytes;
        }
        self.index = self.entries.len() - 1;
    }

    /// Drops the present state, which must be the newest, and goes to the one before.
    pub(super) fn pop(&mut self) {
        if self.index > 0 {
            self.entries.truncate(self.index);
            self.index -= 1;
        }
    }

    /// Goes to a state; whether there is such a state other than the present one.
    pub(super) fn go(&mut self, index: usize) -> bool {
        let moves = index < self.entries.len() && index != self.index;
        if moves {
            self.index = index;
        }
        moves
    }
}
