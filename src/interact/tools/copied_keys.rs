//! Copied keys, and the text they are on the system's clipboard: JSON, for another running program to paste.

use crate::model::{ChannelPath, Document, Key, RotationKey, names};
use serde::{Deserialize, Serialize};

/// Keys that were copied: by channel, times (seconds) counted from the first of all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CopiedKeys {
    /// The channels and their keys, none of them without.
    pub curves: Vec<(ChannelPath, CopiedCurve)>,
}

/// Copied keys of one channel.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub enum CopiedCurve {
    /// Of a number.
    #[serde(rename = "numbers")]
    Scalar(Vec<Key>),
    /// Of a rotation as a whole.
    #[serde(rename = "rotations")]
    Rotation(Vec<RotationKey>),
}

impl CopiedCurve {
    fn len(&self) -> usize {
        match self {
            Self::Scalar(keys) => keys.len(),
            Self::Rotation(keys) => keys.len(),
        }
    }

    fn is_sound(&self) -> bool {
        match self {
            Self::Scalar(keys) => keys.iter().all(Key::is_sound),
            // Reading refuses all that is no rotation.
            Self::Rotation(_) => true,
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Text {
    inbetween_keys: Vec<ChannelText>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ChannelText {
    channel: String,
    keys: CopiedCurve,
}

impl CopiedKeys {
    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.curves.iter().map(|(_, keys)| keys.len()).sum()
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The keys as text, channels by the names they have in a document.
    #[must_use]
    pub fn text(&self, document: &Document) -> String {
        let named = self.curves.iter().filter_map(|(path, keys)| {
            Some(ChannelText { channel: names::channel_name(document, *path)?, keys: keys.clone() })
        });
        serde_json::to_string(&Text { inbetween_keys: named.collect() }).unwrap_or_default()
    }

    /// The keys that a text is, for the channels of a document that have these names; none where it is anything else, a
    /// number in it is none that a key could have, or the document has no such channel.
    #[must_use]
    pub fn read(text: &str, document: &Document) -> Option<Self> {
        let Text { inbetween_keys } = serde_json::from_str(text).ok()?;
        if !inbetween_keys.iter().all(|channel| channel.keys.is_sound()) {
            return None;
        }
        let found = inbetween_keys
            .into_iter()
            .filter_map(|channel| Some((names::find_channel(document, &channel.channel)?, channel.keys)));
        Some(Self { curves: found.collect() }).filter(|copied| !copied.is_empty())
    }

    /// Takes keys that another program copied, where a pasted text is some. What was copied here is kept as it is: text may
    /// round its numbers. Whether it is keys of channels of this document; where not, those copied here last stay.
    pub fn take(&mut self, pasted: &str, document: &Document) -> bool {
        if !self.is_empty() && self.text(document) == pasted {
            return true;
        }
        let copied = Self::read(pasted, document);
        let is_some = copied.is_some();
        *self = copied.unwrap_or_else(|| std::mem::take(self));
        is_some
    }

    /// What to say of a pasted text that is no keys, as a text key.
    #[must_use]
    pub const fn foreign(&self) -> &'static str {
        if self.curves.is_empty() { "dope.no_keys_there" } else { "dope.own_pasted" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Quat,
        model::{Component, Interpolation, Object, Property, Rig, RotationInterpolation, Target},
    };

    fn document(before: usize) -> (Document, ChannelPath, ChannelPath) {
        let mut document = Document::default();
        // The other program's objects have other numbers.
        for index in 0..before {
            document.add_object(Object::rig(&format!("other {index}"), Rig::default()));
        }
        let id = document.add_object(Object::rig("a/b \"c\"", Rig::default()));
        let turn =
            ChannelPath { target: Target::Object(id), property: Property::Rotation, component: Component::Whole };
        (document, ChannelPath::object(id, Property::Translation, Component::X), turn)
    }

    #[test]
    fn keys_go_by_text_from_one_document_to_another_by_the_names_of_their_channels() {
        let (from, x, turn) = document(0);
        let keys = vec![
            Key { interpolation: Interpolation::Tcb, tension: 0.25, ..Key::new(0.0, -1.5) },
            Key::new(0.1 + 0.2, 1e-300),
        ];
        let turns = vec![RotationKey::new(0.5, Quat::identity(), RotationInterpolation::Squad)];
        let mut copied = CopiedKeys {
            curves: vec![(x, CopiedCurve::Scalar(keys.clone())), (turn, CopiedCurve::Rotation(turns.clone()))],
        };
        let text = copied.text(&from);
        let (to, other_x, other_turn) = document(3);
        let read = CopiedKeys::read(&text, &to).unwrap();
        assert_eq!(read.len(), 3);
        let wanted = [(other_x, CopiedCurve::Scalar(keys)), (other_turn, CopiedCurve::Rotation(turns))];
        assert_eq!(read.curves, wanted);
        // What was copied here stays; what another program copied takes its place.
        let own = copied.clone();
        copied.take(&text, &from);
        assert_eq!(copied, own);
        copied.take("2 keys", &from);
        assert_eq!(copied, own);
        copied.take(&text.replace("-1.5", "7.5"), &from);
        assert!(matches!(&copied.curves[0].1, CopiedCurve::Scalar(keys) if keys[0].value == 7.5));
    }

    #[test]
    fn a_text_that_is_no_keys_is_none() {
        let (document, x, _) = document(0);
        let text = |key| CopiedKeys { curves: vec![(x, CopiedCurve::Scalar(vec![key]))] }.text(&document);
        let good = text(Key::new(0.0, 1.0));
        assert!(CopiedKeys::read(&good, &document).is_some());
        assert!(CopiedKeys::read(&text(Key { tension: 9.0, ..Key::new(0.0, 1.0) }), &document).is_none());
        assert!(CopiedKeys::read(&good, &Document::default()).is_none());
        for text in ["", "{}", "{\"inbetween_keys\":[]}", "{\"inbetween_keys\":[{\"channel\":\"x\"}]}", "[1e999]"] {
            assert!(CopiedKeys::read(text, &document).is_none(), "{text}");
        }
        assert!(CopiedKeys::read(&good.replace("1.0", "1e999"), &document).is_none());
    }
}
