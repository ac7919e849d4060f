//! The motion rows, straight from bytes into one array a channel.
//!
//! Lines are counted first, so that each thread knows which frames its share of the bytes holds and no count in the
//! file needs to be believed; then the shares are parsed side by side. Whatever does not fit stops the fast pass, and a
//! slow pass over the lines says what it was and where.

use super::error::{BvhError, quoted};
use super::number::{is_space, may_be_cut_number, number, number_at, word_at};
use super::{BvhJoint, Channel, Column, LARGEST};
use crate::io::report::Report;
use crate::io::text::place_of;
use std::num::NonZero;
use std::sync::Arc;

/// What the rows came to.
pub(super) struct Rows {
    /// One array a channel.
    pub(super) columns: Vec<Column>,
    /// The length of each.
    pub(super) frames: usize,
    /// Whether a cut last row was dropped.
    pub(super) dropped: bool,
}

/// Shares smaller than this are not worth a thread, bytes.
const SHARE: usize = 256 << 10;
/// Frames put into columns at once. An odd number of cache lines a channel, so that channels do not fall on one another.
const BLOCK: usize = 56;

/// Reads all rows of the body, which begins at `start`.
pub(super) fn rows(text: &[u8], start: usize, joints: &[BvhJoint], report: &mut Report) -> Result<Rows, BvhError> {
    let channels: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let Some(pattern) = pattern(text, start, channels, report)? else {
        let dropped = report.count(CUT_ROW) > 0;
        return Ok(Rows { columns: wrap(vec![Arc::default(); channels]), frames: 0, dropped });
    };
    let shares = share_out(text, start, pattern.len());
    let lines: usize = shares.iter().map(|share| share.lines).sum();
    let mut frames = lines / pattern.len();
    // Every value but the last needs two bytes: more frames than that cannot be whole.
    let whole = frames.saturating_sub(1).saturating_mul(channels) <= (text.len() - start) / 2;
    let mut columns: Vec<Arc<[f64]>> = Vec::new();
    let mut odd = Odd::default();
    let mut clean = whole && lines.is_multiple_of(pattern.len());
    if whole {
        columns = (0..channels).map(|_| std::iter::repeat_n(0.0, frames).collect::<Arc<[f64]>>()).collect();
        let (read, found) = read_shares(text, &shares, &pattern, &mut columns);
        clean &= read;
        odd = found;
    }
    if !clean {
        let cut = explain(text, start, lines, &pattern)?;
        frames = (lines - 1) / pattern.len();
        for column in &mut columns {
            *column = column.iter().take(frames).copied().collect();
        }
        report.warn(CUT_ROW, place_of(text, cut), "the last row is cut short", "dropped");
    }
    if odd.count > 0 {
        mend(text, joints, &mut columns, &odd, report);
    }
    Ok(Rows { columns: wrap(columns), frames, dropped: !clean })
}

fn wrap(columns: Vec<Arc<[f64]>>) -> Vec<Column> {
    columns.into_iter().map(|values| Column { values, unit: 1.0 }).collect()
}

const CUT_ROW: &str = "cut-row";

/// How many values each line of a frame has, told by the first frame; none where there is no whole frame.
fn pattern(text: &[u8], start: usize, channels: usize, report: &mut Report) -> Result<Option<Vec<usize>>, BvhError> {
    let mut counts = Vec::new();
    let mut sum = 0;
    let mut first = None;
    for (line_start, line) in filled_lines(text, start) {
        first.get_or_insert((line_start, line));
        let count = words(line).count();
        counts.push(count);
        sum += count;
        if sum == channels {
            return Ok(Some(counts));
        }
        if sum > channels {
            break;
        }
    }
    let Some((line_start, line)) = first else { return Ok(None) };
    if counts.len() == 1 && sum < channels {
        if let Some(error) = not_a_number(text, line_start, line) {
            return Err(error);
        }
        let found = format!("the only row has {sum} of {channels} values");
        report.warn(CUT_ROW, place_of(text, line_start), found, "dropped; there is no motion");
        return Ok(None);
    }
    Err(wrong_count(text, line_start, line, channels))
}

/// The lines that are not blank, with their offsets, without their line ends.
fn filled_lines(text: &[u8], start: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = start;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let (from, line) = (at, &rest[..length]);
            at += length + 1;
            if !line.iter().all(|b| is_space(*b)) {
                return Some((from, line));
            }
        }
    })
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| is_space(*b)).filter(|word| !word.is_empty())
}

/// Bytes that one thread reads: whole frames.
#[derive(Clone, Copy, Debug)]
struct Share {
    start: usize,
    /// Lines that are not blank.
    lines: usize,
    frames: usize,
}

