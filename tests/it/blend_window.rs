//! The blend space panel in the window without a renderer: played, its point and samples dragged, undone, refused.

use crate::support::fakes::Outside;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::App,
    model::{BlendScheme, BlendSpace, Plays, Property, Target},
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
    // The view goes with the character, during a drag too.
    let beside = |window: &Window| {
        let (session, view) = (window.state().session(), window.state().view());
        let frame = inbetween::eval::Evaluator::new().frame(session.document(), view.secs);
        let root = frame.joint_world(layer(window).0, 0).unwrap().translation;
        let off = view.camera.pivot - root;
        (off.x.hypot(off.z), root.z)
    };
    assert!(window.state().view().viewport.follow && beside(&window).0 < 1e-9);
    let from = place(&window, "Blend point");
    drag(&mut window, from, from + vec2(60.0, 5.0));
    assert_eq!(steps(&window), before + 2, "a drag is one step");
    let moved = layer(&window).1.point[0];
    assert!(moved > 0.1, "{moved}");
    assert!(beside(&window).0 < 1e-9, "{:?}", beside(&window));
    // Given up in mid-drag nothing has happened.
    let from = place(&window, "Blend point");
    press(&mut window, from);
    for by in [20.0, 40.0] {
        window.event(Event::PointerMoved(from + vec2(by, 0.0)));
        window.step();
    }
    assert!(window.state().session().in_gesture());
    assert!(beside(&window).0 < 0.5, "{:?}", beside(&window));
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

/// Samples of a plane share spots along one axis: the scheme is taken all the same. Weights of their own begin as those of the
/// point, and are channels where a layer plays them.
#[test]
fn schemes_are_switched_on_the_same_samples_and_own_weights_are_keyed() {
    let (_outside, mut window) = start();
    // The choice of the space stands below the panel's tab of that name.
    let named = window.query_all_by_label("Blend space").map(|node| node.rect().center());
    let choice = named.max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    drag(&mut window, choice, choice);
    click(&mut window, "Directions");
    click(&mut window, "Play this space");
    let from = place(&window, "Blend point");
    drag(&mut window, from, from + vec2(10.0, -40.0));
    for (label, scheme) in [("Linear", BlendScheme::Linear), ("Direct", BlendScheme::Direct)] {
        click(&mut window, "How weights follow from the point");
        click(&mut window, label);
        assert_eq!(space(&window, "Directions").scheme, scheme);
    }
    let own: Vec<f64> = space(&window, "Directions").samples.iter().map(|sample| sample.weight).collect();
    assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{own:?}");
    click(&mut window, "Key weights");
    let document = window.state().session().document().clone();
    let take = document.clip(document.settings.clip.unwrap()).unwrap();
    let keyed = take.channels.keys().filter(|path| matches!(path.target, Target::Sample(..))).count();
    assert_eq!(keyed, own.len());
    assert_eq!(document.problems(), []);
}

#[test]
fn the_slide_of_feet_is_measured_beside_the_window() {
    let (_outside, mut window) = start();
    assert!(window.state().view().blend.slides.is_none());
    click(&mut window, "Steps");
    click(&mut window, "Measure the slide");
    window.run();
    let slides = window.state().view().blend.slides.clone().unwrap();
    assert!(slides.found.len() == 3 && slides.found.iter().all(|(_, slide)| slide.is_some()));
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
