//! Documents as BVH: what goes out untouched, what is evaluated, what is left out and said.

use crate::support::motion::{document_of, exported, model_at, only_rig};
use inbetween::edit::{Edit, RigEdit};
use inbetween::eval::size::skeleton_size;
use inbetween::io::bvh::{self, BvhFile, Channel, ExportError, ExportOptions, ImportOptions, write};
use inbetween::io::report::Report;
use inbetween::io::ron;
use inbetween::math::rotation::{from_axis_angle, from_euler};
use inbetween::math::{EulerOrder, Quat, Transform, Vec3};
use inbetween::model::{
    ChannelPath, Clip, Component, Correction, CorrectionId, Curve, Document, FrameRange, FrameRate, Interpolation,
    Joint, JointId, Key, KeyedCurve, KeyedRotation, Keys, LengthUnit, Object, Property, Rig, RotationCurve,
    RotationInterpolation, RotationKey, RotationMode, ScalarCurve, Skeleton, UnkeyedFrame, Value,
};
use inbetween::progress::Progress;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

fn keyed(keys: &[(f64, f64)]) -> Arc<Curve> {
    let key = |&(time, value)| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) };
    let keys: Keys<Key> = keys.iter().map(key).collect();
    Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() })))
}

/// Three joints that no file knows, in a document of 24 frames a second.
fn made(skeleton: Vec<Joint>, curves: Vec<(u32, Property, Component, Arc<Curve>)>, last: i64) -> Document {
    let mut document = Document::default();
    let rig = Rig { skeleton: Arc::new(Skeleton::new(skeleton).unwrap()), ..Rig::default() };
    let object = document.add_object(Object::rig("Arm", rig));
    let mut clip = Clip::new("wave", FrameRange::new(0, last));
    for (joint, property, component, curve) in curves {
        clip.channels.insert(ChannelPath::joint(object, JointId(joint), property, component), curve);
    }
    let id = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(id);
    document
}

fn arm() -> Vec<Joint> {
    vec![
        Joint::new(JointId(0), "shoulder", None, Vec3::new(0.0, 1.0, 0.0)),
        Joint::new(JointId(1), "elbow", Some(JointId(0)), Vec3::new(0.3, 0.0, 0.0)),
        Joint::new(JointId(2), "hand", Some(JointId(1)), Vec3::new(0.25, 0.0, 0.0)),
    ]
}

fn clip_mut(document: &mut Document) -> &mut Clip {
    let id = document.settings.clip.unwrap();
    document.clip_mut(id).unwrap()
}

fn reopened(file: &BvhFile, unit: LengthUnit) -> Document {
    let options = ImportOptions { unit: Some(unit), ..ImportOptions::default() };
    document_of(std::str::from_utf8(&write(file)).unwrap(), options).unwrap().0
}

