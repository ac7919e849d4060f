//! Finding and reading the golden files, running a topic, and the check that table and folder agree.

use super::{Runner, case::Case};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Values of one topic, from one file.
struct TopicFile {
    file: PathBuf,
    topic: String,
    cases: Vec<Value>,
}

fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folder in use, and whether it is our own (which must be complete).
fn folder() -> (PathBuf, bool) {
    let own = default_folder();
    match std::env::var_os("INBETWEEN_GOLDEN") {
        Some(named) if !named.is_empty() => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(named);
            let same = matches!((path.canonicalize(), own.canonicalize()), (Ok(a), Ok(b)) if a == b);
            (path, same)
        }
        _ => (own, true),
    }
}

/// Every golden file, read once. A file that does not have the schema is an error with its name.
fn files() -> &'static Result<Vec<TopicFile>, String> {
    static FILES: OnceLock<Result<Vec<TopicFile>, String>> = OnceLock::new();
    FILES.get_or_init(|| {
        let (path, _) = folder();
        let entries = std::fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "json"));
        paths.sort();
        paths.into_iter().map(read).collect()
    })
}

fn read(file: PathBuf) -> Result<TopicFile, String> {
    let fault = |what: String| format!("{}: {what}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|e| fault(e.to_string()))?;
    let json: Value = serde_json::from_str(&text).map_err(|e| fault(e.to_string()))?;
    let topic = json["topic"].as_str().ok_or_else(|| fault("no topic".into()))?.to_owned();
    let cases = json["cases"].as_array().ok_or_else(|| fault("no cases".into()))?;
    Ok(TopicFile { topic, cases: cases.clone(), file })
}

/// A line on the terminal even where the test passes: the harness captures only what goes through the print macros.
fn tell(line: &str) {
    writeln!(std::io::stderr(), "{line}").ok();
}

/// Runs all cases of a topic and fails with the list of all that is wrong.
pub(super) fn run_topic(topic: &str, runner: Runner) {
    let files = files().as_ref().unwrap_or_else(|e| panic!("{e}"));
    let mut failures = Vec::new();
    let mut count = 0;
    for file in files.iter().filter(|f| f.topic == topic) {
        count += file.cases.len();
        failures.extend(file.cases.iter().flat_map(|json| run_case(json, runner)));
    }
    if count == 0 {
        assert!(!folder().1, "golden {topic}: no case in tests/golden");
        tell(&format!("golden {topic}: no case in {}", folder().0.display()));
        return;
    }
    tell(&format!("golden {topic}: {count} cases, {} failures", failures.len()));
    assert!(failures.is_empty(), "golden {topic}: {} failures\n{}", failures.len(), failures.join("\n"));
}

/// Runs one case and returns all that is wrong with it.
fn run_case(json: &Value, runner: Runner) -> Vec<String> {
    let case = match Case::from_json(json) {
        Ok(case) => case,
        Err(fault) => return vec![fault],
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| runner(&case)));
    let ran_to_its_end = matches!(outcome, Ok(Ok(())));
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(fault)) => case.fail(fault),
        Err(_) => case.fail("the code under test panicked (its message is above)".into()),
    }
    case.finish(ran_to_its_end)
}

/// Our own folder holds exactly the topics with runners, each with a case; of another, the differences are printed.
pub(super) fn check_table(topics: &[(&str, Runner)]) {
    let files = files().as_ref().unwrap_or_else(|e| panic!("{e}"));
    let (path, own) = folder();
    let mut cases: BTreeMap<&str, usize> = topics.iter().map(|(topic, _)| (*topic, 0)).collect();
    assert_eq!(cases.len(), topics.len(), "a topic stands twice in the table");
    let mut differences = Vec::new();
    for file in files {
        match cases.get_mut(file.topic.as_str()) {
            Some(count) => *count += file.cases.len(),
            None => differences.push(format!("golden {}: no runner ({})", file.topic, file.file.display())),
        }
    }
    for (topic, count) in &cases {
        // Of another folder, the topic's own test says so.
        if own && *count == 0 {
            differences.push(format!("golden {topic}: a runner but no case in {}", path.display()));
        }
    }
    for line in &differences {
        tell(line);
    }
    assert!(!own || differences.is_empty(), "{}", differences.join("\n"));
}
