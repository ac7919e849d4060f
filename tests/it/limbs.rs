//! The limbs of every human file of the corpus, by name and without names.
//!
//! The folder is the one named by INBETWEEN_FILES, else `../shared/files` beside the crate; where it is missing the test
//! says so and passes, since the files are other people's work and are not part of the project.

use inbetween::eval::limbs::{self, Limbs, Role, Side, SkeletonView};
use inbetween::math::Vec3;
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("INBETWEEN_FILES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/files"), PathBuf::from);
    if folder.join("limbs.json").is_file() {
        return Some(folder);
    }
    eprintln!("corpus: no limbs.json in {}: limbs are not checked against it", folder.display());
    None
}

fn json(path: &std::path::Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A skeleton as the independent reader of the corpus saw it.
struct Loaded {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    tips: Vec<bool>,
    rest: Vec<Vec3>,
    posed: Vec<Vec3>,
}

fn points(value: &Value) -> Vec<Vec3> {
    let point = |p: &Value| Vec3::new(p[0].as_f64().unwrap(), p[1].as_f64().unwrap(), p[2].as_f64().unwrap());
    value.as_array().map(|list| list.iter().map(point).collect()).unwrap_or_default()
}

fn load(file: &Value) -> Loaded {
    let index = |v: &Value| v.as_i64().and_then(|i| usize::try_from(i).ok());
    let mut names: Vec<String> =
        file["joints"].as_array().unwrap().iter().map(|n| n.as_str().unwrap().to_owned()).collect();
    let mut parents: Vec<Option<usize>> = file["parents"].as_array().unwrap().iter().map(index).collect();
    let mut tips = vec![false; names.len()];
    for parent in file["end_site_parents"].as_array().unwrap() {
        names.push(String::new());
        parents.push(index(parent));
        tips.push(true);
    }
    let both = |a: &Value, b: &Value| points(a).into_iter().chain(points(b)).collect::<Vec<_>>();
    let rest = both(&file["rest"], &file["rest_end_sites"]);
    let posed = both(&file["frames"]["0"], &file["end_sites"]["0"]);
    Loaded { names, parents, tips, rest, posed }
}

fn find(skeleton: &Loaded, names: &[String]) -> Limbs {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    limbs::find(&SkeletonView {
        parents: &skeleton.parents,
        names: &names,
        tips: &skeleton.tips,
        rest: &skeleton.rest,
        posed: &skeleton.posed,
    })
}

/// What is wrong with the limbs found, in words.
fn faults(found: &Limbs, skeleton: &Loaded, truth: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let name = |joint: Option<usize>| joint.map_or("none", |j| skeleton.names[j].as_str());
    for (key, role, side) in [
        ("left_arm", Role::Arm, Side::Left),
        ("right_arm", Role::Arm, Side::Right),
        ("left_leg", Role::Leg, Side::Left),
        ("right_leg", Role::Leg, Side::Right),
    ] {
        let limb = found.limb(role, side);
        let got = [limb.map(limbs::Limb::root), limb.and_then(|l| l.middle), limb.map(limbs::Limb::end)].map(name);
        let wanted: Vec<&str> = truth[key].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
        if got[..] != wanted[..] {
            faults.push(format!("{key}: found {got:?}, wanted {wanted:?}"));
        }
    }
    for (key, got) in [("head", name(found.head)), ("hips", name(found.hips))] {
        if truth[key].as_str() != Some(got) {
            faults.push(format!("{key}: found {got}, wanted {}", truth[key]));
        }
    }
    faults
}

#[test]
fn corpus_limbs_of_every_human_file_with_and_without_names() {
    let Some(folder) = folder() else { return };
    let truth = json(&folder.join("limbs.json"));
    let mut wrong = Vec::new();
    let mut files = 0;
    for (file, truth) in truth.as_object().unwrap() {
        let expected = folder.join("expected").join(file).with_extension("json");
        let skeleton = load(&json(&expected));
        let renamed: Vec<String> = (0..skeleton.names.len()).map(|i| format!("j{i}")).collect();
        for (kind, names) in [("named", &skeleton.names), ("renamed", &renamed)] {
            let found = find(&skeleton, names);
            wrong.extend(faults(&found, &skeleton, truth).into_iter().map(|f| format!("{file} ({kind}): {f}")));
        }
        files += 1;
    }
    println!("corpus: limbs of {files} files, {} faults", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
