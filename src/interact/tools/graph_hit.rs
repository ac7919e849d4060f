//! What the pointer is over in the graph. Areas are in points and larger than what is drawn.

use super::{
    graph_curve::{GraphCurve, Side},
    graph_scale::{BarEnd, hit_bar},
};
use crate::interact::{
    input::{ScreenPos, distance},
    plot_view::PlotView,
};
use std::cmp::Ordering;

/// How far from a key the pointer still has it, points.
pub const KEY_RADIUS_PT: f64 = 7.0;
/// How far from a handle's end.
pub const HANDLE_RADIUS_PT: f64 = 6.0;
/// How far from a curve.
pub const CURVE_RADIUS_PT: f64 = 4.0;
/// Keys closer together than this on average are drawn as a line only and cannot be picked one by one, points.
pub const KEY_SPACING_PT: f64 = 3.0;

/// What the pointer is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphHit {
    /// The paper.
    #[default]
    Nothing,
    /// An end of the bar over the selected keys.
    Bar(BarEnd),
    /// A curve, by its index among those shown.
    Curve(usize),
    /// A key or a sample.
    Key {
        /// The curve's index.
        curve: usize,
        /// The key's.
        key: usize,
    },
    /// A handle of a key.
    Handle {
        /// The curve's index.
        curve: usize,
        /// The key's.
        key: usize,
        /// Before or after the key.
        side: Side,
    },
}

impl GraphHit {
    /// The curve's index, where it is on one.
    #[must_use]
    pub const fn curve(self) -> Option<usize> {
        match self {
            Self::Nothing | Self::Bar(_) => None,
            Self::Curve(curve) | Self::Key { curve, .. } | Self::Handle { curve, .. } => Some(curve),
        }
    }
}

/// Whether a curve's points are far enough apart to be drawn and picked one by one.
#[must_use]
pub fn points_show(curve: &GraphCurve, view: &PlotView) -> bool {
    let range = &view.range.secs;
    let count = curve.between(range.low(), range.high()).len();
    count as f64 * KEY_SPACING_PT <= view.rect.width || count <= 1
}

/// What is under the pointer. Keys win over handles at the same place (a handle of no length stays out of the way), both
/// over curves; selected keys win over others, then the nearer, then the one drawn last.
#[must_use]
pub fn hit(curves: &[GraphCurve], view: &PlotView, pos: ScreenPos) -> GraphHit {
    hit_within(curves, view, pos, CURVE_RADIUS_PT)
}

/// [`hit`] with another reach for curves, points.
#[must_use]
pub fn hit_within(curves: &[GraphCurve], view: &PlotView, pos: ScreenPos, reach: f64) -> GraphHit {
    if !view.rect.contains(pos) {
        return GraphHit::Nothing;
    }
    if let Some(end) = hit_bar(curves, view, pos) {
        return GraphHit::Bar(end);
    }
    let points = curves.iter().enumerate().filter_map(|(index, curve)| hit_points(index, curve, view, pos));
    if let Some(best) = points.min_by(Candidate::order) {
        return best.hit;
    }
    let lines = curves.iter().enumerate().filter_map(|(index, curve)| {
        let gap = distance_to_line(curve, view, pos, reach)?;
        (gap <= reach).then_some((gap, index))
    });
    // Of equal ones the last drawn, which lies on top.
    let nearest = lines.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    nearest.map_or(GraphHit::Nothing, |(_, index)| GraphHit::Curve(index))
}

struct Candidate {
    hit: GraphHit,
    /// 0 before 1: selected keys, handles, other keys.
    rank: u8,
    gap: f64,
}

impl Candidate {
    fn order(a: &Self, b: &Self) -> Ordering {
        let curve = |hit: GraphHit| hit.curve().unwrap_or(0);
        a.rank.cmp(&b.rank).then(a.gap.total_cmp(&b.gap)).then(curve(b.hit).cmp(&curve(a.hit)))
    }
}

/// The best of a curve's keys and handles.
fn hit_points(index: usize, curve: &GraphCurve, view: &PlotView, pos: ScreenPos) -> Option<Candidate> {
    let show = points_show(curve, view);
    let reach = KEY_RADIUS_PT * view.secs_per_point();
    let secs = view.secs_at(pos[0]);
    let near = curve.between(secs - reach, secs + reach);
    let selected = {
        let (from, to) = (curve.selected.partition_point(|i| *i < near.start), near.end);
        curve.selected[from..].iter().copied().take_while(move |i| *i < to)
    };
    let key = |key: usize| {
        let gap = distance(curve.place(view, key)?, pos);
        let rank = if curve.is_selected(key) { 0 } else { 2 };
        (gap <= KEY_RADIUS_PT).then_some(Candidate { hit: GraphHit::Key { curve: index, key }, rank, gap })
    };
    let handles = curve.handles.iter().filter_map(|handle| {
        let gap = distance(curve.handle_place(view, handle)?, pos);
        let hit = GraphHit::Handle { curve: index, key: handle.key, side: handle.side };
        (gap <= HANDLE_RADIUS_PT).then_some(Candidate { hit, rank: 1, gap })
    });
    let others = if show { near } else { 0..0 };
    selected.chain(others).filter_map(key).chain(handles).min_by(Candidate::order)
}

