//! OBJ in and out: the present shape goes out and comes back corner by corner, hostile texts end in an error with its line.

use crate::baked::moving;
use inbetween::{
    eval::{
        Evaluator,
        mesh::{mesh_state, positions},
    },
    io::{
        bvh::{ImportOptions, Up},
        check::check_bytes,
        file,
        obj::{ObjExport, export, parse, to_objects},
        open::{FileKind, OpenError, import, open},
        report::Report,
    },
    math::{Transform, Vec3},
    model::{AlphaMode, Document, LengthUnit, Material, Object, ObjectKind},
    progress::Progress,
    samples::shapes::Shape,
};
use std::sync::Arc;

fn written(document: &Document, secs: f64) -> inbetween::io::obj::ObjWritten {
    let options = ObjExport { secs, unit: LengthUnit::Metre, stem: "it".to_owned() };
    export(document, &options, &Progress::new(), &mut Report::new()).unwrap()
}

/// The corners of all triangles in order: place, normal, texture coordinates.
fn corners(object: &Object) -> Vec<[f32; 8]> {
    let geometry = &object.as_mesh().unwrap().geometry;
    let of = |vertex: &u32| {
        let at = *vertex as usize;
        let (p, n) = (geometry.positions[at], geometry.normals.get(at).copied().unwrap_or_default());
        let t = geometry.uvs.get(at).copied().unwrap_or_default();
        [p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1]]
    };
    geometry.indices.iter().map(of).collect()
}

#[test]
fn every_shape_goes_out_and_comes_back_corner_by_corner() {
    for shape in Shape::ALL {
        let mut document = Document::default();
        let mut mesh = shape.mesh(3);
        let glass = Material { name: "glass".to_owned(), color: [0.2, 0.4, 0.6, 0.5], ..Material::default() };
        mesh.materials = vec![Arc::new(Material { alpha: AlphaMode::Blend, ..glass })];
        mesh.parts[0].material = Some(0);
        document.add_object(Object::new(shape.name(), ObjectKind::Mesh(Arc::new(mesh))));
        let out = written(&document, 0.0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.obj");
        file::write(&path, &out.bytes).unwrap();
        for (name, bytes) in &out.beside {
            file::write(&folder.path().join(name), bytes).unwrap();
        }
        let opened = open(&path, ImportOptions::default()).unwrap();
        assert_eq!(opened.document.problems(), []);
        assert_eq!(opened.report.total(), 0, "{:?}", opened.report.entries());
        let own = document.objects.values().next().unwrap();
        let read = opened.document.objects.values().next().unwrap();
        assert_eq!(read.name, own.name);
        let (a, b) = (corners(own), corners(read));
        assert_eq!(a.len(), b.len());
        for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
            assert!((a - b).abs() < 2e-6, "{a} {b}");
        }
        let material = read.as_mesh().unwrap().materials[0].clone();
        assert_eq!((material.color, material.alpha), ([0.2, 0.4, 0.6, 0.5], AlphaMode::Blend));
        // What hangs together there hangs together here: one position for all its corners.
        let text = String::from_utf8(out.bytes).unwrap();
        let count = text.lines().filter(|line| line.starts_with("v ")).count();
        assert!(count < own.as_mesh().unwrap().len() || shape != Shape::Box, "{count}");
    }
}

#[test]
fn the_present_shape_is_what_is_written() {
    let (document, mesh) = moving();
    for secs in [0.0, 0.4] {
        let out = written(&document, secs);
        let file = parse(std::str::from_utf8(&out.bytes).unwrap(), &mut Report::new()).unwrap();
        let read = to_objects(&file, ("it", &[]), (1.0, Transform::IDENTITY), &mut Report::new());
        let frame = Evaluator::new().frame(&document, secs);
        let own = document.object(mesh).unwrap().as_mesh().unwrap();
        let places = positions(own, &mesh_state(&document, &frame, mesh).unwrap());
        let read = read[0].as_mesh().unwrap();
        assert_eq!(read.geometry.indices.len(), own.geometry.indices.len());
        for (a, b) in own.geometry.indices.iter().zip(read.geometry.indices.iter()) {
            let b = Vec3::from(read.geometry.positions[*b as usize].map(f64::from));
            assert!((places[*a as usize] - b).norm() < 1e-5);
        }
    }
    let none = export(
        &Document::default(),
        &ObjExport { secs: 0.0, unit: LengthUnit::Metre, stem: "it".to_owned() },
        &Progress::new(),
        &mut Report::new(),
    );
    assert!(none.is_err());
}

