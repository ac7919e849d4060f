//! Onion skins: which other times are seen through the present one.

use crate::{
    eval::key_poses,
    model::{Document, ObjectId},
};
use serde::{Deserialize, Serialize};

/// Which times are shown as ghosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnionBy {
    /// Every so many frames.
    #[default]
    Frames,
    /// The nearest key poses.
    KeyPoses,
}

impl OnionBy {
    /// All, in the order they are offered.
    pub const ALL: [Self; 2] = [Self::Frames, Self::KeyPoses];
}

/// How ghosts are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GhostLook {
    /// As the mannequin, tinted.
    #[default]
    Mannequin,
    /// Flat.
    Silhouette,
}

impl GhostLook {
    /// All, in the order they are offered.
    pub const ALL: [Self; 2] = [Self::Mannequin, Self::Silhouette];
}

/// What is shown of other times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OnionSkin {
    /// Whether anything is.
    pub on: bool,
    /// Which times.
    pub by: OnionBy,
    /// How many before the present, [`OnionSkin::COUNT`].
    pub before: u8,
    /// How many after it, [`OnionSkin::COUNT`].
    pub after: u8,
    /// Frames from one to the next, [`OnionSkin::STEP`].
    pub step: u8,
    /// How they are drawn.
    pub look: GhostLook,
    /// How plain the nearest ones are, percent, [`OnionSkin::STRENGTH`].
    pub strength: u8,
    /// Ghosts of every rig, not only of the selected ones.
    pub every_rig: bool,
}

impl Default for OnionSkin {
    fn default() -> Self {
        Self {
            on: false,
            by: OnionBy::Frames,
            before: 3,
            after: 3,
            step: 4,
            look: GhostLook::Mannequin,
            strength: 50,
            every_rig: true,
        }
    }
}

/// A ghost to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GhostTime {
    /// When, seconds.
    pub secs: f64,
    /// Whether it lies before the present.
    pub past: bool,
    /// How plain it is: 1 for the nearest, less and less for those farther off, above 0.
    pub share: f64,
}

/// How plain the farthest ghost is beside the nearest.
const FARTHEST_SHARE: f64 = 0.3;

impl OnionSkin {
    /// The fewest and the most ghosts to a side.
    pub const COUNT: (u8, u8) = (0, 12);
    /// The least and the greatest step, frames.
    pub const STEP: (u8, u8) = (1, 60);
    /// The faintest and the plainest, percent.
    pub const STRENGTH: (u8, u8) = (10, 100);

    /// With every number in range.
    #[must_use]
    pub fn sane(self) -> Self {
        let within = |value: u8, (low, high): (u8, u8)| value.clamp(low, high);
        Self {
            before: within(self.before, Self::COUNT),
            after: within(self.after, Self::COUNT),
            step: within(self.step, Self::STEP),
            strength: within(self.strength, Self::STRENGTH),
            ..self
        }
    }

    /// The ghosts of a rig beside a present time, the nearest of each side in turn. Frames lie on the document's whole
    /// frames, within the play range and the rig's clip; none where the object plays nothing.
    #[must_use]
    pub fn times(&self, document: &Document, object: ObjectId, secs: f64) -> Vec<GhostTime> {
        let Some(clip) = document.clip_of(object).and_then(|clip| document.clip(clip)) else { return Vec::new() };
        let (sane, settings) = (self.sane(), &document.settings);
        let frames = |count: u8, sign: i64| -> Vec<f64> {
            let now = settings.rate.nearest_frame(secs);
            let (first, last) =
                (clip.range.first.min(settings.play_range.first), clip.range.last.max(settings.play_range.last));
            let steps = (1..=i64::from(count)).map(|index| now.saturating_add(sign * index * i64::from(sane.step)));
            steps.filter(|frame| (first..=last).contains(frame)).map(|frame| settings.rate.secs(frame)).collect()
        };
        let side = |count: u8, forward: bool| match self.by {
            OnionBy::Frames => frames(count, if forward { 1 } else { -1 }),
            OnionBy::KeyPoses => key_poses::neighbours(document, clip, object, secs, usize::from(count), forward),
        };
        let (past, future) = (side(sane.before, false), side(sane.after, true));
        let share = |index: usize, count: u8| {
            let part = index as f64 / f64::from(count.saturating_sub(1).max(1));
            1.0 - (1.0 - FARTHEST_SHARE) * part
        };
        let mut times = Vec::with_capacity(past.len() + future.len());
        for index in 0..past.len().max(future.len()) {
            for (list, count, is_past) in [(&past, sane.before, true), (&future, sane.after, false)] {
                if let Some(&at) = list.get(index) {
                    times.push(GhostTime { secs: at, past: is_past, share: share(index, count) });
                }
            }
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, FrameRange, Object, Rig};

    fn document() -> (Document, ObjectId) {
        let mut document = Document::default();
        let rig = document.add_object(Object::rig("rig", Rig::default()));
        let clip = document.add_clip(Clip::new("walk", FrameRange::new(0, 47)));
        std::sync::Arc::make_mut(&mut document.settings).clip = Some(clip);
        (document, rig)
    }

    #[test]
    fn frames_lie_within_the_range_the_nearest_first() {
        let (document, rig) = document();
        let onion = OnionSkin { before: 3, after: 2, step: 5, ..OnionSkin::default() };
        let times = onion.times(&document, rig, 12.3 / 24.0);
        let frames: Vec<f64> = times.iter().map(|ghost| (ghost.secs * 24.0).round()).collect();
        assert_eq!(frames, [7.0, 17.0, 2.0, 22.0]);
        assert_eq!(times.iter().map(|ghost| ghost.past).collect::<Vec<_>>(), [true, false, true, false]);
        assert_eq!(times[0].share, 1.0);
        assert!(times[2].share < 1.0 && times[3].share >= FARTHEST_SHARE);
    }

    #[test]
    fn senseless_numbers_are_brought_into_range() {
        let (document, rig) = document();
        let onion = OnionSkin { before: 255, after: 0, step: 0, by: OnionBy::Frames, ..OnionSkin::default() }.sane();
        assert_eq!((onion.before, onion.step), (12, 1));
        assert_eq!(onion.times(&document, rig, 1.0).len(), 12);
        assert!(onion.times(&document, ObjectId(99), f64::NAN).len() <= 12);
        let keys = OnionSkin { by: OnionBy::KeyPoses, ..onion };
        assert!(keys.times(&document, rig, 1.0).is_empty());
    }
}
