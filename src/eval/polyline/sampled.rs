//! Sampled curves as lines.

use super::{LinePoint, SampleExtents, Window};
use crate::{eval::curve::sampled::value, model::Samples};

/// The line of a sampled curve over a window, held beyond its ends. `extents` must be over the curve's values.
#[must_use]
pub fn sampled_line(samples: &Samples, extents: &SampleExtents, window: Window) -> Vec<LinePoint> {
    let count = samples.values.len();
    let (Some(first), Some(last)) = (samples.values.first(), samples.values.last()) else { return Vec::new() };
    if !samples.modifiers.is_empty() {
        return window.sampled(|secs| value(samples, secs).unwrap_or_default());
    }
    let time = |index: usize| samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
    // The samples at or before a time, held to the array.
    let before =
        |secs: f64| (samples.rate.frame_f64(secs - samples.start) + 1.0).floor().clamp(0.0, count as f64) as usize;
    let mut line = Vec::new();
    if window.start < samples.start {
        line.push([window.start, *first]);
    }
    let (from, to) = (before(window.start).saturating_sub(1), before(window.end).saturating_add(1).min(count));
    if to - from <= 2 * window.columns as usize {
        line.extend((from..to).map(|index| [time(index), samples.values[index]]));
    } else {
        let mut edges = window.edges();
        let mut left = edges.next().map_or(0, before).max(from);
        for right in edges.map(before) {
            let right = right.min(to);
            if right > left {
                let extent = extents.range(left, right);
                push_column(
                    &mut line,
                    [time(left), samples.values[left]],
                    [time(right - 1), samples.values[right - 1]],
                    extent,
                );
                left = right;
            }
        }
    }
    if window.end > time(count - 1) {
        line.push([window.end, *last]);
    }
    line
}

/// The points of a column of many values: in at the first, over the whole extent, out at the last.
pub(super) fn push_column(line: &mut Vec<LinePoint>, first: LinePoint, last: LinePoint, extent: super::Extent) {
    let middle = first[0] + (last[0] - first[0]) / 2.0;
    line.push(first);
    // The nearer end first, so that the line goes through the column once.
    let (near, far) = if first[1] <= last[1] { (extent.low, extent.high) } else { (extent.high, extent.low) };
    line.push([middle, near]);
    line.push([middle, far]);
    line.push(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FrameRate;
    use std::sync::Arc;

    fn samples(values: Vec<f64>) -> (Samples, SampleExtents) {
        let values: Arc<[f64]> = values.into();
        let extents = SampleExtents::new(&values);
        (Samples::new(0.5, FrameRate::FPS_24, values), extents)
    }

    #[test]
    fn few_samples_are_drawn_as_they_are_and_held_beyond() {
        let (samples, extents) = samples(vec![1.0, 3.0, 2.0]);
        let line = sampled_line(&samples, &extents, Window { start: 0.0, end: 2.0, columns: 100 });
        assert_eq!(line.len(), 5);
        assert_eq!(line[0], [0.0, 1.0]);
        assert_eq!(line[2], [0.5 + 1.0 / 24.0, 3.0]);
        assert_eq!(line[4], [2.0, 2.0]);
        for (start, end) in [(-5.0, -4.0), (7.0, 8.0)] {
            let line = sampled_line(&samples, &extents, Window { start, end, columns: 100 });
            assert!(line.first().unwrap()[0] <= start && line.last().unwrap()[0] >= end);
        }
    }

    #[test]
    fn a_spike_is_seen_however_far_one_zooms_out() {
        let mut values = vec![0.0; 100_000];
        values[61_803] = 9.0;
        values[61_804] = -4.0;
        let (samples, extents) = samples(values);
        let line = sampled_line(&samples, &extents, Window { start: -1.0, end: 5_000.0, columns: 300 });
        assert!(line.len() < 5 * 302);
        assert!(line.iter().any(|point| point[1] == 9.0) && line.iter().any(|point| point[1] == -4.0));
        assert!(line.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
    }

    #[test]
    fn no_samples_give_no_line() {
        let (samples, extents) = samples(Vec::new());
        assert!(sampled_line(&samples, &extents, Window { start: 0.0, end: 1.0, columns: 10 }).is_empty());
    }
}