#[test]
fn unit_and_upward_axis_are_as_told_and_an_import_adds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.OBJ");
    file::write(&path, b"g left\nv 0 0 0\nv 100 0 0\nv 0 0 100\nf 1 2 3\ng right\nf -1 -2 -3\n").unwrap();
    let options = ImportOptions { unit: Some(LengthUnit::Centimetre), up: Up::Z };
    let opened = open(&path, options).unwrap();
    assert_eq!(opened.kind, FileKind::Obj);
    let names: Vec<&str> = opened.document.objects.values().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["left", "right"]);
    let object = opened.document.objects.values().next().unwrap();
    let third = Vec3::from(object.as_mesh().unwrap().geometry.positions[2].map(f64::from));
    let stood = object.transform.to_affine().point(&third);
    assert!((stood - Vec3::new(0.0, 1.0, 0.0)).norm() < 1e-6, "{stood}");
    let mut document = inbetween::samples::start();
    let before = document.objects.len();
    let (edit, _) = import(&path, &document, None, options).unwrap();
    inbetween::edit::Edit::from(edit).apply(&mut document).unwrap();
    assert_eq!((document.objects.len(), document.problems()), (before + 2, Vec::new()));
}

#[test]
fn errors_name_the_file_and_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.obj");
    file::write(&path, b"v 0 0 0\nv 1 0\n").unwrap();
    let error = open(&path, ImportOptions::default()).unwrap_err();
    assert!(matches!(&error, OpenError::Obj { error, .. } if error.line == 2));
    let said = error.to_string();
    assert!(said.contains("bad.obj: line 2"), "{said}");
    let checked = check_bytes(b"v 0 0 0\nv 1 0\n".to_vec(), Some(FileKind::Obj), None);
    assert_eq!(checked.findings.len(), 1);
}

#[test]
fn cut_and_changed_texts_never_do_harm() {
    let mut document = Document::default();
    document.add_object(Object::new("Ball", ObjectKind::Mesh(Arc::new(Shape::Sphere.mesh(2)))));
    let whole = written(&document, 0.0).bytes;
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for round in 0..600 {
        let mut bytes = whole.clone();
        if round % 3 == 0 {
            bytes.truncate(next(whole.len()));
        }
        for _ in 0..1 + next(4) {
            if !bytes.is_empty() {
                let at = next(bytes.len());
                bytes[at] = b"0123456789-/. vfgn\\#\n\0e"[next(23)];
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut report = Report::new();
        if let Ok(file) = parse(&text, &mut report) {
            let mut document = Document::default();
            for object in to_objects(&file, ("it", &[]), (1.0, Transform::IDENTITY), &mut report) {
                document.add_object(object);
            }
            assert_eq!(document.problems(), []);
        }
    }
    // Many of everything.
    let many = "o a\nv 0 0 0\nf 1 1 1\n".repeat(6_000);
    let file = parse(&many, &mut Report::new()).unwrap();
    let objects = to_objects(&file, ("it", &[]), (1e30, Transform::IDENTITY), &mut Report::new());
    assert_eq!(objects.len(), 1);
    let names: String = (0..6_000).map(|n| format!("o n{n}\nv 9e37 0 0\nf -1 -1 -1\n")).collect();
    let file = parse(&names, &mut Report::new()).unwrap();
    let objects = to_objects(&file, ("it", &[]), (1e30, Transform::IDENTITY), &mut Report::new());
    assert_eq!(objects.len(), inbetween::io::obj::MOST_OBJECTS);
    assert!(objects[0].as_mesh().unwrap().geometry.positions[0][0].is_finite());
}
