//! Squash and stretch from how something falls: stretched as it falls, squashed where it lands, the harder the faster.

use crate::{
    edit::{CurveRef, Edit, EditError, KeyEdit, numbers::key_number},
    eval::Evaluator,
    model::{ChannelPath, Component, DeformerKind, Document, FrameRange, Interpolation, Key, ObjectId, Property},
    progress::{Cancelled, Progress},
};
use std::collections::BTreeMap;

/// How much shorter it is at the hardest landing, a part of its length.
const SQUASH: f64 = 0.35;
/// How much longer it is just before and after the hardest landing, a part of its length.
const STRETCH: f64 = 0.25;
/// Landings slower than this part of the fastest are none: it settles there or turns round smoothly.
const LEAST: f64 = 0.05;
/// Slower falls are none, metres a second.
const STILL: f64 = 1e-3;
/// Looks a frame.
const LOOKS: u32 = 8;
/// Frames after which it is itself again where it stays on the ground.
const RECOVERS: i64 = 3;

/// Where something that moves comes down and is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Landing {
    /// The frame nearest to it.
    frame: i64,
    /// How fast it fell, metres a second, above 0.
    fell: f64,
    /// How fast it rises from there, metres a second, 0 or above.
    rises: f64,
}

/// The landings among heights (metres) at even times; `first` is the frame of the first of them, which is `per_frame` looks
/// before the next, and `rate` frames pass a second. A smooth turn is a landing at the speed it has a look before it: near none.
fn landings(heights: &[f64], first: i64, (per_frame, rate): (f64, f64)) -> Vec<Landing> {
    let slope = |at: usize| (heights[at + 1] - heights[at]) * per_frame * rate;
    // The step that ends at the lowest look may hold a part of the rise: the one before it is all fall.
    let lowest = (2..heights.len().saturating_sub(2))
        .filter(|at| heights[*at] < heights[at - 1] && heights[*at] <= heights[at + 1] && slope(at - 2) < -STILL);
    let found = lowest.map(|at| Landing {
        #[expect(clippy::cast_possible_truncation, reason = "a frame of the range")]
        frame: first + (at as f64 / per_frame).round() as i64,
        fell: -slope(at - 2),
        rises: slope(at + 1).max(0.0),
    });
    let found: Vec<Landing> = found.collect();
    let hardest = found.iter().map(|landing| landing.fell).fold(0.0, f64::max);
    found.into_iter().filter(|landing| landing.fell >= LEAST * hardest).collect()
}

/// The factor of a squash and stretch by frame: 1 where it starts and where it is highest between two landings.
fn factors(landings: &[Landing], first: i64) -> BTreeMap<i64, f64> {
    let hardest = landings.iter().map(|landing| landing.fell).fold(0.0, f64::max);
    let part = |speed: f64| (speed / hardest).clamp(0.0, 1.0);
    let mut factors = BTreeMap::from([(first, 1.0)]);
    for (index, landing) in landings.iter().enumerate() {
        let (before, after) = (index.checked_sub(1).and_then(|at| landings.get(at)), landings.get(index + 1));
        let from = before.map_or(first, |before| before.frame);
        // Two frames or less between two landings leave no time to stretch.
        if landing.frame - from > 3 {
            factors.insert(landing.frame - 1, 1.0 + STRETCH * part(landing.fell));
        }
        match after {
            Some(after) if after.frame - landing.frame > 3 && landing.rises > STILL => {
                factors.insert(landing.frame + 1, 1.0 + STRETCH * part(landing.rises));
                factors.insert(i64::midpoint(landing.frame, after.frame), 1.0);
            }
            Some(after) if after.frame - landing.frame > 1 => {
                factors.insert(i64::midpoint(landing.frame, after.frame), 1.0);
            }
            Some(_) => {}
            None => {
                factors.insert(landing.frame + RECOVERS, 1.0);
            }
        }
    }
    factors.extend(landings.iter().map(|landing| (landing.frame, 1.0 - SQUASH * part(landing.fell))));
    factors
}

