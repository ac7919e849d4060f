//! Frames a second, which glTF does not have: found from the times of the keys.

use crate::{
    io::report::{Place, Report},
    model::FrameRate,
};

/// Rates that files are made at, and rates over 1.001, the more likely first: where several put all keys on frames, the first
/// of them is taken.
const USUAL: [(u64, u64); 15] = [
    (24, 1),
    (30, 1),
    (60, 1),
    (25, 1),
    (50, 1),
    (48, 1),
    (100, 1),
    (120, 1),
    (90, 1),
    (240, 1),
    (24_000, 1001),
    (30_000, 1001),
    (60_000, 1001),
    (48_000, 1001),
    (120_000, 1001),
];
/// A key is on a frame if it is so near, frames.
const NEAR: f64 = 2e-3;
/// What single precision adds to that, frames a frame.
const SINGLE: f64 = 1e-6;
/// Of a file with odd keys so many spacings must be whole frames.
const MOST: f64 = 0.9;
/// The fastest rate at which animation is played, frames a second.
const PLAYED: f64 = 60.0;
/// Spacings that differ by less than this part are one.
const SAME: f64 = 0.01;

/// The rate of a file from the times of its tracks, each in order: the first of the usual rates that puts every key on a
/// frame; else whatever rate has its keys at most of their spacings and does; else the first usual rate at which nine spacings of
/// ten are whole frames, and then 24 frames a second, which is told. That nine of ten are also goes before a rate faster than any that
/// is played, which a track that begins between frames would ask for.
pub(super) fn fitting<'a>(tracks: impl Iterator<Item = &'a [f64]> + Clone, report: &mut Report) -> FrameRate {
    let usual = || USUAL.into_iter().filter_map(|(num, den)| FrameRate::new(num, den));
    let all = |rate: &FrameRate| tracks.clone().flatten().all(|secs| is_on_frame(*rate, *secs));
    let most = |rate: &FrameRate| {
        let (mut whole, mut count) = (0.0, 0.0);
        for pair in tracks.clone().flat_map(|secs| secs.windows(2)) {
            whole += f64::from(u8::from(is_on_frame(*rate, pair[1] - pair[0])));
            count += 1.0;
        }
        count > 0.0 && whole >= MOST * count
    };
    let by_spacing = || usual_spacing(tracks.clone()).and_then(|spacing| of_spacing(tracks.clone(), spacing));
    let exact = usual().find(all);
    if let Some(rate) = exact.filter(|rate| rate.fps() <= PLAYED).or_else(|| {
        let most = usual().find(most);
        // Of both the slower one: samples at a fast rate are whole frames of no slower one.
        exact.filter(|exact| most.is_none_or(|most| most.fps() >= exact.fps()))
    }) {
        return rate;
    }
    if let Some(rate) = by_spacing().filter(all).filter(|_| exact.is_none()) {
        return rate;
    }
    let rate = usual().find(most);
    let taken = rate.unwrap_or_default();
    let found = if rate.is_some() { "some keys are" } else { "the keys are" };
    report.info(
        "rate",
        Place::Whole,
        format!("{found} on no frames of one rate, and glTF does not state it"),
        format!("opened at {} frames a second; set another with the rate of the timeline", taken.fps()),
    );
    taken
}

fn is_on_frame(rate: FrameRate, secs: f64) -> bool {
    let frame = rate.frame_f64(secs);
    (frame - frame.round()).abs() < NEAR + SINGLE * frame.abs()
}

/// The spacing of neighbouring keys that there is most of, seconds; the shortest of as many.
fn usual_spacing<'a>(tracks: impl Iterator<Item = &'a [f64]>) -> Option<f64> {
    let spacings = tracks.flat_map(|secs| secs.windows(2).map(|pair| pair[1] - pair[0]));
    let mut spacings: Vec<f64> = spacings.filter(|spacing| *spacing > 0.0 && spacing.is_finite()).collect();
    spacings.sort_by(f64::total_cmp);
    let runs = spacings.chunk_by(|a, b| b - a <= SAME * a);
    let most = runs.rev().max_by_key(|run| run.len())?;
    most.get(most.len() / 2).copied()
}

