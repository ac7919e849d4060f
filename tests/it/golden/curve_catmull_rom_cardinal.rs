//! Cardinal keys (tension 0 is Catmull-Rom), the basis matrix, and Catmull-Rom by alpha through points; each also as a path
//! of a document.

use super::case::{Case, Outcome};
use super::curves::{key_slopes, keyed, slopes, values};
use super::played::on_road;
use inbetween::math::Vec3;
use inbetween::math::cubic::{cardinal_matrix, catmull_rom_by_alpha, knots_by_alpha, through_basis};
use inbetween::model::{Interpolation, Key, Path, PathScheme};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("alpha") {
        by_alpha(case)
    } else if case.has("points") {
        by_matrix(case)
    } else {
        keys(case)
    }
}

fn keys(case: &Case) -> Outcome {
    let tension: f64 = case.input("tension")?;
    let times: Vec<f64> = case.input("sample_times")?;
    let cardinal = keyed(case, |_, key| Key { interpolation: Interpolation::Cardinal, tension, ..key })?;
    let mut curves = vec![cardinal];
    if tension == 0.0 {
        curves.push(keyed(case, |_, key| Key { interpolation: Interpolation::CatmullRom, ..key })?);
    }
    case.judge(|field| {
        curves.iter().try_for_each(|curve| match field {
            "values" => values(case, field, curve, &times),
            "derivatives" => slopes(case, field, curve, &times),
            "key_tangents" => {
                let (into, out) = key_slopes(curve);
                case.numbers(field, &into)?;
                case.numbers(field, &out)
            }
            _ => case.unknown(field),
        })
    })
}

fn by_matrix(case: &Case) -> Outcome {
    let points: [Vec3; 4] = case.input("points")?;
    let tension: f64 = case.input("tension")?;
    let basis = cardinal_matrix(tension);
    let us: Vec<f64> = case.input("u")?;
    let got: Vec<Vec3> = us.iter().map(|u| through_basis(&basis, &points, *u)).collect();
    let road = between_the_middle_two(PathScheme::Cardinal { tension }, &points, &us)?;
    case.judge(|field| match field {
        "points" => {
            case.vectors(field, &got)?;
            case.vectors(field, &road)
        }
        "basis_matrix_rows_1_u_u2_u3" => case.matrix(field, &basis),
        _ => case.unknown(field),
    })
}

fn by_alpha(case: &Case) -> Outcome {
    let points: [Vec3; 4] = case.input("points")?;
    let alpha: f64 = case.input("alpha")?;
    let us: Vec<f64> = case.input("u")?;
    let got: Vec<Vec3> = us.iter().map(|u| catmull_rom_by_alpha(&points, alpha, *u)).collect();
    let road = between_the_middle_two(PathScheme::CatmullRom { alpha }, &points, &us)?;
    case.judge(|field| match field {
        "points" => {
            case.vectors(field, &got)?;
            case.vectors(field, &road)
        }
        "knots" => case.numbers(field, &knots_by_alpha(&points, alpha)),
        _ => case.unknown(field),
    })
}

/// The places of a document's path through four points, between the second and the third.
fn between_the_middle_two(scheme: PathScheme, points: &[Vec3], us: &[f64]) -> Result<Vec<Vec3>, String> {
    let parameters: Vec<f64> = us.iter().map(|u| 1.0 + u).collect();
    on_road(Path { scheme, ..Path::through(points) }, &parameters)
}
