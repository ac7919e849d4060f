//! What is raced and how it is shown: a state of the view, never of the document; and the edit that keeps the winner.

use super::curve_view::CurveView;
use crate::{
    edit::{CurveEdit, CurveRef, Edit, KeyEdit, KeySelection, Selection},
    eval::race::{Entrant, MOST_KEYS},
    model::{ChannelPath, Clip, ClipId, Document, Interpolation, Scheme, Target},
};

/// The schemes that race.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RaceView {
    /// What takes part, in the order it was added: number 1 is the first. At most [`RaceView::MOST`].
    pub entrants: Vec<Entrant>,
    /// Whether the character is seen once for each.
    pub ghosts: bool,
}

impl RaceView {
    /// How many can race at once: as many as colours can be told apart.
    pub const MOST: usize = 8;

    /// What most lessons compare, added in one click.
    pub const USUAL: [Entrant; 4] = [
        Entrant::Interpolation(Interpolation::Linear),
        Entrant::Interpolation(Interpolation::CatmullRom),
        Entrant::Interpolation(Interpolation::Tcb),
        Entrant::Scheme(Scheme::Natural),
    ];

    /// The race with an entrant in it, or out of it where it was; one too many is not added.
    #[must_use]
    pub fn toggled(&self, entrant: Entrant) -> Self {
        let mut race = self.clone();
        match race.entrants.iter().position(|known| *known == entrant) {
            Some(at) => drop(race.entrants.remove(at)),
            None if race.entrants.len() < Self::MOST => race.entrants.push(entrant),
            None => {}
        }
        race
    }
}

/// The channels of a clip that are raced: those of what is selected (of all where nothing is), of these the ones with selected
/// keys where there are any; of these the
/// keyed scalar ones with at least two keys and at most [`MOST_KEYS`]. Hidden ones do not race.
#[must_use]
pub fn raced(clip: ClipId, curves: &Clip, selection: &Selection, seen: &CurveView) -> Vec<ChannelPath> {
    let concerns = |path: ChannelPath| {
        let (target, object) = (path.target, Target::Object(path.target.object()));
        let is_meant = selection.targets.is_empty() || selection.contains(target) || selection.contains(object);
        is_meant && !seen.hidden.contains(&path)
    };
    let has_keys = |path: ChannelPath| !selection.keys.times(CurveRef { clip, path }).is_empty();
    let by_keys = curves.channels.keys().any(|path| concerns(*path) && has_keys(*path));
    let is_meant = |path: ChannelPath| concerns(path) && (!by_keys || has_keys(path));
    let can = |keys: usize| (2..=MOST_KEYS).contains(&keys);
    let meant = curves.channels.iter().filter(|(path, _)| is_meant(**path));
    meant
        .filter(|(_, curve)| curve.scalar_keys().is_some_and(|keyed| can(keyed.keys.len())))
        .map(|(path, _)| *path)
        .collect()
}

/// Those of raced channels that the winner is written to: what is locked races, but stays as it is.
#[must_use]
pub fn kept(raced: &[ChannelPath], seen: &CurveView) -> Vec<ChannelPath> {
    raced.iter().copied().filter(|path| !seen.locked.contains(path)).collect()
}

