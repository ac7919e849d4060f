//! Limbs, tails, fingers, tentacles: tapered capsules along the bones, thinner towards the tips.

use super::anatomy::Anatomy;
use super::loft::Solid;
use super::mannequin::Maker;
use crate::eval::limbs::Role;
use crate::math::Vec3;

/// Radius of a limb at each joint, metres.
///
/// A limb grows from its tip: in a person, 9 mm where a finger begins, 35 mm at the ankle, 85 mm at the hip. Arms are
/// slimmer than legs of their length, and no thigh reaches into the other.
pub(super) fn radii(anatomy: &Anatomy) -> Vec<f64> {
    let size = anatomy.size;
    let thickness = |reach: &f64| {
        let thin = (reach / (0.11 * size)).min(1.0).powf(1.3);
        ((0.014 * size + 0.057 * reach) * thin).max(0.003 * size)
    };
    let mut radii: Vec<f64> = anatomy.reach.iter().map(thickness).collect();
    for girdle in &anatomy.girdles {
        let apart = anatomy.place(girdle.left.root(), girdle.right.root()).norm() / 2.0;
        let limit = (0.98 * apart).max(0.012 * size);
        for limb in girdle.limbs() {
            let slim = if limb.role == Role::Arm { 0.78 } else { 1.0 };
            for &joint in limb.lead.iter().chain(&limb.joints) {
                radii[joint] = (radii[joint] * slim).min(limit);
            }
        }
    }
    radii
}

/// Every bone that has no shape yet.
pub(super) fn build(maker: &mut Maker<'_>) {
    let anatomy = maker.anatomy;
    collar_bones(maker);
    for joint in 0..anatomy.len() {
        let Some(parent) = anatomy.parents[joint].filter(|_| !maker.done[joint]) else { continue };
        maker.done[joint] = true;
        let b = anatomy.place(joint, parent);
        let length = b.norm();
        // Links of no length, and those that lead from the trunk to where a limb begins, lie within the body.
        if length < 0.004 * anatomy.size || anatomy.trunk[parent] || is_trifle_on_trunk(anatomy, joint) {
            continue;
        }
        let radius = |j: usize| maker.radii[j];
        let (ra, rb) = (radius(parent), radius(joint).min(radius(parent)));
        let swell = if length > 0.1 * anatomy.size { 0.13 } else { 0.0 };
        let sides = if ra < 0.012 * anatomy.size { 5 } else { 8 };
        maker.push(parent, &Solid::limb(Vec3::zeros(), b, Vec3::x(), [ra, rb], swell, sides));
    }
}

/// The links from the spine to the shoulders, drawn from where they leave the chest; those to the hips lie within the
/// pelvis.
fn collar_bones(maker: &mut Maker<'_>) {
    let anatomy = maker.anatomy;
    for limb in anatomy.girdles.iter().flat_map(super::anatomy::Girdle::limbs) {
        let radius = maker.radii[limb.root()];
        let ends = limb.lead.iter().skip(1).copied().chain([limb.root()]);
        for (i, (&joint, next)) in limb.lead.iter().zip(ends).enumerate() {
            maker.done[next] = true;
            let b = anatomy.place(next, joint);
            if limb.role == Role::Arm && b.norm() > 0.02 * anatomy.size {
                // The first one starts on the chest's axis: its near half is hidden anyway.
                let a = if i == 0 { b * 0.45 } else { Vec3::zeros() };
                maker.push(joint, &Solid::limb(a, b, Vec3::x(), [0.8 * radius, 0.97 * radius], 0.0, 8));
            }
        }
    }
}

/// Whether a joint belongs to something small at the side of the trunk, such as breasts or pockets: those have no shape
/// of their own. A tail does.
fn is_trifle_on_trunk(anatomy: &Anatomy, joint: usize) -> bool {
    let up = std::iter::successors(Some(joint), |joint| anatomy.parents[*joint]);
    let top = up.take_while(|here| !anatomy.trunk[*here]).last();
    let Some((top, parent)) = top.and_then(|top| Some((top, anatomy.parents[top]?))) else { return false };
    let off_axis = anatomy.place(anatomy.tip(top), parent).dot(&anatomy.to_local(parent, &anatomy.frame.left)).abs();
    let small = anatomy.reach[top] < 0.2 * anatomy.size;
    anatomy.trunk[parent] && !anatomy.in_limb[top] && small && off_axis > 0.02 * anatomy.size
}
