//! Numbers as people type them: `12`, `1/3`, `90 - 2*5`, `+=5`, `*=1.1`; a unit after the number is ignored.

/// The value of what was typed into a field that shows `present`; none where it is no number.
///
/// `+=`, `-=`, `*=` and `/=` at the start change the present value; so do `*` and `/` alone, which can mean nothing else
/// there, while `-5` is the number. A comma counts as the decimal point where no point
/// is typed. Division by zero and anything not finite is refused.
#[must_use]
pub fn evaluate(text: &str, present: f64) -> Option<f64> {
    let mut text = text.trim().to_owned();
    if !text.contains('.') {
        text = text.replace(',', ".");
    }
    let (operator, body) = match text.as_bytes() {
        [operator @ (b'+' | b'-' | b'*' | b'/'), b'=', ..] => (Some(*operator), &text[2..]),
        [operator @ (b'*' | b'/'), ..] => (Some(*operator), &text[1..]),
        _ => (None, text.as_str()),
    };
    let mut parser = Parser { rest: body.trim_start(), depth: 0 };
    let value = parser.sum()?;
    let unit = parser.rest.trim();
    if !unit.chars().all(|c| c.is_alphabetic() || c == '°' || c == '%') {
        return None;
    }
    let result = match operator {
        None => value,
        Some(b'+') => present + value,
        Some(b'-') => present - value,
        Some(b'*') => present * value,
        Some(_) => present / value,
    };
    result.is_finite().then_some(result)
}

/// Deeper brackets are refused, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 32;

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn eat(&mut self, wanted: char) -> bool {
        let trimmed = self.rest.trim_start();
        let found = trimmed.strip_prefix(wanted);
        self.rest = found.unwrap_or(trimmed);
        found.is_some()
    }

    fn sum(&mut self) -> Option<f64> {
        let mut value = self.product()?;
        loop {
            if self.eat('+') {
                value += self.product()?;
            } else if self.eat('-') || self.eat('\u{2212}') {
                value -= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.eat('*') {
                value *= self.factor()?;
            } else if self.eat('/') {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH {
            None
        } else if self.eat('-') || self.eat('\u{2212}') {
            self.factor().map(|value| -value)
        } else if self.eat('+') {
            self.factor()
        } else if self.eat('(') {
            let value = self.sum();
            if self.eat(')') { value } else { None }
        } else {
            self.number()
        };
        self.depth -= 1;
        value
    }

    fn number(&mut self) -> Option<f64> {
        let text = self.rest.trim_start();
        let bytes = text.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let exponent_sign = matches!(byte, b'+' | b'-') && end > 0 && matches!(bytes[end - 1], b'e' | b'E');
            let exponent = matches!(byte, b'e' | b'E')
                && end > 0
                && bytes.get(end + 1).is_some_and(|next| next.is_ascii_digit() || matches!(next, b'+' | b'-'));
            if !(byte.is_ascii_digit() || *byte == b'.' || exponent || exponent_sign) {
                break;
            }
            end += 1;
        }
        let value = text.get(..end)?.parse().ok()?;
        self.rest = &text[end..];
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_worked_out() {
        for (text, value) in [
            ("12", 12.0),
            (" -1,5 ", -1.5),
            ("1/4", 0.25),
            ("90 - 2*5", 80.0),
            ("(1+2)*3", 9.0),
            ("-(2)", -2.0),
            ("+=5", 15.0),
            ("-=5", 5.0),
            ("*=1.1", 11.0),
            ("/=4", 2.5),
            ("*1.1", 11.0),
            ("/ 4", 2.5),
            ("1e3", 1000.0),
            ("2.5e-1m", 0.25),
            ("45°", 45.0),
            ("50 %", 50.0),
            ("3 inch", 3.0),
        ] {
            let found = evaluate(text, 10.0).unwrap();
            assert!((found - value).abs() < 1e-12, "{text}: {found}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let deep = "(".repeat(10_000);
        for text in ["", "m", "1/0", "0/0", "(1", "1)", "1 2", "--", "1e999", "nan", "inf", "+=", deep.as_str()] {
            assert_eq!(evaluate(text, 10.0), None, "{text}");
        }
    }
}
