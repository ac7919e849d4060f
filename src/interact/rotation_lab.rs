//! The rotation lab and the document: which orientations it takes from what is selected, and the edit that keeps one.

use crate::{
    edit::{CurveRef, Edit, EditError, Selection, pose},
    eval::{
        Evaluator,
        rotation_lab::LabKey,
        sample::{Stage, channel_value, joint_local, object_local, place_angles},
    },
    math::{EulerOrder, Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Component, Curve, Document, FrameRange, FrameRate, Keys, Property, RotationCurve, RotationMode,
        ScalarCurve, Target, Value, clip::SAME_TIME_SECS, keys::Timed,
    },
};

/// The most orientations the lab holds.
pub const MOST: usize = 12;
/// Frames to each side of the playhead at which captured motion is taken.
const CAPTURED_FRAMES: f64 = 10.0;

/// The joint or object whose rotation the lab is about: the active one, else the first selected that turns. A joint's tip
/// does not.
#[must_use]
pub fn subject(document: &Document, selection: &Selection) -> Option<Target> {
    let turns = |target: &Target| {
        let is_tip = match target {
            Target::Joint(object, joint) => document
                .object(*object)
                .and_then(|object| object.as_rig()?.skeleton.joint(*joint).map(crate::model::Joint::is_end))
                .unwrap_or(true),
            _ => false,
        };
        matches!(target, Target::Joint(..) | Target::Object(_)) && !is_tip && document.rotation_mode(*target).is_some()
    };
    selection.active.into_iter().chain(selection.targets.iter().copied()).find(turns)
}

/// A target's rotation at a time, as curves, corrections and waiting edits make it, with its angles where it is held by
/// some. What pins make of it is left out: keeping the rotation writes what is below them.
#[must_use]
pub fn orientation(document: &Document, target: Target, secs: f64) -> Option<LabKey> {
    let rotation = local(document, target, secs)?.rotation;
    let triple = match document.rotation_mode(target)? {
        RotationMode::Quaternion => None,
        RotationMode::Euler(order) => angles(document, target, secs).map(|axes| (order, place_angles(order, axes))),
    };
    Some(LabKey { secs, rotation, triple })
}

fn local(document: &Document, target: Target, secs: f64) -> Option<Transform> {
    match target {
        Target::Object(object) => object_local(document, object, secs, Stage::Shown),
        Target::Joint(object, joint) => joint_local(document, object, joint, secs, Stage::Shown),
        Target::Pin(..)
        | Target::Point(..)
        | Target::Constraint(..)
        | Target::Morph(..)
        | Target::Pole(..)
        | Target::Deformer(..)
        | Target::Layer(..)
        | Target::Sample(..) => None,
    }
}

fn angles(document: &Document, target: Target, secs: f64) -> Option<[f64; 3]> {
    let clip = document.clip_of(target.object())?;
    let mut axes = [0.0; 3];
    for (angle, component) in axes.iter_mut().zip(Component::AXES) {
        let path = ChannelPath { target, property: Property::Rotation, component };
        match channel_value(document, clip, path, secs, Stage::Shown)? {
            Value::Scalar(value) => *angle = value,
            Value::Rotation(_) => return None,
        }
    }
    Some(axes)
}

/// The orientations of a target that the lab takes: at its selected rotation keys, else at all of them, of many the
/// [`MOST`] nearest the playhead; of captured motion at the playhead and ten frames to each side. Only the one at the
/// playhead where its rotation has no keys.
#[must_use]
pub fn taken(document: &Document, selection: &Selection, target: Target, secs: f64) -> Vec<LabKey> {
    let mut times = times(document, selection, target, secs);
    if times.is_empty() {
        times.push(secs);
    }
    if times.len() > MOST {
        times.sort_by(|a, b| (a - secs).abs().total_cmp(&(b - secs).abs()));
        times.truncate(MOST);
        times.sort_by(f64::total_cmp);
    }
    times.into_iter().filter_map(|secs| orientation(document, target, secs)).collect()
}

