//! The values of the rows.

use super::{ExportOptions, Grid, pins::Baked};
use crate::eval::corrections::{acting, correct_scalar};
use crate::eval::sample::{RigBinding, place_angles, read_angles, scalar_values};
use crate::io::bvh::import::{rotation_order, stored_unit};
use crate::io::bvh::{Channel, Column};
use crate::math::rotation::{nearest_euler, to_euler};
use crate::math::{EulerOrder, Quat, Transform};
use crate::model::{
    ChannelPath, Clip, Component, Correction, Curve, FileChannel, Joint, LengthUnit, ObjectId, Property, RotationMode,
    Samples, ScalarCurve, Skeleton, Target,
};
use crate::progress::{Cancelled, Progress};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Decimals of a value that was evaluated: far below what anyone can see or measure.
const PLACES: f64 = 1e9;
/// An angle that changes by more from one row to the next has gone over to the other triple of its rotation, radians.
const JUMPS: f64 = std::f64::consts::FRAC_PI_2;
/// A smaller change of a channel is none, metres and radians.
const STILL: f64 = 1e-9;

/// Reads a rig in a clip on the grid of the rows.
pub(super) struct Sampler<'a> {
    object: ObjectId,
    skeleton: &'a Skeleton,
    clip: Option<&'a Arc<Clip>>,
    grid: Grid,
    pub(super) options: ExportOptions,
    /// Angles by axis, of the joints whose rotation cannot be read angle by angle.
    posed: BTreeMap<usize, [Arc<[f64]>; 3]>,
    /// Places by axis, of the joints that constraints move.
    placed: BTreeMap<usize, [Arc<[f64]>; 3]>,
}

/// The samples of a scalar curve, where it has some.
pub(super) fn samples(curve: &Curve) -> Option<&Samples> {
    match curve {
        Curve::Scalar(ScalarCurve::Sampled(samples)) if !samples.values.is_empty() && samples.modifiers.is_empty() => {
            Some(samples)
        }
        _ => None,
    }
}

impl<'a> Sampler<'a> {
    /// Evaluates the poses of those joints that need them.
    pub(super) fn new(
        object: ObjectId,
        skeleton: &'a Arc<Skeleton>,
        clip: Option<&'a Arc<Clip>>,
        (grid, options): (Grid, ExportOptions),
        mut pins: Option<&mut Baked>,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let mut sampler =
            Self { object, skeleton, clip, grid, options, posed: BTreeMap::new(), placed: BTreeMap::new() };
        let joints: Vec<usize> = (0..skeleton.len())
            .filter(|joint| sampler.needs_pose(*joint) || pins.as_ref().is_some_and(|pins| pins.turns(*joint)))
            .collect();
        if joints.is_empty() || grid.frames == 0 {
            return Ok(sampler);
        }
        let binding = RigBinding::new(object, skeleton, clip, None);
        let mut angles: Vec<[Vec<f64>; 3]> = joints.iter().map(|_| Default::default()).collect();
        let moved = (0..skeleton.len()).filter(|joint| pins.as_ref().is_some_and(|pins| pins.moves(*joint)));
        let mut places: BTreeMap<usize, [Vec<f64>; 3]> = moved.map(|joint| (joint, Default::default())).collect();
        progress.start("Evaluating poses", grid.frames as u64);
        for frame in 0..grid.frames {
            progress.check()?;
            let secs = grid.secs(frame);
            let pinned = pins.as_mut().and_then(|pins| pins.row(secs));
            let is_pinned = pinned.is_some();
            let pose = pinned.unwrap_or_else(|| binding.played_pose(secs));
            for (joint, angles) in joints.iter().zip(&mut angles) {
                let held = is_pinned && pins.as_ref().is_some_and(|pins| pins.turns(*joint));
                let by_axis = sampler.posed_angles(*joint, &pose[*joint].rotation, (secs, held), angles);
                for (angles, angle) in angles.iter_mut().zip(by_axis) {
                    angles.push(angle);
                }
            }
            for (joint, axes) in &mut places {
                for (axis, values) in axes.iter_mut().enumerate() {
                    values.push(pose[*joint].translation[axis]);
                }
            }
            progress.advance(1);
        }
        sampler.placed = places.into_iter().map(|(joint, axes)| (joint, axes.map(Arc::from))).collect();
        sampler.posed = joints.into_iter().zip(angles.into_iter().map(|axes| axes.map(Arc::from))).collect();
        Ok(sampler)
    }

