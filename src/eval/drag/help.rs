//! The body helps a hand, a foot or the trunk.
//!
//! What a limb does not take of a move is what the body gets: nothing as long as the target is well within reach, and from
//! there on a share that grows from nothing, so that the pose never jumps where the help begins. For a hand the shoulder is
//! led by as much, by the whole-body solver with feet (and what else is held) as targets of their own, spine first and hips
//! after it; then holds and the hand itself are closed exactly.

use super::{BodyHelp, Drag, hold, hold::Carried, pose::Pose, trunk};
use crate::eval::ik::{Body, BodyScratch, BodySettings, BodyTarget, SoftReach, SolveReport, solve_body};
use crate::eval::limbs::{Limb, Role};
use crate::math::Vec3;

/// Where the body helps from the beginning, the share of the move it takes.
const SHARE: f64 = 0.5;
/// Width of the zone before full stretch in which help begins where the soft reach is off, a share of the reach.
const LEAST_ZONE: f64 = 0.02;
/// The shoulder is led no farther than this, in lengths of the trunk; from half of it on it lags.
const MOST_LEAD: f64 = 1.6;
/// How willingly the hips turn, the spine being 1.
const HIPS_TURN: f64 = 0.12;
/// How willingly the collar bone turns.
const COLLAR: f64 = 0.35;
/// How willingly the hips move: far less than the spine turns.
const HIPS_MOVE: f64 = 0.004;
/// The weight of what is held against 1 for the shoulder.
const HELD: f64 = 30.0;

/// Leads the body to where the end of an arm or a leg reaches the target, as far as the body helps. How the limb itself eases
/// near full stretch is what comes back: not at all where the body has been led.
pub(super) fn lead_to(drag: &Drag<'_>, pose: &mut Pose<'_>, limb: usize, target: &Vec3) -> SoftReach {
    let options = &drag.input.options;
    let Some(found) = drag.input.limbs.limbs.get(limb) else { return options.soft };
    let helps = match options.help {
        BodyHelp::Never => false,
        BodyHelp::OutOfReach => found.role == Role::Arm,
        BodyHelp::AtOnce => true,
    };
    let lead = lead(drag, pose, &found.joints, drag.limb_length(limb), target).all();
    if !helps || lead == Vec3::zeros() {
        return options.soft;
    }
    if found.role == Role::Arm {
        lead_shoulder(drag, pose, found, &lead);
    } else {
        hold::shift_hips(drag, pose, &lead);
    }
    SoftReach::OFF
}

/// The trunk bends so that its end comes to the target, the hips with it as far as they help; no farther than arms and
/// forelegs that are held let it.
pub(super) fn bend(
    drag: &Drag<'_>,
    pose: &mut Pose<'_>,
    path: &[usize],
    weights: &[f64],
    target: &Vec3,
) -> SolveReport {
    Carried::by(drag, path).solve(drag, pose, target, |pose, target| bend_to(drag, pose, path, weights, target))
}

fn bend_to(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize], weights: &[f64], target: &Vec3) -> SolveReport {
    let soft = drag.input.options.soft;
    let inward = inward(drag, path, target);
    let bowed = target - inward;
    if drag.input.options.help == BodyHelp::Never {
        return trunk::bend(drag, pose, path, weights, &bowed, soft);
    }
    // From the pose at the press: what balance takes back is not asked for again.
    let length = drag.pressed.length(path);
    let lead = lead(drag, &drag.pressed, path, length, &bowed);
    let by = lead.all() + inward;
    if by == Vec3::zeros() {
        return trunk::bend(drag, pose, path, weights, target, soft);
    }
    hold::shift_hips(drag, pose, &by);
    // What is left for the trunk comes within its reach: ever less but its very end is eased.
    let least = soft.zone.min(LEAST_ZONE);
    let into = (lead.beyond.norm() / (soft.zone * length).max(1e-300)).min(1.0);
    let zone = soft.zone + (least - soft.zone) * into * into * (3.0 - 2.0 * into);
    trunk::bend(drag, pose, path, weights, target, SoftReach { zone })
}

/// A trunk of more than one bone bows inwards by this share of itself before the hips go, and by the second where they do
/// not.
const BOWS: [f64; 2] = [0.12, 0.4];
/// The width in which they begin to, as a share of it.
const BOWS_SOFTLY: f64 = 0.2;

