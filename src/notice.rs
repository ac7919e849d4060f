//! What a user may be told: one word shared by every layer that reports something.

use std::fmt;

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Rare and interesting; nothing is amiss.
    Info,
    /// Done, but not exactly as asked.
    Warn,
    /// Data or an operation was lost.
    Error,
}

impl Level {
    /// The level as one lower-case word, as logs and `--json` show it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One thing to tell the user: a toast for a few seconds, then a line in the log.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// One sentence: what happened, and what to do about it.
    pub text: String,
    /// Further lines for whoever wants to know more; empty where there is nothing to add.
    pub details: String,
}

impl Notice {
    /// A notice without details.
    #[must_use]
    pub fn new(level: Level, text: impl Into<String>) -> Self {
        Self { level, text: text.into(), details: String::new() }
    }

    /// An [`Level::Info`] notice.
    #[must_use]
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(Level::Info, text)
    }

    /// A [`Level::Warn`] notice.
    #[must_use]
    pub fn warn(text: impl Into<String>) -> Self {
        Self::new(Level::Warn, text)
    }

    /// A [`Level::Error`] notice.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(Level::Error, text)
    }

    /// The same notice with details.
    #[must_use]
    pub fn with_details(self, details: impl Into<String>) -> Self {
        Self { details: details.into(), ..self }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.level, self.text)
    }
}
