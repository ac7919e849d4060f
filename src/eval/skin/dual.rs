//! Dual quaternion skinning in two phases: stretch linearly, then move rigidly (Kavan, Collins, Zara, O'Sullivan, Geometric skinning
//! with approximate dual quaternion blending, 2008, section 4).
//!
//! Of each joint's map the nearest rotation with the translation is the rigid part, blended as dual quaternions each turned to the
//! hemisphere of the joint with the largest weight and divided by the length of the real part (SPEC E-SKN-3); what is left of the
//! map before that rotation, scale and shear, is blended linearly. A bend keeps its radius, and a twist its thickness.

use crate::math::{Affine, Mat3, Quat, Vec3};
use nalgebra::Quaternion;

/// A joint's map in two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualMap {
    /// The rotation.
    pub real: Quaternion<f64>,
    /// Half the translation times the rotation.
    pub dual: Quaternion<f64>,
    /// What acts before the rotation: the identity for a rigid map.
    pub stretch: Mat3,
}

impl DualMap {
    /// The parts of a map. A map that is singular or mirrored has the nearest proper rotation; the rest of it is the stretch.
    #[must_use]
    pub fn new(map: &Affine) -> Self {
        let rotation = map.rotation();
        let real = rotation.into_inner();
        let dual = Quaternion::from_parts(0.0, map.translation) * real * 0.5;
        let stretch = rotation.inverse().to_rotation_matrix().matrix() * map.linear;
        Self { real, dual, stretch }
    }
}

/// A point blended so. Shares sum to 1; joints beyond `maps` count for nothing, and a point that follows no joint stays where it
/// is.
#[must_use]
pub fn dual_blend(point: &Vec3, influences: impl Iterator<Item = (usize, f64)> + Clone, maps: &[DualMap]) -> Vec3 {
    let heaviest = influences.clone().filter(|(joint, _)| *joint < maps.len()).max_by(|a, b| a.1.total_cmp(&b.1));
    let Some(pivot) = heaviest.and_then(|(joint, _)| maps.get(joint)) else { return *point };
    let (mut real, mut dual, mut stretched) = (Quaternion::default(), Quaternion::default(), Vec3::zeros());
    for (joint, share) in influences {
        let Some(map) = maps.get(joint) else { continue };
        let signed = if map.real.coords.dot(&pivot.real.coords) < 0.0 { -share } else { share };
        real += map.real * signed;
        dual += map.dual * signed;
        stretched += map.stretch * point * share;
    }
    let length = real.norm();
    if !(length > 1e-12) {
        return *point;
    }
    let (real, dual) = (real / length, dual / length);
    let translation = (dual * real.conjugate()).imag() * 2.0;
    Quat::new_unchecked(real) * stretched + translation
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::skin::linear_blend, math::rotation::from_axis_angle};

    fn turned(axis: Vec3, angle: f64) -> Affine {
        Affine { linear: *from_axis_angle(&axis, angle).to_rotation_matrix().matrix(), translation: Vec3::zeros() }
    }

    #[test]
    fn a_twist_keeps_its_thickness_where_linear_blend_loses_it() {
        // The candy wrapper: half a turn about the limb, both joints half.
        let maps = [Affine::IDENTITY, turned(Vec3::x(), std::f64::consts::PI * 0.999)];
        let duals = maps.each_ref().map(DualMap::new);
        let (point, half) = (Vec3::new(1.0, 0.3, 0.0), || [(0, 0.5), (1, 0.5)].into_iter());
        let radius = |at: Vec3| at.yz().norm();
        assert!(radius(linear_blend(&point, half(), &maps)) < 1e-3);
        assert!((radius(dual_blend(&point, half(), &duals)) - 0.3).abs() < 1e-12);
        // The elbow: a bend of a right angle keeps 0.707 of the radius linearly, all of it so.
        let maps = [Affine::IDENTITY, turned(Vec3::z(), std::f64::consts::FRAC_PI_2)];
        let duals = maps.each_ref().map(DualMap::new);
        let point = Vec3::new(0.0, 0.3, 0.0);
        assert!((linear_blend(&point, half(), &maps).norm() - 0.3 * std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12);
        assert!((dual_blend(&point, half(), &duals).norm() - 0.3).abs() < 1e-12);
    }

    #[test]
    fn one_joint_is_its_own_map_with_any_scale() {
        let linear =
            turned(Vec3::new(0.6, 0.8, 0.0), 1.1).linear * Mat3::new(2.0, 0.3, 0.0, 0.0, 0.5, 0.0, 0.1, 0.0, 1.5);
        let map = Affine { linear, translation: Vec3::new(3.0, -1.0, 0.5) };
        let point = Vec3::new(0.4, -0.2, 0.9);
        let blended = dual_blend(&point, [(0, 1.0)].into_iter(), &[DualMap::new(&map)]);
        assert!((blended - map.point(&point)).norm() < 1e-12);
    }

    #[test]
    fn signs_do_not_count_and_nothing_is_left_to_chance() {
        let far = turned(Vec3::x(), 5.5);
        let (plain, mut other) = (DualMap::new(&far), DualMap::new(&far));
        (other.real, other.dual) = (-other.real, -other.dual);
        let first = DualMap::new(&turned(Vec3::x(), 0.2));
        let (point, mixed) = (Vec3::new(0.1, 0.5, -0.2), || [(0, 0.6), (1, 0.4)].into_iter());
        let (a, b) = (dual_blend(&point, mixed(), &[first, plain]), dual_blend(&point, mixed(), &[first, other]));
        assert!((a - b).norm() < 1e-15);
        assert_eq!(dual_blend(&point, [(7, 1.0)].into_iter(), &[first]), point);
        let flat = DualMap::new(&Affine { linear: Mat3::zeros(), translation: Vec3::x() });
        assert!(dual_blend(&point, [(0, 1.0)].into_iter(), &[flat]).iter().all(|x| x.is_finite()));
    }
}
