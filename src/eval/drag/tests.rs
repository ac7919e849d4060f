//! Probes of what an animator would notice at once: flips, pops, drift, things that should have stayed.

use super::*;
use crate::eval::fk;
use crate::eval::ik::{SoftReach, SolveStatus};
use crate::eval::limbs::{self, SkeletonView};
use crate::math::Quat;
use crate::math::rotation::from_axis_angle;

/// A biped of 1.8 m with fingers, toes and a tail, in a T pose.
struct Biped {
    parents: Vec<Option<usize>>,
    names: Vec<String>,
    rest: Vec<Transform>,
    limbs: Limbs,
}

impl Biped {
    fn new() -> Self {
        let mut b = Self { parents: Vec::new(), names: Vec::new(), rest: Vec::new(), limbs: Limbs::default() };
        let hips = b.joint("Hips", None, [0.0, 1.0, 0.0]);
        let spine =
            b.chain(hips, &[("Spine", [0.0, 0.1, 0.0]), ("Spine1", [0.0, 0.15, 0.01]), ("Chest", [0.0, 0.15, -0.01])]);
        let neck = b.chain(spine, &[("Neck", [0.0, 0.2, 0.0]), ("Head", [0.0, 0.1, 0.01])]);
        b.chain(neck, &[("", [0.0, 0.2, 0.0])]);
        for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
            let arm = [
                ("Shoulder", [0.04 * s, 0.15, 0.0]),
                ("Arm", [0.14 * s, 0.0, 0.0]),
                ("ForeArm", [0.28 * s, 0.0, 0.0]),
                ("Hand", [0.26 * s, 0.0, 0.0]),
            ];
            let hand = b.side_chain(side, spine, &arm);
            for (finger, z) in [("Index", 0.03), ("Middle", 0.01), ("Pinky", -0.03)] {
                let joints = [("1", [0.09 * s, 0.0, z]), ("2", [0.03 * s, 0.0, 0.0]), ("3", [0.02 * s, 0.0, 0.0])];
                b.side_chain(&format!("{side}Hand{finger}"), hand, &joints);
            }
            let leg = [
                ("UpLeg", [0.1 * s, -0.05, 0.0]),
                ("Leg", [0.0, -0.43, 0.01]),
                ("Foot", [0.0, -0.43, -0.01]),
                ("ToeBase", [0.0, -0.07, 0.14]),
                ("", [0.0, 0.0, 0.06]),
            ];
            b.side_chain(side, hips, &leg);
        }
        b.chain(
            hips,
            &[
                ("Tail1", [0.0, 0.05, -0.1]),
                ("Tail2", [0.0, 0.0, -0.2]),
                ("Tail3", [0.0, 0.0, -0.2]),
                ("Tail4", [0.0, 0.0, -0.2]),
            ],
        );
        let mut rest = Vec::new();
        fk::model_from_locals(JointTree::plain(&b.parents), &b.rest, &Affine::IDENTITY, &mut rest);
        let rest: Vec<Vec3> = rest.iter().map(|m| m.translation).collect();
        let names: Vec<&str> = b.names.iter().map(String::as_str).collect();
        let tips: Vec<bool> = b.names.iter().map(String::is_empty).collect();
        b.limbs =
            limbs::find(&SkeletonView { parents: &b.parents, names: &names, tips: &tips, rest: &rest, posed: &[] });
        b
    }

    fn joint(&mut self, name: &str, parent: Option<usize>, offset: [f64; 3]) -> usize {
        self.parents.push(parent);
        self.names.push(name.to_owned());
        self.rest.push(Transform::from_translation(Vec3::from(offset)));
        self.rest.len() - 1
    }

    fn chain(&mut self, parent: usize, joints: &[(&str, [f64; 3])]) -> usize {
        joints.iter().fold(parent, |at, (name, offset)| self.joint(name, Some(at), *offset))
    }

    fn side_chain(&mut self, side: &str, parent: usize, joints: &[(&str, [f64; 3])]) -> usize {
        joints.iter().fold(parent, |at, (name, offset)| {
            let name = if name.is_empty() { String::new() } else { format!("{side}{name}") };
            self.joint(&name, Some(at), *offset)
        })
    }

    fn named(&self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no joint {name}"))
    }

    /// A standing pose with bent elbows and knees, turned in the world by nothing.
    fn standing(&self) -> Vec<Transform> {
        let mut pose = self.rest.clone();
        let mut turn = |name: &str, axis: [f64; 3], angle: f64| {
            pose[self.named(name)].rotation = from_axis_angle(&Vec3::from(axis), angle);
        };
        for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
            turn(&format!("{side}Arm"), [0.0, 0.0, -s], 1.1);
            turn(&format!("{side}ForeArm"), [0.0, -s, 0.0], 0.7);
            turn(&format!("{side}UpLeg"), [-1.0, 0.0, 0.0], 0.3);
            turn(&format!("{side}Leg"), [1.0, 0.0, 0.0], 0.6);
            turn(&format!("{side}Foot"), [-1.0, 0.0, 0.0], 0.3);
        }
        pose
    }

    fn drag<'a>(&'a self, pressed: &'a [Transform], joint: &str, options: DragOptions) -> Drag<'a> {
        let joint = self.named(joint);
        let root = Affine::IDENTITY;
        let input = DragInput {
            tree: JointTree::plain(&self.parents),
            limbs: &self.limbs,
            rest: &self.rest,
            pressed,
            root,
            joint,
            options,
        };
        Drag::new(input).unwrap()
    }

    fn world(&self, pressed: &[Transform], changed: &[(usize, Transform)]) -> Vec<Affine> {
        let mut locals = pressed.to_vec();
        changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
        let mut world = Vec::new();
        fk::model_from_locals(JointTree::plain(&self.parents), &locals, &Affine::IDENTITY, &mut world);
        world
    }
}

