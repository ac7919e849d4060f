//! Which folder may use which: a single crate cannot enforce it through Cargo, so the sources are scanned.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Words at the bottom that every folder may use.
const SHARED: &[&str] = &["notice", "progress", "style", "text"];

/// A folder (or a file beside `lib.rs`) and what of ours it may use besides itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("notice", &[]),
    ("progress", &[]),
    ("style", &[]),
    ("text", &[]),
    ("math", &[]),
    ("model", &["math"]),
    ("eval", &["math", "model", "progress"]),
    ("edit", &["math", "model", "eval"]),
    ("io", &["math", "model", "eval", "edit", "notice", "progress"]),
    ("samples", &["math", "model", "eval"]),
    ("interact", &["math", "model", "eval", "edit"]),
    ("render", &["math", "style"]),
    ("scene", &["math", "model", "eval", "interact", "render", "style"]),
    ("command", &["model", "edit", "interact"]),
    (
        "ui",
        &[
            "math", "model", "eval", "edit", "interact", "scene", "samples", "command", "notice", "progress", "style",
            "text", "render",
        ],
    ),
    (
        "cli",
        &[
            "math", "model", "eval", "edit", "io", "interact", "render", "scene", "samples", "command", "notice",
            "progress", "style", "text",
        ],
    ),
    (
        "app",
        &[
            "math", "model", "eval", "edit", "io", "interact", "render", "scene", "samples", "command", "ui", "cli",
            "notice", "progress", "style", "text",
        ],
    ),
];

/// An external crate and the folders it may appear in.
const HOMES: &[(&str, &[&str])] = &[
    ("three_d", &["render"]),
    ("glow", &["render", "app"]),
    ("glutin", &["render"]),
    ("egui", &["ui", "app"]),
    ("egui_plot", &["ui"]),
    ("egui_tiles", &["ui", "app"]),
    ("eframe", &["app"]),
    ("rfd", &["app"]),
    ("ron", &["io", "app"]),
    ("clap", &["cli"]),
    ("fontdb", &["app", "ui"]),
    ("directories", &["app"]),
    ("rust_i18n", &["text", "lib"]),
];

#[test]
fn folders_use_only_what_they_may() {
    let mut faults = Vec::new();
    let mut files = 0;
    for path in sources(&source_root()) {
        files += 1;
        let text = fs::read_to_string(&path).unwrap();
        let room = room(&path);
        let allowed = MAY_USE.iter().find(|(name, _)| *name == room);
        let text: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
        let text = text.join("\n");
        let place = |at: usize| format!("{}:{}", path.display(), text[..at].matches('\n').count() + 1);
        for (at, used) in used_rooms(&text) {
            let Some((_, allowed)) = allowed else { continue };
            if used != room && !allowed.contains(&used) && !SHARED.contains(&used) {
                faults.push(format!("{}: {room} may not use {used}", place(at)));
            }
            if room == "ui" && used == "render" && !text[at..].starts_with("crate::render::scene") {
                faults.push(format!(
                    "{}: ui may name only render::scene, the plain scene it hands to the painter",
                    place(at)
                ));
            }
        }
        for (external, homes) in HOMES {
            // `io::ron` is ours: a file that brings that name in means that.
            if imports_own(&text, external) {
                continue;
            }
            for at in names_of_crate(&text, external) {
                if room != "main" && !homes.contains(&room.as_str()) {
                    faults.push(format!("{}: {external} belongs in {homes:?}, not in {room}", place(at)));
                }
            }
        }
    }
    assert!(files > 50, "only {files} sources were found");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_room_stands_in_the_table() {
    for entry in fs::read_dir(source_root()).unwrap() {
        let room = room(&entry.unwrap().path());
        let known = ["lib", "main", "build"].contains(&room.as_str()) || MAY_USE.iter().any(|(name, _)| *name == room);
        assert!(known, "{room} has no row in MAY_USE");
    }
}

#[test]
fn panels_never_change_the_document() {
    for path in sources(&source_root().join("ui")) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("&mut Document"), "{} takes &mut Document: send a command", path.display());
    }
}

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The first part of a path below `src`, without an ending.
fn room(path: &Path) -> String {
    let below = path.strip_prefix(source_root()).unwrap();
    below.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// What a text uses of ours and where: `crate::room` and `crate::{room, ...}`.
fn used_rooms(text: &str) -> Vec<(usize, &'static str)> {
    let mut used = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => top_level_names(group),
            None => vec![first_name(rest)],
        };
        used.extend(MAY_USE.iter().filter(|(name, _)| names.contains(name)).map(|(name, _)| (at, *name)));
    }
    used
}

/// The first part of each path of a `use` group, up to its closing brace.
fn top_level_names(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(first_name(group[start..at].trim()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(first_name(group[start..at].trim()));
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

fn first_name(path: &str) -> &str {
    path.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Whether a `use crate::...;` of the text brings in a name.
fn imports_own(text: &str, name: &str) -> bool {
    text.match_indices("use crate::").any(|(at, _)| {
        let statement = text[at..].split(';').next().unwrap_or_default();
        statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
    })
}

fn names_of_crate(text: &str, name: &str) -> Vec<usize> {
    let names = |at: &usize| {
        let before = text[..*at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '.')
    };
    text.match_indices(&format!("{name}::")).map(|(at, _)| at).filter(names).collect()
}
