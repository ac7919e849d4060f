//! How the curve runs from selected keys to those after them.

use super::{EditError, KeySelection, curves::existing_curve_mut, key_lists::change_keys};
use crate::eval::curve::segment;
use crate::model::{Curve, Document, Interpolation, KeyedCurve, RotationCurve, RotationInterpolation, ScalarCurve};

pub(super) fn set_interpolation(
    document: &mut Document,
    selected: &KeySelection,
    interpolation: Interpolation,
) -> Result<(), EditError> {
    let rotation = match interpolation {
        Interpolation::Step => RotationInterpolation::Step,
        Interpolation::Linear => RotationInterpolation::Slerp,
        _ => RotationInterpolation::Smooth,
    };
    for (at, times) in selected.curves() {
        match existing_curve_mut(document, at)? {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                if interpolation == Interpolation::Hermite {
                    take_slopes(curve, times);
                }
                change_keys(&mut curve.keys, at, times, |key| *key = key.given(interpolation))?;
            }
            Curve::Rotation(RotationCurve::Keyed(curve)) => {
                change_keys(&mut curve.keys, at, times, |key| key.interpolation = rotation)?;
            }
            _ => return Err(EditError::Sampled(at.path)),
        }
    }
    Ok(())
}

/// Segments that become Hermite begin with the slopes they have, where none were typed: a flat start would be nobody's wish.
fn take_slopes(curve: &mut KeyedCurve, times: &[f64]) {
    let before = curve.clone();
    for index in times.iter().filter_map(|time| before.keys.index_at(*time)) {
        let (Some(mut start), Some(mut end)) = (curve.keys.get(index), curve.keys.get(index + 1)) else { continue };
        let Some(segment) = segment(&before, index) else { continue };
        if start.interpolation == Interpolation::Hermite || start.slope_out != 0.0 || end.slope_in != 0.0 {
            continue;
        }
        // An ease may stand upright at its ends.
        let finite = |slope: f64| if slope.is_finite() { slope } else { 0.0 };
        (start.slope_out, end.slope_in) = (finite(segment.slope(start.time)), finite(segment.slope(end.time)));
        curve.keys.replace_same_time(index, start);
        curve.keys.replace_same_time(index + 1, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{CurveRef, Edit, KeyEdit},
        eval::curve::value,
        math::easing::EaseMode,
        model::{ChannelPath, Clip, Component, FrameRange, Key, Object, ObjectId, Property, Rig},
    };
    use std::sync::Arc;

    #[test]
    fn a_segment_that_becomes_hermite_keeps_its_shape() {
        let mut document = Document::default();
        let object: ObjectId = document.add_object(Object::rig("rig", Rig::default()));
        let path = ChannelPath::object(object, Property::Translation, Component::X);
        let keys = [(0.0, 0.0), (1.0, 2.0), (2.0, 1.0), (3.5, 4.0)];
        for from in [Interpolation::Linear, Interpolation::CatmullRom, Interpolation::Bezier, Interpolation::Expo] {
            let keys = keys.map(|(t, v)| Key { interpolation: from, ..Key::new(t, v) });
            let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
            let mut clip = Clip::new("clip", FrameRange::new(0, 90));
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve.clone()))));
            let clip = document.add_clip(clip);
            let mut selected = KeySelection::default();
            for key in &keys {
                selected.insert(CurveRef { clip, path }, key.time);
            }
            let edit = Edit::from(KeyEdit::SetInterpolation { keys: selected, interpolation: Interpolation::Hermite });
            edit.apply(&mut document).unwrap();
            let channels = &document.clip(clip).unwrap().channels;
            let after = channels[&path].scalar_keys().unwrap();
            assert!(after.keys.iter().all(|key| key.slope_in.is_finite() && key.slope_out.is_finite()));
            if matches!(from, Interpolation::Linear | Interpolation::CatmullRom) {
                for step in 0..=70 {
                    let secs = f64::from(step) * 0.05;
                    let off = value(after, secs).unwrap() - value(&curve, secs).unwrap();
                    assert!(off.abs() < 1e-9, "{from:?} at {secs}: {off}");
                }
            }
        }
    }

    #[test]
    fn back_elastic_and_bounce_come_out_unless_the_key_was_an_ease_before() {
        let mut document = Document::default();
        let object: ObjectId = document.add_object(Object::rig("rig", Rig::default()));
        let path = ChannelPath::object(object, Property::Translation, Component::Y);
        let mut clip = Clip::new("clip", FrameRange::new(0, 24));
        let keys = [Key::new(0.0, 2.0), Key::new(1.0, 0.0)];
        let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let clip = document.add_clip(clip);
        let keys: KeySelection = [(CurveRef { clip, path }, 0.0)].into_iter().collect();
        let mut mode_after = |interpolation| {
            let edit = Edit::from(KeyEdit::SetInterpolation { keys: keys.clone(), interpolation });
            edit.apply(&mut document).unwrap();
            document.clip(clip).unwrap().channels[&path].scalar_keys().unwrap().keys.get(0).unwrap().ease.mode
        };
        assert_eq!(mode_after(Interpolation::Sine), EaseMode::InOut);
        assert_eq!(mode_after(Interpolation::Bounce), EaseMode::InOut);
        assert_eq!(mode_after(Interpolation::Linear), EaseMode::InOut);
        for interpolation in Interpolation::GROUPS[3] {
            mode_after(Interpolation::Linear);
            assert_eq!(mode_after(*interpolation), EaseMode::Out, "{interpolation:?}");
        }
    }
}
