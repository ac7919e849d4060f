//! Mending a document that cannot be right: as little is taken out as makes it sound.
//!
//! Nothing is guessed that the document does not say: what names something that is not there goes, what is out of range goes
//! to its default, and each is told. [`Document::problems`] is the judge of every step.

use super::{
    camera::Camera,
    clip::Clip,
    document::Document,
    id::{ClipId, ObjectId},
    light::Light,
    limb::LimbSetting,
    limit::LimitSetting,
    mending_blend,
    mesh::Mesh,
    object::{Object, ObjectKind},
    problems::{Problem, Problems, clip_problems, object_problems},
    rig::Rig,
};
use crate::math::{Quat, Transform, rotation::try_unit};
use std::sync::Arc;

/// Mends what can be mended. Each problem there was, with what was done about it; none where nothing could be.
pub fn mend(document: &mut Document) -> Vec<(Problem, Option<String>)> {
    let mut done = Vec::new();
    settings(document, &mut done);
    let objects: Vec<ObjectId> = document.objects.keys().copied().collect();
    for id in &objects {
        mend_object(document, *id, &mut done);
    }
    let clips: Vec<ClipId> = document.clips.keys().copied().collect();
    for id in clips {
        mend_clip(document, id, &mut done);
    }
    library(document, &mut done);
    cycles(document, &mut done);
    done.extend(document.problems().into_iter().map(|problem| (problem, None)));
    done
}

pub(super) type Done = Vec<(Problem, Option<String>)>;

/// Makes a change if it leaves fewer problems, and tells which are gone.
pub(super) fn attempt(
    document: &mut Document,
    problems: impl Fn(&Document) -> Vec<Problem>,
    change: impl FnOnce(&mut Document),
    what: &str,
    done: &mut Done,
) {
    let before = problems(document);
    if before.is_empty() {
        return;
    }
    let mut changed = document.clone();
    change(&mut changed);
    let after = problems(&changed);
    if after.len() < before.len() {
        *document = changed;
        let gone = before.into_iter().filter(|problem| !after.contains(problem));
        done.extend(gone.map(|problem| (problem, Some(what.to_owned()))));
    }
}

/// What holds for the whole document, apart from its parts.
fn settings(document: &mut Document, done: &mut Done) {
    let of_settings = |document: &Document| {
        let own = |problem: &Problem| {
            problem.place == "settings" || problem.place == "next_id" || problem.place.starts_with("reference ")
        };
        let bare = Document { objects: Arc::default(), ..document.clone() };
        // Without the objects nothing of the clips is looked at but their numbers.
        bare.problems().into_iter().filter(own).collect()
    };
    attempt(document, of_settings, |d| Arc::make_mut(&mut d.settings).clip = None, "no clip plays", done);
    let listed = |d: &mut Document| Arc::make_mut(&mut d.settings).clip_order = d.listed_clips();
    attempt(document, of_settings, listed, "clips are listed once each", done);
    let keep = |d: &mut Document| Arc::make_mut(&mut d.settings).references.retain(|r| r.fault().is_none());
    attempt(document, of_settings, keep, "the picture left out", done);
    let last = [
        document.objects.keys().next_back().map(|id| id.0),
        document.clips.keys().next_back().map(|id| id.0),
        document.poses.keys().next_back().map(|id| id.0),
        document.images.keys().next_back().map(|id| id.0),
        document.snapshots.keys().next_back().map(|id| id.0),
        document.blend_spaces.keys().next_back().map(|id| id.0),
        document.masks.keys().next_back().map(|id| id.0),
    ];
    let next = last.into_iter().flatten().max().map_or(1, |last| last.saturating_add(1));
    let all_ids = |d: &Document| d.problems().into_iter().filter(|problem| problem.place == "next_id").collect();
    attempt(document, all_ids, |d| d.next_id = next, "the next one after all in use", done);
}

