//! Keys put each to its own time and value.

use super::{
    CurveRef, EditError, KeySelection,
    curves::existing_curve_mut,
    error::finite,
    key_lists::{change_keys, put, take},
};
use crate::model::{
    Curve, Document, Key, KeyedCurve, KeyedRotation, Keys, RotationCurve, RotationKey, ScalarCurve,
    clip::SAME_TIME_SECS, keys::Timed,
};

/// Puts keys of one curve (`from`, `to`, value; seconds) where they go. Keys of rotations take the time only.
pub(super) fn place(document: &mut Document, at: CurveRef, places: &[(f64, f64, f64)]) -> Result<(), EditError> {
    for (_, to, value) in places {
        finite("a time", *to)?;
        finite("a value", *value)?;
    }
    let mut places = places.to_vec();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    check_apart(at, &places)?;
    match existing_curve_mut(document, at)? {
        Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, .. })) => {
            run(keys, at, &places, |key, time, value| Key { time, value, ..*key })
        }
        Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys })) => {
            run(keys, at, &places, |key, time, _| RotationKey { time, ..*key })
        }
        Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {
            Err(EditError::Sampled(at.path))
        }
    }
}

/// That no two of the keys would share a time.
fn check_apart(at: CurveRef, places: &[(f64, f64, f64)]) -> Result<(), EditError> {
    let mut times: Vec<f64> = places.iter().map(|(_, to, _)| *to).collect();
    times.sort_by(f64::total_cmp);
    let shared = times.windows(2).filter(|pair| pair[1] - pair[0] <= SAME_TIME_SECS).count();
    if shared == 0 { Ok(()) } else { Err(EditError::OneTime { path: at.path, count: shared + 1 }) }
}

fn run<K: Timed>(
    keys: &mut Keys<K>,
    at: CurveRef,
    places: &[(f64, f64, f64)],
    moved: impl Fn(&K, f64, f64) -> K,
) -> Result<(), EditError> {
    let times: Vec<f64> = places.iter().map(|(from, ..)| *from).collect();
    let mut next = places.iter();
    if places.iter().all(|(from, to, _)| from == to) {
        return change_keys(keys, at, &times, |key| {
            if let Some((_, to, value)) = next.next() {
                *key = moved(key, *to, *value);
            }
        });
    }
    let taken = take(keys, at, &times)?;
    put(keys, taken.iter().zip(next).map(|(key, (_, to, value))| moved(key, *to, *value)).collect());
    Ok(())
}

/// Where selected keys of the curve are after [`place`].
pub(super) fn follow(selected: &KeySelection, at: CurveRef, places: &[(f64, f64, f64)]) -> KeySelection {
    let mut places = places.to_vec();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let to = |time: f64| {
        let found = places.binary_search_by(|(from, ..)| from.total_cmp(&time)).ok();
        found.and_then(|index| places.get(index)).map_or(time, |(_, to, _)| *to)
    };
    let mut moved = selected.clone();
    moved.set_times(at, selected.times(at).iter().map(|time| to(*time)).collect());
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{KeyEdit, Session},
        math::Vec3,
        model::{ChannelPath, Clip, Component, FrameRange, Joint, JointId, Object, Property, Rig, Skeleton},
    };
    use std::sync::Arc;

    fn session(keys: &[(f64, f64)]) -> (Session, CurveRef) {
        let mut document = Document::default();
        let skeleton = Skeleton::new(vec![Joint::new(JointId(0), "hips", None, Vec3::zeros())]).unwrap();
        let rig = Rig { skeleton: Arc::new(skeleton), ..Rig::default() };
        let object = document.add_object(Object::rig("rig", rig));
        let path = ChannelPath::joint(object, JointId(0), Property::Rotation, Component::X);
        let mut clip = Clip::new("clip", FrameRange::new(0, 10));
        let keys = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
        let curve = KeyedCurve { keys, ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let clip = document.add_clip(clip);
        (Session::new(document), CurveRef { clip, path })
    }

    fn keys(session: &Session, at: CurveRef) -> Vec<(f64, f64)> {
        let curve = &session.document().clip(at.clip).unwrap().channels[&at.path];
        curve.scalar_keys().unwrap().keys.iter().map(|key| (key.time, key.value)).collect()
    }

    #[test]
    fn keys_go_each_to_its_place_and_the_selection_with_them() {
        for extra in [0, 200] {
            let mut all = vec![(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)];
            all.extend((0..extra).map(|i| (10.0 + f64::from(i), 0.0)));
            let (mut session, at) = session(&all);
            let mut selection = session.selection().clone();
            selection.keys = KeySelection::of(at, &[1.0, 2.0]);
            session.select(selection);
            // One passes another, one lands on a key that did not move.
            let mut places = vec![(2.0, 0.5, -1.0), (1.0, 3.0, 7.0)];
            places.extend((0..extra).map(|i| (10.0 + f64::from(i), 20.0 + f64::from(i), 5.0)));
            session.apply("history.move_keys", &KeyEdit::Place { curve: at, keys: places }.into()).unwrap();
            assert_eq!(keys(&session, at)[..3], [(0.0, 0.0), (0.5, -1.0), (3.0, 7.0)]);
            assert_eq!(keys(&session, at).len(), 3 + extra as usize);
            assert_eq!(session.selection().keys, KeySelection::of(at, &[0.5, 3.0]));
            session.undo();
            assert_eq!(keys(&session, at), all);
            assert_eq!(session.selection().keys, KeySelection::of(at, &[1.0, 2.0]));
        }
    }

    #[test]
    fn two_keys_cannot_have_one_time_and_numbers_must_be_finite() {
        let (mut session, at) = session(&[(0.0, 0.0), (1.0, 1.0)]);
        for places in [
            vec![(0.0, 5.0, 0.0), (1.0, 5.0, 1.0)],
            vec![(0.0, f64::NAN, 0.0)],
            vec![(0.0, 0.0, f64::INFINITY)],
            vec![(0.5, 0.6, 0.0)],
        ] {
            let edit = KeyEdit::Place { curve: at, keys: places };
            assert!(session.apply("history.move_keys", &edit.clone().into()).is_err(), "{edit:?}");
        }
        assert_eq!(keys(&session, at), [(0.0, 0.0), (1.0, 1.0)]);
    }
}