/// The edit that makes channels run by an entrant. None for a wrong form, and where there is nothing to change.
#[must_use]
pub fn keep(document: &Document, clip: ClipId, channels: &[ChannelPath], entrant: Entrant) -> Option<Edit> {
    let curves: Vec<CurveRef> = channels.iter().map(|path| CurveRef { clip, path: *path }).collect();
    let held = &document.clip(clip)?.channels;
    if curves.is_empty() {
        return None;
    }
    match entrant {
        Entrant::Wrong(_) => None,
        Entrant::Scheme(scheme) => Some(CurveEdit::SetScheme { curves, scheme }.into()),
        Entrant::Interpolation(interpolation) => {
            let mut keys = KeySelection::new();
            for at in &curves {
                let keyed = held.get(&at.path)?.scalar_keys()?;
                keys.set_times(*at, keyed.keys.times().collect());
            }
            let own = CurveEdit::SetScheme { curves, scheme: Scheme::PerKey };
            Some(Edit::Batch(vec![own.into(), KeyEdit::SetInterpolation { keys, interpolation }.into()]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::Session,
        eval::curve::value,
        model::{Component, Curve, FrameRange, Key, KeyedCurve, Object, Property, Rig, ScalarCurve},
    };
    use std::sync::Arc;

    fn document() -> (Document, ClipId, ChannelPath) {
        let mut document = Document::default();
        let rig = document.add_object(Object::rig("rig", Rig::default()));
        let mut clip = Clip::new("walk", FrameRange::new(0, 47));
        let path = ChannelPath::object(rig, Property::Translation, Component::X);
        let key = |(time, value)| Key { tension: 0.3, bias: -0.2, slope_out: 2.0, ..Key::new(time, value) };
        let keys = [(0.0, 1.0), (1.0, -2.0), (1.5, 3.0), (4.0, 3.5)].map(key);
        let curve = KeyedCurve { keys: keys.into_iter().collect(), scheme: Scheme::Natural, ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        (document, clip, path)
    }

    #[test]
    fn keeping_one_gives_its_curve_as_one_step() {
        let (document, clip, path) = document();
        let keyed = document.clip(clip).unwrap().channels[&path].scalar_keys().unwrap().clone();
        for entrant in Entrant::all() {
            let raced = entrant.curve(&keyed).unwrap();
            let Some(edit) = keep(&document, clip, &[path], entrant) else {
                assert!(entrant.is_wrong());
                continue;
            };
            let mut session = Session::new(document.clone());
            session.apply("history.race", &edit).unwrap();
            let kept = session.document().clip(clip).unwrap().channels[&path].scalar_keys().unwrap().clone();
            for i in -20..=500 {
                let time = f64::from(i) * 0.01;
                assert_eq!(value(&kept, time), value(&raced, time), "{entrant:?} {time}");
            }
            session.undo();
            assert_eq!(**session.document(), document, "one step");
        }
        assert_eq!(keep(&document, clip, &[], Entrant::Scheme(Scheme::Natural)), None);
    }

    #[test]
    fn a_race_holds_each_once_and_only_so_many() {
        let mut race = RaceView::default();
        for entrant in Entrant::all() {
            race = race.toggled(entrant);
        }
        assert_eq!(race.entrants.len(), RaceView::MOST);
        let first = race.entrants[0];
        assert!(!race.toggled(first).entrants.contains(&first));
    }

    #[test]
    fn what_is_raced_follows_the_selection() {
        let (document, clip, path) = document();
        let curves = document.clip(clip).unwrap();
        let mut selection = Selection::default();
        let seen = CurveView::default();
        let raced = |selection: &Selection| raced(clip, curves, selection, &seen);
        assert_eq!(raced(&selection), [path]);
        selection.insert(Target::Object(crate::model::ObjectId(99)));
        assert!(raced(&selection).is_empty());
        selection.keys.insert(CurveRef { clip, path }, 1.0);
        assert!(raced(&selection).is_empty(), "keys of what is not selected do not count");
        selection.clear_targets();
        assert_eq!(raced(&selection), [path]);
    }

    #[test]
    fn what_is_hidden_does_not_race_and_what_is_locked_is_not_written() {
        let (mut document, clip, path) = document();
        let other = ChannelPath { component: Component::Y, ..path };
        let held = document.clip_mut(clip).unwrap();
        held.channels.insert(other, Arc::clone(&held.channels[&path]));
        let curves = document.clip(clip).unwrap();
        let selection = Selection::default();
        let seen = CurveView::default();
        assert_eq!(raced(clip, curves, &selection, &seen), [path, other]);
        assert_eq!(raced(clip, curves, &selection, &seen.with_hidden([path], true)), [other]);
        let mut with_keys = selection.clone();
        with_keys.keys.insert(CurveRef { clip, path }, 1.0);
        assert_eq!(raced(clip, curves, &with_keys, &seen.with_hidden([path], true)), [other], "nor do its keys choose");
        let locked = seen.with_locked([other], true);
        assert_eq!(raced(clip, curves, &selection, &locked), [path, other]);
        assert_eq!(kept(&[path, other], &locked), [path]);
    }
}
