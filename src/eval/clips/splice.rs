//! One clip set after another: where the first leaves the figure, and the way it faces, the second goes on.

use crate::{
    eval::{
        dense::{Grid, poses, remade},
        mirror::{Mirror, is_moved},
    },
    math::{Transform, rotation::rotation_angle},
    model::{Clip, ClipId, Document, FrameRange, LoopMode, Marker, ObjectId},
    progress::{Cancelled, Progress},
};

/// Two clips in one.
#[derive(Clone, Debug)]
pub struct Spliced {
    /// The clip: a value a frame, from the first frame of the first clip on. The last frame of the first clip is the first of
    /// the second.
    pub clip: Clip,
    /// By how much the second was turned about the vertical, radians.
    pub turned: f64,
    /// The greatest turn of a joint that is left at the seam, radians.
    pub jump: f64,
}

/// A clip of a rig with another one after it. The second is brought across the ground to where the first leaves the figure:
/// the place, and the turn about the vertical (the twist of the carrying joint); height and lean are its own. None where
/// there is no such rig or clip, or one of them does not move the rig.
///
/// # Errors
/// Where someone asks to stop.
pub fn spliced(
    document: &Document,
    object: ObjectId,
    (first, second): (ClipId, ClipId),
    progress: &Progress,
) -> Result<Option<Spliced>, Cancelled> {
    let found = (|| {
        let rig = document.object(object)?.as_rig()?;
        let (one, other) = (document.clip(first)?, document.clip(second)?);
        (one.moves(object) && other.moves(object)).then_some((rig, one, other))
    })();
    let Some((rig, one, other)) = found else { return Ok(None) };
    progress.start("", one.range.len().saturating_add(other.range.len()));
    let Some(mut joined) = poses(document, (object, first), progress)? else { return Ok(None) };
    let Some(mut after) = poses(document, (object, second), progress)? else { return Ok(None) };
    let (Some(end), Some(start)) = (joined.last().cloned(), after.first().cloned()) else { return Ok(None) };
    let skeleton = &rig.skeleton;
    let mut turned = 0.0;
    if let Some(mirror) = Mirror::of_object(document, object) {
        let moved = |joint: usize, rest: &Transform| {
            joined.iter().chain(&after).any(|pose| pose.get(joint).is_some_and(|local| is_moved(local, rest)))
        };
        if let Some(standing) = mirror.standing(document, object, moved)
            && let (Some(to), Some(from)) = (end.get(standing.carrier()), start.get(standing.carrier()))
        {
            let way = standing.way(from, to);
            turned = way.turn();
            for pose in &mut after {
                let mut named: Vec<(usize, Transform)> = pose.iter().copied().enumerate().collect();
                standing.go(&mut named, skeleton.parents(), &way);
                *pose = named.into_iter().map(|(_, local)| local).collect();
            }
        }
    }
    let brought = after.first().unwrap_or(&start);
    let turns = end.iter().zip(brought).map(|(a, b)| rotation_angle(&(a.rotation.inverse() * b.rotation)));
    let jump = turns.fold(0.0, f64::max);
    joined.pop();
    let before = i64::try_from(joined.len()).unwrap_or(i64::MAX);
    joined.append(&mut after);
    let rate = document.settings.rate;
    let range = FrameRange::new(one.range.first, one.range.last.saturating_add(other.range.last - other.range.first));
    let grid = Grid { object, start: rate.secs(one.range.first), rate };
    let mut clip = Clip { range, ..remade(one, object, grid.of_poses(skeleton, &joined)) };
    clip.loop_mode = LoopMode::Once;
    clip.travels = one.travels || other.travels;
    clip.name = format!("{} + {}", one.name, other.name);
    // Marks of the second go along; those of the first at the seam itself are of its last frame.
    let shift = rate.secs(one.range.first.saturating_add(before)) - rate.secs(other.range.first);
    let (from, to) = (rate.secs(other.range.first), rate.secs(other.range.last));
    for marker in other.markers.iter().filter(|marker| marker.time >= from && marker.time <= to) {
        let (id, time) = (clip.fresh_marker_id(), marker.time + shift);
        if clip.markers.iter().all(|known| (known.time - time).abs() > 1e-6 || known.name != marker.name) {
            clip.markers.push(Marker { id, time, ..marker.clone() });
        }
    }
    Ok(Some(Spliced { clip, turned, jump }))
}
