//! The command palette: every command by name, with its shortcut, every panel, sample, preset, document setting, and topic of
//! the help.
//!
//! What is typed is looked for in titles, in the menus' names, in the explanations and in other words for a thing (text keys
//! that end in `_words`). What cannot run now stands last, with what it needs.

mod sources;

use super::{
    panel::PanelContext,
    widgets::{search_field_with, tree::Row},
};
use crate::{
    command::{Available, COMMANDS, Command, CommandId, Needs},
    notice::Notice,
    text::{fill, has, t},
    ui::icons::Icon,
};
use egui::{Id, Key, Ui};
use sources::Known;
use std::path::PathBuf;

/// How far below the top of the window it hangs, points.
const TOP_PT: f32 = 96.0;
/// Most of the list seen at once, points.
const LIST_PT: f32 = 320.0;

/// The palette while it is open.
#[derive(Debug, Default)]
pub struct Palette {
    text: String,
    chosen: usize,
    focused: bool,
}

/// What came of showing it.
#[derive(Clone, Debug)]
pub enum PaletteAnswer {
    /// It stays.
    Open,
    /// It was closed without a choice.
    Closed,
    /// Something was chosen.
    Run(Command),
}

/// One thing that can be chosen.
#[derive(Debug)]
struct Entry {
    name: String,
    /// Where it stands: its menu, or its kind.
    place: String,
    /// The command of the table that it is, if it is one.
    id: Option<CommandId>,
    /// What choosing it does.
    command: Command,
    /// What is missing for it to run, as a text key.
    needs: Option<&'static str>,
    /// How well it fits what was typed: the less the better.
    rank: u8,
}

/// The text key of what a command needs.
const fn needed(needs: Needs) -> &'static str {
    match needs {
        Needs::Nothing => "",
        Needs::Undo => "palette.needs_undo",
        Needs::Redo => "palette.needs_redo",
        Needs::Selection => "palette.needs_selection",
        Needs::Rig => "palette.needs_rig",
        Needs::Object => "palette.needs_object",
        Needs::Keys => "palette.needs_keys",
        Needs::Unkeyed => "palette.needs_unkeyed",
    }
}

impl Palette {
    /// Shows it over everything.
    pub fn show(
        &mut self,
        egui_ctx: &egui::Context,
        ctx: &PanelContext<'_>,
        available: Available,
        recent: &[PathBuf],
    ) -> PaletteAnswer {
        let found = self.found(available, Known { eases: &ctx.view.eases, document: ctx.document, recent });
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
        if modal.should_close() && matches!(answer, PaletteAnswer::Open) {
            answer = PaletteAnswer::Closed;
        }
        answer
    }

    fn keys(&mut self, egui_ctx: &egui::Context, found: &[Entry], answer: &mut PaletteAnswer) {
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
        if let Some(entry) = found.get(self.chosen).filter(|_| enter) {
            *answer = PaletteAnswer::Run(entry.command.clone());
        }
    }

    fn list(&self, ui: &mut Ui, ctx: &PanelContext<'_>, found: &[Entry], answer: &mut PaletteAnswer) {
        ui.spacing_mut().item_spacing.y = 0.0;
        if found.is_empty() {
            ui.weak(t("palette.nothing").into_owned());
        }
        egui::ScrollArea::vertical().max_height(LIST_PT).min_scrolled_height(LIST_PT).auto_shrink([false, true]).show(
            ui,
            |ui| {
                for (index, entry) in found.iter().enumerate() {
                    let selected = index == self.chosen;
                    let row = Row {
                        name: &entry.name,
                        icon: Icon::ChevronRight,
                        depth: 0,
                        open: None,
                        selected,
                        weak: entry.needs.is_some(),
                        right: 0.0,
                        ..Row::default()
                    };
                    let response = ui.push_id(index, |ui| row.show(ui)).inner.row;
                    let at = response.rect.right_center() - egui::vec2(8.0, 0.0);
                    let font = egui::TextStyle::Body.resolve(ui.style());
                    let keys = entry.id.map(|id| ctx.keymap.text(id)).unwrap_or_default();
                    let place = match entry.needs {
                        Some(needs) => t(needs).into_owned(),
                        None => format!("{}   {keys}", entry.place),
                    };
                    ui.painter().text(at, egui::Align2::RIGHT_CENTER, place.trim(), font, ctx.colours.weak);
                    if selected {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        *answer = PaletteAnswer::Run(entry.command.clone());
                    }
                }
            },
        );
    }

