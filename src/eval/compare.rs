//! How far apart two motions of like skeletons are: the world distance of each joint, over the frames of the first.

use super::Evaluator;
use crate::{
    model::{Document, FrameRange, ObjectId, names::joint_name},
    progress::{Cancelled, Progress},
};
use serde::Serialize;

/// A rig's motion in a document.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// The document.
    pub document: &'a Document,
    /// The rig object in it.
    pub object: ObjectId,
}

/// The distance of two motions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The frames compared, at the first document's rate; the second motion is read at the same seconds.
    pub frames: (i64, i64),
    /// The joints of both, in the first rig's order.
    pub joints: Vec<JointDistance>,
    /// Joints of the first rig that the second does not have, by name.
    pub only_a: Vec<String>,
    /// Joints of the second rig that the first does not have, by name.
    pub only_b: Vec<String>,
}

/// The distance of one joint between two motions, world space, metres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointDistance {
    /// Its name.
    pub joint: String,
    /// The mean over the frames.
    pub mean_m: f64,
    /// The largest.
    pub max_m: f64,
    /// The frame of the largest, the first of equals.
    pub worst_frame: i64,
}

impl Comparison {
    /// The joint that is furthest off at any frame; none where no joint is in both.
    #[must_use]
    pub fn worst(&self) -> Option<&JointDistance> {
        self.joints.iter().max_by(|a, b| a.max_m.total_cmp(&b.max_m))
    }
}

/// Compares two motions frame by frame. Joints are matched by name. The frames are those of the clip the first rig plays,
/// else of the play range.
///
/// # Errors
/// [`Cancelled`] where that was asked for.
pub fn compare(a: Motion<'_>, b: Motion<'_>, progress: &Progress) -> Result<Comparison, Cancelled> {
    let frames = frames(a);
    let (rows, only_a) = matched(a, b);
    let (_, only_b) = matched(b, a);
    let mut sums: Vec<JointDistance> = rows
        .iter()
        .map(|(name, ..)| JointDistance { joint: name.clone(), mean_m: 0.0, max_m: 0.0, worst_frame: frames.first })
        .collect();
    let evaluators = (Evaluator::new(), Evaluator::new());
    progress.start("Comparing", frames.len());
    for frame in frames.first..=frames.last {
        progress.check()?;
        let secs = a.document.settings.rate.secs(frame);
        let shown = (evaluators.0.frame(a.document, secs), evaluators.1.frame(b.document, secs));
        for (row, (_, index_a, index_b)) in sums.iter_mut().zip(&rows) {
            let places = (shown.0.joint_world(a.object, *index_a), shown.1.joint_world(b.object, *index_b));
            let (Some(place), Some(other)) = places else { continue };
            let distance = (place.translation - other.translation).norm();
            row.mean_m += distance;
            if distance > row.max_m {
                (row.max_m, row.worst_frame) = (distance, frame);
            }
        }
        progress.advance(1);
    }
    for row in &mut sums {
        row.mean_m /= frames.len() as f64;
    }
    Ok(Comparison { frames: (frames.first, frames.last), joints: sums, only_a, only_b })
}

fn frames(motion: Motion<'_>) -> FrameRange {
    let clip = motion.document.clip_of(motion.object).and_then(|clip| motion.document.clip(clip));
    clip.map_or(motion.document.settings.play_range, |clip| clip.range)
}

/// The joints of the first that the second has too, with their indices, and the names of those it has not.
fn matched(a: Motion<'_>, b: Motion<'_>) -> (Vec<(String, usize, usize)>, Vec<String>) {
    let skeleton = |motion: Motion<'_>| Some(motion.document.object(motion.object)?.as_rig()?.skeleton.clone());
    let (Some(first), Some(second)) = (skeleton(a), skeleton(b)) else { return Default::default() };
    let index: std::collections::BTreeMap<String, usize> = second
        .joints()
        .iter()
        .enumerate()
        .filter_map(|(at, joint)| Some((joint_name(&second, joint.id)?, at)))
        .collect();
    let (mut both, mut missing) = (Vec::new(), Vec::new());
    for (at, joint) in first.joints().iter().enumerate() {
        let Some(name) = joint_name(&first, joint.id) else { continue };
        match index.get(&name) {
            Some(other) => both.push((name, at, *other)),
            None => missing.push(name),
        }
    }
    (both, missing)
}
