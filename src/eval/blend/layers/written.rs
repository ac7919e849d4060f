//! Poses set by hand while layers play: what the clip of one layer must hold, so that all layers together give the pose.
//!
//! The layer that is written is the topmost of those that play the clip the object's work goes to. The layers above it are
//! undone from the top down, then the layer's own weight and mask.

use super::{On, Parts, Player, Ready, Source, bound::Led, gait::History, plays_layers};
use crate::{
    eval::blend::{
        additive::Delta,
        pose::{mask_weight, unlaid},
    },
    math::Transform,
    model::{AdditiveReference, AdditiveSpace, Document, Layer, LayerMode, ObjectId, Plays, names::joint_names},
};
use std::sync::Arc;

/// Below this weight of a joint a layer does not act on it enough to be written for it.
const LEAST: f64 = 1e-3;

/// What the clip of the layer that is written is to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// When, a time of the clip, seconds.
    pub secs: f64,
    /// The local transforms of joints, by joint index.
    pub locals: Vec<(usize, Transform)>,
}

/// Why a pose cannot be written while layers play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// No layer plays the clip that work goes to.
    #[error(
        "none of the layers of '{0}' that play is the one that is worked on: choose one with its pencil in the Layers panel, or bake the layers"
    )]
    NoLayer(String),
    /// A layer above lies over all of the joint.
    #[error(
        "the layer '{0}' lies over {1} altogether: lower its weight, mute it, or work on that layer (its pencil in the Layers panel)"
    )]
    Covered(String, String),
    /// The layer does not act on the joint.
    #[error(
        "the layer '{0}' that is worked on does not act on {1}: raise its weight, or the weight of {1} in its mask"
    )]
    Untouched(String, String),
    /// The pose cannot be reached by the short arc.
    #[error("the layer '{0}' that is worked on acts too little on {1} to turn it so far: raise its weight")]
    TooFar(String, String),
    /// A layer that is added in the character's own axes.
    #[error(
        "the layer '{0}' is added in axes of the mesh, through which no pose can be set: mute it meanwhile, or bake the layers"
    )]
    MeshSpace(String),
    /// The layer is a difference from a frame of itself.
    #[error(
        "the layer '{0}' is a difference from a frame of its own clip, which a new key may change: take the rest pose or another clip"
    )]
    OwnFrame(String),
    /// The clip is another character's.
    #[error("the layer '{0}' plays the clip of another character: bring it over first (Retarget)")]
    OtherRig(String),
    /// The time is beyond the clip.
    #[error("the layer '{0}' holds the end of its clip at this time: go to its frames, or let it loop")]
    Beyond(String),
}

/// The layer that poses set by hand are written to: the topmost of those that play, whose clip is the one the object's work
/// goes to. None where no layer plays that.
#[must_use]
pub fn written_layer(document: &Document, object: ObjectId) -> Option<&Arc<Layer>> {
    let plays = Plays::Clip(document.clip_of(object)?);
    document.object(object)?.playing_layers().filter(|layer| layer.plays == plays).last()
}

/// When the clip of the layer that is written is read for a time of the document.
///
/// # Errors
/// Where there is no such layer, or it plays another character's clip or holds an end of it.
pub fn written_secs(document: &Document, object: ObjectId, secs: f64) -> Result<f64, NotWritten> {
    let (player, at) = player(document, object)?;
    player.layers[at].read_at(secs)
}

/// What the layer that is written must hold for joints of an object that plays layers to have the given local transforms, by
/// joint index, before constraints and pins. Those of `others` are left out where they cannot be written.
///
/// # Errors
/// Where no layer can be written so.
pub fn written(
    document: &Document,
    object: ObjectId,
    secs: f64,
    wanted: &[(usize, Transform)],
    others: &[(usize, Transform)],
) -> Result<Written, NotWritten> {
    let (mut player, at) = player(document, object)?;
    let read = player.layers[at].read_at(secs)?;
    let solved = player.around(document, secs, at)?;
    let mut locals = wanted.iter().map(|of| Ok((of.0, solved.of(of.0, &of.1)?))).collect::<Result<Vec<_>, _>>()?;
    locals.extend(others.iter().filter_map(|of| Some((of.0, solved.of(of.0, &of.1).ok()?))));
    Ok(Written { secs: read, locals })
}

fn player(document: &Document, object: ObjectId) -> Result<(Player, usize), NotWritten> {
    let written = written_layer(document, object).filter(|_| plays_layers(document, object));
    let found = written.and_then(|layer| {
        let player = Player::new(document, object, None)?;
        let at = player.layers.iter().position(|ready| ready.layer.id == layer.id)?;
        Some((player, at))
    });
    let name = || document.object(object).map(|found| found.name.clone()).unwrap_or_default();
    found.ok_or_else(|| NotWritten::NoLayer(name()))
}

/// A layer at a time: what it does, how much, and of which joints.
struct Acting {
    layer: Layer,
    parts: Parts,
    weight: f64,
    mask: Option<Vec<f64>>,
}

