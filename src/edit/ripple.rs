//! Time put into a clip or taken out of it: all that comes later moves.

use super::{Edit, EditError, clips::clip_mut, corrections, error::finite, keys::shifted};
use crate::{
    eval::curve::sampled,
    model::{
        ChannelPath, Clip, ClipId, Curve, Document, FrameRange, FrameRate, Key, Keys, Marker, Pin, Retime,
        RotationCurve, RotationKey, ScalarCurve, UnkeyedFrame, clip::SAME_TIME_SECS, keys::Timed, retime::Phi,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a clip's time: its curves, corrections, retimes, pins, markers, waiting edits and frames move together. Where the clip is the
/// document's own, the play range goes along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TimeEdit {
    /// Puts frames in before what stands at a time. Keys at or after it move on, so that the segment across it grows;
    /// captured channels hold there what they show at that time.
    Insert {
        /// The clip.
        clip: ClipId,
        /// The time, seconds.
        at: f64,
        /// How many frames, at the document's rate; at least 1.
        frames: u32,
    },
    /// Takes frames out from a time on, with the keys and samples on them. What is held or corrected there only, goes too. A
    /// curve that would lose its last key keeps it, at that time.
    Remove {
        /// The clip.
        clip: ClipId,
        /// The time, seconds.
        at: f64,
        /// How many frames, at the document's rate; at least 1.
        frames: u32,
    },
}

impl From<TimeEdit> for Edit {
    fn from(edit: TimeEdit) -> Self {
        Self::Time(edit)
    }
}

impl TimeEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        let (id, at, frames, inserts) = match self {
            Self::Insert { clip, at, frames } => (*clip, *at, *frames, true),
            Self::Remove { clip, at, frames } => (*clip, *at, *frames, false),
        };
        finite("a time", at)?;
        if frames == 0 {
            return Err(EditError::BadNumber { what: "a number of frames", value: 0.0 });
        }
        let rate = document.settings.rate;
        let ripple = Ripple { rate, at, frames: i64::from(frames), inserts };
        let is_main = document.settings.clip == Some(id);
        ripple.clip(clip_mut(document, id)?);
        if is_main {
            let settings = Arc::make_mut(&mut document.settings);
            settings.play_range = ripple.range(settings.play_range);
        }
        Ok(())
    }
}

/// Where times go.
#[derive(Clone, Copy, Debug)]
struct Ripple {
    rate: FrameRate,
    at: f64,
    frames: i64,
    inserts: bool,
}

impl Ripple {
    fn secs(&self) -> f64 {
        self.rate.secs(self.frames)
    }

    /// Where a time goes; none where it is taken out.
    fn time(&self, secs: f64) -> Option<f64> {
        let before = secs < self.at - SAME_TIME_SECS;
        if before {
            Some(secs)
        } else if self.inserts {
            Some(shifted(self.rate, secs, self.secs()))
        } else if secs < self.at + self.secs() - SAME_TIME_SECS {
            None
        } else {
            Some(shifted(self.rate, secs, -self.secs()))
        }
    }

    /// Where the end of a range goes: onto the cut where it is taken out.
    fn end(&self, secs: f64) -> f64 {
        self.time(secs).unwrap_or(self.at)
    }

    fn range(&self, range: FrameRange) -> FrameRange {
        let at = self.rate.nearest_frame(self.at);
        let (first, last) = (range.first, range.last);
        if self.inserts {
            let moved = |frame: i64| if frame >= at { frame.saturating_add(self.frames) } else { frame };
            // A range that begins at the time has the new frames in it.
            return FrameRange::new(if first > at { moved(first) } else { first }, moved(last));
        }
        let cut = at.saturating_add(self.frames);
        let moved = |frame: i64, onto: i64| match frame {
            frame if frame < at => frame,
            frame if frame < cut => onto,
            frame => frame - self.frames,
        };
        let first = moved(first, at);
        FrameRange::new(first, moved(last, at - 1).max(first))
    }

    fn clip(&self, clip: &mut Clip) {
        for curve in clip.channels.values_mut() {
            *curve = Arc::new(self.curve(curve));
        }
        let corrections = std::mem::take(&mut clip.corrections);
        clip.corrections = corrections.iter().filter_map(|correction| self.correction(correction)).collect();
        clip.retimes = clip.retimes.drain(..).filter_map(|retime| self.retime(&retime)).collect();
        let (stay, gone): (Vec<_>, Vec<_>) = clip.pins.drain(..).partition(|pin| self.keeps(pin));
        for pin in gone {
            clip.channels.remove(&ChannelPath::influence(pin.object, pin.id));
        }
        clip.pins = stay.into_iter().map(|pin| Arc::new(self.pin(&pin))).collect();
        let waiting = clip.unkeyed.drain(..).filter_map(|frame| {
            let time = self.time(frame.time)?;
            Some(UnkeyedFrame { time, ..frame })
        });
        clip.unkeyed = waiting.collect();
        clip.markers = clip.markers.drain(..).filter_map(|m| Some(Marker { time: self.time(m.time)?, ..m })).collect();
        clip.range = self.range(clip.range);
    }

