//! The shape of a RON text with the places of its parts: enough to say where something stands and to take it out.
//!
//! The typed reader stops at the first fault and keeps no places. Here every bracket, label and value is known by its bytes;
//! what the values mean is not. A flat list without recursion: a text of nothing but brackets takes memory, not the stack.

use std::ops::Range;

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, a name, a string: no parts within it.
    Word,
    /// `(...)`, with or without a name before it.
    Round,
    /// `[...]`.
    Square,
    /// `{...}`.
    Curly,
}

/// A part of the text. Numbers of parts and of bytes are 32 bits: no document is larger than 4 GB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// Its bytes, without its label: for a group with a name from the name on.
    start: u32,
    end: u32,
    /// The bytes of its label (a field's name, a map's key); empty where it has none.
    label: (u32, u32),
    /// The part that it stands in; itself for the outermost.
    parent: u32,
    /// The next part within the same one; 0 for none.
    next: u32,
    /// The first part within it; 0 for none.
    first: u32,
}

/// What is wrong with the brackets, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// The text ends within these groups, the outermost first.
    Unclosed(Vec<u32>),
    /// A bracket that closes nothing, or something else.
    Stray(usize),
}

/// A text's parts. Part 0 is the whole text; the document is the first within it.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    text: &'a str,
    parts: Vec<Part>,
}

/// The whole text.
pub(super) const WHOLE: u32 = 0;

impl<'a> Tree<'a> {
    /// The parts of a text, and what is wrong with its brackets: with anything wrong, the parts before it.
    pub(super) fn new(text: &'a str) -> (Self, Option<Broken>) {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let whole = Part { kind: Kind::Round, start: 0, end, label: (0, 0), parent: 0, next: 0, first: 0 };
        let mut builder = Builder { text: text.as_bytes(), at: 0, parts: vec![whole], open: vec![(0, 0)] };
        let broken = builder.run();
        (Self { text, parts: builder.parts }, broken)
    }

    pub(super) fn part(&self, index: u32) -> Part {
        self.parts.get(index as usize).copied().unwrap_or(Part {
            kind: Kind::Word,
            start: 0,
            end: 0,
            label: (0, 0),
            parent: 0,
            next: 0,
            first: 0,
        })
    }

    /// All parts, in the order of the text.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        1..u32::try_from(self.parts.len()).unwrap_or(u32::MAX)
    }

    /// The parts within one.
    pub(super) fn children(&self, of: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.part(of).first).filter(|first| *first != 0);
        std::iter::successors(first, |at| Some(self.part(*at).next).filter(|next| *next != 0))
    }

    /// The part that one stands in; none for the whole.
    pub(super) fn parent(&self, of: u32) -> Option<u32> {
        (of != WHOLE).then(|| self.part(of).parent)
    }

    /// The bytes of a part with its label.
    pub(super) fn span(&self, of: u32) -> Range<usize> {
        let part = self.part(of);
        let start = if part.label.1 > 0 { part.label.0 } else { part.start };
        start as usize..part.end as usize
    }

    /// The text of a part without its label.
    pub(super) fn value(&self, of: u32) -> &'a str {
        let part = self.part(of);
        self.text.get(part.start as usize..part.end as usize).unwrap_or_default()
    }

    /// The label of a part; empty where it has none.
    pub(super) fn label(&self, of: u32) -> &'a str {
        let (start, end) = self.part(of).label;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The bytes of a part's label; empty where it has none.
    pub(super) fn label_span(&self, of: u32) -> Range<usize> {
        let (start, end) = self.part(of).label;
        start as usize..end as usize
    }

    /// The bytes of a part without its label.
    pub(super) fn value_span(&self, of: u32) -> Range<usize> {
        let part = self.part(of);
        part.start as usize..part.end as usize
    }

    /// The part within one that has this label; the last where several do, as that one counts.
    pub(super) fn child(&self, of: u32, label: &str) -> Option<u32> {
        self.children(of).filter(|child| self.label(*child) == label).last()
    }

    /// The innermost part that covers a byte.
    pub(super) fn innermost(&self, byte: usize) -> u32 {
        let mut at = WHOLE;
        while let Some(inner) = self.children(at).find(|child| self.span(*child).contains(&byte)) {
            at = inner;
        }
        at
    }

    /// Whether a part can be taken out without others changing their places: a labelled one, or an entry of a list.
    pub(super) fn is_separate(&self, part: u32) -> bool {
        let labelled = !self.label(part).is_empty();
        part != WHOLE && (labelled || self.parent(part).is_some_and(|of| self.part(of).kind == Kind::Square))
    }

    /// The bytes to take out for a part to be gone: with the comma after it.
    pub(super) fn cut(&self, part: u32) -> Range<usize> {
        let span = self.span(part);
        let rest = self.text.get(span.end..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        let comma = rest.trim_start().starts_with(',');
        span.start..span.end + if comma { blank + 1 } else { 0 }
    }
}

