//! Records of the journal and their bytes.

use super::JournalError;
use crate::edit::Edit;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Record<'a> {
    /// The edit, applied to the state of this number, made the next state.
    Edit(u32, Cow<'a, Edit>),
    /// The state of this number is the present one again.
    Went(u32),
    /// The present state is what the document's file holds.
    Saved,
}

/// Bytes before the record itself: its length and its CRC-32.
const HEAD: usize = 8;

/// Appends a record's bytes.
pub(super) fn append(bytes: &mut Vec<u8>, record: &Record<'_>) -> Result<(), JournalError> {
    let body = rmp_serde::to_vec_named(record).map_err(|error| JournalError::Form(error.to_string()))?;
    let length = u32::try_from(body.len()).map_err(|error| JournalError::Form(error.to_string()))?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(())
}

/// The records up to the first that is torn, damaged or not of this version.
pub(super) fn records(mut bytes: &[u8]) -> impl Iterator<Item = Record<'static>> {
    std::iter::from_fn(move || {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let word = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
        let (body, rest) = rest.split_at_checked(usize::try_from(word(0)?).ok()?)?;
        bytes = rest;
        (crc32fast::hash(body) == word(4)?).then(|| rmp_serde::from_slice(body).ok())?
    })
}
