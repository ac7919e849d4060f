//! Words of the hierarchy: braces stand alone, everything else ends at white space or a brace.

use super::error::{BvhError, quoted};
use super::number::{is_space, number};

/// A word and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl Word<'_> {
    /// Whether the word is this keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }
}

/// A position in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    pub(super) text: &'a [u8],
    pub(super) offset: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, offset: 0 }
    }

    /// The next word without taking it; at the end an empty word behind the text.
    pub(super) fn peek(&self) -> Word<'a> {
        let rest = &self.text[self.offset..];
        let Some(skip) = rest.iter().position(|b| !is_space(*b)) else {
            return Word { bytes: &[], offset: self.text.len() };
        };
        let rest = &rest[skip..];
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest.iter().position(|b| is_space(*b) || matches!(b, b'{' | b'}')).unwrap_or(rest.len()),
        };
        Word { bytes: &rest[..length], offset: self.offset + skip }
    }

    /// Takes the next word.
    pub(super) fn next(&mut self) -> Word<'a> {
        let word = self.peek();
        self.offset = word.offset + word.bytes.len();
        word
    }

    /// The next word if it stands on the present line.
    pub(super) fn peek_on_line(&self) -> Option<Word<'a>> {
        let word = self.peek();
        let between = &self.text[self.offset..word.offset];
        (!word.bytes.is_empty() && !between.contains(&b'\n')).then_some(word)
    }

    /// Takes the rest of the line up to a brace, trimmed: a name with all its spaces, colons and dots.
    ///
    /// Where the keyword stands alone on its line the name is what the next line has, unless that opens the block.
    pub(super) fn name(&mut self) -> &'a [u8] {
        for _ in 0..2 {
            let rest = &self.text[self.offset..];
            let end = rest.iter().position(|b| matches!(b, b'\n' | b'{' | b'}')).unwrap_or(rest.len());
            let name = rest[..end].trim_ascii();
            let at_line_end = rest.get(end) == Some(&b'\n');
            self.offset += end + usize::from(at_line_end);
            if !name.is_empty() || !at_line_end {
                return name;
            }
        }
        &[]
    }

    /// Takes a finite number.
    pub(super) fn number(&mut self, wanted: &str) -> Result<f64, BvhError> {
        let word = self.next();
        match number(word.bytes) {
            Some(value) if value.abs() < super::LARGEST => Ok(value),
            Some(_) => Err(self.wrong(word, format!("{wanted}: a finite number below 1e100"), "correct the value")),
            None => Err(self.wrong(word, format!("{wanted}: a number"), "correct the line")),
        }
    }

    /// An error at a word that is not what it should be.
    pub(super) fn wrong(&self, word: Word<'_>, wanted: impl Into<String>, remedy: &'static str) -> BvhError {
        let found = if word.bytes.is_empty() { "the end of the file".to_owned() } else { quoted(word.bytes) };
        BvhError::at(self.text, word.offset, found, wanted, remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_alone() {
        let mut lexer = Lexer::new(b"ROOT a{OFFSET 1\r\n}");
        let words: Vec<_> = std::iter::from_fn(|| Some(lexer.next().bytes).filter(|w| !w.is_empty())).collect();
        assert_eq!(words, [&b"ROOT"[..], b"a", b"{", b"OFFSET", b"1", b"}"]);
    }

    #[test]
    fn names_keep_what_is_inside() {
        let name = |text: &'static str| {
            let mut lexer = Lexer::new(text.as_bytes());
            (std::str::from_utf8(lexer.name()).unwrap(), lexer.next().bytes)
        };
        assert_eq!(name(" Spine 01 (mid)\r\n{"), ("Spine 01 (mid)", &b"{"[..]));
        assert_eq!(name(" a:b.001 { OFFSET"), ("a:b.001", &b"{"[..]));
        assert_eq!(name("\n  late name\n{"), ("late name", &b"{"[..]));
        assert_eq!(name("\n{"), ("", &b"{"[..]));
        assert_eq!(name(""), ("", &b""[..]));
    }
}
