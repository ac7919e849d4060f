//! How keys lie in memory. Evaluation at random among a million keys waits for memory, so that what is looked at first
//! lies close together: times by themselves, then 16 bytes of value and kinds a key, then 32 bytes of handles where any
//! key of the chunk has some set by hand. What few keys have (tension, typed slopes, parameters of eases) lies in a list
//! beside them.

use super::{
    key::{EaseShape, Handle, Interpolation, Key, KeyKind},
    keys::Timed,
};
use std::fmt::Debug;

/// How the keys of a chunk are held, but for their times.
pub trait Store<K>: Clone + Default + Debug + PartialEq {
    /// The key at an index, given its time.
    fn key_at(&self, index: usize, time: f64) -> Option<K>;
    /// Puts a key before the one at an index.
    fn insert_key(&mut self, index: usize, key: K);
    /// Changes a key.
    fn set_key(&mut self, index: usize, key: K);
    /// Takes a key out.
    fn remove_key(&mut self, index: usize);
    /// Takes the keys from an index on out.
    fn split_keys(&mut self, index: usize) -> Self;
    /// How many bytes it takes.
    fn bytes(&self) -> usize;
}

/// As they are.
impl<K: Clone + Debug + PartialEq> Store<K> for Vec<K> {
    fn key_at(&self, index: usize, _: f64) -> Option<K> {
        self.get(index).cloned()
    }

    fn insert_key(&mut self, index: usize, key: K) {
        let index = index.min(self.len());
        self.insert(index, key);
    }

    fn set_key(&mut self, index: usize, key: K) {
        if let Some(slot) = self.get_mut(index) {
            *slot = key;
        }
    }

    fn remove_key(&mut self, index: usize) {
        if index < self.len() {
            self.remove(index);
        }
    }

    fn split_keys(&mut self, index: usize) -> Self {
        let index = index.min(self.len());
        self.split_off(index)
    }

    fn bytes(&self) -> usize {
        size_of_val(self.as_slice())
    }
}

/// Some keys of one curve: their times, in order, and the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk<K: Timed> {
    times: Vec<f64>,
    store: K::Store,
}

impl<K: Timed> Default for Chunk<K> {
    fn default() -> Self {
        Self { times: Vec::new(), store: K::Store::default() }
    }
}

impl<K: Timed> Chunk<K> {
    /// The number of keys.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is no key: no chunk of a curve is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The keys' times, in order.
    #[must_use]
    #[inline]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The key at an index.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<K> {
        self.store.key_at(index, *self.times.get(index)?)
    }

    /// All keys in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + Clone {
        // A store holds as many keys as there are times; the fallback is never met, and keeps the iterator exact.
        self.times
            .iter()
            .enumerate()
            .map(|(index, time)| self.store.key_at(index, *time).unwrap_or_else(|| K::at(*time)))
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.times.as_slice()) + self.store.bytes()
    }

    pub(super) fn insert(&mut self, index: usize, key: K) {
        self.times.insert(index.min(self.times.len()), key.time());
        self.store.insert_key(index, key);
    }

    pub(super) fn push(&mut self, key: K) {
        self.insert(self.len(), key);
    }

    pub(super) fn set(&mut self, index: usize, key: K) {
        if let Some(time) = self.times.get_mut(index) {
            *time = key.time();
            self.store.set_key(index, key);
        }
    }

    pub(super) fn remove(&mut self, index: usize) -> Option<K> {
        let key = self.get(index)?;
        self.times.remove(index);
        self.store.remove_key(index);
        Some(key)
    }

    pub(super) fn split_off(&mut self, index: usize) -> Self {
        Self { times: self.times.split_off(index.min(self.times.len())), store: self.store.split_keys(index) }
    }
}

/// What evaluation looks at of every key.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Core {
    value: f64,
    interpolation: Interpolation,
    handle_in: HandleTag,
    handle_out: HandleTag,
    unweighted: bool,
    kind: KeyKind,
}

