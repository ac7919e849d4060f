//! Curves as lines to draw: about two points a pixel column, however many keys there are.
//!
//! Lines are in seconds and the channel's own units, so that a change of height or place of the window leaves them as they
//! are. Where several keys share a column, the column is drawn from its least to its greatest value, taken from a pyramid
//! ([`extents`]) that is kept from frame to frame: the cost grows with pixels, not with keys.

pub mod derivative;
pub mod extents;
mod keyed;
mod sampled;

pub use extents::{Extent, KeyExtents, SampleExtents};
pub use keyed::keyed_line;
pub use sampled::sampled_line;

/// A point of a line: seconds and the channel's own value.
pub type LinePoint = [f64; 2];

/// What is to be drawn: a stretch of time over so many pixel columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// First time seen, seconds.
    pub start: f64,
    /// Last time seen, seconds, after the first.
    pub end: f64,
    /// Pixel columns from first to last.
    pub columns: u32,
}

impl Window {
    /// Seconds in a column.
    #[must_use]
    pub fn column_secs(&self) -> f64 {
        (self.end - self.start) / f64::from(self.columns.max(1))
    }

    /// A line through a function's values, some to a column: of what is no longer made of keys or samples.
    fn sampled(&self, mut value_at: impl FnMut(f64) -> f64) -> Vec<LinePoint> {
        const A_COLUMN: u32 = 2;
        let width = self.column_secs() / f64::from(A_COLUMN);
        // From 0 on, so that the line does not shimmer when it is panned.
        let first = (self.start / width).floor();
        let points = 0..=A_COLUMN * self.columns.saturating_add(1);
        points.map(|i| (first + f64::from(i)) * width).map(|secs| [secs, value_at(secs)]).collect()
    }

    /// The edges between columns, from the last one at or before `start` to the first one at or after `end`. They are whole
    /// multiples of the column width from 0 on, not from `start`, so that a line does not shimmer when it is panned.
    fn edges(&self) -> impl Iterator<Item = f64> + use<> {
        let width = self.column_secs();
        let first = (self.start / width).floor();
        (0..=self.columns.saturating_add(1)).map(move |column| (first + f64::from(column)) * width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_cover_the_window_and_stand_still_under_panning() {
        let window = Window { start: 1.03, end: 2.03, columns: 10 };
        let edges: Vec<f64> = window.edges().collect();
        assert!(edges[0] <= 1.03 && *edges.last().unwrap() >= 2.03 - 1e-12);
        let moved = Window { start: 1.38, end: 2.38, columns: 10 };
        let shared = moved.edges().filter(|edge| edges.iter().any(|other| (other - edge).abs() < 1e-9)).count();
        assert!(shared >= 7, "{shared}");
    }
}
