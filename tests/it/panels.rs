//! The whole window without a renderer: found by name, clicked, typed into.

use crate::support::fakes::Outside;
use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable as _},
};
use inbetween::{
    app::{App, files::DialogAnswer},
    command::Workspace,
    interact::view_state::{Profile, ThemeChoice, ToolId},
    model::{JointId, ObjectId, Target},
    notice::Level,
};
use std::path::PathBuf;

const SIZE: [f32; 2] = [1280.0, 800.0];

type Window = Harness<'static, App>;

fn start() -> (Outside, Window) {
    let outside = Outside::default();
    let window = outside.start(None, SIZE);
    (outside, window)
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run();
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run();
}

/// A row of the outliner.
fn row<'w>(window: &'w Window, name: &'w str) -> Node<'w> {
    let rows = window.query_all_by_role_and_label(Role::TreeItem, name);
    // The graph has rows of the same names, further left.
    rows.max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap_or_else(|| panic!("no row {name}"))
}

fn select(window: &mut Window, name: &str) {
    row(window, name).click();
    window.run();
}

/// Clicks a number, types over it, confirms.
fn type_number(window: &mut Window, label: &str, text: &str) {
    click(window, label);
    let field = window.get_by_label(label);
    field.type_text(text);
    window.run();
    press(window, Modifiers::NONE, Key::Enter);
}

#[test]
fn it_starts_on_a_character_that_plays() {
    let outside = Outside::default();
    let mut app = App::new(outside.services(), Box::new(inbetween::app::NoPainter), None);
    assert!(app.view().is_playing());
    assert!(app.session().document().rigs().next().is_some());
    assert!(!app.session().is_modified());
    app.logic(&egui::Context::default());
}

#[test]
fn nothing_moves_when_nothing_happens() {
    let (_, mut window) = start();
    // `run` fails where repaints never end; one frame is what it takes to see that nothing is to be done.
    assert_eq!(window.run(), 1);
    assert!(!window.state().view().is_playing());
}

#[test]
fn the_window_fits_small_and_dense_screens() {
    for (size, scale) in [([1280.0, 800.0], 1.0), ([960.0, 540.0], 2.0), ([1920.0, 1080.0], 1.25)] {
        let mut window = Outside::default().start(None, size);
        window.set_pixels_per_point(scale);
        window.run();
        let seen = window.get_by_label("Frame rate").rect();
        assert!(seen.right() < size[0] && seen.bottom() < size[1], "{size:?}: {seen:?}");
    }
}

#[test]
fn what_is_picked_in_the_outliner_is_selected_everywhere() {
    let (_, mut window) = start();
    select(&mut window, "head");
    let selection = window.state().session().selection().clone();
    let Some(Target::Joint(object, joint)) = selection.active else { panic!("{selection:?}") };
    let document = window.state().session().document().clone();
    let rig = document.object(object).unwrap().as_rig().unwrap().clone();
    assert_eq!(rig.skeleton.joint(joint).unwrap().name, "head");
    assert!(window.query_by_label("Rotation X").is_some());
    press(&mut window, Modifiers::ALT, Key::A);
    assert!(window.query_by_label("Rotation X").is_none());
}

#[test]
fn a_search_finds_joints() {
    let (_, mut window) = start();
    let field = window.get_by_label("Search joints");
    field.click();
    window.run();
    window.get_by_label("Search joints").type_text("forearm");
    window.run();
    let rows: Vec<String> = window
        .query_all_by_role(Role::TreeItem)
        .filter(|row| row.rect().left() > SIZE[0] * 0.7)
        .filter_map(|row| row.accesskit_node().label())
        .collect();
    assert_eq!(rows, ["Biped", "forearm.l", "forearm.r"]);
    // Letters belong to the field while it is typed into: none of them moved anything.
    assert_eq!(window.state().view().tool, ToolId::default());
    assert_eq!(steps(&window), 0);
}