fn times(document: &Document, selection: &Selection, target: Target, secs: f64) -> Vec<f64> {
    let Some((id, clip)) = document.clip_of(target.object()).and_then(|id| Some((id, document.clip(id)?))) else {
        return Vec::new();
    };
    let first = ChannelPath { target, property: Property::Rotation, component: Component::X };
    let own = clip.channels.iter().filter(|(path, _)| path.target == target && path.property == first.property);
    let (mut chosen, mut all, mut captured) = (Vec::new(), Vec::new(), false);
    for (path, curve) in own {
        chosen.extend_from_slice(selection.keys.times(CurveRef { clip: id, path: *path }));
        match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(keyed)) => near(&keyed.keys, secs, &mut all),
            Curve::Rotation(RotationCurve::Keyed(keyed)) => near(&keyed.keys, secs, &mut all),
            Curve::Scalar(ScalarCurve::Sampled(_)) | Curve::Rotation(RotationCurve::Sampled(_)) => captured = true,
        }
    }
    // Three channels have three keys at one time.
    apart(&mut chosen);
    let mut times = if chosen.len() > 1 { chosen } else { all };
    if captured {
        let rate = document.settings.rate;
        let here = rate.frame_f64(secs).round();
        times = [-CAPTURED_FRAMES, 0.0, CAPTURED_FRAMES].map(|by| rate.secs((here + by) as i64)).to_vec();
    }
    // As they are shown: through the retimes.
    times.iter_mut().for_each(|secs| *secs = clip.shown_secs(target, *secs));
    apart(&mut times);
    times
}

/// In order, each time once.
fn apart(times: &mut Vec<f64>) {
    times.sort_by(f64::total_cmp);
    times.dedup_by(|later, earlier| *later - *earlier <= SAME_TIME_SECS);
}

/// The keys nearest a time, enough for the lab.
fn near<K: Timed>(keys: &Keys<K>, secs: f64, times: &mut Vec<f64>) {
    let here = keys.count_at_or_before(secs);
    let from = here.saturating_sub(MOST);
    times.extend((from..(here + MOST).min(keys.len())).filter_map(|index| keys.get(index).map(|key| key.time())));
}

/// The lab's own orientations, spread over a play range: three, so that the ways differ at the middle one.
#[must_use]
pub fn own(rate: FrameRate, range: FrameRange) -> Vec<LabKey> {
    let (from, to) = (rate.secs(range.first), rate.secs(range.last.max(range.first.saturating_add(2))));
    let turns = [
        Quat::identity(),
        from_axis_angle(&Vec3::new(1.0, 0.4, 0.2), 2.0),
        from_axis_angle(&Vec3::new(-0.3, 1.0, 0.5), 2.6),
    ];
    let middle = rate.secs(rate.nearest_frame(f64::midpoint(from, to)));
    turns.into_iter().zip([from, middle, to]).map(|(rotation, secs)| LabKey { secs, rotation, triple: None }).collect()
}

/// The edit that keys a rotation on a target at a time, whatever auto-key says; of a joint over the pose the pins make, as
/// when it is typed.
///
/// # Errors
/// Those of [`pose::typed_edit`] and [`pose::transform_edit`].
pub fn keep(
    document: &Document,
    evaluator: &Evaluator,
    selection: &Selection,
    target: Target,
    secs: f64,
    rotation: &Quat,
) -> Result<Edit, EditError> {
    let Some(local) = local(document, target, secs) else { return Err(EditError::NoObject(target.object())) };
    let local = Transform { rotation: *rotation, ..local };
    match target {
        Target::Joint(object, joint) => {
            let local = pose::pinned_local(document, evaluator, target, secs)
                .map_or(local, |pinned| Transform { rotation: *rotation, ..pinned });
            let clip = document.clip_of(object);
            let correction = selection.correction.filter(|(of, _)| Some(*of) == clip).map(|(_, id)| id);
            let typed =
                pose::Typed { property: Property::Rotation, local, auto_key: crate::edit::AutoKey::On, correction };
            pose::typed_edit(document, evaluator, (object, joint), secs, &typed)
        }
        // What differs is keyed, and only the rotation does.
        _ => pose::transform_edit(document, target.object(), secs, &local, crate::edit::AutoKey::WholePose),
    }
}

