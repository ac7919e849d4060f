//! The joints of a path under their limits, followed along the pointer's way from the press to the target.
//!
//! Where limits are met there are often several poses, far from each other, between which the best one changes: an arm goes
//! behind the back from above or from below. Whatever is searched for at the target alone jumps there. So the way is walked,
//! from the press, in steps that depend on nothing but how far along it they are. At each the joints go as the pose without
//! limits goes (the guide), cut at their limits; damped Newton steps bring the end of the path back to where the guide has
//! it; and what comes out lies no farther from the pose of the step before than the pointer's step allows. Where a pose
//! ceases to be possible the joints sweep to another, at a bounded speed, in the range of their limits.
//!
//! The pose is a function of the way alone. Along one way it is continuous with [`FASTEST`] for a bound by construction.

use super::{Drag, pose::Pose};
use crate::eval::ik::jacobian::clamp_step;
use crate::eval::ik::{Measure, SoftLimit};
use crate::math::{Mat3, Quat, Vec3};

/// The first step of the way, a share of the path's length, and by how much each next is longer.
const STEP: (f64, f64) = (0.005, 0.18);
/// How far what hangs from the path moves at most for a move of the pointer, turns of all joints added up.
const FASTEST: f64 = 7.0;
/// The move, as a share of the path's length, for as much of which the end still closes in at the target.
const CLOSING: f64 = 3e-5;
/// Between two steps of the way what is bound deviates by no more than this share of how far they are apart.
const BETWEEN: f64 = 0.25;
/// The way, as a share of the path's length, on which a joint comes back to its guide for the greater part.
const BACK_IN: f64 = 0.15;
/// Nearer than this share of its length a path's end counts as where it should be: at the target, and on the way there.
const NEAR: [f64; 2] = [1e-9, 1e-5];
/// Most Newton steps: to close in at the target, and for each step of the way.
const NEWTON: [u32; 2] = [16, 6];
/// Most of them for what is held.
const HELD: u32 = 24;
/// Squared damping of these as a share of the path's length times what is left (Levenberg's rule).
const DAMPING: f64 = 0.2;
/// The longest of them, as a share of the path's length.
const LONGEST: f64 = 0.3;
/// No measure changes by more in one, radians.
const LARGEST_TURN: f64 = 0.5;
/// How much of its own effect a measure keeps that stands at its limit, so that it finds its way back in.
const BACK: f64 = 0.1;
/// Joints that are nearer to their guide than this, radians, follow it between two steps of the way.
const GUIDED: f64 = 0.1;
/// Width of the difference quotients, radians.
const TINY: f64 = 1e-6;

/// How fast joints may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speed {
    /// No faster than [`FASTEST`].
    Bound,
    /// As fast as the guide is where that is faster.
    Guide,
}

/// What is followed.
pub(super) struct Way<'w> {
    /// The joints, each the parent of the next; all but the last turn.
    pub(super) path: &'w [usize],
    /// Where the pointer's way begins and ends, world.
    pub(super) ends: [Vec3; 2],
    /// How fast the joints may be.
    pub(super) speed: Speed,
}

