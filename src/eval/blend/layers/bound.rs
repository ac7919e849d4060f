//! A clip bound to the joints of the object that plays it.

use crate::{
    eval::sample::RigBinding,
    math::{
        Quat, Transform, Vec3,
        rotation::{chord_angle, from_axis_angle, twist_angle},
    },
    model::{
        AdditiveReference, AdditiveSpace, Clip, ClipId, Document, FrameRate, LoopMode, ObjectId, Skeleton,
        names::joint_names,
    },
};
use std::sync::Arc;

/// How far apart the first and the last pose of a clip may be to be one: metres and radians.
const SAME_POSE: f64 = 1e-4;

/// Up to which turn a cycle comes round facing as it began, radians.
const SAME_HEADING: f64 = 1e-3;

/// Where repeats of a clip have led the root: turned about where the clip begins, then shifted over the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led {
    up: Vec3,
    from: Vec3,
    turn: f64,
    shift: Vec3,
}

impl Led {
    /// Leads a root that is where the clip has it.
    pub(super) fn lead(&self, root: &mut Transform) {
        if self.turn != 0.0 {
            let turn = from_axis_angle(&self.up, self.turn);
            root.translation = self.from + turn * (root.translation - self.from);
            root.rotation = turn * root.rotation;
        }
        root.translation += self.shift;
    }

    /// The other way round: where the clip has a root that was led.
    pub(super) fn back(&self, root: &mut Transform) {
        root.translation -= self.shift;
        if self.turn != 0.0 {
            let turn = from_axis_angle(&self.up, -self.turn);
            root.translation = self.from + turn * (root.translation - self.from);
            root.rotation = turn * root.rotation;
        }
    }
}

/// A clip bound to the joints of an object, and what is known of its cycle.
#[derive(Debug)]
pub(super) struct BoundClip {
    pub(super) clip: Arc<Clip>,
    rate: FrameRate,
    source: ObjectId,
    binding: RigBinding,
    /// The source's joint of each joint, where they are not the very same.
    map: Option<Vec<Option<usize>>>,
    own: Arc<Skeleton>,
    /// Which joints the clip moves.
    pub(super) moves: Vec<bool>,
    /// The time of its first frame, seconds.
    pub(super) first: f64,
    /// From its first frame to that at which it begins again, seconds; 0 of a single pose.
    pub(super) period: f64,
    up: Vec3,
    start: Vec3,
    /// How far over the ground one cycle leads, metres; nothing where the clip does not travel.
    step: Vec3,
    /// By how much one cycle turns the figure about the vertical, radians; nothing where the clip does not travel.
    turn_a_cycle: f64,
    /// The marks of step: name and part of the cycle, in order.
    pub(super) marks: Vec<(String, f64)>,
    /// The pose that it is a difference from where it is one of its own; none for the rest pose or another clip.
    frame: Option<Vec<Transform>>,
}

impl BoundClip {
    /// Binds a clip to an object's skeleton. A clip that does not move the object is read of the first rig that it moves,
    /// joints by name.
    pub(super) fn new(
        document: &Document,
        object: ObjectId,
        own: &Arc<Skeleton>,
        clip: &Arc<Clip>,
        up: Vec3,
        before: Option<&Self>,
    ) -> Self {
        let other = || document.rigs().find(|(id, ..)| clip.moves(*id)).map(|(id, _, rig)| (id, rig.skeleton.clone()));
        let found = if clip.moves(object) { None } else { other() };
        let (source, skeleton) = found.unwrap_or_else(|| (object, own.clone()));
        let binding =
            RigBinding::new(source, &skeleton, Some(clip), before.filter(|b| b.source == source).map(|b| &b.binding));
        let map = (!Arc::ptr_eq(&skeleton, own)).then(|| {
            let names = joint_names(&skeleton);
            joint_names(own).iter().map(|name| names.iter().position(|other| other == name)).collect::<Vec<_>>()
        });
        let moved: Vec<bool> = skeleton
            .joints()
            .iter()
            .map(|joint| {
                let of =
                    |path: &crate::model::ChannelPath| path.target == crate::model::Target::Joint(source, joint.id);
                clip.channels.keys().any(|path| of(path) && !clip.muted.contains(path))
                    || clip.corrections.iter().any(|c| c.deltas.keys().any(of))
            })
            .collect();
        let moves = match &map {
            None => moved,
            Some(map) => map.iter().map(|source| source.is_some_and(|source| moved[source])).collect(),
        };
        let rate = document.settings.rate;
        let first = rate.secs(clip.range.first);
        let mut bound = Self {
            clip: clip.clone(),
            rate,
            source,
            binding,
            map,
            own: own.clone(),
            moves,
            first,
            period: (rate.secs(clip.range.last) - first).max(0.0),
            up,
            start: Vec3::zeros(),
            step: Vec3::zeros(),
            turn_a_cycle: 0.0,
            marks: Vec::new(),
            frame: None,
        };
        bound.learn_cycle(rate.frame_secs());
        bound.marks = bound.marks_of_step();
        if let Some(AdditiveReference::Frame(frame)) = clip.additive.map(|additive| additive.reference) {
            bound.frame = Some(bound.at(rate.secs(frame)));
        }
        bound
    }

