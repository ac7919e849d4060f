//! Blend spaces, layers and masks as they are saved, played without a window and written to files.

use crate::cli::run;
use inbetween::{
    edit::{
        Edit,
        blend::{bake_layers, mark_steps},
    },
    eval::{
        Evaluator,
        blend::slide::{Slide, foot_slide},
    },
    io::{bvh::ImportOptions, open::open, ron},
    math::{Vec3, rotation::chord_angle},
    model::{
        Axis, BlendScheme, BlendSpace, ClipId, Document, FrameRange, JointMask, Layer, LayerId, LayerMode, ObjectId,
        Plays, Smoothing, SpaceSample, Sync, names,
    },
    progress::Progress,
    samples::SAMPLES,
};
use std::sync::Arc;

/// The biped with all its clips, of which those that go somewhere travel, with marks of step.
fn moves() -> (Document, ObjectId) {
    let mut document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    let clips: Vec<ClipId> = document.clips.keys().copied().collect();
    for id in clips {
        let goes = ["Walk", "Run", "Strafe", "Tired", "Limp"];
        let clip = document.clip_mut(id).unwrap();
        clip.travels = goes.iter().any(|word| clip.name.starts_with(word));
        if document.clip(id).unwrap().travels {
            mark_steps(&document, object, id).unwrap().apply(&mut document).unwrap();
        }
    }
    Arc::make_mut(&mut document.settings).play_range = FrameRange::new(0, 239);
    (document, object)
}

fn clip(document: &Document, name: &str) -> Plays {
    Plays::Clip(names::find_clip(document, name).unwrap())
}

/// A space of the walk and the run by speed.
fn gaits(document: &mut Document, sync: Sync) -> inbetween::model::BlendSpaceId {
    let axes = [Axis::new("speed", "m/s", [0.0, 6.0]), Axis::new("", "", [0.0, 1.0])];
    let mut space = BlendSpace::new("Pace", axes);
    space.sync = sync;
    space.samples =
        vec![SpaceSample::new(clip(document, "Walk"), [1.4, 0.0]), SpaceSample::new(clip(document, "Run"), [3.5, 0.0])];
    document.add_space(space)
}

fn layer(document: &mut Document, object: ObjectId, layer: Layer) {
    document.object_mut(object).unwrap().layers.push(Arc::new(layer));
    assert_eq!(document.problems(), []);
}

#[test]
fn blend_parts_are_saved_and_load_the_same() {
    let (mut document, object) = moves();
    let space = gaits(&mut document, Sync::Markers);
    {
        let spaces = Arc::make_mut(&mut document.blend_spaces);
        let space = Arc::make_mut(spaces.get_mut(&space).unwrap());
        space.smoothing = Some(Smoothing::Spring(0.25));
        space.scheme = BlendScheme::Linear;
        space.diagonals = vec![[0, 1]];
    }
    let mask = document.add_mask(JointMask {
        name: "arm".to_owned(),
        joints: [("hand.l".to_owned(), 1.0)].into(),
        others: 0.25,
    });
    layer(&mut document, object, Layer::new(LayerId(0), "gait", Plays::Space(space)));
    let wave = Layer {
        mode: LayerMode::Additive,
        mask: Some(mask),
        weight: 0.5,
        start: 0.25,
        ..Layer::new(LayerId(1), "wave", clip(&document, "Wave"))
    };
    layer(&mut document, object, wave);
    let text = ron::save(&document).unwrap();
    assert!(ron::load(&text).unwrap() == document);
    // Nothing that is not finite comes in.
    let broken = text.replace("Spring(0.25)", "Spring(NaN)");
    assert!(broken != text && ron::load(&broken).is_err());
}

/// The slide of the left foot over ten seconds in the middle of a space.
fn slide(sync: Sync) -> Slide {
    let (mut document, object) = moves();
    let space = gaits(&mut document, sync);
    let play = Layer { point: [2.45, 0.0], ..Layer::new(LayerId(0), "gait", Plays::Space(space)) };
    layer(&mut document, object, play);
    let evaluator = Evaluator::new();
    let limbs = evaluator.limbs(&document, object).unwrap();
    let foot = limbs.of_role(inbetween::eval::limbs::Role::Leg).next().unwrap().end();
    let places: Vec<Vec3> = (0..960)
        .map(|step| evaluator.frame(&document, f64::from(step) / 96.0).joint_world(object, foot).unwrap().translation)
        .collect();
    foot_slide(&places, 1.0 / 96.0, 0.01)
}

#[test]
fn a_walk_and_a_run_in_step_slide_less() {
    let [free, normalised, markers] = [Sync::Free, Sync::Normalised, Sync::Markers].map(slide);
    for (name, slide) in [("free", free), ("normalised", normalised), ("by markers", markers)] {
        let Slide { steps, mean, most, secs, speed } = slide;
        println!(
            "{name}: {:.1} cm a step, {:.1} at most, {steps} steps, {speed:.3} m/s in {secs:.2} s",
            100.0 * mean,
            100.0 * most
        );
    }
    assert!(markers.speed < 0.5 * free.speed, "{free:?} {normalised:?} {markers:?}");
    assert!(markers.speed <= 1.05 * normalised.speed);
}

