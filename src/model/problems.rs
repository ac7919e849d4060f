//! Whole-document validation: what must hold after every edit and before every save.

use super::{
    additive::AdditiveReference,
    camera::Camera,
    chain::ChainPath,
    channel::{ChannelPath, Component, Property, Target, Value},
    clip::{Clip, Correction},
    constraint::{Constraint, ConstraintKind},
    curve::{Curve, RotationCurve, RotationInterpolation, ScalarCurve},
    document::Document,
    driver,
    id::{BlendSpaceId, ObjectId},
    limb::LimbSetting,
    limit::LimitSetting,
    mesh::Mesh,
    modifier::modifiers_are_sound,
    object::{Object, Parent},
    pin::{Pin, PinSpace},
    retime::{Retime, RetimeScope},
    skeleton::Joint,
};
use crate::math::Transform;
use std::fmt;

/// Something that must not be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where, in the document's own terms.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl Document {
    /// The members of cycles that pins and constraints close, by name: empty in a sound document.
    #[must_use]
    pub fn waiting_cycles(&self) -> Vec<Vec<String>> {
        super::waiting::cycles(self)
    }

    /// Everything wrong with the document; empty for a sound one.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut found = Problems::default();
        if let Some(clip) = self.settings.clip
            && self.clip(clip).is_none()
        {
            found.add("settings", format!("the playing clip {clip} does not exist"));
        }
        for (index, clip) in self.settings.clip_order.iter().enumerate() {
            if self.clip(*clip).is_none() {
                found.add("settings", format!("the list of clips names {clip}, which does not exist"));
            }
            if self.settings.clip_order[..index].contains(clip) {
                found.add("settings", format!("the list of clips names {clip} twice"));
            }
        }
        for (index, reference) in self.settings.references.iter().enumerate() {
            if let Some(fault) = reference.fault() {
                found.add(&format!("reference {index} '{}'", reference.path), fault.to_owned());
            }
        }
        let objects_and_clips = self.objects.keys().map(|id| id.0).chain(self.clips.keys().map(|id| id.0));
        let others = self.poses.keys().map(|id| id.0).chain(self.images.keys().map(|id| id.0));
        let others = others.chain(self.snapshots.keys().map(|id| id.0));
        let others = others.chain(self.blend_spaces.keys().map(|id| id.0)).chain(self.masks.keys().map(|id| id.0));
        let last_id = objects_and_clips.chain(others).max();
        if last_id.is_some_and(|last| last >= self.next_id) {
            found.add("next_id", "is not above every id in use".to_owned());
        }
        for id in self.objects.keys() {
            object_problems(self, *id, &mut found);
        }
        for (id, clip) in self.clips.iter() {
            clip_problems(self, &format!("{id} '{}'", clip.name), clip, &mut found);
        }
        for id in self.blend_spaces.keys() {
            space_problems(self, *id, &mut found);
        }
        for (id, mask) in self.masks.iter().filter(|(_, mask)| !mask.is_sound()) {
            found.add(&format!("{id} '{}'", mask.name), "a weight is not within 0..1".to_owned());
        }
        for (id, pose) in self.poses.iter() {
            for (joint, _) in pose.joints.iter().filter(|(_, joint)| !joint.is_sound()) {
                found.add(&format!("{id} '{}'", pose.name), format!("joint '{joint}' is not of finite numbers"));
            }
        }
        for (id, snapshot) in self.snapshots.iter() {
            let place = format!("{id} '{}'", snapshot.name);
            if self.clip(snapshot.clip).is_none() {
                found.add(&place, format!("its clip {} does not exist", snapshot.clip));
            }
            for (path, curve) in &snapshot.channels {
                curve_problems(&format!("{place} channel {path}"), curve, &mut found);
            }
        }
        for members in self.driver_cycles() {
            found.add("drivers", format!("these wait for each other: {}", members.join(", ")));
        }
        for members in self.waiting_cycles() {
            found.add("pins and constraints", format!("these wait for each other: {}", members.join(", ")));
        }
        found.0
    }
}

