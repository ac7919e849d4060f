//! Another program changes the file that is open.

use crate::support::fakes::Outside;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use inbetween::io::file;

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
