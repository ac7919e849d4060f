//! The body as a whole: help, holds, balance, the ground.

use super::*;
use crate::eval::drag::{BodyHelp, Feet, Hold};

/// Dragged out of the arm's reach step by step.
fn options(help: BodyHelp) -> DragOptions {
    DragOptions { help, ground: Some(0.0), ..DragOptions::default() }
}

fn stays(biped: &Biped, before: &[Affine], after: &[Affine], joints: &[&str]) {
    for joint in joints.iter().map(|name| biped.named(name)) {
        let moved = (after[joint].translation - before[joint].translation).norm();
        let turned = (after[joint].linear - before[joint].linear).norm();
        assert!(moved < 1e-4 && turned < 1e-4, "{}: moved {moved}, turned {turned}", biped.names[joint]);
    }
}

#[test]
fn out_of_the_arms_reach_the_body_brings_the_hand_there_and_feet_stay() {
    let biped = Biped::new();
    for pressed in [biped.standing(), biped.rest.clone()] {
        let before = biped.world(&pressed, &[]);
        for hand in ["LeftHand", "RightHand"] {
            let side = if hand == "LeftHand" { 1.0 } else { -1.0 };
            for direction in
                [[0.9 * side, 0.1, 0.4], [0.2 * side, 0.0, 1.0], [0.5 * side, 0.8, 0.3], [0.6 * side, -0.7, 0.5]]
            {
                let drag = biped.drag(&pressed, hand, options(BodyHelp::OutOfReach));
                let (root, reach) = drag.reach().unwrap();
                let direction = Vec3::from(direction).normalize();
                // Upwards there is only what legs and spine are bent by.
                let most = if direction.y > 0.5 { 1.1 } else { 1.3 };
                for far in [1.02, 1.1, most] {
                    let result = drag.to(&(root + direction * (reach * far)));
                    let after = biped.world(&pressed, &result.changed);
                    assert!(result.gap < 1e-4, "{hand} {direction:?} {far}: gap {}", result.gap);
                    stays(&biped, &before, &after, &["LeftFoot", "RightFoot", "LeftToeBase"]);
                }
            }
        }
    }
}

#[test]
fn help_begins_without_a_jump_and_well_within_reach_the_arm_is_alone() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let alone = biped.drag(&pressed, "LeftHand", DragOptions::default());
    let helped = biped.drag(&pressed, "LeftHand", options(BodyHelp::OutOfReach));
    let near = alone.start() + Vec3::new(0.05, 0.1, 0.1);
    assert_eq!(alone.to(&near).changed, helped.to(&near).changed);
    for help in [BodyHelp::OutOfReach, BodyHelp::AtOnce] {
        let drag = biped.drag(&pressed, "LeftHand", options(help));
        for direction in [Vec3::new(0.8, 0.6, 0.0), Vec3::new(0.3, 0.3, 0.9), Vec3::new(0.7, -0.7, 0.1), -Vec3::x()] {
            let mut last = biped.world(&pressed, &[]);
            for step in 1..=400 {
                let target = drag.start() + direction * (f64::from(step) * 3e-3);
                let world = biped.world(&pressed, &drag.to(&target).changed);
                let jumps = world.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm());
                let (joint, jump) = jumps.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
                assert!(jump < 0.03, "{help:?} along {direction:?}: {} jumped {jump} at {step}", biped.names[joint]);
                last = world;
            }
        }
    }
}

#[test]
fn hips_stop_where_the_legs_end_and_feet_stay() {
    let biped = Biped::new();
    for pressed in [biped.standing(), biped.rest.clone()] {
        let before = biped.world(&pressed, &[]);
        let drag = biped.drag(&pressed, "Hips", options(BodyHelp::OutOfReach));
        for direction in [Vec3::y(), Vec3::x(), Vec3::z(), Vec3::new(-0.6, 0.8, 0.0), -Vec3::y()] {
            let mut last = before.clone();
            for step in 1..=120 {
                let result = drag.to(&(drag.start() + direction * (f64::from(step) * 5e-3)));
                let after = biped.world(&pressed, &result.changed);
                if direction.y > -0.5 || step < 60 {
                    stays(&biped, &before, &after, &["LeftFoot", "RightFoot", "RightToeBase"]);
                }
                let hips = (after[0].translation - last[0].translation).norm();
                assert!(hips <= 5.001e-3, "the hips go no farther than the pointer");
                last = after;
            }
        }
        let free = DragOptions { feet: Feet::Follow, ..DragOptions::default() };
        let up = biped.drag(&pressed, "Hips", free);
        let result = up.to(&(up.start() + Vec3::y()));
        assert!(result.gap < 1e-9, "feet that are not held go along");
    }
}

