//! What the panels are about when nothing says so: the clip in question, the keys of what is selected.

use crate::model::{RotationCurve, ScalarCurve};
use crate::{
    edit::Selection,
    eval::{blend::layers::plays_layers, follow::has_say},
    model::{
        ChannelPath, Clip, ClipId, Curve, DeformerId, Document, Keys, LayerId, MorphTarget, Object, ObjectId, Plays,
        PointId, Target, keys::Timed, names,
    },
    text::fill,
};
use std::{collections::BTreeSet, sync::Arc};

/// The object in question: that of what was picked last, else the first rig, else the first object.
#[must_use]
pub fn object(document: &Document, selection: &Selection) -> Option<ObjectId> {
    let picked = selection.active.map(Target::object).filter(|id| document.object(*id).is_some());
    picked.or_else(|| document.rigs().next().map(|(id, ..)| id)).or_else(|| document.objects.keys().next().copied())
}

/// The clip in question: the one the object in question plays; where a layer is selected, or the object plays layers and none
/// of its joints is, the one that the layers' numbers are read from.
#[must_use]
pub fn clip<'a>(document: &'a Document, selection: &Selection) -> Option<(ClipId, &'a Arc<Clip>)> {
    let of_layers = match selection.active {
        Some(Target::Layer(..) | Target::Sample(..)) => true,
        None | Some(Target::Object(_)) => object(document, selection).is_some_and(|id| plays_layers(document, id)),
        Some(_) => false,
    };
    let own = || object(document, selection).map_or(document.settings.clip, |object| document.clip_of(object));
    let id = document.settings.clip.filter(|_| of_layers).or_else(own)?;
    Some((id, document.clip(id)?))
}

/// Whether a channel of a clip counts for a selection: it belongs to what is selected (an object stands for its joints too,
/// a joint for the pins that hold it), or nothing is selected.
#[must_use]
pub fn concerns(selection: &Selection, clip: &Clip, path: ChannelPath) -> bool {
    let target = path.target;
    let holds_selected = || {
        let Target::Pin(object, pin) = target else { return false };
        clip.pin(pin).is_some_and(|pin| selection.contains(Target::Joint(object, pin.joint)))
    };
    selection.targets.is_empty()
        || selection.contains(target)
        || selection.contains(Target::Object(target.object()))
        || other_part(target).is_some_and(|other| selection.contains(other))
        || matches!(target, Target::Sample(of, layer, _) if selection.contains(Target::Layer(of, layer)))
        || holds_selected()
}

/// The pole of an IK chain's target, and the other way about.
const fn other_part(target: Target) -> Option<Target> {
    match target {
        Target::Constraint(object, id) => Some(Target::Pole(object, id)),
        Target::Pole(object, id) => Some(Target::Constraint(object, id)),
        _ => None,
    }
}

/// The name of a sample of the space that a layer plays: that of what it plays.
#[must_use]
pub fn sample_name(document: &Document, object: ObjectId, layer: LayerId, place: u32) -> String {
    let plays = || {
        let Plays::Space(space) = document.object(object)?.layer(layer)?.plays else { return None };
        Some(document.blend_spaces.get(&space)?.samples.get(usize::try_from(place).ok()?)?.plays)
    };
    plays().map_or_else(|| place.to_string(), |plays| document.played_name(plays))
}

/// The name of the target or the pole of an IK chain; none for anything else.
#[must_use]
pub fn chain_part_name(document: &Document, target: Target) -> Option<String> {
    let (object, id, key) = match target {
        Target::Constraint(object, id) => (object, id, "chains.target_of"),
        Target::Pole(object, id) => (object, id, "chains.pole_of"),
        _ => return None,
    };
    let found = document.object(object)?;
    let constraint = found.constraint(id).filter(|constraint| constraint.as_chain().is_some())?;
    let joint = names::joint_name(&found.as_rig()?.skeleton, constraint.joint?)?;
    Some(crate::text::fill(key, &[("joint", &joint)]))
}