    /// The order in which a joint's angles are written: the one asked for, else that of its file, which need not be the one
    /// it turns in now.
    pub(super) fn order(&self, joint: usize) -> EulerOrder {
        self.options.order.unwrap_or_else(|| rotation_order(&listed(self.joint(joint))))
    }

    /// Whether a channel is anywhere away from its value at rest, or from zero for an angle.
    pub(super) fn moves(&self, joint: usize, channel: Channel) -> bool {
        let rest = match channel {
            Channel::Position(axis) => self.joint(joint).rest.translation[axis],
            Channel::Rotation(_) => 0.0,
        };
        let away = |value: &f64| (value - rest).abs() > STILL;
        match channel {
            // Without a curve and a correction it stays at rest; no need to look at every row.
            Channel::Position(axis)
                if !self.placed.contains_key(&joint) && !self.has_any(joint, Property::Translation, axis) =>
            {
                false
            }
            Channel::Rotation(axis) if !self.posed.contains_key(&joint) && self.curve(joint, channel).is_none() => {
                away(&self.rest_angles(joint)[axis])
            }
            _ => self.values(joint, channel).iter().any(away),
        }
    }

    /// One column of the rows.
    pub(super) fn column(&self, joint: usize, channel: Channel, unit: LengthUnit) -> Column {
        let unit = stored_unit(channel, unit);
        if let Some(values) = self.untouched(joint, channel) {
            return Column { values, unit };
        }
        let stored = self.stored_samples(joint, channel);
        let values = self.values(joint, channel);
        let tidy = |(frame, value): (usize, &f64)| match stored.and_then(|samples| samples.get(frame)) {
            // What no correction reached is still what the file had.
            Some(sample) if sample == value => *value,
            _ => tidy(*value, unit),
        };
        Column { values: values.iter().enumerate().map(tidy).collect(), unit }
    }

    /// The values of a channel, one a row.
    fn values(&self, joint: usize, channel: Channel) -> Arc<[f64]> {
        if let Some(values) = self.untouched(joint, channel) {
            return values;
        }
        let curve = self.curve(joint, channel);
        let secs: Vec<f64> = (0..self.grid.frames).map(|frame| self.grid.secs(frame)).collect();
        match channel {
            Channel::Rotation(axis) => match self.posed.get(&joint) {
                Some(posed) => Arc::clone(&posed[axis]),
                None => {
                    let rest = self.rest_angles(joint)[axis];
                    read(curve, &secs).map(|value| value.unwrap_or(rest)).collect()
                }
            },
            Channel::Position(axis) if self.placed.contains_key(&joint) => {
                self.placed.get(&joint).map_or_else(|| Arc::from([]), |placed| Arc::clone(&placed[axis]))
            }
            Channel::Position(axis) => {
                let rest = self.joint(joint).rest.translation[axis];
                let path = self.path(joint, Property::Translation, Component::AXES[axis]);
                let sources: Vec<f64> = secs.iter().map(|secs| self.source(joint, *secs)).collect();
                let values = sources.iter().zip(read(curve, &sources));
                let own = |value: Option<f64>| value.unwrap_or(rest);
                values.map(|(secs, value)| correct_scalar(self.corrections(), path, *secs, own(value))).collect()
            }
        }
    }

    /// The stored samples as they are, where each row is one of them and nothing changes them.
    fn untouched(&self, joint: usize, channel: Channel) -> Option<Arc<[f64]>> {
        let axis = match channel {
            _ if self.is_retimed(joint) => return None,
            Channel::Position(axis) if self.is_corrected(joint, Property::Translation, axis) => return None,
            Channel::Rotation(_) if self.posed.contains_key(&joint) => return None,
            Channel::Position(_) if self.placed.contains_key(&joint) => return None,
            Channel::Position(axis) | Channel::Rotation(axis) => axis,
        };
        let samples = samples(self.curve_of(joint, property(channel), Component::AXES[axis])?)?;
        let first = self.first_sample(samples)?;
        if first == 0 && samples.values.len() == self.grid.frames {
            return Some(Arc::clone(&samples.values));
        }
        let last = samples.values.len() - 1;
        Some((0..self.grid.frames).map(|frame| samples.values[(first + frame).min(last)]).collect())
    }

