//! TCB: Kochanek-Bartels slopes by each key's tension, continuity and bias.

use super::super::{Point, kochanek_bartels_slopes};
use super::{Shape, Span, hermite};
use crate::model::Key;

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (start, end) = (Point::of(span.start), Point::of(span.end));
    let tcb = |key: &Key| [key.tension, key.continuity, key.bias];
    let (_, out) = kochanek_bartels_slopes(span.before(), start, Some(end), tcb(span.start));
    let (into, _) = kochanek_bartels_slopes(Some(start), end, span.after(), tcb(span.end));
    hermite(span, out, into)
}
