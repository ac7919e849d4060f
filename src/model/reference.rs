//! Reference images: pictures or numbered sequences to animate by, tied to the document's frames. The files stay where they
//! are; the document keeps their names.

use super::curve::is_default;
use serde::{Deserialize, Serialize};

/// Where a reference is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReferencePlace {
    /// Locked to the camera, behind everything.
    #[default]
    Behind,
    /// Locked to the camera, over everything.
    Front,
    /// Standing in the scene, square to the Z axis.
    Scene,
}

impl ReferencePlace {
    /// All places, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Behind, Self::Front, Self::Scene];
}

/// A picture, or a sequence of numbered ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The file, or any of a sequence; `/` between folders, relative to the document's folder where it can be.
    pub path: String,
    /// Whether the last number in the file's name counts on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sequence: bool,
    /// The frame of the document at which the named file is shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: i64,
    /// Frames of the document that each picture of a sequence stands, 1 or more.
    #[serde(default = "one_frame", skip_serializing_if = "is_one_frame")]
    pub step: u32,
    /// Where it is seen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: ReferencePlace,
    /// To the right and up from the middle: locked to the camera in heights of the view, in the scene in metres from the
    /// origin to the middle of its lower edge.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offset: [f64; 2],
    /// Along Z, metres; for one that stands in the scene.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: f64,
    /// Its height: locked to the camera in heights of the view, in the scene in [`Self::SCENE_HEIGHT`]; above 0.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub scale: f64,
    /// How plain it is, 0 to 1.
    #[serde(default = "whole", skip_serializing_if = "is_whole")]
    pub opacity: f64,
    /// Whether it is not shown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
}

const fn one_frame() -> u32 {
    1
}

fn is_one_frame(step: &u32) -> bool {
    *step == 1
}

const fn whole() -> f64 {
    1.0
}

fn is_whole(value: &f64) -> bool {
    *value == 1.0
}

impl Reference {
    /// Height of a reference in the scene whose scale is 1, metres.
    pub const SCENE_HEIGHT: f64 = 2.0;
    /// The least and the greatest scale.
    pub const SCALE: (f64, f64) = (0.01, 100.0);

    /// A file as it is first shown: behind everything, half transparent, from a frame on.
    #[must_use]
    pub fn new(path: String, sequence: bool, start: i64) -> Self {
        Self {
            path,
            sequence,
            start,
            step: 1,
            place: ReferencePlace::Behind,
            offset: [0.0; 2],
            depth: 0.0,
            scale: 1.0,
            opacity: 0.5,
            hidden: false,
        }
    }

    /// What is wrong with its numbers; none where nothing is.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let numbers = [self.offset[0], self.offset[1], self.depth, self.scale, self.opacity];
        if numbers.iter().any(|number| !number.is_finite()) {
            Some("a number is not finite")
        } else if self.step == 0 {
            Some("its frames a picture are 0")
        } else if !(Self::SCALE.0..=Self::SCALE.1).contains(&self.scale) {
            Some("its scale is not from 0.01 to 100")
        } else if !(0.0..=1.0).contains(&self.opacity) {
            Some("its opacity is not from 0 to 1")
        } else {
            None
        }
    }
}
