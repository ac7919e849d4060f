//! Skinning: linear blend and dual quaternions.

use super::case::{Case, Outcome};
use inbetween::eval::skin::{DualMap, bulk, dual_blend, linear_blend};
use inbetween::math::{Affine, Quat, Transform, Vec3};
use serde_json::Value;

fn maps(value: &Value) -> Result<Vec<Affine>, String> {
    let place = |joint: &Value| {
        let numbers = |key: &str| serde_json::from_value::<Vec<f64>>(joint[key].clone()).map_err(|e| e.to_string());
        let (q, t) = (numbers("q")?, numbers("t")?);
        let rotation = Quat::new_unchecked(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
        Ok(Transform { translation: Vec3::new(t[0], t[1], t[2]), rotation, scale: Vec3::repeat(1.0) }.to_affine())
    };
    value.as_array().ok_or("no list")?.iter().map(place).collect()
}

pub(super) fn run(case: &Case) -> Outcome {
    let (bind, current) = (maps(&case.input::<Value>("bind")?)?, maps(&case.input::<Value>("current")?)?);
    let vertices: Vec<Vec3> = case.input("vertices")?;
    let weights: Vec<Vec<f64>> = serde_json::from_value(case.input::<Value>("weights")?).map_err(|e| e.to_string())?;
    let skinning: Vec<Affine> =
        current.iter().zip(&bind).map(|(now, bind)| *now * bind.try_inverse().expect("a rigid map")).collect();
    let influences = |vertex: usize| weights[vertex].iter().copied().enumerate();
    let linear: Vec<Vec3> =
        vertices.iter().enumerate().map(|(i, v)| linear_blend(v, influences(i), &skinning)).collect();
    in_single_precision(&vertices, &weights, &skinning, &linear);
    case.judge(|field| match field {
        "lbs" => case.vectors(field, &linear),
        "dqs" => {
            let maps: Vec<DualMap> = skinning.iter().map(DualMap::new).collect();
            let dual: Vec<Vec3> =
                vertices.iter().enumerate().map(|(i, v)| dual_blend(v, influences(i), &maps)).collect();
            dual_in_single_precision(&vertices, &weights, &maps, &dual);
            case.vectors(field, &dual)
        }
        _ => case.unknown(field),
    })
}

/// What is drawn agrees with the truth.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what is tested")]
fn drawn_near(
    vertices: &[Vec3],
    weights: &[Vec<f64>],
    wanted: &[Vec3],
    draw: impl Fn(&bulk::Bound<'_>, &mut Vec<[f32; 3]>, &mut Vec<[f32; 3]>),
) {
    let positions: Vec<[f32; 3]> = vertices.iter().map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect();
    let per_vertex = weights[0].len();
    let joints: Vec<u16> = weights.iter().flat_map(|_| 0..u16::try_from(per_vertex).expect("few joints")).collect();
    let weights: Vec<f32> = weights.iter().flatten().map(|weight| *weight as f32).collect();
    let bound = bulk::Bound { positions: &positions, normals: &[], per_vertex, influences: &joints, weights: &weights };
    let (mut out, mut normals) = (Vec::new(), Vec::new());
    draw(&bound, &mut out, &mut normals);
    for (got, wanted) in out.iter().zip(wanted) {
        let got = Vec3::new(f64::from(got[0]), f64::from(got[1]), f64::from(got[2]));
        assert!((got - wanted).norm() < 1e-5, "{got} is not {wanted}");
    }
}

fn in_single_precision(vertices: &[Vec3], weights: &[Vec<f64>], skinning: &[Affine], wanted: &[Vec3]) {
    let rows: Vec<bulk::Rows> = skinning.iter().map(bulk::rows).collect();
    drawn_near(vertices, weights, wanted, |bound, out, normals| bulk::linear_blend(bound, &rows, out, normals));
}

fn dual_in_single_precision(vertices: &[Vec3], weights: &[Vec<f64>], maps: &[DualMap], wanted: &[Vec3]) {
    let parts: Vec<bulk::Dual> = maps.iter().map(bulk::dual).collect();
    drawn_near(vertices, weights, wanted, |bound, out, normals| bulk::dual_blend(bound, &parts, out, normals));
}
