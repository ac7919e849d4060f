//! What the program gets from the outside: dialogs, the clock, where settings lie, threads. Tests put in their own.

use super::files::{FileDialogs, NativeDialogs};
use std::{fs, path::PathBuf, time::Instant};

/// Everything from the outside.
pub struct Services {
    /// Asks for files.
    pub dialogs: Box<dyn FileDialogs>,
    /// Tells the time.
    pub clock: Box<dyn Clock>,
    /// Keeps the settings.
    pub storage: Box<dyn Storage>,
    /// Where long work runs.
    pub jobs: JobRunner,
    /// Where journals of open documents are kept; none keeps no journal.
    pub recovery: Option<PathBuf>,
    /// Whether names in any script are looked up among the system's fonts.
    pub system_fonts: bool,
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

impl Services {
    /// The real ones.
    #[must_use]
    pub fn real() -> Self {
        Self {
            dialogs: Box::new(NativeDialogs::default()),
            clock: Box::new(RealClock(Instant::now())),
            storage: Box::new(SettingsFolder::new()),
            jobs: JobRunner::Threads,
            recovery: super::recovery::folder(),
            system_fonts: true,
        }
    }
}

/// Where long work runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobRunner {
    /// On a thread of its own.
    Threads,
    /// At once: for tests.
    AtOnce,
}

/// A clock.
pub trait Clock {
    /// Seconds since the program started; never goes back.
    fn now(&self) -> f64;
}

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Keeps texts by name between runs.
pub trait Storage {
    /// The text kept under a name.
    fn load(&self, name: &str) -> Option<String>;

    /// Keeps a text.
    ///
    /// # Errors
    /// Why it could not be kept.
    fn save(&mut self, name: &str, text: &str) -> Result<(), String>;
}

/// Files in the user's settings folder.
struct SettingsFolder(Option<PathBuf>);

impl SettingsFolder {
    fn new() -> Self {
        Self(directories::ProjectDirs::from("", "", "Inbetween").map(|folders| folders.config_dir().to_owned()))
    }
}

impl Storage for SettingsFolder {
    fn load(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.as_ref()?.join(name)).ok()
    }

    fn save(&mut self, name: &str, text: &str) -> Result<(), String> {
        let Some(folder) = &self.0 else { return Ok(()) };
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        crate::io::file::write(&folder.join(name), text.as_bytes()).map_err(|error| error.to_string())
    }
}
