//! A binding's channels where all of them are samples on one grid: what captured motion is.

use super::{
    binding::{RigBinding, RotationSource},
    track::{RotationTrack, SampledAngles},
};
use crate::{
    eval::corrections::acts_at,
    math::Quat,
    model::{Curve, FrameRate, Property, RotationCurve, ScalarCurve},
};
use std::sync::Arc;

/// Where the samples of a joint's rotation lie.
#[derive(Clone, Debug)]
pub(in crate::eval) enum SampledRotation {
    Track(Arc<RotationTrack>),
    Angles(SampledAngles),
    Curve(Arc<Curve>),
}

impl SampledRotation {
    /// One sample, of either sign.
    pub(in crate::eval) fn at(&self, index: usize) -> Option<Quat> {
        match self {
            Self::Track(track) => track.values().get(index).copied(),
            Self::Angles(angles) => (index < angles.len).then(|| angles.rotation(index)),
            Self::Curve(curve) => match &**curve {
                Curve::Rotation(RotationCurve::Sampled(samples)) => samples.values.get(index).copied(),
                _ => None,
            },
        }
    }

    /// Whether the samples are the very same.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Track(a), Self::Track(b)) => Arc::ptr_eq(a, b) || a.is_of(&b.angles),
            (Self::Curve(a), Self::Curve(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A number of a joint's local transform, and where its samples lie.
#[derive(Clone, Debug)]
pub(in crate::eval) struct SampledScalar {
    pub(in crate::eval) joint: usize,
    pub(in crate::eval) property: Property,
    pub(in crate::eval) axis: usize,
    curve: Arc<Curve>,
}

impl SampledScalar {
    /// One sample.
    pub(in crate::eval) fn at(&self, index: usize) -> Option<f64> {
        match &*self.curve {
            Curve::Scalar(ScalarCurve::Sampled(samples)) => samples.values.get(index).copied(),
            _ => None,
        }
    }

    fn is(&self, other: &Self) -> bool {
        let slot = |of: &Self| (of.joint, of.property, of.axis);
        slot(self) == slot(other) && Arc::ptr_eq(&self.curve, &other.curve)
    }
}

/// All channels of a binding, sampled on one grid.
#[derive(Clone, Debug)]
pub(in crate::eval) struct SampledChannels {
    /// Start in seconds, samples a second, how many.
    pub(in crate::eval) grid: (f64, FrameRate, usize),
    /// With the joint's index, in order.
    pub(in crate::eval) rotations: Vec<(usize, SampledRotation)>,
    /// In order of joint, property, axis.
    pub(in crate::eval) scalars: Vec<SampledScalar>,
}

impl SampledChannels {
    /// Whether the channels and all their samples are the very same, by identity.
    pub(in crate::eval) fn is(&self, other: &Self) -> bool {
        self.grid == other.grid
            && self.rotations.len() == other.rotations.len()
            && self.scalars.len() == other.scalars.len()
            && self.rotations.iter().zip(&other.rotations).all(|((i, a), (j, b))| i == j && a.is(b))
            && self.scalars.iter().zip(&other.scalars).all(|(a, b)| a.is(b))
    }
}

impl RigBinding {
    /// The channels of the binding, where each is sampled without modifiers, all lie on one grid, and no retime moves them.
    pub(in crate::eval) fn sampled(&self) -> Option<SampledChannels> {
        if self.clocks.are_several() {
            return None;
        }
        let mut grids = Vec::new();
        let mut rotations = Vec::with_capacity(self.rotations.len());
        for (joint, source) in &self.rotations {
            let (grid, sampled) = match source {
                RotationSource::Track { grid, track } => {
                    (self.grids.grid(*grid)?, SampledRotation::Track(track.clone()))
                }
                RotationSource::Samples { grid, angles } => {
                    (self.grids.grid(*grid)?, SampledRotation::Angles(angles.clone()))
                }
                RotationSource::Curve(curve) => match &**curve {
                    Curve::Rotation(RotationCurve::Sampled(samples)) => {
                        let grid = (samples.start, samples.rate, samples.values.len());
                        (grid, SampledRotation::Curve(curve.clone()))
                    }
                    _ => return None,
                },
                RotationSource::Angles { .. } => return None,
            };
            grids.push(grid);
            rotations.push((*joint, sampled));
        }
        let mut scalars = Vec::with_capacity(self.scalars.len());
        for (slot, bound) in &self.scalars {
            let (grid, curve) = bound.sampled()?;
            grids.push(self.grids.grid(grid)?);
            scalars.push(SampledScalar {
                joint: slot.joint,
                property: slot.property,
                axis: slot.axis,
                curve: curve.clone(),
            });
        }
        let grid = *grids.first()?;
        (grid.2 > 0 && grids.iter().all(|other| *other == grid)).then_some(SampledChannels { grid, rotations, scalars })
    }

    /// Whether the pose at a time is what the channels alone say: no correction acts and nothing waits to be keyed.
    pub(in crate::eval) fn follows_channels(&self, secs: f64) -> bool {
        !self.corrections.iter().any(|bound| acts_at(&bound.correction, secs))
            && self.clip.as_ref().is_none_or(|clip| clip.unkeyed_at(secs).is_none())
    }
}
