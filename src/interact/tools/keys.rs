//! Dragging keys: the selected ones move together by the total pull since the press.

use super::{
    graph_curve::{GraphCurve, Points},
    graph_edits::GraphEdit,
    graph_ops::as_key,
};
use crate::{
    edit::{CurveEdit, CurveRef, Edit, KeyEdit, KeySelection},
    eval::polyline::LinePoint,
    interact::{
        input::ScreenPos,
        plot_view::{PlotView, ValueMap},
        snap::{TimeSnap, value_to_step},
    },
    model::{ClipId, Clock, Key},
};

/// Which way keys may move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisLock {
    /// Both ways.
    #[default]
    Free,
    /// In time only.
    Time,
    /// In value only.
    Value,
    /// The way they were pulled further, points.
    Dominant,
}

/// How a drag is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragRules {
    /// Which way keys may move.
    pub lock: AxisLock,
    /// What times are drawn to.
    pub snap: TimeSnap,
    /// The displayed step values are drawn to; 0 for none.
    pub value_step: f64,
}

/// A key that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyMove {
    /// Its time before, seconds: which key it is.
    pub from: f64,
    /// Its time after, seconds.
    pub to: f64,
    /// Its value after, the channel's own units.
    pub value: f64,
}

/// The keys of one channel that move.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveMoves {
    /// The channel.
    pub curve: CurveRef,
    /// The keys, in order of time.
    pub moves: Vec<KeyMove>,
}

/// The edit that puts keys where they go.
#[must_use]
pub fn place(moves: CurveMoves) -> Edit {
    let keys = moves.moves.iter().map(|key| (key.from, key.to, key.value)).collect();
    KeyEdit::Place { curve: moves.curve, keys }.into()
}

#[derive(Clone, Debug)]
struct DragCurve {
    curve: CurveRef,
    map: ValueMap,
    clock: Clock,
    has_values: bool,
    captured: bool,
    /// Times (the keys' own, seconds) and own values.
    points: Vec<LinePoint>,
    /// The keys themselves, where copies of them are dragged.
    keys: Vec<Key>,
}

/// The drag of the selected keys, as they were at the press.
#[derive(Clone, Debug)]
pub struct KeyDrag {
    curves: Vec<DragCurve>,
    /// Time and displayed value of the key that was grabbed.
    grabbed: LinePoint,
    /// Time and displayed value under the pointer at the press.
    press: LinePoint,
}

impl KeyDrag {
    /// A drag of keys of the curves shown, pressed at a place. `grabbed` is the key (curve and index) that snaps for all;
    /// without one the pointer's own place does. None where none of the keys may be edited.
    #[must_use]
    pub fn new(
        curves: &[GraphCurve],
        clip: ClipId,
        keys: &KeySelection,
        grabbed: Option<(usize, usize)>,
        view: &PlotView,
        press: ScreenPos,
    ) -> Option<Self> {
        let press = [view.secs_at(press[0]), view.value_at(press[1])];
        let grabbed = grabbed.and_then(|(curve, key)| {
            let curve = curves.get(curve)?;
            let [secs, own] = curve.at(key)?;
            Some([secs, curve.map.shown(own)])
        });
        // The lanes of a rotation track are one channel and move once.
        let curves = curves.iter().filter(|curve| curve.editable && curve.lane == 0);
        let dragged = curves.filter_map(|curve| {
            let at = CurveRef { clip, path: curve.path };
            let indices = curve.points.indices_at(keys.times(at));
            let points: Vec<LinePoint> = indices.iter().filter_map(|index| curve.points.get(*index)).collect();
            let captured = matches!(curve.points, Points::Sampled(_));
            let (map, has_values, clock) = (curve.map, curve.has_values, curve.clock.clone());
            let keys = Vec::new();
            (!points.is_empty()).then_some(DragCurve { curve: at, map, clock, has_values, captured, points, keys })
        });
        let curves: Vec<DragCurve> = dragged.collect();
        (!curves.is_empty()).then_some(Self { curves, grabbed: grabbed.unwrap_or(press), press })
    }

    /// A drag of copies, which leaves the keys themselves where they are. None where none of them can be copied.
    #[must_use]
    pub fn of_copies(mut self, curves: &[GraphCurve]) -> Option<Self> {
        for dragged in &mut self.curves {
            let curve = curves.iter().find(|curve| curve.path == dragged.curve.path)?;
            let index = |point: &LinePoint| curve.points.index_at(point[0]);
            dragged.keys = dragged.points.iter().filter_map(|point| as_key(curve, index(point)?)).collect();
        }
        // The numbers of a rotation track are no keys of their own.
        self.curves.retain(|curve| curve.keys.len() == curve.points.len());
        (!self.curves.is_empty()).then_some(self)
    }

