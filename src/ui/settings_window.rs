//! The settings: profile, theme, shortcuts to be rebound.

use super::{
    input_map,
    panel::PanelContext,
    widgets::{search_field, section},
};
use crate::{
    command::{COMMANDS, Command, CommandId, CommandSpec, Keymap, Shortcut},
    interact::view_state::{Profile, ThemeChoice, ViewChange},
    text::{fill, t},
};
use egui::{Event, Key, RichText, Ui};

/// The settings window while it is open.
#[derive(Debug, Default)]
pub struct SettingsWindow {
    filter: String,
    /// The command whose new shortcut is waited for.
    waiting: Option<CommandId>,
}

/// A change of the shortcuts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShortcutChange {
    /// A command's shortcuts in the present profile.
    Set(CommandId, Vec<Shortcut>),
    /// A command has the profile's own again.
    Reset(CommandId),
    /// All commands have.
    ResetAll,
}

impl SettingsWindow {
    /// Whether the next key is to become a shortcut: it runs nothing then.
    #[must_use]
    pub const fn takes_keys(&self) -> bool {
        self.waiting.is_some()
    }

    /// Shows it; false once it was closed.
    pub fn show(&mut self, egui_ctx: &egui::Context, ctx: &PanelContext<'_>) -> (bool, Option<ShortcutChange>) {
        let (mut open, mut change) = (true, None);
        let window =
            egui::Window::new(t("settings.title").into_owned()).open(&mut open).collapsible(false).resizable(false);
        window
            .default_width(520.0)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(egui_ctx.content_rect().center())
            .show(egui_ctx, |ui| {
                ui.set_width(520.0);
                choices(ui, ctx);
                section(ui, &t("settings.shortcuts"));
                ui.horizontal(|ui| {
                    if ui.button(t("settings.reset_all").into_owned()).clicked() {
                        change = Some(ShortcutChange::ResetAll);
                    }
                    search_field(ui, &t("settings.search"), &mut self.filter);
                });
                self.captured(ui, ctx, &mut change);
                egui::ScrollArea::vertical().max_height(360.0).auto_shrink([false, false]).show(ui, |ui| {
                    self.list(ui, ctx, &mut change);
                });
            });
        let escape = egui_ctx.input(|input| input.key_pressed(Key::Escape));
        if escape && self.waiting.is_none() && !ctx.text_had_focus {
            open = false;
        }
        if !open {
            self.waiting = None;
        }
        (open, change)
    }

    /// Takes the key that was waited for.
    fn captured(&mut self, ui: &Ui, ctx: &PanelContext<'_>, change: &mut Option<ShortcutChange>) {
        let Some(id) = self.waiting else { return };
        let pressed = ui.input_mut(|input| {
            let found = input.events.iter().find_map(|event| match event {
                Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
                _ => None,
            });
            input.events.retain(|event| !matches!(event, Event::Key { .. } | Event::Text(_)));
            found
        });
        let Some((key, modifiers)) = pressed else { return };
        self.waiting = None;
        match key {
            Key::Escape => {}
            Key::Backspace => *change = Some(ShortcutChange::Set(id, Vec::new())),
            key => {
                if let Some(shortcut) = input_map::shortcut(key, modifiers) {
                    if let Some(other) = ctx.keymap.conflicts(id, shortcut).next() {
                        let (name, other) = (t(id.spec().title), t(other.spec().title));
                        let values: [(&str, &dyn std::fmt::Display); 3] =
                            [("shortcut", &shortcut), ("name", &name), ("other", &other)];
                        let notice = crate::notice::Notice::warn(fill("settings.conflict", &values));
                        ctx.commands.send(Command::Tell(notice));
                    }
                    *change = Some(ShortcutChange::Set(id, vec![shortcut]));
                }
            }
        }
    }

    fn list(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, change: &mut Option<ShortcutChange>) {
        let wanted = self.filter.trim().to_lowercase();
        let mut last = None;
        for spec in COMMANDS.iter().filter(|spec| t(spec.title).to_lowercase().contains(&wanted)) {
            if last != Some(spec.section) {
                section(ui, &t(spec.section.title()));
                last = Some(spec.section);
            }
            ui.push_id(spec.id.name(), |ui| self.row(ui, ctx, spec, change));
        }
    }

    fn row(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, spec: &CommandSpec, change: &mut Option<ShortcutChange>) {
        ui.horizontal(|ui| {
            let title = t(spec.title);
            let size = egui::vec2(250.0, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.set_min_size(size);
                ui.add(egui::Label::new(&*title).truncate());
            });
            let waiting = self.waiting == Some(spec.id);
            let shortcuts = ctx.keymap.of(spec.id);
            let text = if waiting { t("settings.press").into_owned() } else { joined(shortcuts) };
            let conflict = conflict(ctx.keymap, spec.id);
            let colour = if conflict.is_some() { ctx.colours.warn } else { ctx.colours.text };
            let button = egui::Button::new(RichText::new(text).color(colour)).min_size(egui::vec2(150.0, 20.0));
            let response = ui.add(button.selected(waiting));
            super::widgets::set_name(ui, &response, &fill("settings.shortcut_of", &[("name", &title)]));
            let response = match conflict {
                Some(other) => {
                    response.on_hover_text(fill("settings.conflict_with", &[("other", &t(other.spec().title))]))
                }
                None => response.on_hover_text(t("settings.press_hint").into_owned()),
            };
            if response.clicked() {
                self.waiting = Some(spec.id);
                response.surrender_focus();
            }
            let own: Vec<Shortcut> = spec.defaults(ctx.view.profile).collect();
            if own != shortcuts && ui.small_button(t("settings.reset").into_owned()).clicked() {
                *change = Some(ShortcutChange::Reset(spec.id));
            }
        });
    }
}

fn choices(ui: &mut Ui, ctx: &PanelContext<'_>) {
    section(ui, &t("settings.profile"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        for profile in Profile::ALL {
            let title = t(profile.title());
            if ui.radio(ctx.view.profile == profile, &*title).clicked() {
                ctx.commands.view(ViewChange::Profile(profile));
            }
        }
    });
    section(ui, &t("settings.theme"));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        for (theme, title) in [(ThemeChoice::Dark, "settings.dark"), (ThemeChoice::Light, "settings.light")] {
            if ui.radio(ctx.view.theme == theme, t(title).into_owned()).clicked() {
                ctx.commands.view(ViewChange::Theme(theme));
            }
        }
    });
}

fn conflict(keymap: &Keymap, id: CommandId) -> Option<CommandId> {
    keymap.of(id).iter().find_map(|shortcut| keymap.conflicts(id, *shortcut).next())
}

fn joined(shortcuts: &[Shortcut]) -> String {
    if shortcuts.is_empty() {
        return t("settings.none").into_owned();
    }
    shortcuts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
