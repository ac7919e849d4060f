//! Velocity and acceleration of curves as lines, and how smoothly a curve passes its keys.

use super::{LinePoint, Window};
use crate::{
    eval::curve::{Cursor, Segment, sampled, segment, value_with},
    model::{KeyedCurve, Samples},
};

/// How far inside a segment its ends are read, as a part of it: at an end itself the neighbour may already count.
const INSIDE: f64 = 1e-6;
/// Half the distance of two slopes whose difference gives the acceleration, as a part of the segment.
const REACH: f64 = 1e-4;

/// Velocity and acceleration of a segment at a time within it, per second and per second squared.
fn motion(segment: &Segment, secs: f64) -> (f64, f64) {
    let length = segment.end() - segment.start();
    let reach = length * REACH;
    let middle = secs.clamp(segment.start() + reach + length * INSIDE, segment.end() - reach - length * INSIDE);
    let rise = segment.slope(middle + reach) - segment.slope(middle - reach);
    (segment.slope(secs), rise / (2.0 * reach))
}

/// Velocity and acceleration lines of a keyed curve between its keys: exact slopes at the columns and on both sides of
/// each key, so that jumps are drawn as jumps. None where more keys than columns are seen: a line would say nothing.
#[must_use]
pub fn keyed_motion(curve: &KeyedCurve, window: Window) -> Option<[Vec<LinePoint>; 2]> {
    if !curve.modifiers.is_empty() {
        let mut cursor = Cursor::default();
        return Some(modified_motion(window, |secs| value_with(curve, secs, &mut cursor).unwrap_or_default()));
    }
    let first = curve.keys.count_at_or_before(window.start).saturating_sub(1);
    let last = curve.keys.count_at_or_before(window.end).min(curve.keys.len());
    if last.saturating_sub(first) > window.columns as usize {
        return None;
    }
    let (mut velocity, mut acceleration) = (Vec::new(), Vec::new());
    let column = window.column_secs();
    for index in first..last {
        let Some(segment) = segment(curve, index) else { continue };
        let inside = (segment.end() - segment.start()) * INSIDE;
        let (from, to) =
            (segment.start().max(window.start - column) + inside, segment.end().min(window.end + column) - inside);
        if from > to {
            continue;
        }
        let steps = ((to - from) / column).ceil().clamp(1.0, f64::from(window.columns) + 2.0) as u32;
        for step in 0..=steps {
            let secs = (to - from).mul_add(f64::from(step) / f64::from(steps), from);
            let (slope, bend) = motion(&segment, secs);
            velocity.push([secs, slope]);
            acceleration.push([secs, bend]);
        }
    }
    Some([velocity, acceleration])
}

/// Velocity and acceleration of what is known by its values alone, by central differences over a column.
fn modified_motion(window: Window, mut value_at: impl FnMut(f64) -> f64) -> [Vec<LinePoint>; 2] {
    let step = window.column_secs();
    let line = window.sampled(&mut value_at);
    let mut motion = [Vec::new(), Vec::new()];
    for [secs, here] in line {
        let (before, after) = (value_at(secs - step), value_at(secs + step));
        motion[0].push([secs, (after - before) / (2.0 * step)]);
        motion[1].push([secs, (after - 2.0 * here + before) / (step * step)]);
    }
    motion
}

/// Velocity and acceleration lines of samples, by central differences. None where more samples than columns are seen.
#[must_use]
pub fn sampled_motion(samples: &Samples, window: Window) -> Option<[Vec<LinePoint>; 2]> {
    if !samples.modifiers.is_empty() {
        return Some(modified_motion(window, |secs| sampled::value(samples, secs).unwrap_or_default()));
    }
    let count = samples.values.len();
    let rate = samples.rate.fps();
    let at = |secs: f64| (samples.rate.frame_f64(secs - samples.start)).floor().clamp(0.0, count as f64) as usize;
    let (first, last) = (at(window.start).max(1), at(window.end).saturating_add(2).min(count.saturating_sub(1)));
    if last.saturating_sub(first) > window.columns as usize {
        return None;
    }
    let (mut velocity, mut acceleration) = (Vec::new(), Vec::new());
    for index in first..last {
        let [before, here, after] = [index - 1, index, index + 1].map(|index| samples.values[index]);
        let secs = samples.start + samples.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
        velocity.push([secs, (after - before) * rate / 2.0]);
        acceleration.push([secs, (after - 2.0 * here + before) * rate * rate]);
    }
    Some([velocity, acceleration])
}

/// How smoothly a curve passes a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothness {
    /// The value jumps by so much (own units): a step.
    Jump(f64),
    /// C0: the velocity jumps by so much a second.
    Kink(f64),
    /// C1: the acceleration jumps by so much a second squared.
    Bend(f64),
    /// C2 at least.
    Smooth,
}

impl Smoothness {
    /// The order of continuity, -1 for a jump.
    #[must_use]
    pub const fn order(self) -> i8 {
        match self {
            Self::Jump(_) => -1,
            Self::Kink(_) => 0,
            Self::Bend(_) => 1,
            Self::Smooth => 2,
        }
    }
}

