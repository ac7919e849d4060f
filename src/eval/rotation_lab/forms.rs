//! One rotation in every form, any of which can be typed.

use crate::math::{
    EulerOrder, Mat3, Quat, Vec3,
    rotation::{
        EulerSolution, euler_solution, from_axis_angle, from_euler, nearest_rotation, rotation_angle, rotation_vector,
        to_euler, try_unit,
    },
};

/// A form a rotation can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Nine numbers, row by row.
    Matrix,
    /// The axis's three numbers, of any length, and the angle, radians.
    AxisAngle,
    /// `x, y, z, w`.
    Quaternion,
    /// Three angles in the order's sequence, radians.
    Euler(EulerOrder),
}

impl Form {
    /// All forms, in the order they are shown.
    pub const ALL: [Self; 9] = [
        Self::Quaternion,
        Self::AxisAngle,
        Self::Matrix,
        Self::Euler(EulerOrder::Xyz),
        Self::Euler(EulerOrder::Xzy),
        Self::Euler(EulerOrder::Yxz),
        Self::Euler(EulerOrder::Yzx),
        Self::Euler(EulerOrder::Zxy),
        Self::Euler(EulerOrder::Zyx),
    ];

    /// How many numbers it has.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Matrix => 9,
            Self::AxisAngle | Self::Quaternion => 4,
            Self::Euler(_) => 3,
        }
    }

    /// Whether one of its numbers is an angle.
    #[must_use]
    pub const fn is_angle(self, slot: usize) -> bool {
        match self {
            Self::Matrix | Self::Quaternion => false,
            Self::AxisAngle => slot == 3,
            Self::Euler(_) => true,
        }
    }

    /// The numbers of a rotation in this form; those beyond its count are 0.
    ///
    /// The axis of no rotation is X. Triples are principal ones; in gimbal lock the third angle is 0.
    #[must_use]
    pub fn numbers(self, rotation: &Quat) -> [f64; 9] {
        let mut numbers = [0.0; 9];
        match self {
            Self::Matrix => {
                let matrix = rotation.to_rotation_matrix();
                for row in 0..3 {
                    for column in 0..3 {
                        numbers[3 * row + column] = matrix[(row, column)];
                    }
                }
            }
            Self::AxisAngle => {
                let axis = rotation_vector(rotation).try_normalize(1e-150).unwrap_or_else(Vec3::x);
                numbers[..3].copy_from_slice(axis.as_slice());
                numbers[3] = rotation_angle(rotation);
            }
            Self::Quaternion => numbers[..4].copy_from_slice(rotation.coords.as_slice()),
            Self::Euler(order) => numbers[..3].copy_from_slice(&to_euler(order, rotation)),
        }
        // No minus before zero: it is no other rotation.
        numbers.map(|number| if number == 0.0 { 0.0 } else { number })
    }
}

/// What was made of numbers that were typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// They are a rotation, and it was taken.
    Exact,
    /// A quaternion of another length was brought to length 1.
    Normalised {
        /// The length it had.
        length: f64,
    },
    /// A matrix that is no rotation: the nearest one was taken.
    Nearest {
        /// By how much its numbers differ at most.
        off: f64,
        /// Whether it mirrors as well.
        mirrored: bool,
    },
    /// A number is not finite: the rotation stays as it was.
    NotFinite,
    /// A quaternion of length 0 is no rotation: it stays as it was.
    ZeroQuaternion,
    /// An angle about no axis: the rotation stays as it was.
    ZeroAxis,
    /// A matrix that presses all onto a line or a point has no nearest rotation: it stays as it was.
    Flat,
}

impl Said {
    /// Whether a rotation was taken.
    #[must_use]
    pub const fn is_taken(self) -> bool {
        matches!(self, Self::Exact | Self::Normalised { .. } | Self::Nearest { .. })
    }
}

/// How near typed numbers are to those of a rotation to count as one.
const EXACT: f64 = 1e-9;
/// A matrix whose second singular value is below this part of its first is flat.
const FLAT: f64 = 1e-9;

/// A rotation, and the numbers it was typed by: these stay as they are typed, in every other form it follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadOut {
    rotation: Quat,
    typed: Option<(Form, [f64; 9])>,
    said: Said,
}

impl ReadOut {
    /// The read-out of a rotation that was not typed.
    #[must_use]
    pub const fn of(rotation: Quat) -> Self {
        Self { rotation, typed: None, said: Said::Exact }
    }

    /// The rotation: the last one that could be taken.
    #[must_use]
    pub const fn rotation(&self) -> &Quat {
        &self.rotation
    }

    /// The form that was typed last, and what was made of it; none where nothing was typed.
    #[must_use]
    pub fn said(&self) -> Option<(Form, Said)> {
        self.typed.map(|(form, _)| (form, self.said))
    }

    /// The numbers of a form: as typed of the one that was typed, else those of the rotation.
    #[must_use]
    pub fn numbers(&self, form: Form) -> [f64; 9] {
        match self.typed {
            Some((typed, numbers)) if typed == form => numbers,
            _ => form.numbers(&self.rotation),
        }
    }

