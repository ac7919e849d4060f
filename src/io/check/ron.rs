//! Documents: what is wrong with their text, and with what it says.

use super::{
    Checked, Finding,
    patch::Patch,
    ron_lint::Lint,
    ron_tree::{Broken, Kind, Tree, WHOLE},
};
use crate::{
    io::{
        open::FileKind,
        ron::{self, LoadError, VERSION},
        text::{byte_of, place_of},
    },
    model::{Document, mending::mend},
};

/// How many bytes are read as a document at most while what cannot be read is taken out bit by bit.
const BUDGET: usize = 1 << 29;
/// The most tries whatever their size.
const TRIES: usize = 400;

/// Looks at the text of a document.
pub(super) fn check(file: &str) -> Checked {
    let mut checked = Checked::new(FileKind::Ron);
    let Some(offset) = header(file, &mut checked) else { return checked };
    let text = file.get(offset..).unwrap_or_default();
    let (tree, broken) = Tree::new(text);
    let Some(broken) = broken else {
        body(file, offset, &tree, &mut checked);
        return checked;
    };
    match (closed(&tree, &broken, text), &broken) {
        (Some(closed), _) => {
            let found = "the file ends in the middle: it was cut off";
            let place = place_of(file.as_bytes(), file.len());
            let finding = Finding::error("cut-off", place, found, "go back to the backup (.bak)");
            checked.add(finding.mended("what was whole kept"));
            // What was kept is where it was.
            let file = format!("{}{closed}", file.get(..offset).unwrap_or_default());
            let (tree, broken) = Tree::new(&closed);
            if broken.is_none() {
                body(&file, offset, &tree, &mut checked);
            }
        }
        (None, Broken::Stray(at)) => {
            let found = format!("'{}' closes nothing that is open here", text.get(*at..=*at).unwrap_or_default());
            let remedy = "balance the brackets, or go back to the backup (.bak)";
            checked.add(Finding::error("brackets", place_of(file.as_bytes(), offset + at), found, remedy));
        }
        (None, Broken::Unclosed(_)) => {
            let found = "the file ends before anything is whole";
            let place = place_of(file.as_bytes(), file.len());
            checked.add(Finding::error("cut-off", place, found, "go back to the backup (.bak)"));
        }
    }
    checked
}

/// Looks at a body whose brackets are balanced.
fn body(file: &str, offset: usize, tree: &Tree<'_>, checked: &mut Checked) {
    let text = file.get(offset..).unwrap_or_default();
    let mut patch = Patch::default();
    let mut lint = Lint { tree, text, offset, file, patch: &mut patch, checked };
    lint.run();
    missing_fields(&mut lint);
    if let Some(mut document) = take_out(&mut lint) {
        for (problem, mended) in mend(&mut document) {
            let part = located(tree, &problem.place);
            let place = place_of(file.as_bytes(), offset + tree.span(part).start);
            let remedy = "mend it by hand, or go back to the backup (.bak)";
            let finding = Finding::error("unsound", place, problem.what, remedy).of_part(problem.place);
            checked.add(Finding { mend: mended, ..finding });
        }
        let text = ron::save(&document).ok();
        checked.mended = text.filter(|text| ron::load(text).is_ok()).map(String::into_bytes);
    }
    checked.findings.sort_by_key(|finding| finding.place.clone());
}

/// Where the body begins; none where this is no document that is read here.
fn header(file: &str, checked: &mut Checked) -> Option<usize> {
    let place = place_of(b"", 0);
    match ron::header::split(file) {
        Ok((_, body)) => Some(file.len() - body.len()),
        Err(LoadError::Newer { version }) => {
            let found = format!("written by a newer Inbetween, in version {version} of the format");
            let remedy = format!("update Inbetween: this one reads up to version {VERSION}");
            checked.add(Finding::error("newer", place, found, remedy));
            None
        }
        Err(_) => {
            // A body without its header, as it is without its first line.
            let bare = file.trim_start().starts_with("(") && file.contains("settings:") && file.contains("objects:");
            let found = "the first line is not that of an Inbetween document";
            let remedy = "write `(format:\"inbetween\",version:1)` there, or open a .ron file that Inbetween saved";
            let finding = Finding::error("no-header", place, found, remedy);
            checked.add(if bare { finding.mended("put there") } else { finding });
            bare.then_some(0)
        }
    }
}

/// The text without what it was cut off in, closed; none where that is not what is wrong with its brackets.
fn closed(tree: &Tree<'_>, broken: &Broken, text: &str) -> Option<String> {
    let Broken::Unclosed(open) = broken else { return None };
    // Parts of a tuple have no place of their own: the tuple goes.
    let is_tuple = |part: u32| {
        tree.part(part).kind == Kind::Round && tree.children(part).all(|child| tree.label(child).is_empty())
    };
    let kept = open.iter().take_while(|part| !is_tuple(**part)).count();
    let open = open.get(..kept)?;
    let innermost = *open.last()?;
    let is_whole = |part: &u32| text.get(tree.cut(*part)).is_some_and(|cut| cut.ends_with(','));
    let begin = |part: u32| {
        let at = tree.span(part).end.min(text.len()).saturating_sub(tree.value(part).len());
        let bracket = text.get(at..).and_then(|rest| rest.find(['(', '[', '{'])).unwrap_or(0);
        at + bracket + 1
    };
    let whole = tree.children(innermost).filter(is_whole).last();
    let end = whole.map_or_else(|| begin(innermost), |part| tree.cut(part).end);
    let closing = open.iter().rev().map(|part| match tree.part(*part).kind {
        Kind::Square => ']',
        Kind::Curly => '}',
        Kind::Round | Kind::Word => ')',
    });
    Some(text.get(..end)?.chars().chain(closing).collect())
}

