//! The first minutes in the window without a renderer: cards of samples, the tour, what panels are, the sheet of keys.

use crate::support::fakes::Outside;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::{App, NoPainter, files::DialogAnswer},
    command::{PanelId, Workspace},
    interact::view_state::Profile,
    samples::SAMPLES,
    ui::{panel::PANELS, tour::steps::STEPS},
};

type Window = Harness<'static, App>;

fn start() -> (Outside, Window) {
    let outside = Outside::default();
    let window = outside.start(None, [1280.0, 800.0]);
    (outside, window)
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run();
}

/// Clicks what has this name; what plays then is stopped.
fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    for _ in 0..3 {
        window.step();
    }
    press(window, Modifiers::NONE, Key::K);
}

fn button(window: &mut Window, pos: Pos2, button: PointerButton, pressed: bool) {
    window.event(Event::PointerMoved(pos));
    window.step();
    window.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
    window.step();
}

fn drag(window: &mut Window, from: Pos2, by: egui::Vec2, with: PointerButton) {
    button(window, from, with, true);
    for step in 1..=6_u8 {
        window.event(Event::PointerMoved(from + by * (f32::from(step) / 6.0)));
        window.step();
    }
    button(window, from + by, with, false);
    window.run();
}

/// Where a joint is in the 3D view.
fn joint(window: &Window, name: &str) -> Pos2 {
    window.get_by_role_and_label(Role::GraphicsObject, name).rect().center()
}

