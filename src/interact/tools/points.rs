//! Points of lattices, and landmarks, moved together: by a map of the world, softly, and on both sides of the middle.

use super::subject::Subject;
use crate::{
    eval::deform::{lattice_places, point_offsets},
    interact::tool::ToolContext,
    math::{Transform, Vec3},
    model::{Lattice, Object, ObjectId, PointId, Target},
};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a target is a point of a lattice, or a landmark.
pub(super) fn is_lattice_point(ctx: &ToolContext<'_>, target: Target) -> bool {
    matches!(target, Target::Point(object, _) if carrier(ctx, object).is_some())
}

/// An object whose points carry meshes along.
fn carrier<'a>(ctx: &ToolContext<'a>, object: ObjectId) -> Option<&'a Object> {
    ctx.document.object(object).map(|found| &**found).filter(|found| found.deforms())
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
            && let Some(found) = carrier(ctx, object)
            && let Some(index) = index_of(found, point)
        {
            chosen.entry(object).or_default().insert(index);
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
    let found = carrier(ctx, object)?;
    let own = found.carrying_points();
    let world = ctx.frame.objects.get(&object)?.world;
    // A lattice flattened to nothing holds its points.
    let inverse = world.try_inverse()?;
    let places = lattice_places(ctx.document, ctx.frame, object)?;
    let before = point_offsets(ctx.document, object, ctx.frame.secs);
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
        by = match found.as_lattice() {
            Some(lattice) => mirrored(
                axis,
                &by,
                lattice.points().map(|(_, place)| (lattice.index_of(place), image_in(lattice, axis, place))),
            ),
            None => mirrored(axis, &by, images_of(&own, axis).into_iter().enumerate()),
        };
    }
    let change = |(index, by): (usize, Vec3)| {
        let local = Transform { translation: before[index] + by, ..Transform::IDENTITY };
        Some((Target::Point(object, own.get(index)?.0), local))
    };
    Some(by.into_iter().filter_map(change).collect())
}

/// Movements with their mirror images across the middle of an axis. Where both sides move, each keeps its own; a point in the
/// middle stays in it.
fn mirrored(
    axis: usize,
    by: &BTreeMap<usize, Vec3>,
    images: impl Iterator<Item = (usize, usize)>,
) -> BTreeMap<usize, Vec3> {
    let mut out = by.clone();
    for (index, image) in images {
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

/// The point of a lattice that is another's mirror image across the middle of an axis.
fn image_in(lattice: &Lattice, axis: usize, place: [usize; 3]) -> usize {
    let mut other = place;
    other[axis] = lattice.count(axis) - 1 - place[axis];
    lattice.index_of(other)
}

/// Of each landmark the one that is its mirror image at rest across the deformer's middle; a place beyond all where there is none. That of
/// one in the middle is itself.
fn images_of(points: &[(PointId, Vec3)], axis: usize) -> Vec<usize> {
    let size = points.iter().map(|(_, at)| at.norm()).fold(0.0, f64::max);
    let one = |(index, (_, at)): (usize, &(PointId, Vec3))| {
        let mut wanted = *at;
        wanted[axis] = -wanted[axis];
        let apart = |(_, other): &(PointId, Vec3)| (other - wanted).norm();
        let nearest = (0..points.len()).min_by(|a, b| apart(&points[*a]).total_cmp(&apart(&points[*b])));
        let near = nearest.filter(|nearest| apart(&points[*nearest]) <= IMAGE * size);
        // One without an image goes alone: the place of no point.
        near.unwrap_or(points.len() + index)
    };
    points.iter().enumerate().map(one).collect()
}

/// How far from the mirror image of one landmark another may be to be it, in parts of the size of all.
const IMAGE: f64 = 0.05;

fn index_of(found: &Object, point: PointId) -> Option<usize> {
    match found.as_lattice() {
        Some(lattice) => lattice.place_of(point).map(|place| lattice.index_of(place)),
        None => found.carrying_points().iter().position(|(own, _)| *own == point),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_box(lattice: &Lattice, axis: usize, by: &BTreeMap<usize, Vec3>) -> BTreeMap<usize, Vec3> {
        let images = lattice.points().map(|(_, place)| (lattice.index_of(place), image_in(lattice, axis, place)));
        mirrored(axis, by, images)
    }

    #[test]
    fn both_sides_move_alike_and_the_middle_stays_in_the_middle() {
        let lattice = Lattice { counts: [3, 2, 2], ..Lattice::default() };
        let moved = BTreeMap::from([(0, Vec3::new(0.1, 0.2, 0.3)), (1, Vec3::new(0.4, 0.5, 0.6))]);
        let out = in_box(&lattice, 0, &moved);
        assert_eq!(out[&0], Vec3::new(0.1, 0.2, 0.3));
        assert_eq!(out[&1], Vec3::new(0.0, 0.5, 0.6));
        assert_eq!(out[&2], Vec3::new(-0.1, 0.2, 0.3));
        assert_eq!(out.len(), 3);
        let both = BTreeMap::from([(0, Vec3::x()), (2, Vec3::y())]);
        assert_eq!(in_box(&lattice, 0, &both), both);
    }
}