    /// The read-out with one number of a form typed; a slot the form has not changes nothing.
    #[must_use]
    pub fn with(&self, form: Form, slot: usize, value: f64) -> Self {
        let mut numbers = self.numbers(form);
        match numbers.get_mut(slot).filter(|_| slot < form.count()) {
            Some(number) => *number = value,
            None => return *self,
        }
        self.with_all(form, numbers)
    }

    /// The read-out with all numbers of a form typed; those beyond its count do not matter.
    #[must_use]
    pub fn with_all(&self, form: Form, mut numbers: [f64; 9]) -> Self {
        numbers[form.count()..].fill(0.0);
        let (rotation, said) = match understood(form, &numbers) {
            Ok((rotation, said)) => (rotation, said),
            Err(said) => (self.rotation, said),
        };
        Self { rotation, typed: Some((form, numbers)), said }
    }

    /// The read-out of the same rotation with the numbers that were typed made exact.
    #[must_use]
    pub const fn settled(&self) -> Self {
        Self::of(self.rotation)
    }

    /// The triple it was typed by, radians in the order's sequence, turns and all; none where it was typed otherwise or not
    /// taken.
    #[must_use]
    pub fn triple(&self) -> Option<(EulerOrder, [f64; 3])> {
        match self.typed {
            Some((Form::Euler(order), [a, b, c, ..])) if self.said.is_taken() => Some((order, [a, b, c])),
            _ => None,
        }
    }

    /// Whether an order is in gimbal lock, so that its outer angles are one of many pairs.
    #[must_use]
    pub fn is_locked(&self, order: EulerOrder) -> bool {
        matches!(euler_solution(order, &self.rotation), EulerSolution::Locked { .. })
    }
}

/// The rotation that numbers say.
fn understood(form: Form, numbers: &[f64; 9]) -> Result<(Quat, Said), Said> {
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(Said::NotFinite);
    }
    let [a, b, c, d, ..] = *numbers;
    match form {
        Form::Quaternion => {
            let rotation = try_unit(a, b, c, d).ok_or(Said::ZeroQuaternion)?;
            let length = a.hypot(b).hypot(c.hypot(d));
            let said = if (length - 1.0).abs() <= EXACT { Said::Exact } else { Said::Normalised { length } };
            Ok((rotation, said))
        }
        Form::AxisAngle => {
            let largest = a.abs().max(b.abs()).max(c.abs());
            match (largest > 0.0, d == 0.0) {
                (_, true) => Ok((Quat::identity(), Said::Exact)),
                // Scaled, so that no square vanishes or overflows.
                (true, false) => Ok((from_axis_angle(&(Vec3::new(a, b, c) / largest), d), Said::Exact)),
                (false, false) => Err(Said::ZeroAxis),
            }
        }
        Form::Matrix => nearest(&Mat3::from_row_slice(numbers)),
        Form::Euler(order) => Ok((from_euler(order, [a, b, c]), Said::Exact)),
    }
}

