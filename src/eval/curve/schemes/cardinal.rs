//! Cardinal: Catmull-Rom with each key's slope scaled by 1 less its tension.

use super::super::{Point, cardinal_slope};
use super::{Shape, Span, hermite};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (start, end) = (Point::of(span.start), Point::of(span.end));
    let out = cardinal_slope(span.before(), start, Some(end), span.start.tension);
    hermite(span, out, cardinal_slope(Some(start), end, span.after(), span.end.tension))
}
