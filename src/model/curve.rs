//! Curves: what a channel does over time, as plain data. Evaluation is in `eval::curve`.

use super::{
    key::{Key, KeyKind},
    keys::{Keys, Timed},
    modifier::Modifier,
    scheme::Scheme,
    time::FrameRate,
};
use crate::math::Quat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A curve of a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Curve {
    /// One number over time.
    Scalar(ScalarCurve),
    /// A rotation over time.
    Rotation(RotationCurve),
}

/// One number over time: metres, radians or a factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScalarCurve {
    /// Keys set by hand.
    Keyed(KeyedCurve),
    /// Dense captured values.
    Sampled(Samples),
}

/// A rotation over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RotationCurve {
    /// Keys set by hand.
    Keyed(KeyedRotation),
    /// Dense captured values.
    Sampled(RotationSamples),
}

/// Keyed values with interpolation between them and extrapolation beyond.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyedCurve {
    /// The keys, in order of time.
    pub keys: Keys<Key>,
    /// What runs through the keys: each key's own interpolation, or one scheme for the whole curve under which the keys
    /// keep theirs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: Scheme,
    /// What the curve does before its first key.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pre: Extrapolation,
    /// What the curve does after its last key.
    #[serde(default, skip_serializing_if = "is_default")]
    pub post: Extrapolation,
    /// What is done to the curve's values on top, in order; the keys stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
}

/// What a curve does beyond its keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Extrapolation {
    /// Holds the end value.
    #[default]
    Constant,
    /// Goes on with the end slope.
    Linear,
    /// Repeats the keys.
    Cycle,
    /// Repeats the keys, each turn starting where the last ended.
    CycleOffset,
    /// Repeats the keys, every other turn backwards.
    Mirror,
}

impl Extrapolation {
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 5] = [Self::Constant, Self::Linear, Self::Cycle, Self::CycleOffset, Self::Mirror];
}

/// Dense values at a fixed rate: value `i` is at `start + i / rate`. Between values the curve is linear, outside it
/// holds the end value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// Time of the first value, seconds.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub start: f64,
    /// Values a second.
    pub rate: FrameRate,
    /// Metres, radians or a factor; finite.
    #[serde(with = "rows")]
    pub values: Arc<[f64]>,
    /// What is done to the values on top, in order; the samples stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
}

impl Samples {
    /// Samples without modifiers.
    #[must_use]
    pub const fn new(start: f64, rate: FrameRate, values: Arc<[f64]>) -> Self {
        Self { start, rate, values, modifiers: Vec::new() }
    }
}

/// Keyed rotations, turned between by the short arc.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyedRotation {
    /// The keys, in order of time.
    pub keys: Keys<RotationKey>,
}

/// A key of a rotation curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationKey {
    /// Seconds, finite.
    #[serde(rename = "t", deserialize_with = "finite::number")]
    pub time: f64,
    /// The rotation.
    #[serde(rename = "q", with = "unit_quaternion")]
    pub rotation: Quat,
    /// How the segment that starts here runs to the next key.
    #[serde(rename = "i", default, skip_serializing_if = "is_default")]
    pub interpolation: RotationInterpolation,
    /// What the key is to the animator.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: KeyKind,
}

impl RotationKey {
    /// A plain key.
    #[must_use]
    pub const fn new(time: f64, rotation: Quat, interpolation: RotationInterpolation) -> Self {
        Self { time, rotation, interpolation, kind: KeyKind::Key }
    }
}

impl Timed for RotationKey {
    type Store = Vec<Self>;

    fn at(time: f64) -> Self {
        Self::new(time, Quat::identity(), RotationInterpolation::default())
    }

    fn time(&self) -> f64 {
        self.time
    }
}

