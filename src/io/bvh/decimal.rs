//! Numbers as text: plain decimals with at least six places, as many more as the value needs, never an exponent.
//!
//! Six places are what other programs write and expect; an exponent stops some of their readers.

/// Values of at most this size times 10^6 are integers that `f64` holds exactly.
const EXACT: f64 = 9.0e9;
/// Below this a value is written as zero: no angle or length of a motion means it.
const SMALLEST: f64 = 1e-15;

/// Appends a value of the file that is stored as `stored = value * unit`, so that reading it back and multiplying by
/// the same unit gives `stored` bit for bit wherever any decimal does.
///
/// `per_unit` is `1 / unit`. Both finite and positive; `stored` finite.
pub(super) fn push_stored(out: &mut Vec<u8>, stored: f64, unit: f64, per_unit: f64) {
    let size = stored.abs() * per_unit;
    // The usual case: a number of at most six decimals came in, was converted, and goes out again.
    if size < EXACT {
        let millionths = (size * 1e6 + 0.5) as u64;
        if (millionths as f64 / 1e6) * unit == stored.abs() {
            push_millionths(out, stored.is_sign_negative(), millionths);
            return;
        }
    }
    // Evaluated values are rounded to nine decimals.
    if size < EXACT / 1e3 {
        let billionths = (size * 1e9 + 0.5) as u64;
        if (billionths as f64 / 1e9) * unit == stored.abs() {
            push_millionths(out, stored.is_sign_negative(), billionths / 1000);
            let more = format!("{:03}", billionths % 1000);
            out.extend_from_slice(more.trim_end_matches('0').as_bytes());
            return;
        }
    }
    push_long(out, stored, unit);
}

/// Appends a value as it is.
pub(super) fn push(out: &mut Vec<u8>, value: f64) {
    push_stored(out, value, 1.0, 1.0);
}

/// The decimal digits of 0 to 99.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

/// `-12.345678` for 12345678, negative.
fn push_millionths(out: &mut Vec<u8>, negative: bool, millionths: u64) {
    let mut text = [0_u8; 32];
    let mut at = 0;
    let mut put = |digits: &[u8]| {
        text[at..at + digits.len()].copy_from_slice(digits);
        at += digits.len();
    };
    if negative {
        put(b"-");
    }
    let (whole, part) = (millionths / 1_000_000, (millionths % 1_000_000) as usize);
    match whole as usize {
        ones @ 0..10 => put(&PAIRS[ones][1..]),
        tens @ 10..100 => put(&PAIRS[tens]),
        hundreds @ 100..1000 => {
            put(&PAIRS[hundreds / 100][1..]);
            put(&PAIRS[hundreds % 100]);
        }
        more => put(more.to_string().as_bytes()),
    }
    put(b".");
    put(&PAIRS[part / 10_000]);
    put(&PAIRS[part / 100 % 100]);
    put(&PAIRS[part % 100]);
    // A copy of known length is a few instructions, one of unknown length a call.
    let length = out.len() + at;
    out.extend_from_slice(&text);
    out.truncate(length);
}

/// The value of the file that is stored as `stored = value * unit`: of those that come back to `stored` bit for bit the
/// one with the shortest text, or the nearest where none does. `stored` finite, `unit` positive.
pub(super) fn file_value(stored: f64, unit: f64) -> f64 {
    let value = stored / unit;
    let six = (value * 1e6).round() / 1e6;
    let fifteen: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    let near = [six, fifteen, value, value.next_up(), value.next_down()];
    near.into_iter().find(|v| v * unit == stored).unwrap_or(value)
}

/// More places than six.
#[cold]
fn push_long(out: &mut Vec<u8>, stored: f64, unit: f64) {
    let value = file_value(stored, unit);
    if value.abs() < SMALLEST {
        out.extend_from_slice(if stored.is_sign_negative() { b"-0.000000" } else { b"0.000000" });
        return;
    }
    let text = format!("{value}");
    out.extend_from_slice(text.as_bytes());
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    if places == 0 {
        out.push(b'.');
    }
    out.extend(std::iter::repeat_n(b'0', 6_usize.saturating_sub(places)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn at_least_six_places_and_never_an_exponent() {
        for (value, want) in [
            (0.0, "0.000000"),
            (-0.0, "-0.000000"),
            (10.0, "10.000000"),
            (-12.345_678, "-12.345678"),
            (0.1, "0.100000"),
            (-0.123_456_78, "-0.12345678"),
            (3.000_000_001, "3.000000001"),
            (1.0 / 3.0, "0.3333333333333333"),
            (1.846_313_484_321_626_7e-7, "0.00000018463134843216267"),
            (8_999_999_999.5, "8999999999.500000"),
            (1e22, "10000000000000000000000.000000"),
            (-1e-300, "-0.000000"),
        ] {
            assert_eq!(text(value), want);
        }
    }

    #[test]
    fn what_was_read_and_converted_comes_back_as_it_was_written() {
        let mut seed = 11_u64;
        for unit in [1.0, std::f64::consts::PI / 180.0, 0.01, 0.0254, 0.05644, 0.001] {
            for places in 0..14 {
                for _ in 0..500 {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let whole = (seed >> 40) % 1000;
                    let part = (seed >> 3) % 10_u64.pow(places);
                    let sign = if seed & 1 == 0 { "" } else { "-" };
                    let read: f64 = format!("{sign}{whole}.{part:0width$}", width = places as usize).parse().unwrap();
                    let stored = read * unit;
                    let mut out = Vec::new();
                    push_stored(&mut out, stored, unit, 1.0 / unit);
                    let again: f64 = std::str::from_utf8(&out).unwrap().parse().unwrap();
                    assert_eq!((again * unit).to_bits(), stored.to_bits(), "{read} by {unit}");
                    // Up to 15 digits even the text's own value.
                    assert!(places > 12 || again == read, "{read} by {unit}");
                }
            }
        }
    }
}
