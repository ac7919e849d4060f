//! Drags under the limits of the body's roles: on the sample character and on every human file of the corpus, with and
//! without names, and in the rest pose where position channels fold the limbs.

use crate::support::figures::{Figure, figures};
use inbetween::eval::drag::{BodyHelp, DragOptions, Hands};
use inbetween::eval::ik::SoftReach;
use inbetween::eval::limbs::{Limb, Role, Side};
use inbetween::math::rotation::from_axis_angle;
use inbetween::math::{Affine, Transform, Vec3};

#[test]
fn limits_by_role_let_the_rest_pose_be() {
    for figure in figures(true) {
        let limited = figure.limits.iter().flatten().count();
        assert!(limited >= 12, "{}: {limited} joints have limits", figure.name);
        for (joint, limit) in figure.limits.iter().enumerate() {
            if let Some(limit) = limit {
                let name = &figure.rig.skeleton.joints()[joint].name;
                let seen = limit.measure(&figure.rest[joint].rotation);
                assert!(limit.contains(&figure.rest[joint].rotation), "{}: {name} at rest: {seen:?}", figure.name);
            }
        }
    }
}

#[test]
fn a_foot_to_the_hip_bends_the_knee_forward_and_a_hand_to_the_shoulder_the_elbow_not_backwards() {
    for figure in figures(false).iter().chain(&figures(true)) {
        let before = figure.world(&[]);
        let [up, forward, left] = figure.frame();
        for limb in figure.arms_and_legs() {
            let [root, middle, end] = [limb.root(), limb.middle.unwrap(), limb.end()];
            let drag = figure.drag(end, DragOptions::default());
            let target = before[root].translation * 0.45 + before[end].translation * 0.55;
            let result = drag.to(&target);
            let what = format!("{:?} {:?}", limb.side, limb.role);
            figure.check(&result.changed, &what, &[]);
            let world = figure.world(&result.changed);
            let chord = world[end].translation - world[root].translation;
            let side = world[middle].translation - world[root].translation;
            let bulge = (side - chord * (side.dot(&chord) / chord.norm_squared())).normalize();
            let says = format!(
                "bulges {:.2} up, {:.2} forward, {:.2} left",
                bulge.dot(&up),
                bulge.dot(&forward),
                bulge.dot(&left)
            );
            let outward = if limb.side == Side::Left { left } else { -left };
            let good = match limb.role {
                Role::Leg => bulge.dot(&forward) > 0.0,
                // From where arms hang or reach out an elbow goes back, down or out. A pose keeps the plane it has.
                _ => figure.pressed != figure.rest || bulge.dot(&(-forward - up * 0.6 + outward * 0.6)) > 0.0,
            };
            assert!(good, "{}: the {what} {says}", figure.name);
        }
    }
}

/// A hold is stronger than limits: a held leg passes them where no pose of it within them reaches its foot, and only there.
/// That there is none is searched for: on the whole swivel circle of the knee, with every twist of thigh and shank.
#[test]
fn no_drag_passes_a_limit_and_out_and_back_is_as_before() {
    let mut yielded = 0;
    for figure in figures(false).into_iter().step_by(2) {
        let before = figure.world(&[]);
        let mut grabs: Vec<(usize, f64)> = Vec::new();
        for limb in figure.arms_and_legs() {
            grabs.extend([limb.end(), limb.middle.unwrap()].map(|joint| (joint, figure.length(limb))));
        }
        grabs.extend(figure.limbs.head.iter().chain(&figure.limbs.hips).chain(&figure.limbs.chest).map(|j| (*j, 0.0)));
        let leg = figure.limbs.limb(Role::Leg, Side::Left).map_or(1.0, |limb| figure.length(limb));
        for (joint, length) in grabs {
            let length = if length > 0.0 { length } else { 0.4 * leg };
            let name = &figure.rig.skeleton.joints()[joint].name;
            for help in [BodyHelp::Never, BodyHelp::OutOfReach] {
                let drag = figure.drag(joint, DragOptions { help, hands: Hands::Follow, ..DragOptions::default() });
                for direction in
                    [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z(), Vec3::new(0.6, 0.5, -0.6)]
                {
                    for step in 1..=4 {
                        let target = drag.start() + direction * (0.3 * length * f64::from(step));
                        let result = drag.to(&target);
                        let what = format!("{name} along {direction:?}, {help:?}, step {step}");
                        yielded += figure.check_held(&result.changed, &what, joint);
                    }
                    let back = figure.world(&drag.to(&drag.start()).changed);
                    let off = (0..back.len()).map(|j| (back[j].translation - before[j].translation).norm());
                    assert!(off.fold(0.0, f64::max) < 1e-6 * leg, "{}: {name} does not come back", figure.name);
                }
            }
        }
    }
    println!("held legs passed their limits in {yielded} poses, of which none has another within them");
}

