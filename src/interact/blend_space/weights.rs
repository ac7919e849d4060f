//! What the weights of a space hang on, made ready once, and where they jump.

use crate::{
    eval::blend::{
        layers::{prepared_space, space_weights},
        space::{Landing, PreparedSpace},
    },
    math::triangulate::Triangulation,
    model::{BlendScheme, BlendSpace},
};

/// What weights hang on: the space without its name, its point, and how it plays.
#[must_use]
pub fn weights_key(space: &BlendSpace) -> BlendSpace {
    BlendSpace {
        name: String::new(),
        preview: [0.0; 2],
        smoothing: None,
        sync: Default::default(),
        rotations: Default::default(),
        ..space.clone()
    }
}

/// A space made ready to be asked for weights, kept while nothing that they hang on changes.
#[derive(Debug)]
pub struct Known {
    /// The space it was made of, as [`weights_key`] gives it.
    pub key: BlendSpace,
    prepared: PreparedSpace,
    /// The triangles over its samples, where it is triangulated.
    pub triangles: Option<Triangulation>,
}

impl Known {
    /// Makes a space ready.
    #[must_use]
    pub fn new(space: &BlendSpace) -> Self {
        let triangles = (space.scheme == BlendScheme::Delaunay).then(|| {
            let points: Vec<[f64; 2]> = space.samples.iter().map(|sample| space.measured(sample.at)).collect();
            Triangulation::with_diagonals(&points, &space.diagonals)
        });
        Self { key: weights_key(space), prepared: prepared_space(space), triangles }
    }

    /// The weights of the samples at a point along the axes, and where the point came to lie, along the axes too.
    #[must_use]
    pub fn weights(&self, at: [f64; 2]) -> (Vec<f64>, Landing) {
        let (weights, landing) = space_weights(&self.key, &self.prepared, at);
        (weights, Landing { at: self.key.along(landing.at), ..landing })
    }

    /// The weight of one sample at a point along the axes.
    #[must_use]
    pub fn weight(&self, sample: usize, at: [f64; 2]) -> f64 {
        self.weights(at).0.get(sample).copied().unwrap_or(0.0)
    }

    /// The space as it is asked for weights.
    #[must_use]
    pub const fn prepared(&self) -> &PreparedSpace {
        &self.prepared
    }

    /// The edges between samples that can be turned, and those that are the border or a line of samples.
    #[must_use]
    pub fn edges(&self) -> (Vec<[usize; 2]>, Vec<[usize; 2]>) {
        let Some(triangles) = &self.triangles else { return Default::default() };
        let mut inner: Vec<[usize; 2]> = triangles
            .triangles()
            .iter()
            .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]])
            .filter(|[a, b]| !triangles.boundary().contains(&[*a, *b]) && !triangles.boundary().contains(&[*b, *a]))
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        inner.sort_unstable();
        inner.dedup();
        let chain = triangles.chain().windows(2).map(|pair| [pair[0], pair[1]]);
        (inner, triangles.boundary().iter().copied().chain(chain).collect())
    }
}

/// Where the weights of a space jump, along its axes: rays from one point to another, and whether at the origin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jumps {
    /// From the origin outwards, to beyond what is seen.
    pub rays: Vec<[[f64; 2]; 2]>,
    /// Whether every direction meets at the origin with weights of its own.
    pub origin: bool,
}

/// Where the weights of a space jump.
#[must_use]
pub fn jumps(space: &BlendSpace) -> Jumps {
    let on_origin = |at: [f64; 2]| at == [0.0; 2];
    let moving = || space.samples.iter().map(|sample| sample.at).filter(|at| !on_origin(*at));
    match space.scheme {
        BlendScheme::BandPolar => {
            let reach = space.axes.iter().flat_map(|axis| axis.range).fold(1.0_f64, |most, v| most.max(v.abs()));
            let ray = |at: [f64; 2]| {
                // The plot is straight: opposite in the scale of distances is opposite in it.
                let far = 4.0 * reach / at[0].abs().max(at[1].abs());
                [[0.0; 2], [-at[0] * far, -at[1] * far]]
            };
            Jumps { rays: moving().map(ray).collect(), origin: moving().count() > 1 }
        }
        BlendScheme::Directional => {
            let standing = space.samples.iter().any(|sample| on_origin(sample.at));
            Jumps { rays: Vec::new(), origin: !standing && moving().count() > 1 }
        }
        _ => Jumps::default(),
    }
}

/// How far two lists of weights are apart: half the sum of the differences, 0..1.
#[must_use]
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    0.5 * a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>()
}

/// How far two schemes are apart over the ranges of a space's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// On the mean.
    pub mean: f64,
    /// At most.
    pub most: f64,
    /// Where that is, along the axes.
    pub at: [f64; 2],
}

/// Places to a side at which schemes are compared.
const COMPARED: usize = 48;

