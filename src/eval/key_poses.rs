//! When an object's key poses are: the times at which a key of any of its channels is shown.

use crate::eval::follow::has_say;
use crate::model::{
    ChannelPath, Clip, Correction, Curve, Document, Keys, ObjectId, RotationCurve, ScalarCurve, Target,
    clip::SAME_TIME_SECS, keys::Timed,
};
use std::sync::Arc;

/// The nearest key poses of an object before or after a time, at most `count` of them, nearest first, at the times at which
/// they are shown: through the retimes. Keys of corrections count, but for the neutral ones at their ends; samples do not, and no channels
/// without a say.
#[must_use]
pub fn neighbours(
    document: &Document,
    clip: &Clip,
    object: ObjectId,
    secs: f64,
    count: usize,
    forward: bool,
) -> Vec<f64> {
    let mut times = Vec::new();
    if count == 0 {
        return times;
    }
    // Most targets are read at the time shown.
    let near = |target: Target, curve: &Curve, within: Option<(f64, f64)>, times: &mut Vec<f64>| {
        let mut own = Vec::new();
        Near { secs: clip.source_secs(target, secs), count, forward }.of_curve(curve, within, &mut own);
        times.extend(own.into_iter().map(|time| clip.shown_secs(target, time)));
    };
    let own = |path: ChannelPath| path.target.object() == object && has_say(document, path);
    for (path, curve) in clip.channels.iter().filter(|(path, _)| own(**path)) {
        near(path.target, curve, None, &mut times);
    }
    for correction in clip.corrections.iter().filter(|correction| !correction.muted) {
        for (path, curve) in correction.deltas.iter().filter(|(path, _)| path.target.object() == object) {
            near(path.target, curve, Some(correction.range), &mut times);
        }
    }
    times.retain(|time| (time - secs).abs() > SAME_TIME_SECS);
    times.sort_by(|a, b| (a - secs).abs().total_cmp(&(b - secs).abs()));
    times.dedup_by(|a, b| (*a - *b).abs() <= SAME_TIME_SECS);
    times.truncate(count);
    times
}

/// The times at which the corrections of an object begin, hold a pose, and end, as they are shown, ascending: what there is of
/// key poses in captured motion. Muted ones have none.
#[must_use]
pub fn corrected(clip: &Clip, object: ObjectId) -> Vec<f64> {
    let of = |correction: &Arc<Correction>| {
        let target = correction.deltas.keys().map(|path| path.target).find(|target| target.object() == object)?;
        let (start, end) = correction.range;
        let own = [start].into_iter().chain(correction.poses()).chain([end]);
        Some(own.map(|secs| clip.shown_secs(target, secs)).collect::<Vec<_>>())
    };
    let acting = clip.corrections.iter().filter(|correction| !correction.muted);
    let mut times: Vec<f64> = acting.filter_map(of).flatten().filter(|secs| secs.is_finite()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() <= SAME_TIME_SECS);
    times
}

#[derive(Clone, Copy)]
struct Near {
    secs: f64,
    count: usize,
    forward: bool,
}

