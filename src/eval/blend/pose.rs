//! Poses by weights, a joint at a time in its parent's space.

use crate::math::{
    Quat, Transform, Vec3,
    rotation::{align, exp, log, nlerp, pow_short, rotation_angle, slerp, try_unit},
};
pub use crate::model::RotationBlend;

/// A blend of transforms by weights: translations and scales as weighted means, rotations as said. Weights that are not
/// above 0 are left out, the others brought to sum 1. One input alone comes back to the bit. None where none is left.
///
/// All quaternions are brought to the hemisphere of the input with the greatest weight, the first of equals: of two inputs
/// that nearly agree none can end on the other side, however far the rest turn.
#[must_use]
pub fn blend(inputs: &[(f64, Transform)], how: RotationBlend) -> Option<Transform> {
    let acting = || inputs.iter().filter(|(weight, _)| *weight > 0.0 && weight.is_finite());
    let (heaviest, pivot) = acting().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let sum: f64 = acting().map(|(weight, _)| weight).sum();
    if *heaviest == sum {
        return Some(*pivot);
    }
    let (mut translation, mut scale, mut turned) = (Vec3::zeros(), Vec3::zeros(), nalgebra::Vector4::zeros());
    for (weight, input) in acting() {
        let part = weight / sum;
        translation += input.translation * part;
        scale += input.scale * part;
        turned += align(&input.rotation, &pivot.rotation).coords * part;
    }
    let mut rotation = try_unit(turned.x, turned.y, turned.z, turned.w).unwrap_or(pivot.rotation);
    if how == RotationBlend::Slerp {
        rotation = mean(acting().map(|(weight, input)| (weight / sum, &input.rotation)), rotation);
    }
    Some(Transform { translation, rotation, scale })
}

/// The rotation from which the weighted turns to the others sum up to nothing, from a first guess.
/// Source: S. Buss, J. Fillmore, *Spherical averages and applications to spherical splines and interpolation*, 2001.
fn mean<'a>(inputs: impl Iterator<Item = (f64, &'a Quat)> + Clone, guess: Quat) -> Quat {
    let mut rotation = guess;
    for _ in 0..16 {
        let turn: Vec3 = inputs
            .clone()
            .map(|(weight, q)| log(&align(&(rotation.inverse() * q), &Quat::identity())) * weight)
            .fold(Vec3::zeros(), |sum, turn| sum + turn);
        rotation *= exp(&turn);
        if turn.norm_squared() < 1e-30 {
            break;
        }
    }
    rotation
}

/// Blends whole poses, by joint index, into `out`; an input that is shorter leaves the joints beyond it to the others. With
/// no weight above 0 `out` stays as it is.
pub fn blend_poses(inputs: &[(f64, &[Transform])], how: RotationBlend, out: &mut [Transform]) {
    let mut of_joint = Vec::with_capacity(inputs.len());
    for (joint, local) in out.iter_mut().enumerate() {
        of_joint.clear();
        of_joint.extend(inputs.iter().filter_map(|(weight, pose)| Some((*weight, *pose.get(joint)?))));
        if let Some(blended) = blend(&of_joint, how) {
            *local = blended;
        }
    }
}

/// Lays a pose over another by a weight, times a mask's weight of each joint where there is one (1 beyond its end): each
/// joint goes that part of the short way. A weight of 0 leaves a joint as it is to the bit, one of 1 and more takes the
/// layer's.
pub fn lay_over(base: &mut [Transform], layer: &[Transform], weight: f64, mask: Option<&[f64]>, how: RotationBlend) {
    for (joint, (local, over)) in base.iter_mut().zip(layer).enumerate() {
        let weight = weight * mask_weight(mask, joint);
        if !(weight > 0.0) {
            continue;
        }
        if weight >= 1.0 {
            *local = *over;
            continue;
        }
        let turn = match how {
            RotationBlend::Nlerp => nlerp,
            RotationBlend::Slerp => slerp,
        };
        *local = Transform {
            translation: local.translation + (over.translation - local.translation) * weight,
            rotation: turn(&local.rotation, &over.rotation, weight),
            scale: local.scale + (over.scale - local.scale) * weight,
        };
    }
}

