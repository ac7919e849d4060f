//! Colours, sizes and text styles of the widgets, dark and light. The colours of what is edited are in [`crate::style`].

use crate::{interact::view_state::ThemeChoice, style};
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Visuals, vec2};

/// Body text, points.
pub const BODY_PT: f32 = 13.0;
/// The grid that spaces and sizes keep to, points.
pub const GRID_PT: f32 = 4.0;
/// Height of a row of widgets, points.
pub const ROW_PT: f32 = 24.0;
/// Side of an icon, points.
pub const ICON_PT: f32 = 16.0;
/// Side of a button of the tool column, points.
pub const TOOL_PT: f32 = 32.0;

/// The colours of the widgets of one theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Colours {
    /// Behind the panels: gaps, tab bars, the title bar.
    pub ground: Color32,
    /// Panels.
    pub panel: Color32,
    /// Fields that take text, lists, plots.
    pub field: Color32,
    /// Buttons at rest.
    pub button: Color32,
    /// Buttons under the pointer.
    pub hovered: Color32,
    /// Buttons pressed.
    pub pressed: Color32,
    /// Thin lines between parts.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Text of less weight.
    pub weak: Color32,
    /// The one accent: what is selected, the playhead.
    pub accent: Color32,
    /// The ground of selected rows.
    pub accent_ground: Color32,
    /// Text on [`Self::accent_ground`].
    pub accent_text: Color32,
    /// Auto-key and nothing else.
    pub record: Color32,
    /// A pose that is not keyed.
    pub unkeyed: Color32,
    /// Something was done, but not exactly.
    pub warn: Color32,
    /// Something went wrong.
    pub error: Color32,
    /// X, Y, Z.
    pub axes: [Color32; 3],
}

impl Colours {
    /// The colours of a theme.
    #[must_use]
    pub fn of(theme: ThemeChoice) -> Self {
        let palette = style::Palette::of(style_theme(theme));
        let accent = colour(palette.selected);
        let axes = [colour(palette.axis_x), colour(palette.axis_y), colour(palette.axis_z)];
        let (record, unkeyed) = (colour(palette.record), colour(palette.unkeyed));
        match theme {
            ThemeChoice::Dark => Self {
                ground: hex(0x17_191c),
                panel: hex(0x22_2529),
                field: hex(0x1a_1c1f),
                button: hex(0x30_343a),
                hovered: hex(0x3b_4048),
                pressed: hex(0x48_4e58),
                line: hex(0x34_383e),
                text: hex(0xd8_dce2),
                weak: hex(0x98_a0ab),
                accent,
                accent_ground: hex(0x4d_3d1e),
                accent_text: hex(0xff_e8c0),
                record,
                unkeyed,
                warn: hex(0xe8_b44a),
                error: hex(0xf0_7a6a),
                axes,
            },
            ThemeChoice::Light => Self {
                ground: hex(0xcd_d1d7),
                panel: hex(0xf2_f3f5),
                field: hex(0xff_ffff),
                button: hex(0xdf_e2e7),
                hovered: hex(0xd2_d6dd),
                pressed: hex(0xc0_c6cf),
                line: hex(0xd0_d4da),
                text: hex(0x20_252b),
                weak: hex(0x5a_636f),
                accent,
                accent_ground: hex(0xff_dfae),
                accent_text: hex(0x3d_2600),
                record,
                unkeyed,
                warn: hex(0x8f_5f00),
                error: hex(0xb3_2413),
                axes,
            },
        }
    }
}

/// The theme as the drawing layers name it.
#[must_use]
pub const fn style_theme(theme: ThemeChoice) -> style::Theme {
    match theme {
        ThemeChoice::Dark => style::Theme::Dark,
        ThemeChoice::Light => style::Theme::Light,
    }
}

/// A colour of the drawing layers as a widget colour.
#[must_use]
pub fn colour(rgba: style::Rgba) -> Color32 {
    let [r, g, b, a] = rgba.0;
    Color32::from_rgba_unmultiplied(r, g, b, a)
}

