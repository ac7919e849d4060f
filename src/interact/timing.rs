//! Timing: one action played at several lengths side by side, looped from one start, and the edit that gives it one of them.

use crate::{
    edit::{CurveRef, Edit, KeyEdit, KeySelection, Selection},
    model::{Clip, ClipId, Curve, Document, FrameRate, Keys, RotationCurve, ScalarCurve, Target, keys::Timed},
};

/// How an action is compared at other lengths: a state of the view, never of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimingView {
    /// The lengths, frames: at most [`TimingView::MOST`], each within [`TimingView::FRAMES`].
    pub lengths: Vec<u32>,
    /// Whether the character is seen once for each, beside the present one.
    pub shown: bool,
    /// Whether all begin again together when the longest is done; else each as soon as it is.
    pub together: bool,
}

impl Default for TimingView {
    fn default() -> Self {
        Self { lengths: vec![6, 12, 20], shown: false, together: true }
    }
}

impl TimingView {
    /// How many lengths can be compared at once: as many as colours can be told apart.
    pub const MOST: usize = 8;
    /// The least and the greatest length, frames.
    pub const FRAMES: (u32, u32) = (1, 10_000);

    /// The same with every number in its range.
    #[must_use]
    pub fn sane(mut self) -> Self {
        self.lengths.truncate(Self::MOST);
        for frames in &mut self.lengths {
            *frames = (*frames).clamp(Self::FRAMES.0, Self::FRAMES.1);
        }
        self
    }

    /// The time of an action of one of the lengths at a time of the document: both in seconds, `start` is where the action
    /// starts. Before the start it stands there.
    #[must_use]
    pub fn looped(&self, start: f64, frames: u32, rate: FrameRate, secs: f64) -> f64 {
        let length = |frames: u32| f64::from(frames) * rate.frame_secs();
        let longest = self.lengths.iter().copied().max().unwrap_or(frames);
        let period = length(if self.together { longest } else { frames });
        let into = (secs - start).max(0.0).rem_euclid(period);
        start + into.min(length(frames))
    }
}

/// An action: all keys between two times of some curves, which are retimed as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The clip.
    pub clip: ClipId,
    /// The keys from the first to the last time, both included.
    pub keys: KeySelection,
    /// Those of the same curves that come after.
    pub later: KeySelection,
    /// Where it starts, seconds.
    pub start: f64,
    /// Where it ends, seconds: after the start.
    pub end: f64,
    /// Captured curves that were passed over.
    pub captured: usize,
}

/// The action that is meant in a clip: from the first to the last selected key, on all curves with selected keys; where
/// fewer than two times are selected all keyed curves of what is selected (of everything where nothing is) within the
/// play range. None where its keys stand at fewer than two times.
#[must_use]
pub fn action(document: &Document, clip: ClipId, selection: &Selection) -> Option<Action> {
    let held = document.clip(clip)?;
    let chosen = selection.keys.curves().filter(|(at, _)| at.clip == clip && held.channels.contains_key(&at.path));
    let times = chosen.flat_map(|(_, times)| times.iter().copied());
    let (first, last) = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), time| (a.min(time), b.max(time)));
    if last > first {
        let curves = |at: CurveRef| !selection.keys.times(at).is_empty();
        return gathered(held, clip, (first, last), curves);
    }
    let (rate, range) = (document.settings.rate, document.settings.play_range);
    let meant = |at: CurveRef| {
        let (target, object) = (at.path.target, Target::Object(at.path.target.object()));
        selection.targets.is_empty() || selection.contains(target) || selection.contains(object)
    };
    gathered(held, clip, (rate.secs(range.first), rate.secs(range.last)), meant)
}

fn gathered(held: &Clip, clip: ClipId, (from, to): (f64, f64), meant: impl Fn(CurveRef) -> bool) -> Option<Action> {
    let mut found = Action {
        clip,
        keys: KeySelection::new(),
        later: KeySelection::new(),
        start: f64::INFINITY,
        end: f64::NEG_INFINITY,
        captured: 0,
    };
    for (path, curve) in &held.channels {
        let at = CurveRef { clip, path: *path };
        if !meant(at) {
            continue;
        }
        let (own, later) = match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(keyed)) => split(&keyed.keys, from, to),
            Curve::Rotation(RotationCurve::Keyed(keyed)) => split(&keyed.keys, from, to),
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {
                found.captured += 1;
                continue;
            }
        };
        if let (Some(first), Some(last)) = (own.first(), own.last()) {
            (found.start, found.end) = (found.start.min(*first), found.end.max(*last));
        }
        if !own.is_empty() {
            found.keys.set_times(at, own);
        }
        if !later.is_empty() {
            found.later.set_times(at, later);
        }
    }
    (found.end - found.start > crate::edit::columns::COLUMN_SECS).then_some(found)
}

