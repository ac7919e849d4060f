//! The length of a Bezier segment and of a Catmull-Rom path, and the places at parts of it: of the segments, and of a path
//! of a document that an object follows.

use super::case::{Case, Outcome};
use super::curves::ramp;
use super::played::{Played, bezier_path};
use inbetween::math::Vec3;
use inbetween::math::path::{Cubic3, MeasuredPath, uniform_catmull_rom};
use inbetween::model::{Follow, Interpolation, Key, Path, PathScheme, Property};

pub(super) fn run(case: &Case) -> Outcome {
    let (segments, path) = match case.input::<String>("curve")?.as_str() {
        "cubic_bezier" => {
            let points: [Vec3; 4] = case.input("points")?;
            (vec![Cubic3::from_bezier(points)], bezier_path(&points))
        }
        "uniform_catmull_rom_path" => {
            let points: Vec<Vec3> = case.input("points")?;
            let scheme = PathScheme::CatmullRom { alpha: 0.0 };
            (uniform_catmull_rom(&points), Path { scheme, ..Path::through(&points) })
        }
        other => return Err(format!("no curve is called {other}")),
    };
    let measured = MeasuredPath::new(segments, 1e-10);
    // The parts of the length are the follower's seconds: it goes the whole way in one.
    let distance = ramp(0.0, 1.0, |key| Key { interpolation: Interpolation::Linear, ..key });
    let tied = |road| Follow { tied: true, ..Follow::new(road) };
    let followed = Played::follower(path, tied, Some((Property::Distance, distance)))?;
    let fractions: Vec<f64> = case.input("length_fractions")?;
    let at: Vec<f64> = case.optional("u")?.unwrap_or_default();
    let places: Vec<Vec3> = fractions.iter().map(|part| followed.place(*part)).collect();
    let road = followed.road()?;
    case.judge(|field| {
        [&measured, &road].into_iter().try_for_each(|path| match field {
            "total_length" => case.numbers_within(field, &[path.length()], "abs_length"),
            "segment_lengths" => case.numbers_within(field, &path.segment_lengths().collect::<Vec<_>>(), "abs_length"),
            "s_of_u" => {
                let got: Option<Vec<f64>> = at.iter().map(|u| path.length_at(*u)).collect();
                case.numbers_within(field, &got.ok_or("no segments")?, "abs_length")
            }
            "u_of_fraction" => case.numbers_within(field, &parameters(path, &fractions)?, "abs_u"),
            "point_at_fraction" => {
                let got: Option<Vec<Vec3>> = parameters(path, &fractions)?.iter().map(|u| path.point(*u)).collect();
                case.numbers_within(field, &flat(&got.ok_or("no segments")?), "abs_point")?;
                case.numbers_within(field, &flat(&places), "abs_point")
            }
            _ => case.unknown(field),
        })
    })
}

/// The parameters at parts of a path's length.
fn parameters(path: &MeasuredPath, fractions: &[f64]) -> Result<Vec<f64>, String> {
    let place = |part: &f64| path.parameter_at(part * path.length());
    fractions.iter().map(place).collect::<Option<_>>().ok_or_else(|| "no segments".to_owned())
}

fn flat(places: &[Vec3]) -> Vec<f64> {
    places.iter().flat_map(|place| place.iter().copied()).collect()
}
