//! What the mannequin promises on bodies of several kinds.

use super::{Body, Mannequin, Part, Side};
use crate::math::{Affine, Transform, Vec3, rotation::from_axis_angle};

/// Joints as (name, parent, offset).
type Bones = Vec<(&'static str, Option<usize>, [f64; 3])>;

fn person() -> Bones {
    let mut bones: Bones = vec![
        ("Hips", None, [0.0, 0.95, 0.0]),
        ("Spine", Some(0), [0.0, 0.12, 0.0]),
        ("Chest", Some(1), [0.0, 0.2, 0.0]),
        ("Neck", Some(2), [0.0, 0.22, 0.0]),
        ("Head", Some(3), [0.0, 0.1, 0.0]),
        ("", Some(4), [0.0, 0.2, 0.0]),
    ];
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let name = |left: &'static str, right: &'static str| if side == "Left" { left } else { right };
        let base = bones.len();
        bones.extend([
            (name("LeftShoulder", "RightShoulder"), Some(2), [0.03 * x, 0.17, 0.0]),
            (name("LeftArm", "RightArm"), Some(base), [0.14 * x, 0.0, 0.0]),
            (name("LeftForeArm", "RightForeArm"), Some(base + 1), [0.28 * x, 0.0, 0.0]),
            (name("LeftHand", "RightHand"), Some(base + 2), [0.26 * x, 0.0, 0.0]),
        ]);
        for z in [-0.03, 0.0, 0.03] {
            let finger = bones.len();
            bones.push(("", Some(base + 3), [0.09 * x, 0.0, z]));
            bones.push(("", Some(finger), [0.04 * x, 0.0, 0.0]));
            bones.push(("", Some(finger + 1), [0.03 * x, 0.0, 0.0]));
        }
        let leg = bones.len();
        bones.extend([
            (name("LeftUpLeg", "RightUpLeg"), Some(0), [0.1 * x, -0.02, 0.0]),
            (name("LeftLeg", "RightLeg"), Some(leg), [0.0, -0.44, 0.0]),
            (name("LeftFoot", "RightFoot"), Some(leg + 1), [0.0, -0.42, -0.02]),
            (name("LeftToe", "RightToe"), Some(leg + 2), [0.0, -0.06, 0.14]),
            ("", Some(leg + 3), [0.0, 0.0, 0.07]),
        ]);
    }
    bones
}

fn dog() -> Bones {
    let mut bones: Bones = vec![
        ("pelvis", None, [0.0, 0.5, -0.4]),
        ("spine", Some(0), [0.0, 0.0, 0.3]),
        ("chest", Some(1), [0.0, 0.0, 0.3]),
        ("neck", Some(2), [0.0, 0.15, 0.15]),
        ("skull", Some(3), [0.0, 0.1, 0.1]),
        ("", Some(4), [0.0, 0.0, 0.2]),
        ("tail", Some(0), [0.0, 0.0, -0.1]),
        ("", Some(6), [0.0, 0.1, -0.3]),
    ];
    for at in [0, 2] {
        for x in [0.1, -0.1] {
            let leg = bones.len();
            bones.push(("", Some(at), [x, -0.05, 0.0]));
            bones.push(("", Some(leg), [0.0, -0.22, 0.03]));
            bones.push(("", Some(leg + 1), [0.0, -0.22, -0.03]));
            bones.push(("", Some(leg + 2), [0.0, 0.0, 0.07]));
        }
    }
    bones
}

fn strand(count: usize) -> Bones {
    (0..count).map(|i| ("", i.checked_sub(1), [0.0, 0.1, 0.0])).collect()
}

/// Joints without a name and without children end a bone.
fn tips(parents: &[Option<usize>]) -> Vec<bool> {
    (0..parents.len()).map(|joint| !parents.contains(&Some(joint))).collect()
}

fn built(bones: &Bones, root: &Affine, named: bool) -> Mannequin {
    let parents: Vec<Option<usize>> = bones.iter().map(|bone| bone.1).collect();
    let mut rest: Vec<Affine> = Vec::new();
    for (_, parent, offset) in bones {
        let local = Transform::from_translation(Vec3::from(*offset)).to_affine();
        rest.push(parent.map_or(*root, |parent| rest[parent]) * local);
    }
    let names: Vec<&str> = bones.iter().map(|bone| bone.0).collect();
    let names = if named { &names[..] } else { &[] };
    let tips = tips(&parents);
    Mannequin::new(&Body { parents: &parents, tips: &tips, rest: &rest, posed: None, limbs: None, names })
}

fn triangles(mannequin: &Mannequin) -> usize {
    mannequin.parts.iter().map(|part| part.mesh.indices.len() / 3).sum()
}

fn parts_of(mannequin: &Mannequin, joint: usize) -> Vec<&Part> {
    mannequin.parts.iter().filter(|part| part.joint == joint).collect()
}

