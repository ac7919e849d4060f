//! The files of reference images: which one belongs to a frame, and its pixels.

use super::{
    file,
    picture::{self, Pixels},
};
use crate::model::Reference;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Larger files are no pictures one animates by, bytes.
const LARGEST_FILE: u64 = 256 << 20;

/// A file name apart: what stands before its last number, the number, and what stands after.
fn split(name: &str) -> Option<(&str, u64, &str)> {
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    Some((&name[..start], name[start..end].parse().ok()?, &name[end..]))
}

/// The numbered files beside one, itself among them, in order of their numbers; empty where its name has no number.
#[must_use]
pub fn siblings(path: &Path) -> Vec<(u64, PathBuf)> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let Some((before, _, after)) = split(name) else { return Vec::new() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(u64, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let other = entry.file_name();
            let (start, number, end) = split(other.to_str()?)?;
            (start == before && end == after).then(|| (number, path.with_file_name(&other)))
        })
        .collect();
    found.sort();
    found
}

/// Which of some numbers, in order, is shown: the greatest not beyond the one wanted, so that a gap holds what came before
/// it and the end holds the last; none before the first.
fn shown(numbers: &[(u64, PathBuf)], wanted: u64) -> Option<&PathBuf> {
    let after = numbers.partition_point(|(number, _)| *number <= wanted);
    after.checked_sub(1).and_then(|index| numbers.get(index)).map(|(_, path)| path)
}

/// The full name of a reference's file in a document in a folder.
#[must_use]
pub fn full_path(reference: &Reference, folder: Option<&Path>) -> PathBuf {
    let path = Path::new(&reference.path);
    match folder {
        Some(folder) if path.is_relative() => folder.join(path),
        _ => path.to_owned(),
    }
}

/// A path as a document in a folder keeps it: relative to the folder if it lies in it.
#[must_use]
pub fn kept_path(path: &Path, folder: Option<&Path>) -> String {
    let inside = folder.and_then(|folder| path.strip_prefix(folder).ok());
    inside.unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The file that a reference shows at a frame; none before a sequence begins. `siblings` are those of its own file.
#[must_use]
pub fn at_frame(reference: &Reference, full: &Path, siblings: &[(u64, PathBuf)], frame: i64) -> Option<PathBuf> {
    if !reference.sequence {
        return Some(full.to_owned());
    }
    let own = full.file_name().and_then(|name| name.to_str()).and_then(split);
    let Some((_, first, _)) = own else { return Some(full.to_owned()) };
    let passed = frame.saturating_sub(reference.start);
    if passed < 0 {
        return None;
    }
    let wanted = first.saturating_add(passed.unsigned_abs() / u64::from(reference.step.max(1)));
    // Without any file of the sequence its own name is what is missing.
    Some(shown(siblings, wanted).cloned().unwrap_or_else(|| full.to_owned()))
}

/// The pixels of a picture file.
///
/// # Errors
/// A sentence that names the file and the remedy.
pub fn load(path: &Path) -> Result<Pixels, String> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > LARGEST_FILE => {
            return Err(format!(
                "the file is larger than {LARGEST_FILE} bytes; make the picture smaller: {}",
                path.display()
            ));
        }
        _ => {}
    }
    let bytes = file::read(path).map_err(|error| error.to_string())?;
    picture::read(&bytes).map_err(|error| format!("{error}: {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_their_last_number() {
        assert_eq!(split("shot2_0012.png"), Some(("shot2_", 12, ".png")));
        assert_eq!(split("7"), Some(("", 7, "")));
        assert_eq!(split("still.png"), None);
        assert_eq!(split("é9.png"), Some(("é", 9, ".png")));
        assert_eq!(split("99999999999999999999999.png"), None);
    }

    #[test]
    fn a_sequence_holds_over_gaps_and_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        for number in [3, 4, 7] {
            fs::File::create(folder.path().join(format!("a{number:03}.png"))).unwrap();
        }
        fs::File::create(folder.path().join("b003.png")).unwrap();
        let full = folder.path().join("a003.png");
        let all = siblings(&full);
        assert_eq!(all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 7]);
        let reference = Reference { step: 2, ..Reference::new("a003.png".to_owned(), true, 10) };
        let number = |frame| {
            let path = at_frame(&reference, &full, &all, frame)?;
            all.iter().find(|(_, known)| *known == path).map(|(number, _)| *number)
        };
        assert_eq!(
            [9, 10, 11, 12, 14, 18, 900].map(number),
            [None, Some(3), Some(3), Some(4), Some(4), Some(7), Some(7)]
        );
        let still = Reference { sequence: false, ..reference };
        assert_eq!(at_frame(&still, &full, &all, -5), Some(full.clone()));
        assert!(load(&full).unwrap_err().contains("a003.png"));
        assert!(load(&folder.path().join("none.png")).unwrap_err().contains("check the name"));
    }

    #[test]
    fn paths_are_kept_beside_the_document() {
        let folder = Path::new("/home/me/film");
        let path = folder.join("ref/a.png");
        let kept = kept_path(&path, Some(folder));
        assert_eq!(kept, "ref/a.png");
        assert_eq!(full_path(&Reference::new(kept, false, 0), Some(folder)), path);
        assert_eq!(kept_path(&path, Some(Path::new("/elsewhere"))), "/home/me/film/ref/a.png");
    }
}
