//! Keys of scalar curves: a time, a value, and how the segment that starts there runs to the next key.

use super::{
    curve::{finite, is_default},
    key_store::KeyStore,
    keys::Timed,
    kinds::kinds,
};
use crate::math::easing::{CssBezier, Ease, EaseFamily, EaseMode};
use serde::{Deserialize, Serialize};

/// A key of a scalar curve. What its interpolation does not use is kept, so that switching to another one and back loses
/// nothing. Curves hold keys in a packed form ([`super::Keys`]); this is a key unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Seconds, finite.
    #[serde(rename = "t", deserialize_with = "finite::number")]
    pub time: f64,
    /// Metres, radians or a factor; finite.
    #[serde(rename = "v", deserialize_with = "finite::number")]
    pub value: f64,
    /// How the segment that starts here runs to the next key.
    #[serde(rename = "i", default, skip_serializing_if = "is_default")]
    pub interpolation: Interpolation,
    /// The Bezier handle before the key.
    #[serde(rename = "in", default, skip_serializing_if = "is_default")]
    pub handle_in: Handle,
    /// The Bezier handle after the key.
    #[serde(rename = "out", default, skip_serializing_if = "is_default")]
    pub handle_out: Handle,
    /// Whether the key's handles set by hand count by their slope alone, as if a third of their gap long: time then runs
    /// evenly along them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unweighted: bool,
    /// Tension of cardinal and TCB segments, -1..1; 0 is Catmull-Rom.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub tension: f64,
    /// Continuity of TCB segments, -1..1; 0 is smooth.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub continuity: f64,
    /// Bias of TCB segments, -1..1; 1 follows the incoming chord.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub bias: f64,
    /// Slope into the key of Hermite segments, per second; finite.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub slope_in: f64,
    /// Slope out of the key of Hermite segments, per second; finite.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub slope_out: f64,
    /// What shapes the segment where its interpolation is an ease.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ease: EaseShape,
    /// What the key is to the animator.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: KeyKind,
}

/// What a key is to the animator (Williams, *The Animator's Survival Kit*): it marks, and changes no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeyKind {
    /// A pose that tells the story.
    #[default]
    Key,
    /// The passage from one key to the next.
    Breakdown,
    /// Where a movement turns round.
    Extreme,
    /// The end of a pose that is held.
    Hold,
}

impl KeyKind {
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Key, Self::Breakdown, Self::Extreme, Self::Hold];
}

impl Key {
    /// The key with another interpolation. What is stopped swings or bounces after it gets there: an ease that leaves the range
    /// begins with its end slow where the key had no mode of its own; other eases have a way of their own already.
    #[must_use]
    pub fn given(self, interpolation: Interpolation) -> Self {
        let mut key = Self { interpolation, ..self };
        if interpolation.leaves_range() && !self.interpolation.has_mode() && self.ease == EaseShape::PLAIN {
            key.ease.mode = EaseMode::Out;
        }
        key
    }

    /// A key with the default interpolation and handles.
    #[must_use]
    pub fn new(time: f64, value: f64) -> Self {
        Self {
            time,
            value,
            interpolation: Interpolation::default(),
            handle_in: Handle::default(),
            handle_out: Handle::default(),
            unweighted: false,
            tension: 0.0,
            continuity: 0.0,
            bias: 0.0,
            slope_in: 0.0,
            slope_out: 0.0,
            ease: EaseShape::default(),
            kind: KeyKind::default(),
        }
    }

    /// What is wrong with the key's numbers, if anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let handle = |handle: Handle, side: f64| match handle {
            Handle::Auto | Handle::AutoClamped | Handle::Vector => true,
            Handle::Aligned(dt, dv) | Handle::Free(dt, dv) => dt.is_finite() && dv.is_finite() && dt * side >= 0.0,
        };
        [self.time, self.value, self.slope_in, self.slope_out].iter().all(|number| number.is_finite())
            && handle(self.handle_in, -1.0)
            && handle(self.handle_out, 1.0)
            && [self.tension, self.continuity, self.bias].iter().all(|shape| (-1.0..=1.0).contains(shape))
            && self.ease.is_sound()
    }
}

impl Timed for Key {
    type Store = KeyStore;

    fn at(time: f64) -> Self {
        Self::new(time, 0.0)
    }

