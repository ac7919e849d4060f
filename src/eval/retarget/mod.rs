//! Motion of one figure for another: any clip for any character.
//!
//! Joints are mapped by the parts of a body they are, by name, by hierarchy and by place ([`JointMap`]); the target's
//! reference pose is brought to the source's ([`align`]); what turns a joint of the source in space then turns its
//! counterpart ([`Transfer`]), and the body travels in proportion. Feet that stand in the source are held in place by pins
//! in the result. [`run`] does all of it for a clip.

mod align;
mod faults;
mod feet;
mod figure;
mod map;
mod rows;
mod run;
mod transfer;

pub use align::{Aligned, align};
pub use faults::{Fault, FaultKind};
pub use feet::{Contact, FootPair};
pub use figure::{Figure, ReferencePose};
pub use map::{How, JointMap, Mapping, Share};
pub use run::{Options, Plan, RetargetError, Retargeted, ScaleBy, Source, run};
pub use transfer::{Space, Transfer, Wanted, carried, travelled};
