//! How a drag is solved: what is asked for besides the target.

use crate::eval::ik::{Settings, SoftReach, SolverSpec};
use crate::math::Vec3;

/// What becomes of the rotation of the grabbed joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Feet as [`Orientation::World`], all else as [`Orientation::Local`].
    #[default]
    Auto,
    /// It keeps its rotation in the world.
    World,
    /// It keeps its rotation relative to its parent.
    Local,
}

/// What hands do while the body is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hands {
    /// They go with the body.
    #[default]
    Follow,
    /// They stay where they are, rotation included.
    Stay,
}

/// What feet do while the body is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feet {
    /// They stay where they are, rotation included.
    #[default]
    Stay,
    /// They go with the body.
    Follow,
}

/// What the face does while the head is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Head {
    /// It stays level and turns to where the head is drawn; neck and spine share the turn.
    #[default]
    Looks,
    /// It goes with the neck.
    Follows,
}

/// When the body helps a hand, a foot or the trunk that is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyHelp {
    /// Never: the limb alone follows, as far as it reaches.
    #[default]
    Never,
    /// Where a hand is dragged out of the arm's reach, or the trunk out of its own, the body takes the rest.
    OutOfReach,
    /// From the beginning: the body takes half of the way, and what is out of reach. Feet too.
    AtOnce,
}

/// How a drag is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DragOptions {
    /// The rotation of the grabbed joint.
    pub orientation: Orientation,
    /// Hands while hips, spine or head are dragged.
    pub hands: Hands,
    /// Feet while anything else is dragged.
    pub feet: Feet,
    /// The head where it is dragged itself; only under [`Orientation::Auto`].
    pub head: Head,
    /// When the body helps.
    pub help: BodyHelp,
    /// Whether the hips shift so that the centre of mass stays over the feet that stand.
    pub balance: bool,
    /// Height in the world below which no foot goes; none lets them.
    pub ground: Option<f64>,
    /// Easing near full stretch; [`SoftReach::OFF`] for targets that are typed.
    pub soft: SoftReach,
    /// The joint whose chain is solved; none for what the limbs say. Ignored where it is not above the grabbed joint.
    pub chain_root: Option<usize>,
    /// The solver; none for the one that fits the limb.
    pub solver: Option<&'static SolverSpec>,
    /// A position, in the world, towards which the limb bends; none keeps the bend of the pose at the press. It draws the
    /// limb towards itself as the drag goes on, and never flips it while the target passes the line to it.
    pub pole: Option<Vec3>,
    /// Tolerance and passes of iterative solvers.
    pub settings: Settings,
}
