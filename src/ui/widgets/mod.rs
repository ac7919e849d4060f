//! Widgets: each has a name for screen readers and tests.

pub mod arithmetic;
pub mod chart;
pub mod chooser;
pub mod curve_layer;
pub mod drag_field;
pub mod knob;
pub mod modal;
pub mod plot_canvas;
pub mod plot_canvas_line;
pub mod plot_canvas_marks;
pub mod plot_canvas_picture;
pub mod quiet_plot;
pub mod step_player;
pub mod stick;
pub mod text_field;
pub mod toast;
pub mod tree;

pub use chooser::Chooser;
pub use drag_field::{DragField, FieldEdit};
pub use quiet_plot::quiet_plot;
pub use text_field::{text_field, text_field_hinting};

use crate::text::t;

use super::{
    icons::Icon,
    theme::{Colours, ICON_PT, ROW_PT},
};
use egui::{Color32, CornerRadius, Response, Role, Sense, TextEdit, Ui, Vec2, WidgetInfo};

/// Names a widget whose own name is not what it says.
pub fn set_name(ui: &Ui, response: &Response, name: &str) {
    let name = name.to_owned();
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
}

/// A button that is an icon: its name is its tooltip.
#[derive(Debug)]
pub struct IconButton<'a> {
    icon: Icon,
    name: &'a str,
    shortcut: &'a str,
    hint: &'a str,
    selected: bool,
    side: f32,
    colour: Option<Color32>,
}

impl<'a> IconButton<'a> {
    /// A button of the height of a row.
    #[must_use]
    pub const fn new(icon: Icon, name: &'a str) -> Self {
        Self { icon, name, shortcut: "", hint: "", selected: false, side: ROW_PT, colour: None }
    }

    /// The shortcut shown in the tooltip.
    #[must_use]
    pub const fn shortcut(self, shortcut: &'a str) -> Self {
        Self { shortcut, ..self }
    }

    /// A further line of the tooltip.
    #[must_use]
    pub const fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    /// Whether it shows as switched on.
    #[must_use]
    pub const fn selected(self, selected: bool) -> Self {
        Self { selected, ..self }
    }

    /// Its side, points.
    #[must_use]
    pub const fn side(self, side: f32) -> Self {
        Self { side, ..self }
    }

    /// A colour other than that of text.
    #[must_use]
    pub const fn colour(self, colour: Color32) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// Shows it.
    pub fn show(self, ui: &mut Ui) -> Response {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(self.side), Sense::click());
        let (enabled, selected, name) = (ui.is_enabled(), self.selected, self.name);
        response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, selected, name));
        if ui.is_rect_visible(rect) {
            let visuals = ui.style().interact(&response);
            let (mut fill, mut colour) = (Color32::TRANSPARENT, visuals.text_color());
            if response.hovered() || response.has_focus() {
                fill = visuals.bg_fill;
            }
            if selected {
                fill = ui.visuals().selection.bg_fill;
                colour = ui.visuals().selection.stroke.color;
            }
            if !enabled {
                colour = ui.visuals().weak_text_color().gamma_multiply(0.6);
            }
            ui.painter().rect_filled(rect, visuals.corner_radius, fill);
            let size = if self.side > ROW_PT { ICON_PT + 4.0 } else { ICON_PT };
            self.icon.paint(ui.painter(), rect, size, self.colour.filter(|_| enabled).unwrap_or(colour));
        }
        response.on_hover_ui(|ui| tooltip(ui, self.name, self.shortcut, self.hint))
    }
}

/// A tooltip: the name, its shortcut, a line that explains.
pub fn tooltip(ui: &mut Ui, name: &str, shortcut: &str, hint: &str) {
    ui.horizontal(|ui| {
        ui.label(name);
        if !shortcut.is_empty() {
            ui.weak(shortcut);
        }
    });
    if !hint.is_empty() {
        ui.weak(hint);
    }
}

