//! Carrying poses over: what turned a joint of the source in space turns its counterpart.
//!
//! With both figures in the same reference pose, `dG = Gs * Gs_ref^-1` and `Gt = dG * Gt_ref`, each in the upright space of
//! its figure; in the parent's space `Gt_parent^-1 * Gt`. The formula of local deltas, `Qt_ref * Qs_ref^-1 * Qs`, is right
//! only where corresponding bones have the same axes and is not used. The travelling joint goes
//! `Pt = Pt_ref + S * (Ps - Ps_ref)`.

use super::{Aligned, Figure, JointMap, map::Share};
use crate::{
    eval::fk,
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{from_axis_angle, slerp, twist_angle},
    },
    model::JointTree,
};

/// Where a joint goes for where its counterpart goes, from their places in the reference pose; `scale` is the ratio of legs
/// or of heights.
#[must_use]
pub fn travelled(source: &Vec3, source_reference: &Vec3, target_reference: &Vec3, scale: f64) -> Vec3 {
    target_reference + (source - source_reference) * scale
}

/// The rotation in space of a joint for that of its counterpart, both from the same reference pose.
#[must_use]
pub fn carried(source: &Quat, source_reference: &Quat, target_reference: &Quat) -> Quat {
    source * source_reference.inverse() * target_reference
}

/// A map between two figures, ready to carry any number of poses over.
#[derive(Clone, Debug)]
pub struct Transfer {
    source_parents: Vec<Option<usize>>,
    target_parents: Vec<Option<usize>>,
    target_own_scale: Vec<bool>,
    source_upright: Quat,
    target_upright: Quat,
    rest: Vec<Transform>,
    steps: Vec<Option<Step>>,
    travel: Option<Travel>,
    /// For each joint of the target that goes with its counterpart within the parent, the turn from one parent's space to
    /// the other's.
    stretch: Vec<Option<Stretch>>,
    scale: f64,
}

/// How one joint gets its rotation: `G[source] * from_source`.
#[derive(Clone, Copy, Debug)]
struct Step {
    source: usize,
    from_source: Quat,
    share: Option<Shared>,
}

#[derive(Clone, Copy, Debug)]
struct Shared {
    share: Share,
    /// `Gs_ref^-1 * Gt_ref` of the other joint.
    from_other: Quat,
    /// The bone in the reference pose, unit, upright space of the source; for shares of twist.
    axis: Vec3,
    inverses: [Quat; 2],
}

#[derive(Clone, Copy, Debug)]
struct Travel {
    source: usize,
    target: usize,
    source_base: Vec3,
    target_base: Vec3,
}

#[derive(Clone, Copy, Debug)]
struct Stretch {
    source: usize,
    reference: Vec3,
    turn: Quat,
}

/// What a figure's joints are in its upright space: reused from pose to pose.
#[derive(Clone, Debug, Default)]
pub struct Space {
    /// Rotations, scale left out.
    pub rotations: Vec<Quat>,
    /// Positions, metres.
    pub positions: Vec<Vec3>,
}

impl Space {
    /// Takes in a pose.
    pub fn take(&mut self, parents: &[Option<usize>], locals: &[Transform], upright: &Quat) {
        self.rotations.clear();
        self.positions.clear();
        for (joint, local) in locals.iter().enumerate() {
            let parent = parents.get(joint).copied().flatten().filter(|parent| *parent < joint);
            let (rotation, position) = match parent {
                Some(parent) => (self.rotations[parent], self.positions[parent]),
                None => (*upright, Vec3::zeros()),
            };
            self.positions.push(position + rotation * local.translation);
            self.rotations.push(rotation * local.rotation);
        }
    }
}

impl Transfer {
    /// Makes the map ready. `floor` is how much lower than its own places the source stands, metres.
    #[must_use]
    pub fn new(source: &Figure, target: &Figure, map: &JointMap, aligned: &Aligned, wanted: Wanted) -> Self {
        let step = |joint: usize| {
            let mapping = map.of(joint)?;
            let reference = |at: usize| source.rotations[at].inverse();
            let share = mapping.share.map(|share| Shared {
                share,
                from_other: reference(share.with) * aligned.rotations[joint],
                axis: (source.positions[share.with] - source.positions[mapping.source])
                    .try_normalize(1e-12)
                    .unwrap_or_else(Vec3::y),
                inverses: [reference(mapping.source), reference(share.with)],
            });
            let from_source = reference(mapping.source) * aligned.rotations[joint];
            Some(Step { source: mapping.source, from_source, share })
        };
        let count = target.rest.len();
        let stretch = |joint: usize| {
            let from = map.of(joint).filter(|mapping| mapping.share.is_none())?.source;
            if joint == target.travels() {
                return None;
            }
            let turn = match (source.skeleton().parents()[from], target.skeleton().parents()[joint]) {
                (Some(above), Some(own_above)) => aligned.rotations[own_above].inverse() * source.rotations[above],
                (None, None) => target.upright.inverse() * source.upright,
                _ => return None,
            };
            Some(Stretch { source: from, reference: source.rest[from].translation, turn })
        };
        Self {
            source_parents: source.skeleton().parents().to_vec(),
            target_parents: target.skeleton().parents().to_vec(),
            target_own_scale: target.skeleton().tree().own_scale.to_vec(),
            source_upright: source.upright,
            target_upright: target.upright,
            rest: target.rest.clone(),
            steps: (0..count).map(step).collect(),
            travel: travel(source, target, map, aligned, wanted),
            stretch: (0..count).map(|joint| if wanted.stretch { stretch(joint) } else { None }).collect(),
            scale: wanted.scale,
        }
    }