fn nearest(matrix: &Mat3) -> Result<(Quat, Said), Said> {
    let largest = matrix.amax();
    if largest == 0.0 {
        return Err(Said::Flat);
    }
    let scaled = matrix / largest;
    let values = scaled.singular_values();
    if values[1] <= FLAT * values[0] {
        return Err(Said::Flat);
    }
    let rotation = nearest_rotation(&scaled);
    let off = (matrix - rotation.to_rotation_matrix().matrix()).amax();
    let said = if off <= EXACT { Said::Exact } else { Said::Nearest { off, mirrored: scaled.determinant() < 0.0 } };
    Ok((rotation, said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::chord_angle;
    use std::f64::consts::{FRAC_PI_2, PI, TAU};

    fn some() -> Vec<Quat> {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(1.0, -2.0, 0.5), Vec3::new(-1.0, 1e-9, 0.0)];
        let angles = [0.0, 1e-9, 0.3, FRAC_PI_2, 2.5, PI, 4.0, 6.0];
        axes.iter().flat_map(|axis| angles.map(|angle| from_axis_angle(axis, angle))).collect()
    }

    #[test]
    fn every_form_typed_back_is_the_same_rotation_and_all_others_follow() {
        for rotation in some() {
            let shown = ReadOut::of(rotation);
            for form in Form::ALL {
                let typed = ReadOut::of(Quat::identity()).with_all(form, shown.numbers(form));
                assert!(chord_angle(typed.rotation(), &rotation) < 2e-9, "{form:?} {rotation:?}");
                assert_eq!(typed.said(), Some((form, Said::Exact)), "{rotation:?}");
                assert_eq!(typed.numbers(form), shown.numbers(form), "as typed");
                for other in Form::ALL {
                    let again = ReadOut::of(Quat::identity()).with_all(other, typed.numbers(other));
                    assert!(chord_angle(again.rotation(), &rotation) < 4e-9, "{form:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_rotation_is_said_and_defined() {
        let before = ReadOut::of(from_axis_angle(&Vec3::y(), 1.0));
        let said = |form, numbers: &[f64]| {
            let mut all = [0.0; 9];
            all[..numbers.len()].copy_from_slice(numbers);
            let typed = before.with_all(form, all);
            let (of, said) = typed.said().unwrap();
            assert_eq!(of, form);
            assert!(said.is_taken() || typed.rotation() == before.rotation(), "{said:?}");
            assert_eq!(typed.numbers(form)[..numbers.len()].len(), numbers.len());
            (said, *typed.rotation())
        };
        assert_eq!(said(Form::Quaternion, &[0.0; 4]).0, Said::ZeroQuaternion);
        assert_eq!(said(Form::Quaternion, &[0.0, f64::NAN, 0.0, 1.0]).0, Said::NotFinite);
        assert_eq!(said(Form::Euler(EulerOrder::Zxy), &[f64::INFINITY, 0.0, 0.0]).0, Said::NotFinite);
        assert_eq!(said(Form::AxisAngle, &[0.0, 0.0, 0.0, 1.0]).0, Said::ZeroAxis);
        assert_eq!(said(Form::AxisAngle, &[0.0; 4]), (Said::Exact, Quat::identity()));
        assert_eq!(said(Form::Matrix, &[0.0; 9]).0, Said::Flat);
        assert_eq!(said(Form::Matrix, &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]).0, Said::Flat);
        let (long, q) = said(Form::Quaternion, &[0.0, 0.0, 3.0, 4.0]);
        assert_eq!(long, Said::Normalised { length: 5.0 });
        assert!((q.coords - nalgebra::Vector4::new(0.0, 0.0, 0.6, 0.8)).norm() < 1e-15);
        // A mirror: the nearest rotation of diag(1, 1, -0.9) turns the cheapest direction over.
        let (mirror, q) = said(Form::Matrix, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -0.9]);
        assert!(matches!(mirror, Said::Nearest { mirrored: true, off } if (off - 1.9).abs() < 1e-12), "{mirror:?}");
        assert!(rotation_angle(&q) < 1e-7);
        let (sheared, _) = said(Form::Matrix, &[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(matches!(sheared, Said::Nearest { mirrored: false, off } if off > 0.1), "{sheared:?}");
        // Out of any proportion, in both directions.
        for scale in [1e-300, 1e300] {
            let (huge, q) = said(Form::Matrix, &[0.0, -scale, 0.0, scale, 0.0, 0.0, 0.0, 0.0, scale]);
            assert!(matches!(huge, Said::Nearest { .. }), "{huge:?}");
            assert!(chord_angle(&q, &from_axis_angle(&Vec3::z(), FRAC_PI_2)) < 1e-9);
            let (exact, q) = said(Form::AxisAngle, &[0.0, scale, 0.0, 0.5]);
            assert!(exact == Said::Exact && chord_angle(&q, &from_axis_angle(&Vec3::y(), 0.5)) < 1e-12);
        }
    }

    /// Of a matrix, as typed number by number, the polar factor: no rotation is nearer.
    #[test]
    fn the_nearest_rotation_has_no_nearer_one() {
        let numbers = [0.9, -0.3, 0.2, 0.4, 0.8, -0.1, 0.1, 0.3, 1.1];
        let typed = ReadOut::of(Quat::identity()).with_all(Form::Matrix, numbers);
        let matrix = Mat3::from_row_slice(&numbers);
        let off = |q: &Quat| (matrix - q.to_rotation_matrix().matrix()).norm();
        for axis in [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()] {
            let other = typed.rotation() * from_axis_angle(&axis, 1e-3);
            assert!(off(&other) > off(typed.rotation()), "{axis}");
        }
    }

    #[test]
    fn numbers_stay_as_typed_until_another_form_is() {
        let mut shown = ReadOut::of(Quat::identity());
        let order = EulerOrder::Yxz;
        shown = shown.with(Form::Euler(order), 1, 3.0 * TAU + 0.5);
        assert_eq!(shown.triple(), Some((order, [0.0, 3.0 * TAU + 0.5, 0.0])));
        assert!(chord_angle(shown.rotation(), &from_axis_angle(&Vec3::x(), 0.5)) < 1e-12);
        // A matrix typed number by number on its way to a quarter turn about Z.
        for (slot, value) in [(0, 0.0), (1, -1.0), (3, 1.0), (4, 0.0)] {
            shown = ReadOut::of(*shown.rotation()).with(Form::Matrix, slot, value);
        }
        assert!(shown.triple().is_none());
        let mut draft = ReadOut::of(Quat::identity());
        for (slot, value) in [(0, 0.0), (1, -1.0), (3, 1.0), (4, 0.0)] {
            draft = draft.with(Form::Matrix, slot, value);
        }
        assert_eq!(draft.said(), Some((Form::Matrix, Said::Exact)));
        assert!(chord_angle(draft.rotation(), &from_axis_angle(&Vec3::z(), FRAC_PI_2)) < 1e-9);
        assert_eq!(draft.with(Form::Quaternion, 4, 1.0), draft, "no such number");
        assert_eq!(draft.settled().said(), None);
        assert!(ReadOut::of(from_euler(order, [0.3, FRAC_PI_2, 0.4])).is_locked(order));
        assert!(!ReadOut::of(from_euler(order, [0.3, 1.5, 0.4])).is_locked(order));
    }
}