#[test]
fn a_typed_sum_is_one_step_and_undo_takes_it_back() {
    let (_, mut window) = start();
    select(&mut window, "head");
    let before = window.state().session().document().clone();
    type_number(&mut window, "Rotation X", "+=10");
    assert_eq!(steps(&window), 1);
    assert!(window.state().session().is_modified());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(steps(&window), 0);
    assert!(std::sync::Arc::ptr_eq(&before, window.state().session().document()));
    assert!(!window.state().session().is_modified());
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(steps(&window), 1);
}

#[test]
fn a_dragged_number_is_one_step_and_escape_gives_it_up() {
    let (_, mut window) = start();
    select(&mut window, "head");
    let at = window.get_by_label("Rotation Y").rect().center();
    let before = window.state().session().document().clone();
    window.hover_at(at);
    window.run();
    window.drag_at(at);
    window.run();
    for dx in [10.0, 20.0, 30.0] {
        window.hover_at(at + egui::vec2(dx, 0.0));
        window.run();
    }
    assert!(window.state().session().in_gesture());
    assert!(!std::sync::Arc::ptr_eq(&before, window.state().session().document()));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(std::sync::Arc::ptr_eq(&before, window.state().session().document()));
    window.drop_at(at + egui::vec2(30.0, 0.0));
    window.run();
    assert_eq!(steps(&window), 0);

    window.hover_at(at);
    window.run();
    window.drag_at(at);
    window.run();
    window.hover_at(at + egui::vec2(40.0, 0.0));
    window.run();
    window.drop_at(at + egui::vec2(40.0, 0.0));
    window.run();
    assert_eq!(steps(&window), 1);
    assert!(!window.state().session().in_gesture());
}

#[test]
fn time_goes_where_it_is_told() {
    let (outside, mut window) = start();
    let rate = window.state().session().document().settings.rate;
    let frame = |window: &Window| window.state().view().frame(rate);
    type_number(&mut window, "Frame", "10");
    assert_eq!(frame(&window), 10);
    press(&mut window, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(frame(&window), 11);
    press(&mut window, Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(frame(&window), window.state().session().document().settings.play_range.last);
    press(&mut window, Modifiers::SHIFT, Key::ArrowLeft);
    assert_eq!(frame(&window), 0);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    assert!(frame(&window) > 0);
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(frame(&window), 0);

    click(&mut window, "Play or stop");
    outside.now.set(0.5);
    window.step();
    assert_eq!(frame(&window), 12);
    click(&mut window, "Play or stop");
    assert!(!window.state().view().is_playing());
    assert_eq!(steps(&window), 0);
}

#[test]
fn the_frame_rate_takes_any_rational() {
    let (_, mut window) = start();
    let field = window.get_by_label("Frame rate");
    field.click();
    window.run();
    press(&mut window, Modifiers::COMMAND, Key::A);
    window.get_by_label("Frame rate").type_text("30000/1001");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    let rate = window.state().session().document().settings.rate;
    assert_eq!((rate.num(), rate.den()), (30_000, 1_001));
    assert_eq!(steps(&window), 1);
}

#[test]
fn every_step_has_a_name_and_a_click_goes_there() {
    let (_, mut window) = start();
    select(&mut window, "head");
    type_number(&mut window, "Rotation X", "5");
    type_number(&mut window, "Rotation Y", "5");
    click(&mut window, "History");
    assert_eq!(steps(&window), 2);
    click(&mut window, "Opened");
    assert_eq!(steps(&window), 0);
    for label in window.state().session().history().labels() {
        assert!(inbetween::text::has(label), "{label}");
    }
}

#[test]
fn with_auto_key_off_a_pose_waits_to_be_keyed() {
    let (_, mut window) = start();
    // On, whole pose, off.
    click(&mut window, "Change auto-key");
    click(&mut window, "Change auto-key");
    assert!(window.query_by_label("Auto-key off").is_some());
    select(&mut window, "head");
    // Between two keys.
    type_number(&mut window, "Frame", "3");
    type_number(&mut window, "Rotation X", "+=20");
    assert!(window.query_by_label("Pose not keyed").is_some());
    click(&mut window, "Discard");
    assert!(window.query_by_label("Pose not keyed").is_none());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(window.query_by_label("Pose not keyed").is_some());
    let keys = |window: &Window| -> usize {
        let document = window.state().session().document();
        document.clips.values().flat_map(|clip| clip.channels.values()).map(|curve| curve.len()).sum()
    };
    let before = keys(&window);
    click(&mut window, "Key");
    assert!(window.query_by_label("Pose not keyed").is_none());
    assert!(keys(&window) > before);
}

#[test]
fn the_palette_runs_what_is_typed() {
    let (_, mut window) = start();
    press(&mut window, Modifiers::NONE, Key::F3);
    window.get_by_label("Find a command").type_text("light or");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(window.state().view().theme, ThemeChoice::Light);
    assert!(window.query_by_label("Find a command").is_none());
    press(&mut window, Modifiers::NONE, Key::F3);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.query_by_label("Find a command").is_none());
}

#[test]
fn the_list_of_the_palette_grows_again_after_a_short_one() {
    let (_, mut window) = start();
    press(&mut window, Modifiers::NONE, Key::F3);
    window.get_by_label("Find a command").type_text("light or");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::NONE, Key::F3);
    window.get_by_label("Find a command").type_text("workspace");
    window.run();
    // The fifth of the list: out of sight, a click in its place is one beside the palette, which closes it.
    click(&mut window, "Lab workspace");
    assert_eq!(window.state().workspace(), Workspace::Lab);
}

