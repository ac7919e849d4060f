//! Lines of curves that are read through retimes: worked out at the curves' own times, drawn where they are shown.

use crate::{
    eval::polyline::{LinePoint, Window},
    model::Clock,
};

/// Between two points of a line that lie further apart than this many columns more are put in: what is straight in a curve's
/// own time is not where it is shown.
const COLUMNS: f64 = 1.0;
/// At most so many are put in between two points.
const MOST_BETWEEN: f64 = 4_096.0;

/// The window of the curve's own time that a clock shows in a window.
fn own_window(clock: &Clock, window: Window) -> Window {
    Window { start: clock.source(window.start), end: clock.source(window.end), ..window }
}

/// A line as a clock shows it: `line` gives it at the curve's own times for a window of these.
#[must_use]
pub fn line_by_clock(clock: &Clock, window: Window, line: impl FnOnce(Window) -> Vec<LinePoint>) -> Vec<LinePoint> {
    if clock.is_plain() {
        return line(window);
    }
    let own = line(own_window(clock, window));
    let mut shown: Vec<LinePoint> = Vec::with_capacity(own.len());
    for (index, [secs, value]) in own.iter().enumerate() {
        let at = clock.shown(*secs);
        if let (Some(before), Some([from, low])) =
            (shown.last().copied(), index.checked_sub(1).and_then(|i| own.get(i)))
        {
            // Only what is seen of a long straight line is bent.
            let (start, end) = (before[0].max(window.start), at.min(window.end));
            let steps = ((end - start) / (COLUMNS * window.column_secs())).ceil().min(MOST_BETWEEN);
            for step in 1..steps.max(1.0) as u32 {
                let here = (end - start).mul_add(f64::from(step) / steps, start);
                let part = (clock.source(here) - from) / (secs - from);
                shown.push([here, (value - low).mul_add(part, *low)]);
            }
        }
        shown.push([at, *value]);
    }
    shown
}

/// Velocity and acceleration as a clock shows them, by the chain rule: `motion` gives them at the curve's own times.
#[must_use]
pub fn motion_by_clock(
    clock: &Clock,
    window: Window,
    motion: impl FnOnce(Window) -> Option<[Vec<LinePoint>; 2]>,
) -> Option<[Vec<LinePoint>; 2]> {
    if clock.is_plain() {
        return motion(window);
    }
    let [velocity, acceleration] = motion(own_window(clock, window))?;
    let near = window.column_secs() * 0.05;
    let mut shown = [Vec::with_capacity(velocity.len()), Vec::with_capacity(velocity.len())];
    // Both lines have their points at the same times.
    for ([secs, speed], [_, rise]) in velocity.into_iter().zip(acceleration) {
        let at = clock.shown(secs);
        let slope = clock.slope(at);
        shown[0].push([at, speed * slope]);
        shown[1].push([at, (rise * slope).mul_add(slope, speed * clock.bend(at, near))]);
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::{
            curve::{Cursor, value, value_with},
            polyline::{KeyExtents, derivative::keyed_motion, keyed_line},
        },
        model::{Interpolation, Key, KeyedCurve, ObjectId, Phi, Retime, RetimeId, RetimeScope},
    };
    use std::sync::Arc;

    fn clock() -> Clock {
        let phi = Phi::new(vec![(0.5, 0.5), (1.2, 1.6), (2.0, 2.1), (3.0, 3.0)]).unwrap();
        let (name, scope) = (String::new(), RetimeScope::Whole);
        let retime = Retime { id: RetimeId(0), name, muted: false, object: ObjectId(1), scope, phi };
        Clock::new([&Arc::new(retime)])
    }

    fn curve(interpolation: Interpolation) -> KeyedCurve {
        let keys = [(0.0, 0.0), (1.0, 2.0), (2.0, -1.0), (4.0, 1.0)];
        let keys = keys.map(|(time, value)| Key { interpolation, ..Key::new(time, value) });
        KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() }
    }

    const WINDOW: Window = Window { start: 0.2, end: 3.6, columns: 800 };

    #[test]
    fn the_line_is_what_is_shown_whatever_the_curve_is_between_its_keys() {
        let clock = clock();
        for interpolation in [Interpolation::Linear, Interpolation::CatmullRom, Interpolation::Bezier] {
            let curve = curve(interpolation);
            let extents = KeyExtents::new(&curve.keys, None);
            let line = line_by_clock(&clock, WINDOW, |window| {
                let mut cursor = Cursor::default();
                keyed_line(&curve, &extents, window, |secs| value_with(&curve, secs, &mut cursor).unwrap())
            });
            assert!(line.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
            for step in 0..=340 {
                let secs = 0.2 + f64::from(step) * 0.01;
                let after = line.partition_point(|point| point[0] < secs).clamp(1, line.len() - 1);
                let ([t0, v0], [t1, v1]) = (line[after - 1], line[after]);
                let drawn = if t1 > t0 { v0 + (v1 - v0) * (secs - t0) / (t1 - t0) } else { v1 };
                let shown = value(&curve, clock.source(secs)).unwrap();
                assert!((drawn - shown).abs() < 0.004, "{interpolation:?} {secs}: {drawn} {shown}");
            }
        }
    }

    #[test]
    fn velocity_and_acceleration_are_those_of_what_is_shown() {
        let (clock, curve) = (clock(), curve(Interpolation::CatmullRom));
        let [velocity, acceleration] = motion_by_clock(&clock, WINDOW, |window| keyed_motion(&curve, window)).unwrap();
        let at = |secs: f64| value(&curve, clock.source(secs)).unwrap();
        let kinks = [0.5, 1.2, 2.0, 3.0, 0.0, clock.shown(1.0), clock.shown(2.0), 4.0];
        let step = 1e-4;
        let calm = |secs: f64| kinks.iter().all(|kink| (kink - secs).abs() > 0.01);
        for ([secs, speed], [_, rise]) in velocity.iter().zip(&acceleration).filter(|(point, _)| calm(point[0])) {
            let slope = (at(secs + step) - at(secs - step)) / (2.0 * step);
            let bend = (at(secs + step) - 2.0 * at(*secs) + at(secs - step)) / (step * step);
            assert!((speed - slope).abs() < 1e-4, "{secs}: {speed} {slope}");
            assert!((rise - bend).abs() < 0.02 * (1.0 + bend.abs()), "{secs}: {rise} {bend}");
        }
    }

    #[test]
    fn without_retimes_nothing_is_touched() {
        let line = vec![[0.0, 1.0], [9.0, 2.0]];
        assert_eq!(line_by_clock(&Clock::default(), WINDOW, |_| line.clone()), line);
        assert_eq!(motion_by_clock(&Clock::default(), WINDOW, |_| None), None);
    }
}