/// Follows a path along a way. `pose` is that without limits at its end; `guide` makes it that at a share of the way and the
/// place there. Says whether limits have changed anything.
pub(super) fn follow<'a>(
    drag: &Drag<'a>,
    pose: &mut Pose<'a>,
    way: &Way<'_>,
    guide: &mut dyn FnMut(&mut Pose<'a>, f64, &Vec3),
) -> bool {
    let Some((_, turning)) = way.path.split_last() else { return false };
    let limits: Vec<Option<SoftLimit>> = turning.iter().map(|joint| drag.soft_limit(*joint)).collect();
    if limits.iter().all(Option::is_none) {
        return false;
    }
    let [from, to] = way.ends;
    let far = (to - from).norm();
    let mut track = Track::new(drag, pose, way.path, limits);
    let mut at = pose.clone();
    let (mut walked, mut step) = (0.0, STEP.0 * track.length);
    let mut last =
        Stand { guide: track.guide(&drag.pressed, way.path), seen: track.seen.clone(), turns: track.turns.clone() };
    // To the first step at or beyond the target.
    loop {
        let share = if far > 0.0 { (walked + step) / far } else { 0.0 };
        guide(&mut at, share, &(from + (to - from) * share));
        let next = track.guide(&at, way.path);
        track.go(&last.guide, &next, step, way.speed);
        let next = Stand { guide: next, seen: track.seen.clone(), turns: track.turns.clone() };
        if walked + step >= far {
            track.stand_between(&last, &next, (far - walked) / step, &track.guide(pose, way.path), way.speed);
            break;
        }
        last = next;
        walked += step;
        step *= 1.0 + STEP.1;
    }
    let changed = turning.iter().zip(&track.turns).any(|(joint, turn)| *turn != pose.local_rotation(*joint));
    if changed {
        pose.set_local_rotations(turning, &track.turns);
    }
    changed
}

/// Brings a path whose end is held within its limits, and the end back by Newton steps: nothing weighs more than that it
/// comes there. Says whether anything has changed.
pub(super) fn meet(drag: &Drag<'_>, pose: &mut Pose<'_>, path: &[usize]) -> bool {
    let Some((_, turning)) = path.split_last() else { return false };
    let limits: Vec<Option<SoftLimit>> = turning.iter().map(|joint| drag.soft_limit(*joint)).collect();
    let mut track = Track::new(drag, pose, path, limits);
    let guide = track.guide(pose, path);
    if guide.turns == guide.free {
        return false;
    }
    track.seen.clone_from(&guide.seen);
    track.turns.clone_from(&guide.turns);
    track.place();
    track.close_in(&guide.goal, NEAR[0], HELD);
    pose.set_local_rotations(turning, &track.turns);
    true
}

/// The pose without limits at a step of the way.
struct Guide {
    /// Local rotations, before limits and after them.
    free: Vec<Quat>,
    turns: Vec<Quat>,
    /// The swings and twists before limits; of no meaning where there are none.
    seen: Vec<Measure>,
    /// Where the path's end is, seen from what the path hangs from.
    goal: Vec3,
}

/// A step of the way that has been taken: the guide there, and the joints' swings and twists before limits and their turns.
struct Stand {
    guide: Guide,
    seen: Vec<Measure>,
    turns: Vec<Quat>,
}

impl Stand {
    /// How far the joints are from their guide at most, radians.
    fn off(&self, limits: &[Option<SoftLimit>]) -> f64 {
        let off = |index: usize| {
            let (seen, guide) = (&self.seen[index], &self.guide.seen[index]);
            let by_seen = (seen.x - guide.x).abs().max((seen.twist - guide.twist).abs()).max((seen.z - guide.z).abs());
            let turned = self.turns[index].angle_to(&self.guide.free[index]);
            if limits[index].is_some() {
                by_seen.max(if self.turns[index] == self.guide.free[index] { 0.0 } else { turned })
            } else {
                turned
            }
        };
        (0..self.turns.len()).map(off).fold(0.0, f64::max)
    }
}

/// The joints of a path while they are followed.
struct Track {
    limits: Vec<Option<SoftLimit>>,
    /// Bones, each in the space of the joint that turns it.
    bones: Vec<Vec3>,
    /// How far the farthest joint is that each one turns.
    levers: Vec<f64>,
    length: f64,
    /// Swings and twists before limits.
    seen: Vec<Measure>,
    turns: Vec<Quat>,
    /// The joints and, last, the end; seen from what the path hangs from, as are the rotations.
    places: Vec<Vec3>,
    rotations: Vec<Quat>,
}

