//! The cubic Bezier easing of CSS.

use super::case::{Case, Outcome};
use inbetween::math::easing::CssBezier;

pub(super) fn run(case: &Case) -> Outcome {
    let ease = CssBezier::new(case.input("x1")?, case.input("y1")?, case.input("x2")?, case.input("y2")?);
    let at: Vec<f64> = case.input("x")?;
    let got: Vec<f64> = at.iter().map(|x| ease.value(*x)).collect();
    case.judge(|field| match field {
        "y" => case.numbers(field, &got),
        _ => case.unknown(field),
    })
}
