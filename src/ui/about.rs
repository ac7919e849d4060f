//! What a panel is: what it shows, the first thing to do there, and its gestures, behind the small question mark at its head.

use super::{
    icons::Icon,
    panel::{PanelContext, spec},
    widgets::IconButton,
};
use crate::{
    command::PanelId,
    text::{fill, t},
};
use egui::{RichText, Ui};

/// Width of the text, points.
const WIDTH_PT: f32 = 320.0;

/// The text key of the first thing to do in a panel.
#[must_use]
pub fn first_key(panel: PanelId) -> String {
    format!("{}_first", spec(panel).title)
}

/// The text key of a panel's gestures: a line each, what is done and what comes of it, apart by a colon.
#[must_use]
pub fn gestures_key(panel: PanelId) -> String {
    format!("{}_gestures", spec(panel).title)
}

/// The name of the question about a panel.
#[must_use]
pub fn question(panel: PanelId) -> String {
    fill("panel.what_is", &[("name", &t(spec(panel).title))])
}

/// The question mark, and while it is open what it shows.
pub fn button(ui: &mut Ui, ctx: &PanelContext<'_>, panel: PanelId) {
    let name = question(panel);
    let button = IconButton::new(Icon::Help, &name).colour(ctx.colours.weak).side(20.0).show(ui);
    egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| body(ui, panel));
}

/// The same as a window of its own: false once it was closed.
pub fn window(egui_ctx: &egui::Context, ctx: &PanelContext<'_>, panel: PanelId) -> bool {
    let mut open = true;
    egui::Window::new(question(panel))
        .id(egui::Id::unique("what is this"))
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .pivot(egui::Align2::CENTER_CENTER)
        .default_pos(egui_ctx.content_rect().center())
        .show(egui_ctx, |ui| body(ui, panel));
    open && (ctx.text_had_focus || !egui_ctx.input(|input| input.key_pressed(egui::Key::Escape)))
}

fn body(ui: &mut Ui, panel: PanelId) {
    ui.set_width(WIDTH_PT);
    let wrapped = |ui: &mut Ui, text: RichText| ui.add(egui::Label::new(text).wrap());
    wrapped(ui, RichText::new(t(&format!("{}_hint", spec(panel).title))).strong());
    wrapped(ui, RichText::new(t(&first_key(panel))));
    ui.add_space(4.0);
    let gestures = t(&gestures_key(panel));
    for line in gestures.lines() {
        let (what, then) = line.split_once(": ").unwrap_or((line, ""));
        wrapped(ui, RichText::new(what).color(ui.visuals().weak_text_color()));
        ui.indent(line, |ui| wrapped(ui, RichText::new(then)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{text::has, ui::panel::PANELS};

    #[test]
    fn every_panel_says_what_it_is_what_to_do_first_and_its_gestures() {
        for spec in PANELS {
            assert!(has(&format!("{}_hint", spec.title)), "{}", spec.title);
            assert!(has(&first_key(spec.id)), "{}", first_key(spec.id));
            assert!(has(&gestures_key(spec.id)), "{}", gestures_key(spec.id));
            let gestures = t(&gestures_key(spec.id));
            let count = gestures.lines().count();
            assert!((2..=3).contains(&count), "{}: {count} gestures", spec.title);
            assert!(gestures.lines().all(|line| line.contains(": ")), "{}: {gestures}", spec.title);
        }
    }
}