/// How far two preparations of a space are apart over the ranges of its axes.
#[must_use]
pub fn apart(a: &Known, b: &Known) -> Apart {
    let [x, y] = [0, 1].map(|axis| a.key.axes[axis].range);
    let rows = if a.key.scheme.axes().max(b.key.scheme.axes()) > 1 { COMPARED } else { 1 };
    let along = |[from, to]: [f64; 2], part: f64| from + (to - from) * part;
    let mut found = Apart::default();
    for row in 0..rows {
        for column in 0..COMPARED {
            let part = |at: usize, count: usize| (at as f64 + 0.5) / count as f64;
            let at = [along(x, part(column, COMPARED)), if rows > 1 { along(y, part(row, rows)) } else { 0.0 }];
            let far = difference(&a.weights(at).0, &b.weights(at).0);
            found.mean += far / (COMPARED * rows) as f64;
            if far > found.most {
                (found.most, found.at) = (far, at);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axis, ClipId, Plays, SpaceSample};

    fn square(scheme: BlendScheme) -> BlendSpace {
        let axes = [Axis::new("x", "m/s", [-1.0, 1.0]), Axis::new("y", "deg/s", [-90.0, 90.0])];
        let mut space = BlendSpace { scheme, ..BlendSpace::new("s", axes) };
        let places = [[-1.0, -90.0], [1.0, -90.0], [1.0, 90.0], [-1.0, 90.0]];
        space.samples = places.map(|at| SpaceSample::new(Plays::Clip(ClipId(1)), at)).into();
        space
    }

    #[test]
    fn landings_come_back_along_the_axes_and_edges_are_told_apart() {
        let mut space = square(BlendScheme::Delaunay);
        space.axes[0].range = [-3.0, 3.0];
        let known = Known::new(&space);
        let (weights, landing) = known.weights([2.5, 0.0]);
        assert!(!landing.inside && (landing.at[0] - 1.0).abs() < 1e-12 && landing.at[1].abs() < 1e-9);
        assert!((weights[1] - 0.5).abs() < 1e-12 && (known.weight(2, [2.5, 0.0]) - 0.5).abs() < 1e-12);
        let (inner, border) = known.edges();
        assert_eq!((inner.len(), border.len()), (1, 4));
        // What only plays otherwise is the same to weights.
        let played = BlendSpace { name: "t".to_owned(), preview: [0.5, 1.0], ..space.clone() };
        assert_eq!(weights_key(&played), known.key);
        space.samples[0].at[0] = -0.5;
        assert_ne!(weights_key(&space), known.key);
        assert_eq!(Known::new(&square(BlendScheme::Grid)).edges(), Default::default());
        for count in 0..3 {
            let mut few = square(BlendScheme::Delaunay);
            few.samples.truncate(count);
            let known = Known::new(&few);
            assert_eq!(known.edges(), (Vec::new(), if count == 2 { vec![[0, 1]] } else { Vec::new() }));
            assert_eq!(known.weights([0.0, 0.0]).1.nothing, count == 0);
        }
    }

    /// At what is drawn as a jump weights do jump, and nowhere else on a circle.
    #[test]
    fn what_is_drawn_as_a_jump_is_one() {
        let mut space = square(BlendScheme::BandPolar);
        space.axes[1] = Axis::new("y", "m/s", [-1.0, 1.0]);
        space.samples =
            [[0.0, 0.0], [0.0, 1.0], [0.8, 0.3]].map(|at| SpaceSample::new(Plays::Clip(ClipId(1)), at)).into();
        let known = Known::new(&space);
        let found = jumps(&space);
        assert_eq!(found.rays.len(), 2);
        let angles: Vec<f64> = found.rays.iter().map(|[_, to]| to[1].atan2(to[0])).collect();
        let steps = 3600;
        let on_circle = |at: usize| {
            let angle = std::f64::consts::TAU * (at as f64 + 0.5) / f64::from(steps);
            (angle, known.weights([0.6 * angle.cos(), 0.6 * angle.sin()]).0)
        };
        let mut seen = 0;
        for at in 0..steps as usize {
            let ((angle, a), (_, b)) = (on_circle(at), on_circle(at + 1));
            if difference(&a, &b) > 0.02 {
                seen += 1;
                let off = |ray: &f64| (angle - ray).sin().abs().max(-(angle - ray).cos());
                assert!(angles.iter().any(|ray| off(ray) < 0.01), "{angle}");
            }
        }
        assert!(seen >= 1, "{seen}");
        assert_eq!(jumps(&square(BlendScheme::Delaunay)), Jumps::default());
        space.scheme = BlendScheme::Directional;
        assert!(!jumps(&space).origin);
        space.samples.remove(0);
        assert!(jumps(&space).origin);
    }

    #[test]
    fn schemes_are_compared() {
        let (a, b) = (Known::new(&square(BlendScheme::Delaunay)), Known::new(&square(BlendScheme::Grid)));
        let same = apart(&a, &a);
        assert_eq!((same.mean, same.most), (0.0, 0.0));
        let far = apart(&a, &b);
        assert!(far.most > 0.2 && far.most <= 1.0 && far.mean > 0.0 && far.mean < far.most);
        let there = difference(&a.weights(far.at).0, &b.weights(far.at).0);
        assert!((there - far.most).abs() < 1e-12);
        let line = Known::new(&square(BlendScheme::Linear));
        assert!(apart(&line, &Known::new(&square(BlendScheme::Direct))).most.is_finite());
    }
}
