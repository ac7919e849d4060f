//! Bytes to text: byte-order marks, UTF-16, single bytes of old code pages, old line ends.

use super::report::{Place, Report};

/// Line and column, both from 1 and the column in characters, of a byte offset into a text.
///
/// An offset past the end is the place just behind the last character.
#[must_use]
pub fn place_of(text: &[u8], offset: usize) -> Place {
    let before = &text[..offset.min(text.len())];
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    // Continuation bytes of UTF-8 are no characters of their own.
    let column = 1 + before[start..].iter().filter(|b| (**b & 0xC0) != 0x80).count();
    Place::Text { line, column }
}

/// The byte of a line and a column of characters, both from 1: the way back of [`place_of`]. Beyond the text, or a line,
/// it is their end.
#[must_use]
pub fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let start = match line {
        0 | 1 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map_or(text.len(), |at| at + 1),
    };
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// Decodes a text file of any of the usual kinds, and says in the report what was not plain UTF-8.
///
/// - a UTF-8 byte-order mark is dropped;
/// - UTF-16, with its mark or told by the zero bytes of its ASCII part, is converted; a lone half of a pair becomes U+FFFD;
/// - bytes that are no UTF-8 are read as Windows-1252, one character each, so that different names stay different;
/// - lone carriage returns as the only line ends become line feeds.
#[must_use]
pub fn decode(mut bytes: Vec<u8>, report: &mut Report) -> String {
    if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
        bytes.drain(..3);
    }
    let text = match utf16_kind(&bytes) {
        Some(big_endian) => {
            report.info("encoding", Place::Whole, "the file is UTF-16", "converted; saving writes UTF-8");
            decode_utf16(&bytes, big_endian)
        }
        None => String::from_utf8(bytes).unwrap_or_else(|error| decode_mixed(error.as_bytes(), report)),
    };
    if !text.contains('\n') && text.contains('\r') { text.replace('\r', "\n") } else { text }
}

/// Whether the bytes are UTF-16, and if so whether big-endian.
fn utf16_kind(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xFF, 0xFE, ..] => return Some(false),
        [0xFE, 0xFF, ..] => return Some(true),
        _ => {}
    }
    // Without a mark: an ASCII text has a zero in every second byte.
    let head = &bytes[..bytes.len().min(32)];
    if head.len() < 8 {
        return None;
    }
    let zeros = |phase: usize| head.iter().skip(phase).step_by(2).all(|b| *b == 0);
    let letters = |phase: usize| head.iter().skip(phase).step_by(2).all(|b| *b != 0);
    if zeros(1) && letters(0) {
        Some(false)
    } else if zeros(0) && letters(1) {
        Some(true)
    } else {
        None
    }
}

fn decode_utf16(bytes: &[u8], big_endian: bool) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [first, second] if big_endian => u16::from_be_bytes([*first, *second]),
        [first, second] => u16::from_le_bytes([*first, *second]),
        _ => 0,
    });
    let text: String = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text)
}

/// UTF-8 where it is UTF-8, Windows-1252 byte by byte where not.
fn decode_mixed(bytes: &[u8], report: &mut Report) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut first = None;
    let mut offset = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        offset += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            first.get_or_insert(offset);
            text.extend(chunk.invalid().iter().map(|b| windows_1252(*b)));
            offset += chunk.invalid().len();
        }
    }
    if let Some(first) = first {
        let place = place_of(bytes, first);
        report.warn("encoding", place, "bytes that are not UTF-8", "read as Windows-1252; saving writes UTF-8");
    }
    text
}

/// One byte of Windows-1252; the five unassigned ones keep their number.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, usize) {
        let mut report = Report::new();
        let text = decode(bytes.to_vec(), &mut report);
        (text, report.total())
    }

    #[test]
    fn marks_and_utf16() {
        assert_eq!(decoded(b"\xEF\xBB\xBFROOT"), ("ROOT".into(), 0));
        let wide = |text: &str, big: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() }).collect()
        };
        assert_eq!(decoded(&wide("\u{FEFF}HIERARCHY 左", false)), ("HIERARCHY 左".into(), 1));
        assert_eq!(decoded(&wide("\u{FEFF}HIERARCHY 左", true)), ("HIERARCHY 左".into(), 1));
        assert_eq!(decoded(&wide("HIERARCHY ROOT hips", false)), ("HIERARCHY ROOT hips".into(), 1));
        assert_eq!(decoded(&wide("HIERARCHY ROOT hips", true)), ("HIERARCHY ROOT hips".into(), 1));
    }

    #[test]
    fn single_bytes_stay_apart() {
        assert_eq!(decoded(b"Wirbels\xE4ule \x80"), ("Wirbelsäule €".into(), 1));
        assert_eq!(decoded("Wirbelsäule".as_bytes()), ("Wirbelsäule".into(), 0));
    }

    #[test]
    fn old_line_ends() {
        assert_eq!(decoded(b"a\rb\r"), ("a\nb\n".into(), 0));
        assert_eq!(decoded(b"a\r\nb"), ("a\r\nb".into(), 0));
    }

    #[test]
    fn places_count_from_one_in_characters() {
        let text = "ä b\nöü x".as_bytes();
        assert_eq!(place_of(text, 0), Place::Text { line: 1, column: 1 });
        assert_eq!(place_of(text, 3), Place::Text { line: 1, column: 3 });
        let x = text.iter().position(|b| *b == b'x').unwrap();
        assert_eq!(place_of(text, x), Place::Text { line: 2, column: 4 });
        assert_eq!(place_of(text, 999), Place::Text { line: 2, column: 5 });
    }

    #[test]
    fn places_and_bytes_undo_each_other() {
        let text = "one\n\ntw\u{f6} \u{5de6}x\n";
        for (at, _) in text.char_indices() {
            let Place::Text { line, column } = place_of(text.as_bytes(), at) else { panic!("a place in text") };
            assert_eq!(byte_of(text, line, column), at);
        }
        assert_eq!((byte_of(text, 99, 1), byte_of("", 0, 0)), (text.len(), 0));
    }
}
