//! Operations on the values of selected keys: between their neighbours, about their line, along a chain of joints.

use super::{
    graph_curve::{GraphCurve, Points},
    graph_edits::{Editing, GraphEdit},
    keys::{CurveMoves, KeyMove, place},
};
use crate::{
    edit::{CurveEdit, CurveRef, Edit, KeyEdit},
    eval::{
        curve::{
            convert::{KeyForm, bake, to_form, to_scheme},
            value,
        },
        polyline::LinePoint,
    },
    math::spline::chebyshev_nodes,
    model::{Curve, FrameRate, KeyedCurve, Modifier, ScalarCurve, Scheme, Target},
};
use std::sync::Arc;

/// What the tween slider does with the selected keys, by an amount of -1..1 (further is allowed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tween {
    /// Puts keys between the ones before and after: -1 is the one before, 1 the one after.
    #[default]
    Breakdown,
    /// Pulls keys to the line of their neighbours (negative) or pushes them away from it.
    PushPull,
    /// Blends what is there with the key before (negative) or after (positive).
    Blend,
    /// Places keys on an ease between their neighbours: negative starts slowly, positive ends slowly.
    Ease,
}

impl Tween {
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Breakdown, Self::PushPull, Self::Blend, Self::Ease];

    /// The text key of its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Breakdown => "graph.tween_breakdown",
            Self::PushPull => "graph.tween_push",
            Self::Blend => "graph.tween_blend",
            Self::Ease => "graph.tween_ease",
        }
    }

    /// A key's value after it: from itself and the unselected keys around it.
    fn value(self, [time, own]: LinePoint, left: LinePoint, right: LinePoint, amount: f64) -> f64 {
        let part = if right[0] > left[0] { (time - left[0]) / (right[0] - left[0]) } else { 0.5 };
        let line = (right[1] - left[1]).mul_add(part, left[1]);
        match self {
            Self::Breakdown => (right[1] - left[1]).mul_add(f64::midpoint(1.0, amount), left[1]),
            Self::PushPull => (own - line).mul_add(1.0 + amount, line),
            Self::Blend if amount < 0.0 => (left[1] - own).mul_add(-amount, own),
            Self::Blend => (right[1] - own).mul_add(amount, own),
            Self::Ease => {
                let power = 1.0 + 3.0 * amount.abs();
                let eased = if amount < 0.0 { part.powf(power) } else { 1.0 - (1.0 - part).powf(power) };
                (right[1] - left[1]).mul_add(eased, left[1])
            }
        }
    }
}

/// What stands in for the unselected key before or after a run of selected ones that reaches the curve's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// The run's own first or last key.
    Own,
    /// The same; where all keys of the curve are selected, each key's own neighbours, so that the motion is not lost.
    Neighbours,
}