/// How high an object is (world, metres) over frames, [`LOOKS`] times a frame, up to a frame beyond the last: what comes to rest
/// at the end lands there.
fn heights(
    document: &Document,
    object: ObjectId,
    frames: FrameRange,
    progress: &Progress,
) -> Result<Vec<f64>, Cancelled> {
    let (evaluator, rate) = (Evaluator::new(), document.settings.rate);
    progress.start(String::new(), frames.len() + 1);
    let mut heights = Vec::new();
    for frame in frames.first..=frames.last.saturating_add(1) {
        progress.check()?;
        for look in 0..LOOKS {
            let secs = rate.secs(frame) + rate.frame_secs() * f64::from(look) / f64::from(LOOKS);
            let at = evaluator.frame(document, secs);
            heights.push(at.objects.get(&object).map_or(0.0, |object| object.world.translation.y));
        }
        progress.advance(1);
    }
    Ok(heights)
}

/// The edit that keys a squash and stretch from how an object moves up and down (world) over frames. The keys that the factor has
/// there go.
///
/// # Errors
/// Where the first object is no squash and stretch, there is no second, or it lands nowhere. The outer error is that someone asked
/// to stop.
pub fn landing_keys(
    document: &Document,
    (squash, mover): (ObjectId, ObjectId),
    frames: FrameRange,
    progress: &Progress,
) -> Result<Result<Edit, EditError>, Cancelled> {
    let deformer = document.object(squash).and_then(|found| found.as_deformer());
    if deformer.is_none_or(|own| own.kind != DeformerKind::Squash) {
        return Ok(Err(EditError::NotADeformer(squash)));
    }
    if document.object(mover).is_none() {
        return Ok(Err(EditError::NoObject(mover)));
    }
    let heights = heights(document, mover, frames, progress)?;
    let found = landings(&heights, frames.first, (f64::from(LOOKS), document.settings.rate.fps()));
    Ok(if found.is_empty() { Err(EditError::LandsNowhere(mover)) } else { keyed(document, squash, frames, &found) })
}

