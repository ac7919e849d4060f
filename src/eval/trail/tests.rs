use super::*;
use crate::{
    math::{Quat, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, Component, Curve, Extrapolation, FrameRate, Interpolation, Joint, Key, KeyedCurve, Object,
        Property, Rig, RotationMode, Samples, ScalarCurve, Skeleton, Target,
    },
};
use std::{f64::consts::TAU, sync::Arc};

/// An arm of 2 m that turns about Z with the angle of some keys.
fn wheel(keys: &[(f64, f64)]) -> Document {
    let joint = |id, parent, x| Joint {
        rotation: RotationMode::Euler(crate::math::EulerOrder::Xyz),
        ..Joint::new(JointId(id), "joint", parent, Vec3::new(x, 0.0, 0.0))
    };
    let skeleton = Skeleton::new(vec![joint(0, None, 0.0), joint(1, Some(JointId(0)), 2.0)]).unwrap();
    let mut document = Document::default();
    let rig = document.add_object(Object::rig("wheel", Rig { skeleton: Arc::new(skeleton), ..Rig::default() }));
    let mut clip = Clip::new("turn", FrameRange::new(0, 48));
    let keys = keys.iter().map(|(t, v)| Key { interpolation: Interpolation::Linear, ..Key::new(*t, *v) });
    let curve = KeyedCurve { keys: keys.collect(), post: Extrapolation::Linear, ..KeyedCurve::default() };
    let path = ChannelPath::joint(rig, JointId(0), Property::Rotation, Component::Z);
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    document
}

#[test]
fn motion_on_a_circle_has_its_length_speed_and_curvature() {
    let document = wheel(&[(0.0, 0.0), (2.0, TAU)]);
    let evaluator = Evaluator::new();
    let spec = TrailSpec { object: ObjectId(1), joint: JointId(1), space: TrailSpace::World, first: 2, last: 40 };
    let trail = evaluator.trail(&document, spec).unwrap();
    let motion = evaluator.motion(&document, &trail).unwrap();
    let speed = 2.0 * TAU / 2.0;
    for (index, secs) in (0..trail.points.len()).map(|index| (index, trail.secs(index))) {
        assert!((motion.length[index] - speed * (secs - trail.secs(0))).abs() < 1e-6);
        assert!((motion.speed(index) - speed).abs() < 1e-6);
        assert!((motion.acceleration[index].norm() - speed * speed / 2.0).abs() < 1e-3);
        assert!(motion.speed_change(index).abs() < 1e-3);
        let curvature = motion.curvature(index).unwrap();
        assert!((curvature * 2.0 + trail.points[index] * 0.5).norm() < 1e-3);
    }
    let arc = clean_arc(&trail.points).unwrap();
    assert!((arc.radius.unwrap() - 2.0).abs() < 1e-9 && arc.greatest < 1e-9 && arc.rms < 1e-9);
    assert_eq!(trail.keys, Vec::<f64>::new());
    // Standing still is no way at all.
    let still = wheel(&[(0.0, 0.3), (2.0, 0.3)]);
    let trail = evaluator.trail(&still, spec).unwrap();
    let motion = evaluator.motion(&still, &trail).unwrap();
    assert!(motion.length.iter().all(|s| s.abs() < 1e-12) && motion.curvature(3).is_none());
    assert_eq!((trail.tangent(4), clean_arc(&trail.points)), (None, None));
}

/// A captured turn is straight from sample to sample: its acceleration is that of the motion, not of the bends at the samples.
#[test]
fn captured_motion_accelerates_as_it_was_captured() {
    let mut document = wheel(&[(0.0, 0.0)]);
    let rate = FrameRate::FPS_24;
    let angle = |frame: u32| 0.8 * (f64::from(frame) / 24.0).powi(2);
    let samples = Samples::new(0.0, rate, (0..49).map(angle).collect());
    let clip = document.settings.clip.unwrap();
    for curve in document.clip_mut(clip).unwrap().channels.values_mut() {
        *curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples.clone())));
    }
    let evaluator = Evaluator::new();
    let spec = TrailSpec { object: ObjectId(1), joint: JointId(1), space: TrailSpace::World, first: 0, last: 48 };
    let trail = evaluator.trail(&document, spec).unwrap();
    assert!(trail.captured);
    let motion = evaluator.motion(&document, &trail).unwrap();
    for index in 0..trail.points.len() {
        let secs = trail.secs(index).clamp(1.0 / 24.0, 47.0 / 24.0);
        let (along, inward): (f64, f64) = (2.0 * 1.6, 2.0 * (1.6 * secs).powi(2));
        let off = motion.acceleration[index].norm() - along.hypot(inward);
        assert!(off.abs() < 0.02 * along.hypot(inward) + 0.05, "{secs}: {off}");
    }
}

#[test]
fn a_bump_shows_as_the_residual_of_its_arc_and_a_line_is_a_line() {
    let turn = |angle: f64| -> Quat { from_axis_angle(&Vec3::new(0.3, 1.0, 0.2).normalize(), angle) };
    let mut points: Vec<Vec3> =
        (0..41).map(|i| Vec3::new(5.0, 1.0, -2.0) + turn(0.04 * f64::from(i)) * Vec3::new(0.2, 0.0, 0.7)).collect();
    points[20] += Vec3::new(0.0, 0.05, 0.0);
    let arc = clean_arc(&points).unwrap();
    assert_eq!(arc.worst, 20);
    assert!((arc.greatest - 0.05).abs() < 0.01 && arc.rms < 0.02, "{arc:?}");
    let line: Vec<Vec3> = (0..9).map(|i| Vec3::new(1.0, 2.0, 3.0) * f64::from(i)).collect();
    let arc = clean_arc(&line).unwrap();
    assert!(arc.radius.is_none() && arc.greatest < 1e-12);
    assert_eq!(clean_arc(&line[..2]), None);
    assert_eq!(clean_arc(&[Vec3::zeros(), Vec3::x(), Vec3::repeat(f64::NAN)]), None);
}

#[test]
fn keys_are_seen_where_a_retime_shows_them() {
    use crate::model::{Phi, Retime, RetimeScope};
    let document = wheel(&[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0), (2.0, 3.0)]);
    let mut clip = (*document.clips.values().next().unwrap().clone()).clone();
    let targets = [Target::Joint(ObjectId(1), JointId(0))];
    assert_eq!(key_times(&clip, &targets, (0.0, 1.5)), [0.0, 0.5, 1.0]);
    assert_eq!(neighbour_keys(&clip, &targets, 0.5, 0.1, (0.0, 2.0)), (Some(0.0), Some(1.0)));
    assert_eq!(neighbour_keys(&clip, &targets, 0.95, 0.1, (0.0, 2.0)), (Some(0.5), Some(2.0)));
    let phi = Phi::new(vec![(0.0, 0.0), (1.0, 0.5), (2.0, 2.0)]).unwrap();
    let retime = Retime {
        id: crate::model::RetimeId(0),
        name: String::new(),
        muted: false,
        object: ObjectId(1),
        scope: RetimeScope::Whole,
        phi,
    };
    clip.retimes.push(Arc::new(retime));
    let times = key_times(&clip, &targets, (0.0, 2.0));
    assert!((times[1] - 1.0).abs() < 1e-12 && times[2] > 1.0 && times.len() == 4, "{times:?}");
}
