//! The commands of the channel list: mute, lock, alone, all.

use super::{GraphPanel, channel_row, channels::Listing};
use crate::{
    command::{Command, CommandId},
    model::ChannelPath,
    notice::Notice,
    text::t,
    ui::panel::PanelContext,
};

impl GraphPanel {
    /// Carries out a command of the channel list, for the curves with selected keys, else the active one.
    pub(super) fn run_channels(&mut self, command: CommandId, ctx: &PanelContext<'_>) {
        let Some(listing) = Listing::new(ctx, &self.channels) else { return };
        if command == CommandId::ShowCurves {
            self.channels.hidden.clear();
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
                let set = &mut self.channels.locked;
                if paths.iter().all(|path| set.contains(path)) {
                    set.retain(|path| !paths.contains(path));
                } else {
                    set.extend(paths);
                }
            }
            _ => channel_row::isolate(&mut self.channels, &listing, &paths),
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
