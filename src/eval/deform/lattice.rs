//! A lattice at one time, in double precision: `place + sum of basis * offset` within the box.

use crate::{
    math::{
        Vec3,
        lattice::{Basis, Weights},
    },
    model::Lattice,
};

/// A lattice with its points where they are at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct LatticeShape {
    /// Points along each axis, 1 to 16.
    pub counts: [usize; 3],
    /// The basis along each axis.
    pub bases: [Basis; 3],
    /// The box's edges, metres.
    pub size: Vec3,
    /// Where the effect fades, in parts of the box.
    pub falloff: f64,
    /// From each point's place at rest to where it is, X fastest, in the lattice's space.
    pub offsets: Vec<Vec3>,
}

/// How far beyond the box's faces a point still counts as on them, in parts of the box: what rounding in single precision may
/// have moved it by.
const ON_FACE: f64 = 1e-5;

impl LatticeShape {
    /// A lattice with its points moved by `offsets`, one a point in the order of [`Lattice::points`]; those missing are at rest.
    #[must_use]
    pub fn new(lattice: &Lattice, mut offsets: Vec<Vec3>) -> Self {
        offsets.resize(lattice.len(), Vec3::zeros());
        Self {
            counts: [0, 1, 2].map(|axis| lattice.count(axis)),
            bases: lattice.bases,
            size: lattice.size,
            falloff: lattice.falloff,
            offsets,
        }
    }

    /// Whether no point has moved, or the box is flat: then nothing moves.
    #[must_use]
    pub fn rests(&self) -> bool {
        let flat = (0..3).any(|axis| self.counts[axis] > 1 && !(self.size[axis] > 0.0));
        flat || self.offsets.iter().all(|offset| *offset == Vec3::zeros())
    }

    /// Whether two are the same but for their points' offsets.
    #[must_use]
    pub fn same_box(&self, other: &Self) -> bool {
        (self.counts, self.bases, self.size, self.falloff) == (other.counts, other.bases, other.size, other.falloff)
    }

    /// The parameters of a place of the lattice's space, 0..1 each; none outside the box. Points on faces, edges and corners are
    /// inside (case B21).
    #[must_use]
    pub fn parameters(&self, at: &Vec3) -> Option<Vec3> {
        let mut parts = Vec3::repeat(0.5);
        for axis in 0..3 {
            if self.size[axis] > 0.0 {
                let part = at[axis] / self.size[axis] + 0.5;
                if !(-ON_FACE..=1.0 + ON_FACE).contains(&part) {
                    return None;
                }
                parts[axis] = part.clamp(0.0, 1.0);
            } else if self.counts[axis] > 1 {
                return None;
            }
        }
        Some(parts)
    }

    /// How much the lattice counts at parameters, 0..1: all of it but near the faces where it fades, smoothly.
    #[must_use]
    pub fn fade(&self, parameters: &Vec3) -> f64 {
        if !(self.falloff > 0.0) {
            return 1.0;
        }
        let along = |axis: usize| {
            if self.counts[axis] < 2 {
                return 1.0;
            }
            let part = parameters[axis];
            let t = (part.min(1.0 - part) / self.falloff).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        along(0) * along(1) * along(2)
    }

    /// The bases at parameters.
    #[must_use]
    pub fn weights(&self, parameters: &Vec3) -> [Weights; 3] {
        [0, 1, 2].map(|axis| self.bases[axis].weights(self.counts[axis], parameters[axis]))
    }

    /// By how much the points move a place at parameters, without the fade, in the lattice's space.
    #[must_use]
    pub fn offset_at(&self, parameters: &Vec3) -> Vec3 {
        let [x, y, z] = self.weights(parameters);
        let mut sum = Vec3::zeros();
        for (k, c) in z.values().iter().enumerate() {
            for (j, b) in y.values().iter().enumerate() {
                let row = self.counts[0] * (y.first + j + self.counts[1] * (z.first + k)) + x.first;
                let own = self.offsets.get(row..row + x.count).unwrap_or_default();
                let along: Vec3 = own.iter().zip(x.values()).map(|(offset, a)| offset * *a).sum();
                sum += along * (b * c);
            }
        }
        sum
    }

    /// Where a place of the lattice's space goes.
    #[must_use]
    pub fn moved(&self, at: &Vec3) -> Vec3 {
        match self.parameters(at) {
            Some(parameters) if !self.rests() => at + self.offset_at(&parameters) * self.fade(&parameters),
            _ => *at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Affine, Mat3};

    fn every_box() -> impl Iterator<Item = Lattice> {
        Basis::ALL.into_iter().flat_map(|basis| {
            [[2, 2, 2], [4, 3, 5], [1, 4, 2], [16, 2, 6]].map(|counts| Lattice {
                counts,
                bases: [basis; 3],
                size: Vec3::new(2.0, 1.5, 0.75),
                ..Lattice::default()
            })
        })
    }

    fn inside() -> Vec<Vec3> {
        let mut places = Vec::new();
        for i in 0..5 {
            for j in 0..5 {
                for k in 0..5 {
                    let part = |i: i32| f64::from(i) / 4.0 - 0.5;
                    places.push(Vec3::new(2.0 * part(i), 1.5 * part(j), 0.75 * part(k)));
                }
            }
        }
        places
    }

    #[test]
    fn an_affine_move_of_all_points_is_that_of_what_is_inside() {
        let map = Affine {
            linear: Mat3::new(1.2, 0.3, -0.1, 0.2, 0.8, 0.4, -0.3, 0.1, 1.1),
            translation: Vec3::new(0.4, -2.0, 0.7),
        };
        for lattice in every_box() {
            let offsets = lattice.points().map(|(_, place)| {
                let rest = lattice.rest(place);
                map.point(&rest) - rest
            });
            let shape = LatticeShape::new(&lattice, offsets.collect());
            for at in inside() {
                // What a single point carries along its axis it carries as a whole.
                let seen = Vec3::from_fn(|axis, _| if lattice.counts[axis] > 1 { at[axis] } else { 0.0 });
                let wanted = at + map.point(&seen) - seen;
                assert!((shape.moved(&at) - wanted).norm() < 1e-12, "{lattice:?} {at:?}");
            }
            assert_eq!(shape.moved(&Vec3::new(1.1, 0.0, 0.0)), Vec3::new(1.1, 0.0, 0.0));
        }
    }

    #[test]
    fn at_rest_nothing_moves_and_the_effect_fades_at_the_faces() {
        for lattice in every_box() {
            let rest = LatticeShape::new(&lattice, Vec::new());
            assert!(rest.rests());
            assert!(inside().iter().all(|at| rest.moved(at) == *at));
        }
        let lattice = Lattice { falloff: 0.25, ..Lattice::default() };
        let shape = LatticeShape::new(&lattice, vec![Vec3::x(); 8]);
        let moved = |x: f64| shape.moved(&Vec3::new(x, 0.0, 0.0)).x - x;
        assert!(moved(-0.5).abs() < 1e-12 && (moved(0.0) - 1.0).abs() < 1e-12);
        assert!((moved(-0.375) - 0.5).abs() < 1e-12);
        let flat = Lattice { size: Vec3::new(1.0, 0.0, 1.0), ..Lattice::default() };
        let flat = LatticeShape::new(&flat, vec![Vec3::x(); 8]);
        assert!(flat.rests() && flat.parameters(&Vec3::zeros()).is_none());
        assert!(shape.parameters(&Vec3::repeat(f64::NAN)).is_none());
    }
}
