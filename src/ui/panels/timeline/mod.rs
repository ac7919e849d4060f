//! The timeline: play buttons, the frame and its range, the rate, auto-key, and a ruler with the selection's keys.

mod bar;
mod bar_text;
mod bars;
pub(in crate::ui::panels) mod blocking;
mod columns;
pub(in crate::ui::panels) mod corrections;
mod grip;
mod pins;
pub(in crate::ui::panels) mod retimes;
mod room;
pub(in crate::ui::panels) mod ruler;
pub(in crate::ui::panels) mod status;

use crate::{
    command::CommandId,
    edit::KeyEdit,
    interact::view_state::ViewChange,
    ui::{
        panel::{Panel, PanelContext},
        subject,
    },
};
use egui::Ui;

/// How much room the timeline takes beyond its usual, points: that of the bars of pins, corrections and retimes.
#[must_use]
pub fn extra_height(ctx: &PanelContext<'_>) -> f32 {
    bars::height(ctx)
}

/// The timeline.
#[derive(Debug, Default)]
pub struct TimelinePanel {
    bar: bar::Bar,
    bars: bars::Bars,
    ruler: ruler::Ruler,
    columns: columns::Columns,
}

impl Panel for TimelinePanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        self.bar.show(ui, ctx);
        self.bars.show(ui, ctx);
        self.ruler.show(ui, ctx);
        self.columns.show(ui, ctx);
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        let range = match command {
            CommandId::FrameSelected => selection_range(ctx),
            CommandId::FramePlayhead => Some(centred(ctx)),
            _ => None,
        };
        match command {
            CommandId::FrameAll | CommandId::FrameSelected | CommandId::FramePlayhead => {
                ctx.commands.view(ViewChange::Timeline(range));
            }
            CommandId::SelectAll => columns::select_all(ctx),
            CommandId::DeleteKeys => {
                let edit = KeyEdit::Delete { keys: ctx.selection.keys.clone() };
                ctx.commands.apply("history.delete_keys", edit.into());
            }
            _ => {}
        }
    }
}

/// The frames from the selection's first key to its last, with room at both ends.
fn selection_range(ctx: &PanelContext<'_>) -> Option<(f64, f64)> {
    let (_, clip) = subject::clip(ctx.document, ctx.selection)?;
    let first = subject::neighbour_key(ctx.document, clip, ctx.selection, f64::NEG_INFINITY, true)?;
    let last = subject::neighbour_key(ctx.document, clip, ctx.selection, f64::INFINITY, false)?;
    let rate = ctx.document.settings.rate;
    let (first, last) = (rate.frame_f64(first), rate.frame_f64(last));
    let room = ((last - first) * 0.05).max(1.0);
    Some((first - room, last + room))
}

/// As many frames as now, about the frame shown.
fn centred(ctx: &PanelContext<'_>) -> (f64, f64) {
    let range = ctx.document.settings.play_range;
    let (first, last) = ctx.view.timeline.unwrap_or((range.first as f64, range.last as f64));
    let now = ctx.document.settings.rate.frame_f64(ctx.view.secs);
    (now - (last - first) / 2.0, now + (last - first) / 2.0)
}
