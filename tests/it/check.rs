//! `inbetween check`: all that is wrong is named with its place, and mended into a new file.

use inbetween::io::check::{Checked, check_bytes};
use inbetween::io::open::FileKind;
use inbetween::io::report::Place;
use inbetween::notice::Level;
use std::path::Path;

fn looked(text: &str, kind: FileKind) -> Checked {
    check_bytes(text.as_bytes().to_vec(), Some(kind), None)
}

fn lines(checked: &Checked) -> Vec<(usize, &'static str)> {
    let line = |place: &Place| match place {
        Place::Text { line, .. } => *line,
        _ => 0,
    };
    let errors = checked.findings.iter().filter(|finding| finding.level == Level::Error);
    errors.map(|finding| (line(&finding.place), finding.kind)).collect()
}

/// The mended file, which must be sound.
fn mended(checked: &Checked) -> String {
    let bytes = checked.mended.clone().unwrap_or_else(|| panic!("{:#?}", checked.findings));
    let again = check_bytes(bytes.clone(), checked.kind, None);
    assert!(again.is_sound(), "{:#?}", again.findings);
    assert!(checked.findings.iter().all(|f| f.level < Level::Error || f.mend.is_some()), "{:#?}", checked.findings);
    String::from_utf8(bytes).expect("text")
}

/// The first line with this in it, from 1.
fn line_of(text: &str, part: &str) -> usize {
    1 + text.lines().position(|line| line.contains(part)).expect(part)
}

const DOCUMENT: &str = include_str!("../data/ron/v1.ron");

#[test]
fn a_sound_document_is_sound_and_stays_as_it_is() {
    let checked = looked(DOCUMENT, FileKind::Ron);
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
    assert_eq!(mended(&checked), DOCUMENT);
}

#[test]
fn every_fault_of_a_document_is_placed_and_mended() {
    let changes = [
        ("(t: 0.25, v: 0.0),", "(t: -0.25, v: NaN), \n      (t: -0.5, v: 0.5),"),
        ("0.9009765625", "NaN"),
        ("      parent: Some(1),", "      parent: Some(77),"),
        ("clip: Some(3)", "clip: Some(9)"),
        ("\"1/j2/rotation.x\": Scalar(Keyed", "\"1/j99/rotation.x\": Scalar(Keyed"),
        ("parent: Some(Joint(1, 2))", "parent: Some(Joint(1, 42))"),
        ("pre: Mirror", "pre: Banana"),
        ("q: (0.05379772769049571", "q: (0.25379772769049571"),
        ("(t: 0.75, v: 0.10000000000000003, i: CatmullRom", "(t: 0.5, v: 0.10000000000000003, i: CatmullRom"),
        (" next_id: 5", " next_id: 2,\n gadget: (3, [1, 2])"),
        ("name: \"Reach\",", "name: \"Reach\",\n     name: \"Reach\","),
    ];
    let mut text = DOCUMENT.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let checked = looked(&text, FileKind::Ron);
    let wanted = [
        "settings: (",
        "parent: Some(77)",
        "2: (",
        "0.9, NaN",
        "q: (0.2537977",
        "\"1/j99/rotation.x\"",
        "v: 0.10000000000000003",
        "Banana",
        "v: NaN",
        "t: -0.5",
        "name: \"Reach\"",
        "next_id",
        "gadget",
    ];
    let found: Vec<usize> = lines(&checked).into_iter().map(|(line, _)| line).collect();
    for part in wanted {
        let line = if part == "2: (" {
            1 + text.lines().position(|l| l == "  2: (").expect(part)
        } else {
            line_of(&text, part)
        };
        assert!(found.contains(&line) || found.contains(&(line + 1)), "{part} on line {line}: {:#?}", checked.findings);
    }
    let mended = mended(&checked);
    assert!(!mended.contains("NaN") && !mended.contains("gadget") && !mended.contains("j99"));
    assert!(mended.contains("name: \"Prop\"") && mended.contains("name: \"Reach\""), "what is sound stays");
}

#[test]
fn a_document_that_was_cut_off_keeps_what_was_whole() {
    let mut repaired = 0;
    for end in (200..DOCUMENT.len() - 20).step_by(61) {
        let Some(cut) = DOCUMENT.get(..end) else { continue };
        let checked = looked(cut, FileKind::Ron);
        assert!(!checked.opens(), "cut at {end}");
        if checked.mended.is_some() {
            repaired += 1;
            mended(&checked);
        }
    }
    assert!(repaired > 60, "{repaired}");
}

