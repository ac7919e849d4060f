//! The Khronos validator finds no error and no warning in what is written. It runs in Node: `npm ci` in `tests/interop`
//! brings it; without it the test says that it was skipped, and fails in CI.

use crate::gltf::{expected_files, exported, opened, split_to, tell};
use inbetween::io::check::check_bytes;
use inbetween::io::open::FileKind;
use inbetween::notice::Level;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn interop() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop")
}

fn is_installed() -> bool {
    let is_there = interop().join("node_modules/gltf-validator").is_dir();
    if !is_there {
        assert!(std::env::var_os("CI").is_none(), "run `npm ci` in tests/interop");
        tell("gltf validator: not installed (`npm ci` in tests/interop): skipped");
    }
    is_there
}

/// The errors and warnings that the validator finds in files, a line each.
fn judged(files: &[PathBuf]) -> String {
    let runs = files.chunks(500).map(|files| {
        let run = Command::new("node").arg(interop().join("validate.js")).args(files).output().expect("node");
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.success(), said.is_empty(), "{said}{}", String::from_utf8_lossy(&run.stderr));
        said
    });
    runs.collect()
}

#[test]
fn the_khronos_validator_finds_nothing_in_written_gltf() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut documents = vec![("sample".to_owned(), inbetween::samples::start())];
    documents.push(("deformed".to_owned(), crate::baked::moving().0));
    for (path, _) in expected_files() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        documents.push((name, opened(&path).document));
    }
    for path in crate::corpus::bvh_files().into_iter().take(2) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        documents.push((name, opened(&path).document));
    }
    let mut files = Vec::new();
    for (name, document) in documents {
        for (binary, extension) in [(true, "glb"), (false, "gltf")] {
            let path = folder.path().join(format!("{name}.{extension}"));
            inbetween::io::file::write(&path, &exported(&document, binary).0).expect("written");
            files.push(path);
        }
        files.extend(split_to(&document, &folder.path().join(format!("{name} apart.gltf"))).pop());
    }
    let said = judged(&files);
    assert!(said.is_empty(), "{said}");
}

/// Skins whose joints hang on several roots, or that name a joint twice since another was deleted: valid, and every vertex where it
/// was.
#[test]
fn skins_of_joints_without_a_node_in_common_are_valid() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for (name, document) in crate::gltf_skins::documents() {
        for (binary, extension) in [(true, "glb"), (false, "gltf")] {
            let path = folder.path().join(format!("{name}.{extension}"));
            inbetween::io::file::write(&path, &crate::gltf_skins::written(&document, binary)).expect("written");
            crate::gltf_skins::assert_same(&document, &opened(&path).document, name);
            files.push(path);
        }
    }
    if is_installed() {
        let said = judged(&files);
        assert!(said.is_empty(), "{said}");
    }
}

/// A small seeded generator: the same damage on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

/// The paths of all values of a JSON text that stand at most so deep.
fn pointers(value: &Value, path: &str, out: &mut Vec<String>) {
    let mut within = |key: String, inner: &Value| {
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        out.push(path.clone());
        pointers(inner, &path, out);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, inner)| within(key.clone(), inner)),
        Value::Array(entries) => entries.iter().enumerate().for_each(|(at, inner)| within(at.to_string(), inner)),
        _ => {}
    }
}

/// Changes some values of a glTF file: numbers to others that are wrong, members left out, lists cut.
fn damage(root: &mut Value, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let mut all = Vec::new();
        pointers(root, "", &mut all);
        let at = &all[random.below(all.len())];
        let wrong = [
            json!(0),
            json!(1),
            json!(-1),
            json!(7),
            json!(99),
            json!(4_294_967_295_u32),
            json!(0.5),
            json!("x"),
            json!([]),
        ];
        let (parent, key) = at.rsplit_once('/').expect("a path");
        match random.below(4) {
            0 => match root.pointer_mut(parent) {
                Some(Value::Object(members)) => drop(members.remove(&key.replace("~1", "/"))),
                Some(Value::Array(entries)) => drop(key.parse().map(|at: usize| entries.remove(at))),
                _ => {}
            },
            1 => {
                // The value of another of the same name.
                let others: Vec<&String> =
                    all.iter().filter(|other| other.rsplit_once('/').is_some_and(|(_, own)| own == key)).collect();
                let other = root.pointer(others[random.below(others.len())]).cloned();
                if let (Some(own), Some(other)) = (root.pointer_mut(at), other) {
                    *own = other;
                }
            }
            2 => {
                if let Some(own) = root.pointer_mut(at).filter(|own| own.is_number()) {
                    *own = wrong[random.below(7)].clone();
                }
            }
            _ => {
                if let Some(own) = root.pointer_mut(at).filter(|own| !own.is_object()) {
                    *own = wrong[random.below(wrong.len())].clone();
                }
            }
        }
    }
}

