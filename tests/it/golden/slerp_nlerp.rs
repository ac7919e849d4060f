//! Interpolation between two rotations.

use super::case::{Case, Outcome};
use inbetween::math::Quat;
use inbetween::math::rotation::{nlerp, rotation_angle, slerp};

pub(super) fn run(case: &Case) -> Outcome {
    let (q0, q1): (Quat, Quat) = (case.input("q0")?, case.input("q1")?);
    let t: f64 = case.input("t")?;
    let at = slerp(&q0, &q1, t);
    case.judge(|field| match field {
        "slerp" => case.rotation(field, &at),
        "nlerp" => case.rotation(field, &nlerp(&q0, &q1, t)),
        "slerp_angle_from_q0" => case.number(field, rotation_angle(&(q0.inverse() * at))),
        _ => case.unknown(field),
    })
}
