//! Poses set by hand while layers play: they go to the clip of the layer that is worked on, such that all layers together
//! give the pose; or are refused with the reason.

use inbetween::{
    edit::{
        AutoKey, Edit, EditError,
        blend::{add_empty_layer, change_layer, players, replay, work_on},
        pose::{left_behind, pose_edit},
        set_key::{delete_key, set_key},
    },
    eval::{
        Evaluator,
        blend::layers::{NotWritten, written_layer},
        sample::rig_pose,
    },
    math::{
        Transform, Vec3,
        rotation::{chord_angle, from_axis_angle},
    },
    model::{
        Additive, AdditiveReference, AdditiveSpace, ClipId, Document, JointId, JointMaskId, Layer, LayerId, LayerMode,
        ObjectId, Plays, RotationBlend, Target, names::find_clip,
    },
    samples::SAMPLES,
};
use std::{collections::BTreeSet, sync::Arc};

/// The biped, its walk below, its wave over the right arm, both as they are in the library.
fn waving() -> (Document, ObjectId) {
    let mut document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    let clip = |name: &str| Plays::Clip(find_clip(&document, name).unwrap());
    let arm = document.masks.iter().find(|(_, mask)| mask.name == "Right arm").unwrap();
    let (walk, wave, mask): (_, _, JointMaskId) = (clip("Walk"), clip("Wave"), *arm.0);
    let layers = vec![
        Arc::new(Layer::new(LayerId(0), "walk", walk)),
        Arc::new(Layer { mask: Some(mask), ..Layer::new(LayerId(1), "wave", wave) }),
    ];
    document.object_mut(object).unwrap().layers = layers;
    assert_eq!(document.problems(), []);
    (document, object)
}

fn done(document: &mut Document, edit: Edit) {
    edit.apply(document).unwrap();
    assert_eq!(document.problems(), []);
}

fn works_on(document: &mut Document, object: ObjectId, name: &str) -> ClipId {
    let clip = find_clip(document, name).unwrap();
    done(document, work_on(object, clip));
    clip
}

fn layer(document: &mut Document, object: ObjectId, id: u32, change: impl FnOnce(&mut Layer)) {
    let edit = change_layer(document, object, LayerId(id), change).unwrap();
    done(document, edit);
}

fn joint(document: &Document, object: ObjectId, name: &str) -> (usize, JointId) {
    let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    let found = skeleton.joints().iter().enumerate().find(|(_, joint)| joint.name == name).unwrap();
    (found.0, found.1.id)
}

/// The pose shown with some joints turned, and what is changed of it.
fn turned(
    document: &Document,
    object: ObjectId,
    secs: f64,
    names: &[&str],
    angle: f64,
) -> (Vec<Transform>, Vec<(JointId, Transform)>) {
    let mut pose = rig_pose(document, object, secs).unwrap();
    let mut changes = Vec::new();
    for name in names {
        let (index, id) = joint(document, object, name);
        pose[index].rotation *= from_axis_angle(&Vec3::new(0.3, 1.0, -0.4), angle);
        changes.push((id, pose[index]));
    }
    (pose, changes)
}

fn gap(a: &[Transform], b: &[Transform]) -> f64 {
    let one = |(a, b): (&Transform, &Transform)| {
        chord_angle(&a.rotation, &b.rotation).max((a.translation - b.translation).norm())
    };
    a.iter().zip(b).map(one).fold(0.0, f64::max)
}

/// Turns joints at a time and asserts that the pose shown then is the one wanted, and which clip has changed.
fn lands(document: &Document, object: ObjectId, secs: f64, names: &[&str], clip: ClipId) -> Document {
    let (wanted, changes) = turned(document, object, secs, names, 0.4);
    let mut after = document.clone();
    done(&mut after, pose_edit(document, object, secs, &changes, AutoKey::On).unwrap());
    for shown in [
        rig_pose(&after, object, secs).unwrap(),
        Evaluator::new().rig_frame(&after, object, secs).unwrap().local.clone(),
    ] {
        assert!(gap(&shown, &wanted) < 1e-9, "{names:?} {}", gap(&shown, &wanted));
    }
    for (id, known) in document.clips.iter() {
        assert_eq!(*id == clip, !Arc::ptr_eq(known, after.clip(*id).unwrap()), "{}", known.name);
    }
    after
}

