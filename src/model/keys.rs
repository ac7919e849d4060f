//! Sorted keys in shared chunks: cloning a curve is one counter, editing one key copies one chunk.

use super::{
    chunks::Chunks,
    key_store::{Chunk, Store},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{
    any::Any,
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
};

/// The most keys a chunk holds.
pub const CHUNK_KEYS: usize = 512;

/// How many keys a chunk is given when a curve is built: room is left, so that inserting a key does not split a chunk.
pub const FILLED_KEYS: usize = 384;

/// Something with a time, seconds.
pub trait Timed: Clone + Debug {
    /// How a chunk holds them.
    type Store: Store<Self>;

    /// The time, seconds, finite.
    fn time(&self) -> f64;

    /// One at a time, with the usual everything else.
    fn at(time: f64) -> Self;
}

/// Keys sorted by strictly increasing, finite times.
///
/// Keys are held packed ([`super::key_store`]) and given out by value.
#[derive(Clone, Debug)]
pub struct Keys<K: Timed> {
    spine: Arc<Spine<K>>,
}

#[derive(Clone, Debug)]
struct Spine<K: Timed> {
    /// None is empty; none holds more than [`CHUNK_KEYS`].
    chunks: Chunks<Chunk<K>>,
    /// Index of the first key of each chunk. Shared on its own: changing a key in place changes no index.
    starts: Arc<Vec<usize>>,
    /// Time of the first key of each chunk.
    times: Arc<Vec<f64>>,
    len: usize,
    derived: Derived,
}

/// What was worked out from these very keys: kept as long as they are, forgotten with the first change.
#[derive(Default)]
pub struct Derived(Mutex<Option<Arc<dyn Any + Send + Sync>>>);

impl Derived {
    /// What was kept last, if it is of this type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()?.downcast().ok()
    }

    /// Keeps something in place of what was kept.
    pub fn put<T: Any + Send + Sync>(&self, value: Arc<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }
}

/// A copy is made to be changed: it keeps nothing.
impl Clone for Derived {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Debug for Derived {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Derived")
    }
}

/// Equal keys in equal order, however they are cut into chunks. Shared chunks are not looked into.
impl<K: Timed + PartialEq> PartialEq for Keys<K> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.spine, &other.spine);
        if Arc::ptr_eq(a, b) {
            return true;
        }
        if a.len != b.len {
            return false;
        }
        if a.starts == b.starts {
            return a.chunks.iter().zip(b.chunks.iter()).all(|(x, y)| Arc::ptr_eq(x, y) || x == y);
        }
        self.iter().eq(other.iter())
    }
}

impl<K: Timed> Default for Keys<K> {
    fn default() -> Self {
        Self { spine: Arc::new(Spine::new(Chunks::default())) }
    }
}

impl<K: Timed> Keys<K> {
    /// Keys from any list: sorted by time, of keys at one time the last wins, non-finite times are dropped. Returns how
    /// many keys were lost so.
    #[must_use]
    pub fn from_unsorted(mut keys: Vec<K>) -> (Self, usize) {
        let before = keys.len();
        keys.retain(|key| key.time().is_finite());
        keys.sort_by(|a, b| a.time().total_cmp(&b.time()));
        let mut sorted: Vec<K> = Vec::with_capacity(keys.len());
        for key in keys {
            // `==` so that -0.0 and 0.0 are one time.
            match sorted.last_mut() {
                Some(last) if last.time() == key.time() => *last = key,
                _ => sorted.push(key),
            }
        }
        let lost = before - sorted.len();
        (Self::from_sorted(sorted), lost)
    }

    /// Keys from a list that is strictly increasing in time already.
    fn from_sorted(keys: Vec<K>) -> Self {
        let mut chunks = Vec::with_capacity(keys.len().div_ceil(FILLED_KEYS));
        let mut rest = keys.into_iter().peekable();
        while rest.peek().is_some() {
            let mut chunk = Chunk::default();
            rest.by_ref().take(FILLED_KEYS).for_each(|key| chunk.push(key));
            chunks.push(Arc::new(chunk));
        }
        Self { spine: Arc::new(Spine::new(chunks.into_iter().collect())) }
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spine.len
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spine.len == 0
    }