/// The largest distance between the same joints of two documents over some frames, metres.
fn apart(a: &Document, b: &Document, frames: std::ops::Range<i64>) -> f64 {
    let count = only_rig(a).1.skeleton.len();
    let at =
        |d: &Document, frame| model_at(d, frame).into_iter().take(count).map(|m| m.translation).collect::<Vec<_>>();
    frames.flat_map(|f| at(a, f).into_iter().zip(at(b, f))).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn column(file: &BvhFile, joint: &str, channel: Channel) -> Vec<f64> {
    let index = file.channels().position(|(j, c)| file.joints[j].name == joint && c == channel).unwrap();
    file.columns[index].values.iter().map(|v| v / file.columns[index].unit).collect()
}

#[test]
fn a_rig_of_no_file_gets_the_usual_channels_and_ends() {
    let document = made(arm(), vec![(0, Property::Rotation, Component::Z, keyed(&[(0.0, 0.0), (1.0, PI)]))], 24);
    let (file, report) = exported(&document, ExportOptions::default());
    assert!(report.is_empty(), "{report:?}");
    let text = String::from_utf8(write(&file)).unwrap();
    assert!(text.contains("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"), "{text}");
    assert_eq!(text.matches("CHANNELS 3 Zrotation Xrotation Yrotation\n").count(), 2);
    assert_eq!((text.matches("End Site").count(), file.frames), (1, 25));
    assert!(text.contains("Frame Time: 0.0416667\n"), "{text}");
    assert!(text.contains("\n0.000000 1.000000 0.000000 90.000000 0.000000 0.000000 "), "{text}");
    assert!(apart(&document, &reopened(&file, LengthUnit::Metre), 0..25) < 1e-9);
}

#[test]
fn joints_that_move_get_positions_first_and_scale_is_dropped() {
    let mut joints = arm();
    joints[2].rest.scale = Vec3::new(1.0, 2.0, 1.0);
    let curves = vec![(1, Property::Translation, Component::X, keyed(&[(0.0, 0.3), (1.0, 0.6)]))];
    let document = made(joints, curves, 24);
    let (file, report) =
        exported(&document, ExportOptions { unit: Some(LengthUnit::Centimetre), ..Default::default() });
    assert_eq!(
        file.joints[1].channels,
        [0, 1, 2].map(Channel::Position).into_iter().chain([2, 0, 1].map(Channel::Rotation)).collect::<Vec<_>>()
    );
    assert_eq!((report.count("channels"), report.count("scale"), report.total()), (1, 1, 2), "{report:?}");
    assert_eq!(file.joints[1].offset, [30.0, 0.0, 0.0]);
    assert!((column(&file, "elbow", Channel::Position(0))[24] - 60.0).abs() < 1e-9);
    // A channel that never leaves the rest needs no column.
    let still = made(arm(), vec![(1, Property::Translation, Component::X, keyed(&[(0.0, 0.3)]))], 24);
    assert_eq!(exported(&still, ExportOptions::default()).0.joints[1].channels.len(), 3);
}

#[test]
fn turns_do_not_jump_from_row_to_row() {
    // Three whole turns in angles of the written order, kept as they are; quaternions, unwrapped.
    let spin = made(arm(), vec![(0, Property::Rotation, Component::X, keyed(&[(0.0, 0.0), (2.0, 3.0 * TAU)]))], 48);
    let angles = column(&exported(&spin, ExportOptions::default()).0, "shoulder", Channel::Rotation(0));
    assert!((angles[48] - 1080.0).abs() < 1e-6, "{}", angles[48]);
    let mut joints = arm();
    joints[0].rotation = RotationMode::Quaternion;
    let key = |i: u32| {
        RotationKey::new(
            f64::from(i) * 0.25,
            from_axis_angle(&Vec3::new(0.2, 1.0, 0.1), f64::from(i) * 2.0),
            RotationInterpolation::Slerp,
        )
    };
    let curve = KeyedRotation { keys: (0..9).map(key).collect() };
    let curve = Arc::new(Curve::Rotation(RotationCurve::Keyed(curve)));
    let spin = made(joints, vec![(0, Property::Rotation, Component::Whole, curve)], 48);
    let (file, _) = exported(&spin, ExportOptions::default());
    for axis in 0..3 {
        let angles = column(&file, "shoulder", Channel::Rotation(axis));
        assert!(angles.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 60.0), "axis {axis}: {angles:?}");
    }
    assert!(apart(&spin, &reopened(&file, LengthUnit::Metre), 0..49) < 1e-9);
}

#[test]
fn other_orders_are_written_as_the_same_rotation() {
    let mut joints = arm();
    joints[1].rotation = RotationMode::Euler(EulerOrder::Xyz);
    joints[2].rest.rotation = from_euler(EulerOrder::Zxy, [0.3, -0.2, 0.5]);
    let curves = Component::AXES.into_iter().zip([0.7, -2.0, 4.0]);
    let curves = curves.map(|(c, end)| (1, Property::Rotation, c, keyed(&[(0.0, 0.1), (1.0, end)]))).collect();
    let document = made(joints, curves, 24);
    let (file, _) = exported(&document, ExportOptions::default());
    assert!(apart(&document, &reopened(&file, LengthUnit::Metre), 0..25) < 1e-9);
}

const SAMPLED: &str = include_str!("../data/bvh/odd_mixed_orders.bvh");

/// A correction of one joint between two times, in a document of a file.
fn corrected(document: &mut Document, joint: u32, range: (f64, f64)) {
    turned_by(document, joint, range, 0.4);
}

