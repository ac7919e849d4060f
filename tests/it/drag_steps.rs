//! Small steps of the pointer make small steps of the body, under the limits of its roles: hands, feet, elbows, knees, hips,
//! chest and head led out of their place, through straight limbs, against limits and beyond reach.
//!
//! The bound: a limb whose end is no nearer to its root than 0.3 of its length turns by at most `1 / 0.3` of the step over
//! the length, so its fingers or toes, at 1.2 lengths, move by four steps; a trunk a quarter as long as the arms reach moves
//! the hands by as much again, and the softened full stretch lets a middle joint go twice as fast. Twelve steps hold them all.

use crate::support::figures::{Figure, figures};
use inbetween::{
    eval::{
        drag::{BodyHelp, DragOptions},
        limbs::{Role, Side},
    },
    math::{Affine, Vec3, rotation::from_axis_angle},
};

/// The most steps of the pointer that any joint moves in one.
const MOST: f64 = 12.0;
/// From so many on a step is looked into.
const SUSPICIOUS: f64 = 4.0;

/// How far the joint moves that moves farthest, and which.
fn farthest(a: &[Affine], b: &[Affine]) -> (f64, usize) {
    let moved = |joint: usize| ((a[joint].translation - b[joint].translation).norm(), joint);
    (0..a.len()).map(moved).fold((0.0, 0), |most, next| if next.0 > most.0 { next } else { most })
}

/// Whether a target is where a limb has no direction: at its own root, or for a middle joint on the line of its limb.
fn is_singular(figure: &Figure, before: &[Affine], joint: usize, target: &Vec3) -> bool {
    figure.arms_and_legs().any(|limb| {
        let [root, end] = [limb.root(), limb.end()].map(|joint| before[joint].translation);
        let from_root = target - root;
        let line = (end - root).normalize();
        let from_line = from_root - line * from_root.dot(&line);
        let size = figure.length(limb);
        (limb.end() == joint && from_root.norm() < 0.3 * size)
            || (limb.middle == Some(joint) && from_line.norm() < 0.15 * size)
    })
}

/// Whether a pose folds an arm or a leg nearer than the bound holds for.
fn is_folded(figure: &Figure, world: &[Affine]) -> bool {
    figure.arms_and_legs().any(|limb| {
        let [root, end] = [limb.root(), limb.end()].map(|joint| world[joint].translation);
        (end - root).norm() < 0.3 * figure.length(limb)
    })
}

#[test]
fn small_steps_of_the_pointer_are_small_steps_of_the_body() {
    // One with bent limbs, one with straight ones.
    for figure in figures(false).into_iter().step_by(2) {
        if ["sample", "akjava_tpose.bvh"].contains(&figure.name.as_str()) {
            let trunk = figure.limbs.head.iter().chain(&figure.limbs.chest).copied().collect();
            check(&figure, &Grabs { ends: true, middles: true, trunk, helps: &BOTH });
        }
    }
}

#[test]
fn corpus_limbs_and_hips_follow_small_steps_by_small_steps() {
    for mut figure in figures(false).into_iter().step_by(2) {
        figure.limits.clear();
        check(&figure, &Grabs { ends: true, middles: true, trunk: Vec::new(), helps: &BOTH });
    }
}

#[test]
fn corpus_hands_feet_and_hips_follow_small_steps_under_limits() {
    for figure in figures(false).into_iter().step_by(2) {
        check(&figure, &Grabs { ends: true, middles: false, trunk: Vec::new(), helps: &BOTH });
    }
}

#[test]
fn corpus_trunks_follow_small_steps_under_limits() {
    for figure in figures(false).into_iter().step_by(2) {
        let trunk = figure.limbs.head.iter().chain(&figure.limbs.chest).copied().collect();
        check(&figure, &Grabs { ends: false, middles: false, trunk, helps: &BOTH });
    }
}

#[test]
fn corpus_elbows_and_knees_follow_small_steps_under_limits() {
    for figure in figures(false).into_iter().step_by(2) {
        check(&figure, &Grabs { ends: false, middles: true, trunk: Vec::new(), helps: &[BodyHelp::Never] });
    }
}