#[test]
fn limits_are_met_without_a_jump() {
    let figure = Figure::of("sample", &inbetween::samples::start(), false, false);
    for limb in figure.arms_and_legs() {
        let length = figure.length(limb);
        // A knee has no direction to swing to on the line of its leg.
        for (joint, reach) in [(limb.end(), 0.5), (limb.middle.unwrap(), 0.1)] {
            let drag = figure.drag(joint, DragOptions::default());
            for direction in [Vec3::new(0.8, 0.1, 0.5), Vec3::new(-0.6, -0.1, -0.8), Vec3::new(0.1, 0.9, -0.4)] {
                let (steps, mut last) = (200, figure.world(&[]));
                for step in 1..=steps {
                    let part = reach * f64::from(step) / f64::from(steps);
                    let world = figure.world(&drag.to(&(drag.start() + direction * (length * part))).changed);
                    let moved = (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm());
                    let name = &figure.rig.skeleton.joints()[joint].name;
                    let most = moved.fold(0.0, f64::max) / length;
                    assert!(most < 0.03, "{name} along {direction:?}: {most} of the limb at step {step}");
                    last = world;
                }
            }
        }
    }
}

/// The direction to which the middle of a limb bulges, unit, and by what share of the limb's length.
fn bulge(world: &[Affine], limb: &Limb) -> (Vec3, f64) {
    let [root, middle, end] = [limb.root(), limb.middle.unwrap(), limb.end()].map(|joint| world[joint].translation);
    let chord = end - root;
    let side = (middle - root) - chord * ((middle - root).dot(&chord) / chord.norm_squared());
    (side.normalize(), side.norm() / ((middle - root).norm() + (end - middle).norm()))
}

/// Hands brought to where arms go, then pulled in from there: elbows go where elbows go, and bend as hinges.
#[test]
fn an_elbow_of_an_arm_that_was_moved_bends_as_elbows_do() {
    let mut tried = 0;
    for figure in figures(true) {
        let [up, forward, left] = figure.frame();
        for side in [Side::Left, Side::Right] {
            let arm = figure.limbs.limb(Role::Arm, side).unwrap().clone();
            let out = if side == Side::Left { left } else { -left };
            let length = figure.length(&arm);
            let ways = [
                ("forward", forward - up * 0.1, out * 0.6 - up),
                ("down", forward * 0.15 - up, out * 0.5 - forward),
                ("out", out, -forward - up * 0.6),
                ("across the chest", forward - out * 0.5, out * 0.6 - up),
                ("forward and up", forward + up * 0.6, out * 0.8 - up),
            ];
            for (way, direction, wanted) in ways {
                let what = format!("{}, {side:?} arm {way}", figure.name);
                let shoulder = figure.world(&[])[arm.root()].translation;
                let at = |share: f64| shoulder + direction.normalize() * (share * length);
                let mut moved = figure.clone();
                for (joint, local) in figure.drag(arm.end(), DragOptions::default()).to(&at(0.85)).changed {
                    moved.pressed[joint] = local;
                }
                let drag = moved.drag(arm.end(), DragOptions::default());
                let result = drag.to(&at(0.5));
                moved.check(&result.changed, &what, &[]);
                let (elbow, height) = bulge(&moved.world(&result.changed), &arm);
                assert!(elbow.dot(&wanted.normalize()) > 0.2 && height > 0.2, "{what}");
                let hinge = figure.limits[arm.middle.unwrap()].unwrap();
                let bent = result.changed.iter().find(|(joint, _)| Some(*joint) == arm.middle).unwrap();
                assert!(hinge.measure(&bent.1.rotation).x > 0.8, "{what}: {:?}", hinge.measure(&bent.1.rotation));
                tried += 1;
            }
        }
    }
    assert!(tried >= 20, "{tried}");
}

