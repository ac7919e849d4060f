//! A whole clip mirrored.

use super::Mirror;
use crate::{
    eval::dense::{Grid, poses, remade},
    model::{Clip, ClipId, Document, ObjectId},
    progress::{Cancelled, Progress},
};

/// A clip of a rig as a mirror shows it: at each frame the left side does what the right side did. The result is dense, with
/// corrections, retimes and pins in its curves. None where there is no such rig or clip.
///
/// # Errors
/// Where someone asks to stop.
pub fn mirrored_clip(
    document: &Document,
    object: ObjectId,
    clip: ClipId,
    progress: &Progress,
) -> Result<Option<Clip>, Cancelled> {
    let Some((mirror, rig, own)) = (|| {
        let rig = document.object(object)?.as_rig()?;
        Some((Mirror::of_object(document, object)?, rig, document.clip(clip)?))
    })() else {
        return Ok(None);
    };
    progress.start("", own.range.len());
    let Some(poses) = poses(document, (object, clip), progress)? else { return Ok(None) };
    let poses: Vec<_> = poses.iter().map(|pose| mirror.pose(pose)).collect();
    let rate = document.settings.rate;
    let grid = Grid { object, start: rate.secs(own.range.first), rate };
    Ok(Some(remade(own, object, grid.of_poses(&rig.skeleton, &poses))))
}
