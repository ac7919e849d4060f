//! What of a JSON text lies deeper than a value of it is built.

use std::ops::Range;

/// Brackets within brackets, of which a value is built; fewer than its builder goes, and many more than glTF has.
const DEEPEST: usize = 100;

/// The ranges of all objects and arrays that lie too deep and end. A text that is no JSON may have none.
pub(super) fn deep(text: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.iter().enumerate() {
        if quoted {
            quoted = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => {
                depth += 1;
                if depth == DEEPEST + 1 {
                    start = at;
                }
            }
            b'}' | b']' => {
                if depth == DEEPEST + 1 {
                    found.push(start..at + 1);
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_too_deep_is_found_whole() {
        let nested = |depth: usize| "[".repeat(depth) + "\"]\\\"[\"" + &"]".repeat(depth);
        assert!(deep(nested(DEEPEST).as_bytes()).is_empty());
        let text = nested(DEEPEST + 30);
        let found = deep(text.as_bytes());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0], DEEPEST..text.len() - DEEPEST);
        assert!(deep("[".repeat(1000).as_bytes()).is_empty());
    }
}
