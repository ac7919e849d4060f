//! The program: parses arguments, then runs a headless command or the window.

use clap::Parser as _;
use inbetween::{
    app,
    cli::{self, args::Args},
};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    match &args.command {
        Some(command) => cli::run(command),
        None => match app::run(args.file) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("inbetween: no window can be opened: {error}");
                ExitCode::FAILURE
            }
        },
    }
}
