//! glTF: the files of the corpus and of the cases have their vertices where an independent reader has them.

use inbetween::edit::{Edit, SettingsEdit};
use inbetween::eval::{Evaluator, mesh};
use inbetween::io::bvh::ImportOptions;
use inbetween::io::channel_error::ChannelError;
use inbetween::io::gltf::{GltfExport, GltfLayout, export, parse, to_parts};
use inbetween::io::open::{Opened, open};
use inbetween::io::report::Report;
use inbetween::math::Vec3;
use inbetween::model::{ClipId, Document, FrameRate, Object, ObjectId, Parent, Property};
use inbetween::progress::Progress;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A line on the terminal even where the test passes.
pub(crate) fn tell(line: &str) {
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
pub(crate) fn expected_files() -> Vec<(PathBuf, Value)> {
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

pub(crate) fn opened(path: &Path) -> Opened {
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

pub(crate) fn exported(document: &Document, binary: bool) -> (Vec<u8>, Vec<ChannelError>) {
    let layout = if binary { GltfLayout::Binary } else { GltfLayout::Embedded };
    let options = GltfExport { layout, all_influences: true, ..GltfExport::default() };
    let written = export(document, options, &Progress::new(), &mut Report::new()).expect("written");
    (written.bytes, written.errors)
}

fn written_to(bytes: &[u8], name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    inbetween::io::file::write(&path, bytes).expect("written");
    (folder, path)
}

#[test]
fn gltf_files_go_out_as_they_came_and_the_second_time_to_the_byte() {
    for (path, expected) in expected_files() {
        let name = path.display();
        let first = opened(&path).document;
        for (binary, file) in [(true, "a.glb"), (false, "a.gltf")] {
            let (bytes, errors) = exported(&first, binary);
            for error in &errors {
                assert!(error.error < 2e-5, "{name}: {} is off by {}", error.channel, error.text());
            }
            let (_folder, out) = written_to(&bytes, file);
            let second = opened(&out).document;
            assert_eq!(second.problems(), [], "{name}");
            assert!(exported(&second, binary).0 == bytes, "{name}: the second export differs");
            let names = |document: &Document| {
                let clips: Vec<String> = document.clips.values().map(|clip| clip.name.clone()).collect();
                (document.node_order.iter().map(|node| node_name(document, *node)).collect::<Vec<_>>(), clips)
            };
            assert_eq!(names(&second), names(&first), "{name}");
            let clips: Vec<ClipId> = second.clips.keys().copied().collect();
            let mut worst = off_by(&playing(&second, None), 0.0, &expected["default_pose"]).0;
            for (clip, animation) in clips.iter().zip(expected["animations"].as_array().into_iter().flatten()) {
                for (secs, wanted) in animation["frames"].as_object().expect("frames") {
                    worst = worst.max(off_by(&playing(&second, Some(*clip)), secs.parse().expect("s"), wanted).0);
                }
            }
            assert!(worst < 1e-4, "{name}: written vertices off by {worst:e}");
        }
    }
}

fn node_name(document: &Document, node: Parent) -> String {
    let object = document.object(node.object()).expect("an object");
    match node {
        Parent::Object(_) => object.name.clone(),
        Parent::Joint(_, joint) => {
            object.as_rig().and_then(|rig| rig.skeleton.joint(joint)).expect("a joint").name.clone()
        }
    }
}

/// Writes a document as text with files beside it.
pub(crate) fn split_to(document: &Document, path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let options = GltfExport { layout: GltfLayout::Split { stem }, all_influences: true, ..GltfExport::default() };
    let written = export(document, options, &Progress::new(), &mut Report::new()).expect("written");
    let files = written.beside.iter().map(|(name, bytes)| (path.with_file_name(name), bytes.as_slice()));
    let files: Vec<_> = files.chain([(path.to_owned(), written.bytes.as_slice())]).collect();
    inbetween::io::file::write_together(&files).expect("written");
    files.into_iter().map(|(path, _)| path).collect()
}

#[test]
fn gltf_beside_its_data_is_the_same_document_again() {
    for (path, _) in expected_files() {
        let name = path.display();
        let first = opened(&path).document;
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("Läufer 1#.gltf");
        let files = split_to(&first, &out);
        assert!(files.len() >= 2, "{name}: its data is in a file of its own");
        let text = std::fs::read_to_string(&out).expect("text");
        assert!(!text.contains("base64") && text.contains("L%C3%A4ufer%201%23.bin"), "{name}");
        let names: std::collections::BTreeSet<String> =
            files.iter().map(|path| path.file_name().expect("a name").to_string_lossy().to_lowercase()).collect();
        assert_eq!(names.len(), files.len(), "{name}: no two files of one name");
        let read = opened(&out);
        assert!(read.report.count("image") == 0, "{name}: {:?}", read.report.lines());
        assert_eq!(read.document.images.len(), first.images.len(), "{name}");
        // The same from one file as from several.
        let (embedded, _) = exported(&read.document, false);
        let (whole, _) = exported(&first, false);
        let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
        assert_eq!(value(&embedded)["buffers"], value(&whole)["buffers"], "{name}");
        assert_eq!(value(&embedded)["animations"], value(&whole)["animations"], "{name}");
        std::fs::remove_file(&files[0]).expect("there");
        let missing = open(&out, ImportOptions::default()).expect_err("without its data");
        assert!(missing.to_string().contains("buffers[0].uri"), "{missing}");
    }
}

#[test]
fn gltf_of_what_it_cannot_say_is_within_the_tolerance() {
    let document = inbetween::samples::walker();
    let (bytes, errors) = exported(&document, true);
    assert!(!errors.is_empty());
    for error in &errors {
        let asked = GltfExport::default();
        let limit = if error.property == Property::Rotation { asked.tolerance_angle } else { asked.tolerance };
        assert!(error.error <= limit, "{}: {}", error.channel, error.text());
    }
    let (_folder, out) = written_to(&bytes, "sample.glb");
    let again = opened(&out).document;
    assert_eq!(again.problems(), []);
    // A skeleton that moves no mesh comes back as one.
    let joints = |document: &Document| -> Vec<Vec<String>> {
        let names = |rig: &inbetween::model::Rig| {
            let mut names: Vec<String> = rig.skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
            names.sort_unstable();
            names
        };
        document.rigs().map(|(_, _, rig)| names(rig)).collect()
    };
    assert_eq!(joints(&again), joints(&document));
    assert_eq!(again.rigs().next().map(|(_, object, _)| &object.name), document.rigs().next().map(|(_, o, _)| &o.name));
}

/// Damaged files: an error that says where, or a document that is sound; never a panic, never endless.
#[test]
fn damaged_gltf_is_refused_or_sound() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below.max(1) as u64).expect("small")
    };
    for (path, _) in expected_files().into_iter().filter(|(path, _)| path.starts_with(data())) {
        let text = std::fs::read(&path).expect("a file");
        let binary = exported(&opened(&path).document, true).0;
        for whole in [text, binary] {
            for round in 0..400 {
                let mut bytes = whole.clone();
                if round % 4 == 0 {
                    bytes.truncate(next(bytes.len()));
                } else {
                    for _ in 0..=next(4) {
                        let at = next(bytes.len());
                        bytes[at] = if round % 2 == 0 { b"0123456789-,.[]{}\"eE"[next(20)] } else { next(256) as u8 };
                    }
                }
                let read = parse(&bytes, Some(&path)).and_then(|file| to_parts(&file, "x", 1, &mut Report::new()));
                match read {
                    Err(error) => assert!(!error.to_string().is_empty()),
                    Ok(parts) => {
                        let document = Document {
                            objects: Arc::new(parts.objects.into_iter().collect()),
                            clips: Arc::new(parts.clips.into_iter().collect()),
                            images: Arc::new(parts.images.into_iter().collect()),
                            next_id: parts.next_id,
                            ..Document::default()
                        };
                        assert_eq!(document.problems(), [], "{}", path.display());
                    }
                }
            }
        }
    }
}

