//! All that is wrong with a glTF file, and a copy of it in which what can be mended is.
//!
//! The reader stops at its first fault. Here the part it names is taken out of the JSON, or its numbers out of the buffers,
//! and the file is read again, until it reads. Nothing changes its number on the way: a channel loses its node, a primitive
//! its positions, which the format allows and the reader passes over. What can then be read is written anew, so that nothing
//! broken is left in it; a sound file stays as it is, with what is not understood here.

mod depth;
mod json_place;
mod rules;
mod write;

use super::{
    GltfError, GltfFile, GltfParts,
    container::{CHUNK_JSON, MAGIC, fetch, is_binary, split},
    import::{folder_of, to_parts},
    json,
};
use crate::io::{
    check::patch::Patch,
    report::{Entry, Place, Report},
    text::place_of,
};
use json_place::byte_of;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One fault.
#[derive(Debug)]
pub(in crate::io) struct Fault {
    pub(in crate::io) place: Place,
    /// The JSON path; empty where it has none.
    pub(in crate::io) part: String,
    pub(in crate::io) what: String,
    /// What was done about it; none where nothing could be.
    pub(in crate::io) mend: Option<String>,
}

/// What a look came to.
#[derive(Debug, Default)]
pub(in crate::io) struct Look {
    pub(in crate::io) faults: Vec<Fault>,
    /// What the reader says about the mended file, with the places of the parts in the file as it was.
    pub(in crate::io) remarks: Vec<(Place, Entry)>,
    pub(in crate::io) mended: Option<Vec<u8>>,
    /// Whether the mended file holds only what was read of it.
    pub(in crate::io) anew: bool,
}

/// Remarks of the reader on what is wrong in a file, not on what is not carried.
const FAULTS: &[&str] = &["channel", "channel-twice", "image", "no-influences", "no-positions"];

/// The most faults that are mended one after the other.
const TRIES: usize = 2000;
/// The file is read at most so often that this many bytes are.
const BUDGET: usize = 1 << 30;

/// A file on the way.
struct Mending<'a> {
    /// The JSON as it was.
    text: &'a [u8],
    /// Where it begins in the file, for a binary one.
    json_at: Option<usize>,
    value: Value,
    buffers: Vec<Vec<u8>>,
    folder: Option<PathBuf>,
    /// What the skins' numbers were before some were taken out.
    skins: Vec<usize>,
    look: Look,
}

/// Looks at the bytes of a file. `path` is where it lies: other files are looked up beside it.
pub(in crate::io) fn look(bytes: &[u8], path: Option<&Path>) -> Look {
    let mut look = Look::default();
    let Some((text, bin)) = container(bytes, &mut look) else { return look };
    let json_at = is_binary(bytes).then(|| text.as_ptr() as usize - bytes.as_ptr() as usize);
    let Some(value) = value(text, json_at, &mut look) else { return look };
    let mut mending = Mending {
        text,
        json_at,
        value,
        buffers: Vec::new(),
        folder: path.and_then(folder_of),
        skins: Vec::new(),
        look,
    };
    mending.skins = (0..mending.list("skins")).collect();
    mending.load(bin);
    let stem = path.and_then(Path::file_stem).map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    if let Some(parts) = mending.run(&stem) {
        let faulty = |(_, entry): &(Place, Entry)| FAULTS.contains(&entry.kind);
        let anew = !mending.look.faults.is_empty() || mending.look.remarks.iter().any(faulty);
        mending.look.anew = anew;
        let binary = is_binary(bytes);
        mending.look.mended = if anew {
            write::anew(parts, binary)
        } else if depth::deep(text).is_empty() {
            mending.as_it_is(binary)
        } else {
            // The value lacks what lies too deep for it: a sound file with such is its own copy.
            Some(bytes.to_vec())
        };
    }
    mending.look
}

/// The JSON and the binary data; of a binary file that was cut off, what is there.
fn container<'a>(bytes: &'a [u8], look: &mut Look) -> Option<(&'a [u8], Option<&'a [u8]>)> {
    let error = match split(bytes) {
        Ok(chunks) => return Some((chunks.json, chunks.bin)),
        Err(error) => error,
    };
    let GltfError::Container { byte, what } = error else { return None };
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let json = (bytes.starts_with(MAGIC) && word(4) == Some(2) && word(16) == Some(CHUNK_JSON))
        .then(|| bytes.get(20..20_usize.checked_add(word(12)? as usize)?))
        .flatten();
    let mend = json.map(|_| "what is there read".to_owned());
    look.faults.push(Fault { place: Place::Byte { byte }, part: String::new(), what, mend });
    let json = json?;
    let bin = bytes.get(20 + json.len() + 8..).filter(|bin| !bin.is_empty());
    Some((json, bin))
}

/// The JSON as a value; numbers that JSON cannot say become 0.
fn value(text: &[u8], json_at: Option<usize>, look: &mut Look) -> Option<Value> {
    let place = |at: usize| json_at.map_or_else(|| place_of(text, at), |start| Place::Byte { byte: start + at });
    let whole = match std::str::from_utf8(text) {
        Ok(whole) => whole,
        Err(error) => {
            let what = "the text is not UTF-8; save it again as UTF-8".to_owned();
            look.faults.push(Fault { place: place(error.valid_up_to()), part: String::new(), what, mend: None });
            return None;
        }
    };
    let start = whole.len() - whole.trim_start_matches('\u{feff}').len();
    let mut patch = Patch::default();
    patch.replace(0..start, "");
    // Nothing that is read lies so deep; and the reader passes over what does.
    for deep in depth::deep(text) {
        patch.replace(deep, "null");
    }
    for _ in 0..(BUDGET / text.len().max(1)).clamp(8, TRIES) {
        let now = patch.render(whole, 0..whole.len());
        let error = match serde_json::from_str::<Value>(&now) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let line = match error.line() {
            0 | 1 => 0,
            line => memchr::memchr_iter(b'\n', now.as_bytes()).nth(line - 2).map_or(now.len(), |at| at + 1),
        };
        let at = patch.before((line + error.column().saturating_sub(1)).min(now.len()));
        let number = number_around(whole, at).filter(|range| !patch.covers(range));
        let what = super::json::in_words(&error);
        let mend = number.as_ref().map(|_| "0 taken".to_owned());
        let found = match &number {
            Some(range) => {
                let word = whole.get(range.clone()).unwrap_or_default();
                format!("{word} is no number of JSON; write a finite number")
            }
            None => what,
        };
        look.faults.push(Fault { place: place(at), part: String::new(), what: found, mend });
        patch.replace(number?, "0");
    }
    None
}

