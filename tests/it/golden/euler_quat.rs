//! Euler triples in six orders to quaternions and matrices, and back.

use super::case::{Case, Outcome};
use inbetween::eval::rotation_lab::{Form, ReadOut};
use inbetween::math::rotation::{from_euler, from_matrix, to_euler};
use inbetween::math::{EulerOrder, Mat3, Quat};

pub(super) fn run(case: &Case) -> Outcome {
    let order: EulerOrder = case.input("order")?;
    let angles = case.input::<[f64; 3]>("angles_deg")?.map(f64::to_radians);
    let quat = from_euler(order, angles);
    let matrix = *quat.to_rotation_matrix().matrix();
    // Both ways back: from the quaternion itself and by way of the matrix.
    let triples = [to_euler(order, &quat), to_euler(order, &from_matrix(&matrix))];
    let [a, b, c] = angles;
    let typed = ReadOut::of(Quat::identity()).with_all(Form::Euler(order), [a, b, c, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    case.judge(|field| match field {
        "quat" => {
            case.rotation(field, typed.rotation())?;
            case.rotation(field, &quat)
        }
        "matrix" => {
            case.matrix(field, &Mat3::from_row_slice(&typed.numbers(Form::Matrix)))?;
            case.matrix(field, &matrix)
        }
        "principal_angles_deg" => {
            triples.iter().try_for_each(|triple| principal(case, field, triple.map(f64::to_degrees)))
        }
        "degenerate" => {
            let locked = (triples[0][1].to_degrees().abs() - 90.0).abs() < case.tolerance("abs_deg");
            case.flag(field, locked)
        }
        "canonical_third_zero_deg" => {
            triples.iter().try_for_each(|triple| principal(case, field, triple.map(f64::to_degrees)))
        }
        "inverse_check" => {
            for triple in &triples {
                rebuilds(case, field, order, *triple, &quat);
            }
            Ok(())
        }
        _ => case.unknown(field),
    })
}

/// The triple equals the expected one, each angle up to whole turns, and lies in the principal range.
fn principal(case: &Case, field: &str, got_deg: [f64; 3]) -> Outcome {
    let [first, middle, third] = got_deg;
    let in_range = [first, third].iter().all(|a| *a > -180.0 && *a <= 180.0) && middle.abs() <= 90.0;
    case.hold(in_range, field, || format!("{got_deg:?} is not in the principal range"));
    let wanted: [f64; 3] = case.wanted(field)?;
    let same_turn: Vec<f64> = (0..3).map(|n| got_deg[n] + 360.0 * ((wanted[n] - got_deg[n]) / 360.0).round()).collect();
    case.numbers_within(field, &same_turn, "abs_deg")
}

/// A triple at gimbal lock rebuilds the rotation and has a middle angle of +-90 degrees.
fn rebuilds(case: &Case, field: &str, order: EulerOrder, triple: [f64; 3], quat: &Quat) {
    let again = from_euler(order, triple);
    let apart = (again.coords - quat.coords).norm().min((again.coords + quat.coords).norm());
    case.hold(apart <= case.tolerance("abs"), field, || format!("{triple:?} rebuilds a rotation {apart:e} away"));
    let middle = triple[1].to_degrees().abs();
    case.hold((middle - 90.0).abs() <= 1e-4, field, || format!("the middle angle is {middle}"));
}
