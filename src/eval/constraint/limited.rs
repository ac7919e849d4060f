//! IK chains that keep to the limits of their joints, whichever solver they have.
//!
//! A solver knows nothing of limits. What it gives is cut to them, and it starts again from there as long as that brings the
//! end nearer; then single joints turn the end towards the target, each cut at once (cyclic coordinate descent in the limits,
//! Wang & Chen 1991), until no turn helps. The nearest pose on the way is the result, and every pose on the way keeps the
//! limits.

use super::chain::{distance, settle};
use crate::{
    eval::{
        drag::pose::Pose,
        ik::{JointLimit, SolveStatus},
    },
    math::{Quat, Vec3, rotation::shortest_arc},
    model::{ChainPath, IkChain},
};

/// A chain whose joints have limits.
pub(super) struct Limited<'a> {
    pub(super) path: &'a ChainPath,
    pub(super) chain: &'a IkChain,
    /// The joints that it turns, parents first.
    pub(super) turned: &'a [usize],
    /// By joint index.
    pub(super) limits: &'a [Option<JointLimit>],
    pub(super) target: Vec3,
    /// Where the base stays.
    pub(super) place: Vec3,
}

/// The solver starts again at most so often.
const ROUNDS: usize = 8;
/// A step that brings the end nearer by less than this part of what is left helps no more.
const HELPS: f64 = 1e-6;

impl Limited<'_> {
    fn limit(&self, joint: usize) -> Option<&JointLimit> {
        self.limits.get(joint)?.as_ref()
    }

    /// Cuts the joints to their limits; whether any was beyond.
    pub(super) fn cut(&self, pose: &mut Pose<'_>) -> bool {
        let mut cut = false;
        for joint in self.turned {
            let Some(limit) = self.limit(*joint) else { continue };
            let local = pose.local_rotation(*joint);
            if !limit.contains(&local) {
                pose.set_locals(&[*joint], &[limit.clamp(&local)]);
                cut = true;
            }
        }
        if cut {
            settle(pose, self.path, &self.place);
        }
        cut
    }

    fn gap(&self, pose: &Pose<'_>) -> f64 {
        distance(&pose.position(self.path.end()), &self.target)
    }

    fn locals(&self, pose: &Pose<'_>) -> Vec<Quat> {
        self.turned.iter().map(|joint| pose.local_rotation(*joint)).collect()
    }

    /// Brings the end as near as the limits let it, from what the solver gave; `again` runs the solver on the pose.
    pub(super) fn keep(
        &self,
        pose: &mut Pose<'_>,
        status: SolveStatus,
        again: &dyn Fn(&mut Pose<'_>) -> SolveStatus,
    ) -> SolveStatus {
        if !self.cut(pose) {
            return status;
        }
        let near = self.chain.tolerance * pose.length(&self.path.points);
        let mut best = (self.gap(pose), self.locals(pose));
        let mut better = |found: &Self, pose: &Pose<'_>| {
            let gap = found.gap(pose);
            let helped = gap < best.0 * (1.0 - HELPS);
            if gap < best.0 {
                best = (gap, found.locals(pose));
            }
            helped && best.0 > near
        };
        for _ in 0..ROUNDS {
            again(pose);
            settle(pose, self.path, &self.place);
            self.cut(pose);
            if !better(self, pose) {
                break;
            }
        }
        // A chain through the root moves the figure: its joints do not turn the end about themselves.
        if self.path.carrier.is_none() {
            for _ in 0..self.chain.iterations.max(ROUNDS as u32) {
                self.sweep(pose);
                if !better(self, pose) {
                    break;
                }
            }
        }
        pose.set_locals(self.turned, &best.1);
        settle(pose, self.path, &self.place);
        if best.0 <= near { SolveStatus::Reached } else { SolveStatus::Stalled }
    }

    /// Turns each joint so that the end looks at the target, the last one first, each cut at its limits.
    fn sweep(&self, pose: &mut Pose<'_>) {
        let bones = self.path.points.iter().zip(&self.path.bodies);
        for (point, body) in bones.rev().filter(|(_, body)| self.path.turns(**body)) {
            let at = pose.position(*point);
            let (from, to) = (pose.position(self.path.end()) - at, self.target - at);
            if from.norm() <= 0.0 || to.norm() <= 0.0 {
                continue;
            }
            let turned = shortest_arc(&from, &to) * pose.rotation(*body);
            let local = pose.rotation_above(*body).inverse() * turned;
            let local = self.limit(*body).map_or(local, |limit| limit.clamp(&local));
            if local.coords.iter().all(|number| number.is_finite()) {
                pose.set_locals(&[*body], &[local]);
            }
        }
    }
}
