//! Eases: from key to key whatever the neighbours are, by the first key's numbers.

use super::{Shape, Span, linear};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (from, rise) = (span.start.value, span.end.value - span.start.value);
    match span.start_shape().ease.ease(span.interpolation) {
        Some(ease) => Shape::Eased { from, rise, ease },
        None => linear::shape(span),
    }
}

pub(super) fn css(span: &Span<'_>) -> Shape {
    let (from, rise) = (span.start.value, span.end.value - span.start.value);
    Shape::Css { from, rise, ease: span.start_shape().ease.css_bezier() }
}