#[test]
fn shortcuts_are_rebound_kept_and_conflicts_told() {
    let (outside, mut window) = start();
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    click(&mut window, "Search shortcuts");
    window.get_by_label("Search shortcuts").type_text("loop");
    window.run();
    click(&mut window, "Shortcut of Loop");
    press(&mut window, Modifiers::NONE, Key::U);
    let looping = window.state().view().looping;
    press(&mut window, Modifiers::NONE, Key::U);
    assert_ne!(window.state().view().looping, looping);
    click(&mut window, "Shortcut of Loop");
    press(&mut window, Modifiers::COMMAND, Key::S);
    let warned = window.state().notices().entries().iter().any(|entry| entry.notice.text.contains("Ctrl+S"));
    assert!(warned, "a conflict must be told");
    let kept = outside.kept.borrow().get("settings.json").cloned().unwrap();
    assert!(kept.contains("toggle_loop"));
}

#[test]
fn profiles_change_the_keys() {
    let (_, mut window) = start();
    press(&mut window, Modifiers::COMMAND, Key::Comma);
    click(&mut window, "Maya-like");
    assert_eq!(window.state().view().profile, Profile::MayaLike);
    press(&mut window, Modifiers::NONE, Key::W);
    assert_eq!(window.state().view().tool, ToolId::Move);
}

#[test]
fn a_document_is_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let (outside, mut window) = start();
    select(&mut window, "head");
    type_number(&mut window, "Rotation X", "+=10");
    // The extension is added: not every dialog does.
    *outside.answer.borrow_mut() = Some(DialogAnswer::Picked(folder.path().join("walk")));
    press(&mut window, Modifiers::COMMAND, Key::S);
    window.run();
    let path = folder.path().join("walk.ron");
    assert!(path.exists());
    assert_eq!(outside.asked.borrow()[0].name.as_deref(), Some("Sample walk.ron"));
    assert!(!window.state().session().is_modified());
    let saved = window.state().session().document().clone();
    let reopened = Outside::default().start(Some(path.clone()), SIZE);
    assert_eq!(*reopened.state().session().document(), saved);
    // Saving again asks nothing.
    type_number(&mut window, "Rotation X", "+=10");
    press(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(outside.asked.borrow().len(), 1);
    assert!(!window.state().session().is_modified());
}

