//! Morph targets: a base and weighted differences from it.

use super::case::{Case, Outcome};
use inbetween::{eval::mesh::blended, math::Vec3};
use serde_json::Value;

pub(super) fn run(case: &Case) -> Outcome {
    let base: Vec<Vec3> = case.input("base")?;
    let read = |value: Value| serde_json::from_value::<Vec<Vec<[f64; 3]>>>(value).map_err(|error| error.to_string());
    let targets = read(case.input::<Value>("targets")?)?;
    let weights: Vec<f64> = case.input("weights")?;
    let vertex = |(index, base): (usize, &Vec3)| {
        let shapes = targets.iter().zip(&weights).map(|(target, weight)| (Vec3::from(target[index]) - base, *weight));
        blended(base, shapes)
    };
    let found: Vec<Vec3> = base.iter().enumerate().map(vertex).collect();
    case.judge(|field| match field {
        "vertices" => case.vectors(field, &found),
        _ => case.unknown(field),
    })
}
