//! The rows of a BVH file: each that does not have its values, and each value that is none, mended in one pass.

use super::{
    Checked, Finding,
    bvh::{is, words},
    patch::Patch,
};
use crate::{
    io::{bvh, text::place_of},
    notice::Level,
};
use std::ops::Range;

/// The rows: after the line of the frame time, else of the number of frames, else of MOTION.
pub(super) fn body(text: &str) -> Option<Range<usize>> {
    let (motion, _) = words(text, 0).find(|(_, word)| is(word, "MOTION"))?;
    let line_end = |at: usize| text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| at + end + 1);
    let mut start = line_end(motion);
    for _ in 0..2 {
        let head = words(text, start).next().filter(|(_, word)| word.get(..5).is_some_and(|head| is(head, "Frame")));
        if let Some((at, _)) = head {
            start = line_end(at);
        }
    }
    Some(start..text.len())
}

/// The half of a label of the motion that the file ends in.
pub(super) fn cut_label(text: &str) -> Option<Range<usize>> {
    words(text, 0).find(|(_, word)| is(word, "MOTION"))?;
    let whole = text.trim_ascii_end();
    let start = whole.rfind('\n')? + 1;
    let line = whole.get(start..)?.trim_ascii_start();
    let begins = |label: &str| label.get(..line.len()).is_some_and(|head| is(head, line)) && line.len() < label.len();
    (begins("Frames:") || begins("Frame Time:")).then_some(start..text.len())
}

/// How many values the hierarchy gives a row.
fn channels(text: &str) -> usize {
    let head = words(text, 0).take_while(|(_, word)| !is(word, "MOTION"));
    head.filter(|(_, word)| bvh::Channel::from_name(word.as_bytes()).is_some()).count()
}

/// Mends every row that does not have its values. False where most rows do not: then the hierarchy is wrong, not they.
pub(super) fn mend(text: &str, rows: Range<usize>, patch: &mut Patch, checked: &mut Checked) -> bool {
    let wanted = channels(text);
    let body = text.get(rows.clone()).unwrap_or_default();
    let mut at = rows.start;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in body.split_inclusive('\n') {
        if !line.trim_ascii().is_empty() {
            lines.push((at, line.trim_ascii_end()));
        }
        at += line.len();
    }
    let count = |line: &str| line.split_ascii_whitespace().count();
    let whole: Vec<&(usize, &str)> = lines.iter().filter(|(_, line)| count(line) == wanted).collect();
    if wanted == 0 || whole.len() * 2 < lines.len() || whole.is_empty() {
        let found = format!("{} of {} rows do not have {wanted} values", lines.len() - whole.len(), lines.len());
        let remedy = "correct the CHANNELS lines: they do not fit the rows";
        checked.add(Finding::error("rows", place_of(text.as_bytes(), rows.start), found, remedy));
        return false;
    }
    let mut known = Known::of(whole.iter().map(|(_, line)| *line), wanted);
    let mut any = false;
    // A cut last row is dropped by the reader itself.
    for (index, (start, line)) in lines.iter().enumerate() {
        let own = count(line);
        let last = index + 1 == lines.len();
        if own != wanted && !(last && own < wanted) {
            let found = format!("{own} values, wanted {wanted} values in this row");
            let place = place_of(text.as_bytes(), *start);
            let remedy = "a row has one value for each channel of the hierarchy: correct the row or the CHANNELS lines";
            let what = if any { "the row before taken" } else { "the next whole row taken" };
            checked.add(Finding::error("row", place, found, remedy).losing(what));
            patch.replace(*start..start + line.len(), known.0.join(" "));
        } else if own == wanted {
            mend_values(text, (*start, line), &mut known, patch, checked);
            any = true;
        }
    }
    true
}

/// What each channel was at last; before its first number, that.
struct Known(Vec<String>);

impl Known {
    fn of<'a>(rows: impl Iterator<Item = &'a str>, channels: usize) -> Self {
        let mut known = vec![None; channels];
        let mut missing = channels;
        for row in rows {
            for (value, word) in known.iter_mut().zip(row.split_ascii_whitespace()) {
                if value.is_none()
                    && let Some(word) = finite(word)
                {
                    *value = Some(word);
                    missing -= 1;
                }
            }
            if missing == 0 {
                break;
            }
        }
        Self(known.into_iter().map(|value| value.unwrap_or_else(|| "0".to_owned())).collect())
    }
}

/// A word as a finite number, with a point for a decimal comma; none where it is no such number.
fn finite(word: &str) -> Option<String> {
    let sound = |word: &str| bvh::number_of(word).is_some_and(f64::is_finite);
    if sound(word) {
        return Some(word.to_owned());
    }
    Some(word.replacen(',', ".", 1)).filter(|word| sound(word))
}

/// Words of a row that are no finite numbers take the value of the row before.
fn mend_values(text: &str, (start, line): (usize, &str), known: &mut Known, patch: &mut Patch, checked: &mut Checked) {
    for ((at, word), known) in words(line, 0).zip(&mut known.0) {
        let number = finite(word);
        if number.as_deref() == Some(word) {
            word.clone_into(known);
            continue;
        }
        let lost = number.is_none();
        let by = number.unwrap_or_else(|| known.clone());
        let place = place_of(text.as_bytes(), start + at);
        let short: String = word.chars().take(40).collect();
        let remedy = "correct the row: a decimal point, blanks between values, nothing else";
        let mut finding = Finding::error("number", place, format!("`{short}` is no number"), remedy);
        if bvh::number_of(word).is_some() {
            // The reader mends such a one itself.
            finding =
                Finding { level: Level::Warn, kind: "value", found: format!("`{short}` is not finite"), ..finding };
        }
        checked.add(Finding { lost, ..finding.mended(format!("{by} taken")) });
        patch.replace(start + at..start + at + word.len(), by.clone());
        *known = by;
    }
}
