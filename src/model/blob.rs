//! Arrays of numbers as base64 (RFC 4648, little endian) in a document's text: one attribute is one line.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
use std::sync::Arc;

/// A value of fixed size as bytes, little endian.
pub trait Packed: Copy {
    /// How many bytes one takes.
    const BYTES: usize;

    /// Appends the bytes.
    fn pack(self, out: &mut Vec<u8>);

    /// The value of exactly [`Self::BYTES`] bytes; none for another number of bytes or a number that is not finite.
    fn unpack(bytes: &[u8]) -> Option<Self>;
}

impl Packed for u8 {
    const BYTES: usize = 1;

    fn pack(self, out: &mut Vec<u8>) {
        out.push(self);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        bytes.first().copied()
    }
}

impl Packed for u16 {
    const BYTES: usize = 2;

    fn pack(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_le_bytes)
    }
}

impl Packed for u32 {
    const BYTES: usize = 4;

    fn pack(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_le_bytes)
    }
}

impl Packed for f32 {
    const BYTES: usize = 4;

    fn pack(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_le_bytes).filter(|value| value.is_finite())
    }
}

impl<T: Packed + Default, const N: usize> Packed for [T; N] {
    const BYTES: usize = T::BYTES * N;

    fn pack(self, out: &mut Vec<u8>) {
        for value in self {
            value.pack(out);
        }
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut values = [T::default(); N];
        let mut parts = bytes.chunks_exact(T::BYTES);
        for value in &mut values {
            *value = T::unpack(parts.next()?)?;
        }
        Some(values)
    }
}

/// Writes an array as base64.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: Packed, S: Serializer>(values: &Arc<[T]>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = Vec::with_capacity(values.len().saturating_mul(T::BYTES));
    for value in values.iter() {
        value.pack(&mut bytes);
    }
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// Reads an array from base64.
///
/// # Errors
/// Those of the deserializer; text that is not base64; a number of bytes that is not whole values; a number that is not
/// finite.
pub fn deserialize<'de, T: Packed, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[T]>, D::Error> {
    let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    let bytes = STANDARD.decode(text.as_bytes()).map_err(|error| D::Error::custom(format!("not base64: {error}")))?;
    if bytes.len() % T::BYTES != 0 {
        let (len, each) = (bytes.len(), T::BYTES);
        return Err(D::Error::custom(format!("{len} bytes are no whole number of values of {each} bytes")));
    }
    let values = bytes.chunks_exact(T::BYTES).enumerate();
    values
        .map(|(index, bytes)| {
            T::unpack(bytes).ok_or_else(|| D::Error::custom(format!("value {index} is not a finite number")))
        })
        .collect()
}
