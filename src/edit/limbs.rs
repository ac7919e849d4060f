//! What limbs turn by in a correction besides its deltas, so that a hand or a foot keeps its own path.
//!
//! A change of a limb's joints that only fades in the bones' axes is carried round by the limb: where an arm swings fast, a
//! hand moved by 10 cm on one frame is thrown by metres a second on those around it. So the limb is solved on every frame of
//! the range. Its end goes to its own place, that without the correction, plus the offset it has on the posed frames, which
//! fades in the world as the deltas do: through the poses without a stop, neutral at both ends in value, slope and curvature.
//! An arm or a leg bends in the plane it bends in without the correction, swung about that line as far as on the posed frames,
//! which fades too. If the last joint was turned, its turn in the world fades likewise; else it keeps its rotation in its parent's space. What
//! else the limb does (twist) comes from the deltas. On the posed frames and at the ends nothing is added.

use super::{CorrectionEdit, Edit, corrections::neutral};
use crate::{
    eval::{
        corrections::{LimbGoal, close, correct_rotation, rotation_delta, scalar_delta, swivel},
        fk, limbs,
        limbs::{Limb, Limbs, Role},
        pins::Body,
        sample::{Stage, clip_local},
    },
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{pow_short, rotation_angle},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, CorrectionId, Curve, Document, FrameRate, Interpolation, Key,
        KeyKind, ObjectId, Parent, Property, Rig, RotationCurve, RotationInterpolation, RotationKey, RotationSamples,
        ScalarCurve, Target, clip::SAME_TIME_SECS,
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// The most frames that are solved; over a longer range the deltas fade in the bones' axes alone.
const MOST_FRAMES: usize = 1 << 14;
/// A thread is worth starting for so many frames.
const LEAST_FRAMES: usize = 48;
/// The most threads.
const MOST_THREADS: usize = 8;
/// A turn below this angle is none, radians.
const NO_TURN: f64 = 1e-12;

/// Which frames of a correction are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Frames {
    /// All of its range.
    #[default]
    All,
    /// Those around a time, seconds: while a pose is being dragged inside a long range, or the range itself. On all others the
    /// limbs turn by what was found before.
    Near(f64),
}

impl Frames {
    /// How many frames to each side are near.
    const NEAR: f64 = 24.0;

    fn holds(self, secs: f64, rate: FrameRate) -> bool {
        match self {
            Self::All => true,
            Self::Near(middle) => rate.frame_f64((secs - middle).abs()) <= Self::NEAR + 0.5,
        }
    }
}

/// An edit of a correction with what its limbs turn by after it. One that cannot be made stays alone: applied, it says why.
#[must_use]
pub fn with_limbs(document: &Document, edit: CorrectionEdit) -> Edit {
    with_limbs_on(document, edit, Frames::All)
}

/// [`with_limbs`] with some frames solved only.
#[must_use]
pub fn with_limbs_on(document: &Document, edit: CorrectionEdit, frames: Frames) -> Edit {
    let Some((clip, correction)) = edit.subject() else { return edit.into() };
    let of = |document: &Document| document.clip(clip).and_then(|clip| clip.correction(correction)).cloned();
    let mut after = document.clone();
    if edit.run(&mut after).is_err() {
        return edit.into();
    }
    let before = of(document);
    let solved = solved_on(&after, (clip, correction), frames, before.as_deref());
    let had = of(&after).is_some_and(|correction| !correction.solved.is_empty());
    if solved.is_empty() && !had {
        return edit.into();
    }
    Edit::Batch(vec![edit.into(), CorrectionEdit::SetSolved { clip, correction, solved }.into()])
}

/// [`with_limbs_on`] for an edit in a gesture: the correction is taken as it was when that began. The gesture's last edit is
/// that on all frames.
#[must_use]
pub fn with_limbs_from(
    document: &Document,
    (clip, begun): (ClipId, &Arc<Correction>),
    edit: CorrectionEdit,
    frames: Frames,
) -> Edit {
    let mut base = document.clone();
    let list = base.clip_mut(clip).map(|clip| &mut clip.corrections);
    if let Some(correction) = list.and_then(|list| list.iter_mut().find(|other| other.id == begun.id)) {
        *correction = begun.clone();
    }
    with_limbs_on(&base, edit, frames)
}

