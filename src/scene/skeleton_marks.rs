//! Bones and joints drawn over a character: discs and kites that keep their size on the screen, and give way where they
//! would crowd.

use crate::interact::projection::View;
use crate::math::Vec3;
use crate::render::{Dot, Layer, Stroke};
use crate::style::{self, Palette, Rgba};

/// How a joint is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Emphasis {
    /// As any other.
    #[default]
    Plain,
    /// The pointer is over it.
    Hovered,
    /// It is selected.
    Selected,
}

/// A skeleton to be drawn.
pub(super) struct SkeletonMarks<'a> {
    /// Parents, an earlier index each.
    pub(super) parents: &'a [Option<usize>],
    /// Whether each joint is only the tip of a bone.
    pub(super) tips: &'a [bool],
    /// Where each joint is, world.
    pub(super) places: &'a [Vec3],
    /// How each is shown.
    pub(super) emphasis: &'a [Emphasis],
    /// The colour of each; none for that of bones.
    pub(super) colors: &'a [Option<Rgba>],
    /// Whether a solid body is drawn as well: the bones are fainter then.
    pub(super) over_a_body: bool,
}

/// A disc is at most this share of the distance to the next joint on the screen.
const SHARE_OF_BONE: f64 = 0.16;
/// Discs smaller than this are left out, points.
const LEAST_DISC_PT: f64 = 1.1;

impl SkeletonMarks<'_> {
    /// Adds bones, then joints, the emphasised ones last.
    pub(super) fn draw(&self, view: &View, palette: &Palette, layer: &mut Layer) {
        let count = self.places.len().min(self.parents.len()).min(self.tips.len()).min(self.emphasis.len());
        let scale: Vec<f64> =
            (0..count).map(|joint| view.points_per_metre(&self.places[joint]).unwrap_or(0.0)).collect();
        // Points on the screen to the nearest joint that a bone leads to.
        let mut room = vec![f64::INFINITY; count];
        for joint in 0..count {
            if let Some(parent) = self.parents[joint].filter(|parent| *parent < joint) {
                let length = (self.places[joint] - self.places[parent]).norm() * scale[parent];
                // Helper joints at one place do not hide each other.
                if length > 0.5 {
                    room[parent] = room[parent].min(length);
                    room[joint] = room[joint].min(length);
                }
                self.bone(parent, joint, length, palette, layer);
            }
        }
        let mut order: Vec<usize> = (0..count).filter(|joint| !self.tips[*joint] && scale[*joint] > 0.0).collect();
        order.sort_by_key(|joint| self.emphasis[*joint]);
        for joint in order {
            self.joint(joint, room[joint], palette, layer);
        }
    }

    fn color(&self, joint: usize, palette: &Palette) -> Rgba {
        match self.emphasis[joint] {
            Emphasis::Selected => palette.selected,
            Emphasis::Hovered => palette.hovered,
            Emphasis::Plain => self.colors.get(joint).copied().flatten().unwrap_or(palette.bone),
        }
    }

    /// A kite from a joint to the next, broad near its start.
    fn bone(&self, from: usize, to: usize, length_pt: f64, palette: &Palette, layer: &mut Layer) {
        let plain = self.emphasis[from] == Emphasis::Plain;
        let alpha = match (plain, self.over_a_body) {
            (true, true) => 0.30,
            (true, false) => 0.85,
            (false, _) => 0.9,
        };
        let color = self.color(from, palette).faded(alpha);
        let thick = (length_pt * 0.11).clamp(style::BONE_THIN_PT, style::BONE_THICK_PT);
        let thick = if plain && self.over_a_body { thick * 0.6 } else { thick };
        let (a, b) = (self.places[from], self.places[to]);
        let shoulder = a + (b - a) * 0.16;
        let part = |from: Vec3, to: Vec3, width_from: f64, width_to: f64| Stroke {
            from,
            to,
            width_from_pt: single(width_from),
            width_to_pt: single(width_to),
            color_from: color,
            color_to: color,
        };
        layer.strokes.push(part(a, shoulder, style::BONE_THIN_PT, thick));
        layer.strokes.push(part(shoulder, b, thick, style::BONE_THIN_PT));
    }

    fn joint(&self, joint: usize, room_pt: f64, palette: &Palette, layer: &mut Layer) {
        let color = self.color(joint, palette);
        let (radius, edge) = match self.emphasis[joint] {
            Emphasis::Plain if self.over_a_body => ((room_pt * SHARE_OF_BONE).min(0.8 * style::JOINT_RADIUS_PT), 0.9),
            Emphasis::Plain => ((room_pt * SHARE_OF_BONE).min(style::JOINT_RADIUS_PT), 1.0),
            _ => (style::JOINT_RADIUS_ACTIVE_PT, 1.5),
        };
        if radius >= LEAST_DISC_PT {
            let edge_color = palette.bone_edge.faded(0.75);
            let at = self.places[joint];
            layer.dots.push(Dot { at, radius_pt: single(radius), color, edge_pt: single(edge), edge: edge_color });
        }
    }
}

/// Single precision, for sizes on the screen.
#[expect(clippy::cast_possible_truncation, reason = "sizes of a few points")]
pub(super) fn single(x: f64) -> f32 {
    x as f32
}
