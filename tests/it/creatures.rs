//! Animals, tentacles and single chains: their limbs are found with and without names, and drag as what they are.

use inbetween::{
    eval::{
        drag::{BodyHelp, Drag, DragInput, DragKind, DragOptions},
        fk,
        ik::SoftReach,
        limbs::{self, Limb, Limbs, Role, Side},
    },
    math::{Affine, Transform, Vec3},
    model::{Joint, JointId, JointKind, Rig, Skeleton},
};
use std::sync::Arc;

/// A creature from lines of "name x y z", indented by depth.
struct Creature {
    name: String,
    rig: Rig,
    limbs: Limbs,
    rest: Vec<Transform>,
}

const DOG: &str = "
Hips 0 0.6 -0.4
 LeftUpLeg 0.1 -0.05 0
  LeftLeg 0 -0.25 0.1
   LeftFoot 0 -0.24 -0.1
    LeftToeBase 0 -0.05 0.08
     LeftToeTip 0 0 0.03
 RightUpLeg -0.1 -0.05 0
  RightLeg 0 -0.25 0.1
   RightFoot 0 -0.24 -0.1
    RightToeBase 0 -0.05 0.08
     RightToeTip 0 0 0.03
 Tail 0 0.05 -0.1
  Tail1 0 0 -0.1
   Tail2 0 0 -0.1
    Tail3 0 0 -0.1
     Tail4 0 0 -0.1
 Spine 0 0 0.25
  Spine1 0 0 0.25
   Chest 0 0 0.2
    LeftArm 0.1 -0.05 0
     LeftForeArm 0 -0.25 -0.1
      LeftHand 0 -0.25 0.1
       LeftHandTip 0 -0.04 0.07
    RightArm -0.1 -0.05 0
     RightForeArm 0 -0.25 -0.1
      RightHand 0 -0.25 0.1
       RightHandTip 0 -0.04 0.07
    Neck 0 0.1 0.15
     Head 0 0.1 0.1
      HeadTip 0 0 0.15
";

impl Creature {
    fn new(name: &str, outline: &str, renamed: bool) -> Self {
        let mut joints: Vec<Joint> = Vec::new();
        let mut above: Vec<(usize, JointId)> = Vec::new();
        for line in outline.lines().filter(|line| !line.trim().is_empty()) {
            let depth = line.len() - line.trim_start().len();
            above.retain(|(other, _)| *other < depth);
            let words: Vec<&str> = line.split_whitespace().collect();
            let [x, y, z] = [1, 2, 3].map(|word| words[word].parse::<f64>().unwrap());
            let id = JointId(u32::try_from(joints.len()).unwrap());
            let called = if renamed { format!("j{id}") } else { words[0].to_owned() };
            let joint = Joint::new(id, &called, above.last().map(|(_, id)| *id), Vec3::new(x, y, z));
            let kind = if words[0].ends_with("Tip") { JointKind::End } else { JointKind::Joint };
            joints.push(Joint { kind, ..joint });
            above.push((depth, id));
        }
        let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
        let limbs = limbs::of_rig(&rig, &[]);
        let rest = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
        Self { name: format!("{name}{}", if renamed { " without names" } else { "" }), rig, limbs, rest }
    }

    /// Joints one behind the other.
    fn line(bones: usize, name: &str, [x, y, z]: [f64; 3], depth: usize) -> String {
        (0..bones).map(|i| format!("{}{name}{i} {x} {y} {z}\n", " ".repeat(depth + i))).collect()
    }

    /// A chain from the ground up.
    fn chain(renamed: bool) -> Self {
        let outline = format!("root 0 0 0\n{}", Self::line(8, "link", [0.0, 0.2, 0.0], 1));
        Self::new("chain", &outline, renamed)
    }

