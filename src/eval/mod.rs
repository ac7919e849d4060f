//! Pure evaluation: functions over borrowed slices, no document state, no hidden history.

pub mod curve;
pub mod fk;
pub mod ik;
pub mod polyline;
