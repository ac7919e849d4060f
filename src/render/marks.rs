//! Lines, discs and flat triangles, placed on the screen by the processor.
//!
//! Each mark becomes two triangles already in normalized device coordinates, with the place of each corner in the
//! mark's own frame, in pixels; the shader turns the distance to the mark's axis into a smooth edge. So widths hold at
//! any zoom, and edges are smooth without multisampling.

use super::scene::{Camera, Dot, Face, Layer, Stroke};
use crate::math::{Mat4, Vec3};
use crate::style::Rgba;

pub(super) type Vec4 = nalgebra::Vector4<f64>;

/// From the world to the screen.
#[derive(Clone, Debug)]
pub(super) struct Projector {
    clip_from_world: Mat4,
    /// Half the picture's size, pixels.
    half: [f64; 2],
    /// Physical pixels a logical point.
    pub(super) pixels_per_point: f64,
}

impl Projector {
    /// For a picture of `width` by `height` physical pixels.
    pub(super) fn new(camera: &Camera, width: u32, height: u32, pixels_per_point: f64) -> Self {
        Self {
            clip_from_world: camera.clip_from_world(),
            half: [f64::from(width) / 2.0, f64::from(height) / 2.0],
            pixels_per_point,
        }
    }

    /// Clip space of a world direction.
    pub(super) fn clip_direction(&self, direction: &Vec3) -> Vec4 {
        self.clip_from_world * direction.push(0.0)
    }

    /// Pixels a place moves for each step of `direction`, both in clip space; only in front of the eye.
    pub(super) fn pixels_along(&self, at: &[f64; 4], direction: &[f64; 4]) -> [f64; 2] {
        let per_w = 1.0 / at[3].max(1e-12);
        let axis = |i: usize| (direction[i] - at[i] * per_w * direction[3]) * per_w * self.half[i];
        [axis(0), axis(1)]
    }

    /// Pixels that a metre across the view takes, at the depth where clip space's w is `w`.
    pub(super) fn pixels_per_metre(&self, w: f64) -> f64 {
        // The rows' lengths are the focal factors: the view is a rigid motion.
        let row = self.clip_from_world.fixed_view::<1, 3>(1, 0).norm();
        row * self.half[1] / w.max(1e-9)
    }

    /// Clip space of a world point.
    pub(super) fn clip(&self, p: &Vec3) -> Vec4 {
        self.clip_from_world * p.push(1.0)
    }

    /// Pixels from the middle of the picture, Y up, and depth -1 to 1; only for points in front of the eye.
    pub(super) fn pixel(&self, clip: &Vec4) -> [f64; 3] {
        let w = clip.w.max(1e-12);
        [clip.x / w * self.half[0], clip.y / w * self.half[1], clip.z / w]
    }
}

/// Triangles ready for upload.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Normalized device coordinates.
    pub(super) positions: Vec<[f32; 3]>,
    /// Along and across the mark, half its length, its radius; pixels.
    pub(super) shapes: Vec<[f32; 4]>,
    /// Straight alpha.
    pub(super) colors: Vec<[u8; 4]>,
    /// Three indices a triangle.
    pub(super) indices: Vec<u32>,
}

/// One end of a stroke on its way through the clipping planes.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Where it is, clip space.
    pub(super) clip: Vec4,
    /// Width, points.
    pub(super) width: f64,
    /// Colour.
    pub(super) color: Rgba,
}

impl End {
    fn toward(self, other: Self, t: f64) -> Self {
        Self {
            clip: self.clip + (other.clip - self.clip) * t,
            width: self.width + (other.width - self.width) * t,
            color: if self.color == other.color { self.color } else { self.color.mix(other.color, t) },
        }
    }
}

/// How far beyond its radius a mark's smooth edge reaches, pixels.
const SOFT: f64 = 0.5;

/// How far outside the picture strokes are cut, in half pictures: beyond any width, yet near enough for single
/// precision.
const MARGIN: f64 = 1.25;

