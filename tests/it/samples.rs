//! The sample documents: their bytes, and the walk's quality.

use inbetween::{
    eval::{curve, fk},
    io::{file, ron},
    math::{Affine, Transform, Vec3, rotation},
    model::{ChannelPath, Component, Document, Property, RotationMode},
    samples::{SAMPLES, start},
};
use std::path::Path;

/// Set to write the assets anew instead of comparing them.
const REWRITE: &str = "INBETWEEN_REWRITE_SAMPLES";

#[test]
fn each_asset_is_what_its_code_builds() {
    for sample in SAMPLES {
        let built = ron::save(&(sample.build)()).unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/samples/{}.ron", sample.id));
        if std::env::var_os(REWRITE).is_some() {
            file::write(&path, built.as_bytes()).unwrap();
            continue;
        }
        let differs = built.lines().zip(sample.text.lines()).position(|(a, b)| a != b);
        assert!(built == sample.text, "{}: line {differs:?} differs; set {REWRITE}=1 to write it anew", sample.id);
    }
}

#[test]
fn each_asset_loads_and_is_sound() {
    for sample in SAMPLES {
        assert!(ron::load(sample.text).unwrap() == (sample.build)(), "{}", sample.id);
    }
}

/// The world transforms of the walker's joints.
fn world(document: &Document, secs: f64) -> Vec<Affine> {
    let (object, _, rig) = document.rigs().next().unwrap();
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    let locals: Vec<Transform> = rig
        .skeleton
        .joints()
        .iter()
        .map(|joint| {
            let read = |property, component| {
                let curve = clip.channels.get(&ChannelPath::joint(object, joint.id, property, component))?;
                curve::value(curve.scalar_keys()?, secs)
            };
            let RotationMode::Euler(order) = joint.rotation else { panic!("an Euler joint") };
            let angles = order.axes().map(|axis| read(Property::Rotation, Component::AXES[axis]).unwrap_or(0.0));
            let mut local = joint.rest;
            local.rotation = rotation::from_euler(order, angles);
            for (axis, component) in Component::AXES.into_iter().enumerate() {
                local.translation[axis] = read(Property::Translation, component).unwrap_or(local.translation[axis]);
            }
            local
        })
        .collect();
    let mut model = Vec::new();
    fk::model_from_locals(rig.skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
    model
}

fn index(document: &Document, name: &str) -> usize {
    let (_, _, rig) = document.rigs().next().unwrap();
    rig.skeleton.joints().iter().position(|joint| joint.name == name).unwrap()
}

/// The points of a foot that touch the ground: below the heel, and the ball at its joint.
fn soles(document: &Document, side: char, secs: f64) -> [Vec3; 2] {
    let world = world(document, secs);
    let heel = world[index(document, &format!("foot.{side}"))].point(&Vec3::new(0.0, -0.08, -0.05));
    [heel, world[index(document, &format!("toe.{side}"))].translation - Vec3::new(0.0, 0.02, 0.0)]
}

#[test]
fn the_walkers_feet_do_not_slide() {
    /// A point of the sole nearer the ground than this is in contact, metres.
    const CONTACT: f64 = 0.002;
    let document = start();
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    let rate = document.settings.rate;
    let (mut worst, mut lowest, mut contacts) = (0.0_f64, 0.0_f64, 0);
    for side in ['l', 'r'] {
        for point in 0..2 {
            let mut contact: Vec<Vec3> = Vec::new();
            for i in 0..=clip.range.last * 10 {
                let here = soles(&document, side, rate.secs(i) / 10.0)[point];
                lowest = lowest.min(here.y);
                if here.y < CONTACT {
                    contact.push(here);
                } else if !contact.is_empty() {
                    contacts += 1;
                    let slide = contact.iter().flat_map(|a| contact.iter().map(move |b| (a - b).xz().norm()));
                    worst = worst.max(slide.fold(0.0, f64::max));
                    contact.clear();
                }
            }
        }
    }
    println!("{contacts} contacts, at most {:.2} mm of slide, {:.2} mm into the ground", worst * 1e3, -lowest * 1e3);
    assert!(contacts >= 32, "each foot comes down sixteen times, heel and ball");
    assert!(worst < 0.005, "{worst}");
    assert!(lowest > -0.005, "{lowest}");
}

#[test]
fn the_walk_closes_without_a_jump() {
    let document = start();
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    let end = document.settings.rate.secs(clip.range.last);
    let h = 1e-5;
    let positions = |secs: f64| world(&document, secs).iter().map(|joint| joint.translation).collect::<Vec<_>>();
    let (first, second) = (positions(0.0), positions(h));
    let (before, last) = (positions(end - h), positions(end));
    for joint in 0..first.len() {
        assert!((first[joint] - last[joint]).norm() < 1e-5, "joint {joint} jumps in place");
        let jump = ((second[joint] - first[joint]) - (last[joint] - before[joint])) / h;
        assert!(jump.norm() < 0.01, "joint {joint} jumps by {} m/s", jump.norm());
    }
}

#[test]
fn the_moves_keep_their_feet_on_the_ground_and_go_where_they_should() {
    let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let rate = document.settings.rate;
    let moved: std::collections::BTreeMap<String, Vec3> = document
        .clips
        .iter()
        .map(|(id, clip)| {
            let mut playing = document.clone();
            std::sync::Arc::make_mut(&mut playing.settings).clip = Some(*id);
            let hips = |secs: f64| world(&playing, secs)[0].translation;
            for i in 0..=clip.range.last * 4 {
                for side in ['l', 'r'] {
                    for sole in soles(&playing, side, rate.secs(i) / 4.0) {
                        assert!(sole.y > -0.006, "{} at {i}/4: {}", clip.name, sole.y);
                    }
                }
            }
            (clip.name.clone(), hips(rate.secs(clip.range.last)) - hips(0.0))
        })
        .collect();
    assert_eq!(moved.len(), 11);
    for (name, way) in [
        ("Idle", Vec3::zeros()),
        ("Walk", Vec3::new(0.0, 0.0, 1.2)),
        ("Run", Vec3::new(0.0, 0.0, 2.05)),
        ("Strafe left", Vec3::new(0.5, 0.0, 0.0)),
        ("Strafe right", Vec3::new(-0.5, 0.0, 0.0)),
    ] {
        assert!((moved[name] - way).norm() < 1e-5, "{name}: {}", moved[name]);
    }
}