    /// Eight tentacles about a body.
    fn octopus(renamed: bool) -> Self {
        let arm = |i: u32| {
            let (sin, cos) = (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos();
            Self::line(7, &format!("tentacle{i}_"), [0.15 * sin, -0.02, 0.15 * cos], 1)
        };
        let outline = format!("body 0 0.5 0\n{}", (0..8).map(arm).collect::<String>());
        Self::new("octopus", &outline, renamed)
    }

    fn world(&self, changed: &[(usize, Transform)]) -> Vec<Affine> {
        let mut locals = self.rest.clone();
        changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
        let mut world = Vec::new();
        fk::model_from_locals(self.rig.skeleton.tree(), &locals, &Affine::IDENTITY, &mut world);
        world
    }

    fn drag(&self, joint: usize) -> Drag<'_> {
        self.drag_by(joint, DragOptions { soft: SoftReach::OFF, ..DragOptions::default() })
    }

    fn drag_by(&self, joint: usize, options: DragOptions) -> Drag<'_> {
        Drag::new(DragInput {
            tree: self.rig.skeleton.tree(),
            limbs: &self.limbs,
            rest: &self.rest,
            pressed: &self.rest,
            root: Affine::IDENTITY,
            joint,
            options,
        })
        .unwrap()
    }

    /// Draws a joint far off, past where what is held lets it go: what stays stays to the micrometre, and nothing jumps.
    fn is_held_back(&self, joint: usize, by: Vec3, stays: &[usize]) {
        for (help, soft) in [
            (BodyHelp::Never, SoftReach::OFF),
            (BodyHelp::Never, SoftReach::default()),
            (BodyHelp::OutOfReach, SoftReach::default()),
        ] {
            let limits = limbs::limits(&self.rig, &self.limbs);
            let drag = self.drag_by(joint, DragOptions { help, soft, ..DragOptions::default() }).with_limits(&limits);
            let what = format!("{}, joint {joint} by {by:?}, {help:?}, {soft:?}", self.name);
            let (before, steps) = (self.world(&[]), 40);
            let mut last = before.clone();
            for step in 1..=steps {
                let way = f64::from(step) / f64::from(steps);
                let world = self.world(&drag.to(&(drag.start() + by * way)).changed);
                let most =
                    (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm()).fold(0.0, f64::max);
                assert!(most < if step == 1 { 0.1 } else { 0.06 }, "{what}: a joint jumps {most} m at step {step}");
                for joint in stays {
                    let off = (world[*joint].translation - before[*joint].translation).norm();
                    assert!(off < 1e-6, "{what}: joint {joint} moves {off} m at step {step}");
                }
                last = world;
            }
        }
    }

    /// Drags a joint in small steps to a target, under the limits of the roles where `limited`: it arrives, nothing jumps,
    /// bones keep their lengths, what should stay stays, and the way back ends where it began.
    fn comes_to(&self, joint: usize, by: Vec3, stays: &[usize], limited: bool) -> Vec<Affine> {
        let what = format!("{}, joint {joint} by {by:?}", self.name);
        let limits = if limited { limbs::limits(&self.rig, &self.limbs) } else { Vec::new() };
        let drag = self.drag(joint).with_limits(&limits);
        let (before, steps) = (self.world(&[]), 50);
        let mut last = before.clone();
        for step in 1..=steps {
            let target = drag.start() + by * (f64::from(step) / f64::from(steps));
            let result = drag.to(&target);
            let world = self.world(&result.changed);
            assert!(result.gap < 2e-3, "{what}: {} m short at step {step}", result.gap);
            let moved = (0..world.len()).map(|j| (world[j].translation - last[j].translation).norm());
            let most = moved.fold(0.0, f64::max);
            // From a straight chain the middle goes first, by the root of the step.
            assert!(most < if step == 1 { 0.2 } else { 0.06 }, "{what}: a joint jumps {most} m at step {step}");
            for joint in stays {
                let off = (world[*joint].translation - before[*joint].translation).norm();
                assert!(off < 1e-9, "{what}: joint {joint} moves {off} m");
            }
            for (child, parent) in self.rig.skeleton.parents().iter().enumerate() {
                if let Some(parent) = parent {
                    let bone = |world: &[Affine]| (world[child].translation - world[*parent].translation).norm();
                    assert!((bone(&world) - bone(&before)).abs() < 1e-9, "{what}: bone {child} changes its length");
                }
            }
            last = world;
        }
        let back = self.world(&drag.to(&drag.start()).changed);
        for (joint, place) in back.iter().enumerate() {
            assert!(
                (place.translation - before[joint].translation).norm() < 1e-6,
                "{what}: {joint} does not come back"
            );
        }
        last
    }
}