/// Files of every feature, damaged in their JSON, in their data and by a cut, and mended: neither judge finds anything.
#[test]
fn mended_gltf_passes_the_khronos_validator_and_the_strict_check() {
    if !is_installed() {
        return;
    }
    let rounds = std::env::var("INBETWEEN_DAMAGED").ok().and_then(|text| text.parse().ok()).unwrap_or(300_usize);
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources: Vec<PathBuf> = Vec::new();
    for (path, _) in expected_files() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let document = opened(&path).document;
        let own = [(path.clone(), std::fs::read(&path).expect("read"))];
        let ours = [(true, "glb"), (false, "gltf")].map(|(binary, extension)| {
            (folder.path().join(format!("{name}.{extension}")), exported(&document, binary).0)
        });
        for (path, bytes) in own.into_iter().chain(ours) {
            // What the judges already find in a file as it came is no fault of a repair.
            if bytes.len() < 200_000 {
                if !path.exists() {
                    inbetween::io::file::write(&path, &bytes).expect("written");
                }
                sources.push(path);
            }
        }
    }
    let refused = judged(&sources);
    sources.retain(|source| !refused.contains(&format!("{}: ", source.display())));
    let mut random = Random(5);
    let (mut files, mut wrong) = (Vec::new(), String::new());
    for round in 0..rounds {
        let source = &sources[round % sources.len()];
        let mut bytes = std::fs::read(source).expect("read");
        let binary = bytes.starts_with(b"glTF");
        if binary && random.below(3) == 0 {
            match random.below(2) {
                0 => bytes.truncate(bytes.len() - random.below(bytes.len() / 2)),
                _ => {
                    for _ in 0..random.below(20) {
                        let at = bytes.len() - 1 - random.below(bytes.len() / 2);
                        bytes[at] = [0, 0x7f, 0x80, 0xff][random.below(4)];
                    }
                }
            }
        } else if binary {
            let json_length = u32::from_le_bytes(bytes[12..16].try_into().expect("4")) as usize;
            let mut root: Value = serde_json::from_slice(&bytes[20..20 + json_length]).expect("JSON");
            damage(&mut root, &mut random);
            let mut text = root.to_string().into_bytes();
            text.resize(text.len().next_multiple_of(4), b' ');
            let rest = bytes.split_off(20 + json_length);
            bytes.truncate(12);
            bytes.extend(u32::try_from(text.len()).expect("small").to_le_bytes());
            bytes.extend(b"JSON");
            bytes.extend(text);
            bytes.extend(rest);
            let length = u32::try_from(bytes.len()).expect("small");
            bytes[8..12].copy_from_slice(&length.to_le_bytes());
        } else {
            let mut root: Value = serde_json::from_slice(&bytes).expect("JSON");
            damage(&mut root, &mut random);
            bytes = root.to_string().into_bytes();
        }
        let checked = check_bytes(bytes.clone(), None, Some(source));
        let checked = if checked.kind.is_some() {
            checked
        } else {
            check_bytes(bytes.clone(), FileKind::of_name(source), Some(source))
        };
        // A file in which nothing was mended is given back as it is, with all that is not carried.
        let found = checked.findings.iter().any(|finding| finding.mend.is_some());
        let Some(mended) = checked.mended.filter(|_| found) else { continue };
        let path = folder.path().join(format!("{round} {}", source.file_name().expect("a name").to_string_lossy()));
        let again = check_bytes(mended.clone(), checked.kind, Some(source));
        for finding in again.findings.iter().filter(|finding| finding.level >= Level::Warn) {
            wrong.push_str(&format!("{}: {finding}\n", path.display()));
        }
        inbetween::io::file::write(&path, &mended).expect("written");
        if let Some(kept) = std::env::var_os("INBETWEEN_KEEP") {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let kept = Path::new(&kept);
            inbetween::io::file::write(&kept.join(&name), &bytes).expect("written");
            inbetween::io::file::write(&kept.join(format!("mended {name}")), &mended).expect("written");
        }
        files.push(path);
    }
    tell(&format!("{} of {rounds} damaged files were mended", files.len()));
    assert!(files.len() * 4 > rounds, "{} of {rounds} were mended", files.len());
    wrong.push_str(&judged(&files));
    assert!(wrong.is_empty(), "{wrong}");
}
