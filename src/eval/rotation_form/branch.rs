//! The two triples of Euler angles of every rotation, and which of them a curve takes.

use crate::math::rotation::wrap_angle;
use std::f64::consts::{PI, TAU};

/// Which of the two triples of every rotation a curve takes, all along: each is the other with outer angles half a turn on
/// and the middle one mirrored, so that what is followed in one is followed in the other too.
pub(super) struct Branch {
    mirrored: bool,
    add: [f64; 3],
}

impl Branch {
    /// The one with the smaller angles, whole turns aside: the middle angle has half the range of the others and counts
    /// double. So triples that an animator would key come back as they were keyed, and what turns about the middle axis alone
    /// does not turn about all three. Equals go to the triples as given.
    pub(super) fn simplest(triples: impl Iterator<Item = [f64; 3]>) -> Self {
        let (mut count, mut size, mut first) = (0.0, 0.0, None);
        for triple in triples {
            let [a, b, c] = triple.map(|angle| wrap_angle(angle).abs());
            size += a + 2.0 * b + c;
            count += 1.0;
            first = first.or(Some(triple));
        }
        let Some([a, b, c]) = first.filter(|_| size > count * TAU * (1.0 + 1e-9)) else {
            return Self { mirrored: false, add: [0.0; 3] };
        };
        // Whole turns so that the first is within half a turn of none.
        let outer = |angle: f64| wrap_angle(angle + PI) - angle;
        Self { mirrored: true, add: [outer(a), wrap_angle(PI - b) + b, outer(c)] }
    }

    pub(super) fn value(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        if self.mirrored { [a + self.add[0], self.add[1] - b, c + self.add[2]] } else { [a, b, c] }
    }

    pub(super) fn slope(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        if self.mirrored { [a, -b, c] } else { [a, b, c] }
    }
}
