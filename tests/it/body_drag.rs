//! Probes of dragged bodies on every human file of the corpus: nothing flips, pops, drifts or trembles, and what is planted
//! stays.

use crate::limbs::{Loaded, find, folder, human_files, load};
use inbetween::eval::{
    drag::{BodyHelp, Drag, DragInput, DragOptions, Head},
    fk,
    ik::{SoftReach, shortest_arc},
    limbs::{Limb, Limbs, Role, Side},
};
use inbetween::math::{Affine, Quat, Transform, Vec3};
use inbetween::model::JointTree;

/// A figure of the corpus, standing.
struct Figure {
    file: String,
    skeleton: Loaded,
    limbs: Limbs,
    pressed: Vec<Transform>,
    root: Affine,
    before: Vec<Affine>,
    /// Length of a leg.
    leg: f64,
}

/// All figures, stood up, in their first frame (in the rest pose where position channels fold the limbs).
fn figures() -> Vec<Figure> {
    let Some(folder) = folder() else { return Vec::new() };
    let figure = |file: String| {
        let skeleton = load(&folder.join("bvh").join(&file));
        let limbs = find(&skeleton, &skeleton.names);
        let folded = ["makehuman_tpose.bvh", "makehuman_benchmark_pose.bvh"].contains(&file.as_str());
        let pressed = if folded { skeleton.rest_locals.clone() } else { skeleton.posed_locals.clone() };
        let up = shortest_arc(&limbs.frame.up, &Vec3::y(), &Vec3::x());
        let root = Transform { rotation: up, ..Transform::IDENTITY }.to_affine();
        let before = world(&skeleton, &pressed, &root);
        let leg = length(&before, limbs.limb(Role::Leg, Side::Left).unwrap());
        Figure { file, skeleton, limbs, pressed, root, before, leg }
    };
    human_files(&folder).into_iter().map(|(file, _)| figure(file)).collect()
}

fn world(skeleton: &Loaded, locals: &[Transform], root: &Affine) -> Vec<Affine> {
    let mut world = Vec::new();
    fk::model_from_locals(JointTree::plain(&skeleton.parents), locals, root, &mut world);
    world
}

fn length(world: &[Affine], limb: &Limb) -> f64 {
    limb.joints.windows(2).map(|p| (world[p[1]].translation - world[p[0]].translation).norm()).sum()
}

impl Figure {
    fn drag(&self, joint: usize, options: DragOptions) -> Drag<'_> {
        let (tree, rest, pressed) =
            (JointTree::plain(&self.skeleton.parents), &self.skeleton.rest_locals[..], &self.pressed[..]);
        let (limbs, root) = (&self.limbs, self.root);
        Drag::new(DragInput { tree, limbs, rest, pressed, root, joint, options }).unwrap()
    }

    fn to(&self, drag: &Drag<'_>, target: &Vec3) -> Vec<Affine> {
        let mut locals = self.pressed.clone();
        drag.to(target).changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
        world(&self.skeleton, &locals, &self.root)
    }

    fn at(&self, joint: usize) -> Vec3 {
        self.before[joint].translation
    }

    fn limb(&self, role: Role, side: Side) -> &Limb {
        self.limbs.limb(role, side).unwrap()
    }

    /// Hands, feet, elbows, knees, hips, chest and head.
    fn grabs(&self) -> Vec<usize> {
        let mut grabs: Vec<usize> = Vec::new();
        for limb in self.limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg)) {
            grabs.extend(limb.middle);
            grabs.push(limb.end());
        }
        grabs.extend(self.limbs.hips.into_iter().chain(self.limbs.chest).chain(self.limbs.head));
        grabs
    }

    fn feet(&self) -> [usize; 2] {
        [Side::Left, Side::Right].map(|side| self.limb(Role::Leg, side).end())
    }
}

fn whole() -> DragOptions {
    DragOptions { help: BodyHelp::OutOfReach, ..DragOptions::default() }
}

