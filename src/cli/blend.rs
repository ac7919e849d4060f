//! `inbetween blend`: a blend space at a point, written as BVH or glTF.

use super::{Failure, args::Blend, choose, choose::NoChoice, print};
use crate::{
    eval::blend::{
        bake::without_layers,
        layers::{prepared_space, space_weights},
    },
    io::{
        bvh::{self, ExportOptions},
        file,
        gltf::{self, GltfExport, GltfLayout},
        open::{self, FileKind},
        report::Report,
    },
    model::{BlendSpace, Document, Layer, LayerId, ObjectId, Plays, names},
    progress::Progress,
};
use serde_json::json;
use std::{process::ExitCode, sync::Arc};

/// Why a space was not written.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("what is played can be written as .bvh, .glb or .gltf; end the name so: {0}")]
    Output(String),
    #[error("there is no blend space '{name}' in the file; there are: {there}")]
    NoSpace { name: String, there: String },
    #[error("the blend space '{0}' plays nothing: give it samples first")]
    Empty(String),
    #[error("the blend space '{0}' plays nothing: none of its samples has a weight above 0; give one in its panel")]
    Weightless(String),
}

pub(super) fn run(args: &Blend) -> Result<ExitCode, Failure> {
    let kind = FileKind::of_name(&args.output);
    let Some(kind) = kind.filter(|kind| matches!(kind, FileKind::Bvh | FileKind::Glb | FileKind::Gltf)) else {
        return Err(Refused::Output(args.output.display().to_string()).into());
    };
    print::progress(&format!("Reading {}", args.file.display()));
    let opened = open::open(&args.file, bvh::ImportOptions::default())?;
    let mut document = opened.document;
    let object = choose::rig(&document, args.object.as_deref()).map_err(NoChoice::within(&args.file))?;
    let id = names::find_space(&document, &args.space).ok_or_else(|| no_space(&document, &args.space))?;
    let Some(space) = document.blend_spaces.get(&id).cloned() else {
        return Err(no_space(&document, &args.space).into());
    };
    let prepared = prepared_space(&space);
    let (weights, landing) = space_weights(&space, &prepared, args.at);
    if landing.nothing {
        let name = space.name.clone();
        return Err(if space.samples.is_empty() { Refused::Empty(name) } else { Refused::Weightless(name) }.into());
    }
    let layer = Layer { point: args.at, ..Layer::new(LayerId(0), &space.name, Plays::Space(id)) };
    if let Some(object) = document.object_mut(object) {
        object.layers = vec![Arc::new(layer)];
    }
    // Curves of a layer of that number are of another.
    Arc::make_mut(&mut document.settings).clip = None;
    print::progress(&format!("Writing {}", args.output.display()));
    let mut report = Report::new();
    let bytes = match kind {
        FileKind::Bvh => as_bvh(args, &document, object, &mut report),
        _ => as_gltf(args, kind, (&document, &space.name), object, &mut report),
    };
    let bytes = bytes.map_err(|error| format!("{error}: {}", args.file.display()))?;
    file::write(&args.output, &bytes)?;
    print::progress_done();
    let named: Vec<(String, f64)> = space
        .samples
        .iter()
        .zip(&weights)
        .map(|(sample, weight)| (document.played_name(sample.plays), *weight))
        .collect();
    if args.json {
        print::json(&json!({
            "space": space.name,
            "at": space.within(args.at),
            "inside": landing.inside,
            "weights": named.iter().map(|(name, weight)| json!({ "plays": name, "weight": weight })).collect::<Vec<_>>(),
            "output": args.output.display().to_string(),
            "output_report": report,
        }));
    } else {
        print::remarks(&args.file, &opened.report);
        print::remarks(&args.output, &report);
        for line in brought(&space, args.at) {
            print::remark(&args.output, &line);
        }
        let told = named.iter().filter(|(_, weight)| *weight > 0.0);
        let told: Vec<String> = told.map(|(name, weight)| format!("{name} {weight:.3}")).collect();
        print::remark(&args.output, &format!("plays {}", told.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

fn as_bvh(args: &Blend, document: &Document, object: ObjectId, report: &mut Report) -> Result<Vec<u8>, String> {
    let options = ExportOptions { range: args.frames, ..ExportOptions::default() };
    let written = bvh::export_measured(document, object, options, None, &Progress::new(), report);
    Ok(written.map_err(|error| error.to_string())?.bytes)
}

/// All objects, and of the motions the one that the space plays.
fn as_gltf(
    args: &Blend,
    kind: FileKind,
    (document, name): (&Document, &str),
    object: ObjectId,
    report: &mut Report,
) -> Result<Vec<u8>, String> {
    let range = args.frames.unwrap_or(document.settings.play_range);
    let joints = document.object(object).and_then(|object| object.as_rig()).map_or(0, |rig| rig.skeleton.len());
    bvh::few_enough(range.len(), joints).map_err(|error| error.to_string())?;
    let progress = Progress::new();
    let baked = without_layers(document, object, range, &progress).map_err(|error| error.to_string())?;
    let mut played = baked.into_owned();
    let own = played.object(object).and_then(|object| object.clip);
    Arc::make_mut(&mut played.clips).retain(|id, _| Some(*id) == own);
    if let Some(clip) = own.and_then(|id| played.clip_mut(id)) {
        name.clone_into(&mut clip.name);
    }
    let layout = if kind == FileKind::Gltf { GltfLayout::Embedded } else { GltfLayout::Binary };
    let written = gltf::export(&played, GltfExport { layout, ..GltfExport::default() }, &progress, report);
    Ok(written.map_err(|error| error.to_string())?.bytes)
}

/// What of the point was not taken as it was told.
fn brought(space: &BlendSpace, at: [f64; 2]) -> Vec<String> {
    let count = space.scheme.axes();
    let taken = space.within(at);
    let axes = space.axes.iter().zip(at.iter().zip(&taken)).take(count).filter(|(_, (told, taken))| told != taken);
    let mut lines: Vec<String> = axes
        .map(|(axis, (told, taken))| format!("{} {told} is beyond its range; {taken} was taken", axis.name))
        .collect();
    if count < 2 && at[1] != 0.0 {
        lines.push(format!(
            "the space has {}; {} was not used",
            if count == 1 { "one axis" } else { "no axes" },
            at[1]
        ));
    }
    lines
}

fn no_space(document: &Document, name: &str) -> Refused {
    let there: Vec<String> = document.blend_spaces.values().map(|space| format!("'{}'", space.name)).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    Refused::NoSpace { name: name.to_owned(), there }
}
