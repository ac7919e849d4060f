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

/// A skeleton from lines of "name x y z", indented by depth.
fn outline(text: &str) -> Build {
    let mut build = Build::default();
    let mut above: Vec<(usize, usize)> = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        above.retain(|(d, _)| *d < depth);
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |i: usize| words[i].parse::<f64>().unwrap();
        let joint = build.joint(words[0], above.last().map(|(_, j)| *j), [number(1), number(2), number(3)]);
        above.push((depth, joint));
    }
    build
}

/// Lines for left and right: `<` becomes the left word, `x` of every offset is mirrored for the right.
fn both_sides(text: &str, left: &str, right: &str) -> String {
    let side = |word: &str, sign: f64| -> String {
        text.lines()
            .filter(|l| !l.trim().is_empty())
            .map(|line| {
                let indent = &line[..line.len() - line.trim_start().len()];
                let words: Vec<&str> = line.split_whitespace().collect();
                let x = words[1].parse::<f64>().unwrap() * sign;
                format!("{indent}{} {x} {} {}\n", words[0].replace('<', word), words[2], words[3])
            })
            .collect()
    };
    side(left, 1.0) + &side(right, -1.0)
}

fn assert_styles(build: Build, wanted: &[(Role, Side, [&str; 3])], head: &str, hips: &str, keeps_head: bool) {
    let named = build.names.clone();
    let mut renamed = Build { parents: build.parents.clone(), names: named.clone(), rest: build.rest.clone() };
    renamed.forget_names();
    for (style, limbs) in [("named", build.find()), ("renamed", renamed.find())] {
        for (role, side, joints) in wanted {
            let limb = limbs.limb(*role, *side).unwrap_or_else(|| panic!("{style}: no {side:?} {role:?} in {limbs:?}"));
            let found = [Some(limb.root()), limb.middle, Some(limb.end())].map(|j| j.map_or("none", |j| &named[j]));
            // Without names only middle and end must be right.
            let from = usize::from(style == "renamed");
            assert_eq!(found[from..], joints[from..], "{style} {side:?} {role:?}");
        }
        assert_eq!(limbs.hips.map(|j| &named[j][..]), Some(hips), "{style}");
        if style == "named" || keeps_head {
            assert_eq!(limbs.head.map(|j| &named[j][..]), Some(head), "{style}");
        }
    }
}

#[test]
fn the_style_of_cmu_with_its_dummy_joints() {
    let legs = both_sides(
        " <HipJoint 0 0 0\n  <UpLeg 1.36 -1.79 0.84\n   <Leg 2.45 -6.73 0\n    <Foot 2.56 -7.04 0\n     <ToeBase 0.16 -0.43 2.33\n      <ToeEnd 0 0 1.24\n",
        "Left",
        "Right",
    );
    let arms = both_sides(
        "    <Shoulder 0 0 0\n     <Arm 3.48 1.3 -0.28\n      <ForeArm 5.44 0 0\n       <Hand 3.63 0 0\n        <FingerBase 0 0 0\n         <HandIndex1 0.77 0 0\n          <IndexEnd 0.63 0 0\n        <Thumb 0 0 0\n         <ThumbEnd 0.57 0 0.57\n",
        "Left",
        "Right",
    );
    let text = format!(
        "Hips 0 17 0\n{legs} LowerBack 0 0 0\n  Spine 0.01 2.02 -0.2\n   Spine1 0.02 2.05 0.05\n{arms}    Neck 0 0 0\n     Neck1 0.04 1.5 0.1\n      Head -0.1 1.47 0.2\n       HeadEnd 0 1.5 0\n"
    );
    let wanted = [
        (Role::Arm, Side::Left, ["LeftArm", "LeftForeArm", "LeftHand"]),
        (Role::Arm, Side::Right, ["RightArm", "RightForeArm", "RightHand"]),
        (Role::Leg, Side::Left, ["LeftUpLeg", "LeftLeg", "LeftFoot"]),
        (Role::Leg, Side::Right, ["RightUpLeg", "RightLeg", "RightFoot"]),
    ];
    assert_styles(outline(&text), &wanted, "Head", "Hips", false);
}

