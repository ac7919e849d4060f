//! Many motion files at once for one character: a clip of each motion, taken as it is where the skeleton is the character's,
//! else brought over.

use super::{
    bvh::ImportOptions,
    open::{Opened, open},
};
use crate::{
    edit::{ClipEdit, Edit, clips::free_clip_name},
    eval::{
        retarget::{FaultKind, Options, RetargetError, Source, run},
        size::skeleton_size,
    },
    model::{ChannelPath, Clip, ClipId, Document, FrameRange, ObjectId, Target},
    progress::{Cancelled, Progress},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The extensions of the files that are looked at.
pub const MOTION: &[&str] = &["bvh", "gltf", "glb", "ron"];

/// What became of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileLine {
    /// The file.
    pub path: PathBuf,
    /// What was taken from it, or why nothing was.
    pub outcome: Result<Brought, String>,
}

/// What was taken from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brought {
    /// The names of the clips that were made.
    pub clips: Vec<String>,
    /// How many of them were brought over from another skeleton.
    pub retargeted: usize,
    /// How many joints of the character were mapped, at the least, where any was.
    pub mapped: usize,
    /// How much is to be looked at in what was brought over: reaches that fall short, knees that turn back.
    pub faults: usize,
    /// How much was mended or guessed as the file was read.
    pub remarks: usize,
}

/// The files meant by paths: a folder stands for the motion files in it, in order of name.
#[must_use]
pub fn meant(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let is_motion = |path: &PathBuf| {
            let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
            path.is_file() && extension.is_some_and(|extension| MOTION.contains(&&*extension))
        };
        let entries = std::fs::read_dir(path).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
        let mut inside: Vec<PathBuf> = entries.unwrap_or_default();
        inside.retain(is_motion);
        inside.sort();
        files.extend(inside);
    }
    files
}

/// The edit that adds a clip for each motion in files to a document, for one of its rigs, and what became of each file. Files
/// that cannot be read, or hold no motion, are named and left out.
///
/// # Errors
/// Where someone asks to stop.
pub fn clips_for(
    document: &Document,
    object: ObjectId,
    paths: &[PathBuf],
    progress: &Progress,
) -> Result<(Edit, Vec<FileLine>), Cancelled> {
    let mut grown = document.clone();
    let (mut edits, mut lines) = (Vec::new(), Vec::new());
    for path in paths {
        progress.check()?;
        let outcome = match open(path, ImportOptions::default()) {
            Err(error) => Err(error.to_string()),
            Ok(opened) => take(&mut grown, object, &opened, path, (&mut edits, progress))?,
        };
        lines.push(FileLine { path: path.clone(), outcome });
    }
    Ok((Edit::Batch(edits), lines))
}

/// Takes all motion of a file that was read.
fn take(
    grown: &mut Document,
    object: ObjectId,
    opened: &Opened,
    path: &Path,
    (edits, progress): (&mut Vec<Edit>, &Progress),
) -> Result<Result<Brought, String>, Cancelled> {
    let file = &opened.document;
    let moved = |clip: &Clip| file.rigs().map(|(id, ..)| id).find(|id| clip.moves(*id));
    let motions: Vec<(ObjectId, ClipId)> =
        file.clips.iter().filter_map(|(id, clip)| Some((moved(clip)?, *id))).collect();
    if motions.is_empty() {
        return Ok(Err("it holds no motion of joints".to_owned()));
    }
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut brought = Brought { remarks: opened.report.entries().len(), ..Brought::default() };
    let mut refused = None;
    for motion in &motions {
        let made = match as_it_is(grown, object, file, *motion) {
            Some(clip) => clip,
            None => match brought_over(grown, object, file, (*motion, progress)) {
                Ok((clip, mapped, faults)) => {
                    let least = if brought.retargeted == 0 { mapped } else { brought.mapped.min(mapped) };
                    (brought.mapped, brought.retargeted) = (least, brought.retargeted + 1);
                    brought.faults += faults;
                    clip
                }
                Err(RetargetError::Cancelled(cancelled)) => return Err(cancelled),
                Err(error) => {
                    refused = Some(error.to_string());
                    continue;
                }
            },
        };
        // A file of one motion is called as the file is.
        let name = if motions.len() == 1 || made.name.is_empty() { &stem } else { &made.name };
        let clip = Clip { name: free_clip_name(grown, name), ..made.clone() };
        let id = ClipId(grown.next_id);
        brought.clips.push(clip.name.clone());
        let edit = Edit::from(ClipEdit::Add { id, clip: Arc::new(clip) });
        match edit.apply(grown) {
            Ok(()) => edits.push(edit),
            Err(error) => refused = Some(error.to_string()),
        }
    }
    Ok(match refused {
        Some(why) if brought.clips.is_empty() => Err(why),
        _ => Ok(brought),
    })
}

/// The frames of a range at another rate, those nearest in time.
fn frames_at(range: FrameRange, from: &Document, to: &Document) -> FrameRange {
    let frame = |frame: i64| to.settings.rate.nearest_frame(from.settings.rate.secs(frame));
    FrameRange::new(frame(range.first), frame(range.last))
}

/// A clip of a rig that has the same joints in the same form, for another; none where it has not.
fn as_it_is(document: &Document, object: ObjectId, file: &Document, (from, clip): (ObjectId, ClipId)) -> Option<Clip> {
    let own = &document.object(object)?.as_rig()?.skeleton;
    let other = &file.object(from)?.as_rig()?.skeleton;
    let found = file.clip(clip)?;
    let bare = found.corrections.is_empty() && found.retimes.is_empty() && found.pins.is_empty();
    if !bare || !own.is_like(other, 1e-4 * skeleton_size(own)) {
        return None;
    }
    let mut channels = std::collections::BTreeMap::new();
    for (path, curve) in &found.channels {
        let Target::Joint(of, joint) = path.target else { continue };
        if of != from {
            continue;
        }
        let at = other.index_of(joint)?;
        let target = Target::Joint(object, own.joints().get(at)?.id);
        let path = ChannelPath { target, ..*path };
        if !document.holds_form(path) {
            return None;
        }
        channels.insert(path, curve.clone());
    }
    let range = frames_at(found.range, file, document);
    let same_rate = file.settings.rate == document.settings.rate;
    let text = found.frame_time_text.clone().filter(|_| same_rate);
    let plain = Clip::new(&found.name, range);
    Some(Clip {
        channels,
        markers: found.markers.clone(),
        loop_mode: found.loop_mode,
        travels: found.travels,
        frame_time_text: text,
        ..plain
    })
}

fn brought_over(
    document: &Document,
    object: ObjectId,
    file: &Document,
    ((from, clip), progress): ((ObjectId, ClipId), &Progress),
) -> Result<(Clip, usize, usize), RetargetError> {
    let source = Source::new(file, from, clip)?;
    let found = run(&source, (document, object), None, &Options::default(), progress)?;
    let faults = found.faults.iter().filter(|fault| fault.kind != FaultKind::Through).count();
    Ok((found.clip, found.map.len(), faults))
}
