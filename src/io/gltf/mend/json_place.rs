//! Where in a JSON text a part stands, by its path.

/// The byte where the value of a path such as `accessors[3].count` begins; where the path leads to nothing, that of the part
/// nearest to it.
pub(in crate::io::gltf) fn byte_of(text: &[u8], path: &str) -> usize {
    let mut at = blank(text, 0);
    for step in steps(path) {
        match enter(text, at, &step) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::io::gltf) enum Step {
    /// A member of an object.
    Name(String),
    /// An entry of a list.
    Index(usize),
}

/// The steps of a path.
pub(in crate::io::gltf) fn steps(path: &str) -> Vec<Step> {
    let mut out = Vec::new();
    for part in path.split('.') {
        let (name, indices) = part.split_once('[').map_or((part, ""), |(name, rest)| (name, rest));
        if !name.is_empty() {
            out.push(Step::Name(name.to_owned()));
        }
        let indices = indices.split('[').filter_map(|index| index.trim_end_matches(']').parse().ok());
        out.extend(indices.map(Step::Index));
    }
    out
}

/// The path to the innermost value that covers a byte.
pub(in crate::io::gltf) fn path_at(text: &[u8], byte: usize) -> Vec<Step> {
    let mut path = Vec::new();
    let mut at = blank(text, 0);
    loop {
        let Some((step, inner)) =
            entries(text, at).into_iter().find(|(_, inner)| *inner <= byte && byte < after(text, *inner))
        else {
            return path;
        };
        path.push(step);
        at = inner;
    }
}

fn enter(text: &[u8], at: usize, step: &Step) -> Option<usize> {
    entries(text, at).into_iter().find(|(own, _)| own == step).map(|(_, inner)| inner)
}

/// The members of an object or the entries of a list, each with where its value begins.
fn entries(text: &[u8], at: usize) -> Vec<(Step, usize)> {
    let mut out = Vec::new();
    let is_object = text.get(at) == Some(&b'{');
    if !is_object && text.get(at) != Some(&b'[') {
        return out;
    }
    let mut at = blank(text, at + 1);
    while let Some(byte) = text.get(at).filter(|byte| !matches!(byte, b'}' | b']')) {
        let start = if is_object {
            if *byte != b'"' {
                return out;
            }
            let end = after(text, at);
            let name = text.get(at + 1..end.saturating_sub(1)).unwrap_or_default();
            let colon = blank(text, end);
            if text.get(colon) != Some(&b':') {
                return out;
            }
            let start = blank(text, colon + 1);
            out.push((Step::Name(String::from_utf8_lossy(name).into_owned()), start));
            start
        } else {
            out.push((Step::Index(out.len()), at));
            at
        };
        let end = blank(text, after(text, start).max(start + 1));
        at = if text.get(end) == Some(&b',') { blank(text, end + 1) } else { end };
        if end == start {
            return out;
        }
    }
    out
}

fn blank(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The byte after the value that begins here.
fn after(text: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0_usize;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while let Some(byte) = text.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return at,
            b':' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
        let whole = matches!(byte, b'"' | b'}' | b']');
        if depth == 0 && whole {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_their_bytes_and_back() {
        let text = br#" {"a": [1, {"b c": "x,]\"", "d": [[2], 3]}], "e": {}}"#;
        let at = |path: &str| std::str::from_utf8(&text[byte_of(text, path)..]).unwrap().chars().next().unwrap();
        assert_eq!(
            (at("a[0]"), at("a[1].b c"), at("a[1].d[0][0]"), at("a[1].d[1]"), at("e")),
            ('1', '"', '2', '3', '{')
        );
        assert_eq!((at("a[1].none"), at("a[7].x"), at("")), ('{', '[', '{'));
        for path in ["a[0]", "a[1].d[0][0]", "a[1].d[1]", "e"] {
            assert_eq!(path_at(text, byte_of(text, path)), steps(path), "{path}");
        }
        for end in 0..text.len() {
            byte_of(&text[..end], "a[1].d[0][0]");
            path_at(&text[..end], end / 2);
        }
    }
}