#[test]
fn the_style_of_mixamo() {
    let legs = both_sides(
        " mixamorig:<UpLeg 9 -5 0\n  mixamorig:<Leg 0 -44 0.3\n   mixamorig:<Foot 0 -44 -2\n    mixamorig:<ToeBase 0 -10 14\n     mixamorig:<Toe_End 0 0 8\n",
        "Left",
        "Right",
    );
    let fingers: String = ["Thumb 3 -2 3", "Index 11 0 3", "Middle 11 0 1", "Ring 11 0 -1", "Pinky 10 0 -3"]
        .iter()
        .map(|line| {
            let (name, offset) = line.split_once(' ').unwrap();
            format!("        mixamorig:<Hand{name}1 {offset}\n         mixamorig:<Hand{name}2 3.5 0 0\n          mixamorig:<Hand{name}3 3 0 0\n           mixamorig:<Hand{name}4 2.5 0 0\n")
        })
        .collect();
    let arms = both_sides(
        &format!(
            "    mixamorig:<Shoulder 6 9 0\n     mixamorig:<Arm 12 0 -1\n      mixamorig:<ForeArm 27 0 0\n       mixamorig:<Hand 28 0 0\n{fingers}"
        ),
        "Left",
        "Right",
    );
    let text = format!(
        "mixamorig:Hips 0 100 0\n{legs} mixamorig:Spine 0 10 -1\n  mixamorig:Spine1 0 12 0\n   mixamorig:Spine2 0 13 0\n{arms}    mixamorig:Neck 0 15 0\n     mixamorig:Head 0 10 3\n      mixamorig:HeadTop_End 0 20 7\n"
    );
    let m = |name: &'static str| name;
    let wanted = [
        (Role::Arm, Side::Left, [m("mixamorig:LeftArm"), m("mixamorig:LeftForeArm"), m("mixamorig:LeftHand")]),
        (Role::Leg, Side::Right, [m("mixamorig:RightUpLeg"), m("mixamorig:RightLeg"), m("mixamorig:RightFoot")]),
    ];
    assert_styles(outline(&text), &wanted, "mixamorig:Head", "mixamorig:Hips", false);
}

#[test]
fn the_style_of_unreal_with_twist_leaves_and_ik_bones() {
    let legs = both_sides(
        "  thigh_< 9 -3 0\n   thigh_twist_01_< 0 -20 0\n   calf_< 0 -43 0.5\n    calf_twist_01_< 0 -20 0\n    foot_< 0 -42 -2\n     ball_< 0 -9 15\n",
        "l",
        "r",
    );
    let arms = both_sides(
        "     clavicle_< 4 10 0\n      upperarm_< 15 0 0\n       upperarm_twist_01_< 8 0 0\n       lowerarm_< 29 0 -0.5\n        lowerarm_twist_01_< 14 0 0\n        hand_< 26 0 0.5\n         index_01_< 12 0 3\n          index_02_< 4 0 0\n         middle_01_< 12 0 1\n          middle_02_< 4 0 0\n         thumb_01_< 4 -2 4\n          thumb_02_< 4 0 0\n",
        "l",
        "r",
    );
    let text = format!(
        "root 0 0 0\n pelvis 0 95 0\n{legs}  spine_01 0 10 0\n   spine_02 0 15 0\n    spine_03 0 15 0\n{arms}     neck_01 0 16 0\n      head 0 9 1\n ik_foot_root 0 0 0\n  ik_foot_l 9 8 -2\n  ik_foot_r -9 8 -2\n ik_hand_root 0 0 0\n  ik_hand_gun -70 140 0\n   ik_hand_l 140 0 0\n"
    );
    let wanted = [
        (Role::Arm, Side::Left, ["upperarm_l", "lowerarm_l", "hand_l"]),
        (Role::Arm, Side::Right, ["upperarm_r", "lowerarm_r", "hand_r"]),
        (Role::Leg, Side::Left, ["thigh_l", "calf_l", "foot_l"]),
        (Role::Leg, Side::Right, ["thigh_r", "calf_r", "foot_r"]),
    ];
    assert_styles(outline(&text), &wanted, "head", "pelvis", true);
}

#[test]
fn japanese_names() {
    let legs =
        both_sides("   <足 0.8 -0.5 0\n    <ひざ 0 -4 0.1\n     <足首 0 -4 -0.2\n      <つま先 0 -1 1.5\n", "左", "右");
    let arms = both_sides(
        "   <肩 0.3 2 0\n    <腕 1 0 0\n     <腕捩 1 -0.5 0\n      <ひじ 1 -0.5 0\n       <手捩 1 -0.6 0\n        <手首 1 -0.6 0\n         <人指１ 0.5 -0.3 0\n          <人指２ 0.3 -0.2 0\n         <中指１ 0.5 -0.3 -0.1\n          <中指２ 0.3 -0.2 0\n",
        "左",
        "右",
    );
    let text = format!(
        "全ての親 0 0 0\n センター 0 8 0\n  下半身 0 3 0\n{legs}  上半身 0 3 0\n{arms}   首 0 2.3 0\n    頭 0 0.8 0\n     両目 0 1 0.5\n"
    );
    let wanted = [
        (Role::Arm, Side::Left, ["左腕", "左ひじ", "左手首"]),
        (Role::Arm, Side::Right, ["右腕", "右ひじ", "右手首"]),
        (Role::Leg, Side::Left, ["左足", "左ひざ", "左足首"]),
        (Role::Leg, Side::Right, ["右足", "右ひざ", "右足首"]),
    ];
    assert_styles(outline(&text), &wanted, "頭", "センター", false);
}
