//! Catmull-Rom: slopes of the chords between neighbours.

use super::super::catmull_rom_slope;
use super::{Shape, Span, hermite};

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (start, end) = (span.start, span.end);
    let out = catmull_rom_slope(span.before(), start, Some(end));
    hermite(span, out, catmull_rom_slope(Some(start), end, span.after()))
}
