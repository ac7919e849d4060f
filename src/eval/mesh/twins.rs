//! Vertices that are mirror images of each other across the middle plane of a mesh.

use std::collections::HashMap;

/// Of each vertex the one at its mirror image across X = 0; none where there is none nearer than `tolerance`, metres. Of several at one
/// place the first is the twin of the first, the second of the second.
#[must_use]
pub fn twins(positions: &[[f32; 3]], tolerance: f32) -> Vec<Option<usize>> {
    let size = tolerance.max(1e-7);
    #[expect(clippy::cast_possible_truncation, reason = "a cell's number")]
    let cell = |at: &[f32; 3]| at.map(|x| (x / size).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (vertex, at) in positions.iter().enumerate() {
        cells.entry(cell(at)).or_default().push(vertex);
    }
    // All vertices nearer than the tolerance to a place, in order.
    let near = |at: &[f32; 3]| -> Vec<usize> {
        let middle = cell(at);
        let mut found = Vec::new();
        for step in 0..27_i64 {
            let by = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
            let around = std::array::from_fn(|axis| middle[axis].saturating_add(by[axis]));
            for vertex in cells.get(&around).into_iter().flatten() {
                let apart = (0..3).map(|axis| (positions[*vertex][axis] - at[axis]).powi(2)).sum::<f32>();
                if apart <= size * size {
                    found.push(*vertex);
                }
            }
        }
        found.sort_unstable();
        found
    };
    let twin = |(vertex, at): (usize, &[f32; 3])| {
        let rank = near(at).iter().position(|other| *other == vertex)?;
        let there = near(&[-at[0], at[1], at[2]]);
        there.get(rank).or(there.last()).copied()
    };
    positions.iter().enumerate().map(twin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_found_in_their_order_and_those_without_are_told() {
        let positions =
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 1e-5], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [5.0, 0.0, 0.0]];
        assert_eq!(twins(&positions, 1e-3), [Some(1), Some(0), Some(2), Some(4), Some(3), None]);
        assert_eq!(twins(&[], 1e-3), []);
        assert_eq!(twins(&[[f32::NAN; 3]], 1e-3), [None]);
    }
}
