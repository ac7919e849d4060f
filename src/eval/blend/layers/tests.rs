use super::*;
use crate::{
    eval::{Evaluator, blend::bake},
    math::{
        Quat,
        rotation::{chord_angle, from_axis_angle},
    },
    model::{
        Additive, AdditiveReference, AdditiveSpace, Axis, BlendScheme, BlendSpaceId, Component, Curve, FrameRange,
        Joint, JointId, JointMask, Key, KeyedCurve, Marker, MarkerId, Object, Rig, RotationCurve, RotationMode,
        RotationSamples, Samples, ScalarCurve, Skeleton, SpaceSample, Sync, Target,
    },
    progress::Progress,
};

const OBJECT: ObjectId = ObjectId(1);

/// Hips, a thigh that swings, a foot on it, and an arm; all as quaternions.
fn figure() -> Document {
    let mut document = Document::default();
    let joint = |id: u32, name: &str, parent: Option<u32>, at: [f64; 3]| Joint {
        rotation: RotationMode::Quaternion,
        ..Joint::new(JointId(id), name, parent.map(JointId), Vec3::from(at))
    };
    let joints = vec![
        joint(0, "hips", None, [0.0, 1.0, 0.0]),
        joint(1, "thigh", Some(0), [0.0, 0.0, 0.0]),
        joint(2, "foot", Some(1), [0.0, -1.0, 0.0]),
        joint(3, "arm", Some(0), [0.2, 0.5, 0.0]),
    ];
    document.add_object(Object::rig(
        "figure",
        Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() },
    ));
    document
}

fn path(joint: u32, property: Property, component: Component) -> ChannelPath {
    ChannelPath { target: Target::Joint(OBJECT, JointId(joint)), property, component }
}

/// A gait of so many frames a cycle that goes `stride` metres a cycle along Z; the thigh swings so that the foot, while it is
/// down (the half of the cycle that begins at `down`), stands still.
fn gait(document: &mut Document, name: &str, frames: i64, stride: f64, down: f64) -> ClipId {
    let rate = document.settings.rate;
    let mut clip = Clip::new(name, FrameRange::new(0, frames));
    clip.travels = true;
    let part = |frame: i64| frame as f64 / frames as f64;
    let forward: Vec<f64> = (0..=frames).map(|frame| stride * part(frame)).collect();
    let samples =
        |values: Vec<f64>| Arc::new(Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values.into()))));
    clip.channels.insert(path(0, Property::Translation, Component::Z), samples(forward));
    let swing = |frame: i64| {
        let u = (part(frame) - down).rem_euclid(1.0);
        // Back while it is down, half a stride in half a cycle; forward in the air.
        let ahead = if u < 0.5 { 0.25 - u } else { u - 0.75 };
        let lift = if u < 0.5 { 0.0 } else { 0.3 * ((u - 0.5) * std::f64::consts::TAU).sin() };
        let angle = -(stride * ahead).clamp(-0.9, 0.9).asin();
        (from_axis_angle(&Vec3::x(), angle), lift)
    };
    let turns: Vec<Quat> = (0..=frames).map(|frame| swing(frame).0).collect();
    let track = RotationCurve::Sampled(RotationSamples { start: 0.0, rate, values: turns.into() });
    clip.channels.insert(path(1, Property::Rotation, Component::Whole), Arc::new(Curve::Rotation(track)));
    // The leg is as long as it takes to stay on the ground.
    let length = |frame: i64| {
        let (turn, lift) = swing(frame);
        -(1.0 - lift) / (turn * Vec3::y()).y
    };
    let lengths: Vec<f64> = (0..=frames).map(length).collect();
    clip.channels.insert(path(2, Property::Translation, Component::Y), samples(lengths));
    clip.markers.push(Marker {
        id: MarkerId(0),
        time: rate.secs(frames) * down,
        name: "down".to_owned(),
        colour: Default::default(),
        sync: true,
    });
    document.add_clip(clip)
}

fn still(document: &mut Document, name: &str, joint: u32, angle: f64) -> ClipId {
    let rate = document.settings.rate;
    let mut clip = Clip::new(name, FrameRange::new(0, 1));
    let values = vec![from_axis_angle(&Vec3::z(), angle); 2].into();
    let track = RotationCurve::Sampled(RotationSamples { start: 0.0, rate, values });
    clip.channels.insert(path(joint, Property::Rotation, Component::Whole), Arc::new(Curve::Rotation(track)));
    document.add_clip(clip)
}