mod body;

fn angle_at(world: &[Affine], [a, b, c]: [usize; 3]) -> f64 {
    let (u, v) = (world[a].translation - world[b].translation, world[c].translation - world[b].translation);
    u.cross(&v).norm().atan2(u.dot(&v)).to_degrees()
}

const GRABS: [(&str, DragKind); 16] = [
    ("LeftHand", DragKind::Limb),
    ("RightFoot", DragKind::Limb),
    ("LeftForeArm", DragKind::Swing),
    ("RightLeg", DragKind::Swing),
    ("Hips", DragKind::Body),
    ("LeftUpLeg", DragKind::Body),
    ("Spine1", DragKind::Trunk),
    ("Chest", DragKind::Trunk),
    ("Head", DragKind::Trunk),
    ("LeftHandIndex3", DragKind::Chain),
    ("LeftHandIndex1", DragKind::Chain),
    ("RightToeBase", DragKind::Chain),
    ("Tail4", DragKind::Chain),
    ("LeftArm", DragKind::Chain),
    ("LeftShoulder", DragKind::Trunk),
    ("Tail1", DragKind::Body),
];

#[test]
fn every_part_of_a_body_is_dragged_as_what_it_is() {
    let biped = Biped::new();
    for pressed in [biped.standing(), biped.rest.clone()] {
        for (joint, kind) in GRABS {
            assert_eq!(biped.drag(&pressed, joint, DragOptions::default()).kind(), kind, "{joint}");
        }
    }
}

#[test]
fn a_ball_is_dragged_by_turning_the_foot_whose_ankle_stays() {
    let biped = Biped::new();
    let pressed = biped.standing();
    for feet in [Feet::Stay, Feet::Follow] {
        let drag = biped.drag(&pressed, "LeftToeBase", DragOptions { feet, ground: None, ..DragOptions::default() });
        let ankle = biped.named("LeftFoot");
        let before = biped.world(&pressed, &[]);
        // About the ankle, upwards.
        let arm = drag.start() - before[ankle].translation;
        let target = before[ankle].translation + from_axis_angle(&Vec3::x(), -0.3) * arm;
        let result = drag.to(&target);
        let after = biped.world(&pressed, &result.changed);
        assert!(result.gap < 1e-6, "{feet:?}: {}", result.gap);
        assert!((after[ankle].translation - before[ankle].translation).norm() < 1e-9);
        let other = biped.named("RightFoot");
        assert!((after[other].linear - before[other].linear).norm() < 1e-9);
    }
}

