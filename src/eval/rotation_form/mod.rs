//! Rotations held in another form: three Euler curves in any of the six orders, or one quaternion track.
//!
//! Keys stay where they are. Where a segment turns further than a quaternion or the nearest triple can tell from its ends,
//! keys are added within it, so that spins of many turns stay spins. How far the other form is off is measured.
//!
//! Modifiers that all curves have alike and that only read them at other times (cycles, steps) stay, and so does what goes
//! on before and after the keys where it is one for all. Other modifiers are taken into a key a frame, over the clip's
//! range: noise on one angle is something else on another. What became of them is counted.

mod around;
mod branch;

use self::{around::Around, branch::Branch};
use super::sample::{Stage, clip_local, rest_of, rotation_value, scalar_value};
use crate::{
    math::{
        EulerOrder, Quat, Vec3,
        rotation::{EulerSolution, align, euler_solution, from_euler, nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Clip, Component, Curve, Document, FrameRate, Handle, Interpolation, Key, KeyKind, KeyedCurve,
        KeyedRotation, Property, RotationCurve, RotationInterpolation, RotationKey, RotationMode, RotationSamples,
        RotationTangents, Samples, ScalarCurve, Scheme, Target, clip::SAME_TIME_SECS,
    },
};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// How far a segment may turn before keys are added in it, radians: well below the half turn where the way is lost.
const MOST_TURN: f64 = 100.0 * PI / 180.0;

/// The same where the axis changes as it turns: a curve through so few quaternions, or triples, then strays far.
const MOST_WINDING_TURN: f64 = 15.0 * PI / 180.0;

/// How much of what a segment turns must be about one axis for it to be a spin about that.
const ONE_AXIS: f64 = 0.9999;

/// The most keys added in one segment: further spins are lost, and counted.
const MOST_ADDED: usize = 1_000;

/// The most places a segment's turning is looked at in.
const MOST_STEPS: f64 = 16_384.0;

/// The most keys a clip's rotation is taken from; captured motion of a day is no more.
const MOST_KEYS: usize = 20_000_000;

/// The furthest an angle may go from one place looked at to the next before places between are looked at, radians.
const MOST_STEP: f64 = PI / 9.0;

/// How often the way between two places is halved for that.
const MOST_HALVINGS: u32 = 10;

/// The number of a sample as a frame.
fn frame(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

/// What a change of form did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormReport {
    /// The greatest deviation found, radians.
    pub error: f64,
    /// Keys added so that spins stay.
    pub added: usize,
    /// Whole turns that could not be kept.
    pub lost_turns: f64,
    /// The greatest deviation before and after the keys, over as long again to each side, radians.
    pub beyond: f64,
    /// Modifiers that stay as they are.
    pub kept: usize,
    /// Modifiers taken into the keys.
    pub baked: usize,
    /// Modifiers that were switched off and are no more.
    pub gone: usize,
}

impl FormReport {
    /// Both as one.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            error: self.error.max(other.error),
            added: self.added + other.added,
            lost_turns: self.lost_turns + other.lost_turns,
            beyond: self.beyond.max(other.beyond),
            kept: self.kept + other.kept,
            baked: self.baked + other.baked,
            gone: self.gone + other.gone,
        }
    }
}

/// How a segment of the old form runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Held,
    Straight,
    Smooth,
}

/// At how many places to each side of the keys the new curves are looked at.
const BEYOND: u32 = 32;

/// A channel in its new form.
pub type Formed<C = Arc<Curve>> = (ChannelPath, C);

