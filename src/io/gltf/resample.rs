//! What glTF cannot say exactly, as keys with straight lines between them, within a tolerance.

use super::tracks::{Mode, Track};
use crate::{
    math::{
        Quat,
        rotation::{make_continuous, slerp},
    },
    progress::Progress,
};

/// How often a span between two samples is halved at most where a straight line misses its middle.
const HALVINGS: u32 = 7;
/// Halvings that a track has at least, over all; a long one has as many as samples.
const LEAST_SPARE: usize = 20_000;
/// How much of the tolerance a straight line between two samples may miss their middle by; the parts of a line's error
/// that this and [`REDUCED`] leave sum to less than the whole.
const MISSED: f64 = 0.3;
/// How much of the tolerance leaving out samples may cost.
const REDUCED: f64 = 0.7;

/// Samples at the times and, where a straight line between two of them does not tell the middle, in between. `missed` is how
/// far the third value is from halfway between the others. Once it is to stop no more are looked at.
fn sampled<T: Clone>(
    times: &[f64],
    value: impl Fn(f64) -> T,
    missed: impl Fn(&T, &T, &T) -> f64,
    tolerance: f64,
    progress: &Progress,
) -> (Vec<f64>, Vec<T>) {
    let (mut out_times, mut out) = (Vec::with_capacity(times.len()), Vec::with_capacity(times.len()));
    // Motion too fast for its range throughout would be halved without end: what it then misses is measured.
    let mut spare = times.len().max(LEAST_SPARE);
    let mut waiting: Vec<(f64, T, u32)> = Vec::new();
    for &time in times {
        if progress.is_cancelled() && !out.is_empty() {
            break;
        }
        waiting.push((time, value(time), 0));
        while let Some((time, next, halved)) = waiting.pop() {
            if let (Some(&from), Some(last)) = (out_times.last(), out.last())
                && halved < HALVINGS
                && spare > 0
                // Closer together are only the two sides of a step.
                && time - from > 1e-4
            {
                let middle = (from + time) / 2.0;
                let between = value(middle);
                if missed(last, &next, &between) > MISSED * tolerance {
                    spare -= 1;
                    waiting.push((time, next, halved + 1));
                    waiting.push((middle, between, halved + 1));
                    continue;
                }
            }
            out_times.push(time);
            out.push(next);
        }
    }
    (out_times, out)
}

/// Values over time in as few keys as the tolerance allows.
pub(super) fn resampled(times: &[f64], value: impl Fn(f64) -> Vec<f64>, tolerance: f64, progress: &Progress) -> Track {
    let missed = |a: &Vec<f64>, b: &Vec<f64>, middle: &Vec<f64>| {
        let off = a.iter().zip(b).zip(middle).map(|((a, b), middle)| ((a + b) / 2.0 - middle).powi(2));
        off.sum::<f64>().sqrt()
    };
    let (times, values) = sampled(times, value, missed, tolerance, progress);
    reduced(&times, &values, REDUCED * tolerance)
}

/// Rotations over time in as few keys as the tolerance allows.
pub(super) fn resampled_rotation(
    times: &[f64],
    value: impl Fn(f64) -> Quat,
    tolerance: f64,
    progress: &Progress,
) -> Track {
    let missed = |a: &Quat, b: &Quat, middle: &Quat| slerp(a, b, 0.5).angle_to(middle);
    let (times, mut values) = sampled(times, value, missed, tolerance, progress);
    make_continuous(&mut values);
    reduced_rotation(&times, &values, REDUCED * tolerance)
}

/// How many samples one straight piece may stand for: bounds the work.
const LONGEST: usize = 512;

/// Few of the samples, so that straight lines between them stay within a tolerance of all: greedily, each piece about as long
/// as it may be. `fits(i, j)` says whether the piece from `i` to `j` does. A piece is doubled while it fits and then halved
/// back, so that every sample is looked at some few times, not once for each longer piece.
fn kept(count: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < count {
        let most = (from + LONGEST).min(count - 1);
        let (mut good, mut bad) = (from + 1, most + 1);
        while good < most {
            let next = (from + 2 * (good - from)).min(most);
            if !fits(from, next) {
                bad = next;
                break;
            }
            good = next;
        }
        while bad - good > 1 && good < most {
            let middle = good.midpoint(bad);
            if fits(from, middle) { good = middle } else { bad = middle }
        }
        kept.push(good);
        from = good;
    }
    kept
}

fn part(times: &[f64], from: usize, to: usize, at: usize) -> f64 {
    (times[at] - times[from]) / (times[to] - times[from])
}

fn reduced(times: &[f64], values: &[Vec<f64>], tolerance: f64) -> Track {
    let fits = |from: usize, to: usize| {
        (from + 1..to).all(|at| {
            let x = part(times, from, to, at);
            let lines = values[from].iter().zip(&values[to]).zip(&values[at]);
            lines.into_iter().map(|((a, b), v)| (a + (b - a) * x - v).powi(2)).sum::<f64>().sqrt() <= tolerance
        })
    };
    let kept = kept(times.len(), fits);
    Track {
        mode: Mode::Linear,
        times: kept.iter().map(|at| times[*at]).collect(),
        values: kept.iter().flat_map(|at| values[*at].iter().copied()).collect(),
    }
}

fn reduced_rotation(times: &[f64], values: &[Quat], tolerance: f64) -> Track {
    let fits = |from: usize, to: usize| {
        (from + 1..to)
            .all(|at| slerp(&values[from], &values[to], part(times, from, to, at)).angle_to(&values[at]) <= tolerance)
    };
    let kept = kept(times.len(), fits);
    let mut rotations: Vec<Quat> = kept.iter().map(|at| values[*at]).collect();
    make_continuous(&mut rotations);
    Track {
        mode: Mode::Linear,
        times: kept.iter().map(|at| times[*at]).collect(),
        values: rotations.iter().flat_map(|q| [q.i, q.j, q.k, q.w]).collect(),
    }
}
