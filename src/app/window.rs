//! The window: what runs each frame, in which order.

use super::{
    dispatch,
    files::DialogAnswer,
    fonts,
    jobs::JobKind,
    notify,
    services::Services,
    state::{AppState, JobResult, Pending},
};
use crate::{
    command::{Command, CommandId, PanelId},
    interact::view_state::ThemeChoice,
    text::t,
    ui::{
        dock::Dock,
        input_map::{self, Situation},
        palette::PaletteAnswer,
        panel::{PanelContext, ViewportPainter},
        panels::timeline,
        shell::{self, ShellAction, ShellState},
        start, theme, widgets,
    },
};
use egui::{Frame, Margin, Panel};
use std::{path::PathBuf, time::Duration};

/// The program with its window.
pub struct App {
    pub(super) state: AppState,
    pub(super) dock: Dock,
    pub(super) painter: Box<dyn ViewportPainter>,
    /// The theme egui was set to.
    themed: Option<ThemeChoice>,
    /// The title the window has.
    title: String,
    /// The panel the pointer was over last: commands from menus go there.
    last_panel: Option<PanelId>,
    /// The character the view goes with, and where over the ground it was.
    pub(super) went_with: Option<(crate::model::ObjectId, crate::math::Vec3)>,
    /// How many frames were drawn, up to 2.
    frames: u8,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("dock", &self.dock).finish_non_exhaustive()
    }
}

/// Height of the timeline, points.
const TIMELINE_PT: f32 = 98.0;
/// Height of the menu bar and of the status bar, points.
const BAR_PT: f32 = 28.0;

impl App {
    /// The program on a file, or on the sample that plays.
    #[must_use]
    pub fn new(services: Services, painter: Box<dyn ViewportPainter>, file: Option<PathBuf>) -> Self {
        let state = AppState::new(services);
        let dock = Dock::new(state.settings.layouts.clone());
        let mut app = Self {
            state,
            dock,
            painter,
            themed: None,
            title: String::new(),
            last_panel: None,
            went_with: None,
            frames: 0,
        };
        match file {
            Some(path) => app.state.commands.send(Command::Open(path)),
            None => {
                app.open_sample("walk");
                app.state.start = !app.state.settings.start_hidden;
            }
        }
        app
    }

    /// The open document's session: for tests.
    #[must_use]
    pub const fn session(&self) -> &crate::edit::Session {
        &self.state.session
    }

    /// What is shown: for tests.
    #[must_use]
    pub const fn view(&self) -> &crate::interact::view_state::ViewState {
        &self.state.view
    }

    /// What was reported: for tests.
    #[must_use]
    pub const fn notices(&self) -> &crate::ui::notices::Notices {
        &self.state.notices
    }

    /// What must go on even while the window is hidden: results of work, answers of dialogs, the time.
    pub fn logic(&mut self, ctx: &egui::Context) {
        self.say_started();
        if self.themed != Some(self.state.view.theme) {
            if self.themed.is_none() {
                ctx.options_mut(|options| {
                    options.zoom_with_keyboard = false;
                    // A slow hand, or a slow machine, still clicks.
                    options.input_options.max_click_duration = 2.0;
                });
            }
            theme::install(ctx, self.state.view.theme);
            self.themed = Some(self.state.view.theme);
        }
        for result in self.state.jobs.finished() {
            self.job_finished(result, ctx);
        }
        if let Some((request, answer)) = self.state.services.dialogs.answer() {
            match answer {
                DialogAnswer::Picked(path) => self.picked(request, path, ctx),
                DialogAnswer::PickedSeveral(paths) => self.read_clips(paths, ctx),
                DialogAnswer::Unavailable => self.ask_path(request),
                DialogAnswer::Dismissed => self.state.after_save = None,
            }
        }
        if std::mem::take(&mut self.state.starting) {
            self.look_for_lost_work(false, ctx);
        }
        self.drain(ctx);
        self.look_for_fonts(ctx);
        for notice in self.painter.faults().into_iter().chain(notify::take()) {
            self.state.tell(notice);
        }
        self.advance(ctx);
    }

