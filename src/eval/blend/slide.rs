//! How far feet slide over the ground while they stand.

use crate::{
    eval::{
        Evaluator,
        limbs::{Limb, Role},
        size::skeleton_size,
    },
    math::Vec3,
    model::{BlendSpaceId, Document, Layer, LayerId, ObjectId, Plays, Sync},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

/// How long a space is played to see how feet slide, seconds, and in how many steps a second.
const WATCHED: (u32, u32) = (8, 96);

/// How high above its lowest place a foot still stands, of the skeleton's size.
const STANDS: f64 = 0.006;

/// What a foot's slide is, over all the times it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slide {
    /// How often it stood.
    pub steps: usize,
    /// The mean way over the ground from where it was set down to where it left, along its path, metres a step.
    pub mean: f64,
    /// The longest of them, metres.
    pub most: f64,
    /// How long it stood in all, seconds: motions out of step hold the foot in the air, where it does not slide either.
    pub secs: f64,
    /// Its mean speed over the ground while it stood, metres a second.
    pub speed: f64,
}

/// The slide of a foot whose places are known at times `step_secs` apart, world space, Y up, metres: it stands while it is
/// within `height` of the lowest place of all. Standing at the first or the last place counts as a step too.
#[must_use]
pub fn foot_slide(places: &[Vec3], step_secs: f64, height: f64) -> Slide {
    let low = places.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
    let mut ways: Vec<f64> = Vec::new();
    let (mut stood, mut pairs) = (false, 0.0);
    for pair in places.windows(2) {
        let stands = pair.iter().all(|place| place.y - low <= height);
        if stands {
            let step = pair[1] - pair[0];
            if !stood {
                ways.push(0.0);
            }
            if let Some(way) = ways.last_mut() {
                *way += step.x.hypot(step.z);
            }
            pairs += 1.0;
        }
        stood = stands;
    }
    let (sum, secs) = (ways.iter().sum::<f64>(), pairs * step_secs);
    let part = |of: f64| if of > 0.0 { sum / of } else { 0.0 };
    Slide {
        steps: ways.len(),
        mean: part(ways.len() as f64),
        most: ways.iter().copied().fold(0.0, f64::max),
        secs,
        speed: part(secs),
    }
}

/// How a rig's feet slide while it plays nothing but a space, its point standing still, its samples keeping step as told: the
/// means of all its feet, the most of any. None where it has no legs, or there is no such rig or space.
///
/// # Errors
/// Where someone asks to stop.
pub fn space_slide(
    document: &Document,
    object: ObjectId,
    (space, point): (BlendSpaceId, [f64; 2]),
    sync: Sync,
    progress: &Progress,
) -> Result<Option<Slide>, Cancelled> {
    let Some((alone, height)) = alone(document, object, (space, point), sync) else { return Ok(None) };
    let evaluator = Evaluator::new();
    let Some(limbs) = evaluator.limbs(&alone, object) else { return Ok(None) };
    let feet: Vec<usize> = limbs.of_role(Role::Leg).map(Limb::end).collect();
    let begin = alone.settings.rate.secs(alone.settings.play_range.first);
    let step = 1.0 / f64::from(WATCHED.1);
    let mut places: Vec<Vec<Vec3>> = vec![Vec::new(); feet.len()];
    for index in 0..PLACES {
        progress.check()?;
        let frame = evaluator.frame(&alone, begin + f64::from(index) * step);
        for (places, foot) in places.iter_mut().zip(&feet) {
            places.extend(frame.joint_world(object, *foot).map(|world| world.translation));
        }
        progress.advance(1);
    }
    let slides: Vec<Slide> = places.iter().map(|places| foot_slide(places, step, height)).collect();
    let count = slides.len() as f64;
    let mean = |of: fn(&Slide) -> f64| slides.iter().map(of).sum::<f64>() / count;
    Ok((!slides.is_empty()).then(|| Slide {
        steps: slides.iter().map(|slide| slide.steps).sum(),
        mean: mean(|slide| slide.mean),
        most: slides.iter().map(|slide| slide.most).fold(0.0, f64::max),
        secs: mean(|slide| slide.secs),
        speed: mean(|slide| slide.speed),
    }))
}

/// How many places are looked at to see how feet slide, one way of keeping step.
pub const PLACES: u32 = WATCHED.0 * WATCHED.1;

/// A document in which a rig plays nothing but a space, and how high above its lowest place a foot of it still stands, metres.
fn alone(
    document: &Document,
    object: ObjectId,
    (space, point): (BlendSpaceId, [f64; 2]),
    sync: Sync,
) -> Option<(Document, f64)> {
    let size = skeleton_size(&document.object(object)?.as_rig()?.skeleton);
    let mut alone = document.clone();
    Arc::make_mut(Arc::make_mut(&mut alone.blend_spaces).get_mut(&space)?).sync = sync;
    Arc::make_mut(&mut alone.settings).clip = None;
    let layer = Layer { point, ..Layer::new(LayerId(0), "", Plays::Space(space)) };
    let played = alone.object_mut(object)?;
    played.layers = vec![Arc::new(layer)];
    played.constraints.clear();
    Some((alone, STANDS * size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_slides() {
        let place = |x: f64, y: f64| Vec3::new(x, y, 0.0);
        let places = [
            place(0.0, 0.0),
            place(0.01, 0.001),
            place(0.02, 0.0),
            place(0.5, 0.2),
            place(1.0, 0.0),
            place(1.0, 0.0),
            place(1.5, 0.3),
        ];
        let slide = foot_slide(&places, 0.5, 0.01);
        assert_eq!((slide.steps, slide.secs), (2, 1.5));
        assert!((slide.mean - 0.01).abs() < 1e-15 && (slide.most - 0.02).abs() < 1e-15);
        assert!((slide.speed - 0.02 / 1.5).abs() < 1e-15);
        assert_eq!(foot_slide(&[], 0.5, 0.1), Slide::default());
    }
}