#[test]
fn a_pose_goes_to_the_layer_that_is_worked_on_whatever_lies_over_it() {
    let (mut document, object) = waving();
    let secs = document.settings.rate.secs(7);
    let arm = ["upper_arm.r", "forearm.r"];
    // On the wave itself: it lies over all of the arm, over the chest by half.
    let wave = works_on(&mut document, object, "Wave");
    lands(&document, object, secs, &["upper_arm.r", "forearm.r", "chest"], wave);
    for rotations in [RotationBlend::Slerp, RotationBlend::Nlerp] {
        layer(&mut document, object, 1, |layer| (layer.weight, layer.rotations) = (0.7, rotations));
        lands(&document, object, secs, &arm, wave);
        // Below it.
        let walk = works_on(&mut document, object, "Walk");
        lands(&document, object, secs, &["forearm.r", "thigh.l", "hips"], walk);
        works_on(&mut document, object, "Wave");
    }
}

#[test]
fn an_empty_layer_takes_what_is_added_to_all_below() {
    let (mut document, object) = waving();
    let secs = document.settings.rate.secs(7);
    let untouched = document.clone();
    let (id, edit) = add_empty_layer(&document, object, "Layer").unwrap();
    let clip = ClipId(document.next_id);
    done(&mut document, edit);
    assert_eq!(written_layer(&document, object).map(|layer| layer.id), Some(id));
    assert!(gap(&rig_pose(&document, object, secs).unwrap(), &rig_pose(&untouched, object, secs).unwrap()) == 0.0);
    let after = lands(&document, object, secs, &["upper_arm.r", "hips", "head"], clip);
    // One key is a difference at all times.
    let (index, _) = joint(&after, object, "head");
    let at = |document: &Document, frame: i64| {
        rig_pose(document, object, document.settings.rate.secs(frame)).unwrap()[index].rotation
    };
    let differs = |frame: i64| at(&document, frame).inverse() * at(&after, frame);
    assert!(chord_angle(&differs(2), &differs(20)) < 1e-9 && chord_angle(&differs(2), &differs(7)) < 1e-9);
    for space in [AdditiveSpace::Bone, AdditiveSpace::Parent] {
        let (reference, weight) = (AdditiveReference::Clip(find_clip(&document, "Breathe").unwrap()), 0.6);
        let mut added = document.clone();
        added.clip_mut(clip).unwrap().additive = Some(Additive { reference, space });
        layer(&mut added, object, id.0, |layer| layer.weight = weight);
        lands(&added, object, secs, &["upper_arm.r", "spine"], clip);
        // Through it to what lies below.
        let walk = works_on(&mut added, object, "Walk");
        lands(&added, object, secs, &["thigh.l", "spine"], walk);
    }
    assert_eq!(document.object(object).unwrap().layers.len(), 3);
    assert_eq!(players(&document, Plays::Clip(clip)).0.len(), 1);
}

#[test]
fn a_clip_that_comes_round_and_travels_is_written_where_it_is_read() {
    let (mut document, object) = waving();
    let walk = works_on(&mut document, object, "Walk");
    let clip = document.clip_mut(walk).unwrap();
    clip.travels = true;
    let last = clip.range.last;
    layer(&mut document, object, 0, |layer| layer.start = 0.125);
    for frame in [last + 9, 3 * last + 5, -4] {
        let secs = document.settings.rate.secs(frame);
        let after = lands(&document, object, secs, &["hips", "shin.l"], walk);
        let set: BTreeSet<Target> = [Target::Joint(object, joint(&after, object, "shin.l").1)].into();
        let less = delete_key(&after, &set, secs);
        assert_ne!(less, Edit::none());
    }
}

