//! The evaluator: frames of a document, remembered by the identity of what they were made from.
//!
//! A cell holds the `Arc`s it was made from and is used again only for those very `Arc`s (so an address can never come to
//! mean something else) and the same time to the bit. Undo, previews and loading need no invalidation. A frame is the same
//! to the bit whatever was asked for before.

mod keys;

use super::{
    blend::layers::{LayerReport, Player, plays_layers},
    constraint, drive, fk,
    follow::{self, FollowReport, PathFrame},
    ik::JointLimit,
    limbs::{self, Limbs},
    pins::{self, PinReport},
    pipeline::{EvaluatedFrame, ObjectFrame, RigFrame, SolveOrder, object_world},
    preview::{self, PreviewClip},
    sample::{RigBinding, Stage, object_local},
    trail::{Motion, Trail, TrailSpec, motion},
};
use crate::{
    math::{Affine, Transform},
    model::{
        Clip, Document, JointId, LimbSetting, Object, ObjectId, Path, Rig, Skeleton, constraint_order::ConstraintOrder,
    },
};
use keys::{DocumentKey, Ring};
use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

/// How many rig frames are kept for each object: onion skins and trails ask for the same times again and again.
const RIG_FRAMES: usize = 256;

/// How many trails are kept, of a few documents: that of the press and that of the drag.
const TRAILS: usize = 32;

/// How many whole frames are kept.
const FRAMES: usize = 8;

/// Evaluates documents, remembering what it can use again.
#[derive(Debug, Default)]
pub struct Evaluator {
    cells: RefCell<Cells>,
}

#[derive(Debug, Default)]
struct Cells {
    rigs: BTreeMap<ObjectId, RigCell>,
    order: Option<(DocumentKey, Arc<SolveOrder>)>,
    frames: Ring<(DocumentKey, u64, Arc<EvaluatedFrame>)>,
    generation: u64,
    trails: Ring<(DocumentKey, TrailSpec, Arc<Trail>)>,
    motions: Ring<(Arc<Trail>, Arc<Motion>)>,
    limbs: BTreeMap<ObjectId, Arc<FoundLimbs>>,
    paths: BTreeMap<ObjectId, PathCell>,
    constraints: BTreeMap<ObjectId, (Arc<Object>, Arc<ConstraintOrder>)>,
    players: BTreeMap<ObjectId, PlayerCell>,
}

/// An object's layers made ready, of one document: weights and points depend on more than the object.
#[derive(Debug)]
struct PlayerCell {
    document: DocumentKey,
    player: Player,
    /// By the bits of their time.
    frames: Ring<(u64, Layered)>,
}

type Layered = (Arc<RigFrame>, Arc<[LayerReport]>);

/// A path's last frame, and what it was made from besides its points' places.
#[derive(Debug)]
struct PathCell {
    path: Arc<Path>,
    world: Affine,
    frame: Arc<PathFrame>,
}

#[derive(Debug)]
struct RigCell {
    binding: Arc<RigBinding>,
    /// Frames of this binding, by the bits of their time.
    frames: Ring<(u64, Arc<RigFrame>)>,
    /// Frames with pins, of one document: they depend on all of it.
    pinned: Option<PinnedCell>,
    preview: Option<PreviewCell>,
}

/// A binding compiled for pictures, where it can be.
#[derive(Debug)]
struct PreviewCell {
    binding: Arc<RigBinding>,
    clip: Option<PreviewClip>,
    /// By the bits of their time.
    frames: Ring<(u64, Arc<RigFrame>)>,
}

/// The limbs of a skeleton, and what they were found from.
#[derive(Debug)]
struct FoundLimbs {
    skeleton: Arc<Skeleton>,
    corrections: BTreeMap<JointId, LimbSetting>,
    posed: Vec<Transform>,
    limbs: Arc<Limbs>,
}

#[derive(Debug)]
struct PinnedCell {
    document: DocumentKey,
    limbs: Arc<FoundLimbs>,
    /// By the bits of their time.
    frames: Ring<(u64, Pinned)>,
}

