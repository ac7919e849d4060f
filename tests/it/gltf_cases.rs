//! The cases B06 to B13: what the written file itself says, beside the vertices that every case is held to.

use crate::gltf::opened;
use inbetween::io::gltf::{GltfExport, GltfLayout, export};
use inbetween::io::report::Report;
use inbetween::model::{Component, Curve, Document, Interpolation, Key, KeyedCurve, Property, ScalarCurve};
use inbetween::progress::Progress;
use serde_json::Value;
use std::{path::Path, sync::Arc};

/// A case opened and written out again; its JSON, its data, and the remarks.
fn rewritten(case: &str, all_influences: bool) -> (Value, Vec<u8>, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf").join(case);
    written(&opened(&path).document, all_influences)
}

/// A document written out; its JSON, its data, and the remarks.
fn written(document: &Document, all_influences: bool) -> (Value, Vec<u8>, Vec<String>) {
    let options = GltfExport { layout: GltfLayout::Binary, all_influences, ..GltfExport::default() };
    let mut report = Report::new();
    let bytes = export(document, options, &Progress::new(), &mut report).expect("written").bytes;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let json = serde_json::from_slice(&bytes[20..20 + word(12)]).expect("JSON");
    let data = bytes[28 + word(12)..].to_vec();
    (json, data, report.lines())
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a whole number")).expect("small")
}

/// The numbers of an accessor, whole ones as parts of one where it says so.
fn numbers((json, data): (&Value, &[u8]), accessor: &Value) -> Vec<f64> {
    let accessor = &json["accessors"][index(accessor)];
    let view = &json["bufferViews"][index(&accessor["bufferView"])];
    let at = |value: &Value| value.as_u64().map_or(0, |at| usize::try_from(at).expect("small"));
    let start = at(&view["byteOffset"]) + at(&accessor["byteOffset"]);
    let width = match accessor["type"].as_str().expect("a type") {
        "SCALAR" => 1,
        "VEC3" => 3,
        _ => 4,
    };
    let size = match index(&accessor["componentType"]) {
        5121 => 1,
        5123 => 2,
        _ => 4,
    };
    let stride = view["byteStride"].as_u64().map_or(width * size, |stride| usize::try_from(stride).expect("small"));
    let mut out = Vec::new();
    for row in 0..index(&accessor["count"]) {
        for column in 0..width {
            let at = start + row * stride + column * size;
            out.push(match size {
                1 => f64::from(data[at]) / 255.0,
                2 => f64::from(u16::from_le_bytes([data[at], data[at + 1]])) / 65535.0,
                _ => f64::from(f32::from_le_bytes(data[at..at + 4].try_into().expect("four bytes"))),
            });
        }
    }
    out
}

/// How the only track of a written case runs: its interpolation, its times and its values.
fn track(case: &str) -> (String, Vec<f64>, Vec<f64>) {
    let (json, data, _) = rewritten(case, false);
    let sampler = &json["animations"][0]["samplers"][0];
    let file = (&json, data.as_slice());
    let kind = sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned();
    (kind, numbers(file, &sampler["input"]), numbers(file, &sampler["output"]))
}

fn near(got: &[f64], wanted: &[f64], within: f64) -> bool {
    got.len() == wanted.len() && got.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() <= within)
}

#[test]
fn case_b06_tangents_go_out_per_second() {
    let (kind, times, values) = track("B06_cubic_tangents_per_second.gltf");
    assert!(near(&times, &[0.0, 2.0], 1e-6), "{times:?}");
    let x: Vec<f64> = values.chunks(3).map(|value| value[0]).collect();
    match kind.as_str() {
        // Arriving, value, leaving: what no segment uses is nobody's.
        "CUBICSPLINE" => assert!(near(&x[1..5], &[0.0, 4.0, 4.0, 8.0], 1e-5), "{x:?}"),
        kind => panic!("{kind}"),
    }
}

#[test]
fn case_b08_keys_go_out_on_one_side() {
    let (_, _, values) = track("B08_slerp_negated_key.gltf");
    let keys: Vec<&[f64]> = values.chunks(4).collect();
    for pair in keys.windows(2) {
        let dot: f64 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
        assert!(dot >= 0.0, "{keys:?}");
    }
}

#[test]
fn case_b09_a_late_first_key_stays_late() {
    let (_, times, _) = track("B09_first_key_at_1_5s.gltf");
    assert!(near(&times, &[1.5, 2.5], 1e-6), "{times:?}");
}