/// A handle's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HandleTag {
    Auto,
    AutoClamped,
    Vector,
    Aligned,
    Free,
}

impl HandleTag {
    const fn of(handle: Handle) -> (Self, [f64; 2]) {
        match handle {
            Handle::Auto => (Self::Auto, [0.0; 2]),
            Handle::AutoClamped => (Self::AutoClamped, [0.0; 2]),
            Handle::Vector => (Self::Vector, [0.0; 2]),
            Handle::Aligned(dt, dv) => (Self::Aligned, [dt, dv]),
            Handle::Free(dt, dv) => (Self::Free, [dt, dv]),
        }
    }

    const fn with(self, [dt, dv]: [f64; 2]) -> Handle {
        match self {
            Self::Auto => Handle::Auto,
            Self::AutoClamped => Handle::AutoClamped,
            Self::Vector => Handle::Vector,
            Self::Aligned => Handle::Aligned(dt, dv),
            Self::Free => Handle::Free(dt, dv),
        }
    }

    const fn is_stored(self) -> bool {
        matches!(self, Self::Aligned | Self::Free)
    }
}

/// What few keys have: the numbers of cardinal, TCB and Hermite segments and of eases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyShape {
    /// Tension, -1..1.
    pub tension: f64,
    /// Continuity, -1..1.
    pub continuity: f64,
    /// Bias, -1..1.
    pub bias: f64,
    /// Slope into the key, per second.
    pub slope_in: f64,
    /// Slope out of the key, per second.
    pub slope_out: f64,
    /// What shapes an ease.
    pub ease: EaseShape,
}

/// The keys of a scalar curve's chunk.
#[derive(Clone, Debug, Default)]
pub struct KeyStore {
    cores: Vec<Core>,
    /// Offsets in and out: for every key, or for none where no handle is set by hand.
    handles: Vec<[f64; 4]>,
    /// By index, in order, of keys where it is not the usual one.
    shapes: Vec<(usize, KeyShape)>,
}

/// Equal keys; handles may be left out or all be derived.
impl PartialEq for KeyStore {
    fn eq(&self, other: &Self) -> bool {
        let handles = |store: &Self, index: usize| store.handles.get(index).copied().unwrap_or_default();
        self.cores == other.cores
            && self.shapes == other.shapes
            && ((self.handles.is_empty() && other.handles.is_empty())
                || (0..self.cores.len()).all(|index| handles(self, index) == handles(other, index)))
    }
}

impl KeyStore {
    fn split(key: &Key) -> (Core, [f64; 4], KeyShape) {
        let (handle_in, [a, b]) = HandleTag::of(key.handle_in);
        let (handle_out, [c, d]) = HandleTag::of(key.handle_out);
        let Key {
            value, interpolation, unweighted, tension, continuity, bias, slope_in, slope_out, ease, kind, ..
        } = *key;
        let core = Core { value, interpolation, handle_in, handle_out, unweighted, kind };
        (core, [a, b, c, d], KeyShape { tension, continuity, bias, slope_in, slope_out, ease })
    }

    /// Makes room for handles where a key has some set by hand.
    fn wants_handles(&mut self, core: &Core) -> bool {
        if self.handles.is_empty() && (core.handle_in.is_stored() || core.handle_out.is_stored()) {
            self.handles = vec![[0.0; 4]; self.cores.len()];
            return true;
        }
        !self.handles.is_empty()
    }

    fn shape_place(&self, index: usize) -> Result<usize, usize> {
        self.shapes.binary_search_by_key(&index, |(index, _)| *index)
    }

    #[inline]
    fn handle_offsets(&self, index: usize) -> [f64; 4] {
        self.handles.get(index).copied().unwrap_or_default()
    }

    fn shape(&self, index: usize) -> KeyShape {
        if self.shapes.is_empty() {
            return KeyShape::default();
        }
        let place = self.shape_place(index).ok();
        place.and_then(|place| self.shapes.get(place)).map(|(_, shape)| *shape).unwrap_or_default()
    }
}

