//! Boxes around boxes around triangles, so that a ray looks at few of a large mesh's triangles.
//!
//! The order of the triangles comes from where they rest, once a mesh: along Morton's curve (G. M. Morton, 1966), so that
//! neighbours in the list are neighbours in space. Which triangles share a box never changes after that; a posed mesh only
//! has its boxes measured anew, in one pass, as skinned triangles stay near their neighbours.

use crate::math::{Ray, Vec3};

/// How many triangles are in a box, and how many boxes in the next larger one.
const ARITY: usize = 8;

/// The triangles of a mesh, neighbours near each other: their numbers.
#[must_use]
pub fn spatial_order(positions: &[[f32; 3]], indices: &[u32]) -> Vec<u32> {
    let triangles = indices.as_chunks::<3>().0;
    let corner = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
    let middle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(corner);
        std::array::from_fn::<f32, 3, _>(|axis| (a[axis] + b[axis] + c[axis]) / 3.0)
    };
    let around = triangles.iter().fold(Bounds::NONE, |bounds, triangle| bounds.with(middle(triangle)));
    let mut order: Vec<(u32, u32)> =
        triangles.iter().zip(0..).map(|(triangle, number)| (around.morton(middle(triangle)), number)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    least: [f32; 3],
    most: [f32; 3],
}

impl Bounds {
    /// Around nothing.
    const NONE: Self = Self { least: [f32::INFINITY; 3], most: [f32::NEG_INFINITY; 3] };

    fn with(mut self, point: [f32; 3]) -> Self {
        for (axis, value) in point.into_iter().enumerate() {
            self.least[axis] = self.least[axis].min(value);
            self.most[axis] = self.most[axis].max(value);
        }
        self
    }

    fn around(self, other: &Self) -> Self {
        self.with(other.least).with(other.most)
    }

    /// The place of a point along Morton's curve, 10 bits an axis.
    fn morton(&self, point: [f32; 3]) -> u32 {
        let mut code = 0;
        for (axis, value) in point.into_iter().enumerate() {
            let size = (self.most[axis] - self.least[axis]).max(f32::MIN_POSITIVE);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "brought to 0..1023")]
            let cell = ((value - self.least[axis]) / size * 1023.0).clamp(0.0, 1023.0) as u32;
            code |= spread(cell) << axis;
        }
        code
    }

    /// How far along the ray it enters the box; 0 where it starts inside, none where it misses. Slightly larger than the
    /// box is, so that what lies in its faces is not lost.
    fn entered(&self, origin: &Vec3, inverse: &Vec3) -> Option<f64> {
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let side = |value: f32| (f64::from(value) - origin[axis]) * inverse[axis];
            let (a, b) = (side(self.least[axis]), side(self.most[axis]));
            // 0 times infinity, a ray in the plane of a face, is no number and leaves the others to decide.
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
        let slack = 1e-9 * (1.0 + from.abs());
        (from <= to + slack).then_some((from - slack).max(0.0))
    }
}

/// Two zero bits before each of ten.
const fn spread(cell: u32) -> u32 {
    let cell = (cell | cell << 16) & 0x0300_00ff;
    let cell = (cell | cell << 8) & 0x0300_f00f;
    let cell = (cell | cell << 4) & 0x030c_30c3;
    (cell | cell << 2) & 0x0924_9249
}

/// The boxes of a mesh where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTree {
    /// The smallest boxes first; the last level has at most [`ARITY`].
    levels: Vec<Vec<Bounds>>,
}

impl BoxTree {
    /// The boxes around triangles in an order.
    #[must_use]
    pub fn new(positions: &[[f32; 3]], indices: &[u32], order: &[u32]) -> Self {
        let triangles = indices.as_chunks::<3>().0;
        let around = |number: &u32| {
            let corners = triangles.get(*number as usize).into_iter().flatten();
            let points = corners.filter_map(|corner| positions.get(*corner as usize));
            points.fold(Bounds::NONE, |bounds, point| bounds.with(*point))
        };
        let together = |bounds: &[Bounds]| bounds.iter().fold(Bounds::NONE, Bounds::around);
        let leaves = order.chunks(ARITY).map(|numbers| together(&numbers.iter().map(around).collect::<Vec<_>>()));
        let mut levels: Vec<Vec<Bounds>> = vec![leaves.collect()];
        while let Some(last) = levels.last().filter(|last| last.len() > ARITY) {
            let next = last.chunks(ARITY).map(together).collect();
            levels.push(next);
        }
        Self { levels }
    }

