//! BVH: what the reader stops at is mended in a copy of the text, place by place, until it reads.

use super::{Checked, Finding, patch::Patch};
use crate::io::{
    bvh::{self, BvhError},
    open::FileKind,
    report::{Place, Report},
    text::{byte_of, place_of},
};
use std::ops::Range;

/// The most places of a hierarchy that are mended; rows are mended all at once.
const TRIES: usize = 200;
/// The file is read at most so often that this many bytes are.
const BUDGET: usize = 1 << 30;

/// Looks at the text of a BVH file.
pub(super) fn check(text: &str) -> Checked {
    let mut checked = Checked::new(FileKind::Bvh);
    let mut patch = Patch::default();
    let mut rows_done = false;
    let mut last = None;
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
        let rows = body(text).filter(|rows| at >= rows.start && !rows_done);
        let mended = match rows {
            Some(rows) => {
                rows_done = true;
                mend_rows(text, rows, &mut patch, &mut checked)
            }
            None => {
                // What did not help once does not help again.
                let again =
                    last.replace((at, error.wanted.clone())).is_some_and(|last| last == (at, error.wanted.clone()));
                let mend = if again { None } else { mend_word(text, at, &error, &mut patch) };
                let found = format!("found {}, wanted {}", error.found, error.wanted);
                let finding = Finding::error("form", place_of(text.as_bytes(), at), found, error.remedy);
                let mended = mend.is_some();
                checked.add(Finding { mend, ..finding });
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
fn words(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
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

fn is(word: &str, other: &str) -> bool {
    word.eq_ignore_ascii_case(other)
}

/// The rows: after the line of the frame time, else of the number of frames, else of MOTION.
fn body(text: &str) -> Option<Range<usize>> {
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

/// How many values the hierarchy gives a row.
fn channels(text: &str) -> usize {
    let head = words(text, 0).take_while(|(_, word)| !is(word, "MOTION"));
    head.filter(|(_, word)| bvh::Channel::from_name(word.as_bytes()).is_some()).count()
}

/// Mends every row that does not have its values. False where most rows do not: then the hierarchy is wrong, not they.
fn mend_rows(text: &str, rows: Range<usize>, patch: &mut Patch, checked: &mut Checked) -> bool {
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
    let first = whole.first().map_or("", |(_, line)| line).trim_ascii().to_owned();
    let mut before: Option<String> = None;
    // A cut last row is dropped by the reader itself.
    for (index, (start, line)) in lines.iter().enumerate() {
        let own = count(line);
        let last = index + 1 == lines.len();
        let fallback = before.clone().unwrap_or_else(|| first.clone());
        if own != wanted && !(last && own < wanted) {
            let found = format!("{own} values, wanted {wanted} values in this row");
            let place = place_of(text.as_bytes(), *start);
            let remedy = "a row has one value for each channel of the hierarchy: correct the row or the CHANNELS lines";
            let what = if before.is_some() { "the row before taken" } else { "the next whole row taken" };
            checked.add(Finding::error("row", place, found, remedy).mended(what));
            patch.replace(*start..start + line.len(), fallback.clone());
        } else if own == wanted {
            mend_values(text, (*start, line), &fallback, patch, checked);
            before = Some(patch.render(text, *start..start + line.len()).trim_ascii().to_owned());
        }
    }
    true
}

/// Words of a row that are no numbers take the value of the row before.
fn mend_values(text: &str, (start, line): (usize, &str), before: &str, patch: &mut Patch, checked: &mut Checked) {
    for (number, (at, word)) in words(line, 0).enumerate() {
        if bvh::is_number(word) {
            continue;
        }
        let comma = Some(word.replacen(',', ".", 1)).filter(|word| bvh::is_number(word));
        let by = comma.or_else(|| before.split_ascii_whitespace().nth(number).map(str::to_owned));
        let by = by.filter(|word| word.parse().is_ok_and(f64::is_finite)).unwrap_or_else(|| "0".to_owned());
        let place = place_of(text.as_bytes(), start + at);
        let short: String = word.chars().take(40).collect();
        let remedy = "correct the row: a decimal point, blanks between values, nothing else";
        let finding = Finding::error("number", place, format!("`{short}` is no number"), remedy);
        checked.add(finding.mended(format!("{by} taken")));
        patch.replace(start + at..start + at + word.len(), by);
    }
}

/// Mends what stands at a place of the hierarchy; what was done, none where nothing can be.
fn mend_word(text: &str, at: usize, error: &BvhError, patch: &mut Patch) -> Option<String> {
    let word = words(text, at).next();
    let (start, word) = word.unwrap_or((text.len(), ""));
    let wanted = error.wanted.as_str();
    if wanted == "HIERARCHY" && (is(word, "ROOT") || word.is_empty()) {
        if word.is_empty() {
            return None;
        }
        patch.insert(start, "HIERARCHY\n");
        return Some("HIERARCHY put there".to_owned());
    }
    if wanted.starts_with("OFFSET: ") {
        if word.is_empty() || is_keyword(word) {
            patch.insert(start, "0 ");
            return Some("0 put there".to_owned());
        }
        let comma = Some(word.replacen(',', ".", 1)).filter(|word| word.parse().is_ok_and(f64::is_finite));
        let by = comma.unwrap_or_else(|| "0".to_owned());
        patch.replace(start..start + word.len(), by.clone());
        return Some(format!("{by} taken"));
    }
    if wanted.starts_with("an OFFSET in ") {
        patch.insert(start, "OFFSET 0 0 0\n");
        return Some("OFFSET 0 0 0 put there".to_owned());
    }
    if wanted.starts_with("one `") {
        let end = words(text, start + word.len()).find(|(_, word)| is_keyword(word)).map_or(text.len(), |(at, _)| at);
        patch.replace(start..end, "");
        return Some("the second one left out".to_owned());
    }
    if word == "}" && (wanted == "ROOT or MOTION" || wanted == "ROOT") {
        patch.replace(start..start + 1, "");
        return Some("left out".to_owned());
    }
    if is_channels(wanted) {
        return mend_channels(text, start, patch);
    }
    // A brace too few: all that is open closes before the motion, or before the end.
    let open = words(text, 0).take_while(|(at, _)| *at < start).fold(0_i64, |open, (_, word)| match word {
        "{" => open + 1,
        "}" => open - 1,
        _ => open,
    });
    if (is(word, "MOTION") || is(word, "ROOT") || word.is_empty()) && open > 0 {
        let braces = "}\n".repeat(usize::try_from(open).unwrap_or(0));
        let motion = if word.is_empty() { "MOTION\nFrames: 0\nFrame Time: 0.0333333\n" } else { "" };
        patch.insert(start, &format!("\n{braces}{motion}"));
        return Some(format!("{open} braces closed{}", if motion.is_empty() { "" } else { ", no motion" }));
    }
    if word.is_empty() && wanted == "ROOT or MOTION" {
        patch.insert(start, "\nMOTION\nFrames: 0\nFrame Time: 0.0333333\n");
        return Some("no motion".to_owned());
    }
    None
}

fn is_keyword(word: &str) -> bool {
    ["OFFSET", "CHANNELS", "JOINT", "ROOT", "End", "MOTION", "{", "}"].iter().any(|keyword| is(word, keyword))
}

fn is_channels(wanted: &str) -> bool {
    wanted == "the number of channels"
        || wanted.starts_with("channel ")
        || wanted.starts_with("each channel once")
        || wanted.contains(" channels, as the line says")
}

/// Lets a CHANNELS line count the channels that it names, each once.
fn mend_channels(text: &str, at: usize, patch: &mut Patch) -> Option<String> {
    let line = words(text, 0).take_while(|(start, _)| *start <= at).filter(|(_, word)| is(word, "CHANNELS")).last()?;
    let begin = line.0 + line.1.len();
    let mut named: Vec<bvh::Channel> = Vec::new();
    let mut end = begin;
    for (index, (start, word)) in words(text, begin).enumerate() {
        match bvh::Channel::from_name(word.as_bytes()) {
            Some(channel) if !named.contains(&channel) => named.push(channel),
            Some(_) => return None,
            // The number comes first.
            None if index == 0 && !is_keyword(word) => {}
            None if is_keyword(word) => break,
            None => return None,
        }
        end = start + word.len();
    }
    let names: Vec<&str> = named.iter().map(|channel| channel.name()).collect();
    let before = patch.render(text, begin..end);
    let by = format!(" {} {}", names.len(), names.join(" "));
    if before == by {
        return None;
    }
    patch.replace(begin..end, by);
    Some(format!("{} channels, as it names", names.len()))
}
