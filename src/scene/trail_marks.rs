//! Trails as marks: the line with the frames on it, past and future apart, combs, the clean arc.

use super::skeleton_marks::single;
use crate::{
    eval::trail::{CleanArc, Motion, Trail},
    interact::{projection::View, trails::TrailOptions},
    math::{Affine, Vec3},
    render::{Dot, Layer, Stroke},
    style::{GUIDE_WIDTH_PT, Palette, Rgba, speed_colour},
};
use std::sync::Arc;

/// A trail and what is drawn of it.
#[derive(Clone, Debug)]
pub struct TrailShown {
    /// The trail.
    pub trail: Arc<Trail>,
    /// Speeds, where something drawn needs them.
    pub motion: Option<Arc<Motion>>,
    /// The clean arc, where it is drawn.
    pub arc: Option<Arc<CleanArc>>,
    /// The speed that the last colour stands for, metres a second.
    pub top_speed: f64,
    /// How it is drawn.
    pub options: TrailOptions,
}

impl TrailShown {
    /// Trails with one scale of speed for all, or their colours could not be compared.
    #[must_use]
    pub fn to_one_scale(mut trails: Vec<Self>) -> Vec<Self> {
        let speeds = |of: &Self| -> f64 {
            let motion = of.motion.iter().flat_map(|motion| &motion.velocity);
            motion.map(|velocity| velocity.norm()).fold(0.0, f64::max)
        };
        let top = trails.iter().map(speeds).fold(0.0, f64::max);
        for trail in &mut trails {
            trail.top_speed = top;
        }
        trails
    }
}

/// Radius of a frame's dot, points: keys are larger, and the present.
const FRAME_PT: f64 = 2.0;
const KEY_PT: f64 = 3.6;
const FEWEST_KEY_PT: f64 = 2.4;
const NOW_PT: f64 = 5.0;
/// Dots that would lie nearer than this are thinned, points.
const LEAST_GAP_PT: f64 = 5.0;
/// How long the longest tooth of a comb at 100 % is, as a part of the trail's extent.
const TOOTH: f64 = 0.2;
/// About how many teeth a comb has.
const TEETH: usize = 160;

/// A trail as it lies in the world.
struct Laid<'a> {
    of: &'a TrailShown,
    world: Affine,
    places: Vec<Vec3>,
    palette: &'a Palette,
    secs: f64,
}

/// Adds a trail to a layer: combs and the arc first, then the line, then the dots. Nothing where what it hangs on is gone.
pub(super) fn draw(
    of: &TrailShown,
    frame: &crate::eval::EvaluatedFrame,
    view: &View,
    palette: &Palette,
    layer: &mut Layer,
) {
    let Some(world) = of.trail.world(frame) else { return };
    let places = of.trail.points.iter().map(|at| world.point(at)).collect();
    let laid = Laid { of, world, places, palette, secs: frame.secs };
    laid.combs(layer);
    laid.arc(layer);
    laid.line(layer);
    laid.dots(view, layer);
}

/// A comb's tooth at a point of the trail; none where it has none there.
type Tooth<'a> = &'a dyn Fn(usize) -> Option<Vec3>;

