//! The cubic Bezier easing of CSS: the function, and a key of a document that runs by it.

use super::case::{Case, Outcome};
use super::curves::ramp;
use super::played::Played;
use inbetween::math::easing::CssBezier;
use inbetween::model::{EaseShape, Interpolation, Key};

pub(super) fn run(case: &Case) -> Outcome {
    let css: [f64; 4] = [case.input("x1")?, case.input("y1")?, case.input("x2")?, case.input("y2")?];
    let [x1, y1, x2, y2] = css;
    let function = CssBezier::new(x1, y1, x2, y2);
    let at: Vec<f64> = case.input("x")?;
    let got: Vec<f64> = at.iter().map(|x| function.value(*x)).collect();
    let ease = EaseShape { css, ..EaseShape::PLAIN };
    let curve = ramp(0.0, 1.0, |key| Key { interpolation: Interpolation::Css, ease, ..key });
    let played = Played::scalar(&curve)?.values(&at);
    case.judge(|field| match field {
        "y" => {
            case.numbers(field, &got)?;
            case.numbers(field, &played)
        }
        _ => case.unknown(field),
    })
}
