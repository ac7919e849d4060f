//! Schemes that make the whole curve at once: what they need is worked out once for the keys and kept with them.

use super::{
    schemes::hermite,
    segment::Shape,
    span::{Point, Span},
};
use crate::{
    math::{
        cubic::Cubic,
        spline::{C2Ends, Lagrange, c2_slopes, monotone_slopes},
    },
    model::{KeyedCurve, Scheme},
};
use std::sync::Arc;

/// A scheme worked out for the keys of a curve.
#[derive(Debug)]
pub struct Fit {
    scheme: Scheme,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// A cubic between every two keys by their slopes, per second.
    Slopes(Vec<f64>),
    /// One polynomial.
    Polynomial(Arc<Lagrange>),
    /// Straight lines: the keys lie so that the scheme's numbers overflow.
    Straight,
}

/// How a whole-curve scheme came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitReport {
    /// As asked for.
    Exact,
    /// Too many keys for one polynomial ([`Scheme::MOST_LAGRANGE_KEYS`]): the natural spline runs instead.
    TooManyKeys,
    /// The numbers overflow: straight lines run instead.
    Overflow,
}

impl Fit {
    /// The fit of a curve's scheme to its keys: kept with the keys, so that it is worked out once.
    #[must_use]
    pub fn of(curve: &KeyedCurve) -> Arc<Self> {
        if let Some(fit) = curve.keys.derived().get::<Self>()
            && fit.scheme == curve.scheme
        {
            return fit;
        }
        let fit = Arc::new(Self::new(curve));
        curve.keys.derived().put(Arc::clone(&fit));
        fit
    }

    fn new(curve: &KeyedCurve) -> Self {
        let times: Vec<f64> = curve.keys.times().collect();
        let chunks = curve.keys.chunks().iter();
        let values: Vec<f64> = chunks.flat_map(|chunk| (0..chunk.len()).filter_map(|i| chunk.value(i))).collect();
        let c2 = |ends| c2_slopes(&times, &values, ends).map(Form::Slopes);
        let form = match curve.scheme {
            Scheme::PerKey => None,
            Scheme::Natural => c2(C2Ends::Natural),
            Scheme::Clamped(start, end) => c2(C2Ends::Clamped { start, end }),
            Scheme::NotAKnot => c2(C2Ends::NotAKnot),
            Scheme::Periodic => c2(C2Ends::Periodic),
            Scheme::Monotone => monotone_slopes(&times, &values).map(Form::Slopes),
            Scheme::Lagrange if times.len() <= Scheme::MOST_LAGRANGE_KEYS => {
                Lagrange::new(&times, &values).map(|polynomial| Form::Polynomial(Arc::new(polynomial)))
            }
            Scheme::Lagrange => c2(C2Ends::Natural),
        };
        let finite = |form: &Form| !matches!(form, Form::Slopes(slopes) if slopes.iter().any(|s| !s.is_finite()));
        Self { scheme: curve.scheme, form: form.filter(finite).unwrap_or(Form::Straight) }
    }

    /// How the scheme came out.
    #[must_use]
    pub fn report(&self) -> FitReport {
        match (&self.form, self.scheme) {
            (Form::Straight, _) => FitReport::Overflow,
            (Form::Slopes(_), Scheme::Lagrange) => FitReport::TooManyKeys,
            _ => FitReport::Exact,
        }
    }
}

/// The shape of a segment by the curve's scheme.
pub(super) fn shape(span: &Span<'_>) -> Shape {
    let (Point { value: from, .. }, Point { value: to, .. }) = (span.start, span.end);
    let index = span.index();
    match &Fit::of(span.curve).form {
        Form::Slopes(slopes) => match (slopes.get(index), slopes.get(index + 1)) {
            (Some(out), Some(into)) => hermite(span, *out, *into),
            _ => straight(from, to),
        },
        Form::Polynomial(polynomial) => Shape::Polynomial { from, to, polynomial: Arc::clone(polynomial) },
        Form::Straight => straight(from, to),
    }
}

