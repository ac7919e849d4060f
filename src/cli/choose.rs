//! Which rig and which clip of a file a command is about.

use crate::model::{ClipId, Document, ObjectId, names};
use std::path::{Path, PathBuf};

/// Why it cannot be told what a command is about.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoChoice {
    #[error("there is no {what} '{name}' in the file; there are: {there}")]
    Unknown { what: &'static str, name: String, there: String },
    #[error("the file has several {what}s; say which with --{option}: {there}")]
    Several { what: &'static str, option: &'static str, there: String },
    #[error("there is no rig in the file, and this is about the motion of one; choose a file with joints")]
    NoRig,
}

/// The same with the file it is about.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub(super) struct NoChoiceIn {
    error: NoChoice,
    path: PathBuf,
}

impl NoChoice {
    /// Names the file.
    pub(super) fn within(path: &Path) -> impl Fn(Self) -> NoChoiceIn {
        move |error| NoChoiceIn { error, path: path.to_owned() }
    }
}

/// The rig named, else the only one.
pub(super) fn rig(document: &Document, name: Option<&str>) -> Result<ObjectId, NoChoice> {
    let rigs: Vec<ObjectId> = document.rigs().map(|(id, ..)| id).collect();
    let there = || list(rigs.iter().filter_map(|id| names::object_name(document, *id)));
    match (name, rigs.as_slice()) {
        (Some(name), _) => names::find_object(document, name)
            .filter(|id| rigs.contains(id))
            .ok_or_else(|| NoChoice::Unknown { what: "rig", name: name.to_owned(), there: there() }),
        (None, []) => Err(NoChoice::NoRig),
        (None, [only]) => Ok(*only),
        (None, _) => Err(NoChoice::Several { what: "rig", option: "object", there: there() }),
    }
}

/// The clip named, else the only one with curves of the rig; none where no clip moves it.
pub(super) fn clip(document: &Document, object: ObjectId, name: Option<&str>) -> Result<Option<ClipId>, NoChoice> {
    let moves = |id: &ClipId| document.clip(*id).is_some_and(|clip| clip.moves(object));
    let clips: Vec<ClipId> = document.clips.keys().copied().filter(moves).collect();
    let there = || list(clips.iter().filter_map(|id| names::clip_name(document, *id)));
    match (name, clips.as_slice()) {
        (Some(name), _) => names::find_clip(document, name).map(Some).ok_or_else(|| NoChoice::Unknown {
            what: "clip",
            name: name.to_owned(),
            there: there(),
        }),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(*only)),
        (None, _) => Err(NoChoice::Several { what: "clip", option: "clip", there: there() }),
    }
}

/// The clip named, else the one the document plays, else the only one.
pub(super) fn any_clip(document: &Document, name: Option<&str>) -> Result<ClipId, NoChoice> {
    let there = || list(document.clips.keys().filter_map(|id| names::clip_name(document, *id)));
    let unknown = |name: &str| NoChoice::Unknown { what: "clip", name: name.to_owned(), there: there() };
    let only = || document.clips.keys().next().copied().filter(|_| document.clips.len() == 1);
    match name {
        Some(name) => names::find_clip(document, name).ok_or_else(|| unknown(name)),
        None => document.settings.clip.or_else(only).ok_or_else(|| NoChoice::Several {
            what: "clip",
            option: "clip",
            there: there(),
        }),
    }
}

fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