/// What pins start from.
struct PinInput<'a> {
    rig: &'a Rig,
    secs: f64,
    /// From the rig object's space to the world.
    world: Affine,
    goals: &'a [pins::Goal],
    frame: &'a Arc<RigFrame>,
}

type Pinned = (Arc<RigFrame>, Arc<[PinReport]>);

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An evaluator whose frames are told apart from those of one made by [`Self::new`] by their generations too.
    #[must_use]
    pub fn beside() -> Self {
        const HALF: u64 = 1 << 63;
        let cells = Cells { generation: HALF, ..Cells::default() };
        Self { cells: RefCell::new(cells) }
    }

    /// An evaluator for another thread: it knows what was bound and found here, and no frames.
    #[must_use]
    pub fn fork(&self) -> Self {
        let cells = self.cells.borrow();
        let rig = |(id, cell): (&ObjectId, &RigCell)| {
            (*id, RigCell { binding: cell.binding.clone(), frames: Ring::default(), pinned: None, preview: None })
        };
        let rigs = cells.rigs.iter().map(rig).collect();
        let (order, limbs) = (cells.order.clone(), cells.limbs.clone());
        Self { cells: RefCell::new(Cells { rigs, order, limbs, ..Cells::default() }) }
    }

    /// The document at a time, seconds.
    #[must_use]
    pub fn frame(&self, document: &Document, secs: f64) -> Arc<EvaluatedFrame> {
        let cells = &mut *self.cells.borrow_mut();
        let known = cells.frames.find(|(key, time, _)| *time == secs.to_bits() && key.is_of(document));
        if let Some((_, _, frame)) = known {
            return frame.clone();
        }
        let solve = cells.solve_order(document);
        cells.rigs.retain(|id, _| document.objects.contains_key(id));
        cells.paths.retain(|id, _| document.objects.contains_key(id));
        cells.limbs.retain(|id, _| document.objects.contains_key(id));
        cells.constraints.retain(|id, _| document.objects.contains_key(id));
        cells.players.retain(|id, _| plays_layers(document, *id));
        let mut objects = BTreeMap::new();
        let mut held = BTreeMap::new();
        let (mut follows, mut chains, mut layers) = (Vec::new(), Vec::new(), Vec::new());
        for &id in &solve.order {
            let Some(object) = document.object(id) else { continue };
            let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
            let local = match clip {
                None if object.drivers.is_empty() => object.transform,
                _ => object_local(document, id, secs, Stage::Shown).unwrap_or(object.transform),
            };
            let world = if solve.cycles.binary_search(&id).is_ok() {
                local.to_affine()
            } else {
                object_world(document, id, &local, &objects)
            };
            let (world, reports) = follow::constrained(document, id, secs, (world, &local), &objects);
            follows.extend(reports);
            let path = object.as_path().map(|path| cells.path_frame(document, id, path, (secs, &world)));
            let layered = cells.layered(document, id, secs);
            layers.extend(layered.iter().flat_map(|(_, reports)| reports.iter().cloned()));
            let plain = || object.as_rig().map(|rig| &rig.skeleton);
            let mut rig = match layered {
                Some((frame, _)) => Some(frame),
                None => plain().map(|skeleton| cells.rig_frame(id, skeleton, clip, secs)),
            };
            if let (Some(frame), Some(of)) = (&mut rig, object.as_rig())
                && drive::moves_joints(object)
            {
                let mut local = frame.local.clone();
                drive::drive_pose(document, object, secs, &of.skeleton, &mut local);
                *frame = Arc::new(of_locals(&of.skeleton, local));
            }
            if let (Some(frame), Some(of)) = (&mut rig, object.as_rig())
                && constraint::moves_joints(object)
            {
                let order = cells.constraint_order(id, document);
                let pose = (&world, frame.local.as_slice());
                let limits = if constraint::keeps_limits(object) { cells.limits(document, id, of) } else { Vec::new() };
                let found = constraint::constrained_joints(document, (id, &order), secs, pose, (&objects, &limits));
                chains.extend(found.chains);
                if let Some(local) = found.locals {
                    *frame = Arc::new(of_locals(&of.skeleton, local));
                }
            }
            let goals = cells.goals(document, (id, clip), secs, &objects, &world);
            if let (Some(frame), Some(of), false) = (&mut rig, object.as_rig(), goals.is_empty()) {
                let input = PinInput { rig: of, secs, world, goals: &goals, frame };
                let (pinned, reports) = cells.pinned(document, id, &input);
                *frame = pinned;
                held.insert(id, reports);
            }
            objects.insert(id, ObjectFrame { world, rig, path });
        }
        cells.generation += 1;
        let pins = held.values().flat_map(|reports| reports.iter().copied()).collect();
        follows.sort_by_key(|report: &FollowReport| report.object);
        let cycles = solve.cycles.clone();
        let generation = cells.generation;
        let frame = EvaluatedFrame { secs, generation, objects, cycles, pins, follows, chains, layers };
        let frame = Arc::new(frame);
        cells.frames.push((DocumentKey::new(document), secs.to_bits(), frame.clone()), FRAMES);
        frame
    }

    /// The joints of one rig object at a time, without the rest of the document where no pin acts; none where the object is
    /// no rig. For trails, onion skins and plots.
    #[must_use]
    pub fn rig_frame(&self, document: &Document, object: ObjectId, secs: f64) -> Option<Arc<RigFrame>> {
        let found = document.object(object)?;
        let rig = found.as_rig()?;
        if constraint::moves_joints(found) || drive::moves_joints(found) {
            return self.frame(document, secs).rig(object).cloned();
        }
        if plays_layers(document, object) {
            let cells = &mut *self.cells.borrow_mut();
            if !cells.player(document, object).is_some_and(|cell| cell.player.may_have_pins()) {
                return cells.layered(document, object, secs).map(|(frame, _)| frame);
            }
        }
        if plays_layers(document, object) {
            return self.frame(document, secs).rig(object).cloned();
        }
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        if clip.is_some_and(|clip| pins::acts_on(clip, object, secs)) {
            let known = self.cells.borrow().known_pinned(document, object, secs).map(|(frame, _)| frame.clone());
            return known.or_else(|| self.frame(document, secs).rig(object).cloned());
        }
        Some(self.cells.borrow_mut().rig_frame(object, &rig.skeleton, clip, secs))
    }

    /// [`Self::rig_frame`] for a picture: in single precision where the channels of a captured clip say all of the pose
    /// ([`super::preview`]).
    #[must_use]
    pub fn rig_preview(&self, document: &Document, object: ObjectId, secs: f64) -> Option<Arc<RigFrame>> {
        let plain = preview::plays_channels(document, object, secs);
        let known = plain.and_then(|(skeleton, clip)| self.cells.borrow_mut().preview(object, skeleton, clip, secs));
        known.or_else(|| self.rig_frame(document, object, secs))
    }

    /// Where an object is at a time, without the rest of the document where it hangs on nothing; none where there is no such
    /// object. For trails and onion skins.
    #[must_use]
    pub fn object_world(&self, document: &Document, object: ObjectId, secs: f64) -> Option<Affine> {
        let found = document.object(object)?;
        if found.parent.is_some() || !found.constraints.is_empty() {
            return Some(self.frame(document, secs).objects.get(&object)?.world);
        }
        object_local(document, object, secs, Stage::Shown).map(|local| local.to_affine())
    }

    /// A joint's trail; none where there is no such joint. The very same one for the same document.
    #[must_use]
    pub fn trail(&self, document: &Document, spec: TrailSpec) -> Option<Arc<Trail>> {
        let known = |cells: &Cells| {
            let found = cells.trails.find(|(key, of, _)| *of == spec && key.is_of(document));
            found.map(|(_, _, trail)| trail.clone())
        };
        if let Some(trail) = known(&self.cells.borrow()) {
            return Some(trail);
        }
        // The trail asks for frames itself.
        let trail = Arc::new(Trail::new(self, document, spec)?);
        self.cells.borrow_mut().trails.push((DocumentKey::new(document), spec, trail.clone()), TRAILS);
        Some(trail)
    }

    /// Length, speed and acceleration along a trail of this document; none where there is no such joint.
    #[must_use]
    pub fn motion(&self, document: &Document, trail: &Arc<Trail>) -> Option<Arc<Motion>> {
        let known = |cells: &Cells| {
            let found = cells.motions.find(|(of, _)| Arc::ptr_eq(of, trail));
            found.map(|(_, motion)| motion.clone())
        };
        if let Some(motion) = known(&self.cells.borrow()) {
            return Some(motion);
        }
        let found = Arc::new(motion(self, document, trail)?);
        self.cells.borrow_mut().motions.push((trail.clone(), found.clone()), TRAILS);
        Some(found)
    }

    /// The limbs of a rig object, as its document corrects them; none where it is no rig.
    #[must_use]
    pub fn limbs(&self, document: &Document, object: ObjectId) -> Option<Arc<Limbs>> {
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let cells = &mut *self.cells.borrow_mut();
        let found = found_limbs(document, object, skeleton, cells.limbs.remove(&object));
        let limbs = found.limbs.clone();
        cells.limbs.insert(object, found);
        Some(limbs)
    }

    /// The joint that the limb of a joint hangs on, by index; see [`super::trail::limb_parent`].
    pub(super) fn limb_parent(&self, document: &Document, object: ObjectId, joint: usize) -> Option<usize> {
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let cells = &mut *self.cells.borrow_mut();
        let found = found_limbs(document, object, skeleton, cells.limbs.remove(&object));
        let parent = super::trail::limb_parent(skeleton, &found.limbs, joint);
        cells.limbs.insert(object, found);
        parent
    }

    /// A rig object's clip bound to its skeleton; none where the object is no rig.
    #[must_use]
    pub fn binding(&self, document: &Document, object: ObjectId) -> Option<Arc<RigBinding>> {
        let rig = document.object(object)?.as_rig()?;
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        Some(self.cells.borrow_mut().rig_cell(object, &rig.skeleton, clip).binding.clone())
    }
}

