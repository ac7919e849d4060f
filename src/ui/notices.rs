//! What was reported: a few seconds as a toast, then in the log.

use crate::notice::{Level, Notice};

/// How long a toast shows, seconds: an error longer than news.
const SHOWN_SECS: [(Level, f64); 3] = [(Level::Info, 4.0), (Level::Warn, 8.0), (Level::Error, 15.0)];
/// How many entries the log keeps.
const KEPT: usize = 1000;
/// How many toasts show at once.
const TOASTS: usize = 4;

/// One entry of the log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What was reported.
    pub notice: Notice,
    /// How often it came in a row.
    pub count: u32,
    /// When it came last, seconds of the program's clock.
    pub secs: f64,
    /// Whether its toast was closed.
    pub closed: bool,
}

/// All that was reported.
#[derive(Debug, Default)]
pub struct Notices {
    entries: Vec<Entry>,
}

impl Notices {
    /// Adds a notice at a time of the program's clock; the same again is counted.
    pub fn add(&mut self, notice: Notice, secs: f64) {
        if let Some(last) = self.entries.last_mut().filter(|last| last.notice == notice) {
            *last = Entry { count: last.count + 1, secs, closed: false, notice };
            return;
        }
        if self.entries.len() == KEPT {
            self.entries.remove(0);
        }
        self.entries.push(Entry { notice, count: 1, secs, closed: false });
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The toasts that show at a time, oldest first, and when the next of them goes.
    #[must_use]
    pub fn toasts(&self, now: f64) -> (Vec<(usize, &Notice)>, Option<f64>) {
        let ends = |entry: &Entry| {
            let secs = SHOWN_SECS.iter().find(|(level, _)| *level == entry.notice.level).map_or(4.0, |(_, secs)| *secs);
            entry.secs + secs
        };
        let shown = self.entries.iter().enumerate().rev();
        let mut shown: Vec<_> = shown.filter(|(_, entry)| !entry.closed && ends(entry) > now).take(TOASTS).collect();
        shown.reverse();
        let next = shown.iter().map(|(_, entry)| ends(entry)).reduce(f64::min);
        (shown.into_iter().map(|(index, entry)| (index, &entry.notice)).collect(), next)
    }

    /// Closes a toast.
    pub fn close(&mut self, index: usize) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.closed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_counted_and_toasts_go() {
        let mut notices = Notices::default();
        notices.add(Notice::info("a"), 0.0);
        notices.add(Notice::info("a"), 1.0);
        notices.add(Notice::error("b"), 1.0);
        assert_eq!(notices.entries().len(), 2);
        assert_eq!(notices.entries()[0].count, 2);
        assert_eq!(notices.toasts(2.0).0.len(), 2);
        assert_eq!(notices.toasts(2.0).1, Some(5.0));
        assert_eq!(notices.toasts(6.0).0.len(), 1);
        notices.close(1);
        assert_eq!(notices.toasts(6.0), (Vec::new(), None));
    }
}