#[derive(Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, place: &str, what: String) {
        self.0.push(Problem { place: place.to_owned(), what });
    }

    /// All that was found.
    pub(super) fn into_list(self) -> Vec<Problem> {
        self.0
    }
}

pub(super) fn object_problems(document: &Document, id: ObjectId, found: &mut Problems) {
    let Some(object) = document.object(id) else { return };
    let place = format!("object {id} '{}'", object.name);
    if !is_sound(&object.transform) {
        found.add(&place, "its transform is not of finite numbers with a unit rotation".to_owned());
    }
    if let Some(clip) = object.clip
        && document.clip(clip).is_none()
    {
        found.add(&place, format!("its clip {clip} does not exist"));
    }
    match object.parent {
        Some(Parent::Object(parent)) if document.object(parent).is_none() => {
            found.add(&place, format!("its parent {parent} does not exist"));
        }
        Some(Parent::Joint(parent, joint)) if joint_of(document, parent, joint).is_none() => {
            found.add(&place, format!("its parent joint {parent}/{joint} does not exist"));
        }
        _ => {}
    }
    layer_problems(document, object, &place, found);
    part_problems(document, id, object, &place, found);
    let mut at = object.parent.map(Parent::object);
    for _ in 0..document.objects.len() {
        match at {
            Some(parent) if parent == id => {
                found.add(&place, "it is its own ancestor".to_owned());
                break;
            }
            Some(parent) => at = document.object(parent).and_then(|o| o.parent).map(Parent::object),
            None => break,
        }
    }
    if let Some(rig) = object.as_rig() {
        rig_problems(&place, rig, found);
    }
    driver_problems(document, id, object, &place, found);
}

fn rig_problems(place: &str, rig: &super::rig::Rig, found: &mut Problems) {
    for joint in rig.skeleton.joints() {
        if !is_sound(&joint.rest) {
            found.add(place, format!("the rest pose of joint '{}' is not of finite numbers", joint.name));
        }
    }
    for (name, joints) in &rig.sets {
        for missing in joints.iter().filter(|id| rig.skeleton.index_of(**id).is_none()) {
            found.add(place, format!("the set '{name}' names joint {missing}, which does not exist"));
        }
    }
    for (joint, hint) in &rig.hints {
        let named = [Some(*joint), hint.root];
        for missing in named.into_iter().flatten().filter(|id| rig.skeleton.index_of(*id).is_none()) {
            found.add(place, format!("a chain names joint {missing}, which does not exist"));
        }
        if hint.pole.is_some_and(|pole| !pole.iter().all(|value| value.is_finite())) {
            found.add(place, format!("the pole of joint {joint} is not of finite numbers"));
        }
    }

    for joint in rig.limits.keys().chain(rig.limbs.keys()).filter(|id| rig.skeleton.index_of(**id).is_none()) {
        found.add(place, format!("limits or limbs name joint {joint}, which does not exist"));
    }
    for name in rig.set_colors.keys().filter(|name| !rig.sets.contains_key(*name)) {
        found.add(place, format!("a colour is that of the set '{name}', which does not exist"));
    }
    for joint in rig.locks.keys().filter(|id| rig.skeleton.index_of(**id).is_none()) {
        found.add(place, format!("locks name joint {joint}, which does not exist"));
    }
    for (joint, setting) in &rig.limits {
        if matches!(setting, LimitSetting::Own(limit) if !limit.is_sound()) {
            found.add(place, format!("the limits of joint {joint} are not ranges within half a turn"));
        }
    }
    for (joint, setting) in &rig.limbs {
        if matches!(setting, LimbSetting::Limb(limb) if !rig.fits(limb)) {
            found.add(place, format!("the limb corrected at joint {joint} is no line of joints"));
        }
    }
}