#[test]
fn corpus_knees_do_not_jump_where_a_foot_goes_through_the_line_to_its_pole() {
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let limb = figure.limb(Role::Leg, side);
            let (hip, knee, foot) = (limb.root(), limb.middle.unwrap(), limb.end());
            let hip_at = figure.at(hip);
            let line = (figure.at(foot) - hip_at).normalize();
            let pole = hip_at + (line + figure.limbs.frame.left * 0.2).normalize() * (1.5 * figure.leg);
            let line = (pole - hip_at).normalize();
            let drag = figure.drag(foot, DragOptions { pole: Some(pole), ..whole() });
            let across = line.cross(&Vec3::new(0.3, 0.4, 0.9)).normalize();
            // A centimetre for a leg of 86.
            let step = figure.leg / 86.0;
            let mut last: Option<Vec<Affine>> = None;
            for i in -30..=30 {
                let target = hip_at + line * (0.6 * figure.leg) + across * (f64::from(i) * step);
                let now = figure.to(&drag, &target);
                let plane = |w: &[Affine]| {
                    let axis = (w[foot].translation - w[hip].translation).normalize();
                    let side = w[knee].translation - w[hip].translation;
                    (side - axis * side.dot(&axis)).normalize()
                };
                if let Some(last) = &last {
                    let turn = plane(&now).angle(&plane(last)).to_degrees();
                    assert!(turn < 15.0, "{} {side:?} at {i}: the knee turns by {turn} degrees", figure.file);
                }
                last = Some(now);
            }
        }
    }
}

#[test]
fn corpus_elbows_move_at_a_bounded_speed_past_full_stretch_and_back() {
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let limb = figure.limb(Role::Arm, side);
            let (shoulder, elbow, hand) = (limb.root(), limb.middle.unwrap(), limb.end());
            let arm = length(&figure.before, limb);
            let away = (figure.at(hand) - figure.at(shoulder)).normalize();
            for help in [BodyHelp::Never, BodyHelp::OutOfReach] {
                let drag = figure.drag(hand, DragOptions { help, ..DragOptions::default() });
                let step = arm * 2e-3;
                let mut last: Option<Vec<Affine>> = None;
                // From a fifth within the reach to a fifth beyond.
                for i in (0..=200).chain((0..200).rev()) {
                    let target = figure.at(shoulder) + away * (arm * 0.8 + f64::from(i) * step);
                    let now = figure.to(&drag, &target);
                    if let Some(last) = &last {
                        let moved = (now[elbow].translation - last[elbow].translation).norm();
                        let name = &figure.file;
                        assert!(moved < 6.0 * step, "{name} {side:?} {help:?} at {i}: {:.1} steps", moved / step);
                    }
                    last = Some(now);
                }
            }
        }
    }
}

#[test]
fn corpus_drags_are_the_same_out_and_back_and_do_not_tremble_beyond_reach() {
    for figure in figures() {
        for joint in figure.grabs() {
            let name = format!("{} {}", figure.file, figure.skeleton.names[joint]);
            let drag = figure.drag(joint, whole());
            let back = figure.to(&drag, &drag.start());
            for (a, b) in figure.before.iter().zip(&back) {
                assert!((a.translation - b.translation).norm() < 1e-6 * figure.leg, "{name}");
            }
            let out = drag.start() + Vec3::new(0.5, 0.3, 0.6).normalize() * (1.5 * figure.leg);
            let first = drag.to(&out);
            let mut last = figure.to(&drag, &out);
            for i in 1..=10 {
                let target = out + Vec3::new(0.6, -0.8, 0.0) * (f64::from(i) * 1e-3 * figure.leg);
                let now = figure.to(&drag, &target);
                let moved = now.iter().zip(&last).map(|(a, b)| (a.translation - b.translation).norm());
                let most = moved.fold(0.0, f64::max) / figure.leg;
                assert!(most < 2e-2, "{name}: trembles by {most} for a step of 0.001");
                last = now;
            }
            assert_eq!(drag.to(&out), first, "{name}");
        }
    }
}

