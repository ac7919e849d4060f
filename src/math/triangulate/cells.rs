//! Which triangles can hold a point: a grid of cells over them.

use super::Point;

/// Cells to a side: a few triangles each where the points are a few dozen.
const SIDE: usize = 24;

/// A grid over the triangles' extent; each cell knows the triangles whose boxes reach into it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cells {
    low: Point,
    /// Cells per unit.
    per_unit: Point,
    /// Where the list of each cell begins in `list`; one more than cells.
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Cells {
    /// The cells of triangles.
    pub(super) fn new(points: &[Point], triangles: &[[usize; 3]]) -> Self {
        let corners = || triangles.iter().flatten().map(|corner| points[*corner]);
        let mut grid = Self::default();
        for axis in 0..2 {
            let low = corners().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
            let high = corners().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
            grid.low[axis] = low;
            grid.per_unit[axis] = SIDE as f64 / (high - low);
        }
        let mut cells = vec![Vec::new(); SIDE * SIDE];
        for (index, triangle) in (0u32..).zip(triangles) {
            let reach = |axis: usize| {
                let of = |corner: usize| grid.cell(axis, points[corner][axis]);
                let [a, b, c] = triangle.map(of);
                // One more on each side: rounding must not lose a triangle.
                a.min(b).min(c).saturating_sub(1)..=(a.max(b).max(c) + 1).min(SIDE - 1)
            };
            for y in reach(1) {
                for x in reach(0) {
                    cells[y * SIDE + x].push(index);
                }
            }
        }
        for cell in cells {
            grid.starts.push(u32::try_from(grid.list.len()).unwrap_or(u32::MAX));
            grid.list.extend(cell);
        }
        grid.starts.push(u32::try_from(grid.list.len()).unwrap_or(u32::MAX));
        grid
    }

    /// The cell along an axis, clamped to the grid.
    fn cell(&self, axis: usize, value: f64) -> usize {
        // A cast of a negative number or of NaN gives 0.
        (((value - self.low[axis]) * self.per_unit[axis]) as usize).min(SIDE - 1)
    }

    /// The triangles that may hold a point.
    #[inline]
    pub(super) fn at(&self, p: Point) -> &[u32] {
        let cell = self.cell(1, p[1]) * SIDE + self.cell(0, p[0]);
        let start = self.starts.get(cell).map_or(0, |start| *start as usize);
        let end = self.starts.get(cell + 1).map_or(0, |end| *end as usize);
        self.list.get(start..end).unwrap_or(&[])
    }
}
