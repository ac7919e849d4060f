//! What is laid ready to be driven, and by what: a state of the view, never of the document.

use crate::model::ChannelPath;

/// The desk of drivers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriveDesk {
    /// The channel that is to drive; none for the first of what is selected besides.
    pub source: Option<ChannelPath>,
    /// The channel that is to be driven; none for the first of what is active.
    pub driven: Option<ChannelPath>,
    /// Whether the graph shows drivers' curves, over the values of what drives, in place of curves over time.
    pub graph: bool,
}
