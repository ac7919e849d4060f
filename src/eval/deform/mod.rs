//! Deformer stacks: what moves the vertices of a mesh besides joints and morph targets.
//!
//! Order: morph targets, then those entries of the stack that act before the skin, in the space the mesh was bound in, then the
//! skin, then the others, in the world. A deformer sees the points in its own object's space; what it adds is brought back by
//! the linear part of its placement. So what it does not move keeps its numbers to the bit, and a placement without an inverse
//! (scale 0) moves nothing. Turned inside out (a negative scale) it acts as its mirror image does.
//!
//! Double precision ([`Step::moved`]) is the truth; [`bulk`] moves whole meshes in single precision, within 1e-5 of it.

pub mod bulk;
pub mod functions;
pub mod influence;
pub mod landmarks;
pub mod lattice;
pub mod modes;

pub use functions::Function;
pub use influence::place_before;
pub use landmarks::LandmarkShape;
pub use lattice::LatticeShape;

use super::{
    pipeline::EvaluatedFrame,
    sample::{Stage, clip_local, number},
};
use crate::{
    math::{Affine, Vec3},
    model::{
        ChannelPath, Clip, Component, Deformer, Document, Lattice, Mask, Mesh, Object, ObjectId, PointId, Property,
        StackEntry, Target,
    },
};

/// An entry of a stack at one time, with all that it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Whether it acts before the skin.
    pub before_skin: bool,
    /// From the deformer's space to that of the points it moves.
    pub place: Affine,
    /// The other way.
    pub inverse: Affine,
    /// How much of it acts, 0..1.
    pub influence: f64,
    /// Which vertices it acts on.
    pub mask: Option<Mask>,
    /// How far from the deformer's origin it acts, in its space; 0 is everywhere.
    pub reach: f64,
    /// What it does.
    pub acting: Acting,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Acting {
    /// A lattice.
    Lattice(LatticeShape),
    /// A function of space.
    Function(Function),
    /// Landmarks of a drag or a warp.
    Landmarks(LandmarkShape),
}

impl Step {
    /// Where a vertex at a place goes.
    #[must_use]
    pub fn moved(&self, mesh: &Mesh, vertex: usize, at: &Vec3) -> Vec3 {
        let amount = self.influence * self.mask.map_or(1.0, |mask| masked(mesh, mask, vertex));
        if !(amount > 0.0) {
            return *at;
        }
        let own = self.inverse.point(at);
        let amount = amount * self.fade(&own);
        if !(amount > 0.0) {
            return *at;
        }
        let to = match &self.acting {
            Acting::Lattice(lattice) => lattice.moved(&own),
            Acting::Function(function) => function.moved(&own),
            Acting::Landmarks(shape) => shape.moved(&own),
        };
        if to == own { *at } else { at + self.place.vector(&(to - own)) * amount }
    }
}

impl Step {
    /// How much of it acts at a place of its space by how far that is from its origin, 0..1.
    #[must_use]
    pub fn fade(&self, own: &Vec3) -> f64 {
        reached(self.reach, own)
    }
}

/// How much acts at a place where a reach is given: all where it is 0.
fn reached(reach: f64, own: &Vec3) -> f64 {
    if reach > 0.0 { landmarks::fade(own.norm(), reach) } else { 1.0 }
}

/// How much a mask lets act on a vertex, 0..1.
#[must_use]
pub fn masked(mesh: &Mesh, mask: Mask, vertex: usize) -> f64 {
    match mask {
        Mask::Joint(joint) => {
            let Some(skin) = &mesh.skin else { return 0.0 };
            let own = |(at, share): (usize, f64)| skin.joints.get(at).filter(|of| of.joint == joint).map(|_| share);
            skin.vertex(vertex).filter_map(own).sum()
        }
        Mask::Part(part) => {
            let found = mesh.ranges().nth(part as usize);
            f64::from(u8::from(found.is_some_and(|(_, vertices, _)| vertices.contains(&vertex))))
        }
        Mask::Painted(id) => {
            mesh.mask(id).and_then(|mask| mask.weights.get(vertex)).map_or(0.0, |weight| f64::from(*weight))
        }
    }
}

/// The steps of a mesh object's stack in a frame, those that move nothing left out.
#[must_use]
pub fn steps(document: &Document, frame: &EvaluatedFrame, object: ObjectId, mesh: &Mesh) -> Vec<Step> {
    let step = |entry: &StackEntry| {
        let acting = if entry.muted { None } else { acting(document, frame.secs, entry.by) };
        step_of(document, frame, (object, mesh), entry, acting?)
    };
    mesh.stack.iter().filter_map(step).collect()
}

/// An entry's step with what it does; none where it does not act at all, or its placement has no inverse.
fn step_of(
    document: &Document,
    frame: &EvaluatedFrame,
    (object, mesh): (ObjectId, &Mesh),
    entry: &StackEntry,
    acting: Acting,
) -> Option<Step> {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let path = influence_path(object, entry);
    let influence = number(document, clip.map(|clip| &**clip), path, frame.secs, Stage::Shown);
    let influence = influence.unwrap_or(entry.influence).clamp(0.0, 1.0);
    if entry.muted || !(influence > 0.0) {
        return None;
    }
    let before_skin = entry.before_skin && mesh.skin.is_some();
    let world = frame.objects.get(&entry.by)?.world;
    let place = if before_skin { frame.objects.get(&object)?.world.try_inverse()? * world } else { world };
    let inverse = place.try_inverse()?;
    Some(Step { before_skin, place, inverse, influence, mask: entry.mask, reach: entry.reach, acting })
}

/// The channel of how much an entry of a mesh object's stack acts.
#[must_use]
pub const fn influence_path(object: ObjectId, entry: &StackEntry) -> ChannelPath {
    let target = Target::Deformer(object, entry.id);
    ChannelPath { target, property: Property::Influence, component: Component::Only }
}

