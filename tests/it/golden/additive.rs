//! Additive poses: the difference from a reference in two axes, and a part of it on a base.

use super::case::{Case, Outcome};
use inbetween::eval::blend::additive::Delta;
use inbetween::math::{Quat, Transform, Vec3};
use inbetween::model::AdditiveSpace;
use serde_json::Value;

/// A transform from `{q, t, s}`, of which the quaternion need not be exactly of length 1.
fn transform(case: &Case, field: &str) -> Result<Transform, String> {
    let value: Value = case.input(field)?;
    let numbers = |key: &str| -> Option<Vec<f64>> { value[key].as_array()?.iter().map(Value::as_f64).collect() };
    let (Some(q), Some(t), Some(s)) = (numbers("q"), numbers("t"), numbers("s")) else {
        return Err(format!("{field} is no transform"));
    };
    let rotation = Quat::new_normalize(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
    Ok(Transform { translation: Vec3::from_column_slice(&t), rotation, scale: Vec3::from_column_slice(&s) })
}

pub(super) fn run(case: &Case) -> Outcome {
    let weight: f64 = case.input("weight")?;
    if case.has("add_q") {
        let of = |field: &str| Ok::<_, String>(Transform::from_rotation(case.input(field)?));
        let (add, reference, base) = (of("add_q")?, of("ref_q")?, of("base_q")?);
        return case.judge(|field| match field {
            "q" => {
                for space in [AdditiveSpace::Parent, AdditiveSpace::Bone] {
                    let sum = Delta::between(&add, &reference, space).added_to(&base, weight, space);
                    case.rotation(field, &sum.rotation)?;
                }
                Ok(())
            }
            _ => case.unknown(field),
        });
    }
    let (add, reference, base) = (transform(case, "add")?, transform(case, "ref")?, transform(case, "base")?);
    let in_space = |space| {
        let delta = Delta::between(&add, &reference, space);
        (delta, delta.added_to(&base, weight, space))
    };
    let (parent, bone) = (in_space(AdditiveSpace::Parent), in_space(AdditiveSpace::Bone));
    let both = |field: &str, (delta, sum): (Delta, Transform)| {
        let wanted: Value = case.wanted(field)?;
        for (key, got) in [("delta_q", delta.rotation), ("q", sum.rotation)] {
            let q: Option<Vec<f64>> = wanted[key].as_array().and_then(|a| a.iter().map(Value::as_f64).collect());
            let q = q.filter(|q| q.len() == 4).ok_or_else(|| format!("expected {field}.{key} is no rotation"))?;
            let q = nalgebra::Vector4::from_column_slice(&q);
            let far = (got.coords - q).norm().min((got.coords + q).norm());
            case.hold(far <= case.tolerance("abs"), field, || format!("{key} is {got:?}, wanted {q:?}"));
        }
        let known = wanted.as_object().is_some_and(|o| o.keys().all(|key| key == "delta_q" || key == "q"));
        case.hold(known, field, || "has fields that the runner does not know".to_owned());
        Ok(())
    };
    case.judge(|field| match field {
        "parent_space" => both(field, parent),
        "bone_space" => both(field, bone),
        "t" => case.vector(field, &bone.1.translation),
        "s" => case.vector(field, &bone.1.scale),
        "results_differ" => {
            let (a, b) = (parent.1.rotation.coords, bone.1.rotation.coords);
            case.flag(field, (a - b).norm().min((a + b).norm()) > 1e-6)
        }
        _ => case.unknown(field),
    })
}
