//! The many places of a trail, worked out on all cores.

use super::{TrailSampler, TrailSpec};
use crate::{eval::Evaluator, model::Document};
use std::{ops::Range, thread};

/// A thread is worth starting for so many points.
const LEAST: usize = 48;
/// The most threads.
const MOST: usize = 8;

/// The results of `work` over `0..count`, in order, part by part on as many threads as are worth it. What comes out does not
/// depend on how many. None where there is no such joint.
pub(super) fn spread<T: Send>(
    evaluator: &Evaluator,
    document: &Document,
    spec: TrailSpec,
    count: usize,
    work: impl Fn(&TrailSampler<'_>, Range<usize>) -> Vec<T> + Sync,
) -> Option<Vec<T>> {
    let TrailSpec { object, joint, space, .. } = spec;
    let own = TrailSampler::new(evaluator, document, object, joint, space)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = (count / LEAST).clamp(1, cores.min(MOST));
    let part = |index: usize| index * count / parts..(index + 1) * count / parts;
    let beside: Vec<(Range<usize>, Evaluator)> = (1..parts).map(|index| (part(index), evaluator.fork())).collect();
    let work = &work;
    let mut all = Vec::with_capacity(count);
    thread::scope(|scope| {
        let started = beside.into_iter().map(|(range, fork)| {
            scope.spawn(move || {
                let sampler = TrailSampler::new(&fork, document, object, joint, space);
                sampler.map(|sampler| work(&sampler, range)).unwrap_or_default()
            })
        });
        let started: Vec<_> = started.collect();
        all.extend(work(&own, part(0)));
        for thread in started {
            match thread.join() {
                Ok(found) => all.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    (all.len() == count).then_some(all)
}
