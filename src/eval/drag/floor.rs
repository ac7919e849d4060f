//! Feet do not go through the ground while something is dragged.
//!
//! A foot touches the ground with its heel, its ball and its toes. Where the lowest of them would come below the ground, the
//! ankle is lifted by as much, the foot's rotation kept, and the leg bends. A foot that is a little below the ground at the
//! press (captured motion is not exact) goes no lower; one that is deep below it is let be: the figure does not stand there.

use super::{Drag, DragInput, limb, pose::Pose};
use crate::eval::ik::SoftReach;
use crate::eval::limbs::{Limb, Role};
use crate::math::Vec3;

/// How deep a foot may be below the ground at the press and count as standing on it, a share of the leg.
const SUNK: f64 = 0.06;
/// How far the heel lies behind the ankle, a share of the way from the ankle to the toes.
const HEEL: f64 = 0.35;

/// Where a foot touches the ground.
#[derive(Clone, Debug)]
pub(super) struct Sole {
    /// The leg, by its place among the limbs.
    pub(super) limb: usize,
    /// Ball and toes: joints that hang from the ankle.
    joints: Vec<usize>,
    /// The heel in the ankle's space; none for a foot without joints of its own.
    heel: Option<Vec3>,
    /// The height below which it does not go, world; none where nothing keeps it.
    floor: Option<f64>,
}

/// The soles of all feet.
pub(super) fn soles(input: &DragInput<'_>, pressed: &Pose<'_>) -> Vec<Sole> {
    let mut soles = Vec::new();
    for (index, leg) in input.limbs.limbs.iter().enumerate().filter(|(_, limb)| limb.role == Role::Leg) {
        let joints = below(input.tree.parents, leg.end());
        let mut sole = Sole { limb: index, heel: heel(input, leg, &joints), joints, floor: None };
        let lowest = sole.lowest(leg, pressed);
        let size = pressed.length(&leg.joints);
        sole.floor = input.options.ground.filter(|ground| lowest > ground - SUNK * size).map(|g| g.min(lowest));
        soles.push(sole);
    }
    soles
}

/// Lifts the feet that have come below the ground.
pub(super) fn lift(drag: &Drag<'_>, pose: &mut Pose<'_>) {
    for sole in &drag.soles {
        let (Some(floor), Some(leg)) = (sole.floor, drag.input.limbs.limbs.get(sole.limb)) else { continue };
        let below = floor - sole.lowest(leg, pose);
        if below > 1e-12 * (1.0 + floor.abs()) {
            let (place, rotation) = (pose.position(leg.end()) + Vec3::y() * below, pose.rotation(leg.end()));
            limb::solve_limb(drag, pose, sole.limb, &place, SoftReach::OFF, Some(rotation));
        }
    }
}

impl Sole {
    /// The points that touch the ground, world.
    pub(super) fn points(&self, leg: &Limb, pose: &Pose<'_>) -> Vec<Vec3> {
        let heel = self.heel.map(|heel| pose.world(leg.end()).point(&heel));
        let joints = self.joints.iter().map(|joint| pose.position(*joint));
        let points: Vec<Vec3> = joints.chain(heel).collect();
        if points.is_empty() { vec![pose.position(leg.end())] } else { points }
    }

    /// Height of the lowest of them.
    pub(super) fn lowest(&self, leg: &Limb, pose: &Pose<'_>) -> f64 {
        self.points(leg, pose).iter().map(|point| point.y).fold(f64::INFINITY, f64::min)
    }
}

/// All joints that hang from one.
fn below(parents: &[Option<usize>], top: usize) -> Vec<usize> {
    let mut found = vec![false; parents.len()];
    let mut joints = Vec::new();
    for joint in top + 1..parents.len() {
        let parent = parents[joint].filter(|parent| *parent < joint);
        if parent.is_some_and(|parent| parent == top || found[parent]) {
            found[joint] = true;
            joints.push(joint);
        }
    }
    joints
}

/// The heel of a foot in the ankle's space: at the height of the lowest of its joints, behind the ankle. Where the zero pose
/// of the file is none that a body could take, so is the foot's: then it has no heel.
fn heel(input: &DragInput<'_>, leg: &Limb, joints: &[usize]) -> Option<Vec3> {
    if input.limbs.by_posed {
        return None;
    }
    let rest = Pose::new(input.tree, input.rest, &crate::math::Affine::IDENTITY);
    let frame = input.limbs.frame;
    let ankle = rest.position(leg.end());
    let offsets = || joints.iter().map(|joint| rest.position(*joint) - ankle);
    let low = offsets().map(|offset| offset.dot(&frame.up)).fold(f64::INFINITY, f64::min);
    let fore = offsets().map(|offset| offset.dot(&frame.forward)).fold(0.0, f64::max);
    if !(low.is_finite() && low < 0.0 && fore > 0.0) {
        return None;
    }
    let heel = ankle + frame.up * low - frame.forward * (HEEL * fore);
    Some(rest.world(leg.end()).try_inverse()?.point(&heel))
}
