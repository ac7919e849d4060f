//! Poses as they are copied, mirrored, kept and brought on: in the window, and mirrored on every file of the corpus.

use crate::{corpus, support::fakes::Outside};
use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::App,
    eval::{mirror::Mirror, sample::rig_pose},
    io::{bvh::ImportOptions, open},
    math::{Transform, Vec3},
    model::{Document, JointId, ObjectId, ObjectKind, Skeleton, Target},
};
use serde_json::Value;
use std::{collections::BTreeSet, sync::Arc};

type Window = Harness<'static, App>;

fn start() -> Window {
    Outside::default().start(None, [1280.0, 800.0])
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run();
}

/// Puts the pointer over the 3D view.
fn over_view(window: &mut Window) {
    window.hover_at(egui::pos2(400.0, 300.0));
    window.run();
}

/// Selects a joint by its row in the outliner.
fn select(window: &mut Window, name: &str) {
    let row = |window: &Window, act: fn(&egui_kittest::Node<'_>)| {
        let rows = window.query_all_by_role_and_label(egui::accesskit::Role::TreeItem, name);
        // The graph has rows of the same names, further left.
        act(&rows.max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap());
    };
    row(window, |row| row.scroll_to_me());
    window.run();
    row(window, |row| row.click());
    window.run();
}

fn rig(window: &Window) -> (Arc<Document>, ObjectId) {
    let document = window.state().session().document().clone();
    let object = document.rigs().next().unwrap().0;
    (document, object)
}

fn pose(window: &Window) -> Vec<Transform> {
    let (document, object) = rig(window);
    rig_pose(&document, object, window.state().view().secs).unwrap()
}

fn joint(window: &Window, name: &str) -> (usize, JointId) {
    let (document, object) = rig(window);
    let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    let index = skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
    (index, skeleton.joints()[index].id)
}

fn apart(a: &Transform, b: &Transform) -> f64 {
    let (p, q) = (&a.rotation.coords, &b.rotation.coords);
    (p - q).norm().min((p + q).norm()) + (a.translation - b.translation).norm() + (a.scale - b.scale).norm()
}

fn far(a: &[Transform], b: &[Transform]) -> f64 {
    a.iter().zip(b).map(|(a, b)| apart(a, b)).fold(0.0, f64::max)
}

#[test]
fn a_copied_pose_is_pasted_as_one_step_by_keys_and_by_the_system() {
    let mut window = start();
    over_view(&mut window);
    let copied = pose(&window);
    window.event(egui::Event::Copy);
    window.run();
    for _ in 0..5 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
    }
    let before = pose(&window);
    assert!(far(&copied, &before) > 0.05);
    window.event(egui::Event::Paste("pose".to_owned()));
    window.run();
    assert_eq!(steps(&window), 1);
    assert!(far(&copied, &pose(&window)) < 1e-9);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert!(far(&before, &pose(&window)) < 1e-15);
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::V);
    assert_eq!(steps(&window), 1);
    let (document, object) = rig(&window);
    let mirror = Mirror::of_object(&document, object).unwrap();
    let (mirrored, after) = (mirror.pose(&copied), pose(&window));
    let root = joint(&window, "hips").0;
    assert!(far(&mirrored[root + 1..], &after[root + 1..]) < 1e-9);
    // It stays where it stood.
    let standing = mirror.standing(&document, object, |_, _| true).unwrap();
    assert_eq!(standing.carrier(), root);
    assert!((standing.place(&before[root]) - standing.place(&after[root])).norm() < 1e-9);
    assert!(standing.heading(&before[root]).angle_to(&standing.heading(&after[root])) < 1e-9);
}

#[test]
fn a_part_of_a_pose_goes_to_what_is_selected_only() {
    let mut window = start();
    over_view(&mut window);
    let copied = pose(&window);
    press(&mut window, Modifiers::COMMAND, Key::C);
    for _ in 0..5 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
    }
    let before = pose(&window);
    select(&mut window, "forearm.l");
    press(&mut window, Modifiers::COMMAND | Modifiers::ALT, Key::V);
    let (after, (index, _)) = (pose(&window), joint(&window, "forearm.l"));
    assert!(apart(&after[index], &copied[index]) < 1e-9);
    let others = (0..after.len()).filter(|other| *other != index);
    assert!(others.into_iter().all(|other| apart(&after[other], &before[other]) < 1e-12));
}

