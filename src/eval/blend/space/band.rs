//! Gradient bands: each sample fades along the way to every other.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme};
use crate::math::{lanes::Lanes, triangulate::Point, trig::atan2};
use pulp::{Arch, Simd, WithSimd};
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
/// the first is multiplied. A row a first site, those of the nearest sites before: they are the ones that leave it without
/// influence. Of the site itself they are 0, which leaves its influence at 1.
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
            let pair = |j: usize| {
                let (vector, factors) = of(i, j);
                (vector[0] * vector[0] + vector[1] * vector[1], vector, factors)
            };
            let mut row: Vec<_> = (0..count).filter(|j| *j != i).map(pair).collect();
            row.retain(|(length2, ..)| *length2 > 0.0 && length2.is_finite());
            row.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (at, (length2, vector, factors)) in row.into_iter().enumerate() {
                pairs.first[i * count + at] = factors[0] * vector[0] / length2;
                pairs.second[i * count + at] = factors[1] * vector[1] / length2;
            }
        }
        pairs
    }

    /// [`Self::influence`] at eight places relative to the site.
    #[inline(always)]
    fn influence_row(&self, site: usize, x: Lanes<f64>, y: Lanes<f64>) -> Lanes<f64> {
        let row = site * self.count..(site + 1) * self.count;
        let mut most = Lanes::splat(0.0);
        for (a, b) in self.first[row.clone()].chunks(4).zip(self.second[row].chunks(4)) {
            for (a, b) in a.iter().zip(b) {
                most = most.greater(&(Lanes::splat(*a) * x + Lanes::splat(*b) * y));
            }
            let mut nothing = true;
            for along in &most.0 {
                nothing &= *along >= 1.0;
            }
            if nothing {
                return Lanes::splat(0.0);
            }
        }
        most.map(|most| 1.0 - if most > 1.0 { 1.0 } else { most })
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
#[inline(always)]
fn to_scale(at: Point, scale: f64) -> Point {
    at.map(|v| (v * scale).clamp(-1e100, 1e100))
}

/// [`to_scale`] of a row.
#[inline(always)]
fn row_to_scale(row: &Row, scale: f64) -> (Lanes<f64>, Lanes<f64>) {
    (row.x.map(|x| to_scale([x, 0.0], scale)[0]), Lanes::splat(to_scale([0.0, row.y], scale)[1]))
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

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        Arch::new().dispatch(CartesianRow { bands: self, row, weights });
    }
}

struct CartesianRow<'a> {
    bands: &'a CartesianBands,
    row: &'a Row,
    weights: &'a mut [Lanes<f64>],
}

impl WithSimd for CartesianRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { bands, row, weights } = self;
        let (x, y) = row_to_scale(row, bands.scale);
        for (index, (weight, site)) in weights.iter_mut().zip(&bands.sites).enumerate() {
            *weight = bands.pairs.influence_row(index, x - Lanes::splat(site[0]), y - Lanes::splat(site[1]));
        }
    }
}

impl WeightScheme for Polar {
    fn prepare(&self, sites: &[Point], options: &SchemeOptions) -> Box<dyn Weigher> {
        let alpha = options.angle_weight;
        let plane = CartesianBands::new(sites);
        let (sites, scale) = scaled(sites);
        let polar: Vec<Point> = sites
            .iter()
            .map(|[x, y]| {
                let ([length], [angle]) = polar(&[*x], &[*y]);
                [length, angle]
            })
            .collect();
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
    #[inline(always)]
    fn out_from_origin(&self, site: usize, length: f64, turned: f64) -> f64 {
        // The mean of 0 and the site's length is half of that: relative to it the site is at 2.
        let out = length / (0.5 * self.polar[site][0]);
        2.0 * out / (4.0 + turned * turned)
    }

    /// How far a point is along the way from a site to the origin, which has the direction of the point.
    #[inline(always)]
    fn back_to_origin(&self, site: usize, length: f64, turned: f64) -> f64 {
        let in_by = (self.polar[site][0] - length) / (0.5 * self.polar[site][0]);
        (2.0 * in_by + turned * turned) / (4.0 + turned * turned)
    }
}

impl Weigher for PolarBands {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        let p = to_scale(at, self.scale);
        let ([length], [angle]) = polar(&[p[0]], &[p[1]]);
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

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], alone: &mut [f64]) {
        let sum = Arch::new().dispatch(PolarRow { bands: self, row, weights: &mut *weights });
        for (lane, _) in sum.0.iter().enumerate().filter(|(_, sum)| !(**sum > 0.0)) {
            self.plane.influences(row.point(lane), alone);
            for (weight, alone) in weights.iter_mut().zip(&*alone) {
                weight.0[lane] = *alone;
            }
        }
    }
}

struct PolarRow<'a> {
    bands: &'a PolarBands,
    row: &'a Row,
    weights: &'a mut [Lanes<f64>],
}

impl WithSimd for PolarRow<'_> {
    /// The sums of the weights.
    type Output = Lanes<f64>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Lanes<f64> {
        let Self { bands, row, weights } = self;
        let (x, y) = row_to_scale(row, bands.scale);
        let (length, angle) = polar(&x.0, &y.0);
        let (length, angle) = (Lanes(length), Lanes(angle));
        let mut sum = Lanes::splat(0.0);
        for (index, (weight, [own, direction])) in weights.iter_mut().zip(&bands.polar).enumerate() {
            let turned = (angle - Lanes::splat(*direction)).map(wrapped);
            let away = length - Lanes::splat(*own);
            *weight = match bands.origin {
                Some(origin) if origin == index => {
                    let mut most = Lanes::splat(0.0);
                    for (other, [_, direction]) in bands.polar.iter().enumerate().filter(|(other, _)| *other != index) {
                        let turned = (angle - Lanes::splat(*direction)).map(wrapped);
                        most = most.greater(&length.with(&turned, |l, turned| bands.out_from_origin(other, l, turned)));
                    }
                    most.map(|most| 1.0 - if most > 1.0 { 1.0 } else { most })
                }
                Some(_) => {
                    let back =
                        length.with(&turned, |l, turned| 1.0 - bands.back_to_origin(index, l, turned).clamp(0.0, 1.0));
                    let own = bands.pairs.influence_row(index, away, turned);
                    own.with(&back, |own, back| if back < own { back } else { own })
                }
                None => bands.pairs.influence_row(index, away, turned),
            };
            sum = sum + *weight;
        }
        sum
    }
}

/// Lengths and angles, -pi..=pi, of points in scale.
#[inline(always)]
fn polar<const N: usize>(x: &[f64; N], y: &[f64; N]) -> ([f64; N], [f64; N]) {
    let (mut lengths, mut angles) = ([0.0; N], [0.0; N]);
    // Without a branch, so that the compiler computes several side by side.
    for at in 0..N {
        lengths[at] = (x[at] * x[at] + y[at] * y[at]).sqrt();
        angles[at] = atan2(y[at], x[at]);
    }
    (lengths, angles)
}

/// An angle between two directions brought to -pi..=pi.
#[inline(always)]
fn wrapped(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        angle
    }
}
