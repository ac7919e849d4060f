//! Linear: a straight line.

use super::{Cubic, Shape, Span};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    Shape::Cubic(Cubic { c: [span.start.value, span.end.value - span.start.value, 0.0, 0.0] })
}
