//! Eight numbers side by side. What is done to one is done to all: the compiler makes wide instructions of it, the widest where
//! the caller runs under `pulp::Arch::dispatch`. Product and sum stay two roundings, so that a lane gives the same bits
//! everywhere, and the same as the number alone.

use std::ops::{Add, Mul, Sub};

/// How many numbers there are side by side.
pub const LANES: usize = 8;

/// Eight numbers side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Lanes<T>(pub [T; LANES]);

impl<T: Copy> Lanes<T> {
    /// The same number eight times.
    #[inline(always)]
    pub fn splat(value: T) -> Self {
        Self([value; LANES])
    }

    /// Something done to each number.
    #[inline(always)]
    #[must_use]
    pub fn map(mut self, what: impl Fn(T) -> T) -> Self {
        for value in &mut self.0 {
            *value = what(*value);
        }
        self
    }

    /// Something done to each two numbers.
    #[inline(always)]
    #[must_use]
    pub fn with(mut self, other: &Self, what: impl Fn(T, T) -> T) -> Self {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            *value = what(*value, *other);
        }
        self
    }
}

impl<T: Copy + PartialOrd> Lanes<T> {
    /// The greater of each two; that of `self` where they cannot be compared.
    #[inline(always)]
    #[must_use]
    pub fn greater(self, other: &Self) -> Self {
        self.with(other, |a, b| if b > a { b } else { a })
    }
}

impl<T: Copy + Add<Output = T>> Add for Lanes<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(&other, |a, b| a + b)
    }
}

impl<T: Copy + Sub<Output = T>> Sub for Lanes<T> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(&other, |a, b| a - b)
    }
}

impl<T: Copy + Mul<Output = T>> Mul for Lanes<T> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(&other, |a, b| a * b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_is_the_number_alone() {
        let (a, b) = (Lanes(std::array::from_fn(|i| 0.1 * i as f64)), Lanes::splat(0.3));
        let found = a * b + a - b;
        for (lane, found) in found.0.iter().enumerate() {
            let a = 0.1 * lane as f64;
            assert_eq!(found.to_bits(), (a * 0.3 + a - 0.3).to_bits());
        }
        assert_eq!(Lanes::splat(1.0).greater(&Lanes::splat(f64::NAN)), Lanes::splat(1.0));
        assert_eq!(a.greater(&b).0[..3], [0.3; 3]);
    }
}
