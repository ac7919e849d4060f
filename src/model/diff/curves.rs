//! Differences of curves: keys moved, changed, added, removed; samples that differ.

use super::fields::field_differences;
use crate::model::{
    Curve, Driver, FrameRate, Key, KeyedCurve, Keys, LengthUnit, Property, RotationCurve, RotationKey, ScalarCurve,
    keys::Timed,
};
use serde::Serialize;

/// How times and values are told.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// The frame rate of the first document.
    pub a: FrameRate,
    /// The frame rate of the second document.
    pub b: FrameRate,
    /// The unit of lengths.
    pub unit: LengthUnit,
}

/// So many digits of a number are told: what single precision, which files of others hold, can tell.
const ROUGH: usize = 6;
/// So many where fewer do not tell two numbers apart.
const FULL: usize = 17;

/// More keys than this of one kind of change are counted, not listed.
const LISTED: usize = 20;

/// What differs between two curves of one channel.
pub(super) fn curve_differences(a: &Curve, b: &Curve, property: Property, scale: Scale) -> Vec<String> {
    if a == b {
        return Vec::new();
    }
    match (a, b) {
        (Curve::Scalar(ScalarCurve::Keyed(x)), Curve::Scalar(ScalarCurve::Keyed(y))) => {
            let mut found = key_differences(&x.keys, &y.keys, &frames(scale), |key: &Key, digits| {
                shown(key.value, property, scale.unit, digits)
            });
            found.extend(around(x, y));
            found
        }
        (Curve::Rotation(RotationCurve::Keyed(x)), Curve::Rotation(RotationCurve::Keyed(y))) => {
            key_differences(&x.keys, &y.keys, &frames(scale), |key: &RotationKey, digits| {
                let angle = key.rotation.angle().to_degrees();
                key.rotation.axis().map_or_else(
                    || "no rotation".to_owned(),
                    |axis| {
                        let places = if digits == FULL { 9 } else { 3 };
                        let (angle, [x, y, z]) = (number(angle, digits), [axis.x, axis.y, axis.z]);
                        format!("{angle}\u{b0} about ({x:.places$}, {y:.places$}, {z:.places$})")
                    },
                )
            })
        }
        (Curve::Scalar(ScalarCurve::Sampled(x)), Curve::Scalar(ScalarCurve::Sampled(y)))
            if x.rate == y.rate && x.start == y.start && x.values.len() == y.values.len() =>
        {
            let gap = |(x, y): (&f64, &f64)| (x - y).abs();
            let gaps = || x.values.iter().zip(y.values.iter()).map(gap);
            let worst = gaps().fold(0.0, f64::max);
            let first = gaps().position(|gap| gap > 0.0).unwrap_or(0);
            let frame = scale.a.frame_f64(x.start + x.rate.secs(i64::try_from(first).unwrap_or(i64::MAX)));
            vec![format!(
                "{} of {} samples differ, by at most {}, first at frame {}",
                gaps().filter(|gap| *gap > 0.0).count(),
                x.values.len(),
                shown(worst, property, scale.unit, ROUGH),
                number(frame, ROUGH)
            )]
        }
        _ if kind(a) == kind(b) => vec![format!("{} samples to {}", a.len(), b.len())],
        _ => vec![format!("{} to {}", kind(a), kind(b))],
    }
}

fn kind(curve: &Curve) -> &'static str {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(_)) => "keys",
        Curve::Scalar(ScalarCurve::Sampled(_)) => "samples",
        Curve::Rotation(RotationCurve::Keyed(_)) => "rotation keys",
        Curve::Rotation(RotationCurve::Sampled(_)) => "rotation samples",
    }
}

/// Whatever a keyed curve holds besides its keys.
fn around(a: &KeyedCurve, b: &KeyedCurve) -> Vec<String> {
    let bare = |curve: &KeyedCurve| KeyedCurve { keys: Keys::default(), ..curve.clone() };
    field_differences(&bare(a), &bare(b), &["keys"])
}

/// What differs between the curves of two drivers of one channel.
pub(super) fn driver_differences(a: &Driver, b: &Driver, scale: Scale) -> Vec<String> {
    let (Some(x), Some(y)) = (a.keys(), b.keys()) else { return Vec::new() };
    let at = |driver: &Driver| {
        let property = driver.source.property;
        Box::new(move |value: f64, digits| shown(value, property, scale.unit, digits)) as Place
    };
    let places = Places { word: "", a: at(a), b: at(b) };
    let value = |key: &Key, digits| shown(key.value, a.driven.property, scale.unit, digits);
    let mut found = key_differences(&x.keys, &y.keys, &places, value);
    found.extend(around(x, y));
    found
}

/// A place of a key in so many digits.
type Place = Box<dyn Fn(f64, usize) -> String>;

/// How the places of keys are told: a word before them, and what they are in either curve.
struct Places {
    word: &'static str,
    a: Place,
    b: Place,
}

/// Places as frames.
fn frames(scale: Scale) -> Places {
    let at = |rate: FrameRate| Box::new(move |secs: f64, digits| number(rate.frame_f64(secs), digits)) as Place;
    Places { word: "frame ", a: at(scale.a), b: at(scale.b) }
}

