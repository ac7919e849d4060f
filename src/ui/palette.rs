//! The command palette: every command by name, with its shortcut.

use super::{
    panel::PanelContext,
    widgets::{search_field_with, tree::Row},
};
use crate::{
    command::{Available, COMMANDS, CommandId, CommandSpec},
    text::t,
    ui::icons::Icon,
};
use egui::{Id, Key, Ui};

/// How far below the top of the window it hangs, points.
const TOP_PT: f32 = 96.0;

/// The palette while it is open.
#[derive(Debug, Default)]
pub struct Palette {
    text: String,
    chosen: usize,
    focused: bool,
}

/// What came of showing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaletteAnswer {
    /// It stays.
    Open,
    /// It was closed without a choice.
    Closed,
    /// A command was chosen.
    Run(CommandId),
}

impl Palette {
    /// Shows it over everything.
    pub fn show(&mut self, egui_ctx: &egui::Context, ctx: &PanelContext<'_>, available: Available) -> PaletteAnswer {
        let found = self.found(available);
        let mut answer = PaletteAnswer::Open;
        self.keys(egui_ctx, &found, &mut answer);
        // Hung from above: in the middle, the field would jump as what is typed makes the list shorter.
        let id = Id::unique("palette");
        let area = egui::Modal::default_area(id).anchor(egui::Align2::CENTER_TOP, [0.0, TOP_PT]);
        let modal = egui::Modal::new(id).area(area).show(egui_ctx, |ui| {
            ui.set_width(420.0);
            let focus = !std::mem::replace(&mut self.focused, true);
            if search_field_with(ui, &t("palette.search"), &mut self.text, focus) {
                self.chosen = 0;
            }
            ui.add_space(4.0);
            self.list(ui, ctx, &found, &mut answer);
        });
        if modal.should_close() && answer == PaletteAnswer::Open {
            answer = PaletteAnswer::Closed;
        }
        answer
    }

    fn keys(&mut self, egui_ctx: &egui::Context, found: &[&CommandSpec], answer: &mut PaletteAnswer) {
        let (down, up, enter) = egui_ctx.input_mut(|input| {
            let none = egui::Modifiers::NONE;
            let down = input.consume_key(none, Key::ArrowDown);
            (down, input.consume_key(none, Key::ArrowUp), input.consume_key(none, Key::Enter))
        });
        if down {
            self.chosen = (self.chosen + 1).min(found.len().saturating_sub(1));
        }
        if up {
            self.chosen = self.chosen.saturating_sub(1);
        }
        if let Some(spec) = found.get(self.chosen).filter(|_| enter) {
            *answer = PaletteAnswer::Run(spec.id);
        }
    }

    fn list(&self, ui: &mut Ui, ctx: &PanelContext<'_>, found: &[&CommandSpec], answer: &mut PaletteAnswer) {
        ui.spacing_mut().item_spacing.y = 0.0;
        if found.is_empty() {
            ui.weak(t("palette.nothing").into_owned());
        }
        egui::ScrollArea::vertical().max_height(320.0).auto_shrink([false, true]).show(ui, |ui| {
            for (index, spec) in found.iter().enumerate() {
                let name = t(spec.title);
                let selected = index == self.chosen;
                let row = Row {
                    name: &name,
                    icon: Icon::ChevronRight,
                    depth: 0,
                    open: None,
                    selected,
                    weak: false,
                    right: 0.0,
                    ..Row::default()
                };
                let response = ui.push_id(spec.id.name(), |ui| row.show(ui)).inner.row;
                let at = response.rect.right_center() - egui::vec2(8.0, 0.0);
                let font = egui::TextStyle::Body.resolve(ui.style());
                let place = format!("{}   {}", t(spec.section.title()), ctx.keymap.text(spec.id));
                ui.painter().text(at, egui::Align2::RIGHT_CENTER, place.trim(), font, ctx.colours.weak);
                if selected {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    *answer = PaletteAnswer::Run(spec.id);
                }
            }
        });
    }

    /// The commands that can be run now and whose title, or the menu's, holds every word typed, in order of the menus;
    /// those that begin with the text first, then those with every word in their own title.
    fn found(&self, available: Available) -> Vec<&'static CommandSpec> {
        let wanted = self.text.trim().to_lowercase();
        let mut found: Vec<((bool, bool), &CommandSpec)> = COMMANDS
            .iter()
            .filter(|spec| spec.id != CommandId::Palette && spec.needs.met(available))
            .filter_map(|spec| {
                let title = t(spec.title).to_lowercase();
                let menu = t(spec.section.title()).to_lowercase();
                let matches = wanted.split_whitespace().all(|word| title.contains(word) || menu.contains(word));
                let own = wanted.split_whitespace().all(|word| title.contains(word));
                matches.then(|| ((!title.starts_with(&wanted), !own), spec))
            })
            .collect();
        found.sort_by_key(|(later, _)| *later);
        found.into_iter().map(|(_, spec)| spec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_order_and_what_cannot_run_is_left_out() {
        let palette = Palette { text: "key set".to_owned(), ..Palette::default() };
        let all =
            Available { rig: true, object: true, selection: true, undo: true, redo: true, keys: true, unkeyed: true };
        let names: Vec<_> = palette.found(all).iter().map(|spec| spec.id).collect();
        assert!(names.contains(&CommandId::SetKey) && names.contains(&CommandId::SetKeyWholePose), "{names:?}");
        let names: Vec<_> = palette.found(Available::default()).iter().map(|spec| spec.id).collect();
        assert!(!names.contains(&CommandId::SetKey), "{names:?}");
        let palette = Palette { text: "add path".to_owned(), ..Palette::default() };
        let first = palette.found(all).first().map(|spec| spec.id);
        assert_eq!(first, Some(CommandId::AddPath), "the menu's name is one of the words");
    }
}
