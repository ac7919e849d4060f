//! The rotations of sampled Euler channels: one sign-continuous quaternion a sample, slerped between samples.

use super::euler::place_angles;
use crate::{
    eval::curve::sampled::{SamplePosition, position},
    math::{
        EulerOrder, Quat,
        rotation::{align, from_euler, make_continuous, slerp_unaligned},
    },
    model::{Curve, FrameRate, Samples, ScalarCurve},
};
use std::sync::Arc;

/// Three angles over time on one grid of samples, by axis X, Y, Z; an axis without a curve keeps its rest angle.
#[derive(Clone, Debug)]
pub(in crate::eval) struct SampledAngles {
    pub(super) order: EulerOrder,
    pub(super) curves: [Option<Arc<Curve>>; 3],
    pub(super) rest: [f64; 3],
    pub(super) start: f64,
    pub(super) rate: FrameRate,
    pub(super) len: usize,
}

fn samples(curve: &Curve) -> Option<&Samples> {
    match curve {
        Curve::Scalar(ScalarCurve::Sampled(samples)) if !samples.values.is_empty() && samples.modifiers.is_empty() => {
            Some(samples)
        }
        _ => None,
    }
}

impl SampledAngles {
    /// The angles, where at least one axis has a curve and all the curves are sampled on one grid.
    pub(super) fn new(order: EulerOrder, curves: &[Option<Arc<Curve>>; 3], rest: [f64; 3]) -> Option<Self> {
        let mut grid: Option<(f64, FrameRate, usize)> = None;
        for curve in curves.iter().flatten() {
            let samples = samples(curve)?;
            let this = (samples.start, samples.rate, samples.values.len());
            if grid.is_some_and(|grid| grid != this) {
                return None;
            }
            grid = Some(this);
        }
        let (start, rate, len) = grid?;
        Some(Self { order, curves: curves.clone(), rest, start, rate, len })
    }

    /// The angles of one sample, by axis.
    pub(super) fn angles(&self, index: usize) -> [f64; 3] {
        std::array::from_fn(|axis| {
            let value = self.curves[axis].as_deref().and_then(samples).and_then(|s| s.values.get(index));
            value.copied().unwrap_or(self.rest[axis])
        })
    }

    /// The rotation of one sample.
    pub(super) fn rotation(&self, index: usize) -> Quat {
        from_euler(self.order, place_angles(self.order, self.angles(index)))
    }

    /// The rotation at a time, without a track: the same as the track's up to the quaternion's sign.
    pub(super) fn value(&self, secs: f64) -> Option<Quat> {
        Some(self.at(position(self.start, self.rate, self.len, secs)?))
    }

    /// The rotation at a position among the samples, without a track.
    pub(super) fn at(&self, at: SamplePosition) -> Quat {
        let from = self.rotation(at.index);
        if at.part == 0.0 {
            return from;
        }
        slerp_unaligned(&from, &align(&self.rotation(at.index + 1), &from), at.part)
    }
}

/// The sign-continuous quaternions of sampled Euler channels.
#[derive(Debug)]
pub struct RotationTrack {
    pub(super) angles: SampledAngles,
    values: Vec<Quat>,
}

impl RotationTrack {
    pub(super) fn new(angles: SampledAngles) -> Self {
        let mut values: Vec<Quat> = (0..angles.len).map(|index| angles.rotation(index)).collect();
        make_continuous(&mut values);
        Self { angles, values }
    }

    /// Whether the track was made from these very curves (by identity), order and rest angles.
    pub(super) fn is_of(&self, angles: &SampledAngles) -> bool {
        let same = |a: &Option<Arc<Curve>>, b: &Option<Arc<Curve>>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        self.angles.order == angles.order
            && self.angles.rest.map(f64::to_bits) == angles.rest.map(f64::to_bits)
            && (0..3).all(|axis| same(&self.angles.curves[axis], &angles.curves[axis]))
    }

    /// The quaternions, one a sample; neighbours have a non-negative dot product.
    #[must_use]
    pub fn values(&self) -> &[Quat] {
        &self.values
    }

    /// When a sample is, seconds.
    #[must_use]
    pub fn secs(&self, index: usize) -> f64 {
        self.angles.start + self.angles.rate.secs(i64::try_from(index).unwrap_or(i64::MAX))
    }

    /// The rotation at a position among the samples.
    #[inline]
    pub(super) fn at(&self, at: SamplePosition) -> Quat {
        match (self.values.get(at.index), self.values.get(at.index + 1)) {
            (Some(from), Some(to)) if at.part > 0.0 => slerp_unaligned(from, to, at.part),
            (Some(from), _) => *from,
            (None, _) => Quat::identity(),
        }
    }
}
