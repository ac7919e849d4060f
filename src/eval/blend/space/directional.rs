//! Between the two neighbouring directions by angle, along each by length.

use super::{Landing, Row, SchemeOptions, Weigher, WeightScheme, linear::Line};
use crate::math::{lanes::Lanes, triangulate::Point, trig::atan2};
use std::f64::consts::{PI, TAU};

/// Samples on one ray from the origin are a line in length, with the sample at the origin, if there is one, at its begin.
/// A direction between two rays takes both, in proportion to the angle; so a strafe of 45 degrees is half forward and half
/// sideways. Each ray holds beyond its last sample, and before its first where nothing stands at the origin.
#[derive(Debug)]
pub(super) struct Directional;

/// How near in direction samples are on one ray, radians.
const SAME_RAY: f64 = 1e-9;

impl WeightScheme for Directional {
    fn prepare(&self, sites: &[Point], _: &SchemeOptions) -> Box<dyn Weigher> {
        let idle = sites.iter().position(|site| *site == [0.0, 0.0]);
        let mut around: Vec<(f64, f64, usize)> = sites
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != idle)
            .map(|(index, [x, y])| (atan2(*y, *x), x.hypot(*y), index))
            .collect();
        around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut rays: Vec<Ray> = Vec::new();
        for (angle, length, site) in around {
            match rays.last_mut().filter(|ray| angle - ray.angle <= SAME_RAY) {
                Some(ray) => ray.add(length, site),
                None => rays.push(Ray::from(idle, angle, length, site)),
            }
        }
        // The two ends of the circle are one direction.
        if let [first, .., last] = &mut rays[..]
            && first.angle + TAU - last.angle <= SAME_RAY
        {
            let begin = usize::from(idle.is_some());
            for at in begin..last.sites.len() {
                first.add(last.lengths.0[at], last.sites[at]);
            }
            rays.pop();
        }
        Box::new(Rays { rays, idle })
    }
}

#[derive(Debug)]
struct Ray {
    angle: f64,
    lengths: Line,
    sites: Vec<usize>,
}

impl Ray {
    fn from(idle: Option<usize>, angle: f64, length: f64, site: usize) -> Self {
        let mut ray = Self { angle, lengths: Line(Vec::new()), sites: Vec::new() };
        if let Some(idle) = idle {
            ray.add(0.0, idle);
        }
        ray.add(length, site);
        ray
    }

    fn add(&mut self, length: f64, site: usize) {
        let at = self.lengths.0.partition_point(|known| *known < length);
        self.lengths.0.insert(at, length);
        self.sites.insert(at, site);
    }

    fn share(&self, length: f64, part: f64, add: &mut impl FnMut(usize, f64)) {
        let (below, above, along) = self.lengths.neighbours(length);
        add(self.sites[below], part * (1.0 - along));
        add(self.sites[above], part * along);
    }
}

#[derive(Debug)]
struct Rays {
    /// By angle, -pi..=pi.
    rays: Vec<Ray>,
    idle: Option<usize>,
}

impl Weigher for Rays {
    fn weigh(&self, at: Point, weights: &mut [f64]) -> Landing {
        weights.fill(0.0);
        self.each(at, atan2(at[1], at[0]), &mut 0, |site, part| weights[site] += part);
        Landing::at(at)
    }

    fn weigh_row(&self, row: &Row, weights: &mut [Lanes<f64>], _: &mut [f64]) {
        weights.fill(Lanes::splat(0.0));
        let (angles, mut above) = (row.x.map(|x| atan2(row.y, x)), 0);
        for (lane, angle) in angles.0.into_iter().enumerate() {
            self.each(row.point(lane), angle, &mut above, |site, part| weights[site].0[lane] += part);
        }
    }
}

impl Rays {
    /// Gives the parts of sites at a point in a direction; a site may come several times. `above`, how many rays lie at or
    /// before, is where it was found last.
    #[inline(always)]
    fn each(&self, at: Point, angle: f64, above: &mut usize, mut add: impl FnMut(usize, f64)) {
        let length = at[0].hypot(at[1]);
        let before = |index: usize| self.rays.get(index).is_some_and(|ray| ray.angle <= angle);
        if before(*above) || (*above > 0 && !before(*above - 1)) {
            *above = self.rays.partition_point(|ray| ray.angle <= angle);
        }
        let above = *above;
        let count = self.rays.len();
        let (Some(below), Some(next)) =
            (self.rays.get((above + count).wrapping_sub(1) % count.max(1)), self.rays.get(above % count.max(1)))
        else {
            // The idle alone.
            if let Some(idle) = self.idle {
                add(idle, 1.0);
            }
            return;
        };
        let gap = turned(next.angle - below.angle);
        let part = if count > 1 { turned(angle - below.angle) / gap } else { 0.0 };
        below.share(length, 1.0 - part, &mut add);
        next.share(length, part, &mut add);
    }
}

/// An angle brought to 0..tau.
fn turned(angle: f64) -> f64 {
    let turned = if angle < 0.0 { angle + TAU } else { angle };
    // A tiny negative angle plus a turn is a whole turn.
    if turned >= TAU { turned - TAU } else { turned.min(TAU - f64::EPSILON * PI) }
}
