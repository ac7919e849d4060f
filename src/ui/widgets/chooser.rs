//! A list that opens to choose one thing of many from: joints, objects, channels. A long one has a field to search with
//! above it, which stays where it is, and opens at what is chosen.

use super::{search_field_with, set_name};
use crate::text::t;
use egui::{Align, ComboBox, Key, PopupCloseBehavior, Response, ScrollArea, Ui};

/// A list of more rows than this is searched, in rows: what fits without scrolling needs no search.
const FEW: usize = 9;
/// The height of the rows of a list that is searched, in points: the same whatever is found, so that nothing moves.
const ROWS_PT: f32 = 200.0;
/// The least width of a list that is searched, in points: names of joints fit.
const WIDTH_PT: f32 = 200.0;

/// What is searched for in a list that is open, and the frame it was last shown in.
#[derive(Clone, Debug, Default)]
struct Searching {
    text: String,
    frame: u64,
}

/// A box that shows what is chosen and opens a list.
#[derive(Debug)]
pub struct Chooser<'a> {
    salt: &'a str,
    name: &'a str,
    text: String,
    width: f32,
}

impl<'a> Chooser<'a> {
    /// A box of an id within its panel, a name and the text it shows while closed.
    #[must_use]
    pub const fn new(salt: &'a str, name: &'a str, text: String) -> Self {
        Self { salt, name, text, width: 120.0 }
    }

    /// The width of the closed box, in points.
    #[must_use]
    pub fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }

    /// Shows the box; the rows, asked for while it is open, are things with their names. What was chosen, where it is another
    /// than now; Enter chooses the first that is found.
    pub fn show<T: PartialEq>(
        self,
        ui: &mut Ui,
        now: Option<&T>,
        rows: impl FnOnce() -> Vec<(T, String)>,
    ) -> (Response, Option<T>) {
        // A click into the field closes nothing; a click on a row does.
        let combo = ComboBox::from_id_salt(self.salt)
            .width(self.width)
            .selected_text(self.text)
            .truncate()
            .height(ROWS_PT * 2.0)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let answer = combo.show_ui(ui, |ui| {
            let chosen = list(ui, now, rows());
            if chosen.is_some() {
                ui.close();
            }
            chosen.filter(|chosen| now != Some(chosen))
        });
        set_name(ui, &answer.response, self.name);
        (answer.response.on_hover_text(self.name), answer.inner.flatten())
    }
}

/// The open list: the row that is chosen, which may be that of now.
fn list<T: PartialEq>(ui: &mut Ui, now: Option<&T>, rows: Vec<(T, String)>) -> Option<T> {
    if rows.len() <= FEW {
        return shown_rows(ui, now, rows, false);
    }
    ui.set_min_width(WIDTH_PT);
    let id = ui.scope_id().with("searching");
    let frame = ui.ctx().cumulative_frame_nr();
    let before = ui.data(|data| data.get_temp::<Searching>(id)).unwrap_or_default();
    // Where it was not shown in the frame before, it has just been opened: nothing is searched for yet.
    let opens = before.frame == 0 || before.frame + 1 < frame;
    let mut text = if opens { String::new() } else { before.text };
    search_field_with(ui, &t("widget.search_list"), &mut text, opens);
    let found = found(rows, &text);
    ui.data_mut(|data| data.insert_temp(id, Searching { text, frame }));
    // The Enter that opened the list is not one in it.
    if !opens && ui.input(|input| input.key_pressed(Key::Enter)) {
        return found.into_iter().next().map(|(thing, _)| thing);
    }
    let scroll = ScrollArea::vertical().max_height(ROWS_PT).min_scrolled_height(ROWS_PT).auto_shrink(false);
    scroll.show(ui, |ui| shown_rows(ui, now, found, opens)).inner
}

/// The rows whose names have all the words that are searched for.
fn found<T>(mut rows: Vec<(T, String)>, text: &str) -> Vec<(T, String)> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    rows.retain(|(_, name)| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    });
    rows
}

fn shown_rows<T: PartialEq>(ui: &mut Ui, now: Option<&T>, rows: Vec<(T, String)>, opens: bool) -> Option<T> {
    let mut chosen = None;
    if rows.is_empty() {
        ui.weak(t("widget.none_found"));
    }
    for (thing, name) in rows {
        let is_now = now == Some(&thing);
        let row = ui.selectable_label(is_now, name);
        if opens && is_now {
            row.scroll_to_me(Some(Align::Center));
        }
        if row.clicked() {
            chosen = Some(thing);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::found;

    #[test]
    fn all_words_are_found_in_any_order_and_case() {
        let rows = || vec![(0, "LeftHand".to_owned()), (1, "Left Foot".to_owned()), (2, "RightFoot".to_owned())];
        let of = |text: &str| found(rows(), text).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(of(""), [0, 1, 2]);
        assert_eq!(of("foot LEFT"), [1]);
        assert_eq!(of("  foot "), [1, 2]);
        assert!(of("knee").is_empty());
    }
}