#[test]
fn the_selection_is_mirrored_and_a_pose_mirrored_twice_is_back() {
    let mut window = start();
    select(&mut window, "forearm.l");
    press(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::M);
    let (_, other) = joint(&window, "forearm.r");
    let selection = window.state().session().selection().clone();
    let (_, object) = rig(&window);
    assert_eq!(selection.targets, BTreeSet::from([Target::Joint(object, other)]));
    assert_eq!(selection.active, Some(Target::Joint(object, other)));
    over_view(&mut window);
    let before = pose(&window);
    press(&mut window, Modifiers::COMMAND, Key::M);
    assert!(far(&before, &pose(&window)) > 0.05);
    press(&mut window, Modifiers::COMMAND, Key::M);
    assert!(far(&before, &pose(&window)) < 1e-9);
    assert_eq!(steps(&window), 2);
}

/// Runs a command that has no key, by the palette.
fn run(window: &mut Window, name: &str) {
    press(window, Modifiers::NONE, Key::F3);
    window.get_by_label("Find a command").type_text(name);
    window.run();
    press(window, Modifiers::NONE, Key::Enter);
}

/// Scrolls the inspector until a field of this name can be reached.
fn bring_to_view(window: &mut Window, label: &str) {
    window.get_by_label(label).scroll_to_me();
    window.run();
}

#[test]
fn a_selection_set_is_kept_selected_renamed_and_deleted() {
    let mut window = start();
    select(&mut window, "forearm.l");
    run(&mut window, "Add selection set");
    let set = |window: &Window| {
        let (document, object) = rig(window);
        document.object(object).unwrap().as_rig().unwrap().sets.clone()
    };
    let (_, forearm) = joint(&window, "forearm.l");
    assert_eq!(set(&window).get("Set 1"), Some(&BTreeSet::from([forearm])));
    select(&mut window, "head");
    bring_to_view(&mut window, "Select Set 1");
    window.get_by_label("Select Set 1").click();
    window.run();
    let (_, object) = rig(&window);
    assert_eq!(window.state().session().selection().targets, BTreeSet::from([Target::Joint(object, forearm)]));
    bring_to_view(&mut window, "Delete Set 1");
    window.get_by_label("Delete Set 1").click();
    window.run();
    assert!(set(&window).is_empty());
    assert_eq!(steps(&window), 2);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(set(&window).len(), 1);
}

#[test]
fn a_kept_pose_is_brought_on_by_a_drag_that_escape_gives_up() {
    let mut window = start();
    let kept = pose(&window);
    run(&mut window, "Add pose to library");
    assert_eq!(window.state().session().document().poses.len(), 1);
    for _ in 0..5 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
    }
    let before = pose(&window);
    window.run();
    let at = window.get_by_label("Apply Pose 1").rect().center();
    for give_up in [true, false] {
        window.hover_at(at);
        window.run();
        window.drag_at(at);
        window.run();
        for dx in [20.0, 60.0, 400.0] {
            window.hover_at(at - egui::vec2(dx, 0.0));
            window.run();
        }
        for dx in [20.0, 60.0, 40.0] {
            window.hover_at(at + egui::vec2(dx, 0.0));
            window.run();
        }
        assert!(window.state().session().in_gesture());
        assert!(far(&before, &pose(&window)) > 1e-3);
        if give_up {
            press(&mut window, Modifiers::NONE, Key::Escape);
            assert!(far(&before, &pose(&window)) < 1e-15);
        }
        window.drop_at(at + egui::vec2(40.0, 0.0));
        window.run();
        assert_eq!(steps(&window), if give_up { 1 } else { 2 });
    }
    press(&mut window, Modifiers::COMMAND, Key::Z);
    window.get_by_label("Apply Pose 1").click();
    window.run();
    assert_eq!(steps(&window), 2);
    let (after, root) = (pose(&window), joint(&window, "hips").0);
    assert!(far(&kept[root + 1..], &after[root + 1..]) < 1e-9);
    // It walked on before it took the pose: of that only the height is the pose's.
    let (old, new) = (&before[root].translation, &after[root].translation);
    assert!((new - Vec3::new(old.x, kept[root].translation.y, old.z)).norm() < 1e-9);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    window.get_by_label("With place").click();
    window.run();
    window.get_by_label("Apply Pose 1").click();
    window.run();
    assert!(far(&kept, &pose(&window)) < 1e-9);
}

