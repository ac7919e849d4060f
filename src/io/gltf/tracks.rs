//! Motion on the way out: each property as exactly as glTF can say it, the rest sampled to a tolerance and measured.

use super::{
    builder::Builder,
    export::{GltfExport, GltfExportError, Nodes, is_skinned},
    own_scale::{self, LeftOut, WantedMotion},
    resample::{resampled, resampled_rotation},
};
use crate::{
    eval::{
        curve::{Shape, segment},
        drive::drives,
        sample::{Stage, clip_local, scalar_value},
    },
    io::{
        played::{Played, target_of},
        report::{Place, Report},
    },
    math::{Quat, Transform, rotation::make_continuous},
    model::{
        ChannelPath, Clip, Component, Curve, Document, Extrapolation, Interpolation, KeyedCurve, Parent, Property,
        RotationCurve, RotationInterpolation, ScalarCurve, Target,
    },
    progress::Progress,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The mode of a track as glTF names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mode {
    Step,
    Linear,
    Cubic,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::Cubic => "CUBICSPLINE",
        }
    }
}

/// Times, and all the numbers of each key in the order of the file.
pub(super) struct Track {
    pub(super) mode: Mode,
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<f64>,
}

/// How much later a clip is written: keys before 0 have no place in a file.
pub(super) fn shift_of(clip: &Clip) -> f64 {
    let first = clip.channels.values().filter_map(|curve| curve.span()).fold(0.0, |least: f64, span| least.min(span.0));
    -first
}

/// The times of a clip, and how much later they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    first: f64,
    last: f64,
    shift: f64,
}

impl Span {
    /// A time as the file will have it.
    #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
    fn written(self, time: f64) -> f32 {
        (time + self.shift) as f32
    }

    /// Times in order, each once in the file's precision.
    fn rounded(self, mut times: Vec<f64>) -> Vec<f64> {
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup_by_key(|time| self.written(*time));
        times
    }
}

/// Writes the motion of a document.
pub(super) struct Motion<'a> {
    document: &'a Document,
    nodes: &'a Nodes,
    options: GltfExport,
    progress: Progress,
    /// Times are shared: by their bits in single precision.
    inputs: BTreeMap<Vec<u32>, usize>,
}

impl<'a> Motion<'a> {
    pub(super) fn new(document: &'a Document, nodes: &'a Nodes, options: &GltfExport, progress: &Progress) -> Self {
        Self { document, nodes, options: options.clone(), progress: progress.clone(), inputs: BTreeMap::new() }
    }

    /// One clip, and the document as it plays it, as an animation; none where it moves nothing that glTF can move.
    pub(super) fn clip(
        &mut self,
        clip: &Clip,
        source: &Played,
        out: &mut Builder,
        report: &mut Report,
    ) -> Result<Option<Value>, GltfExportError> {
        report_left_out(clip, report);
        let shift = shift_of(clip);
        let (first, last) = source.span();
        let span = Span { first, last, shift };
        if shift > 0.0 {
            let place = Place::Part(clip.name.clone());
            report.warn(
                "negative-time",
                place,
                "it begins before 0, where glTF has no time",
                format!("moved {shift:.3} s later"),
            );
        }
        if source.has_frames() {
            // The moments at which nodes are looked at together, those halfway between them too, are worked out once.
            let mut times = self.dense_of(source, &[], span, false);
            let halfway: Vec<f64> = times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
            times.extend(halfway);
            source.prepare(&times, &self.progress, self.nodes.list.len() as u64)?;
        }
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for (index, &node) in self.nodes.list.iter().enumerate() {
            for (path, property) in
                [("translation", Property::Translation), ("rotation", Property::Rotation), ("scale", Property::Scale)]
            {
                let track = self.track(source, node, property, span);
                self.progress.check()?;
                if let Some(track) = track {
                    let width = if property == Property::Rotation { 4 } else { 3 };
                    let sampler = self.sampler(&track, width, span, out);
                    channels.push(json!({ "sampler": samplers.len(), "target": { "node": index, "path": path } }));
                    samplers.push(sampler);
                }
            }
            if let Some(track) = self.weights(source, node, span) {
                let sampler = self.sampler(&track, 1, span, out);
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": index, "path": "weights" } }));
                samplers.push(sampler);
            }
            self.progress.check()?;
            self.progress.advance(1);
        }
        if channels.is_empty() {
            let place = Place::Part(clip.name.clone());
            report.warn("no-motion", place, "the clip moves nothing that glTF can move", "not written");
            return Ok(None);
        }
        Ok(Some(json!({ "name": clip.name, "channels": channels, "samplers": samplers })))
    }