struct Builder<'a> {
    text: &'a [u8],
    at: usize,
    parts: Vec<Part>,
    /// The groups that are open, each with its last part so far.
    open: Vec<(u32, u32)>,
}

impl Builder<'_> {
    fn run(&mut self) -> Option<Broken> {
        let mut label: Option<(u32, u32)> = None;
        loop {
            self.blank();
            let start = self.at;
            let Some(&byte) = self.text.get(start) else { break };
            match byte {
                b',' => {
                    self.at += 1;
                    label = None;
                }
                b':' => {
                    // The last part was a label.
                    self.at += 1;
                    label = self.take_last().map(|part| (part.start, part.end));
                }
                b'(' | b'[' | b'{' => {
                    self.at += 1;
                    self.begin(start, byte, label.take());
                }
                b')' | b']' | b'}' => {
                    if !self.close(byte) {
                        return Some(Broken::Stray(start));
                    }
                }
                _ => {
                    self.word();
                    self.add(Kind::Word, start, label.take());
                }
            }
        }
        let open: Vec<u32> = self.open.iter().map(|(group, _)| *group).filter(|group| *group != WHOLE).collect();
        (!open.is_empty()).then_some(Broken::Unclosed(open))
    }

    /// Passes white space and comments.
    fn blank(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = rest.get(blanks..).unwrap_or_default();
            let comment = if rest.starts_with(b"//") {
                memchr::memchr(b'\n', rest).unwrap_or(rest.len())
            } else if rest.starts_with(b"/*") {
                memchr::memmem::find(rest, b"*/").map_or(rest.len(), |at| at + 2)
            } else {
                0
            };
            self.at += blanks + comment;
            if comment == 0 {
                return;
            }
        }
    }

    /// Passes a string, a character, or anything else up to a sign that cannot be within a word.
    fn word(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let hashes = rest.iter().skip(1).take_while(|byte| **byte == b'#').count();
        let raw = rest.first() == Some(&b'r') && rest.get(1 + hashes) == Some(&b'"');
        self.at += match rest.first() {
            _ if raw => {
                let end = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
                let body = rest.get(2 + hashes..).unwrap_or_default();
                2 + hashes + memchr::memmem::find(body, &end).map_or(body.len(), |at| at + end.len())
            }
            Some(b'"') => quoted(rest, b'"'),
            Some(b'\'') => quoted(rest, b'\''),
            _ => {
                let stops = |byte: &u8| byte.is_ascii_whitespace() || b",:()[]{}\"'".contains(byte);
                rest.iter().position(stops).unwrap_or(rest.len()).max(1)
            }
        };
    }

    fn add(&mut self, kind: Kind, start: usize, label: Option<(u32, u32)>) -> u32 {
        let of = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let index = of(self.parts.len());
        let Some((parent, last)) = self.open.last_mut() else { return 0 };
        let (start, end) = (of(start), of(self.at));
        let part = Part { kind, start, end, label: label.unwrap_or_default(), parent: *parent, next: 0, first: 0 };
        let before = if *last == 0 { *parent } else { *last };
        if let Some(before_part) = self.parts.get_mut(before as usize) {
            if *last == 0 {
                before_part.first = index;
            } else {
                before_part.next = index;
            }
        }
        *last = index;
        self.parts.push(part);
        index
    }

    /// Takes back the last part of the innermost group: it was no value.
    fn take_last(&mut self) -> Option<Part> {
        let (group, last) = self.open.last().copied()?;
        if last == 0 || last as usize + 1 != self.parts.len() {
            return None;
        }
        let part = self.parts.pop()?;
        let mut before = 0;
        let mut at = self.parts.get(group as usize)?.first;
        // Fields of structs are few, and keys of maps follow one another: the one before the last is the last's index
        // before it in nearly every case.
        if at != last {
            before = self.previous(group, last);
            at = before;
        }
        match (before, self.parts.get_mut(at as usize)) {
            (0, _) => self.parts.get_mut(group as usize)?.first = 0,
            (_, Some(previous)) => previous.next = 0,
            (_, None) => {}
        }
        self.open.last_mut()?.1 = before;
        Some(part)
    }

    /// The part before one within a group: walking up from the part that the text has just before it.
    fn previous(&self, group: u32, last: u32) -> u32 {
        let mut at = last - 1;
        while let Some(part) = self.parts.get(at as usize)
            && part.parent != group
            && at != group
        {
            at = part.parent;
        }
        at
    }

    fn begin(&mut self, start: usize, byte: u8, label: Option<(u32, u32)>) {
        let kind = match byte {
            b'(' => Kind::Round,
            b'[' => Kind::Square,
            _ => Kind::Curly,
        };
        // A name straight before a round bracket belongs to it.
        let named = kind == Kind::Round
            && self.open.last().is_some_and(|(_, last)| {
                *last as usize + 1 == self.parts.len()
                    && *last != 0
                    && self.parts.get(*last as usize).is_some_and(|part| {
                        part.kind == Kind::Word
                            && self
                                .text
                                .get(part.start as usize)
                                .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
                            && !self.text.get(part.end as usize..start).unwrap_or_default().contains(&b',')
                    })
            });
        let index = if named {
            let index = u32::try_from(self.parts.len() - 1).unwrap_or(u32::MAX);
            if let Some(part) = self.parts.last_mut() {
                part.kind = kind;
            }
            index
        } else {
            self.add(kind, start, label)
        };
        self.open.push((index, 0));
    }

    fn close(&mut self, byte: u8) -> bool {
        let Some((open, _)) = self.open.last().copied().filter(|(open, _)| *open != WHOLE) else { return false };
        let Some(part) = self.parts.get_mut(open as usize) else { return false };
        let wanted = match part.kind {
            Kind::Round => b')',
            Kind::Square => b']',
            Kind::Curly | Kind::Word => b'}',
        };
        if byte != wanted {
            return false;
        }
        self.at += 1;
        part.end = u32::try_from(self.at).unwrap_or(u32::MAX);
        self.open.pop();
        true
    }
}

