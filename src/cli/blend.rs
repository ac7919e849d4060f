//! `inbetween blend`: a blend space at a point, written as BVH.

use super::{Failure, args::Blend, choose, choose::NoChoice, print};
use crate::{
    eval::blend::layers::{prepared_space, space_weights},
    io::{
        bvh::{self, ExportOptions},
        file,
        open::{self, FileKind},
        report::Report,
    },
    model::{Document, Layer, LayerId, Plays, names},
    progress::Progress,
};
use serde_json::json;
use std::{process::ExitCode, sync::Arc};

/// Why a space was not written.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("what is played can be written as .bvh; end the name so: {0}")]
    Output(String),
    #[error("there is no blend space '{name}' in the file; there are: {there}")]
    NoSpace { name: String, there: String },
    #[error("the blend space '{0}' plays nothing: give it samples first")]
    Empty(String),
}

pub(super) fn run(args: &Blend) -> Result<ExitCode, Failure> {
    if FileKind::of_name(&args.output) != Some(FileKind::Bvh) {
        return Err(Refused::Output(args.output.display().to_string()).into());
    }
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
        return Err(Refused::Empty(space.name.clone()).into());
    }
    let layer = Layer { point: args.at, ..Layer::new(LayerId(0), &space.name, Plays::Space(id)) };
    if let Some(object) = document.object_mut(object) {
        object.layers = vec![Arc::new(layer)];
    }
    // Curves of a layer of that number are of another.
    Arc::make_mut(&mut document.settings).clip = None;
    print::progress(&format!("Writing {}", args.output.display()));
    let mut report = Report::new();
    let options = ExportOptions { range: args.frames, ..ExportOptions::default() };
    let written = bvh::export_measured(&document, object, options, None, &Progress::new(), &mut report)
        .map_err(|error| format!("{error}: {}", args.file.display()))?;
    file::write(&args.output, &written.bytes)?;
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
        let told = named.iter().filter(|(_, weight)| *weight > 0.0);
        let told: Vec<String> = told.map(|(name, weight)| format!("{name} {weight:.3}")).collect();
        print::remark(&args.output, &format!("plays {}", told.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

fn no_space(document: &Document, name: &str) -> Refused {
    let there: Vec<String> = document.blend_spaces.values().map(|space| format!("'{}'", space.name)).collect();
    let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
    Refused::NoSpace { name: name.to_owned(), there }
}