/// The times at which the keys of the selection's curves in a clip are shown (through the retimes), each once, within an
/// interval of seconds and no two nearer than `least_gap`: what a ruler can show. Channels without a say are left out.
#[must_use]
pub fn key_times(
    document: &Document,
    clip: &Clip,
    selection: &Selection,
    (start, end): (f64, f64),
    least_gap: f64,
) -> Vec<f64> {
    let mut times = Vec::new();
    for (path, curve) in &clip.channels {
        if concerns(selection, clip, *path) && has_say(document, *path) {
            let (own, read) = (times.len(), |secs| clip.source_secs(path.target, secs));
            with_times(curve, &mut Thin { start: read(start), end: read(end), least_gap, times: &mut times });
            times.iter_mut().skip(own).for_each(|secs| *secs = clip.shown_secs(path.target, *secs));
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() < least_gap.max(crate::model::clip::SAME_TIME_SECS));
    times
}

/// What key times were worked out for: the clip, its channels without a say, what is selected, and what is seen.
type Known = (Arc<Clip>, Vec<ChannelPath>, BTreeSet<Target>, [u64; 3]);

/// [`key_times`], worked out anew only when the clip, the selection or what is seen of it has changed.
#[derive(Debug, Default)]
pub struct KeyTimes {
    of: Option<Known>,
    times: Vec<f64>,
}

impl KeyTimes {
    /// The key times, as [`key_times`] gives them.
    pub fn get(
        &mut self,
        document: &Document,
        clip: &Arc<Clip>,
        selection: &Selection,
        seen: (f64, f64),
        least_gap: f64,
    ) -> &[f64] {
        let idle = || clip.channels.keys().copied().filter(|path| !has_say(document, *path));
        let view = [seen.0.to_bits(), seen.1.to_bits(), least_gap.to_bits()];
        let is_known = self.of.as_ref().is_some_and(|(known, silent, targets, shown)| {
            let same = Arc::ptr_eq(known, clip) && *targets == selection.targets && *shown == view;
            same && silent.iter().copied().eq(idle())
        });
        if !is_known {
            self.times = key_times(document, clip, selection, seen, least_gap);
            self.of = Some((clip.clone(), idle().collect(), selection.targets.clone(), view));
        }
        &self.times
    }
}

/// The nearest time before or after a time at which a key of the selection is shown. Channels without a say are left out.
#[must_use]
pub fn neighbour_key(document: &Document, clip: &Clip, selection: &Selection, secs: f64, forward: bool) -> Option<f64> {
    let mut found: Option<f64> = None;
    for (path, curve) in &clip.channels {
        if concerns(selection, clip, *path) && has_say(document, *path) {
            let mut own = None;
            with_times(curve, &mut Neighbour { secs: clip.source_secs(path.target, secs), forward, found: &mut own });
            let shown = own.map(|secs| clip.shown_secs(path.target, secs));
            let nearer = |a: f64, b: f64| if forward { a.min(b) } else { a.max(b) };
            found = found.into_iter().chain(shown).reduce(nearer);
        }
    }
    found
}

/// Something to do with the keys of a curve, whatever they hold.
trait OfKeys {
    fn keys<K: Timed>(&mut self, keys: &Keys<K>);
}

fn with_times(curve: &Curve, task: &mut impl OfKeys) {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => task.keys(&curve.keys),
        Curve::Rotation(RotationCurve::Keyed(curve)) => task.keys(&curve.keys),
        Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => {}
    }
}

struct Thin<'a> {
    start: f64,
    end: f64,
    least_gap: f64,
    times: &'a mut Vec<f64>,
}

impl OfKeys for Thin<'_> {
    fn keys<K: Timed>(&mut self, keys: &Keys<K>) {
        let mut index = keys.count_at_or_before(self.start).saturating_sub(1);
        while let Some(key) = keys.get(index) {
            let time = key.time();
            if time > self.end {
                break;
            }
            if time >= self.start {
                self.times.push(time);
            }
            // The next one that would be seen apart.
            index = keys.count_at_or_before(time + self.least_gap).max(index + 1);
        }
    }
}

struct Neighbour<'a> {
    secs: f64,
    forward: bool,
    found: &'a mut Option<f64>,
}

