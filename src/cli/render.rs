//! `inbetween render`: pictures and animations without a window.

use super::{
    Failure,
    args::{Render, Switch},
    film::{Angle, Film},
    print,
};
use crate::{
    interact::{onion::OnionSkin, view_state::ViewportOptions},
    io::{bvh::ImportOptions, open},
    model::{Document, FrameRange},
    progress::Progress,
};
use serde_json::json;
use std::process::ExitCode;

/// Why nothing was drawn.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("frame {frame} is not in the motion; its frames are {} to {}", range.first, range.last)]
    NoFrame { frame: i64, range: FrameRange },
}

pub(super) fn run(args: &Render) -> Result<ExitCode, Failure> {
    print::progress(&format!("Reading {}", args.file.display()));
    let opened = open::open(&args.file, ImportOptions::default())?;
    let document = &opened.document;
    let range = args.frames.unwrap_or_else(|| {
        let frame = args.frame.unwrap_or(document.settings.play_range.first);
        FrameRange::new(frame, frame)
    });
    let there = all_frames(document);
    for frame in [range.first, range.last] {
        if !(there.first..=there.last).contains(&frame) {
            return Err(Refused::NoFrame { frame, range: there }.into());
        }
    }
    let is_on = |switch: Switch| switch == Switch::On;
    let film = Film {
        frames: (range.first..=range.last).step_by(args.step as usize).collect(),
        numbered: args.frames.is_some(),
        fps: document.settings.rate.fps() / f64::from(args.step),
        size: args.size,
        angle: Angle::Fitted(args.orbit.map(f64::to_radians)),
        options: ViewportOptions {
            grid: is_on(args.grid),
            bones: is_on(args.bones),
            mannequin: is_on(args.mannequin),
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
