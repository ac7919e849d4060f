//! Curves as meshes: thin smooth lines, cut to the plot and thinned to what can be seen.

use crate::interact::{
    input::ScreenPos,
    plot_view::{PlotRect, PlotView, ValueMap},
};
use egui::{
    Color32, Mesh, Pos2, Vec2,
    epaint::{Vertex, WHITE_UV},
    pos2,
};

/// Corners nearer than this to the line through those beside them are left out, points.
const THIN_PT: f32 = 0.15;
/// Lines are drawn this far beyond the plot before they are cut, points, so that their ends do not show.
const OUTSIDE_PT: f64 = 8.0;
/// A corner is widened at most this much to keep the line's width.
const MITRE: f32 = 2.0;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineStyle {
    /// Its colour.
    pub colour: Color32,
    /// Its colour beyond the first and the last key.
    pub beyond: Color32,
    /// The times of the first and the last key, seconds.
    pub keys: (f64, f64),
    /// Its width, points.
    pub width: f32,
    /// Points in a pixel's width: the soft edge.
    pub feather: f32,
}

/// Adds a curve's line (seconds and own values) to a mesh.
pub fn add_curve(mesh: &mut Mesh, line: &[[f64; 2]], map: ValueMap, view: &PlotView, style: &LineStyle) {
    let area = view.rect;
    let (top, bottom) = (area.top - OUTSIDE_PT, area.bottom() + OUTSIDE_PT);
    let (left, right) = (area.left - OUTSIDE_PT, area.right() + OUTSIDE_PT);
    let (per_sec, per_unit) = (1.0 / view.secs_per_point(), 1.0 / view.value_per_point());
    let (start, high) = (view.range.secs.low(), view.range.values.high());
    let mut pen = Pen::new(mesh, style);
    let mut last: Option<(ScreenPos, bool)> = None;
    for [secs, own] in line {
        // As `view.x` and `view.y`, with the divisions done once.
        let at = [(secs - start) * per_sec + area.left, (high - map.shown(*own)) * per_unit + area.top];
        if !(at[0].is_finite() && at[1].is_finite()) {
            last = None;
            pen.lift();
            continue;
        }
        let colour = if *secs < style.keys.0 || *secs > style.keys.1 { style.beyond } else { style.colour };
        let inside = at[0] >= left && at[0] <= right && at[1] >= top && at[1] <= bottom;
        match last {
            None if inside => pen.to(at, colour),
            Some((_, true)) if inside => pen.to(at, colour),
            Some((from, _)) => {
                if let Some((a, b)) = cut(from, at, top, bottom, area) {
                    if a != from {
                        pen.lift();
                    }
                    pen.to(a, colour);
                    pen.to(b, colour);
                    if b != at {
                        pen.lift();
                    }
                } else {
                    pen.lift();
                }
            }
            None => {}
        }
        last = Some((at, inside));
    }
    pen.lift();
}

/// The part of a segment that lies between two heights and near the area sideways; none where there is none.
fn cut(a: ScreenPos, b: ScreenPos, top: f64, bottom: f64, area: PlotRect) -> Option<(ScreenPos, ScreenPos)> {
    let (left, right) = (area.left - OUTSIDE_PT, area.right() + OUTSIDE_PT);
    let inside = |p: ScreenPos| (left..=right).contains(&p[0]) && (top..=bottom).contains(&p[1]);
    if inside(a) && inside(b) {
        return Some((a, b));
    }
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (axis, low, high) in [(0, left, right), (1, top, bottom)] {
        let along = b[axis] - a[axis];
        if along == 0.0 {
            if !(low..=high).contains(&a[axis]) {
                return None;
            }
        } else {
            let (u, v) = ((low - a[axis]) / along, (high - a[axis]) / along);
            enter = enter.max(u.min(v));
            leave = leave.min(u.max(v));
        }
    }
    let at = |u: f64| [(b[0] - a[0]).mul_add(u, a[0]), (b[1] - a[1]).mul_add(u, a[1])];
    (enter <= leave).then(|| {
        let start = if enter > 0.0 { at(enter) } else { a };
        (start, if leave < 1.0 { at(leave) } else { b })
    })
}

