//! The layers of an object: clips and blend spaces, one over the other or added, each through a mask.
//!
//! A layer that goes over what lies below acts only on joints that its clips move. A clip plays at the document's time and,
//! beyond its range, repeats as it says. A space plays by a clock of its own, which runs from the begin of the play range: how
//! far it has come depends on the points told since (a simulation, kept frame by frame and read by look-up, so that a time
//! always shows the same). Weights and points are read from the document's clip.

mod bound;
mod clock;
mod gait;
mod trail;
mod written;

use super::{
    additive::{add, difference, largest_turn},
    pose::lay_over,
    space::{Landing, PreparedSpace, SchemeOptions},
};
use crate::{
    eval::{
        drive,
        sample::{Stage, number},
    },
    math::{Transform, Vec3},
    model::{
        AdditiveSpace, BlendScheme, BlendSpace, ChannelPath, Clip, ClipId, Document, Layer, LayerId, LayerMode,
        ObjectId, Plays, Property, Skeleton,
    },
};
use bound::BoundClip;
use gait::{Clips, Gait, History};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
pub use trail::{PointTrail, point_at, point_trail, weights_at};
pub use written::{NotWritten, Written, written, written_layer, written_secs};

/// What a layer was at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerReport {
    /// The object.
    pub object: ObjectId,
    /// The layer.
    pub layer: LayerId,
    /// How much of it acted.
    pub weight: f64,
    /// The weights of its space's samples; empty where it plays a clip.
    pub samples: Vec<f64>,
    /// Where the point lay in its space; none where it plays a clip.
    pub landing: Option<Landing>,
    /// How far its space had come, in cycles.
    pub phase: f64,
    /// How long a cycle of its space lasts at these weights, seconds; 0 where nothing in it moves, and of a clip.
    pub cycle: f64,
    /// Whether its clips have pins that do not act, because a space plays them.
    pub ignores_pins: bool,
    /// Whether its space keeps step by markers that do not match: it goes by the whole cycle instead.
    pub unmatched: bool,
    /// The largest turn that it adds to a joint, radians, and the joint's index, where it is beyond half a turn.
    pub turns_over: Option<(usize, f64)>,
}

/// The layers of an object, made ready to play.
#[derive(Debug)]
pub struct Player {
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    rest: Vec<Transform>,
    clips: Bound,
    layers: Vec<Ready>,
    history: (f64, f64),
}

#[derive(Debug)]
struct Ready {
    layer: Arc<Layer>,
    source: Source,
    /// How much of each joint it acts on; none for all of all.
    mask: Option<Vec<f64>>,
    /// Whether anything moves its point over time.
    told: bool,
}

/// What a layer does at a time, by joint index.
struct Parts {
    /// What it lays over what is below, or what it adds the difference of.
    over: Vec<Transform>,
    /// Of an added one what that is a difference from, and in which axes.
    reference: Option<(Vec<Transform>, AdditiveSpace)>,
}

#[derive(Debug)]
enum Source {
    Clip(Arc<BoundClip>),
    Space(Box<Gait>),
}

/// The clips bound so far.
#[derive(Debug)]
struct Bound {
    up: Vec3,
    all: BTreeMap<ClipId, Arc<BoundClip>>,
}

/// Binds clips as they are asked for, taking over what was bound before of the very same parts.
struct Binder<'a> {
    document: &'a Document,
    object: ObjectId,
    skeleton: &'a Arc<Skeleton>,
    bound: &'a mut Bound,
    before: Option<&'a Bound>,
}

impl Clips for Binder<'_> {
    fn bound(&mut self, id: ClipId) -> Option<Arc<BoundClip>> {
        if let Some(known) = self.bound.all.get(&id) {
            return Some(known.clone());
        }
        let clip = self.document.clip(id)?;
        let before = self.before.and_then(|before| before.all.get(&id));
        let same_up = self.before.is_some_and(|before| before.up == self.bound.up);
        let bound =
            match before.filter(|known| same_up && known.is_of(self.skeleton, clip, self.document.settings.rate)) {
                Some(known) => known.clone(),
                None => Arc::new(BoundClip::new(
                    self.document,
                    self.object,
                    self.skeleton,
                    clip,
                    self.bound.up,
                    before.map(|known| &**known),
                )),
            };
        self.bound.all.insert(id, bound.clone());
        Some(bound)
    }
}