fn lay(document: &mut Document, layer: Layer) {
    document.object_mut(OBJECT).unwrap().layers.push(Arc::new(layer));
    assert_eq!(document.problems(), []);
}

fn pose(document: &Document, secs: f64) -> Vec<Transform> {
    Evaluator::new().rig_frame(document, OBJECT, secs).unwrap().local.clone()
}

fn walk_to_run(sync: Sync) -> (Document, BlendSpaceId) {
    let mut document = figure();
    document.settings = Arc::new(crate::model::Settings { play_range: FrameRange::new(0, 239), ..Default::default() });
    let walk = gait(&mut document, "walk", 24, 1.2, 0.0);
    let run = gait(&mut document, "run", 16, 1.6, 0.3);
    let axes = [Axis::new("speed", "m/s", [0.0, 10.0]), Axis::new("", "m/s", [0.0, 1.0])];
    let mut space = BlendSpace::new("gait", axes);
    (space.sync, space.scheme) = (sync, BlendScheme::Linear);
    space.samples =
        vec![SpaceSample::new(Plays::Clip(walk), [1.0, 0.0]), SpaceSample::new(Plays::Clip(run), [2.0, 0.0])];
    let id = document.add_space(space);
    let layer = Layer { point: [1.5, 0.0], ..Layer::new(LayerId(0), "gait", Plays::Space(id)) };
    lay(&mut document, layer);
    (document, id)
}

#[test]
fn a_layer_of_a_clip_is_the_clip_and_one_of_no_weight_nothing() {
    let mut document = figure();
    let walk = gait(&mut document, "walk", 24, 1.2, 0.0);
    let wave = still(&mut document, "wave", 3, 1.0);
    let mut plain = document.clone();
    plain.object_mut(OBJECT).unwrap().clip = Some(walk);
    lay(&mut document, Layer::new(LayerId(0), "walk", Plays::Clip(walk)));
    for secs in [0.0, 0.3, 0.77, 1.0] {
        assert_eq!(pose(&document, secs), pose(&plain, secs));
    }
    let mut with = document.clone();
    lay(&mut with, Layer { weight: 0.0, ..Layer::new(LayerId(1), "wave", Plays::Clip(wave)) });
    assert_eq!(pose(&with, 0.4), pose(&document, 0.4));
    // What the wave does not move goes on walking.
    with.object_mut(OBJECT).unwrap().layers[1] = Arc::new(Layer::new(LayerId(1), "wave", Plays::Clip(wave)));
    let both = pose(&with, 0.4);
    assert_eq!(both[..3], pose(&document, 0.4)[..3]);
    assert!((chord_angle(&both[3].rotation, &Quat::identity()) - 1.0).abs() < 1e-12);
    // Beyond its range it goes on, and travels.
    let later = pose(&document, 2.25);
    assert!((later[0].translation.z - 2.25 * 1.2).abs() < 1e-9);
    assert!(chord_angle(&later[1].rotation, &pose(&document, 0.25)[1].rotation) < 1e-12);
}

#[test]
fn masks_feather_and_solo_and_mute_choose() {
    let mut document = figure();
    let wave = still(&mut document, "wave", 3, 1.0);
    let mask = document.add_mask(JointMask {
        name: "arm".to_owned(),
        joints: [("arm".to_owned(), 0.5), ("gone".to_owned(), 1.0)].into(),
        others: 0.0,
    });
    let layer = Layer { mask: Some(mask), ..Layer::new(LayerId(0), "wave", Plays::Clip(wave)) };
    lay(&mut document, layer.clone());
    assert!((chord_angle(&pose(&document, 0.0)[3].rotation, &Quat::identity()) - 0.5).abs() < 1e-12);
    lay(&mut document, Layer { id: LayerId(1), mask: None, weight: 0.25, solo: true, ..layer.clone() });
    assert!((chord_angle(&pose(&document, 0.0)[3].rotation, &Quat::identity()) - 0.25).abs() < 1e-2);
    for (index, layer) in
        [Layer { muted: true, ..layer.clone() }, Layer { id: LayerId(1), muted: true, ..layer }].into_iter().enumerate()
    {
        document.object_mut(OBJECT).unwrap().layers[index] = Arc::new(layer);
    }
    assert!(!plays_layers(&document, OBJECT));
}

