//! The scheme race: what takes part, the numbers of each, and which one to keep. Its curves are drawn in the graph, its
//! ghosts in the 3D view. Beside it snapshots: states of curves to compare with and to go back to.

mod snapshots;
mod table;
mod timing;

use crate::{
    command::{Command, CommandId},
    eval::race::{Entrant, WrongForm},
    interact::race::{RaceView, keep, kept, raced},
    interact::{timing::TimingView, view_state::ViewChange},
    model::{ChannelPath, ClipId, Interpolation, Scheme},
    notice::Notice,
    style::RIVALS,
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        panels::graph::{full_name, interpolation_name, scheme_name},
        subject,
        theme::colour,
    },
};
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Ui,
    containers::menu::{MenuButton, MenuConfig},
};

/// The panel of the race.
#[derive(Debug, Default)]
pub struct RacePanel {
    /// The channel whose numbers are shown; none for the first.
    channel: Option<ChannelPath>,
    figures: table::FigureCache,
    deviations: snapshots::DeviationCache,
    tab: Tab,
    timing: timing::TimingState,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Schemes,
    Snapshots,
    Timing,
}

impl Panel for RacePanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        ui.horizontal_wrapped(|ui| {
            for (tab, key) in
                [(Tab::Schemes, "race.tab"), (Tab::Snapshots, "snapshots.tab"), (Tab::Timing, "timing.tab")]
            {
                ui.selectable_value(&mut self.tab, tab, t(key).into_owned());
            }
        });
        ui.add_space(2.0);
        egui::ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
            match self.tab {
                Tab::Schemes => {}
                Tab::Snapshots => return snapshots::show(ui, ctx, &mut self.deviations),
                Tab::Timing => return timing::show(ui, ctx, &mut self.timing),
            }
            let Some((clip, channels)) = subjects(ctx).filter(|(_, channels)| !channels.is_empty()) else {
                ui.add(egui::Label::new(egui::RichText::new(t("race.nothing")).weak()).wrap());
                return;
            };
            self.head(ui, ctx, &channels);
            if ctx.view.race.entrants.is_empty() {
                ui.add(egui::Label::new(egui::RichText::new(t("race.none")).weak()).wrap());
                usual(ui, ctx);
                return;
            }
            let shown = self.channel.filter(|path| channels.contains(path)).or_else(|| channels.first().copied());
            if let Some(path) = shown {
                self.channel_choice(ui, ctx, &channels, path);
                if let Some(kept) = table::show(ui, ctx, (clip, path), &mut self.figures) {
                    keep_one(ctx, clip, &channels, kept);
                }
            }
        });
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        if command == CommandId::CompareTiming {
            self.tab = Tab::Timing;
            ctx.commands.view(ViewChange::Timing(TimingView { shown: true, ..ctx.view.timing.clone() }));
        }
    }
}

/// The clip and the channels that are raced.
pub(in crate::ui) fn subjects(ctx: &PanelContext<'_>) -> Option<(ClipId, Vec<ChannelPath>)> {
    let (id, clip) = subject::clip(ctx.document, ctx.selection)?;
    Some((id, raced(id, clip, ctx.selection, &ctx.view.curves)))
}

impl RacePanel {
    /// What takes part, and whether the character is seen for each.
    fn head(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, channels: &[ChannelPath]) {
        let race = &ctx.view.race;
        ui.horizontal_wrapped(|ui| {
            let stays = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
            MenuButton::new(t("race.add").into_owned()).config(stays).ui(ui, |ui| offers(ui, ctx));
            let mut ghosts = race.ghosts;
            let ghost = ui.checkbox(&mut ghosts, t("race.ghosts").as_ref());
            if ghost.on_hover_text(t("race.ghosts_hint").into_owned()).clicked() {
                ctx.commands.view(ViewChange::Race(RaceView { ghosts, ..race.clone() }));
            }
            let clear = egui::Button::new(t("race.clear").into_owned());
            if ui.add_enabled(!race.entrants.is_empty(), clear).clicked() {
                ctx.commands.view(ViewChange::Race(RaceView { entrants: Vec::new(), ..race.clone() }));
            }
        });
        let count = match channels {
            [one] => full_name(ctx.document, *one),
            _ => fill("race.channels", &[("count", &channels.len())]),
        };
        ui.weak(fill("race.of", &[("what", &count)])).on_hover_text(t("race.of_hint").into_owned());
    }

