//! The open document: its states, the gesture that runs, what is selected, whether it is saved.

use super::{
    Edit, EditError, Gesture, Limits, MergeKey, Outcome, Recorded, Recorder, Selection, history::History,
    share::share_equal,
};
use crate::model::{Document, Interpolation};
use std::{borrow::Cow, sync::Arc};

/// The open document. Opening another replaces the session whole, so that nothing of the former can come back.
#[derive(Debug)]
pub struct Session {
    history: History,
    running: Option<Running>,
    selection: Selection,
    saved: Arc<Document>,
    /// Whether nothing happened since the last edit that could be merged with.
    mergeable: bool,
    recorder: Option<Recorder>,
    /// How the segments that start at new keys run; none: as those of the keys before them.
    new_keys: Option<Interpolation>,
}

#[derive(Debug)]
struct Running {
    label: &'static str,
    /// The total change so far and the document with it; none before the first.
    preview: Option<(Edit, Arc<Document>)>,
    /// What was selected at the beginning.
    selection: Selection,
}

impl Session {
    /// A session on a document as it was opened: no history, not modified.
    #[must_use]
    pub fn new(document: Document) -> Self {
        Self::with_limits(document, Limits::default())
    }

    /// A session on a document that no file holds as it is: modified from the beginning.
    #[must_use]
    pub fn unsaved(document: Document) -> Self {
        let mut session = Self::new(document);
        session.mark_unsaved();
        session
    }

    /// [`Self::new`] with a history of other limits.
    #[must_use]
    pub fn with_limits(document: Document, limits: Limits) -> Self {
        let saved = Arc::new(document);
        let history = History::new(saved.clone(), limits);
        let selection = Selection::default();
        Self { history, running: None, selection, saved, mergeable: false, recorder: None, new_keys: None }
    }

    /// Tells a recorder of everything that happens from now on.
    pub fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// The document as shown: while a gesture runs with its change so far.
    #[must_use]
    pub fn document(&self) -> &Arc<Document> {
        let preview = self.running.as_ref().and_then(|running| running.preview.as_ref());
        preview.map_or_else(|| self.base(), |(_, document)| document)
    }

    /// The document without the gesture that runs.
    #[must_use]
    pub fn base(&self) -> &Arc<Document> {
        &self.history.present().document
    }

    /// What is selected.
    #[must_use]
    pub const fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Sets how the segments that start at keys set from now on run; none: as those of the keys before them. Keys that come
    /// with an interpolation of their own keep it.
    pub const fn set_new_keys(&mut self, interpolation: Option<Interpolation>) {
        self.new_keys = interpolation;
    }