/// What is wrong with what an object is, and with its constraints.
fn part_problems(document: &Document, id: ObjectId, object: &Object, place: &str, found: &mut Problems) {
    if let Some(problem) = object.as_path().and_then(|path| path.problem()) {
        found.add(place, problem);
    }
    if let Some(camera) = object.as_camera()
        && !(Camera::FIELD.0..=Camera::FIELD.1).contains(&camera.fov_y)
    {
        found.add(place, format!("its field of view {} is outside 1..170 degrees", camera.fov_y.to_degrees()));
    } else if object.as_camera().is_some_and(|camera| !camera.is_sound()) {
        found.add(place, "what its camera sees is without bounds".to_owned());
    }
    if object.as_light().is_some_and(|light| !light.is_sound()) {
        found.add(place, "its light is not of finite numbers within their ranges".to_owned());
    }
    if let Some(problem) = object.as_lattice().and_then(|lattice| lattice.problem()) {
        found.add(place, problem);
    }
    if let Some(problem) = object.as_deformer().and_then(super::deform::Deformer::problem) {
        found.add(place, problem);
    }
    if let Some(mesh) = object.as_mesh() {
        mesh_problems(document, mesh, place, found);
    }
    for (index, constraint) in object.constraints.iter().enumerate() {
        let place = format!("{place} constraint {}", constraint.id);
        if object.constraints.iter().take(index).any(|before| before.id == constraint.id) {
            found.add(&place, "another has the same id".to_owned());
        }
        if !(0.0..=1.0).contains(&constraint.influence) {
            found.add(&place, format!("its influence {} is outside 0..1", constraint.influence));
        }
        for fault in constraint_faults(document, id, constraint) {
            found.add(&place, fault);
        }
    }
}

/// What is wrong with a blend space.
pub(super) fn space_problems(document: &Document, id: BlendSpaceId, found: &mut Problems) {
    let Some(space) = document.blend_spaces.get(&id) else { return };
    let place = format!("{id} '{}'", space.name);
    if let Some(fault) = space.fault() {
        found.add(&place, fault.to_owned());
    }
    for (index, sample) in space.samples.iter().enumerate().filter(|(_, sample)| !document.has(sample.plays)) {
        found.add(
            &place,
            format!("{}, which its sample {} plays, does not exist", document.played_name(sample.plays), index + 1),
        );
    }
    if document.space_contains(id, id) {
        found.add(&place, "it plays itself through its samples".to_owned());
    }
}

/// What is wrong with the layers of an object.
fn layer_problems(document: &Document, object: &Object, place: &str, found: &mut Problems) {
    if !object.layers.is_empty() && object.as_rig().is_none() {
        found.add(place, "has layers and is no rig".to_owned());
    }
    for (index, layer) in object.layers.iter().enumerate() {
        let place = format!("{place} layer {}", layer.id.0);
        if let Some(fault) = layer.fault() {
            found.add(&place, fault.to_owned());
        }
        if !document.has(layer.plays) {
            found.add(&place, format!("{}, which it plays, does not exist", document.played_name(layer.plays)));
        }
        if let Some(mask) = layer.mask.filter(|mask| !document.masks.contains_key(mask)) {
            found.add(&place, format!("{mask} does not exist"));
        }
        if object.layers[..index].iter().any(|other| other.id == layer.id) {
            found.add(&place, "another layer has its id".to_owned());
        }
    }
}

/// What is wrong with the drivers of an object.
fn driver_problems(document: &Document, id: ObjectId, object: &Object, place: &str, found: &mut Problems) {
    for (index, fault) in driver::faults(document, id, |path| target_exists(document, None, path)) {
        found.add(&format!("{place} driver {index}"), fault);
    }
    for (index, driver) in object.drivers.iter().enumerate() {
        curve_problems(&format!("{place} driver {index}"), &driver.curve, found);
    }
}

