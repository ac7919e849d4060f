//! Documents: what is wrong with their text, and with what it says.

use super::{
    Checked, Finding,
    patch::Patch,
    ron_lint::Lint,
    ron_reader,
    ron_tree::{Broken, Kind, Tree, WHOLE},
};
use crate::{
    io::{
        open::FileKind,
        ron::{self, LoadError, VERSION},
        text::place_of,
    },
    model::mending::mend,
};

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
            checked.add(finding.losing("what was whole kept"));
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
    let (mut patch, straight) = (Patch::default(), Patch::default());
    Lint { tree, text, offset, file, before: &straight, patch: &mut patch, checked }.run();
    // What the first look put in order is a text of its own: its parts can be taken out one by one.
    let text = patch.render(text, 0..text.len());
    let (tree, broken) = Tree::new(&text);
    if broken.is_some() {
        return;
    }
    let mut taken = Patch::default();
    let mut lint = Lint { tree: &tree, text: &text, offset, file, before: &patch, patch: &mut taken, checked };
    if let Some(mut document) = ron_reader::read(&mut lint) {
        for (problem, mended) in mend(&mut document) {
            let place = lint.place(located(&tree, &problem.place));
            let remedy = "mend it by hand, or go back to the backup (.bak)";
            // A number for what is yet to come is nothing that was there.
            let lost = mended.is_some() && problem.place != "next_id";
            let finding = Finding::error("unsound", place, problem.what, remedy).of_part(problem.place);
            lint.checked.add(Finding { mend: mended, lost, ..finding });
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
    let kept = open.iter().enumerate().take_while(|(at, part)| {
        let outer = at.checked_sub(1).and_then(|at| open.get(at)).copied();
        // Half a joint has lost its parent or its place, half a key its value.
        let entry = outer.is_some_and(|outer| {
            tree.part(outer).kind == Kind::Square && matches!(tree.label(outer), "skeleton" | "keys")
        });
        !entry && can_close(tree, **part, open.get(at + 1).copied())
    });
    let kept = kept.count();
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

/// Whether a group that the text ends in can be closed with what is whole in it. Values of a tuple count by their place:
/// with one too few it is none. What has a name and one value (`Rig((...))`) is closed with it, if that can be closed.
fn can_close(tree: &Tree<'_>, part: u32, inner: Option<u32>) -> bool {
    let mut children = tree.children(part);
    let Some(first) = children.next() else { return tree.part(part).kind != Kind::Round };
    if tree.part(part).kind != Kind::Round || !tree.label(first).is_empty() {
        return true;
    }
    let named = tree.value(part).starts_with(|c: char| c.is_ascii_alphabetic());
    named && children.next().is_none() && inner == Some(first)
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
