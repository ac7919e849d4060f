//! glTF: each way that a file may say a thing, against values worked out by hand.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use inbetween::eval::sample::{Stage, number};
use inbetween::eval::{Evaluator, mesh};
use inbetween::io::gltf::{parse, to_parts};
use inbetween::io::report::Report;
use inbetween::math::Vec3;
use inbetween::model::{
    ChannelPath, ClipId, Component, Document, MorphId, ObjectId, ObjectKind, Parent, Property, Target,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A file on the way.
#[derive(Default)]
struct File {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    rest: serde_json::Map<String, Value>,
}

impl File {
    fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.bin.extend(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, value: Value) -> usize {
        self.accessors.push(value);
        self.accessors.len() - 1
    }

    fn floats(&mut self, numbers: &[f32], width: usize, kind: &str) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.accessor(
            json!({ "bufferView": view, "componentType": 5126, "count": numbers.len() / width, "type": kind }),
        )
    }

    fn bytes(&mut self, numbers: &[u8], width: usize, kind: &str, normalized: bool) -> usize {
        let view = self.view(numbers);
        let count = numbers.len() / width;
        self.accessor(json!({
            "bufferView": view, "componentType": 5121, "normalized": normalized, "count": count, "type": kind,
        }))
    }

    fn put(&mut self, name: &str, value: Value) {
        self.rest.insert(name.to_owned(), value);
    }

    fn text(&self) -> String {
        let mut root = self.rest.clone();
        root.insert("asset".to_owned(), json!({ "version": "2.0" }));
        root.insert("bufferViews".to_owned(), json!(self.views));
        root.insert("accessors".to_owned(), json!(self.accessors));
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bin));
        root.insert("buffers".to_owned(), json!([{ "byteLength": self.bin.len(), "uri": uri }]));
        Value::Object(root).to_string()
    }

    fn document(&self) -> Document {
        let mut report = Report::new();
        let file = parse(self.text().as_bytes(), None).expect("a file");
        let parts = to_parts(&file, "x", 1, &mut report).expect("parts");
        let document = Document {
            objects: Arc::new(parts.objects.into_iter().collect()),
            clips: Arc::new(parts.clips.into_iter().collect()),
            node_order: Arc::new(parts.node_order),
            next_id: parts.next_id,
            ..Document::default()
        };
        assert_eq!(document.problems(), []);
        document
    }

    fn error(&self) -> String {
        let read = parse(self.text().as_bytes(), None);
        read.and_then(|file| to_parts(&file, "x", 1, &mut Report::new())).expect_err("a fault").to_string()
    }
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

fn one_mesh(file: &mut File, primitive: Value) {
    file.put("nodes", json!([{ "mesh": 0 }]));
    file.put("meshes", json!([{ "primitives": [primitive] }]));
}

fn mesh_of(document: &Document) -> &inbetween::model::Mesh {
    document.objects.values().find_map(|object| object.as_mesh()).expect("a mesh")
}

fn playing(document: &Document, clip: usize) -> Document {
    let id = *document.clips.keys().nth(clip).expect("a clip");
    let mut document = document.clone();
    Arc::make_mut(&mut document.settings).clip = Some(id);
    document
}

fn place(document: &Document, node: usize, secs: f64) -> Vec3 {
    let Parent::Object(id) = document.node_order[node] else { panic!("an object") };
    Evaluator::new().frame(document, secs).objects[&id].world.translation
}

fn value(document: &Document, path: ChannelPath, secs: f64) -> f64 {
    let clip = document.settings.clip.and_then(|clip| document.clip(clip));
    number(document, clip.map(|clip| &**clip), path, secs, Stage::Shown).expect("a value")
}

#[test]
fn strips_and_fans_become_triangles_that_all_face_one_way() {
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0];
    for (mode, wanted) in [(5, vec![0, 1, 2, 1, 3, 2, 2, 3, 4]), (6, vec![0, 1, 2, 0, 2, 3, 0, 3, 4])] {
        let mut file = File::default();
        let positions = file.floats(&corners, 3, "VEC3");
        one_mesh(&mut file, json!({ "attributes": { "POSITION": positions }, "mode": mode }));
        assert_eq!(&*mesh_of(&file.document()).geometry.indices, &wanted[..], "mode {mode}");
    }
}