const fn hex(rgb: u32) -> Color32 {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// Sets an egui context to a theme.
pub fn install(ctx: &egui::Context, theme: ThemeChoice) {
    let colours = Colours::of(theme);
    ctx.set_theme(if theme == ThemeChoice::Dark { egui::Theme::Dark } else { egui::Theme::Light });
    ctx.all_styles_mut(|style| {
        style.visuals = visuals(theme, &colours);
        style.text_styles = text_styles();
        style.drag_value_text_style = TextStyle::Body;
        style.animation_time = 0.08;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.4;
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(GRID_PT, GRID_PT);
        spacing.button_padding = vec2(8.0, 2.0);
        spacing.interact_size = vec2(ROW_PT, ROW_PT - 2.0);
        spacing.menu_margin = Margin::same(4);
        spacing.window_margin = Margin::same(12);
        spacing.indent = 16.0;
        spacing.icon_width = 14.0;
        spacing.tooltip_width = 360.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
    });
}

fn text_styles() -> std::collections::BTreeMap<TextStyle, FontId> {
    let of = |size: f32, family: FontFamily| FontId::new(size, family);
    [
        (TextStyle::Small, of(11.0, FontFamily::Proportional)),
        (TextStyle::Body, of(BODY_PT, FontFamily::Proportional)),
        (TextStyle::Button, of(BODY_PT, FontFamily::Proportional)),
        (TextStyle::Heading, of(15.0, FontFamily::Proportional)),
        (TextStyle::Monospace, of(12.0, FontFamily::Monospace)),
    ]
    .into()
}

fn visuals(theme: ThemeChoice, colours: &Colours) -> Visuals {
    let mut visuals = if theme == ThemeChoice::Dark { Visuals::dark() } else { Visuals::light() };
    let radius = CornerRadius::same(4);
    let rest = &mut visuals.widgets;
    for (widget, fill, text) in [
        (&mut rest.noninteractive, colours.panel, colours.text),
        (&mut rest.inactive, colours.button, colours.text),
        (&mut rest.hovered, colours.hovered, colours.text),
        (&mut rest.active, colours.pressed, colours.text),
        (&mut rest.open, colours.hovered, colours.text),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    rest.noninteractive.bg_stroke = Stroke::new(1.0, colours.line);
    visuals.selection.bg_fill = colours.accent_ground;
    visuals.selection.stroke = Stroke::new(1.0, colours.accent_text);
    visuals.panel_fill = colours.panel;
    visuals.window_fill = colours.panel;
    visuals.window_stroke = Stroke::new(1.0, colours.line);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Shadow { offset: [0, 4], blur: 16, spread: 0, color: Color32::from_black_alpha(80) };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals.extreme_bg_color = colours.field;
    visuals.text_edit_bg_color = Some(colours.field);
    visuals.faint_bg_color = colours.field;
    visuals.code_bg_color = colours.field;
    visuals.weak_text_color = Some(colours.weak);
    visuals.hyperlink_color = colours.accent;
    visuals.warn_fg_color = colours.warn;
    visuals.error_fg_color = colours.error;
    visuals.indent_has_left_vline = false;
    visuals.slider_trailing_fill = true;
    visuals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.1).
    fn luminance(colour: Color32) -> f64 {
        let linear = |byte: u8| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_in_both_themes() {
        for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
            let c = Colours::of(theme);
            for ground in [c.panel, c.field, c.button, c.hovered] {
                assert!(contrast(c.text, ground) >= 7.0, "{theme:?}: text on {ground:?}");
            }
            for ground in [c.panel, c.field] {
                for text in [c.weak, c.warn, c.error] {
                    assert!(contrast(text, ground) >= 4.5, "{theme:?}: {text:?} on {ground:?}");
                }
            }
            assert!(contrast(c.accent_text, c.accent_ground) >= 7.0);
        }
    }
}
