//! Retargeting over the corpus, there and back, onto itself, and onto what is no figure.

use crate::{
    corpus::{bvh_files, text_of},
    support::motion::{document_of, only_rig},
};
use inbetween::{
    eval::cycle::{Travel, cycle},
    eval::fk::model_from_locals,
    eval::limbs::{Role, of_object},
    eval::mirror::{Mirror, mirrored_clip},
    eval::retarget::{FaultKind, Options, RetargetError, Retargeted, Source, run},
    eval::sample::rig_pose,
    io::bvh::ImportOptions,
    math::{Affine, Transform, Vec3, rotation::rotation_angle},
    model::{Clip, ClipId, Document, FrameRange, Joint, JointId, Object, ObjectId, Rig, Skeleton},
    progress::Progress,
};
use std::sync::Arc;

fn sample() -> (Document, ObjectId) {
    let document = inbetween::samples::start();
    let object = document.rigs().next().expect("the sample's figure").0;
    (document, object)
}

fn bring(
    source: (&Document, ObjectId, ClipId),
    target: (&Document, ObjectId),
    options: Options,
) -> Result<Retargeted, RetargetError> {
    let source = Source::new(source.0, source.1, source.2)?;
    run(&source, target, None, &options, &Progress::new())
}

/// The poses of a clip of an object at the frames of a range.
fn poses(document: &Document, object: ObjectId, clip: &Clip, frames: u64) -> Vec<Vec<Transform>> {
    let mut document = document.clone();
    let id = document.add_clip(clip.clone());
    document.object_mut(object).expect("the figure").clip = Some(id);
    let rate = document.settings.rate;
    let first = clip.range.first;
    let at =
        |frame: u64| rig_pose(&document, object, rate.secs(first + i64::try_from(frame).unwrap())).expect("a pose");
    (0..frames).map(at).collect()
}

fn apart(a: &[Vec<Transform>], b: &[Vec<Transform>]) -> f64 {
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b));
    let off = pairs
        .map(|(a, b)| rotation_angle(&(a.rotation.inverse() * b.rotation)).max((a.translation - b.translation).norm()));
    off.fold(0.0, f64::max)
}