/// Limbs of captured poses pulled in by a third, some of them bent a few degrees backwards at the press: they bend as hinges
/// do, no bone turns about itself, the end stays at its target, nothing jumps.
#[test]
fn limbs_that_begin_bent_backwards_bend_the_right_way() {
    let mut backwards = 0;
    for figure in figures(false) {
        let before = figure.world(&[]);
        for limb in figure.arms_and_legs() {
            let middle = limb.middle.unwrap();
            let Some(hinge) = figure.limits[middle] else { continue };
            let pressed = hinge.measure(&figure.pressed[middle].rotation).x;
            let (length, end) = (figure.length(limb), before[limb.end()].translation);
            let (_, height) = bulge(&before, limb);
            if pressed > -0.02 || height > 0.05 {
                continue;
            }
            backwards += 1;
            let what =
                format!("{}, {:?} {:?} bent by {:.1} degrees", figure.name, limb.side, limb.role, pressed.to_degrees());
            let inwards = (before[limb.root()].translation - end).normalize();
            let drag = figure.drag(limb.end(), DragOptions { soft: SoftReach::OFF, ..DragOptions::default() });
            let (steps, mut last) = (600, before.clone());
            for step in 1..=steps {
                let target = end + inwards * (length * 0.33 * f64::from(step) / f64::from(steps));
                let result = drag.to(&target);
                let world = figure.world(&result.changed);
                // Near full stretch damped steps are slow.
                assert!(result.gap < 5e-3 * length, "{what}: {} short at step {step}", result.gap / length);
                let moved = (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm());
                let most = moved.fold(0.0, f64::max) / length;
                assert!(most < 0.03, "{what}: a joint jumps by {most} at step {step}");
                let root = result.changed.iter().find(|(joint, _)| *joint == limb.root());
                if let (Some(limit), Some((_, local))) = (&figure.limits[limb.root()], root) {
                    let twist = |local: &Transform| limit.measure(&local.rotation).twist;
                    let turned = (twist(local) - twist(&figure.pressed[limb.root()])).to_degrees();
                    assert!(turned.abs() < 40.0, "{what}: the bone turns {turned} degrees about itself at step {step}");
                }
                last = world;
            }
            let bent = drag.to(&(end + inwards * (length * 0.33))).changed;
            let bent = bent.iter().find(|(joint, _)| *joint == middle).unwrap();
            assert!(hinge.measure(&bent.1.rotation).x > 0.8, "{what}: {:?}", hinge.measure(&bent.1.rotation));
        }
    }
    println!("{backwards} limbs are bent backwards at the press");
}

/// Elbows and knees led around the line from root to end, to 110 degrees on either side of the press: they follow as far as
/// hips and shoulders turn, never by a jump, and the ends stay. Farther round, what cannot turn round must change sides.
#[test]
fn elbows_and_knees_swing_around_without_a_jump() {
    let figure = Figure::of("sample", &inbetween::samples::start(), false, false);
    for limb in figure.arms_and_legs() {
        let middle = limb.middle.unwrap();
        let before = figure.world(&[]);
        let [root, knee, end] = [limb.root(), middle, limb.end()].map(|joint| before[joint].translation);
        let (axis, length) = ((end - root).normalize(), figure.length(limb));
        let foot = root + axis * (knee - root).dot(&axis);
        let name = &figure.rig.skeleton.joints()[middle].name;
        let drag = figure.drag(middle, DragOptions::default());
        for way in [1.0, -1.0] {
            let mut last = before.clone();
            for degrees in 1..=110_i32 {
                let turn = from_axis_angle(&axis, way * f64::from(degrees).to_radians());
                // As far out as the middle is, and much farther.
                for out in [1.0, 1.5] {
                    let result = drag.to(&(foot + turn * (knee - foot) * out));
                    let world = figure.world(&result.changed);
                    let slid = (world[limb.end()].translation - end).norm() / length;
                    assert!(slid < 1e-6, "{name} at {degrees} degrees: the end slides {slid}");
                    let moved = (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm());
                    let most = moved.fold(0.0, f64::max) / length;
                    assert!(most < 0.02, "{name} jumps by {most} of the limb at {degrees} degrees");
                    last = world;
                }
            }
        }
    }
}

