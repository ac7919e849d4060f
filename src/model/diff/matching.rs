//! Which thing of one document is which of another.

use std::collections::BTreeMap;

/// The things of two lists, matched.
pub(super) struct Pairs<I> {
    /// In both, in the first list's order.
    pub both: Vec<(I, I)>,
    /// In the first only.
    pub only_a: Vec<I>,
    /// In the second only.
    pub only_b: Vec<I>,
}

/// Matches by id and name together, then by name (the n-th of a name with the n-th left), then by id: a thing renamed.
pub(super) fn pairs<'a, I: Copy + Ord>(
    a: impl Iterator<Item = (I, &'a str)>,
    b: impl Iterator<Item = (I, &'a str)>,
) -> Pairs<I> {
    let (a, mut left): (Vec<_>, Vec<_>) = (a.collect(), b.collect());
    let mut found: BTreeMap<I, I> = BTreeMap::new();
    for (by_id, by_name) in [(true, true), (false, true), (true, false)] {
        let fits = |x: (I, &str), y: (I, &str)| (!by_id || x.0 == y.0) && (!by_name || x.1 == y.1);
        for x in &a {
            if !found.contains_key(&x.0)
                && let Some(at) = left.iter().position(|y| fits(*x, *y))
            {
                found.insert(x.0, left.remove(at).0);
            }
        }
    }
    Pairs {
        both: a.iter().filter_map(|(id, _)| Some((*id, *found.get(id)?))).collect(),
        only_a: a.iter().filter(|(id, _)| !found.contains_key(id)).map(|(id, _)| *id).collect(),
        only_b: left.into_iter().map(|(id, _)| id).collect(),
    }
}
