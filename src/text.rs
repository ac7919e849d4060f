//! All text of the user interface, by key. The tables are in `assets/text`, one file an area and language.

use std::borrow::Cow;

/// The text of a key in the present language; the key itself where no table has it, so that a gap is seen.
#[must_use]
pub fn t(key: &str) -> Cow<'static, str> {
    crate::_rust_i18n_try_translate(&rust_i18n::locale(), key).unwrap_or_else(|| Cow::Owned(key.to_owned()))
}

/// Whether the English table has a key: what tests ask.
#[must_use]
pub fn has(key: &str) -> bool {
    crate::_rust_i18n_try_translate("en", key).is_some()
}

/// The text of a key with its places `%{name}` filled.
#[must_use]
pub fn fill(key: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    let mut text = t(key).into_owned();
    for (name, value) in values {
        text = text.replace(&format!("%{{{name}}}"), &value.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_gaps_are_seen() {
        assert_eq!(fill("status.frame_of", &[("frame", &3), ("last", &47)]), "3 of 47");
        assert_eq!(t("no.such.key"), "no.such.key");
        assert!(!has("no.such.key"));
    }
}