    /// The copies' names for a shift, to be selected; none where no copies are dragged.
    #[must_use]
    pub fn copies(&self, shift: [f64; 2], snap: TimeSnap) -> Option<KeySelection> {
        let copying = self.curves.iter().any(|curve| !curve.keys.is_empty());
        let moves = self.moves(shift, snap);
        let keys = moves.iter().flat_map(|moves| moves.moves.iter().map(|key| (moves.curve, key.to)));
        (copying && shift != [0.0; 2]).then(|| keys.collect())
    }

    /// By how much the keys have moved with the pointer at a place: seconds and displayed units.
    #[must_use]
    pub fn shift(&self, view: &PlotView, pos: ScreenPos, rules: DragRules) -> [f64; 2] {
        let mut pull = [view.secs_at(pos[0]) - self.press[0], view.value_at(pos[1]) - self.press[1]];
        let along_time = (pull[0] / view.secs_per_point()).abs() >= (pull[1] / view.value_per_point()).abs();
        match rules.lock {
            AxisLock::Free => {}
            AxisLock::Time => pull[1] = 0.0,
            AxisLock::Value => pull[0] = 0.0,
            AxisLock::Dominant => pull[usize::from(along_time)] = 0.0,
        }
        if rules.value_step > 0.0 && pull[1] != 0.0 {
            pull[1] = value_to_step(self.grabbed[1] + pull[1], rules.value_step) - self.grabbed[1];
        }
        [rules.snap.group_shift(self.grabbed[0], pull[0]), pull[1]]
    }

    /// Where every dragged key goes for a shift of what is shown. Channels whose values cannot be changed move in time only.
    #[must_use]
    pub fn moves(&self, [secs, shown]: [f64; 2], snap: TimeSnap) -> Vec<CurveMoves> {
        let moved = |curve: &DragCurve| {
            // The part of the shift in the channel's own unit, so that a pull of nothing changes no bit.
            let rise = if curve.has_values { shown / curve.map.scale } else { 0.0 };
            let to = |time: f64| curve.clock.moved(time, |shown| snap.shifted(shown, secs));
            let moves = curve.points.iter();
            let moves = moves.map(|[time, own]| KeyMove { from: *time, to: to(*time), value: own + rise });
            CurveMoves { curve: curve.curve, moves: moves.collect() }
        };
        self.curves.iter().map(moved).collect()
    }

    /// The edit for a shift. Captured curves become keys first.
    #[must_use]
    pub fn edit(&self, shift: [f64; 2], snap: TimeSnap) -> GraphEdit {
        let captured = self.curves.iter().filter(|curve| curve.captured).map(|curve| curve.curve);
        let captured: Vec<CurveRef> = captured.collect();
        let converted = captured.len();
        let convert = (converted > 0).then(|| CurveEdit::ConvertToKeys { curves: captured }.into());
        let place = self.curves.iter().zip(self.moves(shift, snap)).map(|(curve, moves)| {
            if curve.keys.is_empty() {
                return place(moves);
            }
            let keys = curve.keys.iter().zip(&moves.moves);
            let keys = keys.map(|(key, to)| Key { time: to.to, value: to.value, ..*key }).collect();
            KeyEdit::Insert { curve: curve.curve, keys }.into()
        });
        GraphEdit { edit: Edit::Batch(convert.into_iter().chain(place).collect()), converted }
    }

    /// Time and displayed value of the grabbed key at the press.
    #[must_use]
    pub const fn grabbed(&self) -> LinePoint {
        self.grabbed
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve, selection, view};
    use super::*;
    use crate::model::FrameRate;

    const FREE: DragRules = DragRules { lock: AxisLock::Free, snap: TimeSnap::Off, value_step: 0.0 };
    const FRAMES: TimeSnap = TimeSnap::Frames(FrameRate::FPS_24);

    fn drag(curves: &[GraphCurve], grabbed: (usize, usize), press: ScreenPos) -> Option<KeyDrag> {
        KeyDrag::new(curves, CLIP, &selection(curves).keys, Some(grabbed), &view(), press)
    }

    fn curves() -> [GraphCurve; 2] {
        let degrees = GraphCurve { map: ValueMap::scale(10.0), ..curve(2, &[(1.0, 0.5), (2.0, 0.1)], &[0, 1]) };
        [curve(1, &[(1.0, 1.0), (3.0, 5.0), (4.0, 2.0)], &[1]), degrees]
    }

