//! The hierarchy of a BVH file: what stands at a place where the reader stops is mended, and one that was cut off is closed
//! behind the last joint that is whole.

use super::{
    bvh::{is, words},
    patch::Patch,
};
use crate::io::bvh::{self, BvhError};

/// What was done at a place of the hierarchy.
pub(super) struct Mend {
    pub(super) what: String,
    /// Whether something that the file had is gone.
    pub(super) lost: bool,
}

fn kept(what: impl Into<String>) -> Option<Mend> {
    Some(Mend { what: what.into(), lost: false })
}

fn lost(what: impl Into<String>) -> Option<Mend> {
    Some(Mend { what: what.into(), lost: true })
}

/// Mends what stands at a place of the hierarchy; what was done, none where nothing can be.
pub(super) fn mend(text: &str, at: usize, error: &BvhError, patch: &mut Patch) -> Option<Mend> {
    let word = words(text, at).next();
    let (start, word) = word.unwrap_or((text.len(), ""));
    let wanted = error.wanted.as_str();
    if wanted == "HIERARCHY" && (is(word, "ROOT") || word.is_empty()) {
        if word.is_empty() {
            return None;
        }
        patch.insert(start, "HIERARCHY\n");
        return kept("HIERARCHY put there");
    }
    if wanted.starts_with("OFFSET: ") {
        if word.is_empty() || is_keyword(word) {
            patch.insert(start, "0 ");
            return lost("0 put there");
        }
        let comma = Some(word.replacen(',', ".", 1)).filter(|word| word.parse().is_ok_and(f64::is_finite));
        let is_lost = comma.is_none();
        let by = comma.unwrap_or_else(|| "0".to_owned());
        patch.replace(start..start + word.len(), by.clone());
        return Some(Mend { what: format!("{by} taken"), lost: is_lost });
    }
    if wanted.starts_with("an OFFSET in ") {
        patch.insert(start, "OFFSET 0 0 0\n");
        return lost("OFFSET 0 0 0 put there");
    }
    if wanted.starts_with("one `") {
        let end = words(text, start + word.len()).find(|(_, word)| is_keyword(word)).map_or(text.len(), |(at, _)| at);
        patch.replace(start..end, "");
        return lost("the second one left out");
    }
    if word == "}" && (wanted == "ROOT or MOTION" || wanted == "ROOT") {
        patch.replace(start..start + 1, "");
        return kept("left out");
    }
    if is_channels(wanted) {
        return mend_channels(text, start, patch);
    }
    // A brace too few: all that is open closes before the motion, or before the end.
    let open = words(text, 0).take_while(|(at, _)| *at < start).fold(0_i64, |open, (_, word)| match word {
        "{" => open + 1,
        "}" => open - 1,
        _ => open,
    });
    if (is(word, "MOTION") || is(word, "ROOT")) && open > 0 {
        patch.insert(start, &format!("\n{}", "}\n".repeat(usize::try_from(open).unwrap_or(0))));
        return kept(format!("{open} braces closed"));
    }
    None
}

/// A hierarchy that the file ends in, closed behind the last that is whole.
pub(super) struct Cut {
    /// Where what is whole ends.
    pub(super) end: usize,
    /// What closes it, with a motion of no frames.
    pub(super) closing: String,
    /// How many joints are whole, at least one.
    pub(super) joints: usize,
}

