//! The quintic of inertialization, and the offset of a rotation that it starts from.

use super::case::{Case, Outcome};
use inbetween::math::Quat;
use inbetween::math::decay::{Quintic, RotationOffset};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("q_source_now") {
        let of = |field: &str| case.input::<Quat>(field);
        let (now, before, target) = (of("q_source_now")?, of("q_source_prev")?, of("q_target_at_switch")?);
        let offset = RotationOffset::new(&now, &before, &target, case.input("dt")?);
        return case.judge(|field| match field {
            "axis" => case.vector(field, &offset.axis),
            "x0" => case.number(field, offset.x0),
            "v0" => case.number(field, offset.v0),
            _ => case.unknown(field),
        });
    }
    let quintic = Quintic::bollo(case.input("x0")?, case.input("v0")?, case.input("blend_time")?);
    let times: Vec<f64> = case.input("sample_times")?;
    case.judge(|field| match field {
        "effective_blend_time" => case.number(field, quintic.secs),
        "v0_used" => case.number(field, quintic.v0),
        "a0" => case.number(field, quintic.a0),
        "A" => case.number(field, quintic.abc[0]),
        "B" => case.number(field, quintic.abc[1]),
        "C" => case.number(field, quintic.abc[2]),
        "offset" => case.numbers(field, &times.iter().map(|t| quintic.value(*t)).collect::<Vec<_>>()),
        _ => case.unknown(field),
    })
}