    /// The key at an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<K> {
        let (chunk, within) = self.spine.place(index)?;
        self.spine.chunks.get(chunk)?.get(within)
    }

    /// The first key.
    #[must_use]
    pub fn first(&self) -> Option<K> {
        self.spine.chunks.first()?.get(0)
    }

    /// The last key.
    #[must_use]
    pub fn last(&self) -> Option<K> {
        let chunk = self.spine.chunks.last()?;
        chunk.get(chunk.len().checked_sub(1)?)
    }

    /// The time of the key at an index.
    #[must_use]
    pub fn time(&self, index: usize) -> Option<f64> {
        let (chunk, within) = self.spine.place(index)?;
        self.spine.chunks.get(chunk)?.times().get(within).copied()
    }

    /// The times of all keys in order.
    pub fn times(&self) -> impl DoubleEndedIterator<Item = f64> + Clone {
        self.spine.chunks.iter().flat_map(|chunk| chunk.times().iter().copied())
    }

    /// What was worked out from these keys.
    #[must_use]
    pub fn derived(&self) -> &Derived {
        &self.spine.derived
    }

    /// All keys in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = K> + Clone {
        self.spine.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The chunks in order, for evaluation and drawing caches keyed by chunk identity.
    #[must_use]
    pub fn chunks(&self) -> &Chunks<Chunk<K>> {
        &self.spine.chunks
    }

    /// Index of the first key of each chunk.
    #[must_use]
    pub fn chunk_starts(&self) -> &[usize] {
        &self.spine.starts
    }

    /// Time of the first key of each chunk.
    #[must_use]
    pub fn chunk_times(&self) -> &[f64] {
        &self.spine.times
    }

    /// The number of keys at or before a time: the last such key has this index less 1.
    #[must_use]
    pub fn count_at_or_before(&self, time: f64) -> usize {
        let chunk = self.spine.times.partition_point(|first| *first <= time);
        let Some(chunk) = chunk.checked_sub(1) else { return 0 };
        self.spine.starts[chunk] + self.spine.chunks[chunk].times().partition_point(|at| *at <= time)
    }

    /// The index of the key at exactly a time.
    #[must_use]
    pub fn index_at(&self, time: f64) -> Option<usize> {
        let index = self.count_at_or_before(time).checked_sub(1)?;
        (self.time(index)? == time).then_some(index)
    }

    /// The index of the key nearest a time, if within a tolerance (seconds).
    #[must_use]
    pub fn index_near(&self, time: f64, tolerance_secs: f64) -> Option<usize> {
        let after = self.count_at_or_before(time);
        let gap = |index: usize| self.time(index).map_or(f64::INFINITY, |at| (at - time).abs());
        let nearest = match after.checked_sub(1) {
            Some(before) if gap(before) <= gap(after) => before,
            _ => after,
        };
        (gap(nearest) <= tolerance_secs).then_some(nearest)
    }

    /// Inserts a key; one at the same time is replaced and returned. A key at a non-finite time is returned unused.
    pub fn insert(&mut self, key: K) -> Option<K> {
        if !key.time().is_finite() {
            return Some(key);
        }
        if let Some(index) = self.index_at(key.time()) {
            return self.replace_same_time(index, key);
        }
        let spine = self.spine_mut();
        let chunk = spine.times.partition_point(|first| *first <= key.time()).saturating_sub(1);
        let Some(target) = spine.chunks.get_mut(chunk) else {
            let mut first = Chunk::default();
            first.push(key);
            *spine = Spine::new([Arc::new(first)].into_iter().collect());
            return None;
        };
        let keys = Arc::make_mut(target);
        let within = keys.times().partition_point(|other| *other <= key.time());
        keys.insert(within, key);
        if keys.len() > CHUNK_KEYS {
            let tail = keys.split_off(keys.len() / 2);
            spine.chunks.insert(chunk + 1, Arc::new(tail));
            spine.reindex();
        } else {
            spine.reindex_from(chunk, 1);
        }
        None
    }

    /// Changes a key in place; its time must stay. Returns the key before, or none where there is no such key or the
    /// time differs.
    pub fn replace_same_time(&mut self, index: usize, key: K) -> Option<K> {
        let before = self.get(index)?;
        if before.time() != key.time() {
            return None;
        }
        let spine = self.spine_mut();
        let (chunk, within) = spine.place(index)?;
        Arc::make_mut(spine.chunks.get_mut(chunk)?).set(within, key);
        Some(before)
    }

    /// Changes every key by a function that must leave times alone (times it changes are put back). Chunks in which no
    /// key is touched (the function returns none) stay shared.
    pub fn update_in_place(&mut self, mut change: impl FnMut(usize, &K) -> Option<K>) {
        let spine = self.spine_mut();
        for index in 0..spine.chunks.len() {
            let (chunk, start) = (&spine.chunks[index], spine.starts[index]);
            let changed: Vec<(usize, K)> = chunk
                .iter()
                .enumerate()
                .filter_map(|(within, key)| {
                    let new = change(start + within, &key)?;
                    (new.time() == key.time()).then_some((within, new))
                })
                .collect();
            if !changed.is_empty()
                && let Some(chunk) = spine.chunks.get_mut(index)
            {
                let keys = Arc::make_mut(chunk);
                for (within, key) in changed {
                    keys.set(within, key);
                }
            }
        }
    }

    /// Removes and returns the key at an index.
    pub fn remove(&mut self, index: usize) -> Option<K> {
        let (chunk, within) = self.spine.place(index)?;
        let spine = self.spine_mut();
        let keys = Arc::make_mut(spine.chunks.get_mut(chunk)?);
        let removed = keys.remove(within);
        if keys.is_empty() {
            spine.chunks.remove(chunk);
            spine.reindex();
        } else {
            spine.reindex_from(chunk, -1);
        }
        removed
    }

    /// The spine to be changed, with nothing worked out from it.
    fn spine_mut(&mut self) -> &mut Spine<K> {
        let spine = Arc::make_mut(&mut self.spine);
        spine.derived = Derived::default();
        spine
    }
}

