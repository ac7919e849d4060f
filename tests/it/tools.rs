//! The tools of the 3D view, driven without a window.

use crate::support::driver::Driver;
use inbetween::{
    edit::AutoKey,
    interact::{
        gizmo::Handle,
        input::{Key, Modifiers, ScreenPos},
        tool::Hovered,
        view_state::{ToolId, TransformSpace},
        viewport_tools::Grab,
    },
    math::{Vec3, rotation::rotation_angle},
    model::{Document, Target},
    samples,
};
use std::sync::{Arc, OnceLock};

fn driver() -> Driver {
    static START: OnceLock<Document> = OnceLock::new();
    Driver::new(START.get_or_init(samples::start).clone())
}

fn by(pos: ScreenPos, x: f64, y: f64) -> ScreenPos {
    [pos[0] + x, pos[1] + y]
}

/// Something that runs, by what begins it; each must be cancellable.
fn begun(what: &str) -> Driver {
    let mut d = driver();
    let hand = d.at("hand.l");
    match what {
        "drag" => d.pull(hand, by(hand, 40.0, -30.0), 5),
        "press" => d.press(hand),
        "box" => d.pull([20.0, 20.0], [300.0, 300.0], 3),
        "move" | "rotate" => {
            d.select(&["hips"]);
            d.take(if what == "move" { ToolId::Move } else { ToolId::Rotate });
            let handle = if what == "move" { Handle::Arrow(1) } else { Handle::ViewRing };
            let at = d.handle_pos(handle);
            d.pull(at, by(at, 25.0, 60.0), 5);
        }
        "box by key" => {
            d.hover(hand);
            d.grab(Grab::Box);
        }
        "grab move" | "grab rotate" => {
            d.select(&["forearm.l", "hand.l"]);
            d.hover(hand);
            d.grab(if what == "grab move" { Grab::Move } else { Grab::Rotate });
            d.hover(by(hand, 50.0, 20.0));
        }
        _ => unreachable!(),
    }
    assert!(d.is_busy(), "{what}");
    d
}

const BEGUN: [&str; 8] = ["drag", "press", "box", "box by key", "move", "rotate", "grab move", "grab rotate"];

/// Dragged away and back to where it was pressed, a tool changes nothing: no step of undo, no key, no edit that waits.
#[test]
fn a_drag_that_comes_back_records_nothing() {
    for auto_key in [AutoKey::On, AutoKey::Off] {
        for what in ["hand.l", "foot.r", "hips", "head", "forearm.l", "move", "rotate", "grab move", "grab rotate"] {
            let mut d = driver();
            d.auto_key = auto_key;
            let before = d.session.document().clone();
            match what {
                "move" | "rotate" => {
                    d.select(&["hips"]);
                    d.take(if what == "move" { ToolId::Move } else { ToolId::Rotate });
                    let handle = if what == "move" { Handle::Arrow(1) } else { Handle::ViewRing };
                    let at = d.handle_pos(handle);
                    d.pull(at, by(at, 25.0, 60.0), 4);
                    d.hover(at);
                    d.release(at);
                }
                "grab move" | "grab rotate" => {
                    d.select(&["forearm.l", "hand.l"]);
                    let at = d.at("hand.l");
                    d.hover(at);
                    d.grab(if what == "grab move" { Grab::Move } else { Grab::Rotate });
                    d.hover(by(at, 50.0, 20.0));
                    d.click(at);
                }
                joint => {
                    let at = d.at(joint);
                    d.pull(at, by(at, 30.0, -25.0), 4);
                    d.hover(at);
                    d.release(at);
                }
            }
            assert!(!d.is_busy(), "{what}");
            assert_eq!(d.steps(), 0, "{what}, {auto_key:?}: a step of undo");
            assert_eq!(**d.session.document(), *before, "{what}, {auto_key:?}");
        }
    }
}

