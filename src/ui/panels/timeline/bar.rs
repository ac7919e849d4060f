//! The bar above the ruler: play buttons, numbers, auto-key, what waits.

use super::{
    blocking,
    room::{self, Room},
    status,
};
use crate::{
    command::{CommandId, PanelId},
    edit::{AutoKey, Edit, Gesture, SettingsEdit},
    interact::view_state::{DropPolicy, Playback, ViewChange, ViewState},
    model::{FrameRange, FrameRate},
    notice::Notice,
    text::{fill, t},
    ui::{
        about,
        icons::Icon,
        panel::PanelContext,
        shell::hint_of,
        theme::GRID_PT,
        widgets::{DragField, FieldEdit, IconButton, text_field},
    },
};
use egui::{RichText, Ui};

/// The bar.
#[derive(Debug, Default)]
pub(super) struct Bar;

impl Bar {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let bar = egui::ScrollArea::horizontal().id_salt("timeline bar").auto_shrink([false, true]);
        bar.scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden).show(ui, |ui| {
            let widths = [
                status::height_width(ui, ctx),
                blocking::new_keys_width(ui, ctx),
                room::width_of(ui, &policy_text(ctx), true),
                room::width_of(ui, &t("timeline.fps"), false),
            ];
            let shown = room::room(ui, widths);
            let bar = ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                transport(ui, ctx);
                gap(ui);
                frames(ui, ctx);
                gap(ui);
                rate(ui, ctx, shown);
                gap(ui);
                auto_key(ui, ctx);
                ui.add_space(GRID_PT);
                blocking::show(ui, ctx, shown.new_keys);
                gap(ui);
                status::show(ui, ctx, shown.height);
                about::button(ui, ctx, PanelId::Timeline);
            });
            room::keep(ui, shown, bar.response.rect.width(), widths);
        });
    }
}

fn gap(ui: &mut Ui) {
    ui.add_space(GRID_PT * 3.0);
}

fn command_button(ui: &mut Ui, ctx: &PanelContext<'_>, id: CommandId, icon: Icon, selected: bool) {
    let (name, shortcut, hint) = (t(id.spec().title), ctx.keymap.text(id), hint_of(id));
    let button = IconButton::new(icon, &name).shortcut(&shortcut).hint(&hint).selected(selected);
    if button.show(ui).clicked() {
        ctx.commands.run(id);
    }
}

fn transport(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let playback = ctx.view.playback;
    command_button(ui, ctx, CommandId::FirstFrame, Icon::First, false);
    command_button(ui, ctx, CommandId::PreviousKey, Icon::PreviousKey, false);
    command_button(ui, ctx, CommandId::StepBack, Icon::StepBack, false);
    let back = playback == Playback::Backward;
    command_button(ui, ctx, CommandId::PlayBackward, if back { Icon::Pause } else { Icon::PlayBack }, back);
    let on = playback == Playback::Forward;
    command_button(ui, ctx, CommandId::PlayPause, if on { Icon::Pause } else { Icon::Play }, on);
    command_button(ui, ctx, CommandId::StepForward, Icon::StepForward, false);
    command_button(ui, ctx, CommandId::NextKey, Icon::NextKey, false);
    command_button(ui, ctx, CommandId::LastFrame, Icon::Last, false);
    command_button(ui, ctx, CommandId::ToggleLoop, Icon::Loop, ctx.view.looping);
}

fn frames(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let settings = &ctx.document.settings;
    let (rate, range) = (settings.rate, settings.play_range);
    let name = t("timeline.frame");
    let frame = rate.frame_f64(ctx.view.secs);
    let (response, edits) = DragField::new(&name, frame).decimals(2).speed(0.2).width(64.0).show(ui);
    response.on_hover_text(&*name);
    for edit in edits {
        if let FieldEdit::Change(frame) = edit {
            let secs = frame * rate.frame_secs();
            let secs = if ctx.view.snap.frames { rate.snap(secs) } else { secs };
            ctx.commands.view(ViewChange::Playback(Playback::Stopped));
            ctx.commands.view(ViewChange::Time(secs));
        }
    }
    ui.weak(t("timeline.of").into_owned());
    let name = t("timeline.range_first");
    let set_first = |first: f64| FrameRange::new((first.round() as i64).min(range.last), range.last);
    range_field(ui, ctx, &name, range.first, set_first);
    ui.weak("\u{2013}");
    let name = t("timeline.range_last");
    range_field(ui, ctx, &name, range.last, |last| {
        FrameRange::new(range.first, (last.round() as i64).max(range.first))
    });
}