#[test]
fn a_dog_is_found_and_drags_as_a_dog_with_and_without_names() {
    for renamed in [false, true] {
        let dog = Creature::new("dog", DOG, renamed);
        assert!(dog.limbs.four_legged, "{}: {:?}", dog.name, dog.limbs);
        let legs: Vec<&Limb> = dog.limbs.of_role(Role::Leg).collect();
        let corners: Vec<_> = legs.iter().map(|leg| (leg.root(), leg.middle, leg.end())).collect();
        for (root, side) in [(1, Side::Left), (6, Side::Right), (19, Side::Left), (23, Side::Right)] {
            assert!(corners.contains(&(root, Some(root + 1), root + 2)), "{}: {corners:?}", dog.name);
            assert_eq!(legs.iter().find(|leg| leg.root() == root).unwrap().side, side, "{}", dog.name);
        }
        assert_eq!((dog.limbs.hips, dog.limbs.head), (Some(0), Some(28)), "{}", dog.name);
        let paws: Vec<usize> = legs.iter().map(|leg| leg.end()).collect();
        let rest = dog.world(&[]);
        for leg in &legs {
            let others: Vec<usize> = paws.iter().copied().filter(|paw| *paw != leg.end()).chain([0]).collect();
            assert_eq!(dog.drag(leg.end()).kind(), DragKind::Limb);
            for by in [Vec3::new(0.0, 0.15, 0.0), Vec3::new(0.0, 0.1, 0.15), Vec3::new(0.05, 0.1, -0.1)] {
                let world = dog.comes_to(leg.end(), by, &others, true);
                // The knee stays on the side where it is at rest: hind knees in front, elbows of forelegs behind.
                let bulge = |world: &[Affine]| {
                    let [a, b, c] = [leg.root(), leg.middle.unwrap(), leg.end()].map(|j| world[j].translation);
                    let chord = (c - a).normalize();
                    let side = b - a - chord * (b - a).dot(&chord);
                    side.dot(&Vec3::z()) / side.norm()
                };
                assert!(bulge(&world) * bulge(&rest) > 0.0, "{}: {} is bent the wrong way", dog.name, leg.end());
            }
            assert_eq!(dog.drag(leg.middle.unwrap()).kind(), DragKind::Swing);
        }
        // The hips sink, the paws of the legs that hang from them stay; so do those of the chest.
        dog.comes_to(0, Vec3::new(0.0, -0.08, 0.02), &paws, false);
        dog.comes_to(28, Vec3::new(0.1, 0.03, -0.03), &paws, false);
        // Chest, spine and head are drawn up and away: the forelegs are only so long.
        for joint in [17, 18, 28].into_iter().filter(|_| !renamed) {
            for by in [Vec3::new(0.0, 0.4, 0.0), Vec3::new(0.1, 0.1, 0.4)] {
                dog.is_held_back(joint, by, &paws);
            }
        }
        let tail = dog.limbs.of_role(Role::Tail).next().unwrap();
        assert_eq!((tail.root(), tail.end()), (11, 15), "{}", dog.name);
        let others: Vec<usize> = paws.iter().copied().chain([0, 28]).collect();
        dog.comes_to(15, Vec3::new(0.15, 0.15, 0.1), &others, true);
    }
}

