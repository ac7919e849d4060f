//! Animations as curves: each key as the file has it, dense motion on a grid as samples.

use super::{GltfError, accessor::Arrays, json};
use crate::{
    io::report::{Place, Report},
    math::{Quat, rotation::try_unit},
    model::{
        ChannelPath, Component, Curve, FrameRate, Interpolation, Key, KeyedCurve, KeyedRotation, MorphId, ObjectId,
        Property, RotationCurve, RotationInterpolation, RotationKey, RotationSamples, RotationTangents, Samples,
        ScalarCurve, Target,
    },
};
use nalgebra::{Quaternion, Unit};
use std::{collections::BTreeMap, sync::Arc};

/// What a node's channels move.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeTarget {
    /// The object or the joint.
    pub(super) target: Target,
    /// The mesh object, and how many morph targets it has.
    pub(super) morphs: Option<(ObjectId, usize)>,
}

/// The curves of one animation.
pub(super) type Channels = BTreeMap<ChannelPath, Arc<Curve>>;

/// From this many keys on, evenly spaced straight ones are taken as what they are: captured or baked samples.
const DENSE: usize = 100;

/// The modes of samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Step,
    Linear,
    Cubic,
}

/// The times of a sampler, checked.
#[derive(Debug)]
pub(super) struct Times {
    pub(super) secs: Vec<f64>,
    /// Start and rate, where they are dense and even.
    grid: Option<(f64, FrameRate)>,
}

/// What animations are read with.
pub(super) struct AnimationReader<'a> {
    pub(super) root: &'a json::Root,
    pub(super) arrays: &'a Arrays<'a>,
    pub(super) nodes: &'a [NodeTarget],
    /// Times by accessor: nearly always shared.
    pub(super) times: BTreeMap<usize, Arc<Times>>,
}

/// One sampler with all that is needed to make curves.
struct Track<'a> {
    times: &'a Times,
    mode: Mode,
}

impl AnimationReader<'_> {
    /// The curves of an animation.
    pub(super) fn read(&mut self, index: usize, report: &mut Report) -> Result<Channels, GltfError> {
        let mut out = Channels::new();
        let Some(animation) = self.root.animations.get(index) else { return Ok(out) };
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("animations[{index}].channels[{number}]");
            let Some(node) = channel.target.node else {
                report.warn("channel", Place::Part(path), "its target is no node", "not carried");
                continue;
            };
            let Some(node) = self.nodes.get(node).copied() else {
                return Err(GltfError::missing(format!("{path}.target.node"), "nodes", node, self.nodes.len()));
            };
            let there = animation.samplers.len();
            let Some(sampler) = animation.samplers.get(channel.sampler) else {
                return Err(GltfError::missing(format!("{path}.sampler"), "samplers", channel.sampler, there));
            };
            let path = format!("animations[{index}].samplers[{}]", channel.sampler);
            let before = out.len();
            let added = self.channel(channel, sampler, node, &path, &mut out, report)?;
            if out.len() < before + added {
                report.warn("channel-twice", Place::Part(path), "its target moves twice", "the last one counts");
            }
        }
        Ok(out)
    }

    fn channel(
        &mut self,
        channel: &json::Channel,
        sampler: &json::Sampler,
        node: NodeTarget,
        path: &str,
        out: &mut Channels,
        report: &mut Report,
    ) -> Result<usize, GltfError> {
        let mode = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Mode::Linear,
            Some("STEP") => Mode::Step,
            Some("CUBICSPLINE") => Mode::Cubic,
            Some(other) => {
                return Err(GltfError::part(
                    format!("{path}.interpolation"),
                    format!("'{other}' is none that glTF knows"),
                ));
            }
        };
        let times = self.times(sampler.input, &format!("{path}.input"))?;
        let output = format!("{path}.output");
        let each = if mode == Mode::Cubic { 3 } else { 1 };
        let wanted = times.secs.len() * each;
        let track = Track { times: &times, mode };
        let property = match channel.target.path.as_str() {
            "translation" => Property::Translation,
            "scale" => Property::Scale,
            "rotation" => {
                let values: Vec<[f32; 4]> = self.arrays.floats(sampler.output, &output)?;
                exactly(values.len(), wanted, &output)?;
                let curve = track.rotation(&values, &output)?;
                let rotation =
                    ChannelPath { target: node.target, property: Property::Rotation, component: Component::Whole };
                out.insert(rotation, Arc::new(Curve::Rotation(curve)));
                return Ok(1);
            }
            "weights" => {
                let Some((object, count)) = node.morphs.filter(|(_, count)| *count > 0) else {
                    report.warn(
                        "channel",
                        Place::Part(path.to_owned()),
                        "weights of a node without targets",
                        "not carried",
                    );
                    return Ok(0);
                };
                let values: Vec<[f32; 1]> = self.arrays.floats(sampler.output, &output)?;
                exactly(values.len(), wanted * count, &output)?;
                for number in 0..count {
                    let curve =
                        track.scalar(|at| values.get(at * count + number).map_or(0.0, |value| f64::from(value[0])));
                    let target = Target::Morph(object, MorphId(u32::try_from(number).unwrap_or(u32::MAX)));
                    let path = ChannelPath { target, property: Property::Weight, component: Component::Only };
                    out.insert(path, Arc::new(Curve::Scalar(curve)));
                }
                return Ok(count);
            }
            other => {
                report.warn("channel", Place::Part(path.to_owned()), format!("the path '{other}'"), "not carried");
                return Ok(0);
            }
        };
        let values: Vec<[f32; 3]> = self.arrays.floats(sampler.output, &output)?;
        exactly(values.len(), wanted, &output)?;
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let curve = track.scalar(|at| values.get(at).map_or(0.0, |value| f64::from(value[axis])));
            let path = ChannelPath { target: node.target, property, component };
            out.insert(path, Arc::new(Curve::Scalar(curve)));
        }
        Ok(3)
    }

    fn times(&mut self, input: usize, path: &str) -> Result<Arc<Times>, GltfError> {
        if let Some(times) = self.times.get(&input) {
            return Ok(times.clone());
        }
        let read: Vec<[f32; 1]> = self.arrays.floats(input, path)?;
        let secs: Vec<f64> = read.into_iter().map(|[secs]| f64::from(secs)).collect();
        if secs.is_empty() {
            return Err(GltfError::part(format!("accessors[{input}].count"), "an animation has at least one key"));
        }
        if let Some(at) = secs.windows(2).position(|pair| pair[0] >= pair[1]) {
            let what = format!("the times must increase, and key {} at {} s does not", at + 1, secs[at + 1]);
            return Err(GltfError::part(format!("accessors[{input}]"), what));
        }
        let grid = grid_of(&secs);
        let times = Arc::new(Times { secs, grid });
        self.times.insert(input, times.clone());
        Ok(times)
    }
}

