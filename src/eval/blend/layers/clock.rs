//! The common clock of motions that keep step.
//!
//! A phase counts cycles; each cycle has so many parts, from one mark of step to the next, or one where there are none. A
//! part lasts the blend, by weight, of what it lasts in each motion: a motion that plays alone plays at its own pace
//! exactly, and two whose steps fall on other parts of their cycles still set their feet down together.

use crate::model::Sync;

/// What a clock knows of a motion.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    /// One cycle, seconds; 0 of one that stands still and does not count.
    pub(super) secs: f64,
    /// Where in its cycle each part begins, ascending, the first within 0..1, the others less than 1 beyond it.
    pub(super) marks: Vec<f64>,
    /// Whether it goes at its own pace, and does not count.
    pub(super) alone: bool,
}

impl Pace {
    /// Where in its cycle a part begins; the one after the last is the first of the next cycle.
    fn mark(&self, part: usize) -> f64 {
        self.marks.get(part).copied().unwrap_or_else(|| self.marks.first().copied().unwrap_or(0.0) + 1.0)
    }

    /// How long a part lasts, seconds.
    fn lasts(&self, part: usize) -> f64 {
        self.secs * (self.mark(part + 1) - self.mark(part))
    }

    /// Whether the common clock goes by it too.
    pub(super) fn counts(&self) -> bool {
        self.secs > 0.0 && !self.alone
    }

    /// The cycles of the motion at a phase of the common clock, or, where it goes at its own pace, at a time since its begin.
    pub(super) fn cycles(&self, phase: f64, since: f64) -> f64 {
        if self.alone {
            return if self.secs > 0.0 { since / self.secs } else { 0.0 };
        }
        let parts = self.marks.len().max(1);
        let turns = phase.floor();
        let within = (phase - turns) * parts as f64;
        let part = (within.floor() as usize).min(parts - 1);
        turns + self.mark(part) + (within - part as f64) * (self.mark(part + 1) - self.mark(part))
    }

    /// The phase at which the motion is at its first frame, at most 0.
    pub(super) fn phase_of_start(&self) -> f64 {
        let parts = self.marks.len().max(1);
        // Cycle 0 lies in the last part of the cycle before, unless the first part begins there.
        let last = parts - 1;
        let (begin, end) = (self.mark(last) - 1.0, self.mark(parts) - 1.0);
        if end <= 0.0 { 0.0 } else { -1.0 + (last as f64 - begin / (end - begin)) / parts as f64 }
    }
}

/// Motions that keep step.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    pub(super) paces: Vec<Pace>,
    /// Whether marks were asked for and do not match.
    pub(super) unmatched: bool,
}

impl Clock {
    /// From the cycle length of each motion and its marks of step. By marks, motions with the same names in the same circle
    /// keep step, and one without any goes at its own pace; where names differ, all go by the whole cycle.
    pub(super) fn new(motions: &[(f64, &[(String, f64)])], sync: Sync) -> Self {
        let whole = |secs: f64| Pace { secs, marks: vec![0.0], alone: sync == Sync::Free };
        let marked = motions.iter().find(|(secs, marks)| *secs > 0.0 && !marks.is_empty());
        let names: Vec<&str> = marked.map_or_else(Vec::new, |(_, marks)| marks.iter().map(|m| m.0.as_str()).collect());
        let matched = |(secs, marks): &(f64, &[(String, f64)])| {
            if !(*secs > 0.0) || marks.is_empty() {
                let even = (0..names.len()).map(|part| part as f64 / names.len() as f64);
                return Some(Pace { secs: *secs, marks: even.collect(), alone: true });
            }
            turned(marks, &names).map(|marks| Pace { secs: *secs, marks, alone: false })
        };
        if sync == Sync::Markers
            && !names.is_empty()
            && let Some(paces) = motions.iter().map(matched).collect()
        {
            return Self { paces, unmatched: false };
        }
        let moving = motions.iter().filter(|(secs, _)| *secs > 0.0).count();
        let paces = motions.iter().map(|(secs, _)| whole(*secs)).collect();
        Self { paces, unmatched: sync == Sync::Markers && moving > 1 }
    }

    /// How long a cycle lasts, the motions weighing so much, seconds; 0 where nothing that weighs moves.
    pub(super) fn cycle(&self, weights: &[f64]) -> f64 {
        let acting = || self.paces.iter().zip(weights).filter(|(pace, weight)| pace.counts() && **weight > 0.0);
        let sum: f64 = acting().map(|(_, weight)| weight).sum();
        if sum > 0.0 { acting().map(|(pace, weight)| weight * pace.secs).sum::<f64>() / sum } else { 0.0 }
    }

