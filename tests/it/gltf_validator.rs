//! The Khronos validator finds no error and no warning in what is written. It runs in Node: `npm ci` in `tests/interop`
//! brings it; without it the test says that it was skipped, and fails in CI.

use crate::gltf::{expected_files, exported, opened, split_to, tell};
use std::path::{Path, PathBuf};
use std::process::Command;

fn interop() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop")
}

#[test]
fn the_khronos_validator_finds_nothing_in_written_gltf() {
    if !interop().join("node_modules/gltf-validator").is_dir() {
        assert!(std::env::var_os("CI").is_none(), "run `npm ci` in tests/interop");
        return tell("gltf validator: not installed (`npm ci` in tests/interop): skipped");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut documents = vec![("sample".to_owned(), inbetween::samples::start())];
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
    let run = Command::new("node").arg(interop().join("validate.js")).args(&files).output().expect("node");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
}
