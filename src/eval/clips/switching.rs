//! A switch from one clip to another on a character: both as they play on, the second brought to where the first leaves the
//! figure, compared and made into a clip.

use super::Motion;
use crate::{
    eval::{
        blend::transition::{Switch, Transition},
        dense::Grid,
        mirror::{Mirror, Shift, is_moved},
    },
    math::{
        Transform, Vec3,
        rotation::{align, try_unit},
    },
    model::{Clip, ClipId, Document, FrameRange, FrameRate, LoopMode, ObjectId, Skeleton},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// What is switched, when and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchPlan {
    /// The rig.
    pub object: ObjectId,
    /// The clip that is left.
    pub from: ClipId,
    /// The clip that is gone over to.
    pub to: ClipId,
    /// When, seconds after the first frame of the one that is left; at least 0.
    pub at: f64,
    /// Where the other is entered, seconds after its first frame; at least 0.
    pub entry: f64,
    /// How.
    pub how: Transition,
}

/// A clip that plays on and on: one that loops begins again, further on where it travels.
#[derive(Debug)]
struct Played {
    motion: Motion,
    first: f64,
    period: f64,
    /// From its first pose to its last, where it loops and travels.
    step: Option<Shift>,
}

/// Two clips made ready to be switched between. Times are seconds after the first frame of the one that is left.
#[derive(Debug)]
pub struct Stage {
    skeleton: Arc<Skeleton>,
    rate: FrameRate,
    mirror: Option<(Mirror, usize)>,
    from: Played,
    to: Played,
    plan: SwitchPlan,
    /// What brings the second clip to where the first is left.
    into: Option<Shift>,
}

/// How long before its first frame a clip is gone on with as it begins, seconds: as much as finding its velocity there takes.
const BEFORE: f64 = 0.01;

impl Played {
    /// The pose a little before the first frame: the cubic through the begin, so that the velocity there is that of what
    /// follows. Longer before it the first pose holds.
    fn before(&self, since: f64) -> Vec<Transform> {
        let at = |times: f64| self.motion.pose(self.first + (times * since).min(self.period));
        let first = at(0.0);
        if since > BEFORE || 3.0 * since > self.period {
            return first;
        }
        let (one, two, three) = (at(1.0), at(2.0), at(3.0));
        let mut pose = first.clone();
        for (joint, local) in pose.iter_mut().enumerate() {
            let (Some(a), Some(b), Some(c)) = (one.get(joint), two.get(joint), three.get(joint)) else { continue };
            let vector = |of: fn(&Transform) -> Vec3| of(&first[joint]) * 4.0 - of(a) * 6.0 + of(b) * 4.0 - of(c);
            (local.translation, local.scale) = (vector(|local| local.translation), vector(|local| local.scale));
            let near = |pose: &Transform| align(&pose.rotation, &first[joint].rotation).coords;
            let q = near(&first[joint]) * 4.0 - near(a) * 6.0 + near(b) * 4.0 - near(c);
            local.rotation = try_unit(q.x, q.y, q.z, q.w).unwrap_or(first[joint].rotation);
        }
        pose
    }
}

/// The most times a clip begins again that are gone along with, one by one.
const MOST_TURNS: f64 = 1000.0;

impl Stage {
    /// Makes two clips of a rig ready. None where there is no such rig or clip, or one of them does not move the rig.
    #[must_use]
    pub fn new(document: &Document, plan: SwitchPlan) -> Option<Self> {
        let skeleton = document.object(plan.object)?.as_rig()?.skeleton.clone();
        let rate = document.settings.rate;
        let played = |clip: ClipId| {
            document.clip(clip).filter(|clip| clip.moves(plan.object))?;
            let motion = Motion::new(document, plan.object, clip)?;
            let (first, period) = (rate.secs(motion.clip().range.first), motion.secs());
            Some(Played { motion, first, period, step: None })
        };
        let (from, to) = (played(plan.from)?, played(plan.to)?);
        let mirror = Mirror::of_object(document, plan.object).and_then(|mirror| {
            let ends = [&from, &to].map(|played| [0.0, played.period].map(|at| played.motion.pose(played.first + at)));
            let moved = |joint: usize, rest: &Transform| {
                ends.iter().flatten().filter_map(|pose| pose.get(joint)).any(|local| is_moved(local, rest))
            };
            let carrier = mirror.standing(document, plan.object, moved)?.carrier();
            Some((mirror, carrier))
        });
        let mut stage = Self { skeleton, rate, mirror, from, to, plan, into: None };
        for second in [false, true] {
            let played = if second { &stage.to } else { &stage.from };
            if played.motion.clip().travels && played.motion.clip().loop_mode == LoopMode::Loop {
                let ends = [0.0, played.period].map(|at| played.motion.pose(played.first + at));
                let step = stage.way(&ends[0], &ends[1]);
                if second {
                    stage.to.step = step;
                } else {
                    stage.from.step = step;
                }
            }
        }
        let (there, here) = (stage.played(&stage.to, plan.entry), stage.played(&stage.from, plan.at));
        stage.into = stage.way(&there, &here);
        Some(stage)
    }

