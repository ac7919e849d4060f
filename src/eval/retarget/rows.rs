//! The frames of a result, and the curves they make.

use super::{Figure, transfer::Transfer};
use crate::{
    eval::dense::Grid,
    math::{Quat, Transform, Vec3},
    model::{ChannelPath, Curve, FrameRate, ObjectId},
};
use std::{collections::BTreeMap, sync::Arc};

/// One frame: the joints that turn and those that move, in order of joint.
pub(super) struct Row {
    rotations: Vec<Quat>,
    places: Vec<Vec3>,
}

impl Row {
    pub(super) fn new(transfer: &Transfer, pose: &[Transform]) -> Self {
        let of =
            |which: &dyn Fn(usize) -> bool| -> Vec<usize> { (0..pose.len()).filter(|joint| which(*joint)).collect() };
        Self {
            rotations: of(&|joint| transfer.turns(joint)).into_iter().map(|joint| pose[joint].rotation).collect(),
            places: of(&|joint| moves(transfer, joint)).into_iter().map(|joint| pose[joint].translation).collect(),
        }
    }
}

fn moves(transfer: &Transfer, joint: usize) -> bool {
    transfer.travels() == Some(joint) || transfer.stretches(joint)
}

/// All frames of a figure.
pub(super) struct Rows<'a> {
    figure: &'a Figure,
    turned: Vec<usize>,
    moved: Vec<usize>,
    rows: Vec<Row>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(figure: &'a Figure, transfer: &Transfer, rows: Vec<Row>) -> Self {
        let count = figure.rest.len();
        Self {
            figure,
            turned: (0..count).filter(|joint| transfer.turns(*joint)).collect(),
            moved: (0..count).filter(|joint| moves(transfer, *joint)).collect(),
            rows,
        }
    }

    /// A frame's joints, each in its parent's space.
    pub(super) fn pose(&self, frame: usize) -> Vec<Transform> {
        let mut pose = self.figure.rest.clone();
        let row = &self.rows[frame];
        for (joint, rotation) in self.turned.iter().zip(&row.rotations) {
            pose[*joint].rotation = *rotation;
        }
        for (joint, place) in self.moved.iter().zip(&row.places) {
            pose[*joint].translation = *place;
        }
        pose
    }

    /// The curves of an object from a time on.
    pub(super) fn curves(&self, object: ObjectId, start: f64, rate: FrameRate) -> BTreeMap<ChannelPath, Arc<Curve>> {
        let grid = Grid { object, start, rate };
        let mut curves = BTreeMap::new();
        let joints = self.figure.skeleton().joints();
        for (place, joint) in self.turned.iter().enumerate() {
            let rotations = self.rows.iter().map(|row| row.rotations[place]).collect();
            curves.extend(grid.rotations(&joints[*joint], rotations));
        }
        for (place, joint) in self.moved.iter().enumerate() {
            curves.extend(grid.places(&joints[*joint], self.rows.iter().map(|row| row.places[place])));
        }
        curves
    }
}