    fn sampler(&mut self, track: &Track, width: usize, span: Span, out: &mut Builder) -> Value {
        let times: Vec<f32> = track.times.iter().map(|time| span.written(*time)).collect();
        let key = times.iter().map(|time| time.to_bits()).collect();
        let whole = || times.iter().map(|time| f64::from(*time)).collect::<Vec<_>>();
        let input = *self.inputs.entry(key).or_insert_with(|| out.singles::<1>(&whole(), true));
        let output = match width {
            1 => out.singles::<1>(&track.values, false),
            3 => out.singles::<3>(&track.values, false),
            _ => out.singles::<4>(&track.values, false),
        };
        json!({ "input": input, "interpolation": track.mode.name(), "output": output })
    }

    /// The track of a property of a node; none where it does not move.
    fn track(&self, source: &Played, node: Parent, property: Property, span: Span) -> Option<Track> {
        let target = target_of(node);
        if let Parent::Object(object) = node
            && self.document.object(object).is_some_and(|object| is_skinned(object))
        {
            return None;
        }
        let clip = &source.clip;
        let is_of = |path: &ChannelPath, property| path.target == target && path.property == property;
        let corrected = |p| clip.corrections.iter().any(|c| !c.muted && c.deltas.keys().any(|path| is_of(path, p)));
        let framed = |p| source.property_needs_frame(node, p);
        let driven = |p| drives(&source.document, target, p);
        let moves = |p| clip.curves_of(target, p).next().is_some() || corrected(p) || framed(p) || driven(p);
        let left_out = match property {
            Property::Translation => LeftOut::Nothing,
            _ => LeftOut::of(source, node, |parent| self.dense(source, &[(parent, Property::Scale)], span, false)),
        };
        let (moves, said) = match left_out {
            LeftOut::Nothing | LeftOut::Number(_) => (moves(property), true),
            LeftOut::Moving if property == Property::Scale => (true, false),
            LeftOut::Moving => (moves(property), true),
            LeftOut::Sheared { moves: parent } => {
                (parent || moves(Property::Rotation) || moves(Property::Scale), false)
            }
        };
        if !moves {
            return None;
        }
        if said && !corrected(property) && !framed(property) && !driven(property) && clip.retimes.is_empty() {
            let exact = if property == Property::Rotation {
                exact_rotation(clip, target, span).or_else(|| sampled_angles(source, node, span))
            } else {
                exact_parts(source, target, property, span)
            };
            if let Some(mut track) = exact {
                if let LeftOut::Number(number) = left_out
                    && property == Property::Scale
                {
                    track.values.iter_mut().for_each(|value| *value /= number);
                }
                return Some(track);
            }
        }
        let parent = own_scale::target_left_out(&source.document, node).map(|parent| (parent, Property::Scale));
        let own = [(target, property), (target, Property::Rotation), (target, Property::Scale)];
        let own = if matches!(left_out, LeftOut::Sheared { .. }) { &own[1..] } else { &own[..1] };
        let alone = !corrected(property) && !framed(property) && !driven(property);
        let held = alone && parent.is_none() && clip.retimes.is_empty();
        let times = self.dense(source, &own.iter().copied().chain(parent).collect::<Vec<_>>(), span, held);
        let wanted = WantedMotion::new(source, node);
        Some(if property == Property::Rotation {
            let value = |secs| wanted.written(secs).rotation;
            resampled_rotation(&times, value, self.options.tolerance_angle, &self.progress)
        } else {
            let value = |secs: f64| {
                let local = wanted.written(secs);
                let v = if property == Property::Translation { local.translation } else { local.scale };
                vec![v.x, v.y, v.z]
            };
            resampled(&times, value, self.options.tolerance, &self.progress)
        })
    }

    /// The times at which some properties are looked at. `held`: nothing but their curves moves them.
    fn dense(&self, source: &Played, of: &[(Target, Property)], span: Span, held: bool) -> Vec<f64> {
        let own = of.iter().flat_map(|(target, property)| source.clip.curves_of(*target, *property));
        let components = Component::AXES.into_iter().chain([Component::Only]);
        let all = of.iter().flat_map(|of| components.clone().map(move |component| (*of, component)));
        let driven = all.map(|((target, property), component)| ChannelPath { target, property, component });
        let read = driven.flat_map(|path| source.drivers_of(path)).filter_map(|path| source.clip.channels.get(&path));
        let curves: Vec<&Arc<Curve>> = own.map(|(_, curve)| curve).chain(read).collect();
        self.dense_of(source, &curves, span, held)
    }

