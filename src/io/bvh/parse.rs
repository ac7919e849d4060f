//! The hierarchy and the head of the motion section; the rows are in `motion`.

use super::error::{BvhError, quoted};
use super::lexer::{Lexer, Word};
use super::number::number;
use super::{BvhFile, BvhJoint, Channel, FrameTime, motion};
use crate::io::report::Report;
use crate::io::text::place_of;

const WHOLE_FILE: &str = "the file may be cut short: get a whole copy, or export it again";
const BALANCE: &str = "balance the braces, or export the file again";
const NO_END: &str = "no-end-site";
const CHANNELS: &str = "correct the CHANNELS line: a wrong one shifts every value after it";

/// Reads a BVH file, mending what leaves the rest certain and saying so in the report.
///
/// Mended: a motion value that is no finite number (the channel's value one frame before, else after, else 0 or OFFSET);
/// a wrong Frames count (the rows count); a cut last row (dropped); a missing Frame Time (1/30 s); a missing End Site
/// (none is made). Rows may be wrapped over lines if every frame breaks after the same counts.
///
/// Memory is bounded by a small multiple of the text; no count in the file is believed. Nesting may be of any depth.
///
/// # Errors
/// [`BvhError`] for whatever could shift channels or leaves positions in doubt: unbalanced braces, no HIERARCHY, an
/// OFFSET that is not finite, unknown or doubled channels, a row with too few or too many values.
pub fn parse(text: &[u8], report: &mut Report) -> Result<BvhFile, BvhError> {
    let mut lexer = Lexer::new(text);
    let word = lexer.next();
    if !word.is("HIERARCHY") {
        return Err(lexer.wrong(word, "HIERARCHY", "this is not a BVH file, or its beginning is missing"));
    }
    let joints = hierarchy(&mut lexer, report)?;
    let head = motion_head(&mut lexer, report);
    let rows = motion::rows(text, lexer.offset, &joints, report)?;
    if let Some((declared, offset)) = head.frames {
        // A row that was cut and dropped has been reported already.
        let explained = rows.dropped && declared == Some(rows.frames as u64 + 1);
        if declared != Some(rows.frames as u64) && !explained {
            let found = declared.map_or_else(|| "Frames is no count".to_owned(), |n| format!("Frames says {n}"));
            report.warn("frames-count", place_of(text, offset), found, format!("the {} rows count", rows.frames));
        }
    }
    Ok(BvhFile { joints, frame_time: head.frame_time, frames: rows.frames, columns: rows.columns })
}

/// A block that is open, and what it has had.
struct Open {
    joint: usize,
    offset: usize,
    has_offset: bool,
    has_channels: bool,
    has_child: bool,
}

fn hierarchy(lexer: &mut Lexer<'_>, report: &mut Report) -> Result<Vec<BvhJoint>, BvhError> {
    let mut joints: Vec<BvhJoint> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    loop {
        let word = lexer.next();
        let Some(block) = open.last_mut() else {
            if word.is("ROOT") {
                open.push(begin(lexer, &mut joints, None, word)?);
            } else if word.is("MOTION") && !joints.is_empty() {
                return Ok(joints);
            } else {
                let wanted = if joints.is_empty() { "ROOT" } else { "ROOT or MOTION" };
                let remedy = if word.bytes == b"}" { BALANCE } else { WHOLE_FILE };
                return Err(lexer.wrong(word, wanted, remedy));
            }
            continue;
        };
        let joint = &mut joints[block.joint];
        if word.bytes == b"}" {
            close(lexer, joint, block, word, report)?;
            open.pop();
        } else if word.is("OFFSET") && !block.has_offset {
            block.has_offset = true;
            for value in &mut joint.offset {
                *value = lexer.number("OFFSET")?;
            }
        } else if word.is("CHANNELS") && !block.has_channels {
            block.has_channels = true;
            joint.channels = channels(lexer, joint.is_end)?;
        } else if (word.is("JOINT") || word.is("End")) && !joint.is_end {
            block.has_child = true;
            let parent = Some(block.joint);
            open.push(begin(lexer, &mut joints, parent, word)?);
        } else {
            return Err(unexpected(lexer, joint, word));
        }
    }
}

/// A joint's name and opening brace.
fn begin(
    lexer: &mut Lexer<'_>,
    joints: &mut Vec<BvhJoint>,
    parent: Option<usize>,
    keyword: Word<'_>,
) -> Result<Open, BvhError> {
    let is_end = keyword.is("End");
    let name = lexer.name();
    let name = if is_end { String::new() } else { String::from_utf8_lossy(name).into_owned() };
    let brace = lexer.next();
    if brace.bytes != b"{" {
        return Err(lexer.wrong(brace, format!("`{{` to open {}", title(&name, is_end)), BALANCE));
    }
    joints.push(BvhJoint { name, parent, offset: [0.0; 3], channels: Vec::new(), is_end });
    let joint = joints.len() - 1;
    Ok(Open { joint, offset: keyword.offset, has_offset: false, has_channels: false, has_child: false })
}