/// Draws connected lines into a mesh: three vertices across, the middle one opaque and the outer ones clear.
struct Pen<'a> {
    mesh: &'a mut Mesh,
    half: f32,
    strength: f32,
    /// Across the way to the last corner, where a line has begun.
    behind: Option<Vec2>,
    /// The last corner and its colour: it is drawn when the next is known.
    last: Option<(Pos2, Color32)>,
    /// The newest corner: passed over if the next one goes on in the way of all passed since the last.
    passed: Option<(Pos2, Color32)>,
    way: Way,
}

impl<'a> Pen<'a> {
    fn new(mesh: &'a mut Mesh, style: &LineStyle) -> Self {
        // A ridge of half-width h holds as much ink as a line of width h: one pixel wider for the soft edge.
        let half = (style.width * 0.5 + style.feather * 0.5).max(style.feather);
        let strength = (style.width / half).min(1.0);
        Self { mesh, half, strength, behind: None, last: None, passed: None, way: Way::default() }
    }

    fn to(&mut self, place: ScreenPos, colour: Color32) {
        let at = pos2(place[0] as f32, place[1] as f32);
        let Some((last, last_colour)) = self.last else {
            self.last = Some((at, colour));
            return;
        };
        // Neighbouring segments share a corner.
        if self.passed.unwrap_or((last, last_colour)) == (at, colour) {
            return;
        }
        if let Some((passed, passed_colour)) = self.passed
            && (passed_colour != colour || !self.way.goes_on(passed - last, at - last))
        {
            self.corner(last, last_colour, passed);
            self.last = Some((passed, passed_colour));
            self.way = Way::default();
        }
        self.passed = Some((at, colour));
    }

    /// Ends the line; the next point begins another.
    fn lift(&mut self) {
        if let (Some((last, colour)), Some((end, end_colour))) = (self.last, self.passed) {
            self.corner(last, colour, end);
            let beyond = end + (end - last);
            self.corner(end, end_colour, beyond);
        }
        self.behind = None;
        self.last = None;
        self.passed = None;
        self.way = Way::default();
    }

    /// Draws a corner, with the way it came from and the way it goes on known.
    fn corner(&mut self, at: Pos2, colour: Color32, next: Pos2) {
        let ahead = normal(next - at);
        let Some(behind) = self.behind.replace(ahead) else {
            self.across(at, ahead, colour, false);
            return;
        };
        let middle = behind + ahead;
        let size = middle.length_sq();
        if size * MITRE * MITRE < 4.0 {
            // A sharp turn: the line ends and begins again, overlapping.
            self.across(at, behind, colour, true);
            self.across(at, ahead, colour, false);
        } else {
            self.across(at, middle * (2.0 / size), colour, true);
        }
    }

    /// Three vertices across the line, joined to the three before.
    fn across(&mut self, at: Pos2, normal: Vec2, colour: Color32, joined: bool) {
        let first = u32::try_from(self.mesh.vertices.len()).unwrap_or(0);
        let colour = if self.strength < 1.0 { colour.gamma_multiply(self.strength) } else { colour };
        let side = normal * self.half;
        let vertex = |pos: Pos2, color: Color32| Vertex { pos, uv: WHITE_UV, color };
        self.mesh.vertices.extend([
            vertex(at + side, Color32::TRANSPARENT),
            vertex(at, colour),
            vertex(at - side, Color32::TRANSPARENT),
        ]);
        if joined && first >= 3 {
            let (a, b) = (first - 3, first);
            let strips = [(a, a + 1, b, b + 1), (a + 1, a + 2, b + 1, b + 2)];
            self.mesh.indices.extend(strips.iter().flat_map(|(a, b, c, d)| [*a, *b, *c, *b, *c, *d]));
        }
    }
}

fn normal(along: Vec2) -> Vec2 {
    let length = along.length();
    if length > 0.0 { Vec2::new(along.y, -along.x) / length } else { Vec2::new(0.0, -1.0) }
}

/// The directions in which a straight line from one corner runs within [`THIN_PT`] of all corners passed since: between
/// the two bounds, the first clockwise of the second.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    bounds: Option<(Vec2, Vec2)>,
}

