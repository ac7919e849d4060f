//! The program with services of its own making: dialogs that answer as told, a clock that stands, settings in memory, work
//! done at once.

use egui_kittest::Harness;
use inbetween::app::{
    App, NoPainter,
    files::{DialogAnswer, DialogRequest, FileDialogs},
    services::{Clock, JobRunner, Services, Storage},
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    path::PathBuf,
    rc::Rc,
};

/// What a test holds of the program's outside.
#[derive(Clone, Default)]
pub(crate) struct Outside {
    /// What the next dialog is answered with.
    pub(crate) answer: Rc<RefCell<Option<DialogAnswer>>>,
    /// What dialogs were asked, oldest first.
    pub(crate) asked: Rc<RefCell<Vec<DialogRequest>>>,
    /// The time, seconds.
    pub(crate) now: Rc<Cell<f64>>,
    /// Where journals are kept; nowhere unless a test says so.
    pub(crate) recovery: Rc<RefCell<Option<PathBuf>>>,
    /// What is kept between runs.
    pub(crate) kept: Rc<RefCell<BTreeMap<String, String>>>,
}

struct FakeDialogs {
    outside: Outside,
    open: Option<DialogRequest>,
}

impl FileDialogs for FakeDialogs {
    fn ask(&mut self, request: DialogRequest, wake: Box<dyn Fn() + Send>) {
        self.outside.asked.borrow_mut().push(request.clone());
        self.open = Some(request);
        wake();
    }

    fn answer(&mut self) -> Option<(DialogRequest, DialogAnswer)> {
        let request = self.open.take()?;
        Some((request, self.outside.answer.borrow_mut().take().unwrap_or(DialogAnswer::Dismissed)))
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

struct FakeClock(Rc<Cell<f64>>);

impl Clock for FakeClock {
    fn now(&self) -> f64 {
        self.0.get()
    }
}

struct FakeStorage(Rc<RefCell<BTreeMap<String, String>>>);

impl Storage for FakeStorage {
    fn load(&self, name: &str) -> Option<String> {
        self.0.borrow().get(name).cloned()
    }

    fn save(&mut self, name: &str, text: &str) -> Result<(), String> {
        self.0.borrow_mut().insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}

impl Outside {
    /// Services that lead here.
    pub(crate) fn services(&self) -> Services {
        Services {
            dialogs: Box::new(FakeDialogs { outside: self.clone(), open: None }),
            clock: Box::new(FakeClock(Rc::clone(&self.now))),
            storage: Box::new(FakeStorage(Rc::clone(&self.kept))),
            jobs: JobRunner::AtOnce,
            recovery: self.recovery.borrow().clone(),
            system_fonts: false,
        }
    }

    /// The program in a window of a size, without a renderer, on a file or the sample; the sample stands still.
    pub(crate) fn start(&self, file: Option<PathBuf>, size: [f32; 2]) -> Harness<'static, App> {
        let app = App::new(self.services(), Box::new(NoPainter), file);
        let builder = Harness::builder().with_size(size).with_max_steps(16);
        let mut harness = builder.build_ui_state(
            |ui, app: &mut App| {
                app.logic(ui.ctx());
                app.show(ui);
            },
            app,
        );
        harness.key_press(egui::Key::K);
        harness.run();
        harness
    }
}