#[test]
fn a_person_is_light_symmetric_and_toned_by_side() {
    for named in [true, false] {
        let mannequin = built(&person(), &Affine::IDENTITY, named);
        assert!(triangles(&mannequin) < 6000 && mannequin.parts.len() < 70);
        assert!((mannequin.size - 1.7).abs() < 0.3, "{}", mannequin.size);
        let count = |side: Side| mannequin.parts.iter().filter(|part| part.side == side).count();
        assert!(count(Side::Left) > 10 && count(Side::Left) == count(Side::Right), "{named}");
        assert!(count(Side::Middle) >= 5);
        for part in &mannequin.parts {
            assert!(part.mesh.positions.iter().flatten().all(|x| x.is_finite()));
            // +X is the left of a body that faces +Z.
            let (left_arm, right_arm) = (6..19, 24..37);
            assert!(!left_arm.contains(&part.joint) || part.side == Side::Left);
            assert!(!right_arm.contains(&part.joint) || part.side == Side::Right);
        }
    }
}

#[test]
fn every_moving_joint_of_a_person_has_a_part() {
    let bones = person();
    let mannequin = built(&bones, &Affine::IDENTITY, true);
    for (joint, (name, ..)) in bones.iter().enumerate() {
        assert_eq!(name.is_empty(), parts_of(&mannequin, joint).is_empty() || name.is_empty(), "{name}");
    }
}

#[test]
fn parts_are_in_human_proportion() {
    let mannequin = built(&person(), &Affine::IDENTITY, true);
    let radius = |joint: usize| parts_of(&mannequin, joint).iter().map(|part| part.radius_a).fold(0.0, f64::max);
    let (thigh, shin, arm, finger) = (radius(19), radius(20), radius(7), radius(10));
    assert!(thigh > shin && shin > 0.8 * arm && arm > 2.0 * finger, "{thigh} {shin} {arm} {finger}");
    assert!((0.05..0.1).contains(&thigh) && (0.025..0.06).contains(&arm));
}

#[test]
fn the_parts_do_not_depend_on_where_the_rest_pose_stands() {
    let straight = built(&person(), &Affine::IDENTITY, true);
    let lying = Affine {
        translation: Vec3::new(3.0, -2.0, 7.0),
        ..Transform::from_rotation(from_axis_angle(&Vec3::new(1.0, 0.2, -0.4), 1.7)).to_affine()
    };
    let moved = built(&person(), &lying, true);
    assert_eq!(straight.parts.len(), moved.parts.len());
    for (a, b) in straight.parts.iter().zip(&moved.parts) {
        assert_eq!((a.joint, a.side), (b.joint, b.side));
        for (p, q) in a.mesh.positions.iter().flatten().zip(b.mesh.positions.iter().flatten()) {
            assert!((p - q).abs() < 1e-5, "joint {}", a.joint);
        }
    }
}

#[test]
fn animals_and_strands_have_a_body_too() {
    let hound = built(&dog(), &Affine::IDENTITY, false);
    for joint in 0..dog().len() {
        let is_tip = !dog().iter().any(|(_, parent, _)| *parent == Some(joint));
        assert!(is_tip || !parts_of(&hound, joint).is_empty(), "joint {joint}");
    }
    let tentacle = built(&strand(20), &Affine::IDENTITY, false);
    assert_eq!(tentacle.parts.len(), 19);
    for pair in tentacle.parts.windows(2) {
        assert!(pair[1].radius_a <= pair[0].radius_a && (pair[1].radius_a - pair[0].radius_b).abs() < 1e-12);
    }
}

#[test]
fn degenerate_skeletons_are_harmless() {
    assert!(built(&Vec::new(), &Affine::IDENTITY, false).parts.is_empty());
    assert!(built(&strand(1), &Affine::IDENTITY, false).parts.is_empty());
    let heap: Bones = (0..9).map(|i: usize| ("", i.checked_sub(1), [0.0; 3])).collect();
    assert!(built(&heap, &Affine::IDENTITY, false).parts.is_empty());
    let mut broken = person();
    broken[7].2[1] = f64::NAN;
    let mannequin = built(&broken, &Affine::IDENTITY, true);
    assert!(mannequin.parts.iter().all(|part| part.mesh.positions.iter().flatten().all(|x| x.is_finite())));
    let flat = Affine { linear: crate::math::Mat3::zeros(), ..Affine::IDENTITY };
    let squashed = built(&person(), &flat, true);
    assert!(squashed.parts.iter().all(|part| part.mesh.positions.iter().flatten().all(|x| x.is_finite())));
    // A parent that comes later counts as none.
    let rest = [Affine::IDENTITY; 2];
    let body =
        Body { parents: &[Some(1), Some(9)], tips: &[false; 2], rest: &rest, posed: None, limbs: None, names: &[] };
    assert!(Mannequin::new(&body).parts.is_empty());
}