#[test]
fn sparse_positions_and_indices_are_put_in() {
    let mut file = File::default();
    let base = file.view(&TRIANGLE.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
    let places = file.view(&[1, 2]);
    let values =
        file.view(&[5.0_f32, 6.0, 7.0, 8.0, 9.0, 10.0].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
    let sparse = json!({
        "count": 2,
        "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values },
    });
    let positions = file.accessor(json!({
        "bufferView": base, "componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse,
    }));
    // Vertex numbers without data of their own: zeros, and 2 and 1 put in.
    let places = file.view(&[1, 0, 2, 0]);
    let numbers = file.view(&[2, 0, 1, 0]);
    let indices = file.accessor(json!({
        "componentType": 5123, "count": 3, "type": "SCALAR",
        "sparse": {
            "count": 2,
            "indices": { "bufferView": places, "componentType": 5123 },
            "values": { "bufferView": numbers },
        },
    }));
    one_mesh(&mut file, json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    let document = file.document();
    let geometry = &mesh_of(&document).geometry;
    assert_eq!(&*geometry.positions, &[[0.0, 0.0, 0.0], [5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]);
    assert_eq!(&*geometry.indices, &[0, 2, 1]);
    let wrong = |change: fn(&mut Value)| {
        let mut other = File {
            bin: file.bin.clone(),
            views: file.views.clone(),
            accessors: file.accessors.clone(),
            rest: file.rest.clone(),
        };
        change(&mut other.accessors[1]["sparse"]);
        other.error()
    };
    assert!(wrong(|sparse| sparse["count"] = json!(4_000_000_000_u32)).contains("accessors[1].sparse.count"));
    assert!(wrong(|sparse| sparse["indices"]["bufferView"] = json!(99)).contains("bufferViews[99]"));
    assert!(wrong(|sparse| sparse["indices"]["componentType"] = json!(5126)).contains("sparse.indices.componentType"));
}

#[test]
fn whole_numbers_stand_for_parts_of_one() {
    let mut file = File::default();
    let positions = file.floats(&TRIANGLE, 3, "VEC3");
    let colors = file.bytes(&[255, 0, 51, 0, 255, 0, 0, 0, 255], 3, "VEC3", true);
    let joints = file.bytes(&[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0], 4, "VEC4", false);
    let weights = file.bytes(&[255, 0, 0, 0, 255, 0, 0, 0, 51, 204, 0, 0], 4, "VEC4", true);
    let turns: Vec<u8> =
        [[0_i16, 0, 0, 32767], [0, 0, 32767, 0]].as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
    let view = file.view(&turns);
    let output = file.accessor(json!({
        "bufferView": view, "componentType": 5122, "normalized": true, "count": 2, "type": "VEC4",
    }));
    let input = file.floats(&[0.0, 1.0], 1, "SCALAR");
    file.put("nodes", json!([{ "mesh": 0, "skin": 0 }, { "children": [2] }, { "translation": [0, 1, 0] }]));
    file.put("skins", json!([{ "joints": [1, 2] }]));
    let attributes = json!({ "POSITION": positions, "COLOR_0": colors, "JOINTS_0": joints, "WEIGHTS_0": weights });
    file.put("meshes", json!([{ "primitives": [{ "attributes": attributes }] }]));
    file.put(
        "animations",
        json!([{
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "rotation" } }],
            "samplers": [{ "input": input, "output": output }],
        }]),
    );
    let document = playing(&file.document(), 0);
    let mesh = mesh_of(&document);
    assert_eq!(mesh.geometry.colors[0], [1.0, 0.0, 0.2, 1.0]);
    let skin = mesh.skin.as_ref().expect("a skin");
    let shares: Vec<(usize, f64)> = skin.vertex(2).collect();
    assert!((shares[0].1 - 0.2).abs() < 1e-7 && (shares[1].1 - 0.8).abs() < 1e-7, "{shares:?}");
    // Without inverse bind matrices they are the identity: the vertex is in the joint's own space.
    let id = *document.objects.iter().find(|(_, object)| object.as_mesh().is_some()).expect("a mesh").0;
    let at = |secs: f64| {
        let frame = Evaluator::new().frame(&document, secs);
        mesh::positions(mesh, &mesh::mesh_state(&document, &frame, id).expect("a state"))[1]
    };
    assert!((at(0.0) - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-6, "{}", at(0.0));
    assert!((at(1.0) - Vec3::new(-1.0, 1.0, 0.0)).norm() < 1e-4, "half a turn: {}", at(1.0));
}

#[test]
fn matrices_are_places_turns_and_sizes() {
    let mut file = File::default();
    // Columns: X to 2 Y, Y to -3 X, Z to 4 Z, at (5, 6, 7).
    let matrix = json!([0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]);
    file.put("nodes", json!([{ "matrix": matrix, "children": [1] }, { "translation": [1, 1, 1] }]));
    file.floats(&[0.0], 1, "SCALAR");
    let document = file.document();
    assert!((place(&document, 0, 0.0) - Vec3::new(5.0, 6.0, 7.0)).norm() < 1e-12);
    assert!((place(&document, 1, 0.0) - Vec3::new(2.0, 8.0, 11.0)).norm() < 1e-9);
}

#[test]
fn weights_step_and_run_along_cubics_and_single_keys_hold() {
    let mut file = File::default();
    let positions = file.floats(&TRIANGLE, 3, "VEC3");
    let moved = file.floats(&[0.0; 9], 3, "VEC3");
    let primitive = json!({
        "attributes": { "POSITION": positions }, "targets": [{ "POSITION": moved }, { "POSITION": moved }],
    });
    one_mesh(&mut file, primitive);
    let late = file.floats(&[1.0, 3.0], 1, "SCALAR");
    let once = file.floats(&[0.5], 1, "SCALAR");
    let steps = file.floats(&[0.1, 0.2, 0.7, 0.8], 1, "SCALAR");
    // In-tangents, values, out-tangents, of both targets each.
    let cubic = file.floats(&[0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 0.0, 4.0, 1.0, 0.0, 0.0], 1, "SCALAR");
    let one = file.floats(&[0.25, 0.75], 1, "SCALAR");
    let animation = |input: usize, output: usize, mode: &str| {
        json!({
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
            "samplers": [{ "input": input, "output": output, "interpolation": mode }],
        })
    };
    let animations =
        [animation(late, steps, "STEP"), animation(late, cubic, "CUBICSPLINE"), animation(once, one, "LINEAR")];
    file.put("animations", json!(animations));
    let document = file.document();
    let Parent::Object(object) = document.node_order[0] else { panic!("an object") };
    let weight = |number| ChannelPath {
        target: Target::Morph(object, MorphId(number)),
        property: Property::Weight,
        component: Component::Only,
    };
    let at = |clip: usize, number: u32, secs: f64| value(&playing(&document, clip), weight(number), secs);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} should be {b}");
    near(at(0, 0, 0.0), 0.1);
    near(at(0, 1, 2.999), 0.2);
    near(at(0, 1, 3.0), 0.8);
    // From 0 to 4 in 2 s with 2 a second at both ends: a straight line; the other is flat at 1.
    for secs in [1.0, 1.5, 2.0, 2.5, 3.0] {
        near(at(1, 0, secs), 2.0 * (secs - 1.0));
        near(at(1, 1, secs), 1.0);
    }
    for secs in [0.0, 0.5, 9.0] {
        near(at(2, 0, secs), 0.25);
        near(at(2, 1, secs), 0.75);
    }
}

#[test]
fn one_sampler_moves_several_nodes_and_clips_keep_their_names() {
    let mut file = File::default();
    let input = file.floats(&[0.0, 1.0], 1, "SCALAR");
    let output = file.floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0], 3, "VEC3");
    file.put("nodes", json!([{ "name": "a" }, { "name": "b", "translation": [0, 9, 0] }]));
    let channel = |node: usize| json!({ "sampler": 0, "target": { "node": node, "path": "translation" } });
    file.put("animations", json!([
        { "name": "both", "channels": [channel(0), channel(1)], "samplers": [{ "input": input, "output": output }] },
        { "name": "one", "channels": [channel(1)], "samplers": [{ "input": input, "output": output }] },
    ]));
    let document = file.document();
    let names: Vec<&str> = document.clips.values().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["both", "one"]);
    let (both, one) = (playing(&document, 0), playing(&document, 1));
    assert_eq!(place(&both, 0, 0.5), place(&both, 1, 0.5));
    assert!((place(&both, 0, 0.5).x - 1.0).abs() < 1e-9 && place(&one, 0, 0.5).x == 0.0);
}

