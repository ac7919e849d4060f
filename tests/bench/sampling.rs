//! Poses for pictures in single precision beside those of double precision, of 64 joints. `cargo bench --bench sampling`.
//!
//! To reach, a joint: a captured clip sampled forward at 60 fps 15.6 ns, at random 22 ns; blending full poses, a layer 1.7 ns;
//! local to model 10.8 ns.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

use inbetween::{
    eval::{
        blend::pose::blend_poses,
        fk,
        preview::{PackedPose, PreviewClip, blend_packed, model_from_packed},
        sample::RigBinding,
    },
    math::{Affine, EulerOrder, Transform, Vec3},
    model::{
        ChannelPath, Clip, Component, Curve, FrameRange, FrameRate, Joint, JointId, ObjectId, Property, RotationBlend,
        RotationMode, Samples, ScalarCurve, Skeleton, Target,
    },
};
use std::{hint::black_box, sync::Arc, time::Instant};

const JOINTS: u32 = 64;
/// A minute at 30 fps.
const FRAMES: u32 = 1800;
const LAYERS: usize = 8;

/// Least nanoseconds a joint of several runs of so many poses.
fn a_joint(poses: usize, mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let least = (0..15).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min);
    least * 1e9 / (poses as f64 * f64::from(JOINTS))
}

/// A captured clip as a BVH file has it: a root that goes and Euler angles of every joint, on each frame.
fn captured() -> RigBinding {
    // Limbs of eight.
    let parent = |id: u32| id.checked_sub(1).map(|before| JointId(if id.is_multiple_of(8) { id / 16 } else { before }));
    let joint = |id: u32| Joint {
        rotation: RotationMode::Euler(EulerOrder::Zxy),
        ..Joint::new(JointId(id), &format!("joint {id}"), parent(id), Vec3::new(0.0, 0.1, 0.0))
    };
    let skeleton = Arc::new(Skeleton::new((0..JOINTS).map(joint).collect()).unwrap());
    let (object, rate) = (ObjectId(1), FrameRate::new(30, 1).unwrap());
    let mut clip = Clip::new("captured", FrameRange::new(0, i64::from(FRAMES) - 1));
    for id in 0..JOINTS {
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let (speed, from) = (0.9 + 0.37 * f64::from(id % 7), axis as f64 + f64::from(id));
            let wave = |frame: u32| 0.7 * (speed * f64::from(frame) / 30.0 + from).sin();
            for property in [Property::Rotation, Property::Translation] {
                if property == Property::Translation && id > 0 {
                    continue;
                }
                let target = Target::Joint(object, JointId(id));
                let values: Vec<f64> = (0..FRAMES).map(wave).collect();
                let curve = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values.into())));
                clip.channels.insert(ChannelPath { target, property, component }, Arc::new(curve));
            }
        }
    }
    RigBinding::new(object, &skeleton, Some(&Arc::new(clip)), None)
}

fn row(what: &str, single: f64, double: f64, wanted: f64) {
    println!("{what:34} {single:7.2} ns a joint, double precision {double:7.2} ns; to reach {wanted} ns");
}

fn main() {
    let binding = captured();
    let clip = PreviewClip::new(&binding, None).unwrap();
    let mut pose = clip.rest();
    let forward: Vec<f64> = (0..2 * FRAMES).map(|step| f64::from(step) / 60.0 + 0.003).collect();
    // The same times in an order without sense.
    let at_random: Vec<f64> = (0..forward.len()).map(|step| forward[(step * 1999) % forward.len()]).collect();
    for (what, times, wanted) in
        [("sampled forward at 60 fps", &forward, 15.6), ("sampled at random", &at_random, 22.0)]
    {
        let single = a_joint(times.len(), || times.iter().for_each(|secs| clip.sample(*secs, black_box(&mut pose))));
        let double = a_joint(times.len(), || {
            times.iter().for_each(|secs| {
                black_box(binding.played_pose(*secs));
            });
        });
        row(what, single, double, wanted);
    }
    let fresh = a_joint(forward.len(), || {
        let clip = PreviewClip::new(&binding, None).unwrap();
        forward.iter().for_each(|secs| clip.sample(*secs, black_box(&mut pose)));
    });
    println!("{:34} {fresh:7.2} ns a joint", "the same forward, compiled as well");

    let poses: Vec<Vec<Transform>> = (0..LAYERS).map(|layer| binding.played_pose(3.1 * layer as f64)).collect();
    let packed: Vec<PackedPose> = poses.iter().map(|pose| PackedPose::new(pose)).collect();
    let weights = [0.1f32, 0.2, 0.05, 0.15, 0.1, 0.1, 0.2, 0.1];
    let inputs: Vec<(f32, &PackedPose)> = weights.into_iter().zip(&packed).collect();
    let double_inputs: Vec<(f64, &[Transform])> =
        weights.into_iter().map(f64::from).zip(poses.iter().map(Vec::as_slice)).collect();
    let (mut blended, count) = (poses[0].clone(), 2000);
    let single = a_joint(count * LAYERS, || {
        for _ in 0..count {
            blend_packed(black_box(&inputs), &mut pose);
        }
    });
    let double = a_joint(count * LAYERS, || {
        for _ in 0..count {
            blend_poses(black_box(&double_inputs), RotationBlend::Nlerp, &mut blended);
        }
    });
    row("poses blended, a layer", single, double, 1.7);

    let (skeleton, mut places, mut model) = (binding.skeleton(), Vec::new(), Vec::new());
    let single = a_joint(count, || {
        for _ in 0..count {
            model_from_packed(skeleton.parents(), black_box(&packed[1]), &mut places);
        }
    });
    let double = a_joint(count, || {
        for _ in 0..count {
            fk::model_from_locals(skeleton.tree(), black_box(&poses[1]), &Affine::IDENTITY, &mut model);
        }
    });
    row("local to model", single, double, 10.8);
}
