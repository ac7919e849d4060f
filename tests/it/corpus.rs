//! Every BVH file of the corpus in the folder that INBETWEEN_FILES names (`../shared/files` unless set): opened, it has
//! its joints where three other readers agree they are, and written out it is the same again.

use crate::support::motion::{document_of, exported, model_at, only_rig};
use inbetween::io::bvh::{ExportOptions, ImportOptions, parse, write};
use inbetween::io::report::Report;
use inbetween::io::{file, text};
use inbetween::math::{Affine, Vec3};
use inbetween::model::Document;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    let named = std::env::var_os("INBETWEEN_FILES").filter(|name| !name.is_empty());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(named.unwrap_or_else(|| "../shared/files".into()))
}

/// A line on the terminal even where the test passes.
fn tell(line: &str) {
    writeln!(std::io::stderr(), "{line}").ok();
}

/// The BVH files of the corpus in order of name; says so where there are none.
pub(crate) fn bvh_files() -> Vec<PathBuf> {
    let folder = folder().join("bvh");
    let entries = std::fs::read_dir(&folder).map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())));
    let mut files: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "bvh"));
    files.sort();
    if files.is_empty() {
        tell(&format!("corpus bvh: no files in {}", folder.display()));
    }
    files
}

pub(crate) fn text_of(path: &Path) -> String {
    text::decode(file::read(path).expect("a readable file"), &mut Report::new())
}

fn points(value: &Value) -> Vec<Vec3> {
    serde_json::from_value::<Vec<[f64; 3]>>(value.clone()).expect("points").into_iter().map(Vec3::from).collect()
}

/// The largest distance between the joints (or the ends) and where they are expected, in sizes of the figure.
fn distance(document: &Document, model: &[Affine], wanted: &Value, ends: bool) -> f64 {
    let (_, rig) = only_rig(document);
    let unit = rig.unit.metres();
    let size = inbetween::eval::size::skeleton_size(&rig.skeleton).max(1e-9);
    let joints = rig.skeleton.joints().iter().zip(model).filter(|(joint, _)| joint.is_end() == ends);
    let got: Vec<Vec3> = joints.map(|(_, model)| model.translation).collect();
    let wanted = points(wanted);
    assert_eq!(got.len(), wanted.len(), "number of joints");
    got.iter().zip(&wanted).map(|(got, wanted)| (got - wanted * unit).norm() / size).fold(0.0, f64::max)
}

#[test]
fn corpus_bvh_files_have_their_joints_where_they_should_be() {
    for path in bvh_files() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let expected = folder().join("expected").join(format!("{name}.json"));
        let Ok(expected) = std::fs::read_to_string(&expected) else {
            tell(&format!("corpus bvh: {name} has no expected values"));
            continue;
        };
        let expected: Value = serde_json::from_str(&expected).expect("expected values");
        let (document, _) =
            document_of(&text_of(&path), ImportOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (_, rig) = only_rig(&document);
        let names: Vec<&str> = rig.skeleton.joints().iter().filter(|j| !j.is_end()).map(|j| j.name.as_str()).collect();
        assert_eq!(Value::from(names), expected["joints"], "{name}");
        let clip = document.settings.clip.and_then(|id| document.clip(id));
        assert_eq!(
            clip.map_or(0, |clip| clip.range.len()),
            expected["frame_count"].as_u64().expect("frames"),
            "{name}"
        );
        let time = expected["frame_time"].as_f64().expect("a time");
        assert!((document.settings.rate.frame_secs() / time - 1.0).abs() < 1e-4, "{name}: frame time");
        let rest: Vec<_> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
        let mut model = Vec::new();
        inbetween::eval::fk::model_from_locals(rig.skeleton.tree(), &rest, &Affine::IDENTITY, &mut model);
        let mut worst = distance(&document, &model, &expected["rest"], false);
        worst = worst.max(distance(&document, &model, &expected["rest_end_sites"], true));
        for (frame, wanted) in expected["frames"].as_object().expect("frames") {
            let model = model_at(&document, frame.parse().expect("a frame"));
            worst = worst.max(distance(&document, &model, wanted, false));
            worst = worst.max(distance(&document, &model, &expected["end_sites"][frame], true));
        }
        assert!(worst < 1e-6, "{name}: off by {worst:e} of the figure's size");
    }
}

#[test]
fn corpus_bvh_files_come_out_as_they_went_in() {
    for path in bvh_files() {
        let name = path.display();
        let text = text_of(&path);
        let read = parse(text.as_bytes(), &mut Report::new()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (document, _) = document_of(&text, ImportOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(document.problems(), [], "{name}");
        let (file, _) = exported(&document, ExportOptions::default());
        let written = String::from_utf8(write(&file)).expect("text");
        let mut report = Report::new();
        let again = parse(written.as_bytes(), &mut report).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(report.entries().iter().all(|entry| entry.kind == "no-end-site"), "{name}: {report:?}");
        assert_eq!(again.joints, read.joints, "{name}");
        assert_eq!((again.frame_time, again.frames), (read.frame_time, read.frames), "{name}");
        for (index, (again, read)) in again.columns.iter().zip(&read.columns).enumerate() {
            for (frame, (a, b)) in again.values.iter().zip(read.values.iter()).enumerate() {
                // Numbers of up to 15 digits come back to the bit, longer ones to the last of them.
                assert!((a - b).abs() <= 1e-15 * b.abs(), "{name}: column {index} frame {frame}: {a} was {b}");
            }
        }
        let (second, _) = document_of(&written, ImportOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(second, document, "{name}");
    }
}
