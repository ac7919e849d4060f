//! What the palette finds besides the commands of the table: ease presets, document settings, themes, profiles, recent files,
//! and the help on every panel.

use crate::{
    command::{Command, EaseWish, HelpWish, PanelId},
    edit::SettingsEdit,
    interact::view_state::{Profile, ThemeChoice, ViewChange},
    model::{Document, EasePreset, FrameRate, LengthUnit},
    text::{fill, t},
    ui::{about, panel::PANELS, panels::graph::all_built_in, tour::steps::STEPS},
};
use std::path::PathBuf;

/// What there is besides the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// The user's own eases.
    pub(super) eases: &'a [EasePreset],
    /// The open document.
    pub(super) document: &'a Document,
    /// Files opened lately.
    pub(super) recent: &'a [PathBuf],
}

/// Something that can be chosen.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) name: String,
    /// The text key of its kind.
    pub(super) place: &'static str,
    /// Other words for it, a text key; empty for none.
    pub(super) words: String,
    pub(super) command: Command,
    /// Whether selected keys are needed.
    pub(super) keys: bool,
    /// Whether it only explains: what does something comes before it.
    pub(super) explains: bool,
}

impl Found {
    fn new(name: String, place: &'static str, command: Command) -> Self {
        Self { name, place, words: String::new(), command, keys: false, explains: false }
    }
}

/// Frame rates that are offered by name.
const RATES: [(u64, u64); 9] =
    [(24, 1), (25, 1), (30, 1), (48, 1), (50, 1), (60, 1), (120, 1), (24_000, 1001), (30_000, 1001)];

/// Everything there is.
pub(super) fn all(known: Known<'_>) -> Vec<Found> {
    let mut all = eases(known.eases);
    all.extend(document_settings(known.document));
    all.extend(choices());
    all.extend(known.recent.iter().map(|path| {
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let name = fill("palette.open_recent", &[("name", &file)]);
        Found::new(name, "menu.recent", Command::Open(path.clone()))
    }));
    all.extend(help());
    all
}

fn eases(own: &[EasePreset]) -> Vec<Found> {
    let built_in = all_built_in().into_iter().map(|preset| (preset, "palette.ease"));
    let all = built_in.chain(own.iter().map(|preset| (preset.clone(), "palette.own_ease")));
    let found = all.map(|(preset, title)| {
        let name = fill(title, &[("name", &preset.name)]);
        let command = Command::Eases(EaseWish::Give(preset));
        Found { keys: true, ..Found::new(name, "palette.presets", command) }
    });
    found.collect()
}

/// A value of each setting of the document that a name can stand for. Those of the range, of references and of the order of clips
/// are commands of the table.
fn document_settings(document: &Document) -> Vec<Found> {
    let setting = |name: String, words: &str, label: &'static str, edit: SettingsEdit| Found {
        words: words.to_owned(),
        ..Found::new(name, "palette.document", Command::Apply(label, edit.into()))
    };
    let rates = RATES.iter().filter_map(|(num, den)| FrameRate::new(*num, *den)).map(|rate| {
        let name = fill("palette.rate", &[("rate", &rate)]);
        setting(name, "palette.rate_words", "history.frame_rate", SettingsEdit::SetRate(rate))
    });
    let units = LengthUnit::ALL.into_iter().map(|unit| {
        let name = fill("palette.length_unit", &[("unit", &unit.symbol())]);
        setting(name, "palette.length_unit_words", "history.length_unit", SettingsEdit::SetLengthUnit(unit))
    });
    let clips = document.listed_clips().into_iter().filter_map(|id| {
        let name = fill("palette.clip", &[("name", &document.clip(id)?.name)]);
        Some(setting(name, "palette.clip_words", "history.set_clip", SettingsEdit::SetClip(Some(id))))
    });
    rates.chain(units).chain(clips).collect()
}

/// Themes and profiles.
fn choices() -> Vec<Found> {
    let themes = [(ThemeChoice::Dark, "settings.dark"), (ThemeChoice::Light, "settings.light")];
    let themes = themes.into_iter().map(|(theme, title)| {
        let name = fill("palette.theme", &[("name", &t(title))]);
        Found::new(name, "menu.view", Command::View(ViewChange::Theme(theme)))
    });
    let profiles = Profile::ALL.into_iter().map(|profile| {
        let name = fill("palette.profile", &[("name", &t(profile.title()))]);
        Found::new(name, "menu.edit", Command::View(ViewChange::Profile(profile)))
    });
    themes.chain(profiles).collect()
}

/// What every panel is, and the steps of the tour.
fn help() -> Vec<Found> {
    let panel = |panel: PanelId| Found {
        words: about::first_key(panel),
        explains: true,
        ..Found::new(about::question(panel), "menu.help", Command::Help(HelpWish::Panel(panel)))
    };
    let step = |(place, step): (usize, &crate::ui::tour::steps::Step)| {
        let name = fill("palette.tour", &[("title", &t(step.title))]);
        Found { explains: true, ..Found::new(name, "menu.help", Command::Help(HelpWish::Tour(place))) }
    };
    PANELS.iter().map(|spec| panel(spec.id)).chain(STEPS.iter().enumerate().map(step)).collect()
}