impl Acting {
    fn part(&self, joint: usize) -> f64 {
        self.weight * mask_weight(self.mask.as_deref(), joint)
    }

    /// What it adds to a joint, and in which axes; none of one that lies over.
    fn delta(&self, joint: usize) -> Option<(Delta, AdditiveSpace)> {
        let (reference, space) = self.parts.reference.as_ref()?;
        Some((Delta::between(self.parts.over.get(joint)?, reference.get(joint)?, *space), *space))
    }
}

/// The layer that is written, with what lies below it and above.
struct Around {
    below: Vec<Transform>,
    own: Acting,
    above: Vec<Acting>,
    /// Where repeats of the clip have led the root; none of one that is added.
    led: Option<Led>,
    names: Vec<String>,
}

impl Player {
    fn around(&mut self, document: &Document, secs: f64, at: usize) -> Result<Around, NotWritten> {
        let on = On { document, object: self.object, secs };
        let Self { skeleton, rest, clips, layers, history, .. } = self;
        let mut below = rest.clone();
        let mut acting = Vec::new();
        for (index, ready) in layers.iter_mut().enumerate() {
            let weight = on.weight(&ready.layer);
            let history = History { begin: history.0, frame: history.1, start: ready.layer.start };
            if index < at {
                if weight > 0.0 {
                    ready.apply(on, (weight, history), (skeleton, rest, clips), &mut below);
                }
                continue;
            }
            let mut report = ready.report(on, weight);
            let Some(parts) = ready.parts(on, history, (rest, clips), &mut report) else { continue };
            if weight > 0.0 || index == at {
                let in_mesh = parts.reference.as_ref().is_some_and(|(_, space)| *space == AdditiveSpace::Mesh);
                if in_mesh {
                    return Err(NotWritten::MeshSpace(ready.layer.name.clone()));
                }
                let mask = ready.mask.clone();
                acting.push(Acting { layer: (*ready.layer).clone(), parts, weight, mask });
            }
        }
        let led = layers[at].led(secs);
        let mut above = acting.into_iter();
        let Some(mut own) = above.next() else { return Err(NotWritten::NoLayer(String::new())) };
        // A joint that is keyed for the first time is acted on from then on.
        own.mask = own.layer.mask.and_then(|mask| document.masks.get(&mask)).map(|mask| mask.weights(skeleton));
        Ok(Around { below, own, above: above.collect(), led, names: joint_names(skeleton) })
    }
}

impl Around {
    /// What the clip must hold for a joint to come out as wanted.
    fn of(&self, joint: usize, wanted: &Transform) -> Result<Transform, NotWritten> {
        let name = || self.names.get(joint).cloned().unwrap_or_default();
        let mut wanted = *wanted;
        for acting in self.above.iter().rev() {
            let part = acting.part(joint);
            if !(part > 0.0) {
                continue;
            }
            let under = match (acting.delta(joint), acting.parts.over.get(joint)) {
                (Some((delta, space)), _) => delta.taken_from(&wanted, part, space),
                (None, Some(over)) if part < 1.0 => unlaid(over, &wanted, 1.0 - part, acting.layer.rotations),
                _ => None,
            };
            wanted = under.ok_or_else(|| NotWritten::Covered(acting.layer.name.clone(), name()))?;
        }
        let own = &self.own;
        let part = own.part(joint);
        let below = self.below.get(joint).filter(|_| part >= LEAST);
        let below = below.ok_or_else(|| NotWritten::Untouched(own.layer.name.clone(), name()))?;
        let held = match &own.parts.reference {
            None => unlaid(below, &wanted, part, own.layer.rotations),
            Some((reference, space)) => {
                let delta = Delta::leading(below, &wanted, part, *space);
                delta.and_then(|delta| Some(delta.added_to(reference.get(joint)?, 1.0, *space)))
            }
        };
        let mut held = held.ok_or_else(|| NotWritten::TooFar(own.layer.name.clone(), name()))?;
        if let Some(led) = self.led.filter(|_| joint == 0) {
            led.back(&mut held);
        }
        Ok(held)
    }
}

impl Ready {
    /// When its clip is read.
    fn read_at(&self, secs: f64) -> Result<f64, NotWritten> {
        let name = || self.layer.name.clone();
        let Source::Clip(bound) = &self.source else { return Err(NotWritten::NoLayer(name())) };
        if !bound.is_own() {
            return Err(NotWritten::OtherRig(name()));
        }
        let reference = bound.clip.additive.map(|additive| additive.reference);
        if self.layer.mode == LayerMode::Additive && matches!(reference, Some(AdditiveReference::Frame(_))) {
            return Err(NotWritten::OwnFrame(name()));
        }
        bound.read_at(secs - self.layer.start).ok_or_else(|| NotWritten::Beyond(name()))
    }

    fn led(&self, secs: f64) -> Option<Led> {
        match &self.source {
            Source::Clip(bound) if self.layer.mode == LayerMode::Override => {
                Some(bound.at_time(secs - self.layer.start).1)
            }
            _ => None,
        }
    }
}
