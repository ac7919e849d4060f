//! The commands of the channel list: mute, lock, alone, all.

use super::{GraphPanel, channel_row, channels::Listing};
use crate::{
    command::{Command, CommandId},
    interact::{curve_view::CurveView, view_state::ViewChange},
    model::ChannelPath,
    notice::Notice,
    text::t,
    ui::panel::PanelContext,
};
use std::collections::BTreeSet;

impl GraphPanel {
    /// Carries out a command of the channel list, for the curves with selected keys, else the active one.
    pub(super) fn run_channels(&self, command: CommandId, ctx: &PanelContext<'_>) {
        let Some(listing) = Listing::new(ctx, &self.channels) else { return };
        if command == CommandId::ShowCurves {
            let curves = CurveView { hidden: BTreeSet::new(), ..ctx.view.curves.clone() };
            ctx.commands.view(ViewChange::Curves(curves));
            return;
        }
        let paths = self.meant();
        if paths.is_empty() {
            ctx.commands.send(Command::Tell(Notice::info(t("graph.no_curve"))));
            return;
        }
        match command {
            CommandId::MuteCurves => {
                let muted = paths.iter().all(|path| channel_row::is_muted(ctx, &listing, *path));
                channel_row::mute(ctx, &listing, &paths, !muted);
            }
            CommandId::LockCurves => {
                let locked = paths.iter().all(|path| ctx.view.curves.locked.contains(path));
                ctx.commands.view(ViewChange::Curves(ctx.view.curves.with_locked(paths, !locked)));
            }
            _ => channel_row::isolate(ctx, &listing, &paths),
        }
    }

    /// The channels of the curves with selected keys, else the active one; only of those listed.
    fn meant(&self) -> Vec<ChannelPath> {
        let curves = self.canvas.curves.iter().filter(|curve| curve.lane == 0);
        let mut paths: Vec<ChannelPath> =
            curves.filter(|curve| !curve.selected.is_empty()).map(|curve| curve.path).collect();
        if paths.is_empty() {
            paths.extend(self.channels.active.filter(|active| self.canvas.curves.iter().any(|c| c.path == *active)));
        }
        paths
    }
}
