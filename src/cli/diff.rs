//! `inbetween diff`: what changed between two documents. Exit status as of the tool `diff`: 0 equal, 1 different,
//! 2 trouble.

use super::{Failure, args::Diff, print};
use crate::{
    io::{bvh::ImportOptions, open},
    model::diff::{Difference, differences},
};
use serde_json::json;
use std::process::ExitCode;

/// What `diff` answers when it cannot tell.
const TROUBLE: u8 = 2;

pub(super) fn run(args: &Diff) -> ExitCode {
    match compare(args) {
        Ok(found) if found.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            print::error(&error.to_string());
            ExitCode::from(TROUBLE)
        }
    }
}

fn compare(args: &Diff) -> Result<Vec<Difference>, Failure> {
    let a = open::open(&args.a, ImportOptions::default())?;
    let b = open::open(&args.b, ImportOptions::default())?;
    let found = differences(&a.document, &b.document);
    if args.json {
        print::json(&json!({
            "a": args.a.display().to_string(),
            "b": args.b.display().to_string(),
            "differences": found,
        }));
    } else {
        for Difference { place, what } in &found {
            print::line(&format!("{place}: {what}"));
        }
    }
    Ok(found)
}
