//! Squad through sign-aligned keys: the function, and keys of a document's rotation track a second apart, as they are given;
//! and the rotation lab.

use super::case::{Case, Outcome};
use super::played::Played;
use inbetween::eval::rotation_lab::{LabKey, LabScheme, Way};
use inbetween::math::Quat;
use inbetween::math::rotation::{make_continuous, squad, squad_control};
use inbetween::model::{KeyedRotation, RotationInterpolation, RotationKey};

pub(super) fn run(case: &Case) -> Outcome {
    let mut keys: Vec<Quat> = case.input("keys")?;
    let segment: usize = case.input("segment")?;
    let u: f64 = case.input("u")?;
    let track = keys.iter().enumerate().map(|(i, q)| RotationKey::new(i as f64, *q, RotationInterpolation::Squad));
    let played = Played::rotation(KeyedRotation { keys: track.collect() })?.turned(segment as f64 + u);
    let lab: Vec<LabKey> =
        keys.iter().enumerate().map(|(i, q)| LabKey { secs: i as f64, rotation: *q, triple: None }).collect();
    let lab = Way::new(LabScheme::Squad, &lab).ok_or("no keys")?.rotation(segment as f64 + u);
    make_continuous(&mut keys);
    let control = |i: usize| {
        let key = keys.get(i).ok_or("no such key")?;
        Ok::<_, String>(squad_control(i.checked_sub(1).and_then(|b| keys.get(b)), key, keys.get(i + 1)))
    };
    let (from_control, to_control) = (control(segment)?, control(segment + 1)?);
    let got = squad(&keys[segment], &from_control, &keys[segment + 1], &to_control, u);
    case.judge(|field| match field {
        "quat" => {
            case.rotation(field, &got)?;
            case.rotation(field, &played)?;
            case.rotation(field, &lab)
        }
        "s_i" => case.rotation(field, &from_control),
        "s_next" => case.rotation(field, &to_control),
        _ => case.unknown(field),
    })
}