impl Cells {
    fn solve_order(&mut self, document: &Document) -> Arc<SolveOrder> {
        match &self.order {
            Some((key, order)) if key.is_of(document) => order.clone(),
            _ => {
                let order = Arc::new(SolveOrder::new(document));
                self.order = Some((DocumentKey::new(document), order.clone()));
                order
            }
        }
    }

    /// A path at a time; the one before where nothing of it is other.
    fn path_frame(
        &mut self,
        document: &Document,
        object: ObjectId,
        path: &Arc<Path>,
        (secs, world): (f64, &Affine),
    ) -> Arc<PathFrame> {
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        let places = follow::places(document, clip.map(|clip| &**clip), object, path, secs);
        if let Some(cell) = self.paths.get(&object)
            && Arc::ptr_eq(&cell.path, path)
            && cell.world == *world
            && cell.frame.places == places
        {
            return cell.frame.clone();
        }
        let frame = Arc::new(PathFrame::new(path, places, world));
        self.paths.insert(object, PathCell { path: path.clone(), world: *world, frame: frame.clone() });
        frame
    }

    /// The layers of an object made ready; none where it has none.
    fn player(&mut self, document: &Document, object: ObjectId) -> Option<&mut PlayerCell> {
        if !plays_layers(document, object) {
            return None;
        }
        let before = self.players.remove(&object);
        let cell = match before {
            Some(cell) if cell.document.is_of(document) => cell,
            before => {
                let player = Player::new(document, object, before.as_ref().map(|cell| &cell.player))?;
                PlayerCell { document: DocumentKey::new(document), player, frames: Ring::default() }
            }
        };
        Some(self.players.entry(object).insert_entry(cell).into_mut())
    }

