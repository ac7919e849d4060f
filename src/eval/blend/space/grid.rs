//! Bilinear between rows and columns.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme, delaunay::Triangles, linear::Line};
use crate::math::{
    lanes::Lanes,
    triangulate::{Placed, Point, Triangulation},
};

/// The samples' coordinates span a grid of columns and rows. A crossing with a sample is that sample; one without takes the
/// barycentric weights of the triangles there, as engines bake scattered samples onto a grid. Between the four crossings
/// around a point weights are bilinear. Outside, the nearest point of the grid counts.
#[derive(Debug)]
pub(super) struct Grid;

/// How near to each other, as a part of the extent, coordinates are of one row.
const SAME_ROW: f64 = 1e-9;

impl WeightScheme for Grid {
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        let lines = [0, 1].map(|axis| lines(sites, axis));
        let place = |axis: usize, value: f64| {
            let at = lines[axis].0.partition_point(|line| *line <= value);
            // A row may begin a rounding error above the value.
            let near = |i: &usize| lines[axis].0.get(*i).map_or(f64::INFINITY, |line| (line - value).abs());
            [at.saturating_sub(1), at].into_iter().min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(0)
        };
        let mut crossings: Vec<([usize; 2], usize)> =
            sites.iter().enumerate().map(|(index, site)| ([place(0, site[0]), place(1, site[1])], index)).collect();
        crossings.sort_unstable();
        crossings.dedup_by_key(|(crossing, _)| *crossing);
        let triangles = Triangles(Triangulation::with_diagonals(sites, &options.diagonals));
        let mut grid = Crossings { lines, crossings, triangles, table: Vec::new() };
        let [columns, rows] = [0, 1].map(|axis| grid.lines[axis].0.len());
        if columns * rows <= TABLE {
            let all = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
            grid.table = all.map(|crossing| grid.found(crossing)).collect();
        }
        Box::new(grid)
    }
}

/// Up to how many crossings are looked up once for all: those of 64 samples of which no two share a row.
const TABLE: usize = 4096;

/// The columns or rows.
fn lines(sites: &[Point], axis: usize) -> Line {
    let mut values: Vec<f64> = sites.iter().map(|site| site[axis]).collect();
    values.sort_by(f64::total_cmp);
    let extent = values.last().unwrap_or(&0.0) - values.first().unwrap_or(&0.0);
    values.dedup_by(|next, known| *next - *known <= SAME_ROW * extent);
    Line(values)
}

#[derive(Debug)]
struct Crossings {
    /// Columns and rows.
    lines: [Line; 2],
    /// Column, row and sample, in that order.
    crossings: Vec<([usize; 2], usize)>,
    triangles: Triangles,
    /// What plays at each crossing, row by row; empty where they are too many.
    table: Vec<Placed>,
}

impl Weigher for Crossings {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        weights.fill(0.0);
        let [columns, rows] = [0, 1].map(|axis| self.lines[axis].neighbours(at[axis]));
        self.each(columns, rows, |sample, part| weights[sample] += part);
        let end = |axis: usize, of: Option<&f64>| of.copied().unwrap_or(at[axis]);
        let nearest = [0, 1].map(|axis| {
            let line = &self.lines[axis].0;
            at[axis].max(end(axis, line.first())).min(end(axis, line.last()))
        });
        if nearest == at { Landing::at(at) } else { Landing::beside(nearest) }
    }

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        weights.fill(Lanes::splat(0.0));
        let (rows, mut above) = (self.lines[1].neighbours(row.y), 0);
        for (lane, x) in row.x.0.into_iter().enumerate() {
            let columns = self.lines[0].neighbours_near(x, &mut above);
            self.each(columns, rows, |sample, part| weights[sample].0[lane] += part);
        }
    }
}

impl Crossings {
    /// Gives the parts of samples at the four crossings between neighbours; a sample may come several times.
    #[inline(always)]
    fn each(&self, columns: (usize, usize, f64), rows: (usize, usize, f64), mut add: impl FnMut(usize, f64)) {
        for (column, x) in [(columns.0, 1.0 - columns.2), (columns.1, columns.2)] {
            for (row, y) in [(rows.0, 1.0 - rows.2), (rows.1, rows.2)] {
                if x * y > 0.0 {
                    let number = row * self.lines[0].0.len() + column;
                    let known = self.table.get(number).copied();
                    let placed = known.unwrap_or_else(|| self.found([column, row]));
                    for (corner, weight) in placed.corners.iter().zip(placed.weights).take(placed.count) {
                        add(*corner, x * y * weight);
                    }
                }
            }
        }
    }

    /// What plays at a crossing.
    fn found(&self, crossing: [usize; 2]) -> Placed {
        let at = [0, 1].map(|axis| self.lines[axis].0[crossing[axis]]);
        match self.crossings.binary_search_by_key(&crossing, |(crossing, _)| *crossing) {
            Ok(found) => {
                let corners = [self.crossings[found].1; 3];
                Placed { at, inside: true, corners, weights: [1.0, 0.0, 0.0], count: 1 }
            }
            Err(_) => self.triangles.0.place(at),
        }
    }
}
