//! Skeletons that are no humans, and humans without a name or a familiar axis.

use super::*;
use crate::math::Quat;

#[derive(Default)]
struct Build {
    parents: Vec<Option<usize>>,
    names: Vec<String>,
    rest: Vec<Vec3>,
}

impl Build {
    fn joint(&mut self, name: &str, parent: Option<usize>, offset: [f64; 3]) -> usize {
        let at = parent.map_or_else(Vec3::zeros, |p| self.rest[p]) + Vec3::from(offset);
        self.parents.push(parent);
        self.names.push(name.to_owned());
        self.rest.push(at);
        self.rest.len() - 1
    }

    fn chain(&mut self, name: &str, parent: usize, offsets: &[[f64; 3]]) -> Vec<usize> {
        let mut at = parent;
        let mut made = Vec::new();
        for (i, offset) in offsets.iter().enumerate() {
            at = self.joint(&format!("{name}{i}"), Some(at), *offset);
            made.push(at);
        }
        made
    }

    fn find(&self) -> Limbs {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let tips = vec![false; self.rest.len()];
        find(&SkeletonView { parents: &self.parents, names: &names, tips: &tips, rest: &self.rest, posed: &[] })
    }

    fn forget_names(&mut self) {
        for (i, name) in self.names.iter_mut().enumerate() {
            *name = format!("j{i}");
        }
    }
}

fn human() -> (Build, [Vec<usize>; 4], usize) {
    let mut b = Build::default();
    let hips = b.joint("Hips", None, [0.0, 1.0, 0.0]);
    let left_leg = b.chain(
        "ll",
        hips,
        &[[0.1, -0.05, 0.0], [0.0, -0.42, 0.01], [0.0, -0.42, -0.02], [0.0, -0.06, 0.14], [0.0, 0.0, 0.06]],
    );
    let right_leg = b.chain(
        "rl",
        hips,
        &[[-0.1, -0.05, 0.0], [0.0, -0.42, 0.01], [0.0, -0.42, -0.02], [0.0, -0.06, 0.14], [0.0, 0.0, 0.06]],
    );
    let spine = b.chain("s", hips, &[[0.0, 0.1, 0.0], [0.0, 0.15, 0.0], [0.0, 0.2, 0.0]]);
    let chest = spine[2];
    let left_arm = b.chain(
        "la",
        chest,
        &[[0.05, 0.1, 0.0], [0.14, 0.0, 0.0], [0.28, 0.0, -0.01], [0.26, 0.0, 0.01], [0.09, 0.0, 0.0]],
    );
    let right_arm = b.chain(
        "ra",
        chest,
        &[[-0.05, 0.1, 0.0], [-0.14, 0.0, 0.0], [-0.28, 0.0, -0.01], [-0.26, 0.0, 0.01], [-0.09, 0.0, 0.0]],
    );
    let neck = b.chain("n", chest, &[[0.0, 0.15, 0.0], [0.0, 0.1, 0.0]]);
    b.forget_names();
    (b, [left_arm, right_arm, left_leg, right_leg], neck[1])
}

fn assert_human(limbs: &Limbs, parts: &[Vec<usize>; 4], head: usize) {
    for (i, (role, side)) in
        [(Role::Arm, Side::Left), (Role::Arm, Side::Right), (Role::Leg, Side::Left), (Role::Leg, Side::Right)]
            .into_iter()
            .enumerate()
    {
        let limb = limbs.limb(role, side).unwrap_or_else(|| panic!("no {side:?} {role:?} in {limbs:?}"));
        let first = usize::from(role == Role::Arm);
        let found = (limb.root(), limb.middle, limb.end());
        assert_eq!(found, (parts[i][first], Some(parts[i][first + 1]), parts[i][first + 2]), "{side:?} {role:?}");
    }
    assert_eq!((limbs.hips, limbs.head), (Some(0), Some(head)));
}

#[test]
fn a_human_without_names_is_found_however_it_lies() {
    let (build, parts, head) = human();
    for turn in [[0.0, 0.0, 0.0], [std::f64::consts::FRAC_PI_2, 0.0, 0.0], [0.3, 2.0, -0.7], [0.0, 3.1, 0.0]] {
        let rotation = Quat::from_scaled_axis(Vec3::from(turn));
        let turned = Build {
            rest: build.rest.iter().map(|p| rotation * p * 37.0).collect(),
            parents: build.parents.clone(),
            names: build.names.clone(),
        };
        let limbs = turned.find();
        assert_human(&limbs, &parts, head);
        assert!((limbs.frame.up - rotation * Vec3::y()).norm() < 0.05, "{turn:?}: {:?}", limbs.frame);
        assert!((limbs.frame.forward - rotation * Vec3::z()).norm() < 0.05, "{turn:?}: {:?}", limbs.frame);
        assert!((limbs.frame.left - rotation * Vec3::x()).norm() < 0.05, "{turn:?}: {:?}", limbs.frame);
        assert!(!limbs.four_legged);
    }
}

