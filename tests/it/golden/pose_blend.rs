//! Poses by weights: many inputs, and a layer over a base through a mask.

use super::case::{Case, Outcome};
use inbetween::eval::blend::pose::{RotationBlend, blend, lay_over};
use inbetween::math::{Quat, Transform, Vec3};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("mask") {
        let turned = |field: &str| {
            let rotations: Vec<Quat> = case.input(field)?;
            Ok::<Vec<Transform>, String>(rotations.into_iter().map(Transform::from_rotation).collect())
        };
        let (mut pose, layer) = (turned("base_quats")?, turned("layer_quats")?);
        let (mask, weight): (Vec<f64>, f64) = (case.input("mask")?, case.input("layer_weight")?);
        lay_over(&mut pose, &layer, weight, Some(&mask), RotationBlend::Slerp);
        let rotations: Vec<Quat> = pose.iter().map(|local| local.rotation).collect();
        return case.judge(|field| match field {
            "quats" => case.rotations(field, &rotations, "abs"),
            _ => case.unknown(field),
        });
    }
    let rotations: Vec<Quat> = case.input("quats")?;
    let (translations, scales): (Vec<Vec3>, Vec<Vec3>) = (case.input("translations")?, case.input("scales")?);
    let weights: Vec<f64> = case.input("weights")?;
    let inputs: Vec<(f64, Transform)> = weights
        .iter()
        .zip(rotations.iter().zip(translations.iter().zip(&scales)))
        .map(|(weight, (rotation, (translation, scale)))| {
            (*weight, Transform { translation: *translation, rotation: *rotation, scale: *scale })
        })
        .collect();
    let blended = blend(&inputs, RotationBlend::Nlerp).ok_or("no weight")?;
    case.judge(|field| match field {
        "quat_nlerp" => case.rotation(field, &blended.rotation),
        "translation" => case.vector(field, &blended.translation),
        "scale" => case.vector(field, &blended.scale),
        _ => case.unknown(field),
    })
}