impl Marks {
    /// Forgets all but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.shapes.clear();
        self.colors.clear();
        self.indices.clear();
    }

    /// Adds a whole layer: faces, strokes, dots.
    pub(super) fn push_layer(&mut self, view: &Projector, layer: &Layer) {
        for face in &layer.faces {
            self.push_face(view, face);
        }
        for stroke in &layer.strokes {
            self.push_stroke(view, stroke);
        }
        for dot in &layer.dots {
            self.push_dot(view, dot);
        }
    }

    /// Adds a line, cut at the eye and a little outside the picture.
    pub(super) fn push_stroke(&mut self, view: &Projector, stroke: &Stroke) {
        let a = End { clip: view.clip(&stroke.from), width: f64::from(stroke.width_from_pt), color: stroke.color_from };
        let b = End { clip: view.clip(&stroke.to), width: f64::from(stroke.width_to_pt), color: stroke.color_to };
        self.push_ends(view, a, b);
    }

    /// Adds a line between two places in clip space.
    pub(super) fn push_ends(&mut self, view: &Projector, a: End, b: End) {
        let Some((a, b)) = cut(a, b) else { return };
        let (pa, pb) = (view.pixel(&a.clip), view.pixel(&b.clip));
        let (dx, dy) = (pb[0] - pa[0], pb[1] - pa[1]);
        let length = dx.hypot(dy);
        if !length.is_finite() {
            return;
        }
        let along = if length > 1e-9 { [dx / length, dy / length] } else { [1.0, 0.0] };
        let (ra, color_a) = radius_and_color(a.width * view.pixels_per_point / 2.0, a.color);
        let (rb, color_b) = radius_and_color(b.width * view.pixels_per_point / 2.0, b.color);
        if color_a.0[3] == 0 && color_b.0[3] == 0 {
            return;
        }
        let (half, reach) = (length / 2.0, ra.max(rb) + SOFT);
        let corner = |sign_x: f64, sign_y: f64| {
            let (x, y) = (sign_x * (half + reach), sign_y * reach);
            let (end, radius, color) = if sign_x < 0.0 { (pa, ra, color_a) } else { (pb, rb, color_b) };
            let out = [sign_x * reach * along[0] - y * along[1], sign_x * reach * along[1] + y * along[0]];
            ([end[0] + out[0], end[1] + out[1], end[2]], [x, y, half, radius], color)
        };
        self.push_quad(view, [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
    }

    /// Adds a disc with its edge below it.
    pub(super) fn push_dot(&mut self, view: &Projector, dot: &Dot) {
        let clip = view.clip(&dot.at);
        if !is_inside(&clip) {
            return;
        }
        let centre = view.pixel(&clip);
        let mut disc = |radius_pt: f64, color: Rgba| {
            let radius = radius_pt * view.pixels_per_point;
            let reach = radius + SOFT;
            let corner = |x: f64, y: f64| {
                ([centre[0] + x * reach, centre[1] + y * reach, centre[2]], [x * reach, y * reach, 0.0, radius], color)
            };
            self.push_quad(view, [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
        };
        let radius = f64::from(dot.radius_pt);
        if dot.edge_pt > 0.0 && dot.edge.0[3] > 0 {
            disc(radius + f64::from(dot.edge_pt), dot.edge);
        }
        disc(radius, dot.color);
    }

    /// Adds a triangle, cut where it passes behind the eye.
    pub(super) fn push_face(&mut self, view: &Projector, face: &Face) {
        let corners = face.corners.map(|corner| view.clip(&corner));
        let mut kept: Vec<Vec4> = Vec::with_capacity(4);
        for (i, here) in corners.iter().enumerate() {
            let next = &corners[(i + 1) % 3];
            let (d, e) = (near(here), near(next));
            if d >= 0.0 {
                kept.push(*here);
            }
            if (d < 0.0) != (e < 0.0) {
                kept.push(here + (next - here) * (d / (d - e)));
            }
        }
        let Ok(base) = u32::try_from(self.positions.len()) else { return };
        if kept.len() < 3 || kept.iter().any(|clip| !clip.iter().all(|x| x.is_finite())) {
            return;
        }
        for clip in &kept {
            // A radius that no distance reaches: everything is inside.
            self.push_corner(view, &view.pixel(clip), [0.0, 0.0, 0.0, 1.0e6], face.color);
        }
        for i in 2..u32::try_from(kept.len()).unwrap_or(0) {
            self.indices.extend([base, base + i - 1, base + i]);
        }
    }

    fn push_quad(&mut self, view: &Projector, corners: [([f64; 3], [f64; 4], Rgba); 4]) {
        let Ok(base) = u32::try_from(self.positions.len()) else { return };
        for (place, shape, color) in corners {
            self.push_corner(view, &place, shape, color);
        }
        self.indices.extend([base, base + 1, base + 2, base, base + 2, base + 3]);
    }

    #[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
    fn push_corner(&mut self, view: &Projector, place: &[f64; 3], shape: [f64; 4], color: Rgba) {
        self.positions.push([
            (place[0] / view.half[0].max(0.5)) as f32,
            (place[1] / view.half[1].max(0.5)) as f32,
            place[2] as f32,
        ]);
        self.shapes.push(shape.map(|x| x as f32));
        self.colors.push(color.0);
    }
}

/// Signed distance from the near plane; negative is behind it.
fn near(clip: &Vec4) -> f64 {
    clip.z + clip.w
}

fn is_inside(clip: &Vec4) -> bool {
    let reach = MARGIN * clip.w;
    near(clip) >= 0.0 && clip.w > 0.0 && clip.x.abs() <= reach && clip.y.abs() <= reach
}

/// The part of a segment in front of the eye and near the picture.
fn cut(a: End, b: End) -> Option<(End, End)> {
    let distances = |c: &Vec4| {
        let reach = MARGIN * c.w;
        [near(c), reach - c.x, reach + c.x, reach - c.y, reach + c.y]
    };
    let (da, db) = (distances(&a.clip), distances(&b.clip));
    let (mut start, mut stop) = (0.0_f64, 1.0_f64);
    for (d, e) in da.into_iter().zip(db) {
        match (d >= 0.0, e >= 0.0) {
            (true, true) => {}
            (true, false) => stop = stop.min(d / (d - e)),
            (false, true) => start = start.max(d / (d - e)),
            (false, false) => return None,
        }
    }
    if start > stop {
        return None;
    }
    let cut_a = if start > 0.0 { a.toward(b, start) } else { a };
    let cut_b = if stop < 1.0 { a.toward(b, stop) } else { b };
    Some((cut_a, cut_b))
}

/// A line thinner than a pixel is drawn one pixel wide and fainter instead.
fn radius_and_color(radius: f64, color: Rgba) -> (f64, Rgba) {
    if radius < 0.5 { (0.5, color.faded(radius / 0.5)) } else { (radius, color) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Affine;

    /// Looks along -Z from (0, 0, 5), near plane at 1.
    fn view() -> Projector {
        let camera = Camera {
            view_from_world: Affine { translation: Vec3::new(0.0, 0.0, -5.0), ..Affine::IDENTITY },
            clip_from_view: *nalgebra::Perspective3::new(1.0, std::f64::consts::FRAC_PI_2, 1.0, 100.0).as_matrix(),
        };
        Projector::new(&camera, 200, 200, 2.0)
    }

    const WHITE: Rgba = Rgba::hex(0xff_ffff);

    #[test]
    fn a_stroke_keeps_its_width_at_any_distance() {
        for z in [0.0, -40.0] {
            let mut marks = Marks::default();
            let (from, to) = (Vec3::new(-1.0, 0.0, z), Vec3::new(1.0, 0.0, z));
            marks.push_stroke(&view(), &Stroke::plain(from, to, 3.0, WHITE));
            assert_eq!(marks.indices.len(), 6);
            // 3 points at 2 pixels a point: radius 3 pixels, and half a pixel of edge.
            assert_eq!(marks.shapes[0][3], 3.0);
            assert!((marks.positions[0][1] + 0.035).abs() < 1e-6, "{:?}", marks.positions);
            // The end without its round cap lies where the world point does.
            let expected = -1.0 / (5.0 - z) - 0.035;
            assert!((f64::from(marks.positions[0][0]) - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_stroke_through_the_eye_is_cut_and_one_behind_it_is_gone() {
        let mut marks = Marks::default();
        marks.push_stroke(&view(), &Stroke::plain(Vec3::zeros(), Vec3::new(0.0, 0.0, 50.0), 1.0, WHITE));
        assert!(marks.positions.iter().flatten().all(|x| x.is_finite() && x.abs() < 3.0));
        assert_eq!(marks.indices.len(), 6);
        marks.clear();
        let behind = Stroke::plain(Vec3::new(0.0, 0.0, 6.0), Vec3::new(0.0, 0.0, 50.0), 1.0, WHITE);
        marks.push_stroke(&view(), &behind);
        let broken = Stroke::plain(Vec3::new(f64::NAN, 0.0, 0.0), Vec3::zeros(), 1.0, WHITE);
        marks.push_stroke(&view(), &broken);
        assert!(marks.indices.is_empty());
    }

    #[test]
    fn a_face_is_cut_at_the_eye() {
        let mut marks = Marks::default();
        let corners = [Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 20.0)];
        marks.push_face(&view(), &Face { corners, color: WHITE });
        assert_eq!((marks.positions.len(), marks.indices.len()), (4, 6));
        marks.clear();
        let behind = corners.map(|p| p + Vec3::new(0.0, 0.0, 30.0));
        marks.push_face(&view(), &Face { corners: behind, color: WHITE });
        assert!(marks.positions.is_empty());
    }

    #[test]
    fn a_line_thinner_than_a_pixel_fades() {
        assert_eq!(radius_and_color(0.25, WHITE), (0.5, WHITE.with_alpha(128)));
    }
}