#[test]
fn a_folded_rest_pose_is_read_in_the_natural_pose() {
    let (build, parts, head) = human();
    // A zero pose with every bone along X, as some exporters write.
    let mut folded = vec![Vec3::zeros(); build.rest.len()];
    for joint in 0..folded.len() {
        if let Some(parent) = build.parents[joint] {
            folded[joint] = folded[parent] + Vec3::x() * (build.rest[joint] - build.rest[parent]).norm();
        }
    }
    let names: Vec<&str> = build.names.iter().map(String::as_str).collect();
    let tips = vec![false; folded.len()];
    let view = SkeletonView { parents: &build.parents, names: &names, tips: &tips, rest: &folded, posed: &build.rest };
    assert_human(&find(&view), &parts, head);
}

#[test]
fn a_four_legged_animal_stands_on_four_legs() {
    let mut b = Build::default();
    let hips = b.joint("a", None, [0.0, 0.6, -0.4]);
    let hind: Vec<Vec<usize>> = [0.1, -0.1]
        .iter()
        .map(|x| b.chain("h", hips, &[[*x, -0.05, 0.0], [0.0, -0.25, 0.05], [0.0, -0.25, -0.05], [0.0, -0.05, 0.08]]))
        .collect();
    let tail = b.chain("t", hips, &[[0.0, 0.05, -0.1], [0.0, 0.0, -0.1], [0.0, 0.0, -0.1], [0.0, 0.0, -0.1]]);
    let spine = b.chain("s", hips, &[[0.0, 0.0, 0.25], [0.0, 0.0, 0.25], [0.0, 0.0, 0.2]]);
    let fore: Vec<Vec<usize>> = [0.1, -0.1]
        .iter()
        .map(|x| {
            b.chain("f", spine[2], &[[*x, -0.05, 0.0], [0.0, -0.25, -0.04], [0.0, -0.25, 0.04], [0.0, -0.05, 0.07]])
        })
        .collect();
    let neck = b.chain("n", spine[2], &[[0.0, 0.1, 0.15], [0.0, 0.1, 0.1], [0.0, 0.0, 0.1]]);
    b.forget_names();
    let limbs = b.find();
    assert!(limbs.four_legged, "{limbs:?}");
    assert_eq!(limbs.of_role(Role::Leg).count(), 4);
    for path in hind.iter().chain(&fore) {
        let limb = limbs.of_role(Role::Leg).find(|l| l.root() == path[0]).unwrap();
        assert_eq!((limb.middle, limb.end()), (Some(path[1]), path[2]));
        assert_eq!(limb.side, if b.rest[path[0]].x > 0.0 { Side::Left } else { Side::Right });
    }
    assert_eq!(limbs.limb(Role::Tail, Side::Middle).map(|l| (l.root(), l.end())), Some((tail[0], tail[3])));
    assert_eq!(limbs.limb(Role::Spine, Side::Middle).map(Limb::end), Some(spine[2]));
    assert_eq!(limbs.head, Some(neck[2]));
    assert!((limbs.frame.up - Vec3::y()).norm() < 0.1 && (limbs.frame.forward - Vec3::z()).norm() < 0.1);
}

#[test]
fn chains_and_tentacles_are_chains() {
    let mut single = Build::default();
    let root = single.joint("root", None, [0.0; 3]);
    single.chain("c", root, &[[0.0, 0.0, 1.0]; 7]);
    let limbs = single.find();
    assert_eq!(limbs.limbs.len(), 1);
    assert_eq!((limbs.limbs[0].role, limbs.limbs[0].root(), limbs.limbs[0].end()), (Role::Chain, 0, 7));
    assert_eq!((limbs.hips, limbs.head), (None, None));

    let mut octopus = Build::default();
    let body = octopus.joint("body", None, [0.0; 3]);
    for i in 0..8 {
        let (sin, cos) = (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos();
        octopus.chain("arm", body, &[[sin, 0.0, cos]; 6]);
    }
    octopus.forget_names();
    let limbs = octopus.find();
    assert_eq!(limbs.of_role(Role::Chain).count(), 8, "{limbs:?}");
}

#[test]
fn odd_inputs_give_an_answer() {
    assert_eq!(Build::default().find(), Limbs::default());
    let mut b = Build::default();
    let root = b.joint("LeftHand", None, [f64::NAN, 0.0, 0.0]);
    b.joint("LeftHand", Some(root), [0.0; 3]);
    b.joint("Head", None, [0.0; 3]);
    b.joint("RightFoot", Some(2), [0.0; 3]);
    let limbs = b.find();
    assert!(limbs.frame.up.iter().all(|v| v.is_finite()));
}
