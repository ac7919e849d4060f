//! Units of length. Inside everything is metres; a unit says how a file or the eye counts them.

use serde::{Deserialize, Serialize};

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
}

impl LengthUnit {
    /// All units, in the order they are offered.
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
        }
    }

    /// The short name used on the command line and beside numbers: `m`, `dm`, `cm`, `inch`, `mm`, `cmu`.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Decimetre => "dm",
            Self::Centimetre => "cm",
            Self::Inch => "inch",
            Self::Millimetre => "mm",
            Self::Cmu => "cmu",
        }
    }

    /// The unit of a short name.
    #[must_use]
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }
}