/// How much of a pull on the trunk, straight towards the hips, is not the trunk's own: it bows only so far, and one bone
/// not at all. Without it a trunk would turn over where the target passes its root.
fn inward(drag: &Drag<'_>, path: &[usize], target: &Vec3) -> Vec3 {
    let Some(first) = path.first() else { return Vec3::zeros() };
    let chord = drag.start() - drag.pressed.position(*first);
    let length = chord.norm();
    let [with_hips, alone] = BOWS;
    let bows = if drag.input.options.help == BodyHelp::Never { alone } else { with_hips };
    let (free, zone) = (if path.len() > 2 { bows * length } else { 0.0 }, BOWS_SOFTLY * length);
    let beyond = -(target - drag.start()).dot(&chord) / length.max(1e-300) - free;
    if beyond <= 0.0 || length <= 0.0 {
        return Vec3::zeros();
    }
    // Of slope 0 where it begins, 1 from the zone on.
    let taken = if beyond < zone { 0.5 * beyond * beyond / zone } else { beyond - 0.5 * zone };
    chord * (-taken / length)
}

/// How far the root of a path has to go.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    /// The body's share from the beginning.
    own: Vec3,
    /// What is beyond the path's reach.
    beyond: Vec3,
}

impl Lead {
    fn all(&self) -> Vec3 {
        self.own + self.beyond
    }
}

/// How far the root of a path that reaches so far has to go for the path's end to come to a target, as far as that is the body's part.
fn lead(drag: &Drag<'_>, pose: &Pose<'_>, path: &[usize], reach: f64, target: &Vec3) -> Lead {
    let Some(first) = path.first() else { return Lead::default() };
    let options = &drag.input.options;
    let root = pose.position(*first);
    let own = if options.help == BodyHelp::AtOnce { (target - drag.start()) * SHARE } else { Vec3::zeros() };
    let pressed = (drag.start() - drag.pressed.position(*first)).norm();
    let offset = target - (root + own);
    let distance = offset.norm();
    let eased = hold::eased(distance, reach, pressed, options.soft.zone.max(LEAST_ZONE) * reach);
    let beyond = if eased < distance { offset * (1.0 - eased / distance) } else { Vec3::zeros() };
    Lead { own, beyond }
}

/// Leads the root of an arm by an offset: spine and hips bend to it, what is held stays.
fn lead_shoulder(drag: &Drag<'_>, pose: &mut Pose<'_>, arm: &Limb, by: &Vec3) {
    let limbs = drag.input.limbs;
    let trunk = limbs.of_role(Role::Spine).next().map(Limb::root);
    let top = limbs.hips.filter(|hips| pose.path_between(*hips, arm.root()).is_some()).or(trunk);
    let Some(path) = top.and_then(|top| pose.path_between(top, arm.root())).filter(|path| path.len() > 1) else {
        return;
    };
    let (mut positions, mut rotations) = pose.all();
    let mut willing = vec![0.0; positions.len()];
    for joint in &path[..path.len() - 1] {
        willing[*joint] = match joint {
            hips if limbs.hips == Some(*hips) => HIPS_TURN,
            collar if arm.lead.contains(collar) => COLLAR,
            _ => 1.0,
        };
    }
    let most = MOST_LEAD * drag.pressed.length(&path);
    let far = by.norm();
    let led = by * (hold::eased(far, most, 0.0, 0.5 * most) / far.max(1e-300));
    let place = pose.position(arm.root()) + led;
    let mut targets = vec![BodyTarget { joint: arm.root(), position: Some((place, 1.0)), orientation: None }];
    for held in &drag.held {
        let Some(limb) = limbs.limbs.get(held.limb) else { continue };
        for joint in limb.joints.iter().filter(|joint| !path.contains(joint)) {
            willing[*joint] = 1.0;
        }
        targets.push(BodyTarget {
            joint: limb.end(),
            position: Some((held.place, HELD)),
            orientation: held.rotation.map(|rotation| (rotation, HELD)),
        });
    }
    let limits = drag.soft_limits(&path);
    let settings = BodySettings {
        willingness: &willing,
        limits: &limits,
        moving: limbs.hips.map(|hips| (hips, HIPS_MOVE)),
        pull: 0.0,
        tolerance: 1e-5,
        steps: 24,
        ..BodySettings::default()
    };
    let before = limbs.hips.map(|hips| positions[hips]);
    let mut body = Body { parents: drag.input.tree.parents, positions: &mut positions, rotations: &mut rotations };
    solve_body(&mut body, &targets, &settings, &mut BodyScratch::default(), &mut Vec::new());
    if let (Some(hips), Some(before)) = (limbs.hips, before) {
        pose.shift(hips, &(positions[hips] - before));
    }
    let turned: Vec<bool> = willing.iter().map(|willing| *willing > 0.0).collect();
    pose.set_all_rotations(&turned, &rotations);
    hold::within_reach(drag, pose);
}