/// A walker's elbows and knees are within their limits for 30 degrees each way: there they are where they are drawn to.
#[test]
fn elbows_and_knees_go_where_they_are_drawn() {
    let figure = Figure::of("sample", &inbetween::samples::start(), false, false);
    for limb in figure.arms_and_legs() {
        let middle = limb.middle.unwrap();
        let before = figure.world(&[]);
        let [root, knee, end] = [limb.root(), middle, limb.end()].map(|joint| before[joint].translation);
        let axis = (end - root).normalize();
        let foot = root + axis * (knee - root).dot(&axis);
        let name = &figure.rig.skeleton.joints()[middle].name;
        let drag = figure.drag(middle, DragOptions::default());
        for degrees in [-30.0_f64, -10.0, -1.0, 1.0, 10.0, 30.0] {
            let wanted = foot + from_axis_angle(&axis, degrees.to_radians()) * (knee - foot);
            let result = drag.to(&wanted);
            let off = (figure.world(&result.changed)[middle].translation - wanted).norm() / figure.length(limb);
            assert!(off < 1e-9, "{name} is off by {off} of the limb at {degrees} degrees");
            assert!(result.report.reached(), "{name}: {:?}", result.report);
        }
    }
}

/// Hips anywhere, crouched, leaned, turned to the side: feet that are held stay within a tenth of a millimetre of their place
/// (of a leg of 86 cm).
#[test]
fn held_feet_stay_under_limits() {
    for figure in figures(false).into_iter().step_by(2) {
        let before = figure.world(&[]);
        let leg = figure.limbs.limb(Role::Leg, Side::Left).map_or(1.0, |limb| figure.length(limb));
        let feet: Vec<usize> = figure.limbs.of_role(Role::Leg).map(Limb::end).collect();
        let hands: Vec<usize> = figure.limbs.of_role(Role::Arm).map(Limb::end).collect();
        let [up, forward, left] = figure.frame();
        let grabs = figure.limbs.hips.iter().chain(&figure.limbs.chest).chain(&figure.limbs.head).chain(&hands);
        for &joint in grabs {
            let name = &figure.rig.skeleton.joints()[joint].name;
            let help = BodyHelp::OutOfReach;
            let drag = figure.drag(joint, DragOptions { help, ..DragOptions::default() });
            for direction in [-up, left - up * 0.4, forward - up * 0.4, -forward, -left - up, forward + left] {
                for step in 1..=8 {
                    let far = f64::from(step) * 0.075 * leg;
                    let result = drag.to(&(drag.start() + direction.normalize() * far));
                    let world = figure.world(&result.changed);
                    for foot in feet.iter().filter(|foot| **foot != joint) {
                        let moved = (world[*foot].translation - before[*foot].translation).norm() / leg;
                        let says = format!("{}: {name}, {direction:?} at {step}", figure.name);
                        assert!(moved < 1.1e-4, "{says}: a foot moves by {moved} of the leg");
                    }
                    // A crouch of the sample is within the limits of its legs.
                    if figure.name == "sample" && figure.limbs.hips == Some(joint) && direction == -up {
                        figure.check(&result.changed, &format!("hips down by {step}"), &feet);
                    }
                }
            }
        }
    }
}