/// What is whole of a text that ends before its motion: joints with their OFFSET, and their CHANNELS. None where no joint is.
pub(super) fn cut(text: &str) -> Option<Cut> {
    // The open joints, each with whether its OFFSET is whole; the last place behind something whole.
    let mut open: Vec<bool> = Vec::new();
    let (mut whole, mut joints) = (None, 0);
    let mut all = words(text, 0).peekable();
    while let Some((_, word)) = all.next() {
        if ["ROOT", "JOINT", "End"].iter().any(|keyword| is(word, keyword)) {
            if !all.any(|(_, word)| word == "{") {
                break;
            }
            open.push(false);
        } else if word == "}" {
            open.pop();
        } else if is(word, "OFFSET") || is(word, "CHANNELS") {
            let mut end = 0;
            let mut values = 0;
            let most = if is(word, "OFFSET") { 3 } else { usize::MAX };
            while values < most
                && let Some((at, value)) = all.next_if(|(_, word)| !is_keyword(word))
            {
                (end, values) = (at + value.len(), values + 1);
            }
            // The last word of the file may be half of one.
            let cut = end == text.len() || (all.peek().is_none() && is(word, "CHANNELS"));
            if is(word, "OFFSET") && !cut && values >= 3 {
                if let Some(last) = open.last_mut() {
                    *last = true;
                    joints += 1;
                }
            } else if cut || is(word, "OFFSET") {
                break;
            }
            if open.iter().all(|whole| *whole) {
                whole = Some((end, open.len(), joints));
            }
            continue;
        } else {
            continue;
        }
        if word == "}" && open.iter().all(|whole| *whole) && joints > 0 {
            let end = all.peek().map_or(text.len(), |(at, _)| *at);
            whole = Some((end, open.len(), joints));
        }
    }
    let (end, depth, joints) = whole?;
    let closing = format!("\n{}MOTION\nFrames: 0\nFrame Time: 0.0333333\n", "}\n".repeat(depth));
    Some(Cut { end, closing, joints })
}

fn is_keyword(word: &str) -> bool {
    ["OFFSET", "CHANNELS", "JOINT", "ROOT", "End", "MOTION", "{", "}"].iter().any(|keyword| is(word, keyword))
}

fn is_channels(wanted: &str) -> bool {
    wanted == "the number of channels"
        || wanted.starts_with("channel ")
        || wanted.starts_with("each channel once")
        || wanted.contains(" channels, as the line says")
}

/// Lets a CHANNELS line count the channels that it names, each once.
fn mend_channels(text: &str, at: usize, patch: &mut Patch) -> Option<Mend> {
    let line = words(text, 0).take_while(|(start, _)| *start <= at).filter(|(_, word)| is(word, "CHANNELS")).last()?;
    let begin = line.0 + line.1.len();
    let mut named: Vec<bvh::Channel> = Vec::new();
    let mut end = begin;
    for (index, (start, word)) in words(text, begin).enumerate() {
        match bvh::Channel::from_name(word.as_bytes()) {
            Some(channel) if !named.contains(&channel) => named.push(channel),
            Some(_) => return None,
            // The number comes first.
            None if index == 0 && !is_keyword(word) => {}
            None if is_keyword(word) => break,
            None => return None,
        }
        end = start + word.len();
    }
    let names: Vec<&str> = named.iter().map(|channel| channel.name()).collect();
    let before = patch.render(text, begin..end);
    let by = format!(" {} {}", names.len(), names.join(" "));
    if before == by {
        return None;
    }
    patch.replace(begin..end, by);
    kept(format!("{} channels, as it names", names.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_hierarchy_is_closed_behind_the_last_joint_that_is_whole() {
        let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 2\nCHANNELS 1 Xrotation\nJOINT b\n{\nOFFSET 3 4 5\n}\n}\n";
        let closed = |end: usize| {
            let cut = cut(text.get(..end)?)?;
            Some((cut.joints, format!("{}{}", text.get(..cut.end)?, cut.closing)))
        };
        let at = |part: &str| text.find(part).map(|at| at + part.len());
        for (end, joints) in [
            (at("OFFSET 0 1 2"), None),
            (at("OFFSET 0 1 2\n"), Some(1)),
            (at("CHANNELS 1"), Some(1)),
            (at("JOINT b\n{"), Some(1)),
            (at("OFFSET 3 4"), Some(1)),
            (at("OFFSET 3 4 5\n"), Some(2)),
            (Some(text.len()), Some(2)),
        ] {
            let closed = closed(end.unwrap());
            assert_eq!(closed.as_ref().map(|closed| closed.0), joints, "{end:?}");
            if let Some((joints, whole)) = closed {
                let file = bvh::parse(whole.as_bytes(), &mut crate::io::report::Report::new()).unwrap();
                assert_eq!(file.joints.len(), joints, "{whole}");
            }
        }
    }
}
