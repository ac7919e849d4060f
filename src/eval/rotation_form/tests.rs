use super::*;
use crate::{
    math::Vec3,
    model::{Extrapolation, FrameRange, Joint, JointId, Modifier, ModifierKind, Object, Rig, Skeleton},
};

fn document(mode: RotationMode, curves: Vec<(Component, Curve)>) -> (Document, Clip, Target) {
    let mut document = Document::default();
    let joint = Joint { rotation: mode, ..Joint::new(JointId(0), "hips", None, Vec3::zeros()) };
    let skeleton = Arc::new(Skeleton::new(vec![joint]).unwrap());
    let object = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let target = Target::Joint(object, JointId(0));
    let mut clip = Clip::new("clip", FrameRange::new(0, 100));
    for (component, curve) in curves {
        clip.channels.insert(ChannelPath { target, property: Property::Rotation, component }, Arc::new(curve));
    }
    (document, clip, target)
}

fn keyed(interpolation: Interpolation, keys: &[(f64, f64)]) -> Curve {
    let keys = keys.iter().map(|(time, degrees)| Key { interpolation, ..Key::new(*time, degrees.to_radians()) });
    Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }))
}

fn at(clip: &Clip, target: Target, mode: RotationMode, secs: f64) -> Quat {
    let (with, _, _) = document(mode, Vec::new());
    clip_local(&with, Some(clip), target, secs, Stage::Curves).unwrap().rotation
}

/// Converts, and measures on its own how far the converted clip is off.
fn converted(before: RotationMode, after: RotationMode, clip: &Clip, target: Target) -> (Clip, FormReport) {
    let (document, _, _) = document(before, Vec::new());
    let (curves, report) = in_form(&document, clip, target, after).unwrap();
    let clip_after = Clip { channels: curves.into_iter().collect(), ..clip.clone() };
    let off = |i: i32| {
        let secs = f64::from(i) * 0.0037 - 0.5;
        at(clip, target, before, secs).angle_to(&at(&clip_after, target, after, secs))
    };
    let worst = (0..1_500).map(off).fold(0.0, f64::max);
    assert!(worst <= report.error * 1.3 + 1e-6, "{before:?} {after:?}: said {} is {worst}", report.error);
    (clip_after, report)
}

const TRACK: RotationMode = RotationMode::Quaternion;

#[test]
fn every_order_goes_to_a_track_and_back() {
    for order in EulerOrder::ALL {
        let euler = RotationMode::Euler(order);
        let curves = vec![
            (Component::X, keyed(Interpolation::Bezier, &[(0.0, 0.0), (1.0, 30.0), (2.0, -10.0), (4.0, 20.0)])),
            (Component::Y, keyed(Interpolation::Bezier, &[(0.0, 5.0), (2.0, 40.0), (4.0, 0.0)])),
            (Component::Z, keyed(Interpolation::Bezier, &[(0.0, -20.0), (1.0, 15.0), (4.0, 10.0)])),
        ];
        let (_, clip, target) = document(euler, curves);
        let (track, report) = converted(euler, TRACK, &clip, target);
        assert!(report.error.is_finite() && report.lost_turns == 0.0, "{order:?} {report:?}");
        let (back, report) = converted(TRACK, euler, &track, target);
        assert_eq!(report.lost_turns, 0.0);
        // At the keys nothing is lost.
        for secs in [0.0, 1.0, 2.0, 4.0] {
            assert!(at(&clip, target, euler, secs).angle_to(&at(&back, target, euler, secs)) < 1e-7);
        }
        for other in EulerOrder::ALL.into_iter().filter(|other| *other != order) {
            let (_, report) = converted(euler, RotationMode::Euler(other), &clip, target);
            assert_eq!(report.lost_turns, 0.0, "{order:?} {other:?}");
        }
    }
}

/// How far the three angles of a clip's rotation go from its first time to its last, each, radians.
fn gone(clip: &Clip, target: Target, secs: f64) -> [f64; 3] {
    [Component::X, Component::Y, Component::Z].map(|component| {
        let path = ChannelPath { target, property: Property::Rotation, component };
        match clip.channels.get(&path).map(|curve| &**curve) {
            Some(Curve::Scalar(ScalarCurve::Keyed(keyed))) => {
                let at = |secs: f64| super::super::curve::value(keyed, secs).unwrap_or(0.0);
                at(secs) - at(0.0)
            }
            _ => 0.0,
        }
    })
}

