//! Which joints mirror each other.

use super::MirrorView;
use crate::{
    eval::limbs::{Limb, Role, Side},
    math::Vec3,
};
use std::collections::BTreeMap;

/// A joint nearer to the middle plane than this share of the skeleton is on it.
const ON_PLANE: f64 = 1e-3;
/// Joints whose places mirror each other up to this share of the skeleton can be a pair.
const ALIKE: f64 = 0.05;

fn pair(partners: &mut [Option<usize>], a: usize, b: usize) {
    if a != b && partners[a].is_none() && partners[b].is_none() {
        partners[a] = Some(b);
        partners[b] = Some(a);
    }
}

/// Pairs joints whose names differ by the side only. Of several joints of one name the first goes with the first.
pub(super) fn by_name(view: &MirrorView<'_>, partners: &mut [Option<usize>]) {
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for joint in (0..view.names.len()).filter(|joint| !view.tips[*joint]) {
        named.entry(view.names[joint]).or_default().push(joint);
    }
    for (name, joints) in &named {
        let others = other_side(name);
        if let Some(others) = others.iter().find_map(|other| named.get(other.as_str())) {
            joints.iter().zip(others).for_each(|(a, b)| pair(partners, *a, *b));
        }
    }
}

/// What a name may be on the other side. Only a name that exists counts, so that a guess costs nothing.
fn other_side(name: &str) -> Vec<String> {
    if name.contains(['左', '右']) {
        let swapped = name.chars().map(|c| match c {
            '左' => '右',
            '右' => '左',
            other => other,
        });
        return vec![swapped.collect()];
    }
    let words = [("Left", "Right"), ("left", "right"), ("LEFT", "RIGHT")];
    let both_ways = words.into_iter().flat_map(|(left, right)| [(left, right), (right, left)]);
    let mut others: Vec<String> =
        both_ways.filter(|(from, _)| name.contains(from)).map(|(from, to)| name.replacen(from, to, 1)).collect();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let swapped = match letter {
            'l' => 'r',
            'r' => 'l',
            'L' => 'R',
            'R' => 'L',
            _ => continue,
        };
        let before = at.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(at + 1);
        let begins = before.is_none_or(|before| !before.is_alphabetic());
        let ends = letter.is_uppercase()
            && before.is_some_and(char::is_lowercase)
            && after.is_none_or(|after| !after.is_lowercase());
        if begins || ends {
            let mut other = letters.clone();
            other[at] = swapped;
            others.push(other.into_iter().collect());
        }
    }
    others
}

/// A name for a new joint on the other side: a word for a side or a letter that stands alone is swapped, else a letter before
/// a capital (`lThigh`); a name that tells no side gets a word more.
#[must_use]
pub fn mirrored_name(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let changed = |other: &String| letters.iter().zip(other.chars()).position(|(a, b)| *a != b);
    let others = other_side(name);
    let word = others.iter().find(|other| other.len() != name.len() || !other.is_ascii());
    let alone = |at: usize| !letters.get(at + 1).is_some_and(|next| next.is_alphabetic());
    let before_capital = |at: usize| letters.get(at + 1).is_some_and(|next| next.is_uppercase());
    let letter = |fits: &dyn Fn(usize) -> bool| others.iter().rev().find(|other| changed(other).is_some_and(fits));
    let found = word.or_else(|| letter(&alone)).or_else(|| letter(&before_capital));
    found.cloned().unwrap_or_else(|| format!("{name} mirrored"))
}

/// Pairs the joints of arms and legs.
pub(super) fn by_limb(view: &MirrorView<'_>, partners: &mut [Option<usize>]) {
    for role in [Role::Arm, Role::Leg] {
        let of = |side: Side| view.limbs.of_role(role).filter(move |limb| limb.side == side);
        for (left, right) in of(Side::Left).zip(of(Side::Right)) {
            along(left, right, partners);
        }
    }
}

fn along(left: &Limb, right: &Limb, partners: &mut [Option<usize>]) {
    if left.joints.len() == right.joints.len() {
        left.joints.iter().zip(&right.joints).for_each(|(a, b)| pair(partners, *a, *b));
    } else {
        pair(partners, left.root(), right.root());
        pair(partners, left.end(), right.end());
        if let (Some(a), Some(b)) = (left.middle, right.middle) {
            pair(partners, a, b);
        }
    }
    // From the limb's root up, where both hang from one joint in the same way.
    left.lead.iter().rev().zip(right.lead.iter().rev()).for_each(|(a, b)| pair(partners, *a, *b));
}

/// Pairs what hangs from paired joints, and from joints of the middle, by where it lies from there.
pub(super) fn by_place(view: &MirrorView<'_>, normal: &Vec3, partners: &mut [Option<usize>]) {
    let count = view.parents.len();
    let mut sizes = vec![1_usize; count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    for joint in (0..count).rev() {
        if let Some(parent) = view.parents[joint].filter(|parent| *parent < joint) {
            sizes[parent] += sizes[joint];
            children[parent].insert(0, joint);
        }
    }
    let size = extent(view.positions);
    for joint in 0..count {
        let other = partners[joint].unwrap_or(joint);
        let offset = |child: usize, parent: usize| view.positions[child] - view.positions[parent];
        let is_free = |child: usize, partners: &[Option<usize>]| partners[child].is_none() && !view.tips[child];
        for child in children[joint].clone() {
            let from = offset(child, joint);
            let aside = normal.dot(&from);
            // A child of the middle may itself be one of the middle.
            if !is_free(child, partners) || (other == joint && aside.abs() <= ON_PLANE * size) {
                continue;
            }
            let mirrored = from - normal * (2.0 * aside);
            let fits = children[other].iter().copied().filter(|candidate| {
                *candidate != child && is_free(*candidate, partners) && sizes[*candidate] == sizes[child]
            });
            let apart = |candidate: usize| (offset(candidate, other) - mirrored).norm();
            let best = fits.min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
            if let Some(best) = best.filter(|best| apart(*best) <= ALIKE * size) {
                pair(partners, child, best);
            }
        }
    }
}

/// The longest side of the box around all positions.
fn extent(positions: &[Vec3]) -> f64 {
    let Some(first) = positions.first() else { return 0.0 };
    let (low, high) = positions.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)));
    (high - low).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_have_another_side() {
        for (left, right) in [
            ("hand.l", "hand.r"),
            ("upperarm02.L", "upperarm02.R"),
            ("LoLeg_L", "LoLeg_R"),
            ("mixamorig:LeftForeArm", "mixamorig:RightForeArm"),
            ("lfemur", "rfemur"),
            ("LHipJoint", "RHipJoint"),
            ("lShldr", "rShldr"),
            ("thigh_l", "thigh_r"),
            ("arm.L.001", "arm.R.001"),
            ("左ひじ", "右ひじ"),
            ("handL", "handR"),
            ("l_clavicle", "r_clavicle"),
        ] {
            assert!(other_side(left).contains(&right.to_owned()), "{left}: {:?}", other_side(left));
            assert!(other_side(right).contains(&left.to_owned()), "{right}: {:?}", other_side(right));
        }
        assert!(other_side("head").is_empty() && other_side("spine 2").is_empty());
    }
}
