//! Progress of long work, and the wish to stop it: one handle, shared by the worker and whoever watches. And the cores that
//! long work may take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Work was stopped because someone asked for it. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped: nothing was changed")]
pub struct Cancelled;

/// A cheap handle on the progress of one piece of work; clones watch the same work.
///
/// The worker calls [`start`](Self::start), [`advance`](Self::advance) and [`check`](Self::check); a window or a
/// terminal reads [`fraction`](Self::fraction) and [`text`](Self::text), and may [`cancel`](Self::cancel).
#[derive(Clone, Debug, Default)]
pub struct Progress {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    done: AtomicU64,
    total: AtomicU64,
    text: Mutex<String>,
    cancelled: AtomicBool,
}

impl Progress {
    /// A handle with nothing done, of an unknown total.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a step: what it is, in words, and how many units it has; 0 where the number is not known.
    pub fn start(&self, text: impl Into<String>, total: u64) {
        *self.shared.text.lock().unwrap_or_else(PoisonError::into_inner) = text.into();
        self.shared.done.store(0, Ordering::Relaxed);
        self.shared.total.store(total, Ordering::Relaxed);
    }

    /// Adds finished units.
    pub fn advance(&self, units: u64) {
        self.shared.done.fetch_add(units, Ordering::Relaxed);
    }

    /// Finished units of the present step.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.shared.done.load(Ordering::Relaxed)
    }

    /// Units of the present step, 0 where not known.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.shared.total.load(Ordering::Relaxed)
    }

    /// The finished part in 0..=1, or none where the total is not known.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| (self.done() as f64 / total as f64).min(1.0))
    }

    /// What is being done, in words.
    #[must_use]
    pub fn text(&self) -> String {
        self.shared.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the worker to stop at the next [`check`](Self::check).
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether someone asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// For use with `?` in a worker's loop.
    ///
    /// # Errors
    /// [`Cancelled`] once someone asked to stop.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The most threads that one piece of work takes.
const MOST_CORES: usize = 8;

/// Does something with every item, in up to `worth` runs of neighbours beside each other on as many cores; what each gave,
/// in order. What comes out does not depend on how many there are.
pub fn on_cores<T: Send, R: Send>(mut items: Vec<T>, worth: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_CORES);
    let parts = cores.min(worth).min(items.len()).max(1);
    if parts == 1 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let mut results = Vec::with_capacity(count);
    std::thread::scope(|scope| {
        let work = &work;
        let mut beside = Vec::with_capacity(parts - 1);
        for part in (1..parts).rev() {
            let own = items.split_off(part * count / parts);
            beside.push(scope.spawn(move || own.into_iter().map(work).collect::<Vec<R>>()));
        }
        results.extend(items.into_iter().map(work));
        for thread in beside.into_iter().rev() {
            match thread.join() {
                Ok(found) => results.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_cores_do_comes_in_order() {
        for count in [0, 1, 2, 7, 100] {
            let wanted: Vec<usize> = (0..count).map(|n| n * n).collect();
            for worth in [0, 1, 2, 3, 1_000] {
                assert_eq!(on_cores((0..count).collect(), worth, |n: usize| n * n), wanted, "{count}, {worth}");
            }
        }
    }

    #[test]
    fn clones_watch_the_same_work() {
        let worker = Progress::new();
        let watcher = worker.clone();
        assert_eq!(watcher.fraction(), None);
        worker.start("Reading", 4);
        worker.advance(3);
        assert_eq!(watcher.fraction(), Some(0.75));
        assert_eq!(watcher.text(), "Reading");
        assert_eq!(worker.check(), Ok(()));
        watcher.cancel();
        assert_eq!(worker.check(), Err(Cancelled));
    }
}
