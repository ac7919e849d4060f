//! Nearest: the value of the nearer key; half way between them that of the later one.

use super::{Shape, Span};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    Shape::Nearest { from: span.start.value, to: span.end.value }
}
