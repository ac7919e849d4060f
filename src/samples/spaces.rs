//! The blend spaces of the sample motions: speed along a line, speed and direction in the plane, and a mask for waving.

use super::round6;
use crate::{
    eval::blend::{steps::marks_of_step, travel::velocity},
    math::Vec3,
    model::{
        Axis, BlendScheme, BlendSpace, BlendSpaceId, ClipId, Document, ObjectId, Plays, SpaceSample, Sync,
        joint_mask::{JointMask, feathered},
        names::find_clip,
    },
};

/// The clips that go somewhere.
const GOING: [&str; 6] = ["Walk", "Run", "Strafe left", "Strafe right", "Tired walk", "Limp"];

/// Says of the clips which travel and when their feet come down, and adds the space of idling, walking and running by speed.
pub(super) fn add_gait(document: &mut Document, rig: ObjectId) -> BlendSpaceId {
    let going: Vec<ClipId> = GOING.iter().filter_map(|name| find_clip(document, name)).collect();
    for clip in going {
        let marks = marks_of_step(document, rig, clip).unwrap_or_default();
        if let Some(clip) = document.clip_mut(clip) {
            clip.travels = true;
            clip.markers = marks;
        }
    }
    let way = |name: &str| velocity(document, rig, find_clip(document, name)?);
    let speed = |name: &str| way(name).map_or(0.0, |way| way.norm());
    let (walk, run) = (speed("Walk"), speed("Run"));
    let along = [Axis::new("speed", "m/s", [0.0, run.ceil()]), Axis::new("", "", [0.0, 1.0])];
    let mut gait = BlendSpace::new("Gait", along);
    gait.sync = Sync::Markers;
    gait.samples = [("Idle", 0.0), ("Walk", walk), ("Run", run)]
        .into_iter()
        .filter_map(|(name, at)| Some(SpaceSample::new(Plays::Clip(find_clip(document, name)?), [round6(at), 0.0])))
        .collect();
    document.add_space(gait)
}

/// As [`add_gait`], with a space of directions in the plane and a mask for waving.
pub(super) fn add_to(document: &mut Document, rig: ObjectId) {
    add_gait(document, rig);
    let run = find_clip(document, "Run").and_then(|clip| velocity(document, rig, clip));
    let reach = run.map_or(0.0, |way| way.norm()).ceil();
    let plane = [Axis::new("right", "m/s", [-reach, reach]), Axis::new("forward", "m/s", [-reach, reach])];
    let mut directions = BlendSpace::new("Directions", plane);
    (directions.sync, directions.scheme) = (Sync::Markers, BlendScheme::Directional);
    directions.samples = ["Idle", "Walk", "Run", "Strafe left", "Strafe right"]
        .into_iter()
        .filter_map(|name| {
            let clip = find_clip(document, name)?;
            let way = if name == "Idle" { Vec3::zeros() } else { velocity(document, rig, clip)? };
            // As one sees it from above: of one that looks along Z the right is against X.
            Some(SpaceSample::new(Plays::Clip(clip), [round6(0.0 - way.x), round6(way.z)]))
        })
        .collect();
    document.add_space(directions);
    let Some(skeleton) = document.object(rig).and_then(|object| object.as_rig()).map(|rig| rig.skeleton.clone()) else {
        return;
    };
    if let Some(arm) = skeleton.joints().iter().position(|joint| joint.name == "upper_arm.r") {
        let weights = feathered(&skeleton, arm, &[0.9, 0.5, 0.2]);
        document.add_mask(JointMask::of_weights("Right arm", &skeleton, &weights));
    }
}
