//! The program without a window: `inbetween blend | convert | info | check | compare | diff | render | retarget |
//! plot`. One file a command.
//!
//! What was asked for goes to standard output, remarks and errors to standard error. Exit status: 0 done, 1 it could not
//! be done, 2 the command line was wrong; `diff` has its own, those of the tool of that name.

pub mod args;
mod blend;
mod check;
mod choose;
mod compare;
mod convert;
mod diff;
pub(crate) mod film;
mod info;
mod plot;
mod positions;
mod print;
mod render;
mod retarget;

use args::Command;
use std::process::ExitCode;

/// Runs a command.
#[must_use]
pub fn run(command: &Command) -> ExitCode {
    let done = match command {
        Command::Blend(args) => blend::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Info(args) => info::run(args),
        Command::Check(args) => check::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Render(args) => render::run(args),
        Command::Retarget(args) => retarget::run(args),
        Command::Diff(args) => return diff::run(args),
        Command::Plot(args) => plot::run(args),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            print::error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Why a command failed: a sentence that names the file, the place and the remedy.
type Failure = Box<dyn std::error::Error>;
