//! The thread that keeps the journal of the open document.

use crate::{
    edit::{Recorded, Recorder},
    io::journal::{self, About, Found, Journal, JournalError},
    model::Document,
    text::fill,
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, Once, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// How long changes wait at most to be folded into a whole document.
const AUTOSAVE: Duration = Duration::from_secs(120);
/// How long a panicking program waits for the journal to be on disk.
const PATIENCE: Duration = Duration::from_secs(2);

/// The thread's name.
const THREAD: &str = "journal";

enum Message {
    /// Another document is open, as its file holds it.
    Opened(About),
    Happened(Recorded),
    Saved(String, PathBuf, Arc<Document>),
    /// The open document was recovered from there.
    Recovered(Arc<Document>, Found),
    /// Answer once all before is on disk.
    Flush(Sender<()>),
    /// The program ends, the document saved or given up.
    End,
}

/// The way to the thread. Without a recovery folder there is none, and nothing is kept.
pub(in crate::app) struct Keeper {
    thread: Option<(Sender<Message>, JoinHandle<()>)>,
}

impl Keeper {
    /// A keeper of journals under this folder.
    pub(in crate::app) fn new(root: Option<PathBuf>) -> Self {
        let Some(root) = root else { return Self { thread: None } };
        let (sender, receiver) = channel();
        let run = move || Keeping { root, journal: None, changed: None, told: false }.run(&receiver);
        let thread = match std::thread::Builder::new().name(THREAD.to_owned()).spawn(run) {
            Ok(thread) => Some((sender, thread)),
            Err(error) => {
                log::warn!("{}", fill("recovery.not_kept", &[("error", &error)]));
                None
            }
        };
        if let Some((sender, _)) = &thread {
            flush_on_panic(sender.clone());
        }
        Self { thread }
    }

    fn send(&self, message: Message) {
        if let Some((sender, _)) = &self.thread {
            // A thread that is gone has said so itself.
            drop(sender.send(message));
        }
    }

    /// Another document is open: the former one's journal ends. What happens to the new one is to be told to the recorder.
    pub(in crate::app) fn opened(&self, name: &str, path: Option<&Path>) -> Option<Recorder> {
        let about = About { name: name.to_owned(), path: path.map(Path::to_owned), offered: false };
        self.send(Message::Opened(about));
        let (sender, _) = self.thread.as_ref()?;
        let sender = sender.clone();
        Some(Recorder::new(move |recorded| drop(sender.send(Message::Happened(recorded)))))
    }

    /// The document, as it was then, was saved there.
    pub(in crate::app) fn saved(&self, name: &str, path: &Path, document: &Arc<Document>) {
        self.send(Message::Saved(name.to_owned(), path.to_owned(), document.clone()));
    }

    /// The open document was recovered: its own journal begins with it, then the one it came from goes.
    pub(in crate::app) fn recovered(&self, document: Arc<Document>, from: Found) {
        self.send(Message::Recovered(document, from));
    }

    /// The program ends and nothing is to be recovered.
    pub(in crate::app) fn end(&self) {
        self.send(Message::End);
    }
}

impl Drop for Keeper {
    /// Waits until all that was sent is on the disk. Without [`Keeper::end`] the journal stays.
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.thread.take() {
            *lock(&OPEN) = None;
            drop(sender);
            // Where it panicked, the panic was reported.
            drop(thread.join());
        }
    }
}

/// The way to the journal for a panicking program.
static OPEN: Mutex<Option<Sender<Message>>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Before the program falls, what was finished reaches the disk.
fn flush_on_panic(sender: Sender<Message>) {
    static HOOK: Once = Once::new();
    *lock(&OPEN) = Some(sender);
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let open = if std::thread::current().name() == Some(THREAD) { None } else { lock(&OPEN).clone() };
            let (done, wait) = channel();
            // Whether it came in time makes no difference to what can still be done.
            if open.is_some_and(|open| open.send(Message::Flush(done)).is_ok()) && wait.recv_timeout(PATIENCE).is_err()
            {
                log::error!("the journal may lack the last step");
            }
            before(info);
        }));
    });
}

struct Keeping {
    root: PathBuf,
    journal: Option<Journal>,
    /// Since when there are changes that no whole document holds.
    changed: Option<Instant>,
    /// Whether it was said that the journal cannot be kept.
    told: bool,
}

impl Keeping {
    fn run(mut self, messages: &Receiver<Message>) {
        loop {
            let first = match messages.recv_timeout(AUTOSAVE) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                // The program is gone without an end: the journal stays.
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut happened = Vec::new();
            for message in first.into_iter().chain(messages.try_iter()) {
                if let Message::Happened(recorded) = message {
                    happened.push(recorded);
                    continue;
                }
                self.record(&mut happened);
                match message {
                    Message::Flush(done) => drop(done.send(())),
                    Message::End => return self.end(),
                    other => self.take(other),
                }
            }
            self.record(&mut happened);
            if self.changed.is_some_and(|since| since.elapsed() >= AUTOSAVE) {
                self.changed = None;
                let done = self.journal.as_mut().map_or(Ok(()), Journal::autosave);
                self.told(done);
            }
        }
    }

    fn record(&mut self, happened: &mut Vec<Recorded>) {
        if happened.is_empty() {
            return;
        }
        self.changed.get_or_insert_with(Instant::now);
        let done = self.journal.as_mut().map_or(Ok(()), |journal| journal.record(happened));
        happened.clear();
        self.told(done);
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Opened(about) => {
                self.end();
                self.journal = Some(Journal::new(self.root.clone(), about, true));
            }
            Message::Saved(name, path, document) => {
                let done = self.journal.as_mut().map_or(Ok(()), |journal| journal.saved(&name, &path, &document));
                self.told(done);
            }
            Message::Recovered(document, from) => {
                let Some(journal) = &mut self.journal else { return };
                match journal.keep(&document) {
                    Ok(()) => journal::discard(from),
                    failed => self.told(failed),
                }
            }
            Message::Happened(_) | Message::Flush(_) | Message::End => {}
        }
    }

    fn end(&mut self) {
        self.changed = None;
        if let Some(journal) = self.journal.take() {
            journal.end();
        }
    }

    /// A journal that cannot be kept is told once, until it can again.
    fn told(&mut self, done: Result<(), JournalError>) {
        match done {
            Ok(()) => self.told = false,
            Err(error) if !self.told => {
                self.told = true;
                log::warn!("{}", fill("recovery.not_kept", &[("error", &error)]));
            }
            Err(_) => {}
        }
    }
}
