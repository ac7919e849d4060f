//! The graph editor: a tree of channels, their curves on a canvas, a strip of tools.
//!
//! What the pointer does is decided in `interact::tools::graph_tool`; here it is shown, and turned into commands.

mod access;
mod badges;
mod canvas;
mod channel_row;
pub(in crate::ui::panels) mod channels;
mod driven;
mod family;
pub(in crate::ui::panels) mod menus;
mod paint;
mod race;
mod readout;
mod retimes;
pub(in crate::ui::panels) mod run;
mod run_channels;
mod run_tools;
mod side;
mod steps;
mod toolbar;
mod tree;

pub(in crate::ui) use channels::{full_name, target_name, unit_map, unit_name, with_unit};
pub(in crate::ui) use run::interpolation_name;
pub(in crate::ui) use side::{all_built_in, scheme_name};

use crate::{
    command::{Command, CommandId},
    interact::tools::copied_keys::CopiedKeys,
    notice::Notice,
    text::t,
    ui::panel::{Panel, PanelContext},
};
use canvas::Canvas;
use channels::{ChannelState, Listing};
use driven::Lens;
use egui::{Frame, Margin, Ui};

/// Width of the channel tree at first, and its least and greatest, points.
const TREE_PT: f32 = 184.0;
const TREE_RANGE_PT: std::ops::RangeInclusive<f32> = 120.0..=360.0;

/// Width of the strip beside the curves at first, and its least and greatest, points.
const SIDE_PT: f32 = 208.0;
const SIDE_RANGE_PT: std::ops::RangeInclusive<f32> = 170.0..=360.0;

/// The graph editor.
#[derive(Debug)]
pub struct GraphPanel {
    channels: ChannelState,
    canvas: Canvas,
    /// Whether the values are framed when other channels show.
    follow: bool,
    /// What was copied last.
    copied: CopiedKeys,
    /// The numbers that operations work with.
    numbers: side::ToolNumbers,
    /// Whether the strip beside the curves shows.
    side: bool,
}

impl Default for GraphPanel {
    fn default() -> Self {
        Self {
            channels: ChannelState::default(),
            canvas: Canvas::default(),
            follow: true,
            copied: CopiedKeys::default(),
            numbers: side::ToolNumbers::default(),
            side: false,
        }
    }
}

impl Panel for GraphPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        self.channels.forget_search(ctx);
        self.channels.driven = if ctx.view.drive.graph { driven::axis(ctx, &self.channels) } else { None };
        if !ctx.view.drive.graph {
            return self.show(ui, ctx);
        }
        let lens = Lens::new(ctx, &self.channels);
        self.show(ui, &mut through(ctx, &lens));
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        if !ctx.view.drive.graph {
            return self.run_command(command, ctx);
        }
        let lens = Lens::new(ctx, &self.channels);
        self.run_command(command, &through(ctx, &lens));
    }

    fn captures_keys(&self) -> bool {
        self.canvas.tool.is_modal() || self.canvas.tool.is_editing()
    }
}

/// The context of a panel with another document and view.
fn through<'a>(ctx: &'a mut PanelContext<'_>, lens: &'a Lens) -> PanelContext<'a> {
    PanelContext {
        session: ctx.session,
        document: &lens.document,
        standing: ctx.standing,
        frame: ctx.frame,
        evaluator: ctx.evaluator,
        selection: ctx.selection,
        view: &lens.view,
        colours: ctx.colours,
        keymap: ctx.keymap,
        commands: ctx.commands,
        painter: &mut *ctx.painter,
        backdrops: ctx.backdrops,
        notices: ctx.notices,
        playing: ctx.playing,
        text_had_focus: ctx.text_had_focus,
    }
}

impl GraphPanel {
    fn show(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let listing = Listing::new(ctx, &self.channels);
        let frame = Frame::new().inner_margin(Margin::symmetric(6, 3)).fill(ctx.colours.panel);
        egui::Panel::top("graph toolbar").frame(frame).show_separator_line(false).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                toolbar::show(ui, ctx, &self.canvas, &mut self.channels, [&mut self.follow, &mut self.side])
            });
        });
        let frame = Frame::new().inner_margin(Margin { left: 6, right: 2, top: 0, bottom: 2 }).fill(ctx.colours.panel);
        let tree = egui::Panel::left("graph channels").frame(frame).default_size(TREE_PT).size_range(TREE_RANGE_PT);
        tree.show_separator_line(false).show(ui, |ui| {
            tree::show(ui, ctx, listing.as_ref(), &mut self.channels);
        });
        if self.side {
            let frame = Frame::new().inner_margin(Margin::symmetric(6, 2)).fill(ctx.colours.panel);
            let strip = egui::Panel::right("graph side").frame(frame).default_size(SIDE_PT).size_range(SIDE_RANGE_PT);
            strip.show_separator_line(false).show(ui, |ui| {
                side::show(ui, ctx, &self.canvas, &mut self.channels, &mut self.numbers);
            });
        }
        self.canvas.show(ui, ctx, listing.as_ref(), &mut self.channels, self.follow);
        menus::show(ui, ctx, &mut self.canvas, &self.channels);
        self.clipboard(ui, ctx);
    }

    /// Copy, cut and paste as the system reports them: their keys never arrive as shortcuts.
    fn clipboard(&mut self, ui: &Ui, ctx: &PanelContext<'_>) {
        if !self.canvas.over || ctx.text_had_focus {
            return;
        }
        let events = ui.input(|input| input.events.clone());
        for event in events {
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
