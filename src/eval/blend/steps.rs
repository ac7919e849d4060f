//! Marks of step, found from when the feet come down.

use crate::{
    eval::{
        Evaluator,
        contacts::{Stillness, contacts},
        limbs::{Role, Side},
        size::skeleton_size,
    },
    model::{ClipId, Document, Marker, MarkerColour, MarkerId, ObjectId},
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
    let frames: Vec<f64> = (marked.range.first..=marked.range.last).map(|frame| rate.secs(frame)).collect();
    let stillness = Stillness::of_size(skeleton_size(&rig.skeleton), true);
    let mut next = marked.fresh_marker_id().0;
    let mut found = Vec::new();
    for leg in limbs.of_role(Role::Leg) {
        let (name, colour) = match leg.side {
            Side::Left => ("left", MarkerColour::Green),
            Side::Right => ("right", MarkerColour::Orange),
            Side::Middle => continue,
        };
        let place = |secs: &f64| Some(evaluator.frame(&plain, *secs).joint_world(object, leg.end())?.translation);
        let places: Vec<_> = frames.iter().map(place).collect::<Option<_>>()?;
        let stands = contacts(&places, rate.frame_secs(), &stillness);
        // A foot that stands over the loop's seam comes down at the end, not at the begin.
        let at_begin = stands.first().is_some_and(|(from, _)| *from == 0);
        let over_seam = at_begin && stands.len() > 1 && stands.last().is_some_and(|(_, to)| to + 1 == frames.len());
        for (from, _) in stands.into_iter().skip(usize::from(over_seam)) {
            found.push(Marker { id: MarkerId(next), time: frames[from], name: name.to_owned(), colour, sync: true });
            next = next.saturating_add(1);
        }
    }
    Some(found)
}