#[test]
fn a_grabbed_joint_that_is_not_moved_changes_nothing() {
    let biped = Biped::new();
    for pressed in [biped.standing(), biped.rest.clone()] {
        for joint in 0..biped.parents.len() {
            for hands in [Hands::Follow, Hands::Stay] {
                let options = DragOptions { hands, ..DragOptions::default() };
                let root = Affine::IDENTITY;
                let (tree, limbs, rest) = (JointTree::plain(&biped.parents), &biped.limbs, &biped.rest[..]);
                let input = DragInput { tree, limbs, rest, pressed: &pressed, root, joint, options };
                let drag = Drag::new(input).unwrap();
                let there = drag.to(&drag.start());
                let before = biped.world(&pressed, &[]);
                let after = biped.world(&pressed, &there.changed);
                for (a, b) in before.iter().zip(&after) {
                    let drift = (a.translation - b.translation).norm() + (a.linear - b.linear).norm();
                    assert!(drift < 1e-6, "{}: drift {drift}", biped.names[joint]);
                }
                assert!(there.gap < 1e-6, "{}: {there:?}", biped.names[joint]);
            }
        }
    }
}

#[test]
fn hands_feet_and_hips_come_to_the_target() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let cases = [
        ("LeftHand", [-0.1, 0.1, 0.1]),
        ("RightHand", [0.1, 0.3, 0.2]),
        ("LeftFoot", [0.1, 0.3, 0.2]),
        ("RightFoot", [0.0, 0.1, -0.2]),
        ("Hips", [0.05, -0.1, 0.05]),
        ("Chest", [0.05, -0.05, 0.08]),
        ("Head", [0.05, -0.04, 0.15]),
        ("Tail4", [0.2, -0.1, 0.05]),
        ("LeftHandIndex3", [-0.01, 0.02, 0.0]),
    ];
    for (joint, offset) in cases {
        // A trunk stands within the soft zone of its reach.
        let drag = biped.drag(&pressed, joint, DragOptions { soft: SoftReach::OFF, ..DragOptions::default() });
        let result = drag.to(&(drag.start() + Vec3::from(offset)));
        assert!(result.gap < 1e-4 && result.report.reached(), "{joint}: {result:?}");
        let moved = biped.world(&pressed, &result.changed)[biped.named(joint)].translation;
        assert!((moved - drag.start() - Vec3::from(offset)).norm() < 1e-4, "{joint}");
    }
}

#[test]
fn feet_stay_when_the_hips_are_dragged_and_hands_if_asked() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    for (hands, held) in [
        (Hands::Follow, &["LeftFoot", "RightFoot", "LeftToeBase"][..]),
        (Hands::Stay, &["LeftFoot", "RightFoot", "LeftHand", "RightHand", "LeftHandIndex3"][..]),
    ] {
        let drag = biped.drag(&pressed, "Hips", DragOptions { hands, ..DragOptions::default() });
        let result = drag.to(&(drag.start() + Vec3::new(0.06, -0.15, 0.04)));
        let after = biped.world(&pressed, &result.changed);
        assert!(result.report.reached(), "{result:?}");
        for joint in held.iter().map(|n| biped.named(n)) {
            assert!((after[joint].translation - before[joint].translation).norm() < 1e-9, "{}", biped.names[joint]);
            assert!((after[joint].linear - before[joint].linear).norm() < 1e-9, "{}", biped.names[joint]);
        }
    }
}

#[test]
fn a_dragged_foot_keeps_its_world_rotation_and_a_hand_its_own() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    let (foot, hand) = (biped.named("LeftFoot"), biped.named("LeftHand"));
    let drag = biped.drag(&pressed, "LeftFoot", DragOptions::default());
    let result = drag.to(&(drag.start() + Vec3::new(0.1, 0.25, 0.1)));
    let after = biped.world(&pressed, &result.changed);
    assert!((after[foot].linear - before[foot].linear).norm() < 1e-9);
    let drag = biped.drag(&pressed, "LeftHand", DragOptions::default());
    let result = drag.to(&(drag.start() + Vec3::new(0.1, 0.25, 0.1)));
    assert!(result.changed.iter().all(|(joint, _)| *joint != hand), "local: the hand itself is not turned");
    let options = DragOptions { orientation: Orientation::World, ..DragOptions::default() };
    let drag = biped.drag(&pressed, "LeftHand", options);
    let after = biped.world(&pressed, &drag.to(&(drag.start() + Vec3::new(0.1, 0.25, 0.1))).changed);
    assert!((after[hand].linear - before[hand].linear).norm() < 1e-9);
}

