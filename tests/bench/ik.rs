//! Inverse kinematics by the clock: `cargo bench --bench ik`.
//!
//! Chain solvers on a chain of ten unit bones and seeded targets: how many arrive, how long a solve takes. Accuracy
//! wanted 1e-3; unreachable targets count as met where the distance left exceeds the least possible one by no more than
//! that. At most 32 iterations. Then drags of a biped of 69 joints with fingers, whole-body drags of it with four pins as the
//! window makes them, and the full-body solver alone with a pulled hand and three pins.

mod seeded;

use inbetween::eval::drag::{BodyHelp, Drag, DragInput, DragOptions, Hands, Hold};
use inbetween::eval::ik::{
    Body, BodyScratch, BodySettings, BodyTarget, Chain, Goal, SOLVERS, Scratch, Settings, solve_body,
};
use inbetween::eval::limbs::{self, Limbs, SkeletonView};
use inbetween::math::{Affine, Quat, Transform, Vec3};
use inbetween::model::{Joint, JointId, JointTree, Rig, Skeleton};
use seeded::Seeded;
use std::sync::Arc;
use std::time::Instant;

impl Seeded {
    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5);
            if (0.001..0.25).contains(&v.norm_squared()) {
                return v / v.norm();
            }
        }
    }
}

fn main() {
    chains();
    drags();
    whole_body_drags();
    full_body();
}

fn chains() {
    const SETS: [(&str, f64, f64, usize); 4] = [
        ("easy", 0.5, 9.5, 1000),
        ("near", 0.01, 0.5, 200),
        ("hard", 9.9, 9.999, 200),
        ("unreachable", 11.0, 15.0, 200),
    ];
    let mut random = Seeded(0x1234_5678_9ABC_DEF1);
    let mut start = vec![Vec3::zeros()];
    for i in 0..10 {
        let heading = Quat::from_scaled_axis(Vec3::new(0.1 * f64::from(i), 0.05, 0.2)) * Vec3::y();
        start.push(start[start.len() - 1] + heading);
    }
    let still = vec![Quat::identity(); start.len()];
    let sets: Vec<_> = SETS
        .iter()
        .map(|(name, low, high, count)| {
            let target = |random: &mut Seeded| random.direction() * (low + (high - low) * random.next());
            (*name, (0..*count).map(|_| target(&mut random)).collect::<Vec<_>>())
        })
        .collect();
    let settings = Settings { tolerance: 1e-4, max_iterations: 32, ..Settings::default() };
    println!("{:22} {:12} {:>8} {:>10} {:>10}", "solver", "targets", "met", "median us", "most it.");
    for spec in SOLVERS {
        for (name, targets) in &sets {
            let mut scratch = Scratch::default();
            let (mut positions, mut rotations) = (start.clone(), still.clone());
            let (mut met, mut most) = (0, 0);
            let mut times = Vec::with_capacity(targets.len());
            for target in targets {
                let mut best = f64::INFINITY;
                let mut report = None;
                for _ in 0..5 {
                    positions.copy_from_slice(&start);
                    rotations.copy_from_slice(&still);
                    let clock = Instant::now();
                    if let Ok(mut chain) = Chain::new(&mut positions, &mut rotations) {
                        report = Some(spec.solver.solve(&mut chain, &Goal::at(*target), &settings, &mut scratch));
                    }
                    best = best.min(clock.elapsed().as_secs_f64() * 1e6);
                }
                times.push(best);
                let least = (target.norm() - 10.0).max(0.0);
                let Some(report) = report else { continue };
                met += usize::from(report.residual - least <= 1e-3);
                most = most.max(report.iterations);
            }
            times.sort_by(f64::total_cmp);
            let share = 100.0 * met as f64 / targets.len() as f64;
            println!("{:22} {name:12} {share:7.1}% {:10.2} {most:10}", spec.id, times[times.len() / 2]);
        }
    }
}

