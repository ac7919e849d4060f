//! Poses for pictures lie where those of double precision do, over captured files and the samples.

use crate::{
    corpus::{bvh_files, text_of},
    support::motion::document_of,
};
use inbetween::{
    eval::{Evaluator, preview::clip_pose, size::skeleton_size},
    io::bvh::ImportOptions,
    math::{Vec3, rotation::chord_angle},
    model::{ChannelPath, Component, Document, ObjectId, Property, Target, UnkeyedFrame, Value},
    samples::SAMPLES,
};

/// Metres, of a figure 2 m high and 100 m away: 1e-4 in the promise.
fn bound(size: f64, away: f64) -> f64 {
    1e-4 * (0.5 * size).max(away / 100.0)
}

/// Compares one rig of a document at times on and between its frames, also before and after its clip. How many times were
/// in single precision.
fn compare(document: &Document, object: ObjectId, name: &str) -> usize {
    let evaluator = Evaluator::new();
    let rig = document.object(object).unwrap().as_rig().unwrap();
    let size = skeleton_size(&rig.skeleton);
    let (clip, rate) = (document.clip_of(object).unwrap(), document.settings.rate);
    let range = document.clip(clip).unwrap().range;
    let (first, last) = (rate.secs(range.first), rate.secs(range.last));
    let times = (-2..=42).map(|step| first + (last - first) * f64::from(step) / 40.0);
    let frames = (0..6).map(|step| rate.secs(range.first + step * (range.last - range.first) / 5));
    let mut single = 0;
    for secs in times.chain(frames) {
        let preview = evaluator.rig_preview(document, object, secs).unwrap();
        let exact = evaluator.rig_frame(document, object, secs).unwrap();
        assert_eq!((preview.model.len(), preview.local.len()), (exact.model.len(), exact.local.len()), "{name}");
        for (joint, (found, wanted)) in preview.model.iter().zip(&exact.model).enumerate() {
            let gap = (found.translation - wanted.translation).norm();
            assert!(gap <= bound(size, wanted.translation.norm()), "{name} joint {joint} at {secs} s: {gap:e} m");
            assert!(
                (found.linear - wanted.linear).amax() < 2e-5 * wanted.linear.amax().max(1.0),
                "{name} joint {joint}"
            );
        }
        single += usize::from(preview.model != exact.model);
        let Some(pose) = clip_pose(document, object, clip, secs) else { continue };
        for (found, wanted) in pose.iter().zip(&exact.local) {
            assert!(chord_angle(&found.rotation, &wanted.rotation) < 5e-6, "{name} at {secs} s");
        }
    }
    single
}

#[test]
fn captured_files_are_drawn_where_they_are() {
    for path in bvh_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (document, _) = document_of(&text_of(&path), ImportOptions::default()).unwrap();
        for (object, ..) in document.rigs() {
            let Some(clip) = document.clip_of(object).and_then(|clip| document.clip(clip)) else { continue };
            let sampled = clip.channels.values().filter(|curve| curve.is_sampled()).count();
            let single = compare(&document, object, &name);
            // A rig of several in a file may not move, and a figure of few joints may be exact.
            assert!(single > 0 || sampled < 12, "{name}: {sampled} channels, none drawn from single precision");
        }
    }
}

#[test]
fn the_samples_are_drawn_where_they_are() {
    for sample in SAMPLES {
        let document = (sample.build)();
        let clips: Vec<_> = document.clips.keys().copied().collect();
        for clip in clips {
            let mut document = document.clone();
            for object in document.rigs().map(|(id, ..)| id).collect::<Vec<_>>() {
                document.object_mut(object).unwrap().clip = Some(clip);
                compare(&document, object, sample.id);
            }
        }
    }
}

#[test]
fn what_waits_to_be_keyed_is_drawn_at_its_time_alone() {
    let Some(path) = bvh_files().into_iter().next() else { return };
    let (mut document, _) = document_of(&text_of(&path), ImportOptions::default()).unwrap();
    let (object, joint) = document.rigs().map(|(id, _, rig)| (id, rig.skeleton.joints()[0].id)).next().unwrap();
    let (clip, rate) = (document.clip_of(object).unwrap(), document.settings.rate);
    let before = Evaluator::new();
    let (early, late) = (rate.secs(1), rate.secs(3));
    let old = before.rig_preview(&document, object, early).unwrap();
    let target = Target::Joint(object, joint);
    let path = ChannelPath { target, property: Property::Translation, component: Component::X };
    let frame = UnkeyedFrame { time: early, values: [(path, Value::Scalar(77.0))].into() };
    document.clip_mut(clip).unwrap().unkeyed.push(frame);
    let (preview, exact) = (before.rig_preview(&document, object, early), before.rig_frame(&document, object, early));
    let moved = preview.clone().unwrap().model[0].translation - old.model[0].translation;
    assert!(moved.dot(&Vec3::x()) > 50.0);
    assert_eq!(preview, exact);
    assert!(clip_pose(&document, object, clip, early).is_none() && clip_pose(&document, object, clip, late).is_some());
    // The very same where nothing waits, whatever was compiled before.
    let fresh = Evaluator::new().rig_preview(&document, object, late);
    assert_eq!(before.rig_preview(&document, object, late), fresh);
}
