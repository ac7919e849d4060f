//! Files opened as documents, and motion imported into documents.

use crate::support::motion::{document_of, model_at, only_rig};
use inbetween::edit::{Edit, ImportEdit};
use inbetween::eval::size::skeleton_size;
use inbetween::io::bvh::{ImportOptions, Up, parse};
use inbetween::io::open::{FileKind, OpenError, import, open, plan_import};
use inbetween::io::report::Report;
use inbetween::io::{file, ron};
use inbetween::math::{EulerOrder, Vec3};
use inbetween::model::{
    Component, Curve, Document, FrameRange, FrameRate, LengthUnit, ObjectId, Property, RotationMode, ScalarCurve,
};
use std::path::Path;
use std::sync::Arc;

const FIGURE: &str = include_str!("../data/bvh/odd_mixed_orders.bvh");

fn planned(document: &Document, text: &str, selected: Option<ObjectId>) -> (ImportEdit, Document) {
    let parsed = parse(text.as_bytes(), &mut Report::new()).unwrap();
    let import = plan_import(document, parsed, "take", selected, ImportOptions::default(), &mut Report::new());
    let mut after = document.clone();
    Edit::from(import.clone()).apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    (import, after)
}

fn with_unit(text: &str, unit: LengthUnit) -> Document {
    document_of(text, ImportOptions { unit: Some(unit), ..ImportOptions::default() }).unwrap().0
}

#[test]
fn case_b01_each_joint_turns_in_its_own_order() {
    let document = with_unit(include_str!("../data/bvh/B01_zxy_order.bvh"), LengthUnit::Metre);
    assert!((model_at(&document, 0)[1].translation - Vec3::new(0.0, 0.0, 10.0)).norm() < 1e-9);
}

#[test]
fn case_b03_position_channels_replace_the_offset() {
    let document = with_unit(include_str!("../data/bvh/B03_root_offset_and_position.bvh"), LengthUnit::Metre);
    let at = |frame: i64, joint: usize| model_at(&document, frame)[joint].translation;
    assert_eq!((at(0, 0), at(0, 1)), (Vec3::new(0.0, 95.0, 0.0), Vec3::new(0.0, 105.0, 0.0)));
    assert_eq!((at(1, 0), at(1, 1)), (Vec3::new(3.0, 96.0, 0.0), Vec3::new(3.0, 108.0, 0.0)));
}

#[test]
fn a_motion_file_opens_as_a_new_document_with_its_rate_and_range() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Walk 1.BVH");
    file::write(&path, FIGURE.as_bytes()).unwrap();
    let opened = open(&path, ImportOptions::default()).unwrap();
    assert_eq!(opened.kind, FileKind::Bvh);
    let document = opened.document;
    assert_eq!(document.settings.rate, FrameRate::new(30, 1).unwrap());
    assert_eq!(document.settings.play_range, FrameRange::new(0, 3));
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    assert_eq!((clip.name.as_str(), clip.range), ("Walk 1", FrameRange::new(0, 3)));
    assert_eq!(document.object(only_rig(&document).0).unwrap().name, "Walk 1");
    // What the file does not say is guessed, and that is said.
    assert_eq!(opened.report.count("unit"), 1);
    assert!(clip.channels.values().all(|curve| curve.is_sampled()));
}

#[test]
fn a_document_opens_as_itself_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let document = document_of(FIGURE, ImportOptions::default()).unwrap().0;
    for name in ["a.ron", "a.RON", "a.txt", "a"] {
        let path = folder.path().join(name);
        file::write(&path, ron::save(&document).unwrap().as_bytes()).unwrap();
        let opened = open(&path, ImportOptions::default()).unwrap();
        assert_eq!((opened.kind, &opened.document), (FileKind::Ron, &document));
        let refused = import(&path, &document, None, ImportOptions::default());
        assert!(matches!(refused, Err(OpenError::NoMotion { .. })));
    }
}

#[test]
fn what_cannot_be_opened_says_file_place_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        file::write(&path, bytes).unwrap();
        open(&path, ImportOptions::default()).unwrap_err().to_string()
    };
    let bad = message("bad.bvh", FIGURE.replace("OFFSET 0.000000 10", "OFFSET x 10").as_bytes());
    assert!(bad.contains("line 8, column 10") && bad.contains("correct the line") && bad.ends_with("bad.bvh"), "{bad}");
    assert!(message("empty.bvh", b"").contains("line 1, column 1"));
    assert!(message("noise", &[0xFF, 0x00, 0x12]).contains("neither"));
    assert!(message("empty.ron", b"").ends_with("empty.ron"));
    let missing = open(Path::new("no/such.bvh"), ImportOptions::default()).unwrap_err().to_string();
    assert!(missing.contains("no such file") && missing.ends_with("such.bvh"), "{missing}");
}