impl Laid<'_> {
    fn line(&self, layer: &mut Layer) {
        let trail = &self.of.trail;
        for index in 1..self.places.len() {
            let past = trail.secs(index) <= self.secs + 1e-9;
            let own = if past { self.palette.past } else { self.palette.future };
            let colour = |at: usize| self.by_speed(at).unwrap_or(own);
            // The past is broad, the future thin: not told by colour alone.
            let width = single(if past { 1.8 * GUIDE_WIDTH_PT } else { 0.9 * GUIDE_WIDTH_PT });
            layer.strokes.push(Stroke {
                from: self.places[index - 1],
                to: self.places[index],
                width_from_pt: width,
                width_to_pt: width,
                color_from: colour(index - 1),
                color_to: colour(index),
            });
        }
    }

    /// The colour of the speed at a point, where that is shown.
    fn by_speed(&self, index: usize) -> Option<Rgba> {
        let motion = self.of.motion.as_ref().filter(|_| self.of.options.by_speed)?;
        Some(speed_colour(motion.speed(index) / self.of.top_speed.max(1e-12)))
    }

    fn dots(&self, view: &View, layer: &mut Layer) {
        let trail = &self.of.trail;
        let edge = self.palette.bone_edge;
        let now = trail.rate.nearest_frame(self.secs);
        let gap = self.gap(view);
        let stride = strides(gap);
        // Where keys lie close, their dots are smaller: the line is still seen between them.
        let frames_a_key = trail.frames().count() as f64 / trail.keys.len().max(1) as f64;
        let key_pt = KEY_PT.min((0.22 * gap * frames_a_key).max(FEWEST_KEY_PT));
        for (index, frame, _) in trail.frames() {
            if frame == now || frame.rem_euclid(stride) != 0 {
                continue;
            }
            let (own, past) = if frame < now { (self.palette.past, true) } else { (self.palette.future, false) };
            let own = self.by_speed(index).unwrap_or(own);
            // A dot of the past is full, one of the future a ring.
            let (color, edge) = if past { (own, edge) } else { (edge, own) };
            layer.dots.push(Dot { at: self.places[index], radius_pt: single(FRAME_PT), color, edge_pt: 1.0, edge });
        }
        for &frame in &trail.keys {
            let secs = frame * trail.rate.frame_secs();
            let Some(at) = trail.place(secs).map(|at| self.world.point(&at)) else { continue };
            let own = if secs <= self.secs + 1e-9 { self.palette.past } else { self.palette.future };
            let color = self.palette.bone;
            layer.dots.push(Dot { at, radius_pt: single(key_pt), color, edge_pt: 1.4, edge: own });
        }
        if let Some(at) = trail.index_of(now).map(|index| self.places[index]) {
            let color = self.palette.selected;
            layer.dots.push(Dot { at, radius_pt: single(NOW_PT), color, edge_pt: 1.5, edge });
        }
    }

    /// How far dots of neighbouring frames are apart on the screen in the mean, points.
    fn gap(&self, view: &View) -> f64 {
        let points: Vec<_> = self.places.iter().filter_map(|at| view.project(at)).collect();
        let length: f64 = points.windows(2).map(|pair| crate::interact::input::distance(pair[0], pair[1])).sum();
        length / self.of.trail.frames().count().max(1) as f64
    }

    /// Teeth at the points, the longest of a fixed share of the trail's extent.
    fn combs(&self, layer: &mut Layer) {
        let (options, palette) = (&self.of.options, self.palette);
        let Some(motion) = &self.of.motion else { return };
        let turned = |vector: Vec3| self.world.vector(&vector);
        // Outwards: the side away from the centre is where a curve has room.
        let curvature = |index: usize| motion.curvature(index).map(|towards| -turned(towards));
        let acceleration = |index: usize| motion.acceleration.get(index).map(|vector| turned(*vector));
        let speed = |index: usize| {
            let velocity = turned(*motion.velocity.get(index)?);
            let along = velocity.try_normalize(1e-9)?;
            let up = Vec3::y() - along * along.y;
            let up = up.try_normalize(0.1).unwrap_or_else(|| Vec3::x() - along * along.x);
            Some(up * velocity.norm())
        };
        let combs: [(bool, Tooth<'_>, Rgba); 3] = [
            (options.curvature, &curvature, palette.axis_w),
            (options.speed, &speed, palette.unkeyed),
            (options.acceleration, &acceleration, palette.axis_x),
        ];
        for (_, tooth, color) in combs.into_iter().filter(|(on, ..)| *on) {
            self.comb(tooth, color, layer);
        }
    }

    fn comb(&self, tooth: Tooth<'_>, color: Rgba, layer: &mut Layer) {
        let count = self.places.len();
        let step = count.div_ceil(TEETH).max(1);
        let teeth: Vec<(usize, Vec3)> =
            (0..count).step_by(step).map(|index| (index, tooth(index).unwrap_or_else(Vec3::zeros))).collect();
        let longest = Motion::most(teeth.iter().map(|(_, tooth)| tooth.norm()));
        if longest <= 0.0 {
            return;
        }
        let scale = TOOTH * self.extent() * f64::from(self.of.options.comb_scale) / 100.0 / longest;
        // What sticks out far above the rest is cut.
        let cut = |tooth: &Vec3| tooth * (scale * (1.5 * longest / tooth.norm().max(1e-12)).min(1.0));
        let tips: Vec<(Vec3, Vec3)> =
            teeth.iter().map(|(index, tooth)| (self.places[*index], self.places[*index] + cut(tooth))).collect();
        layer.strokes.extend(tips.iter().map(|(from, to)| Stroke::plain(*from, *to, 1.0, color.faded(0.55))));
        layer.strokes.extend(tips.windows(2).map(|pair| Stroke::plain(pair[0].1, pair[1].1, 1.4, color)));
    }

    fn extent(&self) -> f64 {
        let low = self.places.iter().fold(Vec3::repeat(f64::INFINITY), |low, at| low.inf(at));
        let high = self.places.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |high, at| high.sup(at));
        (high - low).norm()
    }

    /// The clean arc as a ghost, with a line to it from where the trail is farthest off.
    fn arc(&self, layer: &mut Layer) {
        let Some(arc) = &self.of.arc else { return };
        let on_arc: Vec<Vec3> = arc.points.iter().map(|at| self.world.point(at)).collect();
        let ghost = self.palette.bone.faded(0.45);
        layer.strokes.extend(on_arc.windows(2).map(|pair| Stroke::plain(pair[0], pair[1], 3.0, ghost)));
        if let (Some(from), Some(to)) = (self.places.get(arc.worst), on_arc.get(arc.worst)) {
            layer.strokes.push(Stroke::plain(*from, *to, 2.0, self.palette.axis_x));
        }
    }
}

/// Every how many frames a dot finds room on the screen.
fn strides(gap: f64) -> i64 {
    [1, 2, 5, 10, 20, 50].into_iter().find(|stride| gap * *stride as f64 >= LEAST_GAP_PT).unwrap_or(100)
}