#[test]
fn joints_out_of_order_are_put_in_order() {
    let text = DOCUMENT.replacen(
        "      id: 0,\n      name: \"Hips\"",
        "      id: 0,\n      parent: Some(1),\n      name: \"Hips\"",
        1,
    );
    let text = text.replacen("      parent: Some(0),", "", 1);
    let checked = looked(&text, FileKind::Ron);
    assert!(checked.findings.iter().any(|finding| finding.kind == "parent-later"), "{:#?}", checked.findings);
    let mended = mended(&checked);
    assert!(line_of(&mended, "左腕") < line_of(&mended, "\"Hips\""));
}

/// The document that a look mended, which must be sound.
fn mended_document(checked: &Checked) -> inbetween::model::Document {
    inbetween::io::ron::load(&mended(checked)).expect("sound")
}

const WALK: &str = include_str!("../../assets/samples/walk.ron");

/// Each field of the settings and of a joint, the other way round: misspelt it is read as it is meant, unknown it is
/// dropped, and what is impossible takes its default. Nothing but that goes.
#[test]
fn one_bad_field_costs_that_field_and_no_more() {
    let whole = inbetween::io::ron::load(WALK).expect("sound");
    for (from, to) in [
        ("rate: (24, 1)", "rtae: (24, 1)"),
        ("play_range: (0, 192)", "playrange: (0, 192)"),
        ("      name: \"spine\"", "      nmae: \"spine\""),
        ("      name: \"hips\"", "      Name: \"hips\""),
        ("      parent: Some(0)", "      parant: Some(0)"),
        ("kind: Rig((", "kind: Rgi(("),
        ("skeleton: [", "skelton: ["),
        (" next_id: 4", " nextid: 4"),
    ] {
        assert!(WALK.contains(from), "{from}");
        let checked = looked(&WALK.replacen(from, to, 1), FileKind::Ron);
        assert_eq!(mended_document(&checked), whole, "{to}: {:#?}", checked.findings);
        assert!(!checked.loses && checked.findings.len() == 1, "{to}: {:#?}", checked.findings);
    }
    let every = WALK.replace("      name: ", "      nmae: ");
    let checked = looked(&every, FileKind::Ron);
    assert_eq!(mended_document(&checked), whole, "all joints at once");
    for (from, to) in [
        ("rate: (24, 1)", "rate: (0, 0)"),
        ("play_range: (0, 192)", "play_range: (7, nothing)"),
        ("      name: \"spine\"", "      name: 5"),
        ("      name: \"spine\"", "      gadget: (1, [2]), name: \"spine\""),
        ("rest: ((0.0, 0.1, 0.0)", "rest: ((0.0, 0.1)"),
        ("      id: 1,", "      id: one,"),
    ] {
        let checked = looked(&WALK.replacen(from, to, 1), FileKind::Ron);
        let document = mended_document(&checked);
        assert!(checked.loses && checked.findings.iter().any(|finding| finding.lost), "{to}");
        let joints = |document: &inbetween::model::Document| {
            let rigs = document.objects.values().filter_map(|object| object.as_rig());
            rigs.map(|rig| rig.skeleton.joints().len()).sum::<usize>()
        };
        assert_eq!(joints(&document), joints(&whole), "{to}: {:#?}", checked.findings);
        let lost = whole.clips.values().map(|clip| clip.channels.len()).sum::<usize>()
            - document.clips.values().map(|clip| clip.channels.len()).sum::<usize>();
        // Curves of a joint that nobody can tell any more go with it.
        assert_eq!(lost, if to.contains("id:") { 3 } else { 0 }, "{to}: {:#?}", checked.findings);
    }
}

#[test]
fn a_joint_that_is_nothing_goes_alone_and_its_children_hang_on_its_parent() {
    let whole = inbetween::io::ron::load(WALK).expect("sound");
    let (from, to) = ("      id: 2,\n      name: \"chest\"", "      ] [id: 2,\n      name: \"chest\"");
    let checked = looked(&WALK.replacen(from, to, 1), FileKind::Ron);
    assert!(checked.mended.is_none(), "brackets in disorder are not guessed at");
    let (from, to) = ("      id: 2,\n      name: \"chest\"", "      id: 2,\n      !!!! name \"chest\"");
    assert!(WALK.contains(from));
    let checked = looked(&WALK.replacen(from, to, 1), FileKind::Ron);
    let document = mended_document(&checked);
    let rig = |document: &inbetween::model::Document| document.objects.values().next().expect("one").as_rig().cloned();
    let (rig, was) = (rig(&document).expect("a rig"), rig(&whole).expect("a rig"));
    assert!(rig.skeleton.joints().len() + 1 >= was.skeleton.joints().len(), "{:#?}", checked.findings);
    let roots = rig.skeleton.joints().iter().filter(|joint| joint.parent.is_none()).count();
    assert_eq!(roots, 1, "{:#?}", checked.findings);
}

