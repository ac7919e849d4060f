//! A whole clip for another character.

use super::{
    Aligned, Contact, Fault, FaultKind, Figure, FootPair, JointMap, ReferencePose, Transfer, Wanted, align,
    faults::{MISSED, Seen, Watch, joined},
    feet,
    rows::{Row, Rows},
    transfer::Space,
};
use crate::{
    eval::{
        Evaluator,
        dense::in_parts,
        pins::{self, Goal},
    },
    math::{Affine, Vec3},
    model::{Clip, ClipId, Document, FrameRange, FrameRate, ObjectId, Pin},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// What the way of the body is scaled by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ScaleBy {
    /// The ratio of the legs' lengths, so that steps fit; of heights where one of the two has no legs.
    #[default]
    Legs,
    /// The ratio of heights.
    Height,
    /// Nothing: the body goes as far as the source's, metre for metre.
    Nothing,
}

impl ScaleBy {
    /// All choices, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Legs, Self::Height, Self::Nothing];
}

/// How a clip is brought to another character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The pose in which the source is compared.
    pub source_reference: ReferencePose,
    /// The pose in which the target is compared.
    pub target_reference: ReferencePose,
    /// Whether the target is first brought to the source's reference pose; else both are taken to stand alike.
    pub align: bool,
    /// What the way of the body is scaled by.
    pub scale: ScaleBy,
    /// Whether feet that stand in the source are held by pins.
    pub lock_feet: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            source_reference: ReferencePose::Found,
            target_reference: ReferencePose::Found,
            align: true,
            scale: ScaleBy::Legs,
            lock_feet: true,
        }
    }
}

/// Why nothing was brought over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RetargetError {
    /// The motion is of no rig.
    #[error("the motion is not of a rig with joints; choose a clip of a character")]
    NoSource,
    /// The target is no rig.
    #[error("the target is not a rig with joints; choose a character")]
    NoTarget,
    /// There is no such clip.
    #[error("there is no clip to bring over; choose one that moves the source")]
    NoClip,
    /// No joint has a counterpart.
    #[error("no joint of '{target}' has a counterpart in '{source_name}'; map at least the hips by hand")]
    NothingMapped {
        /// The name of the rig that moves.
        source_name: String,
        /// The name of the rig that is to move.
        target: String,
    },
    /// The clip is longer than can be worked at.
    #[error("the clip has {frames} frames, and at most {most} are brought over; shorten its range")]
    TooLong {
        /// Its frames.
        frames: u64,
        /// The most there may be.
        most: u64,
    },
    /// Someone asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The most frames that are brought over at once.
const MOST_FRAMES: u64 = 1_000_000;

/// A clip and the character it is of.
#[derive(Clone, Debug)]
pub struct Source {
    /// A document in which the object plays the clip, and nothing waits to be keyed.
    document: Document,
    object: ObjectId,
    clip: Arc<Clip>,
    name: String,
}

impl Source {
    /// A clip of an object of a document.
    ///
    /// # Errors
    /// Where the object is no rig with joints, or there is no such clip.
    pub fn new(document: &Document, object: ObjectId, clip: ClipId) -> Result<Self, RetargetError> {
        let rig = document.object(object).and_then(|object| object.as_rig()).ok_or(RetargetError::NoSource)?;
        if rig.skeleton.is_empty() {
            return Err(RetargetError::NoSource);
        }
        let mut document = document.clone();
        if document.clip(clip).ok_or(RetargetError::NoClip)?.unkeyed.iter().any(|frame| !frame.values.is_empty())
            && let Some(clip) = document.clip_mut(clip)
        {
            clip.unkeyed.clear();
        }
        if let Some(object) = document.object_mut(object) {
            object.clip = Some(clip);
        }
        let played = document.clip(clip).ok_or(RetargetError::NoClip)?.clone();
        let name = document.object(object).map_or_else(String::new, |object| object.name.clone());
        Ok(Self { document, object, clip: played, name })
    }

    /// The figure that moves.
    #[must_use]
    pub fn figure(&self, reference: ReferencePose) -> Option<Figure> {
        Figure::of_object(&self.document, self.object, reference)
    }

