//! A path drawn freehand: what the pointer passed over, on one plane, and the path of few points through it.

use crate::{
    edit::{Edit, ImportEdit},
    interact::{input::ScreenPos, tool::ToolContext},
    math::{Vec3, path::fit_path},
    model::{Object, ObjectId, Path, PathPoint, PathScheme, PointId},
};
use std::sync::Arc;

/// How near to its start a stroke must end to be closed, points.
const CLOSE_PT: f64 = 10.0;
/// How far it must have gone before that, points.
const CLOSE_AFTER_PT: f64 = 40.0;
/// A plane seen at a flatter angle than this (sine) is not drawn on.
const FLATTEST: f64 = 0.02;
/// How far from the view a level plane is drawn on, in distances of the camera.
const REACH: f64 = 50.0;
/// The most places a stroke keeps; beyond, every second one goes.
const MOST: usize = 4_000;

/// Where what is drawn lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawPlane {
    through: Vec3,
    normal: Vec3,
    reach: f64,
}

impl DrawPlane {
    /// The level plane through a point, or through the world's origin; where that is seen from its edge or a place on the screen is
    /// above its horizon, and where it is asked for (`facing`), the plane that faces the view at the depth of the point, or of the
    /// camera's pivot.
    #[must_use]
    pub fn at(ctx: &ToolContext<'_>, pos: ScreenPos, last: Option<Vec3>, facing: bool) -> Self {
        let reach = REACH * ctx.view.camera().distance;
        let ray = ctx.view.ray(pos);
        let level = Self { through: last.unwrap_or_else(Vec3::zeros), normal: Vec3::y(), reach };
        if !facing && ray.direction.y.abs() > FLATTEST && level.met(ctx, pos).is_some() {
            return level;
        }
        let through = last.unwrap_or(ctx.view.camera().pivot);
        Self { through, normal: ctx.view.forward(), reach: f64::INFINITY }
    }

    /// Where a place on the screen lies on it; none beyond its horizon.
    #[must_use]
    pub fn met(&self, ctx: &ToolContext<'_>, pos: ScreenPos) -> Option<Vec3> {
        let ray = ctx.view.ray(pos);
        let t = ray.meet_plane(&self.through, &self.normal).filter(|t| (0.0..=self.reach).contains(t))?;
        Some(ray.at(t)).filter(|place| place.iter().all(|number| number.is_finite()))
    }
}

/// A stroke so far.
#[derive(Clone, Debug)]
pub struct Stroke {
    plane: DrawPlane,
    /// The places passed, on the screen, points, and on the plane, metres.
    passed: Vec<(ScreenPos, Vec3)>,
    /// How long it is on the screen, points.
    length: f64,
}

impl Stroke {
    /// A stroke that starts at a place on the screen.
    #[must_use]
    pub fn new(plane: DrawPlane, at: ScreenPos, ctx: &ToolContext<'_>) -> Self {
        let passed = plane.met(ctx, at).map(|place| (at, place)).into_iter().collect();
        Self { plane, passed, length: 0.0 }
    }

    /// Goes on to a place; one beyond the plane's horizon is passed over.
    pub fn go_on(&mut self, to: ScreenPos, ctx: &ToolContext<'_>) {
        let Some(place) = self.plane.met(ctx, to) else { return };
        if let Some((from, _)) = self.passed.last() {
            let step = (to[0] - from[0]).hypot(to[1] - from[1]);
            if step < 0.5 {
                return;
            }
            self.length += step;
        }
        self.passed.push((to, place));
        if self.passed.len() > MOST {
            let mut keep = false;
            self.passed.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    /// Whether its end meets its start.
    #[must_use]
    pub fn closes(&self) -> bool {
        let (Some((first, _)), Some((last, _))) = (self.passed.first(), self.passed.last()) else { return false };
        self.length > CLOSE_AFTER_PT && (last[0] - first[0]).hypot(last[1] - first[1]) <= CLOSE_PT
    }

    /// Where it started on the screen.
    #[must_use]
    pub fn start(&self) -> Option<ScreenPos> {
        self.passed.first().map(|(at, _)| *at)
    }

    /// Where it has come to on the screen.
    #[must_use]
    pub fn end(&self) -> Option<ScreenPos> {
        self.passed.last().map(|(at, _)| *at)
    }

    /// The way on the screen.
    #[must_use]
    pub fn line(&self) -> Vec<ScreenPos> {
        self.passed.iter().map(|(at, _)| *at).collect()
    }

    /// The path of the fewest points that stays within so many points on the screen of the stroke. None for a stroke without a
    /// length.
    #[must_use]
    pub fn path(&self, within_pt: f64, ctx: &ToolContext<'_>) -> Option<Path> {
        let closed = self.closes();
        let mut places: Vec<Vec3> = self.passed.iter().map(|(_, place)| *place).collect();
        if closed {
            // What met the start is the start.
            while places.len() > 2
                && self
                    .passed
                    .get(places.len() - 1)
                    .zip(self.start())
                    .is_some_and(|((at, _), start)| (at[0] - start[0]).hypot(at[1] - start[1]) <= CLOSE_PT)
            {
                places.pop();
            }
        }
        // Where the plane is seen from the side, a point on the screen is more of it: the bound is by its nearness alone, so that it
        // is never looser than asked for.
        let metres = |place: &Vec3| ctx.view.points_per_metre(place).map_or(0.0, |scale| within_pt / scale);
        let points = fit_path(&places, closed, |index| places.get(index).map_or(0.0, metres));
        let point = |(fitted, id): (_, u32)| {
            let crate::math::path::FittedPoint { place, handle_in, handle_out } = fitted;
            PathPoint { handle_in, handle_out, ..PathPoint::new(PointId(id), place) }
        };
        let points: Vec<PathPoint> = points.into_iter().zip(0..).map(point).collect();
        (points.len() > 1).then_some(Path { points, scheme: PathScheme::Bezier, closed })
    }
}

/// A new path, in the world.
#[must_use]
pub fn add_path(id: ObjectId, name: &str, path: Path) -> Edit {
    ImportEdit { objects: vec![(id, Arc::new(Object::path(name, path)))], ..ImportEdit::default() }.into()
}
