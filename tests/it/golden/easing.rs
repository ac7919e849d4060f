//! The easing families, the cross-fade, and the facts about back.

use super::case::{Case, Outcome};
use inbetween::math::cubic::bezier;
use inbetween::math::easing::{Ease, EaseFamily, EaseMode};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("beta_start") {
        crossfade(case)
    } else if case.has("s") {
        back_facts(case)
    } else {
        values(case)
    }
}

/// The family, from the inputs; the two polynomials without a mode have it in the name of the case alone.
fn family(case: &Case) -> Result<EaseFamily, String> {
    let family: Option<String> = case.optional("family")?;
    Ok(match family.as_deref().unwrap_or(case.name()) {
        "sine" => EaseFamily::Sine,
        "quad" => EaseFamily::Power(2.0),
        "cubic" => EaseFamily::Power(3.0),
        "quart" => EaseFamily::Power(4.0),
        "quint" => EaseFamily::Power(5.0),
        "expo" => EaseFamily::Expo,
        "circ" => EaseFamily::Circ,
        "back" => EaseFamily::BACK,
        "elastic" => EaseFamily::ELASTIC,
        "bounce" => EaseFamily::BOUNCE,
        name if name.starts_with("smootherstep") => EaseFamily::Smootherstep,
        name if name.starts_with("smoothstep") => EaseFamily::Smoothstep,
        other => return Err(format!("no easing family is called {other}")),
    })
}

fn values(case: &Case) -> Outcome {
    let mode: Option<String> = case.optional("mode")?;
    let mode = match mode.as_deref() {
        Some("in") => EaseMode::In,
        Some("out") => EaseMode::Out,
        Some("inout") | None => EaseMode::InOut,
        Some(other) => return Err(format!("no mode is called {other}")),
    };
    let ease = Ease { family: family(case)?, mode };
    let at: Vec<f64> = case.input("x")?;
    let got: Vec<f64> = at.iter().map(|x| ease.value(*x)).collect();
    case.judge(|field| match field {
        "values" => case.numbers(field, &got),
        _ => case.unknown(field),
    })
}

/// A weight that goes from one to another by a Bezier whose handles are flat.
fn crossfade(case: &Case) -> Outcome {
    let (start, end): (f64, f64) = (case.input("beta_start")?, case.input("beta_end")?);
    let at: Vec<f64> = case.input("u")?;
    let smoothstep = Ease { family: EaseFamily::Smoothstep, mode: EaseMode::InOut };
    let by_bezier: Vec<f64> = at.iter().map(|u| bezier([start, start, end, end], *u)).collect();
    let by_ease: Vec<f64> = at.iter().map(|u| start + (end - start) * smoothstep.value(*u)).collect();
    case.judge(|field| match field {
        "beta" => {
            case.numbers(field, &by_bezier)?;
            case.numbers(field, &by_ease)
        }
        _ => case.unknown(field),
    })
}

fn back_facts(case: &Case) -> Outcome {
    let back = Ease { family: EaseFamily::Back { overshoot: case.input("s")? }, mode: EaseMode::Out };
    // Back out rises, and falls from its one maximum on.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if back.slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    case.judge(|field| match field {
        "slope_at_0" => case.number(field, back.slope(0.0)),
        "slope_at_1" => case.number(field, back.slope(1.0)),
        "x_of_max" => case.number(field, low),
        "max_value" => case.number(field, back.value(low)),
        _ => case.unknown(field),
    })
}