/// How a rotation segment runs from its key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum RotationInterpolation {
    /// Holds the key's rotation.
    Step,
    /// Constant angular speed along the short arc (Shoemake 1985).
    #[default]
    Slerp,
    /// Along the short arc, with zero angular speed and acceleration at both keys (`6u^5 - 15u^4 + 10u^3`).
    Smooth,
    /// The same arc as slerp, faster in the middle: the straight line between the quaternions, brought to length 1.
    Nlerp,
    /// Smooth through the keys: spherical quadrangle (Shoemake 1987).
    Squad,
    /// Smooth through the keys, of uneven spacing too: a Catmull-Rom cubic through the quaternions, brought to length 1.
    Cubic,
    /// A cubic through the two quaternions' components, normalised: glTF's CUBICSPLINE. The quaternions are taken with the
    /// signs they are stored with.
    Hermite(RotationTangents),
}

/// The slopes of a rotation's components x, y, z, w at the ends of a segment, per second. Single precision is what files
/// hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationTangents {
    /// Where it leaves its key.
    pub out: [f32; 4],
    /// Where it reaches the next key.
    #[serde(rename = "in")]
    pub into: [f32; 4],
}

impl RotationTangents {
    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.out.iter().chain(&self.into).all(|value| value.is_finite())
    }
}

impl RotationInterpolation {
    /// The kinds that need no numbers of their own, in the order they are offered.
    pub const ALL: [Self; 6] = [Self::Step, Self::Nlerp, Self::Slerp, Self::Squad, Self::Cubic, Self::Smooth];
}

/// Dense rotations at a fixed rate; between them slerp, outside the end rotation holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationSamples {
    /// Time of the first rotation, seconds.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub start: f64,
    /// Rotations a second.
    pub rate: FrameRate,
    /// The rotations.
    #[serde(with = "quaternion_rows")]
    pub values: Arc<[Quat]>,
}

impl Curve {
    /// Whether the curve holds dense captured values.
    #[must_use]
    pub const fn is_sampled(&self) -> bool {
        matches!(self, Self::Scalar(ScalarCurve::Sampled(_)) | Self::Rotation(RotationCurve::Sampled(_)))
    }

    /// The number of keys or samples.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.len(),
            Self::Scalar(ScalarCurve::Sampled(samples)) => samples.values.len(),
            Self::Rotation(RotationCurve::Keyed(curve)) => curve.keys.len(),
            Self::Rotation(RotationCurve::Sampled(samples)) => samples.values.len(),
        }
    }

    /// Whether there is no key and no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is done to the curve's values on top; nothing on rotation curves.
    #[must_use]
    pub fn modifiers(&self) -> &[Modifier] {
        match self {
            Self::Scalar(ScalarCurve::Keyed(curve)) => &curve.modifiers,
            Self::Scalar(ScalarCurve::Sampled(samples)) => &samples.modifiers,
            Self::Rotation(_) => &[],
        }
    }

    /// The scalar keys, where the curve is scalar and keyed.
    #[must_use]
    pub const fn scalar_keys(&self) -> Option<&KeyedCurve> {
        match self {
            Self::Scalar(ScalarCurve::Keyed(curve)) => Some(curve),
            _ => None,
        }
    }

    /// The times of the first and the last key or sample, seconds.
    #[must_use]
    pub fn span(&self) -> Option<(f64, f64)> {
        let ends = |start: f64, rate: FrameRate, len: usize| {
            (len > 0).then(|| (start, start + rate.secs(i64::try_from(len - 1).unwrap_or(i64::MAX))))
        };
        match self {
            Self::Scalar(ScalarCurve::Keyed(curve)) => Some((curve.keys.first()?.time, curve.keys.last()?.time)),
            Self::Scalar(ScalarCurve::Sampled(samples)) => ends(samples.start, samples.rate, samples.values.len()),
            Self::Rotation(RotationCurve::Keyed(curve)) => Some((curve.keys.first()?.time, curve.keys.last()?.time)),
            Self::Rotation(RotationCurve::Sampled(samples)) => ends(samples.start, samples.rate, samples.values.len()),
        }
    }
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Numbers that must be finite: RON reads `NaN` and `inf`, no document may hold them.
pub(super) mod finite {
    use crate::math::Vec3;
    use serde::{Deserialize as _, Deserializer, de::Error as _};

