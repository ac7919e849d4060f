//! Lattices brought back to rest or to a kept shape, keyed where their points are.

use crate::{
    edit::{AutoKey, Edit, EditError, pose::points_edit},
    math::Vec3,
    model::{Document, ObjectId, PointId},
};

/// The edit that brings points of a lattice, or landmarks, back to rest at a time; all where none are named.
///
/// # Errors
/// Where the object is no lattice or has no such point.
pub fn reset(
    document: &Document,
    object: ObjectId,
    points: &[PointId],
    secs: f64,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let found = document.object(object).filter(|found| found.deforms()).ok_or(EditError::NotALattice(object))?;
    let all: Vec<(PointId, Vec3)> = if points.is_empty() {
        found.carrying_points().into_iter().map(|(point, _)| (point, Vec3::zeros())).collect()
    } else {
        points.iter().map(|point| (*point, Vec3::zeros())).collect()
    };
    points_edit(document, object, secs, &all, auto_key)
}

/// The edit that gives a lattice a kept shape at a time.
///
/// # Errors
/// Where the object is no lattice or has no shape of that name.
pub fn pose_edit(
    document: &Document,
    object: ObjectId,
    name: &str,
    secs: f64,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let lattice = document.object(object).and_then(|found| found.as_lattice()).ok_or(EditError::NotALattice(object))?;
    let pose = lattice.pose(name).ok_or_else(|| EditError::NoSet(object, name.to_owned()))?;
    let offset = |point: PointId| (point, pose.offsets.get(&point).copied().unwrap_or_default());
    let all: Vec<(PointId, Vec3)> = lattice.points().map(|(point, _)| offset(point)).collect();
    points_edit(document, object, secs, &all, auto_key)
}
