//! Euler channels are named by axis, triples are ordered by multiplication: the one place that goes between them.

use crate::math::EulerOrder;

/// The place in a triple of the angle about an axis (0 = X, 1 = Y, 2 = Z).
#[must_use]
pub const fn axis_slot(order: EulerOrder, axis: usize) -> usize {
    let axes = order.axes();
    if axes[0] == axis {
        0
    } else if axes[1] == axis {
        1
    } else {
        2
    }
}

/// A triple in the order's sequence, from angles by axis X, Y, Z.
#[must_use]
pub fn place_angles(order: EulerOrder, by_axis: [f64; 3]) -> [f64; 3] {
    order.axes().map(|axis| by_axis[axis])
}

/// Angles by axis X, Y, Z, from a triple in the order's sequence.
#[must_use]
pub fn read_angles(order: EulerOrder, triple: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| triple[axis_slot(order, axis)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placing_and_reading_undo_each_other() {
        for order in EulerOrder::ALL {
            assert_eq!(read_angles(order, place_angles(order, [1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
            for axis in 0..3 {
                assert_eq!(order.axes()[axis_slot(order, axis)], axis);
            }
        }
        assert_eq!(place_angles(EulerOrder::Zxy, [1.0, 2.0, 3.0]), [3.0, 1.0, 2.0]);
    }
}