/// What the limbs of a correction turn by besides its deltas, on the frames of the document's rate. Nothing where it changes no
/// limb or one with keyed joints, where it is sampled, where its poses do not stand on frames of one grid, or where the joints of a body are read at
/// different times (retimed each for itself).
#[must_use]
pub fn solved(document: &Document, clip: ClipId, correction: CorrectionId) -> Vec<(ChannelPath, Arc<Curve>)> {
    solved_on(document, (clip, correction), Frames::All, None)
}

/// [`solved`] on some frames; on all others it is what the correction `before` has.
fn solved_on(
    document: &Document,
    (clip, correction): (ClipId, CorrectionId),
    frames: Frames,
    before: Option<&Correction>,
) -> Vec<(ChannelPath, Arc<Curve>)> {
    let Some(found) = document.clip(clip) else { return Vec::new() };
    let Some(at) = found.corrections.iter().position(|other| other.id == correction) else { return Vec::new() };
    let correction = &found.corrections[at];
    let Some(grid) = Grid::of(correction, document.settings.rate) else { return Vec::new() };
    let objects: BTreeSet<ObjectId> = correction
        .deltas
        .keys()
        .filter_map(|path| match path.target {
            Target::Joint(object, _) => Some(object),
            _ => None,
        })
        .collect();
    let of_object = |object: ObjectId| {
        let rig = document.object(object)?.as_rig()?;
        let limbs = limbs::of_object(document, object, &rig.skeleton);
        let solve = Solve::new(document, found, at, (object, rig), &limbs, &grid)?;
        Some(solve.curves(frames, before))
    };
    objects.into_iter().filter_map(of_object).flatten().collect()
}

/// The frames of a correction and its poses on them.
struct Grid {
    start: f64,
    rate: FrameRate,
    count: usize,
    poses: Vec<f64>,
}

impl Grid {
    fn of(correction: &Correction, rate: FrameRate) -> Option<Self> {
        let poses = correction.poses();
        if correction.deltas.values().any(|curve| curve.is_sampled()) {
            return None;
        }
        let (start, end) = correction.range;
        let first = *poses.first()?;
        let frames = |secs: f64| (rate.frame_f64(secs) - 1e-6).ceil().max(1.0);
        let before = frames(first - start);
        let count = before + frames(end - first) + 1.0;
        let on_grid = |secs: &f64| (rate.snap(secs - first) - (secs - first)).abs() <= SAME_TIME_SECS;
        if count > MOST_FRAMES as f64 || !poses.iter().all(on_grid) {
            return None;
        }
        Some(Self { start: first - rate.secs(before as i64), rate, count: count as usize, poses })
    }

    fn secs(&self, frame: usize) -> f64 {
        self.start + self.rate.secs(i64::try_from(frame).unwrap_or(i64::MAX))
    }

    fn is_pose(&self, secs: f64) -> bool {
        self.poses.iter().any(|pose| (pose - secs).abs() <= SAME_TIME_SECS)
    }
}

/// A limb that is solved.
struct Path {
    limb: usize,
    end: usize,
    /// The joints, with their rotation channels and the rotations before, at scale 1, of what acts after this correction.
    joints: Vec<(usize, ChannelPath)>,
    /// The fading offset of the end, world, by axis.
    offset: [Curve; 3],
    /// The fading turn of the end, world; none where it keeps its rotation in its parent's space.
    turn: Option<Curve>,
    /// The fading swing about the line from root to end, radians.
    swivel: Curve,
}

struct Solve<'a> {
    document: &'a Document,
    /// The clip without the correction, read at its curves' own times.
    clip: Clip,
    correction: &'a Correction,
    /// The corrections that act after this one.
    after: &'a [Arc<Correction>],
    scale: f64,
    body: (ObjectId, &'a Rig),
    limbs: &'a Limbs,
    grid: &'a Grid,
    /// The joints whose places matter.
    needed: Vec<usize>,
    paths: Vec<Path>,
}

/// The body at one time.
struct Moment {
    root: Affine,
    /// Without the correction.
    own: Vec<Transform>,
    /// With its deltas alone.
    posed: Vec<Transform>,
}