/// The times of keys within a span, both ends included, and of those after it.
fn split<K: Timed>(keys: &Keys<K>, from: f64, to: f64) -> (Vec<f64>, Vec<f64>) {
    let slack = crate::edit::columns::COLUMN_SECS;
    let first = keys.count_at_or_before(from - slack);
    let after = keys.count_at_or_before(to + slack).max(first);
    let times = |range: std::ops::Range<usize>| range.filter_map(|index| keys.get(index).map(|key| key.time()));
    (times(first..after).collect(), times(after..keys.len()).collect())
}

impl Action {
    /// How long it is, frames.
    #[must_use]
    pub fn frames(&self, rate: FrameRate) -> f64 {
        (self.end - self.start) / rate.frame_secs()
    }

    /// The edit that gives it another length, frames, from its start on: handles grow with it, later keys of its curves keep
    /// their distance to its end. None where it has that length.
    #[must_use]
    pub fn retimed(&self, frames: u32, rate: FrameRate) -> Option<Edit> {
        let length = f64::from(frames.max(1)) * rate.frame_secs();
        let (factor, shift) = (length / (self.end - self.start), self.start + length - self.end);
        if shift.abs() <= crate::edit::columns::COLUMN_SECS {
            return None;
        }
        let (keys, time) = (self.keys.clone(), (self.start, factor));
        let scale: Edit = KeyEdit::Scale { keys, time, value: (0.0, 1.0), frames: false }.into();
        if self.later.is_empty() {
            return Some(scale);
        }
        let later: Edit = KeyEdit::Move { keys: self.later.clone(), dt: shift, dv: 0.0 }.into();
        // Out of the way first: what lands on a key would take its place.
        Some(Edit::Batch(if shift > 0.0 { vec![later, scale] } else { vec![scale, later] }))
    }

    /// The document in which it has another length, frames: as the edit would make it, to be posed by.
    #[must_use]
    pub fn document(&self, before: &Document, frames: u32) -> Option<Document> {
        let mut document = before.clone();
        if let Some(edit) = self.retimed(frames, before.settings.rate) {
            edit.apply(&mut document).ok()?;
        }
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::Session,
        eval::curve::value,
        model::{
            ChannelPath, Component, FrameRange, Handle, Interpolation, Key, KeyedCurve, Object, Property, Rig, Samples,
        },
    };
    use std::sync::Arc;

    const RATE: FrameRate = FrameRate::FPS_24;

    fn document() -> (Document, ClipId, [ChannelPath; 2]) {
        let mut document = Document::default();
        let rig = document.add_object(Object::rig("rig", Rig::default()));
        let mut clip = Clip::new("jump", FrameRange::new(0, 47));
        let paths = [Component::X, Component::Y].map(|axis| ChannelPath::object(rig, Property::Translation, axis));
        for (path, shift) in paths.into_iter().zip([0, 3]) {
            let key = |(frame, value): (i64, f64)| Key {
                interpolation: Interpolation::Bezier,
                handle_out: Handle::Free(0.05, 0.4),
                handle_in: Handle::Free(-0.08, 0.1),
                ..Key::new(RATE.secs(frame + shift), value)
            };
            let keys = [(0, 0.0), (4, 1.0), (12, 3.0), (20, -1.0), (30, 2.0)].map(key);
            let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        }
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        (document, clip, paths)
    }

    fn selected(clip: ClipId, path: ChannelPath, frames: &[i64]) -> Selection {
        let times: Vec<f64> = frames.iter().map(|frame| RATE.secs(*frame)).collect();
        Selection { keys: KeySelection::of(CurveRef { clip, path }, &times), ..Selection::default() }
    }

    fn keyed(document: &Document, clip: ClipId, path: ChannelPath) -> KeyedCurve {
        document.clip(clip).unwrap().channels[&path].scalar_keys().unwrap().clone()
    }