    #[test]
    fn all_selected_keys_move_by_the_total_pull_each_in_its_unit() {
        let drag = drag(&curves(), (0, 1), [303.0, 98.0]).unwrap();
        // 50 points right is half a second, 40 points up is 2 displayed units.
        let shift = drag.shift(&view(), [353.0, 58.0], FREE);
        assert!((shift[0] - 0.5).abs() < 1e-12 && (shift[1] - 2.0).abs() < 1e-12);
        let moves = drag.moves(shift, TimeSnap::Off);
        assert_eq!(moves.len(), 2);
        assert!((moves[0].moves[0].to - 3.5).abs() < 1e-12 && (moves[0].moves[0].value - 7.0).abs() < 1e-12);
        assert!((moves[1].moves[1].to - 2.5).abs() < 1e-12 && (moves[1].moves[1].value - 0.3).abs() < 1e-12);
    }

    #[test]
    fn a_hundred_small_moves_are_one_big_one_and_zooming_on_the_way_changes_nothing() {
        let drag = drag(&curves(), (0, 1), [300.0, 100.0]).unwrap();
        let end = [412.5, 33.0];
        let direct = drag.moves(drag.shift(&view(), end, FREE), TimeSnap::Off);
        let mut last = Vec::new();
        for step in 1..=100 {
            let part = f64::from(step) / 100.0;
            let at = [300.0 + (end[0] - 300.0) * part, 100.0 + (end[1] - 100.0) * part];
            last = drag.moves(drag.shift(&view(), at, FREE), TimeSnap::Off);
        }
        assert_eq!(last, direct);
        let mut near = view();
        near.range = near.zoomed(end, 3.0, crate::interact::plot_view::Axes::Both);
        let shift = drag.shift(&near, end, FREE);
        assert!((shift[0] - 1.125).abs() < 1e-12 && (shift[1] - 3.35).abs() < 1e-12);
    }

    #[test]
    fn shift_locks_the_way_pulled_less() {
        let drag = drag(&curves(), (0, 1), [300.0, 100.0]).unwrap();
        let rules = DragRules { lock: AxisLock::Dominant, ..FREE };
        assert_eq!(drag.shift(&view(), [360.0, 110.0], rules)[1], 0.0);
        assert_eq!(drag.shift(&view(), [310.0, 160.0], rules)[0], 0.0);
        assert_eq!(drag.shift(&view(), [360.0, 10.0], DragRules { lock: AxisLock::Time, ..FREE })[1], 0.0);
        assert_eq!(drag.shift(&view(), [360.0, 110.0], DragRules { lock: AxisLock::Value, ..FREE })[0], 0.0);
    }

    #[test]
    fn the_grabbed_key_lands_on_a_frame_and_on_a_step() {
        let keys = [(0.10, 0.0), (0.14, 0.33), (0.23, 0.0)];
        let drag = drag(&[curve(1, &keys, &[0, 1, 2])], (0, 1), [14.0, 193.4]).unwrap();
        let rules = DragRules { snap: FRAMES, value_step: 0.5, ..FREE };
        let shift = drag.shift(&view(), [18.2, 183.0], rules);
        let moved = &drag.moves(shift, FRAMES)[0].moves;
        assert_eq!(moved[1].to, FrameRate::FPS_24.secs(4));
        assert!((moved[1].value - 1.0).abs() < 1e-12 && (moved[0].value - 0.67).abs() < 1e-12);
        assert!((moved[1].to - moved[0].to - 0.04).abs() < 1e-9 && (moved[2].to - moved[1].to - 0.09).abs() < 1e-9);
    }

    #[test]
    fn locked_curves_and_tracks_keep_still_or_keep_their_values() {
        let locked = GraphCurve { editable: false, ..curve(1, &[(1.0, 1.0)], &[0]) };
        assert!(drag(&[locked], (0, 0), [0.0, 0.0]).is_none());
        let points = super::super::graph_curve::Points::Track([[1.0, 0.2], [2.0, 0.4]].into());
        let track = GraphCurve { points, has_values: false, ..curve(1, &[], &[1]) };
        let lanes = [track.clone(), GraphCurve { lane: 1, ..track }];
        let drag = drag(&lanes, (0, 1), [200.0, 192.0]).unwrap();
        let moves = drag.moves([1.0, 5.0], TimeSnap::Off);
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0].moves, [KeyMove { from: 2.0, to: 3.0, value: 0.4 }]);
    }
}
