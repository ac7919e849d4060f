//! Units of length. Inside everything is metres; a unit says how a file or the eye counts them.

use serde::{Deserialize, Serialize};
use std::{
    borrow::Cow,
    hash::{Hash, Hasher},
};

/// A unit of length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LengthUnit {
    /// 1 m
    #[default]
    Metre,
    /// 0.1 m (MakeHuman)
    Decimetre,
    /// 0.01 m (most exporters)
    Centimetre,
    /// 0.0254 m
    Inch,
    /// 0.001 m
    Millimetre,
    /// 0.05644 m: the unit of the CMU motion capture library's ASF files.
    Cmu,
    /// A measure of a file's own, known by how tall its figure is.
    Own(OwnUnit),
}

/// How long a unit without a name is: metres, finite and above 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct OwnUnit(f64);

impl OwnUnit {
    /// Shortest and longest unit, metres: a figure of a million units, or one of a millionth, is 1.75 m tall within these.
    pub const RANGE: (f64, f64) = (1e-7, 1e7);

    /// A unit of so many metres; none outside [`OwnUnit::RANGE`].
    #[must_use]
    pub fn new(metres: f64) -> Option<Self> {
        (Self::RANGE.0..=Self::RANGE.1).contains(&metres).then_some(Self(metres))
    }

    /// Metres in one unit.
    #[must_use]
    pub const fn metres(self) -> f64 {
        self.0
    }
}

// Neither not-a-number nor two zeros are among them.
impl Eq for OwnUnit {}

impl Hash for OwnUnit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl TryFrom<f64> for OwnUnit {
    type Error = String;

    fn try_from(metres: f64) -> Result<Self, Self::Error> {
        let (least, greatest) = Self::RANGE;
        Self::new(metres).ok_or_else(|| format!("a unit of {metres} m: it must be from {least} to {greatest} m"))
    }
}

impl From<OwnUnit> for f64 {
    fn from(unit: OwnUnit) -> Self {
        unit.0
    }
}

/// A unit of a file's own is told from a known one where they differ by more than this share.
const SAME: f64 = 1e-9;

impl LengthUnit {
    /// All units that have a name, in the order they are offered.
    pub const ALL: [Self; 6] =
        [Self::Metre, Self::Decimetre, Self::Centimetre, Self::Inch, Self::Millimetre, Self::Cmu];

    /// Metres in one unit.
    #[must_use]
    pub const fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Decimetre => 0.1,
            Self::Centimetre => 0.01,
            Self::Inch => 0.0254,
            Self::Millimetre => 0.001,
            Self::Cmu => 0.05644,
            Self::Own(unit) => unit.metres(),
        }
    }

    /// The unit of so many metres: one with a name where there is one to rounding. None outside [`OwnUnit::RANGE`].
    #[must_use]
    pub fn from_metres(metres: f64) -> Option<Self> {
        let known = Self::ALL.into_iter().find(|unit| (metres / unit.metres() - 1.0).abs() <= SAME);
        known.or_else(|| OwnUnit::new(metres).map(Self::Own))
    }

    /// The short name beside numbers: `m`, `dm`, `cm`, `inch`, `mm`, `cmu`; without one they are so many `units`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Decimetre => "dm",
            Self::Centimetre => "cm",
            Self::Inch => "inch",
            Self::Millimetre => "mm",
            Self::Cmu => "cmu",
            Self::Own(_) => "units",
        }
    }

    /// The short name, as on the command line; of a unit without one how long it is, `0.0381 m`.
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Self::Own(unit) => Cow::Owned(format!("{} m", unit.metres())),
            named => Cow::Borrowed(named.symbol()),
        }
    }

    /// The unit of a short name, or of a length in metres: `cm`, `0.0381 m`, `0.0381`.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Self> {
        let named = Self::ALL.into_iter().find(|unit| unit.symbol() == text);
        let number = || text.strip_suffix('m').unwrap_or(text).trim_end().parse().ok().and_then(Self::from_metres);
        named.or_else(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_that_of_its_name() {
        let own = LengthUnit::from_metres(0.038_1).unwrap();
        for unit in LengthUnit::ALL.into_iter().chain([own]) {
            assert_eq!(LengthUnit::from_name(&unit.name()), Some(unit));
            assert_eq!(LengthUnit::from_metres(unit.metres()), Some(unit));
        }
        assert_eq!(own.name(), "0.0381 m");
        assert_eq!(LengthUnit::from_name("0.0254"), Some(LengthUnit::Inch));
        assert_eq!(LengthUnit::from_name("0.0381"), Some(own));
    }

    #[test]
    fn what_is_no_length_is_no_unit() {
        for metres in [0.0, -0.01, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
            assert_eq!(LengthUnit::from_metres(metres), None, "{metres}");
        }
        for text in ["", "m ", "furlong", "nan", "-1", "0", "inf"] {
            assert_eq!(LengthUnit::from_name(text), None, "{text}");
        }
    }

    #[test]
    fn an_own_unit_is_written_as_its_metres() {
        let own = LengthUnit::from_metres(0.1 + 0.2).unwrap();
        let text = serde_json::to_string(&own).unwrap();
        assert_eq!(text, r#"{"Own":0.30000000000000004}"#);
        assert_eq!(serde_json::from_str::<LengthUnit>(&text).unwrap(), own);
        for metres in ["0.0", "-0.01", "1e-300", "1e300"] {
            let read = serde_json::from_str::<LengthUnit>(&format!(r#"{{"Own":{metres}}}"#));
            assert!(read.is_err(), "{metres}");
        }
    }
}