    /// The joints.
    #[must_use]
    pub const fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    fn way(&self, from: &[Transform], to: &[Transform]) -> Option<Shift> {
        let (mirror, carrier) = self.mirror.as_ref()?;
        let standing = mirror.standing_by(*carrier)?;
        Some(standing.way(from.get(*carrier)?, to.get(*carrier)?))
    }

    fn gone(&self, pose: Vec<Transform>, shift: Option<&Shift>, times: f64) -> Vec<Transform> {
        let standing = self.mirror.as_ref().and_then(|(mirror, carrier)| mirror.standing_by(*carrier));
        let (Some(shift), Some(standing)) = (shift, standing) else { return pose };
        let mut named: Vec<(usize, Transform)> = pose.into_iter().enumerate().collect();
        let mut left = times.clamp(0.0, MOST_TURNS);
        while left >= 1.0 {
            standing.go(&mut named, self.skeleton.parents(), shift);
            left -= 1.0;
        }
        named.into_iter().map(|(_, local)| local).collect()
    }

    /// A clip at a time after its first frame.
    fn played(&self, played: &Played, secs: f64) -> Vec<Transform> {
        if !(played.period > 0.0) {
            return played.motion.pose(played.first);
        }
        if secs < 0.0 {
            return played.before(-secs);
        }
        if played.motion.clip().loop_mode == LoopMode::Once || secs <= played.period {
            return played.motion.pose(played.first + secs.clamp(0.0, played.period));
        }
        let turns = (secs / played.period).floor();
        let pose = played.motion.pose(played.first + secs - turns * played.period);
        self.gone(pose, played.step.as_ref(), turns)
    }

    /// The clip that is left, at a time.
    #[must_use]
    pub fn from(&self, secs: f64) -> Vec<Transform> {
        self.played(&self.from, secs)
    }

    /// The clip that is gone over to, at a time.
    #[must_use]
    pub fn to(&self, secs: f64) -> Vec<Transform> {
        let pose = self.played(&self.to, secs - self.plan.at + self.plan.entry);
        self.gone(pose, self.into.as_ref(), 1.0)
    }

    /// The switch, made ready.
    #[must_use]
    pub fn switch(&self, how: Transition) -> Switch {
        Switch::new(&|secs| self.from(secs), &|secs| self.to(secs), self.plan.at, how)
    }

    /// The pose of a switch at a time.
    #[must_use]
    pub fn pose(&self, switch: &Switch, secs: f64) -> Vec<Transform> {
        switch.pose(&|secs| self.from(secs), &|secs| self.to(secs), secs)
    }

    /// How long the whole is: to the end of the second clip once through, seconds.
    #[must_use]
    pub fn secs(&self) -> f64 {
        let length = match self.plan.how {
            Transition::Crossfade { secs, .. } | Transition::Inertial { secs, .. } => secs,
        };
        self.plan.at + (self.to.period - self.plan.entry).max(length).max(self.rate.frame_secs())
    }

    /// A clip of the whole, a value a frame, from frame 0 on. Nothing of the document but the joints' curves.
    ///
    /// # Errors
    /// Where someone asks to stop.
    pub fn baked(&self, name: &str, progress: &Progress) -> Result<Clip, Cancelled> {
        let switch = self.switch(self.plan.how);
        let last = self.rate.nearest_frame(self.secs()).max(1);
        let range = FrameRange::new(0, last);
        progress.start("", range.len());
        let mut poses = Vec::new();
        for frame in 0..=last {
            progress.check()?;
            poses.push(self.pose(&switch, self.rate.secs(frame)));
            progress.advance(1);
        }
        let grid = Grid { object: self.plan.object, start: 0.0, rate: self.rate };
        let mut clip = Clip::new(name, range);
        clip.channels = grid.of_poses(&self.skeleton, &poses);
        clip.loop_mode = LoopMode::Once;
        clip.travels = self.from.motion.clip().travels || self.to.motion.clip().travels;
        Ok(clip)
    }
}

/// How much jumps at a switch, from just before to just after it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jump {
    /// Metres.
    pub place: f64,
    /// Metres a second.
    pub velocity: f64,
    /// Metres a second a second.
    pub acceleration: f64,
}

/// How much a place over time jumps at a time: differences of one side against the other, of fourth order.
#[must_use]
pub fn jump(place: &dyn Fn(f64) -> Vec3, at: f64) -> Jump {
    const STEP: f64 = 2e-3;
    // The nearest to the switch that is before it.
    const BEFORE: f64 = 1e-9;
    let side = |side: f64| {
        let start = if side < 0.0 { at - BEFORE } else { at };
        let p: [Vec3; 5] = std::array::from_fn(|i| place(start + side * i as f64 * STEP));
        let velocity = (p[0] * -25.0 + p[1] * 48.0 - p[2] * 36.0 + p[3] * 16.0 - p[4] * 3.0) * (side / (12.0 * STEP));
        let acceleration =
            (p[0] * 35.0 - p[1] * 104.0 + p[2] * 114.0 - p[3] * 56.0 + p[4] * 11.0) / (12.0 * STEP * STEP);
        (p[0], velocity, acceleration)
    };
    let (before, after) = (side(-1.0), side(1.0));
    Jump {
        place: (after.0 - before.0).norm(),
        velocity: (after.1 - before.1).norm(),
        acceleration: (after.2 - before.2).norm(),
    }
}
