//! Documents as RON: a one-line header, then the body.
//!
//! The header is a value of its own, so that it is read without the rest. The body is laid out so that one changed key,
//! sample row, joint property or channel is one changed line: ordered maps, floats in their shortest exact form, and
//! everything below [`save::LINE_DEPTH`] on one line. There is no date, path or program version in a file.

pub mod eases;
mod error;
pub mod header;
pub mod load;
pub mod save;

pub use error::LoadError;
pub use header::{Header, VERSION};
pub use load::{load, load_mending};
pub use save::{SaveError, save};
