//! Mending blend spaces and layers: a part that cannot be right goes alone, what stands beside it stays.

use super::{
    blend_scheme::BlendScheme,
    blend_space::{BlendSpace, Plays},
    document::Document,
    id::{BlendSpaceId, LayerId, ObjectId},
    layer::Layer,
    mending::{Done, attempt, changed, of_object},
    problems::Problem,
};
use std::sync::Arc;

/// The number, or another where it is none that `fits`.
fn or(value: f64, fits: impl Fn(f64) -> bool, other: f64) -> f64 {
    if value.is_finite() && fits(value) { value } else { other }
}

fn finite(at: [f64; 2]) -> [f64; 2] {
    at.map(|value| or(value, |_| true, 0.0))
}

/// The space with defaults for numbers that it cannot have, and without diagonals that end nowhere.
fn sound(space: &mut BlendSpace) {
    for axis in &mut space.axes {
        let [from, to] = finite(axis.range);
        axis.range = if from == to { [from, from + from.abs().max(1.0)] } else { [from.min(to), from.max(to)] };
        axis.snap = or(axis.snap, |snap| snap >= 0.0, 0.0);
    }
    for sample in &mut space.samples {
        sample.at = finite(sample.at);
        sample.weight = or(sample.weight, |weight| weight >= 0.0, 0.0);
        sample.speed = or(sample.speed, |speed| speed > 0.0, 1.0);
    }
    let fresh = BlendSpace::new("", space.axes.clone());
    space.preview = finite(space.preview);
    space.angle_weight = or(space.angle_weight, |weight| weight > 0.0, fresh.angle_weight);
    space.smoothing = space.smoothing.filter(|way| way.half_life() > 0.0 && way.half_life().is_finite());
    let count = space.samples.len();
    space.diagonals.retain(|[a, b]| a != b && *a < count && *b < count);
}

/// Takes the samples out that `keep` does not say to keep, and the diagonals that end at one.
fn keep_samples(space: &mut BlendSpace, keep: &[bool]) {
    let kept = |index: usize| keep.get(index).copied().unwrap_or(false);
    let place = |index: usize| (0..index).filter(|before| kept(*before)).count();
    let ends = space.diagonals.iter().filter(|pair| pair.iter().all(|end| kept(*end)));
    space.diagonals = ends.map(|pair| pair.map(place)).collect();
    let mut each = keep.iter();
    space.samples.retain(|_| each.next().copied().unwrap_or(false));
}

fn with_space(document: &mut Document, id: BlendSpaceId, change: impl FnOnce(&mut BlendSpace)) {
    if let Some(space) = Arc::make_mut(&mut document.blend_spaces).get_mut(&id).map(Arc::make_mut) {
        change(space);
    }
}

/// What is wrong with blend spaces.
fn of_spaces(document: &Document) -> Vec<Problem> {
    let own = |problem: &Problem| problem.place.starts_with("space");
    document.problems().into_iter().filter(own).collect()
}

/// Mends the spaces of a document.
pub(super) fn spaces(document: &mut Document, done: &mut Done) {
    let ids: Vec<BlendSpaceId> = document.blend_spaces.keys().copied().collect();
    for id in ids {
        attempt(
            document,
            of_spaces,
            |d| with_space(d, id, sound),
            "numbers it cannot have set to their defaults",
            done,
        );
        let Some(space) = document.blend_spaces.get(&id) else { continue };
        let leads_back = |plays: Plays| match plays {
            Plays::Space(inner) => inner == id || document.space_contains(inner, id),
            Plays::Clip(_) => false,
        };
        let keep = |plays: Plays| document.has(plays) && !leads_back(plays);
        let kept: Vec<bool> = space.samples.iter().map(|sample| keep(sample.plays)).collect();
        // Weights told by curves go by the places of the samples: there none may move up.
        if space.scheme != BlendScheme::Direct {
            let without = |d: &mut Document| with_space(d, id, |space| keep_samples(space, &kept));
            attempt(document, of_spaces, without, "those samples left out", done);
        }
        let emptied = |d: &mut Document| with_space(d, id, |space| keep_samples(space, &[]));
        attempt(document, of_spaces, emptied, "its samples left out", done);
    }
}