    fn with_new_keys<'a>(&self, edit: &'a Edit) -> Cow<'a, Edit> {
        self.new_keys.map_or(Cow::Borrowed(edit), |kind| Cow::Owned(edit.with_new_keys(kind)))
    }

    /// Selects; no step of undo.
    pub fn select(&mut self, mut selection: Selection) {
        selection.retain_existing(self.document());
        if selection != self.selection {
            self.selection = selection;
            self.mergeable = false;
        }
    }

    /// Takes one step of a gesture.
    ///
    /// Beginning while another gesture runs cancels that one first. A change that fails leaves the last good one shown.
    /// Committing or cancelling without a gesture does nothing.
    ///
    /// # Errors
    /// Why the change cannot be done; a change without a gesture.
    pub fn gesture(&mut self, gesture: Gesture) -> Result<Outcome, EditError> {
        match gesture {
            Gesture::Begin { label } => {
                self.cancel();
                self.running = Some(Running { label, preview: None, selection: self.selection.clone() });
                Ok(Outcome::Began)
            }
            Gesture::Update(edit) => self.update(edit),
            Gesture::Commit => Ok(self.commit()),
            Gesture::Cancel => Ok(self.cancel()),
        }
    }

    /// Whether the gesture that runs shows just this edit.
    #[must_use]
    pub fn previews(&self, edit: &Edit) -> bool {
        let shown = self.running.as_ref().and_then(|running| running.preview.as_ref());
        shown.is_some_and(|(shown, _)| *shown == *self.with_new_keys(edit))
    }

    fn update(&mut self, edit: Edit) -> Result<Outcome, EditError> {
        let edit = self.with_new_keys(&edit).into_owned();
        let base = &self.history.present().document;
        let running = self.running.as_mut().ok_or(EditError::NoGesture)?;
        let mut document = Document::clone(base);
        edit.apply(&mut document)?;
        if let Some(keys) = edit.moved_keys(base, &running.selection.keys) {
            self.selection.keys = keys;
        }
        running.preview = Some((edit, Arc::new(document)));
        Ok(Outcome::Previewed)
    }

    fn commit(&mut self) -> Outcome {
        let Some(running) = self.running.take() else { return Outcome::Idle };
        let Some((edit, preview)) = running.preview else { return Outcome::Unchanged };
        self.history.present_mut().selection = running.selection;
        let base = self.base().clone();
        let outcome = self.push(preview, running.label, None);
        self.recorded(outcome, base, edit);
        outcome
    }

    fn recorded(&self, outcome: Outcome, base: Arc<Document>, edit: Edit) {
        if let (Outcome::Committed, Some(recorder)) = (outcome, &self.recorder) {
            recorder.tell(Recorded::Edited { base, edit, document: self.base().clone() });
        }
    }

    /// Makes a state the present one, unless it equals it.
    fn push(&mut self, document: Arc<Document>, label: &'static str, merge_key: Option<MergeKey>) -> Outcome {
        let mut document = Arc::unwrap_or_clone(document);
        if share_equal(self.base(), &mut document) {
            return Outcome::Unchanged;
        }
        debug_assert_eq!(document.problems(), [], "after '{label}'");
        self.selection.retain_existing(&document);
        self.mergeable = merge_key.is_some();
        self.history.push(Arc::new(document), label, self.selection.clone(), merge_key);
        Outcome::Committed
    }

    fn cancel(&mut self) -> Outcome {
        let Some(running) = self.running.take() else { return Outcome::Idle };
        self.selection = running.selection;
        Outcome::Cancelled
    }

    /// One edit as one step. A gesture that runs is cancelled first.
    ///
    /// # Errors
    /// Why the edit cannot be done.
    pub fn apply(&mut self, label: &'static str, edit: &Edit) -> Result<Outcome, EditError> {
        self.gesture(Gesture::Begin { label })?;
        match self.update(edit.clone()) {
            Ok(_) => Ok(self.commit()),
            Err(error) => {
                self.cancel();
                Err(error)
            }
        }
    }

    /// One edit that joins the step before where that has the same key and nothing happened in between: no other edit, no
    /// undo, no selection. `edit` acts on the present document.
    ///
    /// # Errors
    /// Why the edit cannot be done.
    pub fn apply_merging(&mut self, label: &'static str, key: MergeKey, edit: &Edit) -> Result<Outcome, EditError> {
        self.cancel();
        let edit = self.with_new_keys(edit);
        let base = self.base().clone();
        let mut document = Document::clone(&base);
        edit.apply(&mut document)?;
        let before = self.selection.clone();
        if let Some(keys) = edit.moved_keys(&base, &before.keys) {
            self.selection.keys = keys;
        }
        let unchanged = share_equal(&base, &mut document);
        if unchanged {
            return Ok(Outcome::Unchanged);
        }
        if self.mergeable && self.history.merges(&key) && self.history.before().is_some() {
            self.history.pop();
        } else {
            self.history.present_mut().selection = before;
        }
        let outcome = self.push(Arc::new(document), label, Some(key));
        self.recorded(outcome, base, edit.into_owned());
        Ok(outcome)
    }

    /// One step back, and what was selected then. While a gesture runs it is cancelled instead. Whether anything happened.
    pub fn undo(&mut self) -> bool {
        if self.cancel() == Outcome::Cancelled {
            return true;
        }
        self.history.index().checked_sub(1).is_some_and(|index| self.go(index))
    }

    /// One step forward, and what was selected then. While a gesture runs it is cancelled instead. Whether anything
    /// happened.
    pub fn redo(&mut self) -> bool {
        if self.cancel() == Outcome::Cancelled {
            return true;
        }
        self.go(self.history.index() + 1)
    }

    /// Goes to a state of the history; a gesture that runs is cancelled. Whether the state exists and is another.
    pub fn jump(&mut self, index: usize) -> bool {
        self.cancel();
        self.go(index)
    }

    fn go(&mut self, index: usize) -> bool {
        let moved = self.history.go(index);
        if moved {
            self.mergeable = false;
            self.selection = self.history.present().selection.clone();
            let document = self.base().clone();
            self.selection.retain_existing(&document);
            if let Some(recorder) = &self.recorder {
                recorder.tell(Recorded::Went { document });
            }
        }
        moved
    }

    /// Whether undo would do something.
    #[must_use]
    pub const fn can_undo(&self) -> bool {
        self.running.is_some() || self.history.index() > 0
    }

    /// Whether redo would do something.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.running.is_some() || self.history.index() + 1 < self.history.len()
    }

    /// The steps and which is the present one.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// Whether the document is another than the saved one: undoing back to that makes it unmodified again.
    #[must_use]
    pub fn is_modified(&self) -> bool {
        !Arc::ptr_eq(&self.saved, self.base())
    }

    /// Says that the present state is saved.
    pub fn mark_saved(&mut self) {
        self.saved = self.base().clone();
        // A step that joined the saved one would leave no way back to it.
        self.mergeable = false;
    }

    /// Says that a state, which may no longer be the present one, is saved.
    pub fn mark_saved_as(&mut self, document: &Arc<Document>) {
        self.saved = document.clone();
    }

    /// Says that no file holds any state.
    pub fn mark_unsaved(&mut self) {
        self.saved = Arc::default();
    }

    /// Whether a gesture runs.
    #[must_use]
    pub const fn in_gesture(&self) -> bool {
        self.running.is_some()
    }

    /// The label of the gesture that runs, by which whoever began it knows whether it is still theirs.
    #[must_use]
    pub fn gesture_label(&self) -> Option<&'static str> {
        self.running.as_ref().map(|running| running.label)
    }
}
