//! The way of a layer's point through its space over frames.

use super::{On, Told, gait, prepared_space};
use crate::{
    eval::sample::Stage,
    model::{Document, FrameRange, LayerId, ObjectId, Plays},
};

/// The way of a point through its space, an entry a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointTrail {
    /// The first frame.
    pub first: i64,
    /// The point told, along the axes.
    pub told: Vec<[f64; 2]>,
    /// The point that plays: the one told, or on its way to it where the space smooths.
    pub played: Vec<[f64; 2]>,
    /// The weights of the samples there.
    pub weights: Vec<Vec<f64>>,
}

/// The point that a layer is told at a time, with what waits to be keyed. None where the object has no such layer.
#[must_use]
pub fn point_at(document: &Document, object: ObjectId, layer: LayerId, secs: f64) -> Option<[f64; 2]> {
    document.object(object)?.layer(layer)?;
    Some(On { document, object, secs }.point(layer, Stage::Shown))
}

/// How much of each sample a layer is told to play at a time, with what waits to be keyed, where each has a weight of its own.
/// None where the layer plays no such space.
#[must_use]
pub fn weights_at(document: &Document, object: ObjectId, layer: LayerId, secs: f64) -> Option<Vec<f64>> {
    let Plays::Space(space) = document.object(object)?.layer(layer)?.plays else { return None };
    let space = document.blend_spaces.get(&space)?;
    let told = On { document, object, secs }.direct(layer, space, Stage::Shown);
    (!told.is_empty()).then_some(told)
}

/// The way of the point of a layer that plays a space, over frames from the begin of the play range on; at most `most` of
/// them. None where the layer plays none.
#[must_use]
pub fn point_trail(document: &Document, object: ObjectId, layer: LayerId, most: usize) -> Option<PointTrail> {
    let Plays::Space(space) = document.object(object)?.layer(layer)?.plays else { return None };
    let space = document.blend_spaces.get(&space)?;
    let (rate, range) = (document.settings.rate, document.settings.play_range);
    let prepared = prepared_space(space);
    let mut trail = PointTrail { first: range.first, ..PointTrail::default() };
    let last = range.last.min(range.first.saturating_add(i64::try_from(most).unwrap_or(i64::MAX)).saturating_sub(1));
    let frames = FrameRange::new(range.first, last.max(range.first));
    let mut before = None;
    for frame in frames.first..=frames.last {
        let on = On { document, object, secs: rate.secs(frame) };
        let told = on.point(layer, Stage::Corrected);
        let state = match before {
            None => (told, [0.0; 2]),
            Some(before) => gait::smoothed(space.smoothing, before, told, rate.frame_secs()),
        };
        before = Some(state);
        // What waits to be keyed is shown where nothing is on its way.
        let told = on.point(layer, Stage::Shown);
        let played = if space.smoothing.is_none() { told } else { state.0 };
        trail.told.push(told);
        trail.played.push(played);
        let told = Told { point: played, direct: on.direct(layer, space, Stage::Shown) };
        trail.weights.push(told.weights(space, &prepared).0);
    }
    Some(trail)
}