/// [`corrected`] by an angle about X.
fn turned_by(document: &mut Document, joint: u32, range: (f64, f64), angle: f64) {
    let object = only_rig(document).0;
    let middle = 0.5 * (range.0 + range.1);
    let key =
        |time, angle: f64| RotationKey::new(time, from_axis_angle(&Vec3::x(), angle), RotationInterpolation::Smooth);
    let curve =
        KeyedRotation { keys: [key(range.0, 0.0), key(middle, angle), key(range.1, 0.0)].into_iter().collect() };
    let path = ChannelPath::joint(object, JointId(joint), Property::Rotation, Component::Whole);
    let deltas = BTreeMap::from([(path, Arc::new(Curve::Rotation(RotationCurve::Keyed(curve))))]);
    let correction = Correction {
        id: CorrectionId(0),
        name: "raise".into(),
        muted: false,
        scale: 1.0,
        range,
        deltas,
        solved: std::collections::BTreeMap::new(),
    };
    clip_mut(document).corrections.push(Arc::new(correction));
}

#[test]
fn only_what_a_correction_reaches_is_evaluated() {
    let (untouched, _) = document_of(SAMPLED, ImportOptions::default()).unwrap();
    let before = exported(&untouched, ExportOptions::default()).0;
    let mut document = untouched.clone();
    let rate = document.settings.rate;
    corrected(&mut document, 1, (rate.secs(1), rate.secs(3)));
    let (file, _) = exported(&document, ExportOptions::default());
    for ((joint, channel), (a, b)) in file.channels().zip(file.columns.iter().zip(&before.columns)) {
        if joint == 1 {
            assert_eq!([a.values[0], a.values[1], a.values[3]], [b.values[0], b.values[1], b.values[3]], "{channel:?}");
        } else {
            assert!(Arc::ptr_eq(&a.values, &b.values), "{joint} {channel:?} was copied");
        }
    }
    let unit = only_rig(&document).1.unit;
    let again = reopened(&file, unit);
    assert!(apart(&document, &again, 0..4) < 1e-9 && apart(&untouched, &again, 2..3) > 1e-3);
}

#[test]
fn waiting_edits_and_the_objects_own_motion_stay_behind() {
    let (mut document, _) = document_of(SAMPLED, ImportOptions::default()).unwrap();
    let before = write(&exported(&document, ExportOptions::default()).0);
    let object = only_rig(&document).0;
    let path = ChannelPath::joint(object, JointId(1), Property::Rotation, Component::X);
    clip_mut(&mut document)
        .unkeyed
        .push(UnkeyedFrame { time: 0.0, values: BTreeMap::from([(path, Value::Scalar(1.0))]) });
    let own = ChannelPath::object(object, Property::Translation, Component::Y);
    clip_mut(&mut document).channels.insert(own, keyed(&[(0.0, 5.0)]));
    document.object_mut(object).unwrap().transform = Transform::from_rotation(Quat::from_euler_angles(1.0, 0.0, 0.0));
    let (file, report) = exported(&document, ExportOptions::default());
    assert_eq!((report.count("unkeyed"), report.count("object-motion")), (1, 1), "{report:?}");
    // Neither does how it stands go into the file, and the report says so.
    let stands = report.entries().iter().find(|entry| entry.kind == "object-place").unwrap();
    assert!(stands.found.contains("turned by 57.3 degrees"), "{stands:?}");
    assert_eq!(write(&file), before);
}

