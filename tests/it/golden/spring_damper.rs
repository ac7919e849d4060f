//! The damped spring in closed form.

use super::case::{Case, Outcome};
use inbetween::math::spring::{Spring, SpringState, critical_damping, reduced_mass};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("m_A") {
        let mass = reduced_mass(case.input("m_A")?, case.input("m_B")?);
        let stiffness: f64 = case.input("stiffness")?;
        return case.judge(|field| match field {
            "reduced_mass" => case.number(field, mass),
            "critical_damping" => case.number(field, critical_damping(mass, stiffness)),
            _ => case.unknown(field),
        });
    }
    let spring =
        Spring { mass: case.input("mass")?, stiffness: case.input("stiffness")?, damping: case.input("damping")? };
    let start = SpringState { position: case.input("x0")?, velocity: case.input("v0")? };
    let (target, times): (f64, Vec<f64>) = (case.input("target")?, case.input("times")?);
    let states: Vec<SpringState> = times.iter().map(|t| spring.after(start, target, *t)).collect();
    case.judge(|field| match field {
        "position" => case.numbers(field, &states.iter().map(|state| state.position).collect::<Vec<_>>()),
        "velocity" => case.numbers(field, &states.iter().map(|state| state.velocity).collect::<Vec<_>>()),
        "damping_ratio" => case.number(field, spring.damping_ratio()),
        "critical_damping" => case.number(field, critical_damping(spring.mass, spring.stiffness)),
        "overshoots" => case.flag(field, spring.overshoots(start, target)),
        _ => case.unknown(field),
    })
}