    /// What holds every word typed, in the order of the menus: what can run now before what cannot, titles that begin with
    /// the text first, then those with every word, then with the menu's name, then where an explanation or another word for
    /// it has them.
    fn found(&self, available: Available, known: Known<'_>) -> Vec<Entry> {
        let wanted = self.text.trim().to_lowercase();
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let rank = |name: &str, place: &str, says: &str| {
            let (name, place) = (name.to_lowercase(), place.to_lowercase());
            let all = |holds: &dyn Fn(&str) -> bool| words.iter().all(|word| holds(word));
            Some(if name.starts_with(&wanted) {
                0
            } else if all(&|word| name.contains(word)) {
                1
            } else if all(&|word| name.contains(word) || place.contains(word)) {
                2
            } else if all(&|word| name.contains(word) || place.contains(word) || says.contains(word)) {
                3
            } else {
                return None;
            })
        };
        let commands = COMMANDS.iter().filter(|spec| spec.id != CommandId::Palette).filter_map(|spec| {
            let (name, place) = (t(spec.title).into_owned(), t(spec.section.title()).into_owned());
            let rank = rank(&name, &place, &said(spec.title))?;
            let needs = (!spec.needs.met(available)).then(|| needed(spec.needs));
            let command = match needs {
                None => Command::Run(spec.id),
                Some(needs) => lacking(&name, needs),
            };
            Some(Entry { name, place, id: Some(spec.id), command, needs, rank })
        });
        let others = sources::all(known).into_iter().filter_map(|other| {
            let place = t(other.place).into_owned();
            let says = if has(&other.words) { t(&other.words).to_lowercase() } else { String::new() };
            let rank = rank(&other.name, &place, &says)?;
            let rank = if other.explains { rank.max(4) } else { rank };
            let needs = (other.keys && !available.keys).then_some("palette.needs_keys");
            let command = match needs {
                None => other.command,
                Some(needs) => lacking(&other.name, needs),
            };
            Some(Entry { name: other.name, place, id: None, command, needs, rank })
        });
        let mut found: Vec<Entry> = commands.chain(others).collect();
        found.sort_by_key(|entry| (entry.needs.is_some(), entry.rank));
        found
    }
}

