//! All shortcuts and mouse gestures of the profile in use at one glance, by where they are heard. Made of the command table
//! and the present keys.

use super::{
    icons::Icon,
    panel::PanelContext,
    tour::steps::orbit_key,
    widgets::{IconButton, search_field_with},
};
use crate::{
    command::{COMMANDS, CommandSpec, Keymap, PanelId, Section},
    interact::view_state::Profile,
    text::{fill, t},
};
use egui::{Id, Key, RichText, Ui};

/// The sheet while it is open.
#[derive(Debug, Default)]
pub struct ShortcutSheet {
    filter: String,
    focused: bool,
}

/// A row: what is pressed or done, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Keys or a gesture.
    pub keys: String,
    /// What it does.
    pub does: String,
}

/// Rows that are heard in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The place.
    pub title: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// Width of a column, points.
const COLUMN_PT: f32 = 270.0;
/// What is left free around the sheet, points.
const AROUND_PT: f32 = 24.0;
/// Width of what stands for keys and gestures, points: what they do takes the rest of its column.
const KEYS_PT: f32 = 106.0;
/// Height of a row, points.
const ROW_PT: f32 = 16.0;
/// Width of the search field, points.
const SEARCH_PT: f32 = 240.0;
/// Gestures, by their text keys: what is done, and with `_does` what comes of it.
const VIEW: &[&str] = &["gesture.click", "gesture.box", "gesture.drag", "gesture.menu"];
const CURVES: &[&str] = &[
    "gesture.key_drag",
    "gesture.key_box",
    "gesture.key_double",
    "gesture.plot_pan",
    "gesture.plot_zoom",
    "gesture.ruler",
];
const FIELDS: &[&str] = &[
    "gesture.field_drag",
    "gesture.field_type",
    "gesture.snap",
    "gesture.slow",
    "gesture.cancel",
    "gesture.reset",
    "gesture.rename",
];

/// Everything, in the order it is shown.
#[must_use]
pub fn groups(keymap: &Keymap, profile: Profile) -> Vec<Group> {
    let mut groups = vec![
        Group { title: t("shortcuts.mouse_view").into_owned(), rows: view_gestures(profile) },
        Group { title: t("shortcuts.mouse_curves").into_owned(), rows: gestures(CURVES) },
        Group { title: t("shortcuts.mouse_fields").into_owned(), rows: gestures(FIELDS) },
    ];
    let place = |spec: &CommandSpec| match spec.panels {
        [] => t(spec.section.title()).into_owned(),
        [PanelId::Viewport] | [PanelId::Viewport, PanelId::Outliner] => t("shortcuts.in_view").into_owned(),
        panels if panels.contains(&PanelId::Viewport) => t("shortcuts.under_pointer").into_owned(),
        _ => t("shortcuts.in_curves").into_owned(),
    };
    // What is heard everywhere first, by menus.
    let mut specs: Vec<&CommandSpec> = COMMANDS.iter().collect();
    let section = |spec: &CommandSpec| Section::ALL.iter().position(|one| *one == spec.section);
    specs.sort_by_key(|spec| (!spec.panels.is_empty(), spec.panels.is_empty().then(|| section(spec))));
    for spec in specs {
        let keys: Vec<String> = keymap.of(spec.id).iter().map(ToString::to_string).collect();
        if keys.is_empty() {
            continue;
        }
        let row = Row { keys: keys.join(", "), does: t(spec.title).into_owned() };
        let title = place(spec);
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { title, rows: vec![row] }),
        }
    }
    groups
}

fn view_gestures(profile: Profile) -> Vec<Row> {
    let suffix = orbit_key(profile).split_once("orbit_").map_or("", |(_, suffix)| suffix);
    let moves = ["orbit", "pan", "zoom"].map(|motion| Row {
        keys: t(&format!("gesture.{motion}_{suffix}")).into_owned(),
        does: t(&format!("gesture.{motion}_does")).into_owned(),
    });
    moves.into_iter().chain(gestures(VIEW)).collect()
}

fn gestures(keys: &[&str]) -> Vec<Row> {
    let row = |key: &&str| Row { keys: t(key).into_owned(), does: t(&format!("{key}_does")).into_owned() };
    keys.iter().map(row).collect()
}