    /// For measuring the start from outside: says when the first frame is on the screen, once, if asked to.
    fn say_started(&mut self) {
        if self.frames < 2 {
            self.frames += 1;
            if self.frames == 2 && std::env::var_os("INBETWEEN_STARTUP").is_some() {
                eprintln!("first frame shown {:.0} ms after start", self.state.services.clock.now() * 1e3);
            }
        }
    }

    fn advance(&mut self, ctx: &egui::Context) {
        let (playing, now) = (self.state.playing(), self.state.services.clock.now());
        if let Some(secs) = self.state.player.advance(&mut self.state.view, playing, now) {
            ctx.request_repaint_after(Duration::from_secs_f64(secs.max(0.001)));
        }
        if let (_, Some(end)) = self.state.notices.toasts(now) {
            ctx.request_repaint_after(Duration::from_secs_f64((end - now).max(0.01)));
        }
        if !self.state.jobs.running().is_empty() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }

    /// Shows the window's contents, then carries out what was asked for.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let ctx = ui.ctx().clone();
        self.shortcuts(&ctx);
        self.dropped(&ctx);
        self.close_requested(&ctx);
        if ctx.input(|input| input.events.contains(&egui::Event::WindowFocused(true))) {
            self.look_at_file();
        }
        let actions = self.layout(ui);
        for action in actions {
            match action {
                ShellAction::Workspace(workspace) => self.state.settings.workspace = workspace,
                ShellAction::CancelJob => self.state.jobs.running().iter().for_each(|job| job.progress.cancel()),
            }
            ctx.request_repaint();
        }
        if std::mem::take(&mut self.state.frame_all) {
            self.run_on(PanelId::Viewport, CommandId::FrameAll);
        }
        self.windows(&ctx);
        self.help_windows(&ctx);
        self.question(&ctx);
        self.recovery(&ctx);
        self.toasts(&ctx);
        self.state.text_had_focus = ctx.text_edit_focused();
        self.state.hinted = false;
        self.drain(&ctx);
        if !self.state.hinted {
            let (tool, _) = shell::tool_command(self.state.view.tool);
            self.hint(shell::hint_of(tool).into(), &ctx);
        }
        self.set_title(&ctx);
    }

    fn shortcuts(&mut self, ctx: &egui::Context) {
        self.take_pasted_pose(ctx);
        let state = &self.state;
        let situation = Situation {
            hovered: self.dock.hovered,
            text_focused: state.text_had_focus || ctx.text_edit_focused(),
            captured: self.dock.captures_keys(),
            blocked: state.question.is_some()
                || state.recovery.is_some()
                || state.palette.is_some()
                || state.sheet.is_some()
                || state.settings_window.as_ref().is_some_and(crate::ui::settings_window::SettingsWindow::takes_keys),
        };
        for id in input_map::take_shortcuts(ctx, &state.keymap, situation) {
            self.state.commands.run(id);
        }
    }

    fn layout(&mut self, ui: &mut egui::Ui) -> Vec<ShellAction> {
        self.state.backdrops = self.backdrops(&ui.ctx().clone());
        let (standing, frame) = (self.state.standing(), self.state.frame());
        self.go_with_character(&frame);
        let Self { state, dock, painter, .. } = self;
        let job_name = state.jobs.running().first().map(|job| t(job.kind.title()));
        let job =
            state.jobs.running().first().zip(job_name.as_deref()).map(|(job, name)| (name, job.progress.fraction()));
        let shell_state = ShellState {
            available: state.available(),
            workspace: state.settings.workspace,
            recent: &state.settings.recent,
            name: &state.file.name,
            has_file: state.file.path.is_some(),
            hint: &state.hint,
            job,
        };
        let mut ctx = context(state, (&standing, &frame), &mut **painter);
        let mut actions = Vec::new();
        let (ground, panel) = (ctx.colours.ground, ctx.colours.panel);
        let bar = |fill| Frame::new().fill(fill).inner_margin(Margin::symmetric(8, 0));
        Panel::top("menu bar").frame(bar(ground)).exact_size(BAR_PT).show_separator_line(false).show(ui, |ui| {
            actions.extend(shell::menu_bar(ui, &ctx, &shell_state));
        });
        Panel::bottom("status bar").frame(bar(ground)).exact_size(BAR_PT - 4.0).show_separator_line(false).show(
            ui,
            |ui| {
                actions.extend(shell::status_bar(ui, &ctx, &shell_state));
            },
        );
        if state.start {
            let row = Frame::new().fill(ground).inner_margin(Margin::symmetric(8, 2));
            Panel::top("start").frame(row).exact_size(start::HEIGHT_PT).show_separator_line(false).show(ui, |ui| {
                start::show(ui, &ctx, !state.settings.start_hidden);
            });
        }
        dock.hovered = None;
        let margin = Frame::new().fill(panel).inner_margin(Margin::symmetric(8, 4));
        let bars = timeline::extra_height(&ctx);
        let height = TIMELINE_PT + bars;
        Panel::bottom("timeline").frame(margin).exact_size(height).show_separator_line(false).show(ui, |ui| {
            dock.show_panel(PanelId::Timeline, ui, &mut ctx);
        });
        let tools = Frame::new().fill(panel).inner_margin(4);
        Panel::left("tools")
            .frame(tools)
            .exact_size(theme::TOOL_PT + 8.0)
            .resizable(false)
            .show_separator_line(false)
            .show(ui, |ui| shell::tool_column(ui, &ctx));
        egui::CentralPanel::default().frame(Frame::new().fill(ground)).show(ui, |ui| {
            dock.make_room(bars, ui.max_rect().height());
            dock.show(shell_state.workspace, ui, &mut ctx);
        });
        let moved = ui.input(|input| input.pointer.delta() != egui::Vec2::ZERO || input.pointer.any_pressed());
        self.dock.heed_keys(moved);
        self.last_panel = self.dock.hovered.or(self.last_panel);
        actions
    }

    /// Gives the keys to another panel, or shows another of those that share a place.
    pub(super) fn step_panel(&mut self, id: CommandId, ctx: &egui::Context) {
        let workspace = self.state.settings.workspace;
        let from = self.dock.hovered.or(self.last_panel);
        match id {
            CommandId::NextPanel => self.dock.step_panel(workspace, from, true),
            CommandId::PreviousPanel => self.dock.step_panel(workspace, from, false),
            CommandId::NextTab => self.dock.step_tab(workspace, from, true),
            _ => self.dock.step_tab(workspace, from, false),
        }
        ctx.request_repaint();
    }

    fn windows(&mut self, egui_ctx: &egui::Context) {
        let (standing, frame) = (self.state.standing(), self.state.frame());
        if let Some(mut palette) = self.state.palette.take() {
            let available = self.state.available();
            let answer = palette.show(
                egui_ctx,
                &context(&self.state, (&standing, &frame), &mut *self.painter),
                available,
                &self.state.settings.recent,
            );
            match answer {
                PaletteAnswer::Open => self.state.palette = Some(palette),
                PaletteAnswer::Closed => {}
                PaletteAnswer::Run(command) => self.state.commands.send(command),
            }
        }
        if let Some(mut window) = self.state.settings_window.take() {
            let (open, change) = window.show(egui_ctx, &context(&self.state, (&standing, &frame), &mut *self.painter));
            self.state.settings_window = open.then_some(window);
            if let Some(change) = change {
                self.change_shortcuts(change);
            }
        }
    }

    fn toasts(&mut self, ctx: &egui::Context) {
        let (toasts, _) = self.state.notices.toasts(self.state.services.clock.now());
        if let Some(index) = widgets::toast::show(ctx, &toasts, self.dock.view) {
            self.state.notices.close(index);
            ctx.request_repaint();
        }
    }

    /// Carries out what was asked for, and what that asks for in turn.
    pub(super) fn drain(&mut self, ctx: &egui::Context) {
        // A command may ask for others, a few deep; one that asks for itself for ever waits for the next frame.
        for _ in 0..8 {
            let commands = self.state.commands.take();
            if commands.is_empty() {
                return;
            }
            for command in commands {
                dispatch::dispatch(self, command, ctx);
            }
        }
    }

    /// Runs a command on the panel it belongs to: the one the pointer is or was last over, else the first that can.
    pub(super) fn run_on_panel(&mut self, id: CommandId) {
        let panels = id.spec().panels;
        let at = [self.dock.hovered, self.last_panel].into_iter().flatten().find(|panel| panels.contains(panel));
        if let Some(panel) = at.or_else(|| panels.first().copied()) {
            self.run_on(panel, id);
        }
    }

    /// Runs a command on a panel.
    pub(super) fn run_on(&mut self, panel: PanelId, id: CommandId) {
        let (standing, frame) = (self.state.standing(), self.state.frame());
        let mut ctx = context(&self.state, (&standing, &frame), &mut *self.painter);
        if let Some(panel) = self.dock.panel(panel) {
            panel.run(id, &mut ctx);
        }
    }

    fn look_for_fonts(&mut self, ctx: &egui::Context) {
        let document = self.state.session.document();
        let seen = self.state.names_seen.as_ref().is_some_and(|seen| std::sync::Arc::ptr_eq(seen, &document.objects));
        if seen || self.state.fonts_sought {
            return;
        }
        let objects = document.objects.values();
        let joints = objects.clone().filter_map(|object| object.as_rig()).flat_map(|rig| rig.skeleton.joints());
        let foreign = objects.map(|object| &object.name).chain(joints.map(|joint| &joint.name));
        let wanted = foreign.into_iter().any(|name| fonts::needs_system_fonts(name));
        self.state.names_seen = Some(document.objects.clone());
        if wanted {
            self.state.fonts_sought = true;
            self.state.jobs.start(JobKind::Fonts, ctx, |_| JobResult::Fonts(fonts::find()));
        }
    }

    fn dropped(&mut self, ctx: &egui::Context) {
        let files = ctx.input(|input| input.raw.dropped_files.clone());
        if !files.is_empty() {
            self.drop_files(files.iter().map(|file| file.path().to_owned()).collect(), ctx);
        }
    }

    fn close_requested(&mut self, ctx: &egui::Context) {
        if !ctx.input(|input| input.viewport().close_requested()) || self.state.closing {
            return;
        }
        if self.state.session.is_modified() || self.state.jobs.is_running(JobKind::Save) {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.guarded(Pending::Quit, ctx);
        }
    }

    /// Says what a click would do.
    pub(super) fn hint(&mut self, hint: std::borrow::Cow<'static, str>, ctx: &egui::Context) {
        self.state.hinted = true;
        if self.state.hint != hint {
            self.state.hint = hint;
            ctx.request_repaint();
        }
    }

    /// The workspace in front: for tests.
    #[must_use]
    pub const fn workspace(&self) -> crate::command::Workspace {
        self.state.settings.workspace
    }

    /// Whether a panel is seen: for tests.
    #[must_use]
    pub fn shows(&self, panel: PanelId) -> bool {
        self.dock.place(panel).is_some()
    }

    /// Whether the cards of samples are shown: for tests.
    #[must_use]
    pub const fn shows_start(&self) -> bool {
        self.state.start
    }

    /// The step of the tour, by its place from 0; none while it does not run: for tests.
    #[must_use]
    pub fn tour_step(&self) -> Option<usize> {
        self.state.tour.as_ref().map(crate::ui::tour::Tour::step)
    }

    fn set_title(&mut self, ctx: &egui::Context) {
        let mark = if self.state.session.is_modified() { "\u{2022} " } else { "" };
        let title = format!("{mark}{} \u{2014} Inbetween", self.state.file.name);
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

/// What the panels see.
pub(super) fn context<'a>(
    state: &'a AppState,
    (standing, frame): (&'a std::sync::Arc<crate::model::Document>, &'a std::sync::Arc<crate::eval::EvaluatedFrame>),
    painter: &'a mut dyn ViewportPainter,
) -> PanelContext<'a> {
    PanelContext {
        session: &state.session,
        document: state.session.document(),
        standing,
        frame,
        evaluator: &state.evaluator,
        selection: state.session.selection(),
        view: &state.view,
        colours: &state.colours,
        keymap: &state.keymap,
        commands: &state.commands,
        painter,
        backdrops: &state.backdrops,
        notices: &state.notices,
        playing: state.player.report(&state.view, state.session.document().settings.rate),
        text_had_focus: state.text_had_focus,
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        Self::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        let size = ui.ctx().content_rect().size();
        self.state.settings.window = Some([size.x, size.y]);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.state.settings.layouts = self.dock.layouts();
        self.state.save_settings();
        self.state.keeper.end();
        // What was drawn with the context must go before it does.
        self.painter = Box::new(super::NoPainter);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        self.state.colours.ground.to_normalized_gamma_f32()
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
