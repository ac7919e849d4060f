//! Seeded points for tests of what is built over them.

use super::Point;

/// A seeded stream of numbers in -1..1.
pub(crate) fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// So many points of the square -1..1.
pub(crate) fn cloud(seed: u64, count: usize) -> Vec<Point> {
    let mut next = numbers(seed);
    (0..count).map(|_| [next(), next()]).collect()
}
