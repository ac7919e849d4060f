//! Weights of a blend space of 25 samples, its heat map, and the pose it plays. `cargo bench --bench blend`.
//!
//! To reach: weights at a point 1 us; the blended pose of 60 joints 20 us; a heat map of all weights at 512x512 10 ms.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

use inbetween::{
    eval::blend::{
        layers::Player,
        space::{HeatMap, PreparedSpace, SCHEMES, SchemeOptions, heat_map},
    },
    math::{Vec3, lanes::Lanes, rotation::from_axis_angle},
    model::{
        Axis, BlendScheme, BlendSpace, ChannelPath, Clip, Component, Curve, Document, FrameRange, Joint, JointId,
        Layer, LayerId, Object, Plays, Property, Rig, RotationCurve, RotationMode, RotationSamples, Skeleton,
        SpaceSample, Target,
    },
};
use std::{hint::black_box, sync::Arc, time::Instant};

const JOINTS: u32 = 60;

/// Twenty-five places, a grid pushed out of its rows.
fn places() -> Vec<[f64; 2]> {
    let push = |i: u32, by: f64| 0.2 * (f64::from(i) * by).sin();
    (0..25).map(|i| [f64::from(i % 5) - 2.0 + push(i, 1.7), f64::from(i / 5) - 2.0 + push(i, 2.3)]).collect()
}

/// The least of several runs, seconds each.
fn least(runs: usize, mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn weights_and_maps() {
    let direct = (0..25).map(f64::from).collect();
    let options = SchemeOptions { direct, ..SchemeOptions::default() };
    let map = HeatMap { width: 512, height: 512, low: [-2.5, -2.5], high: [2.5, 2.5] };
    for spec in SCHEMES {
        let space = PreparedSpace::new(spec.scheme, &places(), &options);
        let mut weights = [0.0; 25];
        let points: Vec<[f64; 2]> =
            (0..10_000).map(|i| [2.4 * (0.7 * f64::from(i)).sin(), 2.4 * (0.31 * f64::from(i)).cos()]).collect();
        let at_point = least(9, || {
            for point in &points {
                black_box(space.weights(*point, &mut weights));
            }
        }) / points.len() as f64;
        let whole = least(5, || {
            let heaviest =
                |weights: &[Lanes<f64>]| weights.iter().fold(Lanes::splat(0.0), |most, weight| most.greater(weight)).0;
            black_box(heat_map(&space, &map, heaviest));
        });
        println!("{:22} weights {:7.3} us, 512x512 {:7.2} ms", spec.id, at_point * 1e6, whole * 1e3);
    }
}

fn pose() {
    let mut document = Document::default();
    let joint = |id: u32| Joint {
        rotation: RotationMode::Quaternion,
        ..Joint::new(JointId(id), &format!("joint {id}"), id.checked_sub(1).map(JointId), Vec3::y())
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect()).unwrap();
    let object = document.add_object(Object::rig("rig", Rig { skeleton: Arc::new(skeleton), ..Rig::default() }));
    let rate = document.settings.rate;
    let axis = |name: &str| Axis::new(name, "", [-3.0, 3.0]);
    let mut space = BlendSpace { scheme: BlendScheme::Delaunay, ..BlendSpace::new("space", [axis("x"), axis("y")]) };
    for (index, at) in places().into_iter().enumerate() {
        let mut clip = Clip::new("clip", FrameRange::new(0, 30));
        for joint in 0..JOINTS {
            let turn = |frame: u32| {
                from_axis_angle(&Vec3::new(1.0, f64::from(joint), 0.3), 0.02 * f64::from(frame) + index as f64)
            };
            let track = RotationSamples { start: 0.0, rate, values: (0..31).map(turn).collect() };
            let target = Target::Joint(object, JointId(joint));
            let path = ChannelPath { target, property: Property::Rotation, component: Component::Whole };
            clip.channels.insert(path, Arc::new(Curve::Rotation(RotationCurve::Sampled(track))));
        }
        let clip = document.add_clip(clip);
        space.samples.push(SpaceSample::new(Plays::Clip(clip), at));
    }
    let space = document.add_space(space);
    let layer = Layer { point: [0.3, 0.4], ..Layer::new(LayerId(0), "layer", Plays::Space(space)) };
    document.object_mut(object).unwrap().layers.push(Arc::new(layer));
    let mut player = Player::new(&document, object, None).unwrap();
    let count = 2000;
    let secs = least(9, || {
        for step in 0..count {
            black_box(player.pose(&document, f64::from(step) * 0.01));
        }
    }) / f64::from(count);
    println!("pose of {JOINTS} joints from a space of 25 clips: {:.2} us", secs * 1e6);
}

fn main() {
    weights_and_maps();
    pose();
}
