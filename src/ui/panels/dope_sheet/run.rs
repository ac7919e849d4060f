//! The commands that the dope sheet carries out.

use super::{
    DopeSheetPanel,
    clipboard::{self, keys_between},
    rows::{self, RowId},
};
use crate::{
    command::{Act, Command, CommandId},
    edit::{KeyEdit, KeySelection, Selection, columns},
    interact::view_state::ViewChange,
    model::{ChannelPath, Clip, ClipId},
    notice::Notice,
    text::t,
    ui::{panel::PanelContext, subject},
};
use std::sync::Arc;

impl DopeSheetPanel {
    pub(super) fn run_command(&mut self, command: CommandId, ctx: &PanelContext<'_>) {
        let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else { return };
        let keys = ctx.selection.keys.clone();
        let rate = ctx.document.settings.rate;
        match command {
            CommandId::SelectAll => {
                let all = self.in_row(ctx, clip, id, f64::MIN, f64::MAX, RowId::All);
                select(ctx, all);
            }
            CommandId::SelectNone => select(ctx, KeySelection::new()),
            CommandId::SelectInvert => {
                let all = self.in_row(ctx, clip, id, f64::MIN, f64::MAX, RowId::All);
                select(ctx, all.iter().filter(|(at, time)| !keys.contains(*at, *time)).collect());
            }
            CommandId::SelectKeysBefore | CommandId::SelectKeysAfter => {
                let now = ctx.view.secs;
                let before = command == CommandId::SelectKeysBefore;
                let (from, to) = if before { (f64::MIN, now) } else { (now, f64::MAX) };
                select(ctx, self.in_row(ctx, clip, id, from, to, RowId::All));
            }
            CommandId::SelectPreviousKey => self.step(ctx, (clip, id), false, false),
            CommandId::SelectNextKey => self.step(ctx, (clip, id), true, false),
            CommandId::ExtendPreviousKey => self.step(ctx, (clip, id), false, true),
            CommandId::ExtendNextKey => self.step(ctx, (clip, id), true, true),
            CommandId::NudgeKeysLeft | CommandId::NudgeKeysRight => {
                let dt = rate.secs(if command == CommandId::NudgeKeysLeft { -1 } else { 1 });
                ctx.commands.apply("history.move_keys", KeyEdit::Move { keys, dt, dv: 0.0 }.into());
            }
            CommandId::DeleteKeys => ctx.commands.apply("history.delete_keys", KeyEdit::Delete { keys }.into()),
            CommandId::CopyKeys => self.copy(ctx, clip, id),
            CommandId::PasteKeys => self.paste(ctx, clip, id),
            CommandId::FrameAll => ctx.commands.view(ViewChange::Timeline(None)),
            CommandId::FrameSelected => frame_selected(ctx),
            CommandId::FramePlayhead => {
                let range = ctx.document.settings.play_range;
                let (first, last) = ctx.view.timeline.unwrap_or((range.first as f64, range.last as f64));
                let (now, half) = (rate.frame_f64(ctx.view.secs), (last - first) / 2.0);
                ctx.commands.view(ViewChange::Timeline(Some((now - half, now + half))));
            }
            other => {
                if let Some(Act::Interpolation(interpolation)) = other.spec().act {
                    ctx.commands
                        .apply("history.interpolation", KeyEdit::SetInterpolation { keys, interpolation }.into());
                }
            }
        }
    }

    /// The keys of a row that is listed (all where it is not) between two times, both inclusive.
    fn in_row(
        &self,
        ctx: &PanelContext<'_>,
        clip: &Arc<Clip>,
        id: ClipId,
        from: f64,
        to: f64,
        row: RowId,
    ) -> KeySelection {
        let listed = rows::listed(ctx, clip, &self.filter, self.only_selected);
        let of = |path: &ChannelPath| match row {
            RowId::All => true,
            RowId::Object(object) => path.target.object() == object,
            RowId::Target(target) => path.target == target,
            RowId::Channel(channel) => *path == channel,
        };
        let own: Vec<ChannelPath> = listed.iter().copied().filter(|path| of(path)).collect();
        keys_between(clip, id, if own.is_empty() { &listed } else { &own }, from, to)
    }

