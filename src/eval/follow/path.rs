//! A path object at a time: its points where the clip has them, its curve in the world, measured.

use crate::{
    eval::sample::{Stage, clip_local},
    math::{
        Affine, Vec3,
        path::{
            Cubic3, MeasuredPath, MinimalFrames, bezier, cardinal, catmull_rom, clamped, monotone, natural, not_a_knot,
            polynomial, straight, tcb,
        },
    },
    model::{Clip, Document, ObjectId, Path, PathScheme, Target},
};
use std::sync::OnceLock;

/// How exactly each segment is measured, relative to the path's size.
const MEASURED: f64 = 1e-11;

/// A path at a time.
#[derive(Clone, Debug)]
pub struct PathFrame {
    /// The points in the path object's space, metres.
    pub places: Vec<Vec3>,
    /// Whether the way goes on from the last point to the first.
    pub closed: bool,
    /// The curve in the world, metres.
    pub curve: MeasuredPath,
    /// How many of its cubics lead from point to point, at least 1.
    pieces: usize,
    frames: OnceLock<MinimalFrames>,
}

impl PartialEq for PathFrame {
    fn eq(&self, other: &Self) -> bool {
        self.places == other.places && self.closed == other.closed && self.curve == other.curve
    }
}

/// The cubics of a path through places for its points, and how many of them lead from point to point: 1 but for the
/// polynomial.
#[must_use]
pub fn segments(path: &Path, places: &[Vec3]) -> (Vec<Cubic3>, usize) {
    let one_each = match path.scheme {
        PathScheme::Linear => straight(places, path.closed),
        PathScheme::CatmullRom { alpha } => catmull_rom(places, path.closed, alpha),
        PathScheme::Cardinal { tension } => cardinal(places, path.closed, tension),
        PathScheme::Tcb => {
            let shapes: Vec<[f64; 3]> = path.points.iter().map(|p| [p.tension, p.continuity, p.bias]).collect();
            tcb(places, path.closed, &shapes)
        }
        PathScheme::Bezier => {
            let handles: Vec<_> = path.points.iter().map(|p| (p.handle_in, p.handle_out)).collect();
            bezier(places, path.closed, &handles)
        }
        PathScheme::Natural => natural(places, path.closed),
        PathScheme::Clamped => {
            let ends = [path.points.first().and_then(|p| p.handle_out), path.points.last().and_then(|p| p.handle_in)];
            clamped(places, path.closed, ends)
        }
        PathScheme::NotAKnot => not_a_knot(places, path.closed),
        PathScheme::Monotone => monotone(places, path.closed),
        PathScheme::Lagrange => {
            if let Some(cut) = polynomial(places, path.closed) {
                return cut;
            }
            natural(places, path.closed)
        }
    };
    (one_each, 1)
}

/// Where the points of a path object are at a time, in its own space.
#[must_use]
pub fn places(document: &Document, clip: Option<&Clip>, object: ObjectId, path: &Path, secs: f64) -> Vec<Vec3> {
    let place = |point: &crate::model::PathPoint| {
        let target = Target::Point(object, point.id);
        clip_local(document, clip, target, secs, Stage::Shown).map_or(point.place, |local| local.translation)
    };
    path.points.iter().map(place).collect()
}

impl PathFrame {
    /// A path with its points at these places, in the world.
    #[must_use]
    pub fn new(path: &Path, places: Vec<Vec3>, world: &Affine) -> Self {
        let (cubics, pieces) = segments(path, &places);
        let segments = cubics.iter().map(|segment| segment.mapped(world)).collect();
        let curve = MeasuredPath::within(segments, MEASURED);
        Self { places, closed: path.closed, curve, pieces: pieces.max(1), frames: OnceLock::new() }
    }

    /// The frames that do not turn about the path, worked out when first asked for.
    #[must_use]
    pub fn frames(&self) -> &MinimalFrames {
        self.frames.get_or_init(|| MinimalFrames::new(&self.curve, self.closed))
    }

    /// A distance brought onto the path: around a closed one, to the nearer end of an open one.
    #[must_use]
    pub fn on_path(&self, distance: f64) -> f64 {
        let length = self.curve.length();
        if self.closed && length > 0.0 && distance.is_finite() && !(0.0..=length).contains(&distance) {
            distance.rem_euclid(length)
        } else {
            distance.clamp(0.0, length.max(0.0))
        }
    }

    /// How far along the path a point is, by its place among the points; 0 beyond them.
    #[must_use]
    pub fn distance_of(&self, index: usize) -> f64 {
        self.curve.segment_lengths().take(index.saturating_mul(self.pieces)).sum()
    }

    /// After which point a parameter of the curve lies, by its place among the points.
    #[must_use]
    pub fn point_before(&self, parameter: f64) -> usize {
        parameter.floor().max(0.0) as usize / self.pieces
    }

    /// The cubics that lead to a point and from it; none at the ends of an open path.
    #[must_use]
    pub fn around(&self, index: usize) -> [Option<&Cubic3>; 2] {
        let (segments, at) = (self.curve.segments(), index.saturating_mul(self.pieces));
        let before = match at.checked_sub(1) {
            None if self.closed => segments.last(),
            None => None,
            Some(before) => segments.get(before),
        };
        [before, segments.get(at)]
    }
}