impl Track {
    /// The path as it is at the press.
    fn new(drag: &Drag<'_>, pose: &Pose<'_>, path: &[usize], limits: Vec<Option<SoftLimit>>) -> Self {
        let turns: Vec<Quat> =
            path.iter().take(limits.len()).map(|joint| drag.pressed.local_rotation(*joint)).collect();
        let none = Measure { x: 0.0, twist: 0.0, z: 0.0 };
        let seen =
            limits.iter().zip(&turns).map(|(limit, turn)| limit.map_or(none, |limit| limit.free(turn))).collect();
        let bone =
            |pair: &[usize]| pose.rotation(pair[0]).inverse() * (pose.position(pair[1]) - pose.position(pair[0]));
        let mut track = Self {
            bones: path.windows(2).map(bone).collect(),
            levers: levers(&drag.pressed, path),
            length: pose.length(path),
            seen,
            places: vec![Vec3::zeros(); path.len()],
            rotations: turns.clone(),
            turns,
            limits,
        };
        track.place();
        track
    }

    fn guide(&self, pose: &Pose<'_>, path: &[usize]) -> Guide {
        let free: Vec<Quat> = path.iter().take(self.limits.len()).map(|joint| pose.local_rotation(*joint)).collect();
        let mut guide = Guide { turns: free.clone(), seen: self.seen.clone(), free, goal: Vec3::zeros() };
        for (index, limit) in self.limits.iter().enumerate() {
            if let Some(limit) = limit {
                guide.seen[index] = limit.free(&guide.free[index]);
                guide.turns[index] = limit.map(&guide.free[index]);
            }
        }
        guide.goal = self.end_of(&guide.free);
        guide
    }

    /// One step of the way, `far` long.
    fn go(&mut self, last: &Guide, next: &Guide, far: f64, speed: Speed) {
        let before = (self.seen.clone(), self.turns.clone());
        let back = 1.0 - (-far / (BACK_IN * self.length)).exp();
        for index in 0..self.turns.len() {
            self.go_with(index, last, next, back);
        }
        self.place();
        self.close_in(&next.goal, NEAR[1], NEWTON[1]);
        let bound = FASTEST * far;
        let most = match speed {
            Speed::Bound => bound,
            Speed::Guide => bound.max(self.cost(&last.free, &next.free)),
        };
        self.keep_within(&before, most);
    }

    /// Where the joints are a part of the way between two steps, at a guide.
    fn stand_between(&mut self, last: &Stand, next: &Stand, part: f64, guide: &Guide, speed: Speed) {
        let off = [last, next].map(|stand| stand.off(&self.limits));
        let free = (1.0 - off[0].max(off[1]) / GUIDED).clamp(0.0, 1.0);
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let is_guide = off == [0.0; 2] && guide.turns == guide.free;
        for index in 0..self.turns.len() {
            if is_guide {
                (self.seen[index], self.turns[index]) = (guide.seen[index], guide.turns[index]);
                continue;
            }
            if let Some(limit) = &self.limits[index] {
                let of = |get: fn(&Measure) -> f64| {
                    let on = |stand: &Stand| (get(&stand.seen[index]), get(&stand.guide.seen[index]));
                    let ((a, from), (b, to)) = (on(last), on(next));
                    mix(a, b) + free * (get(&guide.seen[index]) - mix(from, to))
                };
                let seen = Measure { x: of(|seen| seen.x), twist: of(|seen| seen.twist), z: of(|seen| seen.z) };
                self.seen[index] = limit.bounded(&seen);
                self.turns[index] = limit.limit().rotation(&limit.ease(&self.seen[index]));
            } else {
                let between = |a: &Quat, b: &Quat| a * Quat::from_scaled_axis((a.inverse() * b).scaled_axis() * part);
                let mixed = between(&last.guide.turns[index], &next.guide.turns[index]);
                let more = (mixed.inverse() * guide.turns[index]).scaled_axis() * free;
                self.turns[index] = between(&last.turns[index], &next.turns[index]) * Quat::from_scaled_axis(more);
            }
        }
        self.place();
        if is_guide {
            return;
        }
        // What is left at both steps is left between them: only what the mixing has moved is closed.
        let [a, b] = [last, next].map(|stand| stand.guide.goal - self.end_of(&stand.turns));
        let left = a.lerp(&b, part);
        let counts = ((left.norm() / self.length - 2.0 * NEAR[1]) / (8.0 * NEAR[1])).clamp(0.0, 1.0);
        let before = (self.seen.clone(), self.turns.clone());
        self.close_in(&(guide.goal - left * counts), NEAR[0], NEWTON[0]);
        let moved = self.cost(&last.turns, &next.turns);
        let share = match speed {
            Speed::Bound => moved * (moved / self.length).min(BETWEEN),
            Speed::Guide => 4.0 * moved,
        };
        let most = FASTEST * CLOSING * self.length + share * part * (1.0 - part);
        self.keep_within(&before, most);
    }