/// Whether an object plays layers: it is a rig that has some which are not muted.
#[must_use]
pub fn plays_layers(document: &Document, object: ObjectId) -> bool {
    document.object(object).is_some_and(|object| object.as_rig().is_some() && object.playing_layers().next().is_some())
}

/// A blend space made ready to be asked for weights, as it plays: points along its axes are to go through
/// [`BlendSpace::within`] and [`BlendSpace::measured`] first, which [`space_weights`] does.
#[must_use]
pub fn prepared_space(space: &BlendSpace) -> PreparedSpace {
    gait::prepared(space)
}

/// The weights of a space's samples at a point along its axes, and where the point lay, in the scale in which distances are
/// taken.
#[must_use]
pub fn space_weights(space: &BlendSpace, prepared: &PreparedSpace, at: [f64; 2]) -> (Vec<f64>, Landing) {
    let mut weights = vec![0.0; prepared.samples()];
    let landing = prepared.weights(space.measured(space.within(at)), &mut weights);
    (weights, landing)
}

impl Player {
    /// The layers of an object that has some; what was bound `before` is used again, the result does not depend on it.
    #[must_use]
    pub fn new(document: &Document, object: ObjectId, before: Option<&Self>) -> Option<Self> {
        let found = document.object(object).filter(|found| !found.layers.is_empty())?;
        let skeleton = found.as_rig()?.skeleton.clone();
        let up = found.transform.rotation.inverse() * Vec3::y();
        let mut clips = Bound { up, all: BTreeMap::new() };
        let before = before.filter(|before| before.object == object).map(|before| &before.clips);
        let mut binder = Binder { document, object, skeleton: &skeleton, bound: &mut clips, before };
        let mut layers = Vec::new();
        for layer in found.playing_layers() {
            let source = match layer.plays {
                Plays::Clip(clip) => binder.bound(clip).map(Source::Clip),
                Plays::Space(space) => {
                    Gait::new(document, space, &mut binder).map(|gait| Source::Space(Box::new(gait)))
                }
            };
            let Some(source) = source else { continue };
            let point = Property::LAYER[1..].iter().map(|property| ChannelPath::layer(object, layer.id, *property));
            let samples = match &source {
                Source::Space(gait) if gait.space.scheme == BlendScheme::Direct => gait.space.samples.len(),
                _ => 0,
            };
            let samples = (0u32..).take(samples).map(|place| ChannelPath::sample(object, layer.id, place));
            let told = point.chain(samples).any(|path| is_told(document, path));
            layers.push(Ready { mask: mask(document, layer, &source, &skeleton), layer: layer.clone(), source, told });
        }
        for other in clips.all.values().filter_map(|clip| clip.differs_from()).collect::<BTreeSet<_>>() {
            Binder { document, object, skeleton: &skeleton, bound: &mut clips, before }.bound(other);
        }
        let rest = skeleton.joints().iter().map(|joint| joint.rest).collect();
        let rate = document.settings.rate;
        let history = (rate.secs(document.settings.play_range.first), rate.frame_secs());
        Some(Self { object, skeleton, rest, clips, layers, history })
    }

    /// The local transforms of all joints at a time, by joint index, before constraints and pins; and what each layer that
    /// acts was. A layer of weight 0 changes nothing, to the bit.
    pub fn pose(&mut self, document: &Document, secs: f64) -> (Vec<Transform>, Vec<LayerReport>) {
        let mut pose = self.rest.clone();
        let mut reports = Vec::new();
        let on = On { document, object: self.object, secs };
        let Self { skeleton, rest, clips, layers, history, .. } = self;
        for ready in layers {
            let weight = on.weight(&ready.layer);
            if weight > 0.0 {
                let history = History { begin: history.0, frame: history.1, start: ready.layer.start };
                reports.push(ready.apply(on, (weight, history), (skeleton, rest, clips), &mut pose));
            }
        }
        (pose, reports)
    }

