//! How far a clip has come: in its cycle, and from one mark of step to the next.

use crate::model::{Clip, FrameRate};

/// How far a clip has come at a time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phase {
    /// The part of the cycle, 0..1.
    pub(super) part: f64,
    /// The marks before and after by name, and the part of the way between them; none with fewer than one mark.
    pub(super) step: Option<(String, String, f64)>,
}

/// The marks of step of a clip as parts of its cycle, in order.
pub(super) fn marks(clip: &Clip, rate: FrameRate) -> Vec<(f64, String)> {
    let (first, period) = cycle(clip, rate);
    if !(period > 0.0) {
        return Vec::new();
    }
    let within = |time: f64| ((time - first) / period).rem_euclid(1.0);
    let sync = clip.markers.iter().filter(|marker| marker.sync);
    let mut marks: Vec<(f64, String)> = sync.map(|marker| (within(marker.time), marker.name.clone())).collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    marks
}

fn cycle(clip: &Clip, rate: FrameRate) -> (f64, f64) {
    let first = rate.secs(clip.range.first);
    (first, rate.secs(clip.range.last) - first)
}

/// How far a clip has come at a time; none of a clip without a length.
pub(super) fn phase(clip: &Clip, rate: FrameRate, secs: f64) -> Option<Phase> {
    let (first, period) = cycle(clip, rate);
    if !(period > 0.0) || !secs.is_finite() {
        return None;
    }
    let part = ((secs - first) / period).rem_euclid(1.0);
    let marks = marks(clip, rate);
    let after = marks.iter().position(|(at, _)| *at > part);
    let step = marks.last().map(|last| {
        let next = after.map_or((marks[0].0 + 1.0, &marks[0].1), |at| (marks[at].0, &marks[at].1));
        let before = match after {
            Some(0) => (last.0 - 1.0, &last.1),
            Some(at) => (marks[at - 1].0, &marks[at - 1].1),
            None => (last.0, &last.1),
        };
        let way = next.0 - before.0;
        let gone = if way > 0.0 { (part - before.0) / way } else { 0.0 };
        (before.1.clone(), next.1.clone(), gone)
    });
    Some(Phase { part, step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FrameRange, Marker, MarkerColour, MarkerId};

    #[test]
    fn between_two_steps_the_part_of_the_way_is_told_over_the_seam_too() {
        let rate = FrameRate::FPS_24;
        let mut clip = Clip::new("walk", FrameRange::new(10, 34));
        let quarter = phase(&clip, rate, rate.secs(16)).unwrap();
        assert!((quarter.part - 0.25).abs() < 1e-12 && quarter.step.is_none());
        let mark = |id: u32, frame: i64, name: &str, sync: bool| Marker {
            id: MarkerId(id),
            time: rate.secs(frame),
            name: name.to_owned(),
            colour: MarkerColour::Green,
            sync,
        };
        clip.markers = vec![mark(0, 28, "right", true), mark(1, 16, "left", true), mark(2, 20, "wave", false)];
        let step = |frame: i64| phase(&clip, rate, rate.secs(frame)).unwrap().step.unwrap();
        let near = |(from, to, part): (String, String, f64), wanted: (&str, &str, f64)| {
            assert!(from == wanted.0 && to == wanted.1 && (part - wanted.2).abs() < 1e-9, "{from} {to} {part}");
        };
        near(step(22), ("left", "right", 0.5));
        near(step(31), ("right", "left", 0.25));
        near(step(13), ("right", "left", 0.75));
        near(step(37), ("right", "left", 0.75));
        let still = Clip::new("pose", FrameRange::new(3, 3));
        assert_eq!(phase(&still, rate, 1.0), None);
        assert_eq!(phase(&clip, rate, f64::NAN), None);
    }
}