/// The length of a quoted word, its quotes included; to the end of the text where it is not closed.
fn quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr2(quote, b'\\', rest)) {
        at += found + 1;
        if text.get(at - 1) == Some(&quote) {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> (Tree<'_>, u32) {
        let (tree, broken) = Tree::new(text);
        assert_eq!(broken, None, "{text}");
        let document = tree.children(WHOLE).next().unwrap();
        (tree, document)
    }

    #[test]
    fn parts_have_their_labels_and_places() {
        let text = "(\n a: [1, -2.5, x(3)], // c: (\n m: {\"k\\\": (\": Some(4), 5: (b: 'x')},\n)\n";
        let (tree, root) = document(text);
        let labels: Vec<&str> = tree.children(root).map(|part| tree.label(part)).collect();
        assert_eq!(labels, ["a", "m"]);
        let list = tree.child(root, "a").unwrap();
        let values: Vec<&str> = tree.children(list).map(|part| tree.value(part)).collect();
        assert_eq!(values, ["1", "-2.5", "x(3)"]);
        let map = tree.child(root, "m").unwrap();
        let entries: Vec<(&str, &str)> = tree.children(map).map(|part| (tree.label(part), tree.value(part))).collect();
        assert_eq!(entries, [("\"k\\\": (\"", "Some(4)"), ("5", "(b: 'x')")]);
        let deep = tree.innermost(text.find("'x'").unwrap());
        assert_eq!((tree.label(deep), tree.value(deep)), ("b", "'x'"));
        assert_eq!(&text[tree.cut(list)], "a: [1, -2.5, x(3)],");
    }

    #[test]
    fn broken_brackets_are_placed() {
        let (tree, broken) = Tree::new("(a: [1, 2");
        assert!(matches!(broken, Some(Broken::Unclosed(open)) if open.len() == 2 && tree.label(open[1]) == "a"));
        assert_eq!(Tree::new("(a: [1, 2)").1, Some(Broken::Stray(9)));
        assert_eq!(Tree::new(")").1, Some(Broken::Stray(0)));
        assert!(matches!(Tree::new(&"[".repeat(200_000)).1, Some(Broken::Unclosed(_))));
    }

    #[test]
    fn the_saved_sample_is_one_tree() {
        let text = include_str!("../../../assets/samples/walk.ron");
        let (_, body) = text.split_once('\n').unwrap();
        let (tree, root) = document(body);
        assert!(tree.child(root, "objects").is_some() && tree.child(root, "next_id").is_some());
        assert!(tree.all().count() > 1000);
    }
}
