//! The walk: the document the program starts with.

use super::{
    biped,
    gait::{self, CYCLE_SECS, CYCLES, Side},
    round6,
};
use crate::{
    math::{EulerOrder, Quat, rotation},
    model::{
        ChannelPath, Clip, Component, Curve, Document, FrameRange, Handle, JointId, Key, KeyedCurve, Keys, Object,
        ObjectId, Property, Rig, ScalarCurve,
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// Frames between keys from which on derived handles do.
const LOOSE: i64 = 6;

/// The rotation order of every joint.
const ORDER: EulerOrder = EulerOrder::Zxy;

/// What moves a joint: its values at a time, in the order of its axes X, Y, Z.
struct Track {
    joint: &'static str,
    property: Property,
    /// Frames between keys: legs need more than arms to keep the feet in place.
    spacing: i64,
    values: Box<dyn Fn(f64, [f64; 3]) -> [f64; 3]>,
}

impl Track {
    /// A rotation; the triple nearest the one before is taken, so that no angle jumps.
    fn rotation(joint: &'static str, spacing: i64, at: impl Fn(f64) -> Quat + 'static) -> Self {
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

fn tracks() -> Vec<Track> {
    let mut tracks = vec![
        Track {
            joint: "hips",
            property: Property::Translation,
            spacing: 3,
            values: Box::new(|secs, _| gait::hips(secs).position.into()),
        },
        Track::rotation("hips", 3, |secs| gait::hips(secs).rotation()),
        Track::rotation("spine", 6, |secs| gait::spine(secs).spine),
        Track::rotation("chest", 6, |secs| gait::spine(secs).chest),
        Track::rotation("neck", 6, |secs| gait::spine(secs).neck),
        Track::rotation("head", 6, |secs| gait::spine(secs).head),
    ];
    for (side, names) in [
        (Side::Left, ["clavicle.l", "upper_arm.l", "forearm.l", "hand.l", "thigh.l", "shin.l", "foot.l", "toe.l"]),
        (Side::Right, ["clavicle.r", "upper_arm.r", "forearm.r", "hand.r", "thigh.r", "shin.r", "foot.r", "toe.r"]),
    ] {
        let [clavicle, upper, forearm, hand, thigh, shin, foot, toe] = names;
        tracks.push(Track::rotation(clavicle, 6, move |secs| gait::arm(side, secs).clavicle));
        tracks.push(Track::rotation(upper, 6, move |secs| gait::arm(side, secs).upper));
        tracks.push(Track::rotation(forearm, 6, move |secs| gait::arm(side, secs).forearm));
        tracks.push(Track::rotation(hand, 6, move |secs| gait::arm(side, secs).hand));
        tracks.push(Track::rotation(thigh, 2, move |secs| gait::leg(side, secs).thigh));
        tracks.push(Track::rotation(shin, 2, move |secs| gait::leg(side, secs).shin));
        tracks.push(Track::rotation(foot, 2, move |secs| gait::leg(side, secs).foot));
        tracks.push(Track::rotation(toe, 2, move |secs| gait::leg(side, secs).toe));
    }
    tracks
}

/// The slopes of a track's values, by central differences of the fourth order: smooth to far below the rounding.
fn slopes(track: &Track, secs: f64, values: [f64; 3]) -> [f64; 3] {
    let h = 1.0 / 960.0;
    let at = |steps: f64| (track.values)(secs + steps * h, values);
    let (far_before, before, after, far_after) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
    std::array::from_fn(|axis| (8.0 * (after[axis] - before[axis]) - (far_after[axis] - far_before[axis])) / (12.0 * h))
}

/// The biped and its walk once round a circle; the last frame is the first again.
pub(super) fn document() -> Document {
    let mut document = Document::default();
    let skeleton = Arc::new(biped::skeleton());
    let joints: BTreeMap<String, JointId> = skeleton.joints().iter().map(|j| (j.name.clone(), j.id)).collect();
    let rig = document.add_object(Object::rig("Biped", Rig { skeleton, ..Rig::default() }));
    let rate = document.settings.rate;
    let last = rate.nearest_frame(f64::from(CYCLES) * CYCLE_SECS);
    let mut clip = Clip::new("Walk", FrameRange::new(0, last));
    for track in tracks() {
        if let Some(joint) = joints.get(track.joint) {
            add_track(&mut clip, rig, *joint, &track, last, |frame| rate.secs(frame));
        }
    }
    let clip = document.add_clip(clip);
    let settings = Arc::make_mut(&mut document.settings);
    settings.clip = Some(clip);
    settings.play_range = FrameRange::new(0, last);
    document
}

fn add_track(clip: &mut Clip, rig: ObjectId, joint: JointId, track: &Track, last: i64, secs: impl Fn(i64) -> f64) {
    let mut keys: [Vec<Key>; 3] = Default::default();
    let mut values = (track.values)(0.0, [0.0; 3]);
    for frame in (0..=last).step_by(usize::try_from(track.spacing).unwrap_or(1)) {
        values = (track.values)(secs(frame), values);
        // Derived handles would do for the arms. The feet need the true slope at each key to stay in place between keys,
        // and so do the ends, where a derived handle cannot see over the loop.
        let slopes = (track.spacing < LOOSE || frame == 0 || frame == last).then(|| slopes(track, secs(frame), values));
        for axis in 0..3 {
            let mut key = Key::new(secs(frame), round6(values[axis]));
            (key.handle_in, key.handle_out) = match slopes {
                Some(slopes) => {
                    let dt = round6(secs(track.spacing) / 3.0);
                    let dv = round6(dt * slopes[axis]);
                    (Handle::Aligned(-dt, round6(-dv)), Handle::Aligned(dt, dv))
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
