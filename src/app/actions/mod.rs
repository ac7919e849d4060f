//! What commands do, by area.

pub(super) mod export;
mod files;
mod pins;
mod pose;
mod shortcuts;
mod time;
