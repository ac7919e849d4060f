//! A race of schemes: the same keys under several interpolations and whole-curve schemes, as curves to draw, to measure and
//! to pose by. Nothing here touches a document; the winner is written by an ordinary edit.

mod figures;
mod wrong;

pub use figures::{Figures, figures, length_in_space};
pub use wrong::WrongForm;

use crate::model::{ChannelPath, ClipId, Curve, Document, Interpolation, KeyedCurve, ScalarCurve, Scheme};
use std::sync::Arc;

/// Curves of more keys than this are not raced.
pub const MOST_KEYS: usize = 2_048;

/// What takes part in a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entrant {
    /// Every segment by one interpolation, with the keys' own handles and numbers.
    Interpolation(Interpolation),
    /// One scheme for the whole curve; never [`Scheme::PerKey`].
    Scheme(Scheme),
    /// A formula that is printed wrong in course notes, computed as printed.
    Wrong(WrongForm),
}

impl Entrant {
    /// All that can be raced, in the order they are offered: interpolations, whole-curve schemes, wrong forms.
    pub fn all() -> impl Iterator<Item = Self> {
        let schemes = Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::PerKey).map(Self::Scheme);
        Interpolation::ALL
            .into_iter()
            .map(Self::Interpolation)
            .chain(schemes)
            .chain(WrongForm::ALL.into_iter().map(Self::Wrong))
    }

    /// Whether it is a wrong form, which is raced but never kept.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Wrong(_))
    }

    /// The curve by this entrant. Extrapolation and modifiers stay; keys keep their times, values and numbers, but those of
    /// a wrong form are made to draw it and say nothing about the curve raced. None for more than [`MOST_KEYS`] keys.
    #[must_use]
    pub fn curve(self, curve: &KeyedCurve) -> Option<KeyedCurve> {
        if curve.keys.len() > MOST_KEYS {
            return None;
        }
        Some(match self {
            Self::Interpolation(interpolation) => KeyedCurve {
                keys: curve.keys.iter().map(|key| key.given(interpolation)).collect(),
                scheme: Scheme::PerKey,
                ..curve.clone()
            },
            Self::Scheme(scheme) => KeyedCurve { scheme, ..curve.clone() },
            Self::Wrong(form) => form.curve(curve),
        })
    }
}

/// A document in which these channels of a clip run by an entrant, to be posed by. Channels that are not keyed scalars, or
/// have too many keys, stay as they are. None where there is no such clip or nothing changes.
#[must_use]
pub fn document(before: &Document, clip: ClipId, channels: &[ChannelPath], entrant: Entrant) -> Option<Document> {
    let curves = &before.clip(clip)?.channels;
    let raced = channels.iter().filter_map(|path| {
        let curve = entrant.curve(curves.get(path)?.scalar_keys()?)?;
        Some((*path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve)))))
    });
    let raced: Vec<(ChannelPath, Arc<Curve>)> = raced.collect();
    if raced.is_empty() {
        return None;
    }
    let mut document = before.clone();
    document.clip_mut(clip)?.channels.extend(raced);
    Some(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::value,
        model::{Clip, Component, FrameRange, Key, ObjectId, Property},
    };

    fn keyed() -> KeyedCurve {
        let keys = [(0.0, 1.0), (1.0, -2.0), (1.5, 3.0), (4.0, 3.5)];
        let key = |(time, value)| Key { tension: 0.25, bias: 0.5, ..Key::new(time, value) };
        KeyedCurve { keys: keys.map(key).into_iter().collect(), ..KeyedCurve::default() }
    }

    #[test]
    fn every_entrant_but_the_wrong_ones_meets_the_keys() {
        let curve = keyed();
        assert_eq!(Entrant::all().count(), Interpolation::ALL.len() + Scheme::ALL.len() - 1 + 4);
        for entrant in Entrant::all().filter(|entrant| !entrant.is_wrong()) {
            let raced = entrant.curve(&curve).unwrap();
            for key in curve.keys.iter() {
                let off = (value(&raced, key.time).unwrap() - key.value).abs();
                assert!(off <= 1e-12, "{entrant:?} {off}");
            }
            assert!(raced.keys.iter().zip(curve.keys.iter()).all(|(a, b)| (a.time, a.value) == (b.time, b.value)));
        }
    }

    #[test]
    fn too_many_keys_are_not_raced_and_a_document_changes_only_its_channels() {
        let many = (0..=MOST_KEYS).map(|i| Key::new(i as f64, 0.0)).collect();
        let many = KeyedCurve { keys: many, ..KeyedCurve::default() };
        assert!(Entrant::Scheme(Scheme::Natural).curve(&many).is_none());
        let mut before = Document::default();
        let mut clip = Clip::new("walk", FrameRange::new(0, 10));
        let path = |component| ChannelPath::object(ObjectId(1), Property::Translation, component);
        let [x, y] = [Component::X, Component::Y].map(path);
        for path in [x, y] {
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed()))));
        }
        let clip = before.add_clip(clip);
        let entrant = Entrant::Interpolation(Interpolation::Linear);
        let raced = document(&before, clip, &[x], entrant).unwrap();
        let [old, new] = [&before, &raced].map(|document| &document.clip(clip).unwrap().channels);
        assert!(Arc::ptr_eq(&old[&y], &new[&y]));
        assert_eq!(new[&x].scalar_keys(), entrant.curve(&keyed()).as_ref());
        assert!(document(&before, clip, &[], entrant).is_none());
        assert!(document(&before, ClipId(99), &[x], entrant).is_none());
    }
}
