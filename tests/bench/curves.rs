//! Curves: a Bezier curve whose time is solved, in order and at random among a million keys; many long recordings made
//! into few keys.
//!
//! `cargo bench --bench curves`. The least time of several runs; keys, handles and times are seeded.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

mod seeded;

use inbetween::{
    eval::curve::{Cursor, simplify::simplify_all, value, value_with, values},
    model::{FrameRate, Handle, Key, KeyedCurve, Samples, ScalarCurve},
    progress::Progress,
};
use seeded::Seeded;
use std::{hint::black_box, time::Instant};

const ROUNDS: usize = 9;
const READS: u32 = 1_000_000;

/// A curve of keys a frame apart whose handles were set by hand: none of them leaves time even.
fn bezier(keys: u32) -> KeyedCurve {
    let mut random = Seeded(20_261_130);
    let keys = (0..keys).map(|index| Key {
        handle_in: Handle::Free(-(0.1 + 0.5 * random.next()) / 24.0, random.next() - 0.5),
        handle_out: Handle::Free((0.1 + 0.5 * random.next()) / 24.0, random.next() - 0.5),
        ..Key::new(f64::from(index) / 24.0, random.next())
    });
    KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
}

/// The least seconds of several runs.
fn least(mut run: impl FnMut() -> f64) -> f64 {
    let time = |run: &mut dyn FnMut() -> f64| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn reads() {
    let each = |seconds: f64| seconds / f64::from(READS) * 1e9;
    for keys in [1_000_u32, 100_000, 1_000_000] {
        let curve = bezier(keys);
        let end = f64::from(keys - 1) / 24.0;
        let ordered: Vec<f64> = (0..READS).map(|read| end * f64::from(read) / f64::from(READS)).collect();
        let mut random = Seeded(7);
        let scattered: Vec<f64> = (0..READS).map(|_| end * random.next()).collect();
        let in_order = least(|| {
            let mut cursor = Cursor::default();
            ordered.iter().map(|time| value_with(&curve, *time, &mut cursor).unwrap()).sum()
        });
        let at_random = least(|| scattered.iter().map(|time| value(&curve, *time).unwrap()).sum());
        let together = least(|| values(&curve, &scattered).into_iter().map(Option::unwrap).sum());
        println!(
            "Bezier, {keys:7} keys: in order {:6.1} ns (wanted 14 where keys are few), at random {:6.1} ns one at a time, \
             {:6.1} ns many at once (wanted 60)",
            each(in_order),
            each(at_random),
            each(together)
        );
    }
}

/// What reading as much memory as a million keys take costs at random, one read after the other: no read of a curve that
/// lies there can be had for less.
fn memory() {
    const LINES: usize = 56 * 1_000_000 / 64;
    let mut order: Vec<usize> = (0..LINES).collect();
    let mut random = Seeded(5);
    // One round trip through all of them (Sattolo, 1986).
    for last in (1..LINES).rev() {
        order.swap(last, (random.next() * last as f64) as usize);
    }
    let mut lines = vec![[0_usize; 8]; LINES];
    for (from, to) in order.iter().enumerate() {
        lines[from][0] = *to;
    }
    let taken = least(|| {
        let mut at = 0;
        for _ in 0..READS {
            at = lines[at][0];
        }
        at as f64
    });
    println!("a read of as much memory at random: {:.0} ns", taken / f64::from(READS) * 1e9);
}

fn recordings() {
    const CHANNELS: usize = 180;
    const FRAMES: u32 = 10_000;
    let mut random = Seeded(99);
    let curves: Vec<ScalarCurve> = (0..CHANNELS)
        .map(|_| {
            let (speed, phase) = (0.02 + 0.08 * random.next(), std::f64::consts::TAU * random.next());
            let values = (0..FRAMES).map(|frame| {
                let at = f64::from(frame) * speed + phase;
                at.sin() + 0.3 * (3.1 * at).cos() + 0.001 * random.next()
            });
            ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, values.collect()))
        })
        .collect();
    let asked: Vec<_> = curves.iter().map(|curve| (curve, 1.0 / 24.0, 0.1_f64.to_radians())).collect();
    let start = Instant::now();
    let found = simplify_all(&asked, &Progress::new()).unwrap();
    let taken = start.elapsed().as_secs_f64();
    let keys: usize = found.iter().flatten().map(|simplified| simplified.curve.keys.len()).sum();
    let worst = found.iter().flatten().map(|simplified| simplified.error).fold(0.0, f64::max);
    println!(
        "{CHANNELS} channels x {FRAMES} frames to 0.1 degree: {taken:.2} s (wanted 2), {keys} keys, worst {:.4} degrees",
        worst.to_degrees()
    );
}

fn main() {
    reads();
    memory();
    recordings();
}
