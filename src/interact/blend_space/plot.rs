//! The picture of a space: where points of it lie on the panel, and what lies under the pointer.
//!
//! A space of two axes is its plane, in which both count alike where they have one unit. One of one axis has the axis to the right and weights upwards, its samples on the line
//! of weight 0. Of one without axes nothing is seen but the samples' weights, each at its number.

use crate::{
    interact::plot_view::{PlotRange, PlotRect, PlotView},
    model::BlendSpace,
};

/// Room beyond the ends of an axis, as a part of it.
const MARGIN: f64 = 0.08;
/// What is seen of weights in a space of one axis.
const WEIGHTS: (f64, f64) = (-0.14, 1.1);

/// How many times as much of an axis as asked for is seen at most, for its scale to be that of the other.
const WIDENED: f64 = 8.0;

/// How near the pointer must be to a sample, points.
const SAMPLE_PT: f64 = 10.0;
/// How near it must be to the point that plays.
const POINT_PT: f64 = 10.0;
/// How near it must be to an edge.
const EDGE_PT: f64 = 5.0;

/// What lies under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// A sample, by its place in the list.
    Sample(usize),
    /// The point that plays.
    Point,
    /// An edge between two samples.
    Edge([usize; 2]),
}

/// A space laid on a rectangle of the panel.
#[derive(Clone, Copy, Debug)]
pub struct SpacePlot<'a> {
    /// The space.
    pub space: &'a BlendSpace,
    /// Which part of it, and where.
    pub view: PlotView,
}

/// The part of the plane in which all of a space lies: its axes' ranges and its samples.
#[must_use]
pub fn whole(space: &BlendSpace) -> PlotRange {
    let around = |axis: usize| {
        let [from, to] = space.axes[axis].range;
        let places = space.samples.iter().map(|sample| sample.at[axis]);
        let (low, high) = places.fold((from.min(to), from.max(to)), |(low, high), v| (low.min(v), high.max(v)));
        let room = MARGIN * (high - low);
        (low - room, high + room)
    };
    let upwards = if space.scheme.axes() == 2 { around(1) } else { WEIGHTS };
    PlotRange::new(around(0), upwards)
}

/// A range of the plane with more of one axis, so that both have one scale on a rectangle; as it is where that would make one of
/// them too small to be seen.
fn even(range: PlotRange, rect: PlotRect) -> PlotRange {
    let scales = [range.secs.length() / rect.width, range.values.length() / rect.height];
    let most = scales[0].max(scales[1]);
    if !(most <= WIDENED * scales[0].min(scales[1])) {
        return range;
    }
    let around = |middle: f64, points: f64| (middle - 0.5 * most * points, middle + 0.5 * most * points);
    PlotRange::new(around(range.secs.middle(), rect.width), around(range.values.middle(), rect.height))
}

impl<'a> SpacePlot<'a> {
    /// A space on a rectangle, seen whole or in part.
    #[must_use]
    pub fn new(space: &'a BlendSpace, seen: Option<PlotRange>, rect: PlotRect) -> Self {
        let range = seen.unwrap_or_else(|| whole(space));
        let [across, up] = &space.axes;
        let alike = space.scheme.axes() == 2 && across.unit == up.unit;
        Self { space, view: PlotView::new(if alike { even(range, rect) } else { range }, rect) }
    }

    /// Where a point along the axes lies on the panel.
    #[must_use]
    pub fn place(&self, at: [f64; 2]) -> [f64; 2] {
        let up = if self.space.scheme.axes() == 2 { at[1] } else { 0.0 };
        [self.view.x(at[0]), self.view.y(up)]
    }

    /// The point along the axes at a place of the panel; a space of one axis keeps the second coordinate of `otherwise`.
    #[must_use]
    pub fn at(&self, [x, y]: [f64; 2], otherwise: [f64; 2]) -> [f64; 2] {
        let up = if self.space.scheme.axes() == 2 { self.view.value_at(y) } else { otherwise[1] };
        [self.view.secs_at(x), up]
    }

    /// What lies at a place: the chosen sample before the point, the point before other samples, samples before edges.
    #[must_use]
    pub fn under(
        &self,
        pointer: [f64; 2],
        point: [f64; 2],
        chosen: Option<usize>,
        edges: &[[usize; 2]],
    ) -> Option<Under> {
        let far = |at: [f64; 2]| {
            let [x, y] = self.place(at);
            (x - pointer[0]).hypot(y - pointer[1])
        };
        let of = |index: usize| self.space.samples.get(index).map_or(f64::INFINITY, |sample| far(sample.at));
        if let Some(index) = chosen.filter(|index| of(*index) <= SAMPLE_PT) {
            return Some(Under::Sample(index));
        }
        let to_point = match self.space.scheme.axes() {
            0 => f64::INFINITY,
            // It is a line from bottom to top there.
            1 => (self.view.x(point[0]) - pointer[0]).abs(),
            _ => far(point),
        };
        let nearest = (0..self.space.samples.len()).min_by(|a, b| of(*a).total_cmp(&of(*b)));
        let sample = nearest.filter(|index| of(*index) <= SAMPLE_PT);
        // Where the point is a line, a sample beneath it can still be taken.
        if let Some(index) = sample.filter(|_| self.space.scheme.axes() == 1) {
            return Some(Under::Sample(index));
        }
        if to_point <= POINT_PT {
            return Some(Under::Point);
        }
        if let Some(index) = sample {
            return Some(Under::Sample(index));
        }
        let ends = |edge: &[usize; 2]| {
            let [a, b] = edge.map(|end| self.space.samples.get(end).map(|sample| self.place(sample.at)));
            Some((a?, b?))
        };
        let far_from = |edge: &[usize; 2]| ends(edge).map_or(f64::INFINITY, |(a, b)| to_segment(pointer, a, b));
        let edge = edges.iter().min_by(|a, b| far_from(a).total_cmp(&far_from(b)));
        edge.filter(|edge| far_from(edge) <= EDGE_PT).map(|edge| Under::Edge(*edge))
    }
}

