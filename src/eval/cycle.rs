//! A clip made to go round: its last pose becomes its first, and what is between them is spread over all of it.
//!
//! A joint that ends turned by `D` from where it began is turned by `D^(1/2 - u)` along the clip, `u` from 0 to 1: half the
//! rest at either end, at an even rate, so that speeds at the seam stay as alike as they were. The way over the ground is
//! kept, or taken out at an even rate.

use super::{
    dense::{Grid, poses, remade},
    retarget::{Figure, ReferencePose},
};
use crate::{
    math::{
        Transform, Vec3,
        rotation::{pow_short, rotation_angle},
    },
    model::{Clip, ClipId, Document, LoopMode, ObjectId},
    progress::{Cancelled, Progress},
};

/// What becomes of the way over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Travel {
    /// It is kept: the last frame is the first, further on.
    Kept,
    /// It is taken out: the figure steps on the spot.
    InPlace,
}

/// A clip that goes round.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The clip.
    pub clip: Clip,
    /// The greatest turn between the first and the last pose that was spread, radians.
    pub turn: f64,
    /// The way over the ground from the first frame to the last, metres.
    pub way: f64,
}

/// A clip of a rig made to go round over its range. The result is dense, with corrections, retimes and pins in its curves.
/// None where there is no such rig or clip, or fewer than two frames.
///
/// # Errors
/// Where someone asks to stop.
pub fn cycle(
    document: &Document,
    (object, clip): (ObjectId, ClipId),
    travel: Travel,
    progress: &Progress,
) -> Result<Option<Cycle>, Cancelled> {
    let found = (|| {
        let rig = document.object(object)?.as_rig()?;
        Some((rig, document.clip(clip)?, Figure::of_object(document, object, ReferencePose::Found)?))
    })();
    let Some((rig, own, figure)) = found else { return Ok(None) };
    progress.start("", own.range.len());
    let Some(mut poses) = poses(document, (object, clip), progress)? else { return Ok(None) };
    if poses.len() < 2 {
        return Ok(None);
    }
    // What the body travels in: the parent's space of the joint that carries it.
    let carrier = figure.travels();
    let above = figure.skeleton().parents().get(carrier).copied().flatten();
    let above = above.map_or(figure.upright, |parent| figure.rotations[parent]);
    let up = above.inverse() * Vec3::y();
    let (first, last) = (poses[0].clone(), poses[poses.len() - 1].clone());
    let count = (poses.len() - 1) as f64;
    let mut turn = 0.0_f64;
    let mut way = 0.0;
    for joint in 0..first.len() {
        let rest = last[joint].rotation.inverse() * first[joint].rotation;
        turn = turn.max(rotation_angle(&rest));
        let mut moved = first[joint].translation - last[joint].translation;
        let mut even = Vec3::zeros();
        if joint == carrier {
            let level = moved - up * moved.dot(&up);
            way = level.norm();
            moved -= level;
            if travel == Travel::InPlace {
                even = level;
            }
        }
        for (frame, pose) in poses.iter_mut().enumerate() {
            let u = frame as f64 / count;
            let local: &mut Transform = &mut pose[joint];
            local.rotation *= pow_short(&rest, u - 0.5);
            local.translation += moved * (u - 0.5) + even * u;
        }
    }
    // To the bit, but for the way.
    if let Some(end) = poses.last().map(Vec::len) {
        let start = poses[0].clone();
        let last = poses.len() - 1;
        for joint in 0..end {
            let kept = poses[last][joint].translation;
            poses[last][joint] = start[joint];
            if joint == carrier && travel == Travel::Kept {
                poses[last][joint].translation = kept;
            }
        }
    }
    let rate = document.settings.rate;
    let grid = Grid { object, start: rate.secs(own.range.first), rate };
    let clip = Clip { loop_mode: LoopMode::Loop, ..remade(own, object, grid.of_poses(&rig.skeleton, &poses)) };
    Ok(Some(Cycle { clip, turn, way }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelPath, Component, Curve, FrameRange, FrameRate, JointId, Property, Samples, ScalarCurve};
    use std::sync::Arc;

    /// The sample figure with a clip that drifts: hips forward, up and turning.
    fn drifting() -> (Document, ObjectId, ClipId) {
        let mut document = crate::samples::start();
        let (object, ..) = document.rigs().next().unwrap();
        let mut clip = Clip::new("drift", FrameRange::new(3, 27));
        let rate = document.settings.rate;
        let mut put = |property, component, value: &dyn Fn(f64) -> f64| {
            let path = ChannelPath::joint(object, JointId(0), property, component);
            let values = (0..25).map(|i| value(f64::from(i) / 24.0)).collect();
            let samples = Samples::new(FrameRate::secs(rate, 3), rate, values);
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        };
        put(Property::Translation, Component::Z, &|u| 1.2 * u + 0.02 * (9.0 * u).sin());
        put(Property::Translation, Component::Y, &|u| 0.98 + 0.03 * u);
        put(Property::Rotation, Component::X, &|u| 0.2 * u + 0.1 * (6.0 * u).sin());
        let clip = document.add_clip(clip);
        (document, object, clip)
    }

    #[test]
    fn the_last_pose_is_the_first_and_the_way_is_kept_or_taken_out() {
        let (mut document, object, clip) = drifting();
        for (travel, wanted) in [(Travel::Kept, true), (Travel::InPlace, false)] {
            let cycle = cycle(&document, (object, clip), travel, &Progress::new()).unwrap().unwrap();
            assert!(cycle.turn > 0.1 && (cycle.way - (1.2 + 0.02 * 9f64.sin())).abs() < 1e-12);
            let at = document.add_clip(cycle.clip);
            let poses = poses(&document, (object, at), &Progress::new()).unwrap().unwrap();
            let (first, last) = (&poses[0], &poses[poses.len() - 1]);
            for (a, b) in first.iter().zip(last) {
                assert!(rotation_angle(&(a.rotation.inverse() * b.rotation)) < 1e-12);
            }
            let way = last[0].translation - first[0].translation;
            assert!((way.z - if wanted { cycle.way } else { 0.0 }).abs() < 1e-12, "{way}");
            assert!(way.x.abs() < 1e-12 && way.y.abs() < 1e-12);
            // What is spread is spread evenly: no frame jumps.
            let steps = poses.windows(2).map(|pair| (pair[1][0].translation - pair[0][0].translation).norm());
            assert!(steps.fold(0.0, f64::max) < 0.1);
            assert_eq!(document.problems(), []);
        }
    }

    #[test]
    fn a_clip_of_one_frame_goes_nowhere() {
        let (mut document, object, clip) = drifting();
        document.clip_mut(clip).unwrap().range = FrameRange::new(3, 3);
        assert!(cycle(&document, (object, clip), Travel::Kept, &Progress::new()).unwrap().is_none());
    }
}