    fn time(&self) -> f64 {
        self.time
    }
}

kinds! {
    /// How a segment runs from its key to the next.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Interpolation {
        /// Holds the key's value.
        Step,
        /// A straight line.
        Linear,
        /// A cubic Bezier through the keys' handles.
        #[default]
        Bezier,
        /// A cubic through the neighbours' chords.
        CatmullRom,
        /// Catmull-Rom with the keys' tension.
        Cardinal,
        /// Kochanek-Bartels: the keys' tension, continuity and bias.
        Tcb,
        /// From key to key with zero slope and zero curvature at both (`6u^5 - 15u^4 + 10u^3`): what a correction fades with.
        /// Also known as smootherstep.
        Smooth,
        /// The value of the nearer key.
        Nearest,
        /// A cubic with the keys' typed slopes.
        Hermite,
        /// Ease: `3u^2 - 2u^3`.
        Smoothstep,
        /// Ease: a quarter of a cosine.
        Sine,
        /// Ease: `u^2`.
        Quad,
        /// Ease: `u^3`.
        Cubic,
        /// Ease: `u^4`.
        Quart,
        /// Ease: `u^5`.
        Quint,
        /// Ease: `u^n` for any real n of 1 to 8.
        Power,
        /// Ease: doubles ten times over.
        Expo,
        /// Ease: a quarter of a circle.
        Circ,
        /// Ease: goes the wrong way first.
        Back,
        /// Ease: swings.
        Elastic,
        /// Ease: bounces.
        Bounce,
        /// Ease by a cubic Bezier, as in CSS.
        Css,
    }
}

impl Interpolation {
    /// The families kinds are offered by: held and straight, through the neighbours, eases that start or end slowly, eases
    /// that leave the range.
    pub const GROUPS: [&'static [Self]; 4] = [
        &[Self::Step, Self::Nearest, Self::Linear],
        &[Self::Bezier, Self::Hermite, Self::CatmullRom, Self::Cardinal, Self::Tcb],
        &[
            Self::Smoothstep,
            Self::Smooth,
            Self::Sine,
            Self::Quad,
            Self::Cubic,
            Self::Quart,
            Self::Quint,
            Self::Power,
            Self::Expo,
            Self::Circ,
            Self::Css,
        ],
        &[Self::Back, Self::Elastic, Self::Bounce],
    ];

    /// Whether it is an ease: it runs from key to key whatever the neighbours are.
    #[must_use]
    pub fn is_ease(self) -> bool {
        Self::GROUPS[2].contains(&self) || Self::GROUPS[3].contains(&self)
    }

    /// Whether it is an ease that leaves the range between the two keys, or comes to the end more than once.
    #[must_use]
    pub fn leaves_range(self) -> bool {
        Self::GROUPS[3].contains(&self)
    }

    /// Whether the mode of [`EaseShape`] matters: not for eases that are slow at both ends anyway.
    #[must_use]
    pub fn has_mode(self) -> bool {
        self.is_ease() && !matches!(self, Self::Smooth | Self::Smoothstep | Self::Css)
    }
}

/// What shapes the segment of a key whose interpolation is an ease. Each family reads its own numbers and the mode; the
/// others wait.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EaseShape {
    /// Which end is slow.
    #[serde(skip_serializing_if = "is_default")]
    pub mode: EaseMode,
    /// The power, 1..8.
    #[serde(skip_serializing_if = "is_own::<0>", deserialize_with = "finite::number")]
    pub power: f64,
    /// How far back goes the wrong way, 0..100; 1.70158 reaches a tenth of the whole.
    #[serde(skip_serializing_if = "is_own::<1>", deserialize_with = "finite::number")]
    pub overshoot: f64,
    /// Of elastic's last swing, 1..100.
    #[serde(skip_serializing_if = "is_own::<2>", deserialize_with = "finite::number")]
    pub amplitude: f64,
    /// Of a swing of elastic, as a part of the segment, 0.01..10.
    #[serde(skip_serializing_if = "is_own::<3>", deserialize_with = "finite::number")]
    pub period: f64,
    /// How often elastic's amplitude halves over the segment, 0..100.
    #[serde(skip_serializing_if = "is_own::<4>", deserialize_with = "finite::number")]
    pub decay: f64,
    /// How often bounce touches before it comes to rest, at most 32.
    #[serde(skip_serializing_if = "is_count")]
    pub count: u32,
    /// The part of its speed that bounce keeps at a touch, 0..1.
    #[serde(skip_serializing_if = "is_own::<5>", deserialize_with = "finite::number")]
    pub restitution: f64,
    /// `x1, y1, x2, y2` of the CSS Bezier, each x in 0..1.
    #[serde(skip_serializing_if = "is_css")]
    pub css: [f64; 4],
}

