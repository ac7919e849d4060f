//! From what is to be done with clips to edits of the document. Each is one step of undo; the play range goes along where it
//! was the whole of the clip.

use super::{ClipEdit, Edit, EditError};
use crate::{
    edit::{ObjectEdit, SettingsEdit},
    eval::{
        clips::{
            remap::{TimeMap, remapped},
            splice,
            switching::{Stage, SwitchPlan},
        },
        cycle::{Travel, cycle},
    },
    model::{Clip, ClipId, Document, FrameRange, ObjectId, names},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// What may be stopped, and may be refused.
pub type Worked = Result<Result<Edit, EditError>, Cancelled>;

/// A name that no clip of a document has: the wanted one, or with the first number from 2 on that is free.
#[must_use]
pub fn free_clip_name(document: &Document, wanted: &str) -> String {
    names::free(wanted, |name| document.clips.values().any(|clip| clip.name == name))
}

/// The most frames that are made of clips at once: hours of captured motion, and of a figure's poses a gigabyte.
const MOST_FRAMES: u64 = 500_000;

/// Refuses more frames than can be held at once.
pub(in crate::edit) fn few_enough(frames: u64) -> Result<(), EditError> {
    if frames > MOST_FRAMES { Err(EditError::TooManyFrames(frames, MOST_FRAMES)) } else { Ok(()) }
}

fn known(document: &Document, clip: ClipId) -> Result<&Arc<Clip>, EditError> {
    document.clip(clip).ok_or(EditError::NoClip(clip))
}

/// The edit that puts a clip in the place of what it was; the play range goes along where it was the whole of it.
#[must_use]
pub fn in_place(document: &Document, clip: ClipId, with: Clip) -> Edit {
    let old = document.clip(clip).map(|old| old.range);
    let plays = document.settings.clip == Some(clip) || document.objects.values().any(|o| o.clip == Some(clip));
    let range = with.range;
    let replace = Edit::from(ClipEdit::Replace { clip, with: Arc::new(with) });
    if plays && old == Some(document.settings.play_range) && old != Some(range) {
        return Edit::Batch(vec![replace, SettingsEdit::SetPlayRange(range).into()]);
    }
    replace
}

/// The edit that has an object play a clip. Where the whole of the former one played, the whole of this one plays then; a
/// range of one's own stays.
#[must_use]
pub fn played_by(document: &Document, object: ObjectId, clip: ClipId) -> Edit {
    let set = Edit::from(ObjectEdit::SetClip { object, clip: Some(clip) });
    let range = |id: ClipId| document.clip(id).map(|clip| clip.range);
    let whole = document.clip_of(object).and_then(range) == Some(document.settings.play_range);
    match range(clip).filter(|_| whole) {
        Some(range) => Edit::Batch(vec![set, SettingsEdit::SetPlayRange(range).into()]),
        None => set,
    }
}

/// The edit that cuts a clip to some of its frames. What its curves hold beyond them is kept: the clip can be made longer
/// again.
///
/// # Errors
/// Where there is no such clip.
pub fn trimmed(document: &Document, clip: ClipId, range: FrameRange) -> Result<Edit, EditError> {
    let found = known(document, clip)?;
    Ok(in_place(document, clip, Clip { range, ..(**found).clone() }))
}

/// The edit that adds a copy of a clip, listed after it.
///
/// # Errors
/// Where there is no such clip.
pub fn copied(document: &Document, clip: ClipId) -> Result<Edit, EditError> {
    let found = known(document, clip)?;
    let id = ClipId(document.next_id);
    let copy = Clip { name: free_clip_name(document, &found.name), ..(**found).clone() };
    let mut order = document.listed_clips();
    let at = order.iter().position(|other| *other == clip).map_or(order.len(), |at| at + 1);
    order.insert(at, id);
    Ok(Edit::Batch(vec![ClipEdit::Add { id, clip: Arc::new(copy) }.into(), SettingsEdit::SetClipOrder(order).into()]))
}

/// The edit that lists a clip at a place among the others; beyond the end counts as the end.
///
/// # Errors
/// Where there is no such clip.
pub fn listed_at(document: &Document, clip: ClipId, to: usize) -> Result<Edit, EditError> {
    let mut order = document.listed_clips();
    let at = order.iter().position(|other| *other == clip).ok_or(EditError::NoClip(clip))?;
    order.remove(at);
    order.insert(to.min(order.len()), clip);
    Ok(SettingsEdit::SetClipOrder(order).into())
}

/// The edit that runs a clip backwards within its frames.
///
/// # Errors
/// Where there is no such clip. The outer error is that someone asked to stop.
pub fn reversed(document: &Document, clip: ClipId, progress: &Progress) -> Worked {
    let found = match known(document, clip).and_then(|found| few_enough(found.range.len()).map(|()| found)) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let map = TimeMap::reversed(found.range, document.settings.rate);
    let made = remapped(document, clip, map, found.range, progress)?;
    Ok(made.map(|made| in_place(document, clip, made)).ok_or(EditError::NoClip(clip)))
}

/// The edit that runs a clip faster or slower, so that its last frame, counted from its first, is another.
///
/// # Errors
/// Where there is no such clip, it has no length or would have none. The outer error is that someone asked to stop.
pub fn time_scaled(document: &Document, clip: ClipId, frames: i64, progress: &Progress) -> Worked {
    let found = match known(document, clip) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    if let Err(error) = few_enough(frames.unsigned_abs().max(found.range.len())) {
        return Ok(Err(error));
    }
    let last = found.range.first.saturating_add(frames);
    let Some(map) = TimeMap::scaled(found.range, last, document.settings.rate) else {
        return Ok(Err(EditError::NoLength(clip)));
    };
    let made = remapped(document, clip, map, FrameRange::new(found.range.first, last), progress)?;
    Ok(made.map(|made| in_place(document, clip, made)).ok_or(EditError::NoClip(clip)))
}

/// How far over the ground a clip that goes round must lead to be one that travels, metres.
const TRAVELS: f64 = 0.01;

/// The edit that makes a clip of a rig go round: its last pose becomes its first; the way over the ground is kept or taken
/// out.
///
/// # Errors
/// Where there is no such rig or clip, it does not move the rig or has no length. The outer error is that someone asked to
/// stop.
pub fn looped(document: &Document, object: ObjectId, clip: ClipId, travel: Travel, progress: &Progress) -> Worked {
    if let Err(error) = moving(document, object, clip) {
        return Ok(Err(error));
    }
    let Some(found) = cycle(document, (object, clip), travel, progress)? else {
        return Ok(Err(EditError::NoLength(clip)));
    };
    let travels = travel == Travel::Kept && found.way > TRAVELS;
    Ok(Ok(in_place(document, clip, Clip { travels, ..found.clip })))
}

/// The edit that adds a clip of two, the second brought to where the first leaves the figure; with by how much it was turned
/// and the greatest turn of a joint left at the seam, radians.
///
/// # Errors
/// Where there is no such rig or clip, or one does not move the rig. The outer error is that someone asked to stop.
pub fn spliced(
    document: &Document,
    object: ObjectId,
    (first, second): (ClipId, ClipId),
    progress: &Progress,
) -> Result<Result<(Edit, f64, f64), EditError>, Cancelled> {
    for clip in [first, second] {
        if let Err(error) = moving(document, object, clip) {
            return Ok(Err(error));
        }
    }
    let Some(made) = splice::spliced(document, object, (first, second), progress)? else {
        return Ok(Err(EditError::NoLength(first)));
    };
    let id = ClipId(document.next_id);
    let clip = Clip { name: free_clip_name(document, &made.clip.name), ..made.clip };
    Ok(Ok((ClipEdit::Add { id, clip: Arc::new(clip) }.into(), made.turned, made.jump)))
}

/// The edit that adds a clip of a switch from one clip to another.
///
/// # Errors
/// Where there is no such rig or clip, or one does not move the rig, or a time is no number. The outer error is that someone
/// asked to stop.
pub fn switched(document: &Document, plan: SwitchPlan, name: &str, progress: &Progress) -> Worked {
    for clip in [plan.from, plan.to] {
        if let Err(error) = moving(document, plan.object, clip) {
            return Ok(Err(error));
        }
    }
    if !(plan.at >= 0.0 && plan.at.is_finite() && plan.entry >= 0.0 && plan.entry.is_finite()) {
        return Ok(Err(EditError::BadNumber { what: "a time of a switch", value: plan.at + plan.entry }));
    }
    let Some(stage) = Stage::new(document, plan) else { return Ok(Err(EditError::NoLength(plan.from))) };
    let clip = stage.baked(&free_clip_name(document, name), progress)?;
    let id = ClipId(document.next_id);
    Ok(Ok(ClipEdit::Add { id, clip: Arc::new(clip) }.into()))
}

fn moving(document: &Document, object: ObjectId, clip: ClipId) -> Result<(), EditError> {
    document.object(object).ok_or(EditError::NoObject(object))?.as_rig().ok_or(EditError::NotARig(object))?;
    let found = known(document, clip)?;
    found.moves(object).then_some(()).ok_or(EditError::MovesOther(clip, object))?;
    few_enough(found.range.len())
}
