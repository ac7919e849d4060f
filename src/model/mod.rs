//! The document: plain data, its invariants and its serialised form. Imports `math` only.
//!
//! Everything that can move is a channel: a [`ChannelPath`] that a [`Clip`] may hold a [`Curve`] for.

pub mod additive;
pub mod blend_scheme;
pub mod blend_space;
pub mod blob;
pub mod camera;
pub mod chain;
pub mod channel;
pub mod chunks;
pub mod clip;
pub mod clock;
pub mod constraint;
pub mod constraint_order;
pub mod curve;
pub mod deform;
pub mod diff;
pub mod document;
pub mod driver;
pub mod ease_preset;
pub mod held;
pub mod id;
pub mod joint_mask;
pub mod key;
pub mod key_store;
pub mod keys;
pub(crate) mod kinds;
pub mod lattice;
pub mod layer;
pub mod light;
pub mod limb;
pub mod limit;
pub mod lock;
pub mod marker;
pub mod mending;
mod mending_blend;
pub mod mesh;
pub mod modifier;
mod morph;
pub mod names;
pub mod object;
pub mod path;
pub mod pin;
pub mod pose;
pub mod problems;
pub mod reference;
pub mod retime;
pub mod rig;
pub mod scheme;
pub mod skeleton;
pub mod snapshot;
pub mod time;
pub mod unit;
mod waiting;

pub use additive::{Additive, AdditiveReference, AdditiveSpace};
pub use blend_scheme::{BlendScheme, RotationBlend};
pub use blend_space::{Axis, BlendSpace, Plays, Smoothing, SpaceSample, Sync};
pub use camera::Camera;
pub use chain::{ChainPath, ChainStart, IkChain, Pole};
pub use channel::{ChannelPath, Component, Property, Target, Value};
pub use clip::{Clip, Correction, LoopMode, UnkeyedFrame};
pub use clock::Clock;
pub use constraint::{Constraint, ConstraintKind, Drive, Follow, FollowOrientation, Forward};
pub use curve::{
    Curve, Extrapolation, KeyedCurve, KeyedRotation, RotationCurve, RotationInterpolation, RotationKey,
    RotationSamples, RotationTangents, Samples, ScalarCurve,
};
pub use deform::{Deformer, DeformerKind, Landmark, Mask, Parameter, StackEntry};
pub use document::{Document, Settings};
pub use driver::Driver;
pub use ease_preset::EasePreset;
pub use held::{Aim, Copy as CopyHold, HeldBy, OrientHold, ParentHold, PlaceLimit, PointHold, Source};
pub use id::{
    BlendSpaceId, ClipId, ConstraintId, CorrectionId, DeformerId, ImageId, JointId, JointMaskId, LayerId, MarkerId,
    MaskId, MorphId, ObjectId, PinId, PointId, PoseId, RetimeId, SnapshotId,
};
pub use joint_mask::JointMask;
pub use key::{EaseShape, Handle, Interpolation, Key, KeyKind};
pub use keys::Keys;
pub use lattice::{Lattice, LatticePose};
pub use layer::{Layer, LayerMode};
pub use light::{Light, LightShape};
pub use limb::{BendToward, LimbSetting, LimbSpec, Role, Side};
pub use limit::{Limit, LimitSetting, SwingShape};
pub use lock::Locks;
pub use marker::{Marker, MarkerColour};
pub use mesh::{AlphaMode, Geometry, Image, ImageFormat, Material, Mesh, MeshPart, Skin, SkinJoint};
pub use modifier::{Modifier, ModifierKind};
pub use morph::{MorphGroup, MorphRule, MorphTarget, VertexMask};
pub use object::{Object, ObjectKind, Parent};
pub use path::{Path, PathPoint, PathScheme};
pub use pin::{Pin, PinSpace};
pub use pose::{JointPose, Pose};
pub use problems::Problem;
pub use reference::{Reference, ReferencePlace};
pub use retime::{Phi, PhiError, Retime, RetimeScope};
pub use rig::{ChainHint, Rig, SolverKind};
pub use scheme::Scheme;
pub use skeleton::{FileChannel, Joint, JointKind, JointTree, RotationMode, Skeleton, SkeletonError};
pub use snapshot::Snapshot;
pub use time::{FrameRange, FrameRate};
pub use unit::{LengthUnit, OwnUnit};