impl Editing<'_> {
    fn shapeable(&self) -> impl Iterator<Item = &GraphCurve> {
        self.curves
            .iter()
            .filter(|curve| curve.editable && curve.has_values && curve.lane == 0 && !curve.selected.is_empty())
    }

    /// Gives each selected key a value worked out from it and the unselected keys before and after its run. `ends` says what
    /// stands in where there is no such key; a curve without any change is left alone.
    fn between(&self, ends: Ends, value: impl Fn(LinePoint, LinePoint, LinePoint) -> f64) -> Option<GraphEdit> {
        let mut all = Vec::new();
        for curve in self.shapeable() {
            let mut moves = CurveMoves { curve: self.at(curve), moves: Vec::with_capacity(curve.selected.len()) };
            let point = |index: usize| curve.points.get(index);
            for run in curve.selected.chunk_by(|a, b| a + 1 == *b) {
                let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
                let around = (first.checked_sub(1).and_then(point), point(last + 1));
                for index in run {
                    let own_neighbours = || (index.checked_sub(1).and_then(point), point(index + 1));
                    let found = match (ends, around) {
                        (_, (Some(left), Some(right))) => Some((left, right)),
                        (Ends::Neighbours, (None, None)) => match own_neighbours() {
                            (Some(left), Some(right)) => Some((left, right)),
                            _ => None,
                        },
                        (Ends::Own | Ends::Neighbours, (left, right)) => {
                            left.or_else(|| point(*first)).zip(right.or_else(|| point(*last)))
                        }
                    };
                    if let (Some(own), Some((left, right))) = (point(*index), found) {
                        moves.moves.push(KeyMove { from: own[0], to: own[0], value: value(own, left, right) });
                    }
                }
            }
            if !moves.moves.is_empty() {
                all.push(moves);
            }
        }
        self.shaped(all)
    }

    fn shaped(&self, all: Vec<CurveMoves>) -> Option<GraphEdit> {
        let touched: Vec<CurveRef> = all.iter().map(|moves| moves.curve).collect();
        let edit = Edit::Batch(all.into_iter().map(place).collect());
        (!touched.is_empty()).then(|| self.with_conversion(&touched, edit))
    }

    /// The tween slider by an amount. Where all keys of a curve are selected, each lies between its own two neighbours as they
    /// were and the ends stay; pushed and pulled they are about the line from the first to the last.
    #[must_use]
    pub fn tween(&self, kind: Tween, amount: f64) -> Option<GraphEdit> {
        let ends = if kind == Tween::PushPull { Ends::Own } else { Ends::Neighbours };
        self.between(ends, |own, left, right| kind.value(own, left, right, amount))
    }

    /// Puts the selected key past the key before it, away from where the motion goes: by a part of the way between the
    /// keys around it. None where no selected key has unselected ones on both sides: there is no action it would prepare.
    ///
    /// Of keys in a row the first moves, against the way from the key before the run to the key after it, and the others
    /// stay: an action has one wind-up, and what follows in the run is the action. All on one value would be a hold where
    /// there was motion; each from its own neighbours would wind up again in the middle of the action.
    #[must_use]
    pub fn anticipate(&self, part: f64) -> Option<GraphEdit> {
        let all = self.shapeable().map(|curve| {
            let runs = curve.selected.chunk_by(|a, b| a + 1 == *b);
            let moves = runs.filter_map(|run| {
                let (first, last) = (*run.first()?, *run.last()?);
                let [[from, _], [_, left], [_, right]] =
                    [curve.points.get(first)?, curve.points.get(first.checked_sub(1)?)?, curve.points.get(last + 1)?];
                Some(KeyMove { from, to: from, value: (left - right).mul_add(part, left) })
            });
            CurveMoves { curve: self.at(curve), moves: moves.collect() }
        });
        self.shaped(all.filter(|moves| !moves.moves.is_empty()).collect())
    }

    /// Scales the selected keys about the line of their neighbours.
    #[must_use]
    pub fn exaggerate(&self, factor: f64) -> Option<GraphEdit> {
        self.tween(Tween::PushPull, factor - 1.0)
    }

    /// Gives the selected keys of each curve their mean value.
    #[must_use]
    pub fn flatten(&self) -> Option<GraphEdit> {
        let all = self.shapeable().map(|curve| {
            let points: Vec<LinePoint> = curve.selected.iter().filter_map(|index| curve.points.get(*index)).collect();
            // Each divided first, so that no sum overflows.
            let mean = points.iter().map(|point| point[1] / points.len() as f64).sum();
            let moves = points.iter().map(|point| KeyMove { from: point[0], to: point[0], value: mean }).collect();
            CurveMoves { curve: self.at(curve), moves }
        });
        self.shaped(all.collect())
    }

    /// Brings each selected key half way to where its two neighbours' line passes. The curve's ends stay.
    #[must_use]
    pub fn smooth(&self) -> Option<GraphEdit> {
        let all = self.shapeable().map(|curve| {
            let moves = curve.selected.iter().filter_map(|index| {
                let [time, own] = curve.points.get(*index)?;
                let around =
                    index.checked_sub(1).and_then(|before| curve.points.get(before)).zip(curve.points.get(index + 1));
                let value = around.map_or(own, |([t0, v0], [t1, v1])| {
                    f64::midpoint(own, (v1 - v0).mul_add((time - t0) / (t1 - t0), v0))
                });
                Some(KeyMove { from: time, to: time, value })
            });
            CurveMoves { curve: self.at(curve), moves: moves.collect() }
        });
        self.shaped(all.collect())
    }

    /// Moves the selected keys of each keyed curve, three and more, to Chebyshev places between the first and the last of
    /// them, which stay; values are read from the keys' own interpolation, whatever scheme is on.
    ///
    /// The places are those of the first kind, stretched so that the outermost are the ends: a polynomial through them does
    /// not swing (see `math::spline::lagrange`).
    #[must_use]
    pub fn to_chebyshev(&self) -> Option<GraphEdit> {
        let all = self.shapeable().filter_map(|curve| {
            let Points::Keyed(keyed) = &curve.points else { return None };
            let own = KeyedCurve { scheme: Scheme::PerKey, modifiers: Vec::new(), ..keyed.clone() };
            let times: Vec<f64> =
                curve.selected.iter().filter_map(|index| Some(curve.points.get(*index)?[0])).collect();
            let (start, end) = (*times.first()?, *times.last()?);
            let nodes = chebyshev_nodes(times.len());
            let outermost = *nodes.first().filter(|_| nodes.len() > 2)?;
            let moves = times.iter().zip(nodes.iter().rev()).enumerate().filter_map(|(index, (from, node))| {
                let inner = (end - start).mul_add(f64::midpoint(1.0, node / outermost), start);
                let to = if index == 0 || index + 1 == times.len() { *from } else { inner };
                Some(KeyMove { from: *from, to, value: value(&own, to)? })
            });
            Some(CurveMoves { curve: self.at(curve), moves: moves.collect() })
        });
        self.shaped(all.collect())
    }

    /// Moves the selected keys later by so many seconds for each step down the chain: `depth` counts a target's steps; the
    /// topmost of the selected ones stays.
    #[must_use]
    pub fn overlap(&self, secs: f64, depth: impl Fn(Target) -> usize) -> Option<GraphEdit> {
        let touched =
            || self.curves.iter().filter(|curve| curve.editable && curve.lane == 0 && !curve.selected.is_empty());
        let top = touched().map(|curve| depth(curve.path.target)).min()?;
        let all = touched().filter_map(|curve| {
            let steps = depth(curve.path.target) - top;
            if steps == 0 {
                return None;
            }
            let moves = curve.selected.iter().filter_map(|index| {
                let [from, value] = curve.points.get(*index)?;
                let to = curve.clock.moved(from, |shown| (steps as f64).mul_add(secs, shown));
                Some(KeyMove { from, to, value })
            });
            Some(CurveMoves { curve: self.at(curve), moves: moves.collect() })
        });
        self.shaped(all.collect())
    }

    /// Moves all keys after a time by so many seconds, on every curve shown that may be edited. With a negative shift keys in
    /// the time taken out go. Captured curves are passed over.
    #[must_use]
    pub fn ripple(&self, from: f64, shift: f64) -> Option<GraphEdit> {
        let mut edits = Vec::new();
        for curve in self.curves.iter().filter(|curve| curve.editable && curve.lane == 0) {
            if matches!(curve.points, Points::Sampled(_)) {
                continue;
            }
            let at = self.at(curve);
            let times = |range: std::ops::Range<usize>| -> Vec<f64> {
                range.filter_map(|index| curve.points.get(index).map(|point| point[0])).collect()
            };
            let before = |shown: f64| curve.points.count_before(curve.clock.source(shown));
            let resume = before(if shift < 0.0 { from - shift } else { from });
            let gone = times(before(from)..resume);
            let later = times(resume..curve.points.len());
            if !gone.is_empty() {
                edits.push(KeyEdit::Delete { keys: crate::edit::KeySelection::of(at, &gone) }.into());
            }
            if !later.is_empty() {
                let keys = crate::edit::KeySelection::of(at, &later);
                edits.push(KeyEdit::Move { keys, dt: shift, dv: 0.0 }.into());
            }
        }
        (!edits.is_empty()).then_some(GraphEdit { edit: Edit::Batch(edits), converted: 0 })
    }

    /// Takes the time of the selected keys out: from the first to the last.
    /// None for fewer than two keys.
    #[must_use]
    pub fn ripple_delete(&self) -> Option<GraphEdit> {
        let (first, last) = super::graph_scale::selected_span(self.curves)?;
        if last > first { self.ripple(first, first - last) } else { None }
    }

    /// The keyed curves with selected keys, whole.
    fn keyed(&self) -> impl Iterator<Item = (CurveRef, &crate::model::KeyedCurve)> {
        self.shapeable().filter_map(|curve| match &curve.points {
            Points::Keyed(keyed) => Some((self.at(curve), keyed)),
            Points::Sampled(_) | Points::Track(_) => None,
        })
    }

    /// Puts a linear key on every frame of the curves with selected keys, modifiers taken in (over `range`, seconds, too);
    /// and the greatest deviation between frames, own units.
    #[must_use]
    pub fn bake(&self, rate: FrameRate, range: (f64, f64)) -> Option<(GraphEdit, f64)> {
        let baked = self.keyed().filter_map(|(at, keyed)| Some((at, bake(keyed, rate, range)?)));
        replaced(baked.map(|(at, found)| (at, found.curve, found.error)))
    }

    /// Makes the curves with selected keys Bezier or Hermite ones; and the greatest deviation.
    #[must_use]
    pub fn convert(&self, form: KeyForm) -> Option<(GraphEdit, f64)> {
        replaced(self.keyed().map(|(at, keyed)| {
            let found = to_form(keyed, form);
            (at, found.curve, found.error)
        }))
    }

    /// Sets the scheme of the keyed curves that `which` picks; and the greatest deviation from what was.
    #[must_use]
    pub fn scheme(&self, which: impl Fn(&GraphCurve) -> bool, scheme: Scheme) -> Option<(GraphEdit, f64)> {
        let mut error = 0.0_f64;
        let mut curves = Vec::new();
        for curve in self.curves.iter().filter(|curve| curve.editable && which(curve)) {
            if let Points::Keyed(keyed) = &curve.points {
                error = error.max(to_scheme(keyed, scheme).error * curve.unit.scale.abs());
                curves.push(self.at(curve));
            }
        }
        let edit = CurveEdit::SetScheme { curves: curves.clone(), scheme };
        (!curves.is_empty()).then_some((GraphEdit { edit: edit.into(), converted: 0 }, error))
    }

    /// Gives a curve another stack of modifiers.
    #[must_use]
    pub fn modifiers(curve: CurveRef, modifiers: Vec<Modifier>) -> GraphEdit {
        GraphEdit { edit: CurveEdit::SetModifiers { curve, modifiers }.into(), converted: 0 }
    }
}