/// The distance to a curve's drawn line, points; none where it is nowhere near in time.
fn distance_to_line(curve: &GraphCurve, view: &PlotView, pos: ScreenPos, reach: f64) -> Option<f64> {
    let reach = 2.0 * reach * view.secs_per_point();
    let secs = view.secs_at(pos[0]);
    let from = curve.line.partition_point(|point| point[0] < secs - reach).saturating_sub(1);
    let to = curve.line.partition_point(|point| point[0] <= secs + reach).saturating_add(1).min(curve.line.len());
    let place = |point: &[f64; 2]| [view.x(point[0]), view.y(curve.map.shown(point[1]))];
    let segments = curve.line.get(from..to)?.windows(2);
    segments.map(|pair| to_segment(pos, place(&pair[0]), place(&pair[1]))).min_by(f64::total_cmp)
}

/// The distance from a place to a segment.
fn to_segment(at: ScreenPos, a: ScreenPos, b: ScreenPos) -> f64 {
    let (along, from) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
    let length = along[0].mul_add(along[0], along[1] * along[1]);
    let u = if length > 0.0 { (along[0].mul_add(from[0], along[1] * from[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    distance(at, [along[0].mul_add(u, a[0]), along[1].mul_add(u, a[1])])
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::{
        HandlePoint,
        tests::{curve, view},
    };
    use super::*;
    use std::sync::Arc;

    /// The keys of `curve` lie at (100, 180), (300, 100), (305, 102).
    const KEYS: [(f64, f64); 3] = [(1.0, 1.0), (3.0, 5.0), (3.05, 4.9)];

    #[test]
    fn keys_are_found_within_their_radius_and_before_curves() {
        let curves = [curve(1, &KEYS, &[])];
        assert_eq!(hit(&curves, &view(), [104.0, 184.0]), GraphHit::Key { curve: 0, key: 0 });
        assert_eq!(hit(&curves, &view(), [106.0, 186.0]), GraphHit::Nothing);
        assert_eq!(hit(&curves, &view(), [200.0, 142.0]), GraphHit::Curve(0));
        assert_eq!(hit(&curves, &view(), [200.0, 147.0]), GraphHit::Nothing);
        assert_eq!(hit(&curves, &view(), [-3.0, 180.0]), GraphHit::Nothing);
    }

    #[test]
    fn the_nearer_key_wins_but_a_selected_one_first() {
        assert_eq!(hit(&[curve(1, &KEYS, &[])], &view(), [304.0, 102.0]), GraphHit::Key { curve: 0, key: 2 });
        assert_eq!(hit(&[curve(1, &KEYS, &[1])], &view(), [304.0, 102.0]), GraphHit::Key { curve: 0, key: 1 });
        let two = [curve(1, &KEYS, &[]), curve(2, &KEYS, &[])];
        assert_eq!(hit(&two, &view(), [300.0, 100.0]), GraphHit::Key { curve: 1, key: 1 });
        let two = [curve(1, &KEYS, &[1]), curve(2, &KEYS, &[])];
        assert_eq!(hit(&two, &view(), [300.0, 100.0]), GraphHit::Key { curve: 0, key: 1 });
        assert_eq!(hit(&[curve(1, &KEYS, &[]), curve(2, &KEYS, &[])], &view(), [200.0, 140.0]), GraphHit::Curve(1));
    }

    #[test]
    fn handles_lie_between_their_own_key_and_other_keys() {
        let mut shaped = curve(1, &KEYS, &[1]);
        shaped.handles = Arc::new([
            HandlePoint { key: 1, side: Side::In, offset: (-0.5, 0.0) },
            HandlePoint { key: 1, side: Side::Out, offset: (0.0, 0.0) },
        ]);
        let curves = [shaped];
        assert_eq!(hit(&curves, &view(), [252.0, 103.0]), GraphHit::Handle { curve: 0, key: 1, side: Side::In });
        assert_eq!(hit(&curves, &view(), [300.0, 100.0]), GraphHit::Key { curve: 0, key: 1 });
    }

    #[test]
    fn crowded_keys_cannot_be_picked_unless_selected() {
        let keys: Vec<(f64, f64)> = (0..5_000).map(|i| (f64::from(i) * 0.002, 0.0)).collect();
        assert_eq!(hit(&[curve(1, &keys, &[])], &view(), [500.0, 200.0]), GraphHit::Curve(0));
        assert_eq!(hit(&[curve(1, &keys, &[2_500])], &view(), [500.0, 200.0]), GraphHit::Key { curve: 0, key: 2_500 });
    }
}
