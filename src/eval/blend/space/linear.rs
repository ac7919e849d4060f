//! Along one axis: the two neighbours share, the ends hold.

use super::{Landing, SchemeOptions, Weigher, WeightScheme};
use crate::math::triangulate::Point;

/// Hat functions over the samples' first coordinate.
#[derive(Debug)]
pub(super) struct Linear;

impl WeightScheme for Linear {
    fn prepare(&self, sites: &[Point], _: &SchemeOptions) -> Box<dyn Weigher> {
        Box::new(Line(sites.iter().map(|site| site[0]).collect()))
    }
}

/// Places along a line, ascending.
#[derive(Debug)]
pub(super) struct Line(pub(super) Vec<f64>);

impl Line {
    /// The neighbours of a place and the part of the second; at and beyond an end that one alone.
    pub(super) fn neighbours(&self, at: f64) -> (usize, usize, f64) {
        self.neighbours_near(at, &mut 0)
    }

    /// The same; `above`, how many places lie at or before, is where it was found last.
    #[inline(always)]
    pub(super) fn neighbours_near(&self, at: f64, above: &mut usize) -> (usize, usize, f64) {
        let before = |index: usize| self.0.get(index).is_some_and(|place| *place <= at);
        if before(*above) || (*above > 0 && !before(*above - 1)) {
            *above = self.0.partition_point(|place| *place <= at);
        }
        let above = *above;
        let below = above.saturating_sub(1);
        match (self.0.get(below), self.0.get(above)) {
            (Some(low), Some(high)) if above > 0 => (below, above, (at - low) / (high - low)),
            _ => (below, below, 0.0),
        }
    }
}

impl Weigher for Line {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        let (below, above, part) = self.neighbours(at[0]);
        weights.fill(0.0);
        weights[below] += 1.0 - part;
        weights[above] += part;
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else { return Landing::beside(at) };
        if at[0] < *first || at[0] > *last {
            return Landing::beside([at[0].clamp(*first, *last), at[1]]);
        }
        Landing::at(at)
    }
}