#[test]
fn additive_layers_add_what_their_clip_differs_by() {
    let mut document = figure();
    let base = still(&mut document, "base", 3, 0.4);
    let lean = still(&mut document, "lean", 3, 0.7);
    lay(&mut document, Layer::new(LayerId(0), "base", Plays::Clip(base)));
    let added = Layer { mode: LayerMode::Additive, weight: 0.5, ..Layer::new(LayerId(1), "lean", Plays::Clip(lean)) };
    lay(&mut document, added);
    let turn = |document: &Document| chord_angle(&pose(document, 0.0)[3].rotation, &Quat::identity());
    assert!((turn(&document) - 0.75).abs() < 1e-12);
    for space in AdditiveSpace::ALL {
        // Against the other clip it is 0.3 more; against its own frame nothing.
        for (reference, wanted) in [(AdditiveReference::Clip(base), 0.55), (AdditiveReference::Frame(1), 0.4)] {
            document.clip_mut(lean).unwrap().additive = Some(Additive { reference, space });
            assert_eq!(document.problems(), []);
            assert!((turn(&document) - wanted).abs() < 1e-12, "{space:?} {reference:?}");
        }
    }
}

/// Moves the point of the first layer along a curve through these times and values.
fn led(document: &mut Document, keys: [(f64, f64); 3]) {
    let mut lead = Clip::new("lead", FrameRange::new(0, 239));
    let keys = keys.map(|(time, value)| Key::new(time, value)).into_iter().collect();
    let curve = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..Default::default() }));
    lead.channels.insert(ChannelPath::layer(OBJECT, LayerId(0), Property::Horizontal), Arc::new(curve));
    let lead = document.add_clip(lead);
    Arc::make_mut(&mut document.settings).clip = Some(lead);
}

#[test]
fn a_space_plays_warm_as_cold_and_a_sample_alone_is_its_clip() {
    let (mut document, id) = walk_to_run(Sync::Markers);
    led(&mut document, [(0.0, 1.0), (4.0, 2.0), (8.0, 1.2)]);
    for smoothing in [None, Some(crate::model::Smoothing::Spring(0.3)), Some(crate::model::Smoothing::Exponential(0.2))]
    {
        Arc::make_mut(Arc::make_mut(&mut document.blend_spaces).get_mut(&id).unwrap()).smoothing = smoothing;
        assert_eq!(document.problems(), []);
        let warm = Evaluator::new();
        for secs in [5.0, 0.0, 3.21, -0.4, 9.0, 3.21, 2.0] {
            let (a, b) = (warm.frame(&document, secs), Evaluator::new().frame(&document, secs));
            assert_eq!(a.rig(OBJECT), b.rig(OBJECT));
            assert_eq!(a.layers, b.layers);
        }
        // No jump anywhere, at frames neither.
        let step = 1e-5;
        for frame in 0..200 {
            let secs = f64::from(frame) / 24.0;
            let (a, b) = (pose(&document, secs - step), pose(&document, secs));
            let far = (a[0].translation - b[0].translation).norm() + chord_angle(&a[1].rotation, &b[1].rotation);
            assert!(far < 1e-3, "{smoothing:?} {frame}: {far}");
        }
    }
    let report = Evaluator::new().frame(&document, 0.0).layers[0].clone();
    assert_eq!((report.samples, report.unmatched, report.ignores_pins), (vec![1.0, 0.0], false, false));
    // At rest on the walk alone it is the walk.
    let (mut document, id) = walk_to_run(Sync::Markers);
    let walk = document.blend_spaces[&id].samples[0].plays;
    let mut alone = document.clone();
    alone.object_mut(OBJECT).unwrap().layers = vec![Arc::new(Layer::new(LayerId(0), "walk", walk))];
    let mut layer = (*document.object(OBJECT).unwrap().layers[0]).clone();
    layer.point = [1.0, 0.0];
    document.object_mut(OBJECT).unwrap().layers[0] = Arc::new(layer);
    for secs in [0.0, 0.4, 1.3, 7.7] {
        for (a, b) in pose(&document, secs).iter().zip(pose(&alone, secs)) {
            assert!((a.translation - b.translation).norm() < 1e-9 && chord_angle(&a.rotation, &b.rotation) < 1e-9);
        }
    }
}

