//! Bounce: a ball that falls and bounces, its time run backwards in the in form.

use super::Sample;

pub(super) fn start(x: f64, count: u32, restitution: f64) -> Sample {
    let (height, speed) = fallen(1.0 - x, count, restitution);
    (1.0 - height, speed)
}

/// How far the ball has fallen at `x`, and how fast. The first fall takes one unit of time; the bounce after touch `n`
/// takes `2 r^n` and rises to `r^2n`.
fn fallen(x: f64, count: u32, restitution: f64) -> Sample {
    let whole =
        (0..count).fold((1.0, 1.0), |(whole, part), _| (whole + 2.0 * part * restitution, part * restitution)).0;
    let time = x * whole;
    if time < 1.0 {
        return (time * time, 2.0 * time * whole);
    }
    let (mut touched, mut part) = (1.0, 1.0);
    for n in 1..=count {
        part *= restitution;
        if time < touched + 2.0 * part || n == count {
            let from_top = time - touched - part;
            return (1.0 - part * part + from_top * from_top, 2.0 * from_top * whole);
        }
        touched += 2.0 * part;
    }
    (1.0, 0.0)
}