#[test]
fn turns_within_a_frame_are_kept() {
    let secs = 1.0 / 24.0;
    for order in [EulerOrder::Xyz, EulerOrder::Zxy] {
        let euler = RotationMode::Euler(order);
        let spin = |degrees: f64| keyed(Interpolation::Linear, &[(0.0, 0.0), (secs, degrees)]);
        let of = |degrees: [f64; 3]| {
            let curves = [Component::X, Component::Y, Component::Z].into_iter().zip(degrees.map(spin)).collect();
            document(euler, curves)
        };
        // About one axis nothing is off; about three at once the keys are dense enough to follow.
        for (degrees, most) in [([720.0, 0.0, 0.0], 1e-6), ([0.0, 720.0, 0.0], 1e-6), ([720.0; 3], 0.02)] {
            let (_, clip, target) = of(degrees);
            let (track, report) = converted(euler, TRACK, &clip, target);
            assert!(report.error < most && report.lost_turns == 0.0, "{order:?} {degrees:?} {report:?}");
            let (back, report) = converted(TRACK, euler, &track, target);
            assert_eq!(report.lost_turns, 0.0);
            for (now, was) in gone(&back, target, secs).into_iter().zip(degrees) {
                assert!((now.to_degrees() - was).abs() < 1e-3, "{order:?} {degrees:?}: {now}");
            }
        }
    }
}

#[test]
fn denser_keys_bring_the_forms_together() {
    let euler = RotationMode::Euler(EulerOrder::Zyx);
    let error = |count: u32| {
        let wave = |size: f64, phase: f64| {
            let at = |i: u32| f64::from(i) * 4.0 / f64::from(count);
            let keys: Vec<(f64, f64)> = (0..=count).map(|i| (at(i), size * (at(i) + phase).sin())).collect();
            keyed(Interpolation::CatmullRom, &keys)
        };
        let curves =
            vec![(Component::X, wave(40.0, 0.0)), (Component::Y, wave(30.0, 1.0)), (Component::Z, wave(70.0, 2.0))];
        let (_, clip, target) = document(euler, curves);
        let (track, there) = converted(euler, TRACK, &clip, target);
        [there.error, converted(TRACK, euler, &track, target).1.error]
    };
    let (few, many) = (error(8), error(16));
    assert!(many[0] < few[0] / 4.0 && many[1] < few[1] / 4.0, "{few:?} {many:?}");
}

#[test]
fn spins_stay_spins() {
    let euler = RotationMode::Euler(EulerOrder::Xyz);
    for interpolation in [Interpolation::Linear, Interpolation::Bezier, Interpolation::Sine] {
        let spin = vec![(Component::Y, keyed(interpolation, &[(0.0, 0.0), (2.0, 1_800.0), (3.0, 1_800.0)]))];
        let (_, clip, target) = document(euler, spin);
        let (track, report) = converted(euler, TRACK, &clip, target);
        assert!(report.added >= 17 && report.lost_turns == 0.0, "{report:?}");
        let (back, report) = converted(TRACK, euler, &track, target);
        assert_eq!(report.lost_turns, 0.0);
        let path = ChannelPath { target, property: Property::Rotation, component: Component::Y };
        let Curve::Scalar(curve) = &*back.channels[&path] else { panic!() };
        let turned = crate::eval::sample::scalar_value(curve, 3.0).unwrap();
        assert!((turned.to_degrees() - 1_800.0).abs() < 1e-6, "{}", turned.to_degrees());
    }
    // More than any number of keys can hold: said, not hidden.
    let wild = vec![(Component::X, keyed(Interpolation::Linear, &[(0.0, 0.0), (1.0, 3.6e6)]))];
    let (document, clip, target) = document(euler, wild);
    let report = in_form(&document, &clip, target, TRACK).unwrap().1;
    assert!(report.lost_turns > 1_000.0, "{report:?}");
}