impl Near {
    fn of_curve(self, curve: &Curve, within: Option<(f64, f64)>, times: &mut Vec<f64>) {
        match curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => self.of_keys(&curve.keys, within, times),
            Curve::Rotation(RotationCurve::Keyed(curve)) => self.of_keys(&curve.keys, within, times),
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {}
        }
    }

    fn of_keys<K: Timed>(self, keys: &Keys<K>, within: Option<(f64, f64)>, times: &mut Vec<f64>) {
        let inside =
            |time: f64| within.is_none_or(|(start, end)| time > start + SAME_TIME_SECS && time < end - SAME_TIME_SECS);
        let mut index = if self.forward {
            Some(keys.count_at_or_before(self.secs + SAME_TIME_SECS))
        } else {
            keys.count_at_or_before(self.secs - SAME_TIME_SECS).checked_sub(1)
        };
        for _ in 0..self.count {
            let Some(key) = index.and_then(|index| keys.get(index)) else { break };
            // A key at exactly the bound counts as being there already.
            if (key.time() - self.secs).abs() > SAME_TIME_SECS && inside(key.time()) {
                times.push(key.time());
            }
            index = index.and_then(|index| if self.forward { index.checked_add(1) } else { index.checked_sub(1) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Component, CorrectionId, FrameRange, JointId, Key, KeyedCurve, Phi, Property, Retime, RetimeId, RetimeScope,
    };

    fn curve(times: &[f64]) -> Arc<Curve> {
        let keys = Keys::from_unsorted(times.iter().map(|t| Key::new(*t, 0.0)).collect()).0;
        Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() })))
    }

    #[test]
    fn the_nearest_of_all_channels_come_first_and_each_once() {
        let mut clip = Clip::new("walk", FrameRange::new(0, 100));
        let path = |object, component| ChannelPath::object(ObjectId(object), Property::Translation, component);
        clip.channels.insert(path(1, Component::X), curve(&[0.0, 1.0, 2.0, 3.0]));
        clip.channels.insert(path(1, Component::Y), curve(&[1.5, 2.0]));
        clip.channels.insert(path(2, Component::Y), curve(&[1.1]));
        let of = |secs, count, forward| neighbours(&Document::default(), &clip, ObjectId(1), secs, count, forward);
        assert_eq!(of(1.0, 3, true), [1.5, 2.0, 3.0]);
        assert_eq!(of(1.0, 3, false), [0.0]);
        assert_eq!(of(2.5, 2, false), [2.0, 1.5]);
        assert!(of(1.0, 0, true).is_empty());
        assert!(neighbours(&Document::default(), &clip, ObjectId(9), 1.0, 5, true).is_empty());
    }

    #[test]
    fn corrections_begin_pose_and_end_where_they_are_shown() {
        let mut clip = Clip::new("take", FrameRange::new(0, 100));
        let path = |object| ChannelPath::joint(ObjectId(object), JointId(0), Property::Translation, Component::X);
        let correction = |id, object, muted, times: [f64; 3]| {
            let deltas = [(path(object), curve(&times))].into();
            let (id, name, range) = (CorrectionId(id), String::new(), (times[0], times[2]));
            Arc::new(Correction { id, name, muted, scale: 1.0, range, deltas, solved: [].into() })
        };
        clip.corrections = vec![
            correction(0, 1, false, [1.0, 1.5, 2.0]),
            correction(1, 2, false, [0.1, 0.2, 0.3]),
            correction(2, 1, true, [0.4, 0.5, 0.6]),
            correction(3, 1, false, [2.0, 3.0, 4.0]),
        ];
        assert_eq!(corrected(&clip, ObjectId(1)), [1.0, 1.5, 2.0, 3.0, 4.0]);
        assert!(corrected(&clip, ObjectId(7)).is_empty());
    }

    #[test]
    fn a_retimed_pose_is_where_it_is_shown() {
        let mut clip = Clip::new("walk", FrameRange::new(0, 100));
        let path = ChannelPath::object(ObjectId(1), Property::Translation, Component::X);
        clip.channels.insert(path, curve(&[0.0, 1.0, 2.0, 3.0]));
        let phi = Phi::new(vec![(0.0, 0.0), (1.5, 2.0), (3.0, 3.0)]).unwrap();
        let (id, name, scope) = (RetimeId(0), String::new(), RetimeScope::Whole);
        clip.retimes.push(Arc::new(Retime { id, name, muted: false, object: ObjectId(1), scope, phi: phi.clone() }));
        let is = |secs, forward, wanted: &[f64]| {
            let found = neighbours(&Document::default(), &clip, ObjectId(1), secs, 2, forward);
            let near = found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(found.len() == wanted.len() && near, "{found:?} is not {wanted:?}");
        };
        is(0.0, true, &[phi.inverse(1.0), 1.5]);
        is(1.5, false, &[phi.inverse(1.0), 0.0]);
        is(2.0, true, &[3.0]);
    }
}
