//! What commands do, by area.

pub(super) mod export;
mod files;
mod paths;
mod pins;
mod playblast;
mod pose;
mod pose_clipboard;
mod shortcuts;
mod time;
