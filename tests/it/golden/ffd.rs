//! Lattices: Bernstein and uniform cubic B-spline, in double precision and as they are drawn.

use super::case::{Case, Outcome};
use inbetween::eval::deform::{LatticeShape, bulk::Embedding};
use inbetween::math::{Affine, Vec3, lattice::Basis};
use inbetween::model::Lattice;
use serde_json::Value;

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("L") { bernstein(case) } else { spline(case) }
}

/// Vectors by place, `[i][j][k]`, in the order of the lattice's points.
fn offsets(lattice: &Lattice, value: &Value) -> Result<Vec<Vec3>, String> {
    let one = |[i, j, k]: [usize; 3]| {
        let own: [f64; 3] = serde_json::from_value(value[i][j][k].clone()).map_err(|e| e.to_string())?;
        Ok(Vec3::from(own))
    };
    lattice.points().map(|(_, place)| one(place)).collect()
}

fn count(degree: f64) -> u8 {
    u8::try_from(degree as i64 + 1).expect("a small degree")
}

fn bernstein(case: &Case) -> Outcome {
    case.input::<String>("basis")?;
    let degrees: [f64; 3] = [case.input("L")?, case.input("M")?, case.input("N")?];
    let (origin, size): (Vec3, Vec3) = (case.input("origin")?, case.input("size")?);
    let points: Vec<Vec3> = case.input("points")?;
    let lattice = Lattice { counts: degrees.map(count), size, ..Lattice::default() };
    let shape = LatticeShape::new(&lattice, offsets(&lattice, &case.input::<Value>("displacements")?)?);
    let middle = origin + size / 2.0;
    let moved: Vec<Vec3> = points.iter().map(|point| middle + shape.moved(&(point - middle))).collect();
    as_drawn(&shape, &middle, &points, &moved);
    case.judge(|field| match field {
        "stu" => {
            let all = points.iter().map(|point| shape.parameters(&(point - middle)).unwrap_or_default());
            case.vectors(field, &all.collect::<Vec<_>>())
        }
        "points" => case.vectors(field, &moved),
        _ => case.unknown(field),
    })
}

fn spline(case: &Case) -> Outcome {
    case.input::<String>("basis")?;
    let counts: [f64; 3] = case.input("counts")?;
    let params: Vec<Vec3> = case.input("params")?;
    let lattice = Lattice { counts: counts.map(|n| count(n - 1.0)), bases: [Basis::BSpline; 3], ..Lattice::default() };
    let shape = LatticeShape::new(&lattice, offsets(&lattice, &case.input::<Value>("control_vectors")?)?);
    let values: Vec<Vec3> = params.iter().map(|at| shape.offset_at(at)).collect();
    let points: Vec<Vec3> = params.iter().map(|at| at - Vec3::repeat(0.5)).collect();
    let moved: Vec<Vec3> = points.iter().zip(&values).map(|(point, value)| point + value).collect();
    as_drawn(&shape, &Vec3::zeros(), &points, &moved);
    case.judge(|field| match field {
        "values" => case.vectors(field, &values),
        _ => case.unknown(field),
    })
}

/// What is drawn agrees with the truth.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what is tested")]
fn as_drawn(shape: &LatticeShape, middle: &Vec3, points: &[Vec3], wanted: &[Vec3]) {
    let mut drawn: Vec<[f32; 3]> = points.iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect();
    let inverse = Affine { translation: -middle, ..Affine::IDENTITY };
    Embedding::new(&drawn, &inverse, shape, None).apply(shape, |offset| *offset, &mut drawn);
    for (got, wanted) in drawn.iter().zip(wanted) {
        let got = Vec3::from(got.map(f64::from));
        assert!((got - wanted).norm() < 1e-5, "{got} is not {wanted}");
    }
}
