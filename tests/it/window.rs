//! The main job in the real window, as a person does it: open motion, drag a hand, undo, redo, key, save, open again.

#![cfg(target_os = "linux")]

use crate::support::window::{Held, Node, Window};
use inbetween::{
    eval::Evaluator,
    io::{open, ron},
    model::{Document, names},
};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The sample walk as captured motion.
pub(crate) fn captured_walk(folder: &Path) -> PathBuf {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/walk.ron");
    let motion = folder.join("captured.bvh");
    let done = Command::new(env!("CARGO_BIN_EXE_inbetween")).arg("convert").arg(sample).arg(&motion).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    motion
}

/// The named node of a joint in the viewport.
fn joint(window: &mut Window, name: &str) -> Option<Node> {
    let view = window.get("3D view").bounds;
    let inside = |node: &Node| node.bounds[0] >= view[0] && node.bounds[2] <= view[2] && node.bounds[3] <= view[3];
    window.nodes().into_iter().find(|node| node.label == name && inside(node))
}

fn place(window: &mut Window, name: &str) -> [f64; 2] {
    window.wait_for(name, |window| joint(window, name)).centre()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Answers a question for a file by typing its path.
fn answer_path(window: &mut Window, path: &Path) {
    window.wait_for("the path field", |window| window.find("Path"));
    window.click("Path");
    window.key("A", Held::CTRL);
    window.type_text(&path.display().to_string());
    window.key("Enter", Held::NONE);
}

fn hand_in_world(document: &Document, secs: f64) -> inbetween::math::Vec3 {
    let (object, _, rig) = document.rigs().next().unwrap();
    let hand = rig.skeleton.index_of(names::find_joint(&rig.skeleton, "hand.r").unwrap()).unwrap();
    Evaluator::new().frame(document, secs).joint_world(object, hand).unwrap().translation
}

#[test]
fn the_main_job_works_in_the_real_window() {
    let Some(mut window) = Window::start([1280, 800], &[]) else { return };
    let motion = captured_walk(window.folder.path());

    // Never an empty screen: the sample is there and plays.
    let first = place(&mut window, "hand.r");
    window.wait_for("the sample to move", |window| (distance(place(window, "hand.r"), first) > 0.5).then_some(()));

    window.key("O", Held::CTRL);
    answer_path(&mut window, &motion);
    window.wait_for("the motion to be open", |window| {
        window.nodes().iter().any(|n| n.label.contains("captured")).then_some(())
    });
    let before = window.wait_for("the figure to stand still", |window| {
        let here = place(window, "hand.r");
        window.settle();
        (distance(here, place(window, "hand.r")) < 0.01).then_some(here)
    });

    window.drag(before, [before[0] + 40.0, before[1] - 50.0], 12);
    let dragged = place(&mut window, "hand.r");
    assert!(distance(before, dragged) > 30.0, "the hand follows the pointer: {before:?} {dragged:?}");
    window.screenshot("window_dragged.png");

    window.key("Z", Held::CTRL);
    assert!(distance(place(&mut window, "hand.r"), before) < 0.01, "undo puts the hand back");
    window.key("Z", Held::CTRL_SHIFT);
    assert!(distance(place(&mut window, "hand.r"), dragged) < 0.01, "redo moves it again");

    // A key on what is selected, the hand.
    window.move_to([dragged[0] + 150.0, dragged[1]]);
    window.key("I", Held::NONE);

    let saved = window.folder.path().join("saved.ron");
    window.key("S", Held::CTRL);
    answer_path(&mut window, &saved);
    let document = window.wait_for("the document to be saved", |_| {
        std::fs::read_to_string(&saved).ok().and_then(|text| ron::load(&text).ok())
    });

    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    assert_eq!(clip.corrections.len(), 1, "captured motion is corrected, not overwritten");
    assert!(clip.unkeyed.is_empty());
    let untouched = open::open(&motion, Default::default()).unwrap().document;
    let moved = (hand_in_world(&document, 0.0) - hand_in_world(&untouched, 0.0)).norm();
    assert!(moved > 0.05, "the hand moved by {moved} m");
    let (start, end) = clip.corrections[0].range;
    for secs in [end + 1e-3, 4.0, 7.9] {
        assert!(secs > end || secs < start);
        assert_eq!(hand_in_world(&document, secs), hand_in_world(&untouched, secs), "at {secs} s nothing has changed");
    }

    window.key("N", Held::CTRL);
    window.key("O", Held::CTRL);
    answer_path(&mut window, &saved);
    window.wait_for("the saved document", |window| window.find("saved.ron, saved"));
    // The camera frames what it opens, so the hand is looked for against its elbow: it hung below, and was lifted above.
    let (hand, elbow) = (place(&mut window, "hand.r"), place(&mut window, "forearm.r"));
    assert!(hand[1] < elbow[1], "the hand is where it was saved: {hand:?} {elbow:?}");
    window.screenshot("window_reopened.png");
}
