//! `inbetween info`: what is in a file.

use super::{Failure, args::Info, positions, print};
use crate::{
    eval::size::skeleton_size,
    io::{
        bvh::ImportOptions,
        open::{self, FileKind, Opened},
    },
    model::{Axis, Clip, ClipId, Document, ObjectId, Rig, names},
};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(super) fn run(args: &Info) -> Result<ExitCode, Failure> {
    let opened = open::open(&args.file, ImportOptions { unit: args.unit, ..ImportOptions::default() })?;
    if args.json {
        print::json(&as_json(args, &opened));
    } else {
        tell(args, &opened);
        print::remarks(&args.file, &opened.report);
    }
    Ok(ExitCode::SUCCESS)
}

fn kind(opened: &Opened) -> &'static str {
    match opened.kind {
        FileKind::Ron => "document",
        FileKind::Bvh => "BVH motion",
        FileKind::Gltf | FileKind::Glb => "glTF",
        FileKind::Obj => "OBJ",
    }
}

fn tell(args: &Info, opened: &Opened) {
    let document = &opened.document;
    let settings = &document.settings;
    print::line(&format!("{}: {}", args.file.display(), kind(opened)));
    print::line(&format!(
        "  rate    {} frames a second ({}/{})",
        settings.rate,
        settings.rate.num(),
        settings.rate.den()
    ));
    for (id, _, rig) in document.rigs() {
        let counts = Counts::of(rig);
        print::line(&format!(
            "  rig     {}: {} joints and {} ends, size {:.2} m, file unit {}",
            object(document, id),
            counts.joints,
            counts.ends,
            skeleton_size(&rig.skeleton),
            rig.unit.name()
        ));
    }
    for (id, clip) in document.clips.iter() {
        let (keyed, sampled) = curves(clip);
        print::line(&format!(
            "  clip    {}: frames {} to {} ({:.3} s), {keyed} keyed and {sampled} sampled channels, {} corrections{}",
            clip_name(document, *id),
            clip.range.first,
            clip.range.last,
            settings.rate.secs(clip.range.last - clip.range.first),
            clip.corrections.len(),
            waiting(clip)
        ));
    }
    for space in document.blend_spaces.values() {
        let axes: Vec<String> = space.axes.iter().take(space.scheme.axes()).map(axis).collect();
        let along = if axes.is_empty() { "no axes".to_owned() } else { axes.join(", ") };
        print::line(&format!("  space   {}: {} samples along {along}", space.name, space.samples.len()));
    }
    for (_, found) in document.objects.iter() {
        for layer in &found.layers {
            let name = document.played_name(layer.plays);
            print::line(&format!("  layer   {} of {}: plays {name}", layer.name, found.name));
        }
    }
}

/// An axis with its range.
fn axis(axis: &Axis) -> String {
    let [from, to] = axis.range;
    let unit = if axis.unit.is_empty() { String::new() } else { format!(" {}", axis.unit) };
    format!("{} {from}..{to}{unit}", axis.name)
}

fn waiting(clip: &Clip) -> String {
    match clip.unkeyed.len() {
        0 => String::new(),
        1 => ", 1 frame with unkeyed edits".to_owned(),
        count => format!(", {count} frames with unkeyed edits"),
    }
}

struct Counts {
    joints: usize,
    ends: usize,
}

impl Counts {
    fn of(rig: &Rig) -> Self {
        let ends = rig.skeleton.joints().iter().filter(|joint| joint.is_end()).count();
        Self { joints: rig.skeleton.len() - ends, ends }
    }
}

/// How many channels are keyed and how many sampled.
fn curves(clip: &Clip) -> (usize, usize) {
    let sampled = clip.channels.values().filter(|curve| curve.is_sampled()).count();
    (clip.channels.len() - sampled, sampled)
}

fn object(document: &Document, id: ObjectId) -> String {
    names::object_name(document, id).unwrap_or_default()
}

fn clip_name(document: &Document, id: ClipId) -> String {
    names::clip_name(document, id).unwrap_or_default()
}

fn as_json(args: &Info, opened: &Opened) -> Value {
    let document = &opened.document;
    let rate = document.settings.rate;
    let rigs = document.rigs().map(|(id, _, rig)| {
        let counts = Counts::of(rig);
        json!({
            "name": object(document, id),
            "joints": counts.joints,
            "ends": counts.ends,
            "size_m": skeleton_size(&rig.skeleton),
            "unit": rig.unit.name(),
        })
    });
    let clips = document.clips.iter().map(|(id, clip)| {
        let (keyed, sampled) = curves(clip);
        json!({
            "name": clip_name(document, *id),
            "first": clip.range.first,
            "last": clip.range.last,
            "secs": rate.secs(clip.range.last - clip.range.first),
            "keyed_channels": keyed,
            "sampled_channels": sampled,
            "corrections": clip.corrections.len(),
            "frames_with_unkeyed_edits": clip.unkeyed.len(),
        })
    });
    let spaces = document.blend_spaces.values().map(|space| {
        let axes = space.axes.iter().take(space.scheme.axes());
        json!({
            "name": space.name,
            "axes": axes.map(|axis| json!({ "name": axis.name, "unit": axis.unit, "range": axis.range })).collect::<Vec<_>>(),
            "samples": space.samples.iter().map(|sample| document.played_name(sample.plays)).collect::<Vec<_>>(),
        })
    });
    let mut value = json!({
        "file": args.file.display().to_string(),
        "kind": kind(opened),
        "rate": { "num": rate.num(), "den": rate.den(), "fps": rate.fps() },
        "rigs": rigs.collect::<Vec<_>>(),
        "clips": clips.collect::<Vec<_>>(),
        "spaces": spaces.collect::<Vec<_>>(),
        "report": opened.report,
    });
    if let Some(count) = args.positions {
        value["positions"] = positions::of_clips(document, count);
    }
    value
}