fn exactly(count: usize, wanted: usize, path: &str) -> Result<(), GltfError> {
    if count == wanted {
        return Ok(());
    }
    Err(GltfError::part(path, format!("{count} values where the times ask for {wanted}")))
}

/// The grid that dense times lie on, within their single precision.
fn grid_of(secs: &[f64]) -> Option<(f64, FrameRate)> {
    let (first, last) = (*secs.first()?, *secs.last()?);
    if secs.len() < DENSE {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^52 keys")]
    let rate = ((secs.len() - 1) as f64 / (last - first) * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be within a rate's bounds")]
    let rate = FrameRate::new(if (1.0..=1e9).contains(&rate) { rate as u64 } else { 0 }, 1000)?;
    let even = |(frame, secs): (usize, &f64)| {
        let wanted = first + rate.secs(i64::try_from(frame).unwrap_or(i64::MAX));
        (secs - wanted).abs() <= 2e-6 + 2.4e-7 * secs.abs()
    };
    secs.iter().enumerate().all(even).then_some((first, rate))
}

/// A quaternion of a file: kept to the bit where it is of unit length within single precision.
pub(super) fn rotation_of([x, y, z, w]: [f32; 4]) -> Option<Quat> {
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    let as_it_is = Quaternion::new(w, x, y, z);
    if (as_it_is.norm() - 1.0).abs() < 5e-7 {
        return Some(Unit::new_unchecked(as_it_is));
    }
    try_unit(x, y, z, w)
}

impl Track<'_> {
    /// A curve of one number, from its value at each place of the output.
    fn scalar(&self, value: impl Fn(usize) -> f64) -> ScalarCurve {
        let secs = &self.times.secs;
        if let (Mode::Linear, Some((start, rate))) = (self.mode, self.times.grid) {
            return ScalarCurve::Sampled(Samples::new(start, rate, (0..secs.len()).map(value).collect()));
        }
        let keys = secs.iter().enumerate().map(|(index, &time)| match self.mode {
            Mode::Step => Key { interpolation: Interpolation::Step, ..Key::new(time, value(index)) },
            Mode::Linear => Key { interpolation: Interpolation::Linear, ..Key::new(time, value(index)) },
            Mode::Cubic => Key {
                interpolation: Interpolation::Hermite,
                slope_in: value(3 * index),
                slope_out: value(3 * index + 2),
                ..Key::new(time, value(3 * index + 1))
            },
        });
        ScalarCurve::Keyed(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() })
    }

    fn rotation(&self, values: &[[f32; 4]], path: &str) -> Result<RotationCurve, GltfError> {
        let secs = &self.times.secs;
        let each = if self.mode == Mode::Cubic { 3 } else { 1 };
        let at = |index: usize| {
            let place = index * each + each / 2;
            let value = values.get(place).copied().unwrap_or_default();
            rotation_of(value)
                .ok_or_else(|| GltfError::part(path, format!("key {index} is a quaternion of length 0: no rotation")))
        };
        if let (Mode::Linear, Some((start, rate))) = (self.mode, self.times.grid) {
            // Filled in where they stay: long takes are megabytes.
            let mut values: Arc<[Quat]> = std::iter::repeat_n(Quat::identity(), secs.len()).collect();
            if let Some(room) = Arc::get_mut(&mut values) {
                for (index, value) in room.iter_mut().enumerate() {
                    *value = at(index)?;
                }
            }
            return Ok(RotationCurve::Sampled(RotationSamples { start, rate, values }));
        }
        let tangent = |place: usize| values.get(place).copied().unwrap_or_default();
        let key = |(index, &time): (usize, &f64)| {
            let interpolation = match self.mode {
                Mode::Step => RotationInterpolation::Step,
                Mode::Linear => RotationInterpolation::Slerp,
                Mode::Cubic => RotationInterpolation::Hermite(RotationTangents {
                    out: tangent(3 * index + 2),
                    into: tangent(3 * (index + 1)),
                }),
            };
            Ok(RotationKey::new(time, at(index)?, interpolation))
        };
        let keys = secs.iter().enumerate().map(key).collect::<Result<Vec<_>, _>>()?;
        Ok(RotationCurve::Keyed(KeyedRotation { keys: keys.into_iter().collect() }))
    }
}
