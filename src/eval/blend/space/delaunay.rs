//! Barycentric over the Delaunay triangulation, the nearest point of its border outside.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme};
use crate::math::{
    lanes::{LANES, Lanes},
    triangulate::{Point, Triangulation},
};

/// Barycentric weights in the triangle around the point.
#[derive(Debug)]
pub(super) struct Delaunay;

impl WeightScheme for Delaunay {
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        Box::new(Triangles(Triangulation::with_diagonals(sites, &options.diagonals)))
    }
}

#[derive(Debug)]
pub(super) struct Triangles(pub(super) Triangulation);

impl Weigher for Triangles {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        weights.fill(0.0);
        let placed = self.0.place(at);
        for (corner, weight) in placed.corners.iter().zip(placed.weights).take(placed.count) {
            weights[*corner] += weight;
        }
        if placed.inside { Landing::at(at) } else { Landing::beside(placed.at) }
    }

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        weights.fill(Lanes::splat(0.0));
        let mut near = 0;
        for lane in 0..LANES {
            let placed = self.0.place_near(row.point(lane), &mut near);
            for (corner, weight) in placed.corners.iter().zip(placed.weights).take(placed.count) {
                weights[*corner].0[lane] += weight;
            }
        }
    }
}
