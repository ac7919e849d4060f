//! `inbetween check`: whether files can be opened, and what had to be mended in them.

use super::{Failure, args::Check, print};
use crate::io::{
    bvh::ImportOptions,
    open::{self, Opened},
    report::Report,
};
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode};

pub(super) fn run(args: &Check) -> Result<ExitCode, Failure> {
    let mut failed = false;
    let mut rows = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        if args.files.len() > 1 {
            print::progress(&format!("{} of {}: {}", index + 1, args.files.len(), path.display()));
        }
        let opened = open::open(path, ImportOptions::default());
        print::progress_done();
        failed |= !is_sound(&opened, args.strict);
        if args.json {
            rows.push(row(path, &opened));
        } else {
            tell(path, &opened);
        }
    }
    if args.json {
        print::json(&Value::Array(rows));
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn is_sound(opened: &Result<Opened, open::OpenError>, strict: bool) -> bool {
    opened.as_ref().is_ok_and(|opened| !(strict && opened.report.has_warnings()))
}

fn tell(path: &Path, opened: &Result<Opened, open::OpenError>) {
    match opened {
        Ok(opened) => {
            print::remarks(path, &opened.report);
            let mended = if opened.report.has_warnings() { "opens, after mending" } else { "sound" };
            print::line(&format!("{}: {mended}", path.display()));
        }
        Err(error) => print::error(&error.to_string()),
    }
}

fn row(path: &Path, opened: &Result<Opened, open::OpenError>) -> Value {
    let (opens, error, report) = match opened {
        Ok(opened) => (true, None, opened.report.clone()),
        Err(error) => (false, Some(error.to_string()), Report::new()),
    };
    json!({ "file": path.display().to_string(), "opens": opens, "error": error, "report": report })
}