#[test]
fn every_file_comes_to_the_sample_finite_and_walks_are_not_bent_backwards() {
    let (target, object) = sample();
    for path in bvh_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok((document, _)) = document_of(&text_of(&path), ImportOptions::default()) else { continue };
        let Some((from, ..)) = document.rigs().next() else { continue };
        let Some(clip) = document.clip_of(from) else { continue };
        let mut document = document;
        let range = document.clip(clip).unwrap().range;
        // A few hundred frames say what there is to say.
        document.clip_mut(clip).unwrap().range = FrameRange::new(range.first, range.last.min(range.first + 200));
        match bring((&document, from, clip), (&target, object), Options::default()) {
            Ok(found) => {
                for pose in poses(&target, object, &found.clip, 20.min(found.frames)) {
                    let sound = |joint: &Transform| {
                        joint.translation.iter().all(|n| n.is_finite())
                            && joint.rotation.coords.iter().all(|n| n.is_finite())
                    };
                    assert!(pose.iter().all(sound), "{name}");
                }
                let back = found
                    .faults
                    .iter()
                    .filter(|fault| fault.kind == FaultKind::Backward && name.contains("walk"))
                    .count();
                assert_eq!(back, 0, "{name}: {:?}", found.faults);
                for contact in &found.contacts {
                    assert!(contact.slide_after <= contact.slide_before.max(0.01), "{name}: {contact:?}");
                }
            }
            Err(RetargetError::NothingMapped { .. }) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn a_clip_brought_to_its_own_figure_is_the_clip() {
    for path in bvh_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !(name.contains("walk1") || name.contains("rokoko") || name.contains("stretch") || name.contains("standard"))
        {
            continue;
        }
        let (document, _) = document_of(&text_of(&path), ImportOptions::default()).unwrap();
        let (object, _) = only_rig(&document);
        let clip = document.clip_of(object).unwrap();
        let options = Options { lock_feet: false, ..Options::default() };
        let found = bring((&document, object, clip), (&document, object), options).unwrap();
        let own = document.clip(clip).unwrap();
        let frames = own.range.len().min(60);
        let off = apart(&poses(&document, object, own, frames), &poses(&document, object, &found.clip, frames));
        assert!(off < 1e-9, "{name}: {off:e}");
    }
}

#[test]
fn there_and_back_the_mapped_joints_point_as_they_did() {
    let (own, object) = sample();
    let clip = own.clip_of(object).unwrap();
    // The same figure with other names, other axes and half as large.
    let rig = own.object(object).unwrap().as_rig().unwrap();
    let renamed = rig.skeleton.map_joints(|joint| Joint {
        name: format!("x{}", joint.id.0),
        rest: Transform { translation: joint.rest.translation * 0.5, ..joint.rest },
        ..joint.clone()
    });
    let mut other = Document { settings: own.settings.clone(), ..Document::default() };
    let figure = Rig { skeleton: Arc::new(renamed.unwrap()), ..Rig::default() };
    let there_object = other.add_object(Object::rig("half", figure));
    Arc::make_mut(&mut other.settings).clip = None;
    let options = Options { lock_feet: false, ..Options::default() };
    let there = bring((&own, object, clip), (&other, there_object), options).unwrap();
    assert!(there.map.len() > 15, "{:?}", there.map);
    let there_clip = other.add_clip(there.clip);
    other.object_mut(there_object).unwrap().clip = Some(there_clip);
    let back = bring((&other, there_object, there_clip), (&own, object), options).unwrap();
    let played = own.clip(clip).unwrap();
    let frames = played.range.len();
    let off = apart(&poses(&own, object, played, frames), &poses(&own, object, &back.clip, frames));
    assert!(off < 1e-6, "{off:e}");
}

#[test]
fn a_clip_mirrored_twice_is_the_clip_and_one_that_goes_round_ends_as_it_began() {
    let (document, object) = sample();
    let clip = document.clip_of(object).unwrap();
    let own = document.clip(clip).unwrap();
    let frames = own.range.len();
    let before = poses(&document, object, own, frames);
    let mut other = document.clone();
    let once = mirrored_clip(&other, object, clip, &Progress::new()).unwrap().unwrap();
    assert!(apart(&before, &poses(&document, object, &once, frames)) > 0.1);
    let id = other.add_clip(once);
    let twice = mirrored_clip(&other, object, id, &Progress::new()).unwrap().unwrap();
    assert!(apart(&before, &poses(&document, object, &twice, frames)) < 1e-9);
    let mut cut = document.clone();
    cut.clip_mut(clip).unwrap().range = FrameRange::new(own.range.first, own.range.first + 7);
    let round = cycle(&cut, (object, clip), Travel::InPlace, &Progress::new()).unwrap().unwrap();
    assert!(round.turn > 0.05);
    let made = poses(&document, object, &round.clip, 8);
    assert!(apart(&made[..1], &made[7..]) < 1e-9);
    cut.clip_mut(clip).unwrap().range = FrameRange::new(0, 0);
    assert!(cycle(&cut, (object, clip), Travel::Kept, &Progress::new()).unwrap().is_none());
}

#[test]
fn what_is_mirrored_stands_as_in_a_mirror_in_every_file_of_a_body() {
    for path in bvh_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Ok((document, _)) = document_of(&text_of(&path), ImportOptions::default()) else { continue };
        let Some((object, _, rig)) = document.rigs().next() else { continue };
        let (Some(clip), Some(mirror)) = (document.clip_of(object), Mirror::of_object(&document, object)) else {
            continue;
        };
        let limbs = of_object(&document, object, &rig.skeleton);
        let Some(hips) = limbs.hips.filter(|_| limbs.of_role(Role::Leg).count() == 2) else { continue };
        let range = document.clip(clip).unwrap().range;
        for frame in [range.first, range.first.midpoint(range.last), range.last] {
            let secs = document.settings.rate.secs(frame);
            let pose = rig_pose(&document, object, secs).unwrap();
            let [before, after] = [&pose, &mirror.pose(&pose)].map(|pose| {
                let mut model = Vec::new();
                model_from_locals(rig.skeleton.tree(), pose, &Affine::IDENTITY, &mut model);
                model.iter().map(|joint| joint.translation).collect::<Vec<Vec3>>()
            });
            let size = before.iter().map(|place| (place - before[hips]).norm()).fold(0.0, f64::max);
            let normal = mirror.normal();
            // Tips are left out: files give those of one foot other lengths than those of the other.
            for joint in (0..before.len()).filter(|joint| !rig.skeleton.joints()[*joint].is_end()) {
                let own = before[joint] - before[hips];
                let seen = own - normal * (2.0 * normal.dot(&own));
                let off = (after[mirror.partner(joint)] - after[hips] - seen).norm() / size;
                assert!(off < 0.05, "{name}, frame {frame}, {}: {off}", rig.skeleton.joints()[joint].name);
            }
        }
    }
}