    /// The phase a time after another, the motions weighing so much all the while; a negative time goes back. Where nothing
    /// that weighs moves, it stands.
    pub(super) fn advanced(&self, phase: f64, secs: f64, weights: &[f64]) -> f64 {
        let parts = self.paces.first().map_or(1, |pace| pace.marks.len().max(1));
        let acting = || self.paces.iter().zip(weights).filter(|(pace, weight)| pace.counts() && **weight > 0.0);
        let sum: f64 = acting().map(|(_, weight)| weight).sum();
        if !(sum > 0.0) || !secs.is_finite() {
            return phase;
        }
        let lasts = |part: usize| acting().map(|(pace, weight)| weight * pace.lasts(part)).sum::<f64>() / sum;
        let cycle: f64 = (0..parts).map(lasts).sum();
        if !(cycle > 0.0) {
            return phase;
        }
        let turns = (secs / cycle).floor();
        let mut left = secs - turns * cycle;
        let begin = phase.floor();
        let within = (phase - begin) * parts as f64;
        let mut part = (within.floor() as usize).min(parts - 1);
        let mut fraction = within - part as f64;
        let mut cycles = begin + turns;
        // Once around and the rest of the part it began in, at most.
        for _ in 0..=parts {
            let whole = lasts(part);
            let rest = (1.0 - fraction) * whole;
            if left < rest {
                fraction += left / whole;
                break;
            }
            left -= rest;
            fraction = 0.0;
            part += 1;
            if part == parts {
                part = 0;
                cycles += 1.0;
            }
        }
        cycles + (part as f64 + fraction) / parts as f64
    }
}

/// The marks of a motion, beginning with that which the names begin with, each after the one before.
fn turned(marks: &[(String, f64)], names: &[&str]) -> Option<Vec<f64>> {
    let count = names.len();
    if marks.len() != count {
        return None;
    }
    let fits = |first: &usize| (0..count).all(|i| marks[(first + i) % count].0 == names[i]);
    let first = (0..count).find(fits)?;
    Some((0..count).map(|i| marks[(first + i) % count].1 + if first + i >= count { 1.0 } else { 0.0 }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(of: &[(&str, f64)]) -> Vec<(String, f64)> {
        of.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect()
    }

    #[test]
    fn alone_a_motion_plays_at_its_own_pace() {
        let walk = marks(&[("left", 0.1), ("right", 0.55)]);
        let run = marks(&[("right", 0.2), ("left", 0.8)]);
        let clock = Clock::new(&[(1.2, &walk), (0.7, &run)], Sync::Markers);
        assert!(!clock.unmatched);
        let start = clock.paces[0].phase_of_start();
        assert!((clock.paces[0].cycles(start, 0.0)).abs() < 1e-15);
        for i in -40..40 {
            let secs = 0.13 * f64::from(i);
            let phase = clock.advanced(start, secs, &[1.0, 0.0]);
            assert!((clock.paces[0].cycles(phase, 0.0) - secs / 1.2).abs() < 1e-12);
            let (from, to) = (clock.advanced(0.3, 0.0, &[0.0, 1.0]), clock.advanced(0.3, secs, &[0.0, 1.0]));
            assert!((clock.paces[1].cycles(to, 0.0) - clock.paces[1].cycles(from, 0.0) - secs / 0.7).abs() < 1e-12);
        }
    }

    #[test]
    fn marks_of_one_name_come_at_one_phase() {
        let walk = marks(&[("left", 0.1), ("right", 0.55)]);
        let run = marks(&[("right", 0.2), ("left", 0.8)]);
        let clock = Clock::new(&[(1.2, &walk), (0.7, &run)], Sync::Markers);
        assert!(
            (clock.paces[0].cycles(0.0, 0.0) - 0.1).abs() < 1e-15
                && (clock.paces[1].cycles(0.0, 0.0) - 0.8).abs() < 1e-15
        );
        assert!(
            (clock.paces[0].cycles(0.5, 0.0) - 0.55).abs() < 1e-15
                && (clock.paces[1].cycles(0.5, 0.0) - 1.2).abs() < 1e-15
        );
        // A cycle of both halves lasts the mean of their lengths, in steps however many.
        let weights = [0.5, 0.5];
        let mut phase = 0.0;
        for _ in 0..100 {
            phase = clock.advanced(phase, 0.95 / 100.0, &weights);
        }
        assert!((clock.cycle(&weights) - 0.95).abs() < 1e-15 && clock.cycle(&[0.0, 0.0]) == 0.0);
        assert!((phase - 1.0).abs() < 1e-12 && (clock.advanced(1.0, -0.95, &weights)).abs() < 1e-12);
    }

    #[test]
    fn other_names_fall_back_and_what_stands_does_not_count() {
        let (walk, odd) = (marks(&[("left", 0.1)]), marks(&[("up", 0.5)]));
        let clock = Clock::new(&[(1.0, &walk), (2.0, &odd)], Sync::Markers);
        assert!(clock.unmatched && clock.paces[0].marks == [0.0]);
        let clock = Clock::new(&[(0.0, &[]), (2.0, &walk), (9.0, &[])], Sync::Markers);
        assert!(!clock.unmatched);
        // One without marks goes at its own pace.
        assert_eq!(clock.paces[2].cycles(7.0, 4.5), 0.5);
        assert!((clock.advanced(0.0, 1.0, &[0.5, 0.5, 3.0]) - 0.5).abs() < 1e-15);
        assert_eq!(clock.advanced(0.25, 1.0, &[1.0, 0.0, 1.0]), 0.25);
        assert_eq!(Clock::default().advanced(0.5, 1.0, &[]), 0.5);
    }
}
