//! Hermite: keys with typed slopes (as Bezier handles of a third of the gap, which is the same curve), and the basis
//! through points.

use super::case::{Case, Outcome};
use super::curves::{keyed, slopes, values};
use inbetween::math::Vec3;
use inbetween::math::cubic::{HERMITE, through_basis};
use inbetween::model::{Handle, Interpolation, Key};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("P0") { points(case) } else { keys(case) }
}

fn keys(case: &Case) -> Outcome {
    let into: Vec<f64> = case.input("tangent_in")?;
    let out: Vec<f64> = case.input("tangent_out")?;
    let key_times: Vec<f64> = case.input("times")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let third = |i: usize| (key_times[i + 1] - key_times[i]) / 3.0;
    let handle = |gap: f64, slope: f64| Handle::Free(gap, gap * slope);
    let last = key_times.len().saturating_sub(1);
    let curve = keyed(case, |i, key| Key {
        interpolation: Interpolation::Bezier,
        handle_in: if i > 0 { handle(-third(i - 1), into[i]) } else { Handle::default() },
        handle_out: if i < last { handle(third(i), out[i]) } else { Handle::default() },
        ..key
    })?;
    case.judge(|field| match field {
        "values" => values(case, field, &curve, &times),
        "derivatives" => slopes(case, field, &curve, &times),
        _ => case.unknown(field),
    })
}

fn points(case: &Case) -> Outcome {
    let points: [Vec3; 4] = [case.input("P0")?, case.input("P1")?, case.input("m0")?, case.input("m1")?];
    let us: Vec<f64> = case.input("u")?;
    let got: Vec<Vec3> = us.iter().map(|u| through_basis(&HERMITE, &points, *u)).collect();
    case.judge(|field| match field {
        "points" => case.vectors(field, &got),
        "basis_matrix" => case.matrix(field, &HERMITE),
        _ => case.unknown(field),
    })
}
