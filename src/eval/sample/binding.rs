//! A clip bound to a skeleton: flat lists of what each curve sets, so that sampling a pose walks no map.

use super::{
    bound::{BoundScalar, Grids},
    clocks::{Clocks, Moment},
    euler::{place_angles, read_angles},
    track::{RotationTrack, SampledAngles},
    value::{rotation_value, scalar_value},
};
use crate::{
    eval::{
        corrections::{acts_at, rotation_delta, scalar_delta},
        curve::sampled::SamplePosition,
    },
    math::{
        EulerOrder, Quat, Transform,
        rotation::{from_euler, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Clip, Component, Correction, Curve, Joint, ObjectId, Property, RotationMode, Skeleton, Target,
        Value,
    },
    progress::on_cores,
};
use std::sync::Arc;

/// A clip bound to the skeleton of one rig object. The sampled joints' rotation tracks are part of it.
#[derive(Debug)]
pub struct RigBinding {
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    pub(super) clip: Option<Arc<Clip>>,
    rest: Vec<Transform>,
    pub(super) grids: Grids,
    pub(super) clocks: Clocks,
    /// In order of joint.
    pub(super) rotations: Vec<(usize, RotationSource)>,
    /// In order of joint, property, axis.
    pub(super) scalars: Vec<(Slot, BoundScalar)>,
    pub(super) corrections: Vec<BoundCorrection>,
}

/// A number of a joint's local transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    pub(super) joint: usize,
    pub(super) property: Property,
    pub(super) axis: usize,
}

#[derive(Clone, Debug)]
pub(super) enum RotationSource {
    /// Sampled Euler channels.
    Track { grid: usize, track: Arc<RotationTrack> },
    /// The same, not made into a track.
    Samples { grid: usize, angles: SampledAngles },
    /// Euler channels of any kinds; an axis without a curve keeps its rest angle.
    Angles { order: EulerOrder, curves: [Option<BoundScalar>; 3], rest: [f64; 3] },
    /// One rotation curve.
    Curve(Arc<Curve>),
}

/// Sampled joints whose tracks are to be made: joint, grid, angles.
#[derive(Default)]
struct Waiting(Vec<(usize, usize, SampledAngles)>);

impl Waiting {
    /// The tracks, made on as many cores as are worth it: a track depends on nothing but its angles.
    fn tracks(self) -> Vec<(usize, RotationSource)> {
        let samples: usize = self.0.iter().map(|(.., angles)| angles.len).sum();
        on_cores(self.0, samples / LEAST_SAMPLES, |(joint, grid, angles)| {
            (joint, RotationSource::Track { grid, track: Arc::new(RotationTrack::new(angles)) })
        })
    }
}

/// A thread is worth starting for so many samples.
const LEAST_SAMPLES: usize = 10_000;

#[derive(Clone, Debug)]
pub(super) struct BoundCorrection {
    pub(super) correction: Arc<Correction>,
    rotations: Vec<(usize, Arc<Curve>)>,
    scalars: Vec<(Slot, Arc<Curve>)>,
}

/// The three curves of a property's components, by axis.
pub(super) fn axis_curves(clip: &Clip, target: Target, property: Property) -> [Option<Arc<Curve>>; 3] {
    Component::AXES.map(|component| {
        let curve = clip.acting(&ChannelPath { target, property, component });
        curve.filter(|curve| matches!(***curve, Curve::Scalar(_)) && !curve.is_empty()).cloned()
    })
}

/// The rotation of angle curves at a time.
pub(super) fn angles_at(curves: &[Option<Arc<Curve>>; 3], rest: [f64; 3], secs: f64) -> [f64; 3] {
    std::array::from_fn(|axis| match curves[axis].as_deref() {
        Some(Curve::Scalar(curve)) => scalar_value(curve, secs).unwrap_or(rest[axis]),
        _ => rest[axis],
    })
}