/// The rate of a spacing, measured over the longest stretch that lies on it: a whole number of frames a second where that is near, else in
/// thousandths.
fn of_spacing<'a>(tracks: impl Iterator<Item = &'a [f64]>, spacing: f64) -> Option<FrameRate> {
    let mut longest = (spacing, 1.0);
    for secs in tracks {
        let mut from = 0;
        for to in 1..secs.len() {
            let frames = (secs[to] - secs[from]) / longest.0 * longest.1;
            // What is known of a frame so far must say how many there are.
            if (frames - frames.round()).abs() > 0.25 || (secs[to] - secs[to - 1] - spacing).abs() > 0.25 * spacing {
                from = to;
            } else if frames.round() > longest.1 {
                longest = (secs[to] - secs[from], frames.round());
            }
        }
    }
    let (secs, frames) = longest;
    let fps = frames / secs;
    let whole = fps.round();
    let exact = if (whole * secs - frames).abs() < NEAR + SINGLE * frames { whole } else { fps };
    let thousandths = (exact * 1000.0).round();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a rate's bounds")]
    let num = if (1.0..=1e9).contains(&thousandths) { thousandths as u64 } else { return None };
    FrameRate::new(num, 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tracks: &[Vec<f64>]) -> (f64, usize) {
        let mut report = Report::new();
        let rate = fitting(tracks.iter().map(Vec::as_slice), &mut report);
        (rate.fps(), report.count("rate"))
    }

    /// Times as files have them.
    fn single(secs: f64) -> f64 {
        f64::from(secs as f32)
    }

    fn frames(fps: f64, count: u32, each: usize) -> Vec<f64> {
        (0..count).step_by(each).map(|frame| single(f64::from(frame) / fps)).collect()
    }

    #[test]
    fn every_rate_is_found_from_the_times_of_the_keys() {
        for fps in
            [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0, 33.0, 47.952, 75.0, 144.0, 29.476, 7.0]
        {
            let tracks = [frames(fps, 200, 1), frames(fps, 200, 7), vec![0.0], Vec::new()];
            let (got, told) = found(&tracks);
            assert!((got - fps).abs() < 1e-3 && told == 0, "{got} for {fps}");
        }
        for (num, den) in [(24_000, 1001), (30_000, 1001), (60_000, 1001)] {
            let fps = f64::from(num) / f64::from(den);
            assert!((found(&[frames(fps, 1000, 1)]).0 - fps).abs() < 1e-9, "{num}");
        }
    }

    #[test]
    fn few_keys_are_on_frames_of_the_most_usual_rate() {
        assert_eq!(found(&[]), (24.0, 0));
        assert_eq!(found(&[vec![0.0, 1.0, 2.0]]), (24.0, 0));
        assert_eq!(found(&[vec![0.0, single(1.0 / 30.0), 2.0]]), (30.0, 0));
        assert_eq!(found(&[vec![f64::from(0.1_f32)]]), (30.0, 0));
        assert_eq!(found(&[vec![0.5, single(0.5 + 1.0 / 25.0)]]), (50.0, 0), "an odd frame");
    }

    /// A step's other side, or a key put by hand, does not make the others be on no frame.
    #[test]
    fn odd_keys_among_many_leave_the_rate_and_are_told() {
        let mut track = frames(30.0, 300, 1);
        track.insert(7, 0.217_331);
        assert_eq!(found(&[track]), (30.0, 1));
        let odd = vec![0.0, 0.017_31, 0.0613, 0.331_77, 1.2345];
        assert_eq!(found(&[odd]), (24.0, 1));
    }

    /// The third clip of a well-known file: a track that begins at 0, and goes on from 0.2 s in steps of 1/24.
    #[test]
    fn a_track_that_begins_between_frames_does_not_make_five_times_as_many_of_them() {
        let late: Vec<f64> = [0.0].into_iter().chain((0..24).map(|n| single(0.2 + f64::from(n) / 24.0))).collect();
        assert_eq!(found(&[frames(24.0, 83, 1), late, frames(24.0, 18, 1)]), (24.0, 1));
    }

    #[test]
    fn hostile_times_have_a_rate_too() {
        for track in
            [vec![f64::MAX, f64::MAX], vec![0.0, 1e-300], vec![-1e9, 1e9], vec![f64::NAN], vec![0.0, f64::INFINITY]]
        {
            let fps = found(&[track]).0;
            assert!(fps > 0.0 && fps.is_finite());
        }
    }
}