impl<K: Timed> Spine<K> {
    /// The chunk and the place in it of a key.
    fn place(&self, index: usize) -> Option<(usize, usize)> {
        if index >= self.len {
            return None;
        }
        let chunk = self.starts.partition_point(|start| *start <= index).checked_sub(1)?;
        Some((chunk, index - self.starts[chunk]))
    }
}

impl<K: Timed> Spine<K> {
    fn new(chunks: Chunks<Chunk<K>>) -> Self {
        let (starts, times) = (Arc::default(), Arc::default());
        let mut spine = Self { chunks, starts, times, len: 0, derived: Derived::default() };
        spine.reindex();
        spine
    }

    fn reindex(&mut self) {
        let mut starts = Vec::with_capacity(self.chunks.len());
        let mut times = Vec::with_capacity(self.chunks.len());
        self.len = 0;
        for chunk in &self.chunks {
            starts.push(self.len);
            times.push(chunk.times().first().copied().unwrap_or(f64::INFINITY));
            self.len += chunk.len();
        }
        (self.starts, self.times) = (Arc::new(starts), Arc::new(times));
    }

    /// After one chunk has grown by so many keys, without becoming empty.
    fn reindex_from(&mut self, chunk: usize, grown: isize) {
        self.len = self.len.saturating_add_signed(grown);
        for start in Arc::make_mut(&mut self.starts).iter_mut().skip(chunk + 1) {
            *start = start.saturating_add_signed(grown);
        }
        let first = self.chunks.get(chunk).and_then(|keys| keys.times().first().copied());
        // Bits, as -0.0 may have taken the place of 0.0.
        if let (Some(first), Some(known)) = (first, self.times.get(chunk))
            && first.to_bits() != known.to_bits()
            && let Some(time) = Arc::make_mut(&mut self.times).get_mut(chunk)
        {
            *time = first;
        }
    }
}

impl<K: Timed> FromIterator<K> for Keys<K> {
    /// As [`Keys::from_unsorted`], without the count.
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        Self::from_unsorted(keys.into_iter().collect()).0
    }
}

