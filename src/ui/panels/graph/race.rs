//! What races, as lines in the graph: each entrant its own curve in all three plots.

use crate::{
    eval::{
        curve::{Cursor, value_with},
        polyline::{KeyExtents, LinePoint, Window, derivative::keyed_motion, keyed_line},
        race::Entrant,
    },
    interact::{
        plot_view::{PlotRange, ValueMap},
        tools::{
            graph_clock::{line_by_clock, motion_by_clock},
            graph_curve::{GraphCurve, Points},
        },
    },
    model::{ChannelPath, KeyedCurve},
};
use std::sync::Arc;

/// More lines than this are not drawn: the active curve's come first, then those with selected keys.
const MOST_LINES: usize = 96;

/// An entrant's line over a curve's keys.
#[derive(Clone, Debug)]
pub(super) struct RaceLine {
    pub(super) path: ChannelPath,
    /// The entrant's place in the race, from 0.
    pub(super) index: usize,
    pub(super) map: ValueMap,
    /// In displayed units, whatever the height.
    pub(super) unit: ValueMap,
    /// Seconds and own values.
    pub(super) line: Arc<Vec<LinePoint>>,
    /// Velocity and acceleration.
    pub(super) motion: Option<Arc<[Vec<LinePoint>; 2]>>,
    /// The times of the first and the last key.
    pub(super) keys: (f64, f64),
}

#[derive(Debug)]
struct Kept {
    /// The line of the curve itself: another one when the curve or the window is another.
    of: Arc<Vec<LinePoint>>,
    entrant: Entrant,
    line: RaceLine,
}

/// The lines worked out last.
#[derive(Debug, Default)]
pub(super) struct RaceCache {
    kept: Vec<Kept>,
}

impl RaceCache {
    /// The lines of the entrants on those of the curves that are raced.
    pub(super) fn lines(
        &mut self,
        curves: &[GraphCurve],
        (raced, active): (&[ChannelPath], Option<ChannelPath>),
        entrants: &[Entrant],
        (range, columns): (&PlotRange, u32),
        with_motion: bool,
    ) -> Vec<RaceLine> {
        let window = Window { start: range.secs.low(), end: range.secs.high(), columns };
        let mut before = std::mem::take(&mut self.kept);
        let mut chosen: Vec<&GraphCurve> =
            curves.iter().filter(|curve| curve.lane == 0 && raced.binary_search(&curve.path).is_ok()).collect();
        chosen.sort_by_key(|curve| (Some(curve.path) != active, curve.selected.is_empty()));
        chosen.truncate(MOST_LINES / entrants.len().max(1));
        for curve in chosen {
            let Points::Keyed(keyed) = &curve.points else { continue };
            for (index, entrant) in entrants.iter().enumerate() {
                let known = before.iter().position(|kept| {
                    Arc::ptr_eq(&kept.of, &curve.line)
                        && kept.entrant == *entrant
                        && kept.line.path == curve.path
                        && (kept.line.motion.is_some() || !with_motion)
                });
                let line = match known {
                    Some(at) => RaceLine { index, map: curve.map, unit: curve.unit, ..before.swap_remove(at).line },
                    None => {
                        let Some(raced) = entrant.curve(keyed) else { continue };
                        new_line(&raced, curve, index, window, with_motion)
                    }
                };
                self.kept.push(Kept { of: Arc::clone(&curve.line), entrant: *entrant, line });
            }
        }
        self.kept.iter().map(|kept| kept.line.clone()).collect()
    }
}

fn new_line(raced: &KeyedCurve, curve: &GraphCurve, index: usize, window: Window, with_motion: bool) -> RaceLine {
    let mut cursor = Cursor::default();
    let extents = KeyExtents::new(&raced.keys, None);
    let line = line_by_clock(&curve.clock, window, |window| {
        keyed_line(raced, &extents, window, |secs| value_with(raced, secs, &mut cursor).unwrap_or_default())
    });
    let motion = || motion_by_clock(&curve.clock, window, |window| keyed_motion(raced, window));
    let motion = with_motion.then(motion).flatten();
    RaceLine {
        path: curve.path,
        index,
        map: curve.map,
        unit: curve.unit,
        line: Arc::new(line),
        motion: motion.map(Arc::new),
        keys: curve.span().unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
    }
}
