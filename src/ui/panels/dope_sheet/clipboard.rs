//! Copies of keys of any curves, and keys found by row and time.

use crate::{
    edit::{CurveEdit, CurveRef, Edit, KeySelection, columns::COLUMN_SECS},
    eval::curve::{self, rotation},
    interact::tools::copied_keys::{CopiedCurve, CopiedKeys},
    model::{
        ChannelPath, Clip, ClipId, Curve, FrameRate, Key, KeyedCurve, KeyedRotation, Keys, RotationCurve, RotationKey,
        ScalarCurve, Value, clip::SAME_TIME_SECS, keys::Timed,
    },
};
use std::sync::Arc;

/// The keys of a selection in a clip.
pub(super) fn copy(clip: &Clip, id: ClipId, keys: &KeySelection) -> CopiedKeys {
    let own = || keys.curves().filter(|(at, _)| at.clip == id);
    let clock = |at: CurveRef| clip.clock(at.path.target);
    let first = own().filter_map(|(at, times)| Some(clock(at).shown(*times.first()?)));
    let first = first.fold(f64::INFINITY, f64::min);
    let copied = own().filter_map(|(at, times)| {
        let clock = clock(at);
        let after = |time: f64| clock.shown(time) - first;
        let keys = match &**clip.channels.get(&at.path)? {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => CopiedCurve::Scalar(
                at_times(&curve.keys, times).map(|key| Key { time: after(key.time), ..key }).collect(),
            ),
            Curve::Rotation(RotationCurve::Keyed(curve)) => CopiedCurve::Rotation(
                at_times(&curve.keys, times).map(|key| RotationKey { time: after(key.time), ..key }).collect(),
            ),
            _ => return None,
        };
        Some((at.path, keys))
    });
    CopiedKeys { curves: copied.collect() }
}

/// The copied keys put where they are shown from a time on, each in its own channel, and what is selected then. A channel that is captured, or
/// of another kind, is passed over.
pub(super) fn paste(
    copied: &CopiedKeys,
    clip: &Clip,
    id: ClipId,
    secs: f64,
    rate: FrameRate,
) -> Option<(Edit, KeySelection)> {
    let (mut curves, mut selected) = (Vec::new(), KeySelection::new());
    let place = |time: f64| {
        let (at, frame) = (secs + time, rate.snap(secs + time));
        if (at - frame).abs() <= 1e-9 { frame } else { at }
    };
    for (path, copied) in &copied.curves {
        let at = CurveRef { clip: id, path: *path };
        let clock = clip.clock(path.target);
        let place = |time: f64| clock.source(place(time));
        let before = clip.channels.get(path).map(|curve| (**curve).clone());
        let after = match (copied, before) {
            (CopiedCurve::Scalar(new), before @ (None | Some(Curve::Scalar(ScalarCurve::Keyed(_))))) => {
                let mut curve = match before {
                    Some(Curve::Scalar(ScalarCurve::Keyed(curve))) => curve,
                    _ => KeyedCurve::default(),
                };
                put(&mut curve.keys, new.iter().map(|key| Key { time: place(key.time), ..*key }));
                Curve::Scalar(ScalarCurve::Keyed(curve))
            }
            (CopiedCurve::Rotation(new), before @ (None | Some(Curve::Rotation(RotationCurve::Keyed(_))))) => {
                let mut curve = match before {
                    Some(Curve::Rotation(RotationCurve::Keyed(curve))) => curve,
                    _ => KeyedRotation::default(),
                };
                put(&mut curve.keys, new.iter().map(|key| RotationKey { time: place(key.time), ..*key }));
                Curve::Rotation(RotationCurve::Keyed(curve))
            }
            _ => continue,
        };
        let times: Vec<f64> = match copied {
            CopiedCurve::Scalar(keys) => keys.iter().map(|key| place(key.time)).collect(),
            CopiedCurve::Rotation(keys) => keys.iter().map(|key| place(key.time)).collect(),
        };
        selected.set_times(at, times);
        curves.push((at, Arc::new(after)));
    }
    (!curves.is_empty()).then(|| (CurveEdit::Replace { curves }.into(), selected))
}

fn at_times<K: Timed>(keys: &Keys<K>, times: &[f64]) -> impl Iterator<Item = K> {
    times.iter().filter_map(|time| keys.index_at(*time).and_then(|index| keys.get(index)))
}

