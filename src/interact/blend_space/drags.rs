//! What a drag in a space makes of it.

use crate::{
    edit::{
        AutoKey, Edit, EditError,
        blend::{record_point, with_space},
    },
    model::{BlendSpace, BlendSpaceId, Document, FrameRate, LayerId, ObjectId, SpaceSample},
};
use std::collections::BTreeMap;

/// Where a dragged sample may not be: on the spot of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken(pub usize);

/// How near a dragged sample may come to another, as a part of the axes' ranges: nearer it would hide it.
const NEAR: f64 = 0.01;

/// The place a dragged sample comes to: on the axes' steps unless `free`, within their ranges.
///
/// # Errors
/// [`Taken`] where another sample is there, or so near that the eye cannot tell them apart.
pub fn sample_place(space: &BlendSpace, index: usize, to: [f64; 2], free: bool) -> Result<[f64; 2], Taken> {
    let to = if free { space.within(to) } else { space.snapped(to) };
    let Some(own) = space.samples.get(index) else { return Ok(to) };
    let far = |a: [f64; 2], b: [f64; 2]| {
        let along = |axis: usize| {
            let [from, upto] = space.axes[axis].range;
            (a[axis] - b[axis]).abs() / (upto - from).abs()
        };
        (0..space.scheme.axes()).map(along).fold(0.0, f64::max)
    };
    // One that was as near before may go on its way.
    let taken = |(other, sample): (usize, &SpaceSample)| {
        let now = far(sample.at, to);
        (other != index && now < NEAR && (now == 0.0 || now < far(sample.at, own.at))).then_some(Taken(other))
    };
    space.samples.iter().enumerate().find_map(taken).filter(|_| space.scheme.axes() > 0).map_or(Ok(to), Err)
}

/// What the point that is dragged belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointOf {
    /// A layer that plays the space: the point is its channels.
    Layer(ObjectId, LayerId),
    /// The space itself, which nothing plays.
    Space,
}

/// Where a point was dragged while the time ran, a place a frame: as the stick of a game is held.
#[derive(Clone, Debug, Default)]
pub struct Ridden {
    places: BTreeMap<i64, [f64; 2]>,
    last: Option<(i64, [f64; 2])>,
}

impl Ridden {
    /// Tells where the point is now. Frames that were passed unseen since the last one told lie on the straight way between;
    /// where the time jumped, as from the end of the range to its begin, nothing is between.
    pub fn tell(&mut self, frame: i64, to: [f64; 2]) {
        const SEEN: i64 = 48;
        if let Some((from, at)) = self.last {
            let gap = frame.saturating_sub(from);
            if gap.saturating_abs() <= SEEN {
                for step in 1..gap.abs() {
                    let part = step as f64 / gap.abs() as f64;
                    let between = std::array::from_fn(|axis| at[axis] + part * (to[axis] - at[axis]));
                    self.places.insert(from + step * gap.signum(), between);
                }
            }
        }
        self.places.insert(frame, to);
        self.last = Some((frame, to));
    }

    /// The places with their times, seconds, in order.
    #[must_use]
    pub fn points(&self, rate: FrameRate) -> Vec<(f64, [f64; 2])> {
        self.places.iter().map(|(frame, place)| (rate.secs(*frame), *place)).collect()
    }
}

