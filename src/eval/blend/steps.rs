//! Marks of step, found from when the feet come down.

use crate::{
    eval::{
        Evaluator,
        contacts::{Stillness, contacts},
        limbs::{Role, Side},
        size::skeleton_size,
    },
    model::{ClipId, Document, Marker, MarkerColour, MarkerId, ObjectId, Skeleton},
};

/// When the feet of a rig come down in a clip: markers of step named `left` and `right`, with ids that the clip has free. The
/// clip must be one in which standing feet stand still; where none does, there are none. None where there is no such rig or
/// clip.
#[must_use]
pub fn marks_of_step(document: &Document, object: ObjectId, clip: ClipId) -> Option<Vec<Marker>> {
    let rig = document.object(object)?.as_rig()?;
    let marked = document.clip(clip)?;
    let mut plain = document.clone();
    let played = plain.object_mut(object)?;
    played.layers.clear();
    played.clip = Some(clip);
    let evaluator = Evaluator::new();
    let limbs = evaluator.limbs(&plain, object)?;
    let rate = document.settings.rate;
    // Between frames too: a running foot stands for few of them.
    let step = rate.frame_secs() / FINER;
    let first = rate.secs(marked.range.first);
    let count = ((rate.secs(marked.range.last) - first) / step).round().clamp(0.0, MOST_PLACES) as u32;
    let times: Vec<f64> = (0..=count).map(|at| first + f64::from(at) * step).collect();
    let stillness = Stillness::of_size(skeleton_size(&rig.skeleton), true);
    let mut next = marked.fresh_marker_id().0;
    let mut found = Vec::new();
    for leg in limbs.of_role(Role::Leg) {
        let (name, colour) = match leg.side {
            Side::Left => ("left", MarkerColour::Green),
            Side::Right => ("right", MarkerColour::Orange),
            Side::Middle => continue,
        };
        // The heel comes down first, or the ball: whichever joint of the foot stands.
        let mut stands: Vec<(usize, usize)> = Vec::new();
        for joint in foot(&rig.skeleton, leg.end()) {
            let place = |secs: &f64| Some(evaluator.frame(&plain, *secs).joint_world(object, joint)?.translation);
            let places: Vec<_> = times.iter().map(place).collect::<Option<_>>()?;
            stands.extend(contacts(&places, step, &stillness));
        }
        let stands = together(stands);
        // A foot that stands over the loop's seam comes down at the end, not at the begin.
        let at_begin = stands.first().is_some_and(|(from, _)| *from == 0);
        let over_seam = at_begin && stands.len() > 1 && stands.last().is_some_and(|(_, to)| to + 1 == times.len());
        for (from, _) in stands.into_iter().skip(usize::from(over_seam)) {
            found.push(Marker { id: MarkerId(next), time: times[from], name: name.to_owned(), colour, sync: true });
            next = next.saturating_add(1);
        }
    }
    Some(found)
}

/// Into how many parts a frame is cut to find when a foot comes down.
const FINER: f64 = 4.0;

/// How many places of a foot are looked at, at most.
const MOST_PLACES: f64 = 200_000.0;

/// The joint at a leg's end and those below it.
fn foot(skeleton: &Skeleton, end: usize) -> Vec<usize> {
    let mut joints = vec![end];
    for (joint, parent) in skeleton.parents().iter().enumerate() {
        if parent.is_some_and(|parent| joints.contains(&parent)) && !skeleton.joints()[joint].is_end() {
            joints.push(joint);
        }
    }
    joints
}

/// Stretches that overlap or touch as one, in order.
fn together(mut stretches: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    stretches.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in stretches {
        match joined.last_mut().filter(|last| from <= last.1 + 1) {
            Some(last) => last.1 = last.1.max(to),
            None => joined.push((from, to)),
        }
    }
    joined
}