impl RigBinding {
    /// Binds a clip (none: the rest pose) to a rig object's skeleton. Rotation tracks are taken from `before` where the
    /// same curves made them; the result does not depend on it.
    #[must_use]
    pub fn new(object: ObjectId, skeleton: &Arc<Skeleton>, clip: Option<&Arc<Clip>>, before: Option<&Self>) -> Self {
        let (mut binding, waiting) = Self::without(object, skeleton, clip, before);
        binding.add(waiting.tracks());
        binding
    }

    /// The same without tracks: sampled angles become a rotation when they are asked for, which gives the same but for the
    /// quaternion's sign. For what looks at few of the samples.
    #[must_use]
    pub fn trackless(object: ObjectId, skeleton: &Arc<Skeleton>, clip: Option<&Arc<Clip>>) -> Self {
        let (mut binding, waiting) = Self::without(object, skeleton, clip, None);
        binding
            .add(waiting.0.into_iter().map(|(joint, grid, angles)| (joint, RotationSource::Samples { grid, angles })));
        binding
    }

    fn add(&mut self, sources: impl IntoIterator<Item = (usize, RotationSource)>) {
        self.rotations.extend(sources);
        self.rotations.sort_by_key(|(joint, _)| *joint);
    }

    /// Everything but the joints whose tracks are to be made.
    fn without(
        object: ObjectId,
        skeleton: &Arc<Skeleton>,
        clip: Option<&Arc<Clip>>,
        before: Option<&Self>,
    ) -> (Self, Waiting) {
        let mut waiting = Waiting::default();
        let mut binding = Self {
            object,
            skeleton: skeleton.clone(),
            clip: clip.cloned(),
            rest: skeleton.joints().iter().map(|joint| joint.rest).collect(),
            grids: Grids::default(),
            clocks: Clocks::default(),
            rotations: Vec::new(),
            scalars: Vec::new(),
            corrections: Vec::new(),
        };
        let Some(clip) = clip else { return (binding, waiting) };
        binding.clocks = Clocks::new(object, skeleton, clip);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let target = Target::Joint(object, joint.id);
            // Paths of one joint stand together: an empty range is the common case of a bone's tip.
            let first = ChannelPath { target, property: Property::Translation, component: Component::X };
            let last = ChannelPath { target, property: Property::Scale, component: Component::Whole };
            if clip.channels.range(first..=last).next().is_some() {
                binding.bind_joint(clip, index, joint, before, &mut waiting);
            }
        }
        binding.corrections = clip
            .corrections
            .iter()
            .filter(|correction| !correction.muted && correction.scale > 0.0)
            .map(|correction| BoundCorrection::new(object, skeleton, correction))
            .collect();
        (binding, waiting)
    }

    fn bind_joint(&mut self, clip: &Clip, index: usize, joint: &Joint, before: Option<&Self>, waiting: &mut Waiting) {
        let target = Target::Joint(self.object, joint.id);
        for property in [Property::Translation, Property::Scale] {
            for (axis, curve) in axis_curves(clip, target, property).into_iter().enumerate() {
                if let Some(curve) = curve {
                    let slot = Slot { joint: index, property, axis };
                    let bound = BoundScalar::new(curve, &mut self.grids, before.and_then(|before| before.scalar(slot)));
                    self.scalars.push((slot, bound));
                }
            }
        }
        let whole = ChannelPath { target, property: Property::Rotation, component: Component::Whole };
        match joint.rotation {
            RotationMode::Quaternion => {
                if let Some(curve) = clip.acting(&whole).filter(|curve| !curve.is_empty()) {
                    self.rotations.push((index, RotationSource::Curve(curve.clone())));
                }
            }
            RotationMode::Euler(order) => {
                let curves = axis_curves(clip, target, Property::Rotation);
                if curves.iter().any(Option::is_some) {
                    let rest = read_angles(order, to_euler(order, &joint.rest.rotation));
                    let known = before.and_then(|before| before.rotation(index));
                    match RotationSource::of_angles(order, curves, rest, &mut self.grids, known) {
                        Ok(source) => self.rotations.push((index, source)),
                        Err((grid, angles)) => waiting.0.push((index, grid, angles)),
                    }
                }
            }
        }
    }

    fn scalar(&self, slot: Slot) -> Option<&BoundScalar> {
        let at = self.scalars.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(&self.scalars[at].1)
    }

    fn rotation(&self, joint: usize) -> Option<&RotationSource> {
        let at = self.rotations.binary_search_by_key(&joint, |(index, _)| *index).ok()?;
        Some(&self.rotations[at].1)
    }

    /// The skeleton it is bound to.
    #[must_use]
    pub const fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Whether it was made from this very skeleton and clip.
    pub(crate) fn is_of(&self, skeleton: &Arc<Skeleton>, clip: Option<&Arc<Clip>>) -> bool {
        let same_clip = match (&self.clip, clip) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same_clip && Arc::ptr_eq(&self.skeleton, skeleton)
    }

    /// The quaternions of a joint whose rotation is sampled as Euler angles.
    #[must_use]
    pub fn track(&self, joint: usize) -> Option<&Arc<RotationTrack>> {
        match self.rotation(joint)? {
            RotationSource::Track { track, .. } => Some(track),
            _ => None,
        }
    }

    /// The local transforms of all joints at a time, by joint index: what is played and exported.
    #[must_use]
    pub fn played_pose(&self, secs: f64) -> Vec<Transform> {
        let mut pose = self.rest.clone();
        let moments = self.clocks.moments(&self.grids, secs);
        for (slot, curve) in &self.scalars {
            let moment = &moments[self.clocks.of(slot.joint)];
            if let Some(value) = curve.value(&moment.places, moment.secs) {
                set_scalar(&mut pose[slot.joint], slot.property, slot.axis, value);
            }
        }
        for (joint, source) in &self.rotations {
            let moment = &moments[self.clocks.of(*joint)];
            if let Some(rotation) = source.value(&moment.places, moment.secs) {
                pose[*joint].rotation = rotation;
            }
        }
        for bound in &self.corrections {
            if moments.iter().any(|moment| acts_at(&bound.correction, moment.secs)) {
                bound.apply(&mut pose, &self.clocks, &moments);
            }
        }
        pose
    }

    /// One joint of the binding, for what asks for it at many times.
    ///
    /// None where the skeleton has no joint of this index.
    #[must_use]
    pub fn joint(&self, joint: usize) -> Option<BoundJoint<'_>> {
        let first = self.scalars.partition_point(|(slot, _)| slot.joint < joint);
        let count = self.scalars[first..].partition_point(|(slot, _)| slot.joint == joint);
        Some(BoundJoint {
            binding: self,
            joint,
            rest: *self.rest.get(joint)?,
            scalars: &self.scalars[first..first + count],
            rotation: self.rotation(joint),
        })
    }

    /// The same binding of some joints only; the others stay at rest. For what asks for few joints at many times.
    #[must_use]
    pub fn limited_to(&self, joints: &[usize]) -> Self {
        let of = |joint: &usize| joints.contains(joint);
        let corrections = self.corrections.iter().map(|bound| BoundCorrection {
            correction: bound.correction.clone(),
            rotations: bound.rotations.iter().filter(|(joint, _)| of(joint)).cloned().collect(),
            scalars: bound.scalars.iter().filter(|(slot, _)| of(&slot.joint)).cloned().collect(),
        });
        Self {
            object: self.object,
            skeleton: self.skeleton.clone(),
            clip: self.clip.clone(),
            rest: self.rest.clone(),
            grids: self.grids.clone(),
            clocks: self.clocks.clone(),
            rotations: self.rotations.iter().filter(|(joint, _)| of(joint)).cloned().collect(),
            scalars: self.scalars.iter().filter(|(slot, _)| of(&slot.joint)).cloned().collect(),
            corrections: corrections.filter(|c| !(c.rotations.is_empty() && c.scalars.is_empty())).collect(),
        }
    }

    /// [`Self::played_pose`] with the edits that wait at exactly this time: what is shown.
    #[must_use]
    pub fn pose(&self, secs: f64) -> Vec<Transform> {
        let mut pose = self.played_pose(secs);
        if let Some(frame) = self.clip.as_ref().and_then(|clip| clip.unkeyed_at(secs)) {
            for (path, value) in &frame.values {
                if let Target::Joint(object, joint) = path.target
                    && object == self.object
                    && let Some(index) = self.skeleton.index_of(joint)
                {
                    let mode = self.skeleton.joints()[index].rotation;
                    override_channel(&mut pose[index], *path, mode, *value, |rotation, order| {
                        nearest_euler(order, rotation, self.raw_triple(index, order, secs))
                    });
                }
            }
        }
        pose
    }

    /// The triple of a joint's own curves, to which another triple of the joint should be near.
    fn raw_triple(&self, index: usize, order: EulerOrder, secs: f64) -> [f64; 3] {
        let joint = &self.skeleton.joints()[index];
        let rest = read_angles(order, to_euler(order, &joint.rest.rotation));
        let curves =
            self.clip.as_ref().map(|clip| axis_curves(clip, Target::Joint(self.object, joint.id), Property::Rotation));
        let target = Target::Joint(self.object, joint.id);
        let source = self.clip.as_ref().map_or(secs, |clip| clip.source_secs(target, secs));
        place_angles(order, angles_at(&curves.unwrap_or_default(), rest, source))
    }
}

