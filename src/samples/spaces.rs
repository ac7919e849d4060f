//! The blend spaces of the sample motions: speed along a line, speed and direction in the plane, and a mask for waving.

use super::round6;
use crate::{
    eval::blend::steps::marks_of_step,
    math::Vec3,
    model::{
        Axis, BlendScheme, BlendSpace, ChannelPath, ClipId, Component, Curve, Document, JointId, ObjectId, Plays,
        Property, ScalarCurve, SpaceSample, Sync,
        joint_mask::{JointMask, feathered},
        names::find_clip,
    },
};

/// The clips that go somewhere.
const GOING: [&str; 6] = ["Walk", "Run", "Strafe left", "Strafe right", "Tired walk", "Limp"];

/// Says of the clips which travel and when their feet come down, and adds the spaces and the mask.
pub(super) fn add_to(document: &mut Document, rig: ObjectId) {
    let going: Vec<ClipId> = GOING.iter().filter_map(|name| find_clip(document, name)).collect();
    for clip in going {
        let marks = marks_of_step(document, rig, clip).unwrap_or_default();
        if let Some(clip) = document.clip_mut(clip) {
            clip.travels = true;
            clip.markers = marks;
        }
    }
    let speed = |name: &str| find_clip(document, name).map_or(0.0, |clip| velocity(document, rig, clip).norm());
    let (walk, run) = (speed("Walk"), speed("Run"));
    let along = [Axis::new("speed", "m/s", [0.0, run.ceil()]), Axis::new("", "", [0.0, 1.0])];
    let mut gait = BlendSpace::new("Gait", along);
    gait.sync = Sync::Markers;
    gait.samples = [("Idle", 0.0), ("Walk", walk), ("Run", run)]
        .into_iter()
        .filter_map(|(name, at)| Some(SpaceSample::new(Plays::Clip(find_clip(document, name)?), [round6(at), 0.0])))
        .collect();
    let reach = run.ceil();
    let plane = [Axis::new("left", "m/s", [-reach, reach]), Axis::new("forward", "m/s", [-reach, reach])];
    let mut directions = BlendSpace::new("Directions", plane);
    (directions.sync, directions.scheme) = (Sync::Markers, BlendScheme::Directional);
    directions.samples = ["Idle", "Walk", "Run", "Strafe left", "Strafe right"]
        .into_iter()
        .filter_map(|name| {
            let clip = find_clip(document, name)?;
            let way = if name == "Idle" { Vec3::zeros() } else { velocity(document, rig, clip) };
            Some(SpaceSample::new(Plays::Clip(clip), [round6(way.x), round6(way.z)]))
        })
        .collect();
    document.add_space(gait);
    document.add_space(directions);
    let Some(skeleton) = document.object(rig).and_then(|object| object.as_rig()).map(|rig| rig.skeleton.clone()) else {
        return;
    };
    if let Some(arm) = skeleton.joints().iter().position(|joint| joint.name == "upper_arm.r") {
        let weights = feathered(&skeleton, arm, &[0.9, 0.5, 0.2]);
        document.add_mask(JointMask::of_weights("Right arm", &skeleton, &weights));
    }
}

/// How fast the root goes over the ground in a clip, metres a second.
fn velocity(document: &Document, rig: ObjectId, clip: ClipId) -> Vec3 {
    let Some(clip) = document.clip(clip) else { return Vec3::zeros() };
    let secs = document.settings.rate.secs(clip.range.last - clip.range.first);
    let gone = |component| {
        let path = ChannelPath::joint(rig, JointId(0), Property::Translation, component);
        match clip.channels.get(&path).map(|curve| &**curve) {
            Some(Curve::Scalar(ScalarCurve::Keyed(curve))) => match (curve.keys.first(), curve.keys.last()) {
                (Some(first), Some(last)) => (last.value - first.value) / secs,
                _ => 0.0,
            },
            _ => 0.0,
        }
    };
    Vec3::new(gone(Component::X), 0.0, gone(Component::Z))
}
