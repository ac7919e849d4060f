//! Changes of a list of keys, of whatever kind: one key set, keys taken out, put in, changed in place.

use super::{CurveRef, EditError};
use crate::model::{Keys, clip::SAME_TIME_SECS, keys::Timed};

/// From how many keys on a curve is built anew instead of changed key by key, whose cost is one chunk list each.
const MANY: usize = 64;

/// Changes the key that is at a time, or inserts the one made from the key before.
pub(super) fn set_key<K: Timed>(
    keys: &mut Keys<K>,
    secs: f64,
    change: impl FnOnce(&K) -> K,
    make: impl FnOnce(Option<&K>) -> K,
) {
    if let Some(index) = keys.index_near(secs, SAME_TIME_SECS)
        && let Some(key) = keys.get(index)
    {
        let changed = change(&key);
        keys.replace_same_time(index, changed);
    } else {
        let before = keys.count_at_or_before(secs).checked_sub(1).and_then(|index| keys.get(index));
        let key = make(before.as_ref());
        keys.insert(key);
    }
}

/// Takes keys out of a curve; they are returned in order.
pub(super) fn take<K: Timed>(keys: &mut Keys<K>, at: CurveRef, times: &[f64]) -> Result<Vec<K>, EditError> {
    let mut taken = Vec::with_capacity(times.len());
    if times.len() < MANY {
        for time in times {
            let key = keys.index_at(*time).and_then(|index| keys.remove(index));
            taken.push(key.ok_or_else(|| no_key(at, *time))?);
        }
        return Ok(taken);
    }
    let mut wanted = times.iter().peekable();
    let mut stay = Vec::with_capacity(keys.len());
    for key in keys.iter() {
        if wanted.next_if(|time| **time == key.time()).is_some() {
            taken.push(key);
        } else {
            stay.push(key);
        }
    }
    match wanted.next() {
        Some(time) => Err(no_key(at, *time)),
        None => {
            *keys = stay.into_iter().collect();
            Ok(taken)
        }
    }
}

/// Puts keys into a curve; those that are there at the same time go.
pub(super) fn put<K: Timed>(keys: &mut Keys<K>, new: Vec<K>) {
    if new.len() < MANY {
        for key in new {
            while let Some(index) = keys.index_near(key.time(), SAME_TIME_SECS) {
                keys.remove(index);
            }
            keys.insert(key);
        }
        return;
    }
    let new: Keys<K> = new.into_iter().collect();
    let stay = keys.iter().filter(|key| new.index_near(key.time(), SAME_TIME_SECS).is_none());
    *keys = stay.chain(new.iter()).collect();
}

/// Changes keys that keep their times.
pub(super) fn change_keys<K: Timed>(
    keys: &mut Keys<K>,
    at: CurveRef,
    times: &[f64],
    mut change: impl FnMut(&mut K),
) -> Result<(), EditError> {
    if times.len() < MANY {
        for time in times {
            let index = keys.index_at(*time).ok_or_else(|| no_key(at, *time))?;
            if let Some(mut key) = keys.get(index) {
                change(&mut key);
                keys.replace_same_time(index, key);
            }
        }
        return Ok(());
    }
    let mut wanted = times.iter().peekable();
    keys.update_in_place(|_, key| {
        wanted.next_if(|time| **time == key.time())?;
        let mut key = key.clone();
        change(&mut key);
        Some(key)
    });
    wanted.next().map_or(Ok(()), |time| Err(no_key(at, *time)))
}

/// There is no key of a curve at this time.
pub(super) fn no_key(at: CurveRef, secs: f64) -> EditError {
    EditError::NoKey { path: at.path, secs }
}
