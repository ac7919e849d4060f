//! A blend space made ready to play: the clips in it, their weights at a point, and the clock they share.

use super::{Told, bound::BoundClip, clock::Clock};
use crate::{
    eval::blend::{
        pose::blend_poses,
        space::{Landing, PreparedSpace, SchemeOptions},
    },
    math::{
        Transform, Vec3,
        spring::{Spring, SpringState},
    },
    model::{BlendSpace, BlendSpaceId, ClipId, Document, Plays, Smoothing},
};
use std::{collections::BTreeMap, sync::Arc};

/// A clip that a space plays, itself or through spaces in it.
#[derive(Debug)]
struct Leaf {
    /// The sample of the outer space.
    sample: usize,
    /// Its part of that sample.
    part: f64,
    speed: f64,
    clip: Arc<BoundClip>,
}

/// A space made ready to play.
#[derive(Debug)]
pub(super) struct Gait {
    pub(super) space: Arc<BlendSpace>,
    prepared: PreparedSpace,
    leaves: Vec<Leaf>,
    clock: Clock,
    /// The states at frames from the begin of the play range on, as far as they were asked for.
    track: Vec<State>,
}

/// What has a history, at a frame.
#[derive(Clone, Debug)]
struct State {
    /// What plays, and how fast the point goes where it has a momentum.
    told: Told,
    speed: [f64; 2],
    phase: f64,
    /// How far it has gone over the ground.
    gone: Vec3,
    /// By how much it has turned about the vertical, radians.
    turned: f64,
}

/// The frames a track is grown to at most; later times play on from there as if the point stood still.
const MOST_FRAMES: usize = 1 << 17;

/// When the history begins and how it is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    /// The time of the first state, seconds.
    pub(super) begin: f64,
    /// One frame, seconds.
    pub(super) frame: f64,
    /// By how much later the layer starts, seconds.
    pub(super) start: f64,
}

/// How a space plays at a time.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) weights: Vec<f64>,
    pub(super) landing: Landing,
    pub(super) phase: f64,
    /// How long a cycle lasts at these weights, seconds; 0 where nothing moves.
    pub(super) cycle: f64,
    leaves: Vec<f64>,
    gone: Vec3,
    turned: f64,
    /// Seconds since the begin, for what goes at its own pace.
    since: f64,
}

/// A preparation of a space alone.
pub(in crate::eval) fn prepared(space: &BlendSpace) -> PreparedSpace {
    let points: Vec<[f64; 2]> = space.samples.iter().map(|sample| space.measured(sample.at)).collect();
    let options = SchemeOptions {
        diagonals: space.diagonals.clone(),
        direct: space.samples.iter().map(|sample| sample.weight).collect(),
        angle_weight: space.angle_weight,
    };
    PreparedSpace::new(space.scheme, &points, &options)
}

/// The clips of a document, bound for one object as they are asked for.
pub(super) trait Clips {
    fn bound(&mut self, clip: ClipId) -> Option<Arc<BoundClip>>;
}

impl Gait {
    /// A space; what it plays that does not exist, and itself within itself, is left out.
    pub(super) fn new(document: &Document, id: BlendSpaceId, clips: &mut dyn Clips) -> Option<Self> {
        let space = document.blend_spaces.get(&id)?.clone();
        let prepared = prepared(&space);
        let mut leaves = Vec::new();
        for (index, sample) in space.samples.iter().enumerate() {
            let mut found = BTreeMap::new();
            gather(document, sample.plays, (1.0, sample.speed), &mut vec![id], &mut found);
            for ((clip, _), (part, speed)) in found {
                if let Some(clip) = clips.bound(clip) {
                    leaves.push(Leaf { sample: index, part, speed, clip });
                }
            }
        }
        let motions: Vec<(f64, &[(String, f64)])> =
            leaves.iter().map(|leaf| (leaf.clip.period / leaf.speed, leaf.clip.marks.as_slice())).collect();
        let clock = Clock::new(&motions, space.sync);
        Some(Self { space, prepared, leaves, clock, track: Vec::new() })
    }

    /// Whether marks of step were asked for and do not match.
    pub(super) const fn is_unmatched(&self) -> bool {
        self.clock.unmatched
    }

    /// Whether a clip in it has pins, which do not act there.
    pub(super) fn has_pins(&self) -> bool {
        self.leaves.iter().any(|leaf| !leaf.clip.clip.pins.is_empty())
    }

    /// Which joints any of its clips moves.
    pub(super) fn moves(&self, joints: usize) -> Vec<bool> {
        (0..joints)
            .map(|joint| self.leaves.iter().any(|leaf| leaf.clip.moves.get(joint).copied().unwrap_or(false)))
            .collect()
    }

    /// The clip that says in which axes the space is added.
    pub(super) fn first_clip(&self) -> Option<&Arc<BoundClip>> {
        self.leaves.first().map(|leaf| &leaf.clip)
    }