#[test]
fn what_the_user_holds_stays() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    let holds =
        [Hold { joint: biped.named("RightHand"), place: None }, Hold { joint: biped.named("Head"), place: None }];
    for (joint, by) in [("Hips", [0.04, -0.08, 0.05]), ("Chest", [0.03, -0.02, 0.03]), ("LeftHand", [0.5, 0.2, 0.2])] {
        let input = DragInput {
            tree: JointTree::plain(&biped.parents),
            limbs: &biped.limbs,
            rest: &biped.rest,
            pressed: &pressed,
            root: Affine::IDENTITY,
            joint: biped.named(joint),
            options: options(BodyHelp::OutOfReach),
        };
        let drag = Drag::holding(input, &holds).unwrap();
        let result = drag.to(&(drag.start() + Vec3::from(by)));
        let after = biped.world(&pressed, &result.changed);
        stays(&biped, &before, &after, &["RightHand", "LeftFoot", "RightFoot"]);
        if joint == "Hips" {
            stays(&biped, &before, &after, &["Head"]);
        }
    }
}

#[test]
fn feet_do_not_go_below_the_ground() {
    let biped = Biped::new();
    let mut pressed = biped.standing();
    // The soles on the ground.
    let before = biped.world(&pressed, &[]);
    let toe = before[biped.named("LeftToeBase") + 1].translation.y;
    pressed[0].translation.y -= toe;
    let lowest = |world: &[Affine]| {
        ["LeftToeBase", "LeftFoot"]
            .map(|n| biped.named(n))
            .map(|j| world[j].translation.y)
            .into_iter()
            .fold(9.0, f64::min)
    };
    for ground in [Some(0.0), None] {
        let kept = ground.is_some();
        let drag = biped.drag(&pressed, "LeftFoot", DragOptions { ground, ..options(BodyHelp::Never) });
        let mut last = biped.world(&pressed, &[]);
        for step in 1..=100 {
            let down = Vec3::new(0.0, -2e-3, 2e-3) * f64::from(step);
            let after = biped.world(&pressed, &drag.to(&(drag.start() + down)).changed);
            assert!(!kept || lowest(&after) > -1e-9, "{}", lowest(&after));
            let jump = after.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm()).fold(0.0, f64::max);
            assert!(jump < 0.02, "{jump}");
            last = after;
        }
        let free = DragOptions { ground, feet: Feet::Follow, ..options(BodyHelp::Never) };
        let hips = biped.drag(&pressed, "Hips", free);
        let after = biped.world(&pressed, &hips.to(&(hips.start() - Vec3::y() * 0.2)).changed);
        assert_eq!(lowest(&after) > -1e-9, kept, "{}", lowest(&after));
    }
}

#[test]
fn balance_keeps_the_centre_of_mass_over_the_feet() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    for (joint, direction) in [
        ("LeftHand", Vec3::new(0.4, 0.0, 0.9)),
        ("Hips", Vec3::new(1.0, -0.1, 0.0)),
        ("Chest", Vec3::new(0.0, -0.3, 0.9)),
    ] {
        let swaying = DragOptions { balance: true, ..options(BodyHelp::OutOfReach) };
        let drag = biped.drag(&pressed, joint, swaying);
        let plain = biped.drag(&pressed, joint, options(BodyHelp::OutOfReach));
        let mut last = before.clone();
        let mut fell = false;
        for step in 1..=100 {
            let target = drag.start() + direction * (f64::from(step) * 8e-3);
            let result = drag.to(&target);
            fell |= !plain.to(&target).balance.unwrap().stands;
            let balance = result.balance.clone().unwrap();
            assert!(balance.stands, "{joint} at {step}: {balance:?}");
            let after = biped.world(&pressed, &result.changed);
            stays(&biped, &before, &after, &["LeftFoot", "RightFoot"]);
            let jump = after.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm()).fold(0.0, f64::max);
            assert!(jump < 0.08, "{joint} at {step}: {jump}");
            last = after;
        }
        assert!(fell || joint == "Chest", "without balance it falls: {joint}");
    }
}
