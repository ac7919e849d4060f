//! BVH: what the reader stops at is mended in a copy of the text, place by place, until it reads.

use super::{Checked, Finding, bvh_hierarchy, bvh_rows, patch::Patch};
use crate::io::{
    bvh,
    open::FileKind,
    report::{Place, Report},
    text::{byte_of, place_of},
};

/// The most places of a hierarchy that are mended; rows are mended all at once.
const TRIES: usize = 200;
/// The file is read at most so often that this many bytes are.
const BUDGET: usize = 1 << 30;

/// Looks at the text of a BVH file.
pub(super) fn check(text: &str) -> Checked {
    let mut checked = Checked::new(FileKind::Bvh);
    let mut patch = Patch::default();
    let (mut rows_done, mut cut_done) = (false, false);
    let mut last = None;
    if let Some(range) = bvh_rows::cut_label(text) {
        let found = "the file ends in the head of its motion: it was cut off";
        let finding = Finding::error("cut-off", place_of(text.as_bytes(), range.start), found, WHOLE);
        checked.add(finding.losing("what is before it kept; there is no motion"));
        patch.replace(range, "");
    }
    for _ in 0..(BUDGET / text.len().max(1)).clamp(8, TRIES) {
        let now = patch.render(text, 0..text.len());
        let mut report = Report::new();
        let error = match bvh::parse(now.as_bytes(), &mut report) {
            Ok(file) => {
                remarks(&report, text, &now, &patch, &mut checked);
                checked.mended = Some(bvh::write(&file));
                break;
            }
            Err(error) => error,
        };
        let at = patch.before(byte_of(&now, error.line, error.column));
        if !cut_done && is_at_end(text, at) && bvh_rows::body(text).is_none() {
            cut_done = true;
            let found = "the file ends before its motion: it was cut off";
            let finding = Finding::error("cut-off", place_of(text.as_bytes(), at), found, WHOLE);
            let Some(cut) = bvh_hierarchy::cut(text) else {
                checked.add(finding);
                break;
            };
            checked.add(finding.losing(format!("the {} joints that are whole kept; there is no motion", cut.joints)));
            patch.replace(cut.end..text.len(), cut.closing);
            continue;
        }
        let rows = bvh_rows::body(text).filter(|rows| at >= rows.start && !rows_done);
        let mended = match rows {
            Some(rows) => {
                rows_done = true;
                bvh_rows::mend(text, rows, &mut patch, &mut checked)
            }
            None => {
                // What did not help once does not help again.
                let again =
                    last.replace((at, error.wanted.clone())).is_some_and(|last| last == (at, error.wanted.clone()));
                let mend = if again { None } else { bvh_hierarchy::mend(text, at, &error, &mut patch) };
                let found = format!("found {}, wanted {}", error.found, error.wanted);
                let finding = Finding::error("form", place_of(text.as_bytes(), at), found, error.remedy);
                let mended = mend.is_some();
                let lost = mend.as_ref().is_some_and(|mend| mend.lost);
                checked.add(Finding { mend: mend.map(|mend| mend.what), lost, ..finding });
                mended
            }
        };
        if !mended {
            break;
        }
    }
    checked.findings.sort_by_key(|finding| finding.place.clone());
    checked
}

const WHOLE: &str = "get a whole copy, or export it again";

/// Whether nothing comes after the word at a place.
fn is_at_end(text: &str, at: usize) -> bool {
    words(text, at).nth(1).is_none()
}

/// What the reader mends by itself, at the places of the text as it was.
fn remarks(report: &Report, text: &str, now: &str, patch: &Patch, checked: &mut Checked) {
    for entry in report.entries() {
        let mut entry = entry.clone();
        if let Place::Text { line, column } = entry.place {
            entry.place = place_of(text.as_bytes(), patch.before(byte_of(now, line, column)));
        }
        checked.add(Finding::of_entry(&entry));
    }
    checked.unlisted += report.total() - report.entries().len();
}

/// The words of a text with where they begin; braces stand alone.
pub(super) fn words(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + (rest.len() - rest.trim_ascii_start().len());
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let length = match rest.as_bytes().first() {
            Some(b'{' | b'}') => 1,
            _ => rest.find(|c: char| c.is_ascii_whitespace() || c == '{' || c == '}').unwrap_or(rest.len()),
        };
        at = start + length;
        Some((start, rest.get(..length)?))
    })
}

pub(super) fn is(word: &str, other: &str) -> bool {
    word.eq_ignore_ascii_case(other)
}
