//! What this crate logs, from whatever thread, becomes a notice: workers need no other way to speak up.

use crate::notice::{Level, Notice};
use std::sync::{
    Mutex, PoisonError,
    mpsc::{Receiver, SyncSender, sync_channel},
};

/// How many messages wait at most; further ones are dropped rather than holding up a worker.
const WAITING: usize = 256;

struct Bridge(SyncSender<Notice>);

impl log::Log for Bridge {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // What libraries have to say concerns developers; theirs go to the terminal of a debug build.
        let own = metadata.target().starts_with(env!("CARGO_CRATE_NAME"));
        own && metadata.level() <= log::Level::Info
    }

    fn log(&self, record: &log::Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let level = match record.level() {
            log::Level::Error => Level::Error,
            log::Level::Warn => Level::Warn,
            log::Level::Info | log::Level::Debug | log::Level::Trace => Level::Info,
        };
        let notice = Notice::new(level, record.args().to_string());
        // A full channel means that hundreds wait already.
        drop(self.0.try_send(notice));
    }

    fn flush(&self) {}
}

static MESSAGES: Mutex<Option<Receiver<Notice>>> = Mutex::new(None);

/// Takes over what is logged from now on. A logger that is set already stays.
pub(super) fn install() {
    let (sender, receiver) = sync_channel(WAITING);
    if log::set_boxed_logger(Box::new(Bridge(sender))).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
        *MESSAGES.lock().unwrap_or_else(PoisonError::into_inner) = Some(receiver);
    }
}

/// What was logged since the last call.
pub(super) fn take() -> Vec<Notice> {
    let messages = MESSAGES.lock().unwrap_or_else(PoisonError::into_inner);
    messages.as_ref().map(|receiver| receiver.try_iter().collect()).unwrap_or_default()
}