    /// The clips whose pins act at a time, each with its layer's weight and the time it is read at.
    #[must_use]
    pub fn pinned_clips(&self, document: &Document, secs: f64) -> Vec<(Arc<Clip>, f64, f64)> {
        let on = On { document, object: self.object, secs };
        let pinned = |ready: &Ready| {
            let Source::Clip(clip) = &ready.source else { return None };
            let over = ready.layer.mode == LayerMode::Override && !clip.clip.pins.is_empty();
            let weight = if over { on.weight(&ready.layer).min(1.0) } else { 0.0 };
            (weight > 0.0).then(|| (clip.clip.clone(), weight, secs - ready.layer.start))
        };
        self.layers.iter().filter_map(pinned).collect()
    }

    /// Whether pins of its layers' clips may act at some time.
    #[must_use]
    pub fn may_have_pins(&self) -> bool {
        let has = |ready: &Ready| matches!(&ready.source, Source::Clip(clip) if !clip.clip.pins.is_empty());
        self.layers.iter().any(|ready| ready.layer.mode == LayerMode::Override && has(ready))
    }
}

/// An object at a time: what the numbers of its layers are read from.
#[derive(Clone, Copy)]
struct On<'a> {
    document: &'a Document,
    object: ObjectId,
    secs: f64,
}

impl On<'_> {
    fn number(self, layer: LayerId, property: Property, stage: Stage) -> f64 {
        self.channel(ChannelPath::layer(self.object, layer, property), stage)
    }

    fn channel(self, path: ChannelPath, stage: Stage) -> f64 {
        let clip = self.document.settings.clip.and_then(|clip| self.document.clip(clip)).map(|clip| &**clip);
        number(self.document, clip, path, self.secs, stage).unwrap_or(0.0)
    }

    fn weight(self, layer: &Layer) -> f64 {
        self.number(layer.id, Property::Weight, Stage::Shown)
    }

    fn point(self, layer: LayerId, stage: Stage) -> [f64; 2] {
        [Property::Horizontal, Property::Vertical].map(|axis| self.number(layer, axis, stage))
    }

    fn told(self, layer: LayerId, space: &BlendSpace, stage: Stage) -> Told {
        Told { point: self.point(layer, stage), direct: self.direct(layer, space, stage) }
    }

    /// How much of each sample of a space that a layer plays is told to play; nothing where their places say so.
    fn direct(self, layer: LayerId, space: &BlendSpace, stage: Stage) -> Vec<f64> {
        if space.scheme != BlendScheme::Direct {
            return Vec::new();
        }
        let paths = (0u32..).zip(&space.samples).map(|(place, _)| ChannelPath::sample(self.object, layer, place));
        paths.map(|path| self.channel(path, stage)).collect()
    }
}

/// What a space is told at a time: its point, and where each sample has a weight of its own those.
#[derive(Clone, Debug, Default)]
struct Told {
    point: [f64; 2],
    direct: Vec<f64>,
}

impl Told {
    /// The weights of a space's samples, and where the point lay, in the scale in which distances are taken.
    fn weights(&self, space: &BlendSpace, prepared: &PreparedSpace) -> (Vec<f64>, Landing) {
        if self.direct.is_empty() {
            return space_weights(space, prepared, self.point);
        }
        let options = SchemeOptions { direct: self.direct.clone(), ..SchemeOptions::default() };
        let told = PreparedSpace::new(BlendScheme::Direct, &vec![[0.0; 2]; self.direct.len()], &options);
        space_weights(space, &told, self.point)
    }
}

/// Whether a curve, a waiting edit or a driver gives a number of a layer its value.
fn is_told(document: &Document, path: ChannelPath) -> bool {
    let clip = document.settings.clip.and_then(|clip| document.clip(clip));
    let by_clip = clip.is_some_and(|clip| {
        clip.acting(&path).is_some_and(|curve| !curve.is_empty())
            || clip.unkeyed.iter().any(|frame| frame.values.contains_key(&path))
    });
    by_clip || drive::drives(document, path.target, path.property)
}