/// The distance of a place from a segment.
fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let part = if length > 0.0 {
        (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (p[0] - a[0] - part * along[0]).hypot(p[1] - a[1] - part * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axis, BlendScheme, ClipId, Plays, SpaceSample};

    fn space(scheme: BlendScheme) -> BlendSpace {
        let axis = |name: &str| Axis::new(name, "m/s", [0.0, 10.0]);
        let mut space = BlendSpace { scheme, ..BlendSpace::new("s", [axis("x"), axis("y")]) };
        space.samples =
            [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]].map(|at| SpaceSample::new(Plays::Clip(ClipId(1)), at)).into();
        space
    }

    const RECT: PlotRect = PlotRect { left: 10.0, top: 20.0, width: 580.0, height: 290.0 };

    #[test]
    fn the_plane_is_seen_whole_and_places_are_inverse() {
        let space = space(BlendScheme::Delaunay);
        let plot = SpacePlot::new(&space, None, RECT);
        for sample in &space.samples {
            let place = plot.place(sample.at);
            assert!(RECT.contains(place));
            let back = plot.at(place, [0.0; 2]);
            assert!((back[0] - sample.at[0]).hypot(back[1] - sample.at[1]) < 1e-9);
        }
    }

    #[test]
    fn axes_of_one_unit_have_one_scale_and_zooming_keeps_it() {
        let mut space = space(BlendScheme::Delaunay);
        let steps = |plot: &SpacePlot<'_>| {
            let [from, right, up] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|at| plot.place(at));
            (right[0] - from[0], from[1] - up[1])
        };
        let plot = SpacePlot::new(&space, None, RECT);
        let (x, y) = steps(&plot);
        assert!((x - y).abs() < 1e-9 && x > 0.0);
        let nearer = plot.view.zoomed([100.0, 100.0], 3.0, crate::interact::plot_view::Axes::Both);
        let (x, y) = steps(&SpacePlot::new(&space, Some(nearer), RECT));
        assert!((x - y).abs() < 1e-9 * x);
        // Degrees and metres are not to be compared, nor is a line what is asked for.
        space.axes[1].unit = "deg/s".to_owned();
        let (x, y) = steps(&SpacePlot::new(&space, None, RECT));
        assert!((x - 2.0 * y).abs() < 1e-9);
        space.axes[1] = Axis::new("y", "m/s", [0.0, 1e9]);
        let plot = SpacePlot::new(&space, None, RECT);
        assert!(
            RECT.contains(plot.place([10.0, 0.0])) && plot.place([10.0, 0.0])[0] > plot.place([0.0, 0.0])[0] + 100.0
        );
    }

    #[test]
    fn what_is_chosen_is_taken_first_and_edges_last() {
        let space = space(BlendScheme::Delaunay);
        let plot = SpacePlot::new(&space, None, RECT);
        let edges = [[0, 1], [1, 2], [2, 0]];
        let at = |at: [f64; 2]| plot.place(at);
        assert_eq!(plot.under(at([10.0, 0.0]), [5.0, 5.0], None, &edges), Some(Under::Sample(1)));
        assert_eq!(plot.under(at([10.0, 0.0]), [10.0, 0.0], None, &edges), Some(Under::Point));
        assert_eq!(plot.under(at([10.0, 0.0]), [10.0, 0.0], Some(1), &edges), Some(Under::Sample(1)));
        assert_eq!(plot.under(at([5.0, 0.0]), [9.0, 9.0], None, &edges), Some(Under::Edge([0, 1])));
        assert_eq!(plot.under(at([3.0, 3.0]), [9.0, 9.0], None, &edges), None);
        assert_eq!(plot.under(at([3.0, 3.0]), [f64::NAN; 2], Some(99), &[[7, 9]]), None);
    }

    #[test]
    fn along_one_axis_the_point_is_a_line() {
        let mut space = space(BlendScheme::Linear);
        space.samples.truncate(2);
        let plot = SpacePlot::new(&space, None, RECT);
        let [x, y] = plot.place([5.0, 3.0]);
        assert_eq!(plot.under([x, y - 100.0], [5.0, 3.0], None, &[]), Some(Under::Point));
        assert_eq!(plot.under(plot.place([0.0, 0.0]), [0.0, 0.0], None, &[]), Some(Under::Sample(0)));
        assert_eq!(plot.at([x, y], [1.0, 3.0])[1], 3.0);
        assert!(to_segment([0.0, 1.0], [0.0, 0.0], [0.0, 0.0]) == 1.0);
    }
}