/// A small rounded statement: words on a tinted ground with a mark before them.
pub fn chip(ui: &mut Ui, icon: Option<Icon>, text: &str, colour: Color32) -> Response {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let text_colour = ui.visuals().text_color();
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, text_colour);
    let icon_space = if icon.is_some() { ICON_PT + 2.0 } else { 0.0 };
    let size = Vec2::new(galley.size().x + icon_space + 16.0, ROW_PT - 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, text));
    let strength = if response.hovered() { 0.34 } else { 0.22 };
    ui.painter().rect_filled(rect, CornerRadius::same(11), colour.gamma_multiply(strength));
    let mut at = rect.left_center() + Vec2::new(8.0, -galley.size().y / 2.0);
    if let Some(icon) = icon {
        let place = egui::Rect::from_center_size(rect.left_center() + Vec2::new(14.0, 0.0), Vec2::splat(ICON_PT));
        icon.paint(ui.painter(), place, ICON_PT - 2.0, colour);
        at.x += icon_space;
    }
    ui.painter().galley(at, galley, text_colour);
    response
}

/// A field to search with: a lens, the text, a cross that empties it. True when the text changed.
pub fn search_field(ui: &mut Ui, name: &str, text: &mut String) -> bool {
    search_field_with(ui, name, text, false)
}

/// A [`search_field`] that takes the focus where wanted.
pub fn search_field_with(ui: &mut Ui, name: &str, text: &mut String, focus: bool) -> bool {
    let mut changed = false;
    egui::Frame::new()
        .fill(ui.visuals().extreme_bg_color)
        .corner_radius(4)
        .inner_margin(egui::Margin::symmetric(4, 0))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.set_width(ui.available_width());
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(ICON_PT), Sense::hover());
                Icon::Search.paint(ui.painter(), rect, ICON_PT - 2.0, ui.visuals().weak_text_color());
                // As it was before this frame's letters: a button there was no room for would widen the panel for good.
                let was_empty = text.is_empty();
                let space = if was_empty { 0.0 } else { ROW_PT - 4.0 + ui.spacing().item_spacing.x };
                let width = (ui.available_width() - space).max(24.0);
                let edit = TextEdit::singleline(text)
                    .hint_text(name)
                    .frame(egui::Frame::NONE)
                    .align(egui::Align2::LEFT_CENTER);
                let response = ui.add_sized(Vec2::new(width, ROW_PT - 2.0), edit);
                set_name(ui, &response, name);
                if focus {
                    response.request_focus();
                }
                changed = response.changed();
                if !was_empty
                    && IconButton::new(Icon::Close, &crate::text::t("widget.clear_search"))
                        .side(ROW_PT - 4.0)
                        .show(ui)
                        .clicked()
                {
                    text.clear();
                    changed = true;
                }
            });
        });
    changed
}

/// A title inside a panel, with weight by space and size only.
pub fn section(ui: &mut Ui, title: &str) {
    ui.add_space(4.0);
    ui.label(egui::RichText::new(title).small().color(ui.visuals().weak_text_color()));
}

/// The colours of the present theme, worked out from what egui shows.
#[must_use]
pub fn colours(ui: &Ui) -> Colours {
    use crate::interact::view_state::ThemeChoice::{Dark, Light};
    Colours::of(if ui.visuals().dark_mode { Dark } else { Light })
}

/// A part of a lab: its name, the line that says what it shows (the key with `_hint`), and what it shows.
pub fn lab_section(ui: &mut Ui, key: &str, contents: impl FnOnce(&mut Ui)) {
    ui.add_space(6.0);
    egui::CollapsingHeader::new(t(key).into_owned()).id_salt(key).default_open(true).show_unindented(ui, |ui| {
        ui.add(egui::Label::new(egui::RichText::new(t(&format!("{key}_hint"))).weak()).wrap());
        // Beside each other in columns, parts would share the ids of what they scroll.
        ui.push_id(key, contents);
    });
}