#[test]
fn what_is_baked_is_what_plays() {
    let (document, _) = walk_to_run(Sync::Markers);
    let frames = FrameRange::new(0, 120);
    let clip = bake::baked_clip(&document, OBJECT, frames, "baked", &Progress::new()).unwrap().unwrap();
    let plain = bake::without_layers(&document, OBJECT, frames, &Progress::new()).unwrap();
    assert_eq!(plain.problems(), []);
    for frame in frames.first..=frames.last {
        let secs = document.settings.rate.secs(frame);
        for (a, b) in pose(&document, secs).iter().zip(pose(&plain, secs)) {
            assert!((a.translation - b.translation).norm() < 1e-9 && chord_angle(&a.rotation, &b.rotation) < 1e-9);
        }
    }
    let keys = bake::reduced(&clip, 1e-3, 1e-3, 1e-3);
    assert!(keys.channels.values().any(|curve| !curve.is_sampled()));
}

#[test]
fn spaces_of_spaces_and_bad_ones_are_defined() {
    let (mut document, inner) = walk_to_run(Sync::Normalised);
    let idle = still(&mut document, "idle", 3, 0.2);
    let axes = [Axis::new("a", "", [0.0, 1.0]), Axis::new("b", "", [0.0, 1.0])];
    let mut outer = BlendSpace::new("outer", axes);
    outer.samples =
        vec![SpaceSample::new(Plays::Clip(idle), [0.0, 0.0]), SpaceSample::new(Plays::Space(inner), [1.0, 0.0])];
    let outer = document.add_space(outer);
    let layer = Layer { point: [0.5, f64::NAN], ..Layer::new(LayerId(0), "outer", Plays::Space(outer)) };
    document.object_mut(OBJECT).unwrap().layers = vec![Arc::new(layer.clone())];
    let frame = Evaluator::new().frame(&document, 0.7);
    assert_eq!(frame.layers[0].samples, [0.5, 0.5]);
    // Into itself, empty, gone: something is shown, and nothing hangs.
    let samples = |document: &mut Document, samples| {
        Arc::make_mut(Arc::make_mut(&mut document.blend_spaces).get_mut(&outer).unwrap()).samples = samples;
    };
    samples(&mut document, vec![SpaceSample::new(Plays::Space(outer), [0.0, 0.0])]);
    assert!(!document.problems().is_empty());
    let rest = pose(&figure(), 0.0);
    assert_eq!(pose(&document, 0.7), rest);
    samples(&mut document, Vec::new());
    assert!(Evaluator::new().frame(&document, 0.7).layers[0].landing.unwrap().nothing);
    assert_eq!(pose(&document, 0.7), rest);
    Arc::make_mut(&mut document.blend_spaces).clear();
    assert_eq!(pose(&document, f64::INFINITY), rest);
}

#[test]
fn clips_of_another_rig_play_by_the_names_of_joints() {
    let mut document = figure();
    let wave = still(&mut document, "wave", 3, 1.0);
    let joints = vec![
        Joint { rotation: RotationMode::Quaternion, ..Joint::new(JointId(5), "arm", None, Vec3::new(0.0, 9.0, 0.0)) },
        Joint::new(JointId(6), "tail", Some(JointId(5)), Vec3::x()),
    ];
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    let other = document.add_object(Object::rig("other", rig));
    let layer = Arc::new(Layer::new(LayerId(0), "wave", Plays::Clip(wave)));
    document.object_mut(other).unwrap().layers.push(layer);
    let frame = Evaluator::new().rig_frame(&document, other, 0.0).unwrap();
    assert!((chord_angle(&frame.local[0].rotation, &Quat::identity()) - 1.0).abs() < 1e-12);
    assert_eq!(frame.local[0].translation, Vec3::new(0.0, 9.0, 0.0));
}

#[test]
fn the_trail_of_a_point_is_what_plays() {
    let (mut document, id) = walk_to_run(Sync::Markers);
    led(&mut document, [(0.0, 1.0), (2.0, 2.0), (4.0, 1.2)]);
    for smoothing in [None, Some(crate::model::Smoothing::Spring(0.3)), Some(crate::model::Smoothing::Exponential(0.2))]
    {
        Arc::make_mut(Arc::make_mut(&mut document.blend_spaces).get_mut(&id).unwrap()).smoothing = smoothing;
        let trail = point_trail(&document, OBJECT, LayerId(0), 1000).unwrap();
        assert_eq!((trail.first, trail.told.len()), (0, 240));
        let evaluator = Evaluator::new();
        for (frame, at) in [(0_usize, 0_i64), (1, 1), (30, 30), (61, 61), (100, 100), (239, 239)] {
            let report = evaluator.frame(&document, document.settings.rate.secs(at)).layers[0].clone();
            for (trailed, played) in trail.weights[frame].iter().zip(&report.samples) {
                assert!((trailed - played).abs() < 1e-9, "{smoothing:?} {frame}");
            }
            assert!(report.cycle > 0.6 && report.cycle < 1.1);
        }
        assert_eq!(smoothing.is_none(), trail.told == trail.played);
    }
    assert_eq!(point_trail(&document, OBJECT, LayerId(0), 10).unwrap().told.len(), 10);
    assert_eq!(point_trail(&document, OBJECT, LayerId(9), 10), None);
}