    fn weights(&self, told: &Told) -> (Vec<f64>, Landing, Vec<f64>) {
        let (weights, landing) = told.weights(&self.space, &self.prepared);
        let leaves = self.leaves.iter().map(|leaf| weights[leaf.sample] * leaf.part).collect();
        (weights, landing, leaves)
    }

    /// Whether any of its clips turns the figure as it travels. Then where it is depends on what it has faced since the begin.
    pub(super) fn turns(&self) -> bool {
        self.leaves.iter().any(|leaf| leaf.clip.turns())
    }

    /// How far the leaves have gone over the ground at a phase, and by how much they have turned, by weight.
    fn gone(&self, phase: f64, since: f64, leaves: &[f64]) -> (Vec3, f64) {
        let (mut gone, mut turned) = (Vec3::zeros(), 0.0);
        for (index, weight) in leaves.iter().enumerate() {
            let clip = &self.leaves[index].clip;
            if *weight > 0.0 && clip.clip.travels {
                let cycles = self.cycles(index, phase, since);
                gone += clip.gone(cycles) * *weight;
                turned += clip.turned(cycles) * *weight;
            }
        }
        (gone, turned)
    }

    /// How far the leaves go over the ground from one phase and time to another, and by how much they turn, by weight: the way
    /// as seen by a figure that faces `facing` at the begin.
    fn led(&self, facing: f64, from: (f64, f64), to: (f64, f64), leaves: &[f64]) -> (Vec3, f64) {
        let (mut gone, mut turned) = (Vec3::zeros(), 0.0);
        for (index, weight) in leaves.iter().enumerate() {
            let clip = &self.leaves[index].clip;
            if !(*weight > 0.0 && clip.clip.travels) {
                continue;
            }
            let (a, b) = (self.cycles(index, from.0, from.1), self.cycles(index, to.0, to.1));
            let way = clip.gone(b) - clip.gone(a);
            let (own, next) = (clip.turned(a), clip.turned(b));
            gone += if facing == own { way } else { clip.heading(facing - own) * way } * *weight;
            turned += (next - own) * *weight;
        }
        (gone, turned)
    }

    /// The cycles of a leaf at a phase of the common clock, or, where each goes at its own pace, at a time since the begin.
    fn cycles(&self, leaf: usize, phase: f64, since: f64) -> f64 {
        self.clock.paces[leaf].cycles(phase, since)
    }

    fn first_phase(&self, history: History, leaves: &[f64]) -> f64 {
        let start = self.clock.paces.iter().find(|pace| pace.counts()).map_or(0.0, |pace| pace.phase_of_start());
        self.clock.advanced(start, -history.start, leaves)
    }

    /// How it plays at a time, what it is told being the same at all times.
    pub(super) fn standing(&self, history: History, told: &Told, secs: f64) -> Played {
        let (weights, landing, leaves) = self.weights(told);
        let phase = self.clock.advanced(self.first_phase(history, &leaves), secs - history.begin, &leaves);
        let since = secs - history.begin - history.start;
        let (gone, turned) = self.gone(phase, since, &leaves);
        let cycle = self.clock.cycle(&leaves);
        Played { weights, landing, phase, cycle, gone, turned, leaves, since }
    }

    /// How it plays at a time, being told something over time: `told` as it is played, `shown` at this very time.
    pub(super) fn moving(
        &mut self,
        history: History,
        told: &dyn Fn(f64) -> Told,
        mut shown: Told,
        secs: f64,
    ) -> Played {
        let at = ((secs - history.begin) / history.frame + 1e-9).floor().clamp(0.0, MOST_FRAMES as f64);
        let index = at as usize;
        self.grow(history, told, index + 1);
        let state = self.track[index].clone();
        let into = secs - (history.begin + at * history.frame);
        if self.space.smoothing.is_some() {
            let part = (into / history.frame).clamp(0.0, 1.0);
            let (now, next) = (state.told.point, self.track[index + 1].told.point);
            shown.point = [0, 1].map(|axis| now[axis] + (next[axis] - now[axis]) * part);
        }
        let (weights, landing, leaves) = self.weights(&shown);
        let phase = self.clock.advanced(state.phase, into, &leaves);
        let since = secs - history.begin - history.start;
        let (way, turn) = self.led(state.turned, (state.phase, since - into), (phase, since), &leaves);
        let (gone, turned) = (state.gone + way, state.turned + turn);
        let cycle = self.clock.cycle(&leaves);
        Played { weights, landing, phase, cycle, gone, turned, leaves, since }
    }

