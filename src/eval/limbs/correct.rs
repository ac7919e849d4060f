//! Limbs as the user says they are: corrections applied to those found.

use super::{Limb, Limbs, Role};
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

/// The limbs of a rig: those found, with what its document says of them. A correction that does not fit the skeleton is
/// passed over (the document reports it).
pub(super) fn corrected(found: Limbs, rig: &Rig) -> Limbs {
    if rig.limbs.is_empty() {
        return found;
    }
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
    limbs.limbs.sort_by_key(|limb| (limb.role, limb.side, limb.root()));
    place_trunk(&mut limbs, parents, &roles);
    limbs
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
