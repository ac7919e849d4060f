//! Paths: points in space, and how the way between them runs. The curve itself is in `eval::path`.

use super::{
    curve::{finite, is_default},
    id::PointId,
};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// Points in space with a curve through them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The points, in the order they are passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<PathPoint>,
    /// How the way between the points runs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: PathScheme,
    /// Whether the way goes on from the last point to the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub closed: bool,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathPoint {
    /// Its identity in the path.
    pub id: PointId,
    /// Where it is in the path object's space, metres, where a clip has no curve for it.
    #[serde(deserialize_with = "finite::vector")]
    pub place: Vec3,
    /// The handle before the point, from it, metres: a third of the Hermite tangent, turned round. None for one that follows
    /// the neighbours as Catmull-Rom does. Used by [`PathScheme::Bezier`] alone, kept by all.
    #[serde(rename = "in", default, skip_serializing_if = "Option::is_none", deserialize_with = "finite::some_vector")]
    pub handle_in: Option<Vec3>,
    /// The handle after the point, as the other: a third of the Hermite tangent.
    #[serde(
        rename = "out",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "finite::some_vector"
    )]
    pub handle_out: Option<Vec3>,
    /// Tension for [`PathScheme::Tcb`], -1..1.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub tension: f64,
    /// Continuity for [`PathScheme::Tcb`], -1..1.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub continuity: f64,
    /// Bias for [`PathScheme::Tcb`], -1..1; 1 follows the incoming chord.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub bias: f64,
}

impl PathPoint {
    /// A point without handles of its own.
    #[must_use]
    pub const fn new(id: PointId, place: Vec3) -> Self {
        Self { id, place, handle_in: None, handle_out: None, tension: 0.0, continuity: 0.0, bias: 0.0 }
    }
}

/// How the way between the points of a path runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PathScheme {
    /// Straight from point to point.
    Linear,
    /// Through the neighbours' chords, a chord weighing its length to the power alpha, 0..1: 0 is uniform, 0.5 centripetal,
    /// 1 chordal.
    CatmullRom {
        /// The power.
        #[serde(deserialize_with = "finite::number")]
        alpha: f64,
    },
    /// Uniform Catmull-Rom with its tangents shortened to 1 - tension, -1..1: at 1 the path is straight.
    Cardinal {
        /// The tension.
        #[serde(deserialize_with = "finite::number")]
        tension: f64,
    },
    /// Kochanek-Bartels by the points' tension, continuity and bias.
    Tcb,
    /// Cubic Bezier, or Hermite: by the points' handles.
    Bezier,
    /// The natural cubic spline, or the periodic one where the path is closed: curvature is continuous.
    Natural,
    /// The same that leaves its first point and reaches its last along their handles, straight where they have none.
    Clamped,
    /// The same whose first two and last two segments are one cubic each.
    NotAKnot,
    /// Turns back along an axis only where its points do (PCHIP by axis): no swing beyond the points.
    Monotone,
    /// The one polynomial through all points; swings out between many (Runge). Of more points than
    /// [`crate::math::path::MOST_POLYNOMIAL`] the natural spline takes its place.
    Lagrange,
}

impl PathScheme {
    /// Whether the handles of a point shape the way: all of them, or those at the ends of an open path.
    #[must_use]
    pub const fn heeds_handles(self, index: usize, count: usize, closed: bool) -> bool {
        match self {
            Self::Bezier => true,
            Self::Clamped => !closed && (index == 0 || index + 1 == count),
            _ => false,
        }
    }

    /// All schemes with their usual number, in the order they are offered.
    pub const ALL: [Self; 10] = [
        Self::CatmullRom { alpha: 0.5 },
        Self::Natural,
        Self::Clamped,
        Self::NotAKnot,
        Self::Monotone,
        Self::Lagrange,
        Self::Bezier,
        Self::Cardinal { tension: 0.0 },
        Self::Tcb,
        Self::Linear,
    ];
}

impl Default for PathScheme {
    fn default() -> Self {
        Self::CatmullRom { alpha: 0.5 }
    }
}

impl Path {
    /// A path through places, open.
    #[must_use]
    pub fn through(places: &[Vec3]) -> Self {
        let points = places.iter().zip(0..).map(|(place, id)| PathPoint::new(PointId(id), *place)).collect();
        Self { points, ..Self::default() }
    }

    /// Where a point stands among the points.
    #[must_use]
    pub fn index_of(&self, id: PointId) -> Option<usize> {
        self.points.iter().position(|point| point.id == id)
    }

    /// A point by id.
    #[must_use]
    pub fn point(&self, id: PointId) -> Option<&PathPoint> {
        self.points.iter().find(|point| point.id == id)
    }

    /// A point id not in use.
    #[must_use]
    pub fn fresh_point_id(&self) -> PointId {
        PointId(self.points.iter().map(|point| point.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// The number of segments: one fewer than points, or as many where the path is closed (of two points or more).
    #[must_use]
    pub fn segments(&self) -> usize {
        match self.points.len() {
            0 | 1 => 0,
            count if self.closed => count,
            count => count - 1,
        }
    }

    /// What is wrong with it, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        let mut seen = std::collections::BTreeSet::new();
        for point in &self.points {
            if !seen.insert(point.id) {
                return Some(format!("two of its points are {}", point.id));
            }
            let offsets = [Some(point.place), point.handle_in, point.handle_out];
            if !offsets.iter().flatten().all(|v| v.iter().all(|number| number.is_finite())) {
                return Some(format!("its point {} is not of finite numbers", point.id));
            }
            if ![point.tension, point.continuity, point.bias].iter().all(|shape| (-1.0..=1.0).contains(shape)) {
                return Some(format!("the tension, continuity or bias of its point {} is outside -1..1", point.id));
            }
        }
        match self.scheme {
            PathScheme::CatmullRom { alpha } if !(0.0..=1.0).contains(&alpha) => {
                Some(format!("its alpha {alpha} is outside 0..1"))
            }
            PathScheme::Cardinal { tension } if !(-1.0..=1.0).contains(&tension) => {
                Some(format!("its tension {tension} is outside -1..1"))
            }
            _ => None,
        }
    }
}
