//! Squad: rotations through keys with a smooth angular velocity.

use super::{align, exp, log, slerp_unaligned};
use crate::math::Quat;

/// The control rotation of a key between its neighbours. At an end of the track (a neighbour is missing) it is the key.
///
/// Neighbours are brought into the key's hemisphere here, so that the track need not be sign-continuous.
/// Source: K. Shoemake, *Quaternion calculus and fast animation*, SIGGRAPH course notes 1987.
#[must_use]
pub fn squad_control(before: Option<&Quat>, key: &Quat, after: Option<&Quat>) -> Quat {
    let (Some(before), Some(after)) = (before, after) else { return *key };
    let to = |other: &Quat| log(&(key.inverse() * align(other, key)));
    key * exp(&((to(before) + to(after)) * -0.25))
}

/// The rotation at `u` (0..=1) between two keys with their controls:
/// `slerp(slerp(from, to, u), slerp(from_control, to_control, u), 2 u (1 - u))`, the inner ones without sign tests.
///
/// `to` and `to_control` are brought into the hemisphere of `from` together. Speeds fit at a key where the segments on
/// both sides last equally long.
#[must_use]
pub fn squad(from: &Quat, from_control: &Quat, to: &Quat, to_control: &Quat, u: f64) -> Quat {
    let aligned = align(to, from);
    let to_control =
        if aligned.coords == to.coords { *to_control } else { Quat::new_unchecked(-to_control.into_inner()) };
    let straight = slerp_unaligned(from, &aligned, u);
    let bent = slerp_unaligned(from_control, &to_control, u);
    slerp_unaligned(&straight, &bent, 2.0 * u * (1.0 - u))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::rotation::{from_axis_angle, rotation_vector};

    fn keys() -> Vec<Quat> {
        (0..6)
            .map(|i| {
                let f = f64::from(i);
                let q = from_axis_angle(&Vec3::new(f.sin(), (2.0 * f).cos(), 0.6), 0.8 * f);
                if i % 2 == 0 { q } else { Quat::new_unchecked(-q.into_inner()) }
            })
            .collect()
    }

    fn at(keys: &[Quat], time: f64) -> Quat {
        let i = (time.floor() as usize).min(keys.len() - 2);
        let control = |i: usize| squad_control(i.checked_sub(1).map(|b| &keys[b]), &keys[i], keys.get(i + 1));
        squad(&keys[i], &control(i), &keys[i + 1], &control(i + 1), time - i as f64)
    }

    #[test]
    fn it_meets_its_keys_with_one_angular_velocity() {
        let keys = keys();
        for i in 1..5 {
            let time = f64::from(i);
            assert!(align(&at(&keys, time), &keys[i as usize]).angle_to(&keys[i as usize]) < 1e-7);
            let h = 1e-5;
            let velocity = |a: f64, b: f64| rotation_vector(&(at(&keys, b) * at(&keys, a).inverse())) / (b - a);
            let (before, after) = (velocity(time - h, time), velocity(time, time + h));
            assert!((before - after).norm() < 1e-3 * before.norm(), "{before} {after}");
        }
    }

    #[test]
    fn equal_keys_stay_where_they_are() {
        let q = from_axis_angle(&Vec3::x(), 1.0);
        assert!(at(&[q; 4], 1.5).angle_to(&q) < 1e-12);
    }
}