#[test]
fn corpus_elbows_and_knees_stay_behind_sooner_than_the_end_moves() {
    for figure in figures(false).into_iter().step_by(2) {
        let before = figure.world(&[]);
        for limb in figure.arms_and_legs().filter(|limb| figure.bends(limb, 0.03)) {
            let (joint, end) = (limb.middle.unwrap(), limb.end());
            let drag = figure.drag(joint, DragOptions::default());
            let [from, to] = [limb.root(), end].map(|joint| before[joint].translation);
            let line = (to - from).normalize();
            let arm = before[joint].translation - from;
            let name = &figure.rig.skeleton.joints()[joint].name;
            for degrees in (-180..=180).step_by(10) {
                let round = from_axis_angle(&line, f64::from(degrees).to_radians());
                let changed = drag.to(&(from + round * arm)).changed;
                let moved = (figure.world(&changed)[end].translation - before[end].translation).norm();
                let what = format!("{}: {name} by {degrees} degrees", figure.name);
                assert!(moved < 1e-6 * figure.length(limb), "{what}: the end moves by {moved}");
                figure.check(&changed, &what, &[]);
            }
        }
    }
}

/// What is dragged, and how.
struct Grabs<'a> {
    /// Whether the ends of arms and legs and the hips are dragged.
    ends: bool,
    /// Whether elbows and knees are.
    middles: bool,
    /// Joints of the trunk.
    trunk: Vec<usize>,
    /// When the body helps.
    helps: &'a [BodyHelp],
}

const BOTH: [BodyHelp; 2] = [BodyHelp::Never, BodyHelp::OutOfReach];

/// Drags along six ways each.
fn check(figure: &Figure, grabbed: &Grabs<'_>) {
    let leg = figure.length(figure.limbs.limb(Role::Leg, Side::Left).unwrap());
    let [up, forward, left] = figure.frame();
    let before = figure.world(&[]);
    let mut grabs: Vec<(usize, f64)> = Vec::new();
    for limb in figure.arms_and_legs() {
        let (end, middle) = (Some(limb.end()).filter(|_| grabbed.ends), limb.middle.filter(|_| grabbed.middles));
        grabs.extend([end, middle].into_iter().flatten().map(|joint| (joint, figure.length(limb))));
    }
    let hips = figure.limbs.hips.filter(|_| grabbed.ends);
    grabs.extend(grabbed.trunk.iter().chain(&hips).map(|joint| (*joint, 0.7 * leg)));
    // Two centimetres for a leg of 86.
    let step = 0.02 * leg / 0.86;
    for (joint, size) in grabs {
        for help in grabbed.helps.iter().copied() {
            let drag = figure.drag(joint, DragOptions { help, ..DragOptions::default() });
            for way in [up, -up, forward, -forward, left, (left * 0.5 + forward * 0.7 - up * 0.4).normalize()] {
                let target = |far: f64| drag.start() + way * far;
                let pose = |far: f64| figure.world(&drag.to(&target(far)).changed);
                let mut last = before.clone();
                let mut far = 0.0;
                while far < 0.9 * size {
                    let next = pose(far + step);
                    let singular =
                        [far, far + step].iter().any(|far| is_singular(figure, &before, joint, &target(*far)))
                            || [&last, &next].iter().any(|pose| is_folded(figure, pose));
                    if farthest(&last, &next).0 > SUSPICIOUS * step && !singular {
                        let (speed, which) = fastest(&pose, (far, last.clone()), (far + step, next.clone()));
                        let [name, other] = [joint, which].map(|j| &figure.rig.skeleton.joints()[j].name);
                        let what = format!("{}: {name} along {way:?}, {help:?}, from {far}", figure.name);
                        assert!(speed < MOST, "{what}: {other} moves by {speed} steps");
                    }
                    (last, far) = (next, far + step);
                }
            }
        }
    }
}

/// The speed of the joint that moves fastest in a step, found by halving it towards where most happens, down to a hundredth
/// of a step: what jumps is ever faster there.
fn fastest(
    pose: &dyn Fn(f64) -> Vec<Affine>,
    (mut from, mut before): (f64, Vec<Affine>),
    (mut to, mut after): (f64, Vec<Affine>),
) -> (f64, usize) {
    let whole = to - from;
    while to - from > 0.01 * whole {
        let middle = 0.5 * (from + to);
        let between = pose(middle);
        if farthest(&before, &between).0 > farthest(&between, &after).0 {
            (to, after) = (middle, between);
        } else {
            (from, before) = (middle, between);
        }
    }
    let (moved, which) = farthest(&before, &after);
    (moved / (to - from), which)
}