impl<'a> Solve<'a> {
    fn new(
        document: &'a Document,
        clip: &'a Clip,
        at: usize,
        body: (ObjectId, &'a Rig),
        limbs: &'a Limbs,
        grid: &'a Grid,
    ) -> Option<Self> {
        let mut without = clip.clone();
        let correction = &clip.corrections[at];
        without.corrections.remove(at);
        without.retimes.clear();
        let scale = if correction.scale > 0.0 { correction.scale } else { 1.0 };
        let after = clip.corrections.get(at + 1..).unwrap_or_default();
        let mut solve = Self {
            document,
            clip: without,
            correction,
            after,
            scale,
            body,
            limbs,
            grid,
            needed: Vec::new(),
            paths: Vec::new(),
        };
        let chosen: Vec<usize> = (0..limbs.limbs.len()).filter(|limb| solve.turns(&limbs.limbs[*limb])).collect();
        if chosen.is_empty() {
            return None;
        }
        solve.needed = solve.needed_for(&chosen);
        let shown = |joint: &usize, secs: f64| clip.shown_secs(solve.target(*joint), secs);
        let together = |secs: &f64| {
            let mut times = solve.needed.iter().map(|joint| shown(joint, *secs));
            let first = times.next();
            first.is_some_and(|first| times.all(|time| (time - first).abs() <= SAME_TIME_SECS))
        };
        if !grid.poses.iter().all(together) {
            return None;
        }
        let moments: Vec<Moment> = grid.poses.iter().map(|secs| solve.moment(*secs)).collect();
        let mut paths: Vec<Path> = chosen.iter().map(|limb| solve.path(*limb, &moments)).collect();
        // What hangs from another limb is solved after that.
        paths.sort_by_key(|path| path.joints.first().map(|(joint, _)| *joint));
        solve.paths = paths;
        Some(solve)
    }

    fn target(&self, joint: usize) -> Target {
        Target::Joint(self.body.0, self.body.1.skeleton.joints()[joint].id)
    }

    fn rotation_path(&self, joint: usize) -> ChannelPath {
        ChannelPath { target: self.target(joint), property: Property::Rotation, component: Component::Whole }
    }

    fn is_turned(&self, joint: usize) -> bool {
        let turned = |rotation: Quat| rotation_angle(&rotation) > NO_TURN;
        self.correction
            .deltas
            .get(&self.rotation_path(joint))
            .is_some_and(|curve| self.grid.poses.iter().any(|secs| turned(rotation_delta(curve, 1.0, *secs))))
    }

    /// Whether a limb is turned by more than its last joint.
    fn turns(&self, limb: &Limb) -> bool {
        let inner = limb.joints.split_last().map_or(&[][..], |(_, inner)| inner);
        let is_keyed = |joint: &usize| self.is_keyed(*joint);
        limb.joints.len() > 2 && inner.iter().any(|joint| self.is_turned(*joint)) && !limb.joints.iter().any(is_keyed)
    }

    /// Whether a joint has keys: those are set to what is wanted by themselves, and nothing may turn it besides.
    fn is_keyed(&self, joint: usize) -> bool {
        let path = |component| ChannelPath { component, ..self.rotation_path(joint) };
        let mut curves =
            Component::AXES.into_iter().chain([Component::Whole]).filter_map(|c| self.clip.channels.get(&path(c)));
        curves.any(|curve| !curve.is_sampled())
    }

    /// The joints of limbs with all above them, and those that tell how the body stands.
    fn needed_for(&self, chosen: &[usize]) -> Vec<usize> {
        let parents = self.body.1.skeleton.parents();
        let limbs = &self.limbs.limbs;
        let mut needed: BTreeSet<usize> = chosen.iter().flat_map(|limb| limbs[*limb].joints.iter().copied()).collect();
        let roots = limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg)).map(Limb::root);
        needed.extend(roots.chain(self.limbs.hips).chain(self.limbs.chest).chain(self.limbs.head));
        let mut above: Vec<usize> = needed.iter().copied().collect();
        while let Some(joint) = above.pop() {
            above.extend(parents[joint].filter(|parent| needed.insert(*parent)));
        }
        needed.into_iter().collect()
    }

    fn path(&self, limb: usize, moments: &[Moment]) -> Path {
        let found = &self.limbs.limbs[limb];
        let end = found.end();
        let places: Vec<[(Vec3, Quat); 2]> =
            moments.iter().map(|m| [&m.own, &m.posed].map(|locals| self.place(locals, &m.root, end))).collect();
        let offsets: Vec<Vec3> = places.iter().map(|[own, posed]| posed.0 - own.0).collect();
        let turns: Vec<Quat> = places.iter().map(|[own, posed]| posed.1 * own.1.inverse()).collect();
        let swivel = |moment: &Moment| swivel(&self.body(moment), &moment.own, &moment.posed, limb);
        let swivels: Vec<f64> = moments.iter().map(swivel).collect();
        Path {
            limb,
            end,
            joints: found.joints.iter().map(|joint| (*joint, self.rotation_path(*joint))).collect(),
            offset: [0, 1, 2].map(|axis| self.fading_number(offsets.iter().map(|offset| offset[axis]))),
            swivel: self.fading_number(swivels.into_iter()),
            turn: self.is_turned(end).then(|| self.fading_turn(&turns)),
        }
    }

    fn fading_number(&self, values: impl Iterator<Item = f64>) -> Curve {
        let path = ChannelPath { component: Component::X, property: Property::Translation, ..self.rotation_path(0) };
        let mut curve = neutral(path, self.correction.range.0, self.correction.range.1);
        if let Curve::Scalar(ScalarCurve::Keyed(curve)) = &mut curve {
            for (secs, value) in self.grid.poses.iter().zip(values) {
                curve.keys.insert(Key { interpolation: Interpolation::Smooth, ..Key::new(*secs, value) });
            }
        }
        curve
    }

    fn fading_turn(&self, turns: &[Quat]) -> Curve {
        let mut curve = neutral(self.rotation_path(0), self.correction.range.0, self.correction.range.1);
        if let Curve::Rotation(RotationCurve::Keyed(curve)) = &mut curve {
            for (secs, rotation) in self.grid.poses.iter().zip(turns) {
                let interpolation = RotationInterpolation::Smooth;
                let kind = KeyKind::default();
                curve.keys.insert(RotationKey { time: *secs, rotation: *rotation, interpolation, kind });
            }
        }
        curve
    }

    /// What the corrections after this one turn a joint by.
    fn over(&self, path: ChannelPath, secs: f64) -> Quat {
        if self.after.is_empty() {
            Quat::identity()
        } else {
            correct_rotation(self.after, path, secs, Quat::identity())
        }
    }

    fn moment(&self, secs: f64) -> Moment {
        let mut own: Vec<Transform> = self.body.1.skeleton.joints().iter().map(|joint| joint.rest).collect();
        let mut posed = own.clone();
        for &joint in &self.needed {
            let target = self.target(joint);
            let local =
                clip_local(self.document, Some(&self.clip), target, secs, Stage::Corrected).unwrap_or(own[joint]);
            own[joint] = local;
            posed[joint] = self.posed(target, joint, local, secs);
        }
        Moment { root: self.root(secs), own, posed }
    }

    /// A joint with the correction's deltas.
    fn posed(&self, target: Target, joint: usize, mut local: Transform, secs: f64) -> Transform {
        let first = ChannelPath { target, property: Property::Translation, component: Component::X };
        let last = ChannelPath { target, property: Property::Scale, component: Component::Whole };
        for (path, curve) in self.correction.deltas.range(first..=last) {
            match (path.property, path.component.axis()) {
                (Property::Rotation, None) => {
                    let over = self.over(self.rotation_path(joint), secs);
                    local.rotation = local.rotation * over.inverse() * rotation_delta(curve, self.scale, secs) * over;
                }
                (Property::Translation, Some(axis)) => local.translation[axis] += scalar_delta(curve, self.scale, secs),
                (Property::Scale, Some(axis)) => local.scale[axis] += scalar_delta(curve, self.scale, secs),
                _ => {}
            }
        }
        local
    }

    /// From the rig object's space to the world. One that hangs from a joint is seen from that joint's object.
    fn root(&self, secs: f64) -> Affine {
        let mut world = Affine::IDENTITY;
        let mut at = Some(self.body.0);
        // No deeper than there are objects: parents may go round in a circle.
        for _ in 0..=self.document.objects.len() {
            let Some(object) = at else { break };
            let clip = self.document.clip_of(object).and_then(|clip| self.document.clip(clip));
            let local =
                clip_local(self.document, clip.map(|clip| &**clip), Target::Object(object), secs, Stage::Corrected);
            world = local.unwrap_or_default().to_affine() * world;
            at = self.document.object(object).and_then(|object| object.parent).map(Parent::object);
        }
        world
    }

    /// The place and the rotation of a joint in the world.
    fn place(&self, locals: &[Transform], root: &Affine, joint: usize) -> (Vec3, Quat) {
        let tree = self.body.1.skeleton.tree();
        let place = fk::model_of(tree, locals, root, joint).translation;
        let above = std::iter::successors(Some(joint), |at| tree.parent(*at));
        let rotation = above.fold(Quat::identity(), |below, at| locals[at].rotation * below);
        (place, root.rotation() * rotation)
    }

    fn body(&self, moment: &Moment) -> Body<'a> {
        Body { object: self.body.0, rig: self.body.1, limbs: self.limbs, root: moment.root }
    }

    /// What each joint of the limbs turns by on one frame at scale 1.
    fn turns_at(&self, secs: f64) -> Vec<Vec<Quat>> {
        let moment = self.moment(secs);
        let goal = |path: &Path| {
            let (place, rotation) = self.place(&moment.own, &moment.root, path.end);
            let offset = Vec3::from_fn(|axis, _| scalar_delta(&path.offset[axis], 1.0, secs));
            let turn = path.turn.as_ref().map(|turn| rotation_delta(turn, 1.0, secs));
            let swivel = scalar_delta(&path.swivel, 1.0, secs);
            LimbGoal { limb: path.limb, place: place + offset, rotation: turn.map(|turn| turn * rotation), swivel }
        };
        let goals: Vec<LimbGoal> = self.paths.iter().map(goal).collect();
        let solved = close(&self.body(&moment), &moment.own, &moment.posed, &goals);
        let turn = |(joint, path): &(usize, ChannelPath)| {
            let over = self.over(*path, secs);
            let turn = over * moment.posed[*joint].rotation.inverse() * solved[*joint].rotation * over.inverse();
            pow_short(&turn, 1.0 / self.scale)
        };
        self.paths.iter().map(|path| path.joints.iter().map(turn).collect()).collect()
    }

    /// What each joint turned by on one frame before.
    fn turned_before(&self, before: Option<&Correction>, secs: f64) -> Vec<Vec<Quat>> {
        let turn = |(_, channel): &(usize, ChannelPath)| {
            let curve = before.and_then(|before| before.solved.get(channel));
            curve.map_or_else(Quat::identity, |curve| rotation_delta(curve, 1.0, secs))
        };
        self.paths.iter().map(|path| path.joints.iter().map(turn).collect()).collect()
    }

    /// What each joint turns by on every frame, worked out on all cores: it does not depend on how many.
    fn frames(&self, frames: Frames, before: Option<&Correction>) -> Vec<Vec<Vec<Quat>>> {
        let (grid, (start, end)) = (self.grid, self.correction.range);
        let none: Vec<Vec<Quat>> = self.paths.iter().map(|path| vec![Quat::identity(); path.joints.len()]).collect();
        let one = |frame: usize| {
            let secs = grid.secs(frame);
            if secs <= start || secs >= end || grid.is_pose(secs) {
                none.clone()
            } else if frames.holds(secs, grid.rate) {
                self.turns_at(secs)
            } else {
                self.turned_before(before, secs)
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let parts = if frames == Frames::All { (grid.count / LEAST_FRAMES).clamp(1, cores) } else { 1 };
        let part = |index: usize| (index * grid.count / parts..(index + 1) * grid.count / parts).map(&one).collect();
        let mut all: Vec<Vec<Vec<Quat>>> = Vec::with_capacity(grid.count);
        std::thread::scope(|scope| {
            let part = &part;
            let beside: Vec<_> = (1..parts).map(|index| scope.spawn(move || -> Vec<_> { part(index) })).collect();
            all.extend(part(0));
            for thread in beside {
                match thread.join() {
                    Ok(found) => all.extend(found),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        all
    }

    fn curves(&self, frames: Frames, before: Option<&Correction>) -> Vec<(ChannelPath, Arc<Curve>)> {
        let grid = self.grid;
        let frames = self.frames(frames, before);
        let mut curves = Vec::new();
        for (at, path) in self.paths.iter().enumerate() {
            for (place, (_, channel)) in path.joints.iter().enumerate() {
                let values: Vec<Quat> = frames.iter().map(|turns| turns[at][place]).collect();
                if values.iter().any(|turn| rotation_angle(turn) > NO_TURN) {
                    let samples = RotationSamples { start: grid.start, rate: grid.rate, values: values.into() };
                    curves.push((*channel, Arc::new(Curve::Rotation(RotationCurve::Sampled(samples)))));
                }
            }
        }
        curves
    }
}
