//! The easing families, the cross-fade, and the facts about back: the functions, and keys of a document that run by them.

use super::case::{Case, Outcome};
use super::curves::ramp;
use super::played::Played;
use inbetween::eval::curve;
use inbetween::math::cubic::bezier;
use inbetween::math::easing::{Ease, EaseFamily, EaseMode};
use inbetween::model::{EaseShape, Interpolation, Key, KeyedCurve};

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

/// The interpolation of a key that runs by a family.
fn interpolation(family: EaseFamily) -> Interpolation {
    match family {
        EaseFamily::Sine => Interpolation::Sine,
        EaseFamily::Power(2.0) => Interpolation::Quad,
        EaseFamily::Power(3.0) => Interpolation::Cubic,
        EaseFamily::Power(4.0) => Interpolation::Quart,
        EaseFamily::Power(5.0) => Interpolation::Quint,
        EaseFamily::Power(_) => Interpolation::Power,
        EaseFamily::Expo => Interpolation::Expo,
        EaseFamily::Circ => Interpolation::Circ,
        EaseFamily::Smoothstep => Interpolation::Smoothstep,
        EaseFamily::Smootherstep => Interpolation::Smooth,
        EaseFamily::Back { .. } => Interpolation::Back,
        EaseFamily::Elastic { .. } => Interpolation::Elastic,
        EaseFamily::Bounce { .. } => Interpolation::Bounce,
    }
}

/// Two keys of which the first runs to the second by an ease with the usual numbers.
fn eased(ease: Ease, from: f64, to: f64) -> KeyedCurve {
    let shape = EaseShape { mode: ease.mode, ..EaseShape::PLAIN };
    ramp(from, to, |key| Key { interpolation: interpolation(ease.family), ease: shape, ..key })
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
    let played = Played::scalar(&eased(ease, 0.0, 1.0))?.values(&at);
    case.judge(|field| match field {
        "values" => {
            case.numbers(field, &got)?;
            case.numbers(field, &played)
        }
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
    // Flat handles of a third of the gap are what automatic ones are between two keys.
    let by_keys = Played::scalar(&ramp(start, end, |key| key))?.values(&at);
    let by_eased_keys = Played::scalar(&eased(smoothstep, start, end))?.values(&at);
    case.judge(|field| match field {
        "beta" => {
            [&by_bezier, &by_ease, &by_keys, &by_eased_keys].into_iter().try_for_each(|got| case.numbers(field, got))
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
    let played = Played::scalar(&eased(back, 0.0, 1.0))?;
    let segment = curve::segment(played.curve()?, 0).ok_or("no segment")?;
    case.judge(|field| match field {
        "slope_at_0" => {
            case.number(field, back.slope(0.0))?;
            case.number(field, segment.slope(0.0))
        }
        "slope_at_1" => {
            case.number(field, back.slope(1.0))?;
            case.number(field, segment.slope(1.0))
        }
        "x_of_max" => case.number(field, low),
        "max_value" => {
            case.number(field, back.value(low))?;
            case.numbers(field, &played.values(&[low]))
        }
        _ => case.unknown(field),
    })
}