    fn dense_of(&self, source: &Played, curves: &[&Arc<Curve>], span: Span, held: bool) -> Vec<f64> {
        let frame = source.document.settings.rate.frame_secs();
        let (mut first, mut last) = (span.first, span.last);
        let moving: Option<Vec<(f64, f64)>> = curves.iter().map(|curve| moving(curve)).collect();
        if let Some(moving) = moving.filter(|moving| held && !moving.is_empty()) {
            // Beyond the keys nothing moves.
            first = first.max(moving.iter().fold(f64::INFINITY, |least, span| least.min(span.0)) - frame).min(last);
            last = last.min(moving.iter().fold(f64::NEG_INFINITY, |most, span| most.max(span.1)) + frame).max(first);
        }
        let (all, one) = MOST_SAMPLES;
        // What takes whole frames is looked at less often.
        let one = if held { one } else { one / 4 };
        let most = (all / self.nodes.list.len().max(1) / 3).clamp(one / 20, one);
        #[expect(clippy::cast_precision_loss, reason = "at most 100,000")]
        let step = (frame / 4.0).max((last - first) / most as f64);
        times_of((first, last, step), curves.iter().copied(), span)
    }

    /// The weights of a mesh's morph targets, all in one track.
    fn weights(&self, source: &Played, node: Parent, span: Span) -> Option<Track> {
        let Parent::Object(object) = node else { return None };
        let mesh = self.document.object(object)?.as_mesh()?;
        let path = |morph: &crate::model::MorphTarget| ChannelPath {
            target: Target::Morph(object, morph.id),
            property: Property::Weight,
            component: Component::Only,
        };
        let parts: Vec<_> =
            mesh.morphs.iter().map(|morph| (source.clip.channels.get(&path(morph)).cloned(), morph.weight)).collect();
        let driven = mesh.morphs.iter().any(|morph| drives(&source.document, path(morph).target, Property::Weight));
        if parts.iter().all(|(curve, _)| curve.is_none()) && !driven {
            return None;
        }
        if let Some(track) = exact(&parts, span).filter(|_| source.clip.retimes.is_empty() && !driven) {
            return Some(track);
        }
        let read = mesh.morphs.iter().flat_map(|morph| source.drivers_of(path(morph)));
        let read = read.filter_map(|path| source.clip.channels.get(&path));
        let curves: Vec<&Arc<Curve>> = parts.iter().filter_map(|(curve, _)| curve.as_ref()).chain(read).collect();
        let held = !driven && source.clip.retimes.is_empty();
        let times = self.dense_of(source, &curves, span, held);
        let value = |secs: f64| mesh.morphs.iter().map(|morph| source.number(path(morph), secs)).collect();
        Some(resampled(&times, value, self.options.tolerance, &self.progress))
    }
}

fn report_left_out(clip: &Clip, report: &mut Report) {
    let place = || Place::Part(clip.name.clone());
    let waiting = clip.unkeyed.len();
    if waiting > 0 {
        report.warn(
            "unkeyed",
            place(),
            format!("{waiting} frames have edits that are not keyed"),
            "not written: set a key first",
        );
    }
    let others =
        clip.channels.keys().filter(|path| !path.property.is_of_transform() && path.property != Property::Weight);
    // What constraints do is in the tracks of what they move.
    let others = others.filter(|path| !matches!(path.target, Target::Constraint(..) | Target::Pole(..)));
    for path in others {
        report.warn("channel", place(), format!("the motion of {path}, which glTF cannot move"), "not written");
    }
}

/// A translation or a scale as one track, where glTF can say it exactly.
fn exact_parts(source: &Played, target: Target, property: Property, span: Span) -> Option<Track> {
    let rest = clip_local(&source.document, None, target, 0.0, Stage::Curves).unwrap_or(Transform::IDENTITY);
    let rest = if property == Property::Translation { rest.translation } else { rest.scale };
    let path = |component| ChannelPath { target, property, component };
    let parts = Component::AXES.into_iter().enumerate();
    let curve = |component| source.clip.channels.get(&path(component)).cloned();
    exact(&parts.map(|(axis, component)| (curve(component), rest[axis])).collect::<Vec<_>>(), span)
}

