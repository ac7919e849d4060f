//! Time: seconds are `f64`, frames are integers, the rate between them is a rational.

use serde::{Deserialize, Serialize};

/// Frames per second as a reduced rational, `num / den`. Frame `n` is at `n * den / num` seconds, by
/// [`FrameRate::secs`] and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u64, u64)", into = "(u64, u64)")]
pub struct FrameRate {
    num: u64,
    den: u64,
}

impl Default for FrameRate {
    fn default() -> Self {
        Self::FPS_24
    }
}

impl FrameRate {
    /// 24 frames a second.
    pub const FPS_24: Self = Self { num: 24, den: 1 };
    /// The slowest rate accepted, frames a second.
    pub const MIN: f64 = 1e-3;
    /// The fastest rate accepted, frames a second.
    pub const MAX: f64 = 1e6;

    /// `num / den` frames a second, reduced. None where either is zero or the rate is outside
    /// [`Self::MIN`]..[`Self::MAX`].
    #[must_use]
    pub fn new(num: u64, den: u64) -> Option<Self> {
        if num == 0 || den == 0 {
            return None;
        }
        let rate = num as f64 / den as f64;
        if !(Self::MIN..=Self::MAX).contains(&rate) {
            return None;
        }
        let divisor = gcd(num, den);
        Some(Self { num: num / divisor, den: den / divisor })
    }

    /// The rate a person types: `24`, `30000/1001`, or a decimal. A decimal that is a common rate over 1.001 as it is
    /// usually rounded (23.976, 29.97, 59.94, 119.88) is that rate; any other is taken as it stands.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((num, den)) = text.split_once('/') {
            return Self::new(num.trim().parse().ok()?, den.trim().parse().ok()?);
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() || decimals.len() > 9 || !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        let den = 10_u64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
        let num = format!("{whole}{decimals}").parse::<u64>().ok()?;
        let typed = num as f64 / den as f64;
        let rounded = 0.5 / den as f64;
        if decimals.len() >= 2 {
            for common in [24, 30, 48, 60, 120] {
                let rate = Self::new(common * 1000, 1001)?;
                if (rate.fps() - typed).abs() <= rounded {
                    return Some(rate);
                }
            }
        }
        Self::new(num, den)
    }

    /// Numerator of the reduced rate.
    #[must_use]
    pub const fn num(self) -> u64 {
        self.num
    }

    /// Denominator of the reduced rate.
    #[must_use]
    pub const fn den(self) -> u64 {
        self.den
    }

    /// Frames a second.
    #[must_use]
    pub fn fps(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// Seconds a frame.
    #[must_use]
    pub fn frame_secs(self) -> f64 {
        self.den as f64 / self.num as f64
    }

    /// The time of a frame, seconds.
    #[must_use]
    pub fn secs(self, frame: i64) -> f64 {
        frame as f64 * self.den as f64 / self.num as f64
    }

    /// The frame at a time, not rounded.
    #[must_use]
    pub fn frame_f64(self, secs: f64) -> f64 {
        secs * self.num as f64 / self.den as f64
    }

    /// The nearest frame; the ends of `i64` for times beyond them, 0 for NaN.
    #[must_use]
    pub fn nearest_frame(self, secs: f64) -> i64 {
        self.frame_f64(secs).round() as i64
    }

    /// A time moved onto the nearest frame.
    #[must_use]
    pub fn snap(self, secs: f64) -> f64 {
        self.secs(self.nearest_frame(secs))
    }
}

impl std::fmt::Display for FrameRate {
    /// `24`, `29.97` or `29.476`: at most three decimals.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.3}", self.fps());
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl TryFrom<(u64, u64)> for FrameRate {
    type Error = String;

    fn try_from((num, den): (u64, u64)) -> Result<Self, String> {
        Self::new(num, den).ok_or_else(|| format!("{num}/{den} is not a frame rate: both must be positive"))
    }
}

impl From<FrameRate> for (u64, u64) {
    fn from(rate: FrameRate) -> Self {
        (rate.num, rate.den)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// An inclusive range of frames, `first..=last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "(i64, i64)", into = "(i64, i64)")]
pub struct FrameRange {
    /// The first frame.
    pub first: i64,
    /// The last frame, at or after the first.
    pub last: i64,
}

impl FrameRange {
    /// A range; the ends are put in order.
    #[must_use]
    pub fn new(a: i64, b: i64) -> Self {
        Self { first: a.min(b), last: a.max(b) }
    }

    /// The number of frames, at least 1.
    #[must_use]
    pub fn len(self) -> u64 {
        self.last.abs_diff(self.first).saturating_add(1)
    }

    /// Never: a range holds at least one frame.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Whether a frame lies in the range.
    #[must_use]
    pub const fn contains(self, frame: i64) -> bool {
        self.first <= frame && frame <= self.last
    }

    /// The frame moved into the range.
    #[must_use]
    pub fn clamp(self, frame: i64) -> i64 {
        frame.clamp(self.first, self.last)
    }
}

impl From<(i64, i64)> for FrameRange {
    fn from((a, b): (i64, i64)) -> Self {
        Self::new(a, b)
    }
}

impl From<FrameRange> for (i64, i64) {
    fn from(range: FrameRange) -> Self {
        (range.first, range.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_seconds_agree() {
        let ntsc = FrameRate::new(60_000, 2_002).unwrap();
        assert_eq!((ntsc.num(), ntsc.den()), (30_000, 1_001));
        for frame in [-7, 0, 1, 29, 100_000] {
            assert_eq!(ntsc.nearest_frame(ntsc.secs(frame)), frame);
        }
        assert_eq!(ntsc.to_string(), "29.97");
        assert_eq!(FrameRate::FPS_24.to_string(), "24");
    }

    #[test]
    fn rates_are_read_as_people_write_them() {
        let rate = |text| FrameRate::parse(text).map(|rate| (rate.num(), rate.den()));
        assert_eq!(rate("24"), Some((24, 1)));
        assert_eq!(rate(" 30000 / 1001 "), Some((30_000, 1_001)));
        assert_eq!(rate("23.976"), Some((24_000, 1_001)));
        assert_eq!(rate("29.97"), Some((30_000, 1_001)));
        assert_eq!(rate("12.5"), Some((25, 2)));
        assert_eq!(rate("29.476"), Some((7_369, 250)));
        for wrong in ["", ".", "-24", "0", "24/0", "1e3", "NaN", "99999999999999999999", "1.2.3"] {
            assert!(rate(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn impossible_rates_are_refused() {
        assert!(FrameRate::new(0, 1).is_none());
        assert!(FrameRate::new(1, 0).is_none());
        assert!(FrameRate::new(u64::MAX, 1).is_none());
    }

    #[test]
    fn ranges_are_inclusive_and_ordered() {
        let range = FrameRange::new(10, 3);
        assert_eq!((range.first, range.last, range.len()), (3, 10, 8));
        assert!(range.contains(3) && range.contains(10) && !range.contains(11));
    }
}
