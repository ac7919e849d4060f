//! `inbetween convert`: one file to another.

use super::{
    Failure,
    args::{Convert, UpAxis},
    choose, print,
};
use crate::{
    edit::{Edit, SettingsEdit},
    io::{
        bvh::{self, ExportOptions, ImportOptions, Up},
        file,
        open::{self, FileKind},
        report::Report,
        ron,
    },
    model::{Document, LengthUnit, ObjectId, ObjectKind},
    progress::Progress,
};
use serde_json::json;
use std::{process::ExitCode, sync::Arc};

/// Why a conversion was refused before it began.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the name does not say what to write; end it in .bvh or .ron: {0}")]
    Output(String),
    #[error("a document keeps all its rigs and clips; --{0} is for BVH")]
    KeepsAll(&'static str),
}

pub(super) fn run(args: &Convert) -> Result<ExitCode, Failure> {
    let target = FileKind::of_name(&args.output).ok_or_else(|| Refused::Output(args.output.display().to_string()))?;
    let up = match args.up {
        UpAxis::Y => Up::Y,
        UpAxis::Z => Up::Z,
    };
    print::progress(&format!("Reading {}", args.input.display()));
    let opened = open::open(&args.input, ImportOptions { unit: args.unit, up })?;
    print::progress(&format!("Writing {}", args.output.display()));
    let mut report = Report::new();
    let bytes = match target {
        FileKind::Ron => ron::save(&as_document(args, opened.document)?)?.into_bytes(),
        FileKind::Bvh => as_bvh(args, &opened.document, &mut report)?,
        FileKind::Gltf | FileKind::Glb => return Err(Refused::Output(args.output.display().to_string()).into()),
    };
    file::write(&args.output, &bytes)?;
    print::progress_done();
    if args.json {
        print::json(&json!({
            "input": args.input.display().to_string(),
            "output": args.output.display().to_string(),
            "bytes": bytes.len(),
            "input_report": opened.report,
            "output_report": report,
        }));
    } else {
        print::remarks(&args.input, &opened.report);
        print::remarks(&args.output, &report);
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

fn as_bvh(args: &Convert, document: &Document, report: &mut Report) -> Result<Vec<u8>, Failure> {
    let object = choose::rig(document, args.object.as_deref())?;
    let clip = choose::clip(document, object, args.clip.as_deref())?;
    let options = ExportOptions { clip, range: None, rate: args.fps, unit: args.out_unit };
    Ok(bvh::write(&bvh::export(document, object, options, &Progress::new(), report)?))
}
