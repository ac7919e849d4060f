//! Trails of what pins move: found from the few joints and pins that have a say, and yet the same.

use super::{Figure, figure};
use inbetween::{
    edit::PinEdit,
    eval::{
        Evaluator,
        trail::{TrailSampler, TrailSpace, TrailSpec},
    },
    math::{Transform, Vec3},
    model::{Object, ObjectKind, Pin, PinId, PinSpace},
};
use std::sync::Arc;

fn pin(figure: &mut Figure, id: u32, index: usize, space: PinSpace, place: Vec3) {
    let pin = Pin {
        id: PinId(id),
        name: String::new(),
        object: figure.object,
        joint: figure.joint(index),
        space,
        place,
        orientation: None,
        range: (0.2, 0.8),
        ease: (0.15, 0.1),
        influence: 0.9,
        muted: false,
    };
    let clip = figure.clip_id();
    figure.apply(PinEdit::Add { clip, pin: Arc::new(pin) });
}

fn index(figure: &Figure, name: &str) -> usize {
    let skeleton = &figure.document.object(figure.object).unwrap().as_rig().unwrap().skeleton;
    skeleton.joints().iter().position(|joint| joint.name == name).unwrap()
}

/// A foot in the world, a hand in another joint's space that a pin of the other hand moves, the head in another object's.
fn held() -> Figure {
    let mut figure = figure();
    figure.two_poses();
    let mut prop = Object::new("Prop", ObjectKind::Empty);
    prop.transform = Transform::from_translation(Vec3::new(0.2, 0.3, -0.1));
    let prop = figure.document.add_object(prop);
    let (left, right) = (index(&figure, "hand.l"), index(&figure, "hand.r"));
    let foot = figure.feet[0];
    let place = figure.world(foot, 0.0).translation;
    pin(&mut figure, 0, foot, PinSpace::World, place + Vec3::new(0.0, 0.05, 0.05));
    let space = PinSpace::Joint(figure.object, figure.joint(right));
    pin(&mut figure, 1, left, space, Vec3::new(0.1, 0.05, 0.2));
    let place = figure.world(right, 0.0).translation - Vec3::new(0.2, 0.3, -0.1);
    pin(&mut figure, 2, right, PinSpace::Object(prop), place + Vec3::new(0.3, -0.1, 0.25));
    figure
}

#[test]
fn a_pinned_trail_is_where_the_frames_put_the_joint() {
    let figure = held();
    let names = ["hand.l", "forearm.l", "hand.r", "upper_arm.r", "head", "hips"];
    let joints: Vec<usize> = names.map(|name| index(&figure, name)).into_iter().chain(figure.feet.clone()).collect();
    for joint in joints {
        for space in [TrailSpace::World, TrailSpace::Limb] {
            let evaluator = Evaluator::new();
            let spec = TrailSpec { object: figure.object, joint: figure.joint(joint), space, first: 0, last: 24 };
            let trail = evaluator.trail(&figure.document, spec).unwrap();
            for (at, point) in trail.points.iter().enumerate() {
                let frame = Evaluator::new().frame(&figure.document, trail.secs(at));
                let world = trail.world(&frame).unwrap();
                let wanted = frame.joint_world(figure.object, joint).unwrap().translation;
                let off = (world.point(point) - wanted).norm();
                assert!(off < 1e-9, "{} {space:?} at {}: {off}", figure.name(joint), trail.secs(at));
            }
            let body = ["head", "hips"].map(|name| index(&figure, name)).contains(&joint);
            assert_eq!(trail.pinned, !(body || joint == figure.feet[1]), "{}", figure.name(joint));
        }
    }
}

#[test]
fn the_motion_of_a_pinned_trail_is_that_of_its_places() {
    let figure = held();
    let joint = figure.joint(index(&figure, "forearm.r"));
    let spec = TrailSpec { object: figure.object, joint, space: TrailSpace::World, first: 0, last: 24 };
    let evaluator = Evaluator::new();
    let trail = evaluator.trail(&figure.document, spec).unwrap();
    let motion = evaluator.motion(&figure.document, &trail).unwrap();
    assert!(trail.pinned && motion.length.len() == trail.points.len());
    let step = trail.secs(1) - trail.secs(0);
    let sampler = TrailSampler::new(&evaluator, &figure.document, figure.object, joint, TrailSpace::World).unwrap();
    let fine = 20 * (trail.points.len() - 1);
    let at = |i: usize| sampler.point(trail.secs(0) + step * i as f64 / 20.0);
    let chords: f64 = (0..fine).map(|i| (at(i + 1) - at(i)).norm()).sum();
    let length = *motion.length.last().unwrap();
    assert!(chords > 0.1 && (length - chords).abs() < 1e-3 * chords, "{chords} {length}");
    for at in 1..trail.points.len() - 1 {
        let velocity = (trail.points[at + 1] - trail.points[at - 1]) / (2.0 * step);
        assert!((velocity - motion.velocity[at]).norm() < 0.02 + 0.05 * velocity.norm(), "{at}");
        let bend = (trail.points[at + 1] - trail.points[at] * 2.0 + trail.points[at - 1]) / (step * step);
        assert!((bend - motion.acceleration[at]).norm() < 0.5 + 0.1 * bend.norm(), "{at}");
    }
}
