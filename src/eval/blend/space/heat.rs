//! Weights over an area: heat maps of one sample or of all, and where two schemes differ.

use super::{PreparedSpace, Row, SchemeOptions, prepared::RowRoom};
use crate::{
    math::{
        lanes::{LANES, Lanes},
        triangulate::Point,
    },
    model::BlendScheme,
};
use std::sync::{Mutex, PoisonError};

/// An area of a space as a picture: rows from the top (the highest second coordinate) down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatMap {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// The corner with the lowest coordinates.
    pub low: Point,
    /// The corner with the highest coordinates.
    pub high: Point,
}

impl HeatMap {
    /// The point of the space at the middle of a pixel.
    #[must_use]
    pub fn point(&self, column: usize, row: usize) -> Point {
        let part = |index: usize, count: usize| (index as f64 + 0.5) / count.max(1) as f64;
        let (x, y) = (part(column, self.width), 1.0 - part(row, self.height));
        [self.low[0] + x * (self.high[0] - self.low[0]), self.low[1] + y * (self.high[1] - self.low[1])]
    }
}

/// Fills a picture, a value a pixel, from the weights of all samples there: `pixel` makes colours or numbers of them, eight
/// points at a time, the weights of each sample side by side. The weights are those of [`PreparedSpace::weights`] to the bit,
/// whatever the number of cores that share the rows.
#[must_use]
pub fn heat_map<T: Send + Clone + Default>(
    space: &PreparedSpace,
    map: &HeatMap,
    pixel: impl Fn(&[Lanes<f64>]) -> [T; LANES] + Sync,
) -> Vec<T> {
    filled(map, space.scheme().axes() < 2, || {
        let (pixel, mut room) = (&pixel, RowRoom::new(space));
        move |row: &Row| {
            space.row(row, &mut room);
            pixel(&room.weights)
        }
    })
}

/// Rows that a core takes at a time: few, for one row may be much more work than another.
const ROWS: usize = 8;

/// A picture of eight pixels after the other: `filler` makes one that fills them, for each core. Where all rows are alike one
/// is filled.
fn filled<T: Send + Clone + Default, F: FnMut(&Row) -> [T; LANES]>(
    map: &HeatMap,
    rows_alike: bool,
    filler: impl Fn() -> F + Sync,
) -> Vec<T> {
    let (width, height) = (map.width, if rows_alike { map.height.min(1) } else { map.height });
    let mut picture = vec![T::default(); width * height];
    if picture.is_empty() {
        return picture;
    }
    // The last one's points beyond the edge are those at it.
    let x = |column: usize| map.point(column.min(width - 1), 0)[0];
    let columns: Vec<Lanes<f64>> =
        (0..width.div_ceil(LANES)).map(|at| Lanes(std::array::from_fn(|lane| x(at * LANES + lane)))).collect();
    let open = Mutex::new(picture.chunks_mut(ROWS * width).enumerate());
    let work = || {
        let mut fill = filler();
        loop {
            let next = open.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((part, rows)) = next else { return };
            for (row, line) in rows.chunks_mut(width).enumerate() {
                let y = map.point(0, part * ROWS + row)[1];
                for (pixels, x) in line.chunks_mut(LANES).zip(&columns) {
                    for (pixel, found) in pixels.iter_mut().zip(fill(&Row { x: *x, y })) {
                        *pixel = found;
                    }
                }
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(height.div_ceil(ROWS));
    std::thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
    if rows_alike {
        picture = picture.iter().cloned().cycle().take(width * map.height).collect();
    }
    picture
}

/// How much two schemes differ over an area: half the sum of the absolute differences of all weights, 0 where they agree,
/// 1 where they play different clips altogether.
#[must_use]
pub fn scheme_difference(
    schemes: [BlendScheme; 2],
    points: &[Point],
    options: &SchemeOptions,
    map: &HeatMap,
) -> Vec<f64> {
    let spaces = schemes.map(|scheme| PreparedSpace::new(scheme, points, options));
    filled(map, schemes.iter().all(|scheme| scheme.axes() < 2), || {
        let [(a, mut room_a), (b, mut room_b)] = spaces.each_ref().map(|space| (space, RowRoom::new(space)));
        move |row: &Row| {
            a.row(row, &mut room_a);
            b.row(row, &mut room_b);
            let apart = |(a, b): (&Lanes<f64>, &Lanes<f64>)| (*a - *b).map(|apart| 0.5 * apart.abs());
            room_a.weights.iter().zip(&room_b.weights).map(apart).fold(Lanes::splat(0.0), |sum, next| sum + next).0
        }
    })
}