#[test]
fn a_document_cut_anywhere_keeps_every_joint_curve_and_object_before_the_cut() {
    let whole = inbetween::io::ron::load(WALK).expect("sound");
    let mut last = (0, 0);
    for end in (0..WALK.len()).step_by(WALK.len() / 50) {
        let cut = &WALK[..end];
        let joints = cut.matches("\n     ),\n").count().min(26);
        let checked = looked(cut, FileKind::Ron);
        if joints == 0 {
            continue;
        }
        let document = mended_document(&checked);
        assert!(checked.loses, "cut at {end}");
        let rig = document.objects.values().next().expect("the character").as_rig().expect("a rig");
        assert!(rig.skeleton.joints().len() >= joints, "cut at {end}: {} of {joints}", rig.skeleton.joints().len());
        let channels = document.clips.values().map(|clip| clip.channels.len()).sum::<usize>();
        let said = cut.matches(": Scalar(Keyed((").count();
        assert!(channels + 1 >= said, "cut at {end}: {channels} of {said}");
        let now = (rig.skeleton.joints().len(), channels);
        assert!(now >= last, "more of the file gives no less: {now:?} after {last:?}");
        last = now;
    }
    assert_eq!(last.0, whole.objects.values().next().expect("one").as_rig().expect("a rig").skeleton.joints().len());
}

/// A motion file cut at any byte is either told to hold no whole joint, or mended into one that says nothing against
/// itself.
#[test]
fn a_motion_file_cut_anywhere_is_mended_into_one_that_is_sound() {
    let first = MOTION.find("CHANNELS").expect("channels");
    for end in 0..MOTION.len() {
        let checked = looked(&MOTION[..end], FileKind::Bvh);
        if checked.mended.is_none() {
            assert!(end < first, "cut at {end}: {:#?}", checked.findings);
            continue;
        }
        let text = mended(&checked);
        let frames: usize = text
            .split("Frames: ")
            .nth(1)
            .and_then(|rest| rest.lines().next())
            .expect("a count")
            .parse()
            .expect("a number");
        let rows = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).count();
        assert_eq!(frames, rows, "cut at {end}");
        let joints = text.matches("OFFSET").count();
        let said = MOTION[..end].matches("OFFSET").count();
        assert!(joints == said || joints + 1 == said, "cut at {end}: {joints} of {said}");
        // Rows that a sound head says and the file has not are not lost by the mend.
        let told = checked.loses || checked.findings.iter().any(|finding| finding.kind == "frames-count");
        assert!(told || end > MOTION.len() - 3, "cut at {end}: {:#?}", checked.findings);
    }
}

#[test]
fn a_value_that_is_none_is_told_once_and_where_it_stands() {
    let rows: String = (0..9).map(|row| format!("{row} 96 0 0 0 0 0 12 0 0 0 0\n")).collect();
    let head = MOTION.split_inclusive('\n').take_while(|line| !line.starts_with("0 95")).collect::<String>();
    let text = format!("{head}{rows}")
        .replacen("3 96 0 0", "3 nan 0 0", 1)
        .replacen("4 96 0 0 0 0 0 12 0 0 0 0", "4 96 0", 1)
        .replacen("6 96", "6 inf", 1);
    let checked = looked(&text, FileKind::Bvh);
    let said: Vec<(usize, &str)> = checked
        .findings
        .iter()
        .map(|finding| match finding.place {
            Place::Text { line, .. } => (line, finding.kind),
            _ => (0, finding.kind),
        })
        .collect();
    let line = |part: &str| line_of(&text, part);
    let wanted = [
        (line("Frames: 2"), "frames-count"),
        (line("3 nan"), "value"),
        (1 + text[..text.find("4 96 0\n").expect("it")].matches('\n').count(), "row"),
        (line("6 inf"), "value"),
    ];
    assert_eq!(said, wanted, "{:#?}", checked.findings);
    assert!(!mended(&checked).to_lowercase().contains("nan"));
}

const MOTION: &str = include_str!("../data/bvh/B03_root_offset_and_position.bvh");