/// A biped in a T pose: parents, names, local transforms.
fn biped() -> (Vec<Option<usize>>, Vec<String>, Vec<Transform>) {
    let mut parents = vec![None];
    let mut names = vec!["Hips".to_owned()];
    let mut locals = vec![Transform::from_translation(Vec3::new(0.0, 1.0, 0.0))];
    let mut chain = |parent: usize, joints: &[(String, [f64; 3])]| {
        let mut at = parent;
        for (name, offset) in joints {
            parents.push(Some(at));
            names.push(name.clone());
            locals.push(Transform::from_translation(Vec3::from(*offset)));
            at = names.len() - 1;
        }
        at
    };
    let named = |list: &[(&str, [f64; 3])], side: &str| -> Vec<(String, [f64; 3])> {
        list.iter().map(|(name, offset)| (format!("{side}{name}"), *offset)).collect()
    };
    let up = |y: f64| [0.0, y, 0.0];
    let chest =
        chain(0, &named(&[("Spine", up(0.1)), ("Spine1", up(0.12)), ("Spine2", up(0.12)), ("Chest", up(0.1))], ""));
    let head = chain(chest, &named(&[("Neck", up(0.15)), ("Neck1", up(0.06)), ("Head", up(0.06))], ""));
    for (part, offset) in
        [("Jaw", [0.0, 0.02, 0.06]), ("LeftEye", [0.03, 0.07, 0.08]), ("RightEye", [-0.03, 0.07, 0.08])]
    {
        chain(head, &named(&[(part, offset)], ""));
    }
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = [("Shoulder", [0.04 * s, 0.1, 0.0]), ("Arm", [0.14 * s, 0.0, 0.0])];
        let fore = [("ForeArm", [0.28 * s, 0.0, -0.02]), ("Hand", [0.26 * s, 0.0, 0.02])];
        let hand = chain(chest, &named(&[arm, fore].concat(), side));
        for (i, finger) in ["Thumb", "Index", "Middle", "Ring", "Pinky"].into_iter().enumerate() {
            let z = 0.04 - 0.02 * i as f64;
            let bones = [
                ("1", [0.09 * s, 0.0, z]),
                ("2", [0.03 * s, 0.0, 0.0]),
                ("3", [0.02 * s, 0.0, 0.0]),
                ("4", [0.01 * s, 0.0, 0.0]),
            ];
            chain(hand, &named(&bones, &format!("{side}Hand{finger}")));
        }
        let leg = [("UpLeg", [0.1 * s, -0.05, 0.0]), ("Leg", [0.0, -0.43, 0.03]), ("Foot", [0.0, -0.43, -0.03])];
        chain(0, &named(&[&leg[..], &[("ToeBase", [0.0, -0.07, 0.14]), ("Toe", [0.0, 0.0, 0.06])]].concat(), side));
    }
    (parents, names, locals)
}

