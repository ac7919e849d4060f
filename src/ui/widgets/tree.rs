//! Rows of trees and lists: an indent, a twisty where there are children, an icon, a name.

use crate::ui::{
    icons::Icon,
    theme::{GRID_PT, ICON_PT, ROW_PT},
};
use egui::{Color32, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

/// How far in a level begins beyond the one above, points.
const STEP_PT: f32 = 12.0;
/// What always remains for a twisty, an icon and a name, points.
const NAME_PT: f32 = 150.0;

/// One row.
#[derive(Debug)]
pub struct Row<'a> {
    /// The name shown and spoken.
    pub name: &'a str,
    /// The icon before the name.
    pub icon: Icon,
    /// How deep it stands, 0 at the root.
    pub depth: usize,
    /// Whether its children show; none where it has none.
    pub open: Option<bool>,
    /// Whether it is selected.
    pub selected: bool,
    /// Whether it shows weakly: hidden, muted.
    pub weak: bool,
    /// Room kept free at the right for other widgets, points.
    pub right: f32,
    /// The colour of its icon; none for the usual one.
    pub colour: Option<Color32>,
    /// Whether it can be dragged.
    pub dragged: bool,
}

impl Default for Row<'_> {
    fn default() -> Self {
        Self {
            name: "",
            icon: Icon::Info,
            depth: 0,
            open: None,
            selected: false,
            weak: false,
            right: 0.0,
            colour: None,
            dragged: false,
        }
    }
}

/// What was done to a row.
#[derive(Debug)]
pub struct RowResponse {
    /// The row itself.
    pub row: Response,
    /// Whether the twisty was pressed.
    pub toggled: bool,
    /// Where widgets may be put at the right.
    pub right: Rect,
}

impl Row<'_> {
    /// Shows the row over the whole width.
    pub fn show(self, ui: &mut Ui) -> RowResponse {
        let size = Vec2::new(ui.available_width(), ROW_PT - 2.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        let own = rect.with_max_x((rect.right() - self.right).max(rect.left() + ROW_PT));
        let response = ui.interact(
            own,
            ui.auto_id_with(("row", rect.top().to_bits(), self.name)),
            if self.dragged { Sense::click_and_drag() } else { Sense::click() },
        );
        let (enabled, selected, name) = (ui.is_enabled(), self.selected, self.name);
        response.widget_info(|| WidgetInfo::selected(Role::TreeItem, enabled, selected, name));
        let mut toggled = false;
        let mut x = own.left() + GRID_PT + indent(self.depth, own.width());
        let twisty = Rect::from_min_size(pos2(x, own.top()), Vec2::new(14.0, own.height()));
        if let Some(open) = self.open {
            let id = response.id.with("twisty");
            let press = ui.interact(twisty, id, Sense::click());
            press.widget_info(|| {
                WidgetInfo::selected(Role::DisclosureTriangle, enabled, open, format!("{name} \u{25B8}"))
            });
            toggled = press.clicked();
        }
        if ui.is_rect_visible(rect) {
            self.paint(ui, &response, rect, twisty);
        }
        x = rect.right() - self.right;
        RowResponse { row: response, toggled, right: Rect::from_min_max(pos2(x, rect.top()), rect.max) }
    }

    fn paint(&self, ui: &Ui, response: &Response, rect: Rect, twisty: Rect) {
        let visuals = ui.visuals();
        let (fill, text) = if self.selected {
            (visuals.selection.bg_fill, visuals.selection.stroke.color)
        } else if response.hovered() {
            (visuals.widgets.inactive.bg_fill, visuals.text_color())
        } else {
            (Color32::TRANSPARENT, visuals.text_color())
        };
        let text = if self.weak { visuals.weak_text_color() } else { text };
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.rect_filled(rect, 3.0, fill);
        if response.has_focus() {
            painter.rect_stroke(rect, 3.0, visuals.selection.stroke, egui::StrokeKind::Inside);
        }
        if let Some(open) = self.open {
            let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
            icon.paint(&painter, twisty, 12.0, visuals.weak_text_color());
        }
        let icon = Rect::from_min_size(pos2(twisty.right() + 2.0, rect.top()), Vec2::new(ICON_PT, rect.height()));
        self.icon.paint(&painter, icon, ICON_PT - 2.0, self.colour.unwrap_or(visuals.weak_text_color()));
        let font = egui::TextStyle::Body.resolve(ui.style());
        let at = pos2(icon.right() + GRID_PT, rect.center().y);
        // A name that is too long ends in an ellipsis before what stands at the right; all of it shows on hovering.
        let room = (rect.right() - self.right - GRID_PT * 0.5 - at.x).max(0.0);
        let mut job = egui::text::LayoutJob::simple_singleline(self.name.to_owned(), font, text);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let galley = painter.layout_job(job);
        let cut = galley.elided;
        painter.galley(pos2(at.x, at.y - galley.size().y / 2.0), galley, text);
        if cut {
            response.clone().on_hover_text(self.name);
        }
    }
}

/// How far in a row begins, points: level steps at first, ever smaller ones in a deep tree, so that its name has room.
fn indent(depth: usize, width: f32) -> f32 {
    let (steps, level) = (depth as f32 * STEP_PT, (width - NAME_PT).max(0.0) / 2.0);
    if steps <= level { steps } else { level * (2.0 - (1.0 - steps / level.max(1e-3)).exp()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_rows_begin_further_in_and_keep_room_for_their_names() {
        for width in [80.0, 250.0, 900.0] {
            let places: Vec<f32> = (0..300).map(|depth| indent(depth, width)).collect();
            assert!(places.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] - pair[0] <= STEP_PT));
            assert!(places.iter().all(|place| (0.0..=(width - NAME_PT).max(0.0)).contains(place)));
        }
        assert_eq!((0..4).map(|depth| indent(depth, 250.0)).collect::<Vec<_>>(), [0.0, 12.0, 24.0, 36.0]);
    }
}
