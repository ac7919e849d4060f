//! A scheme made ready for the samples of a space, and what holds for all schemes.

use super::{Row, SchemeOptions, Weigher, scheme_spec};
use crate::{
    math::{
        lanes::{LANES, Lanes},
        triangulate::Point,
    },
    model::BlendScheme,
};
use pulp::{Arch, Simd, WithSimd};

/// Up to how many samples weights are found without allocating.
const ON_STACK: usize = 64;

/// How near to each other, as a part of their extent, samples count as on one spot.
const SAME_SPOT: f64 = 1e-12;

/// Where a point came to lie in a space, and how far the weights can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// The point whose weights were taken: the point asked for, or the nearest one that the scheme knows.
    pub at: Point,
    /// Whether that is the point asked for.
    pub inside: bool,
    /// By how much weights fell below 0 before they were clamped, as a sum; 0 where nothing was clamped.
    pub clamped: f64,
    /// Whether no sample has a weight: there is none, or all were told to be 0.
    pub nothing: bool,
}

impl Landing {
    /// On the very point asked for.
    #[must_use]
    pub const fn at(at: Point) -> Self {
        Self { at, inside: true, clamped: 0.0, nothing: false }
    }

    /// On another point than the one asked for.
    #[must_use]
    pub const fn beside(at: Point) -> Self {
        Self { at, inside: false, clamped: 0.0, nothing: false }
    }
}

/// A scheme made ready for the samples of a space.
#[derive(Debug)]
pub struct PreparedSpace {
    scheme: BlendScheme,
    samples: usize,
    /// Different places of samples, by x, then y.
    sites: Vec<Point>,
    /// The site and the sample of each sample that has a place, by site; then its share of the site.
    members: Vec<(u32, u32, f64)>,
    low: Point,
    high: Point,
    weigher: Option<Box<dyn Weigher>>,
}

/// Room for the weights of eight points at once.
#[derive(Debug)]
pub(super) struct RowRoom {
    /// Of each sample.
    pub(super) weights: Vec<Lanes<f64>>,
    of_sites: Vec<Lanes<f64>>,
    alone: Vec<f64>,
}

impl RowRoom {
    /// Room for a space.
    pub(super) fn new(space: &PreparedSpace) -> Self {
        let empty = Lanes::splat(0.0);
        let (samples, sites) = (space.samples, space.sites.len());
        Self { weights: vec![empty; samples], of_sites: vec![empty; sites], alone: vec![0.0; samples.max(sites)] }
    }
}

/// Brings the weights of sites to sum 1 and gives them to the samples.
struct Share<'a> {
    members: &'a [(u32, u32, f64)],
    of_sites: &'a [Lanes<f64>],
    weights: &'a mut [Lanes<f64>],
}

impl WithSimd for Share<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let positive = |weight: &Lanes<f64>| weight.map(|weight| if weight > 0.0 { weight } else { 0.0 });
        let sum = self.of_sites.iter().fold(Lanes::splat(0.0), |sum, weight| sum + positive(weight));
        let scale = sum.map(f64::recip);
        for (site, sample, share) in self.members {
            if let (Some(own), Some(weight)) =
                (self.of_sites.get(*site as usize), self.weights.get_mut(*sample as usize))
            {
                *weight = positive(own) * scale * Lanes::splat(*share);
            }
        }
        for lane in (0..LANES).filter(|lane| !(sum.0[*lane] > 0.0 && sum.0[*lane].is_finite())) {
            self.weights.iter_mut().for_each(|weight| weight.0[lane] = 0.0);
        }
    }
}