fn put<K: Timed>(keys: &mut Keys<K>, new: impl Iterator<Item = K>) {
    for key in new {
        while let Some(index) = keys.index_near(key.time(), SAME_TIME_SECS) {
            keys.remove(index);
        }
        keys.insert(key);
    }
}

/// The keys of channels that are shown from one time to another, both inclusive, seconds.
pub(super) fn keys_between(clip: &Clip, id: ClipId, channels: &[ChannelPath], from: f64, to: f64) -> KeySelection {
    fn times<K: Timed>(keys: &Keys<K>, from: f64, to: f64) -> Vec<f64> {
        let range = keys.count_at_or_before(from - COLUMN_SECS)..keys.count_at_or_before(to + COLUMN_SECS);
        range.filter_map(|index| keys.get(index).map(|key| key.time())).collect()
    }
    let mut found = KeySelection::new();
    for path in channels {
        let Some(curve) = clip.channels.get(path) else { continue };
        let clock = clip.clock(path.target);
        let (from, to) = (clock.source(from), clock.source(to));
        let times = match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => times(&curve.keys, from, to),
            Curve::Rotation(RotationCurve::Keyed(curve)) => times(&curve.keys, from, to),
            _ => continue,
        };
        found.set_times(CurveRef { clip: id, path: *path }, times);
    }
    found
}

/// What a keyed curve shows at a time; none for a captured one.
pub(super) fn value_at(curve: &Curve, secs: f64) -> Option<Value> {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve::value(curve, secs).map(Value::Scalar),
        Curve::Rotation(RotationCurve::Keyed(curve)) => rotation::rotation(curve, secs).map(Value::Rotation),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::{Vec3, rotation::from_axis_angle},
        model::{
            Component, Document, FrameRange, Object, ObjectId, Property, Rig, RotationInterpolation, RotationMode,
            Target,
        },
    };

    #[test]
    fn keys_of_numbers_and_of_rotations_are_pasted_whole() {
        let mut document = Document::default();
        let rig = Object { rotation: RotationMode::Quaternion, ..Object::rig("rig", Rig::default()) };
        let object: ObjectId = document.add_object(rig);
        let (x, turn) = (
            ChannelPath::object(object, Property::Translation, Component::X),
            ChannelPath { target: Target::Object(object), property: Property::Rotation, component: Component::Whole },
        );
        let mut clip = Clip::new("clip", FrameRange::new(0, 48));
        let keys = [Key { tension: 0.5, ..Key::new(0.5, 3.0) }, Key::new(1.0, 4.0)].into_iter().collect();
        let curve = KeyedCurve { keys, ..KeyedCurve::default() };
        clip.channels.insert(x, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let key = RotationKey::new(1.0, from_axis_angle(&Vec3::x(), 1.0), RotationInterpolation::Squad);
        let track = KeyedRotation { keys: [key].into_iter().collect() };
        clip.channels.insert(turn, Arc::new(Curve::Rotation(RotationCurve::Keyed(track))));
        let id = document.add_clip(clip);
        let clip = document.clip(id).unwrap().clone();
        let chosen = keys_between(&clip, id, &[x, turn], 0.5, 1.0);
        assert_eq!(chosen.len(), 3);
        let copied = copy(&clip, id, &chosen);
        // Onto the frame to the bit, over a key that is there.
        let (edit, selected) = paste(&copied, &clip, id, 1.0, FrameRate::FPS_24).unwrap();
        edit.apply(&mut document).unwrap();
        let after = document.clip(id).unwrap();
        let keys: Vec<Key> = after.channels[&x].scalar_keys().unwrap().keys.iter().collect();
        assert_eq!(
            keys.iter().map(|key| (key.time, key.value)).collect::<Vec<_>>(),
            [(0.5, 3.0), (1.0, 3.0), (1.5, 4.0)]
        );
        assert_eq!(keys[1].tension, 0.5);
        let Curve::Rotation(RotationCurve::Keyed(track)) = &*after.channels[&turn] else { panic!("keyed") };
        assert_eq!(track.keys.get(1), Some(RotationKey { time: 1.5, ..key }));
        let mut kept = selected.clone();
        kept.retain_existing(&document);
        assert_eq!((kept, selected.len()), (selected, 3));
    }
}
