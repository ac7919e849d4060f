//! Questions in the middle of the window.

use egui::{Id, Ui};

/// What a question was answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The button at this place.
    Button(usize),
    /// Esc: the same as Cancel, wherever the focus is. What was typed in the question goes with it, as it does with Cancel.
    Dismissed,
}

/// Shows a question: a title, what it is about, further widgets, and buttons. The last button is the proposed one; Enter
/// presses it where no text field has taken it.
pub fn question(
    ctx: &egui::Context,
    name: &str,
    title: &str,
    body: impl FnOnce(&mut Ui),
    buttons: &[(&str, bool)],
) -> Option<Answer> {
    let mut answer = None;
    let modal = egui::Modal::new(Id::unique(name)).show(ctx, |ui| {
        ui.set_width(420.0);
        ui.heading(title);
        ui.add_space(8.0);
        body(ui);
        ui.add_space(12.0);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for (index, (label, enabled)) in buttons.iter().enumerate().rev() {
                let proposed = index + 1 == buttons.len();
                let mut button = egui::Button::new(*label).min_size(egui::vec2(72.0, 26.0));
                if proposed {
                    button = button.fill(ui.visuals().selection.bg_fill);
                }
                let response = ui.add_enabled(*enabled, button);
                if response.clicked() {
                    answer = Some(Answer::Button(index));
                }
            }
        });
        let enter = ui.input(|input| input.key_pressed(egui::Key::Enter));
        if enter && answer.is_none() && buttons.last().is_some_and(|(_, enabled)| *enabled) {
            answer = Some(Answer::Button(buttons.len() - 1));
        }
    });
    // A click beside decides nothing: what was typed would be lost by a slip.
    if modal.should_close() && !modal.backdrop_response.clicked() && answer.is_none() {
        answer = Some(Answer::Dismissed);
    }
    answer
}
