//! Landmarks at one time: what they carry along, softly or through a warp.

use crate::{
    math::{
        Vec3,
        rbf::{Kernel, Rbf, RbfReport},
    },
    model::{Deformer, DeformerKind},
};

/// Landmarks with what they do to the space about them.
#[derive(Clone, Debug, PartialEq)]
pub struct LandmarkShape {
    /// Where they are at rest, in the deformer's space.
    pub sources: Vec<Vec3>,
    /// From there to where they are.
    pub offsets: Vec<Vec3>,
    action: Action,
}

#[derive(Clone, Debug, PartialEq)]
enum Action {
    /// Each carries what is nearer than a radius, less and less.
    Soft(f64),
    /// All together: the sum of radial functions and an affine map that moves each exactly.
    Warp(Option<Box<Rbf<3>>>),
}

impl LandmarkShape {
    /// The landmarks of a deformer moved by `offsets`, one each in their order, with its radius or the parameter of its kernel.
    #[must_use]
    pub fn new(deformer: &Deformer, mut offsets: Vec<Vec3>, radius: f64) -> Self {
        let sources: Vec<Vec3> = deformer.landmarks.values().map(|landmark| landmark.at).collect();
        offsets.resize(sources.len(), Vec3::zeros());
        let action = if deformer.kind == DeformerKind::Warp {
            Action::Warp(warp(deformer.kernel, radius, &sources, &offsets))
        } else {
            Action::Soft(radius.max(0.0))
        };
        Self { sources, offsets, action }
    }

    /// Whether nothing moves: all landmarks are at rest, or there is no warp through them.
    #[must_use]
    pub fn rests(&self) -> bool {
        let none = matches!(self.action, Action::Warp(None)) || self.action == Action::Soft(0.0);
        none || self.offsets.iter().all(|offset| *offset == Vec3::zeros())
    }

    /// Where a place of the deformer's space goes.
    #[must_use]
    pub fn moved(&self, at: &Vec3) -> Vec3 {
        match &self.action {
            Action::Warp(Some(warp)) => at + Vec3::from(warp.warped(&[at.x, at.y, at.z])),
            Action::Warp(None) => *at,
            Action::Soft(radius) => {
                let mut sum = Vec3::zeros();
                for (source, offset) in self.sources.iter().zip(&self.offsets) {
                    sum += offset * fade((at - source).norm(), *radius);
                }
                at + sum
            }
        }
    }

    /// What is special about the pairs of a warp; none where it is no warp, or there is none through them.
    #[must_use]
    pub fn report(&self) -> Option<RbfReport> {
        match &self.action {
            Action::Warp(Some(warp)) => {
                // The warp gives offsets: space folds where they undo the place itself.
                let at = |p: &Vec3| [p.x, p.y, p.z];
                let moved: Vec<[f64; 3]> = self.sources.iter().zip(&self.offsets).map(|(s, o)| at(&(s + o))).collect();
                let sources: Vec<[f64; 3]> = self.sources.iter().map(at).collect();
                let whole = Rbf::new(warp.kernel(), warp.parameter(), &sources, &moved);
                whole.map(|whole| whole.report())
            }
            _ => None,
        }
    }
}

/// The warp that gives offsets: where all are zero it is zero to the bit, so that rest is rest.
fn warp(kernel: Kernel, parameter: f64, sources: &[Vec3], offsets: &[Vec3]) -> Option<Box<Rbf<3>>> {
    let lists = |points: &[Vec3]| points.iter().map(|p| [p.x, p.y, p.z]).collect::<Vec<_>>();
    Rbf::new(kernel, parameter, &lists(sources), &lists(offsets)).map(Box::new)
}