/// The word around a byte, where it is a number too large or one of the words for none.
fn number_around(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let at = at.min(bytes.len());
    let start = at - bytes.get(..at)?.iter().rev().take_while(|byte| inside(byte)).count();
    let end = at + bytes.get(at..)?.iter().take_while(|byte| inside(byte)).count();
    let word = text.get(start..end)?;
    let named = matches!(word.trim_start_matches(['-', '+']), "NaN" | "nan" | "Infinity" | "inf");
    let large = word.parse::<f64>().is_ok_and(|number| !number.is_finite());
    (named || large).then_some(start..end)
}

impl Mending<'_> {
    fn list(&self, name: &str) -> usize {
        self.value.get(name).and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn place(&self, path: &str) -> Place {
        let at = byte_of(self.text, path);
        self.json_at.map_or_else(|| place_of(self.text, at), |start| Place::Byte { byte: start + at })
    }

    fn add(&mut self, part: &str, what: impl Into<String>, mend: Option<String>) {
        // A skin's number is the one it had in the file.
        let part = match json_place::steps(part).as_slice() {
            [json_place::Step::Name(name), json_place::Step::Index(index), ..] if name == "skins" => {
                let was = self.skins.get(*index).copied().unwrap_or(*index);
                part.replacen(&format!("skins[{index}]"), &format!("skins[{was}]"), 1)
            }
            _ => part.to_owned(),
        };
        self.look.faults.push(Fault { place: self.place(&part), part, what: what.into(), mend });
    }

    /// The bytes of the buffers; one that cannot be had is empty.
    fn load(&mut self, bin: Option<&[u8]>) {
        for index in 0..self.list("buffers") {
            let path = format!("buffers[{index}]");
            let uri = self.value["buffers"][index]["uri"].as_str().map(str::to_owned);
            let fetched = match (&uri, bin) {
                (Some(uri), _) => fetch(uri, self.folder.as_deref(), &format!("{path}.uri")),
                (None, Some(bin)) if index == 0 => Ok(bin.to_vec()),
                (None, _) => {
                    Err(GltfError::part(path.clone(), "it has no uri, and the file has no binary chunk for it"))
                }
            };
            let bytes = match fetched {
                Ok(bytes) => bytes,
                Err(error) => {
                    let (part, what) = parts_of(error);
                    self.add(&part, what, Some("left out, with what is in it".to_owned()));
                    vec![0; 4]
                }
            };
            let said = self.value["buffers"][index]["byteLength"].as_u64();
            if said.is_some_and(|said| said > bytes.len() as u64) && !(bytes.len() == 4 && bytes == [0; 4]) {
                let what =
                    format!("it says {} bytes, and there are {}: the data was cut off", said.unwrap_or(0), bytes.len());
                self.add(&format!("{path}.byteLength"), what, Some("what is there taken".to_owned()));
            }
            if said.is_none_or(|said| said > bytes.len() as u64)
                && let Some(buffer) = self.value["buffers"][index].as_object_mut()
            {
                buffer.insert("byteLength".to_owned(), bytes.len().into());
            }
            self.buffers.push(bytes);
        }
    }

    /// Mends until it reads; what it then holds.
    fn run(&mut self, name: &str) -> Option<GltfParts> {
        let size = self.text.len() + self.buffers.iter().map(Vec::len).sum::<usize>();
        let tries = (BUDGET / size.max(1)).clamp(8, TRIES);
        for _ in 0..tries {
            let text = serde_json::to_vec(&self.value).unwrap_or_default();
            let root = json::parse(&text);
            let error = match root {
                Ok(root) => {
                    let file =
                        GltfFile { root, buffers: std::mem::take(&mut self.buffers), folder: self.folder.clone() };
                    let mut report = Report::new();
                    let read = to_parts(&file, name, 1, &mut report);
                    self.buffers = file.buffers;
                    match read {
                        Ok(parts) => {
                            self.remarks(&report);
                            return Some(parts);
                        }
                        Err(error) => error,
                    }
                }
                Err(error) => error,
            };
            let (part, what) = match error {
                GltfError::Json { line, column, what } => {
                    let _one_line = line;
                    let steps = json_place::path_at(&text, column.saturating_sub(2));
                    (rules::path_of(&steps), what)
                }
                other => parts_of(other),
            };
            let mend = self.mend(&part, &what);
            let failed = mend.is_none();
            self.add(&part, what, mend);
            if failed {
                return None;
            }
        }
        None
    }

    fn remarks(&mut self, report: &Report) {
        for entry in report.entries() {
            let place = match &entry.place {
                Place::Part(path) => self.place(path),
                other => other.clone(),
            };
            self.look.remarks.push((place, entry.clone()));
        }
    }
}

fn parts_of(error: GltfError) -> (String, String) {
    match error {
        GltfError::Part { path, what } => (path, what),
        other => (String::new(), other.to_string()),
    }
}
