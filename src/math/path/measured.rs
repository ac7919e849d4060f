//! A path of several cubics with its length measured.

use super::{Cubic3, arc_length, parameter_at_length};
use crate::math::Vec3;

/// Cubic segments, one after the other, with their lengths. A place on the path is a parameter from 0 to the number of
/// segments: segment `i` is `i..i + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPath {
    segments: Vec<Cubic3>,
    /// The length from the start to the start of each segment, and of the whole.
    starts: Vec<f64>,
    tolerance: f64,
}

impl MeasuredPath {
    /// Measures a path; each segment's length within `tolerance` (an absolute length, more than 0).
    #[must_use]
    pub fn new(segments: Vec<Cubic3>, tolerance: f64) -> Self {
        let mut starts = vec![0.0];
        let mut length = 0.0;
        for segment in &segments {
            length += arc_length(segment, 0.0, 1.0, tolerance);
            starts.push(length);
        }
        Self { segments, starts, tolerance }
    }

    /// The segments.
    #[must_use]
    pub fn segments(&self) -> &[Cubic3] {
        &self.segments
    }

    /// The length of the whole path; 0 without segments.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.starts.last().copied().unwrap_or(0.0)
    }

    /// The lengths of the segments.
    pub fn segment_lengths(&self) -> impl Iterator<Item = f64> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// The segment and the place in it of a parameter, brought into the path. None without segments.
    fn place(&self, parameter: f64) -> Option<(usize, f64)> {
        let last = self.segments.len().checked_sub(1)?;
        let parameter = parameter.clamp(0.0, self.segments.len() as f64);
        let index = (parameter as usize).min(last);
        Some((index, parameter - index as f64))
    }

    /// The point at a parameter, which is brought into the path first. None without segments.
    #[must_use]
    pub fn point(&self, parameter: f64) -> Option<Vec3> {
        let (index, u) = self.place(parameter)?;
        Some(self.segments.get(index)?.point(u))
    }

    /// The velocity (per unit of the parameter) at a parameter, brought into the path first. None without segments.
    #[must_use]
    pub fn velocity(&self, parameter: f64) -> Option<Vec3> {
        let (index, u) = self.place(parameter)?;
        Some(self.segments.get(index)?.velocity(u))
    }

    /// The length from the start to a parameter, brought into the path first. None without segments.
    #[must_use]
    pub fn length_at(&self, parameter: f64) -> Option<f64> {
        let (index, u) = self.place(parameter)?;
        Some(self.starts.get(index)? + arc_length(self.segments.get(index)?, 0.0, u, self.tolerance))
    }

    /// The parameter at a length from the start; lengths outside give the nearer end. None without segments or for a
    /// length that is not a number.
    #[must_use]
    pub fn parameter_at(&self, length: f64) -> Option<f64> {
        let last = self.segments.len().checked_sub(1)?;
        if length.is_nan() {
            return None;
        }
        let index = self.starts.partition_point(|start| *start <= length).saturating_sub(1).min(last);
        let within = length - self.starts.get(index)?;
        Some(index as f64 + parameter_at_length(self.segments.get(index)?, within, self.tolerance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::path::uniform_catmull_rom;

    #[test]
    fn equal_lengths_are_equal_ways_over_uneven_points() {
        // Spacing of ten to one.
        let points: Vec<Vec3> = [0.0, 1.0, 1.1, 2.1, 2.2].iter().map(|x: &f64| Vec3::new(*x, x.sin(), 0.0)).collect();
        let path = MeasuredPath::new(uniform_catmull_rom(&points), 1e-10);
        assert!((path.segment_lengths().sum::<f64>() - path.length()).abs() < 1e-14);
        for i in 0..=100 {
            let length = path.length() * f64::from(i) / 100.0;
            let parameter = path.parameter_at(length).unwrap();
            assert!((path.length_at(parameter).unwrap() - length).abs() < 1e-9);
        }
        assert_eq!(path.parameter_at(-1.0), Some(0.0));
        assert_eq!(path.parameter_at(1e9), Some(4.0));
        assert_eq!(path.parameter_at(f64::NAN), None);
        assert!((path.point(4.0).unwrap() - points[4]).norm() < 1e-13);
    }

    #[test]
    fn a_path_without_segments_has_no_points() {
        let path = MeasuredPath::new(Vec::new(), 1e-9);
        assert_eq!((path.length(), path.point(0.0), path.parameter_at(0.0)), (0.0, None, None));
    }
}
