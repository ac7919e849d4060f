//! A clip of 10,000 frames for another character: joints mapped, contacts found and locked, faults looked
//! for. `cargo bench --bench retarget`.
//!
//! The motion is the sample's walk, brought to a biped of 5 fingers and 11 spine joints, and repeated; fingers move too. It
//! goes onto a biped of other proportions. Wall times on all cores. To reach: 0.5 s.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

use inbetween::{
    eval::{
        retarget::{Options, Source, run},
        sample::{Stage, channel_value},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, Object, ObjectId, Property, Rig, Samples,
        ScalarCurve, Value,
    },
    progress::Progress,
    samples::{
        start,
        templates::{Build, Template},
    },
};
use std::{hint::black_box, sync::Arc, time::Instant};

const FRAMES: i64 = 10_000;
const RUNS: usize = 7;

fn biped(height: f64, segments: u32) -> Rig {
    let build = Build { height, segments, ..Template::Biped.usual() };
    Rig { skeleton: Arc::new(Template::Biped.skeleton(&build)), ..Rig::default() }
}

/// A document with the long clip, and what it moves.
fn long() -> (Document, ObjectId, ClipId) {
    let walk = start();
    let walker = *walk.objects.iter().find(|(_, object)| object.as_rig().is_some()).unwrap().0;
    let source = Source::new(&walk, walker, walk.clip_of(walker).unwrap()).unwrap();
    let mut document = Document { settings: walk.settings.clone(), ..Document::default() };
    let object = document.add_object(Object::rig("long", biped(1.9, 11)));
    let plain = Options { lock_feet: false, ..Options::default() };
    let short = run(&source, (&document, object), None, &plain, &Progress::new()).unwrap().clip;
    let (rate, range) = (document.settings.rate, short.range);
    let cycle = i64::try_from(range.len()).unwrap();
    let short = document.add_clip(short);
    let mut clip = Clip::new("long", FrameRange::new(0, FRAMES - 1));
    let rig = document.object(object).unwrap().as_rig().unwrap().clone();
    for (number, joint) in rig.skeleton.joints().iter().enumerate() {
        let properties = [Property::Rotation, Property::Translation];
        // The hips alone travel.
        for property in &properties[..if number == 0 { 2 } else { 1 }] {
            for component in Component::AXES {
                let path = ChannelPath::joint(object, joint.id, *property, component);
                let at = |frame: i64| {
                    let secs = rate.secs(range.first + frame % cycle);
                    match channel_value(&document, short, path, secs, Stage::Shown) {
                        Some(Value::Scalar(value)) if value != 0.0 => value,
                        // Fingers and what else the walk does not move.
                        _ => 0.2 * (0.07 * frame as f64 + number as f64).sin(),
                    }
                };
                let samples = Samples::new(0.0, rate, (0..FRAMES).map(at).collect());
                clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
            }
        }
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (document, object, clip)
}

fn main() {
    let (document, object, clip) = long();
    let joints = document.object(object).unwrap().as_rig().unwrap().skeleton.joints().iter();
    let joints = joints.filter(|joint| !joint.is_end()).count();
    let source = Source::new(&document, object, clip).unwrap();
    let mut other = Document { settings: document.settings.clone(), ..Document::default() };
    let target = other.add_object(Object::rig("other", biped(1.6, 4)));
    for lock_feet in [true, false] {
        let options = Options { lock_feet, ..Options::default() };
        let mut times = Vec::new();
        let mut last = None;
        for _ in 0..RUNS {
            let clock = Instant::now();
            last = Some(black_box(run(&source, (&other, target), None, &options, &Progress::new()).unwrap()));
            times.push(clock.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let found = last.unwrap();
        println!(
            "{joints} joints x {FRAMES} frames, {}: {:.3} s (best {:.3}); {} mapped, {} contacts, {} faults",
            if lock_feet { "contacts locked" } else { "contacts found only" },
            times[RUNS / 2],
            times[0],
            found.map.len(),
            found.contacts.len(),
            found.faults.len()
        );
    }
}
