//! glTF of documents at the edges: nothing but places, ranges without end, chains of thousands of joints.

use inbetween::{
    io::{
        gltf::{GltfExport, GltfLayout, export, parse, to_parts},
        report::Report,
    },
    math::{EulerOrder, Vec3},
    model::{
        ChannelPath, Clip, Component, Curve, Document, Extrapolation, FrameRange, Interpolation, Joint, JointId, Key,
        KeyedCurve, Object, ObjectKind, Property, Rig, RotationMode, ScalarCurve, Skeleton,
    },
    progress::Progress,
};
use std::sync::Arc;

fn written(document: &Document, layout: GltfLayout) -> (Vec<u8>, f64) {
    let options = GltfExport { layout, ..GltfExport::default() };
    let written = export(document, options, &Progress::new(), &mut Report::new()).unwrap();
    (written.bytes, written.errors.iter().fold(0.0, |most, error| error.error.max(most)))
}

fn read(bytes: &[u8]) -> Document {
    to_parts(&parse(bytes, None).unwrap(), "", 1, &mut Report::new()).unwrap().into_document()
}

#[test]
fn what_has_no_data_is_written_without_buffers_in_every_layout() {
    let mut document = Document::default();
    document.add_object(Object::new("alone", ObjectKind::Empty));
    for layout in [GltfLayout::Binary, GltfLayout::Embedded, GltfLayout::Split { stem: "alone".to_owned() }] {
        let (bytes, _) = written(&document, layout);
        assert!(!String::from_utf8_lossy(&bytes).contains("buffers"));
        assert_eq!(read(&bytes).objects.len(), 1);
    }
}

/// A chain of joints along Y.
fn chain(count: u32) -> Document {
    let joint = |n: u32| Joint {
        rotation: RotationMode::Euler(EulerOrder::Xyz),
        ..Joint::new(JointId(n), &format!("joint {n}"), n.checked_sub(1).map(JointId), 0.01 * Vec3::y())
    };
    let skeleton = Arc::new(Skeleton::new((0..count).map(joint).collect()).unwrap());
    let mut document = Document::default();
    document.add_object(Object::rig("chain", Rig { skeleton, ..Rig::default() }));
    document
}

/// A curve of an angle, which glTF cannot say.
fn turning(post: Extrapolation) -> Arc<Curve> {
    let keys = [(0.0, 0.0), (1.0, 2.0), (2.0, -1.0)]
        .map(|(time, value)| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) });
    let curve = KeyedCurve { keys: keys.into_iter().collect(), post, ..KeyedCurve::default() };
    Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve)))
}

#[test]
fn a_range_without_end_costs_no_more_than_what_moves_in_it() {
    let far = [(Extrapolation::Constant, i64::MAX, 1e-3), (Extrapolation::Cycle, 4_294_967_295, f64::INFINITY)];
    for (post, last, tolerance) in far {
        let mut document = chain(3);
        let object = *document.objects.keys().next().unwrap();
        let mut clip = Clip::new("long", FrameRange::new(0, last));
        clip.channels.insert(ChannelPath::joint(object, JointId(1), Property::Rotation, Component::X), turning(post));
        document.add_clip(clip);
        let (bytes, error) = written(&document, GltfLayout::Binary);
        assert!(error < tolerance, "{error}");
        // What stands still needs no keys.
        assert!(post != Extrapolation::Constant || bytes.len() < 100_000, "{}", bytes.len());
    }
}

#[test]
fn a_chain_of_thousands_of_joints_goes_out_and_comes_back() {
    let document = chain(5_000);
    let again = read(&written(&document, GltfLayout::Binary).0);
    assert_eq!(again.rigs().next().unwrap().2.skeleton.len(), 5_000);
}
