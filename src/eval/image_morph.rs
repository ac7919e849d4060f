//! Two pictures blended into each other: by mixing their colours alone, or by warping both so that what belongs together lies together
//! (SPEC D8, D9). Places are parts of the picture, from 0 at its left and top to 1.

use crate::{
    math::rbf::{Kernel, Rbf, RbfReport},
    progress::on_cores,
};

/// A picture, row by row from the top: red, green and blue as shown, 0..1.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    /// Pixels a row, at least 1.
    pub width: usize,
    /// Rows, at least 1.
    pub height: usize,
    /// The pixels.
    pub pixels: Vec<[f32; 3]>,
}

/// A thread is worth starting for so many pixels.
const LEAST_PIXELS: usize = 4_000;

impl Raster {
    /// A picture of the colours of places, each pixel that of its middle; on as many cores as there are.
    #[must_use]
    pub fn of(width: usize, height: usize, color: impl Fn([f64; 2]) -> [f32; 3] + Sync) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
        let part = |at: usize, count: usize| (at as f64 + 0.5) / count as f64;
        let row = |y: usize| (0..width).map(|x| color([part(x, width), part(y, height)])).collect::<Vec<_>>();
        let rows = on_cores((0..height).collect(), width * height / LEAST_PIXELS, row);
        Self { width, height, pixels: rows.concat() }
    }

    /// A picture from a file, rows from the top, straight alpha over white, made smaller where a side is longer than `most`: each pixel
    /// is the mean of those it stands for. One grey pixel where there are fewer pixels than its size says, or none.
    #[must_use]
    pub fn reduced([width, height]: [usize; 2], pixels: &[[u8; 4]], most: usize) -> Self {
        if width == 0 || height == 0 || pixels.len() < width.saturating_mul(height) {
            return Self { width: 1, height: 1, pixels: vec![[0.5; 3]] };
        }
        let longer = width.max(height);
        let to = |side: usize| if longer > most { (side * most.max(1) / longer).max(1) } else { side };
        let (columns, rows) = (to(width), to(height));
        let over_white = |pixel: &[u8; 4]| -> [f32; 3] {
            let part = |value: u8| f32::from(value) / 255.0;
            std::array::from_fn(|k| 1.0 + (part(pixel[k]) - 1.0) * part(pixel[3]))
        };
        let range = |at: usize, count: usize, all: usize| at * all / count..((at + 1) * all / count).min(all);
        let row = |y: usize| {
            let mean = |x: usize| {
                let (mut sum, mut count) = ([0.0_f32; 3], 0.0_f32);
                for line in range(y, rows, height) {
                    let from = range(x, columns, width);
                    for pixel in pixels.get(line * width + from.start..line * width + from.end).unwrap_or_default() {
                        sum.iter_mut().zip(over_white(pixel)).for_each(|(sum, value)| *sum += value);
                        count += 1.0;
                    }
                }
                sum.map(|sum| sum / count.max(1.0))
            };
            (0..columns).map(mean).collect::<Vec<_>>()
        };
        let pixels = on_cores((0..rows).collect(), pixels.len() / LEAST_PIXELS, row).concat();
        Self { width: columns, height: rows, pixels }
    }

    /// The colour at a place, between the pixels about it; beyond the edges that of the edge.
    #[must_use]
    pub fn at(&self, place: [f64; 2]) -> [f32; 3] {
        #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
        let along = |part: f64, count: usize| {
            let at = part.mul_add(count as f64, -0.5).clamp(0.0, count as f64 - 1.0);
            if at.is_finite() { at } else { 0.0 }
        };
        let (x, y) = (along(place[0], self.width), along(place[1], self.height));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the picture")]
        let (left, top) = (x as usize, y as usize);
        let pixel = |dx: usize, dy: usize| {
            let (x, y) = ((left + dx).min(self.width - 1), (top + dy).min(self.height - 1));
            self.pixels.get(y * self.width + x).copied().unwrap_or_default()
        };
        #[expect(clippy::cast_possible_truncation, reason = "colours")]
        let (u, v) = (x.fract() as f32, y.fract() as f32);
        mixed(&mixed(&pixel(0, 0), &pixel(1, 0), u), &mixed(&pixel(0, 1), &pixel(1, 1), u), v)
    }
}

fn mixed(a: &[f32; 3], b: &[f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|at| a[at] + (b[at] - a[at]) * part)
}

/// The colours of two pictures mixed, 0 the first and 1 the second: what does not lie together is seen twice.
#[must_use]
pub fn cross_dissolve(first: &Raster, second: &Raster, part: f64) -> Raster {
    #[expect(clippy::cast_possible_truncation, reason = "colours")]
    let share = part.clamp(0.0, 1.0) as f32;
    Raster::of(first.width, first.height, |at| mixed(&first.at(at), &second.at(at), share))
}

/// Where the places of a picture on the way from one to the other come from in both; with what is special about the pairs.
#[derive(Clone, Debug)]
pub struct Ways {
    first: Rbf<2>,
    second: Rbf<2>,
}