    /// Newton steps of the end to a goal until it is near.
    fn close_in(&mut self, goal: &Vec3, near: f64, steps: u32) {
        for _ in 0..steps {
            let error = goal - self.end();
            if error.norm() <= near * self.length || !self.newton(&error) {
                break;
            }
        }
    }

    /// Takes back of what has changed what is beyond the most that it may cost.
    fn keep_within(&mut self, before: &(Vec<Measure>, Vec<Quat>), most: f64) {
        let cost = self.cost(&before.1, &self.turns);
        if cost > most {
            self.go_part(before, most / cost);
        }
    }

    /// Turns a joint as its guide turns, and a part of what is between them besides.
    fn go_with(&mut self, index: usize, last: &Guide, next: &Guide, back: f64) {
        let Some(limit) = &self.limits[index] else {
            let with = self.turns[index] * (last.turns[index].inverse() * next.turns[index]);
            self.turns[index] =
                with * Quat::from_scaled_axis((with.inverse() * next.turns[index]).scaled_axis() * back);
            return;
        };
        let (now, from, to) = (self.seen[index], last.seen[index], next.seen[index]);
        let part = |now: f64, from: f64, to: f64| {
            let with = now + (to - from);
            with + (to - with) * back
        };
        let seen = Measure {
            x: part(now.x, from.x, to.x),
            twist: part(now.twist, from.twist, to.twist),
            z: part(now.z, from.z, to.z),
        };
        let off = (seen.x - to.x).abs().max((seen.twist - to.twist).abs()).max((seen.z - to.z).abs());
        // What was never held up by a limit is the guide to the last bit.
        if off <= 1e-12 {
            (self.seen[index], self.turns[index]) = (to, next.turns[index]);
        } else {
            self.seen[index] = limit.bounded(&seen);
            self.turns[index] = limit.limit().rotation(&limit.ease(&self.seen[index]));
        }
    }

    /// Takes back all but a part of a step.
    fn go_part(&mut self, (seen, turns): &(Vec<Measure>, Vec<Quat>), part: f64) {
        for index in 0..self.turns.len() {
            if let Some(limit) = &self.limits[index] {
                let (a, b) = (seen[index], self.seen[index]);
                let mix = |a: f64, b: f64| a + (b - a) * part;
                self.seen[index] = Measure { x: mix(a.x, b.x), twist: mix(a.twist, b.twist), z: mix(a.z, b.z) };
                self.turns[index] = limit.limit().rotation(&limit.ease(&self.seen[index]));
            } else {
                let turn = (turns[index].inverse() * self.turns[index]).scaled_axis();
                self.turns[index] = turns[index] * Quat::from_scaled_axis(turn * part);
            }
        }
        self.place();
    }

    /// How far turns move what hangs from the path at most.
    fn cost(&self, from: &[Quat], to: &[Quat]) -> f64 {
        let angle = |a: &Quat, b: &Quat| 2.0 * (a.coords - b.coords).norm().min((a.coords + b.coords).norm());
        self.levers.iter().zip(from.iter().zip(to)).map(|(lever, (a, b))| lever * angle(a, b)).sum()
    }

    fn end(&self) -> Vec3 {
        self.places.last().copied().unwrap_or_default()
    }

    /// Where turns bring the end.
    fn end_of(&self, turns: &[Quat]) -> Vec3 {
        let (mut place, mut above) = (Vec3::zeros(), Quat::identity());
        for (turn, bone) in turns.iter().zip(&self.bones) {
            above *= turn;
            place += above * bone;
        }
        place
    }

