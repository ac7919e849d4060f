//! Another program changes the file that is open.

use crate::support::fakes::Outside;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use inbetween::{app::files::DialogAnswer, io::file};

#[test]
fn what_is_kept_after_another_program_changed_the_file_is_asked_about_before_it_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.ron");
    let walk = include_bytes!("../../assets/samples/walk.ron");
    file::write(&path, walk).unwrap();
    let mut window = Outside::default().start(Some(path.clone()), [1280.0, 800.0]);
    assert!(!window.state().session().is_modified());
    let mut other = walk.to_vec();
    other.push(b'\n');
    file::write(&path, &other).unwrap();
    // Saving looks at the file first.
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.run();
    window.get_by_label("Keep mine").click();
    window.run();
    assert!(window.state().session().is_modified());
    assert_eq!(file::read(&path).unwrap(), other);
    // Once more writes what was kept.
    window.key_press_modifiers(Modifiers::COMMAND, Key::S);
    window.run();
    assert!(!window.state().session().is_modified());
    assert_ne!(file::read(&path).unwrap(), other);
}

#[test]
fn a_name_that_is_not_to_be_replaced_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there.ron");
    file::write(&there, b"kept").unwrap();
    let outside = Outside::default();
    let mut window = outside.start(None, [1280.0, 800.0]);
    *outside.answer.borrow_mut() = Some(DialogAnswer::Unavailable);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    window.run();
    let typed = window.get_by_label("Path");
    typed.focus();
    window.run();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label("Path").type_text(&there.to_string_lossy());
    window.run();
    window.key_press(Key::Enter);
    window.run();
    *outside.answer.borrow_mut() = Some(DialogAnswer::Unavailable);
    window.get_by_label("Cancel").click();
    window.run();
    assert_eq!(window.get_by_label("Path").value().as_deref(), Some(&*there.to_string_lossy()));
    assert_eq!(file::read(&there).unwrap(), b"kept");
}
