//! Objects: the things in the scene.

use super::{
    camera::Camera,
    chain::Pole,
    constraint::Constraint,
    curve::is_default,
    deform::Deformer,
    driver::Driver,
    id::{ClipId, ConstraintId, JointId, LayerId, ObjectId, PointId},
    lattice::Lattice,
    layer::Layer,
    light::Light,
    mesh::Mesh,
    path::{Path, PathPoint},
    rig::Rig,
    skeleton::RotationMode,
};
use crate::math::{Transform, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use super::skeleton::rest as transform_parts;

/// A thing in the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// Its name; need not be unique.
    pub name: String,
    /// What it moves with; none for the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
    /// Its static transform in the parent's space: the value of its channels where a clip has no curve for them.
    #[serde(default, skip_serializing_if = "super::curve::is_default", with = "transform_parts")]
    pub transform: Transform,
    /// How its rotation is held in channels.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: RotationMode,
    /// Whether it is hidden.
    #[serde(default, skip_serializing_if = "super::curve::is_default")]
    pub hidden: bool,
    /// The clip it plays; none for its parent's, or the document's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<ClipId>,
    /// What it plays instead, the first below the others; empty for the clip. A rig's only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Arc<Layer>>,
    /// What moves it after its own channels, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Arc<Constraint>>,
    /// What gives channels of it values by those of other channels, at most one a channel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drivers: Vec<Arc<Driver>>,
    /// What it is.
    pub kind: ObjectKind,
}

/// What an object moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Parent {
    /// Another object.
    Object(ObjectId),
    /// A joint of a rig object.
    Joint(ObjectId, JointId),
}

impl Parent {
    /// The object that is or holds the parent.
    #[must_use]
    pub const fn object(self) -> ObjectId {
        match self {
            Self::Object(object) | Self::Joint(object, _) => object,
        }
    }
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A skeleton that can be posed.
    Rig(Arc<Rig>),
    /// Points in space with a curve through them, that others may follow.
    Path(Arc<Path>),
    /// What pictures are taken with.
    Camera(Camera),
    /// Triangles, alone or on the joints of rigs.
    Mesh(Arc<Mesh>),
    /// What shines on others.
    Light(Light),
    /// A box of points that carry meshes within it along.
    Lattice(Arc<Lattice>),
    /// A function of space that meshes are moved by.
    Deformer(Deformer),
    /// A place: something to hang others on.
    Empty,
}

impl Object {
    /// An object of a rig.
    #[must_use]
    pub fn rig(name: &str, rig: Rig) -> Self {
        Self::new(name, ObjectKind::Rig(Arc::new(rig)))
    }

    /// An object of a path.
    #[must_use]
    pub fn path(name: &str, path: Path) -> Self {
        Self::new(name, ObjectKind::Path(Arc::new(path)))
    }

    /// An object at the world's origin that nothing moves.
    #[must_use]
    pub fn new(name: &str, kind: ObjectKind) -> Self {
        Self {
            name: name.to_owned(),
            parent: None,
            transform: Transform::IDENTITY,
            rotation: RotationMode::default(),
            hidden: false,
            clip: None,
            layers: Vec::new(),
            constraints: Vec::new(),
            drivers: Vec::new(),
            kind,
        }
    }

    /// The rig, where the object is one.
    #[must_use]
    pub const fn as_rig(&self) -> Option<&Arc<Rig>> {
        match &self.kind {
            ObjectKind::Rig(rig) => Some(rig),
            _ => None,
        }
    }