/// The order a target's rotation is held in, where it is held by angles.
#[must_use]
pub fn order_of(document: &Document, target: Target) -> Option<EulerOrder> {
    match document.rotation_mode(target)? {
        RotationMode::Euler(order) => Some(order),
        RotationMode::Quaternion => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{KeySelection, Session},
        math::rotation::chord_angle,
        model::{Clip, ClipId, Joint, JointId, Key, KeyedCurve, Object, Rig, Samples, Skeleton},
    };
    use std::sync::Arc;

    const ORDER: EulerOrder = EulerOrder::Zxy;

    fn document(keys: &[(f64, f64)]) -> (Document, ClipId, Target) {
        let mut document = Document::default();
        let joint = Joint { rotation: RotationMode::Euler(ORDER), ..Joint::new(JointId(0), "hand", None, Vec3::y()) };
        let rig = Rig { skeleton: Arc::new(Skeleton::new(vec![joint]).unwrap()), ..Rig::default() };
        let object = document.add_object(Object::rig("rig", rig));
        let mut clip = Clip::new("clip", FrameRange::new(0, 48));
        for component in Component::AXES {
            let path = ChannelPath::joint(object, JointId(0), Property::Rotation, component);
            let keys = keys.iter().map(|(time, value)| Key::new(*time, *value)).collect();
            let curve = KeyedCurve { keys, ..KeyedCurve::default() };
            if !curve.keys.is_empty() {
                clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
            }
        }
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        (document, clip, Target::Joint(object, JointId(0)))
    }

    #[test]
    fn it_takes_the_selected_keys_else_all_else_the_pose_shown() {
        let (document, clip, target) = document(&[(0.0, 0.0), (0.5, 1.0), (1.0, 7.0)]);
        let mut selection = Selection::single(target);
        assert_eq!(subject(&document, &selection), Some(target));
        let all = taken(&document, &selection, target, 0.2);
        assert_eq!(all.iter().map(|key| key.secs).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        assert_eq!(all[2].triple, Some((ORDER, [7.0; 3])), "with its turns");
        let path = ChannelPath { target, property: Property::Rotation, component: Component::Y };
        selection.keys = KeySelection::of(CurveRef { clip, path }, &[0.5, 1.0]);
        assert_eq!(taken(&document, &selection, target, 0.2).len(), 2);
        for component in Component::AXES {
            selection.keys.set_times(CurveRef { clip, path: ChannelPath { component, ..path } }, vec![0.5]);
        }
        assert_eq!(taken(&document, &selection, target, 0.2).len(), 3, "one time alone is no way");
        let (bare, _, target) = self::document(&[]);
        let one = taken(&bare, &Selection::single(target), target, 0.25);
        assert_eq!((one.len(), one[0].secs), (1, 0.25));
        assert_eq!(subject(&bare, &Selection::default()), None);
    }

    #[test]
    fn of_many_keys_it_takes_those_around_the_playhead_and_of_captured_motion_three() {
        let many: Vec<(f64, f64)> = (0..500).map(|i| (f64::from(i) / 24.0, f64::from(i))).collect();
        let (mut document, clip, target) = document(&many);
        let some = taken(&document, &Selection::single(target), target, 10.0);
        assert_eq!(some.len(), MOST);
        assert!(some.iter().all(|key| (key.secs - 10.0).abs() < 0.3), "{some:?}");
        for component in Component::AXES {
            let path = ChannelPath { target, property: Property::Rotation, component };
            let samples = Samples::new(0.0, FrameRate::FPS_24, vec![0.1; 100].into());
            let curve = Curve::Scalar(ScalarCurve::Sampled(samples));
            document.clip_mut(clip).unwrap().channels.insert(path, Arc::new(curve));
        }
        let three = taken(&document, &Selection::single(target), target, 1.0);
        assert_eq!(three.iter().map(|key| (key.secs * 24.0).round()).collect::<Vec<_>>(), [14.0, 24.0, 34.0]);
    }

    #[test]
    fn keeping_is_one_step_and_gives_the_rotation() {
        for keys in [&[(0.0, 0.0), (1.0, 0.5)][..], &[]] {
            let (document, _, target) = document(keys);
            let wanted = from_axis_angle(&Vec3::new(0.3, -1.0, 2.0), 2.2);
            let selection = Selection::single(target);
            let evaluator = Evaluator::new();
            for target in [target, Target::Object(target.object())] {
                let edit = keep(&document, &evaluator, &selection, target, 0.5, &wanted).unwrap();
                let mut session = Session::new(document.clone());
                session.apply("history.rotation_lab", &edit).unwrap();
                let now = orientation(session.document(), target, 0.5).unwrap();
                assert!(chord_angle(&now.rotation, &wanted) < 1e-9, "{target:?}");
                let keyed = taken(session.document(), &selection, target, 0.5);
                assert!(
                    keyed.iter().any(|key| key.secs == 0.5)
                        && keyed.len() == if keys.is_empty() || !matches!(target, Target::Joint(..)) { 1 } else { 3 }
                );
                session.undo();
                assert_eq!(**session.document(), document);
            }
        }
    }

    #[test]
    fn its_own_orientations_lie_in_the_play_range() {
        let own = own(FrameRate::FPS_24, FrameRange::new(0, 47));
        assert_eq!(own.iter().map(|key| (key.secs * 24.0).round()).collect::<Vec<_>>(), [0.0, 24.0, 47.0]);
        assert_eq!(super::own(FrameRate::FPS_24, FrameRange::new(5, 5)).len(), 3);
    }
}
