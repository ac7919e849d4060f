//! The limbs of every human file of the corpus, by name and without names.
//!
//! The folder is the one named by INBETWEEN_FILES, else `../shared/files` beside the crate; where it is missing the test
//! says so and passes, since the files are other people's work and are not part of the project.

use inbetween::eval::drag::{Drag, DragInput, DragOptions, Hands};
use inbetween::eval::fk;
use inbetween::eval::ik::SoftReach;
use inbetween::eval::limbs::{self, Limbs, Role, Side, SkeletonView};
use inbetween::io::bvh::{self, Channel};
use inbetween::io::report::Report;
use inbetween::math::{Affine, Quat, Transform, Vec3};
use inbetween::model::JointTree;
use serde_json::Value;
use std::path::PathBuf;

pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("INBETWEEN_FILES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/files"), PathBuf::from);
    if folder.join("limbs.json").is_file() && folder.join("bvh").is_dir() {
        return Some(folder);
    }
    eprintln!("corpus: no limbs.json and bvh/ in {}: limbs are not checked against it", folder.display());
    None
}

/// The files whose limbs are known and that are there, with the truth.
pub(crate) fn human_files(folder: &std::path::Path) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(folder.join("limbs.json")).unwrap();
    let truth: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let (there, missing): (Vec<_>, Vec<_>) = truth.into_iter().partition(|(f, _)| folder.join("bvh").join(f).is_file());
    for (file, _) in missing {
        eprintln!("corpus: {file} is in limbs.json but not in bvh/");
    }
    there
}

/// A file's skeleton with its zero pose and its first frame.
pub(crate) struct Loaded {
    pub(crate) names: Vec<String>,
    pub(crate) parents: Vec<Option<usize>>,
    pub(crate) tips: Vec<bool>,
    pub(crate) rest: Vec<Vec3>,
    pub(crate) posed: Vec<Vec3>,
    pub(crate) rest_locals: Vec<Transform>,
    pub(crate) posed_locals: Vec<Transform>,
}

pub(crate) fn load(path: &std::path::Path) -> Loaded {
    let file = bvh::parse(&std::fs::read(path).unwrap(), &mut Report::new()).unwrap();
    let parents: Vec<Option<usize>> = file.joints.iter().map(|j| j.parent).collect();
    let rest_locals: Vec<Transform> =
        file.joints.iter().map(|j| Transform::from_translation(j.offset.into())).collect();
    let mut posed_locals = rest_locals.clone();
    let mut column = 0;
    for (joint, local) in file.joints.iter().zip(&mut posed_locals) {
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
    let positions = |locals: &[Transform]| world_of(&parents, locals).iter().map(|m| m.translation).collect();
    let (rest, posed) = (positions(&rest_locals), positions(&posed_locals));
    let names = file.joints.iter().map(|j| j.name.clone()).collect();
    let tips = file.joints.iter().map(|j| j.is_end).collect();
    Loaded { names, parents, tips, rest, posed, rest_locals, posed_locals }
}

pub(crate) fn world_of(parents: &[Option<usize>], locals: &[Transform]) -> Vec<Affine> {
    let mut model = Vec::new();
    fk::model_from_locals(JointTree::plain(parents), locals, &Affine::IDENTITY, &mut model);
    model
}

pub(crate) fn find(skeleton: &Loaded, names: &[String]) -> Limbs {
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
    let mut wrong = Vec::new();
    let mut files = 0;
    for (file, truth) in &human_files(&folder) {
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

/// Hands, feet, head and hips of every human file, in its first frame (in the rest pose where position channels fold the
/// limbs), dragged a tenth of the limb inwards and sideways: they arrive, what should stay stays, joints move little.
#[test]
fn corpus_drags_of_every_human_file() {
    let Some(folder) = folder() else { return };
    for (file, _) in human_files(&folder) {
        let skeleton = load(&folder.join("bvh").join(&file));
        let found = find(&skeleton, &skeleton.names);
        let folded = ["makehuman_tpose.bvh", "makehuman_benchmark_pose.bvh"].contains(&file.as_str());
        let pressed = if folded { &skeleton.rest_locals } else { &skeleton.posed_locals };
        let before = world_of(&skeleton.parents, pressed);
        let leg = found.limb(Role::Leg, Side::Left).unwrap();
        let size =
            leg.joints.windows(2).map(|p| (before[p[1]].translation - before[p[0]].translation).norm()).sum::<f64>();
        let feet = [Side::Left, Side::Right].map(|side| found.limb(Role::Leg, side).unwrap().end());
        let hands = [Side::Left, Side::Right].map(|side| found.limb(Role::Arm, side).unwrap().end());
        let grabs = feet.into_iter().chain(hands).chain(found.hips).chain(found.head);
        for joint in grabs {
            let what = format!("{file}, {}", skeleton.names[joint]);
            let options = DragOptions { soft: SoftReach::OFF, hands: Hands::Stay, ..DragOptions::default() };
            let (tree, rest) = (JointTree::plain(&skeleton.parents), &skeleton.rest_locals[..]);
            let root = Affine::IDENTITY;
            let input = DragInput { tree, limbs: &found, rest, pressed, root, joint, options };
            let drag = Drag::new(input).unwrap();
            let inwards = match drag.reach() {
                Some((root, _)) => (root - drag.start()).normalize(),
                None => ((before[feet[0]].translation + before[feet[1]].translation) * 0.5 - drag.start()).normalize(),
            };
            let target = drag.start() + inwards * (0.1 * size) + found.frame.left * (0.03 * size);
            let mut last = before.clone();
            for step in 1..=40 {
                let on_the_way = drag.start() + (target - drag.start()) * (f64::from(step) / 40.0);
                let result = drag.to(&on_the_way);
                let mut locals = pressed.clone();
                result.changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
                let world = world_of(&skeleton.parents, &locals);
                let jump =
                    (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm()).fold(0.0, f64::max);
                // From a straight limb the first steps move the middle most: by the root of twice the step.
                let most = if step == 1 { 0.15 } else { 0.06 };
                assert!(jump < most * size, "{what}: a joint jumped {:.3} of a leg at step {step}", jump / size);
                // Hips and head stay behind where a hand or a foot that is held would have to stretch its limb.
                let stopped = [found.hips, found.head].contains(&Some(joint)) && !result.report.reached();
                assert!(stopped || result.gap < 2e-3 * size, "{what}: {:?} at step {step}", result.report);
                for held in feet.iter().filter(|f| **f != joint) {
                    let moved: f64 = (world[*held].translation - before[*held].translation).norm();
                    let name = &skeleton.names[*held];
                    assert!(moved < 1e-6 * size || !result.report.reached(), "{what}: {name} moved {moved}");
                }
                last = world;
            }
        }
    }
}