#[test]
fn cameras_and_lights_are_objects_with_numbers_to_key() {
    let mut file = File::default();
    file.floats(&[0.0], 1, "SCALAR");
    file.put(
        "nodes",
        json!([
            { "name": "eye", "camera": 0 },
            { "name": "sun", "extensions": { "KHR_lights_punctual": { "light": 0 } } },
        ]),
    );
    file.put(
        "cameras",
        json!([{ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1, "aspectRatio": 1.5 } }]),
    );
    file.put("extensionsUsed", json!(["KHR_lights_punctual"]));
    file.put("extensions", json!({
        "KHR_lights_punctual": { "lights": [{ "type": "directional", "intensity": 3.5, "color": [1.0, 0.5, 0.25] }] }
    }));
    let document = file.document();
    let id = |node: usize| match document.node_order[node] {
        Parent::Object(id) => id,
        Parent::Joint(..) => panic!("an object"),
    };
    let own = |id: ObjectId, property| value(&document, ChannelPath::object(id, property, Component::Only), 0.0);
    assert!((own(id(0), Property::FieldOfView) - 0.7).abs() < 1e-12);
    assert!((own(id(1), Property::Intensity) - 3.5).abs() < 1e-12);
    assert!(matches!(document.object(id(1)).expect("it").kind, ObjectKind::Light(_)));
    assert_eq!(document.clips.keys().copied().collect::<Vec<ClipId>>(), []);
}

