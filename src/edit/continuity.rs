//! Selected keys made to pass more smoothly, as one edit over many curves, with what it came to.

use super::{CurveRef, Edit, KeyEdit, KeySelection};
use crate::{
    eval::curve::continuity::{Continuity, make_continuous},
    model::{ChannelPath, Document, Scheme},
};

/// What making keys continuous came to, over all curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContinuityReport {
    /// How many keys pass as wanted now and did not before.
    pub made: usize,
    /// How many passed so before.
    pub had: usize,
    /// How many cannot: a hold starts or ends there.
    pub failed: usize,
    /// How many keys around pass less smoothly than they did.
    pub fell: usize,
    /// How many curves were passed over that a whole-curve scheme runs through.
    pub schemed: usize,
    /// How many curves were passed over that are no keyed numbers.
    pub others: usize,
    /// How far each changed curve is from what it was at most, own units.
    pub errors: Vec<(ChannelPath, f64)>,
}

/// The edit that makes curves pass the selected keys with at least an order of continuity, and what it comes to. The edit is
/// none where nothing changes.
#[must_use]
pub fn continuous(document: &Document, keys: &KeySelection, order: Continuity) -> (Edit, ContinuityReport) {
    let mut report = ContinuityReport::default();
    let mut edits = Vec::new();
    for (at, times) in keys.curves() {
        let Some(curve) = scalar_keys(document, at) else {
            report.others += 1;
            continue;
        };
        let wanted: Vec<usize> = times.iter().filter_map(|time| curve.keys.index_at(*time)).collect();
        let Some(done) = make_continuous(curve, &wanted, order) else {
            report.schemed += usize::from(curve.scheme != Scheme::PerKey);
            continue;
        };
        report.made += done.made;
        report.had += done.had;
        report.failed += done.failed;
        report.fell += done.fell;
        if !done.keys.is_empty() {
            report.errors.push((at.path, done.error));
            edits.push(KeyEdit::Insert { curve: at, keys: done.keys }.into());
        }
    }
    (Edit::Batch(edits), report)
}

fn scalar_keys(document: &Document, at: CurveRef) -> Option<&crate::model::KeyedCurve> {
    at.find(document)?.scalar_keys()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::polyline::derivative::smoothness,
        model::{
            Clip, Component, Curve, FrameRange, Interpolation, Key, KeyedCurve, Object, ObjectKind, Property,
            ScalarCurve,
        },
    };
    use std::sync::Arc;

    #[test]
    fn many_curves_are_one_edit() {
        let mut document = Document::default();
        let object = document.add_object(Object::new("cube", ObjectKind::Empty));
        let mut clip = Clip::new("clip", FrameRange::new(0, 24));
        let path = |component| ChannelPath::object(object, Property::Translation, component);
        let keys = [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]
            .map(|(time, value)| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) });
        let linear = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
        let natural = KeyedCurve { scheme: Scheme::Natural, ..linear.clone() };
        for (component, curve) in [(Component::X, &linear), (Component::Y, &linear), (Component::Z, &natural)] {
            clip.channels.insert(path(component), Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve.clone()))));
        }
        let clip = document.add_clip(clip);
        let at = |component| CurveRef { clip, path: path(component) };
        let wanted: KeySelection = Component::AXES.into_iter().flat_map(|c| [(at(c), 0.0), (at(c), 1.0)]).collect();
        let (edit, report) = continuous(&document, &wanted, Continuity::C1);
        assert_eq!((report.made, report.had, report.schemed, report.errors.len()), (2, 0, 1, 2));
        edit.apply(&mut document).unwrap();
        for component in [Component::X, Component::Y] {
            let curve = scalar_keys(&document, at(component)).unwrap();
            assert!(smoothness(curve, 1).unwrap().order() >= 1);
        }
        assert!(continuous(&document, &wanted, Continuity::C1).0.is_none());
    }
}
