//! Pins in exported motion: the feet stand there too, in angles that a reader can interpolate.

use super::figure;
use inbetween::{
    eval::Evaluator,
    io::{
        bvh::{self, ExportOptions},
        file,
        gltf::{self, GltfExport, GltfExportError},
        open,
        report::Report,
    },
    math::{Vec3, rotation::from_axis_angle},
    model::{Document, LengthUnit, Property},
    progress::Progress,
};

#[test]
fn an_export_holds_the_feet_at_every_frame_and_says_how_well_between() {
    let mut figure = figure();
    figure.two_poses();
    for foot in figure.feet.clone() {
        figure.pin(foot, 0.0);
    }
    let (progress, mut report) = (Progress::default(), Report::new());
    let file = bvh::export(&figure.document, figure.object, ExportOptions::default(), &progress, &mut report).unwrap();
    assert_eq!(report.count("pins"), 1, "{:?}", report.lines());
    let back = reopened(&file, figure.document.rigs().next().unwrap().2.unit);
    let (object, _, rig) = back.rigs().next().unwrap();
    for frame in 0..24 {
        let secs = back.settings.rate.secs(frame);
        let now = Evaluator::new().frame(&back, secs);
        for foot in &figure.feet {
            let index = rig.skeleton.joints().iter().position(|j| j.name == figure.name(*foot)).unwrap();
            let at = now.joint_world(object, index).unwrap().translation;
            let off = (at - figure.world(*foot, secs).translation).norm();
            assert!(off < 1e-5, "frame {frame}: {off} m");
        }
    }
    assert_angles_are_nearest(&String::from_utf8(bvh::write(&file)).unwrap());
}

/// What a pin turns is sampled, what it does not keeps its own keys; the feet stand in the file as they do here.
#[test]
fn a_gltf_file_holds_the_feet_and_leaves_all_else_as_it_is_keyed() {
    let mut figure = figure();
    figure.two_poses();
    let head = figure.document.object(figure.object).unwrap().as_rig().unwrap().skeleton.joints().len() - 1;
    let arm = (0..head).find(|joint| figure.name(*joint).to_lowercase().contains("hand")).unwrap();
    figure.key(0.5, arm, |local| local.rotation = from_axis_angle(&Vec3::x(), 0.3) * local.rotation);
    for foot in figure.feet.clone() {
        figure.pin(foot, 0.0);
    }
    let progress = Progress::new();
    let written = gltf::export(&figure.document, GltfExport::default(), &progress, &mut Report::new()).unwrap();
    assert!(progress.done() <= progress.total() && progress.done() > progress.total() / 2, "{progress:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pinned.glb");
    file::write(&path, &written.bytes).unwrap();
    let back = open::open(&path, bvh::ImportOptions::default()).unwrap().document;
    let (object, _, rig) = back.rigs().next().unwrap();
    let mut farthest = 0.0_f64;
    for quarter in 0..96 {
        let secs = f64::from(quarter) / 96.0;
        let now = Evaluator::new().frame(&back, secs);
        for foot in &figure.feet {
            let index = rig.skeleton.joints().iter().position(|j| j.name == figure.name(*foot)).unwrap();
            let at = now.joint_world(object, index).unwrap().translation;
            farthest = farthest.max((at - figure.world(*foot, secs).translation).norm());
        }
    }
    assert!(farthest < 1e-3, "{farthest} m");
    // Turned by no pin, and no joint is moved by one: exact but for single precision.
    let hand = figure.name(arm);
    let exact = |property: Property, name: &str| {
        let errors = written.errors.iter().filter(|e| e.property == property && e.channel.contains(name));
        errors.map(|error| error.error).collect::<Vec<_>>()
    };
    let turned = exact(Property::Rotation, &hand);
    assert!(!turned.is_empty() && turned.iter().all(|error| *error < 2e-6), "{turned:?}");
    let moved = exact(Property::Translation, "");
    assert!(!moved.is_empty() && moved.iter().all(|error| *error < 1e-6), "{moved:?}");
}

#[test]
fn an_export_with_pins_stops_when_it_is_told_to() {
    let mut figure = figure();
    figure.two_poses();
    figure.pin(figure.feet[0], 0.0);
    let progress = Progress::new();
    progress.cancel();
    let stopped = gltf::export(&figure.document, GltfExport::default(), &progress, &mut Report::new());
    assert!(matches!(stopped, Err(GltfExportError::Cancelled(_))));
}

/// Of the triples of angles that say a rotation (both solutions, any turns), every row has the one nearest to the row before.
fn assert_angles_are_nearest(text: &str) {
    let mut triples: Vec<[usize; 3]> = Vec::new();
    let mut column = 0;
    for line in text.lines().filter_map(|line| line.trim().strip_prefix("CHANNELS")) {
        let names = line.split_whitespace().skip(1);
        let turns: Vec<usize> = names
            .clone()
            .enumerate()
            .filter(|(_, name)| name.ends_with("rotation"))
            .map(|(at, _)| column + at)
            .collect();
        triples.extend(<[usize; 3]>::try_from(turns));
        column += names.count();
    }
    let numbers = |line: &str| line.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = text.lines().skip_while(|l| !l.starts_with("Frame Time")).skip(1).map(numbers).collect();
    assert!(rows.len() >= 24 && triples.len() > 10);
    for (at, pair) in rows.windows(2).enumerate() {
        for triple in &triples {
            let [before, now] = [&pair[0], &pair[1]].map(|row| triple.map(|column| row[column]));
            let far = |angles: [f64; 3]| angles.iter().zip(before).map(|(a, b)| (a - b).abs()).sum::<f64>();
            let nearest = |angles: [f64; 3]| {
                let turned = |n: usize| angles[n] - 360.0 * ((angles[n] - before[n]) / 360.0).round();
                far([turned(0), turned(1), turned(2)])
            };
            let other = [now[0] + 180.0, 180.0 - now[1], now[2] + 180.0];
            let least = nearest(now).min(nearest(other));
            assert!(far(now) <= least + 1e-3, "row {}, columns {triple:?}: {now:?} after {before:?}", at + 1);
        }
    }
}

fn reopened(file: &bvh::BvhFile, unit: LengthUnit) -> Document {
    let parsed = bvh::parse(&bvh::write(file), &mut Report::new()).unwrap();
    let options = bvh::ImportOptions { unit: Some(unit), ..bvh::ImportOptions::default() };
    open::new_document(bvh::to_motion(parsed, options, &mut Report::new()), "again")
}
