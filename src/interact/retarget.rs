//! What lies ready to be brought to a character, and what came of it: a state of the view, never of the document.

use crate::{
    eval::retarget::{JointMap, Options, Retargeted, Source},
    model::ObjectId,
};
use std::sync::Arc;

/// The desk of retargeting. Two are the same where their parts are the very same.
#[derive(Clone, Debug, Default)]
pub struct RetargetDesk {
    /// The motion; none before one was chosen.
    pub source: Option<Arc<Source>>,
    /// What was brought over last, and to which object.
    pub result: Option<(ObjectId, Arc<Retargeted>)>,
}

impl PartialEq for RetargetDesk {
    fn eq(&self, other: &Self) -> bool {
        let sources = match (&self.source, &other.source) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let results = match (&self.result, &other.result) {
            (Some((a, x)), Some((b, y))) => a == b && Arc::ptr_eq(x, y),
            (None, None) => true,
            _ => false,
        };
        sources && results
    }
}

/// The wish to bring a motion to a character.
#[derive(Clone, Debug)]
pub struct RetargetWish {
    /// The motion.
    pub source: Arc<Source>,
    /// The character.
    pub target: ObjectId,
    /// Which joint stands for which.
    pub map: JointMap,
    /// How.
    pub options: Options,
}