/// What is wrong with a constraint of an object in a document, waiting cycles apart.
fn constraint_faults(document: &Document, id: ObjectId, constraint: &Constraint) -> Vec<String> {
    let mut faults: Vec<String> = constraint.fault().into_iter().map(str::to_owned).collect();
    if let ConstraintKind::Follow(follow) = &constraint.kind
        && (follow.path == id || document.object(follow.path).is_none_or(|object| object.as_path().is_none()))
    {
        faults.push(format!("what it follows, {}, is no path", follow.path));
    }
    if let Some(joint) = constraint.joint.filter(|joint| joint_of(document, id, *joint).is_none_or(Joint::is_end)) {
        faults.push(format!("its joint {joint} does not exist or is a bone's tip"));
    }
    if let (Some(chain), Some(joint)) = (constraint.as_chain(), constraint.joint)
        && let Some(rig) = document.object(id).and_then(|object| object.as_rig())
        && ChainPath::new(&rig.skeleton, chain.base, joint).is_none()
    {
        faults.push(format!("no bones lead from joint {} to joint {joint}", chain.base));
    }
    let missing = constraint.spaces().into_iter().any(|space| match space {
        PinSpace::World => false,
        PinSpace::Object(object) => document.object(object).is_none(),
        PinSpace::Joint(object, joint) => joint_of(document, object, joint).is_none(),
    });
    if missing {
        faults.push("what it looks at does not exist".to_owned());
    }
    faults
}

/// What is wrong with a mesh, and with what it needs of the document.
fn mesh_problems(document: &Document, mesh: &Mesh, place: &str, found: &mut Problems) {
    for fault in mesh.faults() {
        found.add(place, fault);
    }
    for material in &mesh.materials {
        if let Some(image) = material.texture.filter(|image| !document.images.contains_key(image)) {
            found.add(place, format!("the image {image} of its material '{}' does not exist", material.name));
        }
    }
    for entry in &mesh.stack {
        if !document.object(entry.by).is_some_and(|object| object.deforms()) {
            found.add(place, format!("its stack entry {} names {}, which deforms nothing", entry.id, entry.by));
        }
    }
    for joint in mesh.skin.iter().flat_map(|skin| &skin.joints) {
        let exists = match joint.joint {
            Parent::Object(object) => document.object(object).is_some(),
            Parent::Joint(object, joint) => joint_of(document, object, joint).is_some(),
        };
        if !exists {
            found.add(place, format!("the joint {:?} of its skin does not exist", joint.joint));
        }
    }
}

fn joint_of(document: &Document, object: ObjectId, joint: super::id::JointId) -> Option<&super::skeleton::Joint> {
    document.object(object)?.as_rig()?.skeleton.joint(joint)
}

fn is_sound(transform: &Transform) -> bool {
    transform.translation.iter().chain(transform.scale.iter()).all(|value| value.is_finite())
        && (transform.rotation.norm() - 1.0).abs() < 1e-6
}

pub(super) fn clip_problems(document: &Document, place: &str, clip: &Clip, found: &mut Problems) {
    for (path, curve) in &clip.channels {
        let place = format!("{place} channel {path}");
        path_problems(document, clip, &place, *path, matches!(**curve, Curve::Rotation(_)), found);
        form_problems(document, &place, *path, found);
        curve_problems(&place, curve, found);
    }
    for path in clip.muted.iter().filter(|path| !clip.channels.contains_key(path)) {
        found.add(place, format!("the muted channel {path} has no curve"));
    }
    for frame in &clip.unkeyed {
        if !frame.time.is_finite() || frame.values.is_empty() {
            found.add(place, format!("the unkeyed edits at {} s have no time or no value", frame.time));
        }
        for (path, value) in &frame.values {
            if !value.is_finite() {
                found.add(place, format!("the unkeyed value of {path} is not finite"));
            }
            let place = format!("{place} unkeyed value of {path}");
            path_problems(document, clip, &place, *path, matches!(value, Value::Rotation(_)), found);
            form_problems(document, &place, *path, found);
        }
    }
    if let Some(AdditiveReference::Clip(other)) = clip.additive.map(|additive| additive.reference)
        && document.clip(other).is_none()
    {
        found.add(place, format!("the clip {other} that it is a difference from does not exist"));
    }
    if clip.unkeyed.windows(2).any(|pair| pair[0].time >= pair[1].time) {
        found.add(place, "the unkeyed edits are not in order of time".to_owned());
    }
    for (index, correction) in clip.corrections.iter().enumerate() {
        if clip.corrections[..index].iter().any(|other| other.id == correction.id) {
            found.add(place, format!("correction id {} is used twice", correction.id));
        }
        correction_problems(document, clip, &format!("{place} correction '{}'", correction.name), correction, found);
    }
    for (index, retime) in clip.retimes.iter().enumerate() {
        if clip.retimes[..index].iter().any(|other| other.id == retime.id) {
            found.add(place, format!("retime id {} is used twice", retime.id));
        }
        retime_problems(document, &format!("{place} retime '{}'", retime.name), retime, found);
    }
    for (index, marker) in clip.markers.iter().enumerate() {
        if clip.markers[..index].iter().any(|other| other.id == marker.id) {
            found.add(place, format!("marker id {} is used twice", marker.id));
        }
        if !marker.time.is_finite() {
            found.add(place, format!("marker '{}' has no time", marker.name));
        }
    }
    for (index, pin) in clip.pins.iter().enumerate() {
        if clip.pins[..index].iter().any(|other| other.id == pin.id) {
            found.add(place, format!("pin id {} is used twice", pin.id));
        }
        pin_problems(document, &format!("{place} pin {}", pin.id), pin, found);
    }
}

