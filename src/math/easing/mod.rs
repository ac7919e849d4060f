//! Easing: maps of 0..=1 onto itself (some leave the range on the way) that say how a change is spread over its time.
//!
//! Every family is given as its *in* form, which starts slowly; *out* is its mirror, which ends slowly, and *in-out* is
//! half of each. All are exactly 0 at 0 and 1 at 1. Source of the families: R. Penner, *Programming Macromedia Flash MX*,
//! 2002, with the constants of easings.net where he leaves them open.

mod back;
mod bounce;
mod circ;
mod css;
mod elastic;
mod expo;
mod power;
mod sine;
mod smooth;

pub use css::CssBezier;

/// How a family is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum EaseMode {
    /// Starts slowly.
    In,
    /// Ends slowly.
    Out,
    /// Starts and ends slowly.
    #[default]
    InOut,
}

impl EaseMode {
    /// All modes, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::In, Self::Out, Self::InOut];
}

/// A family of easings with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EaseFamily {
    /// A quarter of a cosine.
    Sine,
    /// `x^n`: 2 is quadratic, 3 cubic, 4 quartic, 5 quintic; any real number from 1 to 8.
    Power(f64),
    /// `3x^2 - 2x^3`, already slow at both ends: the same in every mode.
    Smoothstep,
    /// `6x^5 - 15x^4 + 10x^3`, slow to the second order at both ends: the same in every mode.
    Smootherstep,
    /// Doubles ten times over.
    Expo,
    /// A quarter of a circle.
    Circ,
    /// Goes the wrong way first. The overshoot of 1.70158 reaches a tenth of the whole; times 1.525 in in-out mode.
    Back {
        /// At least 0; 0 is cubic.
        overshoot: f64,
    },
    /// Swings with growing amplitude.
    Elastic {
        /// Of the last swing, at least 1.
        amplitude: f64,
        /// Of a swing, as a part of the time, more than 0; times 1.5 in in-out mode.
        period: f64,
        /// How often the amplitude halves over the whole time.
        decay: f64,
    },
    /// A ball that bounces.
    Bounce {
        /// How often it touches before it comes to rest.
        count: u32,
        /// The part of its speed that it keeps at a touch, 0..1.
        restitution: f64,
    },
}

impl EaseFamily {
    /// Penner's back.
    pub const BACK: Self = Self::Back { overshoot: 1.70158 };
    /// Penner's elastic.
    pub const ELASTIC: Self = Self::Elastic { amplitude: 1.0, period: 0.3, decay: 10.0 };
    /// Penner's bounce.
    pub const BOUNCE: Self = Self::Bounce { count: 3, restitution: 0.5 };
}

/// An easing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ease {
    /// What it is like.
    pub family: EaseFamily,
    /// Which end is slow.
    pub mode: EaseMode,
}

impl Ease {
    /// `6x^5 - 15x^4 + 10x^3`: at rest at both ends, with zero acceleration.
    pub const SMOOTHERSTEP: Self = Self { family: EaseFamily::Smootherstep, mode: EaseMode::InOut };
}

/// Value and slope at a place.
type Sample = (f64, f64);

impl Ease {
    /// The value at `x`; `x` is brought into 0..=1 first (one that is not a number counts as 0).
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        self.sample(x).0
    }

    /// The slope at `x`, brought into 0..=1 first. Infinite at the steep end of the circle.
    #[must_use]
    pub fn slope(&self, x: f64) -> f64 {
        self.sample(x).1
    }

    fn sample(&self, x: f64) -> Sample {
        let x = if x > 0.0 { x.min(1.0) } else { 0.0 };
        let family = self.family.in_mode(self.mode);
        // Slow at both ends as they are: halved, they would stop in the middle.
        let whole = matches!(family, EaseFamily::Smoothstep | EaseFamily::Smootherstep);
        let mode = if whole { EaseMode::In } else { self.mode };
        let start = |x: f64| family.start(x);
        // The end is the start seen from the other side.
        let end = |x: f64| {
            let (value, slope) = start(1.0 - x);
            (1.0 - value, slope)
        };
        let (value, slope) = match mode {
            EaseMode::In => start(x),
            EaseMode::Out => end(x),
            EaseMode::InOut if x < 0.5 => {
                let (value, slope) = start(2.0 * x);
                (0.5 * value, slope)
            }
            EaseMode::InOut => {
                let (value, slope) = end(2.0 * x - 1.0);
                (0.5 + 0.5 * value, slope)
            }
        };
        // Formulas may miss the ends by rounding or, like the elastic one, by their nature.
        let value = if x == 0.0 {
            0.0
        } else if x == 1.0 {
            1.0
        } else {
            value
        };
        (value, slope)
    }
}

