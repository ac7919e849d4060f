//! Weights over an area: heat maps of one sample or of all, and where two schemes differ.

use super::{PreparedSpace, SchemeOptions};
use crate::{math::triangulate::Point, model::BlendScheme};

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

/// Fills a picture, a value a pixel, from the weights of all samples there: `pixel` makes a colour or a number of them. Rows
/// are shared among as many threads as the machine has cores; each pixel is the same whatever their number.
#[must_use]
pub fn heat_map<T: Send + Clone + Default>(
    space: &PreparedSpace,
    map: &HeatMap,
    pixel: &(dyn Fn(&[f64]) -> T + Sync),
) -> Vec<T> {
    let mut picture = vec![T::default(); map.width * map.height];
    if picture.is_empty() {
        return picture;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(map.height);
    let rows = map.height.div_ceil(threads);
    let fill = |first: usize, part: &mut [T]| {
        let mut weights = vec![0.0; space.samples()];
        for (row, line) in part.chunks_mut(map.width).enumerate() {
            for (column, value) in line.iter_mut().enumerate() {
                space.weights(map.point(column, first + row), &mut weights);
                *value = pixel(&weights);
            }
        }
    };
    std::thread::scope(|scope| {
        let mut parts = picture.chunks_mut(rows * map.width).enumerate();
        let own = parts.next();
        for (index, part) in parts {
            scope.spawn(move || fill(index * rows, part));
        }
        if let Some((_, part)) = own {
            fill(0, part);
        }
    });
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
    let [first, second] = schemes.map(|scheme| PreparedSpace::new(scheme, points, options));
    let [a, b] = [&first, &second].map(|space| heat_map(space, map, &<[f64]>::to_vec));
    let differ = |(a, b): (&Vec<f64>, &Vec<f64>)| 0.5 * a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
    a.iter().zip(&b).map(differ).collect()
}