#[test]
fn steps_stay_steps_and_captured_motion_stays_captured() {
    let euler = RotationMode::Euler(EulerOrder::Zxy);
    let steps = vec![(Component::X, keyed(Interpolation::Step, &[(0.0, 0.0), (1.0, 150.0), (2.0, 20.0)]))];
    let (_, clip, target) = document(euler, steps);
    let (track, report) = converted(euler, TRACK, &clip, target);
    assert!(report.error < 1e-7 && report.added == 0, "{report:?}");
    assert!(converted(TRACK, euler, &track, target).1.error < 1e-7);

    let samples = |size: f64, phase: f64| {
        let values = (0..120).map(|i| size * (f64::from(i) * 0.1 + phase).sin()).collect();
        Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, values)))
    };
    let captured = [Component::X, Component::Y, Component::Z].into_iter().zip([(2.0, 0.0), (1.2, 1.0), (3.0, 2.0)]);
    let captured = captured.map(|(component, (size, phase))| (component, samples(size, phase))).collect();
    let (_, clip, target) = document(euler, captured);
    let (track, _) = converted(euler, TRACK, &clip, target);
    assert!(track.channels.values().all(|curve| curve.is_sampled()));
    let (back, _) = converted(TRACK, euler, &track, target);
    assert!(back.channels.len() == 3 && back.channels.values().all(|curve| curve.is_sampled()));
}

/// Random triples, the first axis spinning in every third: times and values by axis X, Y, Z, degrees.
fn wild(order: EulerOrder, seed: u32) -> [Vec<(f64, f64)>; 3] {
    let times = [0.0, 0.7, 1.5, 2.0, 3.1];
    let spin = if seed.is_multiple_of(3) { 720.0 } else { 0.0 };
    std::array::from_fn(|axis| {
        let key = |(key, time): (usize, &f64)| {
            let wave = (f64::from(seed) * 1.7 + key as f64 * 2.3 + axis as f64 * 1.1).sin();
            // The middle angle keeps from gimbal lock, the others turn as they like.
            let size: f64 = if axis == order.axes()[1] { 78.0 } else { 110.0 };
            let spun = if axis == order.axes()[0] { spin * key as f64 } else { 0.0 };
            (*time, size.mul_add(wave, spun))
        };
        times.iter().enumerate().map(key).collect()
    })
}

fn keyed_by_axis(interpolation: Interpolation, values: &[Vec<(f64, f64)>; 3]) -> Vec<(Component, Curve)> {
    Component::AXES.into_iter().zip(values.iter().map(|keys| keyed(interpolation, keys))).collect()
}

/// What an animator keyed comes back from a track as it was keyed, in every order, spins with all their turns.
#[test]
fn triples_of_every_order_come_back_as_they_were() {
    for order in EulerOrder::ALL {
        let euler = RotationMode::Euler(order);
        for seed in 0..12 {
            let values = wild(order, seed);
            for interpolation in [Interpolation::Linear, Interpolation::Bezier] {
                let (document, clip, target) = document(euler, keyed_by_axis(interpolation, &values));
                let track = in_form(&document, &clip, target, TRACK).unwrap().0;
                let clip = Clip { channels: track.into_iter().collect(), ..clip.clone() };
                let (document, _, _) = super::tests::document(TRACK, Vec::new());
                let back = in_form(&document, &clip, target, euler).unwrap().0;
                for (axis, keys) in values.iter().enumerate() {
                    let component = Component::AXES[axis];
                    let of = |(path, _): &&Formed| path.component == component;
                    let Curve::Scalar(ScalarCurve::Keyed(curve)) = &*back.iter().find(of).unwrap().1 else { panic!() };
                    for (time, degrees) in keys {
                        let now = super::super::curve::value(curve, *time).unwrap().to_degrees();
                        assert!(
                            (now - degrees).abs() < 1e-6,
                            "{order:?} {seed} {interpolation:?} axis {axis} at {time}: {degrees} became {now}"
                        );
                    }
                }
            }
        }
    }
}

