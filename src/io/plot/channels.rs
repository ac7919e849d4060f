//! Plots of a document's channels.

use super::{Panel, Plot, Series};
use crate::{
    eval::sample::{Stage, channel_value},
    model::{
        ChannelPath, ClipId, Curve, Document, FrameRange, Property, RotationCurve, ScalarCurve, Value,
        keys::Timed as _,
        names::{channel_name, clip_name},
    },
};

/// How times are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeAxis {
    /// In frames of the document.
    Frames,
    /// In seconds.
    Seconds,
}

/// What is to be plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotRequest {
    /// The clip.
    pub clip: ClipId,
    /// Its channels.
    pub channels: Vec<ChannelPath>,
    /// The frames; none for the clip's.
    pub frames: Option<FrameRange>,
    /// Whether velocity and acceleration have panels too.
    pub derivatives: bool,
    /// How times are counted.
    pub time: TimeAxis,
}

/// Why nothing can be plotted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// No channel, or no clip.
    #[error("there is no channel to plot; select one, or name one")]
    Nothing,
    /// A rotation as a quaternion is no single number.
    #[error("'{0}' is a rotation held whole: it has no single value to plot; convert it to Euler angles")]
    Whole(String),
    /// More pixels than can be drawn.
    #[error(
        "a picture of {width} by {height} pixels is more than the {most} that are drawn; lower the size or the resolution"
    )]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The most in all.
        most: u64,
    },
    /// A drawing library fails.
    #[error("the plot cannot be drawn: {0}")]
    Drawing(String),
}

/// Samples a frame at least.
const A_FRAME: i64 = 8;
/// Samples of a line at least and at most.
const SAMPLES: (i64, i64) = (400, 20_000);

/// The plot of channels as they are played: curves with their corrections. Rotations in degrees, lengths in the document's
/// unit; velocities and accelerations a second.
///
/// # Errors
/// [`PlotError`] where there is nothing that can be plotted.
pub fn of_channels(document: &Document, request: &PlotRequest) -> Result<Plot, PlotError> {
    let clip = document.clip(request.clip).ok_or(PlotError::Nothing)?;
    if request.channels.is_empty() {
        return Err(PlotError::Nothing);
    }
    let rate = document.settings.rate;
    let frames = request.frames.unwrap_or(clip.range);
    let shown = |secs: f64| match request.time {
        TimeAxis::Frames => rate.frame_f64(secs),
        TimeAxis::Seconds => secs,
    };
    let mut panels: Vec<Panel> = Vec::new();
    for path in &request.channels {
        let name = channel_name(document, *path).unwrap_or_else(|| path.to_string());
        let (scale, unit) = unit(document, path.property);
        let at = |secs: f64| match channel_value(document, request.clip, *path, secs, Stage::Corrected) {
            Some(Value::Scalar(value)) => Some(value / scale),
            _ => None,
        };
        let curve = clip.channels.get(path).map(|curve| &**curve);
        let key_times = key_times(curve);
        let times = sample_times(rate.secs(frames.first), rate.secs(frames.last), frames, &key_times);
        let points: Option<Vec<[f64; 2]>> = times.iter().map(|secs| Some([*secs, at(*secs)?])).collect();
        let points = points.ok_or_else(|| PlotError::Whole(name.clone()))?;
        let within = |secs: &&f64| (rate.secs(frames.first)..=rate.secs(frames.last)).contains(*secs);
        let keys = key_times.iter().filter(within).filter_map(|secs| Some([shown(*secs), at(*secs)?])).collect();
        let property = path.property.name();
        let mut add = |label: String, points: &[[f64; 2]], keys: Vec<[f64; 2]>| {
            let points = points.iter().map(|[secs, value]| [shown(*secs), *value]).collect();
            let series = Series { name: name.clone(), points, keys };
            match panels.iter_mut().find(|panel| panel.label == label) {
                Some(panel) => panel.series.push(series),
                None => panels.push(Panel { label, series: vec![series] }),
            }
        };
        let with = |what: &str, per: &str| match (unit, per) {
            ("", "") => format!("{property}{what}"),
            ("", per) => format!("{property}{what} (1{per})"),
            _ => format!("{property}{what} ({unit}{per})"),
        };
        add(with("", ""), &points, keys);
        if request.derivatives {
            let velocity = slopes(&points);
            add(with(" velocity", "/s"), &velocity, Vec::new());
            add(with(" acceleration", "/s\u{b2}"), &slopes(&velocity), Vec::new());
        }
    }
    // Values first, then velocities, then accelerations, however the channels came.
    panels.sort_by_key(|panel| (panel.label.contains(" acceleration"), panel.label.contains(" velocity")));
    Ok(Plot {
        title: clip_name(document, request.clip).unwrap_or_default(),
        time_label: match request.time {
            TimeAxis::Frames => "frame".to_owned(),
            TimeAxis::Seconds => "time (s)".to_owned(),
        },
        times: (shown(rate.secs(frames.first)), shown(rate.secs(frames.last))),
        panels,
    })
}

/// What a value is divided by to be shown, and the unit it is then in.
fn unit(document: &Document, property: Property) -> (f64, &'static str) {
    match property {
        Property::Rotation => (1_f64.to_radians(), "\u{b0}"),
        Property::Translation => {
            let unit = document.settings.length_unit;
            (unit.metres(), unit.symbol())
        }
        _ => (1.0, ""),
    }
}

fn key_times(curve: Option<&Curve>) -> Vec<f64> {
    match curve {
        Some(Curve::Scalar(ScalarCurve::Keyed(curve))) => curve.keys.iter().map(|key| key.time()).collect(),
        Some(Curve::Rotation(RotationCurve::Keyed(curve))) => curve.keys.iter().map(|key| key.time()).collect(),
        _ => Vec::new(),
    }
}

/// Times spread evenly, the keys among them, and the last moment before each key, where a step shows.
fn sample_times(first: f64, last: f64, frames: FrameRange, keys: &[f64]) -> Vec<f64> {
    let frame_count = i64::try_from(frames.len()).unwrap_or(i64::MAX);
    let count = frame_count.saturating_mul(A_FRAME).clamp(SAMPLES.0, SAMPLES.1);
    let mut times: Vec<f64> =
        (0..=count).map(|index| (last - first).mul_add(index as f64 / count as f64, first)).collect();
    // More keys than samples say nothing more.
    if keys.len() < usize::try_from(SAMPLES.1).unwrap_or(usize::MAX) {
        times.extend(
            keys.iter().filter(|secs| (first..=last).contains(*secs)).flat_map(|secs| [secs.next_down(), *secs]),
        );
        times.retain(|secs| *secs >= first);
        times.sort_by(f64::total_cmp);
        times.dedup();
    }
    times
}

/// The slope of each stretch between samples, at its middle. A jump has none.
fn slopes(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let pairs = points.windows(2).filter(|pair| pair[1][0] - pair[0][0] > 1e-9);
    pairs
        .map(|pair| {
            let run = pair[1][0] - pair[0][0];
            [f64::midpoint(pair[0][0], pair[1][0]), (pair[1][1] - pair[0][1]) / run]
        })
        .collect()
}
