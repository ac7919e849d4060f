//! OpenGL for tests, without a display.

use inbetween::render::headless::Headless;

/// A context, or none with a visible message where this machine has none. In continuous integration (`CI` is set)
/// a missing context fails the test: skipped pixels there would prove nothing.
pub(crate) fn open_or_skip(test: &str) -> Option<Headless> {
    match Headless::open() {
        Ok(headless) => Some(headless),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{test}: no OpenGL in continuous integration: {error}");
            eprintln!("SKIPPED {test}: {error}");
            None
        }
    }
}
