//! Cardinal: Catmull-Rom with each key's slope scaled by 1 less its tension.

use super::super::cardinal_slope;
use super::{Shape, Span, hermite};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (start, end) = (span.start, span.end);
    let out = cardinal_slope(span.before(), start, Some(end), span.start_shape().tension);
    hermite(span, out, cardinal_slope(Some(start), end, span.after(), span.end_shape().tension))
}