    fn curve(&self, curve: &Curve) -> Curve {
        let mut curve = curve.clone();
        match &mut curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                curve.keys = self.keys(&curve.keys, |key, time| Key { time, ..*key });
            }
            Curve::Rotation(RotationCurve::Keyed(curve)) => {
                curve.keys = self.keys(&curve.keys, |key, time| RotationKey { time, ..*key });
            }
            Curve::Scalar(ScalarCurve::Sampled(samples)) => {
                let at = |secs| sampled::value(samples, secs).unwrap_or_default();
                let (start, values) = self.samples((samples.start, samples.rate), &samples.values, at);
                (samples.start, samples.values) = (start, values.into());
            }
            Curve::Rotation(RotationCurve::Sampled(samples)) => {
                let at = |secs| sampled::rotation(samples, secs).unwrap_or_default();
                let (start, values) = self.samples((samples.start, samples.rate), &samples.values, at);
                (samples.start, samples.values) = (start, values.into());
            }
        }
        curve
    }

    fn keys<K: Timed>(&self, keys: &Keys<K>, at: impl Fn(&K, f64) -> K) -> Keys<K> {
        let moved: Keys<K> = keys.iter().filter_map(|key| Some(at(&key, self.time(key.time())?))).collect();
        match keys.last() {
            Some(last) if moved.is_empty() => [at(&last, self.at)].into_iter().collect(),
            _ => moved,
        }
    }

    /// Samples with time put in or taken out: their start and values. On the samples' own times values are moved to the bit.
    fn samples<T: Clone>(
        &self,
        (start, rate): (f64, FrameRate),
        values: &[T],
        value: impl Fn(f64) -> T,
    ) -> (f64, Vec<T>) {
        let count = i64::try_from(values.len()).unwrap_or(i64::MAX);
        let last = start + rate.secs(count - 1);
        if values.is_empty() || self.at > last + SAME_TIME_SECS {
            return (start, values.to_vec());
        }
        if self.inserts {
            if start >= self.at - SAME_TIME_SECS {
                return (shifted(self.rate, start, self.secs()), values.to_vec());
            }
            let count = count.saturating_add(rate.nearest_frame(self.secs()));
            let old = |secs: f64| {
                let into = secs - self.at;
                if into <= 0.0 { secs } else { self.at + (into - self.secs()).max(0.0) }
            };
            return (start, (0..count).map(|i| value(old(start + rate.secs(i)))).collect());
        }
        // The first sample that is left stands on the cut, or where it stood.
        let start_after = self.end(start);
        let end_after = self.time(last).unwrap_or(self.at - rate.frame_secs());
        let count = rate.nearest_frame(end_after - start_after).saturating_add(1).max(1);
        let old = |secs: f64| if secs < self.at - SAME_TIME_SECS { secs } else { secs + self.secs() };
        (start_after, (0..count).map(|i| value(old(start_after + rate.secs(i)))).collect())
    }

    fn correction(&self, correction: &Arc<crate::model::Correction>) -> Option<Arc<crate::model::Correction>> {
        let range = (self.end(correction.range.0), self.end(correction.range.1));
        if range.1 - range.0 <= SAME_TIME_SECS {
            return None;
        }
        if correction.range.1 < self.at - SAME_TIME_SECS {
            return Some(correction.clone());
        }
        let curve = |curve: &Curve| self.curve(curve);
        corrections::retimed(correction, range, self.rate.frame_secs(), |secs| self.time(secs), curve).map(Arc::new)
    }

    /// A retime with its times and the times it reads moved; none where too little of it is left to be one.
    fn retime(&self, retime: &Arc<Retime>) -> Option<Arc<Retime>> {
        let keys = retime.phi.keys().iter();
        let keys = keys.filter_map(|(time, read)| Some((self.time(*time)?, self.time(*read)?))).collect();
        let phi = Phi::new(keys).ok()?;
        Some(Arc::new(Retime { phi, ..(**retime).clone() }))
    }

    /// Whether a pin is left: it does not lie wholly in what is taken out.
    fn keeps(&self, pin: &Pin) -> bool {
        self.time(pin.range.0).is_some()
            || self.time(pin.range.1).is_some()
            || (pin.range.0 < self.at && pin.range.1 > self.at + self.secs())
    }

    fn pin(&self, pin: &Pin) -> Pin {
        Pin { range: (self.end(pin.range.0), self.end(pin.range.1)), ..pin.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, KeyedCurve, ObjectId, Property, Samples};

    const FPS: FrameRate = FrameRate::FPS_24;

    fn path(component: Component) -> ChannelPath {
        ChannelPath::object(ObjectId(1), Property::Translation, component)
    }

    /// A channel with keys on frames 0, 10, 20, 30 and one with a sample a frame whose value is the frame.
    fn document() -> (Document, ClipId) {
        let mut document = Document::default();
        document.add_object(crate::model::Object::rig("rig", crate::model::Rig::default()));
        let mut clip = Clip::new("clip", FrameRange::new(0, 40));
        let keys = [0, 10, 20, 30].map(|frame| Key::new(FPS.secs(frame), frame as f64)).into_iter().collect();
        let keyed = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }));
        let values = (0..=40).map(f64::from).collect();
        let captured = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, FPS, values)));
        clip.channels.insert(path(Component::X), Arc::new(keyed));
        clip.channels.insert(path(Component::Y), Arc::new(captured));
        for (id, frame) in [(0, 5), (1, 12), (2, 30)] {
            let (id, time) = (crate::model::MarkerId(id), FPS.secs(frame));
            clip.markers.push(Marker { id, time, name: String::new(), colour: Default::default(), sync: false });
        }
        let id = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(id);
        Arc::make_mut(&mut document.settings).play_range = FrameRange::new(0, 40);
        (document, id)
    }

    fn frames(document: &Document, clip: ClipId) -> Vec<f64> {
        let curve = &document.clips[&clip].channels[&path(Component::X)];
        curve.scalar_keys().unwrap().keys.iter().map(|key| FPS.frame_f64(key.time)).collect()
    }

    fn samples(document: &Document, clip: ClipId) -> Vec<f64> {
        match &*document.clips[&clip].channels[&path(Component::Y)] {
            Curve::Scalar(ScalarCurve::Sampled(samples)) => samples.values.to_vec(),
            _ => panic!("captured"),
        }
    }

    #[test]
    fn what_comes_later_moves_and_captured_channels_hold() {
        let (mut document, clip) = document();
        let at = FPS.secs(10);
        Edit::from(TimeEdit::Insert { clip, at, frames: 5 }).apply(&mut document).unwrap();
        assert_eq!(frames(&document, clip), [0.0, 15.0, 25.0, 35.0]);
        let marks = |document: &Document| -> Vec<f64> {
            document.clips[&clip].markers.iter().map(|marker| FPS.frame_f64(marker.time)).collect()
        };
        assert_eq!(marks(&document), [5.0, 17.0, 35.0]);
        let held: Vec<f64> = (0..10).map(f64::from).chain([10.0; 6]).chain((11..=40).map(f64::from)).collect();
        assert_eq!(samples(&document, clip), held);
        assert_eq!(document.clips[&clip].range, FrameRange::new(0, 45));
        assert_eq!(document.settings.play_range, FrameRange::new(0, 45));
        assert_eq!(document.problems(), []);
        // Taken out again it is as it was, to the bit.
        let (before, _) = self::document();
        Edit::from(TimeEdit::Remove { clip, at, frames: 5 }).apply(&mut document).unwrap();
        assert_eq!(document, before);
    }

    #[test]
    fn what_lies_in_the_frames_goes_and_the_last_key_stays() {
        let (mut document, clip) = document();
        Edit::from(TimeEdit::Remove { clip, at: FPS.secs(5), frames: 16 }).apply(&mut document).unwrap();
        assert_eq!(frames(&document, clip), [0.0, 14.0]);
        let marks = document.clips[&clip].markers.iter().map(|marker| FPS.frame_f64(marker.time));
        assert_eq!(marks.collect::<Vec<_>>(), [14.0]);
        assert_eq!(samples(&document, clip), (0..5).chain(21..=40).map(f64::from).collect::<Vec<_>>());
        assert_eq!(document.clips[&clip].range, FrameRange::new(0, 24));
        Edit::from(TimeEdit::Remove { clip, at: 0.0, frames: 1000 }).apply(&mut document).unwrap();
        assert_eq!(frames(&document, clip), [0.0]);
        assert_eq!(samples(&document, clip).len(), 1);
        assert_eq!(document.problems(), []);
        let none = Edit::from(TimeEdit::Insert { clip, at: 0.0, frames: 0 });
        assert!(none.apply(&mut document).is_err());
    }
}