    /// The stored samples of a channel from the first row on, where rows fall on samples.
    fn stored_samples(&self, joint: usize, channel: Channel) -> Option<&[f64]> {
        let (Channel::Position(axis) | Channel::Rotation(axis)) = channel;
        let samples = samples(self.curve_of(joint, property(channel), Component::AXES[axis])?)?;
        samples.values.get(self.first_sample(samples)?..)
    }

    /// Which sample the first row is, where the rows fall on samples.
    fn first_sample(&self, samples: &Samples) -> Option<usize> {
        let place = self.grid.rate.frame_f64(self.grid.start_secs - samples.start);
        let aligned = samples.rate == self.grid.rate && (place - place.round()).abs() < 1e-6 && place > -0.5;
        aligned.then_some(place.round().max(0.0) as usize)
    }

    /// Whether a joint's angles must be taken from poses: they are held in another form, read between samples,
    /// retimed or corrected.
    fn needs_pose(&self, joint: usize) -> bool {
        let Some(clip) = self.clip else { return false };
        if self.joint(joint).is_end() {
            return false;
        }
        let whole = self.path(joint, Property::Rotation, Component::Whole);
        let curves = self.axis_curves(joint);
        let corrected = self.is_corrected_at(&whole);
        let moving = clip.channels.contains_key(&whole) || curves.iter().any(Option::is_some);
        let same_form = self.joint(joint).rotation == RotationMode::Euler(self.order(joint));
        let between = curves.iter().flatten().filter_map(|c| samples(c)).any(|s| self.first_sample(s).is_none());
        corrected || (moving && (!same_form || between || self.is_retimed(joint)))
    }

    /// The angles by axis of a posed rotation: nearest to the joint's own curves where they are of the same form, unless that
    /// jumps from the row before, else to that row; so too where a pin holds, which may turn a joint so far from its curves that of the two triples of a
    /// rotation now the one, now the other would be nearer. Where nothing corrects them and no pin holds, the curves' own.
    fn posed_angles(
        &self,
        joint: usize,
        rotation: &Quat,
        (secs, held): (f64, bool),
        before: &[Vec<f64>; 3],
    ) -> [f64; 3] {
        let order = self.order(joint);
        let curves = self.axis_curves(joint);
        let same_form = self.joint(joint).rotation == RotationMode::Euler(order);
        let last = match [0, 1, 2].map(|axis: usize| before[axis].last().copied()) {
            [Some(x), Some(y), Some(z)] => Some([x, y, z]),
            _ => None,
        };
        if same_form && curves.iter().any(Option::is_some) {
            let rest = self.rest_angles(joint);
            let source = self.source(joint, secs);
            let own: [f64; 3] =
                std::array::from_fn(|axis| read(curves[axis], &[source]).flatten().next().unwrap_or(rest[axis]));
            let whole = self.path(joint, Property::Rotation, Component::Whole);
            // Between samples a rotation turns evenly, its angles do not.
            let on_samples = |s: &Samples| source == secs && self.first_sample(s).is_some();
            let exact = curves.iter().flatten().filter_map(|c| samples(c)).all(on_samples);
            if exact && !held && acting(self.corrections(), whole, source).next().is_none() {
                return own;
            }
            let nearest =
                |near: [f64; 3]| read_angles(order, nearest_euler(order, rotation, place_angles(order, near)));
            let Some(last) = last else { return nearest(own) };
            if held {
                return nearest(last);
            }
            // A correction that turns far from the curves goes over to the other triple: on from the row before then.
            let by_own = nearest(own);
            let jumps = (0..3).any(|axis| (by_own[axis] - last[axis]).abs() > JUMPS);
            return if jumps { nearest(last) } else { by_own };
        }
        match last {
            Some(last) => read_angles(order, nearest_euler(order, rotation, place_angles(order, last))),
            None => read_angles(order, to_euler(order, rotation)),
        }
    }