#[test]
fn utf16_and_old_code_pages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.bvh");
    let named = FIGURE.replace("Spine", "Wirbelsäule");
    let wide: Vec<u8> = named.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = named.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for bytes in [wide, latin] {
        file::write(&path, &bytes).unwrap();
        let opened = open(&path, ImportOptions::default()).unwrap();
        assert_eq!(only_rig(&opened.document).1.skeleton.joints()[1].name, "Wirbelsäule");
        assert_eq!(opened.report.count("encoding"), 1);
    }
}

#[test]
fn the_unit_is_the_most_human_one_unless_told() {
    for (scale, unit) in [(1.0, LengthUnit::Centimetre), (0.01, LengthUnit::Metre), (10.0, LengthUnit::Millimetre)] {
        let limbs = |sign: f64| {
            format!(
                "JOINT l\n{{\nOFFSET {x} 0 0\nEnd Site\n{{\nOFFSET 0 {leg} 0\n}}\n}}\n",
                x = sign * 10.0 * scale,
                leg = -90.0 * scale
            )
        };
        let text = format!(
            "HIERARCHY\nROOT h\n{{\nOFFSET 0 0 0\n{}{}JOINT s\n{{\nOFFSET 0 {} 0\nEnd Site\n{{\nOFFSET {} 0 0\n}}\n}}\n}}\n\
             MOTION\nFrames: 0\nFrame Time: 0.04\n",
            limbs(1.0),
            limbs(-1.0),
            60.0 * scale,
            90.0 * scale
        );
        let (document, report) = document_of(&text, ImportOptions::default()).unwrap();
        let rig = only_rig(&document).1;
        assert_eq!((rig.unit, report.count("unit")), (unit, 1));
        assert!((skeleton_size(&rig.skeleton) - 2.5 / 1.5).abs() < 1e-9);
        assert_eq!(with_unit(&text, LengthUnit::Inch).rigs().next().unwrap().2.unit, LengthUnit::Inch);
    }
}

#[test]
fn z_up_figures_are_stood_up_by_their_object() {
    let options = ImportOptions { up: Up::Z, ..ImportOptions::default() };
    let document = document_of(FIGURE, options).unwrap().0;
    let transform = document.object(only_rig(&document).0).unwrap().transform.to_affine();
    assert!((transform.point(&Vec3::z()) - Vec3::y()).norm() < 1e-12);
    assert!((transform.point(&Vec3::x()) - Vec3::x()).norm() < 1e-12);
    let flat = document_of(FIGURE, ImportOptions::default()).unwrap().0;
    assert_eq!(only_rig(&document).1, only_rig(&flat).1);
}

#[test]
fn the_same_skeleton_gets_a_new_clip_and_nothing_else_changes() {
    let before = document_of(FIGURE, ImportOptions::default()).unwrap().0;
    let (rig, _) = only_rig(&before);
    // The same figure from another hand: other motion, rate and orders, no ends.
    let other = include_str!("../data/bvh/odd_no_end_sites.bvh").replace("Frame Time: 0.0333333", "Frame Time: 0.01");
    for selected in [None, Some(rig)] {
        let (import, after) = planned(&before, &other, selected);
        assert!(import.objects.is_empty());
        assert_eq!(after.settings, before.settings);
        assert_eq!((after.objects.len(), after.clips.len()), (1, 2));
        let [(id, clip)] = import.clips.as_slice() else { panic!("one clip") };
        assert_eq!(import.play, [(rig, *id)]);
        assert_eq!(after.object(rig).unwrap().clip, Some(*id));
        assert_eq!((clip.name.as_str(), clip.range), ("take", FrameRange::new(0, 0)));
        assert!(Arc::ptr_eq(after.object(rig).unwrap().as_rig().unwrap(), only_rig(&before).1));
        // The rig's own orders: Y X Z for this joint, where the file has Z X Y. The pose is the file's.
        let fresh = with_unit(&other, only_rig(&before).1.unit);
        let names = |d: &Document| {
            let joints = only_rig(d).1.skeleton.joints().to_vec();
            joints.into_iter().map(|joint| joint.name).collect::<Vec<_>>()
        };
        let wanted = model_at(&fresh, 0);
        for (name, got) in names(&after).iter().zip(model_at(&after, 0)) {
            let Some(at) = names(&fresh).iter().position(|other| other == name) else { continue };
            assert!((got.translation - wanted[at].translation).norm() < 1e-9, "{name}");
            assert!(got.rotation().angle_to(&wanted[at].rotation()) < 1e-7, "{name}");
        }
    }
}

