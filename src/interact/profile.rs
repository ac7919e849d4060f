//! Which program's habits the mouse and the keys follow.

use serde::{Deserialize, Serialize};

/// A set of habits for navigation and shortcuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Profile {
    /// Middle drag turns, Shift middle slides, Ctrl middle or the wheel zooms.
    #[default]
    BlenderLike,
    /// Alt with left, middle and right drag turns, slides and zooms.
    MayaLike,
    /// For trackpads and pens: Alt drag turns, with Shift slides, with Ctrl zooms; two fingers turn, pinching zooms.
    NoMiddle,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::BlenderLike, Self::MayaLike, Self::NoMiddle];
}
