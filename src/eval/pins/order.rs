//! The order in which the pins of one rig are solved: each after those that move what it hangs from or is held in.

use super::{Goal, PinChain, Space};

/// Places in the list of goals in order of solving, ties as listed; the second list holds those that wait for themselves.
pub(super) fn order(parents: &[Option<usize>], goals: &[Goal], chains: &[PinChain]) -> (Vec<usize>, Vec<usize>) {
    let below = |joint: usize, top: usize| {
        let mut at = Some(joint);
        while let Some(index) = at {
            if index == top {
                return true;
            }
            at = parents.get(index).copied().flatten().filter(|parent| *parent < index);
        }
        false
    };
    let waits_for = |pin: usize, other: usize| {
        let (first, moved) = (chains[pin].first(), chains[other].first());
        let hangs = pin != other && first != moved && below(first, moved);
        hangs || matches!(goals[pin].space, Space::Own(joint) if below(joint, moved))
    };
    let mut left: Vec<usize> = (0..goals.len()).collect();
    let mut done = Vec::with_capacity(goals.len());
    while let Some(at) = left.iter().position(|pin| left.iter().all(|other| !waits_for(*pin, *other))) {
        done.push(left.remove(at));
    }
    (done, left)
}