    fn channel_choice(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, channels: &[ChannelPath], shown: ChannelPath) {
        if channels.len() < 2 {
            return;
        }
        ui.horizontal(|ui| {
            ui.label(t("race.numbers_of").into_owned());
            ui.menu_button(full_name(ctx.document, shown), |ui| {
                egui::ScrollArea::vertical().max_height(320.0).min_scrolled_height(320.0).show(ui, |ui| {
                    for path in channels {
                        if ui.selectable_label(*path == shown, full_name(ctx.document, *path)).clicked() {
                            self.channel = Some(*path);
                            ui.close();
                        }
                    }
                });
            });
        });
    }
}

/// A start in one click.
fn usual(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let entrants = RaceView::USUAL.to_vec();
    let names = entrants.iter().map(|entrant| entrant_name(*entrant)).collect::<Vec<_>>().join(", ");
    if ui.button(t("race.usual")).on_hover_text(names).clicked() {
        ctx.commands.view(ViewChange::Race(RaceView { entrants, ..ctx.view.race.clone() }));
    }
}

/// All that can be raced, by kinds.
fn offers(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let full = ctx.view.race.entrants.len() >= RaceView::MOST;
    let offer = |ui: &mut Ui, entrant: Entrant| {
        let present = ctx.view.race.entrants.contains(&entrant);
        let label = egui::Button::selectable(present, entrant_name(entrant));
        let response = ui.add_enabled(present || !full, label);
        let response = match entrant {
            Entrant::Wrong(form) => response.on_hover_text(t(wrong_hint(form)).into_owned()),
            _ => response,
        };
        if response.clicked() {
            ctx.commands.view(ViewChange::Race(ctx.view.race.toggled(entrant)));
        }
    };
    let kinds = |ui: &mut Ui, title: &str, group: &[Interpolation]| {
        ui.weak(t(title).into_owned());
        group.iter().for_each(|kind| offer(ui, Entrant::Interpolation(*kind)));
    };
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            kinds(ui, "race.held", Interpolation::GROUPS[0]);
            kinds(ui, "race.through", Interpolation::GROUPS[1]);
            kinds(ui, "race.beyond", Interpolation::GROUPS[3]);
        });
        ui.vertical(|ui| kinds(ui, "race.eases", Interpolation::GROUPS[2]));
        ui.vertical(|ui| {
            ui.weak(t("race.whole").into_owned());
            for scheme in Scheme::ALL.into_iter().filter(|scheme| *scheme != Scheme::PerKey) {
                offer(ui, Entrant::Scheme(scheme));
            }
            ui.weak(t("race.wrong").into_owned());
            WrongForm::ALL.into_iter().for_each(|form| offer(ui, Entrant::Wrong(form)));
        });
    });
}

/// Writes an entrant to the raced channels.
fn keep_one(ctx: &PanelContext<'_>, clip: ClipId, channels: &[ChannelPath], entrant: Entrant) {
    let channels = kept(channels, &ctx.view.curves);
    if channels.is_empty() {
        ctx.commands.send(Command::Tell(Notice::warn(t("race.all_locked"))));
    } else if let Some(edit) = keep(ctx.document, clip, &channels, entrant) {
        ctx.commands.apply("history.race", edit);
        let text = fill("race.kept", &[("name", &entrant_name(entrant)), ("count", &channels.len())]);
        ctx.commands.send(Command::Tell(Notice::info(text)));
    }
}

/// An entrant's name; wrong forms say that they are.
pub(in crate::ui) fn entrant_name(entrant: Entrant) -> String {
    match entrant {
        Entrant::Interpolation(kind) => interpolation_name(kind),
        Entrant::Scheme(scheme) => t(scheme_name(scheme)).into_owned(),
        Entrant::Wrong(form) => t(match form {
            WrongForm::Tcb => "race.wrong_tcb",
            WrongForm::Cardinal => "race.wrong_cardinal",
            WrongForm::Bounce => "race.wrong_bounce",
            WrongForm::Elastic => "race.wrong_elastic",
        })
        .into_owned(),
    }
}

const fn wrong_hint(form: WrongForm) -> &'static str {
    match form {
        WrongForm::Tcb => "race.wrong_tcb_hint",
        WrongForm::Cardinal => "race.wrong_cardinal_hint",
        WrongForm::Bounce => "race.wrong_bounce_hint",
        WrongForm::Elastic => "race.wrong_elastic_hint",
    }
}

/// The colour of the entrant with an index.
pub(in crate::ui) fn rival_colour(index: usize) -> Color32 {
    colour(RIVALS[index % RIVALS.len()])
}

/// The number of the entrant with an index, in its colour.
pub(in crate::ui) fn badge(painter: &Painter, at: Pos2, index: usize) {
    painter.circle_filled(at, 7.5, Color32::from_black_alpha(160));
    painter.circle_filled(at, 6.5, rival_colour(index));
    let number = (index + 1).to_string();
    painter.text(at, Align2::CENTER_CENTER, number, FontId::proportional(11.0), Color32::BLACK);
}