#[test]
fn unsaved_changes_are_asked_about() {
    let (outside, mut window) = start();
    select(&mut window, "head");
    type_number(&mut window, "Rotation X", "+=10");
    let changed = window.state().session().document().clone();
    press(&mut window, Modifiers::COMMAND, Key::N);
    click(&mut window, "Cancel");
    assert!(std::sync::Arc::ptr_eq(&changed, window.state().session().document()));
    // Saving is called off in the dialog: nothing is dropped.
    press(&mut window, Modifiers::COMMAND, Key::N);
    *outside.answer.borrow_mut() = Some(DialogAnswer::Dismissed);
    click(&mut window, "Save");
    window.run();
    assert!(std::sync::Arc::ptr_eq(&changed, window.state().session().document()));
    press(&mut window, Modifiers::COMMAND, Key::N);
    click(&mut window, "Don't save");
    assert!(window.state().session().document().objects.is_empty());
    assert!(!window.state().session().is_modified());
}

#[test]
fn without_dialogs_a_path_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.bvh");
    std::fs::copy(data("bvh/odd_two_roots.bvh"), &path).unwrap();
    let (outside, mut window) = start();
    *outside.answer.borrow_mut() = Some(DialogAnswer::Unavailable);
    press(&mut window, Modifiers::COMMAND, Key::O);
    window.run();
    window.get_by_label("Path").focus();
    window.run();
    press(&mut window, Modifiers::COMMAND, Key::A);
    window.get_by_label("Path").type_text(&path.to_string_lossy());
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.run();
    let document = window.state().session().document();
    assert_eq!(document.object(ObjectId(1)).map(|object| object.name.as_str()), Some("tiny"));
    assert!(document.object(ObjectId(1)).unwrap().as_rig().unwrap().skeleton.joint(JointId(0)).is_some());
}

#[test]
fn a_file_that_cannot_be_opened_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.bvh");
    std::fs::copy(data("bvh/odd_two_roots.bvh"), &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::File::create(&path)
        .and_then(|mut file| std::io::Write::write_all(&mut file, &text.as_bytes()[..40]))
        .unwrap();
    let (outside, mut window) = start();
    let before = window.state().session().document().clone();
    *outside.answer.borrow_mut() = Some(DialogAnswer::Picked(path));
    press(&mut window, Modifiers::COMMAND, Key::O);
    window.run();
    assert!(std::sync::Arc::ptr_eq(&before, window.state().session().document()));
    let told = window.state().notices().entries().last().unwrap().notice.clone();
    assert!(told.level == Level::Error && told.text.contains("broken.bvh"), "{told:?}");
}

#[test]
fn motion_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (outside, mut window) = start();
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    *outside.answer.borrow_mut() = Some(DialogAnswer::Picked(folder.path().join("out.bvh")));
    click(&mut window, "Choose file…");
    window.run();
    let text = std::fs::read_to_string(folder.path().join("out.bvh")).unwrap();
    assert!(text.starts_with("HIERARCHY") && text.contains("Frames: 193"), "{}", &text[..200.min(text.len())]);
}

#[test]
fn layouts_are_kept_and_reset() {
    let (_, mut window) = start();
    press(&mut window, Modifiers::COMMAND, Key::PageDown);
    let wide = window.get_by_label("Search channels").rect();
    press(&mut window, Modifiers::COMMAND, Key::PageUp);
    assert_ne!(wide, window.get_by_label("Search channels").rect());
}

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn a_marker_is_renamed_in_its_menu() {
    let (_, mut window) = start();
    press(&mut window, Modifiers::NONE, Key::M);
    window.query_all_by_role(Role::GraphicsSymbol).next().unwrap().click_secondary();
    window.run();
    // A click into the field leaves the menu open.
    click(&mut window, "Marker name");
    let field = window.get_by_label("Marker name");
    assert!(field.is_focused());
    field.type_text(" contact");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    let document = window.state().session().document().clone();
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    assert!(clip.markers[0].name.ends_with(" contact"), "{:?}", clip.markers);
    assert!(window.query_by_label("Marker name").is_none());
}