impl Way {
    /// Whether the line to `to` passes near the corner `passed` and all before it, none of them beyond `to`.
    fn goes_on(&mut self, passed: Vec2, to: Vec2) -> bool {
        let length = passed.length();
        if length > THIN_PT {
            let side = Vec2::new(-passed.y, passed.x) * (THIN_PT / length);
            let (mut low, mut high) = (passed - side, passed + side);
            if let Some((known_low, known_high)) = self.bounds {
                low = if cross(low, known_low) > 0.0 { known_low } else { low };
                high = if cross(known_high, high) > 0.0 { known_high } else { high };
            }
            self.bounds = Some((low, high));
        }
        let between = self.bounds.is_none_or(|(low, high)| cross(low, to) >= 0.0 && cross(to, high) >= 0.0);
        between && passed.dot(to) >= length * length * (1.0 - 1e-6)
    }
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::plot_view::PlotRange;

    fn view() -> PlotView {
        PlotView::new(PlotRange::new((0.0, 10.0), (-10.0, 10.0)), PlotRect::new(0.0, 0.0, 1_000.0, 400.0))
    }

    fn style() -> LineStyle {
        let colour = Color32::WHITE;
        LineStyle { colour, beyond: Color32::GRAY, keys: (0.0, 10.0), width: 1.5, feather: 1.0 }
    }

    fn mesh(line: &[[f64; 2]]) -> Mesh {
        let mut mesh = Mesh::default();
        add_curve(&mut mesh, line, ValueMap::IDENTITY, &view(), &style());
        assert!(mesh.is_valid());
        assert!(mesh.vertices.iter().all(|vertex| vertex.pos.x.is_finite() && vertex.pos.y.is_finite()));
        mesh
    }

    #[test]
    fn straight_lines_cost_their_ends_and_bends_their_corners() {
        let straight: Vec<[f64; 2]> = (0..=1_000).map(|i| [f64::from(i) * 0.01, f64::from(i) * 0.01]).collect();
        assert_eq!(mesh(&straight).vertices.len(), 6);
        assert_eq!(mesh(&[[0.0, 0.0], [5.0, 5.0], [10.0, 0.0]]).vertices.len(), 9);
        assert!(mesh(&[[0.0, 0.0]]).is_empty() && mesh(&[]).is_empty());
    }

    #[test]
    fn thinning_leaves_an_arc_where_it_is() {
        let arc: Vec<[f64; 2]> = (0..=2_000).map(|i| f64::from(i) * 0.003).map(|x| [x, (x - 3.0).powi(2)]).collect();
        let mesh = mesh(&arc);
        assert!(mesh.vertices.len() < 3 * 200, "{}", mesh.vertices.len());
        let corners: Vec<Pos2> = mesh.vertices.iter().skip(1).step_by(3).map(|vertex| vertex.pos).collect();
        for [secs, value] in arc {
            let (x, y) = (secs * 100.0, 200.0 - value * 20.0);
            let near = corners.windows(2).map(|pair| {
                let (along, to) = (pair[1] - pair[0], pos2(x as f32, y as f32) - pair[0]);
                let u = (to.dot(along) / along.length_sq().max(1e-9)).clamp(0.0, 1.0);
                (to - along * u).length()
            });
            assert!(near.fold(f32::MAX, f32::min) < 0.2, "{secs}");
        }
    }

    #[test]
    fn what_lies_outside_is_cut_in_double_precision() {
        let cut = mesh(&[[0.0, -1e15], [10.0, 1e15]]);
        assert_eq!(cut.vertices.len(), 6);
        assert!(cut.vertices.iter().all(|vertex| (vertex.pos.x - 500.0).abs() < 3.0 && vertex.pos.y.abs() < 500.0));
        assert!(mesh(&[[0.0, 50.0], [10.0, 60.0]]).is_empty());
        // Out at the top and in again: two lines.
        assert_eq!(mesh(&[[0.0, 0.0], [5.0, 1e6], [10.0, 0.0]]).vertices.len(), 12);
    }

    #[test]
    fn values_that_are_not_finite_break_the_line() {
        assert_eq!(mesh(&[[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 0.0], [4.0, 3.0]]).vertices.len(), 12);
    }

    #[test]
    fn spikes_are_kept_at_full_height() {
        let spikes = mesh(&[[1.0, 0.0], [1.0, 9.0], [1.0, -9.0], [1.001, 0.0]]);
        let heights = spikes.vertices.iter().map(|vertex| vertex.pos.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!(low < 21.0 && high > 379.0);
    }
}