#[test]
fn a_kept_pose_is_renamed_replaced_and_deleted_in_its_menu() {
    let mut window = start();
    run(&mut window, "Add pose to library");
    let first = |window: &Window| window.state().session().document().poses.values().next().cloned();
    let menu = |window: &mut Window, of: &str, row: &str| {
        window.run();
        window.get_by_label(&format!("More for {of}")).click();
        window.run();
        window.get_by_label(row).click();
        window.run();
    };
    menu(&mut window, "Pose 1", "Rename");
    window.run();
    window.get_by_label("Pose name").type_text("Stand");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(first(&window).is_some_and(|pose| pose.name.contains("Stand")));
    let before = first(&window).unwrap();
    for _ in 0..5 {
        press(&mut window, Modifiers::NONE, Key::ArrowRight);
    }
    menu(&mut window, &before.name, "Replace with the present pose");
    let after = first(&window).unwrap();
    assert!(after.name == before.name && after.joints != before.joints);
    menu(&mut window, &before.name, "Delete");
    assert_eq!(first(&window), None);
    assert_eq!(steps(&window), 4);
}

/// The files of the corpus whose limbs are known, opened, with the truth.
fn human_files() -> Vec<(String, Document, Value)> {
    let files = corpus::bvh_files();
    let truth = files.first().and_then(|path| path.parent()?.parent()).map(|folder| folder.join("limbs.json"));
    let Some(text) = truth.and_then(|path| std::fs::read_to_string(path).ok()) else { return Vec::new() };
    let truth: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let known = files.iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let limbs = truth.get(&name)?.clone();
        Some((name, open::open(path, ImportOptions::default()).unwrap().document, limbs))
    });
    known.collect()
}

fn renamed(document: &Document) -> Document {
    let mut document = document.clone();
    let object = document.rigs().next().unwrap().0;
    let ObjectKind::Rig(rig) = &mut document.object_mut(object).unwrap().kind else { panic!() };
    let rig = Arc::make_mut(rig);
    let skeleton = rig.skeleton.map_joints(|joint| {
        let mut joint = joint.clone();
        joint.name = format!("j{}", joint.id.0);
        joint
    });
    rig.skeleton = Arc::new(skeleton.unwrap());
    document
}

/// Left and right joints of arms and legs that are no pair, in words.
fn unpaired(mirror: &Mirror, names: &Skeleton, truth: &Value) -> Vec<String> {
    let index = |name: &Value| names.joints().iter().position(|joint| Some(&*joint.name) == name.as_str()).unwrap();
    let mut faults = Vec::new();
    for (left, right) in [("left_arm", "right_arm"), ("left_leg", "right_leg")] {
        for (a, b) in truth[left].as_array().unwrap().iter().zip(truth[right].as_array().unwrap()) {
            if mirror.partner(index(a)) != index(b) || mirror.partner(index(b)) != index(a) {
                faults.push(format!("{a} and {b}"));
            }
        }
    }
    for middle in ["head", "hips"] {
        let joint = index(&truth[middle]);
        if mirror.partner(joint) != joint {
            faults.push(format!("{middle} has a partner"));
        }
    }
    faults
}

#[test]
fn corpus_poses_mirrored_twice_are_back_and_sides_are_paired() {
    let files = human_files();
    let mut wrong = Vec::new();
    for (name, document, truth) in &files {
        let (object, _, rig) = document.rigs().next().unwrap();
        for (kind, document) in [("named", document.clone()), ("renamed", renamed(document))] {
            let mirror = Mirror::of_object(&document, object).unwrap();
            wrong.extend(unpaired(&mirror, &rig.skeleton, truth).into_iter().map(|f| format!("{name} ({kind}): {f}")));
            let range = document.settings.play_range;
            for frame in [range.first, i64::midpoint(range.first, range.last), range.last] {
                let pose = rig_pose(&document, object, document.settings.rate.secs(frame)).unwrap();
                let twice = mirror.pose(&mirror.pose(&pose));
                assert!(far(&pose, &twice) < 1e-9, "{name} ({kind}), frame {frame}");
            }
        }
    }
    println!("corpus: mirror on {} files, {} faults", files.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