/// Puts in what every document has.
fn missing_fields(lint: &mut Lint<'_>) {
    let Some(root) = lint.tree.children(WHOLE).next() else { return };
    let begin = lint.tree.span(root).start + 1;
    let fields = [
        ("settings", "settings: (rate: (24, 1), play_range: (0, 47)),"),
        ("objects", "objects: {},"),
        ("clips", "clips: {},"),
        ("next_id", "next_id: 1,"),
    ];
    let mut put = String::from("(");
    for (name, text) in fields {
        let there = lint.tree.child(root, name).is_some_and(|part| !lint.patch.covers(&lint.tree.span(part)));
        if !there {
            let found = format!("the document has no {name}");
            let finding = Finding::error("missing", lint.place(root), found, format!("add `{text}`"));
            lint.checked.add(finding.mended("added"));
            put.push_str(text);
        }
    }
    if put.len() > 1 {
        lint.patch.replace(begin - 1..begin, put);
    }
}

/// Reads the text as a document; what cannot be read is taken out, as little as lets the reader come further.
fn take_out(lint: &mut Lint<'_>) -> Option<Document> {
    let header = "(format:\"inbetween\",version:1)\n";
    let read = |patch: &Patch| {
        let text = patch.render(lint.text, 0..lint.text.len());
        let result = ron::load::read(&format!("{header}{text}"));
        result.map_err(|error| {
            let at = error.place().map_or(0, |(line, column)| byte_of(&text, line.saturating_sub(1), column));
            (patch.before(at), error)
        })
    };
    let mut tries = (BUDGET / lint.text.len().max(1)).clamp(8, TRIES);
    let mut now = read(lint.patch);
    loop {
        let (at, error) = match now {
            Ok(document) => return Some(document),
            Err(fault) => fault,
        };
        let before = lint.text.get(..at).unwrap_or_default().trim_end_matches(|c: char| c.is_whitespace() || c == ',');
        let blamed = match error {
            // The place is that of the name itself.
            LoadError::UnknownName { .. } => lint.tree.innermost(at.min(lint.text.len().saturating_sub(1))),
            _ => lint.tree.innermost(before.len().saturating_sub(1)),
        };
        let mut candidate = Some(blamed);
        let mut found = None;
        while let Some(part) = candidate {
            candidate = lint.tree.parent(part);
            if !lint.tree.is_separate(part) || lint.patch.covers(&lint.tree.span(part)) || tries == 0 {
                continue;
            }
            tries -= 1;
            let mut patch = lint.patch.clone();
            patch.replace(lint.tree.cut(part), "");
            let next = read(&patch);
            let further = next.as_ref().err().is_none_or(|(next, _)| *next > lint.tree.span(part).end);
            if further {
                found = Some((part, patch, next));
                break;
            }
        }
        let place = place_of(lint.file.as_bytes(), lint.offset + at);
        let (what, remedy) = words(&error);
        let finding = Finding::error("unreadable", place, what, remedy).of_part(lint.where_is(blamed));
        let Some((part, patch, next)) = found else {
            lint.checked.add(finding);
            return None;
        };
        let name = lint.where_is(part);
        lint.checked.add(finding.mended(format!("{name} left out")));
        *lint.patch = patch;
        now = next;
    }
}

/// An error of the reader without its place, and what to do.
fn words(error: &LoadError) -> (String, &'static str) {
    match error {
        LoadError::Syntax { what, .. } => (what.clone(), "mend the line, or go back to the backup (.bak)"),
        LoadError::UnknownName { name, inside, .. } => (
            format!("'{name}' is not known{inside}"),
            "take it out, or update Inbetween: a newer one may have written it",
        ),
        other => (other.to_string(), "go back to the backup (.bak)"),
    }
}

/// The part of the text that a problem of the document is about, as near as its words say.
fn located(tree: &Tree<'_>, place: &str) -> u32 {
    let Some(root) = tree.children(WHOLE).next() else { return WHOLE };
    let named = |list: &str, id: &str| tree.child(root, list).and_then(|list| tree.child(list, id));
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
    let lists = [("object ", "objects"), ("clip", "clips"), ("pose", "poses"), ("snapshot", "snapshots")];
    let lists = lists.into_iter().filter_map(|(prefix, list)| named(list, &number(place.strip_prefix(prefix)?)));
    let lists: Vec<u32> = lists.collect();
    let Some(&within) = lists.first() else {
        return tree.child(root, place).unwrap_or(root);
    };
    // A channel of it, by its whole name.
    let channels = tree.child(within, "channels").into_iter().flat_map(|channels| tree.children(channels));
    let mut named =
        channels.filter(|channel| place.contains(&format!("channel {}", tree.label(*channel).trim_matches('"'))));
    named.next().unwrap_or(within)
}
