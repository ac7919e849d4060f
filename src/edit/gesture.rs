//! What a tool or a field asks of the session.

use super::Edit;

/// One step of a transaction on the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Gesture {
    /// A change starts; `label` is the text key of its name in the history, such as `history.move_keys`.
    Begin {
        /// The text key.
        label: &'static str,
    },
    /// The total change so far, applied to the document as it was at the beginning.
    Update(Edit),
    /// The change is done.
    Commit,
    /// The change is dropped.
    Cancel,
}

/// What a gesture step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A gesture began.
    Began,
    /// The document now shows the change.
    Previewed,
    /// The change is in the history.
    Committed,
    /// The gesture ended and had changed nothing: the history is as before.
    Unchanged,
    /// The gesture ended and the document is as before.
    Cancelled,
    /// No gesture was running: nothing was to be done.
    Idle,
}
