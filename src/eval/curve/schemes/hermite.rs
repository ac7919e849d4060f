//! Hermite: a cubic with the slopes typed at both keys.

use super::{Shape, Span, hermite};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    hermite(span, span.start_shape().slope_out, span.end_shape().slope_in)
}
