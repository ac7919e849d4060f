//! What the curve topics share: a curve from times and values, sampled as the cases say.

use super::case::{Case, Outcome};
use super::played::Played;
use inbetween::eval::curve;
use inbetween::model::{Key, KeyedCurve};

/// A curve of the case's `times` and `values`, each key shaped by `shape` with its index.
pub(super) fn keyed(case: &Case, shape: impl Fn(usize, Key) -> Key) -> Result<KeyedCurve, String> {
    let times: Vec<f64> = case.input("times")?;
    let values: Vec<f64> = case.input("values")?;
    if times.len() != values.len() {
        return Err(format!("{} times and {} values", times.len(), values.len()));
    }
    let keys = times.iter().zip(values).enumerate().map(|(i, (time, value))| shape(i, Key::new(*time, value)));
    Ok(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() })
}

/// Compares the curve's values at the times: in order with a cursor, each alone, and as a document plays them.
pub(super) fn values(case: &Case, field: &str, curve: &KeyedCurve, times: &[f64]) -> Outcome {
    let alone: Option<Vec<f64>> = times.iter().map(|t| curve::value(curve, *t)).collect();
    let mut cursor = curve::Cursor::default();
    let in_order: Option<Vec<f64>> = times.iter().map(|t| curve::value_with(curve, *t, &mut cursor)).collect();
    case.numbers(field, &alone.ok_or("no value")?)?;
    case.numbers(field, &in_order.ok_or("no value")?)?;
    case.numbers(field, &Played::scalar(curve)?.values(times))
}

/// Compares the curve's slopes at the times.
pub(super) fn slopes(case: &Case, field: &str, curve: &KeyedCurve, times: &[f64]) -> Outcome {
    let got: Option<Vec<f64>> = times.iter().map(|t| Some(curve::value_and_slope(curve, *t)?.1)).collect();
    case.numbers(field, &got.ok_or("no slope")?)
}

/// The slopes `(into, out of)` each key, from the segments on both sides; at an end both are the one there is.
pub(super) fn key_slopes(curve: &KeyedCurve) -> (Vec<f64>, Vec<f64>) {
    let slope = |segment: usize, time: f64| curve::segment(curve, segment).map(|s| s.slope(time));
    let key = |(i, key): (usize, Key)| {
        let out = slope(i, key.time);
        let into = i.checked_sub(1).and_then(|before| slope(before, key.time));
        (into.or(out).unwrap_or(f64::NAN), out.or(into).unwrap_or(f64::NAN))
    };
    curve.keys.iter().enumerate().map(key).unzip()
}

/// Two keys, a second apart, of which the first is shaped by `shape`.
pub(super) fn ramp(from: f64, to: f64, shape: impl Fn(Key) -> Key) -> KeyedCurve {
    let keys = [shape(Key::new(0.0, from)), Key::new(1.0, to)];
    KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() }
}
