//! A document as it plays in blocking: every pose held until the next.

use crate::model::{
    Clip, ClipId, Curve, Document, Interpolation, Key, RotationCurve, RotationInterpolation, RotationKey, ScalarCurve,
};
use std::{collections::BTreeMap, sync::Arc};

/// Makes documents whose keyed curves hold each key until the next, and remembers what it made: only curves that changed
/// are made anew. Captured curves and corrections have no poses to hold and stay as they are.
#[derive(Debug, Default)]
pub struct Stepped {
    /// By clip: the clip it was made from, and what it became.
    clips: BTreeMap<ClipId, (Arc<Clip>, Arc<Clip>)>,
    /// All of them, and what they became.
    all: Option<(Clips, Clips)>,
}

type Clips = Arc<BTreeMap<ClipId, Arc<Clip>>>;

impl Stepped {
    /// The document with all keyed curves stepped.
    #[must_use]
    pub fn of(&mut self, document: &Document) -> Document {
        Document { clips: self.clips(&document.clips), ..document.clone() }
    }

    fn clips(&mut self, clips: &Clips) -> Clips {
        if let Some((_, made)) = self.all.as_ref().filter(|(known, _)| Arc::ptr_eq(known, clips)) {
            return made.clone();
        }
        let before = std::mem::take(&mut self.clips);
        for (id, clip) in &**clips {
            let made = match before.get(id) {
                Some((known, made)) if Arc::ptr_eq(known, clip) => made.clone(),
                known => Arc::new(stepped(clip, known)),
            };
            self.clips.insert(*id, (clip.clone(), made));
        }
        let made: Clips = Arc::new(self.clips.iter().map(|(id, (_, made))| (*id, made.clone())).collect());
        self.all = Some((clips.clone(), made.clone()));
        made
    }
}

/// A clip with its keyed curves stepped; those that `known` was made from, as it has them.
fn stepped(clip: &Clip, known: Option<&(Arc<Clip>, Arc<Clip>)>) -> Clip {
    let channels = clip.channels.iter().map(|(path, curve)| {
        let made = known.and_then(|(from, made)| {
            let same = from.channels.get(path).is_some_and(|from| Arc::ptr_eq(from, curve));
            made.channels.get(path).filter(|_| same).cloned()
        });
        (*path, made.unwrap_or_else(|| held(curve)))
    });
    Clip { channels: channels.collect(), ..clip.clone() }
}

/// A keyed curve with a step at each key; a captured one as it is.
fn held(curve: &Arc<Curve>) -> Arc<Curve> {
    let mut new = curve.clone();
    match &**curve {
        Curve::Scalar(ScalarCurve::Keyed(_)) | Curve::Rotation(RotationCurve::Keyed(_)) => {}
        _ => return new,
    }
    match Arc::make_mut(&mut new) {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            curve.keys.update_in_place(|_, key| Some(Key { interpolation: Interpolation::Step, ..*key }));
        }
        Curve::Rotation(RotationCurve::Keyed(curve)) => {
            curve
                .keys
                .update_in_place(|_, key| Some(RotationKey { interpolation: RotationInterpolation::Step, ..*key }));
        }
        _ => {}
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve,
        model::{ChannelPath, Component, FrameRange, KeyedCurve, ObjectId, Property, Samples},
    };

    fn path(component: Component) -> ChannelPath {
        ChannelPath::object(ObjectId(1), Property::Translation, component)
    }

    #[test]
    fn each_pose_holds_until_the_next_and_the_keys_are_untouched() {
        let mut clip = Clip::new("clip", FrameRange::new(0, 48));
        let keys = [(0.0, 1.0), (1.0, 5.0), (2.0, -3.0)].map(|(time, value)| Key::new(time, value));
        let keyed = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
        let samples = Samples::new(0.0, crate::model::FrameRate::FPS_24, [0.0, 1.0, 2.0].into());
        clip.channels.insert(path(Component::X), Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed))));
        clip.channels.insert(path(Component::Y), Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        let mut document = Document::default();
        let id = document.add_clip(clip);
        let before = document.clone();
        let mut stepped = Stepped::default();
        let held = stepped.of(&document);
        assert_eq!(document, before);
        let channels = &held.clips[&id].channels;
        let curve = channels[&path(Component::X)].scalar_keys().unwrap();
        let at = |secs| curve::value(curve, secs).unwrap();
        assert_eq!([0.0, 0.99, 1.0, 1.7, 2.0, 9.0].map(at), [1.0, 1.0, 5.0, 5.0, -3.0, -3.0]);
        let captured = |document: &Document| document.clips[&id].channels[&path(Component::Y)].clone();
        assert!(Arc::ptr_eq(&captured(&held), &captured(&document)), "captured curves are as they are");
        // The same document gives the very same parts; after a change only what changed is made anew.
        assert!(Arc::ptr_eq(&held.clips, &stepped.of(&document).clips));
        document.clip_mut(id).unwrap().name = "other".to_owned();
        let again = stepped.of(&document);
        let made = |document: &Document| document.clips[&id].channels[&path(Component::X)].clone();
        assert!(Arc::ptr_eq(&made(&held), &made(&again)));
    }
}
