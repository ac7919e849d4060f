//! `inbetween retarget`: the motion of one file for the character of another.

use super::{
    Failure,
    args::{Retarget, ScaleChoice},
    choose,
    choose::NoChoice,
    print,
};
use crate::{
    edit::{Edit, ImportEdit},
    eval::{
        cycle::{Travel, cycle},
        mirror::mirrored_clip,
        retarget::{FaultKind, Options, Plan, ReferencePose, Retargeted, ScaleBy, Source, run as bring},
    },
    io::{
        bvh::{self, ExportOptions, ImportOptions},
        file,
        gltf::{self, GltfExport, GltfLayout},
        open::{self, FileKind},
        report::Report,
        ron,
    },
    model::{ClipId, Document, FrameRate, ObjectId},
    progress::Progress,
};
use serde_json::json;
use std::{path::Path, process::ExitCode, sync::Arc};

/// Why nothing was brought over.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the name does not say what to write; end it in .bvh, .glb, .gltf or .ron: {0}")]
    Output(String),
    #[error("{error}: {path}")]
    Rig { error: String, path: String },
    #[error("no clip moves the rig, so there is nothing to bring over; give a file with motion: {0}")]
    NoMotion(String),
    #[error("'{0}' is not TARGET=SOURCE; name a joint of --to, an equals sign, and a joint of the motion (or nothing)")]
    Pair(String),
    #[error("there is no joint '{name}' to map in {path}; it has: {there}")]
    Joint { name: String, path: String, there: String },
    #[error("the clip has one frame and cannot go round; leave out --cycle: {0}")]
    OneFrame(String),
}

pub(super) fn run(args: &Retarget) -> Result<ExitCode, Failure> {
    let kind = FileKind::of_name(&args.output).ok_or_else(|| Refused::Output(args.output.display().to_string()))?;
    let import = ImportOptions { unit: args.unit, ..ImportOptions::default() };
    let opened = open::open(&args.input, import)?;
    let target = open::open(&args.to, ImportOptions::default())?;
    let rig = |document: &Document, name: Option<&str>, path: &Path| {
        choose::rig(document, name)
            .map_err(|error| Refused::Rig { error: error.to_string(), path: path.display().to_string() })
    };
    let from = rig(&opened.document, args.object.as_deref(), &args.input)?;
    let to = rig(&target.document, args.onto.as_deref(), &args.to)?;
    let clip = choose::clip(&opened.document, from, args.clip.as_deref())
        .map_err(NoChoice::within(&args.input))?
        .ok_or_else(|| Refused::NoMotion(args.input.display().to_string()))?;
    let options = Options {
        source_reference: args.source_pose.into(),
        target_reference: args.target_pose.into(),
        align: !args.no_align,
        scale: match args.scale {
            ScaleChoice::Legs => ScaleBy::Legs,
            ScaleChoice::Height => ScaleBy::Height,
            ScaleChoice::None => ScaleBy::Nothing,
        },
        lock_feet: !args.no_lock,
    };
    let source = Source::new(&opened.document, from, clip)?;
    let map = if args.map.is_empty() {
        None
    } else {
        let mut map = Plan::new(&source, (&target.document, to), None, &options)?.map;
        for pair in &args.map {
            let (own, other) = pair.split_once('=').ok_or_else(|| Refused::Pair(pair.clone()))?;
            let own = joint(&target.document, to, own, &args.to)?;
            let other = match other.trim() {
                "" => None,
                other => Some(joint(&opened.document, from, other, &args.input)?),
            };
            map.set(own, other);
        }
        Some(map)
    };
    print::progress(&format!("Bringing {} over", args.input.display()));
    let found = bring(&source, (&target.document, to), map.as_ref(), &options, &Progress::new())?;
    let mut document = target.document.clone();
    let id = add(&mut document, to, found.clip.clone())?;
    let id = remade(args, &mut document, to, id)?;
    let mut report = Report::new();
    let bytes = written(kind, &document, (to, id, found.rate), &mut report)?;
    file::write_together(&[(args.output.clone(), bytes.as_slice())])?;
    print::progress_done();
    if args.json {
        let names = Names::new(&source, &document, to, options.source_reference);
        print::json(&json!({
            "input": args.input.display().to_string(),
            "to": args.to.display().to_string(),
            "output": args.output.display().to_string(),
            "frames": found.frames,
            "map": names.map(&found),
            "contacts": names.contacts(&found),
            "faults": names.faults(&found),
            "input_report": opened.report,
            "target_report": target.report,
            "output_report": report,
        }));
    } else {
        tell(&Names::new(&source, &document, to, options.source_reference), &found);
        print::remarks(&args.input, &opened.report);
        print::remarks(&args.to, &target.report);
        print::remarks(&args.output, &report);
    }
    Ok(ExitCode::SUCCESS)
}