    /// Places and rotations from the turns.
    fn place(&mut self) {
        let (mut place, mut above) = (Vec3::zeros(), Quat::identity());
        for (index, (turn, bone)) in self.turns.iter().zip(&self.bones).enumerate() {
            above *= turn;
            self.rotations[index] = above;
            self.places[index] = place;
            place += above * bone;
        }
        if let Some(end) = self.places.last_mut() {
            *end = place;
        }
    }

    /// How the end moves for each swing and twist of a joint, or, without limits, for turns about its own axes.
    fn effects(&self, index: usize) -> [Vec3; 3] {
        let rotation = self.rotations[index];
        let arm = rotation.inverse() * (self.end() - self.places[index]);
        let Some(limit) = &self.limits[index] else {
            return [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| rotation * axis.cross(&arm));
        };
        let above = rotation * self.turns[index].inverse();
        let free = self.seen[index];
        let now = limit.ease(&free);
        let place = |measure: &Measure| limit.limit().rotation(measure) * arm;
        let here = place(&now);
        [0, 1, 2].map(|which| {
            let soft = place(&limit.ease(&moved(&free, which, TINY))) - here;
            let own = place(&moved(&now, which, TINY)) - here;
            above * (soft + own * BACK) / TINY
        })
    }

    /// One damped step of the end; false where it cannot move.
    fn newton(&mut self, error: &Vec3) -> bool {
        let effects: Vec<[Vec3; 3]> = (0..self.turns.len()).map(|index| self.effects(index)).collect();
        let mut gram = Mat3::from_diagonal_element(DAMPING * self.length * error.norm());
        effects.iter().flatten().for_each(|effect| gram += effect * effect.transpose());
        let Some(pull) = gram.cholesky().map(|factor| factor.solve(&clamp_step(error, LONGEST * self.length))) else {
            return false;
        };
        let turns: Vec<[f64; 3]> = effects.iter().map(|effects| effects.map(|effect| effect.dot(&pull))).collect();
        let largest = turns.iter().flatten().fold(0.0_f64, |largest, turn| largest.max(turn.abs()));
        let share = (LARGEST_TURN / largest.max(1e-300)).min(1.0);
        for (index, turns) in turns.iter().enumerate() {
            let [x, twist, z] = turns.map(|turn| turn * share);
            if let Some(limit) = &self.limits[index] {
                let seen = self.seen[index];
                self.seen[index] = limit.bounded(&Measure { x: seen.x + x, twist: seen.twist + twist, z: seen.z + z });
                self.turns[index] = limit.limit().rotation(&limit.ease(&self.seen[index]));
            } else {
                self.turns[index] *= Quat::from_scaled_axis(Vec3::new(x, twist, z));
            }
        }
        self.place();
        true
    }
}

/// How far from each joint of a path the farthest joint is that hangs from it.
fn levers(pose: &Pose<'_>, path: &[usize]) -> Vec<f64> {
    let mut levers = vec![0.0_f64; path.len()];
    let Some(first) = path.first() else { return levers };
    let below = pose.below(*first);
    // How many joints of the path each one hangs from.
    let mut hangs = vec![0; below.end - below.start];
    for joint in below.clone() {
        let above = pose.parent(joint).filter(|parent| *parent >= below.start);
        let from = above.map_or(0, |parent| hangs[parent - below.start]);
        hangs[joint - below.start] = if path.get(from) == Some(&joint) { from + 1 } else { from };
        for (lever, of) in levers.iter_mut().zip(path).take(hangs[joint - below.start]) {
            *lever = lever.max((pose.position(joint) - pose.position(*of)).norm());
        }
    }
    levers
}

/// A measure with one of its three changed.
fn moved(measure: &Measure, which: usize, by: f64) -> Measure {
    let mut measure = *measure;
    match which {
        0 => measure.x += by,
        1 => measure.twist += by,
        _ => measure.z += by,
    }
    measure
}
