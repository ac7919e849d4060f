//! A rig of 60 joints at a time, forward kinematics included: captured, keyed, with ten solver calls.
//!
//! `cargo bench --bench eval`. Medians over many times in playing order and in random order; the input is seeded and its
//! hash printed.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

mod limbs;
mod seeded;

use inbetween::{
    eval::{
        Evaluator,
        ik::{Chain, Goal, Scratch, Settings, default_solver},
    },
    math::{Quat, Vec3},
    model::{
        Aim, ChannelPath, Clip, Component, Constraint, ConstraintKind, CopyHold, Curve, Document, FrameRange,
        FrameRate, IkChain, JointId, Key, KeyedCurve, Object, ObjectId, PinSpace, Pole, Property, Rig, Samples,
        ScalarCurve,
    },
};
use limbs::skeleton;
use seeded::Seeded;
use std::{hint::black_box, sync::Arc, time::Instant};

const JOINTS: u32 = 60;
const FRAMES: i64 = 1000;
const OBJECT: ObjectId = ObjectId(1);

fn document(keyed: bool) -> Document {
    let mut document = Document::default();
    let rate = FrameRate::new(30, 1).unwrap();
    Arc::make_mut(&mut document.settings).rate = rate;
    document.add_object(Object::rig("rig", Rig { skeleton: Arc::new(skeleton(JOINTS)), ..Rig::default() }));
    let mut random = Seeded(0x9E37_79B9_7F4A_7C15);
    let mut clip = Clip::new("motion", FrameRange::new(0, FRAMES - 1));
    let mut add = |joint, property, component| {
        let (size, speed, phase) = (random.next() * 1.5, 0.5 + 3.0 * random.next(), 6.0 * random.next());
        let at = |secs: f64| size * (speed * secs + phase).sin();
        let curve = if keyed {
            let keys = (0..40).map(|i| f64::from(i) * 0.85).map(|secs| Key::new(secs, at(secs)));
            ScalarCurve::Keyed(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() })
        } else {
            ScalarCurve::Sampled(Samples::new(0.0, rate, (0..FRAMES).map(|i| at(rate.secs(i))).collect()))
        };
        let path = ChannelPath::joint(OBJECT, JointId(joint), property, component);
        clip.channels.insert(path, Arc::new(Curve::Scalar(curve)));
    };
    for joint in 0..JOINTS {
        for component in Component::AXES {
            add(joint, Property::Rotation, component);
            // Keyed: 240 curves, four a joint.
            if (keyed && component == Component::Y) || (!keyed && joint == 0) {
                add(joint, Property::Translation, component);
            }
        }
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    document
}

fn median_us(times: &[f64], mut run: impl FnMut(f64)) -> f64 {
    let mut taken: Vec<f64> = Vec::with_capacity(times.len());
    for secs in times {
        let start = Instant::now();
        run(*secs);
        taken.push(start.elapsed().as_secs_f64() * 1e6);
    }
    taken.sort_by(f64::total_cmp);
    taken[taken.len() / 2]
}

/// Ten solver calls on six joints each, from the pose of the frame.
fn ten_solves(evaluator: &Evaluator, document: &Document, secs: f64, scratch: &mut Scratch) {
    let frame = evaluator.frame(document, secs);
    let Some(rig) = frame.rig(OBJECT) else { return };
    for call in 0..10_usize {
        let first = (call % 6) * 10;
        let mut positions = [Vec3::zeros(); 6];
        let mut rotations = [Quat::identity(); 6];
        for joint in 0..6 {
            positions[joint] = rig.model[first + joint].translation;
            let above = if joint == 0 { Quat::identity() } else { rotations[joint - 1] };
            rotations[joint] = above * rig.local[first + joint].rotation;
        }
        let goal = Goal::at(positions[5] + Vec3::new(0.05, -0.04, 0.03));
        if let Ok(mut chain) = Chain::new(&mut positions, &mut rotations) {
            black_box(default_solver().solve(&mut chain, &goal, &Settings::default(), scratch));
        }
    }
}

/// Ten chains of two bones with a pole, targets that swing, and ten constraints that look at other joints.
fn rigged(mut document: Document) -> Document {
    let frame = Evaluator::new().frame(&document, 0.0);
    let place = |joint: u32| frame.joint_world(OBJECT, joint as usize).unwrap().translation;
    let mut add = |joint: u32, kind: ConstraintKind| {
        let object = document.object_mut(OBJECT).unwrap();
        let (id, joint) = (object.fresh_constraint_id(), Some(JointId(joint)));
        let constraint = Constraint { id, name: String::new(), joint, muted: false, influence: 1.0, kind };
        object.constraints.push(Arc::new(constraint));
    };
    for limb in 1..6 {
        for first in [10 * limb + 1, 10 * limb + 5] {
            let (base, end) = (JointId(first), first + 2);
            let pole = Some(Pole { place: place(first + 1) + Vec3::z(), space: PinSpace::World });
            let target = place(end) * 0.9;
            add(end, ConstraintKind::Chain(IkChain { pole, ..IkChain::new(base, target) }));
        }
        let other = PinSpace::Joint(OBJECT, JointId(5));
        add(10 * limb + 8, ConstraintKind::Aim(Aim { target: other, up: Vec3::y() }));
        let copy = CopyHold { source: other, place: [false; 3], rotation: [true; 3], scale: [false; 3] };
        add(10 * limb + 9, ConstraintKind::Copy(copy));
    }
    assert_eq!(document.problems(), []);
    document
}

fn main() {
    let mut random = Seeded(0x1234_5678_9ABC_DEF1);
    let playing: Vec<f64> = (0..20_000).map(|i| f64::from(i) * 33.0 / 20_000.0).collect();
    let jumping: Vec<f64> = playing.iter().map(|_| 33.0 * random.next()).collect();
    let on_frames: Vec<f64> = (0..FRAMES).map(|frame| frame as f64 / 30.0).collect();
    for (name, keyed, wanted) in [("sampled", false, 4.0), ("240 Bezier curves", true, 8.0)] {
        let document = document(keyed);
        let rig = Evaluator::new();
        for (order, times) in [("playing", &playing), ("jumping", &jumping), ("on frames", &on_frames)] {
            let pose = median_us(times, |secs| drop(black_box(rig.rig_frame(&document, OBJECT, secs))));
            let frame = median_us(times, |secs| drop(black_box(rig.frame(&document, secs + 1e-5))));
            println!("{name:20} {order:10} rig {pose:7.2} us   document {frame:7.2} us   wanted {wanted} us");
        }
    }
    let document = document(true);
    let evaluator = Evaluator::new();
    let mut scratch = Scratch::default();
    let solved = median_us(&playing, |secs| ten_solves(&evaluator, &document, secs, &mut scratch));
    println!("{:20} {:10} {solved:7.2} us   wanted 40 us", "with ten solves", "playing");
    let (plain, document) = (document.clone(), rigged(document));
    let without = median_us(&playing, |secs| drop(black_box(evaluator.frame(&plain, secs + 2e-5))));
    let with = median_us(&playing, |secs| drop(black_box(evaluator.frame(&document, secs + 2e-5))));
    println!("10 chains, 10 constraints playing {with:7.2} us (without {without:.2} us)   wanted 60 us");
}