#[test]
fn ranges_and_rates_as_asked() {
    let (document, _) = document_of(SAMPLED, ImportOptions::default()).unwrap();
    let range = Some(FrameRange::new(1, 2));
    let (part, _) = exported(&document, ExportOptions { range, ..Default::default() });
    let whole = exported(&document, ExportOptions::default()).0;
    assert_eq!(part.frames, 2);
    for (part, whole) in part.columns.iter().zip(&whole.columns) {
        assert_eq!(part.values[..], whole.values[1..3]);
    }
    // Twice the rate: every other row is one of the file's, those between lie on the short arc.
    let (dense, report) = exported(&document, ExportOptions { rate: FrameRate::new(60, 1), ..Default::default() });
    assert_eq!((dense.frames, dense.frame_time.text.as_str(), report.count("rate")), (7, "0.0166667", 1));
    for (dense, whole) in dense.columns.iter().zip(&whole.columns) {
        let values: Vec<f64> = dense.values.iter().step_by(2).copied().collect();
        assert!(values.iter().zip(whole.values.iter()).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}

/// The file's own frame time is written, whatever the rate of the document the motion was brought into.
#[test]
fn case_b05_the_rate_is_that_of_the_clip() {
    let text = format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\nMOTION\nFrames: 100\n\
         Frame Time: 0.033926\n{}",
        (0..100).map(|i| format!("{i}\n")).collect::<String>()
    );
    let mut document = Document::default();
    assert_eq!(document.settings.rate, FrameRate::FPS_24);
    let parsed = bvh::parse(text.as_bytes(), &mut Report::new()).unwrap();
    let import =
        inbetween::io::open::plan_import(&document, parsed, "walk", None, ImportOptions::default(), &mut Report::new());
    Edit::from(import).apply(&mut document).unwrap();
    assert_eq!(document.settings.rate, FrameRate::FPS_24);
    let (file, report) = exported(&document, ExportOptions::default());
    assert!(report.is_empty(), "{report:?}");
    assert_eq!((file.frame_time.text.as_str(), file.frames), ("0.033926", 100));
    let written = String::from_utf8(write(&file)).unwrap();
    let (again, _) = document_of(&written, ImportOptions::default()).unwrap();
    let length = again.settings.rate.secs(again.settings.play_range.last);
    assert!((length - 3.358_674).abs() < 1e-4);
    // At 24 frames a second on request: the same length, to the frame.
    let (file, _) = exported(&document, ExportOptions { rate: Some(FrameRate::FPS_24), ..Default::default() });
    assert_eq!((file.frame_time.text.as_str(), file.frames), ("0.0416667", 82));
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let document = made(arm(), vec![], i64::MAX);
    let object = only_rig(&document).0;
    let run = |progress: &Progress| {
        bvh::export(&document, object, ExportOptions::default(), progress, &mut Report::new()).map(|file| file.frames)
    };
    assert!(matches!(run(&Progress::new()), Err(ExportError::TooLong { .. })));
    let (document, _) = document_of(SAMPLED, ImportOptions::default()).unwrap();
    let progress = Progress::new();
    progress.cancel();
    let stopped =
        bvh::export(&document, only_rig(&document).0, ExportOptions::default(), &progress, &mut Report::new());
    assert!(matches!(stopped, Err(ExportError::Cancelled(_))));
}

#[test]
fn names_that_cannot_stand_in_a_file_are_changed_and_said() {
    let mut joints = arm();
    joints[1].name = "elbow {left}\n".into();
    let document = made(joints, vec![], 0);
    let (file, report) = exported(&document, ExportOptions::default());
    assert_eq!((file.joints[1].name.as_str(), report.count("name")), ("elbow _left__", 1));
    assert_eq!(only_rig(&reopened(&file, LengthUnit::Metre)).1.skeleton.joints()[1].name, "elbow _left__");
}

/// Order, digits and End Sites as asked; what the file misses the document by is measured on the text itself.
#[test]
fn the_form_is_as_asked_and_its_error_is_measured() {
    let curves = vec![
        (0, Property::Rotation, Component::Z, keyed(&[(0.0, 0.0), (1.0, 1.3)])),
        (0, Property::Rotation, Component::X, keyed(&[(0.0, 0.4), (1.0, -0.9)])),
        (1, Property::Translation, Component::X, keyed(&[(0.0, 0.3), (1.0, 0.6)])),
    ];
    let document = made(arm(), curves, 24);
    let object = only_rig(&document).0;
    let written = |options: ExportOptions, digits| {
        bvh::export_measured(&document, object, options, digits, &Progress::new(), &mut Report::new()).unwrap()
    };
    let worst = |written: &bvh::BvhWritten, channel: &str| {
        let of = written.errors.iter().find(|error| error.channel == channel);
        of.unwrap_or_else(|| panic!("{channel} in {:?}", written.errors)).error
    };
    let plain = written(ExportOptions::default(), None);
    assert!(worst(&plain, "Arm/elbow/translation") < 1e-8);
    // Between the rows readers turn by the short arc, the angles here run straight: not exact, but near.
    assert!(worst(&plain, "Arm/shoulder/rotation") < 1e-3);
    let asked = ExportOptions {
        order: Some(EulerOrder::Xyz),
        root_translation_only: true,
        end_length: Some(0.07),
        ..ExportOptions::default()
    };
    let formed = written(asked, Some(2));
    let text = String::from_utf8(formed.bytes.clone()).unwrap();
    assert_eq!(text.matches("CHANNELS 3 Xrotation Yrotation Zrotation\n").count(), 2, "{text}");
    assert_eq!(text.matches("Xposition").count(), 1);
    assert!(text.contains("End Site\n\t\t\t{\n\t\t\t\tOFFSET 0.07 0.00 0.00"), "{text}");
    let numbers =
        text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1).flat_map(str::split_whitespace);
    assert!(numbers.clone().count() > 0 && numbers.clone().all(|number| number.split('.').nth(1).unwrap().len() == 2));
    // The elbow stays 0.3 m off at the end, and two decimals of a degree cost up to half a hundredth an angle.
    assert!((worst(&formed, "Arm/elbow/translation") - 0.3).abs() < 0.02);
    let rotation = "Arm/shoulder/rotation";
    let more = (worst(&formed, rotation) - worst(&plain, rotation)).to_degrees();
    assert!(more.abs() < 0.005 * 3.0 && worst(&formed, rotation) != worst(&plain, rotation), "{more}");
    // The motion itself is the same in another order.
    let exact = written(ExportOptions { order: Some(EulerOrder::Yzx), ..ExportOptions::default() }, None);
    assert!(worst(&exact, "Arm/shoulder/rotation") < 1e-3);
}

