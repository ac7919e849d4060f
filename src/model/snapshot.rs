//! Snapshots: states of a clip's curves kept under a name, to compare with and to go back to.

use super::{channel::ChannelPath, curve::Curve, id::ClipId};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// A state of some of a clip's curves. They are shared with the clip until one of the two changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// What it is called; need not be unique.
    pub name: String,
    /// The clip the curves were taken from, and go back to.
    pub clip: ClipId,
    /// The curves by channel.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub channels: BTreeMap<ChannelPath, Arc<Curve>>,
}