/// One joint of a [`RigBinding`]: its curves are found once, and not at every time.
#[derive(Clone, Copy, Debug)]
pub struct BoundJoint<'a> {
    binding: &'a RigBinding,
    joint: usize,
    rest: Transform,
    scalars: &'a [(Slot, BoundScalar)],
    rotation: Option<&'a RotationSource>,
}

impl BoundJoint<'_> {
    /// The local transform at a time, that of [`RigBinding::played_pose`] to the bit.
    #[must_use]
    pub fn local(&self, secs: f64) -> Transform {
        let RigBinding { clocks, grids, corrections, .. } = self.binding;
        let mut local = self.rest;
        let moment = clocks.moment(self.joint, grids, secs);
        for (slot, curve) in self.scalars {
            if let Some(value) = curve.value(&moment.places, moment.secs) {
                set_scalar(&mut local, slot.property, slot.axis, value);
            }
        }
        if let Some(rotation) = self.rotation.and_then(|source| source.value(&moment.places, moment.secs)) {
            local.rotation = rotation;
        }
        for bound in corrections.iter().filter(|bound| acts_at(&bound.correction, moment.secs)) {
            bound.apply_to(self.joint, &mut local, moment.secs);
        }
        local
    }
}

/// Sets one channel of a transform. A single Euler angle keeps the other two, which `triple_of` gives for a rotation.
pub(super) fn override_channel(
    local: &mut Transform,
    path: ChannelPath,
    mode: RotationMode,
    value: Value,
    triple_of: impl Fn(&Quat, EulerOrder) -> [f64; 3],
) {
    match (path.property, path.component.axis(), value) {
        (Property::Rotation, None, Value::Rotation(rotation)) => local.rotation = rotation,
        (Property::Rotation, Some(axis), Value::Scalar(angle)) => {
            if let RotationMode::Euler(order) = mode {
                let mut triple = triple_of(&local.rotation, order);
                triple[super::euler::axis_slot(order, axis)] = angle;
                local.rotation = from_euler(order, triple);
            }
        }
        (property, Some(axis), Value::Scalar(number)) => set_scalar(local, property, axis, number),
        _ => {}
    }
}