fn chain(count: u32, offset: Vec3) -> Skeleton {
    let joint =
        |index: u32| Joint::new(JointId(index), &format!("j{index}"), index.checked_sub(1).map(JointId), offset);
    Skeleton::new((0..count).map(joint).collect()).unwrap()
}

#[test]
fn what_is_no_body_is_answered_with_a_pose_or_a_reason() {
    let (own, object) = sample();
    let clip = own.clip_of(object).unwrap();
    for (name, skeleton) in [
        ("one joint", chain(1, Vec3::y())),
        ("no length", chain(8, Vec3::zeros())),
        ("no legs", chain(6, Vec3::y())),
        ("nothing", Skeleton::default()),
    ] {
        let mut other = Document::default();
        let target = other.add_object(Object::rig(name, Rig { skeleton: Arc::new(skeleton), ..Rig::default() }));
        match bring((&own, object, clip), (&other, target), Options::default()) {
            Ok(found) => {
                for pose in poses(&other, target, &found.clip, 5) {
                    assert!(pose.iter().all(|joint| joint.rotation.coords.iter().all(|n| n.is_finite())), "{name}");
                }
            }
            Err(error) => assert!(!error.to_string().is_empty(), "{name}"),
        }
    }
    let stopped = Progress::new();
    stopped.cancel();
    let source = Source::new(&own, object, clip).unwrap();
    assert!(matches!(
        run(&source, (&own, object), None, &Options::default(), &stopped),
        Err(RetargetError::Cancelled(_))
    ));
    assert!(matches!(Source::new(&own, ObjectId(99), clip), Err(RetargetError::NoSource)));
    assert!(matches!(Source::new(&own, object, ClipId(99)), Err(RetargetError::NoClip)));
}

/// A walk of two legs on four, and a trot of four legs on two: finite, upright, on the ground, with joints that turned.
#[test]
fn four_legs_take_the_walk_of_two_and_the_other_way_round() {
    use inbetween::samples::templates::Template;
    let of = |template: Template| {
        let mut document = Document::default();
        let skeleton = Arc::new(template.skeleton(&template.usual()));
        let object = document.add_object(Object::rig("figure", Rig { skeleton, ..Rig::default() }));
        (document, object)
    };
    let (walk, walker) = sample();
    let (mut beast, animal) = of(Template::Quadruped);
    let there =
        bring((&walk, walker, walk.clip_of(walker).unwrap()), (&beast, animal), Options::default()).expect("brought");
    let trot = beast.add_clip(there.clip.clone());
    beast.object_mut(animal).unwrap().clip = Some(trot);
    beast.settings = walk.settings.clone();
    Arc::make_mut(&mut beast.settings).clip = Some(trot);
    let (biped, figure) = of(Template::Biped);
    let back = bring((&beast, animal, trot), (&biped, figure), Options::default()).expect("brought back");
    for (name, document, object, found) in [("on four", &beast, animal, &there), ("on two", &biped, figure, &back)] {
        let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
        let model = |pose: &[Transform]| {
            let mut model = Vec::new();
            model_from_locals(skeleton.tree(), pose, &Affine::IDENTITY, &mut model);
            model
        };
        let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        let low = |model: &[Affine]| model.iter().map(|joint| joint.translation.y).fold(f64::INFINITY, f64::min);
        let high = |model: &[Affine]| model.iter().map(|joint| joint.translation.y).fold(f64::NEG_INFINITY, f64::max);
        let (size, legs) = (high(&model(&rest)), found.map.len());
        assert!(legs >= 8, "{name}: only {legs} joints are mapped");
        let mut turned = 0.0_f64;
        for pose in poses(document, object, &found.clip, found.frames) {
            let placed = model(&pose);
            assert!(placed.iter().all(|joint| joint.to_mat4().iter().all(|n| n.is_finite())), "{name}");
            let (low, high) = (low(&placed), high(&placed));
            assert!(low > -0.25 * size && low < 0.35 * size, "{name}: {low} below {size}");
            assert!(high > 0.6 * size && high < 1.4 * size, "{name}: {high} of {size}");
            for (joint, rest) in pose.iter().zip(&rest) {
                turned = turned.max(rotation_angle(&(rest.rotation.inverse() * joint.rotation)));
            }
        }
        assert!(turned > 0.2, "{name}: nothing moves");
    }
}