#[test]
fn case_b10_steps_go_out_as_steps() {
    let (kind, times, values) = track("B10_step_scale.gltf");
    assert_eq!(kind, "STEP");
    assert!(near(&times, &[0.0, 8.0 / 24.0, 9.0 / 24.0], 1e-6), "{times:?}");
    let x: Vec<f64> = values.chunks(3).map(|value| value[0]).collect();
    assert!(near(&x, &[1.0, 0.0, 1.0], 0.0), "{x:?}");
}

#[test]
fn case_b10_a_step_among_straight_lines_stays_a_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gltf/B10_step_scale.gltf");
    let mut document = opened(&path).document;
    let clip = *document.clips.keys().next().expect("a clip");
    let mut straight = 0;
    for (path, curve) in &mut document.clip_mut(clip).expect("there").channels {
        if path.property == Property::Scale
            && path.component == Component::Y
            && let Curve::Scalar(ScalarCurve::Keyed(curve)) = Arc::make_mut(curve)
        {
            let line = |key: Key| Key { interpolation: Interpolation::Linear, ..key };
            *curve = KeyedCurve { keys: curve.keys.iter().map(line).collect(), ..curve.clone() };
            straight += 1;
        }
    }
    assert_eq!(straight, 1);
    let (json, data, _) = written(&document, false);
    let (sampler, file) = (&json["animations"][0]["samplers"][0], (&json, data.as_slice()));
    assert_eq!(sampler["interpolation"].as_str().unwrap_or("LINEAR"), "LINEAR");
    let (times, values) = (numbers(file, &sampler["input"]), numbers(file, &sampler["output"]));
    let at = |secs: f64, axis: usize| {
        let after = times.iter().position(|time| *time > secs).expect("within");
        let (from, to) = (times[after - 1], times[after]);
        let value = |row: usize| values[row * 3 + axis];
        value(after - 1) + (value(after) - value(after - 1)) * (secs - from) / (to - from)
    };
    let (down, up) = (8.0 / 24.0, 9.0 / 24.0);
    // Half a frame before each step, and as near to it as single precision tells.
    for near in [1.0 / 48.0, 1e-6] {
        assert!((at(down - near, 0) - 1.0).abs() < 1e-12, "{near} before: {}", at(down - near, 0));
        assert!(at(down + near, 0).abs() < 1e-12 && at(up - near, 0).abs() < 1e-12, "{near} after");
        assert!((at(down - near, 1) - near / down).abs() < 1e-4, "the straight one: {}", at(down - near, 1));
    }
    assert_eq!(values[values.len() - 3], 1.0);
}

/// The sum of each vertex's weights over all the sets, and the weights.
fn weights(case: &str, all: bool) -> (Vec<f64>, Vec<Vec<f64>>, Vec<String>) {
    let (json, data, remarks) = rewritten(case, all);
    let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for set in (0..).map(|set| &attributes[format!("WEIGHTS_{set}")]).take_while(|set| set.is_u64()) {
        let all = numbers((&json, &data), set);
        rows.resize(all.len() / 4, Vec::new());
        for (row, four) in rows.iter_mut().zip(all.chunks(4)) {
            row.extend(four);
        }
    }
    (rows.iter().map(|row| row.iter().sum()).collect(), rows, remarks)
}

#[test]
fn cases_b11_and_b12_weights_go_out_with_a_sum_of_one() {
    for case in ["B11_weights_sum_0_98.gltf", "B12_skinned_node_has_transform.gltf"] {
        let (sums, ..) = weights(case, false);
        assert!(near(&sums, &[1.0; 3], 1e-6), "{case}: {sums:?}");
    }
}

#[test]
fn case_b13_eight_influences_go_out_or_the_four_strongest_and_it_is_said() {
    let (sums, rows, _) = weights("B13_eight_influences.gltf", true);
    assert!(near(&sums, &[1.0; 3], 1e-6), "{sums:?}");
    let used = |row: &Vec<f64>| row.iter().filter(|weight| **weight > 0.0).count();
    assert!(rows.iter().all(|row| used(row) == 8), "{rows:?}");

    let (sums, rows, remarks) = weights("B13_eight_influences.gltf", false);
    assert!(near(&sums, &[1.0; 3], 1e-6), "{sums:?}");
    for row in rows {
        let mut row = row;
        row.sort_by(|a, b| b.total_cmp(a));
        // Of 0.2, 0.2 and six times 0.1 the four strongest are 0.2, 0.2, 0.1, 0.1, divided by 0.6.
        assert!(near(&row, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0], 1e-6), "{row:?}");
    }
    assert!(remarks.iter().any(|remark| remark.contains("more than 4 influences")), "{remarks:?}");
}
