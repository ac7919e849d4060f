//! How weights of a blend space's samples follow from a point of it, and how rotations are blended by weights.

use super::kinds::kinds;
use serde::{Deserialize, Serialize};

kinds! {
    /// How the weights of a blend space's samples follow from the point shown.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum BlendScheme {
        /// Along one axis, between the two neighbours.
        #[default]
        Linear,
        /// Each sample has a weight of its own.
        Direct,
        /// Barycentric over the Delaunay triangulation.
        Delaunay,
        /// Gradient bands in the plane of the axes.
        BandCartesian,
        /// Gradient bands in length and direction from the origin.
        BandPolar,
        /// Between the two neighbouring directions, and along each by length.
        Directional,
        /// By the inverse of the distance.
        InverseDistance,
        /// Bilinear between rows and columns.
        Grid,
        /// Radial basis functions, clamped.
        Rbf,
    }
}

impl BlendScheme {
    /// How many of the space's axes it reads: none, one or two.
    #[must_use]
    pub const fn axes(self) -> usize {
        match self {
            Self::Direct => 0,
            Self::Linear => 1,
            _ => 2,
        }
    }
}

/// How rotations are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RotationBlend {
    /// Quaternions brought to one hemisphere, summed by weight and normalised.
    #[default]
    Nlerp,
    /// The rotation from which the weighted turns to all inputs cancel; of two inputs slerp.
    Slerp,
}
