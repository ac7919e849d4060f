//! Bezier: a cubic through the handles of both keys, its time solved.

use super::super::handles::{THIRD, reach_in, reach_out};
use super::{Cubic, Shape, Span};
use crate::math::cubic::BezierTime;

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (out, into) = (reach_out(span), reach_in(span));
    let (start, end) = (span.start.value, span.end.value);
    let value = Cubic::from_bezier([start, start + out.rise, end + into.rise, end]);
    let third = |part: f64| (part - THIRD).abs() < 1e-12;
    if third(out.part) && third(into.part) {
        // Time runs evenly: nothing to solve.
        Shape::Cubic(value)
    } else {
        Shape::Bezier { time: BezierTime::new(out.part, into.part), value }
    }
}