#[test]
fn data_uris_may_lack_padding_and_climbing_ones_are_refused() {
    let text = |uri: &str| format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":2,"uri":"{uri}"}}]}}"#);
    let read = |uri: &str| parse(text(uri).as_bytes(), Some("no folder/x.gltf".as_ref()));
    for uri in
        ["data:;base64,AAE=", "data:application/gltf-buffer;base64,AAE", "data:application/octet-stream;base64,-_8"]
    {
        read(uri).unwrap_or_else(|error| panic!("{uri}: {error}"));
    }
    for uri in [
        "../a.bin",
        "a/../../b.bin",
        "/etc/passwd",
        "%2e%2e/a.bin",
        "file:///etc/passwd",
        "http://x/y.bin",
        "C:%5Ca.bin",
    ] {
        let error = read(uri).expect_err(uri).to_string();
        assert!(error.contains("buffers[0].uri") && error.contains("same folder"), "{error}");
    }
}

/// A file of zeros must not become a document many times its size.
#[test]
fn what_has_no_data_is_bounded_by_the_file() {
    for kind in ["SCALAR", "VEC3", "MAT4"] {
        let mut file = File::default();
        file.floats(&[0.0], 1, "SCALAR");
        let positions = file.accessor(json!({ "componentType": 5126, "count": 400_000_000, "type": kind }));
        one_mesh(&mut file, json!({ "attributes": { "POSITION": positions } }));
        assert!(file.error().contains("accessors[1]"));
    }
    // Nor one that is read by a thousand primitives.
    let mut file = File::default();
    let positions = file.floats(&vec![0.5; 300_000], 3, "VEC3");
    let primitive = json!({ "attributes": { "POSITION": positions } });
    file.put("nodes", json!([{ "mesh": 0 }]));
    file.put("meshes", json!([{ "primitives": vec![primitive; 1000] }]));
    assert!(file.error().contains("outgrows the file"));
}