    /// The nearest of what `meet` finds in the triangles, given their places in the order: how far along the ray, and what.
    pub fn nearest<T>(&self, ray: &Ray, mut meet: impl FnMut(usize) -> Option<(f64, T)>) -> Option<(f64, T)> {
        let inverse = ray.direction.map(|part| 1.0 / part);
        let mut best: Option<(f64, T)> = None;
        let mut open: Vec<(f64, usize, usize)> = Vec::new();
        let add = |open: &mut Vec<(f64, usize, usize)>, level: usize, first: usize| {
            let boxes = self.levels.get(level).map_or(&[][..], Vec::as_slice);
            let start = open.len();
            for (index, bounds) in boxes.iter().enumerate().skip(first).take(ARITY) {
                open.extend(bounds.entered(&ray.origin, &inverse).map(|from| (from, level, index)));
            }
            // The nearest last: it is taken first.
            open[start..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        };
        add(&mut open, self.levels.len() - 1, 0);
        while let Some((from, level, index)) = open.pop() {
            if best.as_ref().is_some_and(|(t, _)| from > *t) {
                continue;
            }
            if level > 0 {
                add(&mut open, level - 1, index * ARITY);
                continue;
            }
            for place in index * ARITY..(index + 1) * ARITY {
                if let Some((t, found)) = meet(place)
                    && best.as_ref().is_none_or(|(best, _)| t < *best)
                {
                    best = Some((t, found));
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bumpy sheet of many triangles, its list of triangles in no order.
    fn sheet() -> (Vec<[f32; 3]>, Vec<u32>) {
        const SIDE: u32 = 40;
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(seed >> 16).unwrap()) / 65_536.0
        };
        let positions: Vec<[f32; 3]> = (0..SIDE * SIDE)
            .map(|n| [f32::from((n % SIDE) as u8) + random() * 0.8, random() * 4.0, f32::from((n / SIDE) as u8)])
            .collect();
        let mut triangles = Vec::new();
        for n in 0..(SIDE - 1) * (SIDE - 1) {
            let a = n / (SIDE - 1) * SIDE + n % (SIDE - 1);
            triangles.extend([[a, a + 1, a + SIDE], [a + 1, a + SIDE + 1, a + SIDE]]);
        }
        for at in (1..triangles.len()).rev() {
            triangles.swap(at, (random() * 65_000.0) as usize % (at + 1));
        }
        (positions, triangles.into_flattened())
    }

    #[test]
    fn the_nearest_triangle_is_the_one_found_among_all() {
        let (positions, indices) = sheet();
        let order = spatial_order(&positions, &indices);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..u32::try_from(indices.len() / 3).unwrap()), "every triangle once");
        let tree = BoxTree::new(&positions, &indices, &order);
        let meet = |number: u32, ray: &Ray| {
            let corners = indices.as_chunks::<3>().0.get(number as usize)?;
            let [a, b, c] = corners.map(|corner| Vec3::from(positions[corner as usize].map(f64::from)));
            ray.meet_triangle(&a, &b, &c).map(|(t, _)| t)
        };
        let (mut hits, mut looked) = (0, 0);
        for n in 0..400 {
            let n = f64::from(n);
            let direction = Vec3::new((n * 0.37).sin(), -0.3 - (n * 0.11).cos().abs(), (n * 0.73).cos());
            // Some straight down: two parts of the direction are 0.
            let direction = if (n as u32).is_multiple_of(5) { -Vec3::y() } else { direction.normalize() };
            let ray = Ray { origin: Vec3::new(n % 39.0, 12.0, (n * 1.7) % 39.0), direction };
            let all = (0..u32::try_from(order.len()).unwrap()).filter_map(|number| meet(number, &ray));
            let wanted = all.min_by(f64::total_cmp);
            let found = tree.nearest(&ray, |place| {
                looked += 1;
                let number = *order.get(place)?;
                Some((meet(number, &ray)?, number))
            });
            assert_eq!(found.map(|(t, _)| t), wanted, "{n}");
            hits += usize::from(wanted.is_some());
        }
        assert!(hits > 200, "{hits}");
        assert!(looked / 400 < order.len() / 10, "{looked} looks for 400 rays at {} triangles", order.len());
    }

    #[test]
    fn no_triangles_and_one_triangle() {
        let tree = BoxTree::new(&[], &[], &[]);
        let ray = Ray { origin: Vec3::zeros(), direction: Vec3::z() };
        assert_eq!(tree.nearest(&ray, |_| Some((1.0, ()))), None);
        let flat = BoxTree::new(&[[-1.0, -1.0, 2.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]], &[0, 1, 2], &[0]);
        assert_eq!(flat.nearest(&ray, |place| (place == 0).then_some((2.0, ()))), Some((2.0, ())));
    }
}
