//! Limbs as the user says they are: corrections applied to those found.

use super::{Limb, Limbs, Role, SkeletonView, assemble::digits, tree::Tree};
use crate::{
    math::Vec3,
    model::{BendToward, JointId, LimbSetting, LimbSpec, Rig},
};
use std::collections::BTreeSet;

impl Limbs {
    /// The limb found or said at a place of [`Limbs::limbs`], as its rig's document would hold it.
    #[must_use]
    pub fn spec(&self, rig: &Rig, limb: &Limb) -> Option<LimbSpec> {
        let id = |joint: usize| Some(rig.skeleton.joints().get(joint)?.id);
        let said = rig.limbs.values().find_map(|setting| match setting {
            LimbSetting::Limb(spec) if Some(spec.end) == id(limb.end()) && spec.role == limb.role => spec.bend,
            _ => None,
        });
        let (root, middle, end) = (id(limb.root())?, limb.middle.and_then(id), id(limb.end())?);
        Some(LimbSpec { role: limb.role, side: limb.side, root, middle, end, bend: said })
    }
}

/// The limbs of a rig: those found in what is seen of it, with what its document says of them. Fingers and toes are those of
/// the arms and legs that are said. A correction that does not fit the skeleton is passed over (the document reports it).
pub(super) fn corrected(found: Limbs, rig: &Rig, view: &SkeletonView<'_>) -> Limbs {
    if rig.limbs.is_empty() {
        return found;
    }
    let before = found.limbs.clone();
    let mut limbs = Limbs { limbs: Vec::new(), ..found };
    let parents = rig.skeleton.parents();
    let fitting = |id: &JointId| match rig.limbs.get(id) {
        Some(LimbSetting::Limb(spec)) if !rig.fits(spec) => None,
        setting => setting,
    };
    let id = |joint: usize| rig.skeleton.joints().get(joint).map(|joint| joint.id);
    let mut told: Vec<JointId> = Vec::new();
    let mut roles: BTreeSet<Role> = BTreeSet::new();
    for limb in found.limbs {
        let Some(end) = id(limb.end()).filter(|end| fitting(end).is_some() && !told.contains(end)) else {
            limbs.limbs.push(limb);
            continue;
        };
        told.push(end);
        roles.insert(limb.role);
        if let Some(LimbSetting::Limb(spec)) = fitting(&end) {
            limbs.limbs.extend(line(rig, spec, &limb.lead));
        }
    }
    for spec in rig.limbs.keys().filter(|end| !told.contains(end)).filter_map(|end| match fitting(end) {
        Some(LimbSetting::Limb(spec)) => Some(spec),
        _ => None,
    }) {
        limbs.limbs.extend(line(rig, spec, &[]));
    }
    for spec in rig.limbs.values() {
        roles.extend(match spec {
            LimbSetting::Limb(limb) => Some(limb.role),
            LimbSetting::Removed => None,
        });
        if let LimbSetting::Limb(LimbSpec { end, bend: Some(bend), .. }) = spec
            && let Some(end) = rig.skeleton.index_of(*end)
        {
            let direction = direction(&limbs, *bend);
            limbs.bends.insert(end, direction);
        }
    }
    rearrange_digits(&mut limbs, &before, rig, &Tree::new(view));
    limbs.limbs.sort_by_key(|limb| (limb.role, limb.side, limb.root()));
    place_trunk(&mut limbs, parents, &roles);
    limbs
}

/// The role of what hangs from the end of a limb.
const fn digit_of(role: Role) -> Option<Role> {
    match role {
        Role::Arm => Some(Role::Finger),
        Role::Leg => Some(Role::Toe),
        _ => None,
    }
}

