//! Clearing to rest: what is selected goes back to its rest pose, an object to where its parent is.

use super::{pose_write::write, subject::Subject};
use crate::{
    edit::{Edit, EditError},
    interact::tool::ToolContext,
    math::Transform,
    model::{Document, Target},
};

/// What is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clear {
    /// Where it is.
    Translation,
    /// How it is turned.
    Rotation,
    /// How large it is.
    Scale,
    /// All three.
    All,
}

impl Clear {
    /// The text key of the step in the history.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Translation => "history.clear_translation",
            Self::Rotation => "history.clear_rotation",
            Self::Scale => "history.clear_scale",
            Self::All => "history.clear_to_rest",
        }
    }
}

/// The edit that clears what is selected; one that changes nothing where all is at rest.
///
/// # Errors
/// Why it cannot be written.
pub fn clear(ctx: &ToolContext<'_>, what: Clear) -> Result<Edit, EditError> {
    let cleared = |subject: &Subject| {
        let rest = rest_of(ctx.document, subject.target)?;
        let mut local = subject.local;
        if matches!(what, Clear::Translation | Clear::All) {
            local.translation = rest.translation;
        }
        if matches!(what, Clear::Rotation | Clear::All) {
            local.rotation = rest.rotation;
        }
        if matches!(what, Clear::Scale | Clear::All) {
            local.scale = rest.scale;
        }
        Some((subject.target, local))
    };
    let changes: Vec<(Target, Transform)> = Subject::selected(ctx).iter().filter_map(cleared).collect();
    write(ctx, &changes)
}

fn rest_of(document: &Document, target: Target) -> Option<Transform> {
    match target {
        Target::Object(_) => Some(Transform::IDENTITY),
        Target::Joint(object, joint) => Some(document.object(object)?.as_rig()?.skeleton.joint(joint)?.rest),
    }
}