#[test]
fn hostile_gltf_is_named() {
    let bytes = "data:application/octet-stream;base64,AAAAAAAAgD8AAABAAADAfwAAAAA=";
    let file = |rest: &str| {
        let buffer = format!(r#""buffers":[{{"byteLength":20,"uri":"{bytes}"}}]"#);
        format!(r#"{{"asset":{{"version":"2.0"}},{buffer},"bufferViews":[{{"buffer":0,"byteLength":20}}],{rest}}}"#)
    };
    let animation = |accessor: &str| {
        let channel = r#"{"sampler":0,"target":{"node":0,"path":"translation"}}"#;
        let moves = format!(r#""animations":[{{"channels":[{channel}],"samplers":[{{"input":0,"output":0}}]}}]"#);
        file(&format!(r#""nodes":[{{}}],"accessors":[{{{accessor},"type":"SCALAR"}}],{moves}"#))
    };
    let cases: Vec<(String, &str)> = vec![
        (file(r#""nodes":[{"children":[1]},{"children":[0]}]"#), "circle"),
        (file(r#""nodes":[{"children":[0]}]"#), "ancestor"),
        (file(r#""nodes":[{"children":[2]},{"children":[2]},{}]"#), "nodes[1].children[0]"),
        (file(r#""nodes":[{"children":[9]}]"#), "nodes[0].children[0]"),
        (file(r#""nodes":[{}],"skins":[{"joints":[7]}]"#), "skins[0].joints[0]"),
        (file(r#""nodes":[{"mesh":4}]"#), "meshes[4]"),
        (file(r#""nodes":[{"rotation":[0,0,0,0]}]"#), "nodes[0].rotation"),
        (animation(r#""bufferView":0,"componentType":5126,"count":4294967295"#), "reach beyond"),
        (animation(r#""componentType":5126,"count":4294967295"#), "accessors[0].count"),
        (animation(r#""bufferView":0,"byteOffset":8,"componentType":5126,"count":2"#), "not a finite number"),
        (animation(r#""bufferView":0,"componentType":5121,"count":3"#), "increase"),
        (animation(r#""bufferView":7,"componentType":5126,"count":3"#), "bufferViews[7]"),
        (file(r#""extensionsRequired":["KHR_draco_mesh_compression"]"#), "KHR_draco_mesh_compression"),
        (r#"{"asset":{"version":"1.0"}}"#.to_owned(), "asset.version"),
        (
            r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"../secret.bin"}]}"#.to_owned(),
            "buffers[0].uri",
        ),
        (r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":-1}]}"#.to_owned(), "line 1"),
        (format!(r#"{{"asset":{{"version":"2.0"}},"extras":{}"#, "[".repeat(100_000)), "line 1"),
    ];
    let path = data().join("x.gltf");
    for (text, wanted) in cases {
        let read = parse(text.as_bytes(), Some(&path)).and_then(|file| to_parts(&file, "x", 1, &mut Report::new()));
        let error = read.expect_err(wanted).to_string();
        assert!(error.contains(wanted), "{error} should say {wanted}");
    }
    let error = parse(b"{\"asset\":{\"version\":\"2.0\"},\n\"x\":\"\xff\"}", None).expect_err("not UTF-8");
    assert_eq!(error.to_string(), "line 2, column 6: the text is not UTF-8; save it again as UTF-8");
}

/// Captured weights are edited like any other number: their samples become keys, and only the one set by hand changes.
#[test]
fn captured_weights_are_edited_by_hand() {
    use inbetween::edit::{AutoKey, numbers::number_edit, set_key::key_waiting};
    use inbetween::eval::sample::{Stage, number};
    use inbetween::model::{
        ChannelPath, Component, Curve, FrameRate, Geometry, Mesh, MorphId, MorphTarget, ObjectKind, Samples,
        ScalarCurve, Target,
    };
    let mut document = Document::default();
    let morph = MorphTarget::new(MorphId(0), "smile", vec![[0.0, 0.1, 0.0]; 3].into());
    let geometry = Geometry {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into(),
        indices: vec![0, 1, 2].into(),
        ..Geometry::default()
    };
    let parts = vec![inbetween::model::MeshPart { vertices: 3, indices: 3, material: None }];
    let mesh = Mesh { geometry: Arc::new(geometry), parts, morphs: vec![Arc::new(morph)], ..Mesh::default() };
    let object = document.add_object(Object::new("face", ObjectKind::Mesh(Arc::new(mesh))));
    let path = ChannelPath {
        target: Target::Morph(object, MorphId(0)),
        property: Property::Weight,
        component: Component::Only,
    };
    let rate = FrameRate::FPS_24;
    let samples = Samples::new(0.0, rate, (0..200).map(|n| f64::from(n) / 200.0).collect());
    let mut clip = inbetween::model::Clip::new("talk", inbetween::model::FrameRange::new(0, 199));
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    assert_eq!(document.problems(), []);
    let value = |document: &Document, frame: i64| {
        let clip = document.clip(clip).map(|clip| &**clip);
        number(document, clip, path, rate.secs(frame), Stage::Shown).expect("a value")
    };
    for auto_key in [AutoKey::On, AutoKey::Off] {
        let mut edited = document.clone();
        let edit = number_edit(&edited, path, rate.secs(50), 0.9, auto_key).expect("an edit");
        edit.apply(&mut edited).expect("applied");
        if auto_key == AutoKey::Off {
            assert!(edited.clip(clip).expect("a clip").channels[&path].is_sampled(), "it waits");
            let edit = key_waiting(&edited, clip, rate.secs(50), None).expect("keys");
            edit.apply(&mut edited).expect("applied");
        }
        assert!(!edited.clip(clip).expect("a clip").channels[&path].is_sampled());
        assert!(edited.clip(clip).expect("a clip").unkeyed.is_empty());
        assert!((value(&edited, 50) - 0.9).abs() < 1e-12);
        for frame in [0, 49, 51, 199] {
            assert!((value(&edited, frame) - value(&document, frame)).abs() < 1e-12, "frame {frame}");
        }
        assert_eq!(edited.problems(), []);
    }
}

/// The key command on a mesh keys its weights; a weight set by hand while one is keyed is a key of its own.
#[test]
fn corpus_weights_are_keyed_with_their_mesh() {
    use inbetween::edit::{AutoKey, numbers::number_edit, set_key::set_key};
    use inbetween::eval::sample::{Stage, number};
    use inbetween::model::{ChannelPath, Component, Target};
    let morphing = expected_files().into_iter().map(|(path, _)| opened(&path).document);
    let morphing = morphing
        .into_iter()
        .find(|document| document.objects.values().any(|o| o.as_mesh().is_some_and(|mesh| !mesh.morphs.is_empty())));
    // The cases at hand have none: like the other tests of the corpus, this one has nothing to say without it.
    let Some(mut document) = morphing else {
        eprintln!("SKIPPED: no file with morph targets in {}", corpus().display());
        return;
    };
    let (object, morph) = document
        .objects
        .iter()
        .find_map(|(id, object)| Some((*id, object.as_mesh()?.morphs.first()?.id)))
        .expect("a morph target");
    let path =
        ChannelPath { target: Target::Morph(object, morph), property: Property::Weight, component: Component::Only };
    let clips: Vec<ClipId> = document.clips.keys().copied().collect();
    for clip in clips {
        // Whether it was captured is the file's affair.
        document.clip_mut(clip).expect("a clip").channels.remove(&path);
    }
    let wanted = 1.75;
    number_edit(&document, path, 0.25, wanted, AutoKey::On).expect("a weight").apply(&mut document).expect("applied");
    let targets = [Target::Object(object)].into_iter().collect();
    let edit = set_key(&document, &Evaluator::new(), &targets, 0.25, None).expect("keys");
    edit.apply(&mut document).expect("applied");
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip)).expect("a clip");
    assert!(clip.channels.contains_key(&path));
    let value = number(&document, Some(clip), path, 0.25, Stage::Shown).expect("a value");
    assert!((value - wanted).abs() < 1e-12, "{value}");
}

/// glTF has no frames: the rate is found from the keys, and stated by what we write, whatever constraints and pins make of
/// the times.
#[test]
fn the_rate_of_a_file_is_that_of_its_keys_and_ours_is_stated() {
    for (name, fps) in [("AnimatedMorphCube", 30.0), ("MorphStressTest", 30.0), ("Fox", 24.0), ("RiggedSimple", 24.0)] {
        let path = expected_files()
            .into_iter()
            .map(|(path, _)| path)
            .find(|path| path.file_stem().is_some_and(|stem| stem.to_string_lossy() == name));
        let Some(path) = path else { continue };
        assert!((opened(&path).document.settings.rate.fps() - fps).abs() < 1e-9, "{name}");
    }
    let sample = inbetween::samples::start();
    for (num, den) in [(25, 1), (120, 1), (30_000, 1001)] {
        let rate = FrameRate::new(num, den).unwrap();
        let mut document = sample.clone();
        Edit::from(SettingsEdit::SetRate(rate)).apply(&mut document).unwrap();
        let (bytes, _) = exported(&document, false);
        let (_folder, path) = written_to(&bytes, "stated.gltf");
        assert_eq!(opened(&path).document.settings.rate, rate, "stated");
        let mut json: Value = serde_json::from_slice(&bytes).unwrap();
        for other in [Value::Null, serde_json::json!({ "frameRate": [0, 1] }), serde_json::json!("30 frames")] {
            json["asset"]["extras"] = other;
            let text = serde_json::to_vec(&json).unwrap();
            let (_folder, path) = written_to(&text, "silent.gltf");
            assert!(opened(&path).document.settings.rate.fps() > 0.0, "anything may stand there");
        }
    }
}
