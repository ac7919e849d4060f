//! Eases the user keeps by name: how a segment runs, to be given to others. They are the user's and no part of a document;
//! editing a curve never changes one.

use super::{
    curve::is_default,
    key::{EaseShape, Interpolation},
};
use serde::{Deserialize, Serialize};

/// An ease with a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EasePreset {
    /// Its name, not empty; each once in a list.
    pub name: String,
    /// How the segment runs: an ease, or a hold or a straight line.
    pub interpolation: Interpolation,
    /// The numbers of the ease.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ease: EaseShape,
}

impl EasePreset {
    /// Most letters of a name.
    pub const LONGEST_NAME: usize = 80;
    /// Most presets of a list.
    pub const MOST: usize = 1_000;

    /// Whether a segment may run so whatever the neighbours are, so that it can be a preset.
    #[must_use]
    pub fn can_be(interpolation: Interpolation) -> bool {
        interpolation.is_ease() || Interpolation::GROUPS[0].contains(&interpolation)
    }

    /// What is wrong with it, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        if self.name.trim().is_empty() {
            Some("its name is empty: give it one")
        } else if self.name.chars().count() > Self::LONGEST_NAME {
            Some("its name is longer than 80 letters: shorten it")
        } else if !Self::can_be(self.interpolation) {
            Some("its interpolation depends on neighbours: use an ease, Css for any cubic, Linear, Step or Nearest")
        } else if !self.ease.is_sound() {
            Some("a number of its ease is outside its range: mend it")
        } else {
            None
        }
    }

    /// Where a segment from 0 to 1 is at a part of its time, `u` brought into 0..=1; eases may leave 0..=1 on the way.
    #[must_use]
    pub fn value(&self, u: f64) -> f64 {
        let u = if u > 0.0 { u.min(1.0) } else { 0.0 };
        match self.interpolation {
            Interpolation::Step => f64::from(u >= 1.0),
            Interpolation::Nearest => f64::from(u > 0.5),
            Interpolation::Css => self.ease.css_bezier().value(u),
            kind => self.ease.ease(kind).map_or(u, |ease| ease.value(u)),
        }
    }

    /// A name like one wanted that none of some presets has: with a number after it where it is taken.
    #[must_use]
    pub fn free_name(wanted: &str, taken: &[Self]) -> String {
        let wanted: String = wanted.trim().chars().take(Self::LONGEST_NAME - 6).collect();
        let is_taken = |name: &str| name.is_empty() || taken.iter().any(|preset| preset.name == name.trim_start());
        super::names::free(&wanted, is_taken).trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_free_and_faults_are_found() {
        let preset =
            |name: &str, interpolation| EasePreset { name: name.to_owned(), interpolation, ease: EaseShape::default() };
        let known = [preset("soft", Interpolation::Sine), preset("soft 2", Interpolation::Sine)];
        assert_eq!(EasePreset::free_name(" soft ", &known), "soft 3");
        assert_eq!(EasePreset::free_name("hard", &known), "hard");
        assert_eq!(EasePreset::free_name("", &known), "2");
        assert!(preset("a", Interpolation::CatmullRom).fault().is_some());
        assert!(preset(" ", Interpolation::Sine).fault().is_some());
        let ease = EaseShape { power: 9.0, ..EaseShape::PLAIN };
        assert!(EasePreset { ease, ..preset("a", Interpolation::Power) }.fault().is_some());
        for interpolation in Interpolation::ALL.into_iter().filter(|kind| EasePreset::can_be(*kind)) {
            let preset = preset("a", interpolation);
            assert_eq!((preset.fault(), preset.value(0.0), preset.value(1.0)), (None, 0.0, 1.0), "{interpolation:?}");
            assert_eq!(preset.value(f64::NAN), 0.0);
        }
    }
}
