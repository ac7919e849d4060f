//! The commands the graph carries out.

use super::{
    GraphPanel,
    channels::Listing,
    menus::Popup,
    steps::{apply, send},
};
use crate::{
    command::{Act, Command, CommandId, PlotTo},
    edit::{Edit, KeySelection, Selection},
    eval::sample::rest_of,
    interact::{
        plot_view::PlotView,
        tools::{
            graph_edits::{Editing, GraphEdit},
            graph_select::{Wholesale, nearest, neighbour, wholesale},
        },
        view_state::ViewChange,
    },
    model::{Interpolation, RotationMode},
    notice::Notice,
    text::{fill, t},
    ui::panel::PanelContext,
};

impl GraphPanel {
    pub(super) fn run_command(&mut self, command: CommandId, ctx: &PanelContext<'_>) {
        match command {
            CommandId::SelectAll => self.choose(ctx, Wholesale::All),
            CommandId::SelectNone => self.choose(ctx, Wholesale::None),
            CommandId::SelectInvert => self.choose(ctx, Wholesale::Invert),
            CommandId::SelectKeysBefore => self.choose(ctx, Wholesale::Before(ctx.view.secs)),
            CommandId::SelectKeysAfter => self.choose(ctx, Wholesale::After(ctx.view.secs)),
            CommandId::SelectPreviousKey => self.step(ctx, false, false),
            CommandId::SelectNextKey => self.step(ctx, true, false),
            CommandId::ExtendPreviousKey => self.step(ctx, false, true),
            CommandId::ExtendNextKey => self.step(ctx, true, true),
            CommandId::SelectPreviousCurve => self.step_curve(ctx, false),
            CommandId::SelectNextCurve => self.step_curve(ctx, true),
            CommandId::FrameAll => ctx.commands.view(ViewChange::Graph(self.canvas.fit(ctx, false))),
            CommandId::FrameSelected => ctx.commands.view(ViewChange::Graph(self.canvas.fit(ctx, true))),
            CommandId::FramePlayhead => {
                if let Some(context) = self.canvas.context(ctx, self.channels.active) {
                    let view = PlotView::new(context.view.range, context.view.rect);
                    ctx.commands.view(ViewChange::Graph(view.centred_on_secs(ctx.view.secs)));
                }
            }
            CommandId::GrabMove => self.grab(ctx, false),
            CommandId::DuplicateKeys => self.grab(ctx, true),
            CommandId::SnapKeys => {
                let rate = ctx.document.settings.rate;
                self.edit(ctx, "history.snap_keys", |editing| editing.snap_to_frames(rate));
            }
            CommandId::MirrorKeys => {
                self.edit(ctx, "history.mirror_keys", |editing| editing.mirror(ctx.view.secs));
            }
            CommandId::LevelKeys => self.edit(ctx, "history.level_keys", |editing| editing.level()),
            CommandId::EulerFilter => self.filter_euler(ctx),
            CommandId::SavePlot => self.plot(ctx, PlotTo::File),
            CommandId::CopyPlot => self.plot(ctx, PlotTo::Clipboard),
            CommandId::CopyKeys => self.copy(),
            CommandId::PasteKeys => self.paste(ctx),
            CommandId::InterpolationMenu => self.open(Popup::Interpolation),
            CommandId::HandlesMenu => self.open(Popup::Handles),
            CommandId::DeleteKeys => self.edit(ctx, "history.delete_keys", |editing| editing.delete()),
            CommandId::NudgeKeysLeft => self.nudge(ctx, -1, 0.0),
            CommandId::NudgeKeysRight => self.nudge(ctx, 1, 0.0),
            CommandId::NudgeKeysDown => self.nudge(ctx, 0, -1.0),
            CommandId::NudgeKeysUp => self.nudge(ctx, 0, 1.0),
            CommandId::MuteCurves | CommandId::LockCurves | CommandId::IsolateCurves | CommandId::ShowCurves => {
                self.run_channels(command, ctx);
            }
            CommandId::PlotVelocity => self.channels.strips[0] = !self.channels.strips[0],
            CommandId::PlotAcceleration => self.channels.strips[1] = !self.channels.strips[1],
            CommandId::PlotBadges => self.channels.badges = !self.channels.badges,
            CommandId::PlotNormalised => self.channels.normalised = !self.channels.normalised,
            CommandId::PlotFollow => self.follow = !self.follow,
            CommandId::CurveTools => self.side = !self.side,
            other => {
                if self.run_tool(other, ctx) || self.run_beside(other, ctx) {
                    return;
                }
                match other.spec().act {
                    Some(Act::Interpolation(kind)) => {
                        self.edit(ctx, "history.interpolation", |editing| editing.interpolate(kind));
                    }
                    Some(Act::Handles(kind)) => self.edit(ctx, "history.handles", |editing| editing.handles(kind)),
                    _ => {}
                }
            }
        }
    }