/// Fingers and toes after limbs were corrected: those of an arm or leg that ends elsewhere now, or is neither any more, are
/// mere chains where no limb runs through them; arms and legs that none of those found ended like have what hangs from their
/// own end. What is said about a finger or toe itself stays.
fn rearrange_digits(limbs: &mut Limbs, found: &[Limb], rig: &Rig, tree: &Tree<'_>) {
    let said =
        |limb: &Limb| rig.skeleton.joints().get(limb.end()).is_some_and(|joint| rig.limbs.contains_key(&joint.id));
    let ends = |all: &[Limb]| -> Vec<(usize, Limb)> {
        let of = all.iter().filter(|limb| digit_of(limb.role).is_some());
        of.map(|limb| (limb.end(), limb.clone())).collect()
    };
    let (before, now) = (ends(found), ends(&limbs.limbs));
    // Of a limb that was said to be none the hand remains a hand.
    let removed = |end: usize| {
        let id = rig.skeleton.joints().get(end).map(|joint| joint.id);
        id.is_some_and(|id| matches!(rig.limbs.get(&id), Some(LimbSetting::Removed)))
    };
    let has = |all: &[(usize, Limb)], end: usize| all.iter().find(|(at, _)| *at == end).map(|(_, limb)| limb.clone());
    let mut taken: Vec<usize> = now.iter().flat_map(|(_, limb)| limb.joints.clone()).collect();
    let (old, mut kept): (Vec<Limb>, Vec<Limb>) = std::mem::take(&mut limbs.limbs).into_iter().partition(|limb| {
        let from = tree.parent(limb.root());
        let hangs = from.is_some_and(|from| has(&before, from).is_some() || has(&now, from).is_some());
        let is_loose = matches!(limb.role, Role::Finger | Role::Toe | Role::Chain);
        hangs && is_loose && !said(limb)
    });
    let mut free = Vec::new();
    for mut digit in old {
        let from = tree.parent(digit.root()).unwrap_or_default();
        match (has(&before, from), has(&now, from)) {
            (Some(_), Some(limb)) => {
                digit.role = digit_of(limb.role).unwrap_or(digit.role);
                digit.side = limb.side;
                kept.push(digit);
            }
            (Some(_), None) if removed(from) => kept.push(digit),
            // What hangs from a new end is found anew.
            (_, Some(_)) => {}
            (_, None) => free.push(Limb { role: Role::Chain, ..digit }),
        }
    }
    taken.extend(kept.iter().flat_map(|limb| limb.joints.clone()));
    for (end, limb) in &now {
        if has(&before, *end).is_none() {
            let role = digit_of(limb.role).unwrap_or(Role::Chain);
            for digit in digits(tree, limb, role).filter(|digit| !said(digit)) {
                if !digit.joints.iter().any(|joint| taken.contains(joint)) {
                    taken.extend(&digit.joints);
                    kept.push(digit);
                }
            }
        }
    }
    free.retain(|chain| chain.joints.len() > 1 && !chain.joints.iter().any(|joint| taken.contains(joint)));
    kept.extend(free);
    limbs.limbs = kept;
}

/// The joints of a limb; what led to the one found before leads to it as far as it still lies above.
fn line(rig: &Rig, spec: &LimbSpec, lead: &[usize]) -> Option<Limb> {
    let index = |id: JointId| rig.skeleton.index_of(id);
    let (root, end) = (index(spec.root)?, index(spec.end)?);
    let mut joints: Vec<usize> =
        std::iter::successors(Some(end), |at| rig.skeleton.parents()[*at].filter(|_| *at != root)).collect();
    joints.reverse();
    let lead = lead.iter().copied().take_while(|joint| *joint < root && !joints.contains(joint)).collect();
    let middle = spec.middle.and_then(index);
    (joints.first() == Some(&root)).then_some(Limb { role: spec.role, side: spec.side, joints, middle, lead })
}

fn direction(limbs: &Limbs, bend: BendToward) -> Vec3 {
    let frame = limbs.frame;
    match bend {
        BendToward::Forward => frame.forward,
        BendToward::Back => -frame.forward,
        BendToward::Left => frame.left,
        BendToward::Right => -frame.left,
        BendToward::Up => frame.up,
        BendToward::Down => -frame.up,
    }
}

/// Head, chest and hips as the limbs of the `said` roles say; of roles that nothing is said about as they were found.
fn place_trunk(limbs: &mut Limbs, parents: &[Option<usize>], said: &BTreeSet<Role>) {
    let first_end = |role: Role| limbs.of_role(role).next().map(Limb::end);
    let roots = |role: Role| limbs.of_role(role).map(Limb::root).collect::<Vec<_>>();
    let (neck, spine, arms, legs) = (first_end(Role::Neck), first_end(Role::Spine), roots(Role::Arm), roots(Role::Leg));
    if said.contains(&Role::Neck) {
        limbs.head = neck;
    }
    if said.contains(&Role::Arm) {
        limbs.chest = spine.or_else(|| branch(parents, &arms));
    }
    if said.contains(&Role::Spine) {
        limbs.chest = spine.or(limbs.chest);
    }
    if said.contains(&Role::Leg) {
        limbs.four_legged = limbs.four_legged && legs.len() > 2;
        limbs.hips = branch(parents, &legs).or(limbs.hips);
    }
}

/// The deepest joint above all of these; of one, its parent.
fn branch(parents: &[Option<usize>], joints: &[usize]) -> Option<usize> {
    let above = |joint: usize| std::iter::successors(parents.get(joint).copied().flatten(), |at| parents[*at]);
    let (first, others) = joints.split_first()?;
    above(*first).find(|candidate| others.iter().all(|other| above(*other).any(|joint| joint == *candidate)))
}
