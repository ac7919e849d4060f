use super::*;
use crate::{
    math::rotation::from_axis_angle,
    model::{Joint, JointId},
};

/// A trunk with two arms and two legs of two bones, Y up, facing +Z, left at +X.
fn body(names: bool) -> Vec<Joint> {
    let mut joints = vec![
        Joint::new(JointId(0), "hips", None, Vec3::new(0.0, 1.0, 0.0)),
        Joint::new(JointId(1), "chest", Some(JointId(0)), Vec3::new(0.0, 0.4, 0.0)),
        Joint::new(JointId(2), "head", Some(JointId(1)), Vec3::new(0.0, 0.3, 0.0)),
    ];
    for (side, letter) in [(1.0, "l"), (-1.0, "r")] {
        for (parent, bones) in [
            (1, [("upperarm", [0.2, 0.2, 0.0]), ("forearm", [0.3, 0.0, -0.01]), ("hand", [0.28, 0.0, 0.01])]),
            (0, [("thigh", [0.1, -0.05, 0.0]), ("shin", [0.0, -0.45, 0.02]), ("foot", [0.0, -0.45, -0.02])]),
        ] {
            let mut above = JointId(parent);
            for (name, [x, y, z]) in bones {
                let id = JointId(joints.len() as u32);
                joints.push(Joint::new(id, &format!("{name}.{letter}"), Some(above), Vec3::new(side * x, y, z)));
                above = id;
            }
        }
    }
    for (index, joint) in joints.iter_mut().enumerate() {
        if !names {
            joint.name = format!("j{index}");
        }
    }
    joints
}

fn mirror(joints: &[Joint]) -> (Skeleton, Mirror) {
    let skeleton = Skeleton::new(joints.to_vec()).unwrap();
    let limbs = limbs::of_skeleton(&skeleton, &[]);
    let rest: Vec<Transform> = joints.iter().map(|joint| joint.rest).collect();
    let mirror = Mirror::of_skeleton(&skeleton, &limbs, &rest, &rest);
    (skeleton, mirror)
}

fn turn(seed: f64) -> Quat {
    from_axis_angle(&Vec3::new(seed.sin(), (seed * 1.7).cos(), (seed * 2.3).sin()), 1.4 * (seed * 0.9).cos())
}

fn posed(joints: &[Joint]) -> Vec<Transform> {
    let locals = joints.iter().enumerate().map(|(index, joint)| {
        let seed = 1.0 + index as f64;
        Transform {
            rotation: joint.rest.rotation * turn(seed),
            translation: joint.rest.translation + Vec3::new(seed.sin(), seed.cos(), 0.3) * 0.02,
            scale: Vec3::new(1.0 + 0.01 * seed, 1.0, 1.0 - 0.02 * seed),
        }
    });
    locals.collect()
}

fn places(skeleton: &Skeleton, locals: &[Transform]) -> Vec<Vec3> {
    // Places by rotations and translations alone: sheared scale has no mirror image among local transforms.
    let plain: Vec<_> = locals.iter().map(|local| Transform { scale: Vec3::repeat(1.0), ..*local }).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), &plain, &Affine::IDENTITY, &mut model);
    model.iter().map(|model| model.translation).collect()
}

/// The same body whose bones turn their axes every which way at rest: joint places stay.
fn with_turned_axes(joints: &[Joint]) -> Vec<Joint> {
    let mut rotations: Vec<Quat> = Vec::new();
    let mut turned = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        let above = joint.parent.map_or_else(Quat::identity, |parent| rotations[parent.0 as usize]);
        let own = turn(3.0 + index as f64);
        let rest = Transform {
            translation: above.inverse() * joint.rest.translation,
            rotation: above.inverse() * own,
            ..joint.rest
        };
        rotations.push(own);
        turned.push(Joint { rest, ..joint.clone() });
    }
    turned
}

/// The same body lying along Z, facing -Y.
fn z_up(joints: &[Joint]) -> Vec<Joint> {
    let up = from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2);
    let lying = joints.iter().map(|joint| {
        let mut joint = joint.clone();
        joint.rest.translation = up * joint.rest.translation;
        joint
    });
    lying.collect()
}

#[test]
fn places_of_a_mirrored_pose_are_the_reflections_of_the_partners() {
    for named in [true, false] {
        let plain = body(named);
        for joints in [plain.clone(), with_turned_axes(&plain), z_up(&plain), with_turned_axes(&z_up(&plain))] {
            let (skeleton, mirror) = mirror(&joints);
            assert!((mirror.normal().abs() - Vec3::x()).norm() < 1e-12, "{:?}", mirror.normal());
            let pose = posed(&joints);
            let (before, after) = (places(&skeleton, &pose), places(&skeleton, &mirror.pose(&pose)));
            for joint in 0..joints.len() {
                let expected = before[mirror.partner(joint)].component_mul(&Vec3::new(-1.0, 1.0, 1.0));
                assert!((after[joint] - expected).norm() < 1e-12, "{}", joints[joint].name);
            }
        }
    }
}

#[test]
fn pairs_are_found_by_name_and_without() {
    for named in [true, false] {
        let (_, mirror) = mirror(&body(named));
        for joint in 0..3 {
            assert_eq!(mirror.partner(joint), joint);
        }
        for joint in 3..9 {
            assert_eq!((mirror.partner(joint), mirror.partner(joint + 6)), (joint + 6, joint), "named: {named}");
        }
        assert_eq!(mirror.partner(99), 99);
    }
}

#[test]
fn the_rest_pose_is_its_own_mirror_image_and_twice_is_once_undone() {
    for joints in [body(true), with_turned_axes(&body(true)), z_up(&body(false))] {
        let (_, mirror) = mirror(&joints);
        let apart = |a: &Transform, b: &Transform| {
            (a.translation - b.translation).norm() + a.rotation.angle_to(&b.rotation) + (a.scale - b.scale).norm()
        };
        let rest: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
        let pose = posed(&joints);
        let twice = mirror.pose(&mirror.pose(&pose));
        for joint in 0..joints.len() {
            assert!(apart(&twice[joint], &pose[joint]) < 1e-9, "{}", joints[joint].name);
            assert!(apart(&mirror.pose(&rest)[joint], &rest[joint]) < 1e-9, "{}", joints[joint].name);
        }
    }
}