    /// Runs a command of what stands beside the curves, which then shows; false where it is another.
    fn run_beside(&mut self, command: CommandId, ctx: &PanelContext<'_>) -> bool {
        let Some(clip) = self.canvas.clip else { return false };
        let editing = Editing { curves: &self.canvas.curves, clip };
        let done = super::side::modifiers::run(command, ctx, &editing, &self.channels)
            || super::side::scheme::run(command, ctx, &editing, &self.channels);
        self.side |= done;
        done
    }

    /// What is seen as a plot: the channels with an open eye.
    fn plot(&self, ctx: &PanelContext<'_>, to: PlotTo) {
        let Some(listing) = Listing::new(ctx, &self.channels) else { return };
        let shown = listing.shown(ctx).map(|shown| shown.path).collect();
        ctx.commands.send(Command::Plot(to, listing.clip, shown));
    }

    pub(super) fn edit(
        &self,
        ctx: &PanelContext<'_>,
        label: &'static str,
        edit: impl FnOnce(&Editing<'_>) -> Option<GraphEdit>,
    ) {
        self.edit_or(ctx, label, "graph.nothing_changed", edit);
    }

    /// An edit; where nothing comes of it, why, by a text key.
    pub(super) fn edit_or(
        &self,
        ctx: &PanelContext<'_>,
        label: &'static str,
        none: &str,
        edit: impl FnOnce(&Editing<'_>) -> Option<GraphEdit>,
    ) {
        let Some(clip) = self.canvas.clip else { return };
        match edit(&Editing { curves: &self.canvas.curves, clip }) {
            None => ctx.commands.send(Command::Tell(Notice::warn(fill(none, &[("name", &t(label))])))),
            edit => apply(ctx, label, edit),
        }
    }

    fn grab(&mut self, ctx: &PanelContext<'_>, copies: bool) {
        let (pointer, active) = (self.canvas.pointer, self.channels.active);
        let steps = self.canvas.with_tool(ctx, active, |tool, context| tool.grab(pointer, copies, context));
        send(steps, ctx, &mut self.channels);
    }

    fn filter_euler(&self, ctx: &PanelContext<'_>) {
        let order = |target| match rest_of(ctx.document, target)?.1 {
            RotationMode::Euler(order) => Some(order),
            RotationMode::Quaternion => None,
        };
        let Some(clip) = self.canvas.clip else { return };
        match (Editing { curves: &self.canvas.curves, clip }).filter_euler(order) {
            None => ctx.commands.send(Command::Tell(Notice::warn(t("graph.no_euler")))),
            Some(GraphEdit { edit, .. }) if edit == Edit::none() => {
                ctx.commands.send(Command::Tell(Notice::info(t("graph.euler_nothing"))));
            }
            edit => apply(ctx, "history.euler_filter", edit),
        }
    }

    fn copy(&mut self) {
        if let Some(clip) = self.canvas.clip {
            let copied = Editing { curves: &self.canvas.curves, clip }.copy();
            if !copied.is_empty() {
                self.copied = copied;
            }
        }
    }

    fn paste(&self, ctx: &PanelContext<'_>) {
        let Some(clip) = self.canvas.clip else { return };
        let editing = Editing { curves: &self.canvas.curves, clip };
        let (active, rate) = (self.channels.active, ctx.document.settings.rate);
        if let Some((edit, keys)) = editing.paste(&self.copied, ctx.view.secs, active, rate) {
            apply(ctx, "history.paste_keys", Some(edit));
            ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
        } else {
            ctx.commands.send(Command::Tell(Notice::info(t("dope.nothing_copied"))));
        }
    }

    fn choose(&self, ctx: &PanelContext<'_>, what: Wholesale) {
        if let Some(clip) = self.canvas.clip {
            let keys = wholesale(&self.canvas.curves, clip, &ctx.selection.keys, what);
            ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
        }
    }

    /// Selects the key after or before the selected one on the active curve (else the first that has one selected, else
    /// the first); besides those that are selected, where they are to stay.
    fn step(&mut self, ctx: &PanelContext<'_>, forward: bool, stay: bool) {
        let curves = &self.canvas.curves;
        let active = curves.iter().find(|curve| Some(curve.path) == self.channels.active);
        let curve =
            active.or_else(|| curves.iter().find(|curve| !curve.selected.is_empty())).or_else(|| curves.first());
        if let (Some(curve), Some(clip)) = (curve, self.canvas.clip) {
            self.channels.active = Some(curve.path);
            if let Some(keys) = neighbour(curve, clip, ctx.view.secs, forward) {
                self.show_keys(ctx, &keys);
                let kept = ctx.selection.keys.iter().filter(|_| stay);
                let keys = kept.chain(keys.iter()).collect();
                ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
            }
        }
    }

    /// Makes the curve after or before the active one in the list active, and selects its key nearest to the one that was
    /// selected (to the playhead, where none was).
    fn step_curve(&mut self, ctx: &PanelContext<'_>, forward: bool) {
        let curves: Vec<_> = self.canvas.curves.iter().filter(|curve| curve.lane == 0).collect();
        let at = curves.iter().position(|curve| Some(curve.path) == self.channels.active);
        let at = at.or_else(|| curves.iter().position(|curve| !curve.selected.is_empty()));
        let (next, secs) = match at {
            Some(at) => {
                let next = if forward { at + 1 } else { at.wrapping_sub(1) };
                let key = curves[at].selected.first().and_then(|index| curves[at].points.get(*index));
                (next, key.map_or(ctx.view.secs, |[secs, _]| curves[at].clock.shown(secs)))
            }
            None => (0, ctx.view.secs),
        };
        let (Some(curve), Some(clip)) = (curves.get(next), self.canvas.clip) else { return };
        self.channels.active = Some(curve.path);
        let keys = nearest(curve, clip, secs).filter(|_| curve.editable).unwrap_or_default();
        self.show_keys(ctx, &keys);
        ctx.commands.select(Selection { keys, ..ctx.selection.clone() });
    }

    /// Moves the view so that keys chosen by the keyboard are seen, where they are not.
    fn show_keys(&self, ctx: &PanelContext<'_>, keys: &KeySelection) {
        let Some(context) = self.canvas.context(ctx, self.channels.active) else { return };
        let (view, mut range) = (context.view, context.view.range);
        for curve in self.canvas.curves.iter().filter(|curve| curve.lane == 0) {
            let chosen = keys.iter().filter(|(at, _)| at.path == curve.path);
            for (_, time) in chosen {
                let secs = curve.clock.shown(time);
                if !range.secs.contains(secs) {
                    range = PlotView::new(range, view.rect).centred_on_secs(secs);
                }
                let index = curve.points.count_before(time).min(curve.points.len().saturating_sub(1));
                let Some([_, own]) = curve.points.get(index) else { continue };
                let shown = curve.map.shown(own);
                if !range.values.contains(shown) {
                    range = PlotView::new(range, view.rect).centred_on_value(shown);
                }
            }
        }
        if range != view.range {
            ctx.commands.view(ViewChange::Graph(range));
        }
    }

    /// Moves the selected keys by whole frames and by steps of a tenth of the grid.
    fn nudge(&self, ctx: &PanelContext<'_>, frames: i64, steps: f64) {
        let Some(context) = self.canvas.context(ctx, self.channels.active) else { return };
        let (rate, rise) = (context.rate, steps * context.value_step / 10.0);
        let shift = rate.secs(frames);
        let snap = crate::interact::snap::TimeSnap::Frames(rate);
        self.edit(ctx, "history.move_keys", |editing| editing.nudge(|secs| snap.shifted(secs, shift), rise));
    }

    fn open(&mut self, popup: Popup) {
        if let Some(at) = self.canvas.place_for_menu() {
            self.canvas.popup = Some((popup, at));
            self.canvas.popup_is_new = true;
        }
    }
}

/// An interpolation's name, as the menus call it.
pub(in crate::ui) fn interpolation_name(interpolation: Interpolation) -> String {
    let command = Act::Interpolation(interpolation).command();
    command.map_or_else(String::new, |id| t(&format!("graph.{}", id.name())).into_owned())
}
