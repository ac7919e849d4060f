//! Decimal numbers from bytes.
//!
//! Motion files are nothing but short decimals. A number of at most 15 digits is an integer below 2^53 over a power of
//! ten up to 10^22, both exact in `f64`, so that one division rounds correctly (Clinger 1990, "How to Read Floating
//! Point Numbers Accurately", the fast path). Everything else goes to `fast_float2`.

/// Powers of ten that `f64` holds exactly, as far as the fast path needs them.
const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Whether a byte separates words: the white space of ASCII, line ends too.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The word that starts at `start`: up to white space or the end.
pub(super) fn word_at(text: &[u8], start: usize) -> &[u8] {
    let rest = &text[start..];
    &rest[..rest.iter().position(|b| is_space(*b)).unwrap_or(rest.len())]
}

/// Reads the number that starts at `start` and ends at white space or the end of the text: its value, and where it
/// ends. NaN and infinities come as they are, in any of the spellings found in files. None where the word is no number.
#[inline]
pub(super) fn number_at(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let mut at = start;
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(negative);
    let digits_start = at;
    let mut mantissa = 0_u64;
    let digit = |at: usize| text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10);
    while let Some(d) = digit(at) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(d));
        at += 1;
    }
    let mut digits = at - digits_start;
    let mut decimals = 0;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let decimals_start = at;
        while let Some(d) = digit(at) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(d));
            at += 1;
        }
        decimals = at - decimals_start;
        digits += decimals;
    }
    let ended = text.get(at).is_none_or(|b| is_space(*b));
    if ended && (1..=15).contains(&digits) {
        let value = mantissa as f64 / POWERS[decimals & 15];
        return Some((if negative { -value } else { value }, at));
    }
    slow_number(text, start)
}

#[cold]
#[inline(never)]
fn slow_number(text: &[u8], start: usize) -> Option<(f64, usize)> {
    let word = word_at(text, start);
    number(word).map(|value| (value, start + word.len()))
}

/// The value of a whole word; none where it is no number.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    let plain = word.strip_prefix(b"+").unwrap_or(word);
    if let Ok(value) = fast_float2::parse::<f64, _>(plain) {
        return Some(value);
    }
    // What C libraries print for the same: -nan(ind), 1.#QNAN, -1.#INF00.
    let lower = word.to_ascii_lowercase();
    let unsigned = lower.strip_prefix(b"-").or_else(|| lower.strip_prefix(b"+")).unwrap_or(&lower);
    if unsigned.starts_with(b"1.#inf") {
        return Some(f64::INFINITY);
    }
    let odd = unsigned.starts_with(b"1.#") || unsigned.starts_with(b"nan(") || unsigned == b"nan" || unsigned == b"inf";
    odd.then_some(f64::NAN)
}

/// Whether a word could be the beginning of a number that was cut off.
pub(super) fn may_be_cut_number(word: &[u8]) -> bool {
    word.iter().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library_bit_for_bit() {
        let mut seed = 7_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        for _ in 0..20_000 {
            let digits = random() % 12;
            let whole = random() % 10_u64.pow(u32::try_from(random() % 10).unwrap());
            let part = random() % 10_u64.pow(u32::try_from(digits).unwrap()).max(1);
            let sign = if random() % 2 == 0 { "-" } else { "" };
            let text = format!("{sign}{whole}.{part:0width$} ", width = usize::try_from(digits).unwrap());
            let want: f64 = text.trim().parse().unwrap();
            let (value, end) = number_at(text.as_bytes(), 0).unwrap();
            assert_eq!((value.to_bits(), end), (want.to_bits(), text.len() - 1), "{text}");
        }
    }

    #[test]
    fn odd_spellings() {
        for (text, want) in [("1e1", 10.0), ("-1.25358E-05", -1.25358e-5), ("+2", 2.0), (".5", 0.5), ("5.", 5.0)] {
            assert_eq!(number_at(text.as_bytes(), 0), Some((want, text.len())), "{text}");
        }
        assert_eq!(number_at(b"-0.000000", 0).unwrap().0.to_bits(), (-0.0_f64).to_bits());
        for text in ["nan", "NaN", "-nan(ind)", "1.#QNAN", "-1.#IND00"] {
            assert!(number_at(text.as_bytes(), 0).unwrap().0.is_nan(), "{text}");
        }
        for text in ["inf", "1.#INF", "-Infinity", "1e999"] {
            assert!(!number_at(text.as_bytes(), 0).unwrap().0.is_finite(), "{text}");
        }
        for text in ["", "-", ".", "abc", "1.2.3", "0,5", "1_0", "--1", "1e", "0x10"] {
            assert_eq!(number_at(text.as_bytes(), 0), None, "{text}");
        }
    }
}
