//! The geometric Jacobian of hinge chains and one step of each linear method.

use super::case::{Case, Outcome};
use inbetween::eval::ik::jacobian;
use inbetween::math::Vec3;

pub(super) fn run(case: &Case) -> Outcome {
    let positions: Vec<Vec3> = case.input("joint_positions")?;
    let axes: Vec<Vec3> = case.input("joint_axes_world")?;
    let end: Vec3 = case.input("end_effector")?;
    let target: Vec3 = case.input("target")?;
    let lambda: f64 = case.input("lambda_")?;
    let step = target - end;
    let (mut columns, mut turns) = (Vec::new(), Vec::new());
    jacobian::columns(&positions, &axes, &end, &mut columns);
    case.judge(|field| match field {
        "jacobian" => {
            let rows: Vec<f64> = (0..3).flat_map(|row| columns.iter().map(move |c| c[row])).collect();
            case.numbers(field, &rows)
        }
        "dls_dtheta" => {
            jacobian::damped_step(&columns, &step, lambda, &mut turns);
            case.numbers(field, &turns)
        }
        "transpose_alpha" => case.number(field, jacobian::transpose_step(&columns, &step, &mut turns)),
        "transpose_dtheta" => {
            jacobian::transpose_step(&columns, &step, &mut turns);
            case.numbers(field, &turns)
        }
        "pinv_dtheta" => {
            jacobian::pseudo_inverse_step(&columns, &step, &mut turns);
            case.numbers(field, &turns)
        }
        _ => case.unknown(field),
    })
}
