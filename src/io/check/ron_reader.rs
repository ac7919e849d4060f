//! What the typed reader of documents stops at is mended at the finest grain that lets it come further: a misspelt name is
//! read as the one it is nearest to, a field that every value of its kind has is put in, and only then is anything left
//! out, the innermost part first.

use super::{
    Finding,
    patch::Patch,
    ron_lint::Lint,
    ron_tree::{Kind, Tree, WHOLE},
};
use crate::{
    io::{
        ron::{self, LoadError},
        text::byte_of,
    },
    model::{Document, FrameRate},
};

/// How many bytes are read as a document at most while what cannot be read is mended bit by bit.
const BUDGET: usize = 1 << 29;
/// The most tries whatever their size.
const TRIES: usize = 400;

/// A document, or the byte of the text at which it does not read and why.
type Read = Result<Document, (usize, LoadError)>;

/// A way on.
struct Step {
    /// The part that it is about.
    part: u32,
    mend: String,
    lost: bool,
    patch: Patch,
    next: Read,
}

/// Reads the text of a look as a document, mended where it does not read. None where nothing helps; all is told.
pub(super) fn read(lint: &mut Lint<'_>) -> Option<Document> {
    let mut tries = (BUDGET / lint.text.len().max(1)).clamp(8, TRIES);
    let mut now = read_with(lint, lint.patch);
    loop {
        let (at, error) = match now {
            Ok(document) => return Some(document),
            Err(fault) => fault,
        };
        let step = match &error {
            LoadError::UnknownName { name, known, .. } => renamed(lint, at, name, known),
            LoadError::MissingField { field, inside, .. } => put_in(lint, (at, &error), field, inside),
            _ => None,
        };
        let step = step.or_else(|| left_out(lint, (at, &error), &mut tries));
        let blamed = step.as_ref().map_or_else(|| blamed(lint, at, &error), |step| step.part);
        let (kind, what, remedy) = words(&error);
        let finding = Finding::error(kind, lint.place_at(at), what, remedy).of_part(lint.where_is(blamed));
        let Some(step) = step else {
            lint.checked.add(finding);
            return None;
        };
        lint.checked.add(Finding { mend: Some(step.mend), lost: step.lost, ..finding });
        *lint.patch = step.patch;
        now = step.next;
    }
}

fn read_with(lint: &Lint<'_>, patch: &Patch) -> Read {
    let text = patch.render(lint.text, 0..lint.text.len());
    ron::load::read(&format!("(format:\"inbetween\",version:1)\n{text}")).map_err(|error| {
        let at = error.place().map_or(0, |(line, column)| byte_of(&text, line.saturating_sub(1), column));
        (patch.before(at), error)
    })
}

/// Whether reading came further than a fault: to the end, or to another fault that is not before it.
fn is_further(next: &Read, (at, error): (usize, &LoadError)) -> bool {
    match next {
        Ok(_) => true,
        Err((next_at, next)) => *next_at > at || (*next_at == at && words(next).1 != words(error).1),
    }
}

/// The part that an error is about.
fn blamed(lint: &Lint<'_>, at: usize, error: &LoadError) -> u32 {
    match error {
        // The place is that of the name itself, or of the bracket that closes what lacks a field.
        LoadError::UnknownName { .. } | LoadError::MissingField { .. } => {
            lint.tree.innermost(at.min(lint.text.len().saturating_sub(1)))
        }
        _ => {
            let before = lint.text.get(..at).unwrap_or_default();
            let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == ',');
            lint.tree.innermost(before.len().saturating_sub(1))
        }
    }
}

/// Reads a name that is not known as the one it is nearest to; so too where others beside it are written the same way.
fn renamed(lint: &Lint<'_>, at: usize, name: &str, known: &[&'static str]) -> Option<Step> {
    let (tree, part) = (lint.tree, lint.tree.innermost(at));
    let mut patch = lint.patch.clone();
    let new = if tree.label(part) == name {
        let group = tree.parent(part)?;
        let free: Vec<&str> = known.iter().copied().filter(|field| tree.child(group, field).is_none()).collect();
        let new = nearest(name, &free)?;
        let beside = tree.parent(group).into_iter().flat_map(|list| tree.children(list));
        for own in std::iter::once(group).chain(beside) {
            if let (Some(wrong), None) = (tree.child(own, name), tree.child(own, new)) {
                patch.replace(tree.label_span(wrong), new);
            }
        }
        new
    } else {
        let start = tree.value_span(part).start;
        let new = nearest(name, known).filter(|_| tree.value(part).starts_with(name))?;
        patch.replace(start..start + name.len(), new);
        new
    };
    let next = read_with(lint, &patch);
    let further = next.as_ref().err().is_none_or(|(next, _)| *next > at);
    further.then(|| Step { part, mend: format!("read as `{new}`"), lost: false, patch, next })
}