/// A clip of a second in which the root walks an arc about the vertical: a turn of `angle` on a circle of 2 m.
fn arc(document: &mut Document, name: &str, angle: f64) -> ClipId {
    let rate = document.settings.rate;
    let mut clip = Clip::new(name, FrameRange::new(0, 24));
    clip.travels = true;
    let at = |frame: i64| angle * frame as f64 / 24.0;
    let radius = 2.0;
    let samples = |of: &dyn Fn(f64) -> f64| Samples::new(0.0, rate, (0..=24).map(|frame| of(at(frame))).collect());
    let mut put = |property, component, curve| {
        clip.channels.insert(path(0, property, component), Arc::new(curve));
    };
    let ways: [&dyn Fn(f64) -> f64; 2] = [&|a| radius * (1.0 - a.cos()), &|a| radius * a.sin()];
    for (component, of) in [Component::X, Component::Z].into_iter().zip(ways) {
        put(Property::Translation, component, Curve::Scalar(ScalarCurve::Sampled(samples(of))));
    }
    let turns: Vec<Quat> = (0..=24).map(|frame| from_axis_angle(&Vec3::y(), at(frame))).collect();
    let track = RotationCurve::Sampled(RotationSamples { start: 0.0, rate, values: turns.into() });
    put(Property::Rotation, Component::Whole, Curve::Rotation(track));
    document.add_clip(clip)
}

#[test]
fn a_clip_that_turns_as_it_travels_goes_on_round_the_circle() {
    let mut document = figure();
    document.settings = Arc::new(crate::model::Settings { play_range: FrameRange::new(0, 239), ..Default::default() });
    let quarter = std::f64::consts::FRAC_PI_2;
    let left = arc(&mut document, "left", quarter);
    let right = arc(&mut document, "right", -quarter);
    let start = pose(&document, 0.0)[0].translation;
    let mut alone = document.clone();
    lay(&mut alone, Layer::new(LayerId(0), "left", Plays::Clip(left)));
    let mut space = BlendSpace::new("turns", [Axis::new("turn", "", [-1.0, 1.0]), Axis::new("", "", [0.0, 1.0])]);
    space.samples =
        vec![SpaceSample::new(Plays::Clip(right), [-1.0, 0.0]), SpaceSample::new(Plays::Clip(left), [1.0, 0.0])];
    let id = document.add_space(space);
    let in_space = |point: f64| {
        let mut document = document.clone();
        lay(&mut document, Layer { point: [point, 0.0], ..Layer::new(LayerId(0), "turns", Plays::Space(id)) });
        document
    };
    let (whole, half) = (in_space(1.0), in_space(0.5));
    for frame in [-30_i64, 0, 11, 24, 37, 96, 130, 200] {
        let secs = document.settings.rate.secs(frame);
        let angle = quarter * secs;
        let wanted = Vec3::new(2.0 * (1.0 - angle.cos()), start.y, 2.0 * angle.sin());
        for document in [&alone, &whole] {
            let root = pose(document, secs)[0];
            assert!((root.translation - wanted).norm() < 1e-9, "{frame}: {} {wanted}", root.translation);
            assert!(chord_angle(&root.rotation, &from_axis_angle(&Vec3::y(), angle)) < 1e-9, "{frame}");
        }
        // Three quarters of one and a quarter of the other turn by half as much, and do not jump.
        let root = pose(&half, secs)[0];
        assert!(chord_angle(&root.rotation, &from_axis_angle(&Vec3::y(), 0.5 * angle)) < 1e-9, "{frame}");
        let next = pose(&half, secs + 1e-6)[0];
        assert!((next.translation - root.translation).norm() < 1e-4);
    }
}
