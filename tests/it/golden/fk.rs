//! Forward kinematics: a branching rig in Euler orders, chains with scale, the planar two-link arm.

use super::case::{Case, Outcome};
use inbetween::eval::fk::model_from_locals;
use inbetween::math::rotation::{from_axis_angle, from_euler};
use inbetween::math::{Affine, EulerOrder, Quat, Transform, Vec3};
use inbetween::model::JointTree;

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("parents") {
        rig(case)
    } else if case.has("scales") {
        chain_with_scale(case)
    } else {
        planar(case)
    }
}

fn model(parents: &[Option<usize>], locals: &[Transform]) -> Vec<Affine> {
    let mut model = Vec::new();
    model_from_locals(JointTree::plain(parents), locals, &Affine::IDENTITY, &mut model);
    model
}

fn rows(model: &[Affine]) -> Vec<f64> {
    model.iter().flat_map(|m| m.to_mat4().transpose().as_slice().to_vec()).collect()
}

fn euler_deg(order: EulerOrder, angles: [f64; 3]) -> Quat {
    from_euler(order, angles.map(f64::to_radians))
}

fn rig(case: &Case) -> Outcome {
    let parents: Vec<i64> = case.input("parents")?;
    let parents: Vec<Option<usize>> = parents.into_iter().map(|p| usize::try_from(p).ok()).collect();
    let offsets: Vec<Vec3> = case.input("offsets")?;
    let orders: Vec<EulerOrder> = case.input("rotation_orders")?;
    let angles: Vec<[f64; 3]> = case.input("angles_deg")?;
    let root: Vec3 = case.input("root_translation")?;
    let point: Vec3 = case.input("point_in_last_joint")?;
    let local = |i: usize| Transform {
        translation: if parents[i].is_none() { offsets[i] + root } else { offsets[i] },
        rotation: euler_deg(orders[i], angles[i]),
        scale: Vec3::repeat(1.0),
    };
    let locals: Vec<Transform> = (0..parents.len()).map(local).collect();
    let world = model(&parents, &locals);
    let last = world.last().ok_or("no joints")?;
    case.judge(|field| match field {
        "world_matrices" => case.numbers(field, &rows(&world)),
        "world_positions" => case.vectors(field, &world.iter().map(|m| m.translation).collect::<Vec<_>>()),
        "world_quats" => case.rotations(field, &world.iter().map(Affine::rotation).collect::<Vec<_>>(), "abs"),
        "point_world" => case.vector(field, &last.point(&point)),
        _ => case.unknown(field),
    })
}

fn chain_with_scale(case: &Case) -> Outcome {
    case.input::<String>("chain")?;
    let translations: Vec<Vec3> = case.input("translations")?;
    let angles: Vec<[f64; 3]> = case.input("angles_deg")?;
    let order: EulerOrder = case.input("rotation_order")?;
    let scales: Vec<Vec3> = case.input("scales")?;
    let local =
        |i: usize| Transform { translation: translations[i], rotation: euler_deg(order, angles[i]), scale: scales[i] };
    let locals: Vec<Transform> = (0..translations.len()).map(local).collect();
    let parents: Vec<Option<usize>> = (0..locals.len()).map(|i| i.checked_sub(1)).collect();
    let world = model(&parents, &locals);
    let shear = world.last().ok_or("no joints")?.shear();
    case.judge(|field| match field {
        "world_matrices" => case.numbers(field, &rows(&world)),
        "shear_max_offdiag" => case.number(field, shear),
        "has_shear" => case.flag(field, shear > 1e-9),
        _ => case.unknown(field),
    })
}

/// Links as joints whose offset is the link before, in the plane z = 0.
fn planar(case: &Case) -> Outcome {
    let joint = |offset: f64, degrees: f64| Transform {
        translation: Vec3::new(offset, 0.0, 0.0),
        rotation: from_axis_angle(&Vec3::z(), degrees.to_radians()),
        scale: Vec3::repeat(1.0),
    };
    let (upper, lower): (f64, f64) = (case.input("L1")?, case.input("L2")?);
    let locals = [joint(0.0, case.input("theta1_deg")?), joint(upper, case.input("theta2_deg")?), joint(lower, 0.0)];
    let world = model(&[None, Some(0), Some(1)], &locals);
    case.judge(|field| match field {
        "elbow" => case.vector(field, &world[1].translation),
        "wrist" => case.vector(field, &world[2].translation),
        _ => case.unknown(field),
    })
}