#[test]
fn every_fault_of_a_motion_file_is_placed_and_mended() {
    let text = MOTION
        .replacen("OFFSET 0 10 0", "OFFSET 0 nan", 1)
        .replacen("Zrotation Xrotation Yrotation\n  End", "Zrotation Xrotation Yrotation\n  OFFSET 1 2 3\n  End", 1)
        .replacen(" }\n}\nMOTION", "MOTION", 1)
        .replacen("Frames: 2", "Frames: 99", 1)
        .replacen(
            "3 96 0 0 0 0 0 12 0 0 0 0",
            "3 96 0 0 0 0 0 12 0 0 0\n3 96 0 0 nan 0 0 12 0 0 0 0\n3 96 0 1,5 abc 0 0 12 0 0 0 0\n\
             1 2 3 4 5 6 7 8 9 10 11 12 13\n4 96 0 0 0 0 0 12 0 0 0 7",
            1,
        );
    let checked = looked(&text, FileKind::Bvh);
    let found: Vec<usize> = lines(&checked).into_iter().map(|(line, _)| line).collect();
    for part in ["OFFSET 0 nan", "OFFSET 1 2 3", "MOTION", "0 12 0 0 0\n", "1,5", "10 11 12 13"] {
        let at = text.find(part).expect(part);
        let line = 1 + text[..at].matches('\n').count();
        assert!(found.contains(&line) || found.contains(&(line + 1)), "{part} on line {line}: {:#?}", checked.findings);
    }
    assert!(checked.findings.iter().any(|finding| finding.kind == "frames-count"));
    let mended = mended(&checked);
    let rows: Vec<&str> = mended.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).collect();
    assert_eq!(rows.len(), 6, "{mended}");
    assert_eq!(rows[1], rows[0], "a row without its values is the one before");
    assert!(rows[3].contains("1.5") && rows[5].ends_with("7.000000"));
}

#[test]
fn rows_that_all_differ_from_the_hierarchy_are_not_guessed_at() {
    let text = MOTION.replace("0 12 0 0 0 0", "0 12 0 0").replace("0 10 0 0 0 0", "0 10 0 0");
    let checked = looked(&text, FileKind::Bvh);
    assert!(!checked.opens() && checked.mended.is_none(), "{:#?}", checked.findings);
    assert!(checked.findings.iter().all(|finding| !finding.remedy.is_empty()));
}

fn gltf_case(change: impl FnOnce(&mut serde_json::Value)) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf/B13_eight_influences.gltf");
    let mut value = serde_json::from_str(&std::fs::read_to_string(path).expect("the case")).expect("JSON");
    change(&mut value);
    format!("{value:#}")
}

#[test]
fn every_fault_of_a_gltf_file_is_placed_and_mended() {
    let text = gltf_case(|value| {
        value["nodes"][0]["children"] = serde_json::json!([1, 99]);
        value["nodes"][2]["rotation"] = serde_json::json!([0, 0, 0, 0]);
        let accessors = value["accessors"].as_array_mut().expect("accessors");
        accessors
            .push(serde_json::json!({ "bufferView": 0, "componentType": 5126, "count": u32::MAX, "type": "SCALAR" }));
        let last = accessors.len() - 1;
        value["animations"].as_array_mut().expect("animations").push(serde_json::json!({
            "channels": [
                { "sampler": 0, "target": { "node": 77, "path": "rotation" } },
                { "sampler": 5, "target": { "node": 1, "path": "rotation" } },
                { "sampler": 0, "target": { "node": 1, "path": "translation" } },
            ],
            "samplers": [{ "input": last, "output": 1, "interpolation": "WOBBLE" }],
        }));
    });
    let text = text.replacen("\"version\": \"2.0\"", "\"version\": \"2.0\", \"extras\": NaN", 1);
    let checked = looked(&text, FileKind::Gltf);
    let found: Vec<usize> = lines(&checked).into_iter().map(|(line, _)| line).collect();
    for part in ["NaN", "      99\n", "\"node\": 77", "\"sampler\": 5", "4294967295", "WOBBLE"] {
        let at = text.find(part).expect(part);
        let line = 1 + text[..at].matches('\n').count();
        let near = found.iter().any(|found| found.abs_diff(line) <= 3);
        assert!(near, "{part} near line {line}: {:#?}", checked.findings);
    }
    let mended = mended(&checked);
    assert!(!mended.contains("WOBBLE"), "its channels were all broken, so that the animation goes");
}

#[test]
fn what_is_passed_over_may_nest_however_deep() {
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(500), "]".repeat(500));
    let text = gltf_case(|value| {
        value["asset"]["extras"] = "DEEP".into();
        value["meshes"][0]["extras"] = serde_json::json!({ "a": "DEEP", "targetNames": ["DEEP", "smile"] });
    });
    let text = text.replace("\"DEEP\"", &deep);
    let read = inbetween::io::gltf::parse(text.as_bytes(), None);
    assert!(read.is_ok(), "{:?}", read.err());
    let checked = looked(&text, FileKind::Gltf);
    assert!(checked.opens(), "{:#?}", checked.findings);
    assert_eq!(mended(&checked), text, "a sound file is its own copy");
}

