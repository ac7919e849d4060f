//! Which segment a time falls in.

use crate::model::{
    key_store::Chunk,
    keys::{Keys, Timed},
};

/// The place of a key: its chunk and its index within.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    chunk: usize,
    within: usize,
}

impl Place {
    /// The place of the key at an index.
    pub(super) fn of_index<K: Timed>(keys: &Keys<K>, index: usize) -> Option<Self> {
        let chunk = keys.chunk_starts().partition_point(|start| *start <= index).checked_sub(1)?;
        let within = index - keys.chunk_starts()[chunk];
        (within < keys.chunks()[chunk].len()).then_some(Self { chunk, within })
    }

    /// The keys of the chunk of this place.
    #[inline]
    pub(super) fn chunk<K: Timed>(self, keys: &Keys<K>) -> Option<&Chunk<K>> {
        keys.chunks().get(self.chunk).map(AsRef::as_ref)
    }

    /// The index within the chunk.
    #[inline]
    pub(super) const fn within(self) -> usize {
        self.within
    }

    /// The place after this one within the chunk, whether or not there is a key.
    #[inline]
    pub(super) const fn on(self) -> Self {
        Self { within: self.within + 1, ..self }
    }

    /// The index of the key here among all.
    pub(super) fn index<K: Timed>(self, keys: &Keys<K>) -> usize {
        keys.chunk_starts().get(self.chunk).map_or(0, |start| start + self.within)
    }

    /// The key here.
    #[inline]
    pub(super) fn key<K: Timed>(self, keys: &Keys<K>) -> Option<K> {
        self.chunk(keys)?.get(self.within)
    }

    /// The time of the key here.
    #[inline]
    pub(super) fn time<K: Timed>(self, keys: &Keys<K>) -> Option<f64> {
        self.chunk(keys)?.times().get(self.within).copied()
    }

    /// The place of the next key, where there is one.
    #[inline]
    pub(super) fn next<K: Timed>(self, keys: &Keys<K>) -> Option<Self> {
        let here = Self { within: self.within + 1, ..self };
        if here.time(keys).is_some() {
            return Some(here);
        }
        let next = Self { chunk: self.chunk + 1, within: 0 };
        next.time(keys).map(|_| next)
    }

    /// The place of the key before, where there is one.
    #[inline]
    pub(super) fn previous<K: Timed>(self, keys: &Keys<K>) -> Option<Self> {
        if let Some(within) = self.within.checked_sub(1) {
            return Some(Self { within, ..self });
        }
        let chunk = self.chunk.checked_sub(1)?;
        let within = keys.chunks().get(chunk)?.len().checked_sub(1)?;
        Some(Self { chunk, within })
    }
}

/// The segment after the one at `hint`, if it holds `time`: what evaluation in order asks for.
#[inline]
pub(super) fn following<K: Timed>(keys: &Keys<K>, time: f64, hint: Place) -> Option<Place> {
    let chunk = hint.chunk(keys)?;
    if let [from, to] = chunk.times().get(hint.within + 1..hint.within + 3)? {
        return (*from <= time && time < *to).then_some(Place { within: hint.within + 1, ..hint });
    }
    None
}

/// The place of the first key of the segment that holds `time`: the last key at or before it, or for the time of the
/// last key the one before. None where the curve has no segment or the time is outside the keys.
///
/// The place is guessed as if keys were evenly spaced and corrected from there: among many evenly keyed frames that costs
/// a look or two at the keys, at the worst a binary search of one chunk.
#[inline]
pub(super) fn locate<K: Timed>(keys: &Keys<K>, time: f64) -> Option<Place> {
    settle(keys, time, guess_place(keys, time)?)
}

/// The chunk that holds `time`, and the key it would fall on if keys were evenly spaced: no key has been looked at yet.
/// None where the time is outside the keys.
#[inline]
pub(super) fn guess_place<K: Timed>(keys: &Keys<K>, time: f64) -> Option<Place> {
    let (times, starts) = (keys.chunk_times(), keys.chunk_starts());
    let (first, last) = (*times.first()?, *keys.chunks().last()?.times().last()?);
    if !(first <= time && time <= last) {
        return None;
    }
    // All chunks but the last hold the same number of keys until keys are inserted: their starts are as even as the keys.
    let from = guess(time, first, times[times.len() - 1], times.len() - 1);
    let chunk = last_at_or_before(times.len(), |i| times[i], from, time);
    // The number of keys is that of the index: the chunk itself may have to come from afar.
    let (steps, end) = match times.get(chunk + 1) {
        Some(end) => (starts[chunk + 1] - starts[chunk], *end),
        None => (keys.len() - starts[chunk] - 1, last),
    };
    let within = guess(time, times[chunk], end, steps);
    Some(Place { chunk, within })
}