fn drags() {
    let (parents, names, locals) = biped();
    let mut world = Vec::new();
    inbetween::eval::fk::model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut world);
    let rest: Vec<Vec3> = world.iter().map(|m| m.translation).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let tips = vec![false; words.len()];
    let view = SkeletonView { parents: &parents, names: &words, tips: &tips, rest: &rest, posed: &[] };
    let clock = Instant::now();
    let limbs: Limbs = limbs::find(&view);
    println!("\n{} joints; limbs found in {:.0} us", words.len(), clock.elapsed().as_secs_f64() * 1e6);
    println!("{:22} {:>10} {:>10}", "drag", "median us", "p99 us");
    for (name, offset) in [
        ("Hips", [0.05, -0.2, 0.05]),
        ("LeftHand", [-0.2, -0.2, 0.1]),
        ("LeftFoot", [0.1, 0.3, 0.1]),
        ("Head", [0.1, -0.1, 0.1]),
        ("LeftHandIndex4", [-0.01, -0.02, 0.0]),
    ] {
        let Some(joint) = words.iter().position(|n| *n == name) else { continue };
        let options = DragOptions { hands: Hands::Stay, ..DragOptions::default() };
        let (root, pressed) = (Affine::IDENTITY, &locals[..]);
        let input =
            DragInput { tree: JointTree::plain(&parents), limbs: &limbs, rest: pressed, pressed, root, joint, options };
        let Some(drag) = Drag::new(input) else { continue };
        let mut times: Vec<f64> = (0..500)
            .map(|i| {
                let target = drag.start() + Vec3::from(offset) * (f64::from(i) / 499.0);
                let clock = Instant::now();
                std::hint::black_box(drag.to(&target));
                clock.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{name:22} {:10.2} {:10.2}", times[250], times[495]);
    }
}

/// The whole drag as the window does it at every move, with four pins and the limits of roles: from the pose at the press to the changed joints.
fn whole_body_drags() {
    let (parents, names, locals) = biped();
    let mut world = Vec::new();
    inbetween::eval::fk::model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut world);
    let rest: Vec<Vec3> = world.iter().map(|m| m.translation).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let tips = vec![false; words.len()];
    let limbs = limbs::find(&SkeletonView { parents: &parents, names: &words, tips: &tips, rest: &rest, posed: &[] });
    let joint = |(at, local): (usize, &Transform)| {
        let id = |at: usize| JointId(u32::try_from(at).unwrap_or_default());
        Joint::new(id(at), &names[at], parents[at].map(id), local.translation)
    };
    let Ok(skeleton) = Skeleton::new(locals.iter().enumerate().map(joint).collect()) else { return };
    let rig = Rig { skeleton: Arc::new(skeleton), ..Rig::default() };
    let limits = limbs::limits(&rig, &limbs);
    let index = |name: &str| words.iter().position(|n| *n == name);
    println!(
        "\nwhole-body drags, {} joints, pins: both feet, a hand, the head, {} limits; to reach: 1000 us",
        words.len(),
        limits.iter().flatten().count()
    );
    println!("{:30} {:>10} {:>10}", "drag", "median us", "p99 us");
    for (name, offset, balance) in [
        ("Hips", [0.05, -0.2, 0.05], false),
        ("Hips", [0.25, -0.2, 0.05], true),
        ("LeftHand", [0.2, 0.1, 0.4], false),
        ("LeftHand", [0.2, 0.1, 0.4], true),
        ("Chest", [0.1, -0.1, 0.2], false),
    ] {
        let Some(joint) = index(name) else { continue };
        let held = ["LeftFoot", "RightFoot", "RightHand", "Head"].into_iter().filter_map(index);
        let holds: Vec<Hold> = held.map(|joint| Hold { joint, place: Some(rest[joint]) }).collect();
        let (root, pressed) = (Affine::IDENTITY, &locals[..]);
        let help = BodyHelp::OutOfReach;
        let options = DragOptions { help, balance, ground: Some(0.0), ..DragOptions::default() };
        let input =
            DragInput { tree: JointTree::plain(&parents), limbs: &limbs, rest: pressed, pressed, root, joint, options };
        let mut times: Vec<f64> = (0..500)
            .map(|i| {
                let target = rest[joint] + Vec3::from(offset) * (f64::from(i) / 499.0);
                let clock = Instant::now();
                std::hint::black_box(Drag::holding(input, &holds).map(|drag| drag.with_limits(&limits).to(&target)));
                clock.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let what = if balance { format!("{name}, in balance") } else { name.to_owned() };
        println!("{what:30} {:10.1} {:10.1}", times[250], times[495]);
    }
}

fn full_body() {
    let (parents, names, locals) = biped();
    let mut world = Vec::new();
    inbetween::eval::fk::model_from_locals(JointTree::plain(&parents), &locals, &Affine::IDENTITY, &mut world);
    let places: Vec<Vec3> = world.iter().map(|m| m.translation).collect();
    let turns = vec![Quat::identity(); places.len()];
    let joint = |name: &str| names.iter().position(|n| n == name);
    let pins: Vec<BodyTarget> = ["RightHand", "LeftFoot", "RightFoot"]
        .into_iter()
        .filter_map(joint)
        .map(|joint| {
            let (position, orientation) = (Some((places[joint], 25.0)), Some((turns[joint], 25.0)));
            BodyTarget { joint, position, orientation }
        })
        .collect();
    let Some(hand) = joint("LeftHand") else { return };
    let settings = BodySettings { moving: Some((0, 0.3)), tolerance: 1e-4, ..BodySettings::default() };
    let (mut scratch, mut residuals) = (BodyScratch::default(), Vec::new());
    let (mut positions, mut rotations) = (places.clone(), turns.clone());
    let mut most = 0;
    let mut times: Vec<f64> = (0..500)
        .map(|i| {
            let target = places[hand] + Vec3::new(-0.2, 0.3, 0.4) * (f64::from(i) / 499.0);
            let wish = BodyTarget { joint: hand, position: Some((target, 1.0)), orientation: None };
            let targets: Vec<BodyTarget> = pins.iter().copied().chain([wish]).collect();
            positions.copy_from_slice(&places);
            rotations.copy_from_slice(&turns);
            let clock = Instant::now();
            let mut body = Body { parents: &parents, positions: &mut positions, rotations: &mut rotations };
            let report = solve_body(&mut body, &targets, &settings, &mut scratch, &mut residuals);
            most = most.max(report.iterations);
            clock.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "\nfull body, {} joints, 4 targets: median {:.1} us, p99 {:.1} us, most steps {most}",
        names.len(),
        times[250],
        times[495]
    );
}
