//! Contours of a function over a plane: where it has a level, by marching squares on a grid.

/// A piece of a contour, between two places of the plane.
pub type Piece = [[f64; 2]; 2];

/// The values of a function on a grid of places.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Places across, at least 2.
    pub columns: usize,
    /// Places up, at least 2.
    pub rows: usize,
    /// The corner with the lowest coordinates.
    pub low: [f64; 2],
    /// The corner with the highest coordinates.
    pub high: [f64; 2],
    /// The value at each place, row by row from the lowest.
    pub values: &'a [f64],
}

impl Field<'_> {
    /// The place of a column and a row.
    #[must_use]
    pub fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let part = |at: usize, count: usize| at as f64 / (count.max(2) - 1) as f64;
        let parts = [part(column, self.columns), part(row, self.rows)];
        std::array::from_fn(|axis| self.low[axis] + parts[axis] * (self.high[axis] - self.low[axis]))
    }

    fn value(&self, column: usize, row: usize) -> f64 {
        self.values.get(row * self.columns + column).copied().unwrap_or(f64::NAN)
    }

    /// The contours at each level, as loose pieces: where one crosses a side of a cell is found by straight interpolation; a
    /// cell crossed at all four sides is told by the function in its middle, which `at` gives for a place. A cell with a
    /// corner that is no number has none.
    #[must_use]
    pub fn contours(&self, levels: &[f64], at: impl Fn([f64; 2]) -> f64) -> Vec<Vec<Piece>> {
        let mut out = vec![Vec::new(); levels.len()];
        for row in 1..self.rows {
            for column in 1..self.columns {
                let corners = [(column - 1, row - 1), (column, row - 1), (column, row), (column - 1, row)];
                let values = corners.map(|(column, row)| self.value(column, row));
                if values.iter().any(|value| value.is_nan()) {
                    continue;
                }
                let places = corners.map(|(column, row)| self.place(column, row));
                for (pieces, level) in out.iter_mut().zip(levels) {
                    let middle = || at([0, 1].map(|i| f64::midpoint(places[0][i], places[2][i])));
                    cell(&places, &values, *level, pieces, middle);
                }
            }
        }
        out
    }
}

fn cell(places: &[[f64; 2]; 4], values: &[f64; 4], level: f64, out: &mut Vec<Piece>, middle: impl Fn() -> f64) {
    let mut crossings: Vec<[f64; 2]> = Vec::with_capacity(4);
    for side in 0..4 {
        let (from, to) = (side, (side + 1) % 4);
        let (a, b) = (values[from] - level, values[to] - level);
        if (a < 0.0) != (b < 0.0) {
            let part = a / (a - b);
            crossings.push([0, 1].map(|i| places[from][i] + (places[to][i] - places[from][i]) * part));
        }
    }
    match crossings[..] {
        [a, b] => out.push([a, b]),
        // A saddle: the middle says which corners go together.
        [a, b, c, d] if (middle() < level) == (values[0] < level) => out.extend([[a, b], [c, d]]),
        [a, b, c, d] => out.extend([[d, a], [b, c]]),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_and_what_is_no_number_is_passed_over() {
        let value = |[x, y]: [f64; 2]| x.hypot(y);
        let grid = Field { columns: 41, rows: 31, low: [-2.0, -1.5], high: [2.0, 1.5], values: &[] };
        let of = |grid: Field<'_>| -> Vec<f64> {
            (0..31).flat_map(|row| (0..41).map(move |column| value(grid.place(column, row)))).collect()
        };
        let mut values = of(grid);
        let found = Field { values: &values, ..grid }.contours(&[1.0, 9.0], value);
        assert!(found[0].len() > 60 && found[1].is_empty());
        let length: f64 = found[0].iter().map(|[a, b]| (a[0] - b[0]).hypot(a[1] - b[1])).sum();
        assert!((length - std::f64::consts::TAU).abs() < 0.02, "{length}");
        for place in found[0].iter().flatten() {
            assert!((value(*place) - 1.0).abs() < 2e-3);
        }
        values.fill(f64::NAN);
        assert!(Field { values: &values, ..grid }.contours(&[1.0], value)[0].is_empty());
        assert!(Field { values: &values[..3], ..grid }.contours(&[1.0], value)[0].is_empty());
    }

    #[test]
    fn a_saddle_is_told_by_its_middle() {
        let grid = Field { columns: 2, rows: 2, low: [0.0, 0.0], high: [1.0, 1.0], values: &[1.0, -1.0, -1.0, 1.0] };
        // The corners of one sign go together where the middle has that sign.
        for (middle, joins) in [(0.5, false), (-0.5, true)] {
            let pieces = &grid.contours(&[0.0], |_| middle)[0];
            assert_eq!(pieces.len(), 2);
            // About the corner at the origin, or about the one beside it.
            let around = |corner: [f64; 2]| {
                pieces
                    .iter()
                    .any(|piece| piece.iter().all(|p| (p[0] - corner[0]).abs() + (p[1] - corner[1]).abs() < 0.6))
            };
            assert_eq!((around([0.0, 0.0]), around([1.0, 0.0])), (joins, !joins));
        }
    }
}
