use super::*;
use crate::{
    math::{Quat, Vec3},
    model::*,
};
use std::sync::Arc;

fn document() -> (Document, ObjectId, ClipId) {
    let joints = ["hips", "hand.l", "hand.r"].iter().zip(0..);
    let joints = joints
        .map(|(name, id)| Joint::new(JointId(id), name, (id > 0).then_some(JointId(0)), Vec3::new(0.0, 1.0, 0.0)))
        .collect();
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    let mut document = Document::default();
    let object = document.add_object(Object::rig("Biped", rig));
    let mut clip = Clip::new("Walk", FrameRange::new(0, 48));
    let keys = [(0.0, 0.0), (10.0 / 24.0, 0.5), (1.0, 1.0)].map(|(t, v)| Key::new(t, v));
    let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
    let path = ChannelPath::joint(object, JointId(1), Property::Rotation, Component::X);
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (document, object, clip)
}

fn with_keys(document: &Document, clip: ClipId, keys: &[Key]) -> Document {
    let mut changed = document.clone();
    let clip = changed.clip_mut(clip).unwrap();
    let curve = clip.channels.values_mut().next().unwrap();
    let keyed = KeyedCurve { keys: keys.iter().copied().collect(), ..curve.scalar_keys().unwrap().clone() };
    *curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed)));
    changed
}

fn told(a: &Document, b: &Document) -> Vec<String> {
    differences(a, b).into_iter().map(|found| format!("{} | {}", found.place, found.what)).collect()
}

#[test]
fn equal_documents_differ_in_nothing() {
    let (a, ..) = document();
    assert!(told(&a, &a.clone()).is_empty());
}

#[test]
fn keys_are_told_as_moved_changed_added_or_removed() {
    let (a, _, clip) = document();
    let key = Key::new;
    let b = with_keys(&a, clip, &[key(0.0, 0.0), key(0.5, 0.5), key(1.0, 1.0)]);
    assert_eq!(told(&a, &b), ["Walk: Biped/hand.l/rotation.x | key moved from frame 10 to 12"]);
    let b = with_keys(&a, clip, &[key(0.0, 0.0), key(10.0 / 24.0, 0.5_f64.to_radians()), key(1.0, 1.0), key(2.0, 0.1)]);
    let said = told(&a, &b);
    assert_eq!(said[0], "Walk: Biped/hand.l/rotation.x | key at frame 10: 28.6479\u{b0} to 0.5\u{b0}");
    assert_eq!(said[1], "Walk: Biped/hand.l/rotation.x | key at frame 48 added (5.72958\u{b0})");
    assert_eq!(told(&b, &a)[1], "Walk: Biped/hand.l/rotation.x | key at frame 48 removed (5.72958\u{b0})");
    let mut linear = key(0.0, 0.0);
    linear.interpolation = Interpolation::Linear;
    let b = with_keys(&a, clip, &[linear, key(10.0 / 24.0, 0.5), key(1.0, 1.0)]);
    assert_eq!(told(&a, &b), ["Walk: Biped/hand.l/rotation.x | key at frame 0: i: set to 'Linear'"]);
}

#[test]
fn the_clip_an_object_plays_is_told_by_its_name() {
    let (a, object, clip) = document();
    let mut b = a.clone();
    b.object_mut(object).unwrap().clip = Some(clip);
    assert_eq!(told(&a, &b), ["Biped | clip that plays: none to Walk"]);
}

#[test]
fn many_changed_keys_are_counted() {
    let (a, _, clip) = document();
    let keys: Vec<Key> = (0..100).map(|i| Key::new(f64::from(i) + 0.1, f64::from(i) + 9.0)).collect();
    let said = told(&a, &with_keys(&a, clip, &keys));
    assert!(said.last().unwrap().ends_with("80 more keys added"), "{said:?}");
}

#[test]
fn objects_and_joints_are_matched_by_name_across_documents_of_other_ids() {
    let (a, ..) = document();
    let mut b = Document { next_id: 40, ..Document::default() };
    let object = b.add_object(Object::clone(a.objects.values().next().unwrap()));
    let mut clip = Clip::clone(a.clips.values().next().unwrap());
    clip.channels = clip
        .channels
        .into_iter()
        .map(|(path, curve)| (ChannelPath { target: path.target.on(object), ..path }, curve))
        .collect();
    let clip = b.add_clip(clip);
    Arc::make_mut(&mut b.settings).clip = Some(clip);
    assert!(told(&a, &b).is_empty(), "{:?}", told(&a, &b));
}

#[test]
fn joints_renamed_moved_added_and_removed_are_told() {
    let (a, object, _) = document();
    let mut b = a.clone();
    let object = b.object_mut(object).unwrap();
    let mut rig = Rig::clone(object.as_rig().unwrap());
    let mut joints = rig.skeleton.joints().to_vec();
    joints[1].name = "fist.l".to_owned();
    joints[1].rest.translation.x = 0.25;
    joints[2] = Joint::new(JointId(7), "tail", Some(JointId(1)), Vec3::zeros());
    rig.skeleton = Arc::new(Skeleton::new(joints).unwrap());
    rig.unit = LengthUnit::Inch;
    object.kind = ObjectKind::Rig(Arc::new(rig));
    let said = told(&a, &b);
    for expected in [
        "Biped | unit: set to 'Inch'",
        "Biped/hand.l | renamed to 'fist.l'",
        "Biped/hand.r | joint removed",
        "Biped/tail | joint added",
    ] {
        assert!(said.iter().any(|line| line == expected), "{expected}: {said:?}");
    }
    assert!(said.iter().any(|line| line.starts_with("Biped/hand.l | rest")), "{said:?}");
}

#[test]
fn corrections_pins_poses_and_settings_are_told() {
    let (a, object, clip) = document();
    let mut b = a.clone();
    Arc::make_mut(&mut b.settings).rate = FrameRate::new(30, 1).unwrap();
    Arc::make_mut(&mut b.poses).insert(PoseId(9), Arc::new(Pose { name: "Fist".to_owned(), ..Pose::default() }));
    let path = ChannelPath::joint(object, JointId(1), Property::Rotation, Component::Whole);
    let key = RotationKey::new(0.0, Quat::identity(), RotationInterpolation::Slerp);
    let curve = Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: [key].into_iter().collect() }));
    b.clip_mut(clip).unwrap().corrections.push(Arc::new(Correction {
        id: CorrectionId(0),
        name: "Reach".to_owned(),
        muted: false,
        scale: 1.0,
        range: (0.0, 1.0),
        deltas: [(path, Arc::new(curve))].into(),
        solved: std::collections::BTreeMap::new(),
    }));
    let said = told(&a, &b);
    assert!(said.iter().any(|line| line.starts_with("document | rate")), "{said:?}");
    assert!(said.contains(&"Walk: correction Reach | added".to_owned()), "{said:?}");
    assert!(said.contains(&"pose Fist | added".to_owned()), "{said:?}");
    let mut c = b.clone();
    Arc::make_mut(&mut c.clip_mut(clip).unwrap().corrections[0]).scale = 0.5;
    assert_eq!(told(&b, &c), ["Walk: correction Reach | scale: set to 0.5"]);
}