fn joint(document: &Document, object: ObjectId, name: &str, path: &Path) -> Result<usize, Refused> {
    let skeleton = document.object(object).and_then(|object| object.as_rig()).map(|rig| &rig.skeleton);
    let joints = skeleton.map_or(&[][..], |skeleton| skeleton.joints());
    joints.iter().position(|joint| joint.name == name.trim()).ok_or_else(|| Refused::Joint {
        name: name.trim().to_owned(),
        path: path.display().to_string(),
        there: joints
            .iter()
            .filter(|joint| !joint.is_end())
            .map(|joint| joint.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
    })
}

/// Adds a clip and has the rig play it.
fn add(document: &mut Document, object: ObjectId, clip: crate::model::Clip) -> Result<ClipId, Failure> {
    let id = ClipId(document.next_id);
    let play = vec![(object, id)];
    Edit::from(ImportEdit { clips: vec![(id, Arc::new(clip))], play, ..ImportEdit::default() }).apply(document)?;
    Ok(id)
}

/// The clip mirrored and made to go round, as asked for.
fn remade(args: &Retarget, document: &mut Document, object: ObjectId, id: ClipId) -> Result<ClipId, Failure> {
    let mut made = None;
    if args.mirror {
        made = mirrored_clip(document, object, id, &Progress::new())?;
    }
    let mut id = match made {
        Some(clip) => replace(document, id, clip),
        None => id,
    };
    if let Some(travel) = args.cycle {
        let travel = match travel {
            super::args::CycleChoice::Travel => Travel::Kept,
            super::args::CycleChoice::InPlace => Travel::InPlace,
        };
        let cycle = cycle(document, (object, id), travel, &Progress::new())?;
        let cycle = cycle.ok_or_else(|| Refused::OneFrame(args.input.display().to_string()))?;
        id = replace(document, id, cycle.clip);
    }
    Ok(id)
}

fn replace(document: &mut Document, id: ClipId, clip: crate::model::Clip) -> ClipId {
    if let Some(own) = document.clip_mut(id) {
        *own = clip;
    }
    id
}

/// The bytes of the result: a document keeps all there is, motion files hold what was brought over.
fn written(
    kind: FileKind,
    document: &Document,
    (object, clip, rate): (ObjectId, ClipId, FrameRate),
    report: &mut Report,
) -> Result<Vec<u8>, Failure> {
    Ok(match kind {
        FileKind::Ron => ron::save(document)?.into_bytes(),
        FileKind::Bvh => {
            // Frame by frame as it came.
            let options = ExportOptions { clip: Some(clip), rate: Some(rate), ..ExportOptions::default() };
            bvh::export_measured(document, object, options, None, &Progress::new(), report)?.bytes
        }
        FileKind::Obj => return Err(Refused::Output("OBJ holds no motion".to_owned()).into()),
        FileKind::Gltf | FileKind::Glb => {
            let mut document = document.clone();
            Arc::make_mut(&mut document.clips).retain(|id, other| *id == clip || !other.moves(object));
            let layout = if kind == FileKind::Glb { GltfLayout::Binary } else { GltfLayout::Embedded };
            let options = GltfExport { layout, ..GltfExport::default() };
            gltf::export(&document, options, &Progress::new(), report)?.bytes
        }
    })
}

impl From<super::args::PoseChoice> for ReferencePose {
    fn from(choice: super::args::PoseChoice) -> Self {
        match choice {
            super::args::PoseChoice::Found => Self::Found,
            super::args::PoseChoice::Rest => Self::Rest,
            super::args::PoseChoice::First => Self::FirstFrame,
        }
    }
}

/// Joints by name.
struct Names {
    source: Vec<String>,
    target: Vec<String>,
    ends: Vec<bool>,
}

impl Names {
    fn new(source: &Source, document: &Document, object: ObjectId, reference: ReferencePose) -> Self {
        let of = |skeleton: &crate::model::Skeleton| skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        let rig = document.object(object).and_then(|object| object.as_rig());
        let ends =
            rig.map_or_else(Vec::new, |rig| rig.skeleton.joints().iter().map(crate::model::Joint::is_end).collect());
        Self {
            source: source.figure(reference).map_or_else(Vec::new, |figure| of(figure.skeleton())),
            target: rig.map_or_else(Vec::new, |rig| of(&rig.skeleton)),
            ends,
        }
    }

    fn own(&self, joint: usize) -> &str {
        self.target.get(joint).map_or("", String::as_str)
    }

    fn map(&self, found: &Retargeted) -> Vec<serde_json::Value> {
        let row = |joint: usize| {
            let mapping = found.map.of(joint);
            let name = |at: usize| self.source.get(at).cloned();
            json!({
                "target": self.own(joint),
                "source": mapping.and_then(|mapping| name(mapping.source)),
                "with": mapping.and_then(|mapping| name(mapping.share?.with)),
                "part": mapping.and_then(|mapping| Some(mapping.share?.part)),
                "how": mapping.map(|mapping| format!("{:?}", mapping.how).to_lowercase()),
            })
        };
        (0..self.target.len()).filter(|joint| self.ends.get(*joint) != Some(&true)).map(row).collect()
    }

    fn contacts(&self, found: &Retargeted) -> Vec<serde_json::Value> {
        let row = |contact: &crate::eval::retarget::Contact| {
            json!({
                "joint": self.own(contact.foot.target),
                "frames": [contact.frames.0, contact.frames.1],
                "slide_before_cm": contact.slide_before * 100.0,
                "slide_after_cm": contact.slide_after * 100.0,
            })
        };
        found.contacts.iter().map(row).collect()
    }

    fn faults(&self, found: &Retargeted) -> Vec<serde_json::Value> {
        let row = |fault: &crate::eval::retarget::Fault| {
            let frame = |secs: f64| found.rate.nearest_frame(secs - found.start);
            json!({
                "kind": fault_name(fault.kind),
                "joint": self.own(fault.joint),
                "other": fault.other.map(|other| self.own(other)),
                "frames": [frame(fault.secs.0), frame(fault.secs.1)],
                "worst_frame": frame(fault.worst_secs),
                "amount_cm": fault.amount * 100.0,
            })
        };
        found.faults.iter().map(row).collect()
    }
}

const fn fault_name(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::OutOfReach => "out of reach",
        FaultKind::Backward => "bent backwards",
        FaultKind::Through => "through the body",
    }
}