/// The edit that moves the point of a space at times in order, brought onto the axes' steps unless `free`, and within their
/// ranges. A point that has no curves takes the last place.
///
/// # Errors
/// Where there is no such space or layer, or a driver gives the coordinate.
pub fn point_edit(
    document: &Document,
    space: BlendSpaceId,
    of: PointOf,
    (points, free): (&[(f64, [f64; 2])], bool),
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let found = document.blend_spaces.get(&space).ok_or(EditError::NoSpace(space))?;
    let brought = |to| if free { found.within(to) } else { found.snapped(to) };
    let points: Vec<(f64, [f64; 2])> = points.iter().map(|(secs, to)| (*secs, brought(*to))).collect();
    match of {
        PointOf::Layer(object, layer) => {
            record_point(document, (object, layer), found.scheme.axes(), &points, auto_key)
        }
        PointOf::Space => {
            with_space(document, space, |space| space.preview = points.last().map_or(space.preview, |(_, to)| *to))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Axis, BlendScheme, ClipId, Plays};

    #[test]
    fn samples_snap_and_do_not_come_onto_each_other() {
        let axis = |name: &str| Axis { snap: 0.5, ..Axis::new(name, "m/s", [0.0, 2.0]) };
        let mut space = BlendSpace { scheme: BlendScheme::Delaunay, ..BlendSpace::new("s", [axis("x"), axis("y")]) };
        space.samples = [[0.0, 0.0], [1.0, 0.0]].map(|at| SpaceSample::new(Plays::Clip(ClipId(1)), at)).into();
        assert_eq!(sample_place(&space, 0, [1.7, 0.3], false), Ok([1.5, 0.5]));
        assert_eq!(sample_place(&space, 0, [1.7, 0.3], true), Ok([1.7, 0.3]));
        assert_eq!(sample_place(&space, 0, [0.9, 0.1], false), Err(Taken(1)));
        assert_eq!(sample_place(&space, 1, [-9.0, f64::NEG_INFINITY], false), Err(Taken(0)));
        assert_eq!(sample_place(&space, 1, [9.0, f64::NAN], false), Ok([2.0, 1.0]));
        // Nor so near that one hides the other; but away from there.
        assert_eq!(sample_place(&space, 0, [0.99, 0.004], true), Err(Taken(1)));
        assert_eq!(sample_place(&space, 0, [0.97, 0.0], true), Ok([0.97, 0.0]));
        space.samples[0].at = [0.995, 0.0];
        assert_eq!(sample_place(&space, 0, [0.99, 0.0], true), Ok([0.99, 0.0]));
        space.samples[0].at = [0.0, 0.0];
        assert_eq!(sample_place(&space, 7, [0.0, 0.0], false), Ok([0.0, 0.0]));
        // Along one axis the other does not count.
        space.scheme = BlendScheme::Linear;
        assert_eq!(sample_place(&space, 0, [1.0, 2.0], false), Err(Taken(1)));
    }

    #[test]
    fn the_point_of_a_space_that_nothing_plays_is_its_own() {
        let mut document = Document::default();
        let axis = |name: &str| Axis { snap: 0.5, ..Axis::new(name, "", [0.0, 2.0]) };
        let id = document.add_space(BlendSpace::new("s", [axis("x"), axis("y")]));
        let (off, to) = (AutoKey::Off, [(0.0, [1.3, 0.4])]);
        let edit = point_edit(&document, id, PointOf::Space, (&to, false), off).unwrap();
        edit.apply(&mut document).unwrap();
        assert_eq!(document.blend_spaces[&id].preview, [1.5, 0.5]);
        let gone = PointOf::Layer(ObjectId(7), LayerId(0));
        assert!(point_edit(&document, id, gone, (&to, false), off).is_err());
        assert!(point_edit(&document, BlendSpaceId(99), PointOf::Space, (&to, true), off).is_err());
    }

    #[test]
    fn a_point_dragged_while_the_time_runs_has_a_place_a_frame() {
        let mut ridden = Ridden::default();
        for (frame, x) in [(90, 0.0), (93, 3.0), (94, 3.5), (0, 1.0), (2, 2.0), (2, 4.0)] {
            ridden.tell(frame, [x, 1.0]);
        }
        let rate = FrameRate::default();
        let frames: Vec<(i64, f64)> =
            ridden.points(rate).iter().map(|(secs, at)| (rate.nearest_frame(*secs), at[0])).collect();
        let told = [(0, 1.0), (1, 1.5), (2, 4.0), (90, 0.0), (91, 1.0), (92, 2.0), (93, 3.0), (94, 3.5)];
        assert_eq!(frames, told);
    }
}