impl<K: Timed + Serialize> Serialize for Keys<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, K: Timed + Deserialize<'de>> Deserialize<'de> for Keys<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let keys = Vec::<K>::deserialize(deserializer)?;
        for pair in keys.windows(2) {
            if pair[0].time() >= pair[1].time() {
                return Err(serde::de::Error::custom(format!(
                    "keys must be in order of time: {} s is followed by {} s",
                    pair[0].time(),
                    pair[1].time()
                )));
            }
        }
        match keys.iter().find(|key| !key.time().is_finite()) {
            Some(key) => Err(serde::de::Error::custom(format!("a key at {} s has no place in time", key.time()))),
            None => Ok(Self::from_sorted(keys)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct At(f64, u32);

    impl Timed for At {
        type Store = Vec<Self>;

        fn at(time: f64) -> Self {
            Self(time, 0)
        }

        fn time(&self) -> f64 {
            self.0
        }
    }

    fn many(count: u32) -> Keys<At> {
        (0..count).map(|i| At(f64::from(i), i)).collect()
    }

    #[test]
    fn unsorted_keys_are_sorted_and_the_last_of_equals_wins() {
        let (keys, lost) =
            Keys::from_unsorted(vec![At(2.0, 0), At(1.0, 1), At(2.0, 2), At(f64::NAN, 3), At(-0.0, 4), At(0.0, 5)]);
        assert_eq!(lost, 3);
        assert_eq!(keys.iter().collect::<Vec<_>>(), [At(0.0, 5), At(1.0, 1), At(2.0, 2)]);
    }

    #[test]
    fn search_agrees_with_a_plain_list() {
        let keys = many(2_000);
        for time in [-1.0, 0.0, 0.5, 511.0, 511.5, 512.0, 1_999.0, 5_000.0] {
            assert_eq!(keys.count_at_or_before(time), (0..2_000).filter(|i| f64::from(*i) <= time).count());
        }
        assert_eq!(keys.index_at(512.0), Some(512));
        assert_eq!(keys.index_at(512.5), None);
        assert_eq!(keys.index_near(511.6, 0.5), Some(512));
        assert_eq!(keys.index_near(511.6, 0.1), None);
    }

    #[test]
    fn inserting_and_removing_keep_order_across_chunks() {
        let mut keys = many(1_200);
        for i in 0..700 {
            assert_eq!(keys.insert(At(f64::from(i) + 0.5, i)), None);
        }
        assert_eq!(keys.len(), 1_900);
        assert!(keys.iter().zip(keys.iter().skip(1)).all(|(a, b)| a.0 < b.0));
        assert!(keys.chunks().iter().all(|chunk| !chunk.is_empty() && chunk.len() <= CHUNK_KEYS));
        assert_eq!(keys.insert(At(3.0, 99)), Some(At(3.0, 3)));
        while let Some(key) = keys.remove(keys.len() / 3) {
            assert!(key.0.is_finite());
        }
        assert!(keys.is_empty() && keys.first().is_none());
    }

    #[test]
    fn the_index_after_an_edit_is_that_of_the_keys_built_anew() {
        let mut keys = many(3_000);
        for (at, insert) in
            [(0.0, false), (700.25, true), (512.0, false), (-1.0, true), (2_999.0, false), (511.0, false)]
        {
            if insert {
                keys.insert(At(at, 0));
            } else {
                keys.remove(keys.index_at(at).unwrap());
            }
            let spine = Spine::new(keys.chunks().clone());
            assert_eq!((&keys.spine.starts, &keys.spine.times, keys.len()), (&spine.starts, &spine.times, spine.len));
        }
    }

    #[test]
    fn editing_one_key_copies_one_chunk() {
        let before = many(5_000);
        let mut after = before.clone();
        assert!(after.replace_same_time(1_000, At(1_000.0, 7)).is_some());
        let copied = before.chunks().iter().zip(after.chunks()).filter(|(a, b)| !Arc::ptr_eq(a, b)).count();
        assert_eq!(copied, 1);
    }
}