fn pin_problems(document: &Document, place: &str, pin: &Pin, found: &mut Problems) {
    if joint_of(document, pin.object, pin.joint).is_none() {
        found.add(place, format!("its joint {}/{} does not exist", pin.object, pin.joint));
    }
    let space_exists = match pin.space {
        PinSpace::World => true,
        PinSpace::Object(object) => document.object(object).is_some(),
        PinSpace::Joint(object, joint) => joint_of(document, object, joint).is_some(),
    };
    if !space_exists {
        found.add(place, "what it is at rest in does not exist".to_owned());
    }
    let unit = pin.orientation.is_none_or(|rotation| (rotation.norm() - 1.0).abs() < 1e-6);
    if !unit || !pin.place.iter().all(|value| value.is_finite()) {
        found.add(place, "its place is not of finite numbers with a unit rotation".to_owned());
    }
    let times = [pin.range.0, pin.range.1, pin.ease.0, pin.ease.1];
    let ordered = pin.range.0 <= pin.range.1 && pin.ease.0 >= 0.0 && pin.ease.1 >= 0.0;
    if !ordered || times.iter().any(|time| !time.is_finite()) {
        found.add(place, "its times are not a range with what it takes to come and go".to_owned());
    }
    if !(0.0..=1.0).contains(&pin.influence) {
        found.add(place, format!("its influence {} is outside 0..1", pin.influence));
    }
}

/// That what a retime is of exists; its change of timing cannot be unsound.
fn retime_problems(document: &Document, place: &str, retime: &Retime, found: &mut Problems) {
    if document.object(retime.object).is_none() {
        found.add(place, format!("its object {} does not exist", retime.object));
    }
    if let RetimeScope::Joints(joints) = &retime.scope {
        if joints.is_empty() {
            found.add(place, "it is of no joint".to_owned());
        }
        for joint in joints.iter().filter(|joint| joint_of(document, retime.object, **joint).is_none()) {
            found.add(place, format!("its joint {}/{joint} does not exist", retime.object));
        }
    }
}

fn correction_problems(document: &Document, clip: &Clip, place: &str, correction: &Correction, found: &mut Problems) {
    let (start, end) = correction.range;
    if !(start.is_finite() && end.is_finite() && start < end) {
        found.add(place, format!("its range {start}..{end} s is not a range"));
    }
    if !(0.0..=2.0).contains(&correction.scale) {
        found.add(place, format!("its scale {} is outside 0..2", correction.scale));
    }
    for (path, curve) in &correction.deltas {
        let place = format!("{place} channel {path}");
        path_problems(document, clip, &place, *path, matches!(**curve, Curve::Rotation(_)), found);
        if path.property == Property::Rotation && path.component != Component::Whole {
            found.add(&place, "a correction turns a joint by a rotation, not by single angles".to_owned());
        }
        curve_problems(&place, curve, found);
    }
    for (path, curve) in &correction.solved {
        let place = format!("{place} solved channel {path}");
        if !correction.deltas.contains_key(path) || !matches!(**curve, Curve::Rotation(_)) {
            found.add(&place, "it goes with no rotation that the correction changes".to_owned());
        }
        curve_problems(&place, curve, found);
    }
}