/// The curves of a target's rotation in another form: the channels that take the place of those that are there, none where
/// nothing turns it in this clip. None too where the target has no rotation.
#[must_use]
pub fn in_form(
    document: &Document,
    clip: &Clip,
    target: Target,
    mode: RotationMode,
) -> Option<(Vec<Formed>, FormReport)> {
    let (rest, _) = rest_of(document, target)?;
    let path = |component| ChannelPath { target, property: Property::Rotation, component };
    let own: Vec<Arc<Curve>> = [Component::Whole, Component::X, Component::Y, Component::Z]
        .into_iter()
        .filter_map(|component| clip.channels.get(&path(component)).cloned())
        .filter(|curve| !curve.is_empty())
        .collect();
    if own.is_empty() {
        return Some((Vec::new(), FormReport::default()));
    }
    let around = Around::of(&own, mode);
    // The curves alone: neither retimes nor what lies on top.
    let bare = |of: &dyn Fn(&Arc<Curve>) -> Arc<Curve>| {
        let channels = clip.channels.iter().filter(|(at, _)| at.target == target && at.property == Property::Rotation);
        let channels = channels.map(|(at, curve)| (*at, of(curve))).collect();
        Clip { channels, ..Clip::new(&clip.name, clip.range) }
    };
    let turned = |clip: &Clip, secs: f64| {
        clip_local(document, Some(clip), target, secs, Stage::Curves).map_or(rest.rotation, |local| local.rotation)
    };
    let (whole, keys_alone) = (bare(&Arc::clone), bare(&|curve| around.bare(curve)));
    let own: Vec<Arc<Curve>> = own.iter().map(|curve| around.bare(curve)).collect();
    let rate = document.settings.rate;
    let range = (rate.secs(clip.range.first), rate.secs(clip.range.last));
    let source = Source { own: &own, truth: &|secs| turned(&keys_alone, secs), rate, range };
    let (mut curves, report) = match mode {
        RotationMode::Quaternion => {
            let (curve, report) = source.track();
            (vec![(path(Component::Whole), Curve::Rotation(curve))], report)
        }
        RotationMode::Euler(order) => {
            let (curves, report) = source.triple(order);
            let placed = order.axes().into_iter().zip(curves);
            (placed.map(|(axis, curve)| (path(Component::AXES[axis]), Curve::Scalar(curve))).collect(), report)
        }
    };
    curves.iter_mut().for_each(|(_, curve)| around.put_on(curve));
    let beyond = beyond(&curves, mode, &|secs| turned(&whole, secs));
    let report = FormReport { beyond, ..report.with(around.report) };
    Some((curves.into_iter().map(|(path, curve)| (path, Arc::new(curve))).collect(), report))
}

/// The greatest deviation before and after the keys of new curves, over as long again to each side, radians.
fn beyond(curves: &[Formed<Curve>], mode: RotationMode, truth: &dyn Fn(f64) -> Quat) -> f64 {
    let spans = curves.iter().filter_map(|(_, curve)| curve.span());
    let all = spans.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
    let Some((from, to)) = all.filter(|(from, to)| from < to) else { return 0.0 };
    let scalar = |(_, curve): &Formed<Curve>, secs: f64| match curve {
        Curve::Scalar(curve) => scalar_value(curve, secs),
        Curve::Rotation(_) => None,
    };
    let found = |secs: f64| match (mode, curves) {
        (RotationMode::Euler(order), [first, second, third]) => {
            let angles = [first, second, third].map(|curve| scalar(curve, secs).unwrap_or(0.0));
            Some(from_euler(order, angles))
        }
        (_, [(_, Curve::Rotation(track))]) => rotation_value(track, secs),
        _ => None,
    };
    let parts = (1..=BEYOND).map(|part| (to - from) * f64::from(part) / f64::from(BEYOND));
    let times = parts.flat_map(|secs| [from - secs, to + secs]);
    let off = times.filter_map(|secs| Some(truth(secs).angle_to(&found(secs)?)));
    off.filter(|off| off.is_finite()).fold(0.0, f64::max)
}

/// A rotation's curves as they are.
struct Source<'a> {
    own: &'a [Arc<Curve>],
    truth: &'a dyn Fn(f64) -> Quat,
    rate: FrameRate,
    /// The clip's range, seconds.
    range: (f64, f64),
}

