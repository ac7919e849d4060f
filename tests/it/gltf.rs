//! glTF: the files of the corpus and of the cases have their vertices where an independent reader has them.

use inbetween::eval::{Evaluator, mesh};
use inbetween::io::bvh::ImportOptions;
use inbetween::io::open::{Opened, open};
use inbetween::math::Vec3;
use inbetween::model::{ClipId, Document, Object, ObjectId};
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A line on the terminal even where the test passes.
fn tell(line: &str) {
    writeln!(std::io::stderr(), "{line}").ok();
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf")
}

fn corpus() -> PathBuf {
    let named = std::env::var_os("INBETWEEN_FILES").filter(|name| !name.is_empty());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(named.unwrap_or_else(|| "../shared/files".into()))
}

/// The glTF files of a folder and the folders in it, in order of name.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())));
    let mut files: Vec<PathBuf> = entries.map(Iterator::collect).unwrap_or_default();
    files.sort();
    let deeper = files.iter().filter(|path| path.is_dir()).flat_map(|path| files_in(path)).collect::<Vec<_>>();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb"));
    files.extend(deeper);
    files
}

/// Every file with its expected values.
fn expected_files() -> Vec<(PathBuf, Value)> {
    let read = |path: PathBuf| serde_json::from_str::<Value>(&std::fs::read_to_string(path).ok()?).ok();
    let own = files_in(&data())
        .into_iter()
        .filter_map(|path| Some((path.clone(), read(path.with_extension("expected.json"))?)));
    let own: Vec<_> = own.collect();
    assert!(own.len() >= 8, "the cases are there");
    let folder = corpus();
    let others: Vec<_> = files_in(&folder.join("gltf"))
        .into_iter()
        .filter_map(|path| {
            let name = format!("gltf_{}.json", path.file_stem()?.to_str()?);
            Some((path, read(folder.join("expected").join(name))?))
        })
        .collect();
    if others.is_empty() {
        tell(&format!("corpus gltf: no files in {}", folder.display()));
    }
    own.into_iter().chain(others).collect()
}

fn opened(path: &Path) -> Opened {
    open(path, ImportOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The document with all its objects playing one clip, or none.
fn playing(document: &Document, clip: Option<ClipId>) -> Document {
    let mut document = document.clone();
    Arc::make_mut(&mut document.settings).clip = clip;
    document
}

/// The mesh object of a node: the one in its place, or the one that hangs on it.
fn mesh_of(document: &Document, node: usize) -> (ObjectId, &Arc<Object>) {
    let place = document.node_order[node];
    let own = document.objects.iter().find(|(id, object)| {
        object.as_mesh().is_some() && (place == inbetween::model::Parent::Object(**id) || object.parent == Some(place))
    });
    own.map(|(id, object)| (*id, object)).expect("a mesh at the node")
}

/// The largest distance of any vertex from where it is expected, relative to the mesh's reach; in double and in single
/// precision.
fn off_by(document: &Document, secs: f64, wanted: &Value) -> (f64, f64) {
    let frame = Evaluator::new().frame(document, secs);
    let (mut worst, mut worst_single) = (0.0_f64, 0.0_f64);
    for (key, points) in wanted.as_object().expect("meshes") {
        let (node, part) =
            key.strip_prefix("node").and_then(|key| key.split_once(".prim")).expect("node and primitive");
        let (id, object) = mesh_of(document, node.parse().expect("a number"));
        let own = object.as_mesh().expect("a mesh");
        let state = mesh::mesh_state(document, &frame, id).expect("a state");
        let (all, drawn) = (mesh::positions(own, &state), mesh::posed(own, &state));
        let (_, vertices, _) = own.ranges().nth(part.parse().expect("a number")).expect("a part");
        let points: Vec<[f64; 3]> = serde_json::from_value(points.clone()).expect("points");
        let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
        let reach = points.iter().map(|p| p.norm()).fold(1e-9, f64::max);
        assert!(points.len() <= vertices.len(), "{key}: {} vertices", vertices.len());
        for (wanted, index) in points.iter().zip(vertices) {
            worst = worst.max((all[index] - wanted).norm() / reach);
            let single = drawn.positions[index];
            let single = Vec3::new(f64::from(single[0]), f64::from(single[1]), f64::from(single[2]));
            worst_single = worst_single.max((single - all[index]).norm() / reach);
        }
    }
    (worst, worst_single)
}

#[test]
fn corpus_gltf_files_have_their_vertices_where_they_should_be() {
    for (path, expected) in expected_files() {
        let Opened { document, report, .. } = opened(&path);
        assert_eq!(document.problems(), [], "{}", path.display());
        let (mut worst, mut single) = off_by(&playing(&document, None), 0.0, &expected["default_pose"]);
        let clips: Vec<ClipId> = document.clips.keys().copied().collect();
        let animations = expected["animations"].as_array().map_or(&[][..], Vec::as_slice);
        // Of some files only the first animations are given.
        assert!(clips.len() >= animations.len(), "{}", path.display());
        for (clip, animation) in clips.iter().zip(animations) {
            if let Some(name) = animation["name"].as_str() {
                assert_eq!(document.clip(*clip).expect("a clip").name, name);
            }
            for (secs, wanted) in animation["frames"].as_object().expect("frames") {
                let off = off_by(&playing(&document, Some(*clip)), secs.parse().expect("seconds"), wanted);
                worst = worst.max(off.0);
                single = single.max(off.1);
            }
        }
        assert!(worst < 1e-4, "{}: off by {worst:e}; {:?}", path.display(), report.lines());
        assert!(single < 1e-5, "{}: single precision off by {single:e}", path.display());
    }
}

#[test]
fn gltf_files_come_back_from_a_saved_document() {
    for (path, _) in expected_files() {
        let document = opened(&path).document;
        let text = inbetween::io::ron::save(&document).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again = inbetween::io::ron::load(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(again, document, "{}", path.display());
    }
}
