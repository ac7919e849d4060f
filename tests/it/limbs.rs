//! The limbs of every human file of the corpus, by name and without names.
//!
//! The folder is the one named by INBETWEEN_FILES, else `../shared/files` beside the crate; where it is missing the test
//! says so and passes, since the files are other people's work and are not part of the project.

use inbetween::eval::fk;
use inbetween::eval::limbs::{self, Limbs, Role, Side, SkeletonView};
use inbetween::io::bvh::{self, Channel};
use inbetween::io::report::Report;
use inbetween::math::{Affine, Quat, Transform, Vec3};
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

/// A file's skeleton with its zero pose and its first frame.
struct Loaded {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    tips: Vec<bool>,
    rest: Vec<Vec3>,
    posed: Vec<Vec3>,
}

fn load(path: &std::path::Path) -> Loaded {
    let file = bvh::parse(&std::fs::read(path).unwrap(), &mut Report::new()).unwrap();
    let parents: Vec<Option<usize>> = file.joints.iter().map(|j| j.parent).collect();
    let rest: Vec<Transform> = file.joints.iter().map(|j| Transform::from_translation(j.offset.into())).collect();
    let mut posed = rest.clone();
    let mut column = 0;
    for (joint, local) in file.joints.iter().zip(&mut posed) {
        for channel in &joint.channels {
            let value = file.columns[column].values.first().copied().unwrap_or(0.0);
            column += 1;
            match channel {
                Channel::Position(axis) => local.translation[*axis] = value,
                Channel::Rotation(axis) => {
                    let axis = nalgebra::Unit::new_unchecked(Vec3::ith(*axis, 1.0));
                    local.rotation *= Quat::from_axis_angle(&axis, value.to_radians());
                }
            }
        }
    }
    let positions = |locals: &[Transform]| {
        let mut model = Vec::new();
        fk::model_from_locals(&parents, locals, &Affine::IDENTITY, &mut model);
        model.iter().map(|m| m.translation).collect::<Vec<_>>()
    };
    let (rest, posed) = (positions(&rest), positions(&posed));
    let names = file.joints.iter().map(|j| j.name.clone()).collect();
    let tips = file.joints.iter().map(|j| j.is_end).collect();
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
        let skeleton = load(&folder.join("bvh").join(file));
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
