//! What commands do, by area.

mod blend;
pub(super) mod characters;
pub(super) mod clips;
pub(super) mod compare;
pub(super) mod dropped;
pub(super) mod eases;
pub(super) mod export;
mod files;
mod in_view;
mod markers;
mod paths;
mod pins;
mod playblast;
pub(super) mod plot;
mod pose;
mod pose_clipboard;
pub(in crate::app) mod references;
mod retarget;
pub(super) mod rigging;
mod shapes;
mod shortcuts;
pub(super) mod simplify;
mod skeleton;
pub(super) mod skins;
mod time;
mod warp;