pub(super) fn of_object(id: ObjectId) -> impl Fn(&Document) -> Vec<Problem> {
    move |document| {
        let mut found = Problems::default();
        object_problems(document, id, &mut found);
        found.into_list()
    }
}

type Fix = fn(&mut Object);

/// What can be done about an object, the least first.
const FIXES: &[(&str, Fix)] = &[
    ("its layers left out", |object| object.layers.clear()),
    ("no longer hangs on anything", |object| object.parent = None),
    ("plays no clip of its own", |object| object.clip = None),
    ("brought to finite numbers", |object| object.transform = sound(&object.transform)),
    ("what is said of joints that are gone left out", |object| in_rig(object, |rig| drop(rig.forget_missing()))),
    ("the limits and poles left out", |object| in_rig(object, unsound_limits)),
    ("the rest pose brought to finite numbers", |object| in_rig(object, sound_rest)),
    ("the camera's numbers set anew", |object| {
        if let ObjectKind::Camera(camera) = &mut object.kind {
            *camera = Camera::default();
        }
    }),
    ("the light's numbers set anew", |object| {
        if let ObjectKind::Light(light) = &mut object.kind {
            *light = Light::default();
        }
    }),
    ("its material loses its image", |object| {
        in_mesh(object, |mesh| mesh.materials.iter_mut().for_each(|material| Arc::make_mut(material).texture = None));
    }),
    ("its surface set anew", |object| in_mesh(object, sound_materials)),
    ("its normals left out", |object| in_geometry(object, |geometry| geometry.normals = Arc::default())),
    ("its texture coordinates left out", |object| in_geometry(object, |geometry| geometry.uvs = Arc::default())),
    ("its colours left out", |object| in_geometry(object, |geometry| geometry.colors = Arc::default())),
    ("its deformer's numbers set anew", |object| {
        if let ObjectKind::Deformer(deformer) = &mut object.kind {
            deformer.numbers.clear();
        }
    }),
    ("its deformer's landmarks left out", |object| {
        if let ObjectKind::Deformer(deformer) = &mut object.kind {
            deformer.landmarks.clear();
        }
    }),
    ("its painted masks left out", |object| {
        in_mesh(object, |mesh| {
            mesh.masks.clear();
            for entry in &mut mesh.stack {
                entry.mask = entry.mask.filter(|mask| !matches!(mask, super::Mask::Painted(_)));
                entry.reach = entry.reach.clamp(0.0, f64::MAX);
            }
        });
    }),
    ("blended linearly to its joints", |object| in_mesh(object, |mesh| mesh.dual = 0.0)),
    ("its morph targets left out", |object| in_mesh(object, |mesh| mesh.morphs.clear())),
    ("shown without its skin", |object| in_mesh(object, |mesh| mesh.skin = None)),
    ("its shape left out", |object| {
        object.kind = ObjectKind::Mesh(Arc::new(Mesh::default()));
    }),
];

fn mend_object(document: &mut Document, id: ObjectId, done: &mut Done) {
    if of_object(id)(document).is_empty() {
        return;
    }
    if document.object(id).is_some_and(|object| object.as_rig().is_some()) {
        mending_blend::layers(document, id, done);
    }
    for (what, fix) in FIXES.iter().take(FIXES.len() - 1) {
        attempt(document, of_object(id), |d| changed(d, id, *fix), what, done);
    }
    let stack = document.object(id).and_then(|object| object.as_mesh()).map_or(0, |mesh| mesh.stack.len());
    for at in (0..stack).rev() {
        let drop_it = |object: &mut Object| {
            in_mesh(object, |mesh| {
                mesh.stack.remove(at);
            })
        };
        attempt(document, of_object(id), |d| changed(d, id, drop_it), "the entry of its deformer stack left out", done);
    }
    let constraints = document.object(id).map_or(0, |object| object.constraints.len());
    for at in (0..constraints).rev() {
        let drop_it = |object: &mut Object| {
            object.constraints.remove(at);
        };
        attempt(document, of_object(id), |d| changed(d, id, drop_it), "the constraint left out", done);
    }
    for at in (0..document.object(id).map_or(0, |object| object.drivers.len())).rev() {
        let drop_it = |object: &mut Object| {
            object.drivers.remove(at);
        };
        attempt(document, of_object(id), |d| changed(d, id, drop_it), "the driver left out", done);
    }
    if document.object(id).is_some_and(|object| object.as_mesh().is_some())
        && let Some((what, fix)) = FIXES.last()
    {
        attempt(document, of_object(id), |d| changed(d, id, *fix), what, done);
    }
    if document.object(id).is_some_and(|object| object.as_lattice().is_some()) {
        let anew = |object: &mut Object| object.kind = ObjectKind::Lattice(Arc::default());
        attempt(document, of_object(id), |d| changed(d, id, anew), "the lattice set anew, its place kept", done);
    }
    let still = document.object(id).is_some_and(|object| object.as_path().is_some());
    if still {
        let empty = |object: &mut Object| object.kind = ObjectKind::Empty;
        attempt(document, of_object(id), |d| changed(d, id, empty), "the path left out, its place kept", done);
    }
}

