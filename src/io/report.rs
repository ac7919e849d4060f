//! What a reader or writer had to mend, drop or guess: collected, each entry with its place.

use crate::notice::{Level, Notice};
use std::collections::BTreeMap;
use std::fmt;

/// Where in a file or document an entry belongs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The file or document as a whole.
    Whole,
    /// A position in a text file; both count from 1, the column in characters.
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
    },
    /// A position in a binary file.
    Byte {
        /// Bytes from its start.
        byte: usize,
    },
    /// A part of a document by name, as in `Biped/hand.l/rotation.x`.
    Part(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Byte { byte } => write!(f, "byte {byte}"),
            Self::Part(path) => f.write_str(path),
        }
    }
}

/// One thing that did not go through exactly.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Entry {
    /// How much it matters.
    pub level: Level,
    /// A stable word for the kind of entry, for machines: `frames-count`, `cut-row`.
    pub kind: &'static str,
    /// Where.
    pub place: Place,
    /// What was found.
    pub found: String,
    /// What was done about it.
    pub done: String,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::Whole {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}: {}", self.found, self.done)
    }
}

/// The collected entries of one import or export.
///
/// Bounded: of each kind the first [`Report::KEPT`] entries are kept and the others counted, so that a file of nothing
/// but faults cannot fill the memory with complaints.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    entries: Vec<Entry>,
    counts: BTreeMap<&'static str, usize>,
}

impl Report {
    /// How many entries of one kind are kept in full.
    pub const KEPT: usize = 32;
    /// The kind of entries that say of a channel that it was written exactly.
    pub const EXACT: &'static str = "exact";

    /// An empty report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds something done, but not exactly as the file had it.
    pub fn warn(&mut self, kind: &'static str, place: Place, found: impl Into<String>, done: impl Into<String>) {
        self.add(Entry { level: Level::Warn, kind, place, found: found.into(), done: done.into() });
    }

    /// Adds something worth knowing.
    pub fn info(&mut self, kind: &'static str, place: Place, found: impl Into<String>, done: impl Into<String>) {
        self.add(Entry { level: Level::Info, kind, place, found: found.into(), done: done.into() });
    }

    /// Adds what was measured of one channel. All are kept: they are bounded by the document, not by a file's faults.
    pub fn measured(&mut self, kind: &'static str, place: Place, found: impl Into<String>, done: impl Into<String>) {
        *self.counts.entry(kind).or_default() += 1;
        self.entries.push(Entry { level: Level::Info, kind, place, found: found.into(), done: done.into() });
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: Entry) {
        let count = self.counts.entry(entry.kind).or_default();
        *count += 1;
        if *count <= Self::KEPT {
            self.entries.push(entry);
        }
    }

    /// Counts further entries of a kind without words for each.
    pub fn add_unlisted(&mut self, kind: &'static str, number: usize) {
        if number > 0 {
            *self.counts.entry(kind).or_default() += number;
        }
    }

    /// The kept entries, in the order they were found.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many entries of this kind there were, kept or not.
    #[must_use]
    pub fn count(&self, kind: &str) -> usize {
        self.counts.get(kind).copied().unwrap_or_default()
    }

    /// All entries, kept or not.
    #[must_use]
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }

    /// Whether there is nothing to say.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Whether any entry is a warning.
    #[must_use]
    pub fn has_warnings(&self) -> bool {
        self.entries.iter().any(|entry| entry.level >= Level::Warn)
    }

    /// Takes over the entries of another report.
    pub fn merge(&mut self, other: Self) {
        let mut unlisted = other.counts;
        for entry in other.entries {
            if let Some(count) = unlisted.get_mut(entry.kind) {
                *count = count.saturating_sub(1);
            }
            self.add(entry);
        }
        for (kind, number) in unlisted {
            self.add_unlisted(kind, number);
        }
    }

    /// One line for each kept entry, then what was left out.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.entries.iter().map(ToString::to_string).collect();
        for (kind, count) in &self.counts {
            let kept = self.entries.iter().filter(|entry| entry.kind == *kind).count();
            if *count > kept {
                lines.push(format!("{} more of the kind `{kind}`", count - kept));
            }
        }
        lines
    }

    /// The lines of all but the channels that are exact: what a reader has to know.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut other = self.clone();
        other.entries.retain(|entry| entry.kind != Self::EXACT);
        other.counts.remove(Self::EXACT);
        other.lines()
    }

    /// The report as one notice under a heading, or none where there is nothing to say.
    #[must_use]
    pub fn to_notice(&self, heading: &str) -> Option<Notice> {
        let level = self.entries.iter().map(|entry| entry.level).max()?;
        let text = match (self.remarks().as_slice(), self.count(Self::EXACT)) {
            ([], 1) => format!("{heading}: its one channel is exact"),
            ([], exact) => format!("{heading}: all {exact} channels are exact"),
            ([only], _) => format!("{heading}: {only}"),
            (lines, _) => format!("{heading}: {} remarks", lines.len()),
        };
        Some(Notice::new(level, text).with_details(self.lines().join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_of_a_kind_and_counts_the_rest() {
        let mut report = Report::new();
        for line in 1..=100 {
            report.warn("value", Place::Text { line, column: 2 }, "NaN", "0 taken");
        }
        assert_eq!((report.entries().len(), report.count("value"), report.total()), (Report::KEPT, 100, 100));
        assert_eq!(report.lines()[0], "line 1, column 2: NaN: 0 taken");
        assert_eq!(report.lines().last().unwrap(), "68 more of the kind `value`");
        let mut sum = report.clone();
        sum.merge(report);
        assert_eq!((sum.entries().len(), sum.count("value")), (Report::KEPT, 200));
    }

    #[test]
    fn exact_channels_are_all_listed_and_are_no_remarks() {
        let mut report = Report::new();
        for n in 0..100 {
            report.measured(Report::EXACT, Place::Part(format!("walk: {n}")), "exact", "measured at most 0.0000 mm");
        }
        let notice = report.to_notice("Written").unwrap();
        assert_eq!(notice.text, "Written: all 100 channels are exact");
        assert_eq!((report.entries().len(), report.remarks().len()), (100, 0));
        assert!(report.lines()[99].starts_with("walk: 99: exact: measured at most"));
        report.warn("pins", Place::Whole, "2 pins", "resampled");
        assert_eq!(report.to_notice("Written").unwrap().text, "Written: 2 pins: resampled");
    }
}
