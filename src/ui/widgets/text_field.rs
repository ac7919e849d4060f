//! A line of text that is taken as a whole: on Enter or when the focus leaves, not at each letter; Esc gives it up.

use egui::{Response, TextEdit, Ui, Vec2};

/// A text that is being typed.
#[derive(Clone, Debug, Default)]
struct Typing(String);

/// Shows a text to be edited; the new text once it is done and differs.
pub fn text_field(ui: &mut Ui, name: &str, text: &str, width: f32) -> (Response, Option<String>) {
    text_field_hinting(ui, name, text, "", width)
}

/// The same, which shows something else, faintly, while it is empty: what stands for several texts is no part of the one
/// that is typed in their place.
pub fn text_field_hinting(ui: &mut Ui, name: &str, text: &str, hint: &str, width: f32) -> (Response, Option<String>) {
    let id = ui.auto_id_with(name);
    let mut typed = ui.data(|data| data.get_temp::<Typing>(id)).map_or_else(|| text.to_owned(), |typing| typing.0);
    let edit = TextEdit::singleline(&mut typed)
        .hint_text(hint)
        .id(id.with("edit"))
        .clip_text(true)
        .align(egui::Align2::LEFT_CENTER);
    let response = ui.add_sized(Vec2::new(width, ui.spacing().interact_size.y), edit);
    super::set_name(ui, &response, name);
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, Typing(typed)));
        return (response, None);
    }
    let was_typed = ui.data_mut(|data| data.remove_temp::<Typing>(id)).is_some() || response.changed();
    let given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
    let done = (was_typed && !given_up && typed != text).then_some(typed);
    (response, done)
}
