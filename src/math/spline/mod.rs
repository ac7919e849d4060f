//! Curves that are made from all of their keys at once: C2 splines, monotone cubics, one polynomial through everything.
//!
//! Times increase strictly; keys may be unevenly spaced. A spline here is a slope for each key, which makes it a
//! [`HermiteSpline`].

mod c2;
mod hermite;
mod lagrange;
mod monotone;

pub use c2::{C2Ends, c2_slopes};
pub use hermite::HermiteSpline;
pub use lagrange::{Lagrange, chebyshev_nodes, equispaced_nodes};
pub use monotone::monotone_slopes;

/// Whether keys can carry a spline: as many values as times, all finite, times strictly increasing.
fn are_keys(times: &[f64], values: &[f64]) -> bool {
    times.len() == values.len()
        && times.iter().chain(values).all(|v| v.is_finite())
        && times.windows(2).all(|pair| pair[0] < pair[1])
}
