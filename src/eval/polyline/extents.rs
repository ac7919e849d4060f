//! Least and greatest values over runs of keys or samples, in a pyramid: any run is answered from a few stored pairs.

use crate::model::{Key, Keys, key_store::Chunk};
use std::sync::Arc;

/// Values under one pair of the lowest level.
const LEAF: usize = 16;
/// Pairs under one pair of the next level.
const FAN: usize = 8;

/// The least and the greatest of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The least; above `high` where there are no values.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Extent {
    /// Of no values.
    pub const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// With one more value; a NaN is passed over.
    #[must_use]
    pub const fn with(self, value: f64) -> Self {
        Self { low: self.low.min(value), high: self.high.max(value) }
    }

    /// Of the values of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    fn of(values: impl IntoIterator<Item = f64>) -> Self {
        values.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Levels of pairs over a list: level 0 has one pair for [`LEAF`] values, each next level one for [`FAN`] below.
#[derive(Clone, Debug, Default)]
struct Pyramid {
    levels: Vec<Vec<Extent>>,
}

impl Pyramid {
    fn new(leaves: Vec<Extent>) -> Self {
        let mut levels = vec![leaves];
        while let Some(below) = levels.last().filter(|below| below.len() > FAN) {
            let above = below.chunks(FAN).map(|run| run.iter().copied().fold(Extent::EMPTY, Extent::union)).collect();
            levels.push(above);
        }
        Self { levels }
    }

    fn over(values: &[f64]) -> Self {
        Self::new(values.chunks(LEAF).map(|run| Extent::of(run.iter().copied())).collect())
    }

    /// The extent of the leaves `from..to`.
    fn leaves(&self, mut from: usize, mut to: usize) -> Extent {
        let mut extent = Extent::EMPTY;
        for level in &self.levels {
            let top = level.len() <= FAN;
            while from < to && (top || !from.is_multiple_of(FAN)) {
                extent = level.get(from).map_or(extent, |pair| extent.union(*pair));
                from += 1;
            }
            while from < to && !to.is_multiple_of(FAN) {
                to -= 1;
                extent = level.get(to).map_or(extent, |pair| extent.union(*pair));
            }
            if from >= to {
                break;
            }
            from /= FAN;
            to /= FAN;
        }
        extent
    }
}

/// The pyramid over a sampled curve's values.
#[derive(Clone, Debug)]
pub struct SampleExtents {
    values: Arc<[f64]>,
    pyramid: Pyramid,
}

impl SampleExtents {
    /// The pyramid over these values.
    #[must_use]
    pub fn new(values: &Arc<[f64]>) -> Self {
        Self { values: Arc::clone(values), pyramid: Pyramid::over(values) }
    }

    /// Whether it is over these very values.
    #[must_use]
    pub fn is_of(&self, values: &Arc<[f64]>) -> bool {
        Arc::ptr_eq(&self.values, values)
    }

    /// The extent of the samples `from..to`; indices beyond the end count as the end.
    #[must_use]
    pub fn range(&self, from: usize, to: usize) -> Extent {
        let to = to.min(self.values.len());
        if from >= to {
            return Extent::EMPTY;
        }
        run(from, to, |index| self.values[index], |a, b| self.pyramid.leaves(a, b))
    }
}

/// The extent of `from..to`, from single values at the ends and whole leaves between.
fn run(from: usize, to: usize, value: impl Fn(usize) -> f64, leaves: impl Fn(usize, usize) -> Extent) -> Extent {
    let (first, last) = (from.div_ceil(LEAF), to / LEAF);
    if first >= last {
        return Extent::of((from..to).map(value));
    }
    let ends = Extent::of((from..first * LEAF).chain(last * LEAF..to).map(value));
    ends.union(leaves(first, last))
}

/// One chunk of keys with its pairs.
#[derive(Clone, Debug)]
struct ChunkExtents {
    keys: Arc<Chunk<Key>>,
    pyramid: Arc<Pyramid>,
    /// The time of the first key of each leaf.
    times: Arc<[f64]>,
    whole: Extent,
}

impl ChunkExtents {
    fn new(keys: &Arc<Chunk<Key>>) -> Self {
        let values: Vec<f64> = (0..keys.len()).filter_map(|index| keys.value(index)).collect();
        let leaves: Vec<Extent> = values.chunks(LEAF).map(|run| Extent::of(run.iter().copied())).collect();
        let whole = leaves.iter().copied().fold(Extent::EMPTY, Extent::union);
        let times = keys.times().iter().step_by(LEAF).copied().collect();
        Self { keys: Arc::clone(keys), pyramid: Arc::new(Pyramid::new(leaves)), times, whole }
    }

    fn range(&self, from: usize, to: usize) -> Extent {
        let to = to.min(self.keys.len());
        if from == 0 && to == self.keys.len() {
            return self.whole;
        }
        if from >= to {
            return Extent::EMPTY;
        }
        run(from, to, |index| self.keys.value(index).unwrap_or(f64::NAN), |a, b| self.pyramid.leaves(a, b))
    }
}

fn starts_before(a: &Chunk<Key>, b: &Chunk<Key>) -> bool {
    matches!((a.times().first(), b.times().first()), (Some(a), Some(b)) if a < b)
}

/// The pyramid over a keyed curve's values, chunk by chunk, so that an edit of one key costs one chunk.
#[derive(Clone, Debug, Default)]
pub struct KeyExtents {
    chunks: Vec<ChunkExtents>,
    starts: Vec<usize>,
    above: Pyramid,
    /// All leaves of all chunks in one row: the time of each one's first key, and the pyramid over them. A search by time
    /// then touches a few numbers side by side and no key.
    leaf_times: Vec<f64>,
    leaves: Pyramid,
}

