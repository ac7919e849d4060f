//! `inbetween render`: pictures and animations without a window.

use super::{
    Failure,
    args::{Render, Switch},
    film::{Angle, Film},
    print,
};
use crate::{
    eval::trail::{TrailSpace, TrailSpec},
    interact::{onion::OnionSkin, trails::TrailOptions, view_state::ViewportOptions},
    io::{bvh::ImportOptions, open},
    model::{Document, FrameRange, JointId, ObjectId, Target, names},
    progress::Progress,
};
use serde_json::json;
use std::process::ExitCode;

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("frame {frame} is not in the motion; its frames are {} to {}", range.first, range.last)]
    Frame { frame: i64, range: FrameRange },
    #[error("there is no camera '{name}' in the file; there {}", list(there))]
    Camera { name: String, there: Vec<String> },
    #[error("there is no joint '{0}' in the file; name it with its character, such as Biped/hand.l")]
    Joint(String),
    #[error("several characters have a joint '{0}'; name the one that is meant: {1}")]
    Ambiguous(String, String),
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "is none".to_owned() } else { format!("are: {}", names.join(", ")) }
}

/// A camera of the document by name.
fn camera(document: &Document, name: &str) -> Result<ObjectId, Refused> {
    let is_camera = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_camera().is_some());
    names::find_object(document, name).filter(is_camera).ok_or_else(|| Refused::Camera {
        name: name.to_owned(),
        there: document
            .objects
            .keys()
            .filter(|id| is_camera(id))
            .filter_map(|id| names::object_name(document, *id))
            .map(|name| format!("'{name}'"))
            .collect(),
    })
}

/// The trail of a joint, over the whole of its clip. It is named with its character, or alone where only one has it.
fn trail(document: &Document, name: &str) -> Result<TrailSpec, Refused> {
    let none = || Refused::Joint(name.to_owned());
    // A channel's name has the property at its end.
    let path = names::find_channel(document, &format!("{name}/rotation.x"));
    let path = path.or_else(|| names::find_channel(document, &format!("{name}/rotation")));
    let (object, joint) = match path.map(|path| path.target) {
        Some(Target::Joint(object, joint)) => (object, joint),
        Some(_) => return Err(none()),
        None => alone(document, name)?,
    };
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let range = clip.map_or(document.settings.play_range, |clip| clip.range);
    Ok(TrailSpec { object, joint, space: TrailSpace::World, first: range.first, last: range.last })
}

/// The only joint of a name among all characters.
fn alone(document: &Document, name: &str) -> Result<(ObjectId, JointId), Refused> {
    let found = document.rigs().filter_map(|(id, _, rig)| Some((id, names::find_joint(&rig.skeleton, name)?)));
    match found.collect::<Vec<_>>().as_slice() {
        [] => Err(Refused::Joint(name.to_owned())),
        [only] => Ok(*only),
        several => {
            let named = several.iter().filter_map(|(id, _)| names::object_name(document, *id));
            let named: Vec<String> = named.map(|object| format!("'{object}/{name}'")).collect();
            Err(Refused::Ambiguous(name.to_owned(), named.join(", ")))
        }
    }
}

pub(super) fn run(args: &Render) -> Result<ExitCode, Failure> {
    print::progress(&format!("Reading {}", args.file.display()));
    let opened = open::open(&args.file, ImportOptions { up: args.up.into(), ..ImportOptions::default() })?;
    let document = &opened.document;
    let range = args.frames.unwrap_or_else(|| {
        let frame = args.frame.unwrap_or(document.settings.play_range.first);
        FrameRange::new(frame, frame)
    });
    let there = all_frames(document);
    for frame in [range.first, range.last] {
        if !(there.first..=there.last).contains(&frame) {
            return Err(Refused::Frame { frame, range: there }.into());
        }
    }
    let is_on = |switch: Switch| switch == Switch::On;
    let film = Film {
        frames: (range.first..=range.last).step_by(args.step as usize).collect(),
        numbered: args.frames.is_some(),
        fps: document.settings.rate.fps() / f64::from(args.step),
        size: args.size,
        angle: match &args.camera {
            Some(name) => Angle::Object(camera(document, name)?),
            None => Angle::Fitted(args.orbit.map(f64::to_radians)),
        },
        trails: args.trail.iter().map(|name| trail(document, name)).collect::<Result<_, _>>()?,
        trail_options: TrailOptions::default(),
        options: ViewportOptions {
            grid: is_on(args.grid),
            bones: is_on(args.bones),
            mannequin: is_on(args.mannequin),
            mesh: is_on(args.mesh),
            ..ViewportOptions::default()
        },
        onion: OnionSkin { on: is_on(args.ghosts), ..OnionSkin::default() },
        light: args.light,
        background: args.background,
        folder: args.file.parent().map(std::path::Path::to_owned).filter(|_| args.reference == Switch::On),
        output: args.output.clone(),
    };
    print::progress(&format!("Drawing {} frames", film.frames.len()));
    let written = film.shoot(document, &Progress::new())?;
    print::progress_done();
    if args.json {
        print::json(&json!({
            "file": args.file.display().to_string(),
            "width": args.size[0],
            "height": args.size[1],
            "frames": film.frames,
            "written": written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "report": opened.report,
        }));
    } else {
        print::remarks(&args.file, &opened.report);
    }
    Ok(ExitCode::SUCCESS)
}

/// The frames that play and those of all clips.
fn all_frames(document: &Document) -> FrameRange {
    document.clips.values().fold(document.settings.play_range, |all, clip| {
        FrameRange::new(all.first.min(clip.range.first), all.last.max(clip.range.last))
    })
}