fn range_field(ui: &mut Ui, ctx: &PanelContext<'_>, name: &str, value: i64, range: impl Fn(f64) -> FrameRange) {
    let (response, edits) = DragField::new(name, value as f64).decimals(0).speed(0.2).width(52.0).show(ui);
    response.on_hover_text(name);
    for edit in edits {
        ctx.commands.gesture(match edit {
            FieldEdit::Begin => Gesture::Begin { label: "history.play_range" },
            FieldEdit::Change(value) => Gesture::Update(SettingsEdit::SetPlayRange(range(value)).into()),
            FieldEdit::Commit => Gesture::Commit,
            FieldEdit::Cancel => Gesture::Cancel,
        });
    }
}

fn rate(ui: &mut Ui, ctx: &PanelContext<'_>, shown: Room) {
    let rate = ctx.document.settings.rate;
    let name = t("timeline.rate");
    let (response, typed) = text_field(ui, &name, &rate.to_string(), 56.0);
    response.on_hover_text(fill("timeline.rate_hint", &[("num", &rate.num()), ("den", &rate.den())]));
    if let Some(text) = typed {
        match FrameRate::parse(&text) {
            Some(new) => {
                ctx.commands.apply("history.frame_rate", Edit::from(SettingsEdit::SetRate(new)));
                // On a frame there is: keys set here would otherwise lie between frames.
                ctx.commands.view(ViewChange::Time(new.secs(ctx.view.frame(new))));
            }
            None => {
                let text = fill("timeline.rate_refused", &[("text", &text)]);
                ctx.commands.send(crate::command::Command::Tell(Notice::warn(text)));
            }
        }
    }
    if shown.fps {
        ui.weak(t("timeline.fps").into_owned());
    }
    ui.add_space(GRID_PT);
    speed(ui, ctx);
    if shown.policy {
        policy(ui, ctx);
    }
    if let Some(fps) = ctx.playing.achieved_fps {
        let text = fill("timeline.achieved", &[("fps", &format!("{fps:.1}"))]);
        let colour = if ctx.playing.late { ctx.colours.error } else { ctx.colours.weak };
        let text = if ctx.playing.late { fill("timeline.late", &[("text", &text)]) } else { text };
        ui.label(RichText::new(text).color(colour));
    }
}

fn policy_text(ctx: &PanelContext<'_>) -> String {
    let drops = ctx.view.drop_policy == DropPolicy::DropFrames;
    t(if drops { "timeline.drop_frames" } else { "timeline.every_frame" }).into_owned()
}

/// Whether late frames are dropped; a click changes it.
fn policy(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let drops = ctx.view.drop_policy == DropPolicy::DropFrames;
    let response = ui.selectable_label(false, policy_text(ctx));
    let hint = t(if drops { "timeline.drop_frames_hint" } else { "timeline.every_frame_hint" });
    if response.on_hover_text(hint.into_owned()).clicked() {
        ctx.commands.run(CommandId::ToggleDropFrames);
    }
}

fn speed(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let name = t("timeline.speed");
    let (low, high) = ViewState::SPEED;
    let field =
        DragField::new(&name, ctx.view.speed * 100.0).decimals(0).speed(0.5).unit("%").width(52.0).rests_at(100.0);
    let (response, edits) = field.range(low * 100.0, high * 100.0).show(ui);
    response.on_hover_text(&*name);
    for edit in edits {
        if let FieldEdit::Change(percent) = edit {
            ctx.commands.view(ViewChange::Speed(percent / 100.0));
        }
    }
}

/// The text key of an auto-key state.
pub(super) const fn auto_key_title(state: AutoKey) -> &'static str {
    match state {
        AutoKey::Off => "timeline.auto_key_off",
        AutoKey::On => "timeline.auto_key_on",
        AutoKey::WholePose => "timeline.auto_key_whole_pose",
    }
}

fn auto_key(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let state = ctx.view.auto_key;
    let off = state == AutoKey::Off;
    let colour = if off { ctx.colours.weak } else { ctx.colours.record };
    let name = t("command.cycle_auto_key");
    if IconButton::new(Icon::Record, &name).colour(colour).hint(&t("timeline.auto_key_hint")).show(ui).clicked() {
        ctx.commands.run(CommandId::CycleAutoKey);
    }
    let text = RichText::new(t(auto_key_title(state)).into_owned()).color(if off {
        ctx.colours.weak
    } else {
        ctx.colours.text
    });
    ui.menu_button(text, |ui| {
        for choice in [AutoKey::Off, AutoKey::On, AutoKey::WholePose] {
            let title = t(auto_key_title(choice));
            if ui.selectable_label(choice == state, &*title).clicked() {
                ctx.commands.view(ViewChange::AutoKey(choice));
                ui.close();
            }
        }
    });
}
