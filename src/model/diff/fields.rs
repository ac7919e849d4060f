//! Differences field by field, of any part of a document as it is saved.

use serde::Serialize;
use serde_json::Value;

/// A list longer than this is told of as a count, not value by value.
const LONG_LIST: usize = 8;
/// A text longer than this is told of as changed, not quoted.
const LONG_TEXT: usize = 60;

/// `field: old to new` for each leaf that differs, fields named `skip` at the top left out.
pub(super) fn field_differences<T: Serialize>(a: &T, b: &T, skip: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let value = |part: &T| match serde_json::to_value(part) {
        Ok(Value::Object(mut fields)) => {
            fields.retain(|name, _| !skip.contains(&name.as_str()));
            Value::Object(fields)
        }
        Ok(other) => other,
        // A part that JSON cannot hold (a map with keys that are no text) is compared as Rust prints it: not at all.
        Err(error) => Value::String(error.to_string()),
    };
    compare("", &value(a), &value(b), &mut found);
    found
}

fn compare(path: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    match (a, b) {
        _ if a == b => {}
        (Value::Object(x), Value::Object(y)) => {
            let names: std::collections::BTreeSet<&String> = x.keys().chain(y.keys()).collect();
            for name in names {
                let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match (x.get(name), y.get(name)) {
                    (Some(old), Some(new)) => compare(&inner, old, new, found),
                    (Some(old), None) => found.push(format!("{inner}: {} to the default", short(old))),
                    (None, Some(new)) => found.push(format!("{inner}: set to {}", short(new))),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() && x.len() > LONG_LIST => {
            let count = x.iter().zip(y).filter(|(x, y)| x != y).count();
            found.push(format!("{path}: {count} of {} differ", x.len()));
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() && x.iter().any(|value| !value.is_number()) => {
            for (index, (old, new)) in x.iter().zip(y).enumerate() {
                compare(&format!("{path} {}", index + 1), old, new, found);
            }
        }
        (Value::Array(x), Value::Array(y)) if x.len().max(y.len()) > LONG_LIST => {
            found.push(format!("{path}: {} entries to {}", x.len(), y.len()));
        }
        _ => found.push(format!("{path}: {} to {}", short(a), short(b)).trim_start_matches(": ").to_owned()),
    }
}

fn short(value: &Value) -> String {
    let text = match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    };
    if text.len() <= LONG_TEXT { text } else { "other data".to_owned() }
}