    pub(in crate::model) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(D::Error::custom(format!("{value} is not a number to use here")))
        }
    }

    pub(in crate::model) fn pair<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
        let value = <[f64; 2]>::deserialize(deserializer)?;
        match value.iter().find(|number| !number.is_finite()) {
            None => Ok(value),
            Some(number) => Err(D::Error::custom(format!("{number} is not a number to use here"))),
        }
    }

    pub(in crate::model) fn vector<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec3, D::Error> {
        let value = Vec3::deserialize(deserializer)?;
        match value.iter().find(|number| !number.is_finite()) {
            None => Ok(value),
            Some(number) => Err(D::Error::custom(format!("{number} is not a number to use here"))),
        }
    }

    pub(in crate::model) fn some_vector<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec3>, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(transparent)]
        struct Finite(#[serde(deserialize_with = "vector")] Vec3);
        Ok(Option::<Finite>::deserialize(deserializer)?.map(|finite| finite.0))
    }
}

/// How many samples stand on one line of a saved document.
const ROW: usize = 32;

/// Sample arrays as rows, so that one changed sample is one changed line. Non-finite values are refused.
mod rows {
    use super::{Arc, ROW};
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(values: &Arc<[f64]>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.chunks(ROW))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[f64]>, D::Error> {
        let values: Vec<f64> = Vec::<Vec<f64>>::deserialize(deserializer)?.into_iter().flatten().collect();
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(D::Error::custom(format!("sample {index} is {}, not a number", values[index]))),
            None => Ok(values.into()),
        }
    }
}

/// Rotation arrays as rows of `[x, y, z, w]`.
mod quaternion_rows {
    use super::{Arc, Quat, ROW, unit_quaternion};
    use serde::{Deserialize as _, Deserializer, Serialize, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(values: &Arc<[Quat]>, serializer: S) -> Result<S::Ok, S::Error> {
        struct Row<'a>(&'a [Quat]);
        impl Serialize for Row<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter().map(unit_quaternion::to_array))
            }
        }
        serializer.collect_seq(values.chunks(ROW / 4).map(Row))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[Quat]>, D::Error> {
        let rows = Vec::<Vec<[f64; 4]>>::deserialize(deserializer)?;
        rows.into_iter().flatten().map(|array| unit_quaternion::from_array(array).map_err(D::Error::custom)).collect()
    }
}

/// A unit quaternion as `[x, y, z, w]`. On load its length must be 1 within 1e-6 (nalgebra itself checks nothing); it is
/// kept bit for bit, so that saving again gives the same bytes.
pub mod unit_quaternion {
    use crate::math::Quat;
    use nalgebra::Quaternion;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    /// The numbers in the order x, y, z, w.
    #[must_use]
    pub fn to_array(rotation: &Quat) -> [f64; 4] {
        [rotation.i, rotation.j, rotation.k, rotation.w]
    }

    /// The rotation of four numbers x, y, z, w.
    ///
    /// # Errors
    /// Where they are not finite or not of length 1 within 1e-6.
    pub fn from_array([x, y, z, w]: [f64; 4]) -> Result<Quat, String> {
        let quaternion = Quaternion::new(w, x, y, z);
        // A NaN fails this comparison too.
        if (quaternion.norm() - 1.0).abs() < 1e-6 {
            Ok(Quat::new_unchecked(quaternion))
        } else {
            Err(format!("[{x}, {y}, {z}, {w}] is not a unit quaternion"))
        }
    }

    /// Writes the four numbers.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(rotation: &Quat, serializer: S) -> Result<S::Ok, S::Error> {
        to_array(rotation).serialize(serializer)
    }

    /// Reads and checks the four numbers.
    ///
    /// # Errors
    /// Those of the deserializer and of [`from_array`].
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Quat, D::Error> {
        from_array(<[f64; 4]>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