impl KeyExtents {
    /// The pyramid over these keys. Chunks that `before` knows already are taken from it.
    #[must_use]
    pub fn new(keys: &Keys<Key>, before: Option<&Self>) -> Self {
        let mut old = before.map_or(&[][..], |before| &before.chunks).iter().peekable();
        let mut chunks = Vec::with_capacity(keys.chunks().len());
        for chunk in keys.chunks() {
            // A chunk that is the same begins at the same time, so both lists are walked once, side by side.
            while old.next_if(|old| starts_before(&old.keys, chunk)).is_some() {}
            let kept = old.next_if(|old| Arc::ptr_eq(&old.keys, chunk));
            chunks.push(kept.cloned().unwrap_or_else(|| ChunkExtents::new(chunk)));
        }
        let above = Pyramid::new(chunks.iter().map(|chunk| chunk.whole).collect());
        let leaf_times = chunks.iter().flat_map(|chunk| chunk.times.iter().copied()).collect();
        let leaves = chunks.iter().filter_map(|chunk| chunk.pyramid.levels.first()).flatten().copied().collect();
        Self { chunks, starts: keys.chunk_starts().to_vec(), above, leaf_times, leaves: Pyramid::new(leaves) }
    }

    /// The number of leaves that begin at or before a time: a leaf is a run of at most 16 keys.
    #[must_use]
    pub fn leaves_before(&self, secs: f64) -> usize {
        self.leaf_times.partition_point(|time| *time <= secs)
    }

    /// The extent of the leaves `from..to`.
    #[must_use]
    pub fn of_leaves(&self, from: usize, to: usize) -> Extent {
        self.leaves.leaves(from, to.min(self.leaf_times.len()))
    }

    /// Whether it is over these very keys.
    #[must_use]
    pub fn is_of(&self, keys: &Keys<Key>) -> bool {
        self.chunks.len() == keys.chunks().len()
            && self.chunks.iter().zip(keys.chunks()).all(|(mine, theirs)| Arc::ptr_eq(&mine.keys, theirs))
    }

    /// The extent of the values of the keys `from..to`.
    #[must_use]
    pub fn range(&self, from: usize, to: usize) -> Extent {
        if from >= to {
            return Extent::EMPTY;
        }
        let chunk_of = |index: usize| self.starts.partition_point(|start| *start <= index).saturating_sub(1);
        let (first, last) = (chunk_of(from), chunk_of(to - 1));
        let part = |chunk: usize, from: usize, to: usize| {
            let start = self.starts.get(chunk).copied().unwrap_or(0);
            self.chunks.get(chunk).map_or(Extent::EMPTY, |extents| extents.range(from - start, to - start))
        };
        if first == last {
            return part(first, from, to);
        }
        let ends = part(first, from, self.starts[first + 1]).union(part(last, self.starts[last], to));
        ends.union(self.above.leaves(first + 1, last))
    }

    /// The extent of all keys.
    #[must_use]
    pub fn whole(&self) -> Extent {
        self.above.leaves(0, self.chunks.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(index: usize) -> f64 {
        let x = index as f64;
        (x * 0.37).sin() * (x * 0.011).cos() + if index % 997 == 5 { 3.0 } else { 0.0 }
    }

    fn plain(from: usize, to: usize) -> Extent {
        Extent::of((from..to).map(wave))
    }

    const RUNS: [(usize, usize); 9] =
        [(0, 1), (0, 10_000), (3, 17), (15, 33), (500, 530), (511, 513), (100, 9_990), (1_024, 2_048), (9_999, 10_000)];

    #[test]
    fn runs_agree_with_a_plain_search() {
        let values: Arc<[f64]> = (0..10_000).map(wave).collect();
        let samples = SampleExtents::new(&values);
        let keys: Keys<Key> = (0..10_000).map(|i| Key::new(i as f64, wave(i))).collect();
        let keyed = KeyExtents::new(&keys, None);
        for (from, to) in RUNS {
            assert_eq!(samples.range(from, to), plain(from, to), "{from}..{to}");
            assert_eq!(keyed.range(from, to), plain(from, to), "{from}..{to}");
        }
        assert_eq!(keyed.whole(), plain(0, 10_000));
        assert!(samples.range(5, 5).is_empty() && samples.range(20_000, 30_000).is_empty());
        assert!(KeyExtents::new(&Keys::default(), None).whole().is_empty());
    }

    #[test]
    fn an_edit_computes_one_chunk_anew() {
        let keys: Keys<Key> = (0..10_000).map(|i| Key::new(i as f64, wave(i))).collect();
        let before = KeyExtents::new(&keys, None);
        let mut edited = keys.clone();
        for index in [0, 600, 5_000, 9_999] {
            assert!(edited.replace_same_time(index, Key::new(index as f64, 42.0)).is_some());
        }
        edited.remove(7_000);
        edited.insert(Key::new(-3.5, -8.0));
        let after = KeyExtents::new(&edited, Some(&before));
        assert!(after.is_of(&edited) && !after.is_of(&keys));
        let kept =
            after.chunks.iter().filter(|new| before.chunks.iter().any(|old| Arc::ptr_eq(&old.pyramid, &new.pyramid)));
        assert!(kept.count() >= before.chunks.len() - 6);
        for (from, to) in RUNS {
            let plain = Extent::of(edited.iter().skip(from).take(to - from).map(|key| key.value));
            assert_eq!(after.range(from, to), plain, "{from}..{to}");
        }
    }
}