#[test]
fn corpus_feet_stay_while_hands_hips_and_chest_are_dragged_anywhere() {
    for figure in figures() {
        let hands = [Side::Left, Side::Right].map(|side| figure.limb(Role::Arm, side).end());
        for joint in hands.into_iter().chain(figure.limbs.hips).chain(figure.limbs.chest) {
            for balance in [false, true] {
                let drag = figure.drag(joint, DragOptions { balance, ..whole() });
                for direction in [[0.2, 0.3, 0.9], [0.9, 0.1, -0.2], [-0.5, -0.6, 0.4]] {
                    let by = Vec3::from(direction).normalize() * (0.4 * figure.leg);
                    let result = drag.to(&(drag.start() + by));
                    let now = figure.to(&drag, &(drag.start() + by));
                    for foot in figure.feet() {
                        let moved = (now[foot].translation - figure.at(foot)).norm() / figure.leg;
                        let turned = (now[foot].linear - figure.before[foot].linear).norm();
                        let name = format!("{} {}", figure.file, figure.skeleton.names[joint]);
                        assert!(moved < 1.1e-4 && turned < 1e-4, "{name} {direction:?}: {moved} {turned} {result:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn corpus_typed_targets_are_met_exactly_where_the_body_reaches() {
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let limb = figure.limb(Role::Arm, side);
            let drag = figure.drag(limb.end(), DragOptions { soft: SoftReach::OFF, ..whole() });
            let arm = length(&figure.before, limb);
            let shoulder = figure.at(limb.root());
            for direction in [[0.1, -0.2, 0.9], [0.7, -0.3, 0.5]] {
                for far in [0.7, 0.97, 1.05] {
                    let target = shoulder + Vec3::from(direction).normalize() * (arm * far);
                    // 5 micrometres for an arm of half a metre.
                    let gap = drag.to(&target).gap / arm;
                    assert!(gap < 1e-5, "{} {side:?} {direction:?} at {far}: {gap}", figure.file);
                }
            }
        }
    }
}

/// Where the head's own axes that pointed forward and up at the press point now, world.
fn face(figure: &Figure, world: &[Affine], axis: &Vec3) -> Vec3 {
    let head = figure.limbs.head.unwrap();
    world[head].rotation() * figure.before[head].rotation().inverse() * axis
}

#[test]
fn corpus_heads_look_to_where_they_are_drawn_and_neck_and_spine_share() {
    for figure in figures() {
        let head = figure.limbs.head.unwrap();
        let exact = DragOptions { soft: SoftReach::OFF, ..DragOptions::default() };
        let drag = figure.drag(head, exact);
        let plain = figure.drag(head, DragOptions { head: Head::Follows, ..exact });
        let (up, name) = (Vec3::y(), &figure.file);
        // Where the face looks: as it does at rest, turned with the head; for a rest pose that is none, the body's forward.
        let rest = world(&figure.skeleton, &figure.skeleton.rest_locals, &figure.root);
        let turned = figure.before[head].rotation() * rest[head].rotation().inverse();
        let turned = if figure.limbs.by_posed { Quat::identity() } else { turned };
        let gaze = turned * figure.root.rotation() * figure.limbs.frame.forward;
        let forward = (gaze - up * gaze.dot(&up)).normalize();
        let left = up.cross(&forward);
        for side in [1.0, -1.0] {
            // Aside, but within reach.
            let (root, reach) = drag.reach().unwrap();
            let aside = drag.start() + left * (side * 0.2 * figure.leg) - root;
            let target = root + aside * (0.95 * reach / aside.norm()).min(1.0);
            let world = figure.to(&drag, &target);
            let gap = (world[head].translation - target).norm() / figure.leg;
            let turned = face(&figure, &world, &forward).dot(&left) * side;
            assert!(gap < 2e-3, "{name}: {gap} off");
            assert!(turned > 0.15, "{name}: drawn aside it looks by {turned} to there");
            // Level, as far as a head is that goes with the neck.
            let tilt = |world: &[Affine]| face(&figure, world, &up).dot(&left).abs();
            let free = figure.to(&plain, &target);
            assert!(
                tilt(&world) < (0.7 * tilt(&free)).max(0.15),
                "{name}: tilted by {} of {}",
                tilt(&world),
                tilt(&free)
            );
            // The joint below it has turned to the same side.
            let neck = figure.skeleton.parents[head].unwrap();
            let turn = world[neck].rotation() * free[neck].rotation().inverse();
            assert!(turn.scaled_axis().dot(&up) * side > 0.02, "{name}: the neck turns by {}", turn.scaled_axis());
        }
        let looks_up = |by: f64| {
            let world = figure.to(&drag, &(drag.start() + up * (by * figure.leg)));
            face(&figure, &world, &forward).dot(&up) - forward.dot(&up)
        };
        assert!(
            looks_up(0.15) > 0.05 && looks_up(-0.1) < -0.05,
            "{name}: up and down {} {}",
            looks_up(0.15),
            looks_up(-0.1)
        );
    }
}