pub(super) fn changed(document: &mut Document, id: ObjectId, change: impl FnOnce(&mut Object)) {
    if let Some(object) = document.object_mut(id) {
        change(object);
    }
}

fn in_rig(object: &mut Object, change: impl FnOnce(&mut Rig)) {
    if let ObjectKind::Rig(rig) = &mut object.kind {
        change(Arc::make_mut(rig));
    }
}

fn in_mesh(object: &mut Object, change: impl FnOnce(&mut Mesh)) {
    if let ObjectKind::Mesh(mesh) = &mut object.kind {
        change(Arc::make_mut(mesh));
    }
}

fn in_geometry(object: &mut Object, change: impl FnOnce(&mut super::mesh::Geometry)) {
    in_mesh(object, |mesh| change(Arc::make_mut(&mut mesh.geometry)));
}

fn sound_materials(mesh: &mut Mesh) {
    for material in &mut mesh.materials {
        let material = Arc::make_mut(material);
        let finite = material.color.iter().chain([&material.metallic, &material.roughness]).all(|v| v.is_finite());
        if !finite {
            *material = super::mesh::Material { name: material.name.clone(), ..super::mesh::Material::default() };
        }
    }
    let count = mesh.materials.len();
    for part in &mut mesh.parts {
        part.material = part.material.filter(|material| (*material as usize) < count);
    }
}

fn unsound_limits(rig: &mut Rig) {
    rig.limits.retain(|_, setting| !matches!(setting, LimitSetting::Own(limit) if !limit.is_sound()));
    let fits = rig.clone();
    rig.limbs.retain(|_, setting| !matches!(setting, LimbSetting::Limb(limb) if !fits.fits(limb)));
    for hint in rig.hints.values_mut() {
        hint.pole = hint.pole.filter(|pole| pole.iter().all(|number| number.is_finite()));
    }
}

fn sound_rest(rig: &mut Rig) {
    let mended = rig.skeleton.map_joints(|joint| super::skeleton::Joint { rest: sound(&joint.rest), ..joint.clone() });
    if let Ok(skeleton) = mended {
        rig.skeleton = Arc::new(skeleton);
    }
}

/// The transform with 0, no turn and 1 for what is no number.
fn sound(transform: &Transform) -> Transform {
    let finite = |value: f64, other: f64| if value.is_finite() { value } else { other };
    let q = &transform.rotation;
    Transform {
        translation: transform.translation.map(|value| finite(value, 0.0)),
        rotation: try_unit(q.i, q.j, q.k, q.w).unwrap_or_else(Quat::identity),
        scale: transform.scale.map(|value| finite(value, 1.0)),
    }
}

fn faults_of(document: &Document, clip: &Clip) -> Vec<Problem> {
    let mut found = Problems::default();
    clip_problems(document, "", clip, &mut found);
    found.into_list()
}

