//! The command table: complete, named, and without two commands on one shortcut.

use inbetween::{
    command::{COMMANDS, CommandId, Keymap, PanelId, Section, Shortcut, keymap::Overrides},
    interact::view_state::Profile,
    text,
};
use std::collections::BTreeSet;

#[test]
fn every_command_has_its_row_its_name_and_its_title() {
    let mut names = BTreeSet::new();
    for (index, spec) in COMMANDS.iter().enumerate() {
        assert_eq!(spec.id as usize, index, "{:?} is not where its row is looked for", spec.id);
        assert_eq!(spec.id.spec().id, spec.id);
        assert!(names.insert(spec.id.name()), "{} is used twice", spec.id.name());
        assert!(text::has(spec.title), "no text for {}", spec.title);
    }
    for section in Section::ALL {
        assert!(text::has(section.title()));
        assert!(COMMANDS.iter().any(|spec| spec.section == section), "{section:?} is empty");
    }
    for profile in Profile::ALL {
        assert!(text::has(profile.title()));
    }
}

#[test]
fn shortcuts_can_be_read() {
    for spec in COMMANDS {
        for word in [spec.blender, spec.maya].iter().flat_map(|text| text.split(' ')).filter(|word| !word.is_empty()) {
            assert!(word.parse::<Shortcut>().is_ok(), "{:?}: {word}", spec.id);
        }
    }
}

#[test]
fn no_shortcut_runs_two_commands() {
    for profile in Profile::ALL {
        let keymap = Keymap::new(profile, &Overrides::default());
        for spec in COMMANDS {
            for shortcut in keymap.of(spec.id) {
                let others: Vec<_> = keymap.conflicts(spec.id, *shortcut).collect();
                assert!(others.is_empty(), "{profile:?}: {shortcut} runs {:?} and {others:?}", spec.id);
            }
        }
    }
}

#[test]
fn what_every_editor_has_is_on_the_usual_keys() {
    for profile in Profile::ALL {
        let keymap = Keymap::new(profile, &Overrides::default());
        for (text, id) in [
            ("Ctrl+Z", CommandId::Undo),
            ("Ctrl+Shift+Z", CommandId::Redo),
            ("Ctrl+Y", CommandId::Redo),
            ("Ctrl+S", CommandId::Save),
            ("Ctrl+Shift+S", CommandId::SaveAs),
            ("Ctrl+O", CommandId::Open),
            ("Ctrl+N", CommandId::New),
            ("F3", CommandId::Palette),
        ] {
            assert_eq!(keymap.lookup(text.parse().unwrap(), None), Some(id), "{profile:?}: {text}");
        }
    }
    let maya = Keymap::new(Profile::MayaLike, &Overrides::default());
    assert_eq!(maya.lookup("S".parse().unwrap(), Some(PanelId::Viewport)), Some(CommandId::SetKey));
    let blender = Keymap::new(Profile::BlenderLike, &Overrides::default());
    assert_eq!(blender.lookup("I".parse().unwrap(), Some(PanelId::Graph)), Some(CommandId::SetKey));
}

#[test]
fn a_panel_s_shortcut_counts_over_that_panel_only() {
    let keymap = Keymap::new(Profile::BlenderLike, &Overrides::default());
    let delete = "Delete".parse().unwrap();
    assert_eq!(keymap.lookup(delete, Some(PanelId::Graph)), Some(CommandId::DeleteKeys));
    assert_eq!(keymap.lookup(delete, Some(PanelId::Viewport)), Some(CommandId::DeleteSelected));
    assert_eq!(keymap.lookup(delete, Some(PanelId::Log)), None);
}

#[test]
fn changed_shortcuts_replace_the_profile_s_own() {
    let mut overrides = Overrides::default();
    let own = overrides.0.entry(Profile::BlenderLike).or_default();
    own.insert(CommandId::PlayPause.name().to_owned(), vec!["F9".parse().unwrap()]);
    own.insert("a_command_of_a_newer_version".to_owned(), vec!["Q".parse().unwrap()]);
    let keymap = Keymap::new(Profile::BlenderLike, &overrides);
    assert_eq!(keymap.lookup("F9".parse().unwrap(), None), Some(CommandId::PlayPause));
    assert_eq!(keymap.lookup("Space".parse().unwrap(), None), None);
    let text = serde_json::to_string(&overrides).unwrap();
    assert_eq!(serde_json::from_str::<Overrides>(&text).unwrap(), overrides);
    let other = Keymap::new(Profile::MayaLike, &overrides);
    assert_eq!(other.text(CommandId::PlayPause), "Alt+V");
}

/// Every text key written in the sources is in the tables.
#[test]
fn every_text_key_in_the_sources_exists() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut prefixes = BTreeSet::new();
    for (_, table) in tables() {
        let keys = table.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key.trim().to_owned());
        prefixes.extend(keys.filter_map(|key| key.split_once('.').map(|(area, _)| area.to_owned())));
    }
    let mut missing = Vec::new();
    let mut found = 0;
    for path in sources(&folder.join("src")) {
        let source = std::fs::read_to_string(&path).unwrap();
        for literal in source.split('"').skip(1).step_by(2) {
            let Some((area, key)) = literal.split_once('.') else { continue };
            let plain = |text: &str| {
                !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            };
            let file = ["json", "ron", "bvh"].contains(&key);
            // `foot.l` is a joint.
            let side = ["l", "r"].contains(&key);
            if plain(area) && plain(key) && !(file || side) && prefixes.contains(area) {
                found += 1;
                if !text::has(literal) {
                    missing.push(format!("{}: {literal}", path.display()));
                }
            }
        }
    }
    assert!(found > 100, "only {found} keys were found");
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

/// A text stands in one table only: of two the one read last would win.
#[test]
fn no_text_key_stands_twice() {
    let mut keys = BTreeSet::new();
    for (file, table) in tables() {
        for (key, _) in table.lines().filter_map(|line| line.split_once(':')) {
            assert!(key == "_version" || keys.insert(key.to_owned()), "{file}: {key} stands elsewhere too");
        }
    }
    assert!(keys.len() > 1000, "only {} keys were found", keys.len());
}

/// Every table of texts: its file's name and what it holds.
fn tables() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/text");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.display().to_string(), std::fs::read_to_string(&path).unwrap())
    };
    std::fs::read_dir(folder).unwrap().map(read).collect()
}

fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}