/// Cuts the body into shares of about equal size that begin with a frame.
fn share_out(text: &[u8], start: usize, lines_a_frame: usize) -> Vec<Share> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(8);
    let number = threads.min((text.len() - start) / SHARE).max(1);
    let mut bounds: Vec<usize> = (0..number)
        .map(|index| {
            let middle = start + (text.len() - start) / number * index;
            match index {
                0 => start,
                _ => memchr::memchr(b'\n', &text[middle..]).map_or(text.len(), |at| middle + at + 1),
            }
        })
        .collect();
    bounds.push(text.len());
    let counted: Vec<usize> = run(bounds.windows(2).map(|pair| {
        let part = &text[pair[0]..pair[1]];
        move || count_filled(part)
    }));
    // Move each bound on to where a frame begins; a share in which none begins goes to the one before.
    let mut shares: Vec<Share> = Vec::with_capacity(number);
    let (mut before, mut taken) = (0_usize, 0);
    for (bound, lines) in bounds.iter().zip(counted) {
        let missing = before.next_multiple_of(lines_a_frame) - before;
        before += lines;
        match shares.last_mut() {
            Some(last) if missing >= lines => last.lines += lines,
            last => {
                if let Some(last) = last {
                    last.lines += missing;
                }
                let start = filled_lines(text, *bound).nth(missing).map_or(text.len(), |(at, _)| at);
                shares.push(Share { start, lines: lines - missing, frames: 0 });
            }
        }
    }
    for share in &mut shares {
        // Only the last share may hold a broken frame; its whole ones are counted.
        share.frames = (taken + share.lines) / lines_a_frame - taken / lines_a_frame;
        taken += share.lines;
    }
    shares
}

fn count_filled(part: &[u8]) -> usize {
    let mut count = 0;
    let mut at = 0;
    for end in memchr::memchr_iter(b'\n', part).chain(std::iter::once(part.len())) {
        // The first byte tells nearly always.
        let filled = part.get(at).is_some_and(|b| *b > b' ') || part[at..end].iter().any(|b| !is_space(*b));
        count += usize::from(filled && at < end);
        at = (end + 1).min(part.len());
    }
    count
}