#[test]
fn a_rig_of_quaternions_takes_motion_too() {
    let mut before = document_of(FIGURE, ImportOptions::default()).unwrap().0;
    let (rig, _) = only_rig(&before);
    let object = before.object_mut(rig).unwrap();
    let inbetween::model::ObjectKind::Rig(own) = &mut object.kind else { panic!() };
    let own = Arc::make_mut(own);
    let changed = own.skeleton.map_joints(|joint| {
        let mut joint = joint.clone();
        joint.rotation =
            if joint.name == "Spine" { RotationMode::Quaternion } else { RotationMode::Euler(EulerOrder::Xyz) };
        joint
    });
    own.skeleton = Arc::new(changed.unwrap());
    let spine = own.skeleton.joints().iter().find(|joint| joint.name == "Spine").unwrap().id;
    for clip in Arc::make_mut(&mut before.clips).values_mut().map(Arc::make_mut) {
        clip.channels.retain(|path, _| path.target.joint() != Some(spine) || path.property != Property::Rotation);
    }
    let wanted = model_at(&document_of(FIGURE, ImportOptions::default()).unwrap().0, 2);
    let (import, after) = planned(&before, FIGURE, None);
    assert!(import.objects.is_empty());
    for (got, wanted) in model_at(&after, 2).iter().zip(&wanted) {
        assert!((got.translation - wanted.translation).norm() < 1e-9);
    }
    let whole = import.clips[0].1.channels.keys().filter(|path| path.component == Component::Whole).count();
    assert_eq!(whole, 1);
}

#[test]
fn another_skeleton_gets_a_rig_and_clip_of_its_own() {
    let before = document_of(FIGURE, ImportOptions::default()).unwrap().0;
    for other in [
        FIGURE.replace("OFFSET 4.000000 8.000000", "OFFSET 4.100000 8.000000"),
        FIGURE.replace("LeftArm", "ArmLeft"),
        include_str!("../data/bvh/odd_two_roots.bvh").to_owned(),
    ] {
        let (import, after) = planned(&before, &other, None);
        assert_eq!((after.objects.len(), after.clips.len()), (2, 2));
        let old = only_rig(&before).0;
        assert!(Arc::ptr_eq(after.object(old).unwrap(), before.object(old).unwrap()));
        let object = after.object(import.objects[0].0).unwrap();
        assert_eq!((object.name.as_str(), object.clip), ("take", Some(import.clips[0].0)));
        // Two rigs and none selected: not certain whose it is.
        let (third, _) = planned(&after, FIGURE, None);
        assert_eq!(third.objects.len(), 1);
        assert!(planned(&after, FIGURE, Some(old)).0.objects.is_empty());
    }
}

#[test]
fn a_file_without_frames_is_a_rig_at_rest() {
    let text = include_str!("../data/bvh/odd_zero_frames.bvh");
    let (document, _) = document_of(text, ImportOptions::default()).unwrap();
    assert_eq!((document.clips.len(), document.settings.clip), (0, None));
    let (import, after) = planned(&Document::default(), text, None);
    assert!(import.clips.is_empty() && only_rig(&after).1.skeleton.len() > 1);
}

#[test]
fn samples_are_radians_and_metres() {
    let document = with_unit(FIGURE, LengthUnit::Inch);
    let parsed = parse(FIGURE.as_bytes(), &mut Report::new()).unwrap();
    let clip = document.clip(document.settings.clip.unwrap()).unwrap();
    let value = |property, component| {
        let path = clip.channels.keys().find(|path| path.property == property && path.component == component).unwrap();
        let Curve::Scalar(ScalarCurve::Sampled(samples)) = clip.channels[path].as_ref() else { panic!("sampled") };
        samples.values[1]
    };
    assert!((value(Property::Translation, Component::Y) - parsed.columns[1].values[1] * 0.0254).abs() < 1e-15);
    assert!((value(Property::Rotation, Component::Z) - parsed.columns[3].values[1].to_radians()).abs() < 1e-15);
}
