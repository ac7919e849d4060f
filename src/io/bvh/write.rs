//! A neutral BVH file to text.

use super::decimal::{push, push_stored};
use super::{BvhFile, BvhJoint, Column};
use std::num::NonZero;

/// Deeper levels are not indented further: a chain of a hundred thousand joints would be all tabs.
const DEEPEST_INDENT: usize = 24;
/// Frames gathered from the columns at once. An odd number of cache lines a channel, as in reading.
const BLOCK: usize = 56;
/// Fewer values than this are not worth a thread.
const SHARE: usize = 100_000;

/// Writes a BVH file: joints in their order, their names, channel lists, End Sites, the frame time's own text, one row
/// a frame with at least six decimals a value.
///
/// The joints must be in depth-first order, as in a file: every joint behind its parent and before anything that does
/// not descend from that parent. Names are written as they are; see [`is_writable_name`]. A column shorter than
/// the number of frames goes on with its last value, or with 0.
#[must_use]
pub fn write(file: &BvhFile) -> Vec<u8> {
    write_with(file, None)
}

/// The same with exactly so many decimals a value, at most 17; none for as many as it takes.
#[must_use]
pub fn write_with(file: &BvhFile, digits: Option<u8>) -> Vec<u8> {
    let digits = digits.map(|digits| usize::from(digits.min(17)));
    let mut out = Vec::new();
    hierarchy(&file.joints, digits, &mut out);
    out.extend_from_slice(
        format!("MOTION\nFrames: {}\nFrame Time: {}\n", file.frames, file.frame_time.text).as_bytes(),
    );
    rows(&file.columns, file.frames, digits, &mut out);
    out
}

/// Whether a name comes back from a file as it is: no braces, no line breaks, no white space around it, not empty.
#[must_use]
pub fn is_writable_name(name: &str) -> bool {
    !name.is_empty() && name.trim_ascii() == name && !name.contains(['{', '}', '\n', '\r'])
}

fn hierarchy(joints: &[BvhJoint], digits: Option<usize>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"HIERARCHY\n");
    let mut open: Vec<usize> = Vec::new();
    for (index, joint) in joints.iter().enumerate() {
        while open.last().copied() != joint.parent {
            if open.pop().is_none() {
                break;
            }
            line(out, open.len(), "}");
        }
        let depth = open.len();
        if joint.is_end {
            line(out, depth, "End Site");
        } else {
            let keyword = if joint.parent.is_none() { "ROOT" } else { "JOINT" };
            line(out, depth, &format!("{keyword} {}", joint.name));
        }
        line(out, depth, "{");
        indent(out, depth + 1);
        out.extend_from_slice(b"OFFSET");
        for value in joint.offset {
            out.push(b' ');
            match digits {
                None => push(out, value),
                Some(digits) => push_rounded(out, value, digits),
            }
        }
        out.push(b'\n');
        if !joint.is_end {
            indent(out, depth + 1);
            out.extend_from_slice(format!("CHANNELS {}", joint.channels.len()).as_bytes());
            for channel in &joint.channels {
                out.push(b' ');
                out.extend_from_slice(channel.name().as_bytes());
            }
            out.push(b'\n');
        }
        open.push(index);
    }
    while open.pop().is_some() {
        line(out, open.len(), "}");
    }
}

/// A value with so many decimals; what rounds to 0 has no sign.
fn push_rounded(out: &mut Vec<u8>, value: f64, digits: usize) {
    let text = format!("{value:.digits$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    out.extend_from_slice(if is_zero { text.trim_start_matches('-') } else { &text }.as_bytes());
}

fn indent(out: &mut Vec<u8>, depth: usize) {
    out.extend(std::iter::repeat_n(b'\t', depth.min(DEEPEST_INDENT)));
}

fn line(out: &mut Vec<u8>, depth: usize, text: &str) {
    indent(out, depth);
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

/// The rows, in stretches of frames side by side.
fn rows(columns: &[Column], frames: usize, digits: Option<usize>, out: &mut Vec<u8>) {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(8);
    let stretches = threads.min(frames.saturating_mul(columns.len()) / SHARE).max(1);
    let stretch = frames.div_ceil(stretches).max(1);
    std::thread::scope(|scope| {
        let others: Vec<_> = (stretch..frames)
            .step_by(stretch)
            .map(|first| {
                scope.spawn(move || {
                    let mut part = Vec::new();
                    stretch_rows(columns, first..(first + stretch).min(frames), digits, &mut part);
                    part
                })
            })
            .collect();
        stretch_rows(columns, 0..stretch.min(frames), digits, out);
        for other in others {
            match other.join() {
                Ok(part) => out.extend_from_slice(&part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
}

fn stretch_rows(columns: &[Column], frames: std::ops::Range<usize>, digits: Option<usize>, out: &mut Vec<u8>) {
    let units: Vec<(f64, f64)> = columns.iter().map(|column| (column.unit, 1.0 / column.unit)).collect();
    let mut buffer = vec![0.0; BLOCK * columns.len()];
    for first in frames.clone().step_by(BLOCK) {
        let length = BLOCK.min(frames.end - first);
        for (column, values) in columns.iter().zip(buffer.chunks_exact_mut(BLOCK)) {
            let stored = column.values.get(first..).unwrap_or_default();
            let present = stored.len().min(length);
            values[..present].copy_from_slice(&stored[..present]);
            values[present..].fill(column.values.last().copied().unwrap_or_default());
        }
        let before = out.len();
        for row in 0..length {
            for (channel, (unit, per_unit)) in units.iter().enumerate() {
                if channel > 0 {
                    out.push(b' ');
                }
                let stored = buffer[channel * BLOCK + row];
                match digits {
                    None => push_stored(out, stored, *unit, *per_unit),
                    Some(digits) => push_rounded(out, stored / unit, digits),
                }
            }
            out.push(b'\n');
        }
        if first == frames.start {
            // What a block took tells what the rest will: one allocation instead of many.
            let a_frame = (out.len() - before).div_ceil(length);
            out.reserve(a_frame.saturating_mul(frames.len() - length) / 16 * 17);
        }
    }
}