    /// What an object's layers play; none where it has none.
    fn layered(&mut self, document: &Document, object: ObjectId, secs: f64) -> Option<Layered> {
        let cell = self.player(document, object)?;
        if let Some((_, known)) = cell.frames.find(|(time, _)| *time == secs.to_bits()) {
            return Some(known.clone());
        }
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let (locals, reports) = cell.player.pose(document, secs);
        let layered = (Arc::new(of_locals(skeleton, locals)), Arc::from(reports));
        cell.frames.push((secs.to_bits(), layered.clone()), RIG_FRAMES);
        Some(layered)
    }

    /// The goals of the pins that act on an object: those of its clip, or of the clips of its layers by the layers' weights.
    fn goals(
        &mut self,
        document: &Document,
        (object, clip): (ObjectId, Option<&Arc<Clip>>),
        secs: f64,
        objects: &BTreeMap<ObjectId, ObjectFrame>,
        world: &Affine,
    ) -> Vec<pins::Goal> {
        let Some(cell) = self.player(document, object) else {
            let acting = clip.filter(|clip| pins::acts_on(clip, object, secs));
            return acting.map_or_else(Vec::new, |clip| pins::goals(document, clip, object, secs, objects, world));
        };
        let mut goals = Vec::new();
        for (clip, weight, secs) in cell.player.pinned_clips(document, secs) {
            let of_clip = pins::goals(document, &clip, object, secs, objects, world);
            goals.extend(of_clip.into_iter().map(|goal| pins::Goal { weight: goal.weight * weight, ..goal }));
        }
        goals
    }

