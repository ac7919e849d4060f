//! When each joint's curves are read: the retimes of a clip, bound to a skeleton.

use super::bound::Grids;
use crate::{
    eval::curve::sampled::SamplePosition,
    model::{Clip, ObjectId, Retime, Skeleton, Target},
};
use std::sync::Arc;

/// The times at which joints are read, as so many clocks: joints with the same retimes share one.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// The retimes of each clock, in the order in which they are asked; the first clock runs as the time shown.
    lists: Vec<Vec<Arc<Retime>>>,
    /// The clock of each joint; empty where all go by the first.
    of_joint: Vec<usize>,
}

/// A clock at a time.
#[derive(Debug)]
pub(super) struct Moment {
    /// The time read.
    pub(super) secs: f64,
    /// Where that falls on each grid.
    pub(super) places: Vec<Option<SamplePosition>>,
}

impl Moment {
    fn new(retimes: &[Arc<Retime>], grids: &Grids, shown: f64) -> Self {
        let secs = retimes.iter().fold(shown, |secs, retime| retime.phi.value(secs));
        Self { secs, places: grids.places(secs) }
    }
}

impl Clocks {
    /// The clocks of a rig object's joints in a clip.
    pub(super) fn new(object: ObjectId, skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut clocks = Self { lists: vec![Vec::new()], of_joint: Vec::new() };
        if !clip.retimes.iter().any(|retime| retime.object == object && !retime.muted) {
            return clocks;
        }
        for joint in skeleton.joints() {
            let target = Target::Joint(object, joint.id);
            let acting = clip.retimes.iter().rev().filter(|retime| !retime.muted && retime.covers(target));
            let list: Vec<Arc<Retime>> = acting.cloned().collect();
            let same = |known: &Vec<Arc<Retime>>| known.iter().map(|r| r.id).eq(list.iter().map(|r| r.id));
            let clock = clocks.lists.iter().position(same).unwrap_or_else(|| {
                clocks.lists.push(list);
                clocks.lists.len() - 1
            });
            clocks.of_joint.push(clock);
        }
        clocks
    }

    /// Whether any joint is read at another time than the one shown.
    pub(super) const fn are_several(&self) -> bool {
        self.lists.len() > 1
    }

    /// All clocks at a time shown.
    pub(super) fn moments(&self, grids: &Grids, shown: f64) -> Vec<Moment> {
        if self.lists.is_empty() {
            return vec![Moment::new(&[], grids, shown)];
        }
        self.lists.iter().map(|list| Moment::new(list, grids, shown)).collect()
    }

    /// The clock of one joint at a time shown.
    pub(super) fn moment(&self, joint: usize, grids: &Grids, shown: f64) -> Moment {
        Moment::new(self.lists.get(self.of(joint)).map_or(&[], Vec::as_slice), grids, shown)
    }

    /// Which clock a joint goes by.
    #[inline]
    pub(super) fn of(&self, joint: usize) -> usize {
        self.of_joint.get(joint).copied().unwrap_or(0)
    }
}