    /// The path, where the object is one.
    #[must_use]
    pub const fn as_path(&self) -> Option<&Arc<Path>> {
        match &self.kind {
            ObjectKind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The camera, where the object is one.
    #[must_use]
    pub const fn as_camera(&self) -> Option<&Camera> {
        match &self.kind {
            ObjectKind::Camera(camera) => Some(camera),
            _ => None,
        }
    }

    /// The mesh, where the object is one.
    #[must_use]
    pub const fn as_mesh(&self) -> Option<&Arc<Mesh>> {
        match &self.kind {
            ObjectKind::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The light, where the object is one.
    #[must_use]
    pub const fn as_light(&self) -> Option<&Light> {
        match &self.kind {
            ObjectKind::Light(light) => Some(light),
            _ => None,
        }
    }

    /// The lattice, where the object is one.
    #[must_use]
    pub const fn as_lattice(&self) -> Option<&Arc<Lattice>> {
        match &self.kind {
            ObjectKind::Lattice(lattice) => Some(lattice),
            _ => None,
        }
    }

    /// The deformer, where the object is one.
    #[must_use]
    pub const fn as_deformer(&self) -> Option<&Deformer> {
        match &self.kind {
            ObjectKind::Deformer(deformer) => Some(deformer),
            _ => None,
        }
    }

    /// Whether meshes can be deformed by it.
    #[must_use]
    pub const fn deforms(&self) -> bool {
        matches!(self.kind, ObjectKind::Lattice(_) | ObjectKind::Deformer(_))
    }

    /// What the channels of a point hold where no clip moves it: the place of a point of a path, the offset of one of a lattice.
    /// None where there is no such point.
    #[must_use]
    pub fn point_value(&self, point: PointId) -> Option<Vec3> {
        match &self.kind {
            ObjectKind::Path(path) => Some(path.point(point)?.place),
            ObjectKind::Lattice(lattice) => lattice.offset(point),
            ObjectKind::Deformer(deformer) => Some(deformer.landmarks.get(&point)?.offset),
            _ => None,
        }
    }

    /// The points that carry meshes along, with where they are at rest in the object's space: those of a lattice, X fastest, or a
    /// deformer's landmarks. Their channels hold offsets from there.
    #[must_use]
    pub fn carrying_points(&self) -> Vec<(PointId, Vec3)> {
        match &self.kind {
            ObjectKind::Lattice(lattice) => lattice.points().map(|(id, place)| (id, lattice.rest(place))).collect(),
            ObjectKind::Deformer(deformer) => deformer.landmarks.iter().map(|(id, one)| (*id, one.at)).collect(),
            _ => Vec::new(),
        }
    }

    /// Where a point that carries meshes along is at rest, in the object's space; none where there is no such point.
    #[must_use]
    pub fn carrying_point(&self, point: PointId) -> Option<Vec3> {
        match &self.kind {
            ObjectKind::Lattice(lattice) => Some(lattice.rest(lattice.place_of(point)?)),
            ObjectKind::Deformer(deformer) => Some(deformer.landmarks.get(&point)?.at),
            _ => None,
        }
    }

    /// A point of the path, where the object is one that has it.
    #[must_use]
    pub fn point(&self, point: PointId) -> Option<&PathPoint> {
        self.as_path()?.point(point)
    }

    /// A constraint by id.
    #[must_use]
    pub fn constraint(&self, id: ConstraintId) -> Option<&Arc<Constraint>> {
        self.constraints.iter().find(|constraint| constraint.id == id)
    }

    /// The pole of an IK chain, where the constraint is one that has it.
    #[must_use]
    pub fn pole(&self, id: ConstraintId) -> Option<&Pole> {
        self.constraint(id)?.as_chain()?.pole.as_ref()
    }

    /// A layer by id.
    #[must_use]
    pub fn layer(&self, id: LayerId) -> Option<&Arc<Layer>> {
        self.layers.iter().find(|layer| layer.id == id)
    }

    /// A layer id not in use.
    #[must_use]
    pub fn fresh_layer_id(&self) -> LayerId {
        LayerId(self.layers.iter().map(|layer| layer.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }

    /// The layers that play: those marked as solo, or where none is, those that are not muted.
    pub fn playing_layers(&self) -> impl Iterator<Item = &Arc<Layer>> {
        let solo = self.layers.iter().any(|layer| layer.solo && !layer.muted);
        self.layers.iter().filter(move |layer| !layer.muted && (layer.solo || !solo))
    }

    /// A constraint id not in use.
    #[must_use]
    pub fn fresh_constraint_id(&self) -> ConstraintId {
        ConstraintId(self.constraints.iter().map(|c| c.id.0).max().map_or(0, |last| last.saturating_add(1)))
    }
}
