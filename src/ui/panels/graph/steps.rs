//! From what the graph's machine asks for to commands of the program.

use super::channels::ChannelState;
use crate::{
    command::Command,
    edit::Selection,
    interact::{
        tools::{graph_edits::GraphEdit, graph_tool::GraphStep},
        view_state::ViewChange,
    },
    notice::Notice,
    text::{fill, t},
    ui::panel::PanelContext,
};

/// Sends steps as commands, in order.
pub(super) fn send(steps: Vec<GraphStep>, ctx: &PanelContext<'_>, channels: &mut ChannelState) {
    for step in steps {
        match step {
            GraphStep::Gesture(gesture) => ctx.commands.gesture(gesture),
            GraphStep::Keys(keys) => ctx.commands.select(Selection { keys, ..ctx.selection.clone() }),
            // What drives is not moved by its ruler.
            GraphStep::View(ViewChange::Time(_)) if channels.driven.is_some() => {}
            GraphStep::View(change) => ctx.commands.view(change),
            GraphStep::Active(path) => channels.active = Some(path),
            GraphStep::Converted(count) => tell_converted(ctx, count),
        }
    }
}

/// Sends an edit as one step of the history.
pub(super) fn apply(ctx: &PanelContext<'_>, label: &'static str, edit: Option<GraphEdit>) {
    if let Some(GraphEdit { edit, converted }) = edit {
        ctx.commands.apply(label, edit);
        tell_converted(ctx, converted);
    }
}

/// Says that captured curves became keys, if any did.
pub(super) fn tell_converted(ctx: &PanelContext<'_>, count: usize) {
    let notice = match count {
        0 => return,
        1 => Notice::info(t("graph.converted_one")),
        _ => Notice::info(fill("graph.converted", &[("count", &count)])),
    };
    ctx.commands.send(Command::Tell(notice.with_details(t("graph.converted_details"))));
}