#[test]
fn every_tool_can_be_cancelled_and_leaves_no_trace() {
    type End = (&'static str, fn(&mut Driver));
    let ends: [End; 5] = [
        ("escape", |d| d.key(Key::Escape)),
        ("right click", |d| d.right_click([640.0, 400.0])),
        ("another tool", |d| d.take(ToolId::Select)),
        ("undo", |d| {
            d.session.undo();
            d.take(d.view.tool);
        }),
        ("the panel", Driver::cancel),
    ];
    for what in BEGUN {
        for (how, end) in ends {
            let mut d = begun(what);
            let before = (d.session.base().clone(), d.steps());
            if how == "undo" && !d.session.in_gesture() {
                continue;
            }
            end(&mut d);
            assert!(!d.is_busy() && !d.session.in_gesture(), "{what} by {how}");
            assert!(Arc::ptr_eq(d.session.document(), &before.0), "{what} by {how}: the very same document");
            assert_eq!(d.steps(), before.1, "{what} by {how}");
        }
    }
}

#[test]
fn a_cancelled_drag_gives_the_selection_back() {
    let mut d = driver();
    d.select(&["head"]);
    let hand = d.at("hand.l");
    d.pull(hand, by(hand, 40.0, 0.0), 3);
    assert_eq!(d.selected(), ["hand.l"]);
    d.key(Key::Escape);
    assert_eq!(d.selected(), ["head"]);
}

#[test]
fn a_dragged_hand_goes_with_the_pointer_in_one_step() {
    let mut d = driver();
    let start = d.session.document().clone();
    let hand = d.at("hand.l");
    let goal = by(hand, 30.0, -60.0);
    d.drag(by(hand, 3.0, 2.0), by(goal, 3.0, 2.0), 12);
    let now = d.at("hand.l");
    assert!((now[0] - goal[0]).hypot(now[1] - goal[1]) < 0.5, "{now:?} for {goal:?}");
    assert_eq!((d.steps(), d.selected()), (1, vec!["hand.l".to_owned()]));
    assert_eq!(d.session.document().problems(), []);
    let end = d.session.document().clone();
    assert!(d.session.undo());
    assert!(Arc::ptr_eq(d.session.document(), &start));
    assert!(d.session.redo());
    assert!(Arc::ptr_eq(d.session.document(), &end));
}

#[test]
fn nothing_jumps_when_a_drag_begins() {
    for joint in ["hand.l", "foot.r", "head", "hips", "forearm.l", "shin.r", "chest"] {
        let mut d = driver();
        let before = d.world(joint);
        let at = d.at(joint);
        // At the edge of the hit area: the offset from the joint is kept.
        d.pull(by(at, 2.0, 1.0), by(at, 2.0, 4.5), 1);
        let metres = 3.5 * d.view.camera.metres_per_point([1280.0, 800.0]);
        let moved = (d.world(joint) - before).norm();
        assert!(moved < 2.5 * metres, "{joint}: {moved} for {metres}");
    }
}

#[test]
fn a_hundred_small_moves_are_one_big_one_to_the_bit() {
    let cases: [(&str, ToolId, Option<Handle>); 6] = [
        ("hand.l", ToolId::DragLimb, None),
        ("foot.r", ToolId::DragLimb, None),
        ("hips", ToolId::DragLimb, None),
        ("hips", ToolId::Move, Some(Handle::Arrow(1))),
        ("forearm.l", ToolId::Rotate, Some(Handle::Ring(0))),
        ("forearm.l", ToolId::Move, Some(Handle::Centre)),
    ];
    for (joint, tool, handle) in cases {
        for held in [Modifiers::NONE, Modifiers::CTRL, Modifiers::SHIFT] {
            let after = |steps: u32| {
                let mut d = driver();
                d.select(&[joint]);
                d.take(tool);
                let at = match handle {
                    Some(handle) => d.handle_pos(handle),
                    None => d.at(joint),
                };
                d.press(at);
                d.hover(by(at, 4.0, 0.0));
                d.held = held;
                d.hover(by(at, 4.0, 0.0));
                for step in 1..=steps {
                    let t = f64::from(step) / f64::from(steps);
                    d.hover(if step == steps { by(at, 47.3, -31.7) } else { by(at, 4.0 + 43.3 * t, -31.7 * t) });
                }
                d.release(by(at, 47.3, -31.7));
                Document::clone(d.session.document())
            };
            assert_eq!(after(1), after(100), "{joint} {tool:?} {held:?}");
        }
    }
}

#[test]
fn a_drag_out_and_back_is_no_step() {
    for (joint, tool, handle) in [
        ("hand.l", ToolId::DragLimb, None),
        ("hips", ToolId::Move, Some(Handle::Arrow(0))),
        ("chest", ToolId::Rotate, Some(Handle::Ring(2))),
    ] {
        let mut d = driver();
        d.select(&[joint]);
        d.take(tool);
        let at = match handle {
            Some(handle) => d.handle_pos(handle),
            None => d.at(joint),
        };
        let before = d.session.document().clone();
        d.pull(at, by(at, 60.0, 30.0), 4);
        d.hover(at);
        d.release(at);
        assert_eq!(d.steps(), 0, "{joint} {tool:?}");
        assert!(Arc::ptr_eq(d.session.document(), &before));
    }
}

#[test]
fn a_click_selects_and_is_no_step() {
    let mut d = driver();
    let hand = d.at("hand.l");
    d.click(by(hand, 1.0, 1.0));
    assert_eq!((d.selected(), d.steps()), (vec!["hand.l".to_owned()], 0));
    d.held = Modifiers::SHIFT;
    let head = d.at("head");
    d.click(head);
    assert_eq!(d.selected(), ["head", "hand.l"]);
    d.held = Modifiers::CTRL;
    d.click(hand);
    assert_eq!(d.selected(), ["head"]);
    d.held = Modifiers::NONE;
    d.click([5.0, 5.0]);
    assert_eq!(d.selected(), [""; 0]);
}

#[test]
fn repeated_clicks_go_through_what_lies_there() {
    let mut d = driver();
    let at = d.at("hand.l");
    let mut seen = Vec::new();
    for _ in 0..6 {
        d.click(at);
        seen.push(d.selected().join(" "));
    }
    let mut different = seen.clone();
    different.sort();
    different.dedup();
    assert!(different.len() > 1, "{seen:?}");
    assert!(seen.iter().skip(1).any(|name| *name == seen[0]), "round and round: {seen:?}");
}

#[test]
fn a_box_selects_adds_and_subtracts() {
    let mut d = driver();
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for joint in ["thigh.l", "shin.l", "foot.l"] {
        let at = d.at(joint);
        for axis in 0..2 {
            (low[axis], high[axis]) = (low[axis].min(at[axis]), high[axis].max(at[axis]));
        }
    }
    let all = ([10.0, 10.0], [1270.0, 790.0]);
    d.drag(all.0, all.1, 4);
    let every = d.selected().len();
    assert!(every > 15, "{every}");
    d.held = Modifiers::CTRL;
    d.take(ToolId::Select);
    d.drag(by(low, -20.0, -12.0), by(high, 12.0, 12.0), 4);
    let rest = d.selected();
    assert!(rest.len() < every && !rest.contains(&"shin.l".to_owned()), "{rest:?}");
    d.held = Modifiers::SHIFT;
    d.drag(by(low, -20.0, -12.0), by(high, 12.0, 12.0), 4);
    assert_eq!(d.selected().len(), every);
    assert_eq!(d.steps(), 0);
}

#[test]
fn a_box_by_key_may_begin_on_a_body() {
    let mut d = driver();
    let (chest, foot) = (d.at("chest"), d.at("foot.l"));
    d.hover(chest);
    d.grab(Grab::Box);
    assert!(d.is_busy());
    d.drag([chest[0] - 90.0, chest[1]], [foot[0] + 90.0, foot[1] + 30.0], 4);
    assert!(!d.is_busy() && d.selected().len() > 4 && d.steps() == 0, "{:?}", d.selected());
    d.click(chest);
    assert_eq!(d.selected(), ["chest"]);
}

#[test]
fn feet_stay_while_the_hips_are_dragged() {
    let mut d = driver();
    let feet = [d.world("foot.l"), d.world("foot.r")];
    let hips = d.at("hips");
    d.drag(hips, by(hips, 5.0, 35.0), 8);
    assert_eq!(d.steps(), 1);
    for (name, before) in ["foot.l", "foot.r"].into_iter().zip(feet) {
        assert!((d.world(name) - before).norm() < 1e-4, "{name}");
    }
}

#[test]
fn shift_is_slow_and_ctrl_goes_in_steps() {
    let moved = |held: Modifiers| {
        let mut d = driver();
        d.select(&["hips"]);
        let before = d.world("hips");
        d.hover([640.0, 400.0]);
        d.grab(Grab::Move);
        d.key(Key::X);
        d.held = held;
        d.send(inbetween::interact::input::Event::Modifiers(held));
        d.hover([741.0, 400.0]);
        let moved = d.world("hips") - before;
        d.cancel();
        moved
    };
    let (fast, slow, steps) = (moved(Modifiers::NONE), moved(Modifiers::SHIFT), moved(Modifiers::CTRL));
    assert!(fast.x.abs() > 0.1 && fast.y.abs() < 1e-9, "{fast}");
    assert!((slow.x / fast.x - 0.1).abs() < 0.02, "{slow} of {fast}");
    let centimetres = steps.x * 100.0;
    assert!((centimetres - centimetres.round()).abs() < 1e-6 && (steps - fast).norm() < 0.06, "{steps}");
}

#[test]
fn typed_numbers_move_and_turn_exactly() {
    let mut d = driver();
    d.select(&["hips"]);
    let before = d.world("hips");
    d.grab(Grab::Move);
    d.key(Key::Y);
    d.type_number("-0.25");
    d.key(Key::Enter);
    assert!((d.world("hips") - before - Vec3::new(0.0, -0.25, 0.0)).norm() < 1e-9);
    let turned = d.world_affine("chest").rotation();
    d.select(&["chest"]);
    d.grab(Grab::Rotate);
    d.key(Key::Z);
    d.type_number("30");
    d.click([300.0, 300.0]);
    let by = d.world_affine("chest").rotation() * turned.inverse();
    assert!((rotation_angle(&by).to_degrees() - 30.0).abs() < 1e-6);
    assert!((by * Vec3::z() - Vec3::z()).norm() < 1e-9, "about the world's Z");
    assert_eq!(d.steps(), 2);
    assert!(!d.is_busy());
}

#[test]
fn a_typed_target_is_met_exactly_by_the_limb() {
    let mut d = driver();
    d.select(&["hand.l"]);
    let before = d.world("hand.l");
    d.grab(Grab::Move);
    d.key(Key::Y);
    d.type_number("0.1");
    d.key(Key::Enter);
    assert!((d.world("hand.l") - before - Vec3::new(0.0, 0.1, 0.0)).norm() < 1e-6);
}

#[test]
fn an_axis_key_holds_a_drag_to_the_axis() {
    let mut d = driver();
    // Feet that hold would draw the hips down.
    d.view.drag.hold_feet = false;
    let before = d.world("hips");
    let at = d.at("hips");
    d.pull(at, by(at, 30.0, 20.0), 3);
    d.key(Key::Z);
    let moved = d.world("hips") - before;
    assert!(moved.x.abs() < 1e-9 && moved.y.abs() < 1e-9 && moved.z.abs() > 1e-3, "{moved}");
    d.release(by(at, 30.0, 20.0));
    assert_eq!(d.steps(), 1);
}

#[test]
fn several_joints_turn_together_about_their_own_axes() {
    let names = ["spine", "chest", "neck"];
    let mut d = driver();
    d.select(&names);
    d.take(ToolId::Rotate);
    d.view.space = TransformSpace::Local;
    let local = |d: &Driver| {
        let frame = d.frame();
        let rig = frame.rig(d.rig()).unwrap().clone();
        let document = d.session.document().clone();
        let skeleton = document.object(d.rig()).unwrap().as_rig().unwrap().skeleton.clone();
        names.map(|name| rig.local[skeleton.index_of(d.joint(name)).unwrap()].rotation)
    };
    let before = local(&d);
    let at = d.handle_pos(Handle::Ring(0));
    d.drag(at, by(at, 12.0, 40.0), 5);
    let after = local(&d);
    let turns: Vec<_> = before.iter().zip(&after).map(|(b, a)| b.inverse() * a).collect();
    let angle = rotation_angle(&turns[0]);
    assert!(angle > 0.05, "{angle}");
    for turn in &turns {
        assert!((rotation_angle(turn) - angle).abs() < 1e-6);
        assert!((turn * Vec3::x() - Vec3::x()).norm() < 1e-6, "about its own X");
    }
}

#[test]
fn an_arrow_moves_along_its_axis_only() {
    for space in TransformSpace::ALL {
        let mut d = driver();
        d.select(&["hips"]);
        d.take(ToolId::Move);
        d.view.space = space;
        let axis = d.gizmo().axis(1);
        let before = d.world("hips");
        let at = d.handle_pos(Handle::Arrow(1));
        d.drag(at, by(at, 30.0, -50.0), 6);
        let moved = d.world("hips") - before;
        assert!(moved.norm() > 0.02 && moved.cross(&axis).norm() < 1e-6, "{space:?}: {moved} along {axis}");
    }
}

#[test]
fn whole_objects_move_and_turn_too() {
    let mut d = driver();
    let rig = d.rig();
    d.session.select(inbetween::edit::Selection::single(Target::Object(rig)));
    d.grab(Grab::Move);
    d.key(Key::X);
    d.type_number("2");
    d.key(Key::Enter);
    let placed = d.session.document().object(rig).unwrap().transform;
    assert!((placed.translation - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-12);
    d.grab(Grab::Rotate);
    d.key(Key::Y);
    d.type_number("90");
    d.key(Key::Enter);
    let turned = d.session.document().object(rig).unwrap().transform.rotation;
    assert!((rotation_angle(&turned).to_degrees() - 90.0).abs() < 1e-9);
    assert_eq!(d.steps(), 2);
}

#[test]
fn with_auto_key_off_a_drag_waits_at_its_frame() {
    let mut d = driver();
    d.auto_key = AutoKey::Off;
    let hand = d.at("hand.l");
    d.drag(hand, by(hand, 20.0, -40.0), 4);
    let document = d.session.document().clone();
    let clip = document.clip(document.clip_of(d.rig()).unwrap()).unwrap().clone();
    assert!(clip.unkeyed_at(d.view.secs).is_some_and(|frame| !frame.values.is_empty()));
    assert_eq!(d.steps(), 1);
}

#[test]
fn what_the_pointer_is_over_is_said() {
    let mut d = driver();
    let hand = d.at("hand.l");
    d.hover(hand);
    let look = d.look();
    assert_eq!((look.hovered, look.hint), (Some(Hovered::Target(d.target("hand.l"))), "hint.drag_over"));
    d.hover([4.0, 4.0]);
    assert_eq!((d.look().hovered, d.look().hint), (None, "hint.drag"));
    d.select(&["hips"]);
    d.take(ToolId::Move);
    let at = d.handle_pos(Handle::Arrow(0));
    d.hover(at);
    assert_eq!(d.look().hovered, Some(Hovered::Handle(Handle::Arrow(0))));
}

#[test]
fn the_view_stands_while_something_is_dragged() {
    let mut d = begun("drag");
    let camera = d.view.camera;
    d.send(inbetween::interact::input::Event::pointer(
        inbetween::interact::input::PointerKind::Scroll { delta: [0.0, 80.0], smooth: false },
        [300.0, 300.0],
        Modifiers::NONE,
    ));
    assert_eq!(d.view.camera, camera);
    d.cancel();
}

/// In every human file: hands, feet, head and hips follow the pointer, what holds still holds still, Esc gives all back.
#[test]
fn limbs_of_the_corpus_go_with_the_pointer() {
    let Some(folder) = corpus() else { return };
    let truth: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("limbs.json")).unwrap()).unwrap();
    let mut tried = 0;
    for (file, limbs) in truth.as_object().unwrap() {
        // Their position channels fold the limbs; they are posed from rest, which is another test's matter.
        if ["makehuman_tpose.bvh", "makehuman_benchmark_pose.bvh"].contains(&file.as_str()) {
            continue;
        }
        let path = folder.join("bvh").join(file);
        let opened = inbetween::io::open::open(&path, inbetween::io::bvh::ImportOptions::default()).unwrap();
        for part in ["left_arm", "right_arm", "left_leg", "right_leg", "head", "hips"] {
            let Some(joint) = limbs[part].as_str().or_else(|| limbs[part][2].as_str()) else { continue };
            let mut d = Driver::new(opened.document.clone());
            let before = d.session.document().clone();
            let at = d.at(joint);
            let size = d.view.camera.metres_per_point([1280.0, 800.0]);
            // A little, and to where no limb and no spine has to stretch: limbs towards what they hang from.
            let (dx, dy) = match (part, limbs[part][0].as_str()) {
                (_, Some(root)) => {
                    let root = d.at(root);
                    let (x, y) = (root[0] - at[0], root[1] - at[1]);
                    (10.0 * x / x.hypot(y), 10.0 * y / x.hypot(y))
                }
                ("head", None) => (10.0, 2.0),
                _ => (4.0, 6.0),
            };
            let goal = d.camera().point_at_depth_of(by(at, dx, dy), &d.world(joint));
            d.pull(at, by(at, dx, dy), 4);
            let missed = (d.world(joint) - goal).norm();
            let moved = (dx * dx + dy * dy).sqrt() * size;
            assert!(missed.is_finite() && missed < 0.7 * moved, "{file} {joint}: missed by {missed} of {moved} m");
            d.key(Key::Escape);
            assert!(Arc::ptr_eq(d.session.document(), &before), "{file} {joint}");
            d.drag(at, by(at, dx, dy), 4);
            assert_eq!((d.steps(), d.session.document().problems().len()), (1, 0), "{file} {joint}");
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
}

fn corpus() -> Option<std::path::PathBuf> {
    let own = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/files");
    let folder = std::env::var_os("INBETWEEN_FILES").map_or(own, std::path::PathBuf::from);
    if folder.join("limbs.json").is_file() {
        return Some(folder);
    }
    eprintln!("corpus: no limbs.json in {}: drags are not tried on it", folder.display());
    None
}

#[test]
fn a_click_on_a_handle_is_for_what_lies_behind() {
    let mut d = driver();
    d.select(&["hand.l"]);
    d.take(ToolId::Rotate);
    let (gizmo, view, hips) = (d.gizmo(), d.camera(), d.at("hips"));
    let ring = gizmo.outline(Handle::ViewRing, &view);
    let away = |pos: &ScreenPos| (pos[0] - hips[0]).abs();
    // Far from the body nothing lies behind the ring.
    let at = ring.iter().filter_map(|p| view.project(p)).max_by(|a, b| away(a).total_cmp(&away(b))).unwrap();
    d.hover(at);
    assert_eq!(d.look().hovered, Some(Hovered::Handle(Handle::ViewRing)));
    d.click(at);
    assert_eq!((d.steps(), d.selected().len(), d.is_busy()), (0, 0, false));
}

#[test]
fn what_is_hovered_follows_the_camera() {
    let mut d = driver();
    let at = d.at("hand.l");
    d.hover(at);
    assert!(d.look().hovered.is_some());
    d.view.camera = d.view.camera.panned([300.0, 0.0], [1280.0, 800.0]);
    assert_eq!(d.look().hovered, None, "the hand is elsewhere now");
}