    /// Whether it is of the very same parts, so that it need not be bound anew.
    pub(super) fn is_of(&self, own: &Arc<Skeleton>, clip: &Arc<Clip>, rate: FrameRate) -> bool {
        let same = Arc::ptr_eq(&self.own, own) && Arc::ptr_eq(&self.clip, clip) && self.rate == rate;
        same && self.map.is_none() && clip.moves(self.source)
    }

    /// A loop whose last pose is its first shows it once; of another the last frame lasts a frame.
    fn learn_cycle(&mut self, frame_secs: f64) {
        let (first, last) = (self.at(self.first), self.at(self.first + self.period));
        let root = |pose: &[Transform]| pose.first().map_or_else(Vec3::zeros, |root| root.translation);
        self.start = root(&first);
        let gone = self.on_ground(root(&last) - self.start);
        if self.clip.travels {
            self.step = gone;
            let facing = |pose: &[Transform]| pose.first().map_or_else(Quat::identity, |root| root.rotation);
            let turn = twist_angle(&(facing(&last) * facing(&first).inverse()), &self.up);
            if turn.abs() > SAME_HEADING {
                self.turn_a_cycle = turn;
            }
        }
        let same = |(index, (a, b)): (usize, (&Transform, &Transform))| {
            let shift = b.translation - a.translation - if index == 0 { self.step } else { Vec3::zeros() };
            shift.norm() < SAME_POSE && chord_angle(&a.rotation, &b.rotation) < SAME_POSE
        };
        let closes = first.iter().zip(&last).enumerate().all(same);
        if self.period > 0.0 && self.clip.loop_mode == LoopMode::Loop && !closes && !self.clip.travels {
            self.period += frame_secs;
        }
    }

    fn marks_of_step(&self) -> Vec<(String, f64)> {
        if !(self.period > 0.0) {
            return Vec::new();
        }
        let part = |time: f64| ((time - self.first) / self.period).rem_euclid(1.0);
        let mut marks: Vec<(String, f64)> =
            self.clip.markers.iter().filter(|m| m.sync).map(|m| (m.name.clone(), part(m.time))).collect();
        marks.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        marks.dedup_by(|next, known| next.1 - known.1 < 1e-9);
        marks
    }

    fn on_ground(&self, v: Vec3) -> Vec3 {
        v - self.up * self.up.dot(&v)
    }

    /// The pose of all joints at a time of the clip.
    fn at(&self, secs: f64) -> Vec<Transform> {
        let pose = self.binding.played_pose(secs);
        let Some(map) = &self.map else { return pose };
        let joint = |(own, source): (&crate::model::Joint, &Option<usize>)| {
            let Some((source, local)) =
                source.and_then(|at| Some((self.binding.skeleton().joints().get(at)?, pose.get(at)?)))
            else {
                return own.rest;
            };
            // Lengths stay those of the figure: only what the source moves is taken over.
            Transform {
                translation: own.rest.translation + (local.translation - source.rest.translation),
                rotation: local.rotation,
                scale: local.scale,
            }
        };
        self.own.joints().iter().zip(map).map(joint).collect()
    }

    /// How many times it has come around, and the time of the clip, a number of cycles after its first frame. One that does
    /// not repeat holds at its ends.
    fn turn(&self, cycles: f64) -> (f64, f64) {
        if !(self.period > 0.0) || !cycles.is_finite() {
            return (0.0, self.first);
        }
        if self.clip.loop_mode == LoopMode::Once {
            return (0.0, self.first + cycles.clamp(0.0, 1.0) * self.period);
        }
        let turns = cycles.floor();
        (turns, self.first + (cycles - turns) * self.period)
    }

