//! A path of several cubics with its length measured.

use super::{Cubic3, arc_length, length::parameter_at_length_of};
use crate::math::Vec3;

/// Cubic segments, one after the other, with their lengths. A place on the path is a parameter from 0 to the number of
/// segments: segment `i` is `i..i + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPath {
    segments: Vec<Cubic3>,
    /// The segments divided by `size`, so that squares of their numbers neither overflow nor vanish.
    unit: Vec<Cubic3>,
    /// The largest coefficient but the starts; 1 where that is 0.
    size: f64,
    /// The length from the start to the start of each segment, and of the whole.
    starts: Vec<f64>,
    /// In units of `size`.
    tolerance: f64,
}

/// Lengths are never asked for more exactly than this, relative to the path's size: rounding is not far below.
const FINEST: f64 = 1e-14;

/// Speeds below this part of a segment's size are rounding: the way is then taken from the points around.
const AT_REST: f64 = 1e-9;

impl MeasuredPath {
    /// Measures a path; each segment's length within `tolerance` (an absolute length, more than 0). A path with a number that is
    /// not finite has no segments.
    #[must_use]
    pub fn new(segments: Vec<Cubic3>, tolerance: f64) -> Self {
        Self::measured(segments, |size| tolerance / size)
    }

    /// Measures a path; each segment's length within `part` of the path's size.
    #[must_use]
    pub fn within(segments: Vec<Cubic3>, part: f64) -> Self {
        Self::measured(segments, |_| part)
    }

    fn measured(segments: Vec<Cubic3>, tolerance: impl Fn(f64) -> f64) -> Self {
        let finite = segments.iter().all(|segment| segment.c.iter().all(|c| c.iter().all(|number| number.is_finite())));
        let segments = if finite { segments } else { Vec::new() };
        let size = segments.iter().map(Cubic3::size).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        let tolerance = tolerance(size).max(FINEST);
        let unit: Vec<Cubic3> = segments.iter().map(|segment| Cubic3 { c: segment.c.map(|c| c / size) }).collect();
        let mut starts = vec![0.0];
        let mut length = 0.0;
        for segment in &unit {
            length += arc_length(segment, 0.0, 1.0, tolerance);
            starts.push(length * size);
        }
        Self { segments, unit, size, starts, tolerance }
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
        Some(self.starts.get(index)? + self.size * arc_length(self.unit.get(index)?, 0.0, u, self.tolerance))
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
        let start = self.starts.get(index)?;
        let whole = (self.starts.get(index + 1)? - start) / self.size;
        let within = (length - start) / self.size;
        Some(index as f64 + parameter_at_length_of(self.unit.get(index)?, within, whole, self.tolerance))
    }

    /// A point of a segment at a part of it, and the way the path goes there, unit: where it rests or turns back, the way it goes
    /// on. None without such a segment.
    #[must_use]
    pub fn place_and_way(&self, segment: usize, part: f64) -> Option<(Vec3, Vec3)> {
        let at = self.segments.get(segment)?.point(part);
        let unit = self.unit.get(segment)?;
        let least = AT_REST * unit.size();
        let step = if part < 0.5 { 1e-4 } else { -1e-4 };
        let way = unit
            .velocity(part)
            .try_normalize(least)
            .or_else(|| ((unit.point(part + step) - unit.point(part)) / step).try_normalize(least));
        let on = |other: &Cubic3, at: f64, near: f64| {
            let least = AT_REST * other.size();
            let chord = (other.point(near) - other.point(at)) / (near - at);
            other.velocity(at).try_normalize(least).or_else(|| chord.try_normalize(least))
        };
        let later = || self.unit.get(segment + 1..)?.iter().find_map(|other| on(other, 0.0, 1e-4));
        let earlier = || self.unit.get(..segment)?.iter().rev().find_map(|other| on(other, 1.0, 1.0 - 1e-4));
        Some((at, way.or_else(later).or_else(earlier).unwrap_or_else(Vec3::z)))
    }

    /// [`Self::place_and_way`] at a parameter, which is brought into the path first.
    #[must_use]
    pub fn way(&self, parameter: f64) -> Option<(Vec3, Vec3)> {
        let (index, u) = self.place(parameter)?;
        self.place_and_way(index, u)
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
    fn huge_tiny_and_resting_paths_are_measured_alike() {
        let points = [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [3.0, -1.0, 4.0]].map(Vec3::from);
        let plain = MeasuredPath::within(crate::math::path::catmull_rom(&points, false, 0.0), 1e-12);
        for scale in [1e-200, 1e-9, 1e9, 1e200] {
            let points = points.map(|point| point * scale);
            let path = MeasuredPath::within(crate::math::path::catmull_rom(&points, false, 0.0), 1e-12);
            assert!((path.length() / scale - plain.length()).abs() < 1e-11, "{scale}");
            for part in [0.1, 0.4, 0.9] {
                let (a, b) = (path.parameter_at(path.length() * part), plain.parameter_at(plain.length() * part));
                assert!((a.unwrap() - b.unwrap()).abs() < 1e-7, "{scale}");
            }
        }
        let rest = MeasuredPath::within(crate::math::path::straight(&[Vec3::x(); 3], false), 1e-12);
        assert_eq!((rest.length(), rest.point(1.7)), (0.0, Some(Vec3::x())));
        assert_eq!(rest.way(0.5), Some((Vec3::x(), Vec3::z())));
        let nothing = Cubic3 { c: [Vec3::repeat(f64::NAN); 4] };
        assert!(MeasuredPath::within(vec![nothing], 1e-9).segments().is_empty());
        // A cusp in the middle: the way it goes on.
        let cusp = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]].map(Vec3::from);
        let path = MeasuredPath::within(vec![Cubic3::from_bezier(cusp)], 1e-12);
        assert!((path.way(0.5).unwrap().1.norm() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_path_without_segments_has_no_points() {
        let path = MeasuredPath::new(Vec::new(), 1e-9);
        assert_eq!((path.length(), path.point(0.0), path.parameter_at(0.0)), (0.0, None, None));
    }
}
