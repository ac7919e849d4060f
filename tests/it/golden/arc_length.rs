//! The length of a Bezier segment and of a Catmull-Rom path, and the places at parts of it.

use super::case::{Case, Outcome};
use inbetween::math::Vec3;
use inbetween::math::path::{Cubic3, MeasuredPath, uniform_catmull_rom};

pub(super) fn run(case: &Case) -> Outcome {
    let segments = match case.input::<String>("curve")?.as_str() {
        "cubic_bezier" => vec![Cubic3::from_bezier(case.input::<[Vec3; 4]>("points")?)],
        "uniform_catmull_rom_path" => uniform_catmull_rom(&case.input::<Vec<Vec3>>("points")?),
        other => return Err(format!("no curve is called {other}")),
    };
    let path = MeasuredPath::new(segments, 1e-10);
    let fractions: Vec<f64> = case.input("length_fractions")?;
    let at: Vec<f64> = case.optional("u")?.unwrap_or_default();
    let place = |part: &f64| path.parameter_at(part * path.length());
    let parameters: Vec<f64> = fractions.iter().map(place).collect::<Option<_>>().ok_or("no segments")?;
    case.judge(|field| match field {
        "total_length" => case.numbers_within(field, &[path.length()], "abs_length"),
        "segment_lengths" => case.numbers_within(field, &path.segment_lengths().collect::<Vec<_>>(), "abs_length"),
        "s_of_u" => {
            let got: Option<Vec<f64>> = at.iter().map(|u| path.length_at(*u)).collect();
            case.numbers_within(field, &got.ok_or("no segments")?, "abs_length")
        }
        "u_of_fraction" => case.numbers_within(field, &parameters, "abs_u"),
        "point_at_fraction" => {
            let got: Option<Vec<Vec3>> = parameters.iter().map(|u| path.point(*u)).collect();
            let flat: Vec<f64> = got.ok_or("no segments")?.iter().flat_map(|p| p.iter().copied()).collect();
            case.numbers_within(field, &flat, "abs_point")
        }
        _ => case.unknown(field),
    })
}
