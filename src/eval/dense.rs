//! Motion worked out frame by frame: poses found beside each other, and the dense curves they make.

use super::{Evaluator, sample::read_angles};
use crate::{
    math::{
        Quat, Transform, Vec3,
        rotation::{make_continuous, nearest_euler, rotation_angle, to_euler},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRate, Joint, ObjectId, Property, RotationCurve,
        RotationMode, RotationSamples, Samples, ScalarCurve, Skeleton, Target,
    },
    progress::{Cancelled, Progress},
};
use std::{collections::BTreeMap, sync::Arc};

/// Where dense curves of an object begin, and how many values they have a second.
#[derive(Clone, Copy, Debug)]
pub(in crate::eval) struct Grid {
    pub(in crate::eval) object: ObjectId,
    /// Seconds.
    pub(in crate::eval) start: f64,
    pub(in crate::eval) rate: FrameRate,
}

impl Grid {
    /// A joint's rotations, in the form it holds them: angles run on from those of the rest pose without jumps.
    pub(in crate::eval) fn rotations(&self, joint: &Joint, mut rotations: Vec<Quat>) -> Vec<(ChannelPath, Arc<Curve>)> {
        match joint.rotation {
            RotationMode::Quaternion => {
                make_continuous(&mut rotations);
                let track = RotationSamples { start: self.start, rate: self.rate, values: rotations.into() };
                let curve = Curve::Rotation(RotationCurve::Sampled(track));
                vec![(self.path(joint, Property::Rotation, Component::Whole), Arc::new(curve))]
            }
            RotationMode::Euler(order) => {
                let mut before = to_euler(order, &joint.rest.rotation);
                let by_axis = rotations.iter().map(|rotation| {
                    before = nearest_euler(order, rotation, before);
                    read_angles(order, before)
                });
                self.axes(joint, Property::Rotation, &by_axis.collect::<Vec<_>>())
            }
        }
    }

    /// A joint's places in its parent's space, metres.
    pub(in crate::eval) fn places(
        &self,
        joint: &Joint,
        places: impl Iterator<Item = Vec3>,
    ) -> Vec<(ChannelPath, Arc<Curve>)> {
        self.axes(joint, Property::Translation, &places.map(Into::into).collect::<Vec<_>>())
    }

    fn axes(&self, joint: &Joint, property: Property, values: &[[f64; 3]]) -> Vec<(ChannelPath, Arc<Curve>)> {
        let of = |(axis, component): (usize, Component)| {
            let samples = Samples::new(self.start, self.rate, values.iter().map(|value| value[axis]).collect());
            (self.path(joint, property, component), Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))))
        };
        Component::AXES.into_iter().enumerate().map(|(axis, component)| of((axis, component))).collect()
    }

    fn path(&self, joint: &Joint, property: Property, component: Component) -> ChannelPath {
        ChannelPath { target: Target::Joint(self.object, joint.id), property, component }
    }

    /// The curves of all joints that are anywhere else than at rest in some of the poses.
    pub(in crate::eval) fn of_poses(
        &self,
        skeleton: &Skeleton,
        poses: &[Vec<Transform>],
    ) -> BTreeMap<ChannelPath, Arc<Curve>> {
        /// Below this nothing moves: rounding, radians or metres.
        const STILL: f64 = 1e-12;
        let mut curves = BTreeMap::new();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let rest = &joint.rest;
            if poses.iter().any(|pose| rotation_angle(&(rest.rotation.inverse() * pose[index].rotation)) > STILL) {
                curves.extend(self.rotations(joint, poses.iter().map(|pose| pose[index].rotation).collect()));
            }
            if poses.iter().any(|pose| (pose[index].translation - rest.translation).norm() > STILL) {
                curves.extend(self.places(joint, poses.iter().map(|pose| pose[index].translation)));
            }
            if poses.iter().any(|pose| (pose[index].scale - rest.scale).norm() > STILL) {
                let scales: Vec<[f64; 3]> = poses.iter().map(|pose| pose[index].scale.into()).collect();
                curves.extend(self.axes(joint, Property::Scale, &scales));
            }
        }
        curves
    }
}

/// A rig's poses at the frames of a clip, with corrections and pins, each joint in its parent's space; nothing that waits to
/// be keyed. None where there is no such rig or clip.
///
/// # Errors
/// Where someone asks to stop.
pub(in crate::eval) fn poses(
    document: &Document,
    (object, clip): (ObjectId, ClipId),
    progress: &Progress,
) -> Result<Option<Vec<Vec<Transform>>>, Cancelled> {
    let mut document = document.clone();
    let Some(range) = document.clip(clip).map(|clip| clip.range) else { return Ok(None) };
    if document.object(object).is_none_or(|object| object.as_rig().is_none()) {
        return Ok(None);
    }
    if let Some(clip) = document.clip_mut(clip) {
        clip.unkeyed.clear();
    }
    if let Some(object) = document.object_mut(object) {
        object.clip = Some(clip);
        // The clip is asked for, whatever plays.
        object.layers.clear();
    }
    let rate = document.settings.rate;
    let evaluator = Evaluator::new();
    drop(evaluator.rig_frame(&document, object, rate.secs(range.first)));
    let one = |evaluator: &mut Evaluator, frame: usize| {
        let secs = rate.secs(range.first.saturating_add_unsigned(frame as u64));
        evaluator.rig_frame(&document, object, secs).map_or_else(Vec::new, |frame| frame.local.clone())
    };
    let count = usize::try_from(range.len()).unwrap_or(0);
    Ok(Some(in_parts(count, progress, || evaluator.fork(), one)?))
}

/// A clip like another with these curves and nothing on top: what lay there is in the curves.
pub(in crate::eval) fn remade(clip: &Clip, object: ObjectId, curves: BTreeMap<ChannelPath, Arc<Curve>>) -> Clip {
    let kept = clip.channels.iter().filter(|(path, _)| {
        // What the clip moves besides stays: other objects, the object itself.
        !matches!(path.target, Target::Joint(own, _) | Target::Pin(own, _) if own == object)
    });
    let mut channels: BTreeMap<ChannelPath, Arc<Curve>> =
        kept.map(|(path, curve)| (*path, Arc::clone(curve))).collect();
    channels.extend(curves);
    let muted = clip.muted.iter().copied().filter(|path| channels.contains_key(path) && path.target.object() != object);
    Clip {
        muted: muted.collect(),
        channels,
        unkeyed: Vec::new(),
        corrections: clip
            .corrections
            .iter()
            .filter(|c| c.deltas.keys().all(|path| path.target.object() != object))
            .cloned()
            .collect(),
        retimes: clip.retimes.iter().filter(|retime| retime.object != object).cloned().collect(),
        pins: clip.pins.iter().filter(|pin| pin.object != object).cloned().collect(),
        ..clip.clone()
    }
}

/// Frames a thread does at once: between them progress is told and the wish to stop is heard.
const AT_ONCE: usize = 64;

/// Does something at every frame, in parts beside each other; what each gives, in order.
pub(in crate::eval) fn in_parts<S, T: Send>(
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