/// Turns about the middle axis alone stay turns about it, beyond gimbal lock too; and a motion that starts in gimbal
/// lock starts with the angles it leaves it by.
#[test]
fn the_middle_axis_turns_alone_and_lock_is_left_as_it_was_entered() {
    for order in EulerOrder::ALL {
        let euler = RotationMode::Euler(order);
        let [first, middle, third] = order.axes();
        let cases = [
            (Interpolation::Linear, [[0.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 170.0, 0.0]]),
            (Interpolation::Linear, [[0.0, 120.0, 0.0], [0.0, 800.0, 0.0], [0.0, 1_000.0, 0.0]]),
            // Of many triples in the lock a track does not tell which was keyed, but by which it is left.
            (Interpolation::Bezier, [[30.0, 90.0, 20.0], [35.0, 60.0, 25.0], [30.0, 20.0, 10.0]]),
        ];
        for (interpolation, triples) in cases {
            let mut values: [Vec<(f64, f64)>; 3] = std::array::from_fn(|_| Vec::new());
            for (key, triple) in triples.iter().enumerate() {
                for (axis, degrees) in [first, middle, third].into_iter().zip(triple) {
                    values[axis].push((key as f64, *degrees));
                }
            }
            let (_, clip, target) = document(euler, keyed_by_axis(interpolation, &values));
            let (track, _) = converted(euler, TRACK, &clip, target);
            let (back, _) = converted(TRACK, euler, &track, target);
            for (axis, keys) in values.iter().enumerate() {
                let path = ChannelPath { target, property: Property::Rotation, component: Component::AXES[axis] };
                let Curve::Scalar(curve) = &*back.channels[&path] else { panic!() };
                let at = |secs: f64| crate::eval::sample::scalar_value(curve, secs).unwrap().to_degrees();
                let locked = triples[0][1] == 90.0;
                assert!(!locked || (at(0.01) - at(0.0)).abs() < 0.5, "{order:?} leaves the lock by a jump");
                for (time, degrees) in keys.iter().skip(usize::from(locked)) {
                    let now = at(*time);
                    assert!((now - degrees).abs() < 0.02, "{order:?} {triples:?} {axis}: {degrees} became {now}");
                }
            }
        }
    }
}

#[test]
fn nothing_keyed_one_key_and_one_axis_are_defined() {
    let euler = RotationMode::Euler(EulerOrder::Yzx);
    let (doc, clip, target) = document(euler, Vec::new());
    assert_eq!(in_form(&doc, &clip, target, TRACK), Some((Vec::new(), FormReport::default())));
    let (_, clip, target) = document(euler, vec![(Component::Z, keyed(Interpolation::Bezier, &[(1.0, 700.0)]))]);
    let (track, report) = converted(euler, TRACK, &clip, target);
    assert_eq!((track.channels.len(), report.lost_turns), (1, 0.0));
    let far = [(0.0, 0.0), (1e-9, 10.0), (1e9, 20.0)];
    let (doc, clip, target) = document(euler, vec![(Component::Z, keyed(Interpolation::Bezier, &far))]);
    let (curves, report) = in_form(&doc, &clip, target, TRACK).unwrap();
    assert!(report.error.is_finite() && !curves.is_empty());
}

fn with(curve: Curve, modifiers: &[Modifier], ends: [Extrapolation; 2]) -> Curve {
    let Curve::Scalar(ScalarCurve::Keyed(keyed)) = curve else { return curve };
    let [pre, post] = ends;
    Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { modifiers: modifiers.to_vec(), pre, post, ..keyed }))
}

const HELD: [Extrapolation; 2] = [Extrapolation::Constant; 2];

fn turning(x: &[Modifier], others: &[Modifier], ends: [Extrapolation; 2]) -> Vec<(Component, Curve)> {
    // Curves that leave their ends with a slope, where that goes on.
    let straight = ends.contains(&Extrapolation::Linear);
    let bent = |keys: &[(f64, f64)]| keyed(if straight { Interpolation::Linear } else { Interpolation::Bezier }, keys);
    vec![
        (Component::X, with(bent(&[(0.0, 0.0), (0.5, 30.0), (1.0, -10.0)]), x, ends)),
        (Component::Y, with(bent(&[(0.0, 5.0), (1.0, 40.0)]), others, ends)),
        (Component::Z, with(bent(&[(0.0, -20.0), (0.5, 15.0), (1.0, 10.0)]), others, ends)),
    ]
}

