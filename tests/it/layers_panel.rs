//! The layers panel and the clip library operated as a user operates them.

use crate::support::desk::{Desk, button, moved};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    eval::blend::layers::written_layer,
    model::{Document, Layer, LayerId, LayerMode, Object, Plays, names::find_clip},
    samples::SAMPLES,
    ui::{
        panel::Panel,
        panels::{clips::ClipsPanel, layers::LayersPanel},
    },
};
use std::sync::Arc;

type Window<P> = Harness<'static, Desk<P>>;

/// The biped that walks, and waves over it.
fn document() -> Document {
    let mut document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    let layers = [("walk", "Walk"), ("wave", "Wave")].into_iter().zip(0..).map(|((name, clip), id)| {
        Arc::new(Layer::new(LayerId(id), name, Plays::Clip(find_clip(&document, clip).unwrap())))
    });
    let layers = layers.collect();
    document.object_mut(object).unwrap().layers = layers;
    document
}

fn window<P: Panel + Default + 'static>() -> Window<P> {
    let desk = Desk::new(document(), P::default());
    let builder = Harness::builder().with_size(vec2(1000.0, 500.0)).with_step_dt(0.02).with_max_steps(60);
    let mut window = builder.build_ui_state(|ui, desk: &mut Desk<P>| desk.ui(ui), desk);
    window.run();
    window
}

fn rig<P: Panel>(window: &Window<P>) -> Arc<Object> {
    let document = window.state().session.document();
    let id = document.rigs().next().unwrap().0;
    document.object(id).unwrap().clone()
}

fn layers<P: Panel>(window: &Window<P>) -> Vec<String> {
    rig(window).layers.iter().map(|layer| layer.name.clone()).collect()
}

fn drag<P: Panel>(window: &mut Window<P>, from: Pos2, to: Pos2) {
    window.event(moved(from));
    window.event(button(from, PointerButton::Primary, true, Modifiers::NONE));
    window.step();
    for step in 1..=6_u8 {
        window.event(moved(from + (to - from) * (f32::from(step) / 6.0)));
        window.step();
    }
    window.event(button(to, PointerButton::Primary, false, Modifiers::NONE));
    window.run();
}

fn click<P: Panel>(window: &mut Window<P>, label: &str) {
    let at = place(window, label);
    drag(window, at, at);
}

fn place<P: Panel>(window: &Window<P>, label: &str) -> Pos2 {
    window.get_by_label(label).rect().center()
}

#[test]
fn a_layer_is_dragged_over_another_and_undone() {
    let mut window = window::<LayersPanel>();
    assert_eq!(layers(&window), ["walk", "wave"]);
    let (walk, wave) = (place(&window, "Drag walk to another place"), place(&window, "Drag wave to another place"));
    // Into its own gap nothing moves.
    drag(&mut window, walk, wave + vec2(0.0, 6.0));
    assert_eq!((layers(&window), window.state().session.history().index()), (vec!["walk".into(), "wave".into()], 0));
    drag(&mut window, walk, wave - vec2(0.0, 6.0));
    assert_eq!(layers(&window), ["wave", "walk"]);
    assert_eq!(window.state().session.history().index(), 1);
    // Dropped beside the layers it stays.
    let walk = place(&window, "Drag walk to another place");
    drag(&mut window, walk, walk + vec2(0.0, 300.0));
    assert_eq!((layers(&window), window.state().session.history().index()), (vec!["wave".into(), "walk".into()], 1));
    window.state_mut().session.undo();
    window.run();
    assert_eq!(layers(&window), ["walk", "wave"]);
}

#[test]
fn the_pencil_says_which_layer_drags_and_keys_go_to() {
    let mut window = window::<LayersPanel>();
    let written = |window: &Window<LayersPanel>| {
        let document = window.state().session.document();
        let object = document.rigs().next().unwrap().0;
        written_layer(document, object).map(|layer| layer.name.clone())
    };
    assert_eq!(written(&window), None);
    for name in ["wave", "walk"] {
        click(&mut window, &format!("Work on {name}"));
        assert_eq!(written(&window).as_deref(), Some(name));
    }
    click(&mut window, "Add layer…");
    click(&mut window, "New empty clip, added");
    let added = rig(&window).layers.last().unwrap().clone();
    assert_eq!((added.mode, rig(&window).layers.len()), (LayerMode::Additive, 3));
    assert_eq!(written(&window), Some(added.name.clone()));
    assert_eq!(window.state().errors, []);
    // The way back is one step.
    window.state_mut().session.undo();
    window.run();
    assert_eq!((written(&window).as_deref(), rig(&window).layers.len()), (Some("walk"), 2));
}

#[test]
fn a_clip_is_renamed_by_its_key_and_what_goes_with_a_deleted_one_is_told() {
    let mut window = window::<ClipsPanel>();
    let names = |window: &Window<ClipsPanel>| {
        let document = window.state().session.document();
        document.clips.values().map(|clip| clip.name.clone()).collect::<Vec<_>>()
    };
    let at = place(&window, "Choose Wave");
    window.event(moved(at));
    window.run();
    window.key_press(Key::F2);
    window.run();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(Event::Text("Hello".to_owned()));
    window.run();
    window.key_press(Key::Enter);
    window.run();
    assert!(names(&window).contains(&"Hello".to_owned()), "{:?}", names(&window));
    let count = names(&window).len();
    click(&mut window, "Choose Walk");
    click(&mut window, "Delete");
    assert_eq!((names(&window).len(), layers(&window)), (count - 1, vec!["wave".to_owned()]));
    let told = &window.state().notices.last().unwrap().text;
    assert!(told.contains("layer walk of Biped") && told.contains("Gait"), "{told}");
}