    /// The joint of the target that is moved, and not only turned.
    #[must_use]
    pub fn travels(&self) -> Option<usize> {
        self.travel.map(|travel| travel.target)
    }

    /// Whether a joint of the target is moved within its parent.
    #[must_use]
    pub fn stretches(&self, joint: usize) -> bool {
        self.stretch.get(joint).is_some_and(Option::is_some)
    }

    /// Whether a joint of the target is turned.
    #[must_use]
    pub fn turns(&self, joint: usize) -> bool {
        self.steps.get(joint).is_some_and(Option::is_some)
    }

    /// Takes in a pose of the source, each joint in its parent's space.
    pub fn take(&self, locals: &[Transform], space: &mut Space) {
        space.take(&self.source_parents, locals, &self.source_upright);
    }

    /// The target's pose, each joint in its parent's space, for a pose of the source that was taken in.
    #[must_use]
    pub fn pose(&self, source_locals: &[Transform], space: &Space) -> Vec<Transform> {
        let mut locals = self.rest.clone();
        let mut rotations: Vec<Quat> = Vec::with_capacity(locals.len());
        for (joint, local) in locals.iter_mut().enumerate() {
            let above = self.target_parents[joint].map_or(self.target_upright, |parent| rotations[parent]);
            let rotation = match self.steps[joint].and_then(|step| step.rotation(&space.rotations)) {
                Some(rotation) => {
                    local.rotation = above.inverse() * rotation;
                    rotation
                }
                None => above * local.rotation,
            };
            rotations.push(rotation);
            if let Some(stretch) = self.stretch[joint]
                && let Some(moved) = source_locals.get(stretch.source)
            {
                let by = stretch.turn * (moved.translation - stretch.reference);
                local.translation += by * self.scale;
            }
        }
        if let Some(travel) = self.travel
            && let Some(place) = space.positions.get(travel.source)
        {
            let place = travelled(place, &travel.source_base, &travel.target_base, self.scale);
            let above = self.above(travel.target, &locals);
            if let Some(inverse) = above.try_inverse() {
                locals[travel.target].translation = inverse.point(&place);
            }
        }
        locals
    }

    /// From the space of a target joint's parent to the upright one.
    fn above(&self, joint: usize, locals: &[Transform]) -> Affine {
        let upright = Transform::from_rotation(self.target_upright).to_affine();
        let tree = JointTree { parents: &self.target_parents, own_scale: &self.target_own_scale };
        tree.parent(joint).map_or(upright, |parent| fk::model_of(tree, locals, &upright, parent))
    }
}

impl Step {
    fn rotation(&self, rotations: &[Quat]) -> Option<Quat> {
        let own = rotations.get(self.source)?;
        let rotation = own * self.from_source;
        let Some(Shared { share, from_other, axis, inverses }) = self.share else { return Some(rotation) };
        let other = rotations.get(share.with)?;
        if !share.twist_only {
            return Some(slerp(&rotation, &(other * from_other), share.part));
        }
        let (own, other) = (own * inverses[0], other * inverses[1]);
        let twist = twist_angle(&(own.inverse() * other), &axis) * share.part;
        Some(own * from_axis_angle(&axis, twist) * inverses[0].inverse() * self.from_source)
    }
}

/// What is wanted of a transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// How much further the target travels than the source.
    pub scale: f64,
    /// Whether joints that the source moves within their parents are moved in the target.
    pub stretch: bool,
    /// How much lower than its own places the source is taken to stand, metres.
    pub floor: f64,
}

/// The places from which the way of the body counts: over the ground they stand on where both stand.
fn travel(source: &Figure, target: &Figure, map: &JointMap, aligned: &Aligned, wanted: Wanted) -> Option<Travel> {
    let to = target.travels();
    let from = map.of(to)?.source;
    let (mut source_base, mut target_base) = (source.positions[from], aligned.positions[to]);
    let lowest = |figure: &Figure, positions: &[Vec3]| {
        figure.soles().into_iter().map(|joint| positions[joint].y).fold(f64::INFINITY, f64::min)
    };
    let (low, own_low) = (lowest(source, &source.positions), lowest(target, &aligned.positions));
    if low.is_finite() && own_low.is_finite() {
        source_base.y += wanted.floor - low;
        target_base.y -= own_low;
    }
    if source.by_first_frame {
        (target_base.x, target_base.z) = (source_base.x * wanted.scale, source_base.z * wanted.scale);
    }
    Some(Travel { source: from, target: to, source_base, target_base })
}