/// Each part of a clip alone, with the pins that are sound: what is unsound so goes.
fn mend_clip(document: &mut Document, id: ClipId, done: &mut Done) {
    let Some(clip) = document.clip(id).cloned() else { return };
    let place = format!("{id} '{}'", clip.name);
    let bare = Clip {
        channels: Default::default(),
        muted: Default::default(),
        unkeyed: Vec::new(),
        corrections: Vec::new(),
        retimes: Vec::new(),
        pins: Vec::new(),
        markers: Vec::new(),
        ..(*clip).clone()
    };
    if faults_of(document, &clip).is_empty() || !faults_of(document, &bare).is_empty() {
        return;
    }
    let mut tell = |problems: Vec<Problem>, what: &str| {
        let named = |problem: Problem| Problem { place: format!("{place}{}", problem.place), what: problem.what };
        done.extend(problems.into_iter().map(|problem| (named(problem), Some(what.to_owned()))));
    };
    let mut mended = bare.clone();
    for pin in &clip.pins {
        let alone = Clip { pins: mended.pins.iter().chain([pin]).cloned().collect(), ..bare.clone() };
        match faults_of(document, &alone) {
            faults if faults.is_empty() => mended.pins.push(pin.clone()),
            faults => tell(faults, "the pin left out"),
        }
    }
    let base = Clip { pins: mended.pins.clone(), ..bare };
    for correction in &clip.corrections {
        let alone =
            Clip { corrections: mended.corrections.iter().chain([correction]).cloned().collect(), ..base.clone() };
        match faults_of(document, &alone) {
            faults if faults.is_empty() => mended.corrections.push(correction.clone()),
            faults => tell(faults, "the correction left out"),
        }
    }
    for retime in &clip.retimes {
        let alone = Clip { retimes: mended.retimes.iter().chain([retime]).cloned().collect(), ..base.clone() };
        match faults_of(document, &alone) {
            faults if faults.is_empty() => mended.retimes.push(retime.clone()),
            faults => tell(faults, "the retime left out"),
        }
    }
    for marker in &clip.markers {
        let alone = Clip { markers: mended.markers.iter().chain([marker]).cloned().collect(), ..base.clone() };
        match faults_of(document, &alone) {
            faults if faults.is_empty() => mended.markers.push(marker.clone()),
            faults => tell(faults, "the marker left out"),
        }
    }
    for (path, curve) in &clip.channels {
        let alone = Clip { channels: [(*path, curve.clone())].into(), ..base.clone() };
        match faults_of(document, &alone) {
            faults if faults.is_empty() => drop(mended.channels.insert(*path, curve.clone())),
            faults => tell(faults, "the channel left out"),
        }
    }
    for path in &clip.muted {
        if mended.channels.contains_key(path) {
            mended.muted.insert(*path);
        } else {
            let what = format!("the muted channel {path} has no curve");
            tell(vec![Problem { place: String::new(), what }], "no longer said to be muted");
        }
    }
    let mut frames = clip.unkeyed.clone();
    frames.sort_by(|a, b| a.time.total_cmp(&b.time));
    if frames.iter().zip(&clip.unkeyed).any(|(a, b)| a.time.total_cmp(&b.time).is_ne()) {
        let what = "the unkeyed edits are not in order of time".to_owned();
        tell(vec![Problem { place: String::new(), what }], "put in order");
    }
    for mut frame in frames {
        let of = |frame: &super::clip::UnkeyedFrame| Clip { unkeyed: vec![frame.clone()], ..base.clone() };
        let values = std::mem::take(&mut frame.values);
        for (path, value) in values {
            let one = super::clip::UnkeyedFrame { time: frame.time, values: [(path, value)].into() };
            match faults_of(document, &of(&one)) {
                faults if faults.is_empty() => drop(frame.values.insert(path, value)),
                faults => tell(faults, "the unkeyed value left out"),
            }
        }
        let again = mended.unkeyed.last().is_some_and(|last| last.time >= frame.time);
        if !frame.values.is_empty() && !again {
            mended.unkeyed.push(frame);
        }
    }
    Arc::make_mut(&mut document.clips).insert(id, Arc::new(mended));
}