impl Source<'_> {
    /// Start, rate and number of samples, where all curves are captured alike and unmodified.
    fn samples(&self) -> Option<(f64, FrameRate, usize)> {
        let grid = |curve: &Curve| match curve {
            Curve::Scalar(ScalarCurve::Sampled(samples)) if samples.modifiers.is_empty() => {
                Some((samples.start, samples.rate, samples.values.len()))
            }
            Curve::Rotation(RotationCurve::Sampled(samples)) => {
                Some((samples.start, samples.rate, samples.values.len()))
            }
            _ => None,
        };
        let first = grid(self.own.first()?)?;
        self.own.iter().all(|curve| grid(curve) == Some(first)).then_some(first)
    }

    /// The times of the keys and samples of all curves, in order; of every frame too where modifiers act, over the clip's
    /// range at least: what they do beyond the keys is a part of the motion.
    fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = Vec::new();
        for curve in self.own {
            match &**curve {
                Curve::Scalar(ScalarCurve::Keyed(keyed)) => times.extend(keyed.keys.times()),
                Curve::Rotation(RotationCurve::Keyed(keyed)) => times.extend(keyed.keys.times()),
                Curve::Scalar(ScalarCurve::Sampled(Samples { start, rate, values, .. })) => {
                    times.extend((0..values.len()).map(|index| start + rate.secs(frame(index))));
                }
                Curve::Rotation(RotationCurve::Sampled(RotationSamples { start, rate, values })) => {
                    times.extend((0..values.len()).map(|index| start + rate.secs(frame(index))));
                }
            }
        }
        times.sort_by(f64::total_cmp);
        if self.own.iter().any(|curve| curve.modifiers().iter().any(|modifier| !modifier.muted))
            && let (Some(first), Some(last)) = (times.first().copied(), times.last().copied())
        {
            let (first, last) = (first.min(self.range.0), last.max(self.range.1));
            let (from, to) = (self.rate.frame_f64(first).ceil(), self.rate.frame_f64(last).floor());
            if to - from < MOST_KEYS as f64 {
                times.extend((from as i64..=to as i64).map(|frame| self.rate.secs(frame)));
                times.sort_by(f64::total_cmp);
            }
        }
        times.dedup_by(|later, earlier| *later - *earlier <= SAME_TIME_SECS);
        times
    }

    /// How the curves run in the segment that starts at a time.
    fn way(&self, secs: f64) -> Way {
        let way = |curve: &Curve| match curve {
            _ if curve.modifiers().iter().any(|modifier| !modifier.muted) => Way::Smooth,
            Curve::Scalar(ScalarCurve::Keyed(keyed)) => {
                let index = keyed.keys.count_at_or_before(secs + SAME_TIME_SECS).checked_sub(1);
                let ends = |curve: &KeyedCurve| curve.keys.last().is_none_or(|last| last.time <= secs + SAME_TIME_SECS);
                match index.and_then(|index| keyed.keys.get(index)) {
                    None => Way::Held,
                    Some(_) if ends(keyed) => Way::Held,
                    Some(_) if keyed.scheme != Scheme::PerKey => Way::Smooth,
                    Some(key) if key.interpolation == Interpolation::Step => Way::Held,
                    Some(key) if key.interpolation == Interpolation::Linear => Way::Straight,
                    Some(_) => Way::Smooth,
                }
            }
            Curve::Rotation(RotationCurve::Keyed(keyed)) => {
                let index = keyed.keys.count_at_or_before(secs + SAME_TIME_SECS).checked_sub(1);
                match index.and_then(|index| keyed.keys.get(index)).map(|key| key.interpolation) {
                    None | Some(RotationInterpolation::Step) => Way::Held,
                    Some(RotationInterpolation::Slerp) => Way::Straight,
                    Some(_) => Way::Smooth,
                }
            }
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => Way::Straight,
        };
        let ways = self.own.iter().map(|curve| way(curve));
        // One that moves decides over those that hold.
        ways.fold(Way::Held, |all, one| match (all, one) {
            (Way::Smooth, _) | (_, Way::Smooth) => Way::Smooth,
            (Way::Straight, _) | (_, Way::Straight) => Way::Straight,
            _ => Way::Held,
        })
    }

    /// In how many steps a segment is looked at so that none turns by more than a sixth of half a turn.
    fn steps(&self, from: f64, to: f64) -> u32 {
        let scalar = |curve: &Curve| {
            let Curve::Scalar(curve) = curve else { return 0.0 };
            let at = |i: u32| super::sample::scalar_value(curve, (to - from).mul_add(f64::from(i) / 32.0, from));
            (0..32).map(|i| at(i).zip(at(i + 1)).map_or(0.0, |(a, b)| (b - a).abs())).sum::<f64>()
        };
        let turned: f64 = self.own.iter().map(|curve| scalar(curve)).sum();
        (turned / (PI / 6.0)).ceil().clamp(32.0, MOST_STEPS) as u32
    }

    /// The times of the new keys, with how each segment runs, and what was added or lost.
    fn keys(&self) -> (Vec<(f64, Way)>, FormReport) {
        let times = self.times();
        let mut report = FormReport::default();
        let mut keys = Vec::with_capacity(times.len());
        for (index, from) in times.iter().enumerate() {
            let way = self.way(*from);
            keys.push((*from, way));
            let Some(to) = times.get(index + 1) else { break };
            if way == Way::Held {
                continue;
            }
            let steps = self.steps(*from, *to);
            // Short of the end, where a step may come.
            let at = |i: u32| (to - from).mul_add(f64::from(i) / f64::from(steps) * (1.0 - 1e-12), *from);
            let step = |i: u32| (self.truth)(at(i)).rotation_to(&(self.truth)(at(i + 1))).scaled_axis();
            let axes: Vec<Vec3> = (0..steps).map(step).collect();
            let turns: Vec<f64> = axes.iter().map(|axis| axis.norm()).collect();
            let whole: f64 = turns.iter().sum();
            let about_one = axes.iter().sum::<Vec3>().norm() >= ONE_AXIS * whole;
            let winds = whole > MOST_TURN && !about_one;
            let parts = (whole / if winds { MOST_WINDING_TURN } else { MOST_TURN }).ceil();
            if parts > MOST_ADDED as f64 || f64::from(steps) >= MOST_STEPS {
                report.lost_turns += (whole / TAU).floor();
            } else if parts > 1.0 {
                let (mut passed, mut next) = (0.0, 1.0);
                for (i, turn) in (0..steps).zip(&turns) {
                    if passed >= whole * next / parts && next < parts {
                        keys.push((at(i), way));
                        report.added += 1;
                        next += 1.0;
                    }
                    passed += turn;
                }
            }
        }
        (keys, report)
    }

    fn error(&self, keys: &[(f64, Way)], found: &dyn Fn(f64) -> Quat) -> f64 {
        let off = |secs: f64| (self.truth)(secs).angle_to(&found(secs));
        let between = keys.windows(2).flat_map(|pair| {
            let ([from, to], steps) = ([pair[0].0, pair[1].0], 16);
            (0..steps).map(move |i| (to - from).mul_add((f64::from(i) + 0.5) / f64::from(steps), from))
        });
        keys.iter().map(|key| key.0).chain(between).map(off).filter(|off| off.is_finite()).fold(0.0, f64::max)
    }

    /// As a quaternion track.
    fn track(&self) -> (RotationCurve, FormReport) {
        if let Some((start, rate, count)) = self.samples() {
            let mut before: Option<Quat> = None;
            let values = (0..count).map(|index| {
                let rotation = (self.truth)(start + rate.secs(frame(index)));
                let rotation = before.map_or(rotation, |before| align(&rotation, &before));
                before = Some(rotation);
                rotation
            });
            let curve = RotationCurve::Sampled(RotationSamples { start, rate, values: values.collect() });
            return (curve, FormReport::default());
        }
        let (keys, report) = self.keys();
        let mut before: Option<Quat> = None;
        let made = keys.iter().enumerate().map(|(index, (time, way))| {
            let rotation = (self.truth)(*time);
            let rotation = before.map_or(rotation, |before| align(&rotation, &before));
            before = Some(rotation);
            let next = keys.get(index + 1).map(|next| next.0);
            let interpolation = match (way, next) {
                (Way::Held, _) => RotationInterpolation::Step,
                (Way::Straight, _) | (Way::Smooth, None) => RotationInterpolation::Slerp,
                (Way::Smooth, Some(next)) => RotationInterpolation::Hermite(self.tangents(&rotation, *time, next)),
            };
            RotationKey { time: *time, rotation, interpolation, kind: KeyKind::default() }
        });
        let curve = RotationCurve::Keyed(KeyedRotation { keys: made.collect() });
        let error = self.error(&keys, &|secs| rotation_value(&curve, secs).unwrap_or_else(Quat::identity));
        (curve, FormReport { error, ..report })
    }

    /// The slopes of a segment's quaternion at both its ends, with the sign that `start` has.
    fn tangents(&self, start: &Quat, from: f64, to: f64) -> RotationTangents {
        let near = (to - from) * 1e-5;
        // Just before the end: a step may come there.
        let last = to - near * 1e-3;
        let first = align(&(self.truth)(from + near), start);
        let end = align(&(self.truth)(last), &first);
        let before = align(&(self.truth)(last - near), &end);
        #[expect(clippy::cast_possible_truncation, reason = "tangents are of single precision")]
        let slope = |a: &Quat, b: &Quat| {
            let slope = (b.coords - a.coords) / near;
            [slope.x, slope.y, slope.z, slope.w].map(|value| if value.is_finite() { value as f32 } else { 0.0 })
        };
        RotationTangents { out: slope(start, &first), into: slope(&before, &end) }
    }

    /// As three curves, in the order of the triple.
    fn triple(&self, order: EulerOrder) -> ([ScalarCurve; 3], FormReport) {
        if let Some((start, rate, count)) = self.samples() {
            let mut triple = self.first_triple(order, start, start + rate.secs(1));
            let mut triples = Vec::with_capacity(count);
            for index in 0..count {
                triple = nearest_euler(order, &(self.truth)(start + rate.secs(frame(index))), triple);
                triples.push(triple);
            }
            let branch = Branch::simplest(triples.iter().copied());
            let curves = std::array::from_fn(|slot| {
                let values: Vec<f64> = triples.iter().map(|triple| branch.value(*triple)[slot]).collect();
                ScalarCurve::Sampled(Samples::new(start, rate, values.into()))
            });
            return (curves, FormReport::default());
        }
        let (keys, report) = self.keys();
        let mut triple = keys
            .first()
            .map_or([0.0; 3], |(first, _)| self.first_triple(order, *first, keys.get(1).map_or(*first, |next| next.0)));
        // What each key holds: its triple, and the handles' times with the slopes of both sides.
        let mut passed: Vec<Passed> = Vec::with_capacity(keys.len());
        let mut reaching: Option<(f64, [f64; 3])> = None;
        for (index, (time, way)) in keys.iter().enumerate() {
            triple = nearest_euler(order, &(self.truth)(*time), triple);
            let next = keys.get(index + 1).map(|next| next.0).filter(|_| *way != Way::Held);
            let ahead = next.map(|next| ((next - time) / 3.0, self.slopes(order, triple, *time, next)));
            let leaving = ahead.as_ref().map(|(third, ahead)| (*third, ahead.leaving));
            passed.push(Passed { time: *time, triple, reaching, leaving });
            reaching = ahead.as_ref().map(|(third, ahead)| (*third, ahead.reaching));
            triple = ahead.map_or(triple, |(_, ahead)| ahead.end);
        }
        let branch = Branch::simplest(passed.iter().map(|key| key.triple));
        let curves: [KeyedCurve; 3] = std::array::from_fn(|slot| KeyedCurve {
            keys: passed.iter().map(|passed| passed.key(slot, &branch)).collect(),
            ..KeyedCurve::default()
        });
        let at = |secs: f64| {
            from_euler(order, curves.each_ref().map(|curve| super::curve::value(curve, secs).unwrap_or(0.0)))
        };
        let error = self.error(&keys, &at);
        (curves.map(ScalarCurve::Keyed), FormReport { error, ..report })
    }

    /// The triple to set out with: the principal one; in gimbal lock, where it is one of many, the one that the motion leaves it
    /// by.
    fn first_triple(&self, order: EulerOrder, first: f64, next: f64) -> [f64; 3] {
        let rotation = (self.truth)(first);
        match euler_solution(order, &rotation) {
            EulerSolution::Regular(angles) => angles,
            EulerSolution::Locked { .. } => {
                // A key that is left slowly stays in the lock, to the digits there are, for a while.
                let after = [1e-3, 1e-2, 1e-1, 0.5]
                    .map(|part| euler_solution(order, &(self.truth)((next - first).mul_add(part, first))));
                let regular = after.into_iter().find_map(|solution| match solution {
                    EulerSolution::Regular(angles) => Some(angles),
                    EulerSolution::Locked { .. } => None,
                });
                nearest_euler(order, &rotation, regular.unwrap_or_else(|| to_euler(order, &rotation)))
            }
        }
    }

    /// The triple at a time, followed from the one at an earlier time: where it jumps, in smaller steps, so that no turn
    /// is missed near gimbal lock.
    fn followed(&self, order: EulerOrder, triple: [f64; 3], (from, to): (f64, f64), halvings: u32) -> [f64; 3] {
        let next = nearest_euler(order, &(self.truth)(to), triple);
        let jump = (0..3).map(|n| (next[n] - triple[n]).abs()).fold(0.0, f64::max);
        if halvings == 0 || jump <= MOST_STEP {
            return next;
        }
        let middle = f64::midpoint(from, to);
        let half = self.followed(order, triple, (from, middle), halvings - 1);
        self.followed(order, half, (middle, to), halvings - 1)
    }

    /// A segment's angles from the triple it starts with.
    fn slopes(&self, order: EulerOrder, start: [f64; 3], from: f64, to: f64) -> Ahead {
        let steps = self.steps(from, to);
        let near = (to - from) * 1e-5;
        // Just before the end: a step may come there.
        let last = to - near * 1e-3;
        let first = nearest_euler(order, &(self.truth)(from + near), start);
        let leaving = std::array::from_fn(|n| (first[n] - start[n]) / near);
        let within = (1..steps).map(|i| (to - from).mul_add(f64::from(i) / f64::from(steps), from));
        // Step by step, so that turns are counted.
        let follow = |(triple, before): ([f64; 3], f64), secs: f64| {
            (self.followed(order, triple, (before, secs), MOST_HALVINGS), secs)
        };
        let (before, _) = follow(within.fold((start, from), follow), last - near);
        let end = nearest_euler(order, &(self.truth)(last), before);
        Ahead { leaving, reaching: std::array::from_fn(|n| (end[n] - before[n]) / near), end }
    }
}

/// A key on the way through a rotation, by triples.
struct Passed {
    time: f64,
    triple: [f64; 3],
    /// The length of the handle before it, seconds, and the slopes there.
    reaching: Option<(f64, [f64; 3])>,
    /// The same after it; none where what follows is held.
    leaving: Option<(f64, [f64; 3])>,
}

impl Passed {
    fn key(&self, slot: usize, branch: &Branch) -> Key {
        let mut key =
            Key { interpolation: Interpolation::Step, ..Key::new(self.time, branch.value(self.triple)[slot]) };
        if let Some((third, slopes)) = self.reaching {
            key.handle_in = Handle::Free(-third, -third * branch.slope(slopes)[slot]);
        }
        if let Some((third, slopes)) = self.leaving {
            key.interpolation = Interpolation::Bezier;
            key.handle_out = Handle::Free(third, third * branch.slope(slopes)[slot]);
        }
        key
    }
}

/// What a segment's angles do.
struct Ahead {
    /// Their slopes where it starts, per second.
    leaving: [f64; 3],
    /// Their slopes where it ends.
    reaching: [f64; 3],
    /// The triple it ends with.
    end: [f64; 3],
}

#[cfg(test)]
mod tests;
