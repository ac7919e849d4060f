//! Schemes of weights: how much of each sample of a blend space plays at a point of it. One file and one row each.
//!
//! A [`PreparedSpace`] is made once of a set of samples and then gives weights at points, without allocating up to 64
//! samples. Whatever the scheme: weights are never negative and have sum 1; a point on a sample gives that sample 1
//! exactly; samples on one spot share its weight evenly; the order of the samples changes nothing.

mod band;
mod delaunay;
mod direct;
mod directional;
mod grid;
mod heat;
mod inverse_distance;
mod linear;
mod prepared;
mod rbf;

pub use heat::{HeatMap, heat_map, scheme_difference};
pub use prepared::{Landing, PreparedSpace};

use crate::{
    math::{
        lanes::{LANES, Lanes},
        triangulate::Point,
    },
    model::BlendScheme,
};

/// What a scheme may be told besides the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemeOptions {
    /// Diagonals to turn in, by indices of samples ([`crate::math::triangulate::Triangulation::with_diagonals`]).
    pub diagonals: Vec<[usize; 2]>,
    /// The weight of each sample, for the scheme that takes them as they are; those missing count as 0.
    pub direct: Vec<f64>,
    /// How much angles count against lengths in polar gradient bands ("alpha"); [`ANGLE_WEIGHT`] in the thesis.
    pub angle_weight: f64,
}

/// How much angles count against lengths where nothing is said.
pub const ANGLE_WEIGHT: f64 = 2.0;

impl Default for SchemeOptions {
    fn default() -> Self {
        Self { diagonals: Vec::new(), direct: Vec::new(), angle_weight: ANGLE_WEIGHT }
    }
}

/// A scheme of weights.
pub trait WeightScheme: Sync {
    /// Makes the scheme ready for sites: finite points, no two the same, sorted by x, then y, at least one.
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher>;
}

/// A scheme made ready for a set of sites.
pub trait Weigher: Send + Sync + std::fmt::Debug {
    /// The weights of the sites at a finite point: one number a site, not negative and not all 0; they need not have sum
    /// 1. Also where the point came to lie.
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing;

    /// [`Self::weigh`] at eight points of one row: the same numbers to the bit, as pictures want them. `alone` has room for
    /// a number a site.
    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], alone: &mut [f64]) {
        for lane in 0..LANES {
            self.weigh(row.point(lane), alone);
            for (weights, weight) in weights.iter_mut().zip(&*alone) {
                weights.0[lane] = *weight;
            }
        }
    }
}

/// Eight points, finite, of one second coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// First coordinates.
    pub x: Lanes<f64>,
    /// The second coordinate.
    pub y: f64,
}

impl Row {
    /// One of the points.
    #[must_use]
    pub const fn point(&self, lane: usize) -> Point {
        [self.x.0[lane], self.y]
    }
}

/// One row of the table of schemes.
pub struct SchemeSpec {
    /// The scheme it is.
    pub scheme: BlendScheme,
    /// Stable name for files and commands.
    pub id: &'static str,
    /// Whether its weights jump somewhere; else they are continuous everywhere.
    pub jumps: bool,
    /// The scheme; all are stateless.
    pub weights: &'static dyn WeightScheme,
}

impl std::fmt::Debug for SchemeSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SchemeSpec").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Every scheme, in the order of [`BlendScheme`].
pub const SCHEMES: &[SchemeSpec] = &[
    SchemeSpec { scheme: BlendScheme::Linear, id: "linear", jumps: false, weights: &linear::Linear },
    SchemeSpec { scheme: BlendScheme::Direct, id: "direct", jumps: false, weights: &direct::Direct },
    SchemeSpec { scheme: BlendScheme::Delaunay, id: "delaunay", jumps: false, weights: &delaunay::Delaunay },
    SchemeSpec { scheme: BlendScheme::BandCartesian, id: "band_cartesian", jumps: false, weights: &band::Cartesian },
    SchemeSpec { scheme: BlendScheme::BandPolar, id: "band_polar", jumps: true, weights: &band::Polar },
    SchemeSpec { scheme: BlendScheme::Directional, id: "directional", jumps: true, weights: &directional::Directional },
    SchemeSpec {
        scheme: BlendScheme::InverseDistance,
        id: "inverse_distance",
        jumps: false,
        weights: &inverse_distance::InverseDistance,
    },
    SchemeSpec { scheme: BlendScheme::Grid, id: "grid", jumps: false, weights: &grid::Grid },
    SchemeSpec { scheme: BlendScheme::Rbf, id: "rbf", jumps: false, weights: &rbf::Rbf },
];

/// The row of a scheme.
#[must_use]
pub fn scheme_spec(scheme: BlendScheme) -> Option<&'static SchemeSpec> {
    // The row of a scheme is at its own number, which a test holds.
    SCHEMES.get(scheme as usize)
}

/// The scheme with this id.
#[must_use]
pub fn scheme_of_id(id: &str) -> Option<BlendScheme> {
    SCHEMES.iter().find(|spec| spec.id == id).map(|spec| spec.scheme)
}

#[cfg(test)]
mod tests;
