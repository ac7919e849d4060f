//! Axis and angle, shortest arcs, swing and twist, logarithm and powers, matrices.

use super::case::{Case, Outcome};
use inbetween::math::rotation::{
    exp, from_axis_angle, from_matrix, log, pow, rodrigues, rotation_angle, rotation_vector, shortest_arc, swing_twist,
};
use inbetween::math::{Mat3, Quat, Vec3};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("axis_unnormalised") {
        axis_angle(case)
    } else if case.has("from_") {
        arc(case)
    } else if case.has("twist_axis") {
        split(case)
    } else if case.has("power") {
        logarithm(case)
    } else {
        let quat = from_matrix(&case.input::<Mat3>("matrix")?);
        case.judge(|field| match field {
            "quat" => case.rotation(field, &quat),
            _ => case.unknown(field),
        })
    }
}

fn axis_angle(case: &Case) -> Outcome {
    let axis: Vec3 = case.input("axis_unnormalised")?;
    let angle: f64 = case.input("angle")?;
    let v: Vec3 = case.input("v")?;
    let quat = from_axis_angle(&axis, angle);
    let matrix = rodrigues(&axis.normalize(), angle);
    case.judge(|field| match field {
        "quat" => case.rotation(field, &quat),
        "matrix" => {
            case.matrix(field, &matrix)?;
            case.matrix(field, quat.to_rotation_matrix().matrix())
        }
        "rotated" => {
            case.vector(field, &(quat * v))?;
            case.vector(field, &(matrix * v))
        }
        "rotvec_principal" => case.vector(field, &rotation_vector(&quat)),
        _ => case.unknown(field),
    })
}

fn arc(case: &Case) -> Outcome {
    let (from, to): (Vec3, Vec3) = (case.input("from_")?, case.input("to")?);
    let quat = shortest_arc(&from, &to);
    case.judge(|field| match field {
        "quat" => case.rotation(field, &quat),
        "angle" => case.number(field, rotation_angle(&quat)),
        "property" => {
            let a = from.normalize();
            let v = quat.imag();
            case.hold(quat.coords.iter().all(|c| c.is_finite()), field, || "not finite".into());
            case.hold((quat.norm() - 1.0).abs() < 1e-9, field, || format!("length {}", quat.norm()));
            case.hold(quat.w.abs() < 1e-6, field, || format!("w is {}", quat.w));
            case.hold(v.dot(&a).abs() < 1e-6, field, || format!("the axis is not perpendicular: {v:?}"));
            case.hold((quat * a + a).norm() < 1e-6, field, || format!("rotates to {:?}", quat * a));
            Ok(())
        }
        _ => case.unknown(field),
    })
}

fn split(case: &Case) -> Outcome {
    let quat: Quat = case.input("quat")?;
    let axis: Vec3 = case.input("twist_axis")?;
    let (swing, twist) = swing_twist(&quat, &axis);
    case.judge(|field| match field {
        "swing" => case.rotation(field, &swing),
        "twist" => case.rotation(field, &twist),
        "decomposition" => {
            case.word(field, "q = swing * twist")?;
            let product = swing * twist;
            let apart = (product.coords - quat.coords).norm().min((product.coords + quat.coords).norm());
            case.hold(apart <= case.tolerance("abs"), field, || format!("the product is {apart:e} away"));
            Ok(())
        }
        _ => case.unknown(field),
    })
}

fn logarithm(case: &Case) -> Outcome {
    let quat: Quat = case.input("quat")?;
    let power: f64 = case.input("power")?;
    case.judge(|field| match field {
        "log_xyz" => {
            case.vector(field, &log(&quat))?;
            let apart = (exp(&log(&quat)).coords - quat.coords).norm();
            case.hold(apart <= case.tolerance("abs"), field, || format!("exp of log is {apart:e} away"));
            Ok(())
        }
        "pow" => case.rotation(field, &pow(&quat, power)),
        _ => case.unknown(field),
    })
}