pub(super) fn set_scalar(local: &mut Transform, property: Property, axis: usize, value: f64) {
    match property {
        Property::Translation => local.translation[axis] = value,
        Property::Scale => local.scale[axis] = value,
        _ => {}
    }
}

impl RotationSource {
    /// The source of angle curves; where they are sampled and no track of them is known, their grid and the angles to make
    /// one from.
    fn of_angles(
        order: EulerOrder,
        curves: [Option<Arc<Curve>>; 3],
        rest: [f64; 3],
        grids: &mut Grids,
        before: Option<&Self>,
    ) -> Result<Self, (usize, SampledAngles)> {
        let source = match SampledAngles::new(order, &curves, rest) {
            Some(angles) => {
                let grid = grids.number((angles.start, angles.rate, angles.len));
                match before {
                    Some(Self::Track { track, .. }) if track.is_of(&angles) => {
                        Self::Track { grid, track: track.clone() }
                    }
                    _ => return Err((grid, angles)),
                }
            }
            None => {
                let known = |axis: usize| match before {
                    Some(Self::Angles { curves, .. }) => curves[axis].as_ref(),
                    _ => None,
                };
                let mut axis = 0;
                let curves = curves.map(|curve| {
                    let bound = curve.map(|curve| BoundScalar::new(curve, grids, known(axis)));
                    axis += 1;
                    bound
                });
                Self::Angles { order, curves, rest }
            }
        };
        Ok(source)
    }