#[test]
fn numbers_of_a_gltf_buffer_that_are_none_become_0() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let text = gltf_case(|value| {
        let positions = value["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().expect("positions");
        let accessor = value["accessors"][usize::try_from(positions).expect("small")].clone();
        let view =
            &value["bufferViews"][usize::try_from(accessor["bufferView"].as_u64().expect("a view")).expect("small")];
        let offset = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
        let offset = usize::try_from(offset).expect("small");
        let uri = value["buffers"][0]["uri"].as_str().expect("data").to_owned();
        let (head, data) = uri.split_once(',').expect("a comma");
        let mut bytes = STANDARD.decode(data).expect("base64");
        bytes[offset..offset + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        value["buffers"][0]["uri"] = format!("{head},{}", STANDARD.encode(&bytes)).into();
    });
    let checked = looked(&text, FileKind::Gltf);
    assert_eq!(lines(&checked).len(), 1, "{:#?}", checked.findings);
    mended(&checked);
}

#[test]
fn a_cut_binary_file_is_placed_by_bytes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf/B13_eight_influences.gltf");
    let document = crate::gltf::opened(&path).document;
    let (bytes, _) = crate::gltf::exported(&document, true);
    for end in [4, 11, 19, bytes.len() / 3, bytes.len() - 7] {
        let checked = check_bytes(bytes[..end].to_vec(), Some(FileKind::Glb), None);
        assert!(!checked.opens());
        assert!(matches!(checked.findings[0].place, Place::Byte { byte } if byte <= end), "{:#?}", checked.findings);
    }
    let checked = check_bytes(bytes[..bytes.len() - 7].to_vec(), Some(FileKind::Glb), None);
    let again = check_bytes(checked.mended.expect("mended"), Some(FileKind::Glb), None);
    assert!(again.opens(), "{:#?}", again.findings);
}

#[test]
fn the_command_repairs_into_a_new_file_and_never_over_the_old() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bad, new) = (folder.path().join("bad.bvh"), folder.path().join("new.bvh"));
    let text = MOTION.replacen("Frames: 2", "Frames: 9", 1).replacen("OFFSET 0 10 0", "OFFSET 0 x 0", 1);
    inbetween::io::file::write(&bad, text.as_bytes()).expect("written");
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let run = |arguments: &[&str]| crate::cli::run(arguments);
    assert_eq!(run(&["check", &name(&bad)]).status.code(), Some(1));
    let itself = run(&["check", "--repair", &name(&bad), "-o", &name(&bad)]);
    assert_eq!(itself.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&bad).expect("there"), text, "untouched");
    #[cfg(unix)]
    {
        let link = folder.path().join("link.bvh");
        std::os::unix::fs::symlink(&bad, &link).expect("a link");
        assert_eq!(run(&["check", "--repair", &name(&bad), "-o", &name(&link)]).status.code(), Some(1));
        assert_eq!(std::fs::read_to_string(&bad).expect("there"), text, "untouched through a link");
    }
    let done = run(&["check", "--repair", &name(&bad), "-o", &name(&new), "--json"]);
    assert_eq!(done.status.code(), Some(3), "an OFFSET was made up");
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!((json["loses"].as_bool(), json["problems"][0]["lost"].as_bool()), (Some(true), Some(true)));
    assert_eq!(json["written"], serde_json::json!(name(&new)));
    assert_eq!(json["problems"][0]["place"]["text"]["line"], 8);
    assert!(json["problems"][0]["mend"].is_string());
    assert_eq!(run(&["check", "--strict", &name(&new)]).status.code(), Some(0));
    assert_eq!(run(&["check", "--repair", &name(&bad)]).status.code(), Some(2), "-o is wanted");
    let wrong = run(&["check", "--repair", &name(&bad), "-o", &name(&folder.path().join("new.ron"))]);
    assert_eq!(wrong.status.code(), Some(1), "another kind of file");
    let hopeless = folder.path().join("hopeless.bvh");
    inbetween::io::file::write(&hopeless, b"HIERARCHY\nROOT a\n{\nCHANNELS x").expect("written");
    let failed = run(&["check", "--repair", &name(&hopeless), "-o", &name(&folder.path().join("never.bvh"))]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(!folder.path().join("never.bvh").exists());
}