/// That a rotation is held as the joint holds it: the other form would never be looked at.
fn form_problems(document: &Document, place: &str, path: ChannelPath, found: &mut Problems) {
    if !document.holds_form(path) {
        found.add(place, "its target holds its rotation in the other form".to_owned());
    }
}

fn path_problems(
    document: &Document,
    clip: &Clip,
    place: &str,
    path: ChannelPath,
    is_rotation: bool,
    found: &mut Problems,
) {
    if !target_exists(document, Some(clip), path) {
        found.add(place, "its target does not exist".to_owned());
    }
    let whole = path.component == Component::Whole;
    if whole != is_rotation || !path.is_sound() {
        found.add(place, "the kind of curve does not fit the channel".to_owned());
    }
}

/// Whether what a channel is of exists; a pin's in the clip that holds the channel.
fn target_exists(document: &Document, clip: Option<&Clip>, path: ChannelPath) -> bool {
    match path.target {
        Target::Object(object) => document.object(object).is_some_and(|found| {
            let number = |deformer: &super::deform::Deformer| deformer.number(path.property).is_some();
            let blends = path.property != Property::Blend || found.as_mesh().is_some();
            blends && (!Property::DEFORMER.contains(&path.property) || found.as_deformer().is_some_and(number))
        }),
        Target::Joint(object, joint) => joint_of(document, object, joint).is_some(),
        Target::Pin(object, pin) => clip.and_then(|clip| clip.pin(pin)).is_some_and(|pin| pin.object == object),
        Target::Point(object, point) => {
            document.object(object).is_some_and(|object| object.point_value(point).is_some())
        }
        Target::Deformer(object, entry) => {
            document.object(object).and_then(|object| object.as_mesh()).is_some_and(|mesh| mesh.entry(entry).is_some())
        }
        Target::Constraint(object, id) => {
            let constraint = document.object(object).and_then(|object| object.constraint(id));
            constraint.is_some_and(|it| path.property != Property::Translation || it.as_chain().is_some())
        }
        // Curves of samples stay while a layer plays something else, as those of its point do.
        Target::Layer(object, id) | Target::Sample(object, id, _) => {
            document.object(object).is_some_and(|object| object.layer(id).is_some())
        }
        Target::Pole(object, id) => document.object(object).is_some_and(|object| object.pole(id).is_some()),
        Target::Morph(object, morph) => {
            document.object(object).and_then(|object| object.as_mesh()).is_some_and(|mesh| mesh.morph(morph).is_some())
        }
    }
}

fn curve_problems(place: &str, curve: &Curve, found: &mut Problems) {
    if !modifiers_are_sound(curve.modifiers()) {
        found.add(place, "a modifier is not of finite numbers within their ranges, or there are too many".to_owned());
    }
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            for key in curve.keys.iter().filter(|key| !key.is_sound()) {
                found.add(place, format!("the key at {} s is not of finite numbers within their ranges", key.time));
            }
            if !curve.scheme.is_sound() {
                found.add(place, "its end slopes are not finite numbers".to_owned());
            }
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            if !samples.start.is_finite() || samples.values.iter().any(|value| !value.is_finite()) {
                found.add(place, "a sample is not a finite number".to_owned());
            }
        }
        Curve::Rotation(RotationCurve::Keyed(curve)) => {
            if !curve.keys.iter().all(|key| (key.rotation.norm() - 1.0).abs() < 1e-6) {
                found.add(place, "a key is not a unit quaternion".to_owned());
            }
            let tangents = curve.keys.iter().filter_map(|key| match key.interpolation {
                RotationInterpolation::Hermite(tangents) => Some(tangents),
                _ => None,
            });
            if !tangents.into_iter().all(|tangents| tangents.is_finite()) {
                found.add(place, "a key's tangent is not of finite numbers".to_owned());
            }
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            if !samples.values.iter().all(|value| (value.norm() - 1.0).abs() < 1e-6) {
                found.add(place, "a sample is not a unit quaternion".to_owned());
            }
        }
    }
}