/// Far from the keys too: the converted clip against the one it is from.
fn far_off(before: RotationMode, after: RotationMode, clips: [&Clip; 2], target: Target) -> f64 {
    let off = |i: i32| {
        let secs = f64::from(i) * 0.0137 - 1.0;
        at(clips[0], target, before, secs).angle_to(&at(clips[1], target, after, secs))
    };
    (0..370).map(off).fold(0.0, f64::max)
}

/// What only reads the angles at other times does the same to any angles: it stays, and no key is added for it.
#[test]
fn cycles_and_steps_that_all_angles_have_stay() {
    let cycles = ModifierKind::Cycles { start: 0.0, end: 1.0, before: true, after: true, offset: false, mirror: true };
    let stepped =
        Modifier { range: Some((0.2, 2.0)), ..Modifier::new(ModifierKind::Stepped { step: 0.25, offset: 0.0 }) };
    let stack = [Modifier::new(cycles), stepped, Modifier { muted: true, ..stepped }];
    let (before, after) = (RotationMode::Euler(EulerOrder::Xyz), RotationMode::Euler(EulerOrder::Zxy));
    let (_, clip, target) = document(before, turning(&stack, &stack, HELD));
    let (document, _, _) = document(before, Vec::new());
    let (curves, report) = in_form(&document, &clip, target, after).unwrap();
    assert_eq!((report.kept, report.baked, report.gone), (3, 0, 0));
    assert!(curves.iter().all(|(_, curve)| curve.modifiers() == stack));
    assert!(curves.iter().all(|(_, curve)| curve.scalar_keys().unwrap().keys.len() < 20));
    let converted = Clip { channels: curves.into_iter().collect(), ..clip.clone() };
    let off = far_off(before, after, [&clip, &converted], target);
    assert!(off <= report.error * 1.3 + 1e-6, "said {} is {off}", report.error);
    assert!(report.beyond <= report.error * 1.3 + 1e-6, "{report:?}");
}

/// Noise on one angle is something else on another: it is taken into a key a frame, as far as the clip goes, and told of.
#[test]
fn other_modifiers_are_taken_into_the_keys_and_counted() {
    let noise = Modifier::new(ModifierKind::Noise { size: 0.1, frequency: 2.0, octaves: 2, seed: 1 });
    let (before, after) = (RotationMode::Euler(EulerOrder::Xyz), RotationMode::Euler(EulerOrder::Zyx));
    for (x, others) in [(vec![noise], Vec::new()), (vec![noise, Modifier { muted: true, ..noise }], vec![noise])] {
        let (_, clip, target) = document(before, turning(&x, &others, HELD));
        let (document, _, _) = document(before, Vec::new());
        let (curves, report) = in_form(&document, &clip, target, after).unwrap();
        let muted = x.iter().filter(|modifier| modifier.muted).count();
        assert_eq!((report.kept, report.baked, report.gone), (0, x.len() - muted + 2 * others.len(), muted));
        let converted = Clip { channels: curves.into_iter().collect(), ..clip.clone() };
        let rate = document.settings.rate;
        for frame in 0..=100 {
            let secs = rate.secs(frame);
            let off = at(&clip, target, before, secs).angle_to(&at(&converted, target, after, secs));
            assert!(off < 1e-7, "frame {frame}: {off}");
        }
    }
}

/// What goes on before and after the keys stays where it is one for all angles, and is measured where it cannot be the same.
#[test]
fn what_goes_on_beyond_the_keys_stays_or_is_told() {
    let (before, after) = (RotationMode::Euler(EulerOrder::Xyz), RotationMode::Euler(EulerOrder::Yzx));
    for (kind, same) in [(Extrapolation::Cycle, true), (Extrapolation::Mirror, true), (Extrapolation::Linear, false)] {
        let (_, clip, target) = document(before, turning(&[], &[], [kind; 2]));
        let (document, _, _) = document(before, Vec::new());
        let (curves, report) = in_form(&document, &clip, target, after).unwrap();
        assert!(curves.iter().all(|(_, curve)| curve.scalar_keys().unwrap().post == kind), "{kind:?}");
        assert_eq!(report.beyond <= report.error * 1.3 + 1e-6, same, "{kind:?} {report:?}");
        let (_, report) = in_form(&document, &clip, target, TRACK).unwrap();
        assert!(report.beyond > 0.01, "a track holds its ends: {kind:?} {report:?}");
    }
}
