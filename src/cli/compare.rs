//! `inbetween compare`: how far apart two motions are.

use super::{Failure, args::Compare, choose, choose::NoChoice, print};
use crate::{
    eval::compare::{Comparison, Motion, compare},
    io::{bvh::ImportOptions, open},
    model::Document,
    progress::Progress,
};
use serde_json::json;
use std::{path::Path, process::ExitCode};

/// Why two motions could not be compared.
#[derive(Debug, thiserror::Error)]
#[error("no joint has the same name in {0} and {1}: nothing to compare; rename the joints of one")]
struct NothingShared(String, String);

pub(super) fn run(args: &Compare) -> Result<ExitCode, Failure> {
    let options = ImportOptions { unit: args.unit, ..ImportOptions::default() };
    let (a, b) = (open::open(&args.a, options)?, open::open(&args.b, options)?);
    let rig = |document: &Document, path: &Path| {
        choose::rig(document, args.object.as_deref()).map_err(NoChoice::within(path))
    };
    let first = Motion { document: &a.document, object: rig(&a.document, &args.a)? };
    let second = Motion { document: &b.document, object: rig(&b.document, &args.b)? };
    let found = compare(first, second, &Progress::new())?;
    if found.joints.is_empty() {
        return Err(NothingShared(args.a.display().to_string(), args.b.display().to_string()).into());
    }
    if args.json {
        print::json(&json!({
            "a": args.a.display().to_string(),
            "b": args.b.display().to_string(),
            "comparison": found,
            "a_report": a.report,
            "b_report": b.report,
        }));
    } else {
        tell(&found);
        print::remarks(&args.a, &a.report);
        print::remarks(&args.b, &b.report);
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(found: &Comparison) {
    let width = found.joints.iter().map(|row| row.joint.chars().count()).max().unwrap_or(0).max("joint".len());
    print::line(&format!("frames {} to {}, distances in mm", found.frames.0, found.frames.1));
    print::line(&format!("{:width$} {:>12} {:>12} {:>12}", "joint", "mean", "maximum", "worst frame"));
    for row in &found.joints {
        print::line(&format!(
            "{:width$} {:>12.3} {:>12.3} {:>12}",
            row.joint,
            row.mean_m * 1e3,
            row.max_m * 1e3,
            row.worst_frame
        ));
    }
    for (names, file) in [(&found.only_a, "first"), (&found.only_b, "second")] {
        if !names.is_empty() {
            print::line(&format!("only in the {file}: {}", names.join(", ")));
        }
    }
}