    /// The clip.
    #[must_use]
    pub const fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    /// The name of the character.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The frames of the clip a second.
    #[must_use]
    pub fn rate(&self) -> FrameRate {
        self.document.settings.rate
    }

    /// The joints at a time, seconds, each in its parent's space.
    #[must_use]
    pub fn pose(&self, evaluator: &Evaluator, secs: f64) -> Vec<crate::math::Transform> {
        let frame = evaluator.rig_frame(&self.document, self.object, secs);
        frame.map_or_else(Vec::new, |frame| frame.local.clone())
    }
}

/// Two figures and the map between them: what is shown before anything is brought over, and what is then used.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The figure that moves.
    pub source: Figure,
    /// The figure that is to move.
    pub target: Figure,
    /// The map.
    pub map: JointMap,
    /// The target in the source's reference pose.
    pub aligned: Aligned,
    /// The ratio of the ways.
    pub scale: f64,
}

impl Plan {
    /// Looks at both and maps them: as found, or as said.
    ///
    /// # Errors
    /// Where one of the two is no rig with joints.
    pub fn new(
        source: &Source,
        (document, object): (&Document, ObjectId),
        map: Option<&JointMap>,
        options: &Options,
    ) -> Result<Self, RetargetError> {
        let from = source.figure(options.source_reference).ok_or(RetargetError::NoSource)?;
        let to = Figure::of_object(document, object, options.target_reference).ok_or(RetargetError::NoTarget)?;
        if to.rest.is_empty() {
            return Err(RetargetError::NoTarget);
        }
        let map = map.map_or_else(|| JointMap::find(&from, &to), |map| map.sound(&from, &to));
        let aligned = if options.align { align(&from, &to, &map) } else { Aligned::none(&to) };
        let scale = scale(&from, &to, options.scale);
        Ok(Self { source: from, target: to, map, aligned, scale })
    }

    /// The transfer, ready for poses.
    #[must_use]
    pub fn transfer(&self, floor: f64) -> Transfer {
        let stretch = self.source.skeleton().is_like(self.target.skeleton(), 1e-4 * self.source.size);
        let wanted = Wanted { scale: self.scale, stretch, floor };
        Transfer::new(&self.source, &self.target, &self.map, &self.aligned, wanted)
    }
}

/// The ratio of the target's way to the source's; 1 where their sizes say nothing.
fn scale(source: &Figure, target: &Figure, by: ScaleBy) -> f64 {
    let height = target.size / source.size;
    let legs = target.leg_length().zip(source.leg_length()).map(|(to, from)| to / from);
    let ratio = match by {
        ScaleBy::Legs => legs.unwrap_or(height),
        ScaleBy::Height => height,
        ScaleBy::Nothing => 1.0,
    };
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

/// A clip brought over, and what is to be said about it.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The clip, for the target.
    pub clip: Clip,
    /// The map it was made by.
    pub map: JointMap,
    /// When feet stand, and how far they slide.
    pub contacts: Vec<Contact>,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// Frames brought over.
    pub frames: u64,
    /// Frames a second of the result's samples.
    pub rate: FrameRate,
    /// Time of the first, seconds.
    pub start: f64,
}

/// Brings a clip to a character of a document, by the map found or a given one. Nothing is changed: the clip that comes is
/// added by an edit.
///
/// # Errors
/// [`RetargetError`]: a figure without joints, a map to nothing, a clip that is too long, or the wish to stop.
pub fn run(
    source: &Source,
    (document, object): (&Document, ObjectId),
    map: Option<&JointMap>,
    options: &Options,
    progress: &Progress,
) -> Result<Retargeted, RetargetError> {
    let plan = Plan::new(source, (document, object), map, options)?;
    if plan.map.is_empty() {
        let target = document.object(object).map_or_else(String::new, |object| object.name.clone());
        return Err(RetargetError::NothingMapped { source_name: source.name.clone(), target });
    }
    let frames = source.clip.range.len();
    if frames > MOST_FRAMES {
        return Err(RetargetError::TooLong { frames, most: MOST_FRAMES });
    }
    let work = Work { source, plan: &plan, object, document, progress, count: usize::try_from(frames).unwrap_or(0) };
    progress.start("", 2 * frames);
    work.run(options)
}

