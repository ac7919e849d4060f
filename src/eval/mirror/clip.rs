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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::rotation_angle;

    #[test]
    fn a_clip_mirrored_twice_is_the_clip() {
        let mut document = crate::samples::start();
        let (object, ..) = document.rigs().next().unwrap();
        let clip = document.clip_of(object).unwrap();
        let before = poses(&document, (object, clip), &Progress::new()).unwrap().unwrap();
        let mut at = clip;
        for turn in 0..2 {
            let mirrored = mirrored_clip(&document, object, at, &Progress::new()).unwrap().unwrap();
            at = document.add_clip(mirrored);
            let after = poses(&document, (object, at), &Progress::new()).unwrap().unwrap();
            let off = before.iter().zip(&after).flat_map(|(a, b)| a.iter().zip(b));
            let off = off.map(|(a, b)| {
                rotation_angle(&(a.rotation.inverse() * b.rotation)).max((a.translation - b.translation).norm())
            });
            let off = off.fold(0.0, f64::max);
            assert!(if turn == 0 { off > 0.1 } else { off < 1e-9 }, "{turn}: {off}");
        }
        let problems = document.problems();
        assert_eq!(problems, []);
    }

    #[test]
    fn what_is_not_there_is_not_mirrored() {
        let document = crate::samples::start();
        let (object, ..) = document.rigs().next().unwrap();
        assert!(mirrored_clip(&document, object, ClipId(999), &Progress::new()).unwrap().is_none());
        assert!(mirrored_clip(&document, ObjectId(999), ClipId(1), &Progress::new()).unwrap().is_none());
        let progress = Progress::new();
        progress.cancel();
        let clip = document.clip_of(object).unwrap();
        assert!(mirrored_clip(&document, object, clip, &progress).is_err());
    }
}
