//! The file and what it points to: the binary container, buffers and images beside it or within it.

use super::{GltfError, json};
use crate::io::file;
use base64::{
    Engine as _,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use std::path::{Component, Path, PathBuf};

/// `glTF` in little endian.
pub(super) const MAGIC: &[u8; 4] = b"glTF";
/// The chunk of the JSON text.
pub(super) const CHUNK_JSON: u32 = 0x4e4f_534a;
/// The chunk of binary data.
pub(super) const CHUNK_BIN: u32 = 0x004e_4942;

/// The parts of a file.
#[derive(Debug)]
pub(super) struct Chunks<'a> {
    pub(super) json: &'a [u8],
    pub(super) bin: Option<&'a [u8]>,
}

/// Whether a file is the binary container.
#[must_use]
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Splits a file, binary or text, into its parts.
pub(super) fn split(bytes: &[u8]) -> Result<Chunks<'_>, GltfError> {
    if !is_binary(bytes) {
        return Ok(Chunks { json: bytes, bin: None });
    }
    let fault = |byte: usize, what: &str| GltfError::Container { byte, what: what.to_owned() };
    let version = word(bytes, 4).ok_or_else(|| fault(4, "the file ends within its header"))?;
    if version != 2 {
        return Err(fault(4, &format!("version 2 of the container is read, this is {version}")));
    }
    let length = word(bytes, 8).ok_or_else(|| fault(8, "the file ends within its header"))? as usize;
    let Some(bytes) = bytes.get(..length) else {
        return Err(fault(8, &format!("it says it has {length} bytes, and has {}: it was cut off", bytes.len())));
    };
    let (mut json, mut bin, mut at) = (None, None, 12);
    while at < bytes.len() {
        let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
            return Err(fault(at, "the file ends within the head of a chunk"));
        };
        let start = at + 8;
        let end = start.checked_add(length as usize);
        let Some((body, end)) = end.and_then(|end| Some((bytes.get(start..end)?, end))) else {
            return Err(fault(at, &format!("a chunk of {length} bytes reaches beyond the end of the file")));
        };
        match kind {
            CHUNK_JSON if json.is_none() => json = Some(body),
            CHUNK_BIN if bin.is_none() => bin = Some(body),
            _ => {}
        }
        at = end;
    }
    let json = json.ok_or_else(|| fault(12, "there is no chunk of JSON text"))?;
    Ok(Chunks { json, bin })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

/// The buffers of a file, each at least as long as it says.
pub(super) fn buffers(root: &json::Root, bin: Option<&[u8]>, folder: Option<&Path>) -> Result<Vec<Vec<u8>>, GltfError> {
    let mut out = Vec::with_capacity(root.buffers.len().min(1024));
    for (index, buffer) in root.buffers.iter().enumerate() {
        let path = format!("buffers[{index}]");
        let mut bytes = match (&buffer.uri, bin) {
            (Some(uri), _) => fetch(uri, folder, &format!("{path}.uri"))?,
            (None, Some(bin)) if index == 0 => bin.to_vec(),
            (None, _) => return Err(GltfError::part(path, "it has no uri, and the file has no binary chunk for it")),
        };
        let Some(length) = usize::try_from(buffer.byte_length).ok().filter(|length| *length <= bytes.len()) else {
            let (said, there) = (buffer.byte_length, bytes.len());
            return Err(GltfError::part(
                format!("{path}.byteLength"),
                format!("it says {said} bytes, and there are {there}: the data was cut off"),
            ));
        };
        bytes.truncate(length);
        out.push(bytes);
    }
    Ok(out)
}

/// The bytes that a URI stands for: those within it, or of a file in the same folder or below.
pub(super) fn fetch(uri: &str, folder: Option<&Path>, path: &str) -> Result<Vec<u8>, GltfError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((head, data)) = data.split_once(',') else {
            return Err(GltfError::part(path, "a data URI without a comma"));
        };
        if !head.ends_with(";base64") {
            return Err(GltfError::part(path, "a data URI that is not base64"));
        }
        let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let alphabet = if data.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        let decoded = GeneralPurpose::new(alphabet, config).decode(data.as_bytes());
        return decoded.map_err(|error| GltfError::part(path, format!("its base64 is damaged: {error}")));
    }
    let Some(folder) = folder else {
        return Err(GltfError::part(path, format!("'{uri}' is another file, and only this one is at hand")));
    };
    let relative = safe_path(uri).ok_or_else(|| {
        GltfError::part(path, format!("'{uri}' is not a file in the same folder or below: it is not read"))
    })?;
    file::read(&folder.join(relative)).map_err(|error| GltfError::part(path, error.to_string()))
}

/// The relative path of a URI; none where it is absolute, has a scheme or climbs out of its folder.
fn safe_path(uri: &str) -> Option<PathBuf> {
    let text = percent_decoded(uri)?;
    if text.is_empty() || text.contains(['\\', ':', '\0']) {
        return None;
    }
    let path = PathBuf::from(text);
    let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    inside.then_some(path)
}

/// A file's name as a URI: all but the plainest signs percent-encoded.
pub(super) fn uri_of(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            out.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_stay_in_their_folder() {
        assert_eq!(safe_path("a%20b/c.bin"), Some(PathBuf::from("a b/c.bin")));
        let out = ["../x.bin", "a/../../x", "/etc/passwd", "%2e%2e/x", "..%5cx", "C:/x", "http://a/b", "file:///x", ""];
        for uri in out {
            assert_eq!(safe_path(uri), None, "{uri}");
        }
    }

    #[test]
    fn names_become_uris_and_come_back() {
        for name in ["walk.bin", "a b#1?.bin", "Läufer 走.png", "100%.bin", "q'\"&.jpg"] {
            let uri = uri_of(name);
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?', '"']), "{uri}");
            assert_eq!(safe_path(&uri), Some(PathBuf::from(name)), "{uri}");
        }
    }

    #[test]
    fn a_damaged_container_says_which_byte() {
        let byte = |bytes: &[u8]| match split(bytes) {
            Err(GltfError::Container { byte, .. }) => byte,
            other => panic!("{other:?}"),
        };
        assert_eq!(byte(b"glTF"), 4);
        assert_eq!(byte(b"glTF\x01\0\0\0\x0c\0\0\0"), 4);
        assert_eq!(byte(b"glTF\x02\0\0\0\xff\0\0\0"), 8);
        assert_eq!(byte(b"glTF\x02\0\0\0\x0c\0\0\0"), 12);
        assert_eq!(byte(b"glTF\x02\0\0\0\x14\0\0\0\xff\xff\xff\xffJSON"), 12);
        assert_eq!(split(b"glTF\x02\0\0\0\x16\0\0\0\x02\0\0\0JSON{}").unwrap().json, b"{}");
    }
}