#[test]
fn a_figure_whose_height_is_told_keeps_the_numbers_of_its_file() {
    let document = made(arm(), vec![(0, Property::Translation, Component::Y, keyed(&[(0.0, 1.0), (1.0, 1.7)]))], 24);
    let as_it_came = write(&exported(&document, ExportOptions::default()).0);
    let mut told = document_of(std::str::from_utf8(&as_it_came).unwrap(), ImportOptions::default()).unwrap().0;
    let (object, size) = (only_rig(&told).0, skeleton_size(&only_rig(&told).1.skeleton));
    let unit = LengthUnit::from_metres(only_rig(&told).1.unit.metres() * 1.75 / size).unwrap();
    assert!(matches!(unit, LengthUnit::Own(_)), "{unit:?}");
    Edit::from(RigEdit::SetUnit { object, unit }).apply(&mut told).unwrap();
    assert_eq!(told.problems(), []);
    assert!((skeleton_size(&only_rig(&told).1.skeleton) - 1.75).abs() < 1e-12);
    // So it is saved, read again and written as it came.
    let saved = ron::save(&told).unwrap();
    let read = ron::load(&saved).unwrap();
    assert_eq!(read, told);
    assert_eq!(write(&exported(&read, ExportOptions::default()).0), as_it_came);
    // A file that says no unit is read with it.
    let again = reopened(&exported(&read, ExportOptions::default()).0, unit);
    assert!(apart(&told, &again, 0..25) < 1e-6);
}

#[test]
fn a_correction_far_from_the_curves_makes_no_angle_jump() {
    let angles = [(0.0, 1.2), (2.0, 1.2)];
    for component in [Component::X, Component::Y, Component::Z] {
        let mut document = made(arm(), vec![(1, Property::Rotation, component, keyed(&angles))], 48);
        turned_by(&mut document, 1, (0.25, 1.75), 3.1);
        let file = exported(&document, ExportOptions::default()).0;
        for (joint, channel) in file.channels() {
            let angles = column(&file, &file.joints[joint].name, channel);
            let most = angles.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
            assert!(most < 90.0, "{component:?}: {joint} {channel:?} jumps by {most}");
        }
        assert!(apart(&document, &reopened(&file, LengthUnit::Metre), 0..49) < 1e-5);
    }
}
