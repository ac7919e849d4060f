use super::*;
use crate::{
    eval::blend::pose::blend,
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{chord_angle, from_axis_angle},
    },
    model::{
        ChannelPath, Clip, Component, Curve, FrameRange, FrameRate, Joint, JointId, JointTree, ObjectId, Property,
        RotationBlend, RotationCurve, RotationMode, RotationSamples, Samples, ScalarCurve, Skeleton, Target,
    },
};
use std::sync::Arc;

fn turned(seed: f64) -> Quat {
    from_axis_angle(&Vec3::new(seed.sin(), 0.3, (2.0 * seed).cos()), 3.0 * (1.7 * seed).sin())
}

fn locals(count: usize, seed: f64) -> Vec<Transform> {
    let local = |at: usize| {
        let seed = seed + at as f64;
        Transform {
            translation: Vec3::new(0.1 * seed.sin(), 0.2, 0.1 * seed.cos()),
            rotation: turned(seed),
            scale: Vec3::new(1.0, 1.0 + 0.01 * seed.sin(), 1.0),
        }
    };
    (0..count).map(local).collect()
}

/// Nineteen joints; some turn, one goes, one grows, over 20 samples; more than one page.
fn captured(step: f64) -> RigBinding {
    let joint = |id: u32| Joint {
        rotation: RotationMode::Quaternion,
        ..Joint::new(JointId(id), &format!("joint {id}"), id.checked_sub(1).map(JointId), Vec3::new(0.0, 0.1, 0.02))
    };
    let skeleton = Arc::new(Skeleton::new((0..19).map(joint).collect()).unwrap());
    let (object, rate) = (ObjectId(1), FrameRate::default());
    let mut clip = Clip::new("clip", FrameRange::new(0, 19));
    let path = |joint: u32, property, component| ChannelPath {
        target: Target::Joint(object, JointId(joint)),
        property,
        component,
    };
    for id in (0..19).filter(|id| id % 4 != 1) {
        let axis = Vec3::new(1.0, f64::from(id), 0.3);
        // Every third is of the other sign.
        let turn = |frame: u32| {
            let turn = from_axis_angle(&axis, step * f64::from(frame));
            if frame % 3 == 2 { nalgebra::Unit::new_unchecked(-turn.into_inner()) } else { turn }
        };
        let samples = RotationSamples { start: 0.1, rate, values: (0..20).map(turn).collect() };
        let curve = Curve::Rotation(RotationCurve::Sampled(samples));
        clip.channels.insert(path(id, Property::Rotation, Component::Whole), Arc::new(curve));
    }
    for (id, property, component) in [(0, Property::Translation, Component::Z), (9, Property::Scale, Component::Y)] {
        let values: Vec<f64> = (0..20).map(|frame| 1.0 + 0.3 * f64::from(frame).sin()).collect();
        let curve = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.1, rate, values.into())));
        clip.channels.insert(path(id, property, component), Arc::new(curve));
    }
    RigBinding::new(object, &skeleton, Some(&Arc::new(clip)), None)
}

/// The largest differences of two poses: of places, of turns in radians.
fn apart(a: &[Transform], b: &[Transform]) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold((0.0, 0.0), |(most, turn), (a, b)| {
        let gap = (a.translation - b.translation).amax().max((a.scale - b.scale).amax());
        (gap.max(most), chord_angle(&a.rotation, &b.rotation).max(turn))
    })
}

#[test]
fn a_compiled_clip_is_the_clip_forward_backward_and_beyond_its_ends() {
    let binding = captured(0.7);
    let clip = PreviewClip::new(&binding, None).unwrap();
    let mut pose = clip.rest();
    let times: Vec<f64> = (0..200).map(|i| 0.005 * f64::from(i)).collect();
    for secs in times.iter().chain(times.iter().rev()).chain(&[-5.0, 1e9, f64::INFINITY]) {
        clip.sample(*secs, &mut pose);
        let (gap, turn) = apart(&pose.locals(), &binding.played_pose(*secs));
        assert!(gap < 2e-7 && turn < 1e-6, "{secs}: {gap:e} {turn:e}");
    }
    clip.sample(f64::NAN, &mut pose);
    assert_eq!(pose, clip.rest());
}