/// Components as one track, where glTF can say each exactly: all held, all straight, or straight and cubic.
fn exact(parts: &[(Option<Arc<Curve>>, f64)], span: Span) -> Option<Track> {
    let mut mode = None;
    let mut times = Vec::new();
    for curve in parts.iter().filter_map(|(curve, _)| curve.as_ref()) {
        let Curve::Scalar(curve) = &**curve else { return None };
        let own = match curve {
            ScalarCurve::Sampled(samples) => {
                if !samples.modifiers.is_empty() {
                    return None;
                }
                let at = |index: usize| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
                times.extend((0..samples.values.len()).map(at));
                Some(Mode::Linear)
            }
            ScalarCurve::Keyed(curve) => {
                times.extend(curve.keys.times());
                mode_of(curve)?
            }
        };
        mode = match (mode, own) {
            (None, own) => own,
            (mode, None) => mode,
            // A step among others is no one mode.
            (Some(a), Some(b)) if (a == Mode::Step) != (b == Mode::Step) => return None,
            (Some(a), Some(b)) => Some(a.max(b)),
        };
    }
    let times = span.rounded(times);
    let mode = mode.filter(|_| times.len() > 1).unwrap_or(Mode::Linear);
    let mut values = Vec::with_capacity(times.len() * parts.len() * if mode == Mode::Cubic { 3 } else { 1 });
    for (number, &time) in times.iter().enumerate() {
        let at = |(curve, rest): &(Option<Arc<Curve>>, f64)| match curve.as_deref() {
            Some(Curve::Scalar(curve)) => scalar_value(curve, time).unwrap_or(*rest),
            _ => *rest,
        };
        let slope = |(curve, _): &(Option<Arc<Curve>>, f64), after: bool| match curve.as_deref() {
            Some(Curve::Scalar(curve)) => slope_at(curve, time, after),
            _ => 0.0,
        };
        let (first, last) = (number == 0, number + 1 == times.len());
        if mode == Mode::Cubic {
            values.extend(parts.iter().map(|part| if first { 0.0 } else { slope(part, false) }));
        }
        values.extend(parts.iter().map(at));
        if mode == Mode::Cubic {
            values.extend(parts.iter().map(|part| if last { 0.0 } else { slope(part, true) }));
        }
    }
    Some(Track { mode, times, values })
}

/// The mode of a keyed curve: none inside for a curve of one key, which fits any; none at all where glTF cannot say it.
fn mode_of(curve: &KeyedCurve) -> Option<Option<Mode>> {
    let held = [curve.pre, curve.post].iter().all(|end| *end == Extrapolation::Constant);
    if !held || !curve.modifiers.is_empty() {
        return None;
    }
    let mut mode = None;
    for (index, key) in curve.keys.iter().enumerate().take(curve.keys.len().saturating_sub(1)) {
        let own = match (key.interpolation, segment(curve, index)?.shape()) {
            (Interpolation::Step, Shape::Cubic(_)) => Mode::Step,
            (Interpolation::Linear, Shape::Cubic(_)) => Mode::Linear,
            (_, Shape::Cubic(_)) => Mode::Cubic,
            _ => return None,
        };
        mode = match mode {
            Some(mode) if (mode == Mode::Step) != (own == Mode::Step) => return None,
            mode => mode.max(Some(own)),
        };
    }
    Some(mode)
}

/// The slope just before or after a time, per second; 0 beyond the ends.
fn slope_at(curve: &ScalarCurve, time: f64, after: bool) -> f64 {
    let curve = match curve {
        ScalarCurve::Keyed(curve) => curve,
        ScalarCurve::Sampled(samples) => {
            let place = samples.rate.frame_f64(time - samples.start);
            let near = place.round();
            let on = (place - near).abs() < 1e-6;
            let from = if on { if after { near } else { near - 1.0 } } else { place.floor() };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked not to be negative")]
            let index = if from >= 0.0 { from as usize } else { return 0.0 };
            return match (samples.values.get(index), samples.values.get(index + 1)) {
                (Some(a), Some(b)) => (b - a) * samples.rate.fps(),
                _ => 0.0,
            };
        }
    };
    let before = curve.keys.count_at_or_before(time);
    let Some(index) = before.checked_sub(1) else { return 0.0 };
    let on = curve.keys.time(index).is_some_and(|key| key >= time);
    let index = if on && !after { index.checked_sub(1) } else { Some(index) };
    index.and_then(|index| segment(curve, index)).map_or(0.0, |segment| segment.slope(time))
}