fn tell(names: &Names, found: &Retargeted) {
    let mapped = found.map.len();
    let unmapped: Vec<&str> = (0..names.target.len())
        .filter(|joint| names.ends.get(*joint) != Some(&true) && found.map.of(*joint).is_none())
        .map(|joint| names.own(joint))
        .collect();
    print::line(&format!("{} frames, {mapped} joints mapped", found.frames));
    if !unmapped.is_empty() {
        print::line(&format!("at rest, without a counterpart: {}", unmapped.join(", ")));
    }
    let most =
        |of: &dyn Fn(&crate::eval::retarget::Contact) -> f64| found.contacts.iter().map(of).fold(0.0, f64::max) * 100.0;
    print::line(&format!(
        "{} contacts of feet, greatest slide {:.1} cm as carried over, {:.1} cm as written",
        found.contacts.len(),
        most(&|contact| contact.slide_before),
        most(&|contact| contact.slide_after)
    ));
    for fault in &found.faults {
        let frame = |secs: f64| found.rate.nearest_frame(secs - found.start);
        let other = fault.other.map_or_else(String::new, |other| format!(" and {}", names.own(other)));
        print::line(&format!(
            "frames {} to {}: {}{other} {}, {:.1} cm at frame {}",
            frame(fault.secs.0),
            frame(fault.secs.1),
            names.own(fault.joint),
            fault_name(fault.kind),
            fault.amount * 100.0,
            frame(fault.worst_secs)
        ));
    }
}
