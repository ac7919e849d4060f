//! Functions of space: one file each, and a row in the table.
//!
//! Each maps a point of the deformer's space to where it goes, given the kind's numbers in the order of
//! [`DeformerKind::parameters`].

mod bend;
mod bulge;
mod shear;
mod squash;
mod still;
mod taper;
mod twist;
mod wave;

pub use bend::along_x;
pub use squash::{across, bounce, stretched};
pub use taper::tapered;
pub use twist::turned;

use crate::{
    math::Vec3,
    model::{DeformerKind, Property},
};
use std::f64::consts::TAU;

/// What a kind of deformer does.
struct Row {
    /// Where a point goes.
    moved: fn(&[f64], &Vec3) -> Vec3,
    /// Whether these numbers move nothing at all.
    rests: fn(&[f64]) -> bool,
    /// Where the handle of the first number is, in the deformer's space.
    handle: fn(&[f64]) -> Vec3,
    /// The first number that brings the handle nearest to a place.
    pulled: fn(&[f64], &Vec3) -> f64,
}

macro_rules! rows {
    ($($kind:ident $file:ident),*) => {
        const fn row(kind: DeformerKind) -> Row {
            match kind {
                $(DeformerKind::$kind => Row {
                    moved: $file::moved,
                    rests: $file::rests,
                    handle: $file::handle,
                    pulled: $file::pulled,
                }),*
            }
        }
    };
}

rows! {
    Bend bend, Twist twist, Taper taper, Squash squash, Shear shear, Wave wave, Bulge bulge, Drag still, Warp still
}

/// A function with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Which.
    pub kind: DeformerKind,
    /// Its numbers, in the order of the kind's parameters.
    pub numbers: Vec<f64>,
}

impl Function {
    /// Where a point of the deformer's space goes.
    #[must_use]
    pub fn moved(&self, at: &Vec3) -> Vec3 {
        if self.rests() { *at } else { (row(self.kind).moved)(&self.numbers, at) }
    }

    /// Whether it moves nothing at all: at its resting numbers, where its ends leave no length between them, or where a number
    /// is missing or none.
    #[must_use]
    pub fn rests(&self) -> bool {
        let complete = self.numbers.len() == self.kind.parameters().len();
        !complete || self.numbers.iter().any(|number| !number.is_finite()) || (row(self.kind).rests)(&self.numbers)
    }
}

impl Function {
    /// Where the handle of its first number is, in the deformer's space.
    #[must_use]
    pub fn handle(&self) -> Vec3 {
        (row(self.kind).handle)(&self.numbers)
    }

    /// The first number that brings its handle nearest to a place, as near as can be to what it is where several do.
    #[must_use]
    pub fn pulled(&self, at: &Vec3) -> f64 {
        let value = (row(self.kind).pulled)(&self.numbers, at);
        if value.is_finite() { value } else { number(&self.numbers, 0) }
    }

    /// Its ends along the axis; half a metre to each side where its kind has none, or none apart.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        let own = |property| {
            let at = self.kind.parameters().iter().position(|parameter| parameter.property == property)?;
            self.numbers.get(at).copied()
        };
        match (own(Property::Low), own(Property::High)) {
            (Some(low), Some(high)) if high > low => (low, high),
            _ => (-0.5, 0.5),
        }
    }
}

/// How far from the axis a handle stands, in parts of the length.
const ASIDE: f64 = 0.4;

/// The angle nearest to another that is the same but for whole turns.
fn near_turn(angle: f64, other: f64) -> f64 {
    angle + ((other - angle) / TAU).round() * TAU
}

/// A number of a list; 0 beyond it.
fn number(numbers: &[f64], at: usize) -> f64 {
    numbers.get(at).copied().unwrap_or(0.0)
}

/// Whether the second and third number leave no length between them.
fn no_length(numbers: &[f64]) -> bool {
    number(numbers, 2) <= number(numbers, 1)
}