/// Runs the jobs, the first one here and each other in a thread of its own; results in order.
fn run<T: Send, F: FnOnce() -> T + Send>(jobs: impl Iterator<Item = F>) -> Vec<T> {
    let mut jobs = jobs;
    let Some(first) = jobs.next() else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> = jobs.map(|job| scope.spawn(job)).collect();
        let mut results = vec![first()];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// Values that were no finite numbers.
#[derive(Default)]
struct Odd {
    count: usize,
    /// The first of them: byte offset, frame, channel.
    first: Vec<(usize, usize, usize)>,
}

/// Reads every share into its stretch of the columns. False where something did not fit.
fn read_shares(text: &[u8], shares: &[Share], pattern: &[usize], columns: &mut [Arc<[f64]>]) -> (bool, Odd) {
    let mut stretches: Vec<Vec<&mut [f64]>> = shares.iter().map(|_| Vec::with_capacity(columns.len())).collect();
    for column in columns.iter_mut() {
        let Some(mut rest) = Arc::get_mut(column) else { continue };
        for (share, stretch) in shares.iter().zip(&mut stretches) {
            let (mine, others) = rest.split_at_mut(share.frames);
            stretch.push(mine);
            rest = others;
        }
    }
    let mut first_frame = 0;
    let results = run(shares.iter().zip(stretches).map(|(share, stretch)| {
        let (share, frame) = (*share, first_frame);
        first_frame += share.frames;
        move || read_share(text, share, frame, pattern, stretch)
    }));
    let mut odd = Odd::default();
    let mut fits = true;
    for (fit, found) in results {
        fits &= fit;
        odd.count += found.count;
        odd.first.extend(found.first);
    }
    odd.first.truncate(Report::KEPT);
    (fits, odd)
}

fn read_share(
    text: &[u8],
    share: Share,
    first_frame: usize,
    pattern: &[usize],
    mut columns: Vec<&mut [f64]>,
) -> (bool, Odd) {
    let block = ((128 << 10) / columns.len().max(1) / size_of::<f64>()).clamp(1, BLOCK);
    let mut buffer = vec![0.0; block * columns.len()];
    let mut odd = Odd::default();
    let mut at = share.start;
    for block_start in (0..share.frames).step_by(block) {
        let length = block.min(share.frames - block_start);
        let mut whole = 0;
        for row in 0..length {
            let note = |offset: usize, channel: usize| {
                odd.count += 1;
                if odd.first.len() < Report::KEPT {
                    odd.first.push((offset, first_frame + block_start + row, channel));
                }
            };
            let Some(end) = read_row(text, at, pattern, &mut buffer, block, row, note) else { break };
            at = end;
            whole += 1;
        }
        for (column, values) in columns.iter_mut().zip(buffer.chunks_exact(block)) {
            column[block_start..block_start + whole].copy_from_slice(&values[..whole]);
        }
        if whole < length {
            return (false, odd);
        }
    }
    (true, odd)
}

/// Reads one frame into `buffer[channel * stride + row]`, and returns where it ends; none where it does not fit.
#[inline]
fn read_row(
    text: &[u8],
    start: usize,
    pattern: &[usize],
    buffer: &mut [f64],
    stride: usize,
    row: usize,
    mut odd: impl FnMut(usize, usize),
) -> Option<usize> {
    let mut at = start;
    let mut slot = row;
    for count in pattern {
        // Line ends before a row, and the blank lines between rows.
        while text.get(at).is_some_and(|b| is_space(*b)) {
            at += 1;
        }
        for _ in 0..*count {
            while text.get(at).is_some_and(|b| is_space(*b) && *b != b'\n') {
                at += 1;
            }
            let (value, end) = number_at(text, at)?;
            let cell = buffer.get_mut(slot)?;
            *cell = value;
            if value.is_nan() || value.abs() >= LARGEST {
                *cell = f64::NAN;
                odd(at, slot / stride);
            }
            slot += stride;
            at = end;
        }
        while text.get(at).is_some_and(|b| is_space(*b) && *b != b'\n') {
            at += 1;
        }
        if text.get(at).is_some_and(|b| *b != b'\n') {
            return None;
        }
    }
    Some(at)
}

/// Says what does not fit: an error, or the offset of a last row that is only cut short.
fn explain(text: &[u8], start: usize, lines: usize, pattern: &[usize]) -> Result<usize, BvhError> {
    let mut frame_start = start;
    for (index, (line_start, line)) in filled_lines(text, start).enumerate() {
        let wanted = pattern[index % pattern.len()];
        if index.is_multiple_of(pattern.len()) {
            frame_start = line_start;
        }
        if let Some(error) = not_a_number(text, line_start, line) {
            return Err(error);
        }
        let found = words(line).count();
        if found > wanted || (found < wanted && index + 1 < lines) {
            return Err(wrong_count(text, line_start, line, wanted));
        }
    }
    Ok(frame_start)
}

/// The first word of a line that is no number, unless it is the very last one of the file and may be cut short.
fn not_a_number(text: &[u8], line_start: usize, line: &[u8]) -> Option<BvhError> {
    let mut at = 0;
    loop {
        at += line[at..].iter().position(|b| !is_space(*b))?;
        let word = word_at(line, at);
        let last = line_start + at + word.len() == text.len();
        if number(word).is_none() && !(last && may_be_cut_number(word)) {
            let remedy = "correct the row: a decimal point, blanks between values, nothing else";
            return Some(BvhError::at(text, line_start + at, quoted(word), "a number", remedy));
        }
        at += word.len();
    }
}

fn wrong_count(text: &[u8], line_start: usize, line: &[u8], wanted: usize) -> BvhError {
    if let Some(error) = not_a_number(text, line_start, line) {
        return error;
    }
    let found = words(line).count();
    // Too many: the first one too many. Too few: where the next one should be.
    let offset = words(line).nth(wanted).map_or(line.trim_ascii_end().len(), |word| {
        line.len() - (line.as_ptr_range().end as usize - word.as_ptr() as usize)
    });
    let remedy = "a row has one value for each channel of the hierarchy: correct the row or the CHANNELS lines";
    BvhError::at(text, line_start + offset, format!("{found} values"), format!("{wanted} values in this row"), remedy)
}

/// Replaces what was no finite number: by the channel's value one frame before, else after, else 0 or OFFSET.
fn mend(text: &[u8], joints: &[BvhJoint], columns: &mut [Arc<[f64]>], odd: &Odd, report: &mut Report) {
    let owners: Vec<(&BvhJoint, Channel)> =
        joints.iter().flat_map(|joint| joint.channels.iter().map(move |channel| (joint, *channel))).collect();
    for &(offset, frame, channel) in &odd.first {
        let (Some(column), Some((joint, kind))) = (columns.get(channel), owners.get(channel)) else { continue };
        // A row that was cut and dropped takes its faults with it.
        let Some((before, after)) = column.split_at_checked(frame).filter(|(_, after)| !after.is_empty()) else {
            continue;
        };
        let known = |v: &&f64| !v.is_nan();
        let done = if let Some(value) = before.iter().rfind(known) {
            format!("{value} taken, its value before")
        } else if let Some(value) = after.iter().find(known) {
            format!("{value} taken, its value after")
        } else {
            format!("{} taken, it has no value in any frame", fallback(joint, *kind))
        };
        let found = format!("{} for {} {}", quoted(word_at(text, offset)), joint.name, kind.name());
        report.warn("value", place_of(text, offset), found, done);
    }
    report.add_unlisted("value", odd.count - odd.first.len());
    for (column, (joint, kind)) in columns.iter_mut().zip(owners) {
        let mut last = column.iter().find(|v| !v.is_nan()).copied().unwrap_or(fallback(joint, kind));
        for value in Arc::get_mut(column).into_iter().flatten() {
            if value.is_nan() {
                *value = last;
            }
            last = *value;
        }
    }
}

fn fallback(joint: &BvhJoint, channel: Channel) -> f64 {
    match channel {
        Channel::Position(axis) => joint.offset[axis],
        Channel::Rotation(_) => 0.0,
    }
}
