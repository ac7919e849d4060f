//! Scaling the selected keys in time by the ends of a bar above them.

use super::{
    graph_curve::GraphCurve,
    graph_edits::{Editing, GraphEdit},
};
use crate::{
    interact::{input::ScreenPos, plot_view::PlotView, snap::TimeSnap},
    model::ClipId,
};

/// Height of the bar along the plot's upper edge, points.
pub const BAR_PT: f64 = 9.0;
/// How far from an end of the bar the pointer still has it, points.
const END_RADIUS_PT: f64 = 7.0;
/// Ends nearer than this are not offered: there is nothing to take hold of, points.
const LEAST_PT: f64 = 20.0;

/// An end of the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarEnd {
    /// At the first selected key.
    First,
    /// At the last.
    Last,
}

/// When the first and the last selected key that may be edited are shown, seconds, where they differ.
#[must_use]
pub fn selected_span(curves: &[GraphCurve]) -> Option<(f64, f64)> {
    let editable = curves.iter().filter(|curve| curve.editable);
    let ends = editable.filter_map(|curve| {
        let at = |index: &usize| Some(curve.at(*index)?[0]);
        Some((at(curve.selected.first()?)?, at(curve.selected.last()?)?))
    });
    let span = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    (span.0 < span.1).then_some(span)
}

/// The end of the bar under the pointer.
#[must_use]
pub fn hit_bar(curves: &[GraphCurve], view: &PlotView, pos: ScreenPos) -> Option<BarEnd> {
    if !(view.rect.top..=view.rect.top + BAR_PT).contains(&pos[1]) {
        return None;
    }
    let (first, last) = selected_span(curves)?;
    let (left, right) = (view.x(first), view.x(last));
    if right - left < LEAST_PT {
        return None;
    }
    let near = |x: f64| (pos[0] - x).abs() <= END_RADIUS_PT;
    near(left).then_some(BarEnd::First).or_else(|| near(right).then_some(BarEnd::Last))
}

/// A drag of one end, with the curves as they were at the press.
#[derive(Clone, Debug)]
pub struct ScaleDrag {
    curves: Vec<GraphCurve>,
    clip: ClipId,
    /// The time that stays and the one that was taken hold of, seconds.
    pivot: f64,
    grabbed: f64,
    press_secs: f64,
}

impl ScaleDrag {
    /// A drag of an end pressed at a place. None where no keys are selected.
    #[must_use]
    pub fn new(curves: &[GraphCurve], clip: ClipId, end: BarEnd, view: &PlotView, press: ScreenPos) -> Option<Self> {
        let (first, last) = selected_span(curves)?;
        let (pivot, grabbed) = if end == BarEnd::First { (last, first) } else { (first, last) };
        Some(Self { curves: curves.to_vec(), clip, pivot, grabbed, press_secs: view.secs_at(press[0]) })
    }

    /// The factor for the pointer at a place: the end that is held lands on an allowed time. Never 0: an end dragged onto
    /// the other stays a frame, or a hair, away.
    #[must_use]
    pub fn factor(&self, view: &PlotView, pos: ScreenPos, snap: TimeSnap) -> f64 {
        let pulled = view.secs_at(pos[0]) - self.press_secs;
        let length = self.grabbed - self.pivot;
        let to = self.grabbed + snap.group_shift(self.grabbed, pulled);
        let factor = (to - self.pivot) / length;
        let least = match snap {
            TimeSnap::Off => 1e-3,
            TimeSnap::Frames(rate) => (rate.frame_secs() / length).abs().min(1.0),
        };
        if factor.abs() < least { least.copysign(factor) } else { factor }
    }

    /// The edit for a factor; the keys between go onto frames where times do.
    #[must_use]
    pub fn edit(&self, factor: f64, snap: TimeSnap) -> Option<GraphEdit> {
        let frames = !matches!(snap, TimeSnap::Off);
        Editing { curves: &self.curves, clip: self.clip }.scale_time(self.pivot, factor, frames)
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve, view};
    use super::*;
    use crate::model::FrameRate;

    fn curves() -> [GraphCurve; 2] {
        [curve(1, &[(1.0, 0.0), (2.0, 1.0), (9.0, 0.0)], &[0, 1]), curve(2, &[(3.0, 0.0)], &[0])]
    }

    #[test]
    fn the_bar_spans_the_selection() {
        assert_eq!(selected_span(&curves()), Some((1.0, 3.0)));
        assert_eq!(hit_bar(&curves(), &view(), [103.0, 4.0]), Some(BarEnd::First));
        assert_eq!(hit_bar(&curves(), &view(), [296.0, 4.0]), Some(BarEnd::Last));
        assert_eq!(hit_bar(&curves(), &view(), [200.0, 4.0]), None);
        assert_eq!(hit_bar(&curves(), &view(), [103.0, 40.0]), None);
        assert_eq!(hit_bar(&[curve(1, &[(1.0, 0.0)], &[0])], &view(), [100.0, 4.0]), None);
    }

    #[test]
    fn the_other_end_stays_and_the_held_one_snaps() {
        let drag = ScaleDrag::new(&curves(), CLIP, BarEnd::Last, &view(), [302.0, 4.0]).unwrap();
        assert!((drag.factor(&view(), [402.0, 4.0], TimeSnap::Off) - 1.5).abs() < 1e-12);
        let frames = TimeSnap::Frames(FrameRate::FPS_24);
        assert!((drag.factor(&view(), [403.0, 4.0], frames) - 1.5).abs() < 1e-12);
        assert!(drag.factor(&view(), [102.0, 4.0], frames).abs() > 0.0);
        assert!(drag.factor(&view(), [2.0, 4.0], frames) < 0.0, "past the other end it mirrors");
        assert!(drag.edit(1.5, frames).is_some());
    }
}