/// What is to be laid over a joint by a weight above 0 so that it comes out as wanted: [`lay_over`] the other way round. None
/// where it would have to turn by half a turn or more from what lies below, to which the short way is another.
#[must_use]
pub fn unlaid(base: &Transform, wanted: &Transform, weight: f64, how: RotationBlend) -> Option<Transform> {
    if weight >= 1.0 {
        return Some(*wanted);
    }
    let turn = base.rotation.inverse() * wanted.rotation;
    let angle = rotation_angle(&turn);
    let times = match how {
        _ if angle < 1e-12 => 1.0 / weight,
        RotationBlend::Slerp => 1.0 / weight,
        // Along the chord: with half angles a of all and b of the part, w sin(a - b) = (1 - w) sin b.
        RotationBlend::Nlerp => {
            let part = 0.5 * angle;
            let beyond = (1.0 - weight) / weight * part.sin();
            if beyond > 1.0 {
                return None;
            }
            (part + beyond.asin()) / part
        }
    };
    // Not quite half a turn: there rounding decides which way is the short one.
    const MOST: f64 = std::f64::consts::PI - 1e-6;
    (angle * times < MOST).then(|| Transform {
        translation: base.translation + (wanted.translation - base.translation) / weight,
        rotation: base.rotation * pow_short(&turn, times),
        scale: base.scale + (wanted.scale - base.scale) / weight,
    })
}

/// A mask's weight of a joint: 1 without a mask and beyond its end.
pub(super) fn mask_weight(mask: Option<&[f64]>, joint: usize) -> f64 {
    mask.and_then(|mask| mask.get(joint)).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{chord_angle, from_axis_angle};

    fn turned(angle: f64) -> Transform {
        Transform::from_rotation(from_axis_angle(&Vec3::new(0.3, 1.0, -0.2), angle))
    }

    #[test]
    fn one_input_alone_comes_back_to_the_bit_and_none_gives_none() {
        let odd = Transform { scale: Vec3::new(1.0, 2.0, 0.1), ..turned(0.123) };
        for how in [RotationBlend::Nlerp, RotationBlend::Slerp] {
            assert_eq!(blend(&[(0.0, turned(2.0)), (0.3, odd), (f64::NAN, turned(1.0))], how), Some(odd));
            assert_eq!(blend(&[(0.0, odd), (-1.0, odd)], how), None);
        }
    }

    #[test]
    fn two_are_slerp_and_the_sign_stored_does_not_matter() {
        let (a, b) = (turned(0.2), turned(2.0));
        let flipped = Transform { rotation: nalgebra::Unit::new_unchecked(-b.rotation.into_inner()), ..b };
        let by_slerp = blend(&[(0.3, a), (0.7, b)], RotationBlend::Slerp).unwrap();
        assert!(chord_angle(&by_slerp.rotation, &slerp(&a.rotation, &b.rotation, 0.7)) < 1e-14);
        for how in [RotationBlend::Nlerp, RotationBlend::Slerp] {
            let (one, other) = (blend(&[(1.0, a), (2.0, b)], how), blend(&[(1.0, a), (2.0, flipped)], how));
            assert!(chord_angle(&one.unwrap().rotation, &other.unwrap().rotation) < 1e-15);
        }
    }

    #[test]
    fn of_many_turns_about_one_axis_slerp_is_the_mean_angle() {
        let inputs = [(0.2, turned(0.1)), (0.5, turned(1.0)), (0.3, turned(2.2))];
        let blended = blend(&inputs, RotationBlend::Slerp).unwrap();
        let angle = 0.2 * 0.1 + 0.5 * 1.0 + 0.3 * 2.2;
        assert!(chord_angle(&blended.rotation, &turned(angle).rotation) < 1e-14);
    }

    #[test]
    fn what_is_laid_over_is_found_from_what_comes_of_it() {
        let (base, over) = (turned(0.4), Transform { scale: Vec3::new(1.0, 2.0, 0.5), ..turned(2.6) });
        for how in [RotationBlend::Nlerp, RotationBlend::Slerp] {
            for weight in [0.1, 0.5, 0.93, 1.0] {
                let mut shown = [base];
                lay_over(&mut shown, &[over], weight, None, how);
                let found = unlaid(&base, &shown[0], weight, how).unwrap();
                assert!(chord_angle(&found.rotation, &over.rotation) < 1e-13, "{how:?} {weight}");
                assert!((found.scale - over.scale).norm() < 1e-13);
            }
            assert_eq!(unlaid(&base, &turned(2.4), 0.5, how), None);
            assert!(chord_angle(&unlaid(&base, &base, 0.25, how).unwrap().rotation, &base.rotation) < 1e-15);
        }
    }

    #[test]
    fn a_weight_of_nothing_changes_nothing_to_the_bit() {
        let base = [turned(0.4), turned(-0.0), turned(3.0)];
        let layer = [turned(1.0), turned(1.2), turned(0.1)];
        let mut pose = base;
        lay_over(&mut pose, &layer, 0.0, None, RotationBlend::Slerp);
        lay_over(&mut pose, &layer, f64::NAN, None, RotationBlend::Slerp);
        lay_over(&mut pose, &layer, 1.0, Some(&[0.0; 3]), RotationBlend::Nlerp);
        assert_eq!(pose, base);
        lay_over(&mut pose, &layer, 1.0, Some(&[0.0, 1.0]), RotationBlend::Nlerp);
        assert_eq!(pose, [base[0], layer[1], layer[2]]);
    }
}