#[test]
fn a_foot_dragged_through_the_line_from_hip_to_pole_never_flips_its_knee() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let [hip, knee, foot] = ["LeftUpLeg", "LeftLeg", "LeftFoot"].map(|n| biped.named(n));
    let hip_at = biped.world(&pressed, &[])[hip].translation;
    for pole in [None, Some(hip_at + Vec3::new(0.0, -0.3, 1.5)), Some(hip_at + Vec3::new(0.0, 0.0, 1.0))] {
        let drag = biped.drag(&pressed, "LeftFoot", DragOptions { pole, ..DragOptions::default() });
        // Across the line from every side, a little above, on and below it, and at several distances.
        for distance in [0.3, 0.5, 0.7] {
            for (along, aside) in
                [(Vec3::y(), 0.0), (Vec3::y(), 0.01), (Vec3::x(), 0.0), (Vec3::new(0.7, 0.7, 0.0), 0.003)]
            {
                let line = pole.map_or(Vec3::z(), |p| (p - hip_at) / (p - hip_at).norm());
                let sideways = line.cross(&along);
                let mut last: Option<Vec<Affine>> = None;
                for step in -40..=40 {
                    let target = hip_at + line * distance + along * (f64::from(step) * 0.01) + sideways * aside;
                    let world = biped.world(&pressed, &drag.to(&target).changed);
                    if let Some(last) = &last {
                        // The turn of the knee about the line from hip to foot, and its bend.
                        let plane = |w: &[Affine]| {
                            let axis = (w[foot].translation - w[hip].translation).normalize();
                            let side = w[knee].translation - w[hip].translation;
                            (side - axis * side.dot(&axis)).normalize()
                        };
                        let turn = plane(&world).angle(&plane(last)).to_degrees();
                        let bend = (angle_at(&world, [hip, knee, foot]) - angle_at(last, [hip, knee, foot])).abs();
                        assert!(turn < 15.0 && bend < 15.0, "pole {pole:?} at {distance}, step {step}: {turn} {bend}");
                    }
                    last = Some(world);
                }
            }
        }
    }
}

#[test]
fn a_hand_past_full_stretch_and_back_moves_its_elbow_at_a_bounded_speed() {
    let biped = Biped::new();
    for pressed in [biped.standing(), biped.rest.clone()] {
        let start = biped.world(&pressed, &[]);
        let [shoulder, elbow, hand] = ["LeftArm", "LeftForeArm", "LeftHand"].map(|n| biped.named(n));
        let away = (start[hand].translation - start[shoulder].translation).normalize();
        let drag = biped.drag(&pressed, "LeftHand", DragOptions::default());
        let mut last = start.clone();
        let mut out_and_back: Vec<f64> = (0..400).map(|i| f64::from(i) * 1e-3 - 0.1).collect();
        out_and_back.extend((0..400).rev().map(|i| f64::from(i) * 1e-3 - 0.1));
        for (i, step) in out_and_back.into_iter().enumerate() {
            let world = biped.world(&pressed, &drag.to(&(start[hand].translation + away * step)).changed);
            let moved = (world[elbow].translation - last[elbow].translation).norm();
            // The first step is from the press to 10 cm inside.
            assert!(i == 0 || moved < 6e-3, "the elbow moved {moved} for a millimetre of the hand, at {step}");
            last = world;
        }
    }
}