impl PreparedSpace {
    /// Makes a scheme ready for samples at these points, coordinates along the space's axes; a scheme of one axis reads the
    /// first alone. Samples without a finite place never play. Samples within 1e-12 of the extent of each other are on
    /// one spot.
    #[must_use]
    pub fn new(scheme: BlendScheme, points: &[Point], options: &SchemeOptions) -> Self {
        let on_axes = |p: &Point| if scheme.axes() == 1 { [p[0], 0.0] } else { *p };
        let points: Vec<Point> = match scheme.axes() {
            // Places mean nothing there: each sample is a site of its own.
            0 => (0u32..).take(points.len()).map(|i| [f64::from(i), 0.0]).collect(),
            _ => points.iter().map(on_axes).collect(),
        };
        let mut order: Vec<usize> = (0..points.len()).filter(|i| points[*i].iter().all(|v| v.is_finite())).collect();
        order.sort_by(|a, b| points[*a][0].total_cmp(&points[*b][0]).then(points[*a][1].total_cmp(&points[*b][1])));
        let placed = || order.iter().map(|index| points[*index]);
        let low = [0, 1].map(|axis| placed().map(|p| p[axis]).fold(f64::INFINITY, f64::min));
        let high = [0, 1].map(|axis| placed().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max));
        let near = SAME_SPOT * (high[0] - low[0]).max(high[1] - low[1]).max(0.0);
        let mut sites: Vec<Point> = Vec::new();
        let mut members: Vec<(u32, u32, f64)> = Vec::new();
        let mut site_of = vec![usize::MAX; points.len()];
        for index in order.iter().copied() {
            let p = points[index];
            let same = |site: &Point| (site[0] - p[0]).abs() <= near && (site[1] - p[1]).abs() <= near;
            let site = sites.iter().position(same).unwrap_or_else(|| {
                sites.push(p);
                sites.len() - 1
            });
            site_of[index] = site;
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            members.push((number(site), number(index), 0.0));
        }
        members.sort_unstable_by_key(|(site, index, _)| (*site, *index));
        for at in 0..members.len() {
            let count = members.iter().filter(|(site, ..)| *site == members[at].0).count();
            members[at].2 = 1.0 / count as f64;
        }
        let site = |sample: usize| site_of.get(sample).copied().filter(|site| *site != usize::MAX);
        let diagonals = options.diagonals.iter().filter_map(|[a, b]| Some([site(*a)?, site(*b)?])).collect();
        let direct = members.iter().map(|(_, sample, _)| options.direct.get(*sample as usize).copied().unwrap_or(0.0));
        let options = SchemeOptions { diagonals, direct: direct.collect(), ..*options };
        let weigher =
            scheme_spec(scheme).filter(|_| !sites.is_empty()).map(|spec| spec.weights.prepare(&sites, &options));
        Self { scheme, samples: points.len(), sites, members, low, high, weigher }
    }

    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> BlendScheme {
        self.scheme
    }

    /// How many samples there are, those without a place included.
    #[must_use]
    pub const fn samples(&self) -> usize {
        self.samples
    }

    /// Whether several samples are on one spot, so that they share its weight.
    #[must_use]
    pub fn has_shared_spots(&self) -> bool {
        self.members.len() > self.sites.len()
    }

    /// The weights of all samples at a point, in the order in which they were given: never negative, with sum 1, a sample
    /// hit 1 exactly. Without any sample that has a place, or with all weights told to be 0, they are all 0 and the landing
    /// says so. A coordinate that is not a number counts as the middle of the samples' extent, an infinite one as its end.
    ///
    /// `weights` must have room for [`Self::samples`]; what is beyond stays as it is, and of a shorter one only its part is
    /// written.
    pub fn weights(&self, at: Point, weights: &mut [f64]) -> Landing {
        let count = self.samples.min(weights.len());
        weights[..count].fill(0.0);
        let Some(weigher) = &self.weigher else { return Landing { nothing: true, ..Landing::beside(at) } };
        let point = self.understood(at);
        if self.scheme.axes() > 0
            && let Some(hit) = self.hit(point)
        {
            for (_, sample, share) in self.members.iter().filter(|(site, ..)| *site as usize == hit) {
                if let Some(weight) = weights.get_mut(*sample as usize) {
                    *weight = *share;
                }
            }
            return if point == at { Landing::at(point) } else { Landing::beside(point) };
        }
        let mut on_stack = [0.0; ON_STACK];
        let mut on_heap = Vec::new();
        let of_sites = match on_stack.get_mut(..self.sites.len()) {
            Some(room) => room,
            None => {
                on_heap.resize(self.sites.len(), 0.0);
                &mut on_heap[..]
            }
        };
        let mut landing = weigher.weigh(point, of_sites);
        landing.inside &= point == at;
        let mut sum = 0.0;
        for weight in of_sites.iter_mut() {
            // NaN counts as nothing too.
            *weight = if *weight > 0.0 { *weight } else { 0.0 };
            sum += *weight;
        }
        if !(sum > 0.0 && sum.is_finite()) {
            return Landing { nothing: true, ..landing };
        }
        let scale = 1.0 / sum;
        for (site, sample, share) in &self.members {
            if let Some(weight) = weights.get_mut(*sample as usize) {
                *weight = of_sites[*site as usize] * scale * share;
            }
        }
        landing
    }

    /// The weights of all samples at eight points of a row, of any coordinates: those of [`Self::weights`] to the bit.
    pub(super) fn row(&self, row: &Row, room: &mut RowRoom) {
        if self.members.len() < self.samples || self.weigher.is_none() {
            room.weights.fill(Lanes::splat(0.0));
        }
        let Some(weigher) = &self.weigher else { return };
        let understood = Row { x: row.x.map(|x| self.understood([x, row.y])[0]), y: self.understood([0.0, row.y])[1] };
        // A point on a sample is rare, and a matter of its own.
        if self.scheme.axes() == 1 || self.sites.iter().any(|site| site[1] == understood.y) {
            for lane in 0..LANES {
                self.weights(row.point(lane), &mut room.alone);
                for (weights, weight) in room.weights.iter_mut().zip(&room.alone) {
                    weights.0[lane] = *weight;
                }
            }
            return;
        }
        let count = self.sites.len();
        let (Some(of_sites), Some(alone)) = (room.of_sites.get_mut(..count), room.alone.get_mut(..count)) else {
            return;
        };
        weigher.weigh_row(&understood, of_sites, alone);
        Arch::new().dispatch(Share { members: &self.members, of_sites, weights: &mut room.weights });
    }

    /// What the scheme says of each site before it is brought to sum 1: the influences of gradient bands, the inverse
    /// distances, the clamped basis functions. Sites are the different places of samples, by x, then y.
    #[must_use]
    pub fn influences(&self, at: Point) -> Vec<f64> {
        let mut influences = vec![0.0; self.sites.len()];
        if let Some(weigher) = &self.weigher {
            weigher.weigh(self.understood(at), &mut influences);
        }
        influences
    }

    /// The different places of samples, by x, then y.
    #[must_use]
    pub fn sites(&self) -> &[Point] {
        &self.sites
    }

    /// The weights in a new list.
    #[must_use]
    pub fn weights_at(&self, at: Point) -> Vec<f64> {
        let mut weights = vec![0.0; self.samples];
        self.weights(at, &mut weights);
        weights
    }

    /// A point with finite coordinates for one that may have others.
    fn understood(&self, at: Point) -> Point {
        std::array::from_fn(|axis| {
            if axis >= self.scheme.axes() {
                return 0.0;
            }
            let (low, high) = (self.low[axis], self.high[axis]);
            match at[axis] {
                value if value.is_nan() => low + 0.5 * (high - low),
                value if value.is_infinite() => value.clamp(low, high),
                value => value,
            }
        })
    }

    /// The site that a point is on.
    fn hit(&self, at: Point) -> Option<usize> {
        let before = |site: &Point| site[0] < at[0] || (site[0] == at[0] && site[1] < at[1]);
        let index = self.sites.partition_point(before);
        self.sites.get(index).filter(|site| **site == at).map(|_| index)
    }
}
