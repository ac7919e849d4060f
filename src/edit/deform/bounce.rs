//! A squash that swings about its length at rest and comes to rest: keys of the factor of a squash and stretch.

use crate::{
    edit::{CurveRef, Edit, EditError, KeyEdit, numbers::key_number},
    eval::deform::functions::bounce,
    model::{ChannelPath, Component, DeformerKind, Document, Interpolation, Key, ObjectId, Property},
};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A damped swing: `1 + amplitude sin(2 pi frequency t) e^(-damping t)` (SPEC E-EAS-5).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounce {
    /// How far it swings to begin with, parts of the length, below 1 in size: more would turn it inside out. Below 0 it is squashed first.
    pub amplitude: f64,
    /// Swings a second, above 0.
    pub frequency: f64,
    /// How fast it comes to rest, a second: after `1 / damping` seconds a third is left. At least [`Bounce::LEAST_DAMPING`].
    pub damping: f64,
}

impl Default for Bounce {
    /// Squashed by a third, twice a second, at rest after two seconds.
    fn default() -> Self {
        Self { amplitude: -0.35, frequency: 2.0, damping: 2.5 }
    }
}

/// Keys a swing.
const KEYS: f64 = 8.0;
/// What is left of the amplitude where it ends.
const ENDS: f64 = 0.004;
/// It ends after so many keys at the latest.
const MOST: u32 = 400;

impl Bounce {
    /// The least damping: less would not come to rest within keys' reach.
    pub const LEAST_DAMPING: f64 = 0.05;

    /// Brought within its ranges.
    #[must_use]
    pub fn sound(self) -> Self {
        let finite = |value: f64, other: f64| if value.is_finite() { value } else { other };
        let rest = Self::default();
        Self {
            amplitude: finite(self.amplitude, rest.amplitude).clamp(-0.95, 0.95),
            frequency: finite(self.frequency, rest.frequency).clamp(0.05, 30.0),
            damping: finite(self.damping, rest.damping).clamp(Self::LEAST_DAMPING, 100.0),
        }
    }

    /// The slope of the factor, a second.
    fn slope(&self, secs: f64) -> f64 {
        let turn = TAU * self.frequency;
        let swing = turn * (turn * secs).cos() - self.damping * (turn * secs).sin();
        self.amplitude * swing * (-self.damping * secs).exp()
    }
}

/// The edit that keys a bounce of a squash and stretch from a time on: keys with the swing's own slopes, the last one at rest.
///
/// # Errors
/// Where the object is no squash and stretch.
pub fn bounce_keys(document: &Document, object: ObjectId, secs: f64, wanted: Bounce) -> Result<Edit, EditError> {
    let deformer = document.object(object).and_then(|found| found.as_deformer());
    deformer.filter(|own| own.kind == DeformerKind::Squash).ok_or(EditError::NotADeformer(object))?;
    let own = wanted.sound();
    let step = 1.0 / (KEYS * own.frequency);
    let length = (own.amplitude.abs().max(ENDS) / ENDS).ln() / own.damping;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
    let count = ((length / step).ceil().max(1.0) as u32).min(MOST);
    let path = ChannelPath::object(object, Property::Factor, Component::Only);
    let begun = key_number(document, path, &[(secs, 1.0)])?;
    let mut after = document.clone();
    begun.apply(&mut after)?;
    let clip = after.clip_of(object).ok_or(EditError::NotADeformer(object))?;
    let key = |n: u32| {
        let at = f64::from(n) * step;
        let last = n == count;
        let value = if last { 1.0 } else { bounce(own.amplitude, own.frequency, own.damping, at) };
        let slope = if last { 0.0 } else { own.slope(at) };
        Key { interpolation: Interpolation::Hermite, slope_in: slope, slope_out: slope, ..Key::new(secs + at, value) }
    };
    let keys = (0..=count).map(key).collect();
    Ok(Edit::Batch(vec![begun, KeyEdit::Insert { curve: CurveRef { clip, path }, keys }.into()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::sample::{Stage, number},
        model::{Deformer, Object, ObjectKind},
    };

    #[test]
    fn the_keys_run_as_the_swing_does_and_end_at_rest() {
        for own in [Bounce::default(), Bounce { amplitude: 0.9, frequency: 5.0, damping: 0.3 }] {
            let mut document = Document::default();
            let kind = ObjectKind::Deformer(Deformer::new(DeformerKind::Squash));
            let squash = document.add_object(Object::new("Squash", kind));
            bounce_keys(&document, squash, 0.5, own).unwrap().apply(&mut document).unwrap();
            assert_eq!(document.problems(), []);
            let clip = document.clip_of(squash).and_then(|clip| document.clip(clip)).cloned();
            let path = ChannelPath::object(squash, Property::Factor, Component::Only);
            let at = |secs: f64| number(&document, clip.as_deref(), path, secs, Stage::Shown).unwrap();
            for n in 0..200 {
                let t = f64::from(n) * 0.013;
                let wanted = bounce(own.amplitude, own.frequency, own.damping, t);
                assert!((at(0.5 + t) - wanted).abs() < 5e-3, "{t}: {} {wanted}", at(0.5 + t));
                assert!(at(0.5 + t) > 0.0);
            }
            assert_eq!((at(0.0), at(1e4)), (1.0, 1.0));
        }
    }

    #[test]
    fn nonsense_is_brought_within_range_and_others_are_refused() {
        let mut document = Document::default();
        let bend = document.add_object(Object::new("Bend", ObjectKind::Deformer(Deformer::new(DeformerKind::Bend))));
        assert!(bounce_keys(&document, bend, 0.0, Bounce::default()).is_err());
        let kind = ObjectKind::Deformer(Deformer::new(DeformerKind::Squash));
        let squash = document.add_object(Object::new("Squash", kind));
        let mad = Bounce { amplitude: f64::NAN, frequency: -1.0, damping: 0.0 };
        let edit = bounce_keys(&document, squash, 0.0, mad).unwrap();
        edit.apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
    }
}