    #[inline]
    fn value(&self, places: &[Option<SamplePosition>], secs: f64) -> Option<Quat> {
        match self {
            Self::Track { grid, track } => Some(track.at(places[*grid]?)),
            Self::Samples { grid, angles } => Some(angles.at(places[*grid]?)),
            Self::Angles { order, curves, rest } => {
                let angle = |axis: usize| curves[axis].as_ref().and_then(|curve| curve.value(places, secs));
                let by_axis = std::array::from_fn(|axis| angle(axis).unwrap_or(rest[axis]));
                Some(from_euler(*order, place_angles(*order, by_axis)))
            }
            Self::Curve(curve) => match &**curve {
                Curve::Rotation(curve) => rotation_value(curve, secs),
                Curve::Scalar(_) => None,
            },
        }
    }
}

impl BoundCorrection {
    fn new(object: ObjectId, skeleton: &Skeleton, correction: &Arc<Correction>) -> Self {
        let mut bound = Self { correction: correction.clone(), rotations: Vec::new(), scalars: Vec::new() };
        for (path, curve) in &correction.deltas {
            let Target::Joint(of, joint) = path.target else { continue };
            let Some(joint) = skeleton.index_of(joint).filter(|_| of == object) else { continue };
            match path.component.axis() {
                // What was solved turns after what was posed.
                None => bound.rotations.extend(
                    [Some(curve), correction.solved.get(path)]
                        .into_iter()
                        .flatten()
                        .map(|curve| (joint, curve.clone())),
                ),
                Some(axis) => {
                    bound.scalars.push((Slot { joint, property: path.property, axis }, curve.clone()));
                }
            }
        }
        bound
    }

    fn apply(&self, pose: &mut [Transform], clocks: &Clocks, moments: &[Moment]) {
        let secs_of = |joint: usize| moments.get(clocks.of(joint)).map(|moment| moment.secs);
        let acting = |joint: usize| secs_of(joint).filter(|secs| acts_at(&self.correction, *secs));
        for (joint, curve) in &self.rotations {
            if let Some(secs) = acting(*joint) {
                self.turn(curve, &mut pose[*joint], secs);
            }
        }
        for (slot, curve) in &self.scalars {
            if let Some(secs) = acting(slot.joint) {
                self.shift(*slot, curve, &mut pose[slot.joint], secs);
            }
        }
    }

    /// The same for one joint alone, at a time at which it acts.
    fn apply_to(&self, joint: usize, local: &mut Transform, secs: f64) {
        for (_, curve) in self.rotations.iter().filter(|(of, _)| *of == joint) {
            self.turn(curve, local, secs);
        }
        for (slot, curve) in self.scalars.iter().filter(|(slot, _)| slot.joint == joint) {
            self.shift(*slot, curve, local, secs);
        }
    }

    fn turn(&self, curve: &Curve, local: &mut Transform, secs: f64) {
        local.rotation *= rotation_delta(curve, self.correction.scale, secs);
    }

    fn shift(&self, slot: Slot, curve: &Curve, local: &mut Transform, secs: f64) {
        let before = match slot.property {
            Property::Translation => local.translation[slot.axis],
            Property::Scale => local.scale[slot.axis],
            _ => return,
        };
        let after = before + scalar_delta(curve, self.correction.scale, secs);
        set_scalar(local, slot.property, slot.axis, after);
    }
}