#[test]
fn a_straight_limb_bends_as_the_body_does() {
    let biped = Biped::new();
    let mut pressed = biped.rest.clone();
    // Standing on straight legs, exactly, whatever way the hips face.
    for side in ["Left", "Right"] {
        pressed[biped.named(&format!("{side}Leg"))].translation.z = 0.0;
        pressed[biped.named(&format!("{side}Foot"))].translation.z = 0.0;
    }
    let rest = pressed.clone();
    for facing in [0.0, 1.0, 2.5, -2.0] {
        pressed[0].rotation = from_axis_angle(&Vec3::y(), facing);
        let forward = pressed[0].rotation * Vec3::z();
        let input = |joint: &str, pressed: &'static [Transform], rest: &'static [Transform]| {
            let joint = biped.named(joint);
            let (root, options) = (Affine::IDENTITY, DragOptions::default());
            Drag::new(DragInput {
                tree: JointTree::plain(&biped.parents),
                limbs: &biped.limbs,
                rest,
                pressed,
                root,
                joint,
                options,
            })
            .map(|drag| {
                let inward = Vec3::y().cross(&forward) * -0.1;
                drag.to(&(drag.start() + if drag.kind() == DragKind::Body { Vec3::y() * -0.1 } else { inward }))
            })
            .unwrap()
        };
        let (held, at_rest): (&'static [Transform], &'static [Transform]) =
            (pressed.clone().leak(), rest.clone().leak());
        let before = biped.world(&pressed, &[]);
        let squat = biped.world(&pressed, &input("Hips", held, at_rest).changed);
        for knee in ["LeftLeg", "RightLeg"].map(|n| biped.named(n)) {
            let out = (squat[knee].translation - before[knee].translation).dot(&forward);
            assert!(out > 0.05, "facing {facing}: the knee moved {out} forward");
        }
        let reach = biped.world(&pressed, &input("LeftHand", held, at_rest).changed);
        let elbow = biped.named("LeftForeArm");
        let chord = reach[biped.named("LeftHand")].translation - reach[biped.named("LeftArm")].translation;
        let side = reach[elbow].translation - reach[biped.named("LeftArm")].translation;
        let bulge = side - chord * (side.dot(&chord) / chord.norm_squared());
        assert!(bulge.dot(&forward) < -1e-3, "facing {facing}: the elbow bends {bulge}");
    }
}

#[test]
fn small_moves_of_the_pointer_make_small_moves_of_the_body() {
    let biped = Biped::new();
    let pressed = biped.standing();
    for (joint, kind) in GRABS {
        // An elbow has no swing on its axis, 10 cm away, and one vertebra no direction at the next, 15 cm away.
        let steps = if kind == DragKind::Swing {
            16
        } else if joint == "Spine1" {
            33
        } else {
            100
        };
        let drag = biped.drag(&pressed, joint, DragOptions { hands: Hands::Stay, ..DragOptions::default() });
        for direction in [Vec3::new(0.8, 0.6, 0.0), -Vec3::y(), Vec3::new(-0.6, 0.0, 0.8)] {
            let mut last = biped.world(&pressed, &[]);
            for step in 1..=steps {
                let target = drag.start() + direction * (f64::from(step) * 3e-3);
                let world = biped.world(&pressed, &drag.to(&target).changed);
                let jump =
                    world.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm()).fold(0.0, f64::max);
                assert!(jump < 0.06, "{joint} along {direction:?}: a joint jumped {jump} at step {step}");
                last = world;
            }
        }
    }
}

#[test]
fn an_elbow_swings_and_the_hand_stays() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    let [shoulder, elbow, hand] = ["LeftArm", "LeftForeArm", "LeftHand"].map(|n| biped.named(n));
    let drag = biped.drag(&pressed, "LeftForeArm", DragOptions::default());
    let axis = (before[hand].translation - before[shoulder].translation).normalize();
    let swing = Quat::from_scaled_axis(axis * 0.8);
    let target = before[shoulder].translation + swing * (before[elbow].translation - before[shoulder].translation);
    let result = drag.to(&target);
    assert!(result.report.reached() && result.gap < 1e-9, "{result:?}");
    let after = biped.world(&pressed, &result.changed);
    assert!((after[hand].translation - before[hand].translation).norm() < 1e-9);
    assert!((after[hand].linear - before[hand].linear).norm() < 1e-9);
}

#[test]
fn out_of_reach_takes_the_nearest_and_says_so() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let drag = biped.drag(&pressed, "LeftHand", DragOptions { soft: SoftReach::OFF, ..DragOptions::default() });
    let (root, reach) = drag.reach().unwrap();
    let target = root + Vec3::new(0.0, 0.0, 2.0);
    let result = drag.to(&target);
    assert_eq!(result.report.status, SolveStatus::TooFar);
    assert!((result.gap - (2.0 - reach)).abs() < 1e-9, "{result:?}");
    let nothing = drag.to(&Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(nothing.changed.is_empty() && nothing.report.status == SolveStatus::Unusable);
}

