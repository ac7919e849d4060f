//! How far a written file is from the document, a channel.

use super::report::{Place, Report};
use crate::model::{
    Document, ObjectId, Parent, Property,
    names::{joint_name, joint_names, object_name},
};
use std::collections::BTreeMap;

/// How far a channel of a written file is from the document's at worst.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelError {
    /// The clip.
    pub clip: String,
    /// The object or joint and the property.
    pub channel: String,
    /// The property.
    pub property: Property,
    /// Metres, radians, or parts of a scale or a weight.
    pub error: f64,
}

impl ChannelError {
    /// What single precision alone may cost.
    fn rounding(&self) -> f64 {
        if self.property == Property::Rotation { 2e-6 } else { 1e-6 }
    }

    /// In words: millimetres, degrees, or a plain number.
    #[must_use]
    pub fn text(&self) -> String {
        let (value, unit) = match self.property {
            Property::Rotation => (self.error.to_degrees(), " degrees"),
            Property::Translation => (self.error * 1e3, " mm"),
            _ => (self.error, ""),
        };
        // What is less than can be seen is still told.
        if value == 0.0 || value >= 1e-3 { format!("{value:.4}{unit}") } else { format!("{value:.1e}{unit}") }
    }
}

/// What each channel misses by, measured, into the report: first those that are not exact, the worst first, then those that
/// only single precision keeps from being equal.
pub fn tell_errors(errors: &[ChannelError], why: &str, report: &mut Report) {
    let times_rounding = |error: &ChannelError| error.error / error.rounding();
    let (mut missed, exact): (Vec<_>, Vec<_>) = errors.iter().partition(|error| times_rounding(error) > 1.0);
    missed.sort_by(|a, b| times_rounding(b).total_cmp(&times_rounding(a)));
    let place = |error: &ChannelError| Place::Part(format!("{}: {}", error.clip, error.channel));
    for error in missed {
        report.measured("error", place(error), why, format!("written within {}", error.text()));
    }
    for error in exact {
        report.measured(Report::EXACT, place(error), "exact", format!("measured at most {}", error.text()));
    }
}

/// An object or a joint as reports name it.
pub(super) fn node_name(document: &Document, node: Parent) -> String {
    let object = object_name(document, node.object()).unwrap_or_default();
    match node {
        Parent::Object(_) => object,
        Parent::Joint(rig, joint) => {
            let rig = document.object(rig).and_then(|object| object.as_rig());
            let joint = rig.and_then(|rig| joint_name(&rig.skeleton, joint)).unwrap_or_default();
            format!("{object}/{joint}")
        }
    }
}

/// The names of all objects and joints as reports name them, for what needs most of them.
pub(super) struct NodeNames<'a> {
    document: &'a Document,
    joints: BTreeMap<ObjectId, Vec<String>>,
}

impl<'a> NodeNames<'a> {
    /// Those of a document.
    pub(super) fn new(document: &'a Document) -> Self {
        let joints = document.rigs().map(|(id, _, rig)| (id, joint_names(&rig.skeleton)));
        Self { document, joints: joints.collect() }
    }

    /// A node's name, that of [`node_name`].
    pub(super) fn of(&self, node: Parent) -> String {
        let Parent::Joint(rig, joint) = node else { return node_name(self.document, node) };
        let skeleton = self.document.object(rig).and_then(|object| object.as_rig()).map(|rig| &rig.skeleton);
        let index = skeleton.and_then(|skeleton| skeleton.index_of(joint));
        let name = index.and_then(|index| self.joints.get(&rig)?.get(index)).map_or("", String::as_str);
        format!("{}/{name}", object_name(self.document, rig).unwrap_or_default())
    }
}
