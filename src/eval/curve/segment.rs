//! A segment between two keys, prepared for evaluation.

use super::{schemes, span::Span, whole};
use crate::{
    math::{
        cubic::{BezierTime, Cubic},
        easing::{CssBezier, Ease},
        spline::Lagrange,
    },
    model::Scheme,
};
use std::sync::Arc;

/// A segment between two keys, prepared.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    start: f64,
    end: f64,
    per_sec: f64,
    shape: Shape,
}

/// What a segment's value is, as a function of the part `x` of its time that has passed, 0..=1.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A cubic in `x`: also a straight line and a held value.
    Cubic(Cubic),
    /// A cubic in a parameter that `x` is a cubic of.
    Bezier {
        /// `x` by the parameter.
        time: BezierTime,
        /// The value by the parameter.
        value: Cubic,
    },
    /// `from + rise * ease(x)`.
    Eased {
        /// The value at the start.
        from: f64,
        /// The value at the end above it.
        rise: f64,
        /// How the rise is spread over the time.
        ease: Ease,
    },
    /// The same by a CSS Bezier.
    Css {
        /// The value at the start.
        from: f64,
        /// The value at the end above it.
        rise: f64,
        /// How the rise is spread over the time.
        ease: CssBezier,
    },
    /// The value of the nearer end.
    Nearest {
        /// The value at the start.
        from: f64,
        /// The value at the end.
        to: f64,
    },
    /// A piece of a polynomial in time (seconds); where that overflows, a straight line.
    Polynomial {
        /// The value at the start.
        from: f64,
        /// The value at the end.
        to: f64,
        /// The polynomial.
        polynomial: Arc<Lagrange>,
    },
}

impl Segment {
    /// Prepares the segment of two keys by the scheme of the first.
    #[must_use]
    #[inline]
    pub fn prepare(span: &Span<'_>) -> Self {
        let per_sec = span.per_sec();
        let hold = || Shape::Cubic(Cubic { c: [span.start.value, 0.0, 0.0, 0.0] });
        // Keys nearer than the smallest normal number: nothing lies between them.
        let shape = if !per_sec.is_finite() {
            hold()
        } else if span.curve.scheme == Scheme::PerKey {
            schemes::shape(span)
        } else {
            whole::shape(span)
        };
        Self {
            start: span.start.time,
            end: span.end.time,
            per_sec: if per_sec.is_finite() { per_sec } else { 0.0 },
            shape,
        }
    }

    /// The time of the first key, seconds.
    #[must_use]
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The time of the second key, seconds.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The shape by the part of the time that has passed.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether the time belongs to this segment: from its first key up to but not including its second.
    #[must_use]
    #[inline]
    pub fn contains(&self, time: f64) -> bool {
        self.start <= time && time < self.end
    }

    /// The part of the segment's time that has passed at a time, seconds.
    #[must_use]
    #[inline]
    pub fn part(&self, time: f64) -> f64 {
        (time - self.start) * self.per_sec
    }

    /// The value at a time within the segment, seconds.
    #[must_use]
    #[inline]
    pub fn value(&self, time: f64) -> f64 {
        let x = self.part(time);
        match &self.shape {
            Shape::Cubic(value) => value.value(x),
            Shape::Bezier { time, value } => value.value(time.solve(x)),
            Shape::Eased { from, rise, ease } => from + rise * ease.value(x),
            Shape::Css { from, rise, ease } => from + rise * ease.value(x),
            Shape::Nearest { from, to } => {
                if x < 0.5 {
                    *from
                } else {
                    *to
                }
            }
            Shape::Polynomial { from, to, polynomial } => {
                let value = polynomial.value(time);
                if value.is_finite() { value } else { from + (to - from) * x }
            }
        }
    }

    /// The slope at a time within the segment, per second; infinite where a Bezier segment is vertical.
    #[must_use]
    pub fn slope(&self, time: f64) -> f64 {
        let x = self.part(time);
        let by_part = match &self.shape {
            Shape::Cubic(value) => value.derivative(x),
            Shape::Bezier { time, value } => time.slope_of(value, time.solve(x)),
            Shape::Eased { rise, ease, .. } => rise * ease.slope(x),
            Shape::Css { rise, ease, .. } => rise * ease.slope(x),
            Shape::Nearest { .. } => 0.0,
            Shape::Polynomial { from, to, polynomial } => {
                let slope = polynomial.derivative(time);
                return if slope.is_finite() { slope } else { (to - from) * self.per_sec };
            }
        };
        by_part * self.per_sec
    }

    /// The parameter of a Bezier segment at a time, 0..=1; of others the part of the time that has passed.
    #[must_use]
    pub fn parameter(&self, time: f64) -> f64 {
        let x = self.part(time);
        match &self.shape {
            Shape::Bezier { time, .. } => time.solve(x),
            _ => x,
        }
    }
}