#[test]
fn a_solver_and_a_chain_root_can_be_asked_for() {
    let biped = Biped::new();
    let pressed = biped.standing();
    for spec in crate::eval::ik::SOLVERS {
        let options =
            DragOptions { solver: Some(spec), chain_root: Some(biped.named("Spine1")), ..DragOptions::default() };
        let drag = biped.drag(&pressed, "LeftHand", options);
        assert_eq!(drag.kind(), DragKind::Chain);
        let result = drag.to(&(drag.start() + Vec3::new(0.05, 0.1, 0.1)));
        assert!(result.gap < 0.02, "{}: {result:?}", spec.id);
    }
}

#[test]
fn a_pole_draws_a_chain_and_never_flips_it() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let world = biped.world(&pressed, &[]);
    let [base, middle, tip] = ["Tail1", "Tail3", "Tail4"].map(|n| biped.named(n));
    let base_at = world[base].translation;
    let pole = base_at + Vec3::new(0.8, 0.0, -0.6);
    let options = DragOptions { pole: Some(pole), ..DragOptions::default() };
    let drag = biped.drag(&pressed, "Tail4", options);
    assert!(drag.to(&drag.start()).changed.is_empty(), "a grab is no move");
    // Well away from the line to the pole the chain bulges to its side.
    let bent = biped.world(&pressed, &drag.to(&(base_at + Vec3::new(0.0, 0.1, -0.35))).changed);
    assert!((bent[middle].translation - base_at).x > 0.02, "{}", bent[middle].translation);
    let line = (pole - base_at).normalize();
    let mut last: Option<Vec<Affine>> = None;
    for step in -30..=30 {
        let target = base_at + line * 0.4 + Vec3::y() * (f64::from(step) * 0.01);
        let now = biped.world(&pressed, &drag.to(&target).changed);
        if let Some(last) = &last {
            let jump = (now[middle].translation - last[middle].translation).norm();
            assert!(jump < 0.05, "step {step}: {jump}");
        }
        assert!((now[tip].translation - target).norm() < 1e-3);
        last = Some(now);
    }
}

#[test]
fn a_head_looks_to_where_it_is_drawn_and_stays_level() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let before = biped.world(&pressed, &[]);
    let head = biped.named("Head");
    let seen = |face: Head, by: Vec3, axis: Vec3| {
        let drag = biped.drag(&pressed, "Head", DragOptions { head: face, ..DragOptions::default() });
        let after = biped.world(&pressed, &drag.to(&(drag.start() + by)).changed);
        after[head].rotation() * before[head].rotation().inverse() * axis
    };
    for side in [1.0, -1.0] {
        let by = Vec3::new(side * 0.12, -0.04, 0.0);
        let looks = seen(Head::Looks, by, Vec3::z());
        assert!(looks.x * side > 0.2, "{looks}");
        let tilt = |face| seen(face, by, Vec3::y()).x.abs();
        assert!(tilt(Head::Looks) < 0.5 * tilt(Head::Follows), "{} {}", tilt(Head::Looks), tilt(Head::Follows));
    }
    assert!(seen(Head::Looks, Vec3::y() * 0.1, Vec3::z()).y > 0.1);
    assert!(seen(Head::Looks, Vec3::y() * -0.1, Vec3::z()).y < -0.1);
    assert_eq!(seen(Head::Looks, Vec3::zeros(), Vec3::z()), Vec3::z());
}

#[test]
fn a_chest_pulled_down_takes_the_hips_along_and_never_turns_over() {
    let biped = Biped::new();
    let pressed = biped.standing();
    let chest = biped.limbs.chest.unwrap();
    let name = biped.names[chest].clone();
    for help in [BodyHelp::Never, BodyHelp::OutOfReach] {
        let drag = biped.drag(&pressed, &name, DragOptions { help, ..DragOptions::default() });
        let mut last = biped.world(&pressed, &[]);
        for step in 1..=120 {
            let world = biped.world(&pressed, &drag.to(&(drag.start() - Vec3::y() * (f64::from(step) * 4e-3))).changed);
            let jump = world.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm()).fold(0.0, f64::max);
            assert!(jump < 0.06, "{help:?} at {step}: {jump}");
            last = world;
        }
        let down = drag.start().y - last[chest].translation.y;
        assert!(help == BodyHelp::Never || down > 0.3, "{down}");
    }
}
