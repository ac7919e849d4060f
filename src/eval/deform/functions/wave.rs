//! A sine wave along X, up and down along Y; a growing phase sends it towards +X.

use super::number;
use crate::math::Vec3;
use std::f64::consts::TAU;

pub(super) fn moved(numbers: &[f64], at: &Vec3) -> Vec3 {
    let (amplitude, wavelength, phase) = (number(numbers, 0), number(numbers, 1), number(numbers, 2));
    Vec3::new(at.x, at.y + amplitude * (TAU * at.x / wavelength - phase).sin(), at.z)
}

pub(super) fn rests(numbers: &[f64]) -> bool {
    number(numbers, 0) == 0.0 || !(number(numbers, 1) > 0.0)
}

/// The first crest, which goes along with the phase.
pub(super) fn handle(numbers: &[f64]) -> Vec3 {
    let along = number(numbers, 1) * (0.25 + (number(numbers, 2) / TAU).rem_euclid(1.0));
    Vec3::new(along, number(numbers, 0), 0.0)
}

pub(super) fn pulled(_numbers: &[f64], at: &Vec3) -> f64 {
    at.y
}
