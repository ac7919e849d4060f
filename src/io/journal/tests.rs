use super::*;
use crate::{
    edit::{ClipEdit, Edit, MergeKey, Recorded, Recorder, Session},
    model::{Clip, ClipId, Document, FrameRange},
};
use std::sync::{
    Arc,
    mpsc::{Receiver, channel},
};

fn session() -> (Session, Receiver<Recorded>) {
    let mut document = Document::default();
    document.add_clip(Clip::new("Walk", FrameRange::new(0, 9)));
    let mut session = Session::new(document);
    let (sender, receiver) = channel();
    session.record(Recorder::new(move |recorded| drop(sender.send(recorded))));
    (session, receiver)
}

fn rename(name: &str) -> Edit {
    Edit::from(ClipEdit::Rename { clip: ClipId(1), name: name.to_owned() })
}

fn name(document: &Document) -> &str {
    &document.clip(ClipId(1)).unwrap().name
}

fn journal(root: &Path, saved: bool) -> Journal {
    Journal::new(root.to_owned(), About { name: "walk".to_owned(), ..About::default() }, saved)
}

/// As if the program were killed: its lock goes, its files stay.
fn killed(journal: Journal) {
    drop(journal);
}

fn flush(journal: &mut Journal, happened: &Receiver<Recorded>) {
    journal.record(&happened.try_iter().collect::<Vec<_>>()).unwrap();
}

fn only(root: &Path) -> Recovered {
    let mut found = list(root);
    assert_eq!(found.len(), 1);
    recover(&found.remove(0)).unwrap()
}

#[test]
fn what_was_finished_comes_back_after_a_kill() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), true);
    flush(&mut journal, &happened);
    assert!(list(root.path()).is_empty(), "nothing is written before the first change");
    for step in ["a", "b", "c"] {
        session.apply("test", &rename(step)).unwrap();
    }
    session.undo();
    session.undo();
    flush(&mut journal, &happened);
    assert!(list(root.path()).is_empty(), "a program that lives keeps its own");
    session.redo();
    session.apply_merging("test", MergeKey("m".to_owned()), &rename("d")).unwrap();
    session.apply_merging("test", MergeKey("m".to_owned()), &rename("e")).unwrap();
    flush(&mut journal, &happened);
    killed(journal);
    let found = only(root.path());
    assert_eq!(*found.document, **session.document());
    assert_eq!((name(&found.document), found.saved, found.steps), ("e", false, 5));
}

#[test]
fn a_jump_to_the_saved_state_leaves_nothing_to_recover() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), true);
    session.apply("test", &rename("a")).unwrap();
    session.undo();
    flush(&mut journal, &happened);
    killed(journal);
    assert!(only(root.path()).saved);
}

#[test]
fn saving_is_remembered_also_when_edits_went_on_meanwhile() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), false);
    session.apply("test", &rename("a")).unwrap();
    let written = session.document().clone();
    session.apply("test", &rename("b")).unwrap();
    flush(&mut journal, &happened);
    journal.saved("walk.ron", Path::new("/somewhere/walk.ron"), &written).unwrap();
    killed(journal);
    let mut found = list(root.path());
    let found = found.remove(0);
    let recovered = recover(&found).unwrap();
    assert_eq!((name(&recovered.document), recovered.saved), ("b", false));
    assert_eq!(found.about.path.as_deref(), Some(Path::new("/somewhere/walk.ron")));
}

#[test]
fn folding_keeps_the_state_and_undo_past_it_begins_a_new_part() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), true);
    for step in ["a", "b", "c"] {
        session.apply("test", &rename(step)).unwrap();
    }
    flush(&mut journal, &happened);
    journal.autosave().unwrap();
    session.undo();
    flush(&mut journal, &happened);
    session.apply("test", &rename("d")).unwrap();
    flush(&mut journal, &happened);
    killed(journal);
    let found = only(root.path());
    assert_eq!(*found.document, **session.document());
    assert_eq!((name(&found.document), found.steps), ("d", 1));
}

#[test]
fn torn_and_damaged_ends_give_the_state_before_them() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), true);
    let mut states = vec![session.document().clone()];
    for step in ["a", "b", "c", "d"] {
        session.apply("test", &rename(step)).unwrap();
        states.push(session.document().clone());
    }
    flush(&mut journal, &happened);
    killed(journal);
    let folder = std::fs::read_dir(root.path()).unwrap().next().unwrap().unwrap().path();
    let edits = edits_path(&folder, 0);
    let whole = std::fs::read(&edits).unwrap();
    let mut last = 0;
    for length in 0..=whole.len() {
        std::fs::File::create(&edits)
            .and_then(|mut file| std::io::Write::write_all(&mut file, &whole[..length]))
            .unwrap();
        let found = only(root.path());
        assert!(found.steps >= last && found.steps <= 4);
        assert_eq!(*found.document, *states[found.steps]);
        last = found.steps;
    }
    assert_eq!(last, 4);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        std::fs::File::create(&edits).and_then(|mut file| std::io::Write::write_all(&mut file, &damaged)).unwrap();
        let found = only(root.path());
        assert_eq!(*found.document, *states[found.steps], "byte {at}");
    }
}

#[test]
fn a_recovered_document_is_kept_before_anything_happens_to_it() {
    let root = tempfile::tempdir().unwrap();
    let mut journal = journal(root.path(), true);
    let document = Arc::new(Document::default());
    journal.keep(&document).unwrap();
    killed(journal);
    let mut found = list(root.path());
    let mut found = found.remove(0);
    assert!(!recover(&found).unwrap().saved);
    mark_offered(&mut found).unwrap();
    drop(found);
    let mut again = list(root.path());
    assert!(again[0].about.offered);
    discard(again.remove(0));
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn an_ended_journal_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (mut session, happened) = session();
    let mut journal = journal(root.path(), true);
    session.apply("test", &rename("a")).unwrap();
    flush(&mut journal, &happened);
    journal.end();
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}