impl Store<Key> for KeyStore {
    fn key_at(&self, index: usize, time: f64) -> Option<Key> {
        let core = self.cores.get(index)?;
        let [a, b, c, d] = self.handle_offsets(index);
        let KeyShape { tension, continuity, bias, slope_in, slope_out, ease } = self.shape(index);
        Some(Key {
            time,
            value: core.value,
            interpolation: core.interpolation,
            handle_in: core.handle_in.with([a, b]),
            handle_out: core.handle_out.with([c, d]),
            unweighted: core.unweighted,
            tension,
            continuity,
            bias,
            slope_in,
            slope_out,
            ease,
            kind: core.kind,
        })
    }

    fn insert_key(&mut self, index: usize, key: Key) {
        let (core, handles, shape) = Self::split(&key);
        let index = index.min(self.cores.len());
        if self.wants_handles(&core) {
            self.handles.insert(index, handles);
        }
        self.cores.insert(index, core);
        let place = self.shapes.partition_point(|(other, _)| *other < index);
        for (other, _) in self.shapes.iter_mut().skip(place) {
            *other += 1;
        }
        if shape != KeyShape::default() {
            self.shapes.insert(place, (index, shape));
        }
    }

    fn set_key(&mut self, index: usize, key: Key) {
        let (core, handles, shape) = Self::split(&key);
        if index >= self.cores.len() {
            return;
        }
        if self.wants_handles(&core) {
            self.handles[index] = handles;
        }
        self.cores[index] = core;
        match (self.shape_place(index), shape == KeyShape::default()) {
            (Ok(place), true) => drop(self.shapes.remove(place)),
            (Ok(place), false) => self.shapes[place].1 = shape,
            (Err(place), false) => self.shapes.insert(place, (index, shape)),
            (Err(_), true) => {}
        }
    }

    fn remove_key(&mut self, index: usize) {
        if index >= self.cores.len() {
            return;
        }
        self.cores.remove(index);
        if !self.handles.is_empty() {
            self.handles.remove(index);
        }
        if let Ok(place) = self.shape_place(index) {
            self.shapes.remove(place);
        }
        for (other, _) in self.shapes.iter_mut().filter(|(other, _)| *other > index) {
            *other -= 1;
        }
    }

    fn split_keys(&mut self, index: usize) -> Self {
        let index = index.min(self.cores.len());
        let place = self.shapes.partition_point(|(other, _)| *other < index);
        let shapes = self.shapes.split_off(place).into_iter().map(|(other, shape)| (other - index, shape)).collect();
        let handles = if self.handles.is_empty() { Vec::new() } else { self.handles.split_off(index) };
        Self { cores: self.cores.split_off(index), handles, shapes }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.cores.as_slice()) + size_of_val(self.handles.as_slice()) + size_of_val(self.shapes.as_slice())
    }
}

/// What evaluation asks of single keys, without unpacking them.
impl Chunk<Key> {
    /// Value and interpolation of a key.
    #[must_use]
    #[inline]
    pub fn core(&self, index: usize) -> Option<(f64, Interpolation)> {
        self.store.cores.get(index).map(|core| (core.value, core.interpolation))
    }

    /// Some bits of all that evaluation reads of a key; reading them brings the key into the processor's caches.
    #[must_use]
    #[inline]
    pub fn bits(&self, index: usize) -> u64 {
        let bits = |number: Option<f64>| number.map_or(0, f64::to_bits);
        bits(self.times.get(index).copied())
            ^ bits(self.value(index))
            ^ bits(self.store.handles.get(index).map(|offsets| offsets[0]))
    }

    /// What a key is to the animator.
    #[must_use]
    pub fn kind(&self, index: usize) -> Option<KeyKind> {
        self.store.cores.get(index).map(|core| core.kind)
    }