    fn frames(document: &Document, clip: ClipId, path: ChannelPath) -> Vec<f64> {
        keyed(document, clip, path).keys.times().map(|time| (time * 24.0 * 1e9).round() / 1e9).collect()
    }

    #[test]
    fn an_action_is_what_lies_between_the_selected_keys() {
        let (document, clip, [x, y]) = document();
        let own = action(&document, clip, &selected(clip, x, &[0, 12])).unwrap();
        assert!((own.frames(RATE) - 12.0).abs() < 1e-9);
        assert_eq!((own.keys.len(), own.later.len()), (3, 2), "the key between counts, selected or not");
        let all = action(&document, clip, &Selection::default()).unwrap();
        assert_eq!((all.keys.len(), (all.frames(RATE) * 1e6).round()), (10, 33e6));
        assert_eq!(action(&document, clip, &selected(clip, y, &[3])).map(|all| all.keys.len()), Some(10));
        let nobody = Selection::single(Target::Object(crate::model::ObjectId(99)));
        assert!(action(&document, clip, &nobody).is_none());
        assert!(action(&document, ClipId(99), &Selection::default()).is_none());
    }

    #[test]
    fn retiming_keeps_the_shape_and_the_distance_of_what_follows_as_one_step() {
        let (document, clip, [x, y]) = document();
        let selection = selected(clip, x, &[0, 12]);
        let own = action(&document, clip, &selection).unwrap();
        let before = keyed(&document, clip, x);
        for wanted in [6, 12, 20, 1, 500] {
            let mut session = Session::new(document.clone());
            session.select(selection.clone());
            if let Some(edit) = own.retimed(wanted, RATE) {
                session.apply("history.timing", &edit).unwrap();
            }
            let now = session.document();
            let part = f64::from(wanted) / 12.0;
            let all = [0.0, 4.0 * part, 12.0 * part, 20.0 - 12.0 + 12.0 * part, 30.0 - 12.0 + 12.0 * part];
            let off = frames(now, clip, x).iter().zip(all).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{wanted}: {:?}", frames(now, clip, x));
            assert_eq!(frames(now, clip, y), frames(&document, clip, y));
            let after = keyed(now, clip, x);
            for i in 0..=300 {
                let secs = f64::from(i) / 600.0;
                let (old, new) = (value(&before, secs).unwrap(), value(&after, secs * part).unwrap());
                assert!((old - new).abs() < 1e-7, "{wanted} at {secs}: {old} {new}");
            }
            assert_eq!(**now, own.document(&document, wanted).unwrap());
            session.undo();
            assert_eq!(**session.document(), document);
        }
        assert_eq!(own.retimed(12, RATE), None);
    }

    #[test]
    fn captured_curves_are_passed_over_and_counted() {
        let (mut document, clip, [x, _]) = document();
        let samples = Samples::new(0.0, RATE, vec![0.0; 40].into());
        let curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples)));
        document.clip_mut(clip).unwrap().channels.insert(x, curve);
        let own = action(&document, clip, &Selection::default()).unwrap();
        assert_eq!((own.captured, own.keys.len()), (1, 5));
        assert!(own.document(&document, 6).is_some());
    }

    #[test]
    fn loops_begin_together_or_each_by_itself() {
        let at = |together, frames, frame: f64| {
            let view = TimingView { together, ..TimingView::default() };
            ((view.looped(1.0, frames, RATE, 1.0 + frame / 24.0) - 1.0) * 24.0 * 1e6).round() / 1e6
        };
        assert_eq!([0.0, 3.0, 6.0, 19.0, 21.0, -5.0].map(|frame| at(true, 6, frame)), [0.0, 3.0, 6.0, 6.0, 1.0, 0.0]);
        assert_eq!([0.0, 3.0, 7.0, 19.0, 21.0].map(|frame| at(false, 6, frame)), [0.0, 3.0, 1.0, 1.0, 3.0]);
        let wild = TimingView { lengths: vec![0; 20], ..TimingView::default() }.sane();
        assert_eq!(wild.lengths, vec![1; TimingView::MOST]);
        assert!(TimingView { lengths: Vec::new(), ..wild }.looped(0.0, 3, RATE, 1e9).is_finite());
    }
}