struct Work<'a> {
    source: &'a Source,
    plan: &'a Plan,
    document: &'a Document,
    object: ObjectId,
    progress: &'a Progress,
    count: usize,
}

/// What one frame of the first pass gives.
struct Carried {
    row: Row,
    /// Where the feet are: source's, target's, upright spaces.
    feet: Vec<(Vec3, Vec3)>,
}

/// What one frame of the second pass gives.
struct Judged {
    seen: Vec<Seen>,
    feet: Vec<Vec3>,
}

impl Work<'_> {
    fn secs(&self, frame: usize) -> f64 {
        self.source.rate().secs(self.source.clip.range.first.saturating_add_unsigned(frame as u64))
    }

    fn run(&self, options: &Options) -> Result<Retargeted, RetargetError> {
        let feet = feet::feet(&self.plan.source, &self.plan.target, &self.plan.map);
        let (transfer, carried) = self.carry(&feet)?;
        let step = self.source.rate().frame_secs();
        let places: Vec<Vec<Vec3>> =
            (0..feet.len()).map(|foot| carried.iter().map(|frame| frame.feet[foot].0).collect()).collect();
        let spans = feet::standing(&places, step, self.plan.source.size);
        let back = self.plan.target.upright.inverse();
        let mut contacts: Vec<Contact> = Vec::new();
        for (foot, spans) in spans.iter().enumerate() {
            for (first, last) in spans.iter().copied() {
                let own: Vec<Vec3> = carried[first..=last].iter().map(|frame| frame.feet[foot].1).collect();
                let place = own.iter().sum::<Vec3>() / own.len() as f64;
                let slide = feet::slide(&own);
                let frames = (first, last);
                let place = back * place;
                contacts.push(Contact { foot: feet[foot], frames, place, slide_before: slide, slide_after: slide });
            }
        }
        contacts.sort_by_key(|contact| (contact.frames.0, contact.foot.target));
        let held = if options.lock_feet { &contacts[..] } else { &[] };
        let pins = feet::pins(held, (self.object, &self.plan.target), |frame| self.secs(frame), step);
        let rows: Vec<Row> = carried.into_iter().map(|frame| frame.row).collect();
        let rows = Rows::new(&self.plan.target, &transfer, rows);
        let judged = self.judge(&rows, &pins, &feet)?;
        for contact in contacts.iter_mut().filter(|_| options.lock_feet) {
            let foot = feet.iter().position(|foot| *foot == contact.foot).unwrap_or_default();
            let (first, last) = contact.frames;
            let places: Vec<Vec3> = judged[first..=last].iter().map(|frame| frame.feet[foot]).collect();
            contact.slide_after = feet::slide(&places);
        }
        let seen: Vec<Vec<Seen>> = judged.into_iter().map(|frame| frame.seen).collect();
        let clip = self.clip(&rows, pins);
        Ok(Retargeted {
            clip,
            map: self.plan.map.clone(),
            contacts,
            faults: joined(&seen, |frame| self.secs(frame)),
            frames: self.count as u64,
            rate: self.source.rate(),
            start: self.secs(0),
        })
    }

    /// The first pass: every pose carried over. Where the source's feet have fewer joints than the target's, it is taken to
    /// stand as low as its feet come.
    fn carry(&self, feet: &[FootPair]) -> Result<(Transfer, Vec<Carried>), RetargetError> {
        let floor = if self.feet_are_alike() { 0.0 } else { self.floor(feet)? };
        let transfer = self.plan.transfer(floor);
        let evaluator = Evaluator::new();
        // What is bound once is known to all threads.
        drop(self.source.pose(&evaluator, self.secs(0)));
        let parents = self.plan.target.skeleton().parents();
        let make = || (evaluator.fork(), Space::default(), Space::default());
        let one = |(evaluator, space, own): &mut (Evaluator, Space, Space), frame: usize| {
            let locals = self.source.pose(evaluator, self.secs(frame));
            transfer.take(&locals, space);
            let pose = transfer.pose(&locals, space);
            own.take(parents, &pose, &self.plan.target.upright);
            let place = |space: &Space, joint: usize| space.positions.get(joint).copied().unwrap_or_default();
            let feet = feet.iter().map(|foot| (place(space, foot.source), place(own, foot.target))).collect();
            Carried { row: Row::new(&transfer, &pose), feet }
        };
        let carried = in_parts(self.count, self.progress, make, one)?;
        Ok((transfer, carried))
    }

    /// Whether both figures' feet have joints beyond the ankles, or neither's.
    fn feet_are_alike(&self) -> bool {
        let has_more =
            |figure: &Figure| figure.soles().len() > figure.limbs.of_role(crate::eval::limbs::Role::Leg).count();
        has_more(&self.plan.source) == has_more(&self.plan.target)
    }

    /// The lowest place of the source's feet, where that is no more than the height of an ankle.
    fn floor(&self, feet: &[FootPair]) -> Result<f64, RetargetError> {
        let transfer = self.plan.transfer(0.0);
        let evaluator = Evaluator::new();
        let mut space = Space::default();
        let mut lowest = f64::INFINITY;
        for frame in (0..self.count).step_by(1 + self.count / 500) {
            self.progress.check()?;
            transfer.take(&self.source.pose(&evaluator, self.secs(frame)), &mut space);
            for foot in feet {
                lowest = lowest.min(space.positions.get(foot.source).map_or(f64::INFINITY, |place| place.y));
            }
        }
        let ankle = 0.12 * self.plan.source.size;
        Ok(if lowest.abs() <= ankle { lowest } else { 0.0 })
    }

    /// The second pass: what is wrong, and where the feet are as they are held.
    fn judge(&self, rows: &Rows<'_>, pins: &[Pin], feet: &[FootPair]) -> Result<Vec<Judged>, RetargetError> {
        let target = &self.plan.target;
        let watch = Watch::new(target);
        let body = pins::Body { object: self.object, rig: &target.rig, limbs: &target.limbs, root: Affine::IDENTITY };
        let joints: Vec<Option<usize>> = pins.iter().map(|pin| target.skeleton().index_of(pin.joint)).collect();
        let one = |space: &mut Space, frame: usize| {
            let secs = self.secs(frame);
            let mut locals = rows.pose(frame);
            let near = pins.iter().zip(&joints).filter(|(pin, _)| pin.reach().0 <= secs && secs <= pin.reach().1);
            let goal = |(pin, joint): (&Pin, &Option<usize>)| {
                let (place, space) = (pin.place, pins::Space::Fixed(Affine::IDENTITY));
                let weight = pins::ease_at(pin, secs);
                let joint = (*joint).filter(|_| weight > 0.0)?;
                Some(Goal { pin: pin.id, joint, space, place, orientation: None, weight })
            };
            let goals: Vec<Goal> = near.filter_map(goal).collect();
            let reports = pins::solve(&body, &mut locals, &goals);
            let mut seen: Vec<Seen> = reports
                .iter()
                .filter(|report| report.weight >= 1.0 && report.gap > MISSED)
                .map(|report| (FaultKind::OutOfReach, report.joint, None, report.gap))
                .collect();
            space.take(target.skeleton().parents(), &locals, &target.upright);
            watch.look(space, &mut seen);
            let feet = feet.iter().map(|foot| space.positions.get(foot.target).copied().unwrap_or_default());
            Judged { seen, feet: feet.collect() }
        };
        Ok(in_parts(self.count, self.progress, Space::default, one)?)
    }

    fn clip(&self, rows: &Rows<'_>, pins: Vec<Pin>) -> Clip {
        let own = &self.source.clip;
        let rate = self.document.settings.rate;
        let last = self.count.saturating_sub(1);
        let range = if rate == self.source.rate() {
            own.range
        } else {
            FrameRange::new(rate.nearest_frame(self.secs(0)), rate.nearest_frame(self.secs(last)))
        };
        Clip {
            loop_mode: own.loop_mode,
            channels: rows.curves(self.object, self.secs(0), self.source.rate()),
            pins: pins.into_iter().map(Arc::new).collect(),
            ..Clip::new(&own.name, range)
        }
    }
}
