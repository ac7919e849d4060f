//! Setting and deleting keys at a time.

use super::{
    CurveRef, Edit, EditError, KeyEdit, KeySelection, UnkeyedEdit,
    numbers::made_keys,
    pose::{PosePlan, clip_for, layered_keys, pinned_local},
};
use crate::{
    eval::{
        Evaluator,
        blend::layers::{plays_layers, written_secs},
        deform::influence_path,
        follow::driven_by,
        sample::{Stage, number},
    },
    math::Transform,
    model::{
        ChannelPath, ClipId, Component, CorrectionId, Curve, Document, ObjectId, Property, RotationCurve, ScalarCurve,
        Target, Value, clip::SAME_TIME_SECS,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// All the joints of a rig object that have channels; an object without joints itself, a lattice with its points.
#[must_use]
pub fn whole_pose(document: &Document, object: ObjectId) -> BTreeSet<Target> {
    let Some(found) = document.object(object) else { return BTreeSet::new() };
    let Some(rig) = found.as_rig() else {
        let points = found.carrying_points().into_iter();
        let points = points.map(|(point, _)| Target::Point(object, point));
        return points.chain([Target::Object(object)]).collect();
    };
    let joints = Some(rig).into_iter().flat_map(|rig| rig.skeleton.joints());
    joints.filter(|joint| !joint.is_end()).map(|joint| Target::Joint(object, joint.id)).collect()
}

/// The edit that keys targets as they are shown at a time, with what pins make of them: rotations, translations of roots and objects, and whatever else
/// has a curve or waits. Bones' tips are passed over. Captured motion gets a correction where something waits or is pinned,
/// else it is as it is. Joints of objects that play layers are keyed in the clip of the layer that is worked on.
///
/// # Errors
/// Where a target does not exist, or no layer can hold a joint.
pub fn set_key(
    document: &Document,
    evaluator: &Evaluator,
    targets: &BTreeSet<Target>,
    secs: f64,
    correction: Option<CorrectionId>,
) -> Result<Edit, EditError> {
    let mut by_object: BTreeMap<ObjectId, Vec<Target>> = BTreeMap::new();
    for target in targets {
        by_object.entry(target.object()).or_default().push(*target);
    }
    let mut edits = Vec::new();
    // Objects that play no clip share the one that is made for the first of them.
    let mut made: Option<ClipId> = None;
    for (object, targets) in by_object {
        let is_keyed = targets.contains(&Target::Object(object));
        let (id, clip, new_clip) = clip_for(document, object);
        if !new_clip.is_empty() && made.is_none() {
            made = Some(id);
            edits.extend(new_clip);
        }
        let (joints, others): (Vec<Target>, Vec<Target>) =
            targets.into_iter().partition(|target| target.joint().is_some());
        let ids = joints.iter().filter_map(|target| target.joint());
        let through = layered_keys(document, object, secs, ids)?;
        let read = through.as_ref().map_or(secs, |through| through.secs);
        let layered: Option<BTreeMap<Target, Transform>> = through.map(|through| {
            through.changes.into_iter().map(|(joint, local)| (Target::Joint(object, joint), local)).collect()
        });
        let local = |target: Target| match &layered {
            Some(locals) => locals.get(&target).copied(),
            None => pinned_local(document, evaluator, target, secs),
        };
        let is_left = |target: &Target| {
            target.joint().is_some() && layered.as_ref().is_some_and(|locals| !locals.contains_key(target))
        };
        for (secs, targets) in [(read, joints), (secs, others)] {
            let mut plan = PosePlan::new(document, id, &clip, secs, correction)?;
            for target in targets.into_iter().filter(|target| !is_left(target)) {
                match plan.check(target) {
                    Err(EditError::BoneTip(..)) => {}
                    // Of constraints only the targets of IK chains have a place.
                    Err(EditError::WrongKind(path)) if matches!(path.target, Target::Constraint(..)) => {}
                    checked => {
                        checked?;
                        plan.wish_all(target, local(target).as_ref());
                    }
                }
            }
            edits.extend(plan.write()?);
        }
        if is_keyed {
            edits.extend(follower_keys(document, id, object, secs));
            edits.extend(own_numbers(document, id, object, secs));
        }
    }
    Ok(Edit::Batch(edits))
}

/// Keys of how far followers are, or of what drives them, as it is shown.
fn follower_keys(document: &Document, clip_id: ClipId, object: ObjectId, secs: f64) -> Vec<Edit> {
    let constraints = document.object(object).map(|object| object.constraints.as_slice()).unwrap_or_default();
    let followers = constraints.iter().filter_map(|c| Some((c, c.as_follow()?)));
    let paths = followers.map(|(c, follow)| ChannelPath::constraint(object, c.id, driven_by(follow.drive)));
    number_keys(document, clip_id, paths, secs)
}

/// Keys of a mesh's morph weights and the influences of its stack, of a deformer's and a light's numbers, and of a camera's field of view where that moves or waits.
fn own_numbers(document: &Document, clip_id: ClipId, object: ObjectId, secs: f64) -> Vec<Edit> {
    let Some(found) = document.object(object) else { return Vec::new() };
    let morphs = found.as_mesh().into_iter().flat_map(|mesh| &mesh.morphs);
    let weights = morphs.map(|morph| ChannelPath {
        target: Target::Morph(object, morph.id),
        property: Property::Weight,
        component: Component::Only,
    });
    let own = |property| ChannelPath::object(object, property, Component::Only);
    let deformer = found.as_deformer().into_iter().flat_map(|deformer| deformer.kind.parameters());
    let deformer = deformer.map(|parameter| own(parameter.property));
    let stack = found.as_mesh().into_iter().flat_map(|mesh| &mesh.stack);
    let stack = stack.map(|entry| influence_path(object, entry));
    let light = found.as_light().into_iter().flat_map(|_| Property::LIGHT.map(own));
    let moves = |path: &ChannelPath| {
        document.clip(clip_id).is_some_and(|clip| {
            let waits = clip.unkeyed_at(secs).is_some_and(|frame| frame.values.contains_key(path));
            clip.channels.contains_key(path) || waits
        })
    };
    let field = found.as_camera().map(|_| own(Property::FieldOfView));
    let blend = found.as_mesh().map(|_| own(Property::Blend));
    let field = field.into_iter().chain(blend).filter(moves).collect::<Vec<_>>();
    number_keys(document, clip_id, weights.chain(stack).chain(deformer).chain(light).chain(field), secs)
}

/// Keys of channels of one number, as they are shown. Captured ones stay as they are, but where a value waits: there their
/// samples become keys.
fn number_keys(document: &Document, clip_id: ClipId, paths: impl Iterator<Item = ChannelPath>, secs: f64) -> Vec<Edit> {
    let clip = document.clip(clip_id).map(|clip| &**clip);
    let mut edits = Vec::new();
    let waits = |path: &ChannelPath| {
        clip.and_then(|clip| clip.unkeyed_at(secs)).is_some_and(|frame| frame.values.contains_key(path))
    };
    for path in paths {
        let curve = CurveRef { clip: clip_id, path };
        let made = clip.and_then(|clip| made_keys(clip, curve));
        if made.is_some() && !waits(&path) {
            continue;
        }
        let Some(value) = number(document, clip, path, secs, Stage::Shown) else { continue };
        edits.extend(made);
        edits.push(KeyEdit::Set { curve, values: vec![(secs, Value::Scalar(value))] }.into());
        if waits(&path) {
            edits.push(UnkeyedEdit::Remove { clip: clip_id, secs, paths: vec![path] }.into());
        }
    }
    edits
}

/// The edit that keys everything that waits in a clip at a time, and nothing else.
///
/// # Errors
/// Where there is no such clip.
pub fn key_waiting(
    document: &Document,
    clip: ClipId,
    secs: f64,
    correction: Option<CorrectionId>,
) -> Result<Edit, EditError> {
    let found = document.clip(clip).ok_or(EditError::NoClip(clip))?;
    let Some(frame) = found.unkeyed_at(secs) else { return Ok(Edit::none()) };
    let mut plan = PosePlan::new(document, clip, found, frame.time, correction)?;
    let waiting: BTreeSet<(Target, Property)> = frame.values.keys().map(|path| (path.target, path.property)).collect();
    for (target, property) in waiting {
        if property.is_of_transform() {
            plan.check(target)?;
            plan.wish_shown(target, property);
        }
    }
    let mut edits = plan.write()?;
    for (path, value) in frame.values.iter().filter(|(path, _)| !path.property.is_of_transform()) {
        let curve = CurveRef { clip, path: *path };
        edits.extend(made_keys(found, curve));
        edits.push(KeyEdit::Set { curve, values: vec![(frame.time, *value)] }.into());
        edits.push(UnkeyedEdit::Remove { clip, secs: frame.time, paths: vec![*path] }.into());
    }
    Ok(Edit::Batch(edits))
}

/// The edit that deletes the keys of targets at a time. Captured curves have none.
#[must_use]
pub fn delete_key(document: &Document, targets: &BTreeSet<Target>, secs: f64) -> Edit {
    let mut keys = KeySelection::new();
    for target in targets {
        let Some(clip_id) = document.clip_of(target.object()) else { continue };
        let Some(clip) = document.clip(clip_id) else { continue };
        let layered = target.joint().is_some() && plays_layers(document, target.object());
        let read = if layered { written_secs(document, target.object(), secs) } else { Ok(secs) };
        let Ok(read) = read else { continue };
        let secs = clip.source_secs(*target, read);
        for path in Property::ALL.into_iter().flat_map(|property| PosePlan::paths(*target, property)) {
            if document.is_locked(path) {
                continue;
            }
            if let Some(time) = clip.channels.get(&path).and_then(|curve| key_time(curve, secs)) {
                keys.insert(CurveRef { clip: clip_id, path }, time);
            }
        }
    }
    if keys.is_empty() { Edit::none() } else { KeyEdit::Delete { keys }.into() }
}

/// The exact time of a curve's key at about a time.
fn key_time(curve: &Curve, secs: f64) -> Option<f64> {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            curve.keys.get(curve.keys.index_near(secs, SAME_TIME_SECS)?).map(|key| key.time)
        }
        Curve::Rotation(RotationCurve::Keyed(curve)) => {
            curve.keys.get(curve.keys.index_near(secs, SAME_TIME_SECS)?).map(|key| key.time)
        }
        _ => None,
    }
}