    /// Selects the row's keys at the next time that has any, from the selected ones on (from the playhead, where none are);
    /// besides those that are selected, where they are to stay.
    fn step(&self, ctx: &PanelContext<'_>, (clip, id): (&Arc<Clip>, ClipId), forward: bool, stay: bool) {
        let row = self.active.unwrap_or(RowId::All);
        let selected = columns::times_of(ctx.document, &ctx.selection.keys);
        let end = if forward { selected.last() } else { selected.first() };
        let now = end.copied().unwrap_or(ctx.view.secs);
        let beyond = 2.0 * columns::COLUMN_SECS;
        let (from, to) = if forward { (now + beyond, f64::MAX) } else { (f64::MIN, now - beyond) };
        let keys = self.in_row(ctx, clip, id, from, to, row);
        let times = columns::times_of(ctx.document, &keys);
        let Some(secs) = (if forward { times.first() } else { times.last() }).copied() else { return };
        let here = keys.iter().filter(|(_, time)| (time - secs).abs() <= columns::COLUMN_SECS);
        select(ctx, ctx.selection.keys.iter().filter(|_| stay).chain(here).collect());
    }

    fn copy(&mut self, ctx: &PanelContext<'_>, clip: &Clip, id: ClipId) {
        let copied = clipboard::copy(clip, id, &ctx.selection.keys);
        if !copied.is_empty() {
            self.copied = copied;
        }
    }

    fn paste(&self, ctx: &PanelContext<'_>, clip: &Clip, id: ClipId) {
        match clipboard::paste(&self.copied, clip, id, ctx.view.secs, ctx.document.settings.rate) {
            Some((edit, keys)) => {
                ctx.commands.apply("history.paste_keys", edit);
                select(ctx, keys);
            }
            None => ctx.commands.send(Command::Tell(Notice::info(t("dope.nothing_copied")))),
        }
    }

    /// Copy, cut and paste as the system reports them: their keys never arrive as shortcuts.
    pub(super) fn clipboard(&mut self, ui: &egui::Ui, ctx: &PanelContext<'_>) {
        if !self.over || ctx.text_had_focus {
            return;
        }
        for event in ui.input(|input| input.events.clone()) {
            match event {
                egui::Event::Copy | egui::Event::Cut => {
                    self.run_command(CommandId::CopyKeys, ctx);
                    // The system reports a paste only where its clipboard holds something.
                    if !self.copied.is_empty() {
                        ui.ctx().copy_text(self.copied.text(ctx.document));
                    }
                    if event == egui::Event::Cut {
                        self.run_command(CommandId::DeleteKeys, ctx);
                    }
                }
                egui::Event::Paste(text) => {
                    if !self.copied.take(&text, ctx.document) {
                        ctx.commands.send(Command::Tell(Notice::warn(t(self.copied.foreign()))));
                        if self.copied.is_empty() {
                            continue;
                        }
                    }
                    self.run_command(CommandId::PasteKeys, ctx);
                }
                _ => {}
            }
        }
    }
}

fn select(ctx: &PanelContext<'_>, keys: KeySelection) {
    ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
}

/// Shows the frames of the selected keys, with room at both ends.
fn frame_selected(ctx: &PanelContext<'_>) {
    let times = columns::times_of(ctx.document, &ctx.selection.keys);
    let rate = ctx.document.settings.rate;
    if let (Some(first), Some(last)) = (times.first(), times.last()) {
        let (first, last) = (rate.frame_f64(*first), rate.frame_f64(*last));
        let room = ((last - first) * 0.05).max(1.0);
        ctx.commands.view(ViewChange::Timeline(Some((first - room, last + room))));
    }
}