fn library(document: &mut Document, done: &mut Done) {
    let of = |prefix: &'static str| {
        move |d: &Document| -> Vec<Problem> {
            // Objects and clips have been looked at.
            let own = |problem: &Problem| problem.place.starts_with(prefix);
            d.problems().into_iter().filter(own).collect()
        }
    };
    let poses: Vec<_> = document.poses.keys().copied().collect();
    for id in poses {
        let keep = |d: &mut Document| {
            if let Some(pose) = Arc::make_mut(&mut d.poses).get_mut(&id) {
                Arc::make_mut(pose).joints.retain(|_, joint| joint.is_sound());
            }
        };
        attempt(document, of("pose"), keep, "the joint's pose left out", done);
    }
    let masks: Vec<_> = document.masks.keys().copied().collect();
    for id in masks {
        let brought = |d: &mut Document| {
            if let Some(mask) = Arc::make_mut(&mut d.masks).get_mut(&id).map(Arc::make_mut) {
                let within = |weight: f64| if weight > 0.0 { weight.min(1.0) } else { 0.0 };
                mask.joints.values_mut().for_each(|weight| *weight = within(*weight));
                mask.others = within(mask.others);
            }
        };
        attempt(document, of("jointmask"), brought, "brought within 0..1", done);
    }
    mending_blend::spaces(document, done);
    let snapshots: Vec<_> = document.snapshots.keys().copied().collect();
    for id in snapshots {
        let drop_it = |d: &mut Document| drop(Arc::make_mut(&mut d.snapshots).remove(&id));
        attempt(document, of("snapshot"), drop_it, "the snapshot left out", done);
    }
}

/// Drivers that wait for each other: the last ones go, until none do.
fn driver_cycles(document: &mut Document, done: &mut Done) {
    let waiting = |d: &Document| -> Vec<Problem> {
        let members = d.driver_cycles().into_iter().flatten();
        let problem = |member: String| Problem {
            place: "drivers".to_owned(),
            what: format!("{member} drives itself through others"),
        };
        members.map(problem).collect()
    };
    let objects: Vec<ObjectId> = document.objects.keys().rev().copied().collect();
    for id in objects {
        for at in (0..document.object(id).map_or(0, |object| object.drivers.len())).rev() {
            let drop_it = |d: &mut Document| changed(d, id, |object| drop(object.drivers.remove(at)));
            attempt(document, waiting, drop_it, "the driver left out", done);
        }
    }
}

/// Pins and constraints that wait for each other: the last ones go, until none do.
fn cycles(document: &mut Document, done: &mut Done) {
    let waiting = |d: &Document| -> Vec<Problem> {
        let members = d.waiting_cycles().into_iter().flatten();
        let problem = |member: String| Problem {
            place: "pins and constraints".to_owned(),
            what: format!("{member} waits for itself through others"),
        };
        members.map(problem).collect()
    };
    driver_cycles(document, done);
    let clips: Vec<ClipId> = document.clips.keys().rev().copied().collect();
    for id in clips {
        for at in (0..document.clip(id).map_or(0, |clip| clip.pins.len())).rev() {
            let drop_it = |d: &mut Document| {
                if let Some(clip) = d.clip_mut(id) {
                    clip.pins.remove(at);
                }
            };
            attempt(document, waiting, drop_it, "the pin left out", done);
        }
    }
    let objects: Vec<ObjectId> = document.objects.keys().rev().copied().collect();
    for id in objects {
        for at in (0..document.object(id).map_or(0, |object| object.constraints.len())).rev() {
            let drop_it = |d: &mut Document| changed(d, id, |object| drop(object.constraints.remove(at)));
            attempt(document, waiting, drop_it, "the constraint left out", done);
        }
    }
}
