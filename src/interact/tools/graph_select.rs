//! Choosing keys in the graph.

use super::graph_curve::GraphCurve;
use crate::{
    edit::{CurveRef, KeySelection},
    interact::{
        input::{Modifiers, ScreenPos},
        plot_view::PlotView,
    },
    model::ClipId,
};
use std::ops::Range;

/// What a new choice does to the keys chosen before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Takes their place.
    #[default]
    Replace,
    /// Joins them.
    Add,
    /// Is taken from them.
    Subtract,
}

impl Choice {
    /// By the modifiers: Shift adds, Ctrl subtracts.
    #[must_use]
    pub const fn of(modifiers: Modifiers) -> Self {
        match (modifiers.shift, modifiers.ctrl) {
            (_, true) => Self::Subtract,
            (true, false) => Self::Add,
            (false, false) => Self::Replace,
        }
    }

    /// The keys chosen after a choice of `new` ones over `old` ones.
    #[must_use]
    pub fn apply(self, old: &KeySelection, new: KeySelection) -> KeySelection {
        match self {
            Self::Replace => new,
            Self::Add => old.iter().chain(new.iter()).collect(),
            Self::Subtract => old.iter().filter(|(curve, time)| !new.contains(*curve, *time)).collect(),
        }
    }
}

/// One of the wholesale choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wholesale {
    /// All keys shown.
    All,
    /// None.
    None,
    /// Those that are not.
    Invert,
    /// All at or before a time, seconds.
    Before(f64),
    /// All at or after a time, seconds.
    After(f64),
}

/// The keys in a rectangle between two opposite corners, of the curves that can be edited.
#[must_use]
pub fn in_box(curves: &[GraphCurve], clip: ClipId, view: &PlotView, from: ScreenPos, to: ScreenPos) -> KeySelection {
    let (left, right) = (from[0].min(to[0]), from[0].max(to[0]));
    let (high, low) = (view.value_at(from[1].min(to[1])), view.value_at(from[1].max(to[1])));
    keys_where(
        curves,
        clip,
        |curve| curve.between(view.secs_at(left), view.secs_at(right)),
        |curve, own| {
            let shown = curve.map.shown(own);
            low <= shown && shown <= high
        },
    )
}

/// The keys after a wholesale choice; keys of curves that are not shown are dropped.
#[must_use]
pub fn wholesale(curves: &[GraphCurve], clip: ClipId, selected: &KeySelection, what: Wholesale) -> KeySelection {
    let all = |range: &dyn Fn(&GraphCurve) -> Range<usize>| keys_where(curves, clip, range, |_, _| true);
    let count = |curve: &GraphCurve| curve.points.len();
    match what {
        Wholesale::All => all(&|curve| 0..count(curve)),
        Wholesale::None => KeySelection::new(),
        Wholesale::Invert => Choice::Subtract.apply(&all(&|curve| 0..count(curve)), selected.clone()),
        Wholesale::Before(secs) => all(&|curve| curve.between(f64::NEG_INFINITY, secs)),
        Wholesale::After(secs) => all(&|curve| curve.between(secs, f64::INFINITY).start..count(curve)),
    }
}

/// The key after (or before) the last (first) selected one of a curve, alone; where none is selected, the one next to a
/// time.
#[must_use]
pub fn neighbour(curve: &GraphCurve, clip: ClipId, secs: f64, forward: bool) -> Option<KeySelection> {
    let at = if forward { curve.selected.last() } else { curve.selected.first() };
    let index = match (at, forward) {
        (Some(index), true) => index + 1,
        (Some(index), false) => index.checked_sub(1)?,
        (None, true) => curve.points.count_before(curve.clock.source(secs)),
        (None, false) => curve.between(secs, secs).end.checked_sub(1)?,
    };
    let [time, _] = curve.points.get(index)?;
    Some(KeySelection::of(CurveRef { clip, path: curve.path }, &[time]))
}

/// The key of a curve nearest to a time.
#[must_use]
pub fn nearest(curve: &GraphCurve, clip: ClipId, secs: f64) -> Option<KeySelection> {
    let after = curve.points.count_before(curve.clock.source(secs));
    let near = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|index| curve.points.get(index));
    let [time, _] = near.min_by(|a, b| {
        let away = |time: f64| (curve.clock.shown(time) - secs).abs();
        away(a[0]).total_cmp(&away(b[0]))
    })?;
    Some(KeySelection::of(CurveRef { clip, path: curve.path }, &[time]))
}