#[test]
fn the_command_writes_what_the_space_plays() {
    let (mut document, object) = moves();
    let space = gaits(&mut document, Sync::Markers);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    inbetween::io::file::write(folder.path().join("in.ron").as_path(), ron::save(&document).unwrap().as_bytes())
        .unwrap();
    let play = Layer { point: [2.0, 0.0], ..Layer::new(LayerId(0), "gait", Plays::Space(space)) };
    layer(&mut document, object, play);
    Arc::make_mut(&mut document.settings).clip = None;
    let joints = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    for (frame, name) in [0, 7, 31, 60].into_iter().flat_map(|frame| [(frame, "out.bvh"), (frame, "out.glb")]) {
        let arguments =
            ["blend", &path("in.ron"), "--space", "Pace", "--at", "2.0", "--frames", "0..60", "-o", &path(name)];
        let done = if frame == 0 { Some(run(&arguments)) } else { None };
        let told = done.map_or_else(String::new, |done| String::from_utf8_lossy(&done.stderr).into_owned());
        let again = open(folder.path().join(name).as_path(), ImportOptions::default()).expect(&told).document;
        assert_eq!(again.clips.len(), 1);
        let read = again.rigs().next().unwrap();
        let (live, written) = (Evaluator::new(), Evaluator::new());
        let secs = document.settings.rate.secs(frame);
        let (live, written) = (live.frame(&document, secs), written.frame(&again, secs));
        for joint in read.2.skeleton.joints().iter().filter(|joint| !joint.is_end()) {
            let index = joints.joints().iter().position(|other| other.name == joint.name).unwrap();
            let other = read.2.skeleton.index_of(joint.id).unwrap();
            let (a, b) = (live.joint_world(object, index).unwrap(), written.joint_world(read.0, other).unwrap());
            assert!((a.translation - b.translation).norm() < 1e-5, "{} at {frame}", joint.name);
        }
    }
    for (wrong, word) in [
        (["blend", &path("in.ron"), "--space", "Gate", "--at", "2", "-o", &path("o.bvh")], "Pace"),
        (["blend", &path("in.ron"), "--space", "Pace", "--at", "2", "-o", &path("o.obj")], ".bvh"),
        (["blend", &path("in.ron"), "--space", "Pace", "--at", "fast", "-o", &path("o.bvh")], "1.5"),
    ] {
        let refused = run(&wrong);
        assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains(word), "{wrong:?}");
    }
    let long = |name: &str| {
        let frames = ["--frames", "0..1000000000", "-o", &path(name)];
        run(&[&["blend", &path("in.ron"), "--space", "Pace", "--at", "2"][..], &frames].concat())
    };
    for name in ["long.bvh", "long.glb"] {
        assert!(String::from_utf8_lossy(&long(name).stderr).contains("too many to write"), "{name}");
    }
    // What was not taken as told is said.
    let beyond = run(&["blend", &path("in.ron"), "--space", "Pace", "--at", "99,7", "-o", &path("o.bvh")]);
    let told = String::from_utf8_lossy(&beyond.stdout).into_owned() + &String::from_utf8_lossy(&beyond.stderr);
    assert!(told.contains("99 is beyond its range") && told.contains("7 was not used"), "{told}");
    let known = run(&["info", &path("in.ron")]);
    assert!(String::from_utf8_lossy(&known.stdout).contains("space   Pace"));
}

#[test]
fn baked_layers_play_the_same_and_undo_is_one_step() {
    let (mut document, object) = moves();
    let run = clip(&document, "Run");
    layer(&mut document, object, Layer::new(LayerId(0), "run", run));
    let waving = Layer { weight: 0.6, ..Layer::new(LayerId(1), "wave", clip(&document, "Wave")) };
    layer(&mut document, object, waving);
    let frames = FrameRange::new(0, 60);
    let edit: Edit = bake_layers(&document, object, frames, "Baked", None, &Progress::new()).unwrap().unwrap();
    let mut baked = document.clone();
    edit.apply(&mut baked).unwrap();
    assert_eq!(baked.problems(), []);
    let (a, b) = (Evaluator::new(), Evaluator::new());
    for frame in 0..=60 {
        let secs = document.settings.rate.secs(frame);
        let (live, plain) = (a.rig_frame(&document, object, secs).unwrap(), b.rig_frame(&baked, object, secs).unwrap());
        for (live, plain) in live.local.iter().zip(&plain.local) {
            assert!((live.translation - plain.translation).norm() < 1e-9);
            assert!(chord_angle(&live.rotation, &plain.rotation) < 1e-9);
        }
    }
    let again = bake_layers(&baked, object, frames, "Baked", None, &Progress::new()).unwrap();
    assert!(again.is_err());
}
