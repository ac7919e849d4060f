//! Changes of a text that leave the rest of it as it is, and the way back from a place in the new text to the old one.

use std::{collections::BTreeMap, ops::Range};

/// Ranges of a text that are replaced. None overlaps another.
#[derive(Clone, Debug, Default)]
pub(in crate::io) struct Patch(BTreeMap<usize, (usize, String)>);

impl Patch {
    /// Replaces a range; what was replaced within it before is forgotten. A range that lies in a replaced one stays
    /// replaced.
    pub(in crate::io) fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        if self.covers(&range) {
            return;
        }
        // What was put before it stays before it.
        let put = self.0.get(&range.start).filter(|(end, _)| *end == range.start && range.end > range.start);
        let by = format!("{}{}", put.map_or("", |(_, text)| text), by.into());
        self.0.retain(|start, (end, _)| *end <= range.start || *start >= range.end);
        self.0.insert(range.start, (range.end, by));
    }

    /// Puts text before a place, after what was put there before.
    pub(in crate::io) fn insert(&mut self, at: usize, what: &str) {
        if self.covers(&(at..at)) && !self.0.contains_key(&at) {
            return;
        }
        match self.0.get_mut(&at) {
            Some((end, text)) if *end == at => text.push_str(what),
            Some((_, text)) => text.insert_str(0, what),
            None => drop(self.0.insert(at, (at, what.to_owned()))),
        }
    }

    /// Whether a range, empty or not, lies within a replaced one.
    pub(in crate::io) fn covers(&self, range: &Range<usize>) -> bool {
        let before = self.0.range(..=range.start).next_back();
        before.is_some_and(|(start, (end, _))| *start <= range.start && range.end <= *end && *end > *start)
    }

    /// The text of a range with the changes within it; up to the end of the text with what was put behind it.
    pub(in crate::io) fn render(&self, text: &str, range: Range<usize>) -> String {
        let mut out = String::with_capacity(range.len());
        let mut at = range.start;
        let behind = usize::from(range.end == text.len());
        for (start, (end, by)) in self.0.range(range.start..range.end.max(range.start) + behind) {
            out.push_str(text.get(at..*start).unwrap_or_default());
            out.push_str(by);
            at = *end;
        }
        out.push_str(text.get(at..range.end).unwrap_or_default());
        out
    }

    /// The place in the old text of one in the new text; within a replacement its beginning.
    pub(in crate::io) fn before(&self, new: usize) -> usize {
        let (mut old_at, mut new_at) = (0, 0);
        for (start, (end, by)) in &self.0 {
            let next = new_at + (start - old_at);
            if new < next {
                break;
            }
            if new < next + by.len() {
                return *start;
            }
            (old_at, new_at) = (*end, next + by.len());
        }
        old_at + (new - new_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let text = "0123456789";
        let mut patch = Patch::default();
        patch.replace(2..4, "abc");
        patch.replace(6..7, "");
        patch.insert(3, "ignored: nothing is put within what is gone");
        let new = patch.render(text, 0..10);
        assert!(new.starts_with("01abc45"), "{new}");
        assert_eq!((patch.before(1), patch.before(3), patch.before(5), patch.before(6)), (1, 2, 4, 5));
        patch.insert(10, "!");
        assert!(patch.render(text, 0..10).ends_with("9!") && patch.render(text, 7..9) == "78");
        patch.replace(1..8, "-");
        assert_eq!(patch.render(text, 0..10), "0-89!");
        assert_eq!((patch.before(2), patch.before(3)), (8, 9));
        assert!(patch.covers(&(3..5)) && !patch.covers(&(8..9)));
    }
}
