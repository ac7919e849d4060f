//! One panel on its own: a session, and commands carried out as the program carries them out.

use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Ui};
use inbetween::{
    command::{Command, CommandId, CommandQueue, Keymap, keymap::Overrides},
    edit::{EditError, Session},
    eval::Evaluator,
    interact::view_state::ViewState,
    model::Document,
    notice::Notice,
    render::scene::RenderScene,
    ui::{
        notices::Notices,
        panel::{Panel, PanelContext, PlayReport, ViewportPainter},
        theme::Colours,
    },
};
use std::sync::Arc;

struct NoPainter;

impl ViewportPainter for NoPainter {
    fn paint(&mut self, _painter: &egui::Painter, _rect: Rect, _scene: Arc<RenderScene>) {}

    fn request(&mut self, _: &egui::Painter, _: egui::Rect, _: u64, _: Arc<RenderScene>, _: [u32; 2]) {}

    fn draws(&self) -> bool {
        false
    }

    fn picture(&mut self, _: u64) -> Option<inbetween::render::Picture> {
        None
    }

    fn faults(&mut self) -> Vec<Notice> {
        Vec::new()
    }
}

/// A panel with what it works on.
pub(crate) struct Desk<P> {
    pub session: Session,
    pub view: ViewState,
    pub panel: P,
    pub notices: Vec<Notice>,
    pub errors: Vec<EditError>,
    pub hint: String,
    evaluator: Evaluator,
    keymap: Keymap,
    /// Commands to run after the next frame.
    pub wanted: Vec<CommandId>,
}

impl<P: Panel> Desk<P> {
    pub(crate) fn new(document: Document, panel: P) -> Self {
        let view = ViewState::default();
        Self {
            session: Session::new(document),
            keymap: Keymap::new(view.profile, &Overrides::default()),
            view,
            panel,
            notices: Vec::new(),
            errors: Vec::new(),
            hint: String::new(),
            evaluator: Evaluator::new(),
            wanted: Vec::new(),
        }
    }

    /// One frame: the panel, then everything it asked for.
    pub(crate) fn ui(&mut self, ui: &mut Ui) {
        let commands = CommandQueue::default();
        let wanted = std::mem::take(&mut self.wanted);
        self.with_context(&commands, |panel, ctx| {
            panel.ui(ui, ctx);
            for command in wanted {
                panel.run(command, ctx);
            }
        });
        let commands = commands.take();
        if commands.iter().any(|command| !matches!(command, Command::Hint(_))) {
            ui.ctx().request_repaint();
        }
        self.carry_out(commands);
    }

    fn with_context(&mut self, commands: &CommandQueue, run: impl FnOnce(&mut P, &mut PanelContext<'_>)) {
        let (notices, mut painter) = (Notices::default(), NoPainter);
        let document = Arc::clone(self.session.document());
        let frame = self.evaluator.frame(&document, self.view.secs);
        let mut ctx = PanelContext {
            session: &self.session,
            document: &document,
            standing: &document,
            frame: &frame,
            evaluator: &self.evaluator,
            selection: self.session.selection(),
            view: &self.view,
            colours: &Colours::of(self.view.theme),
            keymap: &self.keymap,
            commands,
            painter: &mut painter,
            backdrops: &[],
            notices: &notices,
            playing: PlayReport::default(),
            text_had_focus: false,
        };
        run(&mut self.panel, &mut ctx);
    }

    fn carry_out(&mut self, commands: Vec<Command>) {
        for command in commands {
            let result = match command {
                Command::Gesture(gesture) => self.session.gesture(gesture).map(|_| ()),
                Command::Apply(label, edit) => self.session.apply(label, &edit).map(|_| ()),
                Command::Select(selection) => {
                    self.session.select(selection);
                    Ok(())
                }
                Command::View(change) => {
                    self.view.apply(change);
                    Ok(())
                }
                Command::Tell(notice) => {
                    self.notices.push(notice);
                    Ok(())
                }
                Command::Hint(hint) => {
                    self.hint = hint.into_owned();
                    Ok(())
                }
                Command::Run(id) => {
                    self.wanted.push(id);
                    Ok(())
                }
                other => panic!("the desk does not know {other:?}"),
            };
            self.errors.extend(result.err());
        }
    }
}

/// The pointer goes to a place.
pub(crate) fn moved(pos: Pos2) -> Event {
    Event::PointerMoved(pos)
}

/// A button goes down or up.
pub(crate) fn button(pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers }
}