/// What a lattice or deformer object does at a time; none where it moves nothing.
fn acting(document: &Document, secs: f64, id: ObjectId) -> Option<Acting> {
    let object = document.object(id)?;
    if let Some(lattice) = object.as_lattice() {
        let shape = LatticeShape::new(lattice, offsets(document, id, lattice, secs));
        return (!shape.rests()).then_some(Acting::Lattice(shape));
    }
    let deformer = object.as_deformer()?;
    if deformer.kind.has_landmarks() {
        let shape = landmark_shape(document, id, deformer, secs);
        return (!shape.rests()).then_some(Acting::Landmarks(shape));
    }
    let function = function(document, id, deformer, secs);
    (!function.rests()).then_some(Acting::Function(function))
}

/// A deformer object's function at a time, as shown.
#[must_use]
pub fn function(document: &Document, id: ObjectId, deformer: &Deformer, secs: f64) -> Function {
    let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
    let value = |parameter: &crate::model::Parameter| {
        let path = ChannelPath::object(id, parameter.property, Component::Only);
        let value = number(document, clip.map(|clip| &**clip), path, secs, Stage::Shown).unwrap_or(parameter.resting);
        value.clamp(parameter.range.0, parameter.range.1)
    };
    Function { kind: deformer.kind, numbers: deformer.kind.parameters().iter().map(value).collect() }
}

/// The landmarks of a deformer object at a time, as shown.
#[must_use]
pub fn landmark_shape(document: &Document, id: ObjectId, deformer: &Deformer, secs: f64) -> LandmarkShape {
    let radius = function(document, id, deformer, secs).numbers.first().copied().unwrap_or(0.0);
    LandmarkShape::new(deformer, point_offsets(document, id, secs), radius)
}

/// From where each point that carries meshes along is at rest to where it is at a time, as shown: in the order of
/// [`Object::carrying_points`], in the object's space.
#[must_use]
pub fn point_offsets(document: &Document, id: ObjectId, secs: f64) -> Vec<Vec3> {
    let Some(object) = document.object(id) else { return Vec::new() };
    if let Some(lattice) = object.as_lattice() {
        return offsets(document, id, lattice, secs);
    }
    let clip = document.clip_of(id).and_then(|clip| document.clip(clip)).map(|clip| &**clip);
    let offset = |(point, _): &(PointId, Vec3)| {
        let local = clip_local(document, clip, Target::Point(id, *point), secs, Stage::Shown);
        local.map_or_else(Vec3::zeros, |local| local.translation)
    };
    object.carrying_points().iter().map(offset).collect()
}

/// From each point's place at rest to where it is at a time, as shown: in the order of [`Lattice::points`], in the lattice's
/// space.
#[must_use]
pub fn offsets(document: &Document, id: ObjectId, lattice: &Lattice, secs: f64) -> Vec<Vec3> {
    let mut out = vec![Vec3::zeros(); lattice.len()];
    for (point, offset) in &lattice.offsets {
        if let Some(place) = lattice.place_of(*point) {
            out[lattice.index_of(place)] = *offset;
        }
    }
    let clip = document.clip_of(id).and_then(|clip| document.clip(clip)).map(|clip| &**clip);
    for point in moving(document, clip, id, secs) {
        let target = Target::Point(id, point);
        if let (Some(place), Some(local)) =
            (lattice.place_of(point), clip_local(document, clip, target, secs, Stage::Shown))
        {
            out[lattice.index_of(place)] = local.translation;
        }
    }
    out
}

/// The points of an object that are driven, or for which a clip has a curve or a value that waits at a time.
fn moving(document: &Document, clip: Option<&Clip>, id: ObjectId, secs: f64) -> std::collections::BTreeSet<PointId> {
    let channel = |point, component| ChannelPath::point(id, PointId(point), component);
    let own = channel(0, Component::X)..=channel(u32::MAX, Component::Only);
    let keyed = clip.into_iter().flat_map(|clip| clip.channels.range(own.clone())).map(|(path, _)| path.target);
    let waiting = clip.and_then(|clip| clip.unkeyed_at(secs)).into_iter();
    let waiting = waiting.flat_map(|frame| frame.values.range(own.clone())).map(|(path, _)| path.target);
    let drivers = document.object(id).into_iter().flat_map(|object| &object.drivers);
    let driven = drivers.map(|driver| driver.driven.target);
    keyed
        .chain(waiting)
        .chain(driven)
        .filter_map(|target| match target {
            Target::Point(_, point) => Some(point),
            _ => None,
        })
        .collect()
}

/// Where the points of a lattice, or a deformer's landmarks, are in a frame, world, in the order of [`Object::carrying_points`]; none
/// of another object.
#[must_use]
pub fn lattice_places(document: &Document, frame: &EvaluatedFrame, id: ObjectId) -> Option<Vec<Vec3>> {
    let object = document.object(id).filter(|object| object.deforms())?;
    let world = frame.objects.get(&id)?.world;
    let offsets = point_offsets(document, id, frame.secs);
    let place = |((_, rest), offset): (&(PointId, Vec3), &Vec3)| world.point(&(rest + offset));
    Some(object.carrying_points().iter().zip(&offsets).map(place).collect())
}

/// The mesh objects whose stacks name an object, in order of id.
pub fn deformed_by(document: &Document, by: ObjectId) -> impl Iterator<Item = (ObjectId, &Object)> {
    let names = move |object: &Object| object.as_mesh().is_some_and(|mesh| mesh.stack.iter().any(|e| e.by == by));
    document.objects.iter().filter(move |(_, object)| names(object)).map(|(id, object)| (*id, &**object))
}
