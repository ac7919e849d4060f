//! TCB: Kochanek-Bartels slopes by each key's tension, continuity and bias.

use super::super::kochanek_bartels_slopes;
use super::{Shape, Span, hermite};
use crate::model::key_store::KeyShape;

pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (start, end) = (span.start, span.end);
    let tcb = |key: KeyShape| [key.tension, key.continuity, key.bias];
    let (_, out) = kochanek_bartels_slopes(span.before(), start, Some(end), tcb(span.start_shape()));
    let (into, _) = kochanek_bartels_slopes(Some(start), end, span.after(), tcb(span.end_shape()));
    hermite(span, out, into)
}
