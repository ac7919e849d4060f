//! When the keys of what moves a joint are shown.

use crate::model::{
    Clip, Component, Curve, Keys, Property, RotationCurve, ScalarCurve, Target, channel::ChannelPath,
    clip::SAME_TIME_SECS, keys::Timed,
};

/// The times within an interval at which a key of any of some targets is shown, in order, each once, seconds: through the
/// retimes. Keys of corrections count, but for the neutral ones at their ends; samples do not.
#[must_use]
pub fn key_times(clip: &Clip, targets: &[Target], (start, end): (f64, f64)) -> Vec<f64> {
    let mut times = Vec::new();
    for &target in targets {
        let window = (clip.source_secs(target, start), clip.source_secs(target, end));
        let mut own = Vec::new();
        let first = ChannelPath { target, property: Property::Translation, component: Component::X };
        let last = ChannelPath { target, property: Property::Scale, component: Component::Whole };
        for (_, curve) in clip.channels.range(first..=last) {
            add(curve, window, None, &mut own);
        }
        for correction in clip.corrections.iter().filter(|correction| !correction.muted) {
            for (_, curve) in correction.deltas.range(first..=last) {
                add(curve, window, Some(correction.range), &mut own);
            }
        }
        times.extend(own.into_iter().map(|secs| clip.shown_secs(target, secs)));
    }
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() <= SAME_TIME_SECS);
    times
}

/// The nearest times before and after a time, at least `apart` seconds from it, at which a key of any of some targets is
/// shown, within an interval; none where there is no such key.
#[must_use]
pub fn neighbour_keys(
    clip: &Clip,
    targets: &[Target],
    secs: f64,
    apart: f64,
    within: (f64, f64),
) -> (Option<f64>, Option<f64>) {
    let apart = apart.max(0.0) - SAME_TIME_SECS;
    let times = key_times(clip, targets, within);
    let before = times.iter().rev().find(|time| **time <= secs - apart);
    let after = times.iter().find(|time| **time >= secs + apart);
    (before.copied(), after.copied())
}

fn add(curve: &Curve, window: (f64, f64), inside: Option<(f64, f64)>, times: &mut Vec<f64>) {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => of_keys(&curve.keys, window, inside, times),
        Curve::Rotation(RotationCurve::Keyed(curve)) => of_keys(&curve.keys, window, inside, times),
        Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {}
    }
}

fn of_keys<K: Timed>(keys: &Keys<K>, (start, end): (f64, f64), inside: Option<(f64, f64)>, times: &mut Vec<f64>) {
    let is_inside = |time: f64| inside.is_none_or(|(a, b)| time > a + SAME_TIME_SECS && time < b - SAME_TIME_SECS);
    let first = keys.count_at_or_before(start - SAME_TIME_SECS);
    let within = (first..).map_while(|index| keys.time(index));
    times.extend(within.take_while(|time| *time <= end + SAME_TIME_SECS).filter(|time| is_inside(*time)));
}