    fn rest_angles(&self, joint: usize) -> [f64; 3] {
        let order = self.order(joint);
        read_angles(order, to_euler(order, &self.joint(joint).rest.rotation))
    }

    fn joint(&self, joint: usize) -> &'a Joint {
        &self.skeleton.joints()[joint]
    }

    fn path(&self, joint: usize, property: Property, component: Component) -> ChannelPath {
        ChannelPath::joint(self.object, self.joint(joint).id, property, component)
    }

    fn curve_of(&self, joint: usize, property: Property, component: Component) -> Option<&'a Curve> {
        let curve = self.clip?.channels.get(&self.path(joint, property, component))?;
        Some(curve.as_ref()).filter(|curve| !curve.is_empty())
    }

    fn curve(&self, joint: usize, channel: Channel) -> Option<&'a Curve> {
        let (Channel::Position(axis) | Channel::Rotation(axis)) = channel;
        self.curve_of(joint, property(channel), Component::AXES[axis])
    }

    fn axis_curves(&self, joint: usize) -> [Option<&'a Curve>; 3] {
        Component::AXES.map(|component| self.curve_of(joint, Property::Rotation, component))
    }

    fn is_corrected(&self, joint: usize, property: Property, axis: usize) -> bool {
        let path = self.path(joint, property, Component::AXES[axis]);
        self.is_corrected_at(&path)
    }

    fn is_corrected_at(&self, path: &ChannelPath) -> bool {
        self.corrections().iter().any(|c| !c.muted && c.scale > 0.0 && c.deltas.contains_key(path))
    }

    fn corrections(&self) -> &'a [Arc<Correction>] {
        self.clip.map(|clip| clip.corrections.as_slice()).unwrap_or_default()
    }

    /// When a joint's curves are read for a row.
    fn source(&self, joint: usize, secs: f64) -> f64 {
        let target = Target::Joint(self.object, self.joint(joint).id);
        self.clip.map_or(secs, |clip| clip.source_secs(target, secs))
    }

    fn is_retimed(&self, joint: usize) -> bool {
        let target = Target::Joint(self.object, self.joint(joint).id);
        self.clip.is_some_and(|clip| clip.retimes.iter().any(|retime| !retime.muted && retime.covers(target)))
    }

    fn has_any(&self, joint: usize, property: Property, axis: usize) -> bool {
        self.is_corrected(joint, property, axis) || self.curve_of(joint, property, Component::AXES[axis]).is_some()
    }

    /// Whether the clip or the rest pose scales a joint.
    pub(super) fn is_scaled(&self, joint: usize) -> bool {
        let curves = Component::AXES.map(|component| self.curve_of(joint, Property::Scale, component));
        self.joint(joint).rest.scale != Transform::IDENTITY.scale || curves.iter().any(Option::is_some)
    }
}

/// The channels of a joint's file.
pub(super) fn listed(joint: &Joint) -> Vec<Channel> {
    let channel = |FileChannel(property, component): &FileChannel| match property {
        Property::Translation => component.axis().map(Channel::Position),
        Property::Rotation => component.axis().map(Channel::Rotation),
        _ => None,
    };
    joint.file_channels.iter().filter_map(channel).collect()
}

const fn property(channel: Channel) -> Property {
    match channel {
        Channel::Position(_) => Property::Translation,
        Channel::Rotation(_) => Property::Rotation,
    }
}

/// What a curve of numbers is at some times; nothing of any other.
fn read(curve: Option<&Curve>, times: &[f64]) -> impl Iterator<Item = Option<f64>> {
    let values = match curve {
        Some(Curve::Scalar(curve)) => scalar_values(curve, times),
        Some(Curve::Rotation(_)) | None => vec![None; times.len()],
    };
    values.into_iter()
}

/// A stored value moved to the nearest that is short as text.
fn tidy(value: f64, unit: f64) -> f64 {
    let rounded = (value / unit * PLACES).round() / PLACES * unit;
    if rounded.is_finite() { rounded } else { 0.0 }
}
