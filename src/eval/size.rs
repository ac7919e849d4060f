//! How large a figure is, whatever its pose, and what unit a file without one must have meant.

use crate::math::Vec3;
use crate::model::{LengthUnit, Skeleton};

/// The height of a grown figure, metres: what an unknown unit is judged by.
const FIGURE: f64 = 1.75;
/// The longest way through a standing human skeleton, foot to hand, over its height.
const PATH_TO_HEIGHT: f64 = 1.5;

/// The size of a rest skeleton: the longest path between two ends, along the bones, over 1.5. For a human figure about
/// its height, in any pose. In the unit of the offsets; 0 for joints without bones.
///
/// `parents[i] < i`; the offset of a joint without parent is no bone. A single chain runs from its root to its end.
#[must_use]
pub fn size_from_offsets(parents: &[Option<usize>], offsets: &[Vec3]) -> f64 {
    longest_way(parents, offsets).0 / PATH_TO_HEIGHT
}

/// Of a chain that bends aside for less than this share of it only the length is told: a tentacle, an arm with fingers.
const ASIDE: f64 = 0.2;

/// How large a rest skeleton is said to be, in the unit of the offsets, and whether that is a height: what has long limbs to
/// two sides is as tall as [`size_from_offsets`] says, a chain as long as it is.
#[must_use]
pub fn told_size(parents: &[Option<usize>], offsets: &[Vec3]) -> (f64, bool) {
    let (longest, shorter) = longest_way(parents, offsets);
    let is_height = shorter > ASIDE * longest;
    (if is_height { longest / PATH_TO_HEIGHT } else { longest }, is_height)
}

/// The longest path between two ends, and the shorter of the two parts that its topmost joint divides it into.
fn longest_way(parents: &[Option<usize>], offsets: &[Vec3]) -> (f64, f64) {
    let count = parents.len().min(offsets.len());
    // The longest way down from each joint; children come later, so backwards they are done first.
    let mut down = vec![0.0_f64; count];
    let mut longest = (0.0_f64, 0.0_f64);
    for joint in (0..count).rev() {
        if let Some(parent) = parents[joint].filter(|parent| *parent < joint) {
            let reach = down[joint] + offsets[joint].norm();
            if down[parent] + reach > longest.0 {
                longest = (down[parent] + reach, down[parent].min(reach));
            }
            down[parent] = down[parent].max(reach);
        }
    }
    longest
}

/// [`size_from_offsets`] of a skeleton's rest pose, metres.
#[must_use]
pub fn skeleton_size(skeleton: &Skeleton) -> f64 {
    let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.rest.translation).collect();
    size_from_offsets(skeleton.parents(), &offsets)
}

/// [`told_size`] of a skeleton's rest pose, metres.
#[must_use]
pub fn told_size_of(skeleton: &Skeleton) -> (f64, bool) {
    let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.rest.translation).collect();
    told_size(skeleton.parents(), &offsets)
}

/// The unit that makes a size in unknown units most like a human figure of 1.75 m, compared by logarithm; metres where
/// the size says nothing (zero or not finite).
#[must_use]
pub fn guess_unit(size: f64) -> LengthUnit {
    let off = |unit: &LengthUnit| (size * unit.metres() / FIGURE).ln().abs();
    if size > 0.0 && size.is_finite() {
        LengthUnit::ALL.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default()
    } else {
        LengthUnit::default()
    }
}

/// Whether a height, metres, is within 30 % of a grown figure's; else a unit guessed by it is not to be trusted, or the
/// figure is a child, a giant or no human.
#[must_use]
pub fn is_human_size(height: f64) -> bool {
    (FIGURE / 1.3..=FIGURE * 1.3).contains(&height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_way_may_pass_any_joint() {
        let along = |lengths: &[f64]| lengths.iter().map(|l| Vec3::new(0.0, *l, 0.0)).collect::<Vec<_>>();
        // A root whose own offset is no bone, a trunk of 1, and a fork of 3 and 4 above it.
        let parents = [None, Some(0), Some(1), Some(1)];
        assert_eq!(size_from_offsets(&parents, &along(&[50.0, 1.0, 3.0, 4.0])), 7.0 / 1.5);
        // A chain counts from its root.
        assert_eq!(size_from_offsets(&[None, Some(0), Some(1)], &along(&[9.0, 1.0, 2.0])), 3.0 / 1.5);
        // Two trees: the larger one.
        assert_eq!(size_from_offsets(&[None, Some(0), None, Some(2)], &along(&[0.0, 1.0, 7.0, 2.0])), 2.0 / 1.5);
        assert_eq!(size_from_offsets(&[None], &along(&[4.0])), 0.0);
    }

    #[test]
    fn chains_are_as_long_as_they_are_and_what_branches_is_tall() {
        let along = |lengths: &[f64]| lengths.iter().map(|l| Vec3::new(0.0, *l, 0.0)).collect::<Vec<_>>();
        assert_eq!(told_size(&[None, Some(0), Some(1)], &along(&[9.0, 1.0, 0.5])), (1.5, false));
        // A thumb makes no figure of an arm.
        let hand = [None, Some(0), Some(1), Some(1)];
        assert_eq!(told_size(&hand, &along(&[0.0, 0.6, 0.2, 0.05])), (0.8, false));
        assert_eq!(told_size(&hand, &along(&[50.0, 1.0, 3.0, 4.0])), (7.0 / 1.5, true));
        assert_eq!(told_size(&[], &[]), (0.0, false));
    }

    #[test]
    fn units_of_common_figures() {
        for (size, unit) in [
            (1.8, LengthUnit::Metre),
            (17.0, LengthUnit::Decimetre),
            (170.0, LengthUnit::Centimetre),
            (68.0, LengthUnit::Inch),
            (1700.0, LengthUnit::Millimetre),
            (31.0, LengthUnit::Cmu),
            (0.0, LengthUnit::Metre),
            (f64::NAN, LengthUnit::Metre),
        ] {
            assert_eq!(guess_unit(size), unit, "{size}");
        }
    }

    #[test]
    fn a_figure_no_known_unit_fits_is_told_apart() {
        // The rest of "fair1" files: 42.8 of a unit of their own, 2.42 m in the nearest known one.
        for (size, fits) in [(31.0, true), (42.8, false), (170.0, true), (68.0, true)] {
            assert_eq!(is_human_size(size * guess_unit(size).metres()), fits, "{size}");
        }
        assert!(!is_human_size(0.0) && !is_human_size(f64::NAN));
    }
}