fn place(window: &Window, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

/// A card, its sample, and where it leads.
const CARDS: [(&str, &str, Workspace, PanelId); 7] = [
    ("Pose", "stand", Workspace::Pose, PanelId::Viewport),
    ("Time", "bounce", Workspace::Pose, PanelId::DopeSheet),
    ("Trail", "reach", Workspace::Pose, PanelId::Spacing),
    ("Race", "race", Workspace::Curves, PanelId::Race),
    ("Solver lab", "arm", Workspace::Lab, PanelId::SolverLab),
    ("Lattice", "torso", Workspace::Shape, PanelId::Inspector),
    ("Blend", "gait", Workspace::Blend, PanelId::BlendSpace),
];

#[test]
fn every_card_opens_its_sample_with_something_selected_and_its_panel_in_front() {
    let (_, mut window) = start();
    for (card, sample, workspace, panel) in CARDS {
        click(&mut window, &format!("Open sample: {card}"));
        let built = (SAMPLES.iter().find(|known| known.id == sample).unwrap().build)();
        assert!(**window.state().session().document() == built, "{card}");
        assert!(!window.state().session().is_modified(), "{card}: an ordinary document");
        assert!(window.state().session().selection().active.is_some(), "{card}");
        assert_eq!(window.state().workspace(), workspace, "{card}");
        for shown in [panel, PanelId::Viewport] {
            assert!(window.state().shows(shown), "{card} shows {shown:?}");
        }
        assert!(window.state().shows_start(), "the other cards stay at hand");
    }
}

#[test]
fn the_first_drag_after_a_card_does_something() {
    let (_, mut window) = start();
    for (card, at, by) in [
        ("Pose", "hand.r", vec2(20.0, -30.0)),
        ("Trail", "hand.r", vec2(15.0, 20.0)),
        ("Lattice", "Torso lattice point 3, 2, 3", vec2(20.0, 0.0)),
        ("Blend", "Blend point", vec2(40.0, 0.0)),
    ] {
        click(&mut window, &format!("Open sample: {card}"));
        let from = match card {
            "Blend" => place(&window, at),
            _ => joint(&window, at),
        };
        drag(&mut window, from, by, PointerButton::Primary);
        assert_eq!(steps(&window), 1, "{card}");
        press(&mut window, Modifiers::COMMAND, Key::Z);
    }
}

#[test]
fn a_card_asks_before_work_is_lost() {
    let (_, mut window) = start();
    click(&mut window, "Open sample: Pose");
    let hand = joint(&window, "hand.r");
    drag(&mut window, hand, vec2(20.0, -30.0), PointerButton::Primary);
    let document = window.state().session().document().clone();
    window.get_by_label("Open sample: Race").click();
    window.run();
    assert!(window.query_by_label("Save the changes to Sample pose?").is_some());
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(std::sync::Arc::ptr_eq(&document, window.state().session().document()));
}

#[test]
fn the_cards_are_closed_brought_back_and_stay_away_where_so_chosen() {
    let (outside, mut window) = start();
    assert!(window.state().shows_start());
    click(&mut window, "Close the start cards");
    assert!(!window.state().shows_start() && window.query_by_label("Open sample: Pose").is_none());
    press(&mut window, Modifiers::NONE, Key::F3);
    window.get_by_label("Find a command").type_text("start cards");
    window.run();
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(window.state().shows_start());
    click(&mut window, "Show at start");
    let again = App::new(outside.services(), Box::new(NoPainter), None);
    assert!(!again.shows_start());
    click(&mut window, "Show at start");
    let again = App::new(outside.services(), Box::new(NoPainter), None);
    assert!(again.shows_start());
}

#[test]
fn every_step_of_the_tour_is_done_by_doing_it() {
    let (outside, mut window) = start();
    click(&mut window, "Guided tour");
    let at = |window: &Window| window.state().tour_step();
    let is_at = |window: &Window, step: usize| {
        assert_eq!(at(window), Some(step), "now: {}", STEPS.get(step).map_or("the end", |step| step.title));
    };
    is_at(&window, 0);
    let open_ground = place(&window, "3D view") + vec2(-200.0, -60.0);
    drag(&mut window, open_ground, vec2(50.0, 10.0), PointerButton::Middle);
    is_at(&window, 1);

    let hand = joint(&window, "hand.r");
    drag(&mut window, hand, vec2(10.0, -20.0), PointerButton::Primary);
    is_at(&window, 2);

    press(&mut window, Modifiers::SHIFT, Key::P);
    is_at(&window, 3);

    let ruler = place(&window, "Ruler");
    drag(&mut window, ruler, vec2(31.0, 0.0), PointerButton::Primary);
    is_at(&window, 4);

    press(&mut window, Modifiers::SHIFT, Key::I);
    is_at(&window, 5);

    // A key of the hand's curve, by the keyboard over the graph.
    let graph = window.get_by_role_and_label(Role::Canvas, "Curves").rect().center();
    window.hover_at(graph);
    window.run();
    press(&mut window, Modifiers::NONE, Key::A);
    press(&mut window, Modifiers::ALT, Key::ArrowUp);
    is_at(&window, 6);

    press(&mut window, Modifiers::COMMAND, Key::S);
    is_at(&window, 6);
    let hand = joint(&window, "hand.r");
    drag(&mut window, hand, vec2(10.0, -20.0), PointerButton::Primary);
    is_at(&window, 7);

    for _ in 0..steps(&window) {
        press(&mut window, Modifiers::COMMAND, Key::Z);
    }
    click(&mut window, "Open sample");
    is_at(&window, 7);
    let hand = joint(&window, "hand.r");
    drag(&mut window, hand, vec2(20.0, -30.0), PointerButton::Primary);
    is_at(&window, 8);

    press(&mut window, Modifiers::COMMAND, Key::Z);
    click(&mut window, "Open sample");
    is_at(&window, 8);
    click(&mut window, "Open sample: Blend");
    let point = place(&window, "Blend point");
    drag(&mut window, point, vec2(40.0, 0.0), PointerButton::Primary);
    is_at(&window, 9);

    let folder = tempfile::tempdir().unwrap();
    *outside.answer.borrow_mut() = Some(DialogAnswer::Picked(folder.path().join("kept.ron")));
    press(&mut window, Modifiers::COMMAND, Key::S);
    is_at(&window, STEPS.len());
    click(&mut window, "Finish");
    assert_eq!(at(&window), None);
}

#[test]
fn the_tour_blocks_nothing_is_left_and_goes_on_where_it_was() {
    let (outside, mut window) = start();
    click(&mut window, "Guided tour");
    click(&mut window, "Next");
    click(&mut window, "Next");
    click(&mut window, "Back");
    assert_eq!(window.state().tour_step(), Some(1));
    // Esc in a drag is the drag's.
    let hand = joint(&window, "hand.r");
    button(&mut window, hand, PointerButton::Primary, true);
    window.event(Event::PointerMoved(hand + vec2(20.0, -20.0)));
    window.step();
    press(&mut window, Modifiers::NONE, Key::Escape);
    button(&mut window, hand, PointerButton::Primary, false);
    window.run();
    assert_eq!((window.state().tour_step(), steps(&window)), (Some(1), 0));
    click(&mut window, "Leave the tour");
    assert_eq!(window.state().tour_step(), None);
    let mut again = outside.start(None, [1280.0, 800.0]);
    assert_eq!(again.state().tour_step(), None, "it does not come by itself");
    click(&mut again, "Guided tour");
    assert_eq!(again.state().tour_step(), Some(1));
}

#[test]
fn the_sheet_of_keys_opens_is_searched_and_closes_by_the_same_key_and_by_escape() {
    let (_, mut window) = start();
    let is_open = |window: &Window| window.query_by_label("Search keys and gestures").is_some();
    for close in [Key::Escape, Key::F1] {
        press(&mut window, Modifiers::NONE, Key::F1);
        assert!(is_open(&window));
        press(&mut window, Modifiers::NONE, close);
        assert!(!is_open(&window), "{close:?}");
    }
    press(&mut window, Modifiers::NONE, Key::F1);
    window.get_by_label("Search keys and gestures").type_text("plant");
    window.run();
    assert!(window.query_by_label("Plant feet").is_some() && window.query_by_label("Save as…").is_none());
    assert_eq!(window.state().view().profile, Profile::BlenderLike);
}

#[test]
fn every_panel_that_is_seen_has_its_question_mark() {
    let (_, mut window) = start();
    let mut asked = 0;
    for spec in PANELS {
        let name = format!("What is this: {}", inbetween::text::t(spec.title));
        let shown = window.query_by_label(&name).is_some();
        assert_eq!(shown, window.state().shows(spec.id), "{name}");
        if shown {
            asked += 1;
            window.get_by_label(&name).click();
            window.run();
            let first = inbetween::text::t(&inbetween::ui::about::first_key(spec.id));
            assert!(window.query_by_label(&first).is_some(), "{name}");
            press(&mut window, Modifiers::NONE, Key::Escape);
        }
    }
    assert!(asked >= 5, "{asked}");
}
