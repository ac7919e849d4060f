//! Frame times as text, and the rational rates they stand for.

use crate::model::FrameRate;

/// Rates that files mean when they write a rounded frame time; each also over 1.001.
const USUAL: [u64; 10] = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240];
/// The fewest significant digits that tell a usual rate from a rate near it.
const TELLING_DIGITS: usize = 4;

/// The rate of a frame time in seconds as a file writes it; none where it is no positive number or no possible rate.
///
/// A time whose reciprocal is an integer is that rate; so is one that equals the frame time of a usual rate rounded to
/// the digits written (at least four), or as near as `f64` tells them apart; any other is its exact decimal.
#[must_use]
pub fn rate_of(text: &str) -> Option<FrameRate> {
    let decimal = Decimal::parse(text)?;
    if decimal.places <= 37
        && let Some(scale) = 10_u128.checked_pow(decimal.places)
    {
        if scale.is_multiple_of(decimal.digits)
            && let Some(rate) = u64::try_from(scale / decimal.digits).ok().and_then(|num| FrameRate::new(num, 1))
        {
            return Some(rate);
        }
        if let Some(rate) = usual_rate(&decimal, scale) {
            return Some(rate);
        }
        let divisor = gcd(scale, decimal.digits);
        let exact = (u64::try_from(scale / divisor), u64::try_from(decimal.digits / divisor));
        if let (Ok(num), Ok(den)) = exact {
            return FrameRate::new(num, den);
        }
    }
    // More digits than a rational of 64 bits holds: the nearest, in units of 10^-15 s.
    let secs: f64 = text.trim().parse().ok()?;
    FrameRate::new(1_000_000_000_000_000, (secs * 1e15).round() as u64)
}

/// The frame time of a rate: the shortest decimal of at least six significant digits that [`rate_of`] takes for the
/// same rate, without the zeros at its end.
#[must_use]
pub fn text_of(rate: FrameRate) -> String {
    let secs = rate.frame_secs();
    // Digits before the first one that counts are no significant ones.
    let magnitude = secs.log10().floor() as i32;
    for significant in 6..=17_i32 {
        let places = usize::try_from(significant - 1 - magnitude).unwrap_or_default();
        let text = format!("{secs:.places$}");
        let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
        if let Some(found) = [short, text.as_str()].into_iter().find(|text| rate_of(text) == Some(rate)) {
            return found.to_owned();
        }
    }
    format!("{secs}")
}

/// `digits / 10^places`, as written.
struct Decimal {
    digits: u128,
    places: u32,
    significant: usize,
}

impl Decimal {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('+').unwrap_or(text);
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let written: String = [whole, part].concat();
        if written.is_empty() || written.len() > 36 || !written.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let digits: u128 = written.parse().ok().filter(|digits| *digits > 0)?;
        let significant = written.trim_start_matches('0').len();
        let places = i64::try_from(part.len()).ok()?.checked_sub(exponent)?;
        match u32::try_from(places) {
            Ok(places) => Some(Self { digits, places, significant }),
            // 5e3: no places, more digits.
            Err(_) => {
                let factor = 10_u128.checked_pow(u32::try_from(-places).ok()?)?;
                Some(Self { digits: digits.checked_mul(factor)?, places: 0, significant })
            }
        }
    }
}

fn usual_rate(decimal: &Decimal, scale: u128) -> Option<FrameRate> {
    if decimal.significant < TELLING_DIGITS {
        return None;
    }
    let written = decimal.digits as f64 / scale as f64;
    USUAL.into_iter().flat_map(|rate| [(rate, 1), (rate * 1000, 1001)]).find_map(|(num, den)| {
        let rounded = (u128::from(den).checked_mul(scale)? + u128::from(num) / 2) / u128::from(num);
        // Programs that print all a f64 has: 0.041666666666666664 is 1/24.
        let nearest = den as f64 / num as f64;
        (rounded == decimal.digits || written == nearest).then(|| FrameRate::new(num, den))?
    })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_frame_times_are_the_rates_they_mean() {
        for (text, num, den) in [
            ("0.0333333", 30, 1),
            ("0.033333", 30, 1),
            ("0.03333", 30, 1),
            ("3.33333e-02", 30, 1),
            ("0.033333333", 30, 1),
            ("0.0416667", 24, 1),
            ("0.041667", 24, 1),
            ("0.041666666666666664", 24, 1),
            ("0.00833333", 120, 1),
            ("0.008333", 120, 1),
            ("0.0083333", 120, 1),
            ("0.0417083", 24_000, 1001),
            ("0.0166833", 60_000, 1001),
            ("0.033367", 30_000, 1001),
            ("0.016667", 60, 1),
            ("0.04", 25, 1),
            ("0.05", 20, 1),
            ("0.010000", 100, 1),
            ("0.25", 4, 1),
            ("5e-2", 20, 1),
            ("1", 1, 1),
            // Too few digits to tell, or another number: exactly what is written.
            ("0.033", 1000, 33),
            ("0.0333", 10_000, 333),
            ("0.033926", 500_000, 16_963),
            ("0.0417083750417", 10_000_000_000_000, 417_083_750_417),
            ("0.0332", 2500, 83),
        ] {
            assert_eq!(rate_of(text), FrameRate::new(num, den), "{text}");
        }
        for text in ["", "0", "0.0", "-0.04", "nan", "inf", "x", "1e-9", "1e9", "1e-99999999999999999999"] {
            assert_eq!(rate_of(text), None, "{text}");
        }
    }

    #[test]
    fn the_text_of_a_rate_means_that_rate() {
        for (num, den, text) in [
            (24_000, 1001, "0.0417083"),
            (60_000, 1001, "0.0166833"),
            (30_000, 1001, "0.0333667"),
            (24, 1, "0.0416667"),
            (25, 1, "0.04"),
            (30, 1, "0.0333333"),
            (60, 1, "0.0166667"),
            (120, 1, "0.00833333"),
            (500_000, 16_963, "0.033926"),
            (1, 1, "1"),
            (1, 3, "3"),
        ] {
            assert_eq!(text_of(FrameRate::new(num, den).unwrap()), text);
        }
        for num in 1..400 {
            for den in [1, 3, 7, 1001] {
                let Some(rate) = FrameRate::new(num * 100, den) else { continue };
                let back = rate_of(&text_of(rate)).unwrap();
                assert!((back.fps() / rate.fps() - 1.0).abs() < 1e-9, "{rate:?} {back:?}");
            }
        }
    }
}
