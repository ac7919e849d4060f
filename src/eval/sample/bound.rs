//! Curves of a binding, prepared where that pays.

use super::value::scalar_value;
use crate::{
    eval::curve::{
        PreparedCurve,
        sampled::{SamplePosition, scalar_at},
    },
    model::{Curve, FrameRate, ScalarCurve},
};
use std::sync::Arc;

/// Up to how many keys a curve is prepared whole: beyond, preparing again after each edit would cost more than it saves.
const PREPARED_KEYS: usize = 4096;

/// The grids of samples that several channels share: start, rate, count.
#[derive(Clone, Debug, Default)]
pub(super) struct Grids(Vec<(f64, FrameRate, usize)>);

impl Grids {
    /// The number of a grid, new or known.
    pub(super) fn number(&mut self, grid: (f64, FrameRate, usize)) -> usize {
        match self.0.iter().position(|known| *known == grid) {
            Some(index) => index,
            None => {
                self.0.push(grid);
                self.0.len() - 1
            }
        }
    }

    /// A grid by its number.
    pub(super) fn grid(&self, number: usize) -> Option<(f64, FrameRate, usize)> {
        self.0.get(number).copied()
    }

    /// Where a time falls on each grid.
    pub(super) fn places(&self, secs: f64) -> Vec<Option<SamplePosition>> {
        use crate::eval::curve::sampled::position;
        self.0.iter().map(|(start, rate, count)| position(*start, *rate, *count, secs)).collect()
    }
}

/// A scalar curve of a binding.
#[derive(Clone, Debug)]
pub(super) struct BoundScalar {
    curve: Arc<Curve>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Sampled, on a shared grid.
    Sampled { grid: usize },
    /// Keyed, prepared.
    Prepared(Arc<PreparedCurve>),
    /// Keyed, too long to be prepared; or no scalar curve.
    Plain,
}

impl BoundScalar {
    /// Binds a curve; `before` is the one bound at its place before, whose preparation is taken over if it is of the very
    /// same curve.
    pub(super) fn new(curve: Arc<Curve>, grids: &mut Grids, before: Option<&Self>) -> Self {
        let kind = match &*curve {
            Curve::Scalar(ScalarCurve::Sampled(s)) if s.modifiers.is_empty() => {
                Kind::Sampled { grid: grids.number((s.start, s.rate, s.values.len())) }
            }
            Curve::Scalar(ScalarCurve::Keyed(keyed)) if keyed.keys.len() <= PREPARED_KEYS => {
                let known = before.filter(|before| Arc::ptr_eq(&before.curve, &curve)).map(|before| &before.kind);
                match known {
                    Some(Kind::Prepared(prepared)) => Kind::Prepared(prepared.clone()),
                    _ => Kind::Prepared(Arc::new(PreparedCurve::new(keyed))),
                }
            }
            _ => Kind::Plain,
        };
        Self { curve, kind }
    }

    /// The number of its grid and its curve, where it is sampled without modifiers.
    pub(super) const fn sampled(&self) -> Option<(usize, &Arc<Curve>)> {
        match self.kind {
            Kind::Sampled { grid } => Some((grid, &self.curve)),
            _ => None,
        }
    }

    /// The value at a time, whose places on the grids are known.
    #[inline]
    pub(super) fn value(&self, places: &[Option<SamplePosition>], secs: f64) -> Option<f64> {
        match (&self.kind, &*self.curve) {
            (Kind::Prepared(prepared), _) => prepared.value(secs),
            (Kind::Sampled { grid }, Curve::Scalar(ScalarCurve::Sampled(samples))) => {
                scalar_at(&samples.values, (*places.get(*grid)?)?)
            }
            (_, Curve::Scalar(curve)) => scalar_value(curve, secs),
            (_, Curve::Rotation(_)) => None,
        }
    }
}
