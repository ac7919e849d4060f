//! What the graph does to keys, as edits. Captured curves among those touched are turned into keys first.

use super::{
    graph_curve::{GraphCurve, Points},
    keys::{CurveMoves, KeyMove, place},
};
use crate::{
    edit::{CurveEdit, CurveRef, Edit, HandleEdit, HandleKind, KeyEdit, KeySelection},
    interact::plot_view::ValueMap,
    model::{ClipId, EaseShape, Extrapolation, Interpolation},
};

/// An edit and how many captured curves it turns into keys.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphEdit {
    /// The edit.
    pub edit: Edit,
    /// How many captured curves become keys by it: the user is told.
    pub converted: usize,
}

/// The curves shown, and the keys among them that are selected and may be edited.
#[derive(Clone, Copy, Debug)]
pub struct Editing<'a> {
    /// The curves shown.
    pub curves: &'a [GraphCurve],
    /// The clip they are of.
    pub clip: ClipId,
}

impl Editing<'_> {
    /// Puts the conversion of captured curves before an edit that touches some channels.
    #[must_use]
    pub fn with_conversion(&self, touched: &[CurveRef], edit: Edit) -> GraphEdit {
        let captured = |curve: &&GraphCurve| curve.lane == 0 && matches!(curve.points, Points::Sampled(_));
        let curves = self.curves.iter().filter(captured).map(|curve| self.at(curve));
        let curves: Vec<CurveRef> = curves.filter(|curve| touched.contains(curve)).collect();
        let converted = curves.len();
        if converted == 0 {
            return GraphEdit { edit, converted };
        }
        GraphEdit { edit: Edit::Batch(vec![CurveEdit::ConvertToKeys { curves }.into(), edit]), converted }
    }

    /// An edit of keys.
    fn of_keys(&self, keys: &KeySelection, edit: Edit) -> GraphEdit {
        let touched: Vec<CurveRef> = keys.curves().map(|(curve, _)| curve).collect();
        self.with_conversion(&touched, edit)
    }

    /// The name of a curve's channel in the clip.
    #[must_use]
    pub const fn at(&self, curve: &GraphCurve) -> CurveRef {
        CurveRef { clip: self.clip, path: curve.path }
    }

    /// The selected keys of curves that are shown and may be edited; only those with values where asked for.
    #[must_use]
    pub fn selected(&self, with_values: bool) -> KeySelection {
        let curves = self.curves.iter().filter(|curve| curve.editable && curve.lane == 0);
        let curves = curves.filter(|curve| curve.has_values || !with_values);
        let keys = curves.flat_map(|curve| {
            let at = self.at(curve);
            curve.selected.iter().filter_map(move |index| Some((at, curve.points.get(*index)?[0])))
        });
        keys.collect()
    }

    /// Deletes the selected keys; none where there are none.
    #[must_use]
    pub fn delete(&self) -> Option<GraphEdit> {
        let keys = self.some_selected(false)?;
        Some(self.of_keys(&keys, KeyEdit::Delete { keys: keys.clone() }.into()))
    }

    /// Sets how the segments after the selected keys run.
    #[must_use]
    pub fn interpolate(&self, interpolation: Interpolation) -> Option<GraphEdit> {
        let keys = self.some_selected(false)?;
        Some(self.of_keys(&keys, KeyEdit::SetInterpolation { keys: keys.clone(), interpolation }.into()))
    }

    /// Sets the kind of the selected keys' handles.
    #[must_use]
    pub fn handles(&self, kind: HandleKind) -> Option<GraphEdit> {
        let keys = self.some_selected(true)?;
        Some(self.of_keys(&keys, HandleEdit::SetKind { keys: keys.clone(), kind }.into()))
    }

    /// Gives the segments after the selected keys an ease.
    #[must_use]
    pub fn ease(&self, interpolation: Interpolation, ease: EaseShape) -> Option<GraphEdit> {
        let keys = self.some_selected(true)?;
        let edit = KeyEdit::SetEase { keys: keys.clone(), interpolation: Some(interpolation), ease };
        Some(self.of_keys(&keys, edit.into()))
    }

    /// Sets tension, continuity or bias of the selected keys; what is none stays.
    #[must_use]
    pub fn shape(&self, [tension, continuity, bias]: [Option<f64>; 3]) -> Option<GraphEdit> {
        let keys = self.some_selected(true)?;
        Some(self.of_keys(&keys, KeyEdit::SetShape { keys: keys.clone(), tension, continuity, bias }.into()))
    }

    /// Sets what curves do before and after their keys; what is none stays. Captured and rotation curves hold their ends
    /// and are passed over.
    #[must_use]
    pub fn extrapolate(
        &self,
        which: impl Fn(&GraphCurve) -> bool,
        pre: Option<Extrapolation>,
        post: Option<Extrapolation>,
    ) -> Option<GraphEdit> {
        let keyed = |curve: &&GraphCurve| curve.editable && matches!(curve.points, Points::Keyed(_)) && which(curve);
        let curves: Vec<CurveRef> = self.curves.iter().filter(keyed).map(|curve| self.at(curve)).collect();
        let edit = CurveEdit::Extrapolation { curves, pre, post };
        let CurveEdit::Extrapolation { curves, .. } = &edit else { return None };
        (!curves.is_empty()).then_some(GraphEdit { edit: edit.into(), converted: 0 })
    }

    /// Gives every selected key another time and value: `change` gets the time at which it is shown (seconds) and its
    /// value in displayed units, whatever the height it is drawn at, and says both; none where it refuses one.
    #[must_use]
    pub fn change(&self, change: impl Fn(f64, f64) -> Option<(f64, f64)>) -> Option<GraphEdit> {
        self.change_in(|curve| curve.unit, change)
    }

    /// Moves every selected key: to the time that `time` makes of its own, seconds as shown, and up by a step of what is drawn.
    #[must_use]
    pub fn nudge(&self, time: impl Fn(f64) -> f64, rise: f64) -> Option<GraphEdit> {
        self.change_in(|curve| curve.map, |secs, drawn| Some((time(secs), drawn + rise)))
    }

    fn change_in(
        &self,
        map: impl Fn(&GraphCurve) -> ValueMap,
        change: impl Fn(f64, f64) -> Option<(f64, f64)>,
    ) -> Option<GraphEdit> {
        let mut moves = Vec::new();
        for curve in self.curves.iter().filter(|curve| curve.editable && curve.lane == 0 && !curve.selected.is_empty())
        {
            let mut of_curve = CurveMoves { curve: self.at(curve), moves: Vec::with_capacity(curve.selected.len()) };
            for index in curve.selected.iter() {
                let [from, own] = curve.points.get(*index)?;
                let at = curve.clock.shown(from);
                let map = map(curve);
                let (to, shown) = change(at, map.shown(own))?;
                let to = if to == at { from } else { curve.clock.source(to) };
                // A value that stays keeps every bit, whatever the unit does to it.
                let stays = !curve.has_values || shown == map.shown(own);
                let value = if stays { own } else { map.own(shown) };
                of_curve.moves.push(KeyMove { from, to, value });
            }
            moves.push(of_curve);
        }
        let touched: Vec<CurveRef> = moves.iter().map(|moves| moves.curve).collect();
        let edit = Edit::Batch(moves.into_iter().map(place).collect());
        (!touched.is_empty()).then(|| self.with_conversion(&touched, edit))
    }

    fn some_selected(&self, with_values: bool) -> Option<KeySelection> {
        Some(self.selected(with_values)).filter(|keys| !keys.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve};
    use super::*;

    #[test]
    fn a_nudge_raises_all_keys_by_the_same_height_whatever_their_curves_are_drawn_with() {
        // One curve is drawn far higher than the other, as when all are shown at one height.
        let wide =
            GraphCurve { map: ValueMap { scale: 0.5, offset: -1.0 }, ..curve(1, &[(0.0, 0.0), (1.0, 4.0)], &[1]) };
        let tall = ValueMap { scale: 64.0, offset: 3.0 };
        let narrow = GraphCurve { map: tall, ..curve(2, &[(0.0, 0.0), (1.0, 0.04)], &[0]) };
        let curves = [wide, narrow];
        let editing = Editing { curves: &curves, clip: CLIP };
        let Some(GraphEdit { edit: Edit::Batch(made), converted: 0 }) = editing.nudge(|secs| secs + 1.0, 0.25) else {
            panic!("two curves have keys to move")
        };
        let wanted = [(0, 1.0, 4.5), (1, 0.0, 0.003_906_25)].map(|(index, from, value): (usize, f64, f64)| {
            let moves = vec![KeyMove { from, to: from + 1.0, value }];
            place(CurveMoves { curve: editing.at(&curves[index]), moves })
        });
        assert_eq!(made.len(), 2);
        for (made, wanted) in made.iter().zip(&wanted) {
            assert_eq!(made, wanted);
        }
        let still = editing.nudge(|secs| secs, 0.0).unwrap();
        let kept = [(0, 1.0, 4.0), (1, 0.0, 0.0)].map(|(index, from, value): (usize, f64, f64)| {
            place(CurveMoves { curve: editing.at(&curves[index]), moves: vec![KeyMove { from, to: from, value }] })
        });
        assert_eq!(still.edit, Edit::Batch(kept.to_vec()), "a value that stays keeps every bit");
    }
}
