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
