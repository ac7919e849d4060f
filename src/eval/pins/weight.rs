//! How much of a pin acts at a time.

use crate::{
    eval::sample::scalar_value,
    model::{ChannelPath, Clip, Curve, ObjectId, Pin, clip::SAME_TIME_SECS},
};
use std::sync::Arc;

/// How far a pin has come at a time: 1 within its range, 0 before it comes and after it has gone, between them
/// `6u^5 - 15u^4 + 10u^3`, whose slope and curvature are 0 at both ends.
#[must_use]
pub fn ease_at(pin: &Pin, secs: f64) -> f64 {
    let (start, end) = pin.range;
    let come = |past: f64, takes: f64| {
        if past <= SAME_TIME_SECS {
            1.0
        } else if past >= takes - SAME_TIME_SECS {
            0.0
        } else {
            let u = 1.0 - past / takes;
            u * u * u * (10.0 + u * (6.0 * u - 15.0))
        }
    };
    come(start - secs, pin.ease.0) * come(secs - end, pin.ease.1)
}

/// The influence of a pin at a time, 0..1: its curve's value, else the number that stands.
#[must_use]
pub fn influence(clip: &Clip, pin: &Pin, secs: f64) -> f64 {
    let curve = clip.acting(&ChannelPath::influence(pin.object, pin.id));
    let keyed = match curve.map(|curve| &**curve) {
        Some(Curve::Scalar(curve)) => scalar_value(curve, secs),
        _ => None,
    };
    keyed.unwrap_or(pin.influence).clamp(0.0, 1.0)
}

/// The pins of an object's joints that act at a time, in order, with how much of each acts (above 0, to 1).
pub fn acting(clip: &Clip, object: ObjectId, secs: f64) -> impl Iterator<Item = (&Arc<Pin>, f64)> {
    let pins = clip.pins.iter().filter(move |pin| pin.object == object && !pin.muted);
    pins.filter_map(move |pin| {
        let eased = ease_at(pin, secs);
        let weight = if eased > 0.0 { eased * influence(clip, pin, secs) } else { 0.0 };
        (weight > 0.0).then_some((pin, weight))
    })
}

/// Whether any pin acts on an object at a time.
#[must_use]
pub fn acts_on(clip: &Clip, object: ObjectId, secs: f64) -> bool {
    acting(clip, object, secs).next().is_some()
}
