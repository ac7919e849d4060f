//! The frames of a result, and the curves they make.

use super::{Figure, transfer::Transfer};
use crate::{
    eval::sample::read_angles,
    math::{
        Quat, Transform, Vec3,
        rotation::{make_continuous, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Component, Curve, FrameRate, JointId, ObjectId, Property, RotationCurve, RotationMode,
        RotationSamples, Samples, ScalarCurve, Target,
    },
    progress::{Cancelled, Progress},
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
        let mut curves = BTreeMap::new();
        let joints = self.figure.skeleton().joints();
        let samples =
            |values: Vec<f64>| Arc::new(Curve::Scalar(ScalarCurve::Sampled(Samples::new(start, rate, values.into()))));
        for (place, joint) in self.turned.iter().enumerate() {
            let mut rotations: Vec<Quat> = self.rows.iter().map(|row| row.rotations[place]).collect();
            let of = |component| path(object, joints[*joint].id, Property::Rotation, component);
            match joints[*joint].rotation {
                RotationMode::Quaternion => {
                    make_continuous(&mut rotations);
                    let track = RotationSamples { start, rate, values: rotations.into() };
                    curves.insert(of(Component::Whole), Arc::new(Curve::Rotation(RotationCurve::Sampled(track))));
                }
                RotationMode::Euler(order) => {
                    // From the rest pose on, so that captured angles do not begin with turns.
                    let mut before = to_euler(order, &self.figure.rest[*joint].rotation);
                    let by_axis = rotations.iter().map(|rotation| {
                        before = nearest_euler(order, rotation, before);
                        read_angles(order, before)
                    });
                    let by_axis: Vec<[f64; 3]> = by_axis.collect();
                    for (axis, component) in Component::AXES.into_iter().enumerate() {
                        curves.insert(of(component), samples(by_axis.iter().map(|angles| angles[axis]).collect()));
                    }
                }
            }
        }
        for (place, joint) in self.moved.iter().enumerate() {
            for (axis, component) in Component::AXES.into_iter().enumerate() {
                let values = self.rows.iter().map(|row| row.places[place][axis]).collect();
                curves.insert(path(object, joints[*joint].id, Property::Translation, component), samples(values));
            }
        }
        curves
    }
}

fn path(object: ObjectId, joint: JointId, property: Property, component: Component) -> ChannelPath {
    ChannelPath { target: Target::Joint(object, joint), property, component }
}

/// Frames a thread does at once: between them progress is told and the wish to stop is heard.
const AT_ONCE: usize = 64;

/// Does something at every frame, in parts beside each other; what each gives, in order.
pub(super) fn in_parts<S, T: Send>(
    count: usize,
    progress: &Progress,
    make: impl Fn() -> S,
    one: impl Fn(&mut S, usize) -> T + Sync,
) -> Result<Vec<T>, Cancelled>
where
    S: Send,
{
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = (count / AT_ONCE).clamp(1, cores.min(16));
    let part = |index: usize, mut state: S| -> Result<Vec<T>, Cancelled> {
        let (first, end) = (index * count / parts, (index + 1) * count / parts);
        let mut done = Vec::with_capacity(end - first);
        for frame in first..end {
            if (frame - first) % AT_ONCE == 0 {
                progress.check()?;
                progress.advance(AT_ONCE.min(end - frame) as u64);
            }
            done.push(one(&mut state, frame));
        }
        Ok(done)
    };
    let mut all = Vec::with_capacity(count);
    let (first, others) = (make(), (1..parts).map(|index| (index, make())).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        let part = &part;
        let beside: Vec<_> = others.into_iter().map(|(index, state)| scope.spawn(move || part(index, state))).collect();
        let mut results = vec![part(0, first)];
        for thread in beside {
            match thread.join() {
                Ok(found) => results.push(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        for result in results {
            all.extend(result?);
        }
        Ok(())
    })?;
    Ok(all)
}