#[test]
fn what_no_layer_can_hold_is_refused_with_the_reason() {
    let (mut document, object) = waving();
    let secs = document.settings.rate.secs(7);
    let refused = |document: &Document, names: &[&str], angle: f64| {
        let (_, changes) = turned(document, object, secs, names, angle);
        assert_eq!(left_behind(document, object, secs, &changes), []);
        match pose_edit(document, object, secs, &changes, AutoKey::On) {
            Err(EditError::NotWritten(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let (name, hand) = ("wave".to_owned(), "hand.r".to_owned());
    assert_eq!(refused(&document, &["head"], 0.4), NotWritten::NoLayer("Biped".to_owned()));
    works_on(&mut document, object, "Walk");
    assert_eq!(refused(&document, &["hand.r"], 0.4), NotWritten::Covered(name.clone(), hand));
    works_on(&mut document, object, "Wave");
    assert_eq!(refused(&document, &["head"], 0.4), NotWritten::Untouched(name.clone(), "head".to_owned()));
    layer(&mut document, object, 1, |layer| layer.weight = 0.2);
    assert_eq!(refused(&document, &["chest"], 1.2), NotWritten::TooFar(name.clone(), "chest".to_owned()));
    let (_, changes) = turned(&document, object, secs, &["hand.r"], 0.1);
    let waits = pose_edit(&document, object, secs, &changes, AutoKey::Off);
    assert_eq!(waits, Err(EditError::WaitsInLayers(object)));
    layer(&mut document, object, 1, |layer| layer.mode = LayerMode::Additive);
    let wave = find_clip(&document, "Wave").unwrap();
    for (reference, space, why) in [
        (AdditiveReference::Rest, AdditiveSpace::Mesh, NotWritten::MeshSpace(name.clone())),
        (AdditiveReference::Frame(3), AdditiveSpace::Bone, NotWritten::OwnFrame(name)),
    ] {
        document.clip_mut(wave).unwrap().additive = Some(Additive { reference, space });
        assert_eq!(refused(&document, &["hand.r"], 0.1), why);
    }
    // Nothing moved is nothing written, and no reason to refuse.
    let (_, still) = turned(&document, object, secs, &["head"], 0.0);
    document.clip_mut(wave).unwrap().additive = None;
    assert!(pose_edit(&document, object, secs, &still, AutoKey::On).is_ok());
}

#[test]
fn keys_hold_what_is_shown_and_leave_out_what_the_layer_does_not_touch() {
    let (mut document, object) = waving();
    let secs = document.settings.rate.secs(7);
    let wave = works_on(&mut document, object, "Wave");
    layer(&mut document, object, 1, |layer| layer.weight = 0.8);
    let target = |name: &str| Target::Joint(object, joint(&document, object, name).1);
    let shown = rig_pose(&document, object, secs).unwrap();
    let evaluator = Evaluator::new();
    let keyed = set_key(&document, &evaluator, &[target("forearm.r"), target("head")].into(), secs, None).unwrap();
    let mut after = document.clone();
    done(&mut after, keyed);
    assert!(gap(&rig_pose(&after, object, secs).unwrap(), &shown) < 1e-9);
    assert!(!Arc::ptr_eq(document.clip(wave).unwrap(), after.clip(wave).unwrap()));
    let head = set_key(&document, &evaluator, &[target("head")].into(), secs, None);
    assert!(matches!(head, Err(EditError::NotWritten(NotWritten::Untouched(..)))), "{head:?}");
    // A whole pose does not make a layer for an arm hold the legs.
    let (_, changes) = turned(&document, object, secs, &["hand.r"], 0.2);
    let mut whole = document.clone();
    done(&mut whole, pose_edit(&document, object, secs, &changes, AutoKey::WholePose).unwrap());
    let later = document.settings.rate.secs(15);
    let (index, _) = joint(&document, object, "thigh.l");
    assert_eq!(rig_pose(&whole, object, later).unwrap()[index], rig_pose(&document, object, later).unwrap()[index]);
}

#[test]
fn a_layer_called_as_what_it_plays_is_called_as_what_it_plays_next() {
    let (mut document, object) = waving();
    let run = Plays::Clip(find_clip(&document, "Run").unwrap());
    let named =
        |document: &Document, id: u32| document.object(object).unwrap().layer(LayerId(id)).unwrap().name.clone();
    let edit = replay(&document, object, LayerId(0), (run, ["walk", "Run"])).unwrap();
    done(&mut document, edit);
    let edit = replay(&document, object, LayerId(1), (run, ["Wave", "Run"])).unwrap();
    done(&mut document, edit);
    assert_eq!([named(&document, 0), named(&document, 1)], ["Run", "wave"]);
}