/// How far along from the low end a height is, brought between the ends; and the length between them.
fn between(numbers: &[f64], height: f64) -> (f64, f64) {
    let length = number(numbers, 2) - number(numbers, 1);
    ((height - number(numbers, 1)).clamp(0.0, length), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(kind: DeformerKind, set: &[(Property, f64)]) -> Function {
        let number = |p: &crate::model::Parameter| {
            set.iter().find(|(property, _)| *property == p.property).map_or(p.resting, |(_, value)| *value)
        };
        Function { kind, numbers: kind.parameters().iter().map(number).collect() }
    }

    fn acting(kind: DeformerKind) -> Function {
        let set = [
            (Property::Angle, 1.3),
            (Property::Factor, 1.7),
            (Property::Amplitude, 0.2),
            (Property::Low, -0.4),
            (Property::High, 0.9),
        ];
        function(kind, &set)
    }

    /// The volume of a small box after a function, in parts of what it was.
    fn stretch(function: &Function, at: &Vec3) -> f64 {
        let h = 1e-5;
        let edge = |axis: usize| {
            let step = Vec3::ith(axis, h);
            (function.moved(&(at + step)) - function.moved(&(at - step))) / (2.0 * h)
        };
        edge(0).cross(&edge(1)).dot(&edge(2))
    }

    #[test]
    fn at_its_resting_numbers_every_kind_moves_nothing_to_the_bit() {
        for kind in DeformerKind::ALL {
            let rest = function(kind, &[]);
            let at = Vec3::new(0.3, -0.7, 11.0);
            assert!(rest.rests() && rest.moved(&at) == at, "{kind:?}");
            assert!(kind.has_landmarks() || !acting(kind).rests(), "{kind:?}");
        }
    }

    #[test]
    fn squash_and_twist_and_shear_keep_the_volume() {
        for kind in [DeformerKind::Squash, DeformerKind::Twist, DeformerKind::Shear] {
            for at in [Vec3::new(0.2, 0.1, -0.3), Vec3::new(-0.5, 0.7, 0.4), Vec3::new(0.1, 3.0, 0.1)] {
                assert!((stretch(&acting(kind), &at) - 1.0).abs() < 1e-8, "{kind:?}");
            }
        }
    }

    #[test]
    fn a_bend_keeps_lengths_across_and_along_its_middle_and_is_rigid_beyond_its_ends() {
        let bend = acting(DeformerKind::Bend);
        let moved = |x: f64, y: f64, z: f64| bend.moved(&Vec3::new(x, y, z));
        // Across the axis nothing is squeezed: the thickness stays.
        assert!(((moved(0.3, 0.2, 0.1) - moved(-0.1, 0.2, 0.1)).norm() - 0.4).abs() < 1e-12);
        let pieces = 4000;
        let along = |i: i32| moved(0.0, -0.4 + 1.3 * f64::from(i) / f64::from(pieces), 0.0);
        let length: f64 = (0..pieces).map(|i| (along(i + 1) - along(i)).norm()).sum();
        assert!((length - 1.3).abs() < 1e-6);
        for (a, b) in [([0.3, 1.0, 0.2], [-0.2, 2.0, 0.4]), ([0.3, -0.5, 0.2], [-0.2, -2.0, 0.4])] {
            let apart = (Vec3::from(a) - Vec3::from(b)).norm();
            assert!(((moved(a[0], a[1], a[2]) - moved(b[0], b[1], b[2])).norm() - apart).abs() < 1e-12);
        }
        assert_eq!(moved(0.3, -0.5, 0.2), Vec3::new(0.3, -0.5, 0.2));
    }

    #[test]
    fn a_pulled_handle_is_where_it_was_pulled_to() {
        for kind in DeformerKind::ALL {
            let one = acting(kind);
            assert!((one.pulled(&one.handle()) - one.numbers[0]).abs() < 1e-9, "{kind:?}");
            for wanted in [0.3, 1.2, 4.0] {
                let mut numbers = one.numbers.clone();
                numbers[0] = wanted;
                let other = Function { kind, numbers };
                assert!((other.pulled(&other.handle()) - wanted).abs() < 1e-9, "{kind:?} {wanted}");
            }
            assert!(one.pulled(&Vec3::repeat(f64::NAN)).is_finite());
        }
    }

    #[test]
    fn nothing_jumps_at_the_ends_and_nothing_is_lost_in_degenerate_numbers() {
        for kind in DeformerKind::ALL {
            let one = acting(kind);
            for y in [-0.4, 0.9] {
                let side = |d: f64| one.moved(&Vec3::new(0.2, y + d, -0.1));
                assert!((side(1e-9) - side(-1e-9)).norm() < 1e-7, "{kind:?} at {y}");
            }
            for broken in [f64::NAN, f64::INFINITY] {
                let mut numbers = one.numbers.clone();
                numbers[0] = broken;
                assert!(Function { kind, numbers }.rests());
            }
            assert!(Function { kind, numbers: Vec::new() }.rests());
        }
        let flat = function(DeformerKind::Bend, &[(Property::Angle, 1.0), (Property::Low, 0.5)]);
        assert!(flat.rests());
        let tiny = function(DeformerKind::Bend, &[(Property::Angle, 1e-9)]);
        assert!((tiny.moved(&Vec3::new(0.1, 0.2, 0.3)) - Vec3::new(0.1, 0.2, 0.3)).norm() < 1e-8);
    }
}
