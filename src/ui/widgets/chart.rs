//! A small chart: lines and dots in a frame with its axes' ends named.

use crate::ui::theme::Colours;
use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};

/// Room left of the plot for the names of values, and below it for those of the other axis, points.
const ROOM: Vec2 = Vec2::new(46.0, 18.0);

/// A chart's axes.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// For screen readers.
    pub name: &'a str,
    /// The least and the greatest of the axis to the right.
    pub x: (f64, f64),
    /// The least and the greatest of the axis upwards.
    pub y: (f64, f64),
    /// What stands at the ends of the axes: left, right, bottom, top.
    pub ends: [String; 4],
    /// Height, points.
    pub height: f32,
}

/// What is drawn in a chart.
#[derive(Clone, Debug)]
pub enum Item {
    /// A line through points; whether it is dashed.
    Line(Vec<[f64; 2]>, Color32, bool),
    /// Dots.
    Dots(Vec<[f64; 2]>, Color32),
    /// A line from bottom to top at a place of the axis to the right.
    Upright(f64, Color32),
}

impl Chart<'_> {
    /// Draws the chart; where the pointer is in it, on the axis to the right.
    pub fn show(&self, ui: &mut Ui, colours: &Colours, items: &[Item]) -> Option<f64> {
        let size = Vec2::new(ui.available_width().max(80.0), self.height);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, self.name));
        let plot = Rect::from_min_max(rect.min + Vec2::new(ROOM.x, 4.0), rect.max - Vec2::new(6.0, ROOM.y));
        let painter = ui.painter_at(rect);
        painter.rect_filled(plot, 2.0, ui.visuals().extreme_bg_color);
        let part = |value: f64, (low, high): (f64, f64)| ((value - low) / (high - low)).clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, reason = "places on a screen")]
        let at = |[x, y]: [f64; 2]| -> Pos2 {
            pos2(
                plot.left() + plot.width() * part(x, self.x) as f32,
                plot.bottom() - plot.height() * part(y, self.y) as f32,
            )
        };
        for item in items {
            match item {
                Item::Line(points, colour, dashed) => {
                    let points: Vec<Pos2> = points.iter().map(|point| at(*point)).collect();
                    let stroke = Stroke::new(1.75, *colour);
                    if *dashed {
                        painter.extend(egui::Shape::dashed_line(&points, stroke, 4.0, 3.0));
                    } else {
                        painter.line(points, stroke);
                    }
                }
                Item::Dots(points, colour) => {
                    for point in points {
                        painter.circle_filled(at(*point), 3.0, *colour);
                    }
                }
                Item::Upright(x, colour) => {
                    let top = at([*x, self.y.1]);
                    painter.line_segment([top, at([*x, self.y.0])], Stroke::new(1.0, *colour));
                }
            }
        }
        painter.rect_stroke(plot, 2.0, Stroke::new(1.0, colours.weak.gamma_multiply(0.5)), StrokeKind::Inside);
        let font = FontId::proportional(11.0);
        let [left, right, bottom, top] = &self.ends;
        let text = |at: Pos2, align: Align2, text: &str| {
            painter.text(at, align, text, font.clone(), colours.weak);
        };
        text(plot.left_bottom() + Vec2::new(0.0, 3.0), Align2::LEFT_TOP, left);
        text(plot.right_bottom() + Vec2::new(0.0, 3.0), Align2::RIGHT_TOP, right);
        text(plot.left_bottom() + Vec2::new(-4.0, 0.0), Align2::RIGHT_BOTTOM, bottom);
        text(plot.left_top() + Vec2::new(-4.0, 0.0), Align2::RIGHT_TOP, top);
        let pointer = response.hover_pos().filter(|pos| plot.contains(*pos))?;
        Some(self.x.0 + f64::from((pointer.x - plot.left()) / plot.width()) * (self.x.1 - self.x.0))
    }
}
