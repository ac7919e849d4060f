//! glTF: the faults of the file as findings.

use super::{Checked, Finding};
use crate::{
    io::{gltf, open::FileKind, report::Place},
    notice::Level,
};
use std::path::Path;

/// What the reader does with parts of a sound file that have no place in a document.
const NOT_CARRIED: &str = "not carried";

/// Looks at the bytes of a glTF file.
pub(super) fn check(bytes: &[u8], path: Option<&Path>) -> Checked {
    let mut checked = Checked::new(if bytes.starts_with(b"glTF") { FileKind::Glb } else { FileKind::Gltf });
    let look = gltf::look(bytes, path);
    for fault in look.faults {
        let (found, remedy) = match fault.what.split_once("; ") {
            Some((found, remedy)) => (found.to_owned(), remedy.to_owned()),
            None => (fault.what, "correct it, or export the file again".to_owned()),
        };
        let finding = Finding::error("gltf", fault.place, found, remedy).of_part(fault.part);
        checked.add(Finding { lost: fault.mend.is_some(), mend: fault.mend, ..finding });
    }
    let faulty = !checked.findings.is_empty();
    for (place, entry) in look.remarks {
        // What was left out to go on has been told.
        if faulty && matches!(entry.kind, "channel" | "no-positions" | "no-influences") {
            continue;
        }
        // What is not carried is not in a file that is written anew.
        let goes = look.anew && entry.level > Level::Info;
        let part = if let Place::Part(part) = &entry.place { part.clone() } else { String::new() };
        // That it is not carried is no fault of the file.
        let level = if entry.done == NOT_CARRIED { Level::Info } else { entry.level };
        checked.add(Finding {
            level,
            kind: entry.kind,
            place,
            part,
            found: entry.found,
            mend: goes.then(|| entry.done.clone()),
            remedy: entry.done,
            lost: goes,
        });
    }
    checked.findings.sort_by_key(|finding| (finding.level < Level::Error, finding.place.clone()));
    checked.mended = look.mended;
    checked
}
