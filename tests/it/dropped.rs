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