/// Curves put in place of others, as one edit with the greatest error.
fn replaced(curves: impl Iterator<Item = (CurveRef, crate::model::KeyedCurve, f64)>) -> Option<(GraphEdit, f64)> {
    let mut error = 0.0_f64;
    let curves: Vec<(CurveRef, Arc<Curve>)> = curves
        .map(|(at, curve, off)| {
            error = error.max(off);
            (at, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))))
        })
        .collect();
    (!curves.is_empty()).then(|| (GraphEdit { edit: CurveEdit::Replace { curves }.into(), converted: 0 }, error))
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve};
    use super::*;

    fn values(edit: Option<GraphEdit>) -> Vec<(f64, f64)> {
        let Some(GraphEdit { edit: Edit::Batch(edits), .. }) = edit else { return Vec::new() };
        let keys = edits.into_iter().filter_map(|edit| match edit {
            Edit::Key(KeyEdit::Place { keys, .. }) => Some(keys),
            _ => None,
        });
        keys.flatten().map(|(_, to, value)| (to, value)).collect()
    }

    const KEYS: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 9.0), (2.0, 5.0), (4.0, 8.0)];

    #[test]
    fn tweens_lie_between_the_keys_around_the_run() {
        let curves = [curve(1, &KEYS, &[1, 2])];
        let editing = Editing { curves: &curves, clip: CLIP };
        let of = |kind, amount| values(editing.tween(kind, amount)).iter().map(|v| v.1).collect::<Vec<_>>();
        assert_eq!(of(Tween::Breakdown, 0.0), [4.0, 4.0]);
        assert_eq!(of(Tween::Breakdown, -1.0), [0.0, 0.0]);
        assert_eq!(of(Tween::Breakdown, 1.0), [8.0, 8.0]);
        assert_eq!(of(Tween::PushPull, -1.0), [2.0, 4.0]);
        assert_eq!(of(Tween::PushPull, 1.0), [16.0, 6.0]);
        assert_eq!(of(Tween::Blend, 1.0), [8.0, 8.0]);
        assert_eq!(of(Tween::Blend, 0.0), [9.0, 5.0]);
        assert_eq!(of(Tween::Ease, 0.0), [2.0, 4.0]);
        assert!(of(Tween::Ease, -0.5)[0] < 2.0 && of(Tween::Ease, 0.5)[0] > 2.0);
    }

    /// One wind-up an action: of keys in a row the first takes it, and what follows keeps its motion.
    #[test]
    fn the_first_key_of_a_run_anticipates() {
        let row = [(0.0, 0.0), (1.0, 1.0), (2.0, 3.0), (3.0, 4.0), (4.0, 8.0), (5.0, 8.0), (6.0, 2.0)];
        let of = |selected: &[usize]| {
            let curves = [curve(1, &row, selected)];
            values(Editing { curves: &curves, clip: CLIP }.anticipate(0.25))
        };
        assert_eq!(of(&[1, 2, 3]), [(1.0, -2.0)], "past the key before, away from the key after the run");
        assert_eq!(of(&[2]), [(2.0, 1.0 - 0.25 * 3.0)]);
        assert_eq!(of(&[1, 2, 5]), [(1.0, -1.0), (5.0, 8.0 + 0.25 * 6.0)], "each run for itself");
        assert_eq!(of(&[0, 1]), [], "a run at the curve's start has nothing to go past");
    }

    /// With every key of a curve selected there is no unselected one to go by: the motion must not fall to one value.
    #[test]
    fn whole_curves_keep_their_motion() {
        let curves = [curve(1, &KEYS, &[0, 1, 2, 3])];
        let editing = Editing { curves: &curves, clip: CLIP };
        let of = |kind, amount| values(editing.tween(kind, amount));
        assert_eq!(of(Tween::Breakdown, 0.0), [(1.0, 2.5), (2.0, 8.5)], "between neighbours; the ends stay");
        assert_eq!(of(Tween::Blend, -1.0), [(1.0, 0.0), (2.0, 9.0)]);
        assert_eq!(of(Tween::Blend, 0.0), [(1.0, 9.0), (2.0, 5.0)]);
        assert_eq!(of(Tween::Ease, 0.0)[0], (1.0, 2.5));
        assert_eq!(of(Tween::PushPull, -1.0), [(0.0, 0.0), (1.0, 2.0), (2.0, 4.0), (4.0, 8.0)]);
        assert!(editing.anticipate(0.2).is_none(), "nothing to anticipate");
        let end = [curve(1, &KEYS, &[2, 3])];
        let editing = Editing { curves: &end, clip: CLIP };
        assert!(editing.anticipate(0.2).is_none());
        assert_eq!(values(editing.tween(Tween::Ease, 0.0))[1], (4.0, 8.0), "the end of the way stays");
    }

    #[test]
    fn flattening_smoothing_and_overlap_do_what_they_say() {
        let curves = [curve(1, &KEYS, &[1, 2]), curve(2, &KEYS, &[3]), curve(3, &KEYS, &[0])];
        let editing = Editing { curves: &curves, clip: CLIP };
        assert_eq!(values(editing.flatten())[..2], [(1.0, 7.0), (2.0, 7.0)]);
        let smooth = values(editing.smooth());
        assert_eq!(smooth, [(1.0, 5.75), (2.0, f64::midpoint(5.0, 9.0 - 1.0 / 3.0)), (4.0, 8.0), (0.0, 0.0)]);
        let depth = |target: Target| target.joint().map_or(0, |joint| joint.0 as usize);
        assert_eq!(values(editing.overlap(0.5, depth)), [(4.5, 8.0), (1.0, 0.0)]);
    }

    #[test]
    fn chebyshev_places_are_denser_at_the_ends_and_read_the_keys_own_curve() {
        let even: Vec<(f64, f64)> = (0..11).map(|i| (f64::from(i), f64::from(i) * 2.0)).collect();
        let all: Vec<usize> = (0..11).collect();
        let curves = [curve(1, &even, &all)];
        let found = values(Editing { curves: &curves, clip: CLIP }.to_chebyshev());
        assert_eq!((found[0], found[10], found.len()), ((0.0, 0.0), (10.0, 20.0), 11));
        let gaps: Vec<f64> = found.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        assert!(gaps.windows(2).take(4).all(|pair| pair[0] < pair[1]) && gaps[0] < 0.41 && gaps[4] > 1.4);
        assert!((found[5].0 - 5.0).abs() < 1e-12 && (found[5].1 - 10.0).abs() < 1e-9);
        let two = [curve(1, &even, &[3, 4])];
        assert!(values(Editing { curves: &two, clip: CLIP }.to_chebyshev()).is_empty());
    }

    #[test]
    fn rippling_moves_what_is_later_and_takes_out_what_is_between() {
        let curves = [curve(1, &KEYS, &[1, 2])];
        let editing = Editing { curves: &curves, clip: CLIP };
        let Some(GraphEdit { edit: Edit::Batch(edits), .. }) = editing.ripple(1.0, 0.5) else { panic!() };
        let [Edit::Key(KeyEdit::Move { keys, dt, .. })] = &edits[..] else { panic!("{edits:?}") };
        assert_eq!((keys.len(), *dt), (3, 0.5));
        let Some(GraphEdit { edit: Edit::Batch(edits), .. }) = editing.ripple_delete() else { panic!() };
        let [Edit::Key(KeyEdit::Delete { keys: gone }), Edit::Key(KeyEdit::Move { keys, dt, .. })] = &edits[..] else {
            panic!("{edits:?}")
        };
        assert_eq!((gone.len(), keys.len(), *dt), (1, 2, -1.0));
    }
}
