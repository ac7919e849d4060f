//! When a joint stands still: contacts of feet (and hands) found by speed and height.
//!
//! Speeds and heights are compared with the size of the figure, so that a child and a giant are judged alike. A foot counts
//! as standing below 0.12 sizes a second (0.2 m/s for a grown figure: heels roll, captured feet tremble) and within 0.03
//! sizes (5 cm) of its own lowest place. A pause shorter than 0.05 s does not end a contact; one shorter than 0.1 s is none.

use crate::math::Vec3;

/// What counts as still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stillness {
    /// Highest speed, metres a second.
    pub speed: f64,
    /// Highest place above the lowest of all, metres; none where height says nothing, as for hands.
    pub height: Option<f64>,
    /// The shortest contact, seconds.
    pub least_secs: f64,
    /// The longest interruption that is bridged, seconds.
    pub bridge_secs: f64,
}

impl Stillness {
    /// The thresholds for a figure of a size ([`crate::eval::size::skeleton_size`]), metres; with height for feet.
    #[must_use]
    pub fn of_size(size: f64, is_foot: bool) -> Self {
        Self { speed: 0.12 * size, height: is_foot.then_some(0.03 * size), least_secs: 0.1, bridge_secs: 0.05 }
    }
}

/// The contacts of a joint at places a fixed time apart, as first and last place of each, in order. Height is along +Y. A
/// place that is not finite is never still; fewer than two places say nothing.
#[must_use]
pub fn contacts(places: &[Vec3], step_secs: f64, stillness: &Stillness) -> Vec<(usize, usize)> {
    if places.len() < 2 || !(step_secs > 0.0 && step_secs.is_finite()) {
        return Vec::new();
    }
    let lowest = places.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
    let last = places.len() - 1;
    let is_still = |at: usize| {
        let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
        let speed = (places[after] - places[before]).norm() / ((after - before) as f64 * step_secs);
        speed <= stillness.speed && stillness.height.is_none_or(|height| places[at].y - lowest <= height)
    };
    // An interruption comes back to where it began; what stands elsewhere afterwards is another contact.
    let goes_on = |end: usize, at: usize| {
        (at - end - 1) as f64 * step_secs <= stillness.bridge_secs
            && (places[at] - places[end]).norm() <= stillness.speed * (stillness.bridge_secs + step_secs)
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for at in (0..places.len()).filter(|at| is_still(*at)) {
        // What stood elsewhere for a moment in between was part of the interruption.
        match found.iter().rposition(|(_, end)| goes_on(*end, at)) {
            Some(same) => {
                found.truncate(same + 1);
                found[same].1 = at;
            }
            None => found.push((at, at)),
        }
    }
    found.retain(|(start, end)| (end - start) as f64 * step_secs >= stillness.least_secs);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 0.01;

    /// Stands for a second, steps half a metre forward and 10 cm up in half a second, stands again.
    fn step(size: f64) -> Vec<Vec3> {
        let place = |i: usize| {
            let u = ((i as f64 - 100.0) / 50.0).clamp(0.0, 1.0);
            Vec3::new(0.0, 0.1 * (std::f64::consts::PI * u).sin(), 0.5 * u) * size
        };
        (0..250).map(place).collect()
    }

    #[test]
    fn a_step_is_between_two_contacts_whatever_the_size() {
        for size in [0.2, 1.0, 1.75, 30.0] {
            let found = contacts(&step(size), STEP, &Stillness::of_size(size, true));
            assert_eq!(found.len(), 2, "{size}");
            assert!(found[0].0 == 0 && found[0].1.abs_diff(100) <= 2 && found[1].0.abs_diff(150) <= 2, "{found:?}");
        }
    }

    #[test]
    fn a_foot_held_up_is_no_contact_and_a_hand_is() {
        let mut places = step(1.0);
        places.extend((0..100).map(|_| Vec3::new(0.0, 0.4, 0.5)));
        assert_eq!(contacts(&places, STEP, &Stillness::of_size(1.0, true)).len(), 2);
        assert_eq!(contacts(&places, STEP, &Stillness::of_size(1.0, false)).len(), 3);
    }

    #[test]
    fn interruptions_are_bridged_and_moments_are_none() {
        let mut places = vec![Vec3::zeros(); 60];
        places[30].x = 0.1;
        let stillness = Stillness::of_size(1.7, true);
        assert_eq!(contacts(&places, STEP, &stillness), [(0, 59)]);
        assert_eq!(contacts(&places[..8], STEP, &stillness), []);
        places[20].x = f64::NAN;
        assert_eq!(contacts(&places, STEP, &stillness), [(0, 59)]);
        assert_eq!(contacts(&places, 0.0, &stillness), []);
        assert_eq!(contacts(&[], STEP, &stillness), []);
    }
}