/// How much of its offset a landmark carries by at a distance: all of it at the landmark, nothing from the radius on, level at both.
#[must_use]
pub fn fade(distance: f64, radius: f64) -> f64 {
    if !(distance < radius) {
        return 0.0;
    }
    let t = 1.0 - distance / radius;
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Landmark, PointId};

    fn deformer(kind: DeformerKind, pairs: &[([f64; 3], [f64; 3])]) -> (Deformer, Vec<Vec3>) {
        let mut out = Deformer::new(kind);
        for (number, (at, by)) in (0..).zip(pairs) {
            let landmark = Landmark { at: Vec3::from(*at), offset: Vec3::from(*by) };
            out.landmarks.insert(PointId(number), landmark);
        }
        (out, pairs.iter().map(|(_, by)| Vec3::from(*by)).collect())
    }

    #[test]
    fn a_soft_drag_moves_its_own_place_wholly_and_nothing_from_its_radius_on() {
        let (own, offsets) = deformer(DeformerKind::Drag, &[([0.0; 3], [0.0, 0.3, 0.0])]);
        let shape = LandmarkShape::new(&own, offsets, 0.5);
        assert_eq!(shape.moved(&Vec3::zeros()), Vec3::new(0.0, 0.3, 0.0));
        let half = shape.moved(&Vec3::new(0.25, 0.0, 0.0));
        assert!((half.y - 0.15).abs() < 1e-12);
        let out = Vec3::new(0.0, 0.0, 0.5);
        assert_eq!(shape.moved(&out), out);
        assert!(LandmarkShape::new(&own, Vec::new(), 0.5).rests());
        assert!(LandmarkShape::new(&own, vec![Vec3::x()], 0.0).rests());
    }

    #[test]
    fn a_warp_goes_through_its_landmarks_and_rests_to_the_bit() {
        let pairs = [
            ([0.0, 0.0, 0.0], [0.1, 0.0, 0.0]),
            ([1.0, 0.0, 0.0], [0.0, 0.2, 0.0]),
            ([0.0, 1.0, 0.0], [0.0; 3]),
            ([0.0, 0.0, 1.0], [0.0, 0.0, -0.1]),
            ([1.0, 1.0, 1.0], [0.05, 0.0, 0.1]),
        ];
        for kernel in Kernel::ALL {
            let (mut own, offsets) = deformer(DeformerKind::Warp, &pairs);
            own.kernel = kernel;
            let shape = LandmarkShape::new(&own, offsets.clone(), 0.4);
            for ((at, _), by) in pairs.iter().zip(&offsets) {
                let at = Vec3::from(*at);
                assert!((shape.moved(&at) - at - by).norm() < 1e-9, "{kernel:?}");
            }
            assert_eq!(shape.report().unwrap().rank, 3);
            let rest = LandmarkShape::new(&own, Vec::new(), 0.4);
            let at = Vec3::new(0.3, 11.0, -0.7);
            assert!(rest.rests() && rest.moved(&at) == at);
        }
    }

    #[test]
    fn pairs_in_a_plane_or_alone_are_told_and_still_act() {
        let plane = [([0.0; 3], [0.0, 0.0, 0.2]), ([1.0, 0.0, 0.0], [0.0; 3]), ([0.0, 1.0, 0.0], [0.0; 3])];
        let (own, offsets) = deformer(DeformerKind::Warp, &plane);
        let shape = LandmarkShape::new(&own, offsets, 0.4);
        assert_eq!(shape.report().unwrap().rank, 2);
        assert!((shape.moved(&Vec3::zeros()) - Vec3::new(0.0, 0.0, 0.2)).norm() < 1e-6);
        let (none, _) = deformer(DeformerKind::Warp, &[]);
        let none = LandmarkShape::new(&none, Vec::new(), 0.4);
        assert!(none.rests() && none.report().is_none());
        let (flip, offsets) = deformer(
            DeformerKind::Warp,
            &[
                ([0.0; 3], [1.0, 0.0, 0.0]),
                ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
                ([0.0, 1.0, 0.0], [0.0; 3]),
                ([0.0, 0.0, 1.0], [0.0; 3]),
            ],
        );
        assert!(LandmarkShape::new(&flip, offsets, 0.4).report().unwrap().folds > 0);
    }
}
