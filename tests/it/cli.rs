//! The program without a window, run as a process.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

pub(crate) fn run(arguments: &[&str]) -> Output {
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

fn write(path: &Path, text: &str) {
    inbetween::io::file::write(path, text.as_bytes()).unwrap();
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

#[test]
fn diff_answers_like_the_tool_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let source = data("bvh/B01_zxy_order.bvh");
    let (changed, name) = path(&folder, "changed.bvh");
    let text_of = std::fs::read_to_string(&source).unwrap();
    let (head, motion) = text_of.split_once("MOTION").unwrap();
    write(&changed, &format!("{}MOTION{motion}", head.replacen("OFFSET 0", "OFFSET 1", 1)));
    let same = run(&["diff", &source, &source]);
    assert_eq!((same.status.code(), text(&same.stdout)), (Some(0), String::new()));
    let other = run(&["diff", &source, &name]);
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stdout).contains("rest"), "{}", text(&other.stdout));
    let json = run(&["diff", "--json", &source, &name]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(value["differences"].as_array().is_some_and(|found| !found.is_empty()));
    let trouble = run(&["diff", &source, "no-such-file.bvh"]);
    assert_eq!(trouble.status.code(), Some(2));
    assert!(text(&trouble.stderr).contains("no-such-file.bvh"));
}

#[test]
fn compare_measures_each_joint_and_names_the_worst_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (a, a_name) = path(&folder, "a.bvh");
    let (b, b_name) = path(&folder, "b.bvh");
    let file = |second: f64| {
        format!(
            "HIERARCHY\nROOT hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
             JOINT tip\n{{\nOFFSET 0 2 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\n\
             MOTION\nFrames: 3\nFrame Time: 0.04\n0 0 0 0 0 0 0 0 0\n{second} 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0 0\n"
        )
    };
    write(&a, &file(0.0));
    write(&b, &file(0.5));
    let done = run(&["compare", "--unit", "m", "--json", &a_name, &b_name]);
    let value: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let hips = &value["comparison"]["joints"][0];
    assert_eq!((hips["joint"].as_str(), hips["worst_frame"].as_i64()), (Some("hips"), Some(1)));
    assert!((hips["max_m"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert!((hips["mean_m"].as_f64().unwrap() - 0.5 / 3.0).abs() < 1e-12);
    let told = run(&["compare", "--unit", "m", &a_name, &b_name]);
    assert!(text(&told.stdout).lines().any(|line| line.starts_with("tip") && line.contains("500.000")));
    let nothing = run(&["compare", &a_name, &data("bvh/B02_colon_names.bvh")]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("same name"), "{}", text(&nothing.stderr));
}

#[test]
fn channels_are_plotted_as_picture_and_table() {
    let folder = tempfile::tempdir().unwrap();
    let source = data("bvh/B01_zxy_order.bvh");
    let info = run(&["info", "--json", &source]);
    let value: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    let rig = value["rigs"][0]["name"].as_str().unwrap().to_owned();
    let (svg, svg_name) = path(&folder, "a.svg");
    let done = run(&["plot", &source, "--channel", &rig, "-o", &svg_name, "--print", "--size", "120x80"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg width=\"120mm\" height=\"80mm\""));
    let table = run(&["plot", &source, "-c", &rig, "--csv", "--frames", "0..0"]);
    assert!(text(&table.stdout).starts_with("frame,"), "{}", text(&table.stderr));
    let unknown = run(&["plot", &source, "-c", "Nobody", "--csv"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("Nobody") && text(&unknown.stderr).contains(&rig));
    for wrong in [&["-o", "a.txt"] as &[&str], &[]] {
        let refused = run(&[&["plot", &source, "-c", &rig], wrong].concat());
        assert_eq!(refused.status.code(), Some(1));
    }
    assert_eq!(run(&["plot", &source, "-c", &rig, "--csv", "--frames", "a..b"]).status.code(), Some(2));
    assert_eq!(run(&["plot", &source, "-c", &rig, "--csv", "--size", "0x9"]).status.code(), Some(2));
}

/// Every choice of `render` changes the picture, and names that are none are told.
#[test]
fn pictures_show_what_is_asked_for() {
    use inbetween::math::{Transform, Vec3};
    use inbetween::model::{Camera, Object, ObjectKind};
    let folder = tempfile::tempdir().unwrap();
    let mut document = inbetween::samples::start();
    let eye = Object::new("eye", ObjectKind::Camera(Camera { fov_y: 0.4, ..Camera::default() }));
    document.add_object(Object { transform: Transform::from_translation(Vec3::new(0.0, 1.0, 9.0)), ..eye });
    let (file, name) = path(&folder, "scene.ron");
    write(&file, &inbetween::io::ron::save(&document).unwrap());
    let (out, out_name) = path(&folder, "out.png");
    let picture = |more: &[&str]| {
        let arguments = [&["render", &name, "-o", &out_name, "--size", "160x90"], more].concat();
        let done = run(&arguments);
        let said = text(&done.stderr);
        if said.contains("EGL") && std::env::var_os("CI").is_none() {
            eprintln!("SKIPPED: {said}");
            return None;
        }
        assert!(done.status.success(), "{more:?}: {said}");
        Some(std::fs::read(&out).unwrap())
    };
    let Some(plain) = picture(&[]) else { return };
    assert_eq!(picture(&["--trail", "hand.l"]), picture(&["--trail", "Biped/hand.l"]), "the only hand.l");
    let asked: [&[&str]; 9] = [
        &["--frame", "10"],
        &["--orbit", "90,0"],
        &["--camera", "eye"],
        &["--background", "ff0000"],
        &["--light"],
        &["--grid", "off"],
        &["--mannequin", "off"],
        &["--ghosts", "on"],
        &["--trail", "Biped/hand.l"],
    ];
    for more in asked {
        assert!(picture(more).is_some_and(|other| other != plain), "{more:?} changes nothing");
    }
    let bones: [&str; 4] = ["--bones", "on", "--mannequin", "off"];
    assert!(picture(&bones).is_some_and(|other| other != plain));
    let refused = |more: &[&str]| text(&run(&[&["render", &name, "-o", &out_name], more].concat()).stderr);
    assert!(refused(&["--camera", "nobody"]).contains("'eye'"), "the cameras there are");
    assert!(refused(&["--trail", "Biped/tail"]).contains("Biped/tail"));
    // A mesh alone, without any character, is a picture too.
    let mesh = data("gltf/B12_skinned_node_has_transform.gltf");
    for more in [&[][..], &["--mesh", "off"]] {
        assert!(run(&[&["render", &mesh, "-o", &out_name, "--size", "160x90"], more].concat()).status.success());
    }
}
