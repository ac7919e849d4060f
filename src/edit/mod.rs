//! Changes to a document: edits as plain data, gestures as transactions, undo as a list of shared snapshots.
//!
//! An [`Edit`] carries solved values, never a recipe, and acts forward only. A [`Session`] holds the open document; a
//! [`Gesture`] applies its total change to the document as it was when the gesture began, so that a hundred small moves are
//! one big move to the bit, and cancelling gives back the very same parts.

mod apply;
mod clips;
pub mod columns;
mod constraints;
pub mod continuity;
mod corrections;
mod curves;
mod error;
pub mod follow;
mod gesture;
mod handles;
mod history;
mod import;
mod key_lists;
mod key_selection;
mod keys;
pub mod limbs;
pub mod merge;
mod meshes;
pub mod numbers;
mod objects;
mod paths;
pub mod pin_here;
mod pins;
mod place;
pub mod pose;
pub mod poses;
mod recorder;
pub mod retime_apply;
pub mod retime_here;
mod retimes;
pub mod rigs;
mod ripple;
pub mod rotation_form;
mod rotation_keys;
mod selection;
mod session;
pub mod set_key;
mod settings;
mod share;
pub mod skeleton;
mod snapshots;
mod unkeyed;

pub use apply::Edit;
pub use clips::ClipEdit;
pub use constraints::ConstraintEdit;
pub use corrections::CorrectionEdit;
pub use curves::CurveEdit;
pub use error::EditError;
pub use gesture::{Gesture, Outcome};
pub use handles::{HandleEdit, HandleKind, HandleSide};
pub use history::{History, Limits, MergeKey};
pub use import::ImportEdit;
pub use key_selection::{CurveRef, KeySelection};
pub use keys::KeyEdit;
pub use meshes::MeshEdit;
pub use objects::ObjectEdit;
pub use paths::PathEdit;
pub use pins::{PinEdit, orientation_numbers};
pub use pose::AutoKey;
pub use poses::{PoseEdit, PoseTarget};
pub use recorder::{Recorded, Recorder};
pub use retimes::RetimeEdit;
pub use rigs::{RigEdit, UpAxis};
pub use ripple::TimeEdit;
pub use rotation_form::RotationFormEdit;
pub use selection::Selection;
pub use session::Session;
pub use settings::SettingsEdit;
pub use skeleton::SkeletonEdit;
pub use snapshots::SnapshotEdit;
pub use unkeyed::UnkeyedEdit;
