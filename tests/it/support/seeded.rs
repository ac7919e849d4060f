//! Numbers by chance, the same each time.

use inbetween::math::{Quat, Transform, Vec3, rotation::from_axis_angle};

/// A seeded stream of numbers (xorshift).
pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// 0..1
    pub(crate) fn part(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// -size..size
    pub(crate) fn around(&mut self, size: f64) -> f64 {
        (2.0 * self.part() - 1.0) * size
    }

    /// 0..count
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.part() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A frame of the first so many.
    pub(super) fn frame(&mut self, count: i64) -> i64 {
        (self.part() * count as f64) as i64
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.part() < 0.5
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())])
    }

    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.around(size), self.around(size), self.around(size))
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        let (axis, angle) = (self.vector(1.0), self.around(3.0));
        from_axis_angle(&axis, angle)
    }

    pub(super) fn transform(&mut self) -> Transform {
        Transform { translation: self.vector(2.0), rotation: self.rotation(), scale: Vec3::repeat(0.5 + self.part()) }
    }
}
