//! Which tools there are.

use serde::{Deserialize, Serialize};

/// The tool in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ToolId {
    /// Picks and box-selects.
    Select,
    /// Grabs a limb; it follows by inverse kinematics.
    #[default]
    DragLimb,
    /// Moves the selection by a gizmo.
    Move,
    /// Turns the selection by a gizmo.
    Rotate,
    /// Draws a path: adds and inserts points, closes it.
    DrawPath,
    /// Pulls the surface of a mesh by landmarks.
    Pull,
    /// Paints which vertices a deformer acts on.
    Mask,
    /// Paints how much of a mesh follows the selected joint.
    PaintWeights,
    /// Paints how much a mask of layers touches each joint.
    PaintMask,
}

impl ToolId {
    /// All tools, in the order of the tool column.
    pub const ALL: [Self; 9] = [
        Self::Select,
        Self::DragLimb,
        Self::Move,
        Self::Rotate,
        Self::DrawPath,
        Self::Pull,
        Self::Mask,
        Self::PaintWeights,
        Self::PaintMask,
    ];
}
