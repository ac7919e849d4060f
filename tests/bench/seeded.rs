//! Numbers that look random and are the same on every run (Marsaglia's xorshift, 2003).

/// A seed that moves on; it must not be 0.
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    /// The next number, 0..1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
