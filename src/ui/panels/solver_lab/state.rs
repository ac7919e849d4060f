//! What the lab remembers, and what it shows: a chain of the selection or its own arm, through all solvers.

use crate::{
    eval::{
        ik::{Chain, Goal, Reach, Scratch, Settings},
        solver_lab::{
            Problem, Racer, Trace,
            limb::{Start, plane_chain},
        },
    },
    interact::{camera::OrbitCamera, projection::Projection, solver_lab::LimbChain},
    math::Vec3,
    model::{JointId, ObjectId},
    ui::{panel::PanelContext, widgets::step_player::StepPlayer},
};
use std::time::Instant;

/// Most bones of the lab's own arm.
pub(super) const MOST_BONES: usize = 8;
/// Solves of which the median is the time of one.
const TIMED: usize = 15;

/// The lab's own arm, in the plane z = 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arm {
    /// Metres.
    pub(super) lengths: Vec<f64>,
    /// Each bone against the one before it, radians.
    pub(super) angles: Vec<f64>,
}

impl Default for Arm {
    fn default() -> Self {
        Self { lengths: vec![1.0, 0.8], angles: vec![0.5, 0.6] }
    }
}

/// Whose chain is shown; another one brings its own target.
#[derive(Clone, Debug, PartialEq)]
enum Of {
    Arm,
    Limb(ObjectId, Vec<JointId>),
}

/// One that takes part, with what it did.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Its place among all: its colour and number.
    pub(super) number: usize,
    pub(super) racer: Racer,
    pub(super) trace: Trace,
}

/// What is shown in one frame.
pub(super) struct Shown {
    /// None for the lab's own arm.
    pub(super) limb: Option<LimbChain>,
    pub(super) problem: Problem,
    pub(super) runs: Vec<Run>,
}

impl Shown {
    /// Steps of the longest run.
    pub(super) fn last_step(&self) -> usize {
        self.runs.iter().map(|run| run.trace.steps.len()).max().unwrap_or(1) - 1
    }
}

/// What the lab remembers.
#[derive(Debug)]
pub(super) struct State {
    pub(super) arm: Arm,
    /// The own arm although a limb is selected.
    pub(super) own: bool,
    pub(super) start: Start,
    /// World; none until it is dragged or a probe is chosen.
    pub(super) target: Option<Vec3>,
    /// World; none where the chain's own bend decides.
    pub(super) pole: Option<Vec3>,
    pub(super) settings: Settings,
    /// Which take part.
    pub(super) shown: Vec<bool>,
    pub(super) player: StepPlayer,
    pub(super) camera: OrbitCamera,
    /// What is being dragged in a picture.
    pub(super) held: Option<super::picture::Handle>,
    /// Step of the differences, the exponent of ten.
    pub(super) exponent: f64,
    of: Of,
    runs: Option<(Problem, Vec<bool>, Vec<Run>)>,
    times: Option<(Problem, Vec<Option<f64>>)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            arm: Arm::default(),
            own: false,
            start: Start::default(),
            target: None,
            pole: None,
            settings: Settings { tolerance: 1e-6, ..Settings::default() },
            shown: Racer::all().map(|racer| !racer.is_wrong()).collect(),
            player: StepPlayer::default(),
            camera: front(),
            held: None,
            exponent: -4.0,
            of: Of::Arm,
            runs: None,
            times: None,
        }
    }
}

/// Where the plane arm is seen from.
pub(super) fn front() -> OrbitCamera {
    let projection = Projection::Orthographic;
    OrbitCamera { pivot: Vec3::zeros(), yaw: 0.0, pitch: 0.0, distance: 4.0, fov_y: 0.65, projection }
}

impl State {
    /// What is shown now.
    pub(super) fn shown(&mut self, ctx: &PanelContext<'_>) -> Shown {
        let limb = if self.own { None } else { LimbChain::of(ctx.document, ctx.frame, ctx.selection) };
        let of = limb.as_ref().map_or(Of::Arm, |limb| Of::Limb(limb.object, limb.joints.clone()));
        if of != self.of {
            self.camera = if limb.is_some() { OrbitCamera { yaw: 0.6, pitch: 0.2, ..front() } } else { front() };
            (self.of, self.target, self.pole, self.held) = (of, None, None, None);
        }
        let (positions, rotations) = match &limb {
            Some(limb) => limb.chain(self.start),
            None => plane_chain(&self.arm.lengths, &self.arm.angles, self.start),
        };
        let bulge = limb.is_none().then(Vec3::y);
        let mut problem = Problem { positions, rotations, goal: Goal::default(), settings: self.settings };
        let target = self.target.unwrap_or_else(|| first_target(&problem));
        let middle = limb.as_ref().and_then(|limb| limb.middle);
        problem.goal = Goal { target, pole: self.pole, bulge, middle };
        let runs = self.runs(&problem);
        Shown { limb, problem, runs }
    }

