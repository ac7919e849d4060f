//! What the rotation lab shows, as numbers: ways between orientations with their angular speed, gimbal rings and how near
//! they are to lock, what becomes of a cube when matrices are interpolated, both ways round, and one rotation in every form.
//!
//! Ways by quaternions are evaluated by [`super::curve`], as a track of the document is: what is seen here is what is played.

mod forms;
mod gimbal;
mod matrices;
mod ways;

pub use forms::{Form, ReadOut, Said};
pub use gimbal::{GimbalMeter, meter, ring_frames};
pub use matrices::{Shape, lerp_matrix};
pub use ways::{BothWays, LabKey, LabScheme, Trace, Way};