/// A rotation track where glTF can say it exactly.
fn exact_rotation(clip: &Clip, target: Target, span: Span) -> Option<Track> {
    let path = ChannelPath { target, property: Property::Rotation, component: Component::Whole };
    let Curve::Rotation(curve) = &**clip.channels.get(&path)? else { return None };
    let parts = |q: &Quat| [q.i, q.j, q.k, q.w];
    match curve {
        RotationCurve::Sampled(samples) => {
            let at = |index: usize| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
            let mut values = samples.values.to_vec();
            make_continuous(&mut values);
            let times = (0..values.len()).map(at).collect();
            Some(Track { mode: Mode::Linear, times, values: numbers_of(&values) })
        }
        RotationCurve::Keyed(curve) => {
            let keys: Vec<_> = curve.keys.iter().collect();
            let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
            if span.rounded(times.clone()).len() != times.len() {
                return None;
            }
            let inner = keys.split_last().map_or(&[][..], |(_, inner)| inner);
            let all = |is: fn(&RotationInterpolation) -> bool| inner.iter().all(|key| is(&key.interpolation));
            let mut values: Vec<Quat> = keys.iter().map(|key| key.rotation).collect();
            if all(|i| matches!(i, RotationInterpolation::Slerp)) {
                make_continuous(&mut values);
                return Some(Track { mode: Mode::Linear, times, values: numbers_of(&values) });
            }
            if all(|i| matches!(i, RotationInterpolation::Step)) {
                make_continuous(&mut values);
                return Some(Track { mode: Mode::Step, times, values: numbers_of(&values) });
            }
            if !all(|i| matches!(i, RotationInterpolation::Hermite(_))) {
                return None;
            }
            let mut numbers = Vec::with_capacity(keys.len() * 12);
            let mut into = [0.0; 4];
            for (index, key) in keys.iter().enumerate() {
                numbers.extend(into);
                numbers.extend(parts(&key.rotation));
                let mut out = [0.0; 4];
                if let RotationInterpolation::Hermite(tangents) = key.interpolation
                    && index + 1 < keys.len()
                {
                    out = tangents.out.map(f64::from);
                    into = tangents.into.map(f64::from);
                }
                numbers.extend(out);
            }
            Some(Track { mode: Mode::Cubic, times, values: numbers })
        }
    }
}

/// The parts of quaternions in the order of the file.
fn numbers_of(rotations: &[Quat]) -> Vec<f64> {
    let mut numbers = vec![0.0; 4 * rotations.len()];
    for (parts, q) in numbers.as_chunks_mut::<4>().0.iter_mut().zip(rotations) {
        *parts = [q.i, q.j, q.k, q.w];
    }
    numbers
}

/// Captured angles: between their samples they turn by the short arc, as glTF does.
fn sampled_angles(source: &Played, node: Parent, span: Span) -> Option<Track> {
    let Parent::Joint(object, joint) = node else { return None };
    let index = source.document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
    let binding = source.evaluator.binding(&source.document, object)?;
    let track = binding.track(index)?;
    let times: Vec<f64> = (0..track.values().len()).map(|index| track.secs(index)).collect();
    if span.rounded(times.clone()).len() != times.len() {
        return None;
    }
    Some(Track { mode: Mode::Linear, times, values: numbers_of(track.values()) })
}

/// Where a curve stops moving before and after; none where it goes on.
fn moving(curve: &Curve) -> Option<(f64, f64)> {
    let holds = match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            [curve.pre, curve.post].iter().all(|end| *end == Extrapolation::Constant) && curve.modifiers.is_empty()
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => samples.modifiers.is_empty(),
        Curve::Rotation(_) => true,
    };
    curve.span().filter(|_| holds)
}

/// Samples at most so often for all tracks of a clip together, and for one: a range may say anything.
const MOST_SAMPLES: (usize, usize) = (16_000_000, 100_000);

/// The times at which tracks are looked at: a grid of steps over a span, every key, and the moment before each key that a
/// step may end at.
fn times_of<'a>(grid: (f64, f64, f64), curves: impl Iterator<Item = &'a Arc<Curve>>, span: Span) -> Vec<f64> {
    let (first, last, step) = grid;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the step")]
    let count = ((last - first) / step).ceil().max(0.0) as u32;
    let grid = (0..=count).map(|n| (first + f64::from(n) * step).min(last)).chain([span.first, span.last]);
    let mut keys: Vec<f64> = Vec::new();
    for curve in curves {
        match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => keys.extend(curve.keys.times()),
            Curve::Rotation(RotationCurve::Keyed(curve)) => keys.extend(curve.keys.times()),
            _ => {}
        }
    }
    keys.retain(|time| time.is_finite());
    // What is written at a key's time is what the key has, and not what a sample has that rounds to it from before a step.
    let rows: BTreeSet<u32> = keys.iter().map(|time| span.written(*time).to_bits()).collect();
    let before = keys.iter().map(|time| f64::from(span.written(*time).next_down()) - span.shift);
    let others = grid.chain(before).filter(|time| !rows.contains(&span.written(*time).to_bits()));
    let mut times: Vec<f64> = others.filter(|time| *time >= span.first).collect();
    times.extend(keys);
    span.rounded(times)
}
