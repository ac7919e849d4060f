//! Clocks: when a target's curves are read, and when what they hold is shown.

use super::retime::Retime;
use std::sync::Arc;

/// The retimes that a target's curves are read through, as one change of timing. Without any, times shown are the curves'
/// own to the bit.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// In the order of the clip: the last is asked first.
    retimes: Vec<Arc<Retime>>,
}

impl PartialEq for Clock {
    /// Whether both are made of the very same retimes.
    fn eq(&self, other: &Self) -> bool {
        self.retimes.len() == other.retimes.len()
            && self.retimes.iter().zip(&other.retimes).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl Clock {
    /// A clock of retimes in the order of their clip; those that are off are left out.
    #[must_use]
    pub fn new<'a>(retimes: impl IntoIterator<Item = &'a Arc<Retime>>) -> Self {
        Self { retimes: retimes.into_iter().filter(|retime| !retime.muted).cloned().collect() }
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.retimes.is_empty()
    }

    /// The retimes it is made of.
    #[must_use]
    pub fn retimes(&self) -> &[Arc<Retime>] {
        &self.retimes
    }

    /// The time at which curves are read for a time shown, seconds.
    #[must_use]
    pub fn source(&self, shown: f64) -> f64 {
        self.retimes.iter().rev().fold(shown, |secs, retime| retime.phi.value(secs))
    }

    /// The time at which is shown what curves hold at a time, seconds: the inverse of [`Self::source`].
    #[must_use]
    pub fn shown(&self, source: f64) -> f64 {
        self.retimes.iter().fold(source, |secs, retime| retime.phi.inverse(secs))
    }

    /// How fast the time read runs at a time shown: 1 is as the curves were made.
    #[must_use]
    pub fn slope(&self, shown: f64) -> f64 {
        let (mut secs, mut slope) = (shown, 1.0);
        for retime in self.retimes.iter().rev() {
            slope *= retime.phi.slope(secs);
            secs = retime.phi.value(secs);
        }
        slope
    }

    /// How fast [`Self::slope`] changes at a time shown, per second: by central differences over `near` seconds.
    #[must_use]
    pub fn bend(&self, shown: f64, near: f64) -> f64 {
        if self.is_plain() { 0.0 } else { (self.slope(shown + near) - self.slope(shown - near)) / (2.0 * near) }
    }

    /// The curve's own time that is shown where a change of the time shown puts it. What is not moved keeps every bit.
    #[must_use]
    pub fn moved(&self, source: f64, change: impl FnOnce(f64) -> f64) -> f64 {
        if self.is_plain() {
            return change(source);
        }
        let shown = self.shown(source);
        let to = change(shown);
        if to == shown { source } else { self.source(to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ObjectId, Phi, RetimeId, RetimeScope};

    fn retime(id: u32, muted: bool, keys: &[(f64, f64)]) -> Arc<Retime> {
        let phi = Phi::new(keys.to_vec()).unwrap();
        let (object, scope) = (ObjectId(1), RetimeScope::Whole);
        Arc::new(Retime { id: RetimeId(id), name: String::new(), muted, object, scope, phi })
    }

    #[test]
    fn it_runs_there_and_back_through_all_of_them() {
        let first = retime(0, false, &[(0.0, 0.0), (1.0, 1.4), (2.0, 2.0)]);
        let off = retime(1, true, &[(0.0, 0.0), (1.0, 0.5), (2.0, 2.0)]);
        let last = retime(2, false, &[(0.5, 0.5), (1.0, 0.8), (3.0, 3.0)]);
        let clock = Clock::new([&first, &off, &last]);
        assert_eq!(clock.retimes().len(), 2);
        for step in -10..=70 {
            let shown = f64::from(step) * 0.05;
            let source = clock.source(shown);
            assert!((source - first.phi.value(last.phi.value(shown))).abs() < 1e-15);
            assert!((clock.shown(source) - shown).abs() < 1e-12, "{shown}");
            let slope = (clock.source(shown + 1e-6) - clock.source(shown - 1e-6)) / 2e-6;
            assert!((clock.slope(shown) - slope).abs() < 1e-4, "{shown}: {} {slope}", clock.slope(shown));
        }
    }

    #[test]
    fn what_is_not_moved_keeps_every_bit() {
        let clock = Clock::new([&retime(0, false, &[(0.0, 0.0), (1.0, 1.4), (2.0, 2.0)])]);
        assert_eq!(clock.moved(0.7, |shown| shown).to_bits(), 0.7_f64.to_bits());
        let moved = clock.moved(0.7, |shown| shown + 0.25);
        assert!((clock.shown(moved) - clock.shown(0.7) - 0.25).abs() < 1e-12);
        assert_eq!(Clock::default().moved(0.7, |secs| secs + 0.25), 0.95);
        assert!(Clock::default().is_plain() && Clock::default() == Clock::new([]) && clock != Clock::default());
    }
}
