//! What goes along, stays and is kept to while a body is dragged.

use crate::model::{JointId, ObjectId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How dragging a body works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DragPrefs {
    /// Whether the body helps where a hand or the trunk is dragged out of its reach.
    pub help: bool,
    /// Whether hands stay where they are while the body is dragged.
    pub hold_hands: bool,
    /// Whether feet stay where they are while the body is dragged.
    pub hold_feet: bool,
    /// Whether the hips keep the centre of mass over the feet.
    pub balance: bool,
    /// Whether feet and dragged meshes stay above the ground, the world's plane of height 0.
    pub ground: bool,
    /// Whether limbs ease in to full stretch; never for typed targets.
    pub soft: bool,
    /// Whether joints keep to their limits; never for typed targets.
    ///
    /// A switch of the view, not of the document: limits steer drags and change nothing of what plays. What a joint's limits
    /// are, and that one has none, is the document's.
    pub limits: bool,
    /// Whether a dragged hand keeps its rotation in the world, as feet do, not that of the forearm.
    pub hands_in_world: bool,
    /// Whether a dragged head looks to where it is drawn, not just goes with the neck.
    pub head_looks: bool,
    /// Whether steps of a movement are those of the grid, not of the way.
    pub to_grid: bool,
    /// Joints that stay where they are while others are dragged.
    #[serde(skip)]
    pub held: BTreeSet<(ObjectId, JointId)>,
}

impl Default for DragPrefs {
    fn default() -> Self {
        Self {
            help: true,
            hold_hands: false,
            hold_feet: true,
            balance: false,
            ground: true,
            soft: true,
            limits: true,
            hands_in_world: false,
            head_looks: true,
            to_grid: false,
            held: BTreeSet::new(),
        }
    }
}