/// How much of each joint a layer acts on.
fn mask(document: &Document, layer: &Layer, source: &Source, skeleton: &Skeleton) -> Option<Vec<f64>> {
    let count = skeleton.joints().len();
    let mut weights = layer.mask.and_then(|mask| document.masks.get(&mask)).map(|mask| mask.weights(skeleton));
    let moves = match source {
        Source::Clip(clip) => clip.moves.clone(),
        Source::Space(gait) => gait.moves(count),
    };
    if layer.mode == LayerMode::Override && moves.contains(&false) {
        let weights = weights.get_or_insert_with(|| vec![1.0; count]);
        for (weight, _) in weights.iter_mut().zip(&moves).filter(|(_, moves)| !**moves) {
            *weight = 0.0;
        }
    }
    weights
}

impl Ready {
    /// Lays the layer over a pose, or adds it.
    fn apply(
        &mut self,
        on: On<'_>,
        (weight, history): (f64, History),
        (skeleton, rest, clips): (&Skeleton, &[Transform], &Bound),
        pose: &mut [Transform],
    ) -> LayerReport {
        let mut report = self.report(on, weight);
        let Some(Parts { over, reference }) = self.parts(on, history, (rest, clips), &mut report) else {
            return report;
        };
        let mask = self.mask.as_deref();
        match reference {
            None => lay_over(pose, &over, weight, mask, self.layer.rotations),
            Some((reference, space)) => {
                let deltas = difference(skeleton.parents(), &over, &reference, space);
                report.turns_over =
                    largest_turn(&deltas, weight, mask).filter(|(_, turn)| *turn > std::f64::consts::PI);
                add(skeleton.parents(), pose, &deltas, weight, mask, space);
            }
        }
        report
    }

    fn report(&self, on: On<'_>, weight: f64) -> LayerReport {
        LayerReport {
            object: on.object,
            layer: self.layer.id,
            weight,
            samples: Vec::new(),
            landing: None,
            phase: 0.0,
            cycle: 0.0,
            ignores_pins: false,
            unmatched: false,
            turns_over: None,
        }
    }

    /// What it lays over or adds; what is known of it goes into the report. None where no sample has a weight: there is nothing
    /// to lay over.
    fn parts(
        &mut self,
        on: On<'_>,
        history: History,
        (rest, clips): (&[Transform], &Bound),
        report: &mut LayerReport,
    ) -> Option<Parts> {
        let layer = &self.layer;
        let local = on.secs - layer.start;
        let other = |id: ClipId| clips.all.get(&id).cloned();
        Some(match &mut self.source {
            Source::Clip(clip) if layer.mode == LayerMode::Override => {
                let (mut over, led) = clip.at_time(local);
                if let Some(root) = over.first_mut() {
                    led.lead(root);
                }
                Parts { over, reference: None }
            }
            Source::Clip(clip) => {
                let reference = match clip.differs_from().and_then(other) {
                    Some(other) => other.at_time(local).0,
                    None => clip.reference(),
                };
                Parts { over: clip.at_time(local).0, reference: Some((reference, clip.added_in())) }
            }
            Source::Space(gait) => {
                let shown = on.told(layer.id, &gait.space, Stage::Shown);
                let space = gait.space.clone();
                let told = |secs: f64| On { secs, ..on }.told(layer.id, &space, Stage::Corrected);
                let played = match self.told {
                    true => gait.moving(history, &told, shown, on.secs),
                    false if gait.turns() => gait.moving(history, &|_| shown.clone(), shown.clone(), on.secs),
                    false => gait.standing(history, &shown, on.secs),
                };
                (report.landing, report.phase, report.cycle) = (Some(played.landing), played.phase, played.cycle);
                (report.ignores_pins, report.unmatched) = (gait.has_pins(), gait.is_unmatched());
                let parts = match layer.mode {
                    LayerMode::Override => Parts { over: gait.pose(&played, rest), reference: None },
                    LayerMode::Additive => {
                        let (over, reference) = gait.difference(&played, rest, &other);
                        let space = gait.first_clip().map(|clip| clip.added_in()).unwrap_or_default();
                        Parts { over, reference: Some((reference, space)) }
                    }
                };
                report.samples = played.weights;
                if played.landing.nothing {
                    return None;
                }
                parts
            }
        })
    }
}

#[cfg(test)]
mod tests;