    /// The value of a key.
    #[must_use]
    #[inline]
    pub fn value(&self, index: usize) -> Option<f64> {
        self.store.cores.get(index).map(|core| core.value)
    }

    /// The handle before a key, and whether it counts by its slope alone.
    #[must_use]
    #[inline]
    pub fn handle_in(&self, index: usize) -> (Handle, bool) {
        let Some(core) = self.store.cores.get(index) else { return (Handle::AutoClamped, false) };
        let offset = if core.handle_in.is_stored() { self.store.handle_offsets(index) } else { [0.0; 4] };
        (core.handle_in.with([offset[0], offset[1]]), core.unweighted)
    }

    /// The handle after a key, and whether it counts by its slope alone.
    #[must_use]
    #[inline]
    pub fn handle_out(&self, index: usize) -> (Handle, bool) {
        let Some(core) = self.store.cores.get(index) else { return (Handle::AutoClamped, false) };
        let offset = if core.handle_out.is_stored() { self.store.handle_offsets(index) } else { [0.0; 4] };
        (core.handle_out.with([offset[2], offset[3]]), core.unweighted)
    }

    /// What few keys have.
    #[must_use]
    pub fn shape(&self, index: usize) -> KeyShape {
        self.store.shape(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of all sorts: derived handles and those set by hand, with and without shapes.
    fn key(index: u32) -> Key {
        let f = f64::from(index);
        let mut key = Key::new(f, (f * 0.3).sin());
        if index % 5 == 3 {
            key.handle_in = Handle::Free(-0.1 - f, 2.0);
            key.handle_out = Handle::Aligned(0.2, f);
        }
        if index % 7 == 2 {
            key.tension = 0.25;
            key.ease.overshoot = 3.0;
        }
        key.interpolation = Interpolation::ALL[index as usize % Interpolation::ALL.len()];
        key.unweighted = index.is_multiple_of(2);
        key.kind = KeyKind::ALL[index as usize % 4];
        key
    }

    #[test]
    fn packed_keys_are_the_keys_of_a_plain_list() {
        let (mut plain, mut chunk) = (Vec::new(), Chunk::<Key>::default());
        let mut state = 11_u32;
        for step in 0..3_000_u32 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (state >> 8) as usize % (plain.len() + 1);
            match step % 5 {
                3 if at < plain.len() => {
                    assert_eq!(chunk.remove(at), Some(plain.remove(at)));
                }
                4 if at < plain.len() => {
                    plain[at] = key(step);
                    chunk.set(at, key(step));
                }
                _ => {
                    plain.insert(at, key(step));
                    chunk.insert(at, key(step));
                }
            }
        }
        assert!(chunk.iter().eq(plain.iter().copied()) && chunk.len() == plain.len());
        let tail = chunk.split_off(100);
        assert!(chunk.iter().eq(plain[..100].iter().copied()) && tail.iter().eq(plain[100..].iter().copied()));
        for (index, key) in plain[100..].iter().enumerate() {
            assert_eq!(tail.core(index), Some((key.value, key.interpolation)));
            assert_eq!(tail.handle_in(index), (key.handle_in, key.unweighted));
            assert_eq!(tail.handle_out(index), (key.handle_out, key.unweighted));
            assert_eq!((tail.shape(index).tension, tail.shape(index).ease), (key.tension, key.ease));
        }
    }

    #[test]
    fn keys_without_handles_set_by_hand_take_24_bytes() {
        let mut chunk = Chunk::<Key>::default();
        for index in 0..100 {
            chunk.push(Key::new(f64::from(index), 1.0));
        }
        assert_eq!(chunk.bytes(), 2_400);
        let plain = chunk.clone();
        chunk.set(3, Key { handle_out: Handle::Free(1.0, 0.0), ..Key::new(3.0, 1.0) });
        assert!(chunk.bytes() == 5_600 && chunk != plain);
        chunk.set(3, Key::new(3.0, 1.0));
        assert_eq!(chunk, plain);
    }
}
