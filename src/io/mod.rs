//! Bytes to documents and back. Nothing here touches a window.

pub mod bvh;
pub mod channel_error;
pub mod check;
pub mod clips;
pub mod file;
pub mod footage;
pub mod foreign;
pub mod gltf;
pub mod journal;
pub mod obj;
pub mod open;
pub mod picture;
mod played;
pub mod plot;
pub mod report;
pub mod ron;
pub mod text;
