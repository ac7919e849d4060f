//! Chain solvers on a chain of ten unit bones and seeded targets: how many arrive, how long a solve takes.
//!
//! `cargo bench --bench ik`. Accuracy wanted 1e-3; unreachable targets count as met where the distance left exceeds the
//! least possible one by no more than that. At most 32 iterations.

use inbetween::eval::ik::{Chain, Goal, SOLVERS, Scratch, Settings};
use inbetween::math::{Quat, Vec3};
use std::time::Instant;

struct Seeded(u64);

impl Seeded {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.next() - 0.5, self.next() - 0.5, self.next() - 0.5);
            if (0.001..0.25).contains(&v.norm_squared()) {
                return v / v.norm();
            }
        }
    }
}

fn main() {
    const SETS: [(&str, f64, f64, usize); 4] = [
        ("easy", 0.5, 9.5, 1000),
        ("near", 0.01, 0.5, 200),
        ("hard", 9.9, 9.999, 200),
        ("unreachable", 11.0, 15.0, 200),
    ];
    let mut random = Seeded(0x1234_5678_9ABC_DEF1);
    let mut start = vec![Vec3::zeros()];
    for i in 0..10 {
        let heading = Quat::from_scaled_axis(Vec3::new(0.1 * f64::from(i), 0.05, 0.2)) * Vec3::y();
        start.push(start[start.len() - 1] + heading);
    }
    let still = vec![Quat::identity(); start.len()];
    let sets: Vec<_> = SETS
        .iter()
        .map(|(name, low, high, count)| {
            let target = |random: &mut Seeded| random.direction() * (low + (high - low) * random.next());
            (*name, (0..*count).map(|_| target(&mut random)).collect::<Vec<_>>())
        })
        .collect();
    let settings = Settings { tolerance: 1e-4, max_iterations: 32, ..Settings::default() };
    println!("{:22} {:12} {:>8} {:>10} {:>10}", "solver", "targets", "met", "median us", "most it.");
    for spec in SOLVERS {
        for (name, targets) in &sets {
            let mut scratch = Scratch::default();
            let (mut positions, mut rotations) = (start.clone(), still.clone());
            let (mut met, mut most) = (0, 0);
            let mut times = Vec::with_capacity(targets.len());
            for target in targets {
                let mut best = f64::INFINITY;
                let mut report = None;
                for _ in 0..5 {
                    positions.copy_from_slice(&start);
                    rotations.copy_from_slice(&still);
                    let clock = Instant::now();
                    if let Ok(mut chain) = Chain::new(&mut positions, &mut rotations) {
                        report = Some(spec.solver.solve(&mut chain, &Goal::at(*target), &settings, &mut scratch));
                    }
                    best = best.min(clock.elapsed().as_secs_f64() * 1e6);
                }
                times.push(best);
                let least = (target.norm() - 10.0).max(0.0);
                let Some(report) = report else { continue };
                met += usize::from(report.residual - least <= 1e-3);
                most = most.max(report.iterations);
            }
            times.sort_by(f64::total_cmp);
            let share = 100.0 * met as f64 / targets.len() as f64;
            println!("{:22} {name:12} {share:7.1}% {:10.2} {most:10}", spec.id, times[times.len() / 2]);
        }
    }
}