/// The one of some names that a word is nearest to, where it is a slip of the pen away: a letter in three that is wrong,
/// missing, too many or in its neighbour's place.
fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let slips = |name: &str| (word.len().min(name.len()) >= 3).then(|| slips(word, name));
    let mut near: Vec<(usize, &str)> = names.iter().filter_map(|name| Some((slips(name)?, *name))).collect();
    near.sort_unstable();
    let (least, name) = *near.first().filter(|(slips, name)| *slips <= (word.len().max(name.len()) / 3).max(1))?;
    // Two that are as near leave it in doubt.
    near.get(1).is_none_or(|(next, _)| *next > least).then_some(name)
}

/// How many single slips (a letter replaced, left out, put in, or swapped with the next) lead from a word to another, none
/// twice at a place: the restricted distance of Damerau and Levenshtein. Upper and lower case are alike.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<u8>, Vec<u8>) = (a.to_ascii_lowercase().into_bytes(), b.to_ascii_lowercase().into_bytes());
    // No name is so long; words of a damaged file may be.
    if a.len().max(b.len()) > 64 {
        return usize::MAX;
    }
    let (mut before, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                let swapped: &Vec<usize> = &before;
                least = least.min(swapped[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

/// Puts in a field that a value of its kind must have, where there is a value that says nothing.
fn put_in(lint: &Lint<'_>, fault: (usize, &LoadError), field: &str, inside: &str) -> Option<Step> {
    let part = blamed(lint, fault.0, fault.1);
    let value = default_of(lint, part, inside.trim_start_matches(" in "), field)?;
    let mut patch = lint.patch.clone();
    patch.insert(begin(lint.tree, part)?, &format!("{field}: {value}, "));
    let next = read_with(lint, &patch);
    is_further(&next, fault).then(|| Step { part, mend: format!("`{field}: {value}` taken"), lost: false, patch, next })
}

/// The byte after a group's opening bracket.
fn begin(tree: &Tree<'_>, group: u32) -> Option<usize> {
    let bracket = tree.value(group).find('(').filter(|_| tree.part(group).kind == Kind::Round)?;
    Some(tree.value_span(group).start + bracket + 1)
}

/// Leaves out what does not read, the innermost part first; what every value of its kind has is put in instead.
fn left_out(lint: &Lint<'_>, fault: (usize, &LoadError), tries: &mut usize) -> Option<Step> {
    let mut candidate = Some(blamed(lint, fault.0, fault.1));
    while let Some(part) = candidate {
        candidate = lint.tree.parent(part);
        let span = lint.tree.span(part);
        if !lint.tree.is_separate(part) || lint.patch.covers(&span) || *tries == 0 {
            continue;
        }
        *tries -= 1;
        let mut patch = without(lint, part);
        let mut next = read_with(lint, &patch);
        let mut mend = format!("{} left out", lint.where_is(part));
        if let Some((instead, field, value)) = instead(lint, part, &patch, &next) {
            next = read_with(lint, &instead);
            patch = instead;
            mend = format!("`{field}: {value}` taken");
        }
        let beyond = next.as_ref().err().is_none_or(|(next, _)| *next > span.end);
        if beyond && is_further(&next, fault) {
            return Some(Step { part, mend, lost: true, patch, next });
        }
    }
    None
}

/// Where a field was left out that must be there: the change with one put in for it.
fn instead(lint: &Lint<'_>, part: u32, patch: &Patch, next: &Read) -> Option<(Patch, &'static str, String)> {
    let Err((at, LoadError::MissingField { field, inside, .. })) = next else { return None };
    let group = lint.tree.parent(part)?;
    if lint.tree.label(part) != *field || lint.tree.innermost(*at) != group {
        return None;
    }
    let value = default_of(lint, group, inside.trim_start_matches(" in "), field)?;
    let mut patch = patch.clone();
    patch.insert(begin(lint.tree, group)?, &format!("{field}: {value}, "));
    Some((patch, field, value))
}

/// The changes so far with a part taken out. What hung on a joint that goes hangs on the joint's parent.
fn without(lint: &Lint<'_>, part: u32) -> Patch {
    let tree = lint.tree;
    let mut patch = lint.patch.clone();
    let list = tree.parent(part).filter(|list| tree.label(*list) == "skeleton");
    if let (Some(list), Some(id)) = (list, tree.child(part, "id")) {
        let parent = |joint: u32| tree.child(joint, "parent");
        let said = |patch: &Patch, of: u32| patch.render(lint.text, tree.span(of));
        let (id, above) = (tree.value(id), parent(part).map(|parent| said(&patch, parent)).unwrap_or_default());
        let hangs = |patch: &Patch, of: u32| {
            let said = said(patch, of);
            said.split_once("Some(").is_some_and(|(_, rest)| rest.trim_end().trim_end_matches([')', ',']).trim() == id)
        };
        let children: Vec<u32> = tree.children(list).filter_map(parent).filter(|of| hangs(&patch, *of)).collect();
        for child in children {
            if above.is_empty() {
                patch.replace(tree.cut(child), "");
            } else {
                patch.replace(tree.span(child), above.clone());
            }
        }
    }
    patch.replace(tree.cut(part), "");
    patch
}

/// What a field of a kind of value is where nothing is said, as text; none where there is nothing such.
fn default_of(lint: &Lint<'_>, group: u32, kind: &str, field: &str) -> Option<String> {
    let tree = lint.tree;
    let setting = |name: &str| {
        let settings = tree.child(tree.children(WHOLE).next()?, "settings")?;
        let part = tree.child(settings, name).filter(|part| !lint.patch.covers(&tree.span(*part)))?;
        Some(tree.value(part).to_owned())
    };
    let next = |numbers: &mut dyn Iterator<Item = u32>| Some(numbers.max().map_or(0, |last| last.saturating_add(1)));
    match (kind, field) {
        ("Document", "settings") => Some("(rate: (24, 1), play_range: (0, 47))".to_owned()),
        ("Document", "objects" | "clips") | ("UnkeyedFrame", "values") | ("Correction", "deltas") => {
            Some("{}".to_owned())
        }
        ("Document", "next_id") => {
            let lists = ["objects", "clips", "poses", "images", "snapshots", "blend_spaces"];
            let lists = lists.iter().filter_map(|list| tree.child(group, list));
            let ids = lists.flat_map(|list| tree.children(list)).filter_map(|part| tree.label(part).parse().ok());
            next(&mut ids.chain(std::iter::once(0))).map(|id| id.to_string())
        }
        ("Settings", "play_range") => Some("(0, 47)".to_owned()),
        ("Clip", "range") => setting("play_range").or_else(|| Some("(0, 47)".to_owned())),
        (_, "rate") => Some(setting("rate").filter(|rate| is_rate(rate)).unwrap_or_else(|| "(24, 1)".to_owned())),
        (_, "name") => Some(format!("\"{kind}\"")),
        (_, "id") => {
            let beside = tree.children(tree.parent(group)?);
            let mut ids =
                beside.filter_map(|own| tree.child(own, "id")).filter_map(|part| tree.value(part).parse().ok());
            next(&mut ids).map(|id| id.to_string())
        }
        ("Object", "kind") => Some("Empty".to_owned()),
        ("Rig", "skeleton") => Some("[]".to_owned()),
        ("Camera", "fov_y") => Some(format!("{:?}", 40_f64.to_radians())),
        ("Light", "shape") => Some("Point".to_owned()),
        ("Light", "color") => Some("(1.0, 1.0, 1.0)".to_owned()),
        ("Material", "color") => Some("(1.0, 1.0, 1.0, 1.0)".to_owned()),
        ("Light", "intensity") | ("Material", "roughness") => Some("1.0".to_owned()),
        ("Material", "metallic") => Some("0.0".to_owned()),
        _ => None,
    }
}

fn is_rate(text: &str) -> bool {
    let numbers = text.trim_matches(['(', ')']).split_once(',');
    let number = |text: &str| text.trim().parse::<u64>().ok();
    numbers.and_then(|(num, den)| FrameRate::new(number(num)?, number(den)?)).is_some()
}

/// An error of the reader as a kind, without its place, and what to do.
fn words(error: &LoadError) -> (&'static str, String, String) {
    let backup = "go back to the backup (.bak)";
    match error {
        LoadError::Syntax { what, .. } => ("unreadable", what.clone(), format!("mend the line, or {backup}")),
        LoadError::UnknownName { name, inside, .. } => (
            "unknown-name",
            format!("'{name}' is not known{inside}"),
            "correct it or take it out, or update Inbetween: a newer one may have written it".to_owned(),
        ),
        LoadError::MissingField { field, inside, .. } => {
            ("missing", format!("the field '{field}' is missing{inside}"), format!("write it there, or {backup}"))
        }
        other => ("unreadable", other.to_string(), backup.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_find_their_word() {
        let names = ["id", "name", "parent", "kind", "rest", "rotation", "file_channels"];
        for (wrong, right) in [
            ("nmae", "name"),
            ("Name", "name"),
            ("parant", "parent"),
            ("resst", "rest"),
            ("rotatoin", "rotation"),
            ("filechanels", "file_channels"),
        ] {
            assert_eq!(nearest(wrong, &names), Some(right), "{wrong}");
        }
        for wrong in ["i", "idx", "gadget", "tension", ""] {
            assert_eq!(nearest(wrong, &names), None, "{wrong}");
        }
        assert_eq!(nearest("rome", &["home", "dome"]), None, "as near to both");
        assert_eq!((slips("abc", "abc"), slips("abc", "acb"), slips("", "abc"), slips("abcd", "bc")), (0, 1, 3, 2));
    }
}
