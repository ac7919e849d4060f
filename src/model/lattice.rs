//! Lattices: a box of points that carry the space between them along (free-form deformation).

use super::{
    curve::{finite, is_default},
    id::PointId,
};
use crate::math::{
    Vec3,
    lattice::{Basis, MOST},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A box of points in the space of its object, the box's middle at the object's origin. Meshes whose deformer stacks name it are
/// moved within the box by `rest + sum of basis * offset`; what is outside stays where it is (Sederberg, Parry 1986).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lattice {
    /// Points along X, Y and Z, 1 to 16 each. One alone: the lattice is planar, it does not divide that axis.
    pub counts: [u8; 3],
    /// The basis along each axis.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bases: [Basis; 3],
    /// The box's edges, metres, not negative. 0 along an axis with one point: however far away along it. 0 along any other: the
    /// lattice is flat and moves nothing.
    #[serde(deserialize_with = "finite::vector")]
    pub size: Vec3,
    /// How far within the box's faces the effect fades, in parts of the box, 0..0.5; 0 ends it at the face at once.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub falloff: f64,
    /// From each point's place at rest to where it is where no clip moves it, metres in the lattice's space; those at rest left
    /// out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "offsets")]
    pub offsets: BTreeMap<PointId, Vec3>,
    /// Shapes of it that were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub poses: Vec<LatticePose>,
}

/// A shape of a lattice that was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatticePose {
    /// Its name; each has another.
    pub name: String,
    /// As the lattice's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "offsets")]
    pub offsets: BTreeMap<PointId, Vec3>,
}

impl Default for Lattice {
    /// 2 by 2 by 2 points around a cube of one metre.
    fn default() -> Self {
        Self {
            counts: [2; 3],
            bases: [Basis::Bernstein; 3],
            size: Vec3::repeat(1.0),
            falloff: 0.0,
            offsets: BTreeMap::new(),
            poses: Vec::new(),
        }
    }
}

/// How many places along an axis a point's number counts: more than there are points.
const STRIDE: u32 = 16;

impl Lattice {
    /// The greatest part of the box in which the effect may fade.
    pub const FALLOFF_MOST: f64 = 0.5;

    /// The number of points along an axis (0, 1, 2), at least 1.
    #[must_use]
    pub fn count(&self, axis: usize) -> usize {
        usize::from(self.counts[axis.min(2)]).clamp(1, MOST)
    }

    /// The number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        (0..3).map(|axis| self.count(axis)).product()
    }

    /// Never: there is always a point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a point by its place along the axes, whatever the number of points: a lattice with more of them keeps the ids
    /// of those that it had.
    #[must_use]
    pub const fn id_at(place: [usize; 3]) -> PointId {
        let [i, j, k] = place;
        #[expect(clippy::cast_possible_truncation, reason = "below 16 each")]
        let number = (i % MOST + MOST * (j % MOST + MOST * (k % MOST))) as u32;
        PointId(number)
    }

    /// A point's place along the axes; none where there is no such point.
    #[must_use]
    pub fn place_of(&self, id: PointId) -> Option<[usize; 3]> {
        let place = [id.0 % STRIDE, id.0 / STRIDE % STRIDE, id.0 / (STRIDE * STRIDE)].map(|at| at as usize);
        (0..3).all(|axis| place[axis] < self.count(axis)).then_some(place)
    }

    /// Where a point comes among all, X first: what [`Self::points`] gives at that index.
    #[must_use]
    pub fn index_of(&self, place: [usize; 3]) -> usize {
        place[0] + self.count(0) * (place[1] + self.count(1) * place[2])
    }

    /// All points with their places along the axes, X fastest.
    pub fn points(&self) -> impl Iterator<Item = (PointId, [usize; 3])> + use<> {
        let [x, y, z] = [0, 1, 2].map(|axis| self.count(axis));
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| (Self::id_at([i, j, k]), [i, j, k]))))
    }

    /// Where a point is at rest, in the lattice's space.
    #[must_use]
    pub fn rest(&self, place: [usize; 3]) -> Vec3 {
        Vec3::from_fn(|axis, _| {
            let part = self.bases[axis].rest(self.count(axis), place[axis]);
            self.size[axis] * (part - 0.5)
        })
    }

    /// From rest to where a point is where no clip moves it; none where there is no such point.
    #[must_use]
    pub fn offset(&self, id: PointId) -> Option<Vec3> {
        self.place_of(id)?;
        Some(self.offsets.get(&id).copied().unwrap_or_default())
    }

    /// Whether the box has no thickness along an axis that the lattice divides: then it moves nothing.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        (0..3).any(|axis| self.count(axis) > 1 && self.size[axis] <= 0.0)
    }

    /// The parts of the box at a place of the lattice's space, each axis 0..1 within; an axis without size and with one point is
    /// in the middle everywhere. None for a flat lattice.
    #[must_use]
    pub fn parts(&self, at: &Vec3) -> Option<Vec3> {
        (!self.is_flat()).then(|| {
            Vec3::from_fn(|axis, _| if self.size[axis] > 0.0 { at[axis] / self.size[axis] + 0.5 } else { 0.5 })
        })
    }

    /// A kept shape by name.
    #[must_use]
    pub fn pose(&self, name: &str) -> Option<&LatticePose> {
        self.poses.iter().find(|pose| pose.name == name)
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        if self.counts.iter().any(|count| !(1..=MOST).contains(&usize::from(*count))) {
            return Some(format!("it has {:?} points along its axes, not 1 to {MOST}", self.counts));
        }
        if !self.size.iter().all(|edge| edge.is_finite() && *edge >= 0.0) {
            return Some("its box is not of finite lengths".to_owned());
        }
        if !(0.0..=Self::FALLOFF_MOST).contains(&self.falloff) {
            return Some(format!("its falloff {} is outside 0..{}", self.falloff, Self::FALLOFF_MOST));
        }
        for (index, pose) in self.poses.iter().enumerate() {
            if self.poses[..index].iter().any(|other| other.name == pose.name) {
                return Some(format!("two of its poses are named '{}'", pose.name));
            }
        }
        let poses = self.poses.iter().flat_map(|pose| &pose.offsets);
        for (id, offset) in self.offsets.iter().chain(poses) {
            if self.place_of(*id).is_none() {
                return Some(format!("it has no point {id}"));
            }
            if !offset.iter().all(|number| number.is_finite()) {
                return Some(format!("its point {id} is not of finite numbers"));
            }
        }
        None
    }
}