impl OfKeys for Neighbour<'_> {
    fn keys<K: Timed>(&mut self, keys: &Keys<K>) {
        const SAME: f64 = crate::model::clip::SAME_TIME_SECS;
        let key = if self.forward {
            keys.get(keys.count_at_or_before(self.secs + SAME))
        } else {
            let mut index = keys.count_at_or_before(self.secs - SAME);
            // A key at exactly the bound counts as being there already.
            while index > 0 && keys.get(index - 1).is_some_and(|key| key.time() >= self.secs - SAME) {
                index -= 1;
            }
            index.checked_sub(1).and_then(|index| keys.get(index))
        };
        let Some(time) = key.map(|key| key.time()) else { return };
        let nearer = self.found.is_none_or(|found| if self.forward { time < found } else { time > found });
        if nearer {
            *self.found = Some(time);
        }
    }
}

/// A morph target's name: its own, else its number among those of its mesh, from 1.
#[must_use]
pub fn morph_name(morph: &Arc<MorphTarget>) -> String {
    if morph.name.is_empty() {
        return fill("mesh.morph", &[("number", &morph.id.0.saturating_add(1))]);
    }
    morph.name.clone()
}

/// The name of a point: that of its object with its number, of a lattice with its places along the axes, from 1.
#[must_use]
pub fn point_name(object: &Object, id: PointId) -> String {
    if let Some(place) = object.as_lattice().and_then(|lattice| lattice.place_of(id)) {
        let [i, j, k] = place.map(|at| at + 1);
        return fill("lattice.point_of", &[("lattice", &object.name), ("i", &i), ("j", &j), ("k", &k)]);
    }
    if let Some(number) = object.carrying_points().iter().position(|(point, _)| *point == id) {
        return fill("deform.landmark_of", &[("deformer", &object.name), ("number", &(number + 1))]);
    }
    let number = object.as_path().and_then(|path| path.index_of(id)).map_or(0, |index| index + 1);
    fill("path.point_of", &[("path", &object.name), ("number", &number)])
}

/// The name of an entry of a mesh's deformer stack: that of what acts, and on what.
#[must_use]
pub fn entry_name(document: &Document, object: &Object, entry: DeformerId) -> String {
    let by = object.as_mesh().and_then(|mesh| document.object(mesh.entry(entry)?.by));
    let name = by.map_or_else(|| entry.to_string(), |by| by.name.clone());
    fill("deform.entry_of", &[("name", &name), ("mesh", &object.name)])
}

/// A pin's name: its own, else that of its joint.
#[must_use]
pub fn pin_name(document: &Document, pin: &crate::model::Pin) -> String {
    if !pin.name.is_empty() {
        return pin.name.clone();
    }
    let rig = document.object(pin.object).and_then(|object| object.as_rig());
    let joint = rig.and_then(|rig| rig.skeleton.joint(pin.joint));
    joint.map_or_else(|| pin.joint.to_string(), |joint| joint.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, FrameRange, Key, KeyedCurve, Property};

    fn clip(times: &[f64]) -> Clip {
        let mut clip = Clip::new("walk", FrameRange::new(0, 10));
        let keys = Keys::from_unsorted(times.iter().map(|t| Key::new(*t, 0.0)).collect()).0;
        let curve = KeyedCurve { keys, ..KeyedCurve::default() };
        let path = ChannelPath::object(ObjectId(1), Property::Translation, Component::X);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        clip
    }

    #[test]
    fn neighbours_skip_the_key_one_stands_on() {
        let clip = clip(&[0.0, 1.0, 2.0]);
        let (none, nobody) = (Document::default(), Selection::default());
        assert_eq!(neighbour_key(&none, &clip, &nobody, 1.0, true), Some(2.0));
        assert_eq!(neighbour_key(&none, &clip, &nobody, 1.0, false), Some(0.0));
        assert_eq!(neighbour_key(&none, &clip, &nobody, 2.0, true), None);
        assert_eq!(neighbour_key(&none, &clip, &nobody, 0.5, false), Some(0.0));
    }

    #[test]
    fn marks_are_thinned_and_cut() {
        let times: Vec<f64> = (0..100).map(f64::from).collect();
        let none = Document::default();
        let marks = key_times(&none, &clip(&times), &Selection::default(), (9.5, 50.0), 10.0);
        assert!(marks.len() <= 6 && marks.iter().all(|t| (9.5..=50.0).contains(t)), "{marks:?}");
        let other = Selection::single(Target::Object(ObjectId(2)));
        assert!(key_times(&none, &clip(&times), &other, (0.0, 99.0), 0.1).is_empty());
    }
}
