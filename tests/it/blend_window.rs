//! The blend space panel in the window without a renderer: played, its point and samples dragged, undone, refused.

use crate::support::fakes::Outside;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::App,
    model::{BlendScheme, BlendSpace, Plays, Property},
};
use std::path::Path;

type Window = Harness<'static, App>;

fn start() -> (Outside, Window) {
    let outside = Outside::default();
    let moves = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples/moves.ron");
    let mut window = outside.start(Some(moves), [1280.0, 800.0]);
    // The workspace of that name is the last, after the menu.
    let tab = |window: &Window| {
        let all = window.query_all_by_label("Blend").map(|node| node.rect().center());
        all.max_by(|a, b| a.x.total_cmp(&b.x)).unwrap()
    };
    let at = tab(&window);
    drag(&mut window, at, at);
    (outside, window)
}

fn drag(window: &mut Window, from: Pos2, to: Pos2) {
    press(window, from);
    for step in 1..=6_u8 {
        window.event(Event::PointerMoved(from + (to - from) * (f32::from(step) / 6.0)));
        window.step();
    }
    release(window, to);
}

fn button(window: &mut Window, pos: Pos2, pressed: bool) {
    window.event(Event::PointerMoved(pos));
    window.step();
    window.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    window.step();
}

fn press(window: &mut Window, at: Pos2) {
    button(window, at, true);
}

fn release(window: &mut Window, at: Pos2) {
    button(window, at, false);
    window.run();
}

fn click(window: &mut Window, label: &str) {
    let at = window.get_by_label(label).rect().center();
    drag(window, at, at);
}

fn place(window: &Window, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

fn steps(window: &Window) -> usize {
    window.state().session().history().index()
}

fn space<'w>(window: &'w Window, name: &str) -> &'w BlendSpace {
    let spaces = &window.state().session().document().blend_spaces;
    spaces.values().find(|space| space.name == name).unwrap()
}

#[test]
fn a_space_is_played_and_its_point_dragged_keyed_and_undone() {
    let (_outside, mut window) = start();
    let before = steps(&window);
    click(&mut window, "Play this space");
    assert_eq!(steps(&window), before + 1);
    let layer = |window: &Window| {
        let document = window.state().session().document().clone();
        let (id, object, _) = document.rigs().next().unwrap();
        (id, (*object.layers[0]).clone())
    };
    assert!(matches!(layer(&window).1.plays, Plays::Space(_)));
    let from = place(&window, "Blend point");
    drag(&mut window, from, from + vec2(60.0, 5.0));
    assert_eq!(steps(&window), before + 2, "a drag is one step");
    let moved = layer(&window).1.point[0];
    assert!(moved > 0.1, "{moved}");
    // Given up in mid-drag nothing has happened.
    let from = place(&window, "Blend point");
    press(&mut window, from);
    for by in [20.0, 40.0] {
        window.event(Event::PointerMoved(from + vec2(by, 0.0)));
        window.step();
    }
    assert!(window.state().session().in_gesture());
    window.key_press(Key::Escape);
    window.run();
    release(&mut window, from + vec2(40.0, 0.0));
    assert_eq!((steps(&window), layer(&window).1.point[0]), (before + 2, moved));
    // A key, and from then on a drag keys.
    click(&mut window, "Key point");
    let from = place(&window, "Blend point");
    drag(&mut window, from, from + vec2(30.0, 0.0));
    assert_eq!(steps(&window), before + 4);
    let document = window.state().session().document();
    let take = document.clip(document.settings.clip.unwrap()).unwrap();
    let (object, layer) = (layer(&window).0, layer(&window).1.id);
    let path = inbetween::model::ChannelPath::layer(object, layer, Property::Horizontal);
    assert_eq!(take.channels[&path].len(), 1);
    for _ in 0..4 {
        window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        window.run();
    }
    assert_eq!(steps(&window), before);
}

#[test]
fn samples_are_dragged_and_do_not_come_onto_each_other() {
    let (_outside, mut window) = start();
    let at = |window: &Window| -> Vec<[f64; 2]> { space(window, "Gait").samples.iter().map(|s| s.at).collect() };
    let before = at(&window);
    let (walk, run) = (place(&window, "Sample Walk"), place(&window, "Sample Run"));
    drag(&mut window, walk, walk + vec2(24.0, 0.0));
    let moved = at(&window);
    assert!(moved[1][0] > before[1][0] && moved[2] == before[2] && steps(&window) == 1);
    // Beyond the end of the axis is its end; onto another is nowhere.
    let here = place(&window, "Sample Run");
    drag(&mut window, here, here + vec2(400.0, 0.0));
    assert_eq!(at(&window)[2][0], space(&window, "Gait").axes[0].range[1]);
    let there = place(&window, "Sample Run");
    let walk = place(&window, "Sample Walk");
    press(&mut window, walk);
    for by in [run, there] {
        window.event(Event::PointerMoved(by));
        window.step();
    }
    release(&mut window, there);
    assert_eq!(space(&window, "Gait").on_one_spot(), []);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run();
    assert_eq!(space(&window, "Gait").scheme, BlendScheme::Linear);
}

#[test]
fn every_tab_and_scheme_is_shown_of_any_space() {
    let (_outside, mut window) = start();
    click(&mut window, "New");
    click(&mut window, "New blend space of two axes");
    assert!(space(&window, "Plane").samples.is_empty());
    for tab in ["Axes", "Weights", "Steps", "Samples"] {
        click(&mut window, tab);
    }
    for (scheme, tab) in
        [("Gradient bands, polar", "Axes"), ("Direct", "Weights"), ("Linear", "Axes"), ("Triangles", "Samples")]
    {
        click(&mut window, "How weights follow from the point");
        click(&mut window, scheme);
        click(&mut window, tab);
    }
    assert_eq!(space(&window, "Plane").scheme, BlendScheme::Delaunay);
}