    fn rig_cell(&mut self, object: ObjectId, skeleton: &Arc<Skeleton>, clip: Option<&Arc<Clip>>) -> &mut RigCell {
        let cell = self.rigs.entry(object).or_insert_with(|| RigCell {
            binding: Arc::new(RigBinding::new(object, skeleton, clip, None)),
            frames: Ring::default(),
            pinned: None,
            preview: None,
        });
        if !cell.binding.is_of(skeleton, clip) {
            cell.binding = Arc::new(RigBinding::new(object, skeleton, clip, Some(&cell.binding)));
            cell.frames = Ring::default();
            // What was found of the limbs may still hold.
            if let Some(pinned) = &mut cell.pinned {
                pinned.frames = Ring::default();
            }
        }
        cell
    }

    /// The limits of a rig's joints, by index.
    fn limits(&mut self, document: &Document, id: ObjectId, rig: &Rig) -> Vec<Option<JointLimit>> {
        let found = found_limbs(document, id, &rig.skeleton, self.limbs.remove(&id));
        let limits = limbs::limits(rig, &found.limbs);
        self.limbs.insert(id, found);
        limits
    }

    /// In which order the constraints of an object act.
    fn constraint_order(&mut self, id: ObjectId, document: &Document) -> Arc<ConstraintOrder> {
        let Some(object) = document.objects.get(&id) else { return Arc::default() };
        if let Some((known, order)) = self.constraints.get(&id)
            && Arc::ptr_eq(known, object)
        {
            return order.clone();
        }
        let order = Arc::new(ConstraintOrder::new(id, object));
        self.constraints.insert(id, (object.clone(), order.clone()));
        order
    }

    fn known_pinned(&self, document: &Document, object: ObjectId, secs: f64) -> Option<&Pinned> {
        let cell = self.rigs.get(&object)?.pinned.as_ref().filter(|cell| cell.document.is_of(document))?;
        cell.frames.find(|(time, _)| *time == secs.to_bits()).map(|(_, pinned)| pinned)
    }

