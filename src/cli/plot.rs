//! `inbetween plot`: channels as a picture or a table.

use super::{Failure, args::Plot, choose, choose::NoChoice, print};
use crate::{
    io::{
        bvh::ImportOptions,
        file, open,
        plot::{PlotRequest, Sheet, Style, TimeAxis, csv, of_channels, png, svg},
    },
    model::{ChannelPath, Document, names},
};
use std::{path::Path, process::ExitCode};

/// Why nothing was plotted.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("there is no channel '{0}'; the clip has, for example: {1}")]
    Unknown(String, String),
    #[error("the name does not say what to write; end it in .svg, .png or .csv: {0}")]
    Output(String),
    #[error("say where to write with -o NAME.svg, NAME.png or NAME.csv, or --csv for a table here")]
    Nowhere,
    #[error("the clip has no curves to plot")]
    Empty,
}

/// How many channels a message names.
const NAMED: usize = 6;

pub(super) fn run(args: &Plot) -> Result<ExitCode, Failure> {
    let opened = open::open(&args.file, ImportOptions::default())?;
    let document = &opened.document;
    let clip = choose::any_clip(document, args.clip.as_deref()).map_err(NoChoice::within(&args.file))?;
    let request = PlotRequest {
        clip,
        channels: channels(document, clip, &args.channels)?,
        frames: args.frames,
        derivatives: args.derivatives,
        time: if args.seconds { TimeAxis::Seconds } else { TimeAxis::Frames },
    };
    let plot = of_channels(document, &request)?;
    let style = if args.print { Style::Print } else { Style::Screen };
    let page = Sheet::new(style, plot.panels.len());
    let sheet = Sheet { size_mm: args.size.unwrap_or(page.size_mm), dpi: args.dpi, style };
    let Some(path) = &args.output else {
        if !args.csv {
            return Err(Refused::Nowhere.into());
        }
        print::text(&csv(&plot));
        return Ok(ExitCode::SUCCESS);
    };
    let extension = if args.csv { "csv".to_owned() } else { extension(path) };
    let bytes = match &*extension {
        "svg" => svg(&plot, &sheet)?.into_bytes(),
        "png" => png(&plot, &sheet)?,
        "csv" => csv(&plot).into_bytes(),
        _ => return Err(Refused::Output(path.display().to_string()).into()),
    };
    file::write(path, &bytes)?;
    print::remarks(&args.file, &opened.report);
    Ok(ExitCode::SUCCESS)
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The channels named; a name that is only the beginning of some, such as `Biped/hand.l`, stands for all of those.
fn channels(document: &Document, clip: crate::model::ClipId, wanted: &[String]) -> Result<Vec<ChannelPath>, Refused> {
    let there: Vec<(ChannelPath, String)> = document
        .clip(clip)
        .into_iter()
        .flat_map(|clip| clip.channels.keys())
        .filter_map(|path| Some((*path, names::channel_name(document, *path)?)))
        .collect();
    if there.is_empty() {
        return Err(Refused::Empty);
    }
    let mut found = Vec::new();
    for name in wanted {
        let begins = |other: &str| {
            other.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        };
        let matching: Vec<ChannelPath> =
            there.iter().filter(|(_, other)| begins(other)).map(|(path, _)| *path).collect();
        if matching.is_empty() {
            let some: Vec<&str> = there.iter().take(NAMED).map(|(_, name)| &**name).collect();
            return Err(Refused::Unknown(name.clone(), some.join(", ")));
        }
        found.extend(matching);
    }
    found.dedup();
    Ok(found)
}