    /// How far the root has gone over the ground a number of cycles after the first frame: nothing where the clip does not
    /// travel.
    pub(super) fn gone(&self, cycles: f64) -> Vec3 {
        if !self.clip.travels {
            return Vec3::zeros();
        }
        let (turns, secs) = self.turn(cycles);
        let root = match &self.map {
            None => self.binding.joint(0).map(|root| root.local(secs)),
            Some(_) => self.at(secs).first().copied(),
        };
        let root = root.map_or(self.start, |root| root.translation);
        let within = self.on_ground(root - self.start);
        self.way(turns) + if self.turns() { self.heading(turns * self.turn_a_cycle) * within } else { within }
    }

    /// Whether its cycles turn the figure.
    pub(super) fn turns(&self) -> bool {
        self.turn_a_cycle != 0.0
    }

    /// By how much it has turned the figure about the vertical a number of cycles after the first frame, evenly over each.
    pub(super) fn turned(&self, cycles: f64) -> f64 {
        if !self.turns() { 0.0 } else { self.turn_a_cycle * (self.turn(cycles).0 + self.part(cycles)) }
    }

    /// How far into a cycle it is, 0..1.
    fn part(&self, cycles: f64) -> f64 {
        match self.clip.loop_mode {
            _ if !cycles.is_finite() => 0.0,
            LoopMode::Once => cycles.clamp(0.0, 1.0),
            _ => cycles - cycles.floor(),
        }
    }

    /// A turn about the vertical.
    pub(super) fn heading(&self, angle: f64) -> Quat {
        from_axis_angle(&self.up, angle)
    }

    /// How far over the ground whole cycles lead, each going on as the one before came to face.
    fn way(&self, turns: f64) -> Vec3 {
        if !self.turns() {
            return self.step * turns;
        }
        // The sum of rotations by 0, a, 2a..: closed, for any number of them, of either sign.
        let half = 0.5 * self.turn_a_cycle;
        let times = (turns * half).sin() / half.sin();
        self.heading((turns - 1.0) * half) * self.step * times
    }

    /// The pose at a time of the document, the root where the clip has it, and where repeats have led it: within the clip's
    /// range the pose is that of its curves to the bit.
    pub(super) fn at_time(&self, secs: f64) -> (Vec<Transform>, Led) {
        let (turns, within) = match () {
            () if !(self.period > 0.0) => (0.0, self.first),
            () if secs >= self.first && secs <= self.first + self.period => (0.0, secs),
            () => self.turn((secs - self.first) / self.period),
        };
        let led = Led {
            up: self.up,
            from: self.on_ground(self.start),
            turn: turns * self.turn_a_cycle,
            shift: if turns == 0.0 { Vec3::zeros() } else { self.way(turns) },
        };
        (self.at(within), led)
    }

    /// Which time of the clip is shown at a time of the document; none beyond an end at which it holds.
    pub(super) fn read_at(&self, secs: f64) -> Option<f64> {
        match () {
            () if !(self.period > 0.0) => Some(self.first),
            () if secs >= self.first && secs <= self.first + self.period => Some(secs),
            () if self.clip.loop_mode == LoopMode::Once => None,
            () => Some(self.turn((secs - self.first) / self.period).1),
        }
    }

    /// Whether its joints are those of the object itself.
    pub(super) const fn is_own(&self) -> bool {
        self.map.is_none()
    }

    /// The pose a number of cycles after the first frame without what the root has gone over the ground since, and turned,
    /// where the clip travels.
    pub(super) fn in_place(&self, cycles: f64) -> Vec<Transform> {
        let mut pose = self.at(self.turn(cycles).1);
        if self.clip.travels
            && let Some(root) = pose.first_mut()
        {
            root.translation -= self.on_ground(root.translation - self.start);
            if self.turns() {
                root.rotation = self.heading(-self.turn_a_cycle * self.part(cycles)) * root.rotation;
            }
        }
        pose
    }

    /// In which axes it is added.
    pub(super) fn added_in(&self) -> AdditiveSpace {
        self.clip.additive.map(|additive| additive.space).unwrap_or_default()
    }

    /// The clip that it is a difference from.
    pub(super) fn differs_from(&self) -> Option<ClipId> {
        match self.clip.additive?.reference {
            AdditiveReference::Clip(clip) => Some(clip),
            _ => None,
        }
    }

    /// The pose that it is a difference from: its own frame or the rest pose.
    pub(super) fn reference(&self) -> Vec<Transform> {
        self.frame.clone().unwrap_or_else(|| self.own.joints().iter().map(|joint| joint.rest).collect())
    }
}