    /// Runs the history on to a state.
    fn grow(&mut self, history: History, told: &dyn Fn(f64) -> Told, last: usize) {
        if self.track.is_empty() {
            let told = told(history.begin);
            let leaves = self.weights(&told).2;
            let phase = self.first_phase(history, &leaves);
            let (gone, turned) = self.gone(phase, -history.start, &leaves);
            self.track.push(State { told, speed: [0.0; 2], phase, gone, turned });
        }
        while self.track.len() <= last {
            let count = self.track.len();
            let secs = history.begin + count as f64 * history.frame;
            let before = &self.track[count - 1];
            let mut told = told(secs);
            let smoothing = self.space.smoothing;
            let (point, speed) = smoothed(smoothing, (before.told.point, before.speed), told.point, history.frame);
            told.point = point;
            let leaves = self.weights(&told).2;
            let phase = self.clock.advanced(before.phase, history.frame, &leaves);
            let since = secs - history.begin - history.start;
            let from = (before.phase, since - history.frame);
            let (way, turn) = self.led(before.turned, from, (phase, since), &leaves);
            let (gone, turned) = (before.gone + way, before.turned + turn);
            self.track.push(State { told, speed, phase, gone, turned });
        }
    }

    /// The blended pose, the root where the clips have it or, where they travel, as far as they have gone together.
    pub(super) fn pose(&self, played: &Played, rest: &[Transform]) -> Vec<Transform> {
        let mut pose = self.blended(played, rest, &mut |leaf, cycles| self.leaves[leaf].clip.in_place(cycles));
        if let Some(root) = pose.first_mut() {
            root.translation += played.gone;
            if let Some(clip) = self.first_clip().filter(|_| played.turned != 0.0) {
                root.rotation = clip.heading(played.turned) * root.rotation;
            }
        }
        pose
    }

    /// The pose in place, and the pose that it is a difference from, both blended alike.
    pub(super) fn difference(
        &self,
        played: &Played,
        rest: &[Transform],
        other: &dyn Fn(ClipId) -> Option<Arc<BoundClip>>,
    ) -> (Vec<Transform>, Vec<Transform>) {
        let pose = self.blended(played, rest, &mut |leaf, cycles| self.leaves[leaf].clip.in_place(cycles));
        let reference = self.blended(played, rest, &mut |leaf, cycles| {
            let clip = &self.leaves[leaf].clip;
            match clip.differs_from().and_then(other) {
                Some(other) => other.in_place(cycles),
                None => clip.reference(),
            }
        });
        (pose, reference)
    }

    fn blended(
        &self,
        played: &Played,
        rest: &[Transform],
        of: &mut dyn FnMut(usize, f64) -> Vec<Transform>,
    ) -> Vec<Transform> {
        let acting = played.leaves.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let poses: Vec<(f64, Vec<Transform>)> =
            acting.map(|(leaf, weight)| (*weight, of(leaf, self.cycles(leaf, played.phase, played.since)))).collect();
        let inputs: Vec<(f64, &[Transform])> = poses.iter().map(|(weight, pose)| (*weight, pose.as_slice())).collect();
        let mut pose = rest.to_vec();
        blend_poses(&inputs, self.space.rotations, &mut pose);
        pose
    }
}

/// A point, and how fast it goes, a step on its way to the one told.
pub(super) fn smoothed(
    smoothing: Option<Smoothing>,
    (point, speed): ([f64; 2], [f64; 2]),
    told: [f64; 2],
    secs: f64,
) -> ([f64; 2], [f64; 2]) {
    match smoothing {
        None => (told, [0.0; 2]),
        Some(Smoothing::Spring(half_life)) => {
            let spring = Spring::of_half_life(half_life);
            let axis = |axis: usize| {
                let state = SpringState { position: point[axis], velocity: speed[axis] };
                spring.after(state, told[axis], secs)
            };
            let [x, y] = [0, 1].map(axis);
            ([x.position, y.position], [x.velocity, y.velocity])
        }
        Some(Smoothing::Exponential(half_life)) => {
            let left = (-secs / half_life.max(1e-9)).exp2();
            ([0, 1].map(|axis| told[axis] + (point[axis] - told[axis]) * left), [0.0; 2])
        }
    }
}

/// The clips that something plays, each with its part and speed, through spaces at their preview points. One within itself
/// is left out. Two at one pace are one.
fn gather(
    document: &Document,
    plays: Plays,
    (part, speed): (f64, f64),
    above: &mut Vec<BlendSpaceId>,
    found: &mut BTreeMap<(ClipId, u64), (f64, f64)>,
) {
    match plays {
        Plays::Clip(clip) => {
            let known = found.entry((clip, speed.to_bits())).or_insert((0.0, speed));
            known.0 += part;
        }
        Plays::Space(id) if !above.contains(&id) => {
            let Some(space) = document.blend_spaces.get(&id) else { return };
            above.push(id);
            let weights = prepared(space).weights_at(space.measured(space.within(space.preview)));
            for (sample, weight) in space.samples.iter().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                gather(document, sample.plays, (part * weight, speed * sample.speed), above, found);
            }
            above.pop();
        }
        Plays::Space(_) => {}
    }
}