    /// A rig with its pins solved, from the frame without.
    fn pinned(&mut self, document: &Document, object: ObjectId, unpinned: &PinInput<'_>) -> Pinned {
        let secs = unpinned.secs;
        if let Some(known) = self.known_pinned(document, object, secs) {
            return known.clone();
        }
        let skeleton = &unpinned.rig.skeleton;
        let Some(cell) = self.rigs.get_mut(&object) else { return (unpinned.frame.clone(), Arc::default()) };
        let before = cell.pinned.take();
        let cell = match before {
            Some(known) if known.document.is_of(document) => cell.pinned.insert(known),
            before => {
                let limbs = found_limbs(document, object, skeleton, before.map(|before| before.limbs));
                let document = DocumentKey::new(document);
                cell.pinned.insert(PinnedCell { document, limbs, frames: Ring::default() })
            }
        };
        let body = pins::Body { object, rig: unpinned.rig, limbs: &cell.limbs.limbs, root: unpinned.world };
        let mut local = unpinned.frame.local.clone();
        let reports = pins::solve(&body, &mut local, unpinned.goals);
        let pinned = (Arc::new(of_locals(skeleton, local)), Arc::from(reports));
        cell.frames.push((secs.to_bits(), pinned.clone()), RIG_FRAMES);
        pinned
    }

    /// A frame for a picture; none where the clip cannot be compiled or more than its channels acts.
    fn preview(
        &mut self,
        object: ObjectId,
        skeleton: &Arc<Skeleton>,
        clip: &Arc<Clip>,
        secs: f64,
    ) -> Option<Arc<RigFrame>> {
        let RigCell { binding, preview, .. } = self.rig_cell(object, skeleton, Some(clip));
        let cell = match preview.take() {
            Some(known) if Arc::ptr_eq(&known.binding, binding) => known,
            before => {
                let clip = PreviewClip::new(binding, before.and_then(|before| before.clip));
                PreviewCell { binding: binding.clone(), clip, frames: Ring::default() }
            }
        };
        let cell = preview.insert(cell);
        if let Some((_, frame)) = cell.frames.find(|(time, _)| *time == secs.to_bits()) {
            return Some(frame.clone());
        }
        let frame = Arc::new(preview::frame(cell.clip.as_ref()?, binding, secs)?);
        cell.frames.push((secs.to_bits(), frame.clone()), RIG_FRAMES);
        Some(frame)
    }

    fn rig_frame(
        &mut self,
        object: ObjectId,
        skeleton: &Arc<Skeleton>,
        clip: Option<&Arc<Clip>>,
        secs: f64,
    ) -> Arc<RigFrame> {
        let cell = self.rig_cell(object, skeleton, clip);
        if let Some((_, frame)) = cell.frames.find(|(time, _)| *time == secs.to_bits()) {
            return frame.clone();
        }
        let frame = Arc::new(of_locals(skeleton, cell.binding.pose(secs)));
        cell.frames.push((secs.to_bits(), frame.clone()), RIG_FRAMES);
        frame
    }
}

/// The frame of joints in their parents' spaces.
fn of_locals(skeleton: &Skeleton, local: Vec<Transform>) -> RigFrame {
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), &local, &Affine::IDENTITY, &mut model);
    RigFrame { local, model }
}

/// The limbs of a rig, those found before where they were found from the very same: while a pose is dragged nothing that
/// they depend on changes.
fn found_limbs(
    document: &Document,
    object: ObjectId,
    skeleton: &Arc<Skeleton>,
    before: Option<Arc<FoundLimbs>>,
) -> Arc<FoundLimbs> {
    let posed = limbs::first_pose(document, object);
    let rig = document.object(object).and_then(|object| object.as_rig());
    let corrections = rig.map(|rig| &rig.limbs);
    let bits = |local: &Transform| {
        let (t, q, s) = (local.translation, local.rotation.coords, local.scale);
        [t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z].map(f64::to_bits)
    };
    let same = |found: &Arc<FoundLimbs>| {
        Arc::ptr_eq(&found.skeleton, skeleton)
            && corrections.is_none_or(|corrections| *corrections == found.corrections)
            && found.posed.iter().map(bits).eq(posed.iter().map(bits))
    };
    before.filter(same).unwrap_or_else(|| {
        let limbs = rig.map_or_else(|| limbs::of_skeleton(skeleton, &posed), |rig| limbs::of_rig(rig, &posed));
        let corrections = corrections.cloned().unwrap_or_default();
        Arc::new(FoundLimbs { skeleton: skeleton.clone(), corrections, posed, limbs: Arc::new(limbs) })
    })
}
