//! What the curve desk promises, looked at from outside: simplified captures of corrections, a snapshot of a file's motion.

use inbetween::{
    eval::{
        counterparts::{Motion, counterparts},
        curve::{rotation, sampled, simplify::simplify, simplify_rotation::simplify_rotation, value},
        deviation::deviations,
    },
    math::{Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, CorrectionId, Curve, Document, Interpolation, Key,
        KeyedCurve, KeyedRotation, ObjectId, Property, RotationCurve, RotationInterpolation, RotationKey, ScalarCurve,
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// The sample with three corrections of one joint on top of each other, and what they are merged to.
fn merged() -> Correction {
    let mut document = inbetween::samples::start();
    let (object, ..) = document.rigs().next().unwrap();
    let clip = document.clip_of(object).unwrap();
    let joint = document.objects[&object].as_rig().unwrap().skeleton.joints()[3].id;
    let path = |property, component| ChannelPath::joint(object, joint, property, component);
    for id in 0..3 {
        let size = 0.3 + 0.2 * f64::from(id);
        let (start, middle, end) = (0.5 + 0.2 * f64::from(id), 1.4, 2.6 + 0.3 * f64::from(id));
        let turn = |time, angle: f64| {
            let axis = Vec3::new(1.0, f64::from(id) - 1.0, 0.4);
            RotationKey::new(time, from_axis_angle(&axis, angle), RotationInterpolation::Smooth)
        };
        let keys = [turn(start, 0.0), turn(middle, 3.0 * size), turn(2.0, -size), turn(end, 0.0)];
        let turns = Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: keys.into_iter().collect() }));
        let key = |time, value| Key { interpolation: Interpolation::Smooth, ..Key::new(time, value) };
        let keys = [key(start, 0.0), key(middle, size), key(end, 0.0)].into_iter().collect();
        let moves = Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, ..KeyedCurve::default() }));
        let deltas: BTreeMap<_, _> = [
            (path(Property::Rotation, Component::Whole), Arc::new(turns)),
            (path(Property::Translation, Component::Y), Arc::new(moves)),
        ]
        .into();
        let (name, range, solved) = (String::new(), (start, end), BTreeMap::new());
        let correction = Correction { id: CorrectionId(id), name, muted: false, scale: 1.0, range, deltas, solved };
        document.clip_mut(clip).unwrap().corrections.push(Arc::new(correction));
    }
    assert_eq!(document.problems(), []);
    let chosen = (0..3).map(CorrectionId).collect();
    let edit = inbetween::edit::merge::merge(&document, clip, &chosen, "all").unwrap();
    edit.apply(&mut document).unwrap();
    Correction::clone(&document.clips[&clip].corrections[0])
}

/// Between the samples too, wherever one looks.
#[test]
fn simplified_samples_of_corrections_stay_within_the_bound_everywhere() {
    let correction = merged();
    let (start, end) = correction.range;
    let times: Vec<f64> = (0..=20_000).map(|i| start + (end - start) * f64::from(i) / 20_000.0).collect();
    for curve in correction.deltas.values() {
        assert!(curve.is_sampled());
        for bound in [1e-5, 1e-3, 0.02, 0.5] {
            let (off, keys): (f64, usize) = match &**curve {
                Curve::Scalar(scalar @ ScalarCurve::Sampled(samples)) => {
                    let found = simplify(scalar, 1.0 / 24.0, bound).unwrap().curve;
                    let off = |time: &f64| value(&found, *time).unwrap() - sampled::value(samples, *time).unwrap();
                    (times.iter().map(|time| off(time).abs()).fold(0.0, f64::max), found.keys.len())
                }
                Curve::Rotation(track @ RotationCurve::Sampled(samples)) => {
                    let found = simplify_rotation(track, 1.0 / 24.0, bound).unwrap().curve;
                    let off = |time: &f64| {
                        let (a, b) = (rotation::rotation(&found, *time), sampled::rotation(samples, *time));
                        a.unwrap().angle_to(&b.unwrap())
                    };
                    (times.iter().map(off).fold(0.0, f64::max), found.keys.len())
                }
                _ => panic!("merged ones are sampled"),
            };
            assert!(off <= bound + 1e-12, "{off} over {bound}");
            assert!(bound < 0.5 || keys < 10, "{keys}");
        }
    }
}

/// Another recording of a figure stands beside the present one: the same joints by name, measured channel by channel.
#[test]
fn a_file_is_compared_with_the_present_clip_by_the_names_of_its_joints() {
    let text = |degrees: f64| {
        let rows: String = (0..20).map(|i| format!("0 {i} 0 0 0 0 {} 0 0\n", f64::from(i) * degrees)).collect();
        let end = "End Site\n{\nOFFSET 0 1 0\n}\n";
        format!(
            "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
             Yrotation\nJOINT Spine\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n{end}}}\n}}\nMOTION\n\
             Frames: 20\nFrame Time: 0.0416667\n{rows}"
        )
    };
    let document = |text: &str| crate::support::motion::document_of(text, Default::default()).unwrap().0;
    let (present, other) = (document(&text(1.0)), document(&text(1.5).replace("Spine", "rig:spine")));
    let of = |document: &Document| -> (ObjectId, ClipId) {
        let (object, ..) = document.rigs().next().unwrap();
        (object, document.clip_of(object).unwrap())
    };
    let ((object, clip), (other_object, other_clip)) = (of(&present), of(&other));
    let clip: &Clip = &present.clips[&clip];
    let motion = Motion { document: &other, object: other_object, clip: &other.clips[&other_clip] };
    let found = counterparts(motion, &present, object);
    assert!(found.missing.is_empty() && found.channels.len() == clip.channels.len());
    let rows = deviations(&clip.channels, &found.channels, clip.range, present.settings.rate);
    let off = rows.iter().filter(|(_, off)| off.max > 1e-9).collect::<Vec<_>>();
    let [(path, off)] = off[..] else { panic!("{off:?}") };
    assert!(path.property == Property::Rotation && path.component == Component::Z);
    // 0.5 degrees a frame: most at the last of 20.
    assert!((off.max.to_degrees() - 9.5).abs() < 1e-6 && off.worst_frame == 19);
}