#[test]
fn slerp_holds_at_large_turns() {
    for step in [1.5, 2.6, 3.1] {
        let binding = captured(step);
        let clip = PreviewClip::new(&binding, None).unwrap();
        let mut pose = clip.rest();
        for i in 0..150 {
            let secs = 0.1 + 0.005 * f64::from(i);
            clip.sample(secs, &mut pose);
            let (_, turn) = apart(&pose.locals(), &binding.played_pose(secs));
            assert!(turn < 2e-6, "{step} {secs}: {turn:e}");
        }
    }
}

#[test]
fn what_was_compiled_of_the_same_samples_is_kept_and_keyed_clips_are_not_compiled() {
    let binding = captured(0.7);
    let clip = PreviewClip::new(&binding, None).unwrap();
    let mut pose = clip.rest();
    clip.sample(0.3, &mut pose);
    let again = PreviewClip::new(&binding, Some(clip)).unwrap();
    assert_eq!(again.compiled(), 1);
    assert_eq!(PreviewClip::new(&captured(0.7), Some(again)).unwrap().compiled(), 0);
    let rest = RigBinding::new(ObjectId(1), binding.skeleton(), None, None);
    assert!(PreviewClip::new(&rest, None).is_none());
}

#[test]
fn blending_is_that_of_double_precision() {
    for count in [0, 1, 8, 21] {
        let poses: Vec<Vec<Transform>> = (0..5).map(|i| locals(count, 0.37 * f64::from(i))).collect();
        let packed: Vec<PackedPose> = poses.iter().map(|pose| PackedPose::new(pose)).collect();
        let weights = [0.1, 0.4, -1.0, f64::NAN, 0.3];
        let inputs: Vec<(f32, &PackedPose)> = weights.map(|w| w as f32).into_iter().zip(&packed).collect();
        let mut out = PackedPose::new(&vec![Transform::IDENTITY; count]);
        blend_packed(&inputs, &mut out);
        let wanted: Vec<Transform> = (0..count)
            .map(|joint| {
                let of: Vec<_> = weights.into_iter().zip(poses.iter().map(|pose| pose[joint])).collect();
                blend(&of, RotationBlend::Nlerp).unwrap()
            })
            .collect();
        let (gap, turn) = apart(&out.locals(), &wanted);
        assert!(gap < 3e-7 && turn < 3e-6, "{count}: {gap:e} {turn:e}");
        let before = out.clone();
        blend_packed(&[(0.0, &packed[0]), (f32::NAN, &packed[1])], &mut out);
        assert_eq!(out, before);
    }
    // Opposite ways have no middle: the first of the heaviest stays.
    let half =
        |x: f64, w: f64| PackedPose::new(&[Transform::from_rotation(crate::math::rotation::unit(x, 0.0, 0.0, w))]);
    let (a, b) = (half(0.0, 1.0), half(1.0, 0.0));
    let mut out = a.clone();
    blend_packed(&[(0.5, &a), (0.5, &b), (1e-20, &b)], &mut out);
    assert!((out.locals()[0].rotation.coords.norm() - 1.0).abs() < 1e-6);
}

#[test]
fn places_are_those_of_double_precision() {
    for count in [0, 1, 7, 8, 9, 64] {
        let mut parents: Vec<Option<usize>> = (0..count).map(|i: usize| i.checked_sub(1).map(|i| i / 2)).collect();
        if count > 7 {
            (parents[3], parents[5]) = (None, Some(6));
        }
        let locals = locals(count, 0.2);
        let (mut model, mut places) = (Vec::new(), vec![Place::IDENTITY; 70]);
        crate::eval::fk::model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut model);
        model_from_packed(&parents, &PackedPose::new(&locals), &mut places);
        assert_eq!(places.len(), count);
        for (place, wanted) in places.iter().zip(&model) {
            assert!((place.to_affine().to_mat4() - wanted.to_mat4()).amax() < 2e-6);
        }
    }
}