fn straight(from: f64, to: f64) -> Shape {
    Shape::Cubic(Cubic { c: [from, to - from, 0.0, 0.0] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::curve::{value, value_and_slope},
        math::spline::HermiteSpline,
        model::{Interpolation, Key},
    };

    fn curve(scheme: Scheme, keys: impl IntoIterator<Item = (f64, f64)>) -> KeyedCurve {
        let key = |(time, value)| Key { interpolation: Interpolation::Step, ..Key::new(time, value) };
        KeyedCurve { keys: keys.into_iter().map(key).collect(), scheme, ..KeyedCurve::default() }
    }

    const KEYS: [(f64, f64); 6] = [(0.0, 1.0), (1.0, -2.0), (1.5, 3.0), (4.0, 3.5), (4.25, 0.0), (7.0, 1.0)];

    #[test]
    fn schemes_meet_the_keys_and_are_the_splines_of_the_maths() {
        let (times, values): (Vec<f64>, Vec<f64>) = KEYS.into_iter().unzip();
        for (scheme, ends) in [
            (Scheme::Natural, C2Ends::Natural),
            (Scheme::Clamped(1.0, -2.0), C2Ends::Clamped { start: 1.0, end: -2.0 }),
            (Scheme::NotAKnot, C2Ends::NotAKnot),
            (Scheme::Periodic, C2Ends::Periodic),
        ] {
            let curve = curve(scheme, KEYS);
            let spline = HermiteSpline::new(&times, &values, &c2_slopes(&times, &values, ends).unwrap()).unwrap();
            for i in 0..=700 {
                let time = f64::from(i) * 0.01;
                let (v, slope) = value_and_slope(&curve, time).unwrap();
                assert!((v - spline.value(time)).abs() < 1e-12, "{scheme:?} {time}");
                assert!((slope - spline.derivative(time)).abs() < 1e-10, "{scheme:?} {time}");
            }
        }
    }

    #[test]
    fn values_at_keys_stay_under_every_scheme() {
        for scheme in Scheme::ALL {
            let curve = curve(scheme, KEYS);
            for (time, wanted) in KEYS {
                assert!((value(&curve, time).unwrap() - wanted).abs() <= 1e-12, "{scheme:?}");
            }
        }
    }

    #[test]
    fn the_fit_is_kept_until_keys_or_scheme_change() {
        let mut curve = curve(Scheme::Natural, KEYS);
        let first = Fit::of(&curve);
        assert!(Arc::ptr_eq(&first, &Fit::of(&curve)) && Arc::ptr_eq(&first, &Fit::of(&curve.clone())));
        let before = curve.clone();
        curve.keys.insert(Key::new(9.0, 0.0));
        assert!(!Arc::ptr_eq(&first, &Fit::of(&curve)) && Arc::ptr_eq(&first, &Fit::of(&before)));
        curve.scheme = Scheme::Monotone;
        assert_eq!(Fit::of(&curve).scheme, Scheme::Monotone);
        assert_eq!(
            value(&before, 0.5),
            value(
                &KeyedCurve {
                    keys: KEYS.iter().map(|k| Key::new(k.0, k.1)).collect(),
                    scheme: Scheme::Natural,
                    ..KeyedCurve::default()
                },
                0.5
            )
        );
    }

    #[test]
    fn one_polynomial_is_bounded_by_its_keys_number_and_never_overflows() {
        let many = curve(Scheme::Lagrange, (0..=400).map(|i| (f64::from(i), f64::from(i % 7))));
        assert_eq!(Fit::of(&many).report(), FitReport::TooManyKeys);
        for count in [2, 3, 30, 256] {
            for scale in [1e-9, 1.0, 1e9] {
                let spread = |i: i32| scale * (f64::from(i) + if i % 3 == 0 { 0.9 } else { 0.0 });
                let curve = curve(Scheme::Lagrange, (0..count).map(|i| (spread(i), f64::from(i % 5) * 1e12)));
                for i in 0..500 {
                    let time = spread(count - 1) * f64::from(i) / 499.0;
                    let (v, slope) = value_and_slope(&curve, time).unwrap();
                    assert!(v.is_finite() && slope.is_finite(), "{count} {scale} {time}");
                }
            }
        }
        let close = curve(Scheme::Natural, [(0.0, 0.0), (1e-300, 1e300), (1.0, -1e300)]);
        assert!(value(&close, 0.5).unwrap().is_finite());
    }

    #[test]
    fn the_polynomial_has_its_own_slope() {
        let curve = curve(Scheme::Lagrange, [(0.0, 1.0), (1.0, 3.0), (3.0, 55.0), (4.0, 129.0)]);
        // 1 + 2 t^3
        for i in 0..=400 {
            let t = f64::from(i) * 0.01;
            let (v, slope) = value_and_slope(&curve, t).unwrap();
            assert!(
                (v - 1.0 - 2.0 * t.powi(3)).abs() < 1e-10 && (slope - 6.0 * t * t).abs() < 1e-8,
                "{t}: {v} {slope}"
            );
        }
    }
}
