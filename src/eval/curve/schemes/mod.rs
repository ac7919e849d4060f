//! The interpolation schemes: each a function from the keys around a segment to its shape, one file and one row each.

mod bezier;
mod cardinal;
mod catmull_rom;
mod ease;
mod hermite;
mod linear;
mod nearest;
mod smooth;
mod step;
mod tcb;

use super::{segment::Shape, span::Span};
use crate::math::{cubic::Cubic, easing::Ease};
use crate::model::Interpolation;

/// One row of the table of schemes.
pub struct Scheme {
    /// The interpolation it evaluates.
    pub interpolation: Interpolation,
    /// The segment's shape from its keys and their neighbours.
    pub shape: fn(&Span<'_>) -> Shape,
}

/// Every scheme, in the order of [`Interpolation`].
pub const SCHEMES: &[Scheme] = &[
    Scheme { interpolation: Interpolation::Step, shape: step::shape },
    Scheme { interpolation: Interpolation::Linear, shape: linear::shape },
    Scheme { interpolation: Interpolation::Bezier, shape: bezier::shape },
    Scheme { interpolation: Interpolation::CatmullRom, shape: catmull_rom::shape },
    Scheme { interpolation: Interpolation::Cardinal, shape: cardinal::shape },
    Scheme { interpolation: Interpolation::Tcb, shape: tcb::shape },
    Scheme { interpolation: Interpolation::Smooth, shape: smooth::shape },
    Scheme { interpolation: Interpolation::Nearest, shape: nearest::shape },
    Scheme { interpolation: Interpolation::Hermite, shape: hermite::shape },
    Scheme { interpolation: Interpolation::Smoothstep, shape: ease::shape },
    Scheme { interpolation: Interpolation::Sine, shape: ease::shape },
    Scheme { interpolation: Interpolation::Quad, shape: ease::shape },
    Scheme { interpolation: Interpolation::Cubic, shape: ease::shape },
    Scheme { interpolation: Interpolation::Quart, shape: ease::shape },
    Scheme { interpolation: Interpolation::Quint, shape: ease::shape },
    Scheme { interpolation: Interpolation::Power, shape: ease::shape },
    Scheme { interpolation: Interpolation::Expo, shape: ease::shape },
    Scheme { interpolation: Interpolation::Circ, shape: ease::shape },
    Scheme { interpolation: Interpolation::Back, shape: ease::shape },
    Scheme { interpolation: Interpolation::Elastic, shape: ease::shape },
    Scheme { interpolation: Interpolation::Bounce, shape: ease::shape },
    Scheme { interpolation: Interpolation::Css, shape: ease::css },
];

/// The shape of a segment by the scheme of its first key.
pub(super) fn shape(span: &Span<'_>) -> Shape {
    // The row of an interpolation is at its own number, which a test holds.
    SCHEMES.get(span.interpolation as usize).map_or_else(|| step::shape(span), |scheme| (scheme.shape)(span))
}

/// The cubic of a span with these slopes (per second) out of its first key and into its second.
pub(super) fn hermite(span: &Span<'_>, slope_out: f64, slope_in: f64) -> Shape {
    let secs = span.secs();
    Shape::Cubic(Cubic::from_hermite(span.start.value, span.end.value, slope_out * secs, slope_in * secs))
}

/// From the value of a span's first key to that of its second by an ease.
fn eased(span: &Span<'_>, ease: Ease) -> Shape {
    Shape::Eased { from: span.start.value, rise: span.end.value - span.start.value, ease }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_interpolation_has_its_row_at_its_number() {
        assert_eq!(SCHEMES.len(), Interpolation::ALL.len());
        for interpolation in Interpolation::ALL {
            assert_eq!(SCHEMES[interpolation as usize].interpolation, interpolation);
        }
    }
}
