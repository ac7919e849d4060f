//! Nothing finished is lost: a program killed at any moment leaves a whole old or whole new file, and a journal that
//! gives back what it had done.

use super::support::fakes::Outside;
use egui_kittest::kittest::Queryable as _;
use inbetween::{
    edit::{ClipEdit, Edit, Recorded, Recorder, Session},
    io::{
        file,
        journal::{self, About, Journal},
        ron,
    },
    model::{Clip, ClipId, Document, FrameRange},
};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc::channel,
    time::Duration,
};

/// How often a child is killed.
const KILLS: u64 = 300;
/// Tells a run of the test below that it is the child, and where to work.
const CHILD: &str = "INBETWEEN_JOURNAL_CHILD";

fn rename(step: u64) -> Edit {
    Edit::from(ClipEdit::Rename { clip: ClipId(1), name: step.to_string() })
}

fn step_of(document: &Document) -> u64 {
    document.clip(ClipId(1)).unwrap().name.parse().unwrap()
}

fn document(step: u64) -> Document {
    let mut document = Document::default();
    document.add_clip(Clip::new(&step.to_string(), FrameRange::new(0, 9)));
    // Large enough that writing it takes a while.
    for index in 0..200 {
        document.add_clip(Clip::new(&format!("filler {index}"), FrameRange::new(0, index)));
    }
    document
}

/// Edits, folds and saves as fast as it can, saying each step that is finished: `edited N` once it is in the journal,
/// `saved N` once the file is written. Runs until it is killed.
fn work_until_killed(folder: &Path) {
    let mut session = Session::new(document(0));
    let (sender, happened) = channel();
    session.record(Recorder::new(move |recorded: Recorded| drop(sender.send(recorded))));
    let mut journal = Journal::new(folder.join("recovery"), About::default(), true);
    let mut out = std::io::stdout();
    let mut say = |text: String| writeln!(out, "{text}").and_then(|()| out.flush()).unwrap();
    for step in 1.. {
        session.apply("test", &rename(step)).unwrap();
        if step % 7 == 0 {
            session.undo();
            session.redo();
        }
        journal.record(&happened.try_iter().collect::<Vec<_>>()).unwrap();
        say(format!("edited {step}"));
        if step % 5 == 0 {
            journal.autosave().unwrap();
        }
        if step % 3 == 0 {
            file::write(&folder.join("work.ron"), ron::save(session.document()).unwrap().as_bytes()).unwrap();
            say(format!("saved {step}"));
        }
    }
}

#[test]
fn a_kill_at_any_moment_leaves_whole_files_and_a_journal_that_replays() {
    if let Some(folder) = std::env::var_os(CHILD) {
        return work_until_killed(Path::new(&folder));
    }
    let mut worked = 0;
    for kill in 0..KILLS {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "journal::a_kill_at_any_moment_leaves_whole_files_and_a_journal_that_replays",
                "--nocapture",
            ])
            .env(CHILD, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut lines = Vec::new();
        // Spread over what a few dozen steps take: from the first finished step on, which a loaded machine takes long to come
        // to; every tenth from the very start.
        let mut line = String::new();
        while kill % 10 > 0 && !line.starts_with("edited ") {
            line.clear();
            if output.read_line(&mut line).unwrap() == 0 {
                break;
            }
        }
        lines.push(line);
        std::thread::sleep(Duration::from_micros(kill * 7_919 % 60_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let said = |verb: &str, lines: &[String]| {
            lines.iter().rev().find_map(|line| line.strip_prefix(verb)?.trim().parse::<u64>().ok()).unwrap_or(0)
        };
        lines.extend(output.lines().map_while(Result::ok));
        let (edited, saved) = (said("edited", &lines), said("saved", &lines));

        let work = folder.path().join("work.ron");
        match file::read(&work) {
            Ok(bytes) => {
                let step = step_of(&ron::load(std::str::from_utf8(&bytes).unwrap()).unwrap());
                assert!(step >= saved && step <= edited + 3, "{step} on disk, {saved} said to be saved");
            }
            Err(_) => assert_eq!(saved, 0),
        }
        let found = journal::list(&folder.path().join("recovery"));
        match found.first() {
            Some(found) => {
                let recovered = journal::recover(found).unwrap();
                let step = step_of(&recovered.document);
                assert!(step == edited || step == edited + 1, "{step} recovered, {edited} said to be finished");
                worked += u64::from(edited > 0);
            }
            None => assert_eq!(edited, 0, "finished work without a journal"),
        }
    }
    assert!(worked > KILLS / 4, "only {worked} of {KILLS} children got to work before they were killed");
}

#[test]
fn unsaved_work_is_offered_once_and_comes_back_with_its_name() {
    let root = tempfile::tempdir().unwrap();
    let outside = Outside::default();
    *outside.recovery.borrow_mut() = Some(root.path().to_owned());
    let mut session = Session::new(document(0));
    let (sender, happened) = channel();
    session.record(Recorder::new(move |recorded: Recorded| drop(sender.send(recorded))));
    let about = || About { name: "walk.ron".to_owned(), path: None, offered: false };
    for _ in 0..2 {
        let mut journal = Journal::new(root.path().to_owned(), about(), true);
        session.apply("test", &rename(session.history().len() as u64)).unwrap();
        journal.record(&happened.try_iter().collect::<Vec<_>>()).unwrap();
    }
    let mut harness = outside.start(None, [1280.0, 800.0]);
    harness.get_by_label("Recover unsaved work?");
    let recover = harness.get_all_by_label("Recover").next().unwrap();
    recover.click();
    harness.run();
    assert!(harness.query_by_label("Recover unsaved work?").is_none());
    let app = harness.state();
    assert_eq!(step_of(app.session().document()), 2, "the newest comes first");
    assert!(app.session().is_modified());
    drop(harness);
    // The one that was not chosen is kept, but not offered again by itself.
    let harness = outside.start(None, [1280.0, 800.0]);
    assert_eq!(harness.query_all_by_label("Recover").count(), 1, "what was recovered and not saved since");
}
