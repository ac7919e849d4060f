//! Gradient bands: each sample fades along the way to every other.

use super::{Landing, SchemeOptions, Weigher, WeightScheme};
use crate::math::triangulate::Point;
use std::f64::consts::{PI, TAU};

/// Gradient band interpolation in the plane: `h_i(p) = min_j clamp(1 - p_ip . p_ij / |p_ij|^2)`, the weights in proportion.
/// The sample nearest to the point has at least one half, so that the sum is never nothing.
/// Source: R. Johansen, *Automated semi-procedural animation for character locomotion*, 2009, section 6.3.
#[derive(Debug)]
pub(super) struct Cartesian;

/// The same in polar space: lengths relative to the mean of the pair's, angles times [`SchemeOptions::angle_weight`]. From or to
/// a sample at the origin, which has no direction, the direction of the other is taken and angles count once.
#[derive(Debug)]
pub(super) struct Polar;

/// What `p_ip . p_ij / |p_ij|^2` is made of, for each pair of different sites: two numbers by which the place relative to
/// the first is multiplied. A row a first site; of the site itself they are 0, which leaves its influence at 1.
#[derive(Debug)]
struct Pairs {
    count: usize,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Pairs {
    /// From the vector of each pair, and the factors of the place's two parts.
    fn new(count: usize, of: impl Fn(usize, usize) -> (Point, Point)) -> Self {
        let mut pairs = Self { count, first: vec![0.0; count * count], second: vec![0.0; count * count] };
        for i in 0..count {
            for j in (0..count).filter(|j| *j != i) {
                let (vector, factors) = of(i, j);
                let length2 = vector[0] * vector[0] + vector[1] * vector[1];
                if length2 > 0.0 && length2.is_finite() {
                    pairs.first[i * count + j] = factors[0] * vector[0] / length2;
                    pairs.second[i * count + j] = factors[1] * vector[1] / length2;
                }
            }
        }
        pairs
    }

    /// The influence of a site at a place relative to it.
    #[inline]
    fn influence(&self, site: usize, place: Point) -> f64 {
        let row = site * self.count..(site + 1) * self.count;
        // Four at once: the compiler makes wide instructions of them.
        let mut most = [0.0f64; 4];
        let (first, second) = (&self.first[row.clone()], &self.second[row]);
        let mut fours = first.chunks_exact(4).zip(second.chunks_exact(4));
        for (a, b) in fours.by_ref() {
            for lane in 0..4 {
                let along = a[lane] * place[0] + b[lane] * place[1];
                most[lane] = if along > most[lane] { along } else { most[lane] };
            }
            // Further on it can only be less than nothing.
            if most[0].max(most[1]).max(most[2].max(most[3])) >= 1.0 {
                return 0.0;
            }
        }
        let rest = first.len() / 4 * 4;
        for (a, b) in first[rest..].iter().zip(&second[rest..]) {
            most[0] = most[0].max(a * place[0] + b * place[1]);
        }
        1.0 - most[0].max(most[1]).max(most[2].max(most[3])).min(1.0)
    }
}

/// Sites scaled so that squares neither overflow nor vanish, and by how much.
fn scaled(sites: &[Point]) -> (Vec<Point>, f64) {
    let largest = sites.iter().flatten().fold(0.0f64, |largest, v| largest.max(v.abs()));
    let scale = if largest > 0.0 { largest.recip().min(f64::MAX) } else { 1.0 };
    (sites.iter().map(|site| site.map(|v| v * scale)).collect(), scale)
}

/// A point in the scale of the sites, no farther away than a square can hold.
fn to_scale(at: Point, scale: f64) -> Point {
    at.map(|v| (v * scale).clamp(-1e100, 1e100))
}

impl WeightScheme for Cartesian {
    fn prepare(&self, sites: &[Point], _: &SchemeOptions) -> Box<dyn Weigher> {
        Box::new(CartesianBands::new(sites))
    }
}

#[derive(Debug)]
struct CartesianBands {
    sites: Vec<Point>,
    scale: f64,
    pairs: Pairs,
}

impl CartesianBands {
    fn new(sites: &[Point]) -> Self {
        let (sites, scale) = scaled(sites);
        let pairs =
            Pairs::new(sites.len(), |i, j| ([sites[j][0] - sites[i][0], sites[j][1] - sites[i][1]], [1.0, 1.0]));
        Self { sites, scale, pairs }
    }