impl Default for EaseShape {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// The numbers of [`EaseShape`] that are written where they are not the usual ones.
const OWN: [f64; 6] = [2.0, 1.70158, 1.0, 0.3, 10.0, 0.5];

fn is_own<const N: usize>(value: &f64) -> bool {
    *value == OWN[N]
}

fn is_count(value: &u32) -> bool {
    *value == EaseShape::PLAIN.count
}

fn is_css(value: &[f64; 4]) -> bool {
    value.map(f64::to_bits) == EaseShape::PLAIN.css.map(f64::to_bits)
}

impl EaseShape {
    /// Slow at both ends; the constants of Penner and easings.net, the CSS curve called *ease*.
    pub const PLAIN: Self = Self {
        mode: EaseMode::InOut,
        power: OWN[0],
        overshoot: OWN[1],
        amplitude: OWN[2],
        period: OWN[3],
        decay: OWN[4],
        count: 3,
        restitution: OWN[5],
        css: [0.25, 0.1, 0.25, 1.0],
    };

    /// Whether all numbers are within their ranges.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        (1.0..=8.0).contains(&self.power)
            && (0.0..=100.0).contains(&self.overshoot)
            && (1.0..=100.0).contains(&self.amplitude)
            && (0.01..=10.0).contains(&self.period)
            && (0.0..=100.0).contains(&self.decay)
            && self.count <= 32
            && (0.0..=1.0).contains(&self.restitution)
            && self.css.iter().all(|number| number.is_finite() && number.abs() <= 1e6)
            && [self.css[0], self.css[2]].iter().all(|x| (0.0..=1.0).contains(x))
    }

    /// The ease of an interpolation with these numbers; none where it is no ease of Penner's families.
    #[must_use]
    pub fn ease(&self, interpolation: Interpolation) -> Option<Ease> {
        let family = match interpolation {
            Interpolation::Smooth => EaseFamily::Smootherstep,
            Interpolation::Smoothstep => EaseFamily::Smoothstep,
            Interpolation::Sine => EaseFamily::Sine,
            Interpolation::Quad => EaseFamily::Power(2.0),
            Interpolation::Cubic => EaseFamily::Power(3.0),
            Interpolation::Quart => EaseFamily::Power(4.0),
            Interpolation::Quint => EaseFamily::Power(5.0),
            Interpolation::Power => EaseFamily::Power(self.power),
            Interpolation::Expo => EaseFamily::Expo,
            Interpolation::Circ => EaseFamily::Circ,
            Interpolation::Back => EaseFamily::Back { overshoot: self.overshoot },
            Interpolation::Elastic => {
                EaseFamily::Elastic { amplitude: self.amplitude, period: self.period, decay: self.decay }
            }
            Interpolation::Bounce => EaseFamily::Bounce { count: self.count, restitution: self.restitution },
            _ => return None,
        };
        Some(Ease { family, mode: self.mode })
    }

    /// The ease of the CSS Bezier.
    #[must_use]
    pub fn css_bezier(&self) -> CssBezier {
        let [x1, y1, x2, y2] = self.css;
        CssBezier::new(x1, y1, x2, y2)
    }
}

/// A Bezier handle. The first three kinds are derived from the neighbours and store nothing; the last two hold the
/// offset from their key: `(seconds, value)`, seconds at most 0 before the key and at least 0 after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Handle {
    /// Smooth through the key; may overshoot.
    Auto,
    /// Smooth through the key, flat at extremes: never overshoots.
    #[default]
    AutoClamped,
    /// Points at the neighbouring key.
    Vector,
    /// Set by hand, kept in line with the other handle of its key.
    Aligned(#[serde(deserialize_with = "finite::number")] f64, #[serde(deserialize_with = "finite::number")] f64),
    /// Set by hand.
    Free(#[serde(deserialize_with = "finite::number")] f64, #[serde(deserialize_with = "finite::number")] f64),
}
