//! Hermite: keys with typed slopes, the same as Bezier handles of a third of the gap, the basis through points, and a path
//! whose handles are a third of the tangents.

use super::case::{Case, Outcome};
use super::curves::{keyed, slopes, values};
use super::played::on_road;
use inbetween::math::Vec3;
use inbetween::math::cubic::{HERMITE, through_basis};
use inbetween::model::{Handle, Interpolation, Key, Path, PathScheme};

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
    let typed = keyed(case, |i, key| Key {
        interpolation: Interpolation::Hermite,
        slope_in: into[i],
        slope_out: out[i],
        ..key
    })?;
    let by_handles = keyed(case, |i, key| Key {
        interpolation: Interpolation::Bezier,
        handle_in: if i > 0 { handle(-third(i - 1), into[i]) } else { Handle::default() },
        handle_out: if i < last { handle(third(i), out[i]) } else { Handle::default() },
        ..key
    })?;
    case.judge(|field| {
        [&typed, &by_handles].into_iter().try_for_each(|curve| match field {
            "values" => values(case, field, curve, &times),
            "derivatives" => slopes(case, field, curve, &times),
            _ => case.unknown(field),
        })
    })
}

fn points(case: &Case) -> Outcome {
    let points: [Vec3; 4] = [case.input("P0")?, case.input("P1")?, case.input("m0")?, case.input("m1")?];
    let us: Vec<f64> = case.input("u")?;
    let got: Vec<Vec3> = us.iter().map(|u| through_basis(&HERMITE, &points, *u)).collect();
    let [p0, p1, m0, m1] = points;
    let mut path = Path { scheme: PathScheme::Bezier, ..Path::through(&[p0, p1]) };
    path.points[0].handle_out = Some(m0 / 3.0);
    path.points[1].handle_in = Some(-m1 / 3.0);
    let road = on_road(path, &us)?;
    case.judge(|field| match field {
        "points" => {
            case.vectors(field, &got)?;
            case.vectors(field, &road)
        }
        "basis_matrix" => case.matrix(field, &HERMITE),
        _ => case.unknown(field),
    })
}
