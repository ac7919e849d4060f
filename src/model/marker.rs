//! Markers: named places in a clip's time.

use super::{
    curve::{finite, is_default},
    id::MarkerId,
};
use serde::{Deserialize, Serialize};

/// A named place in a clip's time. It moves nothing: it is gone to, snapped to by the eye, and moves with time that is put
/// in or taken out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Its identity in the clip.
    pub id: MarkerId,
    /// Seconds, finite.
    #[serde(rename = "t", deserialize_with = "finite::number")]
    pub time: f64,
    /// Its name; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its colour.
    #[serde(default, skip_serializing_if = "is_default")]
    pub colour: MarkerColour,
    /// Whether it is a mark of step: blend spaces that keep step by markers match those of one name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sync: bool,
}

/// The colour of a marker, out of few that can be told apart on light and dark grounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MarkerColour {
    /// Yellow.
    #[default]
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Purple.
    Purple,
    /// Orange.
    Orange,
}

impl MarkerColour {
    /// All colours, in the order they are offered.
    pub const ALL: [Self; 5] = [Self::Yellow, Self::Green, Self::Blue, Self::Purple, Self::Orange];
}