/// The keys of a range of each curve that can be edited, if a function of their own value says so.
fn keys_where(
    curves: &[GraphCurve],
    clip: ClipId,
    range: impl Fn(&GraphCurve) -> Range<usize>,
    wanted: impl Fn(&GraphCurve, f64) -> bool,
) -> KeySelection {
    let editable = curves.iter().filter(|curve| curve.editable);
    let keys = editable.flat_map(|curve| {
        let at = CurveRef { clip, path: curve.path };
        let wanted = &wanted;
        range(curve).filter_map(move |index| {
            let [secs, own] = curve.points.get(index)?;
            wanted(curve, own).then_some((at, secs))
        })
    });
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve, path, view};
    use super::*;

    fn curves() -> [GraphCurve; 3] {
        let locked = GraphCurve { editable: false, ..curve(3, &[(1.0, 1.0)], &[]) };
        [curve(1, &[(1.0, 1.0), (3.0, 5.0), (4.0, 2.0)], &[1]), curve(2, &[(1.0, -5.0), (2.0, 0.0)], &[]), locked]
    }

    fn keys(list: &[(u32, f64)]) -> KeySelection {
        list.iter().map(|(joint, time)| (CurveRef { clip: CLIP, path: path(*joint) }, *time)).collect()
    }

    #[test]
    fn a_box_holds_keys_by_time_and_value() {
        // 0.5..3.5 s, -1..3 in value.
        let found = in_box(&curves(), CLIP, &view(), [350.0, 140.0], [50.0, 220.0]);
        assert_eq!(found, keys(&[(1, 1.0), (2, 2.0)]));
        assert!(in_box(&curves(), CLIP, &view(), [0.0, 0.0], [0.0, 0.0]).is_empty());
    }

    #[test]
    fn shift_adds_and_ctrl_subtracts() {
        let (old, new) = (keys(&[(1, 1.0), (1, 3.0)]), keys(&[(1, 3.0), (2, 2.0)]));
        assert_eq!(Choice::of(Modifiers::NONE).apply(&old, new.clone()), new);
        assert_eq!(Choice::of(Modifiers::SHIFT).apply(&old, new.clone()), keys(&[(1, 1.0), (1, 3.0), (2, 2.0)]));
        assert_eq!(Choice::of(Modifiers::CTRL).apply(&old, new), keys(&[(1, 1.0)]));
    }

    #[test]
    fn wholesale_choices_leave_locked_curves_alone() {
        let all = keys(&[(1, 1.0), (1, 3.0), (1, 4.0), (2, 1.0), (2, 2.0)]);
        let choose = |what| wholesale(&curves(), CLIP, &keys(&[(1, 3.0)]), what);
        assert_eq!(choose(Wholesale::All), all);
        assert!(choose(Wholesale::None).is_empty());
        assert_eq!(choose(Wholesale::Invert), keys(&[(1, 1.0), (1, 4.0), (2, 1.0), (2, 2.0)]));
        assert_eq!(choose(Wholesale::Before(2.0)), keys(&[(1, 1.0), (2, 1.0), (2, 2.0)]));
        assert_eq!(choose(Wholesale::After(3.0)), keys(&[(1, 3.0), (1, 4.0)]));
    }

    #[test]
    fn one_steps_from_key_to_key() {
        let [first, second, _] = curves();
        assert_eq!(neighbour(&first, CLIP, 0.0, true), Some(keys(&[(1, 4.0)])));
        assert_eq!(neighbour(&first, CLIP, 0.0, false), Some(keys(&[(1, 1.0)])));
        assert_eq!(neighbour(&second, CLIP, 1.5, true), Some(keys(&[(2, 2.0)])));
        assert_eq!(neighbour(&second, CLIP, 1.0, false), Some(keys(&[(2, 1.0)])));
        assert_eq!(neighbour(&second, CLIP, 0.5, false), None);
        assert_eq!(neighbour(&second, CLIP, 9.0, true), None);
        assert_eq!(nearest(&first, CLIP, 3.4), Some(keys(&[(1, 3.0)])));
        assert_eq!(nearest(&first, CLIP, -9.0), Some(keys(&[(1, 1.0)])));
        assert_eq!(nearest(&first, CLIP, 9.0), Some(keys(&[(1, 4.0)])));
        assert_eq!(nearest(&curve(9, &[], &[]), CLIP, 9.0), None);
    }
}