/// [`locate`] from a place in the right chunk.
#[inline]
pub(super) fn settle<K: Timed>(keys: &Keys<K>, time: f64, guessed: Place) -> Option<Place> {
    let chunk_keys = guessed.chunk(keys)?.times();
    let from = guessed.within.min(chunk_keys.len().saturating_sub(1));
    let within = last_at_or_before(chunk_keys.len(), |i| chunk_keys[i], from, time);
    let place = Place { within, ..guessed };
    // Only the last key of a chunk can be the last of all.
    if within + 1 < chunk_keys.len() || place.next(keys).is_some() { Some(place) } else { place.previous(keys) }
}

/// How many whole steps `time` is from `from`, if there are `count` even ones to `to`, and never more than `count`.
#[inline]
pub(super) fn guess(time: f64, from: f64, to: f64, count: usize) -> usize {
    // A cast of a value that is not a number gives 0.
    let steps = (time - from) / (to - from) * count as f64;
    (steps as usize).min(count)
}

/// How far a guess is corrected step by step before the search becomes a binary one.
const STEPS: usize = 4;

/// The last index whose time is at or before `time`; 0 where none is. Times increase.
#[inline]
pub(super) fn last_at_or_before(count: usize, time_at: impl Fn(usize) -> f64, guess: usize, time: f64) -> usize {
    if count == 0 {
        return 0;
    }
    let (mut low, mut high) = (0, count);
    // The answer is in low..high.
    let mut at = guess;
    for _ in 0..STEPS {
        if time_at(at) <= time {
            low = at;
            if at + 1 >= high || time_at(at + 1) > time {
                return at;
            }
            at += 1;
        } else {
            high = at;
            if at == low {
                return at;
            }
            at -= 1;
        }
    }
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if time_at(middle) <= time {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Key, Keys, keys::FILLED_KEYS};

    /// Key times with all sorts of spacing: even, clustered, growing without bound.
    fn spacings(count: u32) -> Vec<Vec<f64>> {
        let even = (0..count).map(|i| 0.1 * f64::from(i)).collect();
        let squares = (0..count).map(|i| f64::from(i) * f64::from(i)).collect();
        let powers = (0..count).map(|i| (0.01 * f64::from(i)).exp()).collect();
        let clustered = (0..count).map(|i| f64::from(i / 100) * 1e6 + f64::from(i % 100) * 1e-3).collect();
        vec![even, squares, powers, clustered]
    }

    #[test]
    fn search_and_hint_find_the_segment_of_a_plain_search() {
        for times in spacings(3_000) {
            let keys: Keys<Key> = times.iter().map(|t| Key::new(*t, 0.0)).collect();
            for i in (0..2_999).step_by(7) {
                for part in [0.0, 0.4, 0.999] {
                    let time = times[i] + part * (times[i + 1] - times[i]);
                    let wanted = Place::of_index(&keys, keys.count_at_or_before(time) - 1).unwrap();
                    assert_eq!(locate(&keys, time), Some(wanted), "{time}");
                    if let Some(hint) = wanted.previous(&keys) {
                        // Across the border of a chunk the search is asked instead.
                        let found = following(&keys, time, hint);
                        let borders = wanted.within == 0 || wanted.within == FILLED_KEYS - 1;
                        assert_eq!(found, (!borders).then_some(wanted), "{time}");
                        assert_eq!(following(&keys, time, wanted), None);
                    }
                }
            }
            let last = *times.last().unwrap();
            assert_eq!(locate(&keys, last), Place::of_index(&keys, 2_998));
            assert_eq!(locate(&keys, last + 1.0), None);
            assert_eq!(locate(&keys, times[0] - 1.0), None);
            assert_eq!(locate(&keys, f64::NAN), None);
        }
    }

    #[test]
    fn curves_without_a_segment_have_no_place() {
        assert_eq!(locate(&Keys::<Key>::default(), 0.0), None);
        let one: Keys<Key> = [Key::new(1.0, 0.0)].into_iter().collect();
        assert_eq!(locate(&one, 1.0), None);
    }

    #[test]
    fn neighbours_cross_chunks() {
        let keys: Keys<Key> = (0..1_100).map(|i| Key::new(f64::from(i), 0.0)).collect();
        let mut place = Place::default();
        for i in 1..1_100 {
            let next = place.next(&keys).unwrap();
            assert_eq!(next.previous(&keys), Some(place));
            assert_eq!(next.key(&keys).map(|k| k.time), Some(f64::from(i)));
            place = next;
        }
        assert_eq!(place.next(&keys), None);
        assert_eq!(Place::default().previous(&keys), None);
        assert_eq!(Place::of_index(&keys, 1_100), None);
    }
}