fn keyed(document: &Document, squash: ObjectId, frames: FrameRange, found: &[Landing]) -> Result<Edit, EditError> {
    let rate = document.settings.rate;
    let path = ChannelPath::object(squash, Property::Factor, Component::Only);
    let begun = key_number(document, path, &[(rate.secs(frames.first), 1.0)])?;
    let mut after = document.clone();
    begun.apply(&mut after)?;
    let clip = after.clip_of(squash).ok_or(EditError::NotADeformer(squash))?;
    let at = CurveRef { clip, path };
    let mut edits = vec![begun];
    if let Some(curve) = at.find(&after).and_then(|curve| curve.scalar_keys()) {
        let (from, to) = (rate.secs(frames.first), rate.secs(frames.last + RECOVERS));
        let old = curve.keys.times().filter(|time| (from..=to).contains(time));
        let keys = old.map(|time| (at, time)).collect();
        edits.push(KeyEdit::Delete { keys }.into());
    }
    // Between its keys it never goes beyond them.
    let key = |(frame, factor): (i64, f64)| Key {
        interpolation: Interpolation::Smoothstep,
        ..Key::new(rate.secs(frame), factor)
    };
    edits.push(KeyEdit::Insert { curve: at, keys: factors(found, frames.first).into_iter().map(key).collect() }.into());
    Ok(Edit::Batch(edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, Curve, Deformer, KeyedCurve, Object, ObjectKind, ScalarCurve};
    use std::sync::Arc;

    const SHAPE: (f64, f64) = (8.0, 24.0);

    fn heights_of(of: impl Fn(f64) -> f64, frames: u32) -> Vec<f64> {
        (0..=8 * frames).map(|look| of(f64::from(look) / 8.0 / 24.0)).collect()
    }

    /// Thrown up so that it is down again every `2 v / g` seconds.
    fn arcs(secs: f64, v: f64) -> f64 {
        let t = secs.rem_euclid(2.0 * v / 9.81);
        v * t - 4.905 * t * t
    }

    #[test]
    fn a_ball_lands_where_its_arcs_end() {
        // Half a second an arc.
        let v = 0.25 * 9.81;
        let found = landings(&heights_of(|secs| arcs(secs, v), 60), 0, SHAPE);
        assert_eq!(found.iter().map(|landing| landing.frame).collect::<Vec<_>>(), [12, 24, 36, 48]);
        for landing in &found {
            assert!((landing.fell - v).abs() < 0.15 * v && (landing.rises - v).abs() < 0.15 * v, "{landing:?}");
        }
    }

    #[test]
    fn a_fall_that_is_stopped_is_a_landing_and_smooth_turns_beside_it_are_none() {
        let falls = |secs: f64| if secs < 1.0 { 1.0 - secs * secs } else { 0.05 * (1.0 - (3.0 * (secs - 1.0)).cos()) };
        let found = landings(&heights_of(falls, 60), 10, SHAPE);
        assert_eq!(found.iter().map(|landing| landing.frame).collect::<Vec<_>>(), [34], "{found:?}");
        assert!(found[0].rises < 0.1);
        assert_eq!(landings(&heights_of(|_| 1.0, 60), 0, SHAPE), []);
        assert_eq!(landings(&[], 0, SHAPE), []);
    }

    #[test]
    fn the_harder_it_lands_the_more_it_is_squashed_and_it_ends_itself() {
        let of = |frame, fell, rises| Landing { frame, fell, rises };
        let all = factors(&[of(12, 4.0, 2.0), of(24, 2.0, 1.0), of(26, 1.0, 0.0)], 0);
        let wanted = [
            (0, 1.0),
            (11, 1.25),
            (12, 0.65),
            (13, 1.125),
            (18, 1.0),
            (23, 1.125),
            (24, 0.825),
            (25, 1.0),
            (26, 0.9125),
            (29, 1.0),
        ];
        assert_eq!(all.into_iter().collect::<Vec<_>>(), wanted);
    }

    fn scene(keys: &[(f64, f64)]) -> (Document, ObjectId, ObjectId) {
        let mut document = Document::default();
        let ball = document.add_object(Object::new("Ball", ObjectKind::Empty));
        let squash = Object::new("Squash", ObjectKind::Deformer(Deformer::new(DeformerKind::Squash)));
        let squash = document.add_object(squash);
        let mut clip = Clip::new("clip", FrameRange::new(0, 47));
        let keys =
            keys.iter().map(|(time, value)| Key { interpolation: Interpolation::Linear, ..Key::new(*time, *value) });
        let curve = KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() };
        let path = ChannelPath::object(ball, Property::Translation, Component::Y);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        (document, squash, ball)
    }

    fn keys_of(document: &Document, squash: ObjectId, mover: ObjectId) -> Result<Edit, EditError> {
        landing_keys(document, (squash, mover), FrameRange::new(0, 47), &Progress::new()).unwrap()
    }

    #[test]
    fn keys_are_made_once_however_often_it_is_asked() {
        let (mut document, squash, ball) = scene(&[(0.0, 2.0), (0.5, 0.5), (1.0, 1.5), (1.5, 0.5)]);
        keys_of(&document, squash, ball).unwrap().apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
        let path = ChannelPath::object(squash, Property::Factor, Component::Only);
        let keys = |document: &Document| {
            let clip = document.clip_of(squash).and_then(|clip| document.clip(clip)).unwrap();
            let curve = clip.channels[&path].scalar_keys().unwrap();
            curve.keys.iter().map(|key| ((key.time * 24.0).round() as i64, key.value)).collect::<Vec<_>>()
        };
        let once = keys(&document);
        assert!(once.iter().any(|(frame, factor)| *frame == 12 && *factor < 0.7), "{once:?}");
        assert!(once.iter().any(|(frame, factor)| *frame == 36 && *factor < 0.9), "{once:?}");
        assert_eq!(once.last().map(|(_, factor)| *factor), Some(1.0));
        keys_of(&document, squash, ball).unwrap().apply(&mut document).unwrap();
        assert_eq!(keys(&document), once);
    }

    #[test]
    fn what_stands_still_lands_nowhere_and_others_are_refused() {
        let (document, squash, ball) = scene(&[(0.0, 1.0)]);
        assert_eq!(keys_of(&document, squash, ball), Err(EditError::LandsNowhere(ball)));
        assert_eq!(keys_of(&document, ball, ball), Err(EditError::NotADeformer(ball)));
        let gone = ObjectId(9999);
        assert_eq!(keys_of(&document, squash, gone), Err(EditError::NoObject(gone)));
    }
}