impl EaseFamily {
    /// The family with the parameters that its mode asks for: of back and elastic, half the time would halve the effect.
    fn in_mode(self, mode: EaseMode) -> Self {
        match (self, mode) {
            (Self::Back { overshoot }, EaseMode::InOut) => Self::Back { overshoot: 1.525 * overshoot },
            (Self::Elastic { amplitude, period, decay }, EaseMode::InOut) => {
                Self::Elastic { amplitude, period: 1.5 * period, decay }
            }
            _ => self,
        }
    }

    /// The in form.
    fn start(self, x: f64) -> Sample {
        match self {
            Self::Sine => sine::start(x),
            Self::Power(exponent) => power::start(x, exponent),
            Self::Smoothstep => smooth::smoothstep(x),
            Self::Smootherstep => smooth::smootherstep(x),
            Self::Expo => expo::start(x),
            Self::Circ => circ::start(x),
            Self::Back { overshoot } => back::start(x, overshoot),
            Self::Elastic { amplitude, period, decay } => elastic::start(x, amplitude, period, decay),
            Self::Bounce { count, restitution } => bounce::start(x, count, restitution),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Ease> {
        let families = [
            EaseFamily::Sine,
            EaseFamily::Power(1.0),
            EaseFamily::Power(2.0),
            EaseFamily::Power(3.7),
            EaseFamily::Smoothstep,
            EaseFamily::Smootherstep,
            EaseFamily::Expo,
            EaseFamily::Circ,
            EaseFamily::BACK,
            EaseFamily::ELASTIC,
            EaseFamily::Elastic { amplitude: 1.6, period: 0.5, decay: 6.0 },
            EaseFamily::BOUNCE,
            EaseFamily::Bounce { count: 5, restitution: 0.8 },
            EaseFamily::Bounce { count: 0, restitution: 0.5 },
        ];
        families.into_iter().flat_map(|family| EaseMode::ALL.map(|mode| Ease { family, mode })).collect()
    }

    #[test]
    fn every_ease_runs_from_0_to_1_and_out_mirrors_in() {
        for ease in all() {
            assert_eq!((ease.value(0.0), ease.value(1.0)), (0.0, 1.0), "{ease:?}");
            assert_eq!((ease.value(-2.0), ease.value(9.0), ease.value(f64::NAN)), (0.0, 1.0, 0.0));
            let mirror = match ease.mode {
                EaseMode::In => EaseMode::Out,
                EaseMode::Out => EaseMode::In,
                EaseMode::InOut => EaseMode::InOut,
            };
            let mirror = Ease { mode: mirror, ..ease };
            for i in 0..=200 {
                let x = f64::from(i) / 200.0;
                assert!((ease.value(x) + mirror.value(1.0 - x) - 1.0).abs() < 1e-14, "{ease:?} {x}");
            }
        }
    }

    #[test]
    fn slopes_are_the_derivatives() {
        for ease in all() {
            for i in 1..500 {
                // Off the joints of the bounces.
                let (x, h) = (f64::from(i) / 500.0 + 0.000_123, 1e-6);
                let measured = (ease.value(x + h) - ease.value(x - h)) / (2.0 * h);
                assert!((ease.slope(x) - measured).abs() < 1e-4 * (1.0 + measured.abs()), "{ease:?} at {x}");
            }
        }
    }

    #[test]
    fn in_starts_slowly_and_out_ends_slowly() {
        for family in [EaseFamily::Sine, EaseFamily::Power(2.0), EaseFamily::Expo, EaseFamily::Circ] {
            assert!(Ease { family, mode: EaseMode::In }.value(0.25) < 0.2);
            assert!(Ease { family, mode: EaseMode::Out }.value(0.25) > 0.3);
        }
    }
}