    fn runs(&mut self, problem: &Problem) -> Vec<Run> {
        if let Some((_, _, runs)) = self.runs.as_ref().filter(|(of, which, _)| of == problem && *which == self.shown) {
            return runs.clone();
        }
        let all = Racer::all().enumerate().filter(|(number, _)| self.shown.get(*number).copied().unwrap_or(false));
        let runs: Vec<Run> = all.map(|(number, racer)| Run { number, racer, trace: racer.trace(problem) }).collect();
        self.runs = Some((problem.clone(), self.shown.clone(), runs.clone()));
        runs
    }

    /// The median time of a solve, seconds, by number; none for wrong forms, which were not made to be quick, and none
    /// while something is dragged.
    pub(super) fn times(&mut self, problem: &Problem) -> Vec<Option<f64>> {
        if let Some((_, times)) = self.times.as_ref().filter(|(of, _)| of == problem) {
            return times.clone();
        }
        if self.held.is_some() {
            return Vec::new();
        }
        let times: Vec<_> = Racer::all().map(|racer| time(&racer, problem)).collect();
        self.times = Some((problem.clone(), times.clone()));
        times
    }

    /// Takes a pose for the start of the own arm.
    pub(super) fn start_from(&mut self, angles: Vec<f64>) {
        if angles.len() == self.arm.lengths.len() {
            (self.arm.angles, self.start) = (angles, Start::Current);
            self.player.go(0);
        }
    }

    /// Gives the own arm another number of bones; new ones are like the last.
    pub(super) fn set_bones(&mut self, count: usize) {
        let count = count.clamp(1, MOST_BONES);
        let last = self.arm.lengths.last().copied().unwrap_or(1.0);
        self.arm.lengths.resize(count, last);
        self.arm.angles.resize(count, 0.3);
        self.target = None;
    }

    /// Sets the target to where solvers are put to the test.
    pub(super) fn probe(&mut self, probe: Probe, problem: &Problem) {
        let root = problem.root();
        let end = problem.positions.last().copied().unwrap_or(root);
        let length = problem.length();
        let along = (end - root).try_normalize(1e-9 * length).unwrap_or_else(Vec3::x);
        let lengths: Vec<f64> = problem.positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
        let (start, distance) = match probe {
            Probe::Unreachable => (self.start, 1.25 * length),
            // Beyond the last joint, in line: turns towards it are none.
            Probe::Straight => (Start::Straight, length - 0.5 * lengths.last().copied().unwrap_or_default()),
            Probe::Inward => (Start::Straight, 0.27 * length),
            Probe::Folded => (self.start, 0.5 * Reach::of(&lengths).min),
            Probe::AtRoot => (self.start, 0.0),
        };
        self.start = start;
        self.target = Some(root + along * distance);
        self.player.go_to_last();
    }
}

/// Where solvers are put to the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    Unreachable,
    Straight,
    Inward,
    Folded,
    AtRoot,
}

impl Probe {
    pub(super) const ALL: [Self; 5] = [Self::Unreachable, Self::Straight, Self::Inward, Self::Folded, Self::AtRoot];

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Unreachable => "solver_lab.probe_unreachable",
            Self::Straight => "solver_lab.probe_straight",
            Self::Inward => "solver_lab.probe_inward",
            Self::Folded => "solver_lab.probe_folded",
            Self::AtRoot => "solver_lab.probe_root",
        }
    }
}

/// A first target: off the line from root to end, nearer than the end may come.
fn first_target(problem: &Problem) -> Vec3 {
    let root = problem.root();
    let offset = problem.positions.last().copied().unwrap_or(root) - root;
    let across = offset.cross(&Vec3::z()).try_normalize(1e-9 * problem.length()).unwrap_or_else(Vec3::x);
    root + offset * 0.65 + across * (0.25 * problem.length())
}

fn time(racer: &Racer, problem: &Problem) -> Option<f64> {
    let Racer::Solver(spec) = racer else { return None };
    let mut scratch = Scratch::default();
    let (mut positions, mut rotations) = (problem.positions.clone(), problem.rotations.clone());
    let mut times = Vec::with_capacity(TIMED);
    for _ in 0..TIMED {
        positions.clone_from(&problem.positions);
        rotations.clone_from(&problem.rotations);
        let mut chain = Chain::new(&mut positions, &mut rotations).ok()?;
        let clock = Instant::now();
        let report = spec.solver.solve(&mut chain, &problem.goal, &problem.settings, &mut scratch);
        times.push(clock.elapsed().as_secs_f64());
        std::hint::black_box(report);
    }
    times.sort_by(f64::total_cmp);
    times.get(TIMED / 2).copied()
}