/// How smoothly a keyed curve passes the key at an index; none at the first and the last. Differences below a
/// ten-thousandth of what is there count as none.
#[must_use]
pub fn smoothness(curve: &KeyedCurve, index: usize) -> Option<Smoothness> {
    let (before, after) = (segment(curve, index.checked_sub(1)?)?, segment(curve, index)?);
    let key = after.start();
    let (from, to) = (before.value(key), after.value(key));
    let shorter = (before.end() - before.start()).min(after.end() - after.start());
    let differ = |a: f64, b: f64, scale: f64| (b - a).abs() > PART * scale.max(a.abs()).max(b.abs());
    if (to - from).abs() > 1e-9 * (1.0 + to.abs()) {
        return Some(Smoothness::Jump(to - from));
    }
    // A kink so small that it moves nothing that can be seen over the shorter segment is none; nor is such a bend.
    let (coming, going) = (before.slope(key), after.slope(key));
    if differ(coming, going, 1e-3 * (1.0 + to.abs()) / shorter) {
        return Some(Smoothness::Kink(going - coming));
    }
    let (coming, going) = (bend_at_end(&before, true), bend_at_end(&after, false));
    if differ(coming, going, (after.slope(key).abs() + 1e-3 * (1.0 + to.abs()) / shorter) / shorter) {
        return Some(Smoothness::Bend(going - coming));
    }
    Some(Smoothness::Smooth)
}

/// What part of the larger number two may differ by and still count as one.
const PART: f64 = 1e-4;

/// The acceleration at an end of a segment, from two inside it: exact for a cubic.
fn bend_at_end(segment: &Segment, at_end: bool) -> f64 {
    let step = (segment.end() - segment.start()) * 10.0 * REACH;
    let at = |steps: f64| {
        let secs = if at_end { segment.end() - steps * step } else { segment.start() + steps * step };
        motion(segment, secs).1
    };
    2.0 * at(1.0) - at(2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrameRate, Handle, Interpolation, Key, Scheme};

    fn curve(interpolation: Interpolation, keys: &[(f64, f64)]) -> KeyedCurve {
        let keys = keys.iter().map(|(time, value)| Key {
            interpolation,
            handle_in: Handle::Auto,
            handle_out: Handle::Auto,
            ..Key::new(*time, *value)
        });
        KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
    }

    const WINDOW: Window = Window { start: 0.0, end: 4.0, columns: 200 };

    /// Smoothstep from 0 to 1: v = 6u - 6u^2, a = 6 - 12u.
    #[test]
    fn a_cubic_has_its_own_derivatives() {
        let flat = curve(Interpolation::Bezier, &[(1.0, 0.0), (2.0, 1.0)]);
        let mut flat = flat;
        for index in [0, 1] {
            let third = 1.0 / 3.0;
            let key = flat.keys.get(index).unwrap();
            let (handle_in, handle_out) = (Handle::Aligned(-third, 0.0), Handle::Aligned(third, 0.0));
            flat.keys.replace_same_time(index, Key { handle_in, handle_out, ..key });
        }
        let [velocity, acceleration] = keyed_motion(&flat, WINDOW).unwrap();
        assert!(velocity.len() >= 50);
        for ([secs, v], [_, a]) in velocity.iter().zip(&acceleration) {
            let u = secs - 1.0;
            assert!((v - (6.0 * u - 6.0 * u * u)).abs() < 1e-6, "{secs}: {v}");
            assert!((a - (6.0 - 12.0 * u)).abs() < 5e-3, "{secs}: {a}");
        }
    }

    #[test]
    fn samples_of_a_parabola_have_a_constant_acceleration() {
        let rate = FrameRate::FPS_24;
        let values = (0..97).map(|frame| rate.secs(frame).powi(2) * 3.0).collect();
        let [velocity, acceleration] = sampled_motion(&Samples::new(0.0, rate, values), WINDOW).unwrap();
        assert!(velocity.iter().all(|[secs, v]| (v - 6.0 * secs).abs() < 1e-9));
        assert!(acceleration.iter().all(|[_, a]| (a - 6.0).abs() < 1e-6));
    }

    #[test]
    fn too_many_keys_give_no_line() {
        let keys: Vec<(f64, f64)> = (0..1_000).map(|i| (f64::from(i) * 0.004, 0.0)).collect();
        assert!(keyed_motion(&curve(Interpolation::Linear, &keys), WINDOW).is_none());
        assert!(keyed_motion(&KeyedCurve::default(), WINDOW).unwrap()[0].is_empty());
    }

    #[test]
    fn keys_say_how_smooth_they_are() {
        let keys = [(0.0, 0.0), (1.0, 2.0), (2.5, 1.0), (4.0, 3.0)];
        let order = |interpolation| smoothness(&curve(interpolation, &keys), 1).unwrap();
        assert_eq!(order(Interpolation::Step), Smoothness::Jump(2.0));
        let Smoothness::Kink(jump) = order(Interpolation::Linear) else { panic!() };
        assert!((jump - (-2.0 / 3.0 - 2.0)).abs() < 1e-9);
        assert_eq!(order(Interpolation::CatmullRom).order(), 1);
        assert_eq!(order(Interpolation::Bezier).order(), 1);
        let natural = KeyedCurve { scheme: Scheme::Natural, ..curve(Interpolation::Linear, &keys) };
        assert_eq!(smoothness(&natural, 1), Some(Smoothness::Smooth));
        let monotone = KeyedCurve { scheme: Scheme::Monotone, ..curve(Interpolation::Linear, &keys) };
        assert_eq!(smoothness(&monotone, 2).unwrap().order(), 1);
        let straight = curve(Interpolation::Linear, &[(0.0, 0.0), (1.0, 1.0), (3.0, 3.0)]);
        assert_eq!(smoothness(&straight, 1), Some(Smoothness::Smooth));
        assert_eq!(smoothness(&straight, 0), None);
        assert_eq!(smoothness(&straight, 2), None);
        let held = curve(Interpolation::Step, &[(0.0, 1.0), (1.0, 1.0), (3.0, 1.0)]);
        assert_eq!(smoothness(&held, 1), Some(Smoothness::Smooth));
    }
}