/// Offsets by point, a line each: checked to be finite when read.
mod offsets {
    use super::{BTreeMap, Deserialize, PointId, Vec3, finite};
    use serde::{Deserializer, Serialize as _, Serializer};

    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Checked(#[serde(deserialize_with = "finite::vector")] Vec3);

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<PointId, Vec3>, serializer: S) -> Result<S::Ok, S::Error> {
        let named: BTreeMap<String, [f64; 3]> =
            map.iter().map(|(id, at)| (format!("{:04}", id.0), [at.x, at.y, at.z])).collect();
        named.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<PointId, Vec3>, D::Error> {
        let named = BTreeMap::<String, Checked>::deserialize(deserializer)?;
        let entry = |(name, Checked(at)): (String, Checked)| match name.parse() {
            Ok(id) => Ok((PointId(id), at)),
            Err(_) => Err(serde::de::Error::custom(format!("'{name}' is not a point's number"))),
        };
        named.into_iter().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_outlive_another_number_of_points() {
        let small = Lattice { counts: [2, 3, 2], ..Lattice::default() };
        let large = Lattice { counts: [16, 16, 16], ..Lattice::default() };
        for (index, (id, place)) in small.points().enumerate() {
            assert_eq!((small.place_of(id), large.place_of(id)), (Some(place), Some(place)));
            assert_eq!(small.index_of(place), index);
        }
        assert_eq!(small.points().count(), small.len());
        assert_eq!(small.place_of(Lattice::id_at([2, 0, 0])), None);
        assert_eq!(large.points().map(|(id, _)| id).collect::<std::collections::BTreeSet<_>>().len(), 4096);
    }

    #[test]
    fn the_outer_points_of_a_spline_stand_a_cell_outside() {
        let lattice = Lattice { counts: [5, 2, 1], bases: [Basis::BSpline; 3], ..Lattice::default() };
        assert_eq!(lattice.rest([0, 0, 0]), Vec3::new(-1.0, -0.5, 0.0));
        assert_eq!(lattice.rest([4, 1, 0]), Vec3::new(1.0, 0.5, 0.0));
        let flat = Lattice { size: Vec3::new(1.0, 0.0, 1.0), ..Lattice::default() };
        assert!(flat.is_flat() && flat.parts(&Vec3::zeros()).is_none());
        let planar = Lattice { counts: [2, 2, 1], size: Vec3::new(1.0, 1.0, 0.0), ..Lattice::default() };
        assert_eq!(planar.parts(&Vec3::new(0.0, 0.5, 99.0)), Some(Vec3::new(0.5, 1.0, 0.5)));
    }
}
