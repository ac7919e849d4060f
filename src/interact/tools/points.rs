//! Points of lattices moved together: by a map of the world, softly, and on both sides of the middle.

use super::subject::Subject;
use crate::{
    eval::deform::{lattice_places, offsets},
    interact::tool::ToolContext,
    math::{Transform, Vec3},
    model::{Lattice, ObjectId, Target},
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a target is a point of a lattice.
pub(super) fn is_lattice_point(ctx: &ToolContext<'_>, target: Target) -> bool {
    matches!(target, Target::Point(object, _) if lattice_of(ctx, object).is_some())
}

fn lattice_of<'a>(ctx: &ToolContext<'a>, object: ObjectId) -> Option<&'a Lattice> {
    ctx.document.object(object)?.as_lattice().map(|lattice| &**lattice)
}

/// The middle of the selected points, world, where all subjects are points of lattices: what they turn and grow about.
pub(super) fn middle(ctx: &ToolContext<'_>, subjects: &[Subject]) -> Option<Vec3> {
    let all = !subjects.is_empty() && subjects.iter().all(|subject| is_lattice_point(ctx, subject.target));
    all.then(|| subjects.iter().map(|subject| subject.world().translation).sum::<Vec3>() / subjects.len() as f64)
}

/// The new transforms of the points of lattices among some subjects, and of those that go with them, where a map of the world
/// moves the subjects.
pub(super) fn moved(
    ctx: &ToolContext<'_>,
    subjects: &[Subject],
    map: &dyn Fn(&Vec3) -> Vec3,
) -> Vec<(Target, Transform)> {
    let mut chosen: BTreeMap<ObjectId, BTreeSet<usize>> = BTreeMap::new();
    for subject in subjects {
        if let Target::Point(object, point) = subject.target
            && let Some(lattice) = lattice_of(ctx, object)
            && let Some(place) = lattice.place_of(point)
        {
            chosen.entry(object).or_default().insert(lattice.index_of(place));
        }
    }
    chosen.into_iter().flat_map(|(object, own)| in_lattice(ctx, object, &own, map).unwrap_or_default()).collect()
}

fn in_lattice(
    ctx: &ToolContext<'_>,
    object: ObjectId,
    chosen: &BTreeSet<usize>,
    map: &dyn Fn(&Vec3) -> Vec3,
) -> Option<Vec<(Target, Transform)>> {
    let lattice = lattice_of(ctx, object)?;
    let world = ctx.frame.objects.get(&object)?.world;
    // A lattice flattened to nothing holds its points.
    let inverse = world.try_inverse()?;
    let places = lattice_places(ctx.document, ctx.frame, object)?;
    let before = offsets(ctx.document, object, lattice, ctx.frame.secs);
    let mut by: BTreeMap<usize, Vec3> = BTreeMap::new();
    for (index, at) in places.iter().enumerate() {
        let share = if chosen.contains(&index) {
            1.0
        } else if ctx.points.soft {
            let nearest = chosen.iter().map(|other| (places[*other] - at).norm()).fold(f64::INFINITY, f64::min);
            ctx.points.share(nearest)
        } else {
            0.0
        };
        if share > 0.0 {
            by.insert(index, inverse.vector(&(map(at) - at)) * share);
        }
    }
    for axis in (0..3).filter(|axis| ctx.points.mirror[*axis]) {
        by = mirrored(lattice, axis, &by);
    }
    let points: Vec<_> = lattice.points().map(|(point, _)| point).collect();
    let change = |(index, by): (usize, Vec3)| {
        let local = Transform { translation: before[index] + by, ..Transform::IDENTITY };
        Some((Target::Point(object, *points.get(index)?), local))
    };
    Some(by.into_iter().filter_map(change).collect())
}

/// Movements with their mirror images across the middle of an axis. Where both sides move, each keeps its own; a point in the
/// middle stays in it.
fn mirrored(lattice: &Lattice, axis: usize, by: &BTreeMap<usize, Vec3>) -> BTreeMap<usize, Vec3> {
    let mut out = by.clone();
    for (_, place) in lattice.points() {
        let mut other = place;
        other[axis] = lattice.count(axis) - 1 - place[axis];
        let (index, image) = (lattice.index_of(place), lattice.index_of(other));
        if index == image {
            if let Some(own) = out.get_mut(&index) {
                own[axis] = 0.0;
            }
        } else if let (Some(own), None) = (by.get(&index), by.get(&image)) {
            let mut across = *own;
            across[axis] = -across[axis];
            out.insert(image, across);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_move_alike_and_the_middle_stays_in_the_middle() {
        let lattice = Lattice { counts: [3, 2, 2], ..Lattice::default() };
        let moved = BTreeMap::from([(0, Vec3::new(0.1, 0.2, 0.3)), (1, Vec3::new(0.4, 0.5, 0.6))]);
        let out = mirrored(&lattice, 0, &moved);
        assert_eq!(out[&0], Vec3::new(0.1, 0.2, 0.3));
        assert_eq!(out[&1], Vec3::new(0.0, 0.5, 0.6));
        assert_eq!(out[&2], Vec3::new(-0.1, 0.2, 0.3));
        assert_eq!(out.len(), 3);
        let both = BTreeMap::from([(0, Vec3::x()), (2, Vec3::y())]);
        assert_eq!(mirrored(&lattice, 0, &both), both);
    }
}