/// Hips that lie low behind and a spine that rises from them, as animals are often rigged.
#[test]
fn a_fox_whose_hips_lie_low_stands_on_four_legs_that_all_hold() {
    let low = "Hips 0 0.43 -0.27\n LeftUpLeg 0.07 0.06 -0.03\n  LeftLeg 0 -0.19 0.02\n   LeftFoot 0 -0.14 -0.1\n    \
         LeftToe 0 -0.15 0.05\n RightUpLeg -0.07 0.06 -0.03\n  RightLeg 0 -0.19 0.02\n   RightFoot 0 -0.14 -0.1\n    \
         RightToe 0 -0.15 0.05\n Spine 0 0.12 0.05\n  Chest 0 -0.01 0.21\n   LeftArm 0.07 -0.05 0.19\n    \
         LeftForeArm 0 -0.23 -0.01\n     LeftHand 0 -0.19 0.01\n   RightArm -0.07 -0.05 0.19\n    \
         RightForeArm 0 -0.23 -0.01\n     RightHand 0 -0.19 0.01\n   Neck 0 -0.005 0.26\n    Head 0 0.07 0.11\n";
    for renamed in [false, true] {
        let fox = Creature::new("fox", low, renamed);
        assert!(fox.limbs.four_legged, "{}: {:?}", fox.name, fox.limbs);
        let paws: Vec<usize> = fox.limbs.of_role(Role::Leg).map(Limb::end).collect();
        assert_eq!(paws.len(), 4, "{}: {:?}", fox.name, fox.limbs);
        // The hips sink and go aside: all four stay on the ground.
        fox.comes_to(0, Vec3::new(0.05, -0.06, 0.02), &paws, false);
        if !renamed {
            fox.is_held_back(10, Vec3::new(0.0, 0.3, 0.0), &paws);
            fox.is_held_back(9, Vec3::new(0.1, 0.2, -0.2), &paws);
        }
    }
}

#[test]
fn a_tentacle_is_found_and_curls_alone() {
    for renamed in [false, true] {
        let octopus = Creature::octopus(renamed);
        let arms: Vec<&Limb> = octopus.limbs.of_role(Role::Chain).collect();
        assert_eq!(arms.len(), 8, "{}: {:?}", octopus.name, octopus.limbs);
        for arm in &arms {
            assert_eq!(arm.joints.len(), 7, "{}", octopus.name);
            let others: Vec<usize> =
                arms.iter().filter(|other| other.end() != arm.end()).map(|other| other.end()).chain([0]).collect();
            assert_eq!(octopus.drag(arm.end()).kind(), DragKind::Chain);
            let world = octopus.world(&[]);
            let inwards = world[arm.root()].translation - world[arm.end()].translation;
            octopus.comes_to(arm.end(), inwards * 0.5 + Vec3::new(0.05, 0.2, 0.0), &others, true);
            // From the middle on it is dragged by what lies above.
            let middle = arm.joints[3];
            octopus.comes_to(middle, inwards * 0.15 + Vec3::new(0.0, 0.1, 0.05), &others, true);
        }
        // The body takes them along.
        let world = octopus.comes_to(0, Vec3::new(0.3, 0.1, -0.2), &[], true);
        let before = octopus.world(&[]);
        let moved = |joint: usize| world[joint].translation - before[joint].translation;
        assert!(arms.iter().all(|arm| (moved(arm.end()) - Vec3::new(0.3, 0.1, -0.2)).norm() < 1e-9));
    }
}

#[test]
fn a_single_chain_is_found_and_reaches() {
    for renamed in [false, true] {
        let chain = Creature::chain(renamed);
        assert_eq!(chain.limbs.limbs.len(), 1, "{}: {:?}", chain.name, chain.limbs);
        let only = &chain.limbs.limbs[0];
        assert_eq!((only.role, only.root(), only.end()), (Role::Chain, 0, 8), "{}", chain.name);
        assert_eq!((chain.drag(8).kind(), chain.drag(0).kind()), (DragKind::Chain, DragKind::Body));
        for by in [Vec3::new(0.5, -0.4, 0.1), Vec3::new(0.0, -0.8, 0.0), Vec3::new(-0.3, -0.3, 0.5)] {
            chain.comes_to(8, by, &[0], true);
        }
        // Out of reach it is straight and points there.
        let far = Vec3::new(3.0, 1.0, 0.0);
        let result = chain.drag(8).to(&far);
        let world = chain.world(&result.changed);
        assert!((world[8].translation - far.normalize() * 1.6).norm() < 1e-3, "{:?}", world[8].translation);
    }
}
