//! Squad through sign-aligned keys.

use super::case::{Case, Outcome};
use inbetween::math::Quat;
use inbetween::math::rotation::{make_continuous, squad, squad_control};

pub(super) fn run(case: &Case) -> Outcome {
    let mut keys: Vec<Quat> = case.input("keys")?;
    let segment: usize = case.input("segment")?;
    let u: f64 = case.input("u")?;
    make_continuous(&mut keys);
    let control = |i: usize| {
        let key = keys.get(i).ok_or("no such key")?;
        Ok::<_, String>(squad_control(i.checked_sub(1).and_then(|b| keys.get(b)), key, keys.get(i + 1)))
    };
    let (from_control, to_control) = (control(segment)?, control(segment + 1)?);
    let got = squad(&keys[segment], &from_control, &keys[segment + 1], &to_control, u);
    case.judge(|field| match field {
        "quat" => case.rotation(field, &got),
        "s_i" => case.rotation(field, &from_control),
        "s_next" => case.rotation(field, &to_control),
        _ => case.unknown(field),
    })
}
