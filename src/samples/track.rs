//! A motion as a clip of the biped: keys of every joint, with the slopes the motion has there.

use super::{
    gait::{Motion, Side},
    round6,
};
use crate::{
    math::{EulerOrder, Quat, rotation},
    model::{
        ChannelPath, Clip, Component, Curve, FrameRange, FrameRate, Handle, JointId, Key, KeyedCurve, Keys, ObjectId,
        Property, ScalarCurve, Skeleton,
    },
};
use std::sync::Arc;

/// Frames between keys from which on derived handles do.
const LOOSE: i64 = 6;

/// The rotation order of every joint.
const ORDER: EulerOrder = EulerOrder::Zxy;

/// What moves a joint: its values at a time, in the order of its axes X, Y, Z.
struct Track<'a> {
    joint: &'static str,
    property: Property,
    /// Frames between keys: legs need more than arms to keep the feet in place.
    spacing: i64,
    values: Box<dyn Fn(f64, [f64; 3]) -> [f64; 3] + 'a>,
}

impl<'a> Track<'a> {
    /// A rotation; the triple nearest the one before is taken, so that no angle jumps.
    fn rotation(joint: &'static str, spacing: i64, at: impl Fn(f64) -> Quat + 'a) -> Self {
        let values = move |secs: f64, before: [f64; 3]| {
            by_axis(rotation::nearest_euler(ORDER, &at(secs), ORDER.axes().map(|axis| before[axis])))
        };
        Self { joint, property: Property::Rotation, spacing, values: Box::new(values) }
    }
}

/// A triple in the order of rotation, by axis.
fn by_axis(triple: [f64; 3]) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (axis, angle) in ORDER.axes().into_iter().zip(triple) {
        out[axis] = angle;
    }
    out
}

fn tracks(motion: &dyn Motion) -> Vec<Track<'_>> {
    let mut tracks = vec![
        Track {
            joint: "hips",
            property: Property::Translation,
            spacing: 3,
            values: Box::new(|secs, _| motion.hips(secs).position.into()),
        },
        Track::rotation("hips", 3, |secs| motion.hips(secs).rotation()),
        Track::rotation("spine", 6, |secs| motion.spine(secs).spine),
        Track::rotation("chest", 6, |secs| motion.spine(secs).chest),
        Track::rotation("neck", 6, |secs| motion.spine(secs).neck),
        Track::rotation("head", 6, |secs| motion.spine(secs).head),
    ];
    for (side, names) in [
        (Side::Left, ["clavicle.l", "upper_arm.l", "forearm.l", "hand.l", "thigh.l", "shin.l", "foot.l", "toe.l"]),
        (Side::Right, ["clavicle.r", "upper_arm.r", "forearm.r", "hand.r", "thigh.r", "shin.r", "foot.r", "toe.r"]),
    ] {
        let [clavicle, upper, forearm, hand, thigh, shin, foot, toe] = names;
        tracks.push(Track::rotation(clavicle, 6, move |secs| motion.arm(side, secs).clavicle));
        tracks.push(Track::rotation(upper, 6, move |secs| motion.arm(side, secs).upper));
        tracks.push(Track::rotation(forearm, 6, move |secs| motion.arm(side, secs).forearm));
        tracks.push(Track::rotation(hand, 6, move |secs| motion.arm(side, secs).hand));
        tracks.push(Track::rotation(thigh, 2, move |secs| motion.leg(side, secs).thigh));
        tracks.push(Track::rotation(shin, 2, move |secs| motion.leg(side, secs).shin));
        tracks.push(Track::rotation(foot, 2, move |secs| motion.leg(side, secs).foot));
        tracks.push(Track::rotation(toe, 2, move |secs| motion.leg(side, secs).toe));
    }
    tracks
}

/// The slopes of a track's values, by central differences of the fourth order: smooth to far below the rounding.
fn slopes(track: &Track<'_>, secs: f64, values: [f64; 3]) -> [f64; 3] {
    let h = 1.0 / 960.0;
    let at = |steps: f64| (track.values)(secs + steps * h, values);
    let (far_before, before, after, far_after) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
    std::array::from_fn(|axis| (8.0 * (after[axis] - before[axis]) - (far_after[axis] - far_before[axis])) / (12.0 * h))
}

/// A motion, some times over, as a clip of a rig with the biped's joints.
pub(super) fn clip(name: &str, motion: &dyn Motion, times: i64, rig: ObjectId, skeleton: &Skeleton) -> Clip {
    let last = motion.frames() * times;
    let mut clip = Clip::new(name, FrameRange::new(0, last));
    for track in tracks(motion) {
        if let Some(joint) = skeleton.joints().iter().find(|joint| joint.name == track.joint) {
            add_track(&mut clip, rig, joint.id, &track, last);
        }
    }
    clip
}

/// The frames of a track's keys; the last is always one.
fn frames(spacing: i64, last: i64) -> Vec<i64> {
    let mut frames: Vec<i64> = (0..=last).step_by(usize::try_from(spacing).unwrap_or(1)).collect();
    if frames.last() != Some(&last) {
        frames.push(last);
    }
    frames
}

fn add_track(clip: &mut Clip, rig: ObjectId, joint: JointId, track: &Track<'_>, last: i64) {
    let secs = |frame| FrameRate::default().secs(frame);
    let mut keys: [Vec<Key>; 3] = Default::default();
    let mut values = (track.values)(0.0, [0.0; 3]);
    let frames = frames(track.spacing, last);
    for (i, frame) in frames.iter().copied().enumerate() {
        values = (track.values)(secs(frame), values);
        // Derived handles would do for the arms. The feet need the true slope at each key to stay in place between keys,
        // and so do the ends, where a derived handle cannot see over the loop.
        let slopes = (track.spacing < LOOSE || frame == 0 || frame == last).then(|| slopes(track, secs(frame), values));
        let gap = |other: Option<usize>| {
            let frames = other.and_then(|i| frames.get(i)).map_or(track.spacing, |other| (frame - other).abs());
            round6(secs(frames) / 3.0)
        };
        let (before, after) = (gap(i.checked_sub(1)), gap(Some(i + 1)));
        for axis in 0..3 {
            let mut key = Key::new(secs(frame), round6(values[axis]));
            (key.handle_in, key.handle_out) = match slopes {
                Some(slopes) => {
                    let rise = |dt: f64| round6(dt * slopes[axis]);
                    (Handle::Aligned(-before, round6(-rise(before))), Handle::Aligned(after, rise(after)))
                }
                None => (Handle::Auto, Handle::Auto),
            };
            keys[axis].push(key);
        }
    }
    for (component, keys) in Component::AXES.into_iter().zip(keys) {
        // A channel that never leaves its rest value needs no curve.
        if track.property == Property::Rotation && keys.iter().all(|key| key.value == 0.0) {
            continue;
        }
        let keys: Keys<Key> = keys.into_iter().collect();
        let curve = KeyedCurve { keys, ..KeyedCurve::default() };
        let path = ChannelPath::joint(rig, joint, track.property, component);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    }
}
