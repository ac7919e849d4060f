//! Files dropped on the window.

use crate::support::fakes::Outside;
use inbetween::model::Document;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file as the system hands it over.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// What the window holds after files were dropped on it, one after the other, and what its log says last.
fn after_dropping(files: &[PathBuf]) -> (Arc<Document>, String) {
    let mut window = Outside::default().start(None, [1280.0, 800.0]);
    for file in files {
        window.input_mut().dropped_files = vec![Arc::new(Dropped(file.clone()))];
        window.step();
        window.input_mut().dropped_files.clear();
        window.run();
    }
    (window.state().session().document().clone(), format!("{:?}", window.state().notices()))
}

#[test]
fn a_dropped_file_is_opened_whatever_its_kind_and_a_wrong_one_changes_nothing() {
    let sample = Outside::default().start(None, [1280.0, 800.0]).state().session().document().clone();
    let bvh = after_dropping(&[data("bvh/B04_scientific.bvh")]).0;
    let gltf = after_dropping(&[data("gltf/B12_skinned_node_has_transform.gltf")]).0;
    assert!(bvh != sample && gltf != sample && gltf != bvh);
    // A document takes the place of what was opened before.
    let walk = data("../../assets/samples/walk.ron");
    let ron = after_dropping(&[data("bvh/B04_scientific.bvh"), walk.clone()]).0;
    assert_eq!(ron, after_dropping(&[walk]).0);
    for wrong in [data("nothing.bvh"), data("bvh"), data("../it/main.rs")] {
        let (document, said) = after_dropping(std::slice::from_ref(&wrong));
        assert_eq!(document, sample);
        let name = wrong.file_name().unwrap().to_string_lossy().into_owned();
        assert!(said.contains(&name), "{name}: {said}");
    }
}

/// The window after several files were dropped at once, with how often its log spoke and what it said last.
fn after_dropping_together(files: &[PathBuf]) -> (Arc<Document>, usize, String, String) {
    let mut window = Outside::default().start(None, [1280.0, 800.0]);
    let before = window.state().notices().entries().len();
    let dropped = |file: &PathBuf| Arc::new(Dropped(file.clone())) as Arc<dyn egui::DroppedFile + Send + Sync>;
    window.input_mut().dropped_files = files.iter().map(dropped).collect();
    window.step();
    window.input_mut().dropped_files.clear();
    window.run();
    let entries = window.state().notices().entries();
    let last = &entries.last().unwrap().notice;
    let steps = window.state().session().history().len();
    assert!(entries.len() > before);
    (window.state().session().document().clone(), steps, last.text.clone(), last.details.clone())
}

#[test]
fn of_several_dropped_files_the_first_opens_and_the_others_are_imported_with_one_report() {
    let (bvh, cubic) = (data("bvh/B04_scientific.bvh"), data("gltf/B06_cubic_tangents_per_second.gltf"));
    let gltf = data("gltf/B12_skinned_node_has_transform.gltf");
    let opened = after_dropping(std::slice::from_ref(&bvh)).0;
    let (all, steps, said, details) = after_dropping_together(&[bvh.clone(), cubic.clone(), gltf.clone()]);
    assert!(all.objects.len() > opened.objects.len() && all.clips.len() >= opened.clips.len());
    assert!(said.contains('3'), "{said}");
    for name in ["B04_scientific", "B06_cubic", "B12_skinned"] {
        assert!(details.contains(name), "{name}: {details}");
    }
    // A step of undo for each that was imported.
    assert_eq!(steps, after_dropping_together(&[bvh.clone(), cubic.clone()]).1 + 1);
    // A document goes first wherever it was in the list; one beside it is refused by name, and the others still come.
    let walk = data("../../assets/samples/walk.ron");
    let (with_document, _, said, details) = after_dropping_together(&[cubic.clone(), walk.clone(), walk.clone()]);
    let alone = after_dropping(std::slice::from_ref(&walk)).0;
    assert!(alone.objects.keys().all(|id| with_document.objects.contains_key(id)));
    assert!(with_document.objects.len() > alone.objects.len());
    assert!(said.contains("2 of 3") && details.contains("walk.ron was not brought in"), "{said} {details}");
    // One that cannot be read hinders no other.
    let (rest, _, said, _) = after_dropping_together(&[data("nothing.bvh"), bvh, cubic]);
    assert!(rest.objects.len() > opened.objects.len() && said.contains("2 of 3"), "{said}");
}

#[test]
fn what_is_typed_into_a_question_is_not_lost_to_a_click_beside_it_or_a_dropped_file() {
    use egui_kittest::kittest::Queryable as _;
    let mut window = Outside::default().start(None, [1280.0, 800.0]);
    for label in ["Help", "About Inbetween"] {
        window.get_by_label(label).click();
        window.run();
    }
    assert!(window.query_by_label("Close").is_some());
    let before = window.state().session().document().clone();
    window.input_mut().dropped_files = vec![Arc::new(Dropped(data("bvh/B04_scientific.bvh")))];
    window.step();
    window.input_mut().dropped_files.clear();
    window.run();
    assert_eq!(*window.state().session().document(), before);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        let pos = egui::pos2(20.0, 400.0);
        window.input_mut().events.push(egui::Event::PointerMoved(pos));
        window.input_mut().events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
        window.step();
    }
    window.run();
    assert!(window.query_by_label("Close").is_some(), "it still asks");
}
