//! Arc length by the clock: `cargo bench --bench paths`.
//!
//! The length of seeded cubics within 1e-9 of their size and the parameter at a part of the length within 1e-8, one after the
//! other, and a follower on a path of a hundred points placed at frames in order.

mod seeded;

use inbetween::edit::follow::{OnPath, Pace, follow_path, pace};
use inbetween::eval::Evaluator;
use inbetween::math::Vec3;
use inbetween::math::path::{Cubic3, MeasuredPath, arc_length};
use inbetween::model::{ConstraintId, Document, Object, ObjectKind, Path};
use seeded::Seeded;
use std::{hint::black_box, time::Instant};

const CUBICS: usize = 4096;
const ROUNDS: usize = 20;

impl Seeded {
    fn place(&mut self) -> Vec3 {
        Vec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5)
    }

    /// A segment as paths have them: handles about a third of the way.
    fn cubic(&mut self) -> Cubic3 {
        let (start, end) = (self.place(), self.place());
        let third = (end - start) / 3.0;
        let (a, b) = (start + third + self.place() * 0.3, end - third + self.place() * 0.3);
        Cubic3::from_bezier([start, a, b, end])
    }
}

/// The least time of a call, nanoseconds, over rounds of all cubics.
fn time(mut all: impl FnMut() -> f64) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        black_box(all());
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / CUBICS as f64);
    }
    least
}

fn main() {
    let mut random = Seeded(0x1234_5678_9ABC_DEF1);
    let cubics: Vec<Cubic3> = (0..CUBICS).map(|_| random.cubic()).collect();
    let paths: Vec<MeasuredPath> = cubics.iter().map(|cubic| MeasuredPath::within(vec![*cubic], 1e-8)).collect();
    let parts: Vec<f64> = (0..CUBICS).map(|_| random.next()).collect();
    let length = time(|| cubics.iter().map(|cubic| arc_length(cubic, 0.0, 1.0, 1e-9)).sum());
    let worst = cubics
        .iter()
        .map(|cubic| (arc_length(cubic, 0.0, 1.0, 1e-9) - arc_length(cubic, 0.0, 1.0, 1e-14)).abs())
        .fold(0.0, f64::max);
    let inverse =
        time(|| paths.iter().zip(&parts).filter_map(|(path, part)| path.parameter_at(path.length() * part)).sum());
    let missed = paths
        .iter()
        .zip(&parts)
        .filter_map(|(path, part)| {
            let u = path.parameter_at(path.length() * part)?;
            Some((arc_length(&path.segments()[0], 0.0, u, 1e-14) - path.length() * part).abs())
        })
        .fold(0.0, f64::max);
    println!("{CUBICS} cubics within a cube of 1, {ROUNDS} rounds, the least time of a call");
    println!("length at 1e-9:   {length:7.0} ns  wanted 180   worst error {worst:.1e}");
    println!("inverse at 1e-8:  {inverse:7.0} ns  wanted 400   worst error {missed:.1e}");
    follower(&mut random);
}

fn follower(random: &mut Seeded) {
    let places: Vec<Vec3> = (0..100).map(|i| Vec3::x() * f64::from(i) + random.place()).collect();
    let mut document = Document::default();
    let road = document.add_object(Object::path("Road", Path::through(&places)));
    let cart = document.add_object(Object::new("Cart", ObjectKind::Empty));
    let added = follow_path(&document, &[cart], road).and_then(|edit| edit.apply(&mut document));
    let length = Evaluator::new().frame(&document, 0.0).path(road).map_or(0.0, |path| path.curve.length());
    let on = OnPath { object: cart, constraint: ConstraintId(0), length };
    let paced = pace(&document, on, Pace::EaseInOut, (0.0, 10.0)).and_then(|edit| edit.apply(&mut document));
    assert!(added.is_ok() && paced.is_ok(), "a follower on a path");
    let evaluator = Evaluator::new();
    let start = Instant::now();
    const FRAMES: i32 = 2_000;
    for frame in 0..FRAMES {
        black_box(evaluator.frame(&document, f64::from(frame) / 200.0));
    }
    let each = start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES);
    println!("a frame of a follower on a path of 100 points: {each:.1} us");
}
