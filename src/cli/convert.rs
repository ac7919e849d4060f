//! `inbetween convert`: one file to another.

use super::{
    Failure,
    args::{Convert, StackChoice},
    choose,
    choose::NoChoice,
    print,
};
use crate::{
    edit::{Edit, SettingsEdit},
    eval::blend::layers::plays_layers,
    io::{
        bvh::{self, ExportOptions, ImportOptions},
        channel_error::ChannelError,
        file,
        gltf::{self, DeformersOut, GltfExport, GltfLayout, GltfWritten},
        obj::{self, ObjExport, ObjWritten},
        open::{self, FileKind},
        report::Report,
        ron,
    },
    model::{Document, LengthUnit, ObjectId, ObjectKind, Property},
    progress::Progress,
};
use serde_json::json;
use std::{process::ExitCode, sync::Arc};

/// Why a conversion was refused before it began.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the name does not say what to write; end it in .bvh, .gltf, .glb, .obj or .ron: {0}")]
    Output(String),
    #[error("only .gltf has files beside it; end the name in .gltf, or leave out --split")]
    Split,
    #[error("a document and glTF keep all there is; --{0} is for BVH")]
    KeepsAll(&'static str),
}

pub(super) fn run(args: &Convert) -> Result<ExitCode, Failure> {
    let target =
        FileKind::of_name(args.output()).ok_or_else(|| Refused::Output(args.output().display().to_string()))?;
    print::progress(&format!("Reading {}", args.input.display()));
    let opened = open::open(&args.input, ImportOptions { unit: args.unit, up: args.up.into() })?;
    print::progress(&format!("Writing {}", args.output().display()));
    let mut report = Report::new();
    let mut channel_errors = Vec::new();
    let mut beside = Vec::new();
    if args.split && target != FileKind::Gltf {
        return Err(Refused::Split.into());
    }
    let bytes = match target {
        FileKind::Ron => ron::save(&as_document(args, opened.document)?)?.into_bytes(),
        FileKind::Bvh => {
            let (bytes, errors) = as_bvh(args, &opened.document, &mut report)?;
            channel_errors = errors;
            bytes
        }
        FileKind::Gltf | FileKind::Glb => {
            let written = as_gltf(args, target, &opened.document, &mut report)?;
            channel_errors = written.errors;
            beside = written.beside;
            written.bytes
        }
        FileKind::Obj => {
            let written = as_obj(args, &opened.document, &mut report)?;
            beside = written.beside;
            written.bytes
        }
    };
    let whole = bytes.len() + beside.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let files = beside.iter().map(|(name, bytes)| (args.output().with_file_name(name), bytes.as_slice()));
    let files: Vec<_> = files.chain([(args.output().to_owned(), bytes.as_slice())]).collect();
    file::write_together(&files)?;
    print::progress_done();
    if args.json {
        print::json(&json!({
            "input": args.input.display().to_string(),
            "output": args.output().display().to_string(),
            "bytes": whole,
            "beside": beside.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "input_report": opened.report,
            "output_report": report,
            "channel_errors": channel_errors.iter().map(error_json).collect::<Vec<_>>(),
        }));
    } else {
        print::remarks(&args.input, &opened.report);
        print::remarks(args.output(), &report);
        if let Some(line) = worst(&channel_errors) {
            print::remark(args.output(), &line);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The document with the rate and the unit asked for.
fn as_document(args: &Convert, mut document: Document) -> Result<Document, Failure> {
    for (option, given) in [("clip", args.clip.is_some()), ("object", args.object.is_some())] {
        if given {
            return Err(Refused::KeepsAll(option).into());
        }
    }
    if let Some(rate) = args.fps {
        Edit::from(SettingsEdit::SetRate(rate)).apply(&mut document)?;
    }
    if let Some(unit) = args.out_unit {
        set_file_unit(&mut document, unit);
    }
    Ok(document)
}

/// Sets the unit that later exports of every rig write lengths in.
fn set_file_unit(document: &mut Document, unit: LengthUnit) {
    let rigs: Vec<ObjectId> = document.rigs().map(|(id, ..)| id).collect();
    for id in rigs {
        if let Some(object) = document.object_mut(id)
            && let ObjectKind::Rig(rig) = &mut object.kind
        {
            Arc::make_mut(rig).unit = unit;
        }
    }
}

/// The time whose shape is written.
fn moment(args: &Convert, document: &Document) -> f64 {
    let settings = &document.settings;
    settings.rate.secs(args.frame.unwrap_or(settings.play_range.first))
}

/// A glTF file of all there is, and how far each of its channels is from the document's.
fn as_gltf(args: &Convert, kind: FileKind, document: &Document, report: &mut Report) -> Result<GltfWritten, Failure> {
    for (option, given) in [("clip", args.clip.is_some()), ("object", args.object.is_some())] {
        if given {
            return Err(Refused::KeepsAll(option).into());
        }
    }
    let options = GltfExport {
        tolerance: args.tolerance / 1e3,
        tolerance_angle: args.tolerance_angle.to_radians(),
        all_influences: args.all_influences,
        deformers: match args.deformers {
            StackChoice::Bake => DeformersOut::Bake,
            StackChoice::Apply => DeformersOut::Apply { secs: moment(args, document) },
            StackChoice::Leave => DeformersOut::Leave,
        },
        shape_tolerance: args.shape_tolerance / 1e3,
        bake_dual: args.bake_dual,
        layout: match kind {
            FileKind::Gltf if args.split => GltfLayout::Split { stem: open::stem(args.output()) },
            FileKind::Gltf => GltfLayout::Embedded,
            _ => GltfLayout::Binary,
        },
    };
    let written = gltf::export(document, options, &Progress::new(), report);
    written.map_err(|error| format!("{error}: {}", args.input.display()).into())
}

/// The shape of a frame.
fn as_obj(args: &Convert, document: &Document, report: &mut Report) -> Result<ObjWritten, Failure> {
    for (option, given) in [("clip", args.clip.is_some()), ("object", args.object.is_some())] {
        if given {
            return Err(Refused::KeepsAll(option).into());
        }
    }
    let options = ObjExport {
        secs: moment(args, document),
        unit: args.out_unit.unwrap_or(LengthUnit::Metre),
        stem: open::stem(args.output()),
    };
    let written = obj::export(document, &options, &Progress::new(), report);
    written.map_err(|error| format!("{error}: {}", args.input.display()).into())
}

fn error_json(error: &ChannelError) -> serde_json::Value {
    json!({ "clip": error.clip, "channel": error.channel, "error": error.error })
}

/// The worst channel of each property, in a line.
fn worst(errors: &[ChannelError]) -> Option<String> {
    let of = |property: Property| {
        let own = errors.iter().filter(|error| error.property == property);
        own.max_by(|a, b| a.error.total_cmp(&b.error)).map(|worst| format!("{} ({})", worst.text(), worst.channel))
    };
    let properties = [Property::Translation, Property::Rotation, Property::Scale, Property::Weight];
    let parts: Vec<String> = properties.into_iter().filter_map(of).collect();
    (!parts.is_empty()).then(|| format!("largest error of the written channels: {}", parts.join(", ")))
}

fn as_bvh(args: &Convert, document: &Document, report: &mut Report) -> Result<(Vec<u8>, Vec<ChannelError>), Failure> {
    let object = choose::rig(document, args.object.as_deref()).map_err(NoChoice::within(&args.input))?;
    let clip = match &args.clip {
        // What it plays is more than one clip.
        None if plays_layers(document, object) => None,
        name => choose::clip(document, object, name.as_deref()).map_err(NoChoice::within(&args.input))?,
    };
    let options = ExportOptions {
        clip,
        range: args.frames,
        rate: args.fps,
        unit: args.out_unit,
        order: args.order,
        root_translation_only: args.root_translation_only,
        end_length: args.end_length.map(|millimetres| millimetres / 1e3),
    };
    let written = bvh::export_measured(document, object, options, args.digits, &Progress::new(), report)
        .map_err(|error| format!("{error}: {}", args.input.display()))?;
    Ok((written.bytes, written.errors))
}