/// What is said of a command besides its title, in small letters: its explanation, the name and explanation of the panel it
/// shows, other words.
fn said(title: &str) -> String {
    let name = title.split_once('.').map_or(title, |(_, name)| name);
    let panel = name.strip_prefix("panel_").or_else(|| name.strip_prefix("show_"));
    let keys = [format!("{title}_hint"), format!("{title}_words")].into_iter();
    let keys = keys.chain(panel.into_iter().flat_map(|name| [format!("panel.{name}"), format!("panel.{name}_hint")]));
    keys.filter(|key| has(key)).map(|key| t(&key).to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// What says what is missing.
fn lacking(name: &str, needs: &str) -> Command {
    Command::Tell(Notice::info(fill("palette.needs", &[("name", &name), ("needs", &t(needs))])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        command::{EaseWish, HelpWish, Workspace},
        edit::{Edit, SettingsEdit},
        interact::view_state::ViewChange,
        model::{Clip, Document, EasePreset, FrameRange, Settings},
        ui::{panel::PANELS, panels::graph::all_built_in, start::CARDS},
    };

    const ALL: Available =
        Available { rig: true, object: true, selection: true, undo: true, redo: true, keys: true, unkeyed: true };

    fn found(text: &str, available: Available) -> Vec<Entry> {
        let known = Known { eases: &[], document: &Document::default(), recent: &[] };
        Palette { text: text.to_owned(), ..Palette::default() }.found(available, known)
    }

    fn finds(text: &str, is_meant: impl Fn(&Command) -> bool) -> bool {
        found(text, ALL).iter().any(|entry| is_meant(&entry.command))
    }

    #[test]
    fn every_command_panel_workspace_sample_and_preset_is_found_by_its_title() {
        for spec in COMMANDS.iter().filter(|spec| spec.id != CommandId::Palette) {
            let is_meant = |command: &Command| matches!(command, Command::Run(id) if *id == spec.id);
            assert!(finds(&t(spec.title), is_meant), "{}", spec.title);
        }
        for spec in PANELS {
            let shows = |command: &Command| match command {
                Command::Run(id) => {
                    let name = spec.title.trim_start_matches("panel.");
                    [format!("panel_{name}"), format!("show_{name}")].contains(&id.name().to_owned())
                }
                _ => false,
            };
            assert!(finds(&t(spec.title), shows), "no command shows {}", spec.title);
            let explains = |command: &Command| matches!(command, Command::Help(HelpWish::Panel(id)) if *id == spec.id);
            assert!(finds(&t(spec.title), explains), "{}", spec.title);
        }
        for workspace in Workspace::ALL {
            let text = format!("{} workspace", t(workspace.title()));
            let shows = |command: &Command| matches!(command, Command::Run(id) if id.name().starts_with("workspace_"));
            assert!(finds(&text, shows), "{text}");
        }
        for card in CARDS {
            assert!(finds(&t(card.title), |command| matches!(command, Command::Run(id) if *id == card.opens)));
        }
        for preset in all_built_in() {
            let gives = |command: &Command| matches!(command, Command::Eases(EaseWish::Give(own)) if *own == preset);
            assert!(finds(&preset.name, gives), "{}", preset.name);
        }
    }

    /// A new setting of the document does not compile here until it is thought of.
    #[test]
    fn every_document_setting_is_found() {
        let mut document = Document::default();
        let clip = document.add_clip(Clip::new("Stroll", FrameRange::new(0, 9)));
        let Settings { rate: _, play_range: _, length_unit: _, clip: _, references: _, clip_order: _ } =
            &*document.settings;
        let known = Known { eases: &[], document: &document, recent: &[] };
        let finds = |text: &str, is_meant: &dyn Fn(&Command) -> bool| {
            let palette = Palette { text: text.to_owned(), ..Palette::default() };
            assert!(palette.found(ALL, known).iter().any(|entry| is_meant(&entry.command)), "{text}");
        };
        let edits = |is_meant: fn(&SettingsEdit) -> bool| move |command: &Command| matches!(command, Command::Apply(_, Edit::Settings(edit)) if is_meant(edit));
        for text in ["frame rate", "fps", "25 fps"] {
            finds(text, &edits(|edit| matches!(edit, SettingsEdit::SetRate(_))));
        }
        for text in ["length unit", "unit cm", "inch"] {
            finds(text, &edits(|edit| matches!(edit, SettingsEdit::SetLengthUnit(_))));
        }
        let plays = |command: &Command| matches!(command, Command::Apply(_, Edit::Settings(SettingsEdit::SetClip(Some(id)))) if *id == clip);
        finds("plays stroll", &plays);
        for (text, id) in [
            ("play range", CommandId::RangeFromClip),
            ("range", CommandId::RangeStartHere),
            ("up axis", CommandId::StandUp),
            ("reference", CommandId::AddReference),
            ("clip order", CommandId::ShowClips),
        ] {
            finds(text, &|command| matches!(command, Command::Run(own) if *own == id));
        }
    }

    #[test]
    fn themes_profiles_recent_files_and_the_tour_are_found() {
        let document = Document::default();
        let recent = [PathBuf::from("/motions/stroll.bvh")];
        let known = Known { eases: &[], document: &document, recent: &recent };
        let palette = Palette { text: "stroll".to_owned(), ..Palette::default() };
        let opens = |entry: &Entry| matches!(&entry.command, Command::Open(path) if *path == recent[0]);
        assert!(palette.found(ALL, known).iter().any(opens));
        assert!(finds("theme light", |command| matches!(command, Command::View(ViewChange::Theme(_)))));
        assert!(finds("maya", |command| matches!(command, Command::View(ViewChange::Profile(_)))));
        assert!(finds("tour", |command| matches!(command, Command::Help(HelpWish::Tour(_)))));
    }

    fn ids(found: &[Entry]) -> Vec<CommandId> {
        found.iter().filter_map(|entry| entry.id).collect()
    }

    #[test]
    fn words_are_found_in_any_order_and_what_cannot_run_says_what_it_needs() {
        let names = ids(&found("key set", ALL));
        assert!(names.contains(&CommandId::SetKey) && names.contains(&CommandId::SetKeyWholePose), "{names:?}");
        let none = found("key set", Available::default());
        let entry = none.iter().find(|entry| entry.id == Some(CommandId::SetKey)).unwrap();
        assert!(entry.needs.is_some() && matches!(entry.command, Command::Tell(_)));
        let first_lacking = none.iter().position(|entry| entry.needs.is_some()).unwrap();
        assert!(none[first_lacking..].iter().all(|entry| entry.needs.is_some()), "what can run comes first");
        assert_eq!(
            ids(&found("add path", ALL)).first(),
            Some(&CommandId::AddPath),
            "the menu's name is one of the words"
        );
    }

    /// What is done to curves has many names: each leads to where it is.
    #[test]
    fn everything_about_curves_is_found_by_name() {
        let terms = [
            "modifier",
            "noise",
            "cycles",
            "limits",
            "stepped",
            "smoothing",
            "preset",
            "ease in",
            "quad",
            "elastic",
            "bounce",
            "back",
            "css",
            "smoothstep",
            "step",
            "nearest",
            "linear",
            "bezier",
            "hermite",
            "catmull",
            "cardinal",
            "tcb",
            "tension",
            "natural",
            "clamped",
            "not-a-knot",
            "periodic",
            "monotone",
            "pchip",
            "lagrange",
            "polynomial",
            "chebyshev",
            "centripetal",
            "chordal",
            "trail",
            "comb",
            "curvature",
            "residual",
            "path",
            "follow",
            "constant speed",
            "arrive",
            "s(t)",
            "v(t)",
            "arc length",
            "arc-length",
            "newton",
            "orientation",
            "rotation-minimising",
            "race",
            "snapshot",
            "ghost",
            "rms",
            "worst frame",
            "reference",
            "timing",
            "anticipate",
            "exaggerate",
            "overlap",
            "tween",
            "breakdown",
            "push",
            "pull",
            "blend",
            "simplify",
            "bake",
            "flatten",
            "mirror",
            "snap",
            "euler filter",
            "ripple",
            "insert time",
            "delete time",
            "duplicate",
            "copy",
            "paste",
            "nlerp",
            "slerp",
            "squad",
            "gimbal",
            "matrix",
            "axis-angle",
            "quaternion",
            "determinant",
            "badge",
            "c2",
            "continuous",
            "normalised",
            "isolate",
            "mute",
            "lock",
            "velocity",
            "acceleration",
            "dope sheet",
            "marker",
            "preview range",
            "extreme",
            "hold",
            "plot",
            "svg",
            "csv",
            "frame all",
            "playhead",
            "graph",
            "timeline",
            "inspector",
            "outliner",
            "log",
            "history",
            "retime",
            "fit",
            "search",
            "reverse",
        ];
        for term in terms {
            assert!(!found(term, ALL).is_empty(), "{term}");
        }
        let modifiers = ids(&found("modifier", Available::default()));
        assert!(modifiers.len() >= 7, "{modifiers:?}");
    }

    #[test]
    fn own_eases_are_among_the_presets() {
        let own = EasePreset { name: "Soft landing".to_owned(), ..all_built_in().remove(0) };
        let palette = Palette { text: "soft landing".to_owned(), ..Palette::default() };
        let document = Document::default();
        let entries = palette.found(ALL, Known { eases: std::slice::from_ref(&own), document: &document, recent: &[] });
        assert!(
            matches!(&entries[..], [Entry { command: Command::Eases(EaseWish::Give(found)), .. }] if *found == own)
        );
        let mut names: Vec<String> = all_built_in().into_iter().map(|preset| preset.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "each once");
    }
}