impl Ways {
    /// The warps of a moment, 0 the first picture and 1 the second: pairs are places of the first with those of the second that belong to
    /// them. None without pairs, with too many, or where a number is not finite.
    #[must_use]
    pub fn new(kernel: Kernel, parameter: f64, pairs: &[([f64; 2], [f64; 2])], part: f64) -> Option<Self> {
        let part = part.clamp(0.0, 1.0);
        let now: Vec<[f64; 2]> =
            pairs.iter().map(|(a, b)| std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * part)).collect();
        let (first, second): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        Some(Self {
            first: Rbf::new(kernel, parameter, &now, &first)?,
            second: Rbf::new(kernel, parameter, &now, &second)?,
        })
    }

    /// What is special about the pairs at this moment, the worse of both ways.
    #[must_use]
    pub fn report(&self) -> RbfReport {
        let (a, b) = (self.first.report(), self.second.report());
        RbfReport { rank: a.rank.min(b.rank), doubles: a.doubles.max(b.doubles), folds: a.folds.max(b.folds) }
    }

    /// The picture of this moment.
    #[must_use]
    pub fn dissolved(&self, first: &Raster, second: &Raster, part: f64) -> Raster {
        #[expect(clippy::cast_possible_truncation, reason = "colours")]
        let share = part.clamp(0.0, 1.0) as f32;
        Raster::of(first.width, first.height, |at| {
            mixed(&first.at(self.first.warped(&at)), &second.at(self.second.warped(&at)), share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(middle: [f64; 2]) -> Raster {
        Raster::of(64, 64, move |at| {
            let off = (at[0] - middle[0]).hypot(at[1] - middle[1]);
            [if off < 0.1 { 1.0 } else { 0.0 }; 3]
        })
    }

    fn brightest(picture: &Raster) -> f32 {
        picture.pixels.iter().map(|pixel| pixel[0]).fold(0.0, f32::max)
    }

    const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];

    #[test]
    fn at_its_ends_a_dissolve_is_one_picture_and_between_the_warped_one_shows_no_double() {
        let (a, b) = (disc([0.3, 0.5]), disc([0.7, 0.5]));
        let pairs: Vec<_> = CORNERS.into_iter().map(|at| (at, at)).chain([([0.3, 0.5], [0.7, 0.5])]).collect();
        for kernel in Kernel::ALL {
            let ways = |part| Ways::new(kernel, 0.4, &pairs, part).unwrap();
            let off = |one: &Raster, other: &Raster| {
                let all = one.pixels.iter().zip(&other.pixels).map(|(a, b)| (a[0] - b[0]).abs());
                all.sum::<f32>() / 4096.0
            };
            assert!(off(&ways(0.0).dissolved(&a, &b, 0.0), &a) < 0.01, "{kernel:?}");
            assert!(off(&ways(1.0).dissolved(&a, &b, 1.0), &b) < 0.01, "{kernel:?}");
            let middle = ways(0.5).dissolved(&a, &b, 0.5);
            assert!(middle.at([0.5, 0.5])[0] > 0.95, "{kernel:?}");
        }
        let plain = cross_dissolve(&a, &b, 0.5);
        assert!((brightest(&plain) - 0.5).abs() < 1e-6 && plain.at([0.5, 0.5])[0] == 0.0);
        assert_eq!(cross_dissolve(&a, &b, 0.0), a);
    }

    #[test]
    fn a_large_picture_is_reduced_to_the_means_of_its_pixels() {
        let pixels: Vec<[u8; 4]> = (0..8 * 4).map(|at| if at % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] }).collect();
        let found = Raster::reduced([8, 4], &pixels, 4);
        assert_eq!((found.width, found.height, found.pixels.len()), (4, 2, 8));
        assert!(found.pixels.iter().flatten().all(|value| (value - 0.5).abs() < 1e-6));
        // As large as it is: every pixel its own. What is clear is white.
        let same = Raster::reduced([2, 1], &[[255, 0, 0, 255], [9, 9, 9, 0]], 4);
        assert_eq!(same.pixels, [[1.0, 0.0, 0.0], [1.0; 3]]);
        // A line a thousand times as long as it is high keeps a row.
        let line = Raster::reduced([3000, 1], &vec![[255; 4]; 3000], 100);
        assert_eq!((line.width, line.height), (100, 1));
        for (size, held) in [([0, 0], 0), ([4, 4], 3), ([usize::MAX, 2], 1)] {
            assert_eq!(Raster::reduced(size, &vec![[0; 4]; held], 10).pixels.len(), 1);
        }
    }

    #[test]
    fn degenerate_pairs_are_told_and_finite() {
        let line = [([0.1, 0.1], [0.1, 0.2]), ([0.5, 0.5], [0.6, 0.5]), ([0.9, 0.9], [0.9, 0.9])];
        let ways = Ways::new(Kernel::ThinPlate, 1.0, &line, 0.0).unwrap();
        assert_eq!(ways.report().rank, 1);
        let picture = ways.dissolved(&disc([0.5; 2]), &disc([0.5; 2]), 0.5);
        assert!(picture.pixels.iter().flatten().all(|value| value.is_finite()));
        let swapped: Vec<_> = [(0, 1), (1, 0), (2, 3), (3, 2)].map(|(a, b)| (CORNERS[a], CORNERS[b])).to_vec();
        assert!(Ways::new(Kernel::ThinPlate, 1.0, &swapped, 0.0).unwrap().report().folds > 0);
        assert!(Ways::new(Kernel::ThinPlate, 1.0, &[], 0.5).is_none());
        assert!(disc([0.5; 2]).at([f64::NAN, 9.0]).iter().all(|value| value.is_finite()));
    }
}
