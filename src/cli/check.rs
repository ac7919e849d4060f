//! `inbetween check`: what is wrong with files, all of it, and a mended copy where it can be mended.

use super::{Failure, args::Check, print};
use crate::io::{
    check::{Checked, Finding, check},
    file,
    open::FileKind,
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Why a repair was refused before it began.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("one file is repaired at a time; name one, not {0}")]
    OneFile(usize),
    #[error("a repair never writes over what it repairs; choose another name than {}", .0.display())]
    Itself(PathBuf),
    #[error("the mended file is {wanted} as the one it comes from; end its name in .{wanted}: {}", path.display())]
    Kind { wanted: &'static str, path: PathBuf },
}

pub(super) fn run(args: &Check) -> Result<ExitCode, Failure> {
    if let Some(output) = &args.output {
        let [input] = args.files.as_slice() else { return Err(Refused::OneFile(args.files.len()).into()) };
        return repair(args, input, output);
    }
    let mut failed = false;
    let mut rows = Vec::new();
    for (index, path) in args.files.iter().enumerate() {
        if args.files.len() > 1 {
            print::progress(&format!("{} of {}: {}", index + 1, args.files.len(), path.display()));
        }
        let checked = check(path);
        print::progress_done();
        let sound = |checked: &Checked| if args.strict { checked.is_sound() } else { checked.opens() };
        failed |= !checked.as_ref().is_ok_and(sound);
        match checked {
            Ok(checked) if args.json => rows.push(row(path, &checked)),
            Ok(checked) => tell(path, &checked),
            Err(error) if args.json => rows.push(json!({
                "file": path.display().to_string(), "opens": false, "error": error.to_string(), "problems": [],
            })),
            Err(error) => print::error(&error.to_string()),
        }
    }
    if args.json {
        print::json(&Value::Array(rows));
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn repair(args: &Check, input: &Path, output: &Path) -> Result<ExitCode, Failure> {
    if is_same_file(input, output) {
        return Err(Refused::Itself(output.to_owned()).into());
    }
    print::progress(&format!("Looking at {}", input.display()));
    let checked = check(input)?;
    print::progress_done();
    if let Some(kind) = checked.kind.filter(|kind| FileKind::of_name(output) != Some(*kind)) {
        let (_, wanted) = FileKind::EXTENSIONS.into_iter().find(|(own, _)| *own == kind).unwrap_or((kind, ""));
        return Err(Refused::Kind { wanted, path: output.to_owned() }.into());
    }
    if let Some(bytes) = &checked.mended {
        file::write(output, bytes)?;
    }
    let written = checked.mended.as_ref().map(|_| output.display().to_string());
    if args.json {
        let mut row = row(input, &checked);
        row["written"] = json!(written);
        print::json(&row);
    } else {
        tell(input, &checked);
        match &written {
            Some(output) => {
                let count = |is: fn(&&Finding) -> bool| checked.findings.iter().filter(is).count();
                let (mends, losing) = (count(|finding| finding.mend.is_some()), count(|finding| finding.lost));
                let loss = match (checked.loses, losing) {
                    (true, 1) => ", 1 of them with a loss".to_owned(),
                    (true, losing) => format!(", {losing} of them with losses"),
                    (false, _) => ", nothing lost".to_owned(),
                };
                print::line(&format!("{output}: written, {mends} mended{loss}"));
            }
            None => print::error(&format!("{}: not all of it can be mended; nothing was written", input.display())),
        }
    }
    Ok(match written {
        None => ExitCode::FAILURE,
        Some(_) if checked.loses => ExitCode::from(LOSSES),
        Some(_) => ExitCode::SUCCESS,
    })
}

/// The exit status of a repair that wrote a file in which something of the old one is not.
const LOSSES: u8 = 3;

/// Whether two paths are one file, by whatever links.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
            return (a.dev(), a.ino()) == (b.dev(), b.ino());
        }
    }
    let canonical = |path: &Path| path.canonicalize().ok();
    a == b || (canonical(a).is_some() && canonical(a) == canonical(b))
}

fn tell(path: &Path, checked: &Checked) {
    for finding in &checked.findings {
        let mended = finding.mend.as_ref().filter(|mend| **mend != finding.remedy);
        let verb = if finding.lost { "--repair, with a loss" } else { "--repair" };
        let repair = mended.map_or_else(String::new, |mend| format!(" ({verb}: {mend})"));
        print::remark(path, &format!("{finding}{repair}"));
    }
    if checked.unlisted > 0 {
        print::remark(path, &format!("and {} more", checked.unlisted));
    }
    let state = match (checked.opens(), checked.is_sound(), &checked.mended) {
        (true, true, _) => "sound",
        (true, false, _) => "opens, after mending",
        (false, _, Some(_)) if checked.loses => "damaged; --repair -o NEW mends it, but for what is lost",
        (false, _, Some(_)) => "damaged; --repair -o NEW mends it without a loss",
        (false, _, None) => "damaged beyond repair",
    };
    print::line(&format!("{}: {state}", path.display()));
}

fn row(path: &Path, checked: &Checked) -> Value {
    let first = checked.findings.iter().find(|finding| finding.level == crate::notice::Level::Error);
    json!({
        "file": path.display().to_string(),
        "opens": checked.opens(),
        "sound": checked.is_sound(),
        "repairable": checked.mended.is_some(),
        "loses": checked.loses,
        "error": first.map(Finding::to_string),
        "problems": checked.findings,
        "unlisted": checked.unlisted,
    })
}