/// Mends the layers of an object, each by itself.
pub(super) fn layers(document: &mut Document, id: ObjectId, done: &mut Done) {
    let masks: Vec<_> = document.masks.keys().copied().collect();
    for at in (0..document.object(id).map_or(0, |object| object.layers.len())).rev() {
        let mut change = |what: &str, change: &dyn Fn(&mut Layer)| {
            let of_layer = |d: &mut Document| {
                changed(d, id, |object| {
                    if let Some(layer) = object.layers.get_mut(at) {
                        change(Arc::make_mut(layer));
                    }
                });
            };
            attempt(document, of_object(id), of_layer, what, done);
        };
        change("the layer acts on all joints", &|layer| layer.mask = layer.mask.filter(|mask| masks.contains(mask)));
        change("numbers it cannot have set to their defaults", &|layer| {
            layer.weight = or(layer.weight, |weight| weight >= 0.0, if layer.weight < 0.0 { 0.0 } else { 1.0 });
            layer.start = or(layer.start, |start| start.abs() <= Layer::MOST_START, 0.0);
            layer.point = finite(layer.point);
        });
        let free = document.object(id).and_then(|object| object.layers.iter().map(|layer| layer.id.0).max());
        let own = LayerId(free.map_or(0, |last| last.saturating_add(1)));
        let numbered = |d: &mut Document| {
            changed(d, id, |object| {
                if let Some(layer) = object.layers.get_mut(at) {
                    Arc::make_mut(layer).id = own;
                }
            });
        };
        attempt(document, of_object(id), numbered, "a number of its own given", done);
        let gone = |d: &mut Document| changed(d, id, |object| drop(object.layers.remove(at)));
        attempt(document, of_object(id), gone, "the layer left out", done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        Axis, Clip, ClipId, Document, FrameRange, JointMaskId, Object, ObjectKind, Rig, SpaceSample, mending::mend,
    };

    fn space(document: &mut Document, samples: &[Plays]) -> BlendSpaceId {
        let axes = [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])];
        let mut space = BlendSpace { scheme: BlendScheme::Delaunay, ..BlendSpace::new("s", axes) };
        let sample = |(at, plays): (usize, &Plays)| SpaceSample::new(*plays, [at as f64, 0.5]);
        space.samples = samples.iter().enumerate().map(sample).collect();
        document.add_space(space)
    }

    #[test]
    fn a_sample_that_cannot_play_goes_alone() {
        let mut document = Document::default();
        let clip = document.add_clip(Clip::new("Walk", FrameRange::new(0, 9)));
        let own = BlendSpaceId(document.next_id);
        let plays = [Plays::Clip(ClipId(99)), Plays::Clip(clip), Plays::Space(own), Plays::Clip(clip)];
        let id = space(&mut document, &plays);
        assert_eq!(id, own);
        with_space(&mut document, id, |space| {
            space.diagonals = vec![[1, 3], [0, 1], [7, 9]];
            space.samples[3].speed = -1.0;
            space.axes[0].range = [3.0, 0.0];
        });
        assert!(mend(&mut document).iter().all(|(_, mended)| mended.is_some()));
        let mended = &document.blend_spaces[&id];
        assert_eq!(mended.samples.iter().map(|sample| sample.at[0]).collect::<Vec<_>>(), [1.0, 3.0]);
        assert_eq!((mended.diagonals.as_slice(), mended.samples[1].speed), (&[[0, 1]][..], 1.0));
        assert_eq!(mended.axes[0].range, [0.0, 3.0]);
        assert!(document.problems().is_empty());
    }

    #[test]
    fn of_two_spaces_that_hold_each_other_one_lets_go() {
        let mut document = Document::default();
        let clip = document.add_clip(Clip::new("Walk", FrameRange::new(0, 9)));
        let other = BlendSpaceId(document.next_id + 1);
        let first = space(&mut document, &[Plays::Space(other), Plays::Clip(clip)]);
        let second = space(&mut document, &[Plays::Space(first), Plays::Clip(clip)]);
        assert_eq!(second, other);
        mend(&mut document);
        assert!(document.problems().is_empty());
        assert_eq!((document.blend_spaces[&first].samples.len(), document.blend_spaces[&second].samples.len()), (1, 2));
    }

    #[test]
    fn a_layer_that_cannot_be_goes_alone() {
        let mut document = Document::default();
        let clip = document.add_clip(Clip::new("Walk", FrameRange::new(0, 9)));
        let mut object = Object::new("Rig", ObjectKind::Rig(Arc::new(Rig::default())));
        let layer = |id: u32, plays: Plays| Layer::new(LayerId(id), "l", plays);
        object.layers = [
            layer(0, Plays::Clip(clip)),
            layer(1, Plays::Clip(ClipId(99))),
            Layer { mask: Some(JointMaskId(77)), weight: -5.0, start: 1e300, ..layer(2, Plays::Clip(clip)) },
            layer(0, Plays::Clip(clip)),
        ]
        .map(Arc::new)
        .into();
        let id = document.add_object(object);
        mend(&mut document);
        assert!(document.problems().is_empty());
        let layers = &document.object(id).unwrap().layers;
        assert_eq!(layers.iter().map(|layer| layer.id.0).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!((layers[1].mask, layers[1].weight, layers[1].start), (None, 0.0, 0.0));
    }
}