impl ShortcutSheet {
    /// Shows it over everything; false once it was closed.
    pub fn show(&mut self, egui_ctx: &egui::Context, ctx: &PanelContext<'_>) -> bool {
        let size = egui_ctx.content_rect().size() - egui::Vec2::splat(2.0 * AROUND_PT + 24.0);
        let same = ctx.keymap.of(crate::command::CommandId::ShowShortcuts);
        let pressed = super::input_map::pressed(egui_ctx, same);
        let mut open = !pressed;
        let modal = egui::Modal::new(Id::unique("shortcut sheet")).show(egui_ctx, |ui| {
            ui.set_width(size.x.min(4.0 * COLUMN_PT + 3.0 * 12.0));
            ui.horizontal(|ui| {
                ui.heading(t("shortcuts.title").into_owned());
                ui.weak(t(ctx.view.profile.title()).into_owned());
                ui.add_space((ui.available_width() - SEARCH_PT - 2.0 * ui.spacing().interact_size.y).max(0.0));
                let row = egui::Layout::left_to_right(egui::Align::Center);
                ui.allocate_ui_with_layout(egui::vec2(SEARCH_PT, ui.spacing().interact_size.y), row, |ui| {
                    let focus = !std::mem::replace(&mut self.focused, true);
                    search_field_with(ui, &t("shortcuts.search"), &mut self.filter, focus);
                });
                if IconButton::new(Icon::Close, &t("shortcuts.close")).show(ui).clicked() {
                    open = false;
                }
            });
            ui.add_space(4.0);
            let height = (size.y - 40.0).max(120.0);
            egui::ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    self.list(ui, ctx);
                });
        });
        open && !modal.should_close() && !egui_ctx.input(|input| input.key_pressed(Key::Escape))
    }

    fn list(&self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let wanted = self.filter.trim().to_lowercase();
        let mut groups = groups(ctx.keymap, ctx.view.profile);
        for group in &mut groups {
            let title = group.title.to_lowercase();
            let holds = |row: &Row| {
                let (keys, does) = (row.keys.to_lowercase(), row.does.to_lowercase());
                wanted.split_whitespace().all(|word| [&title, &keys, &does].iter().any(|text| text.contains(word)))
            };
            group.rows.retain(holds);
        }
        groups.retain(|group| !group.rows.is_empty());
        if groups.is_empty() {
            ui.weak(fill("shortcuts.none", &[("text", &self.filter.trim())]));
        }
        let columns = ((ui.available_width() / COLUMN_PT) as usize).clamp(1, 4);
        let sizes: Vec<usize> = groups.iter().map(|group| group.rows.len() + 2).collect();
        let ends = columns_of(&sizes, columns);
        ui.columns(columns, |columns| {
            let mut start = 0;
            for (ui, end) in columns.iter_mut().zip(ends) {
                ui.spacing_mut().item_spacing.y = 0.0;
                for group in groups.get(start..end).unwrap_or_default() {
                    show_group(ui, group);
                }
                start = end;
            }
        });
    }
}

/// Where each column ends, so that the longest is as short as can be with the groups in their order.
fn columns_of(sizes: &[usize], columns: usize) -> Vec<usize> {
    let fits = |most: usize| {
        let (mut ends, mut height) = (Vec::new(), 0);
        for (at, size) in sizes.iter().enumerate() {
            if height > 0 && height + size > most {
                ends.push(at);
                height = 0;
            }
            height += size;
        }
        ends.push(sizes.len());
        ends
    };
    let least = sizes.iter().copied().max().unwrap_or(0);
    let all: usize = sizes.iter().sum();
    let most = (least..=all).find(|most| fits(*most).len() <= columns).unwrap_or(all);
    let mut ends = fits(most);
    ends.resize(columns, sizes.len());
    ends
}

fn show_group(ui: &mut Ui, group: &Group) {
    super::widgets::section(ui, &group.title);
    ui.spacing_mut().interact_size.y = ROW_PT;
    for row in &group.rows {
        ui.horizontal(|ui| {
            let size = egui::vec2(KEYS_PT, ROW_PT);
            ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.set_min_size(size);
                ui.add(egui::Label::new(RichText::new(&row.keys).small()).truncate());
            });
            let weak = ui.visuals().weak_text_color();
            ui.add(egui::Label::new(RichText::new(&row.does).small().color(weak)).truncate());
        });
    }
    ui.add_space(4.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::keymap::Overrides;

    #[test]
    fn every_shortcut_and_gesture_is_on_the_sheet_of_each_profile() {
        for profile in Profile::ALL {
            let keymap = Keymap::new(profile, &Overrides::default());
            let groups = groups(&keymap, profile);
            let mut titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
            titles.sort_unstable();
            titles.dedup();
            assert_eq!(titles.len(), groups.len(), "each place once");
            let rows: Vec<&Row> = groups.iter().flat_map(|group| &group.rows).collect();
            for spec in COMMANDS {
                for shortcut in keymap.of(spec.id) {
                    let title = t(spec.title);
                    let is_there = |row: &&&Row| row.does == *title && row.keys.contains(&shortcut.to_string());
                    assert!(rows.iter().find(is_there).is_some(), "{profile:?}: {title}, {shortcut}");
                }
            }
            for row in rows {
                assert!(!row.keys.starts_with("gesture.") && !row.does.starts_with("gesture."), "{row:?}");
            }
        }
    }

    #[test]
    fn groups_are_spread_over_columns_in_their_order() {
        assert_eq!(columns_of(&[3, 3, 3, 3], 2), [2, 4]);
        assert_eq!(columns_of(&[9, 1, 1, 1], 3), [1, 4, 4]);
        assert_eq!(columns_of(&[], 3), [0, 0, 0]);
    }
}
