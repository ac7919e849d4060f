//! Edits of retimes.

use super::{Edit, EditError, clips::clip_mut, error::finite};
use crate::model::{ClipId, Document, Phi, PhiError, Retime, RetimeId, RetimeScope};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a clip's retimes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RetimeEdit {
    /// Adds a retime after the others: it is asked before them.
    Add {
        /// The clip.
        clip: ClipId,
        /// The retime; its id must be new in the clip.
        retime: Arc<Retime>,
    },
    /// Deletes a retime: the timing is as before.
    Delete {
        /// The clip.
        clip: ClipId,
        /// The retime.
        retime: RetimeId,
    },
    /// Renames a retime.
    Rename {
        /// The clip.
        clip: ClipId,
        /// The retime.
        retime: RetimeId,
        /// The name.
        name: String,
    },
    /// Switches a retime off or on.
    Mute {
        /// The clip.
        clip: ClipId,
        /// The retime.
        retime: RetimeId,
        /// Whether it is off.
        muted: bool,
    },
    /// Sets when curves are read.
    SetPhi {
        /// The clip.
        clip: ClipId,
        /// The retime.
        retime: RetimeId,
        /// The keys `(time, time read)`, seconds; see [`Phi::new`].
        keys: Vec<(f64, f64)>,
    },
}

impl From<RetimeEdit> for Edit {
    fn from(edit: RetimeEdit) -> Self {
        Self::Retime(edit)
    }
}

impl From<PhiError> for EditError {
    fn from(error: PhiError) -> Self {
        Self::Phi(error)
    }
}

impl RetimeEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Add { clip, retime } => {
                check(document, retime)?;
                let clip = clip_mut(document, *clip)?;
                if clip.retime(retime.id).is_some() {
                    return Err(EditError::IdInUse(retime.id.0));
                }
                clip.retimes.push(retime.clone());
            }
            Self::Delete { clip, retime } => {
                let found = clip_mut(document, *clip)?;
                let at = found.retimes.iter().position(|other| other.id == *retime);
                found.retimes.remove(at.ok_or(EditError::NoRetime(*clip, *retime))?);
            }
            Self::Rename { clip, retime, name } => retime_mut(document, *clip, *retime)?.name.clone_from(name),
            Self::Mute { clip, retime, muted } => retime_mut(document, *clip, *retime)?.muted = *muted,
            Self::SetPhi { clip, retime, keys } => {
                for (time, read) in keys {
                    finite("a retime's time", *time)?;
                    finite("a retime's time", *read)?;
                }
                retime_mut(document, *clip, *retime)?.phi = Phi::new(keys.clone())?;
            }
        }
        Ok(())
    }
}

/// That what a retime is of exists.
fn check(document: &Document, retime: &Retime) -> Result<(), EditError> {
    let object = document.object(retime.object).ok_or(EditError::NoObject(retime.object))?;
    let RetimeScope::Joints(joints) = &retime.scope else { return Ok(()) };
    let rig = object.as_rig().ok_or(EditError::NotARig(retime.object))?;
    let missing = joints.iter().find(|joint| rig.skeleton.joint(**joint).is_none());
    missing.map_or(Ok(()), |joint| Err(EditError::NoJoint(retime.object, *joint)))
}

fn retime_mut(document: &mut Document, id: ClipId, retime: RetimeId) -> Result<&mut Retime, EditError> {
    let found = clip_mut(document, id)?.retimes.iter_mut().find(|other| other.id == retime);
    found.map(Arc::make_mut).ok_or(EditError::NoRetime(id, retime))
}
