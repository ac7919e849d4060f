//! Operations on the selected keys of the graph: snap, mirror, level, copy and paste, the Euler filter.

use super::{
    copied_keys::{CopiedCurve, CopiedKeys},
    graph_curve::{GraphCurve, Points},
    graph_edits::{Editing, GraphEdit},
    keys::{CurveMoves, KeyMove, place},
};
use crate::{
    edit::{CurveRef, Edit, KeyEdit, KeySelection},
    eval::{
        curve::handles_used,
        sample::{place_angles, read_angles},
    },
    math::{EulerOrder, rotation::filter_euler},
    model::{ChannelPath, Component, FrameRate, Handle, Interpolation, Key, Property, Target},
};

/// A point as a key: captured samples run straight to the next.
#[must_use]
pub fn as_key(curve: &GraphCurve, index: usize) -> Option<Key> {
    match curve.points.key(index) {
        Some(key) => Some(key),
        None if curve.has_values => {
            let [time, value] = curve.points.get(index)?;
            Some(Key { interpolation: Interpolation::Linear, ..Key::new(time, value) })
        }
        None => None,
    }
}

impl Editing<'_> {
    /// The curves with selected keys that may be edited.
    fn touched(&self) -> impl Iterator<Item = &GraphCurve> {
        self.curves.iter().filter(|curve| curve.editable && curve.lane == 0 && !curve.selected.is_empty())
    }

    /// Puts selected keys onto frames, each onto one of its own: where two would meet, the later takes the next free frame.
    #[must_use]
    pub fn snap_to_frames(&self, rate: FrameRate) -> Option<GraphEdit> {
        let mut all = Vec::new();
        for curve in self.touched() {
            let mut last = i64::MIN;
            let moves = curve.selected.iter().filter_map(|index| {
                let [from, value] = curve.points.get(*index)?;
                let frame = rate.nearest_frame(curve.clock.shown(from)).max(last.saturating_add(1));
                last = frame;
                Some(KeyMove { from, to: curve.clock.moved(from, |_| rate.secs(frame)), value })
            });
            all.push(CurveMoves { curve: self.at(curve), moves: moves.collect() });
        }
        self.placed(all)
    }

    fn placed(&self, all: Vec<CurveMoves>) -> Option<GraphEdit> {
        let touched: Vec<CurveRef> = all.iter().map(|moves| moves.curve).collect();
        let edit = Edit::Batch(all.into_iter().map(place).collect());
        (!touched.is_empty()).then(|| self.with_conversion(&touched, edit))
    }

    /// Mirrors the selected keys in time about a time, seconds.
    #[must_use]
    pub fn mirror(&self, about_secs: f64) -> Option<GraphEdit> {
        self.scale_time(about_secs, -1.0, false)
    }

    /// Scales the times of the selected keys about one, seconds; the factor is not 0; onto frames where that is asked for.
    #[must_use]
    pub fn scale_time(&self, about_secs: f64, factor: f64, frames: bool) -> Option<GraphEdit> {
        let keys = Some(self.selected(false)).filter(|keys| !keys.is_empty())?;
        let touched: Vec<CurveRef> = keys.curves().map(|(curve, _)| curve).collect();
        let edit = KeyEdit::Scale { keys, time: (about_secs, factor), value: (0.0, 1.0), frames };
        Some(self.with_conversion(&touched, edit.into()))
    }

    /// Makes the curve level at the selected keys: both handles aligned, without rise, as long as they are.
    #[must_use]
    pub fn level(&self) -> Option<GraphEdit> {
        let edits = self.touched().filter_map(|curve| {
            let Points::Keyed(keyed) = &curve.points else { return None };
            let level = |index: &usize| {
                let (key, used) = (keyed.keys.get(*index)?, handles_used(keyed, *index)?);
                let before = used.before.or(used.after.map(|(secs, _)| (-secs, 0.0))).map_or(0.0, |(secs, _)| secs);
                let after = used.after.map_or(-before, |(secs, _)| secs);
                let (handle_in, handle_out) = (Handle::Aligned(before, 0.0), Handle::Aligned(after, 0.0));
                Some(Key { handle_in, handle_out, interpolation: Interpolation::Bezier, ..key })
            };
            let keys: Vec<Key> = curve.selected.iter().filter_map(level).collect();
            Some(KeyEdit::Insert { curve: self.at(curve), keys }.into())
        });
        let edits: Vec<Edit> = edits.collect();
        (!edits.is_empty()).then_some(GraphEdit { edit: Edit::Batch(edits), converted: 0 })
    }

    /// Copies the selected keys.
    #[must_use]
    pub fn copy(&self) -> CopiedKeys {
        let first = self.touched().filter_map(|curve| Some(curve.at(*curve.selected.first()?)?[0]));
        let first = first.fold(f64::INFINITY, f64::min);
        let curves = self.touched().filter_map(|curve| {
            let keys = curve.selected.iter().filter_map(|index| as_key(curve, *index));
            let keys: Vec<Key> = keys.map(|key| Key { time: curve.clock.shown(key.time) - first, ..key }).collect();
            (!keys.is_empty()).then_some((curve.path, CopiedCurve::Scalar(keys)))
        });
        CopiedKeys { curves: curves.collect() }
    }

    /// Pastes copied keys with the first at a time, onto frames where they are within rounding of one; and the keys to be
    /// selected then. Keys of one channel go to the active one if that has the same property; others to the channels they
    /// came from, as far as those are shown.
    #[must_use]
    pub fn paste(
        &self,
        copied: &CopiedKeys,
        secs: f64,
        active: Option<ChannelPath>,
        rate: FrameRate,
    ) -> Option<(GraphEdit, KeySelection)> {
        let target = |path: ChannelPath| {
            let fits = |other: &ChannelPath| other.property == path.property;
            active.filter(|active| copied.curves.len() == 1 && fits(active)).unwrap_or(path)
        };
        let snap = crate::interact::snap::TimeSnap::Frames(rate);
        let mut pasted: Vec<(CurveRef, Vec<Key>)> = Vec::new();
        for (path, keys) in &copied.curves {
            // Rotations as a whole have no curve here.
            let CopiedCurve::Scalar(keys) = keys else { continue };
            let wanted = target(*path);
            let Some(curve) =
                self.curves.iter().find(|curve| curve.path == wanted && curve.editable && curve.has_values)
            else {
                continue;
            };
            // A shift of 0 would leave a key as it is, off its frame by rounding.
            let at = |time: f64| if secs == 0.0 { snap.shifted(secs, time) } else { snap.shifted(time, secs) };
            let at = |time: f64| curve.clock.source(at(time));
            pasted.push((self.at(curve), keys.iter().map(|key| Key { time: at(key.time), ..*key }).collect()));
        }
        let touched: Vec<CurveRef> = pasted.iter().map(|(curve, _)| *curve).collect();
        let selected = pasted.iter().flat_map(|(curve, keys)| keys.iter().map(move |key| (*curve, key.time))).collect();
        let insert = pasted.into_iter().map(|(curve, keys)| KeyEdit::Insert { curve, keys }.into());
        let edit = Edit::Batch(insert.collect());
        (!touched.is_empty()).then(|| (self.with_conversion(&touched, edit), selected))
    }

    /// The Euler filter on the rotation curves of the targets with selected keys, by each target's order: every triple
    /// becomes the one of the same rotation that jumps least from the triple before. Only keyed triples whose three curves
    /// have their keys at the same times; none where there is no such triple, an edit of nothing
    /// where all are continuous as they are.
    #[must_use]
    pub fn filter_euler(&self, order_of: impl Fn(Target) -> Option<EulerOrder>) -> Option<GraphEdit> {
        let mut targets: Vec<Target> = self.touched().map(|curve| curve.path.target).collect();
        targets.dedup();
        let (mut edits, mut found) = (Vec::new(), false);
        for target in targets {
            if let Some(moves) = order_of(target).and_then(|order| self.filtered(target, order)) {
                found = true;
                edits.extend(moves.into_iter().filter(|moves| !moves.moves.is_empty()).map(place));
            }
        }
        found.then_some(GraphEdit { edit: Edit::Batch(edits), converted: 0 })
    }

    fn filtered(&self, target: Target, order: EulerOrder) -> Option<[CurveMoves; 3]> {
        let of_axis = |component: Component| {
            let path = ChannelPath { target, property: Property::Rotation, component };
            let curve = self.curves.iter().find(|curve| curve.path == path && curve.editable)?;
            matches!(curve.points, Points::Keyed(_)).then_some(curve)
        };
        let [x, y, z] = Component::AXES.map(of_axis);
        let curves = [x?, y?, z?];
        let count = curves[0].points.len();
        let mut triples = Vec::with_capacity(count);
        for index in 0..count {
            let point = |axis: usize| curves[axis].points.get(index);
            let (x, y, z) = (point(0)?, point(1)?, point(2)?);
            if x[0] != y[0] || x[0] != z[0] || curves.iter().any(|curve| curve.points.len() != count) {
                return None;
            }
            triples.push(place_angles(order, [x[1], y[1], z[1]]));
        }
        let before = triples.clone();
        filter_euler(&mut triples);
        let changed = if triples == before { &[][..] } else { &triples[..] };
        let moves = |axis: usize| {
            let keys = changed.iter().enumerate().filter_map(|(index, triple)| {
                let [from, _] = curves[axis].points.get(index)?;
                Some(KeyMove { from, to: from, value: read_angles(order, *triple)[axis] })
            });
            CurveMoves { curve: self.at(curves[axis]), moves: keys.collect() }
        };
        Some([moves(0), moves(1), moves(2)])
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph_curve::tests::{CLIP, curve, path};
    use super::*;

    fn placed(edit: Option<GraphEdit>) -> Vec<(f64, f64, f64)> {
        let Some(GraphEdit { edit: Edit::Batch(edits), .. }) = edit else { return Vec::new() };
        let keys = edits.into_iter().filter_map(|edit| match edit {
            Edit::Key(KeyEdit::Place { keys, .. }) => Some(keys),
            _ => None,
        });
        keys.flatten().collect()
    }

    #[test]
    fn snapping_gives_every_key_a_frame_of_its_own() {
        let curves = [curve(1, &[(0.10, 1.0), (0.11, 2.0), (0.14, 3.0), (0.23, 4.0)], &[0, 1, 2, 3])];
        let snapped = placed(Editing { curves: &curves, clip: CLIP }.snap_to_frames(FrameRate::FPS_24));
        let frames: Vec<f64> = snapped.iter().map(|key| key.1 * 24.0).collect();
        assert_eq!(frames, [2.0, 3.0, 4.0, 6.0]);
        assert_eq!(snapped.iter().map(|key| key.2).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn copies_are_pasted_at_a_time_and_onto_the_active_channel() {
        let curves = [curve(1, &[(1.0, 5.0), (2.0, 6.0), (9.0, 0.0)], &[0, 1]), curve(2, &[(0.0, 0.0)], &[])];
        let editing = Editing { curves: &curves, clip: CLIP };
        let copied = editing.copy();
        assert_eq!(copied.len(), 2);
        let (edit, selected) = editing.paste(&copied, 4.0, Some(path(2)), FrameRate::FPS_24).unwrap();
        let at = CurveRef { clip: CLIP, path: path(2) };
        assert_eq!(selected, KeySelection::of(at, &[4.0, 5.0]));
        let Edit::Batch(edits) = edit.edit else { panic!() };
        let [Edit::Key(KeyEdit::Insert { curve, keys })] = &edits[..] else { panic!("{edits:?}") };
        assert_eq!((*curve, keys[1].time, keys[1].value), (at, 5.0, 6.0));
        let (_, selected) = editing.paste(&copied, 0.0, None, FrameRate::FPS_24).unwrap();
        assert_eq!(selected, KeySelection::of(CurveRef { clip: CLIP, path: path(1) }, &[0.0, 1.0]));
        assert!(editing.paste(&CopiedKeys::default(), 0.0, None, FrameRate::FPS_24).is_none());
    }

    /// Case B14: the middle key is the same pose by other angles; plain unwinding would not find it.
    #[test]
    fn b14_the_euler_filter_takes_the_nearest_triple_of_the_same_pose() {
        let degrees = |values: [f64; 3]| -> Vec<(f64, f64)> {
            values.iter().enumerate().map(|(index, value)| (index as f64, value.to_radians())).collect()
        };
        let axes = [[10.0, -170.0, 12.0], [80.0, 100.0, 82.0], [20.0, -160.0, 22.0]];
        let curves = Component::AXES.map(|component| {
            let mut curve = curve(1, &degrees(axes[component.axis().unwrap()]), &[1]);
            curve.path.component = component;
            curve
        });
        let editing = Editing { curves: &curves, clip: CLIP };
        let filtered = placed(editing.filter_euler(|_| Some(EulerOrder::Xyz)));
        for (axis, wanted) in [[10.0, 10.0, 12.0], [80.0, 80.0, 82.0], [20.0, 20.0, 22.0]].iter().enumerate() {
            for (key, wanted) in filtered[axis * 3..axis * 3 + 3].iter().zip(wanted) {
                assert!((key.2.to_degrees() - wanted).abs() < 1e-9, "{filtered:?}");
            }
        }
        assert!(editing.filter_euler(|_| None).is_none());
        let calm = Component::AXES.map(|component| {
            let mut curve = curve(1, &[(0.0, 0.1), (1.0, 0.2)], &[0]);
            curve.path.component = component;
            curve
        });
        let found = Editing { curves: &calm, clip: CLIP }.filter_euler(|_| Some(EulerOrder::Xyz));
        assert_eq!(found.map(|found| found.edit), Some(Edit::none()));
    }

    #[test]
    fn levelling_keeps_lengths() {
        let curves = [curve(1, &[(0.0, 0.0), (3.0, 6.0), (9.0, 7.0)], &[1])];
        let edit = Editing { curves: &curves, clip: CLIP }.level().unwrap();
        let Edit::Batch(edits) = edit.edit else { panic!() };
        let [Edit::Key(KeyEdit::Insert { keys, .. })] = &edits[..] else { panic!("{edits:?}") };
        assert_eq!((keys[0].handle_in, keys[0].handle_out), (Handle::Aligned(-1.0, 0.0), Handle::Aligned(2.0, 0.0)));
    }
}
