//! World and local rotations of a chain whose joints were moved by a positional solver.

use super::case::{Case, Outcome};
use inbetween::eval::ik::rotations_from_positions;
use inbetween::math::{Quat, Vec3};

pub(super) fn run(case: &Case) -> Outcome {
    let offsets: Vec<Vec3> = case.input("offsets")?;
    let root: Vec3 = case.input("root_position")?;
    let locals: Vec<Quat> = case.input("local_quats")?;
    let after: Vec<Vec3> = case.input("new_positions")?;
    let (mut world, mut before) = (Vec::new(), Vec::new());
    let (mut parent, mut at) = (Quat::identity(), root);
    for (local, offset) in locals.iter().zip(&offsets) {
        at += parent * offset;
        parent *= local;
        before.push(at);
        world.push(parent);
    }
    rotations_from_positions(&before, &after, &mut world);
    let mut above = Quat::identity();
    let new_locals: Vec<Quat> = world.iter().map(|q| std::mem::replace(&mut above, *q).inverse() * q).collect();
    case.judge(|field| match field {
        "new_global_quats" => case.rotations(field, &world, "abs"),
        "new_local_quats" => case.rotations(field, &new_locals, "abs"),
        _ => case.unknown(field),
    })
}
