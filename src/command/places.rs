//! The parts of the window, by name.

use crate::model::kinds::kinds;
use serde::{Deserialize, Serialize};

kinds! {
    /// A panel, by name: docks, shortcuts and commands speak of panels by it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum PanelId {
        /// The 3D view.
        Viewport,
        /// The graph editor.
        Graph,
        /// Play buttons, ruler and keys.
        Timeline,
        /// The objects and their joints.
        Outliner,
        /// The numbers of what is selected.
        Inspector,
        /// The pose library.
        Poses,
        /// The steps that can be undone.
        History,
        /// What was reported.
        Log,
        /// Arc length and speed, to be tried out.
        ArcLab,
        /// How far, how fast: a joint along its trail.
        Spacing,
        /// Schemes side by side on the same keys.
        Race,
        /// When things happen: keys by rows.
        DopeSheet,
        /// Rotations: ways between them, gimbal rings, every form.
        RotationLab,
        /// The motion of another figure for a character.
        Retarget,
        /// Forward kinematics in the plane, with its matrices.
        FkLab,
        /// All inverse kinematics solvers on one chain.
        SolverLab,
        /// A lattice: its bases, side by side, what each costs.
        LatticeLab,
        /// The shapes of a face as sliders.
        FaceBoard,
        /// Two pictures blended, plainly and warped.
        WarpLab,
        /// Linear blend and dual quaternions side by side.
        SkinLab,
        /// Blend spaces: samples, schemes, weights.
        BlendSpace,
        /// The clip library of a character.
        Clips,
        /// The layers of a character and their masks.
        Layers,
        /// Crossfade against inertialization.
        TransitionLab,
        /// Ways to blend poses, masks and additive bends.
        PoseLab,
    }
}

/// A layout of the panels for one kind of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Workspace {
    /// The 3D view large.
    #[default]
    Pose,
    /// The graph large.
    Curves,
    /// The 3D view and the inspector large: lattices, deformers, weights, sliders.
    Shape,
    /// Blend spaces beside the 3D view.
    Blend,
    /// The labs large: experiments with what the tools are made of.
    Lab,
}

impl Workspace {
    /// All workspaces, in the order of the tabs.
    pub const ALL: [Self; 5] = [Self::Pose, Self::Curves, Self::Shape, Self::Blend, Self::Lab];

    /// The text key of its name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Pose => "workspace.pose",
            Self::Curves => "workspace.curves",
            Self::Shape => "workspace.shape",
            Self::Blend => "workspace.blend",
            Self::Lab => "workspace.lab",
        }
    }
}