    fn influences(&self, at: Point, weights: &mut [f64]) {
        let p = to_scale(at, self.scale);
        for (index, (weight, site)) in weights.iter_mut().zip(&self.sites).enumerate() {
            *weight = self.pairs.influence(index, [p[0] - site[0], p[1] - site[1]]);
        }
    }
}

impl Weigher for CartesianBands {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        self.influences(at, weights);
        Landing::at(at)
    }
}

impl WeightScheme for Polar {
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        let alpha = options.angle_weight;
        let plane = CartesianBands::new(sites);
        let (sites, scale) = scaled(sites);
        let polar: Vec<Point> = sites.iter().map(|[x, y]| [x.hypot(*y), y.atan2(*x)]).collect();
        let origin = polar.iter().position(|site| site[0] == 0.0);
        let pairs = Pairs::new(sites.len(), |i, j| {
            // Pairs with the origin depend on the direction of the point: they are not among these.
            if Some(i) == origin || Some(j) == origin {
                return ([0.0, 0.0], [0.0, 0.0]);
            }
            let mean = 0.5 * (polar[i][0] + polar[j][0]);
            let vector = [(polar[j][0] - polar[i][0]) / mean, alpha * wrapped(polar[j][1] - polar[i][1])];
            (vector, [mean.recip(), alpha])
        });
        Box::new(PolarBands { polar, scale, pairs, origin, plane })
    }
}

#[derive(Debug)]
struct PolarBands {
    /// Length and angle of each site.
    polar: Vec<Point>,
    scale: f64,
    pairs: Pairs,
    /// The site at the origin.
    origin: Option<usize>,
    /// What is taken where no site has an influence, which wrapped angles can bring about.
    plane: CartesianBands,
}

impl PolarBands {
    /// How far a point is along the way from the origin to a site: the origin has the direction of the point, so that the
    /// way there turns and the point does not.
    fn out_from_origin(&self, site: usize, length: f64, turned: f64) -> f64 {
        // The mean of 0 and the site's length is half of that: relative to it the site is at 2.
        let out = length / (0.5 * self.polar[site][0]);
        2.0 * out / (4.0 + turned * turned)
    }

    /// How far a point is along the way from a site to the origin, which has the direction of the point.
    fn back_to_origin(&self, site: usize, length: f64, turned: f64) -> f64 {
        let in_by = (self.polar[site][0] - length) / (0.5 * self.polar[site][0]);
        (2.0 * in_by + turned * turned) / (4.0 + turned * turned)
    }
}

impl Weigher for PolarBands {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        let p = to_scale(at, self.scale);
        let (length, angle) = (p[0].hypot(p[1]), p[1].atan2(p[0]));
        let mut sum = 0.0;
        for (index, weight) in weights.iter_mut().enumerate() {
            let [own, direction] = self.polar[index];
            let turned = wrapped(angle - direction);
            *weight = match self.origin {
                Some(origin) if origin == index => {
                    let others = (0..self.polar.len()).filter(|j| *j != index);
                    let along = |j: usize| self.out_from_origin(j, length, wrapped(angle - self.polar[j][1]));
                    1.0 - others.map(along).fold(0.0, f64::max).min(1.0)
                }
                Some(_) => {
                    let back = 1.0 - self.back_to_origin(index, length, turned).clamp(0.0, 1.0);
                    self.pairs.influence(index, [length - own, turned]).min(back)
                }
                None => self.pairs.influence(index, [length - own, turned]),
            };
            sum += *weight;
        }
        if !(sum > 0.0) {
            self.plane.influences(at, weights);
        }
        Landing::at(at)
    }
}

/// An angle between two directions brought to -pi..=pi.
#[inline]
fn wrapped(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        angle
    }
}