fn close(
    lexer: &Lexer<'_>,
    joint: &BvhJoint,
    block: &Open,
    brace: Word<'_>,
    report: &mut Report,
) -> Result<(), BvhError> {
    let title = title(&joint.name, joint.is_end);
    if !block.has_offset {
        return Err(lexer.wrong(brace, format!("an OFFSET in {title}"), "add its OFFSET line"));
    }
    if block.has_child || joint.is_end {
        return Ok(());
    }
    if report.count(NO_END) >= Report::KEPT {
        // Finding the place of each of a hundred thousand would take minutes.
        report.add_unlisted(NO_END, 1);
    } else {
        let place = place_of(lexer.text, block.offset);
        report.info(NO_END, place, format!("{title} has no End Site"), "none is made, none is written back");
    }
    Ok(())
}

fn channels(lexer: &mut Lexer<'_>, is_end: bool) -> Result<Vec<Channel>, BvhError> {
    let word = lexer.next();
    let count: u64 = std::str::from_utf8(word.bytes)
        .ok()
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| lexer.wrong(word, "the number of channels", CHANNELS))?;
    if is_end && count > 0 {
        return Err(lexer.wrong(word, "no channels in an End Site", "make it a JOINT, or remove its CHANNELS line"));
    }
    let mut channels = Vec::new();
    for index in 1..=count {
        let word = lexer.next();
        let Some(channel) = Channel::from_name(word.bytes) else {
            let wanted = format!("channel {index} of {count}: Xposition, Yposition, Zposition, Xrotation, … ");
            return Err(lexer.wrong(word, wanted.trim_end(), CHANNELS));
        };
        if channels.contains(&channel) {
            return Err(lexer.wrong(word, "each channel once in a joint", CHANNELS));
        }
        channels.push(channel);
    }
    let after = lexer.peek();
    if Channel::from_name(after.bytes).is_some() {
        return Err(lexer.wrong(after, format!("{count} channels, as the line says"), CHANNELS));
    }
    Ok(channels)
}

fn unexpected(lexer: &Lexer<'_>, joint: &BvhJoint, word: Word<'_>) -> BvhError {
    let title = title(&joint.name, joint.is_end);
    if word.bytes.is_empty() {
        return lexer.wrong(word, format!("`}}` to close {title}"), WHOLE_FILE);
    }
    if word.is("OFFSET") || word.is("CHANNELS") {
        return lexer.wrong(word, format!("one {} line in {title}", quoted(word.bytes)), "remove one of them");
    }
    let wanted = if joint.is_end {
        format!("OFFSET or `}}` in {title}")
    } else {
        format!("OFFSET, CHANNELS, JOINT, End Site or `}}` in {title}")
    };
    let remedy = if word.is("MOTION") || word.is("ROOT") || word.bytes == b"{" { BALANCE } else { "correct the line" };
    lexer.wrong(word, wanted, remedy)
}

fn title(name: &str, is_end: bool) -> String {
    if is_end { "the End Site".to_owned() } else { format!("joint {}", quoted(name.as_bytes())) }
}

/// The two lines after MOTION.
struct Head {
    /// What Frames says, none where that is no count, and where; none at all without the line.
    frames: Option<(Option<u64>, usize)>,
    frame_time: FrameTime,
}

fn motion_head(lexer: &mut Lexer<'_>, report: &mut Report) -> Head {
    let mut head = Head { frames: None, frame_time: FrameTime { text: "0.0333333".to_owned(), secs: 1.0 / 30.0 } };
    if let Some(word) = labelled(lexer, &["Frames"]) {
        let count = std::str::from_utf8(word.bytes).ok().and_then(|digits| digits.parse().ok());
        head.frames = Some((count, word.offset));
    } else {
        report.warn("frames-count", place_of(lexer.text, lexer.peek().offset), "no Frames line", "the rows count");
    }
    match labelled(lexer, &["Frame", "Time"]) {
        Some(word) => match number(word.bytes) {
            Some(secs) if secs > 0.0 && secs < super::LARGEST => {
                head.frame_time = FrameTime { text: String::from_utf8_lossy(word.bytes).into_owned(), secs };
            }
            _ => {
                let found = if word.bytes.is_empty() { "no number".to_owned() } else { quoted(word.bytes) };
                let found = format!("Frame Time has {found}");
                report.warn("frame-time", place_of(lexer.text, word.offset), found, "1/30 s taken");
            }
        },
        None => {
            let place = place_of(lexer.text, lexer.peek().offset);
            report.warn("frame-time", place, "no Frame Time line", "1/30 s taken");
        }
    }
    head
}

/// Takes a label of one or two words, its colon wherever it stands, and the value on the same line: an empty word
/// where there is none. None, and nothing taken, where the label is another.
fn labelled<'a>(lexer: &mut Lexer<'a>, label: &[&str]) -> Option<Word<'a>> {
    let mut ahead = *lexer;
    for (index, part) in label.iter().enumerate() {
        let word = if index == 0 { ahead.peek() } else { ahead.peek_on_line()? };
        let length = part.len();
        if !word.bytes.get(..length)?.eq_ignore_ascii_case(part.as_bytes()) {
            return None;
        }
        let last = index + 1 == label.len();
        // The colon may be glued to the word and to the value after it.
        if word.bytes.len() > length && !(last && word.bytes[length] == b':') {
            return None;
        }
        ahead.offset = word.offset + length;
    }
    if let Some(colon) = ahead.peek_on_line().filter(|word| word.bytes.starts_with(b":")) {
        ahead.offset = colon.offset + 1;
    }
    let value = ahead.peek_on_line().unwrap_or(Word { bytes: &[], offset: ahead.offset });
    ahead.offset = value.offset + value.bytes.len();
    *lexer = ahead;
    Some(value)
}
