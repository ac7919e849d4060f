//! What happens to the document, told as it happens to whoever keeps a journal of it.

use super::Edit;
use crate::model::Document;
use std::sync::Arc;

/// Something that happened to the document.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// An edit became a step of the history: applied to `base` it gives a document equal to `document`.
    Edited {
        /// The state it acted on, one of those told before.
        base: Arc<Document>,
        /// What was done.
        edit: Edit,
        /// The state since then.
        document: Arc<Document>,
    },
    /// Undo, redo or a jump made an earlier state the present one again.
    Went {
        /// That state.
        document: Arc<Document>,
    },
}

/// Takes what is told. It must not block: it runs where the document is edited.
pub struct Recorder(Box<dyn Fn(Recorded) + Send>);

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recorder")
    }
}

impl Recorder {
    /// One that hands all on to a function.
    #[must_use]
    pub fn new(take: impl Fn(Recorded) + Send + 'static) -> Self {
        Self(Box::new(take))
    }

    pub(super) fn tell(&self, recorded: Recorded) {
        (self.0)(recorded);
    }
}