fn key_differences<K>(a: &Keys<K>, b: &Keys<K>, places: &Places, value: impl Fn(&K, usize) -> String) -> Vec<String>
where
    K: Timed + PartialEq + Serialize,
{
    let (mut changed, mut gone, mut new) = (Vec::new(), Vec::new(), Vec::new());
    let (mut old_keys, mut new_keys) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (old_keys.peek(), new_keys.peek()) {
            (Some(x), Some(y)) if x.time() == y.time() => {
                if x != y {
                    changed.push((x.clone(), y.clone()));
                }
                old_keys.next();
                new_keys.next();
            }
            (Some(x), y) if y.is_none_or(|y| x.time() < y.time()) => gone.extend(old_keys.next()),
            (_, Some(_)) => new.extend(new_keys.next()),
            (_, None) => break,
        }
    }
    let word = places.word;
    let at_a = |key: &K, digits| (places.a)(key.time(), digits);
    let at_b = |key: &K, digits| (places.b)(key.time(), digits);
    let moved = moved(&mut gone, &mut new);
    let mut found = Vec::new();
    list(&mut found, &moved, "keys moved", |(x, y)| {
        let (from, to) = apart(|digits| (at_a(x, digits), at_b(y, digits)));
        format!("key moved from {word}{from} to {to}")
    });
    list(&mut found, &changed, "keys changed", |(x, y)| {
        let (before, after) = (value(x, ROUGH), value(y, ROUGH));
        let rest = field_differences(x, y, &["v", "q", "t"]).join(", ");
        // Where nothing else differs, the values do.
        let both = |digits| (value(x, digits), value(y, digits));
        let (before, after) = if rest.is_empty() { apart(both) } else { (before, after) };
        let values = if before == after { String::new() } else { format!(" {before} to {after}") };
        let comma = if values.is_empty() || rest.is_empty() { "" } else { "," };
        let rest = if rest.is_empty() { rest } else { format!("{comma} {rest}") };
        format!("key at {word}{}:{values}{rest}", at_a(x, ROUGH))
    });
    list(&mut found, &gone, "keys removed", |key| {
        format!("key at {word}{} removed ({})", at_a(key, ROUGH), value(key, ROUGH))
    });
    list(&mut found, &new, "keys added", |key| {
        format!("key at {word}{} added ({})", at_b(key, ROUGH), value(key, ROUGH))
    });
    found
}

/// Two numbers in as few digits as tell them apart.
fn apart(both: impl Fn(usize) -> (String, String)) -> (String, String) {
    let rough = both(ROUGH);
    if rough.0 == rough.1 { both(FULL) } else { rough }
}

/// Takes out of both lists the keys that are the same but for their time, in order.
fn moved<K: PartialEq + Timed + Serialize>(gone: &mut Vec<K>, new: &mut Vec<K>) -> Vec<(K, K)> {
    let mut pairs = Vec::new();
    // As saved, without the time. Only what changed is looked at, and of that no more than can be told apart in a second.
    let form = |key: &K| {
        let mut value = serde_json::to_value(key).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.remove("t");
        }
        value.to_string()
    };
    let mut by_form: std::collections::BTreeMap<String, std::collections::VecDeque<usize>> =
        std::collections::BTreeMap::new();
    for (index, key) in new.iter().enumerate() {
        by_form.entry(form(key)).or_default().push_back(index);
    }
    let mut taken = vec![false; new.len()];
    gone.retain(|key| match by_form.get_mut(&form(key)).and_then(std::collections::VecDeque::pop_front) {
        Some(index) => {
            taken[index] = true;
            pairs.push((key.clone(), new[index].clone()));
            false
        }
        None => true,
    });
    let mut taken = taken.into_iter();
    new.retain(|_| !taken.next().unwrap_or(false));
    pairs
}

fn list<T>(found: &mut Vec<String>, items: &[T], counted: &str, each: impl Fn(&T) -> String) {
    found.extend(items.iter().take(LISTED).map(each));
    if items.len() > LISTED {
        found.push(format!("{} more {counted}", items.len() - LISTED));
    }
}

/// A value as people read it: degrees, the document's unit of length, or a bare number.
fn shown(value: f64, property: Property, unit: LengthUnit, digits: usize) -> String {
    match property {
        Property::Rotation => format!("{}\u{b0}", number(value.to_degrees(), digits)),
        Property::Translation => format!("{} {}", number(value / unit.metres(), digits), unit.symbol()),
        _ => number(value, digits),
    }
}

/// A number in so many digits, with no more decimals than it has, and at [`ROUGH`] no more than six.
fn number(value: f64, digits: usize) -> String {
    let whole = format!("{:.0}", value.abs().trunc()).trim_start_matches('0').len();
    let decimals = digits.saturating_sub(whole);
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_single_precision_knows_them() {
        let cases = [(34.999_999, "35"), (12.5, "12.5"), (0.001_234, "0.001234"), (-0.000_000_1, "0"), (120.0, "120")];
        for (value, text) in cases {
            assert_eq!(number(value, ROUGH), text);
        }
        assert_eq!(number(1e9, ROUGH), "1000000000");
        assert_eq!(number(f64::from(35.0_f32 / 30.0) * 30.0, ROUGH), "35");
        let (a, b) = apart(|digits| (number(0.1, digits), number(0.1 + 1e-12, digits)));
        assert_ne!(a, b);
    }
}
