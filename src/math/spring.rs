//! The damped spring in closed form, and smoothing of a moving target by it.

/// A mass on a spring with a damper: `m x'' = -k (x - target) - c x'`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Mass, kg, more than 0.
    pub mass: f64,
    /// Stiffness, N/m, not negative.
    pub stiffness: f64,
    /// Damping, N s/m, not negative.
    pub damping: f64,
}

/// Position and velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringState {
    /// Position, in the target's unit.
    pub position: f64,
    /// Velocity, that unit a second.
    pub velocity: f64,
}

/// The damping at which a mass on a spring comes to rest soonest without swinging, `2 sqrt(k m)`.
#[must_use]
pub fn critical_damping(mass: f64, stiffness: f64) -> f64 {
    2.0 * (stiffness * mass).sqrt()
}

/// The mass that the distance of two masses joined by a spring moves with, `a b / (a + b)`.
#[must_use]
pub fn reduced_mass(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}

impl Spring {
    /// The critically damped spring of unit mass that has covered half its way after `half_life` seconds, without velocity
    /// at the start. A half-life that is not above 0 follows at once.
    #[must_use]
    pub fn of_half_life(half_life: f64) -> Self {
        // (1 + y) e^-y = 1/2.
        const HALF: f64 = 1.678_346_990_016_660_7;
        let frequency = HALF / half_life.max(1e-9);
        Self { mass: 1.0, stiffness: frequency * frequency, damping: 2.0 * frequency }
    }

    /// The damping as a part of the critical one: below 1 it swings, above it creeps.
    #[must_use]
    pub fn damping_ratio(&self) -> f64 {
        self.damping / critical_damping(self.mass, self.stiffness)
    }

    /// Half the damping by the mass, and its square less the squared frequency: the two numbers that all cases go by.
    fn rates(&self) -> (f64, f64) {
        let decay = 0.5 * self.damping / self.mass;
        (decay, decay * decay - self.stiffness / self.mass)
    }

    /// The state after a time, exactly, for a target that stands still.
    ///
    /// Source: the closed form of the damped oscillator; `cosh` and `sinh / root` of one argument cover all three cases, by
    /// their series where it is near 0.
    #[must_use]
    pub fn after(&self, start: SpringState, target: f64, secs: f64) -> SpringState {
        let (decay, square) = self.rates();
        let x = start.position - target;
        let u = start.velocity + decay * x;
        // e^-decay t times cosh(root t) and sinh(root t) / root; derivatives: C' = square S, S' = C.
        let (cosh, sinh) = damped(decay, square, secs);
        let along = x * cosh + u * sinh;
        let speed = (x * square * sinh + u * cosh) - decay * along;
        SpringState { position: target + along, velocity: speed }
    }

    /// Whether it passes the target after the start.
    #[must_use]
    pub fn overshoots(&self, start: SpringState, target: f64) -> bool {
        let (decay, square) = self.rates();
        let x = start.position - target;
        let u = start.velocity + decay * x;
        // Where it swings it passes, unless it rests on the target; else x cosh + u sinh / root = 0 has one time at most.
        if square < -1e-12 * decay * decay {
            return x != 0.0 || start.velocity != 0.0;
        }
        let root = square.max(0.0).sqrt();
        x * u < 0.0 && x.abs() * root < u.abs()
    }
}

/// `e^(-decay t) cosh(root t)` and `e^(-decay t) sinh(root t) / root`, `root` the square root of `square`, which may be
/// negative.
fn damped(decay: f64, square: f64, t: f64) -> (f64, f64) {
    let z = square * t * t;
    if z.abs() < 1e-3 {
        let fade = (-decay * t).exp();
        let cosh = 1.0 + z / 2.0 * (1.0 + z / 12.0 * (1.0 + z / 30.0 * (1.0 + z / 56.0)));
        let sinh = 1.0 + z / 6.0 * (1.0 + z / 20.0 * (1.0 + z / 42.0 * (1.0 + z / 72.0)));
        return (fade * cosh, fade * t * sinh);
    }
    let root = square.abs().sqrt();
    if square > 0.0 {
        // The two exponentials apart: together they would be infinity times 0 after a long time.
        let (slow, fast) = (((root - decay) * t).exp(), ((-root - decay) * t).exp());
        (0.5 * (slow + fast), 0.5 * (slow - fast) / root)
    } else {
        let fade = (-decay * t).exp();
        (fade * (root * t).cos(), fade * (root * t).sin() / root)
    }
}

/// How a number follows a target that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Follow {
    /// A critically damped spring, by its half-life, seconds: starts and ends softly.
    Spring {
        /// When half the way is covered.
        half_life: f64,
    },
    /// A part of what is left in each time, by its half-life, seconds: starts at once.
    Exponential {
        /// When half the way is covered.
        half_life: f64,
    },
}

/// A target, known at steps of `step_secs`, as it is followed from rest at its first value: a value a step. Between two
/// steps the target counts as the later one. The state has a history, so it is always run from the first step.
#[must_use]
pub fn followed(targets: &[f64], step_secs: f64, follow: Follow) -> Vec<f64> {
    let Some(first) = targets.first() else { return Vec::new() };
    let mut state = SpringState { position: *first, velocity: 0.0 };
    let mut followed = vec![*first];
    for target in &targets[1..] {
        state = match follow {
            Follow::Spring { half_life } => Spring::of_half_life(half_life).after(state, *target, step_secs),
            Follow::Exponential { half_life } => {
                let left = (-step_secs / half_life.max(1e-9)).exp2();
                SpringState { position: target + (state.position - target) * left, velocity: 0.0 }
            }
        };
        followed.push(state.position);
    }
    followed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_solves_the_equation_in_all_three_cases() {
        for damping in [0.0, 1.0, 5.9999, 6.0, 6.0001, 20.0] {
            let spring = Spring { mass: 1.0, stiffness: 9.0, damping };
            let start = SpringState { position: 1.0, velocity: -2.0 };
            let (h, t) = (1e-4, 0.7);
            let at = |t: f64| spring.after(start, 0.25, t);
            let acceleration = (at(t + h).velocity - at(t - h).velocity) / (2.0 * h);
            let speed = (at(t + h).position - at(t - h).position) / (2.0 * h);
            let wanted = -9.0 * (at(t).position - 0.25) - damping * at(t).velocity;
            assert!((acceleration - wanted).abs() < 1e-6 && (speed - at(t).velocity).abs() < 1e-6, "{damping}");
            // Two steps are one.
            let twice = spring.after(at(0.3), 0.25, 0.4);
            assert!((twice.position - at(0.7).position).abs() < 1e-13);
        }
    }

    #[test]
    fn half_lives_are_kept() {
        let spring = Spring::of_half_life(0.2);
        let half = spring.after(SpringState { position: 1.0, velocity: 0.0 }, 0.0, 0.2);
        assert!((half.position - 0.5).abs() < 1e-12 && (spring.damping_ratio() - 1.0).abs() < 1e-15);
        let steps = [&[1.0][..], &[0.0; 4]].concat();
        let fading = followed(&steps, 0.05, Follow::Exponential { half_life: 0.1 });
        assert!((fading[2] - 0.5).abs() < 1e-15 && (fading[4] - 0.25).abs() < 1e-15);
        assert!((followed(&steps, 0.05, Follow::Spring { half_life: 0.2 })[4] - 0.5).abs() < 1e-12);
        assert!(followed(&[], 0.1, Follow::Spring { half_life: 0.0 }).is_empty());
        assert_eq!(followed(&steps, 0.05, Follow::Exponential { half_life: 0.0 })[1], 0.0);
    }
}
