//! The program without a window, run as a process.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_inbetween")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).display().to_string()
}

fn path(folder: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.display().to_string();
    (path, text)
}

#[test]
fn help_and_version_say_what_they_should() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    for word in ["convert", "info", "check", "[FILE]"] {
        assert!(text(&help.stdout).contains(word), "{word}");
    }
    let version = run(&["--version"]);
    assert_eq!(text(&version.stdout).trim(), concat!("inbetween ", env!("CARGO_PKG_VERSION")));
    assert_eq!(run(&["--no-such-option"]).status.code(), Some(2));
}

#[test]
fn bvh_goes_to_ron_and_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (_, ron) = path(&folder, "motion.ron");
    let (back, bvh) = path(&folder, "back.bvh");
    let source = data("bvh/B01_zxy_order.bvh");
    for arguments in [["convert", &source, &ron], ["convert", &ron, &bvh]] {
        let done = run(&arguments);
        assert!(done.status.success(), "{}", text(&done.stderr));
        assert_eq!(text(&done.stdout), "");
    }
    let (again, direct) = path(&folder, "direct.bvh");
    assert!(run(&["convert", &source, &direct]).status.success());
    assert_eq!(std::fs::read(back).unwrap(), std::fs::read(again).unwrap());
}

#[test]
fn a_rate_and_a_unit_can_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (out, bvh) = path(&folder, "out.bvh");
    let source = data("bvh/B03_root_offset_and_position.bvh");
    let done = run(&["convert", &source, &bvh, "--unit", "cm", "--out-unit", "mm", "--fps", "23.976"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let written = std::fs::read_to_string(out).unwrap();
    assert!(written.contains("Frame Time: 0.0417083"), "{written}");
    assert!(written.contains("OFFSET 0 100 0") || written.contains("OFFSET 0.000000 100.000000 0.000000"), "{written}");
}

#[test]
fn info_counts_what_is_there_for_people_and_machines() {
    let told = run(&["info", &data("ron/v1.ron")]);
    assert!(told.status.success());
    assert!(text(&told.stdout).contains("Figure") && text(&told.stdout).contains("Wave"));
    let told = run(&["info", "--json", &data("bvh/B02_colon_names.bvh")]);
    let value: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!(value["kind"], "BVH motion");
    assert_eq!(value["rigs"][0]["joints"], 2);
    assert_eq!(text(&told.stderr), "");
}

#[test]
fn check_fails_on_what_cannot_be_opened_and_names_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, name) = path(&folder, "bad.bvh");
    std::fs::File::create(&bad).unwrap();
    let good = data("bvh/B04_scientific.bvh");
    assert_eq!(run(&["check", &good]).status.code(), Some(0));
    let failed = run(&["check", &good, &name]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(text(&failed.stderr).contains("bad.bvh"), "{}", text(&failed.stderr));
    let json = run(&["check", "--json", &good, &name]);
    let rows: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((rows[0]["opens"].as_bool(), rows[1]["opens"].as_bool()), (Some(true), Some(false)));
}

#[test]
fn several_rigs_or_clips_must_be_chosen_from() {
    let folder = tempfile::tempdir().unwrap();
    let (_, out) = path(&folder, "out.bvh");
    let refused = run(&["convert", &data("ron/v1.ron"), &out]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("--object") && said.contains("'Figure'") && said.contains("'Prop'"), "{said}");
    let done = run(&["convert", &data("ron/v1.ron"), &out, "--object", "Figure", "--clip", "Wave"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let refused = run(&["convert", &data("ron/v1.ron"), &out, "--object", "Nobody"]);
    assert!(text(&refused.stderr).contains("Nobody"));
    assert_eq!(run(&["convert", &data("ron/v1.ron"), "out.xyz"]).status.code(), Some(1));
}
