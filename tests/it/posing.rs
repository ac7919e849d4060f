//! Posing as it is done in the window: pins, corrections and typed targets, with the panels around them.

use crate::actions::Hands;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use inbetween::io::bvh::ExportOptions;

fn press_button(hands: &mut Hands, pos: Pos2, button: PointerButton, pressed: bool) {
    hands.send(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
}

fn click(hands: &mut Hands, label: &str) {
    hands.window.get_by_label(label).click();
    hands.window.run();
}

fn type_number(hands: &mut Hands, label: &str, text: &str) {
    hands.window.get_by_label(label).scroll_to_me();
    hands.window.run();
    click(hands, label);
    hands.window.get_by_label(label).type_text(text);
    hands.window.run();
    hands.window.key_press(Key::Enter);
    hands.window.run();
}

#[test]
fn keys_typed_in_a_drag_move_no_focus_and_press_no_button() {
    let mut hands = Hands::on(None);
    // Something has the focus: it must not take Enter.
    hands.window.get_by_label("File").focus();
    hands.window.run();
    let (from, before) = (hands.at("hand.l"), hands.place("hand.l", 0.0));
    hands.send(Event::PointerMoved(from));
    press_button(&mut hands, from, PointerButton::Primary, true);
    for step in 1..=6_u8 {
        hands.send(Event::PointerMoved(from + vec2(4.0, -4.0) * f32::from(step)));
    }
    for key in [Key::Num0, Key::Period, Key::Num1, Key::Tab, Key::Num0, Key::Period, Key::Num1] {
        hands.window.key_press(key);
        hands.window.step();
    }
    hands.window.key_press(Key::Enter);
    hands.window.run();
    assert!(hands.window.query_by_label("Recover unsaved work…").is_none(), "the menu stays closed");
    press_button(&mut hands, from + vec2(24.0, -24.0), PointerButton::Primary, false);
    hands.window.run();
    let moved = hands.place("hand.l", 0.0) - before;
    assert_eq!(hands.steps(), 1);
    assert!((moved - inbetween::math::Vec3::new(0.1, 0.1, 0.0)).norm() < 1e-3, "{moved}");
}

#[test]
fn a_pin_is_split_keyed_and_timed_by_numbers_and_its_influence_is_a_curve_of_its_joint() {
    let mut hands = Hands::on(None);
    let at = hands.at("foot.l");
    hands.send(Event::PointerMoved(at));
    for pressed in [true, false] {
        press_button(&mut hands, at, PointerButton::Primary, pressed);
    }
    hands.window.run();
    hands.key(Key::P, Modifiers::NONE);
    let pin = |hands: &Hands| hands.document().clips.values().next().unwrap().pins[0].clone();
    let rate = hands.document().settings.rate;
    type_number(&mut hands, "Last frame of foot.l", "40");
    type_number(&mut hands, "First frame of foot.l", "-8");
    type_number(&mut hands, "Frames over which foot.l goes", "6");
    assert_eq!(pin(&hands).range, (rate.secs(-8), rate.secs(40)));
    assert!((pin(&hands).ease.1 - rate.secs(6)).abs() < 1e-12);
    // What is typed never turns a pin round.
    type_number(&mut hands, "First frame of foot.l", "90");
    assert_eq!(pin(&hands).range.0, rate.secs(40));
    hands.key(Key::Z, Modifiers::COMMAND);
    // The menu of the bar.
    let bar = hands.window.get_by_label("Pin foot.l").rect().center();
    for pressed in [true, false] {
        hands.send(Event::PointerMoved(bar));
        press_button(&mut hands, bar, PointerButton::Secondary, pressed);
    }
    hands.window.run();
    click(&mut hands, "Key the influence of foot.l");
    let document = hands.document();
    let clip = document.clips.values().next().unwrap();
    let keyed = clip.channels.keys().filter(|path| matches!(path.target, inbetween::model::Target::Pin(..)));
    assert_eq!(keyed.count(), 1);
    // The joint is selected, and the graph lists the influence of what holds it.
    assert!(hands.window.query_all_by_label("Pin of foot.l").next().is_some());
}

#[test]
fn a_frame_that_is_dragged_again_keeps_one_correction_whatever_else_is_selected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("captured.bvh");
    let motion = crate::support::motion::exported(&inbetween::samples::start(), ExportOptions::default()).0;
    inbetween::io::file::write(&file, &inbetween::io::bvh::write(&motion)).unwrap();
    let mut hands = Hands::on(Some(file));
    let drag = |hands: &mut Hands, joint: &str| {
        let at = hands.at(joint);
        hands.drag(at, at + vec2(6.0, -12.0));
    };
    let corrections = |hands: &Hands| hands.document().clips.values().next().unwrap().corrections.len();
    drag(&mut hands, "hand.r");
    click(&mut hands, "Correction Frame 0");
    assert!(hands.window.state().session().selection().correction.is_some());
    // Far from the one that is selected: a second one, and no third.
    hands.key(Key::ArrowRight, Modifiers::SHIFT);
    drag(&mut hands, "hand.r");
    assert_eq!(corrections(&hands), 2);
    drag(&mut hands, "hand.r");
    drag(&mut hands, "hand.l");
    assert_eq!(corrections(&hands), 2);
}
